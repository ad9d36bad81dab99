//! What helps to play Phase well.

use super::Phase;
use crate::game::Insight;

impl Insight for Phase {}
