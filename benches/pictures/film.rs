//! How long a film of sixty turns of Phwar takes and how large it is, against the plain way in the same run: whole frames, each
//! with colours of its own, through the same crate.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hint::black_box;
use std::ops::ControlFlow;

use gif::{Encoder, Repeat};
use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use parlor::catalog::{self, Frame};
use parlor::draw::film::FilmShape;
use parlor::draw::{Canvas, Theme};
use parlor::game::{Awaiting, OptionValues, Seed, Viewer};
use parlor::matches::record::Record;
use parlor::matches::replay::FilmSpeed;

use crate::measure::median;

const TURNS: u32 = 60;

/// The width of a film of Phwar.
const WIDTH: u32 = 720;

pub fn run() {
    let names = ["Ada Lovelace", "Юрий Кнорозов"].map(str::to_owned);
    let frame = Frame {
        theme: Theme::Light,
        ..Frame::new(Viewer::Public, &names)
    };
    let record = played();
    let ours = || {
        record
            .film(&(1..=TURNS), &frame, FilmSpeed::default(), FilmShape::Light)
            .unwrap_or_default()
    };
    let plainly = || plain(&record, &frame);
    let (film, plain) = (ours(), plainly());
    let (quick, slow) = (median(5, ours), median(3, plainly));
    println!(
        "a film of {TURNS} turns takes {quick:?}, the plain way {slow:?}: {:.2} of the time (wanted: 0.50)",
        quick.as_secs_f64() / slow.as_secs_f64()
    );
    println!(
        "it has {} bytes (wanted: 225 kB), the plain way {}: {:.2} of it (wanted: 0.60)",
        film.len(),
        plain.len(),
        film.len() as f64 / plain.len() as f64
    );
    let frames = f64::from(TURNS + 1);
    println!(
        "a frame takes {:.2} ms and {:.1} kB (lila-gif: 1.2 ms and 3.7 kB)",
        1000.0 * quick.as_secs_f64() / frames,
        film.len() as f64 / frames / 1000.0
    );
}

/// A game of so many turns, at random; seeds are tried until one lasts.
fn played() -> Record {
    let entry = catalog::find("phwar").expect("Phwar is in the catalog");
    let options = OptionValues::defaults(entry.meta.options);
    (0..100)
        .find_map(|number| {
            let seed = Seed::from_text(&format!("film {number}"));
            let mut table = entry.open(&options, 2, &seed).ok()?;
            let mut record = Record::start(entry, &options, 2, &seed);
            for step in 1..=u64::from(TURNS) {
                let Awaiting::Turn(seat) = table.awaiting() else {
                    return None;
                };
                let legal = table.legal(seat);
                let action = &legal[seed.at(step).below(legal.len())];
                table.play(seat, action, &seed, step).ok()?;
                record.act(seat, action.as_str());
            }
            let turns = record.story(Viewer::Public).ok()?.len();
            (turns as u32 >= TURNS).then_some(record)
        })
        .expect("one of them lasts")
}

/// What one writes first: every picture whole, made smaller in full colour, its 256 commonest colours counted.
fn plain(record: &Record, frame: &Frame<'_>) -> Vec<u8> {
    let mut encoder: Option<Encoder<Vec<u8>>> = None;
    let shown = record.show_turns(frame.viewer, &mut |turn| {
        let picture = small(&turn.table.canvas(frame));
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        let (palette, indices) = counted(&picture);
        let mut film = encoder.take().unwrap_or_else(|| {
            let mut new = Encoder::new(Vec::new(), width, height, &[]).expect("writing into memory");
            new.set_repeat(Repeat::Infinite).expect("writing into memory");
            new
        });
        let still = gif::Frame {
            width,
            height,
            delay: 100,
            palette: Some(palette),
            buffer: Cow::Owned(indices),
            ..gif::Frame::default()
        };
        film.write_frame(&still).expect("writing into memory");
        encoder = Some(film);
        ControlFlow::Continue(())
    });
    shown.expect("it was played");
    let film = encoder.and_then(|film| film.into_inner().ok());
    black_box(film.unwrap_or_default())
}

fn small(canvas: &Canvas) -> RgbImage {
    let pixels = canvas.pixels();
    // Each number stands for one colour, which is looked up once.
    let mut colours: [Option<[u8; 3]>; 256] = [None; 256];
    let mut picture = RgbImage::new(pixels.width(), pixels.height());
    for (x, y, pixel) in pixels.enumerate_pixels() {
        let colour = colours[usize::from(pixel.0[0])]
            .get_or_insert_with(|| canvas.colour_at(x, y).map_or([0; 3], |colour| colour.0));
        picture.put_pixel(x, y, Rgb(*colour));
    }
    let height = pixels.height() * WIDTH / pixels.width();
    imageops::resize(&picture, WIDTH, height, FilterType::Triangle)
}

/// The commonest colours of a picture, and the nearest of them for each pixel.
fn counted(picture: &RgbImage) -> (Vec<u8>, Vec<u8>) {
    let mut count: HashMap<[u8; 3], u32> = HashMap::new();
    for pixel in picture.pixels() {
        *count.entry(pixel.0).or_default() += 1;
    }
    let mut colours: Vec<([u8; 3], u32)> = count.into_iter().collect();
    colours.sort_by_key(|(colour, count)| (u32::MAX - count, *colour));
    colours.truncate(256);
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let nearest = |wanted: [u8; 3]| {
        let far = |colour: &[u8; 3]| -> u32 {
            let parts = colour.iter().zip(wanted);
            parts
                .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
                .sum()
        };
        let best = (0u8..=255)
            .zip(&colours)
            .min_by_key(|(_, (colour, _))| far(colour));
        best.map_or(0, |(index, _)| index)
    };
    let indices = picture
        .pixels()
        .map(|pixel| *known.entry(pixel.0).or_insert_with(|| nearest(pixel.0)))
        .collect();
    let palette = colours.iter().flat_map(|(colour, _)| *colour).collect();
    (palette, indices)
}
