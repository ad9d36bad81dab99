//! An adapter at work: what the program that starts it needs to know of it.

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::outbox::Postman;
use crate::matches::delivery::To;
use crate::matches::service::Service;

/// A platform that has been reached.
pub struct Link {
    /// What the operator calls it.
    pub name: &'static str,
    /// Who brings deliveries there.
    pub postman: Arc<dyn Postman>,
    /// Listens until it is told to stop; ends sooner only if the platform will have us no longer.
    pub listening: JoinHandle<Result<(), LinkError>>,
    /// How it stands with the platform at this moment.
    pub connection: Arc<Connection>,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Link").field(&self.name).finish()
    }
}

/// How an adapter stands with its platform. Whoever looks after the bot asks for it; and while the platform can't be
/// reached, the clocks of its players stand still. Some platforms have several lines, which come and go one by one; most
/// have one.
#[derive(Debug)]
pub struct Connection {
    platform: &'static str,
    service: Arc<Service>,
    state: Mutex<ConnectionState>,
}

/// What is known of a connection.
#[derive(Debug, Default)]
struct ConnectionState {
    lines: Lines,
    failing: FailingPlaces,
}

/// Places that took nothing of late. A platform that takes something elsewhere is not away: a place that fails again and
/// again is in trouble of its own, and that is nobody else's.
#[derive(Debug, Default)]
struct FailingPlaces {
    /// How often the platform has taken something.
    taken: u64,
    /// Each place, with how often that was when it failed first.
    since: HashMap<To, u64>,
}

impl FailingPlaces {
    fn note_taken(&mut self) {
        self.taken += 1;
    }

    /// Whether the platform may be away, as far as one place tells that has failed.
    fn may_be_all(&mut self, place: &To) -> bool {
        let since = self.since.entry(place.clone()).or_insert(self.taken);
        *since == self.taken
    }
}

/// The lines of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// How many there should be.
    pub wanted: u32,
    /// Those that are up, by number: on them we hear what happens.
    pub up: BTreeSet<u32>,
    pub sending: Sending,
}

/// Whether the platform takes what we send, as far as we know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sending {
    #[default]
    Works,
    Fails,
}

impl Lines {
    /// Whether everything works that should.
    pub fn all_up(&self) -> bool {
        let up = self.wanted > 0 && (0..self.wanted).all(|line| self.up.contains(&line));
        up && self.sending == Sending::Works
    }
}

impl Connection {
    /// Nothing is connected yet, and it is not known how many lines there will be.
    pub fn new(service: &Arc<Service>, platform: &'static str) -> Arc<Self> {
        let connection = Self {
            platform,
            service: Arc::clone(service),
            state: Mutex::default(),
        };
        connection.change(|_| ());
        Arc::new(connection)
    }

    /// One line, which is not up yet.
    pub fn single(service: &Arc<Service>, platform: &'static str) -> Arc<Self> {
        let connection = Self::new(service, platform);
        connection.want(1);
        connection
    }

    /// There are so many lines from now on, and none of them is up yet.
    pub fn want(&self, lines: u32) {
        self.change(|now| {
            now.wanted = lines;
            now.up.clear();
        });
    }

    pub fn up(&self, line: u32) {
        self.change(|lines| {
            lines.up.insert(line);
        });
    }

    pub fn down(&self, line: u32) {
        self.change(|lines| {
            lines.up.remove(&line);
        });
    }

    /// These lines are up, and no others.
    pub fn set_up(&self, up: BTreeSet<u32>) {
        self.change(|lines| lines.up = up);
    }

    /// Whether the platform takes what we send, whoever has found that out.
    pub fn note_sending(&self, sending: Sending) {
        self.change(|lines| lines.sending = sending);
    }

    /// Whether the platform took what we sent to a place.
    pub fn note_sent(&self, place: &To, sending: Sending) {
        let mut state = self.lock();
        match sending {
            Sending::Works => {
                state.failing.since.remove(place);
                state.failing.note_taken();
            }
            Sending::Fails if !state.failing.may_be_all(place) => return,
            Sending::Fails => {}
        }
        state.lines.sending = sending;
        self.tell_clocks(&state.lines);
    }

    /// Something that we asked for was answered, though nothing was sent to anybody: what fails does not fail everywhere.
    pub fn note_answered(&self) {
        let mut state = self.lock();
        state.failing.note_taken();
        state.lines.sending = Sending::Works;
        self.tell_clocks(&state.lines);
    }

    /// From now on nothing is connected there.
    pub fn close(&self) {
        self.change(|lines| lines.up.clear());
    }

    pub fn lines(&self) -> Lines {
        self.lock().lines.clone()
    }

    /// Changes the lines and tells the clocks, in one step: what they are told last is how it is.
    fn change(&self, change: impl FnOnce(&mut Lines)) {
        let mut state = self.lock();
        change(&mut state.lines);
        self.tell_clocks(&state.lines);
    }

    fn tell_clocks(&self, lines: &Lines) {
        // Nobody can tell on which line a player is, and none is to lose because theirs is the one that is away.
        if lines.all_up() {
            self.service.platform_reached(self.platform);
        } else {
            self.service.platform_lost(self.platform);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a platform can't be reached and trying again is no use: one line for the operator, without
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LinkError(pub String);

/// The word to stop. Every adapter has a copy.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<bool>);

/// Says the word to stop.
#[derive(Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    pub fn new() -> (Self, StopSignal) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), StopSignal(receiver))
    }

    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl StopSignal {
    /// Ready when it is time to stop.
    pub fn told(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut word = self.0.clone();
        async move {
            // An error means that nobody can tell us any more, which is as good as being told.
            let _ = word.wait_for(|stop| *stop).await;
        }
    }
}
