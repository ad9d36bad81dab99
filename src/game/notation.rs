//! Reading what a player typed: the ways in which it can fail, each with its way out.

use crate::text::{list_some, visible};

/// Why a text is not, or not yet, an action. The four kinds are apart because the answer differs:
/// teach the notation, explain the rule, ask on, or offer the candidates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not read as an action of this game.
    #[error("I can't read `{text}` as a move. {hint}")]
    Unreadable {
        text: String,
        /// What a move looks like here, as a sentence with an example.
        hint: String,
    },
    /// It reads well, but the rules don't allow it now.
    #[error("{why}")]
    Illegal {
        /// The reason and the way out, in whole sentences.
        why: String,
    },
    /// It is the beginning of an action.
    #[error("{}", asked(ask, choices))]
    Incomplete { ask: String, choices: Vec<String> },
    /// It fits more than one action.
    #[error("{}", asked(ask, choices))]
    Ambiguous { ask: String, choices: Vec<String> },
}

impl NotationError {
    /// An unreadable text, cut to a length that can be shown.
    pub fn unreadable(text: &str, hint: impl Into<String>) -> Self {
        Self::Unreadable {
            text: excerpt(text),
            hint: hint.into(),
        }
    }

    pub fn illegal(why: impl Into<String>) -> Self {
        Self::Illegal { why: why.into() }
    }

    /// What may follow, where the text was on the way to something.
    pub fn choices(&self) -> &[String] {
        match self {
            Self::Incomplete { choices, .. } | Self::Ambiguous { choices, .. } => choices,
            Self::Unreadable { .. } | Self::Illegal { .. } => &[],
        }
    }
}

/// The only one that fits, or the question which of several is meant; nothing if there is none.
pub fn one_of<A>(
    mut fitting: Vec<A>,
    ask: impl FnOnce() -> String,
    notate: impl Fn(&A) -> String,
) -> Option<Result<A, NotationError>> {
    if fitting.len() <= 1 {
        return fitting.pop().map(Ok);
    }
    Some(Err(NotationError::Ambiguous {
        ask: ask(),
        choices: fitting.iter().map(notate).collect(),
    }))
}

/// At most this many choices are named in a sentence.
const NAMED: usize = 12;

/// "Where to? F2, F3 and 8 more"
fn asked(ask: &str, choices: &[String]) -> String {
    match choices {
        [] => ask.to_owned(),
        few if few.len() <= NAMED => format!("{ask} {}", few.join(", ")),
        many => format!("{ask} {}", list_some(many, NAMED)),
    }
}

/// The beginning of a text that may be any length and hold anything: what can't be seen and back quotes
/// are left out, so that it can stand inside back quotes and turns nothing around it.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut clean = visible(text).filter(|c| *c != '`');
    let mut start: String = clean.by_ref().take(LONGEST).collect();
    if clean.next().is_some() || start.is_empty() {
        start.push('…');
    }
    start
}

/// An action that was not among the legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that action is not legal here")]
pub struct Illegal;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_counted() {
        let choices: Vec<String> = (0..20).map(|n| format!("F{n}")).collect();
        let error = NotationError::Incomplete {
            ask: "Where to?".into(),
            choices,
        };
        assert!(error.to_string().ends_with("F11 and 8 more"), "{error}");
    }

    #[test]
    fn an_excerpt_is_short_and_clean() {
        assert_eq!(excerpt("a`b\nc\u{202e}d"), "abcd");
        assert_eq!(excerpt("\u{1}`"), "…");
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), 41);
    }
}
