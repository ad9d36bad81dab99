//! `parlor sim`: games without people.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::ai::Agent;
use crate::catalog::{Entry, Table};
use crate::game::{GameRng, OptionValues, Seat, Seed, Viewer, explore};
use crate::matches::record::{Deed, Record, RecordedOutcome};
use crate::text;
use serde_json::json;

use super::Failure;
use super::arguments::{GameArguments, Games, NamedAgent, UsageError, write_private_file};
use super::pace::Pace;

#[derive(Debug, clap::Args)]
pub struct SimArguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    games: Games,
    /// Who plays, one a seat, instead of random players
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',')]
    agents: Vec<NamedAgent>,
    /// Print one JSON object a step
    #[arg(long)]
    jsonl: bool,
    /// Write the match record
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Plays games to the end, at random if nobody is named.
pub fn sim(arguments: &SimArguments) -> Result<(), Failure> {
    let GameArguments { game: entry, .. } = arguments.game;
    let options = arguments.game.options()?;
    let seats = arguments.game.seats()?;
    let agents: Vec<&Agent> = arguments.agents.iter().map(|named| &named.agent).collect();
    if !agents.is_empty() && agents.len() != usize::from(seats) {
        let message = format!("--agents takes one player a seat: {seats}, not {}", agents.len());
        return Err(UsageError(message).into());
    }
    let games = arguments.games.count.unwrap_or(1);
    if arguments.record.is_some() && games != 1 {
        return Err(UsageError::new("--record keeps one game: leave out --games, or give --games 1").into());
    }
    let seed = match &arguments.games.seed {
        Some(text) => text.clone(),
        None => getrandom::u64().map_err(io::Error::other)?.to_string(),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut ends, mut turns) = (Ends::default(), Turns::default());
    for number in 1..=games {
        let match_seed = if number == 1 {
            Seed::from_text(&seed)
        } else {
            Seed::from_text(&format!("{seed}/{number}"))
        };
        let table = entry
            .open(&options, seats, &match_seed)
            .map_err(UsageError::new)?;
        let mut game = SimulatedGame {
            number,
            table,
            seed: match_seed,
            agents: &agents,
            pace: Pace::default(),
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
            write_private_file(path, text)?;
        }
        ends.add(&record);
        turns.add(&record, &game);
    }
    if !arguments.jsonl {
        ends.print(&mut out, &seed)?;
        turns.print(&mut out)?;
    }
    Ok(out.flush()?)
}

/// One game.
struct SimulatedGame<'a> {
    number: u64,
    table: Box<dyn Table>,
    seed: Seed,
    /// One a seat, or none if everybody plays at random.
    agents: &'a [&'a Agent],
    pace: Pace,
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
            let awaiting = self.table.awaiting();
            self.pace.note(entry, awaiting, seat, &action);
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
        self.pace.close(entry);
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
struct Ends {
    games: u64,
    steps: usize,
    counts: BTreeMap<(Vec<u8>, String), u64>,
}

impl Ends {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.steps += record.actions.len();
        if let Some(outcome) = &record.outcome {
            *self
                .counts
                .entry((outcome.ranks.clone(), outcome.reason.clone()))
                .or_default() += 1;
        }
    }

    fn print(&self, out: &mut impl Write, seed: &str) -> io::Result<()> {
        let mean = self.steps as f64 / self.games.max(1) as f64;
        let games = text::counted(self.games, "game", "games");
        writeln!(out, "{games} from seed {seed}, {mean:.1} steps each")?;
        for ((ranks, reason), count) in &self.counts {
            let ranks: Vec<String> = ranks.iter().map(u8::to_string).collect();
            writeln!(out, "{count:>8}  ranks {}  {reason}", ranks.join("-"))?;
        }
        Ok(())
    }
}

/// How fast the turns go, where a turn takes decisions of several players.
#[derive(Default)]
struct Turns {
    games: u32,
    turns: u32,
    hand_overs: u32,
    decisions: u32,
    actions: u32,
    /// Actions by the word that they begin with.
    verbs: BTreeMap<String, u32>,
}

impl Turns {
    fn add(&mut self, record: &Record, game: &SimulatedGame<'_>) {
        self.games += 1;
        self.turns += game.table.turns().unwrap_or(0);
        self.hand_overs += game.pace.hand_overs;
        self.decisions += game.pace.decisions;
        self.actions += game.pace.actions;
        for step in &record.actions {
            let Deed::Action(action) = &step.deed else {
                continue;
            };
            let verb = action.split(' ').next().unwrap_or_default();
            if verb.chars().all(|letter| letter.is_ascii_lowercase()) {
                *self.verbs.entry(verb.to_owned()).or_default() += 1;
            }
        }
    }

    /// Where a turn is one player's own there is nothing to tell.
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        if self.turns == 0 {
            return Ok(());
        }
        let a_turn = |count: u32| f64::from(count) / f64::from(self.turns);
        writeln!(
            out,
            "{:.1} turns each; a turn takes {:.2} hand-overs and {:.2} decisions, in {:.2} actions:",
            f64::from(self.turns) / f64::from(self.games),
            a_turn(self.hand_overs),
            a_turn(self.decisions),
            a_turn(self.actions)
        )?;
        let mut verbs: Vec<(&String, &u32)> = self.verbs.iter().collect();
        verbs.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (verb, count) in verbs {
            writeln!(out, "{:>8.2}  {verb}", a_turn(*count))?;
        }
        Ok(())
    }
}
