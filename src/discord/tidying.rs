//! Which messages lose their buttons when another takes their place.

use super::storage::{LiveMessage, LiveMessages};
use crate::matches::delivery::Notice;

/// What a message does to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The end: all buttons before it go.
    Last,
    /// The match as it is now: the same.
    Board,
    /// The answer to a proposal, which needs its buttons no longer.
    Answer,
    /// Beside the board, which stays as it is.
    Aside,
}

/// What a delivery does to the messages before it.
pub fn rank(notice: &Notice, shows_board: bool) -> Rank {
    match notice {
        Notice::CalledOff(_) | Notice::Ended { .. } => Rank::Last,
        Notice::Gathering { .. }
        | Notice::Started { .. }
        | Notice::Moved { .. }
        | Notice::Resumed { .. }
        | Notice::Brought { .. }
        | Notice::HomeChanged { .. } => Rank::Board,
        Notice::Settled { .. } | Notice::StoodIn { .. } if shows_board => Rank::Board,
        Notice::Settled { .. } | Notice::StoodIn { .. } => Rank::Answer,
        Notice::Proposed { .. }
        | Notice::Reminder { .. }
        | Notice::Hand { .. }
        | Notice::PlanDropped { .. }
        | Notice::RoomLost
        | Notice::Missed { .. }
        | Notice::Reviewed => Rank::Aside,
    }
}

/// Takes out the messages whose buttons have to go.
pub fn turn_over(live: &mut LiveMessages, notice: &Notice, shows_board: bool) -> Vec<LiveMessage> {
    let mut old = Vec::new();
    match rank(notice, shows_board) {
        Rank::Last | Rank::Board => {
            old.extend(live.board.take());
            old.append(&mut live.loose);
        }
        Rank::Answer => old.append(&mut live.loose),
        Rank::Aside => {}
    }
    old
}

#[cfg(test)]
mod tests {
    use serenity::model::id::{ChannelId, MessageId};

    use super::*;
    use crate::discord::storage::PostedMessage;
    use crate::game::Seat;
    use crate::matches::state::CalledOff;
    use crate::matches::time::Span;

    fn message(id: u64) -> LiveMessage {
        let at = PostedMessage {
            channel: ChannelId::new(1),
            message: MessageId::new(id),
        };
        LiveMessage { at, card: None }
    }

    #[test]
    fn the_last_word_takes_all_buttons_away() {
        let mut live = LiveMessages {
            board: Some(message(2)),
            loose: vec![message(3)],
            ..LiveMessages::default()
        };
        let old = turn_over(&mut live, &Notice::CalledOff(CalledOff::Expired), false);
        assert_eq!(old, [message(2), message(3)]);
        assert_eq!(live, LiveMessages::default());
    }

    #[test]
    fn a_reminder_leaves_the_board_alone() {
        let whole = LiveMessages {
            board: Some(message(2)),
            ..LiveMessages::default()
        };
        let mut live = whole.clone();
        let reminder = Notice::Reminder {
            players: Vec::new(),
            seat: Seat::new(0),
            question: crate::draw::Prose::new(),
            left: Span::hours(1),
            deadline: crate::matches::time::Time(0),
            away: None,
        };
        assert!(turn_over(&mut live, &reminder, false).is_empty());
        assert_eq!(live, whole);
    }
}
