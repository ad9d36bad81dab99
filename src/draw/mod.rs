//! Pictures: the drawing core that the games' pictures are written on.

pub mod canvas;
mod deflate;
pub mod font;
mod huffman;
pub mod mask;
pub mod mix;
pub mod palette;
pub mod png;
pub mod shape;

pub use canvas::Canvas;
pub use font::{Align, Face, Style};
pub use mask::Mask;
pub use palette::{Ink, Paint, Theme};
