//! What every room needs to write words: lists of names, names of values, bytes as digits, letters that can't be seen.

pub mod template;

use std::fmt::{Display, Write};

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// "Ann", "Ann and Bea", "Ann, Bea and Cy"; nothing of nobody.
///
/// ```
/// assert_eq!(parlor::text::list(["Ann", "Bea", "Cy"]), "Ann, Bea and Cy");
/// ```
pub fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<T> = items.into_iter().collect();
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        text.push_str(separator(index, items.len()));
        text.push_str(item.as_ref());
    }
    text
}

/// The same of many items, of which so many are named: "d4, e4 and 3 more".
///
/// ```
/// assert_eq!(parlor::text::list_some(&["d4", "e4", "f4"], 2), "d4, e4 and 1 more");
/// ```
pub fn list_some<T: AsRef<str>>(items: &[T], named: usize) -> String {
    match items.split_at_checked(named) {
        Some((first, more)) if !more.is_empty() => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {} more", first.join(", "), more.len())
        }
        Some(_) | None => list(items),
    }
}

/// What stands before an item of a list of so many, for texts that are more than a string.
pub const fn separator(index: usize, count: usize) -> &'static str {
    match index {
        0 => "",
        _ if index + 1 == count => " and ",
        _ => ", ",
    }
}

/// "a1, b1 or c1".
pub fn either<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<T> = items.into_iter().collect();
    match items.split_last() {
        Some((last, most)) if !most.is_empty() => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", most.join(", "), last.as_ref())
        }
        _ => items.iter().map(AsRef::as_ref).collect(),
    }
}

/// So many of something: "1 point", "2 points".
///
/// ```
/// assert_eq!(parlor::text::counted(1, "point", "points"), "1 point");
/// ```
pub fn counted<N: PartialEq + From<u8> + Display>(count: N, one: &str, several: &str) -> String {
    let noun = if count == N::from(1) { one } else { several };
    format!("{count} {noun}")
}

/// With its article: "an Anchor", "a Prism".
pub fn a(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// The text, or its beginning with an ellipsis, in at most so many letters.
///
/// ```
/// assert_eq!(parlor::text::cut("Annabelle", 4), "Ann…");
/// ```
pub fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let start: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// Gives an enum without data its table of names: `ALL`, `NAMES`, `name`, `named` and `Display`.
macro_rules! names {
    ($type:ty { $($value:ident = $name:expr),+ $(,)? }) => {
        #[allow(dead_code, reason = "not every table is read both ways")]
        impl $type {
            /// Every one, in order.
            pub const ALL: [Self; [$(Self::$value),+].len()] = [$(Self::$value),+];
            /// Their names, in the same order.
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($name),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            /// The one of this name, in any case.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(name))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
pub(crate) use names;

/// Saves a value by the name that it is shown by, and reads it with its `named`.
macro_rules! saved_by_name {
    ($type:ty, $what:literal) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
                let unknown = || serde::de::Error::custom(format_args!("there is no {} `{name}`", $what));
                Self::named(&name).ok_or_else(unknown)
            }
        }
    };
}
pub(crate) use saved_by_name;

/// A text as HTML whose letters mean nothing but themselves, within an element or in a quoted attribute.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Bytes as hexadecimal digits.
///
/// ```
/// assert_eq!(parlor::text::hex(&[0x0a, 0xff]), "0aff");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The letters at the front of a text that fit, and what follows them.
///
/// ```
/// assert_eq!(parlor::text::leading("12é", |letter| letter.is_ascii_digit()), ("12", "é"));
/// ```
pub fn leading(text: &str, fits: impl Fn(char) -> bool) -> (&str, &str) {
    let rest = text.trim_start_matches(fits);
    (text.strip_suffix(rest).unwrap_or_default(), rest)
}

/// What follows the first letter of a text.
pub fn after_first(text: &str) -> &str {
    let mut letters = text.chars();
    letters.next();
    letters.as_str()
}

/// The letters of a text without those that can't be seen. What joins and colours emoji stays.
pub fn visible(text: &str) -> impl Iterator<Item = char> {
    let joins_emoji = |letter| matches!(letter, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    text.chars()
        .filter(move |&letter| joins_emoji(letter) || !is_invisible(letter))
}

/// Whether a letter shows nothing itself but may change how others are shown: controls, marks of direction, letters
/// without width, variation selectors, tags. White space other than line ends is not among them.
pub fn is_invisible(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_control();
    }
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    // What Unicode calls ignorable by default, as far as its category doesn't say so.
    let ignorable = matches!(letter,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2065}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{e0000}'..='\u{e0fff}');
    let category = letter.general_category();
    ignorable || matches!(category, Control | Format | LineSeparator | ParagraphSeparator)
}

/// Whether nothing is seen of a letter, or nothing that could be told from others: with such letters two names could look
/// alike, and what is for private use or not yet in use looks like anything.
pub fn is_unseen(letter: char) -> bool {
    use GeneralCategory::{PrivateUse, SpaceSeparator, Surrogate, Unassigned};
    // Blanks that Unicode counts among the symbols.
    let blank = matches!(letter, '\u{2800}' | '\u{1d159}');
    let category = letter.general_category();
    let unseen = matches!(category, PrivateUse | SpaceSeparator | Surrogate | Unassigned);
    blank || unseen || letter.is_whitespace() || is_invisible(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_they_are_spoken() {
        assert_eq!(list::<&str>([]), "");
        assert_eq!(list(["a"]), "a");
        assert_eq!(list(["a", "b"]), "a and b");
        assert_eq!(
            list(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]),
            "a, b and c"
        );
    }

    #[test]
    fn only_so_many_of_a_list_are_named() {
        let cells = ["a1", "b1", "c1"];
        assert_eq!(list_some(&cells, 3), "a1, b1 and c1");
        assert_eq!(list_some(&cells, 2), "a1, b1 and 1 more");
        assert_eq!(list_some(&cells[..0], 0), "");
    }

    #[test]
    fn alternatives_read_as_they_are_spoken() {
        assert_eq!(either::<&str>([]), "");
        assert_eq!(either(["a"]), "a");
        assert_eq!(either(["a", "b", "c"]), "a, b or c");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
        assert_eq!(cut("a", 0), "…");
        assert_eq!(cut("to be or not", 4), "to…");
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Metal {
        Gold,
        Tin,
    }

    names! { Metal { Gold = "gold", Tin = "tin" } }
    saved_by_name!(Metal, "metal");

    #[test]
    fn values_go_by_their_names() {
        assert_eq!(Metal::ALL.map(Metal::name), ["gold", "tin"]);
        assert_eq!(Metal::named("TIN"), Some(Metal::Tin));
        assert_eq!(Metal::named("ti"), None);
        assert_eq!(format!("{:>5}", Metal::Tin), "  tin");
        assert_eq!(serde_json::to_string(&Metal::Gold).unwrap(), "\"gold\"");
        // An escape can't be borrowed from the text.
        assert_eq!(
            serde_json::from_str::<Metal>("\"\\u0067old\"").unwrap(),
            Metal::Gold
        );
        let error = serde_json::from_str::<Metal>("\"lead\"").unwrap_err();
        assert!(
            error.to_string().starts_with("there is no metal `lead`"),
            "{error}"
        );
    }

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[]), "");
        assert_eq!(hex(&[0, 1, 0x9f, 0xff]), "00019fff");
    }

    #[test]
    fn what_hides_or_turns_text_is_invisible() {
        let hidden = "\0\n\u{7f}\u{85}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200d}\u{200f}\u{2028}\u{202e}\u{2060}\
             \u{2066}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{1d173}\u{e0041}\u{e0100}";
        for letter in hidden.chars() {
            assert!(is_invisible(letter), "{letter:?}");
        }
        for letter in "a ß李🙂\u{a0}\u{301}`-\u{3000}".chars() {
            assert!(!is_invisible(letter), "{letter:?}");
        }
    }

    #[test]
    fn joined_emoji_stay_whole() {
        let family = "👩\u{200d}👧 ❤\u{fe0f}";
        assert_eq!(visible(family).collect::<String>(), family);
        assert_eq!(visible("a\u{202e}b\u{200b}c\n").collect::<String>(), "abc");
    }
}
