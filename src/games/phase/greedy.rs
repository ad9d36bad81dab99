//! A quick player: looks one action ahead, with a small sense for what a position is worth.
//!
//! It is good enough to compare decks in thousands of games (`parlor balance phase`), and it is what a search builds
//! on. All of it is asked of a world that the player imagines, never of the real one.

use super::Phase;
use super::action::{Action, Target};
use super::card::{Alignment, Face, Keyword};
use super::flow::{Question, Skirmish, TurnStage};
use super::pile::Inst;
use crate::game::{Game, GameRng, Seat, Silent};

/// Hundredths of a point; a point is about one influence.
pub(super) type Worth = i32;

/// An action must promise more than this to be taken.
pub(super) const MARGIN: Worth = 5;

/// A defence must promise more than this: it shows what one has.
pub(super) const DEFENCE_MARGIN: Worth = 25;

/// An action in fights that are still to come must promise more than this to be asked for with the defence: everybody
/// waits for whoever is asked.
const WATCHING_MARGIN: Worth = 150;

/// Of so many choices each is tried: many discards are much alike.
pub(super) const MOST_CHOICES: usize = 12;

/// What the n-th resource is worth: the first ones open up whole armies, later ones little.
const RESOURCES: [Worth; 9] = [312, 286, 247, 208, 156, 117, 91, 65, 52];

/// A card in the hand.
const HAND: Worth = 70;

/// One attack or defense of a warrior in play, and one skill.
const STAT: Worth = 30;
const SKILL: Worth = 45;

/// In which of the skirmishes that come a player would act.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    None,
    /// In those of their own warriors.
    Own,
    All,
}

impl Phase {
    /// The round that is being played, from 1; every player has had as many turns, or one less.
    pub const fn round_number(&self) -> u8 {
        self.round
    }

    /// What a quick player does now; nothing unless the seat is awaited.
    pub(super) fn quick(&self, seat: Seat, rng: &mut GameRng) -> Option<Action> {
        let legal = self.legal_actions(seat);
        let [first, _, ..] = legal[..] else {
            return legal.first().copied();
        };
        let Some(ask) = self.ask.filter(|_| !self.stage.is_opening()) else {
            return rng.choose(&legal).copied();
        };
        match ask.what {
            Question::Attack => Some(self.whether_to_attack(seat, rng)),
            Question::Target => Some(Action::Target(self.best_target(seat))),
            Question::Attackers => Some(self.best_attacker(seat, &legal)),
            Question::Defenders => self.best_defence(seat, &legal, rng),
            Question::Skirmish => Some(first),
            Question::Action | Question::Training => self.best_action(seat, &legal, rng),
            Question::Choose => self.best_completion(seat, &legal, rng),
            Question::Pay => Some(self.best_payment(seat, &legal)),
            Question::Discard => legal.last().copied(),
            Question::Divide(_) => Some(self.division(&legal)),
        }
    }

    // Attack and defence ----------------------------------------------------------------------------------------

    fn whether_to_attack(&self, seat: Seat, rng: &mut GameRng) -> Action {
        let warriors = self.player(seat).play.iter();
        let worthwhile = warriors
            .filter(|inst| !self.piece(**inst).locked)
            .any(|&inst| self.prospect(inst, seat, 0) > 0);
        if !worthwhile {
            return Action::Done;
        }
        if !self.runs_through() {
            return Action::Attack;
        }
        let mut world = self.clone();
        world.play(seat, &Action::Maneuver, rng, &mut Silent);
        match world.wants_to_act(seat, MARGIN, rng) {
            true => Action::Maneuver,
            false => Action::Attack,
        }
    }

    /// The Nexus as long as it gives something; then whoever leads.
    fn best_target(&self, seat: Seat) -> Target {
        let gain: i16 = Alignment::ALL
            .into_iter()
            .map(|kind| {
                let attack: i16 = self
                    .free_attackers()
                    .filter(|&inst| self.face(inst).alignment == kind)
                    .map(|inst| self.attack_of(inst).max(0))
                    .sum();
                attack.min(self.nexus[kind.index()] as i16)
            })
            .sum();
        if gain >= 2 {
            return Target::Nexus;
        }
        let others = self.clockwise(seat).filter(|&other| other != seat);
        let leader = others.max_by_key(|&other| self.influence_worth(other));
        leader.map_or(Target::Nexus, Target::Player)
    }

    fn best_attacker(&self, seat: Seat, legal: &[Action]) -> Action {
        let sent = self.attack.as_ref().map_or(0, |attack| attack.skirmishes.len());
        let prospect = |action: &Action| match action {
            Action::Attacker(number) => self
                .numbered(*number)
                .map_or(Worth::MIN, |inst| self.prospect(inst, seat, sent)),
            // Enough warriors attack.
            _ => 0,
        };
        let best = legal.iter().max_by_key(|action| prospect(action));
        best.copied().unwrap_or(Action::Done)
    }

    /// What it promises to attack with a warrior, if the defender makes the best of it. Those `sent` before keep as
    /// many defenders busy.
    fn prospect(&self, inst: Inst, seat: Seat, sent: usize) -> Worth {
        let defender = self.attack.as_ref().map(|attack| attack.defender);
        let players: Vec<Seat> = match (self.target(), defender) {
            (Some(Target::Player(player)), _) => vec![player],
            (_, Some(defender)) => vec![defender],
            (_, None) => self.clockwise(seat).filter(|&other| other != seat).collect(),
        };
        let kind = self.face(inst).alignment;
        let free = match self.target() {
            Some(Target::Player(player)) => self.player(player).influence[kind.index()],
            Some(Target::Nexus) | None => self.nexus[kind.index()],
        };
        let unopposed = Worth::from(self.attack_of(inst).clamp(0, free as i16)) * 100 + 5;
        let mut answers: Vec<Worth> = players
            .iter()
            .flat_map(|player| self.player(*player).play.iter())
            .filter(|other| !self.piece(**other).locked && self.face(**other).alignment != kind)
            .map(|&other| self.clash(inst, &[other]))
            .collect();
        answers.sort_unstable();
        match answers.get(sent) {
            Some(answer) => unopposed.min(*answer),
            None => unopposed,
        }
    }

    /// What a fight between an attacker and its defenders is worth to the attacker's player, as things stand.
    fn clash(&self, attacker: Inst, defenders: &[Inst]) -> Worth {
        let swift = |inst: Inst| self.has(inst, Keyword::Swift);
        let health = |inst: Inst| self.defense_of(inst) - self.piece(inst).damage;
        let mut worth = 0;
        let mut attacker_lives = true;
        let mut dead = Vec::new();
        for fast in [true, false] {
            let strikes = attacker_lives && swift(attacker) == fast;
            let hurt: i16 = defenders
                .iter()
                .filter(|inst| swift(**inst) == fast && !dead.contains(*inst))
                .map(|&inst| self.attack_of(inst).max(0))
                .sum();
            if strikes {
                let mut left = self.attack_of(attacker).max(0);
                for &defender in defenders
                    .iter()
                    .filter(|inst| !dead.contains(*inst))
                    .collect::<Vec<_>>()
                {
                    if left >= health(defender) {
                        left -= health(defender);
                        worth += self.warrior_worth(defender);
                        dead.push(defender);
                    }
                }
            }
            if attacker_lives && hurt >= health(attacker) {
                attacker_lives = false;
                worth -= self.warrior_worth(attacker);
            }
        }
        worth
    }

    /// Deals what kills, and keeps the rest for the next.
    fn division(&self, legal: &[Action]) -> Action {
        let kills = |action: &&Action| match **action {
            Action::Deal { defender, damage } => self
                .numbered(defender)
                .is_some_and(|inst| i16::from(damage) >= self.defense_of(inst) - self.piece(inst).damage),
            _ => false,
        };
        let found = legal.iter().find(kills).or_else(|| legal.first());
        found.copied().unwrap_or(Action::Done)
    }

    // Actions ---------------------------------------------------------------------------------------------------

    /// Whether a player who is asked in a round of actions sees something worth more than this.
    fn wants_to_act(&self, seat: Seat, margin: Worth, rng: &mut GameRng) -> bool {
        let asked = self
            .ask
            .is_some_and(|ask| ask.seat == seat && ask.what == Question::Action);
        let legal = if asked {
            self.legal_actions(seat)
        } else {
            Vec::new()
        };
        let best = self.best_of(seat, &legal, margin, rng);
        best.is_some()
    }

    /// In which of the skirmishes that come a player would act for more than this, as things stand.
    fn wanted_fights(&self, seat: Seat, margin: Worth, rng: &mut GameRng) -> Wanted {
        // Nobody has more attackers than cards, and everybody passes once in each skirmish.
        const MOST_PASSES: usize = 60;
        let mut world = self.clone();
        let mut wanted = Wanted::None;
        for _ in 0..MOST_PASSES {
            let Some(ask) = world
                .ask
                .filter(|_| world.stage == TurnStage::Skirmish && world.end.is_none())
            else {
                break;
            };
            if ask.seat == seat && world.wants_to_act(seat, margin, rng) {
                if !world.fights_here(seat) {
                    return Wanted::All;
                }
                wanted = Wanted::Own;
            }
            let legal = world.legal_actions(ask.seat);
            let idle = [Action::PassHere, Action::Pass];
            let answer = idle.into_iter().find(|action| legal.contains(action));
            let Some(answer) = answer.or_else(|| legal.first().copied()) else {
                break;
            };
            world.play(ask.seat, &answer, rng, &mut Silent);
        }
        wanted
    }

    /// How a player who sends no more defenders, or leaves a skirmish alone, best says so: for all fights, or for those of
    /// others, unless something is worth doing in one of those that come.
    pub(super) fn best_leave(&self, seat: Seat, legal: &[Action], rng: &mut GameRng) -> Option<Action> {
        let ([stay, own, go], margin) = match self.ask?.what {
            Question::Defenders => (
                [Action::Done, Action::PassUnopposed, Action::PassWhatever],
                WATCHING_MARGIN,
            ),
            Question::Action => ([Action::PassHere, Action::PassHere, Action::Pass], MARGIN),
            _ => return None,
        };
        if !legal.contains(&stay) || !legal.contains(&go) {
            return None;
        }
        let mut world = self.clone();
        world.play(seat, &stay, rng, &mut Silent);
        Some(match world.wanted_fights(seat, margin, rng) {
            Wanted::None => go,
            Wanted::Own if legal.contains(&own) => own,
            Wanted::Own | Wanted::All => stay,
        })
    }

    /// The best of all actions, or to leave it.
    fn best_action(&self, seat: Seat, legal: &[Action], rng: &mut GameRng) -> Option<Action> {
        let leave = || {
            let mut legal = legal.iter().copied();
            legal.find(|action| matches!(action, Action::Pass | Action::Done))
        };
        self.best_of(seat, legal, MARGIN, rng)
            .or_else(|| self.best_leave(seat, legal, rng))
            .or_else(leave)
            .or_else(|| legal.first().copied())
    }

    /// The best order, skill or training, if one is worth so much more than it costs.
    fn best_of(&self, seat: Seat, legal: &[Action], margin: Worth, rng: &mut GameRng) -> Option<Action> {
        let tries: Vec<Action> = legal
            .iter()
            .copied()
            .filter(|action| matches!(action, Action::Order(_) | Action::Skill { .. } | Action::Train(_)))
            .collect();
        if tries.is_empty() {
            return None;
        }
        let still = self.worth(seat);
        let best = tries
            .into_iter()
            .map(|action| (self.after(seat, action, rng).worth(seat), action))
            .max_by_key(|(worth, _)| *worth);
        match best {
            Some((worth, action)) if worth > still + margin => Some(action),
            _ => None,
        }
    }

    /// The position once an action has been carried out as well as can be seen.
    pub(super) fn after(&self, seat: Seat, action: Action, rng: &mut GameRng) -> Self {
        let mut world = self.clone();
        world.play(seat, &action, rng, &mut Silent);
        world.complete(seat, rng);
        world
    }

    /// Answers all questions of the action that is being carried out.
    fn complete(&mut self, seat: Seat, rng: &mut GameRng) {
        // No action asks more than a few times; triggers may add some.
        for _ in 0..40 {
            let Some(ask) = self.ask.filter(|_| self.doing.is_some() && self.end.is_none()) else {
                return;
            };
            let legal = self.legal_actions(ask.seat);
            let answer = match ask.what {
                Question::Pay => Some(self.best_payment(ask.seat, &legal)),
                Question::Choose if ask.seat == seat => self.best_completion(seat, &legal, rng),
                _ => legal.first().copied(),
            };
            let Some(answer) = answer else {
                return;
            };
            self.play(ask.seat, &answer, rng, &mut Silent);
        }
    }

    fn best_completion(&self, seat: Seat, legal: &[Action], rng: &mut GameRng) -> Option<Action> {
        let few = legal.iter().take(MOST_CHOICES);
        few.map(|action| (self.after(seat, *action, rng).worth(seat), action))
            .max_by_key(|(worth, _)| *worth)
            .map(|(_, action)| *action)
    }

    fn best_defence(&self, seat: Seat, legal: &[Action], rng: &mut GameRng) -> Option<Action> {
        let defences = legal
            .iter()
            .filter(|action| matches!(action, Action::Defend { .. }));
        let mut worth = |action: &Action| {
            let mut world = self.clone();
            world.play(seat, action, rng, &mut Silent);
            world.worth(seat)
        };
        let rated: Vec<(Worth, Action)> = defences.map(|action| (worth(action), *action)).collect();
        let enough = self.worth(seat) + DEFENCE_MARGIN;
        let best = rated.into_iter().max_by_key(|(worth, _)| *worth);
        match best {
            Some((worth, action)) if worth > enough => Some(action),
            _ => self.best_leave(seat, legal, rng).or(Some(Action::Done)),
        }
    }

    /// Pays with what gains most by being turned over.
    fn best_payment(&self, seat: Seat, legal: &[Action]) -> Action {
        let owned = self.player(seat).barracks.len() as Worth;
        let gain = |action: &&Action| match **action {
            Action::Pay(place) => self.player(seat).barracks.at(place).map_or(Worth::MIN, |inst| {
                let up = self.piece(inst).up;
                promise(self.side(inst, up.other()), owned) - promise(self.side(inst, up), owned)
            }),
            _ => Worth::MIN,
        };
        let best = legal.iter().max_by_key(gain);
        best.copied().unwrap_or(Action::Done)
    }

    // Worth -----------------------------------------------------------------------------------------------------

    /// What the position is worth to a seat, compared with its rivals.
    pub(super) fn worth(&self, seat: Seat) -> Worth {
        let own = self.standing(seat);
        let others: Vec<Worth> = self
            .clockwise(seat)
            .filter(|&other| other != seat)
            .map(|other| self.standing(other))
            .collect();
        let best = others.iter().copied().max().unwrap_or(0);
        let mean = others.iter().sum::<Worth>() / (others.len() as Worth).max(1);
        let fights: Worth = self
            .attack
            .iter()
            .flat_map(|attack| &attack.skirmishes)
            .filter(|skirmish| !skirmish.done)
            .map(|skirmish| self.outlook(skirmish, seat))
            .sum();
        own - (best * 6 + mean * 4) / 10 + fights
    }

    /// What a fight that is still to be resolved is worth to a seat.
    fn outlook(&self, skirmish: &Skirmish, seat: Seat) -> Worth {
        let attacker = skirmish.attacker;
        let owner = self.piece(attacker).owner;
        let sign = if owner == seat { 1 } else { -1 };
        if !skirmish.defenders.is_empty() {
            let concerned = sign == 1
                || skirmish
                    .defenders
                    .iter()
                    .any(|inst| self.piece(*inst).owner == seat);
            let whole = sign * self.clash(attacker, &skirmish.defenders);
            return if concerned { whole } else { whole / 2 };
        }
        let kind = self.face(attacker).alignment.index();
        let attack = self.attack_of(attacker).max(0);
        match self.target() {
            Some(Target::Player(player)) => {
                let lost = Worth::from(attack.min(self.player(player).influence[kind] as i16)) * 90;
                if player == seat { -lost } else { sign.max(0) * lost }
            }
            Some(Target::Nexus) | None => sign * Worth::from(attack.min(self.nexus[kind] as i16)) * 100,
        }
    }

    fn standing(&self, seat: Seat) -> Worth {
        let player = self.player(seat);
        let warriors: Worth = player.play.iter().map(|&inst| self.warrior_worth(inst)).sum();
        let owned = player.barracks.len();
        let mut resources: Worth = RESOURCES.iter().take(owned).sum();
        for &inst in player.barracks.iter() {
            let piece = self.piece(inst);
            resources += promise(self.face(inst), owned as Worth) / 8;
            if piece.locked {
                resources -= 40;
            }
        }
        self.influence_worth(seat) + warriors + resources + player.hand.len() as Worth * HAND
    }

    /// The larger pile decides; the smaller one may still become it.
    fn influence_worth(&self, seat: Seat) -> Worth {
        let [one, other] = self.player(seat).influence.map(Worth::from);
        one.max(other) * 100 + one.min(other) * 60
    }

    /// What a warrior is worth in play: the face it shows, and a little the one beneath.
    fn warrior_worth(&self, inst: Inst) -> Worth {
        let piece = self.piece(inst);
        if self.is_due(inst) {
            return 0;
        }
        let up = strength(self.side(inst, piece.up));
        let beneath = strength(self.side(inst, piece.up.other()));
        let locked = if piece.locked { 60 } else { 0 };
        // Wounds matter as far as the turn is not over.
        (up * 3 + beneath) / 4 - locked - Worth::from(piece.damage) * 8
    }
}

/// What a face is worth as a warrior.
fn strength(face: &Face) -> Worth {
    let stats = Worth::from(face.attack) + Worth::from(face.defense);
    stats * STAT + face.skills.len() as Worth * SKILL
}

/// What a resource promises by its upper face: a warrior that can be afforded.
fn promise(face: &Face, resources: Worth) -> Worth {
    let affordable = Worth::from(face.cost) < resources;
    if affordable {
        strength(face)
    } else {
        strength(face) / 3
    }
}
