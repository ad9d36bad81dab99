//! Saves, and the second generator of legal actions.

use std::collections::BTreeSet;

use parlor::game::{Awaiting, Game, GameRng, OptionValues, Seed, Silent, Viewer};
use parlor::games::breaker::Breaker;
use parlor::games::breaker::setup::Setup;
use parlor::games::breaker::view::Commands;

use super::desk::{Arrange, ONE, kind, plain, random_game};
use super::slow;

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
