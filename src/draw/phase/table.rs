//! The table as everybody sees it.
//!
//! Only faces that are open to all are drawn here, whoever looks, so that a picture of the table can be
//! posted anywhere.

use super::super::canvas::Rect;
use super::super::{Align, Canvas, Caption, Ink, Spot, Style, font};
use super::fights::skirmishes;
use super::panel::panel;
use super::pen::{HIGHEST, INNER, MARGIN, Pen, SMALL, WIDTH};
use super::{PhaseScene, signs, spots, traces, words};
use crate::games::phase::card::Alignment;
use crate::games::phase::flow::TurnStage;
use crate::games::phase::view::View;

/// How closely things are set: the more lies on the table, the less is told of each card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density {
    /// The most that this density may take.
    highest: f32,
    /// Warriors a row.
    pub columns: u8,
    /// What skills do is told, not only what they are called.
    pub texts: bool,
    /// Room for the names of resources, and of cards in hands; more where lines are not full.
    pub resource: f32,
    pub hand: f32,
    /// Room for the names of backs that everybody has seen; more where lines are not full.
    pub backs: f32,
    /// Barracks, hand and deck share their lines, and skirmishes stand two a line.
    pub merged: bool,
    /// Smaller captions, less air.
    pub tight: bool,
    pub warriors: Warriors,
}

/// What a warrior is set as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Warriors {
    Card,
    /// One line, as long as it needs to be.
    Line,
    /// The same without a name.
    Nameless,
}

const DENSITIES: [Density; 12] = [
    density(1240.0, 3, 190.0, 190.0).backed(190.0).telling(),
    density(1400.0, 5, 190.0, 190.0).backed(120.0),
    density(HIGHEST, 5, 190.0, 190.0).backed(120.0).merged(),
    density(HIGHEST, 5, 190.0, 124.0).backed(90.0).merged(),
    density(HIGHEST, 5, 190.0, 0.0).merged(),
    density(HIGHEST, 6, 190.0, 0.0).merged(),
    density(HIGHEST, 6, 190.0, 0.0).merged().tight(),
    density(HIGHEST, 6, 0.0, 0.0).merged().tight(),
    density(HIGHEST, 6, 190.0, 190.0)
        .merged()
        .tight()
        .with(Warriors::Line),
    density(HIGHEST, 6, 190.0, 0.0)
        .merged()
        .tight()
        .with(Warriors::Line),
    density(HIGHEST, 6, 0.0, 0.0)
        .merged()
        .tight()
        .with(Warriors::Line),
    density(f32::MAX, 6, 0.0, 0.0)
        .merged()
        .tight()
        .with(Warriors::Nameless),
];

impl Density {
    const fn telling(self) -> Self {
        Self { texts: true, ..self }
    }

    const fn merged(self) -> Self {
        Self { merged: true, ..self }
    }

    const fn tight(self) -> Self {
        Self { tight: true, ..self }
    }

    const fn with(self, warriors: Warriors) -> Self {
        Self { warriors, ..self }
    }

    const fn backed(self, backs: f32) -> Self {
        Self { backs, ..self }
    }

    /// Between the parts of the table.
    const fn gap(self) -> f32 {
        if self.tight { 6.0 } else { 10.0 }
    }
}

const fn density(highest: f32, columns: u8, resource: f32, hand: f32) -> Density {
    Density {
        highest,
        columns,
        texts: false,
        resource,
        hand,
        backs: 0.0,
        merged: false,
        tight: false,
        warriors: Warriors::Card,
    }
}

/// What can be touched on the table.
pub(super) fn spots(scene: &PhaseScene<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let (density, _) = fitting(scene);
    table(&mut Pen::noting(&mut spots), scene, density);
    spots
}

/// The first of the densities at which everything fits, and how high it is then.
fn fitting(scene: &PhaseScene<'_>) -> (Density, f32) {
    let mut fitting = DENSITIES.into_iter().filter_map(|density| {
        let height = table(&mut Pen::dry(), scene, density);
        (height <= density.highest).then_some((density, height))
    });
    fitting.next().unwrap_or((DENSITIES[0], HIGHEST))
}

pub(super) fn picture(scene: &PhaseScene<'_>) -> Canvas {
    let (density, height) = fitting(scene);
    let steps = if density.merged { 3 } else { 4 };
    let height = height.min(HIGHEST).ceil() as u32;
    let mut canvas = Canvas::new(WIDTH as u32, height, scene.theme).coarse(steps);
    canvas.fill(Ink::Paper);
    table(&mut Pen::on(&mut canvas), scene, density);
    canvas
}

/// How closely things are set.
#[cfg(test)]
pub(super) fn density_of(scene: &PhaseScene<'_>) -> Density {
    fitting(scene).0
}

/// How high the table would like to be.
#[cfg(test)]
pub(super) fn needed_height(scene: &PhaseScene<'_>) -> f32 {
    fitting(scene).1
}

/// Everything from top to bottom; gives the height.
fn table(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, density: Density) -> f32 {
    let view = scene.view;
    let mut y = MARGIN;
    let gap = density.gap();
    y += header(pen, scene, density, y) + gap;
    if let Some(attack) = view
        .attack
        .as_ref()
        .filter(|attack| !attack.skirmishes.is_empty())
    {
        y += skirmishes(pen, scene, attack, density, y) + gap;
    }
    let seats = view.players.len();
    for turn in 0..seats {
        let place = (scene.side.index() + turn) % seats;
        if let Some(player) = view.players.get(place) {
            y += panel(pen, scene, player, density, y) + gap;
        }
    }
    y - gap + MARGIN
}

/// Round, Nexus, the steps of the turn, and whose decision it is.
fn header(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, density: Density, top: f32) -> f32 {
    let view = scene.view;
    pen.spot(|| spots::nexus(view, Rect::new(WIDTH / 2.0, top, WIDTH / 2.0 - MARGIN, 44.0)));
    let taken = traces::taken(scene);
    pen.draw(|canvas| nexus(canvas, view, taken, top));
    let mut y = top + 50.0;
    if scene.outcome.is_none() && !view.stage.is_opening() {
        pen.draw(|canvas| steps(canvas, view.stage, y + 20.0));
        y += 46.0;
    }
    let (call, notes) = (words::call_or_result(scene), words::notes(scene));
    let area = Rect::new(MARGIN + 4.0, y, INNER - 8.0, 0.0);
    let caption = Caption::flowing(&call, &notes, area.width, if density.tight { 0.85 } else { 1.0 });
    pen.draw(|canvas| caption.draw(canvas, area, Ink::Text));
    y + caption.height() - top
}

fn nexus(canvas: &mut Canvas, view: &View, taken: [u16; 2], top: f32) {
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
        // Somebody has just taken from it.
        if taken[alignment.index()] > 0 {
            canvas.frame(bar.inset(-2.0), 14.0, 5.0, Ink::LastMove);
        } else {
            canvas.frame(bar, 12.0, 2.0, Ink::Faint);
        }
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

const fn step(stage: TurnStage) -> usize {
    match stage {
        TurnStage::Decks | TurnStage::Setup | TurnStage::Attack => 0,
        TurnStage::Maneuver => 1,
        TurnStage::Target | TurnStage::Attackers => 2,
        TurnStage::Defenders(_) => 3,
        TurnStage::Pick | TurnStage::Skirmish => 4,
        TurnStage::Training => 5,
        TurnStage::Closing => 6,
    }
}

/// The steps of the turn, the present one on a plate.
fn steps(canvas: &mut Canvas, stage: TurnStage, y: f32) {
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
