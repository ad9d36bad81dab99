//! Pictures, drawn when somebody looks at them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::problem::Problem;
use crate::chat::message::Picture;
use crate::chat::parlor::Parlor;
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::matches::repository::encode;
use crate::text::hex;

/// How many drawn pictures are kept; a board has some 30 kB.
const KEPT: usize = 128;

/// How many are drawn at once.
const AT_ONCE: usize = 2;

/// The last pictures that were drawn.
#[derive(Debug)]
pub struct Pictures {
    /// The least recently used first.
    kept: Mutex<VecDeque<(String, Bytes)>>,
    drawing: Semaphore,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            kept: Mutex::default(),
            drawing: Semaphore::new(AT_ONCE),
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

    /// The file of the picture.
    pub async fn draw(&self, parlor: &Arc<Parlor>, tag: &str, picture: Picture) -> Result<Bytes, Problem> {
        if let Some(png) = self.kept(tag) {
            return Ok(png);
        }
        let _turn = self.drawing.acquire().await.map_err(|_| Problem::Broken)?;
        // Somebody else may have asked for the same one in the meantime.
        if let Some(png) = self.kept(tag) {
            return Ok(png);
        }
        let parlor = Arc::clone(parlor);
        let drawn = tokio::task::spawn_blocking(move || parlor.draw(&picture))
            .await
            .map_err(|error| Fault::new("drawing a picture", error))?;
        let png = match drawn {
            Ok(drawn) => Bytes::from(drawn.file),
            Err(Failure::Refused(_)) => return Err(Problem::NoSuchPicture),
            Err(Failure::Broken(fault)) => return Err(fault.into()),
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((tag.to_owned(), png.clone()));
        Ok(png)
    }

    fn kept(&self, tag: &str) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|(known, _)| known == tag)?;
        let found = kept.remove(index)?;
        let png = found.1.clone();
        kept.push_back(found);
        Some(png)
    }
}
