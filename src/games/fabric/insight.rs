//! What helps to play Fabric well.

use super::Fabric;
use crate::game::Insight;

impl Insight for Fabric {}
