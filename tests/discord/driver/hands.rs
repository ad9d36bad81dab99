//! Reading hands of Breaker: which commands somebody is shown, and which are only said to be somewhere.

use std::collections::BTreeSet;

use parlor::games::breaker::Kind;

/// Words in one line and in lower case.
pub fn plain(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// The commands that a hand holds, by what its owner is shown.
pub fn held_in(hand: &str) -> BTreeSet<&'static str> {
    let hand = plain(hand);
    let (_, hand) = hand.split_once("your hand: ").expect("a hand");
    let (hand, _) = hand.split_once('.').expect("the end of a hand");
    Kind::commands()
        .map(Kind::name)
        .filter(|name| hand.contains(name))
        .collect()
}

/// What is said of the commands that somebody can't see, and everything else.
pub fn unseen_in(text: &str) -> (String, String) {
    let text = plain(text);
    let (mut unseen, mut rest) = (String::new(), String::new());
    for (number, part) in text.split("commands you can't see: ").enumerate() {
        let (list, after) = if number == 0 {
            ("", part)
        } else {
            part.split_once('.').unwrap_or((part, ""))
        };
        unseen.push_str(list);
        rest.push_str(after);
    }
    (unseen, rest)
}

/// Whether a word stands in a text, and not just as a part of another.
pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric())
        .any(|other| other.eq_ignore_ascii_case(word))
}
