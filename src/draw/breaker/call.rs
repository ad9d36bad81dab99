//! What Breaker Blocks asks, and how it ended.

use super::BreakerScene;
use crate::draw::{Prose, call};
use crate::game::Seat;
use crate::games::breaker::{End, Tie};
use crate::{prose, tell, text};

pub(super) fn ask(scene: &BreakerScene<'_>) -> Prose {
    let question = match scene.view.task {
        Some(task) => task.question(),
        None if scene.view.left >= 2 => "your move: two actions. Draw, add, move or pass.",
        None => "one action left: draw, add, move or pass.",
    };
    call::ask(scene.awaiting, question)
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
