//! What Phwar asks, and how it ended.

use super::PhwarScene;
use crate::draw::{Prose, call};
use crate::game::Outcome;
use crate::games::phwar::End;
use crate::games::phwar::cell::Cell;
use crate::games::phwar::particle::Kind;
use crate::games::phwar::view::ArmyView;
use crate::{prose, tell, text};

pub(super) fn ask(scene: &PhwarScene<'_>) -> Prose {
    let victims = scene.view.capturable.iter().map(Cell::to_string);
    match scene.view.capturable.as_slice() {
        [] => call::your_move(scene.awaiting),
        [_, ..] => call::ask(
            scene.awaiting,
            &format!("your move: you must capture on {}.", text::either(victims)),
        ),
    }
}

/// What else presses.
pub(super) fn notes(scene: &PhwarScene<'_>) -> String {
    let view = scene.view;
    let mut notes = Vec::new();
    let left = view.quiet_limit.saturating_sub(view.quiet);
    if view.to_move.is_some() && left <= 20 {
        let turns = text::counted(left, "turn", "turns");
        notes.push(format!("A draw in {turns} unless something is captured."));
    }
    if view.to_move.is_some() && view.occurrences == 2 {
        notes.push("This position has come up twice; the third time is a draw.".to_owned());
    }
    notes.join(" ")
}

pub(super) fn result(scene: &PhwarScene<'_>) -> Prose {
    let Some(outcome) = scene.outcome else {
        return Prose::new();
    };
    let view = scene.view;
    match view.end {
        Some(End::LastOne) => last_one(scene, outcome),
        Some(End::Centre(winner)) => call::won(winner, prose!["a neutron reached the centre"]),
        Some(End::Repetition) => call::drawn(outcome, "the same position came up three times"),
        Some(End::Quiet) => call::drawn(outcome, &format!("{} turns without a capture", view.quiet_limit)),
        Some(End::AllPassed) => call::drawn(outcome, "nobody can move"),
        None => call::result(outcome),
    }
}

/// The last rival went out: by what they lack, or because they left.
fn last_one(scene: &PhwarScene<'_>, outcome: &Outcome) -> Prose {
    let second = |army: &&ArmyView| outcome.ranks.get(army.seat.index()) == Some(&2);
    let rival = scene.view.armies.iter().find(second);
    match (outcome.winners().iter().next(), rival) {
        (Some(winner), Some(rival)) => call::won(winner, why_out(rival)),
        _ => call::result(outcome),
    }
}

/// "Bea has no electrons left", "Bea left the game".
fn why_out(army: &ArmyView) -> Prose {
    let all_lost = |kind: &Kind| u32::from(army.lost[*kind as usize]) >= kind.slots().count_ones();
    let lacks: Vec<&str> = Kind::ALL
        .into_iter()
        .filter(all_lost)
        .map(|kind| match kind {
            Kind::Electron => "no electrons",
            Kind::Positron => "no positrons",
            Kind::Neutron => "no neutron",
        })
        .collect();
    if lacks.is_empty() {
        return tell!("{player} left the game", player = army.seat);
    }
    tell!(
        "{player} has {nothing} left",
        player = army.seat,
        nothing = text::list(lacks)
    )
}
