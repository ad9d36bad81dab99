//! Phase Parlor: a bot that hosts board and card games in chat rooms.
//!
//! Friends challenge each other, moves are commands, every turn brings a drawn board, hidden hands go by
//! private message, and nothing is lost when the process dies. This page is the map of the code.
//!
//! # The parts
//! ```text
//! cli            the command line: the bot itself with the wiring of everything below, and tools to try games out
//! config         the operator's choices
//! local          the room in the browser: an adapter, like those for chat platforms
//! web            pages of matches, for whoever has a link, and what they share with that room
//! discord        the adapter for Discord, behind the feature of that name
//! matrix         the adapter for Matrix rooms, plain and encrypted, behind the feature of that name
//! operate        for whoever looks after the bot: figures, health, logs
//! chat           the grammar of commands, every sentence that users read, replies as data, the outbox
//! review         what a bot says of a match that is over: where it swung, and what it would have played
//! matches        the life of a match: gather, move, consent, clocks, bots, record; pure decisions and one service
//! store          where matches are kept: on disk, or in memory for tests
//! catalog        the only list of games; a Table hides which one is played
//! draw           pictures with the spots that can be touched in them, text boards, alt texts and narration, from what
//!                one viewer may know
//! ai             opponents: search over any game, from what one seat knows
//! games          the rules, one folder a game
//! board          geometry that games share
//! game           what a game is: the contract and its laws
//! text, backoff, files, connections  what every part may use: whole sentences with named places, lists and tables of names,
//!                hexadecimal digits, invisible letters; pauses between tries; how many files may be open; who may hold the
//!                door open, and for how long
//! ```
//! Dependencies point one way: cli → adapters, operate → chat → review → matches → catalog → draw, ai → games → board, game. The
//! store implements a port of `matches`. `tests/program/layering.rs` reads the `use` lines and fails on an edge that
//! points up.
//!
//! # The way of a command
//! 1. An adapter turns what happened on its platform into a [`chat::parlor::Request`]: who, where, the match that the
//!    platform knows it is about, the platform's own id of the event, and what was said, which [`chat::command`] reads
//!    once into a [`chat::command::Command`]: one variant a verb, with that verb's own arguments. The people whom it names
//!    are found as it is read, since only the platform knows them ([`chat::command::People`]).
//! 2. [`chat::parlor::Parlor`] finds the match that is meant and reads it once, into a [`matches::loaded::Loaded`]; one
//!    method for each command carries it out.
//! 3. [`matches::service::Service`] takes the match's lock, reads the match again only if somebody has written meanwhile,
//!    does first what time has already decided, checks the
//!    version that the caller saw, and lets a pure function decide. The decision is a
//!    [`matches::change::Change`]: the new state, log entries, deliveries. Or a named refusal.
//! 4. One batch writes match, log, indexes and outbox rows. [`store`]'s one committer gathers what is waiting, appends it
//!    to a journal as a whole, and syncs the disk. Only then does the answer leave; sled, where everything is
//!    kept, catches up behind. The batch that ends a match folds it, log and all, into one value ([`matches::archive`]).
//! 5. [`chat::outbox::Outbox`] delivers, in order for each match and place, through each adapter's postman, and forgets a
//!    delivery when it is confirmed. Each match has a queue of its own in each room, and so has each player: what waits for one
//!    that is away costs the others nothing. Pictures are drawn at that moment, from the log up to the entry that the
//!    delivery names, off the async threads.
//!
//! A turn is one message ([`matches::turn_sheet`]): a delivery names the sheet that it is written on, and a platform that
//! has a message of that sheet writes it anew. One that can't leaves out what is only for the moment, except, where a person is
//! alone with a bot, for a move about which the bot thinks for more than two seconds: that is a message of its own there.
//!
//! A crash anywhere repeats deliveries under the same key and loses nothing that was answered. An event that has
//! been handled is not handled again.
//!
//! # Playing by touch
//! A picture comes with its spots ([`draw::Spot`]): what can be touched, where it lies, its word in the notation and what it
//! is in words, told from the same [`draw::Scene`] by the layout that draws. Touches choose among the ways of guided entry
//! in whatever order they come ([`game::touch`]); [`chat::touch`] puts what they lead to into commands for the version of the match
//! that was touched. So a move by touch goes the way of every command, and a page needs to know no game: it shows spots,
//! and asks which of them are open.
//!
//! A match also has a page of its own ([`web`]), for players of any platform. What is played there is played by whoever the link
//! was given to, as a command like any other; and the page reads the match anew whenever [`matches::service::Service::hear_news`]
//! tells that it has changed.
//!
//! # Invariants
//! 1. Rules are pure and deterministic: options, seats, seed and actions give the position, on every machine, for
//!    ever. A change of rules raises `rules_version`, and a match goes on under the version with which it began
//!    ([`game::Game::new_under`]).
//! 2. Secrets leave `matches` only as a private delivery to one seat. Views are built up from what a viewer may
//!    know, never stripped down. A [`draw::Scene`] holds one viewer's view and that viewer's share of the events, and
//!    nothing else, so a picture can't show what the view does not.
//! 3. What was acknowledged is on disk.
//! 4. A match belongs to no single room: it has home rooms, on any platform, and a table code by which anybody joins.
//! 5. Adding a game touches `games/x`, `draw/x`, `assets/x`, one line of the catalog, and test data. Nothing else.
//! 6. Clocks count table time ([`matches::hours`]): when the bot was off or could save nothing, a platform was away, or the
//!    system's clock was set, that is on nobody's clock.
//!
//! # A bot at the table
//! A bot is a player like others, named by an id of its own kind ([`matches::bot`]). Where one person plays, their move is
//! shown at once, and the reply is written on the same message; where several do, a move and the reply to it are one board,
//! and until then what happened is gathered in the match ([`matches::pending_news`]). [`matches::bots`] thinks the whole
//! reply out on threads of its own ([`matches::think_pool`]), over a copy and under no lock, and plays it through the service in one change, if the match still stands where it stood. After a
//! restart whatever was not played is thought out again. The thinking itself is a search ([`ai`]) that knows no game by
//! name: it asks the rules, and what the game adds of playing well ([`game::Insight`]).
//!
//! # Under the operator's eyes
//! What happens is told to an observer ([`matches::observer`]), which counts it and is told nothing of anybody. Each adapter
//! keeps a [`chat::link::Connection`], by which the clocks go too, each store its [`matches::port::Health`]; [`operate`] puts
//! them together when somebody asks. A store that fails is one sentence to players, 503 to a health check, and a line a minute in the log.
//!
//! # A game
//! Implement [`game::Game`] (the rules), [`draw::Show`] (how it looks) and [`game::Insight`] (how it is played well;
//! empty is enough for bots that play by the rules alone), and add a line to [`catalog`]. The laws of [`game`]
//! are then tested for it without another word, and every platform offers it, its options, its moves word by word, its
//! rules, its pictures and its bots.
//!
//! What games share is furniture: cells of boards ([`board`]), readers of typed moves ([`game::cells`], [`game::token`]),
//! boards with coordinates and spots ([`draw::grid`]), players' names ([`draw::plate`]), words below ([`draw::Caption`]) and
//! what can be done now ([`draw::marks`]) in pictures, and lists of names ([`mod@text`]) in sentences.
//!
//! A game whose players bring something of their own, such as decks of cards, names a [`game::Collection`]: items to
//! browse and rules for lists of them. Chat then offers `card` and `deck` for it, and [`mod@matches`] keeps every player's
//! lists; neither knows what they mean.
// What a test may do and the program must not.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::exit,
        clippy::print_stdout,
        clippy::print_stderr,
        clippy::string_slice
    )
)]

pub mod ai;
pub mod backoff;
pub mod board;
pub mod catalog;
pub mod chat;
pub mod cli;
pub mod config;
pub mod connections;
#[cfg(feature = "discord")]
pub mod discord;
pub mod draw;
pub mod files;
pub mod game;
pub mod games;
pub mod local;
pub mod matches;
#[cfg(feature = "matrix")]
pub mod matrix;
pub mod operate;
pub mod review;
pub mod store;
pub mod text;
pub mod web;
