//! What players need not be asked any more of what they have said.
//!
//! `defend 5 with 9; pass` and `attack nexus with 3; pass; train 2 pay 1; done` say what their player does in fights in which
//! they are asked only if they could act, and in a training in which they are asked only if they could train. What was said
//! for a question that never comes answers no other one: a `pass` that is meant for fights neither ends the turn nor gives the
//! next attack away. So a position knows what has gone by since a player last decided something ([`GoneBy`]).

use super::Phase;
use super::flow::{Question, TurnStage};
use super::player::{GoneBy, Until};
use super::read::{Reader, Verb, ended, passes_unopposed, tokens};
use crate::game::Seat;
use crate::game::token::Token;

/// Words that say that a player does nothing more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// In a round of actions, in the fights, in a turn.
    Pass,
    /// Whatever is asked.
    Done,
}

impl Phase {
    /// Whether a clause behind something that a player has decided is for a question that has gone by, or will not come.
    pub(super) fn answers_itself(&self, seat: Seat, clause: &str) -> bool {
        if self.stage.is_opening() || seat.index() >= usize::from(self.seats) {
            return false;
        }
        let Some(ending) = Reader::of(self, seat, clause).ending() else {
            return false;
        };
        let gone_by = self.player(seat).gone_by;
        let asked = self.ask.filter(|ask| ask.seat == seat).map(|ask| ask.what);
        match (ending, asked) {
            (_, Some(Question::Action | Question::Defenders)) => false,
            (Ending::Pass, Some(_)) => gone_by != GoneBy::Nothing,
            (Ending::Pass, None) => gone_by == GoneBy::All || self.has_had_their_say(seat),
            // A choice that came up meanwhile is nothing that anybody has foreseen.
            (
                Ending::Done,
                Some(Question::Choose | Question::Discard | Question::Divide(_) | Question::Pay),
            ) => gone_by >= GoneBy::Fights,
            (
                Ending::Done,
                Some(
                    Question::Attack
                    | Question::Target
                    | Question::Attackers
                    | Question::Skirmish
                    | Question::Training,
                ),
            ) => gone_by == GoneBy::All,
            // Behind a defence it ends the defence.
            (Ending::Done, None) => {
                let defends = seat != self.active && (self.attack.is_some() || gone_by == GoneBy::Fights);
                gone_by == GoneBy::All || defends
            }
        }
    }

    /// Whether a player who is not asked now has nothing to say in the fights of this attack, as far as everybody can see, or
    /// these are over.
    fn has_had_their_say(&self, seat: Seat) -> bool {
        match self.stage {
            TurnStage::Defenders(_) | TurnStage::Pick | TurnStage::Skirmish => !self.may_act_in_fights(seat),
            TurnStage::Training | TurnStage::Closing | TurnStage::Attack => {
                seat != self.active && self.player(seat).gone_by == GoneBy::Fights
            }
            TurnStage::Decks
            | TurnStage::Setup
            | TurnStage::Maneuver
            | TurnStage::Target
            | TurnStage::Attackers => false,
        }
    }

    /// Whether a player could act in one of the fights that are left: with a hand card, or a skill of a warrior in them.
    fn may_act_in_fights(&self, seat: Seat) -> bool {
        let player = self.player(seat);
        let mut fighting = player
            .play
            .iter()
            .filter(|&&inst| self.skirmish_of(inst).is_some());
        let skilled = fighting.any(|&inst| self.ready_skills(inst).next().is_some());
        player.actions < super::MOST_ACTIONS && (!player.hand.is_empty() || skilled)
    }

    /// A round of actions of an attack is over, or the attack.
    pub(super) fn fights_go_by(&mut self) {
        for player in &mut self.players {
            player.gone_by = player.gone_by.max(GoneBy::Fights);
        }
    }

    /// A turn is over.
    pub(super) fn turn_goes_by(&mut self) {
        for player in &mut self.players {
            player.gone_by = match player.gone_by {
                GoneBy::Nothing | GoneBy::Turn => GoneBy::Turn,
                GoneBy::Fights | GoneBy::All => GoneBy::All,
            };
        }
    }
}

impl Reader<'_, '_> {
    /// The clause as a pass or as `done`, if it is one. A pass that holds over many turns is for no question.
    fn ending(&self) -> Option<Ending> {
        let tokens = tokens(self.text);
        let ((_, Token::Word(word)), arguments) = tokens.split_first()? else {
            return None;
        };
        match Verb::named(word)? {
            Verb::Pass | Verb::Skip if arguments.is_empty() => Some(Ending::Pass),
            Verb::Pass if passes_unopposed(arguments) => Some(Ending::Pass),
            Verb::Pass => {
                let (standing, _) = self.standing(arguments).ok()?;
                (standing.until != Until::Attacked).then_some(Ending::Pass)
            }
            Verb::Done => (ended(arguments) == arguments.len()).then_some(Ending::Done),
            Verb::Bring
            | Verb::Enlist
            | Verb::Attack
            | Verb::Maneuver
            | Verb::Target
            | Verb::With
            | Verb::Defend
            | Verb::Skirmish
            | Verb::Train
            | Verb::Order
            | Verb::Skill
            | Verb::On
            | Verb::Pay
            | Verb::Discard
            | Verb::Give
            | Verb::Stop
            | Verb::Skip
            | Verb::Stand
            | Verb::Always
            | Verb::List => None,
        }
    }
}
