//! Matches that began when every skirmish was picked and every pass was for one go on so.
//!
//! The records in `tests/data/records` were played by the program as it was then.

use parlor::games::phase::Rules;
use parlor::matches::record::{Deed, Record};

fn old_records() -> [Record; 2] {
    [
        include_str!("../../data/records/phase-rules-2-two.json"),
        include_str!("../../data/records/phase-rules-2-four.json"),
    ]
    .map(|text| Record::from_json(text).expect("it is a record"))
}

#[test]
fn an_old_match_is_replayed_as_it_was_asked() {
    for record in old_records() {
        assert_eq!(record.rules_version, Rules::Second.number());
        let picked = record.actions.iter().any(|step| match &step.deed {
            Deed::Action(action) => action.starts_with("skirmish"),
            Deed::Leaves(_) | Deed::Lapses(_) => false,
        });
        assert!(picked, "nothing is put to the test");
        let table = record.verify().expect("it ends as it did");
        assert!(table.outcome().is_some());
        let now = Record {
            rules_version: Rules::NEWEST.number(),
            ..record
        };
        assert!(now.verify().is_err(), "nobody picks the only order there is");
    }
}
