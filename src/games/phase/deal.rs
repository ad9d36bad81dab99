//! The opening and the end: decks, hands, and who has won.

use super::Phase;
use super::bring::Slot;
use super::card::{CardId, CardSet};
use super::event::Event;
use super::flow::{End, Round, TurnStage};
use super::piece::Piece;
use super::pile::Inst;
use super::player::Player;
use super::rules::Rules;
use super::scribe::Scribe;
use super::shown::Cards;
use crate::game::{Chronicle, GameRng, OptionValues, Outcome, Seat, SeatSet, Silent};

/// "For each player in the game, place 10 good influence and 10 evil influence in The Nexus."
const INFLUENCE: u16 = 10;

/// The cards that a player draws before the game.
const FIRST_HAND: usize = 3;

/// A deck as it comes to the table.
#[derive(Clone, Debug)]
pub struct Brought {
    /// Its name, if its list is public.
    pub name: Option<String>,
    pub cards: Vec<CardId>,
}

impl Phase {
    pub(super) fn deal(rules: Rules, options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        let head_start = options.switch("head-start");
        let mut game = Self::unopened(rules, rules.cards(), seats, head_start);
        let slot = |seat: Seat| Slot::of(options, seat);
        game.slots = Seat::all(seats).map(slot).collect();
        let mut scribe = Scribe {
            rng,
            told: &mut Silent,
        };
        if game.undecided().is_empty() {
            game.hand_out(&mut scribe);
        }
        game
    }

    /// A game with these cards and decks, under the newest rules.
    pub fn with(cards: &'static CardSet, decks: Vec<Brought>, head_start: bool, rng: &mut GameRng) -> Self {
        let mut game = Self::unopened(Rules::NEWEST, cards, decks.len() as u8, head_start);
        let mut scribe = Scribe {
            rng,
            told: &mut Silent,
        };
        game.set_up(decks, &mut scribe);
        game
    }

    /// A table without a card on it.
    fn unopened(rules: Rules, cards: &'static CardSet, seats: u8, head_start: bool) -> Self {
        Self {
            cards: Cards(cards),
            rules,
            seats,
            head_start,
            decks: vec![None; usize::from(seats)],
            slots: Vec::new(),
            pieces: Vec::new(),
            players: [Player::default(); 5],
            nexus: [INFLUENCE * u16::from(seats); 2],
            spent: [0; 2],
            left: SeatSet::EMPTY,
            first: Seat::new(0),
            active: Seat::new(0),
            round: 0,
            had_turn: SeatSet::EMPTY,
            stage: TurnStage::Decks,
            round_of_actions: Round {
                next: Seat::new(0),
                passed: SeatSet::EMPTY,
                acted: None,
            },
            attack: None,
            fight: None,
            doing: None,
            triggers: Vec::new(),
            fired: 0,
            resolving: None,
            ask: None,
            last_number: 0,
            shuffles: 0,
            end: None,
        }
    }

    /// Every deck is shuffled, and its player draws the first cards. The decks come in the order of the seats.
    pub(super) fn set_up<C: Chronicle<Event>>(&mut self, decks: Vec<Brought>, s: &mut Scribe<'_, C>) {
        self.stage = TurnStage::Setup;
        self.slots.clear();
        self.decks = decks.iter().map(|deck| deck.name.clone()).collect();
        for (seat, deck) in Seat::all(self.seats).zip(decks) {
            for card in deck.cards {
                let inst = Inst(self.pieces.len() as u8);
                self.pieces.push(Piece::new(card, seat));
                self.player_mut(seat).deck.push(inst);
            }
            self.shuffle(seat, s);
            for _ in 0..FIRST_HAND {
                self.draw(seat, s);
            }
        }
    }

    /// "Then, whoever has the most influence of a single category wins the game. Ties by the sum of both, then by the
    /// total attack of warriors in play, then shared." Whoever has left comes last.
    pub(super) fn verdict(&self) -> Option<Outcome> {
        let end = self.end?;
        let score = |seat: Seat| {
            let influence = self.player(seat).influence;
            let most = influence.into_iter().max().unwrap_or(0);
            let sum = influence.into_iter().sum::<u16>();
            let stays = !self.left.contains(seat);
            (stays, most, sum, self.total_attack(seat))
        };
        let scores: Vec<_> = Seat::all(self.seats).map(score).collect();
        let rank = |own: &_| 1 + scores.iter().filter(|other| *other > own).count() as u8;
        let reason = match end {
            End::Emptied => "most influence when the Nexus ran dry",
            End::TooLong => "most influence after 25 rounds",
            End::Alone => "the last player left",
        };
        Some(Outcome::new(scores.iter().map(rank).collect(), reason))
    }

    /// The deck of a player whose list everybody may read.
    pub(super) fn open_deck(&self, seat: Seat) -> Option<&str> {
        self.decks.get(seat.index())?.as_deref()
    }
}
