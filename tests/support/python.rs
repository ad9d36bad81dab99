//! Python, with what `tests/matrix/set-up` installs: Synapse, matrix-nio and Pillow.

use std::path::{Path, PathBuf};

pub fn python() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let python = target.join("matrix-venv/bin/python");
    assert!(
        python.exists(),
        "{} is missing: run tests/matrix/set-up",
        python.display()
    );
    python
}
