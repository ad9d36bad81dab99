//! Worked examples, by hand from the rules.

use parlor::draw::Show;
use parlor::game::{Awaiting, Game, Told};
use parlor::games::fabric::view::Event;
use parlor::games::fabric::{End, Fabric};

use super::board::*;

fn scores(game: &Fabric) -> [u16; 2] {
    look(game).scores
}

/// The overloaded cells, destroyed pieces and points of a turn, in short.
fn blast(events: &[Event]) -> Option<(Vec<String>, Vec<String>, u16)> {
    events.iter().find_map(|event| match event {
        Event::Detonated {
            cells,
            wrecks,
            points,
            ..
        } => Some((
            cells
                .iter()
                .map(|hot| format!("{}={}", hot.cell, hot.energy))
                .collect(),
            wrecks.iter().map(|wreck| wreck.cell.to_string()).collect(),
            *points,
        )),
        _ => None,
    })
}

fn chords(events: &[Event]) -> Vec<String> {
    let heard = events.iter().filter_map(|event| match event {
        Event::Resonated { chords } => Some(chords),
        _ => None,
    });
    heard
        .flatten()
        .map(|chord| {
            format!(
                "{} {}+{} for {}",
                chord.cell, chord.north_south, chord.east_west, chord.seat
            )
        })
        .collect()
}

#[test]
fn an_anchor_warms_the_eight_cells_around_it_and_not_its_own() {
    let mut game = empty();
    play(&mut game, "A d4");
    assert_eq!(charged(&game), "c3=1 c4=1 c5=1 d3=1 d5=1 e3=1 e4=1 e5=1");
    play(&mut game, "A a1");
    assert_eq!(energy(&game, "b2"), 1);
    play(&mut game, "A c4");
    assert_eq!(energy(&game, "d5"), 2, "both players' Anchors count");
    assert_eq!(energy(&game, "d4"), 1, "an occupied cell holds energy too");
}

#[test]
fn an_idle_relay_sends_one_to_three_cells_in_front_of_it() {
    let mut game = empty();
    play(&mut game, "R d4 N");
    assert_eq!(charged(&game), "d5=1 d6=1 d7=1");
    for (action, ray) in [
        ("R d4 E", "e4=1 f4=1 g4=1"),
        ("R d4 S", "d1=1 d2=1 d3=1"),
        ("R d4 W", "a4=1 b4=1 c4=1"),
        ("R d7 N", "d8=1"),
        ("R a1 W", ""),
        // Its intake is off the board and reads nothing.
        ("R a1 E", "b1=1 c1=1 d1=1"),
    ] {
        let mut game = empty();
        play(&mut game, action);
        assert_eq!(charged(&game), ray, "{action}");
    }
}

#[test]
fn a_relay_adds_one_to_what_anchors_of_both_players_give_its_intake() {
    let mut game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. A1 .. .. .. .. .. ..
         .. .. .. .. .. P2 .. ..
         .. A2 .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    let told = play(&mut game, "R d4 E");
    assert!(matches!(told[0], Event::Placed { sends: 3, .. }), "{told:?}");
    // The beam goes over the Prism on f4 and ends after three cells.
    assert_eq!(["e4", "f4", "g4", "h4"].map(|at| energy(&game, at)), [3, 3, 3, 0]);
    // An Anchor that comes later raises it at once, on an intake that is occupied too.
    play(&mut game, "P c4");
    let told = play(&mut game, "A b4");
    assert_eq!(["e4", "g4"].map(|at| energy(&game, at)), [4, 4]);
    // Whoever follows the game is told through which Relay that came.
    let Event::Placed { fed, .. } = &told[0] else {
        panic!("{told:?}");
    };
    let beams: Vec<String> = fed
        .iter()
        .map(|beam| format!("{} {} {}", beam.relay, beam.sends, beam.facing))
        .collect();
    assert_eq!(beams, ["d4 4 east"]);
}

/// Three Anchors and the Relay on d4 give d2 four. An Anchor on c6 feeds that Relay: d2 explodes, four ranks away.
#[test]
fn what_happens_from_afar_is_told() {
    let mut game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. v1 .. .. .. ..
         .. .. A2 .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. A2 .. A1 .. .. ..",
    );
    assert_eq!(energy(&game, "d2"), 4);
    let told = play(&mut game, "A c6");
    let Event::Placed { fed, .. } = &told[0] else {
        panic!("{told:?}");
    };
    assert_eq!((fed[0].relay, fed[0].sends, fed.len()), (cell("d4"), 2, 1));
    let (cells, wrecks, points) = blast(&told).expect("an explosion");
    assert_eq!((cells, points), (vec!["d2=5".to_owned()], 5));
    assert_eq!(wrecks, ["c1", "c3", "e1"]);
    let told = Fabric::narrate(&told).plain(|seat| ["Ann", "Bea"][seat.index()].to_owned());
    assert!(
        told.starts_with(
            "Ann places an Anchor on c6. Through it, the Relay on d4 now sends 2 south. d2 overloads and destroys two of \
             Bea's pieces and one of Ann's own (+5)."
        ),
        "{told}"
    );
}

#[test]
fn a_relay_reads_its_intake_alone_and_never_another_relay() {
    let game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. A1 ..
         .. .. .. .. .. .. .. ..
         >1 .. .. .. >1 .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    assert_eq!(energy(&game, "d4"), 1, "from the Relay on a4");
    // Neither that nor the Anchor in front of it feeds the Relay on e4.
    assert_eq!(["f4", "g4", "h4"].map(|at| energy(&game, at)), [1, 1, 1]);
    assert_eq!(energy(&game, "h5"), 1);
}

#[test]
fn an_overload_destroys_all_around_it_once_and_pays_the_mover() {
    let mut game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. P1
         .. A1 A2 .. .. .. .. P2
         .. A1 .. .. .. P1 .. ..
         .. A2 .. .. .. .. .. A2
         .. .. .. .. .. .. .. A2
         .. .. .. .. .. .. .. ..",
    );
    // c4 has 4, so the Relay sends 5 to e4, f4 and g4, whose squares cover d3 to h5, itself included.
    let told = play(&mut game, "R d4 E");
    let (hot, gone, points) = blast(&told).expect("a blast");
    // On g4 the Anchor on h3 adds one.
    assert_eq!(hot, ["e4=5", "f4=5", "g4=6"]);
    assert_eq!(gone, ["d4", "f4", "h3", "h5"]);
    assert_eq!(points, 1 + 1 + 2 + 2);
    assert_eq!(
        pieces(&game),
        ["A2 b3", "A1 b4", "A1 b5", "A2 c5", "A2 h2", "P1 h6"]
    );
    assert_eq!(energy(&game, "e4"), 0, "the field is computed anew");
    assert_eq!(scores(&game), [6, 0]);
}

#[test]
fn four_is_safe_and_five_is_not() {
    let mut game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. A1 .. A1 .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. A1 .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    assert_eq!(blast(&play(&mut game, "A e4")), None);
    assert_eq!(energy(&game, "d5"), 4);
    // The fifth Anchor goes too, and pays its owner.
    let told = play(&mut game, "A d6");
    let (hot, gone, points) = blast(&told).expect("a blast");
    assert_eq!(hot, ["d5=5"]);
    assert_eq!(gone, ["c4", "c6", "d6", "e4", "e6"]);
    assert_eq!(points, 4 * 2 + 1);
    assert_eq!(scores(&game), [0, 9]);
    assert_eq!(charged(&game), "");
}

/// d4 and e4 stay at 6, fed by two Relays that are out of reach of the blast.
const HAZARD: &str = ".. .. .. .. .. .. .. ..
     .. .. .. .. .. .. .. ..
     .. .. .. .. .. .. .. ..
     A1 .. .. .. .. .. .. A2
     .. >1 .. .. .. .. <2 ..
     A1 .. .. .. .. .. .. A2
     .. .. .. .. .. .. .. ..
     .. .. .. .. .. .. .. ..";

#[test]
fn a_standing_hazard_destroys_what_comes_near_later() {
    // The Anchor on c3 adds to d4 before it goes.
    let mut game = position(HAZARD);
    assert_eq!(["d4", "e4", "c4", "f4"].map(|at| energy(&game, at)), [6, 6, 3, 3]);
    for (turn, (action, hits)) in [("P d5", vec!["d4=6", "e4=6"]), ("A c3", vec!["d4=7"])]
        .iter()
        .enumerate()
    {
        let told = play(&mut game, action);
        let (hot, gone, points) = blast(&told).expect("a blast");
        assert_eq!(&hot, hits);
        assert_eq!((gone.len(), points), (1, 1), "only itself, for its owner");
        assert_eq!(scores(&game)[turn], 1);
    }
    // Out of reach nothing happens, and an old hazard is no news.
    assert_eq!(blast(&play(&mut game, "P g1")), None);
    assert_eq!(energy(&game, "d4"), 6);
}

#[test]
fn an_overload_without_victims_is_told_once() {
    let mut game = position(&HAZARD.replace("<2", ".."));
    let told = play(&mut game, "R g4 W");
    assert_eq!(
        blast(&told),
        Some((vec!["d4=6".into(), "e4=6".into()], vec![], 0))
    );
    assert_eq!(blast(&play(&mut game, "P a8")), None);
}

#[test]
fn a_prism_scores_equal_energy_on_opposite_sides() {
    // The Anchor on c4 gives d3, d4 and d5 one each: north and south agree, east and west are 0.
    let mut game = empty();
    play(&mut game, "A c4");
    let told = play(&mut game, "P d4");
    assert_eq!(chords(&told), ["d4 1+0 for 2"]);
    assert!(told.contains(&Event::Scored {
        gained: [0, 1],
        scores: [0, 1]
    }));
    // It scores again after the other player's turn. c5 breaks the balance.
    play(&mut game, "P h8");
    assert_eq!(scores(&game), [0, 2]);
    assert_eq!(chords(&play(&mut game, "A c6")), [""; 0]);
    assert_eq!(scores(&game), [0, 2]);
}

#[test]
fn a_prism_may_score_both_axes() {
    let mut game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. A1 .. .. .. .. ..
         .. .. .. P2 .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    assert_eq!(chords(&play(&mut game, "A e3")), ["d4 1+1 for 2"]);
    // Two against one, both ways.
    assert_eq!(chords(&play(&mut game, "A e5")), [""; 0]);
    assert_eq!(scores(&game), [0, 2]);
}

#[test]
fn a_prism_at_the_edge_scores_only_along_it() {
    let mut game = empty();
    play(&mut game, "P d1");
    // d2 has no energy and what lies south of d1 is no cell; c1 and e1 have one each.
    assert_eq!(chords(&play(&mut game, "A d2")), ["d1 0+1 for 1"]);
    // Nothing equals nothing, but scores nothing.
    let mut game = empty();
    assert_eq!(chords(&play(&mut game, "P d4")), [""; 0]);
    assert_eq!(chords(&play(&mut game, "P a1")), [""; 0]);
}

#[test]
fn prisms_sound_after_the_blast_and_by_what_is_left() {
    let mut game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. A1 .. A1 .. .. ..
         .. .. .. P1 .. .. .. ..
         .. .. A1 .. A1 .. .. ..
         .. .. .. P2 .. .. .. ..
         .. .. A1 .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    // Before, d3 had c3 2 and e3 1. The blast around d5 leaves the Anchor on c2 alone, and the Prism
    // on d3 with d2 and d4 at 1 and 0; the Prism on d5 is gone.
    let told = play(&mut game, "A d6");
    assert_eq!(chords(&told), [""; 0]);
    assert_eq!(pieces(&game), ["A1 c2", "P2 d3"]);
    assert_eq!(scores(&game), [6, 0]);
}

#[test]
fn the_target_ends_the_game_and_the_higher_score_wins() {
    let balance = ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. A1 P1 .. .. .. P2
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..";
    // One point for each after `A g4`.
    for (before, ranks) in [
        ([499, 400], Some(vec![1, 2])),
        ([499, 499], Some(vec![1, 1])),
        ([498, 499], Some(vec![2, 1])),
        ([498, 498], None),
    ] {
        let mut setup = drawn(balance);
        setup.scores = before;
        let mut game = setup.try_into().expect("a good position");
        play(&mut game, "A g4");
        assert_eq!(scores(&game), before.map(|score| score + 1));
        assert_eq!(game.outcome().map(|outcome| outcome.ranks), ranks);
        assert_eq!(game.awaiting().is_over(), ranks.is_some());
    }
    // Both get there in one turn, and the one who did not move has more: two points from f7 and f5.
    let mut setup = drawn(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. A2 P2 .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. A1 P1 .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    (setup.scores, setup.target) = ([49, 49], 50);
    let mut game = setup.try_into().expect("a good position");
    play(&mut game, "A g6");
    assert_eq!(scores(&game), [50, 51]);
    assert_eq!(game.outcome().map(|outcome| outcome.ranks), Some(vec![2, 1]));
}

#[test]
fn a_full_board_ends_the_game() {
    let mut setup = drawn(&".. P1 P2 P1 P2 P1 P2\n".repeat(7));
    let last = setup.pieces[0];
    let fill = (0..6).map(|rank| parlor::games::fabric::setup::Standing {
        cell: parlor::games::fabric::cell::Cell::at(0, rank),
        ..last
    });
    setup.pieces.extend(fill);
    setup.scores = [3, 7];
    let mut game = setup.try_into().expect("a good position");
    play(&mut game, "P a7");
    assert_eq!(look(&game).end, Some(End::Full));
    assert_eq!(game.outcome().map(|outcome| outcome.ranks), Some(vec![2, 1]));
    assert_eq!(game.legal_actions(ONE), []);
}

#[test]
fn a_thousand_placements_are_enough() {
    let mut setup = drawn(HAZARD);
    (setup.placed, setup.scores) = (998, [20, 20]);
    let mut game = setup.try_into().expect("a good position");
    play(&mut game, "P a1");
    assert_eq!(game.awaiting(), Awaiting::Turn(TWO));
    play(&mut game, "P c3");
    assert_eq!(look(&game).end, Some(End::Bound));
    assert_eq!(game.outcome().map(|outcome| outcome.ranks), Some(vec![2, 1]));
}

#[test]
fn whoever_leaves_loses() {
    let mut game = position(HAZARD);
    let mut told = Told::new();
    game.withdraw(ONE, &mut rng(), &mut told);
    assert_eq!(told.events, [Event::Left { seat: ONE }]);
    assert_eq!(game.outcome().map(|outcome| outcome.ranks), Some(vec![2, 1]));
    let over = look(&game);
    game.withdraw(TWO, &mut rng(), &mut told);
    assert_eq!(look(&game), over, "leaving a finished game changes nothing");
}
