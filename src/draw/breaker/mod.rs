//! Breaker Blocks as players see it.
//!
//! A player's blocks have that player's colour and outline: round corners for seat 1, cut ones for
//! seat 2. Power blocks are filled and show their power; commands are light and show a sign, which the
//! table of the supply explains. Wires run from socket to output and on to the Core.

mod block;
mod board;
mod narration;
mod panels;
mod words;

use super::canvas::Rect;
use super::{Canvas, HandText, Ink, Prose, Scene, Show};
use crate::games::breaker::view::View;
use crate::games::breaker::{Breaker, Event};

/// The width of the picture, but for tables that would become too small.
const WIDTH: f32 = 960.0;
/// Around everything.
const MARGIN: f32 = 16.0;

type BreakerScene<'a> = Scene<'a, Breaker>;

impl Show for Breaker {
    const RULES: &'static str = include_str!("../../../assets/breaker/rules.md");

    fn picture(scene: &BreakerScene<'_>) -> Canvas {
        let frame = board::Frame::around(scene);
        let width = frame.width() + 2.0 * MARGIN;
        let layout = panels::Layout::of(scene, width, frame.height());
        let mut canvas = Canvas::new(width as u32, layout.height as u32, scene.theme);
        canvas.fill(Ink::Paper);
        panels::plates(&mut canvas, scene, layout.plates);
        panels::scores(&mut canvas, scene, layout.scores);
        board::draw(&mut canvas, scene, &frame.at(MARGIN, layout.board));
        panels::hands(&mut canvas, scene, &layout);
        panels::supply(&mut canvas, scene, layout.supply);
        panels::status(&mut canvas, scene, layout.status);
        canvas
    }

    fn text(scene: &BreakerScene<'_>) -> String {
        words::text(scene)
    }

    fn alt(scene: &BreakerScene<'_>) -> String {
        words::alt(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        narration::narrate(events)
    }

    fn hand(scene: &BreakerScene<'_>) -> Option<HandText> {
        let text = words::hand(scene, words::private_seat(scene)?);
        Some(HandText {
            alt: text.clone(),
            text,
        })
    }

    fn hand_picture(scene: &BreakerScene<'_>) -> Option<Canvas> {
        let seat = words::private_seat(scene)?;
        let mut canvas = Canvas::new(
            WIDTH as u32,
            panels::private_height(scene, seat) as u32,
            scene.theme,
        );
        canvas.fill(Ink::Paper);
        panels::private(
            &mut canvas,
            scene,
            seat,
            Rect::new(MARGIN, MARGIN, WIDTH - 2.0 * MARGIN, 0.0),
        );
        Some(canvas)
    }
}

/// Whether the viewer sees hands that others don't.
const fn hides(view: &View) -> bool {
    view.variant.is_blind()
}
