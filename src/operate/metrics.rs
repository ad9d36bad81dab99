//! Figures for Prometheus.
//!
//! What happens is counted when it happens, which costs an addition. What can be looked up is looked up when somebody
//! asks.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};

use super::bot_status::BotStatus;
use super::process;
use crate::matches::observer::{Answered, Lives, Observer, Posted, RequestResult};
use crate::matches::port::{Fault, Health};
use crate::matches::service::Service;

/// What every name begins with.
const PREFIX: &str = "parlor";

/// How long answers and commits take, in seconds: from what nobody notices to what everybody does.
const SECONDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// How many waiting deliveries are looked at; beyond that there are many, and it does not matter how many.
const MOST_WAITING: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CommandLabels {
    platform: String,
    verb: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    platform: String,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PlatformLabels {
    platform: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct GameLabels {
    game: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VersionLabels {
    version: &'static str,
}

type Seconds = Gauge<f64, AtomicU64>;
type Times = Family<PlatformLabels, Histogram, fn() -> Histogram>;

/// All figures.
pub struct Metrics {
    registry: Registry,
    // Counted as it happens.
    commands: Family<CommandLabels, Counter>,
    answers: Times,
    moves: Family<GameLabels, Counter>,
    matches: Gauge,
    deliveries: Family<DeliveryLabels, Counter>,
    commits: Histogram,
    failed_commits: Counter,
    // Looked up when somebody asks.
    waiting: Family<PlatformLabels, Gauge>,
    oldest: Family<PlatformLabels, Seconds>,
    lines_wanted: Family<PlatformLabels, Gauge>,
    lines_up: Family<PlatformLabels, Gauge>,
    connected: Family<PlatformLabels, Gauge>,
    thinking: Gauge,
    writable: Gauge,
    store_bytes: Gauge,
    compactions: Gauge,
    open_files: Gauge,
    file_limit: Gauge,
    memory: Gauge,
    left_out: Gauge,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        let times: Times = Family::new_with_constructor(|| Histogram::new(SECONDS));
        let version: Family<VersionLabels, Gauge> = add(&mut registry, "build", "The version that runs");
        version
            .get_or_create(&VersionLabels {
                version: env!("CARGO_PKG_VERSION"),
            })
            .set(1);
        let to = &mut registry;
        Self {
            commands: add(
                to,
                "commands",
                "Requests by command (line: what was not read as one), platform and result",
            ),
            answers: add_this(
                to,
                "answer_seconds",
                "How long the parlor took to answer a request",
                times,
            ),
            moves: add(to, "moves", "Moves by game, those of bots among them"),
            matches: add(to, "running_matches", "Matches that are played or gather players"),
            deliveries: add(
                to,
                "deliveries",
                "Tries to deliver by platform and result (given_up: the platform refused it for good)",
            ),
            commits: add_this(
                to,
                "store_commit_seconds",
                "How long a batch took to be on disk",
                Histogram::new(SECONDS),
            ),
            failed_commits: add(to, "store_failed_commits", "Batches that could not be written"),
            waiting: add(
                to,
                "deliveries_waiting",
                "Deliveries that wait, by platform; at most 10000 are counted",
            ),
            oldest: add(
                to,
                "deliveries_oldest_seconds",
                "How long the oldest of them has waited",
            ),
            lines_wanted: add(
                to,
                "connection_lines_wanted",
                "How many lines a platform has: the gateway's shards on Discord, else one",
            ),
            lines_up: add(to, "connection_lines_up", "How many of them are up"),
            connected: add(
                to,
                "connected",
                "Whether everything is up on a platform (Discord: gateway, Matrix: sync)",
            ),
            thinking: add(
                to,
                "thoughts_waiting",
                "Errands of bots that wait for a thread to think on",
            ),
            writable: add(to, "store_writable", "Whether the store can be written to"),
            store_bytes: add(to, "store_bytes", "The size of the store on disk"),
            compactions: add(
                to,
                "store_compactions",
                "How often the store has been made smaller since the start",
            ),
            open_files: add(to, "open_files", "Open file descriptors"),
            file_limit: add(to, "open_files_limit", "How many may be open"),
            memory: add(to, "resident_memory_bytes", "Memory in use"),
            left_out: add(
                to,
                "log_lines_left_out",
                "Log lines that repeated what was said less than a minute before",
            ),
            registry,
        }
    }

    /// Counts what is alive in a store that has just been opened, before anything changes in it.
    pub fn begin(&self, service: &Service) -> Result<(), Fault> {
        let alive = service.repository().count_alive()?;
        self.matches.set(i64::try_from(alive).unwrap_or(i64::MAX));
        Ok(())
    }

    /// A batch was committed, or could not be.
    pub fn committed(&self, took: Duration, kept: bool) {
        self.commits.observe(took.as_secs_f64());
        if !kept {
            self.failed_commits.inc();
        }
    }

    /// Everything as text, for whoever asks. It reads the store and the disk: not for an async thread.
    pub fn text(&self, status: &BotStatus) -> Result<String, fmt::Error> {
        self.look_up(status);
        let mut written = String::new();
        text::encode(&mut written, &self.registry)?;
        Ok(written)
    }

    fn look_up(&self, status: &BotStatus) {
        self.waiting.clear();
        self.oldest.clear();
        for (platform, lines) in status.platforms() {
            let labels = PlatformLabels {
                platform: platform.to_owned(),
            };
            let up = u32::try_from(lines.up.len()).unwrap_or(u32::MAX);
            self.lines_wanted.get_or_create(&labels).set(lines.wanted.into());
            self.lines_up.get_or_create(&labels).set(up.into());
            self.connected.get_or_create(&labels).set(lines.all_up().into());
            // Nothing waits for it, as far as is known here.
            self.waiting.get_or_create(&labels).set(0);
            self.oldest.get_or_create(&labels).set(0.0);
        }
        self.left_out.set(whole(super::repeats::left_out()));
        let process = process::look();
        self.open_files.set(whole(process.open_files));
        self.file_limit.set(whole(process.file_limit));
        self.memory.set(whole(process.resident_bytes));
        let Some(service) = status.service() else {
            return;
        };
        self.thinking.set(whole(service.waiting_thoughts() as u64));
        let store = service.store();
        self.writable.set((store.health() == Health::Good).into());
        let figures = store.figures();
        let size = || process::size_of(status.store_path());
        self.store_bytes
            .set(whole(figures.bytes_on_disk.unwrap_or_else(size)));
        self.compactions.set(whole(figures.compactions.unwrap_or(0)));
        match service.repository().backlog(MOST_WAITING) {
            Ok(backlogs) => {
                for (platform, backlog) in backlogs {
                    let labels = PlatformLabels { platform };
                    self.waiting
                        .get_or_create(&labels)
                        .set(whole(backlog.waiting as u64));
                    let age = backlog.oldest.map_or(0, |at| service.now().since(at).0);
                    self.oldest
                        .get_or_create(&labels)
                        .set(Duration::from_millis(age).as_secs_f64());
                }
            }
            Err(fault) => tracing::error!(%fault, "operate: could not read the waiting deliveries"),
        }
    }
}

impl Observer for Metrics {
    fn answered(&self, answer: &Answered<'_>) {
        let platform = answer.platform.to_owned();
        let labels = PlatformLabels {
            platform: platform.clone(),
        };
        self.answers
            .get_or_create(&labels)
            .observe(answer.took.as_secs_f64());
        let result = match answer.outcome {
            RequestResult::Done => "done",
            RequestResult::Refused => "refused",
            RequestResult::Failed => "failed",
        };
        let labels = CommandLabels {
            platform,
            verb: answer.verb,
            result,
        };
        self.commands.get_or_create(&labels).inc();
    }

    fn moved(&self, game: &str, moves: usize) {
        let labels = GameLabels {
            game: game.to_owned(),
        };
        self.moves.get_or_create(&labels).inc_by(moves as u64);
    }

    fn lives(&self, change: Lives) {
        match change {
            Lives::Begun => self.matches.inc(),
            Lives::Ended => self.matches.dec(),
        };
    }

    fn posted(&self, platform: &str, posted: Posted) {
        let result = match posted {
            Posted::Delivered => "delivered",
            Posted::PutOff => "put_off",
            Posted::GivenUp => "given_up",
        };
        let labels = DeliveryLabels {
            platform: platform.to_owned(),
            result,
        };
        self.deliveries.get_or_create(&labels).inc();
    }
}

/// Shares the figures with whoever observes.
pub fn observer(metrics: &Arc<Metrics>) -> Arc<dyn Observer> {
    Arc::<Metrics>::clone(metrics)
}

fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    add_this(registry, name, help, M::default())
}

fn add_this<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
