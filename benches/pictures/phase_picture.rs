//! How long the pictures of Phase take, drawn and encoded: a table of five, and a hand of seven cards.
//!
//! `PICTURE_OUT=dir` writes what was drawn.

use std::hint::black_box;
use std::time::Instant;

use criterion::Criterion;
use parlor::catalog::{self, Frame, Table};
use parlor::game::{OptionValues, Seat, Seed, Viewer};

use crate::measure::{median, write_out};

pub fn run() {
    let names = ["Ada", "Юрий Кнорозов", "Grace Hopper", "Emmy", "Σοφία"].map(str::to_owned);
    let frame = |viewer| Frame::new(viewer, &names);
    let own = Viewer::Seat(Seat::new(0));
    let (crowded, frugal) = (table(400, false), table(400, true));
    let whole_table = || crowded.picture(&frame(Viewer::Public)).unwrap_or_default();
    let hand = || {
        let picture = frugal.hand_picture(&frame(own)).ok().flatten();
        picture.unwrap_or_default()
    };

    let start = Instant::now();
    black_box(whole_table());
    println!("the first table takes {:?}", start.elapsed());
    let start = Instant::now();
    black_box(hand());
    println!("the first hand takes {:?}", start.elapsed());

    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    criterion.bench_function("phase_picture/table of five", |bench| bench.iter(whole_table));
    criterion.bench_function("phase_picture/hand", |bench| bench.iter(hand));
    criterion.final_summary();

    let cards = frugal
        .hand(&frame(own))
        .map_or(0, |hand| hand.text.matches("others see").count());
    println!("the hand has {cards} cards (fewer than seven tell little)");
    for (name, picture, time) in [
        ("table", whole_table(), median(100, whole_table)),
        ("hand", hand(), median(100, hand)),
    ] {
        println!(
            "{name}: {time:?} (wanted: 40 ms), {} bytes (wanted: 80 kB)",
            picture.len()
        );
        write_out(&format!("phase-{name}"), &picture);
    }
}

/// A game of five after so many steps, or as soon as the first player holds seven cards. The frugal pass
/// whenever they can, so their hands grow.
fn table(steps: u64, frugal: bool) -> Box<dyn Table> {
    let entry = catalog::find("phase").expect("Phase is in the catalog");
    let seed = Seed::from_text("picture");
    let options = OptionValues::defaults(entry.meta.options);
    let mut table = entry.open(&options, 5, &seed).expect("five can play");
    for step in 1..=steps {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            break;
        };
        let legal = table.legal(seat);
        let idle = legal
            .iter()
            .find(|action| frugal && ["pass", "done"].contains(&action.as_str()));
        let action = idle.unwrap_or(&legal[seed.at(step).below(legal.len())]).clone();
        table
            .play(seat, &action, &seed, step)
            .expect("the action is legal");
        if frugal && hand_size(table.as_ref()) >= 7 {
            break;
        }
    }
    table
}

fn hand_size(table: &dyn Table) -> usize {
    let names: [String; 0] = [];
    let frame = Frame::new(Viewer::Seat(Seat::new(0)), &names);
    table
        .hand(&frame)
        .map_or(0, |hand| hand.text.matches("others see").count())
}
