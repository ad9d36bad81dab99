//! Talk among people, and what is answered.

use parlor::matches::code::Code;

use crate::request;
use crate::room::Room;

/// Ann, who is to move, and Bea play.
async fn match_of(room: &Room, game: &str) -> Code {
    let code = room
        .says("ann", &format!("challenge @bea {game} order"))
        .await
        .code();
    room.says("bea", &format!("accept #{code}")).await;
    code
}

#[tokio::test]
async fn talk_is_left_to_those_who_talk() {
    let talk = [
        "hello Sam, good luck!",
        "nice move",
        "good game",
        "see you at 8",
        "hard luck",
        "with pleasure, Sam",
        "I have no idea what to do now",
        "can I take that back, please?",
        "gg",
        // Words that are commands, too.
        "no way!",
        "yes sure",
        "hold on",
        "hold on a sec",
        "show me how",
        "yes please",
        "my bad",
        "try again",
        "watch out!",
        "open the window",
        "play it again, Sam",
    ];
    for game in ["phwar", "phase", "breaker variant=blind"] {
        let room = Room::new();
        match_of(&room, game).await;
        for (line, who) in talk
            .iter()
            // Whoever holds a block says so in the words of the game, and may give it away.
            .filter(|line| !(game.starts_with("breaker") && line.starts_with("hold")))
            .flat_map(|line| ["ann", "bea", "cy"].map(|who| (line, who)))
        {
            let said = request(who, who, line);
            assert!(room.parlor.is_talk(&said), "{game}: {line} of {who}");
            assert!(!room.parlor.is_worth_an_answer(&said), "{game}: {line} of {who}");
        }
    }
}

#[tokio::test]
async fn what_is_asked_of_the_bot_is_answered_with_what_was_meant() {
    let titles = [
        ("phwar", "Phwar by"),
        ("phase", "Phase by"),
        ("breaker", "Breaker Blocks by"),
    ];
    for (game, title) in titles {
        let room = Room::new();
        match_of(&room, game).await;
        for who in ["ann", "bea"] {
            for line in ["how do I play", "how do I play?", "rules"] {
                assert!(!room.parlor.is_talk(&request(who, who, line)), "{line}");
                room.says(who, line).await.answers(title);
            }
            for (line, answer) in [
                ("help stop", "Stop (Phase): "),
                ("squeezle", "Sun Dominion"),
                ("annihilate", "leaves the game"),
            ] {
                assert!(room.parlor.is_worth_an_answer(&request(who, who, line)), "{line}");
                room.says(who, line).await.answers(answer);
            }
        }
    }
}

/// Commands that are not quite right are no talk: whoever says them is helped.
#[tokio::test]
async fn a_command_with_a_slip_is_answered() {
    let room = Room::new();
    match_of(&room, "phwar").await;
    for line in [
        "settings them dark",
        "play bea phwra",
        "show board",
        "show me the rules",
        "go F2-F9",
        "move the queen to e4",
        "/no way",
        "join K7QF7",
        "accept nothing",
    ] {
        let said = request("ann", "ann", line);
        let answered = !room.parlor.is_talk(&said) || room.parlor.is_worth_an_answer(&said);
        assert!(answered, "{line}");
    }
    // In a game without hidden hands there is nothing that these could give away.
    for line in ["go on", "move on, please"] {
        assert!(room.parlor.is_talk(&request("ann", "ann", line)), "{line}");
    }
}

/// In a game with hidden hands, what may be a slip of a move, a move for later or a card that one holds is not said aloud.
#[tokio::test]
async fn what_may_give_a_hand_away_is_no_talk() {
    let room = Room::new();
    match_of(&room, "phase").await;
    room.says("ann", "enlist 1").await;
    for (who, line) in [
        ("bea", "enlst 2"),
        ("bea", "squeezle"),
        // Ann has chosen and waits for Bea.
        ("ann", "train squeezle"),
        ("ann", "train sqeezle"),
        ("ann", "order 2 on 14"),
    ] {
        let said = request(who, who, line);
        assert!(!room.parlor.is_talk(&said), "{line} of {who}");
    }
}

#[tokio::test]
async fn with_several_matches_talk_is_still_talk() {
    let room = Room::new();
    match_of(&room, "phwar").await;
    match_of(&room, "fabric").await;
    let said = room.says("ann", "hello Sam, good luck!").await;
    assert!(!said.text.contains("Which match"), "{}", said.text);
    assert!(said.reply.passing, "it goes when something else is said");
}
