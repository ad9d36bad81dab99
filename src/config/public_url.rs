//! Where browsers find the pages of matches.

use std::fmt;
use std::net::SocketAddr;

use axum::http::uri::Uri;
use serde::Deserialize;

/// The address under which browsers find the pages, such as `https://parlor.example.org`: no path, and nothing behind it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicUrl {
    scheme: Scheme,
    host: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

impl TryFrom<String> for PublicUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const WANTED: &str = "expected an address without a path, such as \"https://parlor.example.org\"";
        let uri: Uri = text.trim().parse().map_err(|_| WANTED)?;
        let scheme = match uri.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            _ => return Err(WANTED),
        };
        let authority = uri.authority().ok_or(WANTED)?;
        let bare = uri.path() == "/" && uri.query().is_none() && !authority.as_str().contains('@');
        // Nothing in it may end a link early, wherever it is written.
        let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
        if !bare || !authority.as_str().chars().all(plain) {
            return Err(WANTED);
        }
        // What a scheme means anyway, browsers leave out.
        let usual = match scheme {
            Scheme::Http => ":80",
            Scheme::Https => ":443",
        };
        let host = authority.as_str().to_ascii_lowercase();
        Ok(Self {
            scheme,
            host: host.strip_suffix(usual).unwrap_or(&host).to_owned(),
        })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            Scheme::Http => "http",
            Scheme::Https => "https",
        };
        write!(f, "{scheme}://{}", self.host)
    }
}

impl PublicUrl {
    /// Pages that are reached just where they are listened for: for trying things out.
    pub fn at(address: SocketAddr) -> Self {
        Self {
            scheme: Scheme::Http,
            host: address.to_string(),
        }
    }

    /// The host, with its port if that is not the usual one.
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn is_encrypted(&self) -> bool {
        self.scheme == Scheme::Https
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Result<String, &'static str> {
        PublicUrl::try_from(text.to_owned()).map(|url| url.to_string())
    }

    #[test]
    fn an_address_of_pages_has_no_path() {
        assert_eq!(
            url("https://Parlor.example.org/").unwrap(),
            "https://parlor.example.org"
        );
        assert_eq!(
            url("https://parlor.example.org:443").unwrap(),
            "https://parlor.example.org"
        );
        assert_eq!(url("http://[::1]:8080").unwrap(), "http://[::1]:8080");
        for wrong in [
            "parlor.example.org",
            "ftp://parlor.example.org",
            "https://parlor.example.org/boards",
            "https://parlor.example.org/?x",
            "https://user@parlor.example.org",
            "https://",
            "",
        ] {
            assert!(url(wrong).is_err(), "{wrong}");
        }
    }
}
