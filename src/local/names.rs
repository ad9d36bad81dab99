//! Names of guests: one word that can be seen, that means nothing else here, and that nobody takes for another's.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_security::confusable_detection::skeleton;

use super::problem::RoomProblem;
use crate::chat::opponent;
use crate::text::is_unseen;

/// The longest name, in characters.
pub const LONGEST_NAME: usize = 24;

/// Letters may carry so many marks, one above the other.
const MOST_MARKS: usize = 2;

/// Checks a newcomer's name, and writes it the usual way: composed.
pub fn check(name: &str) -> Result<String, RoomProblem> {
    let name = composed(name);
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err(RoomProblem::NameLength);
    }
    if name.starts_with(['@', '#', '/', '!']) || name.chars().any(is_unseen) || !marks_fit(&name) {
        return Err(RoomProblem::NameLetters);
    }
    if is_reserved(&name) {
        return Err(RoomProblem::NameReserved);
    }
    Ok(name)
}

/// A name with its letters and their marks in one, where that can be.
pub fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Names differ by more than case.
pub fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// What a name looks like, as Unicode's list of look-alikes has it (UTS 39), with large letters and with small ones.
/// Names that share one of them are taken for each other.
pub fn looks(name: &str) -> [String; 2] {
    let plain: String = name.nfkc().collect();
    let as_written: String = skeleton(&plain).collect();
    let in_small: String = skeleton(&fold(&plain)).collect();
    [fold(&as_written), fold(&in_small)]
}

/// Words that mean oneself or the bot in a command, or are what the bot is called. Look-alikes of them are refused, too.
const RESERVED: [&str; 6] = ["me", "bot", "bots", "parlor", "phaseparlor", "computer"];

fn is_reserved(name: &str) -> bool {
    let bare: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let own = looks(&bare);
    let means_bot = |word: &str| opponent::named(word).is_some();
    let looks_like = |word: &&str| looks(word).iter().any(|look| own.contains(look));
    means_bot(&fold(name)) || own.iter().any(|look| means_bot(look)) || RESERVED.iter().any(looks_like)
}

/// Whether every mark has a letter to stand on, and no letter carries a heap of them.
fn marks_fit(name: &str) -> bool {
    let mut marks = MOST_MARKS;
    name.chars().all(|letter| {
        let is_mark = letter.general_category_group() == GeneralCategoryGroup::Mark;
        marks = if is_mark { marks + 1 } else { 0 };
        marks <= MOST_MARKS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_seen_and_typed() {
        for good in [
            "Ann",
            "Zoë",
            "李雷",
            "ann-2",
            "<b>x</b>",
            "O'Neil",
            "🙂",
            "Bottle",
            "Abbot",
            "Robot7",
            "Мария",
            "हिन्दी",
        ] {
            assert!(check(good).is_ok(), "{good}: {:?}", check(good));
        }
        for bad in [
            "",
            "two words",
            "tab\t",
            "nul\0",
            "@ann",
            "#ann",
            "a\u{200b}nn",
            "\u{202e}nna",
            "abcdefghijklmnopqrstuvwxy",
            "\u{2800}",
            "\u{e000}",
            "\u{f0000}",
            "\u{378}",
            "\u{301}ann",
            "a\u{33f}\u{33f}\u{33f}nn",
            "ann\u{fe0f}",
            "\u{3164}",
        ] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn nobody_is_called_like_the_bot_or_oneself() {
        for bad in [
            "me",
            "Me",
            "bot",
            "BOT",
            "Bots",
            "bot3",
            "bot:3",
            "b0t",
            "bоt",
            "ｂｏｔ",
            "𝐛𝐨𝐭",
            "Parlor",
            "PARLOR",
            "ParIor",
            "Pаrlor",
            "parl0r",
            "Parlor:",
            "Phase-Parlor",
            "Phase_Pаrlor",
            "b0t3",
            "Computer",
        ] {
            let refused = check(bad);
            assert!(
                matches!(refused, Err(RoomProblem::NameReserved)),
                "{bad}: {refused:?}"
            );
        }
    }

    #[test]
    fn names_that_look_alike_share_a_look() {
        let alike = |one: &str, other: &str| looks(one).iter().any(|look| looks(other).contains(look));
        for (one, other) in [
            ("Ann", "ANN"),
            ("Ann", "Аnn"),
            ("Liam", "Iiam"),
            ("Zoë", "Zoe\u{308}"),
            ("Tom", "Torn"),
            ("Bob", "B0b"),
            ("Ann", "Ａｎｎ"),
            ("fine", "ﬁne"),
        ] {
            assert!(alike(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Ann", "Anna"),
            ("Ann", "Bea"),
            ("guest1", "guest2"),
            ("Zoe", "Zoë"),
        ] {
            assert!(!alike(one, other), "{one} {other}");
        }
        let numbered: std::collections::HashSet<String> = (0..2000)
            .flat_map(|number| looks(&format!("g{number}")))
            .collect();
        assert!(numbered.len() >= 2000, "numbers are told apart");
    }

    #[test]
    fn names_are_written_composed() {
        assert_eq!(check("Zoe\u{308}").unwrap(), "Zoë");
    }
}
