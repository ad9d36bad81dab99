//! Reading what an action is about: warriors, cards and players, by number, place or name.

use super::action::{Action, Pick, hand_place};
use super::flow::Question;
use super::pile::Inst;
use super::read::bare;
use super::read::{Read, Reader};
use crate::game::nearest::nearest;
use crate::game::token::{Token, TokenAt};
use crate::game::{Game, NotationError, Seat};

impl Reader<'_, '_> {
    /// A warrior by number or by name.
    pub(super) fn warrior(&self, arguments: &[TokenAt], make: fn(u8) -> Action, ask: &str) -> Read {
        if arguments.is_empty() {
            let same = std::mem::discriminant(&make(0));
            return Err(self.ask(ask, |action| std::mem::discriminant(action) == same));
        }
        let (number, used) = self.number(arguments, |number| self.game.is_legal(self.seat, &make(number)))?;
        self.checked(make(number), used)
    }

    /// The number of a warrior; where a name fits several, the only one that would do.
    pub(super) fn number(
        &self,
        arguments: &[TokenAt],
        fits: impl Fn(u8) -> bool,
    ) -> Result<(u8, usize), NotationError> {
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
                    ask: "Several warriors have that name. Which number?".to_owned(),
                    choices: good.iter().map(u8::to_string).collect(),
                })
            }
        }
    }

    /// Everything that a name at the front fits, and how many tokens it took: a whole name before a beginning.
    pub(super) fn by_name<T: Copy>(
        &self,
        arguments: &[TokenAt],
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
    pub(super) fn placed(
        &self,
        arguments: &[TokenAt],
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
                ask: "Several cards have that name. Which place?".to_owned(),
                choices: good.iter().map(u8::to_string).collect(),
            }),
        }
    }

    /// A card of the own hand by letter, by place or by name.
    fn held(&self, arguments: &[TokenAt], fits: impl Fn(u8) -> bool) -> Result<(u8, usize), NotationError> {
        let hand = &self.game.player(self.seat).hand;
        // A letter that no card has, with more behind it, is a word like others: whoever says "I have" means themself.
        let is_card = |place: &u8| arguments.len() == 1 || hand.at(*place).is_some();
        if let Some((_, Token::Word(word))) = arguments.first()
            && let Some(place) = hand_place(word).filter(is_card)
        {
            return Ok((place, 1));
        }
        self.placed(arguments, hand, fits)
    }

    pub(super) fn hand(&self, arguments: &[TokenAt], make: fn(u8) -> Action, ask: &str) -> Read {
        if arguments.is_empty() {
            let same = std::mem::discriminant(&make(0));
            return Err(self.ask(ask, |action| std::mem::discriminant(action) == same));
        }
        let (place, used) = self.held(arguments, |place| self.game.is_legal(self.seat, &make(place)))?;
        self.checked(make(place), used)
    }

    pub(super) fn train(&self, arguments: &[TokenAt]) -> Read {
        if arguments.is_empty() {
            return Err(self.ask("Which resource do you train?", |action| {
                matches!(action, Action::Train(_))
            }));
        }
        let barracks = &self.game.player(self.seat).barracks;
        let legal = |place: u8| self.game.is_legal(self.seat, &Action::Train(place));
        let (place, used) = self.placed(arguments, barracks, legal)?;
        self.checked(Action::Train(place), used)
    }

    pub(super) fn pay(&self, arguments: &[TokenAt]) -> Read {
        if arguments.is_empty() {
            return Err(self.ask("With which resource?", |action| matches!(action, Action::Pay(_))));
        }
        let barracks = &self.game.player(self.seat).barracks;
        let legal = |place: u8| self.game.is_legal(self.seat, &Action::Pay(place));
        let (place, used) = self.placed(arguments, barracks, legal)?;
        self.checked(Action::Pay(place), used)
    }

    pub(super) fn order(&self, arguments: &[TokenAt]) -> Read {
        let is_order = |action: &Action| matches!(action, Action::Order(_) | Action::IdleOrder(_));
        if arguments.is_empty() {
            return Err(self.ask("Which hand card gives its order?", is_order));
        }
        let legal = |place: u8| {
            let both = [Action::Order(place), Action::IdleOrder(place)];
            both.into_iter()
                .find(|action| self.game.is_legal(self.seat, action))
        };
        let (place, used) = self.held(arguments, |place| legal(place).is_some())?;
        self.checked(legal(place).unwrap_or(Action::Order(place)), used)
    }

    pub(super) fn skill(&self, arguments: &[TokenAt]) -> Read {
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
    pub(super) fn defend(&self, arguments: &[TokenAt]) -> Read {
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
    pub(super) fn choose(&self, arguments: &[TokenAt]) -> Read {
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
            let place = number(1).or_else(|| hand_place(words(1)))?;
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
    pub(super) fn whose(
        &self,
        named: Option<Seat>,
        make: impl Fn(Seat) -> Pick,
    ) -> Result<Action, NotationError> {
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
    pub(super) fn give(&self, arguments: &[TokenAt]) -> Read {
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
