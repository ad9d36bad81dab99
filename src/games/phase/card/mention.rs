//! What an effect speaks of: whether a verb is about a choice, about its own card, or about somebody.

use super::effect::{Amount, CardVerb, Reference, Who};

/// Whether a verb acts on the choice directly, so that its name can stand there.
pub(super) fn acts_on(verb: &CardVerb, place: u8) -> bool {
    verb.cards().is_some_and(|what| *what == Reference::Chosen(place))
        || verb.players().is_some_and(|who| *who == Who::Chosen(place))
}

/// Whether a verb does more of what another one does: the same thing to the same cards or players.
pub(super) fn adds_to(verb: &CardVerb, other: &CardVerb) -> bool {
    match verb {
        CardVerb::Buff { what, .. } => matches!(other, CardVerb::Buff { what: same, .. } if same == what),
        CardVerb::Damage { what, .. } => matches!(other, CardVerb::Damage { what: same, .. } if same == what),
        CardVerb::Heal { what, .. } => matches!(other, CardVerb::Heal { what: same, .. } if same == what),
        CardVerb::Draw { who, .. } => matches!(other, CardVerb::Draw { who: same, .. } if same == who),
        CardVerb::Discard { who, .. } => matches!(other, CardVerb::Discard { who: same, .. } if same == who),
        CardVerb::Enlist { who, .. } => matches!(other, CardVerb::Enlist { who: same, .. } if same == who),
        CardVerb::Gain { who, alignment, .. } => {
            matches!(other, CardVerb::Gain { who: same, alignment: kind, .. } if same == who && kind == alignment)
        }
        CardVerb::Lose { who, alignment, .. } => {
            matches!(other, CardVerb::Lose { who: same, alignment: kind, .. } if same == who && kind == alignment)
        }
        CardVerb::Phase(_)
        | CardVerb::Lock(_)
        | CardVerb::Unlock(_)
        | CardVerb::Destroy(_)
        | CardVerb::Grant { .. }
        | CardVerb::Move { .. }
        | CardVerb::Peek(_)
        | CardVerb::If { .. } => false,
    }
}

/// Whether a verb mentions the choice at all.
pub(super) fn speaks_of(verb: &CardVerb, place: u8) -> bool {
    mentions(verb, &|what| *what == Reference::Chosen(place), &|who| {
        *who == Who::Chosen(place)
    })
}

pub(super) fn speaks_of_this(steps: &[CardVerb]) -> bool {
    steps
        .iter()
        .any(|verb| mentions(verb, &|what| *what == Reference::This, &|_| false))
}

/// Whether a verb mentions a card or a player that passes.
fn mentions(verb: &CardVerb, card: &dyn Fn(&Reference) -> bool, player: &dyn Fn(&Who) -> bool) -> bool {
    if let CardVerb::If {
        condition,
        then,
        otherwise,
    } = verb
    {
        let mut steps = then.iter().chain(otherwise);
        return condition.cards().any(card)
            || condition
                .amounts()
                .any(|amount| names_in_amount(amount, card, player))
            || steps.any(|verb| mentions(verb, card, player));
    }
    verb.cards().is_some_and(card)
        || verb.players().is_some_and(|who| names_player(who, card, player))
        || verb.amounts().any(|amount| names_in_amount(amount, card, player))
}

fn names_player(who: &Who, card: &dyn Fn(&Reference) -> bool, player: &dyn Fn(&Who) -> bool) -> bool {
    player(who) || matches!(who, Who::OwnerOf(what) if card(what))
}

fn names_in_amount(
    amount: &Amount,
    card: &dyn Fn(&Reference) -> bool,
    player: &dyn Fn(&Who) -> bool,
) -> bool {
    match amount {
        Amount::Number(_) | Amount::Count(_) => false,
        Amount::Cost(what)
        | Amount::CostDifference(what)
        | Amount::Attack(what)
        | Amount::Defense(what)
        | Amount::Damage(what) => card(what),
        Amount::HandSize(who) | Amount::Influence(who, _) => names_player(who, card, player),
        Amount::Negated(amount) | Amount::Capped(amount, _) => names_in_amount(amount, card, player),
    }
}
