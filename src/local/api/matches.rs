//! A guest's matches.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::request::Asker;
use crate::local::guests::Guest;
use crate::local::problem::Problem;
use crate::local::{Local, PLATFORM, wire};
use crate::matches::clock::SeatClock;
use crate::matches::state::{Match, Play, Stage};

/// The guest's matches that are not over, those that wait for them first.
pub async fn matches(State(local): State<Arc<Local>>, Asker(guest): Asker) -> Result<Json<Value>, Problem> {
    let repository = local.parlor.service.repository();
    let mut found: Vec<(bool, Value)> = Vec::new();
    for code in repository.alive_of(&guest.id)? {
        if let Some(the_match) = repository.find(&code)? {
            found.push((awaits(&the_match, &guest), shown(&local, &the_match, &guest)));
        }
    }
    found.sort_by_key(|(own_turn, _)| Reverse(*own_turn));
    let found: Vec<Value> = found.into_iter().map(|(_, shown)| shown).collect();
    Ok(Json(json!({ "matches": found })))
}

fn shown(local: &Local, the_match: &Match, guest: &Guest) -> Value {
    let named = |player| wire::named(&local.parlor.service, player);
    let play = the_match.play();
    let deadline = play.and_then(|play| play.clocks.iter().filter_map(SeatClock::deadline).min());
    let thinking = play.into_iter().flat_map(Play::thinkers);
    let rooms = the_match.rooms.iter().filter(|room| room.platform() == PLATFORM);
    json!({
        "code": the_match.code.to_string(),
        "game": the_match.game,
        "running": play.is_some(),
        "players": the_match.people().into_iter().map(named).collect::<Vec<_>>(),
        "your_turn": awaits(the_match, guest),
        "thinking": thinking.map(named).collect::<Vec<_>>(),
        "deadline": deadline.map(|deadline| deadline.0),
        "rooms": rooms.map(|room| room.parts().1).collect::<Vec<_>>(),
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
