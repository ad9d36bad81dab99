//! Playing against the bot.

use crate::party::{Party, code_in};
use crate::synapse::Synapse;

#[tokio::test(flavor = "multi_thread")]
async fn a_move_and_the_bots_reply_are_one_message() {
    let party = Party::meet(Synapse::shared(), "against", false).await;
    let Party { bot, ann, room, .. } = &party;
    // By its own name, as one would challenge a friend.
    let asked = format!("!challenge {} phwar order level=1 none", bot.id());
    ann.say(room, &asked).await;
    let first = party.until_boards(1).await.remove(0);
    assert!(first.body().contains("Parlor (level 1)"), "{}", first.body());
    let code = code_in(first.body());
    for number in 0..4 {
        let hint = ann.ask(room, &format!("!hint #{code}")).await;
        let action = hint.body().split('`').nth(1).expect("a move").to_owned();
        assert!(hint.body().starts_with("You might play"), "{}", hint.body());
        ann.say(room, &format!("!move #{code} {action}")).await;
        let boards = party.until_boards(number + 2).await;
        let board = boards.last().unwrap();
        assert!(board.body().contains("Parlor (level 1)"), "{}", board.body());
        assert!(
            board.html().contains("<strong>Parlor (level 1)</strong>"),
            "{}",
            board.html()
        );
    }
    // When this is answered, whatever was said before it has been heard.
    ann.ask(room, "!games").await;
    assert_eq!(
        party.boards().len(),
        5,
        "one board for each move, and one to begin with"
    );
}
