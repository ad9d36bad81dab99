//! How fast GlyphGrid is played at random and counted, on one core.

use std::time::Instant;

use criterion::Criterion;
use parlor::game::explore::{perft, playout};
use parlor::game::{Game, GameRng, OptionValues};
use parlor::games::glyphgrid::GlyphGrid;

pub fn run() {
    let opening = GlyphGrid::new(
        &OptionValues::defaults(GlyphGrid::META.options),
        2,
        &mut GameRng::quick(0),
    );
    let mut criterion = Criterion::default().configure_from_args();
    let mut rng = GameRng::quick(1);
    criterion.bench_function("glyphgrid/playout", |bench| {
        bench.iter(|| playout(&mut opening.clone(), &mut rng));
    });
    criterion.bench_function("glyphgrid/perft 3", |bench| bench.iter(|| perft(&opening, 3)));
    criterion.final_summary();

    let (games, start) = (200_000, Instant::now());
    let mut moves = 0_u64;
    for _ in 0..games {
        moves += u64::from(playout(&mut opening.clone(), &mut rng));
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = f64::from(games) / seconds;
    println!(
        "{rate:.0} random games a second (wanted: 10,000), {:.1} moves each, {:.1} million moves a second",
        moves as f64 / f64::from(games),
        moves as f64 / seconds / 1e6
    );
    let start = Instant::now();
    let leaves = perft(&opening, 4);
    println!(
        "perft 4: {leaves}, {:.1} million a second",
        leaves as f64 / start.elapsed().as_secs_f64() / 1e6
    );
}
