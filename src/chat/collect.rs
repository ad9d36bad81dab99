//! Browsing what a game's lists are made of, and building them: cards and decks, of a card game.
//!
//! What an item is, and what makes a list, is the game's affair ([`crate::game::collection`]). A player's lists are
//! their secret: every answer that tells of one is secret.

use super::command::decks::DeckGap;
use super::command::{Command, DeckDeed, DeckOrder};
use super::message::{Button, File, Inline, Message, Picture, Subject, Text};
use super::parlor::{Parlor, Reply, Request};
use crate::catalog::{self, Entry};
use crate::game::Seat;
use crate::game::collection::{Collection, Exhibit, ReadyList, Showpiece};
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::matches::lists::{LONGEST_NAME, ListRefusal, Lists, MOST_ITEMS, MOST_LISTS};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::MatchRef;
use crate::{say, text};

/// The most finds that are listed.
const MOST_FOUND: usize = 20;

/// A game with its collection.
type Collector = (&'static Entry, &'static dyn Collection);

impl Parlor {
    /// `card`: one item in full, or what was found.
    pub(super) fn browse(
        &self,
        request: &Request,
        game: Option<&'static Entry>,
        words: &str,
    ) -> Result<Reply, Failure> {
        let Some((entry, collection)) = collector(game) else {
            return Ok(Reply::open(Message::text(NOTHING)));
        };
        if words.is_empty() {
            return Ok(Reply::open(Message::text(collection.search_help())));
        }
        let found = match collection.search(words) {
            Ok(found) => found,
            Err(reason) => {
                let mut text = Text::markdown(&reason);
                text.line(collection.search_help());
                return Ok(Reply::open(Message::text(text)));
            }
        };
        let (one, other) = match &found[..] {
            [one] => (one, None),
            [one, other] => (one, Some(other)),
            several => return Ok(Reply::open(listed(several))),
        };
        let mut text = in_full(one);
        if let Some(other) = other {
            text.line(in_full(other));
        }
        let names = [Some(one), other]
            .into_iter()
            .flatten()
            .map(|exhibit| exhibit.name.clone());
        let piece = Showpiece::Exhibits(names.collect());
        let picture = self.showpiece(request, entry, piece)?;
        Ok(Reply::open(Message::text(text).with_picture(Some(picture))))
    }

    /// A picture of something in a collection, in the colours that the asker likes.
    fn showpiece(&self, request: &Request, entry: &Entry, piece: Showpiece) -> Result<Picture, Failure> {
        Ok(Picture {
            alt: entry.showpiece_alt(&piece),
            of: Subject::Showpiece {
                game: entry.meta.id.to_owned(),
                piece,
            },
            side: Seat::new(0),
            prepared: None,
            theme: self.theme_for(request)?,
        })
    }

    /// `deck`: everything about lists.
    pub(super) async fn lists(
        &self,
        request: &Request,
        game: Option<&'static Entry>,
        order: &DeckOrder,
    ) -> Result<Reply, Failure> {
        let Some((entry, collection)) = collector(game) else {
            return Ok(Reply::open(Message::text(NOTHING)));
        };
        let lists = ListRequest {
            parlor: self,
            request,
            entry,
            collection,
        };
        match order {
            DeckOrder::List => lists.overview(),
            DeckOrder::Show(name) | DeckOrder::Check(name) => lists.show(name),
            DeckOrder::Use { name, about } => lists.bring(name, about.as_ref()).await,
            DeckOrder::Share(name) => lists.share(name),
            DeckOrder::Export(name) => lists.export(name),
            DeckOrder::New { name, cards } => lists.start(name, cards, false).await,
            DeckOrder::Import { name, cards } => lists.start(name, cards, true).await,
            DeckOrder::Copy { name, new } => lists.copy(name, new).await,
            DeckOrder::Name { name, new } => lists.rename(name, new).await,
            DeckOrder::Add { name, cards } => lists.add(name, cards).await,
            DeckOrder::Remove { name, cards } => lists.remove(name, cards).await,
            DeckOrder::Delete(name) => lists.delete(name).await,
        }
    }
}

/// Asks for what was left out.
pub(super) fn left_out(gap: &DeckGap) -> String {
    match gap {
        DeckGap::Name(deed) => format!("Which deck? Say `/deck {deed} NAME`; `/deck list` shows them."),
        DeckGap::Cards {
            deed: DeckDeed::Import,
            ..
        } => {
            "Import what? Say `/deck import NAME` and then a code, or cards: `/deck import mine F1, F2, F5`."
                .to_owned()
        }
        DeckGap::Cards { deed, name } => format!(
            "Which cards? `/deck {deed} {name} F1, F2`, or by their names: `Scout / Fire Spirit`.",
            name = excerpt(name)
        ),
        DeckGap::NewName { deed, name } => format!(
            "What should it be called? `/deck {deed} {name} NEW-NAME`.",
            name = excerpt(name)
        ),
    }
}

const NOTHING: &str = "No game here has cards to look at.";

/// The game that is meant: the one that was named, or the first that has a collection.
fn collector(named: Option<&'static Entry>) -> Option<Collector> {
    let with_collection = |entry: &'static Entry| Some((entry, entry.collection?));
    named.map_or_else(|| catalog::games().find_map(with_collection), with_collection)
}

fn in_full(exhibit: &Exhibit) -> Text {
    let mut text = text![Inline::Bold(exhibit.name.clone())];
    for detail in &exhibit.details {
        text.line(text![detail.clone()]);
    }
    text
}

fn listed(found: &[Exhibit]) -> Message {
    let count = text::counted(found.len(), "card", "cards");
    let mut text = say!("{count}:", count);
    let mut menu = Vec::new();
    for exhibit in found.iter().take(MOST_FOUND) {
        let name = exhibit.name.clone();
        let card = Command::Card {
            game: None,
            words: name.clone(),
        };
        menu.push(Button::plain(&name, card));
        text.line(say!(
            "**{name}**: {summary}",
            name,
            summary = exhibit.summary.as_str()
        ));
    }
    if found.len() > MOST_FOUND {
        text.line(format!(
            "And {} more. Add a word to narrow it down.",
            found.len() - MOST_FOUND
        ));
    }
    Message {
        text,
        menu,
        ..Message::default()
    }
}

fn deck_button(label: &str, order: DeckOrder) -> Button {
    Button::plain(label, Command::Deck { game: None, order })
}

/// One request about lists.
struct ListRequest<'p> {
    parlor: &'p Parlor,
    request: &'p Request,
    entry: &'static Entry,
    collection: &'static dyn Collection,
}

/// A list somebody asks for.
struct Found {
    name: String,
    items: Vec<String>,
    /// Own lists are secret, those that come with the game are not.
    own: bool,
    about: Option<String>,
}

impl ListRequest<'_> {
    fn own(&self) -> Result<Lists, Failure> {
        Ok(self.parlor.service.lists(&self.request.who, self.entry.meta.id)?)
    }

    async fn change<T>(
        &self,
        change: impl FnOnce(&mut Lists) -> Result<T, ListRefusal>,
    ) -> Result<(T, Lists), Failure> {
        let service = &self.parlor.service;
        let changed = service.change_lists(&self.request.who, self.entry.meta.id, change);
        changed.await
    }

    /// An own list, or one that comes with the game; own ones come first.
    fn find(&self, name: &str) -> Result<Found, Failure> {
        let own = self.own()?;
        if let Some(items) = own.get(name) {
            return Ok(Found {
                name: name.to_lowercase(),
                items: items.to_vec(),
                own: true,
                about: None,
            });
        }
        let ready = self.collection.ready();
        let found = ready
            .into_iter()
            .find(|ready| ready.name.eq_ignore_ascii_case(name));
        match found {
            Some(ReadyList { name, about, items }) => Ok(Found {
                name,
                items,
                own: false,
                about: Some(about),
            }),
            None => Err(Refusal::List(ListRefusal::Unknown(excerpt(name))).into()),
        }
    }

    fn overview(&self) -> Result<Reply, Failure> {
        let mut text = Text::markdown("**Ready decks**");
        let mut menu = Vec::new();
        for ready in self.collection.ready() {
            let name = ready.name.clone();
            menu.push(deck_button(&name, DeckOrder::Show(name.clone())));
            text.line(say!("`{name}`: {about}", name, about = ready.about.as_str()));
        }
        let own = self.own()?;
        if own.is_empty() {
            text.line(say!(
                "You haven't built any yet. Start with `/deck copy {ready} mine`, or `/deck new mine`.",
                ready = menu.first().map_or("", |button| button.label.as_str())
            ));
            return Ok(Reply::open(Message {
                text,
                menu,
                ..Message::default()
            }));
        }
        text.line("**Your decks**");
        for (name, items) in own.iter() {
            let state = if self.collection.check(items).is_empty() {
                "ready to play".to_owned()
            } else {
                let cards = text::counted(items.len(), "card", "cards");
                format!("{cards}, not finished")
            };
            text.line(say!("`{name}`: {state}", name, state));
            menu.push(deck_button(name, DeckOrder::Show(name.to_owned())));
        }
        menu.truncate(25);
        Ok(Reply::secret(Message {
            text,
            menu,
            ..Message::default()
        }))
    }

    fn show(&self, name: &str) -> Result<Reply, Failure> {
        let found = self.find(name)?;
        self.shown(&found, None)
    }

    /// A list with all that is in it and what keeps it from being played.
    fn shown(&self, found: &Found, news: Option<Text>) -> Result<Reply, Failure> {
        let mut text = Text::new();
        if let Some(news) = news {
            text.line(news);
        }
        text.line(say!(
            "**{name}**, {cards}",
            name = found.name.as_str(),
            cards = text::counted(found.items.len(), "card", "cards")
        ));
        if let Some(about) = &found.about {
            text.line(text![about.clone()]);
        }
        let lines: Vec<String> = found
            .items
            .iter()
            .map(|item| self.collection.label(item))
            .collect();
        // A list far beyond what any game wants is cut, so that the answer fits a message.
        let most = 40;
        if !lines.is_empty() {
            let cut = &lines[..lines.len().min(most)];
            text.push(Inline::Block(cut.join("\n")));
        }
        let mut buttons = Vec::new();
        let faults = self.collection.check(&found.items);
        if faults.is_empty() {
            let code = self.collection.code(&found.items).unwrap_or_default();
            text.line(say!("Ready to play. Its code: `{code}`", code));
            buttons.push(deck_button("As a file", DeckOrder::Export(found.name.clone())));
        } else {
            text.line("You can't play it yet:");
            for fault in faults {
                text.line(say!("- {fault}.", fault));
            }
            let search = Command::Card {
                game: None,
                words: String::new(),
            };
            buttons.push(Button::plain("Find cards", search));
        }
        let piece = Showpiece::List {
            name: found.name.clone(),
            items: found.items.clone(),
        };
        let picture = match &found.items[..] {
            [] => None,
            _ => Some(self.parlor.showpiece(self.request, self.entry, piece)?),
        };
        let message = Message::text(text).with_picture(picture).with_buttons(buttons);
        Ok(self.told(found.own, message))
    }

    fn told(&self, own: bool, message: Message) -> Reply {
        if own {
            Reply::secret(message)
        } else {
            Reply::open(message)
        }
    }

    /// Plays with a list: it is brought to the match that asks for one, and nobody else hears which it is.
    async fn bring(&self, name: &str, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let found = self.find(name)?;
        let Some(code) = self.collection.code(&found.items) else {
            return self.shown(&found, Some(say!("You can play only a finished deck.")));
        };
        let sentence = self.collection.bring(&code);
        self.parlor.make_move(self.request, about, &sentence).await
    }

    fn share(&self, name: &str) -> Result<Reply, Failure> {
        let found = self.find(name)?;
        let Some(code) = self.collection.code(&found.items) else {
            return self.shown(&found, Some(say!("Only a finished deck has a code.")));
        };
        let text = say!(
            "Anybody with this code has your deck: `{code}`. They say `/deck import NAME {code}`.",
            code
        );
        Ok(self.told(found.own, Message::text(text)))
    }

    fn export(&self, name: &str) -> Result<Reply, Failure> {
        let found = self.find(name)?;
        let content = self.collection.write(&found.name, &found.items);
        let message = Message {
            text: say!(
                "Here is `{name}`. Change it as you like, then bring it back with `/deck import`.",
                name = found.name.as_str()
            ),
            file: Some(File {
                name: format!("{}-{}.txt", self.entry.meta.id, found.name),
                content,
            }),
            ..Message::default()
        };
        Ok(self.told(found.own, message))
    }

    /// Reads what somebody typed as items; the answer if it can't be read.
    fn read(&self, text: &str) -> Result<Vec<String>, Box<Reply>> {
        self.collection.read(text).map_err(|reason| {
            let text = say!("I can't read that: {reason}.", reason = Text::markdown(&reason));
            Box::new(Reply::secret(Message::text(text)))
        })
    }

    async fn start(&self, name: &str, words: &str, replace: bool) -> Result<Reply, Failure> {
        let items = if words.is_empty() {
            Vec::new()
        } else {
            match self.read(words) {
                Ok(items) => items,
                Err(reply) => return Ok(*reply),
            }
        };
        self.change(|lists| lists.put(name, items, replace)).await?;
        let found = self.find(name)?;
        let news = if found.items.is_empty() {
            say!(
                "A new deck. Fill it with `/deck add {name} CARD`.",
                name = found.name.as_str()
            )
        } else {
            say!("Kept.")
        };
        self.shown(&found, Some(news))
    }

    async fn copy(&self, name: &str, new: &str) -> Result<Reply, Failure> {
        let items = self.find(name)?.items;
        self.change(|lists| lists.put(new, items, false)).await?;
        self.shown(&self.find(new)?, Some(say!("Copied.")))
    }

    async fn rename(&self, name: &str, new: &str) -> Result<Reply, Failure> {
        self.change(|lists| lists.rename(name, new)).await?;
        Ok(Reply::secret(Message::text(say!(
            "It's now called `{name}`.",
            name = new.to_lowercase()
        ))))
    }

    async fn add(&self, name: &str, words: &str) -> Result<Reply, Failure> {
        let items = match self.read(words) {
            Ok(items) => items,
            Err(reply) => return Ok(*reply),
        };
        let (new, _) = self.change(|lists| lists.add(name, items)).await?;
        let news = match new {
            0 => say!("All of that was in it already."),
            new => say!("Added {cards}.", cards = text::counted(new, "card", "cards")),
        };
        self.shown(&self.find(name)?, Some(news))
    }

    async fn remove(&self, name: &str, words: &str) -> Result<Reply, Failure> {
        let items = match self.read(words) {
            Ok(items) => items,
            Err(reply) => return Ok(*reply),
        };
        let (gone, _) = self.change(|lists| lists.remove(name, &items)).await?;
        let news = match gone {
            0 => say!("None of that was in it."),
            gone => say!("Removed {cards}.", cards = text::counted(gone, "card", "cards")),
        };
        self.shown(&self.find(name)?, Some(news))
    }

    async fn delete(&self, name: &str) -> Result<Reply, Failure> {
        let kept = self.find(name)?;
        let code = self.collection.code(&kept.items);
        self.change(|lists| lists.delete(name)).await?;
        let name = kept.name;
        let text = match code {
            Some(code) => say!(
                "`{name}` is gone. If you miss it, its code is `{code}`.",
                name,
                code
            ),
            None => say!("`{name}` is gone.", name),
        };
        Ok(Reply::secret(Message::text(text)))
    }
}

/// Why a list was not changed, in words.
pub(super) fn refused(refusal: &ListRefusal) -> Text {
    match refusal {
        ListRefusal::Unknown(name) => {
            let ready: Vec<String> = collector(None).map_or_else(Vec::new, |(_, collection)| {
                collection.ready().into_iter().map(|ready| ready.name).collect()
            });
            let near = nearest(name, ready.iter().map(String::as_str));
            let name = name.as_str();
            match near {
                Some(near) => say!(
                    "You have no deck called `{name}`. Did you mean `{near}`? `/deck list` shows them all.",
                    name,
                    near
                ),
                None => say!(
                    "You have no deck called `{name}`. `/deck list` shows them all.",
                    name
                ),
            }
        }
        ListRefusal::Taken(name) => say!(
            "You already have a deck called `{name}`. Pick another name, or replace its cards with `/deck import {name}`.",
            name = name.as_str()
        ),
        ListRefusal::Name => Text::from(format!(
            "A deck's name is one word of at most {LONGEST_NAME} letters, digits and hyphens."
        )),
        ListRefusal::TooMany => Text::from(format!(
            "You have {MOST_LISTS} decks, as many as I keep. `/deck delete` one first."
        )),
        ListRefusal::TooLong => Text::from(format!(
            "That's too many: a deck holds at most {MOST_ITEMS} cards."
        )),
    }
}
