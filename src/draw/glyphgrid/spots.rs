//! What can be touched: every square, with the piece and the mark on it.

use super::GridScene;
use super::picture::grid;
use super::words::NAME;
use crate::draw::Spot;
use crate::games::glyphgrid::square::GridSquare;

pub(super) fn spots(scene: &GridScene<'_>) -> Vec<Spot> {
    let view = scene.view;
    let name = |side| scene.short_name(view.side(side).seat, NAME);
    let thing = |at| {
        let (side, kind) = view.piece_at(GridSquare::at(at))?;
        Some(format!("{}'s {kind}", name(side)))
    };
    let mut spots = grid(scene).spots(thing);
    for spot in &mut spots {
        let mark = GridSquare::named(&spot.word).and_then(|square| view.mark_at(square));
        if let Some(side) = mark {
            spot.says.push_str(&format!(", {}'s mark", name(side)));
        }
    }
    spots
}
