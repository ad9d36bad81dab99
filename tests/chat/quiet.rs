//! One message a turn, one hand a match, one ping for a turn.

use std::collections::{BTreeMap, BTreeSet};

use parlor::catalog::games;
use parlor::game::{Seat, SeatSet};
use parlor::matches::change::{Change, Context};
use parlor::matches::code::Code;
use parlor::matches::delivery::{Delivery, Notice, Sheet, Sound, To, Writing};
use parlor::matches::entropy::OsEntropy;
use parlor::matches::hand_news::{HandNews, tell_hands};
use parlor::matches::people::{HandMessages, Person, PlayerId};
use parlor::matches::repository;
use parlor::matches::service::Moment;
use parlor::matches::time::Span;

use crate::room::{Heard, Room, player};

/// What was shown in the room: the sheet of each board and how it was written.
fn turns(heard: &[Heard]) -> Vec<(u32, Writing)> {
    let turn = |heard: &Heard| match heard.delivery.sheet {
        Some(Sheet::Turn { number, writing }) => Some((number, writing)),
        Some(Sheet::Hand { .. }) | None => None,
    };
    heard.iter().filter_map(turn).collect()
}

/// A match of Phase, past the choice of first resources, at the beginning of a turn.
async fn phase_match(room: &Room) -> Code {
    let code = room.begin("ann", "bea", "phase order none").await;
    room.says("ann", "enlist 1").await.answers("Played");
    room.says("bea", "enlist 1").await.answers("Played");
    for place in ["parlour", "ann", "bea"] {
        room.heard_at(place).await;
    }
    code
}

/// Whoever is to move does something after which they are still to move, if there is such a thing; who.
async fn act_and_stay(room: &Room, code: &Code) -> Option<String> {
    let who = room.awaited(code);
    let legal = room.legal(code);
    let action = legal
        .iter()
        .find(|action| action.starts_with("train") || action.starts_with("phase"))?;
    let said = room.says(&who, &format!("move #{code} {action}")).await;
    said.answers("Played");
    (room.awaited(code) == who).then(|| {
        // What is asked now, in the game's words.
        said.answers(&format!("{who}, do you train, act, or end your turn?"));
        // The board so far, for whoever made it.
        assert!(said.reply.message.picture.is_some() && said.reply.goes_on);
        who
    })
}

#[tokio::test]
async fn while_somebody_is_on_turn_their_board_is_written_anew() {
    let room = Room::new();
    let code = phase_match(&room).await;
    let mut stayed = 0;
    for _ in 0..200 {
        let before = room.play_of(&code).turn_sheet;
        match act_and_stay(&room, &code).await {
            Some(who) => {
                stayed += 1;
                let heard = room.heard_at("parlour").await;
                let [board] = &heard[..] else {
                    panic!("one board: {heard:#?}");
                };
                let number = before.number + u32::from(before.before.is_none());
                assert_eq!(turns(&heard), [(number, Writing::Passing)]);
                assert_eq!(board.message.ping, [], "{who} is here");
            }
            None => {
                let who = room.awaited(&code);
                if let Some(action) = room
                    .legal(&code)
                    .into_iter()
                    .find(|action| action == "done" || action == "pass")
                {
                    room.says(&who, &format!("move #{code} {action}")).await;
                } else {
                    room.any_move(&code).await;
                }
                room.heard_at("parlour").await;
            }
        }
        if stayed > 5 {
            break;
        }
    }
    assert!(stayed > 5, "somebody has several things to do in a turn");
    // When the turn passes, a new message tells all of it.
    let story = room.play_of(&code).turn_sheet;
    let told = story.told.len();
    assert!(told > 0);
    let who = room.awaited(&code);
    while room.awaited(&code) == who && room.play_of(&code).turn_sheet.number == story.number {
        let legal = room.legal(&code);
        let action = legal
            .iter()
            .find(|action| *action == "done" || *action == "pass")
            .unwrap_or(&legal[0])
            .clone();
        room.says(&who, &format!("move #{code} {action}")).await;
    }
    let heard = room.heard_at("parlour").await;
    let last = heard.last().unwrap();
    assert_eq!(
        turns(std::slice::from_ref(last)),
        [(story.number + 1, Writing::Lasting)]
    );
    let first = story.told[0].plain(|seat| ["ann", "bea"][seat.index()].to_owned());
    assert!(last.text.contains(&first), "{first}\n{}", last.text);
}

/// Whoever is to move draws a block, or does what comes first.
async fn draw_if_possible(room: &Room, code: &Code) {
    let legal = room.legal(code);
    let draw = legal.iter().find(|action| action.starts_with("draw"));
    let action = draw.unwrap_or(&legal[0]);
    let who = room.awaited(code);
    room.says(&who, &format!("move #{code} {action}"))
        .await
        .answers("Played");
}

#[tokio::test]
async fn a_hand_is_one_silent_message_unless_somebody_wants_it_otherwise() {
    let room = Room::new();
    room.says("bea", "settings hands asked")
        .await
        .answers("when you ask");
    room.says("cy", "settings hands loud").await.answers("takes");
    let code = room.begin("ann", "bea", "breaker order variant=blind").await;
    let mut hands = room.heard_at("ann").await;
    for _ in 0..12 {
        draw_if_possible(&room, &code).await;
        hands.extend(room.heard_at("ann").await);
        assert_eq!(room.heard_at("bea").await.len(), 0, "Bea asks for hers");
    }
    assert!(hands.len() > 1, "the hand has changed");
    for hand in &hands {
        assert_eq!(hand.delivery.sheet, Some(Sheet::Hand { seat: Seat::new(0) }));
        assert_eq!(hand.message.sound, Sound::Silent, "{}", hand.text);
    }
    room.says("bea", &format!("hand #{code}"))
        .await
        .answers("your hand");
    room.says("ann", "settings hands always")
        .await
        .answers("with a sound");
    while room
        .heard_at("ann")
        .await
        .iter()
        .all(|hand| hand.message.sound == Sound::Silent)
    {
        draw_if_possible(&room, &code).await;
    }
}

/// A hand makes a sound where it is about to matter: its player is to move, somebody else has changed it, and nothing else
/// calls them.
#[tokio::test]
async fn a_hand_is_heard_only_where_it_is_about_to_matter() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "breaker order variant=blind").await;
    let the_match = room.the_match(&code);
    let play = the_match.play().unwrap();
    let (ann, bea) = (Seat::new(0), Seat::new(1));
    let sound = |hands: HandMessages, acted: Seat, awaited: Seat, called: &[PlayerId]| {
        let mut person = Person::called("Ann");
        person.settings.hands = hands;
        let people = BTreeMap::from([(player("ann"), person)]);
        let Moment { now, hours } = room.service().moment();
        let context = Context {
            now,
            hours,
            people: &people,
            entropy: &OsEntropy,
        };
        let set = |seat: Seat| -> SeatSet { [seat].into_iter().collect() };
        let news = HandNews {
            seats: set(ann),
            acted: set(acted),
            awaited: set(awaited),
            called,
        };
        let mut change = Change::of(&the_match);
        tell_hands(&mut change, play, news, &context);
        let sounds: Vec<Sound> = change.deliveries.iter().map(|draft| draft.sound).collect();
        sounds
    };
    let quiet = HandMessages::Quiet;
    assert_eq!(sound(quiet, bea, ann, &[]), [Sound::Usual]);
    assert_eq!(sound(quiet, ann, ann, &[]), [Sound::Silent], "her own doing");
    assert_eq!(sound(quiet, bea, bea, &[]), [Sound::Silent], "she is not to move");
    assert_eq!(
        sound(quiet, bea, ann, &[player("ann")]),
        [Sound::Silent],
        "her turn calls her"
    );
    assert_eq!(sound(HandMessages::Always, ann, bea, &[]), [Sound::Usual]);
    assert_eq!(sound(HandMessages::Asked, bea, ann, &[]), []);
}

#[tokio::test]
async fn the_end_a_refusal_and_a_lapsed_table_call_those_concerned_once() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "none").await;
    room.says("ann", &format!("resign #{code} sure")).await;
    assert_eq!(room.hears("ann resigned").await.message.ping, [player("bea")]);
    let code = room.says("ann", "challenge @bea phwar").await.code();
    room.says("bea", &format!("decline #{code}")).await;
    assert_eq!(room.hears("declines").await.message.ping, [player("ann")]);
    room.says("ann", "open phwar").await;
    room.later(Span::days(8)).await;
    assert_eq!(room.hears("Nobody joined").await.message.ping, [player("ann")]);
}

#[tokio::test]
async fn whoever_wants_no_pings_is_called_by_nothing() {
    let room = Room::new();
    room.says("bea", "settings ping off")
        .await
        .answers("Nothing rings");
    let code = room
        .says("ann", "challenge @bea phwar order live 10m")
        .await
        .code();
    assert_eq!(room.hears("challenges").await.message.ping, []);
    room.says("bea", &format!("accept #{code}")).await;
    room.any_move(&code).await;
    room.later(Span::minutes(8)).await;
    for reminder in room.heard_at("bea").await {
        assert_eq!(reminder.message.ping, []);
        assert_eq!(reminder.message.sound, Sound::Silent);
    }
    room.says("ann", &format!("resign #{code} sure")).await;
    for heard in room.heard_at("parlour").await {
        assert!(!heard.message.ping.contains(&player("bea")), "{}", heard.text);
    }
}

#[tokio::test]
async fn a_room_decides_how_boards_for_several_are_drawn() {
    let room = Room::new();
    let side = async |code: &Code| {
        room.any_move(code).await;
        let heard = room.heard_at("parlour").await;
        let picture = heard.last().unwrap().message.picture.clone().unwrap();
        (picture.side, picture.theme.0.name())
    };
    let code = room.match_of("ann", "bea", "none").await;
    room.says("ann", "settings theme safe").await;
    // What Ann likes is hers; the room has not chosen.
    assert_eq!(side(&code).await, (Seat::new(0), "light"));
    assert_eq!(side(&code).await, (Seat::new(0), "light"));
    room.says("ann", "settings side mover here")
        .await
        .answers("whoever's turn it is");
    room.says("bea", "settings theme dark here").await.answers("dark");
    assert_eq!(side(&code).await, (Seat::new(1), "dark"));
    assert_eq!(side(&code).await, (Seat::new(0), "dark"));
    // What makes no sense changes nothing.
    room.says("ann", "settings side upside here")
        .await
        .answers("side takes mover or first");
    room.whispers("ann", "settings theme light here")
        .await
        .answers("in the room");
    room.says("ann", "settings ping off here")
        .await
        .answers("whole room");
    assert_eq!(side(&code).await, (Seat::new(1), "dark"));
    let board = room.says("ann", &format!("board #{code}")).await;
    assert_eq!(board.reply.message.picture.unwrap().theme.0.name(), "safe");
}

/// Whoever is newly on turn is called, by one message; nobody else is, and nobody twice.
#[tokio::test]
async fn in_every_game_a_turn_calls_whoever_it_is_for_and_nobody_else() {
    for entry in games() {
        let room = Room::new();
        let wishes = format!("{} order none", entry.meta.id);
        let code = room.begin("ann", "bea", &wishes).await;
        room.play_out(&code, 3).await;
        let (mut awaited, mut calls, mut turns) = (BTreeSet::new(), 0, 0);
        for (_, row) in room.store.posted() {
            let delivery: Delivery = repository::decode(&row).unwrap();
            let called: BTreeSet<PlayerId> = room.parlor.render(&delivery).ping.into_iter().collect();
            let (Some(turn), To::Room(_)) = (delivery.notice.turn(), &delivery.to) else {
                continue;
            };
            let players = room.play_of(&code).players;
            let now: BTreeSet<PlayerId> = (turn.awaited.iter())
                .map(|seat| players[seat.index()].clone())
                .collect();
            let new: BTreeSet<PlayerId> = now.difference(&awaited).cloned().collect();
            assert_eq!(called, new, "{}: {turn:?}", entry.meta.id);
            calls += called.len();
            turns += new.len();
            awaited = now;
        }
        assert!(calls == turns && turns > 10, "{}: {calls} calls", entry.meta.id);
    }
}

/// Whatever is said of a turn, half of a move or a wish in advance among it, no message is a board alone.
#[tokio::test]
async fn in_every_game_a_message_of_a_turn_tells_what_happened() {
    for entry in games() {
        for seed in [4, 5] {
            let room = Room::with_chance(seed);
            let wishes = format!("{} order none", entry.meta.id);
            let code = room.begin("ann", "bea", &wishes).await;
            room.play_out(&code, seed).await;
            let mut turns = 0;
            for (_, row) in room.store.posted() {
                let delivery: Delivery = repository::decode(&row).unwrap();
                if let Notice::Moved { narration, turn, .. } = &delivery.notice {
                    assert!(!narration.is_empty(), "{}, {seed}: {turn:?}", entry.meta.id);
                    turns += 1;
                }
            }
            assert!(turns > 10, "{}: {turns} messages", entry.meta.id);
        }
    }
}
