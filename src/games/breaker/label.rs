//! What a decision does, in a few words and from what its player knows.

use super::Breaker;
use super::action::{Action, Pick};
use super::kind::Kind;
use super::socket::Socket;
use super::task::Task;
use crate::game::Seat;

/// What players also call it.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("allocate", "draw"),
    ("assimilate", "add"),
    ("aggregate", "move"),
    ("play", "add"),
    ("plug", "add"),
    ("place", "add"),
    ("get", "draw"),
    ("capture", "removes"),
    ("destroy", "removes"),
    ("remove", "removes"),
    ("kill", "removes"),
    ("return", "sends"),
    ("end", "pass"),
    ("skip", "pass"),
    ("done", "pass"),
    ("blind", "random"),
];

impl Breaker {
    /// "add 2L to 7L (circuit I): power 2, socket left", "move 7, your 2L in circuit I, to II".
    pub(super) fn in_words(&self, seat: Seat, action: Action) -> String {
        match action {
            Action::Pass if self.untouched => "pass the whole turn".to_owned(),
            Action::Pass => "pass your second action".to_owned(),
            Action::Draw(pick) => format!("draw {}", explained(pick, "")),
            Action::Add { pick, socket } => {
                let place = format!(" to {}", self.place(seat, socket));
                let warning = match pick {
                    Pick::Known(kind) if self.board.would_shut(self.path_of(seat), kind, socket) => {
                        "; closes your last open socket!"
                    }
                    Pick::Known(Kind::Authenticate) if self.board.authenticates() == 1 => {
                        "; ends the game at once!"
                    }
                    Pick::FaceDown if self.board.authenticates() == 1 => "; it may end the game!",
                    Pick::Known(_) | Pick::FaceDown => "",
                };
                format!("add {}{warning}", explained(pick, &place))
            }
            Action::Move { number, socket } => {
                let place = self.place(seat, socket);
                format!("move {} to {place}", self.block_word("", seat, number).in_full())
            }
            Action::Target(number) => {
                let block = self.block_word("", seat, number).in_full();
                match self.task {
                    Some(Task::AttenuateOwn | Task::AttenuateEnemy) => {
                        format!("ATTENUATE sends {block} back to the supply")
                    }
                    _ => format!("ANNIHILATE removes {block}"),
                }
            }
            Action::Take(pick) => match pick {
                Pick::FaceDown => "take a random command from the supply".to_owned(),
                Pick::Known(kind) => format!("take {} from the supply: {}", kind.title(), kind.gist()),
            },
            Action::Keep(pick) if self.task == Some(Task::AggravateEnemy) => match pick {
                Pick::FaceDown => "leave a random command in the enemy's hand".to_owned(),
                Pick::Known(kind) => format!("leave {} in the enemy's hand: {}", kind.title(), kind.gist()),
            },
            Action::Keep(pick) => match pick {
                Pick::FaceDown => "keep a random command in your hand".to_owned(),
                Pick::Known(kind) => format!("keep {} in your hand: {}", kind.title(), kind.gist()),
            },
        }
    }

    /// A socket with the circuit that it feeds: "II", "W (circuit I)", "7L (circuit III)".
    fn place(&self, seat: Seat, socket: Socket) -> String {
        let path = self.path_of(seat);
        let name = socket.named(path).to_string();
        let plug = self.board.find(path, socket);
        match plug.map(|plug| self.board.circuit_of(path, plug)) {
            Some(circuit) if circuit.name() == name => format!("circuit {name}"),
            Some(circuit) => format!("{name} (circuit {circuit})"),
            None => name,
        }
    }
}

/// A block with what it is for, and where it goes between the two.
fn explained(pick: Pick, place: &str) -> String {
    match pick {
        Pick::FaceDown => format!("a random command{place}"),
        Pick::Known(kind) => format!("{}{place}: {}", kind.title(), kind.gist()),
    }
}
