//! A player knows what its seat knows: in two worlds that the seat can't tell apart it does the same, after the same
//! number of simulations.

use std::sync::atomic::AtomicBool;

use parlor::ai::Agent;
use parlor::game::explore::random_seat;
use parlor::game::{Game, GameRng, Insight, OptionValues, Seat, Silent};
use parlor::games::breaker::Breaker;
use parlor::games::phase::Phase;

use super::peeking::Peeking;

/// What was put to the test.
#[derive(Default, Debug)]
struct Tally {
    choices: u32,
    /// Of these, where the two worlds differ.
    worlds: u32,
    /// Of these, where the player did something else, or thought longer.
    told_apart: u32,
    /// Where somebody who peeks did.
    peeked: u32,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.choices += other.choices;
        self.worlds += other.worlds;
        self.told_apart += other.told_apart;
        self.peeked += other.peeked;
    }

    /// The test looked at enough, peeking would have been found out, and there was none.
    #[track_caller]
    fn check(&self, choices: u32, worlds: u32) {
        assert_eq!(self.told_apart, 0, "{self:?}");
        assert!(self.choices >= choices && self.worlds >= worlds, "{self:?}");
        assert!(self.peeked > 0, "nobody would have noticed: {self:?}");
    }
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
                tally.add(&compare(&game, seat, thinkers, rng.word()));
            }
        }
        let thought = players.act(&game, seat, rng.word(), &never).unwrap();
        game.play(seat, &thought.action, &mut rng, &mut Silent);
    }
    tally
}

/// Compares what is done in a world and in another.
fn compare<G: Insight>(game: &G, seat: Seat, thinkers: &[Agent], seed: u64) -> Tally {
    let other = game.determinize(seat, &mut GameRng::quick(seed ^ 0xFA12));
    let mut tally = Tally {
        choices: 1,
        worlds: u32::from(saved(game) != saved(&other)),
        ..Tally::default()
    };
    for thinker in thinkers {
        tally.told_apart += u32::from(differs(game, &other, seat, thinker, seed));
    }
    if let Some(thinker) = thinkers.last() {
        let (here, there) = (Peeking(game.clone()), Peeking(other));
        tally.peeked += u32::from(differs(&here, &there, seat, thinker, seed));
    }
    tally
}

fn differs<G: Insight>(one: &G, other: &G, seat: Seat, thinker: &Agent, seed: u64) -> bool {
    let never = AtomicBool::new(false);
    let thought = |game: &G| thinker.act(game, seat, seed, &never).unwrap();
    thought(one) != thought(other)
}

fn agents(names: &[&str]) -> Vec<Agent> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn options<G: Game>(pairs: &[(&str, &str)]) -> OptionValues {
    OptionValues::choose(G::META.options, pairs.iter().copied()).unwrap()
}

#[test]
fn in_phase_it_knows_its_own_cards_alone() {
    let thinkers = agents(&["greedy", "level2", "level4@10"]);
    let mut all = Tally::default();
    for seats in 2..=5 {
        for (number, players) in [Agent::RANDOM, Agent::GREEDY].iter().enumerate() {
            let seed = u64::from(seats) * 10 + number as u64;
            let game = Phase::new(&options::<Phase>(&[]), seats, &mut GameRng::quick(seed));
            all.add(&watch(game, players, &thinkers, 8, seed));
        }
    }
    all.check(150, 140);
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
    let own_decks = options::<Phase>(&[("own-decks", "on")]);
    let thinkers = agents(&["greedy", "level4@10"]);
    let mut all = Tally::default();
    for seed in 0..3 {
        let mut rng = GameRng::quick(seed);
        let mut game = Phase::new(&own_decks, 2, &mut rng);
        for (seat, code) in Seat::all(2).zip(&codes) {
            let (bring, _) = game.parse(seat, &format!("bring {code}")).unwrap();
            game.play(seat, &bring, &mut rng, &mut Silent);
        }
        all.add(&watch(game, &Agent::GREEDY, &thinkers, 4, seed));
    }
    all.check(30, 28);
}

#[test]
fn in_blind_breaker_blocks_it_knows_its_own_commands_alone() {
    let thinkers = agents(&["greedy", "level2", "level4@60"]);
    for variant in ["blind", "blind-scarce"] {
        let mut all = Tally::default();
        for (number, players) in (0..6).zip([Agent::RANDOM, Agent::GREEDY].iter().cycle()) {
            let game = Breaker::new(
                &options::<Breaker>(&[("variant", variant)]),
                2,
                &mut GameRng::quick(number),
            );
            all.add(&watch(game, players, &thinkers, 2, number));
        }
        // Where the other holds no command and nothing was set aside, there is one world only.
        all.check(100, 20);
    }
}
