//! GlyphGrid once more, slowly: written from the rules file alone, with names instead of bits.
//!
//! Nothing is generated here. Every glyph, every start and every goal is tried, and a predicate says
//! yes or no. Shares no code with the engine, so the two can check each other.

use std::collections::BTreeMap;

use crate::perft::count_sequences;

/// A square as file and rank, both from 1.
type At = (i32, i32);

/// `C` and `S` for the side that begins, `c` and `s` for the other.
type Piece = char;

#[derive(Clone, Debug)]
pub struct Slow {
    pub pieces: BTreeMap<At, Piece>,
    /// `+` for the side that begins, `-` for the other.
    pub marks: BTreeMap<At, char>,
    /// Where the last mover stands on the enemy's mark.
    pending: Option<At>,
    /// Whether the side that began is to move.
    upper: bool,
    moves: u32,
    swap_allowed: bool,
    swapped: bool,
    past: Vec<String>,
    /// Ranks of seat 1 and 2.
    pub result: Option<[u8; 2]>,
}

const GLYPHS: [&str; 5] = ["vector", "lance", "arc", "pulse", "anchor"];

pub fn name(at: At) -> String {
    format!("{}{}", (b'a' + at.0 as u8 - 1) as char, at.1)
}

fn at(name: &str) -> At {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a') + 1, i32::from(bytes[1] - b'0'))
}

fn on_board(at: At) -> bool {
    (1..=7).contains(&at.0) && (1..=7).contains(&at.1)
}

fn everywhere() -> impl Iterator<Item = At> {
    (1..=7).flat_map(|rank| (1..=7).map(move |file| (file, rank)))
}

impl Slow {
    pub fn opening(swap_allowed: bool, opening: &str) -> Self {
        let (core, shards) = match opening {
            "classic" => ("d1", ["a2", "c2", "e2", "g2"]),
            _ => ("d1", ["b2", "c2", "e2", "f2"]),
        };
        let across = |at: At| (at.0, 8 - at.1);
        let core = at(core);
        let mut pieces = BTreeMap::from([(core, 'C'), (across(core), 'c')]);
        for shard in shards.map(at) {
            pieces.insert(shard, 'S');
            pieces.insert(across(shard), 's');
        }
        let mut slow = Self {
            pieces,
            marks: BTreeMap::from([(core, '+'), (across(core), '-')]),
            pending: None,
            upper: true,
            moves: 0,
            swap_allowed,
            swapped: false,
            past: Vec::new(),
            result: None,
        };
        slow.past.push(slow.describe());
        slow
    }

    fn describe(&self) -> String {
        format!(
            "{:?} {:?} {:?} {}",
            self.pieces, self.marks, self.pending, self.upper
        )
    }

    /// The seat to move, from 1.
    pub fn seat(&self) -> u8 {
        match (self.upper, self.swapped) {
            (true, false) | (false, true) => 1,
            (true, true) | (false, false) => 2,
        }
    }

    fn is_upper(&self, at: At) -> Option<bool> {
        self.pieces.get(&at).map(char::is_ascii_uppercase)
    }

    fn is_core(&self, at: At) -> bool {
        matches!(self.pieces.get(&at), Some('C' | 'c'))
    }

    fn sign(upper: bool) -> char {
        if upper { '+' } else { '-' }
    }

    /// Whether the piece of `upper` on `from` may go to `to` by this glyph.
    fn allowed(&self, upper: bool, glyph: &str, from: At, to: At) -> bool {
        if self.is_upper(from) != Some(upper) {
            return false;
        }
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let distance = dx.abs().max(dy.abs());
        let target = self.is_upper(to);
        let is_enemy = target == Some(!upper);
        let enemy_sign = Some(&Self::sign(!upper));
        let may_land = target.is_none() || is_enemy && (self.is_core(from) || self.is_core(to));
        match glyph {
            "vector" => distance == 1 && may_land,
            "lance" => {
                let straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
                let between = (from.0 + dx / 2, from.1 + dy / 2);
                distance == 2 && straight && !self.pieces.contains_key(&between) && may_land
            }
            "arc" => dx.abs() * dy.abs() == 2 && may_land,
            "pulse" => {
                let protected = self.marks.get(&to) == enemy_sign;
                let shard_on_core = !self.is_core(from) && self.is_core(to);
                distance == 1 && is_enemy && !protected && !shard_on_core
            }
            "anchor" => match distance {
                0 => self.marks.get(&from) != Some(&Self::sign(upper)),
                1 => target.is_none() && self.marks.get(&to) == enemy_sign,
                _ => false,
            },
            other => panic!("no glyph is called {other}"),
        }
    }

    /// All legal actions as they are written.
    pub fn legal(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.result.is_some() {
            return all;
        }
        for glyph in GLYPHS {
            for from in everywhere().filter(|from| self.pieces.contains_key(from)) {
                for to in everywhere().filter(|&to| self.allowed(self.upper, glyph, from, to)) {
                    all.push(if from == to {
                        format!("{glyph} {}", name(from))
                    } else {
                        format!("{glyph} {}-{}", name(from), name(to))
                    });
                }
            }
        }
        if self.swap_allowed && self.moves == 1 && !self.swapped {
            all.push("swap".to_owned());
        }
        all.sort();
        all
    }

    fn core_of(&self, upper: bool) -> Option<At> {
        let wanted = if upper { 'C' } else { 'c' };
        self.pieces
            .iter()
            .find(|&(_, &piece)| piece == wanted)
            .map(|(&at, _)| at)
    }

    fn marks_win(&self, upper: bool) -> bool {
        let has = |at: At| self.marks.get(&at) == Some(&Self::sign(upper));
        let count = everywhere().filter(|&at| has(at)).count();
        let line = everywhere().any(|(x, y)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dx, dy)| (0..4).all(|step| has((x + dx * step, y + dy * step))))
        });
        let block = everywhere()
            .any(|(x, y)| has((x, y)) && has((x + 1, y)) && has((x, y + 1)) && has((x + 1, y + 1)));
        count >= 6 || line || block
    }

    fn win(&mut self, upper: bool) {
        let winner = match (upper, self.swapped) {
            (true, false) | (false, true) => 1,
            (true, true) | (false, false) => 2,
        };
        self.result = Some(if winner == 1 { [1, 2] } else { [2, 1] });
    }

    pub fn play(&mut self, action: &str) {
        if action == "swap" {
            self.swapped = true;
            return;
        }
        let me = self.upper;
        let due = self.pending.take();
        let (glyph, squares) = action.split_once(' ').expect("glyph and squares");
        let (from, to) = match squares.split_once('-') {
            Some((from, to)) => (at(from), at(to)),
            None => (at(squares), at(squares)),
        };
        let was_empty = !self.pieces.contains_key(&to);
        let on_enemy_mark = self.marks.get(&to) == Some(&Self::sign(!me));
        let mover = self.pieces.remove(&from).expect("a piece");
        let met = self.pieces.insert(to, mover);
        if glyph == "pulse" {
            let behind = (2 * to.0 - from.0, 2 * to.1 - from.1);
            // The mover has left `from`, which is never the square behind.
            if on_board(behind) && !self.pieces.contains_key(&behind) {
                self.pieces.insert(behind, met.expect("an enemy"));
            }
        }
        if glyph == "anchor" {
            self.marks.insert(to, Self::sign(me));
        }
        if ["vector", "lance", "arc"].contains(&glyph) && was_empty && on_enemy_mark {
            self.pending = Some(to);
        }
        self.moves += 1;
        self.judge(me, due);
    }

    fn judge(&mut self, me: bool, due: Option<At>) {
        let Some((x, y)) = self.core_of(!me) else {
            return self.win(me);
        };
        if self.marks_win(me) {
            return self.win(me);
        }
        let sides = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
        if sides.iter().all(|&side| self.is_upper(side) == Some(me)) {
            return self.win(me);
        }
        self.upper = !me;
        if let Some(square) = due
            && self.is_upper(square) == Some(!me)
        {
            self.marks.insert(square, Self::sign(!me));
            if self.marks_win(!me) {
                return self.win(!me);
            }
        }
        let core = (x, y);
        let mobile = GLYPHS
            .iter()
            .any(|glyph| everywhere().any(|to| to != core && self.allowed(!me, glyph, core, to)));
        if !mobile {
            return self.win(me);
        }
        let now = self.describe();
        self.past.push(now.clone());
        if self.past.iter().filter(|&past| *past == now).count() >= 3 || self.moves >= 200 {
            self.result = Some([1, 1]);
        }
    }

    /// How many sequences of exactly `depth` actions there are.
    pub fn perft(&self, depth: u32) -> u64 {
        count_sequences(self, depth, Self::legal, Self::play)
    }
}
