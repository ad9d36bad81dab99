//! A face in one line: for resources, hands, deck tops and the faces beneath.

use super::super::canvas::Rect;
use super::super::mask::Point;
use super::super::{Canvas, Ink, Mark, Style, font};
use super::typeset::breadth;
use super::{signs, typeset};
use crate::games::phase::card::{Cost, Face};
use crate::games::phase::view::CardView;

pub(super) const HEIGHT: f32 = 32.0;
const NAME: Style = Style::regular(20.0);
const PLACE: Style = Style::bold(20.0);
const PAD: f32 = 7.0;

/// What of a face is told, and in how much room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chip<'f> {
    face: &'f Face,
    place: Option<u8>,
    cost: bool,
    strength: bool,
    locked: bool,
    mark: Option<Mark>,
    /// The most that the name may take.
    room: f32,
}

impl<'f> Chip<'f> {
    pub const fn new(face: &'f Face, room: f32) -> Self {
        Self {
            face,
            place: None,
            cost: false,
            strength: false,
            locked: false,
            mark: None,
            room,
        }
    }

    /// A numbered card, with the cost of training it.
    pub fn resource(card: &'f CardView, room: f32) -> Self {
        Self {
            place: Some(card.place),
            cost: true,
            locked: card.locked,
            ..Self::new(&card.face, room)
        }
    }

    pub const fn numbered(self, place: u8) -> Self {
        Self {
            place: Some(place),
            ..self
        }
    }

    pub const fn marked(self, mark: Option<Mark>) -> Self {
        Self { mark, ..self }
    }

    /// With its training cost, attack and defense.
    pub const fn in_full(self) -> Self {
        Self {
            cost: true,
            strength: true,
            ..self
        }
    }

    fn strength(&self) -> String {
        format!("{}/{}", self.face.attack, self.face.defense)
    }

    fn price(&self) -> Cost {
        Cost::Phase(self.face.cost)
    }

    /// The name as it fits; nothing where there is room for its sign alone.
    fn name(&self) -> String {
        if self.room < 30.0 {
            return String::new();
        }
        font::fit(&self.face.name, self.room, NAME)
    }

    pub fn width(&self) -> f32 {
        let mut width = 2.0 * PAD + 20.0;
        if let Some(place) = self.place {
            width += breadth(&place.to_string(), PLACE) + 6.0;
        }
        let name = self.name();
        if !name.is_empty() {
            width += 5.0 + breadth(&name, NAME);
        }
        if self.cost {
            width += 8.0 + typeset::cost_width(self.price(), 20.0);
        }
        if self.strength {
            width += 8.0 + breadth(&self.strength(), PLACE);
        }
        if self.locked {
            width += 22.0;
        }
        width.ceil()
    }

    /// With its upper left corner at a point.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): Point) {
        let (paper, ink) = signs::ground(self.face.alignment);
        let plate = Rect::new(left, top, self.width(), HEIGHT);
        canvas.round_rect(plate, 9.0, paper);
        match self.mark {
            Some(mark) => canvas.marked_frame(plate, 9.0, mark),
            None => canvas.frame(plate, 9.0, 2.0, Ink::Faint),
        }
        let y = top + HEIGHT / 2.0;
        let mut x = left.round() + PAD;
        if let Some(place) = self.place {
            let text = place.to_string();
            canvas.text(x, y, &text, PLACE, ink);
            x += breadth(&text, PLACE) + 6.0;
        }
        signs::alignment(canvas, (x + 10.0, y), 10.0, self.face.alignment, ink);
        x += 20.0;
        let name = self.name();
        if !name.is_empty() {
            canvas.text(x + 5.0, y, &name, NAME, ink);
            x += 5.0 + breadth(&name, NAME);
        }
        if self.cost {
            typeset::cost(canvas, (x + 8.0, y), self.price(), 20.0, ink);
            x += 8.0 + typeset::cost_width(self.price(), 20.0);
        }
        if self.strength {
            canvas.text(x + 8.0, y, &self.strength(), PLACE, ink);
            x += 8.0 + breadth(&self.strength(), PLACE);
        }
        if self.locked {
            signs::lock(canvas, (x + 13.0, y - 1.0), 19.0, ink);
        }
    }
}
