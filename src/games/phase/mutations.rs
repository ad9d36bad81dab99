//! What can happen to cards and influence. Every change of a zone, a side or a pool goes through here, so that who
//! has seen what is always kept.

use super::Phase;
use super::card::{Alignment, Place, Skill};
use super::event::{At, Event, Influence, Named};
use super::flow::Trigger;
use super::piece::{Eyes, Piece, Zone};
use super::pile::{Inst, Pile};
use super::player::Player;
use super::scribe::Scribe;
use super::shown::Shown;
use crate::game::{Chronicle, Seat};

/// The highest number that a warrior gets; then they start again with those that are free.
const HIGHEST_NUMBER: u8 = 99;

impl Phase {
    #[inline]
    pub(super) fn piece_mut(&mut self, inst: Inst) -> &mut Piece {
        &mut self.pieces[inst.index()]
    }

    #[inline]
    pub(super) fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.players[seat.index()]
    }

    /// A card as an event names it: by the face that all see, and where it is.
    pub(super) fn named(&self, inst: Inst) -> Named {
        let piece = self.piece(inst);
        let player = self.player(piece.owner);
        let at = match piece.zone {
            Zone::Play => At::Warrior(piece.number),
            Zone::Barracks => At::Resource(player.barracks.place_of(inst).unwrap_or(0)),
            Zone::Hand => At::Hand(player.hand.place_of(inst).unwrap_or(0)),
            Zone::Deck => At::Deck,
            Zone::Discard | Zone::Resolving | Zone::Gone => At::Discard,
        };
        Named {
            owner: piece.owner,
            at,
            face: Shown(self.open_face(inst)),
        }
    }

    /// These viewers see one side of a card.
    fn learn<C: Chronicle<Event>>(&mut self, inst: Inst, side: Alignment, eyes: Eyes, s: &mut Scribe<'_, C>) {
        let seen = &mut self.pieces[inst.index()].seen[side.index()];
        if !seen.includes(eyes) {
            s.reveal(seen.missing(eyes).collect());
            *seen = seen.and(eyes);
        }
    }

    /// Everybody sees what a card shows where it is now. Rules file, "Zones and who sees what".
    pub(super) fn expose<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        let Piece { zone, up, owner, .. } = *self.piece(inst);
        match zone {
            Zone::Hand => {
                self.learn(inst, up.other(), Eyes::ALL, s);
                self.learn(inst, up, Eyes::of(owner), s);
            }
            Zone::Barracks | Zone::Play | Zone::Discard => {
                self.learn(inst, up, Eyes::ALL, s);
                self.learn(inst, up.other(), Eyes::of(owner), s);
            }
            // On the deck only the top card shows its upper face, and nobody may look beneath.
            Zone::Deck | Zone::Resolving => self.learn(inst, up, Eyes::ALL, s),
            Zone::Gone => {}
        }
    }

    /// An order is shown to all as it is given.
    pub(super) fn reveal_order<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        self.learn(inst, self.piece(inst).up, Eyes::ALL, s);
    }

    /// Both sides of a card are shown to all.
    pub(super) fn show_both<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        for side in Alignment::ALL {
            self.learn(inst, side, Eyes::ALL, s);
        }
    }

    /// The upper face of a deck's top card is open.
    pub(super) fn expose_top<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        if let Some(&top) = self.player(seat).deck.last() {
            self.expose(top, s);
        }
    }

    /// A player looks at the side of a card that is hidden from the others.
    pub(super) fn peek<C: Chronicle<Event>>(&mut self, seat: Seat, inst: Inst, s: &mut Scribe<'_, C>) {
        let piece = *self.piece(inst);
        let side = match piece.zone {
            Zone::Hand => piece.up,
            Zone::Deck | Zone::Barracks | Zone::Play | Zone::Discard => piece.up.other(),
            Zone::Resolving | Zone::Gone => return,
        };
        self.learn(inst, side, Eyes::of(seat), s);
        s.tell(|| Event::Peeked {
            seat,
            card: self.named(inst),
            other: Some(Shown(self.side(inst, side))),
        });
    }

    fn pile_mut(&mut self, seat: Seat, zone: Zone) -> Option<&mut Pile> {
        let player = self.player_mut(seat);
        match zone {
            Zone::Deck => Some(&mut player.deck),
            Zone::Hand => Some(&mut player.hand),
            Zone::Barracks => Some(&mut player.barracks),
            Zone::Play => Some(&mut player.play),
            Zone::Discard => Some(&mut player.discard),
            Zone::Resolving | Zone::Gone => None,
        }
    }

    /// Moves a card to a zone of its owner. What it had in play is gone; its active side stays, but from the deck
    /// into the hand, where the face that was up turns to the opponents ("Drawing").
    pub(super) fn put<C: Chronicle<Event>>(&mut self, inst: Inst, zone: Zone, s: &mut Scribe<'_, C>) {
        let Piece {
            owner, zone: from, ..
        } = *self.piece(inst);
        if let Some(pile) = self.pile_mut(owner, from) {
            pile.remove(inst);
        }
        if from == Zone::Play {
            self.leave_skirmish(inst);
        }
        let number = if zone == Zone::Play { self.free_number() } else { 0 };
        let piece = self.piece_mut(inst);
        piece.reset();
        piece.zone = zone;
        piece.number = number;
        if from == Zone::Deck && zone == Zone::Hand {
            piece.up = piece.up.other();
        }
        if let Some(pile) = self.pile_mut(owner, zone) {
            pile.push(inst);
        }
        self.expose(inst, s);
        if from == Zone::Deck || zone == Zone::Deck {
            self.expose_top(owner, s);
        }
    }

    /// The next number that no warrior has.
    fn free_number(&mut self) -> u8 {
        for _ in 0..HIGHEST_NUMBER {
            self.last_number = self.last_number % HIGHEST_NUMBER + 1;
            if self.numbered(self.last_number).is_none() {
                break;
            }
        }
        self.last_number
    }

    /// A warrior that leaves play is in no skirmish any more; without its attacker a skirmish is over.
    fn leave_skirmish(&mut self, inst: Inst) {
        let Some(attack) = &mut self.attack else {
            return;
        };
        for skirmish in attack.skirmishes.iter_mut().filter(|skirmish| !skirmish.done) {
            skirmish.defenders.retain(|&defender| defender != inst);
            skirmish.done |= skirmish.attacker == inst;
        }
    }

    /// A card leaves play; "Relentless: whenever the card leaves play, of the face up at that moment".
    pub(super) fn leave_play<C: Chronicle<Event>>(&mut self, inst: Inst, zone: Zone, s: &mut Scribe<'_, C>) {
        let skills = &self.face(inst).skills;
        let up = self.piece(inst).up;
        self.put(inst, zone, s);
        self.trigger_each(inst, up, skills, |skill| matches!(skill, Skill::Relentless(_)));
    }

    /// A card comes into play; "Trained: after it enters play, however it did".
    pub(super) fn enter_play<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        self.put(inst, Zone::Play, s);
        let up = self.piece(inst).up;
        let skills = &self.face(inst).skills;
        self.trigger_each(inst, up, skills, |skill| matches!(skill, Skill::Trained(_)));
    }

    fn trigger_each(&mut self, inst: Inst, side: Alignment, skills: &[Skill], of: impl Fn(&Skill) -> bool) {
        for (place, _) in (0u8..).zip(skills).filter(|(_, skill)| of(skill)) {
            self.triggers.push(Trigger {
                card: inst,
                side: Some(side),
                skill: place,
            });
        }
    }

    /// "Phase": a card is turned over, and damage on it is removed; bonuses stay. A locked card can't.
    /// In play it may trigger the Phaseling of the face turned away.
    pub(super) fn turn_over<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) -> bool {
        let was = *self.piece(inst);
        if was.locked || !matches!(was.zone, Zone::Play | Zone::Barracks) {
            return false;
        }
        let away = self.face(inst);
        let piece = self.piece_mut(inst);
        piece.up = was.up.other();
        piece.damage = 0;
        self.expose(inst, s);
        if was.zone == Zone::Play {
            self.trigger_each(inst, was.up, &away.skills, |skill| {
                matches!(skill, Skill::Phaseling(_))
            });
        }
        true
    }

    /// Phases a card by an effect, or on its way home, and tells of it.
    pub(super) fn phase<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        let was = Shown(self.face(inst));
        if self.turn_over(inst, s) {
            s.tell(|| Event::Phased {
                card: self.named(inst),
                was,
            });
        }
    }

    /// A card for drawing or enlisting: "if a player's deck is ever empty, they first shuffle their discard pile to
    /// form a new deck". Nothing if both are empty.
    fn top_card<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) -> Option<Inst> {
        if self.player(seat).deck.is_empty() && !self.player(seat).discard.is_empty() {
            self.remake(seat, s);
        }
        self.player(seat).deck.last().copied()
    }

    fn remake<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        let player = self.player_mut(seat);
        let deck = player.discard;
        player.deck = deck;
        player.discard.clear();
        for &inst in deck.iter() {
            self.piece_mut(inst).zone = Zone::Deck;
        }
        self.shuffle(seat, s);
        s.tell(|| Event::Remade { seat });
    }

    /// "Shuffling also turns each card at random and ends all knowledge of it": what was seen is past.
    pub(super) fn shuffle<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        self.shuffles = self.shuffles.wrapping_add(1);
        let (batch, mut deck) = (self.shuffles, self.player(seat).deck);
        s.rng.shuffle(deck.as_mut_slice());
        self.player_mut(seat).deck = deck;
        for &inst in deck.iter() {
            let up = if s.rng.below(2) == 0 {
                Alignment::Good
            } else {
                Alignment::Evil
            };
            let piece = self.piece_mut(inst);
            piece.up = up;
            piece.batch = batch;
            for side in 0..2 {
                piece.past[side] = piece.past[side].and(piece.seen[side]);
                piece.seen[side] = Eyes::NONE;
            }
        }
        self.expose_top(seat, s);
    }

    pub(super) fn draw<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        let Some(inst) = self.top_card(seat, s) else {
            return;
        };
        self.put(inst, Zone::Hand, s);
        s.tell(|| Event::Drew {
            seat,
            outward: Shown(self.open_face(inst)),
            inward: Some(Shown(self.face(inst))),
        });
    }

    /// "Enlist": from the top of the deck into the barracks, never phased.
    pub(super) fn enlist<C: Chronicle<Event>>(&mut self, seat: Seat, locked: bool, s: &mut Scribe<'_, C>) {
        let Some(inst) = self.top_card(seat, s) else {
            return;
        };
        self.put(inst, Zone::Barracks, s);
        self.piece_mut(inst).locked = locked;
        s.tell(|| Event::Enlisted {
            seat,
            face: Shown(self.face(inst)),
            locked,
        });
    }

    /// From the hand to the discard pile.
    pub(super) fn discard<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        let seat = self.piece(inst).owner;
        self.put(inst, Zone::Discard, s);
        s.tell(|| Event::Discarded {
            seat,
            face: Shown(self.face(inst)),
        });
    }

    /// A card is moved by an effect.
    pub(super) fn send<C: Chronicle<Event>>(&mut self, inst: Inst, goal: Place, s: &mut Scribe<'_, C>) {
        let from = self.piece(inst).zone;
        if matches!(from, Zone::Resolving | Zone::Gone) {
            return;
        }
        let zone = match goal {
            Place::Play => Zone::Play,
            Place::Barracks | Place::BarracksLocked => Zone::Barracks,
            Place::Hand => Zone::Hand,
            Place::Discard => Zone::Discard,
            Place::DeckTop => Zone::Deck,
        };
        // To be where one is already is no move.
        if from == zone {
            return;
        }
        let card = self.named(inst);
        match (from, zone) {
            (Zone::Play, _) => self.leave_play(inst, zone, s),
            (_, Zone::Play) => self.enter_play(inst, s),
            _ => self.put(inst, zone, s),
        }
        if goal == Place::BarracksLocked {
            self.piece_mut(inst).locked = true;
        }
        let number = self.piece(inst).number;
        s.tell(|| Event::Moved {
            card,
            to: goal,
            number,
        });
    }

    /// From the Nexus to a player, as far as the pool holds.
    pub(super) fn gain<C: Chronicle<Event>>(&mut self, due: Influence, s: &mut Scribe<'_, C>) {
        let Influence { seat, alignment, .. } = due;
        let pool = &mut self.nexus[alignment.index()];
        let Some(amount) = taken(pool, due.amount) else {
            return;
        };
        let emptied = *pool == 0;
        self.player_mut(seat).influence[alignment.index()] += amount;
        s.tell(|| Event::Gained(Influence { amount, ..due }));
        if emptied {
            s.tell(|| Event::Emptied { alignment });
        }
    }

    /// "Put any lost influence back into the game box", as far as there is any.
    pub(super) fn lose<C: Chronicle<Event>>(&mut self, due: Influence, s: &mut Scribe<'_, C>) {
        let place = due.alignment.index();
        let pool = &mut self.player_mut(due.seat).influence[place];
        let Some(amount) = taken(pool, due.amount) else {
            return;
        };
        self.spent[place] += amount;
        s.tell(|| Event::Lost(Influence { amount, ..due }));
    }

    /// Destroys all warriors that are due, together. Whether there was one.
    pub(super) fn sweep<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> bool {
        let due: Vec<Inst> = self.warriors().filter(|&inst| self.is_due(inst)).collect();
        for &inst in &due {
            s.tell(|| Event::Destroyed {
                card: self.named(inst),
            });
        }
        for &inst in &due {
            self.leave_play(inst, Zone::Discard, s);
        }
        !due.is_empty()
    }
}

/// Takes so much from a pool, as far as it holds; nothing if that is nothing.
fn taken(pool: &mut u16, due: u16) -> Option<u16> {
    let amount = due.min(*pool);
    *pool -= amount;
    (amount > 0).then_some(amount)
}
