#![no_main]

#[path = "../parsers.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|text: &str| {
    parsers::chat_line(text);
});
