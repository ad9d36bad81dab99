pub mod phwar;
