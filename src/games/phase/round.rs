//! Action rounds, and for whom they stop.
//!
//! Rules file, "Playing over days". A player is asked or passes by themself; which of the two may depend on what
//! everybody sees and on that player's own private wishes, never on hidden cards. Wishes are given at any time, as
//! asides ([`super::action::Aside`]): they are steps of the game, so that a match replays, but they are in no list of
//! legal actions and nobody else hears of them.

use super::Phase;
use super::action::{Action, Aside, Target};
use super::event::Event;
use super::flow::{Ask, Question, TurnStage};
use super::pile::Inst;
use super::player::{Habits, StandingPass, Stop, Until};
use super::rules::Rules;
use super::scribe::Scribe;
use super::turn::Flow;
use crate::game::{Chronicle, Game, Seat};

impl Phase {
    /// Whether fights run through: they come in the order of the attack, and a pass is for all of them, unless somebody
    /// acts. Under older rules every skirmish is picked, and everybody passes in each.
    pub(super) fn runs_through(&self) -> bool {
        self.rules >= Rules::Third
    }

    /// How many skirmishes are still to be resolved, the one under way included.
    pub(super) fn open_skirmishes(&self) -> usize {
        let skirmishes = self.attack.iter().flat_map(|attack| &attack.skirmishes);
        skirmishes.filter(|skirmish| !skirmish.done).count()
    }

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
                let once = |standing: &StandingPass| standing.until == Until::Once;
                player.habits.standing = player.habits.standing.filter(|standing| !once(standing));
            }
            if self.stage != TurnStage::Closing {
                self.fights_go_by();
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

    /// A pass by a player who was asked. Before anybody has acted in a skirmish it is for those that are left, too.
    pub(super) fn pass_by_choice<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        if self.passes_run_on() {
            self.pass_the_fights(seat);
        }
        self.pass(seat, s);
    }

    /// Whether a pass now is one for all fights that are left: there are more, and nobody has acted in this one. Whoever
    /// has passed after an action has said nothing about the next skirmish.
    pub(super) fn passes_run_on(&self) -> bool {
        self.runs_through()
            && self.stage == TurnStage::Skirmish
            && self.round_of_actions.acted.is_none()
            && self.open_skirmishes() > 1
    }

    /// A player passes in all skirmishes of this attack, unless somebody acts.
    pub(super) fn pass_the_fights(&mut self, seat: Seat) {
        self.player_mut(seat).habits.standing.get_or_insert(StandingPass {
            until: Until::Fights,
            whatever: false,
        });
    }

    /// Whether a player has sent warriors into some of the fights and not into others.
    pub(super) fn opposes_some(&self, seat: Seat) -> bool {
        let skirmishes = self.attack.iter().flat_map(|attack| &attack.skirmishes);
        let own = |inst: &Inst| self.piece(*inst).owner == seat;
        let sent = skirmishes.map(|skirmish| skirmish.defenders.iter().any(own));
        let (some, others): (Vec<bool>, Vec<bool>) = sent.partition(|sent| *sent);
        !some.is_empty() && !others.is_empty()
    }

    /// Whether a player passes without being asked.
    fn passes_unasked<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) -> bool {
        if !self.may_act(seat) {
            return true;
        }
        // From here on it matters what this player privately wishes.
        s.heed(seat);
        let fighting = self.stage == TurnStage::Skirmish;
        match self.player(seat).habits.standing.map(|standing| standing.until) {
            Some(Until::Once) => {
                self.player_mut(seat).habits.standing = None;
                return true;
            }
            Some(Until::Turn) => return true,
            Some(Until::Skirmish | Until::Fights) if fighting => return true,
            Some(Until::Attacked) if seat != self.active => return true,
            Some(Until::Skirmish | Until::Fights | Until::Attacked) | None => {}
        }
        // Whoever has acted on another's turn has had their say, unless somebody answers.
        let habits = &self.player(seat).habits;
        let said = seat != self.active && self.round_of_actions.acted == Some(seat);
        if self.runs_through() && said && !habits.again {
            return true;
        }
        let player = self.player(seat);
        // "A standing pass lapses when the owner's influence is attacked."
        let roused = player.alert || self.is_target(seat) && !player.habits.opposed_only;
        seat != self.active && !roused && !player.habits.stops_at(self.stop_for(seat))
    }

    /// What kind of round this is for a player.
    fn stop_for(&self, seat: Seat) -> Stop {
        match self.stage {
            TurnStage::Maneuver => Stop::Maneuver,
            TurnStage::Skirmish if self.concerns(seat) => Stop::SkirmishMine,
            TurnStage::Skirmish => Stop::SkirmishOther,
            _ => Stop::Closing,
        }
    }

    /// "A warrior of mine in it, my influence attacked, or I am the Nexus defender." Where fights run through, whoever
    /// defends says with the defence whether they want to be asked about attackers that they don't oppose.
    fn concerns(&self, seat: Seat) -> bool {
        self.fights_here(seat)
            || match self.target() {
                Some(Target::Player(attacked)) => attacked == seat && !self.player(seat).habits.opposed_only,
                Some(Target::Nexus) if self.runs_through() => self.player(seat).habits.watching,
                Some(Target::Nexus) => self.defending_player() == Some(seat),
                None => false,
            }
    }

    fn is_target(&self, seat: Seat) -> bool {
        self.target() == Some(Target::Player(seat))
    }

    /// Whether a player has a warrior in the skirmish that is being resolved.
    pub(super) fn fights_here(&self, seat: Seat) -> bool {
        self.current().is_some_and(|skirmish| {
            let mut warriors = skirmish.defenders.iter().chain([&skirmish.attacker]);
            warriors.any(|&inst| self.piece(inst).owner == seat)
        })
    }

    /// What a standing order to defend the Nexus does next: the strongest attacker that nobody opposes yet meets the strongest
    /// warrior that can; then no more.
    pub(super) fn guards(&self, seat: Seat) -> Option<Action> {
        let asked = self.ask
            == Some(Ask {
                seat,
                what: Question::Defenders,
            });
        let called = self.target() == Some(Target::Nexus) && self.defending_player() == Some(seat);
        if !asked || !called || !self.player(seat).habits.guard {
            return None;
        }
        let strength = |number: u8| {
            let inst = self.numbered(number)?;
            Some((self.attack_of(inst) + self.defense_of(inst), number))
        };
        let unopposed = |number: u8| {
            self.numbered(number)
                .is_some_and(|inst| self.opposing(inst).is_empty())
        };
        let legal = self.legal_actions(seat);
        let defences = legal.iter().filter_map(|&action| match action {
            Action::Defend { attacker, defender } if unopposed(attacker) => {
                Some((strength(attacker), strength(defender), action))
            }
            _ => None,
        });
        let best = defences.max().map(|(.., action)| action);
        best.or_else(|| {
            let ends = [Action::Pass, Action::Done];
            ends.into_iter().find(|action| legal.contains(action))
        })
    }

    /// An order or skill was taken: passes before it don't count any more, and standing ones may lapse.
    pub(super) fn note_action(&mut self, actor: Seat) {
        self.round_of_actions.passed = crate::game::SeatSet::EMPTY;
        self.round_of_actions.next = actor.next(self.seats);
        self.round_of_actions.acted = Some(actor);
        self.player_mut(actor).actions += 1;
        for seat in self.clockwise(actor).filter(|&seat| seat != actor) {
            // "Void after a later action of another player unless given as `pass whatever`."
            let standing = &mut self.player_mut(seat).habits.standing;
            *standing = standing.filter(|standing| standing.whatever || standing.until == Until::Attacked);
            // "Changes a skirmish in which the owner has a warrior."
            if self.fights_here(seat) {
                self.wake(seat);
            }
        }
    }

    /// A player's standing pass lapses: in this round they are asked after all. Where fights run through, that is so in
    /// attacks alone; whoever wants to answer before and after them says so with a stop.
    pub(super) fn wake(&mut self, seat: Seat) {
        let called = !self.runs_through() || matches!(self.stage, TurnStage::Attackers | TurnStage::Skirmish);
        let player = self.player_mut(seat);
        player.alert |= called;
        player.habits.standing = player.habits.standing.filter(|standing| standing.whatever);
    }

    /// A private wish of a player.
    pub(super) fn hear<C: Chronicle<Event>>(&mut self, seat: Seat, aside: Aside, s: &mut Scribe<'_, C>) {
        let habits = &mut self.player_mut(seat).habits;
        let text = match aside {
            Aside::Stop(stop, on) => {
                habits.set(stop, on);
                format!("{}.", stop_in_words(stop, on))
            }
            Aside::Stand(standing) => {
                habits.standing = Some(standing);
                let open = self
                    .ask
                    .filter(|ask| ask.seat == seat && !standing.until.answers(ask.what));
                let open = open.map_or("", |_| " What I have asked you is still yours to answer.");
                format!("{}.{open}", standing_in_words(standing))
            }
            Aside::Wake => {
                habits.standing = None;
                "You no longer pass in advance.".to_owned()
            }
            Aside::Guard(on) => {
                habits.guard = on;
                match on {
                    true => format!("{GUARDS}."),
                    false => "You decide yourself again who defends the Nexus.".to_owned(),
                }
            }
            Aside::List => habits.in_words(),
        };
        s.tell(|| Event::Habit { seat, text });
    }
}

/// What a standing order to defend does.
const GUARDS: &str = "When you are asked to defend the Nexus, your strongest warriors of the other alignment defend, one against \
                      each attacker, and you pass in the fights";

/// "You pass until the turn is over, unless somebody acts", without a full stop.
pub const fn standing_in_words(standing: StandingPass) -> &'static str {
    match (standing.until, standing.whatever) {
        (Until::Once, true) => "You pass the next time you could act, whatever the others do",
        (Until::Once, false) => "You pass the next time you could act, unless somebody acts",
        (Until::Skirmish, true) => {
            "You pass until this skirmish, or the next one, is over, whatever the others do"
        }
        (Until::Skirmish, false) => {
            "You pass until this skirmish, or the next one, is over, unless somebody acts"
        }
        (Until::Fights, true) => {
            "You pass until the fights of this attack, or of the next one, are over, whatever the others do"
        }
        (Until::Fights, false) => {
            "You pass until the fights of this attack, or of the next one, are over, unless somebody acts"
        }
        (Until::Turn, true) => "You pass until the turn is over, whatever the others do",
        (Until::Turn, false) => "You pass until the turn is over, unless somebody acts",
        (Until::Attacked, _) => {
            "On other players' turns you pass until your influence is attacked or a card of yours is chosen"
        }
    }
}

/// "On other players' turns I now ask you before an attack, too", without a full stop.
const fn stop_in_words(stop: Stop, on: bool) -> &'static str {
    match (stop, on) {
        (Stop::Maneuver, true) => "On other players' turns I now ask you before an attack, too",
        (Stop::Maneuver, false) => "On other players' turns I no longer ask you before an attack",
        (Stop::SkirmishMine, true) => "On other players' turns I now ask you in your own fights, too",
        (Stop::SkirmishMine, false) => {
            "On other players' turns I no longer ask you in your own fights, unless your influence is attacked or somebody acts there"
        }
        (Stop::SkirmishOther, true) => "On other players' turns I now ask you in the others' fights, too",
        (Stop::SkirmishOther, false) => "On other players' turns I no longer ask you in the others' fights",
        (Stop::Closing, true) => "On other players' turns I now ask you before the turn ends, too",
        (Stop::Closing, false) => "On other players' turns I no longer ask you before the turn ends",
        (Stop::Order, true) => "In your attacks I now ask you which skirmish comes next",
        (Stop::Order, false) => "Your skirmishes now come in the order of your attack",
        (Stop::Again, true) => "After an action of yours on another player's turn I now ask you again",
        (Stop::Again, false) => {
            "After an action of yours on another player's turn you now pass, unless somebody acts"
        }
    }
}

/// What a player is asked besides what everybody is, and how to end it; nothing of what is told otherwise.
const fn asked_besides(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::Maneuver => Some("I also ask you before an attack (`skip maneuver` ends that)."),
        Stop::SkirmishMine => None,
        Stop::SkirmishOther => {
            Some("I also ask you in the others' fights (`skip skirmish-other` ends that).")
        }
        Stop::Closing => Some("I also ask you before the turn ends (`skip closing` ends that)."),
        Stop::Order => Some("In your attacks I ask you which skirmish comes next (`skip order` ends that)."),
        Stop::Again => Some(
            "After an action of yours on another player's turn I ask you again (`skip again` ends that).",
        ),
    }
}

impl Habits {
    /// All of it, with the way to take it back.
    pub fn in_words(&self) -> String {
        let own_fights = self.stops_at(Stop::SkirmishMine);
        let more = [Stop::Maneuver, Stop::SkirmishOther, Stop::Closing];
        let only = !more.into_iter().any(|stop| self.stops_at(stop));
        let asked = match (own_fights, only) {
            (true, true) => {
                "On other players' turns I ask you only to defend or to act in your own fights (`stop` and `skip` change that)."
            }
            (true, false) => "On other players' turns I ask you to defend and to act in your own fights.",
            (false, true) => {
                "On other players' turns I ask you only to defend, about your own influence, and once somebody acts in your fight \
                 (`stop` and `skip` change that)."
            }
            (false, false) => {
                "On other players' turns I ask you to defend, about your own influence, and once somebody acts in your fight."
            }
        };
        let mut said = vec![asked.to_owned()];
        let besides = Stop::ALL.into_iter().filter(|&stop| self.stops_at(stop));
        said.extend(besides.filter_map(asked_besides).map(str::to_owned));
        if self.guard {
            said.push(format!("{GUARDS} (`always off` ends that)."));
        }
        if let Some(standing) = self.standing {
            said.push(format!(
                "{} (`stand off` ends that).",
                standing_in_words(standing)
            ));
        }
        said.join(" ")
    }
}
