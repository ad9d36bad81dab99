//! Phase-Fabric a second time, straight from the rules and as slowly as they read: nothing is kept,
//! everything is asked anew of every piece. Shares no code with the engine.

use std::collections::BTreeMap;

use crate::perft::count_sequences;

type Place = (i32, i32);

const COMPASS: [(char, Place); 4] = [('N', (0, 1)), ('E', (1, 0)), ('S', (0, -1)), ('W', (-1, 0))];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub owner: usize,
    /// `A`, `P`, or the facing of a Relay.
    pub sort: char,
}

#[derive(Clone, Debug)]
pub struct Slow {
    pub size: i32,
    pub target: u32,
    pub board: BTreeMap<Place, Piece>,
    pub scores: [u32; 2],
    pub placed: u32,
    pub mover: usize,
    pub over: bool,
}

pub fn name((file, rank): Place) -> String {
    format!("{}{}", &"abcdefghij"[file as usize..=file as usize], rank + 1)
}

fn place(name: &str) -> Place {
    let file = "abcdefghij".find(&name[..1]).expect("a file");
    (file as i32, name[1..].parse::<i32>().expect("a rank") - 1)
}

impl Slow {
    pub fn new(size: i32, target: u32) -> Self {
        Self {
            size,
            target,
            board: BTreeMap::new(),
            scores: [0; 2],
            placed: 0,
            mover: 0,
            over: false,
        }
    }

    pub fn cells(&self) -> Vec<Place> {
        let side = 0..self.size;
        side.clone()
            .flat_map(|file| side.clone().map(move |rank| (file, rank)))
            .collect()
    }

    fn on_board(&self, (file, rank): Place) -> bool {
        file >= 0 && rank >= 0 && file < self.size && rank < self.size
    }

    /// The energy that Anchors give a place: one for each Anchor that is a king's step away.
    fn anchor_energy(&self, at: Place) -> u32 {
        if !self.on_board(at) {
            return 0;
        }
        let near = |from: &Place| *from != at && (from.0 - at.0).abs() <= 1 && (from.1 - at.1).abs() <= 1;
        self.board
            .iter()
            .filter(|(from, piece)| piece.sort == 'A' && near(from))
            .count() as u32
    }

    /// All energy of a place.
    pub fn energy(&self, at: Place) -> u32 {
        let mut total = self.anchor_energy(at);
        for (&(file, rank), piece) in &self.board {
            for (letter, (east, north)) in COMPASS {
                if piece.sort != letter {
                    continue;
                }
                let hits = (1..=3).any(|far| (file + far * east, rank + far * north) == at);
                if hits {
                    total += self.anchor_energy((file - east, rank - north)) + 1;
                }
            }
        }
        total
    }

    pub fn overloaded(&self) -> Vec<Place> {
        self.cells()
            .into_iter()
            .filter(|&cell| self.energy(cell) >= 5)
            .collect()
    }

    pub fn legal(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let mut all = Vec::new();
        for cell in self.cells() {
            if self.board.contains_key(&cell) {
                continue;
            }
            let at = name(cell);
            all.extend([format!("A {at}"), format!("P {at}")]);
            all.extend("NESW".chars().map(|facing| format!("R {at} {facing}")));
        }
        all
    }

    pub fn play(&mut self, action: &str) {
        let words: Vec<&str> = action.split(' ').collect();
        let sort = if words[0] == "R" { words[2] } else { words[0] };
        let sort = sort.chars().next().expect("a sort");
        let piece = Piece {
            owner: self.mover,
            sort,
        };
        assert!(self.board.insert(place(words[1]), piece).is_none());
        self.placed += 1;

        let hot = self.overloaded();
        let near = |at: &Place| {
            hot.iter()
                .any(|cell| (cell.0 - at.0).abs() <= 1 && (cell.1 - at.1).abs() <= 1)
        };
        let gone: Vec<Place> = self.board.keys().copied().filter(near).collect();
        for at in gone {
            let piece = self.board.remove(&at).expect("it was there");
            self.scores[self.mover] += if piece.owner == self.mover { 1 } else { 2 };
        }

        for (&(file, rank), piece) in &self.board {
            if piece.sort != 'P' {
                continue;
            }
            for pair in [
                [(file, rank + 1), (file, rank - 1)],
                [(file + 1, rank), (file - 1, rank)],
            ] {
                let [one, other] = pair.map(|at| self.energy(at));
                if pair.iter().all(|&at| self.on_board(at)) && one == other {
                    self.scores[piece.owner] += one;
                }
            }
        }

        let full = self.board.len() as i32 == self.size * self.size;
        self.over = self.scores.iter().any(|&score| score >= self.target) || full || self.placed == 1000;
        self.mover = 1 - self.mover;
    }

    /// Sequences of `depth` actions.
    pub fn perft(&self, depth: u32) -> u64 {
        count_sequences(self, depth, Self::legal, Self::play)
    }
}
