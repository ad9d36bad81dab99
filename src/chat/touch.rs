//! Playing by touch: what somebody means who touches the pictures of their match.
//!
//! Touching is reading: it changes nothing. What comes of it is a command like any other, for the version of the match
//! that the pictures show.

use serde::Serialize;

use super::command::Command;
use super::parlor::Parlor;
use crate::game::guide::Leads;
use crate::game::touch::{OpenSpot, Touch};
use crate::matches::change::{running, seat_of};
use crate::matches::code::Code;
use crate::matches::people::PlayerId;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;

/// What can be touched and chosen after some touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TouchAnswer {
    pub version: u64,
    /// The touches that count.
    pub touches: Vec<Touch>,
    pub ask: String,
    pub spots: Vec<TouchableSpot>,
    pub choices: Vec<TouchChoice>,
    /// What these touches play, once nothing is left to choose.
    pub command: Option<String>,
}

/// A spot that can be touched now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TouchableSpot {
    pub word: String,
    pub label: String,
    pub help: String,
    /// Whether it answers what is asked; others may be touched before their turn.
    pub next: bool,
    /// What touching it plays, if nothing is left to choose then.
    pub command: Option<String>,
}

/// Something to choose that is no place in a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TouchChoice {
    pub word: String,
    pub label: String,
    pub help: String,
    /// What it plays, if nothing is left to choose then.
    pub command: Option<String>,
}

impl Parlor {
    /// What a player means who has touched these things on the pictures of this version.
    pub fn touch(
        &self,
        who: &PlayerId,
        code: &Code,
        version: u64,
        touches: &[Touch],
    ) -> Result<TouchAnswer, Failure> {
        let found = self.service.find(code)?;
        let play = running(&found)?;
        let table = found.table()?;
        let awaited = table.awaiting().seats();
        let seat = seat_of(&found, play, who, awaited)?;
        if found.version != version {
            return Err(Refusal::Stale { code: code.clone() }.into());
        }
        if !awaited.contains(seat) {
            let awaited = awaited.iter().filter_map(|seat| play.players.get(seat.index()));
            return Err(Refusal::NotYourTurn {
                code: code.clone(),
                awaited: awaited.cloned().collect(),
            }
            .into());
        }
        let about = MatchRef {
            code: code.clone(),
            version: Some(version),
        };
        let confirm = self.service.person(who)?.settings.confirm;
        let command = |sentence: String| {
            let about = Some(about.clone());
            String::from(if confirm {
                Command::Preview { about, sentence }
            } else {
                Command::Move { about, sentence }
            })
        };
        let touched = table.touch(seat, touches);
        let spot = |spot: OpenSpot| TouchableSpot {
            word: spot.word,
            label: spot.label,
            help: spot.help,
            next: spot.next,
            command: spot.sentence.map(command),
        };
        let choices = touched.choices.into_iter().map(|choice| TouchChoice {
            word: choice.text,
            label: choice.label,
            help: choice.help,
            command: match choice.leads {
                Leads::On { .. } => None,
                Leads::To { sentence } => Some(command(sentence)),
            },
        });
        Ok(TouchAnswer {
            version,
            touches: touched.touches,
            ask: touched.ask,
            choices: choices.collect(),
            command: touched.sentence.map(command),
            spots: touched.spots.into_iter().map(spot).collect(),
        })
    }
}
