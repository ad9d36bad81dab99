//! Whether a loaded position makes sense.

use super::action::Target;
use super::card::deck::DECK_SIZE;
use super::decide::MOST_LAPSES;
use super::flow::TurnStage;
use super::piece::Zone;
use super::pile::Inst;
use super::resolve::MOST_TRIGGERS;
use super::{MOST_ACTIONS, MOST_ROUNDS, Phase};
use crate::game::{MAX_SEATS, Seat, SeatSet};

/// Why a save can't be a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Nonsense {
    #[error("the number of players is wrong")]
    Seats,
    #[error("a number is out of reach")]
    Numbers,
    #[error("a card is in two places or in none")]
    Cards,
    #[error("something is about a card that does not exist")]
    Reference,
    #[error("nobody is asked anything")]
    Question,
}

impl Phase {
    pub(super) fn check(&self) -> Result<(), Nonsense> {
        self.check_seats()?;
        self.check_numbers()?;
        self.check_cards()?;
        self.check_references()?;
        self.check_question()
    }

    fn check_seats(&self) -> Result<(), Nonsense> {
        let seats = usize::from(self.seats);
        let real = |seat: Seat| seat.index() < seats;
        let attack = self.attack.as_ref().is_none_or(|attack| {
            real(attack.defender)
                && !matches!(attack.target, Some(Target::Player(seat)) if !real(seat))
                && attack
                    .current
                    .is_none_or(|current| usize::from(current) < attack.skirmishes.len())
        });
        let doing = self
            .doing
            .as_ref()
            .is_none_or(|doing| real(doing.seat) && doing.discards.iter().all(|(seat, _)| real(*seat)));
        let ok = (2..=MAX_SEATS).contains(&self.seats)
            && self.decks.len() == seats
            && self.slots.len() == if self.stage == TurnStage::Decks { seats } else { 0 }
            && self.pieces.len() <= seats * DECK_SIZE
            && [self.first, self.active, self.round_of_actions.next]
                .into_iter()
                .all(real)
            && self.left.iter().chain(self.had_turn.iter()).all(real)
            && attack
            && doing
            && self.ask.is_none_or(|ask| real(ask.seat))
            && !matches!(self.stage, TurnStage::Defenders(seat) if !real(seat))
            && self.round_of_actions.passed.iter().all(real)
            && self
                .players
                .iter()
                .skip(seats)
                .all(|player| player.deck.is_empty());
        if ok { Ok(()) } else { Err(Nonsense::Seats) }
    }

    /// The rules reckon with these numbers: they stay far above what a game reaches and far below where they overflow.
    fn check_numbers(&self) -> Result<(), Nonsense> {
        const MOST: u16 = 2000;
        let influence = self.players.iter().flat_map(|player| player.influence);
        let mut counters = self.nexus.into_iter().chain(self.spent).chain(influence);
        let ok = counters.all(|count| count <= MOST)
            && self.round <= MOST_ROUNDS
            && self.fired <= MOST_TRIGGERS
            && self
                .players
                .iter()
                .all(|player| player.actions <= MOST_ACTIONS && player.lapses <= MOST_LAPSES)
            && self.pieces.iter().all(|piece| {
                let stats = [piece.damage, piece.attack, piece.defense];
                stats.iter().all(|stat| stat.unsigned_abs() <= MOST)
            })
            && self.doing.as_ref().is_none_or(|doing| doing.at.is_sound());
        if ok { Ok(()) } else { Err(Nonsense::Numbers) }
    }

    /// Every card is in the one zone that it says it is in, and belongs to its owner.
    fn check_cards(&self) -> Result<(), Nonsense> {
        let mut found = vec![0u8; self.pieces.len()];
        let mut all_right = true;
        for (seat, player) in Seat::all(MAX_SEATS).zip(&self.players) {
            let piles = [
                (&player.deck, Zone::Deck),
                (&player.hand, Zone::Hand),
                (&player.barracks, Zone::Barracks),
                (&player.play, Zone::Play),
                (&player.discard, Zone::Discard),
            ];
            for (pile, zone) in piles {
                for inst in pile.iter() {
                    let Some(piece) = self.pieces.get(inst.index()) else {
                        return Err(Nonsense::Cards);
                    };
                    found[inst.index()] += 1;
                    all_right &= piece.owner == seat && piece.zone == zone;
                }
            }
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            let expected = match piece.zone {
                Zone::Resolving => self.resolving == Some(Inst(index as u8)),
                Zone::Gone => self.left.contains(piece.owner),
                Zone::Deck | Zone::Hand | Zone::Barracks | Zone::Play | Zone::Discard => true,
            };
            let piles = u8::from(!matches!(piece.zone, Zone::Resolving | Zone::Gone));
            all_right &= expected
                && found[index] == piles
                && piece.card.index() < self.cards.cards().len()
                && piece.owner.index() < usize::from(self.seats);
        }
        if all_right { Ok(()) } else { Err(Nonsense::Cards) }
    }

    /// Whatever names a card names one that exists.
    fn check_references(&self) -> Result<(), Nonsense> {
        let exists = |inst: &Inst| inst.index() < self.pieces.len();
        let attack = self
            .attack
            .iter()
            .flat_map(|attack| &attack.skirmishes)
            .all(|skirmish| exists(&skirmish.attacker) && skirmish.defenders.iter().all(exists));
        let fight = self.fight.as_ref().is_none_or(|fight| {
            fight.swift.iter().all(exists) && fight.shares.iter().all(|(inst, _)| exists(inst))
        });
        let doing = self.doing.as_ref().is_none_or(|doing| {
            let chosen = doing.chosen.iter().all(|(_, chosen)| match chosen {
                super::flow::Chosen::Card(inst) => exists(inst),
                super::flow::Chosen::Player(seat) => seat.index() < usize::from(self.seats),
            });
            exists(&doing.card) && chosen && doing.paid.iter().all(exists)
        });
        let triggers = self.triggers.iter().all(|trigger| exists(&trigger.card));
        let resolving = self.resolving.as_ref().is_none_or(exists);
        if attack && fight && doing && triggers && resolving {
            Ok(())
        } else {
            Err(Nonsense::Reference)
        }
    }

    /// Somebody who is asked has an answer.
    fn check_question(&self) -> Result<(), Nonsense> {
        if self.end.is_some() {
            return Ok(());
        }
        let asked: SeatSet = match self.stage {
            TurnStage::Decks => self.undecided(),
            TurnStage::Setup => self.unready(),
            _ => self.ask.iter().map(|ask| ask.seat).collect(),
        };
        let answer = |seat: Seat| {
            let mut actions = Vec::new();
            self.offer(seat, &mut actions);
            !actions.is_empty() && !self.left.contains(seat)
        };
        if !asked.is_empty() && asked.iter().all(answer) {
            Ok(())
        } else {
            Err(Nonsense::Question)
        }
    }
}
