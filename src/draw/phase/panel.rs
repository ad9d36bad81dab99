//! One player's part of the table: name, influence, warriors, barracks, hand, deck.

use super::super::canvas::Rect;
use super::super::{Align, Canvas, Ink, Style, font};
use super::chip::{self, Chip, Label};
use super::pen::{CAPTION, Flow, INNER, MARGIN, PAD, Pen, WIDTH};
use super::table::{Density, Warriors};
use super::traces::Traces;
use super::warrior::{Card, Look};
use super::{PhaseScene, marked, signs, spots};
use crate::games::phase::action::{Target, hand_letter};
use crate::games::phase::card::Alignment;
use crate::games::phase::view::PlayerView;

/// No warrior is wider than a third of the row.
const FEWEST_COLUMNS: usize = 3;
/// Between cards.
const BETWEEN: f32 = 8.0;

/// Draws it from a height down; gives how high it is.
pub(super) fn panel(
    pen: &mut Pen<'_>,
    scene: &PhaseScene<'_>,
    player: &PlayerView,
    density: Density,
    top: f32,
) -> f32 {
    let seat = player.seat;
    let wins = scene
        .outcome
        .is_some_and(|outcome| outcome.ranks.get(seat.index()) == Some(&1));
    let lit = scene.view.active == Some(seat) || wins;
    let panel = Panel {
        scene,
        player,
        density,
        traces: Traces::of(scene, player),
    };
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
            let head = if density.tight { 42.0 } else { 48.0 };
            pen.spot(|| spots::player(scene, player, Rect::new(MARGIN, top, INNER, head)));
            pen.draw(|canvas| panel.headline(canvas, wins, top + (head + 4.0) / 2.0));
            if player.left {
                return head;
            }
            let y = panel.warriors(pen, top + head);
            // Fuller lines are no more lines: for the height alone they need not be found.
            let rooms = if pen.is_dry() {
                Rooms::least(density)
            } else {
                panel.rooms(y)
            };
            panel.chips(pen, rooms, y) + PAD - 2.0 - top
        },
    )
}

/// How much room names get in the lines of chips.
#[derive(Clone, Copy, Debug)]
struct Rooms {
    resource: f32,
    /// Of cards in hands, on decks and in discard piles.
    hand: f32,
    /// Of what everybody has seen behind cards.
    back: f32,
    /// The card that was discarded last is shown, even if nothing was just now.
    discarded: bool,
}

const fn rooms(resource: f32, hand: f32, back: f32, discarded: bool) -> Rooms {
    Rooms {
        resource,
        hand,
        back,
        discarded,
    }
}

/// What is tried where lines are not full, the best first.
const RICHER: [Rooms; 16] = [
    rooms(190.0, 190.0, 190.0, true),
    rooms(190.0, 190.0, 190.0, false),
    rooms(190.0, 150.0, 150.0, false),
    rooms(190.0, 120.0, 120.0, false),
    rooms(150.0, 90.0, 90.0, false),
    rooms(190.0, 0.0, 190.0, false),
    rooms(150.0, 0.0, 120.0, false),
    rooms(190.0, 190.0, 0.0, false),
    rooms(190.0, 120.0, 0.0, false),
    rooms(190.0, 0.0, 0.0, false),
    rooms(165.0, 0.0, 0.0, false),
    rooms(150.0, 0.0, 0.0, false),
    rooms(140.0, 0.0, 0.0, false),
    rooms(130.0, 0.0, 0.0, false),
    rooms(120.0, 0.0, 0.0, false),
    rooms(110.0, 0.0, 0.0, false),
];

impl Rooms {
    /// What a density grants at least.
    const fn least(density: Density) -> Self {
        rooms(density.resource, density.hand, density.backs, !density.merged)
    }

    /// Whether nothing is told less with this.
    fn grants(self, least: Self) -> bool {
        self.resource >= least.resource
            && self.hand >= least.hand
            && self.back >= least.back
            && self.discarded >= least.discarded
    }
}

/// A player's part, as it is laid out.
struct Panel<'s> {
    scene: &'s PhaseScene<'s>,
    player: &'s PlayerView,
    density: Density,
    traces: Traces,
}

impl Panel<'_> {
    fn headline(&self, canvas: &mut Canvas, wins: bool, y: f32) {
        let Self { scene, player, .. } = self;
        let seat = player.seat;
        signs::number(canvas, (MARGIN + 28.0, y), 18.0, seat, &seat.to_string());
        let mut right = WIDTH - MARGIN - PAD;
        if !player.left {
            for alignment in [Alignment::Evil, Alignment::Good] {
                let style = Style::bold(28.0).align(Align::Right);
                let text = player.influence[alignment.index()].to_string();
                canvas.text(right, y, &text, style, Ink::Text);
                signs::token(canvas, (right - 54.0, y), 16.0, alignment);
                right -= 84.0;
                let won = self.traces.won[alignment.index()];
                if won != 0 {
                    right -= draw_won(canvas, (right, y), won);
                }
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

    fn warriors(&self, pen: &mut Pen<'_>, top: f32) -> f32 {
        if self.density.warriors != Warriors::Card {
            return self.warriors_in_lines(pen, top);
        }
        let warriors = &self.player.warriors;
        let mut y = top;
        for row in warriors.chunks(a_row(warriors.len(), self.density.columns)) {
            let width = card_width(row.len());
            let look = Look {
                width,
                texts: self.density.texts,
                backs: self.density.backs > 0.0,
            };
            let set = |look: Look| -> Vec<Card<'_>> {
                let cards = row.iter();
                cards
                    .map(|warrior| Card::new(self.scene, self.player.seat, warrior, &self.traces, look))
                    .collect()
            };
            let mut cards = set(look);
            let height = cards.iter().map(Card::height).fold(0.0, f32::max);
            // What is known behind a warrior is told where its card has a line left for it.
            for (card, fuller) in cards.iter_mut().zip(set(Look { backs: true, ..look })) {
                if fuller.height() <= height {
                    *card = fuller;
                }
            }
            for (column, card) in (0u8..).zip(&cards) {
                let x = MARGIN + PAD + f32::from(column) * (width + BETWEEN);
                let area = Rect::new(x, y, width, height);
                pen.spot(|| spots::warrior(self.scene, self.player.seat, card.warrior, area));
                pen.draw(|canvas| card.draw(canvas, area));
            }
            y += height + BETWEEN;
        }
        y
    }

    /// Armies for which there is no other room: a line for each warrior, as many beside each other as there can be.
    fn warriors_in_lines(&self, pen: &mut Pen<'_>, top: f32) -> f32 {
        if self.player.warriors.is_empty() {
            return top;
        }
        let (named, known) = match self.density.warriors {
            Warriors::Card | Warriors::Line => (true, [true, false]),
            Warriors::Nameless => (false, [false; 2]),
        };
        // What is known behind them is told if it needs no further line.
        let [fuller, plain] = known.map(|backs| self.lined_up(top, backs, named));
        let end = |set: &[(Card<'_>, Rect)]| set.last().map_or(top, |(_, area)| area.bottom());
        let set = if end(&fuller) <= end(&plain) {
            fuller
        } else {
            plain
        };
        for (card, area) in &set {
            pen.spot(|| spots::warrior(self.scene, self.player.seat, card.warrior, *area));
            pen.draw(|canvas| card.draw_line(canvas, *area, named));
        }
        end(&set) + BETWEEN
    }

    /// The warriors one after the other, in as many lines as they need, and where each comes to lie.
    fn lined_up(&self, top: f32, backs: bool, named: bool) -> Vec<(Card<'_>, Rect)> {
        let area = Rect::new(MARGIN + PAD, top, INNER - 2.0 * PAD, 0.0);
        let look = Look {
            width: area.width,
            texts: false,
            backs,
        };
        let mut flow = Flow::new(area, Card::LINE, 6.0);
        let warriors = self.player.warriors.iter();
        warriors
            .map(|warrior| {
                let card = Card::new(self.scene, self.player.seat, warrior, &self.traces, look);
                let width = card.line_width(named).min(area.width);
                let (x, y) = flow.next(width);
                (card, Rect::new(x, y, width, Card::LINE))
            })
            .collect()
    }

    /// The most that can be told in as many lines as are needed anyway.
    fn rooms(&self, top: f32) -> Rooms {
        let least = Rooms::least(self.density);
        let bottom = self.chips(&mut Pen::dry(), least, top);
        let mut richer = RICHER.into_iter().filter(|rooms| rooms.grants(least));
        richer
            .find(|rooms| self.chips(&mut Pen::dry(), *rooms, top) <= bottom)
            .unwrap_or(least)
    }

    /// All that is not in play, from a height down; gives where it ends.
    fn chips(&self, pen: &mut Pen<'_>, rooms: Rooms, top: f32) -> f32 {
        let mut flow = lines(top);
        self.barracks(pen, rooms, &mut flow);
        if !self.density.merged {
            flow = lines(flow.bottom() + 6.0);
        }
        self.piles(pen, rooms, &mut flow);
        flow.bottom()
    }

    fn barracks(&self, pen: &mut Pen<'_>, rooms: Rooms, flow: &mut Flow) {
        let Self { scene, player, .. } = self;
        let title = match player.barracks.len() {
            0 => "Barracks empty",
            _ => "Barracks",
        };
        caption(pen, flow, title);
        for card in &player.barracks {
            let chip = Chip::resource(card, rooms.resource)
                .backed(card, rooms.back)
                .touched(self.traces.of_resource(card))
                .marked(marked::of_resource(scene, player, card));
            let area = place(pen, flow, chip);
            pen.spot(|| spots::resource(scene, player.seat, card, area));
        }
    }

    /// Hand, deck and discard pile, as far as they are open.
    fn piles(&self, pen: &mut Pen<'_>, rooms: Rooms, flow: &mut Flow) {
        let Self { scene, player, .. } = self;
        // What is behind a card says little without what is on it.
        let back = rooms.back.min(rooms.hand);
        let title = match player.hand.len() {
            0 => "Hand empty",
            _ => "Hand",
        };
        caption(pen, flow, title);
        for card in &player.hand {
            let chip = Chip::new(&card.face, rooms.hand)
                .labelled(Label::Letter(hand_letter(card.place)))
                .backed(card, back)
                .touched(self.traces.of_hand_card(card))
                .marked(marked::of_hand_card(scene, player.seat, card.place));
            let area = place(pen, flow, chip);
            pen.spot(|| spots::open_hand_card(scene, player.seat, card, area));
        }
        caption(pen, flow, &format!("Deck {}", player.deck));
        if let Some(card) = &player.top {
            let chip = Chip::new(&card.face, rooms.hand).backed(card, back);
            place(pen, flow, chip.touched(self.traces.top));
        }
        let Some(last) = player.discard.last() else {
            return;
        };
        caption(pen, flow, &format!("Discarded {}", player.discard.len()));
        // What was discarded just now is always seen.
        let shown = player.discard.iter().filter(|card| {
            let last = rooms.discarded && card.place == last.place;
            last || self.traces.of_discard(card)
        });
        for card in shown {
            let chip = Chip::new(&card.face, rooms.hand).backed(card, back);
            place(pen, flow, chip.touched(self.traces.of_discard(card)));
        }
    }
}

/// "+2" left of the pool to which it was added; gives how much room it takes.
fn draw_won(canvas: &mut Canvas, (right, y): (f32, f32), won: i32) -> f32 {
    let text = format!("{won:+}").replace('-', "−");
    let width = signs::tag_width(&text);
    let ink = canvas.theme().legible_on(Ink::LastMove);
    signs::tag(canvas, (right + 6.0 - width, y), &text, Ink::LastMove, ink);
    width + 4.0
}

/// How wide the cards of a row are. Few warriors share the row: their names need the room.
pub(super) fn card_width(row: usize) -> f32 {
    let columns = row.max(FEWEST_COLUMNS) as f32;
    ((INNER - 2.0 * PAD - BETWEEN * (columns - 1.0)) / columns).floor()
}

/// How many of so many warriors stand in a row, at most so many: rows are as even as can be.
pub(super) fn a_row(warriors: usize, columns: u8) -> usize {
    let rows = warriors.div_ceil(usize::from(columns).max(1)).max(1);
    warriors.div_ceil(rows).max(1)
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

/// The area of the chips of a panel, from a height down.
const fn lines(top: f32) -> Flow {
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

/// Sets a chip; gives its place.
fn place(pen: &mut Pen<'_>, flow: &mut Flow, chip: Chip<'_>) -> Rect {
    let width = chip.width();
    let (x, y) = flow.next(width);
    pen.draw(|canvas| chip.draw(canvas, (x, y)));
    Rect::new(x, y, width, chip::HEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_even() {
        for (warriors, columns, row) in [
            (0, 7, 1),
            (2, 7, 2),
            (7, 7, 7),
            (8, 7, 4),
            (9, 7, 5),
            (13, 7, 7),
            (15, 7, 5),
            (4, 3, 2),
        ] {
            assert_eq!(a_row(warriors, columns), row, "{warriors} in rows of {columns}");
        }
    }
}
