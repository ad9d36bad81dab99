//! What each faction does that no other does.

use parlor::games::phase::card::effect::{
    Amount, CardChoice, CardSide, CardVerb, CardZone, Condition, Effect, Filter, Granted, Group, Reference,
    Who,
};
use parlor::games::phase::card::face::{Face, Faction};
use parlor::games::phase::card::text;

/// Something that only one faction's cards do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mechanic {
    /// Swift for a turn, and rewards where nobody stands in the way.
    Ambush,
    /// Own warriors change sides.
    TurnedCoat,
    /// The own discard pile counts or gives back.
    Grave,
    /// What belongs to others is locked.
    Ward,
    /// More cards are enlisted.
    Levy,
    /// Others lose influence.
    Tribute,
}

impl Mechanic {
    pub const ALL: [Self; 6] = [
        Self::Ambush,
        Self::TurnedCoat,
        Self::Grave,
        Self::Ward,
        Self::Levy,
        Self::Tribute,
    ];

    pub const fn faction(self) -> Faction {
        match self {
            Self::Ambush | Self::TurnedCoat => Faction::Fengarian,
            Self::Grave | Self::Ward => Faction::Keeper,
            Self::Levy | Self::Tribute => Faction::SunDominion,
        }
    }

    /// Whether a face does it, by its order or by a skill.
    pub fn is_on(self, face: &Face) -> bool {
        let skills = face.skills.iter().filter_map(|skill| skill.effect());
        skills
            .chain([&face.order.effect])
            .any(|effect| self.is_in(effect))
    }

    fn is_in(self, effect: &Effect) -> bool {
        let parts = Parts::of(effect);
        let own = |what: &Reference, zone: CardZone| match what {
            Reference::This => zone == CardZone::Play,
            Reference::OpposingThis => false,
            Reference::Chosen(_) | Reference::Each(_) => what
                .group(&effect.choices)
                .is_some_and(|group| group.side == CardSide::Mine && group.zone == zone),
        };
        let does = |fits: &dyn Fn(&CardVerb) -> bool| parts.verbs.iter().any(|verb| fits(verb));
        match self {
            Self::Ambush => {
                parts.filters.contains(&Filter::Unopposed)
                    || does(&|verb| {
                        matches!(
                            verb,
                            CardVerb::Grant {
                                skill: Granted::Swift,
                                ..
                            }
                        )
                    })
            }
            Self::TurnedCoat => {
                does(&|verb| matches!(verb, CardVerb::Phase(what) if own(what, CardZone::Play)))
            }
            Self::Grave => {
                let grave = |group: &&Group| group.side == CardSide::Mine && group.zone == CardZone::Discard;
                parts.groups.iter().any(grave)
            }
            Self::Ward => does(
                &|verb| matches!(verb, CardVerb::Lock(what) if !own(what, CardZone::Play) && !own(what, CardZone::Barracks)),
            ),
            Self::Levy => does(&|verb| matches!(verb, CardVerb::Enlist { who: Who::Me, .. })),
            Self::Tribute => does(&|verb| matches!(verb, CardVerb::Lose { who, .. } if *who != Who::Me)),
        }
    }
}

/// What an effect is made of, conditions and all.
#[derive(Default)]
struct Parts<'e> {
    verbs: Vec<&'e CardVerb>,
    groups: Vec<&'e Group>,
    filters: Vec<Filter>,
}

impl<'e> Parts<'e> {
    fn of(effect: &'e Effect) -> Self {
        let mut parts = Self::default();
        for choice in &effect.choices {
            match choice {
                CardChoice::Cards { group, .. } => parts.group(group),
                CardChoice::Player { .. } => {}
            }
        }
        parts.steps(&effect.steps);
        parts
    }

    fn steps(&mut self, steps: &'e [CardVerb]) {
        for verb in steps {
            self.verbs.push(verb);
            if let Some(what) = verb.cards() {
                self.reference(what);
            }
            for amount in verb.amounts() {
                self.amount(amount);
            }
            if let CardVerb::If {
                condition,
                then,
                otherwise,
            } = verb
            {
                self.condition(condition);
                self.steps(then);
                self.steps(otherwise);
            }
        }
    }

    fn group(&mut self, group: &'e Group) {
        self.groups.push(group);
        self.filters.extend(&group.filters);
    }

    fn reference(&mut self, what: &'e Reference) {
        match what {
            Reference::Each(group) => self.group(group),
            Reference::This | Reference::OpposingThis | Reference::Chosen(_) => {}
        }
    }

    fn amount(&mut self, amount: &'e Amount) {
        match amount {
            Amount::Count(group) => self.group(group),
            Amount::Cost(what)
            | Amount::CostDifference(what)
            | Amount::Attack(what)
            | Amount::Defense(what)
            | Amount::Damage(what) => self.reference(what),
            Amount::Number(_) | Amount::HandSize(_) | Amount::Influence(..) => {}
            Amount::Negated(amount) | Amount::Capped(amount, _) => self.amount(amount),
        }
    }

    fn condition(&mut self, condition: &'e Condition) {
        for what in condition.cards() {
            self.reference(what);
        }
        for amount in condition.amounts() {
            self.amount(amount);
        }
        for fact in condition.facts() {
            if let Condition::Is(_, filter) = fact {
                self.filters.push(*filter);
            }
        }
    }
}

/// Whether an order asks whether its player is behind.
pub(super) fn asks_whether_behind(face: &Face) -> bool {
    text::ability(&face.order).contains("you are behind")
}
