//! What helps to play GlyphGrid well.

use super::GlyphGrid;
use crate::game::Insight;

impl Insight for GlyphGrid {}
