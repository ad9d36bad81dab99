//! The end of a match: who has won and why.

use super::super::message::{Button, Message, PictureKind, Text};
use super::super::refusals::people;
use super::{PictureWish, Say};
use crate::ai::Level;
use crate::draw::Prose;
use crate::game::MAX_SEATS;
use crate::matches::bot::Bot;
use crate::matches::people::PlayerId;
use crate::matches::record::RecordedOutcome;
use crate::matches::state::{Ending, How};
use crate::say;

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

    /// How everybody can see that nobody meddled with chance.
    pub(super) fn check_shuffle(&self) -> Text {
        say!(
            "To check the shuffle: `/details #{code}`",
            code = self.code().to_string()
        )
    }

    pub(super) fn result(&self, players: &[PlayerId], ending: &Ending) -> Text {
        let mut text = say!("{title} is over.", title = self.title());
        text.sentence(in_words(players, ending));
        text
    }

    /// The review is done that somebody has asked for.
    pub(super) fn reviewed(&self) -> Message {
        let text = say!("My review of {title} is ready.", title = self.title());
        Message::text(text).with_buttons(vec![Button::primary("Review", self.then("review"))])
    }

    /// Once more, the match again, what the bot says of it, its record or the bot's next level, and the rules: one row.
    pub(super) fn end_buttons(&self, players: &[PlayerId]) -> Vec<Button> {
        let mut buttons = vec![
            Button::primary("Rematch", self.then("rematch")),
            Button::plain("Replay", self.then("replay")),
            Button::plain("Review", self.then("review")),
        ];
        // Five make a row; who plays on against the bot can still type `record`.
        buttons.push(match next_level(players) {
            Some(level) => Button::plain(
                format!("Next level: {level}"),
                format!("{} level={level}", self.then("rematch")),
            ),
            None => Button::plain("Record", self.then("record")),
        });
        buttons.push(self.rules_button());
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
        return say!("It was broken off, so nobody wins.");
    };
    let ranked = Ranked { players, outcome };
    let winners = ranked.with(1);
    let mut text = match ending.how {
        How::Rules if !ending.told.is_empty() => Text::prose(&ending.told, players),
        How::Rules | How::Abort => {
            let why = outcome.reason.as_str();
            match ranked.winners() {
                Winners::One(winner) => say!("{winner} wins: {why}.", winner, why),
                Winners::Several(winners) => say!("{winners} draw: {why}.", winners, why),
                Winners::Nobody => say!("Nobody wins: {why}.", why),
            }
        }
        How::Resignation => match (ranked.winners(), ranked.only_loser()) {
            (Winners::One(winner), Some(loser)) => say!("{winner} wins: {loser} resigned.", winner, loser),
            (Winners::One(winner), None) => say!("{winner} wins by resignation.", winner),
            (Winners::Several(winners), _) => say!("{winners} draw by resignation.", winners),
            (Winners::Nobody, _) => say!("Nobody wins."),
        },
        How::Time => match (ranked.winners(), ranked.only_loser()) {
            (Winners::One(winner), Some(loser)) => {
                say!("{winner} wins: {loser} ran out of time.", winner, loser)
            }
            (Winners::One(winner), None) => say!("{winner} wins on time.", winner),
            (Winners::Several(winners), _) => say!("{winners} draw on time.", winners),
            (Winners::Nobody, _) => say!("Nobody wins."),
        },
        How::Absence => match (ranked.winners(), ranked.only_loser()) {
            (Winners::One(winner), Some(loser)) => {
                say!("{winner} wins: {loser} was silent for 14 days.", winner, loser)
            }
            (Winners::One(winner), None) => say!("{winner} wins after 14 days of silence.", winner),
            (Winners::Several(winners), _) => say!("{winners} draw after 14 days of silence.", winners),
            (Winners::Nobody, _) => say!("Nobody wins."),
        },
        How::Agreement if winners.len() == players.len() => say!("A draw by agreement."),
        How::Agreement => say!("{winners} agree on a draw.", winners = people(&winners)),
    };
    if players.len() > 2 {
        for rank in 2..=MAX_SEATS {
            let there = ranked.with(rank);
            if !there.is_empty() {
                text.sentence(say!(
                    "{place}: {players}.",
                    place = place_name(rank),
                    players = people(&there)
                ));
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

    fn winners(&self) -> Winners {
        let winners = self.with(1);
        match &winners[..] {
            [_, _, ..] => Winners::Several(people(&winners)),
            [_] => Winners::One(people(&winners)),
            [] => Winners::Nobody,
        }
    }

    /// The one who lost, where two played.
    fn only_loser(&self) -> Option<&PlayerId> {
        let mut losers = self.players.iter().zip(&self.outcome.ranks);
        let loser = losers.find(|(_, rank)| **rank > 1)?;
        (self.players.len() == 2).then_some(loser.0)
    }
}

/// Those in the first place.
enum Winners {
    One(Text),
    Several(Text),
    /// Everybody has lost.
    Nobody,
}

const fn place_name(rank: u8) -> &'static str {
    match rank {
        2 => "Second",
        3 => "Third",
        4 => "Fourth",
        _ => "Last",
    }
}
