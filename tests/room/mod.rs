//! A room full of people without any platform: a store in memory, a clock that is set by hand, chance
//! that repeats, and what is said read like a chat.
//!
//! Everything that is said is held to the rules of the house (see [`house_rules`]), whatever the test is
//! about.

// Every test binary uses its own share of this.
#![allow(dead_code, reason = "every test program uses another part of it")]

pub mod world;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use parlor::chat::command::{self, People};
use parlor::chat::message::{Inline, LONGEST_COMMAND, Message};
use parlor::chat::parlor::{Input, Parlor, Reply, Request};
use parlor::game::{GameRng, Seat};
use parlor::matches::change::table_of;
use parlor::matches::code::Code;
use parlor::matches::delivery::{Delivery, To};
use parlor::matches::people::{PlayerId, RoomId};
use parlor::matches::port::Space;
use parlor::matches::repository;
use parlor::matches::service::{Beat, Service};
use parlor::matches::state::{Match, Play, Stage};
use parlor::matches::think_pool::Thinker;
use parlor::matches::time::Span;

use tokio::task::JoinHandle;
use world::{FakeClock, FixedEntropy, TestStore};

/// The longest text that Discord takes.
pub const LONGEST_TEXT: usize = 2000;

/// A player by a short name: `ann` is on the platform "local", `other/cy` on "other".
pub fn player(name: &str) -> PlayerId {
    let (platform, name) = name.split_once('/').unwrap_or(("local", name));
    PlayerId::new(platform, name)
}

/// A room by a short name, like a player.
pub fn room(name: &str) -> RoomId {
    let (platform, name) = name.split_once('/').unwrap_or(("local", name));
    RoomId::new(platform, name)
}

/// What a player or room is called in these tests.
pub fn short(id: &PlayerId) -> String {
    match id.parts() {
        ("local", name) => name.to_owned(),
        (platform, name) => format!("{platform}/{name}"),
    }
}

/// Everybody with a plain name can be mentioned.
pub struct Phonebook(pub &'static str);

impl People for Phonebook {
    fn find(&self, word: &str) -> Option<PlayerId> {
        let name = word.strip_prefix('@').unwrap_or(word);
        let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        (plain && name.len() <= 8 && name != "everyone").then(|| PlayerId::new(self.0, name))
    }
}

/// What somebody types, read with the people of their platform.
pub fn typed(who: &PlayerId, line: &str) -> Input {
    let people = Phonebook(if who.platform() == "other" {
        "other"
    } else {
        "local"
    });
    Input::line(line, &people)
}

/// The house with its rooms.
pub struct Room {
    pub store: Arc<TestStore>,
    pub clock: Arc<FakeClock>,
    pub entropy: Arc<FixedEntropy>,
    pub parlor: Arc<Parlor>,
    /// Who thinks for the bots, if not the one that usually does.
    thinker: Option<Arc<dyn Thinker>>,
    /// Lets the bots play; only in tests that are about them.
    bots: Option<JoinHandle<()>>,
    /// Said, and not yet listened to, by place.
    unheard: Mutex<BTreeMap<String, VecDeque<Heard>>>,
    events: AtomicU64,
}

/// A delivery that has arrived.
#[derive(Clone, Debug)]
pub struct Heard {
    pub delivery: Delivery,
    pub message: Message,
    pub text: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Said {
    pub line: String,
    pub reply: Reply,
    pub text: String,
}

impl Said {
    /// The answer must contain this.
    #[track_caller]
    pub fn answers(&self, part: &str) -> &Self {
        assert!(
            self.text.contains(part),
            "`{}` was answered with:\n{}\nwithout: {part}",
            self.line,
            self.text
        );
        self
    }

    /// The command of the button or menu entry of this label.
    #[track_caller]
    pub fn button(&self, label: &str) -> String {
        button(&self.reply.message, label)
    }

    /// All commands that the answer offers; those of its menu first.
    pub fn commands(&self) -> Vec<String> {
        commands(&self.reply.message)
    }

    /// The first table code in the answer.
    #[track_caller]
    pub fn code(&self) -> Code {
        code_in(&self.text)
    }
}

impl Heard {
    #[track_caller]
    pub fn button(&self, label: &str) -> String {
        button(&self.message, label)
    }
}

#[track_caller]
pub fn button(message: &Message, label: &str) -> String {
    let all = message.buttons.iter().chain(&message.menu);
    let found = all.clone().find(|button| button.label == label);
    let labels: Vec<&str> = all.map(|button| button.label.as_str()).collect();
    found
        .unwrap_or_else(|| panic!("no button `{label}` among {labels:?}"))
        .command
        .clone()
}

pub fn commands(message: &Message) -> Vec<String> {
    let all = message.menu.iter().chain(&message.buttons);
    all.map(|button| button.command.clone()).collect()
}

#[track_caller]
pub fn code_in(text: &str) -> Code {
    let after = text
        .split_once('#')
        .unwrap_or_else(|| panic!("no code in: {text}"))
        .1;
    let letters: String = after.chars().take_while(char::is_ascii_alphanumeric).collect();
    letters.parse().unwrap_or_else(|_| panic!("no code in: {text}"))
}

impl Default for Room {
    fn default() -> Self {
        Self::new()
    }
}

impl Room {
    pub fn new() -> Self {
        Self::with_chance(1)
    }

    /// A house in which chance falls in another way.
    pub fn with_chance(seed: u64) -> Self {
        let store = Arc::new(TestStore::default());
        let clock = Arc::new(FakeClock::default());
        let entropy = Arc::new(FixedEntropy::new(seed));
        let parlor = open_house(&store, &clock, &entropy, None);
        Self {
            store,
            clock,
            entropy,
            parlor,
            thinker: None,
            bots: None,
            unheard: Mutex::default(),
            events: AtomicU64::new(0),
        }
    }

    /// A house in which bots play, by their own wits or by somebody else's.
    pub fn with_bots(thinker: Option<Arc<dyn Thinker>>) -> Self {
        let mut room = Self::new();
        room.restart_with_bots(thinker);
        room
    }

    /// The process ends and starts again: nothing is left but the store.
    pub fn restart(&mut self) {
        if let Some(bots) = self.bots.take() {
            bots.abort();
        }
        self.parlor = open_house(&self.store, &self.clock, &self.entropy, self.thinker.clone());
    }

    /// The same, and bots play in it.
    pub fn restart_with_bots(&mut self, thinker: Option<Arc<dyn Thinker>>) {
        self.thinker = thinker;
        self.restart();
        let service = Arc::clone(self.service());
        self.bots = Some(tokio::spawn(async move {
            service.keep_bots(std::future::pending()).await;
        }));
    }

    /// Waits until no bot is to move in a match.
    pub async fn bots_reply(&self, code: &Code) {
        while matches!(&self.the_match(code).stage, Stage::Running(play) if !play.awaited_bots().is_empty()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Matches have pages from now on.
    pub fn open_pages(&mut self) {
        let parlor = Parlor::new(Arc::clone(self.service()));
        self.parlor = Arc::new(parlor.with_pages("https://parlor.example.org".to_owned()));
    }

    pub fn service(&self) -> &Arc<Service> {
        &self.parlor.service
    }

    /// Somebody says something in the room of their platform.
    pub async fn says(&self, who: &str, line: &str) -> Said {
        let platform = player(who).platform().to_owned();
        self.says_in(&format!("{platform}/parlour"), who, line).await
    }

    pub async fn says_in(&self, place: &str, who: &str, line: &str) -> Said {
        self.request(who, Some(room(place)), line, None).await
    }

    /// Somebody says something that only the bot hears.
    pub async fn whispers(&self, who: &str, line: &str) -> Said {
        self.request(who, None, line, None).await
    }

    /// Somebody says something, and the platform names the event.
    pub async fn says_as_event(&self, who: &str, line: &str, event: &str) -> Said {
        let platform = player(who).platform().to_owned();
        let place = room(&format!("{platform}/parlour"));
        self.request(who, Some(place), line, Some(event.to_owned())).await
    }

    async fn request(&self, who: &str, place: Option<RoomId>, line: &str, event: Option<String>) -> Said {
        let number = self.events.fetch_add(1, Ordering::Relaxed);
        let who = player(who);
        let input = typed(&who, line);
        let request = Request {
            name: who.parts().1.to_owned(),
            who,
            room: place,
            about: None,
            locale: None,
            event: Some(event.unwrap_or_else(|| format!("event {number}"))),
            gone: Vec::new(),
            input,
        };
        self.ask(&request, line).await
    }

    pub async fn ask(&self, request: &Request, line: &str) -> Said {
        let reply = self.parlor.handle(request).await;
        let text = house_rules(&reply.message, line);
        self.keeps_secrets(&reply.message, line);
        Said {
            line: line.to_owned(),
            reply,
            text,
        }
    }

    /// Takes everything out of the outbox.
    pub async fn deliver(&self) {
        loop {
            let rows = self.service().repository().all_undelivered(100).unwrap();
            if rows.is_empty() {
                return;
            }
            for (row, written) in rows {
                let delivery: Delivery = repository::decode(&written).unwrap();
                let message = self.parlor.render(&delivery);
                let text = house_rules(&message, &delivery.key);
                self.keeps_secrets(&message, &delivery.key);
                let place = match &delivery.to {
                    To::Room(room) => room.to_string(),
                    To::Player(player) => player.to_string(),
                };
                self.unheard
                    .lock()
                    .unwrap()
                    .entry(place)
                    .or_default()
                    .push_back(Heard {
                        delivery,
                        message,
                        text,
                    });
                self.service().delivered(&row).await.unwrap();
            }
        }
    }

    /// Everything new at a place: `parlour` is the room of the platform "local", `ann` what only Ann hears.
    pub async fn heard_at(&self, place: &str) -> Vec<Heard> {
        self.deliver().await;
        let (platform, name) = place.split_once('/').unwrap_or(("local", place));
        let mut unheard = self.unheard.lock().unwrap();
        unheard
            .remove(&format!("{platform}:{name}"))
            .unwrap_or_default()
            .into()
    }

    /// Something new in the room must contain this; everything before it is forgotten.
    #[track_caller]
    pub fn hears<'a>(&'a self, part: &'a str) -> impl Future<Output = Heard> + 'a {
        self.hears_at("parlour", part)
    }

    #[track_caller]
    pub fn hears_at<'a>(&'a self, place: &'a str, part: &'a str) -> impl Future<Output = Heard> + 'a {
        let caller = std::panic::Location::caller();
        async move {
            self.deliver().await;
            let (platform, name) = place.split_once('/').unwrap_or(("local", place));
            let mut unheard = self.unheard.lock().unwrap();
            let waiting = unheard.entry(format!("{platform}:{name}")).or_default();
            let mut passed = Vec::new();
            while let Some(heard) = waiting.pop_front() {
                if heard.text.contains(part) {
                    return heard;
                }
                passed.push(heard.text);
            }
            panic!("{caller}: nobody said `{part}` at {place}; only {passed:#?}");
        }
    }

    #[track_caller]
    pub fn the_match(&self, code: &Code) -> Match {
        Match::clone(&self.service().find(code).unwrap())
    }

    /// The codes of all matches and tables there are.
    pub fn codes(&self) -> Vec<Code> {
        let rows = [Space::Matches, Space::Archive].map(|space| self.store.rows(space));
        let codes = rows.iter().flatten().map(|(key, _)| String::from_utf8_lossy(key));
        // What is kept beside a match has a key that is no code.
        codes.filter_map(|code| code.parse().ok()).collect()
    }

    #[track_caller]
    pub fn play_of(&self, code: &Code) -> Play {
        self.the_match(code)
            .play()
            .expect("a match that has begun")
            .clone()
    }

    pub fn is_running(&self, code: &Code) -> bool {
        matches!(self.the_match(code).stage, Stage::Running(_))
    }

    /// Whose turn it is.
    pub fn awaited(&self, code: &Code) -> String {
        let the_match = self.the_match(code);
        let play = the_match.play().expect("a match that has begun");
        let table = table_of(&the_match, play).unwrap();
        let seat = table.awaiting().seats().iter().next().expect("somebody to move");
        short(&play.players[seat.index()])
    }

    /// The other player of two.
    pub fn waiting(&self, code: &Code) -> String {
        let awaited = player(&self.awaited(code));
        let play = self.play_of(code);
        short(play.players.iter().find(|p| **p != awaited).unwrap())
    }

    /// What whoever is to move can do.
    pub fn legal(&self, code: &Code) -> Vec<String> {
        let the_match = self.the_match(code);
        let play = the_match.play().expect("a match that has begun");
        let table = table_of(&the_match, play).unwrap();
        let seat: Option<Seat> = table.awaiting().seats().iter().next();
        seat.map(|seat| table.legal(seat)).unwrap_or_default()
    }

    /// Starts a match of two in which the first named sits first.
    pub async fn match_of(&self, first: &str, second: &str, terms: &str) -> Code {
        self.begin(first, second, &format!("phwar order {terms}")).await
    }

    /// The same in any game, on any terms.
    pub async fn begin(&self, first: &str, second: &str, wishes: &str) -> Code {
        let code = self.challenge(first, second, wishes).await;
        self.hears(&format!("#{code} begins")).await;
        code
    }

    async fn challenge(&self, first: &str, second: &str, wishes: &str) -> Code {
        let line = format!("challenge @{second} {wishes}");
        let code = self.says(first, &line).await.code();
        self.says(second, &format!("accept #{code}"))
            .await
            .answers("begins");
        code
    }

    /// The same, without listening: what is to be said waits in the outbox.
    pub async fn match_of_undelivered(&self, first: &str, second: &str) -> Code {
        self.challenge(first, second, "phwar order").await
    }

    /// Whoever is to move plays the first move there is; returns what was played.
    pub async fn any_move(&self, code: &Code) -> String {
        let action = self.legal(code).remove(0);
        let who = self.awaited(code);
        self.says(&who, &format!("move #{code} {action}"))
            .await
            .answers("Played");
        action
    }

    /// Plays random moves to the end, by typing `move` with the code; how many there were.
    pub async fn play_out(&self, code: &Code, seed: u64) -> usize {
        let mut rng = GameRng::quick(seed);
        let mut count = 0;
        while self.is_running(code) {
            let legal = self.legal(code);
            let action = &legal[rng.below(legal.len())];
            let who = self.awaited(code);
            self.says(&who, &format!("move #{code} {action}"))
                .await
                .answers("Played");
            count += 1;
        }
        count
    }

    /// Time goes by, and the clocks are looked after.
    pub async fn later(&self, span: Span) {
        self.clock.forward(span);
        self.service().beat(Beat::WhenDue).await.unwrap();
        let until = self.service().run_due().await.unwrap();
        assert_eq!(self.service().due(&until).unwrap(), [], "nothing is left to do");
    }

    /// No seed of a match that still runs may be in anything that is said.
    fn keeps_secrets(&self, message: &Message, context: &str) {
        let said = serde_json::to_string(message).unwrap();
        for (_, value) in self.store.rows(Space::Matches) {
            let row = String::from_utf8(value).unwrap();
            if row.contains("\"running\":{\"players\"") {
                let seed = row.split_once("\"seed\":\"").expect("a seed").1;
                assert!(!said.contains(&seed[..64]), "`{context}` told the seed: {said}");
            }
        }
    }
}

fn open_house(
    store: &Arc<TestStore>,
    clock: &Arc<FakeClock>,
    entropy: &Arc<FixedEntropy>,
    thinker: Option<Arc<dyn Thinker>>,
) -> Arc<Parlor> {
    let service = Service::new(
        Arc::<TestStore>::clone(store),
        Arc::<FakeClock>::clone(clock),
        Arc::<FixedEntropy>::clone(entropy),
    );
    let mut service = service.unwrap();
    if let Some(thinker) = thinker {
        service = service.with_thinker(thinker);
    }
    let parlor = Parlor::new(Arc::new(service)).with_review_budget(Duration::from_secs(2));
    Arc::new(parlor)
}

/// What holds for everything that is ever said; returns the text as it is read.
#[track_caller]
pub fn house_rules(message: &Message, context: &str) -> String {
    let text = message.text.plain(short);
    assert!(!text.trim().is_empty(), "`{context}` was answered with nothing");
    let length = text.chars().count();
    assert!(
        length <= LONGEST_TEXT,
        "`{context}`: {length} characters:\n{text}"
    );
    for button in message.buttons.iter().chain(&message.menu) {
        let command = &button.command;
        assert!(
            command.len() <= LONGEST_COMMAND,
            "too long for a button: {command}"
        );
        assert!(
            command::read(command, &Phonebook("local")).is_ok(),
            "a button says `{command}`"
        );
        let label = button.label.chars().count();
        assert!((1..=80).contains(&label), "a button is called `{}`", button.label);
    }
    assert!(
        message.buttons.len() <= 5,
        "`{context}`: one row of buttons is enough"
    );
    for piece in &message.text.0 {
        match piece {
            Inline::Bold(text) | Inline::Code(text) | Inline::Say(text) => {
                assert!(
                    !text.contains(['`', '\n', '\u{202e}']) && !text.is_empty(),
                    "`{context}`: {text:?} could break out of its mark-up"
                );
            }
            Inline::Block(text) => assert!(!text.contains("```"), "`{context}`: {text}"),
            Inline::Plain(text) => {
                assert!(
                    !text.contains('`') && !text.contains("**"),
                    "`{context}`: unread mark-up in {text:?}"
                );
            }
            Inline::Person(_) | Inline::Room(_) | Inline::Link(_) | Inline::When(_) | Inline::Break => {}
        }
    }
    if let Some(picture) = &message.picture {
        assert!(
            !picture.alt.trim().is_empty(),
            "`{context}`: a picture without words"
        );
    }
    text
}
