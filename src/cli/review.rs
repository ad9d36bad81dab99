//! `parlor review`: a recorded match with a bot's eyes.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::Failure;
use super::arguments::write_file;
use super::records::{in_file, names_of, read_record, theme};
use crate::ai::Level;
use crate::draw::Theme;
use crate::game::Seat;
use crate::review::judge::Judge;
use crate::review::walk::{Led, Walk};
use crate::review::{BUDGET, JUDGE, Review, graph};

#[derive(Debug, clap::Args)]
pub struct ReviewArguments {
    /// The file of the record
    record: PathBuf,
    /// How strong the player is who judges, from 1 to 5
    #[arg(long, value_name = "N", value_parser = level, default_value_t = JUDGE)]
    level: Level,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Where a graph of who stood better goes: FILE.png
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The colours of the graph: light, dark or safe
    #[arg(long, value_name = "NAME", value_parser = theme, default_value = "light")]
    theme: Theme,
}

fn level(text: &str) -> Result<Level, String> {
    let found = text.parse().ok().and_then(Level::new);
    found.ok_or_else(|| format!("there's no level `{text}`; levels go from 1 to 5"))
}

/// Looks at every decision of a record.
pub fn review(arguments: &ReviewArguments) -> Result<(), Failure> {
    let path = &arguments.record;
    let record = read_record(path)?;
    let end = record.replay(None).map_err(|error| in_file(path, error))?;
    let names = names_of(&record, end.as_ref());
    let judge = Judge::within(arguments.level, BUDGET, record.actions.len() as u32);
    let mut walk = Walk::begin(record, &judge, None).map_err(|error| in_file(path, error))?;
    let never = AtomicBool::new(false);
    let mut progress = Progress::new();
    while walk.look(&judge, &never).map_err(|error| in_file(path, error))? == Led::On {
        progress.tell(&walk.review);
    }
    progress.end();
    if let Some(out) = &arguments.out {
        let graph = graph::of(&walk.review, &names).canvas(arguments.theme);
        write_file(out, graph.to_png().map_err(io::Error::other)?)?;
    }
    let mut out = io::stdout().lock();
    if arguments.json {
        let json = serde_json::to_string_pretty(&walk.review).map_err(io::Error::other)?;
        writeln!(out, "{json}")?;
        return Ok(());
    }
    tell(&walk.review, &names, &mut out)?;
    Ok(())
}

/// How far it is, on a line of the terminal that is written anew: whoever waits for a minute wants to know for what.
struct Progress {
    /// Where somebody sees it.
    terminal: Option<io::Stderr>,
}

impl Progress {
    fn new() -> Self {
        let stderr = io::stderr();
        Self {
            terminal: stderr.is_terminal().then_some(stderr),
        }
    }

    fn tell(&mut self, review: &Review) {
        let Review { looked_at, steps, .. } = review;
        let line = if looked_at < steps {
            format!("{looked_at} of {steps} moves looked at")
        } else {
            format!("all {steps} moves looked at, now the largest swings once more")
        };
        self.write(&line);
    }

    /// Leaves nothing on the line.
    fn end(&mut self) {
        self.write("");
    }

    fn write(&mut self, line: &str) {
        /// To the start of the line, and what is on it is erased.
        const ANEW: &str = "\r\x1b[K";
        if let Some(terminal) = &mut self.terminal {
            // Who can't be told how far it is hears what comes of it.
            let _ = write!(terminal, "{ANEW}{line}");
            let _ = terminal.flush();
        }
    }
}

fn tell(review: &Review, names: &[String], out: &mut dyn Write) -> io::Result<()> {
    let name = |seat: Seat| names.get(seat.index()).cloned().unwrap_or_default();
    for summary in review.summaries() {
        write!(
            out,
            "{}: {} of {} moves as good as the bot's",
            name(summary.seat),
            summary.as_good,
            summary.decisions
        )?;
        if let Some(worst) = summary.largest_mistake {
            write!(out, "; largest mistake in turn {}", worst.turn)?;
        }
        if let Some(best) = summary.best_find {
            write!(out, "; best find in turn {}: {}", best.turn, best.played)?;
        }
        writeln!(out)?;
    }
    for (swing, number) in review.swings.iter().flatten().zip(1..) {
        let decision = &swing.decision;
        writeln!(
            out,
            "swing {number}: turn {}, {} played {} ({:.0}); better was {} ({:.0})",
            decision.turn,
            name(decision.seat),
            decision.played,
            100.0 * decision.played_worth,
            decision.best,
            100.0 * decision.best_worth
        )?;
        let told = swing.narration.plain(name);
        let purpose = swing.purpose.iter().map(String::as_str);
        let why: Vec<&str> = purpose
            .chain([told.as_str()])
            .filter(|why| !why.is_empty())
            .collect();
        if !why.is_empty() {
            writeln!(out, "  {}", why.join(" "))?;
        }
    }
    Ok(())
}
