//! What is understood, and what is asked back.

use super::*;
use crate::matches::time::Span;

fn arguments(line: &str) -> Arguments {
    read(line)
        .unwrap_or_else(|error| panic!("{line}: {error:?}"))
        .arguments
}

#[test]
fn a_challenge_is_understood_in_any_order() {
    let expected = Arguments {
        game: Some("phwar".into()),
        players: vec!["@bea".into()],
        options: vec![("centre".into(), "on".into())],
        clock: Some(ClockKind::Live {
            bank: Span::minutes(5),
        }),
        ..Arguments::default()
    };
    for line in [
        "challenge @bea phwar centre=on live 5m",
        "/challenge phwar @bea live 5m centre=on",
        "!CHALLENGE phwar live 5m @bea centre:on",
        "play clock=live 5m @bea phwar centre=on",
    ] {
        assert_eq!(arguments(line), expected, "{line}");
    }
}

#[test]
fn bots_are_challenged_by_word_and_level() {
    let expected = Arguments {
        game: Some("phwar".into()),
        players: vec!["bot".into(), "@bea".into(), "bot".into()],
        level: Level::new(3),
        ..Arguments::default()
    };
    for line in [
        "challenge bot @bea bot phwar level:3",
        "play level=3 bot @bea bot phwar",
        "challenge bot phwar level 3 @bea bot",
        "challenge bot @bea bot phwar 3",
    ] {
        assert_eq!(arguments(line), expected, "{line}");
    }
    assert_eq!(arguments("fill K7QF level 5").level, Level::new(5));
    for line in [
        "challenge bot phwar lvl 3",
        "challenge bot phwar level3",
        "challenge bot phwar level: 3",
        "challenge bot phwar level = 3",
        "play against the bot phwar level:3",
    ] {
        let read = arguments(line);
        assert_eq!(
            (&*read.players, read.level),
            (&["bot".to_owned()][..], Level::new(3)),
            "{line}"
        );
    }
}

#[test]
fn every_bot_may_have_a_level_of_its_own() {
    assert_eq!(
        arguments("challenge bot:1 bot5 bot phase").players,
        ["bot:1", "bot:5", "bot"]
    );
    assert_eq!(arguments("challenge 3 bots phase").players, ["bot", "bot", "bot"]);
    assert_eq!(arguments("challenge two bots phwar level=4").level, Level::new(4));
}

#[test]
fn a_level_that_nobody_has_is_named() {
    for (line, level) in [
        ("challenge bot phwar level=6", "6"),
        ("challenge bot phwar level:0", "0"),
        ("challenge bot phwar level=-1", "-1"),
        ("challenge bot phwar 7", "7"),
        ("challenge bot:9 phwar", "9"),
        ("challenge bot phwar level=hard", "hard"),
        ("challenge bot phwar hard", "hard"),
        ("replace hard", "hard"),
        ("fill level", ""),
    ] {
        match read(line) {
            Err(ReadError::Level { said, .. }) => assert_eq!(said, level, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    assert!(matches!(
        from_fields("fill", [("level", "9")]),
        Err(ReadError::Level { .. })
    ));
}

#[test]
fn who_and_what_can_be_asked() {
    for (line, expected) in [
        ("challenge bot", Missing::Game),
        ("play bot level=3", Missing::Game),
        ("practice", Missing::Game),
        ("challenge phwar", Missing::Players),
        ("play", Missing::Both),
    ] {
        match read(line) {
            Err(ReadError::Incomplete { missing, .. }) => assert_eq!(missing, expected, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn a_move_is_the_rest_of_the_line() {
    assert_eq!(arguments("move F2-F5; F3-F4").words, "F2-F5; F3-F4");
    let targeted = arguments("move #k7qf@12 add 3 II");
    assert_eq!(targeted.words, "add 3 II");
    assert_eq!(targeted.target, Some(("K7QF".parse().unwrap(), Some(12))));
}

#[test]
fn codes_may_stand_bare_where_nothing_else_can() {
    assert_eq!(
        arguments("join k7qf").target,
        Some(("K7QF".parse().unwrap(), None))
    );
    assert_eq!(arguments("resign k7qf sure").word.as_deref(), Some("sure"));
    assert_eq!(arguments("board").target, None);
}

#[test]
fn what_is_missing_or_strange_is_named() {
    let problem = |line: &str| match read(line) {
        Err(ReadError::Argument { problem, .. }) => problem,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(problem("move"), "what you play is missing");
    assert_eq!(
        problem("join !!"),
        "`!!` is no table code; a code looks like `K7QF`"
    );
    assert_eq!(
        problem("settings them dark"),
        "there is no `them`; did you mean `theme`?"
    );
    assert_eq!(problem("open phwar seats=x"), "`seats` takes a number");
    assert_eq!(
        read("chalenge @bea"),
        Err(ReadError::Unknown {
            word: "chalenge".into(),
            near: Some("challenge")
        })
    );
    assert_eq!(read("  "), Err(ReadError::Empty));
}

#[test]
fn settings_and_rules_take_words() {
    let settings = arguments("settings quiet 22-7 +2");
    assert_eq!(
        (settings.word.as_deref(), settings.words.as_str()),
        (Some("quiet"), "22-7 +2")
    );
    let rules = arguments("rules phwar being out");
    assert_eq!(
        (rules.game.as_deref(), rules.words.as_str()),
        (Some("phwar"), "being out")
    );
    assert_eq!(arguments("help").words, "");
}

#[test]
fn fields_give_the_same_as_text() {
    let fields = [
        ("players", "@bea"),
        ("game", "phwar"),
        ("options", "centre=on"),
        ("clock", "live 5m"),
    ];
    let typed = read("challenge @bea phwar centre=on live 5m").unwrap();
    assert_eq!(from_fields("challenge", fields).unwrap(), typed);
    assert!(from_fields("challenge", [("colour", "red")]).is_err());
    assert!(from_fields("settings", [("setting", "`**theme"), ("value", "dark")]).is_err());
}
