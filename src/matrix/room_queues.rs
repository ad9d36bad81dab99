//! One queue a room: what belongs to a room is done in order, and no room waits for another.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, PoisonError};

use matrix_sdk::ruma::OwnedRoomId;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Queues by room, each with a worker of its own. When they are dropped, what is not done yet is left undone.
#[derive(Debug)]
pub struct RoomQueues<T>(Mutex<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    queues: HashMap<OwnedRoomId, mpsc::UnboundedSender<T>>,
    workers: JoinSet<()>,
}

impl<T> Default for RoomQueues<T> {
    fn default() -> Self {
        Self(Mutex::new(Inner {
            queues: HashMap::new(),
            workers: JoinSet::new(),
        }))
    }
}

impl<T: Send + 'static> RoomQueues<T> {
    /// Puts something at the end of a room's queue. `worker` makes what does it, for a room that has no queue yet. What
    /// panics is given up, and what stands behind it is done.
    pub fn push<W, F>(&self, room: OwnedRoomId, item: T, worker: impl FnOnce() -> W)
    where
        W: Fn(T) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { queues, workers } = &mut *inner;
        let queue = queues.entry(room).or_insert_with_key(|room| {
            let (sender, mut receiver) = mpsc::unbounded_channel();
            let (room, work) = (room.clone(), worker());
            workers.spawn(async move {
                // Each in a task of its own, so that a panic ends no more than that.
                let mut current = JoinSet::new();
                while let Some(item) = receiver.recv().await {
                    current.spawn(work(item));
                    if let Some(Err(error)) = current.join_next().await {
                        tracing::error!(%room, %error, "matrix: a room's event or answer panicked; going on with the next");
                    }
                }
            });
            sender
        });
        // Its worker ends only with the queue.
        let _ = queue.send(item);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use matrix_sdk::ruma::RoomId;
    use tokio::sync::Notify;

    use super::*;

    fn room(id: &str) -> OwnedRoomId {
        RoomId::parse(id).unwrap()
    }

    #[tokio::test]
    async fn a_room_that_is_stuck_holds_up_no_other() {
        let queues: RoomQueues<&'static str> = RoomQueues::default();
        let (done, mut results) = mpsc::unbounded_channel();
        let go = Arc::new(Notify::new());
        let worker = || {
            let (done, go) = (done.clone(), Arc::clone(&go));
            move |item: &'static str| {
                let (done, go) = (done.clone(), Arc::clone(&go));
                async move {
                    if item == "slow" {
                        go.notified().await;
                    }
                    let _ = done.send(item);
                }
            }
        };
        queues.push(room("!a:x.org"), "slow", worker);
        queues.push(room("!a:x.org"), "after it", worker);
        queues.push(room("!b:x.org"), "elsewhere", worker);
        assert_eq!(results.recv().await, Some("elsewhere"));
        go.notify_one();
        assert_eq!(results.recv().await, Some("slow"));
        assert_eq!(results.recv().await, Some("after it"));
    }

    #[tokio::test]
    async fn a_panic_makes_no_room_deaf() {
        let queues: RoomQueues<(&'static str, mpsc::Sender<()>)> = RoomQueues::default();
        let (done, mut results) = mpsc::unbounded_channel();
        let (held, mut all_done) = mpsc::channel(1);
        // Only the worker has it: if that ends, nothing more is heard, and nobody waits for ever.
        let mut done = Some(done);
        let mut push = |item| {
            queues.push(room("!a:x.org"), (item, held.clone()), || {
                let done = done.take().expect("a room has one worker");
                move |(item, held): (&'static str, mpsc::Sender<()>)| {
                    let done = done.clone();
                    async move {
                        tokio::task::yield_now().await;
                        assert_ne!(item, "bad", "meant to panic");
                        let _ = done.send(item);
                        drop(held);
                    }
                }
            });
        };
        push("bad");
        push("behind it");
        assert_eq!(results.recv().await, Some("behind it"));
        push("bad");
        push("later");
        assert_eq!(results.recv().await, Some("later"));
        // Nothing is held that would be waited for.
        drop(held);
        assert_eq!(all_done.recv().await, None);
    }
}
