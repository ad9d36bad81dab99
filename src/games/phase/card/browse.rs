//! The cards as a collection: searched by name, faction, cost and skill; decks checked, coded and written.

use super::code::DeckCode;
use super::deck::{self, Deck};
use super::face::{Alignment, Face, Faction, Keyword};
use super::pair::CardId;
use super::set::{CardSet, card_set, face_today};
use super::{list, text};
use crate::game::collection::{Collection, Exhibit, ReadyList};
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;

/// The printed set, for browsing and building.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Collection for Library {
    fn search(&self, words: &str) -> Result<Vec<Exhibit>, String> {
        let set = card_set();
        if let Some(face) = face_today(words) {
            return Ok(vec![exhibit(set, face)]);
        }
        let both = words
            .split_once('/')
            .and_then(|(one, other)| set.card_of(one, other));
        let numbered = || words.trim().parse::<CardId>().ok().map(|id| set.card(id));
        if let Some(card) = both.or_else(numbered) {
            let faces = [card.good, card.evil].map(|face| exhibit(set, set.face(face)));
            return Ok(faces.into());
        }
        let search = Search::read(words)?;
        let found = set.faces().iter().filter(|face| search.finds(face));
        let found: Vec<Exhibit> = found.map(|face| exhibit(set, face)).collect();
        if found.is_empty() {
            let near = nearest(words.trim(), set.faces().iter().map(|face| face.name.as_str()));
            return Err(match near {
                Some(near) => format!("No card matches. Did you mean **{near}**?"),
                None => "No card matches.".to_owned(),
            });
        }
        Ok(found)
    }

    fn search_help(&self) -> &'static str {
        "Look for a name, for both names as in `Scout / Fire Spirit`, for a number such as `F17`, or for what a face is: a faction, `good` or `evil`, `cost 2` or \
         `cost 1-2`, a skill such as `swift`, `action` for action skills, or any word of its text."
    }

    fn ready(&self) -> Vec<ReadyList> {
        let ready = |ready: &super::ReadyDeck| ReadyList {
            name: ready.name.clone(),
            about: format!("{}. {}.", ready.deck.faction(), ready.about),
            items: names(ready.deck.cards()),
        };
        card_set().decks().iter().map(ready).collect()
    }

    fn read(&self, text: &str) -> Result<Vec<String>, String> {
        // Whoever types twenty letters in four groups means a code and wants to know what is wrong with it.
        let looks_like_a_code = text.trim().split('-').count() == 4 && !text.contains(['/', ',']);
        match text.parse::<DeckCode>() {
            Ok(DeckCode(deck)) => Ok(names(deck.cards())),
            Err(fault) if looks_like_a_code => Err(fault.to_string()),
            Err(_) => match list::read(text) {
                Ok(cards) => Ok(names(&cards)),
                Err(fault) if text.trim().contains('\n') => Err(fault.to_string()),
                Err(fault) => Err(fault.reason),
            },
        }
    }

    fn label(&self, item: &str) -> String {
        match item.parse::<CardId>() {
            Ok(id) => format!("{id} {}", card_set().title(id)),
            Err(_) => excerpt(item),
        }
    }

    fn check(&self, items: &[String]) -> Vec<String> {
        deck::check(&cards(items))
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    fn code(&self, items: &[String]) -> Option<String> {
        Deck::new(cards(items))
            .ok()
            .map(|deck| DeckCode(deck).to_string())
    }

    fn bring(&self, code: &str) -> String {
        format!("bring {code}")
    }

    fn write(&self, name: &str, items: &[String]) -> String {
        list::write(name, &cards(items))
    }
}

fn names(cards: &[CardId]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

/// What is kept of a list came from here; what has become unreadable is no card.
fn cards(items: &[String]) -> Vec<CardId> {
    items.iter().filter_map(|item| item.parse().ok()).collect()
}

fn exhibit(set: &CardSet, face: &Face) -> Exhibit {
    let mut details = vec![format!(
        "{} {}, training cost {}, {}/{}.",
        face.faction, face.alignment, face.cost, face.attack, face.defense
    )];
    details.extend(face.skills.iter().map(|skill| match skill.keyword() {
        Some(_) => text::skill(skill),
        None => format!("Action. {}", text::skill(skill)),
    }));
    details.push(format!("Order. {}", text::ability(&face.order)));
    let on: Vec<_> = set
        .cards()
        .iter()
        .filter(|card| card.face(face.alignment) == face.id)
        .collect();
    let behind: Vec<String> = on
        .iter()
        .map(|card| {
            format!(
                "{} ({})",
                set.face(card.face(face.alignment.other())).name,
                card.id
            )
        })
        .collect();
    details.push(format!("Behind it: {}.", behind.join(", ")));
    let skills: Vec<String> = face.keywords.iter().map(|keyword| keyword.to_string()).collect();
    let skills = if skills.is_empty() {
        String::new()
    } else {
        format!(", {}", skills.join(", "))
    };
    Exhibit {
        name: face.name.clone(),
        summary: format!(
            "{} {}, cost {}, {}/{}{skills}",
            face.faction, face.alignment, face.cost, face.attack, face.defense
        ),
        details,
        items: on.iter().map(|card| card.id.to_string()).collect(),
    }
}

/// What somebody looks for. Everything that is said must hold.
#[derive(Default)]
struct Search {
    faction: Option<Faction>,
    alignment: Option<Alignment>,
    costs: Option<(u8, u8)>,
    keywords: Vec<Keyword>,
    action: bool,
    words: Vec<String>,
}

impl Search {
    fn read(words: &str) -> Result<Self, String> {
        let mut search = Self::default();
        let lower = words.to_lowercase();
        let mut words = lower.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "fengarian" | "fengarians" => search.faction = Some(Faction::Fengarian),
                "keeper" | "keepers" => search.faction = Some(Faction::Keeper),
                "sun" | "dominion" => search.faction = Some(Faction::SunDominion),
                "good" => search.alignment = Some(Alignment::Good),
                "evil" => search.alignment = Some(Alignment::Evil),
                "action" => search.action = true,
                "cost" | "costs" => {
                    let range = words.next().unwrap_or_default();
                    search.costs = Some(costs(range).ok_or_else(|| {
                        "Which cost? A number from 0 to 5, or from one to another: `cost 2`, `cost 1-2`."
                            .to_owned()
                    })?);
                }
                _ => match Keyword::named(word) {
                    Some(keyword) => search.keywords.push(keyword),
                    None => search.words.push(word.to_owned()),
                },
            }
        }
        Ok(search)
    }

    fn finds(&self, face: &Face) -> bool {
        let says = |word: &String| {
            face.name.to_lowercase().contains(word)
                || text::ability(&face.order).to_lowercase().contains(word)
                || face
                    .skills
                    .iter()
                    .any(|skill| text::skill(skill).to_lowercase().contains(word))
        };
        self.faction.is_none_or(|faction| face.faction == faction)
            && self.alignment.is_none_or(|alignment| face.alignment == alignment)
            && self
                .costs
                .is_none_or(|(least, most)| (least..=most).contains(&face.cost))
            && self.keywords.iter().all(|keyword| face.has(*keyword))
            && (!self.action || face.skills.iter().any(|skill| skill.keyword().is_none()))
            && self.words.iter().all(says)
    }
}

/// `2`, or `1-3`.
fn costs(range: &str) -> Option<(u8, u8)> {
    let (least, most) = range.split_once('-').unwrap_or((range, range));
    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
    (least <= most && most <= 5).then_some((least, most))
}
