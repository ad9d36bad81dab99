//! Whole matches, told as the people in the room would tell them.

use crate::room::{Room, player};
use parlor::matches::code::Code;
use parlor::matches::record::Record;

#[tokio::test]
async fn a_match_is_played_from_the_challenge_to_a_rematch() {
    let room = Room::new();
    let code = room
        .says("ann", "challenge @bea phwar")
        .await
        .answers("You're in")
        .code();
    let offer = room.hears("ann challenges bea to Phwar").await;
    assert_eq!(offer.message.ping, [player("bea")]);

    room.says("bea", &offer.button("Accept")).await.answers("begins");
    room.hears("begins: ").await;
    let first_seat = room.play_of(&code).players.clone();

    let moves = room.play_out(&code, 3).await;
    assert!(moves > 10, "a real game, not {moves} moves");
    let end = room.hears("wins: ").await;
    assert_eq!(end.message.ping.len(), 1, "whoever did not make the last move");

    let record = room.says("ann", &end.button("Record")).await;
    let file = record.reply.message.file.clone().expect("a file");
    let record = Record::from_json(&file.content).unwrap();
    record.verify().unwrap();
    assert_eq!(record.actions.len(), moves);

    room.says("ann", &end.button("Rematch"))
        .await
        .answers("Waiting for");
    let offer = room.hears("ann offers bea a rematch").await;
    let again = room.says("bea", &offer.button("Accept")).await.code();
    assert_ne!(again, code);
    let mut swapped = first_seat;
    swapped.rotate_left(1);
    assert_eq!(room.play_of(&again).players, swapped, "seats are swapped");
}

/// Breaker Blocks may be played so that equal circuits are a loss for both: told, recorded and listed as nobody's victory.
#[tokio::test]
async fn a_match_may_be_lost_by_both() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "breaker tie=both-lose order none").await;
    for (who, action) in [
        ("ann", "draw authenticate"),
        ("ann", "pass"),
        ("bea", "draw authenticate"),
        ("bea", "pass"),
        ("ann", "add authenticate I"),
        ("ann", "pass"),
        ("bea", "add authenticate I"),
    ] {
        room.says(who, &format!("{action} #{code}")).await;
    }
    assert!(!room.is_running(&code), "the second AUTHENTICATE ends the match");
    let end = room
        .hears("Both lose: 0 circuits each at the second AUTHENTICATE.")
        .await;
    assert!(!end.text.contains("wins"), "{}", end.text);
    let record = room.says("ann", &end.button("Record")).await;
    let file = record.reply.message.file.clone().expect("a file");
    let record = Record::from_json(&file.content).unwrap();
    record.verify().unwrap();
    assert_eq!(record.outcome.expect("an outcome").ranks, [2, 2]);
}

#[tokio::test]
async fn what_programmers_print_of_a_match_holds_no_secret() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.any_move(&code).await;
    let the_match = room.the_match(&code);
    let play = room.play_of(&code);
    let log = room.service().log_of(&the_match).unwrap();
    let legal = room.legal(&code).remove(0);
    let trial = parlor::matches::moves::attempt(&the_match.clone().into(), &player("bea"), &legal).unwrap();
    for printed in [
        format!("{the_match:?}"),
        format!("{play:?}"),
        format!("{log:?}"),
        format!("{trial:?}"),
    ] {
        assert!(!printed.contains(&play.seed), "{printed}");
        assert!(!printed.contains(&play.table[1..40]), "the position: {printed}");
        assert!(!printed.contains(&action), "{printed}");
    }
}

/// A match of three in which ann, bea and cy sit in this order.
async fn match_of_three(room: &Room, terms: &str) -> Code {
    let line = format!("challenge @bea @cy phwar order {terms}");
    let code = room.says("ann", &line).await.code();
    room.says("bea", "accept").await.answers("Waiting for");
    room.says("cy", "accept").await.answers("begins");
    room.hears("begins").await;
    code
}

#[tokio::test]
async fn of_three_players_all_have_to_agree_and_old_buttons_name_what_they_agree_to() {
    let room = Room::new();
    let code = match_of_three(&room, "").await;
    room.says("ann", "draw").await.answers("others to agree");
    let offer = room.hears("ann offers a draw").await;
    assert_eq!(offer.message.ping, [player("bea"), player("cy")]);
    room.says("bea", &offer.button("Agree"))
        .await
        .answers("You agree");
    assert!(room.is_running(&code), "one is still to answer");
    // The same button, though Bea's answer has changed the match since.
    room.says("bea", &offer.button("Agree")).await.answers("already");
    room.says("cy", &offer.button("Agree")).await.answers("You agree");
    room.hears("A draw by agreement").await;
    assert!(!room.is_running(&code));
}

#[tokio::test]
async fn an_old_button_never_agrees_to_something_new() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "draw").await;
    let offer = room.hears("ann offers a draw").await;
    room.says("bea", &offer.button("No")).await.answers("You decline");
    room.hears("bea says no to the draw").await;
    room.says("ann", "pause").await;
    room.hears("ann asks for a pause").await;
    let before = room.store.matters();
    room.says("bea", &offer.button("Agree")).await.answers("moved on");
    assert_eq!(room.store.matters(), before);
    assert!(room.play_of(&code).paused.is_none());
    // Without a button the one thing that stands is meant.
    room.says("bea", "accept").await.answers("You agree");
    assert!(room.play_of(&code).paused.is_some());
}

#[tokio::test]
async fn agreeing_to_nothing_proposes_nothing() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let before = room.store.matters();
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("nothing to answer")
        .answers("the match is on");
    room.says("bea", &format!("decline #{code}"))
        .await
        .answers("nothing to answer");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn an_answer_is_to_the_others_proposal_and_not_to_my_own() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "draw").await;
    room.says("bea", "extend 12").await.answers("more time");
    room.says("ann", "accept").await.answers("You agree");
    room.hears("Agreed: 12 hours more for everybody").await;
    assert!(room.is_running(&code), "Ann did not accept her own draw");
    // What is left is Ann's own offer; to decline it is to withdraw it.
    room.says("ann", "accept")
        .await
        .answers("You offered a draw already");
    room.says("ann", "decline").await;
    room.hears("ann no longer offers a draw").await;
    assert!(room.play_of(&code).proposals.is_empty());
}

#[tokio::test]
async fn whoever_has_left_a_match_decides_nothing_in_it_any_more() {
    let room = Room::new();
    let code = match_of_three(&room, "none").await;
    room.says("ann", &format!("resign #{code} sure"))
        .await
        .answers("You resign");
    room.hears("ann").await;
    assert!(room.is_running(&code), "two play on");
    room.says("bea", "pause").await;
    room.says("cy", "accept").await;
    let before = room.store.matters();
    for line in [
        "draw",
        "undo",
        "pause",
        "resume",
        "extend 5",
        "abort",
        "claim",
        "resign",
        "resign sure",
        "accept",
        "decline",
        "move F2-F5",
        "moves",
        "preview F2-F5",
    ] {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        room.says("ann", &format!("{verb} #{code} {rest}"))
            .await
            .answers("You left");
    }
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn twenty_matches_are_enough_for_anybody() {
    let room = Room::new();
    for _ in 0..19 {
        room.says("ann", "open phwar").await.answers("You're in");
    }
    let theirs = room.says("bea", "open phwar").await.code();
    room.says("ann", &format!("join {theirs}"))
        .await
        .answers("begins");
    let before = room.store.matters();
    room.says("ann", "open phwar")
        .await
        .answers("You have 20 matches");
    room.says("ann", "practice phwar").await.answers("20");
    let another = room.says("cy", "open phwar").await.code();
    room.says("ann", &format!("join {another}"))
        .await
        .answers("You have 20 matches");
    room.says("cy", &format!("cancel {another}")).await;
    assert!(before.len() <= room.store.matters().len());
    // All of them fit one message, and one less makes room.
    room.says("ann", "matches").await.answers("Phwar");
    room.says("ann", &format!("resign {theirs} sure")).await;
    room.says("ann", "open phwar").await.answers("You're in");
}

#[tokio::test]
async fn invitations_fill_nobodys_limit() {
    let room = Room::new();
    for _ in 0..20 {
        room.says("ann", "challenge @bea phwar")
            .await
            .answers("You're in");
    }
    for _ in 0..10 {
        room.says("cy", "challenge @bea phwar").await.answers("You're in");
    }
    room.says("bea", "open phwar").await.answers("You're in");
    room.says("bea", "matches").await;
}

#[tokio::test]
async fn a_crowd_of_the_same_person_is_refused() {
    let room = Room::new();
    for count in [3, 254, 255, 256, 257] {
        let line = format!("challenge {}phwar", "me ".repeat(count));
        room.says("ann", &line)
            .await
            .answers("Phwar takes 2 to 3 players");
    }
    room.says("ann", "challenge @bea @bea phwar")
        .await
        .answers("You named bea twice");
    assert!(room.store.rows(parlor::matches::port::Space::Matches).is_empty());
}

/// A finished match of ann on "local" against cy on "other".
async fn match_between_platforms(room: &Room) -> Code {
    let code = room.says("ann", "open phwar order").await.code();
    let offer = room.hears("ann opens Phwar").await;
    assert!(
        offer.text.contains(&format!("join #{code} in any room")),
        "{}",
        offer.text
    );
    room.says("other/cy", &format!("join {code}"))
        .await
        .answers("begins");
    code
}

#[tokio::test]
async fn a_table_is_joined_by_code_from_another_platform_and_every_turn_is_shown_in_both_rooms() {
    let room = Room::new();
    let code = match_between_platforms(&room).await;
    for place in ["parlour", "other/parlour"] {
        room.hears_at(place, "begins: ann against other/cy").await;
    }
    for _ in 0..6 {
        let who = room.awaited(&code);
        room.any_move(&code).await;
        let here = room.hears(", your move").await;
        let there = room.hears_at("other/parlour", ", your move").await;
        assert!(here.text.starts_with(&who), "{}", here.text);
        assert_eq!(here.text, there.text);
        assert_eq!(here.message, there.message);
        assert_eq!(
            here.message.ping,
            [player(if who == "ann" { "other/cy" } else { "ann" })]
        );
        assert_ne!(here.delivery.key, there.delivery.key);
    }
    room.says("other/cy", &format!("resign #{code} sure")).await;
    room.hears("ann wins: other/cy resigned").await;
    room.hears_at("other/parlour", "ann wins: other/cy resigned")
        .await;

    // The offer of a rematch reaches the other platform too.
    room.says("ann", "rematch").await;
    let offer = room
        .hears_at("other/parlour", "ann offers other/cy a rematch")
        .await;
    room.hears("ann offers other/cy a rematch").await;
    let again = room.says("other/cy", &offer.button("Accept")).await.code();
    room.hears("begins: other/cy against ann").await;
    room.hears_at("other/parlour", "begins: other/cy against ann")
        .await;
    assert_eq!(room.the_match(&again).rooms.len(), 2);
}

#[tokio::test]
async fn both_press_rematch_and_meet_at_one_table() {
    let room = std::sync::Arc::new(Room::new());
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "rematch").await.answers("no match");
    room.says("ann", &format!("rematch #{code}"))
        .await
        .answers("is still on");
    room.says("ann", "resign sure").await;
    let mut tasks = tokio::task::JoinSet::new();
    for who in ["ann", "bea"] {
        let (room, line) = (std::sync::Arc::clone(&room), format!("rematch #{code}"));
        tasks.spawn(async move { room.says(who, &line).await.text });
    }
    let answers = tasks.join_all().await;
    assert_eq!(
        answers.iter().filter(|text| text.contains("begins")).count(),
        1,
        "{answers:?}"
    );
    assert_eq!(room.codes().len(), 2);
    // There is one; a second press opens no other.
    room.says("ann", &format!("rematch #{code}"))
        .await
        .answers("There's a rematch already");
}

#[tokio::test]
async fn a_rematch_is_offered_once_and_can_be_declined() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    room.says("bea", "resign sure").await;
    room.says("bea", "rematch").await.answers("Waiting for");
    room.says("bea", &format!("rematch #{code}"))
        .await
        .answers("There's a rematch already");
    let offer = room.hears("bea offers ann a rematch").await;
    assert!(
        offer.text.contains("2 days each"),
        "the same clock: {}",
        offer.text
    );
    room.says("ann", &offer.button("Decline"))
        .await
        .answers("You decline");
    room.hears("ann declines").await;
    // Then it may be asked for again.
    room.says("ann", "rematch").await.answers("Waiting for");
    room.says("cy", &format!("rematch #{code}"))
        .await
        .answers("You don't play");
}

#[tokio::test]
async fn an_ordinary_challenge_is_not_taken_for_a_rematch() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.says("bea", "resign sure").await;
    let challenge = room.says("ann", "challenge @bea phwar none").await.code();
    let rematch = room.says("bea", &format!("rematch #{code}")).await.code();
    assert_ne!(rematch, challenge);
    assert_eq!(room.the_match(&rematch).clock, room.the_match(&code).clock);
}

#[tokio::test]
async fn of_three_players_one_leaves_and_two_play_to_the_end() {
    let room = Room::new();
    let code = match_of_three(&room, "").await;
    room.any_move(&code).await;
    assert_eq!(room.awaited(&code), "bea");
    let sure = room.says("cy", "resign").await;
    sure.answers("really");
    assert_eq!(
        room.play_of(&code).entries,
        1,
        "nothing is given up without a second word"
    );
    room.says("cy", &sure.button("Resign"))
        .await
        .answers("You resign");
    room.hears("cy resigns. cy leaves the game").await;
    room.play_out(&code, 5).await;
    let end = room.hears("Third: cy").await;
    let record = room.service().record(&room.the_match(&code)).unwrap();
    record.verify().unwrap();
    assert_eq!(record.outcome.unwrap().ranks[2], 3, "{}", end.text);
}

#[tokio::test]
async fn a_challenge_can_be_declined_and_cancelled() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar").await.code();
    room.says("cy", &format!("accept #{code}"))
        .await
        .answers("aren't invited");
    room.says("cy", &format!("decline #{code}"))
        .await
        .answers("aren't invited");
    room.says("ann", &format!("accept #{code}"))
        .await
        .answers("You're in");
    room.says("bea", "decline").await.answers("You decline");
    room.hears("bea declines").await;
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("called off");
    let code = room.says("ann", "challenge @bea phwar").await;
    room.says("ann", &code.button("Cancel"))
        .await
        .answers("cancelled");
    room.hears("ann cancels").await;
    room.says("bea", "accept").await.answers("no match");
    for line in ["board", "text", "record", "moves", "hand", "resign", "rematch"] {
        let said = room.says("ann", &format!("{line} #{}", code.code())).await;
        said.answers("called off");
    }
}

#[tokio::test]
async fn somebody_tries_a_game_out_alone() {
    let room = Room::new();
    let code = room
        .says("ann", "practice phwar")
        .await
        .answers("has begun")
        .code();
    room.hears("begins: ann plays every side").await;
    for _ in 0..6 {
        let action = room.any_move(&code).await;
        assert!(!action.is_empty());
        assert_eq!(room.awaited(&code), "ann");
    }
    let before = room.play_of(&code).steps;
    room.says("ann", "undo").await.answers("Agreed");
    assert_eq!(room.play_of(&code).steps, before - 1);
    room.play_out(&code, 9).await;
    room.hears("ann").await;
    let three = room.says("ann", "practice phwar seats=3").await.code();
    assert_eq!(room.play_of(&three).players.len(), 3);
    room.says("ann", "practice phwar seats=7").await.answers("2 to 3");
}

#[tokio::test]
async fn a_move_is_taken_back_by_consent_and_stays_in_the_log() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "undo").await.answers("no move to undo");
    let first = room.any_move(&code).await;
    let position = room.play_of(&code).table;
    room.any_move(&code).await;
    // Ann's last move lies one move back: both go.
    room.says("ann", "undo").await.answers("others to agree");
    let asks = room.hears("ann asks for an undo").await;
    room.says("bea", &asks.button("No")).await;
    room.hears("bea says no to the undo. The match goes on.").await;
    assert_eq!(room.play_of(&code).steps, 2);
    room.says("ann", "undo").await;
    let asks = room.hears("ann asks for an undo").await;
    room.says("bea", &asks.button("Agree")).await.answers("You agree");
    room.hears("that move is undone").await;
    let play = room.play_of(&code);
    assert_eq!((play.steps, play.entries), (0, 3));
    assert_eq!(room.awaited(&code), "ann");
    // The same again leads to the same position; the log knows everything.
    room.says("ann", &first).await.answers("Played");
    let (mine, before) = (room.play_of(&code).table, position);
    assert_eq!(mine, before);
    room.play_out(&code, 4).await;
    let record = room.service().record(&room.the_match(&code)).unwrap();
    record.verify().unwrap();
    let play = room.play_of(&code);
    assert_eq!(record.actions.len(), play.steps as usize);
    assert_eq!(
        room.service().log_of(&room.the_match(&code)).unwrap().len(),
        play.entries as usize
    );
}

#[tokio::test]
async fn nothing_is_taken_back_once_something_has_come_to_light() {
    use parlor::game::Seat;
    use parlor::matches::consent::takeback_target;
    use parlor::matches::record::Deed;
    use parlor::matches::refusal::{Failure, Refusal};
    use parlor::matches::state::{LogEntry, Logged, ProposalKind};
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let the_match = room.the_match(&code);
    let did = |seat, steps, revealed| LogEntry {
        at: the_match.created,
        what: Logged::Did {
            seat: Seat::new(seat),
            deeds: vec![Deed::Action("x".into()); steps],
            revealed,
        },
    };
    let back = |steps| LogEntry {
        at: the_match.created,
        what: Logged::TookBack { steps },
    };
    let target = |who: &str, log: &[LogEntry]| match takeback_target(&the_match, &player(who), log) {
        Ok(ProposalKind::Takeback { steps }) => Ok(steps),
        Ok(wish) => panic!("{wish:?}"),
        Err(Failure::Refused(refusal)) => Err(refusal),
        Err(Failure::Broken(fault)) => panic!("{fault}"),
    };
    assert_eq!(target("ann", &[]), Err(Refusal::NothingToTakeBack));
    assert_eq!(
        target("bea", &[did(0, 1, false)]),
        Err(Refusal::NothingToTakeBack)
    );
    assert_eq!(target("ann", &[did(0, 3, false)]), Ok(0), "the whole sentence");
    assert_eq!(target("ann", &[did(0, 2, false), did(1, 1, false)]), Ok(0));
    assert_eq!(target("bea", &[did(0, 2, false), did(1, 1, false)]), Ok(2));
    assert_eq!(
        target("ann", &[did(0, 1, true)]),
        Err(Refusal::CantUnsee),
        "one's own move showed something"
    );
    assert_eq!(
        target("ann", &[did(0, 1, false), did(1, 1, true)]),
        Err(Refusal::CantUnsee),
        "the answer showed something"
    );
    assert_eq!(
        target("ann", &[did(0, 1, true), did(1, 1, false), did(0, 1, false)]),
        Ok(2),
        "what was shown before stays shown"
    );
    assert_eq!(
        target("ann", &[did(0, 1, false), did(1, 1, false), back(1)]),
        Ok(0),
        "what was taken back is gone"
    );
    assert_eq!(
        target("bea", &[did(0, 1, false), did(1, 1, false), back(1)]),
        Err(Refusal::NothingToTakeBack)
    );
    assert_eq!(
        target("cy", &[did(0, 1, false)]),
        Err(Refusal::NotYourMatch(code.clone()))
    );
}

#[tokio::test]
async fn a_draw_is_offered_declined_lapses_and_is_agreed() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "draw").await.answers("You offer a draw");
    room.says("ann", "draw").await.answers("already");
    room.says("bea", "no").await.answers("You decline");
    room.hears("bea says no to the draw").await;
    // An offer stands while its maker moves, and lapses when the other does.
    room.says("ann", "draw").await;
    let offer = room.hears("ann offers a draw").await;
    room.any_move(&code).await;
    assert_eq!(room.play_of(&code).proposals.len(), 1);
    room.any_move(&code).await;
    assert!(room.play_of(&code).proposals.is_empty());
    let before = room.store.matters();
    room.says("bea", &offer.button("Agree")).await.answers("moved on");
    assert_eq!(room.store.matters(), before);
    room.says("bea", "draw").await;
    room.says("ann", "draw").await.answers("Agreed");
    room.hears("A draw by agreement").await;
    let record = room.service().record(&room.the_match(&code)).unwrap();
    record.verify().unwrap();
    assert_eq!(record.outcome.unwrap().ranks, [1, 1]);
}

#[tokio::test]
async fn a_match_is_broken_off_before_the_second_move_only() {
    let room = Room::new();
    for moves in 0..=1 {
        let code = room.match_of("ann", "bea", "").await;
        for _ in 0..moves {
            room.any_move(&code).await;
        }
        room.says("cy", &format!("abort #{code}"))
            .await
            .answers("You don't play");
        room.says("bea", "abort").await.answers("broke the match off");
        room.hears("is over. It was broken off, so nobody wins.").await;
        let record = room.service().record(&room.the_match(&code)).unwrap();
        record.verify().unwrap();
        assert_eq!(record.outcome, None);
    }
    let code = room.match_of("ann", "bea", "").await;
    room.any_move(&code).await;
    room.any_move(&code).await;
    room.says("ann", "abort")
        .await
        .answers("too late to break the match off");
    assert!(room.is_running(&code));
}

#[tokio::test]
async fn the_record_of_a_running_match_shows_what_the_asker_may_see_and_no_seed() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.any_move(&code).await;
    let seed = room.play_of(&code).seed;
    for who in ["ann", "bea", "cy"] {
        let said = room.says(who, &format!("record #{code}")).await;
        said.answers("is still on");
        let file = said.reply.message.file.clone().unwrap();
        assert!(!file.content.contains(&seed), "{}", file.content);
        assert!(file.content.contains("commitment"), "{}", file.content);
        assert!(Record::from_json(&file.content).is_err(), "it is no whole record");
    }
}

#[tokio::test]
async fn a_game_goes_on_after_a_restart_as_if_nothing_had_been() {
    let mut room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    for _ in 0..5 {
        room.any_move(&code).await;
        room.restart();
    }
    room.play_out(&code, 8).await;
    room.service()
        .record(&room.the_match(&code))
        .unwrap()
        .verify()
        .unwrap();
    let keys: Vec<String> = room
        .heard_at("parlour")
        .await
        .into_iter()
        .map(|heard| heard.delivery.key)
        .collect();
    let unique: std::collections::BTreeSet<&String> = keys.iter().collect();
    assert_eq!(unique.len(), keys.len(), "no key is used twice");
}

/// Offered where nobody has chosen a clock, and only for a game whose rulebook has one.
#[tokio::test]
async fn the_clock_of_the_rulebook_is_offered_by_name() {
    let room = Room::new();
    let offered = room.says("ann", "challenge @bea glyphgrid").await;
    offered.answers("GlyphGrid's rulebook plays with ");
    offered.answers("live 5m");
    offered.answers(": 5 minutes each for the whole game.");
    for said in ["challenge @bea glyphgrid daily", "challenge @bea phwar"] {
        let text = room.says("ann", said).await.text;
        assert!(!text.contains("rulebook"), "{said}: {text}");
    }
}
