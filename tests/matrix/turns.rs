//! A turn as it is made: picked in private, shown to its maker step by step, and offered while it is open.

use serde_json::json;

use crate::bot::Bot;
use crate::party::{Party, code_in};
use crate::person::{Event, Person};
use crate::script::{SEVERAL, SHORT};
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

/// The pictures that somebody has been sent alone.
fn alone_with(person: &Person, bot: &Bot, room: &matrix_sdk::Room) -> Vec<Event> {
    let mut said = person.messages_of(room.room_id(), bot.id());
    said.retain(|event| event.kind() == "m.image");
    said
}

/// A whole match of several actions a turn, typed in a room of three: after each action its maker sees where they stand and
/// what is asked next, and the room is told every turn once.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_several_actions_is_shown_to_its_maker_and_told_to_the_room_once() {
    let party = Party::meet(Synapse::shared(), "actions", false).await;
    party.until_greeted().await;
    let (bot, ann, bea, room, _) = party.everybody();
    let code = party.begin(SEVERAL.game).await;
    assert!(SEVERAL.halves().count() >= 6, "{:?}", SEVERAL.moves);
    let before = ann.messages_of(room.room_id(), bot.id()).len();
    // A block by its name alone is a question, though other bots listen to the mark as well.
    let block = ann.ask(room, "!annihilate").await;
    assert!(block.body().contains("(Breaker Blocks)"), "{}", block.body());

    let mut private = [None, None];
    let (mut turns, mut answered) = (1, 1);
    for (number, (seat, action)) in SEVERAL.moves.iter().enumerate() {
        let (person, there) = party.seat(*seat);
        let said = person.say(there, &format!("!{action}")).await;
        if !SEVERAL.is_half(number) {
            turns += 1;
            party.until_boards(turns).await;
            continue;
        }
        let Some(alone) = &private[seat.index()] else {
            // Until they have a private chat they are answered in words where they are, which is better than not at all.
            let answer = person.answer_to(&said).await;
            assert_eq!(answer.kind(), "m.notice", "{}", answer.json);
            assert!(answer.body().contains("one action left"), "{}", answer.body());
            assert!(
                answer.body().contains(&format!("!moves #{code}")),
                "{}",
                answer.body()
            );
            answered += 1;
            private[seat.index()] = Some((person.accept_invitation_of(bot.id()).await, 0));
            continue;
        };
        let (alone, shown) = (alone.0.clone(), alone.1);
        person.marked(&said, bot.id()).await;
        let step = person
            .until("the board so far", || {
                alone_with(person, bot, &alone).into_iter().nth(shown)
            })
            .await;
        let name = person.client.user_id().unwrap().localpart();
        assert!(
            step.encrypted && step.body().contains("Played in"),
            "{}",
            step.body()
        );
        assert!(
            step.body().contains(&format!("{name}, ")),
            "it says what is asked: {}",
            step.body()
        );
        private[seat.index()] = Some((alone, shown + 1));
    }
    let end = party.ends().remove(0);
    assert!(end.body().contains(" is over. "), "{}", end.body());
    // When this is answered, all before it has been said.
    ann.ask(room, "!games").await;
    let said = ann.messages_of(room.room_id(), bot.id());
    assert_eq!(
        said.len(),
        before + answered + (turns - 1) + 1,
        "{:#?}",
        said.iter().map(Event::body).collect::<Vec<_>>()
    );
    for (person, private) in [ann, bea].into_iter().zip(&private) {
        let (alone, shown) = private.as_ref().expect("everybody has had two actions");
        assert!(*shown > 0);
        assert_eq!(alone_with(person, bot, alone).len(), *shown);
    }
}

/// Where hands are hidden, the board so far shows its maker's own: it goes to them alone, and waits until they have come.
#[tokio::test(flavor = "multi_thread")]
async fn half_a_turn_with_secrets_goes_to_its_maker_alone() {
    let party = Party::meet(Synapse::shared(), "halves", false).await;
    party.until_greeted().await;
    let (bot, ann, _, room, _) = party.everybody();
    ann.ask(room, "!settings hands always").await;
    let code = party.begin("breaker variant=blind").await;
    let waits = ann.ask(room, "!draw 3").await;
    assert!(
        waits.body().contains("invited you to a private chat"),
        "{}",
        waits.body()
    );
    let alone = ann.accept_invitation_of(bot.id()).await;
    let shows = |event: &Event| {
        event.room == alone.room_id() && event.kind() == "m.image" && event.body().contains("one action left")
    };
    let half = ann.wait("the board after half a turn", shows).await;
    assert!(
        half.encrypted && half.body().contains("Played in"),
        "{}",
        half.body()
    );
    assert!(half.body().contains(&format!("#{code}")), "{}", half.body());
    for event in ann.messages_of(room.room_id(), bot.id()) {
        assert!(!event.body().contains("one action left"), "{}", event.body());
    }
    // A hand that is to be heard is a new message, and the one before it goes.
    let is_hand = |event: &Event| event.text("/content/filename").contains("hand");
    let first = ann.wait("my hand", is_hand).await;
    ann.say(room, "!draw 3").await;
    ann.wait("my first hand to go", |event| takes_back(event, bot, first.id()))
        .await;
    let hands = ann.heard_in(alone.room_id());
    let hands: Vec<&str> = hands
        .iter()
        .filter(|event| is_hand(event))
        .map(Event::id)
        .collect();
    assert_eq!((hands.len(), hands[0]), (2, first.id()));
}

/// Whether the bot takes back something that it has said.
fn takes_back(event: &Event, bot: &Bot, said: &str) -> bool {
    event.text("/type") == "m.room.redaction"
        && event.sender() == bot.id()
        && [event.text("/redacts"), event.text("/content/redacts")].contains(&said)
}

/// Whoever is alone with a bot that takes its time sees their own move meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_drawn_while_a_slow_bot_thinks() {
    let synapse = Synapse::shared();
    let bot = Bot::start(synapse, "parlor-slow");
    let ann = Person::come(synapse, "ann-slow").await;
    let room = ann.make_room(&[bot.id()], json!({ "direct": true })).await;
    ann.until_joined(&room, bot.id()).await;
    let boards = async |count: usize| {
        ann.until(&format!("{count} boards"), || {
            Some(alone_with(&ann, &bot, &room)).filter(|said| said.len() >= count)
        })
        .await
    };
    // At this level it takes up to ten seconds, even in an opening.
    ann.say(&room, &format!("challenge bot {} level=5 none order", SHORT.game))
        .await;
    boards(1).await;
    ann.say(&room, &SHORT.moves[0].1).await;
    let shown = boards(3).await;
    let (own, reply) = (&shown[1], &shown[2]);
    assert_eq!(own.mentions(), Vec::<&str>::new(), "{}", own.body());
    // It is there to stay, and says nothing that is only for the moment; what can be done next is said once.
    assert!(!own.body().contains("is thinking …"), "{}", own.body());
    assert!(!own.body().contains("Hint: "), "{}", own.body());
    assert!(reply.body().contains("Parlor"), "{}", reply.body());
    assert_ne!(ann.download(own).await, ann.download(reply).await);
}

/// A refusal, and what was only asked in passing, have nothing more to say once something else is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_goes_with_the_next_command() {
    let party = Party::meet(Synapse::shared(), "passing", false).await;
    let (bot, ann, bea, room, beas) = party.everybody();
    let refused = ann.ask(room, "!board").await;
    assert!(refused.body().contains("no match"), "{}", refused.body());
    // What somebody else says leaves it there.
    bea.ask(beas, "!games").await;
    let games = ann.ask(room, "!games").await;
    let gone = ann
        .wait("the refusal to go", |event| takes_back(event, bot, refused.id()))
        .await;
    let heard = ann.heard_in(room.room_id());
    let place = |id: &str| heard.iter().position(|event| event.id() == id).unwrap();
    assert!(place(gone.id()) > place(games.id()), "not before the next answer");
    // A command that is answered by a board alone takes it away as well; and what was asked for stays.
    let code = party.begin(SHORT.game).await;
    let (seat, action) = &SHORT.moves[0];
    let (mover, there) = party.seat(*seat);
    let refused = mover.ask(there, &format!("!move #{code} xyzzy")).await;
    mover.say(there, &format!("!move #{code} {action}")).await;
    mover
        .wait("the second refusal to go", |event| {
            takes_back(event, bot, refused.id())
        })
        .await;
    let heard = ann.heard_in(room.room_id());
    assert!(!heard.iter().any(|event| takes_back(event, bot, games.id())));
}
