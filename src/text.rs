//! What every room needs to write words: lists of names, bytes as digits, letters that can't be seen.

use std::fmt::Write;

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

/// What stands before an item of a list of so many, for texts that are more than a string.
pub const fn separator(index: usize, count: usize) -> &'static str {
    match index {
        0 => "",
        _ if index + 1 == count => " and ",
        _ => ", ",
    }
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

/// The letters of a text without those that can't be seen. What joins and colours emoji stays.
pub fn visible(text: &str) -> impl Iterator<Item = char> {
    let joins_emoji = |letter| matches!(letter, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    text.chars()
        .filter(move |&letter| joins_emoji(letter) || !is_invisible(letter))
}

/// Whether a letter shows nothing itself but may change how others are shown: controls, marks of direction, letters
/// without width, variation selectors, tags. White space other than line ends is not among them.
pub fn is_invisible(letter: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    // What Unicode calls ignorable by default, as far as its category doesn't say so.
    let ignorable = matches!(letter,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2065}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{e0000}'..='\u{e0fff}');
    let category = letter.general_category();
    ignorable || matches!(category, Control | Format | LineSeparator | ParagraphSeparator)
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
