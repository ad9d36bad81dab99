//! Saves that somebody has tampered with, or that a bad disk has.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use parlor::ai::Agent;
use parlor::catalog::Table;
use parlor::draw::Theme;
use parlor::game::{GameRng, MAX_SEATS, Seat, Viewer};
use serde_json::{Value, json};

use super::law::{Kept, Law, Spot};

/// Law 13: changes every field of a save in about `count` ways each; of a save with many fields, `most` of these changes
/// are tried. What is not refused must be playable.
pub fn tampered(spot: &Spot<'_>, count: usize, most: usize) -> Kept {
    let save: Value = serde_json::from_str(&spot.save(spot.table)?).expect("a save is JSON");
    let mut rng = spot.case.players(&format!("tampered {}", spot.step));
    let mut places = Vec::new();
    walk(&save, String::new(), &mut places);
    let strangers: Vec<Value> = places.iter().map(|(_, value)| (*value).clone()).collect();
    // All cells of a board are one field: each gets its share of changes.
    let mut fields: BTreeMap<String, Vec<(&str, Value)>> = BTreeMap::new();
    for (place, value) in &places {
        let changes = fields.entry(field_of(place)).or_default();
        let ways = changed(value, &strangers, &mut rng).into_iter();
        changes.extend(ways.map(|way| (place.as_str(), way)));
    }
    let mut sample: Vec<(&str, Value)> = Vec::new();
    for mut changes in fields.into_values() {
        rng.shuffle(&mut changes);
        // An enum has many names in one field, and a number many that are wrong.
        sample.extend(changes.into_iter().take(count));
    }
    rng.shuffle(&mut sample);
    sample.truncate(most);
    let mut panics = Vec::new();
    for (place, change) in sample {
        let mut other = save.clone();
        let Some(value) = other.pointer_mut(place) else {
            continue;
        };
        *value = change.clone();
        let draws = rng.below(8) == 0;
        let tried = catch_unwind(AssertUnwindSafe(|| try_out(spot, &other.to_string(), draws)));
        if tried.is_err() {
            panics.push(format!("{place} := {change}"));
        }
    }
    spot.ensure(Law::Tampering, panics.is_empty(), || {
        panics.truncate(12);
        format!(
            "a changed save was loaded and made it panic: {}",
            panics.join("; ")
        )
    })
}

/// Every value in a save by its JSON pointer.
fn walk<'v>(value: &'v Value, place: String, out: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                walk(value, format!("{place}/{index}"), out);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                walk(value, format!("{place}/{name}"), out);
            }
        }
        _ => {}
    }
    out.push((place, value));
}

/// A place without its numbers: `/game/armies/*/cells/*`.
fn field_of(place: &str) -> String {
    let part = |part: &str| if part.parse::<usize>().is_ok() { "*" } else { part }.to_owned();
    place.split('/').map(part).collect::<Vec<String>>().join("/")
}

/// What may stand there instead.
fn changed(value: &Value, strangers: &[Value], rng: &mut GameRng) -> Vec<Value> {
    let mut changes: Vec<Value> = match value {
        Value::Null => vec![json!(0), json!(1), json!([]), json!("")],
        Value::Bool(value) => vec![json!(!value), Value::Null],
        Value::Number(number) => {
            let near = number.as_u64().into_iter();
            let near = near.flat_map(|n| [n.wrapping_add(1), n.wrapping_sub(1), n.wrapping_mul(2)]);
            let far = [
                0,
                1,
                2,
                3,
                5,
                6,
                100,
                127,
                255,
                256,
                32767,
                65535,
                65536,
                u64::MAX,
            ];
            near.chain(far)
                .map(Value::from)
                .chain([json!(-1), json!(1.5), Value::Null])
                .collect()
        }
        Value::String(text) => {
            let doubled = format!("{text}{text}");
            let cut: String = text.chars().skip(1).collect();
            vec![
                json!(""),
                json!("?"),
                json!("é"),
                json!(doubled),
                json!(cut),
                Value::Null,
            ]
        }
        Value::Array(list) => {
            let mut lists = vec![Vec::new(), [list.clone(), list.clone()].concat()];
            if let ([first, rest @ ..], Some(last)) = (list.as_slice(), list.last()) {
                lists.push(rest.to_vec());
                lists.push(list[..list.len() - 1].to_vec());
                lists.push([list.clone(), vec![last.clone()]].concat());
                lists.push([vec![first.clone()], list.clone()].concat());
                lists.push(list.iter().rev().cloned().collect());
            }
            lists.into_iter().map(Value::Array).collect()
        }
        Value::Object(fields) => {
            let without = |name: &String| {
                let mut fields = fields.clone();
                fields.remove(name);
                Value::Object(fields)
            };
            fields.keys().map(without).chain([Value::Null]).collect()
        }
    };
    // What stands elsewhere is well formed and yet wrong here.
    let kind = std::mem::discriminant(value);
    for _ in 0..8 {
        let other = rng.choose(strangers);
        changes.extend(
            other
                .filter(|other| std::mem::discriminant(*other) == kind)
                .cloned(),
        );
    }
    changes.retain(|change| change != value);
    changes
}

/// Loads a save and does with it all that can be done with a table.
fn try_out(spot: &Spot<'_>, save: &str, draws: bool) {
    let Ok(table) = spot.case.entry.load(save) else {
        return;
    };
    look(spot, table.as_ref(), draws);
    let mut rng = spot.case.players(&format!("try out {}", spot.step));
    let (seed, step) = (spot.seed(), spot.next_step());
    for seat in Seat::all(MAX_SEATS) {
        let (mut left, mut lapsed) = (table.copy(), table.copy());
        left.withdraw(seat, &seed, step);
        look(spot, left.as_ref(), false);
        lapsed.lapse(seat, &seed, step);
        look(spot, lapsed.as_ref(), false);
    }
    for seat in table.awaiting().seats().iter() {
        look(spot, table.imagine(seat, &mut rng).as_ref(), false);
        table.act(seat, &Agent::GREEDY, 1, &AtomicBool::new(false));
        let legal = table.legal(seat);
        if let Some(action) = rng.choose(&legal) {
            table.foresee(seat, action, 1);
        }
    }
    let mut copy = table;
    for step in step..step + 8 {
        let seats: Vec<Seat> = copy.awaiting().seats().iter().collect();
        let Some(seat) = rng.choose(&seats) else { break };
        let legal = copy.legal(*seat);
        let Some(action) = rng.choose(&legal) else { break };
        let _ = copy.play(*seat, action, &seed, step);
        look(spot, copy.as_ref(), false);
    }
}

/// Asks a table all that it can be asked.
fn look(spot: &Spot<'_>, table: &dyn Table, draws: bool) {
    let _ = (
        table.awaiting(),
        table.outcome(),
        table.perft(1),
        table.save().is_ok(),
    );
    for seat in Seat::all(MAX_SEATS) {
        let _ = (
            table.legal(seat),
            table.guide(seat, &[]),
            table.complete(seat, "", 25),
        );
    }
    for viewer in spot.case.viewers().chain([Viewer::Omniscient]) {
        let frame = spot.case.frame(viewer, Theme::Light);
        let _ = (table.view(viewer), table.narration(viewer), table.hand(&frame));
        let _ = (table.text(&frame), table.alt(&frame));
        if draws {
            let _ = (table.picture(&frame).is_ok(), table.hand_picture(&frame).is_ok());
        }
    }
}
