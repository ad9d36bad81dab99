//! Phrases that players of Phase type for a decision.

use parlor::game::Seat;
use parlor::game::completion::complete;

use super::desk::{Desk, ONE, Play, TWO};

/// Each phrase finds this first, and says this of it.
fn check(play: &Play, seat: Seat, phrases: &[(&str, &str, &str)]) {
    for (typed, action, label) in phrases {
        let found = complete(&play.game, seat, typed, 25);
        let first = found.first().unwrap_or_else(|| panic!("`{typed}` finds nothing"));
        assert_eq!(
            (first.action.as_str(), first.label.as_str()),
            (*action, *label),
            "{typed}: {found:?}"
        );
    }
}

fn table() -> Play {
    Desk::printed(2)
        .play(ONE, "Trivet / Chained Horror")
        .barracks(ONE, "Sun Page / Sand Viper, Squeezle / Necromancer")
        .hand(ONE, "Trivet / Masked Assassin")
        .play(TWO, "Trivet / Ash Emperor")
        .deck(ONE, "Sun Page / Ash Emperor, Sun Page / Eclipse Dragon")
        .deck(TWO, "Sun Page / The Flying Death")
        .go()
}

#[test]
fn cards_and_verbs_find_what_can_be_done_with_them() {
    let mut play = table();
    check(
        &play,
        ONE,
        &[
            ("fight", "attack", "attack this turn"),
            ("no attack", "done", "done: no attack this turn"),
        ],
    );
    play.say(ONE, "done");
    let squeezle = "train Squeezle 2/1 (resource 2, cost 0)";
    let page = "train Sun Page 2/2 (resource 1, cost 0)";
    let order = "order of Trivet (hand a): An enemy warrior gets -1/-2 until the turn ends.";
    check(
        &play,
        ONE,
        &[
            ("squeezle", "train 2", squeezle),
            ("squeezel", "train 2", squeezle),
            ("squee train", "train 2", squeezle),
            ("train", "train 1", page),
            ("recruit sun page", "train 1", page),
            ("order trivet", "order a", order),
            ("trivet's order", "order a", order),
            ("enemy warrior", "order a", order),
            ("end", "done", "done: end the training step"),
        ],
    );
}

#[test]
fn attackers_defenders_and_targets_are_found_by_name() {
    let mut play = table();
    play.say(ONE, "attack").pass_round();
    check(
        &play,
        ONE,
        &[
            ("nexus", "target nexus", "attack the Nexus: gain influence"),
            (
                "player 2",
                "target player 2",
                "attack player 2: they lose influence",
            ),
        ],
    );
    play.say(ONE, "target nexus");
    check(
        &play,
        ONE,
        &[("trivet", "with 1", "attack with 1 Trivet (2/2, yours)")],
    );
}
