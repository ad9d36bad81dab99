//! A turn as it is made: picked in private, and offered while it is open.

use crate::party::{Party, code_in};
use crate::script::SHORT;
use crate::synapse::Synapse;

/// What is picked is for its maker alone. Nobody has to accept an invitation first: until then the choices are told in
/// words where they were asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_picked_in_private() {
    let (party, code) = Party::at_play(Synapse::shared(), "picked", false).await;
    let (bot, ..) = party.everybody();
    let ((mover, room), _) = party.in_turn();
    let ask = format!("!moves #{code}");
    let open = mover.ask(room, &ask).await;
    assert_eq!(open.kind(), "m.notice", "{}", open.body());
    assert!(
        open.body().contains(&format!("!moves #{code}")),
        "{}",
        open.body()
    );
    let alone = mover.accept_invitation_of(bot.id()).await;
    let sent = mover.ask(room, &ask).await;
    assert_eq!(sent.body(), "I sent it to you in our private chat.");
    let picture = mover
        .wait("what can be picked, drawn", |event| {
            event.room == alone.room_id() && event.kind() == "m.image"
        })
        .await;
    assert!(picture.encrypted);
    let shown = mover.messages_of(room.room_id(), bot.id());
    let boards = shown.iter().filter(|event| event.kind() == "m.image");
    assert_eq!(boards.count(), 1, "the board alone is in the room");
}

/// What can't be done any more is not offered any more: clients show an edited text anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_that_was_accepted_offers_nothing() {
    let party = Party::meet(Synapse::shared(), "dead", false).await;
    let (_, ann, bea, room, beas) = party.everybody();
    let asked = format!("!challenge {} {} none order", bea.id, SHORT.game);
    ann.say(room, &asked).await;
    let challenge = party.challenge().await;
    let code = code_in(challenge.body());
    assert!(
        challenge.body().contains(&format!("!accept #{code}")),
        "{}",
        challenge.body()
    );
    bea.say(beas, &format!("!accept #{code}")).await;
    let anew = bea
        .wait("the challenge, written anew", |event| {
            event.text("/content/m.relates_to/rel_type") == "m.replace"
                && event.text("/content/m.relates_to/event_id") == challenge.id()
        })
        .await;
    let words = anew.text("/content/m.new_content/body");
    assert!(words.contains("challenges"), "{words}");
    assert!(
        !words.contains("!accept") && !words.contains("!cancel"),
        "{words}"
    );
    assert_eq!(anew.mentions(), Vec::<&str>::new(), "nobody is called twice");
}
