//! `replay`: a match shown again, as an animated picture with its story, or turn by turn.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use super::command::{Command, ReplayPart, ReplayWish};
use super::message::{Button, File, Inline, Message, Picture, PictureKind, ReplayedHands, Subject, Text};
use super::notices::{PictureWish, game_name};
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::pictures::Audience;
use crate::catalog::{Frame, Table};
use crate::draw::film::FilmShape;
use crate::draw::{ALT_LIMIT, Prose};
use crate::game::{Seat, Viewer};
use crate::matches::change::begun;
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, ThemeName};
use crate::matches::port::Fault;
use crate::matches::practice::may_copy;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::replay::{FilmWish, ReplayError, Retold};
use crate::matches::service::MatchRef;
use crate::matches::state::{Match, Stage};
use crate::{say, text};

/// So many turns are told below the film itself; the story of more is a file.
const TOLD_AT_ONCE: usize = 5;

/// A match as somebody may see it again.
pub(super) struct Shown<'a> {
    pub(super) found: &'a Loaded,
    pub(super) players: &'a [PlayerId],
    /// What happened in each turn.
    pub(super) story: Vec<Prose>,
    /// At the end of the last turn that is shown.
    pub(super) table: Box<dyn Table>,
    pub(super) own: Option<Seat>,
    pub(super) hands: ReplayedHands,
    /// How it is to be drawn.
    pub(super) look: ReplayWish,
}

impl Shown<'_> {
    pub(super) fn turns(&self) -> u32 {
        self.story.len() as u32
    }

    fn title(&self) -> Inline {
        let (game, code) = (game_name(&self.found.game), &self.found.code);
        Inline::Bold(format!("{game} #{code}"))
    }

    /// The story of a turn, behind its number.
    pub(super) fn line(&self, turn: u32) -> Text {
        let mut line = text![format!("{turn}. ")];
        if let Some(told) = self.story.get(turn as usize - 1) {
            line.0.extend(Text::prose(told, self.players).0);
        }
        line
    }

    fn button(&self, label: &str, part: ReplayPart) -> Button {
        let command = Command::Replay {
            about: Some(self.found.code.clone().into()),
            wish: ReplayWish { part, ..self.look },
        };
        Button::plain(label, command)
    }

    fn step(&self, label: &str, turn: u32) -> Button {
        self.button(label, ReplayPart::Step(turn))
    }

    /// Back and forth from a turn. No two lead to the same.
    fn ways(&self, turn: u32) -> Vec<Button> {
        let end = self.turns();
        let mut ways = Vec::new();
        if turn > 1 {
            ways.push(self.step("⏮", 0));
        }
        if turn > 0 {
            ways.push(self.step("◀", turn - 1));
        }
        if turn < end {
            ways.push(self.step("▶", turn + 1));
        }
        if turn + 1 < end {
            ways.push(self.step("⏭", end));
        }
        ways
    }
}

impl Parlor {
    /// A match again: as much of it as the asker may see while it runs, and all of it when it is over.
    pub(super) async fn replay(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        wish: ReplayWish,
    ) -> Result<Reply, Failure> {
        let found = self.any_match(request, about)?;
        let play = begun(&found)?;
        let own = play.seats_of(&request.who).iter().next();
        let hands = match &found.stage {
            Stage::Over(..) => ReplayedHands::Open,
            Stage::Running(_) | Stage::Open(_) | Stage::CalledOff(_) => ReplayedHands::AsSeen,
        };
        let seats = play.players.len();
        if wish
            .side
            .is_some_and(|side| side == 0 || usize::from(side) > seats)
        {
            let text = say!(
                "In `#{code}` there are sides 1 to {seats}.",
                code = found.code.to_string(),
                seats = seats.to_string()
            );
            return Ok(Reply::open(Message::text(text)).passing());
        }
        let last = match wish.part {
            ReplayPart::Turns { last, .. } | ReplayPart::Step(last) => Some(last),
            ReplayPart::All | ReplayPart::Last(_) | ReplayPart::Story => None,
        };
        let retold = self.retold(&found, hands.viewer(own), last).await?;
        let shown = Shown {
            found: &found,
            players: &play.players,
            story: retold.story,
            table: retold.table,
            own,
            hands,
            look: wish,
        };
        let message = match turns_of(wish.part, shown.turns(), shown.title()) {
            Ok(Wish::Film(turns)) => self.film_message(request, &shown, turns)?,
            Ok(Wish::Step(turn)) => self.step_message(request, &shown, turn)?,
            Ok(Wish::Story) => self.story_message(&shown)?,
            Err(help) => return Ok(Reply::open(Message::text(help)).passing()),
        };
        Ok(Reply {
            secret: own.is_some() && hands == ReplayedHands::AsSeen && is_secret(&found),
            ..Reply::open(message)
        })
    }

    /// A match told again. It is played from the start for that, so it is done off the async threads.
    pub(super) async fn retold(
        &self,
        found: &Loaded,
        viewer: Viewer,
        last: Option<u32>,
    ) -> Result<Retold, Failure> {
        let record = self.service.record(found)?;
        let told = tokio::task::spawn_blocking(move || record.retell(viewer, last));
        let told = told
            .await
            .map_err(|error| Fault::new("waiting for a match to be told again", error))?;
        Ok(told.map_err(unplayable)?)
    }

    pub(super) fn film_message(
        &self,
        request: &Request,
        shown: &Shown<'_>,
        turns: RangeInclusive<u32>,
    ) -> Result<Message, Failure> {
        let (first, last) = (*turns.start(), *turns.end());
        let title = shown.title();
        let [from, to, of] = [first, last, shown.turns()].map(|turn| turn.to_string());
        let mut text = match shown.turns() {
            1 => say!("{title}, its only turn.", title),
            all if first == 1 && last == all => say!("{title}, all {of} turns.", title, of),
            _ if first == last => say!("{title}, turn {from} of {of}.", title, from, of),
            _ => say!("{title}, turns {from} to {to} of {of}.", title, from, to, of),
        };
        if turns.clone().count() <= TOLD_AT_ONCE {
            turns.clone().for_each(|turn| text.line(shown.line(turn)));
        }
        let what = PictureKind::Replay {
            first,
            last,
            hands: shown.hands,
        };
        let mut picture = self.turn_picture(request, shown, what)?;
        picture.alt = film_alt(&turns, &picture.alt);
        Ok(Message {
            text,
            picture: Some(picture),
            buttons: vec![
                shown.step("Turn by turn", first),
                shown.button("In words", ReplayPart::Story),
            ],
            ..Message::default()
        })
    }

    /// What happened, turn by turn: for those who can't see it, and those who would rather read.
    fn story_message(&self, shown: &Shown<'_>) -> Result<Message, Failure> {
        let mut text = say!("{title}, the story.", title = shown.title());
        let turns = 1..=shown.turns();
        if shown.story.len() <= TOLD_AT_ONCE {
            turns.for_each(|turn| text.line(shown.line(turn)));
            return Ok(Message::text(text));
        }
        let names = self.names(begun(shown.found)?)?;
        let mut content = String::new();
        for (turn, told) in turns.zip(&shown.story) {
            let told = told.plain(|seat| names.get(seat.index()).cloned().unwrap_or_default());
            // Writing into a string can't fail.
            let _ = writeln!(content, "{turn}. {told}");
        }
        Ok(Message {
            text,
            file: Some(File {
                name: format!("{}-{}-story.txt", shown.found.game, shown.found.code),
                content,
            }),
            ..Message::default()
        })
    }

    fn step_message(&self, request: &Request, shown: &Shown<'_>, turn: u32) -> Result<Message, Failure> {
        let title = shown.title();
        let mut text = match turn {
            0 => say!("{title}, the opening.", title),
            turn => say!(
                "{title}, turn {turn} of {all}.",
                title,
                turn = turn.to_string(),
                all = shown.turns().to_string()
            ),
        };
        if turn > 0 {
            text.line(shown.line(turn));
        }
        let what = PictureKind::Turn {
            number: turn,
            hands: shown.hands,
        };
        let picture = self.turn_picture(request, shown, what)?;
        let mut buttons = shown.ways(turn);
        if shown.table.outcome().is_none() && may_copy(shown.found).is_ok() {
            buttons.push(what_if(shown.found, turn));
        }
        Ok(Message::text(text)
            .with_picture(Some(picture))
            .with_buttons(buttons))
    }

    fn turn_picture(
        &self,
        request: &Request,
        shown: &Shown<'_>,
        what: PictureKind,
    ) -> Result<Picture, Failure> {
        let wish = PictureWish {
            entries: begun(shown.found)?.entries,
            viewer: shown.own,
            what,
        };
        let audience = Audience::Player(&request.who);
        let mut picture = self.picture_of(shown.found, wish, shown.table.copy(), audience)?;
        let side = shown.look.side;
        let side = side.and_then(|side| Seat::numbered(side, shown.players.len() as u8));
        picture.side = side.unwrap_or(picture.side);
        picture.theme = shown.look.theme.map_or(picture.theme, ThemeName);
        if let Some(prepared) = &picture.prepared {
            picture.alt = prepared.table().alt(&prepared.frame(&picture));
        }
        Ok(picture)
    }

    /// Draws a film. Slow: call it off the async threads.
    pub(super) fn film(
        &self,
        picture: &Picture,
        turns: RangeInclusive<u32>,
        shape: FilmShape,
    ) -> Result<Vec<u8>, Failure> {
        let Subject::Match {
            code,
            entries,
            viewer,
            what,
        } = &picture.of
        else {
            return Err(Refusal::NoMatchHere.into());
        };
        let found = self.service.find(code)?;
        let names = self.names(begun(&found)?)?;
        let frame = Frame {
            side: picture.side,
            theme: picture.theme.0,
            ..Frame::new(what.viewer(*viewer), &names)
        };
        let record = self.service.record_at(&found, *entries)?;
        let wish = FilmWish {
            shape,
            ..FilmWish::default()
        };
        let film = record.film(&turns, &frame, &wish);
        Ok(film.map_err(unplayable)?)
    }

    /// Held while a film is drawn: there is one at a time, on all platforms together, as several would only make all slower.
    /// It is waited for instead of a place where boards are drawn, so that no board waits behind films.
    pub async fn film_turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.films).acquire_owned().await.ok()
    }
}

/// The way to a practice match from a turn.
pub(super) fn what_if(found: &Match, turn: u32) -> Button {
    let practice = Command::PracticeFrom {
        about: Some(found.code.clone().into()),
        turn: Some(turn),
        level: None,
    };
    Button::plain("What if?", practice)
}

/// What a film shows, for those who can't see it; its last picture is told already.
pub(super) fn film_alt(turns: &RangeInclusive<u32>, end: &str) -> String {
    let (first, last) = (turns.start(), turns.end());
    let of = if first == last {
        format!("A film of turn {first}.")
    } else {
        format!("A film of turns {first} to {last}.")
    };
    text::cut(&format!("{of} It ends so: {end}"), ALT_LIMIT)
}

/// What is shown.
enum Wish {
    Film(RangeInclusive<u32>),
    Step(u32),
    Story,
}

/// The turns that are meant in a match that has so many; or what can be asked for instead.
fn turns_of(part: ReplayPart, has: u32, title: Inline) -> Result<Wish, Text> {
    if has == 0 {
        return Err(say!("Nobody has moved in {title} yet.", title));
    }
    match part {
        ReplayPart::All => Ok(Wish::Film(1..=has)),
        ReplayPart::Story => Ok(Wish::Story),
        ReplayPart::Last(count) => Ok(Wish::Film(has - count.clamp(1, has) + 1..=has)),
        ReplayPart::Turns { first, last } if 1 <= first && first <= last && last <= has => {
            Ok(Wish::Film(first..=last))
        }
        ReplayPart::Step(turn) if turn <= has => Ok(Wish::Step(turn)),
        ReplayPart::Turns { .. } | ReplayPart::Step(_) if has == 1 => {
            Err(say!("{title} has only turn 1 so far.", title))
        }
        ReplayPart::Turns { .. } | ReplayPart::Step(_) => Err(say!(
            "{title} has turns 1 to {last}.",
            title,
            last = has.to_string()
        )),
    }
}

/// What is kept of a match was played once, so it can be played again.
pub(super) fn unplayable(error: impl Into<ReplayError>) -> Fault {
    Fault::new("showing a match again", error.into())
}

impl ReplayedHands {
    /// Through whose eyes a match is shown again.
    pub fn viewer(self, seat: Option<Seat>) -> Viewer {
        match self {
            Self::Open => Viewer::Omniscient,
            Self::AsSeen => seat.map_or(Viewer::Public, Viewer::Seat),
        }
    }
}

impl PictureKind {
    /// Through whose eyes it shows a match, if it is made for this seat.
    pub fn viewer(&self, seat: Option<Seat>) -> Viewer {
        match self {
            Self::Turn { hands, .. } | Self::Replay { hands, .. } | Self::Position { hands, .. } => {
                hands.viewer(seat)
            }
            Self::Board | Self::Hand | Self::Preview(_) | Self::Picking(_) | Self::Graph => {
                seat.map_or(Viewer::Public, Viewer::Seat)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_that_are_not_there_are_told_from_those_that_are() {
        let film = |part: &str, has| match turns_of(part.parse().unwrap(), has, "Phwar".into()) {
            Ok(Wish::Film(turns)) => Ok(turns),
            Ok(Wish::Step(turn)) => Ok(turn..=turn),
            Ok(Wish::Story) => panic!("nobody asked for the story"),
            Err(help) => Err(help.plain(PlayerId::to_string)),
        };
        assert_eq!(film("", 9), Ok(1..=9));
        assert_eq!(film("3-5", 9), Ok(3..=5));
        assert_eq!(film("turns 3 to 5", 9), Ok(3..=5));
        assert_eq!(film("last 4", 9), Ok(6..=9));
        assert_eq!(film("last 99", 9), Ok(1..=9));
        assert_eq!(film("last 0", 9), Ok(9..=9));
        assert_eq!(film("step 0", 9), Ok(0..=0));
        for wrong in ["0-3", "5-3", "3-10", "step 10", "4294967295"] {
            assert_eq!(
                film(wrong, 9),
                Err("Phwar has turns 1 to 9.".to_owned()),
                "{wrong}"
            );
        }
        assert_eq!(film("2", 1), Err("Phwar has only turn 1 so far.".to_owned()));
        assert_eq!(film("", 0), Err("Nobody has moved in Phwar yet.".to_owned()));
        for strange in ["x", "3-", "last five", "1-2-3", "4294967296"] {
            let read = strange.parse::<ReplayPart>();
            assert!(read.is_err() || strange == "3-", "{strange}");
        }
    }
}
