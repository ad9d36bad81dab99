//! Where the pages are: the address under which browsers find them, and the proxies that stand in between.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::HeaderMap;
use axum::http::uri::{Authority, Uri};

use crate::config::PublicUrl;

/// Where the pages are, and who may stand in between.
#[derive(Clone, Debug)]
pub struct Site {
    pub url: PublicUrl,
    /// The proxies that are believed when they tell for whom they ask.
    pub trusted: Vec<IpAddr>,
}

impl Site {
    /// What every address of ours begins with.
    pub fn origin(&self) -> String {
        self.url.to_string()
    }

    /// Whether a request was meant for these pages.
    pub fn is_host(&self, host: Option<&str>, uri: &Uri) -> bool {
        let host = host.or_else(|| uri.authority().map(Authority::as_str));
        host.is_some_and(|host| host.eq_ignore_ascii_case(self.url.host()))
    }

    /// By what whoever asks is counted: their address, or the network that one of version 6 is of.
    pub fn asker(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        network(self.address(peer, headers))
    }

    /// Who asks: what a trusted proxy says, and otherwise whoever is at the other end. Of several proxies each adds the one
    /// before it; the last one that we don't trust is it, for what stands before may be made up.
    fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut asker = peer.to_canonical();
        if !self.is_trusted(asker) {
            return asker;
        }
        let told = headers.get_all("x-forwarded-for").iter().collect::<Vec<_>>();
        let told = told.iter().rev().filter_map(|value| value.to_str().ok());
        for told in told.flat_map(|line| line.rsplit(',')) {
            let Ok(before) = told.trim().parse::<IpAddr>() else {
                break;
            };
            asker = before.to_canonical();
            if !self.is_trusted(asker) {
                break;
            }
        }
        asker
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|trusted| trusted.to_canonical() == address)
    }
}

/// Whoever is given an address of version 6 is given all that begin with the same 64 bits, and may come from each of them.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let site = Site {
            url: PublicUrl::at("127.0.0.1:1".parse().unwrap()),
            trusted: vec![address("127.0.0.1"), address("10.0.0.2")],
        };
        let asker = |peer: &str, told: &[&str]| {
            let mut headers = HeaderMap::new();
            for told in told {
                headers.append("x-forwarded-for", told.parse().unwrap());
            }
            site.asker(address(peer), &headers).to_string()
        };
        assert_eq!(asker("127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(asker("::ffff:127.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        // Whoever comes may have said anything; what the proxy added stands last.
        assert_eq!(asker("127.0.0.1", &["6.6.6.6, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(
            asker("127.0.0.1", &["6.6.6.6", "198.51.100.7, 10.0.0.2"]),
            "198.51.100.7"
        );
        assert_eq!(asker("127.0.0.1", &["nonsense"]), "127.0.0.1");
        assert_eq!(asker("203.0.113.5", &["198.51.100.7"]), "203.0.113.5");
        // A network of version 6 is counted as one, here or behind a proxy; the next one is another.
        assert_eq!(asker("2001:db8:1:2:3:4:5:6", &[]), "2001:db8:1:2::");
        assert_eq!(asker("127.0.0.1", &["2001:db8:1:2:ffff::9"]), "2001:db8:1:2::");
        assert_eq!(asker("127.0.0.1", &["2001:db8:1:3::9"]), "2001:db8:1:3::");
        assert_eq!(asker("::ffff:203.0.113.5", &[]), "203.0.113.5");
    }
}
