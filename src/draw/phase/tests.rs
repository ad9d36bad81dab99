//! What must hold for every picture of Phase.

use super::super::{Canvas, Marks, Scene, Show, Style, Theme, font};
use super::pen::{HIGHEST, SMALL, shrunk};
use super::table::Warriors;
use super::typeset::{self, Bit, Block, Tone};
use super::warrior::{self, Brief, name_lines};
use super::{chip, panel, table};
use crate::game::explore::random_seat;
use crate::game::{Game, GameRng, OptionValues, Outcome, Seat, Seed, Silent, Viewer};
use crate::games::phase::Phase;
use crate::games::phase::action::Action;
use crate::games::phase::card::card_set;
use crate::games::phase::view::{CardView, View};

fn names(seats: u8) -> Vec<String> {
    (0..seats)
        .map(|seat| format!("Somebody with quite a long name {seat}"))
        .collect()
}

/// Draws a position as a viewer is shown it, always from the side of the first seat.
fn drawn<T>(game: &Phase, viewer: Viewer, draw: impl Fn(&Scene<'_, Phase>) -> T) -> T {
    pictured(game, viewer, &game.view(viewer), draw)
}

/// The same for a view that was changed by hand.
fn pictured<T>(game: &Phase, viewer: Viewer, view: &View, draw: impl Fn(&Scene<'_, Phase>) -> T) -> T {
    let outcome: Option<Outcome> = game.outcome();
    draw(&Scene {
        view,
        recent: &[],
        awaiting: game.awaiting(),
        outcome: outcome.as_ref(),
        marks: &Marks::default(),
        names: &names(game.seats()),
        viewer,
        side: Seat::new(0),
        theme: Theme::Light,
    })
}

/// Plays at random, or passing whenever possible, and looks at every so-manieth position.
fn along(seats: u8, frugal: bool, every: u32, look: impl FnMut(&Phase)) {
    along_with(seats, 7, frugal, every, look);
}

fn along_with(seats: u8, seed: u64, frugal: bool, every: u32, mut look: impl FnMut(&Phase)) {
    let options = OptionValues::defaults(Phase::META.options);
    let mut game = Phase::new(&options, seats, &mut Seed::from_text("drawn").at(0));
    let mut rng = GameRng::quick(seed);
    let mut legal = Vec::new();
    let mut step = 0;
    while let Some(seat) = random_seat(game.awaiting(), &mut rng) {
        if step % every == 0 {
            look(&game);
        }
        step += 1;
        legal.clear();
        game.legal_into(seat, &mut legal);
        let idle = legal
            .iter()
            .find(|action| frugal && matches!(action, Action::Pass | Action::Done));
        let action = *idle.unwrap_or(&legal[rng.below(legal.len())]);
        game.play(seat, &action, &mut rng, &mut Silent);
    }
    look(&game);
}

/// The table is the same for all who look: it holds nothing that only some may know.
#[test]
fn the_table_looks_the_same_to_everybody() {
    for seats in [2, 5] {
        along(seats, false, 300, |game| {
            let public = drawn(game, Viewer::Public, Phase::picture);
            for viewer in Seat::all(seats).map(Viewer::Seat).chain([Viewer::Omniscient]) {
                assert!(drawn(game, viewer, Phase::picture) == public, "{viewer}");
            }
        });
    }
}

/// However many warriors there are, no player's part is cut off.
#[test]
fn tables_of_any_size_fit_a_phone() {
    let mut most = 0;
    for (seats, seed) in [(5, 7), (5, 8), (5, 9), (4, 7)] {
        along_with(seats, seed, false, 23, |game| {
            let view = game.view(Viewer::Public);
            let warriors: usize = view.players.iter().map(|player| player.warriors.len()).sum();
            most = most.max(warriors);
            let height = drawn(game, Viewer::Public, table::needed_height);
            assert!(height <= HIGHEST, "{warriors} warriors need {height}");
        });
    }
    assert!(most >= 25, "only {most} warriors: the test tells nothing");
}

/// Where five play there is little room, and the names of warriors are whole all the same: on their cards in two lines, or
/// on lines of their own.
#[test]
fn names_of_warriors_are_whole_where_five_play() {
    let (mut cards, mut lines) = (0, 0);
    for seed in 7..10 {
        along_with(5, seed, false, 23, |game| {
            let density = drawn(game, Viewer::Public, table::density_of);
            for player in &game.view(Viewer::Public).players {
                let all = player.warriors.len();
                for row in player.warriors.chunks(panel::a_row(all, density.columns)) {
                    match density.warriors {
                        Warriors::Card => cards += row.len(),
                        Warriors::Line => lines += row.len(),
                        Warriors::Nameless => panic!("names are missing at {all} warriors"),
                    }
                    let room = panel::card_width(row.len()) - 2.0 * warrior::PAD;
                    for one in row.iter().filter(|_| density.warriors == Warriors::Card) {
                        let (lines, _) = name_lines(&one.face.name, room);
                        assert_eq!(lines.join(" ").replace("- ", ""), one.face.name, "{room}");
                    }
                }
            }
        });
    }
    assert!(
        cards > 100,
        "{cards} on cards, {lines} on lines: the test tells nothing"
    );
}

/// The same for armies that hardly anybody raises.
#[test]
fn armies_of_any_size_fit_a_phone() {
    let mut last = None;
    along(5, false, 1, |game| {
        if game.outcome().is_none() {
            last = Some(game.clone());
        }
    });
    let game = last.unwrap();
    let mut view = game.view(Viewer::Public);
    for army in [8, 18] {
        let mut number = 0;
        for player in &mut view.players {
            let Some(one) = player.warriors.first().cloned() else {
                continue;
            };
            player.warriors = (0..army)
                .map(|_| {
                    number += 1;
                    let mut next = one.clone();
                    next.number = number;
                    next
                })
                .collect();
        }
        assert!(number >= 3 * army, "only {number} warriors");
        let scene = Scene {
            view: &view,
            recent: &[],
            awaiting: game.awaiting(),
            outcome: None,
            marks: &Marks::default(),
            names: &names(5),
            viewer: Viewer::Public,
            side: Seat::new(0),
            theme: Theme::Light,
        };
        let height = table::needed_height(&scene);
        assert!(height <= HIGHEST, "{number} warriors need {height}");
    }
}

/// Hands grow without a limit when nobody plays; their pictures don't.
#[test]
fn hands_of_any_size_fit_a_phone() {
    let mut largest = 0;
    along(2, true, 41, |game| {
        let own = Viewer::Seat(Seat::new(0));
        let picture: Option<Canvas> = drawn(game, own, Phase::hand_picture);
        assert!(picture.is_some_and(|picture| picture.height() <= HIGHEST as u32));
        let cards = game
            .view(own)
            .players
            .first()
            .map_or(0, |player| player.hand.len());
        largest = largest.max(cards);
    });
    assert!(largest >= 7, "only {largest} cards: the test tells nothing");
}

/// What somebody has seen behind others' cards is drawn nowhere else: it is not cut off, however long their own hand is.
#[test]
fn what_was_learnt_is_drawn_with_hands_of_any_size() {
    let own = Viewer::Seat(Seat::new(0));
    let mut last = None;
    along(2, true, 41, |game| {
        if game.outcome().is_none() {
            last = Some(game.clone());
        }
    });
    let game = last.unwrap();
    let view = game.view(own);
    let mine = view.players[0].hand[0].clone();
    for size in [1, 6, 12, 25] {
        let mut view = view.clone();
        let hand = (1..=size).map(|place| CardView {
            place,
            ..mine.clone()
        });
        view.players[0].hand = hand.collect();
        let mut before = pictured(&game, own, &view, Phase::hand_picture).unwrap();
        for place in 0..view.players[1].hand.len() {
            let theirs = &mut view.players[1].hand[place];
            (theirs.behind, theirs.is_secret) = (mine.behind, true);
            let after = pictured(&game, own, &view, Phase::hand_picture).unwrap();
            assert!(after.height() <= HIGHEST as u32);
            assert!(
                after != before,
                "{size} cards in hand hide what is behind card {place}"
            );
            before = after;
        }
        assert!(view.players[1].hand.len() >= 7, "the test tells little");
    }
}

/// Nobody is shown a hand that is not theirs.
#[test]
fn only_a_seat_has_a_hand() {
    along(3, false, 200, |game| {
        for viewer in [Viewer::Public, Viewer::Omniscient] {
            assert!(drawn(game, viewer, Phase::hand_picture).is_none());
        }
    });
}

/// Every name fits where it is read, and no word of any card text is cut.
#[test]
fn every_card_can_be_set() {
    for face in card_set().faces() {
        let (name, _) = shrunk(&face.name, 240.0, Style::bold(26.0), &[26.0, 24.0, 22.0, SMALL]);
        assert_eq!(name, face.name, "cut on a hand card");
        // In the fullest rows of the table there are six.
        let (lines, _) = name_lines(&face.name, 126.0);
        assert!(lines.len() <= 2, "{lines:?}");
        let joined = lines.join(" ").replace("- ", "");
        assert_eq!(joined, face.name, "cut on a card in play");
        let room = chip::WHOLE_NAME;
        assert_eq!(
            font::fit(&face.name, room, chip::NAME),
            face.name,
            "cut on a chip"
        );
        assert_eq!(
            font::fit(&face.name, room, Brief::NAME),
            face.name,
            "cut in a skirmish"
        );
        let mut bits = Vec::new();
        typeset::ability(&mut bits, &face.order, Tone::Plain);
        typeset::skills(&mut bits, face, Tone::Strong);
        for bit in &bits {
            if let Bit::Word(word, _) = bit {
                assert!(font::width(word, Style::bold(SMALL)) < 150.0, "{word}");
            }
        }
        assert!(Block::new(&bits, 430.0, 23.0).height() < 400.0, "{}", face.name);
    }
}
