//! Brings deliveries into the message stream.

use std::sync::Arc;

use super::PLATFORM;
use super::feed::{Feed, FeedPlace, NewMessage};
use crate::chat::message::Message;
use crate::chat::outbox::{PostError, Posting, Postman};
use crate::chat::parlor::Parlor;
use crate::matches::delivery::{Delivery, Sheet, To, Writing};
use crate::matches::port::Fault;

/// The postman of the local room. A key that comes again is already in the stream, and stays what it
/// was. A sheet that is there already is written anew.
pub struct LocalPostman {
    pub(super) parlor: Arc<Parlor>,
    pub(super) feed: Arc<Feed>,
}

impl std::fmt::Debug for LocalPostman {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LocalPostman")
    }
}

impl Postman for LocalPostman {
    fn platform(&self) -> &str {
        PLATFORM
    }

    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a> {
        let draft = NewMessage {
            at: self.parlor.service.now(),
            place: match &delivery.to {
                To::Room(room) => FeedPlace::Room(room.clone()),
                To::Player(player) => FeedPlace::Guest(player.clone()),
            },
            author: None,
            key: Some(format!("delivery {}", delivery.key)),
            sheet: delivery.sheet.map(|sheet| sheet_name(delivery, sheet)),
            message,
        };
        Box::pin(async move {
            match self.say(delivery, draft).await {
                Ok(()) => Ok(()),
                Err(fault) => Err(PostError::Later {
                    why: fault.to_string(),
                    after: None,
                }),
            }
        })
    }
}

impl LocalPostman {
    async fn say(&self, delivery: &Delivery, draft: NewMessage) -> Result<(), Fault> {
        if let (Some(name), Some(Sheet::Turn { writing, .. })) = (&draft.sheet, delivery.sheet)
            && writing == Writing::Closing
            && !self.feed.has_sheet(&draft.place, name)?
        {
            return Ok(());
        }
        self.feed.say(draft).await?;
        Ok(())
    }
}

/// What a sheet of a match is called at its place.
fn sheet_name(delivery: &Delivery, sheet: Sheet) -> String {
    match sheet {
        Sheet::Turn { number, .. } => format!("turn {} {number}", delivery.code),
        Sheet::Hand { seat } => format!("hand {} {seat}", delivery.code),
    }
}
