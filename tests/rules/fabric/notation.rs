//! What players type.

use parlor::game::completion::complete;
use parlor::game::guide::{Leads, guide};
use parlor::game::{Game, NotationError};

use super::board::*;

fn read(text: &str) -> Result<String, NotationError> {
    let game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. A1 P2 .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    let (action, rest) = game.parse(ONE, text)?;
    assert_eq!(rest, "");
    Ok(action.to_string())
}

#[test]
fn every_way_of_writing_a_placement_reads_alike() {
    for (ways, wanted) in [
        (
            "A d4|a d4|d4 a|D4A|ad4|anchor d4|Anchor on D4|place an anchor at d4|● d4|A-d4|A: d4|a d 4|put the anchor d4",
            "A d4",
        ),
        ("P d4|prism d4|d4p|pd4|◇ d4|place a prism on d4|◆d4", "P d4"),
        (
            "R d4 N|r d4 n|rd4n|d4 rn|rn d4|nr d4|N R d4|relay d4 north|north relay at d4|place a relay on d4 facing north|\
             R d4 ↑|R d4 ⬆️|r^d4|R d4 up|relay d4 northward|➤ d4 ↑|d4 n|↑ d4",
            "R d4 N",
        ),
        (
            "R e4 E|re4e|e e4 r|relay e4 east|R e4 →|R e4 >|e4→|right relay e4|r e 4 e",
            "R e4 E",
        ),
        ("R d4 S|R d4 v|R d4 down|rd4v|d4 ↓|relay south d4", "R d4 S"),
        (
            "R a1 W|ra1w|R a1 <|R a1 left|a1 ← r|a relay on a1 facing west",
            "R a1 W",
        ),
        ("A a4|aa4|a a4|an anchor on a4", "A a4"),
    ] {
        for way in ways.split('|') {
            assert_eq!(read(way).as_deref(), Ok(wanted), "{way}");
        }
    }
}

#[test]
fn what_is_missing_is_asked_for() {
    let ask = |text: &str| read(text).expect_err(text).to_string();
    assert_eq!(
        ask("R d4"),
        "The Relay on d4 needs a facing. Which way? R d4 N, R d4 E, R d4 S, R d4 W"
    );
    assert_eq!(
        ask("d4"),
        "Which piece should go on d4? A d4, P d4, R d4 N, R d4 E, R d4 S, R d4 W"
    );
    assert_eq!(
        ask("P c"),
        "Which cell of column c? P c1, P c2, P c3, P c4, P c6, P c7, P c8"
    );
    assert!(ask("anchor").starts_with("Where should the Anchor go? A a1, A a2"));
    assert!(ask("relay north").starts_with("Where should the Relay go? R a1 N, R a2 N"));
    assert!(ask("P e").starts_with("Which cell of column e? P e1"));
}

#[test]
fn refusals_say_what_to_do_instead() {
    let refuse = |text: &str| read(text).expect_err(text).to_string();
    assert_eq!(refuse("A b5"), "Your own Anchor is on b5. Choose an empty cell.");
    assert_eq!(
        refuse("R c5"),
        "Your opponent's Prism is on c5. Choose an empty cell."
    );
    for off in ["A d9", "A i1", "P d0", "A d999", "R z3 N"] {
        assert_eq!(
            refuse(off),
            "There's no such cell: columns go from a to h, and rows from 1 to 8."
        );
    }
    assert_eq!(
        refuse("A d4 N"),
        "Only a Relay faces somewhere. Write `A d4`, or `R d4 N` for a Relay."
    );
    assert_eq!(
        refuse("R d4 NE"),
        "A Relay faces north, east, south or west, never diagonally."
    );
    assert!(refuse("A d4 d5").contains("two cells"));
    assert!(refuse("A P d4").contains("two pieces"));
    assert!(refuse("R d4 N S").contains("two facings"));
    assert!(refuse("ancor d4").contains("Did you mean `Anchor`?"));
    for nonsense in ["", "hello", "x", "4", "!!", "ä4", "d4 💥", "4d", "dd", "north"] {
        assert!(
            matches!(read(nonsense), Err(NotationError::Unreadable { .. })),
            "{nonsense}"
        );
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let pieces = [
        "a", "R", "d4", "é", "10", "\u{fe0f}", "→", " ", "99999", "n", "east", "ß", "İ", "0", "-", "k",
    ];
    let game = empty();
    for i in 0..pieces.len().pow(3) {
        let n = pieces.len();
        let text = [pieces[i % n], pieces[i / n % n], pieces[i / n / n]].concat();
        let _ = game.parse(ONE, &text);
    }
}

#[test]
fn ten_is_a_rank_on_a_large_board() {
    let game = parlor::games::fabric::setup::Setup::opening(10, 50);
    let game = parlor::games::fabric::Fabric::try_from(game).expect("an opening");
    for text in ["R j10 S", "rj10s", "j10 v r"] {
        assert_eq!(game.parse(ONE, text).expect(text).0.to_string(), "R j10 S");
    }
}

#[test]
fn guided_entry_goes_piece_column_cell_facing() {
    let game = position(
        ".. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. A1 P2 .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..
         .. .. .. .. .. .. .. ..",
    );
    let texts = |picked: &[&str]| -> (String, Vec<String>) {
        let guide = guide(&game, ONE, picked);
        (
            guide.ask,
            guide.choices.into_iter().map(|choice| choice.text).collect(),
        )
    };
    assert_eq!(
        texts(&[]),
        ("Which piece?".into(), ["A", "P", "R"].map(String::from).to_vec())
    );
    assert_eq!(texts(&["R"]).1.len(), 8);
    let (ask, cells) = texts(&["r", "c"]);
    assert_eq!(ask, "Which cell?");
    assert_eq!(cells, ["c1", "c2", "c3", "c4", "c6", "c7", "c8"]);
    let last = guide(&game, ONE, &["R", "c", "c4"]);
    // The intake of a Relay on c4 that faces south is c5, which the Anchor on b5 warms.
    assert_eq!(last.choices[2].label, "↓ south");
    assert_eq!(last.choices[2].help, "sends 2");
    assert_eq!(
        last.choices[2].leads,
        Leads::To {
            sentence: "R c4 S".into()
        }
    );
    assert_eq!(last.chosen_at, [0, 1, 2]);
    let mut found: Vec<String> = (complete(&game, ONE, "rd4", 10).into_iter())
        .map(|found| found.action)
        .collect();
    found.sort();
    assert_eq!(found, ["R d4 E", "R d4 N", "R d4 S", "R d4 W"]);
}
