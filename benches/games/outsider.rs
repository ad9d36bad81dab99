//! How the levels fare against players from outside: plain alpha-beta to a fixed depth with nothing but a simple count. Not run
//! by itself, since it takes long: `PARLOR_DUEL="phwar 4 level4 20" cargo bench --bench games -- outsider` plays twenty games of
//! Phwar between level 4 and an outsider who looks four steps ahead, seats alternating.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parlor::ai::Agent;
use parlor::game::rng::mix;
use parlor::game::{Awaiting, Game, GameRng, Insight, OptionValues, Seat, Seed, Silent, Viewer};
use parlor::games::fabric::Fabric;
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::phwar::Phwar;

/// What an outsider counts.
trait Count: Insight {
    /// What a seat has more than the other.
    fn lead(&self, seat: Seat) -> i32;
}

impl Count for Phwar {
    /// Particles.
    fn lead(&self, seat: Seat) -> i32 {
        let armies = self.view(Viewer::Public).armies;
        let signed = armies.iter().map(|army| {
            let count = army.particles().count() as i32;
            if army.seat == seat { count } else { -count }
        });
        signed.sum()
    }
}

impl Count for Fabric {
    /// Points.
    fn lead(&self, seat: Seat) -> i32 {
        let [first, second] = self.view(Viewer::Public).scores.map(i32::from);
        if seat.index() == 0 {
            first - second
        } else {
            second - first
        }
    }
}

impl Count for GlyphGrid {
    /// Pieces and marks.
    fn lead(&self, seat: Seat) -> i32 {
        let sides = self.view(Viewer::Public).sides;
        let signed = sides.iter().map(|side| {
            let count = (side.shards.len() + side.marks.len()) as i32;
            if side.seat == seat { count } else { -count }
        });
        signed.sum()
    }
}

const WON: i32 = 10_000;

/// What a position is worth to a seat, by looking so many steps ahead.
fn worth<G: Count>(game: &G, seat: Seat, depth: u32, mut low: i32, high: i32) -> i32 {
    let Awaiting::Turn(mover) = game.awaiting() else {
        let winners = game
            .outcome()
            .map(|outcome| outcome.winners())
            .unwrap_or_default();
        return match (winners.len(), winners.contains(seat)) {
            (1, true) => WON + depth as i32,
            (1, false) => -WON - depth as i32,
            _ => 0,
        };
    };
    if mover != seat {
        return -worth(game, mover, depth, -high, -low);
    }
    if depth == 0 {
        return game.lead(seat);
    }
    let mut rng = GameRng::quick(0);
    let mut after = game.clone();
    for action in game.legal_actions(seat) {
        after.clone_from(game);
        after.play(seat, &action, &mut rng, &mut Silent);
        low = low.max(worth(&after, seat, depth - 1, low, high));
        if low >= high {
            break;
        }
    }
    low
}

/// The best action by that; any of those that are alike.
fn outsider<G: Count>(game: &G, seat: Seat, depth: u32, rng: &mut GameRng) -> Option<G::Action> {
    let mut actions = game.legal_actions(seat);
    for index in (1..actions.len()).rev() {
        actions.swap(index, rng.below(index + 1));
    }
    let mut best = None;
    let mut most = i32::MIN + 1;
    for action in actions {
        let mut after = game.clone();
        after.play(seat, &action, rng, &mut Silent);
        let score = worth(&after, seat, depth - 1, most, i32::MAX - 1);
        if score > most || best.is_none() {
            most = score;
            best = Some(action);
        }
    }
    best
}

fn duel<G: Count>(depth: u32, name: &str, games: u64) {
    let agent: Agent = name.parse().expect("a player");
    let never = AtomicBool::new(false);
    let (mut won, mut drawn, mut plies) = (0, 0, 0);
    let (mut own, mut theirs, mut longest, mut decisions) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO, 0);
    for number in 0..games {
        let seed = Seed::from_text(&format!("outsider {number}"));
        let options = OptionValues::defaults(G::META.options);
        let mut game = G::new(&options, 2, &mut seed.at(0));
        let guest = Seat::new((number % 2) as u8);
        let mut step = 0;
        while let Awaiting::Turn(seat) = game.awaiting() {
            step += 1;
            let begun = Instant::now();
            let mut rng = GameRng::quick(mix(number << 16 | step));
            let action = if seat == guest {
                let action = outsider(&game, seat, depth, &mut rng);
                theirs += begun.elapsed();
                action
            } else {
                let thought = agent.act(&game, seat, mix(number << 20 | step), &never);
                own += begun.elapsed();
                longest = longest.max(begun.elapsed());
                decisions += 1;
                thought.map(|thought| thought.action)
            };
            game.play(seat, &action.expect("an action"), &mut seed.at(step), &mut Silent);
        }
        plies += step;
        let winners = game
            .outcome()
            .map(|outcome| outcome.winners())
            .unwrap_or_default();
        if winners.len() > 1 {
            drawn += 1;
        } else if !winners.contains(guest) {
            won += 1;
        }
        let lead = game.lead(guest.next(2));
        println!(
            "  game {number}: {won} won, {drawn} drawn of {}; {step} steps, a lead of {lead}",
            number + 1
        );
    }
    let milliseconds = |time: Duration| time.as_millis() as u64 / decisions.max(1);
    println!(
        "{}: {name} against depth {depth}: {won} won, {drawn} drawn, {} lost of {games} ({:.0} %), {} plies; {} ms a move, at worst \
         {}; the outsider {} ms",
        G::META.id,
        games - won - drawn,
        100.0 * (won as f64 + drawn as f64 / 2.0) / games as f64,
        plies / games,
        milliseconds(own),
        longest.as_millis(),
        milliseconds(theirs),
    );
}

pub fn run() {
    let Ok(duels) = std::env::var("PARLOR_DUEL") else {
        return;
    };
    let words: Vec<&str> = duels.split_whitespace().collect();
    let [game, depth, agent, games] = words[..] else {
        panic!("PARLOR_DUEL is GAME DEPTH PLAYER GAMES, such as `phwar 4 level4 20`");
    };
    let (depth, games) = (
        depth.parse().expect("a depth"),
        games.parse().expect("a number of games"),
    );
    match game {
        "phwar" => duel::<Phwar>(depth, agent, games),
        "fabric" => duel::<Fabric>(depth, agent, games),
        "glyphgrid" => duel::<GlyphGrid>(depth, agent, games),
        _ => panic!("there is no duel of {game}"),
    }
}
