//! The table as everybody sees it.
//!
//! Only faces that are open to all are drawn here, whoever looks, so that a picture of the table can be
//! posted anywhere.

use super::super::canvas::Rect;
use super::super::{Align, Canvas, Caption, Ink, Spot, Style, font};
use super::chip::{self, Chip, Label};
use super::pen::{Flow, HIGHEST, MARGIN, Pen, SMALL, WIDTH};
use super::warrior::{Brief, Card};
use super::{PhaseScene, marked, signs, spots, words};
use crate::games::phase::action::{Target, hand_letter};
use crate::games::phase::card::Alignment;
use crate::games::phase::flow::Stage;
use crate::games::phase::view::{AttackView, PlayerView, SkirmishView, View};

const INNER: f32 = WIDTH - 2.0 * MARGIN;
const GAP: f32 = 10.0;
const PAD: f32 = 12.0;
/// No warrior is wider than a third of the row.
const FEWEST_COLUMNS: u8 = 3;
const CAPTION: Style = Style::bold(SMALL);

/// How closely things are set: the more lies on the table, the less is told of each card.
#[derive(Clone, Copy, Debug)]
struct Density {
    /// The most that this density may take.
    highest: f32,
    /// Warriors a row.
    columns: u8,
    /// What skills do is told, not only what they are called.
    texts: bool,
    /// Room for the names of resources, and of cards in hands.
    resource: f32,
    hand: f32,
    /// Room for the names of backs that everybody has seen.
    backs: f32,
    merged: bool,
}

const DENSITIES: [Density; 9] = [
    density(1240.0, 3, true, 190.0, 190.0).backed(190.0),
    density(1400.0, 5, false, 190.0, 190.0).backed(120.0),
    density(HIGHEST, 5, false, 190.0, 190.0).backed(120.0).merged(),
    density(HIGHEST, 5, false, 124.0, 124.0).backed(90.0).merged(),
    density(HIGHEST, 5, false, 124.0, 124.0).merged(),
    density(HIGHEST, 5, false, 92.0, 70.0).merged(),
    density(HIGHEST, 6, false, 92.0, 70.0).merged(),
    density(HIGHEST, 7, false, 64.0, 0.0).merged(),
    density(f32::MAX, 7, false, 0.0, 0.0).merged(),
];

impl Density {
    /// Barracks, hand and deck share their lines, and skirmishes stand two a line.
    const fn merged(self) -> Self {
        Self { merged: true, ..self }
    }

    const fn backed(self, backs: f32) -> Self {
        Self { backs, ..self }
    }
}

const fn density(highest: f32, columns: u8, texts: bool, resource: f32, hand: f32) -> Density {
    Density {
        highest,
        columns,
        texts,
        resource,
        hand,
        backs: 0.0,
        merged: false,
    }
}

/// What can be touched on the table.
pub(super) fn spots(scene: &PhaseScene<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    for density in DENSITIES {
        spots.clear();
        if table(&mut Pen::noting(&mut spots), scene, density) <= density.highest {
            break;
        }
    }
    spots
}

pub(super) fn picture(scene: &PhaseScene<'_>) -> Canvas {
    let fitting = DENSITIES.into_iter().find_map(|density| {
        let height = table(&mut Pen::dry(), scene, density);
        (height <= density.highest).then_some((density, height.min(HIGHEST)))
    });
    let (density, height) = fitting.unwrap_or((DENSITIES[0], HIGHEST));
    let steps = if density.merged { 3 } else { 4 };
    let mut canvas = Canvas::new(WIDTH as u32, height.ceil() as u32, scene.theme).coarse(steps);
    canvas.fill(Ink::Paper);
    table(&mut Pen::on(&mut canvas), scene, density);
    canvas
}

/// Everything from top to bottom; gives the height.
fn table(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, density: Density) -> f32 {
    let view = scene.view;
    let mut y = MARGIN;
    y += header(pen, scene, y) + GAP;
    if let Some(attack) = view
        .attack
        .as_ref()
        .filter(|attack| !attack.skirmishes.is_empty())
    {
        y += skirmishes(pen, scene, attack, density, y) + GAP;
    }
    let seats = view.players.len();
    for turn in 0..seats {
        let place = (scene.side.index() + turn) % seats;
        if let Some(player) = view.players.get(place) {
            y += panel(pen, scene, player, density, y) + GAP;
        }
    }
    y - GAP + MARGIN
}

/// Round, Nexus, the steps of the turn, and whose decision it is.
fn header(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, top: f32) -> f32 {
    let view = scene.view;
    pen.spot(|| spots::nexus(view, Rect::new(WIDTH / 2.0, top, WIDTH / 2.0 - MARGIN, 44.0)));
    pen.draw(|canvas| nexus(canvas, view, top));
    let mut y = top + 50.0;
    if scene.outcome.is_none() && !view.stage.is_opening() {
        pen.draw(|canvas| steps(canvas, view.stage, y + 20.0));
        y += 46.0;
    }
    let (call, notes) = (words::call_or_result(scene), words::notes(scene));
    let area = Rect::new(MARGIN + 4.0, y, INNER - 8.0, 0.0);
    let caption = Caption::flowing(&call, &notes, area.width, 1.0);
    pen.draw(|canvas| caption.draw(canvas, area, Ink::Text));
    y + caption.height() - top
}

fn nexus(canvas: &mut Canvas, view: &View, top: f32) {
    let y = top + 22.0;
    let round = match (view.round, view.last_round) {
        (0, _) => "Before the first turn".to_owned(),
        (round, true) => format!("Round {round}, the last"),
        (round, false) => format!("Round {round}"),
    };
    canvas.text(MARGIN + 4.0, y, &round, Style::bold(30.0), Ink::Text);
    let full = f32::from(10u16 * view.players.len().max(1) as u16);
    let mut right = WIDTH - MARGIN;
    for alignment in [Alignment::Evil, Alignment::Good] {
        let pool = view.nexus[alignment.index()];
        let bar = Rect::new(right - 150.0, y - 19.0, 150.0, 38.0);
        canvas.round_rect(bar, 12.0, Ink::CellB);
        let part = (f32::from(pool) / full).clamp(0.0, 1.0);
        let (paper, _) = signs::ground(alignment);
        if pool > 0 {
            let filled = Rect::new(bar.x, bar.y, (bar.width * part).max(44.0), bar.height);
            canvas.round_rect(filled, 12.0, paper);
        }
        canvas.frame(bar, 12.0, 2.0, Ink::Faint);
        signs::token(canvas, (bar.x + 22.0, y), 17.0, alignment);
        amount(canvas, (bar.right() - 34.0, y), pool);
        right -= 162.0;
    }
    let style = Style::bold(26.0).align(Align::Right);
    canvas.text(right, y, "Nexus", style, Ink::Text);
}

/// A number that must be read wherever the filled part of its bar ends.
fn amount(canvas: &mut Canvas, (x, y): (f32, f32), amount: u16) {
    let plate = Rect::new(x - 24.0, y - 15.0, 48.0, 30.0);
    canvas.round_rect(plate, 8.0, Ink::Panel);
    let style = Style::bold(25.0).align(Align::Centre);
    canvas.text(x, y, &amount.to_string(), style, Ink::Text);
}

const STEPS: [&str; 7] = [
    "Attack?",
    "Maneuver",
    "Attackers",
    "Defenders",
    "Skirmishes",
    "Training",
    "Closing",
];

const fn step(stage: Stage) -> usize {
    match stage {
        Stage::Decks | Stage::Setup | Stage::Attack => 0,
        Stage::Maneuver => 1,
        Stage::Target | Stage::Attackers => 2,
        Stage::Defenders(_) => 3,
        Stage::Pick | Stage::Skirmish => 4,
        Stage::Training => 5,
        Stage::Closing => 6,
    }
}

/// The steps of the turn, the present one on a plate.
fn steps(canvas: &mut Canvas, stage: Stage, y: f32) {
    let now = step(stage);
    let style = |place: usize| {
        if place == now {
            Style::bold(22.0)
        } else {
            Style::regular(SMALL)
        }
    };
    let widths: Vec<f32> = STEPS
        .iter()
        .enumerate()
        .map(|(place, word)| font::width(word, style(place)))
        .collect();
    let space = (INNER - 24.0 - widths.iter().sum::<f32>()) / (STEPS.len() - 1) as f32;
    let mut x = MARGIN + 12.0;
    for (place, (word, width)) in STEPS.iter().zip(&widths).enumerate() {
        let ink = if place == now {
            canvas.round_rect(Rect::new(x - 12.0, y - 18.0, width + 24.0, 36.0), 12.0, Ink::Text);
            Ink::Paper
        } else if place < now {
            Ink::Faint
        } else {
            Ink::Text
        };
        canvas.text(x, y, word, style(place), ink);
        if place + 1 < STEPS.len() {
            let middle = x + width + space / 2.0;
            let nudge = if place == now {
                6.0
            } else if place + 1 == now {
                -6.0
            } else {
                0.0
            };
            let tip = (middle + nudge + 4.0, y);
            canvas.polyline(
                &[(tip.0 - 7.0, y - 7.0), tip, (tip.0 - 7.0, y + 7.0)],
                2.5,
                super::super::shape::Cap::Round,
                Ink::Faint,
            );
        }
        x += width + space;
    }
}

/// Who fights whom, one group for each attacker.
fn skirmishes(
    pen: &mut Pen<'_>,
    scene: &PhaseScene<'_>,
    attack: &AttackView,
    density: Density,
    top: f32,
) -> f32 {
    let title = match attack.target {
        Some(Target::Nexus) => "Attack on the Nexus".to_owned(),
        Some(Target::Player(seat)) => format!("Attack on {}", scene.name(seat)),
        None => "Attack".to_owned(),
    };
    pen.framed(
        |canvas, height| {
            let plate = Rect::new(MARGIN, top, INNER, height);
            canvas.round_rect(plate, 14.0, Ink::CellA);
            canvas.frame(plate, 14.0, 2.0, Ink::LastMove);
        },
        |pen| {
            let title = font::fit(&title, INNER - 2.0 * PAD, CAPTION);
            pen.draw(|canvas| canvas.text(MARGIN + PAD, top + 22.0, &title, Style::bold(22.0), Ink::Text));
            let area = Rect::new(MARGIN + PAD, top + 42.0, INNER - 2.0 * PAD, 0.0);
            let mut flow = Flow::new(area, Brief::HEIGHT, 8.0);
            let crowded = density.merged && attack.skirmishes.len() > 2;
            let names: &[f32] = if crowded { &[0.0] } else { &[190.0, 110.0, 66.0] };
            for skirmish in &attack.skirmishes {
                let group = Group::new(scene.view, skirmish, names, area.width);
                let at = flow.next(group.width());
                pen.draw(|canvas| group.draw(canvas, at));
            }
            flow.bottom() + PAD - top
        },
    )
}

const ARROW: f32 = 40.0;
const UNOPPOSED: &str = "unopposed";

/// An attacker and whoever was sent against it.
struct Group<'v> {
    attacker: Option<Brief<'v>>,
    defenders: Vec<Brief<'v>>,
    current: bool,
}

impl<'v> Group<'v> {
    fn new(view: &'v View, skirmish: &SkirmishView, names: &[f32], room: f32) -> Self {
        let with_names = |name: f32| Self {
            attacker: Brief::new(view, skirmish.attacker, name),
            defenders: skirmish
                .defenders
                .iter()
                .filter_map(|&number| Brief::new(view, number, name))
                .collect(),
            current: skirmish.current,
        };
        let fitting = names
            .iter()
            .map(|&name| with_names(name))
            .find(|group| group.width() <= room);
        fitting.unwrap_or_else(|| with_names(0.0))
    }

    fn width(&self) -> f32 {
        let attacker = self.attacker.as_ref().map_or(0.0, Brief::width);
        let defenders = if self.defenders.is_empty() {
            font::width(UNOPPOSED, CAPTION)
        } else {
            let widths: f32 = self.defenders.iter().map(Brief::width).sum();
            widths + 6.0 * (self.defenders.len() - 1) as f32
        };
        let now = if self.current {
            signs::tag_width("now") + 6.0
        } else {
            0.0
        };
        attacker + ARROW + defenders + now + 14.0
    }

    fn draw(&self, canvas: &mut Canvas, (left, top): (f32, f32)) {
        let y = top + Brief::HEIGHT / 2.0;
        let mut x = left;
        if self.current {
            let ink = canvas.theme().legible_on(Ink::LastMove);
            signs::tag(canvas, (x, y), "now", Ink::LastMove, ink);
            x += signs::tag_width("now") + 6.0;
        }
        if let Some(attacker) = &self.attacker {
            attacker.draw(canvas, (x, top));
            x += attacker.width();
        }
        canvas.arrow((x + 6.0, y), (x + ARROW - 6.0, y), 5.0, Ink::Text);
        x += ARROW;
        if self.defenders.is_empty() {
            canvas.text(x, y, UNOPPOSED, CAPTION, Ink::Text);
        }
        for defender in &self.defenders {
            defender.draw(canvas, (x, top));
            x += defender.width() + 6.0;
        }
    }
}

/// One player: name, influence, warriors, barracks, hand, deck.
fn panel(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, player: &PlayerView, density: Density, top: f32) -> f32 {
    let seat = player.seat;
    let wins = scene
        .outcome
        .is_some_and(|outcome| outcome.ranks.get(seat.index()) == Some(&1));
    let lit = scene.view.active == Some(seat) || wins;
    pen.framed(
        |canvas, height| {
            let plate = Rect::new(MARGIN, top, INNER, height);
            if lit {
                canvas.round_rect(plate, 14.0, Ink::tint(seat.index()));
                canvas.frame(plate, 14.0, 4.0, Ink::seat(seat.index()));
            } else {
                canvas.round_rect(plate, 14.0, Ink::Panel);
                canvas.frame(plate, 14.0, 2.0, Ink::Line);
            }
        },
        |pen| {
            pen.spot(|| spots::player(scene, player, Rect::new(MARGIN, top, INNER, 48.0)));
            pen.draw(|canvas| headline(canvas, scene, player, wins, top));
            if player.left {
                return 48.0;
            }
            let mut y = top + 48.0;
            y = warriors(pen, scene, player, density, y);
            let mut flow = lines(y);
            barracks(pen, scene, player, density, &mut flow);
            if !density.merged {
                flow = lines(flow.bottom() + 6.0);
            }
            piles(pen, scene, player, density, &mut flow);
            flow.bottom() + PAD - 2.0 - top
        },
    )
}

fn headline(canvas: &mut Canvas, scene: &PhaseScene<'_>, player: &PlayerView, wins: bool, top: f32) {
    let seat = player.seat;
    let y = top + 26.0;
    signs::number(canvas, (MARGIN + 28.0, y), 18.0, seat, &seat.to_string());
    let mut right = WIDTH - MARGIN - PAD;
    if !player.left {
        for alignment in [Alignment::Evil, Alignment::Good] {
            let style = Style::bold(28.0).align(Align::Right);
            let text = player.influence[alignment.index()].to_string();
            canvas.text(right, y, &text, style, Ink::Text);
            signs::token(canvas, (right - 54.0, y), 16.0, alignment);
            right -= 84.0;
        }
    }
    let tags = tags(scene, player, wins);
    let taken: f32 = tags.iter().map(|(text, _)| signs::tag_width(text) + 8.0).sum();
    let style = Style::bold(27.0);
    let name = font::fit(scene.name(seat), right - taken - MARGIN - 70.0, style);
    canvas.text(MARGIN + 56.0, y, &name, style, Ink::Text);
    let mut x = MARGIN + 56.0 + font::width(&name, style) + 14.0;
    for (text, ground) in tags {
        let ink = if ground == Ink::Panel {
            Ink::Text
        } else {
            canvas.theme().legible_on(ground)
        };
        signs::tag(canvas, (x, y), text, ground, ink);
        x += signs::tag_width(text) + 8.0;
    }
}

/// What is to be said of a player beside the name.
fn tags(scene: &PhaseScene<'_>, player: &PlayerView, wins: bool) -> Vec<(&'static str, Ink)> {
    let view = scene.view;
    let seat = player.seat;
    if player.left {
        return vec![("has left", Ink::Panel)];
    }
    let mut tags = Vec::new();
    if wins {
        tags.push(("wins", Ink::Good));
    }
    if scene.outcome.is_some() {
        return tags;
    }
    if view.active == Some(seat) {
        tags.push(("turn", Ink::Panel));
    }
    if scene.awaiting.includes(seat) {
        tags.push(("decides", Ink::LastMove));
    }
    if let Some(attack) = &view.attack {
        match attack.target {
            Some(Target::Player(other)) if other == seat => tags.push(("attacked", Ink::Danger)),
            Some(Target::Player(_)) => {}
            Some(Target::Nexus) | None if attack.defender == seat => {
                tags.push(("guards the Nexus", Ink::Panel));
            }
            Some(Target::Nexus) | None => {}
        }
    }
    if player.passed {
        tags.push(("passed", Ink::Panel));
    }
    tags
}

fn warriors(
    pen: &mut Pen<'_>,
    scene: &PhaseScene<'_>,
    player: &PlayerView,
    density: Density,
    top: f32,
) -> f32 {
    // Few warriors share the row: their names need the room.
    let columns = (player.warriors.len() as u8).clamp(FEWEST_COLUMNS, density.columns);
    let between = 8.0;
    let width = ((INNER - 2.0 * PAD - between * (f32::from(columns) - 1.0)) / f32::from(columns)).floor();
    let mut y = top;
    let cards: Vec<Card<'_>> = player
        .warriors
        .iter()
        .map(|warrior| Card::new(scene, player.seat, warrior, density.texts, density.backs > 0.0))
        .collect();
    for row in cards.chunks(usize::from(columns)) {
        let height = row.iter().map(|card| card.height(width)).fold(0.0, f32::max);
        for (column, card) in (0u8..).zip(row) {
            let x = MARGIN + PAD + f32::from(column) * (width + between);
            let area = Rect::new(x, y, width, height);
            pen.spot(|| spots::warrior(scene, player.seat, card.warrior, area));
            pen.draw(|canvas| card.draw(canvas, area));
        }
        y += height + between;
    }
    y
}

/// The area of the chips of a panel, from a height down.
fn lines(top: f32) -> Flow {
    Flow::new(
        Rect::new(MARGIN + PAD, top, INNER - 2.0 * PAD, 0.0),
        chip::HEIGHT,
        6.0,
    )
}

/// Sets a caption.
fn caption(pen: &mut Pen<'_>, flow: &mut Flow, text: &str) {
    let width = font::width(text, CAPTION).ceil() + 4.0;
    let (x, y) = flow.next(width);
    pen.draw(|canvas| canvas.text(x, y + chip::HEIGHT / 2.0, text, CAPTION, Ink::Text));
}

fn chips<'f>(pen: &mut Pen<'_>, flow: &mut Flow, chips: impl Iterator<Item = Chip<'f>>) {
    for chip in chips {
        place(pen, flow, chip);
    }
}

/// Sets a chip; gives its place.
fn place(pen: &mut Pen<'_>, flow: &mut Flow, chip: Chip<'_>) -> Rect {
    let width = chip.width();
    let (x, y) = flow.next(width);
    pen.draw(|canvas| chip.draw(canvas, (x, y)));
    Rect::new(x, y, width, chip::HEIGHT)
}

fn barracks(
    pen: &mut Pen<'_>,
    scene: &PhaseScene<'_>,
    player: &PlayerView,
    density: Density,
    flow: &mut Flow,
) {
    let count = match player.barracks.len() {
        0 => "Barracks empty".to_owned(),
        _ => "Barracks".to_owned(),
    };
    caption(pen, flow, &count);
    for card in &player.barracks {
        let chip = Chip::resource(card, density.resource)
            .backed(card, density.backs)
            .marked(marked::of_resource(scene, player, card));
        let area = place(pen, flow, chip);
        pen.spot(|| spots::resource(scene, player.seat, card, area));
    }
}

/// Hand, deck and discard pile, as far as they are open.
fn piles(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, player: &PlayerView, density: Density, flow: &mut Flow) {
    let hand = match player.hand.len() {
        0 => "Hand empty".to_owned(),
        _ => "Hand".to_owned(),
    };
    caption(pen, flow, &hand);
    for card in &player.hand {
        let chip = Chip::new(&card.face, density.hand)
            .labelled(Label::Letter(hand_letter(card.place)))
            .backed(card, density.backs)
            .marked(marked::of_hand_card(scene, player.seat, card.place));
        let area = place(pen, flow, chip);
        pen.spot(|| spots::open_hand_card(scene, player.seat, card, area));
    }
    caption(pen, flow, &format!("Deck {}", player.deck));
    chips(
        pen,
        flow,
        player
            .top
            .iter()
            .map(|card| Chip::new(&card.face, density.hand).backed(card, density.backs)),
    );
    if let Some(last) = player.discard.last() {
        caption(pen, flow, &format!("Discarded {}", player.discard.len()));
        // Where room is short, the deck's top tells more than what is gone.
        let shown =
            (!density.merged).then(|| Chip::new(&last.face, density.hand).backed(last, density.backs));
        chips(pen, flow, shown.into_iter());
    }
}
