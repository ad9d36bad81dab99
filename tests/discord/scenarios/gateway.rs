//! The line to Discord breaks, and is mended.

use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::driver::{Town, User};
use crate::standin::gateway::Out;
use crate::standin::permissions;

fn says_games(user: &User) {
    let words = user.slash("games", &json!({})).words();
    assert!(words.contains("Phwar"), "{words}");
}

/// How often somebody has identified and resumed.
fn counts(town: &Town) -> (usize, usize) {
    town.shared()
        .with(|model| (model.sessions.identifies, model.sessions.resumes))
}

/// Breaks the line; what is said while it is down is heard when the session is resumed.
fn resumes_after_a_break(out: impl Fn() -> Out) {
    let town = Town::awake();
    let ann = town.user("Ann");
    says_games(&ann);
    town.shared().with(|model| model.sessions.tell_all(&out));
    // It may be mended before anybody has looked.
    town.shared().wait("the line to break", |model| {
        let broken = !model.sessions.is_connected() || model.sessions.resumes > 0;
        broken.then_some(())
    });
    says_games(&ann);
    assert_eq!(counts(&town), (1, 1), "one session, resumed");
    says_games(&ann);
}

/// Asks the bot to come again, which it does by itself.
fn resumes_when_asked(payload: &Value) {
    let town = Town::awake();
    let ann = town.user("Ann");
    says_games(&ann);
    town.shared()
        .with(|model| model.sessions.tell_all(|| Out::Payload(payload.clone())));
    town.shared().wait("the session to be resumed", |model| {
        (model.sessions.resumes == 1 && model.sessions.is_connected()).then_some(())
    });
    assert_eq!(counts(&town), (1, 1), "one session, resumed");
    says_games(&ann);
}

/// What a health check is told by the bot that listens there.
fn readiness(listen: &str) -> String {
    let asked = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["health", "--ready"])
        .env("PARLOR_OPERATE_LISTEN", listen)
        .output()
        .unwrap();
    String::from_utf8([asked.stdout, asked.stderr].concat()).unwrap()
}

#[test]
fn the_bot_is_ready_while_the_gateway_is_up() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listen = free.to_string();
    let mut town = Town::asleep();
    town.start_with(&[("PARLOR_OPERATE_LISTEN", &listen)]);
    let told = |said: &str| {
        town.shared()
            .wait(said, |_| (readiness(&listen).trim_end() == said).then_some(()));
    };
    told("ok");
    town.shared().with(|model| {
        model.sessions.turn_away = Some(4000);
        model
            .sessions
            .tell_all(|| Out::Payload(json!({ "op": 9, "d": false })));
    });
    told("parlor: discord: not connected");
    town.shared().with(|model| model.sessions.turn_away = None);
    told("ok");
}

#[test]
fn a_session_is_resumed_when_discord_asks_for_it() {
    resumes_when_asked(&json!({ "op": 7, "d": null }));
}

#[test]
fn a_session_that_is_invalid_for_now_is_resumed() {
    resumes_when_asked(&json!({ "op": 9, "d": true }));
}

#[test]
fn a_session_is_resumed_after_a_close() {
    resumes_after_a_break(|| Out::Close(4000));
}

#[test]
fn a_session_is_resumed_after_a_cut() {
    resumes_after_a_break(|| Out::Cut);
}

#[test]
fn an_invalid_session_is_begun_anew() {
    let town = Town::awake();
    let ann = town.user("Ann");
    town.shared().with(|model| {
        model
            .sessions
            .tell_all(|| Out::Payload(json!({ "op": 9, "d": false })));
    });
    town.shared().wait("the bot to identify anew", |model| {
        (model.sessions.identifies == 2 && model.sessions.is_connected()).then_some(())
    });
    says_games(&ann);
    assert_eq!(town.shared().with(|model| model.registrations), 1);
}

#[test]
fn a_session_that_discord_has_forgotten_is_begun_anew() {
    let town = Town::awake();
    let ann = town.user("Ann");
    town.shared().with(|model| {
        model.sessions.tell_all(|| Out::Close(4000));
        model.sessions.all.clear();
    });
    town.shared().wait("the bot to identify anew", |model| {
        (model.sessions.identifies == 2 && model.sessions.is_connected()).then_some(())
    });
    assert_eq!(counts(&town), (2, 1));
    says_games(&ann);
}

#[test]
fn heartbeats_that_nobody_answers_lead_to_a_new_line() {
    let mut town = Town::asleep();
    town.shared()
        .with(|model| model.heartbeat_interval = Duration::from_millis(300));
    town.start();
    let ann = town.user("Ann");
    says_games(&ann);
    let before = town.shared().with(|model| {
        model.sessions.mute = true;
        // The next line is given time: on a busy machine it must not break before it is used.
        model.heartbeat_interval = Duration::from_secs(30);
        model.sessions.connections
    });
    town.shared().wait("a new line", |model| {
        (model.sessions.connections > before).then_some(())
    });
    town.shared().with(|model| model.sessions.mute = false);
    // The old line may still be there for a moment, and nobody hears what is said on it.
    town.shared().wait("the bot to be back", |model| {
        (model.sessions.identifies == 2 && model.sessions.is_connected()).then_some(())
    });
    says_games(&ann);
}

#[test]
fn two_shards_serve_two_servers() {
    let mut town = Town::asleep();
    let other = town.shared().with(|model| {
        model.shards = 2;
        let shard_of = |guild: u64| (guild >> 22) % 2;
        let mut other = model.add_guild("Village", permissions::INVITED);
        while shard_of(other) == shard_of(town.guild) {
            model.guilds.remove(&other);
            other = model.add_guild("Village", permissions::INVITED);
        }
        other
    });
    town.start();
    town.shared().wait("both shards", |model| {
        let connected = model.sessions.all.iter().filter(|session| session.is_connected());
        (connected.count() == 2).then_some(())
    });
    says_games(&town.user("Ann"));
    let owner = town.shared().with(|model| {
        let channel = model.add_channel(other, "green");
        (model.guilds[&other].owner, channel)
    });
    says_games(&User::new(town.shared().clone(), owner.0, owner.1));
    assert_eq!(town.shared().with(|model| model.registrations), 1);
}
