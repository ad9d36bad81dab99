//! What can be touched in the pictures of each game, checked by hand.

use parlor::catalog::{self, Frame, Table};
use parlor::draw::Spot;
use parlor::game::touch::Touch;
use parlor::game::{OptionValues, Seat, Seed, Viewer};

const FIRST: Seat = Seat::new(0);

fn open(game: &str, options: &[(&str, &str)]) -> Box<dyn Table> {
    let entry = catalog::find(game).unwrap();
    let options = OptionValues::choose(entry.meta.options, options.iter().copied()).unwrap();
    entry.open(&options, 2, &Seed::from_text("spots")).unwrap()
}

fn names() -> [String; 2] {
    ["Ann", "Bea"].map(str::to_owned)
}

fn spots(table: &dyn Table, viewer: Viewer) -> Vec<Spot> {
    table.spots(&Frame::new(viewer, &names()))
}

fn says(spots: &[Spot], word: &str) -> String {
    let spot = spots.iter().find(|spot| spot.word == word);
    spot.unwrap_or_else(|| panic!("no {word} in {spots:?}"))
        .says
        .clone()
}

fn middle(spots: &[Spot], word: &str) -> (f32, f32) {
    let corners = &spots.iter().find(|spot| spot.word == word).unwrap().corners;
    let sum = corners
        .iter()
        .fold((0.0, 0.0), |sum, corner| (sum.0 + corner.0, sum.1 + corner.1));
    (sum.0 / corners.len() as f32, sum.1 / corners.len() as f32)
}

fn touch(table: &dyn Table, touches: &[&str]) -> Option<String> {
    let touch = |word: &&str| match word.strip_prefix('!') {
        Some(word) => Touch::Word(word.to_owned()),
        None => Touch::Spot((*word).to_owned()),
    };
    let seat = table.awaiting().seats().iter().next().unwrap();
    let touches: Vec<Touch> = touches.iter().map(touch).collect();
    table.touch(seat, &touches).sentence
}

#[test]
fn every_cell_of_phwar_is_touched_where_it_is_drawn() {
    let table = open("phwar", &[]);
    let own = spots(table.as_ref(), Viewer::Seat(FIRST));
    assert_eq!(own.len(), 91);
    assert_eq!(says(&own, "F1"), "F1, Ann's neutron");
    assert_eq!(says(&own, "F6"), "F6, empty");
    // The own side is below, the middle of the board stays where it is.
    let other = spots(table.as_ref(), Viewer::Seat(Seat::new(1)));
    assert!(middle(&own, "F1").1 > middle(&own, "F11").1);
    assert!(middle(&other, "F1").1 < middle(&other, "F11").1);
    let (own, other) = (middle(&own, "F6"), middle(&other, "F6"));
    assert!((own.0 - other.0).abs() < 0.5 && (own.1 - other.1).abs() < 0.5);
    assert_eq!(touch(table.as_ref(), &["F3", "F5"]).as_deref(), Some("F3-F5"));
    assert_eq!(touch(table.as_ref(), &["F5", "F3"]).as_deref(), Some("F3-F5"));
}

#[test]
fn a_cell_of_fabric_and_a_piece_are_chosen_in_any_order() {
    let table = open("fabric", &[]);
    let all = spots(table.as_ref(), Viewer::Public);
    let side = (all.len() as f32).sqrt() as usize;
    assert_eq!(side * side, all.len());
    assert_eq!(says(&all, "c3"), "c3, empty, energy 0");
    assert_eq!(touch(table.as_ref(), &["c3", "!A"]).as_deref(), Some("A c3"));
    assert_eq!(touch(table.as_ref(), &["!A", "c3"]).as_deref(), Some("A c3"));
    assert_eq!(
        touch(table.as_ref(), &["c3", "!R"]),
        None,
        "which way does it face?"
    );
    assert_eq!(
        touch(table.as_ref(), &["!N", "c3", "!R"]),
        touch(table.as_ref(), &["c3", "!R", "!N"])
    );
}

#[test]
fn blocks_of_breaker_are_touched_where_they_lie() {
    let mut table = open("breaker", &[]);
    let mover = table.awaiting().seats().iter().next().unwrap();
    let all = spots(table.as_ref(), Viewer::Seat(mover));
    let legal = table.legal(mover);
    let draw = legal.iter().find(|action| action.starts_with("draw ")).unwrap();
    assert!(says(&all, draw).contains("in the supply"));
    // One touch means to draw it, and nothing else can be meant.
    assert_eq!(touch(table.as_ref(), &[draw.as_str()]).as_ref(), Some(draw));
    let seed = Seed::from_text("spots");
    for step in 1..40 {
        let seat = table.awaiting().seats().iter().next().unwrap();
        let legal = table.legal(seat);
        let add = legal.iter().find(|action| action.starts_with("add ")).cloned();
        if let Some(add) = add {
            let words: Vec<&str> = add.split(' ').collect();
            let block = format!("add {}", words[1]);
            assert_eq!(touch(table.as_ref(), &[&block, words[2]]).as_ref(), Some(&add));
            table.play(seat, &add, &seed, step).unwrap();
            let number = table.view(Viewer::Public)["blocks"][0]["number"].to_string();
            let said = says(&spots(table.as_ref(), Viewer::Public), &number);
            assert!(said.starts_with(&format!("block {number}, ")), "{said}");
            return;
        }
        table
            .play(
                seat,
                &legal[seed.at(step).below(legal.len())].clone(),
                &seed,
                step,
            )
            .unwrap();
    }
    panic!("nobody ever adds a block");
}

#[test]
fn cards_warriors_and_players_of_phase_are_touched() {
    let mut table = open("phase", &[]);
    let seed = Seed::from_text("spots");
    let mut seen = std::collections::BTreeSet::new();
    let mut chance = seed.at(0);
    for step in 1..300 {
        let Some(seat) = table.awaiting().seats().iter().next() else {
            break;
        };
        let frame = Frame::new(Viewer::Seat(seat), &[]);
        let (board, hand) = (table.spots(&frame), table.hand_spots(&frame));
        let view = table.view(Viewer::Seat(seat));
        for player in view["players"].as_array().unwrap() {
            for warrior in player["warriors"].as_array().unwrap() {
                says(&board, &warrior["number"].to_string());
                seen.insert("warrior");
            }
        }
        let own = &view["players"][seat.index()];
        let places = |kind: &str| -> Vec<u64> {
            let cards = own[kind].as_array().unwrap().iter();
            cards.map(|card| card["place"].as_u64().unwrap()).collect()
        };
        for place in places("hand") {
            let letter = char::from(b'a' + place as u8 - 1);
            says(&hand, &format!("hand-{letter}-of-player-{seat}"));
            seen.insert("hand");
        }
        for place in places("barracks") {
            says(&board, &format!("resource-{place}-of-player-{seat}"));
            seen.insert("barracks");
        }
        says(&board, "nexus");
        says(&board, "player-2");
        let legal = table.legal(seat);
        let action = legal[chance.below(legal.len())].clone();
        table.play(seat, &action, &seed, step).unwrap();
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}
