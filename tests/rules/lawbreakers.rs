//! The laws can fail: each flaw of the toy is caught by the law that it breaks, and the sound toy by none.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::call::called;
use crate::support::case::{Case, cases, for_all};
use crate::support::guided::guided;
use crate::support::law::{Broken, Kept, Law};
use crate::support::leaving::leaving;
use crate::support::noise::noisy;
use crate::support::orderly::orderly;
use crate::support::secrecy::secrecy;
use crate::support::story::{Company, Story};
use crate::support::tampered::tampered;
use crate::support::toy::{Toy, flaw};
use parlor::catalog::Entry;

/// All that is wrong with one case. A check that panics has nothing to say; only the check for panics may
/// speak of that.
fn judge(case: &Case<'_>) -> Vec<Broken> {
    let mut broken = Vec::new();
    let mut run = |check: &dyn Fn() -> Kept| {
        let result = catch_unwind(AssertUnwindSafe(check));
        broken.extend(result.into_iter().filter_map(Result::err));
    };
    run(&|| {
        let story = Story::play(case, Company::Stays)?;
        story.visit(case, 2, |spot| noisy(spot, 20))
    });
    run(&|| {
        let story = Story::play(case, Company::Stays)?;
        orderly(case, &story, 8)
    });
    run(&|| {
        let story = Story::play(case, Company::Stays)?;
        secrecy(case, &story, 8, 0).map(|_| ())
    });
    run(&|| {
        let story = Story::play(case, Company::Stays)?;
        story.visit(case, 4, guided)
    });
    run(&|| {
        let story = Story::play(case, Company::Stays)?;
        story.visit(case, 4, called)
    });
    run(&|| {
        let story = Story::play(case, Company::Leaves)?;
        leaving(case, &story)
    });
    run(&|| {
        let story = Story::play(case, Company::Stays)?;
        story.visit(case, 2, |spot| tampered(spot, 5, usize::MAX))
    });
    broken
}

/// Some case of a flawed toy breaks this law.
#[track_caller]
fn breaks<const FLAW: u8>(law: Law) {
    let entry = Entry::of::<Toy<FLAW>>();
    let mut found = BTreeSet::new();
    for case in cases(&entry, 80) {
        found.extend(judge(&case).iter().map(|broken| broken.law));
        if found.contains(&law) {
            return;
        }
    }
    panic!("{law:?} should have failed; these did: {found:?}");
}

#[test]
fn the_sound_toy_breaks_no_law() {
    let entry = Entry::of::<Toy<0>>();
    for_all(&cases(&entry, 40), |case| match judge(case).first() {
        None => Ok(()),
        Some(broken) => Err(broken.to_string()),
    });
}

#[test]
fn a_view_that_shows_a_hidden_bid_is_caught() {
    breaks::<{ flaw::TELLTALE_VIEW }>(Law::Determinize);
    breaks::<{ flaw::TELLTALE_VIEW }>(Law::Secrecy);
}

#[test]
fn a_list_of_actions_that_depends_on_hidden_cards_is_caught() {
    breaks::<{ flaw::TELLTALE_LIST }>(Law::Secrecy);
}

#[test]
fn events_told_in_full_to_everybody_are_caught() {
    breaks::<{ flaw::TELLTALE_EVENTS }>(Law::Secrecy);
}

#[test]
fn a_window_that_depends_on_hidden_cards_is_caught() {
    breaks::<{ flaw::TELLTALE_WINDOW }>(Law::Secrecy);
}

#[test]
fn a_sentence_that_fails_and_yet_tells_something_is_caught() {
    breaks::<{ flaw::PROBED }>(Law::Secrecy);
}

#[test]
fn a_plan_that_is_forgotten_by_what_is_hidden_is_caught() {
    breaks::<{ flaw::TELLTALE_MOOT }>(Law::Secrecy);
}

#[test]
fn an_imagined_world_with_another_own_hand_is_caught() {
    breaks::<{ flaw::FALSE_MEMORY }>(Law::Determinize);
}

#[test]
fn a_legal_list_out_of_order_is_caught() {
    breaks::<{ flaw::UNSORTED }>(Law::LegalLists);
}

#[test]
fn an_action_listed_twice_is_caught() {
    breaks::<{ flaw::DOUBLED }>(Law::Notation);
}

#[test]
fn counting_otherwise_than_listing_is_caught() {
    breaks::<{ flaw::MISCOUNTED }>(Law::LegalLists);
}

#[test]
fn two_actions_with_one_notation_are_caught() {
    breaks::<{ flaw::NAMESAKES }>(Law::Notation);
}

#[test]
fn a_save_that_leaves_something_out_is_caught() {
    breaks::<{ flaw::FORGETFUL }>(Law::Saves);
}

#[test]
fn an_action_that_does_not_always_do_the_same_is_caught() {
    breaks::<{ flaw::MOODY }>(Law::Replays);
}

#[test]
fn choices_whose_order_counts_are_caught() {
    breaks::<{ flaw::ORDER_COUNTS }>(Law::Commute);
}

#[test]
fn a_turn_that_need_never_end_is_caught() {
    breaks::<{ flaw::ENDLESS }>(Law::Bound);
}

#[test]
fn words_that_are_not_listened_to_are_caught() {
    breaks::<{ flaw::INATTENTIVE }>(Law::Strays);
}

#[test]
fn a_view_that_shows_a_draw_from_the_seed_is_caught() {
    breaks::<{ flaw::SEED_SHOWN }>(Law::SeedUnseen);
}

#[test]
fn a_parser_that_cuts_letters_in_two_is_caught() {
    breaks::<{ flaw::PANICS }>(Law::NoPanic);
}

#[test]
fn waiting_for_somebody_who_can_do_nothing_is_caught() {
    breaks::<{ flaw::STUCK }>(Law::Awaited);
}

#[test]
fn waiting_for_somebody_who_has_left_is_caught() {
    breaks::<{ flaw::GHOSTS }>(Law::Leaving);
}

#[test]
fn a_guide_that_misses_an_action_is_caught() {
    breaks::<{ flaw::LOST_WAYS }>(Law::Guide);
}

#[test]
fn a_save_that_is_taken_as_it_comes_is_caught() {
    breaks::<{ flaw::GULLIBLE }>(Law::Tampering);
}

#[test]
fn a_text_that_keeps_the_question_to_itself_is_caught() {
    breaks::<{ flaw::SILENT }>(Law::Call);
}
