//! Phase. Its rules: the rulebook's sample turn, every keyword, every verb, every rule that the rules file fixes; and
//! what must hold after every step of random games. Its cards: the files, their lints, the text on the cards, decks and
//! their codes.

mod bringing;
mod browsing;
mod decks;
mod desk;
mod files;
mod flows;
mod habits;
mod invariants;
mod keywords;
mod lawful;
mod lint;
mod moot;
mod phrases;
mod printed;
mod rivals;
mod sample_turn;
mod sentences;
mod told;
mod training;
mod turns;
mod verbs;
mod versions;
mod wording;
