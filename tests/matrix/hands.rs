//! Hidden hands: to one person alone, in an encrypted room, or not at all.

use serde_json::json;

use crate::bot::Bot;
use crate::party::{Party, challenge, code_in};
use crate::person::Person;
use crate::proxy::{Manner, Proxy};
use crate::synapse::Synapse;
use crate::web::guest::game_with_hands;
use crate::web::wait_for;

#[tokio::test(flavor = "multi_thread")]
async fn hands_go_to_their_players_alone() {
    let party = Party::meet(Synapse::shared(), "hands", true).await;
    let (bot, ann, bea, room, beas) = party.everybody();
    // Nothing rings for Bea.
    bea.ask(beas, "!settings ping off").await;
    let code = party.begin(&game_with_hands()).await;

    // Neither has spoken to the bot alone yet: the room is told, once for each, and both are invited.
    let [anns_name, beas_name] = party.names();
    for (person, name, kind, called) in [
        (ann, anns_name, "m.text", vec![ann.id.as_str()]),
        (bea, beas_name, "m.notice", Vec::new()),
    ] {
        let told = person
            .wait("that my hand waits", |event| {
                event.room == room.room_id()
                    && event.body().contains("waits for you")
                    && event.body().starts_with(name)
            })
            .await;
        assert_eq!((told.kind(), told.mentions()), (kind, called));
    }
    let anns = ann.accept_invitation_of(bot.id()).await;
    let hand = ann
        .wait("my hand", |event| {
            event.room == anns.room_id() && event.kind() == "m.image"
        })
        .await;
    assert!(
        hand.encrypted && hand.body().contains("your hand"),
        "{}",
        hand.body()
    );
    let picture = ann.download(&hand).await;
    assert!(picture.starts_with(b"\x89PNG"));

    // Bea turns the invitation down. Nothing more is sent to her until she asks, and the match goes on.
    let declined = bea.invitation_of(bot.id()).await;
    declined.leave().await.unwrap();
    let sent = ann.ask(room, &format!("!hand #{code}")).await;
    assert_eq!(sent.body(), "I sent it to you in our private chat.");
    let again = ann
        .wait("my hand again", |event| {
            event.room == anns.room_id() && event.body().contains("```")
        })
        .await;
    assert!(again.encrypted);
    let wait = bea.ask(beas, &format!("!hand #{code}")).await;
    assert!(
        wait.body().contains("invited you to a private chat"),
        "{}",
        wait.body()
    );
    let beas_own = bea.accept_invitation_of(bot.id()).await;
    let hers = bea
        .wait("her hand", |event| {
            event.room == beas_own.room_id() && event.kind() == "m.image"
        })
        .await;
    assert_ne!(bea.download(&hers).await, picture, "each has their own");

    // Nobody's hand is in the room, and each was told once that it waits.
    for event in ann.messages_of(room.room_id(), bot.id()) {
        assert!(!event.body().contains("your hand against"), "{}", event.body());
        assert!(!event.text("/content/filename").contains("hand"));
    }
    let told = ann.messages_of(room.room_id(), bot.id());
    assert_eq!(
        told.iter()
            .filter(|event| event.body().contains("waits for you"))
            .count(),
        2
    );

    // What a player may do tells what they hold: such answers go the same way.
    let moves = ann.ask(room, &format!("!moves #{code}")).await;
    assert!(
        moves.body() == "I sent it to you in our private chat." || moves.body().contains("isn't your turn"),
        "{}",
        moves.body()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_cannot_be_reached_keeps_nobody_else_waiting_and_stops_no_clocks() {
    let synapse = Synapse::shared();
    let proxy = Proxy::start(synapse, Manner::Good).await;
    let bot = Bot::ready(synapse, "parlor-abroad").at(&proxy.url);
    let mut bot = bot.logging("warn,parlor=debug");
    bot.rise();
    let mut party = Party::meet_bot(synapse, bot, "abroad", false).await;
    party.until_greeted().await;
    // Bea's homeserver does not answer when she is invited.
    proxy.lose(&party.bea.id);
    let code = party.begin(&game_with_hands()).await;
    wait_for("Bea to be invited", || (proxy.invitations().0 > 0).then_some(()));
    let (bot, ann, _, room, _) = party.everybody();
    let anns = ann.accept_invitation_of(bot.id()).await;
    ann.wait("my hand", |event| {
        event.room == anns.room_id() && event.kind() == "m.image"
    })
    .await;
    let sent = ann.ask(room, &format!("!hand #{code}")).await;
    assert_eq!(sent.body(), "I sent it to you in our private chat.");
    assert_eq!(
        proxy.invitations(),
        (1, 0),
        "Ann waited until the bot had given Bea up"
    );
    // When it is known, it is nobody else's trouble, and Bea is left alone for a while.
    let asked = proxy.asked_who();
    proxy.find_out();
    wait_for("the bot to see whether its own homeserver answers", || {
        (proxy.asked_who() > asked).then_some(())
    });
    for _ in 0..3 {
        ann.ask(room, "!games").await;
    }
    assert_eq!(proxy.invitations(), (1, 0));
    let log = party.bot.fall();
    assert!(log.contains("could not reach a user's homeserver"), "{log}");
    let away = log.lines().filter(|line| line.contains("a platform is away"));
    assert_eq!(away.count(), 1, "before it was first reached: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_chat_is_used_again_unless_somebody_else_is_in_it() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-reuse");
    let ann = Person::come(synapse, "ann-reuse").await;
    let bea = Person::come(synapse, "bea-reuse").await;
    // Ann has a chat with the bot. Bea's has a third person in it.
    let alone = ann
        .make_room(&[bot.id()], json!({ "direct": true, "encrypted": true }))
        .await;
    ann.until_joined(&alone, bot.id()).await;
    let three = bea
        .make_room(&[bot.id(), &ann.id], json!({ "direct": true, "encrypted": true }))
        .await;
    bea.until_joined(&three, bot.id()).await;
    let anns_three = ann.enter(three.room_id()).await;

    let asked = format!("!challenge {} {} none", bea.id, game_with_hands());
    ann.say(&anns_three, &asked).await;
    let code = code_in(challenge(&bea, bot.id()).await.body());
    bea.say(&three, &format!("!accept #{code}")).await;
    let hand = ann
        .wait("my hand", |event| {
            event.text("/content/filename").contains("hand")
        })
        .await;
    assert_eq!(hand.room, alone.room_id());
    let beas = bea.accept_invitation_of(bot.id()).await;
    assert_ne!(beas.room_id(), three.room_id());
    let hand = bea
        .wait("her hand", |event| {
            event.text("/content/filename").contains("hand")
        })
        .await;
    assert_eq!(hand.room, beas.room_id());
    assert!(
        ann.client.invited_rooms().is_empty(),
        "Ann was not invited to another chat"
    );
    let marked = bot_direct_rooms(synapse, &bot, &bea.id);
    assert!(
        marked.contains(&beas.room_id().to_string()),
        "the bot marks the chat as direct: {marked:?}"
    );
}

/// The rooms that the bot has marked as direct with somebody.
fn bot_direct_rooms(synapse: &Synapse, bot: &Bot, who: &str) -> Vec<String> {
    let session = std::fs::read(bot.data().join("matrix/session.json")).unwrap();
    let session: serde_json::Value = serde_json::from_slice(&session).unwrap();
    let token = session["session"]["access_token"].as_str().unwrap();
    let path = format!("/_matrix/client/v3/user/{}/account_data/m.direct", bot.id());
    let direct = synapse.with_token(token, "GET", &path, &serde_json::Value::Null);
    let rooms = direct[who].as_array().unwrap_or_else(|| panic!("{direct}"));
    rooms
        .iter()
        .map(|room| room.as_str().unwrap().to_owned())
        .collect()
}
