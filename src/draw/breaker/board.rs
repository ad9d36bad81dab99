//! The table: the Core, what hangs on it, and what can be typed.

use super::super::canvas::Rect;
use super::super::marks::POSSIBLE;
use super::super::mask::Point;
use super::super::shape::Cap;
use super::super::{Align, Canvas, Ink, Mark, Style};
use super::BreakerScene;
use super::block::{self, BlockLook, HALF, Jack, Way};
use crate::game::Seat;
use crate::games::breaker::Event;
use crate::games::breaker::cell::{Cell, Facing};
use crate::games::breaker::event::Gone;
use crate::games::breaker::socket::Circuit;
use crate::games::breaker::view::{BlockView, SocketState, SocketView, View};

/// The side of a cell: at most, and at least, at the cost of a wider picture.
const LARGEST: f32 = 108.0;
const SMALLEST: f32 = 48.0;
/// How high the table may become before cells shrink.
const HIGHEST: f32 = 900.0;
/// Around the table, in cells.
const BORDER: f32 = 0.25;

/// The part of the plane that is shown, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardFrame {
    /// Cells from left to right and from top to bottom, as turned.
    left: i32,
    top: i32,
    columns: i32,
    rows: i32,
    /// The side of a cell in pixels.
    cell: f32,
    /// The table's corner in the picture.
    corner: Point,
    turned: bool,
}

/// Where a cell comes to lie when the board is turned towards a side: that seat's path is below.
fn turn(turned: bool, cell: Cell) -> (i32, i32) {
    let (x, y) = (i32::from(cell.x), i32::from(cell.y));
    if turned { (-x, y) } else { (x, -y) }
}

impl BoardFrame {
    /// All blocks, the Core, and the cells that open sockets of the player to move face.
    pub fn around(scene: &BreakerScene<'_>) -> Self {
        let view = scene.view;
        let turned = scene.side.index() == 0;
        let core = (-3..=3).flat_map(|x| [-1, 0, 1].map(|y| Cell::new(x, y)));
        let goals = view
            .path_in_play()
            .into_iter()
            .flat_map(|seat| view.open_sockets(seat).map(|socket| socket.cell));
        let cells = core
            .chain(view.blocks.iter().map(|block| block.cell))
            .chain(goals);
        let (mut left, mut top, mut right, mut bottom) = (0, 0, 0, 0);
        for (x, y) in cells.map(|cell| turn(turned, cell)) {
            (left, top) = (left.min(x), top.min(y));
            (right, bottom) = (right.max(x), bottom.max(y));
        }
        let (columns, rows) = (right - left + 1, bottom - top + 1);
        let across = (super::WIDTH - 2.0 * super::MARGIN) / (columns as f32 + 2.0 * BORDER);
        let down = HIGHEST / (rows as f32 + 2.0 * BORDER);
        Self {
            left,
            top,
            columns,
            rows,
            // Whole pixels, so that equal blocks are equal pixels: that packs well.
            cell: (across.min(down).clamp(SMALLEST, LARGEST) / 4.0).floor() * 4.0,
            corner: (0.0, 0.0),
            turned,
        }
    }

    fn inner_width(&self) -> f32 {
        (self.columns as f32 + 2.0 * BORDER) * self.cell
    }

    pub fn width(&self) -> f32 {
        self.inner_width().max(super::WIDTH - 2.0 * super::MARGIN).ceil()
    }

    pub fn height(&self) -> f32 {
        ((self.rows as f32 + 2.0 * BORDER) * self.cell).ceil()
    }

    /// The same frame at its place in the picture.
    pub fn at(self, x: f32, y: f32) -> Self {
        Self {
            corner: (x, y),
            ..self
        }
    }

    /// What is left over on either side.
    fn spare(&self) -> f32 {
        ((self.width() - self.inner_width()) / 2.0).floor()
    }

    fn middle(&self, cell: Cell) -> Point {
        let (x, y) = turn(self.turned, cell);
        let spare = self.spare();
        (
            self.corner.0 + spare + ((x - self.left) as f32 + 0.5 + BORDER) * self.cell,
            self.corner.1 + ((y - self.top) as f32 + 0.5 + BORDER) * self.cell,
        )
    }

    /// A cell of the table.
    pub fn square(&self, cell: Cell) -> Rect {
        around(self.middle(cell), self.cell)
    }

    /// The name of a socket that can be played into.
    fn socket_name(&self, socket: &SocketView) -> Point {
        let way = self.way(socket.facing);
        let near = if way.x == 0.0 { 0.3 } else { 0.22 };
        way.from(self.middle(socket.cell), -self.cell * near)
    }

    /// What is touched for a socket that shares its cell with others.
    pub fn socket(&self, socket: &SocketView) -> Rect {
        around(self.socket_name(socket), self.cell * 0.5)
    }

    fn way(&self, facing: Facing) -> Way {
        let (x, y) = facing.delta();
        let (x, y) = turn(self.turned, Cell::new(x, y));
        Way {
            x: x as f32,
            y: y as f32,
        }
    }
}

/// A square about a point.
fn around((x, y): Point, side: f32) -> Rect {
    Rect::new(x - side / 2.0, y - side / 2.0, side, side)
}

pub(super) fn draw(canvas: &mut Canvas, scene: &BreakerScene<'_>, frame: &BoardFrame) {
    let view = scene.view;
    let ground = Rect::new(frame.corner.0, frame.corner.1, frame.width(), frame.height());
    canvas.round_rect(ground, 14.0, Ink::CellA);
    canvas.frame(ground, 14.0, 1.5, Ink::Line);
    grid(canvas, frame);
    traces(canvas, scene, frame);
    for block in &view.blocks {
        cable(canvas, frame, block);
    }
    core(canvas, view, frame);
    for block in &view.blocks {
        halo(canvas, scene, frame, block);
    }
    for block in &view.blocks {
        let at = frame.middle(block.cell);
        let look = BlockLook {
            kind: block.kind,
            seat: block.seat,
            way: frame.way(block.facing),
            size: frame.cell,
        };
        let jacks: Vec<(Way, Jack)> = block.sockets.iter().map(|socket| jack(frame, socket)).collect();
        block::block(canvas, at, look, &jacks);
        flow(canvas, frame, block);
    }
    labels(canvas, scene, frame);
}

fn jack(frame: &BoardFrame, socket: &SocketView) -> (Way, Jack) {
    let jack = match socket.state {
        SocketState::Open => Jack::Open,
        SocketState::Used => Jack::Used,
        SocketState::Blocked => Jack::Blocked,
    };
    (frame.way(socket.facing), jack)
}

/// Faint dots on the corners of cells, to count steps by.
fn grid(canvas: &mut Canvas, frame: &BoardFrame) {
    let (x, y) = frame.corner;
    let spare = frame.spare();
    for column in 0..=frame.columns {
        for row in 0..=frame.rows {
            let at = (
                x + spare + (column as f32 + BORDER) * frame.cell,
                y + (row as f32 + BORDER) * frame.cell,
            );
            canvas.circle(at.0, at.1, 2.0, Ink::CellC);
        }
    }
}

/// The plug between a block and its parent.
fn cable(canvas: &mut Canvas, frame: &BoardFrame, block: &BlockView) {
    let at = frame.middle(block.cell);
    let back = frame.way(block.facing).back();
    let ends = [back.from(at, frame.cell * 0.3), back.from(at, frame.cell * 0.7)];
    canvas.polyline(&ends, frame.cell * 0.28, Cap::Butt, Ink::rim(block.seat.index()));
    canvas.polyline(&ends, frame.cell * 0.22, Cap::Butt, Ink::seat(block.seat.index()));
}

/// An arrowhead on the plug: the way that power flows.
fn flow(canvas: &mut Canvas, frame: &BoardFrame, block: &BlockView) {
    let back = frame.way(block.facing).back();
    let at = back.from(frame.middle(block.cell), frame.cell * 0.5);
    let (side, size) = (back.left(), frame.cell * 0.085);
    let tip = back.from(at, size * 0.8);
    let tail = back.from(at, -size * 0.8);
    canvas.polygon(&[tip, side.from(tail, size), side.from(tail, -size)], Ink::White);
}

/// The five cells of the Core with the three circuits.
fn core(canvas: &mut Canvas, view: &View, frame: &BoardFrame) {
    let size = frame.cell;
    let (first, last) = (frame.middle(Cell::new(-2, 0)), frame.middle(Cell::new(2, 0)));
    let (left, right) = (first.0.min(last.0), first.0.max(last.0));
    let half = size * HALF;
    let rect = Rect::new(left - half, first.1 - half, right - left + 2.0 * half, 2.0 * half);
    canvas.round_rect(rect, size * 0.16, Ink::Black);
    canvas.round_rect(rect.inset(size * 0.03), size * 0.14, Ink::CellC);
    for seat in Seat::all(2) {
        for socket in &view.ports[seat.index()] {
            let (way, jack) = jack(frame, socket);
            let at = way.from(frame.middle(socket.cell), -size * (1.0 - HALF));
            if jack == Jack::Used {
                let inside = way.from(at, -size * 0.2);
                canvas.polyline(
                    &[way.from(at, size * 0.1), inside],
                    size * 0.12,
                    Cap::Butt,
                    Ink::rim(seat.index()),
                );
            }
            block::socket(canvas, at, way, size, jack);
        }
    }
    for circuit in Circuit::ALL {
        let at = frame.middle(circuit.cell());
        let ink = view
            .leader(circuit)
            .map_or(Ink::Panel, |seat| Ink::seat(seat.index()));
        canvas.circle(at.0, at.1, size * 0.31, Ink::Black);
        canvas.circle(at.0, at.1, size * 0.28, ink);
        let style = Style::bold(size * 0.3).align(Align::Centre);
        let numeral = if ink == Ink::Panel {
            Ink::Text
        } else {
            canvas.theme().legible_on(ink)
        };
        canvas.text(at.0, at.1, circuit.name(), style, numeral);
        powers(canvas, view, frame, circuit);
    }
}

/// Both players' power beside a circuit, each on its owner's side of the Core.
fn powers(canvas: &mut Canvas, view: &View, frame: &BoardFrame, circuit: Circuit) {
    let size = frame.cell;
    let beside = if circuit == Circuit::III { -1 } else { 1 };
    let inner = circuit.cell().x + beside;
    let (at, middle) = (frame.middle(Cell::new(inner, 0)), frame.middle(circuit.cell()));
    for seat in Seat::all(2) {
        let towards = frame.way(if seat.index() == 0 {
            Facing::NORTH
        } else {
            Facing::SOUTH
        });
        let x = middle.0 + (at.0 - middle.0) * 0.52;
        let y = at.1 + towards.y * size * 0.19;
        let power = view.power[seat.index()][circuit as usize];
        canvas.round_rect(
            Rect::new(x - size * 0.17, y - size * 0.16, size * 0.34, size * 0.32),
            size * 0.08,
            Ink::tint(seat.index()),
        );
        let style = Style::bold(size * 0.27).align(Align::Centre);
        canvas.text(x, y, &power.to_string(), style, Ink::Text);
    }
}

/// What happened last: rings about what came or moved, an arrow from where it was, crosses for what went.
fn traces(canvas: &mut Canvas, scene: &BreakerScene<'_>, frame: &BoardFrame) {
    let size = frame.cell;
    for event in scene.recent {
        match event {
            Event::Moved { number, cell, .. } => {
                let Some(block) = scene.view.block(*number) else {
                    continue;
                };
                let (from, to) = (frame.middle(*cell), frame.middle(block.cell));
                let half = size * 0.36;
                canvas.frame(
                    Rect::new(from.0 - half, from.1 - half, 2.0 * half, 2.0 * half),
                    half * 0.4,
                    size * 0.045,
                    Ink::LastMove,
                );
                // The tip stops before the block that it points to.
                let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
                let short = (length - size * 0.52).max(size * 0.3) / length;
                let tip = (from.0 + (to.0 - from.0) * short, from.1 + (to.1 - from.1) * short);
                canvas.arrow(from, tip, size * 0.08, Ink::LastMove);
            }
            Event::Annihilated(Gone { cell, .. }) | Event::Returned(Gone { cell, .. }) => {
                let (x, y) = frame.middle(*cell);
                let half = size * 0.36;
                canvas.frame(
                    Rect::new(x - half, y - half, 2.0 * half, 2.0 * half),
                    half * 0.4,
                    size * 0.045,
                    Ink::LastMove,
                );
                let arm = size * 0.2;
                canvas.line((x - arm, y - arm), (x + arm, y + arm), size * 0.07, Ink::LastMove);
                canvas.line((x - arm, y + arm), (x + arm, y - arm), size * 0.07, Ink::LastMove);
            }
            _ => {}
        }
    }
}

/// A ring about a block that came or moved last, about one that a command can take, and about one that is picked or
/// can be.
fn halo(canvas: &mut Canvas, scene: &BreakerScene<'_>, frame: &BoardFrame, block: &BlockView) {
    let new = scene.recent.iter().any(|event| {
        matches!(event, Event::Added { number, .. } | Event::Moved { number, .. } if *number == block.number)
    });
    let number = block.number.to_string();
    let mark = scene
        .marks
        .of_argument("target", 1, &number)
        .or_else(|| scene.marks.of_argument("move", 1, &number));
    let rings: &[(f32, Ink)] = match mark {
        Some(Mark::Picked) => &[(0.14, POSSIBLE), (0.1, Ink::Panel), (0.06, POSSIBLE)],
        // On a turn like others nearly every block can move.
        Some(Mark::Later) if scene.view.task.is_some() => &[(0.1, Ink::Danger), (0.04, Ink::Panel)],
        Some(Mark::Next) => &[(0.1, POSSIBLE), (0.04, Ink::Panel)],
        _ if new => &[(0.065, Ink::LastMove)],
        Some(Mark::Later) | None => &[],
    };
    for &(beyond, ink) in rings {
        let half = frame.cell * (HALF + beyond);
        block::body(canvas, frame.middle(block.cell), half, block.seat, ink);
    }
}

/// Numbers of blocks, and names of the sockets that can be played into.
fn labels(canvas: &mut Canvas, scene: &BreakerScene<'_>, frame: &BoardFrame) {
    let (view, size) = (scene.view, frame.cell);
    if let Some(seat) = view.path_in_play() {
        for socket in view.open_sockets(seat) {
            let text = if socket.name.len() > 2 && size < 80.0 {
                size * 0.205
            } else {
                size * 0.235
            };
            let at = frame.socket_name(socket);
            let next = ["add", "move"]
                .into_iter()
                .any(|verb| scene.marks.of_argument(verb, 2, &socket.name) == Some(Mark::Next));
            let ground = if next { POSSIBLE } else { Ink::tint(seat.index()) };
            block::tag(canvas, at, &socket.name, text, ground, Ink::rim(seat.index()));
        }
    }
    for block in &view.blocks {
        let (x, y) = frame.middle(block.cell);
        let at = (x - size * 0.27, y - size * 0.29);
        block::tag(
            canvas,
            at,
            &block.number.to_string(),
            size * 0.225,
            Ink::Panel,
            Ink::Black,
        );
    }
}
