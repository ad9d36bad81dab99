//! Pictures of matches and games: described at once, drawn when somebody looks.

use super::message::{ImageFormat, Picture, PictureKind, Prepared, Subject};
use super::notices::PictureWish;
use super::parlor::{Parlor, Request};
use crate::catalog::{self, Entry, Illustrated, Table};
use crate::draw::film::{FilmFormat, FilmShape};
use crate::draw::rules::{Figure, PLAYERS};
use crate::draw::wide::widened;
use crate::draw::{ALT_LIMIT, Spot};
use crate::game::{OptionValues, Seat, Seed, Viewer};
use crate::matches::bot::is_bot;
use crate::matches::change::{begun, seed_of};
use crate::matches::community::BoardSide;
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, RoomId, ThemeName, told_apart};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::replay::FilmWish;
use crate::matches::state::{Play, steps_of};
use crate::text;

/// A drawn picture.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub file: Vec<u8>,
    pub format: ImageFormat,
    pub alt: String,
}

/// Who looks at a picture.
#[derive(Clone, Copy, Debug)]
pub(super) enum Audience<'a> {
    /// One player alone.
    Player(&'a PlayerId),
    /// One player, below the board that the room shows to all: both are turned the same way.
    Beside(&'a PlayerId, &'a RoomId),
    /// Everybody in a room.
    Room(&'a RoomId),
    /// Whoever has the link.
    Anybody,
}

impl<'a> Audience<'a> {
    /// Whoever asks, where they ask.
    pub(super) fn beside(request: &'a Request) -> Self {
        match &request.room {
            Some(room) => Self::Beside(&request.who, room),
            None => Self::Player(&request.who),
        }
    }
}

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
struct Style {
    side: Seat,
    theme: ThemeName,
}

impl Parlor {
    /// A picture of a match for somebody, or for a whole room.
    pub(super) fn describe(
        &self,
        found: &Loaded,
        wish: PictureWish,
        audience: Audience<'_>,
    ) -> Result<Picture, Failure> {
        let table = self.shown_table(found, wish.entries, wish.viewer, &wish.what)?;
        self.picture_of(found, wish, table, audience)
    }

    /// The same, where the table that it shows is at hand.
    pub(super) fn picture_of(
        &self,
        found: &Loaded,
        wish: PictureWish,
        table: Box<dyn Table>,
        audience: Audience<'_>,
    ) -> Result<Picture, Failure> {
        let play = begun(found)?;
        let style = self.style(found, &wish, table.as_ref(), audience)?;
        let prepared = Prepared::new(table, self.names(play)?, wish.what.viewer(wish.viewer));
        let mut picture = wish.picture(&found.code, style.theme, style.side, String::new());
        let frame = prepared.frame(&picture);
        let alt = match &picture.of {
            Subject::Match {
                what: PictureKind::Hand,
                ..
            } => prepared
                .table()
                .hand(&frame)
                .map_or_else(String::new, |hand| hand.alt),
            Subject::Match { .. }
            | Subject::Opening(_)
            | Subject::Rule { .. }
            | Subject::Showpiece { .. } => prepared.table().alt(&frame),
        };
        picture.alt = alt;
        picture.prepared = Some(prepared);
        Ok(picture)
    }

    /// What somebody looks at while they pick an action word by word.
    pub(super) fn picking(
        &self,
        found: &Loaded,
        seat: Seat,
        picked: &[&str],
        request: &Request,
    ) -> Result<Picture, Failure> {
        let wish = PictureWish {
            entries: begun(found)?.entries,
            viewer: Some(seat),
            what: PictureKind::Picking(picked.iter().map(|&word| word.to_owned()).collect()),
        };
        self.describe(found, wish, Audience::beside(request))
    }

    /// From which side and in which theme a match is drawn. What one person looks at alone is drawn as they like it, and
    /// so is a match in which nobody else plays; for others the room decides.
    fn style(
        &self,
        found: &Loaded,
        wish: &PictureWish,
        table: &dyn Table,
        audience: Audience<'_>,
    ) -> Result<Style, Failure> {
        let play = begun(found)?;
        let (player, room) = match audience {
            Audience::Player(player) => (Some(player), None),
            Audience::Beside(player, room) => (Some(player), Some(self.service.rules_in(room)?)),
            Audience::Room(room) => (only_person(play), Some(self.service.rules_in(room)?)),
            Audience::Anybody => (None, None),
        };
        let Some(player) = player else {
            let rules = room.unwrap_or_default();
            return Ok(Style {
                side: shared_side(play, table, rules.side),
                theme: rules.theme.unwrap_or_default(),
            });
        };
        let settings = self.service.person(player)?.settings;
        let own = wish.viewer.or_else(|| play.seats_of(player).iter().next());
        // Whoever has chosen no theme of their own has the room's.
        let shared = room.and_then(|rules| rules.theme);
        let side = match audience {
            Audience::Beside(_, room) if only_person(play).is_none() && found.rooms.contains(room) => {
                shared_side(play, found.table()?, self.service.rules_in(room)?.side)
            }
            Audience::Player(_) | Audience::Beside(..) | Audience::Room(_) | Audience::Anybody => {
                own.filter(|_| settings.own_side).unwrap_or(Seat::new(0))
            }
        };
        Ok(Style {
            side,
            theme: settings.chosen_theme().or(shared).unwrap_or_default(),
        })
    }

    /// The theme of what is no match: as the asker has chosen, or else the room in which they ask.
    pub(super) fn theme_for(&self, request: &Request) -> Result<ThemeName, Failure> {
        let chosen = self.service.person(&request.who)?.settings.chosen_theme();
        let shared = match &request.room {
            Some(room) if chosen.is_none() => self.service.rules_in(room)?.theme,
            Some(_) | None => None,
        };
        Ok(chosen.or(shared).unwrap_or_default())
    }

    /// Draws a picture. Slow: call it off the async threads.
    pub fn draw(&self, picture: &Picture) -> Result<Drawn, Failure> {
        self.draw_in(picture, FilmShape::Light, picture.format())
    }

    /// The same for a browser.
    pub fn draw_for_browsers(&self, picture: &Picture) -> Result<Drawn, Failure> {
        self.draw_in(picture, FilmShape::Light, picture.format_in_browsers())
    }

    /// The same for a platform that shows high pictures small: at least as wide as high, and large enough to be read.
    pub fn draw_wide(&self, picture: &Picture) -> Result<Drawn, Failure> {
        let drawn = self.draw_in(picture, FilmShape::Wide, picture.format())?;
        Ok(Drawn {
            file: widened(drawn.file),
            ..drawn
        })
    }

    fn draw_in(&self, picture: &Picture, shape: FilmShape, format: ImageFormat) -> Result<Drawn, Failure> {
        let broken = |error| Failure::Broken(Fault::new("drawing a picture", error));
        let file = match &picture.of {
            Subject::Match {
                what: PictureKind::Replay { first, last, .. },
                ..
            } => {
                let wish = FilmWish {
                    shape,
                    format: match format {
                        ImageFormat::Png | ImageFormat::Gif => FilmFormat::Gif,
                        ImageFormat::AnimatedPng => FilmFormat::AnimatedPng,
                    },
                    ..FilmWish::default()
                };
                Some(self.film(picture, *first..=*last, &wish)?)
            }
            Subject::Match {
                what: PictureKind::Graph,
                ..
            } => {
                let graph = self.graph(picture)?.canvas(picture.theme.0);
                Some(graph.to_png().map_err(broken)?)
            }
            Subject::Showpiece { game, piece } => {
                let entry = catalog::find(game).map_err(Refusal::UnknownGame)?;
                entry
                    .showpiece(piece, picture.theme.0)
                    .transpose()
                    .map_err(broken)?
            }
            Subject::Opening(_) | Subject::Rule { .. } | Subject::Match { .. } => {
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
                    Subject::Match { .. }
                    | Subject::Opening(_)
                    | Subject::Rule { .. }
                    | Subject::Showpiece { .. } => Some(prepared.table().picture(&frame).map_err(broken)?),
                }
            }
        };
        Ok(Drawn {
            file: file.ok_or(Refusal::NoMatchHere)?,
            format,
            alt: picture.alt.clone(),
        })
    }

    /// What can be touched in a picture; nothing in one that belongs to no table.
    pub fn spots(&self, picture: &Picture) -> Result<Vec<Spot>, Failure> {
        let prepared = match (&picture.of, &picture.prepared) {
            (
                Subject::Showpiece { .. }
                | Subject::Match {
                    what: PictureKind::Graph,
                    ..
                },
                _,
            ) => return Ok(Vec::new()),
            (_, Some(prepared)) => prepared.clone(),
            (_, None) => self.prepare(picture)?,
        };
        let frame = prepared.frame(picture);
        Ok(match &picture.of {
            Subject::Match {
                what: PictureKind::Hand,
                ..
            } => prepared.table().hand_spots(&frame),
            Subject::Match { .. }
            | Subject::Opening(_)
            | Subject::Rule { .. }
            | Subject::Showpiece { .. } => prepared.table().spots(&frame),
        })
    }

    /// Reads what a picture shows that was described some time ago.
    fn prepare(&self, picture: &Picture) -> Result<Prepared, Failure> {
        match &picture.of {
            // Belongs to no table.
            Subject::Showpiece { .. } => Err(Refusal::NoMatchHere.into()),
            Subject::Opening(game) => opening(game),
            Subject::Rule { game, name } => {
                let entry = catalog::find(game).map_err(Refusal::UnknownGame)?;
                let shown = entry.illustration(name).and_then(illustrated);
                Ok(shown.ok_or(Refusal::NoMatchHere)?)
            }
            Subject::Match {
                code,
                entries,
                viewer,
                what,
            } => {
                let found = self.service.find(code)?;
                let table = self.shown_table(&found, *entries, *viewer, what)?;
                Ok(Prepared::new(
                    table,
                    self.names(begun(&found)?)?,
                    what.viewer(*viewer),
                ))
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
        if let PictureKind::Turn { number, .. } | PictureKind::Replay { last: number, .. } = what {
            let record = self.service.record_at(found, entries)?;
            let table = record.at_turn(*number);
            return Ok(table.map_err(|error| Fault::new("showing a turn again", error))?);
        }
        if let PictureKind::Position { steps, .. } = what {
            let record = self.service.record_at(found, entries)?;
            let table = record.replay(Some(*steps as usize));
            return Ok(table.map_err(|error| Fault::new("showing a position again", error))?);
        }
        let mut table = self.service.table_at(found, entries)?;
        if let (PictureKind::Preview(sentence), Some(seat)) = (what, viewer) {
            // Tried where it was thought of: the match may have gone on since.
            let steps = steps_of(&self.service.repository().log(&found.code, entries)?).len() as u64;
            let tried = table.play(seat, sentence, &seed_of(begun(found)?)?, steps + 1);
            if !tried.is_ok_and(|played| !played.taught) {
                return Err(Refusal::CantPreview.into());
            }
        }
        // Whoever plays against bots sees their own move and what was replied to it.
        let play = begun(found)?;
        if only_person(play).is_some() {
            table.show_with_replies(play.bots());
        }
        Ok(table)
    }

    /// What the players of a match are called in its pictures, one a seat.
    pub(super) fn names(&self, play: &Play) -> Result<Vec<String>, Fault> {
        let mut named = Vec::new();
        for player in &play.players {
            named.push((player, self.service.person(player)?.name));
        }
        Ok(told_apart(&named))
    }
}

/// The side from which several people see a board: that of whoever is to move, if the room has it so.
fn shared_side(play: &Play, table: &dyn Table, side: BoardSide) -> Seat {
    let awaited = table.awaiting().seats();
    let mover = awaited.iter().find(|seat| play.bot_in(*seat).is_none());
    mover.filter(|_| side == BoardSide::Mover).unwrap_or(Seat::new(0))
}

/// The only person at a table, if nobody but bots plays with them.
fn only_person(play: &Play) -> Option<&PlayerId> {
    let mut people = play.players.iter().filter(|player| !is_bot(player));
    let first = people.next()?;
    people.all(|other| other == first).then_some(first)
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
    Ok(Prepared::new(table, names.collect(), Viewer::Public))
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

/// A position of the rules, at which everybody has a name of their own.
fn illustrated(illustrated: Illustrated) -> Option<Prepared> {
    match illustrated {
        Illustrated::Table(table) => {
            let names = PLAYERS.map(str::to_owned).to_vec();
            Some(Prepared::new(table, names, Viewer::Public))
        }
        Illustrated::Showpiece(_) => None,
    }
}

/// A picture in the rules of a game.
pub(super) fn figure_picture(entry: &Entry, figure: &Figure, theme: ThemeName) -> Option<Picture> {
    let (game, shown) = (entry.meta.id.to_owned(), entry.illustration(figure.name)?);
    let mut picture = Picture {
        of: match &shown {
            Illustrated::Table(_) => Subject::Rule {
                game,
                name: figure.name.to_owned(),
            },
            Illustrated::Showpiece(piece) => Subject::Showpiece {
                game,
                piece: piece.clone(),
            },
        },
        side: Seat::new(0),
        theme,
        alt: String::new(),
        prepared: None,
    };
    let position = match shown {
        Illustrated::Showpiece(piece) => entry.showpiece_alt(&piece),
        table @ Illustrated::Table(_) => {
            picture.prepared = illustrated(table);
            let prepared = picture.prepared.as_ref()?;
            prepared.table().alt(&prepared.frame(&picture))
        }
    };
    picture.alt = text::cut(&format!("{} {position}", figure.caption), ALT_LIMIT);
    Some(picture)
}
