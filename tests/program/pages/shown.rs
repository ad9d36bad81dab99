//! What a page shows: without scripts, step by step, to those who unfurl its link; and what it weighs.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::Arc;

use flate2::read::GzDecoder;
use parlor::game::Seed;
use parlor::matches::code::Code;
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::Store;
use parlor::matches::service::{Caller, Service};
use parlor::matches::time::SystemClock;
use parlor::store::MemoryStore;

use super::hidden::without_time;
use super::links::table;
use crate::web::guest::{Guest, get};
use crate::web::house::House;
use crate::web::http::{Answer, ask};
use crate::web::visitor::{Visitor, link_in, parts, personal_link};

/// A match of three turns, which anybody may watch.
fn three_turns(house: &House) -> (Guest, Guest, String, Visitor) {
    let (ann, bea, code) = table(house, "phwar");
    for (who, action) in [(&ann, "F3-F5"), (&bea, "F9-F8"), (&ann, "F5-F6")] {
        who.say(&format!("move #{code} {action}"));
    }
    ann.say(&format!("watch #{code}"));
    bea.say(&format!("accept #{code}"));
    let watcher = Visitor::open(&link_in(&ann.hear(&format!("watch #{code}"))));
    (ann, bea, code, watcher)
}

fn link_to(page: &str, id: &str) -> Option<String> {
    let tag = page
        .split_once(&format!(" id=\"{id}\""))
        .unwrap()
        .1
        .split('>')
        .next()
        .unwrap();
    let url = tag.split_once("href=\"")?.1;
    Some(url.split('"').next().unwrap().to_owned())
}

#[test]
fn a_match_is_stepped_through_without_scripts() {
    let house = House::with_pages(&[]);
    let (.., watcher) = three_turns(&house);
    let base = watcher.base.clone();
    let now = watcher.page();
    assert!(now.contains("Turn 3 of 3"));
    let goals = |page: &str| ["first", "back", "forward", "last"].map(|id| link_to(page, id));
    let to = |turn: u32| Some(format!("{base}/{turn}"));
    assert_eq!(goals(&now), [to(0), to(2), None, None]);
    let opening = watcher.get("/0").text();
    assert!(opening.contains("The opening."));
    assert_eq!(goals(&opening), [None, None, to(1), Some(base.clone())]);
    let second = watcher.get("/2").text();
    assert_eq!(
        goals(&second),
        [to(0), to(1), Some(base.clone()), Some(base.clone())]
    );
    assert!(second.contains("Turn 2.</b>"), "{second}");
    // Every move of the story leads to its step, and every step has a picture of its own.
    for turn in 1..=3 {
        assert!(now.contains(&format!("href=\"{base}/{turn}\"")), "turn {turn}");
    }
    let pictures: Vec<Vec<u8>> = (0..=3)
        .map(|turn| {
            let page = watcher.get(&format!("/{turn}")).text();
            let still = page
                .split_once("<noscript>")
                .unwrap()
                .1
                .split_once("<img src=\"")
                .unwrap()
                .1;
            let picture = watcher.get(still.split('"').next().unwrap());
            assert_eq!(
                (picture.status, picture.header("content-type")),
                (200, Some("image/png"))
            );
            picture.body
        })
        .collect();
    assert_eq!(pictures.iter().collect::<BTreeSet<_>>().len(), 4);
    assert_eq!(
        watcher.get("/pictures/board.png").body,
        pictures[3],
        "the last step is the board"
    );
    for wrong in ["/4", "/x", "/-1", "/99999999999"] {
        let answer = watcher.get(wrong);
        assert_eq!(answer.status, 404, "{wrong}");
        assert!(answer.text().contains("nothing here"));
    }
}

#[test]
fn a_watch_link_unfurls_as_the_board_as_it_stands() {
    let house = House::with_pages(&[]);
    let (_, bea, code, watcher) = three_turns(&house);
    let property = |page: &str, name: &str| {
        let tag = page
            .split_once(&format!("property=\"{name}\" content=\""))
            .unwrap()
            .1;
        tag.split('"').next().unwrap().to_owned()
    };
    let page = watcher.page();
    assert_eq!(property(&page, "og:title"), format!("Phwar #{code}"));
    assert_eq!(property(&page, "og:description"), "Ann and Bea");
    assert!(
        property(&page, "og:image:alt").contains("Bea"),
        "it says whose turn it is"
    );
    let origin = format!("http://{}", watcher.address);
    let image = property(&page, "og:image");
    let board = get(watcher.address, image.strip_prefix(&origin).unwrap());
    assert_eq!(
        (board.status, board.header("content-type")),
        (200, Some("image/png"))
    );
    bea.say(&format!("move #{code} F8-F7"));
    let later = property(&watcher.page(), "og:image");
    assert_ne!(later, image, "whoever keeps pictures fetches the new one");
    // A personal page tells nobody anything.
    let own = Visitor::open(&personal_link(&bea, &code));
    assert!(!own.page().contains("og:"));
    assert!(!get(own.address, &own.base).text().contains("og:"));
}

/// A link that may be good is not refused before its key was tried, which a script does. Where none runs, it is.
#[test]
fn a_link_that_may_be_good_says_that_it_opens() {
    let house = House::with_pages(&[]);
    let (ann, _, code) = table(&house, "phwar");
    let own = Visitor::open(&personal_link(&ann, &code));
    let blank = Visitor { cookie: None, ..own };
    for path in ["", "/2", &format!("/m/{code}")] {
        let answer = blank.get(path);
        assert_eq!(answer.status, 401, "{path}");
        let html = answer.text();
        assert!(
            html.contains("<h1 id=\"opening\">Opening the board …</h1>"),
            "{html}"
        );
        let refusal = html.split_once("<div id=\"refusal\" hidden>").unwrap().1;
        assert!(
            refusal.contains("isn't open to you") || refusal.contains("isn&#39;t open to you"),
            "{html}"
        );
        let quiet = refusal.split_once("<noscript>").unwrap().1;
        assert!(
            quiet.contains("needs JavaScript") && quiet.contains("<code>link</code>"),
            "{html}"
        );
        assert!(!html.contains('`'), "{html}");
    }
    // What isn't there opens for nobody.
    let nothing = get(blank.address, "/nothing");
    assert_eq!(nothing.status, 404);
    assert!(!nothing.text().contains("Opening") && nothing.text().contains("<code>link</code>"));
}

/// What was played again once for those who watch is kept: to go to and fro in a match costs nothing, however often.
#[test]
fn a_match_that_is_stepped_through_is_played_again_once() {
    let house = House::with_pages(&[]);
    let (.., watcher) = three_turns(&house);
    // Each of these would count, and together they are far more than an address may have.
    for _ in 0..60 {
        for turn in 0..=3 {
            for path in [
                format!("/{turn}"),
                format!("/pictures/turn-{turn}.png"),
                format!("/pictures/turn-{turn}.json"),
            ] {
                assert_eq!(watcher.get(&path).status, 200, "{path}");
            }
        }
        assert_eq!(watcher.get("").status, 200);
    }
}

/// What Discord shows in place of the tags above: one container, of what it knows, of at most 3,000 bytes.
#[test]
fn discord_is_given_the_board_in_its_own_components() {
    let house = House::with_pages(&[]);
    let (_, bea, code, watcher) = three_turns(&house);
    let origin = format!("http://{}", watcher.address);
    let link = |page: &str| {
        let tag = page.split_once("rel=\"discord:component-embed\"")?.1;
        let tag = tag.split('>').next()?;
        assert!(tag.contains("type=\"application/json\""), "{tag}");
        let url = tag.split_once("href=\"")?.1.split('"').next()?;
        Some(url.strip_prefix(&origin)?.to_owned())
    };
    let at = link(&watcher.page()).expect("an address in full");
    let answer = get(watcher.address, &at);
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/json"))
    );
    assert!(answer.body.len() <= 3000, "{} bytes", answer.body.len());
    let shown = answer.json();
    let container = &shown["component"];
    assert_eq!(
        (shown.as_object().unwrap().len(), &container["type"]),
        (1, &17.into())
    );
    let [text, gallery, row] = container["components"].as_array().unwrap().as_slice() else {
        panic!("{container}");
    };
    assert_eq!([&text["type"], &gallery["type"], &row["type"]], [10, 12, 1]);
    let words = text["content"].as_str().unwrap();
    assert!(
        words.starts_with(&format!("### Phwar #{code}\nAnn and Bea\n")),
        "{words}"
    );
    assert!(words.contains("Bea"), "{words}");
    let picture = &gallery["items"][0];
    assert!(picture["description"].as_str().unwrap().contains("Bea"));
    let url = picture["media"]["url"].as_str().unwrap();
    let board = get(watcher.address, url.strip_prefix(&origin).unwrap());
    assert_eq!(
        (board.status, board.body),
        (200, watcher.get("/pictures/board.png").body)
    );
    assert_eq!(row["components"][0]["url"], format!("{origin}{}", watcher.base));
    assert_eq!(row["components"][0]["style"], 5);
    // A personal page has none.
    let own = Visitor::open(&personal_link(&bea, &code));
    assert!(!own.page().contains("component-embed"));
    assert_eq!(own.get("/embed.json").status, 404);
}

/// Long names and a long description of the board still make a file that Discord reads.
#[test]
fn what_discord_is_given_is_never_too_long() {
    let house = House::with_pages(&[]);
    let long = |name: &str| format!("{name}{}", "*_".repeat(9));
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, &long(name)));
    for game in ["phase", "fabric", "breaker variant=blind", "glyphgrid"] {
        let code = super::links::challenge(&ann, &bea, game);
        ann.say(&format!("watch #{code}"));
        bea.say(&format!("accept #{code}"));
        let watcher = Visitor::open(&link_in(&ann.hear(&format!("watch #{code}"))));
        let answer = watcher.get("/embed.json");
        assert!(
            answer.status == 200 && answer.body.len() <= 3000,
            "{game}: {} bytes",
            answer.body.len()
        );
        let words = answer.json()["component"]["components"][0]["content"].clone();
        assert!(words.as_str().unwrap().contains("\\*\\_"), "{words}");
        let described = answer.json()["component"]["components"][1]["items"][0]["description"].clone();
        assert!(described.as_str().unwrap().chars().count() <= 1024);
    }
}

#[test]
fn names_mean_nothing_on_a_page() {
    let house = House::with_pages(&[]);
    let evil = Guest::come(house.address, "<b>&\"'x</b>");
    evil.say("practice phwar");
    let code = evil.get("/api/matches").json()["matches"][0]["code"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = Visitor::open(&personal_link(&evil, &code)).page();
    assert!(page.contains("&lt;b&gt;"), "the name is shown");
    assert!(!page.contains("<b>&") && !page.contains("\"'x"), "{page}");
}

#[test]
fn no_page_may_run_or_load_what_is_not_ours() {
    let house = House::with_pages(&[]);
    let (ann, _, code, watcher) = three_turns(&house);
    let own = Visitor::open(&personal_link(&ann, &code));
    let blank = Visitor {
        cookie: None,
        ..own.clone()
    };
    for page in [&watcher, &own, &blank] {
        let answer = page.get("");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
        let html = answer.text();
        assert!(!html.contains("style=") && !html.contains("<script>") && !html.contains(" onclick"));
    }
    // The local room's own address is another one, and these pages have nothing of it.
    for path in [
        "/",
        "/api",
        "/api/guests",
        "/api/messages",
        "/app.js",
        "/healthz",
        "/regular.otf",
    ] {
        assert_eq!(get(watcher.address, path).status, 404, "{path}");
    }
}

const GZIP: [(&str, &str); 1] = [("Accept-Encoding", "gzip, deflate, br")];

/// What an answer holds, unpacked if it was packed.
fn unpacked(answer: &Answer) -> String {
    if answer.header("content-encoding") != Some("gzip") {
        return answer.text();
    }
    let mut text = String::new();
    GzDecoder::new(&answer.body[..])
        .read_to_string(&mut text)
        .unwrap();
    text
}

/// What is written for one answer is packed like the files, for whoever takes it so.
#[test]
fn pages_and_spots_are_sent_packed() {
    let house = House::with_pages(&[]);
    let (ann, _, code, watcher) = three_turns(&house);
    let own = Visitor::open(&personal_link(&ann, &code));
    for page in [&watcher, &own] {
        for path in [
            "",
            "?brief",
            "/2",
            "/pictures/board.json",
            "/pictures/turn-1.json",
        ] {
            let [plain, packed] = [&[][..], &GZIP].map(|headers| page.get_with(path, headers));
            assert_eq!((plain.status, packed.status), (200, 200), "{path}");
            assert_eq!(plain.header("content-encoding"), None, "{path}");
            assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
            for answer in [&plain, &packed] {
                assert_eq!(answer.header("vary"), Some("accept-encoding"), "{path}");
            }
            assert_eq!(
                plain.header("content-type"),
                packed.header("content-type"),
                "{path}"
            );
            assert_eq!(
                plain.header("cache-control"),
                packed.header("cache-control"),
                "{path}"
            );
            assert!(2 * packed.body.len() < plain.body.len(), "{path}");
            assert_eq!(
                without_time(&unpacked(&packed)),
                without_time(&plain.text()),
                "{path}"
            );
        }
    }
}

/// What a first visit loads, pictures aside, as it is sent: 150 kB at the most, and nothing from elsewhere.
#[test]
fn a_page_is_light() {
    let house = House::with_pages(&[]);
    let (.., watcher) = three_turns(&house);
    let weight = weight(&watcher);
    assert!(weight < 150_000, "{weight} bytes");
    // What is known is not sent again, packed or not.
    for headers in [&GZIP[..], &[]] {
        let first = ask(watcher.address, "GET", "/js/match.js", headers, b"").unwrap();
        let known = [headers, &[("If-None-Match", first.header("etag").unwrap())][..]].concat();
        let second = ask(watcher.address, "GET", "/js/match.js", &known, b"").unwrap();
        assert_eq!((second.status, second.body.len()), (304, 0));
    }
}

/// So is the page of the longest matches that there are, with all their story: Phase with five players.
#[test]
fn the_page_of_a_long_match_is_light() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let house = House::with_pages_over(Arc::clone(&store), &[]);
    let guests = ["Ann", "Bea", "Cy", "Dan", "Eve"].map(|name| Guest::come(house.address, name));
    let said = guests[0].hear("open phase 5");
    let code = said
        .split('#')
        .nth(1)
        .unwrap_or_else(|| panic!("no table: {said}"));
    let code: String = code.chars().take_while(char::is_ascii_alphanumeric).collect();
    for guest in &guests[1..] {
        guest.say(&format!("join {code}"));
    }
    guests[0].say(&format!("watch #{code}"));
    for guest in &guests[1..] {
        guest.say(&format!("accept #{code}"));
    }
    let link = link_in(&guests[0].hear(&format!("watch #{code}")));
    drop(house);
    play_by_chance(&store, &code, 900);
    let house = House::with_pages_over(store, &[]);
    let watcher = Visitor {
        address: house.pages.unwrap(),
        base: parts(&link).1,
        cookie: None,
    };
    let page = watcher.page();
    let turns = page.matches("<li><a class=\"turn\"").count();
    assert!(turns > 100, "{turns} turns are no long match");
    let weight = weight(&watcher);
    println!(
        "{turns} turns: {} bytes of HTML, {weight} bytes as sent",
        page.len()
    );
    assert!(weight < 150_000, "{weight} bytes");
}

/// Plays on in a match that nobody else is at, so many actions or to its end.
fn play_by_chance(store: &Arc<dyn Store>, code: &str, actions: u64) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let code: Code = code.parse().unwrap();
    runtime.block_on(async {
        let service = Service::new(Arc::clone(store), Arc::new(SystemClock), Arc::new(OsEntropy)).unwrap();
        let mut found = service.find(&code).unwrap();
        let mut chance = Seed::from_text("a long match").at(0);
        for _ in 0..actions {
            if found.running().is_none() {
                break;
            }
            let table = found.table().unwrap();
            let seat = table.awaiting().seats().iter().next().unwrap();
            let legal = table.legal(seat);
            let action = legal[chance.below(legal.len())].clone();
            let caller = Caller {
                player: found.play().unwrap().players[seat.index()].clone(),
                event: None,
            };
            found = service.play(&caller, found.into(), &action).await.unwrap().after;
        }
    });
}

/// How many bytes a first visit takes, pictures aside; and that nothing is asked of another site.
fn weight(watcher: &Visitor) -> usize {
    let page = watcher.get_with("", &GZIP);
    let mut total = page.body.len();
    let mut waiting: Vec<String> = Vec::new();
    let named = |text: &str| -> Vec<String> {
        let quoted = text.split('"').skip(1).step_by(2);
        quoted
            .filter_map(|quoted| {
                let path = quoted
                    .strip_prefix("./")
                    .map_or_else(|| quoted.to_owned(), |file| format!("/js/{file}"));
                let is_file = [".js", ".css", ".otf", ".woff2", ".svg"]
                    .iter()
                    .any(|end| path.ends_with(end));
                (path.starts_with('/') && is_file).then_some(path)
            })
            .collect()
    };
    waiting.extend(named(&unpacked(&page)));
    let mut seen = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let plain = get(watcher.address, &path);
        assert_eq!(plain.status, 200, "{path}");
        let text = plain.text();
        let foreign = text.replace("http://www.w3.org/", "");
        assert!(
            !foreign.contains("http://") && !foreign.contains("https://"),
            "{path} names another site"
        );
        let sent = ask(watcher.address, "GET", &path, &GZIP, b"").unwrap();
        assert_eq!(sent.status, 200, "{path}");
        assert_eq!(sent.header("vary"), Some("accept-encoding"));
        if sent.body.len() < plain.body.len() {
            assert_eq!(sent.header("content-encoding"), Some("gzip"), "{path}");
        }
        total += sent.body.len();
        waiting.extend(named(&text));
        // What a style sheet loads stands in round brackets.
        waiting.extend(
            text.split("url(")
                .skip(1)
                .flat_map(|rest| named(rest.split(')').next().unwrap())),
        );
    }
    assert!(
        seen.contains("/js/match.js") && seen.contains("/js/board.js") && seen.contains("/match.css"),
        "{seen:?}"
    );
    println!("{total} bytes in {} files and the page itself", seen.len());
    total
}
