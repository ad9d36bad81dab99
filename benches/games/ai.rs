//! How fast the search is: simulations with plain random playouts, against random games played without a tree in the
//! same run.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parlor::ai::SearchTask;
use parlor::ai::search::search;
use parlor::game::insight::Plan;
use parlor::game::{Awaiting, GameRng, Insight, OptionValues, Seed, explore};
use parlor::games::breaker::Breaker;
use parlor::games::fabric::Fabric;
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::phase::Phase;
use parlor::games::phwar::Phwar;

/// How long each of the two is measured at a time, and how often.
const SPELL: Duration = Duration::from_millis(400);
const SPELLS: u32 = 5;

pub fn run() {
    measure::<Phwar>(&[]);
    measure::<Fabric>(&[]);
    measure::<GlyphGrid>(&[]);
    measure::<Breaker>(&[]);
    measure::<Breaker>(&[("variant", "blind")]);
    measure::<Phase>(&[]);
}

/// Prints both rates.
fn measure<G: Insight>(wishes: &[(&str, &str)]) {
    let options = OptionValues::choose(G::META.options, wishes.iter().copied()).unwrap();
    let seats = *G::META.seats.start();
    let opening = G::new(&options, seats, &mut Seed::from_text("bench").at(0));
    let seat = match opening.awaiting() {
        Awaiting::Turn(seat) => seat,
        awaiting => awaiting.seats().iter().next().unwrap(),
    };
    let never = AtomicBool::new(false);
    let (mut raw, mut searched) = (0.0_f64, 0.0_f64);
    // The two take turns, and the best of each counts: other work on the machine can only slow them down.
    for spell in 0..SPELLS {
        let mut rng = GameRng::quick(u64::from(spell));
        let (start, mut games) = (Instant::now(), 0);
        let mut game = opening.clone();
        while start.elapsed() < SPELL {
            game.clone_from(&opening);
            explore::playout(&mut game, &mut rng);
            games += 1;
        }
        raw = raw.max(f64::from(games) / start.elapsed().as_secs_f64());
        let plan = Plan::PLAIN.with(u32::MAX, 0.0).within(SPELL);
        let start = Instant::now();
        let task = SearchTask {
            game: &opening,
            seat,
            among: None,
            plan: &plan,
            seed: u64::from(spell),
            stop: &never,
        };
        let found = search(&task).unwrap();
        searched = searched.max(f64::from(found.simulations) / start.elapsed().as_secs_f64());
    }
    let ratio = searched / raw;
    let variant: Vec<&str> = wishes.iter().map(|(_, value)| *value).collect();
    println!(
        "{} {}: {searched:.0} simulations/s, {:.0} % of {raw:.0} random games/s (wanted: 70 %)",
        G::META.id,
        variant.join(" "),
        100.0 * ratio
    );
}
