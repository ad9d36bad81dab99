//! Who may come in, and what every answer tells a browser it may do.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Web;
use super::problem::Problem;
use crate::connections::Visit;

/// What a page of ours may do: load from where it is, and nothing else. No script or style within the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
     img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Tells a browser what it may do with an answer. What says nothing else may be kept nowhere.
pub fn protect(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers
        .entry("cache-control")
        .or_insert(HeaderValue::from_static("no-store"));
}

/// Whether a request only looks.
pub const fn only_looks(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Turns away what a page of another site asks for: what only our own pages need. Whoever follows a link to a picture sees it.
pub(super) async fn only_own_pages(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let mode = headers.get("sec-fetch-mode").map(HeaderValue::as_bytes);
    if is_foreign_site(headers) && mode != Some(b"navigate") {
        return Problem::ForeignOrigin.into_response();
    }
    next.run(request).await
}

/// Whether a page of another site sends a request. `own` is where our pages are.
pub fn is_foreign(headers: &HeaderMap, own: &str) -> bool {
    let foreign_origin = headers.contains_key(ORIGIN) && text(headers, &ORIGIN) != Some(own);
    foreign_origin || is_foreign_site(headers)
}

/// Whether the browser says that a page of another site asks.
fn is_foreign_site(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    site.is_some_and(|site| !matches!(site, b"same-origin" | b"none"))
}

pub fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Lets a request to the public pages in, or turns it away. What a trusted proxy says of the asker counts from here on.
pub(super) async fn guard_site(State(web): State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    let asker = request
        .extensions()
        .get::<Visit>()
        .map(|visit| web.site.asker(visit.address, request.headers()));
    if let (Some(visit), Some(asker)) = (request.extensions_mut().get_mut::<Visit>(), asker) {
        visit.address = asker;
    }
    let mut response = match check(&web, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    protect(&mut response);
    // Pages of matches are nobody's to find who was not given the link.
    let headers = response.headers_mut();
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response
}

fn check(web: &Web, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    if !web.site.is_host(text(headers, &HOST), request.uri()) {
        return Err(Problem::ForeignHost);
    }
    if only_looks(request.method()) {
        return Ok(());
    }
    // A browser always tells where a request that changes something comes from.
    let origin = web.site.origin();
    if !headers.contains_key(ORIGIN) || is_foreign(headers, &origin) {
        return Err(Problem::ForeignOrigin);
    }
    Ok(())
}
