//! Action rounds, and for whom they stop.
//!
//! Rules file, "Playing over days". A player is asked or passes by themself; which of the two may depend on what
//! everybody sees and on that player's own private wishes, never on hidden cards. Wishes are given at any time, as
//! asides ([`super::action::Aside`]): they are steps of the game, so that a match replays, but they are in no list of
//! legal actions and nobody else hears of them.

use super::Phase;
use super::action::{Aside, Target};
use super::event::Event;
use super::flow::{Question, Stage};
use super::player::{Standing, Stop, Until};
use super::scribe::Scribe;
use super::turn::Flow;
use crate::game::{Chronicle, Seat};

impl Phase {
    /// Asks the next player of an action round, or ends it: "until as many passes in a row as there are players".
    pub(super) fn round_step<C: Chronicle<Event>>(
        &mut self,
        s: &mut Scribe<'_, C>,
        end: fn(&mut Self, &mut Scribe<'_, C>),
    ) -> Flow {
        let next = self
            .clockwise(self.round_of_actions.next)
            .find(|&seat| !self.round_of_actions.passed.contains(seat));
        let Some(seat) = next else {
            for player in &mut self.players {
                let once = |standing: &Standing| standing.until == Until::Once;
                player.habits.standing = player.habits.standing.filter(|standing| !once(standing));
            }
            end(self, s);
            return Flow::On;
        };
        self.round_of_actions.next = seat;
        if self.passes_unasked(seat, s) {
            self.pass(seat, s);
            return Flow::On;
        }
        self.ask(seat, Question::Action)
    }

    /// A pass, which looks the same whatever caused it.
    pub(super) fn pass<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        self.round_of_actions.passed.insert(seat);
        self.round_of_actions.next = seat.next(self.seats);
        s.tell(|| Event::Passed { seat });
    }

    /// Whether a player passes without being asked.
    fn passes_unasked<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) -> bool {
        if !self.may_act(seat) {
            return true;
        }
        if seat != self.active {
            // From here on it matters what this player privately wishes.
            s.halt();
        }
        match self.player(seat).habits.standing {
            Some(Standing {
                until: Until::Once, ..
            }) => {
                self.player_mut(seat).habits.standing = None;
                return true;
            }
            Some(Standing {
                until: Until::Turn, ..
            }) => return true,
            Some(Standing {
                until: Until::Skirmish,
                ..
            }) if self.stage == Stage::Skirmish => return true,
            Some(_) | None => {}
        }
        let player = self.player(seat);
        // "A standing pass lapses when the owner's influence is attacked."
        let roused = player.alert || self.target() == Some(Target::Player(seat));
        seat != self.active && !roused && !player.habits.stops_at(self.stop_for(seat))
    }

    /// What kind of round this is for a player.
    fn stop_for(&self, seat: Seat) -> Stop {
        match self.stage {
            Stage::Maneuver => Stop::Maneuver,
            Stage::Skirmish if self.concerns(seat) => Stop::SkirmishMine,
            Stage::Skirmish => Stop::SkirmishOther,
            _ => Stop::Closing,
        }
    }

    /// "A warrior of mine in it, my influence attacked, or I am the Nexus defender."
    fn concerns(&self, seat: Seat) -> bool {
        self.fights_here(seat)
            || match self.target() {
                Some(Target::Player(attacked)) => attacked == seat,
                Some(Target::Nexus) => self.defending_player() == Some(seat),
                None => false,
            }
    }

    /// Whether a player has a warrior in the skirmish that is being resolved.
    fn fights_here(&self, seat: Seat) -> bool {
        self.current().is_some_and(|skirmish| {
            let mut warriors = skirmish.defenders.iter().chain([&skirmish.attacker]);
            warriors.any(|&inst| self.piece(inst).owner == seat)
        })
    }

    /// An order or skill was taken: passes before it don't count any more, and standing ones may lapse.
    pub(super) fn note_action(&mut self, actor: Seat) {
        self.round_of_actions.passed = crate::game::SeatSet::EMPTY;
        self.round_of_actions.next = actor.next(self.seats);
        self.player_mut(actor).actions += 1;
        for seat in self.clockwise(actor).filter(|&seat| seat != actor) {
            // "Void after a later action of another player unless given as `pass whatever`."
            let standing = &mut self.player_mut(seat).habits.standing;
            *standing = standing.filter(|standing| standing.whatever);
            // "Changes a skirmish in which the owner has a warrior."
            if self.fights_here(seat) {
                self.wake(seat);
            }
        }
    }

    /// A player's standing pass lapses: in this round they are asked after all.
    pub(super) fn wake(&mut self, seat: Seat) {
        let player = self.player_mut(seat);
        player.alert = true;
        player.habits.standing = player.habits.standing.filter(|standing| standing.whatever);
    }

    /// A private wish of a player.
    pub(super) fn hear<C: Chronicle<Event>>(&mut self, seat: Seat, aside: Aside, s: &mut Scribe<'_, C>) {
        let habits = &mut self.player_mut(seat).habits;
        let text = match aside {
            Aside::Stop(stop, on) => {
                habits.set(stop, on);
                let stop = stop.name();
                if on {
                    format!("On other players' turns I now ask you here too: {stop}.")
                } else {
                    format!("On other players' turns I no longer ask you here: {stop}.")
                }
            }
            Aside::Stand(standing) => {
                habits.standing = Some(standing);
                let until = match standing.until {
                    Until::Once => "the next time you could act",
                    Until::Skirmish => "until this skirmish, or the next one, is over",
                    Until::Turn => "until the turn is over",
                };
                let unless = if standing.whatever {
                    "whatever the others do"
                } else {
                    "unless somebody acts"
                };
                format!("You pass {until}, {unless}.")
            }
            Aside::Wake => {
                habits.standing = None;
                "You no longer pass in advance.".to_owned()
            }
        };
        s.tell(|| Event::Habit { seat, text });
    }
}
