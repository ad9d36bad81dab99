//! What the people who run a community decide for its rooms. Who they are is the platform's affair.

use std::collections::BTreeMap;

use super::message::{Message, Text};
use super::notices::game_name;
use super::parlor::{Parlor, Reply};
use super::refusals;
use crate::catalog;
use crate::draw::Theme;
use crate::game::OptionValues;
use crate::matches::community::{BoardSide, CommunitySettings, Threads, TurnMessages};
use crate::matches::people::{CommunityId, RoomId, ThemeName};
use crate::matches::refusal::{Failure, Refusal};
use crate::say;

/// Something to be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decree {
    /// The options of a game where nobody chooses otherwise; none at all if the list is empty.
    Options {
        game: String,
        options: Vec<(String, String)>,
    },
    /// Matches may be opened in this room, and no longer just anywhere.
    Admit(RoomId),
    /// Matches may no longer be opened in this room, which was named before.
    Shut(RoomId),
    /// You can open matches in every room.
    Everywhere,
    /// Each match gets a thread of its own, or none does.
    Threads(bool),
    /// In how many messages a turn is told.
    Turn(TurnMessages),
    /// In which theme boards are drawn that several people read.
    Theme(ThemeName),
    /// And from which side.
    Side(BoardSide),
    /// Whether anybody may watch, without the players being asked.
    Watch(bool),
}

impl Parlor {
    /// Carries out what was decided, all of it or nothing, and tells what holds then.
    pub async fn decree(&self, community: &CommunityId, decrees: Vec<Decree>) -> Reply {
        match self.try_decree(community, decrees).await {
            Ok(rules) => Reply::open(Message::text(listing(&rules))),
            Err(Failure::Refused(refusal)) => Reply::open(refusals::refused(&refusal)),
            Err(Failure::Broken(fault)) => {
                tracing::error!(%fault, %community, "chat: could not change the settings of a community");
                Reply::open(Message::text(self.apology()))
            }
        }
    }

    pub(super) async fn try_decree(
        &self,
        community: &CommunityId,
        decrees: Vec<Decree>,
    ) -> Result<CommunitySettings, Failure> {
        if decrees.is_empty() {
            return Ok(self.service.community_settings(community)?);
        }
        let decrees: Vec<Decree> = decrees.into_iter().map(checked).collect::<Result<_, _>>()?;
        let change = |rules: &mut CommunitySettings| {
            for decree in decrees {
                carry_out(rules, decree);
            }
        };
        Ok(self.service.set_community_settings(community, change).await?)
    }
}

/// A decree with games and options as the catalog calls them.
fn checked(decree: Decree) -> Result<Decree, Refusal> {
    let Decree::Options { game, options } = decree else {
        return Ok(decree);
    };
    let entry = catalog::find(&game).map_err(Refusal::UnknownGame)?;
    let pairs = options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let chosen = OptionValues::choose(entry.meta.options, pairs).map_err(Refusal::Option)?;
    Ok(Decree::Options {
        game: entry.meta.id.to_owned(),
        options: chosen
            .changed()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    })
}

fn carry_out(rules: &mut CommunitySettings, decree: Decree) {
    match decree {
        Decree::Options { game, options } if options.is_empty() => {
            rules.options.remove(&game);
        }
        Decree::Options { game, options } => {
            rules
                .options
                .insert(game, options.into_iter().collect::<BTreeMap<_, _>>());
        }
        Decree::Admit(room) => {
            if !rules.rooms.contains(&room) {
                rules.rooms.push(room);
            }
        }
        Decree::Shut(room) => rules.rooms.retain(|admitted| *admitted != room),
        Decree::Everywhere => rules.rooms.clear(),
        Decree::Threads(true) => rules.threads = Threads::All,
        Decree::Threads(false) => rules.threads = Threads::None,
        Decree::Turn(turn) => rules.turn = turn,
        Decree::Theme(theme) => rules.theme = Some(theme),
        Decree::Side(side) => rules.side = side,
        Decree::Watch(watch) => rules.watch = watch,
    }
}

/// In which theme boards are drawn that several people read.
pub(super) fn shared_theme(rules: &CommunitySettings) -> String {
    let theme = rules.theme.map_or(Theme::Light, |theme| theme.0);
    format!("Boards here use the `{}` theme.", theme.name())
}

/// From which side boards are drawn that several people read.
pub(super) const fn shared_side(rules: &CommunitySettings) -> &'static str {
    match rules.side {
        BoardSide::First => "Where several people play, I draw boards here from the first player's side.",
        BoardSide::Mover => {
            "Where several people play, I draw boards here from the side of whoever's turn it is."
        }
    }
}

/// Whether anybody may watch, without the players being asked.
pub(super) const fn watching(rules: &CommunitySettings) -> &'static str {
    if rules.watch {
        "Any player may give others a link to watch a match here."
    } else {
        "A match here can be watched if all its players agree."
    }
}

fn listing(rules: &CommunitySettings) -> Text {
    let mut text = Text::markdown("**Settings here**");
    if rules.rooms.is_empty() {
        text.line("You can open matches in every room.");
    } else {
        text.line(say!(
            "You can open matches in {rooms}.",
            rooms = refusals::listed(&rules.rooms)
        ));
    }
    text.line(match rules.threads {
        Threads::ByGame => "Games with hidden hands or several actions a turn get a thread for each match, where there are threads.",
        Threads::All => "Every match gets a thread of its own.",
        Threads::None => "Matches stay in the room itself, without threads.",
    });
    text.line(shared_theme(rules));
    text.line(shared_side(rules));
    text.line(watching(rules));
    for (game, options) in &rules.options {
        let options: Vec<String> = options
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        text.line(say!(
            "**{game}**: `{options}` unless a player chooses otherwise.",
            game = game_name(game),
            options = options.join(" ")
        ));
    }
    if rules.options.is_empty() {
        text.line("Every game begins with its usual options.");
    }
    text
}
