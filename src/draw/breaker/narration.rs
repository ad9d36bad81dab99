//! What happened in Breaker Blocks, told in sentences.

use super::super::Prose;
use crate::games::breaker::Event;
use crate::games::breaker::event::{BlockFace, Gone, Means};
use crate::games::breaker::socket::Circuit;
use crate::prose;

/// Everything in order.
pub(super) fn narrate(events: &[Event]) -> Prose {
    let mut prose = Prose::new();
    let mut rest = events;
    while let Some(event) = rest.first() {
        // Several draws in a row are one sentence.
        let mut drawn = Vec::new();
        if let Event::Drew { seat, by, .. } = event {
            let same =
                |event: &&Event| matches!(event, Event::Drew { seat: s, by: b, .. } if s == seat && b == by);
            drawn = rest.iter().take_while(same).filter_map(face_of).collect();
            let verb = match by {
                Means::Action => " draws ",
                Means::Command => " takes ",
            };
            prose.sentence(prose![*seat, verb, faces(&drawn), "."]);
        } else {
            prose.sentence(sentence(event));
        }
        rest = &rest[drawn.len().max(1)..];
    }
    prose
}

fn face_of(event: &Event) -> Option<BlockFace> {
    match event {
        Event::Drew { face, .. } => Some(*face),
        _ => None,
    }
}

/// "a 2L, an AGITATE (face down) and 2 face-down commands".
fn faces(faces: &[BlockFace]) -> String {
    let hidden = faces.iter().filter(|face| face.kind().is_none()).count();
    let mut names: Vec<String> = faces
        .iter()
        .filter_map(|face| match face {
            BlockFace::Up(kind) => Some(kind.a_title()),
            BlockFace::Down(kind) => kind.map(|kind| format!("{} (face down)", kind.a_title())),
        })
        .collect();
    match hidden {
        0 => {}
        1 => names.push("a face-down command".to_owned()),
        count => names.push(format!("{count} face-down commands")),
    }
    match names.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

fn stands(circuit: Circuit, [one, two]: [u8; 2]) -> String {
    format!("circuit {circuit} stands {one}–{two}")
}

fn sentence(event: &Event) -> Prose {
    match event {
        Event::Drew { seat, face, .. } => prose![*seat, " draws ", faces(&[*face]), "."],
        Event::Added {
            seat,
            kind,
            number,
            socket,
            circuit,
            power,
            by,
        } => {
            let how = match by {
                Means::Action => " adds ",
                Means::Command => " lets AUTOMATE play ",
            };
            let effect = if kind.power() > 0 {
                format!(": {}.", stands(*circuit, *power))
            } else {
                format!(", in circuit {circuit}.")
            };
            prose![
                *seat,
                how,
                kind.a_title(),
                format!(" as block {number} into {socket}{effect}")
            ]
        }
        Event::Moved {
            seat,
            owner,
            kind,
            number,
            from,
            to,
            left,
            circuit,
            power,
            ..
        } => {
            let block = format!("block {number} ({})", kind.title());
            let mut prose = if seat == owner {
                prose![*seat, format!(" moves {block}")]
            } else {
                prose![*seat, " moves ", *owner, format!("'s {block}")]
            };
            prose.push(format!(" from {from} to {to}"));
            if kind.power() > 0 && left != circuit {
                let both = |circuit: Circuit| {
                    stands(circuit, [power[0][circuit as usize], power[1][circuit as usize]])
                };
                prose.push(format!(": {}, {}.", both(*left), both(*circuit)));
            } else {
                prose.push(".");
            }
            prose
        }
        Event::Annihilated(block) => gone(block, "removes", "from the game"),
        Event::Returned(block) => gone(block, "returns", "to the supply"),
        Event::Kept {
            seat,
            owner,
            face,
            back,
        } => {
            let back = match back.len() {
                0 => "nothing goes back".to_owned(),
                1 => format!("{} goes back to the supply", faces(back)),
                _ => format!("{} go back to the supply", faces(back)),
            };
            if seat == owner {
                prose![*seat, format!(" keeps {}; {back}.", faces(&[*face]))]
            } else {
                prose![
                    *seat,
                    " leaves ",
                    *owner,
                    format!(" {}; {back}.", faces(&[*face]))
                ]
            }
        }
        Event::NoEffect { kind, .. } => prose![format!("{} has nothing to act on.", kind.title())],
        Event::ShutIn { seat } => prose![*seat, " has no open socket left and can add nothing more."],
        Event::Passed { seat, whole: true } => prose![*seat, " passes."],
        Event::Passed { seat, whole: false } => prose![*seat, " passes the second action."],
        Event::Skipped { seat } => prose![
            *seat,
            " can neither draw nor add a power block and misses a turn; the next turn is the last."
        ],
        Event::Left { seat } => prose![*seat, " leaves the game."],
    }
}

/// "Ann removes Bob's block 7 (2L) from the game: …".
fn gone(gone: &Gone, does: &str, where_to: &str) -> Prose {
    let block = format!("block {} ({})", gone.number, gone.kind.title());
    let effect = format!(" {where_to}: {}.", stands(gone.circuit, gone.power));
    if gone.seat == gone.owner {
        prose![gone.seat, format!(" {does} their own {block}"), effect]
    } else {
        prose![
            gone.seat,
            format!(" {does} "),
            gone.owner,
            format!("'s {block}"),
            effect
        ]
    }
}
