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
//! - A match is told in the room's timeline; where several are played at once, or the room wants it, in threads. A turn is
//!   one picture with a caption that calls who is to move, since homeservers count messages; where people use clients that
//!   show no captions, the room may choose two. Words that call nobody are notices, and notices are never answered, so that
//!   bots don't talk to each other. Where a homeserver takes few messages, turns that have passed are left out.
//! - Whoever is to move and is in none of the match's rooms is called alone; so is everybody while the bot may not speak in
//!   one. A room that lets it in again gets its matches back.
//! - Secrets go into an encrypted room with one person alone, and nowhere else. Whoever has not come into it is waited
//!   for: the delivery stays in the outbox.
//! - Every message has a transaction id that is made from what causes it, so that repeating it is harmless.
//!
//! ```text
//! reconnect        one session after another   session    logging in
//! identity         cross-signing and recovery  keys       messages that can't be read
//! listener         the timeline, in order      event      events
//! command_handler  doing what is asked         address    who is spoken to
//! room_queues      one queue a room            directory  whom people name
//! answers          answers to commands         html       reading and writing it
//! sender           sending                     postman    deliveries
//! written          messages in two bodies      direct     rooms for one
//! rooms            coming and going            reactions  shortcuts
//! storage          what is kept in the store   errors     what goes wrong
//! allow            whose invitations count     recent     what came last
//! homes            rooms of matches            profile    our name and picture
//! spent_answers    what is taken back          thinking   a bot that types
//! ```

mod address;
mod allow;
mod answers;
mod command_handler;
mod date;
mod direct;
mod directory;
mod errors;
pub mod event;
mod homes;
mod html;
mod identity;
mod keys;
mod listener;
mod postman;
mod profile;
mod reactions;
mod recent;
mod reconnect;
mod room_queues;
mod rooms;
mod sender;
mod session;
mod spent_answers;
mod storage;
mod thinking;
mod written;

use std::path::Path;
use std::sync::Arc;

use self::reconnect::Reconnector;
use crate::chat::link::{Link, LinkError, StopSignal};
use crate::chat::parlor::Parlor;
use crate::config::MatrixConfig;

/// The name of this platform in the ids of players and rooms.
pub const PLATFORM: &str = "matrix";

/// Takes up the bot's session and listens. What the session needs is kept under the store's path.
pub async fn connect(
    config: &MatrixConfig,
    store: &Path,
    parlor: &Arc<Parlor>,
    stop: &StopSignal,
) -> Result<Link, LinkError> {
    let reconnector = Reconnector::new(config, store, parlor)?;
    let listener = reconnector.begin().await?;
    Ok(Link {
        name: PLATFORM,
        postman: Arc::new(reconnector.postman()),
        connection: reconnector.connection(),
        listening: tokio::spawn(reconnector.listen(listener, stop.clone())),
    })
}
