//! The few words that matter most beside a picture.

use super::super::message::{Message, Text};
use super::Say;
use super::call::call;
use crate::game::Seat;
use crate::matches::bot::is_bot;
use crate::matches::delivery::{Delivery, Notice, ProposalAnswer};
use crate::matches::people::PlayerId;
use crate::text;

/// The words that matter most beside a picture, for a platform on which not everybody sees what is written under one:
/// who is called and what happened, or how it ended, with the buttons of the whole message. Nothing if nobody is called
/// and the match goes on.
pub fn in_short(delivery: &Delivery, whole: &Message) -> Option<Message> {
    let buttons = whole.buttons.clone();
    let say = Say::of(delivery, false, &|_| None);
    let (players, turn, news) = match &delivery.notice {
        Notice::Moved {
            players,
            narration,
            turn,
        } => (players, turn, Text::prose(narration, players)),
        Notice::Started { players, turn, .. }
        | Notice::Resumed { players, turn, .. }
        | Notice::Brought { players, turn, .. }
        | Notice::HomeChanged { players, turn, .. }
        | Notice::StoodIn {
            players,
            turn: Some(turn),
            ..
        }
        | Notice::Settled {
            players,
            answer: ProposalAnswer::Agreed,
            turn,
            ..
        } => (players, turn, Text::new()),
        Notice::Ended { players, ending, .. } => {
            return Some(Message::text(say.result(players, ending)).with_buttons(buttons));
        }
        Notice::Settled { .. }
        | Notice::StoodIn { turn: None, .. }
        | Notice::Gathering { .. }
        | Notice::CalledOff(_)
        | Notice::Hand { .. }
        | Notice::PlanDropped { .. }
        | Notice::Proposed { .. }
        | Notice::RoomLost
        | Notice::Missed { .. }
        | Notice::Reviewed
        | Notice::Reminder { .. } => return None,
    };
    if turn.ping.is_empty() {
        return None;
    }
    // Whoever plays several sides is called once.
    let mut called: Vec<PlayerId> = Vec::new();
    for player in &turn.ping {
        if !called.contains(player) {
            called.push(player.clone());
        }
    }
    let mut text = text![say.title(), " · "];
    text.0.extend(call(turn, players).0);
    if !news.is_empty() {
        text.line(news);
    }
    Some(Message {
        text,
        buttons,
        ping: called,
        ..Message::default()
    })
}

/// A move with its board while bots think about their replies, for a platform on which the reply is another message: what
/// is only for the moment is left out. Nothing of any other board.
pub fn at_once(delivery: &Delivery, whole: Message) -> Option<Message> {
    let Notice::Moved {
        players,
        narration,
        turn,
    } = &delivery.notice
    else {
        return None;
    };
    let thinks = |seat: &Seat| players.get(seat.index()).is_some_and(is_bot);
    let waits_for_bots = !turn.awaited.is_empty() && turn.awaited.iter().all(thinks);
    waits_for_bots.then(|| Message {
        text: Text::prose(narration, players),
        picture: whole.picture,
        ..Message::default()
    })
}
