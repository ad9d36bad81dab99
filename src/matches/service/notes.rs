//! Notes that players write down beside their matches.

use super::{Caller, Service, Wakes};
use crate::game::{Seat, SeatSet};
use crate::matches::change::{running, seat_of};
use crate::matches::code::Code;
use crate::matches::loaded::Loaded;
use crate::matches::notes::{Note, Notes, NotesOf, RecordedNote};
use crate::matches::people::PlayerId;
use crate::matches::port::{Batch, Fault};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::repository;
use crate::matches::state::{LogEntry, Logged, Play, Stage};

impl Service {
    /// The notes of a player on a match: for that player alone, as long as it runs.
    pub fn notes(&self, player: &PlayerId, code: &Code) -> Result<Notes, Fault> {
        self.repository().notes(NotesOf { player, code })
    }

    /// Writes a note down on the position of a running match; returns all that its writer has on the match.
    pub async fn take_note(&self, caller: &Caller, the_match: &Loaded, text: &str) -> Result<Notes, Failure> {
        let play = running(the_match)?;
        seat_of(the_match, play, &caller.player, SeatSet::EMPTY)?;
        let held = vec![self.players.lock(caller.player.as_str()).await];
        self.check_fresh(caller)?;
        let own = NotesOf {
            player: &caller.player,
            code: &the_match.code,
        };
        let mut notes = self.repository().notes(own)?;
        let note = Note {
            step: play.steps,
            at: self.now(),
            text: text.to_owned(),
        };
        notes.add(note).map_err(Refusal::Note)?;
        let mut batch = Batch::new();
        repository::put_notes(&mut batch, own, &notes)?;
        if let Some(event) = &caller.event {
            repository::put_handled(&mut batch, &caller.player, event, self.now());
        }
        self.commit(held, batch, Wakes::default()).await?;
        Ok(notes)
    }

    /// What all players have noted on a match, by step; nothing before it is over.
    pub fn opened_notes(&self, the_match: &Loaded) -> Result<Vec<RecordedNote>, Fault> {
        let Stage::Over(play, _) = &the_match.stage else {
            return Ok(Vec::new());
        };
        let log = self.log_of(the_match)?;
        let mut opened = Vec::new();
        for (player, seat) in everybody(play, &log) {
            let notes = self.notes(player, &the_match.code)?;
            opened.extend(notes.iter().map(|note| RecordedNote {
                seat,
                step: note.standing_step(&log),
                text: note.text.clone(),
            }));
        }
        opened.sort_by_key(|note| (note.step, note.seat));
        Ok(opened)
    }

    /// Whether somebody has a seat in a match, or had one until a bot took it over.
    pub fn has_played(&self, the_match: &Loaded, player: &PlayerId) -> Result<bool, Fault> {
        let Some(play) = the_match.play() else {
            return Ok(false);
        };
        let log = self.log_of(the_match)?;
        Ok(everybody(play, &log).iter().any(|(one, _)| *one == player))
    }
}

/// Everybody who plays in a match, and who did until a bot took over, each once: whoever sat in several seats has written
/// once.
fn everybody<'a>(play: &'a Play, log: &'a [LogEntry]) -> Vec<(&'a PlayerId, Seat)> {
    let seats = Seat::all(play.players.len() as u8);
    let sitting = play.players.iter().zip(seats);
    let replaced = log.iter().filter_map(|entry| match &entry.what {
        Logged::Replaced { seat, was, .. } => Some((was, *seat)),
        Logged::Did { .. } | Logged::TookBack { .. } => None,
    });
    let mut everybody: Vec<(&PlayerId, Seat)> = Vec::new();
    for (player, seat) in sitting.chain(replaced) {
        if everybody.iter().all(|(known, _)| *known != player) {
            everybody.push((player, seat));
        }
    }
    everybody
}
