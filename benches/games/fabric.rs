//! How fast Phase-Fabric is played and drawn. At least 1,000 random games a second to 100 points are
//! asked for.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use parlor::catalog::{Frame, find};
use parlor::game::{Game, GameRng, OptionValues, Seed, Viewer, explore};
use parlor::games::fabric::Fabric;

pub fn run() {
    let mut criterion = Criterion::default().configure_from_args();
    games(&mut criterion);
    picture(&mut criterion);
    criterion.final_summary();
}

fn options(target: &str) -> OptionValues {
    OptionValues::choose(Fabric::META.options, [("target", target)]).expect("good options")
}

fn games(criterion: &mut Criterion) {
    let mut rng = GameRng::quick(1);
    let mut group = criterion.benchmark_group("fabric");
    group.throughput(Throughput::Elements(1));
    for target in ["100", "500"] {
        let opening = Fabric::new(&options(target), 2, &mut rng);
        group.bench_function(format!("random game to {target}"), |bencher| {
            bencher.iter(|| explore::playout(&mut opening.clone(), &mut rng));
        });
    }
    let opening = Fabric::new(&options("500"), 2, &mut rng);
    group.throughput(Throughput::Elements(384 * 378));
    group.bench_function("perft 2", |bencher| {
        bencher.iter(|| explore::perft(black_box(&opening), 2));
    });
    group.finish();
}

fn picture(criterion: &mut Criterion) {
    let seed = Seed::from_text("bench");
    let entry = find("fabric").expect("the game");
    let mut table = entry.open(&options("500"), 2, &seed).expect("a table");
    let mut rng = GameRng::quick(3);
    for step in 1..=60 {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            break;
        };
        let legal = table.legal(seat);
        let played = table.play(seat, &legal[rng.below(legal.len())], &seed, step);
        played.expect("a legal action");
    }
    let names = ["Ada".to_owned(), "Grace".to_owned()];
    let frame = Frame::new(Viewer::Public, &names);
    criterion.bench_function("fabric/picture of a middle game", |bencher| {
        bencher.iter(|| table.picture(&frame).expect("a picture"));
    });
}
