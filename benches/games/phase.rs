//! How fast Phase is played at random.

use criterion::Criterion;
use parlor::game::explore::playout;
use parlor::game::{Game, GameRng, OptionValues, Seat, Seed};
use parlor::games::phase::Phase;

pub fn run() {
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    let options = OptionValues::defaults(Phase::META.options);
    for seats in [2, 3, 5] {
        let opening = Phase::new(&options, seats, &mut Seed::from_text("bench").at(0));
        let mut rng = GameRng::quick(1);
        criterion.bench_function(&format!("phase/random game/{seats} players"), |bench| {
            bench.iter(|| playout(&mut opening.clone(), &mut rng));
        });
        criterion.bench_function(&format!("phase/imagined world/{seats} players"), |bench| {
            bench.iter(|| opening.determinize(Seat::new(0), &mut rng));
        });
    }
    criterion.final_summary();
}
