//! Looks a set over: what is readable but can't be meant.

use std::collections::{HashMap, HashSet};

use super::deck::ReadyDeck;
use super::effect::{
    Ability, Amount, Choice, Condition, Cost, Effect, Filter, Group, Place, Reference, Side, Verb,
};
use super::effect::{Who, Zone};
use super::face::{Alignment, Face, FaceId, Faction, Keyword, Skill};
use super::load::{LoadFault, Origin, Origins};
use super::pair::CARDS_A_FACTION;
use super::price;
use super::set::CardSet;
use super::text;

/// How many faces of one alignment a faction has, by training cost.
const COSTS: [usize; 6] = [4, 6, 6, 4, 3, 1];

/// Every face stands on at least so many cards.
const LEAST_CARDS: usize = 3;

/// Every keyword, and every kind of action skill, is on at least so many faces of a faction.
const LEAST_FACES: usize = 2;

/// What fits on a card.
const LONGEST_NAME: usize = 20;
const LONGEST_TEXT: usize = 130;

pub(super) fn look_over(set: &CardSet, origins: &Origins, faults: &mut Vec<LoadFault>) {
    let mut report = Report { faults };
    for ((face, origin), (fixed, ordered)) in
        (set.faces.iter().zip(&origins.faces)).zip(origins.fixed.iter().zip(&origins.ordered))
    {
        let mut faults = Vec::new();
        look_at_face(face, *fixed, *ordered, &mut faults);
        for reason in faults {
            report.at(origin, format!("{}: {reason}", face.name));
        }
    }
    look_at_use(set, origins, &mut report);
    for faction in Faction::ALL {
        let unknown = Origin::default();
        let origin = origins.factions.get(&faction).unwrap_or(&unknown);
        for reason in look_at_faction(set, faction) {
            report.at(origin, format!("{faction}: {reason}"));
        }
    }
    for (ready, origin) in set.decks.iter().zip(&origins.decks) {
        for reason in look_at_deck(set, ready) {
            report.at(origin, format!("{}: {reason}", ready.name));
        }
    }
    look_at_means(set, origins, &mut report);
}

struct Report<'f> {
    faults: &'f mut Vec<LoadFault>,
}

impl Report<'_> {
    fn at(&mut self, origin: &Origin, reason: String) {
        self.faults.push(LoadFault {
            file: origin.file.clone(),
            line: origin.line,
            reason,
        });
    }
}

fn look_at_face(face: &Face, fixed: bool, ordered: bool, faults: &mut Vec<String>) {
    if face.name.is_empty() || face.name.chars().count() > LONGEST_NAME {
        faults.push(format!("a name has 1 to {LONGEST_NAME} letters"));
    }
    if face.defense < 1 {
        faults.push("a defense of 0 can't stand".to_owned());
    }
    match price::off_curve(face) {
        None => faults.push("a training cost is 0 to 5".to_owned()),
        Some(off) => {
            let allowed = if fixed { 4 } else { 2 };
            if off.abs() > allowed {
                faults.push(format!("{} points off the curve for its cost", points(off, "+")));
            }
        }
    }
    let stats = i32::from(face.attack) + i32::from(face.defense);
    let share = i32::from(face.attack) * 100;
    if !fixed && !(stats * 40..=stats * 58).contains(&share) {
        faults.push(format!(
            "attack is 40 to 58 % of the stats, not {}/{}",
            face.attack, face.defense
        ));
    }
    if !ordered {
        faults.push("it has no order".to_owned());
        return;
    }
    look_at_ability(&face.order, Source::Order, faults);
    let worth = price::worth(&face.order.effect);
    let (least, most) = price::order_range(&face.order);
    if !(least..=most).contains(&worth) {
        faults.push(format!(
            "its order is worth {} points, and {} to {} are right for its cost",
            points(worth, ""),
            points(least, ""),
            points(most, "")
        ));
    }
    for skill in &face.skills {
        match skill {
            Skill::Ally | Skill::Swift => {}
            Skill::Elite(effect) | Skill::Relentless(effect) | Skill::Trained(effect) => {
                look_at_effect(effect, Source::Trigger, faults);
            }
            Skill::Phaseling(effect) => {
                look_at_effect(effect, Source::Phaseling, faults);
                if effect.steps.iter().any(|verb| phases_warriors(verb, effect)) {
                    faults
                        .push("a Phaseling must not phase warriors: two of them would never stop".to_owned());
                }
            }
            Skill::Action(ability) => {
                look_at_ability(ability, Source::Action, faults);
                if ability.costs.is_empty() {
                    faults.push("an action skill has a cost".to_owned());
                }
            }
        }
    }
    let texts = face
        .skills
        .iter()
        .map(text::skill)
        .chain([text::ability(&face.order)]);
    for text in texts {
        let length = text.chars().count();
        if length > LONGEST_TEXT {
            faults.push(format!("{length} letters don't fit the card: {text}"));
        }
    }
}

/// Quarters as points: `1.25`.
fn points(quarters: i32, plus: &str) -> String {
    let sign = if quarters < 0 { "-" } else { plus };
    let quarters = quarters.abs();
    format!("{sign}{}.{:02}", quarters / 4, quarters % 4 * 25)
}

/// Where an effect stands; it decides what the effect may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Order,
    Action,
    Trigger,
    Phaseling,
}

fn look_at_ability(ability: &Ability, source: Source, faults: &mut Vec<String>) {
    match ability.costs[..] {
        [] | [Cost::Lock(1..=3) | Cost::Phase(1..=4)] | [Cost::Lock(1..=3), Cost::Phase(1..=4)] => {}
        [Cost::Phase(_), Cost::Lock(_)] => faults.push("lock comes before phase".to_owned()),
        _ => faults.push("a cost is at most lock 1 to 3, then phase 1 to 4".to_owned()),
    }
    look_at_effect(&ability.effect, source, faults);
}

fn look_at_effect(effect: &Effect, source: Source, faults: &mut Vec<String>) {
    let mut checker = Checker {
        effect,
        source,
        phased: Vec::new(),
        used: HashSet::new(),
        faults,
    };
    for choice in &effect.choices {
        if let Choice::Cards { group, count, .. } = choice {
            checker.group(group);
            if !(1..=3).contains(count) {
                checker
                    .faults
                    .push(format!("{count} cards are chosen; 1 to 3 can be"));
            }
            if group.zone == Zone::DeckTop {
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
    fn steps(&mut self, steps: &[Verb]) {
        if steps.is_empty() {
            self.faults.push("it does nothing".to_owned());
        }
        for verb in steps {
            self.verb(verb);
        }
    }

    fn verb(&mut self, verb: &Verb) {
        match verb {
            Verb::Buff {
                what,
                attack,
                defense,
            } => {
                self.acts_on(what, &[Zone::Play], "buff");
                self.amount(attack);
                self.amount(defense);
                if *attack == Amount::Number(0) && *defense == Amount::Number(0) {
                    self.faults.push("+0/+0 changes nothing".to_owned());
                }
            }
            Verb::Damage { what, amount } | Verb::Heal { what, amount } => {
                self.acts_on(what, &[Zone::Play], "damage");
                self.positive(amount);
            }
            Verb::Phase(what) => {
                self.acts_on(what, &[Zone::Play, Zone::Barracks], "phase");
                self.phased.push(what.clone());
            }
            Verb::Lock(what) | Verb::Unlock(what) => {
                self.acts_on(what, &[Zone::Play, Zone::Barracks], "lock");
            }
            Verb::Destroy(what) | Verb::Grant { what, .. } => {
                self.acts_on(what, &[Zone::Play], "destroy or grant");
            }
            Verb::Draw { who, count } | Verb::Discard { who, count } | Verb::Enlist { who, count, .. } => {
                self.who(who);
                self.positive(count);
            }
            Verb::Gain { who, amount, .. } | Verb::Lose { who, amount, .. } => {
                self.who(who);
                self.positive(amount);
            }
            Verb::Move { what, to } => self.moves(what, *to),
            Verb::Peek(what) => self.reference(what),
            Verb::If {
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
            (zone @ Zone::Play, Place::Play)
            | (zone @ Zone::Barracks, Place::Barracks | Place::BarracksLocked)
            | (zone @ Zone::Hand, Place::Hand)
            | (zone @ Zone::Discard, Place::Discard)
            | (zone @ Zone::DeckTop, Place::DeckTop) => (zone, true),
            (zone, _) => (zone, false),
        };
        if stays {
            self.faults.push("a card is moved to where it is".to_owned());
        }
        // What lies on a deck is turned when it is drawn, so moving it by an effect would show too much.
        if zone == Zone::DeckTop && to == Place::Hand {
            self.faults
                .push("a top card goes to the hand by drawing".to_owned());
        }
    }

    fn zone(&self, what: &Reference) -> Zone {
        zone(what, self.effect)
    }

    fn acts_on(&mut self, what: &Reference, zones: &[Zone], verb: &str) {
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
                | Filter::DefenseAtMost(_) => group.zone == Zone::Play,
                Filter::Other | Filter::OpposingThis => {
                    group.zone == Zone::Play && self.source != Source::Order
                }
                Filter::Locked | Filter::Unlocked => matches!(group.zone, Zone::Play | Zone::Barracks),
                // The active side of a hand card is its owner's secret.
                Filter::Aligned(_) | Filter::CostAtMost(_) | Filter::CostAtLeast(_) | Filter::Has(_) => {
                    group.zone != Zone::Hand
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
        if group.side == Side::Mine && has(Filter::Locked) && self.is_choice(group) {
            self.faults.push("own locked cards can't be chosen".to_owned());
        }
    }

    fn is_choice(&self, group: &Group) -> bool {
        let same = |choice: &Choice| matches!(choice, Choice::Cards { group: chosen, .. } if chosen == group);
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
                    Reference::Chosen(_) | Reference::Each(_) => {
                        group(what, self.effect).is_some_and(|group| group.side == Side::Mine)
                    }
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
                self.acts_on(what, &[Zone::Play], "this amount");
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
        match condition {
            Condition::Is(what, _) | Condition::Destroyed(what) => self.reference(what),
            Condition::AtLeast(amount, _) => self.amount(amount),
            Condition::MyTurn | Condition::InSkirmish | Condition::NexusAtMost(..) | Condition::Behind => {}
            Condition::Not(condition) => self.condition(condition),
            Condition::All(conditions) | Condition::Any(conditions) => {
                for condition in conditions {
                    self.condition(condition);
                }
            }
        }
    }
}

const fn alignment(filter: &Filter) -> Option<Alignment> {
    match filter {
        Filter::Aligned(alignment) => Some(*alignment),
        _ => None,
    }
}

fn group<'e>(what: &'e Reference, effect: &'e Effect) -> Option<&'e Group> {
    match what {
        Reference::Each(group) => Some(group),
        Reference::Chosen(place) => match effect.choices.get(usize::from(*place))? {
            Choice::Cards { group, .. } => Some(group),
            Choice::Player { .. } => None,
        },
        Reference::This | Reference::OpposingThis => None,
    }
}

fn zone(what: &Reference, effect: &Effect) -> Zone {
    group(what, effect).map_or(Zone::Play, |group| group.zone)
}

fn phases_warriors(verb: &Verb, effect: &Effect) -> bool {
    match verb {
        Verb::Phase(what) => zone(what, effect) == Zone::Play,
        Verb::If { then, otherwise, .. } => then
            .iter()
            .chain(otherwise)
            .any(|verb| phases_warriors(verb, effect)),
        _ => false,
    }
}

/// Every face has its cards.
fn look_at_use(set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    let mut uses: HashMap<FaceId, usize> = HashMap::new();
    for card in &set.cards {
        for alignment in Alignment::ALL {
            *uses.entry(card.face(alignment)).or_default() += 1;
        }
    }
    for (face, origin) in set.faces.iter().zip(&origins.faces) {
        let used = uses.get(&face.id).copied().unwrap_or_default();
        if used < LEAST_CARDS {
            report.at(
                origin,
                format!(
                    "{} is on {used} cards; at least {LEAST_CARDS} are needed",
                    face.name
                ),
            );
        }
    }
}

fn look_at_faction(set: &CardSet, faction: Faction) -> Vec<String> {
    let mut faults = Vec::new();
    let faces: Vec<&Face> = set.faces.iter().filter(|face| face.faction == faction).collect();
    for alignment in Alignment::ALL {
        for (cost, wanted) in (0u8..).zip(COSTS) {
            let there = faces
                .iter()
                .filter(|face| face.alignment == alignment && face.cost == cost)
                .count();
            if there != wanted {
                faults.push(format!(
                    "{there} {alignment} faces cost {cost}, and {wanted} should"
                ));
            }
        }
    }
    for keyword in Keyword::ALL {
        let there = faces.iter().filter(|face| face.has(keyword)).count();
        if there < LEAST_FACES {
            faults.push(format!(
                "{keyword} is on {there} faces; at least {LEAST_FACES} are needed"
            ));
        }
    }
    let action_costs = |fits: fn(&Cost) -> bool| {
        let with = |face: &&&Face| {
            face.skills
                .iter()
                .any(|skill| matches!(skill, Skill::Action(ability) if ability.costs.iter().any(fits)))
        };
        faces.iter().filter(with).count()
    };
    if action_costs(|cost| matches!(cost, Cost::Phase(_))) < LEAST_FACES {
        faults.push(format!("fewer than {LEAST_FACES} action skills cost phasing"));
    }
    if action_costs(|cost| matches!(cost, Cost::Lock(_))) < LEAST_FACES {
        faults.push(format!("fewer than {LEAST_FACES} action skills cost locking"));
    }
    let cards = set.cards.iter().filter(|card| card.faction == faction).count();
    if cards != usize::from(CARDS_A_FACTION) {
        faults.push(format!("{cards} cards instead of {CARDS_A_FACTION}"));
    }
    let decks = set
        .decks
        .iter()
        .filter(|ready| ready.deck.faction() == faction)
        .count();
    if decks != 2 {
        faults.push(format!("{decks} ready decks instead of 2"));
    }
    faults
}

fn look_at_deck(set: &CardSet, ready: &ReadyDeck) -> Vec<String> {
    let costs: Vec<[u8; 2]> = ready
        .deck
        .cards()
        .iter()
        .filter_map(|id| set.cards.get(id.index()))
        .filter_map(|card| {
            let cost = |id: FaceId| Some(set.faces.get(id.index())?.cost);
            Some([cost(card.good)?, cost(card.evil)?])
        })
        .collect();
    let heavy = costs
        .iter()
        .filter(|costs| costs.iter().all(|cost| *cost >= 4))
        .count();
    let light = costs
        .iter()
        .filter(|costs| costs.iter().any(|cost| *cost <= 1))
        .count();
    let mut faults = Vec::new();
    if heavy > 3 {
        faults.push(format!(
            "{heavy} cards cost 4 or more on both sides; at most 3 may"
        ));
    }
    if light < 8 {
        faults.push(format!(
            "{light} cards have a face that costs 0 or 1; at least 8 should"
        ));
    }
    faults
}

/// The factions differ in skills, not in strength: their mean attacks lie within 0.3.
fn look_at_means(set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    let hundredths = |faction: Faction| {
        let attacks: Vec<i32> = set
            .faces
            .iter()
            .filter(|face| face.faction == faction)
            .map(|face| i32::from(face.attack))
            .collect();
        let count = i32::try_from(attacks.len()).unwrap_or(i32::MAX).max(1);
        attacks.iter().sum::<i32>() * 100 / count
    };
    let means = Faction::ALL.map(hundredths);
    let (least, most) = (means.into_iter().min(), means.into_iter().max());
    if let (Some(least), Some(most)) = (least, most)
        && most - least > 30
    {
        let origin = origins.faces.first().cloned().unwrap_or_default();
        report.at(
            &origin,
            format!(
                "the factions' mean attacks differ by {} hundredths; at most 30 may",
                most - least
            ),
        );
    }
}
