//! What may be taken away of a match: its whole record once it is over, before that what the asker may see.

use super::change::{begun, entry_of, options_of, seed_of};
use super::loaded::Loaded;
use super::people::PlayerId;
use super::port::Fault;
use super::record::{Record, RecordedStep};
use super::refusal::Failure;
use super::service::Service;
use super::state::{Match, Stage, steps_of};
use crate::game::{Information, Viewer};

/// What somebody may take away of a match.
#[derive(Clone, Debug)]
pub struct Export {
    pub json: String,
    /// The same in short notation, if it is the whole record.
    pub notation: Option<String>,
    /// Whether it is the whole record, seed and all.
    pub whole: bool,
    /// Whether it has notes, which are for those who played.
    pub noted: bool,
}

impl Service {
    /// The record of a match: whole once it is over; before that only what the asker may see.
    pub fn export(&self, the_match: &Loaded, asker: &PlayerId) -> Result<Export, Failure> {
        let play = begun(the_match)?;
        let whole = matches!(the_match.stage, Stage::Over(..));
        if whole {
            let mut record = self.record(the_match)?;
            // What players have noted is for those who played.
            if self.has_played(the_match, asker)? {
                record.notes = self.opened_notes(the_match)?;
            }
            let json = record
                .to_json()
                .map_err(|error| Fault::new("writing a record", error))?;
            return Ok(Export {
                json,
                notation: Some(record.to_notation()),
                whole,
                noted: !record.notes.is_empty(),
            });
        }
        let table = the_match.table()?;
        let seat = play.seats_of(asker).iter().next();
        let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
        let mut shown = serde_json::json!({
            "game": the_match.game,
            "options": the_match.options,
            "seats": play.players.len(),
            "seen_by": viewer.to_string(),
            "commitment": seed_of(play)?.commitment(),
            "view": table.view(viewer),
        });
        // Where nothing is hidden the moves are no secret either.
        if table.meta().information == Information::Perfect {
            let steps = steps_of(&self.log_of(the_match)?);
            let actions: Vec<RecordedStep> = steps
                .into_iter()
                .map(|(seat, deed)| RecordedStep { seat, deed })
                .collect();
            shown["actions"] = serde_json::json!(actions);
        }
        let json =
            serde_json::to_string_pretty(&shown).map_err(|error| Fault::new("writing an export", error))?;
        Ok(Export {
            json,
            notation: None,
            whole,
            noted: false,
        })
    }

    /// Everything about a match, its seed too. For finished matches and for the operator.
    pub fn record(&self, the_match: &Match) -> Result<Record, Failure> {
        self.record_at(the_match, begun(the_match)?.entries)
    }

    /// The same up to an entry of the log.
    pub fn record_at(&self, the_match: &Match, entries: u32) -> Result<Record, Failure> {
        let play = begun(the_match)?;
        let entry = entry_of(&the_match.game)?;
        let options = options_of(the_match)?;
        let mut record = Record::start(entry, &options, play.players.len() as u8, &seed_of(play)?);
        record.rules_version = play.rules_version;
        for player in &play.players {
            record.players.push(self.person(player)?.name);
        }
        let steps = steps_of(&self.repository().log(&the_match.code, entries)?);
        record.actions = steps
            .into_iter()
            .map(|(seat, deed)| RecordedStep { seat, deed })
            .collect();
        if let Stage::Over(_, ending) = &the_match.stage {
            record.outcome.clone_from(&ending.outcome);
        }
        Ok(record)
    }
}
