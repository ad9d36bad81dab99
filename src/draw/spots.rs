//! Spots: what can be touched in a picture, where it lies and what it is called.
//!
//! A game tells the spots of a picture from the same [`Scene`](super::Scene) and by the same layout as it draws them
//! ([`Show::spots`](super::Show::spots)), so a spot can't show what the picture does not. Its word is the one that guided
//! entry and notation have for the thing ([`Word::spots`](crate::game::Word::spots)); which spots can be touched now, and
//! what that means, follows from the ways alone ([`touch`](crate::game::touch)).

use serde::Serialize;

use super::canvas::Rect;
use super::grid::BoardGrid;
use super::mask::Point;
use crate::board::square::Square;

/// Something in a picture that can be touched.
///
/// ```
/// use parlor::draw::Spot;
/// use parlor::draw::canvas::Rect;
///
/// let spot = Spot::area("e4", Rect::new(10.0, 20.0, 40.0, 40.0), "e4, Ann's man").holding("Ann's man");
/// assert_eq!(spot.corners[2], (50.0, 60.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spot {
    /// What it is called in the notation, or where a move is picked word by word.
    pub word: String,
    /// What it is, in words: "F5, Ann's electron".
    pub says: String,
    /// Its outline in pixels of the picture.
    pub corners: Vec<Point>,
    /// What stands there, the same wherever it goes: by that a page can show how it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
    /// What it shows, where that is nothing to be picked up and carried: the face of a card. By that a page can show how it was
    /// turned over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
}

impl Spot {
    pub fn new(word: impl Into<String>, corners: Vec<Point>, says: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            says: says.into(),
            corners,
            holds: None,
            shows: None,
        }
    }

    /// A spot with four right angles.
    pub fn area(word: impl Into<String>, area: Rect, says: impl Into<String>) -> Self {
        let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        Self::new(word, corners, says)
    }

    /// The same spot with something on it.
    #[must_use]
    pub fn holding(mut self, thing: impl Into<String>) -> Self {
        self.holds = Some(thing.into());
        self
    }

    /// The same spot with what it shows.
    #[must_use]
    pub fn showing(mut self, face: impl Into<String>) -> Self {
        self.shows = Some(face.into());
        self
    }

    /// A cell, with what stands on it if anything does: "e4, Ann's man", "e5, empty".
    pub fn cell(word: impl Into<String>, corners: Vec<Point>, thing: Option<String>) -> Self {
        let word = word.into();
        let says = format!("{word}, {}", thing.as_deref().unwrap_or("empty"));
        Self {
            holds: thing,
            ..Self::new(word, corners, says)
        }
    }
}

impl BoardGrid {
    /// A spot for every cell, called as the board calls it; `thing` tells what stands there.
    pub fn spots(self, thing: impl Fn(Square) -> Option<String>) -> Vec<Spot> {
        let spot = |square: Square| {
            let area = Spot::area("", self.square(square), "");
            Spot::cell(square.to_string(), area.corners, thing(square))
        };
        self.board.cells().map(spot).collect()
    }
}
