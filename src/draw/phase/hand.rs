//! A private hand: both faces of every card, what it costs and whether that can be paid, and what lies
//! beneath the owner's resources and warriors.

use super::super::canvas::Rect;
use super::super::{Align, Canvas, Ink, Mark, Spot, Style, font};
use super::chip::{self, Chip, Label};
use super::face::{self, BAND, PAD};
use super::means::Means;
use super::pen::{Flow, HIGHEST, INNER, MARGIN, Pen, SMALL, WIDTH};
use super::typeset::{self, Bit, Block, Tone};
use super::{PhaseScene, marked, signs, spots, words};
use crate::game::{Seat, Viewer};
use crate::games::phase::action::hand_letter;
use crate::games::phase::card::Face;
use crate::games::phase::flow::TurnStage;
use crate::games::phase::view::{CardView, PlayerView, WarriorView};

const GAP: f32 = 12.0;
/// The strip with the face that the others see.
const STRIP: f32 = 44.0;
const TITLE: Style = Style::bold(28.0);

/// How much of each card is told; the more cards, the less.
#[derive(Clone, Copy, Debug)]
struct Density {
    highest: f32,
    /// The size of an order's text.
    size: f32,
    /// What the active face does in play.
    skills: bool,
    /// What the outward face does.
    outward: bool,
    /// What the skills of own warriors do.
    warriors: bool,
    /// Whatever comes last may be cut off, so that what was seen behind others' cards comes first.
    is_cut: bool,
}

const DENSITIES: [Density; 5] = [
    density(1300.0, 23.0, true, true, true),
    density(HIGHEST, 22.0, true, false, true),
    density(HIGHEST, 21.0, true, false, false),
    density(HIGHEST, SMALL, false, false, false),
    Density {
        is_cut: true,
        ..density(f32::MAX, SMALL, false, false, false)
    },
];

const fn density(highest: f32, size: f32, skills: bool, outward: bool, warriors: bool) -> Density {
    Density {
        highest,
        size,
        skills,
        outward,
        warriors,
        is_cut: false,
    }
}

/// Whose hand is shown.
fn owner<'s>(scene: &'s PhaseScene<'_>) -> Option<&'s PlayerView> {
    let Viewer::Seat(seat) = scene.viewer else {
        return None;
    };
    scene.view.own.as_ref()?;
    scene.view.player(seat).filter(|player| !player.left)
}

/// What can be touched in the hand.
pub(super) fn spots(scene: &PhaseScene<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let Some(player) = owner(scene) else {
        return spots;
    };
    let means = Means::of(scene.view, player);
    for density in DENSITIES {
        spots.clear();
        let sheet = Sheet {
            scene,
            player,
            means: &means,
            density,
        };
        let height = sheet.draw(&mut Pen::noting(&mut spots));
        if height <= density.highest {
            break;
        }
    }
    spots
}

pub(super) fn picture(scene: &PhaseScene<'_>) -> Option<Canvas> {
    let player = owner(scene)?;
    let means = Means::of(scene.view, player);
    let fitting = DENSITIES.into_iter().find_map(|density| {
        let sheet = Sheet {
            scene,
            player,
            means: &means,
            density,
        };
        let height = sheet.draw(&mut Pen::dry());
        (height <= density.highest).then_some((sheet, height.min(HIGHEST)))
    });
    let (sheet, height) = fitting?;
    let mut canvas = Canvas::new(WIDTH as u32, height.ceil() as u32, scene.theme).coarse(4);
    canvas.fill(Ink::Paper);
    sheet.draw(&mut Pen::on(&mut canvas));
    Some(canvas)
}

/// A hand as it is drawn.
struct Sheet<'a> {
    scene: &'a PhaseScene<'a>,
    player: &'a PlayerView,
    means: &'a Means,
    density: Density,
}

impl Sheet<'_> {
    /// Everything from top to bottom; gives the height.
    fn draw(&self, pen: &mut Pen<'_>) -> f32 {
        let Self {
            scene,
            player,
            density,
            ..
        } = *self;
        let mut y = self.title(pen, MARGIN);
        if density.is_cut {
            y = learnt(pen, scene, player.seat, y);
        }
        y = self.cards(pen, y);
        y = self.barracks(pen, y);
        y = self.warriors(pen, y);
        y = discards(pen, player, y);
        if !density.is_cut {
            y = learnt(pen, scene, player.seat, y);
        }
        y + MARGIN - GAP
    }

    fn title(&self, pen: &mut Pen<'_>, top: f32) -> f32 {
        let Self {
            scene, player, means, ..
        } = *self;
        let mut y = top + 20.0;
        pen.draw(|canvas| {
            signs::number(
                canvas,
                (MARGIN + 20.0, y),
                18.0,
                player.seat,
                &player.seat.to_string(),
            );
            let right = WIDTH - MARGIN - 4.0;
            let style = Style::regular(22.0).align(Align::Right);
            let resources = means.summary();
            canvas.text(right, y, &resources, style, Ink::Text);
            let room = right - font::width(&resources, style) - MARGIN - 70.0;
            let name = font::fit(&format!("The hand of {}", scene.name(player.seat)), room, TITLE);
            canvas.text(MARGIN + 48.0, y, &name, TITLE, Ink::Text);
        });
        y += 26.0;
        if scene.awaiting.includes(player.seat) {
            let mut bits = Vec::new();
            typeset::words(&mut bits, &words::call_or_result(scene), Tone::Strong);
            let block = Block::new(&bits, INNER - 8.0, 23.0);
            pen.draw(|canvas| block.draw(canvas, (MARGIN + 4.0, y)));
            y += block.height();
        }
        y + 10.0
    }

    fn cards(&self, pen: &mut Pen<'_>, top: f32) -> f32 {
        let Self { scene, player, .. } = *self;
        let mut y = top;
        if player.hand.is_empty() {
            let own = scene.view.own.as_ref();
            let text = match own.filter(|_| scene.view.stage == TurnStage::Decks) {
                Some(own) => words::chosen_deck(own),
                None => "No cards in hand.".to_owned(),
            };
            let mut bits = Vec::new();
            typeset::words(&mut bits, &text, Tone::Plain);
            let block = Block::new(&bits, INNER - 8.0, 23.0);
            pen.draw(|canvas| block.draw(canvas, (MARGIN + 4.0, y)));
            return y + block.height() + GAP;
        }
        let held: Vec<Held<'_>> = player
            .hand
            .iter()
            .filter_map(|card| Held::new(self, card))
            .collect();
        let columns = if held.len() == 1 { 1 } else { 2 };
        let width = if columns == 1 { INNER } else { (INNER - GAP) / 2.0 };
        for row in held.chunks(columns) {
            let height = row.iter().map(|card| card.height(width)).fold(0.0, f32::max);
            for (column, card) in (0u8..).zip(row) {
                let x = MARGIN + f32::from(column) * (width + GAP);
                let area = Rect::new(x, y, width, height);
                pen.spot(|| spots::hand_card(scene, player.seat, card.card, area));
                pen.draw(|canvas| card.draw(canvas, area));
            }
            y += height + GAP;
        }
        y
    }

    /// Every resource with the face beneath it, three a row.
    fn barracks(&self, pen: &mut Pen<'_>, top: f32) -> f32 {
        let Self {
            scene, player, means, ..
        } = *self;
        if player.barracks.is_empty() {
            return top;
        }
        let mut y = heading(pen, "Barracks, and what lies beneath", top);
        let between = 8.0;
        let width = ((INNER - 2.0 * between) / 3.0).floor();
        let height = 2.0 * chip::HEIGHT + 14.0;
        for row in player.barracks.chunks(3) {
            for (column, card) in (0u8..).zip(row) {
                let x = MARGIN + f32::from(column) * (width + between);
                let plate = Rect::new(x, y, width, height);
                pen.spot(|| spots::resource(scene, player.seat, card, plate));
                pen.draw(|canvas| resource(canvas, card, means.trains(card), plate));
            }
            y += height + between;
        }
        if let Some(text) = means.training() {
            let mut bits = Vec::new();
            typeset::words(&mut bits, text, Tone::Plain);
            let block = Block::new(&bits, INNER - 8.0, SMALL);
            pen.draw(|canvas| block.draw(canvas, (MARGIN + 4.0, y - 2.0)));
            y += block.height() + 2.0;
        }
        y + 4.0
    }

    /// Every own warrior with the face beneath it and its action skills.
    fn warriors(&self, pen: &mut Pen<'_>, top: f32) -> f32 {
        let Self {
            scene,
            player,
            means,
            density,
        } = *self;
        if player.warriors.is_empty() {
            return top;
        }
        let mut y = heading(pen, "Warriors, and what lies beneath", top);
        if !density.warriors {
            let area = Rect::new(MARGIN, y, INNER, 0.0);
            let mut flow = Flow::new(area, chip::HEIGHT, 6.0);
            for warrior in &player.warriors {
                let Some(behind) = &warrior.behind else { continue };
                let chip = Chip::new(behind, 150.0)
                    .labelled(Label::Number(warrior.number))
                    .in_full();
                let (x, y) = flow.next(chip.width());
                let area = Rect::new(x, y, chip.width(), chip::HEIGHT);
                pen.spot(|| spots::warrior(scene, player.seat, warrior, area));
                pen.draw(|canvas| chip.draw(canvas, (x, y)));
            }
            return flow.bottom() + GAP;
        }
        for warrior in &player.warriors {
            let height = own_warrior(pen, player.seat, warrior, means, y);
            let area = Rect::new(MARGIN, y, INNER, height);
            pen.spot(|| spots::warrior(scene, player.seat, warrior, area));
            y += height + 6.0;
        }
        y + 6.0
    }
}

/// A card in hand: the active face large, the outward one in the strip below.
struct Held<'v> {
    seat: Seat,
    card: &'v CardView,
    active: &'v Face,
    order: Vec<Bit>,
    skills: Vec<Bit>,
    outward: Vec<Bit>,
    density: Density,
    lit: bool,
    mark: Option<Mark>,
}

impl<'v> Held<'v> {
    fn new(sheet: &Sheet<'_>, card: &'v CardView) -> Option<Self> {
        let Sheet {
            scene,
            player,
            means,
            density,
        } = *sheet;
        let seat = player.seat;
        let active: &Face = card.behind.as_ref()?;
        let mut order = Vec::new();
        typeset::words(&mut order, "Order", Tone::Strong);
        typeset::ability(&mut order, &active.order, Tone::Plain);
        let (note, lit) = means.of_hand_card(card.place, active);
        order.push(Bit::Break);
        typeset::words(&mut order, &note, if lit { Tone::Boon } else { Tone::Faint });
        let mut skills = Vec::new();
        if density.skills {
            typeset::skills(&mut skills, active, Tone::Plain);
        }
        let mut outward = Vec::new();
        if density.outward {
            typeset::words(&mut outward, "Order", Tone::Strong);
            typeset::ability(&mut outward, &card.face.order, Tone::Plain);
            typeset::skills(&mut outward, &card.face, Tone::Plain);
        }
        Some(Self {
            seat,
            card,
            active,
            order,
            skills,
            outward,
            density,
            lit,
            // Without a pick, what can be done is said on the card.
            mark: marked::of_hand_card(scene, seat, card.place).filter(|_| scene.marks.picking()),
        })
    }

    fn blocks(&self, width: f32) -> [Block<'_>; 3] {
        let room = width - 2.0 * PAD;
        [
            Block::new(&self.order, room, self.density.size),
            Block::new(&self.skills, room, SMALL),
            Block::new(&self.outward, room, SMALL),
        ]
    }

    fn height(&self, width: f32) -> f32 {
        let [order, skills, outward] = self.blocks(width);
        let ruled = |block: &Block<'_>| {
            if block.height() > 0.0 {
                block.height() + 9.0
            } else {
                0.0
            }
        };
        BAND + 6.0 + order.height() + ruled(&skills) + 8.0 + STRIP + ruled(&outward)
    }

    fn draw(&self, canvas: &mut Canvas, area: Rect) {
        let [order, skills, outward] = self.blocks(area.width);
        canvas.round_rect(area, 12.0, Ink::Panel);
        let under = STRIP
            + if outward.height() > 0.0 {
                outward.height() + 9.0
            } else {
                0.0
            };
        let strip = Rect::new(area.x, area.bottom() - under, area.width, under);
        canvas.round_rect(strip, 12.0, Ink::CellA);
        canvas.rect(Rect::new(area.x, strip.y, area.width, 14.0), Ink::CellA);
        face::band(
            canvas,
            area,
            self.active,
            Some((self.seat, hand_letter(self.card.place))),
        );
        let left = area.x + PAD;
        let mut y = area.y + BAND + 6.0;
        order.draw(canvas, (left, y));
        y += order.height();
        if skills.height() > 0.0 {
            canvas.rect(Rect::new(left, y + 3.0, area.width - 2.0 * PAD, 1.5), Ink::Line);
            skills.draw(canvas, (left, y + 7.0));
        }
        let middle = strip.y + STRIP / 2.0;
        signs::eye(canvas, (left + 15.0, middle), 15.0, Ink::Text);
        let style = Style::regular(SMALL);
        canvas.text(left + 38.0, middle, "others see", style, Ink::Text);
        let start = left + 38.0 + font::width("others see", style) + 10.0;
        let chip = Chip::new(&self.card.face, 150.0).in_full();
        chip.draw(canvas, (start.round(), middle - chip::HEIGHT / 2.0));
        outward.draw(canvas, (left, strip.y + STRIP));
        if let Some(mark) = self.mark {
            canvas.marked_frame(area, 12.0, mark);
        } else if self.lit {
            canvas.frame(area, 12.0, 4.0, Ink::LastMove);
        } else {
            canvas.frame(area, 12.0, 2.0, Ink::Faint);
        }
    }
}

/// What the viewer, and not everybody, has seen of the others' cards.
fn learnt(pen: &mut Pen<'_>, scene: &PhaseScene<'_>, seat: Seat, top: f32) -> f32 {
    let mut y = top;
    for line in words::learnt(scene, seat) {
        let mut bits = Vec::new();
        typeset::words(&mut bits, &line, Tone::Plain);
        let block = Block::new(&bits, INNER - 8.0, 22.0);
        pen.draw(|canvas| block.draw(canvas, (MARGIN + 4.0, y)));
        y += block.height() + GAP;
    }
    y
}

/// The discard pile, and what lies beneath: its owner may look.
fn discards(pen: &mut Pen<'_>, player: &PlayerView, top: f32) -> f32 {
    if player.discard.is_empty() {
        return top;
    }
    let y = heading(pen, "Discarded, and what lies beneath", top);
    let mut flow = Flow::new(Rect::new(MARGIN, y, INNER, 0.0), chip::HEIGHT, 6.0);
    for card in &player.discard {
        let chip = Chip::new(&card.face, 190.0)
            .labelled(Label::Number(card.place))
            .over(card.behind.as_deref(), 190.0);
        let at = flow.next(chip.width());
        pen.draw(|canvas| chip.draw(canvas, at));
    }
    flow.bottom() + GAP
}

fn heading(pen: &mut Pen<'_>, text: &str, y: f32) -> f32 {
    pen.draw(|canvas| canvas.text(MARGIN + 4.0, y + 14.0, text, Style::bold(24.0), Ink::Text));
    y + 34.0
}

fn resource(canvas: &mut Canvas, card: &CardView, trains: bool, plate: Rect) {
    canvas.round_rect(plate, 10.0, Ink::Panel);
    if trains {
        canvas.frame(plate, 10.0, 4.0, Ink::LastMove);
    } else {
        canvas.frame(plate, 10.0, 2.0, Ink::Line);
    }
    let room = if card.locked { 126.0 } else { 148.0 };
    let upper = Chip::resource(card, room).in_full();
    upper.draw(canvas, (plate.x + 5.0, plate.y + 5.0));
    if let Some(behind) = &card.behind {
        let lower = Chip::new(behind, 146.0).in_full();
        let left = plate.right() - 5.0 - lower.width();
        lower.draw(canvas, (left, plate.y + 9.0 + chip::HEIGHT));
    }
}

fn own_warrior(pen: &mut Pen<'_>, seat: Seat, warrior: &WarriorView, means: &Means, top: f32) -> f32 {
    let mut bits = Vec::new();
    typeset::skills(&mut bits, &warrior.face, Tone::Plain);
    let note = means.of_warrior(warrior);
    if let Some((note, lit)) = note {
        if !bits.is_empty() {
            bits.push(Bit::Break);
        }
        typeset::words(&mut bits, note, if lit { Tone::Boon } else { Tone::Faint });
    }
    let block = Block::new(&bits, INNER - 2.0 * PAD, SMALL);
    let height = 44.0
        + if block.height() > 0.0 {
            block.height() + 6.0
        } else {
            0.0
        };
    pen.draw(|canvas| {
        let plate = Rect::new(MARGIN, top, INNER, height);
        canvas.round_rect(plate, 10.0, Ink::Panel);
        canvas.frame(plate, 10.0, 2.0, Ink::Line);
        let y = top + 22.0;
        signs::number(
            canvas,
            (MARGIN + 24.0, y),
            16.0,
            seat,
            &warrior.number.to_string(),
        );
        signs::token(canvas, (MARGIN + 62.0, y), 14.0, warrior.face.alignment);
        let strength = format!("{}/{}", warrior.attack, warrior.defense).replace('-', "−");
        let name = format!("{}  {strength}", warrior.face.name);
        let style = Style::bold(22.0);
        canvas.text(MARGIN + 86.0, y, &name, style, Ink::Text);
        let mut x = MARGIN + 86.0 + font::width(&name, style) + 14.0;
        if warrior.damage > 0 {
            signs::damage(canvas, (x + 14.0, y), 16.0, warrior.damage);
            x += 40.0;
        }
        if warrior.locked {
            signs::lock(canvas, (x + 10.0, y - 1.0), 22.0, Ink::Text);
        }
        if let Some(behind) = &warrior.behind {
            let chip = Chip::new(behind, 170.0).in_full();
            let left = plate.right() - 6.0 - chip.width();
            chip.draw(canvas, (left, y - chip::HEIGHT / 2.0));
            let style = Style::regular(SMALL).align(Align::Right);
            canvas.text(left - 10.0, y, "beneath", style, Ink::Faint);
        }
        block.draw(canvas, (MARGIN + PAD, top + 44.0));
    });
    height
}
