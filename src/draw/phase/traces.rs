//! What the last actions left on the table, so that it is seen and not only told: warriors that were hit or turned over,
//! cards that came or went, influence that was won or lost.
//!
//! It is taken from what everybody has seen of them, whoever looks, since the table is the same to all.

use super::PhaseScene;
use crate::game::{Game, Seat, Viewer};
use crate::games::phase::card::Place;
use crate::games::phase::event::{At, Influence, Means, Named};
use crate::games::phase::shown::Shown;
use crate::games::phase::view::{CardView, PlayerView};
use crate::games::phase::{Event, Phase};

/// What everybody has seen of the last actions.
pub(super) fn seen_by_all(scene: &PhaseScene<'_>) -> Vec<Event> {
    let events = scene.recent.iter();
    events
        .filter_map(|event| Phase::witness(event, Viewer::Public))
        .collect()
}

/// What happened to a warrior. Of several things the last of this list is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Deed {
    Fought,
    /// Stronger or weaker, locked or unlocked, which its card shows.
    Changed,
    Healed,
    Turned,
    Hit,
    Came,
}

impl Deed {
    /// In one word, where its card does not say it already.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Fought => Some("fought"),
            Self::Changed => None,
            Self::Healed => Some("healed"),
            Self::Turned => Some("turned"),
            Self::Hit => Some("hit"),
            Self::Came => Some("new"),
        }
    }
}

/// What was left on one player's part of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Traces {
    warriors: Vec<(u8, Deed)>,
    /// The places of cards that came or were touched.
    resources: Vec<u8>,
    hand: Vec<u8>,
    discard: Vec<u8>,
    /// A card was put on top of the deck.
    pub top: bool,
    /// Good and evil influence won, less than nothing where it was lost.
    pub won: [i32; 2],
}

impl Traces {
    pub fn of(scene: &PhaseScene<'_>, player: &PlayerView) -> Self {
        let mut touched = Touched::new(player.seat);
        for event in &seen_by_all(scene) {
            touched.note(event);
        }
        Self {
            resources: found(&player.barracks, &touched.resources),
            hand: found(&player.hand, &touched.hand),
            discard: found(&player.discard, &touched.discard),
            warriors: touched.warriors,
            top: touched.top && player.top.is_some(),
            won: touched.won,
        }
    }

    pub fn of_warrior(&self, number: u8) -> Option<Deed> {
        let deeds = self.warriors.iter().filter(|(other, _)| *other == number);
        deeds.map(|(_, deed)| *deed).max()
    }

    pub fn of_resource(&self, card: &CardView) -> bool {
        self.resources.contains(&card.place)
    }

    pub fn of_hand_card(&self, card: &CardView) -> bool {
        self.hand.contains(&card.place)
    }

    pub fn of_discard(&self, card: &CardView) -> bool {
        self.discard.contains(&card.place)
    }
}

/// Influence that was taken from the Nexus, good and evil.
pub(super) fn taken(scene: &PhaseScene<'_>) -> [u16; 2] {
    let mut taken = [0; 2];
    for event in &seen_by_all(scene) {
        if let Event::Gained(change) = event {
            taken[change.alignment.index()] += change.amount;
        }
    }
    taken
}

/// A card that was touched, as far as it is known which one it was.
#[derive(Clone, Copy, Debug)]
struct Card {
    /// The face that it shows now. A card that comes from a hand or goes there shows another one than before.
    face: Option<Shown>,
    locked: Option<bool>,
}

impl Card {
    const NEWEST: Self = Self {
        face: None,
        locked: None,
    };

    const fn showing(face: Shown) -> Self {
        Self {
            face: Some(face),
            locked: None,
        }
    }

    /// A card that was somewhere and lies open now.
    const fn open(card: &Named) -> Self {
        match card.at {
            At::Hand(_) => Self::NEWEST,
            At::Warrior(_) | At::Resource(_) | At::Discard | At::Deck => Self::showing(card.face),
        }
    }

    fn is(self, card: &CardView) -> bool {
        self.face.is_none_or(|face| face == card.face)
            && self.locked.is_none_or(|locked| locked == card.locked)
    }
}

/// The places of these cards in a zone, the newest of those that look alike.
fn found(zone: &[CardView], cards: &[Card]) -> Vec<u8> {
    let mut places = Vec::new();
    for card in cards {
        let mut fitting = zone.iter().rev().filter(|other| card.is(other));
        if let Some(card) = fitting.find(|card| !places.contains(&card.place)) {
            places.push(card.place);
        }
    }
    places
}

/// What events tell of one player's cards.
struct Touched {
    seat: Seat,
    warriors: Vec<(u8, Deed)>,
    resources: Vec<Card>,
    hand: Vec<Card>,
    discard: Vec<Card>,
    top: bool,
    won: [i32; 2],
}

impl Touched {
    const fn new(seat: Seat) -> Self {
        Self {
            seat,
            warriors: Vec::new(),
            resources: Vec::new(),
            hand: Vec::new(),
            discard: Vec::new(),
            top: false,
            won: [0; 2],
        }
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Declared { attackers, .. } => {
                attackers.iter().for_each(|card| self.card(card, Deed::Fought));
            }
            Event::Defends { defender, .. } => self.card(defender, Deed::Fought),
            Event::Trained { warrior, .. } => self.card(warrior, Deed::Came),
            Event::Phased { card, .. } => self.card(card, Deed::Turned),
            Event::Locked { card }
            | Event::Unlocked { card }
            | Event::Buffed { card, .. }
            | Event::Granted { card, .. } => self.card(card, Deed::Changed),
            Event::Damaged { card, .. } | Event::Struck { card, .. } => self.card(card, Deed::Hit),
            Event::Healed { card, .. } => self.card(card, Deed::Healed),
            Event::Destroyed { card } if card.owner == self.seat => self.discard.push(Card::open(card)),
            Event::Moved { card, to, number } if card.owner == self.seat => self.moved(card, *to, *number),
            Event::Discarded { seat, face } if *seat == self.seat => self.discard.push(Card::showing(*face)),
            // An order that was carried out is discarded.
            Event::Acts {
                seat,
                means: Means::Order,
                face,
            } if *seat == self.seat => self.discard.push(Card::showing(*face)),
            Event::Drew { seat, outward, .. } if *seat == self.seat => {
                self.hand.push(Card::showing(*outward));
                self.top = false;
            }
            Event::Enlisted { seat, face, locked } if *seat == self.seat => {
                self.resources.push(Card {
                    locked: locked.then_some(true),
                    ..Card::showing(*face)
                });
                self.top = false;
            }
            Event::Paid { seat, locked, face } if *seat == self.seat => self.resources.push(Card {
                locked: locked.then_some(true),
                ..Card::showing(*face)
            }),
            Event::Gained(change) => self.influence(change, 1),
            Event::Lost(change) => self.influence(change, -1),
            Event::Destroyed { .. }
            | Event::Moved { .. }
            | Event::Discarded { .. }
            | Event::Acts { .. }
            | Event::Drew { .. }
            | Event::Enlisted { .. }
            | Event::Paid { .. }
            | Event::Brought { .. }
            | Event::Dealt
            | Event::Readied { .. }
            | Event::Opened { .. }
            | Event::Cut { .. }
            | Event::Starts { .. }
            | Event::Began { .. }
            | Event::Remade { .. }
            | Event::Attacks { .. }
            | Event::Redrawn { .. }
            | Event::Faltered { .. }
            | Event::Assigned { .. }
            | Event::Skirmish { .. }
            | Event::Passed { .. }
            | Event::Chose { .. }
            | Event::ChosePlayer { .. }
            | Event::Peeked { .. }
            | Event::Emptied { .. }
            | Event::Habit { .. }
            | Event::Lapsed { .. }
            | Event::Left { .. } => {}
        }
    }

    fn card(&mut self, card: &Named, deed: Deed) {
        if card.owner != self.seat {
            return;
        }
        match card.at {
            At::Warrior(number) => self.warriors.push((number, deed)),
            At::Resource(_) => self.resources.push(Card::showing(card.face)),
            At::Hand(_) | At::Discard | At::Deck => {}
        }
    }

    fn moved(&mut self, card: &Named, to: Place, number: u8) {
        match to {
            Place::Play => self.warriors.push((number, Deed::Came)),
            Place::Barracks => self.resources.push(Card::open(card)),
            Place::BarracksLocked => self.resources.push(Card {
                locked: Some(true),
                ..Card::open(card)
            }),
            Place::Hand => self.hand.push(Card::NEWEST),
            Place::Discard => self.discard.push(Card::open(card)),
            Place::DeckTop => self.top = true,
        }
    }

    fn influence(&mut self, change: &Influence, sign: i32) {
        if change.seat == self.seat {
            self.won[change.alignment.index()] += sign * i32::from(change.amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::phase::card::card_set;

    fn cards(faces: &[usize]) -> Vec<CardView> {
        let all = card_set().faces();
        let card = |(place, face): (u8, &usize)| CardView {
            place,
            face: Shown(&all[*face]),
            behind: None,
            is_secret: false,
            locked: place == 1,
        };
        (1u8..).zip(faces).map(card).collect()
    }

    #[test]
    fn of_cards_that_look_alike_the_newest_is_marked() {
        let zone = cards(&[0, 1, 0, 2]);
        let showing = |face: usize| Card::showing(Shown(&card_set().faces()[face]));
        assert_eq!(found(&zone, &[showing(0)]), [3]);
        assert_eq!(found(&zone, &[showing(0), showing(0), showing(0)]), [3, 1]);
        assert_eq!(found(&zone, &[Card::NEWEST, Card::NEWEST]), [4, 3]);
        let locked = Card {
            locked: Some(true),
            ..showing(0)
        };
        assert_eq!(found(&zone, &[locked]), [1], "the one that was locked to pay");
        assert_eq!(found(&zone, &[showing(3)]), [0; 0], "it has gone on");
    }

    #[test]
    fn of_several_things_that_happened_to_a_warrior_the_gravest_is_told() {
        let seat = Seat::new(0);
        let card = Named {
            owner: seat,
            at: At::Warrior(7),
            face: Shown(&card_set().faces()[0]),
        };
        let mut touched = Touched::new(seat);
        for event in [Event::Trained { seat, warrior: card }, Event::Locked { card }] {
            touched.note(&event);
        }
        let traces = Traces {
            warriors: touched.warriors,
            ..Traces::default()
        };
        assert_eq!(traces.of_warrior(7), Some(Deed::Came));
        assert_eq!(traces.of_warrior(8), None);
    }
}
