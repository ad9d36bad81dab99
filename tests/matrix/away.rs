//! The bot is away, or the homeserver is, or the line is bad: nothing is lost and nothing is doubled.

use crate::bot::Bot;
use crate::party::Party;
use crate::proxy::Proxy;
use crate::script::SHORT;
use crate::synapse::Synapse;

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
    let synapse = Synapse::start(false);
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
    let proxy = Proxy::start(synapse).await;
    let mut bot = Bot::ready(synapse, "parlor-line").at(&proxy.url);
    bot.rise();
    let party = Party::meet_bot(synapse, bot, "line", false).await;
    let code = party.begin(SHORT.game).await;
    party.play_on(&code, 0).await;
    check(&party).await;
    let (sent, repeated) = proxy.mischief();
    assert!(sent > 20 && repeated > 50, "the line was good: {sent} {repeated}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_homeserver_is_obeyed() {
    let synapse = Synapse::start(true);
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
    let messages = party.ann.messages_of(party.room.room_id(), party.bot.id());
    let games = messages
        .iter()
        .filter(|event| event.body().starts_with("The games"))
        .count();
    assert_eq!(games, 4);
}
