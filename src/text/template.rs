//! Whole sentences with named places: "{host} challenges {guests} to {table}."
//!
//! A sentence stands in one place as it is read, so that it can be judged, changed and translated as a whole. That its
//! places and the names that fill them agree is checked when the program is built: see [`say!`](crate::say) for what
//! chat says, [`tell!`](crate::tell) for what games tell.

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    Words(&'a str),
    /// The name that stands in braces.
    Place(&'a str),
}

/// The parts of a sentence, in order.
pub fn parts(sentence: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = sentence;
    while let Some((words, name, behind)) = next_place(rest) {
        if !words.is_empty() {
            parts.push(Part::Words(words));
        }
        parts.push(Part::Place(name));
        rest = behind;
    }
    if !rest.is_empty() {
        parts.push(Part::Words(rest));
    }
    parts
}

/// A sentence of a kind, filled: `filled!(Prose, ProseFilling, "{seat} rests.", seat)`, where `ProseFilling` is the trait of
/// what may fill its places. For [`say!`](crate::say) and [`tell!`](crate::tell), which name the kind.
#[doc(hidden)]
#[macro_export]
macro_rules! filled {
    (@value $name:ident) => {
        $name
    };
    (@value $name:ident $value:expr) => {
        $value
    };
    ($kind:ty, $filling:path, $sentence:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const {
            assert!(
                $crate::text::template::fits($sentence, &[$(stringify!($name)),*]),
                "the places of the sentence and the names that fill them don't agree"
            );
        };
        <$kind>::filled(
            $sentence,
            &[$((
                stringify!($name),
                <_ as $filling>::filling($crate::filled!(@value $name $($value)?)),
            )),*],
        )
    }};
}

/// What stands before the first place, its name, and what follows.
fn next_place(sentence: &str) -> Option<(&str, &str, &str)> {
    let (words, behind) = sentence.split_once('{')?;
    let (name, behind) = behind.split_once('}')?;
    Some((words, name, behind))
}

/// Whether a sentence has a place for each of these names, and no other.
pub const fn fits<const N: usize>(sentence: &str, names: &[&str; N]) -> bool {
    let sentence = sentence.as_bytes();
    let mut used = [false; N];
    let mut at = 0;
    while at < sentence.len() {
        if sentence[at] == b'{' {
            let from = at + 1;
            while at < sentence.len() && sentence[at] != b'}' {
                at += 1;
            }
            match position(sentence, from, at, names) {
                Some(index) => used[index] = true,
                None => return false,
            }
        }
        at += 1;
    }
    let mut index = 0;
    while index < N {
        if !used[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Which of the names stands between these bytes.
const fn position(sentence: &[u8], from: usize, to: usize, names: &[&str]) -> Option<usize> {
    let mut index = 0;
    while index < names.len() {
        let name = names[index].as_bytes();
        let mut alike = name.len() == to - from;
        let mut at = 0;
        while alike && at < name.len() {
            alike = name[at] == sentence[from + at];
            at += 1;
        }
        if alike {
            return Some(index);
        }
        index += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_falls_into_words_and_places() {
        assert_eq!(
            parts("{host} joins {table}."),
            [
                Part::Place("host"),
                Part::Words(" joins "),
                Part::Place("table"),
                Part::Words(".")
            ]
        );
        assert_eq!(parts("Nobody."), [Part::Words("Nobody.")]);
        assert_eq!(parts("a {b"), [Part::Words("a {b")]);
        assert_eq!(parts(""), []);
    }

    #[test]
    fn places_and_names_have_to_agree() {
        assert!(fits("{host} joins {table}. Hello, {host}!", &["table", "host"]));
        assert!(fits("Nobody.", &[]));
        for (sentence, names) in [
            ("{host} joins {table}.", ["host", "room"]),
            ("{host} joins.", ["host", "table"]),
            ("{host} joins {table", ["host", "tables"]),
            ("{hos} joins {table}", ["host", "table"]),
        ] {
            assert!(!fits(sentence, &names), "{sentence}");
        }
        assert!(!fits("{host}", &[]));
    }
}
