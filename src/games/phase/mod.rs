//! Phase, by Bryan Reese, Jeremy Holcomb and Brent Keith (AEG, 2016): two-sided warriors fight over the Nexus.

pub mod card;
