//! A film of sixty turns of Phwar, against the plain use of the same crate in the same run: whole frames, for each of which it
//! chooses the colours. Both play the match again and draw its pictures; the plain way is given them in the film's size for
//! nothing.
//!
//! `PICTURE_OUT=dir` writes the film.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::process::Command;

use gif::{ColorOutput, DecodeOptions, Encoder, Repeat};
use parlor::catalog::{self, Frame};
use parlor::draw::Theme;
use parlor::draw::film::FilmFormat;
use parlor::game::{Awaiting, OptionValues, Seed, Viewer};
use parlor::matches::record::Record;
use parlor::matches::replay::FilmWish;

use crate::measure::{median, median_cpu, write_out};
use crate::wanted::at_most;

const TURNS: u32 = 60;

/// As the crate's own examples have it: 1 is the best and slowest choice of colours, 30 the quickest.
const SPEED: i32 = 10;

/// Set where this program runs once more to see how much memory a film takes.
const MEMORY: &str = "PARLOR_FILM_MEMORY";

const NAMES: [&str; 2] = ["Ada Lovelace", "Юрий Кнорозов"];

pub fn run() {
    let names = NAMES.map(str::to_owned);
    let frame = Frame {
        theme: Theme::Light,
        ..Frame::new(Viewer::Public, &names)
    };
    let record = played();
    let ours = || film(&record, &frame);
    if std::env::var_os(MEMORY).is_some() {
        memory(&record, &frame);
        return;
    }
    let film = ours();
    let screens = screens(&film);
    // In the few colours that the film has, and in as many as a picture has that was made smaller in full colour.
    let full: Vec<Screen> = screens.iter().map(Screen::in_full_colour).collect();
    let film_cpu = median_cpu(5, ours);
    for (what, screens) in [("in our colours", &screens), ("in full colour", &full)] {
        let plainly = || plain(&record, &frame, screens);
        let plain_cpu = median_cpu(3, plainly);
        let bytes = plainly().len();
        println!("the plain way, pictures {what}: {plain_cpu:?} of a processor, {bytes} bytes");
        println!(
            "  CPU time: {}",
            at_most(rounded(film_cpu.as_secs_f64() / plain_cpu.as_secs_f64()), 0.5)
        );
        println!(
            "  bytes: {}",
            at_most(rounded(film.len() as f64 / bytes as f64), 0.6)
        );
    }
    println!(
        "a film of {TURNS} turns takes {film_cpu:?} of a processor, {:?} by the clock",
        median(5, ours)
    );
    println!("bytes: {} ({})", film.len(), at_most(film.len(), 225_000));
    let frames = f64::from(TURNS + 1);
    // Against what lila-gif takes for one at 720 pixels.
    let milliseconds = rounded(1000.0 * film_cpu.as_secs_f64() / frames);
    let kilobytes = rounded(film.len() as f64 / frames / 1000.0);
    println!("a frame takes {milliseconds} ms ({})", at_most(milliseconds, 1.2));
    println!("a frame takes {kilobytes} kB ({})", at_most(kilobytes, 3.7));
    let for_browsers = FilmWish {
        format: FilmFormat::AnimatedPng,
        ..FilmWish::default()
    };
    let film_for_browsers = || {
        record
            .film(&(1..=TURNS), &frame, &for_browsers)
            .unwrap_or_default()
    };
    let bytes = film_for_browsers().len();
    println!(
        "for browsers: {bytes} bytes, {} of the GIF's, in {:?} of a processor",
        rounded(bytes as f64 / film.len() as f64),
        median_cpu(5, film_for_browsers)
    );
    write_out("film", &film);
    // In a process of its own, whose large buffers go back to the system as soon as they are let go of.
    let again = std::env::current_exe().map(|program| {
        let mut program = Command::new(program);
        program
            .arg("film")
            .env(MEMORY, "1")
            .env("MALLOC_MMAP_THRESHOLD_", "65536");
        program.status()
    });
    if !again.is_ok_and(|status| status.is_ok_and(|status| status.success())) {
        println!("memory: could not be measured");
    }
}

fn film(record: &Record, frame: &Frame<'_>) -> Vec<u8> {
    record
        .film(&(1..=TURNS), frame, &FilmWish::default())
        .unwrap_or_default()
}

/// How much memory the making of a film takes at most, beside what drawing a picture leaves behind.
fn memory(record: &Record, frame: &Frame<'_>) {
    let one = record.at_turn(1).expect("there are turns").canvas(frame);
    let picture = f64::from(one.width() * one.height());
    drop(one);
    drop(black_box(record.film(&(1..=2), frame, &FilmWish::default())));
    let Some(before) = resident("VmRSS:") else {
        println!("memory: this system doesn't tell");
        return;
    };
    // From here on the peak is counted anew.
    let cleared = std::fs::write("/proc/self/clear_refs", "5");
    let film = film(record, frame);
    let peak = resident("VmHWM:").filter(|_| cleared.is_ok()).unwrap_or_default();
    let taken = peak.saturating_sub(before) as f64 - film.len() as f64;
    println!(
        "memory beside the file, in pictures: {}",
        at_most(rounded(taken / picture), 3.0)
    );
}

/// What the system tells of this process, in bytes.
fn resident(what: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(what))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn rounded(ratio: f64) -> f64 {
    (100.0 * ratio).round() / 100.0
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

/// A picture in four bytes a pixel.
struct Screen {
    width: u16,
    height: u16,
    rgba: Vec<u8>,
}

impl Screen {
    /// The same with neighbours mixed a little, so that it has the many colours of a picture that was made smaller.
    fn in_full_colour(&self) -> Self {
        let row = 4 * usize::from(self.width);
        let mut rgba = self.rgba.clone();
        for (mixed, above) in rgba.iter_mut().skip(row).zip(&self.rgba) {
            *mixed = ((3 * u16::from(*mixed) + u16::from(*above)) / 4) as u8;
        }
        Self { rgba, ..*self }
    }
}

/// The screens of a film.
fn screens(film: &[u8]) -> Vec<Screen> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(film).expect("it is a film");
    let (width, height) = (decoder.width(), decoder.height());
    let mut rgba = vec![255; 4 * usize::from(width) * usize::from(height)];
    let mut screens = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("it is a film") {
        let rows = frame.buffer.chunks_exact(4 * usize::from(frame.width));
        for (row, y) in rows.zip(usize::from(frame.top)..) {
            let start = 4 * (y * usize::from(width) + usize::from(frame.left));
            for (to, from) in rgba[start..].chunks_exact_mut(4).zip(row.chunks_exact(4)) {
                if from[3] == 255 {
                    to.copy_from_slice(from);
                }
            }
        }
        screens.push(Screen {
            width,
            height,
            rgba: rgba.clone(),
        });
    }
    screens
}

/// What one writes first: every picture whole, and the crate finds its colours.
fn plain(record: &Record, frame: &Frame<'_>, screens: &[Screen]) -> Vec<u8> {
    let first = &screens[0];
    let mut film = Encoder::new(Vec::new(), first.width, first.height, &[]).expect("writing into memory");
    film.set_repeat(Repeat::Infinite).expect("writing into memory");
    let mut screens = screens.iter();
    let shown = record.show_turns(frame.viewer, &mut |turn| {
        black_box(turn.table.canvas(frame));
        if let Some(screen) = screens.next() {
            let mut rgba = screen.rgba.clone();
            let mut still = gif::Frame::from_rgba_speed(screen.width, screen.height, &mut rgba, SPEED);
            still.delay = 100;
            film.write_frame(&still).expect("writing into memory");
        }
        ControlFlow::Continue(())
    });
    shown.expect("it was played");
    film.into_inner().unwrap_or_default()
}
