//! Playing against the bot.

use crate::party::{Party, code_in};
use crate::person::Event;
use crate::synapse::Synapse;

/// The bot's pictures. The first begins the match's thread, and so is in none.
fn pictures(party: &Party) -> Vec<Event> {
    let mut said = party.ann.messages_of(party.room.room_id(), party.bot.id());
    said.retain(|event| event.kind() == "m.image");
    said
}

async fn until_pictures(party: &Party, count: usize) -> Event {
    let what = format!("{count} pictures");
    let found = || pictures(party).into_iter().nth(count - 1);
    party.ann.until(&what, found).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_and_the_bots_reply_are_one_message() {
    let party = Party::meet(Synapse::shared(), "against", false).await;
    let Party { bot, ann, room, .. } = &party;
    // By its own name, as one would challenge a friend.
    let asked = format!("!challenge {} phwar order level=1 none", bot.id());
    ann.say(room, &asked).await;
    let first = until_pictures(&party, 1).await;
    assert!(first.body().contains("Parlor (level 1)"), "{}", first.body());
    let code = code_in(first.body());
    for number in 2..6 {
        let hint = ann.ask(room, &format!("!hint #{code}")).await;
        assert!(hint.body().starts_with("You might play"), "{}", hint.body());
        let action = hint.body().split('`').nth(1).expect("a move").to_owned();
        ann.say(room, &format!("!move #{code} {action}")).await;
        let board = until_pictures(&party, number).await;
        assert!(
            board.html().contains("<strong>Parlor (level 1)</strong>"),
            "{}",
            board.html()
        );
        // Whoever has just moved is looking, and is not called.
        assert_eq!(board.mentions(), Vec::<&str>::new());
    }
    // When this is answered, whatever was said before it has been heard.
    ann.ask(room, "!games").await;
    assert_eq!(
        pictures(&party).len(),
        5,
        "one board for each move, and one to begin with"
    );
}
