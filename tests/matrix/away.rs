//! The bot is away, or the homeserver is, or the line is bad: nothing is lost and nothing is doubled.

use crate::bot::Bot;
use crate::person::Event;
use crate::plain::Party;
use crate::proxy::Proxy;
use crate::script::SHORT;
use crate::synapse::Synapse;

/// Every move has been told once, in order, and nothing was answered twice.
async fn check(party: &Party) {
    let boards = party.boards();
    let bodies: Vec<&str> = boards.iter().map(Event::body).collect();
    assert_eq!(boards.len(), SHORT.moves.len() + 1, "{bodies:#?}");
    let names = [&party.ann, &party.bea].map(|person| person.client.user_id().unwrap().localpart());
    for (number, board) in boards.iter().enumerate() {
        let picture = party.ann.download(board).await;
        assert!(
            picture == SHORT.picture(number, names),
            "after {number} moves: {}",
            board.body()
        );
    }
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
    let mut party = Party::meet(Synapse::shared(), "away", false).await;
    let code = party.begin(SHORT.game).await;
    party.until_boards(1).await;
    party.bot.fall();
    // More is said than the homeserver tells at once, and the commands are far apart.
    for (number, (seat, action)) in SHORT.moves.iter().take(3).enumerate() {
        let (person, room) = if seat.index() == 0 {
            (&party.ann, &party.room)
        } else {
            (&party.bea, &party.beas)
        };
        person.say(room, &format!("!move #{code} {action}")).await;
        for line in 0..60 {
            party.ann.say(&party.room, &format!("talk {number} {line}")).await;
        }
    }
    let games = party.ann.say(&party.room, "!games").await;
    party.bot.rise();
    party.ann.answer_to(&games).await;
    let boards = party.until_boards(4).await;
    assert_eq!(boards.len(), 4);
    for (number, board) in boards.iter().enumerate() {
        let picture = party.ann.download(board).await;
        assert!(
            picture == SHORT.picture(number, ["ann-away", "bea-away"]),
            "after {number} moves"
        );
    }

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
    let mut party = Party::meet(Synapse::shared(), "killed", true).await;
    let code = party.begin(SHORT.game).await;
    party.until_boards(1).await;
    for (number, (seat, action)) in SHORT.moves.iter().enumerate() {
        let (person, room) = if seat.index() == 0 {
            (&party.ann, &party.room)
        } else {
            (&party.bea, &party.beas)
        };
        person.say(room, &format!("!move #{code} {action}")).await;
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
    let mut party = Party::meet(&synapse, "fallen", true).await;
    let code = party.begin(SHORT.game).await;
    party.until_boards(1).await;
    for (number, (seat, action)) in SHORT.moves.iter().enumerate() {
        let (person, room) = if seat.index() == 0 {
            (&party.ann, &party.room)
        } else {
            (&party.bea, &party.beas)
        };
        person.say(room, &format!("!move #{code} {action}")).await;
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
    party.play_script(&code).await;
    check(&party).await;
    let (sent, repeated) = proxy.mischief();
    assert!(sent > 20 && repeated > 50, "the line was good: {sent} {repeated}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_homeserver_is_obeyed() {
    let synapse = Synapse::start(true);
    let party = Party::meet(&synapse, "strict", false).await;
    let code = party.begin(SHORT.game).await;
    // Asked faster than the bot may answer.
    for _ in 0..4 {
        party.ann.say(&party.room, "!games").await;
    }
    for (number, (seat, action)) in SHORT.moves.iter().take(2).enumerate() {
        let (person, room) = if seat.index() == 0 {
            (&party.ann, &party.room)
        } else {
            (&party.bea, &party.beas)
        };
        person.say(room, &format!("!move #{code} {action}")).await;
        party.until_boards(number + 2).await;
    }
    let boards = party.until_boards(3).await;
    assert_eq!(boards.len(), 3);
    let messages = party.ann.messages_of(party.room.room_id(), party.bot.id());
    let games = messages
        .iter()
        .filter(|event| event.body().starts_with("The games"))
        .count();
    assert_eq!(games, 4);
}
