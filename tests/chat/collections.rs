//! Cards and decks by chat: browsing, building, sharing, and keeping them to oneself.

use crate::room::{Room, Said};
use parlor::games::phase::card::card_set;

/// The deck code in an answer.
fn code_in(said: &Said) -> String {
    let is_code = |word: &&str| word.split('-').count() == 4 && word.len() == 23;
    let words = said.text.split([' ', '\n', '.', ',']);
    words
        .clone()
        .find(is_code)
        .unwrap_or_else(|| panic!("no code in: {}", said.text))
        .to_owned()
}

#[tokio::test]
async fn cards_are_looked_up_by_name_and_by_nature() {
    let room = Room::new();
    let said = room.says("ann", "card scout").await;
    said.answers("Scout")
        .answers("Relentless: enlist a card, locked.")
        .answers("Fire Spirit");
    assert!(!said.reply.secret, "cards are no secret");
    let said = room.says("ann", "card sun dominion cost 0 good").await;
    said.answers("4 cards").answers("Squeezle");
    // The menu leads to each of them.
    let line = said.button("Squeezle");
    room.says("ann", &line).await.answers("training cost 0, 2/1");
    room.says("ann", "card").await.answers("Look for a name");
    room.says("ann", "card gladiatr")
        .await
        .answers("Did you mean Gladiator?");
    // The game may be named, too.
    room.says("ann", "card phase ted").await.answers("Ted");
    // Far more is found than fits; the answer still does.
    room.says("ann", "card warrior")
        .await
        .answers("more. Add a word to narrow it down.");
}

#[tokio::test]
async fn a_deck_is_built_card_by_card() {
    let room = Room::new();
    room.says("ann", "deck new Mine").await.answers("A new deck");
    room.says("ann", "deck add mine S1, S2, Ted / Chained Horror")
        .await
        .answers("Added 3 cards.");
    room.says("ann", "deck add mine S1")
        .await
        .answers("All of that was in it already.");
    let said = room.says("ann", "deck check mine").await;
    said.answers("You can't play it yet")
        .answers("a deck has exactly 25 cards, and this one has 3");
    room.says("ann", "deck add mine F1")
        .await
        .answers("different factions");
    room.says("ann", "deck remove mine F1")
        .await
        .answers("Removed 1 card.");
    let ted = card_set()
        .card_of("Ted", "Chained Horror")
        .expect("they are one card")
        .id;
    let number = ted.number();
    let rest: Vec<String> = (3..=100)
        .filter(|n| *n != number)
        .take(22)
        .map(|n| format!("S{n}"))
        .collect();
    let said = room
        .says("ann", &format!("deck add mine {}", rest.join(" ")))
        .await;
    said.answers("Added 22 cards.")
        .answers("Ready to play. Its code: S");
}

#[tokio::test]
async fn decks_are_copied_renamed_shared_and_deleted() {
    let room = Room::new();
    let copied = room.says("ann", "deck copy wolfpack mine").await;
    copied.answers("Copied.").answers("mine, 25 cards");
    room.says("ann", "deck name mine wolves")
        .await
        .answers("It's now called wolves.");
    room.says("ann", "deck show mine")
        .await
        .answers("You have no deck called mine");
    let code = code_in(&room.says("ann", "deck share wolves").await);
    // Somebody else takes it up.
    let taken = room
        .says("bea", &format!("deck import hers {}", code.to_lowercase()))
        .await;
    taken.answers("hers, 25 cards").answers("Ready to play");
    assert_eq!(code_in(&taken), code);
    room.says("ann", "deck delete wolves")
        .await
        .answers("wolves is gone.")
        .answers(&code);
    room.says("ann", "deck delete wolves")
        .await
        .answers("You have no deck called wolves");
    room.says("bea", "deck list").await.answers("hers: ready to play");
}

#[tokio::test]
async fn decks_are_exported_and_taken_back() {
    let room = Room::new();
    let said = room.says("ann", "deck export vigil").await;
    let file = said.reply.message.file.clone().expect("there is a file");
    assert_eq!(file.name, "phase-vigil.txt");
    // Only numbers, so that it fits a line.
    let cards: Vec<&str> = file
        .content
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(cards.len(), 25);
    let line = format!("deck import mine {}", cards.join("\n"));
    room.says("ann", &line).await.answers("Ready to play");
    let slip = room.says("ann", "deck import mine K1, the big one").await;
    slip.answers("I can't read that").answers("the big one");
    room.says("ann", "deck show mine").await.answers("mine, 25 cards");
}

#[tokio::test]
async fn own_decks_are_told_to_their_owner_alone() {
    let room = Room::new();
    for line in [
        "deck copy arena mine",
        "deck list",
        "deck show mine",
        "deck share mine",
        "deck export mine",
    ] {
        let said = room.says("ann", line).await;
        assert!(said.reply.secret, "`{line}` was answered aloud");
    }
    for line in ["deck show arena", "deck export arena", "deck share arena"] {
        assert!(
            !room.says("ann", line).await.reply.secret,
            "ready decks are open: {line}"
        );
    }
    // Nobody else has it, and whoever has none is told nothing of it.
    let said = room.says("bea", "deck show mine").await;
    said.answers("You have no deck called mine");
    let said = room.says("bea", "deck").await;
    said.answers("You haven't built any yet");
    assert!(!said.text.contains("mine:"));
}

/// What somebody brings to a match, their list stays theirs until the match is over.
#[tokio::test]
async fn an_own_deck_is_brought_to_a_match_and_nobody_else_sees_it() {
    let room = Room::new();
    let first: Vec<String> = (1..=25).map(|number| format!("K{number}")).collect();
    room.says("ann", &format!("deck new mine {}", first.join(" ")))
        .await
        .answers("Ready to play");
    let secret = code_in(&room.says("ann", "deck share mine").await);
    let code = room.begin("ann", "bea", "phase own-decks=on order none").await;
    // A deck that isn't finished is no deck to play with.
    room.says("bea", "deck new half K1").await;
    room.says("bea", "deck use half")
        .await
        .answers("You can play only a finished deck.");
    let used = room.says("ann", "deck use mine").await;
    used.answers("Played");
    assert!(!used.text.contains(&secret));
    room.says("ann", "hand").await.answers(&secret);
    let export = room.says("bea", &format!("record #{code}")).await;
    let file = export.reply.message.file.clone().expect("there is a file");
    assert!(!file.content.contains(&secret), "the list is given away");
    room.says("bea", "deck use treasury").await.answers("Played");
    let aloud = room.heard_at("parlour").await;
    assert!(
        aloud
            .iter()
            .any(|heard| heard.text.contains("the cards are dealt"))
    );
    for heard in aloud.iter().chain(&room.heard_at("bea").await) {
        let alt = heard
            .message
            .picture
            .as_ref()
            .map_or("", |picture| picture.alt.as_str());
        assert!(
            !heard.text.contains(&secret) && !alt.contains(&secret),
            "{}",
            heard.text
        );
    }
    let steps = room.play_out(&code, 7).await;
    assert!(steps > 0);
    // Now it is told, so that everybody can check the match.
    let export = room.says("bea", &format!("record #{code}")).await;
    let file = export.reply.message.file.clone().expect("there is a file");
    assert!(file.content.contains(&format!("bring {secret}")));
    let record = parlor::matches::record::Record::from_json(&file.content).expect("it reads");
    record.verify().expect("it replays");
}

#[tokio::test]
async fn cards_and_decks_come_with_pictures_and_words_for_them() {
    let room = Room::new();
    let lines = [
        ("card scout", "Relentless"),
        ("card S17", "Fire Spirit"),
        ("card Scout / Fire Spirit", "Scout"),
        ("deck show wolfpack", "25 cards"),
        ("deck copy vigil mine", "25 cards"),
    ];
    for (line, told) in lines {
        let said = room.says("ann", line).await;
        let picture = said.reply.message.picture.clone().expect(line);
        assert!(picture.alt.contains(told), "{line}: {}", picture.alt);
        let drawn = room.parlor.draw(&picture).expect(line);
        assert!(
            drawn.file.len() > 1000 && drawn.file.len() < 80 << 10,
            "{line}: {}",
            drawn.file.len()
        );
    }
    let said = room.says("ann", "deck new empty").await;
    assert!(
        said.reply.message.picture.is_none(),
        "there is nothing to show yet"
    );
}

#[tokio::test]
async fn decks_outlive_a_restart() {
    let mut room = Room::new();
    room.says("ann", "deck copy treasury gold")
        .await
        .answers("Copied.");
    room.restart();
    room.says("ann", "deck show gold").await.answers("gold, 25 cards");
}

#[tokio::test]
async fn what_is_missing_is_asked_for() {
    let room = Room::new();
    room.says("ann", "deck show").await.answers("Which deck?");
    room.says("ann", "deck copy arena")
        .await
        .answers("What should it be called?");
    room.says("ann", "deck import mine").await.answers("Import what?");
    room.says("ann", "deck new mine").await;
    room.says("ann", "deck add mine").await.answers("Which cards?");
    room.says("ann", "deck new mine").await.answers("already");
    room.says("ann", "deck copy arena two words")
        .await
        .answers("one word of at most 24 letters");
    room.says("ann", "deck show wolfpak")
        .await
        .answers("Did you mean wolfpack?");
    room.says("ann", "deck shuffle mine").await.answers("deck");
}
