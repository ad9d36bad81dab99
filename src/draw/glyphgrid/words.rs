//! GlyphGrid in sentences.

use super::GridScene;
use crate::draw::{Prose, font};
use crate::game::Seat;
use crate::games::glyphgrid::End;
use crate::games::glyphgrid::grid::Pattern;
use crate::games::glyphgrid::piece::{Glyph, Kind};
use crate::games::glyphgrid::square::Square;
use crate::games::glyphgrid::view::{Event, Fate, SideView};
use crate::games::glyphgrid::watch::NearWin;
use crate::prose;

/// The longest name within a sentence.
pub(super) const NAME: usize = 30;

/// A player's name, clean and not too long.
pub(super) fn name(scene: &GridScene<'_>, seat: Seat, longest: usize) -> String {
    cut(font::clean(scene.name(seat)), longest)
}

/// The text, or its beginning with an ellipsis.
pub(super) fn cut(text: String, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text;
    }
    let mut start: String = text.chars().take(longest.saturating_sub(1)).collect();
    start.push('…');
    start
}

/// The text in lines of at most so many characters, broken at spaces.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > columns {
            lines.push_str(&line);
            lines.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines + line.as_str()
}

/// "c2, e2 and g2".
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}

/// "Core d1; Shards a2 c2 e2 g2; marks d1".
pub(super) fn army(side: &SideView) -> String {
    let part = |one: &str, several: &str, squares: &[Square]| match squares {
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

/// Whose move it is and what presses, or how it ended. No name is longer than `longest`.
pub(super) fn status(scene: &GridScene<'_>, longest: usize) -> String {
    let view = scene.view;
    let Some(side) = view.to_move else {
        return result(scene, longest);
    };
    let player = name(scene, view.side(side).seat, longest);
    let rival = name(scene, view.side(side.other()).seat, longest);
    let mut text = format!("{player} ({side}) to move.");
    for warning in warnings(scene, &player, &rival) {
        text.push(' ');
        text.push_str(&warning);
    }
    if view.may_swap {
        text.push_str(&format!(
            " Or `swap`, to take over {} and let {rival} answer.",
            side.other()
        ));
    }
    if view.occurrences == 2 {
        text.push_str(" This position has been here before; the third time is a draw.");
    }
    let left = view.move_limit.saturating_sub(view.moves);
    if left <= 20 {
        text.push_str(&format!(" Drawn after {left} more moves."));
    }
    text
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
        let soon = match view.alarm.completes.as_slice() {
            [] => String::new(),
            [square] => format!(" That can happen next turn, on {square}!"),
            squares => format!(
                " That can happen next turn, on {}!",
                alternatives(&names(squares))
            ),
        };
        warnings.push(format!("{rival} is one mark from winning: {near}.{soon}"));
    } else if !view.alarm.completes.is_empty() {
        // The pending inversion is the first of two marks.
        warnings.push(format!(
            "Danger: with the mark that turns, {rival} could win next turn on {}.",
            alternatives(&names(&view.alarm.completes))
        ));
    }
    if let Some(near) = near_text(&own.near) {
        warnings.push(format!("{player} is one mark from winning: {near}."));
    }
    warnings
}

/// "c2, e2 or g2".
fn alternatives(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// "a fourth in a row on e3; any sixth mark".
fn near_text(near: &[NearWin]) -> Option<String> {
    let on = |pattern: Pattern| -> Vec<String> {
        let fitting = near.iter().filter(|near| near.pattern == pattern);
        let mut squares: Vec<Square> = fitting.filter_map(|near| near.missing).collect();
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
            parts.push(format!("{what} on {}", alternatives(&squares)));
        }
    }
    if near.iter().any(|near| near.pattern == Pattern::Dominion) {
        parts.push("a sixth mark anywhere".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// How it ended.
fn result(scene: &GridScene<'_>, longest: usize) -> String {
    let view = scene.view;
    let side_name = |side| {
        let seat = view.side(side).seat;
        format!("{} ({side})", name(scene, seat, longest))
    };
    match view.end {
        Some(End::Captured(side)) => format!("{} wins: the enemy Core is captured.", side_name(side)),
        Some(End::Resonance(side, Pattern::Line)) => {
            format!(
                "{} wins: four marks in a row, {}.",
                side_name(side),
                listed(&names(&view.winning_marks()))
            )
        }
        Some(End::Resonance(side, Pattern::Block)) => {
            format!(
                "{} wins: four marks in a square, {}.",
                side_name(side),
                listed(&names(&view.winning_marks()))
            )
        }
        Some(End::Resonance(side, Pattern::Dominion)) => format!("{} wins with six marks.", side_name(side)),
        Some(End::Surrounded(side)) => {
            format!(
                "{} wins: the enemy Core is surrounded on all four sides.",
                side_name(side)
            )
        }
        Some(End::Immobilised(side)) => format!("{} wins: the enemy Core can't move.", side_name(side)),
        Some(End::Left(seat)) => format!(
            "{} left; {} wins.",
            name(scene, seat, longest),
            name(scene, seat.next(2), longest)
        ),
        Some(End::Repetition) => "Drawn: the same position for the third time.".to_owned(),
        Some(End::MoveLimit) => format!("Drawn: {} moves without a winner.", view.move_limit),
        None => "The game is over.".to_owned(),
    }
}

/// What happened, with warnings for the player whose turn it is now.
pub(super) fn narrate(events: &[Event]) -> Prose {
    let mut prose = narrate_moves(events);
    for event in events {
        if let Event::Turn { seat, alarm } = event {
            let rival = seat.next(2);
            if !alarm.attackers.is_empty() {
                prose.sentence(prose![
                    "Danger: the Core of ",
                    *seat,
                    " could be captured next turn."
                ]);
            }
            if !alarm.completes.is_empty() {
                let squares = alternatives(&names(&alarm.completes));
                prose.sentence(prose![
                    rival,
                    format!(" threatens to win with a mark on {squares}.")
                ]);
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

/// "3 marks now".
fn count(marks: u8) -> String {
    if marks == 1 {
        "1 mark now".to_owned()
    } else {
        format!("{marks} marks now")
    }
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
            let verb = match glyph {
                Glyph::Lance => "darts",
                Glyph::Arc => "leaps",
                Glyph::Vector | Glyph::Pulse | Glyph::Anchor => "steps",
            };
            let start = format!(" {verb} with {} from {from} to {to} ({glyph})", with(*piece));
            let rival = seat.next(2);
            match captured {
                Some(taken) => prose![
                    *seat,
                    start,
                    format!(" and captures {} of ", with(*taken)),
                    rival,
                    "."
                ],
                None if *inverts => prose![
                    *seat,
                    start,
                    ", onto a mark of ",
                    rival,
                    " that turns next turn if the piece is still there.",
                ],
                None => prose![*seat, start, "."],
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
            let end = match fate {
                Fate::Moved(square) => format!(" from {to} to {square}."),
                Fate::OffBoard => format!(" from {to} off the board: captured."),
                Fate::Crushed(square) => format!(" from {to} against the piece on {square}: captured."),
            };
            prose![
                *seat,
                format!(
                    " steps with {} from {from} to {to} (PULSE) and pushes {} of ",
                    with(*piece),
                    with(*pushed)
                ),
                seat.next(2),
                end,
            ]
        }
        Event::Marked {
            seat,
            piece,
            from,
            at,
            turned,
            marks,
        } => {
            let rival = seat.next(2);
            let marks = format!(": {}.", count(*marks));
            if from != at {
                let claim = format!(
                    " steps with {} from {from} to {at} (ANCHOR) and claims the mark of ",
                    with(*piece)
                );
                prose![*seat, claim, rival, marks]
            } else if *turned {
                let turn = format!(" claims {at} under {} (ANCHOR), a mark of ", with(*piece));
                prose![*seat, turn, rival, format!(" before{marks}")]
            } else {
                prose![
                    *seat,
                    format!(" marks {at} under {} (ANCHOR){marks}", with(*piece))
                ]
            }
        }
        Event::Inverted { seat, at, marks } => {
            prose![
                format!("The mark on {at} turns to "),
                *seat,
                format!(": {}.", count(*marks))
            ]
        }
        Event::Swapped { seat } => prose![
            *seat,
            " swaps sides and plays Sun from now on; ",
            seat.next(2),
            " answers with Moon.",
        ],
        Event::Turn { .. } => Prose::new(),
        Event::Left { seat } => prose![*seat, " leaves the game."],
    }
}
