//! A fixed number of strange texts for every parser: good ones that were spoilt, and noise. What must hold is said in
//! `tests/fuzz/parsers.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use parlor::catalog::games;
use parlor::chat::grammar::{COMMANDS, CommandSpec};
use parlor::game::{GameRng, OptionValues, Seat, Seed};
use parlor::games::phase::card::{DeckCode, card_set, list};
use parlor::matches::record::Record;

use crate::fuzz;
use crate::texts::{shaken, text};

/// Throws so many texts at a parser. It has to understand the samples, and must not understand everything.
fn throw(count: u64, samples: &[String], parser: impl Fn(&str) -> bool) {
    for sample in samples {
        assert!(parser(sample), "a good text is refused: {sample}");
    }
    let mut refused = 0;
    for number in 0..count {
        let mut rng = GameRng::quick(number);
        let text = if rng.below(3) == 0 {
            text(&mut rng, samples)
        } else {
            shaken(&mut rng, samples)
        };
        match catch_unwind(AssertUnwindSafe(|| parser(&text))) {
            Ok(understood) => refused += u64::from(!understood),
            Err(panic) => {
                println!("text {number}: {text:?}");
                resume_unwind(panic);
            }
        }
    }
    assert!(
        (1..count).contains(&refused),
        "{refused} of {count} texts were refused"
    );
}

#[test]
fn moves_of_every_game() {
    for game in 0..games().count() {
        for steps in [0, 1, 5, 20] {
            let (table, seat) = fuzz::position(game, steps);
            throw(250, &table.legal(seat), |text| {
                fuzz::moves(table.as_ref(), seat, text)
            });
        }
    }
}

#[test]
fn lines_in_chat() {
    let examples = COMMANDS.iter().map(CommandSpec::example);
    let others = [
        "challenge @bea @cy phwar seats=3 clock=relaxed order",
        "challenge bot fabric 3 target=100",
        "move #K7QF F2-F5; F9-F7",
        "resign #K7QF sure",
        "deck add mine F1 F2 F3",
    ];
    let lines: Vec<String> = examples.chain(others.map(str::to_owned)).collect();
    throw(8000, &lines, fuzz::chat_line);
}

#[test]
fn configuration() {
    let example = include_str!("../../config.example.toml").to_owned();
    let set = "[store]\npath = \"data\"\n[local]\nenabled = true\nlisten = \"127.0.0.1:8787\"\n[matrix]\nhomeserver = \"https://example.org\"\nuser = \"parlor\"\nallow = [\"@ann:example.org\", \"example.com\"]\n";
    let variables = "PARLOR_LOCAL_ENABLED=true\nPARLOR_LOCAL_LISTEN=127.0.0.1:80\nPARLOR_DISCORD_APPLICATION_ID=12\nPARLOR_MATRIX_ALLOW=a b,c\n";
    let files = [example, set.to_owned()];
    throw(3000, &files, fuzz::config);
    throw(3000, &[variables.to_owned()], fuzz::environment);
}

#[test]
fn records_of_matches() {
    let seed = Seed::from_text("record");
    let records: Vec<String> = games()
        .map(|entry| {
            let options = OptionValues::defaults(entry.meta.options);
            let seats = *entry.meta.seats.start();
            let mut record = Record::start(entry, &options, seats, &seed);
            let mut table = entry.open(&options, seats, &seed).unwrap();
            for step in 1..=6 {
                let seat: Seat = table.awaiting().seats().iter().next().unwrap();
                let legal = table.legal(seat);
                let action = legal[seed.at(step).below(legal.len())].clone();
                table.play(seat, &action, &seed, step).unwrap();
                record.act(seat, action);
            }
            record.to_json().unwrap()
        })
        .collect();
    throw(1500, &records, fuzz::record);
    let read = |json: &String| Record::read(json).unwrap().to_notation();
    let notations: Vec<String> = records.iter().map(read).collect();
    throw(1500, &notations, fuzz::record);
}

#[test]
fn files_of_cards() {
    let file = include_str!("../../assets/phase/second/fengarian.cards");
    let blocks = file
        .split("\n\n")
        .filter(|block| block.starts_with("good ") || block.starts_with("evil "));
    let files: Vec<String> = blocks
        .map(|block| format!("faction Fengarian\n\n{block}\n"))
        .collect();
    assert!(files.len() > 20, "{} faces", files.len());
    throw(4000, &files, fuzz::card_file);
}

#[test]
fn decks_and_their_codes() {
    let decks = card_set().decks().iter();
    let texts: Vec<String> = decks
        .flat_map(|ready| {
            let code = DeckCode(ready.deck.clone()).to_string();
            [code, list::write(&ready.name, ready.deck.cards())]
        })
        .collect();
    throw(3000, &texts, fuzz::deck);
}

#[cfg(feature = "discord")]
#[test]
fn interactions_on_discord() {
    let user =
        r#"{ "id": "3", "username": "ann", "discriminator": "0", "global_name": "Ann", "avatar": null }"#;
    let common = format!(
        r#""id": "1", "application_id": "2", "token": "t", "version": 1, "channel_id": "5", "user": {user}, "locale": "en-GB",
        "entitlements": [], "attachment_size_limit": 10485760, "app_permissions": "2147483647", "authorizing_integration_owners": {{ "1": "3" }}, "context": 1"#
    );
    let command = format!(
        r#"{{ "type": 2, {common}, "data": {{ "id": "7", "name": "challenge", "type": 1, "options": [
        {{ "name": "player1", "type": 6, "value": "8" }}, {{ "name": "game", "type": 3, "value": "phwar" }},
        {{ "name": "seats", "type": 4, "value": 3 }}, {{ "name": "clock", "type": 3, "value": "relaxed" }} ] }} }}"#
    );
    let typed = format!(
        r#"{{ "type": 4, {common}, "data": {{ "id": "7", "name": "move", "type": 1, "options": [
        {{ "name": "move", "type": 3, "value": "F2", "focused": true }}, {{ "name": "match", "type": 3, "value": "K7QF" }} ] }} }}"#
    );
    let message = format!(
        r#"{{ "id": "9", "channel_id": "5", "author": {user}, "content": "", "timestamp": "2026-01-01T00:00:00Z", "edited_timestamp": null,
        "tts": false, "mention_everyone": false, "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": false, "type": 0 }}"#
    );
    let button = format!(
        r#"{{ "type": 3, {common}, "message": {message}, "data": {{ "custom_id": ">2 moves #K7QF", "component_type": 2 }} }}"#
    );
    let menu = format!(
        r#"{{ "type": 3, {common}, "message": {message}, "data": {{ "custom_id": "?0", "component_type": 3, "values": ["move F2-F5"] }} }}"#
    );
    throw(4000, &[command, typed, button, menu], fuzz::discord_interaction);
}

#[cfg(feature = "matrix")]
#[test]
fn messages_on_matrix() {
    let html = [
        "!challenge <a href=\"https://matrix.to/#/@bea:example.org\">Bea &lt;3</a> phwar",
        "<mx-reply><blockquote>!resign <a href='https://matrix.to/#/%40x%3Ay'>x</a></blockquote></mx-reply>F2-F5",
        "<p>a &amp; b<br/>c</p><p>1 &#60; 2 &#x3e; 0 &nope; &</p><a href=matrix:u/bea:example.org>B</a>",
    ]
    .map(str::to_owned);
    throw(6000, &html, fuzz::matrix_html);
    let events = [
        r#"{ "event_id": "$1:a.b", "sender": "@a:a.b", "origin_server_ts": 17, "type": "m.room.message", "content": {
        "msgtype": "m.text", "body": "> <@b:a.b> hi\n\n!games", "m.mentions": { "user_ids": ["@b:a.b"] }, "m.relates_to": {
        "rel_type": "m.thread", "event_id": "$2:a.b", "is_falling_back": true, "m.in_reply_to": { "event_id": "$3:a.b" } } } }"#,
        r#"{ "event_id": "$4:a.b", "sender": "@a:a.b", "type": "m.reaction", "content": { "m.relates_to": {
        "rel_type": "m.annotation", "event_id": "$2:a.b", "key": "✅" } } }"#,
        r#"{ "event_id": "$5:a.b", "sender": "@a:a.b", "type": "m.room.member", "state_key": "@c:a.b",
        "content": { "membership": "join" }, "unsigned": { "prev_content": { "membership": "invite" } } }"#,
    ]
    .map(str::to_owned);
    throw(4000, &events, fuzz::matrix_event);
}
