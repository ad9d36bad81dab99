//! A room is lost, comes back, is left or replaced: the match goes on, and whoever is to move is called.

use matrix_sdk::ruma::{OwnedRoomId, RoomId};
use matrix_sdk::{Room, RoomState};
use serde_json::json;

use crate::party::Party;
use crate::person::{Event, Person};
use crate::script::SHORT;
use crate::synapse::Synapse;

/// The bot's private chat with somebody, accepted, and how they are called there: by a board, and by a text that rings.
async fn called_alone(person: &Person, alone: &RoomId, bot: &str, boards: usize) -> Event {
    let said = |kind: &str| {
        let mut said = person.messages_of(alone, bot);
        said.retain(|event| event.kind() == kind);
        said
    };
    person
        .until(&format!("{boards} boards in private, and a call"), || {
            let calls = said("m.text");
            let call = calls
                .iter()
                .rfind(|call| call.mentions() == [person.id.as_str()])?;
            (said("m.image").len() >= boards).then(|| call.clone())
        })
        .await
}

/// The bot's pictures in a room, as somebody sees them.
fn pictures(person: &Person, room: &RoomId, bot: &str) -> Vec<Event> {
    let mut pictures = person.messages_of(room, bot);
    pictures.retain(|event| event.kind() == "m.image");
    pictures
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_room_a_match_calls_its_players_alone_and_the_room_gets_it_back() {
    let synapse = Synapse::shared();
    let (party, code) = Party::at_play(synapse, "kicked", false).await;
    let bot = party.bot.id();
    let ((mover, movers_room), (other, others_room)) = party.in_turn();
    let (_, action) = &SHORT.moves[0];
    let kicked = party.room.kick_user(bot.try_into().unwrap(), None).await;
    kicked.unwrap();
    // Nobody has moved yet, and still everybody is told; who is to move is called.
    let alone = mover.accept_invitation_of(bot).await;
    let call = called_alone(mover, alone.room_id(), bot, 1).await;
    assert!(call.encrypted);
    let others = other.accept_invitation_of(bot).await;
    let told = other
        .wait("why it is shown here", |event| {
            event.room == others.room_id() && event.body().contains("I can no longer post in")
        })
        .await;
    assert!(told.mentions().is_empty() && told.kind() == "m.image");
    // A move from a private chat captures nothing: the opponent is called, wherever they are.
    mover.say(&alone, &format!("move #{code} {action}")).await;
    called_alone(other, others.room_id(), bot, 2).await;

    // Invited back, the bot brings the match along.
    let before = pictures(&party.ann, party.room.room_id(), bot).len();
    let invited = party.room.invite_user_by_id(bot.try_into().unwrap()).await;
    invited.unwrap();
    let back = other
        .wait("the board", |event| {
            event.room == others_room.room_id() && event.body().contains("goes on here")
        })
        .await;
    assert!(other.download(&back).await == SHORT.picture(1, party.names()));
    assert_eq!(pictures(&party.ann, party.room.room_id(), bot).len(), before + 1);
    // From then on it is told there, and nowhere else.
    let alone_before = pictures(mover, alone.room_id(), bot).len();
    let (second, action) = &SHORT.moves[1];
    let (person, room) = party.seat(*second);
    person.say(room, &format!("!move #{code} {action}")).await;
    mover
        .until("the next board in the room", || {
            (pictures(mover, movers_room.room_id(), bot).len() == before + 2).then_some(())
        })
        .await;
    mover.ask(movers_room, "!matches").await;
    assert_eq!(pictures(mover, alone.room_id(), bot).len(), alone_before);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_the_room_is_called_alone() {
    let synapse = Synapse::shared();
    let (party, code) = Party::at_play(synapse, "leaver", false).await;
    let bot = party.bot.id();
    let ((mover, movers_room), (other, others_room)) = party.in_turn();
    let (_, action) = &SHORT.moves[0];
    others_room.leave().await.unwrap();
    let alone = other.accept_invitation_of(bot).await;
    other
        .wait("why it is shown here", |event| {
            event.room == alone.room_id() && event.body().contains("You left the room")
        })
        .await;
    let told = mover
        .wait("that they left", |event| {
            event.body().contains("has left this room")
        })
        .await;
    assert_eq!(told.mentions(), [mover.id.as_str()], "it says whose turn it is");
    mover.say(movers_room, &format!("!move #{code} {action}")).await;
    called_alone(other, alone.room_id(), bot, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_room_that_does_not_let_the_bot_in_calls_alone_until_it_does() {
    let synapse = Synapse::shared();
    let (party, _) = Party::at_play(synapse, "upgraded", false).await;
    let (bot, ann) = (party.bot.id(), &party.ann);
    let (mover, _) = party.seat(SHORT.moves[0].0);
    let path = format!("/_matrix/client/v3/rooms/{}/upgrade", party.room.room_id());
    let token = ann.client.access_token().unwrap();
    let replaced = synapse.with_token(&token, "POST", &path, &json!({ "new_version": "11" }));
    let new: OwnedRoomId = replaced["replacement_room"].as_str().unwrap().try_into().unwrap();
    let alone = mover.accept_invitation_of(bot).await;
    called_alone(mover, alone.room_id(), bot, 1).await;
    let new_room: Room = ann
        .until("the new room", || {
            let room = ann.client.get_room(&new);
            room.filter(|room| room.state() == RoomState::Joined)
        })
        .await;
    new_room.invite_user_by_id(bot.try_into().unwrap()).await.unwrap();
    let board = ann
        .wait("the board in the new room", |event| {
            event.room == new && event.kind() == "m.image"
        })
        .await;
    assert!(board.body().contains("has moved here"), "{}", board.body());
}
