//! Moves: typed, pressed, tried out, and refused.

use parlor::chat::message::{PictureKind, Subject};
use parlor::matches::port::Space;

use crate::room::Room;

#[tokio::test]
async fn moves_can_be_typed_bare_with_the_verb_by_code_and_by_pressing_buttons() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar order").await.code();
    room.says("bea", "yes").await.answers("begins");
    let start = room.hears("begins").await;
    // Bare.
    let action = room.legal(&code).remove(0);
    room.says("ann", &action).await.answers("Played");
    // With the verb, and the way people write.
    let action = room.legal(&code).remove(3).replace('-', " to ");
    room.says("bea", &format!("/move {}", action.to_lowercase()))
        .await
        .answers("Played");
    // By code, from where nobody else hears.
    let action = room.legal(&code).remove(0);
    room.whispers("ann", &format!("m #{} {action}", code.as_str().to_lowercase()))
        .await
        .answers("Played");
    // By buttons: the one on the board, then the first of each menu.
    let board = room.hears("bea, your move").await;
    assert_ne!(board.button("Move"), start.button("Move"));
    let mut line = room.heard_at("parlour").await.pop().unwrap().button("Move");
    for _ in 0..5 {
        let said = room.says("bea", &line).await;
        if said.text.contains("Played") {
            break;
        }
        line = said.commands().remove(0);
    }
    assert_eq!(room.play_of(&code).entries, 4);
}

/// Also where a game shares a word with our commands: `draw 3` offers no draw, and `draw auth` names no table.
#[tokio::test]
async fn what_a_game_calls_a_move_is_one_whatever_commands_are_called() {
    for entry in parlor::catalog::games() {
        let begin = async || {
            let room = Room::new();
            let challenge = format!("challenge @bea {} order", entry.meta.id);
            let code = room.says("ann", &challenge).await.code();
            room.says("bea", "yes").await.answers("begins");
            (room, code)
        };
        let (room, code) = begin().await;
        for action in room.legal(&code).into_iter().take(30) {
            let (room, code) = begin().await;
            room.says("ann", &action).await.answers("Played");
            assert_eq!(room.play_of(&code).entries, 1, "{action}");
        }
    }
    let room = Room::new();
    let code = room.says("ann", "challenge @bea breaker order").await.code();
    room.says("bea", "yes").await.answers("begins");
    room.says("ann", "!draw auth").await.answers("Played");
    room.says("ann", "draw 3").await.answers("Played");
    assert_eq!(room.play_of(&code).entries, 2);
    // Out of turn, and alone, the word is a command.
    room.says("ann", "draw 3").await.answers("a table code");
    room.says("bea", "draw").await.answers("You offer a draw");
    assert_eq!(room.play_of(&code).entries, 2);
}

#[tokio::test]
async fn an_answer_says_whether_its_room_is_told_anyway() {
    let room = Room::new();
    let challenge = room.says("ann", "challenge @bea phwar order").await;
    assert!(challenge.reply.told, "the challenge is told in the room");
    let code = challenge.code();
    assert!(room.says("bea", "yes").await.reply.told);
    let action = room.legal(&code).remove(0);
    assert!(room.says("ann", &action).await.reply.told);
    // Elsewhere nobody would know, and what changes nothing is told nobody else.
    let action = room.legal(&code).remove(0);
    let away = room
        .says_in("attic", "bea", &format!("move #{code} {action}"))
        .await;
    away.answers("Played");
    assert!(!away.reply.told);
    let action = room.legal(&code).remove(0);
    let alone = room.whispers("ann", &format!("move #{code} {action}")).await;
    assert!(!alone.reply.told);
    for line in ["board", "games", "frobnicate", "move F99", "resign"] {
        assert!(!room.says("ann", line).await.reply.told, "{line}");
    }
}

#[tokio::test]
async fn every_button_of_every_menu_leads_to_a_move_or_on() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let legal = room.legal(&code);
    let mut reached = std::collections::BTreeSet::new();
    let mut open = vec![format!("moves #{code}")];
    while let Some(line) = open.pop() {
        let said = room.says("ann", &line).await;
        assert!(
            !said.commands().is_empty(),
            "`{line}` leads nowhere: {}",
            said.text
        );
        for command in said.commands() {
            match command.split_once(' ').unwrap() {
                ("moves", rest) if rest.contains(' ') => open.push(command.clone()),
                ("move", rest) => {
                    reached.insert(rest.split_once(' ').unwrap().1.to_owned());
                }
                _ => {}
            }
        }
    }
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), {
        let mut legal = legal;
        legal.sort();
        legal
    });
}

#[tokio::test]
async fn old_buttons_are_refused_kindly_with_the_way_to_the_board() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let version = room.the_match(&code).version;
    let legal = room.legal(&code);
    let old = format!("move #{code}@{version} {}", legal[0]);
    room.says("ann", &old).await.answers("Played");
    let before = room.store.matters();
    let stale = room.says("ann", &old).await;
    stale.answers("moved on");
    room.says("ann", &stale.button("The board now"))
        .await
        .answers("bea, your move");
    room.says("ann", &format!("preview #{code}@{version} {}", legal[1]))
        .await
        .answers("moved on");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn whoever_acts_out_of_turn_is_told_whose_turn_it_is() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.legal(&code).remove(0);
    let before = room.store.matters();
    for line in [
        format!("move {action}"),
        "moves".to_owned(),
        format!("preview {action}"),
    ] {
        room.says("bea", &line)
            .await
            .answers("It isn't your turn. Waiting for ann.");
    }
    room.says("bea", &action)
        .await
        .answers("it isn't your turn. Waiting for ann.");
    room.says("cy", &format!("move #{code} {action}"))
        .await
        .answers("You don't play");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn a_move_typed_in_part_lists_what_can_follow() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let legal = room.legal(&code);
    let from = legal[0].split(['-', 'x']).next().unwrap().to_owned();
    let to: Vec<&String> = legal.iter().filter(|action| action.starts_with(&from)).collect();
    assert!(to.len() > 1, "{legal:?}");
    let before = room.store.matters();
    for line in [from.clone(), format!("move {from}")] {
        let said = room.says("ann", &line).await;
        for action in to.iter().take(5) {
            said.answers(action);
        }
        room.says("ann", &said.button("What can I do?")).await;
    }
    room.says("ann", "move what").await.answers("I can't read");
    room.says("ann", "moves Z9")
        .await
        .answers("None of your moves begins with");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn a_preview_shows_the_result_and_changes_nothing() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.legal(&code).remove(2);
    let before = room.store.everything();
    let said = room.whispers("ann", &format!("preview {action}")).await;
    said.answers("Not played yet: ann ");
    let mut after = room.store.everything();
    after.remove(&Space::People);
    let mut same = before;
    same.remove(&Space::People);
    assert_eq!(after, same);
    let picture = said.reply.message.picture.clone().expect("a picture");
    assert!(matches!(
        &picture.of,
        Subject::Match {
            what: PictureKind::Preview(_),
            ..
        }
    ));
    let drawn = room.parlor.draw(&picture).unwrap();
    // It can be drawn later too, though the match has gone on, and comes out the same.
    room.says("ann", &said.button("Play it")).await.answers("Played");
    room.any_move(&code).await;
    room.any_move(&code).await;
    assert_eq!(room.parlor.draw(&picture).unwrap().file, drawn.file);
}

#[tokio::test]
async fn while_a_move_is_picked_the_picture_shows_what_can_follow() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let shown = |said: &crate::room::Said| {
        let picture = said.reply.message.picture.clone().expect("a picture");
        let drawn = room.parlor.draw(&picture).unwrap();
        (picture, drawn.file)
    };
    let board = shown(&room.says("ann", "board").await);
    let first = shown(&room.says("ann", &format!("moves #{code}")).await);
    let picked = shown(&room.says("ann", &format!("moves #{code} d2")).await);
    assert_eq!(picked.0.picking().unwrap(), ["d2"]);
    assert!(
        picked.0.alt.contains("Picked D2, which can go to "),
        "{}",
        picked.0.alt
    );
    assert!(board.1 != first.1 && first.1 != picked.1);
    // Where others read along, the words alone are enough.
    let said = room.says("ann", &format!("moves #{code} d2")).await;
    assert!(said.reply.message.clone().without_picking().picture.is_none());
    assert!(
        room.says("ann", "board")
            .await
            .reply
            .message
            .clone()
            .without_picking()
            .picture
            .is_some()
    );
    // Whoever is not on turn is shown no picks of others.
    let mut others = picked.0.clone();
    others.prepared = None;
    if let Subject::Match { viewer, .. } = &mut others.of {
        *viewer = parlor::game::Seat::numbered(2, 2);
    }
    others.side = parlor::game::Seat::new(0);
    let plain = room.parlor.draw(&others).unwrap();
    assert!(plain.file != picked.1);
}

#[tokio::test]
async fn whoever_wants_to_confirm_sees_a_move_before_it_is_played() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "settings confirm on").await.answers("on");
    let action = room.legal(&code).remove(0);
    for line in [
        action.clone(),
        format!("move {action}"),
        format!("move #{code} {action}"),
    ] {
        room.says("ann", &line).await.answers("Not played yet");
    }
    assert_eq!(room.play_of(&code).entries, 0);
    // Menus lead to previews too.
    let mut line = format!("moves #{code}");
    while line.starts_with("moves") {
        line = room.says("ann", &line).await.commands().remove(0);
    }
    let shown = room.says("ann", &line).await;
    shown.answers("Not played yet");
    room.says("ann", &shown.button("Play it")).await.answers("Played");
    // Bea has not asked for it.
    room.any_move(&code).await;
    assert_eq!(room.play_of(&code).entries, 2);
}
