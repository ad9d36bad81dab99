//! How many files may be open at once. The store opens some at any time, so what comes from outside must not use up all.

/// Raises the limit of open files as far as the system lets us; if it doesn't, the limit stays what it was.
#[cfg(unix)]
pub fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "files: could not raise the limit of open files");
    }
}

#[cfg(not(unix))]
pub fn raise_limit() {}

/// How many files may be open at once; nothing if there is no such limit.
#[cfg(unix)]
pub fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(unix))]
pub fn limit() -> Option<u64> {
    None
}
