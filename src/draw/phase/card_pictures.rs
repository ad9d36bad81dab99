//! Cards and decks outside of any match: a face or a whole card, and a deck at a glance.

use super::super::canvas::Rect;
use super::super::{ALT_LIMIT, Align, Canvas, Ink, Style, Theme, font};
use super::chip::{self, Chip};
use super::face::Plate;
use super::pen::{Flow, INNER, MARGIN, Pen, SMALL, WIDTH};
use super::{signs, words};
use crate::game::collection::{Collection, Showpiece};
use crate::games::phase::card::{Alignment, Card, CardId, CardSet, Face, Library, card_set};
use crate::text;

const GAP: f32 = 12.0;
const TITLE: Style = Style::bold(30.0);

/// The picture of something; nothing if it isn't ours.
pub(super) fn picture(piece: &Showpiece, theme: Theme) -> Option<Canvas> {
    let set = card_set();
    match piece {
        Showpiece::Exhibits(names) => {
            let faces: Vec<&Face> = names.iter().filter_map(|name| set.face_named(name)).collect();
            match faces[..] {
                [] => None,
                [face] => Some(drawn(theme, |pen| one_face(pen, set, face))),
                [one, other, ..] => Some(drawn(theme, |pen| two_faces(pen, set, one, other))),
            }
        }
        Showpiece::List { name, items } => {
            let cards: Vec<&Card> = cards(items).map(|id| set.card(id)).collect();
            (!cards.is_empty()).then(|| drawn(theme, |pen| deck(pen, set, name, &cards)))
        }
    }
}

/// The same in words.
pub(super) fn alt(piece: &Showpiece) -> String {
    match piece {
        Showpiece::Exhibits(names) => {
            let found = names.iter().filter_map(|name| Library.search(name).ok());
            let told: Vec<String> = found
                .flatten()
                .map(|exhibit| format!("{}. {}", exhibit.name, exhibit.details.join(" ")))
                .collect();
            words::short(&told.join(" "))
        }
        Showpiece::List { name, items } => {
            let set = card_set();
            let curve = Curve::of(set, cards(items));
            let counts = |alignment: Alignment| {
                curve.counts[alignment.index()]
                    .map(|count| count.to_string())
                    .join(", ")
            };
            let mut text = format!(
                "The deck {name}, {}. Good faces by training cost from 0 to 5: {}. Evil faces: {}.",
                text::counted(items.len(), "card", "cards"),
                counts(Alignment::Good),
                counts(Alignment::Evil)
            );
            let titles: Vec<String> = cards(items).map(|id| set.title(id)).collect();
            let list = format!(" Its cards: {}.", titles.join(", "));
            // The answer lists them, too.
            if text.chars().count() + list.chars().count() <= ALT_LIMIT {
                text.push_str(&list);
            }
            words::short(&text)
        }
    }
}

fn cards(items: &[String]) -> impl Iterator<Item = CardId> {
    items.iter().filter_map(|item| item.parse().ok())
}

fn drawn(theme: Theme, sheet: impl Fn(&mut Pen<'_>) -> f32) -> Canvas {
    let height = sheet(&mut Pen::dry());
    let mut canvas = Canvas::new(WIDTH as u32, height.ceil() as u32, theme).coarse(4);
    canvas.fill(Ink::Paper);
    sheet(&mut Pen::on(&mut canvas));
    canvas
}

fn title(pen: &mut Pen<'_>, text: &str, note: &str) -> f32 {
    pen.draw(|canvas| {
        let y = MARGIN + 20.0;
        let style = Style::regular(22.0).align(Align::Right);
        canvas.text(WIDTH - MARGIN - 4.0, y, note, style, Ink::Text);
        let room = INNER - 24.0 - font::width(note, style);
        canvas.text(MARGIN + 4.0, y, &font::fit(text, room, TITLE), TITLE, Ink::Text);
    });
    MARGIN + 46.0
}

/// A face, and what may stand behind it.
fn one_face(pen: &mut Pen<'_>, set: &CardSet, face: &Face) -> f32 {
    let mut y = title(pen, &face.name, &format!("{}, {}", face.faction, face.alignment));
    let plate = Plate::new(face);
    let area = Rect::new(MARGIN, y, INNER, plate.height(INNER));
    pen.draw(|canvas| plate.draw(canvas, area));
    y = area.bottom() + GAP;
    pen.draw(|canvas| {
        let style = Style::bold(24.0);
        canvas.text(
            MARGIN + 4.0,
            y + 14.0,
            "What may stand behind it",
            style,
            Ink::Text,
        );
    });
    let mut flow = Flow::new(Rect::new(MARGIN, y + 36.0, INNER, 0.0), chip::HEIGHT, 10.0);
    for card in set
        .cards()
        .iter()
        .filter(|card| card.face(face.alignment) == face.id)
    {
        let back = set.face(card.face(face.alignment.other()));
        let labelled = Labelled::new(card.id, back);
        let at = flow.next(labelled.width());
        pen.draw(|canvas| labelled.draw(canvas, at));
    }
    flow.bottom() + MARGIN
}

/// Both faces of a card, side by side.
fn two_faces(pen: &mut Pen<'_>, set: &CardSet, one: &Face, other: &Face) -> f32 {
    let card = set.card_of(&one.name, &other.name);
    let number = card.map_or_else(String::new, |card| card.id.to_string());
    let y = title(
        pen,
        &format!("{number} {} / {}", one.name, other.name),
        one.faction.name(),
    );
    let plates = [one, other].map(Plate::new);
    let width = (INNER - GAP) / 2.0;
    let height = plates.iter().map(|plate| plate.height(width)).fold(0.0, f32::max);
    for (column, plate) in (0u8..).zip(&plates) {
        let x = MARGIN + f32::from(column) * (width + GAP);
        pen.draw(|canvas| plate.draw(canvas, Rect::new(x, y, width, height)));
    }
    y + height + MARGIN
}

/// A face in one line, with the number of the card that it stands on.
struct Labelled<'f> {
    number: String,
    chip: Chip<'f>,
}

const NUMBER: Style = Style::bold(SMALL);

impl<'f> Labelled<'f> {
    fn new(card: CardId, face: &'f Face) -> Self {
        Self {
            number: card.to_string(),
            chip: Chip::new(face, 240.0).in_full(),
        }
    }

    fn width(&self) -> f32 {
        font::width(&self.number, NUMBER) + 8.0 + self.chip.width()
    }

    fn draw(&self, canvas: &mut Canvas, (x, y): (f32, f32)) {
        canvas.text(x, y + chip::HEIGHT / 2.0, &self.number, NUMBER, Ink::Text);
        let left = x + font::width(&self.number, NUMBER) + 8.0;
        self.chip.draw(canvas, (left.round(), y));
    }
}

/// How many faces of each alignment cost how much.
struct Curve {
    counts: [[u16; 6]; 2],
}

impl Curve {
    fn of(set: &CardSet, cards: impl Iterator<Item = CardId>) -> Self {
        let mut counts = [[0; 6]; 2];
        for id in cards {
            for alignment in Alignment::ALL {
                let face = set.face(set.card(id).face(alignment));
                if let Some(count) = counts[alignment.index()].get_mut(usize::from(face.cost)) {
                    *count += 1;
                }
            }
        }
        Self { counts }
    }

    fn draw(&self, canvas: &mut Canvas, area: Rect) {
        let most = self.counts.iter().flatten().copied().max().unwrap_or(1).max(1);
        let foot = area.bottom() - 34.0;
        let room = foot - area.y - 28.0;
        let step = area.width / 6.0;
        for cost in 0..6u8 {
            let middle = area.x + step * (f32::from(cost) + 0.5);
            for (side, alignment) in [-1.0, 1.0].into_iter().zip(Alignment::ALL) {
                let count = self.counts[alignment.index()][usize::from(cost)];
                let height = (room * f32::from(count) / f32::from(most)).max(3.0).round();
                let bar = Rect::new(middle + side * 27.0 - 25.0, foot - height, 50.0, height);
                let (paper, _) = signs::ground(alignment);
                canvas.round_rect(bar, 5.0, paper);
                canvas.frame(bar, 5.0, 2.0, Ink::Faint);
                let style = Style::bold(SMALL).align(Align::Centre);
                canvas.text(bar.centre().0, bar.y - 14.0, &count.to_string(), style, Ink::Text);
            }
            let style = Style::regular(SMALL).align(Align::Centre);
            canvas.text(middle, foot + 18.0, &format!("cost {cost}"), style, Ink::Text);
        }
    }
}

/// The most cards that are listed: more than any deck has.
const MOST: usize = 32;

/// Name, curve, and every card with both its faces.
fn deck(pen: &mut Pen<'_>, set: &CardSet, name: &str, cards: &[&Card]) -> f32 {
    let faction = cards.first().map_or("", |card| card.faction.name());
    let mixed = cards.iter().any(|card| card.faction.name() != faction);
    let faction = if mixed { "several factions" } else { faction };
    let mut y = title(
        pen,
        name,
        &format!("{faction}, {}", text::counted(cards.len(), "card", "cards")),
    );
    let curve = Curve::of(set, cards.iter().map(|card| card.id));
    let area = Rect::new(MARGIN, y, INNER, 190.0);
    pen.draw(|canvas| {
        canvas.round_rect(area, 12.0, Ink::Panel);
        curve.draw(canvas, area.inset(8.0));
    });
    y = area.bottom() + GAP;
    for card in cards.iter().take(MOST) {
        pen.draw(|canvas| row(canvas, set, card, y));
        y += chip::HEIGHT + 6.0;
    }
    if let Some(more) = cards.len().checked_sub(MOST).filter(|more| *more > 0) {
        pen.draw(|canvas| {
            let style = Style::regular(SMALL);
            canvas.text(
                MARGIN + 4.0,
                y + 14.0,
                &format!("and {more} more"),
                style,
                Ink::Text,
            );
        });
        y += 34.0;
    }
    y - 6.0 + MARGIN
}

fn row(canvas: &mut Canvas, set: &CardSet, card: &Card, y: f32) {
    canvas.text(
        MARGIN + 4.0,
        y + chip::HEIGHT / 2.0,
        &card.id.to_string(),
        NUMBER,
        Ink::Text,
    );
    let width = (INNER - 64.0) / 2.0;
    for (column, alignment) in (0u8..).zip(Alignment::ALL) {
        let x = MARGIN + 64.0 + f32::from(column) * width;
        Chip::new(set.face(card.face(alignment)), 280.0)
            .in_full()
            .draw(canvas, (x, y));
    }
}
