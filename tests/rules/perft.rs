//! Perft: the number of sequences of actions, for every block of every `tests/data/*.perft`.
//!
//! ```text
//! # comment
//! game phwar
//! seats 2
//! set centre=on
//! after F3-F5; F9-F7
//! 1 53
//! 2 2610
//! ```
//! Blocks are apart by blank lines. `after` names actions that are played from the opening first, each by
//! the seat that is awaited; then follow lines of depth and count.

use std::fs;

use crate::support::golden::data;
use parlor::catalog::{self, Table};
use parlor::game::{OptionValues, Seed};

/// How many sequences of exactly `depth` actions there are, in a game that is written out again for a test.
pub fn count_sequences<P: Clone>(
    position: &P,
    depth: u32,
    legal: fn(&P) -> Vec<String>,
    play: fn(&mut P, &str),
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let actions = legal(position);
    if depth == 1 {
        return actions.len() as u64;
    }
    let after = |action: &String| {
        let mut next = position.clone();
        play(&mut next, action);
        count_sequences(&next, depth - 1, legal, play)
    };
    actions.iter().map(after).sum()
}

#[test]
fn as_many_sequences_of_actions_as_the_data_say() {
    let mut files: Vec<_> = fs::read_dir(data(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "perft"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there are no perft data");
    let mut counts = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let blocks =
            read(&fs::read_to_string(&file).unwrap()).unwrap_or_else(|error| panic!("{name}:{error}"));
        for block in blocks {
            let counted = block
                .counts
                .iter()
                .map(|count| (name.clone(), block.clone(), count.clone()));
            counts.extend(counted);
        }
    }
    crate::support::case::for_all(&counts, |(name, block, count)| {
        let at = |line: usize, error: String| format!("{name}:{line}: {error}");
        let table = block.table().map_err(|(line, error)| at(line, error))?;
        let found = table.perft(count.depth);
        if found == count.leaves {
            Ok(())
        } else {
            Err(at(
                count.line,
                format!(
                    "{} expected at depth {}, {found} found",
                    count.leaves, count.depth
                ),
            ))
        }
    });
}

/// One position with its counts.
#[derive(Clone, Default, Debug)]
struct Block {
    line: usize,
    game: String,
    seats: Option<u8>,
    settings: Vec<(String, String)>,
    after: Vec<(usize, String)>,
    counts: Vec<Count>,
}

#[derive(Clone, Debug)]
struct Count {
    line: usize,
    depth: u32,
    leaves: u64,
}

/// Reads a file; an error begins with its line.
fn read(text: &str) -> Result<Vec<Block>, String> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            open = false;
            continue;
        }
        let fail = |what: &str| Err(format!("{number}: {what}: `{line}`"));
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        if word == "game" {
            if open {
                return fail("a block has one game; leave a blank line before the next");
            }
            blocks.push(Block {
                line: number,
                game: rest.to_owned(),
                ..Block::default()
            });
            open = true;
            continue;
        }
        let Some(block) = blocks.last_mut().filter(|_| open) else {
            return fail("a block begins with its game");
        };
        match word {
            "seats" => match rest.parse() {
                Ok(seats) => block.seats = Some(seats),
                Err(_) => return fail("no number of seats"),
            },
            "set" => match rest.split_once('=') {
                Some((name, value)) => block.settings.push((name.to_owned(), value.to_owned())),
                None => return fail("an option is written NAME=VALUE"),
            },
            "after" => {
                let actions = rest.split(';').map(str::trim).filter(|action| !action.is_empty());
                block
                    .after
                    .extend(actions.map(|action| (number, action.to_owned())));
            }
            depth => match (depth.parse(), rest.parse()) {
                (Ok(depth), Ok(leaves)) => block.counts.push(Count {
                    line: number,
                    depth,
                    leaves,
                }),
                _ => return fail("neither a setting nor a depth with its count"),
            },
        }
    }
    match blocks.iter().find(|block| block.counts.is_empty()) {
        Some(block) => Err(format!("{}: a block without counts", block.line)),
        None => Ok(blocks),
    }
}

impl Block {
    /// The position that is counted from, or the line that can't be played.
    fn table(&self) -> Result<Box<dyn Table>, (usize, String)> {
        let here = |error: &dyn std::fmt::Display| (self.line, error.to_string());
        let entry = catalog::find(&self.game).map_err(|error| here(&error))?;
        let pairs = self
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let options = OptionValues::choose(entry.meta.options, pairs).map_err(|error| here(&error))?;
        let seed = Seed::from_text("perft");
        let seats = self.seats.unwrap_or(*entry.meta.seats.start());
        let mut table = entry.open(&options, seats, &seed).map_err(|error| here(&error))?;
        for (step, (line, action)) in self.after.iter().enumerate() {
            let seat = table.awaiting().seats().iter().next();
            let seat = seat.ok_or_else(|| (*line, format!("the game is over before `{action}`")))?;
            table
                .play(seat, action, &seed, step as u64 + 1)
                .map_err(|error| (*line, format!("`{action}`: {error}")))?;
        }
        Ok(table)
    }
}

#[test]
fn a_broken_data_file_is_named_with_its_line() {
    let error = |text: &str| read(text).unwrap_err();
    assert_eq!(error("# head\n1 55"), "2: a block begins with its game: `1 55`");
    assert_eq!(
        error("game phwar\n1 many"),
        "2: neither a setting nor a depth with its count: `1 many`"
    );
    assert_eq!(
        error("game phwar\nseats two"),
        "2: no number of seats: `seats two`"
    );
    assert_eq!(
        error("game phwar\nset centre"),
        "2: an option is written NAME=VALUE: `set centre`"
    );
    assert_eq!(error("\ngame phwar\n"), "2: a block without counts");
    assert_eq!(
        error("game phwar\n1 55\ngame phwar\n1 55"),
        "3: a block has one game; leave a blank line before the next: `game phwar`"
    );
    let table = |text: &str| read(text).unwrap()[0].table().err().unwrap();
    assert_eq!(table("game phwar\nafter F3-F5; F3-F5\n1 1").0, 2);
    assert!(table("game chess\n1 20").1.contains("no game `chess`"));
}

#[test]
fn the_counts_after_each_first_action_add_up() {
    let opening = read("game phwar\n1 55\n").unwrap()[0].table().unwrap();
    let first = opening.awaiting().seats().iter().next().unwrap();
    let after = |action: &String| {
        let text = format!("game phwar\nafter {action}\n1 1\n");
        read(&text).unwrap()[0].table().unwrap().perft(1)
    };
    assert_eq!(opening.legal(first).iter().map(after).sum::<u64>(), 2818);
}
