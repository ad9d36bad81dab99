//! The games there are, and tables at which one of them is played.
//!
//! This is the only list of games and the only place where they lose their types: a [`Table`] wraps
//! any game behind canonical notation, so that matches, chat and adapters know no game by name.
//!
//! A program of its own can offer more games: see [`add`].

use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{PoisonError, RwLock};

use serde::{Deserialize, Serialize};

use crate::ai::{self, Agent, Errand, Thought};
use crate::draw::palette::Theme;
use crate::draw::png::PngError;
use crate::draw::{Canvas, HandText, Illustration, Marks, Prose, RulesText, Scene, Show, Spot};
use crate::game::collection::Showpiece;
use crate::game::completion::{Completion, complete};
use crate::game::guide::{Guide, guide};
use crate::game::nearest::nearest;
use crate::game::sentence::{
    Behind, Sentence, SentenceError, begin_sentence, clauses, play_sentence, still_to_say,
};
use crate::game::touch::{Touch, Touched, touch_among};
use crate::game::{
    Awaiting, Collection, Game, GameRng, Insight, Lapse, Meta, NotationError, OptionValues, Outcome, Seat,
    SeatSet, Seed, Told, Viewer, Way, Word, explore,
};
use crate::games::breaker::Breaker;
use crate::games::fabric::Fabric;
use crate::games::glyphgrid::GlyphGrid;
use crate::games::phase::Phase;
use crate::games::phwar::Phwar;
use crate::text;

/// The games of this crate, in the order in which they are offered. To add one, add its line.
static BUILT_IN: &[&Entry] = &[
    &Entry::of::<Phwar>(),
    &Entry::of::<Fabric>(),
    &Entry::of::<GlyphGrid>(),
    &Entry::of::<Breaker>(),
    &Entry::of::<Phase>(),
];

/// All games: those of this crate, and those that the program added.
static GAMES: RwLock<&'static [&'static Entry]> = RwLock::new(BUILT_IN);

/// All games, in the order in which they are offered.
pub fn games() -> impl ExactSizeIterator<Item = &'static Entry> + Clone {
    let all: &'static [&'static Entry] = *GAMES.read().unwrap_or_else(PoisonError::into_inner);
    all.iter().copied()
}

/// Offers another game, behind those that are there. Do it first of all: a platform is told the games when it is
/// connected. [`crate::cli::run_with`] does it for a whole program.
pub fn add(entry: Entry) -> Result<(), NameTaken> {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    let taken = |name: &&str| games.iter().any(|known| known.is_called(name));
    if let Some(name) = [entry.meta.id, entry.meta.name].iter().find(|name| taken(name)) {
        return Err(NameTaken(name));
    }
    // The catalog lives as long as the program.
    let added: &'static Entry = Box::leak(Box::new(entry));
    *games = Box::leak(games.iter().copied().chain([added]).collect());
    Ok(())
}

/// Whether every game can read the data that comes with it. A program that goes on without it would play another game
/// than it tells.
pub fn check() -> Result<(), BrokenData> {
    check_each(games())
}

fn check_each(games: impl Iterator<Item = &'static Entry>) -> Result<(), BrokenData> {
    for entry in games {
        let game = entry.meta.id;
        (entry.check_data)().map_err(|reason| BrokenData { game, reason })?;
    }
    Ok(())
}

/// What comes with a game can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {reason}")]
pub struct BrokenData {
    pub game: &'static str,
    pub reason: String,
}

/// Two games can't have one name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a game `{0}` already")]
pub struct NameTaken(pub &'static str);

/// A game that can be played here.
pub struct Entry {
    pub meta: &'static Meta,
    /// What players may browse and build lists of before they play.
    pub collection: Option<&'static dyn Collection>,
    /// What players are told when a match with hidden hands begins.
    pub welcome: &'static str,
    rules: &'static str,
    illustration: fn(&str) -> Option<Illustrated>,
    check_data: fn() -> Result<(), String>,
    joined: fn(&[String]) -> String,
    showpiece: fn(&Showpiece, Theme) -> Option<Canvas>,
    showpiece_alt: fn(&Showpiece) -> String,
    has_chance: fn(&OptionValues) -> bool,
    hides: fn(&OptionValues) -> bool,
    usual_moves: fn(&OptionValues) -> Option<u32>,
    oldest_rules: u16,
    open: fn(u16, &OptionValues, u8, &Seed) -> Box<dyn Table>,
    load: fn(&str) -> Result<Box<dyn Table>, serde_json::Error>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.meta.id).finish()
    }
}

/// Two entries are the same if they are of the same game.
impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.meta.id == other.meta.id
    }
}

impl Eq for Entry {}

/// The game of this id, or of this name; spelling counts, case, spaces and hyphens do not.
pub fn find(name: &str) -> Result<&'static Entry, UnknownGame> {
    let found = games().find(|entry| entry.is_called(name));
    found.ok_or_else(|| UnknownGame {
        name: crate::game::notation::excerpt(name),
        near: nearest(name, games().flat_map(|entry| [entry.meta.id, entry.meta.name])),
    })
}

/// No game is called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there's no game `{name}`{}", known_games(*near))]
pub struct UnknownGame {
    pub name: String,
    pub near: Option<&'static str>,
}

fn known_games(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None => {
            let ids: Vec<&str> = games().map(|entry| entry.meta.id).collect();
            format!("; the games are {}", text::list(ids))
        }
    }
}

/// Why a table could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("{game} takes {} players, not {asked}", seat_range(*least, *most))]
    Seats {
        game: &'static str,
        least: u8,
        most: u8,
        asked: u8,
    },
    #[error("this was played by version {asked} of {game}'s rules, and I know {}", versions(*oldest, *newest))]
    Rules {
        game: &'static str,
        asked: u16,
        oldest: u16,
        newest: u16,
    },
}

fn versions(oldest: u16, newest: u16) -> String {
    if oldest == newest {
        format!("version {newest}")
    } else {
        format!("versions {oldest} to {newest}")
    }
}

fn seat_range(least: u8, most: u8) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

impl Entry {
    /// The entry of a game.
    pub const fn of<G: Show + Insight>() -> Self {
        Self {
            meta: G::META,
            collection: G::COLLECTION,
            welcome: G::WELCOME,
            rules: G::RULES,
            illustration: |name| Illustrated::of(G::illustration(name)?),
            check_data: G::check_data,
            joined: G::joined,
            showpiece: G::showpiece,
            showpiece_alt: G::showpiece_alt,
            has_chance: G::has_chance,
            hides: G::hides,
            usual_moves: G::usual_moves,
            oldest_rules: G::OLDEST_RULES,
            open: |rules, options, seats, seed| Box::new(Seated::<G>::open(rules, options, seats, seed)),
            load: |text| Ok(Box::new(serde_json::from_str::<Seated<G>>(text)?)),
        }
    }

    /// Whether this is the game's id or name; case, spaces and hyphens don't count.
    fn is_called(&self, name: &str) -> bool {
        let letters = |text: &str| -> String {
            let kept = text.chars().filter(|c| !matches!(c, ' ' | '-'));
            kept.flat_map(char::to_lowercase).collect()
        };
        let wanted = letters(name);
        letters(self.meta.id) == wanted || letters(self.meta.name) == wanted
    }

    /// Whether so many can play.
    pub fn check_seats(&self, seats: u8) -> Result<(), OpenError> {
        if self.meta.seats.contains(&seats) {
            return Ok(());
        }
        Err(OpenError::Seats {
            game: self.meta.name,
            least: *self.meta.seats.start(),
            most: *self.meta.seats.end(),
            asked: seats,
        })
    }

    /// Whether something is left to chance under these options, so that the seed matters.
    pub fn has_chance(&self, options: &OptionValues) -> bool {
        (self.has_chance)(options)
    }

    /// Whether players hold something under these options that others must not see.
    pub fn hides(&self, options: &OptionValues) -> bool {
        (self.hides)(options)
    }

    /// About how many moves a match takes under these options, all players together, if somebody has counted.
    pub fn usual_moves(&self, options: &OptionValues) -> Option<u32> {
        (self.usual_moves)(options)
    }

    /// Starts a game.
    pub fn open(&self, options: &OptionValues, seats: u8, seed: &Seed) -> Result<Box<dyn Table>, OpenError> {
        self.open_under(self.meta.rules_version, options, seats, seed)
    }

    /// Starts a game as it was started under an older version of the rules.
    pub fn open_under(
        &self,
        rules_version: u16,
        options: &OptionValues,
        seats: u8,
        seed: &Seed,
    ) -> Result<Box<dyn Table>, OpenError> {
        self.check_seats(seats)?;
        if !(self.oldest_rules..=self.meta.rules_version).contains(&rules_version) {
            return Err(OpenError::Rules {
                game: self.meta.name,
                asked: rules_version,
                oldest: self.oldest_rules,
                newest: self.meta.rules_version,
            });
        }
        Ok((self.open)(rules_version, options, seats, seed))
    }

    /// Takes a game up again from what [`Table::save`] wrote.
    pub fn load(&self, text: &str) -> Result<Box<dyn Table>, serde_json::Error> {
        (self.load)(text)
    }

    /// Actions of one player, in canonical notation, as one sentence that a person would type.
    pub fn joined(&self, notations: &[String]) -> String {
        (self.joined)(notations)
    }

    /// Something of the game's collection as a picture; nothing if there is no such thing.
    pub fn showpiece(&self, piece: &Showpiece, theme: Theme) -> Option<Result<Vec<u8>, PngError>> {
        (self.showpiece)(piece, theme).map(|picture| picture.to_png())
    }

    /// What somebody who can't see that picture is told.
    pub fn showpiece_alt(&self, piece: &Showpiece) -> String {
        (self.showpiece_alt)(piece)
    }

    pub fn rules(&self) -> RulesText {
        RulesText::parse(self.rules)
    }

    /// What a picture of the rules shows; nothing if there is no such picture.
    pub fn illustration(&self, name: &str) -> Option<Illustrated> {
        (self.illustration)(name)
    }
}

/// What a picture of the rules shows, whichever the game.
#[derive(Debug)]
pub enum Illustrated {
    Table(Box<dyn Table>),
    Showpiece(Showpiece),
}

impl Illustrated {
    /// Plays what leads to the position. Nothing if it can't be played: the tests look.
    fn of<G: Show + Insight>(illustration: Illustration<G>) -> Option<Self> {
        let (start, moves) = match illustration {
            Illustration::Position { start, moves } => (start, moves),
            Illustration::Showpiece(piece) => return Some(Self::Showpiece(piece)),
        };
        let mut table = Seated::starting(start);
        let seed = Seed::from_text("the rules");
        for (sentence, step) in moves.iter().zip(1..) {
            let seat = table.awaiting().seats().iter().next()?;
            table.play(seat, sentence, &seed, step).ok()?;
        }
        Some(Self::Table(Box::new(table)))
    }
}

/// How somebody wants to see the board.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    pub viewer: Viewer,
    /// The seat from whose side the board is drawn.
    pub side: Seat,
    pub theme: Theme,
    /// The players' names, one a seat.
    pub names: &'a [String],
    /// The words that the viewer has picked so far, while they pick an action word by word.
    pub picking: Option<&'a [String]>,
}

impl<'a> Frame<'a> {
    /// As a viewer sees it from their own side, in the usual theme.
    pub const fn new(viewer: Viewer, names: &'a [String]) -> Self {
        let side = match viewer {
            Viewer::Seat(seat) => seat,
            Viewer::Public | Viewer::Omniscient => Seat::new(0),
        };
        Self {
            viewer,
            side,
            theme: Theme::Light,
            names,
            picking: None,
        }
    }

    /// For sentences in which players are seats: nothing of it is drawn.
    const fn nameless(viewer: Viewer) -> Self {
        Self::new(viewer, &[])
    }
}

/// A sentence that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its actions in canonical notation.
    pub actions: Vec<String>,
    /// Whether chance spoke or somebody saw something hidden: then it can't be taken back.
    pub revealed: bool,
    /// Whether the player learnt something by it, so that it can't be tried and no sentence goes on behind it.
    pub taught: bool,
    /// Whose private wishes decided what followed: others see that they did.
    pub heeded: SeatSet,
    /// What was noted, if it was a private wish that nobody else hears of.
    pub aside: Option<Prose>,
    /// What the player alone has learnt by it.
    pub learnt: Option<Prose>,
    /// Whether others may want to answer it, so that what they said in advance is void.
    pub stirs: bool,
    /// What is left of it for later.
    pub rest: Option<String>,
}

/// What a player can know of an action before it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// What happens, as the player would be told it, as far as that is certain.
    pub narration: Prose,
    /// Whether that is all of it.
    pub whole: bool,
    /// What it is good for, where the narration doesn't say it.
    pub purpose: Option<String>,
}

/// What a text is, as far as its first action tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Nothing of this game, or nothing that can be said now.
    Nothing,
    /// A move, be it legal or not.
    Move,
    /// A private wish, which can be said at any time.
    Aside,
}

/// In how many imagined worlds an action is tried before anything is called certain. Two ways that chance may go look
/// the same in all of them once in thirty thousand times.
const WORLDS: u64 = 16;

/// A game in progress, whichever it is.
pub trait Table: Send + Sync + fmt::Debug {
    fn meta(&self) -> &'static Meta;
    fn seats(&self) -> u8;
    fn awaiting(&self) -> Awaiting;
    fn outcome(&self) -> Option<Outcome>;
    /// What a seat has privately said in advance for what it is asked now, in canonical notation.
    fn foresaid(&self, seat: Seat) -> Option<String>;
    /// How many turns have begun, in games whose turns take decisions of several players.
    fn turns(&self) -> Option<u32>;

    /// The legal actions of a seat in canonical notation, in order.
    fn legal(&self, seat: Seat) -> Vec<String>;
    /// What can follow the words picked so far.
    fn guide(&self, seat: Seat, picked: &[&str]) -> Guide;
    /// Legal actions that what was typed may mean, at most so many, the likeliest first.
    fn complete(&self, seat: Seat, typed: &str, limit: usize) -> Vec<Completion>;

    /// What a sentence is for a seat, by its first action; nothing is played.
    fn reads(&self, seat: Seat, sentence: &str) -> Reading;
    /// Whether a text may be meant as something of this game, now or at another time, or is a slip away from it. Whoever
    /// has secrets would not want it said aloud.
    fn resembles(&self, seat: Seat, sentence: &str) -> bool;
    /// Plays one or more actions, all or none. `step` is the step of the first.
    fn play(&mut self, seat: Seat, sentence: &str, seed: &Seed, step: u64) -> Result<Played, SentenceError>;
    /// The same, but what can't be played in one go is left for later, if the game has queues.
    fn begin(&mut self, seat: Seat, sentence: &str, seed: &Seed, step: u64) -> Result<Played, SentenceError>;
    /// What is still to be said of what a seat has left for later, if anything is.
    fn still_to_say(&self, seat: Seat, plan: &str) -> Option<String>;
    /// The clock of a seat has run out.
    fn lapse(&mut self, seat: Seat, seed: &Seed, step: u64) -> Lapse;
    /// The player of a seat leaves.
    fn withdraw(&mut self, seat: Seat, seed: &Seed, step: u64);

    /// If one of these seats acted last, what they reply to is shown beside the reply.
    fn show_with_replies(&mut self, replying: SeatSet);

    /// The position as one viewer knows it.
    fn view(&self, viewer: Viewer) -> serde_json::Value;
    /// What happened in the last sentence, as one viewer may be told it.
    fn narration(&self, viewer: Viewer) -> Prose;
    /// What is asked now, and of whom, as one viewer may be told it; nothing once the game is over.
    fn ask(&self, viewer: Viewer) -> Prose;
    /// The title of the section of the rules that helps with what is asked now, as far as one viewer may know.
    fn helpful_rules(&self, viewer: Viewer) -> Option<&'static str>;
    /// How the game ended and why; nothing before.
    fn result(&self) -> Prose;
    /// The board as it is drawn.
    fn canvas(&self, frame: &Frame<'_>) -> Canvas;
    /// The same as a PNG file.
    fn picture(&self, frame: &Frame<'_>) -> Result<Vec<u8>, PngError> {
        self.canvas(frame).to_png()
    }
    fn text(&self, frame: &Frame<'_>) -> String;
    fn alt(&self, frame: &Frame<'_>) -> String;
    /// The private hand of the frame's viewer in words, if the game has hands.
    fn hand(&self, frame: &Frame<'_>) -> Option<HandText>;
    fn hand_picture(&self, frame: &Frame<'_>) -> Result<Option<Vec<u8>>, PngError>;
    /// What can be touched in the picture of this frame.
    fn spots(&self, frame: &Frame<'_>) -> Vec<Spot>;
    /// What can be touched in the picture of the hand.
    fn hand_spots(&self, frame: &Frame<'_>) -> Vec<Spot>;
    /// What `seat` can play, word by word.
    fn ways(&self, seat: Seat) -> Vec<Way>;
    /// What `seat` means by touching things in its board and its hand.
    fn touch(&self, seat: Seat, touches: &[Touch]) -> Touched;

    /// Everything, to be taken up again by [`Entry::load`]. Holds secrets.
    fn save(&self) -> Result<String, serde_json::Error>;
    fn copy(&self) -> Box<dyn Table>;
    /// A world that `seat` can't tell from this one.
    fn imagine(&self, seat: Seat, rng: &mut GameRng) -> Box<dyn Table>;
    /// What comes of a legal action, from what `seat` knows. Nothing is looked up: it is tried in worlds that the seat
    /// can't tell from this one, with chance of their own, and what happens in all of them is told.
    fn foresee(&self, seat: Seat, action: &str, chance: u64) -> Option<Foresight>;
    /// What the bot would play for `seat`, in canonical notation, from what that seat knows.
    fn think(&self, seat: Seat, errand: &Errand<'_>) -> Option<Thought<String>>;
    /// What a player made of code plays for `seat`: the same for any of them, as arenas need it.
    fn act(&self, seat: Seat, agent: &Agent, seed: u64, stop: &AtomicBool) -> Option<Thought<String>>;
    /// What the seat may expect of each of some legal actions, from 0 to 1, as far as a player made of code can tell from what
    /// the seat knows. All are weighed alike, and each takes as long as a decision.
    fn weigh(
        &self,
        seat: Seat,
        actions: &[&str],
        agent: &Agent,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<f32>>;
    /// How many sequences of `depth` actions there are from here.
    fn perft(&self, depth: u32) -> u64;
}

/// What the last word of an action is called and means where somebody picks it, if that is more than the word itself.
fn label_of(path: &[Word]) -> Option<String> {
    let Word {
        text, label, help, ..
    } = path.last()?;
    match help.as_str() {
        "" => (label != text).then(|| label.clone()),
        help => Some(format!("{label}: {help}")),
    }
}

/// A game with what happened last.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
struct Seated<G: Game> {
    game: G,
    /// The events since the turn came to `actor`.
    recent: Vec<G::Event>,
    /// Where in `recent` the last sentence begins.
    latest: usize,
    actor: Option<Seat>,
    /// The turns before, oldest first: one less than there are seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<PastTurn<G>>,
}

/// What somebody did before the turn came to the last actor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
struct PastTurn<G: Game> {
    actor: Seat,
    events: Vec<G::Event>,
}

/// The most events of one turn that are remembered when it is over: what came last is what counts.
const MOST_PAST_EVENTS: usize = 24;

impl<G: Show> Seated<G> {
    fn open(rules_version: u16, options: &OptionValues, seats: u8, seed: &Seed) -> Self {
        Self::starting(G::new_under(rules_version, options, seats, &mut seed.at(0)))
    }

    /// A game of which nothing has happened yet.
    const fn starting(game: G) -> Self {
        Self {
            game,
            recent: Vec::new(),
            latest: 0,
            actor: None,
            earlier: Vec::new(),
        }
    }

    fn remember(&mut self, actor: Option<Seat>, events: Vec<G::Event>) {
        if actor != self.actor || actor.is_none() {
            let mut events = std::mem::take(&mut self.recent);
            match self.actor.filter(|_| actor.is_some()) {
                Some(actor) => {
                    events.drain(..events.len().saturating_sub(MOST_PAST_EVENTS));
                    self.earlier.push(PastTurn { actor, events });
                }
                None => self.earlier.clear(),
            }
            let most = usize::from(self.game.seats()).saturating_sub(1);
            self.earlier.drain(..self.earlier.len().saturating_sub(most));
            self.actor = actor;
        }
        self.latest = self.recent.len();
        self.recent.extend(events);
    }

    /// Takes up a sentence that was played on a copy.
    fn take(&mut self, seat: Seat, sentence: Sentence<G>) -> Played {
        let told = &sentence.told;
        let witnessed = Self::witnessed(&told.events, Viewer::Seat(seat));
        let noted = || G::narrate(&witnessed);
        let learnt = G::learnt(&witnessed);
        let played = Played {
            revealed: told.revealed,
            taught: told.ends_sentence(seat),
            heeded: told.heeded,
            aside: sentence.aside.then(noted),
            learnt: (!learnt.is_empty()).then_some(learnt),
            actions: sentence.notations,
            stirs: sentence.stirs,
            rest: sentence.rest,
        };
        self.game = sentence.game;
        // What was said aside leaves no trace that others could see.
        if !sentence.aside {
            self.remember(Some(seat), sentence.told.events);
        }
        played
    }

    /// The share of some events that a viewer may know.
    fn witnessed(events: &[G::Event], viewer: Viewer) -> Vec<G::Event> {
        events
            .iter()
            .filter_map(|event| G::witness(event, viewer))
            .collect()
    }

    /// What a viewer may be shown of what can be done.
    fn marks(&self, frame: &Frame<'_>, view: &G::View) -> Marks {
        let seat = match (frame.viewer, self.game.awaiting()) {
            (Viewer::Seat(seat), awaiting) if awaiting.includes(seat) => seat,
            (_, Awaiting::Turn(seat)) if frame.picking.is_none() && G::choices_are_open(view) => seat,
            _ => return Marks::default(),
        };
        Marks::of(&self.game, seat, frame.picking)
    }

    /// What a viewer is shown of the position, with marks.
    fn show<T>(&self, frame: &Frame<'_>, show: impl FnOnce(&Scene<'_, G>) -> T) -> T {
        let view = self.game.view(frame.viewer);
        self.show_with(frame, &view, &self.marks(frame, &view), show)
    }

    /// What is said about the position to one viewer.
    fn say(&self, viewer: Viewer, say: impl FnOnce(&Scene<'_, G>) -> Prose) -> Prose {
        let view = self.game.view(viewer);
        self.show_with(&Frame::nameless(viewer), &view, &Marks::default(), say)
    }

    fn show_with<T>(
        &self,
        frame: &Frame<'_>,
        view: &G::View,
        marks: &Marks,
        show: impl FnOnce(&Scene<'_, G>) -> T,
    ) -> T {
        show(&Scene {
            view,
            marks,
            recent: &Self::witnessed(&self.recent, frame.viewer),
            awaiting: self.game.awaiting(),
            outcome: self.game.outcome().as_ref(),
            names: frame.names,
            viewer: frame.viewer,
            side: frame.side,
            theme: frame.theme,
        })
    }
}

impl<G: Show + Insight> Table for Seated<G> {
    fn meta(&self) -> &'static Meta {
        G::META
    }

    fn seats(&self) -> u8 {
        self.game.seats()
    }

    fn awaiting(&self) -> Awaiting {
        self.game.awaiting()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn foresaid(&self, seat: Seat) -> Option<String> {
        let action = self.game.foresaid(seat)?;
        Some(self.game.notate(seat, &action))
    }

    fn turns(&self) -> Option<u32> {
        self.game.turns()
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        let actions = self.game.legal_actions(seat);
        actions
            .iter()
            .map(|action| self.game.notate(seat, action))
            .collect()
    }

    fn guide(&self, seat: Seat, picked: &[&str]) -> Guide {
        guide(&self.game, seat, picked)
    }

    fn complete(&self, seat: Seat, typed: &str, limit: usize) -> Vec<Completion> {
        complete(&self.game, seat, typed, limit)
    }

    fn reads(&self, seat: Seat, sentence: &str) -> Reading {
        let Some(clause) = clauses(sentence).next() else {
            return Reading::Nothing;
        };
        let awaited = self.game.awaiting().includes(seat);
        match self.game.parse(seat, clause) {
            Ok((action, _)) if self.game.is_aside(seat, &action) => Reading::Aside,
            Ok(_) if awaited => Reading::Move,
            Err(error) if awaited && !matches!(error, NotationError::Unreadable { .. }) => Reading::Move,
            Ok(_) | Err(_) => Reading::Nothing,
        }
    }

    fn resembles(&self, seat: Seat, sentence: &str) -> bool {
        /// A move of more words has a number in it.
        const FEW: usize = 3;
        let Some(clause) = clauses(sentence).next() else {
            return false;
        };
        if !matches!(
            self.game.parse(seat, clause),
            Err(NotationError::Unreadable { .. })
        ) {
            return true;
        }
        let few = clause.split_whitespace().count() <= FEW;
        let verb = |text: &str| text.split_whitespace().next().unwrap_or_default().to_lowercase();
        let said = verb(clause);
        let now: Vec<String> = self.legal(seat).iter().map(|action| verb(action)).collect();
        let near = || nearest(&said, now.iter().map(String::as_str)).is_some();
        // What the rules write as something to type may be meant for later.
        let later = || {
            G::RULES
                .split('`')
                .skip(1)
                .step_by(2)
                .any(|typed| verb(typed) == said)
        };
        (few || clause.contains(|letter: char| letter.is_ascii_digit())) && (near() || later())
    }

    fn play(&mut self, seat: Seat, sentence: &str, seed: &Seed, step: u64) -> Result<Played, SentenceError> {
        let sentence = play_sentence(&self.game, seat, sentence, seed, step)?;
        Ok(self.take(seat, sentence))
    }

    fn begin(&mut self, seat: Seat, sentence: &str, seed: &Seed, step: u64) -> Result<Played, SentenceError> {
        let behind = if G::KEEPS_QUEUES {
            Behind::Keep
        } else {
            Behind::Refuse
        };
        let sentence = begin_sentence(&self.game, seat, sentence, seed, step, behind)?;
        Ok(self.take(seat, sentence))
    }

    fn still_to_say(&self, seat: Seat, plan: &str) -> Option<String> {
        still_to_say(&self.game, seat, plan)
    }

    fn lapse(&mut self, seat: Seat, seed: &Seed, step: u64) -> Lapse {
        let mut told = Told::new();
        let lapse = self.game.lapse(seat, &mut seed.at(step), &mut told);
        self.remember(None, told.events);
        lapse
    }

    fn withdraw(&mut self, seat: Seat, seed: &Seed, step: u64) {
        let mut told = Told::new();
        self.game.withdraw(seat, &mut seed.at(step), &mut told);
        self.remember(None, told.events);
    }

    fn show_with_replies(&mut self, replying: SeatSet) {
        let mut actor = self.actor;
        while actor.is_some_and(|actor| replying.contains(actor))
            && let Some(turn) = self.earlier.pop()
        {
            self.latest += turn.events.len();
            self.recent.splice(..0, turn.events);
            actor = Some(turn.actor);
        }
    }

    fn view(&self, viewer: Viewer) -> serde_json::Value {
        // A view is plain data with string keys; were it ever not, nothing is better than a panic.
        serde_json::to_value(self.game.view(viewer)).unwrap_or_default()
    }

    fn narration(&self, viewer: Viewer) -> Prose {
        let latest = self.recent.get(self.latest..).unwrap_or_default();
        G::narrate(&Self::witnessed(latest, viewer))
    }

    fn ask(&self, viewer: Viewer) -> Prose {
        self.say(viewer, |scene| G::ask(scene))
    }

    fn helpful_rules(&self, viewer: Viewer) -> Option<&'static str> {
        self.show(&Frame::nameless(viewer), |scene| G::helpful_rules(scene))
    }

    fn result(&self) -> Prose {
        self.say(Viewer::Public, |scene| G::result(scene))
    }

    fn canvas(&self, frame: &Frame<'_>) -> Canvas {
        self.show(frame, |scene| {
            if scene.marks.picking() {
                G::picking_picture(scene)
            } else {
                G::picture(scene)
            }
        })
    }

    fn text(&self, frame: &Frame<'_>) -> String {
        self.show(frame, |scene| G::text(scene))
    }

    fn alt(&self, frame: &Frame<'_>) -> String {
        self.show(frame, |scene| G::alt(scene))
    }

    fn hand(&self, frame: &Frame<'_>) -> Option<HandText> {
        self.show(frame, |scene| G::hand(scene))
    }

    fn hand_picture(&self, frame: &Frame<'_>) -> Result<Option<Vec<u8>>, PngError> {
        let picture = self.show(frame, |scene| G::hand_picture(scene));
        picture.map(|picture| picture.to_png()).transpose()
    }

    fn spots(&self, frame: &Frame<'_>) -> Vec<Spot> {
        self.show(frame, |scene| {
            if scene.marks.picking() {
                G::picking_spots(scene)
            } else {
                G::spots(scene)
            }
        })
    }

    fn hand_spots(&self, frame: &Frame<'_>) -> Vec<Spot> {
        self.show(frame, |scene| G::hand_spots(scene))
    }

    fn ways(&self, seat: Seat) -> Vec<Way> {
        self.game.ways(seat)
    }

    fn touch(&self, seat: Seat, touches: &[Touch]) -> Touched {
        let known: HashSet<String> = self.show(&Frame::nameless(Viewer::Seat(seat)), |scene| {
            let spots = [G::spots(scene), G::hand_spots(scene)].into_iter().flatten();
            spots.map(|spot| spot.word).collect()
        });
        let ways = |touched: &[&str]| self.game.ways_touched(seat, touched);
        touch_among(ways, touches, &|word| known.contains(word))
    }

    fn save(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn imagine(&self, seat: Seat, rng: &mut GameRng) -> Box<dyn Table> {
        let viewer = Viewer::Seat(seat);
        Box::new(Self {
            game: self.game.determinize(seat, rng),
            // What the seat was told stays as it is; what it was not told is forgotten.
            recent: Self::witnessed(&self.recent, viewer),
            latest: Self::witnessed(&self.recent[..self.latest.min(self.recent.len())], viewer).len(),
            actor: self.actor,
            earlier: (self.earlier.iter())
                .map(|turn| PastTurn {
                    actor: turn.actor,
                    events: Self::witnessed(&turn.events, viewer),
                })
                .collect(),
        })
    }

    fn foresee(&self, seat: Seat, action: &str, chance: u64) -> Option<Foresight> {
        let mut rng = GameRng::quick(chance);
        let (mut common, mut whole): (Option<Vec<G::Event>>, bool) = (None, true);
        let (mut purpose, mut label) = (None, None);
        for _ in 0..WORLDS {
            let mut world = self.game.determinize(seat, &mut rng);
            let (action, _) = world.parse(seat, action).ok()?;
            if !world.is_legal(seat, &action) {
                return None;
            }
            purpose = world.purpose(seat, &action);
            label = world.paths(seat, &action).first().and_then(|path| label_of(path));
            let (before, mut told) = (rng.drawn(), Told::new());
            world.play(seat, &action, &mut rng, &mut told);
            let chance_spoke = rng.drawn() > before;
            let seen = Self::witnessed(told.foretold(seat), Viewer::Seat(seat));
            whole &= !told.ends_sentence(seat) && !chance_spoke;
            let same = common.as_ref().map_or(seen.len(), |common| {
                common
                    .iter()
                    .zip(&seen)
                    .take_while(|(one, other)| one == other)
                    .count()
            });
            common.get_or_insert(seen).truncate(same);
            if whole {
                // Nothing was learnt and chance had no say: every world tells the same.
                break;
            }
        }
        let narration = G::narrate(&common.unwrap_or_default());
        Some(Foresight {
            // Where nothing happens yet, what was picked tells what it is.
            purpose: purpose.or(label.filter(|_| narration.is_empty())),
            narration,
            whole,
        })
    }

    fn think(&self, seat: Seat, errand: &Errand<'_>) -> Option<Thought<String>> {
        let thought = ai::think(&self.game, seat, errand)?;
        Some(thought.map(|action| self.game.notate(seat, &action)))
    }

    fn act(&self, seat: Seat, agent: &Agent, seed: u64, stop: &AtomicBool) -> Option<Thought<String>> {
        let thought = agent.act(&self.game, seat, seed, stop)?;
        Some(thought.map(|action| self.game.notate(seat, &action)))
    }

    fn weigh(
        &self,
        seat: Seat,
        actions: &[&str],
        agent: &Agent,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<f32>> {
        let read = |action: &&str| {
            let (action, _) = self.game.parse(seat, action).ok()?;
            self.game.is_legal(seat, &action).then_some(action)
        };
        let actions: Vec<G::Action> = actions.iter().map(read).collect::<Option<_>>()?;
        agent.weigh(&self.game, seat, &actions, seed, stop)
    }

    fn perft(&self, depth: u32) -> u64 {
        explore::perft(&self.game, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_lacks_its_data_is_named_with_the_reason() {
        static BROKEN: Entry = Entry {
            check_data: || Err("keeper.cards, line 3: `x` starts nothing".to_owned()),
            ..Entry::of::<Phwar>()
        };
        assert_eq!(check(), Ok(()));
        let error = check_each(games().chain([&BROKEN])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "phwar: keeper.cards, line 3: `x` starts nothing"
        );
    }

    #[test]
    fn a_game_is_found_by_id_and_name_and_added_once() {
        assert_eq!(find("Glyph-Grid").unwrap().meta.id, "glyphgrid");
        assert_eq!(find("phwra").unwrap_err().near, Some("phwar"));
        let taken = add(Entry::of::<Phwar>()).unwrap_err();
        assert_eq!(taken.to_string(), "there is a game `phwar` already");
    }
}
