//! A game of your own, added from outside of the crate: Breakthrough, by Dan Troyka, in one file.
//!
//! `cargo run --example own_game` opens the local room, and `challenge bot breakthrough` plays it there. The file
//! has what every game has: the rules ([`Game`]), how it looks ([`Show`]), how it is played well ([`Insight`]),
//! and the check of saves (`TryFrom<Saved>`). `tests/own_game.rs` holds it to the laws.

use std::process::ExitCode;

use parlor::catalog::Entry;
use parlor::draw::canvas::Rect;
use parlor::draw::{Align, Canvas, Ink, Prose, Scene, Show, Style, font};
use parlor::game::insight::{Chances, Plan, shares};
use parlor::game::{
    Awaiting, Chronicle, Game, GameRng, Information, Insight, MAX_SEATS, Meta, NotationError, OptionValues,
    Outcome, Seat, SeatSet, Viewer, Word,
};
use parlor::prose;
use serde::{Deserialize, Serialize};

fn main() -> ExitCode {
    parlor::cli::run_with([Entry::of::<Breakthrough>()])
}

/// A cell by its number: a1 is 0, b1 is 1, h8 is 63.
type Cell = u8;

fn name(cell: Cell) -> String {
    format!("{}{}", char::from(b'a' + cell % 8), cell / 8 + 1)
}

/// A position. Nothing is hidden, so it is also what everybody sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Breakthrough {
    /// A bit for each cell where a man of the seat stands.
    men: [u64; 2],
    to_move: Seat,
    winner: Option<Seat>,
}

/// One step of a man. The order of fields is the order of legal lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Step {
    from: Cell,
    to: Cell,
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
    men: [u64; 2],
    to_move: Seat,
    winner: Option<Seat>,
}

impl TryFrom<Saved> for Breakthrough {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let Saved { men, to_move, winner } = saved;
        let is_nobody = |seat: Seat| seat.index() > 1;
        if is_nobody(to_move) || winner.is_some_and(is_nobody) || men[0] & men[1] != 0 {
            return Err("two play, and no two men share a cell");
        }
        let game = Self { men, to_move, winner };
        let goes_on = |seat| game.of(seat).count() > 0 && game.farthest(seat) < 7;
        let fits = winner.is_some() || Seat::all(2).all(goes_on);
        fits.then_some(game).ok_or("somebody has won")
    }
}

impl Breakthrough {
    fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::all(2).find(|seat| self.men[seat.index()] >> cell & 1 == 1)
    }

    fn of(&self, seat: Seat) -> impl Iterator<Item = Cell> + '_ {
        (0..64).filter(move |&cell| self.owner(cell) == Some(seat))
    }

    /// How many rows the first man of a seat has gone.
    fn farthest(&self, seat: Seat) -> u8 {
        let gone = |cell: Cell| [cell / 8, 7 - cell / 8][seat.index()];
        self.of(seat).map(gone).max().unwrap_or_default()
    }

    /// Where a man may step: ahead to an empty cell, aslant also onto an enemy.
    fn steps(&self, seat: Seat, from: Cell) -> impl Iterator<Item = Step> + '_ {
        let ahead = if seat.index() == 0 { 7..=9 } else { -9..=-7 };
        let goals = ahead.filter_map(move |by| from.checked_add_signed(by).filter(|&to| to < 64));
        let free = move |to: &Cell| match ((to % 8).abs_diff(from % 8), self.owner(*to)) {
            (0 | 1, None) => true,
            (1, Some(owner)) => owner != seat,
            _ => false, // The way is blocked, or goes over the edge of the board.
        };
        goals.filter(free).map(move |to| Step { from, to })
    }
}

const READ: &str = "A move is two cells, such as `b2-b3`.";
const STEP: &str = "No man of yours can do that. Men step one row ahead, and take aslant only.";

impl Game for Breakthrough {
    const META: &'static Meta = &Meta {
        id: "breakthrough",
        name: "Breakthrough",
        tagline: "Bring one man across the board.",
        designer: "Dan Troyka, 2000",
        example: "b2-b3",
        seats: 2..=2,
        information: Information::Perfect,
        rules_version: 1,
        // Every step is one row ahead, and 32 men have at most seven rows before them.
        bound: 32 * 7,
        options: &[],
    };

    type Action = Step;
    type Event = Event;
    type View = Self;

    fn new(_options: &OptionValues, _seats: u8, _rng: &mut GameRng) -> Self {
        Self {
            men: [0xffff, 0xffff << 48],
            to_move: Seat::new(0),
            winner: None,
        }
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Awaiting {
        let turn = Awaiting::Turn(self.to_move);
        self.winner.map_or(turn, |_| Awaiting::Over)
    }

    fn legal_into(&self, seat: Seat, out: &mut Vec<Step>) {
        if self.awaiting().includes(seat) {
            out.extend(self.of(seat).flat_map(|from| self.steps(seat, from)));
        }
    }

    fn play<C: Chronicle<Event>>(&mut self, seat: Seat, step: &Step, _rng: &mut GameRng, told: &mut C) {
        let (own, other) = (seat.index(), seat.next(2));
        let took = self.owner(step.to).is_some();
        self.men[own] = self.men[own] & !(1 << step.from) | 1 << step.to;
        self.men[other.index()] &= !(1 << step.to);
        told.tell(|| Event::Stepped(seat, *step, took));
        self.to_move = other;
        if self.farthest(seat) == 7 || self.of(other).count() == 0 {
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
        let reason = match (self.farthest(winner), self.of(winner.next(2)).count()) {
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
        format!("{}{sign}{}", name(step.from), name(step.to))
    }

    /// Takes two cells, whatever stands between them, or one where that is enough.
    fn parse<'t>(&self, seat: Seat, text: &'t str) -> Result<(Step, &'t str), NotationError> {
        let lower = text.to_lowercase().replace('x', "");
        let letters: Vec<char> = lower.chars().filter(|c| c.is_alphanumeric()).collect();
        let cell = |pair: &[char]| (0..64).find(|&cell| name(cell).chars().eq(pair.iter().copied()));
        let cells: Option<Vec<Cell>> = letters.chunks(2).map(cell).collect();
        let mut legal = self.legal_actions(seat);
        match cells.as_deref() {
            Some(&[cell]) => legal.retain(|step| step.from == cell || step.to == cell),
            Some(&[from, to]) => legal.retain(|step| *step == Step { from, to }),
            _ => return Err(NotationError::unreadable(text, READ)),
        }
        match legal[..] {
            [step] => Ok((step, "")),
            [] => Err(NotationError::illegal(STEP)),
            _ => Err(NotationError::Ambiguous {
                ask: "Which step?".to_owned(),
                choices: legal.iter().map(|step| self.notate(seat, step)).collect(),
            }),
        }
    }

    fn paths(&self, _seat: Seat, step: &Step) -> Vec<Vec<Word>> {
        let (from, to) = (name(step.from), name(step.to));
        vec![vec![Word::new("Which man?", from), Word::new("Where to?", to)]]
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
            worth[seat.index()] = self.of(seat).count() as f32 + far * far / 12.0;
        }
        Some(shares(&worth, SeatSet::all(2), 3.0))
    }
}

/// The side of a cell in the picture.
const SIDE: f32 = 108.0;

impl Show for Breakthrough {
    const RULES: &'static str = "\
**Breakthrough** by Dan Troyka, for two. Bring one man to the last row and you win.

On your turn, move one man one row ahead: straight or aslant to an empty cell, or aslant onto an enemy, who is taken. \
Move with two cells, such as `b2-b3`.

## Winning
You win when a man of yours stands on the last row, or when the other player has no man left. There are no draws.
";

    fn picture(scene: &Scene<'_, Self>) -> Canvas {
        let mut canvas = Canvas::new(960, 1080, scene.theme);
        canvas.fill(Ink::Paper);
        let (small, bold) = (Style::regular(22.0), Style::bold(28.0));
        let square = |cell: Cell| {
            let seen = if scene.side.index() == 1 { cell ^ 63 } else { cell };
            let (file, rank) = (f32::from(seen % 8), f32::from(seen / 8));
            Rect::new(48.0 + file * SIDE, 104.0 + (7.0 - rank) * SIDE, SIDE, SIDE)
        };
        for cell in 0..64 {
            let dark = (cell % 8 + cell / 8) % 2 == 0;
            canvas.rect(square(cell), if dark { Ink::CellC } else { Ink::CellA });
        }
        for event in scene.recent {
            if let Event::Stepped(_, step, _) = event {
                let (from, to) = (square(step.from), square(step.to));
                canvas.rect(from, Ink::Glow);
                canvas.rect(to, Ink::Glow);
                canvas.arrow(from.centre(), to.centre(), 10.0, Ink::LastMove);
            }
        }
        for cell in 0..64 {
            let square = square(cell);
            canvas.text(square.x + 8.0, square.y + 16.0, &name(cell), small, Ink::Faint);
            if let Some(seat) = scene.view.owner(cell) {
                man(&mut canvas, square.centre(), 38.0, seat);
            }
        }
        for (seat, x) in Seat::all(2).zip([48.0, 496.0]) {
            if scene.awaiting.includes(seat) {
                canvas.round_rect(Rect::new(x, 16.0, 416.0, 72.0), 12.0, Ink::tint(seat.index()));
            }
            man(&mut canvas, (x + 40.0, 52.0), 22.0, seat);
            let player = font::fit(scene.name(seat), 320.0, bold);
            canvas.text(x + 78.0, 52.0, &player, bold, Ink::Text);
        }
        let centred = bold.align(Align::Centre);
        canvas.text(480.0, 1024.0, &status(scene), centred, Ink::Text);
        canvas
    }

    fn text(scene: &Scene<'_, Self>) -> String {
        let mut text = "  a b c d e f g h".to_owned();
        for cell in (0..64).map(|cell| cell ^ 56) {
            if cell % 8 == 0 {
                text.push_str(&format!("\n{}", cell / 8 + 1));
            }
            text.push_str([" .", " 1", " 2"][scene.view.owner(cell).map_or(0, |seat| seat.index() + 1)]);
        }
        format!("{text}\n{}", status(scene))
    }

    fn alt(scene: &Scene<'_, Self>) -> String {
        let side = |seat: Seat| {
            let cells: Vec<String> = scene.view.of(seat).map(name).collect();
            format!("{} has {}. ", player(scene, seat), cells.join(" "))
        };
        let sides: String = Seat::all(2).map(side).collect();
        format!("Breakthrough. {sides}{}", status(scene))
    }

    fn narrate(events: &[Event]) -> Prose {
        let mut prose = Prose::new();
        for event in events {
            prose.sentence(match event {
                Event::Stepped(seat, step, took) => {
                    let verb = if *took { "takes on" } else { "moves to" };
                    let [from, to] = [step.from, step.to].map(name);
                    prose![*seat, format!(" {verb} {to} from {from}.")]
                }
                Event::Left(seat) => prose![*seat, " leaves the game."],
            });
        }
        prose
    }
}

fn man(canvas: &mut Canvas, (x, y): (f32, f32), size: f32, seat: Seat) {
    canvas.circle(x, y, size, Ink::rim(seat.index()));
    canvas.circle(x, y, size * 0.9, Ink::seat(seat.index()));
    // Colours alone don't tell everybody whose man it is.
    if seat.index() == 1 {
        canvas.circle(x, y, size * 0.5, Ink::White);
    }
}

/// A name as it fits into a line.
fn player(scene: &Scene<'_, Breakthrough>, seat: Seat) -> String {
    font::clean(scene.name(seat)).chars().take(30).collect()
}

fn status(scene: &Scene<'_, Breakthrough>) -> String {
    match scene.view.winner {
        None => format!("{} to move.", player(scene, scene.view.to_move)),
        Some(winner) => format!("{} wins.", player(scene, winner)),
    }
}
