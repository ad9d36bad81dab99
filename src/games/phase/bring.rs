//! What players bring: the decks of a table, and the secret choice of one where the table asks for it.
//!
//! Options are public, and so they name ready decks only. With `own-decks` the players whose deck the options leave to
//! lot choose one themselves before the cards are dealt, all at once. Which one is their secret until the game is over:
//! its name is not shown, and its list is known to nobody else.

use serde::{Deserialize, Serialize};

use super::Phase;
use super::card::{DeckCode, DeckKey, ReadyDeck};
use super::deal::Brought;
use super::event::Event;
use super::flow::TurnStage;
use super::scribe::Scribe;
use super::turn::Flow;
use crate::game::{Chronicle, GameRng, OptionValues, Seat, SeatSet};

/// What leaves a deck to chance.
pub(super) const LOT: &str = "lot";

/// The names of the ready decks of all editions; a test compares them with the decks that are loaded.
pub(super) static READY: &[&str] = &[
    "wolfpack",
    "changelings",
    "bonfire",
    "vigil",
    "revenants",
    "archive",
    "arena",
    "treasury",
    "legion",
];

/// A deck to play with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Bring {
    /// A ready deck that fate picks.
    Lot,
    /// A ready deck, by its place among all names of ready decks.
    Ready(u8),
    /// A deck of the player's own.
    Own(DeckKey),
}

impl Bring {
    /// Reads `lot`, the name of a ready deck, or a deck code.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_ready(text).or_else(|| {
            let DeckCode(deck) = text.parse().ok()?;
            Some(Self::Own(DeckKey::of(&deck)))
        })
    }

    /// Reads what everybody may know of a deck.
    fn read_ready(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case(LOT) {
            return Some(Self::Lot);
        }
        let place = READY.iter().position(|name| name.eq_ignore_ascii_case(text))?;
        Some(Self::Ready(place as u8))
    }

    /// How it is written; nothing if there is no such deck.
    pub fn name(self) -> Option<String> {
        match self {
            Self::Lot => Some(LOT.to_owned()),
            Self::Ready(place) => Some((*READY.get(usize::from(place))?).to_owned()),
            Self::Own(key) => Some(DeckCode(key.deck()?).to_string()),
        }
    }
}

impl TryFrom<String> for Bring {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::read(&text).ok_or("there is no such deck")
    }
}

impl From<Bring> for String {
    fn from(bring: Bring) -> Self {
        bring.name().unwrap_or_default()
    }
}

/// Reads the value of a deck option.
pub(super) fn read_option(text: &str) -> Option<String> {
    Bring::read_ready(text)?.name()
}

/// What is settled about a seat's deck before the cards are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Slot {
    /// The options say it, for all to read.
    Open(Bring),
    /// The player has yet to choose.
    Asked,
    /// The player has chosen, in secret.
    Secret(Bring),
}

impl Slot {
    pub fn of(options: &OptionValues, seat: Seat) -> Self {
        let wish = options.text(&format!("deck{}", seat.number()));
        match Bring::read_ready(wish).unwrap_or(Bring::Lot) {
            Bring::Lot if options.switch("own-decks") => Self::Asked,
            bring => Self::Open(bring),
        }
    }
}

impl Phase {
    /// Who has yet to choose a deck.
    pub(super) fn undecided(&self) -> SeatSet {
        let remaining = self.remaining();
        let seats = Seat::all(self.seats).zip(&self.slots);
        seats
            .filter(|(seat, slot)| **slot == Slot::Asked && remaining.contains(*seat))
            .map(|(seat, _)| seat)
            .collect()
    }

    /// Whether a seat may choose this deck now. Of own decks there are too many for any list.
    pub(super) fn may_bring(&self, seat: Seat, bring: Bring) -> bool {
        let there = match bring {
            Bring::Ready(_) => self.ready_deck(bring).is_some(),
            Bring::Lot | Bring::Own(_) => bring.name().is_some(),
        };
        self.end.is_none() && self.undecided().contains(seat) && there
    }

    /// Everything that can be brought and need not be built first.
    pub(super) fn ready_to_bring(&self) -> impl Iterator<Item = Bring> {
        let ready = |ready: &ReadyDeck| Bring::read_ready(&ready.name);
        std::iter::once(Bring::Lot).chain(self.cards.decks().iter().filter_map(ready))
    }

    /// The ready deck that is meant, if it is one of this edition.
    pub(super) fn ready_deck(&self, bring: Bring) -> Option<&'static ReadyDeck> {
        match bring {
            Bring::Ready(place) => self.cards.0.ready_deck(READY.get(usize::from(place))?),
            Bring::Lot | Bring::Own(_) => None,
        }
    }

    /// The deck that a seat has chosen in secret, as it is written.
    pub(super) fn secret_deck(&self, seat: Seat) -> Option<String> {
        match self.slots.get(seat.index())? {
            Slot::Secret(bring) => bring.name(),
            Slot::Open(_) | Slot::Asked => None,
        }
    }

    pub(super) fn bring<C: Chronicle<Event>>(&mut self, seat: Seat, bring: Bring, s: &mut Scribe<'_, C>) {
        if let Some(slot) = self.slots.get_mut(seat.index()) {
            *slot = Slot::Secret(bring);
        }
        s.tell(|| Event::Brought {
            seat,
            deck: bring.name(),
        });
    }

    /// Once all have chosen, the cards are dealt.
    pub(super) fn decks_step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        if !self.undecided().is_empty() {
            return Flow::Wait;
        }
        self.hand_out(s);
        s.tell(|| Event::Dealt);
        Flow::On
    }

    /// Everybody gets the deck that was settled; lots fall on ready decks that nobody has openly named.
    pub(super) fn hand_out<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let ready = self.cards.0.decks();
        let named = |ready: &&ReadyDeck| {
            let open =
                |slot: &Slot| matches!(slot, Slot::Open(bring) if self.ready_deck(*bring) == Some(ready));
            self.slots.iter().any(open)
        };
        let mut lots: Vec<&ReadyDeck> = ready.iter().filter(|ready| !named(ready)).collect();
        s.rng.shuffle(&mut lots);
        let mut lots = lots.into_iter().chain(ready).cycle();
        let mut bring = |(seat, slot): (Seat, &Slot)| {
            let nothing = Brought {
                name: None,
                cards: Vec::new(),
            };
            let (bring, open) = match *slot {
                Slot::Open(bring) => (bring, true),
                Slot::Secret(bring) => (bring, false),
                Slot::Asked => return nothing,
            };
            // Whoever has left brings nothing.
            if self.left.contains(seat) {
                return nothing;
            }
            let ready = match bring {
                Bring::Lot => lots.next(),
                Bring::Ready(_) => self.ready_deck(bring),
                Bring::Own(key) => {
                    let deck = key.deck();
                    return Brought {
                        name: None,
                        cards: deck.map(|deck| deck.cards().to_vec()).unwrap_or_default(),
                    };
                }
            };
            let Some(ready) = ready else {
                return nothing;
            };
            Brought {
                name: open.then(|| ready.name.clone()),
                cards: ready.deck.cards().to_vec(),
            }
        };
        let decks = Seat::all(self.seats).zip(&self.slots).map(&mut bring).collect();
        self.set_up(decks, s);
    }

    /// Other players' secret choices might be any.
    pub(super) fn imagine_decks(&mut self, seat: Seat, rng: &mut GameRng) {
        if self.stage != TurnStage::Decks {
            return;
        }
        let ready: Vec<Bring> = self
            .ready_to_bring()
            .filter(|bring| *bring != Bring::Lot)
            .collect();
        for (other, slot) in Seat::all(self.seats).zip(&mut self.slots) {
            if other != seat && matches!(slot, Slot::Secret(_)) {
                *slot = Slot::Secret(rng.choose(&ready).copied().unwrap_or(Bring::Lot));
            }
        }
    }
}
