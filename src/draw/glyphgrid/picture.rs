//! The picture of a GlyphGrid position.

use std::sync::OnceLock;

use super::pieces::{Badge, badge, ghost, mark, piece, square};
use super::{GridScene, marked, words};
use crate::draw::canvas::Rect;
use crate::draw::grid::BoardGrid;
use crate::draw::mask::Point;
use crate::draw::plate::row;
use crate::draw::shape::{Cap, towards};
use crate::draw::{Align, Canvas, Caption, Ink, Style, Theme, font};
use crate::games::glyphgrid::End;
use crate::games::glyphgrid::grid::Pattern;
use crate::games::glyphgrid::piece::{Glyph, Kind, Side};
use crate::games::glyphgrid::square::{BOARD, GridSquare};
use crate::games::glyphgrid::view::{Event, Fate, SideView};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 1176;
const PLATES: f32 = 100.0;
const GAP: f32 = 14.0;
/// The side of a cell.
pub(super) const CELL: f32 = 118.0;
/// The upper left corner of the board.
const CORNER: Point = ((WIDTH as f32 - 7.0 * CELL) / 2.0, PLATES + 18.0);
const BOARD_END: f32 = CORNER.1 + 7.0 * CELL;
/// What is asked, and the legend under it.
const CAPTION: Rect = Rect::new(
    24.0,
    BOARD_END + 42.0,
    WIDTH as f32 - 48.0,
    LEGEND - BOARD_END - 64.0,
);
const LEGEND: f32 = HEIGHT as f32 - 28.0;

pub(super) fn picture(scene: &GridScene<'_>) -> Canvas {
    let view = scene.view;
    let board = grid(scene);
    let mut canvas = background(scene.theme, board).clone();
    for at in touched(scene.recent) {
        let (x, y) = middle(board, at);
        canvas.rect(square(x, y, CELL / 2.0 - 1.0), Ink::Glow);
    }
    for side in &view.sides {
        for &at in &side.marks {
            mark(&mut canvas, middle(board, at), CELL, side.side);
        }
        if view.to_move.is_some() {
            near_wins(&mut canvas, board, side);
        }
    }
    winning_marks(&mut canvas, scene, board);
    last_move(&mut canvas, scene, board);
    danger(&mut canvas, scene, board);
    marked::goals(&mut canvas, scene, board);
    for side in &view.sides {
        for (kind, at) in side.pieces() {
            let (x, y) = middle(board, at);
            piece(&mut canvas, (x, y), size(kind), side.side, kind);
            if side.protected.contains(&at) {
                badge(
                    &mut canvas,
                    (x + CELL * 0.31, y + CELL * 0.31),
                    14.0,
                    Badge::Shield,
                );
            }
            if view.pending == Some(at) {
                badge(
                    &mut canvas,
                    (x + CELL * 0.31, y + CELL * 0.31),
                    17.0,
                    Badge::Turning(side.side),
                );
            }
        }
    }
    tags(&mut canvas, scene, board);
    captures(&mut canvas, scene, board);
    marked::rings(&mut canvas, scene, board);
    let plates = Rect::new(GAP, GAP, WIDTH as f32 - 2.0 * GAP, PLATES - GAP);
    for (side, area) in view.sides.iter().zip(row(plates, view.sides.len(), GAP)) {
        plate(&mut canvas, scene, area, side);
    }
    footer(&mut canvas, scene);
    canvas
}

const fn size(kind: Kind) -> f32 {
    match kind {
        Kind::Core => 38.0,
        Kind::Shard => 35.0,
    }
}

/// The board with the player's own side at the bottom.
pub(super) fn grid(scene: &GridScene<'_>) -> BoardGrid {
    BoardGrid {
        board: BOARD,
        corner: CORNER,
        cell: CELL,
        turned: scene.view.side_of(scene.side) == Side::Moon,
    }
}

/// The middle of a square in the picture.
pub(super) fn middle(board: BoardGrid, at: GridSquare) -> Point {
    board.middle(at.place())
}

/// The empty board with its coordinates, and the legend.
fn background(theme: Theme, board: BoardGrid) -> &'static Canvas {
    static BACKGROUNDS: [OnceLock<Canvas>; 2 * Theme::ALL.len()] =
        [const { OnceLock::new() }; 2 * Theme::ALL.len()];
    BACKGROUNDS[2 * theme as usize + usize::from(board.turned)].get_or_init(|| {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, theme);
        board.chequer(&mut canvas, [Ink::CellA, Ink::CellB]);
        board.names(&mut canvas, (CORNER.0 / 2.0, 24.0), 27.0, Ink::Text);
        legend(&mut canvas);
        canvas
    })
}

/// What the signs mean, small, for those who play for the first time.
fn legend(canvas: &mut Canvas) {
    let style = Style::regular(22.0);
    let words = ["Core", "Shard", "marks", "can't be pushed", "turns next turn"];
    let icon = |word: &str| if word == "marks" { 78.0 } else { 42.0 };
    let total: f32 = words
        .iter()
        .map(|word| icon(word) + font::width(word, style) + 26.0)
        .sum::<f32>()
        - 26.0;
    let mut x = (WIDTH as f32 - total) / 2.0;
    for word in words {
        let at = (x + 16.0, LEGEND);
        match word {
            "Core" => piece(canvas, at, 15.0, Side::Sun, Kind::Core),
            "Shard" => piece(canvas, at, 15.0, Side::Sun, Kind::Shard),
            "marks" => {
                mark(canvas, at, 36.0, Side::Sun);
                mark(canvas, (at.0 + 38.0, at.1), 36.0, Side::Moon);
            }
            "can't be pushed" => badge(canvas, at, 13.0, Badge::Shield),
            _ => badge(canvas, at, 13.0, Badge::Turning(Side::Moon)),
        }
        x += icon(word);
        canvas.text(x, LEGEND, word, style, Ink::Faint);
        x += font::width(word, style) + 26.0;
    }
}

/// The squares that the last turn was about.
fn touched(recent: &[Event]) -> Vec<GridSquare> {
    let mut squares = Vec::new();
    for event in recent {
        match event {
            Event::Moved { from, to, .. } => squares.extend([*from, *to]),
            Event::Pushed { from, to, fate, .. } => {
                squares.extend([*from, *to]);
                if let Fate::Moved(square) = fate {
                    squares.push(*square);
                }
            }
            Event::Marked { from, at, .. } => squares.extend([*from, *at]),
            Event::Inverted { .. } | Event::Swapped { .. } | Event::Turn { .. } | Event::Left { .. } => {}
        }
    }
    squares
}

/// How wide the path of the last move is.
const PATH: f32 = 10.0;

/// The path that the last piece took.
fn last_move(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    for event in scene.recent {
        match event {
            Event::Moved { glyph, from, to, .. } => {
                let (start, goal) = (middle(board, *from), middle(board, *to));
                match glyph {
                    Glyph::Arc => bow(canvas, start, goal),
                    Glyph::Vector | Glyph::Lance | Glyph::Pulse | Glyph::Anchor => {
                        straight(canvas, start, goal);
                    }
                }
            }
            Event::Pushed { from, to, fate, .. } => {
                let (start, goal) = (middle(board, *from), middle(board, *to));
                straight(canvas, start, goal);
                let beyond = (2.0 * goal.0 - start.0, 2.0 * goal.1 - start.1);
                match fate {
                    Fate::Moved(_) => chevrons(canvas, goal, beyond),
                    Fate::OffBoard | Fate::Crushed(_) => {}
                }
            }
            Event::Marked { from, at, .. } => {
                let (start, goal) = (middle(board, *from), middle(board, *at));
                if from != at {
                    straight(canvas, start, goal);
                }
                ripple(canvas, goal);
            }
            Event::Inverted { at, .. } => ripple(canvas, middle(board, *at)),
            Event::Swapped { .. } | Event::Turn { .. } | Event::Left { .. } => {}
        }
    }
}

fn straight(canvas: &mut Canvas, start: Point, goal: Point) {
    let tail = towards(start, goal, 8.0);
    canvas.circle(tail.0, tail.1, PATH, Ink::LastMove);
    canvas.arrow_between((start, goal), (8.0, 42.0), PATH, Ink::LastMove);
}

/// A knight's leap: first along the long way, then round the corner.
fn bow(canvas: &mut Canvas, start: Point, goal: Point) {
    let (dx, dy) = (goal.0 - start.0, goal.1 - start.1);
    let bend = if dx.abs() > dy.abs() {
        (goal.0, start.1)
    } else {
        (start.0, goal.1)
    };
    let on_bow = |t: f32| {
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        (
            a * start.0 + b * bend.0 + c * goal.0,
            a * start.1 + b * bend.1 + c * goal.1,
        )
    };
    let points: Vec<Point> = (0..=20).map(|step| on_bow(step as f32 * 0.036)).collect();
    canvas.circle(start.0, start.1, PATH, Ink::LastMove);
    canvas.polyline(&points, PATH, Cap::Butt, Ink::LastMove);
    if let [.., before, last] = points[..] {
        canvas.arrow(before, towards(last, goal, 22.0), PATH, Ink::LastMove);
    }
}

/// The way of a pushed piece.
fn chevrons(canvas: &mut Canvas, from: Point, to: Point) {
    for pixels in [46.0, 62.0] {
        let tip = towards(from, to, pixels + 12.0);
        let foot = towards(from, to, pixels - 4.0);
        let (ax, ay) = (tip.1 - foot.1, foot.0 - tip.0);
        let wings = [(foot.0 + ax, foot.1 + ay), tip, (foot.0 - ax, foot.1 - ay)];
        canvas.polyline(&wings, 8.0, Cap::Round, Ink::LastMove);
    }
}

/// A ring around what was marked or turned last.
fn ripple(canvas: &mut Canvas, (x, y): Point) {
    canvas.frame(square(x, y, CELL / 2.0 - 1.0), 4.0, 6.0, Ink::LastMove);
}

/// The name of the last glyph: in the square that the piece left, out of the path's way, or on the
/// upper edge of the square where it stayed.
fn tags(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    for event in scene.recent {
        let (glyph, from, to) = match event {
            Event::Moved { glyph, from, to, .. } => (*glyph, *from, *to),
            Event::Pushed { from, to, .. } => (Glyph::Pulse, *from, *to),
            Event::Marked { from, at, .. } => (Glyph::Anchor, *from, *at),
            Event::Inverted { .. } | Event::Swapped { .. } | Event::Turn { .. } | Event::Left { .. } => {
                continue;
            }
        };
        let ((x, y), goal) = (middle(board, from), middle(board, to));
        let y = if from == to {
            y - CELL * 0.46
        } else if goal.1 > y {
            y - CELL * 0.37
        } else {
            y + CELL * 0.37
        };
        let style = Style::bold(22.0).align(Align::Centre);
        let width = font::width(glyph.name(), style) + 16.0;
        canvas.round_rect(
            Rect::new(x - width / 2.0, y - 14.0, width, 28.0),
            14.0,
            Ink::LastMove,
        );
        let ink = canvas.theme().legible_on(Ink::LastMove);
        canvas.text(x, y, glyph.name(), style, ink);
    }
}

/// Where something was captured: a cross, on top of everything.
fn captures(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    for event in scene.recent {
        let at = match event {
            Event::Moved {
                to,
                captured: Some(_),
                ..
            } => {
                let (x, y) = middle(board, *to);
                (x + CELL * 0.33, y - CELL * 0.33)
            }
            Event::Pushed {
                from,
                to,
                fate: Fate::OffBoard | Fate::Crushed(_),
                ..
            } => {
                // On the edge that the victim was pushed against.
                let (start, goal) = (middle(board, *from), middle(board, *to));
                (
                    goal.0 + (goal.0 - start.0) * 0.45,
                    goal.1 + (goal.1 - start.1) * 0.45,
                )
            }
            _ => continue,
        };
        badge(canvas, at, 17.0, Badge::Captured);
    }
}

/// Lines and squares that lack one mark, and the square they lack.
fn near_wins(canvas: &mut Canvas, board: BoardGrid, side: &SideView) {
    let ink = Ink::seat(side.side.index());
    for near in &side.near {
        let Some(missing) = near.missing else { continue };
        let mut squares = near.have.clone();
        squares.push(missing);
        squares.sort_unstable();
        let points: Vec<Point> = squares.iter().map(|&at| middle(board, at)).collect();
        if near.pattern == Pattern::Line
            && let [first, .., last] = points[..]
        {
            canvas.line(first, last, 8.0, ink.fade(0.55));
        } else if let [a, b, c, d] = points[..] {
            canvas.polyline(&[a, b, d, c, a], 8.0, Cap::Round, ink.fade(0.55));
        }
    }
    for near in &side.near {
        if let Some(missing) = near.missing {
            ghost(canvas, middle(board, missing), CELL, side.side);
        }
    }
}

/// The marks that won, tied together.
fn winning_marks(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    let marks = scene.view.winning_marks();
    for &at in &marks {
        let (x, y) = middle(board, at);
        canvas.frame(square(x, y, CELL / 2.0 - 1.0), 6.0, 7.0, Ink::Good);
    }
    if let Some(End::Resonance(_, Pattern::Line)) = scene.view.end
        && let [first, .., last] = marks[..]
    {
        canvas.line(middle(board, first), middle(board, last), 12.0, Ink::Good);
    }
}

/// The Core that could be captured, and by whom.
fn danger(canvas: &mut Canvas, scene: &GridScene<'_>, board: BoardGrid) {
    let view = scene.view;
    for &at in &view.alarm.completes {
        let (x, y) = middle(board, at);
        canvas.frame(square(x, y, CELL / 2.0 - 2.0), 6.0, 6.0, Ink::Danger);
    }
    let Some(core) = view.to_move.and_then(|side| view.side(side).core) else {
        return;
    };
    if view.alarm.attackers.is_empty() {
        return;
    }
    let goal = middle(board, core);
    canvas.frame(square(goal.0, goal.1, CELL / 2.0 - 2.0), 6.0, 8.0, Ink::Danger);
    for attack in &view.alarm.attackers {
        let start = middle(board, attack.from);
        canvas.dashed_arrow((start, goal), (36.0, 42.0), Ink::Danger);
    }
}

/// A player: sign, name, whose turn, marks on the way to six, Shards left.
fn plate(canvas: &mut Canvas, scene: &GridScene<'_>, plate: Rect, side: &SideView) {
    scene.plate(canvas, plate, side.seat, side.side.index());
    piece(
        canvas,
        (plate.x + 46.0, plate.y + 43.0),
        28.0,
        side.side,
        Kind::Core,
    );
    let left = plate.x + 88.0;
    scene.title(canvas, plate, 88.0, side.seat, 29.0, scene.tag(side.seat));
    let y = plate.y + 62.0;
    let marks = side.marks.len();
    for pip in 0..6 {
        let x = left + 11.0 + pip as f32 * 25.0;
        if pip < marks {
            mark(canvas, (x, y), 26.0, side.side);
        } else {
            canvas.circle(x, y, 3.5, Ink::Faint);
        }
    }
    let small = Style::regular(21.0);
    let caption = format!("{marks} of 6");
    canvas.text(
        left + 158.0,
        y,
        &caption,
        small,
        if marks == 5 { Ink::Danger } else { Ink::Text },
    );
    for shard in 0..side.shards.len().min(4) {
        let x = plate.right() - 26.0 - shard as f32 * 22.0;
        piece(canvas, (x, y), 11.0, side.side, Kind::Shard);
    }
}

/// The caption under the board.
fn footer(canvas: &mut Canvas, scene: &GridScene<'_>) {
    let (call, notes) = (scene.call(16), words::notes(scene, 16));
    let caption = Caption::within(&call, &notes, CAPTION.width, CAPTION.height);
    let ink = if scene.view.alarm.is_quiet() {
        Ink::Text
    } else {
        Ink::Danger
    };
    caption.draw_centred(canvas, CAPTION, ink);
}
