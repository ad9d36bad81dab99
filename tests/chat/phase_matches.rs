//! Phase as a match: private wishes, sentences that reach beyond a question, clocks that run out.

use crate::room::Room;
use parlor::games::phase::card::{Alignment, card_set};
use parlor::matches::change::table_of;
use parlor::matches::code::Code;
use parlor::matches::record::Deed;
use parlor::matches::state::{How, Stage, steps_of};
use parlor::matches::time::Span;

/// A match of two past the choice of first resources.
async fn begun(room: &Room, terms: &str) -> Code {
    let code = room.begin("ann", "bea", &format!("phase order {terms}")).await;
    room.says("ann", "enlist 1").await.answers("Played");
    room.says("bea", "enlist 1").await.answers("Played");
    room.hears("starts").await;
    code
}

/// Whoever is awaited does as little as possible.
async fn idle(room: &Room, code: &Code) {
    let legal = room.legal(code);
    let little = legal
        .iter()
        .find(|action| matches!(action.as_str(), "pass" | "done"));
    let action = little.unwrap_or(&legal[0]).clone();
    let who = room.awaited(code);
    room.says(&who, &format!("move #{code} {action}"))
        .await
        .answers("Played");
}

/// What can't be read is refused at once, and is nothing that could wait for later.
#[tokio::test]
async fn words_behind_a_choice_that_mean_nothing_are_refused_and_change_nothing() {
    let room = Room::new();
    room.begin("ann", "bea", "phase order").await;
    for line in [
        "move enlist 1 zzz",
        "enlist 1 zzz",
        "move enlist 1 2 3 4 5 6 7 8",
        "move enlist zzz",
    ] {
        let before = room.store.matters();
        let said = room.says("ann", line).await;
        assert!(!said.text.contains("Played"), "{line}: {}", said.text);
        assert!(room.store.matters() == before, "{line} changed something");
    }
    let said = room.says("ann", "move enlist 1 zzz").await;
    assert!(
        said.text.contains("zzz"),
        "it says what it can't read: {}",
        said.text
    );
    // The choice is still hers.
    room.says("ann", "move enlist 1").await.answers("Played");
}

fn view(room: &Room, code: &Code) -> serde_json::Value {
    let the_match = room.the_match(code);
    let play = the_match.play().unwrap();
    table_of(&the_match, play)
        .unwrap()
        .view(parlor::game::Viewer::Public)
}

#[tokio::test]
async fn a_pass_in_advance_is_answered_in_private_and_nobody_else_hears_of_it() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    let (awaited, other) = (room.awaited(&code), room.waiting(&code));
    for place in ["parlour", awaited.as_str(), other.as_str()] {
        room.heard_at(place).await;
    }
    let before = (room.the_match(&code).version, view(&room, &code));
    let said = room.says(&other, "pass turn").await;
    said.answers("You pass until the turn is over");
    assert!(said.reply.secret);
    assert_eq!((room.the_match(&code).version, view(&room, &code)), before);
    assert_eq!(room.heard_at("parlour").await.len(), 0);
    assert_eq!(room.heard_at(&awaited).await.len(), 0);
    assert_eq!(room.awaited(&code), awaited);
    // It is a step like any other, and the match replays.
    let said = room.says(&other, "stop closing").await;
    said.answers("On other players' turns I now ask you before the turn ends, too.");
    idle(&room, &code).await;
}

#[tokio::test]
async fn a_whole_attack_is_one_command_where_nobody_wants_to_answer() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    for _ in 0..400 {
        let legal = room.legal(&code);
        let who = room.awaited(&code);
        if legal.contains(&"attack".to_owned()) {
            let seat = usize::from(who == "bea");
            let number = &view(&room, &code)["players"][seat]["warriors"][0]["number"];
            let line = format!("move #{code} attack nexus with {number}; pass; done");
            room.says(&who, &line).await.answers("Played");
            let after = view(&room, &code);
            assert_ne!(after["stage"], "maneuver", "{after}");
            assert_ne!(after["stage"], "target", "{after}");
            return;
        }
        let train = legal.iter().find(|action| action.starts_with("train"));
        match train {
            Some(train) => {
                room.says(&who, &format!("move #{code} {train}"))
                    .await
                    .answers("Played");
            }
            None => idle(&room, &code).await,
        }
    }
    panic!("nobody ever could attack");
}

/// The next legal action of whoever is awaited that begins like this, played.
async fn does(room: &Room, code: &Code, begins: &str) -> bool {
    let Some(action) = room
        .legal(code)
        .into_iter()
        .find(|action| action.starts_with(begins))
    else {
        return false;
    };
    let who = room.awaited(code);
    room.says(&who, &format!("move #{code} {action}"))
        .await
        .answers("Played");
    true
}

#[tokio::test]
async fn a_plan_that_no_longer_fits_is_dropped_and_its_player_is_told_why() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    let planner = room.awaited(&code);
    room.says(&planner, &format!("move #{code} done; order 9"))
        .await
        .answers("Played");
    assert_ne!(room.awaited(&code), planner);
    room.heard_at(&planner).await;
    while room.awaited(&code) != planner {
        idle(&room, &code).await;
    }
    let heard = room.hears_at(&planner, "I dropped your plan").await;
    assert!(heard.text.contains("I dropped your plan"), "{}", heard.text);
    assert!(heard.text.contains("order 9"), "{}", heard.text);
    for heard in room.heard_at("parlour").await {
        assert!(
            !heard.text.contains("order 9"),
            "a plan is private: {}",
            heard.text
        );
    }
}

#[tokio::test]
async fn a_plan_is_off_once_somebody_else_acts() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    let planner = room.awaited(&code);
    for _ in 0..200 {
        if room.awaited(&code) == planner {
            room.says(&planner, &format!("move #{code} done; order 9"))
                .await
                .answers("Played");
            room.heard_at(&planner).await;
        } else if !room.play_of(&code).queues.is_empty() && does(&room, &code, "train").await {
            let heard = room.hears_at(&planner, "I dropped your plan").await;
            assert!(
                heard.text.contains("another player acted first"),
                "{}",
                heard.text
            );
            return;
        } else {
            idle(&room, &code).await;
        }
    }
    panic!("nobody ever could train");
}

#[tokio::test]
async fn the_first_message_says_when_players_are_asked() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phase order none").await.code();
    room.says("bea", &format!("accept #{code}")).await;
    let heard = room.hears("begins").await;
    assert!(heard.text.contains("I ask you only"), "{}", heard.text);
    // Games without such habits say nothing of them.
    let code = room.says("ann", "challenge @bea phwar order none").await.code();
    room.says("bea", &format!("accept #{code}")).await;
    let heard = room.hears("begins").await;
    assert!(!heard.text.contains("I ask you only"), "{}", heard.text);
}

#[tokio::test]
async fn a_silent_player_passes_twice_and_is_out_the_third_time() {
    let room = Room::new();
    let code = begun(&room, "relaxed").await;
    let silent = room.awaited(&code);
    for lapse in 1..=3 {
        assert_eq!(room.awaited(&code), silent);
        room.later(Span::hours(240)).await;
        if lapse == 3 {
            break;
        }
        assert!(room.is_running(&code), "lapse {lapse}");
        room.hears("ran out of time").await;
        while room.awaited(&code) != silent {
            idle(&room, &code).await;
        }
    }
    match room.the_match(&code).stage {
        Stage::Over(_, ending) => assert_eq!(ending.how, How::Time),
        stage => panic!("not over: {stage:?}"),
    }
}

#[tokio::test]
async fn whole_matches_are_played_by_typing() {
    for seed in 0..2 {
        let room = Room::with_chance(seed);
        let code = begun(&room, "none").await;
        room.play_out(&code, seed).await;
        room.hears("wins").await;
    }
}

#[tokio::test]
async fn a_preview_of_a_wish_tells_what_it_means_and_not_what_happened_before() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    let other = room.waiting(&code);
    let before = room.the_match(&code).version;
    let said = room.whispers(&other, "preview pass turn").await;
    said.answers("Not played yet: You pass until the turn is over");
    assert!(!said.text.contains("starts"), "{}", said.text);
    assert!(said.reply.message.picture.is_none(), "nothing would change");
    assert_eq!(room.the_match(&code).version, before);
    room.says(&other, &said.button("Play it"))
        .await
        .answers("You pass until the turn is over");
}

#[tokio::test]
async fn a_preview_of_a_plain_pass_in_advance_says_how_long_it_holds() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    let other = room.waiting(&code);
    let said = room.whispers(&other, "preview pass").await;
    said.answers("Not played yet: You pass the next time you could act");
    assert!(!said.text.contains("starts"), "{}", said.text);
    assert!(said.reply.message.picture.is_none(), "nothing would change");
}

/// Who sits where.
fn seat(who: &str) -> usize {
    ["ann", "bea", "cy"].iter().position(|name| *name == who).unwrap()
}

/// The warriors of somebody that are not locked: number and alignment.
fn army(room: &Room, code: &Code, who: &str) -> Vec<(u64, Alignment)> {
    let table = view(room, code);
    let warriors = table["players"][seat(who)]["warriors"].as_array().unwrap();
    let free = warriors.iter().filter(|warrior| warrior["locked"] == false);
    let one = |warrior: &serde_json::Value| {
        let face = card_set().face_named(warrior["face"].as_str().unwrap()).unwrap();
        (warrior["number"].as_u64().unwrap(), face.alignment)
    };
    free.map(one).collect()
}

/// Two players train whatever they can, until whoever may attack has so many warriors, and the other one a warrior that
/// can meet the first of them. Who may attack, and with whom.
async fn until_an_attack(room: &Room, code: &Code, attackers: usize) -> (String, Vec<u64>) {
    for _ in 0..400 {
        let who = room.awaited(code);
        let other = if who == "ann" { "bea" } else { "ann" };
        let (own, enemies) = (army(room, code, &who), army(room, code, other));
        let meets = |(_, side): &(u64, Alignment)| enemies.iter().any(|(_, enemy)| enemy != side);
        let ready = own.len() >= attackers && own.first().is_some_and(meets);
        if room.legal(code).contains(&"attack".to_owned()) {
            if ready {
                return (who, own.into_iter().map(|(number, _)| number).collect());
            }
            idle(room, code).await;
        } else if !does(room, code, "train").await && !does(room, code, "pay").await {
            idle(room, code).await;
        }
    }
    panic!("nobody ever could attack like that");
}

/// What was done, the last first: whose seat, and what.
fn deeds(room: &Room, code: &Code) -> Vec<(usize, Deed)> {
    let log = room.service().log_of(&room.the_match(code)).unwrap();
    let steps = steps_of(&log).into_iter().rev();
    steps.map(|(seat, deed)| (seat.index(), deed)).collect()
}

/// Whether somebody has sent a defender since the last thing that another one did.
fn has_just_defended(room: &Room, code: &Code, who: &str) -> bool {
    let deeds = deeds(room, code);
    let mut own = deeds.iter().take_while(|(by, _)| *by == seat(who));
    own.any(|(_, deed)| matches!(deed, Deed::Action(action) if action.starts_with("defend")))
}

#[tokio::test]
async fn a_whole_turn_with_two_attackers_goes_on_after_the_defence() {
    let room = Room::with_chance(3);
    let code = begun(&room, "none").await;
    let (who, army) = until_an_attack(&room, &code, 2).await;
    let other = if who == "ann" { "bea" } else { "ann" };
    let line = format!(
        "move #{code} attack nexus with {} {}; pass; done",
        army[0], army[1]
    );
    room.says(&who, &line).await.answers("Played");
    assert_eq!(room.awaited(&code), other, "they defend");
    let defence = room
        .legal(&code)
        .into_iter()
        .find(|action| action.starts_with("defend"));
    let line = format!("move #{code} {}; pass", defence.unwrap());
    room.says(other, &line).await.answers("Played");
    let after = view(&room, &code);
    assert_eq!(
        after["active"],
        seat(other) + 1,
        "the turn was played to its end: {after}"
    );
    for heard in room.heard_at(&who).await {
        assert!(!heard.text.contains("I dropped your plan"), "{}", heard.text);
    }
}

/// Whoever passes behind the end of their turn passes in what is left of it, and decides their next turn themself.
#[tokio::test]
async fn a_pass_for_a_turn_that_is_over_is_forgotten_and_nobody_is_told_of_it() {
    let room = Room::new();
    let code = begun(&room, "none").await;
    let planner = room.awaited(&code);
    room.says(&planner, &format!("move #{code} done; pass"))
        .await
        .answers("Played");
    assert_ne!(room.awaited(&code), planner);
    room.heard_at(&planner).await;
    while room.awaited(&code) != planner {
        idle(&room, &code).await;
    }
    let table = view(&room, &code);
    assert_eq!(table["round"], 2);
    assert_eq!(table["stage"], "training");
    assert!(room.play_of(&code).queues.is_empty());
    for heard in room.heard_at(&planner).await {
        assert!(!heard.text.contains("I dropped your plan"), "{}", heard.text);
    }
}

#[tokio::test]
async fn a_standing_order_to_defend_answers_who_is_asked_already() {
    let room = Room::with_chance(3);
    let code = begun(&room, "none").await;
    let (who, army) = until_an_attack(&room, &code, 1).await;
    let other = if who == "ann" { "bea" } else { "ann" };
    room.says(&who, &format!("move #{code} attack nexus with {}", army[0]))
        .await
        .answers("Played");
    assert_eq!(room.awaited(&code), other, "they defend");
    let before = room.the_match(&code).version;
    let said = room.says(other, &format!("move #{code} always defend")).await;
    said.answers("your strongest warriors of the other alignment defend");
    assert!(said.reply.secret, "that it is a standing order is their secret");
    assert!(
        has_just_defended(&room, &code, other),
        "{:?}",
        deeds(&room, &code)
    );
    assert!(room.the_match(&code).version > before, "the match has moved on");
    assert_eq!(room.awaited(&code), who);
    room.service().record(&room.the_match(&code)).unwrap();
}

#[tokio::test]
async fn a_standing_order_to_defend_is_carried_out_after_a_clock_has_run_out() {
    let room = Room::with_chance(3);
    let code = begun(&room, "relaxed").await;
    for who in ["ann", "bea"] {
        room.says(who, &format!("move #{code} always defend")).await;
    }
    let (who, army) = until_an_attack(&room, &code, 2).await;
    let other = if who == "ann" { "bea" } else { "ann" };
    // One attacker is named, and then nothing more is heard.
    let line = format!("move #{code} attack; target nexus; with {}", army[0]);
    room.says(&who, &line).await.answers("Played");
    assert_eq!(room.awaited(&code), who, "more could be named");
    room.later(Span::hours(240)).await;
    room.hears("ran out of time").await;
    assert!(
        has_just_defended(&room, &code, other),
        "{:?}",
        deeds(&room, &code)
    );
    assert_eq!(
        room.awaited(&code),
        who,
        "the fights are over, and the turn goes on"
    );
}

/// What somebody has ordered who has to go is no order for the bot that plays on.
#[tokio::test]
async fn a_bot_that_plays_on_decides_itself_who_defends() {
    let room = Room::with_chance(3);
    let code = begun(&room, "none").await;
    let (who, army) = until_an_attack(&room, &code, 1).await;
    let other = if who == "ann" { "bea" } else { "ann" };
    room.says(other, &format!("move #{code} always defend")).await;
    room.says(other, &format!("resign #{code} bot")).await;
    let proposal = room.hears("has to go").await;
    room.says(&who, &proposal.button("Agree")).await;
    room.hears("plays on for").await;
    // No bot thinks in this house.
    room.says(&who, &format!("move #{code} attack nexus with {}", army[0]))
        .await
        .answers("Played");
    let awaited = room.awaited(&code);
    assert!(awaited.starts_with("bot/2"), "{awaited}");
    assert!(
        !has_just_defended(&room, &code, other),
        "{:?}",
        deeds(&room, &code)
    );
}

#[tokio::test]
async fn a_plan_goes_on_after_the_clock_of_another_player_has_run_out() {
    let room = Room::new();
    let code = begun(&room, "relaxed").await;
    let planner = room.awaited(&code);
    let other = room.waiting(&code);
    room.says(&planner, &format!("move #{code} done; done"))
        .await
        .answers("Played");
    assert_eq!(room.awaited(&code), other);
    room.later(Span::hours(240)).await;
    room.hears("ran out of time").await;
    // It was the planner's turn, which they had ended in advance.
    assert_eq!(room.awaited(&code), other);
    assert_eq!(view(&room, &code)["round"], 2);
    assert!(room.play_of(&code).queues.is_empty());
}

/// A match of three, in the order of their turns. The first has ended two turns at once, the second one, and the third is to
/// move.
async fn third_of_three_to_move(room: &Room) -> (Code, [String; 3]) {
    let code = room
        .says("ann", "challenge @bea @cy phase order none")
        .await
        .code();
    room.says("bea", "accept").await;
    room.says("cy", "accept").await.answers("begins");
    for who in ["ann", "bea", "cy"] {
        room.says(who, "enlist a").await.answers("Played");
    }
    let planner = room.awaited(&code);
    room.says(&planner, &format!("move #{code} done; done"))
        .await
        .answers("Played");
    let second = room.awaited(&code);
    room.says(&second, &format!("move #{code} done"))
        .await
        .answers("Played");
    let third = room.awaited(&code);
    (code, [planner, second, third])
}

#[tokio::test]
async fn a_plan_goes_on_after_another_player_has_resigned() {
    let room = Room::new();
    let (code, [planner, second, third]) = third_of_three_to_move(&room).await;
    assert!(third != planner && third != second);
    room.says(&third, &format!("resign #{code} sure")).await;
    room.hears(&format!("{third} resigns")).await;
    assert_eq!(room.awaited(&code), second, "the planner's turn has gone by");
    assert_eq!(view(&room, &code)["round"], 2);
}

/// Nobody is awaited while a match is paused; what was said in advance counts as soon as it goes on.
#[tokio::test]
async fn a_plan_waits_for_the_end_of_a_pause() {
    let room = Room::new();
    let (code, [planner, second, third]) = third_of_three_to_move(&room).await;
    room.says(&planner, &format!("pause #{code}")).await;
    for who in [&second, &third] {
        room.says(who, &format!("agree #{code}")).await;
    }
    assert!(room.play_of(&code).paused.is_some());
    room.says(&third, &format!("resign #{code} sure")).await;
    assert_eq!(room.awaited(&code), planner, "nobody plays in a pause");
    room.says(&second, &format!("resume #{code}")).await;
    assert_eq!(room.awaited(&code), second);
    assert_eq!(view(&room, &code)["round"], 2);
}

/// The letter of a card in somebody's own hand, by the face that gives the order.
fn held(room: &Room, code: &Code, who: &str, face: &str) -> Option<char> {
    let the_match = room.the_match(code);
    let play = the_match.play().unwrap();
    let seat = usize::from(who == "bea");
    let viewer = parlor::game::Viewer::Seat(parlor::game::Seat::new(seat as u8));
    let view = table_of(&the_match, play).unwrap().view(viewer);
    let hand = view["players"][seat]["hand"].as_array()?.clone();
    let place = hand.iter().position(|card| card["behind"] == face)?;
    ('a'..='z').nth(place)
}

#[tokio::test]
async fn what_somebody_sees_behind_a_card_is_told_to_them_alone() {
    for seed in 0..12 {
        let room = Room::with_chance(seed);
        let code = begun(&room, "none deck1=archive deck2=archive").await;
        for _ in 0..250 {
            if !room.is_running(&code) {
                break;
            }
            let who = room.awaited(&code);
            let letter = held(&room, &code, &who, "Night Librarian");
            let order = letter.map(|letter| format!("order {letter}"));
            let legal = room.legal(&code);
            let Some(order) = order.filter(|order| legal.contains(order)) else {
                idle(&room, &code).await;
                continue;
            };
            for place in ["parlour", "ann", "bea"] {
                room.heard_at(place).await;
            }
            let mut said = room.says(&who, &format!("move #{code} {order}")).await;
            while !said.text.contains("you see") {
                let legal = room.legal(&code);
                let chosen = legal.iter().find(|action| action.starts_with("on ")).unwrap();
                said = room.says(&who, &format!("move #{code} {chosen}")).await;
                said.answers("Played");
            }
            said.answers("Behind hand card");
            assert!(said.reply.secret, "it is for whoever looked");
            assert!(said.reply.goes_on, "whoever looked is still on turn");
            assert!(!said.reply.told, "no room is told what they saw");
            let other = if who == "ann" { "bea" } else { "ann" };
            for place in ["parlour", other] {
                for heard in room.heard_at(place).await {
                    assert!(!heard.text.contains("you see"), "{place}: {}", heard.text);
                }
            }
            // It stays to be looked up.
            room.whispers(&who, "hand")
                .await
                .answers("You have seen behind cards of");
            return;
        }
    }
    panic!("nobody ever could look behind a card");
}
