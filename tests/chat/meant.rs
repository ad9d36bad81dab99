//! Which match is meant when none is named.

use crate::room::Room;

#[tokio::test]
async fn with_several_matches_the_one_that_waits_for_me_is_meant_by_a_move_but_not_by_giving_up() {
    let room = Room::new();
    let waits = room.match_of("ann", "bea", "").await;
    let other = room.match_of("cy", "ann", "").await;
    let action = room.legal(&waits).remove(0);
    room.says("ann", "board").await.answers(&format!("#{waits}"));
    for line in ["resign", "abort", "draw", "undo", "pause"] {
        let said = room.says("ann", line).await;
        said.answers(&format!("#{waits}")).answers(&format!("#{other}"));
        said.answers("Which match?");
    }
    room.says("ann", &action).await.answers(&format!("#{waits}"));
    // Now neither waits for Ann; then both do.
    room.says("ann", "board").await.answers("Which match?");
    room.any_move(&waits).await;
    room.any_move(&other).await;
    // A move is played where it can be played: Ann has the other army there.
    let action = room.legal(&other).remove(0);
    room.says("ann", &action)
        .await
        .answers(&format!("Played in #{other}"));
}

/// In the open game everybody sees all hands, so nobody is sent one; whoever asks gets their own.
#[tokio::test]
async fn an_open_hand_is_shown_to_whoever_asks() {
    let room = Room::new();
    let open = room.says("ann", "challenge @bea breaker order").await.code();
    room.says("bea", &format!("accept #{open}")).await;
    let hand = room.says("ann", "hand").await;
    hand.answers(&format!("Breaker Blocks #{open}: your hand"));
    hand.answers("0LFR");
}

#[tokio::test]
async fn a_hand_is_asked_for_where_there_is_one() {
    let room = Room::new();
    // Ann is awaited in the open match alone, and holds a hand in the other, in which Bea is to move.
    let open = room.says("ann", "challenge @bea phwar order").await.code();
    room.says("bea", &format!("accept #{open}")).await;
    room.says("ann", "hand").await.answers("Nobody has a hand");
    let asked = "challenge @ann breaker variant=blind order";
    let hidden = room.says("bea", asked).await.code();
    room.says("ann", &format!("accept #{hidden}")).await;
    let title = format!("Breaker Blocks #{hidden}: your hand");
    room.says("ann", "hand").await.answers(&title);
    // Of two hands the one is meant that can be played from.
    let asked = "challenge @bea breaker variant=blind order";
    let second = room.says("ann", asked).await.code();
    room.says("bea", &format!("accept #{second}")).await;
    let title = format!("Breaker Blocks #{second}: your hand");
    room.says("ann", "hand").await.answers(&title);
}

#[tokio::test]
async fn the_match_of_the_room_is_meant_before_those_elsewhere() {
    let room = Room::new();
    let here = room.match_of("ann", "bea", "").await;
    let there = room
        .says_in("den", "cy", "challenge @ann phwar order")
        .await
        .code();
    room.says_in("den", "ann", "accept").await.answers("begins");
    room.says_in("den", "ann", "resign")
        .await
        .answers(&format!("#{there}"));
    room.says_in("parlour", "ann", "resign")
        .await
        .answers(&format!("#{here}"));
    room.whispers("ann", "resign").await.answers("Which match?");
}

#[tokio::test]
async fn cancel_means_my_open_table_and_decline_lets_me_get_up() {
    let room = Room::new();
    room.match_of("ann", "bea", "").await;
    let table = room.says("ann", "open phwar seats=3").await.code();
    room.says("cy", &format!("join {table}"))
        .await
        .answers("Waiting for");
    room.says("cy", "decline").await.answers("You decline");
    room.hears("cy leaves Phwar").await;
    room.says("cy", "cancel").await.answers("no match");
    room.says("cy", &format!("cancel {table}"))
        .await
        .answers("Only the player who opened");
    room.says("ann", "cancel").await.answers("cancelled");
    room.hears("ann cancels").await;
    room.says("cy", &format!("join {table}"))
        .await
        .answers("called off");
    room.says("ann", "cancel").await.answers("no match");
}
