//! Who is spoken to: telling what is meant for the bot from what people say to each other.

use matrix_sdk::ruma::UserId;

/// The bot, as people in a room call it.
#[derive(Clone, Copy, Debug)]
pub struct BotIdentity<'a> {
    pub id: &'a UserId,
    /// The name it has in this room.
    pub name: Option<&'a str>,
    pub called: Mentioned,
}

/// Whether a message says that it mentions the bot, apart from its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mentioned {
    Yes,
    No,
    /// It says nothing of mentions: what is set like one is one.
    Unsaid,
}

/// How a line speaks to the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// By name: it is for us, whatever it says.
    Named(String),
    /// By the mark before a command, which other bots know too.
    Marked(String),
    /// Not at all, as far as the words tell.
    Unmarked,
}

/// What every command in a room begins with, unless the bot is named.
pub const MARK: char = '!';

/// Words that only call us.
const GREETINGS: [&str; 8] = ["hey", "hi", "hello", "hallo", "yo", "ok", "okay", "please"];

impl BotIdentity<'_> {
    /// How a line speaks to us.
    pub fn address(self, words: &str) -> Address {
        let words = words.trim();
        if let Some(rest) = words.strip_prefix(MARK)
            && rest.starts_with(char::is_alphanumeric)
        {
            return Address::Marked(words.to_owned());
        }
        if let Some(rest) = self.after_name(words) {
            return named(rest);
        }
        // "games, @parlor:example.org" is for us as well.
        if let Some(rest) = words.strip_suffix(self.id.as_str()) {
            return named(rest.trim_end().trim_end_matches([',', ':']));
        }
        if self.called != Mentioned::No
            && let Some(rest) = self.without_mention(words)
        {
            return named(&rest);
        }
        Address::Unmarked
    }

    /// The words around a mention of us, if there is one among them. A client may say that it mentions us only because
    /// somebody answers our board.
    fn without_mention(self, words: &str) -> Option<String> {
        let names = [Some(self.id.localpart()), self.name].into_iter().flatten();
        let names = names.map(|name| format!("@{name}"));
        let (before, after) = std::iter::once(self.id.to_string())
            .chain(names)
            .find_map(|mention| split_at_mention(words, &mention))?;
        let after = after.trim_start_matches([':', ',']);
        Some(
            format!("{} {}", before.trim_end(), after.trim_start())
                .trim()
                .to_owned(),
        )
    }

    /// What follows our name at the start of a line.
    fn after_name(self, words: &str) -> Option<&str> {
        let bare = words.strip_prefix('@').unwrap_or(words);
        let by_id = words
            .strip_prefix(self.id.as_str())
            .or_else(|| bare.strip_prefix(self.id.as_str()));
        if let Some(rest) = by_id {
            let ends = rest.chars().next().is_none_or(|next| !is_of_an_id(next));
            return ends.then(|| rest.trim_start_matches([':', ',']).trim_start());
        }
        // A name without a link may be any word, so it has to be set apart from what follows, unless it is said that it is
        // a mention. That alone would say little: whoever answers our board mentions us.
        let names = [self.name, Some(self.id.localpart())];
        names
            .into_iter()
            .flatten()
            .filter(|name| !name.is_empty())
            .find_map(|name| {
                let head = bare.get(..name.len())?;
                let rest = bare.get(name.len()..)?;
                let same = head.eq_ignore_ascii_case(name) || head.to_lowercase() == name.to_lowercase();
                let apart = rest.strip_prefix([':', ',']);
                let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
                let rest = apart.or((self.called == Mentioned::Yes && ends).then_some(rest))?;
                same.then(|| rest.trim_start())
            })
    }
}

/// What is said to us by name. Whoever greets us first means what follows.
fn named(words: &str) -> Address {
    let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let greeting = first.trim_end_matches([',', '!', '.', ':']);
    let greets = GREETINGS.iter().any(|known| greeting.eq_ignore_ascii_case(known));
    Address::Named(if greets { rest.trim_start() } else { words }.to_owned())
}

/// What stands before and after a mention, if it is a word of its own.
fn split_at_mention<'t>(words: &'t str, mention: &str) -> Option<(&'t str, &'t str)> {
    let at = words.find(mention)?;
    let (before, after) = (words.get(..at)?, words.get(at + mention.len()..)?);
    let begins = before
        .chars()
        .next_back()
        .is_none_or(|letter| !letter.is_alphanumeric());
    // A full stop may as well end a sentence.
    let goes_on = after.trim_start_matches(['.', '-']).chars().next();
    let ends = goes_on.is_none_or(|letter| !is_of_an_id(letter));
    (begins && ends).then_some((before, after))
}

/// Whether a letter after an id would make it another id. A colon may as well set it apart from what follows.
fn is_of_an_id(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_')
}

#[cfg(test)]
mod tests {
    use matrix_sdk::ruma::user_id;

    use super::*;

    fn address(words: &str) -> Address {
        address_when(Mentioned::No, words)
    }

    fn address_when(called: Mentioned, words: &str) -> Address {
        let own = BotIdentity {
            id: user_id!("@parlor:example.org"),
            name: Some("The Parlor"),
            called,
        };
        own.address(words)
    }

    #[test]
    fn names_and_marks_speak_to_us() {
        let named = |words: &str| Address::Named(words.to_owned());
        for (words, expected) in [
            ("@parlor:example.org: games", named("games")),
            ("@parlor:example.org games", named("games")),
            ("@parlor:example.org", named("")),
            ("The Parlor: games", named("games")),
            ("@the parlor, games", named("games")),
            ("parlor: F2-F5", named("F2-F5")),
            ("games @parlor:example.org", named("games")),
            ("!games", Address::Marked("!games".to_owned())),
        ] {
            assert_eq!(address(words), expected, "{words}");
        }
    }

    #[test]
    fn a_mention_needs_no_mark_after_the_name() {
        let named = |words: &str| Address::Named(words.to_owned());
        for (words, expected) in [
            ("parlor games", named("games")),
            ("@The Parlor games", named("games")),
            ("parlor", named("")),
            ("hey @parlor how do I play?", named("how do I play?")),
            ("@parlor: hi, games", named("games")),
            ("hey @parlor", named("")),
            ("highlights @parlor", named("highlights")),
            ("I like @parlor:example.org, do you?", named("I like do you?")),
            ("parlors are fine", Address::Unmarked),
            ("I like the parlor", Address::Unmarked),
            ("F2-F5", Address::Unmarked),
        ] {
            assert_eq!(address_when(Mentioned::Yes, words), expected, "{words}");
        }
    }

    #[test]
    fn an_older_client_mentions_us_by_its_words() {
        let named = |words: &str| Address::Named(words.to_owned());
        for (words, expected) in [
            ("hey @parlor how do I play?", named("how do I play?")),
            ("Hello, @The Parlor, how do I play?", named("how do I play?")),
            ("thanks, @parlor.", named("thanks, .")),
            ("mail me: ann@parlor.example", Address::Unmarked),
            ("ask @parlor.example", Address::Unmarked),
            ("@parlors are fine", Address::Unmarked),
            ("parlor games are fun", Address::Unmarked),
        ] {
            assert_eq!(address_when(Mentioned::Unsaid, words), expected, "{words}");
        }
    }

    #[test]
    fn talk_is_left_alone() {
        for words in [
            "games",
            "!!!",
            "! games",
            "parlor games are fun",
            "The Parlor is nice",
            "@parlor:example.organic games",
            "I like @parlor:example.org, do you?",
            "Therése: hi",
            "",
        ] {
            assert_eq!(address(words), Address::Unmarked, "{words}");
        }
    }
}
