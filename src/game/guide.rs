//! Guided entry: what to play, picked word by word.
//!
//! A game spells what can be played as ways of words ([`Game::ways`]). From the ways alone follows what can be picked
//! next, on every platform, after any beginning; no game writes a wizard. A question with one answer is never asked, and
//! where few ways are left they are offered whole.

use super::{Game, Seat};

/// One word on the way to something that can be played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// What is typed: `F2`.
    pub text: String,
    /// What a button or menu shows: `F2 electron`. Labels in a row read as a sentence.
    pub label: String,
    /// What it does or means, in one line; empty if there is nothing to say.
    pub help: String,
    /// The question that this word answers: "Which particle?"
    pub asks: &'static str,
    /// What is touched on a picture to pick it, where that is not called like the word itself; see [`Word::spots`].
    pub touches: Option<Vec<String>>,
}

impl Word {
    pub fn new(asks: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            label: text.clone(),
            text,
            help: String::new(),
            asks,
            touches: None,
        }
    }

    /// The spots of a picture that it stands for, by their words: all of them have to be touched to pick it. Usually that
    /// is the word itself, whether there is such a spot or not.
    pub fn spots(&self) -> impl Iterator<Item = &str> {
        let own = self.touches.is_none().then_some(self.text.as_str());
        own.into_iter()
            .chain(self.touches.iter().flatten().map(String::as_str))
    }

    /// The same word, picked by touching these spots; by none, if it is no place.
    #[must_use]
    pub fn touching(mut self, spots: impl IntoIterator<Item = String>) -> Self {
        self.touches = Some(spots.into_iter().collect());
        self
    }

    /// Another word becomes part of this one: what it stands for has to be touched, too.
    pub fn touch_too(&mut self, other: &Self) {
        let all = self.spots().chain(other.spots()).map(str::to_owned);
        self.touches = Some(all.collect());
    }

    /// The label with its line of help: "5 Gladiator (1/3, yours)".
    pub fn in_full(&self) -> String {
        if self.help.is_empty() {
            return self.label.clone();
        }
        format!("{} ({})", self.label, self.help)
    }

    pub fn labelled(asks: &'static str, text: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            ..Self::new(asks, text)
        }
    }

    /// The same, where labels in a row need a word between them: "7 Gladiator with 9 Scout".
    #[must_use]
    pub fn after(mut self, between: &str) -> Self {
        self.label = format!("{between} {}", self.label);
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// Picked words as they are told. A column before the cell in it, `R e e6`, is only a step: it is left out.
pub fn told<T: AsRef<str>>(picked: &[T]) -> String {
    let words: Vec<&str> = picked.iter().map(AsRef::as_ref).collect();
    let nexts = words.iter().skip(1).map(Some).chain([None]);
    let kept = words.iter().zip(nexts);
    let kept = kept.filter(|(word, next)| !next.is_some_and(|next| is_column_of(word, next)));
    kept.map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
}

/// One way to something that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub words: Vec<Word>,
    /// What is played: an action in canonical notation, or several in one sentence.
    pub sentence: String,
}

/// What can follow a beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// The question or questions that the next word answers.
    pub ask: String,
    /// The words behind the beginning that were taken because nothing else could be.
    pub taken: Vec<Word>,
    pub choices: Vec<Choice>,
    /// How many words had been picked each time there was something to choose, first to last.
    pub chosen_at: Vec<usize>,
}

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word that is picked, or all that are left.
    pub text: String,
    pub label: String,
    pub help: String,
    pub leads: Leads,
}

/// Where a choice leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// More must be picked; so many ways are still open.
    On { open: usize },
    /// This can be played.
    To { sentence: String },
}

/// So many ways are offered whole, in one menu: the most that Discord shows in one.
pub const AT_ONCE: usize = 25;

/// The choices after the words picked so far, in the order in which the game names them. Empty if nothing that can be
/// played begins that way.
pub fn guide<G: Game>(game: &G, seat: Seat, picked: &[&str]) -> Guide {
    let mut guide = Guide::default();
    let mut open = game.ways(seat);
    for (place, pick) in picked.iter().enumerate() {
        if only_word(&open, place).is_none() {
            guide.chosen_at.push(place);
        }
        open.retain(|way| {
            let fits = |word: &Word| word.text.eq_ignore_ascii_case(pick);
            way.words.get(place).is_some_and(fits) && way.words.len() > place + 1
        });
    }
    let mut place = picked.len();
    while let Some(word) = only_word(&open, place) {
        guide.taken.push(word.clone());
        place += 1;
    }
    let whole = open.len() <= AT_ONCE;
    let mut asks: Vec<&str> = Vec::new();
    for way in &open {
        let Some((word, _)) = way.words.get(place..).and_then(<[Word]>::split_first) else {
            continue;
        };
        if !asks.contains(&word.asks) {
            asks.push(word.asks);
        }
        let alike = |other: &&Way| {
            other
                .words
                .get(place)
                .is_some_and(|other| other.text == word.text)
        };
        if whole || open.iter().filter(alike).count() == 1 {
            guide.choices.push(rest(way, place));
            continue;
        }
        let known = guide.choices.iter_mut().find(|choice| choice.text == word.text);
        match known.map(|choice| &mut choice.leads) {
            Some(Leads::On { open }) => *open += 1,
            Some(Leads::To { .. }) => {}
            None => guide.choices.push(Choice {
                text: word.text.clone(),
                label: word.label.clone(),
                help: word.help.clone(),
                leads: Leads::On { open: 1 },
            }),
        }
    }
    guide.ask = asks.join(" ").trim().to_owned();
    guide
}

/// The word that several ways go on with, if it is the same for all and none of them ends there.
fn only_word(open: &[Way], place: usize) -> Option<&Word> {
    let first = open.first()?.words.get(place)?;
    let goes_on = |way: &Way| {
        let word = way.words.get(place);
        word.is_some_and(|word| word.text == first.text) && way.words.len() > place + 1
    };
    (open.len() > 1 && open.iter().all(goes_on)).then_some(first)
}

/// All that is left of a way, as one choice.
pub(super) fn rest(way: &Way, place: usize) -> Choice {
    let words = way.words.get(place..).unwrap_or_default();
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    // The column of a cell goes without saying, and so does what a verb is for where its object is named.
    let nexts = texts.iter().skip(1).map(Some).chain([None]);
    let labels = words.iter().zip(nexts);
    let labels = labels.filter(|(word, next)| !next.is_some_and(|next| is_column_of(&word.text, next)));
    let labels: Vec<&str> = labels.map(|(word, _)| word.label.as_str()).collect();
    let helps = words.iter().skip(usize::from(place == 0 && words.len() > 1));
    let helps: Vec<&str> = helps
        .map(|word| word.help.trim_end_matches('.'))
        .filter(|help| !help.is_empty())
        .collect();
    Choice {
        text: texts.join(" "),
        label: labels.join(" "),
        help: helps.join("; "),
        leads: Leads::To {
            sentence: way.sentence.clone(),
        },
    }
}

/// Whether a word is the beginning of the name that follows it: `e` of `e5`. The numbers of two things are no such pair.
pub(super) fn is_column_of(word: &str, next: &str) -> bool {
    let rest = next.strip_prefix(word).unwrap_or_default();
    !rest.is_empty() && !word.chars().all(|letter| letter.is_ascii_digit())
}

/// The ways that begin with the words picked so far and go on.
pub fn ways_from<G: Game>(game: &G, seat: Seat, picked: &[&str]) -> Vec<Way> {
    let mut ways = game.ways(seat);
    ways.retain(|way| {
        let mut pairs = way.words.iter().zip(picked);
        way.words.len() > picked.len() && pairs.all(|(word, pick)| word.text.eq_ignore_ascii_case(pick))
    });
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_only_a_step_to_its_cell() {
        assert_eq!(told(&["R", "e", "e6"]), "R e6");
        assert_eq!(told(&["R", "e"]), "R e");
        assert_eq!(told(&["with", "1", "12"]), "with 1 12");
        assert_eq!(told::<&str>(&[]), "");
    }

    fn label(words: &[(&str, &str)]) -> String {
        let word = |(text, label): &(&str, &str)| Word::labelled("", *text, *label);
        let way = Way {
            words: words.iter().map(word).collect(),
            sentence: String::new(),
        };
        rest(&way, 0).label
    }

    #[test]
    fn a_column_goes_without_saying_and_a_number_never_does() {
        let cell = [("A", "Anchor"), ("e", "column e"), ("e5", "e5")];
        assert_eq!(label(&cell), "Anchor e5");
        for paid in ["1", "12"] {
            let paid_label = format!("paying {paid} Scout");
            let order = [("order", "order"), ("1", "1 Howling Host"), (paid, &paid_label)];
            assert_eq!(label(&order), format!("order 1 Howling Host {paid_label}"));
        }
    }
}
