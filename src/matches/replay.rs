//! A match shown again, turn by turn.
//!
//! A turn is what one seat did until another seat acted. Private wishes are no part of it: that somebody had one is their
//! secret. What is told and drawn of a turn is what one viewer may know.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Duration;

use super::port::Fault;
use super::record::{Deed, Record, RecordError, RecordedStep};
use crate::catalog::{Frame, Reading, Table};
use crate::draw::Prose;
use crate::draw::film::{Film, FilmError, FilmFormat, FilmShape};
use crate::game::{Seat, Viewer};

/// The largest film that is made, in bytes. Every platform takes it.
pub const LARGEST: usize = 8 << 20;

/// The table at the end of a turn.
#[derive(Debug)]
pub struct ReplayedTurn<'a> {
    /// From 1 on; 0 is the opening.
    pub number: u32,
    /// Whose turn it was; nobody's, at the opening.
    pub seat: Option<Seat>,
    /// What happened, as the viewer may be told it.
    pub told: Prose,
    pub table: &'a dyn Table,
}

/// A match told again.
#[derive(Debug)]
pub struct Retold {
    /// What happened in each turn.
    pub story: Vec<Prose>,
    /// Whose turn each was.
    pub seats: Vec<Seat>,
    pub table: Box<dyn Table>,
}

/// Where the turns of a match lie among its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnsOfSteps {
    /// In which turn each step was made; a private wish belongs to the turn in which it was made.
    pub turns: Vec<u32>,
    /// After how many steps the game was over, if it was.
    pub over_after: Option<usize>,
}

/// Why a match can't be shown again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Film(#[from] FilmError),
    /// The turns that were asked for.
    #[error("there is no turn {asked}: the last one of the match is {has}")]
    NoSuchTurn { asked: u32, has: u32 },
    /// Even two of their pictures are too much.
    #[error("a film of these turns would be too large")]
    TooLarge,
}

/// How fast a film is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmSpeed {
    /// How long each turn stays.
    pub turn: Duration,
    /// How long the last one does.
    pub last: Duration,
}

impl FilmSpeed {
    /// The last turn stays three times as long as the others.
    #[must_use]
    pub fn of(turn: Duration) -> Self {
        Self { turn, last: turn * 3 }
    }
}

impl Default for FilmSpeed {
    fn default() -> Self {
        Self::of(Duration::from_millis(1000))
    }
}

/// What a film is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmWish {
    pub speed: FilmSpeed,
    pub shape: FilmShape,
    pub format: FilmFormat,
    /// It has no more bytes than this. A film that would have more leaves out turns, evenly.
    pub largest: usize,
}

impl Default for FilmWish {
    fn default() -> Self {
        Self {
            speed: FilmSpeed::default(),
            shape: FilmShape::Light,
            format: FilmFormat::Gif,
            largest: LARGEST,
        }
    }
}

/// What came of making a film.
enum Made {
    Film(Vec<u8>),
    /// It was too large when it had come to this turn.
    TooLarge {
        at: u32,
    },
}

/// What has been played of a turn that may go on.
struct OpenTurn {
    seat: Seat,
    told: Prose,
}

impl Record {
    /// Plays the match again and shows the opening and then the end of every turn, until `show` has seen enough.
    pub fn show_turns(
        &self,
        viewer: Viewer,
        show: &mut dyn FnMut(ReplayedTurn<'_>) -> ControlFlow<()>,
    ) -> Result<(), RecordError> {
        let (mut table, seed) = self.open()?;
        let mut number = 0;
        let mut open: Option<OpenTurn> = None;
        let mut close = |open: Option<OpenTurn>, table: &dyn Table| {
            let (seat, told) = open.map(|open| (open.seat, open.told)).unzip();
            let turn = ReplayedTurn {
                number,
                seat,
                told: told.unwrap_or_default(),
                table,
            };
            number += 1;
            show(turn)
        };
        for (index, step) in self.actions.iter().enumerate() {
            if step.is_aside(table.as_ref()) {
                step.replay(table.as_mut(), &seed, index + 1)?;
                continue;
            }
            let goes_on = open.as_ref().is_some_and(|open| open.seat == step.seat);
            if !goes_on && close(open.take(), table.as_ref()).is_break() {
                return Ok(());
            }
            step.replay(table.as_mut(), &seed, index + 1)?;
            let turn = open.get_or_insert(OpenTurn {
                seat: step.seat,
                told: Prose::new(),
            });
            turn.told.sentence(table.narration(viewer));
        }
        let _ = close(open, table.as_ref());
        Ok(())
    }

    /// What happened turn by turn, as a viewer may be told it, with the table at the end of one turn: the last one, if none is
    /// named; the opening, if there is no such turn. The match is played again once.
    pub fn retell(&self, viewer: Viewer, wanted: Option<u32>) -> Result<Retold, RecordError> {
        let (mut story, mut seats, mut at) = (Vec::new(), Vec::new(), None);
        self.show_turns(viewer, &mut |turn| {
            if let Some(seat) = turn.seat {
                story.push(turn.told);
                seats.push(seat);
            }
            if wanted.is_none_or(|wanted| turn.number == wanted) {
                at = Some(turn.table.copy());
            }
            ControlFlow::Continue(())
        })?;
        let table = match at {
            Some(table) => table,
            None => self.open()?.0,
        };
        Ok(Retold { story, seats, table })
    }

    /// What happened turn by turn, as a viewer may be told it.
    pub fn story(&self, viewer: Viewer) -> Result<Vec<Prose>, RecordError> {
        let mut story = Vec::new();
        self.show_turns(viewer, &mut |turn| {
            if turn.number > 0 {
                story.push(turn.told);
            }
            ControlFlow::Continue(())
        })?;
        Ok(story)
    }

    /// In which turn each step was made, and when the game was over.
    pub fn turns_of_steps(&self) -> Result<TurnsOfSteps, RecordError> {
        let (mut table, seed) = self.open()?;
        let (mut number, mut acting, mut over_after) = (0, None, None);
        let mut turns = Vec::with_capacity(self.actions.len());
        for (index, step) in self.actions.iter().enumerate() {
            if !step.is_aside(table.as_ref()) && acting != Some(step.seat) {
                number += 1;
                acting = Some(step.seat);
            }
            turns.push(number);
            step.replay(table.as_mut(), &seed, index + 1)?;
            if over_after.is_none() && table.outcome().is_some() {
                over_after = Some(index + 1);
            }
        }
        Ok(TurnsOfSteps { turns, over_after })
    }

    /// What somebody finds out by playing the match again. That takes as long as the match was, so it is done off the async
    /// threads.
    pub async fn replayed<T: Send + 'static>(
        self,
        find_out: impl FnOnce(Self) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        tokio::task::spawn_blocking(move || find_out(self))
            .await
            .map_err(|error| Fault::new("waiting for a match to be played again", error))
    }

    /// The table at the end of a turn; 0 is the opening.
    pub fn at_turn(&self, number: u32) -> Result<Box<dyn Table>, ReplayError> {
        let (mut found, mut has) = (None, 0);
        self.show_turns(Viewer::Public, &mut |turn| {
            has = turn.number;
            if turn.number < number {
                return ControlFlow::Continue(());
            }
            found = Some(turn.table.copy());
            ControlFlow::Break(())
        })?;
        found.ok_or(ReplayError::NoSuchTurn { asked: number, has })
    }

    /// Some turns as an animated picture, with the position before them first. Slow: call it off the async threads.
    pub fn film(
        &self,
        turns: &RangeInclusive<u32>,
        frame: &Frame<'_>,
        wish: &FilmWish,
    ) -> Result<Vec<u8>, ReplayError> {
        let before = turns.start().saturating_sub(1);
        let all = turns.end().saturating_sub(before);
        let mut stride = 1;
        loop {
            let at = match self.film_by(turns, frame, wish, stride)? {
                Made::Film(film) => return Ok(film),
                Made::TooLarge { at } => at,
            };
            if stride >= all {
                return Err(ReplayError::TooLarge);
            }
            // As much longer a stride as the film was too short.
            let covered = at.saturating_sub(before).max(1);
            stride = stride.saturating_mul(all.div_ceil(covered).max(2));
        }
    }

    /// The same with every so-manieth turn, and the last one.
    fn film_by(
        &self,
        turns: &RangeInclusive<u32>,
        frame: &Frame<'_>,
        wish: &FilmWish,
        stride: u32,
    ) -> Result<Made, ReplayError> {
        let before = turns.start().saturating_sub(1);
        let is_shown = |number: u32| {
            number >= before && ((number - before).is_multiple_of(stride) || number == *turns.end())
        };
        let mut size = [0, 0];
        let mut film: Option<Film> = None;
        // Some boards grow as they are played: where one outgrows the film, all are measured first.
        loop {
            let (mut outgrown, mut failed, mut has) = (false, None, 0);
            let mut too_large = None;
            self.show_turns(frame.viewer, &mut |turn| {
                has = turn.number;
                if !is_shown(turn.number) {
                    return ControlFlow::Continue(());
                }
                let canvas = turn.table.canvas(frame);
                let drawn = [canvas.width(), canvas.height()];
                let is_last = turn.number >= *turns.end();
                if size == [0, 0] {
                    size = drawn;
                }
                if drawn[0] > size[0] || drawn[1] > size[1] {
                    size = [size[0].max(drawn[0]), size[1].max(drawn[1])];
                    outgrown = true;
                    film = None;
                }
                if !outgrown {
                    let stays = if is_last { wish.speed.last } else { wish.speed.turn };
                    let making = match film.take() {
                        Some(film) => Ok(film),
                        None => Film::shaped(size, frame.theme, wish.shape, wish.format),
                    };
                    let added = making.and_then(|mut film| {
                        film.add(canvas, stays)?;
                        Ok(film)
                    });
                    match added {
                        Ok(added) if added.len() < wish.largest => film = Some(added),
                        // The file has an end, too.
                        Ok(_) => {
                            too_large = Some(turn.number);
                            return ControlFlow::Break(());
                        }
                        Err(error) => {
                            failed = Some(error);
                            return ControlFlow::Break(());
                        }
                    }
                }
                if is_last {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            if let Some(error) = failed {
                return Err(error.into());
            }
            if let Some(at) = too_large {
                return Ok(Made::TooLarge { at });
            }
            if has < *turns.end() {
                return Err(ReplayError::NoSuchTurn {
                    asked: *turns.end(),
                    has,
                });
            }
            if let Some(film) = film.take() {
                return Ok(Made::Film(film.finish()?));
            }
        }
    }
}

impl RecordedStep {
    /// Whether it is a private wish.
    pub fn is_aside(&self, table: &dyn Table) -> bool {
        match &self.deed {
            Deed::Action(action) => table.reads(self.seat, action) == Reading::Aside,
            Deed::Leaves(_) | Deed::Lapses(_) => false,
        }
    }
}
