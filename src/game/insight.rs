//! What is known of playing a game well, beyond its rules.

use super::Game;

/// Small knowledge that helps a search along. Everything has a default under which the search knows the rules alone.
pub trait Insight: Game {}
