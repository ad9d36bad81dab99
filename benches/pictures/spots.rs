//! What the spots of a picture cost, against the picture itself: in every game, in the middle of a match.

use std::time::Duration;

use parlor::catalog::{self, Frame, Table};
use parlor::game::{OptionValues, Seat, Seed, Viewer};

use crate::measure::median;
use crate::wanted::at_most;

/// So much of what drawing a picture costs its spots may cost, in percent.
const MOST: f64 = 10.0;

/// So many steps are the middle of a match.
const STEPS: u64 = 40;

pub fn run() {
    let names = ["Ada Lovelace", "Юрий Кнорозов"].map(str::to_owned);
    for entry in catalog::games() {
        let seed = Seed::from_text("spots");
        let options = OptionValues::defaults(entry.meta.options);
        let mut table = entry.open(&options, 2, &seed).expect("two can play");
        for step in 1..=STEPS {
            let Some(seat) = table.awaiting().seats().iter().next() else {
                break;
            };
            let legal = table.legal(seat);
            let action = legal[seed.at(step).below(legal.len())].clone();
            table
                .play(seat, &action, &seed, step)
                .expect("the action is legal");
        }
        let seat = table.awaiting().seats().iter().next().unwrap_or(Seat::new(0));
        let frame = Frame::new(Viewer::Seat(seat), &names);
        let (drawn, told) = costs(table.as_ref(), &frame);
        let touch = median(50, || table.touch(seat, &[]));
        let share = (1000.0 * told.as_secs_f64() / drawn.as_secs_f64()).round() / 10.0;
        println!(
            "{}: a picture takes {drawn:?}, its {} spots {told:?}; {share} % of it ({}); to understand a touch {touch:?}",
            entry.meta.id,
            table.spots(&frame).len(),
            at_most(share, MOST),
        );
    }
}

/// What a picture costs, and what its spots do.
fn costs(table: &dyn Table, frame: &Frame<'_>) -> (Duration, Duration) {
    (
        median(50, || table.picture(frame).expect("it can be drawn")),
        median(200, || table.spots(frame)),
    )
}
