//! The unit for systemd.

use std::collections::BTreeMap;

const UNIT: &str = include_str!("../../../assets/operate/parlor.service");

/// Keys of a section, each with its values in order.
fn section(name: &str) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut within = "";
    for line in UNIT.lines().map(str::trim) {
        if let Some(head) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            within = head;
        } else if !line.is_empty() && !line.starts_with('#') {
            let (key, value) = line
                .split_once('=')
                .unwrap_or_else(|| panic!("{line} is no setting"));
            if within == name {
                keys.entry(key).or_default().push(value);
            }
        }
    }
    keys
}

#[test]
fn the_unit_starts_the_bot_again_when_that_may_help() {
    let service = section("Service");
    assert_eq!(service["Restart"], ["on-failure"]);
    assert_eq!(
        service["RestartPreventExitStatus"],
        ["2"],
        "a wrong configuration stays wrong"
    );
    // A store that fails (75) may do so for hours, and then be well again: there is no number of starts after which it is
    // given up, but the pauses grow.
    assert_eq!(section("Unit")["StartLimitIntervalSec"], ["0"]);
    assert_eq!(service["RestartSec"], ["10"]);
    assert_eq!(service["RestartSteps"], ["8"]);
    assert_eq!(service["RestartMaxDelaySec"], ["300"]);
    for start in ["ExecStart", "ExecStartPre"] {
        let arguments: Vec<&str> = service[start][0].split(' ').collect();
        let known = crate::program::good(&[&["help"], &arguments[1..arguments.len() - 2]].concat());
        assert!(known.contains("--config"), "{start}: {known}");
    }
}

#[test]
fn the_unit_gives_the_bot_one_folder_and_no_rights() {
    let service = section("Service");
    for (key, value) in [
        ("DynamicUser", "yes"),
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"),
        ("CapabilityBoundingSet", ""),
        ("StateDirectoryMode", "0700"),
        ("UMask", "0077"),
    ] {
        assert_eq!(service[key], [value], "{key}");
    }
}

/// systemd's own opinion.
#[cfg(feature = "external-tests")]
#[test]
fn systemd_takes_the_unit_and_finds_it_safe() {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parlor.service");
    let here = UNIT.replace("/usr/local/bin/parlor", env!("CARGO_BIN_EXE_parlor"));
    std::fs::write(&path, here).unwrap();
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&path)
        .output()
        .expect("systemd-analyze, of Debian's package systemd");
    let said = String::from_utf8_lossy(&verified.stderr);
    // Those two are newer than some systemds, which pass over them.
    let newer = ["'RestartSteps'", "'RestartMaxDelaySec'"];
    let complaints = said
        .lines()
        .filter(|line| line.contains("parlor.service"))
        .filter(|line| {
            !newer
                .iter()
                .any(|key| line.contains("Unknown key") && line.contains(key))
        });
    assert!(verified.status.success() && complaints.count() == 0, "{said}");
    let secure = Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--no-pager", "--threshold=20"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(
        secure.status.success(),
        "{}",
        String::from_utf8_lossy(&secure.stdout)
    );
}
