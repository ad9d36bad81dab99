//! The ways in which people name the bot, and say how strong it shall be.

use super::grammar::BOT;
use super::message::{Button, Message};
use crate::ai::Level;
use crate::game::notation::excerpt;
use crate::say;

/// How the bot was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotName {
    /// Without its strength: `bot`.
    Plain,
    /// `bot:3`, `bot3`, `bot(3)`.
    At(Level),
    /// With a strength that nobody has: `bot:9`, `bot:hard`.
    Unknown(String),
}

/// Whether a word names the bot.
pub fn named(word: &str) -> Option<BotName> {
    let rest = strip(word, BOT)?;
    let said = rest.strip_prefix([':', '=', '-', '(']);
    match said.map_or(rest, |said| said.trim_end_matches(')')) {
        "" => Some(BotName::Plain),
        number if said.is_some() || is_number(number) => Some(match level(number) {
            Some(level) => BotName::At(level),
            None => BotName::Unknown(number.to_owned()),
        }),
        // `bots` is one of them or several; `bottle` is somebody's name.
        plural => plural.eq_ignore_ascii_case("s").then_some(BotName::Plain),
    }
}

/// What else people call the bot; somebody of that name who is there comes first.
pub fn may_mean_bot(mention: &str) -> bool {
    let name = mention.strip_prefix('@').unwrap_or(mention);
    [BOT, "parlor", "computer", "ai"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// How many bots `word next` asks for: `2 bots`, `two bots`.
pub fn several(word: &str, next: &str) -> Option<usize> {
    if named(next) != Some(BotName::Plain) {
        return None;
    }
    let words = ["one", "two", "three", "four"];
    let spelt = words.iter().position(|known| known.eq_ignore_ascii_case(word));
    let count = spelt.map(|index| index + 1).or_else(|| word.parse().ok())?;
    (1..=words.len()).contains(&count).then_some(count)
}

/// What a word says of the strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength<'t> {
    /// The level as it was said: `level=3`, `lvl3`.
    Said(&'t str),
    /// The next word says it: `level 3`.
    Next,
}

/// Whether a word speaks of the level.
pub fn strength(word: &str) -> Option<Strength<'_>> {
    let rest = ["level", "lvl", "lv"].iter().find_map(|name| strip(word, name))?;
    let said = rest.strip_prefix([':', '=']);
    match said.unwrap_or(rest) {
        "" => Some(Strength::Next),
        number if said.is_some() || is_number(number) => Some(Strength::Said(number)),
        _ => None,
    }
}

/// Words by which people mean a level without naming one. Which one they mean is theirs to say.
pub fn means_strength(word: &str) -> bool {
    const WORDS: [&str; 12] = [
        "easy", "easiest", "weak", "beginner", "medium", "normal", "hard", "harder", "hardest", "strong",
        "expert", "max",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The level of a number.
pub fn level(number: &str) -> Option<Level> {
    number.parse().ok().and_then(Level::new)
}

/// Words that people put between a command and its players, and that say nothing.
pub fn is_filler(word: &str) -> bool {
    ["the", "a", "against", "with", "vs", "versus"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What is left of a word behind its beginning, in any case.
fn strip<'t>(word: &'t str, beginning: &str) -> Option<&'t str> {
    let (head, rest) = word.split_at_checked(beginning.len())?;
    head.eq_ignore_ascii_case(beginning).then_some(rest)
}

/// Asks which of several people of one name is meant, by a command each.
pub fn which_one(name: &str, choices: Vec<(String, String)>) -> Message {
    Message {
        menu: (choices.into_iter())
            .map(|(who, command)| Button::plain(who, command))
            .collect(),
        ..Message::text(say!("Which `{name}`?", name = excerpt(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bot_has_many_names() {
        for plain in ["bot", "BOT", "bots"] {
            assert_eq!(named(plain), Some(BotName::Plain), "{plain}");
        }
        for third in ["bot:3", "bot=3", "bot3", "Bot-3", "bot(3)"] {
            assert_eq!(named(third), Some(BotName::At(Level::ALL[2])), "{third}");
        }
        assert_eq!(named("bot:hard"), Some(BotName::Unknown("hard".to_owned())));
        assert_eq!(named("bot9"), Some(BotName::Unknown("9".to_owned())));
        for other in ["bottle", "botany", "robot", "bo", "bö"] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn several_bots_are_counted() {
        assert_eq!(several("2", "bots"), Some(2));
        assert_eq!(several("Two", "bots"), Some(2));
        assert_eq!(several("0", "bots"), None);
        assert_eq!(several("5", "bots"), None);
        assert_eq!(several("2", "phwar"), None);
    }

    #[test]
    fn a_level_is_said_in_many_ways() {
        for said in ["level:3", "level=3", "level3", "lvl3", "lv=3", "LEVEL=3"] {
            assert_eq!(strength(said), Some(Strength::Said("3")), "{said}");
        }
        for next in ["level", "lvl", "level:", "level="] {
            assert_eq!(strength(next), Some(Strength::Next), "{next}");
        }
        assert_eq!(strength("level=hard"), Some(Strength::Said("hard")));
        assert_eq!(strength("levels"), None);
    }
}
