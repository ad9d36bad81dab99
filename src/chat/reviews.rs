//! `review`: what the bot says of a match that is over: where it swung, and what it would have played.

use std::fmt::Write;
use std::time::Duration;

use super::command::{Command, ReviewPart};
use super::message::{Button, File, Inline, Message, Picture, PictureKind, ReplayedHands, Subject, Text};
use super::notices::{PictureWish, game_name};
use super::parlor::{Parlor, Reply, Request};
use super::pictures::Audience;
use super::replays::what_if;
use super::wanted::Wanted;
use crate::draw::graph::Graph;
use crate::game::Seat;
use crate::matches::change::begun;
use crate::matches::delivery::To;
use crate::matches::loaded::Loaded;
use crate::matches::people::PlayerId;
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;
use crate::review::graph::{self, hundredths};
use crate::review::under_way::ReviewAnswer;
use crate::review::{Review, Summary, Swing};
use crate::{say, text};

/// How long an answer waits for a review to be done.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Longer tales are told where one swing is shown alone.
const LONGEST_WHY: usize = 160;

/// So many letters of notes are told in the review; more are a file.
const LONGEST_NOTES: usize = 500;

/// More moves than this are a file.
const TOLD_AT_ONCE: usize = 12;

/// A review with the match that it is of.
struct Reviewed<'a> {
    found: &'a Loaded,
    players: &'a [PlayerId],
    review: &'a Review,
    swings: &'a [Swing],
}

/// What the players of a match have noted: in words, or as a file.
#[derive(Default)]
struct Noted {
    told: Text,
    file: Option<File>,
}

impl Noted {
    fn is_empty(&self) -> bool {
        self.told.is_empty() && self.file.is_none()
    }
}

impl Parlor {
    pub(super) async fn review(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        part: ReviewPart,
    ) -> Result<Reply, Failure> {
        let target = self.target_or(request, about, [Wanted::Finished, Wanted::Alive])?;
        let found = target.found;
        let place = match &request.room {
            Some(room) => To::Room(room.clone()),
            None => To::Player(request.who.clone()),
        };
        let look = self.reviews.look(&self.service, &found, PATIENCE, &place).await?;
        let review = match look {
            ReviewAnswer::Done(review) => review,
            ReviewAnswer::UnderWay { looked_at, steps } => {
                return Ok(Reply::open(under_way(&found, looked_at, steps)));
            }
            ReviewAnswer::Busy => {
                let text = "I'm reviewing as many matches as I can. Ask again in a few minutes.";
                return Ok(Reply::open(Message::text(text)).passing());
            }
        };
        let reviewed = Reviewed {
            found: &found,
            players: &begun(&found)?.players,
            review: &review,
            swings: review.swings.as_deref().unwrap_or_default(),
        };
        let message = match part {
            ReviewPart::Whole => return self.whole_review(request, &reviewed).await,
            ReviewPart::Numbers => self.numbers(&reviewed)?,
            ReviewPart::Swing(number) => match swing_of(number, reviewed.swings) {
                Ok(swing) => self.one_swing(request, &reviewed, number, swing).await?,
                Err(help) => return Ok(Reply::open(Message::text(help)).passing()),
            },
        };
        Ok(Reply::open(message))
    }

    /// Goes on with the reviews for which somebody has waited since before the process ended.
    pub async fn resume_reviews(&self) -> Result<(), Fault> {
        self.reviews.resume(&self.service).await
    }

    async fn whole_review(&self, request: &Request, reviewed: &Reviewed<'_>) -> Result<Reply, Failure> {
        let review = reviewed.review;
        let mut text = say!(
            "{title}, reviewed at level {level}.",
            title = reviewed.title(),
            level = review.level.to_string()
        );
        for summary in review.summaries() {
            text.line(reviewed.summary(&summary));
        }
        if reviewed.swings.is_empty() {
            text.line("I saw no move that changed much.");
        }
        for (swing, number) in reviewed.swings.iter().zip(1..) {
            text.line(text![format!("{number}. ")]);
            text.0.extend(reviewed.swing(swing, LONGEST_WHY).0);
        }
        // Who did not play reads nobody's notes.
        let noted = if self.service.has_played(reviewed.found, &request.who)? {
            self.noted(reviewed).await?
        } else {
            Noted::default()
        };
        // Where an answer is read by all, what only the players may read goes to whoever asks for it.
        let secret = !noted.is_empty();
        text.0.extend(noted.told.0);
        let names = self.names(begun(reviewed.found)?)?;
        let of = Subject::Match {
            code: reviewed.found.code.clone(),
            entries: begun(reviewed.found)?.entries,
            viewer: None,
            what: PictureKind::Graph,
        };
        let picture = Picture {
            of,
            side: Seat::new(0),
            theme: self.theme_for(request)?,
            alt: graph::in_words(review, &names),
            prepared: None,
        };
        let swings = (1..).zip(reviewed.swings).map(|(number, swing)| {
            let turn = swing.decision.turn;
            reviewed.button(&format!("{number}: turn {turn}"), ReviewPart::Swing(number))
        });
        let numbers = reviewed.button("Numbers", ReviewPart::Numbers);
        let message = Message {
            file: noted.file,
            ..Message::text(text)
        };
        let message = message
            .with_picture(Some(picture))
            .with_buttons(swings.chain([numbers]).collect());
        Ok(Reply {
            secret,
            ..Reply::open(message)
        })
    }

    /// What the players have noted, line by line.
    async fn noted(&self, reviewed: &Reviewed<'_>) -> Result<Noted, Failure> {
        let notes = self.service.opened_notes(reviewed.found)?;
        let mut noted = Noted::default();
        if notes.is_empty() {
            return Ok(noted);
        }
        let places = self.places(reviewed.found).await?;
        let names = self.names(begun(reviewed.found)?)?;
        let (mut told, mut content) = (Text::new(), String::new());
        for note in notes {
            let place = places.after(note.step);
            let name = names.get(note.seat.index()).map_or("", String::as_str);
            // Writing into a string can't fail.
            let _ = writeln!(content, "{name} noted {place}: {}", note.text);
            let plain = note.text.replace('`', "'").replace("**", "*");
            told.line(say!(
                "{player} noted {place}: {words}",
                player = reviewed.person(note.seat),
                place,
                words = plain
            ));
        }
        if content.chars().count() <= LONGEST_NOTES {
            noted.told = told;
            return Ok(noted);
        }
        noted.told.line("The file has what the players noted.");
        noted.file = Some(File {
            name: format!("{}-{}-notes.txt", reviewed.found.game, reviewed.found.code),
            content,
        });
        Ok(noted)
    }

    /// One swing with the position in which it came, as whoever moved saw it.
    async fn one_swing(
        &self,
        request: &Request,
        reviewed: &Reviewed<'_>,
        number: u32,
        swing: &Swing,
    ) -> Result<Message, Failure> {
        let decision = &swing.decision;
        let mut text = say!(
            "{title}, swing {number} of {all}.",
            title = reviewed.title(),
            number = number.to_string(),
            all = reviewed.swings.len().to_string()
        );
        text.line(reviewed.swing(swing, usize::MAX));
        let wish = PictureWish {
            entries: begun(reviewed.found)?.entries,
            viewer: Some(decision.seat),
            what: PictureKind::Position {
                steps: decision.step,
                hands: ReplayedHands::AsSeen,
            },
        };
        let record = self.service.record(reviewed.found)?;
        let steps = decision.step as usize;
        let table = record.replayed(move |record| record.replay(Some(steps))).await?;
        let table = table.map_err(|error| Fault::new("showing a position again", error))?;
        let picture = self.picture_of(reviewed.found, wish, table, Audience::Player(&request.who))?;
        let mut buttons = Vec::new();
        if number > 1 {
            buttons.push(reviewed.button("◀", ReviewPart::Swing(number - 1)));
        }
        if (number as usize) < reviewed.swings.len() {
            buttons.push(reviewed.button("▶", ReviewPart::Swing(number + 1)));
        }
        buttons.push(reviewed.button("Review", ReviewPart::Whole));
        // From where whoever made it could still have played something else.
        buttons.push(what_if(reviewed.found, decision.turn.saturating_sub(1)));
        Ok(Message::text(text)
            .with_picture(Some(picture))
            .with_buttons(buttons))
    }

    /// Every decision with its numbers.
    fn numbers(&self, reviewed: &Reviewed<'_>) -> Result<Message, Failure> {
        let names = self.names(begun(reviewed.found)?)?;
        let mut text = say!(
            "{title}, what each player could expect, in hundredths.",
            title = reviewed.title()
        );
        let lines = graph::in_numbers(reviewed.review, &names);
        if lines.lines().count() <= TOLD_AT_ONCE {
            for line in lines.lines() {
                text.line(text![line.replace('`', "'").replace("**", "*")]);
            }
            return Ok(Message::text(text));
        }
        Ok(Message {
            text,
            file: Some(File {
                name: format!("{}-{}-review.txt", reviewed.found.game, reviewed.found.code),
                content: lines,
            }),
            ..Message::default()
        })
    }

    /// Draws who stood better in the course of a match. Nothing unless its review is done.
    pub(super) fn graph(&self, picture: &Picture) -> Result<Graph, Failure> {
        let Subject::Match { code, .. } = &picture.of else {
            return Err(Refusal::NoMatchHere.into());
        };
        let found = self.service.find(code)?;
        let kept: Option<Review> = self.service.kept_review(code)?;
        let review = kept.filter(Review::is_done).ok_or(Refusal::NoMatchHere)?;
        Ok(graph::of(&review, &self.names(begun(&found)?)?))
    }
}

fn under_way(found: &Loaded, looked_at: u32, steps: u32) -> Message {
    let title = Inline::Bold(format!("{} #{}", game_name(&found.game), found.code));
    let steps_told = steps.to_string();
    let text = if looked_at < steps {
        say!(
            "I'm reviewing {title}: {looked_at} of {steps} moves looked at. I'll say here when it's done.",
            title,
            looked_at = looked_at.to_string(),
            steps = steps_told
        )
    } else {
        say!(
            "I'm reviewing {title}: all {steps} moves looked at, now the largest swings once more. I'll say here when \
             it's done.",
            title,
            steps = steps_told
        )
    };
    let again = Command::Review {
        about: Some(found.code.clone().into()),
        part: ReviewPart::Whole,
    };
    Message::text(text).with_buttons(vec![Button::plain("How far?", again)])
}

/// The swing that is meant, or what can be asked for instead.
fn swing_of(number: u32, swings: &[Swing]) -> Result<&Swing, String> {
    let index = number.checked_sub(1).map(|index| index as usize);
    let found = index.and_then(|index| swings.get(index));
    found.ok_or_else(|| match swings.len() {
        0 => "I saw no move that changed much, so there is no swing to show.".to_owned(),
        1 => "This match had one swing: ask for swing 1.".to_owned(),
        several => format!("This match had {several} swings: ask for one from 1 to {several}."),
    })
}

impl Reviewed<'_> {
    fn title(&self) -> Inline {
        let (game, code) = (game_name(&self.found.game), &self.found.code);
        Inline::Bold(format!("{game} #{code}"))
    }

    fn person(&self, seat: Seat) -> Inline {
        match self.players.get(seat.index()) {
            Some(player) => Inline::Person(player.clone()),
            None => Inline::Plain(format!("Player {seat}")),
        }
    }

    fn button(&self, label: &str, part: ReviewPart) -> Button {
        let command = Command::Review {
            about: Some(self.found.code.clone().into()),
            part,
        };
        Button::plain(label, command)
    }

    /// "ann: 12 of 20 moves as good as mine. Largest mistake: turn 9 (-31). Best find: turn 4 (+12)."
    fn summary(&self, summary: &Summary<'_>) -> Text {
        let player = Text(vec![self.person(summary.seat)]);
        if summary.decisions == 0 {
            return say!("{player} had nothing to decide.", player);
        }
        let mut text = say!(
            "{player}: {good} of {all} moves as good as mine.",
            player,
            good = summary.as_good.to_string(),
            all = summary.decisions.to_string()
        );
        if let Some(worst) = summary.largest_mistake {
            text.sentence(say!(
                "Largest mistake: turn {turn} (-{loss}).",
                turn = worst.turn.to_string(),
                loss = hundredths(worst.loss())
            ));
        }
        if let Some(best) = summary.best_find {
            text.sentence(say!(
                "Best find: `{action}` in turn {turn} (+{gain}).",
                action = best.played.as_str(),
                turn = best.turn.to_string(),
                gain = hundredths(best.found.unwrap_or_default())
            ));
        }
        text
    }

    /// What was played, what the bot would have played and why.
    fn swing(&self, swing: &Swing, longest: usize) -> Text {
        let decision = &swing.decision;
        let mut text = say!(
            "Turn {turn}: {player} played `{played}` and fell from {before} to {after} of 100.",
            turn = decision.turn.to_string(),
            player = self.person(decision.seat),
            played = decision.played.as_str(),
            before = hundredths(decision.best_worth),
            after = hundredths(decision.played_worth)
        );
        let best = decision.best.as_str();
        let purpose = swing
            .purpose
            .as_deref()
            .map(|purpose| purpose.trim_end_matches('.'));
        let told = Text::prose(&swing.narration, self.players);
        let is_told = !told.is_empty() && told.plain(ToString::to_string).chars().count() <= longest;
        text.sentence(match purpose {
            Some(purpose) => say!("I would have played `{best}` – {purpose}.", best, purpose),
            None if is_told => say!("I would have played `{best}`:", best),
            None => say!("I would have played `{best}`.", best),
        });
        if is_told {
            text.sentence(told);
        }
        text
    }
}
