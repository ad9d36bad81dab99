//! What Phase asks, and how it ended.

use super::PhaseScene;
use crate::draw::{Prose, call};
use crate::game::{Awaiting, Seat};
use crate::games::phase::action::Target;
use crate::games::phase::card::{Keyword, Skill};
use crate::games::phase::flow::{Ask, End, Kind, Question, TurnStage};
use crate::games::phase::paths::choice_question;
use crate::games::phase::view::{DoingView, SkirmishView, View, WarriorView};
use crate::{tell, text};

pub(super) fn ask(scene: &PhaseScene<'_>) -> Prose {
    let view = scene.view;
    if let Awaiting::Each(_) = scene.awaiting {
        let question = match view.stage {
            TurnStage::Decks => "which deck do you bring? Nobody else is told.",
            _ => "which hand card becomes your first resource?",
        };
        return call::ask(scene.awaiting, question);
    }
    match view.ask {
        Some(ask) => asked(view, ask),
        None => call::your_move(scene.awaiting),
    }
}

fn asked(view: &View, Ask { seat: player, what }: Ask) -> Prose {
    match what {
        Question::Attack => tell!("{player}, do you attack this turn?", player),
        Question::Action => action(view, player),
        Question::Target => tell!("{player}, what do you attack: the Nexus, or a player?", player),
        Question::Attackers => match target(view) {
            Some(Target::Player(other)) => tell!("{player}, who attacks {other}?", player, other),
            Some(Target::Nexus) => tell!("{player}, who attacks the Nexus?", player),
            None => tell!("{player}, who attacks?", player),
        },
        Question::Defenders => defenders(view, player),
        Question::Skirmish => tell!("{player}, which skirmish comes next?", player),
        Question::Training => tell!("{player}, do you train, act, or end your turn?", player),
        Question::Choose => match &view.doing {
            Some(doing) => tell!(
                "{player}, {deed}: {question}",
                player,
                deed = deed(doing),
                question = lower(choice_of(doing))
            ),
            None => tell!("{player}, what do you choose?", player),
        },
        Question::Pay => pay(view, player),
        Question::Discard => tell!("{player}, which hand card do you discard?", player),
        Question::Divide(number) => tell!(
            "{player}, how much damage does {defender} take?",
            player,
            defender = warrior(view, number)
        ),
    }
}

/// The section of the rules that is about what is asked.
pub(super) fn helpful_rules(scene: &PhaseScene<'_>) -> Option<&'static str> {
    if scene.view.stage == TurnStage::Decks {
        return Some("Decks");
    }
    Some(match scene.view.ask?.what {
        Question::Attack
        | Question::Target
        | Question::Attackers
        | Question::Defenders
        | Question::Skirmish
        | Question::Divide(_) => "Attacking",
        Question::Action => "Acting",
        Question::Training => "A turn",
        Question::Pay => "Costs",
        Question::Choose => "Skills",
        Question::Discard => "Cards",
    })
}

/// Who defends: with an answer that says it all, for each attacker that can be opposed, where fights run through.
fn defenders(view: &View, player: Seat) -> Prose {
    let attackers = attackers(view);
    if attackers.is_empty() {
        return tell!("{player}, who defends?", player);
    }
    let mut asked = tell!("{player}, who defends against {attackers}?", player, attackers);
    if view.runs_through {
        let possible = possible_defence(view, player);
        let mut said: Vec<String> = (possible.pairs.iter())
            .map(|(attacker, defender)| format!("defend {attacker} with {defender}"))
            .collect();
        if !said.is_empty() {
            if possible.is_asked_on {
                said.push("pass".to_owned());
            }
            asked.sentence(tell!(
                "You can say it all at once: `{defence}`.",
                defence = said.join("; ")
            ));
        }
    }
    asked
}

/// A whole defence.
#[derive(Default)]
struct PossibleDefence {
    /// Attackers that nobody opposes, each with a warrior of this player that could be sent against it: the strongest
    /// against the strongest, as a standing order to defend does it.
    pairs: Vec<(u8, u8)>,
    /// Its player is asked something behind it: for more defenders, or to act in the fights.
    is_asked_on: bool,
}

fn possible_defence(view: &View, seat: Seat) -> PossibleDefence {
    let Some((attack, player)) = view.attack.as_ref().zip(view.player(seat)) else {
        return PossibleDefence::default();
    };
    let called = attack.target != Some(Target::Nexus) || attack.defender == seat;
    let sent = |number: u8| {
        let mut skirmishes = attack.skirmishes.iter();
        skirmishes.any(|skirmish| skirmish.defenders.contains(&number))
    };
    let may = |warrior: &WarriorView| {
        called || warrior.face.has(Keyword::Ally) || warrior.granted.contains(&Keyword::Ally)
    };
    let strength = |warrior: &WarriorView| (warrior.attack + warrior.defense, warrior.number);
    let mut free: Vec<&WarriorView> = (player.warriors.iter())
        .filter(|warrior| !warrior.locked && !sent(warrior.number) && may(warrior))
        .collect();
    let open = attack
        .skirmishes
        .iter()
        .filter(|skirmish| skirmish.defenders.is_empty());
    let attackers = open.filter_map(|skirmish| Some(view.warrior(skirmish.attacker)?.1));
    let mut attackers: Vec<&WarriorView> = attackers.collect();
    attackers.sort_by_key(|attacker| std::cmp::Reverse(strength(attacker)));
    let mut pairs = Vec::new();
    for attacker in attackers {
        let fitting = (free.iter().enumerate())
            .filter(|(_, warrior)| warrior.face.alignment != attacker.face.alignment)
            .max_by_key(|(_, warrior)| strength(warrior));
        if let Some((place, _)) = fitting {
            pairs.push((attacker.number, free.remove(place).number));
        }
    }
    let acts = |warrior: &WarriorView| {
        warrior
            .face
            .skills
            .iter()
            .any(|skill| matches!(skill, Skill::Action(_)))
    };
    let attackers = attack.skirmishes.iter();
    let mut attackers = attackers.filter_map(|skirmish| Some(view.warrior(skirmish.attacker)?.1));
    let more = attackers.any(|attacker| {
        let meets = |warrior: &&WarriorView| warrior.face.alignment != attacker.face.alignment;
        free.iter().any(meets)
    });
    PossibleDefence {
        pairs,
        is_asked_on: more || !player.hand.is_empty() || player.warriors.iter().any(acts),
    }
}

/// A round of actions: before the attack, in a skirmish, or before the turn ends.
fn action(view: &View, player: Seat) -> Prose {
    match (view.stage, current(view), view.active) {
        (TurnStage::Maneuver, ..) => tell!("{player}, do you act before the attack, or pass?", player),
        (TurnStage::Skirmish, Some(skirmish), _) => {
            let mut asked = tell!(
                "{player}, do you act in the skirmish of {fight}, or pass?",
                player,
                fight = pair(view, skirmish)
            );
            if let Some(attack) = view.attack.as_ref().filter(|_| view.passes_run_on) {
                asked.sentence(tell!(
                    "A pass is for all {count} fights; `pass skirmish` is for this one.",
                    count = attack.skirmishes.len().to_string()
                ));
            }
            asked
        }
        (_, _, Some(active)) if active != player => tell!(
            "{player}, do you act before {active}'s turn ends, or pass?",
            player,
            active
        ),
        _ => tell!("{player}, do you act before your turn ends, or pass?", player),
    }
}

fn pay(view: &View, player: Seat) -> Prose {
    let Some(doing) = &view.doing else {
        return tell!("{player}, which resource pays?", player);
    };
    let deed = deed(doing);
    match doing.owes {
        Some((count, true)) if count > 1 => tell!(
            "{player}, which resource do you lock to pay for {deed}? ({count} to go)",
            player,
            deed,
            count = count.to_string()
        ),
        Some((_, true)) => tell!(
            "{player}, which resource do you lock to pay for {deed}?",
            player,
            deed
        ),
        Some((count, false)) if count > 1 => tell!(
            "{player}, which resource do you turn over to pay for {deed}? ({count} to go)",
            player,
            deed,
            count = count.to_string()
        ),
        Some((_, false)) | None => tell!(
            "{player}, which resource do you turn over to pay for {deed}?",
            player,
            deed
        ),
    }
}

/// "Tax Friar's order".
fn deed(doing: &DoingView) -> String {
    let name = &doing.face.name;
    match doing.kind {
        Kind::Order => format!("{name}'s order"),
        Kind::Skill(_) | Kind::Trigger(_) => format!("{name}'s skill"),
        Kind::Train => name.clone(),
    }
}

/// What the choice under way asks.
fn choice_of(doing: &DoingView) -> &'static str {
    let skill = |place: u8| doing.face.skills.get(usize::from(place));
    let effect = match doing.kind {
        Kind::Order => Some(&doing.face.order.effect),
        Kind::Skill(place) | Kind::Trigger(place) => skill(place).and_then(Skill::effect),
        Kind::Train => None,
    };
    let choice = effect.zip(doing.choice);
    choice_question(choice.and_then(|(effect, place)| effect.choices.get(usize::from(place))))
}

fn lower(question: &str) -> String {
    let mut letters = question.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
    first + letters.as_str()
}

fn target(view: &View) -> Option<Target> {
    view.attack.as_ref()?.target
}

fn current(view: &View) -> Option<&SkirmishView> {
    let mut skirmishes = view.attack.iter().flat_map(|attack| &attack.skirmishes);
    skirmishes.find(|skirmish| skirmish.current)
}

fn warrior(view: &View, number: u8) -> String {
    view.warrior(number).map_or_else(
        || format!("warrior {number}"),
        |(_, warrior)| warrior.face.name.clone(),
    )
}

/// "Carrion Crow and Ash Hound".
fn attackers(view: &View) -> String {
    let attack = view.attack.iter().flat_map(|attack| &attack.skirmishes);
    text::list(attack.map(|skirmish| warrior(view, skirmish.attacker)))
}

/// "Carrion Crow against Ash Hound".
fn pair(view: &View, skirmish: &SkirmishView) -> String {
    let attacker = warrior(view, skirmish.attacker);
    if skirmish.defenders.is_empty() {
        return attacker;
    }
    let defenders = skirmish.defenders.iter().map(|&number| warrior(view, number));
    format!("{attacker} against {}", text::list(defenders))
}

/// How it ended: by how much influence of one kind.
pub(super) fn result(scene: &PhaseScene<'_>) -> Prose {
    let Some(outcome) = scene.outcome else {
        return Prose::new();
    };
    let view = scene.view;
    let winner = outcome.winners().iter().next();
    let most = winner
        .and_then(|seat| view.player(seat))
        .and_then(|player| player.influence.into_iter().max())
        .unwrap_or_default();
    match view.end {
        Some(End::Emptied) => call::ended(
            outcome,
            &format!("{most} influence of one kind, and the Nexus has run dry"),
        ),
        Some(End::TooLong) => call::ended(
            outcome,
            &format!("{most} influence of one kind after {} rounds", view.most_rounds),
        ),
        Some(End::Alone) => call::ended(outcome, "everybody else has left"),
        None => call::result(outcome),
    }
}
