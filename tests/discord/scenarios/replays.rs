//! A match shown again: as a film, and turn by turn on one message.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Dice, board_after, match_of, move_somehow, next_board, offers, to_move};
use crate::driver::Town;
use crate::standin::limits::SUPPRESS_NOTIFICATIONS;
use crate::standin::model::{Attachment, Message};

/// The only picture of a message, which is described.
fn picture(message: &Message) -> &Attachment {
    let [picture] = &message.attachments[..] else {
        panic!("not one picture: {}", message.text());
    };
    let alt = picture.alt.as_deref().unwrap_or_default();
    assert!(alt.len() > 20, "{}: {alt}", message.text());
    picture
}

#[test]
fn a_match_is_stepped_through_on_one_message() {
    let town = Town::awake();
    let [ann, bob] = ["Ann", "Bob"].map(|name| town.user(name));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    for (player, action) in [(&ann, "F3-F5"), (&bob, "F9-F8"), (&ann, "F5-F6")] {
        let options = json!({ "move": action, "match": code });
        let words = player.slash("move", &options).words();
        assert!(words.starts_with("Played"), "{words}");
    }
    let film = bob.slash("replay", &json!({ "match": code })).answer();
    assert_eq!(film.only_for, Some(bob.id));
    assert!(film.text().contains("all 3 turns"), "{}", film.text());
    let gif = picture(&film);
    assert!(gif.bytes.starts_with(b"GIF89a") && gif.bytes.len() < 10 << 20);
    // From then on it is one message, whose story and picture are those of each step.
    let mut step = bob.press(&film, "Turn by turn").answer();
    let mut pictures = BTreeSet::new();
    for turn in 1..=3 {
        assert_eq!(step.id, film.id, "turn {turn}");
        let text = step.text();
        assert!(text.contains(&format!("turn {turn} of 3")), "{text}");
        assert!(text.contains(&format!("{turn}\\. ")), "{text}");
        assert!(picture(&step).bytes.starts_with(b"\x89PNG"), "turn {turn}");
        pictures.insert(picture(&step).bytes.to_vec());
        assert_eq!(offers(&step, "▶"), turn < 3, "turn {turn}");
        if turn < 3 {
            step = bob.press(&step, "▶").answer();
        }
    }
    let opening = bob.press(&step, "⏮").answer();
    assert_eq!(opening.id, film.id);
    assert!(opening.text().contains("the opening"), "{}", opening.text());
    pictures.insert(picture(&opening).bytes.to_vec());
    assert_eq!(pictures.len(), 4, "each is another picture");
    assert!(!offers(&opening, "◀") && !offers(&opening, "⏮"));
    let end = bob.press(&opening, "⏭").answer();
    assert!(end.id == film.id && picture(&end).bytes == picture(&step).bytes);
    // Nobody else sees any of it.
    for message in ann.everything_seen() {
        assert!(message.id != film.id);
    }
}

/// Who has missed two moves is called in the channel, and shown them alone, without a sound. Who takes no private messages is told
/// nothing of that: they have missed nothing.
#[test]
fn a_call_after_two_moves_brings_a_film_in_private() {
    let town = Town::awake();
    let players = ["Ann", "Bob", "Cy"].map(|name| town.user(name));
    let [ann, bob, cy] = &players;
    ann.close_dms();
    let code = match_of(&town, &[ann, bob, cy], "phwar", json!({}));
    let mut dice = Dice::new(5);
    let mut board = board_after(&town.square, 0, &code);
    for mover in [ann, bob, cy] {
        assert_eq!(to_move(&board, &[ann, bob, cy]).id, mover.id);
        move_somehow(mover, &code, &mut dice);
        board = next_board(&town.square, &board, &code);
    }
    let film = cy.dm().wait_for("a film", |message| {
        message.text().contains("since your last move")
    });
    assert!(picture(&film).bytes.starts_with(b"GIF89a"));
    assert_eq!(film.flags & SUPPRESS_NOTIFICATIONS, SUPPRESS_NOTIFICATIONS);
    assert!(film.pinged.is_empty(), "{}", film.text());
    assert!(offers(&film, "Turn by turn"));
    // Ann can't be reached alone, and it is not for a film that she is told so.
    let matches = ann.slash("matches", &json!({})).words();
    assert!(!matches.contains("private messages"), "{matches}");
    assert_eq!(bob.dm().messages().len(), 0, "he has missed one move at most");
}
