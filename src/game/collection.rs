//! What a game lets its players collect before they play: things to browse, and lists to build of them.
//!
//! A card game has cards and decks. The rest of the program knows neither: it knows a [`Collection`], whose items have
//! stable names and whose lists the game checks, shortens to codes and writes down. Chat offers to browse and build,
//! matches keep each player's lists, and both leave all meaning to the game.

use serde::{Deserialize, Serialize};

/// The items of a game and the rules for lists of them.
///
/// # Example
/// Three gems, of which a bag holds two:
/// ```
/// use parlor::game::Collection;
/// use parlor::game::collection::{Exhibit, ReadyList};
///
/// const GEMS: [&str; 3] = ["opal", "ruby", "topaz"];
///
/// struct Gems;
///
/// impl Collection for Gems {
///     fn search(&self, words: &str) -> Result<Vec<Exhibit>, String> {
///         let exhibit = |gem: &&str| Exhibit {
///             name: (*gem).to_owned(),
///             summary: "a gem".to_owned(),
///             details: vec!["It shines.".to_owned()],
///             items: vec![(*gem).to_owned()],
///         };
///         Ok(GEMS.iter().filter(|gem| gem.contains(words)).map(exhibit).collect())
///     }
///
///     fn search_help(&self) -> &'static str {
///         "A part of a gem's name."
///     }
///
///     fn ready(&self) -> Vec<ReadyList> {
///         Vec::new()
///     }
///
///     fn read(&self, text: &str) -> Result<Vec<String>, String> {
///         let known = |word: &str| GEMS.contains(&word).then(|| word.to_owned());
///         let read = |word| known(word).ok_or_else(|| format!("There's no gem `{word}`."));
///         text.split([' ', '-']).map(read).collect()
///     }
///
///     fn label(&self, item: &str) -> String {
///         item.to_owned()
///     }
///
///     fn check(&self, items: &[String]) -> Vec<String> {
///         if items.len() == 2 { Vec::new() } else { vec!["A bag holds two gems.".to_owned()] }
///     }
///
///     fn code(&self, items: &[String]) -> Option<String> {
///         self.check(items).is_empty().then(|| items.join("-"))
///     }
///
///     fn bring(&self, code: &str) -> String {
///         format!("bring {code}")
///     }
///
///     fn write(&self, _name: &str, items: &[String]) -> String {
///         items.join(" ")
///     }
/// }
///
/// let bag = Gems.read("opal ruby").unwrap();
/// assert_eq!(Gems.code(&bag).as_deref(), Some("opal-ruby"));
/// assert_eq!(Gems.read("opal-ruby"), Ok(bag));
/// assert_eq!(Gems.check(&[]), ["A bag holds two gems."]);
/// ```
pub trait Collection: Sync {
    /// What can be looked at, by name or by what is looked for: "scout", "keeper cost 2 swift". All of it for no words.
    fn search(&self, words: &str) -> Result<Vec<Exhibit>, String>;

    /// One line for those who don't know what to look for.
    fn search_help(&self) -> &'static str;

    /// Lists that everybody may use and read.
    fn ready(&self) -> Vec<ReadyList>;

    /// Reads items, one or many, or the code of a whole list; says what can't be read.
    fn read(&self, text: &str) -> Result<Vec<String>, String>;

    /// An item in words, its name included.
    fn label(&self, item: &str) -> String;

    /// Everything that keeps items from being a list to play with; nothing if they are one.
    fn check(&self, items: &[String]) -> Vec<String>;

    /// The code of a list that passes [`Collection::check`].
    fn code(&self, items: &[String]) -> Option<String>;

    /// The action by which a player brings a list to a match that asks for one, by the list's code.
    fn bring(&self, code: &str) -> String;

    /// A list as a text that [`Collection::read`] takes back.
    fn write(&self, name: &str, items: &[String]) -> String;
}

impl std::fmt::Debug for dyn Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Collection")
    }
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// Its whole name; searching for it finds it alone.
    pub name: String,
    /// One line about it, for lists.
    pub summary: String,
    /// All about it, a paragraph each.
    pub details: Vec<String>,
    /// The items that it is on.
    pub items: Vec<String>,
}

/// Something of a collection that can be looked at as a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Showpiece {
    /// Exhibits by their names: one in full, or two that belong together.
    Exhibits(Vec<String>),
    /// A list at a glance.
    List { name: String, items: Vec<String> },
}

/// A list that comes with the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyList {
    pub name: String,
    pub about: String,
    pub items: Vec<String>,
}
