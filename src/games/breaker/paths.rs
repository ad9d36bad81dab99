//! Writing an action: its notation, and the words by which it is picked.

use super::Breaker;
use super::action::{Action, Pick};
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
        let verb = |text: &str, help: &str| Word::new(asks, text).with_help(help);
        let words = match action {
            Action::Pass if self.untouched => vec![verb("pass", "give up the whole turn")],
            Action::Pass => vec![verb("pass", "give up the second action")],
            Action::Draw(pick) => vec![
                verb("draw", "a block into your hand, to play from your next turn on"),
                self.pick_word("Which block?", "draw", pick),
            ],
            Action::Add { pick, socket } => vec![
                verb("add", self.add_label()),
                self.pick_word("Which block?", "add", pick),
                self.socket_word(seat, Some(pick), socket),
            ],
            Action::Move { number, socket } => vec![
                verb("move", self.move_label()),
                self.block_word("Which block?", seat, number),
                self.socket_word(seat, None, socket),
            ],
            Action::Target(number) => vec![
                verb("target", "a block on the table"),
                self.block_word(asks, seat, number),
            ],
            Action::Take(pick) => vec![
                verb("take", "a block from the supply"),
                self.pick_word(asks, "take", pick),
            ],
            Action::Keep(pick) => vec![
                verb("keep", "one block of this hand"),
                self.pick_word(asks, "keep", pick),
            ],
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
            Some(_) => "a block from the supply to your path",
            None => "a block from your hand to your path",
        }
    }

    const fn move_label(&self) -> &'static str {
        match self.task {
            Some(_) => "an enemy block",
            None => "a block of yours",
        }
    }

    /// A block in a hand or the supply. Equal ones may lie in both: what is done with it tells where it is touched.
    fn pick_word(&self, asks: &'static str, verb: &str, pick: Pick) -> Word {
        let help = match pick {
            Pick::FaceDown if self.task == Some(Task::Automate) && self.board.authenticates() == 1 => {
                "a random one, perhaps the AUTHENTICATE that ends the game"
            }
            Pick::FaceDown => "a random one",
            Pick::Known(Kind::Authenticate) if self.board.authenticates() == 1 => {
                "ends the game at once when played"
            }
            Pick::Known(kind) => kind.gist(),
        };
        let spot = format!("{verb} {}", pick.name());
        Word::new(asks, pick.name()).with_help(help).touching([spot])
    }

    /// A block, "6 Relay", with "yours, in circuit 2".
    pub(super) fn block_word(&self, asks: &'static str, seat: Seat, number: u16) -> Word {
        let Some((_, block)) = self.board.numbered(number) else {
            return Word::new(asks, number.to_string()).with_help("a block on the table");
        };
        let whose = if block.seat == seat {
            "yours"
        } else {
            "the enemy's"
        };
        let label = format!("{number} {}", block.kind.title());
        let help = format!("{whose}, in circuit {}", block.circuit);
        Word::labelled(asks, number.to_string(), label).with_help(help)
    }

    /// A socket with what it feeds; a warning where it is the last one open.
    fn socket_word(&self, seat: Seat, pick: Option<Pick>, socket: Socket) -> Word {
        let path = self.path_of(seat);
        let name = socket.named(path).to_string();
        let circuit = self
            .board
            .find(path, socket)
            .map(|plug| self.board.circuit_of(path, plug));
        let mut help = match circuit {
            Some(circuit) if circuit.name() != name => format!("circuit {circuit}"),
            Some(circuit) => format!("at the Core, feeds circuit {circuit}"),
            None => "at the Core".to_owned(),
        };
        let closes = match pick {
            Some(Pick::Known(kind)) => self.board.would_shut(path, kind, socket),
            Some(Pick::FaceDown) | None => false,
        };
        if closes {
            help = format!("{help}; closes your last open socket!");
        }
        Word::new("Into which socket?", name).with_help(help)
    }
}
