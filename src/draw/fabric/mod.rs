//! Phase-Fabric as players see it.
//!
//! North is always up, whoever looks: there is no home side, and a Relay's `N` should point where
//! north is. The player from whose side it is drawn has the plate on the left.

mod board;
mod call;
mod illustrations;
mod layout;
mod marked;
mod pieces;
mod plates;
mod spots;
mod words;

use super::{Canvas, Illustration, Prose, Scene, Show, Spot};
use crate::games::fabric::Fabric;
use crate::games::fabric::view::Event;

type FabricScene<'a> = Scene<'a, Fabric>;

impl Show for Fabric {
    const RULES: &'static str = include_str!("../../../assets/fabric/rules.md");

    fn illustration(name: &str) -> Option<Illustration<Self>> {
        illustrations::illustration(name)
    }

    fn picture(scene: &FabricScene<'_>) -> Canvas {
        let layout = layout::Layout::of(scene.view.size);
        let mut canvas = board::background(scene.theme, layout).clone();
        board::draw(&mut canvas, scene, layout);
        marked::draw(&mut canvas, scene, layout);
        plates::draw(&mut canvas, scene);
        canvas
    }

    fn text(scene: &FabricScene<'_>) -> String {
        words::text(scene)
    }

    fn alt(scene: &FabricScene<'_>) -> String {
        words::alt(scene)
    }

    fn ask(scene: &FabricScene<'_>) -> Prose {
        call::ask(scene)
    }

    fn result(scene: &FabricScene<'_>) -> Prose {
        call::result(scene)
    }

    fn spots(scene: &FabricScene<'_>) -> Vec<Spot> {
        spots::spots(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        words::narrate(events)
    }
}
