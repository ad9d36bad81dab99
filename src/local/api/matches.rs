//! A guest's matches, and one match as its guest looks at it.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::asker::Asker;
use crate::chat::command::Command;
use crate::chat::parlor::Input;
use crate::connections::Visit;
use crate::local::guests::Guest;
use crate::local::problem::RoomProblem;
use crate::local::wire::{self, NamedPlayer, Post};
use crate::local::{Local, PLATFORM};
use crate::matches::code::Code;
use crate::matches::service::Moment;
use crate::matches::state::{Ending, Match, Play, Stage};
use crate::web::rates::Activity;

/// How many of the matches that are over are listed.
const LATEST: usize = 12;

/// The guest's matches: those that are not over, the ones that wait for them first; then the latest that are.
pub async fn matches(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
) -> Result<Json<Value>, RoomProblem> {
    let repository = local.parlor.service.repository();
    let read = |codes: Vec<Code>| -> Result<Vec<ListedMatch>, RoomProblem> {
        let mut found = Vec::new();
        for code in codes {
            let the_match = repository.find(&code)?;
            found.extend(the_match.map(|the_match| listed(&local, &the_match, &guest)));
        }
        Ok(found)
    };
    let mut alive = read(repository.alive_of(&guest.id)?)?;
    alive.sort_by_key(|listed| Reverse(listed.your_turn));
    let mut finished = read(repository.finished_of(&guest.id, LATEST)?)?;
    finished.sort_by_key(|listed| Reverse(listed.ended));
    Ok(Json(json!({ "matches": alive, "finished": finished })))
}

/// A match, with the board and the hand as the guest sees them.
pub async fn one(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    visit: Visit,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Value>, RoomProblem> {
    local
        .rates
        .take(Activity::Read, Some(guest.id.as_str()), visit.address)?;
    let code: Code = code.parse().map_err(|_| RoomProblem::NoSuchMatch)?;
    let found = local.parlor.service.repository().find(&code)?;
    let the_match = found.ok_or(RoomProblem::NoSuchMatch)?;
    let room = the_match.rooms.iter().find(|room| room.platform() == PLATFORM);
    let about = || Some(code.clone().into());
    let ask = async |command: Command| -> Result<Post, RoomProblem> {
        let asked = command.to_string();
        let request = local.request(&guest, room.cloned(), None, Input::of(command), &headers);
        local.ask(request, &asked, None).await
    };
    let board = ask(Command::Board(about())).await?;
    let plays = the_match
        .running()
        .is_some_and(|play| !play.seats_of(&guest.id).is_empty());
    let hand = if plays {
        let hand = ask(Command::Hand(about())).await?;
        Some(hand).filter(|hand| hand.picture.is_some())
    } else {
        None
    };
    Ok(Json(json!({
        "match": listed(&local, &the_match, &guest),
        "board": board,
        "hand": hand,
    })))
}

/// What is known of a match at a glance.
#[derive(Serialize)]
struct ListedMatch {
    code: String,
    game: String,
    /// Raised by whatever happens in it.
    version: u64,
    stage: StageName,
    running: bool,
    paused: bool,
    players: Vec<NamedPlayer>,
    your_turn: bool,
    thinking: Vec<NamedPlayer>,
    deadline: Option<u64>,
    /// The time of every seat, if it has begun.
    clocks: Vec<ShownClock>,
    rooms: Vec<String>,
    /// How it ended for this guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<OwnResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum StageName {
    Open,
    Running,
    Over,
    CalledOff,
}

/// How a match ended, as one of its players sees it.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum OwnResult {
    Won,
    Lost,
    Drawn,
    /// Nobody won.
    BrokenOff,
}

/// The time of one seat.
#[derive(Serialize)]
struct ShownClock {
    player: NamedPlayer,
    /// Milliseconds that are left now; nothing if nobody counts them.
    left: Option<u64>,
    running: bool,
}

fn listed(local: &Local, the_match: &Match, guest: &Guest) -> ListedMatch {
    let named = |player| wire::named(&local.parlor.service, player);
    let play = the_match.play();
    let moment = local.parlor.service.moment();
    let deadline = play.and_then(|play| play.deadline(&moment.hours, moment.now));
    let thinking = play.into_iter().flat_map(Play::thinkers);
    let rooms = the_match.rooms.iter().filter(|room| room.platform() == PLATFORM);
    let (stage, ending) = match &the_match.stage {
        Stage::Open(_) => (StageName::Open, None),
        Stage::Running(_) => (StageName::Running, None),
        Stage::Over(play, ending) => (StageName::Over, Some((play, ending))),
        Stage::CalledOff(_) => (StageName::CalledOff, None),
    };
    ListedMatch {
        code: the_match.code.to_string(),
        game: the_match.game.clone(),
        version: the_match.version,
        stage,
        running: the_match.running().is_some(),
        paused: play.is_some_and(|play| play.paused.is_some()),
        players: the_match.people().into_iter().map(named).collect(),
        your_turn: awaits(the_match, guest),
        thinking: thinking.map(named).collect(),
        deadline: deadline.map(|deadline| deadline.0),
        clocks: play.map(|play| clocks(local, play, &moment)).unwrap_or_default(),
        rooms: rooms.map(|room| room.parts().1.to_owned()).collect(),
        result: ending.and_then(|(play, ending)| own_result(play, ending, guest)),
        ended: ending.map(|(_, ending)| ending.at.0),
    }
}

fn clocks(local: &Local, play: &Play, moment: &Moment) -> Vec<ShownClock> {
    let seated = play.players.iter().zip(&play.clocks);
    let shown = seated.map(|(player, clock)| {
        let here = moment.hours.now_at(player.platform(), moment.now);
        let spent = clock.running.map(|since| here.since(since)).unwrap_or_default();
        ShownClock {
            player: wire::named(&local.parlor.service, player),
            left: clock.bank.map(|bank| bank.saturating_sub(spent).0),
            running: clock.running.is_some(),
        }
    });
    shown.collect()
}

fn own_result(play: &Play, ending: &Ending, guest: &Guest) -> Option<OwnResult> {
    let own = play.seats_of(&guest.id).iter().next()?;
    let Some(outcome) = &ending.outcome else {
        return Some(OwnResult::BrokenOff);
    };
    let rank = outcome.ranks.get(own.index())?;
    // Both may lose.
    Some(if *rank != 1 {
        OwnResult::Lost
    } else if outcome.ranks.iter().filter(|other| **other == 1).count() > 1 {
        OwnResult::Drawn
    } else {
        OwnResult::Won
    })
}

/// Whether a clock of this guest runs in the match.
fn awaits(the_match: &Match, guest: &Guest) -> bool {
    match &the_match.stage {
        Stage::Running(play) => play
            .seats_of(&guest.id)
            .iter()
            .any(|seat| play.clocks[seat.index()].running.is_some()),
        Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => false,
    }
}
