//! What is understood, and what is asked back.

use super::decks::DeckGap;
use super::settings::OwnSetting;
use super::*;
use crate::catalog;
use crate::matches::clock::ClockKind;
use crate::matches::people::QuietHours;
use crate::matches::state::Seating;
use crate::matches::time::Span;

/// Anybody can be named with an `@`.
struct Anybody;

impl People for Anybody {
    fn find(&self, word: &str) -> Option<PlayerId> {
        word.strip_prefix('@').map(|name| PlayerId::new("local", name))
    }

    fn leading<'t>(&self, text: &'t str) -> Option<(PlayerId, &'t str)> {
        let rest = text.strip_prefix("Bea Fox")?;
        Some((PlayerId::new("local", "fox"), rest))
    }
}

fn command(line: &str) -> Command {
    read(line, &Anybody).unwrap_or_else(|error| panic!("{line}: {error:?}"))
}

fn error(line: &str) -> ReadError {
    read(line, &Anybody).expect_err(line)
}

fn phwar() -> &'static Entry {
    catalog::find("phwar").unwrap()
}

fn player(name: &str) -> Opponent {
    Opponent::Player(PlayerId::new("local", name))
}

fn terms() -> Terms {
    Terms {
        game: phwar(),
        options: Vec::new(),
        clock: None,
        seating: Seating::Lot,
    }
}

fn challenge(line: &str) -> Challenge {
    match command(line) {
        Command::Challenge(challenge) => challenge,
        other => panic!("{line}: {other:?}"),
    }
}

fn about(code: &str, version: Option<u64>) -> About {
    Some(MatchRef {
        code: code.parse().unwrap(),
        version,
    })
}

#[test]
fn a_challenge_is_understood_in_any_order() {
    let expected = Challenge {
        opponents: vec![player("bea")],
        level: None,
        terms: Terms {
            options: vec![("centre".into(), "on".into())],
            clock: Some(ClockKind::Live {
                bank: Span::minutes(5),
            }),
            ..terms()
        },
    };
    for line in [
        "challenge @bea phwar centre=on live 5m",
        "/challenge phwar @bea live 5m centre=on",
        "!CHALLENGE phwar live 5m @bea centre:on",
        "play clock=live 5m @bea phwar centre=on",
    ] {
        assert_eq!(challenge(line), expected, "{line}");
    }
}

#[test]
fn bots_are_challenged_by_word_and_level() {
    let expected = Challenge {
        opponents: vec![Opponent::Bot(None), player("bea"), Opponent::Bot(None)],
        level: Level::new(3),
        terms: terms(),
    };
    for line in [
        "challenge bot @bea bot phwar level:3",
        "play level=3 bot @bea bot phwar",
        "challenge bot phwar level 3 @bea bot",
        "challenge bot @bea bot phwar 3",
    ] {
        assert_eq!(challenge(line), expected, "{line}");
    }
    assert_eq!(
        command("fill K7QF level 5"),
        Command::Fill {
            table: about("K7QF", None),
            level: Level::new(5)
        }
    );
    for line in [
        "challenge bot phwar lvl 3",
        "challenge bot phwar level3",
        "challenge bot phwar level: 3",
        "challenge bot phwar level = 3",
        "play against the bot phwar level:3",
    ] {
        let read = challenge(line);
        assert_eq!(
            (&read.opponents[..], read.level),
            (&[Opponent::Bot(None)][..], Level::new(3)),
            "{line}"
        );
    }
}

#[test]
fn every_bot_may_have_a_level_of_its_own() {
    let bots = |levels: [Option<Level>; 3]| levels.map(Opponent::Bot);
    assert_eq!(
        challenge("challenge bot:1 bot5 bot phase").opponents,
        bots([Level::new(1), Level::new(5), None])
    );
    assert_eq!(challenge("challenge 3 bots phase").opponents, bots([None; 3]));
    assert_eq!(challenge("challenge two bots phwar level=4").level, Level::new(4));
}

#[test]
fn people_are_named_by_whatever_the_platform_knows() {
    assert_eq!(
        challenge("challenge nobody Bea Fox @cy me phwar").opponents,
        [
            Opponent::Unknown("nobody".to_owned()),
            player("fox"),
            player("cy"),
            Opponent::Oneself
        ]
    );
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
        match error(line) {
            ReadError::Level { said, .. } => assert_eq!(said, level, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    for value in [FieldValue::from("9"), FieldValue::Number(9)] {
        let read = from_fields("fill", [("level", value)], &Nobody);
        assert!(matches!(read, Err(ReadError::Level { .. })));
    }
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
        match error(line) {
            ReadError::Incomplete { missing, .. } => assert_eq!(missing, expected, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn a_move_is_the_rest_of_the_line() {
    assert_eq!(
        command("move F2-F5; F3-F4"),
        Command::Move {
            about: None,
            sentence: "F2-F5; F3-F4".into()
        }
    );
    assert_eq!(
        command("move #k7qf@12 add 3 II"),
        Command::Move {
            about: about("K7QF", Some(12)),
            sentence: "add 3 II".into()
        }
    );
}

#[test]
fn codes_may_stand_bare_where_nothing_else_can() {
    assert_eq!(command("join k7qf"), Command::Join(about("K7QF", None)));
    assert_eq!(command("board"), Command::Board(None));
}

#[test]
fn a_match_is_given_up_in_three_ways() {
    for (line, how) in [
        ("resign k7qf", Leave::Ask),
        ("resign k7qf sure", Leave::Sure),
        ("resign SURE k7qf", Leave::Sure),
        ("resign k7qf bot", Leave::LetBotPlay),
    ] {
        let expected = Command::Resign {
            about: about("K7QF", None),
            how,
        };
        assert_eq!(command(line), expected, "{line}");
    }
}

#[test]
fn what_is_missing_or_strange_is_named() {
    let problem = |line: &str| match error(line) {
        ReadError::Argument { problem, .. } => problem,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(problem("move"), "Something is missing: what you play.");
    assert_eq!(
        problem("join !!"),
        "`!!` isn't a table code. A code looks like `#K7QF`."
    );
    assert_eq!(
        problem("settings them dark"),
        "There's no `them`. Did you mean `theme`?"
    );
    assert_eq!(problem("open phwar seats=x"), "`seats` takes a number.");
    assert_eq!(
        error("chalenge @bea"),
        ReadError::Unknown {
            word: "chalenge".into(),
            near: Some("challenge")
        }
    );
    assert!(matches!(error("practice chess"), ReadError::Game(_)));
    assert_eq!(error("  "), ReadError::Empty);
    assert_eq!(error(&"move ".repeat(LONGEST_LINE)), ReadError::TooLong);
}

#[test]
fn settings_decks_and_rules_take_words() {
    assert_eq!(
        command("settings quiet 22-7 +2"),
        Command::Settings(SettingsWish::Own(OwnSetting::Quiet(Some(QuietHours {
            from: 22,
            to: 7,
            utc_offset: 120
        }))))
    );
    assert_eq!(
        command("deck copy wolfpack mine"),
        Command::Deck {
            game: None,
            order: DeckOrder::Copy {
                name: "wolfpack".into(),
                new: "mine".into()
            }
        }
    );
    assert_eq!(
        command("rules phwar being out"),
        Command::Rules {
            about: None,
            game: Some(phwar()),
            words: "being out".into()
        }
    );
    assert_eq!(
        command("rules line of sight"),
        Command::Rules {
            about: None,
            game: None,
            words: "line of sight".into()
        }
    );
    assert_eq!(
        command("what is swift"),
        Command::What {
            words: "is swift".into()
        }
    );
    assert_eq!(command("help"), Command::Help { topic: None });
}

#[test]
fn fields_give_the_same_as_text() {
    let fields = [
        ("players", FieldValue::Player(PlayerId::new("local", "bea"))),
        ("game", FieldValue::from("phwar")),
        ("options", FieldValue::from("centre=on")),
        ("clock", FieldValue::from("live 5m")),
    ];
    assert_eq!(
        from_fields("challenge", fields, &Nobody).unwrap(),
        command("challenge @bea phwar centre=on live 5m")
    );
    let strange = |name: &str, field: &str, value: &str| {
        from_fields(name, [(field, FieldValue::from(value))], &Nobody).is_err()
    };
    assert!(strange("challenge", "colour", "red"));
    assert!(strange("settings", "setting", "`**theme"));
    assert!(strange("fill", "level", "strong"));
}

#[test]
fn orders_for_decks_are_read_with_what_they_need() {
    let order = |line: &str| match command(line) {
        Command::Deck { game, order } => (game.map(|game| game.meta.id), order),
        other => panic!("{line}: {other:?}"),
    };
    let mine = || "mine".to_owned();
    assert_eq!(order("deck"), (None, DeckOrder::List));
    assert_eq!(order("decks SHOW mine"), (None, DeckOrder::Show(mine())));
    assert_eq!(
        order("deck add phase mine F1,  F2"),
        (
            Some("phase"),
            DeckOrder::Add {
                name: mine(),
                cards: "F1,  F2".to_owned()
            }
        )
    );
    for line in ["deck use mine #k7qf", "deck #k7qf use mine"] {
        let used = DeckOrder::Use {
            name: mine(),
            about: about("K7QF", None),
        };
        assert_eq!(order(line), (None, used), "{line}");
    }
    // A game without cards is no game of decks: the word is the name of one.
    assert_eq!(
        order("deck show phwar"),
        (None, DeckOrder::Show("phwar".to_owned()))
    );
    let gap = |line: &str| match error(line) {
        ReadError::Deck(gap) => gap,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(gap("deck show"), DeckGap::Name(DeckDeed::Show));
    assert_eq!(
        gap("deck import mine"),
        DeckGap::Cards {
            deed: DeckDeed::Import,
            name: mine()
        }
    );
    assert_eq!(
        gap("deck name phase mine"),
        DeckGap::NewName {
            deed: DeckDeed::Name,
            name: mine()
        }
    );
}

#[test]
fn any_command_about_a_match_can_be_put_into_one() {
    let the_match = about("K7QF", Some(3)).unwrap();
    for (line, expected) in [
        ("draw", "draw #K7QF@3"),
        ("rules phwar", "rules #K7QF@3 phwar"),
        ("moves #AAAA F2", "moves #K7QF@3 F2"),
        ("deck use mine", "deck #K7QF@3 use mine"),
        ("deck show mine", "deck show mine"),
        ("matches", "matches"),
    ] {
        assert_eq!(command(line).in_match(the_match.clone()).to_string(), expected);
    }
}

#[test]
fn numbers_of_a_form_are_checked_as_those_of_a_line() {
    let field = |name: &str, field: &str, number: i64| {
        let fields = [
            ("game", FieldValue::from("phwar")),
            (field, FieldValue::Number(number)),
        ];
        from_fields(name, fields, &Nobody).map(|read| read.to_string())
    };
    assert_eq!(field("open", "seats", 3).unwrap(), "open phwar seats=3");
    for (command, argument, number) in [
        ("open", "seats", 300),
        ("open", "seats", -1),
        ("practice", "turn", -2),
    ] {
        let read = field(command, argument, number);
        assert!(
            matches!(read, Err(ReadError::Argument { .. })),
            "{argument} {number}: {read:?}"
        );
    }
    assert!(matches!(
        field("practice", "level", 6),
        Err(ReadError::Level { .. })
    ));
    let hours = from_fields("extend", [("hours", FieldValue::Number(48))], &Nobody);
    assert_eq!(hours.unwrap().to_string(), "extend 48");
}

#[test]
fn a_command_reads_as_it_is_written() {
    for line in [
        "games",
        "rules phwar being out",
        "rules phwar",
        "help challenge",
        "challenge @bea bot:3 me phwar level=2 centre=on live 5m order",
        "open phwar seats=3 centre=on daily",
        "practice phwar seats=2 centre=on",
        "practice phwar seats=2 level=3 centre=on",
        "practice #K7QF",
        "practice #K7QF 14",
        "practice #K7QF 0 level=3",
        "fill #K7QF level=4",
        "join #K7QF",
        "accept #K7QF@3",
        "decline",
        "cancel #K7QF",
        "move #K7QF@12 F2-F5; F3-F4",
        "preview F2-F5",
        "hint #K7QF",
        "moves #K7QF@3 F2",
        "board",
        "hand #K7QF",
        "text #K7QF",
        "undo",
        "draw #K7QF",
        "resign #K7QF sure",
        "resign #K7QF bot",
        "resign",
        "replace #K7QF level=5",
        "abort #K7QF",
        "pause",
        "resume #K7QF",
        "extend #K7QF 48",
        "claim",
        "rematch #K7QF",
        "matches",
        "record #K7QF",
        "record #K7QF text",
        "replay #K7QF 12-20",
        "replay last 5 side 2 dark",
        "catchup #K7QF",
        "review #K7QF 2",
        "review numbers",
        "review",
        "note #K7QF watch the left side",
        "note",
        "card keeper cost 2 swift",
        "card phase keeper",
        "card",
        "deck copy wolfpack mine",
        "deck list",
        "deck show phase wolfpack",
        "deck import mine F1, F2",
        "deck new mine",
        "deck #K7QF use mine",
        "settings quiet 22-7 +2",
        "settings quiet off",
        "settings theme",
        "settings theme dark here",
        "settings side first here",
        "settings turn two",
        "settings",
    ] {
        assert_eq!(command(line).to_string(), line);
    }
    // Every command of the grammar is among them, in the form of its example at least.
    for spec in crate::chat::grammar::COMMANDS {
        let read = command(&spec.example());
        assert_eq!(read.verb(), spec.verb);
        assert_eq!(command(&read.to_string()), read);
    }
}
