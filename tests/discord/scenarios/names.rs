//! Names that mean mischief.

use serde_json::json;

use super::{Dice, board_after, match_of, move_somehow, to_move};
use crate::driver::Town;

const NASTY: &str = "@everyone **b** `c` [x](https://evil.example) <@&1> ||s|| # h\u{202e}";

#[test]
fn a_name_pings_nobody_and_marks_nothing_up() {
    let town = Town::awake();
    let ann = town.user_called("everyone", Some("@everyone"), Some(NASTY));
    let bob = town.user_called("here", Some("@here <@1> ```x```"), None);
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    for user in [&ann, &bob] {
        user.press(&board, "My side").answer();
        user.slash("text", &json!({ "match": code })).answer();
        user.slash("matches", &json!({})).answer();
        user.autocomplete("board", &json!({ "match": "" }), "match");
    }
    let mut dice = Dice::new(4);
    move_somehow(to_move(&board, &[&ann, &bob]), &code, &mut dice);
    board_after(&town.square, board.id, &code);
    // What is typed comes back in refusals.
    let typed = "@everyone [x](https://evil.example) **b** <@&1>";
    for text in [
        ann.slash("rules", &json!({ "game": typed })).words(),
        bob.slash("move", &json!({ "move": typed, "match": code }))
            .words(),
        ann.slash("join", &json!({ "match": typed })).words(),
        ann.slash("help", &json!({ "command": typed })).words(),
        ann.slash("rules", &json!({ "game": "phwar", "section": typed }))
            .words(),
    ] {
        let text = without_code(&text);
        assert!(!text.contains("](https://evil"), "a link: {text}");
    }
    for user in [&ann, &bob] {
        for message in user.everything_seen() {
            let text = without_code(&message.text());
            assert!(!message.pinged_everyone, "{text}");
            for mischief in [
                "@everyone",
                "@here",
                "](https://evil",
                "**b**",
                "||s||",
                "<@&1>",
                "\u{202e}",
            ] {
                assert!(!text.contains(mischief), "{mischief} in {text}");
            }
        }
    }
}

/// What is not set in fixed width, where nothing means anything.
fn without_code(text: &str) -> String {
    let outside = |text: &str, quote: &str| text.split(quote).step_by(2).collect::<Vec<_>>().join(" ");
    outside(&outside(text, "```"), "`")
}
