//! A warrior in play: as a small card, and in one line where skirmishes are listed.

use super::super::canvas::Rect;
use super::super::mask::Point;
use super::super::{Align, Canvas, Ink, Mark, Style, font};
use super::pen::{SMALL, shrunk};
use super::traces::{Deed, Traces};
use super::typeset::{self, Bit, Block, Tone, breadth};
use super::{PhaseScene, marked, signs};
use crate::game::Seat;
use crate::games::phase::card::Skill;
use crate::games::phase::view::{View, WarriorView};

/// The strip with number, sign and strength.
const BAND: f32 = 38.0;
const NAME: f32 = 30.0;
pub(super) const PAD: f32 = 9.0;

/// What a warrior does in the attack of this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    None,
    Attacks,
    /// Sent against the warrior with this number.
    Defends(u8),
}

/// How a card is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub width: f32,
    /// What its skills do is told, not only what they are called.
    pub texts: bool,
    /// What everybody has seen behind it is told.
    pub backs: bool,
}

/// A card this narrow has no room for a sign that it is locked.
const NARROW: f32 = 150.0;

/// A warrior as it is laid out.
pub(super) struct Card<'v> {
    seat: Seat,
    pub warrior: &'v WarriorView,
    width: f32,
    /// Its name in one line or two.
    name: Vec<String>,
    name_style: Style,
    bits: Vec<Bit>,
    /// It is in the skirmish that is being fought, or was chosen by what is under way.
    marked: bool,
    /// Something has just happened to it.
    touched: bool,
    /// What the player who is asked can do with it.
    mark: Option<Mark>,
}

impl<'v> Card<'v> {
    pub fn new(
        scene: &PhaseScene<'_>,
        seat: Seat,
        warrior: &'v WarriorView,
        traces: &Traces,
        Look { width, texts, backs }: Look,
    ) -> Self {
        let view = scene.view;
        let (part, current) = part(view, warrior.number);
        let chosen = view.doing.iter().any(|doing| doing.on.contains(&warrior.number));
        let deed = traces.of_warrior(warrior.number);
        let mut bits = Vec::new();
        let fights = part != Part::None;
        let told = deed.filter(|deed| !fights || *deed != Deed::Fought);
        if let Some(word) = told.and_then(Deed::word) {
            let comma = if fights || chosen { "," } else { "" };
            typeset::words(&mut bits, &format!("{word}{comma}"), Tone::Strong);
        }
        match part {
            Part::None => {}
            Part::Attacks => typeset::words(&mut bits, "attacks", Tone::Strong),
            Part::Defends(attacker) => {
                typeset::words(&mut bits, &format!("against {attacker}"), Tone::Strong);
            }
        }
        if chosen {
            typeset::words(&mut bits, "chosen", Tone::Strong);
        }
        let can = marked::of_warrior(scene, warrior.number);
        match can {
            Some((Mark::Picked, _)) => typeset::words(&mut bits, "picked", Tone::Boon),
            Some((Mark::Next | Mark::Later, can)) => typeset::words(&mut bits, can, Tone::Boon),
            None => {}
        }
        if warrior.locked && width < NARROW {
            typeset::words(&mut bits, "locked", Tone::Plain);
        }
        if warrior.damage > 0 {
            bits.push(Bit::Damage(warrior.damage));
            typeset::words(&mut bits, "damage", Tone::Harm);
        }
        if warrior.bonus != [0, 0] {
            let tone = if warrior.bonus[0] + warrior.bonus[1] < 0 {
                Tone::Harm
            } else {
                Tone::Boon
            };
            let text = format!("{:+}/{:+}", warrior.bonus[0], warrior.bonus[1]);
            typeset::words(&mut bits, &text.replace('-', "−"), tone);
        }
        for keyword in &warrior.granted {
            typeset::words(&mut bits, &format!("+{keyword}"), Tone::Boon);
        }
        if texts {
            typeset::skills(&mut bits, &warrior.face, Tone::Plain);
        } else {
            for keyword in typeset::keywords(&warrior.face) {
                typeset::words(&mut bits, keyword.name(), Tone::Plain);
            }
        }
        actions(&mut bits, warrior, texts);
        if let Some(back) = warrior.open_back().filter(|_| backs) {
            typeset::words(&mut bits, &format!("behind: {}", back.name), Tone::Faint);
        }
        let (name, name_style) = name_lines(&warrior.face.name, width - 2.0 * PAD);
        Self {
            seat,
            warrior,
            width,
            name,
            name_style,
            bits,
            marked: current || chosen,
            touched: deed.is_some(),
            mark: can.map(|(mark, _)| mark),
        }
    }

    fn block(&self) -> Block<'_> {
        Block::new(&self.bits, self.width - 2.0 * PAD, SMALL)
    }

    fn name_height(&self) -> f32 {
        NAME + NEXT * self.name.len().saturating_sub(1) as f32
    }

    pub fn height(&self) -> f32 {
        let under = self.block().height();
        BAND + self.name_height() + under + if under > 0.0 { 7.0 } else { 4.0 }
    }

    /// The frame of its area: what can be done before what is being done before what was done.
    fn frame(&self, canvas: &mut Canvas, area: Rect) {
        if let Some(mark) = self.mark {
            canvas.marked_frame(area, 10.0, mark);
        } else if self.marked {
            canvas.frame(area.inset(-2.0), 12.0, 5.0, Ink::LastMove);
        } else if self.touched {
            canvas.frame(area.inset(-1.0), 11.0, 4.0, Ink::LastMove);
        } else {
            canvas.frame(area, 10.0, 2.0, Ink::Faint);
        }
    }

    fn strength(&self) -> String {
        format!("{}/{}", self.warrior.attack, self.warrior.defense).replace('-', "−")
    }

    pub fn draw(&self, canvas: &mut Canvas, area: Rect) {
        let face = &self.warrior.face;
        let (paper, ink) = signs::ground(face.alignment);
        canvas.round_rect(area, 10.0, paper);
        let below = Rect::new(area.x, area.y + BAND, area.width, area.height - BAND);
        canvas.round_rect(below, 10.0, Ink::Panel);
        canvas.rect(Rect::new(area.x, below.y, area.width, 12.0), Ink::Panel);
        self.frame(canvas, area);
        let y = area.y + BAND / 2.0;
        let number = self.warrior.number.to_string();
        let x = area.x + signs::number(canvas, (area.x + 22.0, y), 16.0, self.seat, &number);
        signs::alignment(canvas, (x + 54.0, y), 12.0, face.alignment, ink);
        let narrow = self.width < NARROW;
        if self.warrior.locked && !narrow {
            signs::lock(canvas, (x + 80.0, y - 1.0), 24.0, ink);
        }
        let style = Style::bold(if narrow { 24.0 } else { 26.0 }).align(Align::Right);
        canvas.text(area.right() - PAD, y, &self.strength(), style, ink);
        let mut y = below.y + NAME / 2.0 + 1.0;
        for line in &self.name {
            canvas.text(area.x + PAD, y, line, self.name_style, Ink::Text);
            y += NEXT;
        }
        self.block()
            .draw(canvas, (area.x + PAD, below.y + self.name_height()));
    }

    /// Its height as a line.
    pub const LINE: f32 = 34.0;
    const LINE_NAME: Style = Style::regular(SMALL);
    const LINE_STRENGTH: Style = Style::bold(22.0);

    /// How long it is as a line: number, sign, name, lock, strength, and what else is to be said of it.
    pub fn line_width(&self, named: bool) -> f32 {
        let number = signs::number_longer(&self.warrior.number.to_string(), 14.0);
        let strength = breadth(&self.strength(), Self::LINE_STRENGTH);
        let name = if named {
            breadth(&self.warrior.face.name, Self::LINE_NAME) + 8.0
        } else {
            0.0
        };
        let lock = if self.warrior.locked { 24.0 } else { 0.0 };
        let bits = Block::new(&self.bits, f32::MAX, SMALL).width();
        let bits = if named && bits > 0.0 { bits + 8.0 } else { 0.0 };
        number + 62.0 + name + lock + strength + bits + 10.0
    }

    pub fn draw_line(&self, canvas: &mut Canvas, area: Rect, named: bool) {
        let face = &self.warrior.face;
        let (paper, ink) = signs::ground(face.alignment);
        let number = self.warrior.number.to_string();
        let strength = self.strength();
        canvas.round_rect(area, 10.0, Ink::Panel);
        let y = area.y + area.height / 2.0;
        let longer = signs::number_longer(&number, 14.0);
        let mut end = area.x + longer + 62.0 + breadth(&strength, Self::LINE_STRENGTH) + 6.0;
        if self.warrior.locked {
            end += 24.0;
        }
        // Its sign and strength stand on the ground of its side, the rest on paper.
        canvas.round_rect(Rect::new(area.x, area.y, end - area.x, area.height), 10.0, paper);
        self.frame(canvas, area);
        signs::number(canvas, (area.x + 18.0, y), 14.0, self.seat, &number);
        let mut x = area.x + longer;
        signs::alignment(canvas, (x + 46.0, y), 10.0, face.alignment, ink);
        canvas.text(x + 62.0, y, &strength, Self::LINE_STRENGTH, ink);
        if self.warrior.locked {
            signs::lock(canvas, (end - 16.0, y - 1.0), 22.0, ink);
        }
        if !named {
            return;
        }
        x = end + 6.0;
        canvas.text(x, y, &face.name, Self::LINE_NAME, Ink::Text);
        x += breadth(&face.name, Self::LINE_NAME) + 8.0;
        let block = Block::new(&self.bits, area.right() - 4.0 - x, SMALL).cut();
        block.draw(canvas, (x, y - block.height() / 2.0));
    }
}

/// From one line of a name to the next.
const NEXT: f32 = 24.0;

/// A name as large as it can be in one line of a width, or else over two. None of the cards' needs more.
pub(super) fn name_lines(name: &str, width: f32) -> (Vec<String>, Style) {
    let (line, style) = shrunk(name, width, Style::bold(22.0), &[22.0, 21.0, SMALL]);
    if line == name {
        return (vec![line], style);
    }
    let fits = |text: &str| font::width(text, style) <= width;
    let mut spaces = name
        .match_indices(' ')
        .filter_map(|(at, _)| name.split_at_checked(at))
        .rev();
    if let Some((first, second)) = spaces.find(|(first, second)| fits(first) && fits(second.trim_start())) {
        return (vec![first.to_owned(), second.trim_start().to_owned()], style);
    }
    // Between two consonants a word can be broken.
    let is_consonant = |letter: char| letter.is_alphabetic() && !"aeiouy".contains(letter);
    let mut breaks = name
        .char_indices()
        .rev()
        .filter_map(|(at, _)| name.split_at_checked(at));
    let broken = breaks.find(|(first, second)| {
        let at_syllable = first.ends_with(is_consonant) && second.starts_with(is_consonant);
        at_syllable && fits(&format!("{first}-")) && fits(second)
    });
    match broken {
        Some((first, second)) => (vec![format!("{first}-"), second.to_owned()], style),
        None => (vec![line], style),
    }
}

/// Its action skills: what each costs, and whether it was used this turn.
fn actions(bits: &mut Vec<Bit>, warrior: &WarriorView, texts: bool) {
    for (place, skill) in (0u8..).zip(&warrior.face.skills) {
        let Skill::Action(action) = skill else { continue };
        let used = warrior.used.contains(&place);
        if used {
            typeset::words(bits, "used", Tone::Faint);
        } else if !texts {
            typeset::words(bits, "Action", Tone::Plain);
            bits.extend(action.costs.iter().copied().map(Bit::Cost));
        }
    }
}

fn part(view: &View, number: u8) -> (Part, bool) {
    for skirmish in view.attack.iter().flat_map(|attack| &attack.skirmishes) {
        if skirmish.attacker == number {
            return (Part::Attacks, skirmish.current);
        }
        if skirmish.defenders.contains(&number) {
            return (Part::Defends(skirmish.attacker), skirmish.current);
        }
    }
    (Part::None, false)
}

/// A warrior in one line.
pub(super) struct Brief<'v> {
    seat: Seat,
    warrior: &'v WarriorView,
    name: String,
    strength: String,
}

impl<'v> Brief<'v> {
    pub const HEIGHT: f32 = 38.0;
    pub const NAME: Style = Style::regular(20.0);
    const STRENGTH: Style = Style::bold(21.0);

    pub fn new(view: &'v View, number: u8, room: f32) -> Option<Self> {
        let (seat, warrior) = view.warrior(number)?;
        let left = warrior.defense - warrior.damage;
        let strength = if warrior.damage > 0 {
            format!("{}/{left} left", warrior.attack)
        } else {
            format!("{}/{left}", warrior.attack)
        };
        Some(Self {
            seat,
            warrior,
            name: if room < 30.0 {
                String::new()
            } else {
                font::fit(&warrior.face.name, room, Self::NAME)
            },
            strength: strength.replace('-', "−"),
        })
    }

    pub fn width(&self) -> f32 {
        let number = signs::number_longer(&self.warrior.number.to_string(), 15.0);
        let words = font::width(&self.name, Self::NAME) + font::width(&self.strength, Self::STRENGTH);
        (number + 78.0 + words).ceil()
    }

    pub fn draw(&self, canvas: &mut Canvas, (left, top): Point) {
        let (paper, ink) = signs::ground(self.warrior.face.alignment);
        let plate = Rect::new(left, top, self.width(), Self::HEIGHT);
        canvas.round_rect(plate, 10.0, paper);
        canvas.frame(plate, 10.0, 2.0, Ink::Faint);
        let y = top + Self::HEIGHT / 2.0;
        let number = self.warrior.number.to_string();
        let x = left + signs::number(canvas, (left + 19.0, y), 15.0, self.seat, &number);
        signs::alignment(canvas, (x + 48.0, y), 10.0, self.warrior.face.alignment, ink);
        canvas.text(x + 62.0, y, &self.name, Self::NAME, ink);
        let style = Self::STRENGTH.align(Align::Right);
        canvas.text(plate.right() - 8.0, y, &self.strength, style, ink);
    }
}
