//! The cards of Phase: the files, their lints, the text on the cards, decks and their codes.

#[path = "phase/browsing.rs"]
mod browsing;
#[path = "phase/decks.rs"]
mod decks;
#[path = "phase/files.rs"]
mod files;
#[path = "phase/lint/mod.rs"]
mod lint;
#[path = "phase/printed.rs"]
mod printed;
#[path = "phase/wording.rs"]
mod wording;
