//! Phwar for two as one writes it first: a grid with a border, and steps from cell to cell. It shares
//! nothing with the engine but the source of chance.

use parlor::game::GameRng;

const WIDTH: i32 = 13;
const STEPS: [i32; 6] = [-WIDTH, 1 - WIDTH, 1, WIDTH, WIDTH - 1, -1];
const QUIET_LIMIT: u32 = 100;

#[derive(Clone, Copy, PartialEq)]
enum Square {
    Off,
    Empty,
    Piece { owner: u8, charge: i8 },
}

#[derive(Clone)]
pub struct Plain {
    grid: [Square; 169],
    to_move: u8,
    quiet: u32,
    passes: u32,
    over: bool,
    seen: Vec<[Square; 169]>,
}

#[derive(Clone, Copy)]
enum Move {
    Slide(usize, usize),
    Capture(usize, usize),
    Pass,
}

fn index(q: i32, r: i32) -> usize {
    ((r + 6) * WIDTH + q + 6) as usize
}

fn step(at: usize, by: i32) -> usize {
    (at as i32 + by) as usize
}

impl Plain {
    pub fn opening() -> Self {
        let mut grid = [Square::Off; 169];
        for q in -5..=5_i32 {
            for r in -5..=5_i32 {
                if (q + r).abs() <= 5 {
                    grid[index(q, r)] = Square::Empty;
                }
            }
        }
        let men = [
            (0, -5, 0),
            (-2, -3, -1),
            (0, -4, -1),
            (0, -3, -1),
            (2, -5, -1),
            (-1, -4, 1),
            (-1, -3, 1),
            (1, -5, 1),
            (1, -4, 1),
        ];
        for (q, r, charge) in men {
            grid[index(q, r)] = Square::Piece { owner: 0, charge };
            grid[index(-q, -r)] = Square::Piece { owner: 1, charge };
        }
        Self {
            grid,
            to_move: 0,
            quiet: 0,
            passes: 0,
            over: false,
            seen: vec![grid],
        }
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for at in 0..self.grid.len() {
            if let Square::Piece { owner, .. } = self.grid[at]
                && owner != self.to_move
            {
                self.captures(at, &mut moves);
            }
        }
        if moves.is_empty() {
            for at in 0..self.grid.len() {
                if let Square::Piece { owner, .. } = self.grid[at]
                    && owner == self.to_move
                {
                    for by in STEPS {
                        let mut to = step(at, by);
                        while self.grid[to] == Square::Empty {
                            moves.push(Move::Slide(at, to));
                            to = step(to, by);
                        }
                    }
                }
            }
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves
    }

    fn captures(&self, victim: usize, moves: &mut Vec<Move>) {
        let (mut sum, mut own) = (0, Vec::new());
        for by in STEPS {
            let mut at = step(victim, by);
            while self.grid[at] == Square::Empty {
                at = step(at, by);
            }
            if let Square::Piece { owner, charge } = self.grid[at] {
                sum += charge;
                if owner == self.to_move {
                    own.push(at);
                }
            }
        }
        if sum == 0 && own.len() >= 2 {
            moves.extend(own.into_iter().map(|captor| Move::Capture(captor, victim)));
        }
    }

    fn play(&mut self, action: Move) {
        self.quiet += 1;
        self.passes = 0;
        match action {
            Move::Pass => self.passes += 1,
            Move::Slide(from, to) => self.shift(from, to),
            Move::Capture(from, to) => {
                self.shift(from, to);
                self.quiet = 0;
                self.seen.clear();
                let victim = 1 - self.to_move;
                let lacks = |charge| {
                    !self.grid.contains(&Square::Piece {
                        owner: victim,
                        charge,
                    })
                };
                self.over = lacks(-1) || lacks(0) || lacks(1);
            }
        }
        self.to_move = 1 - self.to_move;
        // Every second position had the same player to move.
        let before = self.seen.iter().rev().skip(1).step_by(2);
        let repeats = before.filter(|seen| **seen == self.grid).count();
        self.seen.push(self.grid);
        self.over |= repeats >= 2 || self.quiet >= QUIET_LIMIT || self.passes >= 2;
    }

    fn shift(&mut self, from: usize, to: usize) {
        self.grid[to] = self.grid[from];
        self.grid[from] = Square::Empty;
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if self.over {
            return 0;
        }
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .into_iter()
            .map(|action| {
                let mut after = self.clone();
                after.play(action);
                after.perft(depth - 1)
            })
            .sum()
    }

    /// Plays a random game and returns how many turns it took.
    pub fn playout(&mut self, rng: &mut GameRng) -> u32 {
        let mut turns = 0;
        while !self.over {
            let moves = self.moves();
            self.play(moves[rng.below(moves.len())]);
            turns += 1;
        }
        turns
    }
}
