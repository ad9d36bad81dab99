//! `parlor balance phase`: the ready decks of Phase against each other, played by quick players, or by any made of code.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use crate::ai::Agent;
use crate::game::{Game, GameRng, OptionValues, Seat, Seed, Silent, explore};
use crate::games::phase::Phase;
use crate::games::phase::card::{Faction, ReadyDeck, card_set};
use crate::text;

use super::arguments::{GameArguments, Games, NamedAgent, UsageError, whole};
use super::{Failure, parallel};

/// Games a pairing, if nothing is said: an error of about one in a hundred.
const GAMES: u64 = 2000;

#[derive(Debug, clap::Args)]
pub struct BalanceArguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    games: Games,
    /// How many games at once
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true, default_value = "1")]
    threads: usize,
    /// Who plays
    #[arg(long, value_name = "X", default_value = "greedy")]
    agent: NamedAgent,
}

/// Plays and prints the table.
pub fn balance(arguments: &BalanceArguments) -> Result<(), Failure> {
    let game = arguments.game.game.meta.id;
    if game != Phase::META.id {
        let message = format!("`{game}` has no decks to balance; try `{}`", Phase::META.id);
        return Err(UsageError(message).into());
    }
    let seats = arguments.game.seats()?;
    let trial = Trial {
        decks: card_set().decks(),
        seats,
        settings: &arguments.game.settings,
        seed: Seed::from_text(arguments.games.seed.as_deref().unwrap_or("balance")),
        agent: &arguments.agent.agent,
    };
    // What is asked for must make sense before thousands of games are played.
    trial.options(&[])?;
    let games = arguments.games.count.unwrap_or(GAMES);
    let line_ups = if seats == 2 {
        trial.pairings(games)
    } else {
        trial.mixed(games * 5)
    };
    let results = parallel::all(line_ups.len() as u64, arguments.threads, |number| {
        trial.play(number, &line_ups[number as usize])
    })?;
    let mut out = io::stdout().lock();
    if seats == 2 {
        print_pairings(&mut out, trial.decks, &results)?;
    } else {
        print_factions(&mut out, trial.decks, seats, &results)?;
    }
    Ok(print_length(&mut out, &results)?)
}

/// What is tried.
struct Trial<'a> {
    decks: &'a [ReadyDeck],
    seats: u8,
    settings: &'a [(String, String)],
    seed: Seed,
    /// Who plays all decks.
    agent: &'a Agent,
}

/// Which deck sits where.
type LineUp = Vec<usize>;

/// One game.
struct Played {
    line_up: LineUp,
    /// Each seat's share of the win; shared wins are split.
    shares: Vec<f64>,
    rounds: u8,
}

impl Trial<'_> {
    fn options(&self, line_up: &[usize]) -> Result<OptionValues, UsageError> {
        let seats = (1..)
            .zip(line_up)
            .filter_map(|(seat, deck)| Some((seat, self.decks.get(*deck)?)));
        let decks: Vec<(String, String)> = seats
            .map(|(seat, ready): (usize, _)| (format!("deck{seat}"), ready.name.clone()))
            .collect();
        let wishes = self.settings.iter().chain(&decks);
        let wishes = wishes.map(|(name, value)| (name.as_str(), value.as_str()));
        OptionValues::choose(Phase::META.options, wishes).map_err(UsageError::new)
    }

    /// Every deck against every other, seats alternating.
    fn pairings(&self, games: u64) -> Vec<LineUp> {
        let mut line_ups = Vec::new();
        for one in 0..self.decks.len() {
            for other in one + 1..self.decks.len() {
                for game in 0..games {
                    line_ups.push(if game % 2 == 0 {
                        vec![one, other]
                    } else {
                        vec![other, one]
                    });
                }
            }
        }
        line_ups
    }

    /// Different decks at every table, by lot.
    fn mixed(&self, games: u64) -> Vec<LineUp> {
        let draw = |game| {
            let mut all: Vec<usize> = (0..self.decks.len()).collect();
            self.seed.at(u64::MAX - game).shuffle(&mut all);
            all.truncate(usize::from(self.seats));
            all
        };
        (0..games).map(draw).collect()
    }

    fn play(&self, number: u64, line_up: &LineUp) -> Result<Played, UsageError> {
        let mut rng = GameRng::quick(self.seed.at(number).word());
        let mut game = Phase::new(&self.options(line_up)?, self.seats, &mut rng);
        let never = AtomicBool::new(false);
        while game.outcome().is_none() {
            let Some(seat) = explore::random_seat(game.awaiting(), &mut rng) else {
                break;
            };
            let Some(thought) = self.agent.act(&game, seat, rng.word(), &never) else {
                break;
            };
            game.play(seat, &thought.action, &mut rng, &mut Silent);
        }
        let winners = game
            .outcome()
            .map(|outcome| outcome.winners())
            .unwrap_or_default();
        let share = |seat| {
            if winners.contains(seat) {
                1.0 / winners.len() as f64
            } else {
                0.0
            }
        };
        Ok(Played {
            line_up: line_up.clone(),
            shares: Seat::all(self.seats).map(share).collect(),
            rounds: game.round_number(),
        })
    }
}

/// Wins out of games.
#[derive(Clone, Copy, Default)]
struct Wins {
    wins: f64,
    games: f64,
}

impl Wins {
    fn add(&mut self, wins: f64, games: f64) {
        self.wins += wins;
        self.games += games;
    }

    fn share(self) -> f64 {
        self.wins / self.games.max(1.0)
    }

    fn per_cent(self) -> f64 {
        100.0 * self.share()
    }
}

fn print_pairings(out: &mut impl Write, decks: &[ReadyDeck], results: &[Played]) -> io::Result<()> {
    // How the deck of the row fares against the deck of the column.
    let mut pairs: BTreeMap<(usize, usize), Wins> = BTreeMap::new();
    for played in results {
        let ([one, other], [won, lost]) = (&played.line_up[..], &played.shares[..]) else {
            continue;
        };
        pairs.entry((*one, *other)).or_default().add(*won, 1.0);
        pairs.entry((*other, *one)).or_default().add(*lost, 1.0);
    }
    write!(out, "{:<14}", "wins in %")?;
    for ready in decks {
        write!(out, "{:>13}", ready.name)?;
    }
    writeln!(out, "{:>13}", "all")?;
    for (row, ready) in decks.iter().enumerate() {
        write!(out, "{:<14}", ready.name)?;
        let mut all = Wins::default();
        for column in 0..decks.len() {
            match pairs.get(&(row, column)) {
                Some(pair) => {
                    all.add(pair.wins, pair.games);
                    write!(out, "{:>13.1}", pair.per_cent())?;
                }
                None => write!(out, "{:>13}", "")?,
            }
        }
        writeln!(out, "{:>13.1}", all.per_cent())?;
    }
    let rates = || pairs.values().map(|pair| pair.per_cent());
    let (least, most) = (rates().fold(100.0, f64::min), rates().fold(0.0, f64::max));
    writeln!(out, "pairings lie between {least:.1} and {most:.1} %")
}

fn print_factions(
    out: &mut impl Write,
    decks: &[ReadyDeck],
    seats: u8,
    results: &[Played],
) -> io::Result<()> {
    let mut of_faction: BTreeMap<Faction, Wins> = BTreeMap::new();
    let mut of_deck: BTreeMap<usize, Wins> = BTreeMap::new();
    for played in results {
        for (deck, share) in played.line_up.iter().zip(&played.shares) {
            let Some(ready) = decks.get(*deck) else {
                continue;
            };
            let faction = ready.deck.faction();
            of_faction.entry(faction).or_default().add(*share, 1.0);
            of_deck.entry(*deck).or_default().add(*share, 1.0);
        }
    }
    let fair = |wins: &Wins| wins.share() * f64::from(seats);
    writeln!(out, "{seats} players: wins as a part of the fair share")?;
    for (faction, wins) in &of_faction {
        writeln!(out, "{:<14}{:>8.2}", faction.name(), fair(wins))?;
    }
    for (deck, wins) in &of_deck {
        let name = decks.get(*deck).map_or("", |ready| ready.name.as_str());
        writeln!(out, "  {name:<12}{:>8.2}", fair(wins))?;
    }
    Ok(())
}

/// How long the games are. All else about them `parlor health` tells.
fn print_length(out: &mut impl Write, results: &[Played]) -> io::Result<()> {
    let mut rounds: Vec<u8> = results.iter().map(|played| played.rounds).collect();
    rounds.sort_unstable();
    let at = |part: usize| rounds.get(rounds.len() * part / 10).copied().unwrap_or_default();
    writeln!(
        out,
        "{}; turns a player: median {}, eight of ten between {} and {}",
        text::counted(results.len(), "game", "games"),
        at(5),
        at(1),
        at(9)
    )
}
