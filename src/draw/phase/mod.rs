//! Phase as players see it.

mod chip;
mod hand;
mod means;
mod pen;
mod signs;
mod table;
mod tale;
#[cfg(test)]
mod tests;
mod typeset;
mod warrior;
mod words;

use super::{Canvas, Hand, Prose, Scene, Show};
use crate::games::phase::{Event, Phase};

type PhaseScene<'a> = Scene<'a, Phase>;

impl Show for Phase {
    const RULES: &'static str = include_str!("../../../assets/phase/rules.md");

    fn picture(scene: &PhaseScene<'_>) -> Canvas {
        table::picture(scene)
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

    fn hand(scene: &PhaseScene<'_>) -> Option<Hand> {
        let text = words::hand(scene)?;
        Some(Hand {
            alt: words::short(&text),
            text: words::folded_lines(&text),
        })
    }

    fn hand_picture(scene: &PhaseScene<'_>) -> Option<Canvas> {
        hand::picture(scene)
    }
}
