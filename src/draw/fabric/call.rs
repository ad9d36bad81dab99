//! What Phase-Fabric asks, and how it ended.

use super::FabricScene;
use crate::draw::{Prose, call};
use crate::games::fabric::End;
use crate::{tell, text};

pub(super) fn ask(scene: &FabricScene<'_>) -> Prose {
    call::ask(scene.awaiting, "your move: place an Anchor, a Relay or a Prism.")
}

/// What is played for, and whether the game soon ends by itself.
pub(super) fn notes(scene: &FabricScene<'_>) -> String {
    let view = scene.view;
    if view.to_move.is_none() {
        return String::new();
    }
    let left = view.placed_limit.saturating_sub(view.placed);
    if left <= 50 {
        let pieces = text::counted(left, "piece", "pieces");
        return format!("After {pieces} more, the higher score wins.");
    }
    format!("The first to {} points wins.", view.target)
}

pub(super) fn result(scene: &FabricScene<'_>) -> Prose {
    let Some(outcome) = scene.outcome else {
        return Prose::new();
    };
    let [one, two] = scene.view.scores;
    let score = if outcome.is_draw() {
        format!("{} each", text::counted(one, "point", "points"))
    } else {
        format!("{} to {}", one.max(two), one.min(two))
    };
    match scene.view.end {
        Some(End::Left(seat)) => call::won(seat.next(2), tell!("{seat} left the game", seat)),
        Some(End::Target) => call::ended(outcome, &score),
        Some(End::Full) => call::ended(outcome, &format!("{score} on a full board")),
        Some(End::Bound) => call::ended(outcome, &format!("{score} after the last piece")),
        None => call::result(outcome),
    }
}
