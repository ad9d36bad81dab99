//! A game of your own, added from outside of the crate: Breakthrough, by Dan Troyka, in one file.
//!
//! `cargo run --no-default-features --example own_game` opens the local room, and `challenge bot breakthrough` plays it there. The file
//! has what every game has: the rules ([`Game`]), how it looks ([`Show`]), how it is played well ([`Insight`]),
//! and the check of saves (`TryFrom<Saved>`). `tests/own_game` holds it to the laws.

use std::collections::BTreeSet;
use std::process::ExitCode;

use parlor::board::square::{Square, SquareBoard};
use parlor::catalog::Entry;
use parlor::draw::canvas::Rect;
use parlor::draw::{Canvas, Ink, Mark, Prose, Scene, Show, Spot, Style, TEXT_COLUMNS};
use parlor::draw::{grid::BoardGrid, plate, prose::lines, shape};
use parlor::game::cells::{TwoCells, TypedCells};
use parlor::game::insight::{Chances, Plan, shares};
use parlor::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Insight, MAX_SEATS, Meta, NotationError, OptionValues,
    Outcome, Seat, SeatSet, TurnLength, Viewer, Word,
};
use parlor::prose;
use serde::{Deserialize, Serialize};

fn main() -> ExitCode {
    parlor::cli::run_with([Entry::of::<Breakthrough>()])
}

const BOARD: SquareBoard = SquareBoard { size: 8 };

/// A position. Nothing is hidden, so it is also what everybody sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Breakthrough {
    men: [BTreeSet<Square>; 2],
    to_move: Seat,
    winner: Option<Seat>,
}

/// One step of a man. The order of fields is the order of legal lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Step {
    from: Square,
    to: Square,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Whether an enemy was taken.
    Stepped(Seat, Step, bool),
    Left(Seat),
}

/// A save, which may hold anything: it becomes a position only if it makes sense.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    men: [BTreeSet<Square>; 2],
    to_move: Seat,
    winner: Option<Seat>,
}

impl TryFrom<Saved> for Breakthrough {
    type Error = &'static str;

    fn try_from(Saved { men, to_move, winner }: Saved) -> Result<Self, Self::Error> {
        let is_nobody = |seat: Seat| seat.index() > 1;
        let off_board = men.iter().flatten().any(|&cell| !BOARD.contains(cell));
        if is_nobody(to_move) || winner.is_some_and(is_nobody) || off_board || !men[0].is_disjoint(&men[1]) {
            return Err("two play, and no two men share one of 64 cells");
        }
        let game = Self { men, to_move, winner };
        let goes_on = |seat| !game.of(seat).is_empty() && game.farthest(seat) < 7;
        let fits = winner.is_some() || Seat::all(2).all(goes_on);
        fits.then_some(game).ok_or("somebody has won")
    }
}

impl Breakthrough {
    fn of(&self, seat: Seat) -> &BTreeSet<Square> {
        &self.men[seat.index()]
    }

    fn owner(&self, cell: Square) -> Option<Seat> {
        Seat::all(2).find(|&seat| self.of(seat).contains(&cell))
    }

    /// How many rows the first man of a seat has gone. Cells are sorted by row.
    fn farthest(&self, seat: Seat) -> i8 {
        let (low, high) = (self.of(seat).first(), self.of(seat).last());
        let gone = [high.map(|cell| cell.rank), low.map(|cell| 7 - cell.rank)];
        gone[seat.index()].unwrap_or_default()
    }

    /// Where a man may step: ahead to an empty cell, aslant also onto an enemy.
    fn steps(&self, seat: Seat, from: Square) -> impl Iterator<Item = Step> + '_ {
        let ahead = [1, -1][seat.index()];
        let free = move |aside: &i8| match self.owner(from.step((*aside, ahead))) {
            Some(owner) => *aside != 0 && owner != seat,
            None => BOARD.contains(from.step((*aside, ahead))),
        };
        let goals = (-1..=1).filter(free).map(move |aside| from.step((aside, ahead)));
        goals.map(move |to| Step { from, to })
    }
}

impl Game for Breakthrough {
    const META: &'static Meta = &Meta {
        id: "breakthrough",
        name: "Breakthrough",
        tagline: "Bring one man across the board.",
        designer: "Dan Troyka, 2000",
        example: "b2-b3",
        seats: 2..=2,
        information: Information::Perfect,
        turn_length: TurnLength::One,
        rules_version: 1,
        // Every step is one row ahead, and 32 men have at most seven rows before them.
        bound: 32 * 7,
        options: &[],
        rulebook_clock: None,
    };

    type Action = Step;
    type Event = Event;
    type View = Self;

    fn new(_options: &OptionValues, _seats: u8, _rng: &mut GameRng) -> Self {
        let rows = |[low, high]: [i8; 2]| {
            BOARD
                .cells()
                .filter(|at| (low..=high).contains(&at.rank))
                .collect()
        };
        Self {
            men: [rows([0, 1]), rows([6, 7])],
            to_move: Seat::new(0),
            winner: None,
        }
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Awaiting {
        self.winner
            .map_or(Awaiting::Turn(self.to_move), |_| Awaiting::Over)
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Step>) {
        if self.awaiting().includes(seat) {
            out.extend(self.of(seat).iter().flat_map(|from| self.steps(seat, *from)));
        }
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, step: &Step, _rng: &mut GameRng, told: &mut C) {
        self.to_move = seat.next(2);
        self.men[seat.index()].remove(&step.from);
        self.men[seat.index()].insert(step.to);
        let took = self.men[self.to_move.index()].remove(&step.to);
        told.tell(|| Event::Stepped(seat, *step, took));
        if self.farthest(seat) == 7 || self.of(self.to_move).is_empty() {
            self.winner = Some(seat);
        }
    }

    fn withdraw<C: Chronicle<Event>>(&mut self, seat: Seat, _rng: &mut GameRng, told: &mut C) {
        if self.winner.is_none() {
            told.tell(|| Event::Left(seat));
            self.winner = Some(seat.next(2));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.winner?;
        let reason = match (self.farthest(winner), self.of(winner.next(2)).len()) {
            (7, _) => "a man across the board",
            (_, 0) => "no enemy left",
            _ => "the other player left",
        };
        Some(Outcome::win(winner, 2, reason))
    }

    fn view(&self, _viewer: Viewer) -> Self {
        self.clone()
    }

    fn notate(&self, _seat: Seat, step: &Step) -> String {
        let sign = self.owner(step.to).map_or('-', |_| 'x');
        format!("{}{sign}{}", step.from, step.to)
    }

    fn parse<'t>(&self, seat: Seat, text: &'t str) -> Result<(Step, &'t str), NotationError> {
        self.read(seat, text).map(|step| (step, ""))
    }

    fn paths(&self, _seat: Seat, step: &Step) -> Vec<Vec<Word>> {
        let (from, to) = (step.from.to_string(), step.to.to_string());
        let goal = Word::new("Where to?", to).after("to");
        vec![vec![Word::new("Which man?", from), goal]]
    }
}

impl TwoCells for Breakthrough {
    type Cell = Square;

    const HINT: &'static str = "A move is two cells, such as `b2-b3`.";
    const PIECE: &'static str = "man";
    const PIECES: &'static str = "men";
    const VERBS: &'static [&'static str] = &["step"];

    fn cell(&self, name: &str) -> Result<Square, NotationError> {
        let off = || NotationError::illegal(format!("There is no cell {name}: {}.", BOARD.extent()));
        BOARD.named(name).ok_or_else(off)
    }

    fn ends(&self, step: &Step) -> Option<(Square, Square)> {
        Some((step.from, step.to))
    }

    fn why_not(&self, _seat: Seat, _typed: TypedCells<Square>) -> String {
        "No man of yours can do that. Men step one row ahead, and take aslant only.".to_owned()
    }
}

impl Insight for Breakthrough {
    /// Looks at every move first, then plays six steps at random and judges what comes of them.
    fn plans(&self) -> &'static [Plan; 5] {
        const { &Plan::PLAIN.rated(6).levels() }
    }

    fn is_certain(&self) -> bool {
        true
    }

    /// A man more is good, and so is a man far ahead.
    fn chances(&self) -> Option<Chances> {
        let mut worth = [0.0; MAX_SEATS as usize];
        for seat in Seat::all(2) {
            let far = f32::from(self.farthest(seat));
            worth[seat.index()] = self.of(seat).len() as f32 + far * far / 12.0;
        }
        Some(shares(&worth, SeatSet::all(2), 3.0))
    }
}

impl Show for Breakthrough {
    const RULES: &'static str = "\
**Breakthrough** by Dan Troyka, for two. Bring one man to the last row and you win.

On your turn, move one man one row ahead: straight or aslant to an empty cell, or aslant onto an enemy, who is taken. \
Move with two cells, such as `b2-b3`.

## Winning
You win when a man of yours stands on the last row, or when the other player has no man left. There are no draws.
";

    fn picture(scene: &Scene<'_, Self>) -> Canvas {
        let mut canvas = Canvas::new(960, 1056, scene.theme);
        let grid = grid(scene);
        grid.chequer(&mut canvas, [Ink::CellC, Ink::CellA]);
        grid.names(&mut canvas, (32.0, 26.0), 26.0, Ink::Text);
        for event in scene.recent {
            if let Event::Stepped(_, Step { from, to }, _) = *event {
                canvas.rect(grid.square(from).inset(0.5), Ink::Glow);
                canvas.rect(grid.square(to).inset(0.5), Ink::Glow);
                let ends = (grid.middle(from), grid.middle(to));
                canvas.arrow_between(ends, (0.0, 40.0), 10.0, Ink::LastMove);
            }
        }
        for (seat, men) in Seat::all(2).zip(&scene.view.men) {
            men.iter()
                .for_each(|&cell| man(&mut canvas, grid.middle(cell), 38.0, seat));
        }
        for cell in BOARD.cells() {
            // What can be done now: a ring around a man, a dot where nobody stands.
            let ((x, y), stands) = (grid.middle(cell), scene.view.owner(cell).is_some());
            match scene.marks.of_word(&cell.to_string()) {
                Some(mark @ (Mark::Picked | Mark::Next)) if stands => {
                    canvas.marked_outline(&shape::regular(x, y, 45.0, 48, 0.0), mark);
                }
                Some(Mark::Next) => canvas.possible_place((x, y), 12.0),
                Some(Mark::Picked | Mark::Later) | None => {}
            }
        }
        let plates = plate::row(Rect::new(16.0, 16.0, 928.0, 56.0), 2, 16.0);
        for (seat, area) in Seat::all(2).zip(plates) {
            scene.plate(&mut canvas, area, seat, seat.index());
            man(&mut canvas, (area.x + 40.0, area.y + 28.0), 20.0, seat);
            scene.title(&mut canvas, area, 78.0, seat, 28.0, scene.tag(seat));
        }
        canvas.footer(26.0, &scene.call(30), Style::bold(26.0), Ink::Text);
        canvas
    }

    fn text(scene: &Scene<'_, Self>) -> String {
        let sign = |cell| [" x", " o", " ."][scene.view.owner(cell).map_or(2, Seat::index)].to_owned();
        let [x, o] = [0, 1].map(|index| scene.short_name(Seat::new(index), 20));
        let said = format!("x {x}, o {o}. {}{}", scene.marks.sentence(), scene.call(30));
        format!("{}{}", grid(scene).text(sign), lines(&said, TEXT_COLUMNS, ""))
    }

    fn alt(scene: &Scene<'_, Self>) -> String {
        let side = |seat: Seat| {
            let cells: Vec<String> = scene.view.of(seat).iter().map(Square::to_string).collect();
            format!("{} has {}. ", scene.short_name(seat, 30), cells.join(" "))
        };
        let sides: String = Seat::all(2).map(side).collect();
        let marks = scene.marks.sentence();
        format!("Breakthrough. {sides}{marks}{}", scene.call(30))
    }

    fn spots(scene: &Scene<'_, Self>) -> Vec<Spot> {
        let man = |owner| format!("{}'s man", scene.short_name(owner, 30));
        grid(scene).spots(|cell| scene.view.owner(cell).map(man))
    }

    fn narrate(events: &[Event]) -> Prose {
        let mut prose = Prose::new();
        for event in events {
            prose.sentence(match event {
                Event::Stepped(seat, Step { from, to }, took) => {
                    let verb = if *took { "takes on" } else { "moves to" };
                    prose![*seat, format!(" {verb} {to} from {from}.")]
                }
                Event::Left(seat) => prose![*seat, " leaves the game."],
            });
        }
        prose
    }
}

/// The board with the viewer's own side at the bottom.
fn grid(scene: &Scene<'_, Breakthrough>) -> BoardGrid {
    BoardGrid {
        board: BOARD,
        corner: (64.0, 96.0),
        cell: 108.0,
        turned: scene.side.index() == 1,
    }
}

/// A man. Colours alone don't tell everybody whose it is.
fn man(canvas: &mut Canvas, (x, y): (f32, f32), size: f32, seat: Seat) {
    canvas.circle(x, y, size, Ink::rim(seat.index()));
    canvas.circle(x, y, size * 0.9, Ink::seat(seat.index()));
    if seat.index() == 1 {
        canvas.circle(x, y, size * 0.5, Ink::White);
    }
}
