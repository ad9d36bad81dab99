//! What is over is folded into one value, and what nobody needs is forgotten; nobody who asks about a match can tell.

use std::sync::Arc;

use parlor::matches::archive::Folded;
use parlor::matches::code::Code;
use parlor::matches::port::{Batch, Space, Store};
use parlor::matches::repository;
use parlor::matches::retention::Retention;
use parlor::matches::service::Service;
use parlor::matches::time::Span;

use crate::room::{Room, player};

/// Plays matches to their ends in several ways: by the rules, with undone moves, by resignation and by agreement.
async fn play_some(room: &Room) -> Vec<Code> {
    let by_rules = room.begin("ann", "bea", "phwar order").await;
    let action = room.any_move(&by_rules).await;
    room.says("ann", &format!("undo #{by_rules}")).await;
    room.says("bea", &format!("undo #{by_rules}")).await;
    room.says("ann", &format!("move #{by_rules} {action}")).await;
    room.play_out(&by_rules, 7).await;
    let hidden = room.begin("ann", "cy", "phase order").await;
    for _ in 0..8 {
        room.any_move(&hidden).await;
    }
    room.says("cy", &format!("resign #{hidden} sure")).await;
    let agreed = room.begin("bea", "cy", "fabric order").await;
    room.any_move(&agreed).await;
    room.any_move(&agreed).await;
    room.says("bea", &format!("draw #{agreed}")).await;
    room.says("cy", &format!("draw #{agreed}")).await;
    room.deliver().await;
    let codes = vec![by_rules, hidden, agreed];
    for code in &codes {
        assert!(!room.is_running(code), "#{code} is over");
    }
    codes
}

/// Keeps matches as earlier versions did: rows for the match and each entry of its log, and no archive.
async fn unfold(room: &Room, codes: &[Code]) {
    for code in codes {
        let value = room.store.get(Space::Archive, code.as_str().as_bytes()).unwrap();
        let folded = Folded::unpack(&value.unwrap()).unwrap();
        let mut batch = Batch::new();
        repository::put_match(&mut batch, None, &folded.the_match).unwrap();
        for (number, entry) in (0..).zip(folded.log.iter()) {
            repository::put_log(&mut batch, code, number, entry).unwrap();
        }
        batch.delete(Space::Archive, code.as_str().as_bytes());
        room.store.commit(batch).await.unwrap();
    }
}

/// Everything that can be learnt about some matches, as data and word for word.
async fn all_told(room: &Room, codes: &[Code]) -> Vec<String> {
    let mut told = Vec::new();
    for who in ["ann", "bea", "cy", "dee"] {
        for line in ["matches", "matches all"] {
            told.push(room.says(who, line).await.text);
        }
        for code in codes {
            for verb in [
                "board", "text", "record", "moves", "hand", "undo", "resign", "join",
            ] {
                let said = room.says(who, &format!("{verb} #{code}")).await;
                told.push(serde_json::to_string(&said.reply.message).unwrap());
            }
        }
    }
    for code in codes {
        let found = room.service().find(code).unwrap();
        told.push(serde_json::to_string(&*found).unwrap());
        for entries in 0..=room.play_of(code).entries {
            let table = room.service().table_at(&found, entries).unwrap();
            told.push(table.save().unwrap());
        }
        let record = room.service().record(&found).unwrap();
        record.verify().unwrap();
        told.push(record.to_json().unwrap());
    }
    told
}

/// How many rows matches take where running ones lie, and in the archive.
fn rows(room: &Room) -> (usize, usize) {
    let rows = |space| room.store.rows(space).len();
    (rows(Space::Matches) + rows(Space::Log), rows(Space::Archive))
}

/// Lets everything run that can.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_match_is_folded_in_the_change_that_ends_it() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let moves = room.play_out(&code, 3).await;
    assert_eq!(rows(&room), (0, 1));
    let size = room.store.rows(Space::Archive)[0].1.len();
    assert!(size < 1000 + moves * 30, "{size} bytes for {moves} moves");
    let before = all_told(&room, std::slice::from_ref(&code)).await;
    room.restart();
    assert!(all_told(&room, std::slice::from_ref(&code)).await == before);

    // It can still change a little: a room is lost.
    let home = crate::room::room("parlour");
    room.service().lose_room(&code, &home).await.unwrap();
    assert_eq!(rows(&room), (0, 1));
    let found = room.the_match(&code);
    assert!(found.rooms.is_empty());
    assert_eq!(room.service().log_of(&found).unwrap().len(), moves);

    let again = room.says("bea", &format!("rematch #{code}")).await.code();
    room.says("ann", &format!("rematch #{code}")).await;
    assert!(room.is_running(&again));
}

#[tokio::test]
async fn a_match_whose_end_is_lost_with_the_power_goes_on() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.any_move(&code).await;
    let before = room.store.everything();
    room.store.hang();
    let parlor = Arc::clone(&room.parlor);
    let request = crate::request("bea", "bea", &format!("resign #{code} sure"));
    let ending = tokio::spawn(async move { parlor.handle(&request).await });
    while room.store.hanging() == 0 {
        tokio::task::yield_now().await;
    }
    ending.abort();
    room.store.lose();
    room.restart();
    assert!(room.store.everything() == before, "nothing of it was written");
    room.any_move(&code).await;
    room.says("bea", &format!("resign #{code} sure"))
        .await
        .answers("You resign");
    let found = room.the_match(&code);
    room.service().record(&found).unwrap().verify().unwrap();
}

#[tokio::test(start_paused = true)]
async fn matches_of_earlier_versions_read_the_same_before_between_and_after_folding() {
    let mut room = Room::new();
    let codes = play_some(&room).await;
    // What is not over is not touched.
    let running = room.begin("ann", "bea", "phwar order").await;
    room.any_move(&running).await;
    room.says("ann", "challenge @cy fabric").await;
    room.deliver().await;
    let untouched = rows(&room).0;
    unfold(&room, &codes).await;
    assert_eq!(rows(&room).1, 0);
    let before = all_told(&room, &codes).await;

    // The process dies at every batch, which is lost or not.
    let (mut deaths, mut lost) = (0, true);
    loop {
        room.store.hang();
        let service = Arc::clone(room.service());
        let tidying = tokio::spawn(async move { service.tidy().await });
        while room.store.hanging() == 0 && !tidying.is_finished() {
            settle().await;
            tokio::time::advance(Span::seconds(1).into()).await;
        }
        if tidying.is_finished() {
            room.store.go_on();
            break;
        }
        tidying.abort();
        let folded = rows(&room).1;
        if lost {
            room.store.lose();
        } else {
            room.store.go_on();
        }
        assert_eq!(rows(&room).1, folded + usize::from(!lost), "one match a batch");
        room.restart();
        assert!(all_told(&room, &codes).await == before, "after death {deaths}");
        (deaths, lost) = (deaths + 1, !lost);
    }
    assert_eq!(deaths, 2 * codes.len());
    assert_eq!(rows(&room), (untouched, codes.len()));
    assert!(all_told(&room, &codes).await == before);
    // A second time there is nothing to do.
    let commits = room.store.commits();
    room.service().tidy().await.unwrap();
    assert_eq!(room.store.commits(), commits);
    room.any_move(&running).await;
}

#[tokio::test(start_paused = true)]
async fn a_match_that_can_not_be_read_stays_as_it_is_and_holds_up_no_other() {
    let room = Room::new();
    let mut codes = play_some(&room).await;
    unfold(&room, &codes).await;
    codes.sort();
    let broken = [codes[0].as_str().as_bytes(), &[0, 0, 0, 0, 0]].concat();
    room.store.put(Space::Log, &broken, b"no entry");
    let log = room.store.rows(Space::Log);
    room.service().tidy().await.unwrap();
    let folded: Vec<Vec<u8>> = room
        .store
        .rows(Space::Archive)
        .into_iter()
        .map(|row| row.0)
        .collect();
    assert_eq!(
        folded,
        [codes[1].as_str().as_bytes(), codes[2].as_str().as_bytes()]
    );
    let of_broken = |(key, _): &(Vec<u8>, Vec<u8>)| key.starts_with(codes[0].as_str().as_bytes());
    let before: Vec<_> = log.into_iter().filter(of_broken).collect();
    assert_eq!(room.store.rows(Space::Log), before);
    assert!(room.service().find(&codes[0]).is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_table_that_was_called_off_is_forgotten_but_its_code_is_not_used_again() {
    let room = Room::new();
    let declined = room.says("ann", "challenge @bea phwar").await.code();
    room.says("bea", &format!("decline #{declined}")).await;
    let expired = room.says("ann", "challenge @bea phwar").await.code();
    room.later(Span::days(8)).await;
    let open = room.says("ann", "open phwar").await.code();
    room.clock.forward(Span::days(28));
    room.service().tidy().await.unwrap();
    assert!(room.service().find(&declined).is_ok() && room.service().find(&expired).is_ok());
    room.clock.forward(Span::days(2));
    room.service().tidy().await.unwrap();
    for code in [declined, expired] {
        room.says("bea", &format!("join {code}"))
            .await
            .answers("no table");
        assert!(room.service().repository().is_used(&code).unwrap());
    }
    assert!(room.service().find(&open).is_ok());
}

#[tokio::test(start_paused = true)]
async fn of_too_many_handled_events_the_oldest_are_forgotten() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let service = |events| {
        let service = Service::new(
            Arc::clone(&room.store) as Arc<dyn Store>,
            Arc::clone(&room.clock) as Arc<_>,
            Arc::clone(&room.entropy) as Arc<_>,
        );
        let retention = Retention {
            events,
            ..Retention::default()
        };
        service.unwrap().with_retention(retention)
    };
    for event in ["first", "second", "third"] {
        room.clock.forward(Span::hours(2));
        let (who, action) = (room.awaited(&code), room.legal(&code).remove(0));
        room.says_as_event(&who, &format!("move #{code} {action}"), event)
            .await;
    }
    let known = |event: &str| {
        let handled = |who: &str| room.service().repository().was_handled(&player(who), event);
        handled("ann").unwrap() || handled("bea").unwrap()
    };
    let events = room.store.rows(Space::Handled).len() / 2;
    service(events).tidy().await.unwrap();
    assert!(known("first"));
    service(2).tidy().await.unwrap();
    assert_eq!(["first", "second", "third"].map(known), [false, true, true]);
    assert_eq!(room.store.rows(Space::Handled).len(), 4);
    // The last hour stays, however much was done in it.
    room.clock.forward(Span::minutes(30));
    service(0).tidy().await.unwrap();
    assert_eq!(["first", "second", "third"].map(known), [false, false, true]);
}

#[tokio::test(start_paused = true)]
async fn events_that_earlier_versions_handled_are_known_and_forgotten_in_time() {
    let room = Room::new();
    let (key, now) = ("local:ann\0an event", room.service().now());
    let by_time = [b"\0\0", &now.0.to_be_bytes()[..], b"\0", key.as_bytes()].concat();
    room.store.put(Space::Handled, key.as_bytes(), b"");
    room.store.put(Space::Handled, &by_time, key.as_bytes());
    let known = || {
        room.service()
            .repository()
            .was_handled(&player("ann"), "an event")
            .unwrap()
    };
    room.service().tidy().await.unwrap();
    assert!(known());
    room.clock.forward(repository::HANDLED_FOR + Span::seconds(1));
    room.service().tidy().await.unwrap();
    assert!(!known());
    assert!(room.store.rows(Space::Handled).is_empty());
}
