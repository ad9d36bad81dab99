//! Games of a few lines, to be solved by hand or by brute force: [`Rules`] is all that one has to write.

use std::fmt::Debug;

use parlor::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Insight, Meta, NotationError, OptionValues, Outcome,
    Seat, TurnLength, Viewer,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The rules of a small game; actions are numbers.
pub trait Rules: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Whether nothing is hidden and no chance comes.
    const CERTAIN: bool;

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Awaiting;
    /// In ascending order; only asked of seats that are awaited.
    fn legal(&self, seat: Seat) -> Vec<u8>;
    fn act(&mut self, seat: Seat, action: u8);
    /// Each seat's rank, once it is over.
    fn ranks(&self) -> Option<Vec<u8>>;

    /// What the seat has not seen is dealt anew.
    fn imagine(&self, seat: Seat, rng: &mut GameRng) -> Self {
        let _ = (seat, rng);
        self.clone()
    }
}

/// Who is awaited in a game of one word, which the first seat says.
fn until_said(word: Option<u8>) -> Awaiting {
    word.map_or(Awaiting::Turn(Seat::new(0)), |_| Awaiting::Over)
}

/// A small game, as every game is played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Sketch<R: Rules>(pub R);

static META: Meta = Meta {
    id: "sketch",
    name: "Sketch",
    tagline: "A few lines.",
    designer: "nobody",
    example: "pass",
    seats: 2..=3,
    information: Information::Hidden,
    turn_length: TurnLength::One,
    rules_version: 1,
    bound: 200,
    options: &[],
    rulebook_clock: None,
};

impl<R: Rules> Insight for Sketch<R> {
    fn is_certain(&self) -> bool {
        R::CERTAIN
    }
}

impl<R: Rules> Game for Sketch<R> {
    const META: &'static Meta = &META;
    type Action = u8;
    type Event = ();
    type View = ();

    fn new(_options: &OptionValues, _seats: u8, _rng: &mut GameRng) -> Self {
        unreachable!("sketches are started by hand")
    }

    fn seats(&self) -> u8 {
        self.0.seats()
    }

    fn awaiting(&self) -> Awaiting {
        self.0.awaiting()
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<u8>) {
        if self.awaiting().includes(seat) {
            out.extend(self.0.legal(seat));
        }
    }

    fn play<C: Chronicle<()>>(&mut self, seat: Seat, action: &u8, _rng: &mut GameRng, _told: &mut C) {
        self.0.act(seat, *action);
    }

    fn withdraw<C: Chronicle<()>>(&mut self, _seat: Seat, _rng: &mut GameRng, _told: &mut C) {}

    fn outcome(&self) -> Option<Outcome> {
        self.0.ranks().map(|ranks| Outcome::new(ranks, "over"))
    }

    fn view(&self, _viewer: Viewer) {}

    fn notate(&self, _seat: Seat, action: &u8) -> String {
        action.to_string()
    }

    fn parse<'t>(&self, _seat: Seat, text: &'t str) -> Result<(u8, &'t str), NotationError> {
        let action = text.trim().parse();
        action
            .map(|action| (action, ""))
            .map_err(|_| NotationError::illegal("a number is wanted".to_owned()))
    }

    fn determinize(&self, seat: Seat, rng: &mut GameRng) -> Self {
        Self(self.0.imagine(seat, rng))
    }
}

// The games ---------------------------------------------------------------------------------------------------------

/// Three in a row. `CERTAIN` lets the search prove things, or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Noughts<const CERTAIN: bool> {
    pub cells: [u8; 9],
}

impl<const CERTAIN: bool> Noughts<CERTAIN> {
    fn moves(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell != 0).count()
    }

    fn winner(&self) -> Option<u8> {
        const LINES: [[usize; 3]; 8] = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        let same = |line: &&[usize; 3]| {
            let first = self.cells[line[0]];
            first != 0 && line.iter().all(|&cell| self.cells[cell] == first)
        };
        LINES.iter().find(same).map(|line| self.cells[line[0]])
    }
}

impl<const CERTAIN: bool> Rules for Noughts<CERTAIN> {
    const CERTAIN: bool = CERTAIN;

    fn awaiting(&self) -> Awaiting {
        if self.ranks().is_some() {
            Awaiting::Over
        } else {
            Awaiting::Turn(Seat::new((self.moves() % 2) as u8))
        }
    }

    fn legal(&self, _seat: Seat) -> Vec<u8> {
        (0..9)
            .filter(|&cell| self.cells[usize::from(cell)] == 0)
            .collect()
    }

    fn act(&mut self, seat: Seat, action: u8) {
        self.cells[usize::from(action)] = seat.number();
    }

    fn ranks(&self) -> Option<Vec<u8>> {
        match self.winner() {
            Some(1) => Some(vec![1, 2]),
            Some(_) => Some(vec![2, 1]),
            None => (self.moves() == 9).then(|| vec![1, 1]),
        }
    }
}

/// Whoever takes the last thing wins. An action is ten times the heap plus how many are taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Nim<const CERTAIN: bool> {
    pub heaps: [u8; 3],
    pub turn: u8,
}

impl<const CERTAIN: bool> Rules for Nim<CERTAIN> {
    const CERTAIN: bool = CERTAIN;

    fn awaiting(&self) -> Awaiting {
        if self.heaps == [0; 3] {
            Awaiting::Over
        } else {
            Awaiting::Turn(Seat::new(self.turn))
        }
    }

    fn legal(&self, _seat: Seat) -> Vec<u8> {
        let heaps = (0u8..).zip(self.heaps);
        heaps
            .flat_map(|(heap, size)| (1..=size).map(move |count| heap * 10 + count))
            .collect()
    }

    fn act(&mut self, _seat: Seat, action: u8) {
        self.heaps[usize::from(action / 10)] -= action % 10;
        self.turn = 1 - self.turn;
    }

    fn ranks(&self) -> Option<Vec<u8>> {
        // Whoever would be next has not taken the last.
        let lost = |seat: u8| if seat == self.turn { 2 } else { 1 };
        (self.heaps == [0; 3]).then(|| vec![lost(0), lost(1)])
    }
}

/// A tree of choices of three players, with their ranks at the leaves, all drawn by lot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thicket<const CERTAIN: bool> {
    pub lot: u64,
    pub way: Vec<u8>,
}

impl<const CERTAIN: bool> Thicket<CERTAIN> {
    pub const DEPTH: usize = 4;
    pub const WIDTH: u8 = 2;

    fn hash(&self) -> u64 {
        use parlor::game::rng::mix;
        self.way.iter().fold(mix(self.lot + 1), |hash, &step| {
            mix(hash ^ mix(u64::from(step) + 7))
        })
    }
}

impl<const CERTAIN: bool> Rules for Thicket<CERTAIN> {
    const CERTAIN: bool = CERTAIN;

    fn seats(&self) -> u8 {
        3
    }

    fn awaiting(&self) -> Awaiting {
        if self.way.len() == Self::DEPTH {
            Awaiting::Over
        } else {
            Awaiting::Turn(Seat::new((self.way.len() % 3) as u8))
        }
    }

    fn legal(&self, _seat: Seat) -> Vec<u8> {
        (0..Self::WIDTH).collect()
    }

    fn act(&mut self, _seat: Seat, action: u8) {
        self.way.push(action);
    }

    fn ranks(&self) -> Option<Vec<u8>> {
        const ORDERS: [[u8; 3]; 6] = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
        (self.way.len() == Self::DEPTH).then(|| ORDERS[(self.hash() % 6) as usize].to_vec())
    }
}

/// Both have a card that the other doesn't see. The first says whether they are shown: then the higher one wins;
/// otherwise it is a draw.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Showdown {
    pub cards: [u8; 2],
    pub said: Option<u8>,
}

impl Showdown {
    pub const HIGHEST: u8 = 9;
    pub const LEAVE: u8 = 0;
    pub const SHOW: u8 = 1;
}

impl Rules for Showdown {
    const CERTAIN: bool = false;

    fn awaiting(&self) -> Awaiting {
        until_said(self.said)
    }

    fn legal(&self, _seat: Seat) -> Vec<u8> {
        vec![Self::LEAVE, Self::SHOW]
    }

    fn act(&mut self, _seat: Seat, action: u8) {
        self.said = Some(action);
    }

    fn ranks(&self) -> Option<Vec<u8>> {
        Some(match self.said? {
            Self::SHOW if self.cards[0] > self.cards[1] => vec![1, 2],
            Self::SHOW => vec![2, 1],
            _ => vec![1, 1],
        })
    }

    fn imagine(&self, seat: Seat, rng: &mut GameRng) -> Self {
        let mut world = self.clone();
        let own = self.cards[seat.index()];
        let others: Vec<u8> = (1..=Self::HIGHEST).filter(|&card| card != own).collect();
        world.cards[1 - seat.index()] = *rng.choose(&others).unwrap();
        world
    }
}

/// One hides in one of ten places, the other looks into one, both at once. Whoever is `cautious` may call it off instead,
/// which is a draw.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hide {
    pub cautious: Seat,
    pub chosen: [Option<u8>; 2],
}

impl Hide {
    pub const PLACES: u8 = 10;
    pub const CALL_OFF: u8 = 10;
}

impl Rules for Hide {
    const CERTAIN: bool = false;

    fn awaiting(&self) -> Awaiting {
        let open = Seat::all(2).filter(|seat| self.chosen[seat.index()].is_none());
        match open.clone().count() {
            0 => Awaiting::Over,
            _ => Awaiting::Each(open.collect()),
        }
    }

    fn legal(&self, seat: Seat) -> Vec<u8> {
        let mut legal: Vec<u8> = (0..Self::PLACES).collect();
        if seat == self.cautious {
            legal.push(Self::CALL_OFF);
        }
        legal
    }

    fn act(&mut self, seat: Seat, action: u8) {
        self.chosen[seat.index()] = Some(action);
    }

    fn ranks(&self) -> Option<Vec<u8>> {
        let [Some(hidden), Some(sought)] = self.chosen else {
            return None;
        };
        Some(if hidden == Self::CALL_OFF || sought == Self::CALL_OFF {
            vec![1, 1]
        } else if hidden == sought {
            vec![2, 1]
        } else {
            vec![1, 2]
        })
    }

    fn imagine(&self, seat: Seat, rng: &mut GameRng) -> Self {
        let mut world = self.clone();
        let other = &mut world.chosen[1 - seat.index()];
        if other.is_some() {
            *other = Some(rng.below(usize::from(Self::PLACES)) as u8);
        }
        world
    }
}

/// The first chooses between losing alone and pulling the other along.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Spite {
    pub said: Option<u8>,
}

impl Spite {
    pub const ALONE: u8 = 0;
    pub const BOTH: u8 = 1;
}

impl Rules for Spite {
    const CERTAIN: bool = true;

    fn awaiting(&self) -> Awaiting {
        until_said(self.said)
    }

    fn legal(&self, _seat: Seat) -> Vec<u8> {
        vec![Self::ALONE, Self::BOTH]
    }

    fn act(&mut self, _seat: Seat, action: u8) {
        self.said = Some(action);
    }

    fn ranks(&self) -> Option<Vec<u8>> {
        let own_rank_and_other = |said| {
            if said == Self::BOTH {
                vec![2, 2]
            } else {
                vec![2, 1]
            }
        };
        self.said.map(own_rank_and_other)
    }
}
