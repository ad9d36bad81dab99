//! `catchup`: what has happened since somebody acted, and the same beside the call to a turn.

use std::ops::RangeInclusive;

use super::command::{Command, ReplayPart, ReplayWish};
use super::message::{Button, Inline, Message, PictureKind, ReplayedHands, Text};
use super::notices::PictureWish;
use super::parlor::{Parlor, Reply, Request, is_secret};
use super::pictures::Audience;
use super::replays::{Shown, film_alt, unplayable};
use super::wanted::Wanted;
use crate::draw::Prose;
use crate::game::{Seat, Viewer};
use crate::matches::change::begun;
use crate::matches::delivery::{Delivery, Notice};
use crate::matches::loaded::Loaded;
use crate::matches::people::PlayerId;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;
use crate::matches::state::Stage;
use crate::{say, text};

/// So many lines tell what was missed.
const MOST_LINES: usize = 5;

/// A film that comes unasked shows no more turns than this, the last ones: whoever wants to see more asks for it.
const LONGEST_FILM: u32 = 12;

/// A longer line is cut.
const LONGEST_LINE: usize = 140;

/// A message that is longer, with what was missed, is told without it: it has to fit everywhere.
const LONGEST_MESSAGE: usize = 1700;

impl Parlor {
    pub(super) async fn catch_up(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
    ) -> Result<Reply, Failure> {
        let found = self
            .target_or(request, about, [Wanted::ToPlay, Wanted::Finished])?
            .found;
        let play = begun(&found)?;
        let Some(own) = play.seats_of(&request.who).iter().next() else {
            return Err(Refusal::NotYourMatch(found.code.clone()).into());
        };
        let hands = match &found.stage {
            Stage::Over(..) => ReplayedHands::Open,
            Stage::Running(_) | Stage::Open(_) | Stage::CalledOff(_) => ReplayedHands::AsSeen,
        };
        let retold = self.retold(&found, hands.viewer(Some(own)), None).await?;
        let missed = since(&retold.seats, &|seat| play.seats_of(&request.who).contains(seat));
        let shown = Shown {
            found: &found,
            players: &play.players,
            story: retold.story,
            table: retold.table,
            own: Some(own),
            hands,
            look: ReplayWish::default(),
        };
        let Some(turns) = missed else {
            let text = say!(
                "Nothing has happened in `#{code}` since your last move.",
                code = found.code.to_string()
            );
            return Ok(Reply::open(Message::text(text)).passing());
        };
        let story = shown.story.clone();
        let mut message = self.film_message(request, &shown, turns.clone())?;
        // A few turns are told below the film already.
        if turns.clone().count() > MOST_LINES {
            for line in in_lines(&story, turns, &play.players) {
                message.text.line(line);
            }
        }
        Ok(Reply {
            secret: is_secret(&found) && hands == ReplayedHands::AsSeen,
            ..Reply::open(message)
        })
    }

    /// Whether somebody is to be told by a delivery what they have missed.
    pub(super) fn has_missed(&self, delivery: &Delivery) -> bool {
        let turn = delivery.notice.turn();
        let called = turn.is_some_and(|turn| !turn.out_of_touch.is_empty());
        called || matches!(delivery.notice, Notice::Missed { .. })
    }

    /// Tells below a delivery what those have missed who are called by it. The match is played again for that: call it off the
    /// async threads.
    pub(super) fn tell_missed(
        &self,
        message: &mut Message,
        delivery: &Delivery,
        found: &Loaded,
        audience: Audience<'_>,
    ) -> Result<(), Failure> {
        let players = &begun(found)?.players;
        let text = &mut message.text;
        if let Notice::Missed { seat, entries, .. } = &delivery.notice {
            let record = self.service.record_at(found, *entries)?;
            let retold = record.retell(Viewer::Seat(*seat), None).map_err(unplayable)?;
            let Some(turns) = since(&retold.seats, &|other| other == *seat) else {
                text.sentence("nothing.");
                return Ok(());
            };
            in_lines(&retold.story, turns.clone(), players)
                .into_iter()
                .for_each(|line| text.line(line));
            message.buttons = film_buttons(found, &turns);
            let filmed = filmed(&turns);
            let wish = PictureWish {
                entries: *entries,
                viewer: Some(*seat),
                what: PictureKind::Replay {
                    first: *filmed.start(),
                    last: *filmed.end(),
                    hands: ReplayedHands::AsSeen,
                },
            };
            let mut film = self.picture_of(found, wish, retold.table, audience)?;
            film.alt = film_alt(&filmed, &film.alt);
            message.picture = Some(film);
            return Ok(());
        }
        let Some(turn) = delivery.notice.turn() else {
            return Ok(());
        };
        let record = self.service.record_at(found, turn.entries)?;
        let retold = record.retell(Viewer::Public, None).map_err(unplayable)?;
        for seat in turn.out_of_touch.iter().copied() {
            let Some(turns) = since(&retold.seats, &|other| other == seat) else {
                continue;
            };
            let mut told = match players.get(seat.index()) {
                Some(player) => say!("Since your last move, {player}:", player),
                None => text!["Since your last move:"],
            };
            in_lines(&retold.story, turns, players)
                .into_iter()
                .for_each(|line| told.line(line));
            if length(text) + length(&told) > LONGEST_MESSAGE {
                told = say!(
                    "Much has happened since your last move: `/catchup #{code}`",
                    code = found.code.to_string()
                );
            }
            text.line(told);
        }
        Ok(())
    }
}

/// Which of some turns are in a film that nobody asked for.
fn filmed(turns: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    let (first, last) = (*turns.start(), *turns.end());
    (last + 1).saturating_sub(LONGEST_FILM).max(first)..=last
}

/// Where one can go from there: turn by turn, and to the whole of it, if the film is not.
fn film_buttons(found: &Loaded, turns: &RangeInclusive<u32>) -> Vec<Button> {
    let about = || Some(found.code.clone().into());
    let step = Command::Replay {
        about: about(),
        wish: ReplayWish {
            part: ReplayPart::Step(*turns.start()),
            ..ReplayWish::default()
        },
    };
    let mut buttons = vec![Button::plain("Turn by turn", step)];
    if turns.clone().count() > LONGEST_FILM as usize {
        buttons.push(Button::plain("The whole film", Command::CatchUp(about())));
    }
    buttons
}

/// So many letters, with names about as long as they are anywhere.
fn length(text: &Text) -> usize {
    text.plain(ToString::to_string).chars().count()
}

/// The turns since somebody acted, of those that belonged to these seats; nothing if there are none.
fn since(seats: &[Seat], is_own: &dyn Fn(Seat) -> bool) -> Option<RangeInclusive<u32>> {
    let own = seats.iter().rposition(|seat| is_own(*seat));
    let first = own.map_or(1, |own| own as u32 + 2);
    let last = seats.len() as u32;
    (first <= last).then_some(first..=last)
}

/// What happened in some turns, in a few lines: the last ones, if there were many.
fn in_lines(story: &[Prose], turns: RangeInclusive<u32>, players: &[PlayerId]) -> Vec<Text> {
    let (first, last) = (*turns.start(), *turns.end());
    let all = (last - first) as usize + 1;
    let mut lines = Vec::new();
    let told = if all > MOST_LINES {
        let left_out = all - (MOST_LINES - 1);
        lines.push(text![format!("… {left_out} turns before that, and then:")]);
        first + left_out as u32..=last
    } else {
        turns
    };
    for turn in told {
        let mut line = text![format!("{turn}. ")];
        let prose = story.get(turn as usize - 1).cloned().unwrap_or_default();
        let words = Text::prose(&prose, players);
        if length(&words) <= LONGEST_LINE {
            line.0.extend(words.0);
        } else {
            // Cut where a sentence ends, if one does in time.
            line.0.extend(cut(words).0);
        }
        lines.push(line);
    }
    lines
}

/// The beginning of a text, piece by piece, as much of it as a line holds.
fn cut(words: Text) -> Text {
    let mut left = LONGEST_LINE;
    let mut kept = Text::new();
    for piece in words.0 {
        let piece = Text(vec![piece]);
        match left.checked_sub(length(&piece)) {
            Some(rest) => {
                left = rest;
                kept.0.extend(piece.0);
            }
            None => {
                if let [Inline::Plain(words)] = &piece.0[..] {
                    kept.push(text::cut(words, left.max(1)));
                } else {
                    kept.push("…");
                }
                break;
            }
        }
    }
    kept
}
