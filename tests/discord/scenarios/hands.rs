//! Hidden hands are seen by the right user only.

use parlor::games::breaker::Kind;
use serde_json::json;

use super::{board_after, match_of, offers, to_move};
use crate::driver::{Town, User};
use crate::standin::model::{Id, Message};

/// The commands that a hand holds.
fn hidden_in(hand: &str) -> Vec<&'static str> {
    let hand = hand.to_lowercase();
    let names = Kind::ALL
        .into_iter()
        .filter(|kind| kind.is_command())
        .map(Kind::name);
    names.filter(|name| hand.contains(name)).collect()
}

/// Draws hidden commands for both until each holds one; the hands as they are shown to their owners.
fn deal(town: &Town, code: &str, players: [&User; 2]) -> [Message; 2] {
    let mut last: Id = 0;
    let mut drawn = std::collections::BTreeMap::<Id, usize>::new();
    while players
        .iter()
        .any(|player| drawn.get(&player.id).copied().unwrap_or(0) < 2)
    {
        let board = board_after(&town.square, last, code);
        let mover = to_move(&board, &players);
        let words = mover.slash("move", &json!({ "move": "draw command" })).words();
        assert!(words.starts_with("Played"), "{words}");
        *drawn.entry(mover.id).or_default() += 1;
        last = board.id;
    }
    players.map(|player| player.slash("hand", &json!({ "match": code })).answer())
}

#[test]
fn a_hand_is_seen_by_its_owner_and_nobody_else() {
    let mut town = Town::awake();
    let [ann, bob, cy] = ["Ann", "Bob", "Cy"].map(|name| town.user(name));
    let code = match_of(
        &town,
        &[&ann, &bob],
        "breaker",
        json!({ "options": "variant=blind" }),
    );
    let hands = deal(&town, &code, [&ann, &bob]);
    for (owner, hand) in [&ann, &bob].into_iter().zip(&hands) {
        assert_eq!(hand.only_for, Some(owner.id));
        assert_eq!(hand.attachments.len(), 1, "{}", hand.text());
        // It came by private message as well, without being asked for.
        owner.dm().wait_for("a hand", |message| {
            message.text().contains("your hand") && message.attachments.len() == 1
        });
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
        stranger.text().contains("You don't play at table"),
        "{}",
        stranger.text()
    );
    for user in [&ann, &bob, &cy] {
        for label in ["My side", "As text", "Move"] {
            assert_eq!(user.press(&board, label).answer().only_for, Some(user.id));
        }
        user.autocomplete("move", &json!({ "move": "add ", "match": code }), "move");
        user.slash("record", &json!({ "match": code })).answer();
    }
    let mine = bob.press(&board, "My hand").answer();
    assert_eq!(mine.only_for, Some(bob.id));

    for (owner, other, hand) in [(&ann, &bob, &hands[0]), (&bob, &ann, &hands[1])] {
        let secrets = hidden_in(&hand.text());
        assert!(!secrets.is_empty(), "the hand is empty: {}", hand.text());
        for secret in secrets {
            for reader in [other, &cy] {
                for message in reader.everything_seen() {
                    for revision in &message.revisions {
                        let leak = revision.to_lowercase().contains(secret);
                        assert!(
                            !leak,
                            "{secret} of {} was shown to {}: {revision}",
                            owner.id, reader.id
                        );
                    }
                    let pictures = message.attachments.iter();
                    let shown = pictures.filter(|picture| picture.bytes == hand.attachments[0].bytes);
                    assert_eq!(shown.count(), 0, "the picture of a hand was shown to another");
                }
                let offered = reader.autocomplete("move", &json!({ "move": "", "match": code }), "move");
                let offered = json!(offered).to_string().to_lowercase();
                assert!(
                    !offered.contains(secret),
                    "{secret} was suggested to {}",
                    reader.id
                );
            }
        }
    }
    town.kill();
    for secret in hands.iter().flat_map(|hand| hidden_in(&hand.text())) {
        for line in town.traces() {
            assert!(
                !line.to_lowercase().contains(secret),
                "{secret} stands in the log: {line}"
            );
        }
    }
}

#[test]
fn closed_dms_are_told_to_their_owner_once_and_stop_nothing() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    bob.close_dms();
    let code = match_of(
        &town,
        &[&ann, &bob],
        "breaker",
        json!({ "options": "variant=blind" }),
    );
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
    // And the match goes on.
    let board = town
        .square
        .messages()
        .into_iter()
        .rfind(|message| offers(message, "Move"))
        .unwrap();
    let mover = to_move(&board, &[&ann, &bob]);
    mover.slash("move", &json!({ "move": "pass" })).answer();
    board_after(&town.square, board.id, &code);
}
