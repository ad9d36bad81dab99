//! Pages: what the local room and the public pages of matches share, and those pages themselves.
//!
//! A match has pages at `/m/CODE…`: the board, who plays, the story move by move. A player opens it with a personal link, which
//! `link` gives them in private; whoever has a link that `watch` gave looks on, and is shown what everybody may see. The page
//! is written here, as HTML, so it can be looked at and stepped through without scripts; a script makes the board one that is
//! played by touch. What is played there is a command like any other, and goes the way of every command.
//!
//! # Keys
//! A personal link holds its key behind the `#`, which browsers send to nobody. The page's script trades it by one request for
//! a cookie that no script can read, that goes to this key's page alone and to no request from elsewhere, and takes it
//! out of the address bar. Two seats in one browser are two pages with a cookie each. Every request looks the key up again: whether
//! it still opens this match, and whether its player still sits there.
//!
//! # What others may notice
//! A page is told that something has changed, never what; it then reads as its own viewer. Nothing here tells how long a
//! match's log is, since private wishes stand in it: addresses and tags of pictures name the version of the match, and a digest
//! of what the viewer sees.
//!
//! ```text
//! shared     assets, guard, limits, packed, pictures, places, problem, rates, request, streams
//! site       where the pages are, and behind which proxies
//! visitor    who looks, and at what            html     texts as HTML
//! page       a match as HTML                   story    the story, told once
//! turns      its turns, shown once             embed    the same match shown by Discord
//! shown      the page, pictures, spots         play     touching and pressing
//! events     that something has changed
//! ```

pub mod assets;
mod embed;
mod events;
pub mod guard;
mod html;
pub mod limits;
pub mod packed;
mod page;
pub mod pictures;
pub mod places;
mod play;
pub mod problem;
pub mod rates;
pub mod request;
mod shown;
pub mod site;
mod story;
pub mod streams;
pub mod touching;
mod turns;
mod visitor;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::limits::Limits;
use self::pictures::Pictures;
use self::places::WorkPlaces;
use self::play::ReplyPictures;
use self::problem::Problem;
use self::rates::{Figures, Rates};
use self::site::Site;
use self::story::Stories;
use self::streams::Streams;
use self::turns::Turns;
use crate::chat::parlor::Parlor;
use crate::connections::Connections;
use crate::files;

/// How long an answer under way may take once the pages close.
const PATIENCE: Duration = Duration::from_secs(5);

/// The public pages of matches.
pub struct Web {
    parlor: Arc<Parlor>,
    site: Site,
    pictures: Pictures,
    stories: Stories,
    turns: Turns,
    replies: ReplyPictures,
    rates: Rates,
    streams: Arc<Streams>,
    /// For whatever takes as long as playing a match again.
    retelling: WorkPlaces,
    /// For understanding what players touch.
    touching: WorkPlaces,
    limits: Limits,
    closing: watch::Sender<bool>,
}

impl std::fmt::Debug for Web {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Web")
    }
}

impl Web {
    /// Pages of a parlor's matches; so many other listeners share the files that there are for connections.
    pub fn new(parlor: Arc<Parlor>, site: Site, others: u64) -> Arc<Self> {
        let limits = Limits::for_files(files::limit(), 1 + others);
        Arc::new(Self {
            parlor,
            site,
            pictures: Pictures::default(),
            stories: Stories::default(),
            turns: Turns::default(),
            replies: ReplyPictures::default(),
            rates: Rates::new(Figures::PUBLIC),
            streams: Streams::new(limits),
            retelling: WorkPlaces::default(),
            touching: WorkPlaces::default(),
            limits,
            closing: watch::Sender::new(false),
        })
    }

    /// Serves the pages until `stop` is ready, then answers what is under way.
    pub async fn serve(self: Arc<Self>, listener: TcpListener, stop: impl Future<Output = ()>) {
        let connections = Connections::new(self.limits.connections);
        let open = GracefulShutdown::new();
        connections.listen(listener, &self.router(), &open, stop).await;
        self.closing.send_replace(true);
        // A reader that takes nothing in can't hold us up for ever.
        _ = tokio::time::timeout(PATIENCE, open.shutdown()).await;
    }

    fn router(self: &Arc<Self>) -> Router {
        Router::new()
            .route("/m/{name}", get(shown::now))
            .route("/m/{name}/{turn}", get(shown::turn))
            .route(&format!("/m/{{name}}/{}", embed::FILE), get(embed::json))
            .merge(
                Router::new()
                    .route("/m/{name}/pictures/{file}", get(shown::picture))
                    .route("/m/{name}/events", get(events::stream))
                    .layer(axum::middleware::from_fn(guard::only_own_pages)),
            )
            .route("/m/{name}/key", post(visitor::trade))
            .route("/m/{name}/touch", post(play::touch))
            .route("/m/{name}/press", post(play::press))
            .merge(assets::routes(assets::PUBLIC))
            .fallback(async || shown::kind(&Problem::NothingHere))
            .method_not_allowed_fallback(async || Problem::WrongMethod)
            .layer(axum::middleware::from_fn_with_state(
                Arc::clone(self),
                guard::guard_site,
            ))
            .with_state(Arc::clone(self))
    }
}
