//! The program, run as whoever types its commands runs it.

use std::process::{Command, Output};

/// Runs the built program to its end.
fn parlor(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(arguments)
        .output()
        .unwrap()
}

/// What a command that must succeed prints.
#[track_caller]
pub fn good(arguments: &[&str]) -> String {
    let output = parlor(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed: {complaint}");
    assert_eq!(complaint, "", "{arguments:?} complains");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line with which a command is refused.
#[track_caller]
pub fn bad(arguments: &[&str]) -> String {
    let output = parlor(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
    assert_eq!(
        complaint.lines().count(),
        1,
        "{arguments:?}: one line, not {complaint:?}"
    );
    assert!(
        complaint.ends_with('\n') && complaint.len() < 500,
        "{arguments:?}: {complaint:?}"
    );
    assert!(!complaint.contains("panicked"), "{arguments:?}: {complaint}");
    assert_eq!(output.stdout, b"", "{arguments:?} prints something besides");
    match complaint.trim_end().strip_prefix("parlor: ") {
        Some(message) => message.to_owned(),
        None => panic!("{arguments:?}: {complaint:?} does not say who complains"),
    }
}
