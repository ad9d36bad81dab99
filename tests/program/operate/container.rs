//! What the file for containers says; `container_run` builds and runs it.

use std::fs;
use std::path::{Component, Path, PathBuf};

pub const FILE: &str = include_str!("../../../assets/operate/Containerfile");

/// What `COPY . .` leaves out.
pub const IGNORED: &str = include_str!("../../../assets/operate/Containerfile.dockerignore");

/// Instructions with what follows them, without comments.
fn instructions() -> Vec<(&'static str, &'static str)> {
    let lines = FILE
        .lines()
        .filter(|line| !line.starts_with([' ', '#']) && !line.is_empty());
    lines.map(|line| line.split_once(' ').unwrap()).collect()
}

#[test]
fn the_container_has_two_stages_and_runs_as_nobody() {
    let instructions = instructions();
    let stages: Vec<&str> = instructions
        .iter()
        .filter(|(word, _)| *word == "FROM")
        .map(|(_, image)| *image)
        .collect();
    assert_eq!(stages, ["${BUILD_IMAGE} AS build", "${RUN_IMAGE}"]);
    let after = |word: &str| {
        let found = instructions.iter().rev().find(|(known, _)| *known == word);
        found.unwrap_or_else(|| panic!("there is no {word}")).1
    };
    assert_eq!(after("USER"), "65532:65532");
    assert_eq!(after("VOLUME"), "/data");
    assert!(after("HEALTHCHECK").ends_with(r#"CMD ["/usr/local/bin/parlor", "health"]"#));
    assert_eq!(after("STOPSIGNAL"), "SIGTERM");
}

/// What Cargo.toml names, by path or by habit.
fn targets() -> Vec<PathBuf> {
    let manifest: toml::Table = include_str!("../../../Cargo.toml").parse().unwrap();
    let kinds = ["bin", "test", "bench", "example"];
    let named = kinds.iter().filter_map(|kind| manifest.get(*kind)?.as_array());
    let paths = named
        .flatten()
        .map(|target| target["path"].as_str().unwrap().into());
    let by_habit = ["Cargo.toml", "Cargo.lock", "src/lib.rs"].map(PathBuf::from);
    by_habit.into_iter().chain(paths).collect()
}

/// Every file under a folder.
fn all_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// What the program's sources take in as they are compiled, wherever it lies.
fn taken_in(root: &Path) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    all_files(&root.join("src"), &mut sources);
    let mut found = Vec::new();
    for source in sources
        .iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
    {
        let text = fs::read_to_string(source).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for call in ["include_str!(\"", "include_bytes!(\""] {
                if let Some((_, rest)) = line.split_once(call) {
                    let (name, _) = rest.split_once('"').unwrap();
                    found.push(source.parent().unwrap().join(name));
                }
            }
        }
    }
    found
}

/// A path without its steps up.
fn plain(path: &Path, root: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for step in path.strip_prefix(root).unwrap().components() {
        match step {
            Component::ParentDir => assert!(plain.pop(), "{} leads out of the tree", path.display()),
            Component::Normal(name) => plain.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// A path that Cargo.toml names and that is not copied ends the first stage, which no test builds.
#[test]
fn the_first_stage_is_given_all_that_cargo_needs() {
    assert!(instructions().contains(&("COPY", ". .")));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ignored: Vec<&str> = IGNORED.lines().filter(|line| !line.is_empty()).collect();
    for pattern in &ignored {
        let simple = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        assert!(
            pattern.chars().all(simple),
            "{pattern}: this test knows names at the top only"
        );
    }
    let needed = taken_in(root)
        .into_iter()
        .chain(targets().into_iter().map(|path| root.join(path)));
    let mut seen = 0;
    for path in needed {
        assert!(path.is_file(), "{} is missing", path.display());
        let path = plain(&path, root);
        let top = path.iter().next().unwrap().to_str().unwrap();
        assert!(!ignored.contains(&top), "{} is not copied", path.display());
        seen += 1;
    }
    assert!(seen > 25, "only {seen} files were looked at");
    // Nor does it take along what is secret, or large.
    for name in ["target", ".git", "parlor-data", "config.toml"] {
        assert!(ignored.contains(&name), "{name}");
    }
}
