//! What is picked and what can be: columns, cells, and the ways that a Relay can face.

use super::FabricScene;
use super::layout::{Layout, towards};
use super::pieces::piece;
use crate::draw::canvas::Rect;
use crate::draw::marks::POSSIBLE;
use crate::draw::{Align, Canvas, Ink, Mark, Style};
use crate::games::fabric::cell::Cell;
use crate::games::fabric::piece::{Facing, Piece};

pub(super) fn draw(canvas: &mut Canvas, scene: &FabricScene<'_>, layout: Layout) {
    // Before a piece is picked, every cell that is free would be marked.
    if scene.marks.picked().is_empty() {
        return;
    }
    for file in 0..scene.view.size {
        column(canvas, scene, layout, Cell::at(file, 0));
    }
    let unit = layout.0.cell;
    for cell in scene.view.cells() {
        match scene.marks.of_word(&cell.to_string()) {
            Some(Mark::Picked) => {
                placed(canvas, scene, layout, cell);
                canvas.marked_frame(layout.square(cell).inset(5.0), 6.0, Mark::Picked);
            }
            Some(Mark::Next) => {
                canvas.marked_frame(layout.square(cell).inset(unit * 0.06), unit * 0.1, Mark::Next);
            }
            Some(Mark::Later) | None => {}
        }
    }
}

/// The letter of a column under the board, on a plate if it can be picked or is.
fn column(canvas: &mut Canvas, scene: &FabricScene<'_>, layout: Layout, foot: Cell) {
    let name: String = foot.to_string().chars().take(1).collect();
    let Some(mark) = scene.marks.of_word(&name).filter(|&mark| mark != Mark::Later) else {
        return;
    };
    let (x, y) = (layout.middle(foot).0, layout.0.area().bottom() + 22.0);
    let plate = Rect::new(x - 19.0, y - 17.0, 38.0, 34.0);
    let ink = if mark == Mark::Picked {
        canvas.round_rect(plate, 10.0, POSSIBLE);
        canvas.theme().legible_on(POSSIBLE)
    } else {
        canvas.round_rect(plate, 10.0, Ink::Panel);
        canvas.frame(plate, 10.0, 3.5, POSSIBLE);
        Ink::Text
    };
    canvas.text(x, y, &name, Style::bold(26.0).align(Align::Centre), ink);
}

/// The piece on the cell that is picked for it; a Relay shows the ways that it can face.
fn placed(canvas: &mut Canvas, scene: &FabricScene<'_>, layout: Layout, cell: Cell) {
    let (Some(seat), unit, at) = (scene.view.to_move, layout.0.cell, layout.middle(cell)) else {
        return;
    };
    let is_next = |facing: &Facing| scene.marks.of_word(&facing.letter().to_string()) == Some(Mark::Next);
    let facings: Vec<Facing> = Facing::ALL.into_iter().filter(is_next).collect();
    if facings.is_empty() {
        let kinds = [Piece::Anchor, Piece::Prism];
        let is_picked =
            |kind: &Piece| scene.marks.of_word(&kind.kind().letter().to_string()) == Some(Mark::Picked);
        if let Some(kind) = kinds.into_iter().find(is_picked) {
            piece(canvas, at, unit * 0.25, seat, kind, 0);
        }
        return;
    }
    canvas.rect(layout.square(cell).inset(1.0), Ink::Panel);
    let style = Style::bold(unit * 0.25).align(Align::Centre);
    for facing in facings {
        for (width, tip, ink) in [(0.15, 0.82, Ink::Panel), (0.11, 0.78, POSSIBLE)] {
            let ends = [0.5, tip].map(|ahead| towards(at, facing, unit * ahead, 0.0));
            canvas.arrow(ends[0], ends[1], unit * width, ink);
        }
        let (x, y) = towards(at, facing, unit * 0.28, 0.0);
        canvas.text(x, y, &facing.letter().to_string(), style, Ink::Text);
    }
}
