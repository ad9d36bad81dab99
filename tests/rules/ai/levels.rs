//! What holds for every level in every game.

use std::sync::atomic::AtomicBool;

use parlor::ai::{Agent, Errand, Level, think};
use parlor::catalog::{Table, games};
use parlor::game::explore::random_seat;
use parlor::game::options::OptionKind;
use parlor::game::{Game, GameRng, OptionValues, Seat, Seed, Silent};

use crate::support::toy::Toy;

/// Every game with its default options, and with each of the other values of a choice or switch.
fn tables() -> Vec<Box<dyn Table>> {
    let mut tables = Vec::new();
    for entry in games() {
        let mut wishes: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
        for spec in entry.meta.options {
            match spec.kind {
                OptionKind::Switch { .. } => wishes.push(vec![(spec.name, "on")]),
                OptionKind::Choice { values, .. } => {
                    wishes.extend(values.iter().map(|value| vec![(spec.name, *value)]));
                }
                OptionKind::Whole { .. } | OptionKind::Text { .. } => {}
            }
        }
        for wishes in wishes {
            let options = OptionValues::choose(entry.meta.options, wishes).unwrap();
            for seats in [*entry.meta.seats.start(), *entry.meta.seats.end()] {
                tables.push(entry.open(&options, seats, &Seed::from_text("levels")).unwrap());
            }
        }
    }
    tables
}

#[test]
fn every_level_plays_every_game_and_the_same_twice() {
    let never = AtomicBool::new(false);
    for mut table in tables() {
        let mut rng = GameRng::quick(3);
        for step in 1..=6 {
            let Some(seat) = random_seat(table.awaiting(), &mut rng) else {
                break;
            };
            let legal = table.legal(seat);
            for level in &Level::ALL[..4] {
                let errand = Errand {
                    level: *level,
                    seed: step,
                    stop: &never,
                };
                let thought = table.think(seat, &errand).unwrap();
                assert!(legal.contains(&thought.action), "{thought:?} is not legal");
                // A busy machine may cut a thought short; with so many positions to look at, none is.
                let unhurried: Agent = format!("level{level}@60").parse().unwrap();
                let think = || table.act(seat, &unhurried, step, &never).unwrap();
                assert_eq!(think(), think());
                if let Some(chances) = thought.chances {
                    assert!((0.0..=1.0).contains(&chances), "{thought:?}");
                }
            }
            let action = rng.choose(&legal).unwrap().clone();
            table
                .play(seat, &action, &Seed::from_text("levels"), step)
                .unwrap();
        }
    }
}

/// A player who plays the same game over and over is beaten once and for all.
#[test]
fn nobody_plays_the_same_opening_every_time() {
    const STEPS: u64 = 6;
    let never = AtomicBool::new(false);
    let player = Agent::level(Level::new(4).unwrap());
    let seed = Seed::from_text("openings");
    for entry in games() {
        let options = OptionValues::choose(entry.meta.options, []).unwrap();
        let opening = |chance: u64| {
            let mut table = entry.open(&options, 2, &seed).unwrap();
            let mut rng = GameRng::quick(chance);
            let mut played = Vec::new();
            for step in 1..=STEPS {
                let seat = random_seat(table.awaiting(), &mut rng).unwrap();
                let thought = table.act(seat, &player, rng.word(), &never).unwrap();
                table.play(seat, &thought.action, &seed, step).unwrap();
                played.push(thought.action);
            }
            played
        };
        let first = opening(0);
        assert!(
            (1..20).any(|chance| opening(chance) != first),
            "{}: always {first:?}",
            entry.meta.id
        );
    }
}

#[test]
fn who_is_stopped_says_nothing() {
    let stopped = AtomicBool::new(true);
    for table in tables() {
        let seat = table.awaiting().seats().iter().next().unwrap();
        let errand = Errand {
            level: Level::new(5).unwrap(),
            seed: 1,
            stop: &stopped,
        };
        assert_eq!(table.think(seat, &errand), None);
    }
}

#[test]
fn who_is_not_awaited_has_nothing_to_do() {
    let never = AtomicBool::new(false);
    for table in tables() {
        let idle = Seat::all(table.seats()).find(|seat| !table.awaiting().includes(*seat));
        let Some(idle) = idle else { continue };
        for level in Level::ALL {
            let errand = Errand {
                level,
                seed: 1,
                stop: &never,
            };
            assert_eq!(table.think(idle, &errand), None);
        }
    }
}

/// Choices made at once, windows that are open to several, chance, hidden cards, turns of many small decisions.
#[test]
fn whatever_a_game_asks_is_answered() {
    let never = AtomicBool::new(false);
    for seats in 2..=5 {
        for seed in 0..4 {
            let mut rng = GameRng::quick(seed);
            let mut toy = Toy::<0>::new(&OptionValues::defaults(Toy::<0>::META.options), seats, &mut rng);
            let mut answers = 0;
            while let Some(seat) = random_seat(toy.awaiting(), &mut rng) {
                let errand = Errand {
                    level: Level::new(3).unwrap(),
                    seed: rng.word(),
                    stop: &never,
                };
                let thought = think(&toy, seat, &errand).unwrap();
                assert!(toy.is_legal(seat, &thought.action), "{thought:?}");
                toy.play(seat, &thought.action, &mut rng, &mut Silent);
                answers += 1;
            }
            assert!(answers > 4 && toy.outcome().is_some());
        }
    }
}

#[test]
fn each_level_says_in_a_sentence_who_it_is() {
    let sentences: Vec<&str> = Level::ALL.into_iter().map(Level::describe).collect();
    for (number, sentence) in sentences.iter().enumerate() {
        assert!(sentence.ends_with('.') && sentence.len() < 100, "{sentence}");
        assert!(!sentences[..number].contains(sentence));
    }
}

#[test]
fn players_have_names() {
    for name in [
        "random",
        "greedy",
        "level1",
        "level5",
        "level5@2000",
        "level4:rated=no,depth=end,slips=0.5",
        "level5:way=tree,time=300",
    ] {
        assert!(name.parse::<Agent>().is_ok(), "{name}");
    }
    for name in [
        "",
        "level0",
        "level6",
        "Level",
        "level5@",
        "level5@x",
        "random@3",
        "level4:what=1",
        "level4:slips=2",
        "level4:time=soon",
    ] {
        assert!(name.parse::<Agent>().is_err(), "{name}");
    }
}

/// However much there is to think about: whoever has no time plays something, and thinks about next to nothing.
#[test]
fn time_can_be_given_in_milliseconds() {
    let never = AtomicBool::new(false);
    for entry in games() {
        let options = OptionValues::defaults(entry.meta.options);
        let table = entry.open(&options, 2, &Seed::from_text("hurry")).unwrap();
        let seat = table.awaiting().seats().iter().next().unwrap();
        for way in ["ahead", "tree"] {
            for name in [
                format!("level5:way={way},time=0"),
                format!("level5:time=0,way={way},simulations=1000000"),
            ] {
                let hurried: Agent = name.parse().unwrap();
                let thought = table.act(seat, &hurried, 1, &never).unwrap();
                assert!(
                    thought.simulations < 1000,
                    "{}: {name}: {thought:?}",
                    entry.meta.id
                );
            }
        }
    }
}
