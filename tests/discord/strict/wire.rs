//! Doors, permissions, rates and faults.

use std::time::Duration;

use serde_json::json;

use super::{Client, with, words};
use crate::driver::program::is_here;
use crate::standin::faults::{Gate, Trouble};
use crate::standin::model::Overwrite;
use crate::standin::permissions::{ATTACH_FILES, EMBED_LINKS, SEND_MESSAGES, VIEW_CHANNEL};

#[test]
fn a_wrong_token_is_refused_and_counted() {
    let client = Client::new();
    client.standin.shared.with(|model| model.token = None);
    let (status, ..) = client.ask("GET", "/users/@me", None);
    assert_eq!(status, 401);
    assert_eq!(client.standin.shared.with(|model| model.invalid_requests), 1);
}

#[test]
fn an_unknown_route_fails_the_test() {
    for (method, path) in [
        ("GET", "/users/@me/guilds/1/members"),
        ("DELETE", "/channels/1"),
        ("GET", "/sticker-packs"),
        ("PUT", "/applications/1/guilds/2/commands"),
    ] {
        let client = Client::new();
        assert_eq!(client.ask(method, path, None).0, 404);
        assert!(!client.standin.problems(&[0, 10003]).is_empty(), "{path}");
    }
}

#[test]
fn a_stranger_at_the_door_fails_the_test() {
    let client = Client::new();
    let request = client.request("GET", "/users/@me").header("user-agent", "curl/8");
    assert_eq!(client.send(request).unwrap().0, 404);
    assert_eq!(client.standin.problems(&[]).len(), 1);
}

#[test]
fn permissions_are_kept() {
    let client = Client::new();
    let deny = |permissions: u64| {
        client.standin.shared.with(|model| {
            let bot = model.bot;
            if let Some(channel) = model.channels.get_mut(&client.channel) {
                channel.overwrites = vec![Overwrite {
                    id: bot,
                    allow: 0,
                    deny: permissions,
                }];
            }
        });
    };
    let embed = with(json!({ "embeds": [{ "title": "x" }] }));
    assert_eq!(client.say(&embed).0, 200);
    deny(EMBED_LINKS);
    assert_eq!((client.say(&words("x")).0, client.say(&embed).1), (200, 50013));
    deny(SEND_MESSAGES);
    assert_eq!(client.say(&words("x")).1, 50013);
    deny(VIEW_CHANNEL);
    assert_eq!(client.say(&words("x")).1, 50001);
    deny(ATTACH_FILES);
    let part = reqwest::multipart::Part::bytes(vec![7; 9]).file_name("board.png");
    let form = reqwest::multipart::Form::new()
        .text("payload_json", words("x").to_string())
        .part("files[0]", part);
    let path = format!("/channels/{}/messages", client.channel);
    assert_eq!(
        client
            .send(client.request("POST", &path).multipart(form))
            .unwrap()
            .1,
        50013
    );
    assert_eq!(client.standin.shared.with(|model| model.invalid_requests), 4);
}

#[test]
fn closed_doors_are_found_closed_when_somebody_writes() {
    let client = Client::new();
    client.standin.shared.with(|model| {
        if let Some(user) = model.users.get_mut(&client.user) {
            user.dms_open = false;
        }
    });
    let body = json!({ "recipient_id": client.user.to_string() });
    let (status, _, dm) = client.ask("POST", "/users/@me/channels", Some(&body));
    assert_eq!(status, 200);
    let path = format!("/channels/{}/messages", dm["id"].as_str().unwrap());
    assert_eq!(client.ask("POST", &path, Some(&words("x"))).1, 50007);
}

#[test]
fn what_is_gone_is_unknown() {
    let client = Client::new();
    let (_, _, sent) = client.say(&words("x"));
    let path = format!(
        "/channels/{}/messages/{}",
        client.channel,
        sent["id"].as_str().unwrap()
    );
    assert_eq!(client.ask("DELETE", &path, None).0, 204);
    assert_eq!(client.ask("PATCH", &path, Some(&words("y"))).1, 10008);
    client
        .standin
        .shared
        .with(|model| model.channels.remove(&client.channel));
    assert_eq!(client.say(&words("x")).1, 10003);
}

#[test]
fn a_nonce_is_said_once_until_it_is_forgotten() {
    let client = Client::new();
    let body = with(json!({ "nonce": "n", "enforce_nonce": true }));
    let id = || client.say(&body).2["id"].clone();
    let first = id();
    assert_eq!(id(), first);
    client
        .standin
        .shared
        .with(|model| model.clock.advance(Duration::from_secs(300)));
    assert_ne!(id(), first);
    // Without being enforced it is only a word.
    let loose = with(json!({ "nonce": "m" }));
    assert_ne!(client.say(&loose).2["id"], client.say(&loose).2["id"]);
}

#[test]
fn only_who_is_allowed_is_pinged() {
    let client = Client::new();
    let ping = format!("<@{}> @everyone", client.user);
    let pinged = |content: &str, allowed: serde_json::Value| {
        client.say(&json!({ "content": content, "allowed_mentions": allowed }));
        client.standin.shared.with(|model| {
            let last = model.messages.values().last().unwrap();
            (last.pinged.len(), last.pinged_everyone)
        })
    };
    assert_eq!(pinged(&ping, json!({ "parse": [] })), (0, false));
    assert_eq!(
        pinged(&ping, json!({ "parse": ["users", "everyone"] })),
        (1, true)
    );
    assert_eq!(
        pinged(&ping, json!({ "parse": [], "users": [client.user.to_string()] })),
        (1, false)
    );
    assert_eq!(
        pinged(&format!("`{ping}`"), json!({ "parse": ["users"] })),
        (0, false)
    );
}

#[test]
fn a_bucket_is_full_until_its_window_ends() {
    let client = Client::new();
    client
        .standin
        .shared
        .with(|model| model.rates.limit_channels(2, Duration::from_secs(5)));
    let say = || client.say(&words("x")).0;
    assert_eq!([say(), say(), say()], [200, 200, 429]);
    client
        .standin
        .shared
        .with(|model| model.clock.advance(Duration::from_secs(5)));
    assert_eq!(say(), 200);
    let (refused, invalid) = client
        .standin
        .shared
        .with(|model| (model.rates.refused, model.invalid_requests));
    assert_eq!((refused, invalid), (1, 1));
}

#[test]
fn trouble_comes_on_demand_and_only_as_often_as_asked() {
    let client = Client::new();
    let order = |trouble: Trouble| {
        let channel = client.channel;
        client
            .standin
            .shared
            .with(|model| model.faults.add(1, trouble, move |call| call.posts_to(channel)));
    };
    let count = || client.standin.shared.with(|model| model.messages.len());
    let say = || {
        client.try_ask(
            "POST",
            &format!("/channels/{}/messages", client.channel),
            Some(&words("x")),
        )
    };
    order(Trouble::Status(503));
    assert_eq!((say().unwrap().0, count()), (503, 0));
    order(Trouble::Code(403, 50013));
    assert_eq!((say().unwrap().1, count()), (50013, 0));
    order(Trouble::Drop);
    assert!(say().is_err() && count() == 0);
    order(Trouble::DropAnswer);
    assert!(say().is_err() && count() == 1);
    order(Trouble::TooMany {
        after: 0.5,
        global: true,
    });
    assert_eq!((say().unwrap().0, count()), (429, 1));
    for trouble in [Trouble::HoldBefore, Trouble::HoldAfter] {
        let gate = Gate::shut();
        let (before, done_first) = (count(), matches!(trouble(gate.clone()), Trouble::HoldAfter(_)));
        order(trouble(gate.clone()));
        std::thread::scope(|scope| {
            let held = scope.spawn(|| say().unwrap().0);
            client.standin.shared.wait("it to be held", |model| {
                let journal = model.journal.last()?;
                let held = journal.contains("Hold") || (done_first && journal.ends_with("-> 200"));
                held.then_some(())
            });
            client.standin.shared.wait("it to be done, or not", |model| {
                (model.messages.len() == before + usize::from(done_first)).then_some(())
            });
            assert!(!held.is_finished());
            gate.open();
            assert_eq!(held.join().unwrap(), 200);
        });
        assert_eq!(count(), before + 1);
    }
}

#[test]
fn only_this_machine_is_here() {
    for here in [
        "0100007F:01BB",
        "0000000000000000FFFF00000100007F:01BB",
        "00000000:0000",
    ] {
        assert!(is_here(here), "{here}");
    }
    for away in [
        "08080808:01BB",
        "0000000000000000FFFF000008080808:01BB",
        "7F080808:01BB",
    ] {
        assert!(!is_here(away), "{away}");
    }
}
