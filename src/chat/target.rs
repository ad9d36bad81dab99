//! The match that a command is about, found and read once.

use super::parlor::{Parlor, Request};
use super::wanted::{Wanted, at_hand, awaits};
use crate::catalog::Reading;
use crate::matches::loaded::Loaded;
use crate::matches::moves;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{MatchRef, TargetMatch};

/// How many finished matches are looked through for one of a room.
const LATEST: usize = 20;

impl Parlor {
    /// The match that a request means: the one that it names, or the one that the platform says it is about, or the only
    /// one that fits.
    pub(super) fn target(
        &self,
        request: &Request,
        named: Option<&MatchRef>,
        wanted: Wanted,
    ) -> Result<TargetMatch, Failure> {
        match reference(request, named) {
            Some(reference) => self.service.target(reference),
            None => self.only_match(&request.who, request.room.as_ref(), wanted),
        }
    }

    /// The same; and where nothing fits, one that fits something else.
    pub(super) fn target_or(
        &self,
        request: &Request,
        named: Option<&MatchRef>,
        [wanted, otherwise]: [Wanted; 2],
    ) -> Result<TargetMatch, Failure> {
        match self.target(request, named, wanted) {
            Err(Failure::Refused(Refusal::NoMatchHere)) => self.target(request, named, otherwise),
            target => target,
        }
    }

    /// The match in which a sentence is to be played: of several that wait for the player, the only one in which it is
    /// a move.
    pub(super) fn move_target(
        &self,
        request: &Request,
        named: Option<&MatchRef>,
        sentence: &str,
    ) -> Result<TargetMatch, Failure> {
        if let Some(reference) = reference(request, named) {
            return self.service.target(reference);
        }
        let (who, room) = (&request.who, request.room.as_ref());
        let waiting = self.fitting(who, room, Wanted::MyTurn)?;
        if waiting.is_empty() {
            // Another match can at least say whose turn it is.
            return self.only_match(who, room, Wanted::ToPlay);
        }
        let readable = readable(&waiting, who, sentence);
        only_one(
            if readable.is_empty() {
                waiting
            } else {
                keep(waiting, &readable)
            },
            who,
        )
    }

    /// The same for a line that is no command: nothing if it is no move in any of several matches. Out of turn a private
    /// wish may still be meant: a pass in advance.
    pub(super) fn bare_target(&self, request: &Request, line: &str) -> Result<Option<TargetMatch>, Failure> {
        if let Some(reference) = reference(request, None) {
            return self.service.target(reference).map(Some);
        }
        let (who, room) = (&request.who, request.room.as_ref());
        let waiting = self.fitting(who, room, Wanted::MyTurn)?;
        if waiting.len() == 1 {
            return only_one(waiting, who).map(Some);
        }
        let readable = readable(&waiting, who, line);
        if !readable.is_empty() {
            return only_one(keep(waiting, &readable), who).map(Some);
        }
        let mut running = self.fitting(who, room, Wanted::Running)?;
        running.retain(|found| moves::reads(found, who, line) == Reading::Aside);
        if running.is_empty() {
            return Ok(None);
        }
        only_one(running, who).map(Some)
    }

    /// The only match of somebody that fits.
    pub(super) fn only_match(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        wanted: Wanted,
    ) -> Result<TargetMatch, Failure> {
        let mut fitting = self.fitting(who, room, wanted)?;
        // Who moves or looks means the match that waits for them. Who gives something up has to say which.
        let looks = matches!(wanted, Wanted::ToPlay | Wanted::Holding | Wanted::Alive);
        if looks && fitting.iter().any(|the_match| awaits(the_match, who)) {
            fitting.retain(|the_match| awaits(the_match, who));
        } else if !looks && fitting.len() > 1 {
            return Err(which(&fitting));
        }
        only_one(fitting, who)
    }

    /// The matches of somebody that fit; where some of them are played in this room, only those.
    pub(super) fn fitting(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        wanted: Wanted,
    ) -> Result<Vec<Loaded>, Failure> {
        let repository = self.service.repository();
        let codes = match wanted {
            Wanted::Finished => repository.finished_of(who, LATEST)?,
            Wanted::Asked
            | Wanted::Own
            | Wanted::Hosted
            | Wanted::Seated
            | Wanted::Running
            | Wanted::ToPlay
            | Wanted::Holding
            | Wanted::MyTurn
            | Wanted::Alive => repository.alive_of(who)?,
        };
        let mut fitting: Vec<Loaded> = Vec::new();
        for code in codes {
            match self.service.find(&code) {
                Ok(found) if wanted.fits(&found, who) => fitting.push(found),
                Ok(_) | Err(Failure::Refused(_)) => {}
                Err(broken @ Failure::Broken(_)) => return Err(broken),
            }
        }
        if let Some(room) = room
            && fitting.iter().any(|the_match| the_match.rooms.contains(room))
        {
            fitting.retain(|the_match| the_match.rooms.contains(room));
        }
        if wanted == Wanted::Finished {
            // Of finished matches the last one is meant; it comes first.
            fitting.truncate(1);
        }
        Ok(fitting)
    }
}

/// The match that is named in a command, or in a line that is none, or by where it was said.
fn reference<'r>(request: &'r Request, named: Option<&'r MatchRef>) -> Option<&'r MatchRef> {
    named.or(request.input.named()).or(request.about.as_ref())
}

/// The places of those matches in which a sentence can be played; failing that, of those in which it reads as a move.
fn readable(waiting: &[Loaded], who: &PlayerId, sentence: &str) -> Vec<usize> {
    // Nothing is to be found out where there is only one.
    if waiting.len() < 2 {
        return (0..waiting.len()).collect();
    }
    let places = |test: &dyn Fn(&Loaded) -> bool| -> Vec<usize> {
        (0..waiting.len())
            .filter(|&place| test(&waiting[place]))
            .collect()
    };
    let legal = places(&|found| moves::attempt(found, who, sentence).is_ok());
    if legal.is_empty() {
        places(&|found| moves::reads(found, who, sentence) != Reading::Nothing)
    } else {
        legal
    }
}

fn keep(matches: Vec<Loaded>, places: &[usize]) -> Vec<Loaded> {
    let numbered = matches.into_iter().enumerate();
    let kept = numbered.filter(|(place, _)| places.contains(place));
    kept.map(|(_, found)| found).collect()
}

/// The only match, or the one that is at hand; otherwise it has to be said which.
fn only_one(mut matches: Vec<Loaded>, who: &PlayerId) -> Result<TargetMatch, Failure> {
    if matches.is_empty() {
        return Err(Refusal::NoMatchHere.into());
    }
    let place = match matches.len() {
        1 => 0,
        _ => at_hand(&matches, who).ok_or_else(|| which(&matches))?,
    };
    Ok(matches.swap_remove(place).into())
}

fn which(matches: &[Loaded]) -> Failure {
    Refusal::WhichMatch(matches.iter().map(|found| found.code.clone()).collect()).into()
}
