//! Who looks at a match, and by what right.

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderMap;
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Web;
use super::problem::Problem;
use super::rates::Activity;
use super::request::Body;
use crate::chat::pages::PageViewer;
use crate::connections::Visit;
use crate::matches::code::Code;
use crate::matches::keys::KeyDigest;
use crate::matches::refusal::Failure;

/// What the cookie is called that holds a key.
const COOKIE_NAME: &str = "parlor-key";

/// For how long a browser keeps it, in seconds: a month. The key itself may end sooner.
const COOKIE_AGE: u32 = 30 * 24 * 3600;

/// The longest key that is looked up.
const LONGEST_KEY: usize = 128;

/// Somebody who may look at a match.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub code: Code,
    pub eyes: PageViewer,
    /// What their requests are counted by: a digest of their key; nothing for those who watch.
    pub counted: Option<String>,
    /// What the addresses of their pages begin with.
    pub base: String,
    /// The version of the match when they came.
    pub version: u64,
}

/// A request to a page of a match, from somebody of whom it isn't known yet whether they may look.
#[derive(Debug)]
pub struct PageRequest {
    pub web: Arc<Web>,
    /// Held while they are answered, so that they are not sent away.
    pub visit: Visit,
    /// What they call the page.
    name: String,
    pub headers: HeaderMap,
}

#[derive(Deserialize)]
struct PageName {
    name: String,
}

impl FromRequestParts<Arc<Web>> for PageRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Self, Problem> {
        let visit = Visit::from_request_parts(parts, web).await?;
        let named = Path::from_request_parts(parts, web).await;
        let Path(PageName { name }) = named.map_err(|_| Problem::NothingHere)?;
        Ok(Self {
            web: Arc::clone(web),
            visit,
            name,
            headers: parts.headers.clone(),
        })
    }
}

impl PageRequest {
    /// Lets a visitor in, and counts that they asked.
    pub fn enter(&self, activity: Activity) -> Result<Visitor, Problem> {
        // Before anything is looked up: who tries keys is counted as well.
        self.web.rates.take(activity, None, self.visit.address)?;
        let visitor = self.visitor()?;
        if let Some(known) = &visitor.counted {
            self.web.rates.take_known(activity, known)?;
        }
        Ok(visitor)
    }

    /// Who asks, if they may look.
    pub fn visitor(&self) -> Result<Visitor, Problem> {
        self.web.enter(&self.name, &self.headers)
    }
}

impl Web {
    /// Who comes to the page of this name: `CODE-TOKEN` for those who watch, `CODE~ID` for whoever has the key that is called
    /// so. Why somebody may not is told to nobody: a code that stands for nothing, a match that isn't theirs, and a key that
    /// has ended are all the same.
    fn enter(&self, name: &str, headers: &HeaderMap) -> Result<Visitor, Problem> {
        if let Some((code, token)) = name.split_once('-') {
            return self.enter_watching(code, token);
        }
        let (code, id) = name.split_once('~').ok_or(Problem::NotYours)?;
        let key = cookie(headers).ok_or(Problem::NotYours)?;
        if id != KeyDigest::of(key).short() {
            return Err(Problem::NotYours);
        }
        self.enter_with_key(code, key)
    }

    fn enter_watching(&self, code: &str, token: &str) -> Result<Visitor, Problem> {
        let code: Code = code.parse().map_err(|_| Problem::NotYours)?;
        let found = self.parlor.service.find(&code).map_err(not_yours)?;
        let known = found.play().and_then(|play| play.watch.as_deref());
        // Digests are compared, so that the time it takes tells nothing of the token.
        let fits = |known: &str| KeyDigest::of(known) == KeyDigest::of(token);
        if token.len() > LONGEST_KEY || !known.is_some_and(fits) {
            return Err(Problem::NotYours);
        }
        Ok(Visitor {
            eyes: PageViewer::Public,
            counted: None,
            base: format!("/m/{code}-{token}"),
            version: found.version,
            code,
        })
    }

    fn enter_with_key(&self, code: &str, key: &str) -> Result<Visitor, Problem> {
        let code: Code = code.parse().map_err(|_| Problem::NotYours)?;
        if key.len() > LONGEST_KEY {
            return Err(Problem::NotYours);
        }
        let opened = self.parlor.service.open_with(key)?;
        let (found, player) = opened
            .filter(|(found, _)| found.code == code)
            .ok_or(Problem::NotYours)?;
        let digest = KeyDigest::of(key);
        Ok(Visitor {
            eyes: PageViewer::Player(player),
            counted: Some(digest.to_string()),
            base: format!("/m/{code}~{}", digest.short()),
            version: found.version,
            code,
        })
    }
}

fn not_yours(failure: Failure) -> Problem {
    match failure {
        Failure::Refused(_) => Problem::NotYours,
        Failure::Broken(fault) => fault.into(),
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(COOKIE).iter();
    let mut cookies = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    cookies.find_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == COOKIE_NAME).then_some(value)
    })
}

#[derive(Deserialize)]
pub struct Traded {
    key: String,
}

/// Where the page is that a key opens.
#[derive(Serialize)]
struct Opened {
    base: String,
}

/// Trades a key for a cookie that no script can read. Every key has a page of its own to which its cookie goes, so that a
/// browser can hold several of them: those of two seats, or of two people who share it.
pub async fn trade(
    State(web): State<Arc<Web>>,
    visit: Visit,
    Path(name): Path<String>,
    Body(Traded { key }): Body<Traded>,
) -> Result<Response, Problem> {
    web.rates.take(Activity::Enter, None, visit.address)?;
    // A key may be brought to the page of another one.
    let code = name.split('~').next().unwrap_or_default();
    let visitor = web.enter_with_key(code, &key)?;
    let secure = if web.site.url.is_encrypted() {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{COOKIE_NAME}={key}; Path={path}; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Strict{secure}",
        path = visitor.base
    );
    let opened = Json(Opened { base: visitor.base });
    Ok(([(SET_COOKIE, cookie)], opened).into_response())
}
