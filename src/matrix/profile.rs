//! What we look like: a name and a picture, for an account that has none.

use matrix_sdk::Client;

use super::errors::MatrixError;
use super::storage::MatrixStore;

const NAME: &str = "Phase Parlor";
const AVATAR: &[u8] = include_bytes!("../../assets/matrix/avatar.png");
/// Whoever takes the name away later does not want it.
const TOLD: &str = "profile";

/// Gives the account a name and a picture, once, unless it has them.
pub async fn set_up(client: &Client, storage: &MatrixStore) {
    if let Err(error) = try_set_up(client, storage).await {
        tracing::info!(%error, "matrix: could not set the name and the picture of the account");
    }
}

async fn try_set_up(client: &Client, storage: &MatrixStore) -> Result<(), MatrixError> {
    if storage.was_told(TOLD)? {
        return Ok(());
    }
    let account = client.account();
    let name = account.get_display_name().await?;
    let local = client.user_id().map(|own| own.localpart().to_owned());
    // Homeservers call a new account by the first half of its id.
    if name.is_none() || name == local {
        account.set_display_name(Some(NAME)).await?;
    }
    if account.get_avatar_url().await?.is_none() {
        let kind = "image/png".parse();
        let kind = kind.map_err(|_| MatrixError::passing("that is no kind of file".to_owned()))?;
        account.upload_avatar(&kind, AVATAR.to_vec()).await?;
    }
    storage.keep_told(TOLD).await?;
    Ok(())
}
