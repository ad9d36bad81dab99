//! Links to the pages of matches: a personal one goes to its player alone, and never into a room with others.

use crate::bot::Bot;
use crate::party::Party;
use crate::script::SHORT;
use crate::synapse::Synapse;
use crate::web::visitor::{Visitor, link_in, parts};

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_sent_in_private_and_never_into_the_room() {
    let synapse = Synapse::shared();
    let mut bot = Bot::ready(synapse, "parlor-links").with_pages();
    bot.rise();
    let party = Party::meet_bot(synapse, bot, "links", false).await;
    let code = party.begin(SHORT.game).await;
    let ((mover, room), (other, others)) = party.in_turn();
    let ask = format!("!link #{code}");
    // Nobody is sent a key that they might never see: they are invited, and ask again.
    let told = mover.ask(room, &ask).await;
    assert!(
        told.body().contains("invited you to a private chat"),
        "{}",
        told.body()
    );
    let alone = mover.accept_invitation_of(party.bot.id()).await;
    let told = mover.ask(room, &ask).await;
    assert_eq!(told.body(), "I sent it to you in our private chat.");
    let given = mover.wait("the link", |event| event.body().contains("#k=")).await;
    assert_eq!(
        (given.room.as_str(), given.encrypted),
        (alone.room_id().as_str(), true)
    );
    assert!(
        given.body().contains("plays as you in this match"),
        "{}",
        given.body()
    );
    let link = link_in(given.body());
    let key = parts(&link).2.expect("a key");
    // What is played by it is played in the room.
    let (_, action) = &SHORT.moves[0];
    let played = tokio::task::block_in_place(|| {
        let page = Visitor::open(&link);
        page.press(&format!("move #{code} {action}"))
    });
    assert_eq!(played["done"], true, "{played}");
    party.until_boards(2).await;
    // Who is told alone is told at once.
    mover.say(&alone, &ask).await;
    let again = mover
        .wait("another link", |event| {
            event.body().contains("#k=") && event.body() != given.body()
        })
        .await;
    assert_eq!(again.room, given.room);
    other.say(others, &format!("!watch #{code}")).await;
    mover
        .wait("the question", |event| {
            event.is_message() && event.body().contains("asks whether anybody may watch")
        })
        .await;
    for person in [mover, other] {
        for event in person.heard_in(room.room_id()) {
            let said = event.json.to_string();
            assert!(!said.contains("#k=") && !said.contains(&key), "{said}");
        }
    }
}
