//! As much of HTTP/1.1 (RFC 9112) as the page needs, and no more.
//!
//! One request for each connection, which then is closed: nothing can hide behind a request. A request that can be
//! read in two ways is refused: bare line feeds, folded or repeated framing headers, `Transfer-Encoding`, lengths that
//! are not plain digits. Everything has a limit: the bytes and the time of the head and of the body, and the time of
//! every write.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The longest head of a request, and how long it may take to arrive.
const MAX_HEAD: usize = 16 << 10;
const HEAD_TIME: Duration = Duration::from_secs(5);
const BODY_TIME: Duration = Duration::from_secs(10);
const WRITE_TIME: Duration = Duration::from_secs(10);
const MAX_HEADERS: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    /// Names in small letters.
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A status and a sentence for whoever asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal(pub u16, pub String);

impl Refusal {
    pub(crate) fn new(status: u16, message: &str) -> Refusal {
        Refusal(status, message.to_string())
    }
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// Reads a request whose body has at most `max_body` bytes. `None`: the other side said nothing.
pub(crate) fn read(stream: &mut TcpStream, max_body: usize) -> Result<Option<Request>, Refusal> {
    let mut bytes = Vec::new();
    let until = Instant::now() + HEAD_TIME;
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        if bytes.len() > MAX_HEAD {
            return Err(Refusal::new(431, "the head of the request is too long"));
        }
        match more(stream, &mut bytes, 4096, until) {
            Ok(0) if bytes.is_empty() => return Ok(None),
            Ok(0) => return Err(Refusal::new(400, "the request ends within its head")),
            Ok(_) => {}
            Err(refusal) => return Err(refusal),
        }
    };
    if end > MAX_HEAD {
        return Err(Refusal::new(431, "the head of the request is too long"));
    }
    let mut request = head(&bytes[..end])?;
    let length = match request.header("content-length") {
        None => 0,
        // Plain digits: no sign, no space, no list.
        Some(digits) if !digits.is_empty() && digits.len() <= 12 && digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.parse::<usize>().unwrap_or(usize::MAX)
        }
        Some(_) => return Err(Refusal::new(400, "Content-Length is not a number")),
    };
    if length > max_body {
        return Err(Refusal(413, format!("at most {} kB are taken", max_body >> 10)));
    }
    let mut body = bytes.split_off(end + 4);
    let until = Instant::now() + BODY_TIME;
    while body.len() < length {
        let missing = length - body.len();
        if more(stream, &mut body, missing.min(64 << 10), until)? == 0 {
            return Err(Refusal::new(400, "the request ends within its body"));
        }
    }
    if body.len() > length {
        return Err(Refusal::new(400, "one request for each connection, please"));
    }
    request.body = body;
    Ok(Some(request))
}

/// Reads some more, before a moment.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, most: usize, until: Instant) -> Result<usize, Refusal> {
    let late = || Refusal::new(408, "the request arrives too slowly");
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return Err(late());
    }
    let before = bytes.len();
    bytes.resize(before + most, 0);
    let read = stream.read(&mut bytes[before..]);
    bytes.truncate(before + *read.as_ref().unwrap_or(&0));
    match read {
        Ok(n) => Ok(n),
        Err(e) if e.kind() == ErrorKind::Interrupted => more(stream, bytes, most, until),
        Err(_) => Err(late()),
    }
}

/// Is it a character of a method or of the name of a header?
fn is_token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b)
}

/// The request line and the headers.
fn head(bytes: &[u8]) -> Result<Request, Refusal> {
    let bad = |message: &str| Refusal::new(400, message);
    let text = std::str::from_utf8(bytes).map_err(|_| bad("the head of the request is not text"))?;
    let mut lines = text.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let is_visible = |line: &str| line.bytes().all(|b| (0x20..0x7f).contains(&b) || b == b'\t' || b >= 0x80);
    let words: Vec<&str> = first.split(' ').collect();
    let &[method, target, version] = &words[..] else { return Err(bad("the request line is malformed")) };
    if !is_visible(first) || method.is_empty() || !method.bytes().all(is_token) || !target.starts_with('/') {
        return Err(bad("the request line is malformed"));
    }
    if version != "HTTP/1.1" && version != "HTTP/1.0" {
        return Err(Refusal::new(505, "only HTTP/1.1 is spoken here"));
    }
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in lines {
        // A continued line would start with a blank, and no name does.
        let (name, value) = line.split_once(':').ok_or_else(|| bad("a header without a colon"))?;
        if name.is_empty() || !name.bytes().all(is_token) || !is_visible(value) {
            return Err(bad("a malformed header"));
        }
        let name = name.to_ascii_lowercase();
        if headers.len() >= MAX_HEADERS {
            return Err(Refusal::new(431, "there are too many headers"));
        }
        let decides = ["host", "content-length", "origin", "content-type", "x-craig-token"].contains(&name.as_str());
        if decides && headers.iter().any(|(n, _)| *n == name) {
            return Err(Refusal(400, format!("the header {name} comes twice")));
        }
        if name == "transfer-encoding" || name == "upgrade" || name == "expect" {
            return Err(Refusal(501, format!("the header {name} is not supported")));
        }
        headers.push((name, value.trim_matches([' ', '\t']).to_string()));
    }
    let path = target.split(['?', '#']).next().unwrap_or_default().to_string();
    Ok(Request { method: method.to_string(), path, headers, body: Vec::new() })
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Error",
    }
}

/// What the page may do. Scripts and styles are files of this server; no inline exceptions.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The start of a response; without a length it ends with the connection.
pub(crate) fn begin(stream: &mut TcpStream, status: u16, kind: &str, length: Option<usize>) -> std::io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIME))?;
    let length = length.map_or(String::new(), |n| format!("Content-Length: {n}\r\n"));
    let retry = if status == 503 || status == 429 { "Retry-After: 2\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\n{length}{retry}Connection: close\r\nCache-Control: no-store\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
        reason(status)
    );
    stream.write_all(head.as_bytes())
}

/// A whole response.
pub(crate) fn respond(stream: &mut TcpStream, status: u16, kind: &str, body: &[u8]) {
    let written = begin(stream, status, kind, Some(body.len())).and_then(|()| stream.write_all(body));
    if written.is_ok() {
        finish(stream);
    }
}

pub(crate) fn refuse(stream: &mut TcpStream, refusal: &Refusal) {
    respond(stream, refusal.0, "text/plain; charset=utf-8", format!("{}\n", refusal.1).as_bytes());
}

/// Takes what still arrives, for a moment: a connection that is closed before would lose the response.
pub(crate) fn finish(stream: &mut TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let until = Instant::now() + Duration::from_millis(300);
    let mut rest = Vec::new();
    while rest.len() < 4 << 20 {
        match more(stream, &mut rest, 64 << 10, until) {
            Ok(n) if n > 0 => {}
            _ => return,
        }
    }
}

/// Has the other side gone away?
pub(crate) fn is_closed(stream: &TcpStream) -> bool {
    let mut byte = [0];
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let peeked = stream.peek(&mut byte);
    let back = stream.set_nonblocking(false);
    match peeked {
        Ok(0) => true,
        Ok(_) => back.is_err(),
        Err(e) => back.is_err() || !matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> Result<Request, u16> {
        head(text.as_bytes()).map_err(|r| r.0)
    }

    #[test]
    fn plain_requests_are_read() {
        let request =
            status("POST /api/ask?x=1 HTTP/1.1\r\nHost: localhost:80\r\nX-A:  b \r\nx-a: c").expect("a request");
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/api/ask"));
        assert_eq!((request.header("host"), request.header("x-a")), (Some("localhost:80"), Some("b")));
    }

    /// Heads that two programs may read in two ways are refused by this one.
    #[test]
    fn ambiguous_heads_are_refused() {
        let with = |header: &str| status(&format!("POST / HTTP/1.1\r\nHost: a\r\n{header}"));
        assert_eq!(with("Transfer-Encoding: chunked"), Err(501));
        assert_eq!(with("transfer-encoding : chunked"), Err(400));
        assert_eq!(with("Content-Length: 1\r\nContent-Length: 2"), Err(400));
        assert_eq!(with("Host: b"), Err(400));
        assert_eq!(with(" folded: yes"), Err(400));
        assert_eq!(with("X: a\nTransfer-Encoding: chunked"), Err(400));
        assert_eq!(with("X: a\rb"), Err(400));
        assert_eq!(with("no colon"), Err(400));
        assert_eq!(with(": empty"), Err(400));
        assert_eq!(with("X: a\u{0}b"), Err(400));
        assert_eq!(status("GET / HTTP/2"), Err(505));
        assert_eq!(status("GET  / HTTP/1.1"), Err(400));
        assert_eq!(status("GET http://other/ HTTP/1.1"), Err(400));
        assert_eq!(status("GET /"), Err(400));
        assert_eq!(status(""), Err(400));
        let many: String = (0..100).map(|i| format!("\r\nx{i}: 1")).collect();
        assert_eq!(status(&format!("GET / HTTP/1.1{many}")), Err(431));
    }
}
