//! The parlor in Matrix rooms, plain and encrypted.
//!
//! An adapter like the others: what people say becomes a [`Request`](crate::chat::parlor::Request), deliveries come in
//! through a [`Postman`](crate::chat::outbox::Postman), and it knows no game by name.
//!
//! # How it behaves
//! - A room is entered on invitation, if the inviter is on the allow-list; a room that is replaced is followed; a room
//!   that everybody else has left is left.
//! - Spoken to by `!command`, by its name, or alone with one person, where everything is for it. What answers a board,
//!   or is said in a match's thread, may be a bare move. Reactions that it puts to a challenge are shortcuts.
//! - A match is told in a thread. A turn is one picture with a caption that mentions who is to move; what mentions
//!   nobody is a notice, and notices are never answered, so that bots don't talk to each other.
//! - Secrets go into an encrypted room with one person alone, and nowhere else. Whoever has not come into it is waited
//!   for: the delivery stays in the outbox.
//! - Every message has a transaction id that is made from what causes it, so that repeating it is harmless.
//!
//! ```text
//! session    logging in, once            identity   cross-signing and recovery
//! listener   the timeline, in order      keys       messages that can't be read
//! heard      events                      address    who is spoken to
//! directory  mentions                    html       reading and writing it
//! answers    answers to commands         postman    deliveries
//! voice      sending                     written    messages in two bodies
//! direct     rooms for one               rooms      coming and going
//! reactions  shortcuts                   memory     what is kept in the store
//! allow      whose invitations count     trouble    what goes wrong
//! ```

mod address;
mod allow;
mod answers;
mod date;
mod direct;
mod directory;
mod heard;
mod html;
mod identity;
mod keys;
mod listener;
mod memory;
mod postman;
mod reactions;
mod rooms;
mod session;
mod thinking;
mod trouble;
mod voice;
mod written;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

use self::allow::Allow;
use self::answers::Answers;
use self::direct::Direct;
use self::directory::MatrixDirectory;
use self::keys::Keys;
use self::listener::{Listener, Seen};
use self::memory::Memory;
use self::postman::MatrixPostman;
use self::rooms::Rooms;
use self::session::Folder;
use self::voice::Voice;
use crate::chat::link::{Link, LinkError, Stop};
use crate::chat::parlor::Parlor;
use crate::config::MatrixConfig;

/// The name of this platform in the ids of players and rooms.
pub const PLATFORM: &str = "matrix";

/// Takes up the bot's session and listens. What the session needs is kept under the store's path.
pub async fn connect(
    config: &MatrixConfig,
    store: &Path,
    parlor: &Arc<Parlor>,
    stop: &Stop,
) -> Result<Link, LinkError> {
    let folder = Folder::open(store)?;
    let (client, mut kept) = session::open(config, &folder, parlor.service.entropy()).await?;
    let (Some(own), Some(device)) = (client.user_id(), client.device_id()) else {
        return Err(LinkError("the homeserver does not say who we are".to_owned()));
    };
    let (own, device) = (own.to_owned(), device.to_string());
    let allow = Arc::new(Allow::read(&config.allow, &own)?);
    match identity::set_up(&client, config, &folder, &mut kept).await {
        // It was done before; a homeserver that is away now hears of us when it is back.
        Err(error) if kept.recoverable => tracing::warn!(%error, "our identity could not be looked after"),
        done => done?,
    }

    let memory = Memory::new(Arc::clone(parlor.service.store()));
    let voice = Voice::new(client.clone(), Arc::clone(parlor));
    let direct = Arc::new(Direct::new(client.clone(), memory.clone()));
    let directory = Arc::new(MatrixDirectory::default());
    let known: Arc<MatrixDirectory> = Arc::clone(&directory);
    parlor.add_directory(PLATFORM, known);
    let (settled, is_settled) = watch::channel(false);
    let (arrivals, arrived) = watch::channel(0);
    let postman = MatrixPostman {
        client: client.clone(),
        parlor: Arc::clone(parlor),
        voice: voice.clone(),
        memory: memory.clone(),
        direct: Arc::clone(&direct),
        settled: is_settled,
    };
    let rooms = Rooms {
        client: client.clone(),
        parlor: Arc::clone(parlor),
        memory: memory.clone(),
        allow,
    };
    let listener = Listener {
        client,
        own,
        device,
        parlor: Arc::clone(parlor),
        memory,
        answers: Answers::new(voice.clone(), Arc::clone(&direct)),
        direct,
        directory,
        rooms,
        keys: Keys::new(voice, arrived),
        arrivals,
        settled,
        seen: Seen::default(),
        puzzled: HashMap::new(),
    };
    Ok(Link {
        name: PLATFORM,
        postman: Arc::new(postman),
        listening: tokio::spawn(listener.listen(stop.clone())),
    })
}
