//! What somebody wants to see of what has been played: turns again, a review, a record.

use std::fmt;
use std::str::FromStr;

use crate::draw::Theme;
use crate::text::names;

/// Which turns of a match somebody wants to see again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplayPart {
    #[default]
    All,
    /// From one turn to another, both included.
    Turns { first: u32, last: u32 },
    /// So many at the end.
    Last(u32),
    /// One alone, from which one goes on step by step; 0 is the opening.
    Step(u32),
    /// All of them in words.
    Story,
}

/// How a record is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordForm {
    #[default]
    Json,
    /// In short notation.
    Text,
}

names! { RecordForm { Json = "json", Text = "text" } }

/// Which turns of a match somebody wants to see again, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayWish {
    pub part: ReplayPart,
    /// From whose side, counted from 1; otherwise as they like it.
    pub side: Option<u8>,
    pub theme: Option<Theme>,
}

impl FromStr for ReplayWish {
    type Err = NoTurns;

    /// `12-20`, `last 5 dark`, `side 2 step 12 safe`, or nothing.
    fn from_str(text: &str) -> Result<Self, NoTurns> {
        let mut wish = Self::default();
        let mut turns: Vec<&str> = Vec::new();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if let Some(theme) = Theme::named(word) {
                wish.theme = Some(theme);
            } else if ["side", "seat"]
                .iter()
                .any(|side| side.eq_ignore_ascii_case(word))
            {
                let number = words.next().and_then(|number| number.parse().ok());
                wish.side = Some(number.ok_or(NoTurns)?);
            } else {
                turns.push(word);
            }
        }
        wish.part = turns.join(" ").parse()?;
        Ok(wish)
    }
}

impl fmt::Display for ReplayWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = self.part.to_string();
        let side = self.side.map(|side| format!("side {side}"));
        let theme = self.theme.map(|theme| theme.name().to_owned());
        let words = [Some(part).filter(|part| !part.is_empty()), side, theme];
        let words: Vec<String> = words.into_iter().flatten().collect();
        f.write_str(&words.join(" "))
    }
}

/// What somebody wants to see of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewPart {
    #[default]
    Whole,
    /// One of the largest swings, with its position; 1 is the largest.
    Swing(u32),
    /// Every move with its numbers.
    Numbers,
}

/// The text names nothing of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoReviewPart;

impl FromStr for ReviewPart {
    type Err = NoReviewPart;

    /// `2`, `swing 2`, `numbers`, or nothing.
    fn from_str(text: &str) -> Result<Self, NoReviewPart> {
        let text = text.to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [] | ["all" | "whole"] => Ok(Self::Whole),
            ["numbers" | "text" | "words"] => Ok(Self::Numbers),
            [number] | ["swing", number] => number.parse().map(Self::Swing).map_err(|_| NoReviewPart),
            _ => Err(NoReviewPart),
        }
    }
}

impl fmt::Display for ReviewPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Swing(number) => write!(f, "{number}"),
            Self::Numbers => f.write_str("numbers"),
        }
    }
}

/// The text names no turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTurns;

impl FromStr for ReplayPart {
    type Err = NoTurns;

    /// `12-20`, `12 to 20`, `12`, `last 5`, `step 12`, `text`, `all`, or nothing.
    fn from_str(text: &str) -> Result<Self, NoTurns> {
        let text = text
            .to_lowercase()
            .replace(['-', '–', '—', '…'], " ")
            .replace("..", " ");
        let fillers = ["to", "from", "turn", "turns", "move", "moves", "the"];
        let words: Vec<&str> = text
            .split_whitespace()
            .filter(|word| !fillers.contains(word))
            .collect();
        let number = |word: &str| word.parse::<u32>().map_err(|_| NoTurns);
        Ok(match words[..] {
            [] | ["all"] => Self::All,
            ["text" | "story" | "words"] => Self::Story,
            ["last"] => Self::Last(1),
            ["last", count] => Self::Last(number(count)?),
            ["step", turn] => Self::Step(number(turn)?),
            [turn] => Self::Turns {
                first: number(turn)?,
                last: number(turn)?,
            },
            [first, last] => Self::Turns {
                first: number(first)?,
                last: number(last)?,
            },
            _ => return Err(NoTurns),
        })
    }
}

impl fmt::Display for ReplayPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Turns { first, last } => write!(f, "{first}-{last}"),
            Self::Last(count) => write!(f, "last {count}"),
            Self::Step(turn) => write!(f, "step {turn}"),
            Self::Story => f.write_str("text"),
        }
    }
}
