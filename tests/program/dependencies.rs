//! Licences, banned crates and sources of everything that the program is built of, by the lists in
//! .deny.toml. cargo-deny checks more where it is installed; this needs nothing but cargo.

use std::process::Command;

use serde_json::Value;

const INDEX: &str = "https://github.com/rust-lang/crates.io-index";

#[test]
fn every_dependency_has_a_licence_we_accept_and_comes_from_crates_io() {
    let rules = Rules::read(include_str!("../../.deny.toml"));
    let packages = packages();
    assert!(packages.len() > 50, "{} packages were read", packages.len());
    let wrong: Vec<String> = packages
        .iter()
        .filter_map(|package| rules.refuse(package))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All packages that any feature needs on this machine.
fn packages() -> Vec<Package> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--offline",
            "--all-features",
        ])
        .args(["--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "`cargo fetch --locked` first? {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let used: Vec<&str> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].as_str().unwrap())
        .collect();
    let all = metadata["packages"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    all.filter(|package| used.contains(&package["id"].as_str().unwrap()))
        .map(|package| Package {
            name: text(&package["name"]).unwrap(),
            licence: text(&package["license"]),
            source: text(&package["source"]),
        })
        .collect()
}

struct Package {
    name: String,
    licence: Option<String>,
    /// Where it comes from; nowhere for our own crate.
    source: Option<String>,
}

/// The part of .deny.toml that is enforced here.
struct Rules {
    licences: Vec<String>,
    banned: Vec<String>,
}

impl Rules {
    fn read(text: &str) -> Self {
        let config: toml::Table = text.parse().unwrap();
        let list = |section: &str, key: &str| config[section][key].as_array().unwrap().clone();
        let licences = list("licenses", "allow");
        let banned = list("bans", "deny");
        let sources = list("sources", "allow-registry");
        assert_eq!(
            sources,
            [toml::Value::from(INDEX)],
            "another registry needs a change of this test"
        );
        Self {
            licences: licences
                .iter()
                .map(|name| name.as_str().unwrap().to_owned())
                .collect(),
            banned: banned
                .iter()
                .map(|ban| ban["crate"].as_str().unwrap().to_owned())
                .collect(),
        }
    }

    /// What is wrong with a package.
    fn refuse(&self, package: &Package) -> Option<String> {
        let Package {
            name,
            licence,
            source,
        } = package;
        if self.banned.contains(name) {
            return Some(format!("{name} is banned"));
        }
        let source = source.as_ref()?;
        if source != &format!("registry+{INDEX}") {
            return Some(format!("{name} comes from {source}"));
        }
        let Some(licence) = licence else {
            return Some(format!("{name} names no licence"));
        };
        (!self.accepts(licence)).then(|| format!("{name} has the licence {licence}"))
    }

    /// Whether a licence expression can be met with licences from the list.
    fn accepts(&self, expression: &str) -> bool {
        let spaced = expression
            .replace('/', " OR ")
            .replace('(', " ( ")
            .replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut rest = words.as_slice();
        self.either(&mut rest) == Some(true) && rest.is_empty()
    }

    fn either(&self, words: &mut &[&str]) -> Option<bool> {
        let mut met = self.both(words)?;
        while let ["OR", tail @ ..] = *words {
            *words = tail;
            met |= self.both(words)?;
        }
        Some(met)
    }

    fn both(&self, words: &mut &[&str]) -> Option<bool> {
        let mut met = self.one(words)?;
        while let ["AND", tail @ ..] = *words {
            *words = tail;
            met &= self.one(words)?;
        }
        Some(met)
    }

    fn one(&self, words: &mut &[&str]) -> Option<bool> {
        let (name, tail) = match *words {
            ["(", tail @ ..] => {
                *words = tail;
                let met = self.either(words)?;
                let [")", tail @ ..] = *words else { return None };
                *words = tail;
                return Some(met);
            }
            [name, "WITH", exception, tail @ ..] => (format!("{name} WITH {exception}"), tail),
            // "This version or any later": this version will do.
            [name, tail @ ..] => (name.trim_end_matches('+').to_owned(), tail),
            [] => return None,
        };
        *words = tail;
        Some(self.licences.contains(&name))
    }
}

#[test]
fn a_dependency_that_we_do_not_accept_is_found() {
    let rules = Rules::read(include_str!("../../.deny.toml"));
    let package = |name: &str, licence: Option<&str>, source: &str| Package {
        name: name.to_owned(),
        licence: licence.map(str::to_owned),
        source: Some(source.to_owned()),
    };
    let registry = format!("registry+{INDEX}");
    let refused = |package: Package| rules.refuse(&package);
    assert_eq!(refused(package("fine", Some("MIT OR GPL-3.0"), &registry)), None);
    assert_eq!(
        refused(package(
            "fine",
            Some("(MIT OR GPL-3.0) AND Unicode-3.0"),
            &registry
        )),
        None
    );
    assert_eq!(refused(package("fine", Some("Apache-2.0/MIT"), &registry)), None);
    assert_eq!(refused(package("fine", Some("MPL-2.0+"), &registry)), None);
    assert!(refused(package("viral", Some("GPL-3.0+"), &registry)).is_some());
    assert_eq!(
        refused(package("viral", Some("MIT AND GPL-3.0"), &registry)).unwrap(),
        "viral has the licence MIT AND GPL-3.0"
    );
    assert!(refused(package("odd", Some("Apache-2.0 WITH Exception"), &registry)).is_some());
    assert!(refused(package("odd", Some("MIT OR"), &registry)).is_some());
    assert!(refused(package("odd", Some("(MIT"), &registry)).is_some());
    assert_eq!(
        refused(package("bare", None, &registry)).unwrap(),
        "bare names no licence"
    );
    assert!(refused(package("git", Some("MIT"), "git+https://example.org/x")).is_some());
    assert!(refused(package("openssl-sys", Some("MIT"), &registry)).is_some());
}
