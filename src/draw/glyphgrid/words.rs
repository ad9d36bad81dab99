//! GlyphGrid in sentences.

use super::GridScene;
use crate::draw::Prose;
use crate::games::glyphgrid::grid::Pattern;
use crate::games::glyphgrid::piece::Kind;
use crate::games::glyphgrid::square::GridSquare;
use crate::games::glyphgrid::view::{Event, Fate, SideView};
use crate::games::glyphgrid::watch::NearWin;
use crate::{tell, text};

/// The longest name within a sentence.
pub(super) const NAME: usize = 30;

fn names(squares: &[GridSquare]) -> Vec<String> {
    squares.iter().map(GridSquare::to_string).collect()
}

/// "Core d1; Shards a2 c2 e2 g2; marks d1".
pub(super) fn army(side: &SideView) -> String {
    let part = |one: &str, several: &str, squares: &[GridSquare]| match squares {
        [] => format!("no {several}"),
        [square] => format!("{one} {square}"),
        many => format!("{several} {}", names(many).join(" ")),
    };
    let core = side
        .core
        .map_or_else(|| "Core captured".to_owned(), |core| format!("Core {core}"));
    let shards = part("Shard", "Shards", &side.shards);
    let marks = part("mark", "marks", &side.marks);
    format!("{core}; {shards}; {marks}")
}

/// What is asked and what presses, or how it ended. No name is longer than `longest`.
pub(super) fn status(scene: &GridScene<'_>, longest: usize) -> String {
    let said = [scene.call(longest), notes(scene, longest)];
    said.join(" ").trim_end().to_owned()
}

/// What else presses.
pub(super) fn notes(scene: &GridScene<'_>, longest: usize) -> String {
    let view = scene.view;
    let Some(side) = view.to_move else {
        return String::new();
    };
    let player = scene.short_name(view.side(side).seat, longest);
    let rival = scene.short_name(view.side(side.other()).seat, longest);
    let mut notes = warnings(scene, &player, &rival);
    if view.occurrences == 2 {
        notes.push("This position has come up twice; the third time is a draw.".to_owned());
    }
    let left = view.move_limit.saturating_sub(view.moves);
    if left <= 20 {
        let moves = text::counted(left, "move", "moves");
        notes.push(format!("The game is drawn in {moves}."));
    }
    notes.join(" ")
}

/// What the player to move must not overlook, and what that player is close to.
fn warnings(scene: &GridScene<'_>, player: &str, rival: &str) -> Vec<String> {
    let view = scene.view;
    let Some(side) = view.to_move else {
        return Vec::new();
    };
    let (own, enemy) = (view.side(side), view.side(side.other()));
    let mut warnings = Vec::new();
    if let Some(core) = own.core
        && !view.alarm.attackers.is_empty()
    {
        let attackers: Vec<String> = view
            .alarm
            .attackers
            .iter()
            .map(|attack| format!("{} {} by {}", attack.kind, attack.from, attack.glyph))
            .collect();
        warnings.push(format!(
            "Danger: the Core on {core} could be captured next turn ({}).",
            attackers.join(", ")
        ));
    }
    if let Some(near) = near_text(&enemy.near) {
        warnings.push(format!("{rival} is one mark from winning: {near}."));
        if !view.alarm.completes.is_empty() {
            let squares = text::either(names(&view.alarm.completes));
            warnings.push(format!("That can happen next turn, on {squares}!"));
        }
    } else if !view.alarm.completes.is_empty() {
        // The pending inversion is the first of two marks.
        warnings.push(format!(
            "Danger: with the mark that turns, {rival} could win next turn on {}.",
            text::either(names(&view.alarm.completes))
        ));
    }
    if let Some(near) = near_text(&own.near) {
        warnings.push(format!("{player} is one mark from winning: {near}."));
    }
    warnings
}

/// "a fourth in a row on e3; any sixth mark".
fn near_text(near: &[NearWin]) -> Option<String> {
    let on = |pattern: Pattern| -> Vec<String> {
        let fitting = near.iter().filter(|near| near.pattern == pattern);
        let mut squares: Vec<GridSquare> = fitting.filter_map(|near| near.missing).collect();
        squares.sort_unstable();
        squares.dedup();
        names(&squares)
    };
    let mut parts = Vec::new();
    for (pattern, what) in [
        (Pattern::Line, "four in a row"),
        (Pattern::Block, "a square of four"),
    ] {
        let squares = on(pattern);
        if !squares.is_empty() {
            parts.push(format!("{what} on {}", text::either(&squares)));
        }
    }
    if near.iter().any(|near| near.pattern == Pattern::Dominion) {
        parts.push("a sixth mark anywhere".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What happened, with warnings for the player whose turn it is now.
pub(super) fn narrate(events: &[Event]) -> Prose {
    let mut prose = narrate_moves(events);
    for event in events {
        if let Event::Turn { seat, alarm } = event {
            let rival = seat.next(2);
            if !alarm.attackers.is_empty() {
                prose.sentence(tell!(
                    "Danger: {player}'s Core could be captured next turn.",
                    player = *seat
                ));
            }
            if !alarm.completes.is_empty() {
                let squares = text::either(names(&alarm.completes));
                prose.sentence(tell!(
                    "{rival} threatens to win with a mark on {squares}.",
                    rival,
                    squares
                ));
            }
        }
    }
    prose
}

/// What happened, without warnings.
pub(super) fn narrate_moves(events: &[Event]) -> Prose {
    let mut prose = Prose::new();
    for event in events {
        prose.sentence(sentence(event));
    }
    prose
}

const fn with(kind: Kind) -> &'static str {
    match kind {
        Kind::Core => "the Core",
        Kind::Shard => "a Shard",
    }
}

/// "3 marks".
fn count(marks: u8) -> String {
    text::counted(marks, "mark", "marks")
}

fn sentence(event: &Event) -> Prose {
    match event {
        Event::Moved {
            seat,
            piece,
            glyph,
            from,
            to,
            captured,
            inverts,
        } => {
            let (player, piece, glyph) = (*seat, with(*piece), glyph.to_string());
            let (from, to) = (from.to_string(), to.to_string());
            let rival = seat.next(2);
            match captured {
                Some(taken) => tell!(
                    "{player} moves {piece} from {from} to {to} ({glyph}) and captures {rival}'s {taken}.",
                    player,
                    piece,
                    from,
                    to,
                    glyph,
                    rival,
                    taken = taken.to_string()
                ),
                None if *inverts => tell!(
                    "{player} moves {piece} from {from} to {to} ({glyph}), onto {rival}'s mark, which turns next turn if \
                     the piece is still there.",
                    player,
                    piece,
                    from,
                    to,
                    glyph,
                    rival
                ),
                None => tell!(
                    "{player} moves {piece} from {from} to {to} ({glyph}).",
                    player,
                    piece,
                    from,
                    to,
                    glyph
                ),
            }
        }
        Event::Pushed {
            seat,
            piece,
            from,
            to,
            pushed,
            fate,
        } => {
            let (player, rival) = (*seat, seat.next(2));
            let (piece, pushed) = (with(*piece), pushed.to_string());
            let (from, to) = (from.to_string(), to.to_string());
            match fate {
                Fate::Moved(square) => tell!(
                    "{player} moves {piece} from {from} to {to} (PULSE) and pushes {rival}'s {pushed} to {square}.",
                    player,
                    piece,
                    from,
                    to,
                    rival,
                    pushed,
                    square = square.to_string()
                ),
                Fate::OffBoard => tell!(
                    "{player} moves {piece} from {from} to {to} (PULSE) and captures {rival}'s {pushed} by pushing it off \
                     the board.",
                    player,
                    piece,
                    from,
                    to,
                    rival,
                    pushed
                ),
                Fate::Crushed(square) => tell!(
                    "{player} moves {piece} from {from} to {to} (PULSE) and captures {rival}'s {pushed} by pushing it \
                     against the piece on {square}.",
                    player,
                    piece,
                    from,
                    to,
                    rival,
                    pushed,
                    square = square.to_string()
                ),
            }
        }
        Event::Marked {
            seat,
            piece,
            from,
            at,
            turned,
            marks,
        } => {
            let (player, rival) = (*seat, seat.next(2));
            let (piece, marks, at) = (with(*piece), count(*marks), at.to_string());
            let from = from.to_string();
            if from != at {
                tell!(
                    "{player} moves {piece} from {from} to {at} (ANCHOR) and claims {rival}'s mark: {marks} now.",
                    player,
                    piece,
                    from,
                    at,
                    rival,
                    marks
                )
            } else if *turned {
                tell!(
                    "{player} claims {rival}'s mark on {at} under {piece} (ANCHOR): {marks} now.",
                    player,
                    rival,
                    at,
                    piece,
                    marks
                )
            } else {
                tell!(
                    "{player} marks {at} under {piece} (ANCHOR): {marks} now.",
                    player,
                    at,
                    piece,
                    marks
                )
            }
        }
        Event::Inverted { seat, at, marks } => tell!(
            "The mark on {at} turns to {player}: {marks} now.",
            at = at.to_string(),
            player = *seat,
            marks = count(*marks)
        ),
        Event::Swapped { seat } => tell!(
            "{player} swaps sides and plays Sun from now on; {rival} answers with Moon.",
            player = *seat,
            rival = seat.next(2)
        ),
        Event::Turn { .. } => Prose::new(),
        Event::Left { seat } => tell!("{player} leaves the game.", player = *seat),
    }
}
