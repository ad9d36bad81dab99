//! Drawing, adding and moving.

use super::desk::{Arrange, ONE, TWO, kind, plain};

#[test]
fn a_drawn_block_waits_a_turn_but_its_equals_do_not() {
    let desk = plain().game().play("draw 3");
    assert!(desk.starting("add 3").is_empty());
    assert!(desk.refusal("add 3 II").contains("You drew the 3 this turn"));
    let desk = plain().give(ONE, "3").game().play("draw 3");
    assert_eq!(desk.starting("add 3").len(), 4);
    // The turn after, the other one is playable, too.
    let desk = desk.play("add 3 I; pass");
    assert_eq!(desk.starting("add 3").len(), 3);
}

#[test]
fn a_hand_holds_one_of_each_command_and_two_authenticates() {
    let desk = plain().game().play("draw agitate");
    assert!(!desk.can("draw agitate") && desk.can("draw authenticate"));
    assert!(desk.refusal("draw agitate").contains("at most one AGITATE"));
    let desk = plain().game().play("draw authenticate; draw authenticate; pass");
    assert_eq!(desk.held(ONE).count(kind("authenticate")), 2);
    assert!(!desk.can("draw authenticate"));
    assert!(desk.refusal("draw authenticate").contains("at most two"));
}

#[test]
fn an_accelerate_on_the_table_is_not_in_the_hand() {
    let desk = plain().give(ONE, "accelerate").game().play("add accelerate I");
    assert!(desk.can("take accelerate"));
}

#[test]
fn a_moved_block_is_lifted_first() {
    // 1L and 2R face the same cell, where block 3 hangs on 2R.
    let desk = plain().table(ONE, "0LFR II, 0LFR I, 3 2R").game();
    assert!(desk.can("move 3 1L"), "back to its cell through another socket");
    assert!(!desk.can("move 3 2R"), "not into the socket it left");
    assert!(
        desk.starting("move 2").is_empty(),
        "something is plugged into block 2"
    );
    let desk = desk.play("move 3 1L");
    assert_eq!(desk.cell(3), (-1, 1));
    assert_eq!(desk.view().power[0], [0, 3, 0]);
    // Nothing is plugged into its own sockets.
    let desk = plain().game().play("add 0LFR I");
    assert!(desk.starting("move 1 1").is_empty());
    assert_eq!(desk.starting("move 1"), ["move 1 II", "move 1 III", "move 1 W"]);
}

#[test]
fn a_moved_command_does_not_act_again_and_authenticate_stays() {
    let desk = plain()
        .table(ONE, "annihilate I, authenticate II")
        .table(TWO, "3 I")
        .game();
    assert!(desk.starting("move 2").is_empty());
    assert!(desk.refusal("move 2 III").contains("AUTHENTICATE can't be moved"));
    let desk = desk.play("move 1 III");
    assert_eq!(desk.view().task, None);
    assert_eq!(desk.view().left, 1);
}
