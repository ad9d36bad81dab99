//! The engine against its slow twin, and against the data that the twin made.

use parlor::game::explore::perft;
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Silent};
use parlor::games::glyphgrid::GlyphGrid;

use super::drawn::{draw, square};
use super::slow::{Slow, name};

/// The engine and its twin at the start, by the same options.
fn openings(swap: &str, opening: &str) -> (GlyphGrid, Slow) {
    let wishes = [("swap", swap), ("opening", opening)];
    let options = OptionValues::choose(GlyphGrid::META.options, wishes).unwrap();
    let game = GlyphGrid::new(&options, 2, &mut GameRng::quick(0));
    (game, Slow::opening(swap == "on", opening))
}

/// The twin's position in the manner of [`draw`].
fn drawing(slow: &Slow) -> String {
    let mut text = String::new();
    for rank in (1..=7).rev() {
        for file in 1..=7 {
            let at = (file, rank);
            assert_eq!(square(&name(at)).to_string(), name(at));
            let end = if file == 7 { '\n' } else { ' ' };
            let piece = slow.pieces.get(&at).unwrap_or(&'.');
            let mark = slow.marks.get(&at).unwrap_or(&'_');
            text.extend([*piece, *mark, end]);
        }
    }
    text
}

/// Compares everything there is to compare, and returns the notations of the legal actions.
fn agree(game: &GlyphGrid, slow: &Slow, log: &[String]) -> Vec<String> {
    assert_eq!(draw(game), drawing(slow), "{log:?}");
    let ranks = game.outcome().map(|outcome| outcome.ranks);
    assert_eq!(ranks, slow.result.map(|ranks| ranks.to_vec()), "{log:?}");
    let Awaiting::Turn(seat) = game.awaiting() else {
        return Vec::new();
    };
    assert_eq!(seat.number(), slow.seat(), "{log:?}");
    let actions = game.legal_actions(seat);
    assert!(actions.is_sorted_by(|a, b| a < b), "{log:?}");
    assert_eq!(actions.len(), game.count_legal(seat), "{log:?}");
    let notations: Vec<String> = actions.iter().map(|action| game.notate(seat, action)).collect();
    let mut sorted = notations.clone();
    sorted.sort();
    assert_eq!(sorted, slow.legal(), "{log:?}");
    notations
}

/// How players of random games choose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Any action.
    Bold,
    /// Rather none that ends the game, so that it grows long.
    Timid,
    /// Rather back to where the last piece came from, so that positions come again.
    Restless,
}

/// Plays one random game and returns how it ended.
fn random_game(swap: &str, opening: &str, seed: u64, style: Style) -> String {
    let mut rng = GameRng::quick(seed);
    let (mut game, mut slow) = openings(swap, opening);
    let mut log: Vec<String> = Vec::new();
    loop {
        let notations = agree(&game, &slow, &log);
        let Awaiting::Turn(seat) = game.awaiting() else {
            return game.outcome().expect("an outcome").reason.into_owned();
        };
        let after = |number: usize| {
            let mut after = game.clone();
            after.play(
                seat,
                &game.legal_actions(seat)[number],
                &mut GameRng::quick(0),
                &mut Silent,
            );
            after
        };
        let mut number = rng.below(notations.len());
        match style {
            Style::Bold => {}
            Style::Timid => {
                for _ in 0..20 {
                    if after(number).outcome().is_some() {
                        number = rng.below(notations.len());
                    }
                }
            }
            Style::Restless => {
                let own_last = log.len().checked_sub(2).map(|own| log[own].as_str());
                let back = own_last.and_then(|last| {
                    let (glyph, squares) = last.split_once(' ')?;
                    let (from, to) = squares.split_once('-')?;
                    notations
                        .iter()
                        .position(|action| *action == format!("{glyph} {to}-{from}"))
                });
                if rng.below(4) > 0 {
                    number = back.unwrap_or(number);
                }
            }
        }
        game = after(number);
        slow.play(&notations[number]);
        log.push(notations[number].clone());
    }
}

#[test]
fn random_games_agree_after_every_ply() {
    let mut ends = Vec::new();
    for (swap, opening) in [
        ("off", "usual"),
        ("on", "usual"),
        ("off", "classic"),
        ("on", "classic"),
    ] {
        let game = |seed, style| random_game(swap, opening, seed, style);
        ends.extend((0..12).map(|seed| game(seed, Style::Bold)));
        ends.extend((0..4).map(|seed| game(seed, Style::Timid)));
        ends.extend((0..12).map(|seed| game(seed, Style::Restless)));
    }
    for end in ["Core captured", "six marks", "200 moves", "third time"] {
        assert!(
            ends.iter().any(|reason| reason.contains(end)),
            "{end} is missing in {ends:?}"
        );
    }
}

/// Every action that random choice can pick is legal, and all are picked sooner or later.
#[test]
fn picks_are_spread_over_all_legal_actions() {
    let (mut game, _) = openings("on", "usual");
    let seat = parlor::game::Seat::new(0);
    let action = game.legal_actions(seat)[5];
    game.play(seat, &action, &mut GameRng::quick(0), &mut Silent);
    let seat = seat.next(2);
    let mut picked = Vec::new();
    let (mut rng, mut buffer) = (GameRng::quick(3), Vec::new());
    for _ in 0..3000 {
        picked.extend(game.pick(seat, &mut rng, &mut buffer));
    }
    picked.sort();
    picked.dedup();
    assert_eq!(picked, game.legal_actions(seat));
}

/// Checks the data file from both ends: the twin up to what it can do in a moment, the engine a ply
/// further.
#[test]
fn perft_agrees_with_the_twin() {
    let data = include_str!("../../data/glyphgrid.perft");
    let mut blocks = 0;
    for block in data.split("\n\n") {
        let lines: Vec<&str> = block.lines().filter(|line| !line.starts_with('#')).collect();
        let (mut swap, mut opening) = ("off", "usual");
        let mut actions: Vec<&str> = Vec::new();
        for line in &lines {
            if let Some(value) = line.strip_prefix("set swap=") {
                swap = value;
            } else if let Some(value) = line.strip_prefix("set opening=") {
                opening = value;
            } else if let Some(rest) = line.strip_prefix("after ") {
                actions = rest.split("; ").collect();
            }
        }
        let (mut game, mut slow) = openings(swap, opening);
        for action in actions {
            super::drawn::play(&mut game, &[action]);
            slow.play(action);
        }
        agree(&game, &slow, &[]);
        for line in lines
            .iter()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        {
            let (depth, count) = line.split_once(' ').expect("depth and count");
            let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
            if depth <= 2 {
                assert_eq!(slow.perft(depth), count, "twin, depth {depth} of\n{block}");
            }
            if depth <= 3 {
                assert_eq!(perft(&game, depth), count, "engine, depth {depth} of\n{block}");
            }
        }
        blocks += u32::from(!lines.is_empty());
    }
    assert_eq!(blocks, 7);
}
