//! `deck`: what is done with lists of what a game collects, such as decks of cards.

use std::fmt;

use super::{About, read_reference};
use crate::catalog::{self, Entry};
use crate::text::names;

/// What can be done with decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckDeed {
    List,
    Show,
    Use,
    New,
    Copy,
    Name,
    Add,
    Remove,
    Check,
    Share,
    Import,
    Export,
    Delete,
}

names! {
    DeckDeed {
        List = "list", Show = "show", Use = "use", New = "new", Copy = "copy", Name = "name", Add = "add",
        Remove = "remove", Check = "check", Share = "share", Import = "import", Export = "export", Delete = "delete",
    }
}

/// What somebody wants done, and to which deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeckOrder {
    /// All of them are shown.
    List,
    Show(String),
    Check(String),
    /// It is brought to a match.
    Use {
        name: String,
        about: About,
    },
    /// Its cards as they were typed: the game knows what they mean.
    New {
        name: String,
        cards: String,
    },
    Import {
        name: String,
        cards: String,
    },
    Copy {
        name: String,
        new: String,
    },
    Name {
        name: String,
        new: String,
    },
    Add {
        name: String,
        cards: String,
    },
    Remove {
        name: String,
        cards: String,
    },
    Share(String),
    Export(String),
    Delete(String),
}

/// What was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeckGap {
    /// Which deck it is about.
    Name(DeckDeed),
    Cards {
        deed: DeckDeed,
        name: String,
    },
    NewName {
        deed: DeckDeed,
        name: String,
    },
}

impl DeckOrder {
    /// What stands behind the word that says what to do: the name of a deck, and what belongs to it. A match may have been
    /// named before.
    pub fn read(deed: DeckDeed, words: &str, about: About) -> Result<Self, DeckGap> {
        let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        if name.is_empty() && deed != DeckDeed::List {
            return Err(DeckGap::Name(deed));
        }
        let (name, rest) = (name.to_owned(), rest.trim().to_owned());
        let alone = rest.is_empty();
        Ok(match deed {
            DeckDeed::Import | DeckDeed::Add | DeckDeed::Remove if alone => {
                return Err(DeckGap::Cards { deed, name });
            }
            DeckDeed::Copy | DeckDeed::Name if alone => return Err(DeckGap::NewName { deed, name }),
            DeckDeed::List => Self::List,
            DeckDeed::Show => Self::Show(name),
            DeckDeed::Check => Self::Check(name),
            DeckDeed::Use => Self::Use {
                name,
                about: about.or_else(|| read_reference(&rest)),
            },
            DeckDeed::New => Self::New { name, cards: rest },
            DeckDeed::Import => Self::Import { name, cards: rest },
            DeckDeed::Copy => Self::Copy { name, new: rest },
            DeckDeed::Name => Self::Name { name, new: rest },
            DeckDeed::Add => Self::Add { name, cards: rest },
            DeckDeed::Remove => Self::Remove { name, cards: rest },
            DeckDeed::Share => Self::Share(name),
            DeckDeed::Export => Self::Export(name),
            DeckDeed::Delete => Self::Delete(name),
        })
    }

    const fn deed(&self) -> DeckDeed {
        match self {
            Self::List => DeckDeed::List,
            Self::Show(_) => DeckDeed::Show,
            Self::Check(_) => DeckDeed::Check,
            Self::Use { .. } => DeckDeed::Use,
            Self::New { .. } => DeckDeed::New,
            Self::Import { .. } => DeckDeed::Import,
            Self::Copy { .. } => DeckDeed::Copy,
            Self::Name { .. } => DeckDeed::Name,
            Self::Add { .. } => DeckDeed::Add,
            Self::Remove { .. } => DeckDeed::Remove,
            Self::Share(_) => DeckDeed::Share,
            Self::Export(_) => DeckDeed::Export,
            Self::Delete(_) => DeckDeed::Delete,
        }
    }

    /// As it is typed, for the lists of this game.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, game: Option<&Entry>) -> fmt::Result {
        write!(f, " {}", self.deed())?;
        game.map_or(Ok(()), |game| write!(f, " {}", game.meta.id))?;
        match self {
            Self::List => Ok(()),
            Self::Show(name)
            | Self::Check(name)
            | Self::Use { name, .. }
            | Self::Share(name)
            | Self::Export(name)
            | Self::Delete(name) => write!(f, " {name}"),
            Self::New { name, cards: rest }
            | Self::Import { name, cards: rest }
            | Self::Add { name, cards: rest }
            | Self::Remove { name, cards: rest }
            | Self::Copy { name, new: rest }
            | Self::Name { name, new: rest } => {
                write!(f, " {name}")?;
                super::words(f, rest)
            }
        }
    }
}

/// The game that is named first, if it has a collection, and what follows it.
pub(super) fn take_collector(words: &str) -> (Option<&'static Entry>, &str) {
    let words = words.trim();
    let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match catalog::find(first) {
        Ok(entry) if entry.collection.is_some() => (Some(entry), rest.trim_start()),
        Ok(_) | Err(_) => (None, words),
    }
}
