//! `parlor sim`: games without people.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::AtomicBool;

use crate::ai::Agent;
use crate::catalog::{Entry, Table};
use crate::game::{GameRng, OptionValues, Seat, Seed, Viewer, explore};
use crate::matches::record::{Record, RecordedOutcome};
use serde_json::json;

use super::Failure;
use super::arguments::{Arguments, UsageError, agent};

/// Plays games to the end, at random if nobody is named.
pub fn sim(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&[
        "--seats", "--set", "--seed", "--games", "--jsonl", "--record", "--agents",
    ])?;
    let entry = arguments.game()?;
    let options = arguments.options(entry)?;
    let seats = arguments.seats(entry);
    let agents = agents(arguments, seats)?;
    let games = arguments.games.unwrap_or(1);
    if arguments.record.is_some() && games != 1 {
        return Err(UsageError::new("--record keeps one game: leave out --games, or give --games 1").into());
    }
    let seed = match &arguments.seed {
        Some(text) => text.clone(),
        None => draw_seed()?,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut tally = Tally::default();
    for number in 1..=games {
        let match_seed = if number == 1 {
            Seed::from_text(&seed)
        } else {
            Seed::from_text(&format!("{seed}/{number}"))
        };
        let table = entry
            .open(&options, seats, &match_seed)
            .map_err(|error| UsageError::new(error.to_string()))?;
        let mut game = SimulatedGame {
            number,
            table,
            seed: match_seed,
            agents: &agents,
        };
        let record = game.play(entry, &options, |line| {
            if arguments.jsonl {
                writeln!(out, "{line}")
            } else {
                Ok(())
            }
        })?;
        if let Some(path) = &arguments.record {
            let text = record.to_json().map_err(io::Error::from)? + "\n";
            fs::write(path, text)
                .map_err(|error| UsageError(format!("can't write {}: {error}", path.display())))?;
        }
        tally.add(&record);
    }
    if !arguments.jsonl {
        tally.print(&mut out, &seed)?;
    }
    Ok(out.flush()?)
}

fn draw_seed() -> io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(u64::from_le_bytes(bytes).to_string())
}

/// Those who are named, one a seat; nobody if everybody plays at random.
fn agents(arguments: &Arguments, seats: u8) -> Result<Vec<Agent>, UsageError> {
    let Some(names) = &arguments.agents else {
        return Ok(Vec::new());
    };
    let agents: Vec<Agent> = names
        .split(',')
        .map(|name| agent("--agents", name.trim()))
        .collect::<Result<_, _>>()?;
    if agents.len() != usize::from(seats) {
        return Err(UsageError(format!(
            "--agents takes one player a seat: {seats}, not {}",
            agents.len()
        )));
    }
    Ok(agents)
}

/// One game.
struct SimulatedGame<'a> {
    number: u64,
    table: Box<dyn Table>,
    seed: Seed,
    /// One a seat, or none if everybody plays at random.
    agents: &'a [Agent],
}

impl SimulatedGame<'_> {
    fn play(
        &mut self,
        entry: &Entry,
        options: &OptionValues,
        mut each: impl FnMut(serde_json::Value) -> io::Result<()>,
    ) -> io::Result<Record> {
        let mut record = Record::start(entry, options, self.table.seats(), &self.seed);
        // The players' own chance: a stream of the seed that no step of a match reaches.
        let mut players = self.seed.at(u64::MAX);
        while let Some((seat, action, legal)) = self.choose(&mut players) {
            let step = record.actions.len() as u64 + 1;
            self.table
                .play(seat, &action, &self.seed, step)
                .map_err(io::Error::other)?;
            let outcome = self.table.outcome();
            each(json!({
                "game": self.number,
                "step": step,
                "seat": seat,
                "action": action,
                "legal": legal,
                "view": self.table.view(Viewer::Omniscient),
                "outcome": outcome,
            }))?;
            record.act(seat, action);
            record.outcome = outcome.as_ref().map(RecordedOutcome::from);
        }
        Ok(record)
    }

    fn choose(&self, players: &mut GameRng) -> Option<(Seat, String, Vec<String>)> {
        let seat = explore::random_seat(self.table.awaiting(), players)?;
        let legal = self.table.legal(seat);
        let action = match self.agents.get(seat.index()) {
            Some(agent) => {
                let never = AtomicBool::new(false);
                self.table.act(seat, agent, players.word(), &never)?.action
            }
            None => players.choose(&legal)?.clone(),
        };
        Some((seat, action, legal))
    }
}

/// How the games ended.
#[derive(Default)]
struct Tally {
    games: u64,
    steps: usize,
    ends: BTreeMap<(Vec<u8>, String), u64>,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.steps += record.actions.len();
        if let Some(outcome) = &record.outcome {
            *self
                .ends
                .entry((outcome.ranks.clone(), outcome.reason.clone()))
                .or_default() += 1;
        }
    }

    fn print(&self, out: &mut impl Write, seed: &str) -> io::Result<()> {
        let mean = self.steps as f64 / self.games.max(1) as f64;
        writeln!(out, "{} games from seed {seed}, {mean:.1} steps each", self.games)?;
        for ((ranks, reason), count) in &self.ends {
            let ranks: Vec<String> = ranks.iter().map(u8::to_string).collect();
            writeln!(out, "{count:>8}  ranks {}  {reason}", ranks.join("-"))?;
        }
        Ok(())
    }
}
