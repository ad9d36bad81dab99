//! The words of a card file's line.

use crate::text::{after_first, leading};

/// One word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Letters, with hyphens or apostrophes between them.
    Word(&'t str),
    Number(u8),
    /// One of `; : , / + - ( ) { }`, or `<` for `<=`, `>` for `>=`.
    Sign(char),
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Number(number) => write!(f, "`{number}`"),
            Self::Sign('<') => f.write_str("`<=`"),
            Self::Sign('>') => f.write_str("`>=`"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
        }
    }
}

/// Splits a line into words.
pub(super) fn tokens(line: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = if first.is_ascii_digit() {
            let (digits, after) = leading(rest, |c| c.is_ascii_digit());
            let number = digits.parse().map_err(|_| format!("`{digits}` is too large"))?;
            (Token::Number(number), after)
        } else if first.is_alphabetic() {
            let (word, after) = leading(rest, |c| c.is_alphabetic() || c == '-' || c == '\'');
            (Token::Word(word), after)
        } else if let Some(after) = rest.strip_prefix("<=").or_else(|| rest.strip_prefix(">=")) {
            (Token::Sign(first), after)
        } else if ";:,/+-(){}".contains(first) {
            (Token::Sign(first), after_first(rest))
        } else {
            return Err(format!("`{first}` means nothing here"));
        };
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}
