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
    kind: &'static str,
    content: &'static [u8],
    tag: OnceLock<String>,
}

macro_rules! asset {
    ($path:literal, $kind:literal, $file:literal) => {
        Asset {
            path: $path,
            kind: $kind,
            content: include_bytes!(concat!("../../assets/", $file)),
            tag: OnceLock::new(),
        }
    };
}

static ASSETS: [Asset; 15] = [
    asset!("/", "text/html; charset=utf-8", "web/index.html"),
    asset!("/style.css", "text/css; charset=utf-8", "web/style.css"),
    asset!("/app.js", "text/javascript; charset=utf-8", "web/app.js"),
    asset!(
        "/js/composer.js",
        "text/javascript; charset=utf-8",
        "web/js/composer.js"
    ),
    asset!("/js/dom.js", "text/javascript; charset=utf-8", "web/js/dom.js"),
    asset!("/js/door.js", "text/javascript; charset=utf-8", "web/js/door.js"),
    asset!("/js/log.js", "text/javascript; charset=utf-8", "web/js/log.js"),
    asset!("/js/net.js", "text/javascript; charset=utf-8", "web/js/net.js"),
    asset!(
        "/js/theme.js",
        "text/javascript; charset=utf-8",
        "web/js/theme.js"
    ),
    asset!(
        "/js/times.js",
        "text/javascript; charset=utf-8",
        "web/js/times.js"
    ),
    asset!(
        "/js/welcome.js",
        "text/javascript; charset=utf-8",
        "web/js/welcome.js"
    ),
    asset!("/icon.svg", "image/svg+xml", "web/icon.svg"),
    asset!("/api", "text/plain; charset=utf-8", "web/api.txt"),
    asset!("/regular.otf", "font/otf", "fonts/Inter-Regular.otf"),
    asset!("/bold.otf", "font/otf", "fonts/Inter-Bold.otf"),
];

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
    let tag = asset
        .tag
        .get_or_init(|| format!("\"{}\"", hex(&Sha256::digest(asset.content)[..16])));
    let about = [(ETAG, tag.as_str()), (CACHE_CONTROL, "no-cache")];
    if headers
        .get(IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes())
    {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(CONTENT_TYPE, asset.kind)], asset.content).into_response()
}
