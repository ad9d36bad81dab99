//! What the bots see at a glance, against what the rules say.

use std::sync::atomic::AtomicBool;

use parlor::ai::{Agent, Level};
use parlor::game::explore::random_seat;
use parlor::game::{Awaiting, Game, GameRng, Insight, OptionValues, Seat, Silent};
use parlor::games::glyphgrid::piece::Side;
use parlor::games::glyphgrid::{Action, GlyphGrid};

use super::drawn::{MOON, SUN, drawn, play, setup};

fn after(game: &GlyphGrid, seat: Seat, action: &Action) -> GlyphGrid {
    let mut after = game.clone();
    after.play(seat, action, &mut GameRng::quick(0), &mut Silent);
    after
}

/// Whether somebody has won, by what a glance looks at.
fn is_won_by(game: &GlyphGrid, seat: Seat) -> bool {
    game.outcome().is_some_and(|outcome| {
        let glanced = outcome.reason.contains("captured") || outcome.reason.contains("marks");
        glanced && outcome.winners().contains(seat) && !outcome.is_draw()
    })
}

/// Whether the seat on turn wins within so many actions of its own, whatever the other does.
fn wins_within(game: &GlyphGrid, seat: Seat, turns: u32) -> bool {
    let wins = |action: &Action| {
        let next = after(game, seat, action);
        if is_won_by(&next, seat) {
            return true;
        }
        let Awaiting::Turn(other) = next.awaiting() else {
            return false;
        };
        turns > 1
            && next.legal_actions(other).iter().all(|reply| {
                let then = after(&next, other, reply);
                is_won_by(&then, seat)
                    || then.awaiting().includes(seat) && wins_within(&then, seat, turns - 1)
            })
    };
    game.legal_actions(seat).iter().any(wins)
}

#[test]
fn a_win_at_once_is_seen_wherever_there_is_one() {
    let mut seen = [0; 2];
    for (seed, opening) in (0..60).zip(["usual", "classic"].into_iter().cycle()) {
        let options = OptionValues::choose(GlyphGrid::META.options, [("opening", opening)]).unwrap();
        let mut rng = GameRng::quick(seed);
        let mut game = GlyphGrid::new(&options, 2, &mut rng);
        while let Some(seat) = random_seat(game.awaiting(), &mut rng) {
            let wins = wins_within(&game, seat, 1);
            assert_eq!(game.wins_at_once(), wins, "{game:?}");
            seen[usize::from(wins)] += 1;
            // Rather none that wins, so that games grow long.
            let mut action = game.pick(seat, &mut rng, &mut Vec::new()).unwrap();
            for _ in 0..5 {
                if after(&game, seat, &action).outcome().is_some() {
                    action = game.pick(seat, &mut rng, &mut Vec::new()).unwrap();
                }
            }
            game = after(&game, seat, &action);
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn going_back_and_forth_is_noticed() {
    let options = OptionValues::choose(GlyphGrid::META.options, [("opening", "classic")]).unwrap();
    let mut game = GlyphGrid::new(&options, 2, &mut GameRng::quick(0));
    play(&mut game, &["vector a2-a3", "vector a6-a5", "vector a3-a2"]);
    assert!(!game.is_repeated());
    play(&mut game, &["vector a5-a6"]);
    assert!(game.is_repeated());
}

/// Who may still swap, and who has, is another position for a search.
#[test]
fn a_swap_is_a_position_of_its_own() {
    let wishes = [("opening", "classic"), ("swap", "on")];
    let options = OptionValues::choose(GlyphGrid::META.options, wishes).unwrap();
    let mut game = GlyphGrid::new(&options, 2, &mut GameRng::quick(0));
    play(&mut game, &["vector a2-a3"]);
    let before = game.key();
    play(&mut game, &["swap"]);
    assert_ne!(game.key(), before);
}

/// A position of a game played at random, after so many actions.
fn at_random(seed: u64, actions: usize) -> GlyphGrid {
    let options = OptionValues::defaults(GlyphGrid::META.options);
    let mut rng = GameRng::quick(seed);
    let mut game = GlyphGrid::new(&options, 2, &mut rng);
    for _ in 0..actions {
        let Awaiting::Turn(seat) = game.awaiting() else {
            break;
        };
        let action = game.pick(seat, &mut rng, &mut Vec::new()).unwrap();
        game = after(&game, seat, &action);
    }
    game
}

#[test]
fn a_race_that_is_nearly_lost_is_seen() {
    let loses = |game: &GlyphGrid, action: &Action| wins_within(&after(game, SUN, action), MOON, 2);
    // It matters what is played: most actions lose at once or the turn after, and not all of them.
    let is_race = |game: &GlyphGrid| {
        let legal = game.legal_actions(SUN);
        let lost = legal.iter().filter(|action| loses(game, action)).count();
        lost > legal.len() / 2 && lost < legal.len()
    };
    let games = (0..300).map(|seed| at_random(seed, 12 + 2 * (seed as usize % 4)));
    let on_turn = games.filter(|game| game.awaiting() == Awaiting::Turn(SUN) && !game.wins_at_once());
    let races: Vec<GlyphGrid> = on_turn.filter(is_race).take(3).collect();
    assert_eq!(races.len(), 3, "too few races among games at random");
    let never = AtomicBool::new(false);
    for level in &Level::ALL[2..4] {
        for (seed, game) in races.iter().enumerate() {
            let thought = Agent::level(*level).act(game, SUN, seed as u64, &never).unwrap();
            assert!(!loses(game, &thought.action), "{level}: {}", thought.action);
        }
    }
}

/// What a level plays, as it is typed.
fn choice(level: Level, game: &GlyphGrid, seat: Seat) -> String {
    let thought = Agent::level(level).act(game, seat, 1, &AtomicBool::new(false));
    game.notate(seat, &thought.unwrap().action)
}

/// Whether Moon completes its marks by anchoring in so many turns, whatever Sun does meanwhile.
fn anchors_home(game: &GlyphGrid, turns: u32) -> bool {
    let anchors = |action: &&Action| game.notate(MOON, action).starts_with("anchor");
    game.legal_actions(MOON).iter().filter(anchors).any(|action| {
        let next = after(game, MOON, action);
        is_won_by(&next, MOON)
            || turns > 1
                && next.awaiting() == Awaiting::Turn(SUN)
                && next.legal_actions(SUN).iter().all(|reply| {
                    let then = after(&next, SUN, reply);
                    then.awaiting() == Awaiting::Turn(MOON) && anchors_home(&then, turns - 1)
                })
    })
}

#[test]
fn a_race_that_would_be_lost_in_three_turns_is_answered_at_once() {
    // Moon needs three anchors on the sixth rank; Sun's Shard comes in time only if it sets out now.
    let game = drawn(
        "._ ._ ._ c- ._ ._ ._
         .- s_ s_ s_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         S_ ._ ._ ._ ._ ._ ._
         ._ ._ ._ C+ ._ ._ ._",
    );
    let loses = |action: &str| {
        let mut then = game.clone();
        play(&mut then, &[action]);
        anchors_home(&then, 3)
    };
    assert!(loses("vector d1-e1") && loses("vector a2-a1") && !loses("lance a2-a4"));
    for level in &Level::ALL[2..4] {
        let action = choice(*level, &game, SUN);
        assert!(!loses(&action), "{level}: {action}");
    }
}

/// After the first move of a game with `swap`, on a board of which one side has much more.
fn to_swap(drawing: &str) -> GlyphGrid {
    let mut position = setup(drawing, Side::Moon);
    (position.swap, position.moves) = (true, 1);
    GlyphGrid::try_from(position).expect("a position")
}

#[test]
fn a_bot_takes_over_the_better_side_and_keeps_its_own_if_that_is_better() {
    let sun_leads = to_swap(
        "._ ._ ._ c- ._ ._ ._
         ._ s_ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ S_ S_ ._ S_ S_ ._
         ._ ._ ._ C+ ._ ._ ._",
    );
    let moon_leads = to_swap(
        "._ ._ ._ c- ._ ._ ._
         ._ s_ s_ ._ s_ s_ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ S_ ._ ._ ._ ._ ._
         ._ ._ ._ C+ ._ ._ ._",
    );
    for level in &Level::ALL[2..4] {
        assert_eq!(choice(*level, &sun_leads, MOON), "swap", "{level}");
        assert_ne!(choice(*level, &moon_leads, MOON), "swap", "{level}");
    }
}

#[test]
fn a_bot_opens_with_nothing_that_it_would_mind_losing() {
    // Sun could push Moon's only Shard off the board.
    let drawing = "._ ._ ._ c- ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         s_ S_ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ C+ ._ ._ ._";
    for level in &Level::ALL[2..4] {
        let opens = |swap: bool| {
            let mut position = setup(drawing, Side::Sun);
            (position.swap, position.moves) = (swap, 0);
            choice(*level, &GlyphGrid::try_from(position).expect("a position"), SUN)
        };
        assert_eq!(opens(false), "pulse b4-a4", "{level}");
        assert_ne!(opens(true), "pulse b4-a4", "{level}");
    }
}
