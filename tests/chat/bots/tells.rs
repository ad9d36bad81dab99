//! Where hands are hidden, nothing but what a bot plays tells what it holds: no word, no pause, no number.
//!
//! A match of Phase is brought to a point where the bot is asked. Then the cards that only the bot knows are changed behind
//! everybody's back, again and again, into others that its opponent can't tell from the real ones. The bot plays the same in
//! all of these worlds, but it takes longer in some of them, and hopes for more in some. Everything that its
//! opponent sees, and when, must be the same in all.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parlor::ai::{Errand, Thought};
use parlor::catalog::Table;
use parlor::game::{GameRng, Seat, Seed, Viewer};
use parlor::matches::change::table_of;
use parlor::matches::code::Code;
use parlor::matches::port::Space;
use parlor::matches::repository;
use parlor::matches::state::Stage;
use parlor::matches::think_pool::Thinker;
use parlor::matches::time::{Span, Time};

use super::puppet::Puppet;
use super::{is_awaited, legal};
use crate::room::world::FakeClock;
use crate::room::{Room, player};

/// Gives nothing away by what it plays, but thinks for as long, and hopes for as much, as its cards say.
struct Nervous(Arc<FakeClock>);

impl Thinker for Nervous {
    fn think(&self, table: &dyn Table, seat: Seat, _: &Errand<'_>, _: Duration) -> Option<Thought<String>> {
        let held = held(table, seat);
        self.0.forward(Span(held % 40));
        let legal = table.legal(seat);
        let idle = ["pass", "done"];
        let action = legal.iter().find(|action| idle.contains(&action.as_str()));
        Some(Thought {
            action: action.or(legal.first())?.clone(),
            chances: Some((held % 100) as f32 / 100.0),
            simulations: 1,
        })
    }
}

/// A number for what a seat knows.
fn held(table: &dyn Table, seat: Seat) -> u64 {
    let view = table.view(Viewer::Seat(seat)).to_string();
    let sum = view.bytes().fold(7u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    sum >> 20
}

/// Ann is about to pass in a fight in which the bot may then act, for the so many-th time; and what the bot knows then.
async fn before_an_answer(time: usize, world: u64) -> (Room, Code, u64) {
    let mut room = Room::new();
    let clock = Arc::clone(&room.clock);
    room.restart_with_bots(Some(Arc::new(Nervous(Arc::clone(&clock)))));
    let code = room
        .says("ann", "challenge bot phase order level=3 none")
        .await
        .code();
    room.bots_reply(&code).await;
    let mut times = 0;
    loop {
        times += usize::from(would_be_answered(&room, &code));
        if times == time {
            break;
        }
        let actions = legal(&room, &code, "ann");
        // Trains what she can, and attacks with all she has.
        let wanted = ["train", "attack", "target", "with", "pay", "done", "pass"];
        let rank = |action: &&String| {
            wanted
                .iter()
                .position(|word| action.starts_with(word))
                .unwrap_or(9)
        };
        let action = actions.iter().min_by_key(rank).unwrap();
        room.says("ann", &format!("move #{code} {action}"))
            .await
            .answers("Played");
        room.bots_reply(&code).await;
    }
    room.heard_at("parlour").await;
    room.heard_at("ann").await;
    // The same moment in every world, whatever was thought about before.
    room.clock.set(Time(Span::days(20_501).0));
    let known = imagine(&room, &code, world);
    room.restart_with_bots(Some(Arc::new(Nervous(clock))));
    (room, code, known)
}

/// Whether the bot is asked if Ann passes.
fn would_be_answered(room: &Room, code: &Code) -> bool {
    let (the_match, play) = (room.the_match(code), room.play_of(code));
    let mut table = table_of(&the_match, &play).unwrap();
    let passed = table.play(Seat::new(0), "pass", &Seed::from_text("a look"), 1);
    passed.is_ok() && table.awaiting().includes(Seat::new(1))
}

/// Changes what Ann can't know.
fn imagine(room: &Room, code: &Code, world: u64) -> u64 {
    let mut the_match = room.the_match(code);
    let ann = room.play_of(code).seats_of(&player("ann")).iter().next().unwrap();
    let Stage::Running(play) = &mut the_match.stage else {
        panic!("it runs");
    };
    let table = table_of(&room.the_match(code), play).unwrap();
    let other = table.imagine(ann, &mut GameRng::quick(world));
    assert_eq!(other.view(Viewer::Seat(ann)), table.view(Viewer::Seat(ann)));
    play.table = other.save().unwrap();
    // What the bot expected is of that world as well.
    play.hopes.clear();
    let row = repository::encode(&the_match).unwrap();
    room.store.put(Space::Matches, code.as_str().as_bytes(), &row);
    held(other.as_ref(), Seat::new(1))
}

/// All that Ann hears and sees around an answer of the bot, with the times.
async fn around_an_answer(room: &Room, code: &Code) -> Vec<String> {
    let mut seen = Vec::new();
    let (begun, started) = (room.service().now(), tokio::time::Instant::now());
    let now = || {
        let passed = Duration::from(room.service().now().since(begun)) + started.elapsed();
        // Timers are exact to the millisecond.
        passed.as_millis() / 5
    };
    for line in [
        format!("move #{code} pass"),
        format!("board #{code}"),
        "matches".to_owned(),
    ] {
        let said = room.says("ann", &line).await;
        seen.push(format!("{line}: {} {:?}", said.text, said.commands()));
        if line.starts_with("move") {
            assert!(
                said.text.contains("is thinking"),
                "the bot has to answer: {}",
                said.text
            );
        }
    }
    // Her own move is shown at once; then comes the answer.
    room.service().outbox.news().await;
    room.service().outbox.news().await;
    seen.push(format!("answered at {}", now()));
    for place in ["parlour", "ann"] {
        for heard in room.heard_at(place).await {
            let buttons: Vec<_> = heard.message.buttons.iter().chain(&heard.message.menu).collect();
            seen.push(format!(
                "{place}: {} {buttons:?} {:?}",
                without_chance(&heard.text),
                heard.message.ping
            ));
            seen.push(heard.delivery.key.clone());
        }
    }
    for line in ["draw", "undo", "matches", "abort", "record"] {
        let said = room.says("ann", &format!("{line} #{code}")).await;
        seen.push(format!("{line}: {} {:?}", said.text, said.commands()));
        let told = room.heard_at("parlour").await;
        // How a match ended may be known, cards and all.
        if line != "abort" {
            seen.extend(told.into_iter().map(|heard| heard.text));
        }
    }
    let the_match = room.the_match(code);
    let play = room.play_of(code);
    seen.push(format!("{} {} {}", the_match.version, play.entries, play.steps));
    seen
}

/// What was told, without the cards that came from a deck: Ann's own lie in another order in each world, too.
fn without_chance(text: &str) -> String {
    let by_chance = |sentence: &&str| {
        [" draws a card", " enlists "]
            .iter()
            .any(|deed| sentence.contains(deed))
    };
    let sentences = text.split(". ").filter(|sentence| !by_chance(sentence));
    sentences.collect::<Vec<_>>().join(". ")
}

#[tokio::test(start_paused = true)]
async fn nothing_but_its_play_tells_what_a_bot_holds() {
    for time in [1, 3, 6] {
        let mut worlds = Vec::new();
        let mut first: Option<Vec<String>> = None;
        for world in 0..12 {
            let (room, code, known) = before_an_answer(time, world).await;
            worlds.push(known);
            let seen = around_an_answer(&room, &code).await;
            match &first {
                None => first = Some(seen),
                Some(first) => assert_eq!(first, &seen, "time {time}, world {world}"),
            }
        }
        worlds.sort_unstable();
        worlds.dedup();
        assert!(worlds.len() > 2, "the bot holds something else in some worlds");
    }
}

#[tokio::test]
async fn a_private_wish_of_a_person_shows_in_no_pause() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room
        .says("ann", "challenge bot @bea phase order level=1")
        .await
        .code();
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("is thinking");
    puppet.is_asked(1).await;
    // While the bot thinks, Bea asks for something that nobody else may know.
    room.says("bea", &format!("move #{code} stop closing"))
        .await
        .answers("I now ask you before the turn ends, too");
    // By now the bots have looked at the match again.
    room.says("ann", &format!("board #{code}")).await;
    tokio::task::yield_now().await;
    puppet.let_go();
    room.bots_reply(&code).await;
    assert_eq!(puppet.stopped.load(Ordering::SeqCst), 0);
    assert_eq!(
        puppet.asked.load(Ordering::SeqCst),
        1,
        "it was not thought about again"
    );
}

#[tokio::test(start_paused = true)]
async fn a_wish_to_be_asked_is_heard_while_the_bots_think() {
    let puppet = Puppet::free();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room
        .says("ann", "challenge bot bot phase order level=1")
        .await
        .code();
    room.bots_reply(&code).await;
    let mut rounds = 0;
    loop {
        rounds += 1;
        assert!(rounds < 400, "Ann ends a turn of her own at some time");
        assert!(is_awaited(&room, &code, "ann"));
        let actions = legal(&room, &code, "ann");
        let ends = actions.iter().find(|action| *action == "done");
        let action = ends.unwrap_or(&actions[0]).clone();
        if ends.is_some() {
            puppet.hold();
        }
        room.says("ann", &format!("move #{code} {action}"))
            .await
            .answers("Played");
        let both_to_come = !room.play_of(&code).awaited_bots().is_empty();
        if ends.is_some() && both_to_come {
            break;
        }
        puppet.let_go();
        room.bots_reply(&code).await;
    }
    // Both bots are about to have a turn; Ann wants to be asked before the first of them is over.
    room.says("ann", &format!("move #{code} stop closing"))
        .await
        .answers("I now ask you before the turn ends, too");
    puppet.let_go();
    room.bots_reply(&code).await;
    assert!(is_awaited(&room, &code, "ann"));
    assert!(
        legal(&room, &code, "ann").contains(&"pass".to_owned()),
        "she is asked at the end of somebody else's turn"
    );
}
