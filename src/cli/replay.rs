//! `parlor replay`: a recorded match as an animated picture, or told turn by turn.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::Failure;
use super::arguments::{UsageError, whole, write_file};
use super::records::{in_file, names_of, read_record, theme, viewer_of};
use crate::catalog::Frame;
use crate::draw::Theme;
use crate::draw::film::FilmFormat;
use crate::game::Viewer;
use crate::matches::replay::{FilmSpeed, FilmWish};

#[derive(Debug, clap::Args)]
pub struct ReplayArguments {
    /// The file of the record
    record: PathBuf,
    /// Where the film goes: FILE.gif, or FILE.apng for browsers, which is smaller
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The first turn
    #[arg(long, value_name = "N", value_parser = whole::<u32>, allow_negative_numbers = true)]
    from: Option<u32>,
    /// The last turn
    #[arg(long, value_name = "N", value_parser = whole::<u32>, allow_negative_numbers = true)]
    to: Option<u32>,
    /// For whom, and from whose side: a number, or public; by default all hands are shown if the match is over
    #[arg(long, value_name = "N|public", allow_negative_numbers = true)]
    seat: Option<String>,
    /// light, dark or safe
    #[arg(long, value_name = "NAME", value_parser = theme, default_value = "light")]
    theme: Theme,
    /// How long each turn stays, in thousandths of a second
    #[arg(long, value_name = "MS", value_parser = whole::<u32>, allow_negative_numbers = true)]
    delay: Option<u32>,
    /// Print what happens, turn by turn
    #[arg(long)]
    text: bool,
}

/// Shows a recorded match again.
pub fn replay(arguments: &ReplayArguments) -> Result<(), Failure> {
    let path = &arguments.record;
    if arguments.out.is_none() && !arguments.text {
        return Err(UsageError::new("where to? give --out FILE.gif or --text").into());
    }
    let record = read_record(path)?;
    let end = record.replay(None).map_err(|error| in_file(path, error))?;
    let is_over = record.outcome.is_some() || end.outcome().is_some();
    let viewer = match arguments.seat.as_deref() {
        // As in chat: what is over is no secret.
        None if is_over => Viewer::Omniscient,
        seat => viewer_of(seat, end.as_ref())?,
    };
    let names = names_of(&record, end.as_ref());
    let story = record.story(viewer).map_err(|error| in_file(path, error))?;
    let has = story.len() as u32;
    let (first, last) = (arguments.from.unwrap_or(1), arguments.to.unwrap_or(has));
    if has == 0 {
        return Err(in_file(path, "nobody has moved yet, so there is nothing to replay").into());
    }
    if first == 0 || first > last || last > has {
        let wrong = format!("there are no turns {first} to {last}; the match has turns 1 to {has}");
        return Err(in_file(path, wrong).into());
    }
    if let Some(out) = &arguments.out {
        let frame = Frame {
            theme: arguments.theme,
            ..Frame::new(viewer, &names)
        };
        let speed = arguments.delay.map_or_else(FilmSpeed::default, |delay| {
            FilmSpeed::of(Duration::from_millis(u64::from(delay)))
        });
        let is_for_browsers = out
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("apng"));
        let wish = FilmWish {
            speed,
            format: if is_for_browsers {
                FilmFormat::AnimatedPng
            } else {
                FilmFormat::Gif
            },
            ..FilmWish::default()
        };
        let film = record.film(&(first..=last), &frame, &wish);
        write_file(out, film.map_err(|error| in_file(path, error))?)?;
    }
    if arguments.text {
        let mut out = io::stdout().lock();
        let wanted = (1..).zip(&story).skip(first as usize - 1);
        for (number, told) in wanted.take((last - first) as usize + 1) {
            let told = told.plain(|seat| names.get(seat.index()).cloned().unwrap_or_default());
            writeln!(out, "{number}. {told}")?;
        }
    }
    Ok(())
}
