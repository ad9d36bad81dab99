//! Reading a typed action: what was written first, whether it is legal second.
//!
//! A verb comes first and may be left out where the question makes it clear. Cards go by number, by place, or by name.

use super::Phase;
use super::action::{Action, Aside, Target};
use super::bring::{Bring, LOT, READY};
use super::card::DeckCode;
use super::flow::{Ask, Kind, Question, TurnStage};
use super::player::{StandingPass, Stop, Until};
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::game::token::{self, Token, TokenAt};
use crate::game::{Game, GameRng, NotationError, Seat, Silent};

const HINT: &str = "Try `attack nexus with 3 5`, `defend 5 with 9`, `train 2 pay 1 4`, `order b on 14 pay 3`, \
                    `skill 14`, `pass`, `pass skirmish` or `done`; `rules moves` tells you more.";

/// Words that say nothing here; names lose them, too.
const FILLERS: [&str; 13] = [
    "the", "an", "my", "and", "then", "to", "against", "from", "in", "into", "of", "for", "at",
];

pub(super) fn tokens(text: &str) -> Vec<TokenAt> {
    token::tokens(text, &FILLERS)
}

/// A name as its tokens spell it.
pub(super) fn bare(name: &str) -> String {
    tokens(name).iter().map(|(_, token)| token.to_string()).collect()
}

/// What a player wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Bring,
    Enlist,
    Pass,
    Attack,
    Maneuver,
    Target,
    With,
    Defend,
    Skirmish,
    Train,
    Order,
    Skill,
    On,
    Pay,
    Discard,
    Give,
    Done,
    Stop,
    Skip,
    Stand,
    Always,
    List,
}

const VERBS: [(&str, Verb); 39] = [
    ("bring", Verb::Bring),
    ("deck", Verb::Bring),
    ("enlist", Verb::Enlist),
    ("barracks", Verb::Enlist),
    ("pass", Verb::Pass),
    ("attack", Verb::Attack),
    ("maneuver", Verb::Maneuver),
    ("target", Verb::Target),
    ("with", Verb::With),
    ("send", Verb::With),
    ("defend", Verb::Defend),
    ("block", Verb::Defend),
    ("oppose", Verb::Defend),
    ("skirmish", Verb::Skirmish),
    ("resolve", Verb::Skirmish),
    ("train", Verb::Train),
    ("order", Verb::Order),
    ("play", Verb::Order),
    ("skill", Verb::Skill),
    ("use", Verb::Skill),
    ("on", Verb::On),
    ("choose", Verb::On),
    ("pick", Verb::On),
    ("pay", Verb::Pay),
    ("paying", Verb::Pay),
    ("discard", Verb::Discard),
    ("give", Verb::Give),
    ("deal", Verb::Give),
    ("done", Verb::Done),
    ("end", Verb::Done),
    ("finish", Verb::Done),
    ("no", Verb::Done),
    ("none", Verb::Done),
    ("nothing", Verb::Done),
    ("stop", Verb::Stop),
    ("skip", Verb::Skip),
    ("stand", Verb::Stand),
    ("standing", Verb::List),
    ("always", Verb::Always),
];

impl Verb {
    pub(super) fn named(word: &str) -> Option<Self> {
        VERBS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, verb)| *verb)
    }

    /// The verb that a question waits for, so that it may be left out.
    const fn answering(question: Question) -> Option<Self> {
        match question {
            Question::Target => Some(Self::Target),
            Question::Attackers => Some(Self::With),
            Question::Defenders => Some(Self::Defend),
            Question::Skirmish => Some(Self::Skirmish),
            Question::Choose => Some(Self::On),
            Question::Pay => Some(Self::Pay),
            Question::Discard => Some(Self::Discard),
            Question::Divide(_) => Some(Self::Give),
            Question::Attack | Question::Action | Question::Training => None,
        }
    }
}

/// Reads one action and returns what is left.
pub(super) fn read<'t>(game: &Phase, seat: Seat, text: &'t str) -> Result<(Action, &'t str), NotationError> {
    Reader::of(game, seat, text).read(&tokens(text))
}

/// What an action is read against.
pub(super) struct Reader<'a, 't> {
    pub(super) game: &'a Phase,
    pub(super) seat: Seat,
    pub(super) text: &'t str,
    /// What this seat is asked.
    pub(super) asked: Option<Question>,
}

/// An action, and how many tokens it took.
pub(super) type Read = Result<(Action, usize), NotationError>;

impl<'a, 't> Reader<'a, 't> {
    pub(super) fn of(game: &'a Phase, seat: Seat, text: &'t str) -> Self {
        let asked = game.ask.filter(|ask| ask.seat == seat).map(|ask| ask.what);
        Self {
            game,
            seat,
            text,
            asked,
        }
    }

    fn read(&self, tokens: &[TokenAt]) -> Result<(Action, &'t str), NotationError> {
        let Some((_, first)) = tokens.first() else {
            return Err(self.unreadable());
        };
        let spoken = match first {
            Token::Word(word) => Verb::named(word),
            Token::Number(_) => None,
        };
        let implied = || match self.game.stage {
            TurnStage::Decks => Some(Verb::Bring),
            TurnStage::Setup => Some(Verb::Enlist),
            _ => self.asked.and_then(Verb::answering),
        };
        let is_target = matches!(first, Token::Word(word) if word == "nexus" || word == "player");
        let (verb, from) = match spoken {
            // In the declaration and before it a target alone says enough.
            None if is_target && self.asked != Some(Question::Choose) => (Verb::Attack, 0),
            Some(verb) => (verb, 1),
            None => (implied().ok_or_else(|| self.no_verb(first))?, 0),
        };
        let arguments = tokens.get(from..).unwrap_or_default();
        if verb == Verb::Attack {
            return self.attack(arguments, from);
        }
        if verb == Verb::Bring {
            return self.bring(self.rest(tokens, from).trim());
        }
        // What is done in the fights says that all defenders are named.
        if matches!(verb, Verb::Order | Verb::Skill) && self.asked == Some(Question::Defenders) {
            return Ok((Action::Done, self.text));
        }
        // What comes after the fights says that there is nothing more to do in them.
        let fighting = self.asked == Some(Question::Action) && self.game.stage == TurnStage::Skirmish;
        if verb == Verb::Train && fighting && self.is_active() {
            return Ok((Action::Pass, self.text));
        }
        let (action, used) = self.action(verb, arguments)?;
        let rest = self.rest(tokens, from + used);
        // Nothing more is asked about an enlisted card, so what follows has to be something else.
        if matches!(action, Action::Enlist(_)) && !begins_anew(rest) {
            return Err(self.unreadable());
        }
        // `pass skirmish` is a wish for what follows, and a pass now.
        if let (Verb::Pass, Action::Aside(Aside::Stand(standing)), Some(question)) =
            (verb, action, self.asked)
            && standing.until.answers(question)
        {
            if !rest.is_empty() {
                return Err(self.unreadable());
            }
            let attacks = question == Question::Attack;
            return Ok((action, if attacks { "end turn" } else { "pass" }));
        }
        // Whoever ends their turn before they have attacked does not train either.
        let ends = verb == Verb::Done && matches!(arguments, [(_, Token::Word(word))] if word == "turn");
        if ends && self.asked == Some(Question::Attack) {
            let trains = self
                .game
                .tried(self.seat, action)
                .asks(self.seat, Question::Training);
            return Ok((action, if trains { self.text } else { rest }));
        }
        // A list of attackers is over where it ends; `with 3` alone is no list.
        if matches!(action, Action::Attacker(_)) && spoken.is_none() && rest.is_empty() {
            let more = self.game.free_attackers().nth(1).is_some();
            return Ok((action, if more { "done" } else { "" }));
        }
        Ok((action, self.without_payment(action, rest)))
    }

    /// What is left from a token on.
    pub(super) fn rest(&self, tokens: &[TokenAt], from: usize) -> &'t str {
        tokens
            .get(from)
            .and_then(|&(start, _)| self.text.get(start..))
            .unwrap_or("")
    }

    pub(super) fn unreadable(&self) -> NotationError {
        NotationError::unreadable(self.text, HINT)
    }

    pub(super) fn no_verb(&self, first: &Token) -> NotationError {
        if let Token::Word(word) = first
            && let Some(verb) = nearest(word, VERBS.iter().map(|(name, _)| *name))
        {
            return NotationError::unreadable(self.text, format!("Did you mean `{verb}`? {HINT}"));
        }
        self.unreadable()
    }

    /// Where all resources had to pay, they have: a list of them in the sentence is true and says nothing new.
    fn without_payment(&self, action: Action, rest: &'t str) -> &'t str {
        let left = tokens(rest);
        let pays =
            matches!(left.first(), Some((_, Token::Word(word))) if Verb::named(word) == Some(Verb::Pay));
        let spends = matches!(
            action,
            Action::Train(_)
                | Action::Order(_)
                | Action::IdleOrder(_)
                | Action::Skill { .. }
                | Action::IdleSkill { .. }
                | Action::Choose(_)
                | Action::Pay(_)
        );
        if !pays || !spends || !self.game.is_legal(self.seat, &action) {
            return rest;
        }
        let mut after = self.game.clone();
        // Whatever chance says, it does not change whether something is left to pay.
        after.play(self.seat, &action, &mut GameRng::quick(0), &mut Silent);
        let own = after
            .doing
            .as_ref()
            .is_some_and(|doing| !matches!(doing.kind, Kind::Trigger(_)));
        let asks = |ask: Ask| ask.seat == self.seat && matches!(ask.what, Question::Pay | Question::Choose);
        let goes_on = own && after.ask.is_some_and(asks);
        if goes_on {
            return rest;
        }
        let numbers = left
            .iter()
            .skip(1)
            .take_while(|(_, token)| matches!(token, Token::Number(_)))
            .count();
        left.get(1 + numbers)
            .and_then(|&(start, _)| rest.get(start..))
            .unwrap_or("")
    }

    pub(super) fn check(&self, action: Action) -> Result<Action, NotationError> {
        if self.game.is_legal(self.seat, &action) {
            Ok(action)
        } else {
            Err(NotationError::illegal(self.game.why_not(self.seat, action)))
        }
    }

    pub(super) fn checked(&self, action: Action, used: usize) -> Read {
        Ok((self.check(action)?, used))
    }

    /// The legal actions that fit, as a question.
    pub(super) fn ask(&self, ask: &str, fits: impl Fn(&Action) -> bool) -> NotationError {
        let legal = self.game.legal_actions(self.seat);
        let choices: Vec<String> = legal
            .iter()
            .filter(|action| fits(action))
            .map(|action| self.game.write(*action))
            .collect();
        if choices.is_empty() {
            return NotationError::illegal(self.game.nothing_such(self.seat));
        }
        NotationError::Incomplete {
            ask: ask.to_owned(),
            choices,
        }
    }

    /// `attack`, `attack nexus with 3 5`, or a target alone.
    fn attack(&self, arguments: &[TokenAt], from: usize) -> Result<(Action, &'t str), NotationError> {
        let target = read_target(arguments);
        match (self.asked, target) {
            (Some(Question::Attack), _) => Ok((Action::Attack, self.rest_of(arguments, 0))),
            // What comes after the maneuvers says that there are none.
            (Some(Question::Action), Some(_))
                if self.game.stage == TurnStage::Maneuver && self.is_active() =>
            {
                Ok((Action::Pass, self.text))
            }
            (Some(Question::Target), Some((target, used))) => {
                let action = self.check(Action::Target(target))?;
                // What follows is a list of attackers that ends itself.
                let with = matches!(arguments.get(used), Some((_, Token::Word(word))) if word == "with");
                Ok((action, self.rest_of(arguments, used + usize::from(with))))
            }
            (Some(Question::Target), None) => Err(self.ask("What do you attack?", |_| true)),
            (Some(Question::Attackers), None) if from > 0 && !arguments.is_empty() => {
                let skip = usize::from(matches!(&arguments[0].1, Token::Word(word) if word == "with"));
                let (action, used) = self.warrior(&arguments[skip..], Action::Attacker, "Who attacks?")?;
                Ok((action, self.rest_of(arguments, skip + used)))
            }
            _ => Err(NotationError::illegal(self.game.nothing_such(self.seat))),
        }
    }

    fn rest_of(&self, arguments: &[TokenAt], used: usize) -> &'t str {
        self.rest(arguments, used)
    }

    fn is_active(&self) -> bool {
        self.game.active == self.seat
    }

    fn action(&self, verb: Verb, arguments: &[TokenAt]) -> Read {
        match verb {
            // Read before, as it was typed: a code is no row of words and numbers.
            Verb::Bring => Err(self.unreadable()),
            Verb::Enlist => self.hand(
                arguments,
                Action::Enlist,
                "Which hand card becomes your first resource?",
            ),
            Verb::Pass => self.pass(arguments),
            Verb::Maneuver => self.checked(Action::Maneuver, 0),
            Verb::Target | Verb::Attack => match read_target(arguments) {
                Some((target, used)) => self.checked(Action::Target(target), used),
                None => Err(self.ask("What do you attack?", |action| {
                    matches!(action, Action::Target(_))
                })),
            },
            Verb::With => self.warrior(arguments, Action::Attacker, "Who attacks?"),
            Verb::Defend => self.defend(arguments),
            Verb::Skirmish => self.warrior(arguments, Action::Skirmish, "Which skirmish is next?"),
            Verb::Train => self.train(arguments),
            Verb::Order => self.order(arguments),
            Verb::Skill => self.skill(arguments),
            Verb::On => self.choose(arguments),
            Verb::Pay => self.pay(arguments),
            Verb::Discard => self.hand(arguments, Action::Discard, "Which hand card do you discard?"),
            Verb::Give => self.give(arguments),
            Verb::Done => self.done(arguments),
            Verb::Stop | Verb::Skip => self.stop(verb == Verb::Stop, arguments),
            Verb::Stand => self.stand(arguments),
            Verb::Always => self.always(arguments),
            Verb::List => Ok((Action::Aside(Aside::List), 0)),
        }
    }

    /// `bring wolfpack`, `bring lot`, or a deck code.
    fn bring(&self, name: &str) -> Result<(Action, &'t str), NotationError> {
        if name.is_empty() {
            return Err(self.ask("Which deck do you bring?", |action| {
                matches!(action, Action::Deck(_))
            }));
        }
        match Bring::read(name) {
            Some(bring) => Ok((self.check(Action::Deck(bring))?, "")),
            None => Err(NotationError::illegal(unknown_deck(name))),
        }
    }

    /// `pass`, `pass skirmish`, `pass turn`, each with `whatever`; given before being asked it is kept.
    fn pass(&self, arguments: &[TokenAt]) -> Read {
        if arguments.is_empty() {
            return match self.asked {
                Some(Question::Action) => Ok((Action::Pass, 0)),
                Some(_) if self.game.is_legal(self.seat, &Action::Pass) => Ok((Action::Pass, 0)),
                Some(_) => self.checked(Action::Done, 0),
                None => Ok((stand(Until::Once, false), 0)),
            };
        }
        if passes_unopposed(arguments) {
            return self.pass_unopposed();
        }
        let (standing, used) = self.standing(arguments)?;
        let over_turns = standing.until == Until::Attacked;
        if standing.whatever && !over_turns && self.game.is_legal(self.seat, &Action::PassWhatever) {
            return Ok((Action::PassWhatever, used));
        }
        if self.asked == Some(Question::Training) && matches!(standing.until, Until::Skirmish | Until::Fights)
        {
            let over = "The fights of your turn are over. `done` ends your turn, and `pass until attacked` passes for you on \
                        other players' turns.";
            return Err(NotationError::illegal(over.to_owned()));
        }
        let in_skirmish = self.asked.is_some() && self.game.stage == TurnStage::Skirmish;
        if in_skirmish && self.game.runs_through() && !standing.whatever {
            let here = self.game.is_legal(self.seat, &Action::PassHere);
            match standing.until {
                Until::Skirmish | Until::Once if here => return Ok((Action::PassHere, used)),
                Until::Skirmish | Until::Once | Until::Fights => return self.checked(Action::Pass, used),
                Until::Turn | Until::Attacked => {}
            }
        }
        let until = match standing.until {
            Until::Once if in_skirmish => Until::Skirmish,
            until => until,
        };
        Ok((stand(until, standing.whatever), used))
    }

    /// `pass unopposed`, with a defence: where all fights are one's own, or none, there is a shorter word for it.
    fn pass_unopposed(&self) -> Read {
        let fights = self.game.attack.iter().flat_map(|attack| &attack.skirmishes);
        let mut sent = fights.flat_map(|skirmish| &skirmish.defenders);
        let own = sent.any(|&inst| self.game.piece(inst).owner == self.seat);
        let asked = self.asked == Some(Question::Defenders);
        let action = match asked && !self.game.is_legal(self.seat, &Action::PassUnopposed) {
            true if own || !self.game.is_legal(self.seat, &Action::Pass) => Action::Done,
            true => Action::Pass,
            false => Action::PassUnopposed,
        };
        self.checked(action, 1)
    }

    /// `always defend`, and `always off` to take it back.
    pub(super) fn always(&self, arguments: &[TokenAt]) -> Read {
        let word = match arguments {
            [(_, Token::Word(word)), ..] => word.as_str(),
            _ => "",
        };
        match word {
            // With whom and whom is always the same.
            "defend" | "guard" => Ok((Action::Aside(Aside::Guard(true)), arguments.len())),
            "off" => Ok((Action::Aside(Aside::Guard(false)), 1)),
            _ => {
                let hint = "You can `always defend`, for the Nexus, and take that back with `always off`.";
                Err(NotationError::unreadable(self.text, hint))
            }
        }
    }

    fn stand(&self, arguments: &[TokenAt]) -> Read {
        if arguments.is_empty() {
            return Ok((Action::Aside(Aside::List), 0));
        }
        if matches!(arguments.first(), Some((_, Token::Word(word))) if word == "off") {
            return Ok((Action::Aside(Aside::Wake), 1));
        }
        let (standing, used) = self.standing(arguments)?;
        Ok((Action::Aside(Aside::Stand(standing)), used))
    }

    /// How long, and whether whatever happens.
    pub(super) fn standing(&self, arguments: &[TokenAt]) -> Result<(StandingPass, usize), NotationError> {
        let mut standing = StandingPass {
            until: Until::Once,
            whatever: false,
        };
        let mut used = 0;
        for (_, token) in arguments {
            match token {
                Token::Word(word) if word == "whatever" => standing.whatever = true,
                // `pass until attacked`, `pass until I am attacked`.
                Token::Word(word) if matches!(word.as_str(), "until" | "i" | "am" | "m") => {}
                Token::Word(word) => match Until::ALL.into_iter().find(|until| until.name() == word) {
                    Some(until) => standing.until = until,
                    None => break,
                },
                Token::Number(_) => break,
            }
            used += 1;
        }
        if used < arguments.len() || used == 0 {
            let hint = "You can `pass`, `pass skirmish`, `pass fights`, `pass turn`, `pass until attacked`, and add `whatever` \
                        to pass whatever the others do.";
            return Err(NotationError::unreadable(self.text, hint));
        }
        Ok((standing, used))
    }

    /// `stop closing`: ask me there. `skip closing`: don't.
    fn stop(&self, on: bool, arguments: &[TokenAt]) -> Read {
        let (stop, used) = match read_stop(arguments) {
            Some(read) => read,
            None if arguments.is_empty() && !on => return self.pass(arguments),
            None => {
                let names: Vec<&str> = Stop::ALL.into_iter().map(Stop::name).collect();
                let hint = format!(
                    "You can `stop` or `skip` at: {stops}. For example: `stop closing`.",
                    stops = names.join(", ")
                );
                return Err(NotationError::unreadable(self.text, hint));
            }
        };
        Ok((Action::Aside(Aside::Stop(stop, on)), used))
    }

    fn done(&self, arguments: &[TokenAt]) -> Read {
        let used = ended(arguments);
        if used < arguments.len() {
            return Err(self.unreadable());
        }
        let action = if self.asked == Some(Question::Action) {
            Action::Pass
        } else {
            Action::Done
        };
        self.checked(action, used)
    }
}

/// `unopposed`, behind `pass`.
pub(super) fn passes_unopposed(arguments: &[TokenAt]) -> bool {
    matches!(arguments, [(_, Token::Word(word))] if word == "unopposed")
}

/// How many words at the front say only what is over: `no attack`, `no more defenders`, `end turn`.
pub(super) fn ended(arguments: &[TokenAt]) -> usize {
    const ENDED: [&str; 8] = [
        "attack",
        "attacks",
        "attackers",
        "defenders",
        "more",
        "turn",
        "training",
        "choice",
    ];
    let says_so =
        |(_, token): &&TokenAt| matches!(token, Token::Word(word) if ENDED.contains(&word.as_str()));
    arguments.iter().take_while(says_so).count()
}

/// Why a text names no deck. Whoever types twenty letters in four groups wants to know what is wrong with the code.
fn unknown_deck(name: &str) -> String {
    let fault = name.parse::<DeckCode>().err();
    let reason = match fault.filter(|_| name.split('-').count() == 4) {
        Some(fault) => format!("I can't read that code: {fault}."),
        None => {
            let near = nearest(name, READY.iter().copied().chain([LOT]));
            let near = near.map_or_else(String::new, |near| format!(" Did you mean `{near}`?"));
            format!("There's no ready deck `{name}`.{near}", name = excerpt(name))
        }
    };
    format!("{reason} You can `bring` a ready deck by its name, `lot`, or a deck code.")
}

/// Whether a text is empty or begins with a verb.
fn begins_anew(text: &str) -> bool {
    match tokens(text).first() {
        None => true,
        Some((_, Token::Word(word))) => Verb::named(word).is_some(),
        Some((_, Token::Number(_))) => false,
    }
}

fn stand(until: Until, whatever: bool) -> Action {
    Action::Aside(Aside::Stand(StandingPass { until, whatever }))
}

/// A kind of action round at the front, and how many tokens it took.
pub(super) fn read_stop(arguments: &[TokenAt]) -> Option<(Stop, usize)> {
    let mut words = arguments.iter().map(|(_, token)| match token {
        Token::Word(word) => word.as_str(),
        Token::Number(_) => "",
    });
    match (words.next()?, words.next()) {
        ("maneuver" | "maneuvers" | "maneuvering", _) => Some((Stop::Maneuver, 1)),
        ("skirmish", Some("mine")) => Some((Stop::SkirmishMine, 2)),
        ("skirmish", Some("other" | "others")) => Some((Stop::SkirmishOther, 2)),
        ("closing", _) => Some((Stop::Closing, 1)),
        ("order", _) => Some((Stop::Order, 1)),
        ("again", _) => Some((Stop::Again, 1)),
        _ => None,
    }
}

/// A target at the front, and how many tokens it took.
pub(super) fn read_target(arguments: &[TokenAt]) -> Option<(Target, usize)> {
    match arguments {
        [(_, Token::Word(word)), ..] if word == "nexus" => Some((Target::Nexus, 1)),
        [(_, Token::Word(word)), (_, Token::Number(number)), ..] if word == "player" => {
            let seat = Seat::numbered(u8::try_from(*number).ok()?, crate::game::MAX_SEATS)?;
            Some((Target::Player(seat), 2))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_however_they_are_spaced() {
        assert_eq!(bare("No-Ne Chim 3"), bare("no ne CHIM3"));
        assert_eq!(bare("The Flying Death"), "flyingdeath");
    }
}
