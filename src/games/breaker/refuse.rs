//! Why an action is not possible now, in plain words with the way out.
//!
//! Nothing here may tell what lies face down for the player who asks.

use super::Breaker;
use super::action::{Action, Pick};
use super::board::Block;
use super::kind::Kind;
use super::socket::{Side, Socket};
use super::stock::Stock;
use super::task::Task;
use crate::game::Seat;
use crate::text;

/// Why a readable action is refused.
pub(super) fn why(game: &Breaker, seat: Seat, action: Action) -> String {
    if !answers(game.task, action) {
        return nothing(game);
    }
    match action {
        Action::Pass => "It isn't your turn to pass.".to_owned(),
        Action::Draw(pick) | Action::Take(pick) => why_not_draw(game, seat, pick),
        Action::Add { pick, socket } => {
            if let Some(plug) = game.board.find(seat, socket)
                && game.board.is_open(seat, plug)
            {
                why_not_add(game, seat, pick)
            } else {
                why_not_socket(game, seat, seat, socket)
            }
        }
        Action::Move { number, socket } => {
            let owner = game.path_of(seat);
            match game.board.numbered(number) {
                Some((_, block)) if can_move(block, owner) => why_not_goal(game, seat, block, socket),
                _ => why_not_move(game, seat, number),
            }
        }
        Action::Target(number) => why_not_target(game, seat, number),
        Action::Keep(pick) => why_not_keep(game, seat, pick),
    }
}

/// Whether an action is of the sort that is asked for now.
fn answers(task: Option<Task>, action: Action) -> bool {
    match task {
        None => matches!(
            action,
            Action::Pass | Action::Draw(_) | Action::Add { .. } | Action::Move { .. }
        ),
        Some(Task::Annihilate { .. } | Task::AttenuateOwn | Task::AttenuateEnemy) => {
            matches!(action, Action::Target(_))
        }
        Some(Task::Automate) => matches!(action, Action::Add { .. }),
        Some(Task::Accelerate { .. }) => matches!(action, Action::Take(_)),
        Some(Task::Agitate { .. }) => matches!(action, Action::Move { .. }),
        Some(Task::AggravateOwn | Task::AggravateEnemy) => matches!(action, Action::Keep(_)),
    }
}

/// What is asked for instead.
pub(super) fn nothing(game: &Breaker) -> String {
    match game.task {
        Some(task) => format!(
            "First answer the command. {question} Answer as in `{example}`.",
            question = task.question(),
            example = task.example()
        ),
        None => "No command asks for that now. You can `draw`, `add`, `move` or `pass`.".to_owned(),
    }
}

fn list(stock: Stock) -> String {
    if stock.is_empty() {
        return "nothing".to_owned();
    }
    let name = |kind: Kind| match stock.count(kind) {
        1 => kind.name().to_owned(),
        count => format!("{count} × {kind}"),
    };
    stock.kinds().map(name).collect::<Vec<_>>().join(", ")
}

fn why_not_draw(game: &Breaker, seat: Seat, pick: Pick) -> String {
    let blind = game.variant.is_blind();
    match pick {
        Pick::FaceDown if !blind => {
            format!(
                "The commands are face up: name the one you want. The supply has {commands}.",
                commands = list(game.commands)
            )
        }
        Pick::FaceDown if game.commands.is_empty() => "There's no command left in the supply.".to_owned(),
        Pick::FaceDown => {
            "No command in the supply fits your hand: it holds one of each kind, two AUTHENTICATE. \
                           Play one first."
                .to_owned()
        }
        Pick::Known(kind) if kind.is_command() && blind => {
            "The commands are face down: type `command` to get a random one.".to_owned()
        }
        Pick::Known(kind) if kind.is_command() => {
            let limit = kind.hand_limit();
            if game.hand(seat).held.count(kind) >= limit {
                match (limit, kind.title()) {
                    (1, kind) => format!("A hand holds at most one {kind}, and you have it."),
                    (_, kind) => format!("A hand holds at most two {kind}, and you have both."),
                }
            } else {
                format!(
                    "There's no {command} in the supply. The commands there: {commands}.",
                    command = kind.title(),
                    commands = list(game.commands)
                )
            }
        }
        Pick::Known(kind) => format!(
            "There's no {kind} left in your supply. It has {supply}.",
            supply = list(game.supply[seat.index() % 2])
        ),
    }
}

/// Why a block can't be added anywhere.
pub(super) fn why_not_add(game: &Breaker, seat: Seat, pick: Pick) -> String {
    let automate = game.task == Some(Task::Automate);
    if !automate && game.task.is_some() {
        return nothing(game);
    }
    if !game.board.has_open(seat) {
        return "You have no open socket, so you can't add anything. `move` may open one.".to_owned();
    }
    let Pick::Known(kind) = pick else {
        return if !automate {
            "Name the block from your hand that you want to add.".to_owned()
        } else if game.variant.is_blind() {
            "No command in the supply can be played by AUTOMATE now: add a power block.".to_owned()
        } else {
            "The commands are face up: name the one you want to add.".to_owned()
        };
    };
    if kind == Kind::Authenticate && game.authenticated {
        return "You can add only one AUTHENTICATE a turn.".to_owned();
    }
    if automate {
        return match kind {
            Kind::Automate => "AUTOMATE can't play another AUTOMATE.".to_owned(),
            kind if kind.is_command() && game.variant.is_blind() => {
                "The commands are face down: `add command` and a socket plays a random one.".to_owned()
            }
            kind => format!(
                "AUTOMATE plays from the supply, and there is no {block} there.",
                block = kind.title()
            ),
        };
    }
    let hand = game.hand(seat);
    if hand.held.has(kind) {
        format!(
            "You drew the {block} this turn: you can add it from your next turn on.",
            block = kind.title()
        )
    } else {
        format!(
            "You hold no {block}. In your hand: {hand}.",
            block = kind.title(),
            hand = list(hand.held)
        )
    }
}

/// Why nothing can go into a socket of the path of `owner`.
pub(super) fn why_not_socket(game: &Breaker, seat: Seat, owner: Seat, socket: Socket) -> String {
    let name = socket.named(owner);
    let open: Vec<String> = game
        .board
        .open(owner)
        .map(|plug| game.board.name(plug).named(owner).to_string())
        .collect();
    let open = match open[..] {
        [] => "No socket of this path is open.".to_owned(),
        _ => format!("Open: {open}.", open = open.join(", ")),
    };
    if let Some(plug) = game.board.find(owner, socket) {
        if game.board.is_open(owner, plug) {
            return format!("Nothing that you can add now fits into {name}.");
        }
        return match game.board.in_the_way(owner, plug) {
            Some(block) => format!(
                "Socket {name} isn't open: block {other} is there. {open}",
                other = block.number
            ),
            None => format!("Socket {name} is blocked by the Core. {open}"),
        };
    }
    let Socket::Of(number, _) = socket else {
        return open;
    };
    match game.board.numbered(number) {
        None => format!("There's no block {number} on the table. {open}"),
        Some((_, block)) if block.seat != owner && block.seat == seat => {
            format!("Block {number} is yours; its sockets are no use here. {open}")
        }
        Some((_, block)) if block.seat != owner => {
            format!("Block {number} is the enemy's; its sockets are no use here. {open}")
        }
        Some((_, block)) => {
            let sides = text::list(block.sides().map(|side: Side| side.letter().to_string()));
            let block = block.kind.a_title();
            if sides.is_empty() {
                format!("Block {number} is {block} and has no sockets. {open}")
            } else {
                format!("Block {number} is {block} and has only {sides}. {open}")
            }
        }
    }
}

fn can_move(block: &Block, owner: Seat) -> bool {
    block.seat == owner && block.is_leaf() && block.kind != Kind::Authenticate
}

/// What is plugged into a block, as a reason to leave it alone.
fn plugged(game: &Breaker, block: &Block) -> String {
    let name = format!("{}", block.number);
    let child =
        game.board.blocks().iter().find(
            |other| matches!(game.board.name(other.plug), Socket::Of(number, _) if number == block.number),
        );
    match child {
        Some(child) => format!(
            "Block {other} is plugged into block {name}, so {name} has to stay.",
            other = child.number
        ),
        None => format!("Block {name} has to stay."),
    }
}

/// Why a block can't be moved anywhere.
pub(super) fn why_not_move(game: &Breaker, seat: Seat, number: u16) -> String {
    if !answers(
        game.task,
        Action::Move {
            number,
            socket: Socket::Of(0, Side::Left),
        },
    ) {
        return nothing(game);
    }
    let owner = game.path_of(seat);
    let can: Vec<String> = game
        .movable(owner)
        .map(|(_, block)| block.number.to_string())
        .collect();
    let can = match can[..] {
        [] => "You can't move any block.".to_owned(),
        _ => format!("You can move {numbers}.", numbers = can.join(", ")),
    };
    match game.board.numbered(number) {
        None => format!("There's no block {number} on the table. {can}"),
        Some((_, block)) if block.seat != owner && owner == seat => {
            format!("Block {number} is the enemy's; you move your own. {can}")
        }
        Some((_, block)) if block.seat != owner => {
            format!("AGITATE moves enemy blocks, and {number} is yours. {can}")
        }
        Some((_, block)) if !block.is_leaf() => format!("{why} {can}", why = plugged(game, block)),
        Some((_, block)) if block.kind == Kind::Authenticate => format!("AUTHENTICATE can't be moved. {can}"),
        Some(_) => format!("Block {number} has no other socket to go to. {can}"),
    }
}

/// Why a block that can move can't move there.
fn why_not_goal(game: &Breaker, seat: Seat, block: &Block, socket: Socket) -> String {
    let number = block.number;
    if game.board.name(block.plug) == socket {
        return format!("Block {number} is there already.");
    }
    if matches!(socket, Socket::Of(parent, _) if parent == number) {
        return format!("Block {number} can't be plugged into itself.");
    }
    why_not_socket(game, seat, block.seat, socket)
}

fn why_not_target(game: &Breaker, seat: Seat, number: u16) -> String {
    let targets: Vec<String> = {
        let mut actions = Vec::new();
        game.decisions_into(seat, &mut actions);
        actions.sort_unstable();
        actions.iter().map(|&action| game.write(seat, action)).collect()
    };
    let can = format!("You can choose {numbers}.", numbers = targets.join(", "));
    let Some((_, block)) = game.board.numbered(number) else {
        return format!("There's no block {number} on the table. {can}");
    };
    match game.task {
        _ if !block.is_leaf() => format!("{why} {can}", why = plugged(game, block)),
        _ if block.kind == Kind::Authenticate => format!("You can't choose AUTHENTICATE. {can}"),
        Some(Task::Annihilate { acting }) if acting == number => {
            format!("ANNIHILATE can't remove itself. {can}")
        }
        Some(Task::AttenuateOwn) if block.seat != seat => {
            format!("First choose one of your own blocks. {can}")
        }
        Some(Task::AttenuateEnemy) if block.seat == seat => {
            format!("Now choose one of the enemy's blocks. {can}")
        }
        _ if block.kind == Kind::Attenuate => format!("ATTENUATE can't send back an ATTENUATE. {can}"),
        _ => can,
    }
}

fn why_not_keep(game: &Breaker, seat: Seat, pick: Pick) -> String {
    let own = game.task == Some(Task::AggravateOwn);
    let owner = if own { seat } else { seat.next(2) };
    let held = game.hand(owner).held;
    let whose = if own { "your hand" } else { "the enemy's hand" };
    let hidden = !own && game.variant.is_blind();
    match pick {
        Pick::Known(kind) if hidden && kind.is_command() => {
            "You can't see the enemy's commands: `keep command` leaves a random one.".to_owned()
        }
        Pick::FaceDown if hidden => "The enemy holds no command.".to_owned(),
        Pick::FaceDown => format!(
            "Name the block to keep. In {whose}: {blocks}.",
            blocks = list(held)
        ),
        Pick::Known(kind) if hidden => format!(
            "There's no {kind} in {whose}. The power blocks there: {powers}.",
            powers = list(held.powers())
        ),
        Pick::Known(kind) => format!(
            "There's no {block} in {whose}: {blocks}.",
            block = kind.title(),
            blocks = list(held)
        ),
    }
}
