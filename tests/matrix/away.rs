//! The bot is away, or the homeserver is, or the line is bad: nothing is lost and nothing is doubled.

use std::time::Instant;

use serde_json::json;

use crate::bot::Bot;
use crate::party::Party;
use crate::person::{Event, Person};
use crate::proxy::{Manner, Proxy};
use crate::script::SHORT;
use crate::synapse::{Limits, Synapse};
use crate::web::wait_for;

/// Every move has been told once, in order, and nothing was answered twice.
async fn check(party: &Party) {
    party.check_boards(SHORT.moves.len() + 1).await;
    assert_eq!(party.ends().len(), 1);
    // Two messages never answer the same thing.
    let messages = party.ann.messages_of(party.room.room_id(), party.bot.id());
    let mut answered: Vec<&str> = messages
        .iter()
        .filter(|event| event.thread().is_none())
        .map(|event| event.text("/content/m.relates_to/m.in_reply_to/event_id"))
        .filter(|id| !id.is_empty())
        .collect();
    let count = answered.len();
    answered.sort_unstable();
    answered.dedup();
    assert_eq!(answered.len(), count, "something was answered twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_while_the_bot_was_away_is_done_once_when_it_is_back() {
    let (mut party, code) = Party::at_play(Synapse::shared(), "away", false).await;
    party.bot.fall();
    // More is said than the homeserver tells at once, and the commands are far apart.
    for number in 0..3 {
        party.say_move(&code, number).await;
        for line in 0..60 {
            party.ann.say(&party.room, &format!("talk {number} {line}")).await;
        }
    }
    let games = party.ann.say(&party.room, "!games").await;
    party.bot.rise();
    party.ann.answer_to(&games).await;
    party.until_boards(4).await;
    party.check_boards(4).await;

    // Killed and started again with nothing new, it says nothing new.
    let before = party.ann.messages_of(party.room.room_id(), party.bot.id()).len();
    party.bot.fall();
    party.bot.rise();
    let last = party.bea.ask(&party.beas, "!matches").await;
    party
        .ann
        .wait("the last answer", |event| event.id() == last.id())
        .await;
    let after = party.ann.messages_of(party.room.room_id(), party.bot.id()).len();
    assert_eq!(after, before + 1);
}

/// A homeserver on which nothing else happens, so that a bot which asks again is told the very same; and a bot in a room
/// there, which hears well.
async fn in_silence(synapse: &Synapse, name: &str) -> (Proxy, Bot, Person, matrix_sdk::Room) {
    let proxy = Proxy::start(synapse, Manner::Good).await;
    let mut bot = Bot::ready(synapse, &format!("parlor-{name}")).at(&proxy.url);
    bot.rise();
    let ann = Person::come(synapse, &format!("ann-{name}")).await;
    let cid = synapse.register(&format!("cid-{name}"));
    let room = ann.make_room(&[bot.id(), &cid.id], json!({})).await;
    ann.until_joined(&room, bot.id()).await;
    ann.ask(&room, "!help").await;
    (proxy, bot, ann, room)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_heard_and_not_answered_is_answered_after_a_crash() {
    let synapse = Synapse::start(Limits::None);
    let (proxy, mut bot, ann, room) = in_silence(&synapse, "heard").await;
    proxy.now_is(Manner::Mute);
    let answered = proxy.tried("re-");
    let games = ann.say(&room, "!games").await;
    wait_for("the bot to try to answer", || {
        (proxy.tried("re-") > answered).then_some(())
    });
    bot.fall();
    proxy.now_is(Manner::Good);
    bot.rise();
    ann.answer_to(&games).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_before_a_crash_is_told_and_nothing_else() {
    let synapse = Synapse::shared();
    let proxy = Proxy::start(synapse, Manner::Good).await;
    let mut bot = Bot::ready(synapse, "parlor-done").at(&proxy.url);
    bot.rise();
    let mut party = Party::meet_bot(synapse, bot, "done", false).await;
    party.until_greeted().await;
    let code = party.begin(SHORT.game).await;
    let said = |party: &Party| -> Vec<String> {
        let events = party.ann.messages_of(party.room.room_id(), party.bot.id());
        events.iter().map(|event| event.body().to_owned()).collect()
    };
    let before = said(&party).len();
    let delivered = proxy.tried(&format!("{code}-"));
    proxy.now_is(Manner::Mute);
    // Until this is answered, everything that is said after it would be heard again.
    let games = party.ann.say(&party.room, "!games").await;
    party.say_move(&code, 0).await;
    wait_for("the bot to try to tell of the move", || {
        (proxy.tried(&format!("{code}-")) > delivered).then_some(())
    });
    party.bot.fall();
    proxy.now_is(Manner::Good);
    party.bot.rise();
    party.ann.answer_to(&games).await;
    party.until_boards(2).await;
    party.ann.ask(&party.room, "!help").await;
    let said = &said(&party)[before..];
    assert_eq!(said.len(), 3, "the games, a board, and help: {said:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_is_fetched_however_often_that_fails() {
    let synapse = Synapse::start(Limits::None);
    let (proxy, mut bot, ann, room) = in_silence(&synapse, "missed").await;
    bot.fall();
    let games = ann.say(&room, "!games").await;
    // More than the homeserver tells at once.
    for line in 0..150 {
        ann.say(&room, &format!("talk {line}")).await;
    }
    proxy.now_is(Manner::Forgetful);
    bot.rise();
    wait_for("the bot to look for what it has missed", || {
        (proxy.missed() > 1).then_some(())
    });
    proxy.now_is(Manner::Good);
    ann.answer_to(&games).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    let (mut party, code) = Party::at_play(Synapse::shared(), "killed", true).await;
    for number in 0..SHORT.moves.len() {
        party.say_move(&code, number).await;
        if number % 2 == 0 {
            // At a different moment each time: while it listens, decides, draws, uploads, speaks.
            tokio::time::sleep(std::time::Duration::from_millis(number as u64 * 37 % 400)).await;
            party.bot.fall();
            party.bot.rise();
        }
        party.until_boards(number + 2).await;
    }
    check(&party).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_homeserver_that_is_killed_and_comes_back_finds_the_match_going_on() {
    let synapse = Synapse::start(Limits::None);
    let (mut party, code) = Party::at_play(&synapse, "fallen", true).await;
    for number in 0..SHORT.moves.len() {
        party.say_move(&code, number).await;
        if number == 1 || number == 2 {
            synapse.fall();
            if number == 2 {
                // The bot starts before its homeserver does.
                party.bot.fall();
                party.bot.rise();
            }
            synapse.rise();
        }
        party.until_boards(number + 2).await;
    }
    check(&party).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_line_loses_and_doubles_nothing() {
    let synapse = Synapse::shared();
    let proxy = Proxy::start(synapse, Manner::Bad).await;
    let mut bot = Bot::ready(synapse, "parlor-line").at(&proxy.url);
    bot.rise();
    let party = Party::meet_bot(synapse, bot, "line", false).await;
    let code = party.begin(SHORT.game).await;
    party.play_on(&code, 0).await;
    check(&party).await;
    let (sent, repeated) = proxy.mischief();
    assert!(sent > 15 && repeated > 50, "the line was good: {sent} {repeated}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_goes_out_at_once_when_the_homeserver_is_back() {
    let synapse = Synapse::shared();
    let proxy = Proxy::start(synapse, Manner::Good).await;
    let mut bot = Bot::ready(synapse, "parlor-back").at(&proxy.url);
    bot.rise();
    let party = Party::meet_bot(synapse, bot, "back", false).await;
    let code = party.begin(SHORT.game).await;
    let board = format!("{code}-");
    let before = proxy.tried(&board);
    // The bot hears a move, and can't tell of it: it tries again and again, each time after twice the pause.
    proxy.now_is(Manner::Mute);
    party.say_move(&code, 0).await;
    wait_for("the pauses to grow", || {
        (proxy.tried(&board) >= before + 6).then_some(())
    });
    proxy.now_is(Manner::Cut);
    // It has to notice that nothing gets through before it can notice that something does.
    party.ann.say(&party.room, "Can you hear me?").await;
    wait_for("the bot to hear nothing", || (proxy.cut() > 0).then_some(()));
    proxy.now_is(Manner::Good);
    let good = Instant::now();
    party.until_boards(2).await;
    let tries = proxy.tries(&board);
    let pauses = tries[before..].windows(2).map(|pair| pair[1] - pair[0]);
    let longest = pauses.max().unwrap();
    let waited = tries[tries.len() - 1] - good;
    assert!(
        waited < longest,
        "it waited for its pause: {waited:?} after {longest:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_said_later_marks_and_hellos_too() {
    let synapse = Synapse::shared();
    let proxy = Proxy::start(synapse, Manner::Strict).await;
    let mut bot = Bot::ready(synapse, "parlor-later").at(&proxy.url);
    bot.rise();
    let party = Party::meet_bot(synapse, bot, "later", false).await;
    let (bot, ann, _, room, _) = party.everybody();
    ann.wait("the hello", |event| {
        event.sender() == bot.id() && event.body().starts_with("Hello!")
    })
    .await;
    ann.ask(room, "!settings thread on").await;
    let code = party.begin(SHORT.game).await;
    let (seat, action) = &SHORT.moves[0];
    let (person, there) = party.seat(*seat);
    let said = person.say(there, &format!("!move #{code} {action}")).await;
    ann.wait("a mark", |event| {
        event.text("/type") == "m.reaction"
            && event.sender() == bot.id()
            && event.text("/content/m.relates_to/event_id") == said
    })
    .await;
    party.until_boards(2).await;
    let hellos = ann.messages_of(room.room_id(), bot.id());
    let hellos = hellos.iter().filter(|event| event.body().starts_with("Hello!"));
    assert_eq!(hellos.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_homeserver_is_obeyed() {
    let synapse = Synapse::start(Limits::Few);
    let (party, code) = Party::at_play(&synapse, "strict", false).await;
    // Asked faster than the bot may answer.
    for _ in 0..4 {
        party.ann.say(&party.room, "!games").await;
    }
    for number in 0..2 {
        party.say_move(&code, number).await;
        party.until_boards(number + 2).await;
    }
    party.check_boards(3).await;
    // Answers and boards wait in lines of their own.
    let games = || {
        let mut said = party.ann.messages_of(party.room.room_id(), party.bot.id());
        said.retain(|event| event.body().starts_with("The games"));
        Some(said).filter(|said| said.len() >= 4)
    };
    let games = party.ann.until("four answers", games).await;
    assert_eq!(games.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn under_a_limit_the_newest_board_goes_before_those_that_have_passed() {
    let synapse = Synapse::start(Limits::Usual);
    let (party, code) = Party::at_play(&synapse, "usual", false).await;
    // Everybody but the bot may say as much as they like.
    for person in [&party.ann, &party.bea] {
        synapse.unlimit(&person.id);
    }
    let count = SHORT.moves.len();
    let mut last = String::new();
    for (seat, action) in &SHORT.moves[..count - 1] {
        let (person, room) = party.seat(*seat);
        last = person.say(room, &format!("!move #{code} {action}")).await;
    }
    let newest = SHORT.picture(count - 1, party.names());
    let mut looked_at = 0;
    let shown = loop {
        let boards = party.until_boards(looked_at + 1).await;
        looked_at = boards.len();
        let board = boards.last().unwrap();
        if party.ann.download(board).await == newest {
            break board.clone();
        }
    };
    // The homeserver lets one message through in five seconds.
    let at = |event: &Event| event.json["origin_server_ts"].as_u64().unwrap();
    let last = party.ann.wait("the last move", |event| event.id() == last).await;
    assert!(at(&shown) - at(&last) < 20_000, "{} ms", at(&shown) - at(&last));
    assert!(looked_at < count, "every board was shown");
    // The end is told, whatever else waits.
    party.say_move(&code, count - 1).await;
    party
        .ann
        .until("the end", || (!party.ends().is_empty()).then_some(()))
        .await;
}
