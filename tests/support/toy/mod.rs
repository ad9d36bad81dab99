//! A toy game with everything the kernel must serve and Phwar lacks: hidden hands, choices made at
//! once, an open window, chance, looking at hidden cards, turns of several small decisions.
//!
//! Each round everybody bids a card face down; the highest takes the trick. Then whoever is first may
//! grab a card from the pool. Then the taker may put marks, peek at somebody's lowest card, and
//! keep. When somebody has no card left, most points win.
//!
//! `Toy<0>` is sound. Any other number is a [`flaw`]: one law broken on purpose, to show that
//! the laws can fail.

mod deal;
pub mod flaw;
mod saved;
mod show;
mod view;

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use parlor::game::options::{OptionKind, OptionSpec};
use parlor::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Insight, Meta, NotationError, OptionValues, Outcome,
    Seat, SeatSet, TurnLength, Viewer, Word,
};
use parlor::text::leading;
use serde::{Deserialize, Serialize};

use saved::Saved;
pub use view::{Event, View};

/// How often a toy was played and how often one was read, in the whole program.
pub static PLAYS: AtomicUsize = AtomicUsize::new(0);
pub static LOADS: AtomicUsize = AtomicUsize::new(0);

/// A position of the toy.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Toy<const FLAW: u8> {
    bonus: bool,
    /// Sorted; a card that was bid stays here until it is shown.
    hands: Vec<Vec<u8>>,
    bids: Vec<Option<u8>>,
    points: Vec<u8>,
    /// What each seat has seen of the others' hands.
    #[serde(skip_serializing_if = "flaw::forgets::<FLAW>")]
    knows: Vec<Vec<(Seat, u8)>>,
    /// Sorted, so that it says nothing about what comes next.
    pool: Vec<u8>,
    /// The last trick.
    trick: Vec<(Seat, u8)>,
    phase: Phase,
    inside: SeatSet,
    /// Nothing, unless the toy is flawed.
    luck: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    Bidding,
    Window {
        taker: Seat,
        declined: SeatSet,
    },
    Turn {
        taker: Seat,
        marks: Vec<u8>,
        peeked: bool,
    },
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    Bid(u8),
    Grab,
    Decline,
    Mark(u8),
    Peek(Seat),
    Keep,
}

static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "bonus",
        help: "An even trick counts twice.",
        rulebook: None,
        kind: OptionKind::Switch { default: false },
    },
    OptionSpec {
        name: "deck",
        help: "Whether each card is there once or twice.",
        rulebook: None,
        kind: OptionKind::Choice {
            default: "plain",
            values: &["plain", "double"],
        },
    },
    OptionSpec {
        name: "hand",
        help: "Cards at the start.",
        rulebook: None,
        kind: OptionKind::Whole {
            default: 3,
            min: 2,
            max: 4,
        },
    },
];

/// Marks that a taker can put, each once.
const MARKS: u8 = 3;

/// Makes a flawed toy moody.
static MOOD: AtomicU8 = AtomicU8::new(0);

impl<const FLAW: u8> Toy<FLAW> {
    fn seat_count(&self) -> u8 {
        self.hands.len() as u8
    }

    /// The card last: everybody has bid.
    fn show_bids<C: Chronicle<Event>>(&mut self, last: Option<Seat>, told: &mut C) {
        let bids = self
            .inside
            .iter()
            .filter_map(|seat| Some((seat, self.bids[seat.index()]?)));
        self.trick = bids.collect();
        for (seat, card) in self.trick.clone() {
            self.discard(seat, card);
        }
        self.bids.fill(None);
        // The lower seat takes a tie.
        let best = self
            .trick
            .iter()
            .rev()
            .max_by_key(|(_, card)| *card)
            .map(|(seat, _)| *seat);
        let taker = if FLAW == flaw::ORDER_COUNTS { last } else { best };
        let Some(taker) = taker else { return };
        let sum: u8 = self.trick.iter().map(|(_, card)| card).sum();
        self.points[taker.index()] += if self.bonus && sum.is_multiple_of(2) { 2 } else { 1 };
        if FLAW == flaw::MOODY {
            self.points[taker.index()] += MOOD.fetch_add(1, Ordering::Relaxed) % 3;
        }
        told.reveal();
        told.tell(|| Event::Shown {
            trick: self.trick.clone(),
            taker,
        });
        self.phase = if self.pool.is_empty() {
            self.turn_of(taker)
        } else {
            Phase::Window {
                taker,
                declined: SeatSet::EMPTY,
            }
        };
    }

    fn turn_of(&self, taker: Seat) -> Phase {
        if self.inside.contains(taker) {
            Phase::Turn {
                taker,
                marks: Vec::new(),
                peeked: false,
            }
        } else {
            self.next_round()
        }
    }

    fn next_round(&self) -> Phase {
        let all_have_cards = self
            .inside
            .iter()
            .all(|seat| !self.hands[seat.index()].is_empty());
        if all_have_cards {
            Phase::Bidding
        } else {
            Phase::Over
        }
    }

    /// Takes a card out of a hand, and out of what others know of it.
    fn discard(&mut self, owner: Seat, card: u8) {
        let hand = &mut self.hands[owner.index()];
        if let Some(place) = hand.iter().position(|&held| held == card) {
            hand.remove(place);
        }
        for known in &mut self.knows {
            known.retain(|&entry| entry != (owner, card));
        }
    }

    fn all_have_bid(&self) -> bool {
        self.inside.iter().all(|seat| self.bids[seat.index()].is_some())
    }

    /// Those who may still act in a window.
    fn window(&self, declined: SeatSet) -> SeatSet {
        let open = |seat: &Seat| match FLAW {
            flaw::STUCK => true,
            flaw::TELLTALE_WINDOW => {
                !declined.contains(*seat)
                    && (seat.index() == 0 || self.hands[seat.index()].iter().any(|&card| card > 4))
            }
            _ => !declined.contains(*seat),
        };
        let seats: SeatSet = self.inside.iter().filter(open).collect();
        // A telltale window that nobody is in would be another flaw than the one to show.
        if seats.is_empty() { self.inside } else { seats }
    }
}

/// Nothing is known of playing it well.
impl<const FLAW: u8> Insight for Toy<FLAW> {}

impl<const FLAW: u8> Game for Toy<FLAW> {
    const META: &'static Meta = &Meta {
        id: "toy",
        name: "Toy",
        tagline: "Bid, grab, mark.",
        designer: "nobody",
        example: "bid 3",
        seats: 2..=5,
        information: Information::Hidden,
        turn_length: TurnLength::One,
        rules_version: 1,
        // At most twenty tricks of five bids, a window of five and a turn of five.
        bound: 300,
        options: OPTIONS,
        rulebook_clock: None,
    };

    type Action = Action;
    type Event = Event;
    type View = View;

    fn check_data() -> Result<(), String> {
        flaw::check_data::<FLAW>()
    }

    fn new(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        deal::deal(options, seats, rng)
    }

    fn seats(&self) -> u8 {
        self.seat_count()
    }

    fn awaiting(&self) -> Awaiting {
        match &self.phase {
            Phase::Bidding => {
                let open = |seat: &Seat| self.bids[seat.index()].is_none();
                Awaiting::Each(self.inside.iter().filter(open).collect())
            }
            Phase::Window { declined, .. } => Awaiting::Any(self.window(*declined)),
            Phase::Turn { taker, .. } => Awaiting::Turn(*taker),
            Phase::Over => Awaiting::Over,
        }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Action>) {
        if !self.awaiting().includes(seat) {
            return;
        }
        let start = out.len();
        match &self.phase {
            Phase::Bidding => {
                let mut hand = self.hands[seat.index()].clone();
                hand.dedup();
                out.extend(hand.into_iter().map(Action::Bid));
            }
            Phase::Window { declined, .. } if !declined.contains(seat) => {
                out.extend([Action::Grab, Action::Decline]);
            }
            Phase::Window { .. } | Phase::Over => {}
            Phase::Turn { marks, peeked, .. } => {
                let free = (1..=MARKS).filter(|mark| !marks.contains(mark) || FLAW == flaw::ENDLESS);
                out.extend(free.map(Action::Mark));
                if FLAW == flaw::DOUBLED {
                    out.extend(out.last().copied());
                }
                let others = self.inside.iter().filter(|&other| other != seat && !peeked);
                let with_cards = others.filter(|other| match self.hands[other.index()].first() {
                    Some(&lowest) => FLAW != flaw::TELLTALE_LIST || lowest < 5,
                    None => false,
                });
                out.extend(with_cards.map(Action::Peek));
                out.push(Action::Keep);
            }
        }
        if FLAW == flaw::UNSORTED {
            out[start..].reverse();
        }
    }

    fn count_legal(&self, seat: Seat) -> usize {
        let count = self.legal_actions(seat).len();
        if FLAW == flaw::MISCOUNTED && count > 2 {
            count - 1
        } else {
            count
        }
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, action: &Action, rng: &mut GameRng, told: &mut C) {
        PLAYS.fetch_add(1, Ordering::Relaxed);
        match (*action, &mut self.phase) {
            (Action::Bid(card), _) => {
                self.bids[seat.index()] = Some(card);
                told.tell(|| Event::Bid {
                    seat,
                    card: Some(card),
                });
                if self.all_have_bid() {
                    self.show_bids(Some(seat), told);
                }
            }
            (Action::Grab, Phase::Window { taker, .. }) => {
                let taker = *taker;
                let card = self.pool.remove(rng.below(self.pool.len()));
                let hand = &mut self.hands[seat.index()];
                hand.push(card);
                hand.sort_unstable();
                told.tell(|| Event::Grabbed {
                    seat,
                    card: Some(card),
                });
                self.phase = self.turn_of(taker);
            }
            (Action::Decline, Phase::Window { taker, declined }) => {
                let taker = *taker;
                declined.insert(seat);
                let declined = *declined;
                told.tell(|| Event::Declined { seat });
                if self.inside.iter().all(|seat| declined.contains(seat)) {
                    self.phase = self.turn_of(taker);
                }
            }
            (Action::Mark(mark), Phase::Turn { marks, .. }) => {
                if !marks.contains(&mark) {
                    marks.push(mark);
                }
                told.tell(|| Event::Marked { seat, mark });
            }
            (Action::Peek(at), Phase::Turn { peeked, .. }) => {
                *peeked = true;
                let Some(&card) = self.hands[at.index()].first() else {
                    return;
                };
                if !self.knows[seat.index()].contains(&(at, card)) {
                    self.knows[seat.index()].push((at, card));
                }
                if FLAW != flaw::PROBED || card.is_multiple_of(2) {
                    told.reveal();
                }
                told.tell(|| Event::Peeked {
                    seat,
                    at,
                    card: Some(card),
                });
            }
            (Action::Keep, _) => {
                told.tell(|| Event::Kept { seat });
                if FLAW != flaw::ENDLESS {
                    self.phase = self.next_round();
                }
            }
            (Action::Grab | Action::Decline | Action::Mark(_) | Action::Peek(_), _) => {}
        }
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _rng: &mut GameRng, told: &mut C) {
        if self.phase == Phase::Over || !self.inside.contains(seat) {
            return;
        }
        told.tell(|| Event::Left { seat });
        if FLAW == flaw::GHOSTS && self.inside.len() > 2 {
            return;
        }
        self.inside.remove(seat);
        self.pool.append(&mut self.hands[seat.index()]);
        self.pool.sort_unstable();
        self.bids[seat.index()] = None;
        for known in &mut self.knows {
            known.retain(|(owner, _)| *owner != seat);
        }
        if self.inside.len() == 1 {
            self.phase = Phase::Over;
            return;
        }
        match self.phase.clone() {
            Phase::Bidding if self.all_have_bid() => self.show_bids(None, told),
            Phase::Bidding | Phase::Over => {}
            Phase::Window { taker, declined } => {
                if self.inside.iter().all(|seat| declined.contains(seat)) {
                    self.phase = self.turn_of(taker);
                }
            }
            Phase::Turn { taker, .. } => {
                if taker == seat {
                    self.phase = self.next_round();
                }
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.phase != Phase::Over {
            return None;
        }
        let rank = |seat: Seat| {
            if !self.inside.contains(seat) {
                return self.inside.len() as u8 + 1;
            }
            let better = |other: &Seat| self.points[other.index()] > self.points[seat.index()];
            1 + self.inside.iter().filter(better).count() as u8
        };
        Some(Outcome::new(
            Seat::all(self.seat_count()).map(rank).collect(),
            "most points",
        ))
    }

    fn view(&self, viewer: Viewer) -> View {
        self.look(viewer)
    }

    fn witness(event: &Event, viewer: Viewer) -> Option<Event> {
        if FLAW == flaw::TELLTALE_EVENTS {
            return Some(event.clone());
        }
        Some(event.to(viewer))
    }

    fn notate(&self, _seat: Seat, action: &Action) -> String {
        match action {
            Action::Bid(card) => format!("bid {card}"),
            Action::Grab => "grab".to_owned(),
            Action::Decline => "decline".to_owned(),
            Action::Mark(mark) if FLAW == flaw::NAMESAKES => format!("mark {}", (*mark).max(2)),
            Action::Mark(mark) => format!("mark {mark}"),
            Action::Peek(at) => format!("peek {at}"),
            Action::Keep => "keep".to_owned(),
        }
    }

    /// `mark 1 2 3` is three actions: a number alone puts another mark, or bids a card.
    fn is_moot(&self, seat: Seat, _clause: &str) -> bool {
        let others = self
            .hands
            .iter()
            .zip(0..)
            .filter(|(_, holder)| Seat::new(*holder) != seat);
        let mut lowest = others.filter_map(|(hand, _)| hand.first());
        FLAW == flaw::TELLTALE_MOOT && lowest.any(|card| *card < 5)
    }

    fn parse<'t>(&self, _seat: Seat, text: &'t str) -> Result<(Action, &'t str), NotationError> {
        if FLAW == flaw::PANICS {
            let _ = &text[..text.len().min(1)];
        }
        let hint = "Try `bid 3`, `mark 1 2`, `peek 2`, `grab`, `decline` or `keep`.";
        let unreadable = || NotationError::unreadable(text, hint);
        let (word, rest) = first_word(text);
        let (number, after) = first_word(rest);
        let marking = matches!(self.phase, Phase::Turn { .. });
        let (rest, after) = match FLAW {
            flaw::INATTENTIVE => ("", ""),
            _ => (rest, after),
        };
        match word.to_lowercase().as_str() {
            "grab" => Ok((Action::Grab, rest)),
            "decline" => Ok((Action::Decline, rest)),
            "keep" => Ok((Action::Keep, rest)),
            "bid" => Ok((Action::Bid(number.parse().map_err(|_| unreadable())?), after)),
            "mark" => Ok((Action::Mark(number.parse().map_err(|_| unreadable())?), after)),
            "peek" => {
                let number = number.parse().map_err(|_| unreadable())?;
                let at = Seat::numbered(number, self.seat_count()).ok_or_else(unreadable)?;
                Ok((Action::Peek(at), after))
            }
            other => {
                let number = other.parse().map_err(|_| unreadable())?;
                Ok((
                    if marking {
                        Action::Mark(number)
                    } else {
                        Action::Bid(number)
                    },
                    rest,
                ))
            }
        }
    }

    fn paths(&self, seat: Seat, action: &Action) -> Vec<Vec<Word>> {
        let action = match action {
            Action::Mark(2) if FLAW == flaw::LOST_WAYS => Action::Mark(1),
            other => *other,
        };
        let text = self.notate(seat, &action);
        vec![
            text.split(' ')
                .map(|word| Word::new("What next?", word))
                .collect(),
        ]
    }

    fn determinize(&self, seat: Seat, rng: &mut GameRng) -> Self {
        deal::imagine(self, seat, rng)
    }
}

fn first_word(text: &str) -> (&str, &str) {
    leading(text.trim_start(), |letter| !letter.is_whitespace())
}
