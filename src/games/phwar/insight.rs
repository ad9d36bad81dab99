//! What helps to play Phwar well.

use super::Phwar;
use crate::game::Insight;

impl Insight for Phwar {}
