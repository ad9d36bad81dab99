//! Who we are to others: a cross-signed device, and a key with which the operator can bring all of it back.
//!
//! A device that its owner has not signed gets no keys from careful clients, so it can read nothing in encrypted rooms.

use std::collections::BTreeMap;
use std::time::Duration;

use matrix_sdk::Client;
use matrix_sdk::config::SyncSettings;
use matrix_sdk::encryption::Encryption;
use matrix_sdk::ruma::api::client::keys::get_keys::v3 as get_keys;
use matrix_sdk::ruma::api::client::keys::upload_keys::v3 as upload_keys;
use matrix_sdk::ruma::api::client::uiaa::{AuthData, MatrixUserIdentifier, Password, UserIdentifier};
use matrix_sdk::ruma::serde::Raw;

use super::errors::{OrLinkError, one_line};
use super::session::{Folder, Kept, write_secret};
use crate::chat::link::LinkError;
use crate::config::{MatrixConfig, Secret};

/// Signs our own device, and leaves the operator a recovery key. Done once; later starts find it done.
pub async fn set_up(
    client: &Client,
    config: &MatrixConfig,
    folder: &Folder,
    kept: &mut Kept,
) -> Result<(), LinkError> {
    let encryption = client.encryption();
    encryption.wait_for_e2ee_initialization_tasks().await;
    if kept.recoverable {
        if !is_published(client).await? {
            publish(client, &encryption).await?;
        }
        if is_signed(&encryption).await {
            return Ok(());
        }
    }
    bootstrap(client, &encryption, config.password.as_ref()).await?;
    let ours = encryption.cross_signing_status().await;
    if !ours.is_some_and(|status| status.is_complete()) {
        recover(client, config, folder).await?;
    } else {
        sign(client, &encryption).await?;
        if !kept.recoverable && config.recovery_key.is_none() {
            leave_key(&encryption, folder).await?;
        }
    }
    kept.recoverable = true;
    folder.keep(kept)
}

/// Whether the homeserver has our device's keys. It throws them away when it ends a session for good.
async fn is_published(client: &Client) -> Result<bool, LinkError> {
    let (Some(user), Some(device)) = (client.user_id(), client.device_id()) else {
        return Ok(true);
    };
    let mut request = get_keys::Request::new();
    request.device_keys = BTreeMap::from([(user.to_owned(), vec![device.to_owned()])]);
    let known = client
        .send(request)
        .await
        .or_link_error("can't look for our keys")?;
    let ours = known.device_keys.get(user);
    Ok(ours.is_some_and(|devices| devices.contains_key(device)))
}

/// Publishes our device's keys once more, signatures and all. matrix-sdk takes them for published for ever. Without them
/// nobody could encrypt anything for us.
async fn publish(client: &Client, encryption: &Encryption) -> Result<(), LinkError> {
    let tried = "can't publish our keys again";
    let Some(own) = encryption.get_own_device().await.or_link_error(tried)? else {
        return Ok(());
    };
    let keys = Raw::new(own.as_device_keys()).or_link_error(tried)?;
    let mut request = upload_keys::Request::new();
    request.device_keys = Some(keys.cast_unchecked());
    client.send(request).await.or_link_error(tried)?;
    Ok(())
}

async fn is_signed(encryption: &Encryption) -> bool {
    let own = encryption.get_own_device().await;
    own.is_ok_and(|device| device.is_some_and(|device| device.is_cross_signed_by_owner()))
}

/// Signs our device with keys that we have, unless it is signed.
async fn sign(client: &Client, encryption: &Encryption) -> Result<(), LinkError> {
    let tried = "can't sign our device";
    if let Some(own) = client.user_id() {
        // What the homeserver knows of us, signatures and all.
        encryption.request_user_identity(own).await.or_link_error(tried)?;
    }
    if is_signed(encryption).await {
        return Ok(());
    }
    match encryption.get_own_device().await.or_link_error(tried)? {
        Some(device) => device.verify().await.or_link_error(tried),
        None => Ok(()),
    }
}

/// Makes an identity, if this account never had one.
async fn bootstrap(
    client: &Client,
    encryption: &Encryption,
    password: Option<&Secret>,
) -> Result<(), LinkError> {
    let Err(error) = encryption.bootstrap_cross_signing_if_needed(None).await else {
        return Ok(());
    };
    let cant = |why: String| LinkError(format!("can't make keys to sign our device with: {why}"));
    let Some(asked) = error.as_uiaa_response() else {
        return Err(cant(one_line(&error)));
    };
    let (Some(password), Some(user)) = (password, client.user_id()) else {
        return Err(cant(
            "the homeserver wants the password for that; log in with a password once".to_owned(),
        ));
    };
    let identifier = UserIdentifier::Matrix(MatrixUserIdentifier::new(user.localpart().to_owned()));
    let mut data = Password::new(identifier, password.expose().to_owned());
    data.session.clone_from(&asked.session);
    encryption
        .bootstrap_cross_signing(Some(AuthData::Password(data)))
        .await
        .map_err(|error| cant(one_line(&error)))
}

/// Takes over an identity that was made elsewhere.
async fn recover(client: &Client, config: &MatrixConfig, folder: &Folder) -> Result<(), LinkError> {
    let kept = std::fs::read_to_string(folder.recovery_file()).ok();
    let configured = config.recovery_key.as_ref().map(|key| key.expose().to_owned());
    let Some(key) = configured.or(kept) else {
        return Err(LinkError(
            "this account has been set up on another device: give its recovery_key, so that I can sign mine"
                .to_owned(),
        ));
    };
    // The homeserver has to know our device before it can be signed.
    client
        .sync_once(SyncSettings::new().timeout(Duration::ZERO))
        .await
        .or_link_error("can't make our device known")?;
    client
        .encryption()
        .recovery()
        .recover(key.trim())
        .await
        .or_link_error("the recovery_key does not work")
}

/// Leaves the operator a key that opens what the homeserver keeps for us.
async fn leave_key(encryption: &Encryption, folder: &Folder) -> Result<(), LinkError> {
    let path = folder.recovery_file();
    let recovery = encryption.recovery();
    let tried = "can't set up recovery";
    let exists = encryption
        .secret_storage()
        .is_enabled()
        .await
        .or_link_error(tried)?;
    // If there is a key already, it was lost before anybody saw it: we died while writing it down.
    let key = if exists {
        recovery.reset_key().await
    } else {
        recovery.enable().await
    };
    let key = key.or_link_error(tried)?;
    write_secret(&path, format!("{key}\n").as_bytes())
        .or_link_error(format_args!("can't write {}", path.display()))?;
    tracing::warn!(
        "matrix: the recovery key of the bot's account is in {}. Copy it to a safe place: with it (recovery_key) the \
         bot's encrypted identity can be brought back on another machine, and whoever has it can read what the bot \
         reads.",
        path.display()
    );
    Ok(())
}
