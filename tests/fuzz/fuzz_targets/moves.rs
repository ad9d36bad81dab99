#![no_main]

#[path = "../parsers.rs"]
mod parsers;

// A game, how far it has been played, and what is typed there.
libfuzzer_sys::fuzz_target!(|input: (u8, u8, &str)| {
    let (game, steps, text) = input;
    let (table, seat) = parsers::position(game.into(), u64::from(steps) % 40);
    parsers::moves(table.as_ref(), seat, text);
});
