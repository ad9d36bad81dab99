//! Phwar: the worked examples of its rules, every rule by hand, and whole random games against a second
//! implementation (`tests/rules/phwar/slow.rs`) that shares nothing with the engine.

mod positions;
mod shown;
mod slow;

use std::collections::{BTreeSet, HashMap};

use parlor::game::{Awaiting, Game, GameRng, Seat, Silent, Told, Viewer};
use parlor::games::phwar::cell::Cell;
use parlor::games::phwar::setup::{Setup, SetupError};
use parlor::games::phwar::view::Event;
use parlor::games::phwar::{Action, Phwar};
use positions::{build, centred, legal, outcome, play, position, read, refusal, setup};
use slow::Slow;

const ONE: Seat = Seat::new(0);
const TWO: Seat = Seat::new(1);
const THREE: Seat = Seat::new(2);

/// How the players of a random game choose.
#[derive(Clone, Copy, Debug)]
enum Style {
    Wild,
    /// Goes back where it came from, mostly: positions repeat.
    Shuttling,
    /// Gives nothing away if it can help it: nothing is captured for long.
    Careful,
}

impl Style {
    fn choose(self, game: &Phwar, actions: &[String], history: &[String], rng: &mut GameRng) -> String {
        let any = rng.choose(actions).unwrap().clone();
        match self {
            Self::Wild => any,
            Self::Shuttling => {
                let mine = history.iter().rev().nth(game.seats() as usize - 1);
                let back = mine
                    .and_then(|action| action.split_once('-'))
                    .map(|(from, to)| format!("{to}-{from}"));
                let back = back.filter(|back| actions.contains(back) && rng.below(8) > 0);
                back.unwrap_or(any)
            }
            Self::Careful => {
                let is_safe = |action: &String| {
                    let mut after = game.clone();
                    play(&mut after, action);
                    after.outcome().is_none() && !legal(&after).iter().any(|action| action.contains('x'))
                };
                let tries: Vec<String> = (0..12).map(|_| rng.choose(actions).unwrap().clone()).collect();
                tries.into_iter().find(is_safe).unwrap_or(any)
            }
        }
    }
}

/// Goes through games with both implementations and compares after every ply.
#[test]
fn a_second_implementation_agrees_on_every_ply_of_random_games() {
    let mut plies = 0;
    let mut reasons = BTreeSet::new();
    for (seats, centre) in [(2, false), (2, true), (3, false), (3, true)] {
        for (style, games) in [(Style::Wild, 40), (Style::Shuttling, 6), (Style::Careful, 4)] {
            for number in 0..games {
                let what = format!("{seats} seats, centre {centre}, {style:?} game {number}");
                plies += compare(
                    seats,
                    centre,
                    style,
                    &mut GameRng::quick(number),
                    &what,
                    &mut reasons,
                );
            }
        }
    }
    assert!(plies > 5_000, "{plies} plies were compared");
    let missing: Vec<&str> = ["last player", "centre", "third time", "without a capture"]
        .into_iter()
        .filter(|end| !reasons.iter().any(|reason: &String| reason.contains(end)))
        .collect();
    assert!(missing.is_empty(), "no game ended like this: {missing:?}");
}

/// One game; returns its length.
fn compare(
    seats: u8,
    centre: bool,
    style: Style,
    rng: &mut GameRng,
    what: &str,
    reasons: &mut BTreeSet<String>,
) -> usize {
    let mut engine = build(Setup::opening(seats, centre));
    let mut slow = Slow::opening(seats, centre);
    loop {
        let what = || format!("{what}, {}", slow.history.join(" "));
        let outcome = engine.outcome();
        assert_eq!(
            outcome.as_ref().map(|outcome| outcome.ranks.clone()),
            slow.ranks(),
            "{}",
            what()
        );
        if let Some(outcome) = outcome {
            reasons.insert(outcome.reason.into_owned());
            return slow.history.len();
        }
        let Awaiting::Turn(seat) = engine.awaiting() else {
            panic!("{}", what())
        };
        assert_eq!(seat.index(), slow.to_move, "{}", what());
        let mut actions: Vec<String> = legal(&engine);
        actions.sort();
        assert_eq!(actions, slow.legal(), "{}", what());
        let action = style.choose(&engine, &actions, &slow.history, rng);
        play(&mut engine, &action);
        slow.play(&action);
        // Now and then somebody leaves a game of three.
        if seats == 3 && rng.below(150) == 0 {
            let leaver = rng.below(3);
            engine.withdraw(Seat::new(leaver as u8), &mut GameRng::quick(0), &mut Silent);
            slow.leave(leaver);
        }
    }
}

#[test]
fn the_opening_has_55_moves() {
    let engine = Phwar::try_from(Setup::opening(2, false)).unwrap();
    assert_eq!(legal(&engine).len(), 55);
    assert_eq!(engine.count_legal(ONE), 55);
    assert_eq!(engine.count_legal(TWO), 0, "it is not seat 2's turn");
    let guarded = Phwar::try_from(Setup::opening(2, true)).unwrap();
    assert_eq!(legal(&guarded).len(), 53);
}

#[test]
fn the_opening_of_three_is_that_of_one_turned_by_thirds() {
    let view = Phwar::try_from(Setup::opening(3, false))
        .unwrap()
        .view(Viewer::Public);
    let text = |cells: &[Cell]| {
        cells
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let armies: Vec<[String; 3]> = view
        .armies
        .iter()
        .map(|army| [text(&army.neutrons), text(&army.electrons), text(&army.positrons)])
        .collect();
    // The axial coordinates of the rules file, named by hand.
    assert_eq!(armies[0], ["F1", "D2 F2 F3 H2", "E1 E2 G1 G2"]);
    assert_eq!(armies[1], ["K8", "I7 I9 J8 K6", "I8 J7 J9 K7"]);
    assert_eq!(armies[2], ["A8", "A6 B8 C7 C9", "A7 B7 B9 C8"]);
}

/// The first worked example of the rules file: Black n(0,-5) e(-1,0) p(-1,3); White n(0,5) e(-1,-3)
/// e(-4,3) p(2,0); White to move.
const THREE_CAPTORS: &str = "n F1, e E5, p E8 / n F11, e E2, e B7, p H7";

#[test]
fn any_of_three_particles_in_sight_may_capture() {
    let game = position(THREE_CAPTORS, TWO);
    assert_eq!(legal(&game), ["B7xE5", "E2xE5", "H7xE5"]);
}

/// The second worked example has six positrons, more than an army; the slow implementation takes it as it
/// is, the engine takes one with four electrons and three positrons.
#[test]
fn whoever_is_shut_in_passes() {
    let mut pieces = HashMap::new();
    for (seat, kind, cells) in [
        (0, 'n', "F11"),
        (0, 'e', "E10"),
        (0, 'p', "D10"),
        (1, 'p', "C9 D9 E9 F10 G10 F6"),
        (1, 'e', "F5"),
        (1, 'n', "F4"),
    ] {
        pieces.extend(cells.split(' ').map(|cell| (slow::place(cell), (seat, kind))));
    }
    assert_eq!(Slow::with(pieces, 2, false, 0).legal(), ["pass"]);

    let mut game = position(SHUT_IN, ONE);
    assert_eq!(legal(&game), ["pass"]);
    assert_eq!(game.count_legal(ONE), 1);
    let mut rng = GameRng::quick(0);
    assert_eq!(game.pick(ONE, &mut rng, &mut Vec::new()), Some(Action::Pass));
    assert_eq!(play(&mut game, "PASS"), [Event::Passed { seat: ONE }]);
    assert_eq!(game.awaiting(), Awaiting::Turn(TWO));
    assert!(
        !legal(&game).contains(&"pass".to_owned()),
        "who can move may not pass"
    );
}

const SHUT_IN: &str = "n F11, e E10, p D10 / e C9, e D9, p E9, e F10, p G10, n K3, e K4, p K5";

#[test]
fn a_capture_replaces_the_victim_and_is_the_whole_turn() {
    let text = "n F1, e E5, e K3, p E8 / n F11, e E2, e B7, p H7";
    let mut game = position(text, TWO);
    let told = play(&mut game, "H7xE5");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(matches!(
        told[0],
        Event::Captured {
            seat: TWO,
            victim: ONE,
            ..
        }
    ));
    assert_eq!(game.awaiting(), Awaiting::Turn(ONE));
    let view = game.view(Viewer::Public);
    assert_eq!(view.armies[0].lost, [1, 0, 0]);
    assert_eq!(view.armies[1].positrons, [Cell::named("E5").unwrap()]);
    assert_eq!(view.quiet, 0);
}

#[test]
fn one_own_particle_in_sight_is_not_enough() {
    // E5 is in sight of E2 alone; its own E8 makes the charges cancel out.
    let game = position("n F1, e E5, p E8 / n F11, e E2, p K7", TWO);
    assert!(
        legal(&game).iter().all(|action| !action.contains('x')),
        "{:?}",
        legal(&game)
    );
    assert_eq!(
        refusal(&game, "E2xE5"),
        "The particle on E5 is safe: a capture needs two of your particles in its line of sight, and there is one."
    );
}

#[test]
fn charges_of_all_owners_count_and_the_victims_own_does_not() {
    // Without Black's positron on E8 the charges on E5 sum to -1.
    let game = position("n F1, e E5, p K5, e K3 / n F11, e E2, e B7, p H7", TWO);
    assert_eq!(
        refusal(&game, "E2xE5"),
        "The particle on E5 is safe: the charges in its line of sight add up to -1, and a capture needs 0."
    );
}

#[test]
fn whoever_lacks_a_kind_is_out_and_the_last_one_wins() {
    let mut game = position(THREE_CAPTORS, TWO);
    let told = play(&mut game, "E2xE5");
    assert!(
        matches!(&told[1], Event::Eliminated { seat: ONE, lacks } if lacks.len() == 1),
        "{told:?}"
    );
    assert_eq!(
        outcome(&game),
        Some((vec![2, 1], "last player with particles".to_owned()))
    );
    assert_eq!(game.awaiting(), Awaiting::Over);
    assert!(game.legal_actions(ONE).is_empty() && game.legal_actions(TWO).is_empty());
}

const THREE_ARMIES: &str = "n F1, e E5, p E8 / n F11, e E2, e B7, p H7 / n K3, e K4, p K5";

#[test]
fn with_three_the_game_goes_on_without_the_army_that_is_out() {
    let mut game = position(THREE_ARMIES, TWO);
    play(&mut game, "B7xE5");
    assert_eq!(outcome(&game), None);
    assert_eq!(game.awaiting(), Awaiting::Turn(THREE));
    let view = game.view(Viewer::Public);
    assert!(!view.armies[0].inside);
    assert_eq!(
        view.armies[0].particles().count(),
        0,
        "the neutron and the positron are gone as well"
    );
    assert_eq!(view.armies[0].lost, [1, 0, 0], "they were not captured");
    let action = legal(&game)[0].clone();
    play(&mut game, &action);
    assert_eq!(game.awaiting(), Awaiting::Turn(TWO), "seat 1 is left out");
    game.withdraw(TWO, &mut GameRng::quick(0), &mut Silent);
    assert_eq!(outcome(&game).unwrap().0, [3, 2, 1], "who went first is last");
}

#[test]
fn whoever_leaves_a_game_of_three_takes_all_particles_along() {
    let start = Setup {
        quiet: 5,
        ..Setup::opening(3, false)
    };
    let mut game = build(start);
    let mut told = Told::new();
    game.withdraw(ONE, &mut GameRng::quick(0), &mut told);
    assert_eq!(told.events, [Event::Left { seat: ONE }]);
    assert_eq!(game.awaiting(), Awaiting::Turn(TWO), "the turn passes on");
    let view = game.view(Viewer::Public);
    assert_eq!(
        (view.quiet, view.quiet_limit),
        (5, 150),
        "that was no capture, and the limit stays that of three"
    );
    assert_eq!(view.armies[0].lost, [0; 3]);
    game.withdraw(THREE, &mut GameRng::quick(0), &mut Silent);
    assert_eq!(outcome(&game).unwrap().0, [3, 1, 2]);

    let mut game = build(Setup::opening(3, false));
    game.withdraw(TWO, &mut GameRng::quick(0), &mut Silent);
    assert_eq!(game.awaiting(), Awaiting::Turn(ONE), "it was not seat 2's turn");
    play(&mut game, "F3-F4");
    assert_eq!(game.awaiting(), Awaiting::Turn(THREE));
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = build(Setup::opening(2, false));
    for round in 0..2 {
        for action in ["F3-F4", "F9-F8", "F4-F3", "F8-F9"] {
            assert_eq!(outcome(&game), None, "in round {round} before {action}");
            play(&mut game, action);
        }
    }
    assert_eq!(
        outcome(&game),
        Some((vec![1, 1], "same position for the third time".to_owned()))
    );
}

#[test]
fn the_same_particles_with_another_player_to_move_are_another_position() {
    let mut game = build(Setup::opening(2, false));
    // Seat 1 takes one move and seat 2 two to come back: the board repeats with the other to move.
    for action in ["F3-F4", "F9-F8", "F4-F5", "F8-F9", "F5-F3"] {
        play(&mut game, action);
    }
    assert_eq!(game.view(Viewer::Public).occurrences, 1);
}

/// Two like particles that have changed places are the same position.
#[test]
fn which_of_two_electrons_stands_where_makes_no_difference() {
    let mut game = position("n F1, e F3, e F4, p A3 / n F11, p K8, e K7", ONE);
    for action in ["F3-G3", "F11-G10", "F4-F3", "G10-F10", "G3-F4", "F10-F11"] {
        assert_eq!(game.view(Viewer::Public).occurrences, 1, "before {action}");
        play(&mut game, action);
    }
    assert_eq!(game.view(Viewer::Public).occurrences, 2);
}

#[test]
fn a_hundred_turns_without_a_capture_are_a_draw_with_two() {
    let quiet = |seats, quiet| {
        let mut game = build(Setup {
            quiet,
            ..Setup::opening(seats, false)
        });
        play(&mut game, "F3-F4");
        outcome(&game)
    };
    assert_eq!(quiet(2, 98), None);
    assert_eq!(
        quiet(2, 99),
        Some((vec![1, 1], "too many turns without a capture".to_owned()))
    );
    assert_eq!(quiet(3, 148), None);
    assert_eq!(quiet(3, 149).unwrap().0, [1, 1, 1]);
}

#[test]
fn in_a_draw_the_survivors_share_the_first_rank() {
    let mut game = build(Setup {
        quiet: 149,
        ..Setup::opening(3, false)
    });
    game.withdraw(THREE, &mut GameRng::quick(0), &mut Silent);
    play(&mut game, "F3-F4");
    assert_eq!(
        outcome(&game),
        Some((vec![1, 1, 3], "too many turns without a capture".to_owned()))
    );
}

#[test]
fn a_pass_by_everybody_in_a_row_is_a_draw() {
    let with_passes = |passes| {
        let mut game = build(Setup {
            passes,
            ..setup(SHUT_IN)
        });
        play(&mut game, "pass");
        game
    };
    assert_eq!(
        outcome(&with_passes(1)),
        Some((vec![1, 1], "nobody can move".to_owned()))
    );
    let mut game = with_passes(0);
    assert_eq!(outcome(&game), None);
    play(&mut game, "K5-J6");
    play(&mut game, "pass");
    assert_eq!(outcome(&game), None, "a move in between starts the count anew");
}

/// The first of two wins with the neutron.
fn in_the_centre() -> Option<(Vec<u8>, String)> {
    Some((vec![1, 2], "neutron in the centre".to_owned()))
}

#[test]
fn a_neutron_in_the_centre_wins_if_that_was_agreed() {
    let text = "n F5, e A3, p A4 / n F11, e K8, p K7";
    let mut game = centred(text, ONE);
    play(&mut game, "F5-F6");
    assert_eq!(outcome(&game), in_the_centre());
    let mut game = position(text, ONE);
    play(&mut game, "F5-F6");
    assert_eq!(outcome(&game), None);
    let mut game = centred("n F1, e F5, p A4 / n F11, e K8, p K7", ONE);
    play(&mut game, "F5-F6");
    assert_eq!(outcome(&game), None, "an electron wins nothing there");
}

#[test]
fn after_a_centre_win_of_three_the_others_share_the_second_rank() {
    let mut game = centred("n F5, e A3, p A4 / n F11, e K8, p K7 / n A8, e B8, p B9", ONE);
    play(&mut game, "F5-F6");
    assert_eq!(outcome(&game).unwrap().0, [1, 2, 2]);
    let mut game = centred("n F5, e A3, p A4 / n F11, e K8, p K7 / n A8, e B8, p B9", ONE);
    game.withdraw(THREE, &mut GameRng::quick(0), &mut Silent);
    play(&mut game, "F5-F6");
    assert_eq!(outcome(&game).unwrap().0, [1, 2, 3]);
}

#[test]
fn the_centre_stops_slides_from_every_side() {
    let from = |cell: &str, game: &Phwar| -> Vec<String> {
        let start = format!("{cell}-");
        legal(game)
            .iter()
            .filter_map(|action| action.strip_prefix(&start).map(str::to_owned))
            .collect()
    };
    for (cell, beyond) in [
        ("F3", "F7"),
        ("F9", "F5"),
        ("C4", "G6"),
        ("I7", "E5"),
        ("C7", "G5"),
        ("I4", "E6"),
    ] {
        let text = format!("n F1, e {cell}, p A3 / n F11, e K8, p K7");
        let open = from(cell, &position(&text, ONE));
        let guarded = from(cell, &centred(&text, ONE));
        assert!(open.contains(&beyond.to_owned()), "{cell}: {open:?}");
        assert!(guarded.contains(&"F6".to_owned()), "{cell}: {guarded:?}");
        assert!(!guarded.contains(&beyond.to_owned()), "{cell}: {guarded:?}");
        let lost: Vec<&String> = open.iter().filter(|cell| !guarded.contains(cell)).collect();
        assert_eq!(open.len() - guarded.len(), lost.len());
    }
    let game = centred("n F1, e F6, p A3 / n F11, e K8, p K7", ONE);
    assert!(
        from("F6", &game).contains(&"F9".to_owned()),
        "who stands there may leave in any direction"
    );
}

#[test]
fn captures_and_sight_cross_the_centre() {
    let text = "n A3, e F4, p C6 / n K4, p F8, p K7, e K3";
    for game in [position(text, ONE), centred(text, ONE)] {
        assert_eq!(legal(&game), ["C6xF8", "F4xF8"]);
    }
}

#[test]
fn capturing_goes_before_running_to_the_centre() {
    let open = legal(&centred("n F5, e C6, p C4 / n K4, p F8, p K7, e K3", ONE));
    assert!(
        open.contains(&"F5-F6".to_owned()),
        "nothing to capture yet: {open:?}"
    );
    // With its own positron on K5 in sight, the charges on F8 cancel out.
    let game = centred("n F5, e C6, p C4 / n K4, p F8, p K5, e K3", ONE);
    assert_eq!(legal(&game), ["C6xF8", "F5xF8"]);
    assert_eq!(refusal(&game, "F5-F6"), "You must capture: C6xF8, F5xF8.");
}

#[test]
fn a_neutron_that_captures_onto_the_centre_wins_too() {
    let text = "n F4, e C4, p I7 / e F6, n K4, e K5, p A7";
    let mut game = centred(text, ONE);
    assert_eq!(legal(&game), ["C4xF6", "F4xF6", "I7xF6"]);
    play(&mut game, "F4xF6");
    assert_eq!(outcome(&game), in_the_centre());
    let mut game = centred(text, ONE);
    play(&mut game, "C4xF6");
    assert_eq!(outcome(&game), None);
}

#[test]
fn moves_are_read_however_they_are_typed() {
    let game = build(Setup::opening(2, false));
    for text in [
        "F3-F5",
        "f3-f5",
        "F3F5",
        "f3 f5",
        " F3  -  F5 ",
        "F3 to F5",
        "slide F3 to F5",
        "move f3 → f5",
        "F3–F5",
        "F3 > F5",
        "(F3, F5)",
        "f3 TO f5.",
        "f 3 - f 5",
    ] {
        assert_eq!(read(&game, text).as_deref(), Ok("F3-F5"), "{text}");
    }
    assert_eq!(
        read(&game, "F8").as_deref(),
        Ok("F3-F8"),
        "only one particle can go there"
    );
    let capture = position(THREE_CAPTORS, TWO);
    for text in [
        "H7xE5",
        "h7XE5",
        "h7 x e5",
        "H7-E5",
        "H7 takes E5",
        "capture H7 E5",
        "h7:e5",
    ] {
        assert_eq!(read(&capture, text).as_deref(), Ok("H7xE5"), "{text}");
    }
    assert_eq!(read(&position(SHUT_IN, ONE), " Pass ").as_deref(), Ok("pass"));
}

#[test]
fn refusals_say_what_is_wrong_and_what_to_do() {
    let game = build(Setup::opening(2, false));
    let hint = "A move is two cells, such as `F2-F5`; a capture can be written `F2xF5`.";
    for text in ["banana", "F3 F4 F5", "F", "55", "F3-F5!", "-"] {
        assert_eq!(
            refusal(&game, text),
            format!("I can't read `{text}` as a move. {hint}")
        );
    }
    assert_eq!(
        refusal(&game, "F3-Z9"),
        "There's no cell Z9. Columns run from A to K; the row numbers are on the board."
    );
    assert_eq!(
        refusal(&game, "A99999999999999999999"),
        "There's no cell A99999999999999999999. Columns run from A to K; the row numbers are on the board."
    );
    assert_eq!(refusal(&game, "F5-F6"), "There's no particle on F5.");
    assert_eq!(refusal(&game, "F9-F8"), "The particle on F9 isn't yours.");
    assert_eq!(refusal(&game, "F2-F3"), "Your own particle is on F3.");
    assert_eq!(
        refusal(&game, "F1-F5"),
        "The neutron on F1 is shut in and can't move."
    );
    assert_eq!(
        refusal(&game, "F3-G8"),
        "The electron on F3 can't slide to G8: it goes in a straight line over empty cells. It can reach A5, B5, C4, D4, \
         E3, F4, F5, F6, F7, F8, G3, H4, I4, J5, K5."
    );
    assert_eq!(
        refusal(&game, "pass"),
        "You can pass only when you can't move, and you can."
    );
    let which = refusal(&game, "G3");
    assert!(
        which.starts_with("Several of your particles can go to G3. Which one? "),
        "{which}"
    );
    let whereto = refusal(&game, "F3");
    assert!(
        whereto.starts_with("Where should the electron on F3 go? F3-A5"),
        "{whereto}"
    );
    assert!(whereto.ends_with("and 3 more"), "{whereto}");
    assert_eq!(
        refusal(&game, "F1"),
        "Your particle on F1 is shut in and can't move."
    );

    let game = position(THREE_CAPTORS, TWO);
    assert_eq!(
        refusal(&game, "F11-F10"),
        "You must capture: B7xE5, E2xE5, H7xE5."
    );
    assert_eq!(
        refusal(&game, "F11xE5"),
        "The particle on F11 isn't in line of sight of E5. You must capture: B7xE5, E2xE5, H7xE5."
    );
    assert_eq!(
        refusal(&game, "F11"),
        "Your particle on F11 can't capture. You must capture: B7xE5, E2xE5, H7xE5."
    );
}

#[test]
fn a_random_pick_is_legal_fair_and_the_same_after_loading() {
    let game = build(Setup::opening(2, false));
    let loaded: Phwar = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
    let legal = game.legal_actions(ONE);
    let mut counts: HashMap<String, u32> = HashMap::new();
    let (mut rng, mut twin) = (GameRng::quick(7), GameRng::quick(7));
    let mut buffer = Vec::new();
    const PICKS: u32 = 55_000;
    for _ in 0..PICKS {
        let pick = game.pick(ONE, &mut rng, &mut buffer).unwrap();
        assert_eq!(loaded.pick(ONE, &mut twin, &mut buffer), Some(pick));
        assert!(legal.binary_search(&pick).is_ok());
        *counts.entry(pick.to_string()).or_default() += 1;
    }
    assert_eq!(counts.len(), 55);
    assert!(
        counts.values().all(|count| (850..1150).contains(count)),
        "{counts:?}"
    );
    assert_eq!(game.pick(TWO, &mut rng, &mut buffer), None);
}

#[test]
fn a_position_that_makes_no_sense_is_refused() {
    let opening = Setup::opening(2, false);
    let refuse = |setup: Setup| Phwar::try_from(setup).unwrap_err();
    let crowded = Cell::named("F1").unwrap();
    let mut twice = opening.clone();
    twice.armies[1].cells[0] = Some(crowded);
    assert_eq!(refuse(twice), SetupError::Crowded(crowded));
    let mut alone = opening.clone();
    alone.armies.truncate(1);
    assert_eq!(refuse(alone), SetupError::Seats(1));
    let out = |out| Setup {
        out,
        ..opening.clone()
    };
    assert_eq!(refuse(out(vec![ONE])), SetupError::MoverOut);
    assert_eq!(refuse(out(vec![TWO, TWO])), SetupError::Bookkeeping);
    assert_eq!(
        refuse(Setup {
            to_move: THREE,
            ..opening
        }),
        SetupError::MoverOut
    );
    assert!(serde_json::from_str::<Phwar>("{}").is_err());
}
