//! Figures and health of a bot that is well.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use parlor::chat::link::{Connection, Sending};
use parlor::matches::delivery::Delivery;
use parlor::matches::entropy::OsEntropy;
use parlor::matches::observer::{Answered, Lives, Observer, Posted, RequestResult};
use parlor::matches::port::Batch;
use parlor::matches::repository::put_delivery;
use parlor::matches::service::Service;
use parlor::matches::time::{Span, SystemClock, Time};
use parlor::operate::bot_status::{BotStatus, Platform, Verdict};
use parlor::operate::metrics::Metrics;
use parlor::store::MemoryStore;
use serde_json::{Value, json};

use super::bot::Bot;
use crate::program::good;
use crate::web::guest::{Guest, get};
use crate::web::wait_for;

/// The value of a figure, by its name and labels as they are written.
fn value(text: &str, figure: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(figure))?;
    line.trim().parse().ok()
}

#[test]
fn a_bot_at_work_tells_its_figures_and_nothing_of_anybody() {
    let folder = tempfile::tempdir().unwrap();
    let bot = Bot::start(&folder.path().join("store"));
    assert_eq!(get(bot.operate, "/healthz").status, 200);
    // The room may open a moment after the bot has said where it is.
    wait_for("a bot that is ready", || {
        (get(bot.operate, "/readyz").status == 200).then_some(())
    });
    assert_eq!(get(bot.operate, "/").status, 404);
    let ann = Guest::come(bot.room, "Zaphodia");
    ann.hear("practice phwar");
    let code = ann.get("/api/matches").json()["matches"][0]["code"]
        .as_str()
        .unwrap()
        .to_owned();
    ann.hear("F3-F5");
    ann.hear("join ZZZZ");
    let answer = get(bot.operate, "/metrics");
    assert!(
        answer
            .header("content-type")
            .unwrap()
            .starts_with("application/openmetrics-text")
    );
    let text = answer.text();
    let figure = |name: &str| value(&text, name).unwrap_or_else(|| panic!("{name} in {text}"));
    let command = |verb: &str, result: &str| {
        figure(&format!(
            "parlor_commands_total{{platform=\"local\",verb=\"{verb}\",result=\"{result}\"}}"
        ))
    };
    assert_eq!(command("practice", "done"), 1.0);
    assert_eq!(command("join", "refused"), 1.0);
    assert_eq!(figure("parlor_moves_total{game=\"phwar\"}"), 1.0);
    assert_eq!(figure("parlor_running_matches"), 1.0);
    assert_eq!(figure("parlor_store_writable"), 1.0);
    assert_eq!(figure("parlor_connected{platform=\"local\"}"), 1.0);
    assert!(figure("parlor_answer_seconds_count{platform=\"local\"}") >= 2.0);
    assert!(figure("parlor_store_commit_seconds_count") >= 1.0);
    assert!(figure("parlor_store_bytes") > 1000.0);
    assert!(figure("parlor_open_files") > 3.0);
    assert!(figure("parlor_resident_memory_bytes") > 1e6);
    for secret in ["Zaphodia", &code, &ann.token] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(0), "{logged}");
}

/// What is alive is counted when the bot starts, too.
#[test]
fn running_matches_are_counted_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let bot = Bot::start(&store);
    let ann = Guest::come(bot.room, "Ann");
    for game in ["phwar", "fabric"] {
        ann.hear(&format!("practice {game}"));
    }
    bot.end();
    let bot = Bot::start(&store);
    let running = |bot: &Bot| value(&get(bot.operate, "/metrics").text(), "parlor_running_matches");
    assert_eq!(running(&bot), Some(2.0));
    let ann = Guest {
        address: bot.room,
        ..ann
    };
    let code = ann.get("/api/matches").json()["matches"][0]["code"]
        .as_str()
        .unwrap()
        .to_owned();
    ann.hear(&format!("abort {code}"));
    wait_for("one match less", || (running(&bot) == Some(1.0)).then_some(()));
}

#[test]
fn a_health_check_needs_no_other_program() {
    let folder = tempfile::tempdir().unwrap();
    let bot = Bot::start(&folder.path().join("store"));
    let config = folder.path().join("health.toml");
    std::fs::write(&config, format!("[operate]\nlisten = \"{}\"\n", bot.operate)).unwrap();
    let config = config.to_str().unwrap();
    assert_eq!(good(&["health", "--config", config]), "ok\n");
    assert_eq!(good(&["health", "--ready", "--config", config]), "ok\n");
    drop(bot);
    let (code, complaint) = super::checking::parlor(&["health", "--config", config]);
    assert_eq!(code, Some(1), "{complaint}");
    assert!(complaint.contains("no bot answers at"), "{complaint}");
}

#[test]
fn a_bot_is_ready_when_every_line_of_every_platform_is_up() {
    let status = BotStatus::new("nowhere".into());
    let reasons = |status: &BotStatus| match status.ready() {
        Verdict::Well => Vec::new(),
        Verdict::Unwell(reasons) => reasons,
    };
    assert_eq!(reasons(&status), ["still starting"]);
    assert_eq!(status.alive(), Verdict::Well, "one that starts is alive");
    let service = service();
    let shards = Connection::new(&service, "discord");
    shards.want(2);
    status.connected(vec![
        Platform {
            name: "discord",
            connection: Arc::clone(&shards),
        },
        Platform {
            name: "matrix",
            connection: Connection::new(&service, "matrix"),
        },
    ]);
    shards.up(0);
    assert_eq!(
        reasons(&status),
        ["discord: 1 of 2 lines are connected", "matrix: not connected"]
    );
    shards.up(1);
    assert_eq!(reasons(&status), ["matrix: not connected"]);
    shards.note_sending(Sending::Fails);
    assert_eq!(reasons(&status)[0], "discord: it takes no messages");
    shards.note_sending(Sending::Works);
    shards.down(0);
    assert_eq!(reasons(&status).len(), 2);
}

/// What the operator is told and what the clocks go by is the same: time stands still for the players of a platform while
/// we don't hear all of them, or they don't hear us.
#[test]
fn clocks_stand_still_while_a_platform_is_not_connected() {
    let service = service();
    let is_lost = || service.moment().hours.is_lost("discord");
    assert!(!is_lost(), "a platform that nobody uses is not away");
    let shards = Connection::new(&service, "discord");
    assert!(is_lost(), "nothing has been heard yet");
    shards.want(2);
    shards.up(1);
    assert!(is_lost(), "whoever is on the other line can't play");
    shards.up(0);
    assert!(!is_lost());
    shards.note_sending(Sending::Fails);
    assert!(is_lost(), "nobody hears us");
    shards.note_sending(Sending::Works);
    assert!(!is_lost());
    shards.down(1);
    assert!(is_lost(), "we hear only some");
    shards.down(0);
    assert!(is_lost(), "we hear nobody");
    shards.set_up(BTreeSet::from([0, 1]));
    assert!(!is_lost());
    shards.close();
    assert!(is_lost(), "it is over");
}

/// Somewhere ten thousand things wait: that is how many are counted there, and all that waits elsewhere is.
#[tokio::test]
async fn what_waits_for_one_platform_hides_nothing_of_another() {
    const QUEUES: u64 = 6;
    const EACH: u64 = 2_000;
    let service = service();
    let now = service.now();
    let mut batch = Batch::new();
    let mut numbers = 0..;
    let mut put = |to: Value, at: Time| {
        let delivery: Delivery = serde_json::from_value(json!({
            "key": "K7QF-1", "to": to, "at": at, "code": "K7QF", "version": 3, "game": "x", "notice": "room_lost"
        }))
        .unwrap();
        put_delivery(&mut batch, numbers.next().unwrap(), &delivery).unwrap();
    };
    let before = |hours: u64| Time(now.0 - Span::hours(hours).0);
    // The oldest is the first of the last queue, where nothing is counted any more.
    put(json!({ "room": format!("discord:{}", QUEUES - 1) }), before(3));
    for number in 0..QUEUES * EACH {
        put(
            json!({ "room": format!("discord:{}", number % QUEUES) }),
            before(2),
        );
    }
    put(json!({ "room": "matrix:!hall:x.org" }), before(1));
    put(json!({ "player": "matrix:@ann:x.org" }), now);
    put(json!({ "player": "matrix:@ann:x.org" }), now);
    service.store().commit(batch).await.unwrap();
    let status = BotStatus::new("nowhere".into());
    status.opened(Arc::clone(&service));
    status.connected(vec![Platform {
        name: "local",
        connection: Connection::single(&service, "local"),
    }]);
    let text = Metrics::new().text(&status).unwrap();
    for (platform, waiting, hours) in [
        ("discord", 10_000.0, 3.0),
        ("matrix", 3.0, 1.0),
        ("local", 0.0, 0.0),
    ] {
        let figure = |name: &str| {
            let figure = format!("parlor_deliveries_{name}{{platform=\"{platform}\"}}");
            value(&text, &figure).unwrap_or_else(|| panic!("{figure} in {text}"))
        };
        assert_eq!(figure("waiting"), waiting, "{platform}");
        assert_eq!((figure("oldest_seconds") / 3600.0).floor(), hours, "{platform}");
    }
}

/// Matches that nobody plays.
fn service() -> Arc<Service> {
    let store = Arc::new(MemoryStore::default());
    Arc::new(Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).unwrap())
}

#[test]
fn every_panel_of_the_dashboard_asks_for_figures_that_exist() {
    let metrics = Metrics::new();
    for outcome in [RequestResult::Done, RequestResult::Refused, RequestResult::Failed] {
        metrics.answered(&Answered {
            platform: "local",
            verb: "move",
            outcome,
            took: Duration::from_millis(3),
        });
    }
    metrics.moved("chess", 2);
    metrics.lives(Lives::Begun);
    metrics.posted("local", Posted::PutOff);
    metrics.committed(Duration::from_millis(1), false);
    let status = BotStatus::new("nowhere".into());
    status.connected(vec![Platform {
        name: "local",
        connection: Connection::single(&service(), "local"),
    }]);
    let text = metrics.text(&status).unwrap();
    let known: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let dashboard: Value =
        serde_json::from_str(include_str!("../../../assets/operate/dashboard.json")).unwrap();
    let mut shown = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().unwrap() {
            let asked = target["expr"].as_str().unwrap();
            let words = asked.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            let mut figures = words.filter(|word| word.starts_with("parlor_")).peekable();
            assert!(figures.peek().is_some(), "{asked} asks for nothing of ours");
            for figure in figures {
                let name = ["_total", "_bucket"]
                    .iter()
                    .find_map(|end| figure.strip_suffix(end))
                    .unwrap_or(figure);
                assert!(known.contains(name), "{}: there is no {figure}", panel["title"]);
                shown.insert(name.to_owned());
            }
        }
    }
    let missing: Vec<&&str> = known.iter().filter(|name| !shown.contains(**name)).collect();
    assert!(missing.is_empty(), "no panel shows {missing:?}");
}
