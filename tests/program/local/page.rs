//! The page's files.

use crate::web::guest::get;
use crate::web::house::House;
use crate::web::http::ask;

#[test]
fn the_page_comes_with_a_strict_policy_and_nothing_from_outside() {
    let house = House::open();
    let page = get(house.address, "/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let html = page.text();
    assert!(!html.contains("style=") && !html.contains("<script>") && !html.contains(" onclick"));
    // Every file that a file of ours names is served, and none is anywhere else.
    let mut waiting = vec!["/".to_owned()];
    let mut seen = Vec::new();
    while let Some(path) = waiting.pop() {
        if seen.contains(&path) {
            continue;
        }
        let file = get(house.address, &path);
        assert_eq!(file.status, 200, "{path}");
        if path.ends_with(".otf") {
            seen.push(path);
            continue;
        }
        let text = file.text();
        let foreign = text.replace("http://www.w3.org/2000/svg", "").contains("http://");
        assert!(
            !foreign && !text.contains("https://"),
            "{path} names another site"
        );
        for quoted in text.split('"').skip(1).step_by(2) {
            let local = quoted
                .strip_prefix("./js/")
                .or_else(|| quoted.strip_prefix("./"))
                .map(|name| format!("/js/{name}"));
            let rooted = quoted
                .starts_with('/')
                .then(|| quoted.to_owned())
                .filter(|path| !path.starts_with("/api/") && path.contains('.'));
            waiting.extend(rooted.or(local.filter(|path| path.ends_with(".js"))));
        }
        seen.push(path);
    }
    for expected in [
        "/style.css",
        "/app.js",
        "/js/log.js",
        "/js/times.js",
        "/icon.svg",
        "/regular.otf",
    ] {
        assert!(
            seen.iter().any(|path| path == expected),
            "{expected} is not reached: {seen:?}"
        );
    }
}

#[test]
fn a_file_that_is_known_is_not_sent_again() {
    let house = House::open();
    let first = get(house.address, "/app.js");
    let tag = first.header("etag").unwrap();
    let second = ask(house.address, "GET", "/app.js", &[("If-None-Match", tag)], b"").unwrap();
    assert_eq!((second.status, second.body.len()), (304, 0));
}
