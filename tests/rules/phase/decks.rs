//! Decks: what makes one, its code, and its list as text.

use parlor::game::Seed;
use parlor::games::phase::card::deck::check;
use parlor::games::phase::card::{CardId, CodeFault, Deck, DeckCode, DeckFault, Faction, card_set, list};

fn ids(faction: Faction, numbers: impl IntoIterator<Item = u16>) -> Vec<CardId> {
    numbers
        .into_iter()
        .map(|number| CardId::new(faction, number).expect("the number is from 1 to 100"))
        .collect()
}

fn id(text: &str) -> CardId {
    text.parse().expect("it is a card")
}

#[test]
fn what_is_wrong_with_a_deck_has_a_name() {
    let sound = ids(Faction::Keeper, 1..=25);
    assert_eq!(check(&sound), []);
    assert_eq!(check(&sound[1..]), [DeckFault::Size(24)]);
    assert_eq!(check(&[]), [DeckFault::Size(0)]);
    let mut twice = sound.clone();
    twice[3] = id("K1");
    assert_eq!(check(&twice), [DeckFault::Twice(id("K1"))]);
    let mut mixed = sound.clone();
    mixed[24] = id("S7");
    assert_eq!(check(&mixed), [DeckFault::Mixed(id("K1"), id("S7"))]);
    // Everything wrong is told at once.
    mixed.push(id("S7"));
    assert_eq!(
        check(&mixed),
        [
            DeckFault::Mixed(id("K1"), id("S7")),
            DeckFault::Twice(id("S7")),
            DeckFault::Size(26)
        ]
    );
    assert_eq!(
        DeckFault::Twice(id("K1")).to_string(),
        "K1 is in it twice: all cards of a deck are different"
    );
}

#[test]
fn numbers_of_cards_are_read_and_printed() {
    assert_eq!(
        id("f17"),
        CardId::new(Faction::Fengarian, 17).expect("there is one")
    );
    assert_eq!(id("S100").to_string(), "S100");
    for bad in ["", "F", "F0", "F101", "X3", "F-1", "F+1", "F1x", "17"] {
        assert!(bad.parse::<CardId>().is_err(), "{bad}");
    }
}

#[test]
fn any_deck_reads_back_from_its_code() {
    let mut decks: Vec<Deck> = card_set()
        .decks()
        .iter()
        .map(|ready| ready.deck.clone())
        .collect();
    // The first and the last deck in the list of all, and random ones.
    for faction in Faction::ALL {
        decks.push(Deck::new(ids(faction, 1..=25)).expect("it is a deck"));
        decks.push(Deck::new(ids(faction, 76..=100)).expect("it is a deck"));
        for round in 0..50 {
            let mut numbers: Vec<u16> = (1..=100).collect();
            Seed::from_text("codes").at(round).shuffle(&mut numbers);
            decks.push(Deck::new(ids(faction, numbers[..25].iter().copied())).expect("it is a deck"));
        }
    }
    for deck in decks {
        let code = DeckCode(deck.clone()).to_string();
        assert_eq!(code.len(), 23, "{code}");
        assert_eq!(code.parse(), Ok(DeckCode(deck.clone())), "{code}");
        let careless = code
            .to_lowercase()
            .replace('-', " ")
            .replace('0', "o")
            .replace('1', "l");
        assert_eq!(careless.parse(), Ok(DeckCode(deck)), "{careless}");
    }
}

#[test]
fn codes_are_promises() {
    // Worked out apart from the program: the first of all sets has place 0.
    let first = Deck::new(ids(Faction::Fengarian, 1..=25)).expect("it is a deck");
    let code = DeckCode(first).to_string();
    assert!(code.starts_with("F0000-00000-00000-00"), "{code}");
}

#[test]
fn a_slip_in_a_code_is_noticed() {
    let code = DeckCode(card_set().decks()[0].deck.clone()).to_string();
    let letters: Vec<char> = code.chars().collect();
    for place in 0..letters.len() {
        if letters[place] == '-' {
            continue;
        }
        let mut slipped = letters.clone();
        slipped[place] = if letters[place] == 'Z' { '2' } else { 'Z' };
        let slipped: String = slipped.into_iter().collect();
        assert!(slipped.parse::<DeckCode>().is_err(), "{slipped}");
    }
    assert_eq!("".parse::<DeckCode>(), Err(CodeFault::Length(0)));
    assert_eq!("F123".parse::<DeckCode>(), Err(CodeFault::Length(4)));
    assert_eq!("X123".parse::<DeckCode>(), Err(CodeFault::Faction('X')));
    assert_eq!("F!".parse::<DeckCode>(), Err(CodeFault::Letter('!')));
    assert!("FZZZZ-ZZZZZ-ZZZZZ-ZZZZZ".parse::<DeckCode>().is_err());
}

#[test]
fn a_list_reads_back() {
    for ready in card_set().decks() {
        let text = list::write(&ready.name, ready.deck.cards());
        assert_eq!(list::read(&text).as_deref(), Ok(ready.deck.cards()), "{text}");
        let code = DeckCode(ready.deck.clone()).to_string();
        assert_eq!(list::read(&code).as_deref(), Ok(ready.deck.cards()));
    }
}

#[test]
fn a_list_takes_numbers_and_names() {
    let scout = card_set()
        .card_of("fire spirit", "SCOUT")
        .expect("they are one card")
        .id;
    let text = format!("F1 F2; f3\n{scout} whatever you call it, Scout / Fire Spirit # and so on\n");
    assert_eq!(
        list::read(&text),
        Ok(vec![id("F1"), id("F2"), id("F3"), scout, scout])
    );
}

/// Card 78 of the Sun Dominion had another name in the first edition.
#[test]
fn a_list_with_names_of_an_older_edition_is_read() {
    assert_eq!(
        list::read("Golden Magistrate / Pit Slave; Golden Magistrate / Sand Wrestler"),
        Ok(vec![id("S78"), id("S78")])
    );
}

#[test]
fn a_list_that_can_not_be_read_says_where() {
    let refuse = |text: &str| list::read(text).expect_err(text).to_string();
    assert_eq!(refuse(""), "line 1: there is no card in it");
    assert_eq!(
        refuse("F1\nthe big one"),
        "line 2: I can't read `the big one`: a card is a number such as F1, or two names with a slash between them"
    );
    assert_eq!(refuse("Ted / Nobody"), "line 1: there is no card `Ted / Nobody`");
}
