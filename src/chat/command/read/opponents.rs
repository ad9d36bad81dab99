//! Who is challenged, and how strong bots are to be.

use super::{ReadError, Reader};
use crate::chat::command::Opponent;
use crate::chat::grammar::ArgumentKind;
use crate::chat::opponent::{self, BotName, Strength};
use crate::game::notation::excerpt;
use crate::matches::bot::is_oneself;
use crate::matches::people::PlayerId;

/// A player who was found. Whoever means the bot itself wants to play against it.
pub(super) fn known(player: PlayerId) -> Opponent {
    if is_oneself(&player) {
        Opponent::Bot(None)
    } else {
        Opponent::Player(player)
    }
}

impl Reader<'_> {
    /// Whom a word means.
    fn opponent(&self, word: &str) -> Opponent {
        if word.eq_ignore_ascii_case("me") {
            return Opponent::Oneself;
        }
        match opponent::named(word) {
            Some(BotName::Plain) => return Opponent::Bot(None),
            Some(BotName::At(level)) => return Opponent::Bot(Some(level)),
            Some(BotName::Unknown(_)) | None => {}
        }
        match self.people.find(word) {
            Some(player) => known(player),
            None if opponent::may_mean_bot(word) => Opponent::Bot(None),
            None => Opponent::Unknown(word.to_owned()),
        }
    }

    pub(super) fn challenge(&mut self, word: &str) {
        let opponent = self.opponent(word);
        self.given.opponents.push(opponent);
    }

    /// Reads what is said of the level: `level=3`, `lvl 3`. Returns the rest of the line, if that is what it was.
    pub(super) fn strength<'t>(&mut self, word: &str, tail: &'t str) -> Result<Option<&'t str>, ReadError> {
        let tail = match opponent::strength(word) {
            Some(Strength::Said(number)) => {
                self.field(ArgumentKind::Level, number)?;
                tail
            }
            Some(Strength::Next) => {
                let tail = tail.trim_start_matches([':', '=']).trim_start();
                let (number, tail) = tail.split_once(char::is_whitespace).unwrap_or((tail, ""));
                self.field(ArgumentKind::Level, number)?;
                tail.trim_start()
            }
            None if opponent::means_strength(word) => return Err(self.no_level(word)),
            None => return Ok(None),
        };
        Ok(Some(tail))
    }

    /// Reads what is said of bots: `bot`, `bot:3`, `two bots`. Returns the rest of the line, if that is what it was.
    pub(super) fn bots<'t>(&mut self, word: &str, tail: &'t str) -> Result<Option<&'t str>, ReadError> {
        let next = tail.split_whitespace().next().unwrap_or_default();
        if let Some(count) = opponent::several(word, next) {
            self.given
                .opponents
                .extend((0..count).map(|_| Opponent::Bot(None)));
            return Ok(Some(tail.strip_prefix(next).unwrap_or_default().trim_start()));
        }
        match opponent::named(word) {
            Some(BotName::Unknown(said)) => Err(self.no_level(&said)),
            Some(bot) => {
                self.given.opponents.push(match bot {
                    BotName::At(level) => Opponent::Bot(Some(level)),
                    BotName::Plain | BotName::Unknown(_) => Opponent::Bot(None),
                });
                Ok(Some(tail))
            }
            None => Ok(opponent::is_filler(word).then_some(tail)),
        }
    }

    pub(super) fn no_level(&self, said: &str) -> ReadError {
        ReadError::Level {
            command: self.command,
            said: if said.is_empty() {
                String::new()
            } else {
                excerpt(said)
            },
        }
    }
}
