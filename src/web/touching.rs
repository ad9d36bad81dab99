//! Touches as pages tell of them, and what they are answered.

use serde::{Deserialize, Serialize};

use crate::chat::touch::TouchAnswer;
use crate::game::touch::Touch;

/// The most touches of one move.
pub const MOST_TOUCHES: usize = 64;

/// What was touched, on a board of this version of the match.
#[derive(Debug, Deserialize)]
pub struct Touching {
    pub version: u64,
    #[serde(default)]
    pub touches: Vec<Touch>,
}

/// An answer to touches. A board that has gone on is nothing that went wrong.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Touchable {
    Touched(TouchAnswer),
    Refused { refused: String },
}
