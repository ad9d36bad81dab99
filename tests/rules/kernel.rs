//! The kernel at work on a toy with hidden hands, choices made at once, a window and chance.

use crate::support::toy::Toy;
use parlor::catalog::{Entry, Table};
use parlor::game::options::{OptionKind, OptionSpec};
use parlor::game::sentence::{MOST, SentenceError};
use parlor::game::{Awaiting, Game, GameRng, OptionValues, Seat, Seed, Viewer, explore};

const ONE: Seat = Seat::new(0);
const TWO: Seat = Seat::new(1);

fn seed() -> Seed {
    Seed::from_text("kernel")
}

fn open(seats: u8) -> Box<dyn Table> {
    let entry = Entry::of::<Toy<0>>();
    let options = OptionValues::defaults(entry.meta.options);
    entry.open(&options, seats, &seed()).unwrap()
}

/// Plays by numbering the steps from one.
struct Hall {
    table: Box<dyn Table>,
    step: u64,
}

impl Hall {
    fn new(seats: u8) -> Self {
        Self {
            table: open(seats),
            step: 0,
        }
    }

    fn play(&mut self, seat: Seat, text: &str) -> Result<parlor::catalog::Played, SentenceError> {
        let played = self.table.play(seat, text, &seed(), self.step + 1)?;
        self.step += played.actions.len() as u64;
        Ok(played)
    }

    /// Everybody bids their first card; nobody grabs. Returns whose turn it is.
    fn up_to_a_turn(&mut self) -> Seat {
        for seat in Seat::all(self.table.seats()) {
            let bid = self.table.legal(seat)[0].clone();
            self.play(seat, &bid).unwrap();
        }
        for seat in Seat::all(self.table.seats()) {
            self.play(seat, "decline").unwrap();
        }
        match self.table.awaiting() {
            Awaiting::Turn(seat) => seat,
            other => panic!("a turn should come, not {other:?}"),
        }
    }
}

fn told(table: &dyn Table, viewer: Viewer) -> String {
    table.narration(viewer).plain(|seat| format!("P{seat}"))
}

#[test]
fn a_sentence_is_played_whole() {
    let mut hall = Hall::new(3);
    let seat = hall.up_to_a_turn();
    let played = hall.play(seat, "mark 1; MARK 2\nkeep").unwrap();
    assert_eq!(played.actions, ["mark 1", "mark 2", "keep"]);
    assert!(!played.revealed);
    assert!(matches!(hall.table.awaiting(), Awaiting::Each(seats) if seats.len() == 3));
    assert_eq!(
        told(hall.table.as_ref(), Viewer::Public),
        format!("P{seat} puts mark 1. P{seat} puts mark 2. P{seat} keeps.")
    );
}

#[test]
fn a_sentence_with_a_mistake_is_not_played_at_all() {
    let mut hall = Hall::new(3);
    let seat = hall.up_to_a_turn();
    let before = hall.table.save().unwrap();
    let error = hall.play(seat, "mark 1; mark 1").unwrap_err();
    assert!(error.to_string().starts_with("After `mark 1`: "), "{error}");
    let error = hall.play(seat, "mark 1; nonsense; keep").unwrap_err();
    assert!(matches!(error, SentenceError::Action { .. }), "{error:?}");
    let error = hall.play(seat, "keep; mark 1").unwrap_err();
    assert!(
        matches!(
            error,
            SentenceError::TurnOver { .. } | SentenceError::Action { .. }
        ),
        "{error:?}"
    );
    assert_eq!(hall.play(seat, " ;; \n").unwrap_err(), SentenceError::Empty);
    assert_eq!(hall.table.save().unwrap(), before);
}

#[test]
fn one_clause_may_hold_several_actions() {
    let mut hall = Hall::new(2);
    let seat = hall.up_to_a_turn();
    let played = hall.play(seat, "mark 3 1 2; keep").unwrap();
    assert_eq!(played.actions, ["mark 3", "mark 1", "mark 2", "keep"]);
}

#[test]
fn a_sentence_that_goes_on_after_the_turn_says_what_to_leave_out() {
    let mut hall = Hall::new(2);
    let bid = hall.table.legal(ONE)[0].clone();
    let error = hall.play(ONE, &format!("{bid}; keep")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("`{bid}` uses your last action; leave out `keep`.")
    );
    assert_eq!(
        hall.play(TWO, "mark 1").unwrap_err().to_string(),
        "`mark 1` isn't possible here."
    );
}

#[test]
fn a_sentence_has_an_end() {
    let mut hall = Hall::new(2);
    let seat = hall.up_to_a_turn();
    let long = "mark 1; ".repeat(MOST + 1);
    assert!(hall.play(seat, &long).is_err());
}

#[test]
fn nobody_can_look_and_then_fail() {
    let mut hall = Hall::new(3);
    let seat = hall.up_to_a_turn();
    let other = Seat::all(3).find(|&other| other != seat).unwrap();
    let before = hall.table.save().unwrap();
    for rest in ["nonsense", "keep", "mark 1"] {
        let error = hall.play(seat, &format!("peek {other}; {rest}")).unwrap_err();
        assert_eq!(
            error,
            SentenceError::Reveals {
                action: format!("peek {other}")
            }
        );
    }
    assert_eq!(
        hall.table.save().unwrap(),
        before,
        "the refusals showed nothing and changed nothing"
    );
    let played = hall.play(seat, &format!("mark 1; peek {other}")).unwrap();
    assert!(played.revealed, "what was seen can't be taken back");
}

#[test]
fn only_what_brought_something_to_light_is_marked_so() {
    let mut hall = Hall::new(2);
    let bids = [hall.table.legal(ONE)[0].clone(), hall.table.legal(TWO)[0].clone()];
    assert!(
        !hall.play(TWO, &bids[1]).unwrap().revealed,
        "a card lies face down"
    );
    assert!(hall.play(ONE, &bids[0]).unwrap().revealed, "the cards are shown");
    assert!(!hall.play(ONE, "decline").unwrap().revealed);
    assert!(hall.play(TWO, "grab").unwrap().revealed, "chance has spoken");
}

#[test]
fn choices_made_at_once_commute_and_stay_unseen() {
    let choose = |order: [u8; 3]| {
        let mut hall = Hall::new(3);
        for seat in order.map(Seat::new) {
            let bid = hall.table.legal(seat)[1].clone();
            hall.play(seat, &bid).unwrap();
        }
        hall.table
    };
    let tables = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map(choose);
    for table in &tables {
        assert_eq!(table.view(Viewer::Omniscient), tables[0].view(Viewer::Omniscient));
    }

    let mut hall = Hall::new(3);
    let bid = hall.table.legal(ONE)[0].clone();
    hall.play(ONE, &bid).unwrap();
    let card = bid.strip_prefix("bid ").unwrap();
    assert_eq!(
        told(hall.table.as_ref(), Viewer::Seat(ONE)),
        format!("P1 bids the {card}.")
    );
    assert_eq!(told(hall.table.as_ref(), Viewer::Seat(TWO)), "P1 bids a card.");
    assert_eq!(told(hall.table.as_ref(), Viewer::Public), "P1 bids a card.");
    assert_eq!(
        hall.play(ONE, &bid).unwrap_err(),
        SentenceError::NotAwaited,
        "one bid each"
    );
}

#[test]
fn in_an_open_window_whoever_is_first_acts() {
    let mut hall = Hall::new(4);
    for seat in Seat::all(4) {
        let bid = hall.table.legal(seat)[0].clone();
        hall.play(seat, &bid).unwrap();
    }
    let Awaiting::Any(seats) = hall.table.awaiting() else {
        panic!("a window")
    };
    assert_eq!(seats.len(), 4);
    hall.play(Seat::new(2), "decline").unwrap();
    hall.play(Seat::new(3), "grab").unwrap();
    assert!(
        matches!(hall.table.awaiting(), Awaiting::Turn(_)),
        "the window is closed"
    );
}

#[test]
fn what_was_seen_stays_known_in_imagined_worlds() {
    let mut hall = Hall::new(3);
    let seat = hall.up_to_a_turn();
    let other = Seat::all(3).find(|&other| other != seat).unwrap();
    hall.play(seat, &format!("peek {other}")).unwrap();
    let known = |table: &dyn Table| table.view(Viewer::Seat(seat))["seats"][other.index()]["known"].clone();
    assert_eq!(known(hall.table.as_ref()).as_array().unwrap().len(), 1);
    let mut rng = GameRng::quick(1);
    let mut hands = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let world = hall.table.imagine(seat, &mut rng);
        assert_eq!(known(world.as_ref()), known(hall.table.as_ref()));
        hands.insert(world.view(Viewer::Omniscient)["seats"][other.index()]["hand"].to_string());
    }
    assert!(hands.len() > 3, "the other cards vary: {hands:?}");
}

#[test]
fn a_playout_ends_and_leaves_the_game_over() {
    let options = OptionValues::defaults(Toy::<0>::META.options);
    for number in 0..200 {
        let mut rng = GameRng::quick(number);
        let mut toy = Toy::<0>::new(&options, 2 + (number % 4) as u8, &mut rng);
        let steps = explore::playout(&mut toy, &mut rng);
        assert!(steps < Toy::<0>::META.bound && toy.outcome().is_some());
    }
}

/// Sequences counted by hand: two players with two cards each; the last to bid ends the first round.
#[test]
fn perft_counts_choices_made_at_once_in_seat_order_only() {
    let entry = Entry::of::<Toy<0>>();
    let options = OptionValues::choose(entry.meta.options, [("hand", "2")]).unwrap();
    let table = entry.open(&options, 2, &seed()).unwrap();
    assert_eq!(table.perft(0), 1);
    assert_eq!(table.perft(1), 2, "seat 1 bids one of two cards");
    assert_eq!(table.perft(2), 4, "then seat 2");
    assert_eq!(table.perft(3), 16, "either seat grabs or declines");
}

#[test]
fn every_kind_of_option_reaches_the_rules() {
    let entry = Entry::of::<Toy<0>>();
    let kinds: Vec<&OptionSpec> = entry.meta.options.iter().collect();
    assert!(
        kinds
            .iter()
            .any(|spec| matches!(spec.kind, OptionKind::Switch { .. }))
    );
    assert!(
        kinds
            .iter()
            .any(|spec| matches!(spec.kind, OptionKind::Choice { .. }))
    );
    let with = |name: &str, value: &str| {
        let options = OptionValues::choose(entry.meta.options, [(name, value)]).unwrap();
        entry.open(&options, 2, &seed()).unwrap().save().unwrap()
    };
    let plain = open(2).save().unwrap();
    for (name, value) in [("bonus", "on"), ("deck", "double"), ("hand", "4")] {
        assert_ne!(with(name, value), plain, "{name}={value}");
    }
    let refused = |seats| {
        entry
            .open(&OptionValues::defaults(entry.meta.options), seats, &seed())
            .err()
    };
    assert_eq!(refused(6).unwrap().to_string(), "Toy takes 2 to 5 players, not 6");
    assert!(refused(1).is_some());
}
