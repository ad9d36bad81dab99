//! Asks a running bot how it is, for health checks where there is no other program to ask with.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest answer that is read.
const LONGEST: u64 = 64 << 10;

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthQuestion {
    Alive,
    Ready,
}

impl HealthQuestion {
    const fn path(self) -> &'static str {
        match self {
            Self::Alive => "/healthz",
            Self::Ready => "/readyz",
        }
    }
}

/// Why there is no good answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("no bot answers at {address}: {cause}")]
    NoAnswer { address: SocketAddr, cause: io::Error },
    #[error("{0}")]
    Unwell(String),
}

/// Asks the bot whose operator's listener is at this address.
pub fn ask(address: SocketAddr, question: HealthQuestion) -> Result<(), AskError> {
    let address = reachable(address);
    let answer = get(address, question.path()).map_err(|cause| AskError::NoAnswer { address, cause })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).unwrap_or_default();
    if status == "200" {
        return Ok(());
    }
    let reasons: Vec<&str> = body.lines().filter(|line| !line.is_empty()).collect();
    Err(AskError::Unwell(if reasons.is_empty() {
        format!("the bot answers with status {status}")
    } else {
        reasons.join("; ")
    }))
}

/// A bot that listens everywhere is asked on this machine.
const fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn get(address: SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.take(LONGEST).read_to_string(&mut answer)?;
    Ok(answer)
}
