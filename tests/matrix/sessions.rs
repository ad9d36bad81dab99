//! Sessions that the homeserver ends: with a password the bot is back as the same device, and nothing is lost.

use serde_json::{Value, json};

use crate::bot::Bot;
use crate::operator::devices;
use crate::party::Party;
use crate::rooms::token;
use crate::script::SHORT;
use crate::synapse::{Limits, Synapse, log_in};

/// Ends the bot's session, as its account's owner may from any client.
fn log_out(synapse: &Synapse, token: &str) {
    let done = synapse.with_token(token, "POST", "/_matrix/client/v3/logout", &json!({}));
    assert_eq!(done, json!({}));
}

/// Waits until the bot has another session than this one.
fn until_back(bot: &Bot, old: &str) {
    crate::web::wait_for("another session", || (token(bot) != old).then_some(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_is_logged_out_logs_in_again_and_goes_on() {
    let synapse = Synapse::shared();
    let (mut party, code) = Party::at_play(synapse, "ended", false).await;
    let (old, before) = (token(&party.bot), devices(synapse, &party.bot));
    log_out(synapse, &old);
    // Said while the bot has no session, and done when it has one again.
    party.say_move(&code, 0).await;
    party.until_boards(2).await;
    until_back(&party.bot, &old);
    assert_eq!(
        devices(synapse, &party.bot),
        before,
        "the same device, signed as before"
    );
    party.play_on(&code, 1).await;
    party.check_boards(SHORT.moves.len() + 1).await;
    let complaints = party.bot.fall();
    assert_eq!(complaints.matches("logging in again").count(), 1, "{complaints}");
    assert!(!complaints.contains(&old), "{complaints}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_was_logged_out_hears_and_speaks_in_encrypted_rooms_again() {
    let synapse = Synapse::shared();
    let (mut party, code) = Party::at_play(synapse, "ended-encrypted", true).await;
    // While it runs, and while it is off.
    for number in 0..2 {
        let (old, before) = (token(&party.bot), devices(synapse, &party.bot));
        if number == 1 {
            party.bot.fall();
        }
        log_out(synapse, &old);
        if number == 1 {
            party.bot.rise();
        } else {
            // Somebody speaks, and so the homeserver has something to tell.
            party.ann.say(&party.room, "hello?").await;
        }
        until_back(&party.bot, &old);
        crate::web::wait_for("the bot's keys", || {
            (devices(synapse, &party.bot) == before).then_some(())
        });
        let device = before[0].0.as_str().into();
        for person in [&party.ann, &party.bea] {
            person.until_device(party.bot.id(), device).await;
        }
        party.say_move(&code, number).await;
        party.until_boards(number + 2).await;
    }
    party.check_boards(3).await;
    let room = party.room.room_id();
    for event in party.ann.messages_of(room, party.bot.id()) {
        assert!(event.encrypted, "said in the clear: {}", event.json);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_expires_is_taken_up_again() {
    let synapse = Synapse::start(Limits::None);
    let (party, code) = Party::at_play(&synapse, "expired", true).await;
    let (old, before) = (token(&party.bot), devices(&synapse, &party.bot));
    synapse.fall();
    synapse.expire(party.bot.id());
    synapse.rise();
    party.play_on(&code, 0).await;
    party.check_boards(SHORT.moves.len() + 1).await;
    assert_ne!(token(&party.bot), old);
    assert_eq!(devices(&synapse, &party.bot), before);
}

#[test]
fn without_a_password_the_operator_is_told_that_the_session_is_over() {
    let synapse = Synapse::shared();
    let account = synapse.register("parlor-ended-token");
    let session = log_in(synapse, &account);
    let given = session["access_token"].as_str().unwrap();
    let mut bot = Bot::of(synapse, account).with_token(given);
    bot.rise();
    log_out(synapse, given);
    let (status, complaints) = bot.end();
    let last = complaints.trim_end().lines().last().unwrap_or_default();
    assert!(!status.success());
    assert!(
        last.contains("matrix: ") && last.contains("no longer accepts the access_token"),
        "{complaints}"
    );
    assert!(!complaints.contains(given), "{complaints}");

    // A new token of another device is another session, and needs nothing but the recovery key that is kept.
    let again = log_in(synapse, &bot.account);
    let mut bot = bot.with_token(again["access_token"].as_str().unwrap());
    bot.rise();
    let known: Vec<(String, usize)> = devices(synapse, &bot);
    assert_eq!(known, [(text(&again, "device_id"), 2)]);
}

fn text(json: &Value, key: &str) -> String {
    json[key].as_str().unwrap().to_owned()
}
