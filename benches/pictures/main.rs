//! How long pictures take. A part alone: `cargo bench --bench pictures -- phase_picture`.

#[path = "../parts.rs"]
mod parts;
#[path = "../wanted.rs"]
mod wanted;

mod film;
mod measure;
mod naive;
mod phase_picture;
mod picture;
mod spots;

fn main() {
    parts::run(&[
        ("picture", picture::run),
        ("phase_picture", phase_picture::run),
        ("spots", spots::run),
        ("film", film::run),
    ]);
}
