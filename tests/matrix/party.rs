//! Two people and a bot in a room, and a match between them: how most scenarios begin.

use matrix_sdk::Room;
use parlor::game::Seat;
use serde_json::json;

use crate::bot::Bot;
use crate::person::{Event, Person};
use crate::script::SHORT;
use crate::synapse::Synapse;

/// Two people and a bot in a room.
pub struct Party {
    pub bot: Bot,
    pub ann: Person,
    pub bea: Person,
    /// The room as Ann sees it, and as Bea does.
    pub room: Room,
    pub beas: Room,
}

impl Party {
    pub async fn meet(synapse: &Synapse, name: &str, encrypted: bool) -> Self {
        let bot = Bot::start(synapse, &format!("parlor-{name}"));
        Self::meet_bot(synapse, bot, name, encrypted).await
    }

    pub async fn meet_bot(synapse: &Synapse, bot: Bot, name: &str, encrypted: bool) -> Self {
        let ann = Person::come(synapse, &format!("ann-{name}")).await;
        let bea = Person::come(synapse, &format!("bea-{name}")).await;
        let room = ann
            .make_room(&[bot.id(), &bea.id], json!({ "encrypted": encrypted }))
            .await;
        let beas = bea.enter(room.room_id()).await;
        ann.until_joined(&room, bot.id()).await;
        ann.until_joined(&room, &bea.id).await;
        bea.until_joined(&beas, bot.id()).await;
        Self {
            bot,
            ann,
            bea,
            room,
            beas,
        }
    }

    /// Waits until the bot has said hello in the room, which it does as soon as it can.
    pub async fn until_greeted(&self) {
        let bot = self.bot.id();
        let hello =
            |event: &Event| event.is_message() && event.sender() == bot && event.body().starts_with("Hello!");
        self.ann.wait("the bot to say hello", hello).await;
    }

    /// They meet, and are in the middle of the known match, which nobody has moved in yet; with its code.
    pub async fn at_play(synapse: &Synapse, name: &str, encrypted: bool) -> (Self, String) {
        let party = Self::meet(synapse, name, encrypted).await;
        let code = party.begin(SHORT.game).await;
        (party, code)
    }

    /// The bot, both people, and the room as each of them sees it.
    pub fn everybody(&self) -> (&Bot, &Person, &Person, &Room, &Room) {
        (&self.bot, &self.ann, &self.bea, &self.room, &self.beas)
    }

    /// Ann challenges, Bea accepts; the code. Ann has the first seat.
    pub async fn begin(&self, game: &str) -> String {
        let asked = format!("!challenge {} {game} none order", self.bea.id);
        self.ann.say(&self.room, &asked).await;
        let code = code_in(self.challenge().await.body());
        self.bea.say(&self.beas, &format!("!accept #{code}")).await;
        self.until_boards(1).await;
        code
    }

    /// The challenge, as Bea sees it.
    pub async fn challenge(&self) -> Event {
        challenge(&self.bea, self.bot.id()).await
    }

    /// Who has a seat, and the room as they see it.
    pub fn seat(&self, seat: Seat) -> (&Person, &Room) {
        match seat.index() {
            0 => (&self.ann, &self.room),
            _ => (&self.bea, &self.beas),
        }
    }

    /// Who moves first in the known match, and who does not; with the room as each sees it.
    pub fn in_turn(&self) -> ((&Person, &Room), (&Person, &Room)) {
        let seats = [(&self.ann, &self.room), (&self.bea, &self.beas)];
        match SHORT.moves[0].0.index() {
            0 => (seats[0], seats[1]),
            _ => (seats[1], seats[0]),
        }
    }

    /// What the players are called, first seat first.
    pub fn names(&self) -> [&str; 2] {
        [&self.ann, &self.bea].map(|person| person.client.user_id().unwrap().localpart())
    }

    fn said(&self, fits: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut said = self.ann.messages_of(self.room.room_id(), self.bot.id());
        said.retain(fits);
        said
    }

    /// The bot's pictures of a match, in order, as Ann has seen them.
    pub fn boards(&self) -> Vec<Event> {
        self.said(|event| event.kind() == "m.image" && event.names_match())
    }

    /// Its calls to whoever was to move.
    pub fn calls(&self) -> Vec<Event> {
        let calls = |event: &Event| !event.mentions().is_empty() && !event.body().contains("challenges");
        self.said(|event| event.names_match() && calls(event) && !tells_end(event))
    }

    /// How the match ended, in short.
    pub fn ends(&self) -> Vec<Event> {
        self.said(tells_end)
    }

    /// Waits for this many pictures of the match, and what is said below them.
    pub async fn until_boards(&self, count: usize) -> Vec<Event> {
        self.ann
            .until(&format!("{count} boards"), || {
                Some(self.boards()).filter(|boards| boards.len() >= count)
            })
            .await
    }

    /// Says one of the moves of the known match, whosever it is.
    pub async fn say_move(&self, code: &str, number: usize) {
        let (seat, action) = &SHORT.moves[number];
        let (person, room) = self.seat(*seat);
        person.say(room, &format!("!move #{code} {action}")).await;
    }

    /// Plays the known match from one of its moves to its end by plain commands.
    pub async fn play_on(&self, code: &str, from: usize) {
        for number in from..SHORT.moves.len() {
            self.say_move(code, number).await;
            self.until_boards(number + 2).await;
        }
    }

    /// The boards so far are those of the known match, each shown once, with everybody called once.
    pub async fn check_boards(&self, count: usize) {
        let boards = self.boards();
        let bodies: Vec<&str> = boards.iter().map(Event::body).collect();
        assert_eq!(boards.len(), count, "{bodies:#?}");
        assert_eq!(self.calls().len(), SHORT.calls(count), "{bodies:#?}");
        for (number, board) in boards.iter().enumerate() {
            let picture = self.ann.download(board).await;
            assert!(
                picture == SHORT.picture(number, self.names()),
                "after {number} moves: {}",
                board.body()
            );
        }
    }
}

/// Whether what the bot says offers another match, since this one is over.
fn tells_end(event: &Event) -> bool {
    event.body().contains("Rematch: ")
}

/// The challenge of a bot, as somebody sees it.
pub async fn challenge(person: &Person, bot: &str) -> Event {
    person
        .wait("a challenge", |event| {
            event.sender() == bot && event.body().contains("challenges")
        })
        .await
}

/// The code of the table that a text names.
pub fn code_in(text: &str) -> String {
    let (_, tail) = text.split_once('#').unwrap_or_else(|| panic!("no code: {text}"));
    tail.chars().take_while(char::is_ascii_alphanumeric).collect()
}
