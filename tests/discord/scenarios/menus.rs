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
    // What begins or ends there; what begins there comes first.
    let near = |action: &String| action.to_lowercase().contains(&begins.to_lowercase());
    assert!(narrowed.iter().all(near), "{narrowed:?}");
    assert!(narrowed[0].starts_with(&begins), "{narrowed:?}");
    let spoken = ann.autocomplete("move", &json!({ "move": "f5 electron" }), "move");
    assert_eq!(spoken[0], ("electron F3 slides to F5".to_owned(), json!("F3-F5")));
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
    // With two matches they come first, by game and opponent; what is offered names its match.
    let second = match_of(&town, &[&ann, &bob], "fabric", json!({}));
    let offered = ann.autocomplete("move", &json!({ "move": "" }), "move");
    let fabric = (
        "Phase-Fabric with Bob: your turn".to_owned(),
        json!(format!("#{second}")),
    );
    assert!(offered[..2].contains(&fabric), "{offered:?}");
    let relay = ann.autocomplete("move", &json!({ "move": "relay c3 east" }), "move");
    assert_eq!(relay[0].1, json!(format!("#{second} R c3 E")));
    // What was suggested can be sent.
    for value in [&relay[0].1, &json!(moves[0])] {
        let words = ann.slash("move", &json!({ "move": value })).words();
        assert!(words.starts_with("Played"), "{words}");
    }
}

/// All entries of a menu, page after page, and the last page.
fn turn_through(user: &User, menu: Message) -> (Vec<Vec<String>>, Message) {
    let mut pages = vec![menu.choices()];
    let mut shown = menu;
    while offers(&shown, "Next page") {
        assert_eq!(shown.choices().len(), 25);
        shown = user.press(&shown, "Next page").answer();
        pages.push(shown.choices());
        assert!(pages.len() < 20, "it never ends");
    }
    (pages, shown)
}

/// Moves of a game of phwar after which one particle can go to more places than fit into a menu.
const CROWDED: &[&str] = &[
    "E2-E8", "H10-H5", "E8-I6", "H5-H10", "D2-D9", "D10-B9", "F2-E2", "E9-E3", "H2-J3", "F9xF3", "G2xF3",
    "E3-D3", "I6-B3", "D3xD9", "J3-B7", "E10-C9", "G1-G5", "F10-F8", "G5xG9", "G10-F10", "B7-E8", "D9xE8",
    "E2xE8", "C9-C6", "G9-G6", "H10-K8",
];

#[test]
fn a_long_menu_has_pages_and_every_entry_can_be_picked() {
    let mut town = Town::awake();
    let ann = town.user("Ann");
    let code = code_in(&ann.slash("practice", &json!({ "game": "phwar" })).words());
    for action in CROWDED {
        let words = ann
            .slash("move", &json!({ "move": action, "match": code }))
            .words();
        assert!(words.starts_with("Played"), "{action}: {words}");
    }
    let menu = ann.slash("moves", &json!({ "match": code })).answer();
    let particle = menu
        .choices()
        .into_iter()
        .find(|label| label.starts_with("G6"))
        .unwrap();
    let menu = ann.pick(&menu, &particle).answer();
    assert!(offers(&menu, "Next page"), "{:?}", menu.choices());
    let (pages, last) = turn_through(&ann, menu);
    let all: Vec<&String> = pages.iter().flatten().collect();
    let unique: BTreeSet<&String> = all.iter().copied().collect();
    assert!(all.len() > 25 && unique.len() == all.len(), "{all:?}");
    let back = ann.press(&last, "Previous page").answer();
    assert_eq!(back.choices(), pages[pages.len() - 2]);
    // A page is turned, and an entry picked, after a restart as well.
    town.kill();
    town.start();
    let mut shown = ann.press(&back, "Next page").answer();
    assert_eq!(shown.choices(), *pages.last().unwrap());
    while let Some(entry) = shown.choices().pop() {
        shown = ann.pick(&shown, &entry).answer();
    }
    assert!(shown.text().starts_with("Played"), "{}", shown.text());
}

#[test]
fn many_matches_are_listed_and_found() {
    let town = Town::awake();
    let ann = town.user("Ann");
    let open = || ann.slash("practice", &json!({ "game": "phwar" })).words();
    let codes: BTreeSet<String> = (0..20).map(|_| code_in(&open())).collect();
    assert_eq!(codes.len(), 20);
    let refused = open();
    assert!(refused.contains("as many as I keep"), "{refused}");
    let list = ann.slash("matches", &json!({})).answer();
    let listed: BTreeSet<String> = list.choices().iter().map(|label| code_in(label)).collect();
    assert_eq!(listed, codes);
    let suggested = ann.autocomplete("board", &json!({ "match": "" }), "match");
    assert_eq!(suggested.len(), 20);
    // With so many, a bare command asks which one is meant.
    let words = ann.slash("resign", &json!({})).words();
    assert!(words.contains("Which match?"), "{words}");
}

#[test]
fn the_last_choice_of_a_move_made_twice_leaves_its_answer_standing() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let mut shown = ann.press(&board, "Move").answer();
    let mut last = shown.clone();
    while !shown.choices().is_empty() {
        last = shown.clone();
        shown = ann.pick(&shown, &shown.choices()[0].clone()).answer();
    }
    assert!(shown.text().starts_with("Played"), "{}", shown.text());
    ann.pick_as_it_was(&last, &last.choices()[0]).first();
    // What is answered after it comes after it.
    ann.slash("games", &json!({})).answer();
    let now = |shown: &Message| {
        let seen = ann.everything_seen();
        let answer = seen.into_iter().find(|message| message.id == shown.id);
        answer.unwrap().text()
    };
    assert!(now(&shown).starts_with("Played"), "{}", now(&shown));
    // The same when both come before the first is answered.
    let board = board_after(&town.square, board.id, &code);
    let mut shown = bob.press(&board, "Move").answer();
    while offers_last(&shown).is_none() {
        shown = bob.pick(&shown, &shown.choices()[0].clone()).answer();
    }
    let last = offers_last(&shown).unwrap();
    let twice = [0, 1].map(|_| bob.pick_as_it_was(&shown, &last));
    for asked in &twice {
        asked.first();
    }
    board_after(&town.square, board.id, &code);
    bob.slash("games", &json!({})).answer();
    let answered = bob.everything_seen();
    let answered = answered.into_iter().find(|message| message.id == shown.id);
    let text = answered.unwrap().text();
    assert!(text.starts_with("Played"), "{text}");
}

/// An entry of a menu that makes a whole move, as its value tells.
fn offers_last(menu: &Message) -> Option<String> {
    let mut options = menu
        .widgets()
        .filter_map(|widget| widget["options"].as_array())
        .flatten();
    let whole = options.find(|option| {
        let value = option["value"].as_str().unwrap_or_default();
        value.starts_with("move ")
    })?;
    whole["label"].as_str().map(str::to_owned)
}

#[test]
fn what_can_be_said_is_a_command_to_press() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let link = |name: &str| {
        town.shared().with(|model| {
            let command = model.commands.iter().find(|command| command["name"] == name);
            format!("</{name}:{}>", command.unwrap()["id"].as_str().unwrap())
        })
    };
    let bot = town.shared().with(|model| model.bot);
    let help = ann.slash("help", &json!({})).words();
    for name in ["challenge", "move", "moves", "rules"] {
        assert!(help.contains(&link(name)), "{name}: {help}");
    }
    // Whoever plays against the bot picks it among the users.
    assert!(
        help.contains(&format!("{} <@{bot}> ", link("challenge"))),
        "{help}"
    );
    let refused = ann.slash("move", &json!({ "move": "F3-F5" })).words();
    assert!(refused.contains(&link("open")), "{refused}");
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let help = ann.slash("help", &json!({})).words();
    assert!(help.contains(&format!("{} `F3-F5`", link("move"))), "{help}");
    // Nothing that was shown has to be typed as text that Discord would not take.
    for message in ann.everything_seen() {
        assert!(!message.text().contains("`/"), "{}", message.text());
    }
    assert_eq!(board.pinged, [ann.id]);
}

#[test]
fn rules_and_help_are_at_hand() {
    let town = Town::awake();
    let ann = town.user("Ann");
    for game in ["phwar", "fabric", "glyphgrid", "breaker"] {
        let rules = ann.slash("rules", &json!({ "game": game })).answer();
        assert_eq!(rules.attachments.len(), 1, "{}", rules.text());
        let sections = rules.choices();
        if let Some(section) = sections.first() {
            let text = ann.pick(&rules, section).answer().text();
            assert!(text.contains(section.as_str()), "{section}: {text}");
        }
    }
    let help = ann.slash("help", &json!({})).words();
    assert!(help.contains("challenge"), "{help}");
    let about = ann.slash("help", &json!({ "command": "challenge" })).words();
    assert!(about.contains("Challenge a friend"), "{about}");
}
