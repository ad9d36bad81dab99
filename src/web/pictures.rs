//! Pictures, drawn when somebody looks at them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::places::{WorkFor, WorkPlaces};
use super::problem::Problem;
use crate::chat::message::Picture;
use crate::chat::parlor::Parlor;
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::matches::repository::encode;
use crate::text::hex;
use axum::body::Bytes;
use sha2::{Digest, Sha256};

/// How many drawn pictures are kept, and how many bytes of them: a board has some 30 kB, a film up to 8 MB.
const MOST_KEPT: usize = 128;
const MOST_BYTES: usize = 16 << 20;

/// The last pictures that were drawn.
#[derive(Debug, Default)]
pub struct Pictures {
    kept: Arc<Mutex<Kept>>,
    /// For boards. Films take turns of their own ([`Parlor::film_turn`]).
    drawing: WorkPlaces,
}

/// Drawn pictures by their tags, the least recently used first.
#[derive(Debug, Default)]
struct Kept {
    pictures: VecDeque<(String, Bytes)>,
    bytes: usize,
}

impl Kept {
    /// A picture that was used just now.
    fn find(&mut self, tag: &str) -> Option<Bytes> {
        let index = self.pictures.iter().position(|(known, _)| known == tag)?;
        let found = self.pictures.remove(index)?;
        let file = found.1.clone();
        self.pictures.push_back(found);
        Some(file)
    }

    /// Keeps one more, and lets go of others where they are too many or too large.
    fn add(&mut self, tag: &str, file: Bytes) {
        if file.len() > MOST_BYTES {
            return;
        }
        self.bytes += file.len();
        self.pictures.push_back((tag.to_owned(), file));
        while (self.bytes > MOST_BYTES || self.pictures.len() > MOST_KEPT)
            && let Some((_, gone)) = self.pictures.pop_front()
        {
            self.bytes -= gone.len();
        }
    }
}

impl Pictures {
    /// What stands for the picture in quotes: the same for the same picture, drawn by the same version.
    pub fn tag(picture: &Picture) -> Result<String, Fault> {
        let mut digest = Sha256::new();
        digest.update(env!("CARGO_PKG_VERSION"));
        digest.update(encode(picture)?);
        Ok(format!("\"{}\"", hex(&digest.finalize()[..16])))
    }

    /// The file of the picture. What is being drawn is drawn to its end and kept, even if nobody waits for it any more: whoever
    /// loads a page anew asks for the same picture again.
    pub async fn draw(
        &self,
        parlor: &Arc<Parlor>,
        who: WorkFor,
        tag: &str,
        picture: Picture,
    ) -> Result<Bytes, Problem> {
        if let Some(file) = self.kept(tag) {
            return Ok(file);
        }
        let (film, place) = if picture.is_film() {
            (Some(parlor.film_turn().await.ok_or(Problem::Broken)?), None)
        } else {
            (None, Some(self.drawing.take(who).await?))
        };
        // Somebody else may have asked for the same one in the meantime.
        if let Some(file) = self.kept(tag) {
            return Ok(file);
        }
        let (parlor, kept, tag) = (Arc::clone(parlor), Arc::clone(&self.kept), tag.to_owned());
        let draw = move || {
            let _place = (film, place);
            let file = Bytes::from(parlor.draw_for_browsers(&picture)?.file);
            lock(&kept).add(&tag, file.clone());
            Ok(file)
        };
        let drawn = tokio::task::spawn_blocking(draw)
            .await
            .map_err(|error| Fault::new("drawing a picture", error))?;
        match drawn {
            Ok(file) => Ok(file),
            Err(Failure::Refused(_)) => Err(Problem::NoSuchPicture),
            Err(Failure::Broken(fault)) => Err(fault.into()),
        }
    }

    /// The file, if it is kept.
    pub fn kept(&self, tag: &str) -> Option<Bytes> {
        lock(&self.kept).find(tag)
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(kept: &Kept) -> Vec<&str> {
        kept.pictures.iter().map(|(tag, _)| tag.as_str()).collect()
    }

    #[test]
    fn what_was_not_used_for_long_makes_room_for_films() {
        let mut kept = Kept::default();
        let third = Bytes::from(vec![0; MOST_BYTES / 3]);
        kept.add("board", Bytes::from(vec![0; 1000]));
        kept.add("first", third.clone());
        kept.add("second", third.clone());
        assert!(kept.find("board").is_some());
        kept.add("third", third.clone());
        assert_eq!(tags(&kept), ["second", "board", "third"]);
        assert_eq!(kept.bytes, 2 * (MOST_BYTES / 3) + 1000);
        // One that is larger than all may be is not kept, and costs no other its place.
        kept.add("huge", Bytes::from(vec![0; MOST_BYTES + 1]));
        assert_eq!(tags(&kept), ["second", "board", "third"]);
    }

    #[test]
    fn small_pictures_are_kept_by_number() {
        let mut kept = Kept::default();
        for number in 0..2 * MOST_KEPT {
            kept.add(&number.to_string(), Bytes::from_static(b"png"));
        }
        assert_eq!(kept.pictures.len(), MOST_KEPT);
        assert_eq!(kept.bytes, 3 * MOST_KEPT);
        assert!(kept.find("0").is_none() && kept.find(&MOST_KEPT.to_string()).is_some());
    }
}
