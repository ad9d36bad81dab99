//! Phwar, by Cameron Browne: particles slide, and capture where charges cancel out.
//!
//! Rules: seed rulebook "Rules for Phwar", version 1.3. Its sections are named where they are
//! carried out.

pub mod action;
pub mod cell;
pub mod field;
mod insight;
mod label;
pub mod particle;
mod read;
pub mod setup;
mod sight;
pub mod view;

use serde::{Deserialize, Serialize};

use crate::game::options::{OptionKind, OptionSpec};
use crate::game::rng::mix;
use crate::game::{
    Awaiting, Chronicle, Game, GameRng, Information, MAX_SEATS, Meta, NotationError, OptionValues, Outcome,
    Seat, SeatSet, TurnLength, Viewer, Word,
};

pub use action::Action;
use cell::{CENTRE, Cell};
use field::{Field, Particle, SEATS};
use particle::{Kind, SLOTS};
use setup::Setup;
use view::{Event, View};

use crate::text;

/// A position of Phwar.
#[derive(Debug, Serialize, Deserialize)]
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

impl Clone for Phwar {
    fn clone(&self) -> Self {
        Self {
            seen: self.seen.clone(),
            out: self.out.clone(),
            ..*self
        }
    }

    /// Keeps the lists' memory: search copies positions all the time, and the rest is plain bytes.
    fn clone_from(&mut self, source: &Self) {
        let mut seen = std::mem::take(&mut self.seen);
        let mut out = std::mem::take(&mut self.out);
        seen.clone_from(&source.seen);
        out.clone_from(&source.out);
        *self = Self { seen, out, ..*source };
    }
}

/// A random word for each player to move, for position keys.
const TURN_KEYS: [u64; MAX_SEATS as usize] = [mix(1), mix(2), mix(3), mix(4), mix(5)];

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        self.field.key() ^ TURN_KEYS[self.to_move.index()]
    }

    /// Whether no slide may cross the centre now.
    #[inline]
    fn is_guarded(&self) -> bool {
        self.centre && self.field.is_empty(CENTRE)
    }

    /// How many particles a seat has.
    pub fn particles(&self, seat: Seat) -> u32 {
        Kind::ALL.iter().map(|&kind| self.field.count(seat, kind)).sum()
    }

    /// The enemies of `seat`.
    #[inline]
    fn enemies(&self, seat: Seat) -> impl Iterator<Item = Seat> {
        Seat::all(self.seats).filter(move |&other| other != seat)
    }

    /// The particles that `seat` can capture.
    fn victims(&self, seat: Seat) -> impl Iterator<Item = Particle> + '_ {
        self.enemies(seat)
            .flat_map(|enemy| self.field.of(enemy))
            .filter(move |&victim| self.field.captures_of(victim, seat) > 0)
    }

    #[inline]
    fn count_captures(&self, seat: Seat) -> usize {
        self.enemies(seat)
            .map(|enemy| self.field.count_captures(seat, enemy))
            .sum()
    }

    /// How many slides a particle has while the centre is guarded.
    fn guarded_slides(&self, particle: Particle) -> usize {
        (0..3)
            .map(|axis| self.field.reach(particle.cell, axis, true).count())
            .sum()
    }

    #[inline]
    fn count_slides(&self, seat: Seat) -> usize {
        if self.is_guarded() {
            let slides = self.field.of(seat).map(|particle| self.guarded_slides(particle));
            return slides.sum();
        }
        self.field.count_slides(seat)
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

    /// In order without sorting the slides: particles by name, and from each the cells it can reach
    /// column by column. In the columns to the left its row (axis 1) runs above its slope (axis 2), in
    /// those to the right below.
    fn slides_into(&self, seat: Seat, out: &mut Vec<Action>) {
        let mut cells = [CENTRE; SLOTS];
        let mut count = 0;
        for (cell, particle) in cells.iter_mut().zip(self.field.of(seat)) {
            *cell = particle.cell;
            count += 1;
        }
        cells[..count].sort_unstable();
        for &from in &cells[..count] {
            let [column, row, slope] = [0, 1, 2].map(|axis| self.field.reach(from, axis, self.centre));
            let mut slide = |axis, step| {
                let to = from.along(axis, step);
                out.push(Action::Slide { from, to });
            };
            for step in (1..=row.back.max(slope.back)).rev() {
                if step <= row.back {
                    slide(1, -step);
                }
                if step <= slope.back {
                    slide(2, -step);
                }
            }
            for step in (1..=column.back).rev() {
                slide(0, -step);
            }
            for step in 1..=column.forth {
                slide(0, step);
            }
            for step in 1..=row.forth.max(slope.forth) {
                if step <= slope.forth {
                    slide(2, step);
                }
                if step <= row.forth {
                    slide(1, step);
                }
            }
        }
    }

    /// The slide with this number among all of a seat's, or none if there are fewer.
    #[inline]
    fn nth_slide(&self, seat: Seat, number: usize) -> Option<Action> {
        let guarded = self.is_guarded();
        let (particle, mut number) = if guarded {
            self.guarded_slider(seat, number)?
        } else {
            self.field.slider(seat, number)?
        };
        let from = particle.cell;
        for axis in 0..3 {
            let reach = self.field.reach(from, axis, guarded);
            if number < reach.count() {
                let to = from.along(axis, reach.nth(number));
                return Some(Action::Slide { from, to });
            }
            number -= reach.count();
        }
        None
    }

    /// [`Field::slider`] while the centre is guarded.
    fn guarded_slider(&self, seat: Seat, mut number: usize) -> Option<(Particle, usize)> {
        for particle in self.field.of(seat) {
            let slides = self.guarded_slides(particle);
            if number < slides {
                return Some((particle, number));
            }
            number -= slides;
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
        let repeated = self.is_third(key);
        self.seen.push(key);
        self.end = if usize::from(self.passes) >= self.inside.len() {
            Some(End::AllPassed)
        } else if repeated {
            Some(End::Repetition)
        } else if self.quiet >= self.quiet_limit() {
            Some(End::Quiet)
        } else {
            None
        };
    }

    /// Whether the position of this key has been there twice before.
    fn is_third(&self, key: u64) -> bool {
        let round = self.inside.len();
        self.seen.len() >= 4 * round && times(&self.seen, round, key).take(2).count() == 2
    }

    fn pass_turn_on(&mut self) {
        if let Some(next) = self.inside.next_after(self.to_move, self.seats) {
            self.to_move = next;
        }
    }
}

/// How often a key is among those of earlier positions, the last of which came right before. The same player moves every round,
/// and nothing can be as it was after one round, since whoever moved has moved one particle only: so two rounds, four, and so on
/// have to have gone by.
fn times(before: &[u64], round: usize, key: u64) -> impl Iterator<Item = &u64> {
    let comparable = before.iter().rev().skip(2 * round - 1).step_by(round);
    comparable.filter(move |&&seen| seen == key)
}

static OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "centre",
    help: "A neutron that reaches F6 wins, and nothing slides across F6. Players who know the game rarely win \
           without it.",
    rulebook: Some("off"),
    kind: OptionKind::Switch { default: false },
}];

impl Game for Phwar {
    const META: &'static Meta = &Meta {
        id: "phwar",
        name: "Phwar",
        tagline: "Slide charged particles; capture where the charges cancel out.",
        designer: "Cameron Browne, 2003",
        example: "F3-F5",
        seats: 2..=3,
        information: Information::Perfect,
        turn_length: TurnLength::One,
        rules_version: 1,
        // 26 captures at most, and 150 turns at most before each and after the last.
        bound: 27 * 150,
        options: OPTIONS,
        rulebook_clock: None,
    };

    type Action = Action;
    type Event = Event;
    type View = View;

    fn usual_moves(options: &OptionValues) -> Option<u32> {
        Some(if options.switch("centre") { 30 } else { 80 })
    }

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
        if out.len() > start {
            out[start..].sort_unstable();
            return;
        }
        self.slides_into(seat, out);
        if out.len() == start {
            out.push(Action::Pass);
        }
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
        let reason = match self.end? {
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

    const SYNONYMS: &'static [(&'static str, &'static str)] = label::SYNONYMS;

    fn label(&self, seat: Seat, action: &Action) -> String {
        self.in_words(seat, *action)
    }

    fn paths(&self, _seat: Seat, action: &Action) -> Vec<Vec<Word>> {
        let Some((from, to)) = action.cells() else {
            let pass = Word::new("You can't move.", "pass").with_help("none of your particles can move");
            return vec![vec![pass]];
        };
        let label = |cell: Cell| match self.field.at(cell) {
            Some(particle) => format!("{cell} {}", particle.kind().name()),
            None => cell.to_string(),
        };
        let (target, help) = match action {
            Action::Capture { .. } => (
                format!("captures {}", label(to)),
                "your particle takes its place".to_owned(),
            ),
            Action::Slide { .. } | Action::Pass => {
                let cells = text::counted(distance(from, to), "cell", "cells");
                (format!("to {to}"), format!("{cells} away"))
            }
        };
        let charge = self.field.at(from).map(|particle| particle.kind().charge());
        let charge = charge.map_or_else(String::new, |charge| format!("charge {charge:+}"));
        vec![vec![
            Word::labelled("Which particle?", from.to_string(), label(from)).with_help(charge),
            Word::labelled("Where to?", to.to_string(), target).with_help(help),
        ]]
    }
}

/// How many cells a slide goes, along one of the three lines through a cell.
fn distance(from: Cell, to: Cell) -> u8 {
    let (from, to) = (from.hex(), to.hex());
    from.q.abs_diff(to.q).max(from.r.abs_diff(to.r))
}
