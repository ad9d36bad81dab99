//! The end of a match: who has won and why.

use super::super::message::{Button, Inline, Message, PictureKind, Text};
use super::super::refusals::people;
use super::{PictureWish, Say, hides_hands};
use crate::ai::Level;
use crate::draw::Prose;
use crate::game::MAX_SEATS;
use crate::matches::bot::Bot;
use crate::matches::people::PlayerId;
use crate::matches::record::RecordedOutcome;
use crate::matches::state::{Ending, How};
use crate::text;

impl Say<'_> {
    pub(super) fn ended(
        &self,
        players: &[PlayerId],
        narration: &Prose,
        entries: u32,
        ending: &Ending,
    ) -> Message {
        let mut text = Text::prose(narration, players);
        text.line(self.result(players, ending));
        if hides_hands(&self.delivery.game) {
            text.line(text![
                "To check the shuffle: ",
                Inline::Say(format!("details #{}", self.code()))
            ]);
        }
        Message {
            text,
            picture: (self.picture)(PictureWish {
                entries,
                viewer: None,
                what: PictureKind::Board,
            }),
            buttons: self.end_buttons(players),
            ..Message::default()
        }
    }

    pub(super) fn result(&self, players: &[PlayerId], ending: &Ending) -> Text {
        let mut text = text![self.title(), " is over. "];
        text.0.extend(in_words(players, ending).0);
        text
    }

    /// Once more, the record, and against the bot the next level.
    pub(super) fn end_buttons(&self, players: &[PlayerId]) -> Vec<Button> {
        let mut buttons = vec![
            Button::primary("Rematch", self.then("rematch")),
            Button::plain("Record", self.then("record")),
        ];
        if let Some(level) = next_level(players) {
            buttons.push(Button::plain(
                format!("Next level: {level}"),
                format!("{} level={level}", self.then("rematch")),
            ));
        }
        buttons
    }
}

/// The level above that of the strongest bot, if there are bots and such a level.
fn next_level(players: &[PlayerId]) -> Option<Level> {
    let strongest = players.iter().filter_map(Bot::of).map(|bot| bot.level).max()?;
    Level::new(strongest.number() + 1)
}

/// How it ended, in a sentence or two: "Robin wins: Parlor has no electrons left."
pub(in crate::chat) fn in_words(players: &[PlayerId], ending: &Ending) -> Text {
    let Some(outcome) = &ending.outcome else {
        return text!["It was broken off, so nobody wins."];
    };
    let ranked = Ranked { players, outcome };
    let winners = ranked.with(1);
    let mut text = match ending.how {
        How::Rules if !ending.told.is_empty() => Text::prose(&ending.told, players),
        How::Rules | How::Abort => ranked.won_by(&format!(": {}.", outcome.reason)),
        How::Resignation => ranked.won_because(" resigned.", " by resignation."),
        How::Time => ranked.won_because(" ran out of time.", " on time."),
        How::Absence => ranked.won_because(" was silent for 14 days.", " after 14 days of silence."),
        How::Agreement if winners.len() == players.len() => text!["A draw by agreement."],
        How::Agreement => {
            let mut text = Text::new();
            people(&mut text, &winners, "nobody");
            text.push(" agree on a draw.");
            text
        }
    };
    if players.len() > 2 {
        for rank in 2..=MAX_SEATS {
            let there = ranked.with(rank);
            if !there.is_empty() {
                text.push(format!(" {}: ", place_name(rank)));
                people(&mut text, &there, "nobody");
                text.push(".");
            }
        }
    }
    text
}

/// Players by their places.
struct Ranked<'a> {
    players: &'a [PlayerId],
    outcome: &'a RecordedOutcome,
}

impl Ranked<'_> {
    fn with(&self, rank: u8) -> Vec<PlayerId> {
        let placed = self.players.iter().zip(&self.outcome.ranks);
        let there = placed.filter(|(_, own)| **own == rank);
        there.map(|(player, _)| player.clone()).collect()
    }

    /// "Ann wins by resignation."
    fn won_by(&self, how: &str) -> Text {
        let winners = self.with(1);
        let mut text = Text::new();
        people(&mut text, &winners, "nobody");
        text.push(if winners.len() > 1 { " draw" } else { " wins" });
        text.push(how.to_owned());
        text
    }

    /// "Ann wins: Bea resigned."; where more than two played, how it was won.
    fn won_because(&self, loser_did: &str, otherwise: &str) -> Text {
        let losers: Vec<PlayerId> = (2..=MAX_SEATS).flat_map(|rank| self.with(rank)).collect();
        match (losers.as_slice(), self.players.len()) {
            ([loser], 2) => {
                let mut text = self.won_by(": ");
                text.push(loser);
                text.push(loser_did);
                text
            }
            _ => self.won_by(otherwise),
        }
    }
}

const fn place_name(rank: u8) -> &'static str {
    match rank {
        2 => "Second",
        3 => "Third",
        4 => "Fourth",
        _ => "Last",
    }
}
