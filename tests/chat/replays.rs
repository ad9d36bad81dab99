//! A match shown again: who sees what of it, turn by turn, as a film and in words.

use std::sync::Arc;
use std::time::Duration;

use parlor::catalog::Frame;
use parlor::chat::message::{ImageFormat, Picture};
use parlor::draw::Theme;
use parlor::game::{Seat, Viewer};
use parlor::matches::code::Code;
use parlor::web::pictures::Pictures;
use parlor::web::places::WorkFor;

use crate::frames::frames;
use crate::room::{Room, Said};

fn picture(said: &Said) -> &Picture {
    said.reply.message.picture.as_ref().expect("a picture")
}

/// Whether a file for a browser is a film: PNGs that are none have no number of frames.
fn is_film(file: &[u8]) -> bool {
    file.starts_with(b"\x89PNG") && file.windows(4).any(|name| name == b"acTL")
}

fn film(room: &Room, said: &Said) -> Vec<(Vec<u8>, u16)> {
    assert_eq!(picture(said).format(), ImageFormat::Gif);
    frames(&room.parlor.draw(picture(said)).unwrap().file)
}

async fn phwar_after_three(room: &Room) -> Code {
    let code = room.begin("ann", "bea", "phwar order").await;
    for (who, action) in [("ann", "F3-F5"), ("bea", "F9-F8"), ("ann", "F5-F6")] {
        room.says(who, action).await.answers("Played");
    }
    code
}

#[tokio::test]
async fn a_match_is_a_film_of_its_turns() {
    let room = Room::new();
    let code = phwar_after_three(&room).await;
    let said = room.says("bea", "replay").await;
    said.answers("all 3 turns").answers("1. ann").answers("3. ann");
    assert!(
        picture(&said)
            .alt
            .starts_with("A film of turns 1 to 3. It ends so: ")
    );
    let whole = film(&room, &said);
    // The opening, three turns; the last stays three times as long.
    let delays: Vec<u16> = whole.iter().map(|(_, delay)| *delay).collect();
    assert_eq!(delays, [100, 100, 100, 300]);
    // Each begins where the one before ended, from the side of whoever asks.
    let last = film(&room, &room.says("bea", "replay last 1").await);
    assert_eq!(last.len(), 2);
    assert!(last[0].0 == whole[2].0 && last[1].0 == whole[3].0);
    let other_side = film(&room, &room.says("ann", &format!("#{code} replay")).await);
    assert!(other_side[3].0 != whole[3].0);
}

/// The clock stands still: only if everything waits for ever does an hour pass.
#[tokio::test(start_paused = true)]
async fn boards_are_drawn_while_films_wait() {
    let room = Room::new();
    phwar_after_three(&room).await;
    let pictures = Arc::new(Pictures::default());
    let turn = room.parlor.film_turn().await;
    let mut films = Vec::new();
    for part in ["", " last 1", " last 2", " 2"] {
        let said = room.says("ann", &format!("replay{part}")).await;
        let (pictures, parlor) = (Arc::clone(&pictures), Arc::clone(&room.parlor));
        let film = picture(&said).clone();
        films.push(tokio::spawn(async move {
            let drawn = pictures.draw(&parlor, WorkFor::Player, part, film).await;
            drawn.unwrap_or_default()
        }));
        tokio::task::yield_now().await;
    }
    let board = picture(&room.says("ann", "board").await).clone();
    let drawn = pictures.draw(&room.parlor, WorkFor::Player, "board", board);
    let drawn = tokio::time::timeout(Duration::from_secs(3600), drawn).await;
    let board = drawn.expect("no board waits for films").unwrap_or_default();
    assert!(board.starts_with(b"\x89PNG"));
    assert!(films.iter().all(|film| !film.is_finished()));
    drop(turn);
    for film in films {
        assert!(is_film(&film.await.unwrap()));
    }
}

/// The turn belongs to whoever draws, not to whoever asked: pages are loaded anew in the middle of it.
#[tokio::test]
async fn a_film_is_drawn_to_its_end_and_kept_when_its_asker_hangs_up() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    for _ in 0..20 {
        room.any_move(&code).await;
    }
    let pictures = Arc::new(Pictures::default());
    let film = picture(&room.says("ann", &format!("replay #{code}")).await).clone();
    let board = picture(&room.says("ann", &format!("board #{code}")).await).clone();
    let turn = room.parlor.film_turn().await;
    let asker = tokio::spawn({
        let (pictures, parlor) = (Arc::clone(&pictures), Arc::clone(&room.parlor));
        async move {
            pictures
                .draw(&parlor, WorkFor::Player, "film", film)
                .await
                .is_ok()
        }
    });
    tokio::task::yield_now().await;
    drop(turn);
    // It takes the turn and begins.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    asker.abort();
    // The next one waits for the end of it, and finds it: what is kept under its name is not drawn anew.
    drop(room.parlor.film_turn().await);
    let kept = pictures
        .draw(&room.parlor, WorkFor::Player, "film", board)
        .await
        .unwrap_or_default();
    assert!(is_film(&kept));
}

/// Whatever else is asked for, it is answered while films are drawn and others wait.
#[tokio::test]
async fn commands_are_answered_while_films_are_drawn() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    for _ in 0..16 {
        room.any_move(&code).await;
    }
    let pictures = Arc::new(Pictures::default());
    let mut films = Vec::new();
    for theme in ["light", "dark", "safe"] {
        let said = room.says("ann", &format!("replay #{code} {theme}")).await;
        let (pictures, parlor) = (Arc::clone(&pictures), Arc::clone(&room.parlor));
        let film = picture(&said).clone();
        films.push(tokio::spawn(async move {
            let drawn = pictures.draw(&parlor, WorkFor::Player, theme, film).await;
            drawn.unwrap_or_default()
        }));
    }
    tokio::task::yield_now().await;
    for line in [
        "board",
        "replay last 3",
        "replay text",
        "catchup",
        "details",
        "note well",
    ] {
        let who = room.awaited(&code);
        let said = room.says(&who, &format!("#{code} {line}")).await;
        assert!(!said.text.is_empty(), "{line}");
    }
    room.any_move(&code).await;
    let is_drawn = |film: &tokio::task::JoinHandle<_>| film.is_finished();
    assert!(!films.iter().all(is_drawn), "all that waited for the films");
    for film in films {
        assert!(is_film(&film.await.unwrap()));
    }
}

#[tokio::test]
async fn turns_are_stepped_through_and_wrong_ones_are_explained() {
    let room = Room::new();
    let code = phwar_after_three(&room).await;
    let said = room.says("ann", "replay 2-3").await;
    said.answers("turns 2 to 3 of 3");
    let second = room.says("ann", &said.button("Turn by turn")).await;
    second.answers("turn 2 of 3").answers("2. bea");
    assert_eq!(second.button("⏮"), format!("replay #{code} step 0"));
    assert_eq!(second.button("▶"), format!("replay #{code} step 3"));
    let first = room.says("ann", &second.button("◀")).await;
    first.answers("turn 1 of 3");
    let steps = ["step 0", "step 2", "step 3"].map(|step| format!("replay #{code} {step}"));
    let what_if = format!("practice #{code} 1");
    assert_eq!(first.commands(), [&steps[..], &[what_if]].concat());
    let end = room.says("ann", &first.button("⏭")).await;
    let board = room.says("ann", "board").await;
    // The end of the replay is the board as it stands.
    let drawn = |said: &Said| room.parlor.draw(picture(said)).unwrap().file;
    assert!(drawn(&end) == drawn(&board));
    assert!(drawn(&first) != drawn(&end));
    for wrong in ["replay 2-9", "replay 0-2", "replay 3-1", "replay step 4"] {
        let said = room.says("ann", wrong).await;
        said.answers(" has turns 1 to 3.");
        assert!(said.reply.passing && said.reply.message.picture.is_none());
    }
    room.says("ann", "replay everything please")
        .await
        .answers("last 5");
}

#[tokio::test]
async fn a_match_that_has_not_begun_has_nothing_to_show() {
    let room = Room::new();
    room.begin("ann", "bea", "phwar order").await;
    room.says("ann", "replay").await.answers("Nobody has moved in");
    room.says("cy", "replay").await.answers("match");
}

#[tokio::test]
async fn undone_turns_are_not_shown() {
    let room = Room::new();
    let code = phwar_after_three(&room).await;
    room.says("ann", &format!("undo #{code}")).await;
    room.says("bea", &format!("accept #{code}")).await;
    room.says("ann", "replay").await.answers("all 2 turns");
}

#[tokio::test]
async fn hands_are_hidden_while_a_match_runs_and_open_when_it_is_over() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "breaker variant=blind order none").await;
    for _ in 0..6 {
        let legal = room.legal(&code);
        let draw = legal.iter().find(|action| action.starts_with("draw"));
        let who = room.awaited(&code);
        let action = draw.unwrap_or(&legal[0]);
        room.says(&who, &format!("move #{code} {action}")).await;
    }
    // What is private to one is answered to one, and drawn through their eyes alone.
    let said = room.says("bea", &format!("replay #{code} last 1")).await;
    assert!(said.reply.secret);
    let end = room
        .says("bea", &format!("replay #{code} step {}", turns(&said)))
        .await;
    let found = room.service().find(&code).unwrap();
    let table = found.table().unwrap();
    let names = ["ann".to_owned(), "bea".to_owned()];
    let seen_by = |viewer| Frame {
        side: picture(&end).side,
        theme: Theme::Light,
        ..Frame::new(viewer, &names)
    };
    let drawn = room.parlor.draw(picture(&end)).unwrap().file;
    let own = table.picture(&seen_by(Viewer::Seat(Seat::new(1)))).unwrap();
    let all = table.picture(&seen_by(Viewer::Omniscient)).unwrap();
    assert!(drawn == own);
    assert!(own != all, "there is something to hide");
    room.says("ann", &format!("resign #{code} sure")).await;
    let said = room
        .says("cy", &format!("replay #{code} step {}", turns(&said)))
        .await;
    assert!(!said.reply.secret);
    // Who comes by afterwards sees what nobody saw then.
    let seen = table.alt(&seen_by(Viewer::Public));
    assert!(picture(&said).alt != seen && picture(&said).alt != picture(&end).alt);
}

/// How many turns a match has, from an answer that says it.
fn turns(said: &Said) -> u32 {
    let (_, rest) = said.text.split_once(" of ").expect("so many turns");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

#[tokio::test]
async fn a_private_wish_is_no_turn() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phase order none").await;
    room.says("ann", "enlist 1").await;
    room.says("bea", "enlist 1").await;
    let before = turns(&room.says("bea", &format!("replay #{code} last 1")).await);
    let noted = room.says("bea", &format!("move #{code} stop closing")).await;
    assert!(noted.reply.secret);
    let after = turns(&room.says("bea", &format!("replay #{code} last 1")).await);
    assert_eq!(before, after);
}

#[tokio::test]
async fn the_whole_story_is_told_in_words() {
    let room = Room::new();
    let code = phwar_after_three(&room).await;
    let said = room.says("ann", "replay text").await;
    said.answers("1. ann").answers("2. bea").answers("3. ann");
    for _ in 0..5 {
        room.any_move(&code).await;
    }
    let film = room.says("ann", &format!("replay #{code}")).await;
    let said = room.says("ann", &film.button("In words")).await;
    let file = said.reply.message.file.as_ref().expect("a file");
    assert_eq!(file.name, format!("phwar-{code}-story.txt"));
    assert_eq!(file.content.lines().count(), 8);
    assert!(file.content.starts_with("1. ann"), "{}", file.content);
}

#[tokio::test]
async fn side_and_theme_are_chosen_by_a_word() {
    let room = Room::new();
    let code = phwar_after_three(&room).await;
    let look = |said: &Said| (picture(said).side.number(), picture(said).theme.0.name());
    let said = room.says("bea", "replay").await;
    assert_eq!(look(&said), (2, "light"));
    let said = room.says("bea", "replay 2-3 side 1 dark").await;
    said.answers("turns 2 to 3 of 3");
    assert_eq!(look(&said), (1, "dark"));
    assert_eq!(film(&room, &said).len(), 3);
    // Whoever goes on step by step goes on in the same way.
    let step = room.says("bea", &said.button("Turn by turn")).await;
    assert_eq!(look(&step), (1, "dark"));
    assert_eq!(step.button("▶"), format!("replay #{code} step 3 side 1 dark"));
    room.says("bea", "replay side 3").await.answers("sides 1 to 2");
    room.says("bea", "replay side left").await.answers("12-20");
    // Another side shows nobody's secrets.
    let code = room.begin("ann", "cy", "breaker variant=blind order none").await;
    let action = room.legal(&code).remove(0);
    room.says("ann", &format!("move #{code} {action}")).await;
    let said = room.says("cy", &format!("replay #{code} side 1")).await;
    let seen = said.reply.message.picture.as_ref().expect("a film");
    let parlor::chat::message::Subject::Match { viewer, .. } = &seen.of else {
        panic!("it is of a match");
    };
    assert_eq!(*viewer, Some(Seat::new(1)));
}
