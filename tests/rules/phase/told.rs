//! What the boards in words tell: all that the picture shows, for those who can't see it.

use parlor::draw::Show;
use parlor::game::Viewer;
use parlor::games::phase::Phase;
use parlor::games::phase::card::CardSet;

use super::desk::{Desk, ONE, Play, TWO, cards, flat};

fn set() -> &'static CardSet {
    cards(
        "good Plain, 1, 2/3\n  swift\n  action phase 1: buff this +1/+0\ngood Tall, 3, 1/5\nevil Wolf, 2, 3/2\n\
         evil Bear, 3, 4/4\n  order: choose any warrior; phase it",
    )
}

fn table() -> Play {
    Desk::of(set(), 2)
        .play(ONE, "Plain / Wolf")
        .barracks(ONE, "Tall / Wolf, Plain / Bear")
        .hand(ONE, "Bear / Plain, Bear / Tall")
        .deck(ONE, "Tall / Bear")
        .discard(ONE, "Wolf / Tall")
        .hand(TWO, "Wolf / Plain")
        .go()
}

#[test]
fn the_text_board_tells_skills_outward_faces_and_deck_tops() {
    let play = table();
    let text = flat(&play.tell(Viewer::Public, Phase::text));
    for part in [
        "1 Plain 2/3 good. Swift. Phase 1: ",
        "Hand, as the others see it: a Plain, b Tall",
        "Tall on top",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let alt = play.tell(Viewer::Public, Phase::alt);
    for part in [
        "1 Plain 2/3 good, Swift, action skill",
        "hand, outward: a Plain, b Tall",
        "Tall on top",
    ] {
        assert!(alt.contains(part), "{part}: {alt}");
    }
}

#[test]
fn a_back_that_everybody_has_seen_is_told_to_everybody() {
    let mut play = table();
    for viewer in [Viewer::Public, Viewer::Seat(ONE), Viewer::Seat(TWO)] {
        let text = flat(&play.tell(viewer, Phase::text));
        assert!(!text.contains("ehind it"), "nothing was turned yet: {text}");
    }
    play.say(ONE, "done").say(ONE, "order a on 1");
    for viewer in [Viewer::Public, Viewer::Seat(ONE), Viewer::Seat(TWO)] {
        let text = flat(&play.tell(viewer, Phase::text));
        assert!(text.contains("1 Wolf 3/2 evil. Behind it Plain."), "{text}");
        // The order was shown as it was given; before that the others saw its other side.
        assert!(text.contains("2 Bear / Plain"), "{text}");
        let alt = play.tell(viewer, Phase::alt);
        assert!(alt.contains("1 Wolf 3/2 evil, behind it Plain"), "{alt}");
    }
}

#[test]
fn the_owner_may_look_beneath_their_discards() {
    let play = table();
    let hand = |viewer: Viewer| play.tell(viewer, Phase::hand).map(|hand| flat(&hand.text));
    let own = hand(Viewer::Seat(ONE)).unwrap();
    assert!(own.contains("Discarded, and behind it: 1 Wolf / Tall"), "{own}");
    assert!(own.contains("a. Bear"), "{own}");
    assert!(!hand(Viewer::Seat(TWO)).unwrap().contains("Wolf / Tall"));
}
