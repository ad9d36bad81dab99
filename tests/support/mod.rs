//! What the tests share: cases to play, the laws, a toy game, noise, golden files.
#![allow(
    dead_code,
    unused_imports,
    reason = "every test program takes its own share of this"
)]

pub mod call;
pub mod case;
pub mod gif;
pub mod golden;
pub mod guided;
pub mod law;
pub mod leaving;
pub mod noise;
pub mod orderly;
pub mod secrecy;
pub mod story;
pub mod tampered;
pub mod texts;
pub mod touched;
pub mod toy;
