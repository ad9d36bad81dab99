//! What players are shown: text board, alt text, narration, picture, rules.

use parlor::catalog::{Frame, Table, find};
use parlor::draw::{Show, Theme};
use parlor::game::{Awaiting, GameRng, OptionValues, Seat, Seed, Viewer};
use parlor::games::glyphgrid::GlyphGrid;

use super::drawn::{MOON, SUN};

struct Match {
    table: Box<dyn Table>,
    names: Vec<String>,
    seed: Seed,
    step: u64,
}

impl Match {
    fn new(names: [&str; 2]) -> Self {
        let seed = Seed::from_text("shown");
        let entry = find("glyphgrid").unwrap();
        let options =
            OptionValues::choose(entry.meta.options, [("swap", "on"), ("opening", "classic")]).unwrap();
        Self {
            table: entry.open(&options, 2, &seed).unwrap(),
            names: names.map(str::to_owned).to_vec(),
            seed,
            step: 0,
        }
    }

    /// Plays and returns what is told of it.
    #[track_caller]
    fn play(&mut self, text: &str) -> String {
        let Awaiting::Turn(seat) = self.table.awaiting() else {
            panic!("over before {text}");
        };
        self.step += 1;
        self.table.play(seat, text, &self.seed, self.step).unwrap();
        let prose = self.table.narration(Viewer::Public);
        prose.plain(|seat| self.names[seat.index()].clone())
    }

    fn frame(&self, side: Seat, theme: Theme) -> Frame<'_> {
        Frame {
            side,
            theme,
            ..Frame::new(Viewer::Public, &self.names)
        }
    }

    fn text(&self, side: Seat) -> String {
        self.table.text(&self.frame(side, Theme::Light))
    }

    fn alt(&self) -> String {
        self.table.alt(&self.frame(SUN, Theme::Light))
    }
}

#[test]
fn the_text_board_explains_itself_and_lies_before_its_player() {
    let mut shown = Match::new(["Ann", "Bob"]);
    shown.play("lance c2-c4");
    let text = shown.text(SUN);
    let expected = "    a   b   c   d   e   f   g
7   .   .   .   c-  .   .   .   7
6   s   .   s   .   s   .   s   6
5   .   .   .   .   .   .   .   5
4   .   .   S   .   .   .   .   4
3   .   .   .   .   .   .   .   3
2   S   .   .   .   S   .   S   2
1   .   .   .   C+  .   .   .   1
    a   b   c   d   e   f   g

C S   Sun's Core, Shards: Ann
c s   Moon's Core, Shards: Bob
+ -   Sun's mark, Moon's mark

Bob, your move as Moon, or swap to take over Sun.";
    assert_eq!(text, expected);
    let turned = shown.text(MOON);
    assert!(
        turned.starts_with("    g   f   e   d   c   b   a\n1   .   .   .   C+"),
        "{turned}"
    );
    shown.play("swap");
    assert!(shown.text(MOON).starts_with("    a   b"), "Bob plays Sun now");
    assert!(shown.text(MOON).contains("Sun's Core, Shards: Bob"));
}

#[test]
fn narration_tells_a_friend_what_happened() {
    let mut shown = Match::new(["Ann", "Bob"]);
    assert_eq!(
        shown.play("lance c2-c4"),
        "Ann moves a Shard from c2 to c4 (LANCE)."
    );
    assert_eq!(
        shown.play("swap"),
        "Bob swaps sides and plays Sun from now on; Ann answers with Moon."
    );
    assert_eq!(
        shown.play("anchor c6"),
        "Ann marks c6 under a Shard (ANCHOR): 2 marks now."
    );
    assert_eq!(
        shown.play("vector c4-c5"),
        "Bob moves a Shard from c4 to c5 (VECTOR). Danger: Ann's Core could be captured next turn."
    );
    assert!(
        shown
            .alt()
            .contains("Danger: the Core on d7 could be captured next turn (Shard c5 by ARC).")
    );
    assert!(shown.text(SUN).contains("Danger: the Core on d7"));
    assert_eq!(
        shown.play("pulse c6-c5"),
        "Ann moves a Shard from c6 to c5 (PULSE) and pushes Bob's Shard to c4."
    );
    assert_eq!(
        shown.play("anchor c4"),
        "Bob marks c4 under a Shard (ANCHOR): 2 marks now."
    );
    shown.play("vector c5-b5");
    shown.play("vector c4-d4");
    assert_eq!(
        shown.play("anchor b5-c4"),
        "Ann moves a Shard from b5 to c4 (ANCHOR) and claims Bob's mark: 3 marks now."
    );
    shown.play("vector e2-e3");
    shown.play("vector c4-b3");
    let told = shown.play("vector d4-c4");
    assert!(
        told.contains("onto Ann's mark, which turns next turn if the piece is still there."),
        "{told}"
    );
    assert!(
        shown
            .alt()
            .contains("The mark on c4 turns next turn unless the piece on it is driven off.")
    );
    assert!(shown.text(SUN).contains("S-!"));
    let told = shown.play("vector b3-a3");
    assert!(
        told.contains("The mark on c4 turns to Bob: 2 marks now."),
        "{told}"
    );
}

/// Names as people give them, games as chance plays them.
#[test]
fn nothing_shown_is_too_long_or_too_large() {
    let long = "Maximiliane-Josephine von und zu Überlingen-Hohenstein der Ältere";
    for seed in 0..5 {
        let mut shown = Match::new([long, "𝕭𝖔𝖇 `*_~|漢字|~_*` <@everyone> of the long, long name"]);
        let mut rng = GameRng::quick(seed);
        while let Awaiting::Turn(seat) = shown.table.awaiting() {
            let legal = shown.table.legal(seat);
            shown.play(&rng.choose(&legal).unwrap().clone());
            let text = shown.text(SUN);
            assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
            let alt = shown.alt();
            assert!(alt.chars().count() < parlor::draw::ALT_LIMIT, "{alt}");
            assert!(!alt.ends_with('…'), "{alt}");
        }
        for theme in Theme::ALL {
            for side in [SUN, MOON] {
                let png = shown.table.picture(&shown.frame(side, theme)).unwrap();
                assert!(png.len() <= 60 << 10, "{} bytes", png.len());
            }
        }
    }
}

#[test]
fn the_picture_differs_where_it_matters() {
    let mut shown = Match::new(["Ann", "Bob"]);
    let before = shown.table.picture(&shown.frame(SUN, Theme::Light)).unwrap();
    assert_eq!(
        shown.table.picture(&shown.frame(SUN, Theme::Light)).unwrap(),
        before
    );
    assert_ne!(
        shown.table.picture(&shown.frame(MOON, Theme::Light)).unwrap(),
        before
    );
    shown.play("lance c2-c4");
    assert_ne!(
        shown.table.picture(&shown.frame(SUN, Theme::Light)).unwrap(),
        before
    );
}

#[test]
fn the_examples_of_the_rules_are_legal() {
    let entry = find("glyphgrid").unwrap();
    let usual = OptionValues::defaults(entry.meta.options);
    let table = entry.open(&usual, 2, &Seed::from_text("rules")).unwrap();
    let legal = table.legal(SUN);
    for example in ["lance b2-d4", "arc b2-a4"] {
        assert!(<GlyphGrid as Show>::RULES.contains(example));
        assert!(legal.contains(&example.to_owned()), "{example}");
    }
}
