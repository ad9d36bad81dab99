//! One card on the table: where it is, which side counts, and who has seen what of it.

use serde::{Deserialize, Serialize};

use super::card::{Alignment, CardId, Keywords};
use crate::game::{Seat, Viewer};

/// A card in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    pub card: CardId,
    pub owner: Seat,
    pub zone: Zone,
    /// The active side: up on the deck, in the barracks, in play and in the discard pile; turned to the
    /// owner in the hand.
    pub up: Alignment,
    pub locked: bool,
    pub damage: i16,
    /// Bonuses until the turn ends.
    pub attack: i16,
    pub defense: i16,
    /// Skills granted until the turn ends.
    pub granted: Keywords,
    /// Due to be destroyed by an effect.
    pub doomed: bool,
    /// The action skills used this turn, a bit each, of the good and of the evil face.
    pub used: [u8; 2],
    /// Its number while it is in play; 0 elsewhere.
    pub number: u8,
    /// Who has seen the good and the evil side since it was last shuffled.
    pub seen: [Eyes; 2],
    /// Who had seen them before that: they know that the card is somewhere, but not where.
    pub past: [Eyes; 2],
    /// The shuffle that it was part of last. Cards of one shuffle can't be told apart by what was seen before.
    pub batch: u8,
}

impl Piece {
    pub const fn new(card: CardId, owner: Seat) -> Self {
        Self {
            card,
            owner,
            zone: Zone::Deck,
            up: Alignment::Good,
            locked: false,
            damage: 0,
            attack: 0,
            defense: 0,
            granted: Keywords::NONE,
            doomed: false,
            used: [0; 2],
            number: 0,
            seen: [Eyes::NONE; 2],
            past: [Eyes::NONE; 2],
            batch: 0,
        }
    }

    /// What holds only in play or until the turn ends is gone.
    pub fn reset(&mut self) {
        self.damage = 0;
        self.attack = 0;
        self.defense = 0;
        self.granted = Keywords::NONE;
        self.doomed = false;
        self.locked = false;
        self.number = 0;
    }
}

/// Where a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Zone {
    Deck,
    Hand,
    Barracks,
    Play,
    Discard,
    /// An order that is being carried out; it is in no pile yet.
    Resolving,
    /// Its owner has left the game.
    Gone,
}

/// A set of viewers: the seats, and the public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Eyes(u8);

impl Eyes {
    pub const NONE: Self = Self(0);
    /// Everybody, those who only watch included.
    pub const ALL: Self = Self(0b11_1111);

    #[inline]
    pub const fn of(seat: Seat) -> Self {
        Self(1 << seat.index())
    }

    #[inline]
    pub const fn include(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Public => self.0 & 0b10_0000 != 0,
            Viewer::Seat(seat) => self.0 & 1 << seat.index() != 0,
            Viewer::Omniscient => true,
        }
    }

    #[inline]
    pub const fn includes(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of `other` who are not yet among these.
    #[inline]
    pub fn missing(self, other: Self) -> impl Iterator<Item = Seat> {
        let fresh = other.0 & !self.0;
        (0..5u8).filter(move |seat| fresh & 1 << seat != 0).map(Seat::new)
    }
}
