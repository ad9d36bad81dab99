//! What can be touched: blocks on the table, open sockets, the supply, and the hand that is played from.

use super::BreakerScene;
use super::board::BoardFrame;
use super::panels::{HandsLayout, Placed, hand_places, supply_places};
use super::{MARGIN, WIDTH, words};
use crate::draw::Spot;
use crate::draw::canvas::Rect;
use crate::game::Seat;
use crate::games::breaker::task::Task;

/// The longest name of a player within a spot.
const NAME: usize = 40;

/// The spots of the board.
pub(super) fn spots(scene: &BreakerScene<'_>) -> Vec<Spot> {
    let frame = BoardFrame::around(scene);
    let layout = HandsLayout::of(scene, frame.width() + 2.0 * MARGIN, frame.height());
    let mut spots = on_table(scene, &frame.at(MARGIN, layout.board));
    for (seat, area) in layout.hands {
        in_hand(scene, seat, area, &mut spots);
    }
    let Some(verb) = supply_verb(scene) else {
        return spots;
    };
    for Placed { word, count, area } in supply_places(scene, layout.supply) {
        let says = format!("{word} in the supply, {count} left");
        spots.push(Spot::area(format!("{verb} {word}"), area, says));
    }
    spots
}

/// The spots of a hand that only its owner sees.
pub(super) fn private(scene: &BreakerScene<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    if let Some(seat) = words::own_seat(scene) {
        let area = Rect::new(MARGIN, MARGIN, WIDTH - 2.0 * MARGIN, 0.0);
        in_hand(scene, seat, area, &mut spots);
    }
    spots
}

/// What is done with a block of the supply.
pub(super) const fn supply_verb(scene: &BreakerScene<'_>) -> Option<&'static str> {
    match scene.view.task {
        Some(Task::Automate) => Some("add"),
        Some(Task::Accelerate { .. }) => Some("take"),
        Some(_) => None,
        None => Some("draw"),
    }
}

/// What is done with a block of a hand, and of whose.
pub(super) fn hand_verb(scene: &BreakerScene<'_>) -> Option<(&'static str, Seat)> {
    let to_move = scene.view.to_move?;
    match scene.view.task {
        Some(Task::AggravateOwn) => Some(("keep", to_move)),
        Some(Task::AggravateEnemy) => Some(("keep", to_move.next(2))),
        None => Some(("add", to_move)),
        Some(_) => None,
    }
}

fn on_table(scene: &BreakerScene<'_>, frame: &BoardFrame) -> Vec<Spot> {
    let view = scene.view;
    let mut spots = Vec::new();
    for block in &view.blocks {
        let name = scene.short_name(block.seat, NAME);
        let says = format!(
            "block {}, {name}'s {} in circuit {}",
            block.number,
            block.kind.title(),
            block.circuit
        );
        let spot = Spot::area(block.number.to_string(), frame.square(block.cell), says);
        spots.push(spot.holding(format!("block {}", block.number)));
    }
    let Some(seat) = view.path_in_play() else {
        return spots;
    };
    for socket in view.open_sockets(seat) {
        // Sockets that face the same cell share it.
        let alone = view
            .open_sockets(seat)
            .filter(|other| other.cell == socket.cell)
            .count()
            == 1;
        let area = if alone {
            frame.square(socket.cell)
        } else {
            frame.socket(socket)
        };
        spots.push(Spot::area(
            socket.name.clone(),
            area,
            format!("socket {}", socket.name),
        ));
    }
    spots
}

fn in_hand(scene: &BreakerScene<'_>, seat: Seat, area: Rect, spots: &mut Vec<Spot>) {
    let Some((verb, _)) = hand_verb(scene).filter(|(_, whose)| *whose == seat) else {
        return;
    };
    // What was drawn this turn can't be played yet.
    let fresh_counts = verb == "keep";
    let name = scene.short_name(seat, NAME);
    for Placed { word, count, area } in hand_places(scene, seat, area, fresh_counts) {
        let number = if count > 1 {
            format!("{count} of ")
        } else {
            String::new()
        };
        let says = format!("{number}{word} in {name}'s hand");
        spots.push(Spot::area(format!("{verb} {word}"), area, says));
    }
}
