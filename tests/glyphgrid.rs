//! GlyphGrid: its rules by example, its notation, its saves, and its slow twin.

#[path = "glyphgrid/drawn.rs"]
mod drawn;
#[path = "glyphgrid/notation.rs"]
mod notation;
#[path = "glyphgrid/rules.rs"]
mod rules;
#[path = "glyphgrid/saves.rs"]
mod saves;
#[path = "glyphgrid/shown.rs"]
mod shown;
#[path = "glyphgrid/slow.rs"]
mod slow;
#[path = "glyphgrid/twin.rs"]
mod twin;
