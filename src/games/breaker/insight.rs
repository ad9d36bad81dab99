//! What helps to play Breaker well.

use super::Breaker;
use crate::game::Insight;

impl Insight for Breaker {}
