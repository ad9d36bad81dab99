//! Tokens that are no good, and what the operator is told.

use crate::driver::Town;
use crate::driver::town::TOKEN;
use crate::standin::Shared;
use crate::standin::faults::Trouble;
use crate::standin::gateway::{Out, Outgrown};

/// Starts the program, which ends by itself with one clear line.
fn ends_with_one_line(mut town: Town, about: &str) {
    town.expect_refusals(&[0]);
    town.launch(&[("RUST_LOG", "")]);
    let status = town.program().wait();
    assert!(!status.success());
    let lines = town.program().lines();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(
        lines[0].contains(about) && lines[0].to_lowercase().contains("discord"),
        "{lines:?}"
    );
    assert!(!lines[0].contains(TOKEN));
}

#[test]
fn a_bad_token_is_told_in_one_line() {
    let town = Town::asleep();
    town.shared()
        .with(|model| model.token = Some("another".to_owned()));
    ends_with_one_line(town, "token");
}

#[test]
fn a_token_that_the_gateway_refuses_is_told_in_one_line() {
    let town = Town::asleep();
    town.shared().with(|model| model.sessions.turn_away = Some(4004));
    ends_with_one_line(town, "token");
}

#[test]
fn intents_that_are_refused_are_told_in_one_line() {
    let town = Town::asleep();
    town.shared().with(|model| model.sessions.turn_away = Some(4014));
    ends_with_one_line(town, "intents");
}

#[test]
fn a_gateway_that_speaks_another_version_is_told_in_one_line() {
    let town = Town::asleep();
    town.shared().with(|model| model.sessions.turn_away = Some(4012));
    ends_with_one_line(town, "4012");
}

/// Discord refuses the number of shards, and the bot asks for a better one. The operator is told in one line.
fn asks_for_shards_anew(code: u16) {
    let mut town = Town::asleep();
    town.shared()
        .with(|model| model.sessions.outgrown = Some(Outgrown { code, shards: 2 }));
    town.launch(&[("RUST_LOG", "")]);
    town.shared().wait("both shards", |model| {
        let connected = model.sessions.all.iter().filter(|session| session.is_connected());
        let right = connected.filter(|session| session.shard.1 == 2);
        (right.count() == 2).then_some(())
    });
    town.kill();
    let told = town.traces();
    let complaints: Vec<&String> = told
        .iter()
        .filter(|line| line.contains("WARN") || line.contains("ERROR"))
        .collect();
    let [line] = complaints[..] else {
        panic!("one line for the operator: {told:#?}");
    };
    assert!(
        line.contains(&format!("({code})")) && line.contains("asking anew how many"),
        "{line}"
    );
}

#[test]
fn a_bot_with_too_many_servers_for_its_shards_asks_how_many_it_needs() {
    asks_for_shards_anew(4011);
}

#[test]
fn a_bot_whose_shard_is_refused_asks_how_many_there_are() {
    asks_for_shards_anew(4010);
}

#[test]
fn a_lacking_scope_is_told_in_one_line() {
    let mut town = Town::asleep();
    town.expect_refusals(&[50001]);
    town.shared().with(|model| {
        let refused = Trouble::Code(403, 50001);
        model
            .faults
            .add(1, refused, |call| call.is("PUT", &["applications"]));
    });
    ends_with_one_line(town, "applications.commands");
}

#[test]
fn a_token_that_is_revoked_ends_a_bot_that_has_nothing_else_to_do() {
    let mut town = Town::awake();
    town.expect_refusals(&[0]);
    town.shared().with(|model| {
        model.token = None;
        model.sessions.tell_all(|| Out::Close(4000));
    });
    let status = town.program().wait();
    assert!(!status.success());
    let lines = town.program().lines();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("does not accept the token")),
        "{lines:#?}"
    );
}

#[test]
fn other_platforms_go_on_without_discord() {
    let mut town = Town::asleep();
    town.expect_refusals(&[0]);
    town.shared().with(|model| model.token = None);
    town.launch(&[
        ("PARLOR_LOCAL_ENABLED", "true"),
        ("PARLOR_LOCAL_LISTEN", "127.0.0.1:0"),
    ]);
    let said = |shared: &Shared, what: &'static str| {
        shared.wait(what, move |model| {
            model.journal.iter().any(|line| line.contains(what)).then_some(())
        });
    };
    said(town.shared(), "does not accept the token");
    said(town.shared(), "is open: http://");
    assert!(!town.program().has_ended());
    assert!(town.program().stop().success());
}

#[test]
fn half_a_detour_is_refused() {
    let town = Town::asleep();
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_parlor"))
        .current_dir(town.folder())
        .env("PARLOR_DISCORD_TOKEN", TOKEN)
        .env("PARLOR_DISCORD_API_ADDRESS", town.standin.address.to_string())
        .output()
        .unwrap();
    assert!(!program.status.success());
    let said = String::from_utf8_lossy(&program.stderr);
    assert!(
        said.contains("api_ca_file") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn a_bot_that_starts_before_discord_waits_for_it() {
    let mut town = Town::asleep();
    town.shared().with(|model| {
        model
            .faults
            .add(3, Trouble::Status(503), |call| call.is("GET", &["gateway"]));
    });
    town.start();
}
