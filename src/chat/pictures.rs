//! Pictures of matches and games: described at once, drawn when somebody looks.

use super::message::{Picture, PictureKind, Subject};
use super::notices::PictureWish;
use super::parlor::Parlor;
use crate::catalog::{self, Frame, Table};
use crate::game::{OptionValues, Seat, Seed, Viewer};
use crate::matches::change::{begun, seed_of};
use crate::matches::code::Code;
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::state::steps_of;

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
        code: &Code,
        wish: PictureWish,
        for_whom: Option<&PlayerId>,
    ) -> Result<Picture, Failure> {
        let the_match = self.service.find(code)?;
        let settings = match for_whom {
            Some(player) => self.service.person(player)?.settings,
            None => Default::default(),
        };
        let own = the_match
            .play()
            .and_then(|play| play.seats_of(for_whom?).iter().next());
        let side = wish
            .viewer
            .or(own)
            .filter(|_| settings.own_side)
            .unwrap_or(Seat::new(0));
        let mut picture = wish.picture(code, settings.theme, side, String::new());
        picture.alt = self.show(&picture, |table, frame| match &picture.of {
            Subject::Match {
                what: PictureKind::Hand,
                ..
            } => Ok(table.hand(frame).map_or_else(String::new, |hand| hand.alt)),
            Subject::Match { .. } | Subject::Opening(_) | Subject::Showpiece { .. } => Ok(table.alt(frame)),
        })?;
        Ok(picture)
    }

    /// Draws a picture. Slow: call it off the async threads.
    pub fn draw(&self, picture: &Picture) -> Result<Drawn, Failure> {
        let broken = |error| Failure::Broken(Fault::new("drawing a picture", error));
        if let Subject::Showpiece { game, piece } = &picture.of {
            let entry = catalog::find(game).map_err(Refusal::UnknownGame)?;
            let png = entry.showpiece(piece, picture.theme.0);
            return Ok(Drawn {
                png: png.ok_or(Refusal::NoMatchHere)?.map_err(broken)?,
                alt: picture.alt.clone(),
            });
        }
        let png = self.show(picture, |table, frame| match &picture.of {
            Subject::Match {
                what: PictureKind::Hand,
                ..
            } => table
                .hand_picture(frame)
                .map_err(broken)?
                .ok_or_else(|| Refusal::NoMatchHere.into()),
            Subject::Match { .. } | Subject::Opening(_) | Subject::Showpiece { .. } => {
                table.picture(frame).map_err(broken)
            }
        })?;
        Ok(Drawn {
            png,
            alt: picture.alt.clone(),
        })
    }

    fn show<T>(
        &self,
        picture: &Picture,
        show: impl FnOnce(&dyn Table, &Frame<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let (table, names, viewer) = match &picture.of {
            // Belongs to no table, and was drawn before.
            Subject::Showpiece { .. } => return Err(Refusal::NoMatchHere.into()),
            Subject::Opening(game) => {
                let table = opening(game)?;
                let names = Seat::all(table.seats())
                    .map(|seat| format!("Player {seat}"))
                    .collect();
                (table, names, Viewer::Public)
            }
            Subject::Match {
                code,
                entries,
                viewer,
                what,
            } => {
                let the_match = self.service.find(code)?;
                let mut table = self.service.table_at(&the_match, *entries)?;
                let play = begun(&the_match)?;
                if let (PictureKind::Preview(sentence), Some(seat)) = (what, viewer) {
                    // Tried where it was thought of: the match may have gone on since.
                    let steps = steps_of(&self.service.repository().log(code, *entries)?).len() as u64;
                    let tried = table.play(*seat, sentence, &seed_of(play)?, steps + 1);
                    if !tried.is_ok_and(|played| !played.taught) {
                        return Err(Refusal::CantPreview.into());
                    }
                }
                let names = play
                    .players
                    .iter()
                    .map(|player| Ok(self.service.person(player)?.name))
                    .collect::<Result<_, Fault>>()?;
                (table, names, viewer.map_or(Viewer::Public, Viewer::Seat))
            }
        };
        let names: Vec<String> = names;
        let frame = Frame {
            viewer,
            side: picture.side,
            theme: picture.theme.0,
            names: &names,
        };
        show(table.as_ref(), &frame)
    }
}

/// A table of a game as it is when nobody has moved.
fn opening(game: &str) -> Result<Box<dyn Table>, Failure> {
    let entry = catalog::find(game).map_err(Refusal::UnknownGame)?;
    let options = OptionValues::defaults(entry.meta.options);
    let seats = *entry.meta.seats.start();
    Ok(entry
        .open(&options, seats, &Seed::from_text("the opening"))
        .map_err(Refusal::Seats)?)
}

/// A picture of the opening of a game.
pub(super) fn opening_picture(game: &str, theme: ThemeName) -> Result<Picture, Failure> {
    let table = opening(game)?;
    let names: Vec<String> = Seat::all(table.seats())
        .map(|seat| format!("Player {seat}"))
        .collect();
    let frame = Frame {
        viewer: Viewer::Public,
        side: Seat::new(0),
        theme: theme.0,
        names: &names,
    };
    Ok(Picture {
        alt: table.alt(&frame),
        of: Subject::Opening(table.meta().id.to_owned()),
        side: Seat::new(0),
        theme,
    })
}
