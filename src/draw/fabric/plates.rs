//! The players across the top: name, whose turn, score, and how far it is to the target.

use super::FabricScene;
use super::layout::{PLATES, WIDTH};
use super::pieces::piece;
use crate::draw::canvas::Rect;
use crate::draw::plate::row;
use crate::draw::{Align, Canvas, Ink, Style, font};
use crate::game::Seat;
use crate::games::fabric::piece::Piece;
use crate::games::fabric::view::Event;

const GAP: f32 = 14.0;

pub fn draw(canvas: &mut Canvas, scene: &FabricScene<'_>) {
    let area = Rect::new(GAP, GAP, WIDTH as f32 - 2.0 * GAP, PLATES - GAP);
    let own = Seat::new(scene.side.index() as u8 % 2);
    for (seat, area) in [own, own.next(2)].into_iter().zip(row(area, 2, GAP)) {
        plate(canvas, scene, seat, area);
    }
}

fn plate(canvas: &mut Canvas, scene: &FabricScene<'_>, seat: Seat, plate: Rect) {
    let view = scene.view;
    scene.plate(canvas, plate, seat, seat.index());
    piece(
        canvas,
        (plate.x + 40.0, plate.y + 38.0),
        21.0,
        seat,
        Piece::Anchor,
        0,
    );

    let score = view.scores[seat.index() & 1];
    let numerals = Style::bold(46.0).align(Align::Right);
    let right = plate.right() - 18.0;
    canvas.text(right, plate.y + 38.0, &score.to_string(), numerals, Ink::Text);
    let mut room = right - font::width(&score.to_string(), numerals) - 14.0;
    let gained = gain(scene.recent, seat);
    if gained > 0 {
        let style = Style::bold(28.0).align(Align::Right);
        let text = format!("+{gained}");
        canvas.text(room, plate.y + 38.0, &text, style, Ink::Good);
        room -= font::width(&text, style) + 14.0;
    }
    let left = plate.x + 74.0;
    let style = Style::bold(28.0);
    let name = font::fit(scene.name(seat), room - left, style);
    canvas.text(left, plate.y + 26.0, &name, style, Ink::Text);
    canvas.text(
        left,
        plate.y + 56.0,
        scene.tag(seat),
        Style::regular(23.0),
        Ink::Text,
    );
    bar(canvas, plate, score, view.target, seat);
}

/// How far it is to the target.
fn bar(canvas: &mut Canvas, plate: Rect, score: u16, target: u16, seat: Seat) {
    let style = Style::regular(21.0).align(Align::Right);
    let goal = format!("of {target}");
    let y = plate.bottom() - 26.0;
    canvas.text(plate.right() - 18.0, y, &goal, style, Ink::Faint);
    let width = plate.width - 36.0 - font::width(&goal, style) - 14.0;
    let trough = Rect::new(plate.x + 18.0, y - 9.0, width, 18.0);
    canvas.round_rect(trough, 9.0, Ink::Line.fade(0.6));
    let share = f32::from(score.min(target)) / f32::from(target.max(1));
    if score > 0 {
        let filled = Rect::new(trough.x, trough.y, (width * share).max(18.0), 18.0);
        canvas.round_rect(filled, 9.0, Ink::seat(seat.index()));
    }
}

/// What a player gained in the last turn.
fn gain(events: &[Event], seat: Seat) -> u16 {
    let gains = events.iter().filter_map(|event| match event {
        Event::Scored { gained, .. } => Some(gained[seat.index() & 1]),
        _ => None,
    });
    gains.sum()
}
