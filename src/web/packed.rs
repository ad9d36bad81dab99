//! Answers packed with gzip, for whoever can unpack them.
//!
//! What is packed tells by its length something of what is in it. That is of no use to whoever reads along: a page is given to its
//! own viewer alone, no other site can ask for it with their cookie, and no key stands in it.

use std::io::Write;

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// That an answer is packed for some and not for others.
pub const VARIES: &str = "accept-encoding";

/// What is shorter goes into one packet as it is.
const WORTH_PACKING: usize = 1024;

/// Something written for one answer, as it is sent.
#[derive(Debug)]
pub struct Packed {
    body: Bytes,
    is_packed: bool,
}

impl Packed {
    /// Packs what was written, if whoever asks takes it so. It may take a while: call it off the async threads.
    pub fn new(written: String, headers: &HeaderMap) -> Self {
        let packed = (takes_gzip(headers) && written.len() >= WORTH_PACKING)
            .then(|| pack(written.as_bytes(), Compression::fast()))
            .flatten();
        Self {
            is_packed: packed.is_some(),
            body: packed.map_or_else(|| written.into(), Bytes::from),
        }
    }

    /// As an answer of this kind.
    pub fn answer(self, kind: &'static str) -> Response {
        let about = [(CONTENT_TYPE, kind), (VARY, VARIES)];
        let mut response = (about, self.body).into_response();
        if self.is_packed {
            let headers = response.headers_mut();
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// Whether whoever asks can unpack what is packed.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter();
    let mut accepted = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    accepted.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|weight| {
            let weight: Result<f32, _> = weight.trim().parse();
            weight.is_ok_and(|weight| weight <= 0.0)
        });
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// Something packed with gzip, if it is smaller so.
pub fn pack(content: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), level);
    packer.write_all(content).ok()?;
    packer.finish().ok().filter(|packed| packed.len() < content.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_takes_gzip_is_sent_it() {
        let takes = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            takes_gzip(&HeaderMap::from_iter([(ACCEPT_ENCODING, value)]))
        };
        assert!(takes("gzip") && takes("br, GZip;q=0.5") && takes("deflate , gzip"));
        assert!(!takes("br") && !takes("gzip;q=0") && !takes("gzip; q=0.0, br") && !takes(""));
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
