//! Several actions in one sentence, played all or not at all.
//!
//! `draw 2L; add 3 II` is two actions; a game may also read several from one clause (`train x pay 1
//! 2`). They are tried on a copy. Nothing may be learnt by a sentence that then fails: an action that
//! lets chance speak, or shows the player something hidden, has to be the last one. What the rules have answered
//! meanwhile is left out ([`Game::is_moot`]).

use super::notation::{NotationError, excerpt};
use super::{Chronicle, Game, Seat, Seed, Told};

/// A sentence that has been tried on a copy of the position and found good.
#[derive(Clone, Debug)]
pub struct Sentence<G: Game> {
    /// The position after it.
    pub game: G,
    pub actions: Vec<G::Action>,
    /// The actions in canonical notation, each as it was written in its own position.
    pub notations: Vec<String>,
    pub told: Told<G::Event>,
    /// Whether it holds nothing but asides: then nobody else is told.
    pub aside: bool,
    /// Whether it holds something that others may want to answer.
    pub stirs: bool,
    /// What could not be played in one go and waits until the player is asked again.
    pub rest: Option<String>,
}

/// What becomes of the rest of a sentence behind an action that ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The whole sentence is refused.
    Refuse,
    /// What comes before is played, and the rest is kept for later.
    Keep,
}

/// Why a sentence was refused. Nothing of it was played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SentenceError {
    #[error("There's nothing to play in that.")]
    Empty,
    #[error("It isn't your turn to decide.")]
    NotAwaited,
    /// An action of the sentence failed; `played` came before it.
    #[error("{}{error}", after(played))]
    Action {
        played: Vec<String>,
        error: NotationError,
    },
    /// Something would come to light in the middle.
    #[error("`{action}` shows you something new, so make it the last action of a line.")]
    Reveals { action: String },
    /// The turn was over before the sentence was.
    #[error("{} uses your last action; leave out `{rest}`.", quoted(played))]
    TurnOver { played: Vec<String>, rest: String },
    #[error("One line takes at most {MOST} actions. Play the rest in the next one.")]
    TooLong,
}

/// The most actions one sentence may hold.
pub const MOST: usize = 40;

fn after(played: &[String]) -> String {
    if played.is_empty() {
        String::new()
    } else {
        format!("After {}: ", quoted(played))
    }
}

fn quoted(played: &[String]) -> String {
    played
        .iter()
        .map(|action| format!("`{action}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The parts of a sentence that are read one after the other.
pub fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let clauses = text.split([';', '\n']).map(str::trim);
    clauses.filter(|clause| !clause.is_empty())
}

/// What is still to be said of a plan: all of it, but for what is moot by now. Nothing if that is all of it.
pub fn still_to_say<G: Game>(game: &G, seat: Seat, plan: &str) -> Option<String> {
    let left = clauses(plan).skip_while(|clause| game.is_moot(seat, clause));
    let left: Vec<&str> = left.collect();
    (!left.is_empty()).then(|| left.join("; "))
}

/// Plays a sentence on a copy of the position. `step` is the step of its first action.
pub fn play_sentence<G: Game>(
    game: &G,
    seat: Seat,
    text: &str,
    seed: &Seed,
    step: u64,
) -> Result<Sentence<G>, SentenceError> {
    begin_sentence(game, seat, text, seed, step, Behind::Refuse)
}

/// The same, where the rest of a sentence may be kept.
pub fn begin_sentence<G: Game>(
    game: &G,
    seat: Seat,
    text: &str,
    seed: &Seed,
    step: u64,
    behind: Behind,
) -> Result<Sentence<G>, SentenceError> {
    let mut sentence = Sentence {
        game: game.clone(),
        actions: Vec::new(),
        notations: Vec::new(),
        told: Told::new(),
        aside: true,
        stirs: false,
        rest: None,
    };
    let mut clauses = clauses(text);
    let mut rest = clauses.next().ok_or(SentenceError::Empty)?;
    let mut revealing: Option<String> = None;
    let mut is_tail = false;
    loop {
        // Something has been decided before it. What is moot may depend on what has come to light, and nobody finds that out
        // by trying a sentence.
        let stands_behind = !is_tail && !sentence.aside;
        let may_go_on = revealing.is_none() || behind == Behind::Keep;
        if stands_behind && may_go_on && sentence.game.is_moot(seat, rest) {
            match clauses.next() {
                Some(clause) => rest = clause,
                None => return Ok(sentence),
            }
            continue;
        }
        let awaited = sentence.game.awaiting().includes(seat);
        if behind == Behind::Keep && (revealing.is_some() || !awaited && !sentence.notations.is_empty()) {
            let left: Vec<&str> = std::iter::once(rest).chain(clauses).collect();
            for clause in &left {
                let readable = sentence.game.check_plan(seat, clause);
                readable.map_err(|error| SentenceError::Action {
                    played: sentence.notations.clone(),
                    error,
                })?;
            }
            sentence.rest = Some(left.join("; "));
            return Ok(sentence);
        }
        if let Some(action) = revealing {
            return Err(SentenceError::Reveals { action });
        }
        let game = &mut sentence.game;
        let read = game.parse(seat, rest);
        let aside = matches!(&read, Ok((action, _)) if game.is_aside(seat, action));
        if !awaited && !aside {
            return Err(if sentence.notations.is_empty() {
                SentenceError::NotAwaited
            } else {
                SentenceError::TurnOver {
                    played: sentence.notations,
                    rest: excerpt(rest),
                }
            });
        }
        let refuse = |played: &[String], error| SentenceError::Action {
            played: played.to_vec(),
            error,
        };
        let (action, tail) = read.map_err(|error| refuse(&sentence.notations, error))?;
        sentence.aside &= aside;
        if !aside && !game.is_legal(seat, &action) {
            let error = NotationError::illegal(format!("`{}` isn't possible here.", excerpt(rest)));
            return Err(refuse(&sentence.notations, error));
        }
        if sentence.actions.len() == MOST {
            return Err(SentenceError::TooLong);
        }
        let notation = game.notate(seat, &action);
        sentence.stirs |= game.stirs(&action);
        let mut rng = seed.at(step + sentence.actions.len() as u64);
        game.play(seat, &action, &mut rng, &mut sentence.told);
        if rng.drawn() > 0 {
            sentence.told.reveal();
        }
        if sentence.told.ends_sentence(seat) {
            revealing = Some(notation.clone());
        }
        sentence.actions.push(action);
        sentence.notations.push(notation);
        rest = tail.trim();
        is_tail = !rest.is_empty();
        if !is_tail {
            match clauses.next() {
                Some(clause) => rest = clause,
                None => return Ok(sentence),
            }
        }
    }
}
