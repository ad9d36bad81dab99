//! Staying on a homeserver: one session after the other.
//!
//! A homeserver may end a session at any time: it expires, an administrator ends it, or somebody logs the bot out from
//! another client. With a password the bot logs in again, as the same device, and goes on where it was. With an access
//! token it can't, and says so.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;

use super::PLATFORM;
use super::allow::Allow;
use super::answers::AnswerQueues;
use super::command_handler::{CommandHandler, MOST_REFUSED, Tasks};
use super::direct::Direct;
use super::homes::Homes;
use super::identity;
use super::keys::Keys;
use super::listener::{Ended, SyncListener, seen};
use super::postman::{MatrixPostman, SessionPostman};
use super::profile;
use super::recent::Recent;
use super::room_queues::RoomQueues;
use super::rooms::RoomKeeper;
use super::sender::{MessageSender, SentMessages};
use super::session::{self, Folder, LoginError};
use super::storage::MatrixStore;
use crate::backoff::Backoff;
use crate::chat::link::{Connection, LinkError, StopSignal};
use crate::chat::parlor::Parlor;
use crate::config::MatrixConfig;

/// What outlives a session.
pub struct Reconnector {
    config: MatrixConfig,
    folder: Folder,
    parlor: Arc<Parlor>,
    storage: MatrixStore,
    spoken: SentMessages,
    carrier: watch::Sender<Option<Arc<SessionPostman>>>,
    connection: Arc<Connection>,
}

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A session that ends sooner than this is no reason to hurry.
const SHORT: Duration = Duration::from_secs(60);

impl Reconnector {
    /// Everything but a session.
    pub fn new(config: &MatrixConfig, store: &Path, parlor: &Arc<Parlor>) -> Result<Self, LinkError> {
        Ok(Self {
            config: config.clone(),
            folder: Folder::open(store)?,
            parlor: Arc::clone(parlor),
            storage: MatrixStore::new(Arc::clone(parlor.service.store())),
            spoken: SentMessages::default(),
            carrier: watch::Sender::new(None),
            connection: Connection::single(&parlor.service, PLATFORM),
        })
    }

    /// Brings deliveries whenever there is a session.
    pub fn postman(&self) -> MatrixPostman {
        MatrixPostman {
            carrier: self.carrier.subscribe(),
            connection: self.connection(),
        }
    }

    /// Whether syncing works.
    pub fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }

    /// Takes up the session, or logs in.
    pub async fn begin(&self) -> Result<SyncListener, LoginError> {
        let (config, folder) = (&self.config, &self.folder);
        let (parlor, storage) = (&self.parlor, &self.storage);
        let (client, mut kept) = session::open(config, folder, parlor.service.entropy()).await?;
        let (Some(own), Some(device)) = (client.user_id(), client.device_id()) else {
            return Err(LoginError::Never(
                "the homeserver does not say who we are".to_owned(),
            ));
        };
        let (own, device) = (own.to_owned(), device.to_string());
        let allow = Arc::new(Allow::read(&config.allow, &own)?);
        match identity::set_up(&client, config, folder, &mut kept).await {
            // The homeserver may not have our keys in a new session, and without them we can read nothing.
            Err(error) if kept.recoverable && kept.fresh => return Err(LoginError::Away(error.0)),
            // It was done before; a homeserver that is away now hears of us when it is back.
            Err(error) if kept.recoverable => {
                tracing::warn!(%error, "matrix: could not check the keys of our device");
            }
            done => done?,
        }
        let message_sender = MessageSender::new(
            client.clone(),
            Arc::clone(parlor),
            storage.clone(),
            self.spoken.clone(),
        );
        let direct = Arc::new(Direct::new(client.clone(), storage.clone()));
        let homes = Homes {
            client: client.clone(),
            parlor: Arc::clone(parlor),
            storage: storage.clone(),
        };
        let (settled, is_settled) = watch::channel(false);
        let (arrivals, arrived) = watch::channel(0);
        self.carrier.send_replace(Some(Arc::new(SessionPostman {
            parlor: Arc::clone(parlor),
            message_sender: message_sender.clone(),
            storage: storage.clone(),
            direct: Arc::clone(&direct),
            homes: homes.clone(),
            settled: is_settled,
        })));
        let tasks = Tasks::default();
        let (account, memory) = (client.clone(), storage.clone());
        tasks.spawn(async move { profile::set_up(&account, &memory).await });
        let command_handler = Arc::new(CommandHandler {
            own: own.clone(),
            parlor: Arc::clone(parlor),
            storage: storage.clone(),
            answers: AnswerQueues::new(message_sender.clone(), Arc::clone(&direct), storage.clone()),
            direct,
            rooms: RoomKeeper {
                client: client.clone(),
                homes: homes.clone(),
                storage: storage.clone(),
                allow,
            },
            homes,
            keys: Keys::new(message_sender, arrived),
            tasks,
            refused: Mutex::new(Recent::new(MOST_REFUSED)),
            puzzled: Mutex::default(),
        });
        Ok(SyncListener {
            client,
            own,
            device,
            storage: storage.clone(),
            command_handler,
            queues: RoomQueues::default(),
            arrivals,
            settled,
            connection: self.connection(),
            seen: seen(),
        })
    }

    /// Listens, in one session after the other, until it is told to stop or the homeserver won't have us.
    pub async fn listen(self, mut listener: SyncListener, stop: StopSignal) -> Result<(), LinkError> {
        loop {
            let begun = tokio::time::Instant::now();
            match listener.listen(&stop).await? {
                Ended::Stopped => return Ok(()),
                Ended::LoggedOut => {}
            }
            // Nothing of the old session is left when the next one opens its store.
            self.carrier.send_replace(None);
            if self.config.password.is_none() {
                let homeserver = self.config.homeserver.as_deref();
                return Err(session::unknown_token(homeserver.unwrap_or_default()));
            }
            if begun.elapsed() < SHORT && pause(FIRST_PAUSE, &stop).await.is_break() {
                return Ok(());
            }
            match self.begin_again(&stop).await? {
                Some(next) => listener = next,
                None => return Ok(()),
            }
        }
    }

    /// Tries to get in until the homeserver is there; none if it is told to stop before.
    async fn begin_again(&self, stop: &StopSignal) -> Result<Option<SyncListener>, LinkError> {
        let mut pauses = Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
        loop {
            match self.begin().await {
                Ok(listener) => return Ok(Some(listener)),
                Err(LoginError::Away(why)) => {
                    tracing::warn!(error = %why, "matrix: could not log in; trying again");
                }
                Err(LoginError::Never(why)) => return Err(LinkError(why)),
            }
            if pause(pauses.pause(), stop).await.is_break() {
                return Ok(None);
            }
        }
    }
}

/// Waits, unless it is told to stop.
async fn pause(length: Duration, stop: &StopSignal) -> ControlFlow<()> {
    tokio::select! {
        () = stop.told() => ControlFlow::Break(()),
        () = tokio::time::sleep(length) => ControlFlow::Continue(()),
    }
}
