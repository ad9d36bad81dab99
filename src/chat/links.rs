//! `link` and `watch`: pages of a match, for a player to play on and for anybody to watch.

use super::command::{Command, Linking};
use super::message::{Button, Inline, Message, Text};
use super::notices::game_name;
use super::parlor::{Parlor, Reply, Request};
use super::rules::BUTTON_ROW;
use super::wanted::Wanted;
use crate::game::SeatSet;
use crate::matches::change::{begun, running, seat_of};
use crate::matches::code::Code;
use crate::matches::keys::SHOWN_AFTER;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{MatchRef, Proposed, TargetMatch};
use crate::matches::state::{Match, Play, ProposalKind};
use crate::say;

/// What the button is called that brings a personal link.
const OPEN_BOARD: &str = "Open board";

impl Parlor {
    /// A link to the asker's own page of a match; or the end of all such links.
    pub(super) async fn link(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        linking: Linking,
    ) -> Result<Reply, Failure> {
        let Some(pages) = &self.pages else {
            return Ok(no_pages());
        };
        if linking == Linking::Off {
            return self.end_links(request, about).await;
        }
        // A button may have been made for an earlier moment; a link is to the match as it goes on.
        let found = self.target(request, about, Wanted::ToPlay)?.found;
        let play = running(&found)?;
        seat_of(&found, play, &request.who, SeatSet::EMPTY)?;
        let code = &found.code;
        let key = self.service.make_key(&request.who, code).await?;
        let mut text = say!(
            "Your board of {title}: {link}",
            title = title(&found),
            link = Inline::Link(format!("{pages}/m/{code}#k={key}"))
        );
        text.line(
            "Whoever has this link sees what you see and plays as you in this match, so keep it to yourself.",
        );
        text.line(say!(
            "You can play with it until the match is over, and look at the end for {time} more; `/link #{code} off` ends it sooner.",
            time = SHOWN_AFTER.to_string(),
            code = code.to_string()
        ));
        let end = Command::Link {
            about: Some(code.clone().into()),
            linking: Linking::Off,
        };
        let message = Message::text(text).with_buttons(vec![Button::plain("End my links", end)]);
        Ok(Reply {
            holds_key: true,
            ..Reply::secret(message)
        })
    }

    /// Ends all links of a player to a match, also of one that is over.
    async fn end_links(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let wanted = [Wanted::ToPlay, Wanted::Finished];
        let found = self.target_or(request, about, wanted)?.found;
        if begun(&found)?.seats_of(&request.who).is_empty() {
            return Err(Refusal::NotYourMatch(found.code.clone()).into());
        }
        let ended = self.service.drop_keys(&request.who, &found.code).await?;
        Ok(Reply::open(Message::text(match ended {
            0 => say!("You have no links to {title}.", title = title(&found)),
            _ => say!("Your links to {title} no longer work.", title = title(&found)),
        })))
    }

    /// A link with which anybody can watch, if all players allow it; or its end, which any of them may want.
    pub(super) async fn watch(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        linking: Linking,
    ) -> Result<Reply, Failure> {
        let Some(pages) = &self.pages else {
            return Ok(no_pages());
        };
        let wanted = [Wanted::Running, Wanted::Finished];
        let TargetMatch { found, .. } = self.target_or(request, about, wanted)?;
        let play = begun(&found)?;
        if linking == Linking::Off {
            let title = title(&found);
            if play.watch.is_none() && !play.seats_of(&request.who).is_empty() {
                let text = say!("Nobody has a link to watch {title}.", title);
                return Ok(Reply::open(Message::text(text)));
            }
            let caller = self.caller(request);
            self.service.end_watching(&caller, found.into()).await?;
            let text = say!("The link to watch {title} no longer works.", title);
            return Ok(Reply::open(Message::text(text)));
        }
        if play.watch.is_some() {
            return Ok(Reply::open(self.watch_message(pages, &found, play)));
        }
        running(&found)?;
        let after = if self.service.is_watched_by_default(&found)? {
            let caller = self.caller(request);
            self.service.let_watch(&caller, found.into()).await?
        } else {
            let about = MatchRef::from(found.code.clone());
            let wish = Proposed::Other(ProposalKind::Watch);
            self.propose(request, Some(&about), wish).await?
        };
        match after.running() {
            Some(play) if play.watch.is_some() => Ok(Reply::open(self.watch_message(pages, &after, play))),
            _ => {
                let fits = |kind| kind == ProposalKind::Watch;
                let waiting = "You asked for a link to watch. Waiting for the others to agree.";
                Ok(self.proposed(request, &after, fits, waiting))
            }
        }
    }

    fn watch_message(&self, pages: &str, found: &Match, play: &Play) -> Message {
        let token = play.watch.as_deref().unwrap_or_default();
        let mut text = say!(
            "Watch {title}: {link}",
            title = title(found),
            link = Inline::Link(format!("{pages}/m/{code}-{token}", code = found.code))
        );
        text.line(say!(
            "Anybody may have this link. It shows what everybody at the table sees, and no hand, also when the match is over; `/watch #{code} off` ends it.",
            code = found.code.to_string()
        ));
        Message::text(text)
    }
}

/// Offers a player's own page where a move is offered. A row has only so many buttons: what the page shows as well gives
/// way.
pub(super) fn offer_page(message: &mut Message, code: &Code) {
    let Some(moves) = message
        .buttons
        .iter()
        .position(|button| button.command.starts_with("moves "))
    else {
        return;
    };
    if message.buttons.len() >= BUTTON_ROW {
        let shown = |verb: &str| {
            message
                .buttons
                .iter()
                .position(|button| button.command.starts_with(verb))
        };
        match shown("board ").or_else(|| shown("text ")) {
            Some(at) => drop(message.buttons.remove(at)),
            None => return,
        }
    }
    let link = Command::Link {
        about: Some(code.clone().into()),
        linking: Linking::On,
    };
    message.buttons.insert(moves + 1, Button::plain(OPEN_BOARD, link));
}

/// Nobody has said where pages would be.
fn no_pages() -> Reply {
    let text = Text::from(
        "I have no pages to link to. Whoever runs me can open them, with `[web]` in the configuration. Here, `/board` shows the board.",
    );
    Reply::open(Message::text(text)).passing()
}

fn title(found: &Match) -> Inline {
    Inline::Bold(format!("{} #{}", game_name(&found.game), found.code))
}
