//! Phwar a second time, slowly: written from the rules, with a map of axial coordinates and nothing shared
//! with the engine, so that both being wrong in the same way is unlikely.

use std::collections::HashMap;

type Place = (i32, i32);

const DIRECTIONS: [Place; 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// A particle: its owner, counted from zero, and `e`, `p` or `n`.
type Piece = (usize, char);

pub struct Slow {
    pub to_move: usize,
    pub history: Vec<String>,
    pieces: HashMap<Place, Piece>,
    seats: usize,
    centre: bool,
    quiet: u32,
    passes: usize,
    /// Everything that was ever on the board, with who was to move.
    seen: Vec<(Vec<(Place, Piece)>, usize)>,
    /// Who is out, first to last.
    out: Vec<usize>,
    ranks: Option<Vec<u8>>,
}

fn on_board((q, r): Place) -> bool {
    q.abs().max(r.abs()).max((q + r).abs()) <= 5
}

pub fn name((q, r): Place) -> String {
    let letter = char::from(b'A' + (q + 5) as u8);
    let odd = q.rem_euclid(2);
    format!("{letter}{}", r + (q - odd) / 2 + 6)
}

pub fn place(name: &str) -> Place {
    let q = i32::from(name.as_bytes()[0] - b'A') - 5;
    let number: i32 = name[1..].parse().unwrap();
    (q, number - 6 - (q - q.rem_euclid(2)) / 2)
}

fn charge(kind: char) -> i32 {
    match kind {
        'e' => -1,
        'p' => 1,
        _ => 0,
    }
}

impl Slow {
    pub fn opening(seats: u8, centre: bool) -> Self {
        let first = [
            ('n', vec!["F1"]),
            ('e', vec!["D2", "F2", "F3", "H2"]),
            ('p', vec!["E1", "E2", "G1", "G2"]),
        ];
        let seats = usize::from(seats);
        let mut pieces = HashMap::new();
        for seat in 0..seats {
            for (kind, names) in &first {
                for name in names {
                    let mut at = place(name);
                    // Sixty degrees clockwise, as often as it takes.
                    for _ in 0..seat * 6 / seats {
                        at = (-at.1, at.0 + at.1);
                    }
                    pieces.insert(at, (seat, *kind));
                }
            }
        }
        Self::with(pieces, seats, centre, 0)
    }

    pub fn with(pieces: HashMap<Place, Piece>, seats: usize, centre: bool, to_move: usize) -> Self {
        let mut slow = Self {
            to_move,
            history: Vec::new(),
            pieces,
            seats,
            centre,
            quiet: 0,
            passes: 0,
            seen: Vec::new(),
            out: Vec::new(),
            ranks: None,
        };
        slow.see();
        slow
    }

    pub fn ranks(&self) -> Option<Vec<u8>> {
        self.ranks.clone()
    }

    /// The legal actions in canonical notation, sorted as text.
    pub fn legal(&self) -> Vec<String> {
        if self.ranks.is_some() {
            return Vec::new();
        }
        let mut actions = self.captures();
        if actions.is_empty() {
            actions = self.slides();
        }
        if actions.is_empty() {
            actions.push("pass".to_owned());
        }
        actions.sort();
        actions
    }

    /// The nearest particle in each direction.
    fn in_sight(&self, from: Place) -> Vec<Place> {
        let nearest = |(dq, dr): Place| {
            (1..=10)
                .map(|steps| (from.0 + steps * dq, from.1 + steps * dr))
                .take_while(|&at| on_board(at))
                .find(|at| self.pieces.contains_key(at))
        };
        DIRECTIONS.into_iter().filter_map(nearest).collect()
    }

    fn captures(&self) -> Vec<String> {
        let mut captures = Vec::new();
        for (&victim, &(owner, _)) in &self.pieces {
            if owner == self.to_move {
                continue;
            }
            let sight = self.in_sight(victim);
            let sum: i32 = sight.iter().map(|at| charge(self.pieces[at].1)).sum();
            let own: Vec<&Place> = sight
                .iter()
                .filter(|at| self.pieces[at].0 == self.to_move)
                .collect();
            if sum == 0 && own.len() >= 2 {
                captures.extend(
                    own.iter()
                        .map(|&&captor| format!("{}x{}", name(captor), name(victim))),
                );
            }
        }
        captures
    }

    fn slides(&self) -> Vec<String> {
        let mut slides = Vec::new();
        for (&from, &(owner, _)) in &self.pieces {
            if owner != self.to_move {
                continue;
            }
            for (dq, dr) in DIRECTIONS {
                let mut at = (from.0 + dq, from.1 + dr);
                while on_board(at) && !self.pieces.contains_key(&at) {
                    slides.push(format!("{}-{}", name(from), name(at)));
                    if self.centre && at == (0, 0) {
                        break;
                    }
                    at = (at.0 + dq, at.1 + dr);
                }
            }
        }
        slides
    }

    pub fn play(&mut self, action: &str) {
        self.history.push(action.to_owned());
        self.quiet += 1;
        let mut arrived = None;
        if action == "pass" {
            self.passes += 1;
        } else {
            self.passes = 0;
            let (from, to) = action.split_once(['-', 'x']).unwrap();
            let (from, to) = (place(from), place(to));
            let piece = self.pieces.remove(&from).unwrap();
            arrived = Some((piece, to));
            if let Some((victim, _)) = self.pieces.insert(to, piece) {
                self.quiet = 0;
                let whole = ['e', 'p', 'n']
                    .iter()
                    .all(|&kind| self.pieces.values().any(|&piece| piece == (victim, kind)));
                if !whole {
                    self.remove(victim);
                }
            }
        }
        if self.centre && matches!(arrived, Some(((_, 'n'), (0, 0)))) {
            let mut ranks = self.ranks_of_those_out();
            for seat in self.inside() {
                ranks[seat] = if seat == self.to_move { 1 } else { 2 };
            }
            self.ranks = Some(ranks);
            return;
        }
        if self.last_one() {
            return;
        }
        self.next();
        self.see();
        let now = self.seen.last().unwrap();
        let third = self.seen.iter().filter(|&seen| seen == now).count() >= 3;
        let limit = if self.seats == 3 { 150 } else { 100 };
        if third || self.quiet >= limit || self.passes >= self.inside().len() {
            self.ranks = Some(self.ranks_of_those_out());
        }
    }

    pub fn leave(&mut self, seat: usize) {
        if self.ranks.is_some() || self.out.contains(&seat) {
            return;
        }
        self.history.push(format!("({} leaves)", seat + 1));
        self.remove(seat);
        if self.last_one() {
            return;
        }
        if self.to_move == seat {
            self.next();
        }
        // A pass before somebody left does not count towards all having passed.
        self.passes = 0;
        self.see();
    }

    fn inside(&self) -> Vec<usize> {
        (0..self.seats).filter(|seat| !self.out.contains(seat)).collect()
    }

    fn remove(&mut self, seat: usize) {
        self.pieces.retain(|_, piece| piece.0 != seat);
        self.out.push(seat);
    }

    fn last_one(&mut self) -> bool {
        let alone = self.inside().len() == 1;
        if alone {
            self.ranks = Some(self.ranks_of_those_out());
        }
        alone
    }

    /// The first to go is last; all who are still in it are first.
    fn ranks_of_those_out(&self) -> Vec<u8> {
        let mut ranks = vec![1; self.seats];
        for (place, &seat) in self.out.iter().enumerate() {
            ranks[seat] = (self.seats - place) as u8;
        }
        ranks
    }

    fn next(&mut self) {
        loop {
            self.to_move = (self.to_move + 1) % self.seats;
            if !self.out.contains(&self.to_move) {
                return;
            }
        }
    }

    fn see(&mut self) {
        let mut board: Vec<(Place, Piece)> = self.pieces.iter().map(|(&at, &piece)| (at, piece)).collect();
        board.sort_unstable();
        self.seen.push((board, self.to_move));
    }
}
