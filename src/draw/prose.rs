//! Sentences about a match in which players are seats, not names.
//!
//! Narration is written where the game is known, and read where the people are known. In between a
//! player is a [`ProseSpan::Seat`]; each platform puts in a mention, an escaped name or "you".

use serde::{Deserialize, Serialize};

use crate::game::Seat;
use crate::text::template::{self, Part};

/// A text with seats in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prose(Vec<ProseSpan>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProseSpan {
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

    /// A whole sentence with its places filled; [`tell!`](crate::tell) is how it is written. What stands in back quotes is
    /// set in fixed width.
    pub fn filled(sentence: &str, places: &[(&str, Self)]) -> Self {
        let filling = |name: &str| {
            places
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, prose)| prose)
        };
        let mut prose = Self::new();
        for (index, quoted) in sentence.split('`').enumerate() {
            let mut part = Self::new();
            for piece in template::parts(quoted) {
                match piece {
                    Part::Words(words) => part.push(words),
                    Part::Place(name) => part.extend(filling(name).cloned().unwrap_or_default()),
                }
            }
            if index % 2 == 1 {
                prose.push(ProseSpan::Code(part.plain(|seat| seat.to_string())));
            } else {
                prose.extend(part);
            }
        }
        prose
    }

    /// A text with moves and commands in back quotes.
    pub fn quoting(text: &str) -> Self {
        let parts = text.split('`').enumerate();
        parts
            .filter(|(_, part)| !part.is_empty())
            .map(|(place, part)| match place % 2 {
                0 => ProseSpan::Text(part.to_owned()),
                _ => ProseSpan::Code(part.to_owned()),
            })
            .collect()
    }

    pub fn spans(&self) -> &[ProseSpan] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, span: impl Into<ProseSpan>) {
        let span = span.into();
        // Neighbouring texts become one, so that equal sentences are equal data.
        if let (Some(ProseSpan::Text(last)), ProseSpan::Text(text)) = (self.0.last_mut(), &span) {
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
        let piece = |span: &ProseSpan| match span {
            ProseSpan::Text(text) | ProseSpan::Code(text) => text.clone(),
            ProseSpan::Seat(seat) => name(*seat),
        };
        self.0.iter().map(piece).collect()
    }
}

impl FromIterator<ProseSpan> for Prose {
    fn from_iter<I: IntoIterator<Item = ProseSpan>>(spans: I) -> Self {
        let mut prose = Self::new();
        for span in spans {
            prose.push(span);
        }
        prose
    }
}

impl From<String> for Prose {
    fn from(text: String) -> Self {
        Self(vec![ProseSpan::Text(text)])
    }
}

impl From<&str> for ProseSpan {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for ProseSpan {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Seat> for ProseSpan {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

/// What may fill a place of a sentence.
pub trait ProseFilling {
    fn filling(self) -> Prose;
}

impl<S: Into<ProseSpan>> ProseFilling for S {
    fn filling(self) -> Prose {
        std::iter::once(self.into()).collect()
    }
}

impl ProseFilling for Prose {
    fn filling(self) -> Prose {
        self
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

/// A whole sentence with named places: `tell!("{seat} slides to {to}.", seat, to = to.to_string())`. A place that nothing
/// fills, or a name without a place, does not build.
#[macro_export]
macro_rules! tell {
    ($($sentence:tt)*) => {
        $crate::filled!($crate::draw::prose::Prose, $crate::draw::prose::ProseFilling, $($sentence)*)
    };
}

/// A text from pieces, where they make no sentence of their own.
#[macro_export]
macro_rules! prose {
    ($($part:expr),* $(,)?) => {
        [$($crate::draw::prose::ProseSpan::from($part)),*]
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
