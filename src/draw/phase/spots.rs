//! What can be touched: the Nexus, players, warriors, resources and cards in hands. The layouts of table and hand
//! tell where they lie; here is what they are called.

use super::PhaseScene;
use crate::draw::Spot;
use crate::draw::canvas::Rect;
use crate::game::Seat;
use crate::games::phase::action::{Pick, Target, hand_letter};
use crate::games::phase::card::Alignment;
use crate::games::phase::view::{CardView, PlayerView, View, WarriorView};

/// The longest name of a player within a spot.
const NAME: usize = 40;

pub(super) fn nexus(view: &View, area: Rect) -> Spot {
    let pools = [Alignment::Good, Alignment::Evil].map(|alignment| view.nexus[alignment.index()]);
    let says = format!("the Nexus: {} good and {} evil influence", pools[0], pools[1]);
    Spot::area(Target::Nexus.spot(), area, says)
}

pub(super) fn player(scene: &PhaseScene<'_>, player: &PlayerView, area: Rect) -> Spot {
    let name = scene.short_name(player.seat, NAME);
    let pools = [Alignment::Good, Alignment::Evil].map(|alignment| player.influence[alignment.index()]);
    let says = format!(
        "{name}, player {}: {} good and {} evil influence",
        player.seat, pools[0], pools[1]
    );
    Spot::area(Target::Player(player.seat).spot(), area, says)
}

pub(super) fn warrior(scene: &PhaseScene<'_>, seat: Seat, warrior: &WarriorView, area: Rect) -> Spot {
    let name = scene.short_name(seat, NAME);
    let mut says = format!(
        "{} {}, {name}'s warrior, {}/{}",
        warrior.number, warrior.face.name, warrior.attack, warrior.defense
    );
    if warrior.damage > 0 {
        says.push_str(&format!(", {} damage", warrior.damage));
    }
    if warrior.locked {
        says.push_str(", locked");
    }
    Spot::area(Pick::Warrior(warrior.number).spot(), area, says).showing(&warrior.face.name)
}

pub(super) fn resource(scene: &PhaseScene<'_>, seat: Seat, card: &CardView, area: Rect) -> Spot {
    let name = scene.short_name(seat, NAME);
    let locked = if card.locked { ", locked" } else { "" };
    let says = format!(
        "resource {} {}, {name}'s, cost {}{locked}",
        card.place, card.face.name, card.face.cost
    );
    Spot::area(Pick::Resource(seat, card.place).spot(), area, says).showing(&card.face.name)
}

/// A card in a hand as everybody sees it.
pub(super) fn open_hand_card(scene: &PhaseScene<'_>, seat: Seat, card: &CardView, area: Rect) -> Spot {
    let name = scene.short_name(seat, NAME);
    let letter = hand_letter(card.place);
    let says = format!("hand card {letter} of {name}, showing {}", card.face.name);
    Spot::area(Pick::Hand(seat, card.place).spot(), area, says).showing(&card.face.name)
}

/// The same as its owner sees it.
pub(super) fn hand_card(scene: &PhaseScene<'_>, seat: Seat, card: &CardView, area: Rect) -> Spot {
    let mut spot = open_hand_card(scene, seat, card, area);
    if let Some(behind) = &card.behind {
        let letter = hand_letter(card.place);
        spot.says = format!(
            "hand card {letter} {}, others see {}",
            behind.name, card.face.name
        );
        spot = spot.showing(&behind.name);
    }
    spot
}
