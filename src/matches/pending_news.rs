//! What has been done since a board was last shown.
//!
//! A move and the bot's reply to it are shown as one board. So while a bot is awaited nothing is made known: what
//! happened is gathered here, beside the position, and told when it is a person's turn again. It is part of the match, so
//! that a restart between a move and the reply loses none of it.

use serde::{Deserialize, Serialize};

use super::change::{Change, Context, seed_of, tell_hands};
use super::delivery::{Notice, Turn};
use super::gather::changed_options;
use super::people::PlayerId;
use super::refusal::Failure;
use super::state::Play;
use super::time::{Span, Time};
use crate::draw::Prose;
use crate::game::{Seat, SeatSet};

/// Moves that are not yet made known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingNews {
    /// When the first of them was made.
    pub since: Time,
    /// Whether nothing was made known of the match at all.
    #[serde(default)]
    pub opening: bool,
    /// What happened, move by move.
    pub told: Vec<Prose>,
    /// Whose hands have changed.
    pub hands: SeatSet,
    /// Who has acted.
    pub acted: SeatSet,
    /// Who is to be called.
    pub ping: Vec<PlayerId>,
}

/// Whoever has just moved is still looking, and need not be called because the bot has replied.
const STILL_LOOKING: Span = Span::minutes(1);

impl PendingNews {
    pub const fn new(since: Time) -> Self {
        Self {
            since,
            opening: false,
            told: Vec::new(),
            hands: SeatSet::EMPTY,
            acted: SeatSet::EMPTY,
            ping: Vec::new(),
        }
    }

    /// Who of those that are to be called is awaited, and may have turned to other things.
    fn called(&self, play: &Play, awaited: &[Seat], now: Time) -> Vec<PlayerId> {
        let away = |player: &&PlayerId| {
            let own = play.seats_of(player);
            let looks = self.since + STILL_LOOKING > now && own.iter().any(|seat| self.acted.contains(seat));
            own.iter().any(|seat| awaited.contains(&seat)) && !looks
        };
        self.ping.iter().filter(away).cloned().collect()
    }
}

/// What there is to be made known of a match.
#[derive(Clone, Debug)]
pub struct News {
    /// Whether the match has just begun.
    pub opening: bool,
    pub told: Vec<Prose>,
    /// Whose hands have changed.
    pub hands: SeatSet,
    /// Whose move it was.
    pub acted: Option<Seat>,
    pub turn: Turn,
}

/// The longest narration, in letters: it has to fit into a message with what is said beside it.
pub const LONGEST_NARRATION: usize = 1300;
/// Where a match begins, more is said beside it.
const LONGEST_OPENING: usize = 600;

/// Makes known what has happened; while a bot is to reply, it waits for the reply.
pub fn make_known(
    change: &mut Change,
    play: &mut Play,
    news: News,
    context: &Context<'_>,
) -> Result<(), Failure> {
    let mut pending_news = play
        .pending_news
        .take()
        .unwrap_or_else(|| PendingNews::new(context.now));
    let News {
        opening,
        told,
        hands,
        acted,
        turn,
    } = news;
    pending_news.opening |= opening;
    pending_news
        .told
        .extend(told.into_iter().filter(|narration| !narration.is_empty()));
    for seat in hands.iter() {
        pending_news.hands.insert(seat);
    }
    if let Some(seat) = acted {
        pending_news.acted.insert(seat);
    }
    for player in &turn.ping {
        if !pending_news.ping.contains(player) {
            pending_news.ping.push(player.clone());
        }
    }
    if !play.awaited_bots().is_empty() {
        play.pending_news = Some(pending_news);
        return Ok(());
    }
    let turn = Turn {
        ping: pending_news.called(play, &turn.awaited, context.now),
        ..turn
    };
    let players = play.players.clone();
    let notice = if pending_news.opening {
        Notice::Started {
            players,
            options: changed_options(&change.after)?,
            clock: change.after.clock,
            commitment: seed_of(play)?.commitment(),
            narration: narration(&pending_news.told, LONGEST_OPENING),
            turn,
        }
    } else {
        Notice::Moved {
            players,
            narration: narration(&pending_news.told, LONGEST_NARRATION),
            turn,
        }
    };
    change.announce(&notice);
    tell_hands(change, play, pending_news.hands);
    Ok(())
}

/// One narration of several, in so many letters at most. What came last is what the picture shows; if something has to be
/// left out, it is what came first.
pub fn narration(told: &[Prose], longest: usize) -> Prose {
    let length = |prose: &Prose| {
        let name = |seat: Seat| format!("somebody in seat {seat}");
        prose.plain(name).chars().count() + 1
    };
    let mut left = longest;
    let fits = |prose: &&Prose| match left.checked_sub(length(prose)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let kept = told.iter().rev().take_while(fits).count().max(1);
    let from = told.len().saturating_sub(kept);
    let mut whole = Prose::new();
    if from > 0 {
        whole.push("…");
    }
    for prose in told.get(from..).unwrap_or_default() {
        whole.sentence(prose.clone());
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose;

    #[test]
    fn a_long_tale_keeps_its_end() {
        let told: Vec<Prose> = (0..10).map(|number| prose![format!("Move {number}.")]).collect();
        let said = |longest: usize| narration(&told, longest).plain(|_| String::new());
        assert_eq!(said(20), "… Move 8. Move 9.");
        assert_eq!(said(0), "… Move 9.");
        assert!(said(1000).starts_with("Move 0. Move 1."));
    }

    /// What is in stores stays readable.
    #[test]
    fn an_exchange_is_kept_as_it_always_was() {
        let mut pending_news = PendingNews::new(Time(7));
        pending_news.told.push(prose![Seat::new(0), " moves."]);
        pending_news.acted.insert(Seat::new(0));
        pending_news.hands.insert(Seat::new(1));
        pending_news.ping.push(PlayerId::new("local", "ann"));
        let kept = r#"{"since":7,"opening":false,"told":[[{"seat":1},{"text":" moves."}]],"hands":[2],"acted":[1],"ping":["local:ann"]}"#;
        assert_eq!(serde_json::to_string(&pending_news).unwrap(), kept);
        assert_eq!(serde_json::from_str::<PendingNews>(kept).unwrap(), pending_news);
    }
}
