//! What is said for later: it is kept only if it can be read, whatever the position will be then.
//!
//! Nobody knows yet which cards, warriors and players it can be about, so only the words count: verbs with what belongs to
//! them, numbers, and names of printed cards.

use super::action::hand_place;
use super::bring::Bring;
use super::read::{Reader, Verb, ended, passes_unopposed, read_stop, read_target, tokens};
use crate::game::NotationError;
use crate::game::token::{Token, TokenAt};

impl Reader<'_, '_> {
    /// Whether the text is a row of actions.
    pub(super) fn check_plan(&self) -> Result<(), NotationError> {
        let tokens = tokens(self.text);
        if tokens.is_empty() {
            return Err(self.unreadable());
        }
        let mut left = &tokens[..];
        while let Some((_, first)) = left.first() {
            let verb = match first {
                Token::Word(word) => Verb::named(word),
                Token::Number(_) => None,
            };
            let (arguments, used) = match verb {
                Some(verb) => {
                    let arguments = &left[1..];
                    (arguments, self.planned(verb, arguments)?)
                }
                // The answer to a question whose verb was left out.
                None => (left, self.planned_choice(left).map_err(|_| self.no_verb(first))?),
            };
            left = arguments.get(used..).unwrap_or_default();
        }
        Ok(())
    }

    /// How many tokens belong to a verb.
    fn planned(&self, verb: Verb, arguments: &[TokenAt]) -> Result<usize, NotationError> {
        let all = arguments.len();
        match verb {
            Verb::Bring => {
                let deck = self.rest(arguments, 0).trim();
                Bring::read(deck).map(|_| all).ok_or_else(|| self.unreadable())
            }
            Verb::Pass | Verb::Skip | Verb::Stand if arguments.is_empty() => Ok(0),
            Verb::Maneuver | Verb::List => Ok(0),
            Verb::Always => self.always(arguments).map(|(_, used)| used),
            Verb::Stand if matches!(arguments, [(_, Token::Word(word)), ..] if word == "off") => Ok(1),
            Verb::Pass if passes_unopposed(arguments) => Ok(1),
            Verb::Pass | Verb::Stand => self.standing(arguments).map(|(_, used)| used),
            Verb::Stop | Verb::Skip => {
                let stop = read_stop(arguments).map(|(_, used)| used);
                stop.ok_or_else(|| self.unreadable())
            }
            Verb::Done if ended(arguments) == all => Ok(all),
            Verb::Done => Err(self.unreadable()),
            Verb::Attack => Ok(read_target(arguments).map_or(0, |(_, used)| used)),
            Verb::Target => {
                let target = read_target(arguments).map(|(_, used)| used);
                target.ok_or_else(|| self.unreadable())
            }
            Verb::On => self.planned_choice(arguments),
            Verb::Skill => {
                let used = self.planned_card(arguments)?;
                let letter =
                    matches!(arguments.get(used), Some((_, Token::Word(word))) if word.chars().count() == 1);
                Ok(used + usize::from(letter))
            }
            Verb::Give => match arguments {
                [(_, Token::Number(_)), (_, Token::Number(_)), ..] => Ok(2),
                [(_, Token::Number(_)), ..] => Ok(1),
                _ => Err(self.unreadable()),
            },
            Verb::Enlist
            | Verb::With
            | Verb::Defend
            | Verb::Skirmish
            | Verb::Train
            | Verb::Order
            | Verb::Pay
            | Verb::Discard => self.planned_card(arguments),
        }
    }

    /// Something that may be chosen or attacked.
    fn planned_choice(&self, arguments: &[TokenAt]) -> Result<usize, NotationError> {
        let owner = |at: usize| match arguments.get(at..) {
            Some([(_, Token::Word(word)), (_, Token::Number(_)), ..]) if word == "player" => 2,
            _ => 0,
        };
        let placed = |token: &Token| match token {
            Token::Number(_) => true,
            Token::Word(word) => hand_place(word).is_some(),
        };
        if let [(_, Token::Word(word)), (_, place), ..] = arguments
            && placed(place)
            && matches!(word.as_str(), "resource" | "hand" | "discard")
        {
            return Ok(2 + owner(2));
        }
        match arguments {
            [(_, Token::Word(word)), ..] if word == "deck" => Ok(1 + owner(1)),
            _ => match read_target(arguments) {
                Some((_, used)) => Ok(used),
                None => self.planned_card(arguments),
            },
        }
    }

    /// A card or a warrior, by number or by the name of any card there is.
    fn planned_card(&self, arguments: &[TokenAt]) -> Result<usize, NotationError> {
        match arguments.first() {
            None => Err(self.unreadable()),
            Some((_, Token::Number(_))) => Ok(1),
            Some((_, Token::Word(word))) if hand_place(word).is_some() => Ok(1),
            Some((_, Token::Word(_))) => {
                let faces = self.game.cards.faces().iter();
                let named: Vec<(&str, ())> = faces.map(|face| (face.name.as_str(), ())).collect();
                self.by_name(arguments, &named).map(|(_, used)| used)
            }
        }
    }
}
