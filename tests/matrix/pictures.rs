//! Pictures as clients show them.

use parlor::catalog::{Frame, games};
use parlor::draw::png::widened;
use parlor::game::{OptionValues, Seat, Seed, Viewer};

/// Element shows pictures that are higher than wide in at most so much room.
const PORTRAIT: [f64; 2] = [183.0, 324.0];
/// And all others.
const OTHERS: [f64; 2] = [324.0, 324.0];

/// By how much Element shrinks a picture.
fn shrunk([width, height]: [f64; 2]) -> f64 {
    let room = if width < height { PORTRAIT } else { OTHERS };
    (room[0] / width).min(room[1] / height).min(1.0)
}

/// Width and height, from the head of a PNG.
fn size(png: &[u8]) -> [f64; 2] {
    [16, 20].map(|at| f64::from(u32::from_be_bytes(png[at..at + 4].try_into().unwrap())))
}

#[test]
fn every_board_is_at_least_as_wide_as_high_and_shown_larger_for_it() {
    for entry in games() {
        let options = OptionValues::defaults(entry.meta.options);
        for seats in entry.meta.seats.clone() {
            let seed = Seed::from_text("a picture");
            let table = entry.open(&options, seats, &seed).unwrap();
            let names: Vec<String> = Seat::all(seats).map(|seat| format!("Player {seat}")).collect();
            let frame = Frame::new(Viewer::Public, &names);
            let drawn = table.picture(&frame).unwrap();
            let before = size(&drawn);
            let wide = widened(drawn.clone());
            let after = size(&wide);
            let what = format!("{} for {seats}: {before:?}, {after:?}", entry.meta.id);
            assert!(after[0] >= after[1] && after[1] == before[1], "{what}");
            if before[0] < before[1] {
                assert!(after[0] >= 1200.0, "{what}");
                assert!(shrunk(after) > 1.2 * shrunk(before), "{what}");
            } else {
                assert_eq!(wide, drawn, "{what}");
            }
            // What is wide enough stays as it is.
            assert!(widened(wide.clone()) == wide, "{what}");
        }
    }
}
