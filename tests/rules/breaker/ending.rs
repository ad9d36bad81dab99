//! How a game ends, and who has won.

use parlor::game::{Awaiting, Game, GameRng, Told, guide};
use parlor::games::breaker::{Event, Tie, Variant};

use super::desk::{Arrange, ONE, TWO, opening, plain};

#[test]
fn the_second_authenticate_ends_the_game_and_circuits_decide() {
    let setup = plain()
        .give(ONE, "authenticate")
        .table(TWO, "authenticate I, 3 II");
    let desk = setup
        .clone()
        .table(ONE, "2L I, 3 III")
        .game()
        .play("add authenticate II");
    assert_eq!(desk.ranks(), [1, 2]);
    assert_eq!(desk.game.awaiting(), Awaiting::Over);
    // One circuit each: a draw, or a loss for whoever closes.
    let even = setup.table(ONE, "3 III");
    assert_eq!(even.clone().game().play("add authenticate I").ranks(), [1, 1]);
    let mut house = even.clone();
    house.tie = Tie::CloserLoses;
    assert_eq!(house.clone().game().play("add authenticate I").ranks(), [2, 1]);
    let mut harsh = even.clone();
    harsh.tie = Tie::BothLose;
    assert_eq!(harsh.clone().game().play("add authenticate I").ranks(), [2, 2]);
    assert_eq!(harsh.game().play("pass; pass").ranks(), [1, 1]);
    // That rule is for this ending alone.
    assert_eq!(house.game().play("pass; pass").ranks(), [1, 1]);
}

#[test]
fn total_power_does_not_count() {
    let desk = plain()
        .table(ONE, "0LFR II, 3 1L, 3 1F, 3 1R")
        .table(TWO, "1LF I, 1FR III, authenticate II")
        .give(ONE, "authenticate")
        .game()
        .play("add authenticate III");
    assert_eq!(desk.ranks(), [2, 1]);
}

#[test]
fn who_has_no_power_block_left_is_skipped_and_the_other_has_the_last_turn() {
    let setup = plain().drained(TWO).hold(TWO, "agitate");
    let desk = setup.clone().game().play("draw 3; draw 3");
    assert_eq!(desk.mover(), ONE);
    assert!(desk.view().last && desk.view().turn == 3);
    assert!(desk.told.events.contains(&Event::Skipped { seat: TWO }));
    let desk = desk.play("add 3 I; pass");
    assert_eq!(desk.ranks(), [1, 2]);
    // The last turn is never skipped itself.
    let desk = setup
        .drained(ONE)
        .hold(ONE, "0LFR")
        .game()
        .play("add 0LFR I; pass");
    assert_eq!(desk.mover(), ONE);
    // A power block in hand is no use without an open socket.
    let desk = plain()
        .table(TWO, "3 I, 3 II, 3 III, 3 E")
        .hold(TWO, "2L")
        .drained(TWO)
        .game()
        .play("draw 3; pass");
    assert_eq!(desk.mover(), ONE);
    // Two players who could both draw nothing: a skipped turn is no passed turn.
    let desk = plain().drained(TWO).hold(TWO, "").game().play("pass");
    assert!(desk.outcome().is_none());
}

#[test]
fn both_passing_a_whole_turn_ends_it() {
    assert_eq!(plain().game().play("pass; pass").ranks(), [1, 1]);
    let desk = plain().game().play("draw 3; pass; pass");
    assert!(desk.outcome().is_none(), "the first one had drawn");
    assert_eq!(desk.play("pass").ranks(), [1, 1]);
}

#[test]
fn the_third_occurrence_ends_it() {
    let round = "move 1 II; pass; move 2 II; pass; move 1 I; pass; move 2 I; pass";
    let desk = plain()
        .table(ONE, "0LFR I")
        .table(TWO, "0LFR I")
        .game()
        .play(round);
    assert_eq!(desk.view().occurrences, Some(2));
    let desk = desk.play("move 1 II; pass; move 2 II; pass; move 1 I; pass; move 2 I");
    assert!(desk.outcome().is_none());
    assert_eq!(
        desk.play("pass").outcome().unwrap().reason,
        "same position for the third time"
    );
}

#[test]
fn idle_turns_and_long_games_end() {
    let mut setup = plain();
    setup.idle = 18;
    let desk = setup.clone().game().play("pass; draw 3; pass");
    assert!(desk.outcome().is_none());
    assert_eq!(desk.view().idle, 0);
    setup.idle = 19;
    assert_eq!(
        setup.game().play("pass").outcome().unwrap().reason,
        "20 turns without a block drawn or added"
    );
    let mut setup = plain();
    setup.turns = 299;
    assert_eq!(
        setup.game().play("draw 3; draw 3").outcome().unwrap().reason,
        "300 turns"
    );
}

#[test]
fn two_circuits_at_the_start_of_a_turn_overwhelm() {
    let setup = opening(Variant::Overwhelming).give(ONE, "3 2L");
    assert!(setup.clone().game().starting("draw authenticate").is_empty());
    let desk = setup.game().play("add 3 I; add 2L II");
    assert!(desk.outcome().is_none(), "not before one's own turn");
    assert_eq!(desk.play("pass").ranks(), [1, 2]);
    // Tested before the skip rule: seat 2 could draw nothing, but has won.
    let setup = opening(Variant::Overwhelming)
        .table(TWO, "3 I, 3 II")
        .drained(TWO)
        .hold(TWO, "");
    assert_eq!(setup.game().play("pass").ranks(), [2, 1]);
}

#[test]
fn who_leaves_loses() {
    let mut game = plain().game().game;
    let mut told = Told::new();
    game.withdraw(TWO, &mut GameRng::quick(1), &mut told);
    assert_eq!(game.outcome().unwrap().ranks, [1, 2]);
    game.withdraw(ONE, &mut GameRng::quick(1), &mut told);
    assert_eq!(game.outcome().unwrap().ranks, [1, 2]);
    assert_eq!(told.events.len(), 1);
}

#[test]
fn closing_the_last_socket_is_announced() {
    let desk = plain().table(ONE, "3 I, 3 II, 3 III").give(ONE, "3").game();
    let paths = guide::guide(&desk.game, ONE, &["add", "3"]);
    assert!(
        paths.choices[0].help.contains("closes your last open socket"),
        "{paths:?}"
    );
    let paths = guide::guide(&desk.game, ONE, &["add", "0LFR"]);
    assert!(!paths.choices[0].help.contains("closes"));
    let desk = desk.play("add 3 W");
    assert!(desk.told.events.contains(&Event::ShutIn { seat: ONE }));
    assert!(desk.refusal("add 0LFR I").contains("isn't open"));
}
