//! Talking with the bot alone, and having it along where it is not a member.

use serde_json::json;

use super::{Dice, board_after, code_in, move_somehow, offers};
use crate::driver::{Place, Town};
use crate::standin::model::Member;

#[test]
fn a_game_can_be_practised_alone_with_the_bot() {
    let town = Town::awake();
    let ann = town.user("Ann");
    let dm = ann.dm();
    let alone = ann.at(&dm);
    let code = code_in(&alone.slash("practice", &json!({ "game": "phwar" })).words());
    let board = board_after(&dm, 0, &code);
    move_somehow(&alone, &code, &mut Dice::new(30));
    board_after(&dm, board.id, &code);
    assert!(town.square.messages().is_empty());
}

#[test]
fn a_table_is_joined_from_anywhere_by_its_code() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let meadow = town.channel("meadow");
    let code = code_in(
        &ann.slash("open", &json!({ "game": "phwar", "seating": "order" }))
            .words(),
    );
    bob.at(&meadow).slash("join", &json!({ "match": code })).answer();
    let here = board_after(&town.square, 0, &code);
    let there = board_after(&meadow, 0, &code);
    // Whoever has the turn is called in one place or the other, and the boards go on in both.
    assert!(
        [&here, &there]
            .iter()
            .all(|board| board.pinged.iter().all(|pinged| *pinged == ann.id))
    );
    move_somehow(&ann, &code, &mut Dice::new(31));
    board_after(&town.square, here.id, &code);
    board_after(&meadow, there.id, &code);
}

#[test]
fn the_bot_goes_along_with_its_user_where_it_is_no_member() {
    let town = Town::awake();
    let ann = town.user("Ann");
    let abroad = town.shared().with(|model| {
        let guild = model.add_guild("Abroad", 0);
        let bot = model.bot;
        if let Some(guild) = model.guilds.get_mut(&guild) {
            guild.members.remove(&bot);
            guild.members.insert(ann.id, Member::default());
        }
        model.add_channel(guild, "beach")
    });
    let beach = Place::new(town.shared().clone(), abroad);
    let there = ann.at(&beach);
    let rules = there.slash("rules", &json!({ "game": "phwar" })).answer();
    assert_eq!((rules.only_for, rules.attachments.len()), (Some(ann.id), 1));
    // The bot can't speak there, but its answer is how others hear of a table.
    let table = there.slash("open", &json!({ "game": "phwar" })).answer();
    assert_eq!(table.only_for, None, "{}", table.text());
    let code = code_in(&table.text());
    ann.dm().wait_for("the table", |message| {
        offers(message, "Join") && message.everything().contains(&code)
    });
    let bob = town.user("Bob");
    bob.slash("join", &json!({ "match": code })).answer();
    board_after(&town.square, 0, &code);
    board_after(&ann.dm(), 0, &code);
    let refused = town.shared().with(|model| model.refusals.clone());
    assert!(refused.is_empty(), "{refused:?}");
}
