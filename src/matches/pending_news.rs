//! What is made known of a match, and when.
//!
//! Where several people play, a move and the bot's reply to it are shown as one board: while a bot is awaited nothing is
//! made known, and what happened is gathered here, beside the position. Where one person plays, their move is shown at
//! once; the reply is then written on the same message, or on a new one if it took so long that they may have turned
//! away. What is gathered is part of the match, so that a restart between a move and the reply loses none of it.

use serde::{Deserialize, Serialize};

use super::change::{Change, Context, hides, seed_of};
use super::delivery::{Draft, Notice, Sheet, Sound, To, Turn, Writing};
use super::gather::changed_options;
use super::hand_news::{HandNews, tell_hands};
use super::people::PlayerId;
use super::refusal::Failure;
use super::state::Play;
use super::time::{Span, Time};
use crate::catalog::Table;
use crate::draw::Prose;
use crate::game::{Seat, SeatSet};

/// Moves that are not yet made known, or not for good.
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
    /// The board that is shown while the bot thinks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_once: Option<AtOnce>,
}

/// A person's move, shown before the bot has replied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtOnce {
    /// The log entry up to which the board is shown.
    pub entries: u32,
    pub narration: Prose,
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
            at_once: None,
        }
    }

    /// Takes up what is new.
    fn add(&mut self, news: News) {
        self.opening |= news.opening;
        let told = news.told.into_iter();
        self.told.extend(told.filter(|narration| !narration.is_empty()));
        for seat in news.hands.iter() {
            self.hands.insert(seat);
        }
        if let Some(seat) = news.acted {
            self.acted.insert(seat);
        }
        for player in news.turn.ping {
            if !self.ping.contains(&player) {
                self.ping.push(player);
            }
        }
    }

    fn is_fresh(&self, now: Time) -> bool {
        self.since + STILL_LOOKING > now
    }

    /// Who of those that are to be called is awaited, and may have turned to other things.
    fn called(&self, play: &Play, awaited: &[Seat], now: Time) -> Vec<PlayerId> {
        let away = |player: &&PlayerId| {
            let own = play.seats_of(player);
            let looks = self.is_fresh(now) && own.iter().any(|seat| self.acted.contains(seat));
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

/// Makes known what has happened. What follows from it by a bot's doing is told when the bot has replied.
pub fn make_known(
    change: &mut Change,
    play: &mut Play,
    news: News,
    context: &Context<'_>,
) -> Result<(), Failure> {
    let (acted, turn) = (news.acted, news.turn.clone());
    // Whoever is awaited from the start of a reply to its end was not still on turn: a bot has moved between.
    let replied = play.pending_news.is_some();
    let mut pending_news = play
        .pending_news
        .take()
        .unwrap_or_else(|| PendingNews::new(context.now));
    pending_news.add(news);
    if !play.awaited_bots().is_empty() {
        let by_person = acted.is_some_and(|seat| play.bot_in(seat).is_none());
        if by_person && !pending_news.opening && !play.has_several_people() {
            show_at_once(change, play, &mut pending_news, &turn);
        }
        play.pending_news = Some(pending_news);
        return Ok(());
    }
    let awaited: SeatSet = turn.awaited.iter().copied().collect();
    let called = pending_news.called(play, &turn.awaited, context.now);
    let lost = play.out_of_touch(seats_called(play, awaited, &called), context.now);
    let secret = hides(&change.after);
    let turn = Turn {
        ping: called.clone(),
        out_of_touch: if secret { Vec::new() } else { lost.iter().collect() },
        ..turn
    };
    let mut story = std::mem::take(&mut play.turn_sheet.told);
    story.append(&mut pending_news.told);
    let still_on_turn = !replied && acted.is_some() && play.turn_sheet.goes_on(awaited);
    if pending_news.opening {
        begin(change, play, &story, turn)?;
    } else if still_on_turn {
        go_on(change, play, story, turn);
    } else {
        let same_message = called.is_empty() && pending_news.is_fresh(context.now);
        pass_on(change, play, &pending_news, &story, turn, same_message);
    }
    play.turn_sheet.awaited = awaited;
    let hand_news = HandNews {
        seats: pending_news.hands,
        acted: pending_news.acted,
        awaited,
        called: &called,
    };
    tell_hands(change, play, hand_news, context);
    let filmed = if secret {
        lost
    } else {
        // It comes with a call.
        let wants_calls = |seat: &Seat| {
            let player = play.players.get(seat.index());
            player.is_some_and(|player| context.settings(player).ping)
        };
        let reached = lost.iter().filter(wants_calls).collect();
        play.take_films(reached, context.now)
    };
    tell_missed(change, play, filmed, secret);
    Ok(())
}

/// The seats for which people are called.
fn seats_called(play: &Play, awaited: SeatSet, called: &[PlayerId]) -> SeatSet {
    let is_called = |seat: &Seat| {
        let player = play.players.get(seat.index());
        player.is_some_and(|player| called.contains(player))
    };
    awaited.iter().filter(is_called).collect()
}

/// Shows those who may have lost the thread what they have missed, each alone, through their own eyes: where the match has
/// secrets, nobody else is told. It is a film, so it comes behind what is needed to move.
fn tell_missed(change: &mut Change, play: &Play, lost: SeatSet, secret: bool) {
    for seat in lost.iter() {
        let Some(player) = play.players.get(seat.index()) else {
            continue;
        };
        let notice = Notice::Missed {
            seat,
            players: play.players.clone(),
            entries: play.entries,
            in_rooms: !secret,
        };
        change.deliveries.push(Draft {
            sound: Sound::Silent,
            ..Draft::new(To::Player(player.clone()), notice)
        });
    }
}

/// Shows a move while the bot thinks about its reply.
fn show_at_once(change: &mut Change, play: &mut Play, pending_news: &mut PendingNews, turn: &Turn) {
    let story: Vec<Prose> = (play.turn_sheet.told.iter())
        .chain(&pending_news.told)
        .cloned()
        .collect();
    let told = narration(&story, LONGEST_NARRATION);
    let sheet = match pending_news.at_once {
        Some(_) => play.turn_sheet.sheet(Writing::Passing),
        None => play.turn_sheet.next(Writing::Passing),
    };
    pending_news.at_once = Some(AtOnce {
        entries: turn.entries,
        narration: told.clone(),
    });
    let turn = Turn {
        ping: Vec::new(),
        ..turn.clone()
    };
    change.announce_on(Some(sheet), &moved(play, told, turn), &[]);
}

/// Tells that a match has begun, and what bots have done since.
fn begin(change: &mut Change, play: &mut Play, story: &[Prose], turn: Turn) -> Result<(), Failure> {
    let notice = Notice::Started {
        players: play.players.clone(),
        options: changed_options(&change.after)?,
        clock: change.after.clock,
        commitment: seed_of(play)?.commitment(),
        narration: narration(story, LONGEST_OPENING),
        turn,
    };
    let sheet = play.turn_sheet.next(Writing::Lasting);
    change.announce_on(Some(sheet), &notice, &[]);
    Ok(())
}

/// Somebody has done something and is still on turn: their board is written anew. Told so far, it is told again when the
/// turn passes.
fn go_on(change: &mut Change, play: &mut Play, story: Vec<Prose>, turn: Turn) {
    let sheet = match &play.turn_sheet.before {
        Some(_) => play.turn_sheet.sheet(Writing::Passing),
        None => play.turn_sheet.next(Writing::Passing),
    };
    let before = play.turn_sheet.before.get_or_insert_default().clone();
    let whole: Vec<Prose> = std::iter::once(before)
        .filter(|before| !before.is_empty())
        .chain(story.iter().cloned())
        .collect();
    let told = narration(&whole, LONGEST_NARRATION);
    play.turn_sheet.told = story;
    change.announce_on(Some(sheet), &moved(play, told, turn), &[]);
}

/// The turn passes: all of it is told, with the board as it is now. What a bot has replied stands in place of the move that
/// it answers, if whoever made that is still looking.
fn pass_on(
    change: &mut Change,
    play: &mut Play,
    pending_news: &PendingNews,
    story: &[Prose],
    turn: Turn,
    same_message: bool,
) {
    let told = narration(story, LONGEST_NARRATION);
    let sheet = if pending_news.at_once.is_some() && same_message {
        play.turn_sheet.sheet(Writing::Lasting)
    } else {
        close(change, play, pending_news);
        play.turn_sheet.next(Writing::Lasting)
    };
    play.turn_sheet.before = Some(told.clone());
    change.announce_on(Some(sheet), &moved(play, told, turn), &[]);
}

/// Takes what can be pressed, and the word that somebody thinks, off the board that was shown at once.
fn close(change: &mut Change, play: &Play, pending_news: &PendingNews) {
    let Some(at_once) = &pending_news.at_once else {
        return;
    };
    let turn = Turn {
        entries: at_once.entries,
        awaited: Vec::new(),
        question: Prose::new(),
        deadline: None,
        away: None,
        ping: Vec::new(),
        out_of_touch: Vec::new(),
    };
    let sheet = play.turn_sheet.sheet(Writing::Closing);
    let notice = moved(play, at_once.narration.clone(), turn);
    change.announce_on(Some(sheet), &notice, &[]);
}

/// The same, if there is such a board.
pub fn close_board(change: &mut Change, play: &Play) {
    if let Some(pending_news) = &play.pending_news {
        close(change, play, pending_news);
    }
}

/// A sheet for a board that tells more than a turn.
pub fn fresh_sheet(change: &mut Change, play: &mut Play, table: &dyn Table) -> Sheet {
    close_board(change, play);
    if let Some(pending_news) = &mut play.pending_news {
        pending_news.at_once = None;
    }
    play.turn_sheet.awaited = table.awaiting().seats();
    play.turn_sheet.next(Writing::Lasting)
}

fn moved(play: &Play, narration: Prose, turn: Turn) -> Notice {
    Notice::Moved {
        players: play.players.clone(),
        narration,
        turn,
    }
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
