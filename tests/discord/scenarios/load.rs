//! A thousand interactions in ten seconds.

use std::time::Duration;

use serde_json::json;

use super::{board_after, match_of};
use crate::driver::people::Asked;
use crate::driver::{Town, User};
use crate::standin::model::FIRST_ANSWER;

const INTERACTIONS: usize = 1000;
/// The time between two of them, on the stand-in's clock and on everybody's.
const PACE: Duration = Duration::from_millis(10);

#[test]
fn a_thousand_interactions_in_ten_seconds_get_their_first_answers_in_time() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let crowd: Vec<User> = (0..50)
        .map(|number| town.user(&format!("Guest{number}")))
        .collect();
    let mut asked: Vec<Asked> = Vec::new();
    for number in 0..INTERACTIONS {
        let user = &crowd[number % crowd.len()];
        // Pictures, texts, disk writes, suggestions' kin: something of everything.
        asked.push(match number % 8 {
            0 => user.press(&board, "My side"),
            1 => user.slash("rules", &json!({ "game": "glyphgrid" })),
            2 => user.slash("settings", &json!({ "setting": "theme", "value": "dark" })),
            3 => user.press(&board, "As text"),
            4 => user.slash("matches", &json!({})),
            5 => user.slash("help", &json!({})),
            6 => user.slash("games", &json!({})),
            _ => user.press(&board, "Move"),
        });
        // Time goes on as the interactions come: a machine that is slow to send them is slow to count it, too.
        std::thread::sleep(PACE);
        town.shared().with(|model| model.clock.advance(PACE));
    }
    let slowest = asked.iter().map(Asked::first).max().unwrap_or_default();
    eprintln!("{INTERACTIONS} interactions, the slowest first answer after {slowest:?}");
    assert!(slowest <= FIRST_ANSWER);
    for asked in &asked {
        let text = asked.words();
        assert!(!text.contains("Something went wrong"), "{text}");
    }
}
