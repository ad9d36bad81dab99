//! Faces among each other: none is strictly worse than another, no two are the same, each is played, and what belongs
//! to one faction is on no card of another. The first edition shows that the looking over finds such things.

use parlor::games::phase::card::Edition;
use parlor::games::phase::card::load::Source;

use super::lint::look_over;

/// What is found in a file of a few faces.
fn reasons(text: &str) -> Vec<String> {
    let source = Source {
        name: "test.cards",
        text,
    };
    let faults = look_over(&[source]);
    faults.into_iter().map(|fault| fault.reason).collect()
}

/// Whether two faces of the Keepers are found to be one strictly worse than the other.
fn worse(one: &str, other: &str) -> bool {
    let text = format!("faction Keeper\n{one}\n{other}\n");
    reasons(&text).contains(&"Monk is strictly worse than Nun".to_owned())
}

#[test]
fn a_strictly_worse_face_is_found() {
    let nun = "good Nun, 1, 2/3\n  swift\n  order phase 1: choose my warrior; buff it +2/+1; draw 1";
    let cases = [
        // All the same but for one thing.
        (
            "2, 2/3",
            "swift",
            "phase 1: choose my warrior; buff it +2/+1; draw 1",
        ),
        (
            "1, 1/3",
            "swift",
            "phase 1: choose my warrior; buff it +2/+1; draw 1",
        ),
        (
            "1, 2/2",
            "swift",
            "phase 1: choose my warrior; buff it +2/+1; draw 1",
        ),
        ("1, 2/3", "", "phase 1: choose my warrior; buff it +2/+1; draw 1"),
        (
            "1, 2/3",
            "swift",
            "phase 2: choose my warrior; buff it +2/+1; draw 1",
        ),
        (
            "1, 2/3",
            "swift",
            "phase 1: choose my warrior; buff it +1/+1; draw 1",
        ),
        ("1, 2/3", "swift", "phase 1: choose my warrior; buff it +2/+1"),
        (
            "1, 2/3",
            "swift",
            "phase 1: choose my defending warrior; buff it +2/+1; draw 1",
        ),
    ];
    for (head, skill, order) in cases {
        let skill = if skill.is_empty() {
            String::new()
        } else {
            format!("  {skill}\n")
        };
        let monk = format!("good Monk, {head}\n{skill}  order {order}");
        assert!(worse(&monk, nun), "{monk}");
    }
}

#[test]
fn a_face_that_has_something_for_itself_is_passed() {
    let nun = "good Nun, 1, 2/3\n  swift\n  order phase 1: choose my warrior; buff it +2/+1";
    for monk in [
        "good Monk, 1, 2/3\n  swift\n  order phase 1: choose my warrior; buff it +2/+1",
        "evil Monk, 2, 2/2\n  swift\n  order phase 1: choose my warrior; buff it +2/+1",
        "good Monk, 0, 1/1\n  order phase 1: choose my warrior; buff it +2/+1",
        "good Monk, 2, 3/1\n  swift\n  order phase 1: choose my warrior; buff it +2/+1",
        "good Monk, 1, 2/2\n  ally\n  order phase 1: choose my warrior; buff it +2/+1",
        "good Monk, 1, 2/2\n  swift\n  order phase 1: choose my warrior; buff it +1/+2",
        "good Monk, 1, 2/2\n  swift\n  order: choose my warrior; buff it +1/+1",
        "good Monk, 1, 2/2\n  swift\n  order phase 1: choose enemy warrior; buff it -2/-1",
    ] {
        assert!(!worse(monk, nun), "{monk}");
    }
}

#[test]
fn what_hurts_others_is_worse_the_less_it_hurts() {
    let nun = "good Nun, 1, 2/2\n  order: choose enemy warrior; buff it -2/-1; damage it 1";
    let order = |order: &str| format!("good Monk, 1, 2/2\n  order: choose enemy warrior; {order}");
    assert!(worse(&order("buff it -1/-1; damage it 1"), nun));
    assert!(worse(&order("buff it -2/-1"), nun));
    assert!(!worse(&order("buff it -3/-1; damage it 1"), nun));
    assert!(!worse(&order("buff it -2/-0; damage it 2"), nun));
}

/// What is chosen, healed, enlisted and discarded counts as well as what is drawn and gained.
#[test]
fn orders_are_compared_by_all_that_they_do() {
    let order = |name: &str, order: &str| format!("good {name}, 1, 2/2\n  order: {order}");
    for (less, more) in [
        (
            "choose 2 my resources; phase them; gain 1 good",
            "choose up to 2 my resources; phase them; gain 1 good",
        ),
        (
            "choose up to 2 enemy resources; lock them",
            "choose up to 3 enemy resources; lock them",
        ),
        (
            "choose my warrior; buff it +2/+0",
            "choose my warrior; choose enemy warrior; buff first +2/+0; damage second 1",
        ),
        (
            "choose enemy warrior; damage it 1",
            "choose my warrior; choose enemy warrior; buff first +2/+0; damage second 1",
        ),
        (
            "choose my warrior; heal it 1; draw 1",
            "choose my warrior; heal it 2; draw 1",
        ),
        ("enlist 1", "enlist 2"),
        ("enlist 1 locked", "enlist 1"),
        ("discard 1 by each opponent", "discard 2 by each opponent"),
        ("draw 2; discard 2", "draw 2; discard 1"),
    ] {
        assert!(worse(&order("Monk", less), &order("Nun", more)), "{less}: {more}");
        assert!(
            !worse(&order("Monk", more), &order("Nun", less)),
            "{more}: {less}"
        );
    }
    for (one, other) in [
        ("discard 1 by everyone", "discard 2 by everyone"),
        (
            "choose my warrior; buff it +2/+0",
            "choose my warrior; choose enemy warrior; buff second +2/+0",
        ),
    ] {
        assert!(
            !worse(&order("Monk", one), &order("Nun", other)),
            "{one}: {other}"
        );
    }
}

#[test]
fn twins_are_found_though_one_is_good_and_one_is_evil() {
    let twins = "Monk and Nun are all but the same".to_owned();
    let found = |monk: &str, nun: &str| {
        let text = format!("faction Keeper\n{monk}\n{nun}\n");
        reasons(&text).contains(&twins)
    };
    let monk = "good Monk, 1, 2/2\n  trained: gain 1 good\n  order: gain 2 good";
    assert!(found(monk, &monk.replace("Monk", "Nun")));
    assert!(found(
        monk,
        "evil Nun, 1, 2/2\n  trained: gain 1 evil\n  order: gain 2 evil"
    ));
    // Numbers don't make another card of it.
    assert!(found(
        monk,
        "evil Nun, 1, 2/2\n  trained: gain 1 evil\n  order: gain 3 evil"
    ));
    for nun in [
        "good Nun, 1, 2/3\n  trained: gain 1 good\n  order: gain 2 good",
        "good Nun, 2, 2/2\n  trained: gain 1 good\n  order: gain 2 good",
        "good Nun, 1, 2/2\n  relentless: gain 1 good\n  order: gain 2 good",
        "good Nun, 1, 2/2\n  trained: gain 1 good\n  order: draw 1",
    ] {
        assert!(!found(monk, nun), "{nun}");
    }
}

#[test]
fn a_face_that_no_ready_deck_plays_is_found() {
    let found = reasons("faction Keeper\ngood Monk, 1, 2/3\n  order: draw 1\n");
    assert!(found.contains(&"Keeper: Monk is in no ready deck".to_owned()));
    // Of the newest edition, without one of its decks.
    let sources = Edition::NEWEST.sources();
    let keeper = sources[1].text;
    let cut = keeper.find("\ndeck archive").expect("there is such a deck");
    let without = [
        sources[0],
        Source {
            name: "keeper.cards",
            text: &keeper[..cut],
        },
        sources[2],
    ];
    let faults = look_over(&without);
    let unplayed: Vec<&str> = faults
        .iter()
        .map(|fault| fault.reason.as_str())
        .filter(|reason| reason.ends_with("is in no ready deck"))
        .collect();
    assert!(
        unplayed.contains(&"Keeper: Whisper is in no ready deck"),
        "{unplayed:?}"
    );
}

#[test]
fn an_uneven_line_without_a_reason_is_found() {
    let found = |line: &str| {
        reasons(&format!(
            "faction Keeper\ngood Monk, 1, {line}\n  order: draw 1\n"
        ))
    };
    let told = |line: &str| format!("Monk: no reason is given for {line}");
    assert!(found("1/4").contains(&told("1/4")));
    assert!(found("4/1").contains(&told("4/1")));
    assert!(!found("1/4  # stands in the door").contains(&told("1/4")));
    assert!(!found("2/3").contains(&told("2/3")));
}

#[test]
fn what_is_anothers_own_is_found() {
    let found = reasons("faction Keeper\ngood Monk, 1, 2/3\n  order: choose my warrior; grant it swift\n");
    assert!(found.contains(&"Keeper: Monk has Ambush, which is not its own".to_owned()));
    let orders = [
        ("Keeper", "choose my unopposed warrior; buff it +2/+0", "Ambush"),
        ("Keeper", "choose my warrior; phase it", "TurnedCoat"),
        ("Fengarian", "choose my discard; move it to hand", "Grave"),
        ("Fengarian", "draw (count my discard)", "Grave"),
        ("Sun Dominion", "choose enemy resource; lock it", "Ward"),
        ("Keeper", "enlist 1", "Levy"),
        ("Fengarian", "lose 1 good by each opponent", "Tribute"),
    ];
    for (faction, order, mechanic) in orders {
        let found = reasons(&format!(
            "faction {faction}\ngood Monk, 1, 2/3\n  order: {order}\n"
        ));
        let told = format!("{faction}: Monk has {mechanic}, which is not its own");
        assert!(found.contains(&told), "{told}");
    }
}

#[test]
fn a_phaseling_that_would_find_nobody_is_found() {
    let monk = |effect: &str| {
        reasons(&format!(
            "faction Keeper\ngood Monk, 1, 2/2\n  phaseling: {effect}\n  order: draw 1\n"
        ))
    };
    let told = "Monk: a Phaseling that chooses finds nobody when an unopposed attacker goes home";
    assert!(monk("choose enemy warrior; damage it 1").contains(&told.to_owned()));
    assert!(!monk("damage each enemy warrior 1").contains(&told.to_owned()));
}

/// What players found wrong with the first edition is found by looking it over.
#[test]
fn the_first_edition_had_its_faults() {
    let faults = look_over(Edition::First.sources());
    let reasons: Vec<&str> = faults.iter().map(|fault| fault.reason.as_str()).collect();
    for told in [
        "Brass Bull is strictly worse than Arena Beast",
        "Lantern Boy and Wall Acolyte are all but the same",
        "Road Warden and Moon Archivist are all but the same",
        "Rust Colossus and Arena Beast are all but the same",
        "Sun Page and Coin Goblin are all but the same",
    ] {
        assert!(reasons.contains(&told), "{told} is not among {reasons:#?}");
    }
    let unplayed = reasons
        .iter()
        .filter(|reason| reason.ends_with("is in no ready deck"));
    assert_eq!(unplayed.count(), 10);
}

/// Whoever has saved a deck, or its code, finds the same cards in it: what is printed on them has changed, and five faces
/// have new names.
#[test]
fn cards_keep_their_numbers_and_their_faces() {
    const RENAMED: [(&str, &str); 5] = [
        ("Pit Slave", "Sand Wrestler"),
        ("Slave Driver", "Parade Marshal"),
        ("Whip Hand", "Drum Major"),
        ("Lash Captain", "Drill Captain"),
        ("Coin Goblin", "Coin Magpie"),
    ];
    let (then, now) = (Edition::First.cards(), Edition::Second.cards());
    for card in then.cards() {
        let mut title = then.title(card.id);
        for (old, new) in RENAMED {
            title = title.replace(old, new);
        }
        assert_eq!(now.title(card.id), title, "{}", card.id);
    }
}
