//! The local room: the parlor in a browser, on this machine only.
//!
//! With no platform configured this is what runs. It is an adapter like the others: what guests say
//! becomes a [`Request`], deliveries come in through a [`Postman`], and it knows no game by name.
//!
//! # Wiring
//! ```no_run
//! # async fn wire(parlor: std::sync::Arc<parlor::chat::parlor::Parlor>) -> Result<(), Box<dyn std::error::Error>> {
//! use parlor::chat::outbox::Outbox;
//! use parlor::local::{self, Local};
//!
//! let listener = local::bind("127.0.0.1:8787".parse()?).await?;
//! let local = Local::open(parlor.clone())?; // lets guests be mentioned, too
//! let outbox = Outbox::new(parlor, [local.postman()]);
//! # let stop = std::future::pending::<()>();
//! local.serve(listener, stop).await?; // beside `outbox.run`, `Service::keep_clocks` and `Service::keep_bots`
//! # drop(outbox); Ok(())
//! # }
//! ```
//! When `stop` is ready, requests under way are answered, event streams end, and `serve` returns.
//!
//! # The API
#![doc = include_str!("../../assets/web/api.txt")]
//!
//! # Who sees what
//! What is said in a room is read by everybody, token or not. A command is between the guest and the
//! parlor: it is not shown in the room, and neither is its answer; what it changes is told there by the
//! deliveries that it causes. So a move that should stay secret, typed rightly or wrongly, stays secret.
//! A line that is neither command nor move is talk and goes into the room; whoever plays with hidden
//! information has to begin talk with `"`, since there a line might be a misspelt move.
//!
//! ```text
//! guests     names and tokens            rooms     the names of rooms
//! names      what a guest may be called  absent    guests who have long been away
//! feed       the message stream          postman   deliveries into the stream
//! packing    messages as bytes           prune     messages that are not kept any longer
//! replies    answers to one guest        wire      messages as JSON
//! api        requests                    events    server-sent events
//! guard      who may come in             problem   what is said to whom may not
//! reading    much at once, off the async threads
//! ```
//! The files of the page, drawn pictures, and what keeps everybody from asking too much are [shared](crate::web) with the pages
//! of matches.

mod absent;
mod api;
mod events;
mod feed;
mod guard;
mod guests;
mod names;
mod packing;
mod postman;
mod problem;
mod prune;
mod reading;
mod replies;
mod rooms;
mod wire;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, watch};

use self::events::Push;
use self::feed::Feed;
use self::guests::Guests;
use self::problem::RoomProblem;
use self::reading::HistoryReaders;
use self::replies::{Replies, RoomAnswer};
use self::rooms::LocalRooms;
use self::wire::Post;
use crate::chat::link::{Connection, Link, LinkError, StopSignal};
use crate::chat::outbox::Postman;
use crate::chat::parlor::{Parlor, Request};
use crate::connections::Connections;
use crate::files;
use crate::matches::port::Fault;
use crate::matches::time::Time;
use crate::web::assets;
use crate::web::limits::Limits;
use crate::web::pictures::Pictures;
use crate::web::rates::{Figures, Rates};
use crate::web::streams::Streams;

pub use self::postman::LocalPostman;

/// The name of this platform in the ids of players and rooms.
pub const PLATFORM: &str = "local";

/// How long an answer under way may take once the room closes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the room can't listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Whoever can reach the room can take a name in it, so only this machine may.
    #[error("the local room is for this machine only: it listens on 127.0.0.1 or [::1], not on {0}")]
    NotLoopback(SocketAddr),
    #[error("the local room can't listen on {address}: {cause}")]
    Io { address: SocketAddr, cause: io::Error },
}

/// Listens on a loopback address.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, BindError> {
    if !address.ip().is_loopback() {
        return Err(BindError::NotLoopback(address));
    }
    TcpListener::bind(address)
        .await
        .map_err(|cause| BindError::Io { address, cause })
}

/// The local room.
pub struct Local {
    parlor: Arc<Parlor>,
    guests: Arc<Guests>,
    rooms: LocalRooms,
    feed: Arc<Feed>,
    replies: Replies,
    pictures: Pictures,
    pushes: broadcast::Sender<Push>,
    closing: watch::Sender<bool>,
    limits: Limits,
    /// The event streams that are open.
    streams: Arc<Streams>,
    rates: Rates,
    reading: Arc<HistoryReaders>,
    started: Time,
}

impl std::fmt::Debug for Local {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Local")
    }
}

impl Local {
    /// Opens the room over the parlor's store, and lets its guests be mentioned.
    pub fn open(parlor: Arc<Parlor>) -> Result<Arc<Self>, Fault> {
        Self::open_beside(parlor, 0)
    }

    /// The same, where so many other listeners share the files that there are for connections.
    pub fn open_beside(parlor: Arc<Parlor>, others: u64) -> Result<Arc<Self>, Fault> {
        let store = parlor.service.store();
        let guests = Arc::new(Guests::open(Arc::clone(store))?);
        let limits = Limits::for_files(files::limit(), 1 + others);
        let local = Self {
            rooms: LocalRooms::open(Arc::clone(store))?,
            feed: Arc::new(Feed::open(Arc::clone(store))?),
            replies: Replies::default(),
            pictures: Pictures::default(),
            pushes: broadcast::Sender::new(256),
            closing: watch::Sender::new(false),
            streams: Streams::new(limits),
            limits,
            rates: Rates::new(Figures::LOCAL),
            reading: Arc::new(HistoryReaders::new()),
            started: parlor.service.now(),
            guests,
            parlor: Arc::clone(&parlor),
        };
        Ok(Arc::new(local))
    }

    /// Who brings deliveries to this room.
    pub fn postman(&self) -> Arc<dyn Postman> {
        Arc::new(LocalPostman {
            parlor: Arc::clone(&self.parlor),
            feed: Arc::clone(&self.feed),
        })
    }

    /// Opens the room and serves it until it is told to stop.
    pub fn link(
        parlor: Arc<Parlor>,
        listener: TcpListener,
        others: u64,
        stop: &StopSignal,
    ) -> Result<Link, Fault> {
        let connection = Connection::single(&parlor.service, PLATFORM);
        connection.up(0);
        let room = Self::open_beside(parlor, others)?;
        let postman = room.postman();
        let serving = room.serve(listener, stop.told());
        let broken = |error: io::Error| LinkError(error.to_string());
        Ok(Link {
            name: PLATFORM,
            postman,
            connection,
            listening: tokio::spawn(async move { serving.await.map_err(broken) }),
        })
    }

    /// Serves the page and the API until `stop` is ready, then answers what is under way.
    pub async fn serve<F>(self: Arc<Self>, listener: TcpListener, stop: F) -> io::Result<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            return Err(io::Error::other(BindError::NotLoopback(address)));
        }
        let router = self.router();
        let connections = Connections::new(self.limits.connections);
        let open = GracefulShutdown::new();
        let guests = tokio::spawn(Arc::clone(&self).keep_guests());
        let pruning = tokio::spawn({
            let local = Arc::clone(&self);
            async move { local.keep_pruned().await }
        });
        connections.listen(listener, &router, &open, stop).await;
        guests.abort();
        pruning.abort();
        self.closing.send_replace(true);
        // A reader that takes nothing in can't hold us up for ever.
        let _ = tokio::time::timeout(PATIENCE, open.shutdown()).await;
        Ok(())
    }

    fn router(self: &Arc<Self>) -> Router {
        assets::routes(assets::LOCAL)
            .merge(api::routes())
            .fallback(async || RoomProblem::NoSuchPage)
            .method_not_allowed_fallback(async || RoomProblem::WrongMethod)
            .layer(axum::middleware::from_fn(guard::guard))
            .with_state(Arc::clone(self))
    }

    /// Lets the parlor answer, for the asker's eyes only, in all their tabs.
    async fn answer(
        self: &Arc<Self>,
        request: Request,
        asked: &str,
        under: Option<String>,
    ) -> Result<Post, RoomProblem> {
        let owner = request.who.clone();
        let post = self.ask(request, asked, under).await?;
        // There may be no tab at all.
        let _ = self.pushes.send(Push::RoomAnswer(owner, Arc::new(post.clone())));
        Ok(post)
    }

    /// Lets the parlor answer whoever asked, and nobody else.
    async fn ask(
        self: &Arc<Self>,
        request: Request,
        asked: &str,
        under: Option<String>,
    ) -> Result<Post, RoomProblem> {
        let service = &self.parlor.service;
        let id = Replies::new_id(service.entropy())?;
        let (owner, room) = (request.who.clone(), request.room.clone());
        let parlor = Arc::clone(&self.parlor);
        // Whoever hangs up doesn't stop what they asked for halfway.
        let reply = tokio::spawn(async move { parlor.handle(&request).await })
            .await
            .map_err(|error| Fault::new("answering a guest", error))?;
        let mut message = reply.message;
        // It is drawn if somebody looks, and then read anew.
        message.forget_prepared();
        let answer = RoomAnswer {
            id,
            at: service.now(),
            owner,
            room,
            asked: asked.to_owned(),
            under,
            message,
            secret: reply.secret,
            passing: reply.passing,
        };
        let post = wire::answer(service, &answer);
        self.replies.keep(answer);
        Ok(post)
    }
}
