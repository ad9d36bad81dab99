//! Reads the card files of an edition into a set.
//!
//! ```text
//! faction Fengarian
//!
//! good Scout, 1, 1/2                          name, training cost, attack/defense
//!   relentless: enlist 1 locked               skills; ally and swift stand alone
//!   order: choose my warrior; buff it +1/+1   what it does from the hand
//!
//! cards
//!   1 Scout / Fire Spirit                     number, good face, evil face
//!
//! deck wolfpack: strikes before you look      a ready deck, then the numbers of its cards
//!   1 2 5 8
//! ```
//! A `*` after a face's stats marks one whose nature the rulebook's sample turn fixes: it may be off the curve by which tests price the others.
//! What follows `# ` is a comment.

use std::collections::HashMap;

use super::deck::{Deck, ReadyDeck};
use super::effect::Ability;
use super::face::{Alignment, Face, FaceId, Faction, Keywords, Skill};
use super::pair::{CARDS, Card, CardId};
use super::read::{self, Reason};
use super::set::CardSet;
use crate::text::leading;

/// What is wrong in a card file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {reason}")]
pub struct LoadFault {
    pub file: String,
    /// From 1; 0 where the whole file is meant.
    pub line: u32,
    pub reason: String,
}

impl LoadFault {
    /// The first few of them in a line.
    pub fn list(faults: &[Self]) -> String {
        const NAMED: usize = 3;
        let named: Vec<String> = faults.iter().take(NAMED).map(Self::to_string).collect();
        let more = match faults.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        format!("{}{more}", named.join("; "))
    }
}

/// A card file: its name and what is in it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    pub name: &'t str,
    pub text: &'t str,
}

/// Reads all files. Every fault is told, not only the first.
pub fn load(sources: &[Source<'_>]) -> Result<CardSet, Vec<LoadFault>> {
    let mut read = read_all(sources);
    let there = read.set.cards.len();
    if there != usize::from(CARDS) && read.faults.is_empty() {
        read.faults.push(LoadFault {
            file: sources.last().map_or("", |source| source.name).to_owned(),
            line: 0,
            reason: format!("there are {there} cards instead of {CARDS}"),
        });
    }
    if read.faults.is_empty() {
        Ok(read.set)
    } else {
        Err(read.faults)
    }
}

/// What was read of some files, whole or not, with what is wrong in it: for tests that look cards over.
#[derive(Debug)]
pub struct ReadCards {
    pub set: CardSet,
    pub origins: Origins,
    pub faults: Vec<LoadFault>,
}

/// Reads as much of the files as can be read.
pub fn read_all(sources: &[Source<'_>]) -> ReadCards {
    let mut loader = Loader::default();
    for source in sources {
        loader.file(source);
    }
    loader.set.cards = loader.cards.into_values().collect();
    loader.set.cards.sort_unstable_by_key(|card| card.id);
    ReadCards {
        set: loader.set,
        origins: loader.origins,
        faults: loader.faults,
    }
}

/// Reads a file of a few cards for trying things out: nothing is looked over but how it is written. The cards are
/// Fengarian and numbered from 1 without a gap, as [`CardSet::card`] wants them.
pub fn draft(source: &Source<'_>) -> Result<CardSet, Vec<LoadFault>> {
    let read = read_all(&[*source]);
    if read.faults.is_empty() {
        Ok(read.set)
    } else {
        Err(read.faults)
    }
}

/// Where something was written.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub file: String,
    pub line: u32,
}

/// What is known of a set beside what is printed on its cards.
#[derive(Debug, Default)]
pub struct Origins {
    /// One a face.
    pub faces: Vec<Origin>,
    /// Whether the sample turn fixes it; one a face.
    pub fixed: Vec<bool>,
    /// Whether an order was written; one a face.
    pub ordered: Vec<bool>,
    /// By index of the card.
    pub cards: HashMap<usize, Origin>,
    pub decks: Vec<Origin>,
    /// The first line of each faction.
    pub factions: HashMap<Faction, Origin>,
}

#[derive(Default)]
struct Loader {
    set: CardSet,
    names: HashMap<String, FaceId>,
    cards: HashMap<CardId, Card>,
    origins: Origins,
    faults: Vec<LoadFault>,
    here: Origin,
    faction: Option<Faction>,
    section: Section,
    /// Cards of the deck that is being read.
    listed: Vec<CardId>,
}

/// What an indented line belongs to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Section {
    #[default]
    None,
    Face,
    Cards,
    Deck,
}

impl Loader {
    fn file(&mut self, source: &Source<'_>) {
        self.here.file = source.name.to_owned();
        self.faction = None;
        for (number, line) in (1..).zip(source.text.lines()) {
            self.here.line = number;
            let line = line.split_once("# ").map_or(line, |(line, _)| line).trim_end();
            if line.is_empty() || line == "#" {
                continue;
            }
            let indented = line.starts_with(char::is_whitespace);
            let read = if indented {
                self.inner(line.trim())
            } else {
                self.close_deck();
                self.head(line)
            };
            if let Err(reason) = read {
                self.fault(reason);
                if !indented {
                    self.section = Section::None;
                }
            }
        }
        self.close_deck();
        self.section = Section::None;
    }

    fn fault(&mut self, reason: String) {
        self.faults.push(LoadFault {
            file: self.here.file.clone(),
            line: self.here.line,
            reason,
        });
    }

    /// A line that starts something.
    fn head(&mut self, line: &str) -> Result<(), Reason> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "faction" => self.start_faction(rest),
            "good" => self.start_face(Alignment::Good, rest),
            "evil" => self.start_face(Alignment::Evil, rest),
            "cards" if rest.is_empty() => {
                self.section = Section::Cards;
                Ok(())
            }
            "deck" => self.start_deck(rest),
            _ => Err(format!(
                "`{word}` starts nothing; a line starts with faction, good, evil, cards or deck"
            )),
        }
    }

    fn inner(&mut self, line: &str) -> Result<(), Reason> {
        match self.section {
            Section::None => Err("this line belongs to nothing".to_owned()),
            Section::Face => self.face_line(line),
            Section::Cards => self.card_line(line),
            Section::Deck => self.deck_line(line),
        }
    }

    fn start_faction(&mut self, name: &str) -> Result<(), Reason> {
        let faction = Faction::named(name).ok_or_else(|| format!("there is no faction `{name}`"))?;
        self.faction = Some(faction);
        self.section = Section::None;
        let here = self.here.clone();
        self.origins.factions.entry(faction).or_insert(here);
        Ok(())
    }

    fn faction(&self) -> Result<Faction, Reason> {
        self.faction
            .ok_or_else(|| "say the faction first: `faction Keeper`".to_owned())
    }

    fn start_face(&mut self, alignment: Alignment, rest: &str) -> Result<(), Reason> {
        let faction = self.faction()?;
        let (rest, fixed) = match rest.strip_suffix('*') {
            Some(rest) => (rest.trim_end(), true),
            None => (rest, false),
        };
        let mut parts = rest.rsplitn(3, ',').map(str::trim);
        let (stats, cost, name) = (parts.next(), parts.next(), parts.next());
        let (Some(stats), Some(cost), Some(name)) = (stats, cost, name.filter(|name| !name.is_empty()))
        else {
            return Err("a face is a name, a cost and attack/defense: `good Scout, 1, 1/2`".to_owned());
        };
        let small = |text: &str, what: &str| {
            let number: Option<i8> = text.parse().ok();
            number
                .filter(|number| (0..=9).contains(number))
                .ok_or_else(|| format!("`{text}` is no {what}"))
        };
        let (attack, defense) = stats
            .split_once('/')
            .ok_or_else(|| format!("`{stats}` is not attack/defense"))?;
        let id = u16::try_from(self.set.faces.len()).map_err(|_| "too many faces".to_owned())?;
        let face = Face {
            id: FaceId(id),
            name: name.to_owned(),
            faction,
            alignment,
            cost: small(cost, "training cost")?.unsigned_abs(),
            attack: small(attack, "attack")?,
            defense: small(defense, "defense")?,
            order: Ability::default(),
            skills: Vec::new(),
            keywords: Keywords::NONE,
        };
        if self.names.insert(name.to_lowercase(), face.id).is_some() {
            return Err(format!("there are two faces called {name}"));
        }
        self.set.faces.push(face);
        self.origins.faces.push(self.here.clone());
        self.origins.fixed.push(fixed);
        self.origins.ordered.push(false);
        self.section = Section::Face;
        Ok(())
    }

    fn face_line(&mut self, line: &str) -> Result<(), Reason> {
        let (word, rest) = leading(line, |c| !matches!(c, ' ' | ':'));
        let (Some(face), Some(ordered)) = (self.set.faces.last_mut(), self.origins.ordered.last_mut()) else {
            return Err("this line belongs to no face".to_owned());
        };
        let free = |skill: fn(super::effect::Effect) -> Skill| {
            let ability = read::ability(rest)?;
            if ability.costs.is_empty() {
                Ok(skill(ability.effect))
            } else {
                Err(format!("{word} is a trigger, and triggers have no cost"))
            }
        };
        let skill = match word {
            "order" => {
                if std::mem::replace(ordered, true) {
                    return Err(format!("{} has two orders", face.name));
                }
                face.order = read::ability(rest)?;
                return Ok(());
            }
            "ally" if rest.is_empty() => Skill::Ally,
            "swift" if rest.is_empty() => Skill::Swift,
            "elite" => free(Skill::Elite)?,
            "phaseling" => free(Skill::Phaseling)?,
            "relentless" => free(Skill::Relentless)?,
            "trained" => free(Skill::Trained)?,
            "action" => Skill::Action(read::ability(rest)?),
            _ => {
                return Err(format!(
                    "`{word}` is no skill; there is ally, swift, elite, phaseling, relentless, trained and action"
                ));
            }
        };
        if let Some(keyword) = skill.keyword() {
            if face.has(keyword) {
                return Err(format!("{} has {keyword} twice", face.name));
            }
            face.keywords = face.keywords.with(keyword);
        }
        face.skills.push(skill);
        Ok(())
    }

    fn card_line(&mut self, line: &str) -> Result<(), Reason> {
        let faction = self.faction()?;
        let pair = line
            .split_once(' ')
            .and_then(|(number, names)| Some((number, names.split_once('/')?)));
        let Some((number, (good, evil))) = pair else {
            return Err("a card is a number and two faces: `1 Scout / Fire Spirit`".to_owned());
        };
        let id = number
            .parse()
            .ok()
            .and_then(|number| CardId::new(faction, number));
        let id = id.ok_or_else(|| format!("`{number}` is no number from 1 to 100"))?;
        let find = |name: &str, alignment: Alignment| {
            let name = name.trim();
            let id = self.names.get(&name.to_lowercase());
            let face = id
                .and_then(|id| self.set.faces.get(id.index()))
                .ok_or_else(|| format!("there is no face called {name}"))?;
            if face.faction != faction {
                return Err(format!("{name} is {}, not {faction}", face.faction));
            }
            if face.alignment != alignment {
                return Err(format!("{name} is {}; the good face comes first", face.alignment));
            }
            Ok((face.id, face.cost))
        };
        let (good, good_cost) = find(good, Alignment::Good)?;
        let (evil, evil_cost) = find(evil, Alignment::Evil)?;
        let twin = self
            .cards
            .values()
            .find(|card| card.good == good && card.evil == evil);
        if let Some(twin) = twin {
            return Err(format!("{} is the same card", twin.id));
        }
        let card = Card {
            id,
            faction,
            good,
            evil,
            cost_difference: good_cost.abs_diff(evil_cost),
        };
        if self.cards.insert(id, card).is_some() {
            return Err(format!("there are two cards {id}"));
        }
        self.origins.cards.insert(id.index(), self.here.clone());
        Ok(())
    }

    fn start_deck(&mut self, rest: &str) -> Result<(), Reason> {
        self.faction()?;
        let Some((name, about)) = rest.split_once(':') else {
            return Err("a deck is a name and a line about it: `deck wolfpack: strikes first`".to_owned());
        };
        let name = name.trim();
        let fits = |c: char| c.is_ascii_lowercase() || c == '-';
        if name.is_empty() || !name.chars().all(fits) {
            return Err(format!(
                "`{name}` is no name for a deck: small letters and hyphens"
            ));
        }
        if self.set.decks.iter().any(|ready| ready.name == name) {
            return Err(format!("there are two decks called {name}"));
        }
        self.set.decks.push(ReadyDeck {
            name: name.to_owned(),
            about: about.trim().to_owned(),
            deck: Deck::unchecked(Vec::new()),
        });
        self.origins.decks.push(self.here.clone());
        self.listed.clear();
        self.section = Section::Deck;
        Ok(())
    }

    fn deck_line(&mut self, line: &str) -> Result<(), Reason> {
        let faction = self.faction()?;
        for word in line.split_whitespace() {
            let id = word.parse().ok().and_then(|number| CardId::new(faction, number));
            self.listed
                .push(id.ok_or_else(|| format!("`{word}` is no number of a card"))?);
        }
        Ok(())
    }

    /// The cards of a ready deck are known when the next thing starts.
    fn close_deck(&mut self) {
        if self.section != Section::Deck {
            return;
        }
        self.section = Section::None;
        let made = Deck::new(self.listed.drain(..));
        match (made, self.set.decks.last_mut()) {
            (Ok(deck), Some(ready)) => ready.deck = deck,
            (Err(fault), Some(ready)) => {
                let reason = format!("{}: {fault}", ready.name);
                if let Some(origin) = self.origins.decks.last() {
                    self.faults.push(LoadFault {
                        file: origin.file.clone(),
                        line: origin.line,
                        reason,
                    });
                }
            }
            (_, None) => {}
        }
    }
}
