//! What can be touched: every cell, with the particle on it.

use super::{CORNER, NAME, PhwarScene, Turned};
use crate::draw::Spot;
use crate::draw::shape::hexagon;
use crate::games::phwar::cell::{BOARD, Cell};

pub(super) fn spots(scene: &PhwarScene<'_>) -> Vec<Spot> {
    let view = scene.view;
    let board = Turned::towards(scene.side, view.armies.len());
    let mut particles = Vec::new();
    for army in &view.armies {
        let name = scene.short_name(army.seat, NAME);
        particles.extend(
            army.particles()
                .map(|(kind, cell)| (cell, format!("{name}'s {}", kind.name()))),
        );
    }
    let spot = |cell: Cell| {
        let (x, y) = board.middle(cell);
        let particle = particles.iter().find(|(at, _)| *at == cell);
        let mut spot = Spot::cell(
            cell.to_string(),
            hexagon(x, y, CORNER),
            particle.map(|(_, thing)| thing.clone()),
        );
        if view.capturable.contains(&cell) {
            spot.says.push_str(", can be captured");
        }
        spot
    };
    BOARD.cells().map(|hex| spot(Cell::at(hex))).collect()
}
