//! Looking ahead spares itself work and finds the same: the value of a position by all short cuts is the value by none, and what it
//! takes for certain is certain by the rules alone.

use std::sync::atomic::AtomicBool;

use parlor::ai::Agent;
use parlor::ai::look_ahead::{Score, Shortcuts, worth};
use parlor::game::{Awaiting, Game, GameRng, Insight, OptionValues, Seat, Silent};
use parlor::games::fabric::Fabric;
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::phwar::Phwar;

/// A game won by force in `n` steps is worth this less `n`.
const WON: Score = 30_000;
const CERTAIN: Score = 29_000;

/// Looks no further than the next step, and now and then not even there.
const HASTY: &str = "level1:slips=0.4";

/// A position after so many steps of some player against their like.
fn position<G: Insight>(player: &str, wishes: &[(&str, &str)], steps: usize, seed: u64) -> Option<G> {
    let options = OptionValues::choose(G::META.options, wishes.iter().copied()).unwrap();
    let mut rng = GameRng::quick(seed);
    let mut game = G::new(&options, 2, &mut rng);
    let player: Agent = player.parse().unwrap();
    for _ in 0..steps {
        let Awaiting::Turn(seat) = game.awaiting() else {
            return None;
        };
        let thought = player.act(&game, seat, rng.word(), &AtomicBool::new(false))?;
        game.play(seat, &thought.action, &mut rng, &mut Silent);
    }
    matches!(game.awaiting(), Awaiting::Turn(_)).then_some(game)
}

/// All ways to look ahead that have to find the same.
fn ways() -> impl Iterator<Item = Shortcuts> {
    [(false, true), (true, false), (true, true)]
        .into_iter()
        .map(|(cuts, table)| Shortcuts {
            cuts,
            table,
            ..Shortcuts::NONE
        })
}

/// Compares them at positions of one game, and counts the positions.
fn compare<G: Insight>(wishes: &[(&str, &str)], steps: std::ops::Range<usize>, depth: u8) -> usize {
    let mut compared = 0;
    for steps in steps {
        let Some(game) = position::<G>(HASTY, wishes, steps, steps as u64) else {
            continue;
        };
        let plain = worth(&game, depth, 7, Shortcuts::NONE).unwrap();
        for way in ways() {
            let found = worth(&game, depth, 7, way).unwrap();
            assert_eq!(found, plain, "after {steps} steps by {way:?}");
        }
        compared += 1;
    }
    compared
}

#[test]
fn in_phwar_short_cuts_change_no_value() {
    assert!(compare::<Phwar>(&[], 0..12, 2) >= 10);
    assert!(compare::<Phwar>(&[("centre", "on")], 20..24, 2) >= 2);
}

#[test]
fn in_glyphgrid_short_cuts_change_no_value() {
    assert!(compare::<GlyphGrid>(&[], 0..8, 2) >= 6);
    assert!(compare::<GlyphGrid>(&[("swap", "on")], 0..2, 2) == 2);
}

#[test]
fn in_fabric_short_cuts_change_no_value() {
    let small = [("size", "7"), ("target", "50")];
    assert!(compare::<Fabric>(&small, 22..28, 2) >= 4);
}

/// Who wins by force within so many steps, by the rules alone: the seat that is asked about, whatever the other does.
fn wins<G: Game>(game: &G, seat: Seat, steps: usize) -> bool {
    let Awaiting::Turn(mover) = game.awaiting() else {
        let winners = game.outcome().unwrap().winners();
        return winners.len() == 1 && winners.contains(seat);
    };
    if steps == 0 {
        return false;
    }
    let mut after = game.clone();
    let mut leads_to_a_win = |action: &G::Action| {
        after.clone_from(game);
        after.play(mover, action, &mut GameRng::quick(0), &mut Silent);
        wins(&after, seat, steps - 1)
    };
    let actions = game.legal_actions(mover);
    if mover == seat {
        actions.iter().any(&mut leads_to_a_win)
    } else {
        actions.iter().all(&mut leads_to_a_win)
    }
}

/// Compares what is certain to the eyes of a search with what is so by the rules, in games between players who let most chances
/// pass; counts the wins and losses in up to `most` steps that it saw.
fn count_certain<G: Insight>(wishes: &[(&str, &str)], most: usize, games: u64, steps: usize) -> [u32; 2] {
    let mut seen = [0; 2];
    let games = (0..games).flat_map(|game| {
        let under_way = move |steps| Some((steps, position::<G>("random", wishes, steps, game)?));
        (0..steps).map_while(under_way)
    });
    for (steps, game) in games {
        let Awaiting::Turn(mover) = game.awaiting() else {
            unreachable!("the game is under way");
        };
        let found = worth(&game, most as u8, 3, Shortcuts::ALL).unwrap();
        let away = (WON - found.abs()) as usize;
        if found >= CERTAIN && away <= most {
            assert!(wins(&game, mover, away), "no win in {away} after {steps} steps");
            seen[0] += 1;
        } else if found <= -CERTAIN && away <= most {
            assert!(
                wins(&game, mover.next(2), away),
                "no loss in {away} after {steps} steps"
            );
            seen[1] += 1;
        } else if found < CERTAIN {
            assert!(
                !wins(&game, mover, most - 1),
                "a win was missed after {steps} steps"
            );
        }
    }
    seen
}

#[test]
fn what_is_certain_in_glyphgrid_is_so_by_the_rules() {
    let [won, lost] = count_certain::<GlyphGrid>(&[], 2, 12, 80);
    assert!(won >= 5, "{won} won, {lost} lost");
}

#[test]
fn what_is_certain_in_phwar_is_so_by_the_rules() {
    let [won, lost] = count_certain::<Phwar>(&[("centre", "on")], 2, 8, 90);
    assert!(won + lost >= 3, "{won} won, {lost} lost");
}

#[test]
fn what_is_certain_in_fabric_is_so_by_the_rules() {
    let small = [("size", "7"), ("target", "50")];
    let [won, _] = count_certain::<Fabric>(&small, 1, 3, 90);
    assert!(won >= 1, "{won} won");
}

/// The same twice, where a search goes several steps deep and has filled its table.
fn thinks_the_same_twice<G: Insight>(wishes: &[(&str, &str)], steps: usize) {
    let never = AtomicBool::new(false);
    let game = position::<G>(HASTY, wishes, steps, 5).expect("a game under way");
    let Awaiting::Turn(seat) = game.awaiting() else {
        unreachable!("the game is under way");
    };
    for name in [
        "level3:way=ahead,simulations=3000",
        "level5:way=ahead,simulations=20000",
    ] {
        let player: Agent = name.parse().unwrap();
        let think = || player.act(&game, seat, 11, &never).unwrap();
        let (once, again) = (think(), think());
        assert_eq!(once, again, "{name}");
        assert!(
            once.simulations >= 2000,
            "{name} thought about {}",
            once.simulations
        );
    }
}

#[test]
fn twenty_thousand_positions_give_the_same_answer_twice() {
    thinks_the_same_twice::<Phwar>(&[], 12);
    thinks_the_same_twice::<GlyphGrid>(&[], 4);
    thinks_the_same_twice::<Fabric>(&[("target", "100")], 20);
}
