//! Hidden hands are seen by the right user only.

use std::collections::BTreeMap;

use parlor::games::breaker::Kind;
use serde_json::{Value, json};

use super::{board_after, match_of, next_board, offers, to_move};
use crate::driver::hands::{has_word, held_in, plain, unseen_in};
use crate::driver::{Town, User};
use crate::standin::limits::SUPPRESS_NOTIFICATIONS;
use crate::standin::model::{Id, Message};

/// A match in which commands are hidden.
fn blind_match(town: &Town, players: &[&User]) -> String {
    // All of it where everybody looks.
    town.owner()
        .slash("parlor-settings", &json!({ "threads": false }))
        .answer();
    match_of(town, players, "breaker", json!({ "options": "variant=blind" }))
}

/// Draws hidden commands until each player holds one that the other does not; the hands as they are shown to their
/// owners.
fn deal(town: &Town, code: &str, players: [&User; 2]) -> [Message; 2] {
    let mut board = board_after(&town.square, 0, code);
    loop {
        let mover = to_move(&board, &players);
        let hands = players.map(|player| player.slash("hand", &json!({ "match": code })).answer());
        let [left, right] = hands.each_ref().map(|hand| held_in(&hand.text()));
        if !left.is_subset(&right) && !right.is_subset(&left) {
            return hands;
        }
        let words = mover
            .slash("move", &json!({ "move": "draw command", "match": code }))
            .words();
        assert!(words.starts_with("Played"), "{words}");
        board = next_board(&town.square, &board, code);
    }
}

#[test]
fn a_hand_is_seen_by_its_owner_and_nobody_else() {
    let mut town = Town::awake();
    let [ann, bob, cy] = ["Ann", "Bob", "Cy"].map(|name| town.user(name));
    let code = blind_match(&town, &[&ann, &bob]);
    let hands = deal(&town, &code, [&ann, &bob]);
    for (owner, hand) in [&ann, &bob].into_iter().zip(&hands) {
        assert_eq!(hand.only_for, Some(owner.id));
        assert_eq!(hand.attachments.len(), 1, "{}", hand.text());
        // It came by private message as well, without being asked for.
        let hand = owner.dm().wait_for("a hand", |message| {
            message.text().contains("your hand") && message.attachments.len() == 1
        });
        // One message a match, without a sound: what changes is written on it.
        assert_eq!(hand.flags & SUPPRESS_NOTIFICATIONS, SUPPRESS_NOTIFICATIONS);
        let hands = owner.dm().messages().into_iter();
        assert_eq!(
            hands
                .filter(|message| message.text().contains("your hand"))
                .count(),
            1
        );
    }
    // Everybody presses everything, sees suggestions, asks for boards, texts and records.
    let board = town
        .square
        .messages()
        .into_iter()
        .rfind(|message| offers(message, "My hand"))
        .unwrap();
    let stranger = cy.press(&board, "My hand").answer();
    assert!(
        stranger.text().contains("You don't play in"),
        "{}",
        stranger.text()
    );
    let mut suggested = BTreeMap::new();
    for user in [&ann, &bob, &cy] {
        for label in ["My side", "As text", "Move"] {
            assert_eq!(user.press(&board, label).answer().only_for, Some(user.id));
        }
        let offered = user.autocomplete("move", &json!({ "move": "add ", "match": code }), "move");
        suggested.insert(user.id, plain(&json!(offered).to_string()));
        user.slash("record", &json!({ "match": code })).answer();
    }
    assert_eq!(bob.press(&board, "My hand").answer().only_for, Some(bob.id));

    for (owner, other, hand) in [(&ann, &bob, &hands[0]), (&bob, &ann, &hands[1])] {
        let theirs = held_in(&hands[usize::from(owner.id == ann.id)].text());
        let held = held_in(&hand.text());
        // A stranger is told of no command at all, the opponent of none that they don't hold themselves.
        let unknown: Vec<&str> = held.difference(&theirs).copied().collect();
        for secret in &held {
            check_secret(secret, &cy, hand, &suggested);
        }
        for secret in unknown {
            check_secret(secret, other, hand, &suggested);
            // What the opponent can't see is not counted down either.
            let (unseen, _) = unseen_in(&hands[usize::from(owner.id == ann.id)].text());
            let kind = Kind::commands().find(|kind| kind.name() == secret).unwrap();
            assert!(
                unseen.contains(&format!("{}x {secret}", kind.made())),
                "{secret}: {unseen}"
            );
        }
    }
    town.kill();
    for secret in hands.iter().flat_map(|hand| held_in(&hand.text())) {
        for line in town.traces() {
            assert!(!has_word(&line, secret), "{secret} stands in the log: {line}");
        }
    }
}

/// Nothing that a reader can see names the secret or shows the picture of the hand that holds it.
fn check_secret(secret: &str, reader: &User, hand: &Message, suggested: &BTreeMap<Id, String>) {
    for message in reader.everything_seen() {
        for revision in &message.revisions {
            let (_, shown) = unseen_in(revision);
            assert!(
                !has_word(&shown, secret),
                "{secret} was shown to {}: {revision}",
                reader.id
            );
        }
        for attachment in &message.attachments {
            assert_ne!(
                attachment.bytes, hand.attachments[0].bytes,
                "the picture of a hand"
            );
            if let Ok(mut record) = serde_json::from_slice::<Value>(&attachment.bytes) {
                // What the reader can't see is listed there as well, and says nothing about who holds it.
                record["view"]["unseen"] = Value::Null;
                let record = record.to_string();
                assert!(
                    !has_word(&record, secret),
                    "{secret} stands in a file for {}: {record}",
                    reader.id
                );
            }
        }
    }
    let suggested = &suggested[&reader.id];
    assert!(
        !has_word(suggested, secret),
        "{secret} was suggested to {}: {suggested}",
        reader.id
    );
}

#[test]
fn closed_dms_are_told_to_their_owner_once_and_stop_nothing() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    bob.close_dms();
    let code = blind_match(&town, &[&ann, &bob]);
    let hands = deal(&town, &code, [&ann, &bob]);
    town.shared().wait("the closed door to be found", |model| {
        model.refusals.contains(&50007).then_some(())
    });
    assert!(bob.dm().messages().is_empty());
    // The hand is there whenever Bob asks for it.
    assert_eq!(hands[1].attachments.len(), 1);
    let again = bob.slash("hand", &json!({ "match": code })).answer();
    let more = bob.slash("hand", &json!({ "match": code })).answer();
    assert_eq!(more.attachments.len(), 1);
    let told = |message: &Message| {
        message
            .revisions
            .iter()
            .any(|text| text.contains("private messages"))
    };
    let seen = bob.everything_seen();
    assert_eq!(
        seen.iter().filter(|message| told(message)).count(),
        1,
        "{}",
        again.text()
    );
    assert!(
        seen.iter()
            .filter(|message| told(message))
            .all(|message| message.only_for == Some(bob.id))
    );
    assert!(!ann.everything_seen().iter().any(told));
    // However many hands there were, the door was tried once.
    let tried = |town: &Town| {
        let refusals = town.shared().with(|model| model.refusals.clone());
        refusals.iter().filter(|code| **code == 50007).count()
    };
    assert_eq!(tried(&town), 1);
    // And the match goes on.
    let board = town
        .square
        .messages()
        .into_iter()
        .rfind(|message| offers(message, "Move"))
        .unwrap();
    let mover = to_move(&board, &[&ann, &bob]);
    mover.slash("move", &json!({ "move": "pass" })).answer();
    let board = next_board(&town.square, &board, &code);
    // Somebody who talks to the bot in private is tried again, with the next change of their hand.
    bob.open_dms();
    bob.at(&bob.dm()).slash("games", &json!({})).answer();
    let play = |player: &User, action: &str| {
        let words = player
            .slash("move", &json!({ "move": action, "match": code }))
            .words();
        assert!(words.starts_with("Played"), "{action}: {words}");
    };
    if to_move(&board, &[&ann, &bob]).id == ann.id {
        // Two whole turns that are passed would end the match.
        play(&ann, "draw command");
        play(&ann, "pass");
    }
    play(&bob, "draw command");
    bob.dm()
        .wait_for("a hand", |message| message.text().contains("your hand"));
}
