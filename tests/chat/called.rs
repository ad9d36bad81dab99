//! What a turn asks, how an end is told, who is called to both, and what lines mean that name no command.

use crate::request;
use crate::room::{Room, player};
use parlor::game::Seed;
use parlor::matches::code::Code;
use parlor::matches::time::Span;

/// Ann and Bea sit down; what is said of it is not yet listened to.
async fn sit_down(room: &Room, wishes: &str) -> Code {
    let code = room.says("ann", &format!("challenge @bea {wishes}")).await.code();
    room.says("bea", &format!("accept #{code}")).await;
    code
}

#[tokio::test]
async fn a_turn_asks_in_the_words_of_its_game() {
    let room = Room::new();
    let code = sit_down(&room, "breaker order").await;
    let start = room.hears("begins: ann against bea.").await;
    let whole = "ann, your move: two actions. Draw, add, move or pass. You have until ";
    assert!(start.text.contains(whole), "{}", start.text);
    assert_eq!(start.message.ping, [player("ann")]);
    let picture = start.message.picture.as_ref().expect("a board");
    assert!(picture.alt.contains("your move: two actions."), "{}", picture.alt);
    room.says("ann", "text").await.answers("your move: two actions.");
    room.says("bea", "matches").await.answers(whole);
    room.says("ann", &format!("move #{code} draw 3")).await;
    let half = room.hears("ann, one action left: draw, add, move or pass.").await;
    assert_eq!(half.message.ping, [], "it has been ann's turn all the time");
}

#[tokio::test]
async fn everybody_who_chooses_at_once_is_called() {
    let room = Room::new();
    sit_down(&room, "phase order").await;
    let start = room
        .hears("ann and bea, which hand card becomes your first resource?")
        .await;
    assert_eq!(start.message.ping, [player("ann"), player("bea")]);
    // Whoever plays both sides is named once.
    room.says("cy", "practice phase").await;
    let alone = room.hears("cy plays every side").await;
    assert!(
        alone
            .text
            .contains("cy, which hand card becomes your first resource?")
            && !alone.text.contains("cy and cy"),
        "{}",
        alone.text
    );
}

#[tokio::test]
async fn the_end_leads_to_the_next_level() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot:2 phwar order").await.code();
    room.says("ann", &format!("resign #{code} sure")).await;
    let end = room.hears("bot/2.1 wins: ann resigned.").await;
    // It is her own doing.
    assert_eq!(end.message.ping, []);
    let next = room.says("ann", &end.button("Next level: 3")).await.code();
    let players = room.play_of(&next).players;
    assert!(players.contains(&player("bot/3.1")), "{players:?}");
    // Above the highest level there is none.
    let code = room.says("ann", "challenge bot:5 phwar order").await.code();
    room.says("ann", &format!("resign #{code} sure")).await;
    let end = room.hears("bot/5.1 wins: ann resigned.").await;
    assert!(
        !end.message
            .buttons
            .iter()
            .any(|button| button.label.starts_with("Next level"))
    );
}

#[tokio::test]
async fn whoever_waited_in_vain_is_called_once_unless_they_want_no_pings() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar").await.code();
    room.says("bea", &format!("decline #{code}")).await;
    assert_eq!(room.hears("bea declines").await.message.ping, [player("ann")]);
    room.says("ann", "open phwar").await;
    room.later(Span::days(8)).await;
    assert_eq!(room.hears("Nobody joined").await.message.ping, [player("ann")]);
    room.says("ann", "settings ping off").await;
    let code = room.says("ann", "challenge @bea phwar").await.code();
    room.says("bea", &format!("decline #{code}")).await;
    assert_eq!(room.hears("bea declines").await.message.ping, []);
}

/// The hexadecimal digits in a text, 64 of them.
#[track_caller]
fn digits(text: &str) -> String {
    let mut words = text.split(|c: char| !c.is_ascii_hexdigit());
    let found = words.find(|word| word.len() == 64);
    found
        .unwrap_or_else(|| panic!("no 64 digits in: {text}"))
        .to_owned()
}

#[tokio::test]
async fn a_shuffle_is_sealed_at_the_start_and_opened_at_the_end() {
    let room = Room::new();
    let code = sit_down(&room, "breaker variant=blind order").await;
    let start = room.hears("Sealed shuffle: ").await;
    let details = room.says("cy", &format!("details #{code}")).await;
    details.answers("variant blind").answers("Time left: ann 10 days");
    let promised = digits(&details.text);
    assert!(start.text.contains(&promised[..8]), "{}", start.text);
    let seed = room.play_of(&code).seed;
    assert!(!details.text.contains(&seed) && !start.text.contains(&seed));
    room.says("bea", &format!("resign #{code} sure")).await;
    let opened = room.says("cy", &format!("details #{code}")).await;
    assert_eq!(digits(&opened.text), seed);
    assert_eq!(Seed::from_hex(&seed).unwrap().commitment(), promised);
    // Where nothing is left to chance there is nothing to seal.
    for open in ["phwar", "breaker order"] {
        let code = sit_down(&room, open).await;
        let start = room.hears(&format!("#{code} begins")).await;
        assert!(!start.text.contains("Sealed"), "{}", start.text);
        let details = room.says("ann", &format!("details #{code}")).await;
        assert!(!details.text.contains("SHA"), "{}", details.text);
    }
}

/// Each move took as long as had gone by since the one before it.
#[tokio::test]
async fn details_tell_how_long_everybody_took() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order none").await;
    for hours in [2, 5, 1, 30] {
        room.later(Span::hours(hours)).await;
        room.any_move(&code).await;
    }
    let details = room.says("cy", &format!("details #{code}")).await;
    assert!(!details.text.contains("Time taken"), "{}", details.text);
    room.later(Span::hours(4)).await;
    room.says("ann", &format!("resign #{code} sure")).await;
    // Ann's moves took 2 and 1 hours, and she thought for 4 more before she gave up; Bea's took 5 and 30.
    let details = room.says("cy", &format!("details #{code}")).await;
    details.answers("Time taken, pauses included: ann 7 hours, bea 1 day 11 hours.");
}

#[tokio::test]
async fn questions_and_names_are_answered_with_what_was_meant() {
    let room = Room::new();
    for line in ["how do I play", "rules", "how do you play this?"] {
        let said = room.says("ann", line).await;
        said.answers("Which game's rules would you like?");
        room.says("ann", &said.button("Phwar"))
            .await
            .answers("Cameron Browne");
    }
    room.says("ann", "how do I play glyphgrid")
        .await
        .answers("GlyphGrid");
    room.begin("ann", "bea", "phwar order").await;
    for line in ["how do I play", "rules"] {
        room.says("ann", line).await.answers("Cameron Browne");
    }
    room.says("ann", "help stop")
        .await
        .answers("(Phase)")
        .answers("stop closing");
    for who in ["ann", "bea", "cy"] {
        room.says(who, "annihilate").await.answers("leaves the game");
        let card = room.says(who, "Tax Friar").await;
        card.answers("Tax Friar");
        assert!(card.reply.message.picture.is_some(), "{who}");
    }
    room.says("cy", "hello Sam, good luck!")
        .await
        .answers("only good at games");
}

#[tokio::test]
async fn talk_among_people_is_left_alone() {
    let room = Room::new();
    room.begin("ann", "bea", "phwar order").await;
    for line in [
        "hello Sam, good luck!",
        "nice one",
        "hello",
        "what a game you two play",
    ] {
        let talk = request("ann", "Ann", line);
        assert!(room.parlor.is_talk(&talk), "{line}");
        assert!(!room.parlor.is_worth_an_answer(&talk), "{line}");
    }
    for line in ["gmaes", "annihilate", "Tax Friar"] {
        assert!(
            room.parlor.is_worth_an_answer(&request("ann", "Ann", line)),
            "{line}"
        );
    }
}

#[tokio::test]
async fn a_button_says_which_match_is_meant() {
    let room = Room::new();
    let one = room.begin("ann", "bea", "phwar order").await;
    let other = room.begin("ann", "cy", "phwar order").await;
    let action = room.legal(&other).remove(0);
    let asked = room.says("ann", &action).await;
    asked.answers("Which match?");
    let before = room.play_of(&one).steps;
    room.says("ann", &asked.button("Phwar with cy"))
        .await
        .answers("Played");
    assert_eq!(
        (room.play_of(&one).steps, room.play_of(&other).steps),
        (before, 1)
    );
}
