//! What the boards in words tell: all that the picture shows, for those who can't see it.

use parlor::draw::Show;
use parlor::game::Viewer;
use parlor::games::phase::card::{Alignment, CardSet};
use parlor::games::phase::event::Influence;
use parlor::games::phase::{Event, Phase};

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

#[test]
fn what_has_just_happened_is_told_beside_the_board() {
    let mut play = table();
    play.say(ONE, "done").say(ONE, "order a on 1");
    let events = play.told.clone();
    for viewer in [Viewer::Public, Viewer::Seat(ONE), Viewer::Seat(TWO)] {
        for text in [
            flat(&play.tell_after(&events, viewer, Phase::text)),
            play.tell_after(&events, viewer, Phase::alt),
        ] {
            assert!(text.contains("Just now: Ann plays Bear's order."), "{text}");
            assert!(text.contains("Plain phases into Wolf (1)."), "{text}");
        }
    }
    let text = play.tell(Viewer::Public, Phase::text);
    assert!(
        !text.contains("Just now"),
        "nothing is known to have happened: {text}"
    );
}

/// Where the picture with the last actions differs from the one without.
fn rows_that_differ(play: &Play, events: &[Event]) -> Vec<u32> {
    let plain = play.tell(Viewer::Public, Phase::picture);
    let marked = play.tell_after(events, Viewer::Public, Phase::picture);
    assert_eq!((plain.width(), plain.height()), (marked.width(), marked.height()));
    let differs = |y: &u32| (0..plain.width()).any(|x| plain.colour_at(x, *y) != marked.colour_at(x, *y));
    (0..plain.height()).filter(differs).collect()
}

#[test]
fn what_has_just_happened_is_marked_in_the_picture() {
    let mut play = table();
    play.say(ONE, "done").say(ONE, "order a on 1");
    let events = play.told.clone();
    assert!(rows_that_differ(&play, &[]).is_empty());
    assert!(!rows_that_differ(&play, &events).is_empty());
    // A card that was turned over, the order that was discarded, influence: each leaves a mark of its own.
    let named = |name: &str| {
        let mut named = events.iter().filter_map(|event| match event {
            Event::Phased { card, .. } => Some(*card),
            _ => None,
        });
        named.find(|card| card.face.name == name).unwrap()
    };
    let wolf = named("Wolf");
    for event in [
        Event::Phased {
            card: wolf,
            was: wolf.face,
        },
        Event::Struck {
            by: wolf,
            card: wolf,
            damage: 1,
        },
        Event::Discarded {
            seat: ONE,
            face: play.player(ONE).discard[1].face,
        },
        Event::Gained(Influence {
            seat: TWO,
            alignment: Alignment::Evil,
            amount: 2,
            by: None,
        }),
        Event::Lost(Influence {
            seat: TWO,
            alignment: Alignment::Good,
            amount: 2,
            by: None,
        }),
    ] {
        assert!(
            !rows_that_differ(&play, std::slice::from_ref(&event)).is_empty(),
            "{event:?}"
        );
    }
    // What happened to nothing that lies on the table leaves none.
    assert!(rows_that_differ(&play, &[Event::Passed { seat: ONE }]).is_empty());
}

#[test]
fn what_only_one_player_knows_of_the_last_actions_is_not_on_the_table() {
    let play = table();
    let events = [
        Event::Drew {
            seat: ONE,
            outward: play.player(ONE).hand[0].face,
            inward: play.player(ONE).hand[0].behind,
        },
        Event::Habit {
            seat: ONE,
            text: "You act before your attacks.".to_owned(),
        },
    ];
    let shown = |viewer| {
        (
            play.tell_after(&events, viewer, Phase::picture),
            play.tell_after(&events, viewer, Phase::text),
            play.tell_after(&events, viewer, Phase::alt),
        )
    };
    let public = shown(Viewer::Public);
    assert!(public.2.contains("Ann draws a card"), "{}", public.2);
    for viewer in [Viewer::Seat(ONE), Viewer::Seat(TWO), Viewer::Omniscient] {
        assert!(shown(viewer) == public, "{viewer}");
    }
}
