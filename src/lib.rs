pub mod draw;
