//! Phase-Fabric: pieces weave a field of energy; balance scores, and too much of it explodes.
//!
//! Rules: seed rulebook "Phase-Fabric Rules". Its sections are named where they are carried out.
//! The rulebook gives no board size and no bound; both are ours, as is the choice of targets.

pub mod action;
pub mod cell;
pub mod field;
mod insight;
mod label;
pub mod piece;
mod read;
pub mod setup;
pub mod view;

use serde::{Deserialize, Serialize};

use crate::game::options::{OptionKind, OptionSpec};
use crate::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Meta, NotationError, OptionValues, Outcome, Seat,
    TurnLength, Viewer, Word,
};

pub use action::Action;
use cell::{Cell, CellSet, LARGEST, SMALLEST};
use field::{Field, Owned};
use piece::Piece;
use setup::{Setup, Standing};
use view::{Beam, Chord, Event, Hot, View, Wreck};

use crate::text;

/// Two players.
const SEATS: u8 = 2;

/// The scores that a game can be played to; the last is the rulebook's.
const TARGETS: [u16; 4] = [50, 100, 250, 500];

/// After so many placements the higher score wins.
const MOST_PLACEMENTS: u16 = 1000;

/// A position of Phase-Fabric.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Setup", into = "Setup")]
pub struct Fabric {
    field: Field,
    size: u8,
    target: u16,
    scores: [u16; 2],
    placed: u16,
    end: Option<End>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Somebody has the points.
    Target,
    /// There is no empty cell.
    Full,
    /// It has gone on long enough.
    Bound,
    /// This player left.
    Left(Seat),
}

impl Fabric {
    /// The players take turns, and every turn places one piece.
    #[inline]
    fn to_move(&self) -> Seat {
        Seat::new((self.placed % u16::from(SEATS)) as u8)
    }

    /// The points of a seat.
    pub const fn score(&self, seat: Seat) -> u16 {
        self.scores[seat.index() & 1]
    }

    /// What stands on the board, in the order of cells.
    fn pieces(&self) -> impl Iterator<Item = (Cell, Owned)> + '_ {
        let cells = self.field.taken().iter();
        cells.filter_map(|cell| self.field.at(cell).map(|owned| (cell, owned)))
    }

    fn standing(&self) -> impl Iterator<Item = Standing> + '_ {
        self.pieces()
            .map(|(cell, Owned { seat, piece })| Standing { cell, seat, piece })
    }

    /// "Overloads": every piece near an overloaded cell is destroyed, all at once, and the mover is
    /// paid for it. Once is enough: what stays overloaded has nothing left to destroy.
    #[inline]
    fn detonate<C: Chronicle<Event>>(&mut self, mover: Seat, smouldering: CellSet, told: &mut C) {
        let overloaded = self.field.overloaded();
        if overloaded.is_empty() {
            return;
        }
        let doomed = overloaded.spread().and(self.field.taken());
        let paid = |owned: Owned| if owned.seat == mover { 1 } else { 2 };
        let field = &self.field;
        // A cell that has long been overloaded is news only if it hits something.
        let news = |cell: &Cell| {
            let blast: CellSet = [*cell].into_iter().collect();
            !smouldering.contains(*cell) || !blast.spread().and(doomed).is_empty()
        };
        if !doomed.is_empty() || !overloaded.without(smouldering).is_empty() {
            told.tell(|| {
                let victims = doomed.iter().filter_map(|cell| Some((cell, field.at(cell)?)));
                Event::Detonated {
                    seat: mover,
                    cells: overloaded
                        .iter()
                        .filter(news)
                        .map(|cell| Hot {
                            cell,
                            energy: field.energy(cell),
                        })
                        .collect(),
                    points: victims.clone().map(|(_, owned)| paid(owned)).sum(),
                    starved: {
                        let mut after = field.clone();
                        for (cell, owned) in victims.clone() {
                            after.remove(cell, owned);
                        }
                        changed_beams(field, &after)
                    },
                    wrecks: victims
                        .map(|(cell, Owned { seat, piece })| Wreck { cell, seat, piece })
                        .collect(),
                }
            });
        }
        for cell in doomed.iter() {
            if let Some(owned) = self.field.at(cell) {
                self.field.remove(cell, owned);
                self.scores[mover.index() & 1] += paid(owned);
            }
        }
    }

    /// "Resonance Phase": every Prism on the board scores for its owner.
    #[inline]
    fn resonate<C: Chronicle<Event>>(&mut self, told: &mut C) {
        let mut sounding = false;
        for seat in Seat::all(SEATS) {
            for prism in self.field.prisms(seat).iter() {
                let [north_south, east_west] = self.field.resonance(prism);
                let points = u16::from(north_south) + u16::from(east_west);
                self.scores[seat.index()] += points;
                sounding |= points > 0;
            }
        }
        if sounding {
            let field = &self.field;
            told.tell(|| Event::Resonated {
                chords: Self::chords(field),
            });
        }
    }

    /// The Prisms that score, in the order of cells.
    fn chords(field: &Field) -> Vec<Chord> {
        let chord = |seat: Seat, cell: Cell| {
            let [north_south, east_west] = field.resonance(cell);
            Chord {
                cell,
                seat,
                north_south,
                east_west,
            }
        };
        let mut chords: Vec<Chord> = Seat::all(SEATS)
            .flat_map(|seat| field.prisms(seat).iter().map(move |cell| chord(seat, cell)))
            .filter(|chord| chord.points() > 0)
            .collect();
        chords.sort_unstable_by_key(|chord| chord.cell);
        chords
    }

    /// "Objective": the end that this position is, if it is one.
    #[inline]
    fn due_end(&self) -> Option<End> {
        if self.scores.iter().any(|&score| score >= self.target) {
            Some(End::Target)
        } else if self.field.free().is_empty() {
            Some(End::Full)
        } else if self.placed >= MOST_PLACEMENTS {
            Some(End::Bound)
        } else {
            None
        }
    }
}

/// The Relays that stand in both fields and send something else in the second.
fn changed_beams(before: &Field, after: &Field) -> Vec<Beam> {
    let relays = before.taken().and(after.taken());
    let beam = |cell: Cell| {
        let facing = after.at(cell)?.piece.facing()?;
        let sends = after.projection(cell, facing);
        (sends != before.projection(cell, facing)).then_some(Beam {
            relay: cell,
            facing,
            sends,
        })
    };
    relays.iter().filter_map(beam).collect()
}

static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "target",
        help: "Points to play for. Both players together place about 65 pieces to reach 100, 140 to reach 250, \
               260 to reach 500.",
        rulebook: Some("500"),
        kind: OptionKind::Choice {
            default: "500",
            values: &["50", "100", "250", "500"],
        },
    },
    OptionSpec {
        name: "size",
        help: "Cells on each side of the board.",
        rulebook: None,
        kind: OptionKind::Whole {
            default: 8,
            min: SMALLEST as u32,
            max: LARGEST as u32,
        },
    },
];

impl Game for Fabric {
    const META: &'static Meta = &Meta {
        id: "fabric",
        name: "Phase-Fabric",
        tagline: "Weave a field of energy; score where it is in balance, and blow up what is too much.",
        designer: "unknown",
        example: "R c3 E",
        seats: SEATS..=SEATS,
        information: Information::Perfect,
        turn_length: TurnLength::One,
        rules_version: 1,
        bound: MOST_PLACEMENTS as u32,
        options: OPTIONS,
        rulebook_clock: None,
    };

    type Action = Action;
    type Event = Event;
    type View = View;

    fn usual_moves(options: &OptionValues) -> Option<u32> {
        match options.choice("target") {
            "50" => Some(35),
            "100" => Some(65),
            "250" => Some(140),
            _ => Some(260),
        }
    }

    fn new(options: &OptionValues, _seats: u8, _rng: &mut GameRng) -> Self {
        let size = (options.whole("size") as u8).clamp(SMALLEST, LARGEST);
        let chosen = options.choice("target").parse();
        Self {
            field: Field::empty(size),
            size,
            target: chosen.unwrap_or(TARGETS[TARGETS.len() - 1]),
            scores: [0; 2],
            placed: 0,
            end: None,
        }
    }

    fn seats(&self) -> u8 {
        SEATS
    }

    fn awaiting(&self) -> Awaiting {
        match self.end {
            None => Awaiting::Turn(self.to_move()),
            Some(_) => Awaiting::Over,
        }
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Action>) {
        if !self.awaiting().includes(seat) {
            return;
        }
        for at in self.field.free().iter() {
            out.extend(Piece::ALL.map(|piece| Action { at, piece }));
        }
    }

    fn is_legal(&self, seat: Seat, action: &Action) -> bool {
        self.awaiting().includes(seat) && self.field.free().contains(action.at)
    }

    fn count_legal(&self, seat: Seat) -> usize {
        if !self.awaiting().includes(seat) {
            return 0;
        }
        self.field.free().len() * Piece::ALL.len()
    }

    fn pick(&self, seat: Seat, rng: &mut GameRng, _buffer: &mut Vec<Action>) -> Option<Action> {
        let number = rng.quick_below(self.count_legal(seat));
        // The number counts along the legal list: six pieces a cell.
        let at = self.field.free().nth(number / Piece::ALL.len())?;
        let piece = Piece::ALL[number % Piece::ALL.len()];
        self.awaiting().includes(seat).then_some(Action { at, piece })
    }

    /// "Turn Sequence".
    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, action: &Action, _rng: &mut GameRng, told: &mut C) {
        let Action { at, piece } = *action;
        let smouldering = self.field.overloaded();
        let before = self.scores;
        self.field.place(at, Owned { seat, piece });
        self.placed += 1;
        let field = &self.field;
        told.tell(|| Event::Placed {
            seat,
            piece,
            at,
            sends: piece.facing().map_or(0, |facing| field.projection(at, facing)),
            fed: {
                let mut before = field.clone();
                before.remove(at, Owned { seat, piece });
                changed_beams(&before, field)
            },
        });
        self.detonate(seat, smouldering, told);
        self.resonate(told);
        let scores = self.scores;
        if scores != before {
            told.tell(|| Event::Scored {
                gained: [scores[0] - before[0], scores[1] - before[1]],
                scores,
            });
        }
        self.end = self.due_end();
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _rng: &mut GameRng, told: &mut C) {
        if self.end.is_some() || seat.index() >= usize::from(SEATS) {
            return;
        }
        told.tell(|| Event::Left { seat });
        self.end = Some(End::Left(seat));
    }

    fn outcome(&self) -> Option<Outcome> {
        let reason = match self.end? {
            End::Left(seat) => return Some(Outcome::win(seat.next(SEATS), SEATS, "the other player left")),
            End::Target => "first to the target",
            End::Full => "the board is full",
            End::Bound => "1000 pieces were placed",
        };
        let [first, second] = self.scores;
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::win(Seat::new(0), SEATS, reason),
            std::cmp::Ordering::Less => Outcome::win(Seat::new(1), SEATS, reason),
            std::cmp::Ordering::Equal => Outcome::draw(SEATS, reason),
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

    fn label(&self, seat: Seat, action: &Action) -> String {
        self.in_words(seat, *action)
    }

    /// Piece, file, cell, and for a Relay its facing: no menu is longer than the board is wide.
    fn paths(&self, _seat: Seat, action: &Action) -> Vec<Vec<Word>> {
        let Action { at, piece } = *action;
        let file: String = at.to_string().chars().take(1).collect();
        let in_column = |cell: &Cell| cell.file() == at.file();
        let empty = self.field.free().iter().filter(in_column).count();
        let empty = text::counted(empty, "empty cell", "empty cells");
        let mut path = vec![
            Word::labelled("Which piece?", piece.kind().letter(), piece.kind().name())
                .with_help(piece.kind().gist()),
            Word::labelled("Which column?", file.clone(), format!("column {file}")).with_help(empty),
            Word::new("Which cell?", at.to_string()).with_help(format!("energy {}", self.field.energy(at))),
        ];
        path.extend(piece.facing().map(|facing| {
            let sends = self.field.projection(at, facing);
            let label = format!("{} {facing}", facing.arrow());
            Word::labelled("Which way?", facing.letter(), label).with_help(format!("sends {sends}"))
        }));
        vec![path]
    }
}
