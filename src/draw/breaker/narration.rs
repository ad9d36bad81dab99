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

/// "Circuit II: 3 to 1."
fn power(circuit: Circuit, [one, two]: [u8; 2]) -> Prose {
    tell!(
        "Circuit {circuit}: {one} to {two}.",
        circuit = circuit.to_string(),
        one = one.to_string(),
        two = two.to_string()
    )
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
            socket: beside,
            circuit,
            power: powers,
            by,
        } => {
            let (player, block, number, socket) = (*seat, kind.a_title(), number.to_string(), beside.clone());
            let mut told = match by {
                Means::Action => tell!(
                    "{player} adds {block} to {socket} as block {number}.",
                    player,
                    block,
                    socket,
                    number
                ),
                Means::Command => tell!(
                    "{player}'s AUTOMATE adds {block} to {socket} as block {number}.",
                    player,
                    block,
                    socket,
                    number
                ),
            };
            let circuit_name = circuit.to_string();
            if kind.power() > 0 {
                told.sentence(power(*circuit, *powers));
            } else if circuit_name != *beside {
                told.sentence(tell!("It's on circuit {circuit}.", circuit = circuit_name));
            }
            told
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
            power: powers,
            ..
        } => {
            let (number, kind_title) = (number.to_string(), kind.title());
            let (player, from, to) = (*seat, from.clone(), to.clone());
            let mut told = if seat == owner {
                tell!(
                    "{player} moves block {number} ({kind}) from {from} to {to}.",
                    player,
                    number,
                    kind = kind_title,
                    from,
                    to
                )
            } else {
                tell!(
                    "{player} moves {owner}'s block {number} ({kind}) from {from} to {to}.",
                    player,
                    owner = *owner,
                    number,
                    kind = kind_title,
                    from,
                    to
                )
            };
            if kind.power() > 0 && left != circuit {
                for circuit in [*left, *circuit] {
                    let powers = powers.map(|of_seat| of_seat[circuit as usize]);
                    told.sentence(power(circuit, powers));
                }
            }
            told
        }
        Event::Annihilated(gone) => {
            let Gone {
                seat, owner, number, ..
            } = gone;
            let (player, number, kind) = (*seat, number.to_string(), gone.kind.title());
            let mut told = if seat == owner {
                tell!(
                    "{player} removes their own block {number} ({kind}) from the game.",
                    player,
                    number,
                    kind
                )
            } else {
                tell!(
                    "{player} removes {owner}'s block {number} ({kind}) from the game.",
                    player,
                    owner = *owner,
                    number,
                    kind
                )
            };
            told.sentence(power(gone.circuit, gone.power));
            told
        }
        Event::Returned(gone) => {
            let Gone {
                seat, owner, number, ..
            } = gone;
            let (player, number, kind) = (*seat, number.to_string(), gone.kind.title());
            let mut told = if seat == owner {
                tell!(
                    "{player} returns their own block {number} ({kind}) to the supply.",
                    player,
                    number,
                    kind
                )
            } else {
                tell!(
                    "{player} returns {owner}'s block {number} ({kind}) to the supply.",
                    player,
                    owner = *owner,
                    number,
                    kind
                )
            };
            told.sentence(power(gone.circuit, gone.power));
            told
        }
        Event::Kept {
            seat,
            owner,
            face,
            back,
        } => {
            let (player, kept) = (*seat, faces(&[*face]));
            let mut told = if seat == owner {
                tell!("{player} keeps {kept}.", player, kept)
            } else {
                tell!("{player} leaves {owner} {kept}.", player, owner = *owner, kept)
            };
            if !back.is_empty() {
                told.sentence(tell!("Back to the supply: {blocks}.", blocks = faces(back)));
            }
            told
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
