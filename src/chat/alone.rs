//! What is said about speaking to somebody alone, where a platform makes that a matter of invitations and keys.

use super::message::{Message, Text};
use crate::catalog::games;
use crate::matches::code::Code;
use crate::matches::people::PlayerId;
use crate::say;

/// Something secret waits for a player who has not let us speak to them alone.
pub fn hand_waits(player: &PlayerId, code: &Code) -> Message {
    let mut message = Message::text(say!(
        "{player}, your hand in `#{code}` waits for you: accept my invitation to a private chat, or ask for it with `/hand`.",
        player,
        code = code.to_string()
    ));
    message.ping = vec![player.clone()];
    message
}

/// A secret answer has gone to whoever asked.
pub fn sent_alone() -> Message {
    Message::text("I sent it to you in our private chat.")
}

/// A secret answer can't be given yet.
pub fn invited_alone() -> Message {
    Message::text(
        "That's for your eyes only, so I invited you to a private chat. Accept, and you'll find it there.",
    )
}

/// A secret answer can't be given yet, and is not kept until it can.
pub fn invited_to_ask() -> Message {
    Message::text(
        "That's for your eyes only, so I invited you to a private chat. Accept, and ask me again there.",
    )
}

/// A secret answer can't be given: the asker's homeserver turns us away.
pub fn not_let_in() -> Message {
    Message::text(
        "That's for your eyes only, but I can't invite you to a private chat. Start an encrypted one with me, and ask there.",
    )
}

/// An answer that could not be given where it was asked for.
pub fn said_here_instead(mut answer: Message) -> Message {
    let mut text = Text::from(
        "I can't speak in the room where you asked; whoever looks after it can allow me to. Here is my answer:",
    );
    text.line(std::mem::take(&mut answer.text));
    Message { text, ..answer }
}

/// What the bot says, once, when it comes into a room.
pub fn hello() -> Message {
    let game = games().next().map_or("GAME", |entry| entry.meta.id);
    Message::text(say!(
        "Hello! I host board and card games: play each other, or play me. Try `/games` or `/challenge bot {game}`.",
        game
    ))
}

/// Somebody's message is encrypted with a key that we have not got.
pub fn unreadable(player: &PlayerId) -> Message {
    Message::text(say!(
        "{player}, I can't read that: I don't have the key to your message. I've asked for it. Please say it again; if \
         that doesn't help, try another device.",
        player
    ))
}
