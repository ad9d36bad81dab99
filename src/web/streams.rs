//! Event streams, counted: they stay open, so nobody may have too many.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::limits::{Limits, STREAMS_OF_ONE};
use super::problem::Problem;

/// The streams that are open, by who listens.
#[derive(Debug)]
pub struct Streams {
    limits: Limits,
    open: Mutex<HashMap<Listener, usize>>,
}

/// Who listens. Everybody counts for their address, and either for their name or for the nameless, there and in all: however
/// many addresses come without a name, there is always place for those who have one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Listener {
    All,
    Address(IpAddr),
    Nameless(IpAddr),
    AllNameless,
    Known(String),
}

/// A stream that is counted until this is dropped.
#[derive(Debug)]
pub struct CountedStream {
    streams: Arc<Streams>,
    listeners: Vec<Listener>,
}

impl Streams {
    pub fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            open: Mutex::default(),
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(&Listener::All).copied().unwrap_or_default()
    }

    fn most(&self, listener: &Listener) -> usize {
        match listener {
            Listener::All => self.limits.streams,
            Listener::Address(_) => self.limits.streams_of_an_address,
            Listener::Nameless(_) => self.limits.unnamed_streams,
            Listener::AllNameless => self.limits.unnamed_streams_in_all,
            Listener::Known(_) => STREAMS_OF_ONE,
        }
    }

    /// Counts one more, if there may be one.
    pub fn add(self: &Arc<Self>, known: Option<&str>, address: IpAddr) -> Result<CountedStream, Problem> {
        let mut listeners = vec![Listener::All, Listener::Address(address)];
        match known {
            Some(known) => listeners.push(Listener::Known(known.to_owned())),
            None => listeners.extend([Listener::Nameless(address), Listener::AllNameless]),
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |listener| open.get(listener).copied().unwrap_or_default();
        if listeners
            .iter()
            .any(|listener| count(listener) >= self.most(listener))
        {
            return Err(Problem::TooManyStreams);
        }
        for listener in &listeners {
            *open.entry(listener.clone()).or_default() += 1;
        }
        Ok(CountedStream {
            streams: Arc::clone(self),
            listeners,
        })
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        for listener in &self.listeners {
            if let Some(count) = open.get_mut(listener) {
                *count -= 1;
                if *count == 0 {
                    open.remove(listener);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn however_many_come_without_a_name_those_who_have_one_find_a_place() {
        let limits = Limits::for_files(Some(1024), 1);
        let streams = Streams::new(limits);
        let address = |number: u32| IpAddr::V4(Ipv4Addr::from(number));
        let opened: Vec<CountedStream> = (0..)
            .map_while(|number| streams.add(None, address(number)).ok())
            .collect();
        assert_eq!(opened.len(), limits.unnamed_streams_in_all);
        assert!(opened.len() < limits.streams);
        assert!(streams.add(Some("ann"), address(0)).is_ok());
        // A place that is given back is given to the next.
        assert!(streams.add(None, address(u32::MAX)).is_err());
        drop(opened);
        assert!(streams.add(None, address(u32::MAX)).is_ok());
        assert_eq!(streams.count(), 0);
    }
}
