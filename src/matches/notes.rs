//! What players write down beside a match: for themselves while it runs, for all of its players when it is over.
//!
//! Notes are no part of the log: nobody else's view of a running match, and no export of it, changes by one.

use serde::{Deserialize, Serialize};

use super::code::Code;
use super::people::PlayerId;
use super::state::{LogEntry, Logged};
use super::time::Time;
use crate::game::Seat;

/// The most notes that one player keeps of one match.
pub const MOST_NOTES: usize = 100;

/// The longest note, in letters.
pub const LONGEST_NOTE: usize = 500;

/// Something that a player has written down.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The steps that led to the position.
    pub step: u32,
    pub at: Time,
    pub text: String,
}

/// Without what it says: that is its writer's secret.
impl std::fmt::Debug for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Note")
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

impl Note {
    /// The step of the last position before it that was not undone since.
    pub fn standing_step(&self, log: &[LogEntry]) -> u32 {
        let undone = log.iter().filter_map(|entry| match entry.what {
            Logged::TookBack { steps } if entry.at >= self.at => Some(steps),
            Logged::TookBack { .. } | Logged::Did { .. } | Logged::Replaced { .. } => None,
        });
        undone.fold(self.step, u32::min)
    }
}

/// The notes of one player on one match, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes(Vec<Note>);

impl Notes {
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes one more.
    pub fn add(&mut self, note: Note) -> Result<(), NoteRefusal> {
        if note.text.chars().count() > LONGEST_NOTE {
            return Err(NoteRefusal::TooLong);
        }
        if self.0.len() >= MOST_NOTES {
            return Err(NoteRefusal::TooMany);
        }
        self.0.push(note);
        Ok(())
    }
}

/// Why a note was not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteRefusal {
    TooLong,
    TooMany,
}

/// A note as everybody may read it who played the match, once it is over.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedNote {
    pub seat: Seat,
    pub step: u32,
    pub text: String,
}

/// Without what it says.
impl std::fmt::Debug for RecordedNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordedNote")
            .field("seat", &self.seat)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

/// Whose notes are looked for, and on which match.
#[derive(Clone, Copy, Debug)]
pub struct NotesOf<'a> {
    pub player: &'a PlayerId,
    pub code: &'a Code,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str) -> Note {
        Note {
            step: 5,
            at: Time(100),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_note_on_what_was_undone_belongs_to_the_position_before() {
        let took_back = |at, steps| LogEntry {
            at: Time(at),
            what: Logged::TookBack { steps },
        };
        assert_eq!(note("x").standing_step(&[took_back(50, 1)]), 5);
        assert_eq!(
            note("x").standing_step(&[took_back(150, 4), took_back(160, 9)]),
            4
        );
    }

    #[test]
    fn notes_have_an_end() {
        let mut notes = Notes::default();
        assert_eq!(
            notes.add(note(&"ä".repeat(LONGEST_NOTE + 1))),
            Err(NoteRefusal::TooLong)
        );
        for _ in 0..MOST_NOTES {
            notes.add(note(&"ä".repeat(LONGEST_NOTE))).unwrap();
        }
        assert_eq!(notes.add(note("one more")), Err(NoteRefusal::TooMany));
    }

    /// What is in stores stays readable.
    #[test]
    fn notes_are_kept_as_they_always_were() {
        let mut notes = Notes::default();
        notes.add(note("left")).unwrap();
        let kept = r#"[{"step":5,"at":100,"text":"left"}]"#;
        assert_eq!(serde_json::to_string(&notes).unwrap(), kept);
        assert_eq!(serde_json::from_str::<Notes>(kept).unwrap(), notes);
    }
}
