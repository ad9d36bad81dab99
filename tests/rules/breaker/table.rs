//! The table: sockets, cells and power.

use parlor::game::Seat;
use parlor::game::explore::perft;
use parlor::games::breaker::Variant;
use parlor::games::breaker::view::SocketState;

use super::desk::{self, Arrange, ONE, TWO, opening, plain};

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
