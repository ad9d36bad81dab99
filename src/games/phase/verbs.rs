//! What each verb of an effect does.

use super::Phase;
use super::card::{Amount, CardVerb, Reference};
use super::event::{Event, Influence};
use super::flow::Doing;
use super::piece::Zone;
use super::pile::Inst;
use super::scribe::Scribe;
use crate::game::Chronicle;

/// Nobody has more cards than a deck holds.
const CARDS_AT_ONCE: i16 = super::card::deck::DECK_SIZE as i16;

impl Phase {
    /// One verb, "as far as possible, skipping what is not".
    pub(super) fn carry_out<C: Chronicle<Event>>(
        &mut self,
        verb: &CardVerb,
        doing: &mut Doing,
        s: &mut Scribe<'_, C>,
    ) {
        match verb {
            CardVerb::Buff {
                what,
                attack,
                defense,
            } => {
                let (attack, defense) = (self.amount(attack, doing), self.amount(defense, doing));
                for inst in self.warriors_of(what, doing) {
                    let piece = self.piece_mut(inst);
                    piece.attack = piece.attack.saturating_add(attack);
                    piece.defense = piece.defense.saturating_add(defense);
                    s.tell(|| Event::Buffed {
                        card: self.named(inst),
                        attack,
                        defense,
                    });
                }
            }
            CardVerb::Damage { what, amount } => {
                let damage = self.amount(amount, doing).max(0);
                for inst in self.warriors_of(what, doing).into_iter().filter(|_| damage > 0) {
                    let piece = self.piece_mut(inst);
                    piece.damage = piece.damage.saturating_add(damage);
                    s.tell(|| Event::Damaged {
                        card: self.named(inst),
                        damage,
                    });
                }
            }
            CardVerb::Heal { what, amount } => {
                let amount = self.amount(amount, doing).max(0);
                for inst in self.warriors_of(what, doing) {
                    let piece = self.piece_mut(inst);
                    let damage = piece.damage.min(amount);
                    piece.damage -= damage;
                    if damage > 0 {
                        s.tell(|| Event::Healed {
                            card: self.named(inst),
                            damage,
                        });
                    }
                }
            }
            CardVerb::Phase(what) => {
                for inst in self.referred(what, doing) {
                    self.phase(inst, s);
                }
            }
            CardVerb::Lock(what) => self.lock_each(what, true, doing, s),
            CardVerb::Unlock(what) => self.lock_each(what, false, doing, s),
            CardVerb::Destroy(what) => {
                for inst in self.warriors_of(what, doing) {
                    self.piece_mut(inst).doomed = true;
                }
            }
            CardVerb::Grant { what, skill } => {
                for inst in self.warriors_of(what, doing) {
                    let piece = self.piece_mut(inst);
                    piece.granted = piece.granted.with(skill.keyword());
                    s.tell(|| Event::Granted {
                        card: self.named(inst),
                        keyword: skill.keyword(),
                    });
                }
            }
            CardVerb::Draw { who, count } => {
                let count = self.amount(count, doing);
                for seat in self.players_of(who, doing) {
                    for _ in 0..count.min(CARDS_AT_ONCE) {
                        self.draw(seat, s);
                    }
                }
            }
            CardVerb::Discard { who, count } => {
                let count = u8::try_from(self.amount(count, doing)).unwrap_or(0);
                let players = self.players_of(who, doing).into_iter();
                doing.discards.extend(players.map(|seat| (seat, count)));
            }
            CardVerb::Enlist { who, count, locked } => {
                let count = self.amount(count, doing);
                for seat in self.players_of(who, doing) {
                    for _ in 0..count.min(CARDS_AT_ONCE) {
                        self.enlist(seat, *locked, s);
                    }
                }
            }
            CardVerb::Gain {
                who,
                alignment,
                amount,
            }
            | CardVerb::Lose {
                who,
                alignment,
                amount,
            } => {
                let amount = u16::try_from(self.amount(amount, doing)).unwrap_or(0);
                for seat in self.players_of(who, doing) {
                    let due = Influence {
                        seat,
                        alignment: *alignment,
                        amount,
                        by: None,
                    };
                    if matches!(verb, CardVerb::Gain { .. }) {
                        self.gain(due, s);
                    } else {
                        self.lose(due, s);
                    }
                }
            }
            CardVerb::Move { what, to } => {
                for inst in self.referred(what, doing) {
                    self.send(inst, *to, s);
                }
            }
            CardVerb::Peek(what) => {
                for inst in self.referred(what, doing) {
                    self.peek(doing.seat, inst, s);
                }
            }
            // Entered by [`Self::run_step`].
            CardVerb::If { .. } => {}
        }
    }

    /// Whoever counts on the difference of a card's costs shows both of its sides, for all to check.
    pub(super) fn show_differences<C: Chronicle<Event>>(
        &mut self,
        verb: &CardVerb,
        doing: &Doing,
        s: &mut Scribe<'_, C>,
    ) {
        let mut shown: Vec<&Reference> = Vec::new();
        for amount in verb.amounts() {
            differences(amount, &mut shown);
        }
        if let CardVerb::If { condition, .. } = verb {
            for amount in condition.amounts() {
                differences(amount, &mut shown);
            }
        }
        for reference in shown {
            for inst in self.referred(reference, doing) {
                self.show_both(inst, s);
            }
        }
    }

    /// What a reference means, as far as it is in play.
    fn warriors_of(&self, what: &Reference, doing: &Doing) -> Vec<Inst> {
        let mut warriors = self.referred(what, doing);
        warriors.retain(|&inst| self.in_play(inst));
        warriors
    }

    fn lock_each<C: Chronicle<Event>>(
        &mut self,
        what: &Reference,
        locked: bool,
        doing: &Doing,
        s: &mut Scribe<'_, C>,
    ) {
        for inst in self.referred(what, doing) {
            let piece = self.piece_mut(inst);
            if piece.locked == locked || !matches!(piece.zone, Zone::Play | Zone::Barracks) {
                continue;
            }
            piece.locked = locked;
            s.tell(|| {
                let card = self.named(inst);
                if locked {
                    Event::Locked { card }
                } else {
                    Event::Unlocked { card }
                }
            });
        }
    }
}

/// The cards whose difference of costs an amount counts.
fn differences<'e>(amount: &'e Amount, out: &mut Vec<&'e Reference>) {
    match amount {
        Amount::CostDifference(reference) => out.push(reference),
        Amount::Negated(amount) | Amount::Capped(amount, _) => differences(amount, out),
        Amount::Number(_)
        | Amount::Count(_)
        | Amount::Cost(_)
        | Amount::Attack(_)
        | Amount::Defense(_)
        | Amount::Damage(_)
        | Amount::HandSize(_)
        | Amount::Influence(..) => {}
    }
}
