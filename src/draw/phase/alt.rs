//! The alt text of the table: what everybody can see of it, as much as fits, and what matters most first.
//!
//! It begins with how many warriors and cards each player has, and grows: those come first who are asked, attacked or on
//! turn, and what is needed to fight comes before what is needed to plan.

use super::super::ALT_LIMIT;
use super::PhaseScene;
use super::words::{
    held, influence, last, listed, name, names, resource, short, skills, skirmishes, state, status, warrior,
    warrior_in_full,
};
use crate::game::{Awaiting, Seat};
use crate::games::phase::action::Target;
use crate::games::phase::card::Alignment;
use crate::games::phase::view::{PlayerView, WarriorView};

/// How warriors are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Warriors {
    /// How many there are.
    #[default]
    Counted,
    /// By alignment, with strength and state.
    Listed,
    /// The same with what their skills are called.
    Skilled,
    /// Each with its alignment, and with what everybody knows behind it.
    Whole,
    /// With what is printed on them.
    Printed,
}

/// How resources are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Barracks {
    #[default]
    Counted,
    Named,
    /// With costs, alignments and locks.
    Whole,
}

/// How much is told of one player.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    warriors: Warriors,
    barracks: Barracks,
    /// The faces of the hand that the others see.
    hand: bool,
    /// The card on top of the deck.
    top: bool,
}

/// Something more to tell: of every player, one after the other, or of the last actions.
#[derive(Clone, Copy, Debug)]
enum More {
    Warriors(Warriors),
    Barracks(Barracks),
    Hand,
    Top,
    /// The last actions, in so many letters at most.
    Last(usize),
}

/// What is told, the most important first. The turn's message tells what happened, too.
const ORDER: [More; 12] = [
    More::Warriors(Warriors::Listed),
    More::Last(80),
    More::Warriors(Warriors::Skilled),
    More::Hand,
    More::Top,
    More::Last(150),
    More::Barracks(Barracks::Named),
    More::Warriors(Warriors::Whole),
    More::Last(300),
    More::Barracks(Barracks::Whole),
    More::Warriors(Warriors::Printed),
    More::Last(400),
];

/// A text as it grows.
#[derive(Clone, Debug)]
struct Draft {
    /// By seat.
    players: Vec<Told>,
    last: usize,
}

/// The table in words: as much as fits.
pub(super) fn alt(scene: &PhaseScene<'_>) -> String {
    let mut draft = Draft {
        players: vec![Told::default(); scene.view.players.len()],
        last: 0,
    };
    let mut text = draft.write(scene);
    let seats = by_importance(scene);
    let mut try_out = |richer: Draft, draft: &mut Draft| {
        let longer = richer.write(scene);
        if longer.chars().count() <= ALT_LIMIT {
            text = longer;
            *draft = richer;
        }
    };
    for more in ORDER {
        if let More::Last(longest) = more {
            let richer = Draft {
                last: longest,
                ..draft.clone()
            };
            try_out(richer, &mut draft);
            continue;
        }
        for seat in &seats {
            let mut richer = draft.clone();
            if let Some(told) = richer.players.get_mut(seat.index()) {
                told.add(more);
            }
            try_out(richer, &mut draft);
        }
    }
    short(&text)
}

/// The players who remain: first whoever is asked, then whoever is attacked or defends, then whose turn it is, then clockwise.
fn by_importance(scene: &PhaseScene<'_>) -> Vec<Seat> {
    let view = scene.view;
    let asked = match scene.awaiting {
        Awaiting::Turn(seat) => Some(seat),
        Awaiting::Any(_) | Awaiting::Each(_) | Awaiting::Over => None,
    };
    let attacked = view.attack.as_ref().map(|attack| match attack.target {
        Some(Target::Player(seat)) => seat,
        Some(Target::Nexus) | None => attack.defender,
    });
    let mut seats: Vec<Seat> = Vec::new();
    let everybody = view.players.iter().map(|player| player.seat);
    for seat in [asked, attacked, view.active]
        .into_iter()
        .flatten()
        .chain(everybody)
    {
        let stays = view.player(seat).is_some_and(|player| !player.left);
        if stays && !seats.contains(&seat) {
            seats.push(seat);
        }
    }
    seats
}

impl Told {
    fn add(&mut self, more: More) {
        match more {
            More::Warriors(warriors) => self.warriors = warriors,
            More::Barracks(barracks) => self.barracks = barracks,
            More::Hand => self.hand = true,
            More::Top => self.top = true,
            More::Last(_) => {}
        }
    }
}

impl Draft {
    fn write(&self, scene: &PhaseScene<'_>) -> String {
        let view = scene.view;
        let mut text = "Phase. ".to_owned();
        if self.last > 0 {
            let last = last(scene, self.last);
            if !last.is_empty() {
                text.push_str(&format!("Just now: {last}"));
                text.push(' ');
            }
        }
        text.push_str(&format!("{} Nexus: {}.", status(scene), influence(view.nexus)));
        let pairs = skirmishes(view);
        if !pairs.is_empty() {
            text.push_str(&format!(" Skirmishes: {}.", pairs.join("; ")));
        }
        for (player, told) in view.players.iter().zip(&self.players) {
            if !player.left {
                text.push_str(&player_in_brief(scene, player, *told));
            }
        }
        text
    }
}

/// One player in a sentence.
fn player_in_brief(scene: &PhaseScene<'_>, player: &PlayerView, told: Told) -> String {
    let barracks = match told.barracks {
        Barracks::Counted => player.barracks.len().to_string(),
        Barracks::Named => names(&player.barracks),
        Barracks::Whole => listed(player.barracks.iter().map(resource)),
    };
    let hand = if told.hand {
        format!("hand, outward: {}", held(&player.hand))
    } else {
        format!("hand {}", player.hand.len())
    };
    let top = player.top.as_ref().filter(|_| told.top);
    let top = top.map_or(String::new(), |top| format!(", {} on top", top.face.name));
    format!(
        " {}: {}; warriors: {}; barracks: {barracks}; {hand}; deck {}{top}.",
        name(scene, player.seat),
        influence(player.influence),
        warriors(player, told.warriors),
        player.deck
    )
}

fn warriors(player: &PlayerView, told: Warriors) -> String {
    let all = &player.warriors;
    match told {
        Warriors::Counted => all.len().to_string(),
        Warriors::Listed => by_alignment(all, |_| Vec::new()),
        Warriors::Skilled => by_alignment(all, skills),
        Warriors::Whole => listed(all.iter().map(warrior)),
        Warriors::Printed => listed(all.iter().map(|warrior| {
            let told = warrior_in_full(warrior);
            told.strip_suffix('.').map(str::to_owned).unwrap_or(told)
        })),
    }
}

/// "good 1 Scout 1/2, 4 Ted 3/3 (locked); evil 2 Gladiator 1/3 (action skill)".
fn by_alignment(warriors: &[WarriorView], more: impl Fn(&WarriorView) -> Vec<String>) -> String {
    let one = |warrior: &WarriorView| {
        let said: Vec<String> = state(warrior).into_iter().chain(more(warrior)).collect();
        let said = match &said[..] {
            [] => String::new(),
            said => format!(" ({})", said.join(", ")),
        };
        let (number, name) = (warrior.number, &warrior.face.name);
        format!("{number} {name} {}/{}{said}", warrior.attack, warrior.defense)
    };
    let side = |alignment: Alignment| {
        let of_it = warriors
            .iter()
            .filter(|warrior| warrior.face.alignment == alignment);
        let of_it: Vec<String> = of_it.map(one).collect();
        (!of_it.is_empty()).then(|| format!("{alignment} {}", of_it.join(", ")))
    };
    listed(Alignment::ALL.into_iter().filter_map(side))
}
