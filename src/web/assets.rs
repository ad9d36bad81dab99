//! The files of the pages: a handful that are part of the program, packed once.

use std::sync::OnceLock;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use sha2::{Digest, Sha256};

use super::packed::{VARIES, pack, takes_gzip};
use crate::text::hex;

struct Asset {
    path: &'static str,
    file: &'static str,
    content: &'static [u8],
    tag: OnceLock<String>,
    /// The content packed with gzip, if it is smaller so.
    packed: OnceLock<Option<Vec<u8>>>,
}

macro_rules! assets {
    ($($path:literal $file:literal)*) => {
        [$(Asset {
            path: $path,
            file: $file,
            content: include_bytes!(concat!("../../assets/", $file)),
            tag: OnceLock::new(),
            packed: OnceLock::new(),
        }),*]
    };
}

static ASSETS: [Asset; 25] = assets! {
    "/" "web/index.html"
    "/style.css" "web/style.css"
    "/fonts.css" "web/fonts.css"
    "/match.css" "web/match.css"
    "/app.js" "web/app.js"
    "/js/bell.js" "web/js/bell.js"
    "/js/board.js" "web/js/board.js"
    "/js/clocks.js" "web/js/clocks.js"
    "/js/composer.js" "web/js/composer.js"
    "/js/dom.js" "web/js/dom.js"
    "/js/door.js" "web/js/door.js"
    "/js/log.js" "web/js/log.js"
    "/js/match.js" "web/js/match.js"
    "/js/matches.js" "web/js/matches.js"
    "/js/move.js" "web/js/move.js"
    "/js/net.js" "web/js/net.js"
    "/js/slide.js" "web/js/slide.js"
    "/js/table.js" "web/js/table.js"
    "/js/theme.js" "web/js/theme.js"
    "/js/times.js" "web/js/times.js"
    "/js/welcome.js" "web/js/welcome.js"
    "/icon.svg" "web/icon.svg"
    "/api" "web/api.txt"
    "/regular.otf" "fonts/Inter-Regular.otf"
    "/bold.otf" "fonts/Inter-Bold.otf"
};

/// What a file of this name is to a browser.
fn kind(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("otf") => "font/otf",
        _ => "text/plain; charset=utf-8",
    }
}

/// Which files are served somewhere.
pub type Share = fn(path: &str) -> bool;

/// Those of the local room: all but the ones that are for the page of a match alone.
pub const LOCAL: Share = |path| !matches!(path, "/match.css" | "/js/match.js");

/// Those of the pages of matches. Letters are the reader's own there: ours alone are several times what such a page may weigh.
pub const PUBLIC: Share = |path| {
    matches!(
        path,
        "/style.css"
            | "/match.css"
            | "/icon.svg"
            | "/js/board.js"
            | "/js/clocks.js"
            | "/js/dom.js"
            | "/js/log.js"
            | "/js/match.js"
            | "/js/move.js"
            | "/js/net.js"
            | "/js/slide.js"
            | "/js/theme.js"
            | "/js/times.js"
    )
};

/// Routes to some of the files.
pub fn routes<S: Clone + Send + Sync + 'static>(share: Share) -> Router<S> {
    let shared = ASSETS.iter().filter(|asset| share(asset.path));
    shared.fold(Router::new(), |router, asset| {
        router.route(
            asset.path,
            get(move |headers: HeaderMap| async move { serve(asset, &headers) }),
        )
    })
}

/// A browser asks each time whether it has the newest, which costs little, and a new version of the program is never shown
/// with old files.
fn serve(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let digest = || hex(&Sha256::digest(asset.content)[..16]);
    let tag = asset.tag.get_or_init(digest);
    let packed = asset
        .packed
        .get_or_init(|| pack(asset.content, Compression::best()));
    let packed = packed.as_deref().filter(|_| takes_gzip(headers));
    let tag = match packed {
        Some(_) => format!("\"{tag}-gzip\""),
        None => format!("\"{tag}\""),
    };
    let about = [(ETAG, tag.as_str()), (CACHE_CONTROL, "no-cache"), (VARY, VARIES)];
    if is_known(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let kind = [(CONTENT_TYPE, kind(asset.file))];
    match packed {
        Some(packed) => (about, kind, [(CONTENT_ENCODING, "gzip")], packed).into_response(),
        None => (about, kind, asset.content).into_response(),
    }
}

/// Whether the browser has already what has this tag.
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH);
    known.is_some_and(|known| known.as_bytes() == tag.as_bytes())
}
