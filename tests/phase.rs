//! The rules of Phase: the rulebook's sample turn, every keyword, every verb, every rule that the rules file fixes; and
//! what must hold after every step of random games.

mod support;

#[path = "phase/bringing.rs"]
mod bringing;
#[path = "phase/desk.rs"]
mod desk;
#[path = "phase/habits.rs"]
mod habits;
#[path = "phase/invariants.rs"]
mod invariants;
#[path = "phase/keywords.rs"]
mod keywords;
#[path = "phase/laws.rs"]
mod laws;
#[path = "phase/sample_turn.rs"]
mod sample_turn;
#[path = "phase/sentences.rs"]
mod sentences;
#[path = "phase/turns.rs"]
mod turns;
#[path = "phase/verbs.rs"]
mod verbs;
