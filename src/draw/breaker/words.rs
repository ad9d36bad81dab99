//! Breaker Blocks in words: status, text board, alt text, hand.

use super::super::prose::lines;
use super::super::{ALT_LIMIT, TEXT_COLUMNS};
use super::BreakerScene;
use super::narration::narrate;
use crate::game::{Seat, Viewer};
use crate::games::breaker::Kind;
use crate::games::breaker::cell::Cell;
use crate::games::breaker::socket::Circuit;
use crate::games::breaker::stock::Stock;
use crate::games::breaker::view::{BlockView, Commands, HandView, View};
use crate::text;

/// The longest name within a sentence.
pub(super) const NAME: usize = 30;

/// The seat of the viewer.
pub(super) fn own_seat(scene: &BreakerScene<'_>) -> Option<Seat> {
    match scene.viewer {
        Viewer::Seat(seat) if seat.index() < 2 => Some(seat),
        Viewer::Seat(_) | Viewer::Public | Viewer::Omniscient => None,
    }
}

/// How a player stands, in a line.
pub(super) fn standing(view: &View, seat: Seat) -> String {
    let circuits = text::counted(view.controls(seat), "circuit", "circuits");
    if view.to_move == Some(seat) {
        let left = match (view.task, view.left) {
            (Some(task), _) => format!("{} acts", task.command().title()),
            (None, left) => format!("{} left", text::counted(left, "action", "actions")),
        };
        return format!("{circuits} · {left}");
    }
    circuits
}

/// What is asked and what presses, or how it ended.
pub(super) fn status(scene: &BreakerScene<'_>) -> String {
    let said = [scene.call(NAME), targets(scene), notes(scene)];
    let said: Vec<&str> = said
        .iter()
        .map(String::as_str)
        .filter(|said| !said.is_empty())
        .collect();
    format!("{}{}", scene.marks.sentence(), said.join(" "))
}

/// The blocks that a command can take, by number.
fn targets(scene: &BreakerScene<'_>) -> String {
    let named = |path: &[String]| match path {
        [verb, number] if verb == "target" => Some(number.clone()),
        _ => None,
    };
    let numbers: Vec<String> = scene.marks.paths().filter_map(named).collect();
    if numbers.is_empty() || !scene.marks.picked().is_empty() {
        return String::new();
    }
    format!("You can choose {}.", text::either(numbers))
}

/// What else presses.
pub(super) fn notes(scene: &BreakerScene<'_>) -> String {
    let view = scene.view;
    if view.to_move.is_none() {
        return String::new();
    }
    let mut notes = Vec::new();
    if let Some(task) = view.task {
        notes.push(format!("Answer as in {}.", task.example()));
    }
    if view.last {
        notes.push("This is the last turn.".to_owned());
    }
    if view.authenticates == 1 {
        notes.push("One more AUTHENTICATE ends the game.".to_owned());
    }
    if view.passed && view.left == 2 && view.task.is_none() {
        notes.push("If you pass this whole turn, the game ends.".to_owned());
    }
    let idle = view.most_idle.saturating_sub(view.idle);
    if idle <= 6 {
        let turns = text::counted(idle, "turn", "turns");
        notes.push(format!(
            "The game ends in {turns} unless a player draws or adds a block."
        ));
    }
    if view.most_turns - view.turn < 20 {
        notes.push(format!("Turn {} of {}.", view.turn, view.most_turns));
    }
    if view.occurrences == Some(2) {
        notes.push("This position has come up twice; the third time ends the game.".to_owned());
    }
    for seat in Seat::all(2) {
        let who = scene.short_name(seat, NAME);
        match view.open_sockets(seat).count() {
            0 => notes.push(format!("{who} has no open socket.")),
            1 if view.blocks.len() > 2 => notes.push(format!("{who} has only one open socket left.")),
            _ => {}
        }
    }
    notes.join(" ")
}

fn list(stock: Stock) -> String {
    let name = |kind: Kind| match stock.count(kind) {
        1 => kind.name().to_owned(),
        count => format!("{count}x {kind}"),
    };
    if stock.is_empty() {
        return "nothing".to_owned();
    }
    stock.kinds().map(name).collect::<Vec<_>>().join(", ")
}

/// "2x 0LFR, 3, agitate (new), 2 face-down commands".
fn hand_text(hand: &HandView) -> String {
    let mut parts = Vec::new();
    let ready = hand.held.minus(hand.fresh);
    if !ready.is_empty() {
        parts.push(list(ready));
    }
    if !hand.fresh.is_empty() {
        parts.push(format!("new: {}", list(hand.fresh)));
    }
    match hand.face_down {
        0 => {}
        count => parts.push(text::counted(count, "face-down command", "face-down commands")),
    }
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join("; ")
    }
}

fn powers(view: &View) -> String {
    let circuit = |circuit: Circuit| {
        let [one, two] = [0, 1].map(|seat: usize| view.power[seat][circuit as usize]);
        format!("{circuit} {one}-{two}")
    };
    Circuit::ALL.map(circuit).join(", ")
}

/// "7 2L in 3F".
fn block_text(block: &BlockView) -> String {
    format!("{} {} in {}", block.number, block.kind, block.into)
}

fn blocks_of(view: &View, seat: Seat) -> impl Iterator<Item = &BlockView> {
    view.blocks.iter().filter(move |block| block.seat == seat)
}

fn open_text(view: &View, seat: Seat) -> String {
    let names: Vec<&str> = view
        .open_sockets(seat)
        .map(|socket| socket.name.as_str())
        .collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(" ")
    }
}

fn commands_text(view: &View) -> String {
    match view.commands {
        Commands::Open(stock) => list(stock),
        Commands::FaceDown(count) => format!("{count} face down"),
    }
}

/// The board in fixed width.
pub(super) fn text(scene: &BreakerScene<'_>) -> String {
    let view = scene.view;
    let mut lines: Vec<String> = Vec::new();
    match map(scene) {
        Some(map) => lines.extend(map),
        None => lines.push("(too wide for a map: the lists below have it all)".to_owned()),
    }
    lines.push(String::new());
    let mut say = |text: String| lines.extend(folded(&text));
    say(format!("Power 1-2: {}", powers(view)));
    for seat in Seat::all(2) {
        let bracket = if seat.index() == 0 { "[n]" } else { "(n)" };
        say(format!("{seat} {bracket} {}", scene.short_name(seat, 40)));
        let blocks: Vec<String> = blocks_of(view, seat).map(block_text).collect();
        let blocks = if blocks.is_empty() {
            "none".to_owned()
        } else {
            blocks.join(", ")
        };
        say(format!("  blocks: {blocks}"));
        say(format!("  open: {}", open_text(view, seat)));
        say(format!("  hand: {}", hand_text(&view.hands[seat.index() % 2])));
        say(format!("  supply: {}", list(view.supply[seat.index() % 2])));
    }
    say(format!("Commands: {}", commands_text(view)));
    say(status(scene));
    lines.join("\n")
}

/// Lines of at most [`TEXT_COLUMNS`] letters, broken between words; later ones are indented.
fn folded(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let indent = text.len() - text.trim_start().len();
    let mut line = " ".repeat(indent);
    for word in text.split_whitespace() {
        let longer = line.chars().count() + 1 + word.chars().count() > TEXT_COLUMNS;
        if longer && !line.trim().is_empty() {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent + 2)));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        // A word that is longer than a line is cut; only a player's name can be.
        line.extend(
            word.chars()
                .take(TEXT_COLUMNS.saturating_sub(line.chars().count())),
        );
    }
    lines.push(line);
    lines
}

/// A map of the table with numbers, oriented like the picture; nothing if it is too wide.
fn map(scene: &BreakerScene<'_>) -> Option<Vec<String>> {
    const CELL: usize = 4;
    let view = scene.view;
    let turned = scene.side.index() == 0;
    let place = |cell: Cell| {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        if turned { (-x, y) } else { (x, -y) }
    };
    let core: Vec<Cell> = (-2..=2).map(|x| Cell::new(x, 0)).collect();
    let cells = || {
        core.iter()
            .copied()
            .chain(view.blocks.iter().map(|block| block.cell))
            .map(place)
    };
    let (left, right) = (cells().map(|(x, _)| x).min()?, cells().map(|(x, _)| x).max()?);
    let (top, bottom) = (cells().map(|(_, y)| y).min()?, cells().map(|(_, y)| y).max()?);
    let columns = usize::try_from(right - left + 1).ok()?;
    if columns * CELL > TEXT_COLUMNS {
        return None;
    }
    let rows = usize::try_from(bottom - top + 1).ok()?;
    let mut grid = vec![vec![' '; columns * CELL]; rows];
    let mut write = |cell: Cell, text: &str| {
        let (x, y) = place(cell);
        let (column, row) = ((x - left) as usize * CELL, (y - top) as usize);
        for (offset, letter) in text.chars().take(CELL).enumerate() {
            grid[row][column + offset] = letter;
        }
    };
    for &cell in &core {
        let circuit = Circuit::ALL.into_iter().find(|circuit| circuit.cell() == cell);
        write(
            cell,
            &circuit.map_or("====".to_owned(), |circuit| format!("{:=^4}", circuit.name())),
        );
    }
    for block in &view.blocks {
        let text = if block.seat.index() == 0 {
            format!("[{}]", block.number)
        } else {
            format!("({})", block.number)
        };
        write(block.cell, &format!("{text:^4}"));
    }
    Some(
        grid.iter()
            .map(|row| row.iter().collect::<String>().trim_end().to_owned())
            .collect(),
    )
}

/// The position in words. What matters most comes first, should it not all fit.
pub(super) fn alt(scene: &BreakerScene<'_>) -> String {
    let view = scene.view;
    let name = |seat| scene.short_name(seat, 20);
    let first = view.path_in_play().unwrap_or(scene.side);
    let near = if first.index() == 1 {
        Seat::new(1)
    } else {
        Seat::new(0)
    };
    let mut parts = vec![
        format!(
            "Breaker Blocks, {} (1) against {} (2). Power: {}.",
            name(Seat::new(0)),
            name(Seat::new(1)),
            powers(view)
        ),
        status(scene),
    ];
    for seat in [near, near.next(2)] {
        let brief = |block: &BlockView| format!("{} {} {}", block.number, block.kind, block.into);
        let blocks: Vec<String> = blocks_of(view, seat).map(brief).collect();
        let blocks = if blocks.is_empty() {
            "none".to_owned()
        } else {
            blocks.join(", ")
        };
        parts.push(format!(
            "Player {seat}'s blocks (number, kind, socket): {blocks}."
        ));
        if seat == near {
            parts.push(format!("Open sockets: {}.", open_text(view, seat)));
        }
        parts.push(format!(
            "Player {seat}'s hand: {}.",
            hand_text(&view.hands[seat.index() % 2])
        ));
    }
    let last = narrate(scene.recent).plain(name);
    if !last.is_empty() {
        parts.push(last);
    }
    parts.push(format!(
        "Supply: player 1 has {}; player 2 has {}; commands {}.",
        list(view.supply[0]),
        list(view.supply[1]),
        commands_text(view)
    ));
    fitted(&parts)
}

/// The parts in a row; what does not fit is left out, and the text says so.
fn fitted(parts: &[String]) -> String {
    const MORE: &str = " There is more in the text board.";
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let limit = if last {
            ALT_LIMIT
        } else {
            ALT_LIMIT - MORE.chars().count()
        };
        let length = text.chars().count() + 1 + part.chars().count();
        if length > limit {
            // What is cut is cut after a whole entry.
            let room = (ALT_LIMIT - MORE.chars().count()).saturating_sub(text.chars().count() + 2);
            let start: String = part.chars().take(room).collect();
            if let Some((whole, _)) = start.rsplit_once(", ") {
                text.push(' ');
                text.push_str(whole);
                text.push('…');
            }
            text.push_str(MORE);
            return text;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// A private hand in words.
pub(super) fn hand(scene: &BreakerScene<'_>, seat: Seat) -> String {
    let mut text = format!("Your hand: {}.", hand_text(&scene.view.hands[seat.index() % 2]));
    if let Some(unseen) = scene.view.unseen {
        text.push_str(&format!(" Commands you can't see: {}.", list(unseen)));
    }
    lines(&text, TEXT_COLUMNS, "  ")
}
