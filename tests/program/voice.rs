//! Sentences that players read are written whole, with named places, so that they can be judged and translated as they
//! are: none is glued from halves.

use std::fs;
use std::path::{Path, PathBuf};

/// What looks like half of a sentence but is read, not said: beginnings that a parser looks for.
const READ: [(&str, &str); 2] = [
    ("src/store/layout.rs", "parlor store, format "),
    ("src/store/error.rs", "(os error "),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The texts in quotes of a line of code; comments and characters are left out.
fn quoted(line: &str) -> Vec<&str> {
    let code = line.split("// ").next().unwrap_or_default();
    code.split('"').skip(1).step_by(2).collect()
}

/// Whether a text is half of a sentence: words with a space at one end, to which something else is glued.
fn is_half(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| {
        let letters = word.chars().filter(char::is_ascii_lowercase).count();
        letters > 1 && !word.contains('{')
    });
    let open = text.starts_with(' ') || text.ends_with(' ');
    let whole = text
        .trim_start()
        .starts_with(|first: char| first.is_uppercase() || first == '{')
        && text.trim_end().ends_with(['.', '!', '?', ':']);
    open && !whole && words.count() > 1
}

#[test]
fn a_half_is_told_from_a_whole() {
    for half in [
        " joins the table",
        "It destroys the ",
        " and no more",
        " is out. ",
    ] {
        assert!(is_half(half), "{half}");
    }
    for whole in [
        "Ann joins.",
        "{player} joins {table}.",
        " and ",
        ", ",
        "moves ",
        "A neutron on F6 wins. ",
        " You'll see the rest!",
        "  hand: {}",
    ] {
        assert!(!is_half(whole), "{whole}");
    }
}

/// Whether a line chooses the ending of a word: one thing and several are two sentences, or two words.
fn chooses_an_ending(line: &str) -> bool {
    let code = line.split("// ").next().unwrap_or_default();
    ["\"s\"", "\"es\"", "\"ies\""]
        .iter()
        .any(|ending| code.contains("\"\"") && code.contains(ending))
}

#[test]
fn an_ending_is_told_from_a_word() {
    assert!(chooses_an_ending(
        r#"let plural = if cells.len() == 1 { "" } else { "s" };"#
    ));
    assert!(!chooses_an_ending(
        r#"plural.eq_ignore_ascii_case("s").then_some(Plain)"#
    ));
    assert!(!chooses_an_ending(r#"format!("electrons {cells}")"#));
}

#[test]
fn no_sentence_is_glued_from_halves() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    assert!(files.len() > 300, "only {} files", files.len());
    let mut halves = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let found = quoted(line)
                .into_iter()
                .filter(|text| is_half(text) && !READ.contains(&(name.as_str(), *text)));
            halves.extend(found.map(|half| format!("{name}:{}: {half:?}", number + 1)));
            if chooses_an_ending(line) {
                halves.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(halves.is_empty(), "{halves:#?}");
}

/// Verbs that may stand behind the number of a player: "player 1 has left".
const VERBS: [&str; 6] = ["has", "is", "was", "wins", "loses", "passes"];

/// One of something in the plural: "1 cards". Numbers with a sign, and those of a hundred and one, are others.
fn one_of_several(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
    let mut wrong = pairs.filter(|(count, noun)| {
        let noun = noun.trim_end_matches(|letter: char| !letter.is_ascii_lowercase());
        let lower = noun.chars().all(|letter| letter.is_ascii_lowercase());
        let several = noun.ends_with('s') && !noun.ends_with("ss");
        count.trim_start_matches('(') == "1" && lower && several && !VERBS.contains(&noun)
    });
    wrong.next().map(|(count, noun)| format!("{count} {noun}"))
}

#[test]
fn one_of_several_is_told_from_one() {
    assert_eq!(
        one_of_several("Deck: 1 cards, Ted on top"),
        Some("1 cards,".to_owned())
    );
    for right in [
        "1 card",
        "11 cards",
        "player 1 has left",
        "+1 points",
        "1 Ash Hounds",
        "1 pass",
    ] {
        assert_eq!(one_of_several(right), None, "{right}");
    }
}

#[test]
fn one_thing_is_told_as_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/playthroughs");
    let mut wrong = Vec::new();
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            wrong.extend(one_of_several(line).map(|said| format!("{name}:{}: {said}", number + 1)));
        }
        files += 1;
    }
    assert!(files >= 10, "only {files} playthroughs");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
