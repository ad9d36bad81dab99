//! Compares faces with each other: none is strictly worse than another, and no two are as good as the same.

use std::collections::HashMap;

use parlor::games::phase::card::effect::{
    Ability, Amount, CardChoice, CardSide, CardVerb, Cost, Effect, Filter, Group, Reference, Who,
};
use parlor::games::phase::card::face::{Alignment, Face, Skill};
use parlor::games::phase::card::text;

use super::price::worth;
use super::renamed::renamed;

/// Whether nothing about a face is better than about another of its alignment, and something is worse.
pub(super) fn is_strictly_worse(face: &Face, other: &Face) -> bool {
    let covered = |skill: &Skill| other.skills.iter().any(|better| skill_at_most(skill, better));
    face.alignment == other.alignment
        && at_most(face, other)
        && face.skills.iter().all(covered)
        && ability_at_most(&face.order, &other.order)
        && !(at_most(other, face) && face.skills == other.skills && face.order == other.order)
}

fn at_most(face: &Face, other: &Face) -> bool {
    face.cost >= other.cost && face.attack <= other.attack && face.defense <= other.defense
}

fn skill_at_most(skill: &Skill, other: &Skill) -> bool {
    match (skill, other) {
        (Skill::Ally, Skill::Ally) | (Skill::Swift, Skill::Swift) => true,
        (Skill::Action(one), Skill::Action(other)) => ability_at_most(one, other),
        (one, other) => match (one.effect(), other.effect()) {
            (Some(effect), Some(better)) => {
                one.keyword() == other.keyword() && effect_at_most(effect, better)
            }
            (None, _) | (_, None) => false,
        },
    }
}

fn ability_at_most(ability: &Ability, other: &Ability) -> bool {
    let [locks, phases] = paid(ability);
    let [fewer_locks, fewer_phases] = paid(other);
    locks >= fewer_locks && phases >= fewer_phases && effect_at_most(&ability.effect, &other.effect)
}

fn paid(ability: &Ability) -> [u8; 2] {
    ability
        .costs
        .iter()
        .fold([0; 2], |[locks, phases], cost| match cost {
            Cost::Lock(n) => [locks + n, phases],
            Cost::Phase(n) => [locks, phases + n],
        })
}

/// Whether the other effect does all of this one, to whatever this one can be done to. It may choose more than that: where
/// there is nothing to choose, that part is skipped.
fn effect_at_most(effect: &Effect, other: &Effect) -> bool {
    let does_it = |places: &[u8]| {
        let steps: Vec<CardVerb> = effect.steps.iter().map(|verb| renamed(verb, places)).collect();
        steps_at_most(&steps, &other.steps, &other.choices)
    };
    // What comes on top may be a drawback.
    worth(effect) <= worth(other) && pairings(effect, other).iter().any(|places| does_it(places))
}

/// All ways of finding each choice again in another effect, at least as good: the places of those there.
fn pairings(effect: &Effect, other: &Effect) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = vec![Vec::new()];
    for choice in &effect.choices {
        found = (found.iter())
            .flat_map(|places| {
                let better = (0..)
                    .zip(&other.choices)
                    .filter(|(place, better)| !places.contains(place) && choice_at_most(choice, better));
                let with = |(place, _): (u8, &CardChoice)| [&places[..], &[place]].concat();
                better.map(with).collect::<Vec<_>>()
            })
            .collect();
    }
    found
}

fn choice_at_most(choice: &CardChoice, other: &CardChoice) -> bool {
    match (choice, other) {
        (CardChoice::Player { side: one }, CardChoice::Player { side: other }) => one == other,
        (
            CardChoice::Cards { group, count, up_to },
            CardChoice::Cards {
                group: wider,
                count: more,
                up_to: free,
            },
            // Whoever may choose fewer has at least the same choice.
        ) => (*free || !*up_to) && count <= more && group_at_most(group, wider),
        (CardChoice::Player { .. }, CardChoice::Cards { .. })
        | (CardChoice::Cards { .. }, CardChoice::Player { .. }) => false,
    }
}

fn group_at_most(group: &Group, wider: &Group) -> bool {
    let asked = |filter: &Filter| group.filters.contains(filter);
    group.side == wider.side && group.zone == wider.zone && wider.filters.iter().all(asked)
}

/// Whether each step has its better one, in the same order.
fn steps_at_most(steps: &[CardVerb], others: &[CardVerb], choices: &[CardChoice]) -> bool {
    let mut others = others.iter();
    steps
        .iter()
        .all(|verb| others.any(|other| verb_at_most(verb, other, choices)))
}

fn verb_at_most(verb: &CardVerb, other: &CardVerb, choices: &[CardChoice]) -> bool {
    // Less is worse where it helps, more where it hurts.
    let less = |what: &Reference, helps: bool, amount: &Amount, better: &Amount| {
        let own = match what {
            Reference::This => true,
            Reference::OpposingThis => false,
            Reference::Chosen(_) | Reference::Each(_) => what
                .group(choices)
                .is_some_and(|group| group.side == CardSide::Mine),
        };
        amount_at_most(amount, better, own == helps)
    };
    match (verb, other) {
        (
            CardVerb::Buff {
                what,
                attack,
                defense,
            },
            CardVerb::Buff {
                what: whom,
                attack: more_attack,
                defense: more_defense,
            },
        ) => what == whom && less(what, true, attack, more_attack) && less(what, true, defense, more_defense),
        (
            CardVerb::Damage { what, amount },
            CardVerb::Damage {
                what: whom,
                amount: more,
            },
        ) => what == whom && less(what, false, amount, more),
        (
            CardVerb::Heal { what, amount },
            CardVerb::Heal {
                what: whom,
                amount: more,
            },
        ) => what == whom && less(what, true, amount, more),
        (
            CardVerb::Discard { who, count },
            CardVerb::Discard {
                who: whom,
                count: more,
            },
        ) => {
            who == whom
                && (count == more || *who != Who::Everyone && amount_at_most(count, more, *who != Who::Me))
        }
        (
            CardVerb::Enlist { who, count, locked },
            CardVerb::Enlist {
                who: whom,
                count: more,
                locked: shut,
            },
        ) => {
            // A resource that is locked is of no use in this turn.
            let usable = locked == shut || *locked == (*who == Who::Me);
            who == whom && usable && amount_at_most(count, more, *who == Who::Me)
        }
        (
            CardVerb::Gain {
                who,
                alignment,
                amount,
            },
            CardVerb::Gain {
                who: whom,
                alignment: kind,
                amount: more,
            },
        ) => who == whom && alignment == kind && amount_at_most(amount, more, *who == Who::Me),
        (
            CardVerb::Lose {
                who,
                alignment,
                amount,
            },
            CardVerb::Lose {
                who: whom,
                alignment: kind,
                amount: more,
            },
        ) => who == whom && alignment == kind && amount_at_most(amount, more, *who != Who::Me),
        (
            CardVerb::Draw { who, count },
            CardVerb::Draw {
                who: whom,
                count: more,
            },
        ) => who == whom && amount_at_most(count, more, *who == Who::Me),
        (
            CardVerb::If {
                condition,
                then,
                otherwise,
            },
            CardVerb::If {
                condition: when,
                then: better,
                otherwise: else_better,
            },
        ) => {
            condition == when
                && steps_at_most(then, better, choices)
                && steps_at_most(otherwise, else_better, choices)
        }
        (one, other) => one == other,
    }
}

/// Whether an amount is at most as good as another; of those that are read off the table only the same are compared.
fn amount_at_most(amount: &Amount, better: &Amount, more_is_better: bool) -> bool {
    match (amount, better) {
        (Amount::Number(one), Amount::Number(other)) if more_is_better => one <= other,
        (Amount::Number(one), Amount::Number(other)) => one >= other,
        (one, other) => one == other,
    }
}

/// Pairs of faces that cost the same, strike the same and say the same, but for numbers and for good being evil.
pub(super) fn duplicates(faces: &[Face]) -> Vec<(&Face, &Face)> {
    let mut seen: HashMap<(u8, i8, i8, Vec<String>), &Face> = HashMap::new();
    let mut pairs = Vec::new();
    for face in faces {
        let mut said: Vec<String> = face.skills.iter().map(text::skill).collect();
        said.push(text::ability(&face.order));
        let said = said.iter().map(|text| outline(text)).collect();
        let key = (face.cost, face.attack, face.defense, said);
        match seen.get(&key) {
            Some(twin) => pairs.push((*twin, face)),
            None => {
                seen.insert(key, face);
            }
        }
    }
    pairs
}

/// A text without its numbers and without what is good or evil.
fn outline(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    neutral(&plain)
}

/// A text in which good and evil are the same.
pub(super) fn neutral(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        if Alignment::ALL.iter().any(|side| side.name() == word) {
            "aligned"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
