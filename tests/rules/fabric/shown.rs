//! What players are shown: sizes and limits, over whole random games.

use parlor::catalog::{Frame, find};
use parlor::draw::{ALT_LIMIT, Theme};
use parlor::game::{GameRng, OptionValues, Seat, Seed, Viewer};

const NAMES: [&str; 2] = [
    "Bartholomew Featherstonehaugh-Cholmondeley",
    "\u{202e}`*_@everyone\n",
];

#[test]
fn every_position_fits_the_text_board_and_the_alt_text() {
    let entry = find("fabric").expect("the game");
    let names = NAMES.map(str::to_owned);
    let mut rng = GameRng::quick(4);
    for size in ["7", "8", "9", "10"] {
        let options = OptionValues::choose(entry.meta.options, [("size", size)]).expect("good options");
        let mut table = entry.open(&options, 2, &Seed::from_text(size)).expect("a table");
        let mut step = 1;
        while let Some(seat) = table.awaiting().seats().iter().next() {
            let legal = table.legal(seat);
            let action = &legal[rng.below(legal.len())];
            table
                .play(seat, action, &Seed::from_text(size), step)
                .expect("a legal action");
            step += 1;
            let frame = Frame {
                side: Seat::new((step % 2) as u8),
                theme: Theme::ALL[step as usize % 3],
                ..Frame::new(Viewer::Public, &names)
            };
            let text = table.text(&frame);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= 60, "{widest} columns:\n{text}");
            let alt = table.alt(&frame);
            assert!(
                alt.chars().count() <= ALT_LIMIT,
                "{} characters: {alt}",
                alt.chars().count()
            );
            assert!(alt.ends_with('.'), "{alt}");
            let told = table
                .narration(Viewer::Public)
                .plain(|seat| NAMES[seat.index()].to_owned());
            assert!(!told.is_empty() && told.ends_with('.'), "{told}");
            if step % 40 == 0 {
                let png = table.picture(&frame).expect("a picture");
                assert!(png.len() < 72 << 10, "{} bytes at step {step}", png.len());
            }
        }
    }
}

#[test]
fn the_rules_begin_with_a_move() {
    let rules = find("fabric").expect("the game").rules();
    let overview = &rules.sections[0];
    assert!(overview.body.contains("`R d4 N`"));
    assert!(rules.sections.len() >= 6);
}
