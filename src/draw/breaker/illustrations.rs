//! Positions that show the rules of Breaker Blocks, each played from the opening.

use crate::draw::Illustration;
use crate::game::sentence::play_sentence;
use crate::game::{GameRng, Seat, Seed};
use crate::games::breaker::setup::Setup;
use crate::games::breaker::{Breaker, Tie, Variant};

/// A few turns into a game: Ann's blocks hang on II, Bea's on II and III.
const BEGINNING: &str = "add 0LFR II; draw 3|draw 2F; add 0LFR II|add 3 1F; draw automate|add 2F 2F; draw 3";

pub(super) fn illustration(name: &str) -> Option<Illustration<Breaker>> {
    let (before, moves): (&str, &[&str]) = match name {
        "blocks" => ("", &["draw 3; add 0LFR II"]),
        "path" => (BEGINNING, &["add 0LFR I; draw 1LR"]),
        "move" => (BEGINNING, &["move 3 I"]),
        "command" => (BEGINNING, &["add automate I"]),
        "end" => (
            "draw authenticate; draw 3|draw authenticate; draw 3|add authenticate II; add 3 I|add 3 II; draw 3|draw 2F; draw 1LF",
            &["add 3 III; add authenticate E"],
        ),
        _ => return None,
    };
    Some(Illustration::Position {
        start: played(before)?,
        moves,
    })
}

/// The game after these turns.
fn played(turns: &str) -> Option<Breaker> {
    let opening = Setup::opening(Variant::Plain, Tie::Draw, &mut GameRng::quick(0));
    let mut game: Breaker = opening.try_into().ok()?;
    for (index, turn) in turns.split('|').filter(|turn| !turn.is_empty()).enumerate() {
        let seat = Seat::new((index % 2) as u8);
        game = play_sentence(&game, seat, turn, &Seed::from_text("the rules"), 1)
            .ok()?
            .game;
    }
    Some(game)
}
