//! What is said about speaking to somebody alone, where a platform makes that a matter of invitations and keys.

use super::message::{Inline, Message, Text};
use crate::matches::code::Code;
use crate::matches::people::PlayerId;
use crate::text;

/// Something secret waits for a player who has not let us speak to them alone.
pub fn hand_waits(player: &PlayerId, code: &Code) -> Message {
    let mut message = Message::text(text![
        player,
        ", your hand in ",
        Inline::Code(format!("#{code}")),
        " waits for you: accept my invitation to a private chat, or ask for it with ",
        Inline::Say("hand".to_owned()),
        "."
    ]);
    message.ping = vec![player.clone()];
    message
}

/// A secret answer has gone to whoever asked.
pub fn sent_alone() -> Message {
    Message::text("Sent to you, in our private chat.")
}

/// A secret answer can't be given yet.
pub fn invited_alone() -> Message {
    Message::text(
        "That is for your eyes only, so I have invited you to a private chat. Accept, and ask again.",
    )
}

/// A secret answer can't be given: the asker's homeserver turns us away.
pub fn not_let_in() -> Message {
    Message::text(
        "That is for your eyes only, but I can't invite you to a private chat. Start one with me, encrypted, and ask there.",
    )
}

/// An answer that could not be given where it was asked for.
pub fn said_here_instead(mut answer: Message) -> Message {
    let mut text = Text::from(
        "I can't speak where you asked me: perhaps I am not allowed to. Whoever looks after that room can change it. My \
         answer:",
    );
    text.line(std::mem::take(&mut answer.text));
    Message { text, ..answer }
}

/// Somebody's message is encrypted with a key that we have not got.
pub fn unreadable(player: &PlayerId) -> Message {
    Message::text(text![
        "I can't read what ",
        player,
        " says: it is encrypted, and I have not been given the key. I have asked for it. Please say it again, or, if that \
         doesn't help, from another device."
    ])
}
