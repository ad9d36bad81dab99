//! The page: a handful of files that are part of the program.

use std::sync::OnceLock;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

use crate::text::hex;

struct Asset {
    path: &'static str,
    file: &'static str,
    content: &'static [u8],
    tag: OnceLock<String>,
}

macro_rules! assets {
    ($($path:literal $file:literal)*) => {
        [$(Asset {
            path: $path,
            file: $file,
            content: include_bytes!(concat!("../../assets/", $file)),
            tag: OnceLock::new(),
        }),*]
    };
}

static ASSETS: [Asset; 22] = assets! {
    "/" "web/index.html"
    "/style.css" "web/style.css"
    "/app.js" "web/app.js"
    "/js/bell.js" "web/js/bell.js"
    "/js/board.js" "web/js/board.js"
    "/js/clocks.js" "web/js/clocks.js"
    "/js/composer.js" "web/js/composer.js"
    "/js/dom.js" "web/js/dom.js"
    "/js/door.js" "web/js/door.js"
    "/js/log.js" "web/js/log.js"
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

/// Routes to all files of the page.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(
            asset.path,
            get(move |headers: HeaderMap| async move { serve(asset, &headers) }),
        )
    })
}

/// A browser asks each time whether it has the newest, which costs nothing on one machine, and a new version of
/// the program is never shown with old files.
fn serve(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let digest = || format!("\"{}\"", hex(&Sha256::digest(asset.content)[..16]));
    let tag = asset.tag.get_or_init(digest);
    let about = [(ETAG, tag.as_str()), (CACHE_CONTROL, "no-cache")];
    if is_known(headers, tag) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(CONTENT_TYPE, kind(asset.file))], asset.content).into_response()
}

/// Whether the browser has already what has this tag.
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH);
    known.is_some_and(|known| known.as_bytes() == tag.as_bytes())
}
