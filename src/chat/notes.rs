//! `note`: what a player writes down on a position, and what they have written down.

use std::fmt::Write;

use super::message::{File, Inline, Message, Text};
use super::notices::game_name;
use super::parlor::{Parlor, Reply, Request};
use super::wanted::Wanted;
use crate::matches::loaded::Loaded;
use crate::matches::notes::{Note, Notes};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;
use crate::matches::state::LogEntry;
use crate::text::visible;
use crate::{say, text};

/// So many letters of notes are told in a message; more are a file.
const TOLD_AT_ONCE: usize = 1200;

impl Parlor {
    pub(super) async fn note(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        said: &str,
    ) -> Result<Reply, Failure> {
        let said: String = visible(said).collect();
        let said = said.trim();
        if said.is_empty() {
            return self.notes(request, about).await;
        }
        let target = self.target_or(request, about, [Wanted::ToPlay, Wanted::Finished])?;
        let found = target.found;
        let notes = self
            .service
            .take_note(&self.caller(request), &found, said)
            .await?;
        let mut text = match notes.iter().last() {
            Some(note) => say!(
                "Noted {place} of `#{code}`. Nobody else sees it until the match is over; then its players do.",
                place = self.places(&found).await?.of(note),
                code = found.code.to_string()
            ),
            None => say!("Noted."),
        };
        if request.room.is_some() && request.input.is_typed() {
            text.sentence(
                "Others here may have read what you typed; a private message to me is for us alone.",
            );
        }
        Ok(Reply::secret(Message::text(text)))
    }

    /// What somebody has written down on a match.
    async fn notes(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let found = self.any_match(request, about)?;
        let notes = self.service.notes(&request.who, &found.code)?;
        if notes.is_empty() {
            if !found.seats(&request.who) {
                return Err(Refusal::NotYourMatch(found.code.clone()).into());
            }
            let text = say!(
                "You have no notes on `#{code}`. `/note watch the left side` writes one down.",
                code = found.code.to_string()
            );
            return Ok(Reply::secret(Message::text(text)));
        }
        Ok(Reply::secret(self.all_notes(&found, &notes).await?))
    }

    async fn all_notes(&self, found: &Loaded, notes: &Notes) -> Result<Message, Failure> {
        let mut text = say!(
            "{title}: your notes.",
            title = Inline::Bold(format!("{} #{}", game_name(&found.game), found.code))
        );
        let places = self.places(found).await?;
        let mut content = String::new();
        let mut lines = Text::new();
        for note in notes.iter() {
            let place = places.of(note);
            // Writing into a string can't fail.
            let _ = writeln!(content, "{place}: {}", note.text);
            // What a player wrote is no mark-up.
            let plain = note.text.replace('`', "'").replace("**", "*");
            lines.line(text![format!("{place}: "), plain]);
        }
        if content.chars().count() <= TOLD_AT_ONCE {
            text.line(lines);
            return Ok(Message::text(text));
        }
        Ok(Message {
            text,
            file: Some(File {
                name: format!("{}-{}-notes.txt", found.game, found.code),
                content,
            }),
            ..Message::default()
        })
    }

    /// Where in a match notes were made.
    pub(super) async fn places(&self, found: &Loaded) -> Result<Places, Failure> {
        let record = self.service.record(found)?;
        let found_out = record.replayed(|record| record.turns_of_steps()).await?;
        let turns = found_out.map_err(|error| Fault::new("looking for the turn of a note", error))?;
        Ok(Places {
            turns: turns.turns,
            log: self.service.log_of(found)?,
        })
    }
}

/// What tells where in its match a note was made.
pub(super) struct Places {
    turns: Vec<u32>,
    log: Vec<LogEntry>,
}

impl Places {
    /// "after turn 12".
    fn of(&self, note: &Note) -> String {
        self.after(note.standing_step(&self.log))
    }

    /// The same of a position after so many steps.
    pub(super) fn after(&self, steps: u32) -> String {
        let last = steps.checked_sub(1);
        match last.and_then(|last| self.turns.get(last as usize)) {
            Some(turn) => format!("after turn {turn}"),
            None => "at the start".to_owned(),
        }
    }
}
