//! What a player of a blind variant knows of the commands that lie face down.
//!
//! For its owner a command is *loose* while it is neither on the table, nor out of the game, nor in
//! the own hand: it lies in the supply, in the other hand, or was set aside unseen at the start. Who
//! sees a command go back to the supply (ATTENUATE; one's own hand under AGGRAVATE) knows that
//! nothing the other drew before can be that command. So the other's blind draws are numbered, a
//! loose command carries the number of the first draw that could have taken it, and each face-down
//! block in the other hand carries the number of its draw.
//!
//! The other shows a command by playing it, not by which draw it came from. Where several fit, the
//! one is taken off that leaves most open: the oldest draw that can have brought it.
//!
//! A player also sees whether a command can be drawn at all, which tells that some kinds are, or are
//! not, in the supply. What is not followed: that an enemy ACCELERATE or AUTOMATE stopped short for want
//! of a fitting command (it takes an empty colour supply), and that the hand limit held at each earlier
//! draw as it holds now.

use serde::{Deserialize, Serialize};

use super::kind::{COMMANDS, Kind};
use super::stock::Stock;
use crate::game::GameRng;

/// The most commands a hand can hold: one of each of six kinds and two AUTHENTICATE.
const MOST_HELD: usize = 8;

/// A set of kinds of command, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self((1 << COMMANDS) - 1);

    pub fn of(kinds: impl Iterator<Item = Kind>) -> Self {
        Self(
            kinds
                .filter_map(Kind::command_index)
                .fold(0, |set, index| set | 1 << index),
        )
    }

    pub fn contains(self, kind: Kind) -> bool {
        kind.command_index().is_some_and(|index| self.0 & 1 << index != 0)
    }

    fn remove(&mut self, kind: Kind) {
        if let Some(index) = kind.command_index() {
            self.0 &= !(1 << index);
        }
    }

    const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

/// What one seat knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Knowledge {
    /// Blind draws of the other seat so far.
    draws: u16,
    /// The draws that brought what the other holds face down, ascending.
    held: Row<MOST_HELD>,
    /// For each kind of command its loose ones: the first draw that could have taken it, ascending; 0
    /// for one that was never seen.
    loose: [Row<4>; COMMANDS],
    /// Kinds that are surely not in the supply.
    absent: Kinds,
    /// At least one of these kinds is in the supply. All of them: nothing is known.
    among: Kinds,
}

impl Knowledge {
    /// At the start, or of a position without a history: `loose` are the commands that the seat does
    /// not see, and the other seat holds `held` of them.
    pub fn new(loose: Stock, held: u8) -> Self {
        let mut knowledge = Self {
            draws: 0,
            held: Row::EMPTY,
            loose: [Row::EMPTY; COMMANDS],
            absent: Kinds::NONE,
            among: Kinds::ALL,
        };
        for kind in loose.commands().blocks() {
            knowledge.loosen(kind, 0);
        }
        for _ in 0..held {
            knowledge.other_drew();
        }
        knowledge
    }

    fn loosen(&mut self, kind: Kind, first: u16) {
        if let Some(index) = kind.command_index() {
            self.loose[index].insert(first);
        }
    }

    /// The other seat has drawn a command blindly.
    pub fn other_drew(&mut self) {
        self.draws += 1;
        self.held.insert(self.draws);
        self.among = Kinds::ALL;
    }

    /// A command has left the supply before this seat's eyes: into its own hand or onto the table.
    /// The one that was seen in the supply last is taken for it; that leaves most open.
    pub fn saw_leave(&mut self, kind: Kind) {
        if let Some(index) = kind.command_index() {
            self.loose[index].pop();
        }
        self.among = Kinds::ALL;
    }

    /// A command has gone back to the supply before this seat's eyes.
    pub fn saw_return(&mut self, kind: Kind) {
        self.loosen(kind, self.draws + 1);
        self.absent.remove(kind);
    }

    /// The other seat has played a command from its hand.
    pub fn other_played(&mut self, kind: Kind) {
        let Some(index) = kind.command_index() else {
            return;
        };
        let loose = &mut self.loose[index];
        let oldest = loose.get(0).unwrap_or(0);
        let draw = self.held.as_slice().iter().position(|&draw| draw >= oldest);
        if let Some(draw) = self.held.take(draw.unwrap_or(0)) {
            let latest = loose.as_slice().iter().rposition(|&first| first <= draw);
            loose.take(latest.unwrap_or(0));
        }
    }

    /// The other hand has gone back to the supply but for one block; `command` tells whether that is
    /// a command.
    pub fn other_kept(&mut self, command: bool) {
        let last = self.held.pop().filter(|_| command);
        self.held = Row::EMPTY;
        if let Some(draw) = last {
            self.held.insert(draw);
        }
        self.absent = Kinds::NONE;
    }

    /// This seat was offered, or not, a blind command; `fitting` are the kinds it could have been.
    pub(super) fn looked(&mut self, fitting: Kinds, offered: bool) {
        if !offered {
            self.absent = Kinds(self.absent.0 | fitting.0);
        } else if !self.among.is_within(fitting) {
            self.among = fitting;
        }
    }

    /// The commands that this seat does not see.
    pub fn unseen(&self) -> Stock {
        let blocks = |kind: Kind| {
            let count = kind.command_index().map_or(0, |index| self.loose[index].len);
            std::iter::repeat_n(kind, usize::from(count))
        };
        Kind::commands().flat_map(blocks).collect()
    }

    /// How many commands the other seat holds face down.
    pub const fn count_held(&self) -> u8 {
        self.held.len
    }

    /// Makes the loose commands agree with what the seat can't see in an imagined world.
    pub fn agree_with(&mut self, unseen: Stock) {
        for kind in Kind::commands() {
            let Some(index) = kind.command_index() else {
                continue;
            };
            while self.loose[index].len > unseen.count(kind) {
                self.loose[index].pop();
            }
            while self.loose[index].len < unseen.count(kind) {
                self.loose[index].insert(0);
            }
        }
    }

    /// One way in which the loose commands may lie, or nothing if the dice led into a dead end.
    /// `aside` of them are those set aside at the start.
    pub(super) fn imagine(&self, aside: u8, rng: &mut GameRng) -> Option<Imagined> {
        let mut loose = [(Kind::Authenticate, 0); 16];
        let mut count = 0;
        for (kind, row) in Kind::commands().zip(&self.loose) {
            for &first in row.as_slice() {
                *loose.get_mut(count)? = (kind, first);
                count += 1;
            }
        }
        let mut left = &mut loose[..count];
        rng.shuffle(left);

        let mut imagined = Imagined::default();
        for &draw in self.held.as_slice() {
            let fits = |(kind, first): &(Kind, u16)| {
                *first <= draw && imagined.held.count(*kind) < kind.hand_limit()
            };
            let index = left.iter().position(fits)?;
            imagined.held.add(left[index].0);
            left = without(left, index);
        }
        for _ in 0..aside {
            let never_seen = |(kind, first): &(Kind, u16)| *first == 0 && *kind != Kind::Authenticate;
            let index = left.iter().position(never_seen)?;
            imagined.aside.add(left[index].0);
            left = without(left, index);
        }
        imagined.supply = left.iter().map(|&(kind, _)| kind).collect();
        let mut kinds = imagined.supply.kinds();
        let clash = kinds.clone().any(|kind| self.absent.contains(kind));
        let found = self.among == Kinds::ALL || kinds.any(|kind| self.among.contains(kind));
        (!clash && found).then_some(imagined)
    }
}

/// A way in which face-down commands may lie.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Imagined {
    /// In the other hand.
    pub held: Stock,
    pub supply: Stock,
    pub aside: Stock,
}

/// The items but for one; the last takes its place.
fn without<T>(items: &mut [T], index: usize) -> &mut [T] {
    let last = items.len() - 1;
    items.swap(index, last);
    &mut items[..last]
}

/// A few numbers in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row<const N: usize> {
    numbers: [u16; N],
    len: u8,
}

impl<const N: usize> Row<N> {
    const EMPTY: Self = Self {
        numbers: [0; N],
        len: 0,
    };

    fn as_slice(&self) -> &[u16] {
        &self.numbers[..usize::from(self.len)]
    }

    fn get(&self, index: usize) -> Option<u16> {
        self.as_slice().get(index).copied()
    }

    fn insert(&mut self, number: u16) {
        let len = usize::from(self.len);
        if len == N {
            return;
        }
        let place = self.as_slice().partition_point(|&other| other <= number);
        self.numbers.copy_within(place..len, place + 1);
        self.numbers[place] = number;
        self.len += 1;
    }

    fn take(&mut self, index: usize) -> Option<u16> {
        let number = self.get(index)?;
        let len = usize::from(self.len);
        self.numbers.copy_within(index + 1..len, index);
        self.numbers[len - 1] = 0;
        self.len -= 1;
        Some(number)
    }

    fn pop(&mut self) -> Option<u16> {
        self.take(usize::from(self.len).checked_sub(1)?)
    }
}

/// [`Knowledge`] as it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    draws: u16,
    held: Vec<u16>,
    loose: Vec<Vec<u16>>,
    absent: Kinds,
    among: Kinds,
}

impl From<Knowledge> for Written {
    fn from(knowledge: Knowledge) -> Self {
        Self {
            draws: knowledge.draws,
            held: knowledge.held.as_slice().to_vec(),
            loose: knowledge
                .loose
                .iter()
                .map(|row| row.as_slice().to_vec())
                .collect(),
            absent: knowledge.absent,
            among: knowledge.among,
        }
    }
}

impl TryFrom<Written> for Knowledge {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        // No game has as many draws as this; the limit keeps the count from running over.
        let too_many = written.draws > 10_000 || written.held.len() > MOST_HELD;
        let crooked = written.loose.len() != COMMANDS || written.loose.iter().any(|row| row.len() > 4);
        if too_many || crooked {
            return Err("what a player knows of the face-down commands makes no sense");
        }
        let mut knowledge = Self::new(Stock::EMPTY, 0);
        knowledge.draws = written.draws;
        knowledge.absent = written.absent;
        knowledge.among = written.among;
        for draw in written.held {
            knowledge.held.insert(draw);
        }
        for (row, firsts) in knowledge.loose.iter_mut().zip(written.loose) {
            for first in firsts {
                row.insert(first);
            }
        }
        Ok(knowledge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stock(kinds: &[Kind]) -> Stock {
        kinds.iter().copied().collect()
    }

    fn hands(knowledge: &Knowledge, aside: u8) -> Vec<Stock> {
        let mut rng = GameRng::quick(7);
        let mut hands: Vec<Stock> = (0..300)
            .filter_map(|_| knowledge.imagine(aside, &mut rng))
            .map(|imagined| imagined.held)
            .collect();
        hands.sort_unstable_by_key(|hand| hand.bits());
        hands.dedup();
        hands
    }

    #[test]
    fn what_was_seen_to_go_back_was_not_drawn_before() {
        let mut knowledge = Knowledge::new(stock(&[Kind::Agitate, Kind::Attenuate]), 0);
        knowledge.other_drew();
        knowledge.saw_return(Kind::Aggravate);
        assert_eq!(
            hands(&knowledge, 0),
            [stock(&[Kind::Attenuate]), stock(&[Kind::Agitate])]
        );
        // The next draw may have taken it.
        knowledge.other_drew();
        assert_eq!(hands(&knowledge, 0).len(), 3);
        // And when it is played, the first draw is still what it was.
        knowledge.other_played(Kind::Aggravate);
        assert_eq!(hands(&knowledge, 0).len(), 2);
    }

    #[test]
    fn a_hand_holds_one_of_a_kind() {
        let loose = stock(&[Kind::Agitate, Kind::Agitate, Kind::Automate]);
        let knowledge = Knowledge::new(loose, 2);
        assert_eq!(hands(&knowledge, 0), [stock(&[Kind::Agitate, Kind::Automate])]);
    }

    #[test]
    fn authenticate_is_never_set_aside() {
        let knowledge = Knowledge::new(stock(&[Kind::Authenticate, Kind::Automate]), 1);
        assert_eq!(hands(&knowledge, 1), [stock(&[Kind::Authenticate])]);
    }

    #[test]
    fn a_kind_that_could_not_be_drawn_is_not_in_the_supply() {
        let mut knowledge = Knowledge::new(stock(&[Kind::Agitate, Kind::Automate]), 1);
        knowledge.looked(Kinds::of([Kind::Automate].into_iter()), false);
        assert_eq!(hands(&knowledge, 0), [stock(&[Kind::Automate])]);
        let mut knowledge = Knowledge::new(stock(&[Kind::Agitate, Kind::Automate]), 1);
        knowledge.looked(Kinds::of([Kind::Automate].into_iter()), true);
        assert_eq!(hands(&knowledge, 0), [stock(&[Kind::Agitate])]);
    }
}
