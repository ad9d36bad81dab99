//! The call: what is asked of whom, in one sentence; and in one more how a game ended.
//!
//! A game says both in its own words ([`Show::ask`], [`Show::result`]). The
//! same sentence stands in the message of the turn, in its ping, in the picture, in the alt text, on the text board and
//! in the list of matches.

use super::{Prose, Scene, Show};
use crate::game::{Awaiting, Outcome, Seat, SeatSet};
use crate::text::separator;
use crate::{prose, tell};

impl<G: Show> Scene<'_, G> {
    /// The call in words, with no name longer than so many letters: what is asked, or how it ended. Picture, text board and
    /// alt text say it alike.
    pub fn call(&self, longest: usize) -> String {
        let mut said = G::ask(self);
        said.sentence(G::result(self));
        self.spoken(&said, longest)
    }
}

/// "Ann, Bea and Cy", as seats.
pub fn named(seats: SeatSet) -> Prose {
    let mut prose = Prose::new();
    for (index, seat) in seats.iter().enumerate() {
        if index > 0 {
            prose.push(separator(index, seats.len()));
        }
        prose.push(seat);
    }
    prose
}

/// "Ann, who defends?": a question to everybody who is awaited; nothing if nobody is.
pub fn ask(awaiting: Awaiting, question: &str) -> Prose {
    let seats = awaiting.seats();
    if seats.is_empty() {
        return Prose::new();
    }
    tell!("{players}, {question}", players = named(seats), question)
}

/// What is asked where a game says no more.
pub fn your_move(awaiting: Awaiting) -> Prose {
    ask(awaiting, "your move.")
}

/// "Ann wins: Bea has no electrons left." The reason is a sentence without its full stop.
pub fn won(winner: Seat, why: Prose) -> Prose {
    tell!("{winner} wins: {why}.", winner, why)
}

/// "A draw: nobody can move."; where others have lost already, "Ann and Bea draw: nobody can move."
pub fn drawn(outcome: &Outcome, why: &str) -> Prose {
    let winners = outcome.winners();
    if winners.len() == outcome.ranks.len() {
        return tell!("A draw: {why}.", why);
    }
    tell!("{players} draw: {why}.", players = named(winners), why)
}

/// "Ann wins: first to the target.", or the same of a draw, by one reason for both.
pub fn ended(outcome: &Outcome, why: &str) -> Prose {
    match outcome.winners().iter().next() {
        Some(winner) if !outcome.is_draw() => won(winner, prose![why]),
        _ => drawn(outcome, why),
    }
}

/// How it ended where a game says no more than its outcome does.
pub fn result(outcome: &Outcome) -> Prose {
    ended(outcome, &outcome.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(prose: &Prose) -> String {
        prose.plain(|seat| ["Ann", "Bea", "Cy"][seat.index()].to_owned())
    }

    #[test]
    fn everybody_who_is_awaited_is_named() {
        let turn = Awaiting::Turn(Seat::new(1));
        assert_eq!(said(&your_move(turn)), "Bea, your move.");
        let all: SeatSet = Seat::all(3).collect();
        assert_eq!(
            said(&ask(Awaiting::Each(all), "which deck do you bring?")),
            "Ann, Bea and Cy, which deck do you bring?"
        );
        assert!(your_move(Awaiting::Over).is_empty());
    }

    #[test]
    fn an_outcome_is_told_with_its_reason() {
        let won = Outcome::win(Seat::new(1), 2, "first to the target");
        assert_eq!(said(&result(&won)), "Bea wins: first to the target.");
        let drawn = Outcome::draw(2, "nobody can move");
        assert_eq!(said(&result(&drawn)), "A draw: nobody can move.");
        let shared = Outcome::new(vec![1, 2, 1], "equal influence");
        assert_eq!(said(&result(&shared)), "Ann and Cy draw: equal influence.");
    }
}
