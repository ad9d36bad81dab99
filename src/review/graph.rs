//! A review as a graph of who stood better when, in words and in numbers for those who can't see it.

use std::fmt::Write;

use super::{Review, ReviewedDecision, WorthAt};
use crate::draw::ALT_LIMIT;
use crate::draw::graph::{Graph, GraphPoint, Line};
use crate::game::Seat;
use crate::text;

/// Something from 0 to 1 in hundredths.
pub fn hundredths(worth: f32) -> String {
    format!("{:.0}", 100.0 * worth)
}

/// The turn of every decision of a player and how they stood then; at the end, what came of the last one.
fn places(review: &Review, seat: Seat) -> Vec<GraphPoint> {
    let turn_of = |step: u32| {
        let decision = |decision: &&ReviewedDecision| decision.step == step;
        let found = review.decisions.iter().find(decision);
        // A decision is made before its turn ends.
        found.map_or(0.0, |found| found.turn.saturating_sub(1) as f32)
    };
    let place = |standing: WorthAt| GraphPoint {
        turn: turn_of(standing.step),
        worth: standing.worth,
    };
    let mut places: Vec<GraphPoint> = review.standings(seat).into_iter().map(place).collect();
    if let (Some(last), Some(end)) = (review.decisions.last(), places.last().copied())
        && (last.seat == seat || review.is_shared())
    {
        let worth = last.played_worth;
        let worth = if last.seat == seat { worth } else { 1.0 - worth };
        let end = GraphPoint {
            turn: end.turn + 1.0,
            worth,
        };
        places.push(end);
    }
    places
}

/// The graph as it is drawn.
pub fn of(review: &Review, names: &[String]) -> Graph {
    let line = |seat: Seat| Line {
        name: names.get(seat.index()).cloned().unwrap_or_default(),
        seat: seat.index(),
        places: places(review, seat),
    };
    let swings = review.swings.iter().flatten();
    Graph {
        lines: Seat::all(review.seats).map(line).collect(),
        shared: review.is_shared(),
        turns: review.decisions.last().map_or(1, |last| last.turn),
        marks: swings
            .map(|swing| {
                let place = GraphPoint {
                    turn: swing.decision.turn.saturating_sub(1) as f32,
                    worth: swing.decision.best_worth,
                };
                (swing.decision.seat.index(), place)
            })
            .collect(),
    }
}

/// The graph for those who can't see it: how each player stood, at some twenty places.
pub fn in_words(review: &Review, names: &[String]) -> String {
    /// So many numbers tell a line.
    const TOLD: usize = 20;
    let mut words = "A graph of who stood better, in hundredths: 100 is won, 0 is lost.".to_owned();
    for seat in Seat::all(review.seats) {
        let places = places(review, seat);
        let stride = places.len().div_ceil(TOLD).max(1);
        let told: Vec<String> = (places.iter().step_by(stride))
            .map(|place| format!("{:.0}: {}", place.turn, hundredths(place.worth)))
            .collect();
        let name = names.get(seat.index()).cloned().unwrap_or_default();
        // Writing into a string can't fail.
        let _ = write!(words, " {name}, turn by turn: {}.", told.join(", "));
        if review.is_shared() {
            break;
        }
    }
    text::cut(&words, ALT_LIMIT)
}

/// A line for every decision.
pub fn in_numbers(review: &Review, names: &[String]) -> String {
    let mut lines = String::new();
    for decision in &review.decisions {
        let name = names.get(decision.seat.index()).cloned().unwrap_or_default();
        let (played, worth) = (&decision.played, hundredths(decision.played_worth));
        // Writing into a string can't fail.
        let _ = write!(lines, "{}. {name}: {played} {worth}", decision.turn);
        if !decision.is_as_good() {
            let (best, worth) = (&decision.best, hundredths(decision.best_worth));
            let _ = write!(lines, ", better {best} {worth}");
        }
        lines.push('\n');
    }
    lines
}
