//! How a match is set up, for those who want to know it all: options, clocks, and how its shuffle can be checked.

use super::message::{Inline, Message, Text};
use super::notices::game_name;
use super::parlor::{Parlor, Reply, Request};
use super::refusals::people;
use super::wanted::Wanted;
use crate::game::OptionValues;
use crate::matches::change::{entry_of, options_of, seed_of};
use crate::matches::loaded::Loaded;
use crate::matches::people::PlayerId;
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::matches::service::{MatchRef, Moment};
use crate::matches::state::{LogEntry, Logged, Match, Play, Stage};
use crate::matches::time::Span;
use crate::{say, text};

impl Parlor {
    pub(super) fn details(&self, request: &Request, about: Option<&MatchRef>) -> Result<Reply, Failure> {
        let found = self
            .target_or(request, about, [Wanted::Alive, Wanted::Finished])?
            .found;
        let text = in_words(self, &found)?;
        Ok(Reply::open(Message::text(text)))
    }
}

fn in_words(parlor: &Parlor, found: &Loaded) -> Result<Text, Fault> {
    let moment = &parlor.service.moment();
    let entry = entry_of(&found.game)?;
    let options = options_of(found)?;
    let mut text = text![Inline::Bold(format!(
        "{} #{}",
        game_name(&found.game),
        found.code
    ))];
    let players: Vec<PlayerId> = found.people().into_iter().cloned().collect();
    if !players.is_empty() {
        text.push(": ");
        text.0.extend(people(&players).0);
    }
    text.line(say!(
        "You can follow it in another room with `/join #{code}`.",
        code = found.code.to_string()
    ));
    if let Some(line) = options_line(entry.meta.options.is_empty(), &options) {
        text.line(line);
    }
    text.line(text![found.clock.help()]);
    match &found.stage {
        Stage::Running(play) => {
            clocks(&mut text, play, moment);
            if entry.has_chance(&options) {
                sealed(&mut text, play)?;
            }
        }
        Stage::Over(play, _) => {
            let log = parlor.service.log_of(found)?;
            text.line(taken(play, &log));
            if entry.has_chance(&options) {
                opened(&mut text, found, play)?;
            }
        }
        Stage::Open(gathering) => {
            let expires = moment
                .hours
                .on_the_wall(found.host.platform(), gathering.expires, moment.now);
            text.line(say!("The offer stands until {expires}.", expires));
        }
        Stage::CalledOff(_) => text.line("This table was called off."),
    }
    Ok(text)
}

/// "Options: centre on, size 8."
fn options_line(has_none: bool, options: &OptionValues) -> Option<Text> {
    if has_none {
        return None;
    }
    let changed: Vec<String> = options
        .changed()
        .into_iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    Some(if changed.is_empty() {
        say!("The usual options.")
    } else {
        say!("Options: {options}.", options = changed.join(", "))
    })
}

/// "Time left: Ann 9 days 4 hours, Bea 10 days."
fn clocks(text: &mut Text, play: &Play, moment: &Moment) {
    let mut times = Text::new();
    for (player, clock) in play.players.iter().zip(&play.clocks) {
        let now = moment.hours.now_at(player.platform(), moment.now);
        let running = clock.deadline().map(|deadline| deadline.since(now));
        let Some(left) = running.or(clock.bank) else {
            continue;
        };
        if !times.is_empty() {
            times.push(", ");
        }
        times.0.extend(text![player, format!(" {left}")].0);
    }
    if !times.is_empty() {
        text.line(say!("Time left: {times}.", times));
    }
}

/// "Time taken: Ann 2 hours 5 minutes, Bea 3 days." By the wall, so pauses are part of it. While a match runs it is not told:
/// when a private wish was made is a secret.
fn taken(play: &Play, log: &[LogEntry]) -> Text {
    let mut taken = vec![Span::default(); play.players.len()];
    let mut before = play.started;
    for entry in log {
        if let Logged::Did { seat, .. } = &entry.what
            && let Some(own) = taken.get_mut(seat.index())
        {
            *own = *own + entry.at.since(before);
        }
        before = entry.at;
    }
    let mut times = Text::new();
    for (player, own) in play.players.iter().zip(taken) {
        if !times.is_empty() {
            times.push(", ");
        }
        times.0.extend(text![player, format!(" {own}")].0);
    }
    say!("Time taken, pauses included: {times}.", times)
}

/// While a match runs, its seed stays a secret, and its hash shows that it stays the same.
fn sealed(text: &mut Text, play: &Play) -> Result<(), Fault> {
    text.line(say!(
        "Sealed shuffle: everything random comes from a secret seed. Its SHA-256 is `{hash}`. You'll see the seed here when \
         the match is over.",
        hash = seed_of(play)?.commitment()
    ));
    Ok(())
}

/// Afterwards everybody can check both.
fn opened(text: &mut Text, the_match: &Match, play: &Play) -> Result<(), Fault> {
    text.line(say!(
        "The shuffle's seed was `{seed}`. Its SHA-256 is `{hash}`, as sealed at the start. `/record #{code}` has the whole \
         match to check.",
        seed = play.seed.as_str(),
        hash = seed_of(play)?.commitment(),
        code = the_match.code.to_string()
    ));
    Ok(())
}
