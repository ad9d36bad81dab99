//! What the file for containers says; `container_run` builds and runs it.

pub const FILE: &str = include_str!("../../../assets/operate/Containerfile");

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
