//! Time: who has how much of it, what happens when it is gone, and who is told before.

mod room;

use parlor::matches::code::Code;
use parlor::matches::delivery::Notice;
use parlor::matches::port::Clock;
use parlor::matches::state::{How, Phase};
use parlor::matches::time::{Span, Time};
use room::{Room, player};

const INSTANT: Span = Span(1);

/// A match of three in which ann, bea and cy sit in this order.
async fn match_of_three(room: &Room, terms: &str) -> Code {
    let line = format!("challenge @bea @cy phwar order {terms}");
    let code = room.says("ann", &line).await.code();
    room.says("bea", "accept").await;
    room.says("cy", "accept").await.answers("begins");
    room.hears("begins").await;
    code
}

fn how(room: &Room, code: &Code) -> How {
    match room.the_match(code).phase {
        Phase::Over(_, ending) => ending.how,
        phase => panic!("not over: {phase:?}"),
    }
}

#[tokio::test]
async fn a_match_without_a_clock_can_be_claimed_after_fourteen_silent_days() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "none").await;
    room.any_move(&code).await;
    room.later(Span::days(14).saturating_sub(INSTANT)).await;
    assert!(room.is_running(&code), "nothing happens by itself");
    room.says("ann", "claim").await.answers("You can claim the match if");
    room.says("bea", "claim").await.answers("nothing to claim");
    room.later(INSTANT).await;
    room.says("cy", &format!("claim #{code}"))
        .await
        .answers("You don't play");
    room.says("ann", "claim").await.answers("You claim");
    room.hears("ann wins").await;
    assert_eq!(how(&room, &code), How::Absence);
}

#[tokio::test]
async fn a_match_with_a_clock_is_never_claimed() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "relaxed").await;
    room.any_move(&code).await;
    room.later(Span::days(9)).await;
    room.says("ann", "claim").await.answers("nothing to claim");
    assert!(room.is_running(&code));
}

#[tokio::test]
async fn after_somebody_left_the_next_player_has_fourteen_days_of_their_own() {
    let room = Room::new();
    let code = match_of_three(&room, "none").await;
    room.later(Span::days(14)).await;
    room.says("cy", "claim").await.answers("You claim");
    assert!(room.is_running(&code));
    assert_eq!(room.awaited(&code), "bea");
    room.says("cy", "claim").await.answers("You can claim the match if");
    room.later(Span::days(14).saturating_sub(INSTANT)).await;
    room.says("cy", "claim").await.answers("You can claim the match if");
    room.later(INSTANT).await;
    room.says("cy", "claim").await.answers("You claim");
    assert!(!room.is_running(&code));
}

#[tokio::test]
async fn a_pause_is_over_when_somebody_says_so_and_not_when_somebody_leaves() {
    let room = Room::new();
    let code = match_of_three(&room, "daily").await;
    room.says("ann", "pause").await;
    room.says("bea", "accept").await;
    room.says("cy", "accept").await;
    room.hears("is paused").await;
    room.later(Span::days(30)).await;
    room.says("cy", "resign sure").await.answers("You resign");
    assert!(room.play_of(&code).paused.is_some());
    room.later(Span::days(30)).await;
    assert!(room.is_running(&code));
    room.says("bea", "resume").await.answers("goes on");
    let deadline = room.play_of(&code).clocks[0].deadline();
    assert_eq!(deadline, Some(room.clock.now() + Span::hours(48)));
}
