//! A save of the toy: untrusted, and so looked over before it is played.

use std::sync::atomic::Ordering;

use parlor::game::{Seat, SeatSet};
use serde::Deserialize;

use super::{LOADS, MARKS, Phase, Toy, flaw};

/// No card is higher: five for each of five players.
const HIGHEST: u8 = 25;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    bonus: bool,
    hands: Vec<Vec<u8>>,
    bids: Vec<Option<u8>>,
    points: Vec<u8>,
    #[serde(default)]
    knows: Vec<Vec<(Seat, u8)>>,
    pool: Vec<u8>,
    trick: Vec<(Seat, u8)>,
    phase: Phase,
    inside: SeatSet,
    luck: u64,
}

impl<const FLAW: u8> TryFrom<Saved> for Toy<FLAW> {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        LOADS.fetch_add(1, Ordering::Relaxed);
        if FLAW != flaw::GULLIBLE && FLAW != flaw::FORGETFUL {
            saved.check()?;
        }
        Ok(Self {
            bonus: saved.bonus,
            hands: saved.hands,
            bids: saved.bids,
            points: saved.points,
            knows: saved.knows,
            pool: saved.pool,
            trick: saved.trick,
            phase: saved.phase,
            inside: saved.inside,
            luck: saved.luck,
        })
    }
}

impl Saved {
    fn check(&self) -> Result<(), &'static str> {
        let seats = self.hands.len();
        let lists = [self.bids.len(), self.points.len(), self.knows.len()];
        if !(2..=5).contains(&seats) || lists != [seats; 3] {
            return Err("a list does not fit the number of players");
        }
        let sits = |seat: Seat| seat.index() < seats;
        let is_inside = |seat: Seat| self.inside.contains(seat);
        if self.inside.is_empty() || !self.inside.iter().all(sits) {
            return Err("somebody plays who has no seat");
        }
        let cards = self.hands.iter().flatten().chain(&self.pool);
        let sorted = self
            .hands
            .iter()
            .chain([&self.pool])
            .all(|cards| cards.is_sorted());
        if !sorted
            || cards.clone().any(|card| *card > HIGHEST)
            || self.points.iter().any(|points| *points > 50)
        {
            return Err("there are no such cards or points");
        }
        let holds = |seat: Seat, card: &u8| sits(seat) && self.hands[seat.index()].contains(card);
        let bids = Seat::all(seats as u8).zip(&self.bids);
        let mut known = self.knows.iter().flatten();
        if !bids
            .clone()
            .all(|(seat, bid)| bid.as_ref().is_none_or(|card| holds(seat, card)))
            || !known.all(|(seat, card)| holds(*seat, card))
            || self
                .knows
                .iter()
                .any(|known| (1..known.len()).any(|place| known[..place].contains(&known[place])))
            || !self
                .trick
                .iter()
                .all(|(seat, card)| sits(*seat) && *card <= HIGHEST)
        {
            return Err("a card is not where it is said to be");
        }
        let fits = match &self.phase {
            Phase::Bidding => bids.clone().any(|(seat, bid)| is_inside(seat) && bid.is_none()),
            Phase::Window { taker, declined } => {
                let open = self.inside.iter().any(|seat| !declined.contains(seat));
                sits(*taker) && open && !self.pool.is_empty()
            }
            Phase::Turn { taker, marks, .. } => is_inside(*taker) && marks.iter().all(|mark| *mark <= MARKS),
            Phase::Over => true,
        };
        if fits {
            Ok(())
        } else {
            Err("nobody can go on from here")
        }
    }
}
