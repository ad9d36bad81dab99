//! Worlds that a seat can't tell from the real one.
//!
//! A card is a place on the table ([`Piece`]) with a card of some deck in it. What a seat has seen binds the card: the
//! sides seen since the last shuffle are those of the place, the sides seen before it belong to a card that is
//! somewhere among those of that shuffle. The cards are first laid out in one fixed way that what the seat knows allows
//! ([`super::layout`]), so that the same chance gives the same worlds whatever is hidden in this one. From there cards
//! are exchanged at random, and no exchange is made that the seat could notice.

use super::Phase;
use super::card::{Alignment, Card, CardId};
use super::flow::TurnStage;
use super::piece::{Piece, Zone};
use super::pile::Inst;
use super::player::Habits;
use crate::game::{GameRng, Seat, Viewer};

/// How often each card is offered an exchange.
const EXCHANGES: usize = 8;

impl Phase {
    pub(super) fn imagine(&self, seat: Seat, rng: &mut GameRng) -> Self {
        let mut world = self.clone();
        for owner in Seat::all(self.seats).filter(|owner| !self.left.contains(*owner)) {
            world.lay_out(owner, seat);
            world.exchange_unseen(owner, seat, rng);
            world.turn_unseen(owner, seat, rng);
            if owner != seat {
                // Nobody else knows where a player wants to be asked.
                world.player_mut(owner).habits = Habits::default();
            }
        }
        world.imagine_decks(seat, rng);
        if self.stage == TurnStage::Setup {
            for other in Seat::all(self.seats).filter(|&other| other != seat) {
                let hand = world.player(other).hand.len();
                if let Some(chosen) = &mut world.player_mut(other).chosen {
                    *chosen = rng.below(hand) as u8 + 1;
                }
            }
        }
        world
    }

    /// Exchanges the cards of one owner as far as the seat can't tell.
    fn exchange_unseen(&mut self, owner: Seat, seat: Seat, rng: &mut GameRng) {
        let viewer = Viewer::Seat(seat);
        let loose = self.loose(owner, viewer);
        let others = self.cards_elsewhere(owner, seat);
        for _ in 0..EXCHANGES {
            for &one in &loose {
                let Some(&other) = rng.choose(&loose) else {
                    continue;
                };
                if one != other {
                    self.swap(one, other, viewer);
                }
                if !others.is_empty() {
                    self.replace(one, &others, viewer, rng);
                }
            }
        }
    }

    /// The cards of one owner that a viewer has not seen both sides of, in the order in which they lie there for all to
    /// see.
    pub(super) fn loose(&self, owner: Seat, viewer: Viewer) -> Vec<Inst> {
        let player = self.player(owner);
        let piles = [
            &player.deck,
            &player.hand,
            &player.barracks,
            &player.play,
            &player.discard,
        ];
        let resolving = self
            .resolving
            .filter(|&inst| self.piece(inst).owner == owner && self.piece(inst).zone == Zone::Resolving);
        let unseen = |inst: &Inst| {
            let piece = self.piece(*inst);
            !piece.seen.iter().all(|eyes| eyes.include(viewer))
        };
        let lying = piles.into_iter().flat_map(|pile| pile.iter().copied());
        lying.chain(resolving).filter(unseen).collect()
    }

    /// Two places exchange what is in them, if the seat sees no difference. Cards of one shuffle take along what was
    /// known of them before it; others leave that where it is, and so must fit it.
    fn swap(&mut self, one: Inst, other: Inst, viewer: Viewer) {
        let (a, b) = (*self.piece(one), *self.piece(other));
        let together = a.batch == b.batch;
        let fits = |place: &Piece, card: CardId, past: &Piece| {
            self.matches(place.card, card, |side| place.seen[side].include(viewer))
                && (together || self.matches(past.card, card, |side| past.past[side].include(viewer)))
        };
        if !fits(&a, b.card, &a) || !fits(&b, a.card, &b) {
            return;
        }
        self.piece_mut(one).card = b.card;
        self.piece_mut(other).card = a.card;
        if together {
            self.piece_mut(one).past = b.past;
            self.piece_mut(other).past = a.past;
        }
    }

    /// Whether another card shows the same faces on the sides that are bound.
    fn matches(&self, card: CardId, other: CardId, bound: impl Fn(usize) -> bool) -> bool {
        let (card, other): (&Card, &Card) = (self.cards.card(card), self.cards.card(other));
        let same = |side: Alignment| card.face(side) == other.face(side);
        Alignment::ALL
            .into_iter()
            .all(|side| !bound(side.index()) || same(side))
    }

    /// The cards that another player's own deck might hold as well: nobody else knows its list.
    pub(super) fn cards_elsewhere(&self, owner: Seat, seat: Seat) -> Vec<CardId> {
        if owner == seat || self.open_deck(owner).is_some() {
            return Vec::new();
        }
        let own: Vec<CardId> = self
            .pieces
            .iter()
            .filter(|piece| piece.owner == owner)
            .map(|piece| piece.card)
            .collect();
        let faction = own.first().map(|card| card.faction());
        let all = self.cards.cards().iter().map(|card| card.id);
        all.filter(|card| Some(card.faction()) == faction && !own.contains(card))
            .collect()
    }

    /// A card that might as well be another one of its faction.
    fn replace(&mut self, inst: Inst, others: &[CardId], viewer: Viewer, rng: &mut GameRng) {
        let piece = *self.piece(inst);
        let Some(&card) = rng.choose(others) else {
            return;
        };
        let bound = |side: usize| piece.seen[side].include(viewer) || piece.past[side].include(viewer);
        let taken = self
            .pieces
            .iter()
            .any(|other| other.owner == piece.owner && other.card == card);
        if !taken && self.matches(piece.card, card, bound) {
            self.piece_mut(inst).card = card;
        }
    }

    /// The cards within a deck of which nothing is seen may lie either way.
    fn turn_unseen(&mut self, owner: Seat, seat: Seat, rng: &mut GameRng) {
        let viewer = Viewer::Seat(seat);
        let deck = self.player(owner).deck;
        for &inst in deck.iter() {
            let piece = self.piece_mut(inst);
            if !piece.seen.iter().any(|eyes| eyes.include(viewer)) {
                piece.up = if rng.flip() {
                    Alignment::Good
                } else {
                    Alignment::Evil
                };
            }
        }
    }
}
