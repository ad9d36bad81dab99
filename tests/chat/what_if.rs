//! Positions of matches that are tried out: a practice match of their own, which can't touch the original.

use parlor::game::Viewer;
use parlor::matches::code::Code;
use parlor::matches::record::Record;

use crate::room::{Room, player, short};

async fn over(room: &Room, wishes: &str, moves: usize) -> Code {
    let code = room.begin("ann", "bea", wishes).await;
    for _ in 0..moves {
        room.any_move(&code).await;
    }
    room.says("ann", &format!("resign #{code} sure")).await;
    room.heard_at("parlour").await;
    code
}

fn record(room: &Room, code: &Code) -> Record {
    let found = room.service().find(code).unwrap();
    room.service().record(&found).unwrap()
}

#[tokio::test]
async fn a_turn_of_a_finished_match_is_played_on_alone() {
    let room = Room::new();
    let code = over(&room, "phwar order", 6).await;
    let before = (room.the_match(&code), record(&room, &code));
    let step = room.says("ann", &format!("replay #{code} step 4")).await;
    let said = room.says("cy", &step.button("What if?")).await;
    said.answers("goes on from turn 4").answers("changes nothing");
    let copy = said.code();
    assert_ne!(copy, code);
    room.hears(&format!("#{copy} begins")).await;
    let play = room.play_of(&copy);
    assert!(play.players.iter().all(|own| short(own) == "cy"));
    // The position is that of the replay.
    let table = before.1.replay(Some(4)).unwrap();
    let found = room.service().find(&copy).unwrap();
    assert_eq!(
        found.table().unwrap().view(Viewer::Public),
        table.view(Viewer::Public)
    );
    // It is played like any other, and what was copied can't be undone.
    room.says("cy", "undo").await.answers("can't undo");
    room.any_move(&copy).await;
    room.says("cy", "undo").await;
    assert_eq!(room.play_of(&copy).steps, 4);
    room.any_move(&copy).await;
    record(&room, &copy).verify().unwrap();
    assert_eq!(record(&room, &copy).actions.len(), 5);
    room.says("cy", &format!("resign #{copy} sure")).await;
    record(&room, &copy).verify().unwrap();
    assert!(before == (room.the_match(&code), record(&room, &code)));
}

/// Wherever somebody can go on from, there is a button that does.
#[tokio::test]
async fn every_step_from_which_one_can_go_on_says_so() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    for _ in 0..3 {
        room.any_move(&code).await;
    }
    let step = async |turn: u32| room.says("ann", &format!("replay #{code} step {turn}")).await;
    // Of a running match with open information, the last turn as well.
    for turn in [0, 2, 3] {
        let said = step(turn).await;
        assert_eq!(said.button("What if?"), format!("practice #{code} {turn}"));
    }
    room.says("ann", &step(3).await.button("What if?"))
        .await
        .answers("goes on from turn 3");
    // Where one side has given up the game is over, and nothing goes on.
    room.says("bea", &format!("resign #{code} sure")).await;
    let end = step(4).await;
    end.answers("turn 4 of 4");
    assert!(
        end.commands()
            .iter()
            .all(|command| !command.starts_with("practice"))
    );
    assert_eq!(step(3).await.button("What if?"), format!("practice #{code} 3"));
    // Hidden hands wait for the end.
    let code = room.begin("ann", "bea", "breaker variant=blind order none").await;
    room.any_move(&code).await;
    let said = room.says("ann", &format!("replay #{code} step 0")).await;
    assert!(
        said.commands()
            .iter()
            .all(|command| !command.starts_with("practice"))
    );
}

#[tokio::test]
async fn bots_take_the_other_sides_if_they_are_asked_to() {
    let room = Room::new();
    let code = over(&room, "phwar order", 6).await;
    let copy = room
        .says("bea", &format!("practice #{code} 3 level=3"))
        .await
        .code();
    let players: Vec<String> = room.play_of(&copy).players.iter().map(short).collect();
    assert_eq!(players[1], "bea", "everybody keeps their seat");
    assert!(players[0].starts_with("bot/3"), "{players:?}");
    let copy = room.says("cy", &format!("practice #{code} 3 bot")).await.code();
    let found = room.service().find(&copy).unwrap();
    let awaited = found.table().unwrap().awaiting().seats().iter().next().unwrap();
    assert_eq!(found.play().unwrap().players[awaited.index()], player("cy"));
    // Where the game itself begins, bots can take the other sides, too.
    let copy = room.says("dee", "practice phwar level=2").await.code();
    let players: Vec<String> = room.play_of(&copy).players.iter().map(short).collect();
    assert!(players.contains(&"dee".to_owned()) && players.iter().any(|own| own.starts_with("bot/2")));
}

#[tokio::test]
async fn wrong_turns_are_answered_kindly() {
    let room = Room::new();
    let code = over(&room, "phwar order", 6).await;
    let said = room.says("ann", &format!("practice #{code} 99")).await;
    said.answers("turns 0 to 6");
    assert_eq!(said.button("From turn 6"), format!("practice #{code} 6"));
    room.says("ann", &said.button("From turn 6"))
        .await
        .answers("from turn 6");
    room.says("ann", &format!("practice #{code} 0"))
        .await
        .answers("from turn 0");
    // Without a turn it is the last one from which the game goes on.
    room.says("ann", &format!("practice #{code}"))
        .await
        .answers("from turn 6");
    room.says("ann", &format!("practice #{code} soon"))
        .await
        .answers("isn't the number of a turn");
    room.says("ann", "practice").await.answers("Which game?");
    room.says("ann", "practice chess").await.answers("no game");
    room.whispers("ann", &format!("practice #{code} 2"))
        .await
        .answers("in a room");
}

#[tokio::test]
async fn a_running_match_is_copied_only_where_nobody_learns_from_it() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    room.any_move(&code).await;
    room.any_move(&code).await;
    let copy = room.says("ann", &format!("practice #{code}")).await.code();
    let (running, practice) = (room.play_of(&code), room.play_of(&copy));
    assert_eq!(practice.steps, 2);
    assert_ne!(
        running.seed, practice.seed,
        "the seed of a running match is a secret"
    );
    // The bot helps nobody by the way round.
    room.says("ann", &format!("hint #{copy}"))
        .await
        .answers("wouldn't be fair");
    room.says("ann", &format!("practice #{code} level=4"))
        .await
        .answers("wouldn't be fair");
    room.says("ann", &format!("practice #{copy} level=4"))
        .await
        .answers("wouldn't be fair");
    room.says("ann", &format!("resign #{copy} sure")).await;
    room.says("ann", &format!("review #{copy}"))
        .await
        .answers("still on");
    assert!(room.is_running(&code));
    room.says("ann", &format!("resign #{code} sure")).await;
    let said = room.says("ann", &format!("review #{copy}")).await;
    assert!(!said.text.contains("still on"), "{}", said.text);
    // Hidden hands, or chance, wait for the end.
    for wishes in ["breaker variant=blind order none", "phase order none"] {
        let code = room.begin("ann", "bea", wishes).await;
        for who in ["ann", "cy"] {
            room.says(who, &format!("practice #{code}"))
                .await
                .answers("secrets or chance");
        }
        room.says("bea", &format!("resign #{code} sure")).await;
        let copy = room.says("ann", &format!("practice #{code} 0")).await.code();
        assert_eq!(room.play_of(&copy).seed, room.play_of(&code).seed);
        room.any_move(&copy).await;
        record(&room, &copy).verify().unwrap();
    }
}

#[tokio::test]
async fn who_has_left_has_left_in_the_copy_too() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea @cy phwar order").await.code();
    for who in ["bea", "cy"] {
        room.says(who, &format!("accept #{code}")).await;
    }
    for _ in 0..3 {
        room.any_move(&code).await;
    }
    room.says("bea", &format!("resign #{code} sure")).await;
    for _ in 0..2 {
        room.any_move(&code).await;
    }
    let copy = room.says("ann", &format!("practice #{code}")).await.code();
    let (old, new) = (room.play_of(&code), room.play_of(&copy));
    assert_eq!(old.left, new.left);
    assert_eq!(old.steps, new.steps);
    room.any_move(&copy).await;
    record(&room, &copy).verify().unwrap();
}
