//! Looks an effect over: whether it speaks of what there is where it stands.

use std::collections::HashSet;

use parlor::games::phase::card::effect::{
    Ability, Amount, CardChoice, CardSide, CardVerb, Condition, Cost, Effect, Filter, Group, Place, Reference,
};
use parlor::games::phase::card::effect::{CardZone, Who};
use parlor::games::phase::card::face::Alignment;

/// Where an effect stands; it decides what the effect may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Order,
    Action,
    Trigger,
    Phaseling,
}

pub(super) fn look_at_ability(ability: &Ability, source: Source, faults: &mut Vec<String>) {
    match ability.costs[..] {
        [] | [Cost::Lock(1..=3) | Cost::Phase(1..=4)] | [Cost::Lock(1..=3), Cost::Phase(1..=4)] => {}
        [Cost::Phase(_), Cost::Lock(_)] => faults.push("lock comes before phase".to_owned()),
        _ => faults.push("a cost is at most lock 1 to 3, then phase 1 to 4".to_owned()),
    }
    look_at_effect(&ability.effect, source, faults);
}

pub(super) fn look_at_effect(effect: &Effect, source: Source, faults: &mut Vec<String>) {
    let mut checker = Checker {
        effect,
        source,
        phased: Vec::new(),
        used: HashSet::new(),
        faults,
    };
    for choice in &effect.choices {
        if let CardChoice::Cards { group, count, .. } = choice {
            checker.group(group);
            if !(1..=3).contains(count) {
                checker
                    .faults
                    .push(format!("{count} cards are chosen; 1 to 3 can be"));
            }
            if group.zone == CardZone::DeckTop {
                checker
                    .faults
                    .push("a top card is not chosen; say each".to_owned());
            }
        }
    }
    checker.steps(&effect.steps);
    let used = checker.used.len();
    if used < effect.choices.len() {
        faults.push("something is chosen and then nothing is done with it".to_owned());
    }
}

struct Checker<'e, 'f> {
    effect: &'e Effect,
    source: Source,
    /// What has certainly been phased in this effect, so that both its sides have been seen.
    phased: Vec<Reference>,
    used: HashSet<u8>,
    faults: &'f mut Vec<String>,
}

impl Checker<'_, '_> {
    fn steps(&mut self, steps: &[CardVerb]) {
        if steps.is_empty() {
            self.faults.push("it does nothing".to_owned());
        }
        for verb in steps {
            self.verb(verb);
        }
    }

    fn verb(&mut self, verb: &CardVerb) {
        match verb {
            CardVerb::Buff { what, .. } => {
                self.acts_on(what, &[CardZone::Play], "buff");
                for amount in verb.amounts() {
                    self.amount(amount);
                }
                if verb.amounts().all(|amount| *amount == Amount::Number(0)) {
                    self.faults.push("+0/+0 changes nothing".to_owned());
                }
            }
            CardVerb::Damage { what, amount } | CardVerb::Heal { what, amount } => {
                self.acts_on(what, &[CardZone::Play], "damage");
                self.positive(amount);
            }
            CardVerb::Phase(what) => {
                self.acts_on(what, &[CardZone::Play, CardZone::Barracks], "phase");
                self.phased.push(what.clone());
            }
            CardVerb::Lock(what) | CardVerb::Unlock(what) => {
                self.acts_on(what, &[CardZone::Play, CardZone::Barracks], "lock");
            }
            CardVerb::Destroy(what) | CardVerb::Grant { what, .. } => {
                self.acts_on(what, &[CardZone::Play], "destroy or grant");
            }
            CardVerb::Draw { who, count }
            | CardVerb::Discard { who, count }
            | CardVerb::Enlist { who, count, .. } => {
                self.who(who);
                self.positive(count);
            }
            CardVerb::Gain { who, amount, .. } | CardVerb::Lose { who, amount, .. } => {
                self.who(who);
                self.positive(amount);
            }
            CardVerb::Move { what, to } => self.moves(what, *to),
            CardVerb::Peek(what) => self.reference(what),
            CardVerb::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition);
                let before = self.phased.len();
                self.steps(then);
                self.phased.truncate(before);
                if !otherwise.is_empty() {
                    self.steps(otherwise);
                    self.phased.truncate(before);
                }
            }
        }
    }

    fn moves(&mut self, what: &Reference, to: Place) {
        self.reference(what);
        let (zone, stays) = match (self.zone(what), to) {
            (zone @ CardZone::Play, Place::Play)
            | (zone @ CardZone::Barracks, Place::Barracks | Place::BarracksLocked)
            | (zone @ CardZone::Hand, Place::Hand)
            | (zone @ CardZone::Discard, Place::Discard)
            | (zone @ CardZone::DeckTop, Place::DeckTop) => (zone, true),
            (zone, _) => (zone, false),
        };
        if stays {
            self.faults.push("a card is moved to where it is".to_owned());
        }
        // What lies on a deck is turned when it is drawn, so moving it by an effect would show too much.
        if zone == CardZone::DeckTop && to == Place::Hand {
            self.faults
                .push("a top card goes to the hand by drawing".to_owned());
        }
    }

    fn zone(&self, what: &Reference) -> CardZone {
        zone(what, self.effect)
    }

    fn acts_on(&mut self, what: &Reference, zones: &[CardZone], verb: &str) {
        self.reference(what);
        if !zones.contains(&self.zone(what)) {
            self.faults.push(format!("{verb} does not reach there"));
        }
    }

    fn reference(&mut self, what: &Reference) {
        match what {
            Reference::This => {
                if self.source == Source::Order {
                    self.faults
                        .push("an order has no `this`: its card is in the hand".to_owned());
                }
            }
            Reference::OpposingThis => {
                if self.source == Source::Order {
                    self.faults.push("an order opposes nothing".to_owned());
                }
            }
            Reference::Chosen(place) => {
                self.used.insert(*place);
            }
            Reference::Each(group) => self.group(group),
        }
    }

    fn group(&mut self, group: &Group) {
        for filter in &group.filters {
            let fits = match filter {
                Filter::Attacking
                | Filter::Defending
                | Filter::Opposed
                | Filter::Unopposed
                | Filter::Damaged
                | Filter::AttackAtMost(_)
                | Filter::DefenseAtMost(_) => group.zone == CardZone::Play,
                Filter::Other | Filter::OpposingThis => {
                    group.zone == CardZone::Play && self.source != Source::Order
                }
                Filter::Locked | Filter::Unlocked => {
                    matches!(group.zone, CardZone::Play | CardZone::Barracks)
                }
                // The active side of a hand card is its owner's secret.
                Filter::Aligned(_) | Filter::CostAtMost(_) | Filter::CostAtLeast(_) | Filter::Has(_) => {
                    group.zone != CardZone::Hand
                }
            };
            if !fits {
                self.faults
                    .push("its filters don't fit the cards it speaks of".to_owned());
            }
        }
        let aligned: HashSet<Alignment> = group.filters.iter().filter_map(alignment).collect();
        let has = |filter: Filter| group.filters.contains(&filter);
        if aligned.len() == 2
            || has(Filter::Attacking) && has(Filter::Defending)
            || has(Filter::Opposed) && has(Filter::Unopposed)
            || has(Filter::Locked) && has(Filter::Unlocked)
        {
            self.faults.push("no card can be all of that".to_owned());
        }
        // Rules, "Locked": a locked card can't be chosen by its own player.
        if group.side == CardSide::Mine && has(Filter::Locked) && self.is_choice(group) {
            self.faults.push("own locked cards can't be chosen".to_owned());
        }
    }

    fn is_choice(&self, group: &Group) -> bool {
        let same = |choice: &CardChoice| matches!(choice, CardChoice::Cards { group: chosen, .. } if chosen == group);
        self.effect.choices.iter().any(same)
    }

    fn who(&mut self, who: &Who) {
        match who {
            Who::Me | Who::EachOpponent | Who::Everyone => {}
            Who::Chosen(place) => {
                self.used.insert(*place);
            }
            Who::OwnerOf(what) => self.reference(what),
        }
    }

    fn positive(&mut self, amount: &Amount) {
        self.amount(amount);
        if matches!(amount, Amount::Number(..=0) | Amount::Negated(_)) {
            self.faults.push("this amount must be more than 0".to_owned());
        }
    }

    fn amount(&mut self, amount: &Amount) {
        match amount {
            Amount::Number(number) => {
                if !(-9..=9).contains(number) {
                    self.faults.push(format!("{number} is out of range"));
                }
            }
            Amount::Count(group) => self.group(group),
            Amount::Cost(what) => self.reference(what),
            Amount::CostDifference(what) => {
                self.reference(what);
                let own = match what {
                    Reference::This => true,
                    Reference::Chosen(_) | Reference::Each(_) => what
                        .group(&self.effect.choices)
                        .is_some_and(|group| group.side == CardSide::Mine),
                    Reference::OpposingThis => false,
                };
                let seen = self.source == Source::Phaseling && *what == Reference::This
                    || self.phased.contains(what);
                if !own || !seen {
                    // The number would tell everybody about a face that nobody has seen.
                    self.faults
                        .push("a cost difference is told only of own cards just phased".to_owned());
                }
            }
            Amount::Attack(what) | Amount::Defense(what) | Amount::Damage(what) => {
                self.acts_on(what, &[CardZone::Play], "this amount");
            }
            Amount::HandSize(who) | Amount::Influence(who, _) => self.who(who),
            Amount::Negated(amount) => self.amount(amount),
            Amount::Capped(amount, most) => {
                self.amount(amount);
                if !(1..=9).contains(most) {
                    self.faults.push(format!("{most} is out of range"));
                }
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        for what in condition.cards() {
            self.reference(what);
        }
        for amount in condition.amounts() {
            self.amount(amount);
        }
    }
}

const fn alignment(filter: &Filter) -> Option<Alignment> {
    match filter {
        Filter::Aligned(alignment) => Some(*alignment),
        _ => None,
    }
}

fn zone(what: &Reference, effect: &Effect) -> CardZone {
    what.group(&effect.choices)
        .map_or(CardZone::Play, |group| group.zone)
}

/// Whether a choice is among warriors or resources, which must be in the skirmish that is fought.
pub(super) const fn chooses_on_the_table(choice: &CardChoice) -> bool {
    match choice {
        CardChoice::Cards { group, .. } => matches!(group.zone, CardZone::Play | CardZone::Barracks),
        CardChoice::Player { .. } => false,
    }
}

/// Whether a verb turns warriors over.
pub(super) fn phases_warriors(verb: &CardVerb, effect: &Effect) -> bool {
    match verb {
        CardVerb::Phase(what) => zone(what, effect) == CardZone::Play,
        CardVerb::If { then, otherwise, .. } => then
            .iter()
            .chain(otherwise)
            .any(|verb| phases_warriors(verb, effect)),
        _ => false,
    }
}
