//! Phase as players see it.

mod card_pictures;
mod chip;
mod face;
mod hand;
mod means;
mod narration;
mod pen;
mod signs;
mod table;
#[cfg(test)]
mod tests;
mod typeset;
mod warrior;
mod words;

use super::{Canvas, HandText, Prose, Scene, Show, Theme};
use crate::game::collection::Showpiece;
use crate::games::phase::{Event, Phase};

type PhaseScene<'a> = Scene<'a, Phase>;

impl Show for Phase {
    const RULES: &'static str = include_str!("../../../assets/phase/rules.md");

    const WELCOME: &'static str = "On your own turn you are asked everything. On other players' turns you are asked only \
         who defends, and in fights that concern you; elsewhere you pass by yourself. `stop closing`, `stop maneuver` or \
         `stop skirmish-other` has you asked there too, `skip` not any more; nobody else sees it.";

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
        narration::narrate(events)
    }

    fn hand(scene: &PhaseScene<'_>) -> Option<HandText> {
        let text = words::hand(scene)?;
        Some(HandText {
            alt: words::short(&text),
            text: words::folded_lines(&text),
        })
    }

    fn hand_picture(scene: &PhaseScene<'_>) -> Option<Canvas> {
        hand::picture(scene)
    }

    fn showpiece(piece: &Showpiece, theme: Theme) -> Option<Canvas> {
        card_pictures::picture(piece, theme)
    }

    fn showpiece_alt(piece: &Showpiece) -> String {
        card_pictures::alt(piece)
    }
}
