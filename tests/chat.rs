//! What is understood, what is answered, and what never happens whatever is typed.

mod room;

use parlor::catalog::GAMES;
use parlor::chat::command;
use parlor::chat::grammar::{COMMANDS, Verb};
use parlor::chat::message::{Piece, Shown, Subject};
use parlor::chat::parlor::{Input, Request};
use parlor::game::{GameRng, Information};
use parlor::matches::port::Space;
use room::{Room, player, short};

#[tokio::test]
async fn moves_can_be_typed_bare_with_the_verb_by_code_and_by_pressing_buttons() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar order").await.code();
    room.says("bea", "yes").await.answers("begins");
    let start = room.hears("begins").await;
    // Bare.
    let action = room.legal(&code).remove(0);
    room.says("ann", &action).await.answers("Played");
    // With the verb, and the way people write.
    let action = room.legal(&code).remove(3).replace('-', " to ");
    room.says("bea", &format!("/move {}", action.to_lowercase()))
        .await
        .answers("Played");
    // By code, from where nobody else hears.
    let action = room.legal(&code).remove(0);
    room.whispers("ann", &format!("m #{} {action}", code.as_str().to_lowercase()))
        .await
        .answers("Played");
    // By buttons: the one on the board, then the first of each menu.
    let board = room.hears("bea is to move").await;
    assert_ne!(board.button("Move"), start.button("Move"));
    let mut line = room.heard_at("parlour").await.pop().unwrap().button("Move");
    for _ in 0..5 {
        let said = room.says("bea", &line).await;
        if said.text.contains("Played") {
            break;
        }
        line = said.commands().remove(0);
    }
    assert_eq!(room.play_of(&code).entries, 4);
}

#[tokio::test]
async fn an_answer_says_whether_its_room_is_told_anyway() {
    let room = Room::new();
    let challenge = room.says("ann", "challenge @bea phwar order").await;
    assert!(challenge.reply.told, "the challenge is told in the room");
    let code = challenge.code();
    assert!(room.says("bea", "yes").await.reply.told);
    let action = room.legal(&code).remove(0);
    assert!(room.says("ann", &action).await.reply.told);
    // Elsewhere nobody would know, and what changes nothing is told nobody else.
    let action = room.legal(&code).remove(0);
    let away = room
        .says_in("attic", "bea", &format!("move #{code} {action}"))
        .await;
    away.answers("Played");
    assert!(!away.reply.told);
    let action = room.legal(&code).remove(0);
    let alone = room.whispers("ann", &format!("move #{code} {action}")).await;
    assert!(!alone.reply.told);
    for line in ["board", "games", "frobnicate", "move F99", "resign"] {
        assert!(!room.says("ann", line).await.reply.told, "{line}");
    }
}

#[tokio::test]
async fn every_button_of_every_menu_leads_to_a_move_or_on() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let legal = room.legal(&code);
    let mut reached = std::collections::BTreeSet::new();
    let mut open = vec![format!("moves #{code}")];
    while let Some(line) = open.pop() {
        let said = room.says("ann", &line).await;
        assert!(
            !said.commands().is_empty(),
            "`{line}` leads nowhere: {}",
            said.text
        );
        for command in said.commands() {
            match command.split_once(' ').unwrap() {
                ("moves", rest) if rest.contains(' ') => open.push(command.clone()),
                ("move", rest) => {
                    reached.insert(rest.split_once(' ').unwrap().1.to_owned());
                }
                _ => {}
            }
        }
    }
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), {
        let mut legal = legal;
        legal.sort();
        legal
    });
}

#[tokio::test]
async fn old_buttons_are_refused_kindly_with_the_way_to_the_board() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let version = room.the_match(&code).version;
    let legal = room.legal(&code);
    let old = format!("move #{code}@{version} {}", legal[0]);
    room.says("ann", &old).await.answers("Played");
    let before = room.store.matters();
    let stale = room.says("ann", &old).await;
    stale.answers("earlier moment");
    room.says("ann", &stale.button("The board now"))
        .await
        .answers("Waiting for bea");
    room.says("ann", &format!("preview #{code}@{version} {}", legal[1]))
        .await
        .answers("earlier moment");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn whoever_acts_out_of_turn_is_told_whose_turn_it_is() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.legal(&code).remove(0);
    let before = room.store.matters();
    for line in [
        format!("move {action}"),
        "moves".to_owned(),
        format!("preview {action}"),
    ] {
        room.says("bea", &line)
            .await
            .answers("It isn't your turn: ann has to move first");
    }
    room.says("bea", &action)
        .await
        .answers("it isn't your turn; ann has to move first");
    room.says("cy", &format!("move #{code} {action}"))
        .await
        .answers("You don't play");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn with_several_matches_the_one_that_waits_for_me_is_meant_by_a_move_but_not_by_giving_up() {
    let room = Room::new();
    let waits = room.match_of("ann", "bea", "").await;
    let other = room.match_of("cy", "ann", "").await;
    let action = room.legal(&waits).remove(0);
    room.says("ann", "board").await.answers(&format!("#{waits}"));
    for line in ["resign", "abort", "draw", "undo", "pause"] {
        let said = room.says("ann", line).await;
        said.answers(&format!("#{waits}")).answers(&format!("#{other}"));
        said.answers("Add the code");
    }
    room.says("ann", &action).await.answers(&format!("#{waits}"));
    // Now neither waits for Ann; then both do.
    room.says("ann", "board").await.answers("Add the code");
    room.any_move(&waits).await;
    room.any_move(&other).await;
    let action = room.legal(&other).remove(0);
    room.says("ann", &action).await.answers("Add the code");
    room.says("ann", &format!("move {action}"))
        .await
        .answers("Add the code");
    room.says("ann", &format!("move #{other} {action}"))
        .await
        .answers("Played");
}

#[tokio::test]
async fn a_hand_is_asked_for_where_there_is_one() {
    let room = Room::new();
    // Ann is awaited in the open match alone, and holds a hand in the other, in which Bea is to move.
    let open = room.says("ann", "challenge @bea phwar order").await.code();
    room.says("bea", &format!("accept #{open}")).await;
    room.says("ann", "hand").await.answers("nobody has a hidden hand");
    let asked = "challenge @ann breaker variant=blind order";
    let hidden = room.says("bea", asked).await.code();
    room.says("ann", &format!("accept #{hidden}")).await;
    let title = format!("Breaker Blocks #{hidden}: your hand");
    room.says("ann", "hand").await.answers(&title);
    // Of two hands the one is meant that can be played from.
    let asked = "challenge @bea breaker variant=blind order";
    let second = room.says("ann", asked).await.code();
    room.says("bea", &format!("accept #{second}")).await;
    let title = format!("Breaker Blocks #{second}: your hand");
    room.says("ann", "hand").await.answers(&title);
}

#[tokio::test]
async fn the_match_of_the_room_is_meant_before_those_elsewhere() {
    let room = Room::new();
    let here = room.match_of("ann", "bea", "").await;
    let there = room
        .says_in("den", "cy", "challenge @ann phwar order")
        .await
        .code();
    room.says_in("den", "ann", "accept").await.answers("begins");
    room.says_in("den", "ann", "resign")
        .await
        .answers(&format!("#{there}"));
    room.says_in("parlour", "ann", "resign")
        .await
        .answers(&format!("#{here}"));
    room.whispers("ann", "resign").await.answers("Add the code");
}

#[tokio::test]
async fn cancel_means_my_open_table_and_decline_lets_me_get_up() {
    let room = Room::new();
    room.match_of("ann", "bea", "").await;
    let table = room.says("ann", "open phwar seats=3").await.code();
    room.says("cy", &format!("join {table}"))
        .await
        .answers("still missing");
    room.says("cy", "decline").await.answers("You decline");
    room.hears("cy gets up from Phwar").await;
    room.says("cy", "cancel").await.answers("no match");
    room.says("cy", &format!("cancel {table}"))
        .await
        .answers("Only whoever opened");
    room.says("ann", "cancel").await.answers("cancelled");
    room.hears("ann cancels").await;
    room.says("cy", &format!("join {table}"))
        .await
        .answers("called off");
    room.says("ann", "cancel").await.answers("no match");
}

#[tokio::test]
async fn a_move_typed_in_part_lists_what_can_follow() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let legal = room.legal(&code);
    let from = legal[0].split(['-', 'x']).next().unwrap().to_owned();
    let to: Vec<&String> = legal.iter().filter(|action| action.starts_with(&from)).collect();
    assert!(to.len() > 1, "{legal:?}");
    let before = room.store.matters();
    for line in [from.clone(), format!("move {from}")] {
        let said = room.says("ann", &line).await;
        for action in to.iter().take(5) {
            said.answers(action);
        }
        room.says("ann", &said.button("What can I do?")).await;
    }
    room.says("ann", "move what").await.answers("I can't read");
    room.says("ann", "moves Z9")
        .await
        .answers("Nothing you can do begins with");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn a_preview_shows_the_result_and_changes_nothing() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.legal(&code).remove(2);
    let before = room.store.everything();
    let said = room.whispers("ann", &format!("preview {action}")).await;
    said.answers("Not played yet: ann ");
    let mut after = room.store.everything();
    after.remove(&Space::People);
    let mut same = before;
    same.remove(&Space::People);
    assert_eq!(after, same);
    let picture = said.reply.message.picture.clone().expect("a picture");
    assert!(matches!(
        &picture.of,
        Subject::Match {
            what: Shown::Preview(_),
            ..
        }
    ));
    let drawn = room.parlor.draw(&picture).unwrap();
    // It can be drawn later too, though the match has gone on, and comes out the same.
    room.says("ann", &said.button("Play it")).await.answers("Played");
    room.any_move(&code).await;
    room.any_move(&code).await;
    assert_eq!(room.parlor.draw(&picture).unwrap().png, drawn.png);
}

#[tokio::test]
async fn whoever_wants_to_confirm_sees_a_move_before_it_is_played() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "settings confirm on").await.answers("on");
    let action = room.legal(&code).remove(0);
    for line in [
        action.clone(),
        format!("move {action}"),
        format!("move #{code} {action}"),
    ] {
        room.says("ann", &line).await.answers("Not played yet");
    }
    assert_eq!(room.play_of(&code).entries, 0);
    // Menus lead to previews too.
    let mut line = format!("moves #{code}");
    while line.starts_with("moves") {
        line = room.says("ann", &line).await.commands().remove(0);
    }
    let shown = room.says("ann", &line).await;
    shown.answers("Not played yet");
    room.says("ann", &shown.button("Play it")).await.answers("Played");
    // Bea has not asked for it.
    room.any_move(&code).await;
    assert_eq!(room.play_of(&code).entries, 2);
}

#[tokio::test]
async fn a_board_is_shown_from_the_side_that_its_player_likes() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let side = |said: &room::Said| said.reply.message.picture.as_ref().unwrap().side.number();
    assert_eq!(side(&room.says("bea", "board").await), 2);
    assert_eq!(side(&room.says("ann", "board").await), 1);
    assert_eq!(side(&room.says("cy", &format!("board #{code}")).await), 1);
    room.says("bea", "settings side first").await.answers("first");
    assert_eq!(side(&room.says("bea", "board").await), 1);
    room.says("bea", "settings theme dark").await;
    let said = room.says("bea", "board").await;
    let picture = said.reply.message.picture.clone().unwrap();
    assert_eq!(picture.theme.0.name(), "dark");
    room.parlor.draw(&picture).unwrap();
}

#[tokio::test]
async fn a_forged_picture_is_refused_without_a_panic() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let said = room.says("ann", "board").await;
    let mut picture = said.reply.message.picture.clone().unwrap();
    for (seat, what) in [
        (5, Shown::Preview("F2-F5".into())),
        (1, Shown::Preview("\u{0}".into())),
        (4, Shown::Hand),
        (3, Shown::Board),
    ] {
        picture.of = Subject::Match {
            code: code.clone(),
            entries: 9999,
            viewer: parlor::game::Seat::numbered(seat, 5),
            what,
        };
        let _ = room.parlor.draw(&picture);
    }
    picture.of = Subject::Match {
        code: "ZZZZ".parse().unwrap(),
        entries: 0,
        viewer: None,
        what: Shown::Board,
    };
    assert!(room.parlor.draw(&picture).is_err());
}

#[tokio::test]
async fn what_rooms_are_told_shows_nobodys_secrets_and_can_be_told_again_later() {
    for entry in GAMES {
        let room = Room::new();
        let seats = *entry.meta.seats.start();
        let others: String = ["@bea ", "@cy ", "@dee ", "@eve "][..usize::from(seats) - 1].concat();
        let line = format!("challenge {others}{} order", entry.meta.id);
        let code = room.says("ann", &line).await.code();
        for who in ["bea", "cy", "dee", "eve"].iter().take(usize::from(seats) - 1) {
            room.says(who, &format!("accept #{code}")).await;
        }
        let mut rng = GameRng::quick(11);
        let mut told = Vec::new();
        for _ in 0..25 {
            if !room.is_running(&code) {
                break;
            }
            let hidden = entry.meta.information == Information::Hidden;
            let mover = room.awaited(&code);
            let said = room.says(&mover, &format!("moves #{code}")).await;
            assert_eq!(said.reply.secret, hidden, "what {mover} can do");
            let said = room.says(&mover, &format!("move #{code} nonsense")).await;
            assert_eq!(said.reply.secret, hidden, "{}", said.text);
            let said = room.says(&mover, &format!("text #{code}")).await;
            assert_eq!(said.reply.secret, hidden);
            let legal = room.legal(&code);
            let action = &legal[rng.below(legal.len())];
            room.says(&mover, &format!("move #{code} {action}")).await;
            for heard in room.heard_at("parlour").await {
                let picture = heard.message.picture.as_ref();
                if let Some(Subject::Match { viewer, .. }) = picture.map(|picture| &picture.of) {
                    assert_eq!(*viewer, None, "a room sees what everybody may see");
                }
                told.push(heard);
            }
            for who in ["ann", "bea", "cy", "dee", "eve"] {
                for heard in room.heard_at(who).await {
                    let seats = room.play_of(&code).seats_of(&player(who));
                    let picture = heard.message.picture.as_ref();
                    if let Some(Subject::Match {
                        viewer: Some(seat), ..
                    }) = picture.map(|picture| &picture.of)
                    {
                        assert!(seats.contains(*seat), "nobody sees another's hand");
                    }
                    told.push(heard);
                }
            }
        }
        // Told again after all that: word for word the same, pictures and all.
        for heard in told {
            assert_eq!(room.parlor.render(&heard.delivery), heard.message);
        }
    }
}

fn request(who: &str, name: &str, line: &str) -> Request {
    Request {
        who: player(who),
        name: name.to_owned(),
        room: Some(room::room("parlour")),
        event: None,
        input: Input::Line(line.to_owned()),
    }
}

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
                if let Piece::Bold(text) | Piece::Code(text) | Piece::Say(text) = piece {
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
                if let Piece::Bold(bold) = piece {
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
async fn near_misses_are_answered_with_the_nearest_command() {
    let room = Room::new();
    for (slip, meant) in [
        ("chalenge @bea phwar", "challenge"),
        ("resing", "resign"),
        ("mvoe F2-F5", "move"),
        ("gmaes", "games"),
        ("hlep", "help"),
        ("setings", "settings"),
    ] {
        let said = room.says("ann", slip).await;
        said.answers("Did you mean").answers(meant);
    }
    let said = room.says("ann", "gmaes").await;
    room.says("ann", &said.button("Yes, games"))
        .await
        .answers("Phwar");
    room.says("ann", "rules phwarr").await.answers("did you mean");
    room.says("ann", "open phwar center=on")
        .await
        .answers("did you mean centre");
    room.says("ann", "help chalenge").await.answers("help challenge");
    room.says("ann", "").await.answers("help");
    room.says("ann", "/").await.answers("help");
    // Also in the middle of a match, where anything could be a move.
    room.match_of("ann", "bea", "").await;
    room.says("ann", "resing")
        .await
        .answers("Did you mean")
        .answers("resign");
    room.says("ann", "hullo").await.answers("I can't read");
}

#[tokio::test]
async fn help_covers_every_command() {
    let room = Room::new();
    let overview = room.says("ann", "help").await;
    let named: Vec<&str> = (overview.reply.message.text.0.iter())
        .filter_map(|piece| match piece {
            Piece::Code(code) | Piece::Say(code) => Some(code.as_str()),
            _ => None,
        })
        .collect();
    for spec in COMMANDS {
        assert!(
            named.contains(&spec.name) || spec.verb == Verb::Help,
            "{}",
            spec.name
        );
        for name in spec.aliases.iter().chain([&spec.name]) {
            let said = room.says("ann", &format!("help {name}")).await;
            said.answers(&spec.example())
                .answers(spec.help.trim_end_matches('.'));
        }
        assert!(command::read(&spec.example()).is_ok(), "{}", spec.example());
    }
}

#[tokio::test]
async fn the_rules_of_every_game_fit_a_message_with_a_picture() {
    let room = Room::new();
    for entry in GAMES {
        for name in [entry.meta.id, entry.meta.name] {
            let said = room.says("ann", &format!("rules {name}")).await;
            assert!(said.reply.message.picture.is_some());
            let sections = entry.rules().sections;
            assert_eq!(said.reply.message.menu.len(), sections.len());
            for (button, section) in said.commands().iter().zip(sections) {
                room.says("ann", button).await.answers(section.title);
            }
            room.parlor
                .draw(said.reply.message.picture.as_ref().unwrap())
                .unwrap();
        }
        room.says("ann", &format!("rules {} xyzzy", entry.meta.id))
            .await
            .answers("no such section");
        room.says("ann", "games").await.answers(entry.meta.name);
    }
}

#[tokio::test]
async fn settings_are_listed_changed_and_explained() {
    let room = Room::new();
    let said = room.says("ann", "settings").await;
    for name in parlor::chat::grammar::SETTINGS {
        said.answers(name);
        room.says("ann", &format!("settings {name}"))
            .await
            .answers("takes");
        room.says("ann", &format!("settings {name} nonsense"))
            .await
            .answers("takes");
    }
    for (line, answer) in [
        ("settings ping off", "off"),
        ("settings reminders no", "off"),
        ("settings quiet 22-7 +5:30", "UTC+5:30"),
        ("settings quiet off", "No quiet hours"),
        ("settings theme DARK", "dark"),
        ("settings side first", "first"),
        ("settings confirm yes", "on"),
    ] {
        room.says("ann", line).await.answers(answer);
    }
    // Pings stay away from whoever does not want them.
    let code = room.match_of("ann", "bea", "").await;
    let told = room.says("ann", &format!("board #{code}")).await;
    assert!(told.reply.message.ping.is_empty());
    room.says("ann", "settings confirm off").await;
    room.any_move(&code).await;
    assert_eq!(room.hears("is to move").await.message.ping, [player("bea")]);
    room.any_move(&code).await;
    assert_eq!(room.hears("is to move").await.message.ping, []);
}

#[tokio::test]
async fn suggestions_offer_commands_games_options_codes_and_ones_own_moves() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let legal = room.legal(&code);
    let suggest = |who: &str, line: &str| -> Vec<String> {
        let all = room
            .parlor
            .suggest(&player(who), Some(&room::room("parlour")), line);
        assert!(
            all.len() <= 25 || line.trim_start_matches('/').is_empty(),
            "{line}: {}",
            all.len()
        );
        let mut labels: Vec<String> = all.iter().map(|suggestion| suggestion.label.clone()).collect();
        let count = labels.len();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), count, "`{line}` offers something twice");
        all.into_iter().map(|suggestion| suggestion.line).collect()
    };
    assert_eq!(suggest("ann", "chal"), ["challenge "]);
    assert_eq!(suggest("ann", "/gam"), ["games"]);
    assert_eq!(suggest("ann", "").len(), COMMANDS.len());
    assert_eq!(suggest("ann", "rules ph"), ["rules phwar", "rules phase"]);
    assert_eq!(suggest("ann", "rules gl"), ["rules glyphgrid"]);
    assert_eq!(suggest("ann", "open phwar centre=of"), ["open phwar centre=off"]);
    assert!(suggest("ann", "challenge @bea phwar ").contains(&"challenge @bea phwar daily".to_owned()));
    assert_eq!(suggest("ann", "settings th"), ["settings theme"]);
    assert!(suggest("ann", "help re").contains(&"help resign".to_owned()));
    assert_eq!(suggest("ann", "resign #"), [format!("resign #{code}")]);
    assert_eq!(suggest("ann", "move #"), [format!("move #{code} ")]);
    assert_eq!(suggest("cy", "resign #"), [""; 0]);
    let moves = suggest("ann", "move ");
    assert!(!moves.is_empty());
    for line in moves {
        assert!(legal.contains(&line["move ".len()..].to_owned()), "{line}");
    }
    let first = legal[0].to_lowercase();
    assert_eq!(suggest("ann", &first), [legal[0].clone()]);
    assert_eq!(
        suggest("ann", &format!("move #{code} {first}")),
        [format!("move #{code} {}", legal[0])]
    );
    // Not for those who are not to move, nor for those who only watch.
    for who in ["bea", "cy"] {
        assert_eq!(suggest(who, "move "), [""; 0]);
        assert_eq!(suggest(who, &format!("move #{code} ")), [""; 0]);
        assert_eq!(suggest(who, &first), [""; 0]);
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

#[tokio::test]
async fn fields_are_carried_out_like_typed_commands() {
    let room = Room::new();
    let fields = [
        ("players", "@bea"),
        ("game", "phwar"),
        ("clock", "live 3m"),
        ("seating", "order"),
    ];
    let mut asked = request("ann", "ann", "");
    asked.input = Input::Command(command::from_fields("challenge", fields));
    let code = room.ask(&asked, "challenge").await.answers("is set").code();
    let target = code.to_string();
    let mut asked = request("bea", "bea", "");
    asked.input = Input::Command(command::from_fields("accept", [("match", target.as_str())]));
    room.ask(&asked, "accept").await.answers("begins");
    assert_eq!(room.the_match(&code).clock.to_string(), "live 3m");
    assert_eq!(
        room.play_of(&code).players.iter().map(short).collect::<Vec<_>>(),
        ["ann", "bea"]
    );
    let mut asked = request("ann", "ann", "");
    asked.input = Input::Command(command::from_fields(
        "settings",
        [("setting", "x`y"), ("value", "on")],
    ));
    room.ask(&asked, "settings").await.answers("there is no");
}

/// How long a command takes to be answered, without the disk. Says so; fails only if it is hopeless.
#[tokio::test]
async fn a_move_is_answered_fast() {
    let room = Room::new();
    let mut took = Vec::new();
    let mut rng = GameRng::quick(77);
    let mut code = room.match_of("ann", "bea", "").await;
    for number in 0..19 {
        room.says("ann", &format!("challenge @p{number} phwar")).await;
    }
    while took.len() < 1000 {
        if !room.is_running(&code) {
            code = room.match_of("ann", "bea", "").await;
        }
        let legal = room.legal(&code);
        let who = room.awaited(&code);
        let line = format!("move {}", legal[rng.below(legal.len())]);
        let asked = request(&who, &who, &line);
        let start = std::time::Instant::now();
        let reply = room.parlor.handle(&asked).await;
        took.push(start.elapsed());
        assert!(reply.message.text.plain(short).contains("Played"));
        room.deliver().await;
    }
    took.sort_unstable();
    println!(
        "a move is answered in {:?} at the median, {:?} at the 99th percentile",
        took[500], took[990]
    );
    assert!(
        took[500] < std::time::Duration::from_millis(50),
        "{:?}",
        took[500]
    );
}
