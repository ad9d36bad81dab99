//! What a game is.
//!
//! [`Game`] is the contract that the rules of every game keep and that everything else is built on:
//! matches, pictures, search, the laws in `tests/rules/laws.rs`. A game is a position. It knows seats, not
//! people; steps, not time; actions, not messages. Chance comes in as an argument
//! ([`GameRng`], made of the match's seed and the step), so that options, seats, seed and actions
//! give the same position on every machine, for ever.
//!
//! # The laws
//! For every game, seat count and option:
//! 1. a seat has legal actions if and only if it is awaited, and somebody is until the outcome;
//! 2. legal lists are sorted, free of doubles, and everything in them is accepted;
//! 3. `parse(notate(a)) = a`, and no two legal actions share a notation;
//! 4. saving, loading and saving again gives the same bytes;
//! 5. seed and log replay to the same position;
//! 6. a refused action leaves the position as it was;
//! 7. a determinized world looks the same to the seat it was made for;
//! 8. whatever a seat is shown is equal across two worlds it can't tell apart;
//! 9. simultaneous choices commute;
//! 10. the game ends within its bound;
//! 11. no view contains the seed;
//! 12. no text makes a parser panic;
//! 13. a save that was tampered with is refused, or is a position on which everything works;
//! 14. every legal action can be entered by touching spots of the pictures and choices beside them, and nothing else.
//!
//! More is tested with them, in the words of those who play: everything that is legal can be picked word by word, somebody
//! who leaves is gone, and text board and alt text say what is asked.
//!
//! # A save is untrusted
//! Saves lie on a disk, travel in backups and outlive the program that wrote them, so a game loads them as it reads what
//! somebody typed. `Deserialize` refuses whatever its other methods could not go on from: a seat that is not at the
//! table, a cell off the board, an index past the end of a list, lists that don't fit each other, numbers at which
//! arithmetic overflows, a running game whose player to move has no move. The usual way is a plain type that is
//! written and read, `#[serde(try_from = "Saved")]` on the game, and all checks in that one `TryFrom`. Events are kept
//! as well, for the next picture: what they name need not be on the board any more, and drawing them must not panic.
//!
//! # Asides
//! In a game that is played over days players may say privately when they want to be asked: an aside
//! ([`Game::is_aside`]). It is a step of the match, so that the match replays, but it is in no list of legal actions,
//! may be said by anybody at any time, and changes nothing that anybody else sees; what the game then passes over
//! for that player looks as if they had passed themself.

pub mod awaiting;
pub mod cells;
pub mod chronicle;
pub mod collection;
pub mod completion;
pub mod explore;
pub mod guide;
pub mod insight;
pub mod nearest;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod rng;
pub mod seat;
pub mod sentence;
pub mod token;
pub mod touch;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use awaiting::Awaiting;
pub use chronicle::{Chronicle, Silent, Told};
pub use collection::Collection;
pub use guide::{Way, Word};
pub use insight::Insight;
pub use notation::{Illegal, NotationError};
pub use options::{OptionKind, OptionSpec, OptionValues};
pub use outcome::Outcome;
pub use rng::{GameRng, Seed};
pub use seat::{MAX_SEATS, Seat, SeatSet, Viewer};

/// What is known of a game before anybody plays it.
#[derive(Debug)]
pub struct Meta {
    /// The name in commands and records, for good: `phwar`.
    pub id: &'static str,
    /// The name in print: "Phwar".
    pub name: &'static str,
    /// One line that makes somebody want to play it.
    pub tagline: &'static str,
    /// Whom we thank for the game.
    pub designer: &'static str,
    /// A move as players write it, legal in the opening with the usual options: `F3-F5`.
    pub example: &'static str,
    pub seats: RangeInclusive<u8>,
    pub information: Information,
    pub turn_length: TurnLength,
    /// Raised with every change that could make an old log replay differently; see [`Game::OLDEST_RULES`].
    pub rules_version: u16,
    /// No game takes more actions than this.
    pub bound: u32,
    pub options: &'static [OptionSpec],
    /// The clock that the rulebook plays with, as it is typed, if it has one: `live 5m`.
    pub rulebook_clock: Option<&'static str>,
}

impl Meta {
    /// Whether a match has so much to tell that it is better told apart from other talk: hands that change, or several
    /// actions a turn.
    pub const fn tells_much(&self) -> bool {
        matches!(self.information, Information::Hidden) || matches!(self.turn_length, TurnLength::Several)
    }
}

/// How much is done in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnLength {
    /// One action, and it is somebody else's turn.
    One,
    /// Several actions in a row.
    Several,
}

/// Whether all is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Information {
    /// Everybody sees everything.
    Perfect,
    /// Seats have secrets, at least under some options.
    Hidden,
}

/// What a lapsed clock led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lapse {
    /// The player is out.
    Left,
    /// The game took the silence for an answer.
    Answered,
}

/// A position of one game, with its rules.
///
/// `Deserialize` is part of the contract: a save is untrusted, see [the module](self#a-save-is-untrusted).
///
/// # Example
/// The rules of a whole game:
/// ```
#[doc = include_str!("nim.example.rs")]
///
/// let mut nim = Nim::new(&OptionValues::defaults(&[]), 2, &mut GameRng::quick(1));
/// let (first, second) = (Seat::new(0), Seat::new(1));
/// assert_eq!(nim.legal_actions(first), [1, 2, 3]);
/// assert_eq!(nim.parse(first, " 3 "), Ok((3, "")));
/// nim.apply(first, &3, &mut GameRng::quick(1)).unwrap();
/// assert_eq!(nim.awaiting(), Awaiting::Turn(second));
/// // A save of a match that nobody plays is refused.
/// assert!(serde_json::from_str::<Nim>(r#"{"stones":18,"to_move":3,"winner":null}"#).is_err());
/// ```
pub trait Game: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    const META: &'static Meta;

    /// What players may browse and build lists of before they play, if there is such a thing.
    const COLLECTION: Option<&'static dyn Collection> = None;

    /// One small decision. The order is the order of legal lists.
    type Action: Clone + Ord + Debug + Send + Sync;
    /// Something that happened, with all that any viewer might be told of it.
    type Event: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// A position as one viewer knows it, built up from what that viewer may know.
    type View: Clone + PartialEq + Debug + Serialize + Send + Sync;

    /// Whether the data that comes with the game, such as files of cards, can be read. The program asks before it
    /// opens anything and does not start on an error, which names file and line.
    fn check_data() -> Result<(), String> {
        Ok(())
    }

    /// Whether something is left to chance under these options, so that the seed matters and players are shown its seal.
    /// Games with secrets usually shuffle; a game with open dice says so here.
    fn has_chance(options: &OptionValues) -> bool {
        let _ = options;
        Self::META.information == Information::Hidden
    }

    /// Whether players hold something under these options that others must not see.
    fn hides(options: &OptionValues) -> bool {
        let _ = options;
        Self::META.information == Information::Hidden
    }

    /// About how many moves a match takes under these options, all players together; nothing if nobody has counted.
    fn usual_moves(options: &OptionValues) -> Option<u32> {
        let _ = options;
        None
    }

    /// The opening. `seats` lies within [`Meta::seats`].
    fn new(options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self;

    /// The oldest version of the rules that is still known: matches begun under it go on under it.
    const OLDEST_RULES: u16 = Self::META.rules_version;

    /// The opening under a version of the rules from [`Game::OLDEST_RULES`] to [`Meta::rules_version`]. The position
    /// remembers it, and so does its save.
    fn new_under(rules_version: u16, options: &OptionValues, seats: u8, rng: &mut GameRng) -> Self {
        let _ = rules_version;
        Self::new(options, seats, rng)
    }

    fn seats(&self) -> u8;

    fn awaiting(&self) -> Awaiting;

    /// Appends the legal actions of `seat`, sorted; none unless it is awaited.
    fn legal_into(&self, seat: Seat, out: &mut Vec<Self::Action>);

    /// Plays an action that is known to be legal: the fast path, for search. Everything that takes
    /// actions from outside goes through [`Game::apply`] or [`sentence::play_sentence`].
    fn play<C: Chronicle<Self::Event>>(
        &mut self,
        seat: Seat,
        action: &Self::Action,
        rng: &mut GameRng,
        told: &mut C,
    );

    /// The player of `seat` leaves: resigns, or has run out of time. Nothing happens if the game is
    /// over or that player has left before.
    fn withdraw<C: Chronicle<Self::Event>>(&mut self, seat: Seat, rng: &mut GameRng, told: &mut C);

    /// The end, once there is one.
    fn outcome(&self) -> Option<Outcome>;

    fn view(&self, viewer: Viewer) -> Self::View;

    /// What `viewer` may know of an event; `None` if not even that it happened. Games with open
    /// information tell everybody everything.
    fn witness(event: &Self::Event, viewer: Viewer) -> Option<Self::Event> {
        let _ = viewer;
        Some(event.clone())
    }

    /// The canonical notation of a legal action: one line, no semicolon.
    fn notate(&self, seat: Seat, action: &Self::Action) -> String;

    /// Reads one action from the front of what a player typed and returns what is left of it. Kind to
    /// case, spacing and order. The action need not be legal, but where the text can be read in
    /// several ways a legal one is preferred, and a refusal says what to do instead.
    fn parse<'t>(&self, seat: Seat, text: &'t str) -> Result<(Self::Action, &'t str), NotationError>;

    /// The ways in which a player may pick an action word by word; see [`guide`].
    fn paths(&self, seat: Seat, action: &Self::Action) -> Vec<Vec<Word>> {
        let words = self.notate(seat, action);
        vec![
            words
                .split_whitespace()
                .map(|word| Word::new("What next?", word))
                .collect(),
        ]
    }

    /// What an action does, in a few words and from what `seat` knows, for lists in which it is found by any of its words:
    /// "Relay on b5, facing north: sends 2". No two legal actions have the same. By default what is picked on the way.
    fn label(&self, seat: Seat, action: &Self::Action) -> String {
        let path = self.paths(seat, action).into_iter().next().unwrap_or_default();
        let labels: Vec<String> = path.into_iter().map(|word| word.label).collect();
        labels.join(" ")
    }

    /// Words that players type for what labels call otherwise: `take` and the `captures` of a label.
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[];

    /// The ways to all that a player may pick: the legal actions one by one, unless a game spells several of them as one
    /// sentence, because people decide them together. Each sentence can be played, and each legal action is in one of them.
    fn ways(&self, seat: Seat) -> Vec<Way> {
        let mut ways = Vec::new();
        for action in self.legal_actions(seat) {
            let sentence = self.notate(seat, &action);
            ways.extend(self.paths(seat, &action).into_iter().map(|words| Way {
                words,
                sentence: sentence.clone(),
            }));
        }
        ways
    }

    /// The same for whoever touches these spots of a picture, in this order. What can't be listed, such as every choice among
    /// many pieces, is spelt out as it is touched: the ways on which all of those pieces lie, and those with one more. A spot that
    /// is none of them says nothing of it.
    fn ways_touched(&self, seat: Seat, touched: &[&str]) -> Vec<Way> {
        let _ = touched;
        self.ways(seat)
    }

    /// Actions of one player, played one after the other, as one sentence that a person would type.
    fn joined(notations: &[String]) -> String {
        notations.join("; ")
    }

    /// What an action is good for, in a few words without a full stop, where the narration of what happens doesn't say it.
    fn purpose(&self, seat: Seat, action: &Self::Action) -> Option<String> {
        let _ = (seat, action);
        None
    }

    /// A world that `seat` can't tell from this one, each equally likely as far as that is feasible.
    fn determinize(&self, seat: Seat, rng: &mut GameRng) -> Self {
        let _ = (seat, rng);
        self.clone()
    }

    /// The legal actions of `seat` in a list of their own.
    fn legal_actions(&self, seat: Seat) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.legal_into(seat, &mut actions);
        actions
    }

    fn is_legal(&self, seat: Seat, action: &Self::Action) -> bool {
        self.legal_actions(seat).binary_search(action).is_ok()
    }

    /// Whether an action is an aside: a private wish of a player that may be uttered at any time, whoever is
    /// awaited. It is in no legal list, nobody else hears of it, and it changes nothing that anybody else sees.
    fn is_aside(&self, seat: Seat, action: &Self::Action) -> bool {
        let _ = (seat, action);
        false
    }

    /// Whether the rest of a sentence is kept for later where it can't go on, or the whole of it refused.
    const KEEPS_QUEUES: bool = false;

    /// Whether a clause that is kept for later can be read at all, whatever the position will be then. A game that
    /// keeps queues reads the whole of it here.
    fn check_plan(&self, seat: Seat, clause: &str) -> Result<(), NotationError> {
        match self.parse(seat, clause) {
            Err(error @ NotationError::Unreadable { .. }) => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether a clause that `seat` has said behind a decision of theirs is moot: what it was meant for was not asked and
    /// will not be, since there was nothing to decide, or it is over. Such a clause is left out, of a sentence and of what
    /// was kept for later, so that it answers nothing else. Only what `seat` may know counts.
    fn is_moot(&self, seat: Seat, clause: &str) -> bool {
        let _ = (seat, clause);
        false
    }

    /// The clock of `seat` has run out. Most games can't go on without an answer: there it means leaving.
    fn lapse<C: Chronicle<Self::Event>>(&mut self, seat: Seat, rng: &mut GameRng, told: &mut C) -> Lapse {
        self.withdraw(seat, rng, told);
        Lapse::Left
    }

    /// Whether an action is something that others may want to answer; what they have said in advance is void then.
    fn stirs(&self, action: &Self::Action) -> bool {
        let _ = action;
        true
    }

    /// What `seat` has privately said in advance for what it is asked now, by a standing order: a legal action. It is played
    /// as if the player said it in that moment.
    fn foresaid(&self, seat: Seat) -> Option<Self::Action> {
        let _ = seat;
        None
    }

    /// How many turns have begun, where a turn takes decisions of several players: how often it changes hands is counted
    /// against it. Nothing where a turn is one player's own.
    fn turns(&self) -> Option<u32> {
        None
    }

    /// How many legal actions `seat` has.
    fn count_legal(&self, seat: Seat) -> usize {
        self.legal_actions(seat).len()
    }

    /// A random legal action, each equally likely; `buffer` is scratch space. Which one the same
    /// chance picks depends on the position alone.
    fn pick(&self, seat: Seat, rng: &mut GameRng, buffer: &mut Vec<Self::Action>) -> Option<Self::Action> {
        buffer.clear();
        self.legal_into(seat, buffer);
        if buffer.is_empty() {
            return None;
        }
        Some(buffer.swap_remove(rng.quick_below(buffer.len())))
    }

    /// Plays an action if it is legal; otherwise nothing changes.
    fn apply(
        &mut self,
        seat: Seat,
        action: &Self::Action,
        rng: &mut GameRng,
    ) -> Result<Vec<Self::Event>, Illegal> {
        if !self.is_legal(seat, action) {
            return Err(Illegal);
        }
        let mut told = Told::new();
        self.play(seat, action, rng, &mut told);
        Ok(told.events)
    }
}
