//! The cases over which the laws are tested: every game, seat count and option value.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use parlor::catalog::{self, Entry, Frame, Table};
use parlor::draw::Theme;
use parlor::game::{GameRng, OptionKind, OptionSpec, OptionValues, Seat, Seed, Viewer};

/// The games to test: all of the catalog, or the one that `PARLOR_GAME` names.
pub fn games() -> Vec<&'static Entry> {
    wanted(catalog::games())
}

/// Those of some games that are to be tested.
pub fn wanted(games: impl Iterator<Item = &'static Entry>) -> Vec<&'static Entry> {
    let Ok(name) = std::env::var("PARLOR_GAME") else {
        return games.collect();
    };
    let found: Vec<&Entry> = games.filter(|entry| entry.meta.id == name).collect();
    assert!(!found.is_empty(), "PARLOR_GAME: there is no game `{name}` here");
    found
}

/// One game as it is set up.
pub struct Case<'a> {
    pub entry: &'a Entry,
    pub options: OptionValues,
    pub seats: u8,
    pub seed_text: String,
    pub names: Vec<String>,
}

impl Case<'_> {
    pub fn seed(&self) -> Seed {
        Seed::from_text(&self.seed_text)
    }

    pub fn open(&self) -> Box<dyn Table> {
        self.entry
            .open(&self.options, self.seats, &self.seed())
            .expect("the seats are among those of the game")
    }

    /// The players' own chance, apart from that of the match.
    pub fn players(&self, stream: &str) -> GameRng {
        Seed::from_text(&format!("{self} {stream}")).at(0)
    }

    pub fn frame(&self, viewer: Viewer, theme: Theme) -> Frame<'_> {
        Frame {
            theme,
            ..Frame::new(viewer, &self.names)
        }
    }

    /// The public and every seat.
    pub fn viewers(&self) -> impl Iterator<Item = Viewer> + use<> {
        std::iter::once(Viewer::Public).chain(Seat::all(self.seats).map(Viewer::Seat))
    }
}

/// As it would be typed: `phwar --seats 2 --set centre=on --seed 7`.
impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} --seats {}", self.entry.meta.id, self.seats)?;
        for (name, value) in self.options.changed() {
            write!(f, " --set {name}={value}")?;
        }
        write!(f, " --seed {}", self.seed_text)
    }
}

/// Short names of five players.
pub fn names(seats: u8) -> Vec<String> {
    let all = ["Ada", "Bo Ek", "Çelik", "Дима", "Eve"];
    all[..usize::from(seats)]
        .iter()
        .map(|&name| name.to_owned())
        .collect()
}

/// One case for each way in which a game can be set up.
pub fn settings(entry: &Entry) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for seats in entry.meta.seats.clone() {
        for options in option_settings(entry.meta.options) {
            cases.push(Case {
                entry,
                options,
                seats,
                seed_text: "0".to_owned(),
                names: names(seats),
            });
        }
    }
    cases
}

/// The first seed of every setting: 0, or what `PARLOR_SEED` says, to look for what the usual ones don't show.
fn first_seed() -> usize {
    std::env::var("PARLOR_SEED").map_or(0, |seed| seed.parse().expect("PARLOR_SEED is a number"))
}

/// Every setting of a game with some seeds each: the fewer settings, the more seeds.
pub fn cases(entry: &Entry, about: usize) -> Vec<Case<'_>> {
    let settings = settings(entry);
    let first = first_seed();
    let seeds = first..first + (about / settings.len()).max(1);
    settings
        .into_iter()
        .flat_map(|case| {
            seeds.clone().map(move |seed| Case {
                entry: case.entry,
                options: case.options.clone(),
                seats: case.seats,
                seed_text: seed.to_string(),
                names: case.names.clone(),
            })
        })
        .collect()
}

/// All defaults, each option varied alone, and a few combinations.
pub fn option_settings(specs: &'static [OptionSpec]) -> Vec<OptionValues> {
    const COMBINATIONS: usize = 4;
    let mut wishes: BTreeSet<Vec<(&str, String)>> = BTreeSet::from([Vec::new()]);
    let mut changed = |pairs: Vec<(&'static str, String)>| {
        let differs = |(name, value): &(&str, String)| {
            specs
                .iter()
                .any(|spec| spec.name == *name && spec.default_text() != *value)
        };
        wishes.insert(pairs.into_iter().filter(differs).collect());
    };
    // A text may be anything: texts are varied together with the rest, not each alone.
    let listed = |spec: &&OptionSpec| !matches!(spec.kind, OptionKind::Text { .. });
    for spec in specs.iter().filter(listed) {
        for value in values(spec) {
            changed(vec![(spec.name, value)]);
        }
    }
    let mut rng = Seed::from_text("combinations of options").at(0);
    for _ in 0..COMBINATIONS {
        let any = |spec: &OptionSpec| {
            let values = values(spec);
            (spec.name, values[rng.below(values.len())].clone())
        };
        changed(specs.iter().map(any).collect());
    }
    let choose = |pairs: &Vec<(&str, String)>| {
        let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str()));
        OptionValues::choose(specs, pairs).expect("the values are those that the option lists")
    };
    wishes.iter().map(choose).collect()
}

/// The values of an option as they are written; of a wide range the ends, the middle and the default.
fn values(spec: &OptionSpec) -> Vec<String> {
    match spec.kind {
        OptionKind::Switch { .. } => vec!["off".to_owned(), "on".to_owned()],
        OptionKind::Choice { values, .. } => values.iter().map(|&value| value.to_owned()).collect(),
        OptionKind::Whole { default, min, max } => {
            let numbers: BTreeSet<u32> = if max - min < 8 {
                (min..=max).collect()
            } else {
                [min, min + 1, min.midpoint(max), default, max].into()
            };
            numbers.iter().map(u32::to_string).collect()
        }
        OptionKind::Text {
            default, examples, ..
        } => {
            let some = examples.iter().take(1).chain([&default]);
            some.map(|&value| value.to_owned()).collect()
        }
    }
}

/// Runs a check over all cases on all cores and reports every failure.
pub fn for_all<T: Sync>(cases: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failures = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            failures.extend(check(case).err());
        }
        failures
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(ScopedJoinHandle::join);
        results
            .flat_map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let some: Vec<&str> = failures.iter().take(5).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases failed:\n{}",
        failures.len(),
        cases.len(),
        some.join("\n")
    );
}
