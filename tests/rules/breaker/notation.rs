//! What is read, what is refused, and what is offered word by word.

use parlor::game::{Game, Seat, guide};
use parlor::games::breaker::Variant;

use super::desk::{Arrange, ONE, TWO, opening, plain};

#[test]
fn notation_is_forgiving() {
    let desk = plain()
        .give(ONE, "2L annihilate agitate")
        .table(ONE, "0LFR I")
        .table(TWO, "0LFR I")
        .game();
    for (typed, meant) in [
        ("DRAW 2l", "draw 2L"),
        ("allocate 1fl", "draw 1LF"),
        ("take auth", "draw authenticate"),
        ("add 2L 1F", "add 2L 1F"),
        ("add 1f 2l", "add 2L 1F"),
        ("add2L II", "add 2L II"),
        ("play anni into 1 L", "add annihilate 1L"),
        ("add west 2L", "add 2L W"),
        ("add anihilate 1-r", "add annihilate 1R"),
        ("move 1 to iii", "move 1 III"),
        ("rearrange w 1", "move 1 W"),
        (" Pass ", "pass"),
    ] {
        assert_eq!(desk.read(typed), meant, "{typed}");
    }
    let (_, rest) = desk.game.parse(ONE, "draw 3, then add 2L II").unwrap();
    assert_eq!(rest, "add 2L II");
}

#[test]
fn the_verb_of_an_answer_may_be_left_out() {
    let desk = plain()
        .give(ONE, "annihilate")
        .table(TWO, "3 I, 3 II")
        .game()
        .play("add annihilate I");
    assert_eq!(desk.read("2"), "target 2");
    let desk = plain().give(ONE, "accelerate").game().play("add accelerate I");
    assert_eq!(desk.read("agg"), "take aggravate");
    assert_eq!(desk.read("draw 2F"), "take 2F");
}

#[test]
fn refusals_say_what_to_do() {
    let desk = plain()
        .give(ONE, "2L")
        .table(ONE, "1LF I, 2F 1F")
        .table(TWO, "0LFR I")
        .game();
    for (typed, told) in [
        ("", "can't read"),
        ("drow 3", "Did you mean `draw`"),
        ("draw", "Which block do you draw? draw 1LF, draw 1FR"),
        (
            "draw 2",
            "three blocks of power 2, with different sockets: 2L, 2F, 2R",
        ),
        ("draw ag", "agitate, aggravate"),
        ("draw 4", "Power blocks are"),
        ("draw 0LFR", "There's no 0LFR left in your supply"),
        ("draw command", "name the one you want"),
        ("add 3 II", "You hold no 3. In your hand: 2 × 0LFR, 2L."),
        ("add 2L", "Into which socket"),
        ("add 2L 1R", "has only L and F"),
        ("add 2L 1F", "block 2 is there"),
        ("add 2L 3L", "Block 3 is the enemy's"),
        ("add 2L E", "this one has W"),
        ("add 2L 77L", "There's no block 77"),
        ("add 2L 1", "1L, 1F or 1R"),
        ("add 2L banana", "A socket is I, II, III"),
        ("move 1 II", "Block 2 is plugged into block 1"),
        ("move 3 II", "is the enemy's"),
        ("move 2 1F", "is there already"),
        ("move 2 2F", "can't be plugged into itself"),
        ("move 9 II", "There's no block 9"),
        ("target 1", "No command asks for that"),
        ("keep 2L", "No command asks for that"),
    ] {
        let refusal = desk.refusal(typed);
        assert!(refusal.contains(told), "{typed}: {refusal}");
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let desks = [
        plain().game(),
        plain().give(ONE, "automate").game().play("add automate I"),
        opening(Variant::Blind)
            .give(ONE, "aggravate")
            .game()
            .play("add aggravate I"),
        plain().game().play("pass; pass"),
    ];
    let pieces = [
        "draw", "add", "é7L", "0", "99999", "I", "W", "L", "🂡", "-", "move", ";", "keep", "a", "command",
    ];
    for desk in desks {
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    for seat in Seat::all(3) {
                        let _ = desk.game.parse(seat, &format!("{a}{b} {c}"));
                    }
                }
            }
        }
    }
}

#[test]
fn an_action_is_picked_word_by_word() {
    let hand = ["annihilate", "3", "2L"];
    let desk = hand
        .iter()
        .fold(plain(), |desk, block| desk.give(ONE, block))
        .game();
    let first = guide::guide(&desk.game, ONE, &[]);
    let words: Vec<&str> = first.choices.iter().map(|choice| choice.text.as_str()).collect();
    assert_eq!(words, ["pass", "draw", "add"]);
    assert_eq!(first.ask, "First of your two actions: what do you do?");
    let second = guide::guide(&desk.game, ONE, &["add"]);
    let annihilate = second.choices.iter().find(|choice| choice.text == "annihilate W");
    let annihilate = annihilate.unwrap();
    assert_eq!(annihilate.label, "annihilate W");
    assert_eq!(annihilate.help, "a block leaves the game; circuit I");
    let third = guide::guide(&desk.game, ONE, &["add", "annihilate"]);
    assert_eq!(third.choices[3].help, "circuit I");
}
