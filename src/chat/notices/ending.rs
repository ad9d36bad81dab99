//! The end of a match: who has won and how.

use super::super::message::{Button, Inline, Message, PictureKind, Text};
use super::super::refusals::people;
use super::{PictureWish, Say};
use crate::draw::Prose;
use crate::game::MAX_SEATS;
use crate::matches::people::PlayerId;
use crate::matches::state::{Ending, How};
use crate::text;

impl Say<'_> {
    pub(super) fn ended(
        &self,
        players: &[PlayerId],
        narration: &Prose,
        entries: u32,
        ending: &Ending,
        seed: &str,
    ) -> Message {
        let mut text = Text::prose(narration, players);
        text.line(self.result(players, ending));
        text.line(text![
            "The seed was ",
            Inline::Code(seed.to_owned()),
            "; its SHA-256 was shown at the start."
        ]);
        Message {
            text,
            picture: (self.picture)(PictureWish {
                entries,
                viewer: None,
                what: PictureKind::Board,
            }),
            buttons: self.end_buttons(),
            ..Message::default()
        }
    }

    pub(super) fn result(&self, players: &[PlayerId], ending: &Ending) -> Text {
        let title = self.title();
        let Some(outcome) = &ending.outcome else {
            return text![title, " is broken off. Nobody has won."];
        };
        let with_rank = |rank: u8| -> Vec<PlayerId> {
            players
                .iter()
                .zip(&outcome.ranks)
                .filter(|(_, r)| **r == rank)
                .map(|(player, _)| player.clone())
                .collect()
        };
        let winners = with_rank(1);
        let mut text = text![title, ": "];
        people(&mut text, &winners, "nobody");
        text.push(if winners.len() > 1 { " draw" } else { " wins" });
        text.push(match ending.how {
            How::Rules => format!(" ({}).", outcome.reason),
            How::Resignation => " by resignation.".to_owned(),
            How::Time => " on time.".to_owned(),
            How::Absence => ", claimed after 14 days of silence.".to_owned(),
            How::Agreement => " by agreement.".to_owned(),
            How::Abort => ".".to_owned(),
        });
        if players.len() > 2 {
            for rank in 2..=MAX_SEATS {
                let there = with_rank(rank);
                if !there.is_empty() {
                    text.push(format!(" {}: ", place_name(rank)));
                    people(&mut text, &there, "nobody");
                    text.push(".");
                }
            }
        }
        text
    }

    pub(super) fn end_buttons(&self) -> Vec<Button> {
        vec![
            Button::primary("Rematch", self.then("rematch")),
            Button::plain("Record", self.then("record")),
        ]
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
