//! The game of `examples/own_game.rs`: it keeps the laws, and with it there are more games than a row of buttons holds.
//!
//! A program of its own, because whoever adds a game to the catalog adds it for the whole program.

#[allow(dead_code, reason = "the program is not run here")]
#[path = "../../examples/own_game.rs"]
mod own_game;
#[path = "../room/mod.rs"]
mod room;
#[path = "../support/mod.rs"]
mod support;

mod once;

use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::sync::Once;

use own_game::Breakthrough;
use parlor::catalog::{self, Entry};
use parlor::game::{OptionValues, Seed};
use room::Room;
use support::call::called;
use support::case::{cases, for_all};
use support::guided::guided;
use support::law::Broken;
use support::leaving::leaving;
use support::noise::noisy;
use support::orderly::orderly;
use support::secrecy::secrecy;
use support::story::{Company, Story};
use support::tampered::tampered;
use support::touched::touched;
use support::toy::Toy;
use support::toy::flaw::ILLEGIBLE;

/// The game as the catalog knows it.
fn entry() -> &'static Entry {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| catalog::add(Entry::of::<Breakthrough>()).unwrap());
    catalog::find("breakthrough").unwrap()
}

#[test]
fn the_game_keeps_every_law() {
    for_all(&cases(entry(), 12), |case| {
        let all = || {
            let story = Story::play(case, Company::Stays)?;
            orderly(case, &story, 12)?;
            secrecy(case, &story, 3, 0)?;
            story.visit(case, 6, |spot| {
                noisy(spot, 60)?;
                guided(spot)?;
                called(spot)?;
                touched(spot)?;
                tampered(spot, 20, usize::MAX)
            })?;
            leaving(case, &Story::play(case, Company::Leaves)?)
        };
        all().map_err(|broken: Broken| broken.to_string())
    });
}

#[test]
fn its_example_is_a_move() {
    let (seed, meta) = (Seed::from_text("own"), entry().meta);
    let options = OptionValues::defaults(meta.options);
    let mut table = entry().open(&options, 2, &seed).unwrap();
    let seat = table.awaiting().seats().iter().next().unwrap();
    table.play(seat, meta.example, &seed, 1).unwrap();
}

#[test]
fn a_name_is_given_once() {
    entry();
    let again = catalog::add(Entry::of::<Breakthrough>()).unwrap_err();
    assert_eq!(again.to_string(), "there is a game `breakthrough` already");
}

/// What the program in a process of its own is asked.
const LINE: &str = "OWN_GAME_LINE";

/// The program of the example: it does something only where the test below starts it.
#[test]
fn as_a_program() {
    if let Ok(line) = std::env::var(LINE) {
        let line = line.split(' ').map(OsString::from);
        parlor::cli::run_line([Entry::of::<Breakthrough>()], line);
    }
}

#[test]
fn the_tools_of_the_command_line_know_it() {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "as_a_program", "--nocapture"]);
    let output = program.env(LINE, "parlor perft breakthrough --depth 1").output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    // Six men in front have three ways, and the two at the edges have two.
    assert!(
        said.lines().any(|line| line.split(' ').next_back() == Some("22")),
        "{output:?}"
    );
}

/// The program with a game whose card file is broken, where the test below starts it; its code is the last thing it says.
#[test]
fn as_a_program_with_a_broken_file() {
    if let Ok(line) = std::env::var(BROKEN_LINE) {
        let line = line.split(' ').map(OsString::from);
        let ended = parlor::cli::run_line([Entry::of::<Toy<ILLEGIBLE>>()], line);
        println!("{ended:?}");
    }
}

const BROKEN_LINE: &str = "BROKEN_GAME_LINE";

#[test]
fn a_broken_card_file_ends_the_program_with_file_and_line_before_anything_is_opened() {
    for line in ["parlor", "parlor serve", "parlor perft phwar --depth 1"] {
        let home = tempfile::tempdir().unwrap();
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "as_a_program_with_a_broken_file", "--nocapture"]);
        let output = program.env(BROKEN_LINE, line).current_dir(home.path()).output();
        let output = output.unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        let told = complaint.lines().find(|told| told.starts_with("parlor: "));
        let told = told.unwrap_or_else(|| panic!("{line}: {output:?}"));
        assert!(
            told.starts_with("parlor: toy: toy.cards, line 4: "),
            "{line}: {told}"
        );
        let said = String::from_utf8_lossy(&output.stdout);
        let failed = format!("{:?}", ExitCode::FAILURE);
        assert!(said.contains(&failed), "{line}: {said}");
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0, "{line}");
    }
}

#[tokio::test]
async fn six_games_are_offered_in_a_menu() {
    entry();
    let room = Room::new();
    for line in ["games", "open", "challenge", "practice", "challenge bot"] {
        let said = room.says("ann", line).await;
        let menu = &said.reply.message.menu;
        assert_eq!(menu.len(), catalog::games().len(), "{line}: {}", said.text);
        let own = menu
            .iter()
            .find(|button| button.command.ends_with("breakthrough"));
        room.says("ann", &own.unwrap().command).await;
    }
}

#[tokio::test]
async fn it_is_played_in_a_room() {
    entry();
    let room = Room::new();
    let code = room.says("ann", "challenge @bea breakthrough order").await.code();
    room.says("bea", &format!("accept #{code}")).await;
    room.says("ann", "b2-b3").await.answers("Played");
    room.hears("moves to b3 from b2").await;
}
