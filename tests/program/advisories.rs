//! Known vulnerabilities: Cargo.lock against a dated copy of what RustSec says of the crates in it.
//!
//! What we live with stands in .deny.toml, each with its reason, so that cargo-deny reads the same list. An exception
//! that is no longer needed fails, and so does one whose reason no longer holds.

use std::collections::BTreeSet;

use semver::{Version, VersionReq};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Database {
    taken: String,
    newest: String,
    looked_up: BTreeSet<String>,
    not_looked_up: BTreeSet<String>,
    advisory: Vec<Advisory>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advisory {
    id: String,
    #[serde(rename = "crate")]
    package: String,
    date: String,
    what: String,
    patched: Vec<VersionReq>,
    #[serde(default)]
    unaffected: Vec<VersionReq>,
}

impl Advisory {
    fn concerns(&self, package: &Locked) -> bool {
        let fine = |ranges: &[VersionReq]| ranges.iter().any(|range| range.matches(&package.version));
        self.package == package.name && !fine(&self.patched) && !fine(&self.unaffected)
    }
}

/// A crate of Cargo.lock.
#[derive(Deserialize)]
struct Locked {
    name: String,
    version: Version,
    /// Nothing for our own.
    source: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

impl Lock {
    /// The crates that ask for a crate, by name and version.
    fn dependants(&self, name: &str, version: &str) -> Vec<String> {
        let wanted = [name.to_owned(), format!("{name} {version}")];
        let asks = |package: &&Locked| package.dependencies.iter().any(|one| wanted.contains(one));
        let named = |package: &Locked| format!("{} {}", package.name, package.version);
        self.package.iter().filter(asks).map(named).collect()
    }
}

#[derive(Deserialize)]
struct Rules {
    advisories: Exceptions,
}

#[derive(Deserialize)]
struct Exceptions {
    ignore: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    id: String,
    reason: String,
}

fn database() -> Database {
    toml::from_str(include_str!("advisories.toml")).unwrap()
}

fn lock() -> Lock {
    toml::from_str(include_str!("../../Cargo.lock")).unwrap()
}

fn exceptions() -> Vec<Exception> {
    let rules: Rules = toml::from_str(include_str!("../../.deny.toml")).unwrap();
    rules.advisories.ignore
}

/// What is wrong: vulnerable crates without an exception, and exceptions without a vulnerable crate.
fn problems(database: &Database, lock: &Lock, exceptions: &[Exception]) -> Vec<String> {
    let concerned = |advisory: &Advisory| lock.package.iter().find(|package| advisory.concerns(package));
    let mut wrong = Vec::new();
    for advisory in &database.advisory {
        let excused = exceptions.iter().any(|exception| exception.id == advisory.id);
        if let Some(package) = concerned(advisory)
            && !excused
        {
            let Locked { name, version, .. } = package;
            wrong.push(format!("{}: {name} {version}: {}", advisory.id, advisory.what));
        }
    }
    for exception in exceptions {
        let known = database
            .advisory
            .iter()
            .find(|advisory| advisory.id == exception.id);
        if known.is_none_or(|advisory| concerned(advisory).is_none()) {
            wrong.push(format!(
                "{}: the exception is stale: no crate of Cargo.lock needs it",
                exception.id
            ));
        }
    }
    wrong
}

#[test]
fn no_dependency_has_a_known_vulnerability_that_we_have_not_looked_at() {
    let database = database();
    let wrong = problems(&database, &lock(), &exceptions());
    assert!(
        wrong.is_empty(),
        "by the list of {}:\n{}",
        database.taken,
        wrong.join("\n")
    );
}

#[test]
fn the_list_of_advisories_is_dated_and_says_what_was_looked_up() {
    let database = database();
    assert!(
        database.newest <= database.taken,
        "{} {}",
        database.newest,
        database.taken
    );
    let ids: BTreeSet<&str> = database
        .advisory
        .iter()
        .map(|advisory| advisory.id.as_str())
        .collect();
    assert_eq!(ids.len(), database.advisory.len(), "each advisory once");
    for advisory in &database.advisory {
        assert!(advisory.date <= database.newest, "{}", advisory.id);
        assert!(
            database.looked_up.contains(&advisory.package),
            "{}",
            advisory.package
        );
    }
    for exception in exceptions() {
        assert!(exception.reason.len() > 40, "{} gives no reason", exception.id);
    }
}

/// Crates that nobody has looked up and nobody says so of, those that are in both lists, and those that are gone.
fn unasked(database: &Database, lock: &Lock) -> Vec<String> {
    let crates = lock.package.iter().filter(|package| package.source.is_some());
    let crates: BTreeSet<&String> = crates.map(|package| &package.name).collect();
    let known: BTreeSet<&String> = database.looked_up.union(&database.not_looked_up).collect();
    let both = database.looked_up.intersection(&database.not_looked_up);
    let named = |what: &'static str| move |name: &String| format!("{name} {what}");
    let missing = crates.difference(&known).copied().map(named("was not looked up"));
    let gone = known
        .difference(&crates)
        .copied()
        .map(named("is not in Cargo.lock"));
    missing
        .chain(gone)
        .chain(both.map(named("is in both lists")))
        .collect()
}

#[test]
fn every_crate_of_the_lock_was_looked_up_or_is_said_not_to_be() {
    let (database, lock) = (database(), lock());
    let wrong = unasked(&database, &lock);
    assert!(
        wrong.is_empty(),
        "in tests/program/advisories.toml:\n{}",
        wrong.join("\n")
    );
    println!(
        "{} crates were looked up by {}, and not these: {:?}",
        database.looked_up.len(),
        database.taken,
        database.not_looked_up
    );
    // A crate more, and one less.
    let mut changed = lock;
    let package = changed
        .package
        .iter_mut()
        .find(|package| package.name == "h2")
        .unwrap();
    package.name = "h3".to_owned();
    assert_eq!(
        unasked(&database, &changed),
        ["h3 was not looked up", "h2 is not in Cargo.lock"]
    );
}

#[test]
fn a_vulnerable_crate_and_a_stale_exception_are_found() {
    let database = database();
    let lock = |text: &str| toml::from_str::<Lock>(text).unwrap();
    let exception = |id: &str| Exception {
        id: id.to_owned(),
        reason: String::new(),
    };
    let old = lock("[[package]]\nname = \"h2\"\nversion = \"0.4.15\"");
    let new = lock("[[package]]\nname = \"h2\"\nversion = \"0.4.16\"");
    let id = "RUSTSEC-2026-0258";
    assert_eq!(
        problems(&database, &old, &[]),
        [format!(
            "{id}: h2 0.4.15: empty DATA frames are queued without limit"
        )]
    );
    assert!(problems(&database, &old, &[exception(id)]).is_empty());
    assert!(problems(&database, &new, &[]).is_empty());
    let stale = problems(&database, &new, &[exception(id), exception("RUSTSEC-1999-0001")]);
    assert_eq!(stale.len(), 2, "{stale:?}");
}

/// The reasons of .deny.toml for the old rustls-webpki: it is reached by Discord's gateway alone, through a crate that
/// configures no revocation lists, and nothing of ours configures any.
#[test]
fn the_old_certificate_checker_is_reached_by_the_gateway_of_discord_alone() {
    let lock = lock();
    assert_eq!(lock.dependants("rustls-webpki", "0.102.8"), ["rustls 0.22.4"]);
    assert_eq!(
        lock.dependants("rustls", "0.22.4"),
        [
            "tokio-rustls 0.25.0",
            "tokio-tungstenite 0.21.0",
            "tungstenite 0.21.0"
        ]
    );
    assert_eq!(
        lock.dependants("tokio-rustls", "0.25.0"),
        ["tokio-tungstenite 0.21.0"]
    );
    assert_eq!(
        lock.dependants("tungstenite", "0.21.0"),
        ["tokio-tungstenite 0.21.0"]
    );
    assert_eq!(
        lock.dependants("tokio-tungstenite", "0.21.0"),
        ["serenity 0.12.5"]
    );
    let serenity =
        &toml::from_str::<toml::Table>(include_str!("../../Cargo.toml")).unwrap()["dependencies"]["serenity"];
    let features = serenity["features"].as_array().unwrap();
    assert!(
        features.contains(&"rustls_backend".into()),
        "another backend needs other reasons"
    );
    for word in ["with_crls", "CertRevocationList", "RevocationOptions"] {
        no_source_says(word);
    }
}

/// The reasons of .deny.toml for the collections of matrix-sdk: they are its own, and nothing of ours is kept in them.
#[test]
fn the_collections_of_the_matrix_sdk_hold_nothing_of_ours() {
    let lock = lock();
    assert_eq!(lock.dependants("imbl-sized-chunks", "0.1.3"), ["imbl 6.1.0"]);
    assert_eq!(
        lock.dependants("bitmaps", "3.2.1"),
        ["imbl 6.1.0", "imbl-sized-chunks 0.1.3"]
    );
    assert_eq!(
        lock.dependants("imbl", "6.1.0"),
        [
            "eyeball-im 0.8.0",
            "matrix-sdk 0.18.0",
            "matrix-sdk-common 0.18.0"
        ]
    );
    for word in ["imbl", "eyeball_im"] {
        no_source_says(word);
    }
}

#[test]
fn the_matrix_adapter_sends_no_custom_messages_to_devices() {
    for word in [
        "encrypt_event_raw",
        "encrypt_content_for_devices",
        "encrypt_and_send_raw_to_device",
        "IdentityBasedStrategy",
    ] {
        no_source_says(word);
    }
}

fn no_source_says(word: &str) {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                assert!(!text.contains(word), "{} says {word}", path.display());
            }
        }
    }
}
