//! Phase as players see it.

mod alt;
mod call;
mod card_pictures;
mod chip;
mod face;
mod fights;
mod hand;
mod illustrations;
mod marked;
mod means;
mod narration;
mod panel;
mod pen;
mod signs;
mod spots;
mod table;
#[cfg(test)]
mod tests;
mod traces;
mod typeset;
mod warrior;
mod words;

use super::{Canvas, HandText, Illustration, Prose, Scene, Show, Spot, Theme};
use crate::game::collection::Showpiece;
use crate::games::phase::view::View;
use crate::games::phase::{Event, Phase};

type PhaseScene<'a> = Scene<'a, Phase>;

impl Show for Phase {
    const RULES: &'static str = include_str!("../../../assets/phase/rules.md");

    const WELCOME: &'static str = "Only you see your hand, and on other players' turns I ask you only to defend or to act \
         in your own fights.";

    fn illustration(name: &str) -> Option<Illustration<Self>> {
        illustrations::illustration(name)
    }

    fn picture(scene: &PhaseScene<'_>) -> Canvas {
        table::picture(scene)
    }

    fn text(scene: &PhaseScene<'_>) -> String {
        words::text(scene)
    }

    fn alt(scene: &PhaseScene<'_>) -> String {
        alt::alt(scene)
    }

    fn helpful_rules(scene: &PhaseScene<'_>) -> Option<&'static str> {
        call::helpful_rules(scene)
    }

    fn ask(scene: &PhaseScene<'_>) -> Prose {
        call::ask(scene)
    }

    fn result(scene: &PhaseScene<'_>) -> Prose {
        call::result(scene)
    }

    fn choices_are_open(view: &View) -> bool {
        marked::choices_are_open(view)
    }

    /// Cards in hand are picked from the hand, where they can be read.
    fn picking_picture(scene: &PhaseScene<'_>) -> Canvas {
        let hand = marked::is_about_the_hand(scene).then(|| hand::picture(scene));
        hand.flatten().unwrap_or_else(|| table::picture(scene))
    }

    fn spots(scene: &PhaseScene<'_>) -> Vec<Spot> {
        table::spots(scene)
    }

    fn picking_spots(scene: &PhaseScene<'_>) -> Vec<Spot> {
        let hand = marked::is_about_the_hand(scene).then(|| hand::spots(scene));
        // Whoever has no hand to look at is shown the table.
        let hand = hand.filter(|spots| !spots.is_empty());
        hand.unwrap_or_else(|| table::spots(scene))
    }

    fn hand_spots(scene: &PhaseScene<'_>) -> Vec<Spot> {
        hand::spots(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        narration::narrate(events)
    }

    fn learnt(events: &[Event]) -> Prose {
        narration::learnt(events)
    }

    fn hand(scene: &PhaseScene<'_>) -> Option<HandText> {
        let text = words::hand(scene)?;
        Some(HandText {
            alt: words::short(&text),
            text: words::folded_lines(&text),
            is_open: false,
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
