//! Who fights whom: the attack of this turn, one group for each attacker.

use super::super::canvas::Rect;
use super::super::{Canvas, Ink, Style, font};
use super::chip::WHOLE_NAME;
use super::pen::{CAPTION, Flow, INNER, MARGIN, PAD, Pen};
use super::table::Density;
use super::warrior::Brief;
use super::{PhaseScene, signs};
use crate::games::phase::action::Target;
use crate::games::phase::view::{AttackView, SkirmishView, View};

/// Who fights whom, one group for each attacker.
pub(super) fn skirmishes(
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
            let mut flow = Flow::new(area, Brief::HEIGHT, BETWEEN);
            // The names stand on the warriors' cards, too.
            let nameless = density.tight && attack.skirmishes.len() > 2;
            for skirmish in &attack.skirmishes {
                let group = Group::new(scene.view, skirmish, if nameless { 0.0 } else { WHOLE_NAME });
                let places = group.places(area.width);
                let at = flow.next(group.width().min(area.width));
                pen.draw(|canvas| group.draw(canvas, at, &places));
                flow.deeper(places.last().map_or(0, |(_, line)| *line));
            }
            flow.bottom() + PAD - top
        },
    )
}

const ARROW: f32 = 40.0;
/// Between lines.
const BETWEEN: f32 = 8.0;

const UNOPPOSED: &str = "unopposed";

/// An attacker and whoever was sent against it.
struct Group<'v> {
    attacker: Option<Brief<'v>>,
    defenders: Vec<Brief<'v>>,
    current: bool,
}

impl<'v> Group<'v> {
    fn new(view: &'v View, skirmish: &SkirmishView, name: f32) -> Self {
        let defenders = skirmish.defenders.iter();
        Self {
            attacker: Brief::new(view, skirmish.attacker, name),
            defenders: defenders
                .filter_map(|&number| Brief::new(view, number, name))
                .collect(),
            current: skirmish.current,
        }
    }

    /// What stands before the defenders.
    fn before(&self) -> f32 {
        let now = if self.current {
            signs::tag_width("now") + 6.0
        } else {
            0.0
        };
        now + self.attacker.as_ref().map_or(0.0, Brief::width) + ARROW
    }

    /// In one line.
    fn width(&self) -> f32 {
        let defenders = if self.defenders.is_empty() {
            font::width(UNOPPOSED, CAPTION)
        } else {
            let widths: f32 = self.defenders.iter().map(Brief::width).sum();
            widths + 6.0 * (self.defenders.len() - 1) as f32
        };
        self.before() + defenders + 14.0
    }

    /// Where each defender stands from the left end of the group, and in which of its lines.
    fn places(&self, room: f32) -> Vec<(f32, u8)> {
        let start = self.before();
        let (mut x, mut line) = (start, 0);
        let mut places = Vec::with_capacity(self.defenders.len());
        for defender in &self.defenders {
            let width = defender.width();
            if x > start && x + width > room {
                (x, line) = (start, line + 1);
            }
            places.push((x, line));
            x += width + 6.0;
        }
        places
    }

    fn draw(&self, canvas: &mut Canvas, (left, top): (f32, f32), places: &[(f32, u8)]) {
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
        if self.defenders.is_empty() {
            canvas.text(x + ARROW, y, UNOPPOSED, CAPTION, Ink::Text);
        }
        for (defender, (x, line)) in self.defenders.iter().zip(places) {
            let down = f32::from(*line) * (Brief::HEIGHT + BETWEEN);
            defender.draw(canvas, (left + x, top + down));
        }
    }
}
