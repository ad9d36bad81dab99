//! What surrounds the table: players, circuits, hands, the supply, and what is asked.

use super::super::canvas::Rect;
use super::super::mask::Point;
use super::super::plate::row;
use super::super::{Align, Canvas, Caption, Ink, Mark, Style, font};
use super::block::{self, BlockLook, Jack, Way};
use super::spots::{hand_verb, supply_verb};
use super::{BreakerScene, MARGIN, hides, words};
use crate::game::Seat;
use crate::games::breaker::kind::COMMANDS;
use crate::games::breaker::socket::{Circuit, Side};
use crate::games::breaker::stock::Stock;
use crate::games::breaker::view::{Commands, HandView};
use crate::games::breaker::{Kind, Pick};

/// What a command that lies face down is called.
const FACE_DOWN: &str = Pick::FaceDown.name();

const GAP: f32 = 12.0;
const PLATE: f32 = 82.0;
const SCORE: f32 = 66.0;
const SUPPLY: f32 = 128.0;

/// What lies where, from top to bottom.
#[derive(Clone, Debug)]
pub(super) struct HandsLayout {
    pub plates: Rect,
    pub scores: Rect,
    /// The top of the table.
    pub board: f32,
    /// The near player's hand, and the other's.
    pub hands: [(Seat, Rect); 2],
    pub supply: Rect,
    pub status: Rect,
    pub height: f32,
}

impl HandsLayout {
    pub fn of(scene: &BreakerScene<'_>, width: f32, board: f32) -> Self {
        let inner = width - 2.0 * MARGIN;
        let mut top = MARGIN;
        let mut below = |height: f32| {
            let rect = Rect::new(MARGIN, top, inner, height);
            top += height + GAP;
            rect
        };
        let plates = below(PLATE);
        let scores = below(SCORE);
        let board = below(board).y;
        let near = if scene.side.index() == 1 {
            Seat::new(1)
        } else {
            Seat::new(0)
        };
        let hands = [near, near.next(2)].map(|seat| {
            let lines = items(&scene.view.hands[seat.index() % 2], inner - INDENT).1;
            (seat, below(lines as f32 * LINE))
        });
        let supply = below(SUPPLY);
        let status = below(caption(scene, inner).height());
        Self {
            plates,
            scores,
            board,
            hands,
            supply,
            status,
            height: (top - GAP + MARGIN * 0.6).ceil(),
        }
    }
}

/// The players: name, whose turn, circuits held. The far player is on the left.
pub(super) fn plates(canvas: &mut Canvas, scene: &BreakerScene<'_>, area: Rect) {
    for (seat, plate) in Seat::all(2).zip(row(area, 2, GAP)) {
        scene.plate(canvas, plate, seat, seat.index());
        mark(
            canvas,
            (plate.x + 42.0, plate.y + area.height / 2.0),
            24.0,
            seat,
            &seat.to_string(),
        );
        scene.title(canvas, plate, 78.0, seat, 29.0, scene.tag(seat));
        let line = words::standing(scene.view, seat);
        canvas.text(
            plate.x + 78.0,
            plate.y + 58.0,
            &line,
            Style::regular(22.0),
            Ink::Text,
        );
    }
}

/// A player's own shape with something written on it.
fn mark(canvas: &mut Canvas, (x, y): Point, half: f32, seat: Seat, text: &str) {
    block::body(canvas, (x, y), half, seat, Ink::rim(seat.index()));
    block::body(canvas, (x, y), half - 2.0, seat, Ink::seat(seat.index()));
    let ink = canvas.theme().legible_on(Ink::seat(seat.index()));
    canvas.text(x, y, text, Style::bold(half * 1.15).align(Align::Centre), ink);
}

/// The three circuits, in the order in which they lie on the table.
pub(super) fn scores(canvas: &mut Canvas, scene: &BreakerScene<'_>, area: Rect) {
    let mut circuits = Circuit::ALL;
    if scene.side.index() == 0 {
        circuits.reverse();
    }
    for (circuit, plate) in circuits.into_iter().zip(row(area, 3, GAP)) {
        let leader = scene.view.leader(circuit);
        match leader {
            Some(seat) => canvas.tinted_panel(plate, seat.index(), 3.0),
            None => canvas.panel(plate),
        }
        let y = plate.y + plate.height / 2.0;
        canvas.text(plate.x + 20.0, y, circuit.name(), Style::bold(34.0), Ink::Text);
        let mut x = plate.x + 104.0;
        for seat in Seat::all(2) {
            let power = scene.view.power[seat.index()][circuit as usize];
            mark(canvas, (x, y), 23.0, seat, &power.to_string());
            x += 58.0;
        }
        let (verdict, style) = match leader {
            Some(seat) => (format!("{seat} leads"), Style::bold(24.0)),
            None => ("even".to_owned(), Style::regular(24.0)),
        };
        canvas.text(x - 16.0, y, &verdict, style, Ink::Text);
    }
}

/// A line of blocks in a hand.
const LINE: f32 = 78.0;
/// Where the blocks of a hand begin, past its caption.
const INDENT: f32 = 188.0;

/// Something in a hand: equal blocks are shown once.
#[derive(Clone, Copy, Debug)]
struct Item {
    what: What,
    count: u8,
    /// Drawn this turn, so not playable yet.
    fresh: bool,
    x: f32,
    line: usize,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Known(Kind),
    FaceDown,
}

impl Item {
    fn width(&self) -> f32 {
        let count = if self.count > 1 { 34.0 } else { 0.0 };
        match self.what {
            What::Known(kind) if kind.is_command() => {
                count + 62.0 + font::width(kind.name(), Style::bold(22.0))
            }
            What::Known(_) => count + 62.0,
            What::FaceDown => count + 62.0,
        }
    }

    /// Its place in the area of a hand.
    fn area(&self, hand: Rect) -> Rect {
        let corner = (hand.x + INDENT + self.x, hand.y + self.line as f32 * LINE);
        Rect::new(corner.0 - 3.0, corner.1 + 4.0, self.width(), LINE - 8.0)
    }
}

impl What {
    const fn word(self) -> &'static str {
        match self {
            Self::Known(kind) => kind.name(),
            Self::FaceDown => FACE_DOWN,
        }
    }
}

/// The blocks of a hand in lines of a width, and how many lines there are.
fn items(hand: &HandView, width: f32) -> (Vec<Item>, usize) {
    let mut all: Vec<Item> = Vec::new();
    let mut add = |what: What, count: u8, fresh: bool| {
        if count > 0 {
            all.push(Item {
                what,
                count,
                fresh,
                x: 0.0,
                line: 0,
            });
        }
    };
    for kind in hand.held.kinds() {
        let fresh = hand.fresh.count(kind);
        add(What::Known(kind), hand.held.count(kind) - fresh, false);
        add(What::Known(kind), fresh, true);
    }
    add(What::FaceDown, hand.face_down, false);
    let (mut x, mut line) = (0.0, 0);
    for item in &mut all {
        if x > 0.0 && x + item.width() > width {
            (x, line) = (0.0, line + 1);
        }
        (item.x, item.line) = (x, line);
        x += item.width() + 10.0;
    }
    (all, line + 1)
}

/// Both hands, the near player's first.
pub(super) fn hands(canvas: &mut Canvas, scene: &BreakerScene<'_>, layout: &HandsLayout) {
    for (seat, area) in layout.hands {
        hand(canvas, scene, seat, area);
    }
}

fn hand(canvas: &mut Canvas, scene: &BreakerScene<'_>, seat: Seat, area: Rect) {
    let hand = &scene.view.hands[seat.index() % 2];
    canvas.panel(area);
    let style = Style::bold(22.0);
    let name = font::fit(scene.name(seat), INDENT - 30.0, style);
    canvas.text(area.x + 16.0, area.y + 27.0, &name, style, Ink::Text);
    canvas.text(
        area.x + 16.0,
        area.y + 53.0,
        "hand",
        Style::regular(20.0),
        Ink::Faint,
    );
    canvas.rect(
        Rect::new(area.x, area.y + 12.0, 6.0, area.height - 24.0),
        Ink::seat(seat.index()),
    );
    if hand.is_empty() {
        canvas.text(
            area.x + INDENT,
            area.y + LINE / 2.0,
            "nothing",
            Style::regular(22.0),
            Ink::Faint,
        );
    }
    for item in items(hand, area.width - INDENT).0 {
        let corner = (area.x + INDENT + item.x, area.y + item.line as f32 * LINE);
        draw_item(canvas, seat, corner, item);
        if let Some(mark) = in_hand(scene, seat, &item) {
            canvas.marked_frame(item.area(area), 10.0, mark);
        }
    }
}

/// A block off the table, where it lies.
pub(super) struct Placed {
    pub word: &'static str,
    pub count: u8,
    pub area: Rect,
}

/// The blocks of a hand that is drawn in an area, those drawn this turn among them or not.
pub(super) fn hand_places(scene: &BreakerScene<'_>, seat: Seat, area: Rect, fresh: bool) -> Vec<Placed> {
    let (all, _) = items(&scene.view.hands[seat.index() % 2], area.width - INDENT);
    let shown = all.into_iter().filter(|item| fresh || !item.fresh);
    let placed = shown.map(|item| Placed {
        word: item.what.word(),
        count: item.count,
        area: item.area(area),
    });
    placed.collect()
}

/// How something in a hand is marked, where somebody picks.
fn in_hand(scene: &BreakerScene<'_>, seat: Seat, item: &Item) -> Option<Mark> {
    let (verb, whose) = hand_verb(scene).filter(|(verb, _)| *verb == "keep" || !item.fresh)?;
    picked(scene, verb, item.what.word()).filter(|_| whose == seat)
}

/// How something in the supply is marked, where somebody picks.
fn in_supply(scene: &BreakerScene<'_>, word: &str) -> Option<Mark> {
    picked(scene, supply_verb(scene)?, word)
}

/// How a block behind a verb is marked: only once the verb is picked, since nearly all could be.
fn picked(scene: &BreakerScene<'_>, verb: &str, word: &str) -> Option<Mark> {
    scene
        .marks
        .of_argument(verb, 1, word)
        .filter(|&mark| mark != Mark::Later)
}

fn draw_item(canvas: &mut Canvas, seat: Seat, (x, y): Point, item: Item) {
    let middle = (x + 28.0, y + 30.0);
    let mut end = x + 60.0;
    match item.what {
        What::Known(kind) if kind.is_command() => {
            let pill = Rect::new(
                x,
                y + 15.0,
                item.width() - if item.count > 1 { 34.0 } else { 0.0 },
                44.0,
            );
            canvas.round_rect(pill, 12.0, Ink::seat(seat.index()));
            canvas.round_rect(pill.inset(2.5), 10.0, Ink::Panel);
            block::command_sign(canvas, (x + 25.0, y + 37.0), 11.0, kind, Ink::Text);
            canvas.text(x + 46.0, y + 37.0, kind.name(), Style::bold(22.0), Ink::Text);
            end = pill.right() + 2.0;
        }
        What::Known(kind) => {
            mini(canvas, middle, 58.0, kind, seat);
            let style = Style::bold(19.0).align(Align::Centre);
            canvas.text(middle.0, y + 66.0, kind.name(), style, Ink::Text);
        }
        What::FaceDown => {
            let card = Rect::new(x + 4.0, y + 13.0, 48.0, 48.0);
            canvas.round_rect(card, 10.0, Ink::rim(seat.index()));
            canvas.round_rect(card.inset(3.0), 8.0, Ink::CellC);
            canvas.text(
                x + 28.0,
                y + 37.0,
                "?",
                Style::bold(30.0).align(Align::Centre),
                Ink::Text,
            );
        }
    }
    if item.count > 1 {
        canvas.text(
            end,
            y + 34.0,
            &format!("×{}", item.count),
            Style::bold(22.0),
            Ink::Text,
        );
    }
    if item.fresh {
        let at = match item.what {
            What::Known(kind) if kind.is_command() => (x + 30.0, y + 12.0),
            _ => (x + 44.0, y + 11.0),
        };
        block::tag(canvas, at, "new", 16.0, Ink::Glow, Ink::LastMove);
    }
}

/// A block off the table, its output down.
fn mini(canvas: &mut Canvas, at: Point, size: f32, kind: Kind, seat: Seat) {
    let way = |side: Side| match side {
        Side::Left => Way::UP.left(),
        Side::Forward => Way::UP,
        Side::Right => Way::UP.left().back(),
    };
    let jacks: Vec<(Way, Jack)> = Side::ALL
        .into_iter()
        .filter(|side| kind.sockets() & side.bit() != 0)
        .map(|side| (way(side), Jack::Open))
        .collect();
    let look = BlockLook {
        kind,
        seat,
        way: Way::UP,
        size,
    };
    block::block(canvas, at, look, &jacks);
}

/// What can still be drawn: each player's power blocks, and the commands with their signs.
pub(super) fn supply(canvas: &mut Canvas, scene: &BreakerScene<'_>, area: Rect) {
    canvas.panel(area);
    canvas.text(
        area.x + 14.0,
        area.y + 26.0,
        "Supply",
        Style::bold(20.0),
        Ink::Text,
    );
    for (row, seat) in Seat::all(2).enumerate() {
        mark(
            canvas,
            (area.x + 46.0, area.y + 62.0 + row as f32 * 38.0),
            15.0,
            seat,
            &seat.to_string(),
        );
    }
    for (place, kind) in Kind::powers().enumerate() {
        let x = power_middle(area, place);
        let style = Style::bold(if kind == Kind::ZeroLfr { 16.0 } else { 19.0 }).align(Align::Centre);
        canvas.text(x, area.y + 26.0, kind.name(), style, Ink::Text);
        for seat in Seat::all(2) {
            let count = scene.view.supply[seat.index()].count(kind);
            let y = power_row(area, seat);
            amount(canvas, (x, y), count);
            let own = scene.view.to_move == Some(seat);
            if let Some(mark) = in_supply(scene, kind.name()).filter(|_| own) {
                canvas.marked_frame(count_at(x, y), 8.0, mark);
            }
        }
    }
    let divide = divide(area);
    canvas.rect(
        Rect::new(divide, area.y + 14.0, 1.5, area.height - 28.0),
        Ink::Line,
    );
    let rest = command_area(area);
    match scene.view.commands {
        Commands::Open(stock) => {
            commands(canvas, stock, rest);
            let column = rest.width / COMMANDS as f32;
            for (place, kind) in Kind::commands().enumerate() {
                if let Some(mark) = in_supply(scene, kind.name()) {
                    let x = rest.x + (place as f32 + 0.5) * column;
                    canvas.marked_frame(count_at(x, rest.y + 100.0), 8.0, mark);
                }
            }
        }
        Commands::FaceDown(count) => {
            face_down(canvas, count, rest);
            if let Some(mark) = in_supply(scene, FACE_DOWN) {
                canvas.marked_frame(rest.inset(12.0), 10.0, mark);
            }
        }
    }
}

/// The width of a column of power blocks in the supply.
fn power_column(area: Rect) -> f32 {
    (area.width * 0.47 - 88.0) / 8.0
}

fn power_middle(area: Rect, place: usize) -> f32 {
    (area.x + 84.0 + (place as f32 + 0.5) * power_column(area)).round()
}

fn power_row(area: Rect, seat: Seat) -> f32 {
    area.y + 62.0 + seat.index() as f32 * 38.0
}

/// Where the commands of the supply begin.
fn divide(area: Rect) -> f32 {
    area.x + area.width * 0.475
}

fn command_area(area: Rect) -> Rect {
    let divide = divide(area);
    Rect::new(divide + 6.0, area.y, area.right() - divide - 12.0, area.height)
}

/// What the player to move can take from the supply, where it lies.
pub(super) fn supply_places(scene: &BreakerScene<'_>, area: Rect) -> Vec<Placed> {
    let Some(seat) = scene.view.to_move else {
        return Vec::new();
    };
    let column = power_column(area);
    let powers = Kind::powers().enumerate().map(|(place, kind)| Placed {
        word: kind.name(),
        count: scene.view.supply[seat.index() % 2].count(kind),
        area: Rect::new(
            power_middle(area, place) - column / 2.0,
            power_row(area, seat) - 19.0,
            column,
            38.0,
        ),
    });
    let mut places: Vec<Placed> = powers.collect();
    let rest = command_area(area);
    match scene.view.commands {
        Commands::Open(stock) => {
            let column = rest.width / COMMANDS as f32;
            places.extend(Kind::commands().enumerate().map(|(place, kind)| Placed {
                word: kind.name(),
                count: stock.count(kind),
                area: Rect::new(
                    rest.x + place as f32 * column,
                    rest.y + 8.0,
                    column,
                    rest.height - 16.0,
                ),
            }));
        }
        Commands::FaceDown(count) => places.push(Placed {
            word: FACE_DOWN,
            count,
            area: rest.inset(12.0),
        }),
    }
    places
}

/// The place of a count in the supply.
const fn count_at(x: f32, y: f32) -> Rect {
    Rect::new(x - 20.0, y - 16.0, 40.0, 32.0)
}

fn amount(canvas: &mut Canvas, (x, y): Point, count: u8) {
    let (text, ink) = if count == 0 {
        ("–".to_owned(), Ink::Faint)
    } else {
        (count.to_string(), Ink::Text)
    };
    canvas.text(x, y, &text, Style::bold(24.0).align(Align::Centre), ink);
}

/// Signs, names and counts of commands.
fn commands(canvas: &mut Canvas, stock: Stock, area: Rect) {
    let column = area.width / COMMANDS as f32;
    for (place, kind) in Kind::commands().enumerate() {
        let x = area.x + (place as f32 + 0.5) * column;
        let ink = if stock.has(kind) { Ink::Text } else { Ink::Faint };
        block::command_sign(canvas, (x.round(), area.y + 24.0), 12.0, kind, ink);
        let style = Style::bold(17.0).align(Align::Centre);
        for (line, part) in kind.syllables().into_iter().enumerate() {
            canvas.text(x, area.y + 56.0 + 18.0 * line as f32, part, style, ink);
        }
        amount(canvas, (x, area.y + 100.0), stock.count(kind));
    }
}

fn face_down(canvas: &mut Canvas, count: u8, area: Rect) {
    let (x, y) = area.centre();
    let card = Rect::new(x - 190.0, y - 28.0, 56.0, 56.0);
    canvas.round_rect(card, 10.0, Ink::Text);
    canvas.round_rect(card.inset(3.0), 8.0, Ink::CellC);
    canvas.text(
        x - 162.0,
        y,
        "?",
        Style::bold(34.0).align(Align::Centre),
        Ink::Text,
    );
    let text = match count {
        1 => "1 command face down".to_owned(),
        count => format!("{count} commands face down"),
    };
    canvas.text(x - 112.0, y, &text, Style::bold(25.0), Ink::Text);
}

/// What is asked of whom.
pub(super) fn status(canvas: &mut Canvas, scene: &BreakerScene<'_>, area: Rect) {
    caption(scene, area.width).draw_centred(canvas, area, Ink::Text);
}

/// A wide table is shown smaller, so its caption is set larger.
fn caption(scene: &BreakerScene<'_>, width: f32) -> Caption {
    let scale = width / (super::WIDTH - 2.0 * MARGIN);
    Caption::flowing(&scene.call(words::NAME), &words::notes(scene), width, scale)
}

/// The height of the picture of a private hand.
pub(super) fn private_height(scene: &BreakerScene<'_>, seat: Seat) -> f32 {
    let inner = super::WIDTH - 2.0 * MARGIN;
    let lines = items(&scene.view.hands[seat.index() % 2], inner - INDENT).1;
    let unseen = if hides(scene.view) {
        SUPPLY + GAP + 34.0
    } else {
        0.0
    };
    2.0 * MARGIN + lines as f32 * LINE + unseen
}

/// A hand that only its owner sees, with what that player can work out.
pub(super) fn private(canvas: &mut Canvas, scene: &BreakerScene<'_>, seat: Seat, area: Rect) {
    let lines = items(&scene.view.hands[seat.index() % 2], area.width - INDENT).1;
    let area = Rect {
        height: lines as f32 * LINE,
        ..area
    };
    hand(canvas, scene, seat, area);
    if let Some(unseen) = scene.view.unseen {
        let top = area.bottom() + GAP + 14.0;
        canvas.text(
            area.x,
            top,
            "Commands you can't see: face down somewhere, or out of this match",
            Style::regular(22.0),
            Ink::Text,
        );
        let table = Rect::new(area.x, top + 20.0, area.width, SUPPLY);
        canvas.panel(table);
        commands(canvas, unseen, table.inset(4.0));
    }
}
