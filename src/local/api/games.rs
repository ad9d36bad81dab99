//! What can be played, and how.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};

use crate::ai::Level;
use crate::catalog::{self, Entry};
use crate::connections::Visit;
use crate::game::options::OptionSpec;
use crate::game::{OptionKind, OptionValues};
use crate::local::Local;
use crate::local::problem::RoomProblem;
use crate::matches::bot::USUAL_LEVEL;
use crate::web::rates::Activity;

/// An option, with values to pick from.
#[derive(Serialize)]
struct OfferedOption {
    name: &'static str,
    help: &'static str,
    default: String,
    values: Vec<OfferedValue>,
}

#[derive(Serialize)]
struct OfferedValue {
    value: String,
    /// Whether the rulebook plays with it.
    rulebook: bool,
    /// About how many moves a match takes with it, where that makes a difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<u32>,
}

pub async fn games(State(local): State<Arc<Local>>, visit: Visit) -> Result<Json<Value>, RoomProblem> {
    local.rates.take(Activity::Read, None, visit.address)?;
    let level = |level: Level| json!({ "level": level.to_string(), "help": level.describe() });
    Ok(Json(json!({
        "games": catalog::games().map(game).collect::<Vec<_>>(),
        "levels": Level::ALL.map(level),
        "usual_level": USUAL_LEVEL.to_string(),
    })))
}

fn game(entry: &Entry) -> Value {
    let meta = entry.meta;
    let usual = entry.usual_moves(&OptionValues::defaults(meta.options));
    json!({
        "id": meta.id,
        "name": meta.name,
        "tagline": meta.tagline,
        "seats": [meta.seats.start(), meta.seats.end()],
        "moves": usual,
        "options": meta.options.iter().map(|spec| offered(entry, spec)).collect::<Vec<_>>(),
    })
}

fn offered(entry: &Entry, spec: &OptionSpec) -> OfferedOption {
    let default = spec.default_text();
    let mut values = match spec.kind {
        OptionKind::Whole { min, max, .. } => (min..=max).map(|value| value.to_string()).collect(),
        OptionKind::Switch { .. } | OptionKind::Choice { .. } | OptionKind::Text { .. } => spec.examples(),
    };
    if !values.contains(&default) {
        values.insert(0, default.clone());
    }
    let moves = |value: &String| {
        let options = OptionValues::choose(entry.meta.options, [(spec.name, value.as_str())]).ok()?;
        entry.usual_moves(&options)
    };
    let lengths: Vec<Option<u32>> = values.iter().map(moves).collect();
    let matters = lengths.windows(2).any(|pair| pair[0] != pair[1]);
    let offered = values
        .into_iter()
        .zip(lengths)
        .map(|(value, moves)| OfferedValue {
            rulebook: spec.rulebook == Some(value.as_str()),
            moves: moves.filter(|_| matters),
            value,
        });
    OfferedOption {
        name: spec.name,
        help: spec.help,
        default,
        values: offered.collect(),
    }
}
