//! Sentences that players read are written whole, with named places, so that they can be judged and translated as they
//! are: none is glued from halves.

use std::fs;
use std::path::{Path, PathBuf};

/// Where sentences for players are written.
const SPOKEN: [&str; 4] = ["src/chat", "src/draw", "src/matches", "src/games"];

/// What is still told in pieces.
const NOT_YET: [&str; 1] = ["src/games/phase"];

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
    for folder in SPOKEN {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 60, "only {} files", files.len());
    let mut halves = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        if NOT_YET.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let found = quoted(line).into_iter().filter(|text| is_half(text));
            halves.extend(found.map(|half| format!("{name}:{}: {half:?}", number + 1)));
            if chooses_an_ending(line) {
                halves.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(halves.is_empty(), "{halves:#?}");
}
