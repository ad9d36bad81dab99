//! Trouble on demand.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use super::rest::Call;

/// What goes wrong.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// Answered with this status, and nothing is done.
    Status(u16),
    /// Refused with this status and error code, and nothing is done.
    Code(u16, i64),
    /// Nothing is done, and the line goes dead.
    Drop,
    /// It is done, but the answer never arrives.
    DropAnswer,
    /// It is done when the gate is opened.
    HoldBefore(Gate),
    /// It is done, but answered only when the gate is opened.
    HoldAfter(Gate),
    /// 429 for this bucket, to be tried again after so many seconds.
    TooMany { after: f64, global: bool },
}

type Fits = Arc<dyn Fn(&Call) -> bool + Send + Sync>;

/// The troubles that wait for a request that fits.
#[derive(Default)]
pub struct Faults(Vec<Waiting>);

struct Waiting {
    fits: Fits,
    left: usize,
    trouble: Trouble,
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|waiting| &waiting.trouble))
            .finish()
    }
}

impl Faults {
    /// Lets the next `times` requests that fit run into trouble.
    pub fn add(
        &mut self,
        times: usize,
        trouble: Trouble,
        fits: impl Fn(&Call) -> bool + Send + Sync + 'static,
    ) {
        self.0.push(Waiting {
            fits: Arc::new(fits),
            left: times,
            trouble,
        });
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The trouble that a request runs into.
    pub fn meet(&mut self, call: &Call) -> Option<Trouble> {
        let waiting = self
            .0
            .iter_mut()
            .find(|waiting| waiting.left > 0 && (waiting.fits)(call))?;
        waiting.left -= 1;
        Some(waiting.trouble.clone())
    }
}

/// Something that is shut until a test opens it.
#[derive(Clone, Debug)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    pub fn shut() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub async fn pass(&self) {
        let mut open = self.0.subscribe();
        // The sender lives as long as we do.
        let _ = open.wait_for(|open| *open).await;
    }
}
