//! Matches in encrypted rooms.

use serde_json::json;

use crate::party::Party;
use crate::script::SHORT;
use crate::synapse::Synapse;

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_match_in_an_encrypted_room() {
    let (party, code) = Party::at_play(Synapse::shared(), "encrypted", true).await;
    let (bot, ann, bea, room, _) = party.everybody();
    party.play_on(&code, 0).await;
    party.check_boards(SHORT.moves.len() + 1).await;
    let boards = party.boards();
    for board in &boards {
        assert!(
            board.json["content"].get("url").is_none(),
            "the picture itself is encrypted"
        );
    }
    for event in ann.messages_of(room.room_id(), bot.id()) {
        assert!(event.encrypted, "said in the clear: {}", event.json);
    }
    // Bea, on another device, has read the same.
    let last = boards.last().unwrap();
    let seen = bea.wait("the last board", |event| event.id() == last.id()).await;
    let picture = bea.download(&seen).await;
    assert_eq!(picture, SHORT.picture(SHORT.moves.len(), party.names()));
}

#[tokio::test(flavor = "multi_thread")]
async fn encryption_is_switched_on_during_a_match() {
    let (party, code) = Party::at_play(Synapse::shared(), "switched", false).await;
    let (bot, ann, bea, room, beas) = party.everybody();
    party.say_move(&code, 0).await;
    assert!(!party.until_boards(2).await[1].encrypted);
    room.enable_encryption().await.unwrap();
    bea.until("encryption", || {
        beas.encryption_state().is_encrypted().then_some(())
    })
    .await;
    party.say_move(&code, 1).await;
    let board = &party.until_boards(3).await[2];
    assert!(board.encrypted && board.json["content"].get("file").is_some());
    assert_eq!(
        board.thread(),
        party.boards()[0].thread(),
        "in the same thread as before"
    );
    assert!(
        ann.messages_of(room.room_id(), bot.id())
            .last()
            .unwrap()
            .encrypted
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_asked_for_and_then_said_kindly_once() {
    let party = Party::meet(Synapse::shared(), "unreadable", true).await;
    let (bot, ann, bea, room, _) = party.everybody();
    // Encrypted with a key that nobody was ever given.
    let nonsense = |number: u32| {
        json!({
            "algorithm": "m.megolm.v1.aes-sha2", "ciphertext": format!("AwgA{number}"), "device_id": "NOWHERE",
            "sender_key": "2Wn1vkE5rpIIk1hRpYq1hLSsE9ue9WVsy5B4a9Q0YEA", "session_id": format!("nobody-has-it-{number}"),
        })
    };
    let token = ann.client.access_token().unwrap();
    for number in 0..3 {
        let path = format!(
            "/_matrix/client/v3/rooms/{}/send/m.room.encrypted/nonsense-{number}",
            room.room_id()
        );
        Synapse::shared().with_token(&token, "PUT", &path, &nonsense(number));
    }
    // Others are heard meanwhile.
    bea.ask(&party.beas, "!games").await;
    let asked = ann.to_device("m.room_key_request").await;
    assert!(
        asked["content"]["body"]["session_id"]
            .as_str()
            .unwrap()
            .starts_with("nobody-has-it"),
        "{asked}"
    );
    let told = ann
        .wait("that it can't be read", |event| {
            event.body().contains("I can't read")
        })
        .await;
    assert_eq!((told.kind(), told.encrypted), ("m.notice", true));
    let games = ann.ask(room, "!games").await;
    let said = ann.messages_of(room.room_id(), bot.id());
    let kindly = said
        .iter()
        .filter(|event| event.body().contains("I can't read"))
        .count();
    assert_eq!(kindly, 1, "{}", games.body());
}
