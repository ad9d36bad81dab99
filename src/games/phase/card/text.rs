//! The text on a card, written from what the card does.
//!
//! "Phase 1: this warrior gets +1/+1 until the turn ends." Text and effect can't disagree, because there is only the
//! effect.

use super::effect::{
    Ability, Amount, CardChoice, Condition, Cost, Effect, Filter, Granted, Place, Reference,
};
use super::effect::{CardSide, CardVerb, CardZone, Who};
use super::face::Skill;
use super::mention::{acts_on, adds_to, speaks_of, speaks_of_this};
use super::phrase::{self, Phrase};

/// How long most of what is given lasts.
const UNTIL: &str = "until the turn ends";

/// An order or an action: its costs, a colon, what it does.
pub fn ability(ability: &Ability) -> String {
    let effect = effect(&ability.effect);
    if ability.costs.is_empty() {
        return capitalised(&effect);
    }
    format!("{}: {effect}", costs(&ability.costs))
}

/// A skill with its name: "Swift.", "Trained: gain 2 good influence."
pub fn skill(skill: &Skill) -> String {
    match (skill, skill.keyword(), skill.effect()) {
        (Skill::Action(action), ..) => ability(action),
        (_, Some(keyword), Some(done)) => format!("{keyword}: {}", effect(done)),
        (_, Some(keyword), None) => format!("{keyword}."),
        (_, None, _) => String::new(),
    }
}

/// The costs in words: "Lock 1, phase 2".
pub fn costs(costs: &[Cost]) -> String {
    let part = |cost: &Cost| match cost {
        Cost::Lock(n) => format!("lock {n}"),
        Cost::Phase(n) => format!("phase {n}"),
    };
    let parts: Vec<String> = costs.iter().map(part).collect();
    capitalised(&parts.join(", "))
}

/// What happens, as sentences that begin in the middle of a line: "draw a card. Lock it."
pub fn effect(effect: &Effect) -> String {
    let mut writer = Writer {
        effect,
        said: vec![false; effect.choices.len()],
        said_this: false,
        speaks_of_this: speaks_of_this(&effect.steps),
        sure: Vec::new(),
        conditional: false,
    };
    let mut sentences = writer.choices();
    sentences.extend(writer.sentences(&effect.steps));
    let mut text = String::new();
    for sentence in sentences {
        if text.is_empty() {
            text.push_str(&sentence);
        } else {
            text.push(' ');
            text.push_str(&capitalised(&sentence));
        }
        text.push('.');
    }
    text
}

/// With its first letter made a capital one.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

struct Writer<'e> {
    effect: &'e Effect,
    /// Which choices have been named.
    said: Vec<bool>,
    said_this: bool,
    speaks_of_this: bool,
    /// What happens in any case, as far as it has been said.
    sure: Vec<&'e CardVerb>,
    /// Whether what is being said happens only if something is so.
    conditional: bool,
}

impl<'e> Writer<'e> {
    /// The choices that have to be said before anything happens: those whose first use is not a plain one.
    fn choices(&mut self) -> Vec<String> {
        let mut sentences = Vec::new();
        for (place, choice) in (0u8..).zip(&self.effect.choices) {
            let first = self.effect.steps.iter().find(|verb| speaks_of(verb, place));
            if first.is_some_and(|verb| acts_on(verb, place)) {
                continue;
            }
            sentences.push(format!("choose {}", phrase::choice(choice).words));
            if let Some(said) = self.said.get_mut(usize::from(place)) {
                *said = true;
            }
        }
        sentences
    }

    fn sentences(&mut self, steps: &'e [CardVerb]) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut steps = steps;
        while let Some((first, rest)) = steps.split_first() {
            steps = rest;
            // A bonus and a skill for the same cards are one sentence.
            if let (
                CardVerb::Buff {
                    what,
                    attack,
                    defense,
                },
                Some(CardVerb::Grant { what: other, skill }),
            ) = (first, rest.first())
                && what == other
            {
                steps = rest.get(1..).unwrap_or_default();
                let more = self.is_more(first);
                sentences.push(self.buff(what, attack, defense, Some(*skill), more));
            } else {
                sentences.push(self.verb(first));
            }
            if !self.conditional {
                self.sure.push(first);
            }
        }
        sentences
    }

    /// Whether a verb comes on top of one that happens in any case: then it is said to be another, not instead.
    fn is_more(&self, verb: &CardVerb) -> bool {
        self.conditional && self.sure.iter().any(|sure| adds_to(verb, sure))
    }

    fn verb(&mut self, verb: &'e CardVerb) -> String {
        let more = self.is_more(verb);
        let another = if more { "another " } else { "" };
        match verb {
            CardVerb::Buff {
                what,
                attack,
                defense,
            } => self.buff(what, attack, defense, None, more),
            CardVerb::Damage { what, amount } => {
                let what = self.object(what);
                let (number, tail) = self.number(amount);
                format!("deal {another}{number} damage to {what}{tail}")
            }
            CardVerb::Heal { what, amount } => {
                let what = self.object(what);
                let (number, tail) = self.number(amount);
                format!("remove {another}{number} damage from {what}{tail}")
            }
            CardVerb::Phase(what) => format!("phase {}", self.object(what)),
            CardVerb::Lock(what) => format!("lock {}", self.object(what)),
            CardVerb::Unlock(what) => format!("unlock {}", self.object(what)),
            CardVerb::Destroy(what) => format!("destroy {}", self.object(what)),
            CardVerb::Grant { what, skill } => {
                let subject = self.subject(what);
                let gains = subject.does("gains", "gain");
                format!("{gains} {} until the turn ends", skill.keyword())
            }
            CardVerb::Draw { who, count } => {
                let does = self.does(who, "draw", "draws");
                let (cards, tail) = self.cards(count, more);
                format!("{does} {cards}{tail}")
            }
            CardVerb::Discard { who, count } => {
                let does = self.does(who, "discard", "discards");
                let (cards, tail) = self.cards(count, more);
                format!("{does} {cards}{tail}")
            }
            CardVerb::Enlist { who, count, locked } => {
                let does = self.does(who, "enlist", "enlists");
                let (cards, tail) = self.cards(count, more);
                let locked = if *locked { ", locked" } else { "" };
                format!("{does} {cards}{locked}{tail}")
            }
            CardVerb::Gain {
                who,
                alignment,
                amount,
            } => {
                let does = self.does(who, "gain", "gains");
                let (number, tail) = self.number(amount);
                format!("{does} {another}{number} {alignment} influence{tail}")
            }
            CardVerb::Lose {
                who,
                alignment,
                amount,
            } => {
                let does = self.does(who, "lose", "loses");
                let (number, tail) = self.number(amount);
                format!("{does} {another}{number} {alignment} influence{tail}")
            }
            CardVerb::Move { what, to } => self.moved(what, *to),
            CardVerb::Peek(what) => format!("look at the other side of {}", self.object(what)),
            CardVerb::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition, true);
                let nested = std::mem::replace(&mut self.conditional, true);
                let then = self.sentences(then).join(" and ");
                let otherwise = self.sentences(otherwise).join(" and ");
                self.conditional = nested;
                if otherwise.is_empty() {
                    return format!("if {condition}, {then}");
                }
                // "until the turn ends" is said once.
                let then = if otherwise.ends_with(UNTIL) {
                    then.replacen(&format!(" {UNTIL}"), "", 1)
                } else {
                    then
                };
                format!("if {condition}, {then}; otherwise {otherwise}")
            }
        }
    }

    fn buff(
        &mut self,
        what: &Reference,
        attack: &Amount,
        defense: &Amount,
        skill: Option<Granted>,
        more: bool,
    ) -> String {
        let subject = self.subject(what);
        let gets = subject.does("gets", "get");
        let (mut attack_words, mut tail) = self.bonus(attack);
        let (mut defense_words, other_tail) = self.bonus(defense);
        // Nothing is taken where something is taken: -2/-0.
        if attack_words == "+0" && defense_words.starts_with('-') {
            "-0".clone_into(&mut attack_words);
        }
        if defense_words == "+0" && attack_words.starts_with('-') {
            "-0".clone_into(&mut defense_words);
        }
        if tail.is_empty() {
            tail = other_tail;
        }
        let skilled = skill.map_or(String::new(), |skill| format!(" and {}", skill.keyword()));
        let bonus = format!("{attack_words}/{defense_words}{skilled}");
        // What comes on top lasts as long as what it comes on top of.
        match (more, skill) {
            (true, None) => format!("{gets} another {bonus}{tail}"),
            (true, Some(_)) => format!("{gets} another {bonus} {UNTIL}{tail}"),
            (false, _) => format!("{gets} {bonus} {UNTIL}{tail}"),
        }
    }

    fn moved(&mut self, what: &Reference, to: Place) -> String {
        let group = what.group(&self.effect.choices);
        let own = group.is_none_or(|group| group.side == CardSide::Mine) && *what != Reference::OpposingThis;
        let from = group.map_or(CardZone::Play, |group| group.zone);
        let plural = self.is_plural(what);
        // A card in a pile is taken from it.
        let object = self.object(what).replacen(" in ", " from ", 1);
        let whose = match (own, plural) {
            (true, _) => "your",
            (false, false) => "its owner's",
            (false, true) => "their owners'",
        };
        let several = plural && !own;
        match to {
            Place::Hand if several => format!("return {object} to {whose} hands"),
            Place::Hand => format!("return {object} to {whose} hand"),
            Place::Barracks => format!("put {object} into {whose} barracks"),
            Place::BarracksLocked => format!("put {object} into {whose} barracks, locked"),
            Place::Discard => format!("discard {object}"),
            Place::DeckTop if several => format!("put {object} on top of {whose} decks"),
            Place::DeckTop => format!("put {object} on top of {whose} deck"),
            Place::Play if from == CardZone::Barracks => format!("bring {object} into play"),
            Place::Play => format!("put {object} into play"),
        }
    }

    // Cards and players.

    fn is_plural(&self, what: &Reference) -> bool {
        let Reference::Chosen(place) = what else {
            return false;
        };
        let choice = self.effect.choices.get(usize::from(*place));
        matches!(choice, Some(CardChoice::Cards { count: 2.., .. }))
    }

    fn object(&mut self, what: &Reference) -> String {
        self.mention(what, "them").words
    }

    fn subject(&mut self, what: &Reference) -> Phrase {
        self.mention(what, "they")
    }

    /// The cards, named in full the first time and by a pronoun, or shortly, from then on.
    fn mention(&mut self, what: &Reference, they: &str) -> Phrase {
        match what {
            Reference::This => {
                let again = std::mem::replace(&mut self.said_this, true);
                Phrase::one(if again && self.effect.choices.is_empty() {
                    "it"
                } else {
                    "this warrior"
                })
            }
            Reference::OpposingThis => Phrase::one("each opposing warrior"),
            Reference::Each(group) => phrase::each(group),
            Reference::Chosen(place) => self.chosen(*place, they),
        }
    }

    fn chosen(&mut self, place: u8, they: &str) -> Phrase {
        let index = usize::from(place);
        let (Some(choice), Some(said)) = (self.effect.choices.get(index), self.said.get_mut(index)) else {
            return Phrase::one("it");
        };
        if !std::mem::replace(said, true) {
            return phrase::choice(choice);
        }
        let CardChoice::Cards { group, count, .. } = choice else {
            return Phrase::one("that player");
        };
        let plural = *count > 1;
        let alone = self.effect.choices.len() == 1 && !self.speaks_of_this;
        if alone {
            return if plural {
                Phrase::many(they)
            } else {
                Phrase::one("it")
            };
        }
        let kind = phrase::kind(group.zone);
        match (plural, group.side) {
            (true, _) => Phrase::many(format!("those {kind}s")),
            (false, CardSide::Mine) if !self.speaks_of_this => Phrase::one(format!("your {kind}")),
            (false, CardSide::Opponents) if !self.speaks_of_this => Phrase::one(format!("the enemy {kind}")),
            (false, _) => Phrase::one(format!("that {kind}")),
        }
    }

    /// Who does it, with the verb: "draw", "each opponent draws".
    fn does(&mut self, who: &Who, you: &str, they: &str) -> String {
        match who {
            Who::Me => you.to_owned(),
            Who::EachOpponent | Who::Everyone | Who::Chosen(_) | Who::OwnerOf(_) => {
                format!("{} {they}", self.who(who).words)
            }
        }
    }

    fn who(&mut self, who: &Who) -> Phrase {
        match who {
            Who::Me => Phrase::one("you"),
            Who::EachOpponent => Phrase::one("each opponent"),
            Who::Everyone => Phrase::one("every player"),
            Who::Chosen(place) => self.chosen(*place, "they"),
            Who::OwnerOf(what) => Phrase::one(format!("{} owner", self.subject(what).possessive())),
        }
    }

    // Numbers.

    /// A number, and what it is if it is an X: ("2", "") or ("X", ", where X is its attack").
    fn number(&mut self, amount: &Amount) -> (String, String) {
        match amount {
            Amount::Number(number) => (number.to_string(), String::new()),
            Amount::Negated(amount) => {
                let (number, tail) = self.number(amount);
                (format!("-{number}"), tail)
            }
            _ => ("X".to_owned(), format!(", where X is {}", self.amount(amount))),
        }
    }

    /// One half of a bonus, always with its sign.
    fn bonus(&mut self, amount: &Amount) -> (String, String) {
        let (number, tail) = self.number(amount);
        let sign = if number.starts_with('-') { "" } else { "+" };
        (format!("{sign}{number}"), tail)
    }

    /// That many cards: "a card", "two cards", "another card", "two more cards".
    fn cards(&mut self, count: &Amount, more: bool) -> (String, String) {
        let one = if more { "another card" } else { "a card" };
        let cards = if more { "more cards" } else { "cards" };
        match count {
            Amount::Number(1) => (one.to_owned(), String::new()),
            Amount::Number(number) => (
                format!("{} {cards}", phrase::number_word(number.unsigned_abs())),
                String::new(),
            ),
            _ => {
                let (number, tail) = self.number(count);
                (format!("{number} {cards}"), tail)
            }
        }
    }

    /// What an X is.
    fn amount(&mut self, amount: &Amount) -> String {
        match amount {
            Amount::Number(number) => number.to_string(),
            Amount::Count(group) => format!("the number of {}", phrase::all(group)),
            Amount::Cost(what) => format!("{} training cost", self.subject(what).possessive()),
            Amount::CostDifference(what) => {
                format!(
                    "the difference of {} two training costs",
                    self.subject(what).possessive()
                )
            }
            Amount::Attack(what) => format!("{} attack", self.subject(what).possessive()),
            Amount::Defense(what) => format!("{} defense", self.subject(what).possessive()),
            Amount::Damage(what) => format!("the damage on {}", self.object(what)),
            Amount::HandSize(who) => format!("the number of cards in {} hand", self.who(who).possessive()),
            Amount::Influence(who, alignment) => {
                format!("{} {alignment} influence", self.who(who).possessive())
            }
            Amount::Negated(amount) => format!("minus {}", self.amount(amount)),
            Amount::Capped(amount, most) => format!("{}, at most {most}", self.amount(amount)),
        }
    }

    // Conditions.

    fn condition(&mut self, condition: &Condition, holds: bool) -> String {
        match condition {
            Condition::Is(what, filter) => self.is(what, filter, holds),
            Condition::AtLeast(amount, least) => self.at_least(amount, *least, holds),
            Condition::MyTurn if holds => "it is your turn".to_owned(),
            Condition::MyTurn => "it is not your turn".to_owned(),
            Condition::InSkirmish if holds => "a skirmish is being fought".to_owned(),
            Condition::InSkirmish => "no skirmish is being fought".to_owned(),
            Condition::NexusAtMost(alignment, most) => {
                let so_much = if holds {
                    format!("{most} or less")
                } else {
                    format!("more than {most}")
                };
                format!("the Nexus has {so_much} {alignment} influence")
            }
            Condition::Behind if holds => "you are behind".to_owned(),
            Condition::Behind => "you are not behind".to_owned(),
            Condition::Destroyed(what) => {
                let subject = self.subject(what);
                if holds {
                    subject.does("is destroyed", "are destroyed")
                } else {
                    subject.does("survives", "survive")
                }
            }
            Condition::Not(condition) => self.condition(condition, !holds),
            Condition::All(conditions) => self.conditions(conditions, holds, holds),
            Condition::Any(conditions) => self.conditions(conditions, holds, !holds),
        }
    }

    /// Several conditions; turning them round turns "and" into "or".
    fn conditions(&mut self, conditions: &[Condition], hold: bool, all: bool) -> String {
        let parts: Vec<String> = conditions
            .iter()
            .map(|condition| self.condition(condition, hold))
            .collect();
        parts.join(if all { " and " } else { " or " })
    }

    fn is(&mut self, what: &Reference, filter: &Filter, holds: bool) -> String {
        let subject = self.subject(what);
        phrase::predicate(&subject, filter, holds)
    }

    fn at_least(&mut self, amount: &Amount, least: i8, holds: bool) -> String {
        let so_many = match (holds, least) {
            (true, least) => format!("{least} or more"),
            (false, 1) => "no".to_owned(),
            (false, least) => format!("fewer than {least}"),
        };
        match amount {
            Amount::Count(group) if group.side == CardSide::Mine => {
                format!("you have {so_many} {}", phrase::noun_plain(group, true))
            }
            Amount::Count(group) => format!("there are {so_many} {}", phrase::all(group)),
            Amount::HandSize(who) => {
                let who = self.who(who);
                let have = if who.words == "you" { "have" } else { "has" };
                format!("{} {have} {so_many} cards in hand", who.words)
            }
            Amount::Influence(who, alignment) => {
                let who = self.who(who);
                let have = if who.words == "you" { "have" } else { "has" };
                format!("{} {have} {so_many} {alignment} influence", who.words)
            }
            Amount::Number(_)
            | Amount::Cost(_)
            | Amount::CostDifference(_)
            | Amount::Attack(_)
            | Amount::Defense(_)
            | Amount::Damage(_)
            | Amount::Negated(_)
            | Amount::Capped(..) => {
                let so_much = if holds {
                    format!("{least} or more")
                } else {
                    format!("less than {least}")
                };
                format!("{} is {so_much}", self.amount(amount))
            }
        }
    }
}
