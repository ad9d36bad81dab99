//! `parlor`: the bot itself.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::chat::link::{Link, LinkError, StopSignal, Stopper};
use crate::chat::outbox::Outbox;
use crate::chat::parlor::Parlor;
use crate::config::Config;
use crate::local::{self, Local};
use crate::matches::entropy::OsEntropy;
use crate::matches::port::{Fault, Store};
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::store::SledStore;
use tokio::net::TcpListener;
use tokio::task::{JoinError, JoinSet};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::Failure;
use super::arguments::{ConfigFile, UsageError};

/// Runs the bot until it is told to stop.
pub fn serve(config: &ConfigFile) -> Result<(), Failure> {
    let config = configuration(config)?;
    start_log();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(run(&config));
    // All that matters is done and on disk; nothing that a library still does may keep us here.
    runtime.shutdown_background();
    ended
}

/// The operator's choices, from where the command line or the environment says.
pub fn configuration(file: &ConfigFile) -> Result<Config, UsageError> {
    let variables: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let from_environment = std::env::var_os("PARLOR_CONFIG").map(PathBuf::from);
    let named = file.path.clone().or(from_environment);
    Config::load(named.as_deref(), variables).map_err(UsageError::new)
}

/// Opens the store that the configuration names.
pub fn open_store(path: &Path) -> Result<SledStore, UsageError> {
    SledStore::open(path).map_err(UsageError::new)
}

/// Libraries that log what they send and receive, tokens and moves and all, are not listened to, whatever is asked
/// for. What becomes of a connection is told by the adapters, in one line.
const SECRETIVE: [&str; 1] = ["serenity"];

/// What matrix-sdk calls wrong it mostly puts right itself; what it can't, the adapter says.
const FUSSY: [&str; 4] = [
    "matrix_sdk",
    "matrix_sdk_base",
    "matrix_sdk_crypto",
    "matrix_sdk_sqlite",
];

/// Quiet unless something is wrong; `RUST_LOG` asks for more.
fn start_log() {
    let wish = std::env::var("RUST_LOG").unwrap_or_default();
    let quiet = || {
        Targets::new()
            .with_default(LevelFilter::WARN)
            .with_targets(FUSSY.map(|library| (library, LevelFilter::OFF)))
    };
    let filter = match wish.parse::<Targets>() {
        Ok(filter) if !wish.is_empty() => filter,
        _ => quiet(),
    };
    let filter = filter.with_targets(SECRETIVE.map(|library| (library, LevelFilter::OFF)));
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .init();
}

async fn run(config: &Config) -> Result<(), Failure> {
    // Before the store is opened: an address in use must not leave anything behind.
    let listener = if config.opens_local() {
        let bound = local::bind(config.local.listen).await;
        Some(bound.map_err(UsageError::new)?)
    } else {
        None
    };
    let store = Arc::new(open_store(&config.store.path)?);
    let kept: Arc<dyn Store> = Arc::<SledStore>::clone(&store);
    let service = Service::new(kept, Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken)?;
    let service = Arc::new(service);
    let parlor = Arc::new(Parlor::new(Arc::clone(&service)));
    let (stopper, stop) = Stopper::new();
    let links = connect(config, listener, &parlor, &stop).await?;

    let outbox = Outbox::new(
        Arc::clone(&parlor),
        links.iter().map(|link| Arc::clone(&link.postman)),
    );
    let told = stop.told();
    let delivering = tokio::spawn(async move { outbox.run(told).await });
    let told = stop.told();
    let clocks = tokio::spawn({
        let service = Arc::clone(&service);
        async move { service.keep_clocks(told).await }
    });
    let told = stop.told();
    let bots = tokio::spawn(async move { service.keep_bots(told).await });

    let mut listening: JoinSet<(&str, Result<(), LinkError>)> = JoinSet::new();
    for link in links {
        listening.spawn(async move {
            let ended = link.listening.await;
            let broken_off = |error: JoinError| Err(LinkError(error.to_string()));
            (link.name, ended.unwrap_or_else(broken_off))
        });
    }
    let mut failed = None;
    let mut signal = std::pin::pin!(signal());
    while !listening.is_empty() {
        tokio::select! {
            told = &mut signal => {
                told?;
                break;
            }
            Some(Ok((name, ended))) = listening.join_next() => if let Err(error) = ended {
                let line = format!("{name}: {error}");
                if !listening.is_empty() {
                    super::complain(&line);
                }
                failed = Some(line);
            },
        }
    }
    // Whether it was an operator who ended it, or no platform would have us any longer.
    let alone = listening.is_empty();
    // What is under way is finished: requests are answered, deliveries made, the disk is caught up.
    stopper.stop();
    while listening.join_next().await.is_some() {}
    bots.await.map_err(io::Error::other)?;
    clocks.await.map_err(io::Error::other)?;
    delivering.await.map_err(io::Error::other)?;
    store.flush().await.map_err(broken)?;
    match failed {
        Some(line) if alone => Err(io::Error::other(line).into()),
        _ => Ok(()),
    }
}

pub fn broken(fault: Fault) -> io::Error {
    io::Error::other(fault.to_string())
}

/// Reaches every platform that is configured. One that can't be reached is named and left out; if none is
/// left, there is nothing to do.
async fn connect(
    config: &Config,
    listener: Option<TcpListener>,
    parlor: &Arc<Parlor>,
    stop: &StopSignal,
) -> Result<Vec<Link>, Failure> {
    let mut links = Vec::new();
    let mut refused = Vec::new();
    if let Some(listener) = listener {
        let address = listener.local_addr()?;
        links.push(Local::link(Arc::clone(parlor), listener, stop).map_err(broken)?);
        writeln!(io::stdout(), "Phase Parlor is open: http://{address}")?;
    }
    if config.discord.token.is_some() {
        match connect_discord(config, parlor, stop).await {
            Ok(link) => links.push(link),
            Err(error) => refused.push(format!("discord: {error}")),
        }
    }
    if config.matrix.is_meant() {
        match connect_matrix(config, parlor, stop).await {
            Ok(link) => {
                links.push(link);
                writeln!(io::stdout(), "Phase Parlor is open on Matrix")?;
            }
            Err(error) => refused.push(format!("matrix: {error}")),
        }
    }
    if links.is_empty() {
        return Err(UsageError(refused.join("; ")).into());
    }
    for line in refused {
        super::complain(&line);
    }
    Ok(links)
}

#[cfg(feature = "discord")]
async fn connect_discord(
    config: &Config,
    parlor: &Arc<Parlor>,
    stop: &StopSignal,
) -> Result<Link, LinkError> {
    crate::discord::connect(&config.discord, parlor, stop).await
}

#[cfg(not(feature = "discord"))]
async fn connect_discord(_: &Config, _: &Arc<Parlor>, _: &StopSignal) -> Result<Link, LinkError> {
    Err(LinkError(
        "this program was built without Discord; build it with `cargo build --release --features discord`"
            .to_owned(),
    ))
}

#[cfg(feature = "matrix")]
async fn connect_matrix(config: &Config, parlor: &Arc<Parlor>, stop: &StopSignal) -> Result<Link, LinkError> {
    crate::matrix::connect(&config.matrix, &config.store.path, parlor, stop).await
}

#[cfg(not(feature = "matrix"))]
async fn connect_matrix(_: &Config, _: &Arc<Parlor>, _: &StopSignal) -> Result<Link, LinkError> {
    Err(LinkError(
        "this program was built without Matrix; build it in with `cargo build --release --features matrix`"
            .to_owned(),
    ))
}

/// Ready when the operator interrupts the program or the system ends it.
#[cfg(unix)]
async fn signal() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn signal() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}
