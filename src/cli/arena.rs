//! `parlor arena`: two players made of code meet, again and again.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::ai::Agent;
use crate::catalog::Entry;
use crate::game::{OptionValues, Outcome, Seat, Seed, explore};
use crate::text;

use super::arguments::{GameArguments, Games, NamedAgent, whole};
use super::interval::Interval;
use super::{Failure, parallel};

/// Games, if nothing is said.
const GAMES: u64 = 200;

#[derive(Debug, clap::Args)]
pub struct ArenaArguments {
    #[command(flatten)]
    game: GameArguments,
    /// Who plays: random, greedy, level1 to level5, or level5@2000 for so many simulations a move
    #[arg(long, value_name = "X")]
    a: NamedAgent,
    /// Against whom; with more than two seats they take all but one
    #[arg(long, value_name = "Y")]
    b: NamedAgent,
    #[command(flatten)]
    games: Games,
    /// How many games at once
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true, default_value = "1")]
    threads: usize,
}

/// Plays and prints how it went.
pub fn arena(arguments: &ArenaArguments) -> Result<(), Failure> {
    let GameArguments { game, .. } = arguments.game;
    let players = [&arguments.a, &arguments.b];
    let names = players.map(|player| player.name.as_str());
    let seats = arguments.game.seats()?;
    let hall = Hall {
        game,
        options: arguments.game.options()?,
        seats,
        seed: arguments.games.seed.as_deref().unwrap_or("arena"),
        agents: players.map(|player| &player.agent),
    };
    let games = arguments.games.count.unwrap_or(GAMES);
    let results = parallel::all(games, arguments.threads, |number| hall.play(number))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} against {}", game.meta.id, names[0], names[1])?;
    Ok(print(&mut out, &results, seats, names)?)
}

/// Where they meet.
struct Hall<'a> {
    game: &'static Entry,
    options: OptionValues,
    seats: u8,
    seed: &'a str,
    /// The first takes one seat, a different one each game; the second takes the others.
    agents: [&'a Agent; 2],
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Won,
    Drew,
    Lost,
    /// So has everybody else.
    AllLost,
}

impl Fate {
    fn of(outcome: &Outcome, seat: Seat) -> Self {
        let winners = outcome.winners();
        match (winners.contains(seat), winners.len()) {
            (true, 1) => Self::Won,
            (true, _) => Self::Drew,
            (false, 0) => Self::AllLost,
            (false, _) => Self::Lost,
        }
    }

    /// What it counts in the score. Where all have lost, nobody was better.
    const fn points(self) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::Drew | Self::AllLost => 0.5,
            Self::Lost => 0.0,
        }
    }
}

/// One game.
struct Played {
    seat: Seat,
    fate: Fate,
    steps: u64,
    efforts: [Effort; 2],
}

impl Hall<'_> {
    fn play(&self, number: u64) -> io::Result<Played> {
        let first = Seat::new((number % u64::from(self.seats)) as u8);
        let seed = Seed::from_text(&format!("{}/{number}", self.seed));
        let opened = self.game.open(&self.options, self.seats, &seed);
        let mut table = opened.map_err(io::Error::other)?;
        // The players' own chance: a stream of the seed that no step of a match reaches.
        let mut chance = seed.at(u64::MAX);
        let never = AtomicBool::new(false);
        let mut efforts = [Effort::default(); 2];
        let mut steps = 0;
        while let Some(seat) = explore::random_seat(table.awaiting(), &mut chance) {
            let which = usize::from(seat != first);
            let start = Instant::now();
            let thought = table.act(seat, self.agents[which], chance.word(), &never);
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
        let outcome = table.outcome();
        let outcome = outcome.ok_or_else(|| io::Error::other("a game ended without an outcome"))?;
        let fate = Fate::of(&outcome, first);
        Ok(Played {
            seat: first,
            fate,
            steps,
            efforts,
        })
    }
}

/// Prints wins, draws and losses, with a draw as half a win; and where it happened, how often all have lost.
fn print_score<'a>(
    out: &mut impl Write,
    label: &str,
    results: impl Iterator<Item = &'a Played>,
) -> io::Result<()> {
    let fates: Vec<Fate> = results.map(|played| played.fate).collect();
    let count = |fate: Fate| fates.iter().filter(|other| **other == fate).count();
    let [won, drew, lost] = [Fate::Won, Fate::Drew, Fate::Lost].map(count);
    let by_all = match count(Fate::AllLost) {
        0 => String::new(),
        all => format!("{all:>7} lost by all"),
    };
    let points: f64 = fates.iter().map(|fate| fate.points()).sum();
    let Interval { value, low, high } = Interval::share(points, fates.len() as f64).per_cent();
    writeln!(
        out,
        "{label:<10}{won:>6} won {drew:>6} drawn {lost:>6} lost{by_all}   score {value:>5.1} % ({low:.1} to {high:.1})"
    )
}

fn print(out: &mut impl Write, results: &[Played], seats: u8, names: [&str; 2]) -> io::Result<()> {
    for seat in Seat::all(seats) {
        let there = results.iter().filter(|played| played.seat == seat);
        print_score(out, &format!("seat {seat}"), there)?;
    }
    print_score(out, "all", results.iter())?;
    let games = results.len().max(1) as f64;
    let steps: u64 = results.iter().map(|played| played.steps).sum();
    writeln!(
        out,
        "{} of {:.1} steps",
        text::counted(results.len(), "game", "games"),
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

    #[test]
    fn a_game_that_all_have_lost_is_no_players_loss() {
        let fates = |ranks: &[u8]| {
            let outcome = Outcome::new(ranks.to_vec(), "over");
            Seat::all(2)
                .map(|seat| Fate::of(&outcome, seat))
                .collect::<Vec<Fate>>()
        };
        assert_eq!(fates(&[1, 2]), [Fate::Won, Fate::Lost]);
        assert_eq!(fates(&[1, 1]), [Fate::Drew; 2]);
        assert_eq!(fates(&[2, 2]), [Fate::AllLost; 2]);
        // Whoever is called the first player: what both get is one game.
        for ranks in [[1, 2], [2, 1], [1, 1], [2, 2]] {
            let points: f64 = fates(&ranks).into_iter().map(Fate::points).sum();
            assert_eq!(points, 1.0, "{ranks:?}");
        }
    }
    #[test]
    fn what_all_have_lost_stands_beside_the_draws() {
        let line = |fates: &[Fate]| {
            let results: Vec<Played> = fates
                .iter()
                .map(|&fate| Played {
                    seat: Seat::new(0),
                    fate,
                    steps: 1,
                    efforts: [Effort::default(); 2],
                })
                .collect();
            let mut out = Vec::new();
            print_score(&mut out, "all", results.iter()).unwrap();
            String::from_utf8(out).unwrap()
        };
        let both = line(&[Fate::Won, Fate::AllLost, Fate::Drew, Fate::AllLost]);
        assert!(
            both.starts_with(
                "all            1 won      1 drawn      0 lost      2 lost by all   score  62.5 %"
            ),
            "{both}"
        );
        let usual = line(&[Fate::Won, Fate::Lost]);
        assert!(
            usual.starts_with("all            1 won      0 drawn      1 lost   score  50.0 %"),
            "{usual}"
        );
    }
}
