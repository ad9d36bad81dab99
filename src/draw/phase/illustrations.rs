//! Positions that show the rules of Phase.

use crate::draw::Illustration;
use crate::game::Seat;
use crate::game::collection::Showpiece;
use crate::games::phase::Phase;
use crate::games::phase::card::{Alignment, card_set};
use crate::games::phase::position::{Laid, Position, Side};

pub(super) fn illustration(name: &str) -> Option<Illustration<Phase>> {
    if name == "card" {
        let faces = ["Moon Archivist", "Hollow Monk"].map(str::to_owned);
        return Some(Illustration::Showpiece(Showpiece::Exhibits(faces.to_vec())));
    }
    let resources = "Stone Scribe / Plague Nurse, Crypt Moth, Bone Servant";
    let (start, moves): (Phase, &[&str]) = match name {
        // Without a warrior Ann goes straight to her training.
        "train" => (
            table([
                ("", "Moon Archivist / Hollow Monk, Crypt Moth, Bone Servant"),
                ("Whisper", ""),
            ])?,
            &["train 1 pay 2"],
        ),
        "attack" => (
            table([
                ("Mist Herald, Bone Servant", resources),
                ("Whisper, Oath Shield", "Dust Ghoul"),
            ])?,
            &["attack", "attack nexus with 1 2"],
        ),
        "influence" => (
            table([
                ("Mist Herald, Bone Servant", resources),
                ("Whisper", "Dust Ghoul"),
            ])?,
            &["attack", "attack nexus with 1 2", "done"],
        ),
        _ => return None,
    };
    Some(Illustration::Position { start, moves })
}

/// A turn of Ann's: each player's warriors and resources.
fn table(sides: [(&str, &str); 2]) -> Option<Phase> {
    let side = |(play, barracks): (&str, &str)| {
        Some(Side {
            play: laid(play)?,
            barracks: laid(barracks)?,
            deck: laid("Pale Novice, Mourner")?,
            hand: Vec::new(),
            discard: Vec::new(),
            influence: [3, 4],
        })
    };
    let position = Position {
        sides: sides.into_iter().map(side).collect::<Option<_>>()?,
        nexus: [14, 12],
        active: Seat::new(0),
        round: 3,
    };
    Some(Phase::arranged(card_set(), &position))
}

/// Cards by the face that is up; where it matters, the face behind follows a slash.
fn laid(names: &str) -> Option<Vec<Laid>> {
    let names = names.split(", ").filter(|name| !name.is_empty());
    names.map(card).collect()
}

fn card(name: &str) -> Option<Laid> {
    let (up, behind) = name
        .split_once(" / ")
        .map_or((name, None), |(up, behind)| (up, Some(behind)));
    let set = card_set();
    set.cards().iter().find_map(|card| {
        let sides = Alignment::ALL.map(|side| set.face(card.face(side)).name.as_str());
        let shown = Alignment::ALL
            .into_iter()
            .find(|side| sides[side.index()] == up)?;
        let fits = behind.is_none_or(|behind| sides.contains(&behind));
        fits.then_some(Laid {
            card: card.id,
            up: shown,
            locked: false,
        })
    })
}
