//! A face as it is shown and told: by its name, never by the card that it is one side of.

use std::ops::Deref;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::card::{CardSet, Edition, Face, card_set};

/// A face that somebody sees.
#[derive(Clone, Copy, Debug)]
pub struct Shown(pub &'static Face);

impl Deref for Shown {
    type Target = Face;

    fn deref(&self) -> &Face {
        self.0
    }
}

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for Shown {}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.name)
    }
}

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        // What is told of a face is its name, so whichever edition has it will do.
        let mut faces = Edition::ALL
            .into_iter()
            .flat_map(|edition| edition.cards().faces());
        faces
            .find(|face| face.name == name)
            .map(Self)
            .ok_or_else(|| D::Error::custom("no face is called so"))
    }
}

/// The cards that are played with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cards(pub &'static CardSet);

impl Default for Cards {
    fn default() -> Self {
        Self(card_set())
    }
}

impl Deref for Cards {
    type Target = CardSet;

    #[inline]
    fn deref(&self) -> &CardSet {
        self.0
    }
}
