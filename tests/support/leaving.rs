//! Players who leave: what must hold afterwards.

use parlor::game::SeatSet;

use super::case::Case;
use super::law::{Kept, Law, Spot, position};
use super::orderly::{awaited, saves};
use super::story::{Deed, Story};

/// Checks a game in which players leave.
pub fn leaving(case: &Case<'_>, story: &Story) -> Kept {
    let gone = |step: u64| -> SeatSet {
        let left = story.deeds[..step as usize].iter();
        left.filter_map(|deed| match deed {
            Deed::Leave(seat) => Some(*seat),
            Deed::Play(..) => None,
        })
        .collect()
    };
    let mut last = String::new();
    story.visit(case, 2 * story.deeds.len(), |spot| {
        awaited(spot)?;
        let gone = gone(spot.step);
        if spot.step > 0 && matches!(story.deeds[spot.step as usize - 1], Deed::Leave(_)) {
            saves(spot)?;
            after_leaving(spot)?;
        }
        for seat in gone.iter() {
            let awaiting = spot.table.awaiting();
            spot.ensure(Law::Leaving, !awaiting.includes(seat), || {
                format!("{seat:?} has left and {awaiting:?} waits for them")
            })?;
        }
        last = spot.save(spot.table)?;
        Ok(())
    })?;
    story.replays_to(case, &last)?;
    nobody_leaves_twice(case, story)
}

/// In a game for two the other one wins; the leaver never does while others stay.
fn after_leaving(spot: &Spot<'_>) -> Kept {
    if spot.case.seats != 2 {
        return Ok(());
    }
    let outcome = spot.table.outcome();
    spot.ensure(Law::Leaving, outcome.is_some(), || {
        "one of two has left and the game goes on".to_owned()
    })
}

/// Leaving again, or leaving a game that is over, changes no position; the winner of a game for two is
/// the one who stayed.
fn nobody_leaves_twice(case: &Case<'_>, story: &Story) -> Kept {
    let mut table = case.open();
    for (index, deed) in story.deeds.iter().enumerate() {
        let step = index as u64;
        let before = table.copy();
        let spot = Spot {
            case,
            table: before.as_ref(),
            step,
        };
        super::story::perform(&spot, table.as_mut(), deed)?;
        let Deed::Leave(seat) = deed else { continue };
        let was_over = before.awaiting().is_over();
        if case.seats == 2 && !was_over {
            let outcome = table.outcome();
            let stayed = SeatSet::one(seat.next(2));
            let won = outcome
                .as_ref()
                .is_some_and(|outcome| outcome.winners() == stayed);
            spot.ensure(Law::Leaving, won, || {
                format!("{seat:?} left a game for two and it ended with {outcome:?}")
            })?;
        }
        let once = position(&spot.save(table.as_ref())?);
        let mut again = table.copy();
        again.withdraw(*seat, &spot.seed(), step + 2);
        let twice = position(&spot.save(again.as_ref())?);
        spot.ensure(Law::Leaving, once == twice, || {
            format!("{seat:?} left twice, and that made a difference")
        })?;
    }
    let spot = Spot {
        case,
        table: table.as_ref(),
        step: story.deeds.len() as u64,
    };
    let end = position(&story.end);
    for seat in parlor::game::Seat::all(case.seats) {
        let mut after = table.copy();
        after.withdraw(seat, &spot.seed(), spot.next_step());
        let after = position(&spot.save(after.as_ref())?);
        spot.ensure(Law::Leaving, after == end, || {
            format!("{seat:?} left after the end, and that made a difference")
        })?;
    }
    Ok(())
}
