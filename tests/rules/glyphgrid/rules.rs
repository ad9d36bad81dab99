//! Worked examples, one rule each.

use parlor::game::{Awaiting, Game, GameRng, OptionValues, Silent};
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::glyphgrid::piece::Side;
use parlor::games::glyphgrid::setup::{Setup, SetupError};
use parlor::games::glyphgrid::view::{Event, Fate};

use super::drawn::{MOON, SUN, draw, drawn, ended, legal, play, same, setup, square};

fn classic(swap: &str) -> GlyphGrid {
    let wishes = [("swap", swap), ("opening", "classic")];
    let options = OptionValues::choose(GlyphGrid::META.options, wishes).unwrap();
    GlyphGrid::new(&options, 2, &mut GameRng::quick(0))
}

fn won(winner: parlor::game::Seat, reason: &str) -> Option<(Option<parlor::game::Seat>, String)> {
    Some((Some(winner), reason.to_owned()))
}

#[test]
fn the_opening_is_as_drawn() {
    let options = OptionValues::defaults(GlyphGrid::META.options);
    let game = GlyphGrid::new(&options, 2, &mut GameRng::quick(0));
    assert_eq!(
        draw(&game),
        same(
            "._ ._ ._ c- ._ ._ ._
             ._ s_ s_ ._ s_ s_ ._
             ._ ._ ._ ._ ._ ._ ._
             ._ ._ ._ ._ ._ ._ ._
             ._ ._ ._ ._ ._ ._ ._
             ._ S_ S_ ._ S_ S_ ._
             ._ ._ ._ C+ ._ ._ ._"
        )
    );
    assert_eq!(game.awaiting(), Awaiting::Turn(SUN));
    // Core: 3 by VECTOR, 3 by LANCE, 2 by ARC. An outer Shard: 7, 2, 3 and ANCHOR; an inner one: 6, 3, 6 and ANCHOR.
    assert_eq!(game.count_legal(SUN), 8 + 2 * 13 + 2 * 16);
}

#[test]
fn the_classic_opening_is_as_drawn_and_has_66_actions() {
    let game = classic("off");
    assert_eq!(
        draw(&game),
        same(
            "._ ._ ._ c- ._ ._ ._
             s_ ._ s_ ._ s_ ._ s_
             ._ ._ ._ ._ ._ ._ ._
             ._ ._ ._ ._ ._ ._ ._
             ._ ._ ._ ._ ._ ._ ._
             S_ ._ S_ ._ S_ ._ S_
             ._ ._ ._ C+ ._ ._ ._"
        )
    );
    assert_eq!(game.awaiting(), Awaiting::Turn(SUN));
    assert_eq!(game.count_legal(SUN), 66);
    assert_eq!(game.count_legal(MOON), 0);
}

const LONE: &str = "._ ._ ._ ._ ._ ._ c-
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ S_ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    C+ ._ ._ ._ ._ ._ ._";

#[test]
fn vector_lance_and_arc_have_eight_goals_each_in_the_open() {
    let game = drawn(LONE);
    let goals = |glyph: &str| -> Vec<String> {
        let mut goals: Vec<String> = legal(&game, &format!("{glyph} d4-"))
            .iter()
            .map(|action| action[action.len() - 2..].to_owned())
            .collect();
        goals.sort();
        goals
    };
    assert_eq!(goals("vector"), ["c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"]);
    assert_eq!(goals("lance"), ["b2", "b4", "b6", "d2", "d6", "f2", "f4", "f6"]);
    assert_eq!(goals("arc"), ["b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"]);
    assert_eq!(goals("pulse"), [""; 0]);
    assert_eq!(
        legal(&game, "anchor"),
        ["anchor d4"],
        "a1 bears the Core's mark already"
    );
}

#[test]
fn lance_needs_an_empty_square_between_and_arc_does_not() {
    let game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ s_ S_ ._ ._ ._
         ._ ._ ._ S_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C+ ._ ._ ._ ._ ._ ._",
    );
    assert_eq!(legal(&game, "lance d4-d6"), [""; 0]);
    assert_eq!(legal(&game, "lance d4-b6"), [""; 0]);
    assert_eq!(legal(&game, "arc d4-c6"), ["arc d4-c6"]);
    assert_eq!(legal(&game, "lance d4-f6"), ["lance d4-f6"]);
}

#[test]
fn a_core_captures_anything_and_a_shard_only_the_core() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ c- ._ ._ ._
         ._ ._ s_ S_ s_ ._ ._
         ._ ._ ._ C+ ._ ._ ._
         ._ s_ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._",
    );
    assert_eq!(legal(&game, "vector d4-c4"), [""; 0]);
    assert_eq!(legal(&game, "vector d4-d5"), ["vector d4-d5"]);
    assert_eq!(legal(&game, "vector d3-c4"), ["vector d3-c4"]);
    assert_eq!(legal(&game, "arc d3-b2"), ["arc d3-b2"]);
    let events = play(&mut game.clone(), &["arc d3-b2"]);
    assert!(
        matches!(
            events[0],
            Event::Moved {
                captured: Some(_),
                inverts: false,
                ..
            }
        ),
        "{events:?}"
    );
    play(&mut game, &["vector d4-d5"]);
    assert_eq!(ended(&game), won(SUN, "Core captured"));
    assert_eq!(game.awaiting(), Awaiting::Over);
}

const PUSHES: &str = "._ ._ ._ ._ ._ ._ c-
                      ._ ._ ._ s- S_ ._ ._
                      s_ S_ ._ ._ s_ ._ ._
                      ._ ._ S_ s_ S_ ._ ._
                      ._ ._ ._ ._ ._ ._ ._
                      ._ ._ ._ ._ ._ ._ ._
                      C+ ._ ._ ._ ._ ._ ._";

#[test]
fn pulse_pushes_one_square_and_steps_after() {
    let mut game = drawn(PUSHES);
    let events = play(&mut game, &["pulse e6-e5"]);
    // e4 is occupied, by the mover's own Shard: the pushed piece is captured, the occupant stays.
    assert!(matches!(events[0], Event::Pushed { fate: Fate::Crushed(at), .. } if at == square("e4")));
    assert_eq!(
        draw(&game),
        same(
            "._ ._ ._ ._ ._ ._ c-
             ._ ._ ._ s- ._ ._ ._
             s_ S_ ._ ._ S_ ._ ._
             ._ ._ S_ s_ S_ ._ ._
             ._ ._ ._ ._ ._ ._ ._
             ._ ._ ._ ._ ._ ._ ._
             C+ ._ ._ ._ ._ ._ ._"
        )
    );
    let mut game = drawn(PUSHES);
    let events = play(&mut game, &["pulse e4-e5"]);
    assert!(matches!(events[0], Event::Pushed { fate: Fate::Crushed(at), .. } if at == square("e6")));

    let mut game = drawn(PUSHES);
    let events = play(&mut game, &["pulse b5-a5"]);
    assert!(matches!(
        events[0],
        Event::Pushed {
            fate: Fate::OffBoard,
            ..
        }
    ));
    assert!(draw(&game).contains("\nS_ ._ ._ ._ s_ ._ ._\n"));

    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ S_ s+ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C+ ._ ._ ._ ._ ._ ._",
    );
    let events = play(&mut game, &["pulse c4-d4"]);
    assert!(matches!(events[0], Event::Pushed { fate: Fate::Moved(at), .. } if at == square("e4")));
    assert!(
        draw(&game).contains("\n._ ._ ._ S+ s_ ._ ._\n"),
        "the mark stays: {}",
        draw(&game)
    );
}

#[test]
fn pulse_spares_pieces_on_their_own_mark_and_is_never_a_plain_step() {
    let game = drawn(PUSHES);
    assert_eq!(
        legal(&game, "pulse e6-d6"),
        [""; 0],
        "d6 bears Moon's mark under a Moon Shard"
    );
    assert_eq!(legal(&game, "pulse c4-c5"), [""; 0], "nobody stands on c5");
    assert_eq!(legal(&game, "pulse c4-d4"), ["pulse c4-d4"]);
    assert_eq!(legal(&game, "pulse a1"), [""; 0]);
}

#[test]
fn only_a_core_may_pulse_a_core_and_against_the_edge_it_wins() {
    let position = "._ ._ ._ c_ ._ ._ ._
                    ._ ._ S_ C+ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ ._
                    ._ ._ ._ ._ ._ ._ .-";
    let mut game = drawn(position);
    assert_eq!(legal(&game, "pulse c6-d7"), [""; 0]);
    assert_eq!(legal(&game, "vector c6-d7"), ["vector c6-d7"]);
    play(&mut game, &["pulse d6-d7"]);
    assert_eq!(ended(&game), won(SUN, "Core captured"));
}

#[test]
fn anchor_marks_its_own_square_once_and_turns_an_enemys_mark_underfoot() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ S- S_ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C+ ._ ._ ._ ._ ._ ._",
    );
    assert_eq!(
        legal(&game, "anchor"),
        ["anchor d4", "anchor e4", "anchor e4-d4"][..2]
    );
    let events = play(&mut game, &["anchor d4"]);
    assert!(
        matches!(
            events[0],
            Event::Marked {
                turned: true,
                marks: 2,
                ..
            }
        ),
        "{events:?}"
    );
    assert!(draw(&game).contains("\n._ ._ ._ S+ S_ ._ ._\n"));
}

#[test]
fn anchor_claims_an_unoccupied_enemy_mark_next_to_it_at_once() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ .- ._ ._
         ._ ._ ._ S_ s- .- ._
         ._ ._ ._ ._ .+ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C+ ._ ._ ._ ._ ._ ._",
    );
    assert_eq!(legal(&game, "anchor d4"), ["anchor d4", "anchor d4-e5"]);
    let events = play(&mut game, &["anchor d4-e5"]);
    assert!(
        matches!(
            events[0],
            Event::Marked {
                turned: true,
                marks: 3,
                ..
            }
        ),
        "{events:?}"
    );
    assert!(draw(&game).contains("\n._ ._ ._ ._ S+ ._ ._\n"));
}

const INVERSION: &str = "._ ._ ._ ._ ._ ._ c-
                         ._ ._ ._ ._ ._ ._ ._
                         ._ ._ ._ .- s_ ._ ._
                         ._ ._ ._ S_ ._ ._ ._
                         ._ ._ ._ ._ ._ ._ ._
                         ._ ._ ._ ._ ._ ._ ._
                         C+ ._ ._ ._ ._ ._ ._";

#[test]
fn a_mark_turns_at_the_start_of_the_next_turn_of_the_piece_on_it() {
    let mut game = drawn(INVERSION);
    let events = play(&mut game, &["vector d4-d5"]);
    assert!(matches!(events[0], Event::Moved { inverts: true, .. }));
    assert!(draw(&game).contains("\n._ ._ ._ S- s_ ._ ._\n"), "not yet");
    let events = play(&mut game, &["vector g7-g6"]);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Inverted { marks: 2, .. })),
        "{events:?}"
    );
    assert!(draw(&game).contains("\n._ ._ ._ S+ s_ ._ ._\n"));
}

#[test]
fn a_piece_pushed_off_the_mark_turns_nothing() {
    let mut game = drawn(INVERSION);
    play(&mut game, &["vector d4-d5", "pulse e5-d5"]);
    assert!(draw(&game).contains("\n._ ._ S_ s- ._ ._ ._\n"));
    assert_eq!(Setup::from(game).pending, None);
}

#[test]
fn a_capture_on_an_enemys_mark_inverts_nothing() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ s- ._ ._ ._
         ._ ._ ._ C_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._",
    );
    let events = play(&mut game, &["vector d4-d5"]);
    assert!(matches!(
        events[0],
        Event::Moved {
            inverts: false,
            captured: Some(_),
            ..
        }
    ));
    play(&mut game, &["vector g7-g6"]);
    assert!(draw(&game).contains("\n._ ._ ._ C- ._ ._ ._\n"));
    assert_eq!(
        legal(&game, "anchor d5"),
        ["anchor d5"],
        "but ANCHOR turns it later"
    );
}

#[test]
fn a_pushed_piece_never_inverts() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ S_ s_ .+ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C+ ._ ._ ._ ._ ._ ._",
    );
    play(
        &mut game,
        &["pulse c4-d4", "vector g7-g6", "vector a1-a2", "vector g6-g7"],
    );
    assert!(draw(&game).contains("\n._ ._ ._ S_ s+ ._ ._\n"));
}

/// Three marks wait for a fourth; the name of what completes them, and why it wins.
#[test]
fn four_in_a_row_two_by_two_and_six_marks_win() {
    let across = "._ ._ ._ ._ ._ ._ c-
                  ._ ._ ._ ._ ._ ._ ._
                  ._ ._ ._ ._ ._ ._ ._
                  ._ .+ .+ S_ .+ ._ ._
                  ._ ._ ._ ._ ._ ._ ._
                  ._ ._ ._ ._ ._ ._ ._
                  C_ ._ ._ ._ ._ ._ ._";
    let falling = "._ ._ ._ ._ ._ ._ c-
                   .+ ._ ._ ._ ._ ._ ._
                   ._ .+ ._ ._ ._ ._ ._
                   ._ ._ .+ ._ ._ ._ ._
                   ._ ._ ._ S_ ._ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   C_ ._ ._ ._ ._ ._ ._";
    let block = "._ ._ ._ ._ ._ ._ c-
                 ._ ._ ._ ._ ._ ._ ._
                 ._ ._ ._ ._ ._ ._ ._
                 ._ ._ .+ S_ ._ ._ ._
                 ._ ._ .+ .+ ._ ._ ._
                 ._ ._ ._ ._ ._ ._ ._
                 C_ ._ ._ ._ ._ ._ ._";
    let six = ".+ ._ ._ ._ ._ ._ c-
               ._ ._ .+ ._ ._ ._ ._
               ._ ._ ._ ._ ._ ._ .+
               ._ ._ ._ S_ ._ ._ ._
               .+ ._ ._ ._ ._ ._ ._
               ._ ._ ._ ._ ._ ._ ._
               C+ ._ ._ ._ ._ ._ ._";
    for (position, action, reason) in [
        (across, "anchor d4", "four marks in a row"),
        (falling, "anchor d3", "four marks in a row"),
        (block, "anchor d4", "four marks in a square"),
        (six, "anchor d4", "six marks"),
    ] {
        let mut game = drawn(position);
        assert_eq!(ended(&game), None);
        play(&mut game, &[action]);
        assert_eq!(ended(&game), won(SUN, reason));
    }
}

#[test]
fn marks_do_not_line_up_around_the_edge_of_the_board() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         .+ S_ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ .+
         ._ ._ ._ ._ ._ .+ ._
         ._ ._ ._ ._ ._ ._ ._
         C_ ._ ._ ._ ._ ._ ._",
    );
    play(&mut game, &["anchor b5"]);
    assert_eq!(ended(&game), None);
}

#[test]
fn an_inversion_wins_before_its_owner_moves() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ .+ .+ .- .+ ._ ._
         ._ ._ ._ S_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C_ ._ ._ ._ ._ ._ ._",
    );
    play(&mut game, &["vector d3-d4"]);
    assert_eq!(ended(&game), None);
    play(&mut game, &["vector g7-g6"]);
    assert_eq!(ended(&game), won(SUN, "four marks in a row"));
}

#[test]
fn the_movers_win_comes_before_the_enemys_inversion() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         .- .- .- s_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ .+ .+ .- .+ ._ ._
         ._ ._ ._ S_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C_ ._ ._ ._ ._ ._ ._",
    );
    play(&mut game, &["vector d3-d4", "anchor d6"]);
    assert_eq!(ended(&game), won(MOON, "four marks in a row"));
}

/// A whole legal game that ends so, from the opening.
#[test]
fn a_core_with_enemies_on_all_four_sides_is_lost() {
    let mut game = classic("off");
    play(
        &mut game,
        &[
            "vector a2-a3",
            "lance d7-d5",
            "vector a3-b4",
            "vector a6-a5",
            "vector b4-c5",
            "vector a5-a6",
            "lance e2-e4",
            "vector a6-a7",
            "vector e4-e5",
            "vector a7-a6",
            "lance c2-c4",
            "vector a6-a5",
            "vector c4-d4",
            "vector a5-a4",
            "lance g2-g4",
            "vector a4-a3",
            "vector g4-f5",
            "vector a3-b3",
        ],
    );
    assert_eq!(ended(&game), None);
    play(&mut game, &["arc f5-d6"]);
    assert_eq!(ended(&game), won(SUN, "Core surrounded on four sides"));
}

#[test]
fn the_edge_of_the_board_surrounds_nobody() {
    let mut game = drawn(
        "._ ._ S_ c_ S_ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ S_ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C+ ._ ._ ._ ._ ._ .-",
    );
    play(&mut game, &["vector d5-d6"]);
    assert_eq!(ended(&game), None);
}

/// Five Shards are needed to shut a Core in, so this never comes up with four.
#[test]
fn a_core_that_can_only_stay_is_lost_at_the_start_of_its_turn() {
    let shut_in = "c_ s_ ._ ._ ._ ._ ._
                   s_ s_ s_ ._ ._ ._ ._
                   ._ s_ ._ ._ ._ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   ._ ._ ._ ._ ._ ._ ._
                   C+ ._ ._ ._ ._ ._ .-";
    let mut game = drawn(shut_in);
    play(&mut game, &["vector a1-a2"]);
    assert_eq!(ended(&game), won(SUN, "Core unable to move"));
    assert_eq!(
        GlyphGrid::try_from(setup(shut_in, Side::Moon)).unwrap_err(),
        SetupError::Immobile(Side::Moon)
    );
    // With a leap left it plays on.
    let mut game = drawn(&shut_in.replace("s_ s_ s_ ._", "s_ s_ ._ ._"));
    play(&mut game, &["vector a1-a2"]);
    assert_eq!(ended(&game), None);
}

#[test]
fn a_position_that_comes_for_the_third_time_is_a_draw() {
    let mut game = classic("off");
    let round = ["vector d1-d2", "vector d7-d6", "vector d2-d1", "vector d6-d7"];
    play(&mut game, &round);
    assert_eq!(ended(&game), None);
    play(&mut game, &round[..3]);
    assert_eq!(ended(&game), None);
    play(&mut game, &round[3..]);
    assert_eq!(
        ended(&game),
        Some((None, "same position for the third time".to_owned()))
    );
}

#[test]
fn a_pending_inversion_makes_a_position_another_one() {
    let mut stepped = drawn(INVERSION);
    play(&mut stepped, &["vector d4-d5"]);
    let mut built = Setup::from(stepped.clone());
    assert_eq!(built.pending, Some(square("d5")));
    built.pending = None;
    built.seen.clear();
    let other = GlyphGrid::try_from(built).unwrap();
    assert_eq!(draw(&other), draw(&stepped));
    let key = |game: &GlyphGrid| Setup::from(game.clone()).seen.last().copied();
    assert_ne!(key(&other), key(&stepped));
}

#[test]
fn two_hundred_moves_are_a_draw_unless_the_last_one_wins() {
    let mut late = setup(LONE, Side::Sun);
    late.moves = 199;
    let mut game = GlyphGrid::try_from(late.clone()).unwrap();
    play(&mut game, &["vector a1-a2"]);
    assert_eq!(
        ended(&game),
        Some((None, "200 moves without a winner".to_owned()))
    );

    late.moon.core = Some(square("d5"));
    let mut game = GlyphGrid::try_from(late).unwrap();
    play(&mut game, &["vector d4-d5"]);
    assert_eq!(ended(&game), won(SUN, "Core captured"));
}

#[test]
fn swap_trades_the_sides_once_after_the_first_move() {
    let mut game = classic("on");
    assert_eq!(legal(&game, "swap"), [""; 0]);
    play(&mut game, &["lance c2-c4"]);
    assert_eq!(game.awaiting(), Awaiting::Turn(MOON));
    assert_eq!(legal(&game, "swap"), ["swap"]);
    let before = Setup::from(game.clone());
    play(&mut game, &["swap"]);
    let after = Setup::from(game.clone());
    assert_eq!(
        game.awaiting(),
        Awaiting::Turn(SUN),
        "seat 1 plays Moon now and moves"
    );
    assert_eq!(
        (after.moves, &after.seen),
        (before.moves, &before.seen),
        "no move, and not counted again"
    );
    assert_eq!(legal(&game, "swap"), [""; 0]);
    assert_eq!(legal(&game, "vector d7-d6"), ["vector d7-d6"]);
    play(&mut game, &["vector d7-d6"]);
    assert_eq!(game.awaiting(), Awaiting::Turn(MOON));
    assert_eq!(legal(&game, "vector d1-d2"), ["vector d1-d2"]);

    let mut declined = classic("on");
    play(&mut declined, &["lance c2-c4", "vector d7-d6"]);
    assert_eq!(legal(&declined, "swap"), [""; 0]);
}

#[test]
fn a_winner_after_a_swap_is_the_seat_that_owns_the_side() {
    let mut late = setup(LONE, Side::Sun);
    late.swap = true;
    late.swapped = true;
    late.moon.core = Some(square("d5"));
    late.moon.marks.clear();
    let mut game = GlyphGrid::try_from(late).unwrap();
    assert_eq!(game.awaiting(), Awaiting::Turn(MOON));
    play(&mut game, &["vector d4-d5"]);
    assert_eq!(ended(&game), won(MOON, "Core captured"));
}

#[test]
fn who_leaves_loses_whoever_is_to_move() {
    for seat in [SUN, MOON] {
        let mut game = classic("off");
        game.withdraw(seat, &mut GameRng::quick(0), &mut Silent);
        assert_eq!(ended(&game), won(seat.next(2), "the other player left"));
        let before = format!("{game:?}");
        game.withdraw(seat.next(2), &mut GameRng::quick(0), &mut Silent);
        assert_eq!(format!("{game:?}"), before);
    }
}

#[test]
fn a_player_in_danger_is_told() {
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ c- ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ S_ ._
         ._ .+ .+ .+ S_ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C_ ._ ._ ._ ._ ._ ._",
    );
    let events = play(&mut game, &["vector f4-f5"]);
    let Some(Event::Turn { seat, alarm }) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(*seat, MOON);
    let attackers: Vec<String> = alarm
        .attackers
        .iter()
        .map(|attack| attack.from.to_string())
        .collect();
    assert_eq!(attackers, ["f5"], "a knight's leap from d6");
    assert_eq!(alarm.completes, [square("e3")]);
    let view = game.view(parlor::game::Viewer::Public);
    assert_eq!(view.alarm, *alarm);
    let near = &view.side(Side::Sun).near;
    let missing: Vec<_> = near.iter().filter_map(|near| near.missing).collect();
    assert_eq!(missing, [square("a3"), square("e3")]);
}

#[test]
fn a_pending_inversion_counts_as_a_mark_of_the_next_turn() {
    // Two marks and a pending one: the turn makes three of a row, ANCHOR on e3 the fourth.
    let mut game = drawn(
        "._ ._ ._ ._ ._ ._ c-
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         ._ ._ S_ ._ ._ ._ ._
         ._ .+ .- .+ S_ ._ ._
         ._ ._ ._ ._ ._ ._ ._
         C_ ._ ._ ._ ._ ._ ._",
    );
    play(&mut game, &["vector c4-c3"]);
    assert_eq!(
        game.view(parlor::game::Viewer::Public).alarm.completes,
        [square("e3")]
    );
}
