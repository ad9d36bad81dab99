//! What has to be said gets said: in order, once, whatever breaks.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crate::room::Room;
use parlor::chat::link::{Connection, Sending};
use parlor::chat::message::Message;
use parlor::chat::outbox::{Outbox, PostError, Posting, Postman};
use parlor::matches::delivery::{Delivery, To};
use parlor::matches::people::{PlayerId, RoomId};
use parlor::matches::port::{Batch, Space};
use parlor::matches::time::Span;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// A try to post something.
#[derive(Clone, Debug)]
struct Try {
    at: Instant,
    place: String,
    line: String,
    key: String,
    message: Message,
    worked: bool,
}

/// What a place does with the next messages; after that it takes everything.
#[derive(Clone)]
enum Mood {
    Later(Option<Duration>),
    Never,
    Panic,
}

/// A postman who writes down everything.
struct Recorder {
    platform: &'static str,
    tries: Mutex<Vec<Try>>,
    moods: Mutex<HashMap<String, VecDeque<Mood>>>,
    /// How many messages may pass; without limit unless a test closes the door.
    door: Semaphore,
    /// The same for those to players alone.
    letterbox: Semaphore,
    /// Where is noted whether the platform takes what is sent, as adapters do it.
    connection: OnceLock<Arc<Connection>>,
    /// Whether turns that have passed are left out where something had to wait.
    skips: bool,
}

impl Recorder {
    fn new(platform: &'static str) -> Arc<Self> {
        Arc::new(Self {
            platform,
            tries: Mutex::default(),
            moods: Mutex::default(),
            door: Semaphore::new(Semaphore::MAX_PERMITS),
            letterbox: Semaphore::new(Semaphore::MAX_PERMITS),
            connection: OnceLock::new(),
            skips: false,
        })
    }

    /// A platform whose one line is up.
    fn connected(&self, room: &Room) -> &Arc<Connection> {
        let connection = Connection::single(room.service(), self.platform);
        connection.up(0);
        self.connection.get_or_init(|| connection)
    }

    fn mood(&self, place: &str, moods: impl IntoIterator<Item = Mood>) {
        let moods = moods.into_iter().collect();
        self.moods.lock().unwrap().insert(place.to_owned(), moods);
    }

    fn tries(&self) -> Vec<Try> {
        self.tries.lock().unwrap().clone()
    }

    fn arrived(&self) -> Vec<Try> {
        self.tries().into_iter().filter(|tried| tried.worked).collect()
    }
}

fn place_of(to: &To) -> String {
    match to {
        To::Room(room) => room.to_string(),
        To::Player(player) => player.to_string(),
    }
}

/// What keeps its order: what is said of a match in a room, and what is said to a player.
fn line_of(delivery: &Delivery) -> String {
    match &delivery.to {
        To::Room(room) => format!("{room} {}", delivery.code),
        To::Player(player) => player.to_string(),
    }
}

impl Postman for Recorder {
    fn platform(&self) -> &str {
        self.platform
    }

    fn skips_passed_turns(&self) -> bool {
        self.skips
    }

    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a> {
        Box::pin(async move {
            self.door.acquire().await.unwrap().forget();
            if matches!(delivery.to, To::Player(_)) {
                self.letterbox.acquire().await.unwrap().forget();
            }
            let place = place_of(&delivery.to);
            let mood = self
                .moods
                .lock()
                .unwrap()
                .get_mut(&place)
                .and_then(VecDeque::pop_front);
            self.tries.lock().unwrap().push(Try {
                at: Instant::now(),
                place,
                line: line_of(delivery),
                key: delivery.key.clone(),
                message,
                worked: mood.is_none(),
            });
            if let Some(connection) = self.connection.get() {
                let away = matches!(mood, Some(Mood::Later(None)));
                connection.note_sent(&delivery.to, if away { Sending::Fails } else { Sending::Works });
            }
            let why = "as the test wants".to_owned();
            match mood {
                None => Ok(()),
                Some(Mood::Later(after)) => Err(PostError::Later { why, after }),
                Some(Mood::Never) => Err(PostError::Never { why }),
                Some(Mood::Panic) => panic!("{why}"),
            }
        })
    }
}

/// An outbox at work.
struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    fn start(room: &Room, postmen: &[&Arc<Recorder>]) -> Self {
        let postmen = postmen
            .iter()
            .map(|postman| Arc::clone(postman) as Arc<dyn Postman>);
        let outbox = Outbox::new(Arc::clone(&room.parlor), postmen);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            outbox
                .run(async {
                    let _ = stopped.await;
                })
                .await;
        });
        Self { stop, task }
    }

    /// Ends it the way a process is killed.
    async fn kill(self) {
        self.task.abort();
        let _ = self.task.await;
    }

    async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

/// Lets time pass until something is so. Time is the test's own: nobody sleeps.
#[track_caller]
fn until(condition: impl Fn() -> bool) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        for _ in 0..200_000 {
            if condition() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{caller}: it never came true");
    }
}

fn waiting(room: &Room) -> usize {
    room.store.rows(Space::Outbox).len()
}

/// What was to be said in each line, in order.
fn due(room: &Room) -> BTreeMap<String, Vec<String>> {
    let mut due: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, value) in room.store.posted() {
        let delivery: Delivery = serde_json::from_slice(&value).unwrap();
        due.entry(line_of(&delivery)).or_default().push(delivery.key);
    }
    due
}

/// What arrived in each line, in order.
fn arrived(postmen: &[&Arc<Recorder>]) -> BTreeMap<String, Vec<String>> {
    let mut arrived: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for tried in postmen.iter().flat_map(|postman| postman.arrived()) {
        arrived.entry(tried.line).or_default().push(tried.key);
    }
    arrived
}

/// Matches in several rooms on two platforms, a few moves each, and a reminder.
async fn busy_evening(room: &Room) {
    let mut codes = Vec::new();
    for place in ["parlour", "den", "attic"] {
        let code = room.says_in(place, "ann", "open phwar order daily").await.code();
        room.says("other/cy", &format!("join {code}"))
            .await
            .answers("begins");
        codes.push(code);
    }
    for _ in 0..5 {
        for code in &codes {
            room.any_move(code).await;
        }
    }
    room.later(Span::hours(25)).await;
}

#[tokio::test(start_paused = true)]
async fn every_delivery_arrives_once_and_in_order_at_every_place() {
    let room = Room::new();
    let (local, other) = (Recorder::new("local"), Recorder::new("other"));
    let running = Running::start(&room, &[&local, &other]);
    busy_evening(&room).await;
    until(|| waiting(&room) == 0).await;
    let due = due(&room);
    assert!(due.len() >= 5, "{:?}", due.keys());
    assert_eq!(arrived(&[&local, &other]), due);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_place_that_can_be_reached_again_is_not_kept_waiting() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.mood("local:den", vec![Mood::Later(Some(Duration::from_secs(3600)))]);
    let running = Running::start(&room, &[&local]);
    room.says_in("den", "ann", "open phwar").await;
    until(|| local.tries().len() == 1).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(local.tries().len(), 1, "it is left alone");
    // Somewhere else is of no use to it.
    room.service().reachable(&To::Room(crate::room::room("attic")));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(local.tries().len(), 1);
    room.service().reachable(&To::Room(crate::room::room("den")));
    let asked = Instant::now();
    until(|| waiting(&room) == 0).await;
    assert!(Instant::now() - asked < Duration::from_secs(1));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_is_back_gets_at_once_what_waits_for_it() {
    let room = Room::new();
    let (local, other) = (Recorder::new("local"), Recorder::new("other"));
    local.mood("local:den", vec![Mood::Later(None); 8]);
    local.mood("local:attic", [Mood::Later(Some(Duration::from_secs(1000)))]);
    let running = Running::start(&room, &[&local, &other]);
    room.says_in("den", "ann", "open phwar").await;
    room.says_in("attic", "bea", "open phwar").await;
    until(|| local.tries().len() == 9).await;
    let asked = Instant::now();
    // Another platform is of no use to it.
    room.service().outbox.wake("other");
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(local.tries().len(), 9);
    room.service().outbox.wake("local");
    until(|| waiting(&room) == 1).await;
    assert!(Instant::now() - asked < Duration::from_secs(31));
    // Whoever said when to come again is not asked sooner.
    until(|| waiting(&room) == 0).await;
    assert!(Instant::now() - asked > Duration::from_secs(900));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_platform_goes_out_when_an_adapter_has_reached_it_again() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.mood("local:den", vec![Mood::Later(None); 10]);
    let running = Running::start(&room, &[&local]);
    room.service().platform_lost("local");
    room.says_in("den", "ann", "open phwar").await;
    until(|| local.tries().len() == 10).await;
    let back = Instant::now();
    room.later(Span::seconds(10)).await;
    room.service().platform_reached("local");
    until(|| waiting(&room) == 0).await;
    assert!(
        Instant::now() - back < Duration::from_secs(1),
        "it waited for its pause"
    );
    running.stop().await;
}

/// How often something was tried at a place.
fn tries_at(postman: &Recorder, place: &str) -> usize {
    postman
        .tries()
        .iter()
        .filter(|tried| tried.place == place)
        .count()
}

#[tokio::test(start_paused = true)]
async fn one_broken_place_is_its_own_trouble_and_nobody_elses() {
    let room = Room::new();
    let local = Recorder::new("local");
    let connection = local.connected(&room);
    local.mood("local:den", vec![Mood::Later(None); 1000]);
    let running = Running::start(&room, &[&local]);
    room.says_in("den", "ann", "open phwar").await;
    until(|| tries_at(&local, "local:den") == 1).await;
    // It may be everything that is away, for all that is known.
    assert_eq!(connection.lines().sending, Sending::Fails);
    for number in 1..=100 {
        room.says(&format!("guest{number}"), "open phwar").await;
        until(|| tries_at(&local, "local:parlour") == number).await;
        assert_eq!(
            connection.lines().sending,
            Sending::Works,
            "after {number} messages elsewhere, and {} tries in vain",
            tries_at(&local, "local:den")
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(
            !room.service().moment().hours.is_lost("local"),
            "clocks stand still"
        );
    }
    // In these fifty seconds: each pause is twice as long as the one before, or half of that.
    let tries = tries_at(&local, "local:den");
    assert!((6..=8).contains(&tries), "{tries} tries");
    // When nothing at all is taken any more, that is noticed, and when it is over.
    local.mood("local:parlour", vec![Mood::Later(None); 2]);
    room.says("bea", "open phwar").await;
    until(|| tries_at(&local, "local:parlour") == 101).await;
    assert!(room.service().moment().hours.is_lost("local"));
    until(|| tries_at(&local, "local:parlour") == 103).await;
    assert!(!room.service().moment().hours.is_lost("local"));
    running.kill().await;
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_comes_and_goes_is_not_asked_more_often_than_one_that_stays_away() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.mood("local:den", vec![Mood::Later(None); 1000]);
    let running = Running::start(&room, &[&local]);
    room.says_in("den", "ann", "open phwar").await;
    for number in 1..=100 {
        room.service().platform_lost("local");
        room.says(&format!("guest{number}"), "open phwar").await;
        until(|| tries_at(&local, "local:parlour") == number).await;
        room.later(Span::seconds(1)).await;
        room.service().platform_reached("local");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let tries = tries_at(&local, "local:den");
    assert!(tries < 15, "{tries} tries");
    running.kill().await;
}

#[tokio::test(start_paused = true)]
async fn matches_in_a_room_hold_up_each_other_as_little_as_rooms_do() {
    /// A room in which one match can't be shown.
    struct Choosy {
        stuck: Mutex<Option<String>>,
        posted: Mutex<Vec<String>>,
    }
    impl Postman for Choosy {
        fn platform(&self) -> &str {
            "local"
        }

        fn post<'a>(&'a self, delivery: &'a Delivery, _: Message) -> Posting<'a> {
            Box::pin(async move {
                if self.stuck.lock().unwrap().as_deref() == Some(delivery.code.as_str()) {
                    return Err(PostError::Later {
                        why: "as the test wants".to_owned(),
                        after: Some(Duration::from_secs(600)),
                    });
                }
                self.posted.lock().unwrap().push(delivery.key.clone());
                Ok(())
            })
        }
    }
    let room = Room::new();
    let stuck = room.match_of_undelivered("ann", "bea").await;
    let other = room.match_of_undelivered("cy", "dan").await;
    let choosy = Arc::new(Choosy {
        stuck: Mutex::new(Some(stuck.to_string())),
        posted: Mutex::default(),
    });
    let outbox = Outbox::new(
        Arc::clone(&room.parlor),
        [Arc::clone(&choosy) as Arc<dyn Postman>],
    );
    let running = tokio::spawn(async move { outbox.run(std::future::pending()).await });
    for _ in 0..3 {
        room.any_move(&stuck).await;
        room.any_move(&other).await;
    }
    let of = |code: &str| -> Vec<String> {
        let posted = room.store.posted().into_iter();
        let deliveries = posted.map(|(_, value)| serde_json::from_slice::<Delivery>(&value).unwrap());
        let own = deliveries.filter(|delivery| delivery.code.as_str() == code);
        own.map(|delivery| delivery.key).collect()
    };
    until(|| choosy.posted.lock().unwrap().len() == of(other.as_str()).len()).await;
    assert_eq!(*choosy.posted.lock().unwrap(), of(other.as_str()));
    // And each keeps its own order.
    *choosy.stuck.lock().unwrap() = None;
    choosy.posted.lock().unwrap().clear();
    until(|| waiting(&room) == 0).await;
    assert_eq!(*choosy.posted.lock().unwrap(), of(stuck.as_str()));
    running.abort();
}

/// What earlier versions left in a store: all matches of a room in one queue.
#[tokio::test(start_paused = true)]
async fn what_waits_since_an_earlier_version_goes_out_first_and_in_order() {
    let mut room = Room::new();
    let codes = [
        room.match_of_undelivered("ann", "bea").await,
        room.match_of_undelivered("cy", "dan").await,
    ];
    for _ in 0..5 {
        for code in &codes {
            room.any_move(code).await;
        }
    }
    let mut batch = Batch::new();
    for (key, value) in room.store.rows(Space::Outbox) {
        let delivery: Delivery = serde_json::from_slice(&value).unwrap();
        let To::Room(place) = &delivery.to else { continue };
        let old = [format!("room {place}\0").as_bytes(), &key[key.len() - 8..]].concat();
        batch.delete(Space::Outbox, key);
        batch.put(Space::Outbox, old, value);
    }
    // One of them can't be read any more.
    batch.put(
        Space::Outbox,
        [&b"room local:parlour\0"[..], &0_u64.to_be_bytes()].concat(),
        b"{\"from\":\"a later version\"}",
    );
    room.service().store().commit(batch).await.unwrap();
    room.restart();
    // More is said before anything is brought.
    for code in &codes {
        room.any_move(code).await;
    }
    let local = Recorder::new("local");
    let running = Running::start(&room, &[&local]);
    until(|| waiting(&room) == 1).await;
    for code in &codes {
        let of = |keys: Vec<String>| -> Vec<String> {
            let begin = format!("{code}-");
            keys.into_iter().filter(|key| key.starts_with(&begin)).collect()
        };
        let arrived = of(local.arrived().into_iter().map(|tried| tried.key).collect());
        let posted = room.store.posted().into_iter();
        let posted = posted.filter_map(|(_, value)| serde_json::from_slice::<Delivery>(&value).ok());
        let mut due = of(posted.map(|delivery| delivery.key).collect());
        due.sort_by_key(|key| key.rsplit('-').next().unwrap().parse::<u64>().unwrap());
        due.dedup();
        assert!(arrived.len() > 6, "{arrived:?}");
        assert_eq!(arrived, due);
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn turns_that_have_passed_are_left_out_after_a_long_pause_where_the_postman_wants_it() {
    // A place that can't be reached for more than a minute, and one that says when to come again.
    for (mood, times) in [
        (Mood::Later(None), 10),
        (Mood::Later(Some(Duration::from_secs(60))), 3),
    ] {
        let room = Room::new();
        let mut local = Recorder::new("local");
        Arc::get_mut(&mut local).unwrap().skips = true;
        let code = room.match_of_undelivered("ann", "bea").await;
        let running = Running::start(&room, &[&local]);
        until(|| waiting(&room) == 0).await;
        let before = local.arrived().len();
        local.mood("local:parlour", vec![mood; times]);
        for _ in 0..3 {
            room.any_move(&code).await;
        }
        until(|| waiting(&room) == 0).await;
        let arrived = local.arrived().split_off(before);
        let keys: Vec<&str> = arrived.iter().map(|tried| tried.key.as_str()).collect();
        let due = due(&room);
        let line = format!("local:parlour {code}");
        assert_eq!(keys, [due[&line].last().unwrap().as_str()]);
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn players_who_are_hard_to_reach_take_no_place_from_rooms() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.letterbox.forget_permits(Semaphore::MAX_PERMITS);
    let running = Running::start(&room, &[&local]);
    // Two hands at each of these tables.
    for number in 0..local.places() {
        let [place, host, guest] = ["hall", "host", "guest"].map(|name| format!("{name}{number}"));
        let opened = room.says_in(&place, &host, "open breaker variant=blind");
        let code = opened.await.code();
        let joined = room.says_in(&place, &guest, &format!("join {code}")).await;
        joined.answers("begins");
    }
    room.says_in("den", "ann", "open phwar").await;
    until(|| local.arrived().iter().any(|tried| tried.place == "local:den")).await;
    running.kill().await;
}

#[tokio::test(start_paused = true)]
async fn a_place_that_cannot_be_reached_is_tried_with_growing_pauses_and_holds_up_no_other() {
    let room = Room::new();
    let (local, other) = (Recorder::new("local"), Recorder::new("other"));
    local.mood("local:den", vec![Mood::Later(None); 12]);
    let running = Running::start(&room, &[&local, &other]);
    busy_evening(&room).await;
    until(|| !local.tries().is_empty()).await;
    until(|| {
        let mut rows = room.store.rows(Space::Outbox).into_iter();
        rows.all(|(_, value)| String::from_utf8(value).unwrap().contains("local:den"))
    })
    .await;
    let begun = local.tries().iter().map(|tried| tried.at).min().unwrap();
    assert!(
        Instant::now() - begun < Duration::from_secs(2),
        "the others did not wait"
    );
    until(|| waiting(&room) == 0).await;
    assert_eq!(arrived(&[&local, &other]), due(&room));
    let den: Vec<Instant> = (local.tries().iter())
        .filter(|tried| tried.place == "local:den")
        .map(|tried| tried.at)
        .collect();
    let gaps: Vec<f64> = den
        .windows(2)
        .take(12)
        .map(|pair| (pair[1] - pair[0]).as_secs_f64())
        .collect();
    let longest = [
        0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0,
    ];
    // Each is shortened by chance, by up to a half.
    for (gap, longest) in gaps.iter().zip(longest) {
        let near = longest / 2.0 - 0.05..longest + 0.05;
        assert!(near.contains(gap), "{gaps:?}");
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_says_when_to_come_back_is_believed_but_not_hammered() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.mood(
        "local:parlour",
        [
            Mood::Later(Some(Duration::from_secs(7))),
            Mood::Later(Some(Duration::ZERO)),
        ],
    );
    let running = Running::start(&room, &[&local]);
    room.says("ann", "open phwar").await;
    until(|| waiting(&room) == 0).await;
    let tries = local.tries();
    assert_eq!(tries.len(), 3);
    assert!(tries.iter().all(|tried| tried.key == tries[0].key));
    assert!((6.9..7.2).contains(&(tries[1].at - tries[0].at).as_secs_f64()));
    assert!(tries[2].at - tries[1].at >= Duration::from_millis(100));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn after_a_pause_the_next_trouble_starts_small_again() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.mood("local:parlour", vec![Mood::Later(None); 4]);
    let running = Running::start(&room, &[&local]);
    let code = room.match_of_undelivered("ann", "bea").await;
    until(|| waiting(&room) == 0).await;
    local.mood("local:parlour", [Mood::Later(None)]);
    room.any_move(&code).await;
    until(|| waiting(&room) == 0).await;
    let tries = local.tries();
    let last = &tries[tries.len() - 2..];
    assert!(last[1].at - last[0].at < Duration::from_millis(600));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_room_that_is_gone_is_given_up_and_its_players_are_told_how_to_go_on_elsewhere() {
    let room = Room::new();
    let local = Recorder::new("local");
    let running = Running::start(&room, &[&local]);
    let code = room.match_of_undelivered("ann", "bea").await;
    until(|| waiting(&room) == 0).await;
    local.mood("local:parlour", [Mood::Never]);
    room.any_move(&code).await;
    until(|| waiting(&room) == 0).await;
    assert!(room.the_match(&code).rooms.is_empty(), "it is no home any more");
    for player in ["local:ann", "local:bea"] {
        let told = local.arrived().into_iter().find(|tried| tried.place == player);
        let text = told
            .expect("they are told")
            .message
            .text
            .plain(PlayerId::to_string);
        assert!(text.contains(&format!("join #{code}")), "{text}");
    }
    // Every turn is then shown to each of them, and whoever is to move is called.
    let shown_to = |player: &str| {
        let arrived = local.arrived().into_iter();
        arrived.filter(|tried| tried.place == player).collect::<Vec<_>>()
    };
    let before = ["local:ann", "local:bea"].map(|player| shown_to(player).len());
    room.any_move(&code).await;
    until(|| waiting(&room) == 0).await;
    for (player, before) in ["local:ann", "local:bea"].into_iter().zip(before) {
        let shown = shown_to(player);
        assert_eq!(shown.len(), before + 1, "{player}");
        assert!(shown[before].message.picture.is_some(), "{player}");
    }
    assert!(
        room.the_match(&code).rooms.is_empty(),
        "whoever moves captures nothing"
    );
    // A room that lets us in again shows the match by itself.
    let parlour = RoomId::new("local", "parlour");
    room.service().room_returned(&parlour).await.unwrap();
    until(|| waiting(&room) == 0).await;
    assert_eq!(room.the_match(&code).rooms, [parlour]);
    let last = shown_to("local:parlour").pop().unwrap().message;
    assert!(last.picture.is_some() && last.ping.len() == 1, "{last:?}");

    // In another room they go on, too.
    room.says_in("den", "ann", &format!("join {code}"))
        .await
        .answers("in this room too");
    room.any_move(&code).await;
    until(|| waiting(&room) == 0).await;
    let heard = local
        .arrived()
        .into_iter()
        .filter(|tried| tried.place == "local:den");
    assert_eq!(heard.count(), 2, "the board when it is brought, and the move");
    room.says_in("den", "ann", &format!("join {code}"))
        .await
        .answers("I already show match");
    room.says_in("den", "cy", &format!("join {code}"))
        .await
        .answers("begun");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_delivery_that_nobody_can_read_holds_up_no_other() {
    let room = Room::new();
    let local = Recorder::new("local");
    let mut batch = Batch::new();
    batch.put(
        Space::Outbox,
        1_u64.to_be_bytes(),
        b"{\"from\":\"a later version\"}",
    );
    room.service().store().commit(batch).await.unwrap();
    let running = Running::start(&room, &[&local]);
    room.says("ann", "open phwar").await;
    until(|| waiting(&room) == 1).await;
    assert_eq!(local.arrived().len(), 1);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_postman_who_breaks_down_is_sent_again_and_holds_up_nobody() {
    let room = Room::new();
    let local = Recorder::new("local");
    local.mood("local:parlour", [Mood::Panic, Mood::Panic]);
    let running = Running::start(&room, &[&local]);
    room.says("ann", "open phwar").await;
    room.says_in("den", "bea", "open phwar").await;
    until(|| local.arrived().iter().any(|tried| tried.place == "local:den")).await;
    until(|| waiting(&room) == 0).await;
    assert_eq!(arrived(&[&local]), due(&room));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_crash_between_posting_and_noting_it_repeats_the_same_message_under_the_same_key() {
    let mut room = Room::new();
    let local = Recorder::new("local");
    let code = room.match_of_undelivered("ann", "bea").await;
    room.any_move(&code).await;
    let expected = due(&room)["local:parlour"].clone();
    room.store.hang();
    let running = Running::start(&room, &[&local]);
    until(|| local.arrived().len() == 1 && room.store.hanging() == 1).await;
    running.kill().await;
    room.store.lose();
    room.restart();
    // The match goes on before the message goes out again.
    for _ in 0..7 {
        room.any_move(&code).await;
    }
    let running = Running::start(&room, &[&local]);
    until(|| waiting(&room) == 0).await;
    let tries = local.arrived();
    assert_eq!(tries[0].key, expected[0]);
    assert_eq!(tries[1].key, expected[0], "once more");
    assert_eq!(tries[1].message, tries[0].message, "word for word");
    let keys: Vec<String> = tries[1..].iter().map(|tried| tried.key.clone()).collect();
    assert_eq!(keys, due(&room)["local:parlour"], "and then the rest");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn killed_at_any_moment_nothing_is_missing_and_repeats_are_identical() {
    let mut room = Room::new();
    let local = Recorder::new("local");
    let code = room.match_of_undelivered("ann", "bea").await;
    for _ in 0..30 {
        if room.legal(&code).is_empty() {
            break;
        }
        room.any_move(&code).await;
        let running = Running::start(&room, &[&local]);
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        running.kill().await;
        room.restart();
    }
    let running = Running::start(&room, &[&local]);
    until(|| waiting(&room) == 0).await;
    let mut seen: BTreeMap<String, Message> = BTreeMap::new();
    let mut order = Vec::new();
    for tried in local.arrived() {
        match seen.get(&tried.key) {
            Some(message) => assert_eq!(*message, tried.message),
            None => {
                order.push(tried.key.clone());
                seen.insert(tried.key, tried.message);
            }
        }
    }
    assert_eq!(order, due(&room)["local:parlour"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_to_note_it_down_repeats_it_too() {
    let room = Room::new();
    let local = Recorder::new("local");
    room.says("ann", "open phwar").await;
    room.store.break_next(1);
    let running = Running::start(&room, &[&local]);
    until(|| waiting(&room) == 0).await;
    let tries = local.arrived();
    assert_eq!(tries.len(), 2);
    assert_eq!(
        (&tries[0].key, &tries[0].message),
        (&tries[1].key, &tries[1].message)
    );
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_for_a_platform_that_is_not_there_waits_and_blocks_nobody() {
    let mut room = Room::new();
    let (local, other) = (Recorder::new("local"), Recorder::new("other"));
    let running = Running::start(&room, &[&local]);
    busy_evening(&room).await;
    let theirs: usize = (due(&room).iter())
        .filter(|(place, _)| place.starts_with("other"))
        .map(|(_, keys)| keys.len())
        .sum();
    assert!(theirs > 0);
    until(|| waiting(&room) == theirs).await;
    running.stop().await;
    room.restart();
    let running = Running::start(&room, &[&local, &other]);
    until(|| waiting(&room) == 0).await;
    assert_eq!(arrived(&[&local, &other]), due(&room));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn stopping_finishes_the_message_under_way_and_leaves_the_rest_for_the_next_start() {
    let mut room = Room::new();
    let mut local = Recorder::new("local");
    Arc::get_mut(&mut local).unwrap().door = Semaphore::new(0);
    let code = room.match_of_undelivered("ann", "bea").await;
    room.any_move(&code).await;
    room.any_move(&code).await;
    let all = waiting(&room);
    assert!(all >= 4);
    let running = Running::start(&room, &[&local]);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let _ = running.stop.send(());
    tokio::time::sleep(Duration::from_millis(50)).await;
    local.door.add_permits(1000);
    running.task.await.unwrap();
    assert_eq!(local.arrived().len(), 1);
    assert_eq!(waiting(&room), all - 1);
    room.restart();
    let running = Running::start(&room, &[&local]);
    until(|| waiting(&room) == 0).await;
    assert_eq!(arrived(&[&local]), due(&room));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_board_for_the_moment_is_left_out_when_a_newer_one_waits() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot phwar order level=1").await.code();
    for _ in 0..3 {
        room.any_move(&code).await;
        room.bots_reply(&code).await;
    }
    // The start, and three times a move with its reply. Each move was shown for the moment.
    assert_eq!(room.store.posted().len(), 7);
    let local = Recorder::new("local");
    let running = Running::start(&room, &[&local]);
    until(|| local.arrived().len() >= 4).await;
    running.stop().await;
    let texts: Vec<String> = local
        .arrived()
        .iter()
        .map(|tried| tried.message.text.plain(crate::room::short))
        .collect();
    assert_eq!(texts.len(), 4, "{texts:#?}");
    assert!(texts.iter().all(|text| !text.contains("thinking")), "{texts:#?}");
    assert!(
        room.service()
            .repository()
            .all_undelivered(10)
            .unwrap()
            .is_empty()
    );
}

#[tokio::test(start_paused = true)]
async fn a_board_that_may_have_arrived_is_not_left_out() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot phwar order level=1").await.code();
    let local = Recorder::new("local");
    let running = Running::start(&room, &[&local]);
    until(|| !local.arrived().is_empty()).await;
    // The move is posted, but nobody says so; meanwhile the bot replies.
    local.mood("local:parlour", [Mood::Later(Some(Duration::from_secs(60)))]);
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    until(|| local.arrived().len() >= 3).await;
    running.stop().await;
    let tries = local.tries();
    assert_eq!(tries[1].key, tries[2].key, "it is tried again under its key");
    assert!(
        tries[2]
            .message
            .text
            .plain(crate::room::short)
            .contains("thinking")
    );
}

#[tokio::test(start_paused = true)]
async fn nobody_is_reminded_of_a_turn_that_has_passed() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    let local = Recorder::new("local");
    // Nobody can be reached in private for a while.
    for who in ["ann", "bea"] {
        local.mood(&format!("local:{who}"), vec![Mood::Later(None); 3]);
    }
    let running = Running::start(&room, &[&local]);
    room.later(Span::hours(25)).await;
    until(|| local.tries().iter().any(|tried| tried.place == "local:ann")).await;
    // Ann moves after all, and Bea gets her own reminder a day later.
    room.any_move(&code).await;
    room.later(Span::hours(25)).await;
    until(|| waiting(&room) == 0).await;
    running.stop().await;
    let reminded: Vec<String> = local
        .arrived()
        .into_iter()
        .filter(|tried| {
            tried
                .message
                .text
                .plain(crate::room::short)
                .contains("left for your move")
        })
        .map(|tried| tried.place)
        .collect();
    assert_eq!(reminded, ["local:bea"]);
}
