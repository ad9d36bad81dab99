//! The call of a turn in words: what is asked, of whom, and until when.

use super::super::message::{Inline, Text};
use super::super::refusals::people;
use crate::draw::Prose;
use crate::game::Seat;
use crate::matches::bot::is_bot;
use crate::matches::delivery::Turn;
use crate::matches::people::PlayerId;
use crate::matches::time::Time;
use crate::say;

/// "Bea, your move: you must capture on E5. You have until Friday."
pub(super) fn call(turn: &Turn, players: &[PlayerId]) -> Text {
    in_words(&turn.question, &turn.awaited, turn.deadline, players)
}

/// The same of its parts. Nothing is asked of bots: they are thinking.
pub(in crate::chat) fn in_words(
    question: &Prose,
    awaited: &[Seat],
    deadline: Option<Time>,
    players: &[PlayerId],
) -> Text {
    let called = called(awaited, players);
    if called.iter().all(is_bot) {
        return thinking(&called);
    }
    let mut text = asked(question, players);
    if text.is_empty() {
        text = say!("{called}, your move.", called = people(&called));
    }
    if let Some(deadline) = deadline {
        text.sentence(say!("You have until {deadline}.", deadline));
    }
    text
}

/// Those whose turn it is, each once.
pub(super) fn called(awaited: &[Seat], players: &[PlayerId]) -> Vec<PlayerId> {
    let mut called: Vec<PlayerId> = Vec::new();
    for player in awaited.iter().filter_map(|seat| players.get(seat.index())) {
        if !called.contains(player) {
            called.push(player.clone());
        }
    }
    called
}

/// "Parlor is thinking …"
pub(in crate::chat) fn thinking(bots: &[PlayerId]) -> Text {
    match bots {
        [] => Text::new(),
        [bot] => say!("{bot} is thinking …", bot),
        [_, _, ..] => say!("{bots} are thinking …", bots = people(bots)),
    }
}

/// A question with players in place of seats. Whoever plays several of the sides that are called is named once.
fn asked(question: &Prose, players: &[PlayerId]) -> Text {
    let mut text = Text::new();
    let mut named: Option<Inline> = None;
    let mut between: Option<Inline> = None;
    for piece in Text::prose(question, players).0 {
        match &piece {
            Inline::Plain(words) if matches!(words.as_str(), ", " | " and ") && named.is_some() => {
                between = Some(piece);
            }
            Inline::Person(_) => {
                let between = between.take();
                if named.as_ref() != Some(&piece) {
                    text.0.extend(between);
                    text.push(piece.clone());
                }
                named = Some(piece);
            }
            _ => {
                text.0.extend(between.take());
                text.push(piece);
                named = None;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::call::ask;
    use crate::game::Awaiting;

    fn said(players: &[&str], awaited: &[u8]) -> String {
        let players: Vec<PlayerId> = players
            .iter()
            .map(|name| match name.strip_prefix("bot ") {
                Some(level) => PlayerId::new("bot", level),
                None => PlayerId::new("local", name),
            })
            .collect();
        let seats: Vec<Seat> = awaited.iter().copied().map(Seat::new).collect();
        let question = ask(Awaiting::Each(seats.iter().copied().collect()), "who defends?");
        in_words(&question, &seats, Some(Time(5000)), &players).plain(|player| player.parts().1.to_owned())
    }

    #[test]
    fn everybody_is_called_once_and_told_how_long_they_have() {
        assert_eq!(
            said(&["ann", "bea"], &[1]),
            "bea, who defends? You have until @5."
        );
        assert_eq!(
            said(&["ann", "bea", "cy"], &[0, 1, 2]),
            "ann, bea and cy, who defends? You have until @5."
        );
        assert_eq!(
            said(&["ann", "ann"], &[0, 1]),
            "ann, who defends? You have until @5."
        );
    }

    #[test]
    fn nothing_is_asked_of_bots() {
        assert_eq!(said(&["ann", "bot 2.1"], &[1]), "2.1 is thinking …");
    }

    #[test]
    fn a_row_without_a_question_still_calls() {
        let text = in_words(
            &Prose::new(),
            &[Seat::new(0)],
            None,
            &[PlayerId::new("local", "ann")],
        );
        assert_eq!(
            text.plain(|player| player.parts().1.to_owned()),
            "ann, your move."
        );
    }
}
