//! The board: energy, beams, pieces, and what happened in the last turn.

use std::sync::OnceLock;

use super::FabricScene;
use super::layout::{CAPTION, FOOT, HEIGHT, Layout, WIDTH, towards};
use super::pieces::{piece, wreck};
use crate::draw::canvas::Rect;
use crate::draw::mask::Point;
use crate::draw::shape::{Cap, regular};
use crate::draw::{Align, Canvas, Caption, Ink, Style, Theme};
use crate::game::Seat;
use crate::games::fabric::cell::{Cell, CellSet, LARGEST};
use crate::games::fabric::field::{OVERLOAD, REACH};
use crate::games::fabric::piece::{Facing, Piece};
use crate::games::fabric::view::{Event, PieceView, View};

/// The empty board with its coordinates and the legend.
pub fn background(theme: Theme, layout: Layout) -> &'static Canvas {
    const SIZES: usize = LARGEST as usize + 1;
    static BACKGROUNDS: [[OnceLock<Canvas>; SIZES]; Theme::ALL.len()] =
        [const { [const { OnceLock::new() }; SIZES] }; Theme::ALL.len()];
    let size = usize::from(layout.0.board.size.unsigned_abs());
    BACKGROUNDS[theme as usize][size].get_or_init(|| {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, theme);
        canvas.fill(Ink::Paper);
        canvas.rect(layout.0.area().inset(-3.0), Ink::Line);
        layout.0.names(&mut canvas, (25.0, 22.0), 26.0, Ink::Faint);
        legend(&mut canvas);
        canvas
    })
}

/// What the signs mean, in one line.
fn legend(canvas: &mut Canvas) {
    let style = Style::regular(25.0);
    let y = FOOT;
    let seat = Seat::new(0);
    for (x, sample, words) in [
        (64.0, Piece::Anchor, "A Anchor"),
        (246.0, Piece::Relay(Facing::East), "R Relay"),
        (406.0, Piece::Prism, "P Prism"),
    ] {
        piece(canvas, (x, y), 15.0, seat, sample, 1);
        canvas.text(x + 28.0, y, words, style, Ink::Text);
    }
    let mark = Rect::new(560.0, y - 17.0, 34.0, 34.0);
    canvas.rect(mark, Ink::EnergyHigh);
    brink(canvas, mark.inset(2.0), 3.0);
    canvas.text(606.0, y, "one short", style, Ink::Text);
    let mark = Rect::new(748.0, y - 17.0, 34.0, 34.0);
    canvas.rect(mark, Ink::Panel);
    hatch(canvas, mark);
    canvas.text(794.0, y, "blast zone", style, Ink::Text);
}

/// Everything on the board.
pub fn draw(canvas: &mut Canvas, scene: &FabricScene<'_>, layout: Layout) {
    let view = scene.view;
    let last = LastTurn::of(scene.recent);
    let hazards: CellSet = view
        .cells()
        .filter(|&cell| view.energy_at(cell) >= OVERLOAD)
        .collect();
    let zone = hazards.spread();
    for cell in view.cells() {
        let square = layout.square(cell).inset(1.0);
        ground(canvas, square, view.energy_at(cell));
        if zone.contains(cell) {
            hatch(canvas, square);
        }
    }
    for &cell in &last.placed {
        canvas.frame(
            layout.square(cell).inset(1.0),
            0.0,
            layout.0.cell * 0.065,
            Ink::LastMove,
        );
    }
    blast(canvas, view, &last, layout);
    for relay in &view.pieces {
        beam(canvas, view, relay, layout);
    }
    for prism in &view.pieces {
        axes(canvas, prism, layout);
    }
    for &(cell, seat, gone) in &last.wrecks {
        wreck(canvas, layout.middle(cell), layout.0.cell * 0.25, seat, gone);
    }
    for standing in &view.pieces {
        let at = layout.middle(standing.cell);
        piece(
            canvas,
            at,
            layout.0.cell * 0.25,
            standing.seat,
            standing.piece,
            standing.sends,
        );
    }
    for cell in view.cells() {
        numbers(canvas, view, &last, cell, layout);
    }
    for prism in &view.pieces {
        score(canvas, prism, layout);
    }
    caption(canvas, scene);
}

/// What the last turn did, gathered from its events.
#[derive(Default)]
struct LastTurn {
    placed: Vec<Cell>,
    burst: Vec<(Cell, u8)>,
    wrecks: Vec<(Cell, Seat, Piece)>,
}

impl LastTurn {
    fn of(events: &[Event]) -> Self {
        let mut last = Self::default();
        for event in events {
            match event {
                Event::Placed { at, .. } => last.placed.push(*at),
                Event::Detonated { cells, wrecks, .. } => {
                    last.burst.extend(cells.iter().map(|hot| (hot.cell, hot.energy)));
                    last.wrecks
                        .extend(wrecks.iter().map(|wreck| (wreck.cell, wreck.seat, wreck.piece)));
                }
                // What Prisms scored is what they score in this field; the plates show the sums.
                Event::Resonated { .. } | Event::Scored { .. } | Event::Left { .. } => {}
            }
        }
        last
    }
}

/// The tint of a cell's energy, and a frame on the brink of an overload.
fn ground(canvas: &mut Canvas, square: Rect, energy: u8) {
    match energy {
        0 => canvas.rect(square, Ink::CellA),
        1 => canvas.rect(square, Ink::EnergyLow),
        2 => canvas.rect(square, Ink::EnergyMid),
        3 => {
            canvas.rect(square, Ink::EnergyMid);
            canvas.rect(square, Ink::EnergyHigh.fade(0.5));
        }
        _ => canvas.rect(square, Ink::EnergyHigh),
    }
    if energy + 1 == OVERLOAD {
        brink(canvas, square.inset(4.0), square.width * 0.05);
    }
}

/// Four corners: one more, and it bursts.
fn brink(canvas: &mut Canvas, square: Rect, width: f32) {
    let (width, arm) = (width.round().max(3.0), (square.width * 0.3).round());
    let halo = (width * 0.4).round();
    let far = square.width - width;
    for (x, y) in [(0.0, 0.0), (far, 0.0), (0.0, far), (far, far)] {
        // The arms go from the corner inwards.
        let back = |place: f32| if place > 0.0 { place + width - arm } else { 0.0 };
        let (x, y) = (square.x + x, square.y + y);
        let (left, top) = (square.x + back(x - square.x), square.y + back(y - square.y));
        let arms = [Rect::new(left, y, arm, width), Rect::new(x, top, width, arm)];
        for bar in arms {
            canvas.rect(bar.inset(-halo), Ink::Panel);
        }
        for bar in arms {
            canvas.rect(bar, Ink::Danger);
        }
    }
}

/// Slanting lines over a cell in which a piece does not last.
fn hatch(canvas: &mut Canvas, square: Rect) {
    let Rect { x, y, width, .. } = square;
    let step = width / 4.0;
    for line in 1..8 {
        let along = line as f32 * step;
        let from = (x + (along - width).max(0.0), y + along.min(width));
        let to = (x + along.min(width), y + (along - width).max(0.0));
        canvas.polyline(&[from, to], 2.5, Cap::Butt, Ink::Danger.fade(0.5));
    }
}

/// The squares that blew up in the last turn: their common outline, and a star where it started.
fn blast(canvas: &mut Canvas, view: &View, last: &LastTurn, layout: Layout) {
    let zone = last
        .burst
        .iter()
        .map(|&(cell, _)| cell)
        .collect::<CellSet>()
        .spread();
    let inside = |cell: Cell| zone.contains(cell);
    for cell in view.cells().filter(|&cell| inside(cell)) {
        for facing in Facing::ALL {
            let next = cell.step(facing.step());
            if !inside(next) || !view.cells().any(|other| other == next) {
                let half = layout.0.cell / 2.0;
                let at = layout.middle(cell);
                let ends = [
                    towards(at, facing, half - 2.0, -half),
                    towards(at, facing, half - 2.0, half),
                ];
                canvas.polyline(&ends, 5.0, Cap::Butt, Ink::Danger);
            }
        }
    }
    for &(cell, _) in &last.burst {
        star(canvas, layout.middle(cell), layout.0.cell * 0.45);
    }
}

fn star(canvas: &mut Canvas, (x, y): Point, radius: f32) {
    let outer = regular(x, y, radius, 10, 0.0);
    let inner = regular(x, y, radius * 0.66, 10, 0.05);
    let corners: Vec<Point> = outer.into_iter().zip(inner).flat_map(|(a, b)| [a, b]).collect();
    canvas.polygon(&corners, Ink::Glow);
    canvas.outline(&corners, 3.5, Ink::Danger);
}

/// Where a Relay's energy goes: an arrow into each cell.
fn beam(canvas: &mut Canvas, view: &View, relay: &PieceView, layout: Layout) {
    let Some(facing) = relay.piece.facing() else {
        return;
    };
    let ink = Ink::seat(relay.seat.index());
    let unit = layout.0.cell;
    // A lane for each player and direction; on the screen all run side by side.
    let lane = match (facing, relay.seat.index()) {
        (Facing::North | Facing::East, 0) => -0.2,
        (Facing::South | Facing::West, 0) => 0.07,
        (Facing::North | Facing::East, _) => 0.07,
        (Facing::South | Facing::West, _) => -0.2,
    } * unit;
    let start = layout.middle(relay.cell);
    let mut place = relay.cell;
    for border in 0..REACH {
        place = place.step(facing.step());
        if !view.cells().any(|cell| cell == place) {
            break;
        }
        // Only the way over the border is drawn, so that the numbers stay clear.
        let middle = border as f32 + 0.5;
        let at =
            |ahead: f32, right: f32| towards(start, facing, (middle + ahead) * unit, lane + right * unit);
        let (tail, neck) = (at(-0.16, -0.025), at(0.04, 0.025));
        canvas.rect(spanned(tail, neck), ink);
        canvas.polygon(&[at(0.03, -0.085), at(0.16, 0.0), at(0.03, 0.085)], ink);
    }
}

/// The rectangle between two points, in whole pixels: straight edges that need no smoothing.
fn spanned(a: Point, b: Point) -> Rect {
    let (left, right) = (a.0.min(b.0).round(), a.0.max(b.0).round());
    let (top, bottom) = (a.1.min(b.1).round(), a.1.max(b.1).round());
    Rect::new(left, top, right - left, bottom - top)
}

/// The axes of a Prism that are in balance.
fn axes(canvas: &mut Canvas, prism: &PieceView, layout: Layout) {
    let at = layout.middle(prism.cell);
    let reach = layout.0.cell * 0.62;
    for (facing, points) in [Facing::North, Facing::East].into_iter().zip(prism.resonance) {
        if points > 0 {
            let (wide, thin) = (layout.0.cell * 0.075, layout.0.cell * 0.04);
            for (side, end, ink) in [(wide, reach + 3.0, Ink::Panel), (thin, reach, Ink::Good)] {
                let bar = spanned(towards(at, facing, -end, -side), towards(at, facing, end, side));
                canvas.rect(bar, ink);
            }
        }
    }
}

/// What a Prism scored.
fn score(canvas: &mut Canvas, prism: &PieceView, layout: Layout) {
    let points: u8 = prism.resonance.iter().sum();
    if points == 0 {
        return;
    }
    let square = layout.square(prism.cell);
    let size = layout.0.cell * 0.27;
    let pill = Rect::new(square.x + 3.0, square.y + 3.0, size * 1.55, size * 1.15);
    canvas.round_rect(pill, size * 0.4, Ink::Good);
    let (x, y) = pill.centre();
    let sign = canvas.theme().legible_on(Ink::Good);
    let style = Style::bold(size).align(Align::Centre);
    canvas.text(x, y, &format!("+{points}"), style, sign);
}

/// The energy of a cell: in the middle of an empty one, in the corner under a piece.
fn numbers(canvas: &mut Canvas, view: &View, last: &LastTurn, cell: Cell, layout: Layout) {
    let energy = view.energy_at(cell);
    let square = layout.square(cell);
    let burst = last.burst.iter().find(|&&(hot, _)| hot == cell);
    let crowded = view.piece_at(cell).is_some() || last.wrecks.iter().any(|&(at, ..)| at == cell);
    let unit = layout.0.cell;
    if let Some(&(_, peak)) = burst.filter(|_| !crowded) {
        // What it burst with; what is left of that goes into the corner.
        let (x, y) = square.centre();
        let style = Style::bold(unit * 0.36).align(Align::Centre);
        canvas.text(x, y, &peak.to_string(), style, Ink::Danger);
    } else if !crowded {
        let (x, y) = square.centre();
        let style = Style::bold(unit * 0.34).align(Align::Centre);
        let ink = match energy {
            0 => {
                return canvas.text(
                    x,
                    y,
                    "0",
                    Style::regular(unit * 0.24).align(Align::Centre),
                    Ink::Faint.fade(0.5),
                );
            }
            1..=3 => Ink::Text,
            _ => canvas.theme().legible_on(Ink::EnergyHigh),
        };
        canvas.text(x, y, &energy.to_string(), style, ink);
        return;
    }
    let style = Style::bold(unit * 0.25).align(Align::Right);
    // Within the mark of a cell on the brink.
    let edge = if energy + 1 == OVERLOAD { 0.13 } else { 0.06 } * unit;
    let (x, y) = (square.right() - edge, square.bottom() - edge - unit * 0.09);
    let ink = if energy + 1 < OVERLOAD {
        Ink::Text
    } else {
        canvas.theme().legible_on(Ink::EnergyHigh)
    };
    canvas.text(x, y, &energy.to_string(), style, ink);
}

/// What is asked, or how it ended.
fn caption(canvas: &mut Canvas, scene: &FabricScene<'_>) {
    let call = scene.call(super::words::NAME);
    let caption = Caption::within(&call, &super::call::notes(scene), CAPTION.width, CAPTION.height);
    caption.draw_centred(canvas, CAPTION, Ink::Text);
}
