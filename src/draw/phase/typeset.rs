//! Running text with signs in it, as it stands on a card.

use super::super::mask::Point;
use super::super::{Canvas, Ink, Style, font};
use super::signs;
use crate::games::phase::card::{Ability, Cost, Face, Keyword, Skill, text};

/// How a word is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Strong,
    Faint,
    Harm,
    Boon,
}

impl Tone {
    const fn ink(self) -> Ink {
        match self {
            Self::Plain | Self::Strong => Ink::Text,
            Self::Faint => Ink::Faint,
            Self::Harm => Ink::Danger,
            Self::Boon => Ink::Good,
        }
    }

    const fn style(self, size: f32) -> Style {
        match self {
            Self::Plain | Self::Faint => Style::regular(size),
            Self::Strong | Self::Harm | Self::Boon => Style::bold(size),
        }
    }
}

/// What a line is made of. Lines are broken between bits only.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bit {
    Word(String, Tone),
    /// So many resources are locked, or phased.
    Cost(Cost),
    /// So much damage.
    Damage(i16),
    /// A new line begins here.
    Break,
}

/// Text in bits, word by word.
pub(super) fn words(bits: &mut Vec<Bit>, text: &str, tone: Tone) {
    bits.extend(
        text.split_whitespace()
            .map(|word| Bit::Word(word.to_owned(), tone)),
    );
}

/// An order or an action: signs for its costs, then what it does.
pub(super) fn ability(bits: &mut Vec<Bit>, of: &Ability, tone: Tone) {
    bits.extend(of.costs.iter().copied().map(Bit::Cost));
    words(bits, &text::capitalised(&text::effect(&of.effect)), tone);
}

/// All that a face can do in play, each skill from a new line on.
pub(super) fn skills(bits: &mut Vec<Bit>, face: &Face, tone: Tone) {
    for skill in &face.skills {
        if !bits.is_empty() {
            bits.push(Bit::Break);
        }
        match (skill, skill.keyword(), skill.effect()) {
            (Skill::Action(action), ..) => {
                words(bits, "Action", Tone::Strong);
                ability(bits, action, tone);
            }
            (_, Some(keyword), Some(effect)) => {
                words(bits, keyword.name(), Tone::Strong);
                words(bits, &text::capitalised(&text::effect(effect)), tone);
            }
            (_, Some(keyword), None) => words(bits, keyword.name(), Tone::Strong),
            (_, None, _) => {}
        }
    }
}

/// The keywords of a face that still mean something once it is in play.
pub(super) fn keywords(face: &Face) -> impl Iterator<Item = Keyword> {
    face.keywords.iter().filter(|keyword| match keyword {
        Keyword::Ally | Keyword::Elite | Keyword::Phaseling | Keyword::Relentless | Keyword::Swift => true,
        Keyword::Trained => false,
    })
}

/// Bits in their places: broken into lines for a width at a size.
#[derive(Clone, Debug)]
pub(super) struct Block<'b> {
    size: f32,
    leading: f32,
    places: Vec<(f32, u16, &'b Bit)>,
    lines: u16,
    limit: f32,
}

impl<'b> Block<'b> {
    pub fn new(bits: &'b [Bit], width: f32, size: f32) -> Self {
        let space = (size * 0.27).round();
        let mut places = Vec::with_capacity(bits.len());
        let (mut x, mut line) = (0.0, 0u16);
        for bit in bits {
            if matches!(bit, Bit::Break) {
                (x, line) = (0.0, line + 1);
                continue;
            }
            let wide = wide(bit, size);
            if x > 0.0 && x + wide > width {
                (x, line) = (0.0, line + 1);
            }
            places.push((x, line, bit));
            x += wide + space;
        }
        Self {
            size,
            leading: (size * 1.26).round(),
            lines: if bits.is_empty() { 0 } else { line + 1 },
            places,
            limit: width,
        }
    }

    /// The same without what has no room in one line.
    pub fn cut(mut self) -> Self {
        self.places.retain(|(_, line, _)| *line == 0);
        self.lines = self.lines.min(1);
        self
    }

    /// How far its longest line goes.
    pub fn width(&self) -> f32 {
        let ends = self.places.iter().map(|(x, _, bit)| x + wide(bit, self.size));
        ends.fold(0.0, f32::max)
    }

    pub fn height(&self) -> f32 {
        f32::from(self.lines) * self.leading
    }

    /// With its upper left corner at a point.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): Point) {
        for (x, line, bit) in &self.places {
            let at = (left + x, top + (f32::from(*line) + 0.5) * self.leading);
            draw(canvas, at, bit, self.size, self.limit - x);
        }
    }
}

/// The width of a word in whole pixels. What follows it then starts on one, so that every word looks the same
/// wherever it stands, and the picture packs smaller.
pub(super) fn breadth(word: &str, style: Style) -> f32 {
    font::width(word, style).ceil()
}

fn wide(bit: &Bit, size: f32) -> f32 {
    match bit {
        Bit::Word(word, tone) => breadth(word, tone.style(size)),
        Bit::Cost(cost) => cost_width(*cost, size),
        Bit::Damage(_) => 32.0,
        Bit::Break => 0.0,
    }
}

fn draw(canvas: &mut Canvas, (x, y): Point, bit: &Bit, size: f32, room: f32) {
    match bit {
        Bit::Word(word, tone) => {
            let style = tone.style(size);
            canvas.text(x, y, &font::fit(word, room, style), style, tone.ink());
        }
        Bit::Cost(paid) => cost(canvas, (x, y), *paid, size, Ink::Text),
        Bit::Damage(amount) => signs::damage(canvas, (x + 16.0, y), 16.0, *amount),
        Bit::Break => {}
    }
}

/// How wide a cost is drawn.
pub(super) fn cost_width(cost: Cost, size: f32) -> f32 {
    let (Cost::Lock(count) | Cost::Phase(count)) = cost;
    size.round() + breadth(&count.to_string(), Style::bold(size))
}

/// A cost: its sign and how many. `x` is its left end.
pub(super) fn cost(canvas: &mut Canvas, (x, y): Point, cost: Cost, size: f32, ink: Ink) {
    let count = match cost {
        Cost::Lock(count) => {
            signs::lock(canvas, (x + size * 0.42, y - size * 0.04), size * 0.86, ink);
            count
        }
        Cost::Phase(count) => {
            signs::phase(canvas, (x + size * 0.42, y), size * 0.40, ink);
            count
        }
    };
    canvas.text(
        (x + size * 0.94).round(),
        y,
        &count.to_string(),
        Style::bold(size),
        ink,
    );
}
