//! What the operator sees: sessions, keys, and one clear line when something is wrong.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::bot::{Bot, program, run_to_end};
use crate::person::Person;
use crate::proxy::{Manner, Proxy};
use crate::rooms::token;
use crate::synapse::{Synapse, log_in};

/// The devices of a bot's account, with the signatures of each.
pub fn devices(synapse: &Synapse, bot: &Bot) -> Vec<(String, usize)> {
    let query = json!({ "device_keys": { bot.id(): [] } });
    let keys = synapse.with_token(&token(bot), "POST", "/_matrix/client/v3/keys/query", &query);
    let all = synapse.with_token(&token(bot), "GET", "/_matrix/client/v3/devices", &Value::Null);
    let devices = all["devices"].as_array().unwrap().iter();
    devices
        .map(|device| {
            let id = device["device_id"].as_str().unwrap();
            let signatures = &keys["device_keys"][bot.id()][id]["signatures"][bot.id()];
            (
                id.to_owned(),
                signatures.as_object().map_or(0, serde_json::Map::len),
            )
        })
        .collect()
}

#[test]
fn the_session_outlives_restarts_and_the_operator_gets_a_key() {
    let synapse = Synapse::shared();
    let mut bot = Bot::start(synapse, "parlor-session");
    let first = devices(synapse, &bot);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].1, 2, "signed by itself and by its owner");
    let folder = bot.data().join("matrix");
    for file in ["session.json", "recovery-key"] {
        let mode = folder.join(file).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let (status, complaints) = bot.stop();
    assert!(status.success(), "{complaints}");
    assert_eq!(complaints.matches("recovery-key").count(), 1, "{complaints}");
    let key = std::fs::read_to_string(folder.join("recovery-key")).unwrap();
    assert!(
        !complaints.contains(key.trim()),
        "the key itself is not in the log"
    );

    bot.rise();
    assert_eq!(devices(synapse, &bot), first, "no new device");
    let (_, complaints) = bot.stop();
    assert_eq!(complaints, "", "told once");
    // The session is no part of the matches: they can be saved, and brought back beside it.
    let backup = bot.data().with_file_name("parlor.backup");
    let run = |arguments: &[&str]| {
        let mut command = program(bot.data().parent().unwrap());
        let done = command
            .env("PARLOR_STORE_PATH", bot.data())
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    run(&["backup", backup.to_str().unwrap()]);
    for entry in std::fs::read_dir(bot.data()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::remove_file(path).unwrap();
        } else if !path.ends_with("matrix") {
            std::fs::remove_dir_all(path).unwrap();
        }
    }
    run(&["restore", backup.to_str().unwrap()]);
    bot.rise();
    assert_eq!(devices(synapse, &bot), first);
}

#[test]
fn another_machine_needs_the_recovery_key() {
    let synapse = Synapse::shared();
    let mut bot = Bot::start(synapse, "parlor-machine");
    bot.stop();
    let key = std::fs::read_to_string(bot.data().join("matrix/recovery-key")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let start = |key: Option<&str>| {
        let mut command = program(folder.path());
        command
            .env("PARLOR_MATRIX_HOMESERVER", synapse.url())
            .env("PARLOR_MATRIX_USER", bot.id())
            .env("PARLOR_MATRIX_PASSWORD", &bot.account.password)
            .envs(key.map(|key| ("PARLOR_MATRIX_RECOVERY_KEY", key)));
        command
    };
    let refused = run_to_end(&mut start(None));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(
        said.contains("recovery_key") && !refused.status.success(),
        "{said}"
    );
    let wrong = run_to_end(&mut start(Some("EsTc nonsense")));
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        said.contains("the recovery_key does not work") && !wrong.status.success(),
        "{said}"
    );

    let mut child = start(Some(key.trim()))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    let devices = devices(synapse, &bot);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains("open on Matrix"), "{line}");
    assert_eq!(
        devices.len(),
        2,
        "one for each machine, however often it was tried"
    );
    assert!(
        devices.iter().all(|(_, signatures)| *signatures == 2),
        "{devices:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_access_token_will_do() {
    let synapse = Synapse::shared();
    let account = synapse.register("parlor-token");
    let session = log_in(synapse, &account);
    let mut bot = Bot::of(synapse, account).with_token(session["access_token"].as_str().unwrap());
    bot.rise();
    let ann = Person::come(synapse, "ann-token").await;
    let room = ann.make_room(&[bot.id()], json!({ "encrypted": true })).await;
    ann.until_joined(&room, bot.id()).await;
    ann.say(&room, "games").await;
    let games = ann
        .wait("the games", |event| event.body().starts_with("The games"))
        .await;
    assert!(games.encrypted);
    let devices = devices(synapse, &bot);
    assert_eq!(devices, [(session["device_id"].as_str().unwrap().to_owned(), 2)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_of_another_account_is_left_alone() {
    let synapse = Synapse::shared();
    let mut bot = Bot::start(synapse, "parlor-first");
    let first = devices(synapse, &bot);
    bot.stop();
    let folder = bot.data().join("matrix");
    let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
    let kept = [read("session.json"), read("recovery-key")];
    let other = synapse.register("parlor-second");
    let theirs = log_in(synapse, &other);
    let token = theirs["access_token"].as_str().unwrap();
    let start = |environment: &[(&str, &str)]| {
        let mut command = program(bot.data().parent().unwrap());
        let command = command
            .env("PARLOR_STORE_PATH", bot.data())
            .env("PARLOR_MATRIX_HOMESERVER", synapse.url());
        run_to_end(command.envs(environment.iter().copied()))
    };
    let by_password = [
        ("PARLOR_MATRIX_USER", other.id.as_str()),
        ("PARLOR_MATRIX_PASSWORD", &other.password),
    ];
    for environment in [&by_password[..], &[("PARLOR_MATRIX_ACCESS_TOKEN", token)]] {
        let refused = start(environment);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(said.contains(&format!("belongs to {}", bot.id())), "{said}");
        assert_eq!([read("session.json"), read("recovery-key")], kept);
    }
    // The same account, called another way or reached another way, goes on as the same device.
    let proxy = Proxy::start(synapse, Manner::Good).await;
    let mut bot = bot.at(&proxy.url);
    bot.rise();
    bot.stop();
    bot.account.id = "parlor-first".to_owned();
    bot.rise();
    bot.account.id = "@parlor-first:localhost".to_owned();
    assert_eq!(devices(synapse, &bot), first);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let synapse = Synapse::shared();
    let account = synapse.register("parlor-wrong");
    let url = synapse.url();
    let (homeserver, user, password) = (
        "PARLOR_MATRIX_HOMESERVER",
        "PARLOR_MATRIX_USER",
        "PARLOR_MATRIX_PASSWORD",
    );
    let token = "PARLOR_MATRIX_ACCESS_TOKEN";
    let cases: &[(&[(&str, &str)], &str)] = &[
        (&[(homeserver, &url)], "neither a password nor an access_token"),
        (&[(homeserver, &url), (password, "x")], "no user"),
        (&[(user, "@x:y"), (password, "x")], "no homeserver"),
        (
            &[
                (homeserver, &url),
                (user, &account.id),
                (password, "secret-nonsense"),
            ],
            "won't let",
        ),
        (
            &[
                (homeserver, "http://127.0.0.1:9"),
                (user, "@x:y"),
                (password, "x"),
            ],
            "can't log in at http://127.0.0.1:9",
        ),
        (
            &[(homeserver, "not a server"), (user, "@x:y"), (password, "x")],
            "homeserver can't be used",
        ),
        (
            &[(homeserver, &url), (token, "secret-nonsense")],
            "doesn't know the access_token",
        ),
        (&[(homeserver, &url), (token, "t"), (password, "p")], "not both"),
        (
            &[
                (homeserver, &url),
                (user, &account.id),
                (password, &account.password),
                ("PARLOR_MATRIX_ALLOW", "@nobody"),
            ],
            "`@nobody`",
        ),
    ];
    for (environment, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut command = program(folder.path());
        let done = run_to_end(command.envs(environment.iter().copied()));
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{environment:?}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(
            said.contains(expected) && said.contains("matrix: "),
            "{expected}: {said}"
        );
        assert!(!said.contains("secret-nonsense"), "{said}");
    }
}
