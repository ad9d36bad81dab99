pub mod breaker;
pub mod phwar;
