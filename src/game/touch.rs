//! Playing by touch: what somebody means who touches things in a picture.
//!
//! Touches choose among the same ways as guided entry does ([`Game::ways`](super::Game::ways)), in whatever order people
//! touch: first the piece and then where it goes, or the cell and then what is placed there. What is no place in the picture,
//! such as `pass`, is a choice beside it. No game writes anything for it but the words that it has, and where their spots are
//! ([`Show::spots`](crate::draw::Show::spots)).

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::Way;
use super::guide::{AT_ONCE, Choice, Leads, Word, is_column_of, rest};

/// So many ways whose spots are all touched are offered whole.
const FEW: usize = 8;
/// The most questions that are asked at once.
const QUESTIONS: usize = 2;

/// One touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Touch {
    /// A spot of a picture, by its word.
    Spot(String),
    /// A choice beside the picture.
    Word(String),
}

impl Touch {
    /// The spot that is touched, if it is one.
    fn spot(&self) -> Option<&str> {
        match self {
            Self::Spot(spot) => Some(spot),
            Self::Word(_) => None,
        }
    }
}

/// What some touches mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The touches that count: what leads nowhere is forgotten.
    pub touches: Vec<Touch>,
    /// The question or questions that the next touch answers.
    pub ask: String,
    /// What can be touched next.
    pub spots: Vec<OpenSpot>,
    /// What can be chosen beside the picture.
    pub choices: Vec<Choice>,
    /// What is played, once nothing is left to choose.
    pub sentence: Option<String>,
}

/// A spot that can be touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSpot {
    pub word: String,
    /// What touching it means, if that is one thing: "captures E5 positron".
    pub label: String,
    pub help: String,
    /// Whether it answers the next question. Others may be touched as well, before their turn.
    pub next: bool,
    /// What is played if it is touched, if nothing is left to choose then.
    pub sentence: Option<String>,
}

/// What touches mean where the spots that are touched decide which ways are spelt out
/// ([`Game::ways_touched`](super::Game::ways_touched)).
pub fn touch_among(
    ways: impl Fn(&[&str]) -> Vec<Way>,
    touches: &[Touch],
    is_spot: &dyn Fn(&str) -> bool,
) -> Touched {
    let mut counted = touches.to_vec();
    loop {
        let spots: Vec<&str> = counted.iter().filter_map(Touch::spot).collect();
        let touched = touch(&ways(&spots), &counted, is_spot);
        // What is forgotten decides nothing.
        if touched.touches.len() == counted.len() {
            return touched;
        }
        counted = touched.touches;
    }
}

/// What touches mean, among what can be played; `is_spot` tells which words lie in a picture.
pub fn touch(ways: &[Way], touches: &[Touch], is_spot: &dyn Fn(&str) -> bool) -> Touched {
    let all: Vec<Open<'_>> = ways.iter().map(|way| Open::new(way, is_spot)).collect();
    let (touches, open) = understood(&all, touches);
    let sentence = played(&open, &touches);
    let mut touched = Touched {
        ask: asked(&open),
        choices: choices(&open),
        sentence,
        spots: open_spots(&open),
        touches,
    };
    if !touched.touches.is_empty() {
        for spot in &mut touched.spots {
            let further = [&touched.touches[..], &[Touch::Spot(spot.word.clone())]].concat();
            spot.sentence = played(&narrowed(&open, &further), &further);
        }
    }
    touched
}

/// Something on a way that is touched or chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item<'w> {
    Spot(&'w str),
    Word(&'w str),
}

impl Item<'_> {
    fn is(&self, touch: &Touch) -> bool {
        match (self, touch) {
            (Self::Spot(own), Touch::Spot(touched)) | (Self::Word(own), Touch::Word(touched)) => {
                *own == touched.as_str()
            }
            (Self::Spot(_), Touch::Word(_)) | (Self::Word(_), Touch::Spot(_)) => false,
        }
    }

    const fn is_spot(&self) -> bool {
        matches!(self, Self::Spot(_))
    }
}

/// A way that is still open.
#[derive(Clone, Debug)]
struct Open<'w> {
    way: &'w Way,
    /// Each thing with the place of its word.
    items: Vec<(usize, Item<'w>)>,
    /// Which of them are touched, in the order of the touches.
    done: Vec<usize>,
}

impl<'w> Open<'w> {
    fn new(way: &'w Way, is_spot: &dyn Fn(&str) -> bool) -> Self {
        let mut items = Vec::with_capacity(way.words.len());
        for (place, word) in way.words.iter().enumerate() {
            // A word stands for places only if all of them can be touched.
            let mut spots = word.spots().peekable();
            if spots.peek().is_some() && word.spots().all(is_spot) {
                items.extend(spots.map(|spot| (place, Item::Spot(spot))));
            } else {
                items.push((place, Item::Word(&word.text)));
            }
        }
        Self {
            way,
            items,
            done: Vec::new(),
        }
    }

    /// The same way after one more touch, if that is on it.
    fn after(&self, touch: &Touch) -> Option<Self> {
        let mut items = self.items.iter().enumerate();
        let (place, _) = items.find(|(place, (_, item))| !self.done.contains(place) && item.is(touch))?;
        let mut after = self.clone();
        after.done.push(place);
        Some(after)
    }

    fn left(&self) -> impl Iterator<Item = &(usize, Item<'w>)> {
        let items = self.items.iter().enumerate();
        items
            .filter(|(place, _)| !self.done.contains(place))
            .map(|(_, item)| item)
    }

    /// Whether every spot is touched.
    fn is_ready(&self) -> bool {
        !self.left().any(|(_, item)| item.is_spot())
    }

    fn word(&self, place: usize) -> Option<&'w Word> {
        self.way.words.get(place)
    }

    /// The next word that has to be chosen beside the picture: not one that all have, and the column of a cell goes
    /// without saying.
    fn next_word(&self, common: &[&str]) -> Option<&'w Word> {
        let mut words = self.left().filter(|(_, item)| !item.is_spot());
        words.find_map(|(place, _)| {
            let word = self.word(*place)?;
            let next = self.word(place + 1);
            let implied = next.is_some_and(|next| is_column_of(&word.text, &next.text));
            (!implied && !common.contains(&word.text.as_str())).then_some(word)
        })
    }

    fn has_word(&self, text: &str) -> bool {
        self.left().any(|(_, item)| *item == Item::Word(text))
    }

    /// The words, of other words than its own, that come before something and have not been touched.
    fn passed_over(&self, item: usize) -> impl Iterator<Item = &'w Word> {
        let own = self.items.get(item).map(|(place, _)| *place);
        let before = self.items.iter().enumerate().take(item);
        before.filter_map(move |(at, (place, earlier))| {
            let skipped = earlier.is_spot() && Some(*place) != own && !self.done.contains(&at);
            self.word(*place).filter(|_| skipped)
        })
    }

    /// How many touches follow each other as they do on the way.
    fn in_order(&self) -> usize {
        let pairs = self.done.iter().zip(self.done.iter().skip(1));
        pairs.filter(|(one, next)| **one + 1 == **next).count()
    }

    /// All that has to be touched, in any order.
    fn content(&self) -> Vec<&Item<'w>> {
        let mut content: Vec<&Item<'w>> = self.items.iter().map(|(_, item)| item).collect();
        content.sort_unstable();
        content
    }
}

/// The touches that can be understood, and the ways that they leave open. Whoever touches something that doesn't go
/// with what they touched before begins anew with it; what means nothing at all is left out.
fn understood<'w>(all: &[Open<'w>], touches: &[Touch]) -> (Vec<Touch>, Vec<Open<'w>>) {
    let mut kept: Vec<Touch> = Vec::new();
    let mut open = all.to_vec();
    for touch in touches {
        let further = [&kept[..], std::slice::from_ref(touch)].concat();
        let going_on = narrowed(&open, &further);
        if !going_on.is_empty() {
            (kept, open) = (further, going_on);
            continue;
        }
        let anew = vec![touch.clone()];
        let beginning = narrowed(all, &anew);
        if !beginning.is_empty() {
            (kept, open) = (anew, beginning);
        }
    }
    (kept, open)
}

/// The ways that are left after the last touch.
fn narrowed<'w>(open: &[Open<'w>], touches: &[Touch]) -> Vec<Open<'w>> {
    let Some(last) = touches.last() else {
        return open.to_vec();
    };
    let mut open: Vec<Open<'w>> = open.iter().filter_map(|open| open.after(last)).collect();
    drop_other_answers(&mut open);
    drop_other_orders(&mut open);
    open
}

/// A touch that answers the question of one way is no later step of another way that asks the same: whoever touches a
/// piece of theirs means to move it, and not to move another one there.
fn drop_other_answers(open: &mut Vec<Open<'_>>) {
    let mut answered: Vec<&'static str> = Vec::new();
    for way in open.iter() {
        let Some(&item) = way.done.last() else { continue };
        let Some(word) = way.items.get(item).and_then(|(place, _)| way.word(*place)) else {
            continue;
        };
        if way.passed_over(item).next().is_none() && !answered.contains(&word.asks) {
            answered.push(word.asks);
        }
    }
    open.retain(|way| {
        let Some(&item) = way.done.last() else { return true };
        !way.passed_over(item).any(|word| answered.contains(&word.asks))
    });
}

/// Of ways that need the same touches, those stay that have them in the order in which they were touched.
fn drop_other_orders(open: &mut Vec<Open<'_>>) {
    let mut kept = in_best_order(open).into_iter();
    open.retain(|_| kept.next().unwrap_or(true));
}

fn in_best_order(open: &[Open<'_>]) -> Vec<bool> {
    let scores: Vec<(Vec<&Item<'_>>, usize)> =
        open.iter().map(|way| (way.content(), way.in_order())).collect();
    let mut best: BTreeMap<&[&Item<'_>], usize> = BTreeMap::new();
    for (content, score) in &scores {
        let known = best.entry(content).or_default();
        *known = (*known).max(*score);
    }
    let is_best = |(content, score): &(Vec<&Item<'_>>, usize)| best.get(&content[..]) == Some(score);
    scores.iter().map(is_best).collect()
}

/// What is played, if one way is open and nothing on the picture is left to be touched.
fn played(open: &[Open<'_>], touches: &[Touch]) -> Option<String> {
    match open {
        [only] if !touches.is_empty() && only.is_ready() => Some(only.way.sentence.clone()),
        _ => None,
    }
}

/// The words beside the picture that all ways have: they choose nothing.
fn common<'w>(open: &[Open<'w>]) -> Vec<&'w str> {
    let first = open.first().into_iter().flat_map(Open::left);
    let words = first.filter_map(|(_, item)| match item {
        Item::Word(text) => Some(*text),
        Item::Spot(_) => None,
    });
    words
        .filter(|text| open.iter().all(|way| way.has_word(text)))
        .collect()
}

/// What is asked next: of each way the first thing that is left to be chosen, and the first that is left to be touched.
fn asked(open: &[Open<'_>]) -> String {
    let common = common(open);
    let mut asks: Vec<&str> = Vec::new();
    for way in open {
        let spot = way.left().find(|(_, item)| item.is_spot());
        let spot = spot.and_then(|(place, _)| way.word(*place));
        for word in way.next_word(&common).into_iter().chain(spot) {
            if !asks.contains(&word.asks) {
                asks.push(word.asks);
            }
        }
    }
    asks.truncate(QUESTIONS);
    asks.join(" ").trim().to_owned()
}

/// What can be touched.
fn open_spots(open: &[Open<'_>]) -> Vec<OpenSpot> {
    let mut found: Vec<OpenSpot> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for way in open {
        let mut first: Option<usize> = None;
        for (place, item) in way.left() {
            let Item::Spot(spot) = item else { continue };
            let next = *first.get_or_insert(*place) == *place;
            if let Some(known) = places.get(spot).and_then(|at| found.get_mut(*at)) {
                known.next |= next;
                continue;
            }
            // A word that stands for several things says nothing of one of them.
            let word = way.word(*place).filter(|word| word.spots().count() == 1);
            places.insert(spot, found.len());
            found.push(OpenSpot {
                word: (*spot).to_owned(),
                label: word.map_or_else(String::new, |word| word.label.clone()),
                help: word.map_or_else(String::new, |word| word.help.clone()),
                next,
                sentence: None,
            });
        }
    }
    found
}

/// What can be chosen beside the picture: whole ways on which nothing is left to be touched, and words that narrow the
/// others down.
fn choices(open: &[Open<'_>]) -> Vec<Choice> {
    let ready = open.iter().filter(|way| way.is_ready());
    let bare = ready.clone().all(|way| way.items.len() == 1);
    let few = ready.count() <= if bare { AT_ONCE } else { FEW };
    let common = common(open);
    let mut choices: Vec<Choice> = Vec::new();
    for way in open {
        match way.next_word(&common).filter(|_| !(few && way.is_ready())) {
            Some(word) => offer(&mut choices, word),
            None if way.is_ready() => choices.push(rest(way.way, 0)),
            None => {}
        }
    }
    choices
}

fn offer(choices: &mut Vec<Choice>, word: &Word) {
    let same = |choice: &&mut Choice| matches!(choice.leads, Leads::On { .. }) && choice.text == word.text;
    match choices.iter_mut().find(same) {
        Some(Choice {
            leads: Leads::On { open },
            ..
        }) => *open += 1,
        Some(_) | None => choices.push(Choice {
            text: word.text.clone(),
            label: word.label.clone(),
            help: word.help.clone(),
            leads: Leads::On { open: 1 },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways from "piece where" and the like; every word asks by its place.
    fn ways(all: &[&str]) -> Vec<Way> {
        let asks = ["Which piece?", "How?", "Where to?"];
        let way = |sentence: &&str| Way {
            words: sentence
                .split(' ')
                .zip(asks)
                .map(|(word, asks)| Word::new(asks, word))
                .collect(),
            sentence: sentence.replace(' ', "-"),
        };
        all.iter().map(way).collect()
    }

    fn is_cell(word: &str) -> bool {
        word.len() == 2 && word.ends_with(|last: char| last.is_ascii_digit())
    }

    fn spot(word: &str) -> Touch {
        Touch::Spot(word.to_owned())
    }

    fn meant(all: &[Way], touches: &[&str]) -> Touched {
        let touches: Vec<Touch> = touches.iter().map(|word| spot(word)).collect();
        touch(all, &touches, &is_cell)
    }

    fn lit(touched: &Touched) -> Vec<&str> {
        let next = touched.spots.iter().filter(|spot| spot.next);
        next.map(|spot| spot.word.as_str()).collect()
    }

    #[test]
    fn first_the_piece_then_where_plays() {
        let all = ways(&["a1 step b2", "a1 step b3", "c1 step b3", "c1 leap d3"]);
        assert_eq!(lit(&meant(&all, &[])), ["a1", "c1"]);
        let picked = meant(&all, &["a1"]);
        assert_eq!(lit(&picked), ["b2", "b3"]);
        assert_eq!(picked.sentence, None);
        assert_eq!(picked.spots[0].sentence.as_deref(), Some("a1-step-b2"));
        assert_eq!(meant(&all, &["a1", "b3"]).sentence.as_deref(), Some("a1-step-b3"));
    }

    #[test]
    fn first_where_then_the_piece_plays_the_same() {
        let all = ways(&["a1 step b2", "a1 step b3", "c1 step b3"]);
        assert_eq!(lit(&meant(&all, &["b3"])), ["a1", "c1"]);
        assert_eq!(meant(&all, &["b3", "c1"]).sentence.as_deref(), Some("c1-step-b3"));
    }

    #[test]
    fn a_piece_that_can_move_is_not_where_another_one_goes() {
        let all = ways(&["a1 push a2", "a2 step a3", "a1 step b1"]);
        assert_eq!(lit(&meant(&all, &["a2"])), ["a3"]);
        assert_eq!(
            meant(&all, &["a2", "a1"]).touches,
            [spot("a1")],
            "another piece is picked"
        );
        assert_eq!(meant(&all, &["a1", "a2"]).sentence.as_deref(), Some("a1-push-a2"));
    }

    #[test]
    fn what_means_nothing_changes_nothing() {
        let all = ways(&["a1 step b2", "a1 step b3"]);
        assert_eq!(meant(&all, &["a1", "h8"]), meant(&all, &["a1"]));
        assert_eq!(meant(&all, &["h8"]).touches, []);
    }

    #[test]
    fn what_is_no_place_is_chosen_beside_the_picture() {
        let all = ways(&["a1 step b2", "a1 leap b2", "pass"]);
        let start = meant(&all, &[]);
        let labels: Vec<&str> = start.choices.iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(labels, ["step", "leap", "pass"]);
        assert_eq!(
            start.choices[2].leads,
            Leads::To {
                sentence: "pass".to_owned()
            }
        );
        let two = meant(&all, &["a1", "b2"]);
        assert_eq!(two.sentence, None);
        let labels: Vec<&str> = two.choices.iter().map(|choice| choice.label.as_str()).collect();
        assert_eq!(labels, ["a1 step b2", "a1 leap b2"]);
        let leap = touch(&all, &[Touch::Word("leap".to_owned()), spot("b2")], &is_cell);
        assert_eq!(leap.sentence, None, "the piece is still to be touched");
        assert_eq!(leap.spots[0].sentence.as_deref(), Some("a1-leap-b2"));
    }

    #[test]
    fn what_is_forgotten_decides_no_ways() {
        // Of any number of pieces those are spelt out that are touched, and those with one more.
        let ways = |touched: &[&str]| {
            let pieces = ["a1", "b1", "c1", "d1"];
            // Something else may be touched as well.
            let touched: Vec<&str> = touched
                .iter()
                .copied()
                .filter(|one| pieces.contains(one))
                .collect();
            let mut sets: Vec<Vec<&str>> = vec![touched.clone()];
            for piece in pieces {
                if !touched.contains(&piece) {
                    sets.push([&touched[..], &[piece]].concat());
                }
            }
            sets.retain(|set| !set.is_empty());
            let mut ways: Vec<Way> = sets
                .into_iter()
                .map(|set| Way {
                    words: vec![
                        Word::new("Who?", set.join("+")).touching(set.iter().map(|&one| one.to_owned())),
                    ],
                    sentence: set.join(" "),
                })
                .collect();
            ways.push(Way {
                words: vec![Word::new("Which card?", "h8")],
                sentence: "card".to_owned(),
            });
            ways
        };
        let meant = |touches: &[&str]| {
            let touches: Vec<Touch> = touches.iter().map(|word| spot(word)).collect();
            touch_among(ways, &touches, &is_cell)
        };
        let three = meant(&["c1", "a1", "d1"]);
        assert_eq!(lit(&three), ["b1"]);
        assert_eq!(three.choices[0].text, "c1+a1+d1");
        assert_eq!(three.touches.len(), 3);
        assert_eq!(meant(&["c1", "g7", "a1"]), meant(&["c1", "a1"]));
        // Whoever takes up a card instead begins anew, and so do their pieces.
        assert_eq!(meant(&["a1", "h8", "b1"]), meant(&["b1"]));
        assert_eq!(meant(&["a1", "h8"]).sentence.as_deref(), Some("card"));
    }

    #[test]
    fn several_things_of_one_word_are_touched_one_by_one() {
        let set = |spots: &[&str]| Way {
            words: vec![
                Word::new("Who?", spots.join("+")).touching(spots.iter().map(|&spot| spot.to_owned())),
            ],
            sentence: spots.join(" "),
        };
        let all = [set(&["a1", "b1"]), set(&["a1"]), set(&["b1"])];
        let one = meant(&all, &["b1"]);
        assert_eq!(lit(&one), ["a1"]);
        assert_eq!(one.spots[0].sentence.as_deref(), Some("a1 b1"));
        assert_eq!(one.choices.len(), 1, "or b1 alone");
        // Who goes against whom is told by the order of the touches.
        let pairs = [set(&["a1", "x1", "b1", "y1"]), set(&["a1", "y1", "b1", "x1"])];
        let told = |touches: &[&str]| meant(&pairs, touches).sentence.unwrap();
        assert_eq!(told(&["a1", "y1", "b1", "x1"]), "a1 y1 b1 x1");
        assert_eq!(told(&["b1", "y1", "a1", "x1"]), "a1 x1 b1 y1");
    }
}
