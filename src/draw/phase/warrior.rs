//! A warrior in play: as a small card, and in one line where skirmishes are listed.

use super::super::canvas::Rect;
use super::super::mask::Point;
use super::super::{Align, Canvas, Ink, Mark, Style, font};
use super::pen::{SMALL, shrunk};
use super::typeset::{self, Bit, Block, Tone};
use super::{PhaseScene, marked, signs};
use crate::game::Seat;
use crate::games::phase::card::Skill;
use crate::games::phase::view::{View, WarriorView};

/// The strip with number, sign and strength.
const BAND: f32 = 38.0;
const NAME: f32 = 30.0;
const PAD: f32 = 9.0;

/// What a warrior does in the attack of this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    None,
    Attacks,
    /// Sent against the warrior with this number.
    Defends(u8),
}

/// A warrior as it is laid out.
pub(super) struct Card<'v> {
    seat: Seat,
    pub warrior: &'v WarriorView,
    bits: Vec<Bit>,
    /// It is in the skirmish that is being fought, or was chosen by what is under way.
    marked: bool,
    /// What the player who is asked can do with it.
    mark: Option<Mark>,
}

impl<'v> Card<'v> {
    /// `texts` tells what its skills do, not only what they are called; `backs` what everybody has seen behind it.
    pub fn new(
        scene: &PhaseScene<'_>,
        seat: Seat,
        warrior: &'v WarriorView,
        texts: bool,
        backs: bool,
    ) -> Self {
        let view = scene.view;
        let (part, current) = part(view, warrior.number);
        let chosen = view.doing.iter().any(|doing| doing.on.contains(&warrior.number));
        let mut bits = Vec::new();
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
        Self {
            seat,
            warrior,
            bits,
            marked: current || chosen,
            mark: can.map(|(mark, _)| mark),
        }
    }

    fn block(&self, width: f32) -> Block<'_> {
        Block::new(&self.bits, width - 2.0 * PAD, SMALL)
    }

    pub fn height(&self, width: f32) -> f32 {
        let under = self.block(width).height();
        BAND + NAME + under + if under > 0.0 { 7.0 } else { 4.0 }
    }

    pub fn draw(&self, canvas: &mut Canvas, area: Rect) {
        let face = &self.warrior.face;
        let (paper, ink) = signs::ground(face.alignment);
        canvas.round_rect(area, 10.0, paper);
        let below = Rect::new(area.x, area.y + BAND, area.width, area.height - BAND);
        canvas.round_rect(below, 10.0, Ink::Panel);
        canvas.rect(Rect::new(area.x, below.y, area.width, 12.0), Ink::Panel);
        if let Some(mark) = self.mark {
            canvas.marked_frame(area, 10.0, mark);
        } else if self.marked {
            canvas.frame(area.inset(-2.0), 12.0, 5.0, Ink::LastMove);
        } else {
            canvas.frame(area, 10.0, 2.0, Ink::Faint);
        }
        let y = area.y + BAND / 2.0;
        let number = self.warrior.number.to_string();
        let x = area.x + signs::number(canvas, (area.x + 22.0, y), 16.0, self.seat, &number);
        signs::alignment(canvas, (x + 54.0, y), 12.0, face.alignment, ink);
        if self.warrior.locked {
            signs::lock(canvas, (x + 80.0, y - 1.0), 24.0, ink);
        }
        let strength = format!("{}/{}", self.warrior.attack, self.warrior.defense).replace('-', "−");
        let style = Style::bold(26.0).align(Align::Right);
        canvas.text(area.right() - PAD, y, &strength, style, ink);
        let (name, style) = shrunk(
            &face.name,
            area.width - 2.0 * PAD,
            Style::bold(22.0),
            &[22.0, 21.0, SMALL],
        );
        canvas.text(area.x + PAD, below.y + NAME / 2.0 + 1.0, &name, style, Ink::Text);
        self.block(area.width)
            .draw(canvas, (area.x + PAD, below.y + NAME));
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
    const NAME: Style = Style::regular(20.0);
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
