//! What each command does when it is played.

use parlor::games::breaker::Event;

use super::desk::{Arrange, ONE, TWO, kind, plain, stock};

#[test]
fn annihilate_takes_any_free_block_even_ones_own() {
    let desk = plain()
        .give(ONE, "annihilate")
        .table(ONE, "0LFR I")
        .game()
        .play("add annihilate II");
    assert_eq!(desk.legal(), ["target 1"]);
    assert!(desk.refusal("target 2").contains("can't remove itself"));
    let desk = desk.play("target 1");
    assert_eq!(desk.view().blocks.len(), 1);
    assert_eq!(desk.view().supply[0].count(kind("0LFR")), 0, "it left the game");
    // Neither its own parent nor AUTHENTICATE.
    let desk = plain()
        .give(ONE, "annihilate")
        .table(ONE, "0LFR I")
        .table(TWO, "authenticate I, 3 II")
        .game()
        .play("add annihilate 1F");
    assert_eq!(desk.legal(), ["target 3"]);
    // Without a target nothing happens.
    let desk = plain().give(ONE, "annihilate").game().play("add annihilate I");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
    assert!(desk.told.events.contains(&Event::NoEffect {
        seat: ONE,
        kind: kind("annihilate")
    }));
}

#[test]
fn automate_plays_from_the_supply_anywhere_on_the_own_path() {
    let desk = plain().give(ONE, "automate").game().play("add automate I");
    assert!(desk.starting("add automate").is_empty() && desk.starting("add 0LFR").is_empty());
    assert!(desk.can("add 3 1F") && desk.can("add authenticate 1L") && desk.can("add 2L W"));
    assert!(desk.refusal("add automate II").contains("another AUTOMATE"));
    assert!(desk.refusal("pass").contains("First answer the command"));
    let desk = desk.play("add 3 1F");
    assert_eq!((desk.view().left, desk.view().power[0]), (1, [3, 0, 0]));
}

#[test]
fn a_command_played_by_automate_acts_too_and_may_hit_it() {
    let automate = plain().give(ONE, "automate").game().play("add automate I");
    let desk = automate.clone().play("add annihilate II");
    assert_eq!(desk.legal(), ["target 1"]);
    // Plugged into the AUTOMATE, it has no target.
    let desk = automate.clone().play("add annihilate 1F");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
    let desk = automate
        .clone()
        .play("add accelerate 1F; take agitate; take 3; take authenticate");
    assert_eq!(desk.held(ONE), stock("0LFR 0LFR 3 agitate authenticate"));
    assert!(
        desk.starting("add 3").is_empty(),
        "what ACCELERATE took waits a turn"
    );
    // AUTOMATE, ATTENUATE: the AUTOMATE itself goes back and can be drawn again.
    let desk = plain()
        .give(ONE, "automate")
        .table(TWO, "3 I")
        .game()
        .play("add automate I; add attenuate II");
    assert_eq!(desk.legal(), ["target 2"]);
    let desk = desk.play("target 2; target 1");
    assert_eq!(desk.view().blocks.len(), 1);
    assert!(desk.can("draw automate"));
    assert_eq!(desk.view().supply[1].count(kind("3")), 4);
}

#[test]
fn one_authenticate_a_turn_by_any_means() {
    let both = plain().give(ONE, "automate authenticate authenticate");
    let desk = both.clone().game().play("add authenticate I");
    assert!(desk.starting("add authenticate").is_empty());
    assert!(
        desk.refusal("add authenticate II")
            .contains("only one AUTHENTICATE")
    );
    let desk = desk.play("add automate II");
    assert!(desk.starting("add authenticate").is_empty());
    let desk = both.game().play("add automate II; add authenticate I");
    assert!(desk.starting("add authenticate").is_empty());
    let desk = desk.play("pass; pass");
    assert!(desk.can("add authenticate III"));
}

#[test]
fn accelerate_takes_three_within_the_hand_limit() {
    let desk = plain()
        .give(ONE, "accelerate")
        .game()
        .play("add accelerate I; take agitate");
    assert!(!desk.can("take agitate"));
    assert!(desk.refusal("target 1").contains("First answer the command"));
    let desk = desk.play("take 3; take 3");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
    // Fewer only if there are no more.
    let mut setup = plain().give(ONE, "accelerate").drained(ONE);
    setup.commands = stock("agitate");
    let desk = setup.game().play("add accelerate I; take agitate");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
}

#[test]
fn attenuate_sends_back_one_of_each_side() {
    let setup = plain()
        .give(ONE, "attenuate")
        .table(ONE, "2L I")
        .table(TWO, "3 I, authenticate II, attenuate III");
    let desk = setup.game().play("add attenuate II");
    assert_eq!(desk.legal(), ["target 1"]);
    assert!(
        desk.refusal("target 2")
            .contains("First choose one of your own blocks")
    );
    let desk = desk.play("target 1");
    assert_eq!(desk.legal(), ["target 2"]);
    assert!(desk.refusal("target 3").contains("You can't choose AUTHENTICATE"));
    assert!(desk.refusal("target 4").contains("ATTENUATE can't send back"));
    let desk = desk.play("target 2");
    assert_eq!(desk.view().supply[0].count(kind("2L")), 2);
    assert_eq!(desk.view().supply[1].count(kind("3")), 4);
    // A block that comes back gets a new number.
    let desk = desk.play("draw 2L; pass; add 2L I");
    assert_eq!(desk.view().block(6).map(|block| block.kind), Some(kind("2L")));
    // Without an enemy target nothing happens at all.
    let desk = plain()
        .give(ONE, "attenuate")
        .table(ONE, "3 I")
        .game()
        .play("add attenuate II");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
}

#[test]
fn agitate_moves_enemy_blocks_twice_and_may_undo() {
    let desk = plain()
        .give(ONE, "agitate")
        .table(TWO, "3 I")
        .game()
        .play("add agitate II");
    assert_eq!(desk.legal(), ["move 1 II", "move 1 III", "move 1 E"]);
    assert!(desk.refusal("move 1 W").contains("this one has E"));
    assert!(desk.refusal("move 2 III").contains("AGITATE moves enemy blocks"));
    let desk = desk.play("move 1 E");
    assert!(desk.can("move 1 I") && !desk.can("move 1 E"));
    let desk = desk.play("move 1 I");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
    assert_eq!(desk.view().power[1], [3, 0, 0]);
    let desk = plain().give(ONE, "agitate").game().play("add agitate II");
    assert_eq!(desk.view().task, None);
}

#[test]
fn aggravate_leaves_one_block_in_each_hand() {
    let setup = plain().give(ONE, "aggravate 3 agitate").give(TWO, "2L");
    let desk = setup.game().play("add aggravate I");
    assert_eq!(desk.legal(), ["keep 0LFR", "keep 3", "keep agitate"]);
    assert!(desk.refusal("keep 2L").contains("There's no 2L in your hand"));
    let desk = desk.play("keep 0LFR");
    assert_eq!(desk.held(ONE), stock("0LFR"));
    assert_eq!(desk.legal(), ["keep 0LFR", "keep 2L"]);
    let desk = desk.play("keep 2L");
    assert_eq!(desk.held(TWO), stock("2L"));
    assert_eq!(desk.view().supply[1].count(kind("0LFR")), 2);
    assert!(desk.can("draw agitate") && desk.can("draw 0LFR"));
    // A hand of one still asks, an empty one does not.
    let desk = plain()
        .hold(ONE, "aggravate")
        .hold(TWO, "3")
        .game()
        .play("add aggravate I");
    assert_eq!(desk.legal(), ["keep 3"]);
    let desk = plain()
        .hold(ONE, "aggravate")
        .hold(TWO, "")
        .game()
        .play("add aggravate I");
    assert_eq!((desk.view().task, desk.view().left), (None, 1));
}

#[test]
fn of_equal_blocks_the_older_is_kept() {
    let desk = plain()
        .give(ONE, "aggravate 3")
        .game()
        .play("draw 3; add aggravate I; keep 3");
    assert!(desk.view().hands[0].fresh.is_empty());
    let desk = plain()
        .give(ONE, "aggravate")
        .game()
        .play("draw 3; add aggravate I; keep 3");
    assert_eq!(desk.view().hands[0].fresh, stock("3"));
}
