//! Shows that a bot is thinking.

use std::sync::Arc;
use std::time::{Duration, Instant};

use matrix_sdk::Room;

use crate::chat::parlor::Parlor;
use crate::matches::code::Code;

/// How long a sign that we type is shown, less a second.
const AGAIN: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(100);
/// A bot that takes longer has failed.
const MOST: Duration = Duration::from_secs(15);

/// Whoever waits longer than this wonders whether their move has been heard.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether a bot thinks for longer than one waits without wondering, as long as it is seen to.
pub async fn lasts(thinks: impl Fn() -> bool) -> bool {
    let begun = tokio::time::Instant::now();
    while thinks() {
        if begun.elapsed() >= PATIENCE {
            return true;
        }
        tokio::time::sleep(LOOK).await;
    }
    false
}

/// Types, as people do, while a bot thinks.
pub async fn show(parlor: Arc<Parlor>, room: Room, code: Code) {
    let typing = async {
        let mut shown: Option<Instant> = None;
        while parlor.is_thinking(&code) {
            if shown.is_none_or(|shown| shown.elapsed() >= AGAIN) {
                room.typing_notice(true).await?;
                shown = Some(Instant::now());
            }
            tokio::time::sleep(LOOK).await;
        }
        room.typing_notice(false).await
    };
    match tokio::time::timeout(MOST, typing).await {
        Ok(Ok(())) | Err(_) => {}
        Ok(Err(error)) => {
            tracing::debug!(room = %room.room_id(), %error, "matrix: could not show that a bot thinks");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_a_bot_that_takes_its_time_is_waited_for() {
        let begun = tokio::time::Instant::now();
        let thinks_for = |length: Duration| move || begun.elapsed() < length;
        assert!(!lasts(thinks_for(Duration::from_millis(700))).await);
        assert!(begun.elapsed() < Duration::from_secs(1), "a reply is not held up");
        let begun = tokio::time::Instant::now();
        assert!(lasts(|| true).await);
        assert_eq!(begun.elapsed(), PATIENCE);
    }
}
