//! Steps of an effect that name their choices by other places, so that two effects can be compared.

use parlor::games::phase::card::effect::{Amount, Condition, Reference, Verb, Who};

/// The step with each choice called by the place that stands at its own.
pub(super) fn renamed(verb: &Verb, places: &[u8]) -> Verb {
    let cards = |what: &Reference| reference(what, places);
    let players = |who: &Who| player(who, places);
    let number = |amount: &Amount| number(amount, places);
    let steps = |steps: &[Verb]| steps.iter().map(|verb| renamed(verb, places)).collect();
    match verb {
        Verb::Buff {
            what,
            attack,
            defense,
        } => Verb::Buff {
            what: cards(what),
            attack: number(attack),
            defense: number(defense),
        },
        Verb::Damage { what, amount } => Verb::Damage {
            what: cards(what),
            amount: number(amount),
        },
        Verb::Heal { what, amount } => Verb::Heal {
            what: cards(what),
            amount: number(amount),
        },
        Verb::Phase(what) => Verb::Phase(cards(what)),
        Verb::Lock(what) => Verb::Lock(cards(what)),
        Verb::Unlock(what) => Verb::Unlock(cards(what)),
        Verb::Destroy(what) => Verb::Destroy(cards(what)),
        Verb::Grant { what, skill } => Verb::Grant {
            what: cards(what),
            skill: *skill,
        },
        Verb::Draw { who, count } => Verb::Draw {
            who: players(who),
            count: number(count),
        },
        Verb::Discard { who, count } => Verb::Discard {
            who: players(who),
            count: number(count),
        },
        Verb::Enlist { who, count, locked } => Verb::Enlist {
            who: players(who),
            count: number(count),
            locked: *locked,
        },
        Verb::Gain {
            who,
            alignment,
            amount,
        } => Verb::Gain {
            who: players(who),
            alignment: *alignment,
            amount: number(amount),
        },
        Verb::Lose {
            who,
            alignment,
            amount,
        } => Verb::Lose {
            who: players(who),
            alignment: *alignment,
            amount: number(amount),
        },
        Verb::Move { what, to } => Verb::Move {
            what: cards(what),
            to: *to,
        },
        Verb::Peek(what) => Verb::Peek(cards(what)),
        Verb::If {
            condition: when,
            then,
            otherwise,
        } => Verb::If {
            condition: condition(when, places),
            then: steps(then),
            otherwise: steps(otherwise),
        },
    }
}

fn place(own: u8, places: &[u8]) -> u8 {
    places.get(usize::from(own)).copied().unwrap_or(own)
}

fn reference(what: &Reference, places: &[u8]) -> Reference {
    match what {
        Reference::Chosen(own) => Reference::Chosen(place(*own, places)),
        Reference::This | Reference::OpposingThis | Reference::Each(_) => what.clone(),
    }
}

fn player(who: &Who, places: &[u8]) -> Who {
    match who {
        Who::Chosen(own) => Who::Chosen(place(*own, places)),
        Who::OwnerOf(what) => Who::OwnerOf(reference(what, places)),
        Who::Me | Who::EachOpponent | Who::Everyone => who.clone(),
    }
}

fn number(amount: &Amount, places: &[u8]) -> Amount {
    match amount {
        Amount::Number(_) | Amount::Count(_) => amount.clone(),
        Amount::Cost(what) => Amount::Cost(reference(what, places)),
        Amount::CostDifference(what) => Amount::CostDifference(reference(what, places)),
        Amount::Attack(what) => Amount::Attack(reference(what, places)),
        Amount::Defense(what) => Amount::Defense(reference(what, places)),
        Amount::Damage(what) => Amount::Damage(reference(what, places)),
        Amount::HandSize(who) => Amount::HandSize(player(who, places)),
        Amount::Influence(who, alignment) => Amount::Influence(player(who, places), *alignment),
        Amount::Negated(negated) => Amount::Negated(Box::new(number(negated, places))),
        Amount::Capped(capped, most) => Amount::Capped(Box::new(number(capped, places)), *most),
    }
}

fn condition(when: &Condition, places: &[u8]) -> Condition {
    let all = |all: &[Condition]| all.iter().map(|when| condition(when, places)).collect();
    match when {
        Condition::Is(what, filter) => Condition::Is(reference(what, places), *filter),
        Condition::AtLeast(amount, least) => Condition::AtLeast(number(amount, places), *least),
        Condition::Destroyed(what) => Condition::Destroyed(reference(what, places)),
        Condition::Not(not) => Condition::Not(Box::new(condition(not, places))),
        Condition::All(conditions) => Condition::All(all(conditions)),
        Condition::Any(conditions) => Condition::Any(all(conditions)),
        Condition::MyTurn | Condition::InSkirmish | Condition::NexusAtMost(..) | Condition::Behind => {
            when.clone()
        }
    }
}
