//! Links to the pages of matches: who is given which, and who has to agree.

use parlor::chat::command::Nobody;
use parlor::chat::message::Inline;
use parlor::chat::pages::{PageViewer, asked_on_page};
use parlor::chat::parlor::Input;
use parlor::matches::code::Code;
use parlor::matches::keys::SHOWN_AFTER;
use parlor::matches::people::PlayerId;
use parlor::matches::time::Span;

use crate::room::{Room, Said, player};

fn link(said: &Said) -> Option<String> {
    let mut pieces = said.reply.message.text.0.iter();
    pieces.find_map(|piece| match piece {
        Inline::Link(url) => Some(url.clone()),
        _ => None,
    })
}

/// What a link opens now, and for whom.
fn opened(room: &Room, url: &str) -> Option<(Code, PlayerId)> {
    let key = url.rsplit('=').next().unwrap();
    let opened = room.service().open_with(key).unwrap();
    opened.map(|(found, player)| (found.code, player))
}

#[tokio::test]
async fn a_personal_link_goes_to_its_player_alone() {
    let mut room = Room::new();
    room.open_pages();
    let code = room.begin("ann", "bea", "phwar order").await;
    let said = room.says("ann", "link").await;
    let url = link(&said).expect("a link");
    assert!(
        url.starts_with(&format!("https://parlor.example.org/m/{code}#k=")),
        "{url}"
    );
    // It is said to Ann alone, whatever the platform makes of that, and kept by nobody until she comes.
    assert!(said.reply.secret && said.reply.holds_key);
    said.answers("plays as you in this match")
        .answers(&format!("link #{code} off"));
    assert_eq!(opened(&room, &url), Some((code.clone(), player("ann"))));
    for place in ["parlour", "bea", "ann"] {
        for heard in room.heard_at(place).await {
            assert!(!heard.text.contains("#k="), "{}", heard.text);
        }
    }
    // Others have none.
    for line in [format!("link #{code}"), "link".to_owned()] {
        assert_eq!(link(&room.says("cy", &line).await), None);
    }
    room.says("ann", &said.button("End my links"))
        .await
        .answers("no longer work");
    assert_eq!(opened(&room, &url), None);
}

#[tokio::test]
async fn a_table_that_waits_has_no_board_to_open() {
    let mut room = Room::new();
    room.open_pages();
    let code = room.says("ann", "open phwar 2").await.code();
    assert_eq!(link(&room.says("ann", &format!("link #{code}")).await), None);
    assert_eq!(link(&room.says("ann", &format!("watch #{code}")).await), None);
}

#[tokio::test]
async fn all_players_have_to_agree_to_be_watched() {
    let mut room = Room::new();
    room.open_pages();
    let code = room.begin("ann", "bea", "phwar order").await;
    let asked = room.says("ann", "watch").await;
    asked.answers("Waiting for the others");
    assert_eq!(link(&asked), None);
    let proposal = room.hears("ann asks whether anybody may watch Phwar").await;
    // A move does not make the question void.
    room.says("ann", &format!("move #{code} F3-F5"))
        .await
        .answers("Played");
    room.says("bea", &proposal.button("Agree")).await;
    room.hears("anybody may watch").await;
    let given = room.says("bea", &format!("watch #{code}")).await;
    let url = link(&given).expect("a link");
    let token = url.rsplit('-').next().unwrap();
    assert_eq!(token.len(), 32, "128 bits: {url}");
    assert!(!given.reply.secret, "everybody may have it");
    assert_eq!(
        link(&room.says("cy", &format!("watch #{code}")).await),
        Some(url.clone())
    );
    // Nobody but a player ends it, and the next one is another.
    room.says("cy", &format!("watch #{code} off")).await;
    assert_eq!(
        link(&room.says("ann", &format!("watch #{code}")).await),
        Some(url.clone())
    );
    let version = room.the_match(&code).version;
    room.says("bea", &format!("watch #{code} off"))
        .await
        .answers("no longer works");
    assert_eq!(room.the_match(&code).version, version, "buttons still fit");
    room.says("ann", "watch").await;
    room.says("bea", &format!("accept #{code}")).await;
    let next = link(&room.says("ann", &format!("watch #{code}")).await).unwrap();
    assert_ne!(next, url);
}

#[tokio::test]
async fn whoever_declines_is_not_watched() {
    let mut room = Room::new();
    room.open_pages();
    let code = room.begin("ann", "bea", "phwar order").await;
    room.says("ann", "watch").await;
    room.says("bea", &format!("decline #{code}")).await;
    room.hears("says no to being watched").await;
    assert_eq!(room.play_of(&code).watch, None);
}

#[tokio::test]
async fn a_room_may_let_anybody_watch_but_not_for_those_who_play_elsewhere() {
    let mut room = Room::new();
    room.open_pages();
    room.says("ann", "settings watch on")
        .await
        .answers("Any player may give others a link");
    let code = room.begin("ann", "bea", "phwar order").await;
    let version = room.the_match(&code).version;
    assert!(link(&room.says("ann", &format!("watch #{code}")).await).is_some());
    assert_eq!(room.the_match(&code).version, version);
    // Cy plays on another platform, whose room has not decided so.
    let table = room.says("ann", "open phwar 2").await.code();
    room.says("other/cy", &format!("join #{table}")).await;
    assert!(room.is_running(&table));
    assert_eq!(link(&room.says("ann", &format!("watch #{table}")).await), None);
}

/// A link says how long it works, and works so long.
#[tokio::test]
async fn a_key_shows_the_end_for_a_day_and_not_longer() {
    let mut room = Room::new();
    room.open_pages();
    let code = room.begin("ann", "bea", "phwar order").await;
    let said = room.says("ann", "link").await;
    said.answers("play with it until the match is over")
        .answers("look at the end for 1 day more");
    let url = link(&said).unwrap();
    room.says("ann", &format!("resign #{code} sure")).await;
    room.service().tidy().await.unwrap();
    assert!(opened(&room, &url).is_some(), "the end can be looked at");
    assert_eq!(SHOWN_AFTER, Span::hours(24));
    room.clock.forward(Span::hours(23));
    room.service().tidy().await.unwrap();
    assert!(opened(&room, &url).is_some(), "for all of a day");
    // It ends by itself; that it is forgotten later changes nothing.
    room.clock.forward(Span::hours(1));
    assert_eq!(opened(&room, &url), None);
    room.service().tidy().await.unwrap();
    assert_eq!(opened(&room, &url), None);
    room.says("ann", &format!("link #{code} off"))
        .await
        .answers("You have no links");
}

#[tokio::test]
async fn links_can_be_ended_when_the_match_is_over() {
    let mut room = Room::new();
    room.open_pages();
    let code = room.begin("ann", "bea", "phwar order").await;
    let urls = [
        link(&room.says("ann", "link").await).unwrap(),
        link(&room.says("bea", "link").await).unwrap(),
    ];
    room.says("ann", "watch").await;
    room.says("bea", &format!("accept #{code}")).await;
    let watch = link(&room.says("ann", "watch").await).unwrap();
    room.says("ann", &format!("resign #{code} sure")).await;
    // New ones are not given, but who may watch may go on looking.
    assert_eq!(link(&room.says("ann", &format!("link #{code}")).await), None);
    assert_eq!(
        link(&room.says("cy", &format!("watch #{code}")).await),
        Some(watch)
    );
    // Nobody else ends them.
    for line in ["link", "watch"] {
        room.says("cy", &format!("{line} #{code} off")).await;
    }
    assert!(opened(&room, &urls[0]).is_some());
    assert!(room.play_of(&code).watch.is_some());
    // It need not be named: it is the only one.
    room.says("ann", "link off").await.answers("no longer work");
    assert_eq!(opened(&room, &urls[0]), None);
    assert!(opened(&room, &urls[1]).is_some(), "another player's links go on");
    let version = room.the_match(&code).version;
    room.says("ann", "watch off").await.answers("no longer works");
    assert_eq!(room.play_of(&code).watch, None);
    assert_eq!(room.the_match(&code).version, version, "buttons still fit");
    room.says("ann", &format!("watch #{code} off"))
        .await
        .answers("Nobody has a link");
    // What was played is still there.
    let log = room.service().log_of(&room.the_match(&code)).unwrap();
    assert!(!log.is_empty());
}

#[tokio::test]
async fn a_page_asks_about_its_own_match_only() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    let asks = |line: &str| asked_on_page(&Input::line(line, &Nobody), &code);
    for good in [
        "move #C F3-F5",
        "move #C@3 F3-F5",
        "moves #C",
        "resign #C sure",
        "#C undo",
        "text #C",
        "record #C",
        "replay #C",
        "replay #C 3",
        "catchup #C",
        "review #C",
        "note #C the left side",
    ] {
        assert!(asks(&good.replace('C', code.as_str())), "{good}");
    }
    for bad in [
        "move F3-F5",
        "F3-F5",
        "#C F3-F5",
        "settings #C",
        "rematch #C",
        "link #C",
        "watch #C",
        "join #C",
        "practice #C 3",
        "replay",
        "note mind the left side",
        "undo #ZZZZ",
        "challenge bot phwar #C",
    ] {
        assert!(!asks(&bad.replace("#C", &format!("#{code}"))), "{bad}");
    }
}

/// What a page offers is what may be asked there.
#[tokio::test]
async fn every_button_of_a_page_may_be_pressed() {
    let mut room = Room::new();
    room.open_pages();
    for terms in ["phwar order", "phwar order none", "phase order"] {
        let code = room.begin("ann", "bea", terms).await;
        room.says("bea", &format!("draw #{code}")).await;
        for who in ["ann", "bea"] {
            let page = room
                .parlor
                .match_page(&code, &PageViewer::Player(player(who)))
                .unwrap();
            assert!(page.buttons.len() > 2 && page.more.len() > 5);
            for button in page.buttons.into_iter().chain(page.more) {
                assert!(
                    asked_on_page(&Input::line(&button.command, &Nobody), &code),
                    "{}",
                    button.command
                );
            }
        }
        let public = room.parlor.match_page(&code, &PageViewer::Public).unwrap();
        assert!(public.buttons.is_empty() && public.more.is_empty() && public.hand.is_none());
        room.says("ann", &format!("resign #{code} sure")).await;
        // When it is over there is nothing to do, and more to look at.
        let page = room
            .parlor
            .match_page(&code, &PageViewer::Player(player("ann")))
            .unwrap();
        assert!(page.buttons.is_empty());
        let labels: Vec<&str> = page.more.iter().map(|button| button.label.as_str()).collect();
        assert_eq!(labels[..2], ["Replay", "Review"]);
        for button in &page.more {
            assert!(asked_on_page(&Input::line(&button.command, &Nobody), &code));
        }
    }
}
