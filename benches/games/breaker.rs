//! How fast Breaker Blocks is played at random, and drawn when the table is crowded.

use std::hint::black_box;

use criterion::Criterion;
use parlor::catalog::{self, Frame, Table};
use parlor::game::explore::{perft, playout};
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Seed, Viewer};
use parlor::games::breaker::Breaker;

pub fn run() {
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    for variant in ["plain", "blind", "overwhelming"] {
        let opening = Breaker::new(&options(variant), 2, &mut Seed::from_text("bench").at(0));
        let mut rng = GameRng::quick(1);
        criterion.bench_function(&format!("breaker/random game/{variant}"), |bench| {
            bench.iter(|| playout(&mut opening.clone(), &mut rng));
        });
    }
    let opening = Breaker::new(&options("plain"), 2, &mut Seed::from_text("bench").at(0));
    criterion.bench_function("breaker/perft 4", |bench| bench.iter(|| perft(&opening, 4)));

    let table = crowded();
    let names = ["Ada".to_owned(), "Grace".to_owned()];
    let frame = Frame::new(Viewer::Public, &names);
    let size = table.picture(&frame).map_or(0, |png| png.len());
    println!("the crowded table takes {size} bytes");
    criterion.bench_function("breaker/crowded picture", |bench| {
        bench.iter(|| black_box(table.picture(&frame)));
    });
    criterion.final_summary();
}

fn options(variant: &str) -> OptionValues {
    OptionValues::choose(Breaker::META.options, [("variant", variant)])
        .unwrap_or_else(|_| OptionValues::defaults(Breaker::META.options))
}

/// Near the end of a game in which both build whenever they can.
fn crowded() -> Box<dyn Table> {
    let seed = Seed::from_text("crowded");
    let entry = catalog::find("breaker").unwrap_or_else(|error| panic!("{error}"));
    let mut table = entry
        .open(&options("plain"), 2, &seed)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut dice = GameRng::quick(5);
    let mut step = 0;
    while let Awaiting::Turn(seat) = table.awaiting() {
        let legal = table.legal(seat);
        let builds = |action: &&String| {
            !["pass", "move"].iter().any(|verb| action.starts_with(verb))
                && !["authenticate", "annihilate", "attenuate"]
                    .iter()
                    .any(|kind| action.contains(kind))
        };
        let some: Vec<&String> = legal.iter().filter(builds).collect();
        let Some(action) = dice.choose(&some).map(|action| (*action).clone()) else {
            break;
        };
        step += 1;
        if table.play(seat, &action, &seed, step).is_err() {
            break;
        }
    }
    table
}
