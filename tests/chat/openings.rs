//! What every message of a match has: few words at its beginning, and the way to the rules throughout.

use parlor::catalog::{self, games};
use parlor::chat::message::Message;
use parlor::matches::time::Span;

use crate::room::{Room, player};

#[tokio::test]
async fn a_match_begins_with_few_words() {
    let with_hands = ["breaker variant=blind", "breaker variant=blind-scarce", "phase"];
    let open = games().map(|entry| entry.meta.id).filter(|id| *id != "phase");
    for game in open.chain(with_hands) {
        let room = Room::new();
        let line = format!("challenge @bea {game} order");
        let code = room.says("ann", &line).await.code();
        room.says("bea", "yes").await;
        let begins = room.hears("begins").await;
        let text = &begins.text;
        assert!(
            !text.contains("A move looks like") && !text.contains("moves` shows"),
            "{text}"
        );
        let entry = catalog::find(game.split(' ').next().unwrap()).unwrap();
        let hides = with_hands.contains(&game);
        assert_eq!(
            !entry.welcome.is_empty() && text.contains(entry.welcome),
            hides,
            "{game}: {text}"
        );
        // One sentence.
        assert!(
            !entry.welcome.contains(". ") && (entry.welcome.is_empty() || entry.welcome.ends_with('.')),
            "{game}"
        );
        // Who and what, the clock, perhaps that sentence, the call; and the seal where there is chance.
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("Sealed")).collect();
        assert!(lines.len() <= 4 + usize::from(hides), "{game} #{code}: {text}");
        assert!(leads_to_rules(&begins.message), "{game}");
    }
}

fn leads_to_rules(message: &Message) -> bool {
    let mut buttons = message.buttons.iter();
    buttons.any(|button| button.label == "Rules" && button.command.starts_with("rules "))
}

#[tokio::test]
async fn every_message_of_a_match_leads_to_the_rules() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phase order").await;
    let check = async |part: &str| {
        let heard = room.hears(part).await;
        assert!(leads_to_rules(&heard.message), "{}", heard.text);
    };
    let hand = room.says("ann", &format!("hand #{code}")).await;
    assert!(leads_to_rules(&hand.reply.message), "{}", hand.text);
    let board = room.says("ann", &format!("board #{code}")).await;
    assert!(board.reply.message.buttons.len() <= 5);
    for private in room.heard_at("ann").await {
        assert!(leads_to_rules(&private.message), "{}", private.text);
    }
    room.says("ann", &format!("draw #{code}")).await;
    check("offers").await;
    room.says("bea", &format!("decline #{code}")).await;
    check("says no").await;
    let who = room.awaited(&code);
    room.says(&who, &format!("resign #{code} sure")).await;
    check("is over").await;
}

#[tokio::test]
async fn a_reminder_leads_to_the_rules() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    for _ in 0..100 {
        room.later(Span::hours(1)).await;
        if !room.is_running(&code) {
            break;
        }
        for heard in room.heard_at("ann").await {
            if heard.text.contains("left for your move") {
                assert!(leads_to_rules(&heard.message), "{}", heard.text);
                return;
            }
        }
    }
    panic!("{} was never reminded", player("ann"));
}

#[tokio::test]
async fn what_tells_of_a_match_is_suggested_while_it_runs_and_after() {
    use parlor::chat::fields::FormField;
    let room = Room::new();
    let running = room.begin("ann", "bea", "phwar order").await;
    let over = room.begin("ann", "bea", "fabric order").await;
    room.says("ann", &format!("resign #{over} sure")).await;
    let open = room.says("ann", "open glyphgrid").await.code();
    for command in ["details", "record", "replay", "rematch"] {
        let field = FormField {
            command,
            name: "match",
            typed: "",
            others: Vec::new(),
            about: None,
        };
        let found = room
            .parlor
            .choices(&player("ann"), Some(&crate::room::room("parlour")), &field);
        let values: Vec<String> = found.into_iter().map(|choice| choice.value).collect();
        let wanted = if command == "rematch" {
            vec![format!("#{over}")]
        } else {
            vec![format!("#{running}"), format!("#{over}")]
        };
        assert_eq!(values, wanted, "{command}; {open} waits");
    }
}

#[tokio::test]
async fn settings_say_what_they_do_not_reach() {
    let room = Room::new();
    room.says("ann", "settings theme dark")
        .await
        .answers("their room's theme");
    for side in ["own", "first"] {
        room.says("ann", &format!("settings side {side}"))
            .await
            .answers("as their room has it");
    }
}
