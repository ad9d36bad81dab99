//! Finding one's way: help, rules, near misses, suggestions, fields and settings.

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
async fn the_rules_of_every_game_fit_a_message_with_a_picture() {
    let room = Room::new();
    for entry in games() {
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
    let code = room.ask(&asked, "challenge").await.answers("is set").code();
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
    room.ask(&asked, "settings").await.answers("there is no");
}

#[tokio::test]
async fn settings_are_listed_changed_and_explained() {
    let room = Room::new();
    let said = room.says("ann", "settings").await;
    for name in command::Setting::WORDS {
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
