//! Matches in encrypted rooms.

use serde_json::json;

use crate::plain::Party;
use crate::script::SHORT;
use crate::synapse::Synapse;

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_match_in_an_encrypted_room() {
    let party = Party::meet(Synapse::shared(), "encrypted", true).await;
    let Party {
        bot, ann, bea, room, ..
    } = &party;
    let code = party.begin(SHORT.game).await;
    party.play_script(&code).await;
    let names = [ann, bea].map(|person| person.client.user_id().unwrap().localpart().to_owned());
    let names = [names[0].as_str(), names[1].as_str()];
    let boards = party.boards();
    assert_eq!(boards.len(), SHORT.moves.len() + 1);
    for (number, board) in boards.iter().enumerate() {
        assert!(
            board.json["content"].get("url").is_none(),
            "the picture itself is encrypted"
        );
        assert_eq!(ann.download(board).await, SHORT.picture(number, names));
    }
    for event in ann.messages_of(room.room_id(), bot.id()) {
        assert!(event.encrypted, "said in the clear: {}", event.json);
    }
    // Bea, on another device, has read the same.
    let last = boards.last().unwrap();
    let seen = bea.wait("the last board", |event| event.id() == last.id()).await;
    assert_eq!(bea.download(&seen).await, SHORT.picture(SHORT.moves.len(), names));
}

#[tokio::test(flavor = "multi_thread")]
async fn encryption_is_switched_on_during_a_match() {
    let party = Party::meet(Synapse::shared(), "switched", false).await;
    let Party {
        bot,
        ann,
        bea,
        room,
        beas,
    } = &party;
    let code = party.begin(SHORT.game).await;
    let (_, first) = &SHORT.moves[0];
    ann.say(room, &format!("!move #{code} {first}")).await;
    assert!(!party.until_boards(2).await[1].encrypted);
    room.enable_encryption().await.unwrap();
    bea.until("encryption", || {
        beas.encryption_state().is_encrypted().then_some(())
    })
    .await;
    let (seat, second) = &SHORT.moves[1];
    let (person, there) = if seat.index() == 0 {
        (ann, room)
    } else {
        (bea, beas)
    };
    person.say(there, &format!("!move #{code} {second}")).await;
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
    let Party {
        bot, ann, bea, room, ..
    } = &party;
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
