//! Films of matches, read by decoders that have nothing to do with how they are written: every screen is the picture of its
//! turn, and of no other.

use std::ops::ControlFlow;

use parlor::catalog::{self, Frame};
use parlor::draw::film::{FilmFormat, FilmShape};
use parlor::draw::{Canvas, Ink, Theme};
use parlor::game::{GameRng, OptionValues, Seat, Seed, Viewer};
use parlor::matches::record::Record;
use parlor::matches::replay::{FilmWish, ReplayError};

use crate::support::gif::screens;

const THEME: Theme = Theme::Dark;

/// How long a turn stays, and the last one, in hundredths of a second.
const STAYS: u16 = 100;
const LAST_STAYS: u16 = 300;

/// A game after so many random steps, or at its end. With options of its own, something is drawn wherever it can be.
fn record(game: &str, options: &[(&str, &str)], steps: usize, chance: u64) -> Record {
    let entry = catalog::find(game).unwrap();
    let draws = !options.is_empty();
    let options = OptionValues::choose(entry.meta.options, options.iter().copied()).unwrap();
    let seats = *entry.meta.seats.start();
    let seed = Seed::from_text(&format!("film {game}"));
    let mut table = entry.open(&options, seats, &seed).unwrap();
    let mut record = Record::start(entry, &options, seats, &seed);
    let mut rng = GameRng::quick(chance);
    for step in 1..=steps as u64 {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            break;
        };
        let legal = table.legal(seat);
        let drawn = legal.iter().find(|action| draws && action.starts_with("draw"));
        let action = drawn.unwrap_or(&legal[rng.below(legal.len())]);
        table.play(seat, action, &seed, step).unwrap();
        record.act(seat, action.as_str());
    }
    record
}

/// A short match of every game, and of one more with hidden hands.
fn matches() -> Vec<Record> {
    let games = catalog::games().map(|entry| record(entry.meta.id, &[], 5, 2));
    games
        .chain([record("breaker", &[("variant", "blind")], 6, 2)])
        .collect()
}

fn names(record: &Record) -> Vec<String> {
    (1..=record.seats)
        .map(|number| format!("Player {number}"))
        .collect()
}

/// The pictures of a match from turn to turn, the opening first.
fn canvases(record: &Record, frame: &Frame<'_>) -> Vec<Canvas> {
    let mut canvases = Vec::new();
    let shown = record.show_turns(frame.viewer, &mut |turn| {
        canvases.push(turn.table.canvas(frame));
        ControlFlow::Continue(())
    });
    shown.unwrap();
    canvases
}

/// Colours, row by row.
#[derive(PartialEq)]
struct Sheet {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

/// Pictures as they lie on sheets of one size, in the middle from left to right and at the top. The ground goes on beside
/// those that have room there, paper everywhere else.
fn sheets(canvases: &[Canvas], [width, height]: [usize; 2]) -> Vec<Sheet> {
    let widest = canvases.iter().map(Canvas::width).max().unwrap() as usize;
    let left = (width - widest) / 2;
    let sheet = |canvas: &Canvas| {
        let (own, high) = (canvas.width() as usize, canvas.height() as usize);
        let paper = THEME.rgb(Ink::Paper).0;
        let mut pixels = vec![paper; width * height];
        for y in 0..high {
            for x in 0..width {
                let from = match x.checked_sub(left) {
                    Some(from) if from < own => from,
                    None => 0,
                    Some(_) if left > 0 => own - 1,
                    Some(_) => continue,
                };
                pixels[y * width + x] = canvas.colour_at(from as u32, y as u32).unwrap().0;
            }
        }
        Sheet { width, pixels }
    };
    canvases.iter().map(sheet).collect()
}

/// What a film of these sheets has to show, with how long each stays: what looks alike is one screen.
fn expected(sheets: Vec<Sheet>) -> Vec<(Sheet, u16)> {
    let last = sheets.len() - 1;
    let mut screens: Vec<(Sheet, u16)> = Vec::new();
    for (number, sheet) in sheets.into_iter().enumerate() {
        let stays = if number == last { LAST_STAYS } else { STAYS };
        match screens.last_mut() {
            Some((before, stayed)) if *before == sheet => *stayed += stays,
            _ => screens.push((sheet, stays)),
        }
    }
    screens
}

/// The eyes through which a match is looked at: one seat's, and those of whoever may know all.
const VIEWERS: [Viewer; 2] = [Viewer::Seat(Seat::new(1)), Viewer::Omniscient];

fn film(record: &Record, frame: &Frame<'_>, shape: FilmShape) -> Vec<u8> {
    film_as(record, frame, shape, FilmFormat::Gif)
}

fn film_as(record: &Record, frame: &Frame<'_>, shape: FilmShape, format: FilmFormat) -> Vec<u8> {
    let turns = record.story(Viewer::Public).unwrap().len() as u32;
    let wish = FilmWish {
        shape,
        format,
        ..FilmWish::default()
    };
    record.film(&(1..=turns), frame, &wish).unwrap()
}

/// Every pixel of every screen is that of the picture of its turn, drawn through the viewer's eyes. What these pictures show
/// is held to law 8 (see `laws`), so a film tells a seat nothing but what it was shown.
#[test]
fn every_screen_is_the_picture_of_its_turn() {
    for record in matches() {
        let names = names(&record);
        let mut films = Vec::new();
        for viewer in VIEWERS {
            let frame = Frame {
                theme: THEME,
                side: Seat::new(0),
                ..Frame::new(viewer, &names)
            };
            let film = film(&record, &frame, FilmShape::Wide);
            let shown = screens(&film);
            let size = [shown[0].width, shown[0].height];
            let expected = expected(sheets(&canvases(&record, &frame), size));
            let what = format!("{} {:?} for {viewer}", record.game, record.options);
            assert!(expected.len() > 1, "{what}: turns can be told apart");
            assert_eq!(shown.len(), expected.len(), "{what}");
            for (number, (screen, (sheet, stays))) in shown.iter().zip(&expected).enumerate() {
                assert_eq!(screen.delay, *stays, "{what}, screen {number}");
                assert!(screen.pixels == sheet.pixels, "{what}, screen {number}");
            }
            films.push(film);
        }
        if record
            .options
            .get("variant")
            .is_some_and(|variant| variant == "blind")
        {
            assert!(films[0] != films[1], "what lies face down is hidden");
        }
    }
}

/// The colours of a sheet on average, in squares: of three by three where it was made smaller by a quarter, as there these
/// were four by four.
struct Squares(Vec<[f32; 3]>);

impl Squares {
    fn of(pixels: &[[u8; 3]], width: usize, side: usize) -> Self {
        let height = pixels.len() / width;
        let mut squares = Vec::new();
        for top in (0..=height - side).step_by(side) {
            for left in (0..=width - side).step_by(side) {
                let mut sum = [0.0f32; 3];
                for row in pixels[top * width..].chunks(width).take(side) {
                    for pixel in &row[left..left + side] {
                        sum.iter_mut()
                            .zip(pixel)
                            .for_each(|(sum, part)| *sum += f32::from(*part));
                    }
                }
                squares.push(sum.map(|sum| sum / (side * side) as f32));
            }
        }
        Self(squares)
    }

    fn far(one: [f32; 3], other: [f32; 3]) -> f32 {
        let parts = one.iter().zip(other);
        parts.map(|(one, other)| (one - other).abs()).sum()
    }

    /// How far this is from two others where those differ so that one sees it; nothing if they don't.
    fn between(&self, one: &Self, other: &Self) -> Option<[f32; 2]> {
        let mut far = [0.0, 0.0];
        for ((own, one), other) in self.0.iter().zip(&one.0).zip(&other.0) {
            if Self::far(*one, *other) > 24.0 {
                far[0] += Self::far(*own, *one);
                far[1] += Self::far(*own, *other);
            }
        }
        (far[1] > 0.0).then_some(far)
    }
}

/// A film that was made smaller is compared with the pictures of all turns: where two of these differ, each screen is by far
/// nearer to its own.
#[test]
fn smaller_screens_are_those_of_their_turns_and_of_no_others() {
    for record in matches() {
        let names = names(&record);
        let frame = Frame {
            theme: THEME,
            ..Frame::new(Viewer::Omniscient, &names)
        };
        let shown = screens(&film(&record, &frame, FilmShape::Light));
        let canvases = canvases(&record, &frame);
        let most = |side: fn(&Canvas) -> u32| canvases.iter().map(side).max().unwrap() as usize;
        let (width, height) = (most(Canvas::width), most(Canvas::height));
        let is_smaller = shown[0].width < width;
        let (from, to) = if is_smaller { (4, 3) } else { (1, 1) };
        let size = [width, height].map(|side| side.next_multiple_of(from));
        let expected = expected(sheets(&canvases, size));
        assert_eq!(shown.len(), expected.len(), "{}", record.game);
        assert_eq!(
            [shown[0].width, shown[0].height],
            size.map(|side| side / from * to)
        );
        // At least so large that rounding to colours of the palette makes no difference.
        let many = if is_smaller { 1 } else { 4 };
        let squares = |pixels: &[[u8; 3]], width, side| Squares::of(pixels, width, side * many);
        let turns: Vec<Squares> = (expected.iter())
            .map(|(sheet, _)| squares(&sheet.pixels, sheet.width, from))
            .collect();
        let mut compared = 0;
        for (number, screen) in shown.iter().enumerate() {
            let screen = squares(&screen.pixels, screen.width, to);
            for (other, turn) in turns.iter().enumerate().filter(|(other, _)| *other != number) {
                let Some([own, far]) = screen.between(&turns[number], turn) else {
                    continue;
                };
                assert!(
                    own < 0.2 * far,
                    "{}, screen {number} might be that of {other}: {own} against {far}",
                    record.game
                );
                compared += 1;
            }
        }
        assert_eq!(compared, shown.len() * (shown.len() - 1), "{}", record.game);
    }
}

/// A long match with large pictures.
fn long_match() -> Record {
    let long = (0..20).map(|chance| record("phase", &[], 400, chance));
    let mut long = long.filter(|record| record.actions.len() == 400);
    long.next().expect("one of them lasts")
}

#[test]
fn a_film_that_would_be_too_large_leaves_out_turns_evenly() {
    let record = long_match();
    let names = names(&record);
    let frame = Frame {
        theme: THEME,
        ..Frame::new(Viewer::Omniscient, &names)
    };
    let turns = record.story(Viewer::Public).unwrap().len() as u32;
    let film = |largest| {
        let wish = FilmWish {
            largest,
            shape: FilmShape::Wide,
            ..FilmWish::default()
        };
        record.film(&(1..=turns), &frame, &wish)
    };
    let few = film(600_000).unwrap();
    assert!(few.len() <= 600_000, "{}", few.len());
    let shown = screens(&few);
    let count = shown.len() as u32;
    assert!(3 < count && count < turns / 2, "{count} of {turns}");
    let is_turn = |number: u32, turn: u32| {
        let screen = &shown[number as usize];
        let canvas = record.at_turn(turn).unwrap().canvas(&frame);
        let sheets = sheets(&[canvas], [screen.width, screen.height]);
        screen.pixels == sheets[0].pixels
    };
    // It begins with the opening and ends with the end. As many turns lie between two screens everywhere, but for the last.
    assert!(is_turn(0, 0) && is_turn(count - 1, turns));
    let mut strides = (1..=turns).filter(|stride| turns.div_ceil(*stride) + 1 == count);
    let fits = |stride: u32| {
        [1, count / 2, count - 2]
            .into_iter()
            .all(|number| is_turn(number, number * stride))
    };
    assert!(strides.any(fits), "{count} of {turns}");
    // Where not even two pictures fit, that is said.
    let refused = film(5_000).unwrap_err();
    assert!(matches!(refused, ReplayError::TooLarge), "{refused}");
    assert!(refused.to_string().contains("too large"));
}

/// Whatever a decoder written by others makes of a film: Pillow, from the virtual environment of the tests against a
/// homeserver.
#[cfg(feature = "external-tests")]
mod pillow {
    use std::process::Command;

    use super::*;
    use crate::python::python;
    use crate::support::gif::Shown;

    /// Writes the screens of a film one after the other: a line with its size and how long it stays, and its colours.
    const SCRIPT: &str = "
import sys
from PIL import Image
film = Image.open(sys.argv[1])
out = sys.stdout.buffer
for number in range(film.n_frames):
    film.seek(number)
    screen = film.convert('RGB')
    out.write(b'%d %d %d\\n' % (screen.width, screen.height, film.info['duration'] // 10))
    out.write(screen.tobytes())
";

    fn screens(film: &[u8]) -> Vec<Shown> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film");
        std::fs::write(&path, film).unwrap();
        let output = Command::new(python())
            .args(["-c", SCRIPT])
            .arg(&path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let mut rest = &output.stdout[..];
        let mut shown = Vec::new();
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
            let line = std::str::from_utf8(&rest[..end]).unwrap();
            let numbers: Vec<usize> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            let (width, height) = (numbers[0], numbers[1]);
            let (pixels, others) = rest[end + 1..].split_at(3 * width * height);
            shown.push(Shown {
                width,
                height,
                pixels: pixels.chunks(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect(),
                delay: numbers[2] as u16,
            });
            rest = others;
        }
        shown
    }

    /// Colours of a palette that nobody tells apart: one of the two that are nearest stands for both in a PNG.
    fn look_alike(one: [u8; 3], other: [u8; 3]) -> bool {
        let parts = one.iter().zip(other);
        parts
            .map(|(one, other)| u32::from(one.abs_diff(other)))
            .sum::<u32>()
            <= 9
    }

    #[test]
    fn films_for_browsers_show_the_same_and_are_smaller() {
        for record in matches() {
            let names = names(&record);
            let frame = Frame {
                theme: THEME,
                ..Frame::new(Viewer::Omniscient, &names)
            };
            for shape in [FilmShape::Light, FilmShape::Wide] {
                let gif = film(&record, &frame, shape);
                let png = film_as(&record, &frame, shape, FilmFormat::AnimatedPng);
                let (wanted, seen) = (crate::support::gif::screens(&gif), screens(&png));
                let what = format!("{} {shape:?}", record.game);
                assert_eq!(seen.len(), wanted.len(), "{what}");
                for (seen, wanted) in seen.iter().zip(&wanted) {
                    assert_eq!((seen.width, seen.delay), (wanted.width, wanted.delay), "{what}");
                    let mut pixels = seen.pixels.iter().zip(&wanted.pixels);
                    assert!(pixels.all(|(seen, wanted)| look_alike(*seen, *wanted)), "{what}");
                }
                assert!(png.len() < gif.len(), "{what}: {} and {}", png.len(), gif.len());
            }
        }
    }

    #[test]
    fn another_decoder_sees_the_pictures_of_the_turns() {
        for record in matches() {
            let names = names(&record);
            for (viewer, shape) in [
                (Viewer::Public, FilmShape::Wide),
                (Viewer::Omniscient, FilmShape::Light),
            ] {
                let frame = Frame {
                    theme: THEME,
                    ..Frame::new(viewer, &names)
                };
                let film = film(&record, &frame, shape);
                let seen = screens(&film);
                let what = format!("{} for {viewer}", record.game);
                let size = [seen[0].width, seen[0].height];
                let wanted: Vec<(Vec<[u8; 3]>, u16)> = match shape {
                    FilmShape::Wide => expected(sheets(&canvases(&record, &frame), size))
                        .into_iter()
                        .map(|(sheet, stays)| (sheet.pixels, stays))
                        .collect(),
                    // Those are compared with the pictures elsewhere.
                    FilmShape::Light => crate::support::gif::screens(&film)
                        .into_iter()
                        .map(|screen| (screen.pixels, screen.delay))
                        .collect(),
                };
                assert_eq!(seen.len(), wanted.len(), "{what}");
                for (number, (seen, (pixels, stays))) in seen.iter().zip(&wanted).enumerate() {
                    assert_eq!(seen.delay, *stays, "{what}, screen {number}");
                    assert!(seen.pixels == *pixels, "{what}, screen {number}");
                }
            }
        }
    }
}
