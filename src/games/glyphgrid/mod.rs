//! GlyphGrid: five glyphs, two armies of five, and marks that resonate.
//!
//! Rules: seed rulebook of GlyphGrid (designer unknown) with the decisions of our rules file. The
//! rulebook's headings are named where they are carried out.

pub mod action;
pub mod grid;
mod history;
mod insight;
mod label;
pub mod piece;
mod read;
mod refuse;
pub mod setup;
pub mod square;
pub mod view;
pub mod watch;

use serde::{Deserialize, Serialize};

use crate::game::options::{OptionKind, OptionSpec};
use crate::game::rng::mix;
use crate::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Meta, NotationError, OptionValues, Outcome, Seat,
    TurnLength, Viewer, Word,
};

pub use action::Action;
use grid::{ActionEffect, Grid, MOST_PIECES, Pattern, Reach};
use history::History;
pub use history::MOVE_LIMIT;
use piece::{Glyph, Kind, Side};
use setup::{Opening, Setup};
use square::GridSquare;
use view::{Event, View};

/// A position of GlyphGrid.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Setup", into = "Setup")]
pub struct GlyphGrid {
    grid: Grid,
    to_move: Side,
    /// Where the side that moved last stands on an enemy's mark, about to turn it.
    pending: Option<GridSquare>,
    /// Moves of both players.
    moves: u16,
    /// Whether the option `swap` is on, and whether it was used.
    swap: bool,
    swapped: bool,
    history: History,
    end: Option<End>,
}

/// How it ended. "Win Conditions".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// This side captured the enemy Core.
    Captured(Side),
    /// The marks of this side won.
    Resonance(Side, Pattern),
    /// This side surrounded the enemy Core.
    Surrounded(Side),
    /// The Core of the other side could only stay.
    Immobilised(Side),
    /// This seat's player left.
    Left(Seat),
    /// A position came for the third time.
    Repetition,
    /// The last move that a game may have.
    MoveLimit,
}

/// The seats of a table.
const SEATS: u8 = 2;

impl GlyphGrid {
    /// The seat that plays a side.
    pub const fn owner(&self, side: Side) -> Seat {
        let number = side.index() as u8;
        Seat::new(if self.swapped { 1 - number } else { number })
    }

    /// The side that a seat plays.
    pub fn side(&self, seat: Seat) -> Side {
        if self.owner(Side::Sun) == seat {
            Side::Sun
        } else {
            Side::Moon
        }
    }

    /// How many Shards a seat has.
    pub fn shards(&self, seat: Seat) -> usize {
        self.grid.shards(self.side(seat)).len()
    }

    /// How many squares a seat has marked.
    pub fn marks(&self, seat: Seat) -> usize {
        self.grid.marks(self.side(seat)).len()
    }

    /// Whether the player to move may take the other side instead.
    #[inline]
    const fn may_swap(&self) -> bool {
        self.swap && self.moves == 1 && !self.swapped
    }

    /// Pieces, marks, pending inversion and the side to move, as one word.
    #[inline]
    fn position_key(&self) -> u64 {
        let pending = self.pending.map_or(0, |square| square.index() as u64 + 1);
        self.grid.key() ^ mix(pending << 1 | self.to_move as u64)
    }

    /// What the side to move can do, piece by piece.
    #[inline]
    fn reaches(&self) -> impl Iterator<Item = (GridSquare, Reach)> + '_ {
        let side = self.to_move;
        let pieces = self.grid.pieces_of(side);
        pieces.map(move |(kind, from)| (from, self.grid.reach(side, kind, from)))
    }

    /// Carries out an action of the side to move, and everything up to the next one's decision.
    #[inline]
    fn cast<C: Chronicle<Event>>(&mut self, glyph: Glyph, from: GridSquare, to: GridSquare, told: &mut C) {
        let (mover, enemy) = (self.to_move, self.to_move.other());
        // What the enemy stands on since the turn before, to be turned as the enemy's turn starts.
        let due = self.pending.take();
        let marks_before = self.all_marks();
        let deed = self.grid.cast(mover, glyph, from, to);
        self.moves += 1;
        if deed.taken().is_some() || self.all_marks() > marks_before {
            self.history.clear();
        }
        // "Inversion": by stepping onto the mark, not by capturing on it and not by ANCHOR.
        let inverts = matches!(glyph, Glyph::Vector | Glyph::Lance | Glyph::Arc)
            && deed.met.is_none()
            && deed.mark_before == Some(enemy);
        told.tell(|| self.event(glyph, from, to, deed, inverts));
        self.end = self.won_by_moving(mover, deed);
        if self.end.is_some() {
            return;
        }
        self.pending = inverts.then_some(to);
        self.to_move = enemy;
        self.end = self.start_turn(due, told);
        if self.end.is_none() {
            told.tell(|| Event::Turn {
                seat: self.owner(enemy),
                alarm: self.alarm(enemy),
            });
        }
    }

    #[inline]
    fn all_marks(&self) -> usize {
        (self.grid.marks(Side::Sun) | self.grid.marks(Side::Moon)).len()
    }

    /// "Win Conditions", as far as they are looked at when a move is done.
    #[inline]
    fn won_by_moving(&self, mover: Side, deed: ActionEffect) -> Option<End> {
        if deed.taken() == Some(Kind::Core) {
            Some(End::Captured(mover))
        } else if let Some(pattern) = self.grid.resonance(mover) {
            Some(End::Resonance(mover, pattern))
        } else {
            let surrounded = self.grid.is_surrounded(mover.other());
            surrounded.then_some(End::Surrounded(mover))
        }
    }

    /// What happens before the side to move decides: the inversion that is due, the wins that belong
    /// to the start of a turn, and only then the draws.
    #[inline]
    fn start_turn<C: Chronicle<Event>>(&mut self, due: Option<GridSquare>, told: &mut C) -> Option<End> {
        let (side, enemy) = (self.to_move, self.to_move.other());
        // Only the enemy has moved since, so a piece of this side on the square is the same piece.
        if let Some(square) = due
            && self.grid.pieces(side).contains(square)
            && self.grid.marks(enemy).contains(square)
        {
            self.grid.mark(side, square);
            told.tell(|| Event::Inverted {
                seat: self.owner(side),
                at: square,
                marks: self.grid.marks(side).len() as u8,
            });
            if let Some(pattern) = self.grid.resonance(side) {
                return Some(End::Resonance(side, pattern));
            }
        }
        if self.grid.is_immobile(side) {
            return Some(End::Immobilised(enemy));
        }
        self.history.push(self.position_key());
        if self.history.occurrences() >= 3 {
            Some(End::Repetition)
        } else {
            (self.moves >= MOVE_LIMIT).then_some(End::MoveLimit)
        }
    }
}

static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "swap",
        help: "After the first move the second player may say swap and take over the side that made it.",
        rulebook: Some("off"),
        kind: OptionKind::Switch { default: false },
    },
    OptionSpec {
        name: "opening",
        help: "Where the pieces stand at first: the usual places, or the classic ones, from which the game is a race.",
        rulebook: None,
        kind: OptionKind::Choice {
            default: Opening::Usual.name(),
            values: &Opening::NAMES,
        },
    },
];

impl Game for GlyphGrid {
    const META: &'static Meta = &Meta {
        id: "glyphgrid",
        name: "GlyphGrid",
        tagline: "Five glyphs move your pieces; capture the Core or make your marks resonate.",
        designer: "unknown",
        example: "lance b2-d4",
        seats: SEATS..=SEATS,
        information: Information::Perfect,
        turn_length: TurnLength::One,
        rules_version: 2,
        // The moves, and one swap.
        bound: MOVE_LIMIT as u32 + 1,
        options: OPTIONS,
        rulebook_clock: Some("live 5m"),
    };

    type Action = Action;
    type Event = Event;
    type View = View;

    fn usual_moves(_options: &OptionValues) -> Option<u32> {
        Some(26)
    }

    /// Until the second version there was one opening.
    const OLDEST_RULES: u16 = 1;

    fn new(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        Self::new_under(Self::META.rules_version, options, seats, rng)
    }

    fn new_under(rules_version: u16, options: &OptionValues, _seats: u8, _rng: &mut GameRng) -> Self {
        let opening = match rules_version {
            Self::OLDEST_RULES => Opening::Classic,
            _ => Opening::named(options.choice("opening")).unwrap_or(Opening::Usual),
        };
        let opening = Setup::opening(opening, options.switch("swap"));
        // The openings are constants but for the swap; the tests load all of them.
        Self::try_from(opening).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn seats(&self) -> u8 {
        SEATS
    }

    fn awaiting(&self) -> Awaiting {
        match self.end {
            None => Awaiting::Turn(self.owner(self.to_move)),
            Some(_) => Awaiting::Over,
        }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Action>) {
        if !self.awaiting().includes(seat) {
            return;
        }
        // Pieces, glyphs and goals come in the order of actions, so the list is sorted as it grows.
        for (from, reach) in self.reaches() {
            out.extend(reach.iter().map(|(glyph, to)| Action::cast(glyph, from, to)));
        }
        if self.may_swap() {
            out.push(Action::Swap);
        }
    }

    fn count_legal(&self, seat: Seat) -> usize {
        if !self.awaiting().includes(seat) {
            return 0;
        }
        let actions: usize = self.reaches().map(|(_, reach)| reach.count()).sum();
        actions + usize::from(self.may_swap())
    }

    fn pick(&self, seat: Seat, rng: &mut GameRng, _buffer: &mut Vec<Action>) -> Option<Action> {
        if !self.awaiting().includes(seat) {
            return None;
        }
        // Each piece with what it can do, and how many actions there are up to and with it.
        let mut upto = [(0, None); MOST_PIECES];
        let mut actions = 0;
        for (slot, (from, reach)) in upto.iter_mut().zip(self.reaches()) {
            actions += reach.count();
            *slot = (actions, Some((from, reach)));
        }
        let number = rng.quick_below(actions + usize::from(self.may_swap()));
        let mut before = 0;
        for (end, piece) in upto {
            let Some((from, reach)) = piece else { break };
            if number < end {
                let (glyph, to) = reach.nth(number - before)?;
                return Some(Action::cast(glyph, from, to));
            }
            before = end;
        }
        Some(Action::Swap)
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, action: &Action, _rng: &mut GameRng, told: &mut C) {
        match *action {
            Action::Cast { from, glyph, to } => self.cast(glyph, from, to, told),
            Action::Swap => {
                self.swapped = true;
                told.tell(|| Event::Swapped { seat });
            }
        }
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _rng: &mut GameRng, told: &mut C) {
        if self.end.is_some() || seat.number() > SEATS {
            return;
        }
        told.tell(|| Event::Left { seat });
        self.end = Some(End::Left(seat));
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = |side: Side, reason: &'static str| Outcome::win(self.owner(side), SEATS, reason);
        Some(match self.end? {
            End::Captured(side) => won(side, "Core captured"),
            End::Resonance(side, Pattern::Line) => won(side, "four marks in a row"),
            End::Resonance(side, Pattern::Block) => won(side, "four marks in a square"),
            End::Resonance(side, Pattern::Dominion) => won(side, "six marks"),
            End::Surrounded(side) => won(side, "Core surrounded on four sides"),
            End::Immobilised(side) => won(side, "Core unable to move"),
            End::Left(seat) => Outcome::win(seat.next(SEATS), SEATS, "the other player left"),
            End::Repetition => Outcome::draw(SEATS, "same position for the third time"),
            End::MoveLimit => Outcome::draw(SEATS, "200 moves without a winner"),
        })
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

    fn label(&self, _seat: Seat, action: &Action) -> String {
        self.in_words(*action)
    }

    /// Glyph, piece, square; or piece, glyph, square.
    fn paths(&self, _seat: Seat, action: &Action) -> Vec<Vec<Word>> {
        let Some((glyph, from, to)) = action.parts() else {
            return vec![vec![
                Word::labelled("Which piece?", "swap", "swap sides")
                    .with_help("take over the first player's side"),
            ]];
        };
        let label = |square: GridSquare| match self.grid.at(square) {
            Some((_, kind)) => format!("{square} {kind}"),
            None => square.to_string(),
        };
        let how = Word::new("Which glyph?", glyph.word()).with_help(glyph.gist());
        let gist = match self.grid.at(from) {
            Some((_, Kind::Core)) => "captures every piece that it lands on; lost, it loses the game",
            Some((_, Kind::Shard)) | None => "pushes pieces; captures the enemy Core alone",
        };
        let who = Word::labelled("Which piece?", from.to_string(), label(from)).with_help(gist);
        let goal =
            |text: &str, label: String, help: &str| Word::labelled("Where to?", text, label).with_help(help);
        let (name, mine) = (to.to_string(), self.to_move);
        let goal = match (glyph, self.grid.at(to)) {
            (Glyph::Anchor, _) if from == to => goal(
                "stay",
                format!("mark {to}"),
                "the piece stays, with your mark under it",
            ),
            (Glyph::Anchor, _) => goal(
                &name,
                format!("claim {to}"),
                "the enemy's mark there becomes yours",
            ),
            (Glyph::Pulse, _) => goal(
                &name,
                format!("push {}", label(to)),
                "one step away, or captured if nothing is free behind it",
            ),
            (_, Some(_)) => goal(
                &name,
                format!("capture {}", label(to)),
                "your piece takes its place",
            ),
            (_, None) => match self.grid.mark_at(to) {
                Some(side) if side == mine => goal(&name, name.clone(), "your mark is there"),
                Some(_) => goal(
                    &name,
                    name.clone(),
                    "an enemy mark, yours next turn if the piece stays",
                ),
                None => goal(&name, name.clone(), "no mark there"),
            },
        };
        vec![vec![who, how, goal]]
    }
}
