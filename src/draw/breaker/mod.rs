//! Breaker Blocks as players see it.
//!
//! A player's blocks have that player's colour and outline: round corners for seat 1, cut ones for
//! seat 2. Power blocks are filled and show their power; commands are light and show a sign, which the
//! table of the supply explains. Wires run from socket to output and on to the Core.

mod block;
mod board;
mod call;
mod illustrations;
mod narration;
mod panels;
mod spots;
mod words;

use super::canvas::Rect;
use super::{Canvas, HandText, Illustration, Ink, Prose, Scene, Show, Spot};
use crate::games::breaker::task::Task;
use crate::games::breaker::view::View;
use crate::games::breaker::{Breaker, Event};

/// The width of the picture, but for tables that would become too small.
const WIDTH: f32 = 960.0;
/// Around everything.
const MARGIN: f32 = 16.0;

type BreakerScene<'a> = Scene<'a, Breaker>;

impl Show for Breaker {
    const RULES: &'static str = include_str!("../../../assets/breaker/rules.md");

    const WELCOME: &'static str = "Commands lie face down: only you see which ones you hold.";

    fn illustration(name: &str) -> Option<Illustration<Self>> {
        illustrations::illustration(name)
    }

    fn picture(scene: &BreakerScene<'_>) -> Canvas {
        let frame = board::BoardFrame::around(scene);
        let width = frame.width() + 2.0 * MARGIN;
        let layout = panels::HandsLayout::of(scene, width, frame.height());
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

    fn helpful_rules(scene: &BreakerScene<'_>) -> Option<&'static str> {
        scene.view.task.map(|_| "Commands")
    }

    fn ask(scene: &BreakerScene<'_>) -> Prose {
        call::ask(scene)
    }

    fn result(scene: &BreakerScene<'_>) -> Prose {
        call::result(scene)
    }

    /// Where commands lie face down, what can be done with a hand is known to its owner alone; what a command does to
    /// blocks on the table is known to all.
    fn choices_are_open(view: &View) -> bool {
        !hides(view)
            || match view.task {
                Some(
                    Task::Annihilate { .. }
                    | Task::AttenuateOwn
                    | Task::AttenuateEnemy
                    | Task::Agitate { .. },
                ) => true,
                Some(
                    Task::Automate | Task::Accelerate { .. } | Task::AggravateOwn | Task::AggravateEnemy,
                )
                | None => false,
            }
    }

    fn spots(scene: &BreakerScene<'_>) -> Vec<Spot> {
        spots::spots(scene)
    }

    fn hand_spots(scene: &BreakerScene<'_>) -> Vec<Spot> {
        spots::private(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        narration::narrate(events)
    }

    fn hand(scene: &BreakerScene<'_>) -> Option<HandText> {
        let text = words::hand(scene, words::own_seat(scene)?);
        Some(HandText {
            alt: text.clone(),
            text,
            is_open: !hides(scene.view),
        })
    }

    fn hand_picture(scene: &BreakerScene<'_>) -> Option<Canvas> {
        let seat = words::own_seat(scene)?;
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
