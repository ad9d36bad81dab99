//! What the boards in words tell: all that the picture shows, for those who can't see it.

use parlor::draw::{ALT_LIMIT, Marks, Scene, Show, Theme};
use parlor::game::explore::random_seat;
use parlor::game::{Game, GameRng, Insight, OptionValues, Seed, Silent, Viewer};
use parlor::games::phase::action::hand_letter;
use parlor::games::phase::card::{Alignment, CardSet, text};
use parlor::games::phase::event::Influence;
use parlor::games::phase::shown::Shown;
use parlor::games::phase::view::{PlayerView, View};
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
        "1 Plain 2/3 good. Swift. Phase 1: ",
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
        assert!(alt.contains("1 Wolf 3/2 evil. Behind it Plain"), "{alt}");
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
            assert!(text.contains("Plain turns over: now Wolf (1)."), "{text}");
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

/// What a person who can't see it needs of the table is on the text board, however many play. In the alt text is as much of
/// it as fits: warriors with their strength, then what their skills are called, what the others see of hands, and what lies on
/// the decks.
#[test]
fn boards_in_words_tell_as_much_as_they_can_at_any_table() {
    // In hundredths of the positions, a little below what was counted: skills, hands, decks and warriors.
    for (seats, shares) in [
        (2, [55, 95, 95, 100]),
        (3, [70, 55, 75, 95]),
        (4, [50, 25, 25, 75]),
        (5, [25, 10, 20, 40]),
    ] {
        let mut told = Vec::new();
        for seed in 0..4 {
            along(seats, seed, |game| told.push(told_in_words(game)));
        }
        let all = told.len();
        assert!(all >= 20, "{all} positions of {seats}");
        let parts = ["skills", "hands", "decks", "warriors"];
        for (place, (what, least)) in parts.into_iter().zip(shares).enumerate() {
            let whole = told.iter().filter(|told| told[place]).count();
            assert!(
                whole * 100 >= all * least,
                "{seats} play: {what} at {whole} of {all}"
            );
        }
    }
}

/// Plays as bots do, quickly, and looks at every thirtieth position.
fn along(seats: u8, seed: u64, mut look: impl FnMut(&Phase)) {
    let options = OptionValues::defaults(Phase::META.options);
    let mut game = Phase::new(
        &options,
        seats,
        &mut Seed::from_text(&format!("told {seed}")).at(0),
    );
    let mut rng = GameRng::quick(seed);
    let mut step = 0;
    while let Some(seat) = random_seat(game.awaiting(), &mut rng) {
        if step % 30 == 0 && game.view(Viewer::Public).round > 0 {
            look(&game);
        }
        step += 1;
        let hunch = game.hunch(seat, &mut rng, &mut Vec::new());
        let action = hunch.unwrap_or_else(|| game.legal_actions(seat)[0]);
        game.play(seat, &action, &mut rng, &mut Silent);
    }
}

/// Whether the alt text names all skills, all outward faces of hands, all cards on decks and all warriors. The text board
/// must.
fn told_in_words(game: &Phase) -> [bool; 4] {
    let view = game.view(Viewer::Public);
    let names: Vec<String> = (1..=game.seats()).map(|seat| format!("Player {seat}")).collect();
    let scene = Scene {
        view: &view,
        recent: &[],
        awaiting: game.awaiting(),
        outcome: None,
        marks: &Marks::default(),
        names: &names,
        viewer: Viewer::Public,
        side: ONE,
        theme: Theme::Light,
    };
    let (board, alt) = (flat(&Phase::text(&scene)), Phase::alt(&scene));
    let length = alt.chars().count();
    assert!(length <= ALT_LIMIT, "{length}: {alt}");
    let mut told = [true; 4];
    for player in &view.players {
        for warrior in &player.warriors {
            let name = &warrior.face.name;
            let who = format!("{} {name} {}/{}", warrior.number, warrior.attack, warrior.defense);
            assert!(board.contains(&who), "{who}: {board}");
            told[3] &= alt.contains(&who);
            let after = |text: &str| {
                let after = text.split_once(&who).map(|(_, after)| after.to_owned());
                after.unwrap_or_default()
            };
            for skill in &warrior.face.skills {
                let printed = flat(&text::skill(skill));
                assert!(after(&board).contains(&printed), "{printed}: {board}");
                let called = match skill.keyword() {
                    Some(keyword) => keyword.to_string(),
                    None => "action skill".to_owned(),
                };
                // It stands before the next warrior begins.
                let own: String = after(&alt)
                    .split(['/', '.'])
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                told[0] &= own.contains(&called) || after(&alt).contains(&printed);
            }
        }
        for card in &player.hand {
            let held = format!("{} {}", hand_letter(card.place), card.face.name);
            assert!(board.contains(&held), "{held}: {board}");
            told[1] &= alt.contains(&held);
        }
        if let Some(top) = &player.top {
            let behind = top
                .open_back()
                .map_or(String::new(), |back| format!(" (behind it {})", back.name));
            let lies = format!("{}{behind} on top", top.face.name);
            assert!(board.contains(&lies), "{lies}: {board}");
            told[2] &= alt.contains(&format!("{} on top", top.face.name));
        }
    }
    told
}

/// What everybody has seen behind a card is drawn on it, wherever it lies.
#[test]
fn a_back_that_everybody_has_seen_is_drawn_on_the_table() {
    let set = set();
    let back = |name: &str| set.face_named(name).unwrap();
    let play = table();
    let plain = play.game.view(Viewer::Public);
    let drawn = |view: &View| {
        Phase::picture(&Scene {
            view,
            recent: &[],
            awaiting: play.game.awaiting(),
            outcome: None,
            marks: &Marks::default(),
            names: &["Ann".to_owned(), "Bea".to_owned()],
            viewer: Viewer::Public,
            side: ONE,
            theme: Theme::Light,
        })
    };
    let before = drawn(&plain);
    type Card = fn(&mut PlayerView) -> (&mut Option<Shown>, &mut bool);
    let places: [(&str, Card); 5] = [
        ("warrior", |player| {
            let card = &mut player.warriors[0];
            (&mut card.behind, &mut card.is_secret)
        }),
        ("resource", |player| {
            let card = &mut player.barracks[0];
            (&mut card.behind, &mut card.is_secret)
        }),
        ("hand", |player| {
            let card = &mut player.hand[0];
            (&mut card.behind, &mut card.is_secret)
        }),
        ("deck", |player| {
            let card = player.top.as_mut().unwrap();
            (&mut card.behind, &mut card.is_secret)
        }),
        ("discard", |player| {
            let card = &mut player.discard[0];
            (&mut card.behind, &mut card.is_secret)
        }),
    ];
    for (what, card) in places {
        for (is_secret, shows) in [(false, true), (true, false)] {
            let mut view = plain.clone();
            let (behind, secret) = card(&mut view.players[0]);
            *behind = Some(Shown(back("Wolf")));
            *secret = is_secret;
            assert_eq!(drawn(&view) != before, shows, "{what}, secret: {is_secret}");
        }
    }
}
