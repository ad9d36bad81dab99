//! Commands that need the others' consent, or end a match before its time: accept, decline, undo, draw, pause, resume,
//! extend, replace, resign, abort, claim.

use super::command::{Command, Leave};
use super::message::{Button, Message, Text};
use super::notices::game_name;
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::refusals::people;
use super::start::{code, seated};
use super::wanted::Wanted;
use crate::ai::Level;
use crate::game::SeatSet;
use crate::matches::bot::USUAL_LEVEL;
use crate::matches::change::{running, seat_of};
use crate::matches::loaded::Loaded;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{MatchRef, Proposed};
use crate::matches::state::{Match, Play, ProposalKind};
use crate::matches::time::Span;
use crate::say;

/// There is nothing to accept: the match runs.
fn runs_already(the_match: &Match, play: &Play) -> Message {
    let text = say!(
        "There's nothing to answer in {code}: the match is on. Waiting for {awaited}.",
        code = code(the_match),
        awaited = people(&play.awaited_players())
    );
    let board = Command::Board(Some(the_match.code.clone().into()));
    Message::text(text).with_buttons(vec![Button::plain("The board", board)])
}

/// The most hours that can be asked for at once.
const MOST_HOURS: u64 = 24 * 30;
/// How many are asked for where none are named.
const USUAL_HOURS: u64 = 24;

impl Parlor {
    pub(super) async fn accept(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let target = match self.target_or(request, about, [Wanted::Asked, Wanted::Own]) {
            // Whoever says it twice is told that it was done.
            Err(Failure::Refused(Refusal::NoMatchHere)) => self.target(request, about, Wanted::Running)?,
            target => target?,
        };
        let caller = self.caller(request);
        if target.found.running().is_some() {
            match self.service.agree(&caller, target).await {
                Err(Failure::Refused(Refusal::NothingProposed(code))) => {
                    let found = self.service.find(&code)?;
                    return Ok(Reply::open(runs_already(&found, running(&found)?)).passing());
                }
                agreed => agreed?,
            };
            // Nobody is told before all have agreed.
            return Ok(Reply::open(Message::text("You agree.")));
        }
        let room = self.room_to_join(request, &target.found)?;
        let joined = self.service.join(&caller, target, room).await?;
        Ok(self.confirmed(request, &joined, Message::text(seated(&joined))))
    }

    pub(super) async fn decline(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
    ) -> Result<Reply, Failure> {
        // With nothing to answer, one may still get up or take an offer back.
        let target = self.target_or(request, about, [Wanted::Asked, Wanted::Own])?;
        let declined = self.service.decline(&self.caller(request), target).await?;
        Ok(self.confirmed(request, &declined, Message::text("You decline.")))
    }

    pub(super) async fn undo(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let after = self.propose(request, about, Proposed::Takeback).await?;
        let fits = |kind| matches!(kind, ProposalKind::Takeback { .. });
        Ok(self.proposed(
            request,
            &after,
            fits,
            "You ask to undo your last move. Waiting for the others to agree.",
        ))
    }

    pub(super) async fn offer_draw(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
    ) -> Result<Reply, Failure> {
        let wish = Proposed::Other(ProposalKind::Draw);
        let after = self.propose(request, about, wish).await?;
        // A bot answers at once, and may say no.
        let declined = after.running().is_some_and(|play| play.proposals.is_empty());
        if !declined {
            let fits = |kind| kind == ProposalKind::Draw;
            return Ok(self.proposed(
                request,
                &after,
                fits,
                "You offer a draw. Waiting for the others to agree.",
            ));
        }
        let text = if is_secret(&after) {
            "I play to the end when hands are hidden: a yes or a no would tell you what I hold."
        } else {
            "No draw this time: I play on."
        };
        Ok(self.confirmed(request, &after, Message::text(text)))
    }

    pub(super) async fn replace(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        level: Option<Level>,
    ) -> Result<Reply, Failure> {
        let wish = Proposed::Replacement {
            level: level.unwrap_or(USUAL_LEVEL),
            gone: request.gone.clone(),
        };
        let after = self.propose(request, about, wish).await?;
        Ok(self.proposed(
            request,
            &after,
            is_stand_in,
            "You ask for a stand-in. Waiting for the others to agree.",
        ))
    }

    pub(super) async fn pause(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let wish = Proposed::Other(ProposalKind::Pause);
        let after = self.propose(request, about, wish).await?;
        let fits = |kind| kind == ProposalKind::Pause;
        Ok(self.proposed(
            request,
            &after,
            fits,
            "You ask for a pause. Waiting for the others to agree.",
        ))
    }

    pub(super) async fn extend(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        hours: Option<u64>,
    ) -> Result<Reply, Failure> {
        let by = Span::hours(hours.unwrap_or(USUAL_HOURS).clamp(1, MOST_HOURS));
        let wish = Proposed::Other(ProposalKind::Extend { by });
        let after = self.propose(request, about, wish).await?;
        let fits = |kind| matches!(kind, ProposalKind::Extend { .. });
        Ok(self.proposed(
            request,
            &after,
            fits,
            "You ask for more time. Waiting for the others to agree.",
        ))
    }

    pub(super) async fn propose(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        wish: Proposed,
    ) -> Result<Loaded, Failure> {
        let target = self.target(request, about, Wanted::Running)?;
        self.service.propose(&self.caller(request), target, wish).await
    }

    /// What somebody is told who has proposed something: whether it waits for the others.
    pub(super) fn proposed(
        &self,
        request: &Request,
        after: &Match,
        fits: fn(ProposalKind) -> bool,
        waiting: &str,
    ) -> Reply {
        let waits = |play: &Play| play.proposals.iter().any(|proposal| fits(proposal.what));
        let text = if after.running().is_some_and(waits) {
            Text::from(waiting)
        } else {
            Text::from("Agreed.")
        };
        self.confirmed(request, after, Message::text(text))
    }

    pub(super) async fn resume(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let target = self.target(request, about, Wanted::Running)?;
        let after = self.service.resume(&self.caller(request), target).await?;
        Ok(self.confirmed(request, &after, Message::text("The match goes on.")))
    }

    pub(super) async fn abort(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let target = self.target(request, about, Wanted::Running)?;
        let after = self.service.abort(&self.caller(request), target).await?;
        Ok(self.confirmed(request, &after, Message::text("You broke the match off.")))
    }

    pub(super) async fn claim(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let target = self.target(request, about, Wanted::Running)?;
        let after = self.service.claim(&self.caller(request), target).await?;
        Ok(self.confirmed(request, &after, Message::text("You claim the match.")))
    }

    pub(super) async fn resign(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        how: Leave,
    ) -> Result<Reply, Failure> {
        match how {
            Leave::Ask => {
                let found = self.target(request, about, Wanted::Running)?.found;
                ask_resign(request, &found)
            }
            Leave::Sure => {
                let target = self.target(request, about, Wanted::Running)?;
                let after = self.service.resign(&self.caller(request), target).await?;
                Ok(self.confirmed(request, &after, Message::text("You resign.")))
            }
            Leave::LetBotPlay => {
                let after = self
                    .propose(request, about, Proposed::StandIn(USUAL_LEVEL))
                    .await?;
                Ok(self.proposed(
                    request,
                    &after,
                    is_stand_in,
                    "You ask the bot to play on for you. Waiting for the others to agree.",
                ))
            }
        }
    }
}

const fn is_stand_in(kind: ProposalKind) -> bool {
    matches!(kind, ProposalKind::StandIn { .. })
}

fn ask_resign(request: &Request, the_match: &Match) -> Result<Reply, Failure> {
    let play = running(the_match)?;
    seat_of(the_match, play, &request.who, SeatSet::EMPTY)?;
    let resign = |how: Leave| Command::Resign {
        about: Some(the_match.code.clone().into()),
        how,
    };
    let mut buttons = vec![Button::danger("Resign", resign(Leave::Sure))];
    let mut text = say!(
        "Do you really want to resign **{game} #{code}**?",
        game = game_name(&the_match.game),
        code = the_match.code.to_string()
    );
    // Where others play on, they may prefer the bot to an empty seat.
    let others = play.people();
    let others = others
        .iter()
        .any(|seat| play.players[seat.index()] != request.who);
    if others {
        text.sentence("If the others agree, I can play on for you.");
        buttons.push(Button::plain("Let the bot play on", resign(Leave::LetBotPlay)));
    }
    Ok(Reply::open(Message::text(text).with_buttons(buttons)))
}
