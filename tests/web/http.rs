//! An HTTP client that is small enough to see through: one connection a request.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// Asks, and reads the whole answer.
pub fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<Answer> {
    let mut connection = connect(address)?;
    send(&mut connection, address, "HTTP/1.1", method, path, headers, body)?;
    let mut reader = BufReader::new(connection);
    let (status, headers) = head(&mut reader)?;
    let mut body = Vec::new();
    let length = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.parse().ok());
    match length {
        Some(length) => {
            body.resize(length, 0);
            // An answer to HEAD has a length and no body.
            if method != "HEAD" {
                reader.read_exact(&mut body)?;
            }
        }
        None => {
            reader.read_to_end(&mut body)?;
        }
    }
    let chunked = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case("transfer-encoding") && value == "chunked"
    };
    if headers.iter().any(chunked) {
        body = joined(&body);
    }
    Ok(Answer {
        status,
        headers,
        body,
    })
}

/// A body that came in chunks, each with its length before it.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&chunks[..end]).unwrap();
        let length = usize::from_str_radix(length.trim(), 16).unwrap();
        body.extend(&chunks[end + 2..end + 2 + length]);
        chunks = &chunks[end + 2 + length + 2..];
        if length == 0 {
            break;
        }
    }
    body
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let connection = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    connection.set_nodelay(true)?;
    connection.set_read_timeout(Some(Duration::from_secs(60)))?;
    Ok(connection)
}

fn send(
    connection: &mut TcpStream,
    address: SocketAddr,
    version: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<()> {
    let mut request = format!("{method} {path} {version}\r\nConnection: close\r\n");
    let has = |wanted: &str| headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
    if !has("host") {
        request.push_str(&format!("Host: {address}\r\n"));
    }
    if !body.is_empty() || method == "POST" {
        request.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request += "\r\n";
    let mut bytes = request.into_bytes();
    bytes.extend(body);
    // A server may refuse a large body before it has read it all; its answer is still there to read.
    match connection.write_all(&bytes) {
        Err(error)
            if !matches!(
                error.kind(),
                io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset
            ) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}

fn head(reader: &mut impl BufRead) -> io::Result<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, format!("{line:?}")))?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => return Ok((status, headers)),
        }
    }
}

/// An event stream. Asked for with HTTP/1.0 it comes without chunks.
#[derive(Debug)]
pub struct Events {
    reader: BufReader<TcpStream>,
}

/// One event.
#[derive(Debug)]
pub struct Event {
    pub name: String,
    pub id: Option<u64>,
    pub data: Value,
}

impl Events {
    pub fn open(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> io::Result<Self> {
        let mut connection = connect(address)?;
        send(&mut connection, address, "HTTP/1.0", "GET", path, headers, b"")?;
        let mut reader = BufReader::new(connection);
        let (status, _) = head(&mut reader)?;
        assert_eq!(status, 200);
        Ok(Self { reader })
    }

    /// The next event; nothing once the stream has ended.
    pub fn next(&mut self) -> Option<Event> {
        let (mut name, mut id, mut data) = (String::new(), None, None);
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("no event came: {error}"),
            }
            match line.trim_end().split_once(": ") {
                Some(("event", value)) => value.clone_into(&mut name),
                Some(("id", value)) => id = value.parse().ok(),
                Some(("data", value)) => data = serde_json::from_str(value).ok(),
                Some(_) => {}
                None => {
                    if let Some(data) = data.take() {
                        return Some(Event { name, id, data });
                    }
                }
            }
        }
    }

    /// The next event of this name.
    pub fn wait(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().expect("the stream has ended");
            if event.name == name {
                return event;
            }
        }
    }
}
