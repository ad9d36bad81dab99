//! What can be picked, on the board: pieces, and the squares that a picked piece reaches by each glyph.

use super::GridScene;
use super::picture::{CELL, middle};
use super::pieces::square;
use crate::draw::canvas::Rect;
use crate::draw::grid::BoardGrid;
use crate::draw::marks::POSSIBLE;
use crate::draw::mask::Point;
use crate::draw::{Align, Canvas, Ink, Mark, Style, font};
use crate::games::glyphgrid::piece::Glyph;
use crate::games::glyphgrid::square::GridSquare;

/// The way of an action: by which glyph, from where, to where.
type Way = (Glyph, GridSquare, GridSquare);

/// The ways that are marked. A glyph and a piece may be picked in either order.
fn ways(scene: &GridScene<'_>) -> Vec<Way> {
    let way = |path: &[String]| {
        let [one, two, goal] = path else { return None };
        let glyph = Glyph::ALL
            .into_iter()
            .find(|glyph| [one, two].contains(&&glyph.word().to_owned()))?;
        let from = GridSquare::named(one).or_else(|| GridSquare::named(two))?;
        // An Anchor may stay and mark its own square.
        Some((glyph, from, GridSquare::named(goal).unwrap_or(from)))
    };
    scene.marks.paths().filter_map(way).collect()
}

/// Where a picked piece can go, under the pieces.
pub(super) fn goals(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    for (_, from, to) in reached(scene) {
        let (x, y) = middle(board, to);
        if scene.view.piece_at(to).is_some() && from != to {
            canvas.frame(square(x, y, CELL / 2.0 - 4.0), 8.0, 7.0, Ink::Danger);
        } else if from != to {
            canvas.possible_place((x, y), 17.0);
        }
    }
}

/// The ways of the piece that is picked.
fn reached(scene: &GridScene<'_>) -> Vec<Way> {
    let ways = ways(scene);
    let picked = |square: &GridSquare| scene.marks.of_word(&square.to_string()) == Some(Mark::Picked);
    ways.into_iter().filter(|(_, from, _)| picked(from)).collect()
}

/// Rings about pieces that are picked or can be, over everything else; and by which glyphs a square is reached.
pub(super) fn rings(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    if !scene.marks.picking() {
        return;
    }
    let mut known: Vec<GridSquare> = Vec::new();
    for (_, from, _) in ways(scene) {
        if known.contains(&from) {
            continue;
        }
        known.push(from);
        let (x, y) = middle(board, from);
        if let Some(mark) = scene.marks.of_word(&from.to_string()) {
            canvas.marked_frame(square(x, y, CELL / 2.0 - 7.0), 8.0, mark);
        }
    }
    let reached = reached(scene);
    let mut told: Vec<(GridSquare, f32)> = Vec::new();
    for (glyph, _, to) in reached {
        let place = match told.iter_mut().find(|(at, _)| *at == to) {
            Some((_, place)) => {
                *place += 1.0;
                *place
            }
            None => {
                told.push((to, 0.0));
                0.0
            }
        };
        let (x, y) = middle(board, to);
        tag(canvas, (x, y + CELL * 0.36 - place * 29.0), glyph.name());
    }
}

/// The name of a glyph on a plate.
fn tag(canvas: &mut Canvas, (x, y): Point, name: &str) {
    let style = Style::bold(22.0).align(Align::Centre);
    let width = font::width(name, style) + 16.0;
    let plate = Rect::new(x - width / 2.0, y - 13.0, width, 26.0);
    canvas.round_rect(plate.inset(-2.0), 14.0, Ink::Panel);
    canvas.round_rect(plate, 12.0, POSSIBLE);
    let ink = canvas.theme().legible_on(POSSIBLE);
    canvas.text(x, y, name, style, ink);
}
