//! `craig serve`: the web page, on this computer or for others.
//!
//! The server sends the files of the page ([`pages`]) and answers `POST /api/ask`: a request of crate `web`, checked
//! here, goes to a process of its own ([`process`]); its events come back as server-sent events until the reply.
//! Closing the connection cancels: the process is killed. No other state is kept.
//!
//! Who may ask: without `--public` the server listens on the loopback address, and requests must carry the token of the
//! address that was printed, so that no other user or web page gets an answer; `Host` and `Origin` must be ours, so
//! that no other name leads here. With `--public` everybody may ask; then processes are sandboxed, and queue, addresses
//! and programs have tighter limits.

mod http;
mod pages;
mod process;
mod queue;

use crate::exit::usage_error;
use clap::Args;
use http::Refusal;
use process::Starter;
use queue::{Full, Queue, Sizes};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use web::{Event, Limits, Request};

#[derive(Args, Debug, Clone)]
pub(crate) struct ServeArgs {
    /// The port [default: any that is free; 8080 with --public]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Answer everybody, in a sandbox (bubblewrap) and with tighter limits; see docs/web.md
    #[arg(long)]
    pub(crate) public: bool,
    /// With --public: the address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<IpAddr>,
    /// With --public: a name by which browsers reach the server, e.g. craig.example.org
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Vec<String>,
    /// With --public: a proxy in front tells the client's address as the last one of X-Forwarded-For
    #[arg(long)]
    pub(crate) behind_proxy: bool,
}

/// What connections have in common.
struct Server {
    /// What `Host` may be.
    hosts: Vec<String>,
    /// Requests must carry it; `None`: everybody may ask.
    token: Option<String>,
    behind_proxy: bool,
    limits: Limits,
    starter: Starter,
    queue: Arc<Queue>,
    n_connections: AtomicUsize,
}

const MAX_CONNECTIONS: usize = 128;
const LOCAL: Limits = Limits { source_bytes: 4 << 20, timeout_ms: 3_600_000, memory_mb: 8_192 };
const PUBLIC: Limits = Limits { source_bytes: 256 << 10, timeout_ms: 30_000, memory_mb: 1_024 };
const PUBLIC_SIZES: Sizes = Sizes { n_running: 2, n_waiting: 20, n_per_address: 1 };

pub(crate) fn run(args: &ServeArgs) -> u8 {
    let started = start(args);
    let (server, listener) = match started {
        Ok(started) => started,
        Err(message) => return usage_error(&message),
    };
    let server = Arc::new(server);
    loop {
        match listener.accept() {
            Ok((stream, peer)) => accept(&server, stream, peer),
            // For instance: too many files are open. Others will be closed.
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn start(args: &ServeArgs) -> Result<(Server, TcpListener), String> {
    if !args.public && (args.listen.is_some() || !args.name.is_empty() || args.behind_proxy) {
        return Err(
            "--listen, --name and --behind-proxy are for --public; without it only this computer is served".to_string()
        );
    }
    let n_cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let failed = |e: std::io::Error| format!("the checker cannot be started: {e}");
    let starter = if args.public {
        let bubblewrap = process::find_bubblewrap()
            .ok_or("--public needs bubblewrap (bwrap) to lock checks in; install it, e.g. `apt install bubblewrap`")?;
        let starter = Starter::sandboxed(&bubblewrap).map_err(failed)?;
        try_sandbox(&starter)?;
        starter
    } else {
        Starter::plain(n_cores.min(4)).map_err(failed)?
    };
    if args.public && args.name.is_empty() {
        return Err("--public needs --name, the name by which browsers reach the server".to_string());
    }
    let port = args.port.unwrap_or(if args.public { 8080 } else { 0 });
    let address = args.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let listener = TcpListener::bind((address, port))
        .map_err(|e| format!("cannot listen on {address}:{port}: {e}; choose another --port"))?;
    let port = listener.local_addr().map_err(failed)?.port();
    let server = Server {
        hosts: match args.public {
            true => args
                .name
                .iter()
                .flat_map(|n| [n.to_ascii_lowercase(), format!("{}:{port}", n.to_ascii_lowercase())])
                .collect(),
            false => vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        },
        token: if args.public { None } else { Some(token()?) },
        behind_proxy: args.behind_proxy,
        limits: if args.public { PUBLIC } else { LOCAL },
        starter,
        queue: Queue::new(match args.public {
            true => PUBLIC_SIZES,
            false => Sizes { n_running: n_cores.max(2), n_waiting: 64, n_per_address: usize::MAX },
        }),
        n_connections: AtomicUsize::new(0),
    };
    let page = match &server.token {
        Some(token) => format!("http://127.0.0.1:{port}/?token={token}"),
        None => format!("http://{}/", SocketAddr::new(address, port)),
    };
    println!("The page is at {page}\nStop with Ctrl-C.");
    if args.open {
        open(&page);
    }
    Ok((server, listener))
}

/// Does the sandbox work here? Better to know now than never.
fn try_sandbox(starter: &Starter) -> Result<(), String> {
    let tried = starter.start(&Request::Registry.line()).map_err(|e| format!("bubblewrap cannot be started: {e}"))?;
    match tried.lines.recv_timeout(Duration::from_secs(10)) {
        Ok(line) if line.contains("\"registry\"") => Ok(()),
        _ => {
            let why = tried.complaint.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
            Err(format!("checks do not run in bubblewrap here ({why}); --public never runs without it"))
        }
    }
}

/// 128 random bits.
fn token() -> Result<String, String> {
    use std::io::Read;
    let mut bytes = [0u8; 16];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut f| f.read_exact(&mut bytes))
        .map_err(|e| format!("no source of random numbers: {e}"))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// Shows an address in the browser of the desktop.
fn open(address: &str) {
    let command = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = std::process::Command::new(command)
        .arg(address)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    match started {
        Ok(mut child) => {
            std::thread::spawn(move || child.wait());
        }
        Err(e) => eprintln!("craig: {command}: {e}; open the address yourself"),
    }
}

/// Serves a connection in a thread of its own, if there are not too many.
fn accept(server: &Arc<Server>, mut stream: TcpStream, peer: SocketAddr) {
    let busy = || Refusal::new(503, "the server is busy; try again in a moment");
    if server.n_connections.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
        server.n_connections.fetch_sub(1, Ordering::SeqCst);
        // Without waiting for anything: this thread has others to accept.
        let _ = stream.set_write_timeout(Some(Duration::from_millis(50)));
        let Refusal(status, message) = busy();
        let _ = http::begin(&mut stream, status, "text/plain", Some(message.len()))
            .and_then(|()| stream.write_all(message.as_bytes()));
        return;
    }
    let own = server.clone();
    let serve = move || {
        serve_connection(&own, &mut stream, peer);
        own.n_connections.fetch_sub(1, Ordering::SeqCst);
    };
    if std::thread::Builder::new().spawn(serve).is_err() {
        server.n_connections.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve_connection(server: &Server, stream: &mut TcpStream, peer: SocketAddr) {
    let _ = stream.set_nodelay(true);
    // JSON may write one byte as six.
    let max_body = server.limits.source_bytes.saturating_mul(6) + (16 << 10);
    let request = match http::read(stream, max_body) {
        Ok(Some(request)) => request,
        Ok(None) => return,
        Err(refusal) => return http::refuse(stream, &refusal),
    };
    match server.admit(&request) {
        Err(refusal) => http::refuse(stream, &refusal),
        Ok(Asked::Page(page)) => http::respond(stream, 200, page.kind, page.content),
        Ok(Asked::Answer(asked)) => match server.queue.enter(server.address(&request, peer)) {
            Err(Full::Queue) => {
                http::refuse(stream, &Refusal::new(503, "too many checks are waiting; try again later"))
            }
            Err(Full::Address) => {
                http::refuse(
                    stream,
                    &Refusal::new(429, "one check at a time, please: another one of yours still runs"),
                );
            }
            Ok(place) => {
                if http::begin(stream, 200, "text/event-stream", None).is_ok() {
                    answer(server, stream, &asked, place);
                    http::finish(stream);
                }
            }
        },
    }
}

/// What is asked for.
enum Asked {
    Page(&'static pages::Page),
    Answer(Box<Request>),
}

impl Server {
    /// Is the request to be answered at all?
    fn admit(&self, request: &http::Request) -> Result<Asked, Refusal> {
        let host = request.header("host").unwrap_or_default().to_ascii_lowercase();
        if !self.hosts.contains(&host) {
            return Err(Refusal::new(421, "this server is not known by that name"));
        }
        if let Some(origin) = request.header("origin") {
            let own = [format!("http://{host}"), format!("https://{host}")];
            if !own.contains(&origin.to_ascii_lowercase()) {
                return Err(Refusal::new(403, "other pages may not ask this server"));
            }
        }
        let site = request.header("sec-fetch-site").unwrap_or("none");
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", path) => match pages::find(path) {
                Some(page) => Ok(Asked::Page(page)),
                None => Err(Refusal::new(404, "there is no such page")),
            },
            ("POST", "/api/ask") => {
                if site != "none" && site != "same-origin" {
                    return Err(Refusal::new(403, "other pages may not ask this server"));
                }
                let given = request.header("x-craig-token").unwrap_or_default();
                if self.token.as_ref().is_some_and(|token| !is_same(token, given)) {
                    let how = "this is an old address; open the one that `craig serve` printed";
                    return Err(Refusal::new(403, how));
                }
                if request.header("content-type") != Some("application/json") {
                    return Err(Refusal::new(415, "a request is JSON"));
                }
                let text = std::str::from_utf8(&request.body).map_err(|_| Refusal::new(400, "a request is UTF-8"))?;
                let asked = Request::parse(text, &self.limits).map_err(|message| Refusal(400, message))?;
                Ok(Asked::Answer(Box::new(asked)))
            }
            (_, "/api/ask") => Err(Refusal::new(405, "ask with POST")),
            _ => Err(Refusal::new(405, "only GET and POST are understood")),
        }
    }

    /// Who asks.
    fn address(&self, request: &http::Request, peer: SocketAddr) -> IpAddr {
        let told = request.header("x-forwarded-for").filter(|_| self.behind_proxy);
        let last = told.and_then(|list| list.rsplit(',').next()?.trim().parse().ok());
        last.unwrap_or(peer.ip())
    }
}

/// Compares in a time that does not depend on where the first difference is.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |found, (x, y)| found | (x ^ y)) == 0
}

/// A process that is late by this much is ended from here.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often it is looked whether the other side is still there.
const POLL: Duration = Duration::from_millis(50);
/// How often something is sent, so that proxies do not give up.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Writes one server-sent event. JSON in one line has no line ends of its own.
fn send(stream: &mut TcpStream, line: &str) -> bool {
    stream.write_all(format!("data: {line}\n\n").as_bytes()).is_ok()
}

fn answer(server: &Server, stream: &mut TcpStream, request: &Request, mut place: queue::Place) {
    let mut told = None;
    while let Err(ahead) = place.wait(POLL) {
        if http::is_closed(stream) {
            return;
        }
        if told != Some(ahead) {
            told = Some(ahead);
            if !send(stream, Event::Queued { ahead }.line().trim_end()) {
                return;
            }
        }
    }
    let give_up = |stream: &mut TcpStream, reason: &str| {
        send(stream, web::unanswered(request, reason).line().trim_end());
    };
    let process = match server.starter.start(&request.line()) {
        Ok(process) => process,
        Err(e) => return give_up(stream, &format!("the checker cannot be started: {e}")),
    };
    let limit = web::time_limit(request);
    let late = Instant::now() + limit + limit / 10 + PATIENCE;
    let mut heard = Instant::now();
    loop {
        match process.lines.recv_timeout(POLL) {
            Ok(line) => {
                heard = Instant::now();
                if !send(stream, &line) || line.starts_with("{\"event\":\"reply\"") {
                    return;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if http::is_closed(stream) {
                    return;
                }
                if Instant::now() > late {
                    return give_up(stream, "timeout");
                }
                if heard.elapsed() > HEARTBEAT {
                    heard = Instant::now();
                    if stream.write_all(b": still working\n\n").is_err() {
                        return;
                    }
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                // What broke is no secret on one's own computer.
                let complaint = process.complaint.recv_timeout(PATIENCE).unwrap_or_default();
                let reason = match (&server.token, complaint.is_empty()) {
                    (Some(_), false) => complaint,
                    _ => "the checker ended without an answer, perhaps for want of memory or stack".to_string(),
                };
                return give_up(stream, &reason);
            }
        }
    }
}
