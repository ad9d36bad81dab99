//! A face in one line: for resources, hands, deck tops and the faces beneath.

use super::super::canvas::Rect;
use super::super::mask::Point;
use super::super::shape::Cap;
use super::super::{Canvas, Ink, Mark, Style, font};
use super::typeset::breadth;
use super::{signs, typeset};
use crate::games::phase::card::{Cost, Face};
use crate::games::phase::view::CardView;

pub(super) const HEIGHT: f32 = 32.0;
pub(super) const NAME: Style = Style::regular(20.0);
/// In this room every card's name is whole.
pub(super) const WHOLE_NAME: f32 = 190.0;
const PLACE: Style = Style::bold(20.0);
const BACK: Style = Style::regular(17.0);
const PAD: f32 = 7.0;
/// In less room than this no name can be read.
const LEAST_ROOM: f32 = 30.0;

/// By what a card is called: cards of hands have letters, all others numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Label {
    Number(u8),
    Letter(char),
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Letter(letter) => letter.fmt(f),
        }
    }
}

/// What of a face is told, and in how much room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chip<'f> {
    face: &'f Face,
    label: Option<Label>,
    /// The other face, if it is told.
    back: Option<&'f Face>,
    /// The most that its name may take.
    back_room: f32,
    cost: bool,
    strength: bool,
    locked: bool,
    /// It came or was touched just now.
    touched: bool,
    mark: Option<Mark>,
    /// The most that the name may take.
    room: f32,
}

impl<'f> Chip<'f> {
    pub const fn new(face: &'f Face, room: f32) -> Self {
        Self {
            face,
            label: None,
            back: None,
            back_room: 0.0,
            cost: false,
            strength: false,
            locked: false,
            touched: false,
            mark: None,
            room,
        }
    }

    /// A numbered card, with the cost of training it.
    pub fn resource(card: &'f CardView, room: f32) -> Self {
        Self {
            label: Some(Label::Number(card.place)),
            cost: true,
            locked: card.locked,
            ..Self::new(&card.face, room)
        }
    }

    pub const fn labelled(self, label: Label) -> Self {
        Self {
            label: Some(label),
            ..self
        }
    }

    /// With the face behind it, where everybody knows that.
    pub fn backed(self, card: &'f CardView, room: f32) -> Self {
        self.over(card.open_back(), room)
    }

    /// With a face behind it.
    pub fn over(self, back: Option<&'f Face>, room: f32) -> Self {
        Self {
            back: back.filter(|_| room >= LEAST_ROOM),
            back_room: room,
            ..self
        }
    }

    pub const fn touched(self, touched: bool) -> Self {
        Self { touched, ..self }
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
        if self.room < LEAST_ROOM {
            return String::new();
        }
        font::fit(&self.face.name, self.room, NAME)
    }

    /// The other face: a stroke, its sign, and its name as far as there is room.
    fn back_name(&self, back: &Face) -> String {
        font::fit(&back.name, self.back_room, BACK)
    }

    fn back_width(&self) -> f32 {
        match self.back {
            Some(back) => 30.0 + breadth(&self.back_name(back), BACK),
            None => 0.0,
        }
    }

    pub fn width(&self) -> f32 {
        let mut width = 2.0 * PAD + 20.0 + self.back_width();
        if let Some(label) = self.label {
            width += breadth(&label.to_string(), PLACE) + 6.0;
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
            None if self.touched => canvas.frame(plate.inset(-1.0), 10.0, 4.0, Ink::LastMove),
            None => canvas.frame(plate, 9.0, 2.0, Ink::Faint),
        }
        let y = top + HEIGHT / 2.0;
        let mut x = left.round() + PAD;
        if let Some(label) = self.label {
            let text = label.to_string();
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
            x += 22.0;
        }
        if let Some(back) = self.back {
            let stroke = [(x + 12.0, y - 9.0), (x + 6.0, y + 9.0)];
            canvas.polyline(&stroke, 2.0, Cap::Round, ink);
            signs::alignment(canvas, (x + 21.0, y), 7.0, back.alignment, ink);
            canvas.text(x + 30.0, y, &self.back_name(back), BACK, ink);
        }
    }
}
