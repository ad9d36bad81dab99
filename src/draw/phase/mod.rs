//! Phase as players see it.

mod tale;
mod words;

use super::canvas::Rect;
use super::{Canvas, Hand, Ink, Prose, Scene, Show, Style};
use crate::games::phase::{Event, Phase};

/// The width of the picture.
const WIDTH: f32 = 960.0;
/// Around everything.
const MARGIN: f32 = 20.0;
/// Of the text in it.
const SIZE: f32 = 20.0;

type PhaseScene<'a> = Scene<'a, Phase>;

impl Show for Phase {
    const RULES: &'static str = include_str!("../../../assets/phase/rules.md");

    fn picture(scene: &PhaseScene<'_>) -> Canvas {
        sheet(scene, &words::text(scene))
    }

    fn text(scene: &PhaseScene<'_>) -> String {
        words::text(scene)
    }

    fn alt(scene: &PhaseScene<'_>) -> String {
        words::alt(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        tale::narrate(events)
    }

    fn hand_text(scene: &PhaseScene<'_>) -> Option<String> {
        words::hand(scene)
    }

    fn hand(scene: &PhaseScene<'_>) -> Option<Hand> {
        let text = words::hand(scene)?;
        Some(Hand {
            picture: sheet(scene, &text),
            alt: words::short(&text),
            text,
        })
    }
}

/// A text on a sheet of paper.
fn sheet(scene: &PhaseScene<'_>, text: &str) -> Canvas {
    let style = Style::regular(SIZE);
    let width = WIDTH - 2.0 * MARGIN;
    let lines: usize = text
        .lines()
        .map(|line| super::font::wrap(line, width, style).len().max(1))
        .sum();
    let height = lines as f32 * style.line_height() + 2.0 * MARGIN;
    let mut canvas = Canvas::new(
        WIDTH as u32,
        (height as u32).min(super::canvas::MAX_SIDE),
        scene.theme,
    );
    canvas.fill(Ink::Paper);
    let sheet = Rect::new(MARGIN, MARGIN, width, height);
    let mut y = sheet.y;
    for line in text.lines() {
        y = canvas
            .paragraph(sheet.x, y, sheet.width, line, style, Ink::Text)
            .max(y + style.line_height());
    }
    canvas
}
