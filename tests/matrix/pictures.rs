//! Pictures as clients show them.

use std::time::Duration;

use parlor::catalog::{Entry, Frame, Table, games};
use parlor::draw::Theme;
use parlor::draw::film::{Film, FilmFormat, FilmShape};
use parlor::draw::wide::widened;
use parlor::game::options::OptionKind;
use parlor::game::{OptionValues, Seat, Seed, Viewer};

/// Element shows pictures that are higher than wide in at most so much room.
const PORTRAIT: [f64; 2] = [183.0, 324.0];
/// And all others.
const OTHERS: [f64; 2] = [324.0, 324.0];

/// What every picture measures at least on its long side.
const LONG_SIDE: f64 = 1200.0;

/// How large Element shows what was drawn, of which the file shows one pixel so many times as large.
fn shown([width, height]: [f64; 2], enlarged: f64) -> f64 {
    let room = if width < height { PORTRAIT } else { OTHERS };
    (room[0] / width).min(room[1] / height).min(1.0) * enlarged
}

/// Width and height, from the head of a PNG.
fn size(png: &[u8]) -> [f64; 2] {
    [16, 20].map(|at| f64::from(u32::from_be_bytes(png[at..at + 4].try_into().unwrap())))
}

/// The same of a GIF.
fn film_size(gif: &[u8]) -> [f64; 2] {
    [6, 8].map(|at| f64::from(u16::from_le_bytes(gif[at..at + 2].try_into().unwrap())))
}

/// A picture suits Element; how it was drawn is known.
fn check(drawn: &[u8], what: &str) {
    let before = size(drawn);
    let wide = widened(drawn.to_vec());
    let after = size(&wide);
    let what = format!("{what}: {before:?}, {after:?}");
    assert!(
        after[0] >= after[1] && after[0] >= LONG_SIDE && after[0] < 2.0 * LONG_SIDE,
        "{what}"
    );
    let long = before[0].max(before[1]);
    let enlarged = (LONG_SIDE / long).max(1.0);
    let factor = shown(after, enlarged) / shown(before, 1.0);
    if before[0] < before[1] {
        // Nothing that is shown loses room to what was added.
        let most = (OTHERS[1] / before[1]) / shown(before, 1.0);
        assert!(factor > 0.99 * most && factor >= 1.0, "{what}: {factor}");
    } else {
        assert!(factor > 0.99, "{what}: {factor}");
    }
    // What suits stays as it is.
    assert!(widened(wide.clone()) == wide, "{what}");
}

fn open(entry: &Entry, options: &OptionValues, seats: u8) -> Box<dyn Table> {
    entry.open(options, seats, &Seed::from_text("a picture")).unwrap()
}

fn names(seats: u8) -> Vec<String> {
    Seat::all(seats).map(|seat| format!("Player {seat}")).collect()
}

/// Plays so many moves, whichever there are.
fn play(table: &mut dyn Table, moves: u64) {
    let seed = Seed::from_text("a picture");
    for step in 1..=moves {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            return;
        };
        let legal = table.legal(seat);
        let action = &legal[(step as usize * 7919) % legal.len()];
        table.play(seat, action, &seed, step).unwrap();
    }
}

#[test]
fn every_board_is_at_least_as_wide_as_high_and_shown_as_large_as_can_be() {
    for entry in games() {
        let options = OptionValues::defaults(entry.meta.options);
        for seats in entry.meta.seats.clone() {
            let mut table = open(entry, &options, seats);
            let names = names(seats);
            for moves in [0, 12, 60] {
                play(table.as_mut(), moves);
                let frame = Frame {
                    theme: Theme::ALL[moves as usize % Theme::ALL.len()],
                    ..Frame::new(Viewer::Public, &names)
                };
                let what = format!("{} for {seats}, {moves} moves on", entry.meta.id);
                check(&table.picture(&frame).unwrap(), &what);
            }
        }
    }
}

#[test]
fn so_is_every_board_under_other_options() {
    for entry in games() {
        let seats = *entry.meta.seats.start();
        for spec in entry.meta.options {
            let values: Vec<String> = match spec.kind {
                OptionKind::Switch { default } => vec![if default { "off" } else { "on" }.to_owned()],
                OptionKind::Choice { values, .. } => values.iter().map(|&value| value.to_owned()).collect(),
                OptionKind::Whole { min, max, .. } => vec![min.to_string(), max.to_string()],
                OptionKind::Text { .. } => Vec::new(),
            };
            for value in values {
                let pair = [(spec.name, value.as_str())];
                let Ok(options) = OptionValues::choose(entry.meta.options, pair) else {
                    continue;
                };
                let mut table = open(entry, &options, seats);
                play(table.as_mut(), 8);
                let names = names(seats);
                let frame = Frame::new(Viewer::Public, &names);
                let what = format!("{} {}={value}", entry.meta.id, spec.name);
                check(&table.picture(&frame).unwrap(), &what);
            }
        }
    }
}

#[test]
fn so_is_every_hand_and_every_move_that_is_picked() {
    for entry in games() {
        let options = OptionValues::defaults(entry.meta.options);
        let seats = *entry.meta.seats.start();
        let mut table = open(entry, &options, seats);
        play(table.as_mut(), 12);
        let names = names(seats);
        for seat in Seat::all(seats) {
            let frame = Frame::new(Viewer::Seat(seat), &names);
            if let Some(hand) = table.hand_picture(&frame).unwrap() {
                check(&hand, &format!("a hand of {}", entry.meta.id));
            }
            // What is picked in private is as large.
            let nothing: [String; 0] = [];
            let picking = Frame {
                picking: Some(&nothing),
                ..frame
            };
            check(
                &table.picture(&picking).unwrap(),
                &format!("a move of {}", entry.meta.id),
            );
        }
    }
}

#[test]
fn a_film_is_at_least_as_wide_as_high_too() {
    for entry in games() {
        let options = OptionValues::defaults(entry.meta.options);
        let seats = *entry.meta.seats.start();
        let names = names(seats);
        let frame = Frame::new(Viewer::Public, &names);
        let mut table = open(entry, &options, seats);
        let first = table.canvas(&frame);
        let size = [first.width(), first.height()];
        let mut film = Film::shaped(size, frame.theme, FilmShape::Wide, FilmFormat::Gif).unwrap();
        film.add(first, Duration::from_secs(1)).unwrap();
        play(table.as_mut(), 4);
        film.add(table.canvas(&frame), Duration::from_secs(1)).unwrap();
        let [width, height] = film_size(&film.finish().unwrap());
        let what = format!("{}: {width} x {height}", entry.meta.id);
        assert!(width >= height && width >= LONG_SIDE, "{what}");
    }
}
