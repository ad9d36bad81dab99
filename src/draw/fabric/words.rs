//! Phase-Fabric in words: the text board, the alt text, the narration.

use super::{FabricScene, call};
use crate::draw::prose::lines;
use crate::draw::{ALT_LIMIT, Prose, TEXT_COLUMNS};
use crate::game::Seat;
use crate::games::fabric::cell::Cell;
use crate::games::fabric::field::OVERLOAD;
use crate::games::fabric::piece::{Facing, Kind, Piece};
use crate::games::fabric::view::{Beam, Chord, Event, Hot, PieceView, View, Wreck};
use crate::tell;
use crate::text::{self, counted};

/// The longest name within a line.
pub const NAME: usize = 22;

fn name(scene: &FabricScene<'_>, seat: Seat) -> String {
    scene.short_name(seat, NAME)
}

pub fn text(scene: &FabricScene<'_>) -> String {
    let view = scene.view;
    let mut text = grid(view);
    text.push_str("\nA1 player 1's Anchor, P2 player 2's Prism, ^>v< Relays;\n");
    text.push_str("then the cell's energy: ! is one short of 5, * explodes\n");
    for seat in Seat::all(2) {
        let score = view.scores[seat.index()];
        let who = name(scene, seat);
        text.push_str(&format!("{seat} {who}: {score} of {}\n", view.target));
    }
    let said = format!("{}{}", scene.marks.sentence(), scene.call(NAME));
    text.push_str(&lines(&said, TEXT_COLUMNS, "  "));
    let notes = call::notes(scene);
    if !notes.is_empty() {
        text.push('\n');
        text.push_str(&notes);
    }
    text
}

/// The board with north at the top: five columns a cell.
fn grid(view: &View) -> String {
    let mut text = String::new();
    for rank in (0..view.size).rev() {
        text.push_str(&format!("{:>2} ", rank + 1));
        for file in 0..view.size {
            let cell = Cell::at(file, rank);
            let energy = view.energy_at(cell);
            let piece = view.piece_at(cell).map_or(" .".to_owned(), sign);
            let mark = match energy {
                0..4 => ' ',
                4 => '!',
                _ => '*',
            };
            text.push_str(&format!("{piece}{energy:>2}{mark}"));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let files: Vec<String> = (0..view.size)
        .map(|file| char::from(b'a' + file).to_string())
        .collect();
    text.push_str(&format!("    {}\n", files.join("    ")));
    text
}

fn sign(piece: &PieceView) -> String {
    let sign = match piece.piece {
        Piece::Anchor => 'A',
        Piece::Prism => 'P',
        Piece::Relay(Facing::North) => '^',
        Piece::Relay(Facing::East) => '>',
        Piece::Relay(Facing::South) => 'v',
        Piece::Relay(Facing::West) => '<',
    };
    format!("{sign}{}", piece.seat)
}

pub fn alt(scene: &FabricScene<'_>) -> String {
    let view = scene.view;
    let mut text = format!("Phase-Fabric, {0} by {0}, north up. ", view.size);
    text.push_str(&scene.marks.sentence());
    for seat in Seat::all(2) {
        let who = name(scene, seat);
        let score = view.scores[seat.index()];
        text.push_str(&format!(
            "{who}, {}: {}. ",
            counted(score, "point", "points"),
            holdings(view, seat)
        ));
    }
    text.push_str(&energy_rows(view));
    let status = format!("{} {}", scene.call(NAME), call::notes(scene));
    let status = status.trim_end();
    let last = narrate(scene.recent).plain(|seat| name(scene, seat));
    // The last turn is told elsewhere too; the position is not.
    if text.len() + last.len() + status.len() < ALT_LIMIT && !last.is_empty() {
        text.push_str(&last);
        text.push(' ');
    }
    text.push_str(status);
    text::cut(&text, ALT_LIMIT)
}

/// "Anchors a1 b2; Relays d4 N; Prisms none".
fn holdings(view: &View, seat: Seat) -> String {
    let part = |kind: Kind| {
        let own = view
            .pieces
            .iter()
            .filter(|piece| piece.seat == seat && piece.piece.kind() == kind);
        let cells: Vec<String> = own
            .map(|piece| match piece.piece.facing() {
                Some(facing) => format!("{}{}", piece.cell, facing.letter()),
                None => piece.cell.to_string(),
            })
            .collect();
        let cells = if cells.is_empty() {
            "none".to_owned()
        } else {
            cells.join(" ")
        };
        format!("{}s {cells}", kind.name())
    };
    Kind::ALL.map(part).join("; ")
}

/// The energy of every cell, a row of digits a rank.
fn energy_rows(view: &View) -> String {
    if view.energy.iter().flatten().all(|&energy| energy == 0) {
        return "No cell has energy. ".to_owned();
    }
    let digit = |energy: &u8| char::from_digit(u32::from(*energy), 10).unwrap_or('+');
    let row = |(rank, row): (usize, &Vec<u8>)| {
        format!("{} {}", rank + 1, row.iter().map(digit).collect::<String>())
    };
    let rows: Vec<String> = view.energy.iter().enumerate().rev().map(row).collect();
    let mut text = format!("Energy by row, from a: {}. ", rows.join(", "));
    let hazards: Vec<Cell> = view
        .cells()
        .filter(|&cell| view.energy_at(cell) >= OVERLOAD)
        .collect();
    if !hazards.is_empty() {
        text.push_str(&format!(
            "Whatever is placed on or next to {} is destroyed at once. ",
            list(&hazards)
        ));
    }
    text
}

/// "d4", "d4 and e4", "d4, e4, f4 and 3 more".
fn list(cells: &[Cell]) -> String {
    const NAMED: usize = 4;
    let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
    text::list_some(&names, NAMED)
}

/// What was placed, what blew up, and the points.
pub fn narrate(events: &[Event]) -> Prose {
    let mut prose = Prose::new();
    let mut chords: &[Chord] = &[];
    let mut placed = None;
    for event in events {
        match event {
            Event::Placed {
                seat,
                piece,
                at,
                sends,
                fed,
            } => {
                placed = Some((*at, *piece));
                let (name, at) = (piece.kind().a_name(), at.to_string());
                prose.sentence(match piece.facing() {
                    Some(facing) => tell!(
                        "{player} places {name} on {at}, sending {sends} {facing}.",
                        player = *seat,
                        name,
                        at,
                        sends = sends.to_string(),
                        facing = facing.to_string()
                    ),
                    None => tell!("{player} places {name} on {at}.", player = *seat, name, at),
                });
                prose.sentence(fed_through(fed));
            }
            Event::Detonated {
                seat,
                cells,
                wrecks,
                points,
                starved,
            } => {
                prose.sentence(detonation(*seat, placed, cells, wrecks, *points));
                prose.sentence(starving(starved));
            }
            Event::Resonated { chords: sounding } => chords = sounding,
            Event::Scored { scores, .. } => prose.sentence(points(chords, *scores)),
            Event::Left { seat } => prose.sentence(tell!("{player} leaves the game.", player = *seat)),
        }
    }
    prose
}

/// "d4 overloads and destroys two of Bea's pieces (+4)."
fn detonation(
    mover: Seat,
    placed: Option<(Cell, Piece)>,
    cells: &[Hot],
    wrecks: &[Wreck],
    points: u16,
) -> Prose {
    let hot: Vec<Cell> = cells.iter().map(|hot| hot.cell).collect();
    let (several, hot) = (hot.len() > 1, list(&hot));
    let points = points.to_string();
    let destroyed = match (wrecks, placed) {
        ([], _) if several => return tell!("{hot} overload with nothing near to destroy.", hot),
        ([], _) => return tell!("{hot} overloads with nothing near to destroy.", hot),
        ([only], Some((at, piece))) if only.cell == at => {
            tell!("the new {piece}", piece = piece.kind().name())
        }
        _ => destroyed(mover, wrecks),
    };
    if several {
        tell!(
            "{hot} overload and destroy {destroyed} (+{points}).",
            hot,
            destroyed,
            points
        )
    } else {
        tell!(
            "{hot} overloads and destroys {destroyed} (+{points}).",
            hot,
            destroyed,
            points
        )
    }
}

/// "two of Bea's pieces and one of Ann's own".
fn destroyed(mover: Seat, wrecks: &[Wreck]) -> Prose {
    let own = wrecks.iter().filter(|wreck| wreck.seat == mover).count();
    let (own, theirs, rival) = (own, wrecks.len() - own, mover.next(2));
    match (own, theirs) {
        (0, _) => tell!("{theirs} of {rival}'s pieces", theirs = number(theirs), rival),
        (_, 0) => tell!("{own} of {mover}'s own pieces", own = number(own), mover),
        (..) => tell!(
            "{theirs} of {rival}'s pieces and {own} of {mover}'s own",
            theirs = number(theirs),
            rival,
            own = number(own),
            mover
        ),
    }
}

/// What is sent through a new Relay to others.
fn fed_through(beams: &[Beam]) -> Prose {
    match beams {
        [] => Prose::new(),
        [only] => tell!(
            "Through it, the Relay on {relay} now sends {sends} {facing}.",
            relay = only.relay.to_string(),
            sends = only.sends.to_string(),
            facing = only.facing.to_string()
        ),
        several => tell!(
            "Through it, the Relays on {relays} now send more.",
            relays = relays(several)
        ),
    }
}

/// What Relays still send whose Anchors are gone.
fn starving(beams: &[Beam]) -> Prose {
    match beams {
        [] => Prose::new(),
        [only] => tell!(
            "Without its Anchors, the Relay on {relay} now sends {sends} {facing}.",
            relay = only.relay.to_string(),
            sends = only.sends.to_string(),
            facing = only.facing.to_string()
        ),
        several => tell!(
            "Without their Anchors, the Relays on {relays} now send less.",
            relays = relays(several)
        ),
    }
}

fn relays(beams: &[Beam]) -> String {
    let cells: Vec<Cell> = beams.iter().map(|beam| beam.relay).collect();
    list(&cells)
}

/// "one", "12".
fn number(count: usize) -> String {
    const SMALL: [&str; 11] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let small = SMALL.get(count);
    small.map_or(count.to_string(), |&word| word.to_owned())
}

/// What Prisms scored, and the score: "Ann's Prisms score 1. Ann 5, Bob 9."
fn points(chords: &[Chord], scores: [u16; 2]) -> Prose {
    let mut prose = Prose::new();
    for seat in Seat::all(2) {
        let own = chords.iter().filter(|chord| chord.seat == seat);
        let points: u16 = own.map(|chord| chord.points()).sum();
        if points > 0 {
            prose.sentence(tell!(
                "{player}'s Prisms score {points}.",
                player = seat,
                points = points.to_string()
            ));
        }
    }
    let [one, two] = scores;
    prose.sentence(tell!(
        "{first} {one}, {second} {two}.",
        first = Seat::new(0),
        one = one.to_string(),
        second = Seat::new(1),
        two = two.to_string()
    ));
    prose
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::fabric::cell::CellSet;

    fn told(events: &[Event]) -> String {
        narrate(events).plain(|seat| ["Ann", "Bob"][seat.index() & 1].to_owned())
    }

    fn at(name: &str) -> Cell {
        Cell::named(name).expect("a cell")
    }

    #[test]
    fn a_turn_is_told_in_whole_sentences() {
        let (ann, bob) = (Seat::new(0), Seat::new(1));
        let relay = Event::Placed {
            seat: ann,
            piece: Piece::Relay(Facing::East),
            at: at("d4"),
            sends: 5,
            fed: Vec::new(),
        };
        let wreck = |name: &str, seat| Wreck {
            cell: at(name),
            seat,
            piece: Piece::Prism,
        };
        let bang = Event::Detonated {
            seat: ann,
            cells: ["e4", "f4"]
                .map(|name| Hot {
                    cell: at(name),
                    energy: 5,
                })
                .to_vec(),
            wrecks: vec![wreck("d4", ann), wreck("e5", bob), wreck("g4", bob)],
            points: 5,
            starved: Vec::new(),
        };
        let sound = Event::Resonated {
            chords: vec![Chord {
                cell: at("a2"),
                seat: bob,
                north_south: 2,
                east_west: 1,
            }],
        };
        let score = Event::Scored {
            gained: [5, 3],
            scores: [31, 18],
        };
        assert_eq!(
            told(&[relay.clone(), bang, sound, score]),
            "Ann places a Relay on d4, sending 5 east. e4 and f4 overload and destroy two of Bob's pieces and one of Ann's \
             own (+5). Bob's Prisms score 3. Ann 31, Bob 18."
        );
        assert_eq!(
            told(std::slice::from_ref(&relay)),
            "Ann places a Relay on d4, sending 5 east."
        );
        let hazard = Event::Detonated {
            seat: ann,
            cells: vec![Hot {
                cell: at("e4"),
                energy: 5,
            }],
            wrecks: vec![wreck("d4", ann)],
            points: 1,
            starved: Vec::new(),
        };
        assert_eq!(
            told(&[relay, hazard]),
            "Ann places a Relay on d4, sending 5 east. e4 overloads and destroys the new Relay (+1)."
        );
        assert_eq!(told(&[]), "");
    }

    #[test]
    fn relays_that_lose_their_anchors_are_told() {
        let beam = |name: &str, sends| Beam {
            relay: at(name),
            facing: Facing::West,
            sends,
        };
        let bang = |starved: Vec<Beam>| Event::Detonated {
            seat: Seat::new(0),
            cells: vec![Hot {
                cell: at("e4"),
                energy: 5,
            }],
            wrecks: Vec::new(),
            points: 0,
            starved,
        };
        let one = told(&[bang(vec![beam("h4", 1)])]);
        assert!(
            one.ends_with("Without its Anchors, the Relay on h4 now sends 1 west."),
            "{one}"
        );
        let two = told(&[bang(vec![beam("h4", 1), beam("a1", 2)])]);
        assert!(
            two.ends_with("Without their Anchors, the Relays on h4 and a1 now send less."),
            "{two}"
        );
    }

    #[test]
    fn cells_are_listed_and_counted() {
        let cells: Vec<Cell> = CellSet::board(8).iter().collect();
        assert_eq!(list(&cells[..1]), "a1");
        assert_eq!(list(&cells[..4]), "a1, a2, a3 and a4");
        assert_eq!(list(&cells[..7]), "a1, a2, a3, a4 and 3 more");
    }
}
