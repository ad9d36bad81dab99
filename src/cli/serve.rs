//! `parlor`: the bot itself.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parlor::chat::outbox::Outbox;
use parlor::chat::parlor::Parlor;
use parlor::config::Config;
use parlor::local::{self, Local};
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::Store;
use parlor::matches::service::Service;
use parlor::matches::time::SystemClock;
use parlor::store::SledStore;
use tokio::sync::watch;
use tracing_subscriber::EnvFilter;

use super::Failure;
use super::arguments::{Arguments, UsageError};

/// Runs the bot until it is told to stop.
pub fn serve(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&["--config"])?;
    arguments.expect_operands(0)?;
    let config = configuration(arguments)?;
    if config.discord.token.is_some() || config.matrix.homeserver.is_some() {
        return Err(UsageError::new(
            "this version speaks neither Discord nor Matrix yet; leave out [discord] and [matrix]",
        )
        .into());
    }
    start_log();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(&config))
}

/// The operator's choices, from where the command line or the environment says.
pub fn configuration(arguments: &Arguments) -> Result<Config, UsageError> {
    let variables: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let from_environment = variables
        .iter()
        .find(|(name, _)| name == "PARLOR_CONFIG")
        .map(|(_, path)| path.clone());
    let named = arguments
        .config
        .clone()
        .or_else(|| from_environment.map(Into::into));
    Config::load(named.as_deref(), variables).map_err(|error| UsageError(error.to_string()))
}

/// Opens the store that the configuration names.
pub fn open_store(path: &Path) -> Result<SledStore, UsageError> {
    SledStore::open(path).map_err(|error| UsageError(error.to_string()))
}

/// Quiet unless something is wrong; `RUST_LOG` asks for more.
fn start_log() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .init();
}

async fn run(config: &Config) -> Result<(), Failure> {
    // Before the store is opened: an address in use must not leave anything behind.
    let listener = if config.opens_local() {
        let bound = local::bind(config.local.listen).await;
        Some(bound.map_err(|error| UsageError(error.to_string()))?)
    } else {
        None
    };
    let store = Arc::new(open_store(&config.store.path)?);
    let broken = |fault: parlor::matches::port::Fault| io::Error::other(fault.to_string());
    let kept: Arc<dyn Store> = Arc::<SledStore>::clone(&store);
    let service = Service::new(kept, Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken)?;
    let service = Arc::new(service);
    let parlor = Arc::new(Parlor::new(Arc::clone(&service)));
    let (stop, stopping) = watch::channel(false);
    let mut postmen = Vec::new();
    let room = match listener {
        Some(listener) => {
            let address = listener.local_addr()?;
            let room = Local::open(Arc::clone(&parlor)).map_err(broken)?;
            postmen.push(room.postman());
            let serving = tokio::spawn(room.serve(listener, told_to_stop(stopping.clone())));
            writeln!(io::stdout(), "Phase Parlor is open: http://{address}")?;
            Some(serving)
        }
        None => None,
    };
    let outbox = Outbox::new(Arc::clone(&parlor), postmen);
    let delivering = {
        let stopping = stopping.clone();
        tokio::spawn(async move { outbox.run(told_to_stop(stopping)).await })
    };
    let clocks = tokio::spawn(async move { service.keep_clocks(told_to_stop(stopping)).await });
    signal().await?;
    // What is under way is finished: requests are answered, deliveries made, the disk is caught up.
    stop.send_replace(true);
    if let Some(room) = room {
        room.await.map_err(io::Error::other)??;
    }
    clocks.await.map_err(io::Error::other)?;
    delivering.await.map_err(io::Error::other)?;

    store.flush().await.map_err(broken)?;
    Ok(())
}

/// Ready when the bot is told to stop.
async fn told_to_stop(mut stopping: watch::Receiver<bool>) {
    // An error means that nobody can tell us any more, which is as good as being told.
    let _ = stopping.wait_for(|stop| *stop).await;
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
