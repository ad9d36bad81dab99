//! The words on a card, for everything that a card can do.

use parlor::games::phase::card::{Ability, text};

fn words(source: &str) -> String {
    let ability: Ability = source
        .parse()
        .unwrap_or_else(|reason| panic!("{source}: {reason}"));
    text::ability(&ability)
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(words(source), expected, "{source}");
}

#[test]
fn costs_stand_before_the_colon() {
    check(": draw 1", "Draw a card.");
    check("phase 1: draw 1", "Phase 1: draw a card.");
    check("lock 2 phase 1: draw 1", "Lock 2, phase 1: draw a card.");
}

#[test]
fn every_verb_has_its_sentence() {
    check(
        "phase 1: buff this +1/+1",
        "Phase 1: this warrior gets +1/+1 until the turn ends.",
    );
    check(
        ": choose any warrior; buff it -2/-0",
        "A warrior gets -2/-0 until the turn ends.",
    );
    check(
        ": choose enemy warrior; damage it 2",
        "Deal 2 damage to an enemy warrior.",
    );
    check(
        ": choose my warrior; heal it 3",
        "Remove 3 damage from one of your warriors.",
    );
    check(": choose my warrior; phase it", "Phase one of your warriors.");
    check(": choose enemy resource; lock it", "Lock an enemy resource.");
    check(": unlock each my resource", "Unlock each of your resources.");
    check(": choose enemy warrior; destroy it", "Destroy an enemy warrior.");
    check(
        ": choose my warrior; grant it ally",
        "One of your warriors gains Ally until the turn ends.",
    );
    check(": draw 2", "Draw two cards.");
    check(": discard 1", "Discard a card.");
    check(": enlist 1", "Enlist a card.");
    check(": enlist 2 locked", "Enlist two cards, locked.");
    check(": gain 2 good", "Gain 2 good influence.");
    check(": lose 1 evil", "Lose 1 evil influence.");
    check(
        ": peek each enemy hand-card",
        "Look at the other side of each card in an opponent's hand.",
    );
    check(
        ": if my turn { draw 1 } else { gain 1 good }",
        "If it is your turn, draw a card; otherwise gain 1 good influence.",
    );
}

#[test]
fn cards_move_between_all_places() {
    check(
        ": choose my discard; move it to hand",
        "Return a card from your discard pile to your hand.",
    );
    check(
        ": choose my discard; move it to barracks",
        "Put a card from your discard pile into your barracks.",
    );
    check(
        ": choose enemy warrior; move it to locked barracks",
        "Put an enemy warrior into its owner's barracks, locked.",
    );
    check(
        ": choose 2 enemy warriors; move them to deck",
        "Put two enemy warriors on top of their owners' decks.",
    );
    check(
        ": choose enemy hand-card; move it to discard",
        "Discard a card from an opponent's hand.",
    );
    check(
        ": choose my resource; move it to play",
        "Bring one of your resources into play.",
    );
    check(": move this to hand", "Return this warrior to your hand.");
}

#[test]
fn players_do_things_too() {
    check(": draw 1 by everyone", "Every player draws a card.");
    check(
        ": discard 2 by each opponent",
        "Each opponent discards two cards.",
    );
    check(
        ": choose opponent; lose 2 good by them; discard 1 by them",
        "An opponent loses 2 good influence. That player discards a card.",
    );
    check(
        ": choose player; gain 1 evil by them",
        "A player gains 1 evil influence.",
    );
    check(
        ": choose enemy warrior; phase it; draw 1 by owner of it",
        "Phase an enemy warrior. Its owner draws a card.",
    );
    check(": enlist 1 by each opponent", "Each opponent enlists a card.");
}

#[test]
fn every_filter_is_said() {
    let adjectives = [
        ("good", "a good warrior"),
        ("evil", "an evil warrior"),
        ("attacking", "an attacking warrior"),
        ("defending", "a defending warrior"),
        ("opposed", "an opposed warrior"),
        ("unopposed", "an unopposed warrior"),
        ("locked", "a locked warrior"),
        ("unlocked", "an unlocked warrior"),
        ("damaged", "a damaged warrior"),
        ("opposing", "an opposing warrior"),
    ];
    for (adjective, noun) in adjectives {
        check(
            &format!(": choose any {adjective} warrior; lock it"),
            &format!("Lock {noun}."),
        );
    }
    check(
        ": choose my other warrior; phase it",
        "Phase one of your other warriors.",
    );
    let clauses = [
        ("cost<=2", "cost 2 or less"),
        ("cost>=3", "cost 3 or more"),
        ("attack<=1", "attack 1 or less"),
        ("defense<=2", "defense 2 or less"),
        ("ally", "Ally"),
        ("elite", "Elite"),
        ("phaseling", "Phaseling"),
        ("relentless", "Relentless"),
        ("swift", "Swift"),
        ("trained", "Trained"),
    ];
    for (clause, said) in clauses {
        check(
            &format!(": choose enemy warrior with {clause}; destroy it"),
            &format!("Destroy an enemy warrior with {said}."),
        );
    }
    check(
        ": choose up to 2 enemy attacking good warriors with cost<=2 with swift; lock them",
        "Lock up to two attacking good enemy warriors with cost 2 or less and Swift.",
    );
}

#[test]
fn what_was_named_is_named_shortly() {
    check(
        ": choose my warrior; phase it; buff it +0/+1",
        "Phase one of your warriors. It gets +0/+1 until the turn ends.",
    );
    check(
        ": choose 2 my warriors; phase them; buff them +1/+0",
        "Phase two of your warriors. They get +1/+0 until the turn ends.",
    );
    check(
        ": choose my warrior; choose enemy warrior; phase first; phase second; lock first; destroy second",
        "Phase one of your warriors. Phase an enemy warrior. Lock your warrior. Destroy the enemy warrior.",
    );
    check(
        "lock 1: phase this; buff this +2/+0",
        "Lock 1: phase this warrior. It gets +2/+0 until the turn ends.",
    );
    check(
        "lock 1: choose my other warrior; phase this; phase it; lock it",
        "Lock 1: phase this warrior. Phase one of your other warriors. Lock that warrior.",
    );
    check(
        ": choose my warrior; buff it +1/+0; grant it swift",
        "One of your warriors gets +1/+0 and Swift until the turn ends.",
    );
}

#[test]
fn each_reaches_everywhere() {
    check(
        ": buff each my attacking warrior +1/+1",
        "Each of your attacking warriors gets +1/+1 until the turn ends.",
    );
    check(
        ": damage each enemy warrior 1",
        "Deal 1 damage to each enemy warrior.",
    );
    check(": heal each any warrior 1", "Remove 1 damage from each warrior.");
    check(
        "phase 1: damage opposing 1",
        "Phase 1: deal 1 damage to each opposing warrior.",
    );
    check(
        ": peek each my deck-top",
        "Look at the other side of the top card of your deck.",
    );
}

#[test]
fn every_amount_is_said() {
    let gain = |amount: &str| words(&format!(": gain {amount} good"));
    let x = |what: &str| format!("Gain X good influence, where X is {what}.");
    assert_eq!(
        gain("count my good warriors"),
        x("the number of your good warriors")
    );
    assert_eq!(
        gain("count enemy locked resources"),
        x("the number of locked enemy resources")
    );
    assert_eq!(gain("hand of me"), x("the number of cards in your hand"));
    assert_eq!(gain("evil-influence of me"), x("your evil influence"));
    assert_eq!(
        gain("(count any warriors max 3)"),
        x("the number of warriors, at most 3")
    );
    assert_eq!(gain("cost this"), x("this warrior's training cost"));
    assert_eq!(gain("attack this"), x("this warrior's attack"));
    assert_eq!(gain("defense this"), x("this warrior's defense"));
    assert_eq!(gain("damage this"), x("the damage on this warrior"));
    assert_eq!(
        gain("cost-difference this"),
        x("the difference of this warrior's two training costs")
    );
    check(
        ": choose enemy warrior; buff it -(count my warriors)/-0",
        "An enemy warrior gets -X/-0 until the turn ends, where X is the number of your warriors.",
    );
    check(
        ": choose my warrior; choose enemy warrior; damage second attack first",
        "Choose one of your warriors. Deal X damage to an enemy warrior, where X is your warrior's attack.",
    );
}

#[test]
fn every_condition_is_said() {
    let when = |condition: &str| {
        let text = words(&format!(
            ": choose any warrior; lock it; if {condition} {{ draw 1 }}"
        ));
        let text = text.strip_prefix("Lock a warrior. If ").expect("it begins so");
        text.strip_suffix(", draw a card.")
            .expect("it ends so")
            .to_owned()
    };
    let pairs = [
        ("it is opposed", "it is opposed"),
        ("not it is opposed", "it is not opposed"),
        ("it is with cost<=2", "it has cost 2 or less"),
        ("not it is with swift", "it doesn't have Swift"),
        ("it destroyed", "it is destroyed"),
        ("not it destroyed", "it survives"),
        ("my turn", "it is your turn"),
        ("not my turn", "it is not your turn"),
        ("in skirmish", "a skirmish is being fought"),
        ("not in skirmish", "no skirmish is being fought"),
        ("nexus evil <= 5", "the Nexus has 5 or less evil influence"),
        ("not nexus good <= 5", "the Nexus has more than 5 good influence"),
        ("behind", "you are behind"),
        ("not behind", "you are not behind"),
        ("count my good warriors >= 3", "you have 3 or more good warriors"),
        ("not count my warriors >= 1", "you have no warriors"),
        ("count enemy warriors >= 2", "there are 2 or more enemy warriors"),
        ("hand of me >= 4", "you have 4 or more cards in hand"),
        ("good-influence of me >= 8", "you have 8 or more good influence"),
        ("attack it >= 3", "its attack is 3 or more"),
        ("all (my turn, behind)", "it is your turn and you are behind"),
        ("any (my turn, behind)", "it is your turn or you are behind"),
        (
            "not all (my turn, behind)",
            "it is not your turn or you are not behind",
        ),
    ];
    for (source, expected) in pairs {
        assert_eq!(when(source), expected, "{source}");
    }
}

/// What is done in any case and more of it on a condition adds up, and is said so.
#[test]
fn what_comes_on_top_is_another() {
    check(
        ": choose my warrior; buff it +1/+0; if behind { buff it +3/+0 }",
        "One of your warriors gets +1/+0 until the turn ends. If you are behind, it gets another +3/+0.",
    );
    check(
        ": choose enemy warrior; buff it -1/-0; if it is damaged { buff it -2/-1 }",
        "An enemy warrior gets -1/-0 until the turn ends. If it is damaged, it gets another -2/-1.",
    );
    check(
        ": gain 1 good; if behind { gain 2 good }",
        "Gain 1 good influence. If you are behind, gain another 2 good influence.",
    );
    check(
        ": lose 1 evil by each opponent; if behind { lose 2 evil by each opponent }",
        "Each opponent loses 1 evil influence. If you are behind, each opponent loses another 2 evil influence.",
    );
    check(
        ": choose enemy warrior; damage it 1; if it is attacking { damage it 2 }",
        "Deal 1 damage to an enemy warrior. If it is attacking, deal another 2 damage to it.",
    );
    check(
        "phase 1: draw 1; if hand of me >= 4 { draw 1 }",
        "Phase 1: draw a card. If you have 4 or more cards in hand, draw another card.",
    );
    check(
        ": draw 1; if behind { draw 2; gain 1 good }",
        "Draw a card. If you are behind, draw two more cards and gain 1 good influence.",
    );
}

#[test]
fn what_is_instead_or_something_else_is_not_another() {
    check(
        ": choose any attacking warrior; if it is opposed { buff it +4/+0 } else { buff it +2/+0 }",
        "Choose an attacking warrior. If it is opposed, it gets +4/+0; otherwise it gets +2/+0 until the turn ends.",
    );
    check(
        ": gain 1 good; if behind { gain 2 evil }",
        "Gain 1 good influence. If you are behind, gain 2 evil influence.",
    );
    check(
        ": choose my warrior; choose enemy warrior; buff first +1/+0; if behind { buff second -1/-0 }",
        "Choose an enemy warrior. One of your warriors gets +1/+0 until the turn ends. If you are behind, the enemy warrior gets -1/-0 until the turn ends.",
    );
}
