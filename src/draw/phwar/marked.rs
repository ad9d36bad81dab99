//! What can be done, on the board and in words: who must capture what, and where a picked particle can go.

use super::{CORNER, PhwarScene, Turned};
use crate::board::hex::DIRECTIONS;
use crate::draw::marks::POSSIBLE;
use crate::draw::shape::hexagon;
use crate::draw::{Canvas, Ink, Mark};
use crate::games::phwar::cell::{BOARD, Cell};
use crate::games::phwar::particle::Kind;
use crate::games::phwar::view::{ArmyView, View};
use crate::text;

/// From where to where one can go, as far as it is marked.
fn ways(scene: &PhwarScene<'_>) -> Vec<(Cell, Cell)> {
    let cells = |path: &[String]| match path {
        [from, to] => Cell::named(from).zip(Cell::named(to)),
        _ => None,
    };
    scene.marks.paths().filter_map(cells).collect()
}

/// Every particle in the line of sight of a cell.
fn sight(view: &View, cell: Cell) -> Vec<(Cell, Kind)> {
    let particle = |at: Cell| {
        let all = view.armies.iter().flat_map(ArmyView::particles);
        all.filter(|&(_, other)| other == at)
            .map(|(kind, _)| (at, kind))
            .next()
    };
    let nearest = |direction| {
        let line = std::iter::successors(Some(cell.hex().step(direction)), |hex| Some(hex.step(direction)));
        line.take_while(|&hex| BOARD.contains(hex))
            .find_map(|hex| particle(Cell::at(hex)))
    };
    DIRECTIONS.into_iter().filter_map(nearest).collect()
}

/// What lies under the names of cells: lines of sight, and places to go to.
pub(super) fn under(canvas: &mut Canvas, scene: &PhwarScene<'_>, board: Turned) {
    let ways = ways(scene);
    for &victim in &scene.view.capturable {
        let goal = board.middle(victim);
        for (seen, _) in sight(scene.view, victim) {
            let start = board.middle(seen);
            let apart = (goal.0 - start.0).hypot(goal.1 - start.1);
            if ways.contains(&(seen, victim)) {
                // Neighbours have room for a head alone.
                let ends = if apart < 100.0 { (33.0, 31.0) } else { (42.0, 46.0) };
                canvas.dashed_arrow((start, goal), ends, Ink::Danger);
            } else {
                // It counts for the charge, though it can't capture.
                canvas.dotted_line((start, goal), (44.0, 52.0), Ink::Text);
            }
        }
    }
    if scene.marks.picked().is_empty() {
        return;
    }
    for &(_, to) in ways.iter().filter(|(_, to)| !scene.view.capturable.contains(to)) {
        let (x, y) = board.middle(to);
        canvas.circle(x, y, 34.0, POSSIBLE);
        canvas.circle(x, y, 29.5, Ink::Panel);
    }
}

/// Rings about whoever must capture; about what is picked and what can be, where somebody picks.
pub(super) fn over(canvas: &mut Canvas, scene: &PhwarScene<'_>, board: Turned) {
    let forced = !scene.view.capturable.is_empty();
    for (_, cell) in scene.view.armies.iter().flat_map(ArmyView::particles) {
        let (x, y) = board.middle(cell);
        match scene.marks.of_word(&cell.to_string()) {
            Some(Mark::Picked) => canvas.marked_outline(&hexagon(x, y, CORNER + 1.0), Mark::Picked),
            Some(Mark::Next) if scene.view.capturable.contains(&cell) => {}
            Some(Mark::Next) if scene.marks.picking() => {
                canvas.marked_outline(&hexagon(x, y, CORNER - 4.0), Mark::Next);
            }
            Some(Mark::Next) if forced => canvas.outline(&hexagon(x, y, CORNER - 3.0), 3.0, Ink::Danger),
            Some(Mark::Next | Mark::Later) | None => {}
        }
    }
}

/// Whether the name of an empty cell stands on a mark.
pub(super) fn is_goal(scene: &PhwarScene<'_>, cell: Cell) -> bool {
    !scene.marks.picked().is_empty() && scene.marks.of_word(&cell.to_string()) == Some(Mark::Next)
}

/// The same in words: "F7 or C5 can capture on E5. F7 -, C5 + and H3 o see it: the charges cancel out."
pub(super) fn words(scene: &PhwarScene<'_>) -> String {
    let ways = ways(scene);
    if let [from] = scene.marks.picked() {
        let goals = text::either(ways.iter().map(|(_, to)| to.to_string()));
        return if scene.view.capturable.is_empty() {
            format!("Picked {from}, which can go to {goals}. ")
        } else {
            format!("Picked {from}, which can capture on {goals}. ")
        };
    }
    let mut said = String::new();
    for &victim in &scene.view.capturable {
        let attackers = ways.iter().filter(|&&(_, to)| to == victim);
        let attackers = text::either(attackers.map(|(from, _)| from.to_string()));
        let seen = sight(scene.view, victim);
        let seen = text::list(seen.iter().map(|(cell, kind)| format!("{cell} {}", sign(*kind))));
        if !attackers.is_empty() {
            said.push_str(&format!(
                "{attackers} can capture on {victim}. {seen} see it: the charges cancel out. "
            ));
        }
    }
    said
}

/// The sign of a charge on the text board.
pub(super) const fn sign(kind: Kind) -> char {
    match kind {
        Kind::Electron => '-',
        Kind::Positron => '+',
        Kind::Neutron => 'o',
    }
}
