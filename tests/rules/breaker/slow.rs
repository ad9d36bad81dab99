//! A second generator of legal actions, slow and plain.
//!
//! It reads nothing but what the omniscient view prints as JSON, and of that only facts: which block is
//! plugged into which socket, hands, supply, the task. Where blocks lie and what is open it works out
//! for itself, with maps and strings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

type Cell = (i64, i64);

const COMMANDS: [&str; 7] = [
    "annihilate",
    "automate",
    "accelerate",
    "attenuate",
    "agitate",
    "aggravate",
    "authenticate",
];

#[derive(Clone, Debug)]
struct Block {
    owner: u64,
    kind: String,
    into: String,
}

struct Table {
    blocks: BTreeMap<u64, Block>,
}

fn sockets(kind: &str) -> &str {
    if COMMANDS.contains(&kind) {
        "LFR"
    } else {
        &kind[1..]
    }
}

/// A socket's name taken apart: the block's number and the side.
fn parent(into: &str) -> Option<(u64, char)> {
    let side = into.chars().last()?;
    into[..into.len() - 1].parse().ok().map(|number| (number, side))
}

fn turned((x, y): Cell, side: char) -> Cell {
    match side {
        'L' => (-y, x),
        'R' => (y, -x),
        _ => (x, y),
    }
}

/// The cell that a Core socket faces, and the way.
fn core_socket(owner: u64, name: &str) -> Option<(Cell, Cell)> {
    let out = if owner == 1 { 1 } else { -1 };
    Some(match name {
        "I" => ((-2, out), (0, out)),
        "II" => ((0, out), (0, out)),
        "III" => ((2, out), (0, out)),
        "W" if owner == 1 => ((-3, 0), (-1, 0)),
        "E" if owner == 2 => ((3, 0), (1, 0)),
        _ => return None,
    })
}

impl Table {
    fn read(view: &Value) -> Self {
        let blocks = view["blocks"].as_array().unwrap();
        let block = |block: &Value| {
            (
                block["number"].as_u64().unwrap(),
                Block {
                    owner: block["seat"].as_u64().unwrap(),
                    kind: block["kind"].as_str().unwrap().to_owned(),
                    into: block["into"].as_str().unwrap().to_owned(),
                },
            )
        };
        Self {
            blocks: blocks.iter().map(block).collect(),
        }
    }

    /// Where a socket leads to, and the way it faces.
    fn leads(&self, owner: u64, socket: &str) -> (Cell, Cell) {
        if let Some(found) = core_socket(owner, socket) {
            return found;
        }
        let (number, side) = parent(socket).unwrap();
        let block = &self.blocks[&number];
        let (cell, way) = self.leads(block.owner, &block.into);
        let way = turned(way, side);
        ((cell.0 + way.0, cell.1 + way.1), way)
    }

    fn occupied(&self) -> BTreeSet<Cell> {
        let blocks = self
            .blocks
            .values()
            .map(|block| self.leads(block.owner, &block.into).0);
        (-2..=2).map(|x| (x, 0)).chain(blocks).collect()
    }

    fn open(&self, owner: u64) -> Vec<String> {
        let occupied = self.occupied();
        let core = ["I", "II", "III", "W", "E"]
            .into_iter()
            .filter(|name| core_socket(owner, name).is_some())
            .map(str::to_owned);
        let own = self.blocks.iter().filter(|(_, block)| block.owner == owner);
        let blocks = own.flat_map(|(number, block)| {
            sockets(&block.kind)
                .chars()
                .map(move |side| format!("{number}{side}"))
        });
        core.chain(blocks)
            .filter(|socket| !occupied.contains(&self.leads(owner, socket).0))
            .collect()
    }

    fn is_free(&self, number: u64) -> bool {
        !self.blocks.values().any(|block| {
            core_socket(block.owner, &block.into).is_none() && parent(&block.into).unwrap().0 == number
        })
    }

    fn moves(&self, owner: u64) -> Vec<String> {
        let mut moves = Vec::new();
        for (&number, block) in &self.blocks {
            if block.owner != owner || block.kind == "authenticate" || !self.is_free(number) {
                continue;
            }
            let mut lifted = Self {
                blocks: self.blocks.clone(),
            };
            lifted.blocks.remove(&number);
            let goals = lifted
                .open(owner)
                .into_iter()
                .filter(|socket| *socket != block.into);
            moves.extend(goals.map(|socket| format!("move {number} {socket}")));
        }
        moves
    }

    fn targets(&self, allowed: impl Fn(u64, &Block) -> bool) -> Vec<String> {
        self.blocks
            .iter()
            .filter(|(number, block)| {
                self.is_free(**number) && block.kind != "authenticate" && allowed(**number, block)
            })
            .map(|(number, _)| format!("target {number}"))
            .collect()
    }
}

fn counts(stock: &Value) -> BTreeMap<String, u64> {
    let stock = stock.as_object().unwrap();
    stock
        .iter()
        .map(|(kind, count)| (kind.clone(), count.as_u64().unwrap()))
        .collect()
}

/// The legal actions of the player to move.
pub fn legal(view: &Value) -> BTreeSet<String> {
    let table = Table::read(view);
    let me = view["to_move"].as_u64().unwrap();
    let foe = 3 - me;
    let (mine, theirs) = (me as usize - 1, foe as usize - 1);
    let blind = view["variant"].as_str().unwrap().starts_with("blind");
    let supply = counts(&view["supply"][mine]);
    let commands = counts(&view["commands"]["open"]);
    let held = counts(&view["hands"][mine]["held"]);
    let fresh = counts(&view["hands"][mine]["fresh"]);
    let authenticated = view["authenticated"].as_bool().unwrap();
    let of = |stock: &BTreeMap<String, u64>, kind: &str| stock.get(kind).copied().unwrap_or(0);
    // What can be picked of these commands: by name, or blindly.
    let pickable = |commands: Vec<&String>| -> Vec<String> {
        match (blind, commands.is_empty()) {
            (true, true) => Vec::new(),
            (true, false) => vec!["command".to_owned()],
            (false, _) => commands.into_iter().cloned().collect(),
        }
    };
    let drawable = || {
        let room = |kind: &&String| of(&held, kind) < if *kind == "authenticate" { 2 } else { 1 };
        let fitting = commands.keys().filter(room).collect();
        supply
            .keys()
            .cloned()
            .chain(pickable(fitting))
            .collect::<Vec<String>>()
    };
    let adds = |kinds: Vec<String>| {
        let open = table.open(me);
        kinds
            .into_iter()
            .flat_map(|kind| {
                open.iter()
                    .map(move |socket| format!("add {kind} {socket}"))
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<String>>()
    };
    let once = |kind: &str| kind != "authenticate" || !authenticated;
    let (task, detail) = match &view["task"] {
        Value::Null => ("", &Value::Null),
        Value::String(task) => (task.as_str(), &Value::Null),
        Value::Object(task) => task
            .iter()
            .next()
            .map(|(name, detail)| (name.as_str(), detail))
            .unwrap(),
        other => panic!("{other}"),
    };
    let keeps = |kinds: Vec<String>| kinds.into_iter().map(|kind| format!("keep {kind}")).collect();
    let list: Vec<String> = match task {
        "" => {
            let ready = held
                .keys()
                .filter(|kind| of(&held, kind) > of(&fresh, kind) && once(kind));
            let draws = drawable().into_iter().map(|kind| format!("draw {kind}"));
            ["pass".to_owned()]
                .into_iter()
                .chain(draws)
                .chain(adds(ready.cloned().collect()))
                .chain(table.moves(me))
                .collect()
        }
        "annihilate" => table.targets(|number, _| number != detail["acting"].as_u64().unwrap()),
        "automate" => {
            let fitting = commands
                .keys()
                .filter(|kind| *kind != "automate" && once(kind))
                .collect();
            adds(supply.keys().cloned().chain(pickable(fitting)).collect())
        }
        "accelerate" => drawable()
            .into_iter()
            .map(|kind| format!("take {kind}"))
            .collect(),
        "attenuate_own" => table.targets(|_, block| block.owner == me && block.kind != "attenuate"),
        "attenuate_enemy" => table.targets(|_, block| block.owner == foe && block.kind != "attenuate"),
        "agitate" => table.moves(foe),
        "aggravate_own" => keeps(held.keys().cloned().collect()),
        "aggravate_enemy" => {
            let enemy = counts(&view["hands"][theirs]["held"]);
            let (commands, powers): (Vec<&String>, Vec<&String>) =
                enemy.keys().partition(|kind| COMMANDS.contains(&kind.as_str()));
            keeps(powers.into_iter().cloned().chain(pickable(commands)).collect())
        }
        other => panic!("{other}"),
    };
    let set: BTreeSet<String> = list.iter().cloned().collect();
    assert_eq!(set.len(), list.len(), "twice the same");
    set
}
