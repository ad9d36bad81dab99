//! The words on a card, for everything that a card can do.
