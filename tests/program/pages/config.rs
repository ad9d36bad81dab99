//! How pages are configured, and that there are none otherwise.

use std::fs;

use crate::operate::checking::parlor;

fn check(text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    let store = folder.path().join("store");
    fs::write(
        &path,
        format!("[store]\npath = {store:?}\n[local]\nenabled = true\n{text}"),
    )
    .unwrap();
    parlor(&["config", "check", "--config", path.to_str().unwrap()])
}

#[test]
fn pages_are_off_until_they_are_configured() {
    let (code, said) = check("");
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("Pages"), "{said}");
    let (code, said) = check("[web]\npublic_url = \"https://parlor.example.org\"");
    assert_eq!(code, Some(0));
    assert!(said.contains("no `listen`"), "{said}");
}

#[test]
fn what_is_odd_about_pages_is_told() {
    let whole = "[web]\nlisten = \"127.0.0.1:8788\"\npublic_url = \"https://parlor.example.org\"\ntrusted_proxies = [\"127.0.0.1\"]";
    let (code, said) = check(whole);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("Pages of matches: https://parlor.example.org, served on 127.0.0.1:8788"),
        "{said}"
    );
    assert!(!said.contains("warning"), "{said}");
    for (text, told) in [
        ("[web]\nlisten = \"127.0.0.1:8788\"", "no public_url"),
        (
            "[web]\nlisten = \"127.0.0.1:8788\"\npublic_url = \"http://parlor.example.org\"",
            "not encrypted",
        ),
        (
            "[web]\nlisten = \"127.0.0.1:8788\"\npublic_url = \"https://parlor.example.org\"",
            "no trusted_proxies",
        ),
    ] {
        let (code, said) = check(text);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("warning") && said.contains(told), "{said}");
    }
    for (text, told) in [
        (
            "[web]\nlisten = \"127.0.0.1:8787\"",
            "both listen on 127.0.0.1:8787",
        ),
        ("[web]\nlisten = \"nowhere\"", "socket address"),
        (
            "[web]\nlisten = \"127.0.0.1:8788\"\npublic_url = \"https://parlor.example.org/boards\"",
            "without a path",
        ),
        (
            "[web]\nlisten = \"127.0.0.1:8788\"\ntrusted_proxies = [\"proxy\"]",
            "IP address",
        ),
    ] {
        let (code, said) = check(text);
        assert_eq!(code, Some(2), "{text}: {said}");
        assert!(said.contains(told), "{said}");
    }
}
