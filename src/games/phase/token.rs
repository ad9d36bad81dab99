//! What was typed, in pieces.

use std::fmt;

use crate::game::notation::leading_number;

/// A piece of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(u16),
    /// In small letters.
    Word(String),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// A token and where it starts.
pub(super) type Spot = (usize, Token);

/// Words that say nothing here; names lose them, too.
const FILLERS: [&str; 14] = [
    "the", "a", "an", "my", "and", "then", "to", "against", "from", "in", "into", "of", "for", "at",
];

/// Cuts a text into tokens: letters and digits end each other, everything else only separates.
pub(super) fn tokens(text: &str) -> Vec<Spot> {
    let mut tokens: Vec<Spot> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let start = text.len() - rest.len();
        if let Some((number, after)) = leading_number(rest) {
            rest = after;
            tokens.push((start, Token::Number(number)));
        } else if c.is_alphabetic() {
            let inside = |c: char| c.is_alphabetic() || c == '\'' || c == '’';
            let length = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
            let word: String = rest[..length].chars().filter(|c| c.is_alphabetic()).collect();
            let word = word.to_lowercase();
            rest = &rest[length..];
            if !FILLERS.contains(&word.as_str()) {
                tokens.push((start, Token::Word(word)));
            }
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

/// A name as its tokens spell it.
pub(super) fn bare(name: &str) -> String {
    tokens(name).iter().map(|(_, token)| token.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_however_they_are_spaced() {
        assert_eq!(bare("No-Ne Chim 3"), bare("no ne CHIM3"));
        assert_eq!(bare("The Flying Death"), "flyingdeath");
        assert_eq!(bare("99999999999"), "65535");
        assert_eq!(
            tokens("attack nexus").last(),
            Some(&(7, Token::Word("nexus".to_owned())))
        );
    }
}
