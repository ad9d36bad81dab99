//! Small games of which the truth is known.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use parlor::ai::SearchTask;
use parlor::ai::look_ahead::{look_ahead, weigh_ahead};
use parlor::ai::search::{Found, search};
use parlor::game::insight::{Plan, chances_of};
use parlor::game::{Awaiting, Game, GameRng, Insight, Outcome, Seat, Silent};

use super::sketch::{Hide, Nim, Noughts, Rules, Showdown, Sketch, Spite, Thicket};

/// The first seat thinks about a game, among some of its actions if they are named.
fn first_seat<'a, G: Insight>(
    game: &'a G,
    among: Option<&'a [G::Action]>,
    plan: &'a Plan,
    stop: &'a AtomicBool,
) -> SearchTask<'a, G> {
    SearchTask {
        game,
        seat: Seat::new(0),
        among,
        plan,
        seed: 7,
        stop,
    }
}

fn choice<G: Insight>(game: &G, seat: Seat, simulations: u32, seed: u64) -> G::Action {
    let plan = Plan::PLAIN
        .with(simulations, 0.0)
        .within(std::time::Duration::MAX);
    let never = AtomicBool::new(false);
    let task = SearchTask {
        seat,
        seed,
        ..first_seat(game, None, &plan, &never)
    };
    let found = search(&task).expect("an awaited seat gets an answer");
    assert!(game.is_legal(seat, &found.action));
    found.action
}

fn after<R: Rules>(game: &Sketch<R>, seat: Seat, action: u8) -> Sketch<R> {
    let mut next = game.clone();
    next.play(seat, &action, &mut GameRng::quick(0), &mut Silent);
    next
}

/// Plays a seat against everything that the other could do, and counts its losses and wins.
struct Trial<const CERTAIN: bool> {
    seat: Seat,
    simulations: u32,
    seed: u64,
    seen: HashMap<Noughts<CERTAIN>, ()>,
    ends: [u32; 3],
}

impl<const CERTAIN: bool> Trial<CERTAIN> {
    fn run(&mut self, game: &Sketch<Noughts<CERTAIN>>) {
        if self.seen.insert(game.0.clone(), ()).is_some() {
            return;
        }
        let Awaiting::Turn(seat) = game.awaiting() else {
            let ranks = game.0.ranks().unwrap();
            let own = ranks[self.seat.index()];
            let place = if own == 2 { 0 } else { usize::from(ranks == [1, 1]) };
            self.ends[if own == 1 && place == 0 { 2 } else { place }] += 1;
            return;
        };
        if seat == self.seat {
            let action = choice(game, seat, self.simulations, self.seed);
            self.run(&after(game, seat, action));
        } else {
            for action in game.legal_actions(seat) {
                self.run(&after(game, seat, action));
            }
        }
    }
}

fn never_loses_noughts<const CERTAIN: bool>(simulations: u32, seeds: u64) {
    for seed in 0..seeds {
        for seat in Seat::all(2) {
            let mut trial = Trial {
                seat,
                simulations,
                seed,
                seen: HashMap::new(),
                ends: [0; 3],
            };
            trial.run(&Sketch(Noughts::<CERTAIN>::default()));
            let [lost, drawn, won] = trial.ends;
            assert_eq!(lost, 0, "{seat:?} loses with seed {seed}");
            assert!(drawn > 0 && won > 0, "{seat:?}: {drawn} drawn, {won} won");
        }
    }
}

#[test]
fn a_drawn_game_is_never_lost_whatever_the_other_does() {
    never_loses_noughts::<true>(1500, 6);
}

#[test]
fn nor_where_nothing_can_be_proven() {
    never_loses_noughts::<false>(3000, 1);
}

fn wins_nim<const CERTAIN: bool>(highest: u8, simulations: u32, seeds: u64) {
    let mut won = 0;
    let sizes = highest + 1;
    for code in 0..sizes * sizes * sizes {
        let heaps = [code % sizes, code / sizes % sizes, code / sizes / sizes];
        if heaps.iter().fold(0, |sum, heap| sum ^ heap) == 0 {
            // Lost, or over.
            continue;
        }
        for seed in 0..seeds {
            let game = Sketch(Nim::<CERTAIN> { heaps, turn: 0 });
            let action = choice(&game, Seat::new(0), simulations, seed);
            let left = after(&game, Seat::new(0), action).0.heaps;
            let sum = left.iter().fold(0, |sum, heap| sum ^ heap);
            assert_eq!(
                sum, 0,
                "{heaps:?} is won, but not by leaving {left:?} (seed {seed})"
            );
            won += 1;
        }
    }
    assert!(won >= 40);
}

#[test]
fn a_won_game_is_always_won() {
    wins_nim::<true>(5, 200_000, 3);
}

#[test]
fn and_where_nothing_can_be_proven_it_takes_longer() {
    wins_nim::<false>(3, 8000, 1);
}

/// The heaps that somebody leaves who looks ahead.
fn left_by_looking_ahead(heaps: [u8; 3], stop: bool) -> Option<[u8; 3]> {
    let game = Sketch(Nim::<true> { heaps, turn: 0 });
    let plan = Plan::PLAIN.with(200_000, 0.0).within(std::time::Duration::MAX);
    let found = look_ahead(&first_seat(&game, None, &plan, &AtomicBool::new(stop)))?;
    Some(after(&game, Seat::new(0), found.action).0.heaps)
}

#[test]
fn whoever_looks_ahead_wins_what_is_won() {
    for heaps in [[1, 2, 0], [3, 1, 1], [2, 2, 1], [3, 2, 0], [1, 2, 2], [3, 3, 2]] {
        let left = left_by_looking_ahead(heaps, false).expect("an answer");
        let sum = left.iter().fold(0, |sum, heap| sum ^ heap);
        assert_eq!(sum, 0, "{heaps:?} is won, but not by leaving {left:?}");
    }
    assert_eq!(left_by_looking_ahead([3, 3, 2], true), None, "it was stopped");
}

/// A game that both lose is better than one that the other wins.
#[test]
fn whoever_looks_ahead_would_rather_lose_together() {
    let game = Sketch(Spite::default());
    let never = AtomicBool::new(false);
    let found = look_ahead(&first_seat(&game, None, &Plan::PLAIN, &never)).expect("an answer");
    assert_eq!(found.action, Spite::BOTH);
    // Neither is better off then, and that is what somebody hears who asks for chances.
    assert!((found.chances - 0.5).abs() < f32::EPSILON, "{}", found.chances);
}

/// What everybody gets if all play for themselves, and whether nobody ever had the choice between actions that were
/// equally good to them and not to others.
fn solve<const CERTAIN: bool>(game: &Sketch<Thicket<CERTAIN>>) -> (Vec<u8>, Option<u8>, bool) {
    let Awaiting::Turn(seat) = game.awaiting() else {
        return (game.0.ranks().unwrap(), None, true);
    };
    let ways: Vec<(Vec<u8>, u8, bool)> = game
        .legal_actions(seat)
        .into_iter()
        .map(|action| {
            let (ranks, _, clear) = solve(&after(game, seat, action));
            (ranks, action, clear)
        })
        .collect();
    let best = ways.iter().map(|(ranks, ..)| ranks[seat.index()]).min().unwrap();
    let good: Vec<&(Vec<u8>, u8, bool)> = ways
        .iter()
        .filter(|(ranks, ..)| ranks[seat.index()] == best)
        .collect();
    let clear = good.iter().all(|way| way.0 == good[0].0) && ways.iter().all(|way| way.2);
    (good[0].0.clone(), (good.len() == 1).then_some(good[0].1), clear)
}

fn three_play_for_themselves<const CERTAIN: bool>(simulations: u32) {
    let mut solved = 0;
    for lot in 0..800 {
        let game = Sketch(Thicket::<CERTAIN> { lot, way: Vec::new() });
        let (_, Some(best), true) = solve(&game) else {
            continue;
        };
        solved += 1;
        let action = choice(&game, Seat::new(0), simulations, lot);
        assert_eq!(action, best, "lot {lot}");
    }
    assert!(solved >= 20, "only {solved} thickets are clear");
}

#[test]
fn three_players_play_for_themselves() {
    three_play_for_themselves::<true>(2000);
}

#[test]
fn three_players_do_so_where_nothing_can_be_proven() {
    three_play_for_themselves::<false>(30_000);
}

#[test]
fn a_hidden_card_is_weighed_and_not_seen() {
    for own in 1..=Showdown::HIGHEST {
        for other in (1..=Showdown::HIGHEST).filter(|&other| other != own) {
            // Half of the other cards are lower: either is right.
            if own == 5 {
                continue;
            }
            for seed in 0..10 {
                let game = Sketch(Showdown {
                    cards: [own, other],
                    said: None,
                });
                let wanted = if own > 5 { Showdown::SHOW } else { Showdown::LEAVE };
                let action = choice(&game, Seat::new(0), 400, seed);
                assert_eq!(action, wanted, "{own} against a hidden {other}");
            }
        }
    }
}

/// Were the seeker taken to know where the other hides, the one who hides would call it off.
#[test]
fn whoever_hides_is_not_thought_to_be_seen() {
    for seed in 0..20 {
        let cautious = Seat::new(0);
        let game = Sketch(Hide {
            cautious,
            chosen: [None; 2],
        });
        assert_ne!(choice(&game, cautious, 600, seed), Hide::CALL_OFF);
    }
}

/// Were the seeker to know, it would find; as it is, nine of ten places are empty.
#[test]
fn whoever_seeks_does_not_know_where_the_other_hides() {
    for seed in 0..20 {
        let cautious = Seat::new(1);
        for hidden in [None, Some(3), Some(7)] {
            let game = Sketch(Hide {
                cautious,
                chosen: [hidden, None],
            });
            assert_eq!(choice(&game, cautious, 600, seed), Hide::CALL_OFF, "{hidden:?}");
        }
    }
}

#[test]
fn a_single_action_needs_no_thought() {
    let game = Sketch(Nim::<true> {
        heaps: [0, 1, 0],
        turn: 0,
    });
    let never = AtomicBool::new(false);
    let found = search(&first_seat(&game, None, &Plan::PLAIN, &never)).unwrap();
    assert_eq!((found.action, found.simulations), (11, 0));
}

#[test]
fn what_is_decided_is_not_thought_about_any_longer() {
    let game = Sketch(Nim::<true> {
        heaps: [0, 3, 0],
        turn: 0,
    });
    let plan = Plan::PLAIN.with(1_000_000, 0.0).within(std::time::Duration::MAX);
    let found = search(&first_seat(&game, None, &plan, &AtomicBool::new(false))).unwrap();
    assert_eq!(found.action, 13);
    assert!(found.simulations < 100, "{} simulations", found.simulations);
}

/// There is no lead to be overtaken: whoever looks at one action wants to know what it is worth.
#[test]
fn a_single_action_is_weighed_as_often_as_asked() {
    let game = Sketch(Nim::<false> {
        heaps: [5, 6, 7],
        turn: 0,
    });
    let plan = Plan::PLAIN.with(800, 0.0).within(std::time::Duration::MAX);
    let never = AtomicBool::new(false);
    let weigh =
        |action: u8| -> Found<u8> { search(&first_seat(&game, Some(&[action]), &plan, &never)).unwrap() };
    for action in game.legal_actions(Seat::new(0)).into_iter().take(3) {
        let found = weigh(action);
        assert_eq!((found.action, found.simulations), (action, 800));
    }
}

/// What wins and what loses, weighed together; and what both lose.
#[test]
fn whoever_looks_ahead_weighs_actions_side_by_side() {
    let won = Sketch(Nim::<true> {
        heaps: [3, 2, 0],
        turn: 0,
    });
    let plan = Plan::PLAIN.with(200_000, 0.0).within(std::time::Duration::MAX);
    let never = AtomicBool::new(false);
    let legal = won.legal_actions(Seat::new(0));
    let weighed = weigh_ahead(&first_seat(&won, Some(&legal), &plan, &never)).unwrap();
    assert_eq!(weighed.len(), legal.len());
    for (action, worth) in legal.into_iter().zip(weighed) {
        let left = after(&won, Seat::new(0), action).0.heaps;
        let wins = left.iter().fold(0, |sum, heap| sum ^ heap) == 0;
        assert_eq!(worth > 0.5, wins, "{left:?}: {worth}");
        assert!(!(0.01..0.99).contains(&worth), "it is certain: {worth}");
    }
    let stopped = AtomicBool::new(true);
    let legal = won.legal_actions(Seat::new(0));
    assert_eq!(
        weigh_ahead(&first_seat(&won, Some(&legal), &plan, &stopped)),
        None
    );
    let game = Sketch(Spite::default());
    let both = weigh_ahead(&first_seat(&game, Some(&[Spite::BOTH]), &Plan::PLAIN, &never));
    assert_eq!(both, Some(vec![0.5]));
}

#[test]
fn shared_victories_are_shared() {
    let chances = |ranks: &[u8]| chances_of(&Outcome::new(ranks.to_vec(), "over"));
    assert_eq!(chances(&[1, 2])[..2], [1.0, 0.0]);
    assert_eq!(chances(&[1, 1])[..2], [0.5, 0.5]);
    let [first, second, third, ..] = chances(&[1, 3, 2]);
    assert!(
        first == 1.0 && second == 0.0 && third > 0.0 && third < 0.2,
        "{third}"
    );
    let [one, other, last, ..] = chances(&[1, 1, 3]);
    assert!(one == other && one > 0.4 && one < 0.6 && last == 0.0);
}
