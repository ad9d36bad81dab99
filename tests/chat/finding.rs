//! Finding one's way: help, rules, near misses, suggestions, fields and settings.

use std::collections::BTreeSet;

use parlor::catalog::games;
use parlor::chat::command::{self, FieldValue};
use parlor::chat::grammar::{COMMANDS, Verb};
use parlor::chat::message::Inline;
use parlor::chat::parlor::Input;

use crate::request;
use crate::room::{self, Phonebook, Room, player, short};

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
    room.says("ann", "rules phwarr")
        .await
        .answers("Did you mean Phwar?");
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
            Inline::Code(code) | Inline::Say(code) => Some(code.as_str()),
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
        assert!(
            command::read(&spec.example(), &Phonebook("local")).is_ok(),
            "{}",
            spec.example()
        );
    }
}

#[tokio::test]
async fn the_rules_of_every_game_can_be_paged_through_with_their_pictures() {
    let room = Room::new();
    for entry in games() {
        for name in [entry.meta.id, entry.meta.name] {
            let said = room.says("ann", &format!("rules {name}")).await;
            assert!(said.reply.message.picture.is_some());
        }
        let sections = entry.rules().sections;
        let mut said = room.says("ann", &format!("rules {}", entry.meta.id)).await;
        for (index, section) in sections.iter().enumerate() {
            let message = &said.reply.message;
            let titles: Vec<&str> = message.menu.iter().map(|entry| entry.label.as_str()).collect();
            assert_eq!(titles.len() + 1, sections.len());
            assert!(!titles.contains(&section.title), "{titles:?}");
            if index > 0 {
                said.answers(&format!("{}: {}", entry.meta.name, section.title));
                let back = said.button(&format!("Back: {}", sections[index - 1].title));
                room.says("ann", &back)
                    .await
                    .answers(first_line(sections[index - 1].body));
            }
            if let Some(figure) = section.figure {
                let picture = message.picture.as_ref().expect(section.title);
                assert!(picture.alt.starts_with(figure.caption), "{}", picture.alt);
                said.answers(&figure.caption.replace("**", ""));
                room.parlor.draw(picture).unwrap();
            }
            let Some(next) = sections.get(index + 1) else {
                break;
            };
            let next = said.button(&format!("Next: {}", next.title));
            said = room.says("ann", &next).await;
        }
        room.says("ann", &format!("rules {} xyzzy", entry.meta.id))
            .await
            .answers("don't mention");
        room.says("ann", "games").await.answers(entry.meta.name);
    }
}

/// The first words of a section, as far as they bear no mark.
fn first_line(body: &str) -> &str {
    let line = body.lines().next().unwrap_or_default();
    line.split(['*', '`'])
        .find(|part| !part.is_empty())
        .unwrap_or_default()
}

#[tokio::test]
async fn every_word_that_the_rules_explain_is_answered() {
    let room = Room::new();
    for entry in games() {
        let code = room
            .says("ann", &format!("practice {}", entry.meta.id))
            .await
            .code();
        for term in entry.rules().terms() {
            for name in term.names {
                let said = room.says("ann", &format!("what is a {name}?")).await;
                said.answers(&format!("({})", entry.meta.name));
                assert!(!said.commands().is_empty(), "{name} leads nowhere");
                room.says("ann", &format!("rules {name}"))
                    .await
                    .answers(entry.meta.name);
            }
        }
        // Without a word, those of the game are offered.
        let all = room.says("ann", "what").await;
        all.answers(entry.meta.name);
        room.says("ann", &all.commands()[0])
            .await
            .answers(entry.meta.name);
        room.says("ann", &format!("abort #{code}")).await;
    }
    // Where no match is at hand, a word may belong to several games.
    let said = room.says("bea", "what anchor").await;
    said.answers("(Phase-Fabric)").answers("(GlyphGrid)");
    room.says("bea", "explain undo").await.answers("Ask to undo");
    room.says("bea", "rules phwra")
        .await
        .answers("Did you mean Phwar?");
}

#[tokio::test]
async fn the_rules_of_a_match_open_where_they_help() {
    let room = Room::new();
    let code = room.says("ann", "practice breaker").await.code();
    room.says("ann", &format!("rules #{code}"))
        .await
        .answers("by Jake Vander Ende");
    for line in ["draw automate; draw 3", "draw 3; draw 3", "add automate II"] {
        room.says("ann", line).await;
    }
    let heard = room.hears("AUTOMATE").await;
    assert!(heard.message.buttons.len() <= 5, "{:?}", heard.message.buttons);
    let said = room.says("ann", &heard.button("Rules")).await;
    said.answers("Breaker Blocks: Commands");
    // Once it is over, the rules are those of the last match.
    room.says("ann", &format!("abort #{code}")).await;
    room.says("ann", "rules").await.answers("by Jake Vander Ende");
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
    assert_eq!(
        suggest("ann", "challenge @bea glyphgrid liv"),
        [
            "challenge @bea glyphgrid live 5m",
            "challenge @bea glyphgrid live"
        ]
    );
    assert_eq!(
        suggest("ann", "challenge @bea phwar liv"),
        ["challenge @bea phwar live"]
    );
    assert_eq!(suggest("ann", "settings the"), ["settings theme"]);
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

/// Some games have words of ours in their notation.
#[tokio::test]
async fn moves_that_begin_like_a_command_are_suggested_too() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "breaker order").await;
    let legal = room.legal(&code);
    let suggest = |who: &str, line: &str| -> Vec<String> {
        let place = room::room("parlour");
        let all = room.parlor.suggest(&player(who), Some(&place), line);
        all.into_iter().map(|suggestion| suggestion.line).collect()
    };
    let draws = |begins: &str| -> BTreeSet<&str> {
        let draws = legal.iter().filter(|action| action.starts_with(begins));
        draws.map(String::as_str).collect()
    };
    assert_eq!(draws("draw 2"), ["draw 2F", "draw 2L", "draw 2R"].into());
    for line in ["draw 2", "/draw 2", "Draw 2"] {
        let found = suggest("ann", line);
        assert_eq!(
            found.iter().map(String::as_str).collect::<BTreeSet<_>>(),
            draws("draw 2"),
            "{line}"
        );
    }
    // A word alone may be either: what is nearest to hand comes first.
    for line in ["dr", "draw"] {
        let found = suggest("ann", line);
        let (command, moves) = found.split_last().unwrap();
        assert_eq!(command, "draw ", "{line}");
        assert_eq!(
            moves.iter().map(String::as_str).collect::<BTreeSet<_>>(),
            draws("draw"),
            "{line}"
        );
    }
    // A command that is on its way is left alone.
    assert_eq!(suggest("ann", "draw #"), [format!("draw #{code}")]);
    assert_eq!(suggest("ann", "resig"), ["resign "]);
    assert!(
        suggest("ann", "challenge @bea ")
            .iter()
            .all(|line| line.starts_with("challenge "))
    );
    // Only whoever is to move is offered moves.
    assert_eq!(suggest("bea", "draw 2"), [""; 0]);
    assert_eq!(suggest("bea", "draw"), ["draw "]);

    // By any word of a move, behind the commands that fit as well.
    let room = Room::new();
    let code = room.begin("ann", "bea", "fabric order").await;
    let place = room::room("parlour");
    let legal = room.legal(&code);
    let found = room.parlor.suggest(&player("ann"), Some(&place), "re");
    let is_move = |line: &String| legal.contains(line);
    let lines: Vec<String> = found.iter().map(|found| found.line.clone()).collect();
    let (moves, commands): (Vec<_>, Vec<_>) = lines.iter().partition(|line| is_move(line));
    assert!(commands.contains(&&"resign ".to_owned()), "{commands:?}");
    assert!(!moves.is_empty() && lines.len() == 25, "{lines:?}");
    assert!(!is_move(&lines[0]) && is_move(&lines[24]), "{lines:?}");
    for found in found.iter().filter(|found| is_move(&found.line)) {
        assert!(found.label.contains("Relay"), "{}", found.label);
    }
}

/// A form with these fields filled in.
fn form(name: &str, fields: &[(&str, &str)]) -> Input {
    let fields = fields
        .iter()
        .map(|(name, value)| (*name, FieldValue::from(*value)));
    Input::form(name, fields, &Phonebook("local"))
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
    asked.input = form("challenge", &fields);
    let code = room.ask(&asked, "challenge").await.answers("You're in").code();
    let target = code.to_string();
    let mut asked = request("bea", "bea", "");
    asked.input = form("accept", &[("match", target.as_str())]);
    room.ask(&asked, "accept").await.answers("begins");
    assert_eq!(room.the_match(&code).clock.to_string(), "live 3m");
    assert_eq!(
        room.play_of(&code).players.iter().map(short).collect::<Vec<_>>(),
        ["ann", "bea"]
    );
    let mut asked = request("ann", "ann", "");
    asked.input = form("settings", &[("setting", "x`y"), ("value", "on")]);
    room.ask(&asked, "settings").await.answers("There's no");
}

#[tokio::test]
async fn settings_are_listed_changed_and_explained() {
    let room = Room::new();
    let said = room.says("ann", "settings").await;
    for name in command::Setting::NAMES {
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
    assert_eq!(room.hears(", your move").await.message.ping, [player("bea")]);
    room.any_move(&code).await;
    assert_eq!(room.hears(", your move").await.message.ping, []);
}

#[tokio::test]
async fn a_move_that_is_shown_is_one_of_the_game_that_is_played() {
    for entry in games() {
        let room = Room::new();
        let code = room
            .says("ann", &format!("practice {}", entry.meta.id))
            .await
            .code();
        let example = format!("move {}", entry.meta.example);
        room.says("ann", "help").await.answers(&example);
        room.says("ann", "help move").await.answers(&example);
        room.says("ann", "preview").await.answers(entry.meta.example);
        room.says("ann", &format!("abort #{code}")).await;
    }
}
