//! Plates: the players' names beside a board, lit for whoever is to move or has won.

use super::canvas::Rect;
use super::{Align, Canvas, Ink, Scene, Style, font};
use crate::game::{Game, Outcome, Seat};

/// How round the corners of plates and panels are.
const ROUND: f32 = 12.0;

/// The places of so many plates side by side.
pub fn row(area: Rect, count: usize, gap: f32) -> impl Iterator<Item = Rect> {
    let count = count.max(1) as f32;
    let width = (area.width - gap * (count - 1.0)) / count;
    let place = move |number: u8| area.x + f32::from(number) * (width + gap);
    (0..count as u8).map(move |number| Rect::new(place(number), area.y, width, area.height))
}

impl Canvas {
    /// A box on the paper.
    pub fn panel(&mut self, area: Rect) {
        self.round_rect(area, ROUND, Ink::Panel);
        self.frame(area, ROUND, 1.5, Ink::Line);
    }

    /// A box in a player's colour; `frame` is the width of its frame.
    pub fn tinted_panel(&mut self, area: Rect, colour: usize, frame: f32) {
        self.round_rect(area, ROUND, Ink::tint(colour));
        self.frame(area, ROUND, frame, Ink::seat(colour));
    }

    /// A line in the middle of the sheet, so far above its lower edge, cut where it does not fit.
    pub fn footer(&mut self, above: f32, text: &str, style: Style, ink: Ink) {
        let (width, height) = (self.width() as f32, self.height() as f32);
        let style = style.align(Align::Centre);
        let line = font::fit(text, width - 40.0, style);
        self.text(width / 2.0, height - above, &line, style, ink);
    }
}

impl<G: Game> Scene<'_, G> {
    /// What a plate says of a player: to move, wins, or draw; nothing of the others.
    pub fn tag(&self, seat: Seat) -> &'static str {
        let first = self
            .outcome
            .is_some_and(|outcome| outcome.winners().contains(seat));
        match (first, self.outcome.is_some_and(Outcome::is_draw)) {
            _ if self.awaiting.includes(seat) => "to move",
            (true, true) => "draw",
            (true, false) => "wins",
            (false, _) => "",
        }
    }

    /// The ground of a player's plate in one of the seats' colours, lit if there is something to say.
    pub fn plate(&self, canvas: &mut Canvas, area: Rect, seat: Seat, colour: usize) {
        if self.tag(seat).is_empty() {
            canvas.panel(area);
        } else {
            canvas.tinted_panel(area, colour, 4.0);
        }
    }

    /// A player's name on the plate, so far from its left edge, and the tag at its right end.
    pub fn title(&self, canvas: &mut Canvas, area: Rect, left: f32, seat: Seat, size: f32, tag: &str) {
        let (name, small) = (Style::bold(size), Style::bold(size - 6.0).align(Align::Right));
        let (right, y) = (area.right() - 18.0, area.y + size - 2.0);
        let room = right - font::width(tag, small) - 14.0 - area.x - left;
        canvas.text(
            area.x + left,
            y,
            &font::fit(self.name(seat), room, name),
            name,
            Ink::Text,
        );
        canvas.text(right, y, tag, small, Ink::Text);
    }
}
