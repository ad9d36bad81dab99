//! Nobody is left without an answer, and people of one name are told apart.

use matrix_sdk::Room;
use serde_json::json;

use crate::bot::Bot;
use crate::party::{Party, challenge, code_in};
use crate::person::{Event, Person};
use crate::script::SHORT;
use crate::synapse::Synapse;

/// Somebody is called otherwise from now on, as somebody else sees in their room.
async fn rename(person: &Person, name: &str, witness: &Person, room: &Room) {
    person.be_called(name).await;
    let what = format!("{} to be called {name}", person.id);
    witness
        .until(&what, || {
            let heard = witness.heard_in(room.room_id());
            let named =
                |event: &&Event| event.sender() == person.id && event.text("/type") == "m.room.member";
            let last = heard.iter().rfind(named)?;
            (last.text("/content/displayname") == name).then_some(())
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_of_one_name_are_told_apart() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-twins");
    let ann = Person::come(synapse, "ann-twins").await;
    let first = Person::come(synapse, "bea1-twins").await;
    let second = Person::come(synapse, "bea2-twins").await;
    for twin in [&first, &second] {
        twin.be_called("Bea").await;
    }
    let room = ann.make_room(&[bot.id(), &first.id, &second.id], json!({})).await;
    let _firsts = first.enter(room.room_id()).await;
    let seconds = second.enter(room.room_id()).await;
    for id in [bot.id(), &first.id, &second.id] {
        ann.until_joined(&room, id).await;
    }
    // A name that two have is asked about, with commands that can be said as they are.
    let which = ann
        .ask(&room, &format!("!challenge Bea {} none order", SHORT.game))
        .await;
    let complete = |id: &str| format!("`!challenge {id} {} none order`", SHORT.game);
    for twin in [&first, &second] {
        assert!(which.body().contains(&complete(&twin.id)), "{}", which.body());
    }
    // Whatever it is: a part of the command's own name, or several words.
    for name in ["Allen", "Bea Fox"] {
        for twin in [&first, &second] {
            rename(twin, name, &ann, &room).await;
        }
        let line = format!("!challenge {} {} none order", name.to_lowercase(), SHORT.game);
        let which = ann.ask(&room, &line).await;
        for twin in [&first, &second] {
            assert!(which.body().contains(&complete(&twin.id)), "{}", which.body());
        }
    }
    for twin in [&first, &second] {
        rename(twin, "Bea", &ann, &room).await;
    }
    // The local part of an id is enough.
    ann.say(
        &room,
        &format!("!challenge @bea2-twins {} none order", SHORT.game),
    )
    .await;
    let asked = challenge(&second, bot.id()).await;
    assert_eq!(asked.mentions(), [second.id.as_str()]);
    assert!(asked.body().contains("Bea (@bea2-twins)"), "{}", asked.body());
    let code = code_in(asked.body());
    second.say(&seconds, &format!("!accept #{code}")).await;
    let board = ann.wait("the board", |event| event.kind() == "m.image").await;
    let names = ["ann-twins", "Bea (@bea2-twins)"];
    assert!(ann.download(&board).await == SHORT.picture(0, names));
    // Where nobody else is called so, she is still told apart: her name is the same in every picture.
    let alone = second.make_room(&[bot.id()], json!({ "direct": true })).await;
    second.until_joined(&alone, bot.id()).await;
    second.say(&alone, "matches").await;
    second
        .wait("the list", |event| {
            event.room == alone.room_id() && event.body().contains(&code)
        })
        .await;
    let shown = ann.ask(&room, &format!("!board #{code}")).await;
    assert!(ann.download(&shown).await == SHORT.picture(0, names));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_command_may_be_put_right_once() {
    let party = Party::meet(Synapse::shared(), "edited", false).await;
    let (bot, ann, _, room, _) = party.everybody();
    let refused = ann.say(room, "!challenge nobody-here phwar").await;
    ann.answer_to(&refused).await;
    let edit = |text: &str| {
        json!({ "msgtype": "m.text", "body": format!("* {text}"), "m.new_content": { "msgtype": "m.text", "body": text },
            "m.relates_to": { "rel_type": "m.replace", "event_id": refused } })
    };
    let open = format!("!open {} none", SHORT.game);
    for _ in 0..2 {
        ann.send(room, "m.room.message", edit(&open)).await;
    }
    let tables = || {
        let mut tables = ann.messages_of(room.room_id(), bot.id());
        tables.retain(Event::names_match);
        tables
    };
    ann.until("the table", || (!tables().is_empty()).then_some(()))
        .await;
    let listed = ann.ask(room, "!matches").await;
    let tables = tables();
    assert_eq!(tables.len(), 1, "{tables:#?}");
    assert_eq!(
        listed.body().matches("waiting for").count(),
        1,
        "one table was opened: {}",
        listed.body()
    );
    // A yes to an open table takes a seat.
    party
        .bea
        .wait("the table", |event| event.id() == tables[0].id())
        .await;
    party.bea.react(&party.beas, &tables[0], "👍").await;
    party.until_boards(1).await;
    // And a second yes is told that the match runs.
    let code = code_in(tables[0].body());
    let again = party.bea.ask(&party.beas, &format!("!accept #{code}")).await;
    assert!(again.body().contains("the match is on"), "{}", again.body());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_calls_the_bot_by_name_is_answered() {
    let (party, _) = Party::at_play(Synapse::shared(), "hailed", false).await;
    let (bot, ann, bea, room, beas) = party.everybody();
    // A greeting is no part of the question, which is about the game that they play.
    let words = "hey @parlor-hailed how do I play?";
    let mention = json!({ "msgtype": "m.text", "body": words, "m.mentions": { "user_ids": [bot.id()] } });
    let asked = ann.send(room, "m.room.message", mention).await;
    let rules = ann.answer_to(&asked).await;
    assert_eq!(rules.kind(), "m.image", "{}", rules.body());
    // Older clients say nothing of mentions.
    let plain = json!({ "msgtype": "m.text", "body": words });
    let asked = bea.send(beas, "m.room.message", plain).await;
    let rules = bea.answer_to(&asked).await;
    assert_eq!(rules.kind(), "m.image", "{}", rules.body());
    // Whoever makes no sense is told so, and not only once.
    for _ in 0..3 {
        let puzzled = ann.ask(room, &format!("{}: frobnicate", bot.id())).await;
        assert!(puzzled.body().contains("frobnicate"), "{}", puzzled.body());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn alone_with_the_bot_a_refused_command_may_be_put_right_too() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-slip");
    let ann = Person::come(synapse, "ann-slip").await;
    let room = ann
        .make_room(&[bot.id()], json!({ "direct": true, "encrypted": true }))
        .await;
    ann.until_joined(&room, bot.id()).await;
    let refused = ann.say(&room, "open chess").await;
    let said = || {
        let mut said = ann.messages_of(room.room_id(), bot.id());
        said.retain(|event| !event.body().starts_with("Hello!"));
        said
    };
    ann.until("the refusal", || (!said().is_empty()).then_some(()))
        .await;
    let edit = json!({ "msgtype": "m.text", "body": "* games", "m.new_content": { "msgtype": "m.text", "body": "games" },
        "m.relates_to": { "rel_type": "m.replace", "event_id": refused } });
    ann.send(&room, "m.room.message", edit).await;
    ann.wait("the games", |event| event.body().starts_with("The games"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_answer_waits_for_its_invitation_to_be_accepted() {
    let mut party = Party::meet(Synapse::shared(), "patient", false).await;
    let (_, _, bea, _, beas) = party.everybody();
    party
        .ann
        .say(
            &party.room,
            &format!("!challenge {} breaker variant=blind none order", bea.id),
        )
        .await;
    let code = code_in(party.challenge().await.body());
    bea.say(beas, &format!("!accept #{code}")).await;
    party.until_boards(1).await;
    let wait = bea.ask(beas, &format!("!text #{code}")).await;
    assert!(wait.body().contains("you'll find it there"), "{}", wait.body());
    // It waits however often the bot dies.
    party.bot.fall();
    party.bot.rise();
    let bea = &party.bea;
    let alone = bea.accept_invitation_of(party.bot.id()).await;
    bea.wait("what I asked for", |event| {
        event.room == alone.room_id() && event.body().contains("```")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_account_gets_a_name_and_a_face() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-face");
    let path = format!("/_matrix/client/v3/profile/{}", bot.id());
    let profile = crate::web::wait_for("a name and a face", || {
        let profile = synapse.with_token(&crate::rooms::token(&bot), "GET", &path, &json!(null));
        profile["avatar_url"].is_string().then_some(profile)
    });
    assert_eq!(profile["displayname"], "Phase Parlor");
}
