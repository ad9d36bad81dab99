//! Phwar, by Cameron Browne: particles slide, and capture where charges cancel out.
//!
//! Rules: seed rulebook "Rules for Phwar", version 1.3. Its sections are named where they are
//! carried out.

pub mod action;
pub mod cell;
pub mod field;
pub mod particle;
mod read;
pub mod setup;
pub mod view;

use serde::{Deserialize, Serialize};

use crate::game::options::{OptionKind, OptionSpec};
use crate::game::rng::mix;
use crate::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Meta, NotationError, OptionValues, Outcome, Seat,
    SeatSet, Viewer, Word,
};

pub use action::Action;
use cell::{CENTRE, Cell};
use field::{Field, Particle, SEATS};
use particle::Kind;
use setup::Setup;
use view::{Event, View};

/// A position of Phwar.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Setup", into = "Setup")]
pub struct Phwar {
    field: Field,
    seats: u8,
    centre: bool,
    to_move: Seat,
    inside: SeatSet,
    quiet: u16,
    passes: u8,
    /// Keys of the positions since the last capture; none before it can come again.
    seen: Vec<u64>,
    out: Vec<Seat>,
    lost: [[u8; 3]; SEATS],
    end: Option<End>,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// One player is left.
    LastOne,
    /// A neutron of this seat reached the centre.
    Centre(Seat),
    /// A position came for the third time.
    Repetition,
    /// Too many turns without a capture.
    Quiet,
    /// Nobody can move.
    AllPassed,
}

impl Phwar {
    /// Turns without a capture that make a draw.
    const fn quiet_limit(&self) -> u16 {
        if self.seats == 3 { 150 } else { 100 }
    }

    fn position_key(&self) -> u64 {
        self.field.key() ^ mix(u64::from(self.to_move.number()))
    }

    /// The enemies of `seat`, all seats and all particles.
    #[inline]
    fn enemies(&self, seat: Seat) -> impl Iterator<Item = Particle> + '_ {
        Seat::all(self.seats)
            .filter(move |&other| other != seat)
            .flat_map(|other| self.field.of(other))
    }

    /// The enemies that `seat` can capture. "Moves": in line of sight of two own particles at least,
    /// and all charges in line of sight cancel out.
    fn victims(&self, seat: Seat) -> impl Iterator<Item = Particle> + '_ {
        self.enemies(seat)
            .filter(move |victim| self.field.captors(seat, victim.cell) > 0)
    }

    #[inline]
    fn count_captures(&self, seat: Seat) -> usize {
        self.enemies(seat)
            .map(|victim| self.field.captors(seat, victim.cell))
            .sum()
    }

    #[inline]
    fn count_slides(&self, seat: Seat) -> usize {
        let mut count = 0;
        for particle in self.field.of(seat) {
            for axis in 0..3 {
                count += self.field.reach(particle.cell, axis, self.centre).count();
            }
        }
        count
    }

    fn captures_into(&self, seat: Seat, out: &mut Vec<Action>) {
        for victim in self.victims(seat) {
            let captors = self
                .field
                .in_sight(victim.cell)
                .filter(|captor| captor.seat == seat);
            out.extend(captors.map(|captor| Action::Capture {
                from: captor.cell,
                to: victim.cell,
            }));
        }
    }

    fn slides_into(&self, seat: Seat, out: &mut Vec<Action>) {
        for particle in self.field.of(seat) {
            let from = particle.cell;
            for axis in 0..3 {
                let steps = self.field.reach(from, axis, self.centre).steps();
                out.extend(steps.map(|step| Action::Slide {
                    from,
                    to: from.along(axis, step),
                }));
            }
        }
    }

    /// The slide with this number among all of a seat's, or none if there are fewer.
    #[inline]
    fn nth_slide(&self, seat: Seat, mut number: usize) -> Option<Action> {
        for particle in self.field.of(seat) {
            let from = particle.cell;
            for axis in 0..3 {
                let reach = self.field.reach(from, axis, self.centre);
                if number < reach.count() {
                    let to = from.along(axis, reach.nth(number));
                    return Some(Action::Slide { from, to });
                }
                number -= reach.count();
            }
        }
        None
    }

    /// "Aim": takes a player's particles off the board.
    fn remove_army(&mut self, seat: Seat) {
        let army: Vec<Particle> = self.field.of(seat).collect();
        for particle in army {
            self.field.remove(particle);
        }
        self.inside.remove(seat);
        self.out.push(seat);
    }

    fn capture<C: Chronicle<Event>>(&mut self, captor: Particle, victim: Particle, told: &mut C) {
        self.field.remove(victim);
        self.field.shift(captor, victim.cell);
        self.lost[victim.seat.index()][victim.kind() as usize] += 1;
        self.quiet = 0;
        self.seen.clear();
        told.tell(|| Event::Captured {
            seat: captor.seat,
            kind: captor.kind(),
            from: captor.cell,
            to: victim.cell,
            victim: victim.seat,
            taken: victim.kind(),
        });
        if !self.field.is_whole(victim.seat) {
            let field = &self.field;
            told.tell(|| {
                let lacking = Kind::ALL
                    .into_iter()
                    .filter(|&kind| field.count(victim.seat, kind) == 0);
                Event::Eliminated {
                    seat: victim.seat,
                    lacks: lacking.collect(),
                }
            });
            self.remove_army(victim.seat);
        }
    }

    /// Passes the turn on, or ends the game.
    fn finish_turn(&mut self, moved_to: Option<Particle>) {
        if let Some(particle) = moved_to
            && self.centre
            && particle.cell == CENTRE
            && particle.kind() == Kind::Neutron
        {
            self.end = Some(End::Centre(particle.seat));
            return;
        }
        if self.inside.len() == 1 {
            self.end = Some(End::LastOne);
            return;
        }
        self.pass_turn_on();
        let key = self.position_key();
        let before = self.seen.iter().filter(|&&seen| seen == key).count();
        self.seen.push(key);
        self.end = if usize::from(self.passes) >= self.inside.len() {
            Some(End::AllPassed)
        } else if before >= 2 {
            Some(End::Repetition)
        } else if self.quiet >= self.quiet_limit() {
            Some(End::Quiet)
        } else {
            None
        };
    }

    fn pass_turn_on(&mut self) {
        if let Some(next) = self.inside.next_after(self.to_move, self.seats) {
            self.to_move = next;
        }
    }
}

static OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "centre",
    help: "A neutron that reaches F6 wins, and nothing slides across F6. Players who know the game rarely win \
           without it.",
    kind: OptionKind::Switch { default: false },
}];

impl Game for Phwar {
    const META: &'static Meta = &Meta {
        id: "phwar",
        name: "Phwar",
        tagline: "Slide charged particles; capture where the charges cancel out.",
        designer: "Cameron Browne, 2003",
        seats: 2..=3,
        information: Information::Perfect,
        rules_version: 1,
        // 26 captures at most, and 150 turns at most before each and after the last.
        bound: 27 * 150,
        options: OPTIONS,
    };

    type Action = Action;
    type Event = Event;
    type View = View;

    fn new(options: &OptionValues, seats: u8, _rng: &mut GameRng) -> Self {
        let opening = Setup::opening(seats.clamp(2, 3), options.switch("centre"));
        // The opening is one of two constants; the tests load both.
        Self::try_from(opening).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn awaiting(&self) -> Awaiting {
        match self.end {
            None => Awaiting::Turn(self.to_move),
            Some(_) => Awaiting::Over,
        }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Action>) {
        if !self.awaiting().includes(seat) {
            return;
        }
        let start = out.len();
        self.captures_into(seat, out);
        if out.len() == start {
            self.slides_into(seat, out);
        }
        if out.len() == start {
            out.push(Action::Pass);
        }
        out[start..].sort_unstable();
    }

    fn count_legal(&self, seat: Seat) -> usize {
        if !self.awaiting().includes(seat) {
            return 0;
        }
        match self.count_captures(seat) {
            0 => self.count_slides(seat).max(1),
            captures => captures,
        }
    }

    fn pick(&self, seat: Seat, rng: &mut GameRng, buffer: &mut Vec<Action>) -> Option<Action> {
        if !self.awaiting().includes(seat) {
            return None;
        }
        if self.count_captures(seat) > 0 {
            buffer.clear();
            self.captures_into(seat, buffer);
            return buffer.get(rng.quick_below(buffer.len())).copied();
        }
        let slides = self.count_slides(seat);
        if slides == 0 {
            return Some(Action::Pass);
        }
        self.nth_slide(seat, rng.quick_below(slides))
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, action: &Action, _rng: &mut GameRng, told: &mut C) {
        self.quiet += 1;
        let passes = std::mem::take(&mut self.passes);
        let moved_to = match *action {
            Action::Pass => {
                self.passes = passes + 1;
                told.tell(|| Event::Passed { seat });
                None
            }
            Action::Slide { from, to } => self.field.at(from).inspect(|&particle| {
                self.field.shift(particle, to);
                told.tell(|| Event::Slid {
                    seat,
                    kind: particle.kind(),
                    from,
                    to,
                });
            }),
            Action::Capture { from, to } => {
                let pair = self.field.at(from).zip(self.field.at(to));
                pair.map(|(captor, victim)| {
                    self.capture(captor, victim, told);
                    captor
                })
            }
        };
        let arrived = moved_to.zip(action.cells());
        self.finish_turn(arrived.map(|(particle, (_, to))| Particle { cell: to, ..particle }));
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _rng: &mut GameRng, told: &mut C) {
        if self.end.is_some() || !self.inside.contains(seat) {
            return;
        }
        told.tell(|| Event::Left { seat });
        self.remove_army(seat);
        if self.inside.len() == 1 {
            self.end = Some(End::LastOne);
            return;
        }
        if self.to_move == seat {
            self.pass_turn_on();
        }
        // No earlier position can come again, and the way may be free for those who had to pass.
        self.passes = 0;
        self.seen.clear();
        self.seen.push(self.position_key());
    }

    fn outcome(&self) -> Option<Outcome> {
        let reason = match self.end.as_ref()? {
            End::LastOne => "last player with particles",
            End::Centre(_) => "neutron in the centre",
            End::Repetition => "same position for the third time",
            End::Quiet => "too many turns without a capture",
            End::AllPassed => "nobody can move",
        };
        let mut ranks = vec![1; usize::from(self.seats)];
        if let Some(End::Centre(winner)) = self.end {
            for seat in self.inside.iter().filter(|&seat| seat != winner) {
                ranks[seat.index()] = 2;
            }
        }
        // Later elimination ranks higher: the first to leave is last.
        for (place, seat) in self.out.iter().enumerate() {
            ranks[seat.index()] = self.seats - place as u8;
        }
        Some(Outcome::new(ranks, reason))
    }

    fn view(&self, _viewer: Viewer) -> View {
        self.look()
    }

    fn notate(&self, _seat: Seat, action: &Action) -> String {
        action.to_string()
    }

    fn parse<'t>(&self, seat: Seat, text: &'t str) -> Result<(Action, &'t str), NotationError> {
        read::read(self, seat, text).map(|action| (action, ""))
    }

    fn paths(&self, _seat: Seat, action: &Action) -> Vec<Vec<Word>> {
        let Some((from, to)) = action.cells() else {
            return vec![vec![Word::new("You can't move.", "pass")]];
        };
        let label = |cell: Cell| match self.field.at(cell) {
            Some(particle) => format!("{cell} {}", particle.kind().name()),
            None => cell.to_string(),
        };
        let target = match action {
            Action::Capture { .. } => format!("x {}", label(to)),
            Action::Slide { .. } | Action::Pass => to.to_string(),
        };
        vec![vec![
            Word::labelled("Which particle?", from.to_string(), label(from)),
            Word::labelled("Where to?", to.to_string(), target),
        ]]
    }
}
