//! One fixed way for hidden cards to lie, out of what a seat knows.
//!
//! Two worlds that a seat can't tell apart have the same layout: places are taken in the order in which they lie on the
//! table, cards in the order of the set, and what is known of each place says which cards may be there. It is an
//! assignment problem, solved by augmenting paths: first what was known before a shuffle is dealt out among the cards
//! of that shuffle, then each place gets a card.

use super::Phase;
use super::card::{Alignment, CardId, FaceId};
use super::piece::{Eyes, Piece};
use super::pile::Inst;
use crate::game::{Seat, Viewer};

/// How often the assignment is tried from another beginning. Once nearly always does.
const TRIES: usize = 16;

/// What is known of the two sides of a card.
type Sides = [Option<FaceId>; 2];

/// A card that somebody had seen before it was shuffled: who saw which side, and what the viewer knows of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Memory {
    batch: u8,
    past: [Eyes; 2],
    sides: Sides,
}

/// A place on the table.
#[derive(Clone, Copy)]
struct Place {
    inst: Inst,
    batch: u8,
    sides: Sides,
}

impl Phase {
    /// Lays the loose cards of one owner out in the fixed way. If none is found, which no game has shown yet, they
    /// stay as they are.
    pub(super) fn lay_out(&mut self, owner: Seat, seat: Seat) {
        let viewer = Viewer::Seat(seat);
        let loose = self.loose(owner, viewer);
        let sides = |piece: &Piece, eyes: &[Eyes; 2]| -> Sides {
            Alignment::ALL.map(|side| {
                let seen = eyes[side.index()].include(viewer);
                seen.then(|| self.cards.card(piece.card).face(side))
            })
        };
        let places: Vec<Place> = loose
            .iter()
            .map(|&inst| {
                let piece = self.piece(inst);
                Place {
                    inst,
                    batch: piece.batch,
                    sides: sides(piece, &piece.seen),
                }
            })
            .collect();
        let mut memories: Vec<Memory> = loose
            .iter()
            .map(|&inst| {
                let piece = self.piece(inst);
                Memory {
                    batch: piece.batch,
                    past: piece.past,
                    sides: sides(piece, &piece.past),
                }
            })
            .collect();
        memories.sort_unstable();
        let mut cards: Vec<CardId> = loose.iter().map(|&inst| self.piece(inst).card).collect();
        let elsewhere = self.cards_elsewhere(owner, seat);
        cards.extend(elsewhere);
        cards.sort_unstable();
        for _ in 0..TRIES {
            if let Some(layout) = self.assign(&places, &memories, &cards) {
                for (place, (memory, card)) in places.iter().zip(layout) {
                    let piece = self.piece_mut(place.inst);
                    piece.card = card;
                    piece.past = memory.past;
                }
                return;
            }
            if !memories.is_empty() {
                memories.rotate_left(1);
            }
        }
    }

    /// A memory and a card for each place, if all fit.
    fn assign(
        &self,
        places: &[Place],
        memories: &[Memory],
        cards: &[CardId],
    ) -> Option<Vec<(Memory, CardId)>> {
        let shows = |card: &CardId, sides: &Sides| {
            let card = self.cards.card(*card);
            Alignment::ALL
                .into_iter()
                .all(|side| sides[side.index()].is_none_or(|face| card.face(side) == face))
        };
        let remembered = matching(places.len(), memories.len(), |place, memory| {
            let (place, memory) = (&places[place], &memories[memory]);
            place.batch == memory.batch
                && both(&place.sides, &memory.sides)
                    .is_some_and(|sides| cards.iter().any(|card| shows(card, &sides)))
        })?;
        let known: Vec<Sides> = places
            .iter()
            .zip(&remembered)
            .map(|(place, &memory)| both(&place.sides, &memories[memory].sides).unwrap_or(place.sides))
            .collect();
        let dealt = matching(places.len(), cards.len(), |place, card| {
            shows(&cards[card], &known[place])
        })?;
        let pairs = remembered.into_iter().zip(dealt);
        Some(
            pairs
                .map(|(memory, card)| (memories[memory], cards[card]))
                .collect(),
        )
    }
}

/// All that is known of a card from two sources; nothing if they contradict each other.
fn both(one: &Sides, other: &Sides) -> Option<Sides> {
    let mut sides = *one;
    for (side, also) in sides.iter_mut().zip(other) {
        match (*side, *also) {
            (Some(face), Some(another)) if face != another => return None,
            (None, face) => *side = face,
            (Some(_), _) => {}
        }
    }
    Some(sides)
}

/// A partner for each of `left`, none of them shared, out of `right`; nothing if there is no such assignment.
fn matching(left: usize, right: usize, fits: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let mut taken: Vec<Option<usize>> = vec![None; right];
    for start in 0..left {
        // A search in breadth for a free partner; `came` says from whom each one was reached.
        let mut came: Vec<Option<usize>> = vec![None; right];
        let mut queue = vec![start];
        let mut free = None;
        let mut next = 0;
        while free.is_none() && next < queue.len() {
            let from = queue[next];
            next += 1;
            for to in 0..right {
                if came[to].is_some() || !fits(from, to) {
                    continue;
                }
                came[to] = Some(from);
                match taken[to] {
                    None => {
                        free = Some(to);
                        break;
                    }
                    Some(owner) => queue.push(owner),
                }
            }
        }
        // Everybody on the way moves on to the partner that was found for them.
        let mut partner = free?;
        loop {
            let from = came[partner]?;
            let before = taken.iter().position(|owner| *owner == Some(from));
            taken[partner] = Some(from);
            match before {
                Some(before) if from != start => {
                    partner = before;
                }
                _ => break,
            }
        }
    }
    let mut partners = vec![None; left];
    for (partner, owner) in taken.into_iter().enumerate() {
        if let Some(owner) = owner {
            partners[owner] = Some(partner);
        }
    }
    partners.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matching_is_found_wherever_there_is_one() {
        // The first two both want 0 first; only the second has no other choice.
        let wants: [&[usize]; 3] = [&[0, 1], &[0], &[1, 2]];
        let fits = |left: usize, right: usize| wants[left].contains(&right);
        assert_eq!(matching(3, 3, fits), Some(vec![1, 0, 2]));
        let wants: [&[usize]; 2] = [&[0], &[0]];
        assert_eq!(matching(2, 3, |left, right| wants[left].contains(&right)), None);
    }
}
