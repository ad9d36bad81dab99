//! Reads what a card does, as it is written in the card files.
//!
//! ```text
//! effect     choose my attacking warrior; buff it +2/+0; if it is opposed { grant it swift }
//! choice     choose [up to] [2] GROUP   |   choose opponent   |   choose player
//! group      my | enemy | any, then adjectives, then warrior | resource | hand-card | discard | deck-top,
//!            then with cost<=2, with cost>=3, with attack<=1, with defense<=2, with swift ...
//! reference  this | it | first | second | each GROUP | opposing
//! who        me | each opponent | everyone | them | first | second | owner of REFERENCE
//! amount     2 | count GROUP | cost R | cost-difference R | attack R | defense R | damage R | hand of WHO |
//!            good-influence of WHO | evil-influence of WHO | (-AMOUNT) | (AMOUNT max 3)
//! condition  R is ADJECTIVE | R destroyed | AMOUNT >= 2 | my turn | in skirmish | nexus good <= 5 | behind |
//!            not C | all (C, C) | any (C, C)
//! ```

use super::effect::{
    Ability, Amount, CardChoice, CardSide, CardVerb, CardZone, Condition, Cost, Effect, Filter, Granted,
    Group, Place, Reference, Who,
};
use super::face::{Alignment, Keyword};
use super::lexer::{Token, tokens};

/// Why something can't be read.
pub(super) type Reason = String;

type Read<T> = Result<T, Reason>;

/// Reads an ability: `lock 1 phase 2: EFFECT`, or just `: EFFECT`.
pub(super) fn ability(text: &str) -> Read<Ability> {
    let tokens = tokens(text)?;
    let mut reader = Reader::new(&tokens);
    let mut costs = Vec::new();
    while !reader.takes(':') {
        let kind = reader.word("a cost, such as `phase 1`, or a colon")?;
        let number = reader.number()?;
        costs.push(match kind {
            "lock" => Cost::Lock(number),
            "phase" => Cost::Phase(number),
            _ => return Err(format!("`{kind}` is no cost; there is lock and phase")),
        });
    }
    let effect = reader.effect()?;
    Ok(Ability { costs, effect })
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    choices: Vec<CardChoice>,
}

impl<'t> Reader<'t> {
    const fn new(tokens: &'t [Token<'t>]) -> Self {
        Self {
            tokens,
            choices: Vec::new(),
        }
    }

    // Words.

    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.first().copied()
    }

    fn skip(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        Err(match self.peek() {
            Some(token) => format!("expected {what}, not {token}"),
            None => format!("expected {what}, but the line ends"),
        })
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(Token::Sign(sign));
        if found {
            self.skip();
        }
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(Token::Word(word));
        if found {
            self.skip();
        }
        found
    }

    fn sign(&mut self, sign: char) -> Read<()> {
        if self.takes(sign) {
            return Ok(());
        }
        self.expected(&Token::Sign(sign).to_string())
    }

    fn word(&mut self, what: &str) -> Read<&'t str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.skip();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn number(&mut self) -> Read<u8> {
        match self.peek() {
            Some(Token::Number(number)) => {
                self.skip();
                Ok(number)
            }
            _ => self.expected("a number"),
        }
    }

    fn small(&mut self) -> Read<i8> {
        let number = self.number()?;
        i8::try_from(number).map_err(|_| format!("`{number}` is too large"))
    }

    // Effects.

    fn effect(mut self) -> Read<Effect> {
        let mut steps = Vec::new();
        loop {
            if self.takes_word("choose") {
                if !steps.is_empty() {
                    return Err("choose everything before anything happens".to_owned());
                }
                let choice = self.choice()?;
                self.choices.push(choice);
            } else {
                steps.push(self.verb()?);
            }
            if self.tokens.is_empty() {
                break;
            }
            self.sign(';')?;
        }
        Ok(Effect {
            choices: self.choices,
            steps,
        })
    }

    fn choice(&mut self) -> Read<CardChoice> {
        if self.takes_word("opponent") {
            return Ok(CardChoice::Player {
                side: CardSide::Opponents,
            });
        }
        if self.takes_word("player") {
            return Ok(CardChoice::Player { side: CardSide::Any });
        }
        let up_to = self.takes_word("up");
        if up_to && !self.takes_word("to") {
            return self.expected("`to`");
        }
        let count = match self.peek() {
            Some(Token::Number(number)) => {
                self.skip();
                number
            }
            _ => 1,
        };
        let group = self.group()?;
        Ok(CardChoice::Cards { group, count, up_to })
    }

    fn verb(&mut self) -> Read<CardVerb> {
        let word = self.word("something that happens, such as `buff`")?;
        Ok(match word {
            "buff" => {
                let what = self.reference()?;
                let attack = self.bonus()?;
                self.sign('/')?;
                let defense = self.bonus()?;
                CardVerb::Buff {
                    what,
                    attack,
                    defense,
                }
            }
            "damage" => CardVerb::Damage {
                what: self.reference()?,
                amount: self.amount()?,
            },
            "heal" => CardVerb::Heal {
                what: self.reference()?,
                amount: self.amount()?,
            },
            "phase" => CardVerb::Phase(self.reference()?),
            "lock" => CardVerb::Lock(self.reference()?),
            "unlock" => CardVerb::Unlock(self.reference()?),
            "destroy" => CardVerb::Destroy(self.reference()?),
            "peek" => CardVerb::Peek(self.reference()?),
            "grant" => {
                let what = self.reference()?;
                let skill = match self.word("swift or ally")? {
                    "swift" => Granted::Swift,
                    "ally" => Granted::Ally,
                    other => return Err(format!("`{other}` can't be granted; swift and ally can")),
                };
                CardVerb::Grant { what, skill }
            }
            "draw" => {
                let count = self.amount()?;
                let who = self.by()?;
                CardVerb::Draw { who, count }
            }
            "discard" => {
                let count = self.amount()?;
                let who = self.by()?;
                CardVerb::Discard { who, count }
            }
            "enlist" => {
                let count = self.amount()?;
                let locked = self.takes_word("locked");
                let who = self.by()?;
                CardVerb::Enlist { who, count, locked }
            }
            "gain" => {
                let amount = self.amount()?;
                let alignment = self.alignment()?;
                let who = self.by()?;
                CardVerb::Gain {
                    who,
                    alignment,
                    amount,
                }
            }
            "lose" => {
                let amount = self.amount()?;
                let alignment = self.alignment()?;
                let who = self.by()?;
                CardVerb::Lose {
                    who,
                    alignment,
                    amount,
                }
            }
            "move" => {
                let what = self.reference()?;
                if !self.takes_word("to") {
                    return self.expected("`to`");
                }
                CardVerb::Move {
                    what,
                    to: self.place()?,
                }
            }
            "if" => {
                let condition = self.condition()?;
                let then = self.block()?;
                let otherwise = if self.takes_word("else") {
                    self.block()?
                } else {
                    Vec::new()
                };
                CardVerb::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            _ => return Err(format!("`{word}` is nothing that a card does")),
        })
    }

    fn block(&mut self) -> Read<Vec<CardVerb>> {
        self.sign('{')?;
        let mut steps = vec![self.verb()?];
        while self.takes(';') {
            steps.push(self.verb()?);
        }
        self.sign('}')?;
        Ok(steps)
    }

    fn place(&mut self) -> Read<Place> {
        Ok(match self.word("a place")? {
            "play" => Place::Play,
            "barracks" => Place::Barracks,
            "locked" if self.takes_word("barracks") => Place::BarracksLocked,
            "hand" => Place::Hand,
            "discard" => Place::Discard,
            "deck" => Place::DeckTop,
            other => {
                return Err(format!(
                    "`{other}` is no place; there is play, barracks, locked barracks, hand, discard and deck"
                ));
            }
        })
    }

    // Cards and players.

    fn group(&mut self) -> Read<Group> {
        let side = match self.word("my, enemy or any")? {
            "my" => CardSide::Mine,
            "enemy" => CardSide::Opponents,
            "any" => CardSide::Any,
            other => return Err(format!("expected my, enemy or any, not `{other}`")),
        };
        let mut filters = Vec::new();
        let zone = loop {
            let word = self.word("a kind of card, such as `warrior`")?;
            if let Some(zone) = zone(word) {
                break zone;
            }
            filters.push(adjective(word).ok_or_else(|| format!("`{word}` says nothing about a card"))?);
        };
        while self.takes_word("with") {
            filters.push(self.with()?);
        }
        Ok(Group { side, zone, filters })
    }

    fn with(&mut self) -> Read<Filter> {
        let word = self.word("cost, attack, defense or a skill")?;
        if let Some(keyword) = Keyword::named(word) {
            return Ok(Filter::Has(keyword));
        }
        let at_most = self.takes('<');
        if !at_most {
            self.sign('>')?;
        }
        Ok(match (word, at_most) {
            ("cost", true) => Filter::CostAtMost(self.number()?),
            ("cost", false) => Filter::CostAtLeast(self.number()?),
            ("attack", true) => Filter::AttackAtMost(self.small()?),
            ("defense", true) => Filter::DefenseAtMost(self.small()?),
            _ => return Err(format!("`{word}` can't be compared so")),
        })
    }

    /// The choice that a word such as `it` or `second` names.
    fn chosen(&self, word: &str) -> Option<Read<u8>> {
        let place = match word {
            "it" | "them" => match self.choices.len() {
                1 => 0,
                0 => return Some(Err(format!("`{word}` needs a choice first"))),
                _ => return Some(Err(format!("which one is `{word}`? say first or second"))),
            },
            "first" => 0,
            "second" => 1,
            "third" => 2,
            _ => return None,
        };
        if usize::from(place) >= self.choices.len() {
            return Some(Err(format!("nothing is chosen {word}")));
        }
        Some(Ok(place))
    }

    fn reference(&mut self) -> Read<Reference> {
        let word = self.word("a card, such as `this` or `it`")?;
        if let Some(place) = self.chosen(word) {
            let place = place?;
            return match self.choices.get(usize::from(place)) {
                Some(CardChoice::Cards { .. }) => Ok(Reference::Chosen(place)),
                _ => Err(format!("`{word}` is a player, not a card")),
            };
        }
        match word {
            "this" => Ok(Reference::This),
            "opposing" => Ok(Reference::OpposingThis),
            "each" => Ok(Reference::Each(self.group()?)),
            _ => Err(format!(
                "`{word}` names no card; there is this, it, first, each and opposing"
            )),
        }
    }

    /// Who does it: nobody named means the player of the card.
    fn by(&mut self) -> Read<Who> {
        if self.takes_word("by") {
            self.who()
        } else {
            Ok(Who::Me)
        }
    }

    fn who(&mut self) -> Read<Who> {
        let word = self.word("a player, such as `me`")?;
        if let Some(place) = self.chosen(word) {
            let place = place?;
            return match self.choices.get(usize::from(place)) {
                Some(CardChoice::Player { .. }) => Ok(Who::Chosen(place)),
                _ => Err(format!("`{word}` is a card, not a player")),
            };
        }
        match word {
            "me" => Ok(Who::Me),
            "everyone" => Ok(Who::Everyone),
            "each" if self.takes_word("opponent") => Ok(Who::EachOpponent),
            "owner" if self.takes_word("of") => Ok(Who::OwnerOf(self.reference()?)),
            _ => Err(format!(
                "`{word}` is nobody; there is me, each opponent, everyone, them and owner of"
            )),
        }
    }

    fn alignment(&mut self) -> Read<Alignment> {
        match self.word("good or evil")? {
            "good" => Ok(Alignment::Good),
            "evil" => Ok(Alignment::Evil),
            other => Err(format!("expected good or evil, not `{other}`")),
        }
    }

    // Numbers.

    /// One half of `+2/-1`, always with its sign.
    fn bonus(&mut self) -> Read<Amount> {
        let negative = match self.peek() {
            Some(Token::Sign('+')) => false,
            Some(Token::Sign('-')) => true,
            _ => return self.expected("+ or -"),
        };
        self.skip();
        Ok(negated(self.amount()?, negative))
    }

    fn amount(&mut self) -> Read<Amount> {
        if self.takes('(') {
            let negative = self.takes('-');
            let mut amount = negated(self.amount()?, negative);
            if self.takes_word("max") {
                amount = Amount::Capped(Box::new(amount), self.small()?);
            }
            self.sign(')')?;
            return Ok(amount);
        }
        if let Some(Token::Number(_)) = self.peek() {
            return Ok(Amount::Number(self.small()?));
        }
        Ok(match self.word("an amount")? {
            "count" => Amount::Count(self.group()?),
            "cost" => Amount::Cost(self.reference()?),
            "cost-difference" => Amount::CostDifference(self.reference()?),
            "attack" => Amount::Attack(self.reference()?),
            "defense" => Amount::Defense(self.reference()?),
            "damage" => Amount::Damage(self.reference()?),
            "hand" => Amount::HandSize(self.of_whom()?),
            "good-influence" => Amount::Influence(self.of_whom()?, Alignment::Good),
            "evil-influence" => Amount::Influence(self.of_whom()?, Alignment::Evil),
            other => return Err(format!("`{other}` is no amount")),
        })
    }

    fn of_whom(&mut self) -> Read<Who> {
        if !self.takes_word("of") {
            return self.expected("`of`");
        }
        self.who()
    }

    // Conditions.

    fn condition(&mut self) -> Read<Condition> {
        if self.takes_word("not") {
            return Ok(Condition::Not(Box::new(self.condition()?)));
        }
        if self.takes_word("all") {
            return Ok(Condition::All(self.conditions()?));
        }
        if self.takes_word("any") {
            return Ok(Condition::Any(self.conditions()?));
        }
        if self.takes_word("behind") {
            return Ok(Condition::Behind);
        }
        match self.tokens {
            [Token::Word("my"), Token::Word("turn"), ..] => {
                self.skip();
                self.skip();
                Ok(Condition::MyTurn)
            }
            [Token::Word("in"), Token::Word("skirmish"), ..] => {
                self.skip();
                self.skip();
                Ok(Condition::InSkirmish)
            }
            [Token::Word("nexus"), ..] => {
                self.skip();
                let alignment = self.alignment()?;
                self.sign('<')?;
                Ok(Condition::NexusAtMost(alignment, self.number()?))
            }
            [
                Token::Word("this" | "it" | "first" | "second" | "third" | "each" | "opposing"),
                ..,
            ] => {
                let what = self.reference()?;
                if self.takes_word("destroyed") {
                    return Ok(Condition::Destroyed(what));
                }
                if !self.takes_word("is") {
                    return self.expected("`is` or `destroyed`");
                }
                if self.takes_word("with") {
                    return Ok(Condition::Is(what, self.with()?));
                }
                let word = self.word("what it is, such as `opposed`")?;
                let filter = adjective(word).ok_or_else(|| format!("`{word}` says nothing about a card"))?;
                Ok(Condition::Is(what, filter))
            }
            _ => {
                let amount = self.amount()?;
                self.sign('>')?;
                Ok(Condition::AtLeast(amount, self.small()?))
            }
        }
    }

    fn conditions(&mut self) -> Read<Vec<Condition>> {
        self.sign('(')?;
        let mut conditions = vec![self.condition()?];
        while self.takes(',') {
            conditions.push(self.condition()?);
        }
        self.sign(')')?;
        Ok(conditions)
    }
}

fn negated(amount: Amount, negative: bool) -> Amount {
    match (amount, negative) {
        (amount, false) => amount,
        (Amount::Number(number), true) => Amount::Number(-number),
        (amount, true) => Amount::Negated(Box::new(amount)),
    }
}

fn zone(word: &str) -> Option<CardZone> {
    Some(match word {
        "warrior" | "warriors" => CardZone::Play,
        "resource" | "resources" => CardZone::Barracks,
        "hand-card" | "hand-cards" => CardZone::Hand,
        "discard" | "discards" => CardZone::Discard,
        "deck-top" => CardZone::DeckTop,
        _ => return None,
    })
}

fn adjective(word: &str) -> Option<Filter> {
    Some(match word {
        "good" => Filter::Aligned(Alignment::Good),
        "evil" => Filter::Aligned(Alignment::Evil),
        "attacking" => Filter::Attacking,
        "defending" => Filter::Defending,
        "opposed" => Filter::Opposed,
        "unopposed" => Filter::Unopposed,
        "locked" => Filter::Locked,
        "unlocked" => Filter::Unlocked,
        "damaged" => Filter::Damaged,
        "other" => Filter::Other,
        "opposing" => Filter::OpposingThis,
        _ => return None,
    })
}
