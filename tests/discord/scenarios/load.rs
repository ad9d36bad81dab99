//! Many at once: answers come in time, nobody waits for somebody else's hand, and Discord's limits are kept.

use std::time::Duration;

use serde_json::json;

use super::{Dice, board_after, code_in, match_in, match_of, move_somehow, offers};
use crate::driver::people::Asked;
use crate::driver::{Place, Town, User};
use crate::standin::faults::Trouble;
use crate::standin::model::{FIRST_ANSWER, Message};
use crate::standin::rest::Call;

const INTERACTIONS: usize = 1000;
/// The time between two of them, on the stand-in's clock and on everybody's.
const PACE: Duration = Duration::from_millis(10);

#[test]
fn a_thousand_interactions_in_ten_seconds_get_their_first_answers_in_time() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let crowd: Vec<User> = (0..50)
        .map(|number| town.user(&format!("Guest{number}")))
        .collect();
    let mut asked: Vec<Asked> = Vec::new();
    for number in 0..INTERACTIONS {
        let user = &crowd[number % crowd.len()];
        // Pictures, texts, disk writes, suggestions' kin: something of everything.
        asked.push(match number % 8 {
            0 => user.press(&board, "My side"),
            1 => user.slash("rules", &json!({ "game": "glyphgrid" })),
            2 => user.slash("settings", &json!({ "setting": "theme", "value": "dark" })),
            3 => user.slash("text", &json!({})),
            4 => user.slash("matches", &json!({})),
            5 => user.slash("help", &json!({})),
            6 => user.slash("games", &json!({})),
            _ => user.press(&board, "Move"),
        });
        // Time goes on as the interactions come: a machine that is slow to send them is slow to count it, too.
        std::thread::sleep(PACE);
        town.shared().with(|model| model.clock.advance(PACE));
    }
    let slowest = asked.iter().map(Asked::first).max().unwrap_or_default();
    eprintln!("{INTERACTIONS} interactions, the slowest first answer after {slowest:?}");
    assert!(slowest <= FIRST_ANSWER);
    for asked in &asked {
        let text = asked.words();
        assert!(!text.contains("Something went wrong"), "{text}");
    }
}

/// Many tables with hidden hands, each in a channel of its own; after `ready`, all of them begin at once. Their hosts.
fn crowd_of_hands(town: &Town, tables: usize, ready: impl FnOnce()) -> Vec<(User, Place, String)> {
    let mut asked = Vec::new();
    for number in 0..tables {
        let place = town.channel(&format!("hall{number}"));
        let [host, guest] = ["Host", "Guest"].map(|name| town.user(&format!("{name}{number}")).at(&place));
        let options = json!({
            "game": "breaker", "seating": "order", "player": guest.id_text(), "options": "variant=blind",
        });
        asked.push((host.slash("challenge", &options), host, guest, place));
    }
    let mut invited = Vec::new();
    for (asked, host, guest, place) in asked {
        let code = code_in(&asked.words());
        let invitation = place.wait_for("an invitation", |message| offers(message, "Accept"));
        invited.push((invitation, guest, host, place, code));
    }
    ready();
    let mut begun = Vec::new();
    for (invitation, guest, host, place, code) in invited {
        begun.push((guest.press(&invitation, "Accept"), host, place, code));
        std::thread::sleep(PACE);
    }
    begun
        .into_iter()
        .map(|(accepted, host, place, code)| {
            assert!(accepted.words().contains(&code));
            (host, place, code)
        })
        .collect()
}

fn is_hand(message: &Message) -> bool {
    message.text().contains("your hand") && message.attachments.len() == 1
}

/// How many users have got their hand by private message.
fn hands(town: &Town) -> usize {
    town.shared().with(|model| {
        let private = |message: &&Message| {
            let channel = model.channels.get(&message.channel);
            channel.is_some_and(|channel| channel.recipient.is_some())
        };
        let messages = model.messages.values().filter(private);
        messages.filter(|message| is_hand(message)).count()
    })
}

/// How many requests Discord counted together so far: all but answers to interactions.
fn requests(town: &Town) -> usize {
    let counted = |line: &&String| {
        let route = line.split(' ').nth(1).unwrap_or_default();
        let asked = ["GET", "POST", "PATCH", "PUT", "DELETE"]
            .iter()
            .any(|method| line.starts_with(method));
        asked && !route.starts_with("/interactions") && !route.starts_with("/webhooks")
    };
    town.shared()
        .with(|model| model.journal.iter().filter(counted).count())
}

#[test]
fn a_crowd_that_waits_for_its_hands_holds_up_no_board() {
    const TABLES: usize = 200;
    /// What Discord takes in a second.
    const SECOND: usize = 50;
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    // From then on time goes by and counts.
    let tables = crowd_of_hands(&town, TABLES, || {
        town.shared().with(|model| {
            model.rates.limit_all(50);
            model.rates.limit_talks(10, Duration::from_secs(10));
            model.clock.run();
        });
    });
    let asked = requests(&town);
    move_somehow(&ann, &code, &mut Dice::new(31));
    board_after(&town.square, board.id, &code);
    // However many wait before it, the board is among those of the next second.
    let between = requests(&town) - asked;
    assert!(between < SECOND, "{between} requests went before the board");
    let before = hands(&town);
    assert!(before < TABLES, "{before} hands went before the board");
    // Whoever asks for their hand has it.
    let (host, place, table) = tables.last().unwrap();
    let own = host.at(place).slash("hand", &json!({ "match": table })).answer();
    assert_eq!(own.only_for, Some(host.id));
    assert!(is_hand(&own), "{}", own.text());
    // And the hands come one after the other, without a request that Discord would not have taken.
    while hands(&town) < 20 {
        std::thread::sleep(PACE);
    }
    let (refused, unheeded, busiest) = town.shared().with(|model| {
        let rates = &model.rates;
        (rates.refused, rates.unheeded, rates.busiest)
    });
    assert_eq!((refused, unheeded), (0, 0), "at most {busiest} in a second");
}

#[test]
fn everything_together_stays_below_fifty_requests_a_second() {
    const TABLES: usize = 220;
    let town = Town::awake();
    town.shared().with(|model| {
        model.rates.limit_all(50);
        model.clock.run();
    });
    let before = requests(&town);
    let mut tables = Vec::new();
    for number in 0..TABLES {
        let place = town.channel(&format!("hall{number}"));
        let host = town.user(&format!("Host{number}")).at(&place);
        let asked = host.slash("open", &json!({ "game": "phwar" }));
        tables.push((place, asked));
    }
    for (place, asked) in &tables {
        let code = code_in(&asked.words());
        place.wait_for("the table", |message| message.everything().contains(&code));
    }
    let counted = requests(&town) - before;
    assert!(counted >= TABLES, "only {counted} requests");
    let (refused, busiest) = town
        .shared()
        .with(|model| (model.rates.refused, model.rates.busiest));
    assert_eq!(refused, 0, "{busiest} in a second");
    assert!(busiest < 50, "{busiest} in a second");
}

#[test]
fn answers_wait_for_nobody_and_a_busy_channel_does_not_hold_up_the_quiet_ones() {
    /// More than may be under way at once.
    const HALLS: usize = 100;
    const TABLES: usize = 30;
    let town = Town::awake();
    let crowded = town.channel("crowded");
    let halls: Vec<Place> = (0..HALLS)
        .map(|number| town.channel(&format!("hall{number}")))
        .collect();
    let posts = |call: &Call| call.method == "POST" && call.path().first() == Some(&"channels");
    let gate = town.hold(usize::MAX, Trouble::HoldBefore, posts);
    // Many tables are opened in one channel, and after them one in each of many others. Nothing is shown yet.
    let places = std::iter::repeat_n(&crowded, TABLES).chain(&halls);
    let asked: Vec<Asked> = (0..)
        .zip(places)
        .map(|(number, place)| {
            let host = town.user(&format!("Host{number}")).at(place);
            host.slash("open", &json!({ "game": "phwar" }))
        })
        .collect();
    // All are answered, although so much waits that nothing else is asked of Discord.
    for asked in &asked {
        code_in(&asked.words());
    }
    assert_eq!(
        town.shared()
            .with(|model| model.messages.values().filter(is_table).count()),
        0
    );
    town.shared().with(|model| model.faults.clear());
    gate.open();
    let shown = town.shared().wait("all tables", |model| {
        let tables: Vec<Message> = model.messages.values().filter(is_table).cloned().collect();
        (tables.len() == TABLES + HALLS).then_some(tables)
    });
    // In the order in which they were posted, the channels take turns.
    let last = shown
        .iter()
        .rposition(|table| table.channel != crowded.id)
        .unwrap();
    let before = shown[..last]
        .iter()
        .filter(|table| table.channel == crowded.id)
        .count();
    assert!(
        before < 5,
        "{before} tables of one channel went before the last of the others"
    );
}

#[test]
fn a_move_in_a_thread_waits_for_nothing_that_is_told_in_the_channel() {
    const TABLES: usize = 30;
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "breaker", json!({}));
    let thread = town.square.wait_for_thread();
    let mut invited = Vec::new();
    for number in 0..TABLES {
        let [host, guest] = ["Host", "Guest"].map(|name| town.user(&format!("{name}{number}")));
        let options = json!({ "game": "breaker", "seating": "order", "player": guest.id_text() });
        let table = code_in(&host.slash("challenge", &options).words());
        let invitation = town.square.wait_for("an invitation", |message| {
            offers(message, "Accept") && message.everything().contains(&table)
        });
        invited.push((guest, invitation));
    }
    // From now on the channel takes a message a second.
    town.shared().with(|model| {
        model.rates.limit_as_discord_does();
        model.clock.run();
    });
    for (guest, invitation) in &invited {
        guest.press(invitation, "Accept").words();
    }
    move_somehow(&ann.at(&thread), &code, &mut Dice::new(32));
    board_after(&thread, 0, &code);
    let begun = town.square.messages().into_iter();
    let begun = begun.filter(|message| message.text().contains("begins")).count();
    assert!(begun < TABLES, "{begun} matches were told of before the move");
    // The limits came while it was at work; of that it is told by one refusal.
    let refused = town.shared().with(|model| model.rates.refused);
    assert!(refused <= 1, "{refused} requests that Discord did not take");
}

/// Whether it is a table that was posted for everybody.
fn is_table(message: &&Message) -> bool {
    message.interaction.is_none() && offers(message, "Join")
}

#[test]
fn after_a_word_that_all_is_too_much_nothing_is_asked_until_its_time_is_over() {
    let town = Town::awake();
    let halls: Vec<Place> = (0..12)
        .map(|number| town.channel(&format!("hall{number}")))
        .collect();
    town.shared().with(|model| {
        // Less than Discord takes, so that it is too much.
        model.rates.limit_all(4);
        model.clock.run();
    });
    let asked = halls.iter().enumerate().map(|(number, hall)| {
        let host = town.user(&format!("Host{number}")).at(hall);
        (hall, host.slash("open", &json!({ "game": "phwar" })))
    });
    let asked: Vec<(&Place, Asked)> = asked.collect();
    for (hall, asked) in &asked {
        let code = code_in(&asked.words());
        hall.wait_for("the table", |message| message.everything().contains(&code));
    }
    let (refused, unheeded) = town
        .shared()
        .with(|model| (model.rates.refused, model.rates.unheeded));
    assert!(refused > 0, "it was never too much");
    assert_eq!(unheeded, 0);
    // This many were on their way; a real Discord would have taken them.
    town.shared().with(|model| model.invalid_requests = 0);
}

#[test]
fn a_private_talk_is_opened_once_whatever_happens_to_the_bot() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    // A bot that is killed before it has noted a thread asks for it again.
    town.expect_refusals(&[160_004]);
    let opened = |town: &Town| {
        town.shared().with(|model| {
            let opens = |line: &&String| line.starts_with("POST /users/@me/channels");
            model.journal.iter().filter(opens).count()
        })
    };
    for round in 0..2 {
        let blind = json!({ "options": "variant=blind" });
        let place = town.channel(&format!("hall{round}"));
        let code = match_in(&place, &[&ann, &bob], "breaker", blind);
        for player in [&ann, &bob] {
            let hand = |message: &Message| is_hand(message) && message.everything().contains(&code);
            player.dm().wait_for("a hand", hand);
        }
        town.kill();
        town.start();
    }
    assert_eq!(opened(&town), 2);
}
