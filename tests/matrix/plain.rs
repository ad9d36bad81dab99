//! Matches in a room without encryption, and who is spoken to.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::bot::Bot;
use crate::party::{Party, code_in};
use crate::person::{Event, Person};
use crate::script::SHORT;
use crate::synapse::Synapse;
use crate::web::guest::actions_in;

#[tokio::test(flavor = "multi_thread")]
async fn a_room_may_have_threads_and_calls_of_their_own() {
    let party = Party::meet(Synapse::shared(), "threads", false).await;
    let (bot, ann, _, room, _) = party.everybody();
    ann.ask(room, "!settings thread on").await;
    ann.ask(room, "!settings turn two").await;
    let code = party.begin(SHORT.game).await;
    let challenge = party.challenge().await;
    let (seat, action) = &SHORT.moves[0];
    let (person, there) = party.seat(*seat);
    let said = person.say(there, &format!("!move #{code} {action}")).await;
    let board = party.until_boards(2).await.remove(1);
    let call = ann
        .until("two calls", || {
            Some(party.calls()).filter(|calls| calls.len() == SHORT.calls(2))
        })
        .await
        .remove(SHORT.calls(2) - 1);
    assert_eq!(
        (call.kind(), call.thread()),
        ("m.text", Some(challenge.id())),
        "{}",
        call.json
    );
    assert_eq!(
        (board.thread(), board.mentions().len()),
        (Some(challenge.id()), 0)
    );
    // The call stands right below its picture. Clients without threads would repeat the challenge above each call.
    let repeats = |event: &Event| {
        let answers = event.json.pointer("/content/m.relates_to/m.in_reply_to");
        answers.is_some()
    };
    assert!(repeats(&board) && !repeats(&call), "{}", call.json);
    // What was said in the timeline is marked there.
    ann.marked(&said, bot.id()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_matches_of_a_room_are_kept_apart_by_threads_and_a_chat_of_two_has_none() {
    let party = Party::meet(Synapse::shared(), "several", false).await;
    let (bot, ann, _, room, _) = party.everybody();
    party.begin(SHORT.game).await;
    let challenge = format!("!challenge bot {} none order", SHORT.game);
    ann.say(room, &challenge).await;
    let second = party.until_boards(2).await.remove(1);
    let second = second.text("/content/phase_parlor.match").to_owned();
    let (_, action) = &SHORT.moves[0];
    ann.say(room, &format!("!move #{second} {action}")).await;
    let board = party.until_boards(3).await.remove(2);
    assert!(board.thread().is_some(), "{}", board.json);

    let alone = ann.make_room(&[bot.id()], json!({ "direct": true })).await;
    ann.until_joined(&alone, bot.id()).await;
    for _ in 0..2 {
        ann.say(&alone, &challenge).await;
    }
    ann.until("two boards", || {
        let mut boards = ann.messages_of(alone.room_id(), bot.id());
        boards.retain(|event| event.kind() == "m.image");
        assert!(boards.iter().all(|board| board.thread().is_none()));
        (boards.len() == 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_match_in_a_plain_room() {
    let party = Party::meet(Synapse::shared(), "plain", false).await;
    let (bot, ann, bea, room, beas) = party.everybody();
    let games = ann.ask(room, "!games").await;
    assert_eq!(games.kind(), "m.notice");
    assert!(
        games.html().contains("<code>!challenge @friend GAME</code>"),
        "{}",
        games.html()
    );

    // A mention by a link, as clients write it.
    let pill = format!("<a href=\"https://matrix.to/#/{}\">Bea</a>", bea.id);
    let asked = json!({
        "msgtype": "m.text", "body": format!("!challenge Bea {} none order", SHORT.game), "format": "org.matrix.custom.html",
        "formatted_body": format!("!challenge {pill} {} none order", SHORT.game), "m.mentions": { "user_ids": [bea.id] },
    });
    ann.send(room, "m.room.message", asked).await;
    let challenge = party.challenge().await;
    let code = code_in(challenge.body());
    assert_eq!(
        (challenge.kind(), challenge.mentions()),
        ("m.text", vec![bea.id.as_str()])
    );

    // The bot puts reactions to it, and one of them accepts.
    for emoji in ["✅", "❌"] {
        bea.wait(emoji, |event| {
            event.text("/type") == "m.reaction"
                && event.sender() == bot.id()
                && event.text("/content/m.relates_to/event_id") == challenge.id()
                && event.text("/content/m.relates_to/key") == emoji
        })
        .await;
    }
    bea.react(beas, &challenge, "✅").await;

    for (number, (seat, action)) in SHORT.moves.iter().enumerate() {
        let boards = party.until_boards(number + 1).await;
        let board = &boards[number];
        let (person, there) = party.seat(*seat);
        assert_eq!(
            board.thread(),
            None,
            "a match alone in its room is told in the room"
        );
        assert!(board.body().contains(", your move"), "{}", board.body());
        // Whoever is to move is called by it: a turn is one message.
        let calls = party.calls();
        let call = calls.last().unwrap();
        assert_eq!(calls.len(), SHORT.calls(number + 1));
        assert_eq!(call.kind(), "m.image", "{}", call.json);
        assert!(call.html().contains("<details>"), "{}", call.html());
        if SHORT.calls(number + 1) > SHORT.calls(number) {
            assert_eq!(call.mentions(), [person.id.as_str()]);
            let link = format!("https://matrix.to/#/{}", person.id);
            assert!(call.html().contains(&link), "{}", call.html());
            assert!(
                call.body().contains(&format!("`!moves #{code}`")),
                "{}",
                call.body()
            );
        }
        let picture = ann.download(board).await;
        assert!(
            picture == SHORT.picture(number, party.names()),
            "the picture after {number} moves"
        );
        let info = &board.json["content"]["info"];
        assert_eq!(
            (&info["mimetype"], &info["size"]),
            (&json!("image/png"), &json!(picture.len()))
        );
        assert!(info["w"].as_u64().unwrap() > 100 && info["h"].as_u64().unwrap() > 100);
        // Moves are made in every way there is.
        match number % 4 {
            0 => drop(person.say(there, &format!("!move {action}")).await),
            1 => drop(person.answer(there, call, action).await),
            2 => drop(person.say(there, &format!("{}: {action}", bot.id())).await),
            _ => {
                let content = json!({ "msgtype": "m.text", "body": action, "m.relates_to": {
                    "rel_type": "m.thread", "event_id": challenge.id(), "is_falling_back": true,
                    "m.in_reply_to": { "event_id": board.id() } } });
                person.send(there, "m.room.message", content).await;
            }
        }
    }
    let boards = party.until_boards(SHORT.moves.len() + 1).await;
    let end = boards.last().unwrap();
    assert!(
        end.body().contains("wins") && end.body().contains(" is over. "),
        "{}",
        end.body()
    );
    assert!(ann.download(end).await == SHORT.picture(SHORT.moves.len(), party.names()));
    assert_eq!(boards.len(), SHORT.moves.len() + 1, "one board for each move");
    let result = party.ends().remove(0);
    assert!(
        result.body().contains(&format!("`!rematch #{code}`")),
        "{}",
        result.body()
    );
    // Whoever did not end it is called.
    assert_eq!(
        (result.kind(), result.mentions()),
        ("m.image", vec![ann.id.as_str()])
    );

    // The homeserver itself says which of the bot's messages have rung: the challenge, and every call.
    let token = bea.client.access_token().unwrap();
    let path = "/_matrix/client/v3/notifications?only=highlight&limit=100";
    let rung = Synapse::shared().with_token(&token, "GET", path, &Value::Null);
    let rung = rung["notifications"].as_array().unwrap().iter();
    let rung: BTreeSet<&str> = rung
        .map(|told| &told["event"])
        .filter(|event| event["sender"] == bot.id())
        .map(|event| event["event_id"].as_str().unwrap())
        .collect();
    let mut calls = party.calls();
    calls.retain(|call| call.mentions() == [bea.id.as_str()]);
    calls.push(challenge.clone());
    assert_eq!(rung, calls.iter().map(Event::id).collect());

    // What is asked for comes like a turn: one message, with what the picture shows folded below the words.
    for asked in [format!("!rules {}", SHORT.game), format!("!board #{code}")] {
        let answer = ann.ask(room, &asked).await;
        assert_eq!(answer.kind(), "m.image", "{asked}");
        assert!(answer.html().contains("<details>"), "{asked}: {}", answer.html());
    }

    // The record comes as a file, and the text board as a block.
    ann.ask(room, &format!("!record #{code}")).await;
    let file = ann.wait("the record", |event| event.kind() == "m.file").await;
    let record: Value = serde_json::from_slice(&ann.download(&file).await).unwrap();
    let played = actions_in(&record);
    let moves: Vec<&str> = SHORT.moves.iter().map(|(_, action)| action.as_str()).collect();
    assert_eq!(played, moves);
    let text = ann.ask(room, &format!("!text #{code}")).await;
    assert!(
        text.html().contains("<pre><code>") && text.body().contains("```\n"),
        "{}",
        text.html()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_meant_for_the_bot_is_answered() {
    let party = Party::meet(Synapse::shared(), "talk", false).await;
    party.until_greeted().await;
    let (bot, ann, bea, room, beas) = party.everybody();
    let code = party.begin(SHORT.game).await;
    let board = party.until_boards(1).await.remove(0);
    let before = ann.messages_of(room.room_id(), bot.id()).len();
    for talk in [
        "hello",
        "games",
        "!weather in Paris",
        "!!!",
        "no",
        "nice bot",
        "I like this",
    ] {
        ann.say(room, talk).await;
    }
    ann.answer(room, &board, "nice move!").await;
    let mut edit = json!({ "msgtype": "m.text", "body": "* !games", "m.new_content": { "msgtype": "m.text", "body": "!games" } });
    edit["m.relates_to"] = json!({ "rel_type": "m.replace", "event_id": board.id() });
    ann.send(room, "m.room.message", edit).await;
    ann.send(
        room,
        "m.room.message",
        json!({ "msgtype": "m.notice", "body": "!games" }),
    )
    .await;
    ann.send(
        room,
        "m.room.message",
        json!({ "msgtype": "m.emote", "body": "!games" }),
    )
    .await;
    // Somebody else's misspelt command comes last: when it is answered, all before it have been passed over.
    let near = bea.ask(beas, "!chalenge x").await;
    assert!(
        near.body().contains("Did you mean `!challenge`?"),
        "{}",
        near.body()
    );
    ann.wait("the answer", |event| event.id() == near.id()).await;
    let after = ann.messages_of(room.room_id(), bot.id());
    assert_eq!(after.len(), before + 1, "{after:#?}");
    // By name it listens to anything, and a move that can't be made is told why.
    let named = ann.ask(room, &format!("{}: frobnicate", bot.id())).await;
    assert!(
        named.body().contains("I can't read `frobnicate`"),
        "{}",
        named.body()
    );
    let (_, action) = &SHORT.moves[0];
    let early = bea.ask(beas, &format!("!move #{code} {action}")).await;
    assert!(early.body().contains("isn't your turn"), "{}", early.body());
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_found_however_they_are_called() {
    let party = Party::meet(Synapse::shared(), "called", false).await;
    let Party { ann, bea, room, .. } = &party;
    bea.be_called("Bea Fox").await;
    ann.until("her name", || {
        let named = |event: &Event| event.text("/content/displayname") == "Bea Fox";
        ann.heard_in(room.room_id()).iter().any(named).then_some(())
    })
    .await;
    let challenge =
        |who: &str| json!({ "msgtype": "m.text", "body": format!("!challenge {who} {} none", SHORT.game) });
    let mut mentioned = challenge("fox");
    mentioned["m.mentions"] = json!({ "user_ids": [bea.id] });
    mentioned["body"] = json!(format!("!challenge Bea Fox {} none", SHORT.game));
    let link = format!("<a href=\"https://matrix.to/#/{}\">Bea</a>", bea.id);
    let mut linked = challenge("Bea");
    linked["format"] = json!("org.matrix.custom.html");
    linked["formatted_body"] = json!(format!("!challenge {link}: {} none", SHORT.game));
    let calls = [
        challenge(&bea.id),
        challenge("bea-called"),
        challenge("@bea-called:"),
        challenge("Bea Fox"),
        challenge("@bea fox,"),
        mentioned,
        linked,
    ];
    for (number, call) in calls.into_iter().enumerate() {
        ann.send(room, "m.room.message", call.clone()).await;
        let challenges = || {
            let said = ann.messages_of(room.room_id(), party.bot.id());
            let mut said = said
                .into_iter()
                .filter(|event| event.body().contains("challenges Bea Fox"));
            said.nth(number)
        };
        let told = ann.until(&call.to_string(), challenges).await;
        assert_eq!(told.mentions(), [bea.id.as_str()]);
    }
    // The bot itself is spoken to by name as well.
    let own = party
        .bot
        .account
        .id
        .trim_start_matches('@')
        .split(':')
        .next()
        .unwrap();
    for content in [
        json!({ "msgtype": "m.text", "body": format!("{own} games"), "m.mentions": { "user_ids": [party.bot.id()] } }),
        json!({ "msgtype": "m.text", "body": format!("{own}: games") }),
        json!({ "msgtype": "m.text", "body": "`!games`", "format": "org.matrix.custom.html", "formatted_body": "<code>!games</code>" }),
    ] {
        let asked = ann.send(room, "m.room.message", content).await;
        let games = ann.answer_to(&asked).await;
        assert!(games.body().starts_with("The games"), "{}", games.body());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn alone_with_the_bot_nothing_needs_a_mark() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-alone");
    let ann = Person::come(synapse, "ann-alone").await;
    let room = ann
        .make_room(&[bot.id()], json!({ "direct": true, "encrypted": true }))
        .await;
    ann.until_joined(&room, bot.id()).await;
    ann.say(&room, "help").await;
    let help = ann
        .wait("help", |event| event.sender() == bot.id() && event.is_message())
        .await;
    assert!(
        help.encrypted && help.body().contains("`games`") && !help.body().contains("`!games`"),
        "{}",
        help.body()
    );
    ann.say(&room, &format!("practice {}", SHORT.game)).await;
    let boards = || {
        let said = ann.messages_of(room.room_id(), bot.id());
        said.iter().filter(|event| event.kind() == "m.image").count()
    };
    ann.until("the board", || (boards() == 1).then_some(())).await;
    ann.say(&room, &SHORT.moves[0].1).await;
    ann.until("my move", || (boards() == 2).then_some(())).await;
    // Whoever never makes sense is told so once, and then left in peace.
    for words in ["la", "li", "lu", "le", "lo"] {
        ann.say(&room, &format!("{words} la la")).await;
    }
    ann.say(&room, "games").await;
    ann.wait("the games", |event| event.body().starts_with("The games"))
        .await;
    let answers = ann.messages_of(room.room_id(), bot.id());
    let puzzled = answers
        .iter()
        .filter(|event| event.body().contains("I can't read"))
        .count();
    assert_eq!(puzzled, 1);
}
