//! What one viewer knows, and what happened.

use parlor::game::{Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::{Phase, Toy, flaw};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    pub seats: Vec<SeatView>,
    pub trick: Vec<(Seat, u8)>,
    pub pool: usize,
    pub phase: Phase,
    pub luck: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatView {
    pub seat: Seat,
    pub inside: bool,
    pub points: u8,
    pub cards: usize,
    pub has_bid: bool,
    /// The hand and the bid, for whoever may see them.
    pub hand: Option<Vec<u8>>,
    pub bid: Option<u8>,
    /// What the viewer has seen of this hand.
    pub known: Vec<u8>,
}

impl<const FLAW: u8> Toy<FLAW> {
    pub(super) fn look(&self, viewer: Viewer) -> View {
        let known = |owner: Seat| -> Vec<u8> {
            let Viewer::Seat(viewer) = viewer else {
                return Vec::new();
            };
            let mut cards: Vec<u8> = self
                .knows
                .get(viewer.index())
                .into_iter()
                .flatten()
                .filter(|(of, _)| *of == owner)
                .map(|(_, card)| *card)
                .collect();
            cards.sort_unstable();
            cards
        };
        let seat = |seat: Seat| {
            let open = viewer.may_see_secrets_of(seat);
            SeatView {
                seat,
                inside: self.inside.contains(seat),
                points: self.points[seat.index()],
                cards: self.hands[seat.index()].len(),
                has_bid: self.bids[seat.index()].is_some(),
                hand: open.then(|| self.hands[seat.index()].clone()),
                bid: self.bids[seat.index()].filter(|_| open || FLAW == flaw::TELLTALE_VIEW),
                known: known(seat),
            }
        };
        View {
            seats: Seat::all(self.seat_count()).map(seat).collect(),
            trick: self.trick.clone(),
            pool: self.pool.len(),
            phase: self.phase.clone(),
            luck: self.luck,
        }
    }
}

/// Something that happened; a card is `None` for those who may not know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Bid { seat: Seat, card: Option<u8> },
    Shown { trick: Vec<(Seat, u8)>, taker: Seat },
    Grabbed { seat: Seat, card: Option<u8> },
    Declined { seat: Seat },
    Marked { seat: Seat, mark: u8 },
    Peeked { seat: Seat, at: Seat, card: Option<u8> },
    Kept { seat: Seat },
    Left { seat: Seat },
}

impl Event {
    /// The event as one viewer may know it.
    pub fn to(&self, viewer: Viewer) -> Self {
        let mut event = self.clone();
        match &mut event {
            Self::Bid { seat, card } | Self::Grabbed { seat, card } | Self::Peeked { seat, card, .. } => {
                *card = card.filter(|_| viewer.may_see_secrets_of(*seat));
            }
            Self::Shown { .. }
            | Self::Declined { .. }
            | Self::Marked { .. }
            | Self::Kept { .. }
            | Self::Left { .. } => {}
        }
        event
    }
}
