//! Saved positions.

use parlor::game::Game;
use parlor::games::fabric::cell::Cell;
use parlor::games::fabric::piece::Piece;
use parlor::games::fabric::setup::{Setup, SetupError, Standing};
use parlor::games::fabric::{End, Fabric};

use super::board::*;

const SAVED: &str = r#"{"size":8,"target":500,"pieces":[{"cell":"c4","seat":1,"piece":"anchor"},{"cell":"d4","seat":2,"piece":{"relay":"north"}},{"cell":"h8","seat":1,"piece":"prism"}],"scores":[0,0],"placed":3,"end":null}"#;

#[test]
fn the_format_of_a_save_stays_as_it_is() {
    let mut game = empty();
    for action in ["A c4", "R d4 N", "P h8"] {
        play(&mut game, action);
    }
    assert_eq!(serde_json::to_string(&game).expect("a save"), SAVED);
    let loaded: Fabric = serde_json::from_str(SAVED).expect("a save");
    assert_eq!(look(&loaded), look(&game));
    assert_eq!(serde_json::to_string(&loaded).expect("a save"), SAVED);
    assert_eq!(loaded.awaiting(), game.awaiting());
}

#[test]
fn a_save_that_makes_no_sense_is_refused() {
    let refuse = |change: fn(&mut Setup)| {
        let mut setup: Setup = serde_json::from_str(SAVED).expect("a save");
        change(&mut setup);
        Fabric::try_from(setup).expect_err("it makes no sense")
    };
    assert_eq!(refuse(|setup| setup.size = 6), SetupError::Size(6));
    assert_eq!(refuse(|setup| setup.size = 11), SetupError::Size(11));
    assert_eq!(refuse(|setup| setup.target = 60), SetupError::Target(60));
    assert_eq!(refuse(|setup| setup.size = 7), SetupError::OffBoard(cell("h8")));
    assert_eq!(
        refuse(|setup| setup.pieces[0].cell = cell("d4")),
        SetupError::Crowded(cell("d4"))
    );
    assert_eq!(
        refuse(|setup| setup.pieces[0].seat = parlor::game::Seat::new(2)),
        SetupError::Seat(parlor::game::Seat::new(2))
    );
    assert_eq!(refuse(|setup| setup.placed = 2), SetupError::Unplaced);
    assert_eq!(refuse(|setup| setup.placed = 1001), SetupError::Unplaced);
    assert_eq!(refuse(|setup| setup.placed = 1000), SetupError::End);
    assert_eq!(refuse(|setup| setup.scores = [500, 0]), SetupError::End);
    assert_eq!(refuse(|setup| setup.end = Some(End::Target)), SetupError::End);
    assert_eq!(refuse(|setup| setup.end = Some(End::Full)), SetupError::End);
    let crowd = |setup: &mut Setup| {
        setup.placed = 50;
        let around = ["b3", "b4", "b5", "c3", "c5"].map(|name| Standing {
            cell: cell(name),
            seat: ONE,
            piece: Piece::Anchor,
        });
        setup.pieces.extend(around);
    };
    assert_eq!(refuse(crowd), SetupError::Blasted(cell("b3")));
}

#[test]
fn unknown_fields_and_cells_are_refused() {
    for (from, to) in [
        ("\"end\"", "\"fin\""),
        ("c4", "k4"),
        ("c4", "c11"),
        ("\"seat\":2", "\"seat\":9"),
        ("anchor", "anker"),
        ("\"placed\"", "\"extra\":1,\"placed\""),
    ] {
        let broken = SAVED.replace(from, to);
        assert_ne!(broken, SAVED);
        assert!(serde_json::from_str::<Fabric>(&broken).is_err(), "{broken}");
    }
}

#[test]
fn every_cell_has_one_name() {
    let setup = Setup::opening(10, 500);
    assert_eq!(setup.pieces, []);
    assert_eq!(serde_json::to_string(&Cell::at(9, 9)).expect("a name"), "\"j10\"");
}
