//! Commands face down: who sees what, and worlds that nobody can tell apart.

use std::collections::BTreeSet;

use parlor::game::{Game, GameRng, Seat, Seed, Told, Viewer};
use parlor::games::breaker::event::BlockFace;
use parlor::games::breaker::setup::Setup;
use parlor::games::breaker::view::Commands;
use parlor::games::breaker::{Breaker, Event, Tie, Variant};

use super::desk::{Arrange, ONE, TWO, kind, opening, random_game, stock};

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
        face: BlockFace::Down(Some(drawn)),
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
                face: BlockFace::Down(None),
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
                face: BlockFace::Down(None),
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
