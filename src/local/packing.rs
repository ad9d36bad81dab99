//! Messages as bytes: JSON, packed one by one.
//!
//! A value is one byte that tells the format, then what the format says:
//! ```text
//! {    it is the first byte of plain JSON, as earlier versions wrote it
//! 1    JSON, deflated with the words of FIRST_WORDS known beforehand
//! ```
//! A message alone is too short to be packed well: most of it is said in every message, but only once in each. So what all
//! messages have in common is known to both sides, which makes them a third of what they were.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::matches::deflate::Packing;
use crate::matches::port::Fault;
use crate::matches::repository::{decode, encode};

/// The format that is written now.
const DEFLATED: u8 = 1;

/// What the first byte of an unpacked message is.
const PLAIN: u8 = b'{';

/// What messages have in common; what is most frequent stands last. What was packed with these words needs exactly these
/// to be read: better ones make a new format.
const FIRST_WORDS: &[u8] = br##""file":{"name":"","content":""}"opening":"preview":"hand"}},"theme":"dark","alt":"{"shelf":{"game":"","piece":{"say":"{"code":"{"block":"{"bold":"","menu":[{"label":"Accept","command":"accept #Decline","command":"decline #Join","command":"join #Rematch","command":"rematch #Record","command":"record #","style":"danger"}],"place":{"guest":"discord:matrix:local:"},"author":"local:","message":{"text":[{"plain":""}],"picture":null,"buttons":[],"menu":[],"file":null,"ping":[]}}{"number":1,"at":17,"place":{"room":"local:parlor"},"author":null,"message":{"text":[{"person":"local:"},{"plain":": your hand, against "},{"person":"local:"},{"plain":"."},"break",{"person":"local:"},{"plain":" is to move"},{"plain":", until "},{"when":17},{"plain":"."}],"picture":{"of":{"match":{"code":"","entries":1,"viewer":null,"what":"board"}},"side":1,"theme":"light","alt":" (player 1): . (player 2): . to move."},"buttons":[{"label":"Move","command":"moves #","style":"primary"},{"label":"My side","command":"board #","style":"plain"},{"label":"As text","command":"text #","style":"plain"},{"label":"My hand","command":"hand #","style":"plain"}],"menu":[],"file":null,"ping":["local:"##;

const PACKING: Packing = Packing::Knowing(FIRST_WORDS);

pub fn pack(row: &impl Serialize) -> Result<Vec<u8>, Fault> {
    let mut packed = vec![DEFLATED];
    PACKING.pack(&encode(row)?, &mut packed)?;
    Ok(packed)
}

pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    match bytes.split_first() {
        Some((&PLAIN, _)) => decode(bytes),
        Some((&DEFLATED, packed)) => decode(&PACKING.unpack(packed)?),
        _ => Err(Fault::new("unpacking a message", "its format is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::message::{Button, Message};
    use crate::local::feed::{FeedEntry, FeedPlace};
    use crate::matches::people::{PlayerId, RoomId};
    use crate::matches::time::Time;

    fn entry(text: &str) -> FeedEntry {
        let buttons = vec![Button::primary("Move", "moves #K7QF@15")];
        FeedEntry {
            number: 7,
            at: Time(1_794_975_856_432),
            place: FeedPlace::Room(RoomId::new("local", "parlor")),
            author: Some(PlayerId::new("local", "ann")),
            message: Message::text(text).with_buttons(buttons),
            revised: None,
            cursor: 0,
        }
    }

    #[test]
    fn a_message_comes_back_as_it_was() {
        let entry = entry("Good evening, and what a game.");
        assert_eq!(unpack::<FeedEntry>(&pack(&entry).unwrap()).unwrap(), entry);
        assert!(unpack::<FeedEntry>(&[9, 9]).is_err() && unpack::<FeedEntry>(&[]).is_err());
    }

    #[test]
    fn a_usual_message_takes_a_third_of_its_json() {
        let entry = entry("Ann is to move.");
        let (packed, json) = (pack(&entry).unwrap(), encode(&entry).unwrap());
        assert!(
            packed.len() * 3 <= json.len(),
            "{} of {} bytes",
            packed.len(),
            json.len()
        );
    }

    #[test]
    fn what_earlier_versions_wrote_is_read() {
        let entry = entry("Good evening.");
        assert_eq!(unpack::<FeedEntry>(&encode(&entry).unwrap()).unwrap(), entry);
    }

    /// The words are part of the format: with others, what was packed could not be read.
    #[test]
    fn the_first_words_stay_as_they_are() {
        assert_eq!(
            (FIRST_WORDS.len(), crc32fast::hash(FIRST_WORDS)),
            (1170, 0x60f6fbf3)
        );
    }
}
