//! A player knows what its seat knows: in two worlds that the seat can't tell apart it does the same, after the same
//! number of simulations.

use std::sync::atomic::AtomicBool;

use parlor::ai::Agent;
use parlor::game::explore::random_seat;
use parlor::game::{Game, GameRng, Insight, OptionValues, Seat, Silent};
use parlor::games::breaker::Breaker;
use parlor::games::phase::Phase;

/// What was put to the test.
#[derive(Default)]
struct Tally {
    choices: u32,
    /// Of these, where the two worlds differ.
    different: u32,
}

fn saved<G: Game>(game: &G) -> String {
    serde_json::to_string(game).unwrap()
}

/// Plays a game between `players`, and at every `stride`-th decision asks `thinkers` in the real world and in another one.
fn watch<G: Insight>(start: G, players: &Agent, thinkers: &[Agent], stride: u32, seed: u64) -> Tally {
    let never = AtomicBool::new(false);
    let mut rng = GameRng::quick(seed);
    let mut game = start;
    let mut tally = Tally::default();
    let mut decisions = 0;
    while let Some(seat) = random_seat(game.awaiting(), &mut rng) {
        if game.count_legal(seat) > 1 {
            decisions += 1;
            if decisions % stride == 0 {
                tally.different += compare(&game, seat, thinkers, rng.word());
                tally.choices += 1;
            }
        }
        let thought = players.act(&game, seat, rng.word(), &never).unwrap();
        game.play(seat, &thought.action, &mut rng, &mut Silent);
    }
    tally
}

/// Compares what is done in a world and in another, and tells whether they differ.
fn compare<G: Insight>(game: &G, seat: Seat, thinkers: &[Agent], seed: u64) -> u32 {
    let never = AtomicBool::new(false);
    let other = game.determinize(seat, &mut GameRng::quick(seed ^ 0xFA12));
    for thinker in thinkers {
        let here = thinker.act(game, seat, seed, &never).unwrap();
        let there = thinker.act(&other, seat, seed, &never).unwrap();
        assert_eq!(here, there, "{thinker:?} at {seat:?}");
    }
    assert_eq!(game.legal_actions(seat), other.legal_actions(seat));
    u32::from(saved(game) != saved(&other))
}

fn agents(names: &[&str]) -> Vec<Agent> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn options<G: Game>(pairs: &[(&str, &str)]) -> OptionValues {
    OptionValues::choose(G::META.options, pairs.iter().copied()).unwrap()
}

#[test]
fn in_phase_it_knows_its_own_cards_alone() {
    let thinkers = agents(&["greedy", "level2", "level3@12", "level4@24"]);
    let mut all = Tally::default();
    for seats in 2..=5 {
        for (number, players) in [Agent::RANDOM, Agent::GREEDY].iter().enumerate() {
            let seed = u64::from(seats) * 10 + number as u64;
            let game = Phase::new(&options::<Phase>(&[]), seats, &mut GameRng::quick(seed));
            let tally = watch(game, players, &thinkers, 5, seed);
            all.choices += tally.choices;
            all.different += tally.different;
        }
    }
    assert!(all.choices > 150, "only {} choices", all.choices);
    assert!(
        all.different * 10 > all.choices * 9,
        "{} of {} worlds differ",
        all.different,
        all.choices
    );
}

/// A deck of one's own is a secret, too: what others may think it holds must not depend on what it does.
#[test]
fn in_phase_it_does_not_know_the_list_of_an_own_deck() {
    let collection = Phase::COLLECTION.unwrap();
    let codes: Vec<String> = collection
        .ready()
        .iter()
        .take(2)
        .map(|list| collection.code(&list.items).unwrap())
        .collect();
    let decks = options::<Phase>(&[("deck1", &codes[0]), ("deck2", &codes[1])]);
    let thinkers = agents(&["greedy", "level4@16"]);
    let mut all = Tally::default();
    for seed in 0..3 {
        let game = Phase::new(&decks, 2, &mut GameRng::quick(seed));
        let tally = watch(game, &Agent::GREEDY, &thinkers, 4, seed);
        all.choices += tally.choices;
        all.different += tally.different;
    }
    assert!(all.choices > 30, "only {} choices", all.choices);
    assert!(all.different * 10 > all.choices * 9);
}

#[test]
fn in_blind_breaker_blocks_it_knows_its_own_commands_alone() {
    let thinkers = agents(&["greedy", "level2", "level3@60", "level4@150"]);
    for variant in ["blind", "blind-scarce"] {
        let mut all = Tally::default();
        for (number, players) in (0..6).zip([Agent::RANDOM, Agent::GREEDY].iter().cycle()) {
            let game = Breaker::new(
                &options::<Breaker>(&[("variant", variant)]),
                2,
                &mut GameRng::quick(number),
            );
            let tally = watch(game, players, &thinkers, 4, number);
            all.choices += tally.choices;
            all.different += tally.different;
        }
        assert!(all.choices > 50, "{variant}: only {} choices", all.choices);
        assert!(
            all.different * 2 > all.choices,
            "{variant}: {} of {}",
            all.different,
            all.choices
        );
    }
}
