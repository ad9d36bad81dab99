//! What players type, what they are offered, and what they are told when it can't be.

use parlor::game::completion::complete;
use parlor::game::guide::{Leads, guide};
use parlor::game::{Awaiting, Game, GameRng, NotationError, OptionValues, Seat};
use parlor::games::glyphgrid::GlyphGrid;

use super::drawn::{MOON, SUN, drawn, play};

const MIDDLE: &str = "._ ._ ._ c- ._ ._ ._
                      ._ ._ ._ ._ ._ ._ ._
                      ._ ._ ._ s- ._ ._ ._
                      ._ ._ S_ s_ .- ._ ._
                      ._ .- S+ ._ S_ ._ ._
                      ._ ._ ._ C_ ._ ._ ._
                      ._ ._ ._ .+ ._ ._ s_";

fn opening() -> GlyphGrid {
    let options = OptionValues::choose(GlyphGrid::META.options, [("opening", "classic")]).unwrap();
    GlyphGrid::new(&options, 2, &mut GameRng::quick(0))
}

fn read(game: &GlyphGrid, text: &str) -> Result<String, NotationError> {
    let seat = game.awaiting().seats().iter().next().unwrap_or(SUN);
    let (action, rest) = game.parse(seat, text)?;
    assert_eq!(rest, "");
    Ok(game.notate(seat, &action))
}

#[track_caller]
fn reads(game: &GlyphGrid, text: &str, expected: &str) {
    assert_eq!(read(game, text).as_deref(), Ok(expected), "{text}");
}

#[track_caller]
fn refuses(game: &GlyphGrid, text: &str, expected: &str) {
    let error = read(game, text).expect_err(text).to_string();
    assert!(error.contains(expected), "{text}: {error}");
}

#[test]
fn glyphs_may_be_shortened_and_words_may_come_in_any_order() {
    let game = opening();
    for text in [
        "lance c2-e4",
        "LANCE C2-E4",
        "l c2 e4",
        "la c2e4",
        "lc2e4",
        "c2 lance e4",
        "c2-e4 lance",
        "lance c2 to e4",
        "  lance   c2 → e4 ",
        "lance from c2 to e4",
        "l:c2>e4",
        "lance c 2 - e 4",
    ] {
        reads(&game, text, "lance c2-e4");
    }
    reads(&game, "v c2-c3", "vector c2-c3");
    reads(&game, "ar a2-b4", "arc a2-b4");
    reads(&game, "an c2", "anchor c2");
    let game = drawn(MIDDLE);
    reads(&game, "p c4-d4", "pulse c4-d4");
    reads(&game, "push c4 d4", "pulse c4-d4");
    reads(&game, "claim e3 e4", "anchor e3-e4");
}

#[test]
fn a_bare_a_is_arc_for_a_knights_leap_and_anchor_for_anything_else() {
    let game = drawn(MIDDLE);
    reads(&game, "a c4-e5", "arc c4-e5");
    reads(&game, "a e3-e4", "anchor e3-e4");
    reads(&game, "a e3", "anchor e3");
    reads(&game, "a d2 stay", "anchor d2");
    reads(&game, "mark d2", "anchor d2");
}

#[test]
fn the_glyph_may_be_left_out_where_the_squares_leave_one_action() {
    let game = drawn(MIDDLE);
    reads(&game, "e3-e5", "lance e3-e5");
    reads(&game, "c4-e5", "arc c4-e5");
    reads(&game, "c4 d4", "pulse c4-d4");
    // VECTOR with an inversion to come, or ANCHOR.
    let error = read(&game, "e3-e4").unwrap_err();
    assert_eq!(error.choices(), ["vector e3-e4", "anchor e3-e4"]);
    let error = read(&game, "c3-b3").unwrap_err();
    assert_eq!(error.choices(), ["vector c3-b3", "anchor c3-b3"]);
}

#[test]
fn a_single_square_is_a_piece_to_ask_about_or_a_goal_only_one_action_reaches() {
    let game = drawn(MIDDLE);
    let error = read(&game, "c3").unwrap_err();
    assert!(
        error.to_string().starts_with("What should the Shard on c3 do?"),
        "{error}"
    );
    assert!(error.choices().contains(&"vector c3-b3".to_owned()));
    let error = read(&game, "lance c3").unwrap_err();
    assert!(
        error
            .choices()
            .iter()
            .all(|choice| choice.starts_with("lance c3-")),
        "{error}"
    );
    reads(&game, "lance e5", "lance e3-e5");
    let error = read(&game, "pulse d4").unwrap_err();
    assert_eq!(error.choices(), ["pulse c3-d4", "pulse e3-d4", "pulse c4-d4"]);
}

#[test]
fn refusals_name_the_rule_and_the_way_out() {
    let game = drawn(MIDDLE);
    for (text, words) in [
        ("vector c4-d4", "A Shard can capture only the enemy Core"),
        ("vector c4-d4", "`pulse c4-d4` is possible"),
        ("vector e3-e5", "VECTOR goes one step"),
        ("vector e3-e5", "`lance e3-e5` is possible"),
        ("lance c4-e4", "a piece stands between c4 and e4"),
        ("lance c4-d6", "LANCE goes exactly two steps"),
        ("arc c4-c6", "ARC leaps like a knight"),
        ("pulse c4-d5", "stands on a mark of its own side"),
        ("pulse c4-c5", "PULSE pushes an enemy, and c5 is empty"),
        ("pulse c4-e4", "isn't next to c4"),
        (
            "anchor c3",
            "Your mark is on c3 already. It could claim b3: `anchor c3-b3`.",
        ),
        ("anchor c4-c5", "ANCHOR steps only onto an enemy's mark"),
        ("anchor c4-d5", "a piece stands on d5"),
        ("anchor c4-e4", "isn't next to c4"),
        ("vector c3-c4", "Your own piece stands on c4"),
        ("vector c5-c6", "There's no piece on c5"),
        ("vector d4-d3", "The Shard on d4 isn't yours"),
        ("c4-g4", "No glyph goes from c4 to g4"),
        ("vector h2-h3", "There's no square h2"),
        ("vector c9-c8", "files go from a to g and ranks from 1 to 7"),
        ("vectr c2-c3", "Did you mean `vector`?"),
        ("castle", "A move is a glyph, a piece and a square"),
        ("vector arc c4-c5", "One glyph a turn"),
        ("", "A move is a glyph, a piece and a square"),
        ("swap", "without `swap`"),
    ] {
        refuses(&game, text, words);
    }
    let game = drawn(
        "._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ c_ ._ ._ ._
         ._ ._ ._ S_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ C+ ._ ._ .-",
    );
    refuses(
        &game,
        "pulse d4-d5",
        "A Shard can't PULSE a Core. `vector d4-d5` is possible.",
    );
}

#[test]
fn a_refused_swap_says_when_it_is_open() {
    let wishes = [("swap", "on"), ("opening", "classic")];
    let options = OptionValues::choose(GlyphGrid::META.options, wishes).unwrap();
    let mut game = GlyphGrid::new(&options, 2, &mut GameRng::quick(0));
    refuses(&game, "swap", "right after the first move");
    play(&mut game, &["lance c2-c4"]);
    reads(&game, "Swap!", "swap");
    play(&mut game, &["swap"]);
    refuses(&game, "swap", "swapped already");
}

#[test]
fn guided_entry_goes_from_the_piece_to_all_it_can_do() {
    let game = drawn(MIDDLE);
    let texts = |picked: &[&str]| -> Vec<String> {
        let guide = guide(&game, SUN, picked);
        guide.choices.into_iter().map(|choice| choice.text).collect()
    };
    let mut first = texts(&[]);
    first.sort();
    assert_eq!(first, ["c3", "c4", "d2", "e3"]);
    // Few enough to be offered whole.
    assert!(texts(&["c4"]).contains(&"pulse d4".to_owned()));
    assert_eq!(texts(&["c4", "pulse"]), ["d4"]);
    assert_eq!(texts(&["E3", "Anchor"]), ["stay", "e4"]);
    let last = guide(&game, SUN, &["e3"]);
    let stay = last
        .choices
        .iter()
        .find(|choice| choice.text == "anchor stay")
        .unwrap();
    assert_eq!(
        stay.leads,
        Leads::To {
            sentence: "anchor e3".into()
        }
    );
    assert_eq!(stay.label, "anchor mark e3");
}

/// Whatever guided entry spells reads as the action it leads to.
#[test]
fn every_path_reads_back() {
    for game in [opening(), drawn(MIDDLE)] {
        for action in game.legal_actions(SUN) {
            let notation = game.notate(SUN, &action);
            let paths = game.paths(SUN, &action);
            for path in paths {
                let words: Vec<&str> = path.iter().map(|word| word.text.as_str()).collect();
                reads(&game, &words.join(" "), &notation);
            }
        }
    }
}

#[test]
fn what_is_typed_is_completed() {
    let game = opening();
    let found = complete(&game, SUN, "lance c2e", 5);
    assert_eq!(found[0].action, "lance c2-e4");
    assert_eq!(found[0].label, "LANCE: Shard c2 goes northeast to e4");
    assert_eq!(found.len(), 1);
    assert_eq!(complete(&game, SUN, "anc", 9).len(), 4);
}

#[test]
fn no_text_panics_the_parser() {
    let mut rng = GameRng::quick(7);
    let scraps = [
        "vector",
        "lance",
        "a",
        "an",
        "pulse",
        "anchor",
        "c2",
        "e4",
        "d1",
        "g7",
        "h9",
        "a99999999999",
        "-",
        " ",
        "é",
        "漢字",
        "x",
        "swap",
        "stay",
        "1",
        "\u{0}",
        "𝒂2",
        "İ",
        "to",
        "`",
        "d1d1d1",
    ];
    for game in [opening(), drawn(MIDDLE)] {
        for _ in 0..20_000 {
            let text: String = (0..rng.below(7))
                .filter_map(|_| rng.choose(&scraps).copied())
                .collect();
            for seat in [SUN, MOON] {
                if let Err(error) = game.parse(seat, &text) {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

#[test]
fn nobody_reads_a_move_into_a_finished_game() {
    let mut game = opening();
    game.withdraw(SUN, &mut GameRng::quick(0), &mut parlor::game::Silent);
    assert_eq!(game.awaiting(), Awaiting::Over);
    for text in ["lance c2-e4", "c2", "anchor", "c2-c3", "swap"] {
        if let Ok((action, _)) = game.parse(Seat::new(0), text) {
            assert!(!game.is_legal(Seat::new(0), &action), "{text}");
        }
    }
}
