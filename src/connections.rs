//! Connections to a listener of ours: no more than it is given. When all are taken, the one that has asked nothing for the
//! longest time has to go, so that nobody keeps others out by holding the door open.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How long the head of a request may take, and how long a connection may wait for one.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// The largest head of a request.
const LARGEST_HEAD: usize = 64 * 1024;

/// How long to wait after a connection that could not be accepted.
const AGAIN: Duration = Duration::from_millis(100);

/// How long everybody may ask nothing, however many are waiting.
const GRACE: Duration = Duration::from_millis(250);

/// Why nobody can be let in where the configuration says.
#[derive(Debug, thiserror::Error)]
#[error("[{section}] can't listen on {address}: {cause}")]
pub struct ListenError {
    section: &'static str,
    address: SocketAddr,
    cause: io::Error,
}

/// Listens where a section of the configuration wants it.
pub async fn bind(section: &'static str, address: SocketAddr) -> Result<TcpListener, ListenError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|cause| ListenError {
        section,
        address,
        cause,
    })
}

/// All connections.
#[derive(Debug)]
pub struct Connections {
    free: Arc<Semaphore>,
    open: Mutex<HashMap<u64, Arc<Place>>>,
    next: AtomicU64,
}

/// What is known of one connection.
#[derive(Debug)]
struct Place {
    /// How many answers are under way; an event stream is one as long as it lasts.
    busy: AtomicUsize,
    idle_since: Mutex<Instant>,
    leave: Notify,
}

/// A connection that was let in. The place is free again when this is dropped.
#[derive(Debug)]
struct Held {
    connections: Arc<Connections>,
    number: u64,
    place: Arc<Place>,
    _permit: OwnedSemaphorePermit,
}

/// An answer that is under way.
#[derive(Debug)]
pub struct Busy(Arc<Place>);

/// What the room knows of a request's connection.
#[derive(Clone, Debug)]
pub struct Visit {
    pub address: IpAddr,
    /// Whoever keeps it is not sent away.
    pub busy: Arc<Busy>,
}

impl Connections {
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            free: Arc::new(Semaphore::new(most)),
            open: Mutex::default(),
            next: AtomicU64::new(0),
        })
    }

    /// Lets in whoever comes, as long as there is a place, until `stop` is ready. What is under way then goes on, and is
    /// watched by `open`.
    pub async fn listen(
        self: &Arc<Self>,
        listener: TcpListener,
        router: &Router,
        open: &GracefulShutdown,
        stop: impl Future<Output = ()>,
    ) {
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = async {
                let (socket, peer) = listener.accept().await?;
                io::Result::Ok((self.admit().await, socket, peer.ip()))
            };
            tokio::select! {
                () = &mut stop => return,
                accepted = accepted => match accepted {
                    Ok((held, socket, address)) => {
                        tokio::spawn(held.serve(socket, address, router.clone(), open.watcher()));
                    }
                    // The other side has gone again, or there is no file left: both pass.
                    Err(error) => {
                        tracing::warn!(%error, "connections: could not accept one");
                        tokio::time::sleep(AGAIN).await;
                    }
                },
            }
        }
    }

    /// Waits for a place.
    async fn admit(self: &Arc<Self>) -> Held {
        loop {
            if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
                return self.hold(permit);
            }
            self.send_idlest_away();
            tokio::select! {
                Ok(permit) = Arc::clone(&self.free).acquire_owned() => return self.hold(permit),
                // Somebody may have fallen silent.
                () = tokio::time::sleep(GRACE) => {}
            }
        }
    }

    fn hold(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Held {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let place = Arc::new(Place {
            busy: AtomicUsize::new(0),
            idle_since: Mutex::new(Instant::now()),
            leave: Notify::new(),
        });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(number, Arc::clone(&place));
        Held {
            connections: Arc::clone(self),
            number,
            place,
            _permit: permit,
        }
    }

    fn send_idlest_away(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = open
            .values()
            .filter_map(|place| Some((place.idle_since()?, place)));
        if let Some((since, place)) = idle.min_by_key(|(since, _)| *since)
            && since.elapsed() >= GRACE
        {
            place.leave.notify_one();
        }
    }
}

impl Place {
    /// Since when nothing was asked; nothing while an answer is under way.
    fn idle_since(&self) -> Option<Instant> {
        if self.busy.load(Ordering::Relaxed) > 0 {
            return None;
        }
        Some(*self.idle_since.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Held {
    fn busy(&self) -> Arc<Busy> {
        self.place.busy.fetch_add(1, Ordering::Relaxed);
        Arc::new(Busy(Arc::clone(&self.place)))
    }

    /// Answers the requests that come, until the other side hangs up, says nothing for too long, or has to make room.
    async fn serve(self, socket: TcpStream, address: IpAddr, router: Router, watcher: Watcher) {
        // Small answers must not wait for the network's convenience.
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "connections: could not set TCP_NODELAY");
        }
        let router = TowerToHyperService::new(router);
        let place = Arc::clone(&self.place);
        let service = service_fn(|mut request: Request<Incoming>| {
            let busy = self.busy();
            let visit = Visit {
                address,
                busy: Arc::clone(&busy),
            };
            request.extensions_mut().insert(visit);
            let answer = router.call(request);
            async move {
                let answer = answer.await;
                drop(busy);
                answer
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(socket), service);
        tokio::select! {
            ended = watcher.watch(connection) => if let Err(error) = ended {
                tracing::debug!(%error, "connections: could not serve a connection to its end");
            },
            () = place.leave.notified() => {}
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let open = &self.connections.open;
        open.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.number);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *self.0.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Time runs by itself where nothing else happens.
    #[tokio::test(start_paused = true)]
    async fn a_request_that_never_comes_is_not_waited_for() {
        for sent in ["", "GET / HTTP/1.1\r\nHost: loc"] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            client.write_all(sent.as_bytes()).await.unwrap();
            let (socket, peer) = listener.accept().await.unwrap();
            let held = Connections::new(1).admit().await;
            let open = GracefulShutdown::new();
            let serving = held.serve(socket, peer.ip(), Router::new(), open.watcher());
            let started = tokio::time::Instant::now();
            let served = tokio::time::timeout(HEAD_TIME * 2, serving).await;
            assert!(served.is_ok(), "{sent:?} is waited for");
            assert!(started.elapsed() >= HEAD_TIME, "{sent:?} had its time");
            let mut answer = Vec::new();
            let _ = client.read_to_end(&mut answer).await;
        }
    }

    #[tokio::test]
    async fn whoever_asks_nothing_makes_room_and_whoever_listens_stays() {
        let connections = Connections::new(2);
        let idle = connections.admit().await;
        let listening = connections.admit().await;
        let _busy = listening.busy();
        let leaving = tokio::spawn(async move {
            idle.place.leave.notified().await;
            drop(idle);
        });
        let third = connections.admit().await;
        leaving.await.unwrap();
        assert_eq!(connections.open.lock().unwrap().len(), 2);
        drop(third);
        assert_eq!(connections.free.available_permits(), 1);
    }
}
