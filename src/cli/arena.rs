//! `parlor arena`: two players made of code meet, again and again.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::ai::Agent;
use crate::catalog::Entry;
use crate::game::{OptionValues, Seat, Seed, explore};

use super::Failure;
use super::arguments::{Arguments, UsageError, agent};

/// Games, if nothing is said.
const GAMES: u64 = 200;

/// Plays and prints how it went.
pub fn arena(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&["--a", "--b", "--seats", "--set", "--seed", "--games", "--threads"])?;
    let entry = arguments.game()?;
    let named = |option: &str, name: &Option<String>| match name {
        Some(name) => Ok((name.clone(), agent(option, name)?)),
        None => Err(UsageError(format!(
            "who plays? Say {option} random, greedy or level1 to level5"
        ))),
    };
    let (a_name, a) = named("--a", &arguments.a)?;
    let (b_name, b) = named("--b", &arguments.b)?;
    let seats = arguments.seats(entry);
    entry
        .check_seats(seats)
        .map_err(|error| UsageError::new(error.to_string()))?;
    let hall = Hall {
        entry,
        options: arguments.options(entry)?,
        seats,
        seed: arguments.seed.clone().unwrap_or_else(|| "arena".to_owned()),
        agents: [a, b],
    };
    let results = hall.play_all(arguments.games.unwrap_or(GAMES), arguments.threads.unwrap_or(1))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {a_name} against {b_name}", entry.meta.id)?;
    Ok(print(&mut out, &results, seats, [&a_name, &b_name])?)
}

/// Where they meet.
struct Hall {
    entry: &'static Entry,
    options: OptionValues,
    seats: u8,
    seed: String,
    /// The first takes one seat, a different one each game; the second takes the others.
    agents: [Agent; 2],
}

/// What a player thought in a game, all in all.
#[derive(Clone, Copy, Default)]
struct Effort {
    simulations: u64,
    moves: u64,
    time: Duration,
    longest: Duration,
}

/// How the first player fared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Won,
    Drew,
    Lost,
}

/// One game.
struct Played {
    seat: Seat,
    fate: Fate,
    steps: u64,
    efforts: [Effort; 2],
}

impl Hall {
    fn play_all(&self, games: u64, threads: usize) -> io::Result<Vec<Played>> {
        let next = AtomicU64::new(0);
        let results = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, 64) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= games {
                            return;
                        }
                        let played = self.play(number);
                        let failed = played.is_err();
                        results
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(played);
                        if failed {
                            return;
                        }
                    }
                });
            }
        });
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().collect()
    }

    fn play(&self, number: u64) -> io::Result<Played> {
        let first = Seat::new((number % u64::from(self.seats)) as u8);
        let seed = Seed::from_text(&format!("{}/{number}", self.seed));
        let opened = self.entry.open(&self.options, self.seats, &seed);
        let mut table = opened.map_err(io::Error::other)?;
        // The players' own chance: a stream of the seed that no step of a match reaches.
        let mut chance = seed.at(u64::MAX);
        let never = AtomicBool::new(false);
        let mut efforts = [Effort::default(); 2];
        let mut steps = 0;
        while let Some(seat) = explore::random_seat(table.awaiting(), &mut chance) {
            let which = usize::from(seat != first);
            let start = Instant::now();
            let thought = table.act(seat, &self.agents[which], chance.word(), &never);
            let took = start.elapsed();
            let thought = thought.ok_or_else(|| io::Error::other("a player had no answer"))?;
            let effort = &mut efforts[which];
            effort.moves += 1;
            effort.longest = effort.longest.max(took);
            if thought.simulations > 0 {
                effort.simulations += thought.simulations;
                effort.time += took;
            }
            steps += 1;
            table
                .play(seat, &thought.action, &seed, steps)
                .map_err(io::Error::other)?;
        }
        let winners = table
            .outcome()
            .map(|outcome| outcome.winners())
            .unwrap_or_default();
        let fate = match (winners.contains(first), winners.len()) {
            (true, 1) => Fate::Won,
            (true, _) => Fate::Drew,
            (false, _) => Fate::Lost,
        };
        Ok(Played {
            seat: first,
            fate,
            steps,
            efforts,
        })
    }
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Default)]
struct Tally {
    won: u32,
    drew: u32,
    lost: u32,
}

impl Tally {
    fn of<'a>(results: impl Iterator<Item = &'a Played>) -> Self {
        results.fold(Self::default(), |mut tally, played| {
            match played.fate {
                Fate::Won => tally.won += 1,
                Fate::Drew => tally.drew += 1,
                Fate::Lost => tally.lost += 1,
            }
            tally
        })
    }

    const fn games(self) -> u32 {
        self.won + self.drew + self.lost
    }

    /// A draw is half a win.
    fn score(self) -> f64 {
        (f64::from(self.won) + f64::from(self.drew) / 2.0) / f64::from(self.games().max(1))
    }

    fn print(self, out: &mut impl Write, label: &str) -> io::Result<()> {
        let (low, high) = wilson(self.score(), f64::from(self.games()));
        writeln!(
            out,
            "{label:<10}{:>6} won {:>6} drawn {:>6} lost   score {:>5.1} % ({:.1} to {:.1})",
            self.won,
            self.drew,
            self.lost,
            100.0 * self.score(),
            100.0 * low,
            100.0 * high
        )
    }
}

/// Wilson's interval: where the true share lies, with 95 % certainty, if this share of so many games was won.
fn wilson(share: f64, games: f64) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if games < 1.0 {
        return (0.0, 1.0);
    }
    let weight = 1.0 + Z * Z / games;
    let middle = (share + Z * Z / (2.0 * games)) / weight;
    let reach = Z / weight * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
    ((middle - reach).max(0.0), (middle + reach).min(1.0))
}

fn print(out: &mut impl Write, results: &[Played], seats: u8, names: [&str; 2]) -> io::Result<()> {
    for seat in Seat::all(seats) {
        let there = results.iter().filter(|played| played.seat == seat);
        Tally::of(there).print(out, &format!("seat {seat}"))?;
    }
    Tally::of(results.iter()).print(out, "all")?;
    let games = results.len().max(1) as f64;
    let steps: u64 = results.iter().map(|played| played.steps).sum();
    writeln!(
        out,
        "{} games of {:.1} steps",
        results.len(),
        steps as f64 / games
    )?;
    for (which, name) in names.into_iter().enumerate() {
        let efforts = || results.iter().filter_map(|played| played.efforts.get(which));
        let simulations: u64 = efforts().map(|effort| effort.simulations).sum();
        let moves: u64 = efforts().map(|effort| effort.moves).sum();
        let time: f64 = efforts().map(|effort| effort.time.as_secs_f64()).sum();
        let longest = efforts().map(|effort| effort.longest).max().unwrap_or_default();
        writeln!(
            out,
            "{name}: {:.0} simulations a move, {:.0} a second, longest thought {:.0} ms",
            simulations as f64 / moves.max(1) as f64,
            simulations as f64 / time.max(1e-9),
            longest.as_secs_f64() * 1e3
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are those of Newcombe's worked example, 81 of 263, and of none in ten.
    #[test]
    fn intervals_are_wilsons() {
        let (low, high) = wilson(81.0 / 263.0, 263.0);
        assert!(
            (low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5,
            "{low} {high}"
        );
        let (low, high) = wilson(0.0, 10.0);
        assert!(low.abs() < 1e-9 && (high - 0.2775).abs() < 5e-5, "{low} {high}");
    }
}
