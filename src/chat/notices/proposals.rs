//! What players propose to each other, and what comes of it.

use super::super::message::{Button, Message};
use super::super::refusals::wish_name;
use super::{Say, person};
use crate::game::Seat;
use crate::matches::delivery::{Answer, Turn};
use crate::matches::people::PlayerId;
use crate::matches::state::Wish;
use crate::text;

impl Say<'_> {
    pub(super) fn proposed(&self, players: &[PlayerId], by: Seat, what: Wish, asked: &[PlayerId]) -> Message {
        let verb = match what {
            Wish::Draw => " offers ",
            Wish::Takeback { .. } | Wish::Pause | Wish::Extend { .. } => " asks for ",
            Wish::StandIn { seat, .. } if seat == by => " has to go and asks for ",
            Wish::StandIn { .. } => " asks for ",
        };
        let title = self.title();
        let mut message = Message::text(text![
            person(players, by),
            verb,
            wish_name(what),
            " in ",
            title,
            "."
        ]);
        message.buttons = vec![
            Button::primary("Agree", self.now("accept")),
            Button::plain("No", self.now("decline")),
        ];
        message.ping = asked.to_vec();
        message
    }

    pub(super) fn settled(&self, players: &[PlayerId], what: Wish, answer: &Answer, turn: &Turn) -> Message {
        match (answer, what) {
            (Answer::DeclinedBy(seat), _) => {
                let wish = match what {
                    Wish::Draw => "the draw",
                    Wish::Takeback { .. } => "the takeback",
                    Wish::Pause => "the pause",
                    Wish::Extend { .. } => "more time",
                    Wish::StandIn { .. } => "a stand-in",
                };
                Message::text(text![
                    person(players, *seat),
                    format!(" says no to {wish}. The match goes on.")
                ])
            }
            (Answer::WithdrawnBy(seat), _) => {
                let verb = match what {
                    Wish::Draw => " no longer offers ",
                    Wish::Takeback { .. } | Wish::Pause | Wish::Extend { .. } | Wish::StandIn { .. } => {
                        " no longer asks for "
                    }
                };
                Message::text(text![person(players, *seat), verb, wish_name(what), "."])
            }
            (Answer::Agreed, Wish::Pause) => Message::text(text![
                "Everybody agrees: ",
                self.title(),
                " is paused and the clocks stand still.",
            ])
            .with_buttons(vec![Button::primary("Resume", self.then("resume"))]),
            (Answer::Agreed, _) => {
                let text = match what {
                    Wish::Takeback { .. } => text!["Agreed: the match goes back to before that move."],
                    Wish::Draw | Wish::Pause | Wish::Extend { .. } | Wish::StandIn { .. } => {
                        text![format!("Agreed: {}.", wish_name(what))]
                    }
                };
                self.turn(text, players, turn)
            }
        }
    }
}
