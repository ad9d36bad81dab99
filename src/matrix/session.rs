//! The session on the homeserver: who we are there, and the keys that only we have.
//!
//! Everything lies in one folder under the store's path, which only the user may read:
//! ```text
//! session.json      homeserver, user, device and access token
//! recovery-key      opens what the homeserver keeps for us under lock
//! USER_DEVICE/      the state and crypto stores of matrix-sdk
//! ```
//! A device is made once. Its id is on disk before the homeserver hears of it, so that not even a crash while logging
//! in makes a second one. When the homeserver ends the session, the bot logs in again as the same device, with the keys
//! that it has: to others it is who it was, and what was encrypted for it can still be read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use matrix_sdk::authentication::matrix::MatrixSession;
use matrix_sdk::config::RequestConfig;
use matrix_sdk::encryption::{BackupDownloadStrategy, EncryptionSettings};
use matrix_sdk::ruma::api::client::session::login::v3::{self as login, LoginInfo, Password};
use matrix_sdk::ruma::api::client::uiaa::{MatrixUserIdentifier, UserIdentifier};
use matrix_sdk::ruma::{OwnedDeviceId, OwnedUserId, UserId};
use matrix_sdk::store::StateStoreDataKey;
use matrix_sdk::{Client, ClientBuilder, SessionMeta, SessionTokens};
use serde::{Deserialize, Serialize};

use super::errors::{MatrixError, OrLinkError};
use crate::chat::link::LinkError;
use crate::config::{MatrixConfig, Secret};
use crate::matches::port::Entropy;

/// What is written down of a session.
#[derive(Clone, Serialize, Deserialize)]
pub struct Kept {
    /// The homeserver as it was configured.
    configured: String,
    /// Where it is.
    homeserver: String,
    /// The user as they were configured, if they were.
    #[serde(default)]
    user: Option<String>,
    device: OwnedDeviceId,
    /// Absent while we have not logged in yet.
    session: Option<MatrixSession>,
    /// Whether the operator has been given a recovery key.
    #[serde(default)]
    pub recoverable: bool,
    /// Whether we have logged in just now.
    #[serde(skip)]
    pub fresh: bool,
}

impl Kept {
    /// This session, if it is that of the account that is configured; none if it never began.
    ///
    /// One of another account is left alone: only here are the keys of its device, and perhaps its recovery key.
    fn of(self, config: &MatrixConfig, homeserver: &str, folder: &Folder) -> Result<Option<Self>, LinkError> {
        let same_place = self.configured == homeserver;
        let Some(session) = &self.session else {
            return Ok(Some(self).filter(|kept| same_place && kept.user == config.user));
        };
        let whose = &session.meta.user_id;
        let same = match config.user.as_deref() {
            Some(user) => user == whose.as_str() || same_place && user == whose.localpart(),
            // Whose an access token is, the homeserver says.
            None => true,
        };
        if same {
            Ok(Some(self))
        } else {
            Err(folder.is_of(whose))
        }
    }

    /// Finds the homeserver again if it is configured another way than before.
    async fn look_up(&mut self, homeserver: &str, folder: &Folder) -> Result<(), LinkError> {
        if self.configured != homeserver {
            self.homeserver = found(homeserver).await?;
            homeserver.clone_into(&mut self.configured);
            folder.keep(self)?;
        }
        Ok(())
    }
}

/// Why there is no session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginError {
    /// The homeserver is away, or wants us to wait longer than we do.
    Away(String),
    /// It says no, or something is wrong here; one line for the operator.
    Never(String),
}

impl From<LinkError> for LoginError {
    fn from(error: LinkError) -> Self {
        Self::Never(error.0)
    }
}

impl From<LoginError> for LinkError {
    fn from(no: LoginError) -> Self {
        match no {
            LoginError::Away(why) | LoginError::Never(why) => Self(why),
        }
    }
}

/// The folder in which sessions are kept.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often we wait when the homeserver wants us to, before we say that it can't be done.
const MOST_WAITS: usize = 5;

impl Folder {
    pub fn open(store: &Path) -> Result<Self, LinkError> {
        let path = store.join("matrix");
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(&path)
            .or_link_error(format_args!("can't make the folder {}", path.display()))?;
        Ok(Self(path))
    }

    fn session_file(&self) -> PathBuf {
        self.0.join("session.json")
    }

    pub fn recovery_file(&self) -> PathBuf {
        self.0.join("recovery-key")
    }

    /// What the operator is told who wants another account in a folder that is taken.
    fn is_of(&self, whose: &UserId) -> LinkError {
        LinkError(format!(
            "{} belongs to {whose}: give another account another store path, or move that folder to a safe place",
            self.0.display()
        ))
    }

    /// Where matrix-sdk keeps its own. A store belongs to one device for ever.
    fn store(&self, user: &UserId, device: &str) -> PathBuf {
        let safe = |text: &str| -> String {
            let safe = text.replace(
                |letter: char| !letter.is_ascii_alphanumeric() && letter != '-',
                "_",
            );
            safe.chars().take(100).collect()
        };
        self.0.join(format!(
            "{}_{}",
            safe(user.as_str().trim_start_matches('@')),
            safe(device)
        ))
    }

    fn read(&self) -> Result<Option<Kept>, LinkError> {
        let path = self.session_file();
        let tried = format!("can't read {}", path.display());
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => serde_json::from_slice(&read.or_link_error(&tried)?)
                .map(Some)
                .or_link_error(&tried),
        }
    }

    pub fn keep(&self, kept: &Kept) -> Result<(), LinkError> {
        let path = self.session_file();
        let tried = format!("can't write {}", path.display());
        let json = serde_json::to_vec_pretty(kept).or_link_error(&tried)?;
        write_secret(&path, &json).or_link_error(&tried)
    }
}

/// Writes a file that only its owner may read, whole or not at all.
pub fn write_secret(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&new)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Takes up the session that is kept, or logs in; again, if the homeserver has ended the session.
pub async fn open(
    config: &MatrixConfig,
    folder: &Folder,
    entropy: &dyn Entropy,
) -> Result<(Client, Kept), LoginError> {
    let Some(homeserver) = config.homeserver.clone() else {
        return Err(LoginError::Never("no homeserver is configured".to_owned()));
    };
    let kept = match folder.read()? {
        Some(kept) => kept.of(config, &homeserver, folder)?,
        None => None,
    };
    match (&config.access_token, &config.password) {
        (Some(_), Some(_)) => Err(LoginError::Never(
            "give either a password or an access_token, not both".to_owned(),
        )),
        (Some(token), None) => Ok(with_token(config, folder, &homeserver, token, kept).await?),
        (None, Some(password)) => with_password(config, folder, &homeserver, password, kept, entropy).await,
        (None, None) => Err(LoginError::Never(
            "a homeserver is configured, but neither a password nor an access_token".to_owned(),
        )),
    }
}

async fn with_password(
    config: &MatrixConfig,
    folder: &Folder,
    homeserver: &str,
    password: &Secret,
    kept: Option<Kept>,
    entropy: &dyn Entropy,
) -> Result<(Client, Kept), LoginError> {
    let Some(user) = &config.user else {
        return Err(LoginError::Never(
            "a password is configured, but no user".to_owned(),
        ));
    };
    let mut kept = match kept {
        Some(mut kept) => {
            kept.look_up(homeserver, folder).await?;
            if let Some(session) = kept.session.clone() {
                let client = restored(folder, &kept.homeserver, session).await?;
                if !is_logged_out(&client).await {
                    return Ok((client, kept));
                }
                tracing::warn!(%homeserver, "matrix: session ended; logging in again as the same device");
            }
            kept
        }
        None => {
            let kept = Kept {
                configured: homeserver.to_owned(),
                homeserver: found(homeserver).await?,
                user: config.user.clone(),
                device: new_device(entropy)?,
                session: None,
                recoverable: false,
                fresh: true,
            };
            folder.keep(&kept)?;
            kept
        }
    };
    let client = log_in(config, folder, user, password, &mut kept).await?;
    Ok((client, kept))
}

/// Whether the homeserver has ended the session. One that is away knows us when it is back.
async fn is_logged_out(client: &Client) -> bool {
    let answer = client.whoami().await.map_err(MatrixError::from);
    matches!(answer, Err(MatrixError::LoggedOut))
}

async fn log_in(
    config: &MatrixConfig,
    folder: &Folder,
    user: &str,
    password: &Secret,
    kept: &mut Kept,
) -> Result<Client, LoginError> {
    // Logging in tells the user's full name, by which the stores are called.
    let logged_out = build(plain(&kept.homeserver)).await?;
    let name = config.device_name.as_deref().unwrap_or("Phase Parlor");
    let mut waits = 0;
    let session = loop {
        // Asked for by hand: the client's own way of logging in would make keys, which belong into the store.
        let identifier = UserIdentifier::Matrix(MatrixUserIdentifier::new(user.to_owned()));
        let secret = Password::new(identifier, password.expose().to_owned());
        let mut request = login::Request::new(LoginInfo::Password(secret));
        request.device_id = Some(kept.device.clone());
        request.initial_device_display_name = Some(name.to_owned());
        match logged_out.send(request).await {
            Ok(response) => break MatrixSession::from(&response),
            Err(error) => match MatrixError::from(error) {
                MatrixError::Passing {
                    after: Some(after), ..
                } if waits < MOST_WAITS => {
                    waits += 1;
                    tokio::time::sleep(after).await;
                }
                MatrixError::Passing { why, .. } | MatrixError::Away { why } => {
                    let why = format!("can't log in at {}: {why}", kept.homeserver);
                    return Err(LoginError::Away(why));
                }
                error @ (MatrixError::Refused { .. } | MatrixError::LoggedOut) => {
                    let why = format!("{} won't let {user} in: {error}", kept.homeserver);
                    return Err(LoginError::Never(why));
                }
            },
        }
    };
    kept.session = Some(session.clone());
    kept.fresh = true;
    folder.keep(kept)?;
    Ok(restored(folder, &kept.homeserver, session).await?)
}

async fn with_token(
    config: &MatrixConfig,
    folder: &Folder,
    homeserver: &str,
    token: &Secret,
    mut kept: Option<Kept>,
) -> Result<(Client, Kept), LinkError> {
    let same = |kept: &Kept| {
        kept.session
            .as_ref()
            .is_some_and(|session| session.tokens.access_token == token.expose())
    };
    if let Some(kept) = kept.as_mut().filter(|kept| same(kept))
        && let Some(session) = kept.session.clone()
    {
        kept.look_up(homeserver, folder).await?;
        let client = restored(folder, &kept.homeserver, session).await?;
        if is_logged_out(&client).await {
            return Err(unknown_token(homeserver));
        }
        return Ok((client, kept.clone()));
    }
    let at = found(homeserver).await?;
    let (user, device) = who_has(&at, token).await?;
    if let Some(wanted) = &config.user
        && *wanted != user
        && wanted != user.localpart()
    {
        return Err(LinkError(format!(
            "the access_token belongs to {user}, not to {wanted}"
        )));
    }
    if let Some(other) = kept.as_ref().and_then(|kept| kept.session.as_ref())
        && other.meta.user_id != user
    {
        return Err(folder.is_of(&other.meta.user_id));
    }
    // Another token of the same device goes on where the old one ended.
    let recoverable = kept.is_some_and(|kept| kept.device == device && kept.recoverable);
    let session = MatrixSession {
        meta: SessionMeta {
            user_id: user,
            device_id: device.clone(),
        },
        tokens: SessionTokens {
            access_token: token.expose().to_owned(),
            refresh_token: None,
        },
    };
    let kept = Kept {
        configured: homeserver.to_owned(),
        homeserver: at,
        user: config.user.clone(),
        device,
        session: Some(session.clone()),
        recoverable,
        fresh: false,
    };
    folder.keep(&kept)?;
    let client = restored(folder, &kept.homeserver, session).await?;
    Ok((client, kept))
}

/// What the operator is told when an access token is no longer good: nobody here can get another one.
pub fn unknown_token(homeserver: &str) -> LinkError {
    LinkError(format!(
        "{homeserver} no longer accepts the access_token; give the bot a new one, or a password, and start it again"
    ))
}

/// Whose access token it is.
async fn who_has(homeserver: &str, token: &Secret) -> Result<(OwnedUserId, OwnedDeviceId), LinkError> {
    #[derive(Deserialize)]
    struct WhoAmI {
        user_id: OwnedUserId,
        device_id: Option<OwnedDeviceId>,
    }
    let tried = format!("can't reach {homeserver}");
    let logged_out = build(plain(homeserver)).await?;
    let url = format!(
        "{}/_matrix/client/v3/account/whoami",
        homeserver.trim_end_matches('/')
    );
    let asked = logged_out
        .http_client()
        .get(url)
        .bearer_auth(token.expose())
        .send();
    let answer = asked.await.or_link_error(&tried)?;
    let status = answer.status();
    let body = answer.text().await.or_link_error(&tried)?;
    if matches!(status.as_u16(), 401 | 403) {
        return Err(LinkError(format!("{homeserver} doesn't know the access_token")));
    }
    let who: WhoAmI = serde_json::from_str(&body).map_err(|_| {
        LinkError(format!(
            "{homeserver} does not answer like a Matrix homeserver ({status})"
        ))
    })?;
    let device = who.device_id.ok_or_else(|| {
        LinkError("the access_token belongs to no device, so it can't be used with encryption".to_owned())
    })?;
    Ok((who.user_id, device))
}

/// Where the homeserver is: what is configured, or what the server of that name says.
async fn found(homeserver: &str) -> Result<String, LinkError> {
    if homeserver.starts_with("http://") || homeserver.starts_with("https://") {
        return Ok(homeserver.to_owned());
    }
    let builder = Client::builder()
        .server_name_or_homeserver_url(homeserver)
        .request_config(requests());
    Ok(build(builder).await?.homeserver().to_string())
}

async fn restored(folder: &Folder, homeserver: &str, session: MatrixSession) -> Result<Client, LinkError> {
    let path = folder.store(&session.meta.user_id, session.meta.device_id.as_str());
    let settings = EncryptionSettings {
        auto_enable_cross_signing: false,
        auto_enable_backups: false,
        backup_download_strategy: BackupDownloadStrategy::AfterDecryptionFailure,
    };
    let builder = plain(homeserver)
        .sqlite_store(path, None)
        .with_enable_share_history_on_invite(false)
        .with_encryption_settings(settings);
    let client = build(builder).await?;
    let tried = "can't take the session up again";
    // matrix-sdk passes over an answer of the homeserver that ends where it has read up to. It may have read what we had
    // no time to act upon, so it is not to know how far it was: the listener knows.
    let forgotten = client
        .state_store()
        .remove_kv_data(StateStoreDataKey::SyncToken)
        .await;
    forgotten.or_link_error(tried)?;
    client.restore_session(session).await.or_link_error(tried)?;
    Ok(client)
}

fn plain(homeserver: &str) -> ClientBuilder {
    Client::builder()
        .homeserver_url(homeserver)
        .request_config(requests())
}

/// Who asks decides when to ask again: the outbox and the listener have their own patience.
fn requests() -> RequestConfig {
    RequestConfig::new().disable_retry().timeout(PATIENCE)
}

async fn build(builder: ClientBuilder) -> Result<Client, LinkError> {
    builder
        .build()
        .await
        .or_link_error("the homeserver can't be used")
}

/// A name for a new device, as homeservers make them.
fn new_device(entropy: &dyn Entropy) -> Result<OwnedDeviceId, LinkError> {
    let mut bytes = [0; 10];
    entropy
        .fill(&mut bytes)
        .map_err(|fault| LinkError(fault.to_string()))?;
    let letters: String = bytes.iter().map(|byte| char::from(b'A' + byte % 26)).collect();
    Ok(letters.into())
}
