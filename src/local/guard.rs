//! Who may come in: only this machine, and only pages of this room.
//!
//! The room listens on a loopback address, but any web page that its user visits can send requests to
//! loopback addresses too. So a request has to name this machine as its host, which a page that points its
//! own domain here (DNS rebinding) can't, and what changes something has to come from our own page or
//! from no page at all.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::RoomProblem;
use crate::web::guard::{is_foreign, only_looks, protect, text};

/// Lets a request in, or turns it away.
pub async fn guard(request: Request, next: Next) -> Response {
    let mut response = match check(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    protect(&mut response);
    response
}

fn check(request: &Request) -> Result<(), RoomProblem> {
    let headers = request.headers();
    let host = text(headers, &HOST).or_else(|| request.uri().authority().map(Authority::as_str));
    let host = host.filter(|host| is_this_machine(host));
    let host = host.ok_or(RoomProblem::ForeignHost)?;
    if !only_looks(request.method()) && is_foreign(headers, &format!("http://{host}")) {
        return Err(RoomProblem::ForeignOrigin);
    }
    Ok(())
}

/// Whether a host, with or without a port, means this machine. Any port: somebody may forward one.
fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if port.is_empty() || is_port(port) => name,
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => name,
            Some(_) => return false,
            None => host,
        },
    };
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':')
        .is_some_and(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_let_in() {
        for good in [
            "localhost",
            "LocalHost:8787",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.1.2.3:80",
            "[::1]:8787",
            "[::1]",
        ] {
            assert!(is_this_machine(good), "{good}");
        }
        for bad in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "127.0.0.1:80:evil",
            "127.0.0.1@example.org",
            "192.168.1.4:8787",
            "0.0.0.0",
            "[::1]evil",
            "::1x",
            "localhost:",
        ] {
            assert!(!is_this_machine(bad), "{bad}");
        }
    }
}
