//! The program from outside, its command line and its local room, and what holds for its source and what it is built of.

#[path = "../fuzz/parsers.rs"]
mod fuzz;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/texts.rs"]
mod texts;
#[path = "../web/mod.rs"]
mod web;

mod advisories;
mod cli;
mod dependencies;
mod layering;
mod local;
mod names;
mod operate;
mod pages;
mod parsers;
mod records;
mod replays;
mod suites;
mod voice;
