//! Golden files: what the program made once, was looked at, and must go on making.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Whether golden files are made anew instead of compared: `PARLOR_BLESS=1 cargo test …`.
pub fn blessing() -> bool {
    env::var_os("PARLOR_BLESS").is_some_and(|value| value == "1")
}

/// A file among the test data.
pub fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(path)
}

/// Compares with a golden text, or makes it anew.
pub fn check_text(path: &str, actual: &str, command: &str) -> Result<(), String> {
    let file = data(path);
    if blessing() {
        write(&file, actual.as_bytes());
        return Ok(());
    }
    let expected = fs::read_to_string(&file).map_err(|error| {
        format!(
            "{}: {error}; make it with `{command}` and look at it",
            file.display()
        )
    })?;
    if expected == actual {
        return Ok(());
    }
    let same = expected
        .lines()
        .zip(actual.lines())
        .take_while(|(a, b)| a == b)
        .count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(nothing more)").to_owned();
    Err(format!(
        "{} differs from line {} on.\n  expected: {}\n  actual:   {}\nIf that is as it should be: `{command}`",
        file.display(),
        same + 1,
        line(&expected),
        line(actual)
    ))
}

pub fn write(file: &Path, bytes: &[u8]) {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).expect("a folder for golden files can be made");
    }
    fs::write(file, bytes).expect("a golden file can be written");
}
