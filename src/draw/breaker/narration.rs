//! What happened in Breaker Blocks, told in sentences.

use super::super::Prose;
use crate::games::breaker::Event;
use crate::games::breaker::event::{BlockFace, Gone, Means};
use crate::games::breaker::socket::Circuit;
use crate::{tell, text};

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
            let blocks = faces(&drawn);
            prose.sentence(match by {
                Means::Action => tell!("{player} draws {blocks}.", player = *seat, blocks),
                Means::Command => tell!("{player} takes {blocks}.", player = *seat, blocks),
            });
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
    if names.is_empty() {
        return "nothing".to_owned();
    }
    text::list(names)
}

fn stands(circuit: Circuit, [one, two]: [u8; 2]) -> String {
    format!("circuit {circuit} stands {one}–{two}")
}

fn sentence(event: &Event) -> Prose {
    match event {
        Event::Drew { seat, face, .. } => {
            tell!("{player} draws {block}.", player = *seat, block = faces(&[*face]))
        }
        Event::Added {
            seat,
            kind,
            number,
            socket,
            circuit,
            power,
            by,
        } => {
            let effect = if kind.power() > 0 {
                stands(*circuit, *power)
            } else {
                format!("it hangs on circuit {circuit}")
            };
            let (block, number, socket) = (kind.a_title(), number.to_string(), socket.clone());
            match by {
                Means::Action => tell!(
                    "{player} adds {block} as block {number} into {socket}: {effect}.",
                    player = *seat,
                    block,
                    number,
                    socket,
                    effect
                ),
                Means::Command => tell!(
                    "{player} lets AUTOMATE add {block} as block {number} into {socket}: {effect}.",
                    player = *seat,
                    block,
                    number,
                    socket,
                    effect
                ),
            }
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
            let block = Prose::from(format!("block {number} ({})", kind.title()));
            let block = if seat == owner {
                block
            } else {
                tell!("{owner}'s {block}", owner = *owner, block)
            };
            let (player, from, to) = (*seat, from.clone(), to.clone());
            if kind.power() == 0 || left == circuit {
                return tell!(
                    "{player} moves {block} from {from} to {to}.",
                    player,
                    block,
                    from,
                    to
                );
            }
            let stands =
                |circuit: Circuit| stands(circuit, [power[0][circuit as usize], power[1][circuit as usize]]);
            tell!(
                "{player} moves {block} from {from} to {to}: {left}, {joined}.",
                player,
                block,
                from,
                to,
                left = stands(*left),
                joined = stands(*circuit)
            )
        }
        Event::Annihilated(gone) => tell!(
            "{player} removes {block} from the game: {effect}.",
            player = gone.seat,
            block = block_of(gone),
            effect = stands(gone.circuit, gone.power)
        ),
        Event::Returned(gone) => tell!(
            "{player} returns {block} to the supply: {effect}.",
            player = gone.seat,
            block = block_of(gone),
            effect = stands(gone.circuit, gone.power)
        ),
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
            let (player, kept) = (*seat, faces(&[*face]));
            if seat == owner {
                tell!("{player} keeps {kept}; {back}.", player, kept, back)
            } else {
                tell!(
                    "{player} leaves {owner} {kept}; {back}.",
                    player,
                    owner = *owner,
                    kept,
                    back
                )
            }
        }
        Event::NoEffect { kind, .. } => {
            tell!("{command} has nothing to act on.", command = kind.title())
        }
        Event::ShutIn { seat } => {
            tell!(
                "{player} has no open socket left and can't add anything more.",
                player = *seat
            )
        }
        Event::Passed { seat, whole: true } => tell!("{player} passes.", player = *seat),
        Event::Passed { seat, whole: false } => tell!("{player} passes the second action.", player = *seat),
        Event::Skipped { seat } => tell!(
            "{player} can neither draw nor add a power block and misses a turn; the next turn is the last.",
            player = *seat
        ),
        Event::Left { seat } => tell!("{player} leaves the game.", player = *seat),
    }
}

/// "their own block 7 (2L)", "Bob's block 7 (2L)".
fn block_of(gone: &Gone) -> Prose {
    let (number, kind) = (gone.number.to_string(), gone.kind.title());
    if gone.seat == gone.owner {
        tell!("their own block {number} ({kind})", number, kind)
    } else {
        tell!(
            "{owner}'s block {number} ({kind})",
            owner = gone.owner,
            number,
            kind
        )
    }
}
