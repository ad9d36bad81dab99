//! Tables that wait for players: challenge, join, accept, decline, cancel, expire — and begin.

use std::collections::BTreeMap;

use super::bot::{Bot, is_bot};
use super::change::{Change, Context, Decision, changed_hands, entry_of, options_of, settle};
use super::clock::{ClockKind, SeatClock};
use super::code::Code;
use super::delivery::{GatheringNews, Notice};
use super::hours::Hours;
use super::pending_news::{News, make_known};
use super::people::{PlayerId, RoomId};
use super::refusal::{Failure, Refusal};
use super::state::{CHALLENGE_STANDS, CalledOff, Gathering, Match, Play, SeatState, Seating, Stage};
use super::time::Time;
use super::turn_sheet::TurnSheet;
use crate::ai::Level;
use crate::catalog::{self, Table};
use crate::game::{OptionValues, SeatSet, Seed};

/// What somebody asks for when they open a table.
#[derive(Clone, Debug)]
pub struct Wishes {
    pub game: String,
    /// How many play; enough for those who are named if nothing is said.
    pub seats: Option<u8>,
    /// Who is challenged; the other places are free.
    pub challenged: Vec<PlayerId>,
    pub options: Vec<(String, String)>,
    pub clock: ClockKind,
    pub seating: Seating,
    /// Set for a rematch: then the players of the old match sit in this order.
    pub rematch: Option<Rematch>,
}

/// A match to be played again.
#[derive(Clone, Debug)]
pub struct Rematch {
    pub of: Code,
    pub order: Vec<PlayerId>,
    /// Where the old match was at home: everybody has to hear of the offer.
    pub rooms: Vec<RoomId>,
}

/// Opens a table.
pub fn open(host: &PlayerId, room: RoomId, wishes: &Wishes, code: Code, context: &Context<'_>) -> Decision {
    let entry = catalog::find(&wishes.game).map_err(Refusal::UnknownGame)?;
    let pairs = wishes
        .options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let options = OptionValues::choose(entry.meta.options, pairs).map_err(Refusal::Option)?;
    let named = u8::try_from(wishes.challenged.len() + 1).unwrap_or(u8::MAX);
    let seats = wishes
        .seats
        .unwrap_or(named.max(*entry.meta.seats.start()))
        .max(named);
    entry.check_seats(seats).map_err(Refusal::Seats)?;
    let place = |player: &PlayerId| {
        // Who challenges themselves wants to try the game out and sits in both seats. A bot never says no.
        if player == host || is_bot(player) {
            SeatState::Taken(player.clone())
        } else {
            SeatState::Invited(player.clone())
        }
    };
    let mut places = vec![SeatState::Taken(host.clone())];
    for (index, player) in wishes.challenged.iter().enumerate() {
        if player != host && wishes.challenged[..index].contains(player) {
            return Err(Refusal::NamedTwice(player.clone()).into());
        }
        places.push(place(player));
    }
    places.resize(usize::from(seats), SeatState::Free);
    if let Some(rematch) = &wishes.rematch {
        places = rematch.order.iter().map(place).collect();
    }
    let mut rooms = vec![room];
    for room in wishes.rematch.iter().flat_map(|rematch| &rematch.rooms) {
        if !rooms.contains(room) {
            rooms.push(room.clone());
        }
    }
    let change = Change::new(Match {
        code,
        version: 1,
        game: entry.meta.id.to_owned(),
        options: options.to_map(),
        clock: wishes.clock,
        seating: wishes.seating,
        rooms,
        lost_rooms: Vec::new(),
        host: host.clone(),
        created: context.now,
        rematch_of: wishes.rematch.as_ref().map(|rematch| rematch.of.clone()),
        practice_of: None,
        stage: Stage::Open(Gathering {
            places,
            expires: context.table_now(host) + CHALLENGE_STANDS,
        }),
    });
    let news = match &wishes.rematch {
        Some(rematch) => GatheringNews::Rematch(rematch.of.clone()),
        None => GatheringNews::Opened,
    };
    begin_if_full(change, news, context)
}

fn gathering(the_match: &Match) -> Result<&Gathering, Refusal> {
    match &the_match.stage {
        Stage::Open(gathering) => Ok(gathering),
        Stage::Running(_) => Err(Refusal::NotOpen(the_match.code.clone())),
        Stage::Over(..) => Err(Refusal::Over(the_match.code.clone())),
        Stage::CalledOff(_) => Err(Refusal::CalledOff(the_match.code.clone())),
    }
}

/// A player sits down, in the place kept for them or in a free one. The room they come from is shown
/// the match too.
pub fn join(the_match: &Match, player: &PlayerId, room: Option<&RoomId>, context: &Context<'_>) -> Decision {
    let gathering = gathering(the_match)?;
    if gathering.places.contains(&SeatState::Taken(player.clone())) {
        return Err(Refusal::AlreadyIn(the_match.code.clone()).into());
    }
    let invited = SeatState::Invited(player.clone());
    let index = gathering
        .places
        .iter()
        .position(|place| *place == invited)
        .or_else(|| {
            gathering
                .places
                .iter()
                .position(|place| *place == SeatState::Free)
        })
        .ok_or_else(|| {
            let kept = |place: &SeatState| matches!(place, SeatState::Invited(_));
            let code = the_match.code.clone();
            if gathering.places.iter().any(kept) {
                Refusal::NotInvited(code)
            } else {
                Refusal::Full(code)
            }
        })?;
    let mut gathering = gathering.clone();
    gathering.places[index] = SeatState::Taken(player.clone());
    let mut change = Change::of(the_match);
    change.after.stage = Stage::Open(gathering);
    if let Some(room) = room
        && !change.after.rooms.contains(room)
    {
        change.after.rooms.push(room.clone());
    }
    begin_if_full(change, GatheringNews::Joined(player.clone()), context)
}

/// Bots take every free seat.
pub fn fill(the_match: &Match, player: &PlayerId, level: Level, context: &Context<'_>) -> Decision {
    let mut gathering = gathering(the_match)?.clone();
    if !gathering.places.contains(&SeatState::Taken(player.clone())) {
        return Err(Refusal::NotYourMatch(the_match.code.clone()).into());
    }
    let mut seated: Vec<PlayerId> = the_match.people().into_iter().cloned().collect();
    let before = seated.len();
    for place in gathering
        .places
        .iter_mut()
        .filter(|place| **place == SeatState::Free)
    {
        let bot = Bot::beside(level, &seated).player();
        seated.push(bot.clone());
        *place = SeatState::Taken(bot);
    }
    let Some(news) = seated.get(before..).filter(|bots| !bots.is_empty()) else {
        return Err(Refusal::Full(the_match.code.clone()).into());
    };
    let news = GatheringNews::Filled(news.to_vec());
    let mut change = Change::of(the_match);
    change.after.stage = Stage::Open(gathering);
    begin_if_full(change, news, context)
}

/// A challenged player says no, and the match is off; a guest at an open table gets up again.
pub fn decline(the_match: &Match, player: &PlayerId, context: &Context<'_>) -> Decision {
    let gathering = gathering(the_match)?;
    let mut change = Change::of(the_match);
    if gathering.places.contains(&SeatState::Invited(player.clone())) {
        return Ok(call_off(change, CalledOff::Declined(player.clone())));
    }
    if player == &the_match.host {
        return Ok(call_off(change, CalledOff::Cancelled(player.clone())));
    }
    let taken = SeatState::Taken(player.clone());
    let index = gathering
        .places
        .iter()
        .position(|place| *place == taken)
        .ok_or_else(|| Refusal::NotInvited(the_match.code.clone()))?;
    let mut gathering = gathering.clone();
    gathering.places[index] = SeatState::Free;
    change.after.stage = Stage::Open(gathering);
    announce(&mut change, GatheringNews::Declined(player.clone()), context)?;
    Ok(change)
}

/// Whoever opened the table takes it back.
pub fn cancel(the_match: &Match, player: &PlayerId) -> Decision {
    gathering(the_match)?;
    if player != &the_match.host {
        return Err(Refusal::NotYourTable(the_match.code.clone()).into());
    }
    Ok(call_off(
        Change::of(the_match),
        CalledOff::Cancelled(player.clone()),
    ))
}

/// Nobody came in time.
pub fn expire(the_match: &Match) -> Change {
    call_off(Change::of(the_match), CalledOff::Expired)
}

/// Nothing comes of a table. Those who wait at it are called, and whoever was asked, unless it was their own doing.
fn call_off(mut change: Change, why: CalledOff) -> Change {
    let called: Vec<PlayerId> = match &why {
        CalledOff::Declined(by) => people(&change.after)
            .filter(|player| *player != by)
            .cloned()
            .collect(),
        CalledOff::Expired => people(&change.after)
            .filter(|player| change.after.seats(player))
            .cloned()
            .collect(),
        CalledOff::Cancelled(_) => Vec::new(),
    };
    change.after.stage = Stage::CalledOff(why.clone());
    change.announce_on(None, &Notice::CalledOff(why), &called);
    change
}

/// Everybody at a table or asked to it who is no bot.
fn people(the_match: &Match) -> impl Iterator<Item = &PlayerId> {
    the_match.people().into_iter().filter(|player| !is_bot(player))
}

fn announce(change: &mut Change, news: GatheringNews, context: &Context<'_>) -> Result<(), Failure> {
    if let Some(notice) = notice(&change.after, news, &context.hours, context.now)? {
        change.announce(&notice);
    }
    Ok(())
}

/// What is told of a table that waits for players; nothing of any other.
pub fn notice(
    the_match: &Match,
    news: GatheringNews,
    hours: &Hours,
    now: Time,
) -> Result<Option<Notice>, Failure> {
    let Stage::Open(gathering) = &the_match.stage else {
        return Ok(None);
    };
    Ok(Some(Notice::Gathering {
        news,
        host: the_match.host.clone(),
        places: gathering.places.clone(),
        options: changed_options(the_match)?,
        clock: the_match.clock,
        expires: hours.on_the_wall(the_match.host.platform(), gathering.expires, now),
    }))
}

/// The options of a match that are not the usual ones.
pub(super) fn changed_options(the_match: &Match) -> Result<Vec<(String, String)>, Failure> {
    let options = options_of(the_match)?.changed();
    Ok(options
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect())
}

/// Begins the match if nobody is missing; otherwise tells that somebody still is.
fn begin_if_full(mut change: Change, news: GatheringNews, context: &Context<'_>) -> Decision {
    let Stage::Open(gathering) = &change.after.stage else {
        return Ok(change);
    };
    let players: Option<Vec<PlayerId>> = gathering
        .places
        .iter()
        .map(|place| match place {
            SeatState::Taken(player) => Some(player.clone()),
            SeatState::Invited(_) | SeatState::Free => None,
        })
        .collect();
    let Some(mut players) = players else {
        announce(&mut change, news, context)?;
        return Ok(change);
    };
    let mut bytes = [0; 32];
    context.entropy.fill(&mut bytes)?;
    if change.after.seating == Seating::Lot {
        // The lot has a seed of its own: the match's seed is for the match.
        Seed::new(bytes).at(0).shuffle(&mut players);
        context.entropy.fill(&mut bytes)?;
    }
    let seed = Seed::new(bytes);
    let entry = entry_of(&change.after.game)?;
    let options = options_of(&change.after)?;
    let table = entry
        .open(&options, players.len() as u8, &seed)
        .map_err(Refusal::Seats)?;
    let clock = change.after.clock;
    let play = Play {
        clocks: (players.iter())
            .map(|player| SeatClock::of(player, clock))
            .collect(),
        players,
        ..new_play(entry.meta.rules_version, seed.reveal(), context)
    };
    begin_play(change, play, clock, table.as_ref(), context)
}

/// What is known of a match in which nothing has been played, and nobody sits yet.
pub(super) fn new_play(rules_version: u16, seed: String, context: &Context<'_>) -> Play {
    Play {
        players: Vec::new(),
        clocks: Vec::new(),
        rules_version,
        seed,
        table: String::new(),
        entries: 0,
        steps: 0,
        proposals: Vec::new(),
        paused: None,
        left: SeatSet::EMPTY,
        queues: BTreeMap::new(),
        pending_news: None,
        turn_sheet: TurnSheet::default(),
        hopes: BTreeMap::new(),
        watch: None,
        unseen: BTreeMap::new(),
        started: context.now,
        active: context.hours.table(context.now),
    }
}

/// The match goes on from here: clocks run, and everybody is shown how it stands.
pub(super) fn begin_play(
    mut change: Change,
    mut play: Play,
    clock: ClockKind,
    table: &dyn Table,
    context: &Context<'_>,
) -> Decision {
    let turn = settle(&mut play, clock, table, None, context)?;
    let news = News {
        opening: true,
        told: Vec::new(),
        hands: changed_hands(&play, &BTreeMap::new(), table),
        acted: None,
        turn,
    };
    make_known(&mut change, &mut play, news, context)?;
    change.after.stage = Stage::Running(play);
    Ok(change)
}
