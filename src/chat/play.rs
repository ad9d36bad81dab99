//! Commands that play: move, preview, moves, hint.

use super::command::Command;
use super::hints;
use super::message::{Button, Inline, LONGEST_COMMAND, Message, PictureKind, Text};
use super::notices::PictureWish;
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::refusals::people;
use super::start::code;
use super::wanted::{Wanted, awaits};
use crate::catalog::Reading;
use crate::game::Viewer;
use crate::game::guide::{Guide, Leads};
use crate::game::notation::excerpt;
use crate::matches::change::{running, seat_of};
use crate::matches::loaded::Loaded;
use crate::matches::moves;
use crate::matches::people::PlayerId;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{MatchRef, TargetMatch};
use crate::matches::state::Match;
use crate::text;

impl Parlor {
    pub(super) async fn make_move(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        let target = self.target(request, about, Wanted::ToPlay)?;
        self.play(request, target, sentence).await
    }

    /// Plays a sentence in a match; or shows it first, if the player wants that.
    pub(super) async fn play(
        &self,
        request: &Request,
        target: TargetMatch,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        // A move that names the version it was made for comes from a button and has been looked at. A private wish
        // changes nothing that could be looked at.
        if target.version.is_none()
            && self.service.person(&request.who)?.settings.confirm
            && moves::reads(&target.found, &request.who, sentence) != Reading::Aside
        {
            match self.preview_in(request, &target.found, sentence) {
                Err(Failure::Refused(Refusal::CantPreview)) => {}
                shown => return shown,
            }
        }
        let caller = self.caller(request);
        let played = self
            .service
            .play(&caller, target, sentence, request.room.as_ref());
        let played = played.await?;
        let after = &played.after;
        if let Some(noted) = &played.aside {
            // A private wish is answered in private.
            let players = after.play().map(|play| play.players.clone()).unwrap_or_default();
            return Ok(Reply::secret(Message::text(Text::prose(noted, &players))));
        }
        let mut text = text!["Played at ", code(after), "."];
        if after.running().is_some() && awaits(after, &request.who) {
            text.push(" It is still your turn.");
        }
        say_thinking(&mut text, after);
        Ok(self.confirmed(request, after, Message::text(text)))
    }

    /// Shows what a move would do, with a button that plays it.
    pub(super) fn preview(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        let TargetMatch { found, version } = self.target(request, about, Wanted::ToPlay)?;
        if version.is_some_and(|version| version != found.version) {
            return Err(Refusal::Stale {
                code: found.code.clone(),
            }
            .into());
        }
        self.preview_in(request, &found, sentence)
    }

    fn preview_in(&self, request: &Request, found: &Loaded, sentence: &str) -> Result<Reply, Failure> {
        let trial = moves::preview(found, &request.who, sentence)?;
        let play = running(found)?;
        let sentence = trial.actions.join("; ");
        let mut text = text!["Not played yet: "];
        let narration = trial.table.narration(Viewer::Seat(trial.seat));
        text.0.extend(Text::prose(&narration, &play.players).0);
        let command = String::from(Command::Move {
            about: Some(this_version(found)),
            sentence: sentence.clone(),
        });
        let buttons = if command.len() <= LONGEST_COMMAND {
            vec![Button::primary("Play it", command)]
        } else {
            // Too long for a button, but not for somebody who types.
            text.line(text!["To play it, say ", Inline::Say(command)]);
            Vec::new()
        };
        let wish = PictureWish {
            entries: play.entries,
            viewer: Some(trial.seat),
            what: PictureKind::Preview(sentence),
        };
        let picture = self.picture_of(found, wish, trial.table, Some(&request.who))?;
        let message = Message::text(text)
            .with_picture(Some(picture))
            .with_buttons(buttons);
        Ok(Reply {
            secret: is_secret(found),
            ..Reply::open(message)
        })
    }

    /// What can be done now, or what can follow what was typed.
    pub(super) fn moves(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        picked: &str,
    ) -> Result<Reply, Failure> {
        let found = self.target(request, about, Wanted::ToPlay)?.found;
        let play = running(&found)?;
        let table = found.table()?;
        let awaited = table.awaiting().seats();
        let seat = seat_of(&found, play, &request.who, awaited)?;
        if !awaited.contains(seat) {
            let awaited = awaited.iter().map(|seat| play.players[seat.index()].clone());
            return Err(Refusal::NotYourTurn {
                code: found.code.clone(),
                awaited: awaited.collect(),
            }
            .into());
        }
        let words: Vec<&str> = picked.split_whitespace().collect();
        let guide = table.guide(seat, &words);
        let confirm = self.service.person(&request.who)?.settings.confirm;
        let message = if guide.choices.is_empty() {
            let near = table.complete(seat, picked, 25);
            if near.is_empty() {
                nothing_begins_with(&found, picked)
            } else {
                let menu = near
                    .iter()
                    .filter_map(|action| move_button(&found, action, action, confirm))
                    .collect();
                Message {
                    text: Text::from("You can play:"),
                    menu,
                    ..Message::default()
                }
            }
        } else {
            guided(&found, &guide, &words, confirm)
        };
        Ok(Reply {
            secret: is_secret(&found),
            ..Reply::open(message)
        })
    }

    /// What the asker might play, what it does, and how they stand.
    pub(super) async fn hint(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let found = self.target(request, about, Wanted::ToPlay)?.found;
        let hint = self.service.hint(&found, &request.who).await?;
        Ok(Reply {
            secret: is_secret(&found),
            ..Reply::open(hints::in_words(&found, &hint))
        })
    }
}

fn nothing_begins_with(the_match: &Match, picked: &str) -> Message {
    let text = text![
        "Nothing you can do begins with ",
        Inline::Code(excerpt(picked)),
        "."
    ];
    let moves = moves_button(the_match.code.clone().into(), "");
    Message::text(text).with_buttons(vec![Button::primary("What can I do?", moves)])
}

/// What may be chosen next, as a menu.
fn guided(the_match: &Match, guide: &Guide, picked: &[&str], confirm: bool) -> Message {
    let mut text = Text::new();
    if !picked.is_empty() {
        text.push(Inline::Code(picked.join(" ")));
        text.push(" … ");
    }
    text.0.extend(Text::markdown(&guide.ask).0);
    let button = |choice: &crate::game::guide::Choice| match &choice.leads {
        Leads::To { action } => move_button(the_match, &choice.label, action, confirm),
        Leads::On { .. } => {
            let path: Vec<&str> = picked.iter().copied().chain([choice.text.as_str()]).collect();
            let command = moves_button(this_version(the_match), &path.join(" "));
            (command.len() <= LONGEST_COMMAND).then(|| Button::plain(choice.label.clone(), command))
        }
    };
    let menu: Vec<Button> = guide.choices.iter().filter_map(button).collect();
    let mut buttons = Vec::new();
    if !picked.is_empty() {
        let again = moves_button(the_match.code.clone().into(), "");
        buttons.push(Button::plain("Start over", again));
    }
    Message {
        text,
        menu,
        buttons,
        ..Message::default()
    }
}

fn moves_button(about: MatchRef, picked: &str) -> String {
    String::from(Command::Moves {
        about: Some(about),
        picked: picked.to_owned(),
    })
}

fn move_button(the_match: &Match, label: &str, action: &str, confirm: bool) -> Option<Button> {
    let about = Some(this_version(the_match));
    let sentence = action.to_owned();
    let command = String::from(if confirm {
        Command::Preview { about, sentence }
    } else {
        Command::Move { about, sentence }
    });
    (command.len() <= LONGEST_COMMAND).then(|| Button::primary(label, command))
}

/// The match at the version that is shown: a button for it is refused when the match has gone on.
pub(super) fn this_version(the_match: &Match) -> MatchRef {
    MatchRef {
        code: the_match.code.clone(),
        version: Some(the_match.version),
    }
}

/// Says so, if a bot has to reply before anything is shown.
pub(super) fn say_thinking(text: &mut Text, the_match: &Match) {
    let Some(play) = the_match.running() else {
        return;
    };
    let bots: Vec<PlayerId> = play.thinkers().cloned().collect();
    if bots.is_empty() {
        return;
    }
    text.push(" ");
    people(text, &bots, "nobody");
    text.push(if bots.len() > 1 {
        " are thinking …"
    } else {
        " is thinking …"
    });
}
