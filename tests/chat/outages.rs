//! Time that is nobody's fault: the bot was off, nothing could be saved, the system's clock was set, a platform could not be
//! reached.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use crate::clocks::{how, reminders};
use crate::room::Room;
use parlor::chat::refusals::UNSAVED;
use parlor::matches::code::Code;
use parlor::matches::port::{Clock, Space};
use parlor::matches::service::Moment;
use parlor::matches::state::{How, Stage};
use parlor::matches::time::Span;

const INSTANT: Span = Span(1);

/// The bot dies, and starts again after so long.
async fn off_for(room: &mut Room, span: Span) {
    room.clock.forward(span);
    room.restart();
    room.later(Span::ZERO).await;
}

/// How much time is left to whoever is to move.
fn left(room: &Room, code: &Code) -> Span {
    let Moment { now, hours } = room.service().moment();
    let deadline = room.play_of(code).deadline(&hours, now);
    deadline.expect("a clock that runs").since(now)
}

/// Their time is up after exactly so long.
async fn ends_after(room: &Room, code: &Code, span: Span) {
    assert_eq!(left(room, code), span);
    room.later(span.saturating_sub(INSTANT)).await;
    assert!(room.is_running(code), "an instant is left");
    room.later(INSTANT).await;
    assert_eq!(how(room, code), How::Time);
}

#[tokio::test]
async fn fifty_hours_without_the_bot_are_on_nobodys_clock() {
    for (terms, bank) in [
        ("live 5m", Span::minutes(5)),
        ("daily", Span::hours(48)),
        ("relaxed", Span::hours(240)),
    ] {
        let mut room = Room::new();
        let code = room.match_of("ann", "bea", terms).await;
        room.later(Span::minutes(1)).await;
        let matches_read = room.store.reads(Space::Matches);
        off_for(&mut room, Span::hours(50)).await;
        if bank > Span::hours(2) {
            let read = room.store.reads(Space::Matches);
            assert_eq!(
                read, matches_read,
                "{terms}: a start looks only at what ends soon"
            );
        }
        assert!(room.is_running(&code), "{terms}");
        assert_eq!(reminders(&room, "ann").await, [], "{terms}: nothing was due");
        ends_after(&room, &code, bank.saturating_sub(Span::minutes(1))).await;
    }
}

#[tokio::test]
async fn a_move_right_after_the_start_is_in_time_and_the_call_says_why() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(40)).await;
    room.clock.forward(Span::hours(50));
    room.restart();
    // Nobody has looked at the clocks yet.
    room.says("ann", "matches")
        .await
        .answers("I was away for 2 days 2 hours; that time is on nobody's clock.");
    room.any_move(&code).await;
    room.hears("I was away for 2 days 2 hours; that time is on nobody's clock.")
        .await;
    assert_eq!(left(&room, &code), Span::hours(48));
    // It is said once.
    room.says("bea", "matches").await;
    room.any_move(&code).await;
    let heard = room.hears("ann, your move").await;
    assert!(!heard.text.contains("away"), "{}", heard.text);
}

#[tokio::test]
async fn what_was_not_noted_before_a_kill_is_not_charged_either() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.later(Span::minutes(1)).await;
    // The last beat was now; the bot runs on, is killed, and stays off.
    room.clock.forward(Span::seconds(50));
    off_for(&mut room, Span::hours(10)).await;
    ends_after(&room, &code, Span::minutes(4)).await;

    // Whoever is called between the beat and the kill has no more than everything.
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.later(Span::minutes(1)).await;
    room.clock.forward(Span::seconds(50));
    room.any_move(&code).await;
    off_for(&mut room, Span::hours(10)).await;
    assert_eq!(room.awaited(&code), "bea");
    let play = room.play_of(&code);
    assert_eq!(play.clocks[0].bank, Some(Span::minutes(3) + Span::seconds(10)));
    room.any_move(&code).await;
    assert_eq!(room.play_of(&code).clocks[1].bank, Some(Span::minutes(5)));
}

#[tokio::test]
async fn whoever_had_next_to_no_time_is_reminded_before_it_is_up() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    for _ in 0..48 * 6 - 1 {
        room.later(Span::minutes(10)).await;
    }
    let before = [Span::hours(24), Span::hours(12), Span::hours(1)];
    assert_eq!(reminders(&room, "ann").await, before);
    off_for(&mut room, Span::hours(3)).await;
    let heard = room.heard_at("ann").await;
    let [reminder] = &heard[..] else {
        panic!("one reminder: {heard:?}");
    };
    let said = "You have 1 hour left";
    assert!(reminder.text.contains(said), "{}", reminder.text);
    let said = "I was away for 3 hours; that time is on nobody's clock.";
    assert!(reminder.text.contains(said), "{}", reminder.text);
    // Another start gives nothing more.
    room.later(Span::minutes(20)).await;
    off_for(&mut room, Span::seconds(10)).await;
    ends_after(&room, &code, Span::minutes(40)).await;
    assert_eq!(reminders(&room, "ann").await, []);

    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.later(Span::seconds(299)).await;
    off_for(&mut room, Span::minutes(10)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::minutes(2)]);
    ends_after(&room, &code, Span::minutes(2)).await;
}

#[tokio::test]
async fn a_short_restart_gives_nobody_more_time() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.later(Span::seconds(299)).await;
    off_for(&mut room, Span::seconds(20)).await;
    ends_after(&room, &code, Span::seconds(1)).await;
}

#[tokio::test]
async fn reminders_go_on_in_their_order_after_an_outage() {
    let mut room = Room::new();
    room.match_of("ann", "bea", "daily").await;
    let mut got = Vec::new();
    for hour in 0..47 {
        if [23, 36].contains(&hour) {
            off_for(&mut room, Span::hours(30)).await;
        }
        room.later(Span::hours(1)).await;
        got.extend(reminders(&room, "ann").await);
    }
    assert_eq!(got, [Span::hours(24), Span::hours(12), Span::hours(1)]);
}

#[tokio::test]
async fn two_restarts_take_nothing_twice() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(1)).await;
    off_for(&mut room, Span::hours(10)).await;
    room.later(Span::hours(2)).await;
    off_for(&mut room, Span::hours(20)).await;
    room.restart();
    room.restart();
    ends_after(&room, &code, Span::hours(45)).await;
}

#[tokio::test]
async fn a_pause_lasts_over_an_outage() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "live 10m").await;
    room.later(Span::minutes(4)).await;
    room.says("bea", "pause").await;
    room.says("ann", "accept").await;
    room.hears("is paused").await;
    room.later(Span::hours(1)).await;
    off_for(&mut room, Span::days(3)).await;
    room.later(Span::hours(1)).await;
    room.says("ann", "resume").await.answers("goes on");
    ends_after(&room, &code, Span::minutes(6)).await;
}

#[tokio::test]
async fn open_tables_and_claims_wait_for_the_bot_too() {
    let mut room = Room::new();
    let open = room.says("ann", "challenge @bea phwar").await.code();
    let untimed = room.match_of("cy", "dee", "none").await;
    room.later(Span::days(6)).await;
    off_for(&mut room, Span::days(30)).await;
    room.later(Span::days(1).saturating_sub(INSTANT)).await;
    assert!(matches!(room.the_match(&open).stage, Stage::Open(_)));
    room.later(INSTANT).await;
    assert!(matches!(room.the_match(&open).stage, Stage::CalledOff(_)));
    room.later(Span::days(7).saturating_sub(INSTANT)).await;
    room.says("dee", "claim")
        .await
        .answers("You can claim the match if");
    room.later(INSTANT).await;
    room.says("dee", "claim").await.answers("You claim");
    assert_eq!(how(&room, &untimed), How::Absence);
}

/// What an operator reads.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().unwrap().clone();
        String::from_utf8(bytes)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    fn listen(&self) -> tracing::subscriber::DefaultGuard {
        // Somebody listens on all threads: otherwise a line that a test on another thread logs first, where nobody does, may
        // be switched off for this one, too.
        static EVERYWHERE: Once = Once::new();
        EVERYWHERE.call_once(|| {
            let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
        });
        let log = self.clone();
        let lines = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(tracing::Level::WARN)
            .with_writer(move || log.clone());
        tracing::subscriber::set_default(lines.finish())
    }
}

#[tokio::test]
async fn a_clock_that_jumps_decides_nothing_and_the_operator_is_told() {
    let log = Log::default();
    let _listening = log.listen();
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    let slow = room.match_of("cy", "dee", "daily").await;
    room.later(Span::minutes(1)).await;

    room.clock.set(room.clock.now() + Span::days(2));
    // A command comes first, before anybody looks after the clocks.
    room.any_move(&code).await;
    room.later(Span::ZERO).await;
    assert_eq!(room.play_of(&code).clocks[0].bank, Some(Span::minutes(4)));
    assert_eq!(
        left(&room, &slow),
        Span::hours(48).saturating_sub(Span::minutes(1))
    );
    assert_eq!(reminders(&room, "cy").await, []);
    let lines = log.lines();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("the system clock jumped"), "{}", lines[0]);
    assert!(lines[0].contains("jump_seconds=172800"), "{}", lines[0]);

    room.clock.set(room.clock.now() - Span::days(5));
    room.later(Span::minutes(1)).await;
    assert_eq!(left(&room, &code), Span::minutes(4));
    assert_eq!(log.lines().len(), 2);
    ends_after(&room, &code, Span::minutes(4)).await;
    assert_eq!(
        left(&room, &slow),
        Span::hours(48).saturating_sub(Span::minutes(6))
    );
    // A small correction is no news.
    room.clock.set(room.clock.now() + Span::minutes(1));
    room.later(Span::ZERO).await;
    assert_eq!(log.lines().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_ahead_makes_nothing_old() {
    let room = Room::new();
    room.says_as_event("ann", "open phwar none", "one").await;
    let opened = room.codes();
    room.clock.set(room.clock.now() + Span::days(400));
    room.service().tidy().await.unwrap();
    // The platform repeats itself.
    room.says_as_event("ann", "open phwar none", "one").await;
    assert_eq!(room.codes(), opened, "what was handled is not handled again");
    // A clock that goes on like that for a day is believed.
    room.clock.forward(Span::days(1));
    room.service().tidy().await.unwrap();
    assert_eq!(room.store.rows(Space::Handled), []);
}

/// The platform repeats a command that was carried out just before a kill, and the clock has jumped meanwhile.
#[tokio::test(start_paused = true)]
async fn a_restart_makes_nothing_old_after_a_jump() {
    for jump in ["is noted", "is seen and not noted", "is not seen"] {
        let mut room = Room::new();
        room.says_as_event("ann", "open phwar none", "one").await;
        room.later(Span::ZERO).await;
        let opened = room.codes();
        room.clock.set(room.clock.now() + Span::days(400));
        match jump {
            "is noted" => room.later(Span::ZERO).await,
            "is seen and not noted" => _ = room.service().moment(),
            _ => {}
        }
        for hour in 0..24 {
            room.restart();
            room.service().tidy().await.unwrap();
            room.says_as_event("ann", "open phwar none", "one").await;
            assert_eq!(room.codes(), opened, "{jump}, hour {hour}: it is handled again");
            room.later(Span::hours(1)).await;
        }
        // After a day it is believed.
        room.service().tidy().await.unwrap();
        assert_eq!(room.store.rows(Space::Handled), [], "{jump}");
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_while_the_bot_is_off_gives_no_time() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(10)).await;
    room.clock.set(room.clock.now() - Span::days(100));
    room.restart();
    ends_after(&room, &code, Span::hours(38)).await;
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_stood_still_charges_nobody() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    let service = Arc::clone(room.service());
    let keeper = tokio::spawn(async move { service.keep_clocks(std::future::pending()).await });
    let tenth = Span(100);
    for _ in 0..600 {
        room.clock.forward(tenth);
        tokio::time::sleep(tenth.into()).await;
    }
    assert!(left(&room, &code) <= Span::minutes(4));
    // Both clocks go on, but nobody at the bot does anything.
    room.clock.forward(Span::hours(3));
    room.any_move(&code).await;
    // Up to the time between two looks at the clocks is not charged.
    let bank = room.play_of(&code).clocks[0].bank.unwrap();
    assert!((Span::minutes(4)..Span::minutes(5)).contains(&bank), "{bank}");
    keeper.abort();
}

#[tokio::test]
async fn time_in_which_nothing_can_be_saved_is_on_nobodys_clock() {
    for (terms, bank) in [("live 5m", Span::minutes(5)), ("daily", Span::hours(48))] {
        let room = Room::new();
        let code = room.match_of("ann", "bea", terms).await;
        room.later(Span::minutes(1)).await;
        let before = bank.saturating_sub(Span::minutes(1));
        room.store.fail(room.clock.now());
        // Somebody looks a while after it began.
        room.later(Span::seconds(50)).await;
        assert_eq!(left(&room, &code), before, "{terms}");
        for _ in 0..50 * 60 {
            room.later(Span::minutes(1)).await;
        }
        assert!(room.is_running(&code), "{terms}");
        assert_eq!(reminders(&room, "ann").await, [], "{terms}");
        let action = room.legal(&code).remove(0);
        let said = room.says("ann", &format!("move #{code} {action}")).await;
        assert_eq!(said.text, UNSAVED, "{terms}");
        room.store.mend();
        // Nobody has looked at the clocks yet.
        room.says("ann", "matches")
            .await
            .answers("I couldn't save anything for 2 days 2 hours; that time is on nobody's clock.");
        ends_after(&room, &code, before).await;
    }
}

#[tokio::test]
async fn a_bot_that_ends_while_nothing_can_be_saved_takes_that_time_from_nobody() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.later(Span::minutes(1)).await;
    room.store.fail(room.clock.now());
    for _ in 0..30 {
        room.later(Span::minutes(1)).await;
    }
    room.store.mend();
    off_for(&mut room, Span::hours(1)).await;
    assert_eq!(left(&room, &code), Span::minutes(4));
    // A short fault takes nothing either, and another start counts nothing twice.
    room.store.fail(room.clock.now());
    room.later(Span::seconds(30)).await;
    room.store.mend();
    room.later(Span::ZERO).await;
    off_for(&mut room, Span::hours(1)).await;
    ends_after(&room, &code, Span::minutes(4)).await;
}

#[tokio::test]
async fn whoever_had_next_to_no_time_when_nothing_could_be_saved_is_reminded_first() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.later(Span::seconds(299)).await;
    room.store.fail(room.clock.now());
    room.later(Span::minutes(1)).await;
    room.later(Span::minutes(9)).await;
    room.store.mend();
    room.later(Span::ZERO).await;
    assert_eq!(reminders(&room, "ann").await, [Span::minutes(2)]);
    ends_after(&room, &code, Span::minutes(2)).await;
}

/// Whoever keeps the clocks waits for the disk, too, and for no longer than a bot may stand still.
#[tokio::test(start_paused = true)]
async fn a_disk_that_hangs_charges_nobody() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    let service = Arc::clone(room.service());
    let keeper = tokio::spawn(async move { service.keep_clocks(std::future::pending()).await });
    let pass = async |seconds: u32| {
        for _ in 0..seconds * 10 {
            room.clock.forward(Span(100));
            tokio::time::sleep(Span(100).into()).await;
        }
    };
    pass(60).await;
    let before = left(&room, &code);
    let since = room.clock.now();
    room.store.hang();
    // The store waits for a while before it calls it a fault.
    pass(10).await;
    room.store.say_failing(Some(since));
    pass(80).await;
    room.store.go_on();
    room.store.say_failing(None);
    let charged = before.saturating_sub(left(&room, &code));
    assert!(charged < Span::seconds(1), "{charged}");
    pass(30).await;
    let charged = before.saturating_sub(left(&room, &code));
    assert!(
        (Span::seconds(29)..Span::seconds(31)).contains(&charged),
        "{charged}"
    );
    keeper.abort();
}

/// A match between Ann, who is here, and somebody on another platform, who is to move.
async fn between_platforms(room: &Room, terms: &str) -> Code {
    let code = room.says("ann", &format!("open phwar {terms}")).await.code();
    room.says("other/dee", &format!("join {code}"))
        .await
        .answers("begins");
    if room.awaited(&code) == "ann" {
        room.any_move(&code).await;
    }
    assert_eq!(room.awaited(&code), "other/dee");
    code
}

#[tokio::test]
async fn a_platform_that_is_away_stops_the_clocks_of_its_own_players() {
    let room = Room::new();
    let away = between_platforms(&room, "live 10m").await;
    let here = room.match_of("bea", "cy", "live 10m").await;
    room.later(Span::minutes(4)).await;
    room.service().platform_lost("other");
    room.later(Span::minutes(6)).await;
    assert_eq!(how(&room, &here), How::Time, "whoever is here could have moved");
    for _ in 0..50 {
        room.later(Span::minutes(5)).await;
        // It may be said more than once.
        room.service().platform_lost("other");
    }
    room.later(Span::minutes(44)).await;
    assert_eq!(left(&room, &away), Span::minutes(6));
    room.service().platform_reached("other");
    room.service().platform_reached("other");
    room.says("ann", "matches")
        .await
        .answers("Other was out of reach for 5 hours; that time is on nobody's clock.");
    room.later(Span::minutes(1)).await;
    room.any_move(&away).await;
    room.hears("Other was out of reach for 5 hours").await;
    let play = room.play_of(&away);
    let dee = play
        .players
        .iter()
        .position(|player| player.platform() == "other");
    assert_eq!(play.clocks[dee.unwrap()].bank, Some(Span::minutes(5)));
    // Now it is Ann's time that runs.
    ends_after(&room, &away, Span::minutes(10)).await;
}

#[tokio::test]
async fn an_outage_of_a_platform_goes_on_over_a_restart_and_ends_with_a_reminder() {
    let mut room = Room::new();
    let code = between_platforms(&room, "daily").await;
    room.later(Span::hours(47) + Span::minutes(59)).await;
    room.heard_at("other/dee").await;
    room.service().platform_lost("other");
    room.later(Span::hours(2)).await;
    off_for(&mut room, Span::hours(1)).await;
    room.service().platform_lost("other");
    room.later(Span::hours(100)).await;
    assert!(room.is_running(&code));
    room.service().platform_reached("other");
    room.later(Span::ZERO).await;
    ends_after(&room, &code, Span::hours(1)).await;
}

#[tokio::test]
async fn deadlines_that_an_earlier_version_noted_are_kept() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    // They had no platform in front.
    let rows = room.store.rows(Space::Deadlines);
    let [(key, _)] = &rows[..] else {
        panic!("one row: {rows:?}");
    };
    let old = key.strip_prefix(b"local\0").expect("the platform");
    assert_eq!(old[..8], (room.clock.now() + Span::hours(24)).0.to_be_bytes());
    room.store.take(Space::Deadlines, key);
    room.store.put(Space::Deadlines, old, b"");
    let Moment { now, hours } = room.service().moment();
    let next = room.service().repository().next_wake(&hours, now).unwrap();
    assert_eq!(next, Some(Span::hours(24)));
    room.later(Span::hours(24)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(24)]);
    assert_eq!(room.store.rows(Space::Deadlines).len(), 1);
    ends_after(&room, &code, Span::hours(24)).await;
    assert_eq!(room.store.rows(Space::Deadlines), []);
}

#[tokio::test]
async fn the_store_hears_of_the_bot_once_a_minute_at_most() {
    let room = Room::new();
    room.later(Span::ZERO).await;
    let commits = room.store.commits();
    for _ in 0..60 {
        room.later(Span::seconds(10)).await;
    }
    assert_eq!(room.store.commits() - commits, 10);
    let kept = room.store.rows(Space::Meta);
    assert!(kept.iter().any(|(key, _)| key == b"hours"));
}
