//! What was typed, in words and numbers, with the place where each starts.

use std::fmt;

use crate::text::{after_first, leading};

/// A piece of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
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
pub type TokenAt = (usize, Token);

/// Cuts a text into tokens: letters and digits end each other, everything else only separates. Words that say nothing
/// in this game are left out.
pub fn tokens(text: &str, fillers: &[&str]) -> Vec<TokenAt> {
    let mut tokens: Vec<TokenAt> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let start = text.len() - rest.len();
        if let Some((number, after)) = leading_number(rest) {
            rest = after;
            tokens.push((start, Token::Number(number)));
        } else if c.is_alphabetic() {
            let inside = |c: char| c.is_alphabetic() || c == '\'' || c == '’';
            let (word, after) = leading(rest, inside);
            let word: String = word.chars().filter(|c| c.is_alphabetic()).collect();
            let word = word.to_lowercase();
            rest = after;
            if !fillers.contains(&word.as_str()) {
                tokens.push((start, Token::Word(word)));
            }
        } else {
            rest = after_first(rest);
        }
    }
    tokens
}

/// The number with which a text begins, and what follows it.
fn leading_number(text: &str) -> Option<(u16, &str)> {
    let (number, rest) = leading(text, |letter| letter.is_ascii_digit());
    // A number too long to be one of ours stays too large to be found.
    (!number.is_empty()).then(|| (number.parse().unwrap_or(u16::MAX), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_end_each_other() {
        let word = |start: usize, text: &str| (start, Token::Word(text.to_owned()));
        assert_eq!(
            tokens("Add2l to the 7-L", &["the"]),
            [
                word(0, "add"),
                (3, Token::Number(2)),
                word(4, "l"),
                word(6, "to"),
                (13, Token::Number(7)),
                word(15, "l")
            ]
        );
        assert_eq!(
            tokens("Robin's 99999999999", &[]),
            [word(0, "robins"), (8, Token::Number(u16::MAX))]
        );
    }

    #[test]
    fn a_number_ends_where_its_digits_do() {
        assert_eq!(leading_number("12L 3"), Some((12, "L 3")));
        assert_eq!(leading_number("99999"), Some((u16::MAX, "")));
        assert_eq!(leading_number("L2"), None);
        assert_eq!(leading_number(""), None);
    }
}
