//! Who has missed something is told what happened since they acted, and nothing that is not for them.

use std::collections::BTreeMap;

use parlor::catalog::Frame;
use parlor::chat::message::{ImageFormat, PictureKind, ReplayedHands, Subject};
use parlor::draw::{Canvas, Prose};
use parlor::game::{GameRng, Seat, Viewer};
use parlor::matches::code::Code;
use parlor::matches::delivery::Sound;
use parlor::matches::time::Span;

use crate::frames::frames;
use crate::room::{Heard, Room};

/// Three players; ann, bea and cy, who sit in this order.
async fn three(room: &Room, wishes: &str) -> Code {
    let line = format!("challenge @bea @cy {wishes} order");
    let code = room.says("ann", &line).await.code();
    for who in ["bea", "cy"] {
        room.says(who, &format!("accept #{code}")).await;
    }
    room.heard_at("parlour").await;
    code
}

async fn some_move(room: &Room, code: &Code, rng: &mut GameRng) -> String {
    let legal = room.legal(code);
    let action = legal[rng.below(legal.len())].clone();
    let who = room.awaited(code);
    room.says(&who, &format!("move #{code} {action}"))
        .await
        .answers("Played");
    who
}

fn missed(heard: &[Heard]) -> Vec<&Heard> {
    heard
        .iter()
        .filter(|heard| heard.text.contains("ince your last move"))
        .collect()
}

#[tokio::test]
async fn who_has_not_seen_two_moves_is_told_them_with_the_call() {
    let room = Room::new();
    let code = three(&room, "phwar").await;
    let mut rng = GameRng::quick(3);
    assert_eq!(some_move(&room, &code, &mut rng).await, "ann");
    assert_eq!(
        missed(&room.heard_at("parlour").await).len(),
        0,
        "one move is on the board"
    );
    assert_eq!(some_move(&room, &code, &mut rng).await, "bea");
    let heard = room.heard_at("parlour").await;
    let told = missed(&heard);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].button("Since my move"), format!("catchup #{code}"));
    let (_, since) = told[0].text.split_once("Since your last move, cy:").unwrap();
    assert!(
        since.contains("\n1. ann ") && since.contains("\n2. bea "),
        "{since}"
    );
    // With a film of it, through cy's eyes, which makes no sound beside the call.
    let film = film_for(&room, "cy").await.expect("a film");
    assert_eq!(film.message.sound, Sound::Silent);
    assert!(
        film.text.contains("\n1. ann ") && film.text.contains("\n2. bea "),
        "{}",
        film.text
    );
    assert!(is_film_of(&film, Seat::new(2), 1..=2));
    for who in ["ann", "bea"] {
        assert!(film_for(&room, who).await.is_none(), "{who} has missed nothing");
    }
    assert_eq!(some_move(&room, &code, &mut rng).await, "cy");
    let heard = room.heard_at("parlour").await;
    let (_, since) = missed(&heard)[0]
        .text
        .split_once("Since your last move, ann:")
        .unwrap();
    // Not what ann did herself.
    assert!(!since.contains("1. ann") && since.contains("\n2. bea ") && since.contains("\n3. cy "));
    let film = film_for(&room, "ann").await.expect("a film");
    assert!(is_film_of(&film, Seat::new(0), 2..=3));
}

/// What somebody hears alone, if it is a film.
async fn film_for(room: &Room, who: &str) -> Option<Heard> {
    let mut heard = room.heard_at(who).await;
    assert!(heard.len() <= 1, "{heard:#?}");
    let heard = heard.pop()?;
    assert!(heard.text.contains("since your last move"), "{}", heard.text);
    Some(heard)
}

/// Whether a message shows these turns through the eyes of a seat.
fn is_film_of(heard: &Heard, seat: Seat, turns: std::ops::RangeInclusive<u32>) -> bool {
    let picture = heard.message.picture.as_ref().expect("a picture");
    let Subject::Match {
        viewer,
        what: PictureKind::Replay { first, last, hands },
        ..
    } = &picture.of
    else {
        return false;
    };
    (*viewer, *hands, *first..=*last) == (Some(seat), ReplayedHands::AsSeen, turns)
}

/// Who follows the moves as they come needs no film of them: one is enough until an hour has passed.
#[tokio::test]
async fn a_fast_exchange_brings_each_player_one_film() {
    let room = Room::new();
    let code = three(&room, "phwar").await;
    let mut rng = GameRng::quick(3);
    let (mut turns, mut boards, mut films) = (0, 0, BTreeMap::new());
    for _ in 0..15 {
        some_move(&room, &code, &mut rng).await;
        room.later(Span::minutes(2)).await;
        turns += 1;
        boards += room.heard_at("parlour").await.len();
        for who in ["ann", "bea", "cy"] {
            *films.entry(who).or_insert(0) += usize::from(film_for(&room, who).await.is_some());
        }
    }
    assert_eq!(boards, turns, "one public message a turn");
    assert_eq!(films, BTreeMap::from([("ann", 1), ("bea", 1), ("cy", 1)]));
    // Whoever comes back later is shown again what they have missed.
    room.later(Span::hours(2)).await;
    let who = some_move(&room, &code, &mut rng).await;
    let next = room.awaited(&code);
    assert!(
        film_for(&room, &next).await.is_some(),
        "after {who} it is {next}'s turn"
    );
}

/// A film comes with a call.
#[tokio::test]
async fn whoever_wants_no_calls_is_sent_no_film() {
    let room = Room::new();
    room.says("cy", "settings ping off").await;
    let code = three(&room, "phwar").await;
    let mut rng = GameRng::quick(3);
    for _ in 0..4 {
        some_move(&room, &code, &mut rng).await;
    }
    assert!(film_for(&room, "cy").await.is_none());
    assert!(film_for(&room, "ann").await.is_some());
}

/// Who plays with bots alone sees all their moves on the board.
#[tokio::test]
async fn whoever_plays_with_bots_alone_is_sent_no_films() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot:1 bot:1 phwar order").await.code();
    room.bots_reply(&code).await;
    for _ in 0..4 {
        if !room.is_running(&code) {
            break;
        }
        room.any_move(&code).await;
        room.bots_reply(&code).await;
        assert!(film_for(&room, "ann").await.is_none());
    }
}

#[tokio::test]
async fn of_two_players_only_who_was_long_away_is_told() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order none").await;
    room.any_move(&code).await;
    room.any_move(&code).await;
    room.later(Span::hours(20)).await;
    room.any_move(&code).await;
    assert_eq!(missed(&room.heard_at("parlour").await).len(), 0);
    room.later(Span::hours(25)).await;
    room.any_move(&code).await;
    let heard = room.heard_at("parlour").await;
    let told = missed(&heard);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].text.contains("Since your last move, ann:\n4. bea"),
        "{}",
        told[0].text
    );
    let film = film_for(&room, "ann").await.expect("a film");
    assert!(is_film_of(&film, Seat::new(0), 4..=4));
    assert!(film_for(&room, "bea").await.is_none());
}

#[tokio::test]
async fn catching_up_is_asked_for_with_a_film() {
    let room = Room::new();
    let code = three(&room, "phwar").await;
    let mut rng = GameRng::quick(3);
    room.says("bea", "catchup").await.answers("Nothing has happened");
    for _ in 0..8 {
        some_move(&room, &code, &mut rng).await;
    }
    let said = room.says("cy", "catchup").await;
    said.answers("turns 7 to 8 of 8")
        .answers("7. ann")
        .answers("8. bea");
    let picture = said.reply.message.picture.as_ref().expect("a film");
    assert_eq!(picture.format(), ImageFormat::Gif);
    assert!(room.parlor.draw(picture).unwrap().file.starts_with(b"GIF89a"));
    let said = room.says("bea", &format!("catchup #{code}")).await;
    said.answers("Nothing has happened");
    assert!(said.reply.passing);
    room.says("dee", &format!("catchup #{code}"))
        .await
        .answers("don't play");
}

#[tokio::test]
async fn a_long_story_is_told_in_five_lines() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order none").await;
    for _ in 0..2 {
        room.any_move(&code).await;
    }
    // Cy has never played: all of it.
    room.says("ann", &format!("resign #{code} bot")).await;
    room.says("bea", &format!("accept #{code}")).await;
    let said = room.says("bea", "catchup").await;
    assert!(said.text.lines().count() <= 7, "{}", said.text);
    let code = three(&room, "phwar").await;
    let mut rng = GameRng::quick(4);
    for _ in 0..3 {
        some_move(&room, &code, &mut rng).await;
    }
    room.says("cy", &format!("resign #{code} sure")).await;
    for _ in 0..9 {
        if room.is_running(&code) {
            some_move(&room, &code, &mut rng).await;
        }
    }
    let said = room.says("cy", &format!("catchup #{code}")).await;
    said.answers("turns before that, and then:");
    assert!(said.text.lines().count() <= 7, "{}", said.text);
}

#[tokio::test]
async fn an_undone_move_was_never_missed() {
    let room = Room::new();
    let code = three(&room, "phwar").await;
    let mut rng = GameRng::quick(3);
    some_move(&room, &code, &mut rng).await;
    room.says("ann", &format!("undo #{code}")).await;
    for who in ["bea", "cy"] {
        room.says(who, &format!("accept #{code}")).await;
    }
    assert!(room.play_of(&code).unseen.is_empty());
    room.heard_at("parlour").await;
    some_move(&room, &code, &mut rng).await;
    assert_eq!(missed(&room.heard_at("parlour").await).len(), 0);
}

/// Whether a screen of a film that was not made smaller shows a picture: in its middle, at the top.
fn shows(screen: &[u8], width: usize, canvas: &Canvas) -> bool {
    let (own, drawn) = (canvas.width() as usize, canvas.pixels().as_raw());
    let left = (width - own) / 2;
    let rows = screen.chunks_exact(width).zip(drawn.chunks_exact(own));
    rows.into_iter()
        .all(|(screen, drawn)| screen[left..left + own] == *drawn)
}

/// A film of what somebody has missed shows and tells what their seat saw of it, turn by turn, and nothing else. Whether there
/// was anything in it to hide from them.
fn is_seen_by(room: &Room, code: &Code, heard: &Heard, seat: Seat) -> bool {
    let picture = heard.message.picture.as_ref().expect("a film");
    let Subject::Match {
        viewer,
        entries,
        what: PictureKind::Replay { first, last, hands },
        ..
    } = &picture.of
    else {
        panic!("no film: {:?}", picture.of);
    };
    assert_eq!((*viewer, *hands), (Some(seat), ReplayedHands::AsSeen));
    let found = room.service().find(code).unwrap();
    let record = room.service().record_at(&found, *entries).unwrap();
    let names = ["ann".to_owned(), "bea".to_owned()];
    let seen_by = |viewer| Frame {
        side: picture.side,
        theme: picture.theme.0,
        ..Frame::new(viewer, &names)
    };
    let (own, all) = (seen_by(Viewer::Seat(seat)), seen_by(Viewer::Omniscient));
    let file = room.parlor.draw_wide(picture).unwrap().file;
    let width = usize::from(u16::from_le_bytes([file[6], file[7]]));
    let told = |viewer| -> Vec<String> {
        let story = record.story(viewer).unwrap();
        let plain = |told: &Prose| told.plain(|seat| names[seat.index()].clone());
        story[*first as usize - 1..*last as usize]
            .iter()
            .map(plain)
            .collect()
    };
    let mut hides = told(Viewer::Seat(seat)) != told(Viewer::Omniscient);
    let mut screens = frames(&file).into_iter().peekable();
    for turn in first - 1..=*last {
        let table = record.at_turn(turn).unwrap();
        let canvas = table.canvas(&own);
        hides |= canvas != table.canvas(&all);
        // What looks like the turn before is not shown twice.
        let is_next = screens
            .peek()
            .is_some_and(|(screen, _)| shows(screen, width, &canvas));
        if is_next {
            screens.next();
        } else {
            assert!(turn >= *first, "turn {turn} is not there");
            assert!(
                canvas == record.at_turn(turn - 1).unwrap().canvas(&own),
                "turn {turn}"
            );
        }
    }
    assert!(screens.next().is_none());
    let end = record.at_turn(*last).unwrap();
    let (_, told) = picture.alt.split_once(" It ends so: ").expect("it is a film");
    let told = told.trim_end_matches('…').trim_end();
    assert!(end.alt(&own).starts_with(told), "{told}");
    hides
}

/// Where hands are hidden, what was missed is told to each alone, through their own eyes.
#[tokio::test]
async fn what_is_hidden_is_told_in_private() {
    for wishes in ["breaker variant=blind order none", "phase order none"] {
        told_in_private(wishes).await;
    }
}

async fn told_in_private(wishes: &str) {
    let room = Room::new();
    let code = room.begin("ann", "bea", wishes).await;
    let mut rng = GameRng::quick(8);
    // Something to hide comes into hands.
    for _ in 0..6 {
        let legal = room.legal(&code);
        let draw = legal.iter().find(|action| action.starts_with("draw"));
        let action = draw.unwrap_or(&legal[0]);
        let who = room.awaited(&code);
        room.says(&who, &format!("move #{code} {action}"))
            .await
            .answers("Played");
    }
    for player in ["ann", "bea"] {
        room.heard_at(player).await;
    }
    let (mut told, mut hidden) = (0, 0);
    for _ in 0..10 {
        if !room.is_running(&code) {
            break;
        }
        room.later(Span::hours(30)).await;
        let who = some_move(&room, &code, &mut rng).await;
        let aloud = room.heard_at("parlour").await;
        assert_eq!(missed(&aloud).len(), 0);
        let other = if who == "ann" { "bea" } else { "ann" };
        let heard = room.heard_at(other).await;
        for heard in missed(&heard) {
            told += 1;
            let seat = u8::from(other == "bea");
            hidden += usize::from(is_seen_by(&room, &code, heard, Seat::new(seat)));
            assert!(
                heard
                    .button("Turn by turn")
                    .starts_with(&format!("replay #{code} step ")),
                "{heard:?}"
            );
            assert!(heard.text.lines().count() <= 6, "{}", heard.text);
            let said = room.says(other, &format!("catchup #{code}")).await;
            assert!(said.reply.secret);
            // What the mover did with what nobody else sees is not told.
            let found = room.service().find(&code).unwrap();
            let record = room.service().record(&found).unwrap();
            let own = found.play().unwrap().seats_of(&crate::room::player(other));
            let seen = record.story(Viewer::Seat(own.iter().next().unwrap()));
            let last = seen.unwrap().pop().unwrap();
            let last = last.plain(|seat| ["ann", "bea"][seat.index()].to_owned());
            let start: String = last.chars().take(60).collect();
            assert!(heard.text.contains(&start), "{}\n{start}", heard.text);
        }
    }
    assert!(told > 0, "{wishes}: somebody was called after a day");
    assert!(hidden > 0, "{wishes}: there was something to hide");
}
