//! Films of matches, read by a decoder that has nothing to do with how they are written: every screen is the picture of its
//! turn.

use parlor::catalog::{self, Frame};
use parlor::draw::film::FilmShape;
use parlor::draw::{Canvas, Theme};
use parlor::game::{GameRng, OptionValues, Seed, Viewer};
use parlor::matches::record::Record;
use parlor::matches::replay::FilmSpeed;

use crate::support::gif::{Shown, screens};

/// A game after so many random steps.
fn record(game: &str, steps: usize) -> Record {
    let entry = catalog::find(game).unwrap();
    let options = OptionValues::defaults(entry.meta.options);
    let seats = *entry.meta.seats.start();
    let seed = Seed::from_text(&format!("film {game}"));
    let mut table = entry.open(&options, seats, &seed).unwrap();
    let mut record = Record::start(entry, &options, seats, &seed);
    let mut rng = GameRng::quick(2);
    for step in 1..=steps as u64 {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            break;
        };
        let legal = table.legal(seat);
        let action = &legal[rng.below(legal.len())];
        table.play(seat, action, &seed, step).unwrap();
        record.act(seat, action.as_str());
    }
    record
}

/// How far a screen is from a picture, colour by colour, on average: both are looked at in squares of four by four.
fn distance(screen: &Shown, canvas: &Canvas) -> f32 {
    let scale = canvas.width() as f32 / screen.width as f32;
    assert!((canvas.height() as f32 / screen.height as f32 - scale).abs() < 0.02);
    let (mut sum, mut count) = (0.0, 0);
    for top in (0..screen.height - 4).step_by(4) {
        for left in (0..screen.width - 4).step_by(4) {
            let (mut ours, mut theirs, mut pixels) = ([0.0f32; 3], [0.0f32; 3], 0.0f32);
            for y in 0..4 {
                for x in 0..4 {
                    let pixel = screen.pixels[(top + y) * screen.width + left + x];
                    ours.iter_mut()
                        .zip(pixel)
                        .for_each(|(sum, part)| *sum += f32::from(part) / 16.0);
                }
            }
            let place = |at: usize| (at as f32 * scale).round() as u32;
            for y in place(top)..place(top + 4) {
                for x in place(left)..place(left + 4) {
                    if let Some(colour) = canvas.colour_at(x, y) {
                        let parts = theirs.iter_mut().zip(colour.0);
                        parts.for_each(|(sum, part)| *sum += f32::from(part));
                        pixels += 1.0;
                    }
                }
            }
            for (ours, theirs) in ours.iter().zip(theirs) {
                sum += (ours - theirs / pixels.max(1.0)).abs();
                count += 1;
            }
        }
    }
    sum / count as f32
}

#[test]
fn every_screen_of_a_film_is_the_picture_of_its_turn() {
    for entry in catalog::games() {
        let record = record(entry.meta.id, 5);
        let names: Vec<String> = (1..=record.seats)
            .map(|number| format!("Player {number}"))
            .collect();
        let viewer = Viewer::Omniscient;
        let frame = Frame {
            theme: Theme::Dark,
            ..Frame::new(viewer, &names)
        };
        let turns = record.story(viewer).unwrap().len() as u32;
        let film = record
            .film(&(1..=turns), &frame, FilmSpeed::default(), FilmShape::Light)
            .unwrap();
        let shown = screens(&film);
        assert_eq!(shown.len() as u32, turns + 1, "{}", entry.meta.id);
        let delays: Vec<u16> = shown.iter().map(|screen| screen.delay).collect();
        let (last, others) = delays.split_last().unwrap();
        assert!(
            *last == 300 && others.iter().all(|delay| *delay == 100),
            "{delays:?}"
        );
        let end = record.at_turn(turns).unwrap().canvas(&frame);
        let mut compared = 0;
        for (number, screen) in (0..).zip(&shown) {
            let table = record.at_turn(number).unwrap();
            let canvas = table.canvas(&frame);
            // A board that grows is smaller in a film that has room for its end.
            if (canvas.width(), canvas.height()) != (end.width(), end.height()) {
                continue;
            }
            let own = distance(screen, &canvas);
            assert!(own < 4.0, "{} turn {number}: {own}", entry.meta.id);
            compared += 1;
        }
        assert!(compared > 0, "{}: nothing was compared", entry.meta.id);
    }
}
