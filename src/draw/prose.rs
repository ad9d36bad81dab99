//! Sentences about a match in which players are seats, not names.
//!
//! Narration is written where the game is known, and read where the people are known. In between a
//! player is a [`Span::Seat`]; each platform puts in a mention, an escaped name or "you".

use serde::{Deserialize, Serialize};

use crate::game::Seat;

/// A text with seats in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prose(Vec<Span>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    Text(String),
    /// The player in this seat.
    Seat(Seat),
    /// A move or command, to be set in fixed width.
    Code(String),
}

impl Prose {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, span: impl Into<Span>) {
        let span = span.into();
        // Neighbouring texts become one, so that equal sentences are equal data.
        if let (Some(Span::Text(last)), Span::Text(text)) = (self.0.last_mut(), &span) {
            last.push_str(text);
        } else {
            self.0.push(span);
        }
    }

    /// Adds another sentence after a space.
    pub fn sentence(&mut self, other: Self) {
        if other.is_empty() {
            return;
        }
        if !self.is_empty() {
            self.push(" ");
        }
        self.extend(other);
    }

    /// Goes on with another text, just behind this one.
    pub fn extend(&mut self, other: Self) {
        for span in other.0 {
            self.push(span);
        }
    }

    /// The text with players called by name.
    pub fn plain(&self, name: impl Fn(Seat) -> String) -> String {
        let piece = |span: &Span| match span {
            Span::Text(text) | Span::Code(text) => text.clone(),
            Span::Seat(seat) => name(*seat),
        };
        self.0.iter().map(piece).collect()
    }
}

impl FromIterator<Span> for Prose {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut prose = Self::new();
        for span in spans {
            prose.push(span);
        }
        prose
    }
}

impl From<&str> for Span {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Span {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Seat> for Span {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

/// A text in lines of at most `columns` characters, broken at spaces where that can be; every line but
/// the first begins with `indent`.
pub fn lines(text: &str, columns: usize, indent: &str) -> String {
    let indent_width = indent.chars().count();
    let mut out = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let mut letters = word.chars().count();
        if width > 0 && width + 1 + letters <= columns {
            out.push(' ');
            width += 1;
        } else if width > 0 {
            out.push('\n');
            out.push_str(indent);
            width = indent_width;
        }
        let mut word = word.chars();
        // Nobody's name may burst the board.
        while width + letters > columns && columns > indent_width {
            out.extend(word.by_ref().take(columns - width));
            letters -= columns - width;
            out.push('\n');
            out.push_str(indent);
            width = indent_width;
        }
        out.extend(word);
        width += letters;
    }
    out
}

/// A sentence from texts and seats: `prose![seat, " slides to ", to.to_string(), "."]`.
#[macro_export]
macro_rules! prose {
    ($($part:expr),* $(,)?) => {
        [$($crate::draw::prose::Span::from($part)),*]
            .into_iter()
            .collect::<$crate::draw::prose::Prose>()
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_and_long_words_anywhere() {
        assert_eq!(lines("one two  three", 9, "  "), "one two\n  three");
        assert_eq!(lines("abcdefghij kl", 5, " "), "abcde\n fghi\n j kl");
        assert_eq!(lines("", 5, " "), "");
        assert_eq!(lines("äöü äöü", 7, ""), "äöü äöü");
    }

    #[test]
    fn seats_become_names_last() {
        let seat = Seat::new(1);
        let mut prose = prose![seat, " slides to ", "F5."];
        prose.sentence(prose!["Check!"]);
        assert_eq!(prose.spans().len(), 2);
        assert_eq!(
            prose.plain(|seat| format!("<{seat}>")),
            "<2> slides to F5. Check!"
        );
    }
}
