//! What Breaker Blocks asks, and how it ended.

use super::BreakerScene;
use crate::draw::{Prose, call};
use crate::game::Seat;
use crate::games::breaker::task::Task;
use crate::games::breaker::{End, Tie};
use crate::{prose, tell, text};

pub(super) fn ask(scene: &BreakerScene<'_>) -> Prose {
    match (scene.view.task, scene.view.to_move) {
        (Some(task), Some(player)) => asked(task, player),
        (Some(task), None) => call::ask(scene.awaiting, task.question()),
        (None, _) if scene.view.left >= 2 => {
            call::ask(scene.awaiting, "your move: two actions. Draw, add, move or pass.")
        }
        (None, _) => call::ask(scene.awaiting, "one action left: draw, add, move or pass."),
    }
}

/// What a command asks of a player, who knows by name whose blocks are meant.
fn asked(task: Task, player: Seat) -> Prose {
    let rival = player.next(2);
    match task {
        Task::AttenuateEnemy => tell!(
            "{player}, ATTENUATE: which of {rival}'s blocks goes back to the supply?",
            player,
            rival
        ),
        Task::Agitate { left: 2 } => tell!(
            "{player}, AGITATE: which of {rival}'s blocks do you move first, and where?",
            player,
            rival
        ),
        Task::Agitate { .. } => tell!(
            "{player}, AGITATE: which of {rival}'s blocks do you move now, and where?",
            player,
            rival
        ),
        Task::AggravateEnemy => tell!(
            "{player}, AGGRAVATE: which block stays in {rival}'s hand?",
            player,
            rival
        ),
        Task::Annihilate { .. }
        | Task::Automate
        | Task::Accelerate { .. }
        | Task::AttenuateOwn
        | Task::AggravateOwn => tell!("{player}, {question}", player, question = task.question()),
    }
}

/// How it ended, and by how many circuits.
pub(super) fn result(scene: &BreakerScene<'_>) -> Prose {
    let Some(outcome) = scene.outcome else {
        return Prose::new();
    };
    let view = scene.view;
    let [one, two] = [0, 1].map(|seat| view.controls(Seat::new(seat)));
    let score = if one == two {
        format!("{} each", text::counted(one, "circuit", "circuits"))
    } else {
        let most = text::counted(one.max(two), "circuit", "circuits");
        format!("{most} to {}", one.min(two))
    };
    match view.end {
        Some(End::Left { seat }) => call::won(seat.next(2), tell!("{seat} left the game", seat)),
        Some(End::Overwhelmed { winner }) => call::won(winner, prose!["two circuits at the start of a turn"]),
        Some(End::Authenticated { closer }) if one == two && view.tie == Tie::CloserLoses => call::won(
            closer.next(2),
            tell!(
                "{score}, and {closer} added the second AUTHENTICATE",
                score,
                closer
            ),
        ),
        Some(End::Authenticated { .. }) if one == two && view.tie == Tie::BothLose => {
            prose![format!("Both lose: {score} at the second AUTHENTICATE.")]
        }
        Some(End::Authenticated { .. }) => {
            call::ended(outcome, &format!("{score} at the second AUTHENTICATE"))
        }
        Some(End::Exhausted) => call::ended(outcome, &format!("{score} when the power blocks ran out")),
        Some(End::BothPassed) => call::ended(outcome, &format!("{score} when both passed")),
        Some(End::Repetition) => call::ended(
            outcome,
            &format!("{score} when the same position came up a third time"),
        ),
        Some(End::Idle) => call::ended(
            outcome,
            &format!("{score} after {} turns without a new block", view.most_idle),
        ),
        Some(End::TooLong) => call::ended(outcome, &format!("{score} after {} turns", view.most_turns)),
        None => call::result(outcome),
    }
}
