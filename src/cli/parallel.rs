//! Many jobs on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Does the jobs 0, 1, …: all results in no order, or a failure. A thread that has failed does no more.
pub fn all<T: Send, E: Send>(
    jobs: u64,
    threads: usize,
    job: impl Fn(u64) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicU64::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < jobs);
    let work = || std::iter::from_fn(take).map(&job).collect::<Result<Vec<T>, E>>();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.clamp(1, 64)).map(|_| scope.spawn(work)).collect();
        let mut results = Vec::new();
        for thread in threads {
            results.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok(results)
    })
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_job_is_done_once_and_a_failure_is_told() {
        for threads in [0, 1, 3] {
            let mut done = all(100, threads, Ok::<_, ()>).unwrap();
            done.sort_unstable();
            assert!(done.into_iter().eq(0..100));
        }
        assert_eq!(
            all(10, 2, |number| if number == 7 { Err(number) } else { Ok(()) }),
            Err(7)
        );
    }
}
