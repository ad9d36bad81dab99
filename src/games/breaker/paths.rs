//! Writing an action: its notation, and the words by which it is picked.

use super::Breaker;
use super::action::{Action, Pick};
use super::board::Block;
use super::kind::Kind;
use super::socket::Socket;
use super::task::Task;
use crate::game::{Seat, Word};

impl Breaker {
    /// The seat on whose path `seat` plays a move: the enemy's under AGITATE.
    pub(super) fn path_of(&self, seat: Seat) -> Seat {
        match self.task {
            Some(Task::Agitate { .. }) => seat.next(2),
            _ => seat,
        }
    }

    /// The canonical notation.
    pub(super) fn write(&self, seat: Seat, action: Action) -> String {
        let path = self.path_of(seat);
        match action {
            Action::Pass => "pass".to_owned(),
            Action::Draw(pick) => format!("draw {}", pick.name()),
            Action::Add { pick, socket } => format!("add {} {}", pick.name(), socket.named(path)),
            Action::Move { number, socket } => format!("move {number} {}", socket.named(path)),
            Action::Target(number) => format!("target {number}"),
            Action::Take(pick) => format!("take {}", pick.name()),
            Action::Keep(pick) => format!("keep {}", pick.name()),
        }
    }

    /// The words on the way to an action.
    pub(super) fn words(&self, seat: Seat, action: Action) -> Vec<Vec<Word>> {
        let asks = self.question();
        let verb = |text: &str, label: &str| Word::labelled(asks, text, label);
        let words = match action {
            Action::Pass if self.untouched => vec![verb("pass", "pass the whole turn")],
            Action::Pass => vec![verb("pass", "pass the second action")],
            Action::Draw(pick) => vec![
                verb("draw", "draw a block into your hand"),
                self.pick_word("Which block? It can be played from your next turn on.", pick),
            ],
            Action::Add { pick, socket } => vec![
                verb("add", self.add_label()),
                self.pick_word("Which block?", pick),
                self.socket_word(seat, Some(pick), socket),
            ],
            Action::Move { number, socket } => vec![
                verb("move", self.move_label()),
                self.block_word("Which block?", seat, number),
                self.socket_word(seat, None, socket),
            ],
            Action::Target(number) => vec![
                verb("target", "choose a block"),
                self.block_word(asks, seat, number),
            ],
            Action::Take(pick) => vec![
                verb("take", "take a block from the supply"),
                self.pick_word(asks, pick),
            ],
            Action::Keep(pick) => vec![verb("keep", "keep one block"), self.pick_word(asks, pick)],
        };
        vec![words]
    }

    /// What is open now.
    fn question(&self) -> &'static str {
        match self.task {
            Some(task) => task.question(),
            None if self.left >= 2 => "First of your two actions: what do you do?",
            None => "Your second action: what do you do?",
        }
    }

    const fn add_label(&self) -> &'static str {
        match self.task {
            Some(_) => "play a block from the supply",
            None => "play a block from your hand",
        }
    }

    const fn move_label(&self) -> &'static str {
        match self.task {
            Some(_) => "move an enemy block",
            None => "move a block of yours",
        }
    }

    fn pick_word(&self, asks: &'static str, pick: Pick) -> Word {
        let label = match pick {
            Pick::FaceDown if self.task == Some(Task::Automate) && self.board.authenticates() == 1 => {
                "command: a random one, perhaps the AUTHENTICATE that ends the game".to_owned()
            }
            Pick::FaceDown => "command: a random one".to_owned(),
            Pick::Known(Kind::Authenticate) if self.board.authenticates() == 1 => {
                "authenticate: ends the game at once when played".to_owned()
            }
            Pick::Known(kind) => format!("{kind}: {}", kind.gist()),
        };
        Word::labelled(asks, pick.name(), label)
    }

    fn block_word(&self, asks: &'static str, seat: Seat, number: u16) -> Word {
        let label = match self.board.numbered(number) {
            Some((_, block)) => self.describe(seat, block),
            None => number.to_string(),
        };
        Word::labelled(asks, number.to_string(), label)
    }

    /// A block on the table in a few words: "7: your 2L in circuit I".
    pub(super) fn describe(&self, seat: Seat, block: &Block) -> String {
        let whose = if block.seat == seat { "your" } else { "enemy" };
        format!(
            "{}: {whose} {} in circuit {}",
            block.number,
            block.kind.title(),
            block.circuit
        )
    }

    /// A socket with what it feeds; a warning where it is the last one open.
    fn socket_word(&self, seat: Seat, pick: Option<Pick>, socket: Socket) -> Word {
        let path = self.path_of(seat);
        let name = socket.named(path).to_string();
        let circuit = self
            .board
            .find(path, socket)
            .map(|plug| self.board.circuit_of(path, plug));
        let mut label = match circuit {
            Some(circuit) if circuit.name() != name => format!("{name}: circuit {circuit}"),
            _ => name.clone(),
        };
        let closes = match pick {
            Some(Pick::Known(kind)) => self.board.would_shut(path, kind, socket),
            Some(Pick::FaceDown) | None => false,
        };
        if closes {
            label.push_str(" (closes your last open socket!)");
        }
        Word::labelled("Into which socket?", name, label)
    }
}
