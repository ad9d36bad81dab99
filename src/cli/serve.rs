//! `parlor`: the bot itself.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::chat::link::{Connection, Link, LinkError, StopSignal, Stopper};
use crate::chat::outbox::Outbox;
use crate::chat::parlor::Parlor;
use crate::config::{Config, PublicUrl};
use crate::connections;
use crate::local::{self, Local};
use crate::matches::entropy::OsEntropy;
use crate::matches::port::{Fault, Store};
use crate::matches::retention::Retention;
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::operate::bot_status::{BotStatus, Platform};
use crate::operate::measured_store::MeasuredStore;
use crate::operate::metrics::{self, Metrics};
use crate::operate::{listener, log};
use crate::store::{SledStore, StoreError};
use crate::web::Web;
use crate::web::site::Site;
use tokio::net::TcpListener;
use tokio::task::{JoinError, JoinHandle, JoinSet};

use super::Failure;
use super::arguments::{ConfigFile, UsageError};
use super::control::Control;
use super::scheduled_backups;
use super::signals::Signals;

/// Runs the bot until it is told to stop.
pub fn serve(config: &ConfigFile) -> Result<(), Failure> {
    super::allocator::keep_few();
    let config = configuration(config)?;
    // Whatever is written from here on, by libraries too, is for this user's eyes only.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    #[cfg(feature = "discord")]
    let listener = Some(crate::discord::listener());
    #[cfg(not(feature = "discord"))]
    let listener = None::<tracing_subscriber::layer::Identity>;
    log::start(&config.log, listener);
    crate::files::raise_limit();
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
    let named = config_path(file);
    Config::load(named.as_deref(), variables).map_err(UsageError::new)
}

/// The file that the command line or the environment names, if one does.
pub fn config_path(file: &ConfigFile) -> Option<PathBuf> {
    let from_environment = || std::env::var_os("PARLOR_CONFIG").map(PathBuf::from);
    file.path.clone().or_else(from_environment)
}

/// Opens the store that the configuration names.
pub fn open_store(path: &Path) -> Result<SledStore, Failure> {
    SledStore::open(path).map_err(failure_of)
}

/// Opens the store for the bot. If a tool has it, that passes: another start, some time later, finds it free.
fn open_own_store(path: &Path) -> Result<SledStore, Failure> {
    SledStore::open(path).map_err(|error| match error {
        StoreError::InUse { .. } => Failure::StoreFailing(error.to_string()),
        other => failure_of(other),
    })
}

/// What a store that can't be opened or closed means for the program: whether the operator has to mend something, or
/// another start may help.
pub fn failure_of(error: StoreError) -> Failure {
    match error {
        StoreError::Io { .. }
        | StoreError::Fault { .. }
        | StoreError::NoRoom { .. }
        | StoreError::DiskFull { .. }
        | StoreError::TooManyFiles { .. }
        | StoreError::DiskError { .. } => Failure::StoreFailing(error.to_string()),
        StoreError::Damaged { .. } | StoreError::Migration { .. } => io::Error::other(error).into(),
        StoreError::InUse { .. }
        | StoreError::NotADirectory { .. }
        | StoreError::NotAStore { .. }
        | StoreError::NoPermission { .. }
        | StoreError::Newer { .. }
        | StoreError::BackupExists { .. }
        | StoreError::BackupInside { .. }
        | StoreError::BadBackup { .. }
        | StoreError::NotEmpty { .. } => UsageError::new(error).into(),
    }
}

async fn run(config: &Config) -> Result<(), Failure> {
    if let Some(problem) = config.store.backup_problem() {
        return Err(UsageError(problem).into());
    }
    let mut signals = Signals::catch()?;
    // Before the store is opened: an address in use must not leave anything behind.
    let listener = if config.opens_local() {
        let bound = local::bind(config.local.listen).await;
        Some(bound.map_err(UsageError::new)?)
    } else {
        None
    };
    let pages = match config.web.listen {
        Some(address) => {
            let bound = connections::bind("web", address).await;
            Some(bound.map_err(UsageError::new)?)
        }
        None => None,
    };
    let (stopper, stop) = Stopper::new();
    let operator = Operator::start(config, &stop).await?;
    let store = Arc::new(open_own_store(&config.store.path)?);
    let control = Control::start(&store, &config.store.path).inspect_err(
        |error| tracing::warn!(%error, "store: tools can't ask this process; stop it before a backup"),
    );
    let service = operator.service(&store, config.store.retention())?;
    let parlor = Parlor::new(Arc::clone(&service));
    let (parlor, pages) = match pages {
        Some(listener) => Pages::open(parlor, listener, config)?,
        None => (Arc::new(parlor), None),
    };
    let Connected { links, platforms } = tokio::select! {
        connected = connect(config, listener, &parlor, &stop) => connected?,
        () = signals.told() => {
            stopper.stop();
            operator.end().await;
            drop(control);
            return close(&store).await;
        }
    };
    operator.status.connected(platforms);
    if let Err(fault) = parlor.resume_reviews().await {
        tracing::error!(%fault, "review: could not go on after a restart");
    }

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
    let backups = tokio::spawn(scheduled_backups::keep(
        Arc::clone(&store),
        config.store.clone(),
        stop.told(),
    ));
    let told = stop.told();
    let tidying = tokio::spawn({
        let service = Arc::clone(&service);
        async move { service.keep_tidy(told).await }
    });
    let told = stop.told();
    let bots = tokio::spawn({
        let service = Arc::clone(&service);
        async move { service.keep_bots(told).await }
    });

    let told = stop.told();
    let serving = pages.map(|pages| tokio::spawn(pages.web.serve(pages.listener, told)));

    let ended = listen(links, &mut signals, store.given_up()).await;
    // What is under way is finished: requests are answered, deliveries made, the disk is caught up.
    stopper.stop();
    let mut listening = ended.listening;
    while listening.join_next().await.is_some() {}
    if let Some(serving) = serving {
        serving.await.map_err(io::Error::other)?;
    }
    bots.await.map_err(io::Error::other)?;
    clocks.await.map_err(io::Error::other)?;
    tidying.await.map_err(io::Error::other)?;
    delivering.await.map_err(io::Error::other)?;
    backups.await.map_err(io::Error::other)?;
    operator.end().await;
    drop(control);
    close(&store).await?;
    ended.failure.map_or(Ok(()), Err)
}

/// Puts everything on disk and closes the store. What could not be kept is not passed over.
async fn close(store: &SledStore) -> Result<(), Failure> {
    let unsaved = |fault: Fault| Failure::StoreFailing(fault.to_string());
    store.shut().await.map_err(unsaved)
}

/// What is said when another start is needed, and why it is.
fn given_up_words(reason: &str) -> String {
    format!(
        "the store can't be written to by this process any more; another start may help (it failed: {reason})"
    )
}

/// How listening ended.
struct Ended {
    /// Platforms that are still listened to.
    listening: JoinSet<(&'static str, Result<(), LinkError>)>,
    /// Why no platform would have us any longer, or why another start is needed; nothing if an operator ended it.
    failure: Option<Failure>,
}

/// Listens until the operator ends it, no platform is left, or this process can't save anything any more.
async fn listen(links: Vec<Link>, signals: &mut Signals, given_up: impl Future<Output = String>) -> Ended {
    let mut given_up = std::pin::pin!(given_up);
    let mut listening = JoinSet::new();
    for link in links {
        listening.spawn(async move {
            let ended = link.listening.await;
            link.connection.close();
            let broken_off = |error: JoinError| Err(LinkError(error.to_string()));
            (link.name, ended.unwrap_or_else(broken_off))
        });
    }
    let mut failed = None;
    while !listening.is_empty() {
        tokio::select! {
            () = signals.told() => return Ended { listening, failure: None },
            reason = &mut given_up => {
                let failure = Failure::StoreFailing(given_up_words(&reason));
                return Ended { listening, failure: Some(failure) };
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
    Ended {
        listening,
        failure: failed.map(|line| io::Error::other(line).into()),
    }
}

/// What the operator is told while the bot runs.
struct Operator {
    status: Arc<BotStatus>,
    /// Nothing is counted if nobody can ask for it.
    metrics: Option<Arc<Metrics>>,
    listening: Option<JoinHandle<()>>,
}

impl Operator {
    /// Tells from now on how the bot is, if that is wanted.
    async fn start(config: &Config, stop: &StopSignal) -> Result<Self, Failure> {
        let status = Arc::new(BotStatus::new(config.store.path.clone()));
        let Some(address) = config.operate.listen else {
            return Ok(Self {
                status,
                metrics: None,
                listening: None,
            });
        };
        let bound = connections::bind("operate", address).await;
        let listener = bound.map_err(UsageError::new)?;
        writeln!(
            io::stdout(),
            "Metrics and health: http://{}",
            listener.local_addr()?
        )?;
        let metrics = Arc::new(Metrics::new());
        let serving = listener::serve(listener, Arc::clone(&metrics), Arc::clone(&status), stop.clone());
        Ok(Self {
            status,
            metrics: Some(metrics),
            listening: Some(tokio::spawn(serving)),
        })
    }

    /// The matches of a store, under the operator's eyes.
    fn service(&self, store: &Arc<SledStore>, retention: Retention) -> Result<Arc<Service>, Failure> {
        let store: Arc<dyn Store> = Arc::<SledStore>::clone(store);
        let make = |store| Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken);
        let service = match &self.metrics {
            Some(metrics) => {
                let measured = MeasuredStore::new(store, Arc::clone(metrics));
                let service = make(Arc::new(measured))?.with_observer(metrics::observer(metrics));
                metrics.begin(&service).map_err(broken)?;
                service
            }
            None => make(store)?,
        };
        let service = Arc::new(service.with_retention(retention));
        self.status.opened(Arc::clone(&service));
        Ok(service)
    }

    /// Waits until nobody is told anything any more.
    async fn end(self) {
        if let Some(listening) = self.listening
            && let Err(error) = listening.await
        {
            tracing::warn!(%error, "operate: could not listen to the end");
        }
    }
}

/// Pages of matches, about to be served.
struct Pages {
    web: Arc<Web>,
    listener: TcpListener,
}

impl Pages {
    /// A parlor that links to its pages, and those pages.
    fn open(
        parlor: Parlor,
        listener: TcpListener,
        config: &Config,
    ) -> Result<(Arc<Parlor>, Option<Self>), Failure> {
        let address = listener.local_addr()?;
        let url = config.web.public_url.clone();
        let site = Site {
            url: url.unwrap_or_else(|| PublicUrl::at(address)),
            trusted: config.web.trusted_proxies.clone(),
        };
        writeln!(io::stdout(), "Pages of matches: {} ({address})", site.url)?;
        let parlor = Arc::new(parlor.with_pages(site.origin()));
        let others = u64::from(config.opens_local());
        let web = Web::new(Arc::clone(&parlor), site, others);
        Ok((parlor, Some(Self { web, listener })))
    }
}

pub fn broken(fault: Fault) -> io::Error {
    io::Error::other(fault.to_string())
}

/// The platforms that were configured.
struct Connected {
    links: Vec<Link>,
    /// All of them, with those that would not have us.
    platforms: Vec<Platform>,
}

/// Reaches every platform that is configured. One that can't be reached is named and left out; if none is
/// left, there is nothing to do.
async fn connect(
    config: &Config,
    listener: Option<TcpListener>,
    parlor: &Arc<Parlor>,
    stop: &StopSignal,
) -> Result<Connected, Failure> {
    let mut links = Vec::new();
    let mut refused: Vec<(&'static str, LinkError)> = Vec::new();
    if let Some(listener) = listener {
        let address = listener.local_addr()?;
        let others = u64::from(config.web.listen.is_some());
        links.push(Local::link(Arc::clone(parlor), listener, others, stop).map_err(broken)?);
        writeln!(io::stdout(), "Phase Parlor is open: http://{address}")?;
    }
    if config.discord.token.is_some() {
        match connect_discord(config, parlor, stop).await {
            Ok(link) => links.push(link),
            Err(error) => refused.push(("discord", error)),
        }
    }
    if config.matrix.is_meant() {
        match connect_matrix(config, parlor, stop).await {
            Ok(link) => {
                links.push(link);
                writeln!(io::stdout(), "Phase Parlor is open on Matrix")?;
            }
            Err(error) => refused.push(("matrix", error)),
        }
    }
    let lines = refused.iter().map(|(name, error)| format!("{name}: {error}"));
    if links.is_empty() {
        return Err(UsageError(lines.collect::<Vec<_>>().join("; ")).into());
    }
    lines.for_each(|line| super::complain(&line));
    let connected = links.iter().map(|link| Platform {
        name: link.name,
        connection: Arc::clone(&link.connection),
    });
    let left_out = refused.iter().map(|&(name, _)| Platform {
        name,
        connection: Connection::new(&parlor.service, name),
    });
    Ok(Connected {
        platforms: connected.chain(left_out).collect(),
        links,
    })
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
