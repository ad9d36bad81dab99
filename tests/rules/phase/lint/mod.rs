//! Looks a set over: what is readable but can't be meant. The program reads cards and doesn't judge them.

mod mechanic;
mod price;
mod renamed;
mod rival;
mod scope;

use std::collections::{HashMap, HashSet};

use mechanic::{Mechanic, asks_whether_behind};
use parlor::games::phase::card::deck::ReadyDeck;
use parlor::games::phase::card::effect::Cost;
use parlor::games::phase::card::face::{Alignment, Face, FaceId, Faction, Keyword, Skill};
use parlor::games::phase::card::load::{LoadFault, Origin, Origins, ReadCards, Source as File, read_all};
use parlor::games::phase::card::pair::CARDS_A_FACTION;
use parlor::games::phase::card::{CardSet, text};
use scope::{Source, chooses_on_the_table, look_at_ability, look_at_effect, phases_warriors};

/// How many faces of one alignment a faction has, by training cost.
const COSTS: [usize; 6] = [4, 6, 6, 4, 3, 1];

/// Every face stands on at least so many cards.
const LEAST_CARDS: usize = 3;

/// Every keyword, and every kind of action skill, is on at least so many faces of a faction.
const LEAST_FACES: usize = 2;

/// Ready decks of a faction.
const DECKS: usize = 3;

/// What only one faction does is on at least so many of its faces.
const LEAST_OF_A_MECHANIC: usize = 5;

/// Orders of the whole set that differ in more than good and evil.
const LEAST_ORDERS: usize = 120;

/// Of a hundred orders at most so many ask whether their player is behind.
const MOST_BEHIND: usize = 15;

/// Of the sides of a ready deck's cards at most one in so many tells what is behind it.
const GIVEAWAYS: usize = 10;

/// The strongest attack and the strongest defense that are printed.
const MOST_ATTACK: i8 = 5;
const MOST_DEFENSE: i8 = 6;

/// Attack and defense this far apart need a reason.
const UNEVEN: i8 = 2;

/// What fits on a card.
const LONGEST_NAME: usize = 20;
const LONGEST_TEXT: usize = 130;

/// Reads files and looks them over: everything that is wrong in them.
pub fn look_over(files: &[File<'_>]) -> Vec<LoadFault> {
    let ReadCards {
        set,
        origins,
        mut faults,
    } = read_all(files);
    look_at_set(&set, &origins, &mut faults);
    look_at_lines(files, &set, &origins, &mut Report { faults: &mut faults });
    faults
}

/// Lines of attack and defense that are far from even have a reason, written beside them.
fn look_at_lines(files: &[File<'_>], set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    for (face, origin) in set.faces().iter().zip(&origins.faces) {
        let file = files.iter().find(|file| file.name == origin.file);
        let before = usize::try_from(origin.line)
            .ok()
            .and_then(|line| line.checked_sub(1));
        let line = file
            .zip(before)
            .and_then(|(file, before)| file.text.lines().nth(before));
        let reason = line
            .and_then(|line| line.split_once('#'))
            .map_or("", |(_, reason)| reason);
        if (face.attack - face.defense).abs() >= UNEVEN && reason.trim().is_empty() {
            let (attack, defense) = (face.attack, face.defense);
            report.at(
                origin,
                format!("{}: no reason is given for {attack}/{defense}", face.name),
            );
        }
    }
}

fn look_at_set(set: &CardSet, origins: &Origins, faults: &mut Vec<LoadFault>) {
    let mut report = Report { faults };
    for ((face, origin), (fixed, ordered)) in
        (set.faces().iter().zip(&origins.faces)).zip(origins.fixed.iter().zip(&origins.ordered))
    {
        let mut faults = Vec::new();
        look_at_face(face, *fixed, *ordered, &mut faults);
        for reason in faults {
            report.at(origin, format!("{}: {reason}", face.name));
        }
    }
    look_at_use(set, origins, &mut report);
    for faction in Faction::ALL {
        let unknown = Origin::default();
        let origin = origins.factions.get(&faction).unwrap_or(&unknown);
        for reason in look_at_faction(set, faction) {
            report.at(origin, format!("{faction}: {reason}"));
        }
    }
    for (ready, origin) in set.decks().iter().zip(&origins.decks) {
        for reason in look_at_deck(set, ready) {
            report.at(origin, format!("{}: {reason}", ready.name));
        }
    }
    look_at_means(set, origins, &mut report);
    look_at_rivals(set, origins, &mut report);
    look_at_orders(set, origins, &mut report);
}

struct Report<'f> {
    faults: &'f mut Vec<LoadFault>,
}

impl Report<'_> {
    fn at(&mut self, origin: &Origin, reason: String) {
        self.faults.push(LoadFault {
            file: origin.file.clone(),
            line: origin.line,
            reason,
        });
    }
}

fn look_at_face(face: &Face, fixed: bool, ordered: bool, faults: &mut Vec<String>) {
    if face.name.is_empty() || face.name.chars().count() > LONGEST_NAME {
        faults.push(format!("a name has 1 to {LONGEST_NAME} letters"));
    }
    if face.defense < 1 {
        faults.push("a defense of 0 can't stand".to_owned());
    }
    match price::off_curve(face) {
        None => faults.push("a training cost is 0 to 5".to_owned()),
        Some(off) => {
            let allowed = if fixed { 4 } else { 3 };
            if off.abs() > allowed {
                faults.push(format!("{} points off the curve for its cost", points(off, "+")));
            }
        }
    }
    if face.attack > MOST_ATTACK || face.defense > MOST_DEFENSE {
        faults.push(format!(
            "lines go to {MOST_ATTACK} attack and {MOST_DEFENSE} defense, not {}/{}",
            face.attack, face.defense
        ));
    }
    if !ordered {
        faults.push("it has no order".to_owned());
        return;
    }
    look_at_ability(&face.order, Source::Order, faults);
    let worth = price::worth(&face.order.effect);
    let (least, most) = price::order_range(&face.order);
    if !(least..=most).contains(&worth) {
        faults.push(format!(
            "its order is worth {} points, and {} to {} are right for its cost",
            points(worth, ""),
            points(least, ""),
            points(most, "")
        ));
    }
    for skill in &face.skills {
        match skill {
            Skill::Ally | Skill::Swift => {}
            Skill::Elite(effect) | Skill::Relentless(effect) | Skill::Trained(effect) => {
                look_at_effect(effect, Source::Trigger, faults);
            }
            Skill::Phaseling(effect) => {
                look_at_effect(effect, Source::Phaseling, faults);
                if effect.steps.iter().any(|verb| phases_warriors(verb, effect)) {
                    faults
                        .push("a Phaseling must not phase warriors: two of them would never stop".to_owned());
                }
                if effect.choices.iter().any(chooses_on_the_table) {
                    faults.push(
                        "a Phaseling that chooses finds nobody when an unopposed attacker goes home"
                            .to_owned(),
                    );
                }
            }
            Skill::Action(ability) => {
                look_at_ability(ability, Source::Action, faults);
                if ability.costs.is_empty() {
                    faults.push("an action skill has a cost".to_owned());
                }
            }
        }
    }
    let texts = face
        .skills
        .iter()
        .map(text::skill)
        .chain([text::ability(&face.order)]);
    for text in texts {
        let length = text.chars().count();
        if length > LONGEST_TEXT {
            faults.push(format!("{length} letters don't fit the card: {text}"));
        }
    }
}

/// Quarters as points: `1.25`.
fn points(quarters: i32, plus: &str) -> String {
    let sign = if quarters < 0 { "-" } else { plus };
    let quarters = quarters.abs();
    format!("{sign}{}.{:02}", quarters / 4, quarters % 4 * 25)
}

/// Every face has its cards.
fn look_at_use(set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    let mut uses: HashMap<FaceId, usize> = HashMap::new();
    for card in set.cards() {
        for alignment in Alignment::ALL {
            *uses.entry(card.face(alignment)).or_default() += 1;
        }
    }
    for (face, origin) in set.faces().iter().zip(&origins.faces) {
        let used = uses.get(&face.id).copied().unwrap_or_default();
        if used < LEAST_CARDS {
            report.at(
                origin,
                format!(
                    "{} is on {used} cards; at least {LEAST_CARDS} are needed",
                    face.name
                ),
            );
        }
    }
}

fn look_at_faction(set: &CardSet, faction: Faction) -> Vec<String> {
    let mut faults = Vec::new();
    let faces: Vec<&Face> = set
        .faces()
        .iter()
        .filter(|face| face.faction == faction)
        .collect();
    for alignment in Alignment::ALL {
        for (cost, wanted) in (0u8..).zip(COSTS) {
            let there = faces
                .iter()
                .filter(|face| face.alignment == alignment && face.cost == cost)
                .count();
            if there != wanted {
                faults.push(format!(
                    "{there} {alignment} faces cost {cost}, and {wanted} should"
                ));
            }
        }
    }
    for keyword in Keyword::ALL {
        let there = faces.iter().filter(|face| face.has(keyword)).count();
        if there < LEAST_FACES {
            faults.push(format!(
                "{keyword} is on {there} faces; at least {LEAST_FACES} are needed"
            ));
        }
    }
    let action_costs = |fits: fn(&Cost) -> bool| {
        let with = |face: &&&Face| {
            face.skills
                .iter()
                .any(|skill| matches!(skill, Skill::Action(ability) if ability.costs.iter().any(fits)))
        };
        faces.iter().filter(with).count()
    };
    if action_costs(|cost| matches!(cost, Cost::Phase(_))) < LEAST_FACES {
        faults.push(format!("fewer than {LEAST_FACES} action skills cost phasing"));
    }
    if action_costs(|cost| matches!(cost, Cost::Lock(_))) < LEAST_FACES {
        faults.push(format!("fewer than {LEAST_FACES} action skills cost locking"));
    }
    let cards = set.cards().iter().filter(|card| card.faction == faction).count();
    if cards != usize::from(CARDS_A_FACTION) {
        faults.push(format!("{cards} cards instead of {CARDS_A_FACTION}"));
    }
    let decks = set
        .decks()
        .iter()
        .filter(|ready| ready.deck.faction() == faction)
        .count();
    if decks != DECKS {
        faults.push(format!("{decks} ready decks instead of {DECKS}"));
    }
    for mechanic in Mechanic::ALL {
        let there: Vec<&&Face> = faces.iter().filter(|face| mechanic.is_on(face)).collect();
        if mechanic.faction() != faction {
            let strangers = there
                .iter()
                .map(|face| format!("{} has {mechanic:?}, which is not its own", face.name));
            faults.extend(strangers);
        } else if there.len() < LEAST_OF_A_MECHANIC {
            faults.push(format!(
                "{mechanic:?} is on {} faces; at least {LEAST_OF_A_MECHANIC} are needed",
                there.len()
            ));
        }
    }
    let played: HashSet<FaceId> = set
        .decks()
        .iter()
        .flat_map(|ready| sides(set, ready))
        .map(|(face, _)| face)
        .collect();
    let unplayed = faces.iter().filter(|face| !played.contains(&face.id));
    faults.extend(unplayed.map(|face| format!("{} is in no ready deck", face.name)));
    faults
}

/// The faces of a deck's cards, each with the one behind it.
fn sides(set: &CardSet, ready: &ReadyDeck) -> Vec<(FaceId, FaceId)> {
    let ids = ready.deck.cards().iter();
    ids.filter_map(|id| set.cards().get(id.index()))
        .flat_map(|card| [(card.good, card.evil), (card.evil, card.good)])
        .collect()
}

/// No face is strictly worse than another, and no two are all but the same.
fn look_at_rivals(set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    for (face, origin) in set.faces().iter().zip(&origins.faces) {
        let better = set
            .faces()
            .iter()
            .filter(|other| rival::is_strictly_worse(face, other));
        for better in better {
            report.at(
                origin,
                format!("{} is strictly worse than {}", face.name, better.name),
            );
        }
    }
    for (one, other) in rival::duplicates(set.faces()) {
        let origin = origins.faces.get(other.id.index()).cloned().unwrap_or_default();
        report.at(
            &origin,
            format!("{} and {} are all but the same", one.name, other.name),
        );
    }
}

/// Orders are many, and few of them are for whoever is behind.
fn look_at_orders(set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    let origin = origins.faces.first().cloned().unwrap_or_default();
    let orders: HashSet<String> = set
        .faces()
        .iter()
        .map(|face| rival::neutral(&text::ability(&face.order)))
        .collect();
    if orders.len() < LEAST_ORDERS {
        report.at(
            &origin,
            format!(
                "the set has {} different orders; at least {LEAST_ORDERS} are needed",
                orders.len()
            ),
        );
    }
    let behind = set
        .faces()
        .iter()
        .filter(|face| asks_whether_behind(face))
        .count();
    if behind * 100 > set.faces().len() * MOST_BEHIND {
        report.at(
            &origin,
            format!(
                "the set has {behind} orders that ask whether one is behind; at most {MOST_BEHIND} % may"
            ),
        );
    }
}

fn look_at_deck(set: &CardSet, ready: &ReadyDeck) -> Vec<String> {
    let costs: Vec<[u8; 2]> = ready
        .deck
        .cards()
        .iter()
        .filter_map(|id| set.cards().get(id.index()))
        .filter_map(|card| {
            let cost = |id: FaceId| Some(set.faces().get(id.index())?.cost);
            Some([cost(card.good)?, cost(card.evil)?])
        })
        .collect();
    let heavy = costs
        .iter()
        .filter(|costs| costs.iter().all(|cost| *cost >= 4))
        .count();
    let light = costs
        .iter()
        .filter(|costs| costs.iter().any(|cost| *cost <= 1))
        .count();
    let mut faults = Vec::new();
    if heavy > 3 {
        faults.push(format!(
            "{heavy} cards cost 4 or more on both sides; at most 3 may"
        ));
    }
    if light < 8 {
        faults.push(format!(
            "{light} cards have a face that costs 0 or 1; at least 8 should"
        ));
    }
    let sides = sides(set, ready);
    let alone = |face: FaceId| sides.iter().filter(|(other, _)| *other == face).count() == 1;
    let told = sides.iter().filter(|(face, _)| alone(*face)).count();
    if told * GIVEAWAYS > sides.len() {
        faults.push(format!(
            "{told} of {} sides tell what is behind them; at most one in {GIVEAWAYS} may",
            sides.len()
        ));
    }
    faults
}

/// The factions differ in skills, not in strength: their mean attacks lie within 0.3.
fn look_at_means(set: &CardSet, origins: &Origins, report: &mut Report<'_>) {
    let hundredths = |faction: Faction| {
        let attacks: Vec<i32> = set
            .faces()
            .iter()
            .filter(|face| face.faction == faction)
            .map(|face| i32::from(face.attack))
            .collect();
        let count = i32::try_from(attacks.len()).unwrap_or(i32::MAX).max(1);
        attacks.iter().sum::<i32>() * 100 / count
    };
    let means = Faction::ALL.map(hundredths);
    let (least, most) = (means.into_iter().min(), means.into_iter().max());
    if let (Some(least), Some(most)) = (least, most)
        && most - least > 35
    {
        let origin = origins.faces.first().cloned().unwrap_or_default();
        report.at(
            &origin,
            format!(
                "the factions' mean attacks differ by {} hundredths; at most 35 may",
                most - least
            ),
        );
    }
}
