//! Strange lines, names that would be mark-up, and lines far too long.

use parlor::chat::command;
use parlor::chat::grammar::COMMANDS;
use parlor::chat::message::Inline;
use parlor::chat::parlor::Input;
use parlor::game::GameRng;
use parlor::matches::port::Space;

use crate::request;
use crate::room::{self, Room, player};

const INJECTIONS: [&str; 8] = [
    "@everyone <script>alert(1)</script> [x](http://y) **b** \u{202e}",
    "`code` ``` block ``` **bold**",
    "\u{0}\u{1}\u{7f}\u{200b}",
    "<@123> <#1> <!here> @here",
    "😀👩\u{200d}👩\u{200d}👧 ünïcödé ⅷ ﷽",
    "x=`**y**` centre=`on",
    "\n\n# Heading\n> quote\n||spoiler||",
    "../../etc/passwd; DROP TABLE matches; --",
];

#[tokio::test]
async fn a_thousand_strange_lines_are_answered_and_change_nothing_when_refused() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let open = room.says("cy", "open phwar seats=3").await.code();
    let mut rng = GameRng::quick(2026);
    let mut words: Vec<String> = COMMANDS
        .iter()
        .flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied()))
        .map(str::to_owned)
        .collect();
    words.extend(INJECTIONS.map(str::to_owned));
    words.extend(
        [
            "phwar",
            "@bea",
            "@ann",
            "me",
            "live",
            "5m",
            "clock=live",
            "seats=3",
            "seats=99",
            "centre=on",
            "centre=maybe",
            "order",
            "sure",
            "F2-F5",
            "f2",
            "F2xF5; F3",
            ";",
            "#",
            "#ZZZZ",
            "24",
            "999999999999",
            "-1",
            "theme",
            "dark",
            "quiet",
            "22-7",
            "+99",
            "how",
            "/",
            "!",
            "=",
            ":",
            "@",
            "pass",
        ]
        .map(str::to_owned),
    );
    words.push(format!("#{code}"));
    words.push(format!("#{code}@1"));
    words.push(format!("#{open}"));
    words.push("x".repeat(5000));
    words.push("F2-F5;".repeat(200));
    words.push("\u{10ffff}".repeat(300));
    let mut refused = 0;
    for _ in 0..1500 {
        let count = 1 + rng.below(5);
        let mut line: Vec<String> = (0..count)
            .map(|_| words[rng.below(words.len())].clone())
            .collect();
        if rng.below(3) == 0 {
            // A slip of the finger.
            let word = &mut line[0];
            let mut letters: Vec<char> = word.chars().collect();
            let at = rng.below(letters.len().max(1)).min(letters.len());
            match rng.below(3) {
                0 if at < letters.len() => {
                    letters.remove(at);
                }
                1 => letters.insert(at, 'q'),
                _ => letters.reverse(),
            }
            *word = letters.into_iter().collect();
        }
        let line = line.join([" ", "  ", "\t", ""][rng.below(4)]);
        let who = ["ann", "bea", "cy", "dee"][rng.below(4)];
        let before = room.store.matters();
        let events = room.store.rows(Space::Handled).len();
        let said = room.says(who, &line).await;
        assert!(!said.text.contains("went wrong"), "{line:?}");
        if room.store.rows(Space::Handled).len() == events {
            assert_eq!(
                room.store.matters(),
                before,
                "{line:?} was refused: {}",
                said.text
            );
            refused += 1;
        }
        for suggestion in room.parlor.suggest(&player(who), None, &line) {
            assert!(!suggestion.label.is_empty());
        }
        room.deliver().await;
    }
    assert!(
        (300..1500).contains(&refused),
        "both kinds must be there: {refused}"
    );
}

#[tokio::test]
async fn names_that_would_be_mark_up_stay_names() {
    let room = Room::new();
    for (number, name) in INJECTIONS.iter().enumerate() {
        let (ann, bea) = (format!("ann{number}"), format!("bea{number}"));
        let line = format!("challenge @{bea} phwar order");
        let reply = room.parlor.handle(&request(&ann, name, &line)).await;
        let code = room::code_in(&room::house_rules(&reply.message, &line));
        let mut lines = vec![format!("accept #{code}")];
        lines.extend(["board", "text", "matches", "record"].map(|verb| format!("{verb} #{code}")));
        for line in lines {
            let reply = room.parlor.handle(&request(&bea, name, &line)).await;
            room::house_rules(&reply.message, &line);
            for piece in &reply.message.text.0 {
                if let Inline::Bold(text) | Inline::Code(text) | Inline::Say(text) = piece {
                    assert!(!text.contains("script") && !text.contains("everyone"), "{text}");
                }
            }
        }
        let action = room.legal(&code).remove(0);
        let line = format!("move #{code} {action}");
        room.parlor.handle(&request(&ann, name, &line)).await;
        for heard in room.heard_at("parlour").await {
            assert!(
                !heard.text.contains("script"),
                "people are mentioned, not named: {}",
                heard.text
            );
        }
        let known = room.service().person(&player(&ann)).unwrap().name;
        assert!(
            !known.contains(['\u{202e}', '\n', '\u{0}', '\u{200b}']),
            "{known:?}"
        );
    }
}

#[tokio::test]
async fn what_is_typed_is_quoted_and_never_read_as_mark_up() {
    let room = Room::new();
    for text in INJECTIONS {
        let word = text.split_whitespace().next().unwrap_or(text);
        for line in [
            text.to_owned(),
            format!("challenge {text} phwar"),
            format!("rules {text}"),
            format!("rules phwar {text}"),
            format!("help {text}"),
            format!("join {text}"),
            format!("settings {text}"),
            format!("settings theme {text}"),
            format!("open phwar {text}"),
            format!("open phwar {word}=1"),
            format!("open phwar centre={word}"),
            format!("open {text}"),
            format!("move {text}"),
            format!("extend {text}"),
        ] {
            // The rules of the house are checked by saying it.
            let said = room.says("ann", &line).await;
            for piece in &said.reply.message.text.0 {
                if let Inline::Bold(bold) = piece {
                    assert!(
                        !bold.contains("script") && bold != "b" && bold != "y",
                        "{line}: {bold}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn a_line_that_is_far_too_long_is_refused_at_once() {
    let room = Room::new();
    room.match_of("ann", "bea", "").await;
    let before = room.store.matters();
    for line in [
        "F2-F5; ".repeat(100_000),
        "challenge me ".repeat(100_000),
        "A1".repeat(600),
    ] {
        room.says("ann", &line).await.answers("too long");
    }
    room.says("ann", &format!("move A{}", "1".repeat(900))).await;
    let fields = [("move", "A1 ".repeat(1000))];
    let command = command::from_fields("move", fields.iter().map(|(name, value)| (*name, value.as_str())));
    let mut request = request("ann", "ann", "");
    request.input = Input::Command(command);
    room.ask(&request, "move in fields").await.answers("too long");
    assert_eq!(room.store.matters(), before);
}
