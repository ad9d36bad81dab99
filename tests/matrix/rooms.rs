//! Coming, going, and who else is there.

use serde_json::{Value, json};

use crate::bot::Bot;
use crate::party::{Party, challenge};
use crate::person::Person;
use crate::script::SHORT;
use crate::synapse::Synapse;

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_invitation_is_declined() {
    let synapse = Synapse::shared();
    let mut bot = Bot::ready(synapse, "parlor-shy").allowing("@friend-shy:localhost, elsewhere.org");
    bot.rise();
    let stranger = Person::come(synapse, "stranger-shy").await;
    let friend = Person::come(synapse, "friend-shy").await;
    let room = stranger.make_room(&[bot.id()], json!({})).await;
    stranger
        .wait("the bot's no", |event| {
            event.text("/type") == "m.room.member"
                && event.text("/state_key") == bot.id()
                && event.text("/content/membership") == "leave"
        })
        .await;
    assert!(stranger.messages_of(room.room_id(), bot.id()).is_empty());
    let room = friend.make_room(&[bot.id()], json!({})).await;
    friend.until_joined(&room, bot.id()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn history_is_not_for_the_bot_and_an_empty_room_is_left() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-late");
    let ann = Person::come(synapse, "ann-late").await;
    let bea = Person::come(synapse, "bea-late").await;
    let room = ann.make_room(&[&bea.id], json!({})).await;
    bea.enter(room.room_id()).await;
    let early = ann.say(&room, "!games").await;
    room.invite_user_by_id(bot.id().try_into().unwrap())
        .await
        .unwrap();
    ann.until_joined(&room, bot.id()).await;
    let late = ann.say(&room, "!help").await;
    ann.answer_to(&late).await;
    let heard = ann.messages_of(room.room_id(), bot.id());
    assert_eq!(heard.len(), 2, "{heard:#?}");
    assert!(heard[0].body().starts_with("Hello!") && heard[0].kind() == "m.notice");
    assert_ne!(
        heard[1].text("/content/m.relates_to/m.in_reply_to/event_id"),
        early
    );

    let beas = bea.client.get_room(room.room_id()).unwrap();
    room.leave().await.unwrap();
    assert!(
        joined_rooms(synapse, &bot).contains(&room.room_id().to_string()),
        "Bea is still there"
    );
    beas.leave().await.unwrap();
    crate::web::wait_for("the bot to leave", || {
        (!joined_rooms(synapse, &bot).contains(&room.room_id().to_string())).then_some(())
    });
}

/// The access token of a bot.
pub fn token(bot: &Bot) -> String {
    let session = std::fs::read(bot.data().join("matrix/session.json")).unwrap();
    let session: Value = serde_json::from_slice(&session).unwrap();
    session["session"]["access_token"].as_str().unwrap().to_owned()
}

fn joined_rooms(synapse: &Synapse, bot: &Bot) -> Vec<String> {
    let rooms = synapse.with_token(
        &token(bot),
        "GET",
        "/_matrix/client/v3/joined_rooms",
        &Value::Null,
    );
    let rooms = rooms["joined_rooms"].as_array().unwrap().iter();
    rooms.map(|room| room.as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_moves_along_when_its_room_is_replaced() {
    let synapse = Synapse::shared();
    let party = Party::meet(synapse, "moved", false).await;
    let (bot, ann, bea, room, _) = party.everybody();
    let code = party.begin(SHORT.game).await;
    party.until_boards(1).await;
    let path = format!("/_matrix/client/v3/rooms/{}/upgrade", room.room_id());
    let anns = ann.client.access_token().unwrap();
    let replaced = synapse.with_token(&anns, "POST", &path, &json!({ "new_version": "11" }));
    let new: matrix_sdk::ruma::OwnedRoomId =
        replaced["replacement_room"].as_str().unwrap().try_into().unwrap();
    let new_room = ann.enter(&new).await;
    for id in [bot.id(), &bea.id] {
        new_room.invite_user_by_id(id.try_into().unwrap()).await.unwrap();
    }
    let beas = bea.enter(&new).await;
    ann.until_joined(&new_room, bot.id()).await;
    let boards = || {
        let mut boards = ann.messages_of(&new, bot.id());
        boards.retain(|event| event.kind() == "m.image");
        boards
    };
    for (seat, action) in SHORT.moves.iter().take(2) {
        let (person, there) = if seat.index() == 0 {
            (ann, &new_room)
        } else {
            (bea, &beas)
        };
        let known = boards().len();
        person.say(there, &format!("!move #{code} {action}")).await;
        ann.until("a board in the new room", || {
            (boards().len() > known).then_some(())
        })
        .await;
    }
    let boards = boards();
    assert!(
        boards[0].body().contains("has moved here"),
        "{}",
        boards[0].body()
    );
    for (number, board) in boards.iter().enumerate() {
        let picture = ann.download(board).await;
        assert!(picture == SHORT.picture(number, ["ann-moved", "bea-moved"]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_bot_may_not_speak_it_answers_in_private() {
    let synapse = Synapse::shared();
    let (party, _) = Party::at_play(synapse, "muted", false).await;
    let (bot, ann, bea, room, beas) = party.everybody();
    let token = ann.client.access_token().unwrap();
    let path = format!(
        "/_matrix/client/v3/rooms/{}/state/m.room.power_levels/",
        room.room_id()
    );
    let mut levels = synapse.with_token(&token, "GET", &path, &Value::Null);
    levels["users"][bot.id()] = json!(-1);
    synapse.with_token(&token, "PUT", &path, &levels);
    let before = ann.messages_of(room.room_id(), bot.id()).len();

    // Whoever asks is answered alone, and told why.
    let alone = bea.accept_invitation_of(bot.id()).await;
    bea.say(beas, "!games").await;
    let games = bea
        .wait("the games", |event| {
            event.room == alone.room_id() && event.body().contains("The games")
        })
        .await;
    assert!(
        games.encrypted && games.body().contains("I can't speak in the room where you asked"),
        "{}",
        games.body()
    );
    // Nobody need move for both to be told that the room is lost.
    ann.accept_invitation_of(bot.id()).await;
    for person in [ann, bea] {
        let lost = person
            .wait("that the room is lost", |event| {
                event.body().contains("I can no longer post in")
            })
            .await;
        assert_ne!(lost.room, room.room_id());
    }
    assert_eq!(ann.messages_of(room.room_id(), bot.id()).len(), before);

    // When it may speak again, the match is back by itself.
    levels["users"][bot.id()] = json!(0);
    synapse.with_token(&token, "PUT", &path, &levels);
    ann.wait("the board", |event| {
        event.room == room.room_id() && event.kind() == "m.image" && event.body().contains("goes on here")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_in_one_room_do_not_talk_to_each_other() {
    let synapse = Synapse::shared();
    let first = Bot::start(synapse, "parlor-one");
    let second = Bot::start(synapse, "parlor-two");
    let ann = Person::come(synapse, "ann-two").await;
    let room = ann.make_room(&[first.id(), second.id()], json!({})).await;
    for bot in [&first, &second] {
        ann.until_joined(&room, bot.id()).await;
    }
    ann.say(&room, "!games").await;
    ann.say(&room, "!chalenge").await;
    ann.say(&room, &format!("!challenge {} {}", second.id(), SHORT.game))
        .await;
    ann.say(&room, &format!("!open {} none", SHORT.game)).await;
    let count = |bot: &Bot| ann.messages_of(room.room_id(), bot.id()).len();
    // Each says hello, answers twice and tells of its own table. The first tells of its challenge, which another bot can't accept; the
    // second is challenged by name and begins a match. Then a question to each by name ends the
    // round.
    ann.until("what both have to say", || {
        (count(&first) >= 5 && count(&second) >= 5).then_some(())
    })
    .await;
    for bot in [&first, &second] {
        ann.ask(&room, &format!("{}: matches", bot.id())).await;
    }
    let said = [&first, &second].map(|bot| ann.messages_of(room.room_id(), bot.id()));
    let said = said.map(|said| {
        said.iter()
            .map(|event| event.body().to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!((count(&first), count(&second)), (6, 6), "{said:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_only_a_name() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-names");
    let ann = Person::come(synapse, "ann-names").await;
    let eve = Person::come(synapse, "eve-names").await;
    let nasty = format!(
        "<img src=x> @room <a href=\"https://matrix.to/#/{}\">you</a>`",
        ann.id
    );
    eve.be_called(&nasty).await;
    let room = ann.make_room(&[bot.id(), &eve.id], json!({})).await;
    let eves = eve.enter(room.room_id()).await;
    ann.until_joined(&room, bot.id()).await;
    ann.until_joined(&room, &eve.id).await;
    let asked = format!("!challenge {} {} none order", eve.id, SHORT.game);
    ann.say(&room, &asked).await;
    challenge(&eve, bot.id()).await;
    eve.say(&eves, "!accept").await;
    let board = ann.wait("the board", |event| event.kind() == "m.image").await;
    assert!(board.body().contains(&nasty), "{}", board.body());
    let call = ann
        .wait("the call", |event| {
            event.kind() == "m.image" && !event.mentions().is_empty()
        })
        .await;
    for event in ann.messages_of(room.room_id(), bot.id()) {
        assert!(!event.html().contains("<img"), "{}", event.html());
        assert!(
            event.json["content"]["m.mentions"].is_object(),
            "no word in it may notify: {}",
            event.json
        );
        assert!(event.json["content"]["m.mentions"].get("room").is_none());
        // Links lead to whoever is named, and to nobody else.
        for link in event.html().split("<a href=\"").skip(1) {
            let (target, name) = link.split_once("\">").unwrap();
            let own = if name.starts_with("&lt;img") {
                &eve.id
            } else {
                &ann.id
            };
            assert_eq!(target, format!("https://matrix.to/#/{own}"));
        }
    }
    assert_eq!(call.mentions(), [ann.id.as_str()]);
}
