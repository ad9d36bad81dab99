//! Card files and what is found wrong in them: every fault with its line and its reason.

use parlor::games::phase::card::Ability;
use parlor::games::phase::card::load::{LoadFault, Source, load};

use super::lint::look_over;

/// The faults of a small file, as `line: reason`. A small file lacks most of a set, so what is said about whole
/// factions is left out.
fn faults(text: &str) -> Vec<String> {
    let source = Source {
        name: "test.cards",
        text,
    };
    let faults = look_over(&[source]);
    let of_a_line = |reason: &str| {
        let whole = [
            "Fengarian:",
            "Keeper:",
            "Sun Dominion:",
            "the factions'",
            "the set",
        ];
        !whole.iter().any(|faction| reason.starts_with(faction)) && !reason.contains("at least 3 are needed")
    };
    faults
        .iter()
        .filter(|fault| of_a_line(&fault.reason))
        .map(|fault| format!("{}: {}", fault.line, fault.reason))
        .collect()
}

/// A face of which nothing is wrong.
const SOUND: &str = "faction Keeper\ngood Monk, 1, 2/3\n  order: draw 1\n";

/// The faults of a face with these lines.
fn face(head: &str, lines: &[&str]) -> Vec<String> {
    let mut text = format!("faction Keeper\n{head}\n");
    for line in lines {
        text.push_str(&format!("  {line}\n"));
    }
    faults(&text)
}

#[test]
fn a_sound_face_is_passed() {
    assert_eq!(faults(SOUND), [""; 0]);
}

#[test]
fn faults_print_with_file_line_and_reason() {
    let source = Source {
        name: "test.cards",
        text: "faction Keeper\n\ngood Monk\n",
    };
    let faults = load(&[source]).expect_err("there is a fault");
    assert_eq!(
        faults[0].to_string(),
        "test.cards, line 3: a face is a name, a cost and attack/defense: `good Scout, 1, 1/2`"
    );
}

#[test]
fn a_broken_file_is_no_set_and_says_where_it_is_broken() {
    let text = "faction Keeper\nhero Monk\nhero Nun\nhero Abbot\nhero Friar\n";
    let source = Source {
        name: "keeper.cards",
        text,
    };
    let faults = load(&[source]).expect_err("nothing of it can be read");
    let list = LoadFault::list(&faults);
    assert!(
        list.starts_with("keeper.cards, line 2: `hero` starts nothing"),
        "{list}"
    );
    assert!(list.ends_with("; and 1 more"), "{list}");
    // Nor is half of the cards a set.
    let source = Source {
        name: "keeper.cards",
        text: SOUND,
    };
    let faults = load(&[source]).expect_err("a small file is not a whole set");
    assert_eq!(faults[0].reason, "there are 0 cards instead of 300");
}

#[test]
fn lines_that_mean_nothing_are_named() {
    let cases = [
        ("faction Elves", "1: there is no faction `Elves`"),
        ("good Monk, 1, 2/3", "1: say the faction first: `faction Keeper`"),
        ("  order: draw 1", "1: this line belongs to nothing"),
        (
            "heroes",
            "1: `heroes` starts nothing; a line starts with faction, good, evil, cards or deck",
        ),
        ("faction Keeper\ngood Monk, x, 2/3", "2: `x` is no training cost"),
        (
            "faction Keeper\ngood Monk, 1, 23",
            "2: `23` is not attack/defense",
        ),
        (
            "faction Keeper\ncards\n  Monk",
            "3: a card is a number and two faces: `1 Scout / Fire Spirit`",
        ),
        (
            "faction Keeper\ncards\n  1 Monk / Nun",
            "3: there is no face called Monk",
        ),
        (
            "faction Keeper\ncards\n  101 Monk / Nun",
            "3: `101` is no number from 1 to 100",
        ),
        (
            "faction Keeper\ndeck Big: x",
            "2: `Big` is no name for a deck: small letters and hyphens",
        ),
        (
            "faction Keeper\ndeck small: x\n  1 2 3",
            "2: small: a deck has exactly 25 cards, and this one has 3",
        ),
        (
            "faction Keeper\ndeck odd: x\n  one",
            "3: `one` is no number of a card",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(faults(text)[0], expected, "{text}");
    }
}

#[test]
fn cards_are_checked_against_their_faces() {
    let two =
        "faction Keeper\ngood Monk, 1, 2/3\n  order: draw 1\nevil Ghoul, 1, 2/3\n  order: draw 1\ncards\n";
    // What is on them does not matter here.
    let faults = |text: &str| {
        let mut faults = faults(text);
        faults.retain(|fault| !fault.contains("all but the same"));
        faults
    };
    let with = |lines: &str| faults(&format!("{two}{lines}"));
    assert_eq!(with("  1 Monk / Ghoul\n"), [""; 0]);
    assert_eq!(
        with("  1 Ghoul / Monk\n"),
        ["7: Ghoul is evil; the good face comes first"]
    );
    assert_eq!(
        with("  1 Monk / Ghoul\n  2 Monk / Ghoul\n"),
        ["8: K1 is the same card"]
    );
    assert_eq!(
        faults(&format!("{two}faction Fengarian\ncards\n  1 Monk / Ghoul\n")),
        ["9: Monk is Keeper, not Fengarian"]
    );
}

#[test]
fn names_are_given_once() {
    let twice = format!("{SOUND}good Monk, 1, 2/3\n  order: draw 1\n");
    assert_eq!(faults(&twice)[0], "4: there are two faces called Monk");
    assert_eq!(
        face("good Monk, 1, 2/3", &["order: draw 1", "order: draw 1"]),
        ["4: Monk has two orders"]
    );
}

#[test]
fn lints_refuse_what_can_not_be_meant() {
    let cases: [(&[&str], &str); 14] = [
        (
            &["order phase 1 lock 1: choose enemy warrior; destroy it"],
            "lock comes before phase",
        ),
        (
            &["order: choose 4 enemy warriors; lock them"],
            "4 cards are chosen; 1 to 3 can be",
        ),
        (
            &["order: choose my warrior; draw 1"],
            "something is chosen and then nothing is done with it",
        ),
        (
            &["order: damage each my hand-card 1"],
            "damage does not reach there",
        ),
        (
            &["order: buff this +2/+0"],
            "an order has no `this`: its card is in the hand",
        ),
        (
            &["order: choose any attacking resource; lock it"],
            "its filters don't fit the cards it speaks of",
        ),
        (
            &["order: choose enemy hand-card with swift; move it to discard"],
            "its filters don't fit the cards it speaks of",
        ),
        (
            &["order: choose any good evil warrior; lock it"],
            "no card can be all of that",
        ),
        (
            &["order: choose my locked warrior; unlock it"],
            "own locked cards can't be chosen",
        ),
        (
            &["order: choose my warrior; move it to play"],
            "a card is moved to where it is",
        ),
        (
            &["order: choose enemy warrior; gain cost-difference it good"],
            "a cost difference is told only of own cards just phased",
        ),
        (
            &["phaseling: choose my warrior; phase it", "order: draw 1"],
            "a Phaseling must not phase warriors: two of them would never stop",
        ),
        (
            &[
                "phaseling: choose my warrior; if it is good { phase it }",
                "order: draw 1",
            ],
            "a Phaseling must not phase warriors: two of them would never stop",
        ),
        (&["action: draw 1", "order: draw 1"], "an action skill has a cost"),
    ];
    for (lines, reason) in cases {
        let expected = format!("2: Monk: {reason}");
        let found = face("good Monk, 1, 2/3", lines);
        assert!(found.contains(&expected), "{lines:?} gave {found:?}");
    }
}

#[test]
fn triggers_have_no_cost() {
    assert_eq!(
        face("good Monk, 1, 2/2", &["trained phase 1: draw 1", "order: draw 1"])[0],
        "3: trained is a trigger, and triggers have no cost"
    );
}

#[test]
fn the_budget_is_kept() {
    let off = |head: &str| face(head, &["order: draw 1"]);
    assert_eq!(
        off("good Monk, 1, 3/4"),
        ["2: Monk: +1.75 points off the curve for its cost"]
    );
    assert_eq!(
        off("good Monk, 4, 2/3"),
        ["2: Monk: -2.25 points off the curve for its cost"]
    );
    assert_eq!(
        off("good Monk, 5, 6/1  # all teeth"),
        ["2: Monk: lines go to 5 attack and 6 defense, not 6/1"]
    );
    // Skills are paid for.
    assert_eq!(face("good Monk, 1, 2/2", &["swift", "order: draw 1"]), [""; 0]);
    assert_eq!(
        face("good Monk, 1, 3/3", &["swift", "order: draw 1"]),
        ["2: Monk: +2.00 points off the curve for its cost"]
    );
    // Orders too.
    assert_eq!(
        face("good Monk, 1, 2/3", &["order: draw 3"]),
        ["2: Monk: its order is worth 6.00 points, and 1.75 to 4.25 are right for its cost"]
    );
    assert_eq!(face("good Monk, 1, 2/3", &[]), ["2: Monk: it has no order"]);
}

#[test]
fn texts_that_are_too_long_for_a_card_are_refused() {
    let long = "order: choose my warrior; buff it +1/+0; choose enemy warrior; damage second 1";
    // Choices come first, so this one is unreadable already.
    assert_eq!(
        face("good Monk, 1, 2/3", &[long])[0],
        "3: choose everything before anything happens"
    );
    let found = face(
        "good Monk, 1, 2/3",
        &[
            "order phase 2: choose my warrior; choose enemy warrior; if first is opposed { buff first \
           +1/+0 }; if second is opposed { lock second; damage second 1 } else { destroy second }",
        ],
    );
    assert!(
        found
            .iter()
            .any(|fault| fault.contains("letters don't fit the card")),
        "{found:?}"
    );
}

#[test]
fn a_faction_is_looked_at_as_a_whole() {
    let source = Source {
        name: "test.cards",
        text: SOUND,
    };
    let faults = look_over(&[source]);
    let reasons: Vec<&str> = faults.iter().map(|fault| fault.reason.as_str()).collect();
    for expected in [
        "Monk is on 0 cards; at least 3 are needed",
        "Keeper: 0 good faces cost 0, and 4 should",
        "Keeper: Swift is on 0 faces; at least 2 are needed",
        "Keeper: fewer than 2 action skills cost locking",
        "Keeper: 0 cards instead of 100",
        "Keeper: 0 ready decks instead of 3",
    ] {
        assert!(
            reasons.contains(&expected),
            "{expected} is not among {reasons:#?}"
        );
    }
}

#[test]
fn what_is_unreadable_says_what_was_expected() {
    let cases = [
        ("draw 1", "`draw` is no cost; there is lock and phase"),
        (": draw", "expected an amount, but the line ends"),
        (": fly", "`fly` is nothing that a card does"),
        (": buff it +1/+1", "`it` needs a choice first"),
        (
            ": choose my warrior; choose enemy warrior; lock it",
            "which one is `it`? say first or second",
        ),
        (": choose opponent; lock it", "`it` is a player, not a card"),
        (
            ": choose my warrior; draw 1 by them",
            "`them` is a card, not a player",
        ),
        (
            ": choose my dragon; lock it",
            "`dragon` says nothing about a card",
        ),
        (
            ": choose my warrior; grant it elite",
            "`elite` can't be granted; swift and ally can",
        ),
        (": choose my warrior; buff it 1/1", "expected + or -, not `1`"),
        (": draw 1 draw 1", "expected `;`, not `draw`"),
        (": draw 300", "`300` is too large"),
        (": draw 1 €", "`€` means nothing here"),
        ("tap 1: draw 1", "`tap` is no cost; there is lock and phase"),
    ];
    for (source, expected) in cases {
        let error = source.parse::<Ability>().expect_err(source).to_string();
        assert!(error.starts_with(expected), "{source}: {error}");
    }
}
