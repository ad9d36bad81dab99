//! One argument of a command: a word of a line, or a field of a form.

use super::{ReadError, Reader};
use crate::ai::Level;
use crate::catalog;
use crate::chat::command::read_reference;
use crate::chat::grammar::{ArgumentKind, BOT};
use crate::chat::opponent;
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::matches::bot::USUAL_LEVEL;
use crate::matches::clock::ClockKind;
use crate::matches::service::MatchRef;
use crate::matches::state::Seating;
use crate::text;

impl Reader<'_> {
    /// Reads one word, and more if they belong to it; returns the rest of the line.
    pub(super) fn word<'t>(&mut self, word: &str, tail: &'t str) -> Result<&'t str, ReadError> {
        if self.kind(ArgumentKind::Level)
            && let Some(tail) = self.strength(word, tail)?
        {
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Players)
            && let Some(tail) = self.bots(word, tail)?
        {
            return Ok(tail);
        }
        if let Some((name, value)) = word.split_once('=').or_else(|| word.split_once(':'))
            && !word.starts_with('@')
            && (self.kind(ArgumentKind::Options)
                || self.kind(ArgumentKind::Seats)
                || self.kind(ArgumentKind::Level))
        {
            return self.named(&name.to_lowercase(), value, tail);
        }
        let is_player = |word: &str| word.starts_with('@') || word.eq_ignore_ascii_case("me");
        if self.kind(ArgumentKind::Players) && is_player(word) {
            self.challenge(word);
            return Ok(tail);
        }
        // Behind a match comes the turn, and nothing of a game.
        if self.kind(ArgumentKind::Turn) && self.given.about.is_some() {
            if word.eq_ignore_ascii_case("turn") {
                return Ok(tail);
            }
            if word.eq_ignore_ascii_case(BOT) {
                self.given.level = self.given.level.or(Some(USUAL_LEVEL));
                return Ok(tail);
            }
            if let Ok(turn) = word.parse() {
                self.given.turn = Some(turn);
                return Ok(tail);
            }
            return Err(self.problem(format!("`{}` isn't the number of a turn.", excerpt(word))));
        }
        if self.kind(ArgumentKind::Game) && self.given.game.is_none() {
            // A game's name may have two words.
            let second = tail.split_whitespace().next().unwrap_or_default();
            let both = format!("{word} {second}");
            if let Ok(entry) = catalog::find(&both) {
                self.given.game = Some(Ok(entry));
                return Ok(tail.strip_prefix(second).unwrap_or_default().trim_start());
            }
            let knows_players = self.kind(ArgumentKind::Players) && self.given.opponents.is_empty();
            if knows_players && catalog::find(word).is_err() {
                self.challenge(word);
                return Ok(tail);
            }
            self.given.game = Some(catalog::find(word));
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Clock)
            && let Ok(clock) = word.parse::<ClockKind>()
        {
            return Ok(self.clock(clock, word, tail));
        }
        // A bare number is the level, where it can't be the number of seats.
        if self.kind(ArgumentKind::Level)
            && !self.kind(ArgumentKind::Seats)
            && self.given.level.is_none()
            && word.parse::<u32>().is_ok()
        {
            self.field(ArgumentKind::Level, word)?;
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Seats)
            && let Ok(seats) = word.parse()
        {
            self.given.seats = Some(seats);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Seating)
            && let Some(seating) = seating(word)
        {
            self.given.seating = Some(seating);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Hours)
            && let Ok(hours) = word.trim_end_matches(['h', 'H']).parse()
        {
            self.given.hours = Some(hours);
            return Ok(tail);
        }
        for argument in self.command.arguments {
            if let ArgumentKind::Word(words) = argument.kind
                && self.given.word.is_none()
            {
                // What is no such word may still be the code of a table.
                let near = nearest(word, words.iter().copied());
                if !self.kind(ArgumentKind::Match) || near.is_some() {
                    self.given.word = Some(self.known(word, words)?);
                    return Ok(tail);
                }
            }
        }
        if self.kind(ArgumentKind::Match) {
            self.given.about = Some(self.reference(word)?);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Players) {
            self.challenge(word);
            return Ok(tail);
        }
        Err(self.problem(format!("I don't know what to do with `{}`.", excerpt(word))))
    }

    /// `name=value`: an option of the game, or the clock, the seats, the seating.
    fn named<'t>(&mut self, name: &str, value: &str, tail: &'t str) -> Result<&'t str, ReadError> {
        match name {
            "clock" => {
                let clock = value.parse().map_err(|error| self.problem(format!("{error}")))?;
                return Ok(self.clock(clock, value, tail));
            }
            "seats" | "players" => {
                let seats = value
                    .parse()
                    .map_err(|_| self.problem(format!("`{name}` takes a number.")))?;
                self.given.seats = Some(seats);
            }
            "seating" => self.field(ArgumentKind::Seating, value)?,
            "game" => self.given.game = Some(catalog::find(value)),
            _ => self.given.options.push((name.to_owned(), value.to_owned())),
        }
        Ok(tail)
    }

    /// `live` may be followed by its minutes.
    fn clock<'t>(&mut self, clock: ClockKind, word: &str, tail: &'t str) -> &'t str {
        self.given.clock = Some(clock);
        let minutes = tail.split_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("live")
            && minutes.starts_with(|c: char| c.is_ascii_digit())
            && let Ok(clock) = format!("live {minutes}").parse()
        {
            self.given.clock = Some(clock);
            return tail.strip_prefix(minutes).unwrap_or_default().trim_start();
        }
        tail
    }

    /// One field of a slash command.
    pub(super) fn field(&mut self, kind: ArgumentKind, value: &str) -> Result<(), ReadError> {
        let value = value.trim();
        match kind {
            ArgumentKind::Game => self.given.game = Some(catalog::find(value)),
            ArgumentKind::Players => value.split_whitespace().for_each(|word| self.challenge(word)),
            ArgumentKind::Level => {
                let level = opponent::level(value).ok_or_else(|| self.no_level(value))?;
                self.given.level = Some(level);
            }
            ArgumentKind::Options => {
                for pair in value.split_whitespace() {
                    let (name, value) =
                        pair.split_once('=')
                            .or_else(|| pair.split_once(':'))
                            .ok_or_else(|| {
                                self.problem(format!(
                                    "Write options as `name=value`, not `{}`.",
                                    excerpt(pair)
                                ))
                            })?;
                    self.given.options.push((name.to_owned(), value.to_owned()));
                }
            }
            ArgumentKind::Clock => {
                let clock = value.parse().map_err(|error| self.problem(format!("{error}")))?;
                self.given.clock = Some(clock);
            }
            ArgumentKind::Seating => {
                let strange = || self.problem("`seating` is `lot` or `order`.".to_owned());
                self.given.seating = Some(seating(value).ok_or_else(strange)?);
            }
            ArgumentKind::Match => self.given.about = Some(self.reference(value)?),
            ArgumentKind::Move | ArgumentKind::Words => self.given.words = value.to_owned(),
            ArgumentKind::Word(words) => self.given.word = Some(self.known(value, words)?),
            ArgumentKind::Seats | ArgumentKind::Hours | ArgumentKind::Turn => {
                let number = value.parse().map_err(|_| self.no_number(kind))?;
                self.number(kind, number)?;
            }
        }
        Ok(())
    }

    /// One field of a slash command in which a number stands.
    pub(super) fn number(&mut self, kind: ArgumentKind, number: i64) -> Result<(), ReadError> {
        match kind {
            ArgumentKind::Seats => {
                let seats = number.try_into().map_err(|_| self.no_number(kind))?;
                self.given.seats = Some(seats);
            }
            ArgumentKind::Hours => {
                let hours = number.try_into().map_err(|_| self.no_number(kind))?;
                self.given.hours = Some(hours);
            }
            ArgumentKind::Turn => {
                let turn = number.try_into().map_err(|_| self.no_number(kind))?;
                self.given.turn = Some(turn);
            }
            ArgumentKind::Level => {
                let level = number.try_into().ok().and_then(Level::new);
                self.given.level = Some(level.ok_or_else(|| self.no_level(&number.to_string()))?);
            }
            ArgumentKind::Game
            | ArgumentKind::Players
            | ArgumentKind::Options
            | ArgumentKind::Clock
            | ArgumentKind::Seating
            | ArgumentKind::Match
            | ArgumentKind::Move
            | ArgumentKind::Word(_)
            | ArgumentKind::Words => self.field(kind, &number.to_string())?,
        }
        Ok(())
    }

    fn no_number(&self, kind: ArgumentKind) -> ReadError {
        self.problem(
            match kind {
                ArgumentKind::Seats => "`seats` takes a number.",
                ArgumentKind::Turn => "`turn` takes the number of a turn.",
                _ => "`hours` takes a number.",
            }
            .to_owned(),
        )
    }

    /// One of a few known words.
    fn known(&self, word: &str, words: &[&'static str]) -> Result<&'static str, ReadError> {
        if let Some(known) = words.iter().find(|known| known.eq_ignore_ascii_case(word)) {
            return Ok(known);
        }
        let said = excerpt(word);
        Err(self.problem(match nearest(word, words.iter().copied()) {
            Some(near) => format!("There's no `{said}`. Did you mean `{near}`?"),
            None => format!("There's no `{said}`. Try {}.", text::either(words)),
        }))
    }

    fn reference(&self, word: &str) -> Result<MatchRef, ReadError> {
        read_reference(word).ok_or_else(|| {
            self.problem(format!(
                "`{}` isn't a table code. A code looks like `#K7QF`.",
                excerpt(word)
            ))
        })
    }
}

/// How the grammar writes ways to sit down.
fn seating(word: &str) -> Option<Seating> {
    match word.to_lowercase().as_str() {
        "lot" => Some(Seating::Lot),
        "order" => Some(Seating::AsChallenged),
        _ => None,
    }
}
