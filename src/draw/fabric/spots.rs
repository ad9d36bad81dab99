//! What can be touched: every cell, with its piece and its energy.

use super::FabricScene;
use super::layout::Layout;
use crate::draw::Spot;
use crate::games::fabric::view::PieceView;

/// The longest name of a player within a spot.
const NAME: usize = 40;

pub(super) fn spots(scene: &FabricScene<'_>) -> Vec<Spot> {
    let layout = Layout::of(scene.view.size);
    let cells = scene.view.cells().map(|cell| {
        let piece = scene.view.piece_at(cell).map(|piece| in_words(scene, piece));
        let area = Spot::area("", layout.square(cell), "");
        let mut spot = Spot::cell(cell.to_string(), area.corners, piece);
        spot.says
            .push_str(&format!(", energy {}", scene.view.energy_at(cell)));
        spot
    });
    cells.collect()
}

/// "Ann's Relay facing north".
fn in_words(scene: &FabricScene<'_>, piece: &PieceView) -> String {
    let name = scene.short_name(piece.seat, NAME);
    let facing = piece.piece.facing().map(|facing| format!(" facing {facing}"));
    format!("{name}'s {}{}", piece.piece.kind(), facing.unwrap_or_default())
}
