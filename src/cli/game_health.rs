//! `parlor health GAME`: how matches of a game go, to see whether they are worth playing: how long they are, who wins from
//! which seat, how many are drawn, how much there is to decide, and how they are won.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use crate::ai::{Agent, Level};
use crate::catalog::Entry;
use crate::game::{Awaiting, OptionValues, Outcome, Seat, Seed, explore};
use crate::text;

use super::arguments::{GameArguments, NamedAgent, TrialArguments, UsageError};
use super::interval::Interval;
use super::pace::Pace;
use super::{Failure, parallel};

/// Games, if nothing is said.
const GAMES: u64 = 100;

/// Who plays, if nobody is named.
static USUAL: Agent = Agent::level(Level::ALL[2]);
const USUAL_NAME: &str = "level3";

/// Plays and prints the table.
pub fn game_health(game: &GameArguments, arguments: &TrialArguments) -> Result<(), Failure> {
    let seats = game.seats()?;
    let players = players(&arguments.agents, seats)?;
    let trial = Trial {
        game: game.game,
        options: game.options()?,
        seats,
        seed: arguments.seed.as_deref().unwrap_or("health"),
        agents: players.iter().map(|(_, agent)| *agent).collect(),
    };
    let games = arguments.games.unwrap_or(GAMES);
    let results = parallel::all(games, arguments.threads, |number| trial.play(number))?;
    let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {}, {}",
        game.game.meta.id,
        text::counted(results.len(), "game", "games"),
        names.join(" against ")
    )?;
    Ok(print(&mut out, &results, seats)?)
}

/// One player a seat: as named, or the same on all.
fn players(named: &[NamedAgent], seats: u8) -> Result<Vec<(&str, &Agent)>, UsageError> {
    match named {
        [] => Ok(vec![(USUAL_NAME, &USUAL); usize::from(seats)]),
        [one] => Ok(vec![(one.name.as_str(), &one.agent); usize::from(seats)]),
        several if several.len() == usize::from(seats) => Ok(several
            .iter()
            .map(|one| (one.name.as_str(), &one.agent))
            .collect()),
        several => Err(UsageError(format!(
            "--agents takes one player for all seats, or one a seat: {seats}, not {}",
            several.len()
        ))),
    }
}

/// What is tried.
struct Trial<'a> {
    game: &'static Entry,
    options: OptionValues,
    seats: u8,
    seed: &'a str,
    agents: Vec<&'a Agent>,
}

/// One game.
struct Played {
    pace: Pace,
    /// How many turns there were, where a turn takes decisions of several players.
    turns: Option<u32>,
    /// Who had the first turn, if there are turns.
    first: Option<Seat>,
    outcome: Option<Outcome>,
}

impl Trial<'_> {
    fn play(&self, number: u64) -> io::Result<Played> {
        let seed = Seed::from_text(&format!("{}/{number}", self.seed));
        let opened = self.game.open(&self.options, self.seats, &seed);
        let mut table = opened.map_err(io::Error::other)?;
        // The players' own chance: a stream of the seed that no step of a match reaches.
        let mut chance = seed.at(u64::MAX);
        let never = AtomicBool::new(false);
        let mut played = Played {
            pace: Pace::default(),
            turns: None,
            first: None,
            outcome: None,
        };
        loop {
            let awaiting = table.awaiting();
            let Some(seat) = explore::random_seat(awaiting, &mut chance) else {
                break;
            };
            if let Awaiting::Turn(seat) = awaiting {
                played.first.get_or_insert(seat);
            }
            let agent = self.agents.get(seat.index());
            let thought = agent.and_then(|agent| table.act(seat, agent, chance.word(), &never));
            let thought = thought.ok_or_else(|| io::Error::other("a player had no answer"))?;
            played.pace.note(self.game, awaiting, seat, &thought.action);
            let step = u64::from(played.pace.actions);
            table
                .play(seat, &thought.action, &seed, step)
                .map_err(io::Error::other)?;
        }
        played.pace.close(self.game);
        played.turns = table.turns();
        played.outcome = table.outcome();
        Ok(played)
    }
}

impl Played {
    /// A seat's part of the win, which is shared among those who won.
    fn share(&self, seat: Seat) -> f64 {
        let winners = self.outcome.as_ref().map(Outcome::winners).unwrap_or_default();
        if winners.contains(seat) {
            1.0 / winners.len() as f64
        } else {
            0.0
        }
    }

    fn is_drawn(&self) -> bool {
        // Both may lose, too.
        self.outcome
            .as_ref()
            .is_none_or(|outcome| outcome.winners().len() != 1)
    }
}

fn print(out: &mut impl Write, results: &[Played], seats: u8) -> io::Result<()> {
    let games = results.len() as f64;
    let share = |part: f64, of: f64| Interval::share(part, of).per_cent();
    let figures = |figure: fn(&Played) -> u32| -> Vec<f64> {
        results.iter().map(|played| figure(played).into()).collect()
    };
    let mut lengths: Vec<u32> = results.iter().map(|played| played.pace.actions).collect();
    lengths.sort_unstable();
    let at = |tenths: usize| {
        let place = lengths.len().saturating_sub(1) * tenths / 10;
        lengths.get(place).copied().unwrap_or_default()
    };
    writeln!(
        out,
        "length       median {} actions, eight of ten between {} and {}; mean {}",
        at(5),
        at(1),
        at(9),
        Interval::mean(&figures(|played| played.pace.actions))
    )?;
    let each = |figure: fn(&Played) -> u32| {
        let figures = figures(figure).into_iter();
        Interval::mean(
            &figures
                .map(|figure| figure / f64::from(seats))
                .collect::<Vec<f64>>(),
        )
    };
    writeln!(
        out,
        "decisions    {} a player and game",
        each(|played| played.pace.decisions)
    )?;
    let hand_overs = Interval::mean(&figures(|played| played.pace.hand_overs));
    writeln!(out, "hand-overs   {hand_overs} a game")?;
    let a_turn = |figure: fn(&Played) -> u32| {
        let share = |played: &Played| Some(f64::from(figure(played)) / f64::from(played.turns?.max(1)));
        Interval::mean(&results.iter().filter_map(share).collect::<Vec<f64>>())
    };
    let turns: Vec<f64> = results
        .iter()
        .filter_map(|played| played.turns)
        .map(f64::from)
        .collect();
    // Where a turn is one player's own there is nothing to tell.
    if !turns.is_empty() {
        writeln!(
            out,
            "turns        {} a game; each takes {} hand-overs and {} decisions",
            Interval::mean(&turns),
            a_turn(|played| played.pace.hand_overs),
            a_turn(|played| played.pace.decisions)
        )?;
    }
    let first = |played: &Played| Some(played.share(played.first?));
    let firsts: Vec<f64> = results.iter().filter_map(first).collect();
    if !firsts.is_empty() {
        let won = share(firsts.iter().sum(), firsts.len() as f64);
        writeln!(out, "first turn   {won} % of wins; a draw is shared")?;
    }
    for seat in Seat::all(seats) {
        let won = share(results.iter().map(|played| played.share(seat)).sum(), games);
        writeln!(out, "seat {seat}       {won} %")?;
    }
    let drawn = results.iter().filter(|played| played.is_drawn()).count();
    writeln!(out, "drawn        {} %", share(drawn as f64, games))?;
    writeln!(out, "how it ended")?;
    let mut ways: BTreeMap<&str, u32> = BTreeMap::new();
    for outcome in results.iter().filter_map(|played| played.outcome.as_ref()) {
        *ways.entry(&outcome.reason).or_default() += 1;
    }
    let mut ways: Vec<(&str, u32)> = ways.into_iter().collect();
    ways.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (way, count) in ways {
        writeln!(out, "{count:>6}  {} %  {way}", share(count.into(), games))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::find;

    /// Where a turn takes decisions of several players it goes at the speed of chat: it changes hands twice and takes six
    /// decisions, at most. In 150 games of two that was 1.92 and 5.9.
    #[test]
    fn turns_of_several_players_go_fast() {
        const GAMES: u64 = 30;
        let game = find("phase").unwrap();
        for seats in [2, 3] {
            let trial = Trial {
                game,
                options: OptionValues::defaults(game.meta.options),
                seats,
                seed: "pace",
                agents: vec![&USUAL; usize::from(seats)],
            };
            let results = parallel::all(GAMES, 2, |number| trial.play(number)).unwrap();
            let sum = |figure: fn(&Played) -> u32| f64::from(results.iter().map(figure).sum::<u32>());
            let turns = sum(|played| played.turns.unwrap());
            let hand_overs = sum(|played| played.pace.hand_overs) / turns;
            let decisions = sum(|played| played.pace.decisions) / turns;
            assert!(
                hand_overs <= 2.0,
                "{seats} players: {hand_overs:.2} hand-overs a turn"
            );
            assert!(
                decisions <= 6.0,
                "{seats} players: {decisions:.2} decisions a turn"
            );
        }
    }
}
