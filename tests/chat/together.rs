//! Several people at once, commands that are broken off halfway, and disks that hang.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::room::{Room, player};
use parlor::matches::port::Space;
use parlor::matches::state::{LogEntry, Stage, steps_of};

/// Lets everything run that can.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_command_whose_asker_hangs_up_is_finished_before_the_next_begins() {
    let room = Arc::new(Room::new());
    let code = room.match_of("ann", "bea", "").await;
    let first = room.legal(&code).remove(0);
    room.store.hang();
    let asking = tokio::spawn({
        let (room, line) = (Arc::clone(&room), format!("move #{code} {first}"));
        async move { room.says("ann", &line).await }
    });
    settle().await;
    assert_eq!(room.store.hanging(), 1, "the move waits for the disk");
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());

    // Bea's answer must not be decided on the board as it was before Ann's move.
    let resigning = tokio::spawn({
        let (room, line) = (Arc::clone(&room), format!("resign #{code} sure"));
        async move { room.says("bea", &line).await }
    });
    settle().await;
    assert_eq!(room.store.hanging(), 1, "Bea waits for Ann's move to be safe");
    room.store.go_on();
    resigning.await.unwrap().answers("You resign");

    let the_match = room.the_match(&code);
    let log = room.service().log_of(&the_match).unwrap();
    assert_eq!(steps_of(&log).len(), 2, "the move and the resignation");
    room.service().record(&the_match).unwrap().verify().unwrap();
    let heard: Vec<String> = room
        .heard_at("parlour")
        .await
        .into_iter()
        .map(|h| h.text)
        .collect();
    assert_eq!(heard.len(), 2, "{heard:?}");
}

#[tokio::test]
async fn of_the_same_move_sent_at_once_by_many_exactly_one_is_played() {
    let room = Arc::new(Room::new());
    let code = room.match_of("ann", "bea", "").await;
    let version = room.the_match(&code).version;
    let legal = room.legal(&code);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..50 {
        let (room, line) = (
            Arc::clone(&room),
            format!("move #{code}@{version} {}", legal[number % legal.len()]),
        );
        tasks.spawn(async move { room.says("ann", &line).await.text });
    }
    let answers = tasks.join_all().await;
    let played = answers.iter().filter(|text| text.contains("Played")).count();
    let stale = answers.iter().filter(|text| text.contains("moved on")).count();
    assert_eq!((played, stale), (1, 49), "{answers:?}");
    assert_eq!(room.the_match(&code).version, version + 1);
}

#[tokio::test]
async fn the_two_players_act_in_the_same_instant_and_one_of_them_wins() {
    for round in 0..20 {
        let room = Arc::new(Room::with_chance(round));
        let code = room.match_of("ann", "bea", "").await;
        room.any_move(&code).await;
        let lines = [
            ("ann", format!("resign #{code} sure")),
            ("bea", format!("resign #{code} sure")),
            ("ann", format!("abort #{code}")),
        ];
        let mut tasks = tokio::task::JoinSet::new();
        for (who, line) in lines {
            let room = Arc::clone(&room);
            tasks.spawn(async move { room.says(who, &line).await.text });
        }
        let answers = tasks.join_all().await;
        let over = answers.iter().filter(|text| text.contains("is over")).count();
        assert_eq!(over, 2, "{answers:?}");
        let endings = room.heard_at("parlour").await;
        let ended = endings
            .iter()
            .filter(|heard| heard.text.contains("is over"))
            .count();
        assert_eq!(ended, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_people_hammer_one_match_and_nothing_is_lost() {
    let room = Arc::new(Room::new());
    let code = room.match_of("ann", "bea", "").await;
    let start = room.the_match(&code).version;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..50_usize {
        let (room, code) = (Arc::clone(&room), code.clone());
        tasks.spawn(async move {
            let mut done = 0;
            for round in 0..20 {
                let who = ["ann", "bea"][(number + round) % 2];
                let line = match number % 10 {
                    0 => format!("extend #{code} 1"),
                    1 => format!("decline #{code}"),
                    2 => format!("undo #{code}"),
                    3 => format!("preview #{code} F2-F5"),
                    _ => {
                        let legal = room.legal(&code);
                        let Some(action) = legal.get((number * 31 + round * 7) % legal.len().max(1)) else {
                            break;
                        };
                        format!("move #{code} {action}")
                    }
                };
                let said = room.says(who, &line).await;
                assert!(!said.text.contains("went wrong"), "{line}: {}", said.text);
                if said.text.contains("Played") {
                    done += 1;
                }
            }
            done
        });
    }
    let played: usize = tasks.join_all().await.into_iter().sum();
    assert!(played > 0);
    let the_match = room.the_match(&code);
    let play = the_match.play().unwrap();
    // Every entry of the log is there, in order, and none too many.
    let log = room.service().log_of(&the_match).unwrap();
    assert_eq!(log.len(), play.entries as usize);
    // A match that is over is folded, and leaves no rows.
    let rows = if the_match.is_alive() { log.len() } else { 0 };
    assert_eq!(room.store.rows(Space::Log).len(), rows);
    let did = |entry: &&LogEntry| matches!(entry.what, parlor::matches::state::Logged::Did { .. });
    assert_eq!(log.iter().filter(did).count(), played);
    assert_eq!(steps_of(&log).len(), play.steps as usize);
    // The log leads to the position.
    let replayed = parlor::matches::consent::rebuild(&the_match, play, &log, u32::MAX).unwrap();
    let saved = parlor::matches::change::table_of(&the_match, play).unwrap();
    let everything = parlor::game::Viewer::Omniscient;
    assert_eq!(replayed.view(everything), saved.view(everything));
    // Every change was told, each of another version, without a gap.
    let told = room.heard_at("parlour").await;
    let versions: Vec<u64> = told.iter().map(|heard| heard.delivery.version).collect();
    let expected: Vec<u64> = (start + 1..=the_match.version).collect();
    assert_eq!(versions, expected);
}

#[tokio::test]
async fn tables_opened_at_once_never_share_a_code() {
    // Everybody's chance falls alike: each draws the same codes in the same order.
    struct Same;
    impl parlor::matches::port::Entropy for Same {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), parlor::matches::port::Fault> {
            // The second code differs from the first by its length only.
            bytes.fill(7);
            Ok(())
        }
    }
    let world = Room::new();
    let service = parlor::matches::service::Service::new(
        Arc::<crate::room::world::TestStore>::clone(&world.store),
        Arc::<crate::room::world::FakeClock>::clone(&world.clock),
        Arc::new(Same),
    );
    let parlor = Arc::new(parlor::chat::parlor::Parlor::new(Arc::new(service.unwrap())));
    for who in ["ann", "bea", "cy"] {
        world.says(who, "help").await;
    }
    world.store.hang();
    let mut tasks = tokio::task::JoinSet::new();
    for who in ["ann", "bea", "cy"] {
        let parlor = Arc::clone(&parlor);
        tasks.spawn(async move {
            let request = parlor::chat::parlor::Request {
                who: player(who),
                name: who.to_owned(),
                room: Some(crate::room::room("parlour")),
                event: None,
                gone: Vec::new(),
                about: None,
                locale: None,
                input: crate::room::typed(&player(who), "open phwar"),
            };
            crate::room::house_rules(&parlor.handle(&request).await.message, "open phwar")
        });
    }
    settle().await;
    world.store.go_on();
    settle().await;
    let answers = tasks.join_all().await;
    let codes: BTreeSet<String> = answers
        .iter()
        .map(|text| crate::room::code_in(text).to_string())
        .collect();
    assert_eq!(codes.len(), 3, "{answers:?}");
    assert_eq!(world.store.rows(Space::Matches).len(), 3);
}

#[tokio::test]
async fn two_settings_changed_at_once_are_both_kept() {
    let room = Arc::new(Room::new());
    room.says("ann", "help").await;
    room.store.hang();
    let mut tasks = tokio::task::JoinSet::new();
    for line in ["settings theme dark", "settings ping off", "settings quiet 22-7"] {
        let room = Arc::clone(&room);
        tasks.spawn(async move { room.says("ann", line).await });
    }
    settle().await;
    room.store.go_on();
    tasks.join_all().await;
    let settings = room.service().person(&player("ann")).unwrap().settings;
    assert_eq!(settings.theme.0.name(), "dark");
    assert!(!settings.ping);
    assert!(settings.quiet.is_some());
}

#[tokio::test]
async fn a_broken_disk_is_told_in_one_line_and_nothing_changes() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let before = room.store.everything();
    let action = room.legal(&code).remove(0);
    room.store.break_next(1);
    room.says("ann", &format!("move #{code} {action}"))
        .await
        .answers("Something went wrong");
    assert_eq!(room.store.everything(), before);
    room.says("ann", &format!("move #{code} {action}"))
        .await
        .answers("Played");
    assert!(matches!(room.the_match(&code).stage, Stage::Running(_)));
}

#[tokio::test]
async fn the_same_event_is_carried_out_once() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.legal(&code).remove(0);
    let line = format!("move {action}");
    room.says_as_event("ann", &line, "e1").await.answers("Played");
    let before = room.store.everything();
    room.says_as_event("ann", &line, "e1")
        .await
        .answers("done already");
    room.restart();
    room.says_as_event("ann", &line, "e1")
        .await
        .answers("done already");
    assert_eq!(room.store.everything(), before);
    let open = room.says_as_event("cy", "open phwar", "e2").await.code();
    room.says_as_event("cy", "open phwar", "e2")
        .await
        .answers("done already");
    room.says("cy", "matches").await.answers(&format!("#{open}"));
    assert_eq!(room.store.rows(Space::Matches).len(), 2);
}

#[tokio::test]
async fn events_of_different_people_may_have_the_same_name() {
    let room = Room::new();
    room.says_as_event("ann", "open phwar", "1")
        .await
        .answers("You're in");
    room.says_as_event("other/ann", "open phwar", "1")
        .await
        .answers("You're in");
    room.says_as_event("bea", "open phwar", "1")
        .await
        .answers("You're in");
    room.says_as_event("bea", "open phwar", "1")
        .await
        .answers("done already");
}

#[tokio::test]
async fn old_events_are_forgotten_and_young_ones_are_not() {
    use parlor::matches::time::Span;
    let room = Room::new();
    room.says_as_event("ann", "open phwar", "old")
        .await
        .answers("You're in");
    room.clock.forward(Span::days(5));
    room.says_as_event("ann", "open phwar", "young")
        .await
        .answers("You're in");
    assert_eq!(room.service().forget_events().await.unwrap(), 0);
    room.clock.forward(Span::days(4));
    assert_eq!(room.service().forget_events().await.unwrap(), 1);
    assert_eq!(room.service().forget_events().await.unwrap(), 0);
    room.says_as_event("ann", "open phwar", "young")
        .await
        .answers("done already");
    assert_eq!(
        room.store.rows(Space::Handled).len(),
        2,
        "one event and when it came"
    );
}
