//! Backups that the bot makes by itself, and how many of them are kept.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::config::StoreConfig;
use crate::matches::port::Clock;
use crate::matches::time::{SystemClock, Time};
use crate::store::SledStore;

/// What the name of a file begins and ends with; between them are the seconds since 1970.
const NAME: (&str, &str) = ("parlor-", ".backup");

/// After a failure, the next try.
const AGAIN: Duration = Duration::from_secs(600);

/// Makes backups as often as the operator wants, until it is told to stop. What happened is told in the log.
pub async fn keep(store: Arc<SledStore>, config: StoreConfig, stop: impl Future<Output = ()>) {
    let Some(every) = config.backup_every else { return };
    let folder = config.backup_folder();
    let mut stop = std::pin::pin!(stop);
    let mut wait = until_due(&folder, every.0, SystemClock.now());
    loop {
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(wait) => {}
        }
        let told = Arc::new(AtomicBool::new(false));
        let mut making = tokio::task::spawn_blocking({
            let (store, folder, told) = (Arc::clone(&store), folder.clone(), Arc::clone(&told));
            move || {
                make(
                    &store,
                    &folder,
                    config.backup_keep.get(),
                    SystemClock.now(),
                    &told,
                )
            }
        });
        let made = tokio::select! {
            made = &mut making => made,
            () = &mut stop => {
                told.store(true, Ordering::Relaxed);
                making.await
            }
        };
        let made = made.unwrap_or_else(|error| Err(error.to_string()));
        wait = match made {
            Ok(file) => {
                tracing::info!(file = %file.display(), "store: made a backup");
                every.0
            }
            // Whoever ends the bot does not wait for a large store; the next start makes the backup.
            Err(_) if told.load(Ordering::Relaxed) => {
                tracing::info!(folder = %folder.display(), "store: a backup was given up, because the bot ends");
                return;
            }
            Err(error) => {
                tracing::error!(folder = %folder.display(), %error, "store: could not make a backup");
                AGAIN.min(every.0)
            }
        };
        if told.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Makes a backup, and removes the oldest ones if there are too many. It ends without one when it is told to stop.
fn make(
    store: &SledStore,
    folder: &Path,
    keep: usize,
    now: Time,
    told_to_stop: &AtomicBool,
) -> Result<PathBuf, String> {
    make_folder(folder).map_err(|error| error.to_string())?;
    half_made(folder).iter().for_each(|half| remove(half));
    let (before, after) = NAME;
    let file = folder.join(format!("{before}{:012}{after}", now.unix_seconds()));
    store
        .backup_unless(&file, &|| told_to_stop.load(Ordering::Relaxed))
        .map_err(|error| error.to_string())?;
    let mut made = made_before(folder);
    // A clock that was wrong then may have dated some ahead. They are the first to go: by their date they would push out
    // every new one.
    made.sort_by_key(|(seconds, _)| (*seconds <= now.unix_seconds(), *seconds));
    let surplus = made.len().saturating_sub(keep);
    made.iter().take(surplus).for_each(|(_, old)| remove(old));
    Ok(file)
}

fn remove(file: &Path) {
    if let Err(error) = std::fs::remove_file(file) {
        tracing::warn!(file = %file.display(), %error, "store: could not remove an old backup");
    }
}

/// What is left of backups during which the bot died. Nobody else makes any of these names.
fn half_made(folder: &Path) -> Vec<PathBuf> {
    let is_half = |name: &str| {
        let rest = name
            .strip_prefix(NAME.0)
            .and_then(|rest| rest.strip_suffix(".part"));
        rest.is_some_and(|rest| rest.contains(NAME.1))
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter(|entry| entry.file_name().to_str().is_some_and(is_half))
        .map(|entry| entry.path())
        .collect()
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The backups in a folder that were made by this, the oldest first, each with its time.
fn made_before(folder: &Path) -> Vec<(u64, PathBuf)> {
    let (before, after) = NAME;
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut made: Vec<(u64, PathBuf)> = files
        .filter_map(|entry| {
            let name = entry.file_name();
            let seconds = name.to_str()?.strip_prefix(before)?.strip_suffix(after)?;
            Some((seconds.parse().ok()?, entry.path()))
        })
        .collect();
    made.sort_unstable();
    made
}

/// How long until the next backup, counted from the last one, so that restarts don't put it off.
fn until_due(folder: &Path, every: Duration, now: Time) -> Duration {
    let Some((last, _)) = made_before(folder).pop() else {
        return Duration::ZERO;
    };
    let age = Duration::from_secs(now.unix_seconds().saturating_sub(last));
    every.saturating_sub(age)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Every;
    use crate::matches::port::{Batch, Space, Store as _};

    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// Whoever ends the bot must not wait until a large store is copied.
    #[tokio::test]
    async fn a_backup_under_way_is_given_up_when_the_bot_ends() {
        let home = tempfile::tempdir().unwrap();
        let store = Arc::new(SledStore::open(&home.path().join("store")).unwrap());
        let mut state = 7_u64;
        for number in 0..96_u32 {
            let mut value = Vec::with_capacity(1 << 18);
            while value.len() < 1 << 18 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                value.extend((state >> 16).to_le_bytes());
            }
            let mut batch = Batch::new();
            batch.put(Space::Archive, number.to_be_bytes(), value);
            store.commit(batch).await.unwrap();
        }
        let folder = home.path().join("backups");
        let config = StoreConfig {
            backup_every: Some(Every(Duration::from_secs(60))),
            backup_path: Some(folder.clone()),
            ..StoreConfig::default()
        };
        // It is told as soon as there is something of the backup.
        let stop = async {
            while half_made(&folder).is_empty() {
                tokio::task::yield_now().await;
            }
        };
        keep(Arc::clone(&store), config, stop).await;
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn the_newest_backups_are_kept_and_strangers_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let store = SledStore::open(&home.path().join("store")).unwrap();
        let folder = home.path().join("backups");
        assert_eq!(
            until_due(&folder, Duration::from_secs(60), Time(0)),
            Duration::ZERO
        );
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("parlor-mine.backup"), "precious").unwrap();
        for seconds in 1..6 {
            make(&store, &folder, 3, Time(seconds * 1000), &GO_ON).unwrap();
        }
        let seconds: Vec<u64> = made_before(&folder)
            .into_iter()
            .map(|(seconds, _)| seconds)
            .collect();
        assert_eq!(seconds, [3, 4, 5]);
        assert!(folder.join("parlor-mine.backup").exists());
        // The bot died during one, and another was made when the clock was wrong.
        std::fs::write(folder.join("parlor-000000000006.backup.77.part"), "half").unwrap();
        std::fs::write(folder.join("parlor-004000000000.backup"), "from the future").unwrap();
        make(&store, &folder, 3, Time(6000), &GO_ON).unwrap();
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "parlor-000000000004.backup",
                "parlor-000000000005.backup",
                "parlor-000000000006.backup",
                "parlor-mine.backup"
            ]
        );
        let wait = until_due(&folder, Duration::from_secs(60), Time(16_000));
        assert_eq!(wait, Duration::from_secs(50));
    }
}
