//! A whole match that is known beforehand: what is played, and what the board has to look like.

use std::sync::LazyLock;

use parlor::catalog::{Frame, Table, games};
use parlor::draw::wide::widened;
use parlor::game::{Information, OptionValues, Seat, Seed, TurnLength, Viewer};

/// A match that depends on nothing but its moves.
#[derive(Clone, Debug)]
pub struct Script {
    pub game: &'static str,
    /// The players are named first seat first.
    pub moves: Vec<(Seat, String)>,
}

/// The shortest that was found in many random games, of those that are long enough to run into limits and that the second
/// player ends.
pub static SHORT: LazyLock<Script> = LazyLock::new(|| {
    let scripts = games()
        .filter(|entry| entry.meta.information == Information::Perfect)
        .flat_map(|entry| (0..300).filter_map(|dice| play(entry.meta.id, dice)));
    let second = |script: &Script| script.moves.last().is_some_and(|(seat, _)| *seat == Seat::new(1));
    scripts
        .filter(|script| script.moves.len() >= 10 && second(script))
        .min_by_key(|script| script.moves.len())
        .expect("some game ends")
});

/// The shortest of a game with several actions a turn and no secrets, in which something is asked within a turn as well.
pub static SEVERAL: LazyLock<Script> = LazyLock::new(|| {
    let open = games().filter(|entry| {
        entry.meta.turn_length == TurnLength::Several
            && !entry.hides(&OptionValues::defaults(entry.meta.options))
    });
    let scripts = open.flat_map(|entry| (0..300).filter_map(|dice| play(entry.meta.id, dice)));
    let asks = |script: &Script| {
        (0..script.moves.len()).any(|number| script.is_half(number) && script.is_half(number + 1))
    };
    let both = |script: &Script| {
        Seat::all(2).all(|seat| script.halves().filter(|(other, _)| *other == seat).count() >= 2)
    };
    scripts
        .filter(|script| asks(script) && both(script))
        .min_by_key(|script| script.moves.len())
        .expect("some game ends")
});

fn open(game: &str, seed: &str) -> Box<dyn Table> {
    let entry = parlor::catalog::find(game).unwrap();
    let options = OptionValues::defaults(entry.meta.options);
    entry.open(&options, 2, &Seed::from_text(seed)).unwrap()
}

/// A random game, unless it is long or chance has a hand in it.
fn play(game: &'static str, dice: u64) -> Option<Script> {
    let (mut table, mut twin) = (open(game, "one"), open(game, "two"));
    let mut dice = dice.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut moves = Vec::new();
    while table.outcome().is_none() {
        if moves.len() > 40 || table.save().unwrap() != twin.save().unwrap() {
            return None;
        }
        let seat = table.awaiting().seats().iter().next()?;
        let legal = table.legal(seat);
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let action = legal.get(dice as usize % legal.len())?.clone();
        let step = moves.len() as u64 + 1;
        table.play(seat, &action, &Seed::from_text("one"), step).ok()?;
        twin.play(seat, &action, &Seed::from_text("two"), step).ok()?;
        moves.push((seat, action));
    }
    Some(Script { game, moves })
}

impl Script {
    /// Whether whoever made a move goes on with another.
    pub fn is_half(&self, number: usize) -> bool {
        let mover = |number: usize| self.moves.get(number).map(|(seat, _)| *seat);
        mover(number).is_some() && mover(number) == mover(number + 1)
    }

    /// The moves after which their makers go on.
    pub fn halves(&self) -> impl Iterator<Item = &(Seat, String)> {
        let halves = (0..self.moves.len()).filter(|&number| self.is_half(number));
        halves.map(|number| &self.moves[number])
    }

    /// How often somebody has been called when this many boards have been shown: whoever goes on is not called again.
    pub fn calls(&self, boards: usize) -> usize {
        let before = |number: usize| number.checked_sub(1).map(|before| self.moves[before].0);
        let movers = self.moves.iter().take(boards).enumerate();
        movers
            .filter(|(number, (seat, _))| before(*number) != Some(*seat))
            .count()
    }

    /// The public picture after so many moves, as Matrix shows it.
    pub fn picture(&self, moves: usize, names: [&str; 2]) -> Vec<u8> {
        widened(self.drawn(moves, names))
    }

    /// The same as it is drawn.
    pub fn drawn(&self, moves: usize, names: [&str; 2]) -> Vec<u8> {
        let mut table = open(self.game, "any");
        for (index, (seat, action)) in self.moves.iter().take(moves).enumerate() {
            table
                .play(*seat, action, &Seed::from_text("any"), index as u64 + 1)
                .unwrap();
        }
        let names = names.map(str::to_owned);
        let frame = Frame::new(Viewer::Public, &names);
        table.picture(&frame).unwrap()
    }
}
