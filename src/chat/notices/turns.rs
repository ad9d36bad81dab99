//! A match under way: its start, every turn, and what else its players are told.

use super::super::message::{Button, Inline, Message, PictureKind, Text};
use super::super::refusals::people;
use super::{PictureWish, Say, hides_hands, person};
use crate::catalog;
use crate::draw::Prose;
use crate::game::Seat;
use crate::game::notation::excerpt;
use crate::matches::bot::is_bot;
use crate::matches::delivery::Turn;
use crate::matches::people::PlayerId;
use crate::matches::time::{Span, Time};
use crate::text;

/// How a match begins.
pub(super) struct Start<'a> {
    pub(super) players: &'a [PlayerId],
    pub(super) options: &'a [(String, String)],
    pub(super) clock: &'a str,
    /// The hash of the seed.
    pub(super) commitment: &'a str,
    pub(super) narration: &'a Prose,
}

impl Say<'_> {
    pub(super) fn started(&self, start: &Start<'_>, turn: &Turn) -> Message {
        let players = start.players;
        let mut text = text![self.title(), " begins: "];
        let named = if seats_apart(players) {
            players
        } else {
            players.get(..1).unwrap_or_default()
        };
        people(&mut text, named, "nobody");
        text.push(if seats_apart(players) {
            ", in this order."
        } else {
            ", on every side."
        });
        self.terms(&mut text, start.options, start.clock);
        text.line(text![
            "All chance comes from a secret seed whose SHA-256 is ",
            Inline::Code(start.commitment.to_owned()),
            "; the end reveals it."
        ]);
        if let Some(welcome) = welcome(&self.delivery.game) {
            text.line(Text::markdown(welcome));
        }
        if !start.narration.is_empty() {
            text.line(Text::prose(start.narration, players));
        }
        self.turn(text, players, turn)
    }

    /// Whose turn it is, with board and buttons.
    pub(super) fn turn(&self, mut text: Text, players: &[PlayerId], turn: &Turn) -> Message {
        let mut awaited: Vec<PlayerId> = turn
            .awaited
            .iter()
            .filter_map(|seat| players.get(seat.index()).cloned())
            .collect();
        // Whoever plays every side is named once.
        awaited.dedup();
        let mut line = Text::new();
        people(&mut line, &awaited, "Nobody");
        line.push(if awaited.len() > 1 {
            " are to move"
        } else {
            " is to move"
        });
        if let Some(deadline) = turn.deadline {
            line.push(", until ");
            line.push(deadline);
        }
        line.push(".");
        text.line(line);
        Message {
            text,
            picture: (self.picture)(PictureWish {
                entries: turn.entries,
                viewer: None,
                what: PictureKind::Board,
            }),
            buttons: self.turn_buttons(players),
            ping: turn.ping.clone(),
            ..Message::default()
        }
    }

    pub(super) fn turn_buttons(&self, players: &[PlayerId]) -> Vec<Button> {
        let mut buttons = vec![
            Button::primary("Move", self.now("moves")),
            Button::plain("My side", self.then("board")),
            Button::plain("As text", self.then("text")),
        ];
        if hides_hands(&self.delivery.game) {
            buttons.push(Button::plain("My hand", self.then("hand")));
        }
        if people_among(players) == 1 {
            buttons.push(Button::plain("Hint", self.then("hint")));
        }
        buttons
    }

    pub(super) fn hand(&self, seat: Seat, players: &[PlayerId], entries: u32) -> Message {
        let mut text = text![self.title()];
        if seats_apart(players) {
            let others: Vec<PlayerId> = players
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != seat.index())
                .map(|(_, player)| player.clone())
                .collect();
            text.push(": your hand, against ");
            people(&mut text, &others, "nobody");
            text.push(".");
        } else {
            text.push(format!(": the hand of side {seat}."));
        }
        Message::text(text).with_picture((self.picture)(PictureWish {
            entries,
            viewer: Some(seat),
            what: PictureKind::Hand,
        }))
    }

    pub(super) fn stood_in(
        &self,
        players: &[PlayerId],
        seat: Seat,
        was: &PlayerId,
        turn: Option<&Turn>,
    ) -> Message {
        let text = text![
            person(players, seat),
            " plays on for ",
            was,
            " in ",
            self.title(),
            "."
        ];
        match turn {
            Some(turn) => self.turn(text, players, turn),
            None => Message::text(text),
        }
    }

    pub(super) fn resumed(&self, players: &[PlayerId], by: Seat, turn: &Turn) -> Message {
        let text = text![
            person(players, by),
            " lets the match go on. The clocks run again."
        ];
        self.turn(text, players, turn)
    }

    pub(super) fn brought(&self, players: &[PlayerId], by: Seat, turn: &Turn) -> Message {
        let text = text![
            person(players, by),
            " brings ",
            self.title(),
            " here. Every turn is shown in this room too from now on."
        ];
        self.turn(text, players, turn)
    }

    pub(super) fn plan_dropped(&self, plan: &str, why: Option<&str>) -> Message {
        let mut text = text![self.title(), ": what you said in advance is off, "];
        match why {
            Some(why) => {
                text.push("because it can't be done any more. ");
                text.0.extend(Text::markdown(why).0);
            }
            None => text.push("because somebody else has acted first."),
        }
        text.line(text!["It was ", Inline::Code(excerpt(plan)), "."]);
        Message::text(text).with_buttons(vec![Button::primary("What can I do?", self.then("moves"))])
    }

    pub(super) fn room_lost(&self) -> Message {
        let text = text![
            "I can no longer post in a room of ",
            self.title(),
            ": it is gone, or I may not speak there. The match goes on. Say ",
            Inline::Say(format!("join {}", self.code())),
            " in another room to have it shown there, or play it here with me."
        ];
        Message::text(text).with_buttons(vec![Button::primary("The board", self.then("board"))])
    }

    pub(super) fn reminder(&self, players: &[PlayerId], seat: Seat, left: Span, deadline: Time) -> Message {
        let mut message = Message::text(text![
            person(players, seat),
            ", it is your turn in ",
            self.title(),
            format!(", and you have {left} left: until "),
            deadline,
            "."
        ]);
        message.buttons = vec![
            Button::primary("The board", self.then("board")),
            Button::plain("Ask for more time", format!("{} 24", self.then("extend"))),
        ];
        message.ping = players.get(seat.index()).cloned().into_iter().collect();
        message
    }
}

/// What players of this game should know before they begin, if anything.
fn welcome(id: &str) -> Option<&'static str> {
    let entry = catalog::find(id).ok()?;
    Some(entry.welcome).filter(|welcome| !welcome.is_empty())
}

/// How many people play, bots left aside.
fn people_among(players: &[PlayerId]) -> usize {
    let mut people: Vec<&PlayerId> = players.iter().filter(|player| !is_bot(player)).collect();
    people.sort_unstable();
    people.dedup();
    people.len()
}

/// Whether more than one person plays.
fn seats_apart(players: &[PlayerId]) -> bool {
    players.iter().any(|player| Some(player) != players.first())
}
