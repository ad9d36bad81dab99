//! What players see at the moment of deciding: who must capture what, what counts for the charge, and what was captured.

use parlor::draw::mask::Point;
use parlor::draw::{Canvas, Ink, Marks, Scene, Show, Theme};
use parlor::game::{Game, Seat, Viewer};
use parlor::games::phwar::Phwar;
use parlor::games::phwar::setup::Setup;
use parlor::games::phwar::view::Event;

use super::positions::{build, play, setup};

/// Bea's positron on F6 is seen by Ann's neutron on F3, her electron on H7 and Bea's own positron on C4: the charges cancel
/// out. The electron on F2 stands behind the neutron.
const SIGHT: &str = "n F3, e F2, e H7, e D2, p E1, p G1 / p F6, p C4, n E10, e D10, e H10";

/// A position as its board is drawn, with what can be said of it.
struct Shown {
    canvas: Canvas,
    middles: Vec<(String, Point)>,
    alt: String,
    theme: Theme,
}

fn shown(game: &Phwar, recent: &[Event], theme: Theme) -> Shown {
    let seat = game.awaiting().seats().iter().next().unwrap();
    let scene = Scene {
        view: &game.view(Viewer::Public),
        recent,
        awaiting: game.awaiting(),
        outcome: None,
        marks: &Marks::of(game, seat, None),
        names: &["Ann".to_owned(), "Bea".to_owned()],
        viewer: Viewer::Public,
        side: Seat::new(0),
        theme,
    };
    let middle = |corners: &[Point]| {
        let count = corners.len() as f32;
        let (x, y) = corners
            .iter()
            .fold((0.0, 0.0), |(x, y), corner| (x + corner.0, y + corner.1));
        (x / count, y / count)
    };
    let spots = Phwar::spots(&scene).into_iter();
    Shown {
        canvas: Phwar::picture(&scene),
        middles: spots.map(|spot| (spot.word, middle(&spot.corners))).collect(),
        alt: Phwar::alt(&scene),
        theme,
    }
}

impl Shown {
    fn middle(&self, cell: &str) -> Point {
        let found = self.middles.iter().find(|(word, _)| word == cell);
        found.unwrap_or_else(|| panic!("no spot {cell}")).1
    }

    fn is(&self, (x, y): Point, ink: Ink) -> bool {
        self.canvas.colour_at(x.round() as u32, y.round() as u32) == Some(self.theme.rgb(ink))
    }

    /// How many pixels of this colour lie between two cells, where neither of them reaches.
    fn between(&self, from: &str, to: &str, ink: Ink) -> usize {
        let (start, goal) = (self.middle(from), self.middle(to));
        let (dx, dy) = (goal.0 - start.0, goal.1 - start.1);
        let length = dx.hypot(dy);
        (56..(length - 56.0) as u32)
            .map(|step| step as f32 / length)
            .filter(|&part| self.is((start.0 + dx * part, start.1 + dy * part), ink))
            .count()
    }

    /// How many pixels of this colour lie within a cell.
    fn on(&self, cell: &str, ink: Ink) -> usize {
        let (x, y) = self.middle(cell);
        let around = || -40..=40;
        around()
            .flat_map(|right| around().map(move |down| (right, down)))
            .filter(|&(right, down)| self.is((x + right as f32, y + down as f32), ink))
            .count()
    }
}

#[test]
fn lines_of_sight_are_drawn_and_charges_that_cancel_out_are_told() {
    let game = build(setup(SIGHT));
    for theme in Theme::ALL {
        let shown = shown(&game, &[], theme);
        for attacker in ["F3", "H7"] {
            let drawn = shown.between(attacker, "F6", Ink::Danger);
            assert!(drawn > 8, "{theme:?}: {drawn} pixels from {attacker}");
        }
        // Bea's own positron can't capture, and counts.
        let counts = shown.between("C4", "F6", Ink::Text);
        assert!(counts > 8, "{theme:?}: {counts} pixels from C4");
        assert_eq!(shown.between("C4", "F6", Ink::Danger), 0, "{theme:?}");
        // What sees nothing has no line.
        for (from, to) in [("E1", "E10"), ("D2", "F6")] {
            assert_eq!(shown.between(from, to, Ink::Danger), 0, "{theme:?}: {from}");
        }
        let said = &shown.alt;
        assert!(said.contains("F3 or H7 can capture on F6."), "{said}");
        assert!(said.contains("see it: the charges cancel out."), "{said}");
        for sees in ["F3 o", "H7 -", "C4 +"] {
            assert!(said.contains(sees), "{sees}: {said}");
        }
        assert!(!said.contains("F2 -,"), "it stands behind the neutron: {said}");
    }
}

#[test]
fn a_capture_is_seen_and_a_slide_is_not_drawn_like_one() {
    let mut game = build(setup(SIGHT));
    let captured = play(&mut game, "H7xF6");
    let mut other = build(Setup::opening(2, false));
    let slid = play(&mut other, "F3-F7");
    for theme in Theme::ALL {
        let capture = shown(&game, &captured, theme).on("F6", Ink::Danger);
        let without = shown(&game, &[], theme).on("F6", Ink::Danger);
        assert!(
            capture > without + 400,
            "{theme:?}: {capture} pixels, {without} without it"
        );
        let slide = shown(&other, &slid, theme).on("F7", Ink::Danger);
        assert_eq!(slide, 0, "{theme:?}");
    }
}
