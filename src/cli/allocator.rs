//! How the system's allocator shares memory out.
//!
//! glibc gives threads up to eight arenas a processor, and keeps in each what its threads have given back. Pictures are
//! drawn and bots think on many threads, one after the other, so each arena ends up as large as the largest picture needs:
//! twice the memory that is in use. How many there are is read from the environment when a program starts, and can be set
//! from within only by unsafe code; so the program starts itself once more, as the same process.

/// The variable that glibc reads.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: &str = "MALLOC_ARENA_MAX";

/// Keeps arenas few, unless the operator has said how many there shall be.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn keep_few() {
    use std::os::unix::process::CommandExt;

    if std::env::var_os(ARENAS).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut arguments = std::env::args_os();
    let mut again = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // It returns only if that did not work, and then memory is all that is lost.
    let error = again.args(arguments).env(ARENAS, "2").exec();
    tracing::debug!(%error, "memory: could not limit the arenas of the allocator");
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub const fn keep_few() {}
