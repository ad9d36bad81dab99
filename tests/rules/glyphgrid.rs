//! GlyphGrid: its rules by example, its notation, its saves, and its slow twin.

mod drawn;
mod insight;
mod notation;
mod rules;
mod saves;
mod shown;
mod slow;
mod twin;
