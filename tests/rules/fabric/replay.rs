//! Whole random games against the slow engine, ply by ply.

use parlor::game::{Game, GameRng, OptionValues, Silent, Viewer, explore};
use parlor::games::fabric::cell::Cell;
use parlor::games::fabric::{Action, Fabric};

use super::board::*;
use super::slow::{self, Slow};

fn open(size: u8, target: u16) -> Fabric {
    let (size, target) = (size.to_string(), target.to_string());
    let wishes = [("size", size.as_str()), ("target", target.as_str())];
    let options = OptionValues::choose(Fabric::META.options, wishes).expect("good options");
    Fabric::new(&options, 2, &mut rng())
}

fn compare(game: &Fabric, slow: &Slow) {
    let view = game.view(Viewer::Public);
    assert_eq!(view.scores.map(u32::from), slow.scores);
    assert_eq!(
        view.to_move.map(parlor::game::Seat::index),
        (!slow.over).then_some(slow.mover)
    );
    assert_eq!(view.pieces.len(), slow.board.len());
    for &(file, rank) in &slow.cells() {
        let cell = Cell::at(file as u8, rank as u8);
        assert_eq!(
            u32::from(view.energy_at(cell)),
            slow.energy((file, rank)),
            "{cell}"
        );
        let there = view.piece_at(cell).map(|piece| {
            let facing = piece
                .piece
                .facing()
                .map(parlor::games::fabric::piece::Facing::letter);
            (piece.seat.index(), facing.unwrap_or(piece.piece.kind().letter()))
        });
        let wanted = slow
            .board
            .get(&(file, rank))
            .map(|piece| (piece.owner, piece.sort));
        assert_eq!(there, wanted, "{cell}");
    }
    let mover = parlor::game::Seat::new(slow.mover as u8);
    let legal: Vec<String> = game.legal_actions(mover).iter().map(Action::to_string).collect();
    assert_eq!(legal, slow.legal());
    assert_eq!(game.count_legal(mover), legal.len());
    let expected = slow.over.then(|| match slow.scores {
        [one, two] if one > two => vec![1, 2],
        [one, two] if one < two => vec![2, 1],
        _ => vec![1, 1],
    });
    assert_eq!(game.outcome().map(|outcome| outcome.ranks), expected);
}

#[test]
fn random_games_agree_with_the_slow_engine_after_every_ply() {
    for (size, target) in [(7, 50), (8, 100), (9, 50), (10, 100)] {
        for seed in 0..6 {
            let mut rng = GameRng::quick(seed * 100 + u64::from(size));
            let mut game = open(size, target);
            let mut slow = Slow::new(i32::from(size), u32::from(target));
            let mut buffer = Vec::new();
            while let Some(seat) = game.awaiting().seats().iter().next() {
                let picked = game.pick(seat, &mut rng, &mut buffer).expect("a placement");
                // Energy grows where pieces stand close, so some games huddle in a corner.
                let legal = game.legal_actions(seat);
                let action = if seed % 2 == 0 {
                    picked
                } else {
                    legal[rng.below(legal.len() / 2 + 1)]
                };
                game.play(seat, &action, &mut rng, &mut Silent);
                slow.play(&action.to_string());
                compare(&game, &slow);
                let saved = serde_json::to_string(&game).expect("a save");
                let loaded: Fabric = serde_json::from_str(&saved).expect("a loaded game");
                assert_eq!(look(&loaded), look(&game));
                assert_eq!(serde_json::to_string(&loaded).expect("a save"), saved);
            }
            assert!(slow.over);
        }
    }
}

/// A pick is the numbered entry of the legal list, so equal chances pick equal actions.
#[test]
fn picks_follow_the_legal_list() {
    let mut game = open(8, 500);
    let (mut rng, mut buffer) = (GameRng::quick(5), Vec::new());
    for _ in 0..60 {
        let Some(seat) = game.awaiting().seats().iter().next() else {
            break;
        };
        let legal = game.legal_actions(seat);
        let number = rng.clone().quick_below(legal.len());
        let picked = game.pick(seat, &mut rng, &mut buffer);
        assert_eq!(picked, legal.get(number).copied());
        assert_eq!(game.pick(seat.next(2), &mut rng, &mut buffer), None);
        game.play(seat, &legal[number], &mut rng, &mut Silent);
    }
}

/// The blocks of tests/data/fabric.perft, counted by the slow engine; the fast one counts them where
/// all games' perft files are read.
#[test]
fn the_slow_engine_made_the_perft_file() {
    let data = include_str!("../../data/fabric.perft");
    let mut checked = 0;
    for block in data.split("\n\n") {
        let (mut size, mut target, mut line, mut counts) = (8, 500, "", Vec::new());
        for row in block.lines().filter(|row| !row.starts_with('#')) {
            match row.split_once(' ') {
                Some(("set", setting)) => match setting.split_once('=') {
                    Some(("size", value)) => size = value.parse().expect("a size"),
                    Some(("target", value)) => target = value.parse().expect("a target"),
                    _ => panic!("{row}"),
                },
                Some(("after", actions)) => line = actions,
                Some(("game" | "seats", _)) => {}
                Some((depth, count)) => {
                    let read = |text: &str| text.parse::<u64>().expect("a number");
                    counts.push((read(depth) as u32, read(count)));
                }
                None => {}
            }
        }
        let mut slow = Slow::new(size, target);
        let mut fast = open(size as u8, target as u16);
        for action in line.split(';').map(str::trim).filter(|action| !action.is_empty()) {
            slow.play(action);
            play(&mut fast, action);
        }
        compare(&fast, &slow);
        for (depth, count) in counts {
            assert_eq!(explore::perft(&fast, depth), count, "depth {depth} of {block}");
            // The slow engine needs minutes for the deep ones; what it made of them is in the file.
            if count < 200_000 {
                assert_eq!(slow.perft(depth), count, "depth {depth} of {block}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 6, "only {checked} counts checked");
    assert_eq!(slow::name((3, 3)), "d4");
}
