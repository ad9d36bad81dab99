//! Time: who has how much of it, what happens when it is gone, and who is told before.

use crate::room::{Room, player};
use parlor::catalog::games;
use parlor::chat::message::Text;
use parlor::game::Viewer;
use parlor::matches::change::table_of;
use parlor::matches::code::Code;
use parlor::matches::delivery::Notice;
use parlor::matches::service::Moment;
use parlor::matches::state::{How, Stage};
use parlor::matches::time::{Span, TableTime};

const INSTANT: Span = Span(1);

/// The time at the tables of the house.
fn at_table(room: &Room) -> TableTime {
    let Moment { now, hours } = room.service().moment();
    hours.table(now)
}

/// A match of three in which ann, bea and cy sit in this order.
async fn match_of_three(room: &Room, terms: &str) -> Code {
    let line = format!("challenge @bea @cy phwar order {terms}");
    let code = room.says("ann", &line).await.code();
    room.says("bea", "accept").await;
    room.says("cy", "accept").await.answers("begins");
    room.hears("begins").await;
    code
}

pub fn how(room: &Room, code: &Code) -> How {
    match room.the_match(code).stage {
        Stage::Over(_, ending) => ending.how,
        stage => panic!("not over: {stage:?}"),
    }
}

#[tokio::test]
async fn a_match_without_a_clock_can_be_claimed_after_fourteen_silent_days() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "none").await;
    room.any_move(&code).await;
    room.later(Span::days(14).saturating_sub(INSTANT)).await;
    assert!(room.is_running(&code), "nothing happens by itself");
    room.says("ann", "claim")
        .await
        .answers("You can claim the match if");
    room.says("bea", "claim").await.answers("nothing to claim");
    room.later(INSTANT).await;
    room.says("cy", &format!("claim #{code}"))
        .await
        .answers("You don't play");
    room.says("ann", "claim").await.answers("You claim");
    room.hears("ann wins").await;
    assert_eq!(how(&room, &code), How::Absence);
}

#[tokio::test]
async fn a_match_with_a_clock_is_never_claimed() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "relaxed").await;
    room.any_move(&code).await;
    room.later(Span::days(9)).await;
    room.says("ann", "claim").await.answers("nothing to claim");
    assert!(room.is_running(&code));
}

#[tokio::test]
async fn after_somebody_left_the_next_player_has_fourteen_days_of_their_own() {
    let room = Room::new();
    let code = match_of_three(&room, "none").await;
    room.later(Span::days(14)).await;
    room.says("cy", "claim").await.answers("You claim");
    assert!(room.is_running(&code));
    assert_eq!(room.awaited(&code), "bea");
    room.says("cy", "claim")
        .await
        .answers("You can claim the match if");
    room.later(Span::days(14).saturating_sub(INSTANT)).await;
    room.says("cy", "claim")
        .await
        .answers("You can claim the match if");
    room.later(INSTANT).await;
    room.says("cy", "claim").await.answers("You claim");
    assert!(!room.is_running(&code));
}

#[tokio::test]
async fn a_pause_is_over_when_somebody_says_so_and_not_when_somebody_leaves() {
    let room = Room::new();
    let code = match_of_three(&room, "daily").await;
    room.says("ann", "pause").await;
    room.says("bea", "accept").await;
    room.says("cy", "accept").await;
    room.hears("is paused").await;
    room.later(Span::days(30)).await;
    room.says("cy", "resign sure").await.answers("You resign");
    assert!(room.play_of(&code).paused.is_some());
    room.later(Span::days(30)).await;
    assert!(room.is_running(&code));
    room.says("bea", "resume").await.answers("goes on");
    let deadline = room.play_of(&code).clocks[0].deadline();
    assert_eq!(deadline, Some(at_table(&room) + Span::hours(48)));
}

/// The reminders that a player has got since somebody last looked, by the time that they say is left.
pub async fn reminders(room: &Room, who: &str) -> Vec<Span> {
    let heard = room.heard_at(who).await;
    let left = |heard: &crate::room::Heard| match &heard.delivery.notice {
        Notice::Reminder { left, .. } => {
            assert_eq!(heard.message.ping, [player(who)]);
            Some(*left)
        }
        _ => None,
    };
    heard.iter().filter_map(left).collect()
}

#[tokio::test]
async fn reminders_come_at_half_a_quarter_and_an_hour_once_each() {
    let room = Room::new();
    room.match_of("ann", "bea", "daily").await;
    let mut got = Vec::new();
    for _ in 0..48 * 4 - 1 {
        room.later(Span::minutes(15)).await;
        got.extend(reminders(&room, "ann").await);
    }
    assert_eq!(got, [Span::hours(24), Span::hours(12), Span::hours(1)]);
    assert_eq!(reminders(&room, "bea").await, [], "it is not Bea's turn");
}

/// Whoever is reminded reads what they are asked, without looking for the board: in every game as the call says it.
#[tokio::test]
async fn a_reminder_says_what_is_asked() {
    for entry in games() {
        let room = Room::new();
        let id = entry.meta.id;
        let code = room.begin("ann", "bea", &format!("{id} order daily")).await;
        let the_match = room.the_match(&code);
        let play = the_match.play().unwrap();
        let table = table_of(&the_match, play).unwrap();
        let question = Text::prose(&table.ask(Viewer::Public), &play.players);
        let question = question.plain(|player| player.parts().1.to_owned());
        assert!(!question.is_empty(), "{id}");
        room.heard_at("ann").await;
        room.later(Span::hours(24)).await;
        let reminder = &room.heard_at("ann").await[0];
        let said = format!("{question} You have 1 day left for your move in ");
        assert!(reminder.text.starts_with(&said), "{id}: {}", reminder.text);
    }
}

#[tokio::test]
async fn a_reminder_is_not_repeated_by_a_restart() {
    let mut room = Room::new();
    room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(24)).await;
    assert_eq!(reminders(&room, "ann").await.len(), 1);
    room.restart();
    room.later(Span::ZERO).await;
    assert_eq!(reminders(&room, "ann").await, []);
}

#[tokio::test]
async fn several_reminders_due_at_once_are_one() {
    let room = Room::new();
    room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(40)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(8)]);
}

#[tokio::test]
async fn whoever_wants_no_reminders_gets_none() {
    let room = Room::new();
    room.says("ann", "settings reminders off").await.answers("off");
    room.match_of("ann", "bea", "daily").await;
    for _ in 0..47 {
        room.later(Span::hours(1)).await;
    }
    assert_eq!(reminders(&room, "ann").await, []);
}

#[tokio::test]
async fn quiet_hours_put_a_reminder_off_until_they_end() {
    let room = Room::new();
    // It is noon; the reminder falls due at noon tomorrow, and Ann sleeps from 11 to 15 (UTC).
    room.says("ann", "settings quiet 11-15").await.answers("11:00");
    room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(24)).await;
    assert_eq!(reminders(&room, "ann").await, []);
    room.later(Span::hours(3).saturating_sub(INSTANT)).await;
    assert_eq!(reminders(&room, "ann").await, []);
    room.later(INSTANT).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(21)]);
    // The next one, at midnight, is not disturbed by that.
    room.later(Span::hours(9)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(12)]);
    // The last hour lies in the quiet time, which lasts longer than the match: no word, but time counts.
    room.later(Span::hours(11)).await;
    assert_eq!(reminders(&room, "ann").await, []);
    room.later(Span::hours(1)).await;
    room.hears("bea wins: ann ran out of time").await;
}

#[tokio::test]
async fn more_time_brings_no_reminder_of_the_past_and_all_of_the_future() {
    let room = Room::new();
    room.match_of("ann", "bea", "daily").await;
    room.later(Span::hours(37)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(11)]);
    room.says("bea", "extend 24").await;
    room.says("ann", "accept").await;
    room.hears("1 day more for everybody").await;
    room.later(Span::ZERO).await;
    assert_eq!(
        reminders(&room, "ann").await,
        [],
        "35 hours of 72 are left, less than half"
    );
    room.later(Span::hours(17)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(18)]);
    room.later(Span::hours(17)).await;
    assert_eq!(reminders(&room, "ann").await, [Span::hours(1)]);
}

#[tokio::test]
async fn short_games_are_their_own_reminder() {
    let room = Room::new();
    room.match_of("ann", "bea", "live 60").await;
    for _ in 0..59 {
        room.later(Span::minutes(1)).await;
    }
    assert_eq!(reminders(&room, "ann").await, []);
}

#[tokio::test]
async fn a_reminder_leaves_buttons_as_good_as_they_were() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar order daily").await.code();
    room.says("bea", "accept").await;
    let start = room.hears("begins").await;
    room.later(Span::hours(30)).await;
    assert_eq!(reminders(&room, "ann").await.len(), 1);
    let menu = room.says("ann", &start.button("Move")).await;
    let mut line = menu.commands().remove(0);
    while line.starts_with("moves") {
        line = room.says("ann", &line).await.commands().remove(0);
    }
    room.later(Span::hours(7)).await;
    assert_eq!(reminders(&room, "ann").await.len(), 1);
    room.says("ann", &line).await.answers("Played");
    assert_eq!(room.awaited(&code), "bea");
}

#[tokio::test]
async fn a_move_an_instant_before_the_deadline_counts_and_at_the_deadline_it_is_too_late() {
    for (terms, bank) in [
        ("live 5m", Span::minutes(5)),
        ("daily", Span::hours(48)),
        ("relaxed", Span::hours(240)),
    ] {
        let room = Room::new();
        let code = room.match_of("ann", "bea", terms).await;
        room.clock.forward(bank.saturating_sub(INSTANT));
        room.any_move(&code).await;
        assert!(room.is_running(&code), "{terms}");

        let room = Room::new();
        let code = room.match_of("ann", "bea", terms).await;
        let action = room.legal(&code).remove(0);
        room.clock.forward(bank);
        // Nobody has looked at the clocks yet; the move itself finds out.
        room.says("ann", &format!("move #{code} {action}"))
            .await
            .answers("is over");
        room.hears("bea wins: ann ran out of time").await;
        assert_eq!(how(&room, &code), How::Time, "{terms}");
        let play = room.play_of(&code);
        assert_eq!(
            (play.steps, play.entries),
            (1, 1),
            "only the leaving is in the log"
        );
    }
}

#[tokio::test]
async fn sudden_death_gives_nothing_back() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    for _ in 0..4 {
        room.clock.forward(Span::minutes(1));
        room.any_move(&code).await;
        room.any_move(&code).await;
    }
    let play = room.play_of(&code);
    assert_eq!(play.clocks[0].bank, Some(Span::minutes(1)));
    assert_eq!(play.clocks[1].bank, Some(Span::minutes(5)), "Bea moved at once");
    room.later(Span::minutes(1)).await;
    room.hears("bea wins: ann ran out of time").await;
}

#[tokio::test]
async fn a_move_brings_time_up_to_the_cap_over_restarts_too() {
    for (terms, bank, added) in [("daily", 48, 24), ("relaxed", 240, 36)] {
        let mut room = Room::new();
        let code = room.match_of("ann", "bea", terms).await;
        room.restart();
        room.clock.forward(Span::hours(1));
        room.any_move(&code).await;
        let of = |room: &Room, seat: usize| room.play_of(&code).clocks[seat].bank;
        assert_eq!(
            of(&room, 0),
            Some(Span::hours(bank)),
            "{terms}: never above the cap"
        );
        room.clock.forward(Span::hours(bank - 1));
        room.restart();
        room.any_move(&code).await;
        assert_eq!(of(&room, 1), Some(Span::hours(1 + added)), "{terms}");
        // Ann's clock did not run meanwhile.
        assert_eq!(
            room.play_of(&code).clocks[0].deadline(),
            Some(at_table(&room) + Span::hours(bank))
        );
    }
}

#[tokio::test]
async fn of_three_the_one_without_time_leaves_and_the_others_play_on() {
    let room = Room::new();
    let code = match_of_three(&room, "daily").await;
    room.later(Span::hours(48)).await;
    assert!(room.is_running(&code));
    assert_eq!(room.awaited(&code), "bea");
    let heard = room.hears("bea, your move").await;
    assert_eq!(heard.message.ping, [player("bea")]);
    assert_eq!(
        room.play_of(&code).clocks[1].deadline(),
        Some(at_table(&room) + Span::hours(48))
    );
    room.later(Span::hours(48)).await;
    room.hears("cy wins on time").await;
    let Stage::Over(_, ending) = room.the_match(&code).stage else {
        panic!("it is over");
    };
    assert_eq!(ending.outcome.map(|outcome| outcome.ranks), Some(vec![3, 2, 1]));
}

#[tokio::test]
async fn a_pause_stops_the_clocks_and_moves_until_somebody_resumes() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 10m").await;
    room.later(Span::minutes(4)).await;
    room.says("bea", "pause").await.answers("others to agree");
    room.says("ann", "accept").await;
    room.hears("is paused, and the clocks have stopped").await;
    room.later(Span::days(3)).await;
    assert!(room.is_running(&code));
    let action = room.legal(&code).remove(0);
    room.says("ann", &format!("move {action}"))
        .await
        .answers("paused");
    room.says("ann", "pause").await.answers("paused");
    room.says("ann", "resume").await.answers("goes on");
    let heard = room.hears("ann resumes the match").await;
    assert_eq!(heard.message.ping, [player("ann")]);
    room.says("bea", "resume").await.answers("isn't paused");
    room.later(Span::minutes(6).saturating_sub(INSTANT)).await;
    assert!(room.is_running(&code), "six minutes were left");
    room.later(INSTANT).await;
    assert_eq!(how(&room, &code), How::Time);
}

#[tokio::test]
async fn extra_time_is_for_everybody_and_only_by_consent() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.says("ann", "extend 2").await.answers("others to agree");
    room.says("ann", "extend 3").await.answers("already");
    let banks = |room: &Room| {
        room.play_of(&code)
            .clocks
            .iter()
            .map(|c| c.bank)
            .collect::<Vec<_>>()
    };
    assert_eq!(banks(&room), [Some(Span::minutes(5)); 2]);
    room.says("bea", "extend").await.answers("Agreed");
    assert_eq!(
        banks(&room),
        [Some(Span::minutes(125)); 2],
        "as Ann had asked: two hours"
    );
    // Time that the others granted is not taken away by the cap.
    room.any_move(&code).await;
    assert_eq!(banks(&room)[0], Some(Span::minutes(125)));

    let code = room.match_of("cy", "dee", "none").await;
    room.says("cy", &format!("extend #{code} 5"))
        .await
        .answers("no clock");
}

#[tokio::test]
async fn a_challenge_expires_after_seven_days() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar").await.code();
    room.later(Span::days(7).saturating_sub(INSTANT)).await;
    assert!(matches!(room.the_match(&code).stage, Stage::Open(_)));
    room.clock.forward(INSTANT);
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("called off");
    room.hears("Nobody joined").await;
    room.says("ann", "matches").await.answers("no matches");
    room.says("bea", "matches").await.answers("no matches");
}

#[tokio::test(start_paused = true)]
async fn the_keeper_of_the_clocks_ends_a_live_match_by_itself() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 1m").await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let service = std::sync::Arc::clone(room.service());
    let keeper = tokio::spawn(async move {
        service
            .keep_clocks(async {
                let _ = stopped.await;
            })
            .await;
    });
    // Both clocks go together, a tenth of a second at a time.
    let tenth = Span(100);
    let mut waited = Span::ZERO;
    while room.is_running(&code) {
        assert!(waited < Span::seconds(61), "within a second of its end");
        room.clock.forward(tenth);
        tokio::time::sleep(tenth.into()).await;
        waited = waited + tenth;
    }
    assert!(waited >= Span::minutes(1), "and not before");
    room.hears("bea wins: ann ran out of time").await;
    // A new match is noticed though the keeper expected to sleep for long.
    let code = room.match_of("cy", "dee", "live 1m").await;
    for _ in 0..605 {
        room.clock.forward(tenth);
        tokio::time::sleep(tenth.into()).await;
    }
    assert_eq!(how(&room, &code), How::Time);
    stop.send(()).unwrap();
    keeper.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn one_broken_match_stops_no_other_clock() {
    let room = Room::new();
    let broken = room.match_of("ann", "bea", "live 1m").await;
    let good = room.match_of("cy", "dee", "live 2m").await;
    let mut bad = room.the_match(&broken);
    if let Stage::Running(play) = &mut bad.stage {
        play.table = "nonsense".to_owned();
    }
    let row = serde_json::to_vec(&bad).unwrap();
    room.store.put(
        parlor::matches::port::Space::Matches,
        broken.as_str().as_bytes(),
        &row,
    );
    let service = std::sync::Arc::clone(room.service());
    let keeper = tokio::spawn(async move { service.keep_clocks(std::future::pending()).await });
    let mut waited = Span::ZERO;
    while room.is_running(&good) {
        assert!(waited <= Span::seconds(121), "within a second");
        room.clock.forward(Span(100));
        tokio::time::sleep(Span(100).into()).await;
        waited = waited + Span(100);
    }
    keeper.abort();
}

/// Whatever happens, what finds a match again must say what the matches themselves say.
fn check_indexes(room: &Room, context: &str) {
    use parlor::matches::port::Space;
    use parlor::matches::state::{Match, SeatState};
    use std::collections::{BTreeMap, BTreeSet};
    let matches: Vec<Match> = room.codes().iter().map(|code| room.the_match(code)).collect();
    let (mut by_player, mut by_room) = (BTreeMap::new(), BTreeMap::new());
    let (mut player_rows, mut room_rows) = (0, 0);
    let mut wakes: BTreeSet<(String, TableTime, Code)> = BTreeSet::new();
    for the_match in &matches {
        let wake: Vec<(String, TableTime)>;
        let people: BTreeSet<_> = match &the_match.stage {
            Stage::Open(gathering) => {
                let people = gathering.places.iter().filter_map(|place| match place {
                    SeatState::Taken(player) | SeatState::Invited(player) => Some(player.clone()),
                    SeatState::Free => None,
                });
                wake = vec![(the_match.host.platform().to_owned(), gathering.expires)];
                people.collect()
            }
            Stage::Running(play) => {
                let clocks = play.clocks.iter().zip(&play.players);
                let clocks = clocks.filter(|_| play.paused.is_none());
                // A platform has one row, for the earliest moment of all its players.
                let mut earliest: BTreeMap<String, Vec<TableTime>> = BTreeMap::new();
                for (clock, player) in clocks {
                    let moments = [clock.deadline(), clock.next_reminder()].into_iter().flatten();
                    let platform = player.platform().to_owned();
                    earliest.entry(platform).or_default().extend(moments);
                }
                let earliest = earliest.into_iter();
                let earliest =
                    earliest.filter_map(|(platform, moments)| Some((platform, moments.into_iter().min()?)));
                wake = earliest.collect();
                play.players.iter().cloned().collect()
            }
            Stage::Over(play, _) => {
                wake = Vec::new();
                play.players.iter().cloned().collect()
            }
            Stage::CalledOff(_) => continue,
        };
        player_rows += people.len();
        room_rows += the_match.rooms.len();
        for player in people {
            by_player
                .entry((player, the_match.is_alive()))
                .or_insert_with(BTreeSet::new)
                .insert(the_match.code.clone());
        }
        for room in the_match.rooms.iter().filter(|_| the_match.is_alive()) {
            by_room
                .entry(room.clone())
                .or_insert_with(BTreeSet::new)
                .insert(the_match.code.clone());
        }
        let wake = wake.into_iter();
        wakes.extend(wake.map(|(platform, wake)| (platform, wake, the_match.code.clone())));
    }
    let repository = room.service().repository();
    for ((player, alive), codes) in &by_player {
        let found = if *alive {
            repository.alive_of(player)
        } else {
            repository.finished_of(player, 1000)
        };
        assert_eq!(
            &found.unwrap().into_iter().collect::<BTreeSet<_>>(),
            codes,
            "{context}"
        );
    }
    for (room, codes) in &by_room {
        let found = repository.alive_in(room).unwrap();
        assert_eq!(&found.into_iter().collect::<BTreeSet<_>>(), codes, "{context}");
    }
    let some_day = TableTime(u64::MAX >> 8);
    let due = repository
        .due(|_| some_day)
        .unwrap()
        .into_iter()
        .map(|row| row.code);
    let expected: Vec<Code> = wakes.iter().map(|(_, _, code)| code.clone()).collect();
    assert_eq!(due.collect::<Vec<_>>(), expected, "{context}");
    let Moment { now, hours } = room.service().moment();
    let later = wakes
        .iter()
        .map(|(_, wake, _)| *wake)
        .filter(|wake| *wake > hours.table(now));
    let next = later.min().map(|wake| wake.since(hours.table(now)));
    assert_eq!(repository.next_wake(&hours, now).unwrap(), next, "{context}");
    // And nothing is left over.
    assert_eq!(room.store.rows(Space::ByPlayer).len(), player_rows, "{context}");
    assert_eq!(room.store.rows(Space::ByRoom).len(), room_rows, "{context}");
    assert_eq!(room.store.rows(Space::Deadlines).len(), wakes.len(), "{context}");
}

#[tokio::test]
async fn whatever_people_do_matches_are_found_again_by_player_room_and_time() {
    use parlor::game::GameRng;
    for seed in 0..6 {
        let room = Room::with_chance(seed);
        let mut rng = GameRng::quick(seed);
        let names = ["ann", "bea", "cy", "other/dee"];
        for step in 0..200 {
            let who = names[rng.below(names.len())];
            let codes = room.codes();
            let code = if codes.is_empty() {
                "K7QF".to_owned()
            } else {
                codes[rng.below(codes.len())].to_string()
            };
            let clock = ["live 5m", "daily", "relaxed", "none"][rng.below(4)];
            let line = match rng.below(22) {
                0 => format!("challenge @bea phwar {clock}"),
                1 => format!("challenge @ann @cy phwar {clock}"),
                2 => format!("open phwar seats=3 {clock}"),
                3 => format!("open phwar {clock}"),
                4 => "practice phwar".to_owned(),
                5 | 6 => format!("join {code}"),
                7 => format!("accept #{code}"),
                8 => format!("decline #{code}"),
                9 => format!("cancel #{code}"),
                10 => format!("undo #{code}"),
                11 => format!("draw #{code}"),
                12 => format!("pause #{code}"),
                13 => format!("resume #{code}"),
                14 => format!("extend #{code} 30"),
                15 => format!("resign #{code} sure"),
                16 => format!("abort #{code}"),
                17 => format!("rematch #{code}"),
                18 => format!("claim #{code}"),
                19 => {
                    room.later(Span::hours(rng.below(60) as u64)).await;
                    "settings quiet 9-17".to_owned()
                }
                _ => {
                    let found = room.service().find(&code.parse().unwrap());
                    if let Ok(found) = found
                        && matches!(found.stage, Stage::Running(_))
                    {
                        let legal = room.legal(&found.code);
                        let mover = room.awaited(&found.code);
                        let line = format!("move #{code} {}", legal[rng.below(legal.len())]);
                        room.says(&mover, &line).await;
                    }
                    "matches".to_owned()
                }
            };
            room.says(who, &line).await;
            check_indexes(&room, &format!("seed {seed}, step {step}: {who}: {line}"));
        }
    }
}
