//! Who sits where, and who is looking.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most seats any game may have.
pub const MAX_SEATS: u8 = 5;

/// A place at the table. Counted from zero inside, written from one everywhere a person reads it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this index, counted from zero. Indices past the last seat wrap, so that a
    /// `Seat` can always be used to index a per-seat array of [`MAX_SEATS`].
    pub const fn new(index: u8) -> Self {
        Self(index % MAX_SEATS)
    }

    /// The seat that people call by this number, if there is one at a table of `seats`.
    pub fn numbered(number: u8, seats: u8) -> Option<Self> {
        (1..=seats.min(MAX_SEATS))
            .contains(&number)
            .then(|| Self(number - 1))
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// All seats of a table, in order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..seats.min(MAX_SEATS)).map(Seat)
    }

    /// The next seat clockwise.
    pub const fn next(self, seats: u8) -> Self {
        if self.0 + 1 >= seats {
            Self(0)
        } else {
            Self(self.0 + 1)
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::numbered(number, MAX_SEATS)
            .ok_or_else(|| serde::de::Error::custom(format_args!("there is no seat {number}")))
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    pub const EMPTY: Self = Self(0);

    pub const fn all(seats: u8) -> Self {
        Self((1 << seats) - 1)
    }

    pub const fn one(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    /// Whether a seat is in it beside this one, or without it.
    pub const fn has_other_than(mut self, seat: Seat) -> bool {
        self.remove(seat);
        !self.is_empty()
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in seat order.
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        Seat::all(MAX_SEATS).filter(move |seat| self.contains(*seat))
    }

    /// The first member clockwise after `seat`; `seat` itself comes last.
    pub fn next_after(self, seat: Seat, seats: u8) -> Option<Seat> {
        let mut candidate = seat;
        for _ in 0..seats {
            candidate = candidate.next(seats);
            if self.contains(candidate) {
                return Some(candidate);
            }
        }
        None
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::EMPTY;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Seat>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// Through whose eyes a position is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Viewer {
    /// Somebody in the room who does not play.
    Public,
    /// A player: sees what the public sees, and that seat's own secrets.
    Seat(Seat),
    /// Everything there is. Only for finished matches, tests and the operator's own tools.
    Omniscient,
}

impl Viewer {
    /// Whether this viewer may know what `owner` keeps from the others.
    pub fn may_see_secrets_of(self, owner: Seat) -> bool {
        match self {
            Self::Public => false,
            Self::Seat(seat) => seat == owner,
            Self::Omniscient => true,
        }
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("public"),
            Self::Seat(seat) => write!(f, "seat {seat}"),
            Self::Omniscient => f.write_str("everything"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_go_clockwise_and_wrap() {
        let last = Seat::new(2);
        assert_eq!(last.next(3), Seat::new(0));
        assert_eq!(last.next(4), Seat::new(3));
    }

    #[test]
    fn a_set_finds_the_next_member_clockwise() {
        let set: SeatSet = [Seat::new(0), Seat::new(3)].into_iter().collect();
        assert_eq!(set.next_after(Seat::new(0), 4), Some(Seat::new(3)));
        assert_eq!(set.next_after(Seat::new(3), 4), Some(Seat::new(0)));
        assert_eq!(SeatSet::EMPTY.next_after(Seat::new(1), 4), None);
    }

    #[test]
    fn people_count_seats_from_one() {
        assert_eq!(Seat::numbered(1, 2), Some(Seat::new(0)));
        assert_eq!(Seat::numbered(3, 2), None);
        assert_eq!(Seat::numbered(0, 2), None);
        assert_eq!(serde_json::to_string(&Seat::new(1)).unwrap(), "2");
        assert!(serde_json::from_str::<Seat>("9").is_err());
    }
}
