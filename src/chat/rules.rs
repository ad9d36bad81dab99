//! The rules, page by page, and what the words of a game mean.

use super::command::Command;
use super::grammar;
use super::learn::{offer, one_command};
use super::message::{Button, Inline, Message, Text};
use super::parlor::{Input, Parlor, Reply, Request};
use super::pictures::{figure_picture, opening_picture};
use super::wanted::Wanted;
use crate::catalog::{self, Entry, games};
use crate::draw::rules::{OVERVIEW, Section, Term};
use crate::game::Viewer;
use crate::game::notation::excerpt;
use crate::game::options::OptionSpec;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::Failure;
use crate::matches::service::MatchRef;
use crate::{say, text};

/// The section that tells of a game's options, if it has one of its own.
const OPTIONS: &str = "Options";

/// A term has at least so many letters: what is shorter is too often something else.
const SHORTEST_TERM: usize = 3;
/// No term of a game has more words.
const LONGEST_TERM: usize = 5;

/// Words of a question that name nothing of a game.
const FILLERS: [&str; 30] = [
    "a", "about", "an", "are", "can", "do", "does", "for", "game", "games", "how", "i", "in", "is", "it",
    "mean", "means", "of", "play", "played", "please", "section", "the", "this", "to", "we", "what", "work",
    "works", "you",
];

impl Parlor {
    /// `rules`, of a game or a match, at the place that was asked for or that helps most.
    pub(super) fn rules(
        &self,
        request: &Request,
        about: Option<&MatchRef>,
        game: Option<&'static Entry>,
        words: &str,
    ) -> Result<Reply, Failure> {
        let question = Question::read(words);
        let named = game.or(question.game);
        if let Some(entry) = named.or_else(|| self.game_at_hand(request, about)) {
            let rules = entry.rules();
            let helpful = about.filter(|_| question.topic.is_empty());
            let helpful = helpful.and_then(|about| self.helpful_rules(request, about));
            let asked = question.said().find_map(|words| rules.section(words));
            if let Some(section) = helpful.and_then(|title| rules.section(title)).or(asked) {
                return self.page(request, entry, section);
            }
            if question.topic.is_empty() {
                return Ok(self.overview(request, entry));
            }
        }
        if question.topic.is_empty() {
            return Ok(Reply::open(which_rules()));
        }
        let mut said = question.said();
        let term = said.find_map(|words| self.term_of(request, named, words));
        Ok(term.unwrap_or_else(|| self.no_such_rule(request, named, &question.topic)))
    }

    /// `what`: what a word of a game means. Nothing if it means nothing here: then it was not said to us.
    pub(super) fn what(&self, request: &Request, words: &str) -> Option<Reply> {
        let question = Question::read(words);
        if words.trim().is_empty() {
            return Some(self.all_terms(request));
        }
        // Whoever asks for nothing else may mean a word that usually names nothing: "what is play?"
        let last = question.raw.split_whitespace().next_back();
        let last = last.filter(|_| question.topic.is_empty());
        let mut said = question.said().chain(last);
        let term = said.find_map(|words| self.term_of(request, None, words));
        let of_game = || {
            let entry = question.game?;
            match question.topic.as_str() {
                "" => Some(self.overview(request, entry)),
                topic => self.term_of(request, Some(entry), topic),
            }
        };
        term.or_else(of_game).or_else(|| {
            let command = grammar::find(&question.topic)?;
            Some(Reply::open(Message::text(one_command(
                command,
                self.game_here(request),
            ))))
        })
    }

    /// What a word or two mean: in one game, or in that of the match at hand before any other. Not more than a few words.
    pub(super) fn term(&self, request: &Request, words: &str) -> Option<Reply> {
        self.term_of(request, None, few_words(words)?)
    }

    /// Whether a line is the name of something in a game that somebody plays in this room, and nothing else.
    pub fn names_something(&self, who: &PlayerId, room: &RoomId, input: &Input) -> bool {
        let Some(words) = few_words(input.bare_line()) else {
            return false;
        };
        let played = self.fitting(who, Some(room), Wanted::Alive).unwrap_or_default();
        let here = played.iter().filter(|found| found.rooms.contains(room));
        here.filter_map(|found| catalog::find(&found.game).ok())
            .any(|entry| entry.rules().term(words).is_some() || shows(entry, words))
    }

    fn term_of(&self, request: &Request, game: Option<&'static Entry>, words: &str) -> Option<Reply> {
        let explain = |entry: &'static Entry| self.explain(request, entry, words);
        if let Some(entry) = game.or_else(|| self.game_at_hand(request, None))
            && let Some(reply) = explain(entry)
        {
            return Some(reply);
        }
        if game.is_some() {
            return None;
        }
        let mut known = games().filter_map(explain);
        let mut reply = known.next()?;
        // A word may mean something else in another game.
        let message = &mut reply.message;
        for other in known.filter(|_| message.picture.is_none()).take(BUTTON_ROW - 1) {
            message.text.line(other.message.text);
            message.buttons.extend(other.message.buttons);
        }
        Some(reply)
    }

    /// What a word means in one game: a word of its rules, an option, something of its collection, or a section.
    fn explain(&self, request: &Request, entry: &'static Entry, words: &str) -> Option<Reply> {
        let rules = entry.rules();
        let plain = |message| Some(Reply::open(message));
        if let Some(term) = rules.term(words) {
            return plain(meaning(entry, &term));
        }
        if let Some(spec) = entry.meta.options.iter().find(|spec| spec.name == words) {
            return plain(
                Message::text(option_line(std::slice::from_ref(spec)))
                    .with_buttons(vec![to_section(entry, OPTIONS)]),
            );
        }
        if let Some(reply) = self.exhibit(request, entry, words) {
            return Some(reply);
        }
        if let Some(line) = rules
            .sections
            .iter()
            .find_map(|section| typed_line(section, words))
        {
            let mut text = text![Inline::Bold(entry.meta.name.to_owned()), ": "];
            text.0.extend(Text::markdown(line).0);
            return plain(Message::text(text).with_buttons(vec![to_section(entry, OVERVIEW)]));
        }
        let titled =
            |section: &&Section| section.title.eq_ignore_ascii_case(words) && section.title != OVERVIEW;
        let section = rules.sections.iter().find(titled).copied()?;
        self.page(request, entry, section).ok()
    }

    /// Something of a game's collection that is called just so.
    fn exhibit(&self, request: &Request, entry: &'static Entry, words: &str) -> Option<Reply> {
        shows(entry, words)
            .then(|| self.browse(request, Some(entry), words))
            .and_then(Result::ok)
    }

    /// One page of the rules, with the way to the others.
    fn page(&self, request: &Request, entry: &'static Entry, section: Section) -> Result<Reply, Failure> {
        let rules = entry.rules();
        let theme = self.theme_for(request)?;
        let mut text = Text::new();
        if section.title != OVERVIEW {
            text.line(text![Inline::Bold(format!(
                "{}: {}",
                entry.meta.name, section.title
            ))]);
        }
        text.line(Text::markdown(section.body));
        let tells_options = rules.section(OPTIONS).map_or(OVERVIEW, |section| section.title);
        if section.title == tells_options {
            // One line is enough for options that differ by their number.
            let alike = |one: &OptionSpec, other: &OptionSpec| one.stem() == other.stem();
            for specs in entry.meta.options.chunk_by(alike) {
                text.line(option_line(specs));
            }
        }
        let picture = match section.figure {
            Some(figure) => {
                text.line(say!("In the picture: {caption}", caption = figure.caption));
                figure_picture(entry, &figure, theme)
            }
            None if section.title == OVERVIEW => Some(opening_picture(entry.meta.id, theme)?),
            None => None,
        };
        let [before, after] = rules.beside(&section);
        let turn = |label: &str, section: Section| {
            Button::plain(
                format!("{label}: {}", section.title),
                page_command(entry, section.title),
            )
        };
        let ways = [
            before.map(|section| turn("Back", section)),
            after.map(|section| turn("Next", section)),
        ];
        let others = rules.sections.iter().filter(|other| **other != section);
        Ok(Reply::open(Message {
            text,
            picture,
            buttons: ways.into_iter().flatten().collect(),
            menu: others
                .map(|section| Button::plain(section.title, page_command(entry, section.title)))
                .collect(),
            ..Message::default()
        }))
    }

    fn overview(&self, request: &Request, entry: &'static Entry) -> Reply {
        let overview = entry.rules().section(OVERVIEW);
        let page = overview.and_then(|section| self.page(request, entry, section).ok());
        page.unwrap_or_else(|| Reply::open(which_rules()))
    }

    /// The section that helps with what a match asks now.
    fn helpful_rules(&self, request: &Request, about: &MatchRef) -> Option<&'static str> {
        let found = self.service.target(about).ok()?.found;
        let play = found.running()?;
        let table = found.table().ok()?;
        let seats = play.seats_of(&request.who);
        let awaited = table.awaiting().seats();
        let seat = seats
            .iter()
            .find(|seat| awaited.contains(*seat))
            .or_else(|| seats.iter().next());
        table.helpful_rules(seat.map_or(Viewer::Public, Viewer::Seat))
    }

    /// The game of a match that is named, or of the one that somebody plays here.
    pub(super) fn game_at_hand(&self, request: &Request, about: Option<&MatchRef>) -> Option<&'static Entry> {
        let target = self.target_or(request, about, [Wanted::Alive, Wanted::Finished]);
        catalog::find(&target.ok()?.found.game).ok()
    }

    /// The words of the game at hand, to pick one; without a game, which one is meant.
    fn all_terms(&self, request: &Request) -> Reply {
        let Some(entry) = self.game_at_hand(request, None) else {
            return Reply::open(Message::text(
                "Which word would you like explained? For example: `/what neutron`",
            ));
        };
        let mut names: Vec<&'static str> = entry
            .rules()
            .terms()
            .into_iter()
            .filter_map(|term| term.names.first().copied())
            .collect();
        names.sort_by_key(|name| name.to_lowercase());
        names.dedup();
        let menu = names
            .into_iter()
            .map(|name| Button::plain(name, format!("what {name}")));
        Reply::open(Message {
            menu: menu.collect(),
            ..Message::text(format!(
                "Which word of **{}** would you like explained?",
                entry.meta.name
            ))
        })
    }

    /// What was asked for isn't there; what may have been meant is offered.
    fn no_such_rule(&self, request: &Request, named: Option<&'static Entry>, words: &str) -> Reply {
        let entry = named.or_else(|| self.game_at_hand(request, None));
        if named.is_none()
            && let Err(unknown) = catalog::find(words)
            && let Some(near) = unknown.near
            && let Ok(near) = catalog::find(near)
        {
            return Reply::open(
                Message::text(format!(
                    "I don't know `{}`. Did you mean **{}**?",
                    excerpt(words),
                    near.meta.name
                ))
                .with_buttons(vec![to_section(near, OVERVIEW)]),
            )
            .passing();
        }
        let Some(entry) = entry else {
            return Reply::open(which_rules()).passing();
        };
        let (name, said) = (entry.meta.name, excerpt(words));
        let message = match entry.rules().nearest(words) {
            Some(near) => Message::text(format!(
                "The rules of {name} don't mention `{said}`. Did you mean **{near}**?"
            ))
            .with_buttons(vec![Button::primary(near, page_command(entry, near))]),
            None => Message::text(format!("The rules of {name} don't mention `{said}`."))
                .with_buttons(vec![to_section(entry, OVERVIEW)]),
        };
        Reply::open(message).passing()
    }
}

/// What may be the name of something: a few words, without the mark at their end.
fn few_words(words: &str) -> Option<&str> {
    let words = words.trim().trim_end_matches(['?', '.', '!']);
    let long_enough = words.chars().count() >= SHORTEST_TERM;
    (long_enough && words.split_whitespace().count() <= LONGEST_TERM).then_some(words)
}

/// Whether something of a game's collection is called just so.
fn shows(entry: &Entry, words: &str) -> bool {
    let found = entry
        .collection
        .and_then(|collection| collection.search(words).ok());
    found.is_some_and(|found| found.iter().any(|one| one.name.eq_ignore_ascii_case(words)))
}

/// So many buttons fit into one row on every platform.
pub(super) const BUTTON_ROW: usize = 5;

/// Asks of which game.
pub(super) fn which_rules() -> Message {
    let choices = games().map(|entry| Button::plain(entry.meta.name, format!("rules {}", entry.meta.id)));
    offer(
        Message::text("Which game's rules would you like?"),
        choices.collect(),
    )
}

/// A word with its meaning.
fn meaning(entry: &'static Entry, term: &Term) -> Message {
    let name = term.names.first().copied().unwrap_or_default();
    let text = say!(
        "**{name} ({game})**: {meaning}",
        name,
        game = entry.meta.name,
        meaning = Text::markdown(term.meaning)
    );
    Message::text(text).with_buttons(vec![to_section(entry, term.section)])
}

/// A button that leads to a section.
fn to_section(entry: &'static Entry, title: &str) -> Button {
    let section = entry
        .rules()
        .section(title)
        .map_or(OVERVIEW, |section| section.title);
    let label = match section {
        OVERVIEW => format!("Rules of {}", entry.meta.name),
        title => format!("Rules: {title}"),
    };
    Button::plain(label, page_command(entry, section))
}

fn page_command(entry: &'static Entry, title: &str) -> Command {
    Command::Rules {
        about: None,
        game: Some(entry),
        words: title.to_lowercase(),
    }
}

/// "Option `target=500` (50, 100, 250 or 500): …"; of several that differ by their number, the first stands for all.
fn option_line(specs: &[OptionSpec]) -> Text {
    let (Some(first), Some(last)) = (specs.first(), specs.last()) else {
        return Text::new();
    };
    let usual = format!("{}={}", first.name, first.default_text());
    let (values, help) = (first.values_text(), first.help);
    if specs.len() == 1 {
        return say!("Option `{usual}` ({values}): {help}", usual, values, help);
    }
    say!(
        "Options `{usual}` to `{last}` ({values}): {help} And so on.",
        usual,
        last = last.name,
        values,
        help
    )
}

/// The line of a section that tells how something is typed that begins with these words.
fn typed_line(section: &Section, words: &str) -> Option<&'static str> {
    let head = format!("`{}", words.to_lowercase());
    let typed = |line: &&str| {
        let lower = line.to_lowercase();
        let behind = lower
            .split_once(&head)
            .and_then(|(_, behind)| behind.chars().next());
        behind.is_some_and(|next| matches!(next, '`' | ' '))
    };
    section
        .body
        .lines()
        .find(typed)
        .map(|line| line.trim_start_matches(['-', ' ']))
}

/// What somebody wants to know, out of what they said.
struct Question {
    /// All of it.
    raw: String,
    /// A game that it names.
    game: Option<&'static Entry>,
    /// Without that game, and without words at its ends that name nothing.
    topic: String,
}

impl Question {
    /// "how does an overload work?" asks for "overload".
    fn read(words: &str) -> Self {
        let bare = |word: &str| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_owned();
        let mut words: Vec<String> = words.split_whitespace().map(bare).collect();
        let raw = words.join(" ");
        let game = words.iter().find_map(|word| catalog::find(word).ok());
        words.retain(|word| game.is_none() || catalog::find(word).ok() != game);
        let names = |word: &String| !FILLERS.contains(&word.to_lowercase().as_str());
        let from = words.iter().position(names).unwrap_or(words.len());
        let to = words.iter().rposition(names).map_or(from, |last| last + 1);
        Self {
            raw,
            game,
            topic: words.get(from..to).unwrap_or_default().join(" "),
        }
    }

    /// The ways to take it, the most literal first.
    fn said(&self) -> impl Iterator<Item = &str> {
        [self.raw.as_str(), self.topic.as_str()]
            .into_iter()
            .filter(|said| !said.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_what_remains_of_a_question() {
        let asked = |words: &str| {
            let question = Question::read(words);
            (question.game.map(|entry| entry.meta.id), question.topic)
        };
        assert_eq!(asked("does an overload work?"), (None, "overload".into()));
        assert_eq!(asked("do I play phwar?"), (Some("phwar"), String::new()));
        assert_eq!(
            asked("is line of sight in phwar"),
            (Some("phwar"), "line of sight".into())
        );
        assert_eq!(asked(""), (None, String::new()));
    }
}
