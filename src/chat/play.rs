//! Commands that play: move, preview, moves, hint.

use std::borrow::Cow;

use super::command::Command;
use super::hints;
use super::message::{Button, Inline, LONGEST_COMMAND, Message, PictureKind, Text};
use super::notices::{PictureWish, in_words, thinking};
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::pictures::Audience;
use super::shorthand;
use super::start::code;
use super::wanted::{Wanted, awaits};
use crate::catalog::{self, Reading};
use crate::draw::Prose;
use crate::game::guide::{AT_ONCE, Choice, Guide, Leads, told};
use crate::game::notation::excerpt;
use crate::game::{Viewer, Word};
use crate::matches::bot::is_bot;
use crate::matches::change::{begun, running, seat_of};
use crate::matches::delivery::{Delivery, Turn};
use crate::matches::loaded::Loaded;
use crate::matches::moves;
use crate::matches::people::PlayerId;
use crate::matches::record::Deed;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::{Caller, Changed, MatchRef, TargetMatch};
use crate::matches::state::{LogEntry, Logged, Match};
use crate::say;
use crate::text::cut;

/// The longest sentence that is told as one for next time; a longer turn is told line by line.
const LONGEST_REMINDER: usize = 200;
/// So many lines of it are shown, and so many letters: a screen of a phone.
const MOST_LINES: usize = 20;
const MOST_LETTERS: usize = 900;
/// So many entries of the log are looked through for what somebody did in a turn.
const LONGEST_TURN: u32 = 64;
/// So many moves that leave no choice are played in a row for whoever has pressed a button.
const MOST_FORCED: usize = 32;
/// The longest label that fits on a button on every platform.
const LONGEST_LABEL: usize = 80;

impl Parlor {
    pub(super) async fn make_move(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        let target = self.move_target(request, about, sentence)?;
        self.play(request, target, sentence).await
    }

    /// Plays a sentence in a match; or shows it first, if the player wants that.
    pub(super) async fn play(
        &self,
        request: &Request,
        target: TargetMatch,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        let whole = spelt_out(&target, &request.who, sentence)?;
        let sentence = whole.as_ref();
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
        let pressed = target.version.is_some();
        let caller = self.caller(request);
        let played = self.service.play(&caller, target, sentence).await?;
        let (played, forced) = if pressed {
            self.play_what_is_forced(&caller, played).await?
        } else {
            (played, Forced::default())
        };
        let after = &played.after;
        if let Some(noted) = &played.aside {
            // A private wish is answered in private.
            let players = after.play().map(|play| play.players.clone()).unwrap_or_default();
            return Ok(Reply::secret(Message::text(Text::prose(noted, &players))));
        }
        let mut text = say!("Played in {code}.", code = code(after));
        let learnt = forced.learnt.iter().chain(&played.learnt);
        let players = after.play().map(|play| play.players.clone()).unwrap_or_default();
        for learnt in learnt {
            text.sentence(Text::prose(learnt, &players));
        }
        let taught = played.learnt.is_some() || !forced.learnt.is_empty();
        text.sentence(forced.in_words());
        if after.running().is_some() && awaits(after, &request.who) {
            // Whoever plays several sides is shown by the room that the turn has passed.
            let sides = running(after)?.seats_of(&request.who);
            if sides.len() == 1 {
                let reply = self.still_on_turn(request, after, text, pressed)?;
                return Ok(if taught { for_them_alone(reply) } else { reply });
            }
            text.sentence("It's still your turn.");
        }
        if pressed {
            self.say_how_to_type_it(&mut text, after, &request.who)?;
        }
        say_thinking(&mut text, after);
        let reply = Reply {
            // What was decided may be for the one who decided it.
            secret: !forced.sentences.is_empty() && is_secret(after),
            ..self.confirmed(request, after, Message::text(text))
        };
        Ok(if taught { for_them_alone(reply) } else { reply })
    }

    /// Whoever presses goes on pressing, and what leaves them no choice needs no press: it is played, up to the next
    /// decision. Somebody who wants to see every move before it is played is left to.
    async fn play_what_is_forced(
        &self,
        caller: &Caller,
        mut played: Changed,
    ) -> Result<(Changed, Forced), Failure> {
        let mut forced = Forced::default();
        if played.aside.is_some() || self.wants_previews(&caller.player)? {
            return Ok((played, forced));
        }
        // The event has been carried out already: what follows from it has no name of its own.
        let caller = Caller {
            player: caller.player.clone(),
            event: None,
        };
        while forced.sentences.len() < MOST_FORCED
            && let Some(sentence) = only_move(&played.after, &caller.player)?
        {
            let found = self.service.find(&played.after.code)?;
            let target = TargetMatch {
                version: Some(played.after.version),
                found,
            };
            match self.service.play(&caller, target, &sentence).await {
                Ok(next) => {
                    forced.learnt.extend(std::mem::replace(&mut played, next).learnt);
                    forced.sentences.push(sentence);
                }
                // Somebody else was faster.
                Err(Failure::Refused(_)) => break,
                Err(broken @ Failure::Broken(_)) => return Err(broken),
            }
        }
        Ok((played, forced))
    }

    /// The answer to somebody who has more to do: the board so far, what is asked now, and the way on. Whoever presses goes
    /// on pressing.
    fn still_on_turn(
        &self,
        request: &Request,
        after: &Loaded,
        mut text: Text,
        pressed: bool,
    ) -> Result<Reply, Failure> {
        let play = running(after)?;
        let table = after.table()?;
        let seat = seat_of(after, play, &request.who, table.awaiting().seats())?;
        let mut message = if pressed {
            guided(
                &this_version(after),
                &table.guide(seat, &[]),
                &[],
                self.wants_previews(&request.who)?,
            )
        } else {
            let moves = shorthand::moves(this_version(after), "");
            let question = table.ask(Viewer::Seat(seat));
            Message::text(in_words(&question, &[seat], None, &play.players))
                .with_buttons(vec![Button::primary("Move", moves)])
        };
        text.sentence(message.text);
        message.text = text;
        let wish = PictureWish {
            entries: play.entries,
            viewer: Some(seat),
            what: PictureKind::Board,
        };
        let picture = self.describe(after, wish, Audience::beside(request))?;
        let message = message.with_picture(Some(picture));
        Ok(Reply {
            secret: is_secret(after),
            goes_on: true,
            ..self.confirmed(request, after, message)
        })
    }

    /// Whether somebody wants to see every move before it is played.
    fn wants_previews(&self, player: &PlayerId) -> Result<bool, Failure> {
        Ok(self.service.person(player)?.settings.confirm)
    }

    /// What somebody has done in this turn, as they could have typed it. What came to light in between had to be waited
    /// for.
    fn say_how_to_type_it(&self, text: &mut Text, after: &Match, player: &PlayerId) -> Result<(), Failure> {
        let (Some(play), Ok(entry)) = (after.play(), catalog::find(&after.game)) else {
            return Ok(());
        };
        let own = play.seats_of(player);
        let recent = play.entries.saturating_sub(LONGEST_TURN)..play.entries;
        let log = self.service.repository().log_part(&after.code, recent)?;
        let deeds = |entry: &LogEntry| match &entry.what {
            Logged::Did {
                seat,
                deeds,
                revealed,
            } if own.contains(*seat) => Some((deeds.clone(), *revealed)),
            Logged::Did { .. } | Logged::TookBack { .. } | Logged::Replaced { .. } => None,
        };
        let done = log.iter().rev().map(deeds).skip_while(Option::is_none);
        let mut done: Vec<(Vec<Deed>, bool)> = done.map_while(|deeds| deeds).collect();
        done.reverse();
        let mut sentences = vec![Vec::new()];
        for (deeds, revealed) in done {
            let actions = deeds.into_iter().filter_map(|deed| match deed {
                Deed::Action(action) => Some(action),
                Deed::Leaves(_) | Deed::Lapses(_) => None,
            });
            if let Some(sentence) = sentences.last_mut() {
                sentence.extend(actions);
            }
            if revealed {
                sentences.push(Vec::new());
            }
        }
        sentences.retain(|sentence| !sentence.is_empty());
        let sentences: Vec<String> = sentences.iter().map(|sentence| entry.joined(sentence)).collect();
        if sentences.iter().map(String::len).sum::<usize>() > LONGEST_REMINDER {
            text.line(line_by_line(&sentences));
            return Ok(());
        }
        let mut steps = Text::new();
        for sentence in sentences {
            steps = if steps.is_empty() {
                say!("`{sentence}`", sentence)
            } else {
                say!("{steps}, then `{sentence}`", steps, sentence)
            };
        }
        if !steps.is_empty() {
            text.line(say!("Next time: {steps}.", steps));
        }
        Ok(())
    }

    /// Shows what a move would do, with a button that plays it.
    pub(super) fn preview(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        let TargetMatch { found, version } = self.move_target(request, about, sentence)?;
        if version.is_some_and(|version| version != found.version) {
            return Err(Refusal::Stale {
                code: found.code.clone(),
            }
            .into());
        }
        let target = TargetMatch { found, version };
        let sentence = spelt_out(&target, &request.who, sentence)?;
        self.preview_in(request, &target.found, &sentence)
    }

    fn preview_in(&self, request: &Request, found: &Loaded, sentence: &str) -> Result<Reply, Failure> {
        let trial = moves::preview(found, &request.who, sentence)?;
        let play = running(found)?;
        let sentence = trial.actions.join("; ");
        // A private wish does nothing yet: what it means is told, not what has happened before.
        let narration = match &trial.aside {
            Some(noted) => noted.clone(),
            None => trial.table.narration(Viewer::Seat(trial.seat)),
        };
        let mut text = say!(
            "Not played yet: {story}",
            story = Text::prose(&narration, &play.players)
        );
        let command = String::from(Command::Move {
            about: Some(this_version(found)),
            sentence: sentence.clone(),
        });
        let buttons = if command.len() <= LONGEST_COMMAND {
            vec![Button::primary("Play it", command)]
        } else {
            // Too long for a button, but not for somebody who types.
            text.line(say!("To play it, say {command}", command = Inline::Say(command)));
            Vec::new()
        };
        let wish = PictureWish {
            entries: play.entries,
            viewer: Some(trial.seat),
            what: PictureKind::Preview(sentence),
        };
        let picture = match trial.aside {
            Some(_) => None,
            None => Some(self.picture_of(found, wish, trial.table, Audience::beside(request))?),
        };
        let message = Message::text(text).with_picture(picture).with_buttons(buttons);
        Ok(Reply {
            secret: is_secret(found),
            ..Reply::open(message).passing()
        })
    }

    /// What can be done now, or what can follow what was typed.
    pub(super) async fn moves(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        picked: &str,
    ) -> Result<Reply, Failure> {
        let TargetMatch { found, version } = self.target(request, about, Wanted::ToPlay)?;
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
        // What was picked on an older board may mean something else now.
        let outdated = version.is_some_and(|version| version != found.version) && !picked.is_empty();
        let picked = match picked {
            _ if outdated => String::new(),
            short if shorthand::is_short(short) => {
                shorthand::picked(table, seat, short).ok_or_else(|| stale(&found))?
            }
            picked => picked.to_owned(),
        };
        let picked = picked.as_str();
        let words: Vec<&str> = picked.split_whitespace().collect();
        let guide = table.guide(seat, &words);
        let confirm = self.wants_previews(&request.who)?;
        if let (Some(sentence), Some(pressed)) = (only_choice(&guide), version) {
            // Whoever presses "Move" and has one move makes it, or sees what it does.
            if confirm {
                match self.preview_in(request, &found, sentence) {
                    Err(Failure::Refused(Refusal::CantPreview)) => {}
                    shown => return shown,
                }
            } else if pressed == found.version {
                let sentence = sentence.to_owned();
                let target = TargetMatch { found, version };
                return self.play_only_move(request, target, &sentence).await;
            }
        }
        let mut message = if guide.choices.is_empty() {
            let near = table.complete(seat, picked, 25);
            if near.is_empty() {
                nothing_begins_with(&found, picked)
            } else {
                let menu = near
                    .iter()
                    .map(|near| move_button(&this_version(&found), &near.label, &near.action, confirm))
                    .collect();
                Message {
                    text: Text::from("You can play:"),
                    menu,
                    ..Message::default()
                }
            }
        } else {
            let taken = [&words[..], &texts(&guide.taken)].concat();
            let picture = self.picking(&found, seat, &taken, request)?;
            guided(&this_version(&found), &guide, &words, confirm).with_picture(Some(picture))
        };
        if outdated {
            let mut text = say!("That was for an earlier board.");
            text.sentence(message.text);
            message.text = text;
        }
        Ok(Reply {
            secret: is_secret(&found),
            ..Reply::open(message).passing()
        })
    }

    /// Plays the only move that somebody has, and says that it was the only one.
    async fn play_only_move(
        &self,
        request: &Request,
        target: TargetMatch,
        sentence: &str,
    ) -> Result<Reply, Failure> {
        let secret = is_secret(&target.found);
        let reply = self.play(request, target, sentence).await?;
        let mut text = say!("You had one move, `{sentence}`.", sentence);
        text.sentence(reply.message.text.clone());
        Ok(Reply {
            secret: reply.secret || secret,
            message: Message {
                text,
                ..reply.message
            },
            ..reply
        })
    }

    /// The first choices of the turn that a delivery shows, for the message that everybody sees. Where players have
    /// secrets, what one of them can do may tell of theirs: there it is shown to them alone, when they ask for it.
    pub(super) fn first_choices(
        &self,
        delivery: &Delivery,
        turn: &Turn,
        found: &Loaded,
    ) -> Result<Vec<Button>, Failure> {
        let ([seat], false) = (&turn.awaited[..], is_secret(found)) else {
            return Ok(Vec::new());
        };
        // A bot is offered nothing.
        let player = begun(found)?.players.get(seat.index());
        let Some(player) = player.filter(|player| !is_bot(player)) else {
            return Ok(Vec::new());
        };
        // The turn as it was: delivered again, it says the same.
        let guide = self.service.table_at(found, turn.entries)?.guide(*seat, &[]);
        let about = MatchRef {
            code: delivery.code.clone(),
            version: Some(delivery.version),
        };
        let mut choices = choices(&about, &guide, &[], self.wants_previews(player)?);
        if choices.len() > AT_ONCE {
            choices.clear();
        }
        Ok(choices)
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

/// The same for its asker alone: the room has heard of the move, but not of what it showed.
fn for_them_alone(reply: Reply) -> Reply {
    Reply {
        secret: true,
        told: false,
        ..reply
    }
}

/// A long turn as it could have been typed: what is decided together stands on one line, and each line can be said alone.
fn line_by_line(sentences: &[String]) -> Text {
    let lines: Vec<&str> = sentences
        .iter()
        .flat_map(|sentence| sentence.split("; "))
        .collect();
    let mut letters = 0;
    let shown = lines.iter().take(MOST_LINES).take_while(|line| {
        letters += line.len() + 1;
        letters <= MOST_LETTERS
    });
    let shown: Vec<&str> = shown.copied().collect();
    let mut text = match lines.len() - shown.len() {
        0 => say!("Next time, say this line by line:"),
        _ => say!("Next time, say this line by line; it begins so:"),
    };
    text.push(Inline::Block(shown.join("\n")));
    text
}

/// What was played for somebody because nothing else could be.
#[derive(Default)]
struct Forced {
    sentences: Vec<String>,
    /// What came to light before the last of it.
    learnt: Vec<Prose>,
}

impl Forced {
    fn in_words(&self) -> Text {
        match &self.sentences[..] {
            [] => Text::new(),
            [sentence] => say!(
                "Then only `{sentence}` was left, so I played it for you.",
                sentence = sentence.as_str()
            ),
            sentences => say!(
                "Then you had no choice left, so I played `{sentences}` for you.",
                sentences = sentences.join("; ")
            ),
        }
    }
}

/// The move of somebody who is to move on one side alone, if they have no choice.
fn only_move(found: &Loaded, player: &PlayerId) -> Result<Option<String>, Failure> {
    if found.running().is_none() || !awaits(found, player) {
        return Ok(None);
    }
    let sides = running(found)?.seats_of(player);
    let (Some(seat), 1) = (sides.iter().next(), sides.len()) else {
        return Ok(None);
    };
    let table = found.table()?;
    if !table.awaiting().includes(seat) {
        return Ok(None);
    }
    Ok(only_choice(&table.guide(seat, &[])).map(str::to_owned))
}

/// What is played, if there is nothing else to choose at all.
fn only_choice(guide: &Guide) -> Option<&str> {
    match (&guide.choices[..], &guide.chosen_at[..]) {
        (
            [
                Choice {
                    leads: Leads::To { sentence },
                    ..
                },
            ],
            [],
        ) => Some(sentence),
        _ => None,
    }
}

fn nothing_begins_with(the_match: &Match, picked: &str) -> Message {
    let text = say!(
        "None of your moves begins with `{picked}`.",
        picked = excerpt(picked)
    );
    let moves = shorthand::moves(the_match.code.clone().into(), "");
    Message::text(text).with_buttons(vec![Button::primary("What can I do?", moves)])
}

/// One step of guided entry: what is picked so far, what is asked now, the choices as a menu, and the way back.
fn guided(about: &MatchRef, guide: &Guide, picked: &[&str], confirm: bool) -> Message {
    let mut text = Text::new();
    let (begun, taken) = (told(picked), told(&texts(&guide.taken)));
    if !begun.is_empty() {
        text.sentence(say!("`{begun}` …", begun));
    }
    if !taken.is_empty() {
        text.sentence(say!("Only `{taken}` is possible here.", taken));
    }
    let mut menu = choices(about, guide, picked, confirm);
    let mut buttons = Vec::new();
    if menu.len() == 1 {
        // Nothing is asked of whoever has one move: it is there to be made.
        text.sentence("You have one move:");
        buttons.append(&mut menu);
    } else {
        text.sentence(guide.ask.as_str());
    }
    let back = |to: usize| {
        let picked = picked.get(..to).unwrap_or_default().join(" ");
        shorthand::moves(about.clone(), &picked)
    };
    if let Some((last, before)) = guide.chosen_at.split_last() {
        buttons.push(Button::plain("Back", back(*last)));
        if let Some(first) = before.first() {
            buttons.push(Button::plain("Start over", back(*first)));
        }
    }
    Message {
        text,
        menu,
        buttons,
        ..Message::default()
    }
}

/// What may be chosen next.
fn choices(about: &MatchRef, guide: &Guide, picked: &[&str], confirm: bool) -> Vec<Button> {
    let button = |choice: &Choice| match &choice.leads {
        Leads::To { sentence } => move_button(about, &choice.label, sentence, confirm),
        Leads::On { .. } => {
            let path = [picked, &texts(&guide.taken), &[choice.text.as_str()]].concat();
            let command = shorthand::moves(about.clone(), &path.join(" "));
            Button::plain(cut(&choice.label, LONGEST_LABEL), command)
        }
    };
    let helped = |choice| button(choice).with_help(choice.help.clone());
    guide.choices.iter().map(helped).collect()
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

fn move_button(about: &MatchRef, label: &str, action: &str, confirm: bool) -> Button {
    Button::primary(cut(label, LONGEST_LABEL), shorthand::play(about, action, confirm))
}

/// What is played, in full: a button may go by a short name.
fn spelt_out<'s>(target: &TargetMatch, who: &PlayerId, sentence: &'s str) -> Result<Cow<'s, str>, Failure> {
    if !shorthand::is_short(sentence) {
        return Ok(Cow::Borrowed(sentence));
    }
    let (found, table) = (&target.found, target.found.table()?);
    let seat = seat_of(found, running(found)?, who, table.awaiting().seats())?;
    let whole = shorthand::sentence(table, seat, sentence);
    Ok(Cow::Owned(whole.ok_or_else(|| stale(found))?))
}

fn stale(found: &Match) -> Refusal {
    Refusal::Stale {
        code: found.code.clone(),
    }
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
    if !bots.is_empty() {
        text.sentence(thinking(&bots));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(sentences: &[&str]) -> String {
        let sentences: Vec<String> = sentences.iter().map(|&sentence| sentence.to_owned()).collect();
        line_by_line(&sentences).plain(ToString::to_string)
    }

    #[test]
    fn a_long_turn_is_told_line_by_line() {
        assert_eq!(
            said(&["enlist 3; train 4 pay 1 2", "attack nexus with 3 5; done"]),
            "Next time, say this line by line:\nenlist 3\ntrain 4 pay 1 2\nattack nexus with 3 5\ndone\n"
        );
        let endless = said(&[&vec!["order 12 on 14"; 80].join("; ")]);
        assert!(endless.contains("it begins so:"), "{endless}");
        assert!(
            endless.len() < 1000 && endless.lines().count() <= MOST_LINES + 1,
            "{endless}"
        );
    }
}
