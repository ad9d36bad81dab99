//! What players propose to each other, and what comes of it.

use super::super::message::{Button, Message};
use super::super::refusals::wish_name;
use super::{Say, person};
use crate::game::Seat;
use crate::matches::delivery::{ProposalAnswer, Turn};
use crate::matches::people::PlayerId;
use crate::matches::state::ProposalKind;
use crate::say;

impl Say<'_> {
    pub(super) fn proposed(
        &self,
        players: &[PlayerId],
        by: Seat,
        what: ProposalKind,
        asked: &[PlayerId],
    ) -> Message {
        let (player, wish, title) = (person(players, by), wish_name(what), self.title());
        let mut message = Message::text(match what {
            ProposalKind::Draw => say!("{player} offers {wish} in {title}.", player, wish, title),
            ProposalKind::StandIn { seat, .. } if seat == by => say!(
                "{player} has to go and asks for {wish} in {title}.",
                player,
                wish,
                title
            ),
            ProposalKind::Takeback { .. }
            | ProposalKind::Pause
            | ProposalKind::Extend { .. }
            | ProposalKind::StandIn { .. }
            | ProposalKind::Watch => {
                say!("{player} asks for {wish} in {title}.", player, wish, title)
            }
        });
        message.buttons = vec![
            Button::primary("Agree", self.now("accept")),
            Button::plain("No", self.now("decline")),
            self.rules_at_hand(),
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
        let answered = |text| Message::text(text).with_buttons(vec![self.rules_at_hand()]);
        match (answer, what) {
            (ProposalAnswer::DeclinedBy(seat), _) => {
                let wish = match what {
                    ProposalKind::Draw => "the draw",
                    ProposalKind::Takeback { .. } => "the undo",
                    ProposalKind::Pause => "the pause",
                    ProposalKind::Extend { .. } => "more time",
                    ProposalKind::StandIn { .. } => "a stand-in",
                    ProposalKind::Watch => "being watched",
                };
                answered(say!(
                    "{player} says no to {wish}. The match goes on.",
                    player = person(players, *seat),
                    wish
                ))
            }
            (ProposalAnswer::WithdrawnBy(seat), _) => {
                let (player, wish) = (person(players, *seat), wish_name(what));
                answered(match what {
                    ProposalKind::Draw => say!("{player} no longer offers {wish}.", player, wish),
                    ProposalKind::Takeback { .. }
                    | ProposalKind::Pause
                    | ProposalKind::Extend { .. }
                    | ProposalKind::StandIn { .. }
                    | ProposalKind::Watch => {
                        say!("{player} no longer asks for {wish}.", player, wish)
                    }
                })
            }
            (ProposalAnswer::Agreed, ProposalKind::Pause) => Message::text(say!(
                "Everybody agrees: {title} is paused, and the clocks have stopped.",
                title = self.title()
            ))
            .with_buttons(vec![
                Button::primary("Resume", self.then("resume")),
                self.rules_at_hand(),
            ]),
            (ProposalAnswer::Agreed, ProposalKind::Watch) => {
                let text = say!(
                    "Everybody agrees: anybody may watch {title}. `/watch #{code}` gives you the link.",
                    title = self.title(),
                    code = self.code().to_string()
                );
                self.turn(text, players, turn)
            }
            (ProposalAnswer::Agreed, _) => {
                let text = match what {
                    ProposalKind::Takeback { .. } => {
                        say!("Agreed: that move is undone.")
                    }
                    ProposalKind::Draw
                    | ProposalKind::Pause
                    | ProposalKind::Extend { .. }
                    | ProposalKind::StandIn { .. }
                    | ProposalKind::Watch => {
                        say!("Agreed: {wish}.", wish = wish_name(what))
                    }
                };
                self.turn(text, players, turn)
            }
        }
    }
}
