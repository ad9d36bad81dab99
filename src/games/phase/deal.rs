//! The opening and the end: decks, hands, and who has won.

use super::Phase;
use super::card::code::DeckCode;
use super::card::{CardId, CardSet, card_set};
use super::flow::{End, Round, Stage};
use super::piece::Piece;
use super::pile::Inst;
use super::player::Player;
use super::scribe::Scribe;
use super::shown::Cards;
use crate::game::{GameRng, OptionValues, Outcome, Seat, SeatSet, Silent};

/// The value of a deck option that leaves it to chance.
pub(super) const LOT: &str = "lot";

/// The names of the ready decks; a test compares them with the decks that are loaded.
pub(super) static READY: &[&str] = &[
    "wolfpack",
    "changelings",
    "vigil",
    "revenants",
    "arena",
    "treasury",
];

/// "For each player in the game, place 10 good influence and 10 evil influence in The Nexus."
const INFLUENCE: u16 = 10;

/// The cards that a player draws before the game.
const FIRST_HAND: usize = 3;

/// Reads the value of a deck option: `lot`, the name of a ready deck, or a deck code.
pub(super) fn read_deck(text: &str) -> Option<String> {
    if text.eq_ignore_ascii_case(LOT) {
        return Some(LOT.to_owned());
    }
    let mut decks = card_set().decks().iter();
    let ready = decks
        .find(|deck| deck.name.eq_ignore_ascii_case(text))
        .map(|deck| deck.name.clone());
    ready.or_else(|| text.parse::<DeckCode>().ok().map(|code| code.to_string()))
}

/// A deck as it comes to the table.
#[derive(Clone, Debug)]
pub struct Brought {
    /// Its name, if its list is public.
    pub name: Option<String>,
    pub cards: Vec<CardId>,
}

impl Phase {
    pub(super) fn deal(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        let ready = card_set().decks();
        let wish = |seat: Seat| options.text(&format!("deck{}", seat.number())).to_owned();
        let wishes: Vec<String> = Seat::all(seats).map(wish).collect();
        let mut lots: Vec<usize> = (0..ready.len())
            .filter(|&deck| !wishes.contains(&ready[deck].name))
            .collect();
        rng.shuffle(&mut lots);
        let mut lots = lots.into_iter().chain(0..ready.len()).cycle();
        let bring = |wish: &String| {
            // The list of an own deck is not public, and so it comes without a name.
            if let Ok(DeckCode(own)) = wish.parse() {
                return Brought {
                    name: None,
                    cards: own.cards().to_vec(),
                };
            }
            let named = ready.iter().find(|deck| deck.name == *wish);
            let deck = named.or_else(|| ready.get(lots.next()?));
            Brought {
                name: deck.map(|deck| deck.name.clone()),
                cards: deck.map(|deck| deck.deck.cards().to_vec()).unwrap_or_default(),
            }
        };
        let decks = wishes.iter().map(bring).collect();
        Self::with(card_set(), decks, options.switch("head-start"), rng)
    }

    /// A game with these cards and decks.
    pub fn with(cards: &'static CardSet, decks: Vec<Brought>, head_start: bool, rng: &mut GameRng) -> Self {
        let seats = decks.len() as u8;
        let mut game = Self {
            cards: Cards(cards),
            seats,
            head_start,
            decks: decks.iter().map(|deck| deck.name.clone()).collect(),
            pieces: Vec::new(),
            players: [Player::default(); 5],
            nexus: [INFLUENCE * u16::from(seats); 2],
            spent: [0; 2],
            left: SeatSet::EMPTY,
            first: Seat::new(0),
            active: Seat::new(0),
            round: 0,
            had_turn: SeatSet::EMPTY,
            stage: Stage::Setup,
            round_of_actions: Round {
                next: Seat::new(0),
                passed: SeatSet::EMPTY,
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
        };
        let mut scribe = Scribe {
            rng,
            told: &mut Silent,
        };
        for (seat, deck) in Seat::all(seats).zip(decks) {
            for card in deck.cards {
                let inst = Inst(game.pieces.len() as u8);
                game.pieces.push(Piece::new(card, seat));
                game.player_mut(seat).deck.push(inst);
            }
            game.shuffle(seat, &mut scribe);
            for _ in 0..FIRST_HAND {
                game.draw(seat, &mut scribe);
            }
        }
        game
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
