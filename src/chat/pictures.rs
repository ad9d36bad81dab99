//! Pictures of matches and games: described at once, drawn when somebody looks.

use super::message::{Picture, PictureKind, Prepared, Subject};
use super::notices::PictureWish;
use super::parlor::Parlor;
use crate::catalog::{self, Table};
use crate::game::{OptionValues, Seat, Seed};
use crate::matches::change::{begun, seed_of};
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::state::{Play, steps_of};

/// A drawn picture.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub png: Vec<u8>,
    pub alt: String,
}

impl Parlor {
    /// A picture of a match for somebody, or for a whole room.
    pub(super) fn describe(
        &self,
        found: &Loaded,
        wish: PictureWish,
        for_whom: Option<&PlayerId>,
    ) -> Result<Picture, Failure> {
        let table = self.shown_table(found, wish.entries, wish.viewer, &wish.what)?;
        self.picture_of(found, wish, table, for_whom)
    }

    /// The same, where the table that it shows is at hand.
    pub(super) fn picture_of(
        &self,
        found: &Loaded,
        wish: PictureWish,
        table: Box<dyn Table>,
        for_whom: Option<&PlayerId>,
    ) -> Result<Picture, Failure> {
        let play = begun(found)?;
        let settings = match for_whom {
            Some(player) => self.service.person(player)?.settings,
            None => Default::default(),
        };
        let own = || play.seats_of(for_whom?).iter().next();
        let side = wish.viewer.or_else(own).filter(|_| settings.own_side);
        let prepared = Prepared::new(table, self.names(play)?, wish.viewer);
        let mut picture = wish.picture(
            &found.code,
            settings.theme,
            side.unwrap_or(Seat::new(0)),
            String::new(),
        );
        let frame = prepared.frame(&picture);
        let alt = match &picture.of {
            Subject::Match {
                what: PictureKind::Hand,
                ..
            } => prepared
                .table()
                .hand(&frame)
                .map_or_else(String::new, |hand| hand.alt),
            Subject::Match { .. } | Subject::Opening(_) | Subject::Showpiece { .. } => {
                prepared.table().alt(&frame)
            }
        };
        picture.alt = alt;
        picture.prepared = Some(prepared);
        Ok(picture)
    }

    /// Draws a picture. Slow: call it off the async threads.
    pub fn draw(&self, picture: &Picture) -> Result<Drawn, Failure> {
        let broken = |error| Failure::Broken(Fault::new("drawing a picture", error));
        let png = match &picture.of {
            Subject::Showpiece { game, piece } => {
                let entry = catalog::find(game).map_err(Refusal::UnknownGame)?;
                entry
                    .showpiece(piece, picture.theme.0)
                    .transpose()
                    .map_err(broken)?
            }
            Subject::Opening(_) | Subject::Match { .. } => {
                let prepared = match &picture.prepared {
                    Some(prepared) => prepared.clone(),
                    None => self.prepare(picture)?,
                };
                let frame = prepared.frame(picture);
                match &picture.of {
                    Subject::Match {
                        what: PictureKind::Hand,
                        ..
                    } => prepared.table().hand_picture(&frame).map_err(broken)?,
                    Subject::Match { .. } | Subject::Opening(_) | Subject::Showpiece { .. } => {
                        Some(prepared.table().picture(&frame).map_err(broken)?)
                    }
                }
            }
        };
        Ok(Drawn {
            png: png.ok_or(Refusal::NoMatchHere)?,
            alt: picture.alt.clone(),
        })
    }

    /// Reads what a picture shows that was described some time ago.
    fn prepare(&self, picture: &Picture) -> Result<Prepared, Failure> {
        match &picture.of {
            // Belongs to no table.
            Subject::Showpiece { .. } => Err(Refusal::NoMatchHere.into()),
            Subject::Opening(game) => opening(game),
            Subject::Match {
                code,
                entries,
                viewer,
                what,
            } => {
                let found = self.service.find(code)?;
                let table = self.shown_table(&found, *entries, *viewer, what)?;
                Ok(Prepared::new(table, self.names(begun(&found)?)?, *viewer))
            }
        }
    }

    /// The table as a picture shows it.
    fn shown_table(
        &self,
        found: &Loaded,
        entries: u32,
        viewer: Option<Seat>,
        what: &PictureKind,
    ) -> Result<Box<dyn Table>, Failure> {
        let mut table = self.service.table_at(found, entries)?;
        if let (PictureKind::Preview(sentence), Some(seat)) = (what, viewer) {
            // Tried where it was thought of: the match may have gone on since.
            let steps = steps_of(&self.service.repository().log(&found.code, entries)?).len() as u64;
            let tried = table.play(seat, sentence, &seed_of(begun(found)?)?, steps + 1);
            if !tried.is_ok_and(|played| !played.taught) {
                return Err(Refusal::CantPreview.into());
            }
        }
        Ok(table)
    }

    /// What the players of a match are called, one a seat.
    pub(super) fn names(&self, play: &Play) -> Result<Vec<String>, Fault> {
        let name = |player: &PlayerId| Ok(self.service.person(player)?.name);
        play.players.iter().map(name).collect()
    }
}

/// A table of a game as it is when nobody has moved.
fn opening(game: &str) -> Result<Prepared, Failure> {
    let entry = catalog::find(game).map_err(Refusal::UnknownGame)?;
    let options = OptionValues::defaults(entry.meta.options);
    let seats = *entry.meta.seats.start();
    let table = entry
        .open(&options, seats, &Seed::from_text("the opening"))
        .map_err(Refusal::Seats)?;
    let names = Seat::all(seats).map(|seat| format!("Player {seat}"));
    Ok(Prepared::new(table, names.collect(), None))
}

/// A picture of the opening of a game.
pub(super) fn opening_picture(game: &str, theme: ThemeName) -> Result<Picture, Failure> {
    let prepared = opening(game)?;
    let mut picture = Picture {
        of: Subject::Opening(prepared.table().meta().id.to_owned()),
        side: Seat::new(0),
        theme,
        alt: String::new(),
        prepared: None,
    };
    picture.alt = prepared.table().alt(&prepared.frame(&picture));
    picture.prepared = Some(prepared);
    Ok(picture)
}
