//! Laws 7, 8 and 9: what is hidden stays hidden, whichever way one looks.
//!
//! A world and another that a seat imagines in its place must look alike to that seat, and to the
//! public, which knows less. They must go on looking alike as long as nothing comes to light, neither cards nor
//! what others have privately said in advance. Once
//! something has, they may part, but then the view must show it: what is told and not in the view
//! would be lost to whoever imagines worlds from it.

use std::ops::AddAssign;

use parlor::catalog::{self, Frame, Reading, Table};
use parlor::draw::Theme;
use parlor::game::touch::Touch;
use parlor::game::{Awaiting, Seat, Viewer};
use parlor::matches::record::{Record, RecordedStep};

use super::case::Case;
use super::law::{Broken, Kept, Law, Spot, position};
use super::story::{Deed, Story, choosing_together};

/// How much the check has really looked at; a law that was never put to the test proves nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Imagined worlds.
    pub worlds: usize,
    /// Those that differ from the real one in what is saved.
    pub different: usize,
    /// Choices made at once that were tried in another order.
    pub swapped: usize,
    /// Actions played in both of two worlds.
    pub played_on: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.worlds += other.worlds;
        self.different += other.different;
        self.swapped += other.swapped;
        self.played_on += other.played_on;
    }
}

/// Checks the secrets of a game at about `visits` of its positions; pictures at `pictures` of these.
pub fn secrecy(case: &Case<'_>, story: &Story, visits: usize, pictures: usize) -> Result<Tally, Broken> {
    let mut tally = Tally::default();
    let mut pictures = pictures;
    told_again(case, story)?;
    story.visit(case, visits, |spot| {
        let eye = if pictures > 0 { Eye::Pictures } else { Eye::Words };
        pictures = pictures.saturating_sub(1);
        for seat in Seat::all(case.seats) {
            tally += imagined(spot, seat, eye)?;
        }
        tally.swapped += commutes(spot)?;
        chooses_unseen(spot, story)
    })?;
    Ok(tally)
}

/// The record of a case after some deeds.
fn recorded<'d>(case: &Case<'_>, deeds: impl IntoIterator<Item = &'d Deed>) -> Record {
    let seed = case.seed();
    let mut record = Record::start(case.entry, &case.options, case.seats, &seed);
    for deed in deeds {
        match deed {
            Deed::Play(seat, action) => record.act(*seat, action.clone()),
            Deed::Leave(seat) => record.actions.push(RecordedStep {
                seat: *seat,
                deed: parlor::matches::record::Deed::Leaves("resigned".to_owned()),
            }),
        }
    }
    record
}

/// A replay tells each viewer, turn by turn, what they were told when it happened, and nothing more. What they were told
/// then is held to law 8 elsewhere.
fn told_again(case: &Case<'_>, story: &Story) -> Kept {
    if !can_be_recorded(case) {
        return Ok(());
    }
    // A seat stands for all of them, and the beginning for the whole: each viewer costs as much as playing it all.
    const DEEDS: usize = 120;
    let deeds = story.deeds.get(..DEEDS).unwrap_or(&story.deeds);
    let viewers = [Viewer::Seat(Seat::new(0)), Viewer::Public, Viewer::Omniscient];
    let mut told = vec![String::new(); viewers.len()];
    let mut table = case.open();
    for (deed, step) in deeds.iter().zip(1..) {
        match deed {
            Deed::Leave(seat) => table.withdraw(*seat, &case.seed(), step),
            Deed::Play(seat, action) => {
                let aside = table.reads(*seat, action) == Reading::Aside;
                // What can't be played is found by other laws.
                if table.play(*seat, action, &case.seed(), step).is_err() || aside {
                    continue;
                }
            }
        }
        for (told, viewer) in told.iter_mut().zip(&viewers) {
            told.push_str(&plain(&table.narration(*viewer)));
        }
    }
    let spot = Spot {
        case,
        table: table.as_ref(),
        step: deeds.len() as u64,
    };
    let record = recorded(case, deeds);
    for (told, viewer) in told.iter().zip(&viewers) {
        let again = record
            .story(*viewer)
            .map_err(|error| spot.broken(Law::Replays, format!("the record can't be told again: {error}")))?;
        let again: String = again.iter().map(plain).collect();
        spot.ensure(Law::Secrecy, *told == again, || {
            format!("{viewer} was told {told} and is told again {again}")
        })?;
    }
    Ok(())
}

/// Whether a record finds its game: some games are made for tests alone.
fn can_be_recorded(case: &Case<'_>) -> bool {
    catalog::find(case.entry.meta.id).is_ok_and(|entry| entry == case.entry)
}

/// The words of a sentence, without its spaces: sentences of one turn are put together.
fn plain(prose: &parlor::draw::Prose) -> String {
    let words = prose.plain(|seat| format!("<{seat}>"));
    words.split_whitespace().collect()
}

/// How closely somebody looks. Pictures take time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Eye {
    Words,
    Pictures,
}

/// All that a viewer is ever shown of a position.
#[derive(PartialEq, Debug)]
struct Shown {
    view: serde_json::Value,
    awaiting: Awaiting,
    outcome: Option<parlor::game::Outcome>,
    /// What the viewer's own seat may do, and how that is offered and refused.
    own: Vec<String>,
    narration: String,
    /// What is asked, and how it ended.
    question: String,
    text: String,
    alt: String,
    hand: Option<String>,
    /// What the viewer reads while picking a move.
    picking: Vec<String>,
    /// What can be touched in board and hand, and while picking a move.
    spots: Vec<parlor::draw::Spot>,
    pictures: Vec<Vec<u8>>,
}

impl Shown {
    fn to(spot: &Spot<'_>, table: &dyn Table, viewer: Viewer, eye: Eye) -> Self {
        let frame = spot.case.frame(viewer, Theme::Light);
        let hand = table.hand(&frame);
        let mut pictures = Vec::new();
        if eye == Eye::Pictures {
            pictures.push(table.picture(&frame).expect("a picture can be drawn"));
            pictures.extend(table.hand_picture(&frame).expect("a hand can be drawn"));
        }
        let mut spots = [table.spots(&frame), table.hand_spots(&frame)].concat();
        let mut picking = Vec::new();
        for picked in picks(table, viewer) {
            let frame = Frame {
                picking: Some(&picked),
                ..frame.clone()
            };
            picking.push(format!("{}\n{}", table.text(&frame), table.alt(&frame)));
            spots.extend(table.spots(&frame));
            if eye == Eye::Pictures {
                pictures.push(table.picture(&frame).expect("a picture can be drawn"));
            }
        }
        Self {
            view: table.view(viewer),
            awaiting: table.awaiting(),
            outcome: table.outcome(),
            own: match viewer {
                Viewer::Seat(seat) => own(spot, table, seat),
                Viewer::Public | Viewer::Omniscient => Vec::new(),
            },
            narration: format!("{:?}", table.narration(viewer)),
            question: format!("{:?} {:?}", table.ask(viewer), table.result()),
            text: table.text(&frame),
            alt: table.alt(&frame),
            hand: hand.map(|hand| format!("{}\n{}", hand.text, hand.alt)),
            picking,
            spots,
            pictures,
        }
    }

    /// The first thing that differs.
    fn difference(&self, other: &Self) -> Option<String> {
        let differ = |name: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
            Some(format!("the {name} is {a:?} in one and {b:?} in the other"))
        };
        if self.view != other.view {
            return differ("view", &self.view, &other.view);
        }
        if self.awaiting != other.awaiting {
            return differ("awaited seat", &self.awaiting, &other.awaiting);
        }
        if self.outcome != other.outcome {
            return differ("outcome", &self.outcome, &other.outcome);
        }
        if self.own != other.own {
            return differ("list of actions, offers and refusals", &self.own, &other.own);
        }
        if self.narration != other.narration {
            return differ("narration", &self.narration, &other.narration);
        }
        if self.question != other.question {
            return differ("question", &self.question, &other.question);
        }
        if self.text != other.text {
            return differ("text board", &self.text, &other.text);
        }
        if self.alt != other.alt {
            return differ("alt text", &self.alt, &other.alt);
        }
        if self.hand != other.hand {
            return differ("hand", &self.hand, &other.hand);
        }
        if self.picking != other.picking {
            return differ("text of a half-made move", &self.picking, &other.picking);
        }
        if self.spots != other.spots {
            return differ("list of spots", &self.spots, &other.spots);
        }
        (self.pictures != other.pictures).then(|| "the pictures differ".to_owned())
    }
}

/// Beginnings of moves: none, and the first and the last word that a viewer may pick.
fn picks(table: &dyn Table, viewer: Viewer) -> Vec<Vec<String>> {
    let choices = match viewer {
        Viewer::Seat(seat) => table.guide(seat, &[]).choices,
        // Whoever may pick nothing is shown nothing more by asking.
        Viewer::Public | Viewer::Omniscient => Vec::new(),
    };
    let mut picks = vec![Vec::new()];
    picks.extend(
        [choices.first(), choices.last()]
            .into_iter()
            .flatten()
            .map(|choice| vec![choice.text.clone()]),
    );
    picks
}

/// What a seat may do and how it is answered: by lists, by the guide, and by refusals. A sentence that
/// fails must not tell anything either, so each action is tried with nonsense after it.
fn own(spot: &Spot<'_>, table: &dyn Table, seat: Seat) -> Vec<String> {
    const PROBED: usize = 6;
    let legal = table.legal(seat);
    let mut own = legal.clone();
    let completions = table.complete(seat, "", usize::MAX);
    own.extend(completions.iter().map(|found| format!("{found:?}")));
    let first = table.guide(seat, &[]);
    own.extend(
        first
            .choices
            .iter()
            .take(3)
            .map(|choice| format!("{:?}", table.guide(seat, &[&choice.text]))),
    );
    own.push(format!("{first:?}"));
    let touched = table.touch(seat, &[]);
    let touches = touched
        .spots
        .iter()
        .take(3)
        .map(|spot| Touch::Spot(spot.word.clone()));
    own.extend(touches.map(|touch| format!("{:?}", table.touch(seat, &[touch]))));
    own.push(format!("{touched:?}"));
    let mut rng = spot.case.players(&format!("probes {}", spot.step));
    let mut probes: Vec<String> = (0..PROBED)
        .filter_map(|_| rng.choose(&legal).map(|action| format!("{action}; no such move")))
        .collect();
    probes.extend((0..PROBED).map(|_| super::texts::text(&mut rng, &legal)));
    // What of a plan is moot by now; the rules say which words there are.
    let sections = spot.case.entry.rules().sections;
    let words = sections
        .iter()
        .flat_map(|section| section.body.split('`').skip(1).step_by(2));
    own.extend(words.filter_map(|clause| table.still_to_say(seat, clause)));
    for probe in probes {
        let mut copy = table.copy();
        if let Err(error) = copy.play(seat, &probe, &spot.seed(), spot.next_step()) {
            own.push(format!("{probe}: {error:?}: {error}"));
        }
    }
    own
}

/// Laws 7 and 8 for the worlds that one seat imagines.
fn imagined(spot: &Spot<'_>, seat: Seat, eye: Eye) -> Result<Tally, Broken> {
    let mut tally = Tally::default();
    let mut rng = spot.case.players(&format!("imagined {} {}", spot.step, seat));
    let viewer = Viewer::Seat(seat);
    let real = spot.table;
    let save = spot.save(real)?;
    for _ in 0..2 {
        let world = real.imagine(seat, &mut rng);
        tally.worlds += 1;
        tally.different += usize::from(position(&spot.save(world.as_ref())?) != position(&save));
        spot.ensure(Law::Determinize, world.view(viewer) == real.view(viewer), || {
            format!(
                "{seat:?} sees {} and imagines {}",
                real.view(viewer),
                world.view(viewer)
            )
        })?;
        for viewer in [viewer, Viewer::Public] {
            compare(
                spot,
                real,
                world.as_ref(),
                viewer,
                eye,
                &format!("imagined by {seat:?}"),
            )?;
        }
        tally.played_on += play_on(spot, seat, real.copy(), world, &mut rng)?;
    }
    Ok(tally)
}

fn compare(spot: &Spot<'_>, a: &dyn Table, b: &dyn Table, viewer: Viewer, eye: Eye, what: &str) -> Kept {
    let (a, b) = (Shown::to(spot, a, viewer, eye), Shown::to(spot, b, viewer, eye));
    match a.difference(&b) {
        None => Ok(()),
        Some(difference) => Err(spot.broken(
            Law::Secrecy,
            format!("{viewer} can tell a world from the one {what}: {difference}"),
        )),
    }
}

/// Plays the same actions in two worlds that `seat` can't tell apart.
fn play_on(
    spot: &Spot<'_>,
    seat: Seat,
    mut real: Box<dyn Table>,
    mut world: Box<dyn Table>,
    rng: &mut parlor::game::GameRng,
) -> Result<usize, Broken> {
    const FAR: u64 = 5;
    let viewer = Viewer::Seat(seat);
    let mut count = 0;
    for further in 0..FAR {
        let seats: Vec<Seat> = real.awaiting().seats().iter().collect();
        let Some(&actor) = rng.choose(&seats) else { break };
        let both: Vec<String> = {
            let imagined = world.legal(actor);
            let legal = real.legal(actor).into_iter();
            legal.filter(|action| imagined.contains(action)).collect()
        };
        let Some(action) = rng.choose(&both) else { break };
        let step = spot.next_step() + further;
        let here = real.play(actor, action, &spot.seed(), step);
        let there = world.play(actor, action, &spot.seed(), step);
        let (Ok(here), Ok(there)) = (here, there) else {
            return Err(spot.broken(
                Law::LegalLists,
                format!("`{action}` is listed and refused further on"),
            ));
        };
        count += 1;
        let what = format!(
            "imagined by {seat:?} when {actor:?} has played `{action}` {} steps further on",
            further + 1
        );
        spot.ensure(Law::Secrecy, actor != seat || here.taught == there.taught, || {
            format!("whether anything can be said behind `{action}` tells {seat:?} about a world {what}")
        })?;
        // Where it matters what others privately wish, that may show: a pass that was given in advance is taken, or its
        // player is asked.
        let may_part = here.heeded.has_other_than(seat) || there.heeded.has_other_than(seat);
        spot.ensure(
            Law::Secrecy,
            actor != seat || may_part || here.revealed == there.revealed,
            || format!("whether `{action}` can be taken back tells {seat:?} about a world {what}"),
        )?;
        let (seen, imagined) = (real.view(viewer), world.view(viewer));
        let alike = seen == imagined;
        if here.revealed || there.revealed || may_part {
            if !alike {
                break;
            }
            // What the view does not tell, narration must not tell either.
            compare(spot, real.as_ref(), world.as_ref(), viewer, Eye::Words, &what)?;
        } else {
            spot.ensure(Law::Secrecy, alike, || {
                let parted = parted("view", &seen, &imagined);
                format!("nothing came to light, and {seat:?} can tell a world from the one {what}: {parted}")
            })?;
            compare(spot, real.as_ref(), world.as_ref(), viewer, Eye::Words, &what)?;
            compare(
                spot,
                real.as_ref(),
                world.as_ref(),
                Viewer::Public,
                Eye::Words,
                &what,
            )?;
        }
    }
    Ok(count)
}

/// Where two views first differ.
fn parted(place: &str, a: &serde_json::Value, b: &serde_json::Value) -> String {
    use serde_json::Value;
    let first = match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => a
            .iter()
            .map(|(name, a)| (name.clone(), a, b.get(name).unwrap_or(&Value::Null)))
            .find(|(_, a, b)| a != b),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => (0..)
            .zip(a.iter().zip(b))
            .map(|(at, (a, b)): (usize, _)| (at.to_string(), a, b))
            .find(|(_, a, b)| a != b),
        _ => None,
    };
    match first {
        Some((name, a, b)) => parted(&format!("{place}.{name}"), a, b),
        None => format!("{place} is {a} in one and {b} in the other"),
    }
}

/// Law 9: whoever of several chooses first, the position is the same when all have chosen.
fn commutes(spot: &Spot<'_>) -> Result<usize, Broken> {
    if !choosing_together(spot.table.awaiting()) {
        return Ok(0);
    }
    let mut rng = spot.case.players(&format!("commutes {}", spot.step));
    let seats: Vec<Seat> = spot.table.awaiting().seats().iter().collect();
    let mut choices = Vec::new();
    for &seat in &seats {
        let legal = spot.table.legal(seat);
        choices.extend(rng.choose(&legal).map(|action| (seat, action.clone())));
    }
    let in_order = |choices: &[(Seat, String)]| -> Result<Box<dyn Table>, Broken> {
        let mut table = spot.table.copy();
        for (place, (seat, action)) in choices.iter().enumerate() {
            let step = spot.next_step() + place as u64;
            table.play(*seat, action, &spot.seed(), step).map_err(|error| {
                spot.broken(
                    Law::Commute,
                    format!("{seat:?} could choose `{action}` before the others, not after: {error}"),
                )
            })?;
        }
        Ok(table)
    };
    let straight = in_order(&choices)?;
    let mut shuffled = choices.clone();
    for _ in 0..2 {
        rng.shuffle(&mut shuffled);
        let other = in_order(&shuffled)?;
        let (a, b) = (spot.save(straight.as_ref())?, spot.save(other.as_ref())?);
        spot.ensure(Law::Commute, position(&a) == position(&b), || {
            format!("{choices:?} leads to {a}, {shuffled:?} to {b}")
        })?;
    }
    Ok(choices.len())
}

/// Law 8 without imagining: while several choose at once, what one of them chose makes no difference to
/// what the others are shown.
fn chooses_unseen(spot: &Spot<'_>, story: &Story) -> Kept {
    if !choosing_together(spot.table.awaiting()) {
        return Ok(());
    }
    let mut rng = spot.case.players(&format!("unseen {}", spot.step));
    let seats = spot.table.awaiting().seats();
    for seat in seats.iter() {
        let legal = spot.table.legal(seat);
        let choose = |action: &String| {
            let mut table = spot.table.copy();
            let played = table.play(seat, action, &spot.seed(), spot.next_step());
            played.is_ok_and(|played| !played.revealed).then_some(table)
        };
        let (one, other) = (rng.choose(&legal), rng.choose(&legal));
        let chosen = [one, other].map(|action| Deed::Play(seat, action.cloned().unwrap_or_default()));
        let (Some(one), Some(other)) = (one.and_then(choose), other.and_then(choose)) else {
            continue;
        };
        for viewer in spot.case.viewers().filter(|&viewer| viewer != Viewer::Seat(seat)) {
            compare(
                spot,
                one.as_ref(),
                other.as_ref(),
                viewer,
                Eye::Words,
                &format!("in which {seat:?} chose otherwise"),
            )?;
            // Nor does a replay of it.
            if !can_be_recorded(spot.case) {
                continue;
            }
            let before = story.deeds.get(..spot.step as usize).unwrap_or_default();
            let told = chosen.each_ref().map(|deed| {
                let record = recorded(spot.case, before.iter().chain([deed]));
                record.story(viewer).map_err(|error| error.to_string())
            });
            spot.ensure(Law::Secrecy, told[0] == told[1], || {
                format!("a replay tells {viewer} what {seat:?} chose: {told:?}")
            })?;
        }
        for bystander in seats.iter().filter(|&other| other != seat) {
            let (before, after) = (spot.table.legal(bystander), one.legal(bystander));
            spot.ensure(Law::Commute, before == after, || {
                format!("{seat:?} has chosen, and {bystander:?} may now do {after:?} instead of {before:?}")
            })?;
        }
    }
    Ok(())
}
