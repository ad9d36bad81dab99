//! Who is shown what, and from which side.

use parlor::catalog::games;
use parlor::chat::message::{PictureKind, Subject};
use parlor::game::{GameRng, OptionValues};

use crate::room::{self, Room, player};

#[tokio::test]
async fn a_board_is_shown_from_the_side_that_its_player_likes() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let side = |said: &room::Said| said.reply.message.picture.as_ref().unwrap().side.number();
    assert_eq!(side(&room.says("bea", "board").await), 2);
    assert_eq!(side(&room.says("ann", "board").await), 1);
    assert_eq!(side(&room.says("cy", &format!("board #{code}")).await), 1);
    room.says("bea", "settings side first").await.answers("first");
    assert_eq!(side(&room.says("bea", "board").await), 1);
    room.says("bea", "settings theme dark").await;
    let said = room.says("bea", "board").await;
    let picture = said.reply.message.picture.clone().unwrap();
    assert_eq!(picture.theme.0.name(), "dark");
    room.parlor.draw(&picture).unwrap();
}

/// Rules and cards are drawn like the boards: as the asker has chosen, or else the room. Light that was chosen is chosen.
#[tokio::test]
async fn rules_and_cards_follow_the_theme_of_the_room() {
    let room = Room::new();
    let theme = |said: &room::Said| said.reply.message.picture.as_ref().unwrap().theme.0.name();
    for line in ["rules phwar", "rules phwar capturing", "card squeezle"] {
        room.says("bea", "settings theme light").await;
        room.says("ann", "settings theme safe here").await;
        assert_eq!(theme(&room.says("ann", line).await), "safe", "{line}");
        assert_eq!(theme(&room.says("bea", line).await), "light", "{line}");
    }
    room.says("bea", "settings theme dark").await;
    assert_eq!(theme(&room.says("bea", "rules phwar").await), "dark");
}

/// The board of the room and what is picked on it are on one screen.
#[tokio::test]
async fn what_is_picked_in_a_room_is_turned_like_its_board() {
    let side = |said: &room::Said| said.reply.message.picture.as_ref().unwrap().side.number();
    for (setting, expected) in [("first here", 1), ("mover here", 2)] {
        let room = Room::new();
        room.says("ann", &format!("settings side {setting}")).await;
        let code = room.match_of("ann", "bea", "").await;
        room.any_move(&code).await;
        let board = room.hears("bea, your move").await;
        assert_eq!(board.message.picture.unwrap().side.number(), expected);
        let action = room.legal(&code).remove(0);
        for line in [format!("moves #{code}"), format!("preview #{code} {action}")] {
            assert_eq!(
                side(&room.says("bea", &line).await),
                expected,
                "{line} ({setting})"
            );
            // Alone with the bot, or where the match is not shown, it is their own side.
            assert_eq!(side(&room.whispers("bea", &line).await), 2, "{line}");
            assert_eq!(side(&room.says_in("attic", "bea", &line).await), 2, "{line}");
        }
        // Their side is there for the asking.
        assert_eq!(side(&room.says("bea", &format!("board #{code}")).await), 2);
    }
}

#[tokio::test]
async fn a_forged_picture_is_refused_without_a_panic() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let said = room.says("ann", "board").await;
    let mut picture = said.reply.message.picture.clone().unwrap();
    // What is forged comes from outside, and brings no table.
    picture.prepared = None;
    for (seat, what) in [
        (5, PictureKind::Preview("F2-F5".into())),
        (1, PictureKind::Preview("\u{0}".into())),
        (1, PictureKind::Picking(vec!["F2".into(), "\u{0}".into()])),
        (5, PictureKind::Picking(Vec::new())),
        (4, PictureKind::Hand),
        (3, PictureKind::Board),
    ] {
        picture.of = Subject::Match {
            code: code.clone(),
            entries: 9999,
            viewer: parlor::game::Seat::numbered(seat, 5),
            what,
        };
        let _ = room.parlor.draw(&picture);
    }
    picture.of = Subject::Match {
        code: "ZZZZ".parse().unwrap(),
        entries: 0,
        viewer: None,
        what: PictureKind::Board,
    };
    assert!(room.parlor.draw(&picture).is_err());
}

#[tokio::test]
async fn what_rooms_are_told_shows_nobodys_secrets_and_can_be_told_again_later() {
    for entry in games() {
        let room = Room::new();
        let seats = *entry.meta.seats.start();
        let others: String = ["@bea ", "@cy ", "@dee ", "@eve "][..usize::from(seats) - 1].concat();
        let line = format!("challenge {others}{} order", entry.meta.id);
        let code = room.says("ann", &line).await.code();
        for who in ["bea", "cy", "dee", "eve"].iter().take(usize::from(seats) - 1) {
            room.says(who, &format!("accept #{code}")).await;
        }
        let mut rng = GameRng::quick(11);
        let mut told = Vec::new();
        for _ in 0..25 {
            if !room.is_running(&code) {
                break;
            }
            let hidden = entry.hides(&OptionValues::defaults(entry.meta.options));
            let mover = room.awaited(&code);
            let said = room.says(&mover, &format!("moves #{code}")).await;
            assert_eq!(said.reply.secret, hidden, "what {mover} can do");
            let said = room.says(&mover, &format!("move #{code} nonsense")).await;
            assert_eq!(said.reply.secret, hidden, "{}", said.text);
            let said = room.says(&mover, &format!("text #{code}")).await;
            assert_eq!(said.reply.secret, hidden);
            let legal = room.legal(&code);
            let action = &legal[rng.below(legal.len())];
            room.says(&mover, &format!("move #{code} {action}")).await;
            for heard in room.heard_at("parlour").await {
                let picture = heard.message.picture.as_ref();
                if let Some(Subject::Match { viewer, .. }) = picture.map(|picture| &picture.of) {
                    assert_eq!(*viewer, None, "a room sees what everybody may see");
                }
                told.push(heard);
            }
            for who in ["ann", "bea", "cy", "dee", "eve"] {
                for heard in room.heard_at(who).await {
                    let seats = room.play_of(&code).seats_of(&player(who));
                    let picture = heard.message.picture.as_ref();
                    if let Some(Subject::Match {
                        viewer: Some(seat), ..
                    }) = picture.map(|picture| &picture.of)
                    {
                        assert!(seats.contains(*seat), "nobody sees another's hand");
                    }
                    told.push(heard);
                }
            }
        }
        // Told again after all that: word for word the same, pictures and all.
        for heard in told {
            assert_eq!(room.parlor.render(&heard.delivery), heard.message);
        }
    }
}
