//! Steps of an effect that name their choices by other places, so that two effects can be compared.

use parlor::games::phase::card::effect::{Amount, CardVerb, Condition, Reference, Who};

/// The step with each choice called by the place that stands at its own.
pub(super) fn renamed(verb: &CardVerb, places: &[u8]) -> CardVerb {
    let cards = |what: &Reference| reference(what, places);
    let players = |who: &Who| player(who, places);
    let number = |amount: &Amount| number(amount, places);
    let steps = |steps: &[CardVerb]| steps.iter().map(|verb| renamed(verb, places)).collect();
    match verb {
        CardVerb::Buff {
            what,
            attack,
            defense,
        } => CardVerb::Buff {
            what: cards(what),
            attack: number(attack),
            defense: number(defense),
        },
        CardVerb::Damage { what, amount } => CardVerb::Damage {
            what: cards(what),
            amount: number(amount),
        },
        CardVerb::Heal { what, amount } => CardVerb::Heal {
            what: cards(what),
            amount: number(amount),
        },
        CardVerb::Phase(what) => CardVerb::Phase(cards(what)),
        CardVerb::Lock(what) => CardVerb::Lock(cards(what)),
        CardVerb::Unlock(what) => CardVerb::Unlock(cards(what)),
        CardVerb::Destroy(what) => CardVerb::Destroy(cards(what)),
        CardVerb::Grant { what, skill } => CardVerb::Grant {
            what: cards(what),
            skill: *skill,
        },
        CardVerb::Draw { who, count } => CardVerb::Draw {
            who: players(who),
            count: number(count),
        },
        CardVerb::Discard { who, count } => CardVerb::Discard {
            who: players(who),
            count: number(count),
        },
        CardVerb::Enlist { who, count, locked } => CardVerb::Enlist {
            who: players(who),
            count: number(count),
            locked: *locked,
        },
        CardVerb::Gain {
            who,
            alignment,
            amount,
        } => CardVerb::Gain {
            who: players(who),
            alignment: *alignment,
            amount: number(amount),
        },
        CardVerb::Lose {
            who,
            alignment,
            amount,
        } => CardVerb::Lose {
            who: players(who),
            alignment: *alignment,
            amount: number(amount),
        },
        CardVerb::Move { what, to } => CardVerb::Move {
            what: cards(what),
            to: *to,
        },
        CardVerb::Peek(what) => CardVerb::Peek(cards(what)),
        CardVerb::If {
            condition: when,
            then,
            otherwise,
        } => CardVerb::If {
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
