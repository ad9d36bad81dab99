//! Deliveries in words: what rooms and players are told.
//!
//! `gathering` speaks of tables that wait for players, `turns` of a match under way, `call` of what a turn asks,
//! `proposals` of what its players propose, `ending` of its end; `short` says the same in few words.

mod call;
mod ending;
mod gathering;
mod proposals;
mod short;
mod turns;

pub(super) use self::call::{in_words, thinking};
pub(super) use self::ending::in_words as ending_in_words;
pub use self::short::{at_once, in_short};
pub(super) use self::turns::RULES;
use self::turns::Start;
use super::message::{Inline, Message, Picture, PictureKind, Subject, Text};
use crate::catalog;
use crate::game::Seat;
use crate::matches::code::Code;
use crate::matches::delivery::{Delivery, Notice};
use crate::matches::hours::{Absence, Return};
use crate::matches::people::{PlayerId, ThemeName};
use crate::say;

/// A delivery as a message. `hides` tells whether players hold what others must not see; `picture` makes the picture of the
/// match after so many entries, for the public or for one seat.
pub fn message(
    delivery: &Delivery,
    hides: bool,
    picture: &dyn Fn(PictureWish) -> Option<Picture>,
) -> Message {
    let say = Say::of(delivery, hides, picture);
    match &delivery.notice {
        Notice::Gathering {
            news,
            host,
            places,
            options,
            clock,
            expires,
        } => {
            let mut message = say.gathering(news, host, places);
            say.terms(&mut message.text, options, &clock.help());
            message
                .text
                .line(say!("The offer stands until {expires}.", expires = *expires));
            message
        }
        Notice::CalledOff(why) => say.called_off(why),
        Notice::Started {
            players,
            options,
            clock,
            commitment,
            narration,
            turn,
        } => {
            let start = Start {
                players,
                options,
                clock: &clock.help(),
                commitment,
                narration,
            };
            say.started(&start, turn)
        }
        Notice::Moved {
            players,
            narration,
            turn,
        } => say.turn(Text::prose(narration, players), players, turn),
        Notice::Ended {
            players,
            narration,
            entries,
            ending,
            seed,
        } => {
            let mut message = say.ended(players, narration, *entries, ending);
            if !seed.is_empty() {
                message.text.line(say.check_shuffle());
            }
            message
        }
        Notice::Hand {
            seat,
            players,
            entries,
        } => say.hand(*seat, players, *entries),
        Notice::Proposed {
            players,
            by,
            what,
            asked,
        } => say.proposed(players, *by, *what, asked),
        Notice::Settled {
            players,
            what,
            answer,
            turn,
        } => say.settled(players, *what, answer, turn),
        Notice::StoodIn {
            players,
            seat,
            was,
            turn,
        } => say.stood_in(players, *seat, was, turn.as_ref()),
        Notice::Resumed { players, by, turn } => say.resumed(players, *by, turn),
        Notice::Brought { players, by, turn } => say.brought(players, *by, turn),
        Notice::PlanDropped { plan, why } => say.plan_dropped(plan, why.as_deref()),
        Notice::RoomLost => say.room_lost(),
        Notice::Missed { .. } => say.missed(),
        Notice::Reviewed => say.reviewed(),
        Notice::HomeChanged { players, news, turn } => say.home_changed(players, news, turn),
        Notice::Reminder {
            players,
            seat,
            question,
            left,
            deadline,
            away,
        } => {
            let mut message = say.reminder(players, *seat, question, *left, *deadline);
            if let Some(sentence) = away.as_ref().and_then(absence) {
                message.text.sentence(sentence);
            }
            message
        }
    }
}

/// What players should know of time that was on nobody's clock.
pub fn absence(returned: &Return) -> Option<String> {
    let away = returned.away.roughly();
    match &returned.why {
        Absence::Off => Some(format!("I was away for {away}; that time is on nobody's clock.")),
        Absence::Unsaved => Some(format!(
            "I couldn't save anything for {away}; that time is on nobody's clock."
        )),
        Absence::Platform(platform) => {
            let mut name = platform.clone();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            Some(format!(
                "{name} was out of reach for {away}; that time is on nobody's clock."
            ))
        }
        // The clocks at the table went on as if nothing had happened.
        Absence::ClockSet => None,
    }
}

/// What a message wants a picture of.
#[derive(Clone, Debug)]
pub struct PictureWish {
    pub entries: u32,
    pub viewer: Option<Seat>,
    pub what: PictureKind,
}

impl PictureWish {
    /// The picture, once it is known what it says.
    pub fn picture(self, code: &Code, theme: ThemeName, side: Seat, alt: String) -> Picture {
        let of = Subject::Match {
            code: code.clone(),
            entries: self.entries,
            viewer: self.viewer,
            what: self.what,
        };
        Picture {
            of,
            side,
            theme,
            alt,
            prepared: None,
        }
    }
}

/// The printed name of a game.
pub fn game_name(id: &str) -> String {
    catalog::find(id).map_or_else(|_| id.to_owned(), |entry| entry.meta.name.to_owned())
}

fn person(players: &[PlayerId], seat: Seat) -> Inline {
    match players.get(seat.index()) {
        Some(player) => Inline::Person(player.clone()),
        None => Inline::Plain(format!("Player {seat}")),
    }
}

/// Says what one delivery tells.
struct Say<'a> {
    delivery: &'a Delivery,
    game: String,
    /// Whether players hold what others must not see.
    hides: bool,
    picture: &'a dyn Fn(PictureWish) -> Option<Picture>,
}

impl<'a> Say<'a> {
    fn of(delivery: &'a Delivery, hides: bool, picture: &'a dyn Fn(PictureWish) -> Option<Picture>) -> Self {
        Self {
            delivery,
            game: game_name(&delivery.game),
            hides,
            picture,
        }
    }

    fn code(&self) -> &Code {
        &self.delivery.code
    }

    /// The game and the code by which the match is known.
    fn title(&self) -> Inline {
        Inline::Bold(format!("{} #{}", self.game, self.code()))
    }

    /// A command about this match as it is now.
    fn now(&self, verb: &str) -> String {
        format!("{verb} #{}@{}", self.code(), self.delivery.version)
    }

    /// A command about this match as it will be when it is pressed.
    fn then(&self, verb: &str) -> String {
        format!("{verb} #{}", self.code())
    }
}
