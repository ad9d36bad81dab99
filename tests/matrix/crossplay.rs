//! One match on two platforms: somebody in a Discord channel plays somebody in a Matrix room, by table code. One program
//! speaks to the stand-in for Discord and to a real homeserver at once.

use std::collections::BTreeSet;

use matrix_sdk::Room;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::driver::boards::{board_after, code_in, next_board, offers};
use crate::driver::hands::{has_word, held_in, unseen_in};
use crate::driver::{Town, User};
use crate::person::{Event, Person};
use crate::script::SHORT;
use crate::standin::model::Message;
use crate::synapse::Synapse;

/// Ann on Discord, Bea on Matrix, and the bot with both.
struct World {
    town: Town,
    ann: User,
    bot: String,
    bea: Person,
    /// Where Bea is.
    room: Room,
    /// The last board that Ann has seen.
    seen: Option<Message>,
    /// Bea's client runs on it.
    runtime: Runtime,
}

impl World {
    fn meet(name: &str) -> Self {
        let synapse = Synapse::shared();
        let bot = synapse.register(&format!("parlor-{name}"));
        let mut town = Town::asleep();
        town.start_with(&[
            ("PARLOR_MATRIX_HOMESERVER", &synapse.url()),
            ("PARLOR_MATRIX_USER", &bot.id),
            ("PARLOR_MATRIX_PASSWORD", &bot.password),
        ]);
        town.shared().wait("the bot to come to Matrix", |model| {
            let open = |line: &String| line.contains("open on Matrix");
            model.journal.iter().any(open).then_some(())
        });
        let runtime = Runtime::new().unwrap();
        let (bea, room) = runtime.block_on(async {
            let bea = Person::come(synapse, &format!("bea-{name}")).await;
            // A third person, so that it is a room and no chat.
            let cid = synapse.register(&format!("cid-{name}"));
            let settings = json!({ "encrypted": true });
            let room = bea.make_room(&[&bot.id, &cid.id], settings).await;
            bea.until_joined(&room, &bot.id).await;
            (bea, room)
        });
        Self {
            ann: town.user("Ann"),
            town,
            bot: bot.id,
            bea,
            room,
            seen: None,
            runtime,
        }
    }

    /// Ann opens a table, Bea joins it by its code.
    fn sit_down(&self, options: &Value) -> String {
        let code = code_in(&self.ann.slash("open", options).answer().text());
        self.beas(&format!("!join {code}"));
        code
    }

    fn beas(&self, words: &str) {
        self.runtime.block_on(self.bea.say(&self.room, words));
    }

    fn anns(&self, code: &str, action: &str) {
        let asked = self.ann.slash("move", &json!({ "move": action, "match": code }));
        assert!(asked.words().starts_with("Played"), "{}", asked.words());
    }

    /// The next board, as Ann sees it.
    fn anns_board(&mut self, code: &str) -> Message {
        let board = match &self.seen {
            Some(seen) => next_board(&self.town.square, seen, code),
            None => board_after(&self.town.square, 0, code),
        };
        self.seen = Some(board.clone());
        board
    }

    fn said_in_room(&self) -> Vec<Event> {
        self.bea.messages_of(self.room.room_id(), &self.bot)
    }

    /// The board after so many moves, as Bea sees it, and what is said before the next one.
    fn beas_board(&self, number: usize) -> Event {
        let boards = || {
            let mut said = self.said_in_room();
            said.retain(|event| event.kind() == "m.image");
            said.into_iter().nth(number)
        };
        self.runtime.block_on(self.bea.until("a board", boards))
    }

    /// Waits for the bot to say something in Bea's room.
    fn until_said(&self, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        let look = || self.said_in_room().into_iter().find(&fits);
        self.runtime.block_on(self.bea.until(what, look))
    }
}

#[test]
fn a_match_between_discord_and_matrix_is_played_to_its_end() {
    let mut world = World::meet("cross");
    let code = world.sit_down(&json!({ "game": SHORT.game, "seats": 2, "seating": "order" }));
    let names = ["Ann", "bea-cross"];
    for number in 0..=SHORT.moves.len() {
        let picture = SHORT.picture(number, names);
        let anns = world.anns_board(&code);
        let beas = world.beas_board(number);
        // The same board in both rooms, byte for byte but for the ground beside it.
        assert!(
            *anns.attachments[0].bytes == SHORT.drawn(number, names),
            "after {number} moves"
        );
        assert!(beas.encrypted);
        let shown = world.runtime.block_on(world.bea.download(&beas));
        assert!(shown == picture, "after {number} moves");

        let Some((seat, action)) = SHORT.moves.get(number) else {
            for said in [anns.text(), beas.body().to_owned()] {
                assert!(said.contains(" is over. ") && said.contains(" wins: "), "{said}");
            }
            break;
        };
        let became = number == 0 || SHORT.moves[number - 1].0 != *seat;
        if seat.index() == 0 {
            assert_eq!(anns.pinged, if became { vec![world.ann.id] } else { Vec::new() });
            assert!(beas.body().contains("Ann, your move"), "{}", beas.body());
            world.anns(&code, action);
        } else {
            assert!(anns.pinged.is_empty(), "{}", anns.text());
            assert!(anns.text().contains("bea-cross, your move"), "{}", anns.text());
            if became {
                let calls =
                    |event: &Event| event.kind() == "m.image" && event.mentions() == [world.bea.id.as_str()];
                let look = || {
                    let said = world.said_in_room().into_iter();
                    said.skip_while(|event| event.id() != beas.id()).find(calls)
                };
                world
                    .runtime
                    .block_on(world.bea.until("a call to Bea below her board", look));
            }
            world.beas(&format!("!move {action}"));
        }
    }
    // Each is called where they are, and nobody else is called anywhere.
    for event in world.said_in_room() {
        let called = event.mentions();
        assert!(
            called.iter().all(|called| *called == world.bea.id),
            "{called:?}: {}",
            event.body()
        );
    }
    // The record is the same from either side.
    let file = world.ann.slash("record", &json!({ "match": code })).answer();
    let anns = file.attachments[0].bytes.to_vec();
    world.beas(&format!("!record #{code}"));
    let file = world.until_said("the record", |event| event.kind() == "m.file");
    let beas = world.runtime.block_on(world.bea.download(&file));
    let record: Value = serde_json::from_slice(&anns).unwrap();
    assert_eq!(record, serde_json::from_slice::<Value>(&beas).unwrap());
    let played = record["actions"].as_array().unwrap().iter();
    let played: Vec<&str> = played.map(|step| step["action"].as_str().unwrap()).collect();
    let moves: Vec<&str> = SHORT.moves.iter().map(|(_, action)| action.as_str()).collect();
    assert_eq!(played, moves);
}

/// Bea's own room with the bot, and the hand that is shown there.
fn beas_hand(world: &World, alone: &Room, code: &str) -> (String, Vec<u8>) {
    world.runtime.block_on(async {
        let known = world.bea.messages_of(alone.room_id(), &world.bot).len();
        world.bea.say(alone, &format!("hand {code}")).await;
        let fresh = |kind: &str| {
            let mut said = world.bea.messages_of(alone.room_id(), &world.bot);
            said.drain(..known);
            let is_hand =
                |event: &Event| event.kind() == kind && event.body().to_lowercase().contains("your hand");
            said.into_iter().find(is_hand)
        };
        let picture = world
            .bea
            .until("the picture of her hand", || fresh("m.image"))
            .await;
        assert!(picture.encrypted);
        (picture.body().to_owned(), world.bea.download(&picture).await)
    })
}

#[test]
fn hands_go_to_each_by_their_own_way_and_into_neither_room() {
    let mut world = World::meet("cross-hands");
    let stranger = world.town.user("Cy");
    // All of it where everybody looks.
    let settings = json!({ "threads": false });
    world.town.owner().slash("parlor-settings", &settings).answer();
    let options = json!({ "game": "breaker", "options": "variant=blind", "seating": "order" });
    let code = world.sit_down(&options);
    let alone = world.runtime.block_on(world.bea.accept_invitation_of(&world.bot));
    world.runtime.block_on(world.bea.wait("her hand", |event| {
        event.room == alone.room_id() && event.text("/content/filename").contains("hand")
    }));
    world
        .ann
        .dm()
        .wait_for("her hand", |message| message.text().contains("your hand"));

    // Hidden commands are drawn until each holds one that the other does not.
    let mut turns = 0;
    let mut last_mover = None;
    let (anns, beas, mover) = loop {
        let board = world.anns_board(&code);
        let mover = board.text().contains(&format!("{}, ", world.ann.mention()));
        // In her room a turn is told once, when it is over.
        if last_mover.replace(mover).is_some_and(|last| last != mover) {
            turns += 1;
        }
        world.beas_board(turns);
        let anns = world.ann.slash("hand", &json!({ "match": code })).answer();
        assert_eq!(anns.only_for, Some(world.ann.id));
        let beas = beas_hand(&world, &alone, &code);
        let (left, right) = (held_in(&anns.text()), held_in(&beas.0));
        if !left.is_subset(&right) && !right.is_subset(&left) {
            break (anns, beas, mover);
        }
        if mover {
            world.anns(&code, "draw command");
        } else {
            world.beas("!move draw command");
        }
    };
    let (left, right) = (held_in(&anns.text()), held_in(&beas.0));

    // Everything that can be asked for in the rooms is asked for, by both.
    world.beas(&format!("!moves #{code}"));
    for command in ["hand", "board", "text", "record"] {
        world.beas(&format!("!{command} #{code}"));
        world.ann.slash(command, &json!({ "match": code })).answer();
    }
    // And the match is played to its end: when both pass, it is over.
    let mut anns_turn = mover;
    let end = loop {
        if anns_turn {
            world.anns(&code, "pass");
        } else {
            world.beas("!move pass");
        }
        let board = world.anns_board(&code);
        if offers(&board, "Rematch") {
            break board;
        }
        anns_turn = board.text().contains(&format!("{}, ", world.ann.mention()));
    };
    assert!(end.text().contains("when both passed"), "{}", end.text());
    let told = world.until_said("the end", |event| {
        event.kind() == "m.image" && event.body().contains("when both passed")
    });
    check_rooms(&world, &stranger, &told, &[&left, &right]);

    // In private, each has seen their own alone.
    for secret in left.difference(&right) {
        for event in world.bea.messages_of(alone.room_id(), &world.bot) {
            let (_, shown) = unseen_in(event.body());
            assert!(!has_word(&shown, secret), "{secret} was shown to Bea: {shown}");
        }
    }
    for secret in right.difference(&left) {
        for message in world.ann.everything_seen() {
            for revision in &message.revisions {
                let (_, shown) = unseen_in(revision);
                assert!(!has_word(&shown, secret), "{secret} was shown to Ann: {revision}");
            }
        }
    }
    for event in world
        .said_in_room()
        .iter()
        .filter(|event| event.kind() == "m.image")
    {
        let picture = world.runtime.block_on(world.bea.download(event));
        assert!(
            picture != beas.1 && *picture != *anns.attachments[0].bytes,
            "a hand"
        );
    }
    // Nor does the operator's log tell.
    world.town.kill();
    for secret in left.union(&right) {
        for line in world.town.traces() {
            assert!(!has_word(&line, secret), "{secret} stands in the log: {line}");
        }
    }
}

/// No message that everybody could read before the end names what anybody held.
fn check_rooms(world: &World, stranger: &User, end: &Event, hands: &[&BTreeSet<&str>]) {
    let said = world.said_in_room();
    let before = said.iter().take_while(|event| event.id() != end.id());
    let mut public: Vec<String> = before
        .filter(|event| !event.body().contains(" is over. "))
        .map(|event| format!("{}\n{}", event.body(), event.html()))
        .collect();
    for message in stranger.everything_seen() {
        public.extend(
            message
                .revisions
                .iter()
                .filter(|text| !text.contains(" is over. "))
                .cloned(),
        );
    }
    assert!(public.len() > 6, "both rooms have heard something");
    for held in hands {
        assert!(!held.is_empty(), "each holds something");
        for text in &public {
            let (_, shown) = unseen_in(text);
            for secret in *held {
                assert!(!has_word(&shown, secret), "{secret} was said in a room: {text}");
            }
        }
    }
}
