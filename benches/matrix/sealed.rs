//! Somebody who plays against the bot in encrypted rooms.

use parlor::catalog;
use serde_json::json;

use crate::person::{Event, Person};
use crate::synapse::Synapse;

/// One person plays against the bot in each of so many encrypted rooms, so many moves: what the bot hints at.
pub async fn challenge_bot(synapse: &Synapse, bot: &str, rooms: usize, moves: usize) {
    let person = Person::come(synapse, "sealed").await;
    let games: Vec<&str> = catalog::games().map(|entry| entry.meta.id).collect();
    let tables = (0..rooms).map(|number| play(&person, bot, games[number % games.len()], moves));
    futures_util::future::join_all(tables).await;
}

async fn play(person: &Person, bot: &str, game: &str, moves: usize) {
    let room = person.make_room(&[bot], json!({ "encrypted": true })).await;
    person.until_joined(&room, bot).await;
    let said = |fits: &dyn Fn(&Event) -> bool| {
        let mut said = person.messages_of(room.room_id(), bot);
        said.retain(fits);
        said
    };
    let boards = || said(&|event| event.kind() == "m.image").len();
    let words = || said(&|event| event.kind() == "m.notice");
    person
        .say(&room, &format!("challenge bot {game} level=2 none order"))
        .await;
    person
        .until("the first board", || (boards() > 0).then_some(()))
        .await;
    for _ in 0..moves {
        let (shown, before) = (boards(), words().len());
        person.say(&room, "hint").await;
        let said = person.until("a hint", || words().get(before).cloned()).await;
        let hint = said.body().strip_prefix("You might play");
        // There is nothing to hint at: the match is over.
        let Some(action) = hint.and_then(|hint| hint.split('`').nth(1)) else {
            return;
        };
        person.say(&room, &format!("move {action}")).await;
        person
            .until("the reply", || (boards() > shown).then_some(()))
            .await;
    }
}
