pub mod glyphgrid;
pub mod phwar;
