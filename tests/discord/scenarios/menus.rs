//! Suggestions while typing, and menus with more entries than fit.

use std::collections::BTreeSet;

use serde_json::json;

use super::{board_after, code_in, match_of, offers};
use crate::driver::{Town, User};
use crate::standin::model::Message;

fn values(found: Vec<(String, serde_json::Value)>) -> Vec<String> {
    found
        .into_iter()
        .map(|(_, value)| value.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn games_options_moves_and_matches_are_suggested() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let games = values(ann.autocomplete("open", &json!({ "game": "" }), "game"));
    for game in ["phwar", "fabric", "glyphgrid", "breaker"] {
        assert!(games.contains(&game.to_owned()), "{games:?}");
    }
    let near = values(ann.autocomplete("challenge", &json!({ "game": "gly" }), "game"));
    assert_eq!(near, ["glyphgrid"]);
    let options = json!({ "game": "fabric", "options": "" });
    let options = values(ann.autocomplete("open", &options, "options"));
    assert!(options.contains(&"target=100".to_owned()), "{options:?}");
    let second = json!({ "game": "fabric", "options": "target=100 s" });
    let second = values(ann.autocomplete("open", &second, "options"));
    assert!(second.contains(&"target=100 size=7".to_owned()), "{second:?}");

    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let moves = values(ann.autocomplete("move", &json!({ "move": "" }), "move"));
    assert!(!moves.is_empty() && moves.len() <= 25);
    let begins: String = moves[0].chars().take(2).collect();
    let narrowed = values(ann.autocomplete("move", &json!({ "move": begins }), "move"));
    assert!(narrowed.contains(&moves[0]), "{narrowed:?}");
    let same = |action: &String| action.to_lowercase().starts_with(&begins.to_lowercase());
    assert!(narrowed.iter().all(same), "{narrowed:?}");
    assert!(
        values(bob.autocomplete("move", &json!({ "move": "" }), "move")).is_empty(),
        "not his turn"
    );
    let mine = bob.autocomplete("board", &json!({ "match": "" }), "match");
    assert!(mine[0].0.contains(&code) && mine[0].0.contains("Ann"), "{mine:?}");
    let strangers = town
        .user("Cy")
        .autocomplete("board", &json!({ "match": "" }), "match");
    assert!(strangers.is_empty(), "{strangers:?}");
    // What was suggested can be sent.
    let words = ann.slash("move", &json!({ "move": moves[0] })).words();
    assert!(words.starts_with("Played"), "{words}");
}

/// All entries of a menu, page after page, and the last page.
fn turn_through(user: &User, menu: Message) -> (Vec<Vec<String>>, Message) {
    let mut pages = vec![menu.choices()];
    let mut shown = menu;
    while offers(&shown, "More") {
        assert_eq!(shown.choices().len(), 25);
        shown = user.press(&shown, "More").answer();
        pages.push(shown.choices());
        assert!(pages.len() < 20, "it never ends");
    }
    (pages, shown)
}

#[test]
fn a_long_menu_has_pages_and_every_entry_can_be_picked() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "fabric", json!({ "options": "size=10" }));
    let board = board_after(&town.square, 0, &code);
    let mut menu = ann.press(&board, "Move").answer();
    // Into the first step that has more than a page.
    while !offers(&menu, "More") {
        let choices = menu.choices();
        assert!(!choices.is_empty(), "no menu is long: {}", menu.text());
        menu = ann.pick(&menu, &choices[0]).answer();
    }
    let (pages, last) = turn_through(&ann, menu);
    let all: Vec<&String> = pages.iter().flatten().collect();
    let unique: BTreeSet<&String> = all.iter().copied().collect();
    assert!(all.len() > 25 && unique.len() == all.len(), "{all:?}");
    let back = ann.press(&last, "Back").answer();
    assert_eq!(back.choices(), pages[pages.len() - 2]);
    // A page is turned, and an entry picked, after a restart as well.
    town.kill();
    town.start();
    let mut shown = ann.press(&back, "More").answer();
    assert_eq!(shown.choices(), *pages.last().unwrap());
    while !shown.choices().is_empty() {
        let entry = shown.choices().pop().unwrap();
        shown = ann.pick(&shown, &entry).answer();
    }
    assert!(shown.text().starts_with("Played"), "{}", shown.text());
    board_after(&town.square, board.id, &code);
}

#[test]
fn thirty_matches_are_listed_and_found() {
    let town = Town::awake();
    let ann = town.user("Ann");
    let mut codes = BTreeSet::new();
    for _ in 0..30 {
        let answer = ann.slash("practice", &json!({ "game": "phwar" })).answer();
        codes.insert(code_in(&answer.text()));
    }
    assert_eq!(codes.len(), 30);
    let list = ann.slash("matches", &json!({})).answer();
    let (pages, _) = turn_through(&ann, list);
    let listed: BTreeSet<String> = pages.iter().flatten().map(|label| code_in(label)).collect();
    assert!(listed.is_subset(&codes) && listed.len() >= 20, "{listed:?}");
    let suggested = ann.autocomplete("board", &json!({ "match": "" }), "match");
    assert_eq!(suggested.len(), 25);
    // With so many, a bare command asks which one is meant.
    let words = ann.slash("resign", &json!({})).words();
    assert!(words.contains("several of your matches"), "{words}");
}

#[test]
fn rules_and_help_are_at_hand() {
    let town = Town::awake();
    let ann = town.user("Ann");
    for game in ["phwar", "fabric", "glyphgrid", "breaker"] {
        let rules = ann.slash("rules", &json!({ "game": game })).answer();
        assert_eq!(rules.attachments.len(), 1, "{}", rules.text());
        for section in rules.choices() {
            let text = ann.pick(&rules, &section).answer().text();
            assert!(text.contains(&section), "{section}: {text}");
            // The next one is picked from the rules again.
            ann.slash("rules", &json!({ "game": game, "section": section }))
                .answer();
            break;
        }
    }
    let help = ann.slash("help", &json!({})).words();
    assert!(help.contains("challenge"), "{help}");
    let about = ann.slash("help", &json!({ "command": "challenge" })).words();
    assert!(about.to_lowercase().contains("challenge somebody"), "{about}");
}
