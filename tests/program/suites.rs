//! Suites are named by hand, in Cargo.toml and in `mod` lines: a test file that nobody names would never run.

use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.extension() {
            None if path.is_dir() => files(&path),
            Some(extension) if extension == "rs" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// Whether the module that a file holds is named where Rust looks for it, or by its path.
fn is_named(file: &Path, all: &[(PathBuf, String)]) -> bool {
    let folder = file.parent().unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let (folder, module) = if name == "mod.rs" {
        let module = folder.file_name().unwrap().to_str().unwrap();
        (folder.parent().unwrap(), module)
    } else {
        (folder, name.trim_end_matches(".rs"))
    };
    let parents = [
        folder.join("main.rs"),
        folder.join("mod.rs"),
        folder.with_extension("rs"),
    ];
    let line = format!("mod {module};");
    let by_name = all.iter().filter(|(path, _)| parents.contains(path));
    let mut lines = by_name.flat_map(|(_, text)| text.lines());
    let path = file.strip_prefix(tests()).unwrap();
    let path = format!("#[path = \"../{}\"]", path.display());
    lines.any(|found| found.trim_start_matches("pub ") == line)
        || all.iter().any(|(_, text)| text.contains(&path))
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

#[test]
fn every_test_file_belongs_to_a_suite() {
    let manifest = include_str!("../../Cargo.toml");
    let mut all: Vec<(PathBuf, String)> = files(&tests())
        .into_iter()
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    // These are programs of their own, for cargo-fuzz.
    all.retain(|(path, _)| !path.starts_with(tests().join("fuzz/fuzz_targets")));
    assert!(all.len() > 100, "{} files were read", all.len());
    let forgotten = all.iter().map(|(path, _)| path).filter(|path| {
        let program = path.strip_prefix(tests()).unwrap();
        let program = format!("path = \"tests/{}\"", program.display());
        !manifest.contains(&program) && !is_named(path, &all)
    });
    let forgotten: Vec<_> = forgotten.collect();
    assert!(forgotten.is_empty(), "in no suite: {forgotten:#?}");
}
