//! A position written out, to start from: for worked examples and tests.

use super::Phase;
use super::card::{Alignment, CardId, CardSet};
use super::deal::Brought;
use super::event::Event;
use super::flow::TurnStage;
use super::piece::{Piece, Zone};
use super::pile::Inst;
use super::scribe::Scribe;
use crate::game::{Chronicle, GameRng, Seat, Silent};

/// The table as a turn has begun: the active player has unlocked, drawn and enlisted.
#[derive(Clone, Debug)]
pub struct Position {
    /// One a seat.
    pub sides: Vec<Side>,
    pub nexus: [u16; 2],
    pub active: Seat,
    pub round: u8,
}

/// What a seat has.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The last card is on top.
    pub deck: Vec<Laid>,
    pub hand: Vec<Laid>,
    pub barracks: Vec<Laid>,
    pub play: Vec<Laid>,
    pub discard: Vec<Laid>,
    pub influence: [u16; 2],
}

/// A card, with its active side.
#[derive(Clone, Copy, Debug)]
pub struct Laid {
    pub card: CardId,
    pub up: Alignment,
    pub locked: bool,
}

impl Phase {
    /// A game that goes on from here. Warriors are numbered from 1, seat by seat.
    pub fn arranged(cards: &'static CardSet, position: &Position) -> Self {
        let nobody = Brought {
            name: None,
            cards: Vec::new(),
        };
        let decks = vec![nobody; position.sides.len()];
        let mut rng = GameRng::quick(0);
        let mut game = Self::with(cards, decks, false, &mut rng);
        let mut scribe = Scribe {
            rng: &mut rng,
            told: &mut Silent,
        };
        for (seat, side) in Seat::all(game.seats).zip(&position.sides) {
            let zones = [
                (&side.deck, Zone::Deck),
                (&side.hand, Zone::Hand),
                (&side.barracks, Zone::Barracks),
                (&side.play, Zone::Play),
                (&side.discard, Zone::Discard),
            ];
            for (laid, zone) in zones {
                for laid in laid {
                    game.lay(seat, *laid, zone, &mut scribe);
                }
            }
            game.player_mut(seat).influence = side.influence;
        }
        game.triggers.clear();
        game.nexus = position.nexus;
        game.active = position.active;
        game.first = position.active;
        game.round = position.round;
        game.had_turn.insert(position.active);
        game.stage = TurnStage::Attack;
        game.run(&mut scribe);
        game
    }

    fn lay<C: Chronicle<Event>>(&mut self, seat: Seat, laid: Laid, zone: Zone, s: &mut Scribe<'_, C>) {
        let inst = Inst(self.pieces.len() as u8);
        self.pieces.push(Piece {
            up: laid.up,
            // From the discard pile a card goes anywhere as it lies.
            zone: Zone::Discard,
            ..Piece::new(laid.card, seat)
        });
        self.player_mut(seat).discard.push(inst);
        self.put(inst, zone, s);
        self.piece_mut(inst).locked = laid.locked;
    }
}
