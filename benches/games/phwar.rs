//! How fast the rules of Phwar are: leaves of perft and random games a second, against a plain
//! generator in the same run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput};
use parlor::game::{Game, GameRng, OptionValues, explore};
use parlor::games::phwar::Phwar;

mod plain;

use plain::Plain;

const DEPTH: u32 = 4;
const LEAVES: u64 = 12_118_820;

pub fn run() {
    let opening = Phwar::new(
        &OptionValues::defaults(Phwar::META.options),
        2,
        &mut GameRng::quick(0),
    );
    let plain = Plain::opening();
    let mut rng = GameRng::quick(1);
    let mut chance = GameRng::quick(1);

    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("phwar/perft");
    group.throughput(Throughput::Elements(LEAVES));
    group.bench_function("parlor", |bench| {
        bench.iter(|| explore::perft(black_box(&opening), DEPTH));
    });
    group.bench_function("plain", |bench| bench.iter(|| black_box(&plain).perft(DEPTH)));
    group.finish();
    let mut group = criterion.benchmark_group("phwar/playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function("parlor", |bench| {
        let game = || opening.clone();
        bench.iter_batched_ref(
            game,
            |game| explore::playout(game, &mut rng),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("plain", |bench| {
        let game = || plain.clone();
        bench.iter_batched_ref(game, |game| game.playout(&mut chance), BatchSize::SmallInput);
    });
    group.finish();
    criterion.final_summary();

    let leaves = [
        rate(LEAVES, || {
            assert_eq!(explore::perft(black_box(&opening), DEPTH), LEAVES);
        }),
        rate(LEAVES, || assert_eq!(black_box(&plain).perft(DEPTH), LEAVES)),
    ];
    let mut steps = [0, 0];
    let games = [
        rate(1, || {
            steps[0] += u64::from(explore::playout(&mut opening.clone(), &mut rng));
        }),
        rate(1, || steps[1] += u64::from(plain.clone().playout(&mut chance))),
    ];
    println!(
        "perft {DEPTH}: {:.0} million leaves/s (wanted: 60), {:.1} times the plain generator's {:.0} million",
        leaves[0] / 1e6,
        leaves[0] / leaves[1],
        leaves[1] / 1e6
    );
    println!(
        "random games: {:.0} games/s (wanted: 40,000), {:.1} times the plain generator's {:.0}",
        games[0],
        games[0] / games[1],
        games[1]
    );
}

/// How often a second something of this `size` is done: the best of ten fifths of a second, since
/// other work on the machine can only slow it down.
fn rate(size: u64, mut work: impl FnMut()) -> f64 {
    let mut best = 0.0_f64;
    for _ in 0..10 {
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_millis(200) {
            work();
            done += size;
        }
        best = best.max(done as f64 / start.elapsed().as_secs_f64());
    }
    best
}
