//! Breaker Blocks: worked examples for every rule, refusals, hidden commands, and a second generator.

#[path = "breaker/desk.rs"]
mod desk;
#[path = "breaker/slow.rs"]
mod slow;

use std::collections::BTreeSet;

use desk::{Arrange, ONE, TWO, kind, opening, plain, random_game, stock};
use parlor::game::explore::perft;
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Seat, Seed, Silent, Told, Viewer, guide};
use parlor::games::breaker::event::Face;
use parlor::games::breaker::setup::Setup;
use parlor::games::breaker::view::{Commands, SocketState};
use parlor::games::breaker::{Breaker, Event, Tie, Variant};

// The table.

#[test]
fn the_opening_has_the_numbers_of_the_rules() {
    let game = plain().game().game;
    assert_eq!([1, 2, 3].map(|depth| perft(&game, depth)), [19, 375, 7_120]);
    let game = opening(Variant::Overwhelming).game().game;
    assert_eq!([1, 2, 3].map(|depth| perft(&game, depth)), [18, 338, 6_080]);
}

#[test]
fn left_forward_and_right_are_seen_from_the_parent() {
    let cells = |desk: &desk::Desk, seat: Seat| -> Vec<(String, i8, i8)> {
        let view = desk.view();
        let mut cells: Vec<_> = view
            .open_sockets(seat)
            .filter(|socket| socket.name.starts_with('1'))
            .map(|socket| (socket.name.clone(), socket.cell.x, socket.cell.y))
            .collect();
        cells.sort();
        cells
    };
    let at = |name: &str, x, y| (name.to_owned(), x, y);
    // North of circuit I: left is west.
    let desk = plain().game().play("add 0LFR I");
    assert_eq!(
        cells(&desk, ONE),
        [at("1F", -2, 2), at("1L", -3, 1), at("1R", -1, 1)]
    );
    // West of the Core: left is south.
    let desk = plain().game().play("add 0LFR W");
    assert_eq!(
        cells(&desk, ONE),
        [at("1F", -4, 0), at("1L", -3, -1), at("1R", -3, 1)]
    );
    // South of circuit I: left is east.
    let desk = plain().game().play("pass; add 0LFR I");
    assert_eq!(
        cells(&desk, TWO),
        [at("1F", -2, -2), at("1L", -1, -1), at("1R", -3, -1)]
    );
}

#[test]
fn the_core_and_other_blocks_are_in_the_way() {
    // Block 2 lies on (-1,1) facing west: its left is the Core, and I and 2F face the same empty cell.
    let desk = plain().game().play("add 0LFR II; add 0LFR 1L; pass");
    let view = desk.view();
    let state = |name: &str| {
        let sockets = view
            .blocks
            .iter()
            .flat_map(|block| &block.sockets)
            .chain(&view.ports[0]);
        sockets.clone().find(|socket| socket.name == name).unwrap().state
    };
    assert_eq!(state("2L"), SocketState::Blocked);
    assert_eq!(state("1L"), SocketState::Used);
    assert_eq!(state("II"), SocketState::Used);
    assert_eq!(state("2F"), SocketState::Open);
    assert_eq!(state("I"), SocketState::Open);
    // Two sockets that face one cell are two actions, and both are gone once it is filled.
    let desk = plain().table(ONE, "0LFR II, 0LFR 1L").give(ONE, "3").game();
    assert!(desk.can("add 3 2F") && desk.can("add 3 I"));
    let desk = desk.play("add 3 2F");
    assert_eq!(desk.cell(3), (-2, 1));
    assert!(!desk.can("move 3 2F") && desk.can("move 3 I"));
}

#[test]
fn power_feeds_the_circuit_of_its_core_socket() {
    let desk = plain()
        .table(ONE, "0LFR W, 2R 1F, 3 III")
        .table(TWO, "1LF E, 3 4F, 2L I")
        .game();
    assert_eq!(desk.view().power, [[2, 0, 3], [2, 0, 4]]);
    let view = desk.view();
    assert_eq!((view.controls(ONE), view.controls(TWO)), (0, 1));
}

// Actions.

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

// Commands.

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
            .contains("Only one AUTHENTICATE")
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
    assert!(desk.refusal("target 2").contains("First comes one of your own"));
    let desk = desk.play("target 1");
    assert_eq!(desk.legal(), ["target 2"]);
    assert!(
        desk.refusal("target 3")
            .contains("AUTHENTICATE can't be targeted")
    );
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
    assert!(desk.refusal("keep 2L").contains("There is no 2L in your hand"));
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

// The end.

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
        paths.choices[0].label.contains("closes your last open socket"),
        "{paths:?}"
    );
    let paths = guide::guide(&desk.game, ONE, &["add", "0LFR"]);
    assert!(!paths.choices[0].label.contains("closes"));
    let desk = desk.play("add 3 W");
    assert!(desk.told.events.contains(&Event::ShutIn { seat: ONE }));
    assert!(desk.refusal("add 0LFR I").contains("isn't open"));
}

// Notation.

#[test]
fn notation_is_forgiving() {
    let desk = plain()
        .give(ONE, "2L annihilate agitate")
        .table(ONE, "0LFR I")
        .table(TWO, "0LFR I")
        .game();
    for (typed, meant) in [
        ("DRAW 2l", "draw 2L"),
        ("allocate 1fl", "draw 1LF"),
        ("take auth", "draw authenticate"),
        ("add 2L 1F", "add 2L 1F"),
        ("add 1f 2l", "add 2L 1F"),
        ("add2L II", "add 2L II"),
        ("play anni into 1 L", "add annihilate 1L"),
        ("add west 2L", "add 2L W"),
        ("add anihilate 1-r", "add annihilate 1R"),
        ("move 1 to iii", "move 1 III"),
        ("rearrange w 1", "move 1 W"),
        (" Pass ", "pass"),
    ] {
        assert_eq!(desk.read(typed), meant, "{typed}");
    }
    let (_, rest) = desk.game.parse(ONE, "draw 3, then add 2L II").unwrap();
    assert_eq!(rest, "add 2L II");
}

#[test]
fn the_verb_of_an_answer_may_be_left_out() {
    let desk = plain()
        .give(ONE, "annihilate")
        .table(TWO, "3 I, 3 II")
        .game()
        .play("add annihilate I");
    assert_eq!(desk.read("2"), "target 2");
    let desk = plain().give(ONE, "accelerate").game().play("add accelerate I");
    assert_eq!(desk.read("agg"), "take aggravate");
    assert_eq!(desk.read("draw 2F"), "take 2F");
}

#[test]
fn refusals_say_what_to_do() {
    let desk = plain()
        .give(ONE, "2L")
        .table(ONE, "1LF I, 2F 1F")
        .table(TWO, "0LFR I")
        .game();
    for (typed, told) in [
        ("", "can't read"),
        ("drow 3", "Did you mean `draw`"),
        ("draw", "Which block do you draw? draw 1LF, draw 1FR"),
        (
            "draw 2",
            "three blocks of power 2, with different sockets: 2L, 2F, 2R",
        ),
        ("draw ag", "agitate, aggravate"),
        ("draw 4", "Power blocks are"),
        ("draw 0LFR", "There is no 0LFR left in your supply"),
        ("draw command", "name the one you want"),
        ("add 3 II", "You hold no 3. In your hand: 2 × 0LFR, 2L."),
        ("add 2L", "Into which socket"),
        ("add 2L 1R", "has only L and F"),
        ("add 2L 1F", "block 2 is there"),
        ("add 2L 3L", "Block 3 is the enemy's"),
        ("add 2L E", "this one has W"),
        ("add 2L 77L", "There is no block 77"),
        ("add 2L 1", "1L, 1F or 1R"),
        ("add 2L banana", "A socket is I, II, III"),
        ("move 1 II", "Block 2 is plugged into block 1"),
        ("move 3 II", "is the enemy's"),
        ("move 2 1F", "is there already"),
        ("move 2 2F", "can't be plugged into itself"),
        ("move 9 II", "There is no block 9"),
        ("target 1", "No command asks for that"),
        ("keep 2L", "No command asks for that"),
    ] {
        let refusal = desk.refusal(typed);
        assert!(refusal.contains(told), "{typed}: {refusal}");
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let desks = [
        plain().game(),
        plain().give(ONE, "automate").game().play("add automate I"),
        opening(Variant::Blind)
            .give(ONE, "aggravate")
            .game()
            .play("add aggravate I"),
        plain().game().play("pass; pass"),
    ];
    let pieces = [
        "draw", "add", "é7L", "0", "99999", "I", "W", "L", "🂡", "-", "move", ";", "keep", "a", "command",
    ];
    for desk in desks {
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    for seat in Seat::all(3) {
                        let _ = desk.game.parse(seat, &format!("{a}{b} {c}"));
                    }
                }
            }
        }
    }
}

#[test]
fn an_action_is_picked_word_by_word() {
    let desk = plain().give(ONE, "annihilate").game();
    let first = guide::guide(&desk.game, ONE, &[]);
    let words: Vec<&str> = first.choices.iter().map(|choice| choice.text.as_str()).collect();
    assert_eq!(words, ["pass", "draw", "add"]);
    assert_eq!(first.ask, "First of your two actions: what do you do?");
    let second = guide::guide(&desk.game, ONE, &["add"]);
    assert_eq!(second.choices[1].label, "annihilate: a block leaves the game");
    let third = guide::guide(&desk.game, ONE, &["add", "annihilate"]);
    assert_eq!(third.choices[3].label, "W: circuit I");
}

// Hidden commands.

#[test]
fn a_blind_draw_is_seen_by_its_taker_alone() {
    let desk = opening(Variant::Blind).game();
    assert_eq!(
        desk.starting("draw").len(),
        8,
        "seven power blocks, and a command"
    );
    assert!(desk.refusal("draw agitate").contains("face down"));
    let desk = desk.play("draw command");
    assert!(desk.told.revealed, "the taker has learnt something");
    let Event::Drew {
        face: Face::Down(Some(drawn)),
        ..
    } = desk.told.events[0]
    else {
        panic!("{:?}", desk.told.events);
    };
    for viewer in [Viewer::Public, Viewer::Seat(TWO)] {
        let view = desk.game.view(viewer);
        assert_eq!(
            (view.hands[0].held, view.hands[0].face_down),
            (stock("0LFR 0LFR"), 1)
        );
        assert_eq!(view.commands, Commands::FaceDown(15));
        let seen = Breaker::witness(&desk.told.events[0], viewer).unwrap();
        assert!(matches!(
            seen,
            Event::Drew {
                face: Face::Down(None),
                ..
            }
        ));
        assert!(
            !serde_json::to_string(&view)
                .unwrap()
                .contains(&format!("\"held\":{{\"0LFR\":2,\"{drawn}\""))
        );
    }
    let own = desk.game.view(Viewer::Seat(ONE));
    assert!(own.hands[0].held.has(drawn));
    assert_eq!(
        own.unseen.map(parlor::games::breaker::stock::Stock::len),
        Some(15)
    );
}

#[test]
fn a_blind_draw_fits_the_hand_or_is_not_offered() {
    let mut setup = opening(Variant::Blind).give(ONE, "agitate");
    setup.commands = stock("agitate");
    let desk = setup.clone().game();
    assert!(!desk.can("draw command"));
    assert!(
        desk.refusal("draw command")
            .contains("No command in the supply fits your hand")
    );
    setup.commands = stock("agitate attenuate");
    for seed in 0..20 {
        let mut desk = setup.clone().game();
        desk.seed = Seed::from_text(&seed.to_string());
        assert!(desk.play("draw command").held(ONE).has(kind("attenuate")));
    }
}

#[test]
fn every_fitting_command_is_equally_likely() {
    let mut setup = opening(Variant::Blind);
    setup.commands = stock("authenticate authenticate authenticate agitate");
    let mut agitates = 0;
    for seed in 0..2_000 {
        let mut desk = setup.clone().game();
        desk.seed = Seed::from_text(&seed.to_string());
        agitates += u32::from(desk.play("draw command").held(ONE).has(kind("agitate")));
    }
    assert!((430..570).contains(&agitates), "{agitates}");
}

#[test]
fn blind_automate_names_its_socket_first() {
    let mut setup = opening(Variant::Blind).give(ONE, "automate");
    setup.commands = stock("automate agitate");
    let desk = setup.clone().game().play("add automate I");
    assert!(desk.can("add command 1F") && desk.can("add 3 1F") && desk.starting("add agitate").is_empty());
    let desk = desk.play("add command 1F");
    assert_eq!(
        desk.view().blocks[1].kind,
        kind("agitate"),
        "AUTOMATE is drawn again"
    );
    // And so is AUTHENTICATE after one was added this turn.
    setup.commands = stock("authenticate agitate");
    let mut setup = setup.table(ONE, "0LFR II");
    setup.authenticated = true;
    setup.left = 1;
    let desk = setup.game().play("add automate I; add command 2F");
    assert_eq!(desk.view().blocks[2].kind, kind("agitate"));
}

#[test]
fn blind_aggravate_names_ones_own_commands_and_keeps_a_random_one_of_the_enemys() {
    let setup = opening(Variant::Blind)
        .give(ONE, "automate aggravate")
        .give(TWO, "agitate authenticate");
    let desk = setup.game().play("add aggravate I");
    assert_eq!(desk.legal(), ["keep 0LFR", "keep automate"]);
    let desk = desk.play("keep automate");
    let kept = Breaker::witness(&desk.told.events[0], Viewer::Seat(TWO)).unwrap();
    assert!(
        matches!(
            kept,
            Event::Kept {
                face: Face::Down(None),
                ..
            }
        ),
        "{kept:?}"
    );
    assert_eq!(desk.legal(), ["keep 0LFR", "keep command"]);
    assert!(desk.refusal("keep agitate").contains("You can't see"));
    let desk = desk.play("keep command");
    assert_eq!(desk.held(TWO).len(), 1);
    assert!(desk.held(TWO).powers().is_empty());
}

#[test]
fn a_scarce_supply_lacks_four_commands_but_no_authenticate() {
    for seed in 0..50 {
        let setup = Setup::opening(
            Variant::BlindScarce,
            Tie::Draw,
            &mut Seed::from_text(&seed.to_string()).at(0),
        );
        assert_eq!((setup.commands.len(), setup.aside.len()), (12, 4));
        assert_eq!(setup.commands.count(kind("authenticate")), 4);
    }
}

/// Seat 2 drew its command before an AGITATE went back before everybody's eyes: it can't hold that one.
#[test]
fn an_imagined_world_remembers_what_went_back() {
    let mut setup = opening(Variant::Blind)
        .table(ONE, "0LFR I, agitate II, agitate III")
        .table(TWO, "3 I")
        .give(ONE, "attenuate")
        .give(TWO, "automate");
    setup.commands = stock("automate accelerate authenticate");
    let desk = setup.game().play("add attenuate W; target 2; target 4; pass");
    assert_eq!(desk.mover(), TWO);
    let mut rng = GameRng::quick(3);
    let hands: BTreeSet<String> = (0..200)
        .map(|_| {
            let world = desk.game.determinize(ONE, &mut rng);
            let held = world.view(Viewer::Omniscient).hands[1].held.commands();
            held.kinds().map(parlor::games::breaker::Kind::name).collect()
        })
        .collect();
    assert_eq!(
        hands,
        BTreeSet::from(["automate", "accelerate", "authenticate"].map(str::to_owned))
    );
    // After the next blind draw it may well be the AGITATE.
    let desk = desk.play("draw command; pass");
    let found = (0..200).any(|_| {
        let world = desk.game.determinize(ONE, &mut rng);
        world.view(Viewer::Omniscient).hands[1].held.has(kind("agitate"))
    });
    assert!(found);
}

#[test]
fn nobody_can_tell_an_imagined_world_from_the_true_one() {
    for variant in ["blind", "blind-scarce"] {
        let mut changed = 0;
        for seed in 0..25 {
            let mut rng = GameRng::quick(seed);
            random_game(variant, seed, |game, mover| {
                for seat in Seat::all(2) {
                    let world = game.determinize(seat, &mut rng);
                    assert_eq!(world.view(Viewer::Seat(seat)), game.view(Viewer::Seat(seat)));
                    assert_eq!(world.view(Viewer::Public), game.view(Viewer::Public));
                    assert_eq!(world.legal_actions(seat), game.legal_actions(seat));
                    assert!(world.count_legal(mover) > 0);
                    let text = serde_json::to_string(&world).unwrap();
                    let loaded: Breaker = serde_json::from_str(&text).unwrap();
                    assert_eq!(serde_json::to_string(&loaded).unwrap(), text);
                    changed += u32::from(
                        world.view(Viewer::Omniscient).hands != game.view(Viewer::Omniscient).hands,
                    );
                }
            });
        }
        assert!(changed > 1_000, "only {changed} worlds were any different");
    }
}

/// Two worlds that a seat can't tell apart tell that seat the same story, whatever is played.
#[test]
fn events_tell_the_same_story_in_both_worlds() {
    let mut compared = 0;
    for seed in 0..20 {
        let mut rng = GameRng::quick(seed + 100);
        random_game("blind", seed, |game, mover| {
            let watcher = mover.next(2);
            let world = game.determinize(watcher, &mut rng);
            for action in game.legal_actions(mover) {
                // What needs no chance and shows no command is the same in both.
                let mut told = [Told::new(), Told::new()];
                if !world.is_legal(mover, &action) {
                    continue;
                }
                let mut chance = GameRng::quick(1);
                game.clone().play(mover, &action, &mut chance, &mut told[0]);
                world
                    .clone()
                    .play(mover, &action, &mut GameRng::quick(1), &mut told[1]);
                if chance.drawn() > 0 || told[0].revealed {
                    continue;
                }
                let seen = told.map(|told| -> Vec<Event> {
                    told.events
                        .iter()
                        .filter_map(|event| Breaker::witness(event, Viewer::Seat(watcher)))
                        .collect()
                });
                assert_eq!(seen[0], seen[1]);
                compared += 1;
            }
        });
    }
    assert!(compared > 10_000, "{compared}");
}

// Saves, and the second generator.

#[test]
fn what_makes_no_sense_is_not_loaded() {
    let refuses = |change: fn(&mut Setup)| {
        let mut setup = plain().table(ONE, "0LFR I, 3 1F").give(ONE, "agitate");
        change(&mut setup);
        Breaker::try_from(setup).is_err()
    };
    assert!(!refuses(|_| {}));
    assert!(refuses(|setup| setup.blocks[1].into = "1X".to_owned()));
    assert!(
        refuses(|setup| setup.blocks[1].into = "2F".to_owned()),
        "plugged into itself"
    );
    assert!(
        refuses(|setup| setup.blocks[1].into = "I".to_owned()),
        "two on one cell"
    );
    assert!(refuses(|setup| setup.blocks[1].number = 1));
    assert!(refuses(|setup| setup.next_number = 2));
    assert!(refuses(|setup| setup.supply[0].add(kind("0LFR"))));
    assert!(refuses(|setup| setup.commands.add(kind("agitate"))));
    assert!(refuses(|setup| setup.supply[0].add(kind("agitate"))));
    assert!(refuses(|setup| setup.hands[0].fresh.add(kind("3"))));
    assert!(refuses(|setup| setup.left = 3));
    assert!(refuses(|setup| setup.left = 0));
    assert!(refuses(|setup| setup.turns = 301));
    assert!(refuses(
        |setup| setup.task = Some(parlor::games::breaker::task::Task::Agitate { left: 1 })
    ));
    assert!(refuses(|setup| setup.aside.add(kind("agitate"))));
}

#[test]
fn the_second_generator_agrees_on_random_games() {
    for variant in ["plain", "blind", "blind-scarce", "overwhelming"] {
        let mut ends = BTreeSet::new();
        let games = if variant == "overwhelming" { 40 } else { 15 };
        for seed in 0..games {
            let end = random_game(variant, seed, |game, mover| {
                let view = serde_json::to_value(game.view(Viewer::Omniscient)).unwrap();
                let actions = game.legal_actions(mover);
                assert!(actions.is_sorted());
                assert_eq!(actions.len(), game.count_legal(mover));
                let names: BTreeSet<String> =
                    actions.iter().map(|action| game.notate(mover, action)).collect();
                assert_eq!(names.len(), actions.len());
                assert_eq!(names, slow::legal(&view));
                // A few are read back, and the picked one is always legal.
                for action in actions.iter().step_by(7) {
                    let text = game.notate(mover, action);
                    assert_eq!(game.parse(mover, &text), Ok((*action, "")));
                }
                let picked = game
                    .pick(mover, &mut GameRng::quick(seed), &mut Vec::new())
                    .unwrap();
                assert!(actions.binary_search(&picked).is_ok());
                assert!(game.legal_actions(mover.next(2)).is_empty());
            });
            ends.insert(end.outcome().unwrap().reason.to_string());
        }
        assert!(ends.len() > 1, "{ends:?}");
    }
}

#[test]
fn blocks_are_never_lost_but_to_annihilate() {
    for seed in 0..30 {
        let mut before = 52;
        random_game("plain", seed, |game, _| {
            let view = game.view(Viewer::Omniscient);
            let Commands::Open(commands) = view.commands else {
                panic!("hidden")
            };
            let piles = view
                .supply
                .iter()
                .chain([&commands])
                .map(|stock| usize::from(stock.len()));
            let hands = view.hands.iter().map(|hand| usize::from(hand.len()));
            let now = piles.chain(hands).sum::<usize>() + view.blocks.len();
            let cells: BTreeSet<_> = view.blocks.iter().map(|block| block.cell).collect();
            assert_eq!(cells.len(), view.blocks.len());
            assert!(now == before || now + 1 == before, "{before} became {now}");
            before = now;
        });
    }
}

#[test]
fn a_save_goes_on_as_if_nothing_had_happened() {
    for variant in ["plain", "blind-scarce"] {
        let options = OptionValues::choose(Breaker::META.options, [("variant", variant)]).unwrap();
        let seed = Seed::from_text("save");
        let mut game = Breaker::new(&options, 2, &mut seed.at(0));
        let mut dice = GameRng::quick(9);
        let mut step = 0;
        while let Awaiting::Turn(seat) = game.awaiting() {
            step += 1;
            let text = serde_json::to_string(&game).unwrap();
            let mut loaded: Breaker = serde_json::from_str(&text).unwrap();
            let mut twin = dice.clone();
            let action = game.pick(seat, &mut dice, &mut Vec::new()).unwrap();
            assert_eq!(loaded.pick(seat, &mut twin, &mut Vec::new()), Some(action));
            game.play(seat, &action, &mut seed.at(step), &mut Silent);
            loaded.play(seat, &action, &mut seed.at(step), &mut Silent);
            assert_eq!(
                serde_json::to_string(&loaded).unwrap(),
                serde_json::to_string(&game).unwrap()
            );
        }
    }
}
