//! What players propose to each other, and what comes of it.

use super::super::message::{Button, Message};
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
        let (player, title) = (person(players, by), self.title());
        let mut message = Message::text(match what {
            ProposalKind::Draw => say!("{player} offers a draw in {title}.", player, title),
            ProposalKind::Takeback { .. } => say!("{player} asks for an undo in {title}.", player, title),
            ProposalKind::Pause => say!("{player} asks for a pause in {title}.", player, title),
            ProposalKind::Extend { by } => say!(
                "{player} asks for {time} more for everybody in {title}.",
                player,
                time = by.to_string(),
                title
            ),
            ProposalKind::Watch => say!(
                "{player} asks whether anybody may watch {title} by a link.",
                player,
                title
            ),
            ProposalKind::StandIn { seat, level } if seat == by => say!(
                "{player} has to go and asks for a stand-in in {title}: the bot at level {level}.",
                player,
                title,
                level = level.to_string()
            ),
            ProposalKind::StandIn { seat, level } => say!(
                "{player} asks for a stand-in for {other} in {title}: the bot at level {level}.",
                player,
                other = person(players, seat),
                title,
                level = level.to_string()
            ),
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
                let player = person(players, *seat);
                answered(match what {
                    ProposalKind::Draw => say!("{player} says no to the draw. The match goes on.", player),
                    ProposalKind::Takeback { .. } => {
                        say!("{player} says no to the undo. The match goes on.", player)
                    }
                    ProposalKind::Pause => say!("{player} says no to the pause. The match goes on.", player),
                    ProposalKind::Extend { .. } => {
                        say!("{player} says no to more time. The match goes on.", player)
                    }
                    ProposalKind::StandIn { .. } => {
                        say!("{player} says no to a stand-in. The match goes on.", player)
                    }
                    ProposalKind::Watch => {
                        say!("{player} says no to being watched. The match goes on.", player)
                    }
                })
            }
            (ProposalAnswer::WithdrawnBy(seat), _) => {
                let player = person(players, *seat);
                answered(match what {
                    ProposalKind::Draw => say!("{player} no longer offers a draw.", player),
                    ProposalKind::Takeback { .. } => say!("{player} no longer asks for an undo.", player),
                    ProposalKind::Pause => say!("{player} no longer asks for a pause.", player),
                    ProposalKind::Extend { .. } => say!("{player} no longer asks for more time.", player),
                    ProposalKind::StandIn { .. } => say!("{player} no longer asks for a stand-in.", player),
                    ProposalKind::Watch => say!("{player} no longer asks to be watched.", player),
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
                    ProposalKind::Takeback { .. } => say!("Agreed: that move is undone."),
                    ProposalKind::Extend { by } => {
                        say!("Agreed: {time} more for everybody.", time = by.to_string())
                    }
                    // These end in something else, which tells of itself.
                    ProposalKind::Draw
                    | ProposalKind::Pause
                    | ProposalKind::StandIn { .. }
                    | ProposalKind::Watch => say!("Agreed."),
                };
                self.turn(text, players, turn)
            }
        }
    }
}
