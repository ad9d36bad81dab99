//! Hints in words.

use super::command::Command;
use super::message::{Button, LONGEST_COMMAND, Message, Text};
use super::play::this_version;
use crate::catalog::Foresight;
use crate::matches::hint::Hint;
use crate::matches::state::Match;
use crate::say;

pub(super) fn in_words(the_match: &Match, hint: &Hint) -> Message {
    let mut text = match &hint.effect {
        Some(effect) => what_it_does(&hint.action, effect, the_match),
        None => say!("You might play `{action}`.", action = hint.action.as_str()),
    };
    if let Some(chances) = hint.chances {
        let seats = the_match.play().map_or(2, |play| play.players.len());
        text.sentence(outlook(chances, seats));
    }
    let command = String::from(Command::Move {
        about: Some(this_version(the_match)),
        sentence: hint.action.clone(),
    });
    let play_it = (command.len() <= LONGEST_COMMAND).then(|| Button::primary("Play it", command));
    Message::text(text).with_buttons(play_it.into_iter().collect())
}

/// An action, what it is good for and what happens, as far as that can be known.
fn what_it_does(action: &str, effect: &Foresight, the_match: &Match) -> Text {
    let mut text = match &effect.purpose {
        Some(purpose) => say!(
            "You might play `{action}` – {purpose}.",
            action,
            purpose = purpose.trim_end_matches('.')
        ),
        None if effect.narration.is_empty() => say!("You might play `{action}`.", action),
        None => say!("You might play `{action}`:", action),
    };
    let players = the_match.play().map(|play| play.players.clone());
    text.sentence(Text::prose(&effect.narration, &players.unwrap_or_default()));
    if !effect.whole {
        text.sentence("You'll see the rest once you play it.");
    }
    text
}

/// How somebody stands at a table of so many who may expect this much, from 0 to 1.
fn outlook(chances: f32, seats: usize) -> &'static str {
    // As if against one other: an even share is a half.
    let others = seats.saturating_sub(1).max(1) as f32;
    let against_one = chances * others / (chances * others + 1.0 - chances);
    match against_one {
        c if c >= 0.9 => "You're winning.",
        c if c >= 0.65 => "You're ahead.",
        c if c >= 0.55 => "You're a little ahead.",
        c if c >= 0.45 => "It's even.",
        c if c >= 0.35 => "You're a little behind.",
        c if c >= 0.1 => "You're behind, but nothing is lost.",
        _ => "It looks bad, but this is the best I see.",
    }
}
