//! Positions that show the rules of Phwar.

use crate::draw::Illustration;
use crate::games::phwar::Phwar;
use crate::games::phwar::cell::Cell;
use crate::games::phwar::particle::Kind;
use crate::games::phwar::setup::{Army, Setup};

/// Particles that no example needs, far from the lines that it is about.
const ANNS_REST: &str = "-D2 +E1 +G1";
const BEAS_REST: &str = "oE10 -D10 -H10";

pub(super) fn illustration(name: &str) -> Option<Illustration<Phwar>> {
    let (start, moves): (Phwar, &[&str]) = match name {
        "slide" => (Setup::opening(2, false).try_into().ok()?, &["F3-F7"]),
        // Bea's positron on F6 is seen by a neutron, an electron and a positron; the electron on F2 stands behind.
        "sight" => (board("oF3 -F2 -H7", "+F6 +C4", false)?, &[]),
        "capture" => (board("oF3 -F2 -H7", "+F6 +C4", false)?, &["H7xF6"]),
        "out" => (
            alone("oF3 -H7 -D2 +E1 +G1", "-F6 +C4 oE10 +G9", false)?,
            &["F3xF6"],
        ),
        "centre" => (board("oF2 -H7", "+C4 +B5", true)?, &["F2-F6"]),
        _ => return None,
    };
    Some(Illustration::Position { start, moves })
}

fn board(ann: &str, bea: &str, centre: bool) -> Option<Phwar> {
    alone(
        &format!("{ann} {ANNS_REST}"),
        &format!("{bea} {BEAS_REST}"),
        centre,
    )
}

/// A board with nothing but these: `-` for an electron, `+` for a positron, `o` for a neutron, each with its cell.
fn alone(ann: &str, bea: &str, centre: bool) -> Option<Phwar> {
    let setup = Setup {
        armies: vec![army(ann)?, army(bea)?],
        ..Setup::opening(2, centre)
    };
    setup.try_into().ok()
}

fn army(words: &str) -> Option<Army> {
    let particle = |word: &str| {
        let kinds = [('-', Kind::Electron), ('+', Kind::Positron), ('o', Kind::Neutron)];
        let (_, kind) = kinds.into_iter().find(|(sign, _)| word.starts_with(*sign))?;
        Some((kind, Cell::named(word.trim_start_matches(['-', '+', 'o']))?))
    };
    let particles: Option<Vec<(Kind, Cell)>> = words.split_whitespace().map(particle).collect();
    let particles = particles?;
    let missing = Kind::ALL.map(|kind| {
        let there = particles.iter().filter(|(own, _)| *own == kind).count();
        (kind.slots().count_ones() as usize).saturating_sub(there) as u8
    });
    let mut army = Army::of(particles).ok()?;
    army.lost = missing;
    Some(army)
}
