//! Reading a typed action: what was written first, whether it is legal second.
//!
//! A verb comes first and may be left out where the question makes it clear. Cards go by number, by place, or by name.

use super::Phase;
use super::action::{Action, Aside, Pick, Target};
use super::flow::{Question, Stage};
use super::pile::Inst;
use super::player::{Standing, Stop, Until};
use super::token::{Spot, Token, bare, tokens};
use crate::game::nearest::nearest;
use crate::game::{Game, GameRng, NotationError, Seat, Silent};

const HINT: &str = "Try `attack nexus with 3 5`, `defend 5 with 9`, `train 2 pay 1 4`, `order 2 on 14 pay 3`, \
                    `skill 14`, `pass`, `pass skirmish` or `done`; `rules notation` tells more.";

/// What a player wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Enlist,
    Pass,
    Attack,
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
}

const VERBS: [(&str, Verb); 34] = [
    ("enlist", Verb::Enlist),
    ("barracks", Verb::Enlist),
    ("pass", Verb::Pass),
    ("attack", Verb::Attack),
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
];

impl Verb {
    fn named(word: &str) -> Option<Self> {
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
    let tokens = tokens(text);
    let asked = game.ask.filter(|ask| ask.seat == seat).map(|ask| ask.what);
    let reader = Reader {
        game,
        seat,
        text,
        asked,
    };
    reader.read(&tokens)
}

/// What an action is read against.
struct Reader<'a, 't> {
    game: &'a Phase,
    seat: Seat,
    text: &'t str,
    /// What this seat is asked.
    asked: Option<Question>,
}

/// An action, and how many tokens it took.
type Read = Result<(Action, usize), NotationError>;

impl<'t> Reader<'_, 't> {
    fn read(&self, tokens: &[Spot]) -> Result<(Action, &'t str), NotationError> {
        let Some((_, first)) = tokens.first() else {
            return Err(self.unreadable());
        };
        let setup = self.game.stage == Stage::Setup;
        let spoken = match first {
            Token::Word(word) => Verb::named(word),
            Token::Number(_) => None,
        };
        let implied = || {
            if setup {
                Some(Verb::Enlist)
            } else {
                self.asked.and_then(Verb::answering)
            }
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
        let (action, used) = self.action(verb, arguments)?;
        let rest = self.rest(tokens, from + used);
        // `pass skirmish` is a wish for what follows, and a pass now.
        let standing = matches!(action, Action::Aside(Aside::Stand(_))) && verb == Verb::Pass;
        if standing && self.asked == Some(Question::Action) {
            if rest.is_empty() {
                return Ok((action, "pass"));
            }
            return Err(self.unreadable());
        }
        // A list of attackers is over where it ends; `with 3` alone is no list.
        if matches!(action, Action::Attacker(_)) && spoken.is_none() && rest.is_empty() {
            let more = self.game.free_attackers().nth(1).is_some();
            return Ok((action, if more { "done" } else { "" }));
        }
        Ok((action, self.without_payment(action, rest)))
    }

    /// What is left from a token on.
    fn rest(&self, tokens: &[Spot], from: usize) -> &'t str {
        tokens
            .get(from)
            .and_then(|&(start, _)| self.text.get(start..))
            .unwrap_or("")
    }

    fn unreadable(&self) -> NotationError {
        NotationError::unreadable(self.text, HINT)
    }

    fn no_verb(&self, first: &Token) -> NotationError {
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
        let goes_on = after
            .ask
            .is_some_and(|ask| ask.seat == self.seat && matches!(ask.what, Question::Pay | Question::Choose));
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

    fn check(&self, action: Action) -> Result<Action, NotationError> {
        if self.game.is_legal(self.seat, &action) {
            Ok(action)
        } else {
            Err(NotationError::illegal(self.game.why_not(self.seat, action)))
        }
    }

    fn checked(&self, action: Action, used: usize) -> Read {
        Ok((self.check(action)?, used))
    }

    /// The legal actions that fit, as a question.
    fn ask(&self, ask: &str, fits: impl Fn(&Action) -> bool) -> NotationError {
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
    fn attack(&self, arguments: &[Spot], from: usize) -> Result<(Action, &'t str), NotationError> {
        let target = read_target(arguments);
        match (self.asked, target) {
            (Some(Question::Attack), _) => Ok((Action::Attack, self.rest_of(arguments, 0))),
            // What comes after the maneuvers says that there are none.
            (Some(Question::Action), Some(_)) if self.game.stage == Stage::Maneuver && self.is_active() => {
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

    fn rest_of(&self, arguments: &[Spot], used: usize) -> &'t str {
        self.rest(arguments, used)
    }

    fn is_active(&self) -> bool {
        self.game.active == self.seat
    }

    fn action(&self, verb: Verb, arguments: &[Spot]) -> Read {
        match verb {
            Verb::Enlist => self.hand(
                arguments,
                Action::Enlist,
                "Which hand card becomes your first resource?",
            ),
            Verb::Pass => self.pass(arguments),
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
        }
    }

    /// `pass`, `pass skirmish`, `pass turn`, each with `whatever`; given before being asked it is kept.
    fn pass(&self, arguments: &[Spot]) -> Read {
        if arguments.is_empty() {
            return match self.asked {
                Some(Question::Action) => Ok((Action::Pass, 0)),
                Some(_) => self.checked(Action::Done, 0),
                None => Ok((stand(Until::Once, false), 0)),
            };
        }
        let (standing, used) = self.standing(arguments)?;
        let in_skirmish = self.asked.is_some() && self.game.stage == Stage::Skirmish;
        let until = match standing.until {
            Until::Once if in_skirmish => Until::Skirmish,
            until => until,
        };
        Ok((stand(until, standing.whatever), used))
    }

    fn stand(&self, arguments: &[Spot]) -> Read {
        if matches!(arguments.first(), Some((_, Token::Word(word))) if word == "off") {
            return Ok((Action::Aside(Aside::Wake), 1));
        }
        let (standing, used) = self.standing(arguments)?;
        Ok((Action::Aside(Aside::Stand(standing)), used))
    }

    /// How long, and whether whatever happens.
    fn standing(&self, arguments: &[Spot]) -> Result<(Standing, usize), NotationError> {
        let mut standing = Standing {
            until: Until::Once,
            whatever: false,
        };
        let mut used = 0;
        for (_, token) in arguments {
            match token {
                Token::Word(word) if word == "whatever" => standing.whatever = true,
                Token::Word(word) => match Until::ALL.into_iter().find(|until| until.name() == word) {
                    Some(until) => standing.until = until,
                    None => break,
                },
                Token::Number(_) => break,
            }
            used += 1;
        }
        if used < arguments.len() || used == 0 {
            let hint = "You can `pass`, `pass skirmish`, `pass turn`, and add `whatever` to pass whatever the others do.";
            return Err(NotationError::unreadable(self.text, hint));
        }
        Ok((standing, used))
    }

    /// `stop closing`: ask me there. `skip closing`: don't.
    fn stop(&self, on: bool, arguments: &[Spot]) -> Read {
        let mut words = arguments.iter().map(|(_, token)| match token {
            Token::Word(word) => word.as_str(),
            Token::Number(_) => "",
        });
        let (stop, used) = match (words.next(), words.next()) {
            (Some("maneuver" | "maneuvers" | "maneuvering"), _) => (Stop::Maneuver, 1),
            (Some("skirmish"), Some("mine")) => (Stop::SkirmishMine, 2),
            (Some("skirmish"), Some("other" | "others")) => (Stop::SkirmishOther, 2),
            (Some("closing"), _) => (Stop::Closing, 1),
            (None, _) if !on => return self.pass(arguments),
            _ => {
                let names: Vec<&str> = Stop::ALL.into_iter().map(Stop::name).collect();
                let hint = format!(
                    "The game can `stop` for you, or `skip` you, at: {}. For instance `stop closing`.",
                    names.join(", ")
                );
                return Err(NotationError::unreadable(self.text, hint));
            }
        };
        Ok((Action::Aside(Aside::Stop(stop, on)), used))
    }

    fn done(&self, arguments: &[Spot]) -> Read {
        // `no attack`, `no more defenders`, `end turn`.
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
        let ended = |(_, token): &&Spot| matches!(token, Token::Word(word) if ENDED.contains(&word.as_str()));
        let used = arguments.iter().take_while(ended).count();
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

    /// A warrior by number or by name.
    fn warrior(&self, arguments: &[Spot], make: fn(u8) -> Action, ask: &str) -> Read {
        if arguments.is_empty() {
            let same = std::mem::discriminant(&make(0));
            return Err(self.ask(ask, |action| std::mem::discriminant(action) == same));
        }
        let (number, used) = self.number(arguments, |number| self.game.is_legal(self.seat, &make(number)))?;
        self.checked(make(number), used)
    }

    /// The number of a warrior; where a name fits several, the only one that would do.
    fn number(&self, arguments: &[Spot], fits: impl Fn(u8) -> bool) -> Result<(u8, usize), NotationError> {
        if let Some((_, Token::Number(number))) = arguments.first() {
            return Ok((u8::try_from(*number).unwrap_or(u8::MAX), 1));
        }
        let warriors = self.game.warriors();
        let named: Vec<(&str, u8)> = warriors
            .map(|inst| (self.game.face(inst).name.as_str(), self.game.piece(inst).number))
            .collect();
        let (numbers, used) = self.by_name(arguments, &named)?;
        let mut good: Vec<u8> = numbers.iter().copied().filter(|&number| fits(number)).collect();
        match (&good[..], &numbers[..]) {
            ([only], _) | ([], [only]) => Ok((*only, used)),
            ([], _) => Ok((numbers[0], used)),
            _ => {
                good.sort_unstable();
                Err(NotationError::Ambiguous {
                    ask: "Several warriors are called so; which number?".to_owned(),
                    choices: good.iter().map(u8::to_string).collect(),
                })
            }
        }
    }

    /// Everything that a name at the front fits, and how many tokens it took: a whole name before a beginning.
    fn by_name<T: Copy>(
        &self,
        arguments: &[Spot],
        named: &[(&str, T)],
    ) -> Result<(Vec<T>, usize), NotationError> {
        const LONGEST: usize = 8;
        const SHORTEST: usize = 3;
        let wanted = |count: usize| -> String {
            arguments
                .iter()
                .take(count)
                .map(|(_, token)| token.to_string())
                .collect()
        };
        let most = arguments.len().min(LONGEST);
        for whole in [true, false] {
            for count in (1..=most).rev() {
                let wanted = wanted(count);
                let fits = |name: &str| {
                    let name = bare(name);
                    name == wanted || !whole && wanted.len() >= SHORTEST && name.starts_with(&wanted)
                };
                let found: Vec<T> = named
                    .iter()
                    .filter(|(name, _)| fits(name))
                    .map(|(_, what)| *what)
                    .collect();
                if !found.is_empty() {
                    return Ok((found, count));
                }
            }
        }
        let typed = arguments
            .first()
            .map(|(_, token)| token.to_string())
            .unwrap_or_default();
        let near = nearest(&typed, named.iter().map(|(name, _)| *name));
        let hint = match near {
            Some(near) => format!("Did you mean {near}?"),
            None => "Call a card by its number or its name.".to_owned(),
        };
        Err(NotationError::unreadable(&typed, hint))
    }

    /// A card of a pile by place or by its active side's name.
    fn placed(
        &self,
        arguments: &[Spot],
        pile: &[Inst],
        fits: impl Fn(u8) -> bool,
    ) -> Result<(u8, usize), NotationError> {
        if let Some((_, Token::Number(place))) = arguments.first() {
            return Ok((u8::try_from(*place).unwrap_or(u8::MAX), 1));
        }
        let named: Vec<(&str, u8)> = pile
            .iter()
            .zip(1u8..)
            .map(|(&inst, place)| (self.game.face(inst).name.as_str(), place))
            .collect();
        let (places, used) = self.by_name(arguments, &named)?;
        let good: Vec<u8> = places.iter().copied().filter(|&place| fits(place)).collect();
        match (&good[..], &places[..]) {
            ([only], _) | ([], [only, ..]) => Ok((*only, used)),
            _ => Err(NotationError::Ambiguous {
                ask: "Several cards are called so; which place?".to_owned(),
                choices: good.iter().map(u8::to_string).collect(),
            }),
        }
    }

    fn hand(&self, arguments: &[Spot], make: fn(u8) -> Action, ask: &str) -> Read {
        if arguments.is_empty() {
            let same = std::mem::discriminant(&make(0));
            return Err(self.ask(ask, |action| std::mem::discriminant(action) == same));
        }
        let hand = &self.game.player(self.seat).hand;
        let (place, used) = self.placed(arguments, hand, |place| {
            self.game.is_legal(self.seat, &make(place))
        })?;
        self.checked(make(place), used)
    }

    fn train(&self, arguments: &[Spot]) -> Read {
        if arguments.is_empty() {
            return Err(self.ask("Which resource is trained?", |action| {
                matches!(action, Action::Train(_))
            }));
        }
        let barracks = &self.game.player(self.seat).barracks;
        let legal = |place: u8| self.game.is_legal(self.seat, &Action::Train(place));
        let (place, used) = self.placed(arguments, barracks, legal)?;
        self.checked(Action::Train(place), used)
    }

    fn pay(&self, arguments: &[Spot]) -> Read {
        if arguments.is_empty() {
            return Err(self.ask("With which resource?", |action| matches!(action, Action::Pay(_))));
        }
        let barracks = &self.game.player(self.seat).barracks;
        let legal = |place: u8| self.game.is_legal(self.seat, &Action::Pay(place));
        let (place, used) = self.placed(arguments, barracks, legal)?;
        self.checked(Action::Pay(place), used)
    }

    fn order(&self, arguments: &[Spot]) -> Read {
        let is_order = |action: &Action| matches!(action, Action::Order(_) | Action::IdleOrder(_));
        if arguments.is_empty() {
            return Err(self.ask("Which hand card gives its order?", is_order));
        }
        let legal = |place: u8| {
            let both = [Action::Order(place), Action::IdleOrder(place)];
            both.into_iter()
                .find(|action| self.game.is_legal(self.seat, action))
        };
        let hand = &self.game.player(self.seat).hand;
        let (place, used) = self.placed(arguments, hand, |place| legal(place).is_some())?;
        self.checked(legal(place).unwrap_or(Action::Order(place)), used)
    }

    fn skill(&self, arguments: &[Spot]) -> Read {
        let is_skill = |action: &Action| matches!(action, Action::Skill { .. } | Action::IdleSkill { .. });
        if arguments.is_empty() {
            return Err(self.ask("Whose skill?", is_skill));
        }
        let legal = |number: u8, skill: u8| {
            let both = [
                Action::Skill { number, skill },
                Action::IdleSkill { number, skill },
            ];
            both.into_iter()
                .find(|action| self.game.is_legal(self.seat, action))
        };
        let any = |number: u8| {
            self.game
                .action_skills(number)
                .iter()
                .any(|&skill| legal(number, skill).is_some())
        };
        let (number, used) = self.number(arguments, any)?;
        let skills = self.game.action_skills(number);
        let letter = match arguments.get(used) {
            Some((_, Token::Word(word))) if word.len() == 1 && skills.len() > 1 => word.bytes().next(),
            _ => None,
        };
        let skill = match (letter, &skills[..]) {
            (Some(letter), _) => skills.get(usize::from(letter.wrapping_sub(b'a'))).copied(),
            (None, [only]) => Some(*only),
            (None, _) => {
                let of = |action: &Action| match action {
                    Action::Skill { number: other, .. } | Action::IdleSkill { number: other, .. } => {
                        *other == number
                    }
                    _ => false,
                };
                let legal: Vec<Action> = self
                    .game
                    .legal_actions(self.seat)
                    .into_iter()
                    .filter(|action| of(action))
                    .collect();
                if legal.len() > 1 {
                    return Err(self.ask("Which of its skills?", of));
                }
                if let [only] = legal[..] {
                    return Ok((only, used));
                }
                None
            }
        };
        let used = used + usize::from(letter.is_some());
        let skill = skill.unwrap_or(u8::MAX);
        self.checked(
            legal(number, skill).unwrap_or(Action::Skill { number, skill }),
            used,
        )
    }

    /// `defend 5 with 9`, in either order.
    fn defend(&self, arguments: &[Spot]) -> Read {
        let is_defence = |action: &Action| matches!(action, Action::Defend { .. });
        if arguments.is_empty() {
            return Err(self.ask("Who defends against whom?", is_defence));
        }
        let (first, used) = self.number(arguments, |_| true)?;
        let skip = usize::from(matches!(arguments.get(used), Some((_, Token::Word(word))) if word == "with"));
        let after = arguments.get(used + skip..).unwrap_or_default();
        let second = if after.is_empty() {
            None
        } else {
            self.number(after, |_| true).ok()
        };
        let Some((second, more)) = second else {
            let about = |action: &Action| match action {
                Action::Defend { attacker, defender } => *attacker == first || *defender == first,
                _ => false,
            };
            let legal: Vec<Action> = self
                .game
                .legal_actions(self.seat)
                .into_iter()
                .filter(|action| about(action))
                .collect();
            return match legal[..] {
                [only] => Ok((only, used)),
                _ => Err(self.ask("Who defends against whom?", about)),
            };
        };
        let straight = Action::Defend {
            attacker: first,
            defender: second,
        };
        let turned = Action::Defend {
            attacker: second,
            defender: first,
        };
        let legal = |action: &Action| self.game.is_legal(self.seat, action);
        let meant = if !legal(&straight) && legal(&turned) {
            turned
        } else {
            straight
        };
        self.checked(meant, used + skip + more)
    }

    /// Something that an effect chooses.
    fn choose(&self, arguments: &[Spot]) -> Read {
        let is_choice = |action: &Action| matches!(action, Action::Choose(_));
        let words = |at: usize| match arguments.get(at) {
            Some((_, Token::Word(word))) => word.as_str(),
            _ => "",
        };
        let number = |at: usize| match arguments.get(at) {
            Some((_, Token::Number(number))) => u8::try_from(*number).ok(),
            _ => None,
        };
        // "of player 3" behind something, and how many tokens it took.
        let owner = |at: usize| match (words(at), number(at + 1)) {
            ("player", Some(number)) => (Seat::numbered(number, self.game.seats), 2),
            _ => (None, 0),
        };
        let zoned = |make: fn(Seat, u8) -> Pick| -> Option<Read> {
            let place = number(1)?;
            let (seat, more) = owner(2);
            Some(
                self.whose(seat, |seat| make(seat, place))
                    .map(|action| (action, 2 + more)),
            )
        };
        let read = match words(0) {
            "" if arguments.is_empty() => return Err(self.ask("What do you choose?", is_choice)),
            "resource" => zoned(Pick::Resource),
            "hand" => zoned(Pick::Hand),
            "discard" => zoned(Pick::Discard),
            "deck" => {
                let (seat, more) = owner(1);
                Some(self.whose(seat, Pick::DeckTop).map(|action| (action, 1 + more)))
            }
            "player" => {
                let (seat, more) = owner(0);
                let seat = seat.ok_or_else(|| self.ask("Which player?", is_choice))?;
                Some(self.checked(Action::Choose(Pick::Player(seat)), more))
            }
            _ => None,
        };
        if let Some(read) = read {
            return read;
        }
        let make = |number: u8| Action::Choose(Pick::Warrior(number));
        let (number, used) = self.number(arguments, |number| self.game.is_legal(self.seat, &make(number)))?;
        let warrior = make(number);
        if !self.game.is_legal(self.seat, &warrior) {
            // A number alone may be a place, where only one thing can be meant by it.
            let at_place = |action: &Action| match action {
                Action::Choose(Pick::Resource(_, place) | Pick::Hand(_, place) | Pick::Discard(_, place)) => {
                    *place == number
                }
                _ => false,
            };
            let legal = self.game.legal_actions(self.seat);
            let fitting: Vec<&Action> = legal.iter().filter(|action| at_place(action)).collect();
            match fitting[..] {
                [only] => return Ok((*only, used)),
                [] => {}
                _ => return Err(self.ask("Whose?", at_place)),
            }
        }
        self.checked(warrior, used)
    }

    /// A card of somebody: of the one named, else the only one that can be meant, else one's own.
    fn whose(&self, named: Option<Seat>, make: impl Fn(Seat) -> Pick) -> Result<Action, NotationError> {
        if let Some(seat) = named {
            return self.check(Action::Choose(make(seat)));
        }
        let all = Seat::all(self.game.seats).map(|seat| Action::Choose(make(seat)));
        let legal: Vec<Action> = all
            .filter(|action| self.game.is_legal(self.seat, action))
            .collect();
        match legal[..] {
            [only] => Ok(only),
            [] => self.check(Action::Choose(make(self.seat))),
            _ => Err(NotationError::Ambiguous {
                ask: "Whose?".to_owned(),
                choices: legal.iter().map(|&action| self.game.write(action)).collect(),
            }),
        }
    }

    /// `give 9 4`, or only how much.
    fn give(&self, arguments: &[Spot]) -> Read {
        let Some(Question::Divide(asked)) = self.asked else {
            return Err(NotationError::illegal(self.game.nothing_such(self.seat)));
        };
        let number = |at: usize| match arguments.get(at) {
            Some((_, Token::Number(number))) => Some(u8::try_from(*number).unwrap_or(u8::MAX)),
            _ => None,
        };
        match (number(0), number(1)) {
            (Some(defender), Some(damage)) => self.checked(Action::Deal { defender, damage }, 2),
            (Some(damage), None) => self.checked(
                Action::Deal {
                    defender: asked,
                    damage,
                },
                1,
            ),
            (None, _) => Err(self.ask("How much damage?", |_| true)),
        }
    }
}

fn stand(until: Until, whatever: bool) -> Action {
    Action::Aside(Aside::Stand(Standing { until, whatever }))
}

/// A target at the front, and how many tokens it took.
fn read_target(arguments: &[Spot]) -> Option<(Target, usize)> {
    match arguments {
        [(_, Token::Word(word)), ..] if word == "nexus" => Some((Target::Nexus, 1)),
        [(_, Token::Word(word)), (_, Token::Number(number)), ..] if word == "player" => {
            let seat = Seat::numbered(u8::try_from(*number).ok()?, crate::game::MAX_SEATS)?;
            Some((Target::Player(seat), 2))
        }
        _ => None,
    }
}
