//! Who looks at a match, and by what right.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

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

impl Web {
    /// Who comes to the page of this name. Why somebody may not is told to nobody: a code that stands for nothing, a match
    /// that isn't theirs, and a key that has ended are all the same.
    pub fn enter(&self, name: &str, headers: &HeaderMap) -> Result<Visitor, Problem> {
        match name.split_once('-') {
            Some((code, token)) => self.enter_watching(code, token),
            None => {
                let key = cookie(headers).ok_or(Problem::NotYours)?;
                self.enter_with_key(name, key)
            }
        }
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
        let opened = self.parlor.service.find_key(key)?;
        let opened = opened
            .filter(|opened| opened.code == code)
            .ok_or(Problem::NotYours)?;
        let found = self.parlor.service.find(&code).map_err(not_yours)?;
        let sits = found
            .play()
            .is_some_and(|play| !play.seats_of(&opened.player).is_empty());
        if !sits {
            return Err(Problem::NotYours);
        }
        Ok(Visitor {
            eyes: PageViewer::Player(opened.player),
            counted: Some(KeyDigest::of(key).to_string()),
            base: format!("/m/{code}"),
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

/// Trades a key for a cookie that no script can read.
pub async fn trade(
    State(web): State<Arc<Web>>,
    visit: Visit,
    Path(code): Path<String>,
    Body(Traded { key }): Body<Traded>,
) -> Result<Response, Problem> {
    web.rates.take(Activity::Enter, None, visit.address)?;
    let visitor = web.enter_with_key(&code, &key)?;
    let secure = if web.site.url.is_encrypted() {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{COOKIE_NAME}={key}; Path={path}; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Strict{secure}",
        path = visitor.base
    );
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response())
}
