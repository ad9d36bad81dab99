//! What GlyphGrid asks, and how it ended.

use super::GridScene;
use crate::draw::{Prose, call};
use crate::games::glyphgrid::End;
use crate::games::glyphgrid::grid::Pattern;
use crate::games::glyphgrid::piece::Side;
use crate::games::glyphgrid::square::GridSquare;
use crate::{prose, tell, text};

pub(super) fn ask(scene: &GridScene<'_>) -> Prose {
    let view = scene.view;
    let Some(side) = view.to_move else {
        return Prose::new();
    };
    let threatened = view.side(side).core.filter(|_| !view.alarm.attackers.is_empty());
    let seat = view.side(side).seat;
    match (threatened, view.alarm.completes.as_slice()) {
        (Some(core), _) => tell!(
            "{seat}, your move as {side}: your Core on {core} can be captured.",
            seat,
            side = side.to_string(),
            core = core.to_string()
        ),
        (None, []) if view.may_swap => tell!(
            "{seat}, your move as {side}, or `swap` to take over {other}.",
            seat,
            side = side.to_string(),
            other = side.other().to_string()
        ),
        (None, []) => tell!("{seat}, your move as {side}.", seat, side = side.to_string()),
        (None, squares) => tell!(
            "{seat}, your move as {side}: {other} can win with a mark on {squares}.",
            seat,
            side = side.to_string(),
            other = side.other().to_string(),
            squares = text::either(squares.iter().map(GridSquare::to_string))
        ),
    }
}

pub(super) fn result(scene: &GridScene<'_>) -> Prose {
    let view = scene.view;
    let Some(outcome) = scene.outcome else {
        return Prose::new();
    };
    let won = |side: Side, why: String| call::won(view.side(side).seat, prose![why]);
    let core = |side: Side| format!("{}'s Core", side.other());
    let marks = || text::list(view.winning_marks().iter().map(GridSquare::to_string));
    match view.end {
        Some(End::Captured(side)) => won(side, format!("{} is captured", core(side))),
        Some(End::Resonance(side, Pattern::Line)) => won(side, format!("four marks in a row, {}", marks())),
        Some(End::Resonance(side, Pattern::Block)) => {
            won(side, format!("four marks in a square, {}", marks()))
        }
        Some(End::Resonance(side, Pattern::Dominion)) => won(side, "six marks".to_owned()),
        Some(End::Surrounded(side)) => won(side, format!("{} is surrounded on all four sides", core(side))),
        Some(End::Immobilised(side)) => won(side, format!("{} can't move", core(side))),
        Some(End::Left(seat)) => call::won(seat.next(2), tell!("{seat} left the game", seat)),
        Some(End::Repetition) => call::drawn(outcome, "the same position came up three times"),
        Some(End::MoveLimit) => call::drawn(outcome, &format!("{} moves without a winner", view.move_limit)),
        None => call::result(outcome),
    }
}
