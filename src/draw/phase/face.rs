//! A face with all that is printed on it.

use super::super::canvas::Rect;
use super::super::{Align, Canvas, Ink, Style, font};
use super::pen::{SMALL, shrunk};
use super::signs;
use super::typeset::{self, Bit, Block, Tone};
use crate::game::Seat;
use crate::games::phase::card::{Cost, Face};

/// The strip with the name.
pub(super) const BAND: f32 = 46.0;
pub(super) const PAD: f32 = 12.0;

/// Sign, name, training cost and strength of a face, along the upper edge of its card. A card that has a place shows it
/// first, in the colour of its player.
pub(super) fn band(canvas: &mut Canvas, area: Rect, face: &Face, place: Option<(Seat, char)>) {
    let (paper, ink) = signs::ground(face.alignment);
    canvas.round_rect(Rect::new(area.x, area.y, area.width, BAND), 12.0, paper);
    canvas.rect(Rect::new(area.x, area.y + BAND - 14.0, area.width, 14.0), paper);
    let y = area.y + BAND / 2.0;
    let mut left = area.x + 26.0;
    if let Some((seat, place)) = place {
        signs::number(canvas, (left, y), 18.0, seat, &place.to_string());
        left += 36.0;
    }
    signs::alignment(canvas, (left, y), 13.0, face.alignment, ink);
    left += 20.0;
    let strength = format!("{}/{}", face.attack, face.defense);
    let style = Style::bold(24.0).align(Align::Right);
    canvas.text(area.right() - PAD, y, &strength, style, ink);
    let cost = Cost::Phase(face.cost);
    let x = area.right() - PAD - font::width(&strength, style) - 14.0 - typeset::cost_width(cost, 24.0);
    typeset::cost(canvas, (x, y), cost, 24.0, ink);
    let (name, style) = shrunk(
        &face.name,
        x - left - 12.0,
        Style::bold(26.0),
        &[26.0, 24.0, 22.0, SMALL],
    );
    canvas.text(left, y, &name, style, ink);
}

/// A face by itself: the band, what it does in play, its order from the hand.
#[derive(Clone, Debug)]
pub(super) struct Plate<'f> {
    face: &'f Face,
    skills: Vec<Bit>,
    order: Vec<Bit>,
}

/// The size of its text.
const TEXT: f32 = 25.0;
const NOTE: Style = Style::regular(SMALL);

impl<'f> Plate<'f> {
    pub fn new(face: &'f Face) -> Self {
        let mut skills = Vec::new();
        typeset::skills(&mut skills, face, Tone::Plain);
        if skills.is_empty() {
            typeset::words(&mut skills, "No skills.", Tone::Faint);
        }
        let mut order = Vec::new();
        typeset::ability(&mut order, &face.order, Tone::Plain);
        Self { face, skills, order }
    }

    fn blocks(&self, width: f32) -> [Block<'_>; 2] {
        let room = width - 2.0 * PAD;
        [&self.skills, &self.order].map(|bits| Block::new(bits, room, TEXT))
    }

    pub fn height(&self, width: f32) -> f32 {
        let [skills, order] = self.blocks(width);
        BAND + 2.0 * (NOTE.line_height() + 10.0) + skills.height() + order.height() + PAD
    }

    pub fn draw(&self, canvas: &mut Canvas, area: Rect) {
        canvas.round_rect(area, 12.0, Ink::Panel);
        band(canvas, area, self.face, None);
        let left = area.x + PAD;
        let mut y = area.y + BAND + 6.0;
        for (title, block) in ["In play", "From the hand"]
            .into_iter()
            .zip(self.blocks(area.width))
        {
            canvas.text(left, y + NOTE.line_height() / 2.0, title, NOTE, Ink::Faint);
            y += NOTE.line_height();
            block.draw(canvas, (left, y));
            y += block.height() + 10.0;
        }
        canvas.frame(area, 12.0, 2.0, Ink::Faint);
    }
}
