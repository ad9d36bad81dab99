//! What faces and orders are worth, so that no card is written far off the curve.
//!
//! Prices are estimates in quarters of a point, one point being one attack or defense. They keep mistakes out of
//! the card files; what cards are really worth is seen in play (`parlor balance phase`).

use parlor::games::phase::card::effect::{
    Ability, Amount, CardChoice, CardSide, CardVerb, Condition, Cost, Effect, Filter, Place, Reference,
};
use parlor::games::phase::card::effect::{CardZone, Who};
use parlor::games::phase::card::face::{Face, Skill};

/// Quarters of a point.
pub(super) type Quarters = i32;

const POINT: Quarters = 4;

/// Attack brings influence, defense only keeps it: as long as lines are even they come to a point each.
const ATTACK: Quarters = 5;
const DEFENSE: Quarters = 3;

/// Attack, defense and skills together, by training cost.
const CURVE: [Quarters; 6] = [16, 20, 22, 24, 28, 32];

/// How far a face is off the curve: positive if it is too good.
pub(super) fn off_curve(face: &Face) -> Option<Quarters> {
    let stats = Quarters::from(face.attack) * ATTACK + Quarters::from(face.defense) * DEFENSE;
    let skills: Quarters = face.skills.iter().map(skill).sum();
    let curve = CURVE.get(usize::from(face.cost))?;
    Some(stats + skills - curve)
}

/// What an order may be worth for its cost, from and to.
pub(super) fn order_range(order: &Ability) -> (Quarters, Quarters) {
    let part = |lock: bool| -> Quarters {
        let count = |cost: &Cost| match (*cost, lock) {
            (Cost::Lock(n), true) | (Cost::Phase(n), false) => Quarters::from(n),
            (Cost::Lock(_), false) | (Cost::Phase(_), true) => 0,
        };
        order.costs.iter().map(count).sum()
    };
    let (least, most) = match part(false) {
        0 => (7, 17),
        1 => (10, 20),
        phases => (4 + 4 * phases, 18 + 4 * phases),
    };
    let locks = 6 * part(true);
    (least + locks, most + locks)
}

/// The price of a skill, in half points.
fn skill(skill: &Skill) -> Quarters {
    let price = match skill {
        Skill::Ally => 2,
        Skill::Swift => 4,
        Skill::Elite(effect) => worth(effect) / 4,
        Skill::Phaseling(effect) | Skill::Trained(effect) => worth(effect) * 2 / 5,
        Skill::Relentless(effect) => worth(effect) / 2,
        Skill::Action(ability) => {
            let paid = |cost: &Cost| match *cost {
                Cost::Phase(n) => Quarters::from(n) * POINT,
                Cost::Lock(n) => Quarters::from(n) * 6,
            };
            let paid: Quarters = ability.costs.iter().map(paid).sum();
            POINT + (worth(&ability.effect) - paid) / 4
        }
    };
    (price / 2 * 2).max(2)
}

/// What an effect is worth to its player when it comes off.
pub(super) fn worth(effect: &Effect) -> Quarters {
    Pricer {
        choices: &effect.choices,
    }
    .steps(&effect.steps)
}

struct Pricer<'e> {
    choices: &'e [CardChoice],
}

impl Pricer<'_> {
    fn steps(&self, steps: &[CardVerb]) -> Quarters {
        steps.iter().map(|verb| self.verb(verb)).sum()
    }

    fn verb(&self, verb: &CardVerb) -> Quarters {
        match verb {
            CardVerb::Buff { what, .. } => {
                let change: Quarters = verb.amounts().map(|amount| self.amount(amount)).sum();
                match self.side(what) {
                    CardSide::Mine => change * self.many(what),
                    CardSide::Opponents => -change * self.many(what),
                    CardSide::Any => change.abs() * self.many(what),
                }
            }
            CardVerb::Damage { what, amount } => {
                self.foe(what) * (self.amount(amount) * 3 / 2 + 2) * self.many(what)
            }
            // There must be a wound first.
            CardVerb::Heal { what, amount } => self.amount(amount) / 2 * self.many(what),
            CardVerb::Phase(what) => match self.zone(what) {
                CardZone::Play => 12 * self.many(what),
                _ => 3 * self.many(what),
            },
            CardVerb::Lock(what) => match self.zone(what) {
                CardZone::Play => 12 * self.foe(what) * self.many(what),
                _ => 4 * self.foe(what) * self.many(what),
            },
            CardVerb::Unlock(what) => 6 * self.many(what),
            CardVerb::Destroy(what) => self.foe(what) * self.doom(what) * self.many(what),
            CardVerb::Grant { what, .. } => 6 * self.many(what),
            CardVerb::Draw { who, count } => 2 * self.amount(count) * friend(who),
            CardVerb::Discard { who, count } => -2 * self.amount(count) * friend(who),
            CardVerb::Enlist { who, count, locked } => {
                // A resource stays: it is worth more than any card.
                let each = if *locked { 17 } else { 18 };
                self.amount(count) * each / POINT * friend(who)
            }
            CardVerb::Gain { who, amount, .. } => self.amount(amount) * 5 / 4 * friend(who),
            // Others may have none of that kind, or not need it.
            CardVerb::Lose { who, amount, .. } => -(self.amount(amount) * 3 / 4) * friend(who),
            CardVerb::Move { what, to } => self.moved(what, *to) * self.many(what),
            CardVerb::Peek(_) => 3,
            CardVerb::If {
                condition,
                then,
                otherwise,
            } => {
                // A condition that mostly holds on the turn it is wanted costs little.
                let likely = match condition {
                    Condition::MyTurn | Condition::InSkirmish => 3,
                    _ => 2,
                };
                (self.steps(then) * likely + self.steps(otherwise) * (4 - likely)) / 4
                    + if otherwise.is_empty() {
                        self.steps(then) / 8
                    } else {
                        0
                    }
            }
        }
    }

    /// What it is worth to be rid of a card, by what may be picked.
    fn doom(&self, what: &Reference) -> Quarters {
        let limit = |filter: &Filter| match *filter {
            Filter::CostAtMost(n) => Some(12 + 4 * Quarters::from(n)),
            Filter::DefenseAtMost(n) => Some(8 + 3 * Quarters::from(n)),
            Filter::AttackAtMost(n) => Some(12 + 4 * Quarters::from(n)),
            Filter::Damaged => Some(16),
            _ => None,
        };
        let filters = what.group(self.choices).map_or(&[][..], |group| &group.filters);
        filters.iter().filter_map(limit).min().unwrap_or(28)
    }

    fn moved(&self, what: &Reference, to: Place) -> Quarters {
        match (self.side(what), self.zone(what), to) {
            (CardSide::Mine, CardZone::Play, Place::Hand) => 4,
            (CardSide::Mine, CardZone::Play, Place::Barracks | Place::BarracksLocked) => 3,
            (CardSide::Mine, CardZone::Play, _) => -8,
            (_, CardZone::Play, Place::Hand) => 16,
            (_, CardZone::Play, Place::Barracks) => 14,
            (_, CardZone::Play, Place::BarracksLocked) => 16,
            (_, CardZone::Play, _) => 18,
            (CardSide::Mine, CardZone::Discard, Place::Play) => 18,
            (CardSide::Mine, CardZone::Discard, Place::DeckTop) => 5,
            (CardSide::Mine, CardZone::Discard, Place::Barracks | Place::BarracksLocked) => 16,
            (CardSide::Mine, CardZone::Discard, _) => 10,
            (CardSide::Mine, CardZone::Hand, Place::Play) => 14,
            (CardSide::Mine, CardZone::Hand, Place::Barracks) => 8,
            (CardSide::Mine, CardZone::Hand, _) => 6,
            (CardSide::Mine, CardZone::Barracks, Place::Play) => 12,
            (CardSide::Mine, CardZone::Barracks, Place::Hand) => 4,
            (CardSide::Mine, _, _) => 2,
            (_, CardZone::Barracks, Place::Discard) => 13,
            (_, CardZone::Barracks, _) => 8,
            (_, CardZone::Hand, _) => 9,
            (_, CardZone::Discard | CardZone::DeckTop, _) => 3,
        }
    }

    fn amount(&self, amount: &Amount) -> Quarters {
        match amount {
            Amount::Number(number) => Quarters::from(*number) * POINT,
            Amount::Count(_) | Amount::Cost(_) | Amount::HandSize(_) => 2 * POINT,
            Amount::CostDifference(_) | Amount::Damage(_) => 6,
            Amount::Attack(_) => 10,
            Amount::Defense(_) => 3 * POINT,
            Amount::Influence(..) => 5 * POINT,
            Amount::Negated(amount) => -self.amount(amount),
            Amount::Capped(amount, most) => self.amount(amount).min(Quarters::from(*most) * POINT),
        }
    }

    fn side(&self, what: &Reference) -> CardSide {
        match what {
            Reference::This => CardSide::Mine,
            Reference::OpposingThis => CardSide::Opponents,
            Reference::Chosen(_) | Reference::Each(_) => {
                what.group(self.choices).map_or(CardSide::Any, |group| group.side)
            }
        }
    }

    fn zone(&self, what: &Reference) -> CardZone {
        what.group(self.choices)
            .map_or(CardZone::Play, |group| group.zone)
    }

    /// How many cards it reaches as a rule.
    fn many(&self, what: &Reference) -> Quarters {
        match what {
            Reference::This | Reference::OpposingThis => 1,
            Reference::Each(group) => match group.side {
                CardSide::Mine | CardSide::Opponents if !group.filters.iter().any(is_narrow) => 2,
                CardSide::Mine | CardSide::Opponents | CardSide::Any => 1,
            },
            Reference::Chosen(place) => match self.choices.get(usize::from(*place)) {
                Some(CardChoice::Cards { count, .. }) => Quarters::from(*count),
                _ => 1,
            },
        }
    }

    /// Whether what is bad for the card is good for the player.
    fn foe(&self, what: &Reference) -> Quarters {
        match self.side(what) {
            CardSide::Mine => -1,
            CardSide::Opponents | CardSide::Any => 1,
        }
    }
}

/// Whether few warriors are so.
const fn is_narrow(filter: &Filter) -> bool {
    matches!(
        filter,
        Filter::Damaged
            | Filter::Locked
            | Filter::CostAtMost(_)
            | Filter::CostAtLeast(_)
            | Filter::AttackAtMost(_)
            | Filter::DefenseAtMost(_)
    )
}

/// Whether what is good for the players is good for the player of the effect.
const fn friend(who: &Who) -> Quarters {
    match who {
        Who::Me => 1,
        Who::EachOpponent | Who::Chosen(_) | Who::OwnerOf(_) => -1,
        Who::Everyone => 0,
    }
}
