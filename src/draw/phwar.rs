//! Phwar as players see it.
//!
//! A particle's kind is its shape and sign: electrons are discs with a minus, positrons squares with a
//! plus, neutrons diamonds with a nought. Its owner is its colour and its filling: solid for seat 1,
//! hollow for seat 2, ringed for seat 3.

mod call;
mod capture;
mod illustrations;
mod marked;
mod spots;

use std::sync::OnceLock;

use super::canvas::Rect;
use super::mask::Point;
use super::prose::lines;
use super::shape::{Cap, hexagon};
use super::{
    ALT_LIMIT, Align, Canvas, Caption, Illustration, Ink, Prose, Scene, Show, Spot, Style, TEXT_COLUMNS,
    Theme, font, plate,
};
use crate::board::hex::Hex;
use crate::game::Seat;
use crate::games::phwar::Phwar;
use crate::games::phwar::cell::{BOARD, CENTRE, Cell};
use crate::games::phwar::particle::Kind;
use crate::games::phwar::view::{ArmyView, Event, View};
use crate::{tell, text};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 1222;
/// From the middle of a cell to its corner.
const CORNER: f32 = 52.0;
const PLATES: f32 = 96.0;
/// How large the names of cells are: free ones, those under a particle, and those where one may go.
const FREE_NAME: f32 = 22.0;
const HELD_NAME: f32 = 21.0;
const GOAL_NAME: f32 = 24.0;
const MIDDLE: Point = (WIDTH as f32 / 2.0, PLATES + 22.0 + 496.0);

/// The longest name within a sentence.
const NAME: usize = 40;

type PhwarScene<'a> = Scene<'a, Phwar>;

impl Show for Phwar {
    const RULES: &'static str = include_str!("../../assets/phwar/rules.md");

    fn illustration(name: &str) -> Option<Illustration<Self>> {
        illustrations::illustration(name)
    }

    fn picture(scene: &PhwarScene<'_>) -> Canvas {
        let mut canvas = background(scene.theme).clone();
        let board = Turned::towards(scene.side, scene.view.armies.len());
        last_move(&mut canvas, scene, board);
        marked::under(&mut canvas, scene, board);
        cells(&mut canvas, scene, board);
        for army in &scene.view.armies {
            for (kind, cell) in army.particles() {
                let (x, y) = board.middle(cell);
                particle(&mut canvas, (x, y - 9.0), 27.0, kind, army.seat);
            }
        }
        marked::over(&mut canvas, scene, board);
        capture::captured(&mut canvas, scene, board);
        plates(&mut canvas, scene);
        footer(&mut canvas, scene);
        canvas
    }

    fn text(scene: &PhwarScene<'_>) -> String {
        let board = Turned::towards(scene.side, scene.view.armies.len());
        let mut text = board_text(scene.view, board);
        text.push_str("\n1- player 1's electron, 2+ player 2's positron, 1o neutron\n");
        for army in &scene.view.armies {
            let name = font::clean(scene.name(army.seat));
            let line = format!("{} {name}: {}", army.seat, army_text(army));
            text.push_str(&lines(&line, TEXT_COLUMNS, "  "));
            text.push('\n');
        }
        let said = format!("{}{}", marked::words(scene), status(scene));
        text.push_str(&lines(&said, TEXT_COLUMNS, "  "));
        text
    }

    fn alt(scene: &PhwarScene<'_>) -> String {
        let mut text = String::from("Phwar. ");
        if scene.view.centre {
            text.push_str("A neutron on F6 wins. ");
        }
        for army in &scene.view.armies {
            let name = scene.short_name(army.seat, NAME);
            text.push_str(&format!("{name} (player {}): {}. ", army.seat, army_text(army)));
        }
        let last = Self::narrate(scene.recent).plain(|seat| scene.short_name(seat, NAME));
        if !last.is_empty() {
            text.push_str(&last);
            text.push(' ');
        }
        text.push_str(&marked::words(scene));
        text.push_str(&status(scene));
        text::cut(&text, ALT_LIMIT)
    }

    fn helpful_rules(scene: &PhwarScene<'_>) -> Option<&'static str> {
        (!scene.view.capturable.is_empty()).then_some("Capturing")
    }

    fn ask(scene: &PhwarScene<'_>) -> Prose {
        call::ask(scene)
    }

    fn result(scene: &PhwarScene<'_>) -> Prose {
        call::result(scene)
    }

    fn spots(scene: &PhwarScene<'_>) -> Vec<Spot> {
        spots::spots(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        let mut prose = Prose::new();
        for event in events {
            prose.sentence(sentence(event));
        }
        prose
    }
}

fn sentence(event: &Event) -> Prose {
    match event {
        Event::Slid { seat, kind, from, to } => {
            tell!(
                "{player} slides {particle} from {from} to {to}.",
                player = *seat,
                particle = kind.a_name(),
                from = from.to_string(),
                to = to.to_string()
            )
        }
        Event::Captured {
            seat,
            kind,
            from,
            to,
            victim,
            taken,
        } => tell!(
            "{player} captures {victim}'s {taken} on {to} with the {particle} from {from}.",
            player = *seat,
            victim = *victim,
            taken = taken.name(),
            to = to.to_string(),
            particle = kind.name(),
            from = from.to_string()
        ),
        Event::Passed { seat } => tell!("{player} can't move and passes.", player = *seat),
        Event::Eliminated { seat, lacks } => {
            let lacks = lacks.iter().map(|kind| format!("no {}", kind.name()));
            tell!(
                "{player} has {nothing} left and is out.",
                player = *seat,
                nothing = text::list(lacks)
            )
        }
        Event::Left { seat } => tell!(
            "{player} leaves the game with all their particles.",
            player = *seat
        ),
    }
}

/// What is asked or how it ended, and what else presses.
fn status(scene: &PhwarScene<'_>) -> String {
    let (said, notes) = (scene.call(NAME), call::notes(scene));
    [said, notes].join(" ").trim_end().to_owned()
}

/// "neutron F1; electrons D2 F2 F3 H2; positrons E1 E2 G1 G2".
fn army_text(army: &ArmyView) -> String {
    if !army.inside {
        return "out".to_owned();
    }
    let part = |kind: Kind| {
        let cells: Vec<String> = army.cells(kind).iter().map(Cell::to_string).collect();
        let cells = cells.join(" ");
        match (kind, army.cells(kind).len()) {
            (Kind::Neutron, 1) => format!("neutron {cells}"),
            (Kind::Neutron, _) => format!("neutrons {cells}"),
            (Kind::Electron, 1) => format!("electron {cells}"),
            (Kind::Electron, _) => format!("electrons {cells}"),
            (Kind::Positron, 1) => format!("positron {cells}"),
            (Kind::Positron, _) => format!("positrons {cells}"),
        }
    };
    [Kind::Neutron, Kind::Electron, Kind::Positron]
        .map(part)
        .join("; ")
}

/// The board turned so that a seat's home is at the bottom.
#[derive(Clone, Copy)]
struct Turned {
    sixths: u8,
}

impl Turned {
    fn towards(side: Seat, seats: usize) -> Self {
        let home = side.index() % seats.max(1) * (6 / seats.max(1));
        Self {
            sixths: ((9 - home) % 6) as u8,
        }
    }

    fn hex(self, cell: Cell) -> Hex {
        cell.hex().turned_by(self.sixths)
    }

    /// Where a cell lies in the picture.
    fn middle(self, cell: Cell) -> Point {
        place(self.hex(cell))
    }
}

fn place(hex: Hex) -> Point {
    let (x, y) = hex.middle();
    (MIDDLE.0 + x * CORNER, MIDDLE.1 + y * CORNER)
}

/// The empty board, the same from every side.
fn background(theme: Theme) -> &'static Canvas {
    static BACKGROUNDS: [OnceLock<Canvas>; Theme::ALL.len()] = [const { OnceLock::new() }; Theme::ALL.len()];
    BACKGROUNDS[theme as usize].get_or_init(|| {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, theme);
        canvas.fill(Ink::Paper);
        for hex in BOARD.cells() {
            let (x, y) = place(hex);
            let tone = match (hex.q - hex.r).rem_euclid(3) {
                0 => Ink::CellA,
                1 => Ink::CellB,
                _ => Ink::CellC,
            };
            canvas.polygon(&hexagon(x, y, CORNER), Ink::Line);
            canvas.polygon(&hexagon(x, y, CORNER - 1.6), tone);
        }
        canvas
    })
}

/// Names on the cells, and marks on those that matter.
fn cells(canvas: &mut Canvas, scene: &PhwarScene<'_>, board: Turned) {
    if scene.view.centre {
        let (x, y) = board.middle(CENTRE);
        canvas.ring(x, y, 38.0, 3.0, Ink::Faint);
        canvas.ring(x, y, 31.0, 1.5, Ink::Faint);
    }
    for &cell in &scene.view.capturable {
        let (x, y) = board.middle(cell);
        canvas.outline(&hexagon(x, y, CORNER - 5.0), 6.0, Ink::Danger);
    }
    let occupied: Vec<Cell> = scene
        .view
        .armies
        .iter()
        .flat_map(|army| army.particles().map(|(_, cell)| cell))
        .collect();
    for hex in BOARD.cells() {
        let cell = Cell::at(hex);
        let (x, y) = board.middle(cell);
        if occupied.contains(&cell) {
            let style = Style::bold(HELD_NAME).align(Align::Centre);
            canvas.text(x, y + 31.0, &cell.to_string(), style, Ink::Text);
        } else {
            let (style, ink) = if marked::is_goal(scene, cell) {
                (Style::bold(GOAL_NAME), Ink::Text)
            } else {
                (Style::regular(FREE_NAME), Ink::Faint)
            };
            canvas.text(x, y, &cell.to_string(), style.align(Align::Centre), ink);
        }
    }
}

/// Where the last particle came from and went.
fn last_move(canvas: &mut Canvas, scene: &PhwarScene<'_>, board: Turned) {
    for event in scene.recent {
        let (from, to) = match event {
            Event::Slid { from, to, .. } | Event::Captured { from, to, .. } => (*from, *to),
            Event::Passed { .. } | Event::Eliminated { .. } | Event::Left { .. } => continue,
        };
        let (start, goal) = (board.middle(from), board.middle(to));
        for (x, y) in [start, goal] {
            canvas.polygon(&hexagon(x, y, CORNER - 1.6), Ink::Glow);
        }
        canvas.outline(&hexagon(start.0, start.1, CORNER - 4.0), 3.0, Ink::LastMove);
        canvas.outline(&hexagon(goal.0, goal.1, CORNER - 4.0), 5.0, Ink::LastMove);
        if matches!(event, Event::Captured { .. }) {
            capture::burst(canvas, goal);
        }
        // The arrow stops before the particle that it points to.
        canvas.arrow_between((start, goal), (26.0, 44.0), 9.0, Ink::LastMove);
    }
}

/// One particle; `size` is about its radius.
fn particle(canvas: &mut Canvas, (x, y): Point, size: f32, kind: Kind, seat: Seat) {
    let (fill, rim) = (Ink::seat(seat.index()), Ink::rim(seat.index()));
    let ring = size * 0.16;
    let mut layer = |size: f32, ink: Ink| shape(canvas, (x, y), size, kind, ink);
    layer(size + 2.0, rim);
    let ground = match seat.index() {
        0 => {
            layer(size - ring * 0.5, fill);
            fill
        }
        1 => {
            layer(size - ring * 0.5, fill);
            layer(size - ring * 2.1, Ink::White);
            Ink::White
        }
        _ => {
            layer(size - ring * 0.5, fill);
            layer(size - ring * 1.5, rim);
            layer(size - ring * 2.1, fill);
            fill
        }
    };
    let sign = if ground == Ink::White {
        rim
    } else {
        canvas.theme().legible_on(ground)
    };
    let (arm, thick) = (size * 0.42, size * 0.2);
    match kind {
        Kind::Electron => canvas.polyline(&[(x - arm, y), (x + arm, y)], thick, Cap::Round, sign),
        Kind::Positron => {
            canvas.polyline(&[(x - arm, y), (x + arm, y)], thick, Cap::Round, sign);
            canvas.polyline(&[(x, y - arm), (x, y + arm)], thick, Cap::Round, sign);
        }
        Kind::Neutron => canvas.ring(x, y, arm * 0.82, thick, sign),
    }
}

fn shape(canvas: &mut Canvas, (x, y): Point, size: f32, kind: Kind, ink: Ink) {
    match kind {
        Kind::Electron => canvas.circle(x, y, size, ink),
        Kind::Positron => {
            let half = size * 0.9;
            canvas.round_rect(
                Rect::new(x - half, y - half, 2.0 * half, 2.0 * half),
                size * 0.24,
                ink,
            );
        }
        Kind::Neutron => {
            let reach = size * 1.1;
            canvas.polygon(
                &[(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)],
                ink,
            );
        }
    }
}

/// The players across the top: name, whose turn, what each has lost.
fn plates(canvas: &mut Canvas, scene: &PhwarScene<'_>) {
    const GAP: f32 = 14.0;
    let armies = &scene.view.armies;
    let area = Rect::new(GAP, GAP, WIDTH as f32 - 2.0 * GAP, PLATES - GAP);
    for (army, plate) in armies.iter().zip(plate::row(area, armies.len(), GAP)) {
        scene.plate(canvas, plate, army.seat, army.seat.index());
        let sign = (plate.x + 40.0, plate.y + 41.0);
        particle(canvas, sign, 21.0, Kind::Electron, army.seat);
        let tag = match scene.tag(army.seat) {
            "" if !army.inside => "out",
            tag => tag,
        };
        scene.title(canvas, plate, 74.0, army.seat, 28.0, tag);
        losses(canvas, army, (plate.x + 74.0, plate.y + 59.0), plate.right());
    }
}

/// The captured particles of a player, small; without a word where there is no room for it.
fn losses(canvas: &mut Canvas, army: &ArmyView, (x, y): Point, right: f32) {
    let style = Style::regular(20.0);
    let lost: u8 = army.lost.iter().sum();
    let step = if lost > 6 { 23.0 } else { 29.0 };
    let caption = if lost == 0 { "none captured" } else { "captured" };
    let past = x + font::width(caption, style) + 22.0;
    let mut x = if past + step * f32::from(lost) <= right {
        canvas.text(x, y, caption, style, Ink::Faint);
        past
    } else {
        x + 11.0
    };
    for kind in Kind::ALL {
        for _ in 0..army.lost[kind as usize] {
            particle(canvas, (x, y), 10.5, kind, army.seat);
            x += step;
        }
    }
}

/// The caption under the board.
fn footer(canvas: &mut Canvas, scene: &PhwarScene<'_>) {
    let top = MIDDLE.1 + 498.0;
    let area = Rect::new(20.0, top, WIDTH as f32 - 40.0, HEIGHT as f32 - top - 8.0);
    let caption = Caption::within(&scene.call(NAME), &call::notes(scene), area.width, area.height);
    caption.draw_centred(canvas, area, Ink::Text);
}

/// The board in fixed width: empty cells show their names, particles their owner and sign.
fn board_text(view: &View, board: Turned) -> String {
    const COLUMN: usize = 5;
    let radius = usize::from(BOARD.radius.unsigned_abs());
    let mut rows = vec![vec![b' '; (2 * radius + 1) * COLUMN]; 4 * radius + 1];
    for hex in BOARD.cells() {
        let cell = Cell::at(hex);
        let turned = board.hex(cell);
        let column = (turned.q + BOARD.radius) as usize * COLUMN;
        let row = (2 * turned.r + turned.q + 2 * BOARD.radius) as usize;
        let holder = view.armies.iter().find_map(|army| {
            army.particles()
                .find(|&(_, at)| at == cell)
                .map(|(kind, _)| (army.seat, kind))
        });
        let mark = match holder {
            Some((seat, kind)) => {
                format!("[{seat}{}]", marked::sign(kind))
            }
            None => format!(" {}", cell.to_string().to_lowercase()),
        };
        rows[row][column..column + mark.len()].copy_from_slice(mark.as_bytes());
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|row| String::from_utf8_lossy(row).trim_end().to_owned())
        .collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Element fits a picture that is no higher than wide into so many pixels either way.
    const SHOWN: f32 = 324.0;
    /// As large as they are today, or nearly. Nobody has measured from which height on they are read with ease.
    const LEAST: f32 = 5.5;

    #[test]
    fn names_of_cells_get_no_smaller_where_pictures_are_shown_small() {
        // A picture that is higher than wide gets ground at its sides there, and is fitted by its height.
        let shown = SHOWN / WIDTH.max(HEIGHT) as f32;
        for name in [FREE_NAME, HELD_NAME, GOAL_NAME] {
            assert!(name * shown >= LEAST, "{name} is shown {} high", name * shown);
        }
    }
}
