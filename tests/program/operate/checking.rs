//! `parlor config check`: what would be started, and what looks wrong.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Runs the program: its exit code, and all that it said.
pub fn parlor(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(arguments)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

/// Runs the program over a store, in the folder in which that lies.
pub fn parlor_for(store: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(arguments)
        .env("PARLOR_STORE_PATH", store)
        .current_dir(store.parent().unwrap())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

fn check(folder: &TempDir, text: &str) -> (Option<i32>, String) {
    let path = folder.path().join("config.toml");
    fs::write(&path, text).unwrap();
    let store = folder.path().join("store");
    if !text.contains("[store]") {
        fs::write(&path, format!("{text}\n[store]\npath = {store:?}\n")).unwrap();
    }
    parlor(&["config", "check", "--config", path.to_str().unwrap()])
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_good_configuration_is_told_and_nothing_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = check(
        &folder,
        "[operate]\nlisten = \"127.0.0.1:9787\"\n[log]\nformat = \"json\"",
    );
    assert_eq!(code, Some(0), "{said}");
    for line in [
        "Local room: http://127.0.0.1:8787",
        "Metrics and health: http://127.0.0.1:9787",
        "Log: warn as json, to standard error",
        "The configuration is good.",
    ] {
        assert!(said.lines().any(|said| said == line), "{line} in {said}");
    }
    assert!(!said.contains("warning"), "{said}");
    assert!(!folder.path().join("store").exists());
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing is left behind"
    );
}

#[test]
fn what_would_not_start_is_wrong_and_all_of_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    fs::write(&file, "").unwrap();
    let (code, said) = check(
        &folder,
        &format!(
            "[store]\npath = {file:?}\n[local]\nenabled = true\nlisten = \"0.0.0.0:8787\"\n[matrix]\nuser = \"@p:x.org\"\n"
        ),
    );
    assert_eq!(code, Some(2), "{said}");
    for part in [
        "is a file; name a folder",
        "[local] listens on 0.0.0.0:8787",
        "[matrix] has no homeserver",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let (code, said) = check(&folder, "[local]\nenabled = false");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("nothing would be opened"), "{said}");
    let (code, said) = check(&folder, "[operate]\nlisten = \"127.0.0.1:8787\"");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("both listen on 127.0.0.1:8787"), "{said}");
    let (code, said) = check(&folder, "[operate]\nlisten = \"here\"");
    assert_eq!(code, Some(2), "{said}");
    let store = folder.path().join("store");
    let (code, said) = check(
        &folder,
        &format!(
            "[store]\npath = {store:?}\nbackup_every = \"24h\"\nbackup_path = {:?}",
            store.join("backups")
        ),
    );
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("lies in the store's own"), "{said}");
}

#[test]
fn what_looks_odd_is_a_warning_and_no_secret_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "[operate]\nlisten = \"0.0.0.0:9787\"\n[discord]\ntoken = \"hush-hush\"\n[local]\nenabled = true";
    let (_, said) = check(&folder, text);
    assert!(
        said.contains("warning: [operate] listens on 0.0.0.0:9787"),
        "{said}"
    );
    assert!(!said.contains("hush"), "{said}");
    #[cfg(unix)]
    {
        set_mode(&folder.path().join("config.toml"), 0o644);
        let config = folder.path().join("config.toml");
        let config = config.to_str().unwrap();
        let readable = "holds a secret and others on this machine can read it";
        assert!(
            parlor(&["config", "check", "--config", config])
                .1
                .contains(readable)
        );
        set_mode(Path::new(config), 0o600);
        assert!(
            !parlor(&["config", "check", "--config", config])
                .1
                .contains(readable)
        );
    }
}

#[test]
fn health_says_what_is_missing_to_ask() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    fs::write(&config, "").unwrap();
    let (code, said) = parlor(&["health", "--config", config.to_str().unwrap()]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("[operate] has no `listen`"), "{said}");
}
