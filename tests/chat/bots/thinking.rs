//! Thinking holds up nobody, is thrown away when it is not wanted, and is taken up again after a restart.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parlor::ai::{Errand, Thought};
use parlor::catalog::Table;
use parlor::game::Seat;
use parlor::matches::state::Stage;
use parlor::matches::think_pool::Thinker;
use parlor::matches::time::Span;

use super::puppet::Puppet;
use super::{boards, is_awaited, legal, nobody_wrote_to_bots, the_bot};
use crate::room::Room;
use crate::room::world::FakeClock;

#[tokio::test]
async fn a_move_is_played_at_once_and_the_bot_has_the_turn() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    assert_eq!(boards(&room.heard_at("parlour").await), 1);
    let action = legal(&room, &code, "ann").remove(0);
    let said = room.says("ann", &format!("move #{code} {action}")).await;
    said.answers("Played").answers("bot/2.1 is thinking …");
    puppet.is_asked(1).await;
    assert_eq!(room.play_of(&code).entries, 1);
    room.says("ann", &format!("move #{code} {action}"))
        .await
        .answers("isn't your turn. Waiting for bot/2.1.");
    puppet.let_go();
}

#[tokio::test]
async fn whoever_has_turned_away_is_called() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.any_move(&code).await;
    room.heard_at("parlour").await;
    puppet.is_asked(1).await;
    room.clock.forward(Span::minutes(10));
    puppet.let_go();
    room.bots_reply(&code).await;
    assert_eq!(room.hears(", your move").await.message.ping.len(), 1);
}

#[tokio::test]
async fn ten_matches_think_and_everybody_else_is_answered() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let mut codes = Vec::new();
    for number in 0..10 {
        let (who, level) = (format!("p{number}"), 1 + number % 5);
        let line = format!("challenge bot phwar order level={level}");
        let code = room.says(&who, &line).await.code();
        let action = legal(&room, &code, &who).remove(0);
        room.says(&who, &format!("move #{code} {action}"))
            .await
            .answers("thinking");
        codes.push(code);
    }
    puppet.is_asked(1).await;
    // All threads that think are held; none of these needs one.
    room.says("ann", "games").await.answers("The games");
    let code = room.match_of("ann", "bea", "none").await;
    room.any_move(&code).await;
    room.says("p0", &format!("board #{}", codes[0]))
        .await
        .answers("is thinking");
    room.says("p1", "matches").await.answers("is thinking");
    assert_eq!(puppet.stopped.load(Ordering::SeqCst), 0);
    puppet.let_go();
    for (number, code) in codes.iter().enumerate() {
        room.bots_reply(code).await;
        assert!(is_awaited(&room, code, &format!("p{number}")));
    }
    assert_eq!(
        puppet.asked.load(Ordering::SeqCst),
        10,
        "each was thought of once"
    );
}

#[tokio::test]
async fn a_reply_to_what_is_no_longer_so_is_thrown_away() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.any_move(&code).await;
    puppet.is_asked(1).await;
    // The bot agrees at once to a takeback, and stops thinking.
    room.says("ann", &format!("undo #{code}")).await.answers("Agreed");
    room.hears("is undone").await;
    while puppet.stopped.load(Ordering::SeqCst) < 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(is_awaited(&room, &code, "ann"));
    room.any_move(&code).await;
    puppet.is_asked(2).await;
    room.says("ann", &format!("resign #{code} sure")).await;
    let ended = room.hears("resigned").await;
    assert_eq!(boards(std::slice::from_ref(&ended)), 1);
    // What had not been shown is told with the end.
    assert!(ended.text.contains("ann"), "{}", ended.text);
    while puppet.stopped.load(Ordering::SeqCst) < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    puppet.let_go();
    assert!(matches!(room.the_match(&code).stage, Stage::Over(..)));
    assert_eq!(room.heard_at("parlour").await.len(), 0);
}

#[tokio::test]
async fn a_restart_in_the_middle_of_thinking_resumes() {
    let puppet = Puppet::held();
    let mut room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.heard_at("parlour").await;
    room.any_move(&code).await;
    puppet.is_asked(1).await;
    let again = Puppet::free();
    room.restart_with_bots(Some(Arc::<Puppet>::clone(&again)));
    room.bots_reply(&code).await;
    let heard = room.heard_at("parlour").await;
    assert_eq!((heard.len(), boards(&heard)), (2, 1), "{heard:#?}");
    assert_eq!(room.play_of(&code).entries, 2);
    // Whatever the first one still thinks of, nobody hears.
    puppet.let_go();
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    assert_eq!(room.play_of(&code).entries, 4);
    assert_eq!(again.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_bot_is_never_late_and_never_reminded() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order live 1m").await.code();
    room.any_move(&code).await;
    room.later(Span::days(30)).await;
    assert!(room.is_running(&code));
    room.says("ann", &format!("claim #{code}"))
        .await
        .answers("nothing to claim");
    puppet.let_go();
    room.bots_reply(&code).await;
    // Ann's own clock stood still meanwhile, and runs now.
    assert!(room.is_running(&code));
    room.later(Span::minutes(2)).await;
    room.hears("ran out of time").await;
    nobody_wrote_to_bots(&room);
}

#[tokio::test]
async fn a_pause_stops_thinking_and_going_on_begins_it_anew() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.any_move(&code).await;
    puppet.is_asked(1).await;
    room.says("ann", &format!("pause #{code}"))
        .await
        .answers("Agreed");
    while puppet.stopped.load(Ordering::SeqCst) < 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    puppet.let_go();
    room.says("ann", &format!("resume #{code}"))
        .await
        .answers("goes on");
    room.bots_reply(&code).await;
    assert_eq!(room.play_of(&code).entries, 2);
}

/// Takes its time, by a clock that only it moves.
struct Slow {
    clock: Arc<FakeClock>,
    takes: Span,
}

impl Thinker for Slow {
    fn think(&self, table: &dyn Table, seat: Seat, _: &Errand<'_>, _: Duration) -> Option<Thought<String>> {
        self.clock.forward(self.takes);
        Some(Thought {
            action: table.legal(seat).into_iter().next()?,
            chances: None,
            simulations: 1,
        })
    }
}

/// How long a reply takes in a game, by the clock on the wall, if thinking takes so long.
async fn reply_time(game: &str, takes: Span) -> Duration {
    let mut room = Room::new();
    let slow = Slow {
        clock: Arc::clone(&room.clock),
        takes,
    };
    room.restart_with_bots(Some(Arc::new(slow)));
    let (begun, started) = (room.service().now(), tokio::time::Instant::now());
    let said = room.says("ann", &format!("challenge bot {game}")).await;
    said.answers("is thinking …");
    // Nothing else sleeps here, so the runtime's time goes by for the reply alone.
    room.service().outbox.news().await;
    Duration::from(room.service().now().since(begun)) + started.elapsed()
}

#[tokio::test(start_paused = true)]
async fn where_hands_are_hidden_the_pace_tells_nothing() {
    let mut times = Vec::new();
    for takes in [0, 1, 40, 300] {
        times.push(reply_time("phase", Span(takes)).await);
    }
    // Timers are exact to the millisecond.
    let beat = Duration::from_millis(750)..=Duration::from_millis(751);
    assert!(times.iter().all(|time| beat.contains(time)), "{times:?}");
}

/// Writes down how long it might have thought.
#[derive(Default)]
struct Hurried(std::sync::Mutex<Vec<Duration>>);

impl Thinker for Hurried {
    fn think(
        &self,
        table: &dyn Table,
        seat: Seat,
        _: &Errand<'_>,
        time: Duration,
    ) -> Option<Thought<String>> {
        self.0.lock().unwrap().push(time);
        Some(Thought {
            action: table.legal(seat).into_iter().next()?,
            chances: None,
            simulations: 100,
        })
    }
}

#[tokio::test(start_paused = true)]
async fn the_bots_at_a_table_share_the_time_of_a_reply() {
    let first_share = async |line: &str| {
        let hurried = Arc::new(Hurried::default());
        let room = Room::with_bots(Some(Arc::<Hurried>::clone(&hurried)));
        let code = room.says("ann", line).await.code();
        if is_awaited(&room, &code, "ann") {
            room.any_move(&code).await;
        }
        room.bots_reply(&code).await;
        // A long thought begins with a look.
        let times = hurried.0.lock().unwrap();
        let look = Duration::from_millis(600);
        *times.iter().find(|time| **time != look).expect("a thought")
    };
    let alone = first_share("challenge bot phwar order level=5").await;
    let two = first_share("challenge bot bot phwar order level=5").await;
    assert!(alone > Duration::from_secs(8), "{alone:?}");
    assert!(two < Duration::from_millis(4_600), "{two:?}");
    // Four bots choose a first resource, and their turns may follow.
    let four = first_share("challenge bot bot bot bot phase order level=5").await;
    assert!(four < Duration::from_millis(900), "{four:?}");
}

#[tokio::test]
async fn a_bot_whose_thinking_fails_still_moves() {
    struct Broken;
    impl Thinker for Broken {
        fn think(&self, _: &dyn Table, _: Seat, _: &Errand<'_>, _: Duration) -> Option<Thought<String>> {
            panic!("a test: thinking breaks off");
        }
    }
    struct Wrong;
    impl Thinker for Wrong {
        fn think(&self, _: &dyn Table, _: Seat, _: &Errand<'_>, _: Duration) -> Option<Thought<String>> {
            Some(Thought {
                action: "no such move".to_owned(),
                chances: None,
                simulations: 0,
            })
        }
    }
    let thinkers: [Arc<dyn Thinker>; 2] = [Arc::new(Broken), Arc::new(Wrong)];
    for thinker in thinkers {
        let room = Room::with_bots(Some(thinker));
        let code = room.says("ann", "challenge bot phwar order").await.code();
        room.any_move(&code).await;
        room.bots_reply(&code).await;
        assert!(is_awaited(&room, &code, "ann"));
        assert_eq!(the_bot(&room, &code).as_str(), "bot:2.1");
    }
}
