//! The rules of a game as players read them: sections, pictures of positions that show a rule, and words of the game.
//!
//! Each game keeps them in `assets/<game>/rules.md`. What comes before the first `## ` is the overview, each `## ` starts
//! a section. A section may begin with a picture, `![what it shows](name)`: the game builds the position of that name
//! ([`Show::illustration`](super::Show::illustration)). A line such as `- **Name, other name**: what it means` explains a
//! word of the game, in whichever section it stands.
//!
//! Each section is one chat message: the overview has at most 1,200 letters, a section 1,800. At least three show a picture.

use crate::game::collection::Showpiece;
use crate::game::nearest::nearest;

/// What the part before the first section is called.
pub const OVERVIEW: &str = "Overview";

/// The rules text of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesText {
    /// The overview comes first. Each fits one chat message beside a picture.
    pub sections: Vec<Section>,
}

/// One part of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    pub body: &'static str,
    pub figure: Option<Figure>,
}

/// A picture in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of the position that it shows.
    pub name: &'static str,
    /// What there is to see in it.
    pub caption: &'static str,
}

/// A word of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is called, the usual name first.
    pub names: Vec<&'static str>,
    pub meaning: &'static str,
    /// The title of the section that explains it.
    pub section: &'static str,
}

/// What a game shows in a picture of its rules.
#[derive(Clone, Debug)]
pub enum Illustration<G> {
    /// A position, and what is played from there by whoever is to move: it is marked like any last move.
    Position {
        start: G,
        moves: &'static [&'static str],
    },
    /// Something of the game's collection.
    Showpiece(Showpiece),
}

/// What the players in pictures of rules are called.
pub const PLAYERS: [&str; 5] = ["Ann", "Bea", "Cy", "Dee", "Eli"];

impl RulesText {
    pub fn parse(text: &'static str) -> Self {
        let mut parts = text.split("\n## ");
        let overview = Section::of(OVERVIEW, parts.next().unwrap_or_default());
        let section = |part: &'static str| {
            let (title, body) = part.split_once('\n').unwrap_or((part, ""));
            Section::of(title.trim(), body)
        };
        Self {
            sections: std::iter::once(overview).chain(parts.map(section)).collect(),
        }
    }

    /// The section whose title begins like this, in any case; "The" may be left out.
    pub fn section(&self, title: &str) -> Option<Section> {
        let wanted = title.trim().to_lowercase();
        let begins = |section: &&Section| {
            let title = section.title.to_lowercase();
            let bare = title.strip_prefix("the ").or_else(|| title.strip_prefix("a "));
            title.starts_with(&wanted) || bare.is_some_and(|bare| bare.starts_with(&wanted))
        };
        self.sections.iter().find(begins).copied()
    }

    /// The sections before and after one.
    pub fn beside(&self, section: &Section) -> [Option<Section>; 2] {
        let Some(at) = self.sections.iter().position(|one| one == section) else {
            return [None; 2];
        };
        [at.checked_sub(1), at.checked_add(1)].map(|index| self.sections.get(index?).copied())
    }

    /// The words that the rules explain. Where the overview and a section explain the same, the section comes first.
    pub fn terms(&self) -> Vec<Term> {
        let (overview, sections) = self.sections.split_at(self.sections.len().min(1));
        sections.iter().chain(overview).flat_map(Section::terms).collect()
    }

    /// The word that somebody asks for, in any case, one of it or several.
    pub fn term(&self, word: &str) -> Option<Term> {
        let wanted = singular(word);
        let mut terms = self.terms().into_iter();
        terms.find(|term| term.names.iter().any(|name| singular(name) == wanted))
    }

    /// The title or the word that somebody may have meant.
    pub fn nearest(&self, word: &str) -> Option<&'static str> {
        let titles = self.sections.iter().map(|section| section.title);
        let names = self.terms().into_iter().flat_map(|term| term.names);
        nearest(word, titles.chain(names).collect::<Vec<&'static str>>())
    }
}

impl Section {
    fn of(title: &'static str, body: &'static str) -> Self {
        let body = body.trim();
        let figure = body.strip_prefix("![").and_then(|rest| {
            let (caption, rest) = rest.split_once("](")?;
            let (name, rest) = rest.split_once(')')?;
            Some((Figure { name, caption }, rest.trim_start()))
        });
        Self {
            title,
            body: figure.map_or(body, |(_, rest)| rest),
            figure: figure.map(|(figure, _)| figure),
        }
    }

    fn terms(&self) -> Vec<Term> {
        let term = |line: &'static str| {
            let (names, meaning) = line.trim_start().strip_prefix("- **")?.split_once("**")?;
            Some(Term {
                names: names.split(", ").collect(),
                meaning: meaning.trim_start_matches([':', ' ']),
                section: self.title,
            })
        };
        self.body.lines().filter_map(term).collect()
    }
}

/// A word as it is compared: small letters without hyphens, one of the thing rather than several.
fn singular(word: &str) -> String {
    let letters = word.trim().chars().filter(|c| !matches!(c, '-' | ' '));
    let lower: String = letters.flat_map(char::to_lowercase).collect();
    match lower.strip_suffix('s') {
        Some(one) if !one.ends_with(['s', 'u', 'i']) && one.chars().count() > 2 => one.to_owned(),
        _ => lower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "Slide.\n\nMore.\n\n## Moving\n![Ann slides.](slide)\nStraight.\n- **Step, pace**: one cell.\n\n## The end\nOver.\n";

    #[test]
    fn a_text_falls_into_an_overview_and_sections() {
        let rules = RulesText::parse(RULES);
        let titles: Vec<&str> = rules.sections.iter().map(|section| section.title).collect();
        assert_eq!(titles, ["Overview", "Moving", "The end"]);
        assert_eq!(rules.sections[0].body, "Slide.\n\nMore.");
        let moving = rules.section("mov").unwrap();
        assert_eq!(moving.figure.map(|figure| figure.name), Some("slide"));
        assert!(moving.body.starts_with("Straight."), "{}", moving.body);
        assert_eq!(rules.section("the e").map(|section| section.body), Some("Over."));
        assert_eq!(rules.section("end").map(|section| section.body), Some("Over."));
        assert_eq!(rules.section("x"), None);
    }

    #[test]
    fn pages_lead_to_each_other() {
        let rules = RulesText::parse(RULES);
        let titles = |title: &str| {
            let beside = rules.beside(&rules.section(title).unwrap());
            beside.map(|section| section.map(|section| section.title))
        };
        assert_eq!(titles("overview"), [None, Some("Moving")]);
        assert_eq!(titles("moving"), [Some("Overview"), Some("The end")]);
        assert_eq!(titles("the end"), [Some("Moving"), None]);
    }

    #[test]
    fn words_are_found_by_every_name_and_number() {
        let rules = RulesText::parse(RULES);
        for word in ["step", "Steps", "PACE", "paces"] {
            let term = rules.term(word).unwrap();
            assert_eq!((term.meaning, term.section), ("one cell.", "Moving"));
        }
        assert_eq!(rules.term("cell"), None);
        assert_eq!(rules.nearest("stpe"), Some("Step"));
    }
}
