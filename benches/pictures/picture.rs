//! How long a full Phwar picture takes, drawn and encoded, against the naive way in the same run.
//!
//! `PICTURE_OUT=dir` writes what was drawn.

use std::hint::black_box;
use std::time::Instant;

use criterion::Criterion;
use parlor::catalog::{self, Frame, Table};
use parlor::draw::Theme;
use parlor::game::{Awaiting, OptionValues, Seed, Viewer};

use crate::measure::{median, write_out};
use crate::naive;

pub fn run() {
    let names = ["Ada Lovelace", "Юрий Кнорозов"].map(str::to_owned);
    let frame = |theme| Frame {
        theme,
        ..Frame::new(Viewer::Public, &names)
    };
    let ours = |table: &dyn Table, theme| table.picture(&frame(theme)).unwrap_or_default();
    let positions = [("opening", table_after(0)), ("middle", table_after(40))];
    let (_, middle) = &positions[1];

    let start = Instant::now();
    black_box(ours(middle.as_ref(), Theme::Light));
    let cold = start.elapsed();
    let start = Instant::now();
    black_box(ours(middle.as_ref(), Theme::Dark));
    let cold_theme = start.elapsed();

    let draw = || ours(middle.as_ref(), Theme::Light);
    let draw_naively = || naive::picture(&middle.view(Viewer::Public), Theme::Light, &names);
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    criterion.bench_function("picture/parlor", |bench| bench.iter(draw));
    criterion.bench_function("picture/naive", |bench| bench.iter(draw_naively));
    criterion.final_summary();

    let (quick, slow) = (median(200, draw), median(5, draw_naively));
    let ratio = slow.as_secs_f64() / quick.as_secs_f64();
    println!("a picture takes {quick:?}, the naive way {slow:?}: 1/{ratio:.0} of the time (wanted: 1/20)");
    println!("the first picture of all takes {cold:?}, the first of another theme {cold_theme:?}");
    for (name, table) in &positions {
        for theme in Theme::ALL {
            let picture = ours(table.as_ref(), theme);
            println!("{name}, {theme}: {} bytes (wanted: 60 kB)", picture.len());
            write_out(&format!("{name}-{theme}"), &picture);
        }
        let picture = naive::picture(&table.view(Viewer::Public), Theme::Light, &names);
        println!("{name}, the naive way: {} bytes", picture.len());
        write_out(&format!("{name}-naive"), &picture);
    }
}

/// A game of Phwar for two after so many random turns.
fn table_after(turns: u64) -> Box<dyn Table> {
    let entry = catalog::find("phwar").expect("Phwar is in the catalog");
    let seed = Seed::from_text("picture");
    let options = OptionValues::defaults(entry.meta.options);
    let mut table = entry.open(&options, 2, &seed).expect("two can play");
    for step in 1..=turns {
        let Awaiting::Turn(seat) = table.awaiting() else {
            break;
        };
        let legal = table.legal(seat);
        let action = &legal[seed.at(step).below(legal.len())];
        table
            .play(seat, action, &seed, step)
            .expect("the action is legal");
    }
    table
}
