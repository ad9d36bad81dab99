//! What players propose to each other, and what comes of it.

use super::super::message::{Button, Message};
use super::super::refusals::wish_name;
use super::{Say, person};
use crate::game::Seat;
use crate::matches::delivery::{ProposalAnswer, Turn};
use crate::matches::people::PlayerId;
use crate::matches::state::ProposalKind;
use crate::text;

impl Say<'_> {
    pub(super) fn proposed(
        &self,
        players: &[PlayerId],
        by: Seat,
        what: ProposalKind,
        asked: &[PlayerId],
    ) -> Message {
        let verb = match what {
            ProposalKind::Draw => " offers ",
            ProposalKind::Takeback { .. } | ProposalKind::Pause | ProposalKind::Extend { .. } => " asks for ",
            ProposalKind::StandIn { seat, .. } if seat == by => " has to go and asks for ",
            ProposalKind::StandIn { .. } => " asks for ",
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

    pub(super) fn settled(
        &self,
        players: &[PlayerId],
        what: ProposalKind,
        answer: &ProposalAnswer,
        turn: &Turn,
    ) -> Message {
        match (answer, what) {
            (ProposalAnswer::DeclinedBy(seat), _) => {
                let wish = match what {
                    ProposalKind::Draw => "the draw",
                    ProposalKind::Takeback { .. } => "the undo",
                    ProposalKind::Pause => "the pause",
                    ProposalKind::Extend { .. } => "more time",
                    ProposalKind::StandIn { .. } => "a stand-in",
                };
                Message::text(text![
                    person(players, *seat),
                    format!(" says no to {wish}. The match goes on.")
                ])
            }
            (ProposalAnswer::WithdrawnBy(seat), _) => {
                let verb = match what {
                    ProposalKind::Draw => " no longer offers ",
                    ProposalKind::Takeback { .. }
                    | ProposalKind::Pause
                    | ProposalKind::Extend { .. }
                    | ProposalKind::StandIn { .. } => " no longer asks for ",
                };
                Message::text(text![person(players, *seat), verb, wish_name(what), "."])
            }
            (ProposalAnswer::Agreed, ProposalKind::Pause) => Message::text(text![
                "Everybody agrees: ",
                self.title(),
                " is paused, and the clocks have stopped.",
            ])
            .with_buttons(vec![Button::primary("Resume", self.then("resume"))]),
            (ProposalAnswer::Agreed, _) => {
                let text = match what {
                    ProposalKind::Takeback { .. } => {
                        text!["Agreed: that move is undone."]
                    }
                    ProposalKind::Draw
                    | ProposalKind::Pause
                    | ProposalKind::Extend { .. }
                    | ProposalKind::StandIn { .. } => {
                        text![format!("Agreed: {}.", wish_name(what))]
                    }
                };
                self.turn(text, players, turn)
            }
        }
    }
}
