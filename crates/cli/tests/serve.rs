//! `craig serve` as those see it who mean it well, and those who do not: one test for each attack that `docs/web.md`
//! names.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Server {
    child: Child,
    /// Kept open.
    _stdout: BufReader<std::process::ChildStdout>,
    port: u16,
    token: String,
}

impl Server {
    fn start() -> Server {
        Server::with(&[]).expect("a server")
    }

    /// A server, or what it complains about.
    fn with(arguments: &[&str]) -> Result<Server, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
        command.arg("serve").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        if line.is_empty() {
            let mut complaint = String::new();
            child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
            let status = child.wait().unwrap();
            return Err(format!("{}: {complaint}", status.code().unwrap_or(-1)));
        }
        let address = line.trim().strip_prefix("The page is at http://").unwrap();
        let port = address.split([':', '/']).nth(1).unwrap().parse().unwrap();
        let token = address.split_once("token=").map(|(_, t)| t.to_string()).unwrap_or_default();
        Ok(Server { child, _stdout: stdout, port, token })
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are; everything that comes back.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // Who refuses a request may close before it was sent.
        let _ = stream.write_all(request);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    }

    fn head(&self, body: &str) -> String {
        format!(
            "POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nX-Craig-Token: {}\r\nContent-Length: {}\r\n",
            self.port,
            self.token,
            body.len()
        )
    }

    fn post(&self, body: &str) -> String {
        self.raw(format!("{}\r\n{body}", self.head(body)).as_bytes())
    }

    fn get(&self, path: &str) -> String {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port).as_bytes())
    }

    fn ask(&self, request: &Value) -> Value {
        reply(&self.post(&request.to_string()))
    }

    fn check(&self, source: &str, seconds: u64) -> Value {
        self.ask(&json!({
            "kind": "check", "language": "c", "source": source, "property": "unreach-call", "timeout_ms": seconds * 1000,
        }))
    }

    /// Does the server still answer as it should?
    fn is_well(&self) {
        let reply = self.check("int main(void) { int x = 1; if (x != 1) __builtin_abort(); return 0; }", 20);
        assert_eq!(reply["result"]["result"], "true", "{reply}");
    }

    /// The processes that the server has started and that still run.
    fn children(&self) -> Vec<u32> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
            if parent == Some(self.child.id()) {
                found.push(pid);
            }
        }
        found
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(response: &str) -> u16 {
    response.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
}

/// The last event of a stream of them.
fn reply(response: &str) -> Value {
    let mut events = response.lines().filter_map(|l| l.strip_prefix("data: "));
    let last = events.next_back().unwrap_or_else(|| panic!("no event: {response}"));
    let event: Value = serde_json::from_str(last).unwrap();
    assert_eq!(event["event"], "reply", "{event}");
    event["reply"].clone()
}

#[test]
fn the_page_and_its_files_are_sent_with_a_strict_policy() {
    let server = Server::start();
    let page = server.get("/?token=x");
    assert_eq!(status(&page), 200);
    assert!(page.contains("Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"));
    assert!(!page.contains("unsafe-inline") && !page.contains("<style") && !page.contains("style=\""));
    assert!(page.contains("X-Content-Type-Options: nosniff") && page.contains("frame-ancestors 'none'"));
    // Every file that a page names is there.
    for name in page.split(['"', '\'']).filter(|w| w.ends_with(".js") || w.ends_with(".css") || w.ends_with(".svg")) {
        assert_eq!(status(&server.get(&format!("/{name}"))), 200, "{name}");
    }
}

#[test]
fn programs_and_formulas_are_answered() {
    let server = Server::start();
    let registry = server.ask(&json!({ "kind": "registry" }));
    assert!(registry["examples"].as_array().unwrap().len() > 5);
    let response = server.post(
        &json!({ "kind": "check", "language": "c", "source": "int main(void) { int x = 2147483647; return x + 1; }", "property": "no-overflow" })
            .to_string(),
    );
    assert!(response.contains("Content-Type: text/event-stream"));
    assert!(response.contains("data: {\"event\":\"stage\",\"stage\":\"checking\"}\n\n"), "{response}");
    assert_eq!(reply(&response)["result"]["result"], "false(no-overflow)");
    let solved = server.ask(&json!({ "kind": "solve", "script": "(set-logic QF_LIA)(assert false)(check-sat)" }));
    assert_eq!(solved["output"].as_str().unwrap().trim(), "unsat");
}

/// Another user of the computer has no token; another page in the browser has another origin; a name that was made to
/// lead here (DNS rebinding) is another host.
#[test]
fn only_the_page_itself_may_ask() {
    let server = Server::start();
    let body = r#"{"kind":"registry"}"#;
    let with = |old: &str, new: &str| {
        let head = server.head(body).replace(old, new);
        status(&server.raw(format!("{head}\r\n{body}").as_bytes()))
    };
    let token = format!("X-Craig-Token: {}", server.token);
    assert_eq!(with("?", "?"), 200);
    assert_eq!(with(&token, "X-Nothing: here"), 403);
    assert_eq!(with(&token, "X-Craig-Token: 00000000000000000000000000000000"), 403);
    assert_eq!(with(&token, &format!("{token}0")), 403);
    let host = format!("Host: 127.0.0.1:{}", server.port);
    assert_eq!(with(&host, &format!("Host: localhost:{}", server.port)), 200);
    for other in ["Host: evil.example", "Host: 127.0.0.1", "Host: ", "X-Host: none"] {
        assert_eq!(with(&host, other), 421, "{other}");
    }
    let own = format!("{host}\r\nOrigin: http://127.0.0.1:{}", server.port);
    assert_eq!(with(&host, &own), 200);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"] {
        assert_eq!(with(&host, &format!("{host}\r\nOrigin: {origin}")), 403, "{origin}");
    }
    assert_eq!(with(&host, &format!("{host}\r\nSec-Fetch-Site: cross-site")), 403);
    // What a form of another page could send without asking first.
    assert_eq!(with("Content-Type: application/json", "Content-Type: text/plain"), 415);
    assert_eq!(status(&server.get("/api/ask")), 404);
}

#[test]
fn no_path_leads_to_the_disk() {
    let server = Server::start();
    let paths = [
        "/etc/passwd",
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/vendor/../../Cargo.toml",
        "/vendor/codemirror.js/../../../Cargo.toml",
        "/style.css%00.js",
        "/Cargo.toml",
        "/.git/config",
    ];
    for path in paths {
        let response = server.get(path);
        assert_eq!(status(&response), 404, "{path}");
        assert!(!response.contains("root:"));
    }
    server.is_well();
}

#[test]
fn files_and_devices_cannot_be_included() {
    let server = Server::start();
    for name in ["/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/environ", "../../../../etc/passwd", "/dev/tty"] {
        let began = Instant::now();
        let reply = server.check(&format!("#include \"{name}\"\nint main(void) {{ return 0; }}"), 20);
        assert_eq!(reply["result"]["result"], "error", "{name}");
        let problem = &reply["result"]["problems"][0];
        assert!(problem["message"].as_str().unwrap().contains("not available: only the headers of the C library"));
        assert_eq!(problem["range"]["line"], 1);
        assert!(!reply.to_string().contains("root:x"));
        assert!(began.elapsed() < Duration::from_secs(15), "{name}");
    }
    server.is_well();
}

#[test]
fn only_listed_options_are_taken() {
    let server = Server::start();
    for (option, value) in [
        ("cpp", "touch /tmp/x"),
        ("include", "/etc"),
        ("witness", "/tmp/w"),
        ("report", "/tmp/r"),
        ("files", "/etc/passwd"),
    ] {
        let mut request = json!({ "kind": "check", "language": "c", "source": "", "property": "unreach-call" });
        request[option] = json!(value);
        let response = server.post(&request.to_string());
        assert_eq!(status(&response), 400, "{option}");
        assert!(response.contains("unknown field"), "{response}");
    }
    let prp = server.ask(&json!({ "kind": "check", "language": "c", "source": "", "property": "/etc/passwd.prp" }));
    assert_eq!(prp["result"]["result"], "error");
    for garbage in ["", "{", "null", "[1,2]", "\u{1}", "{\"kind\":\"check\"}"] {
        assert_eq!(status(&server.post(garbage)), 400, "{garbage}");
    }
}

/// Thirty macros of which each names the one before twice: 2^30 words.
#[test]
fn macros_that_explode_are_ended() {
    let server = Server::start();
    let mut source = String::from("#define A0 1+1\n");
    for i in 1..30 {
        source += &format!("#define A{i} A{} + A{}\n", i - 1, i - 1);
    }
    source += "int main(void) { return A29; }\n";
    let began = Instant::now();
    let reply = server.check(&source, 2);
    assert_ne!(reply["result"]["result"], "true", "{reply}");
    assert!(began.elapsed() < Duration::from_secs(20));
    server.is_well();
}

#[test]
fn deep_nesting_is_survived() {
    let server = Server::start();
    let n = 100_000;
    let expression = format!("int main(void) {{ return {}1{}; }}", "(".repeat(n), ")".repeat(n));
    let blocks = format!("int main(void) {{ {} return 0; {} }}", "{".repeat(n), "}".repeat(n));
    let includes = "#include __FILE__\nint main(void) { return 0; }".to_string();
    for source in [expression, blocks, includes] {
        let reply = server.check(&source, 5);
        assert!(
            reply["result"]["result"] == "error" || reply["result"]["result"].as_str().unwrap().starts_with("unknown"),
            "{reply}"
        );
    }
    let script = format!("(assert {}true{})(check-sat)", "(not ".repeat(n), ")".repeat(n));
    let solved = server.ask(&json!({ "kind": "solve", "script": script, "timeout_ms": 5000 }));
    assert!(solved["output"].is_string() || solved["kind"] == "failed", "{solved}");
    // JSON itself may nest as well.
    assert_eq!(status(&server.post(&"[".repeat(n))), 400);
    server.is_well();
}

/// A short body that asks for much memory: escapes, a length that is a lie, tables that a small program declares.
#[test]
fn what_expands_is_held_to_its_limits() {
    let server = Server::start();
    let long =
        format!("POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 99999999999\r\n\r\n", server.port);
    assert_eq!(status(&server.raw(long.as_bytes())), 413);
    let huge = json!({ "kind": "check", "language": "c", "source": " ".repeat(5 << 20), "property": "unreach-call" });
    let response = server.post(&huge.to_string());
    assert_eq!(status(&response), 400);
    assert!(response.contains("at most 4096 kB"), "{response}");
    let table = "int t[1 << 28] = { [0 ... (1 << 28) - 1] = 7 }; int main(void) { return t[5] == 7 ? 0 : 1; }";
    let asked = json!({ "kind": "check", "language": "c", "source": table, "property": "unreach-call", "timeout_ms": 3000, "memory_mb": 300 });
    let reply = server.ask(&asked);
    assert!(reply["result"]["result"].is_string(), "{reply}");
    server.is_well();
}

#[test]
fn slow_clients_do_not_keep_others_waiting() {
    let server = Server::start();
    let slow: Vec<TcpStream> = (0..40)
        .map(|i| {
            let mut stream = server.connect();
            // Half send a part of a head, half a part of a body.
            let text = if i % 2 == 0 {
                "POST /api/ask HTTP/1.1\r\nHo".to_string()
            } else {
                format!("{}\r\n{{", server.head("{\"kind\":\"registry\"}"))
            };
            stream.write_all(text.as_bytes()).unwrap();
            stream
        })
        .collect();
    let began = Instant::now();
    server.is_well();
    assert!(began.elapsed() < Duration::from_secs(20));
    let mut first = slow.into_iter().next().unwrap();
    let mut response = String::new();
    let _ = first.read_to_string(&mut response);
    assert_eq!(status(&response), 408, "{response}");
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn requests_cannot_be_smuggled() {
    let server = Server::start();
    let body = r#"{"kind":"registry"}"#;
    let head = server.head(body);
    let hidden = format!("GET /style.css HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    let attempts = [
        (format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}"), 501),
        (format!("{head}Content-Length: 5\r\n\r\n{body}{hidden}"), 400),
        (format!("{head}\r\n{body}{hidden}"), 400),
        (format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: +0\r\n\r\n{hidden}", server.port), 400),
        (format!("{}\r\n{body}", head.replace("Content-Length", "Content-Length ")), 400),
        (format!("{head} x: folded\r\n\r\n{body}"), 400),
        (format!("{head}X: a\nTransfer-Encoding: chunked\r\n\r\n{body}"), 400),
        (format!("{head}Host: evil.example\r\n\r\n{body}"), 400),
        (format!("{head}X: {}\r\n\r\n{body}", "a".repeat(64 << 10)), 431),
    ];
    for (i, (request, expected)) in attempts.iter().enumerate() {
        let response = server.raw(request.as_bytes());
        assert_eq!(status(&response), *expected, "{i}: {response}");
        assert_eq!(response.matches("HTTP/1.1 ").count(), 1, "{i}: {response}");
    }
    // Two whole requests behind each other: one answer at most.
    let response = server.raw(format!("{hidden}{hidden}").as_bytes());
    assert_eq!(response.matches("HTTP/1.1 ").count(), 1);
    server.is_well();
}

#[test]
fn two_hundred_requests_at_once_are_answered_or_refused() {
    let server = Server::start();
    let body = json!({ "kind": "solve", "script": "(set-logic QF_LIA)(check-sat)" }).to_string();
    let counts: Vec<u16> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..200).map(|_| scope.spawn(|| status(&server.post(&body)))).collect();
        asked.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let n = |wanted: u16| counts.iter().filter(|&&s| s == wanted).count();
    // A connection that is refused at once may be reset before the answer is read.
    assert_eq!(n(200) + n(503) + n(0), 200, "{counts:?}");
    assert!(n(200) >= 20, "{counts:?}");
    server.is_well();
}

/// Factors of the prime 2^62 - 57: hours of work for a solver that multiplies bits, and no lucky guess ends it.
const FACTORS: &str = "(set-logic QF_BV)(declare-fun a () (_ BitVec 32))(declare-fun b () (_ BitVec 32))\
    (assert (= (bvmul ((_ zero_extend 32) a) ((_ zero_extend 32) b)) #x3fffffffffffffc7))\
    (assert (bvugt a #x00000001))(assert (bvugt b #x00000001))(check-sat)";

#[test]
fn whoever_leaves_cancels() {
    let server = Server::start();
    let body = json!({ "kind": "solve", "script": FACTORS, "timeout_ms": 600_000 }).to_string();
    let reaches = |wanted: usize| {
        let began = Instant::now();
        while server.children().len() != wanted && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(20));
        }
        server.children().len() == wanted
    };
    let asked = || {
        let mut stream = server.connect();
        stream.write_all(format!("{}\r\n{body}", server.head(&body)).as_bytes()).unwrap();
        assert!(reaches(1), "no check was begun: {:?}", server.children());
        stream
    };
    let stream = asked();
    drop(stream);
    assert!(reaches(0), "{:?}", server.children());
    // The processes end with the server, however that ends.
    let _stream = asked();
    let child = server.children()[0];
    drop(server);
    let began = Instant::now();
    while std::fs::read_to_string(format!("/proc/{child}/comm")).is_ok_and(|c| c.contains("craig")) {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_port_that_is_taken_is_told() {
    let server = Server::start();
    let refused = Server::with(&["--port", &server.port.to_string()]).err().unwrap();
    assert!(refused.starts_with("2: ") && refused.contains("choose another --port"), "{refused}");
    let refused = Server::with(&["--listen", "0.0.0.0"]).err().unwrap();
    assert!(refused.starts_with("2: ") && refused.contains("--public"), "{refused}");
}

// The public server -------------------------------------------------------------------------------

/// Without its sandbox it does not start.
#[test]
fn a_public_server_needs_bubblewrap() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    let output = command
        .args(["serve", "--public", "--name", "localhost", "--port", "0"])
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs bubblewrap"));
    // Something of that name that does not do its work.
    let folder = std::env::temp_dir().join(format!("craig-no-bwrap-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink("/bin/false", folder.join("bwrap")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    let output = command
        .args(["serve", "--public", "--name", "localhost", "--port", "0"])
        .env("PATH", &folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("never runs without it"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A public server, where bubblewrap is installed and allowed.
fn public() -> Option<Server> {
    match Server::with(&["--public", "--name", "127.0.0.1", "--port", "0"]) {
        Ok(server) => Some(server),
        Err(why) if why.contains("bubblewrap") => {
            println!("NOT TESTED: {why}");
            None
        }
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn a_public_server_answers_everybody_within_its_limits() {
    let Some(server) = public() else { return };
    server.is_well();
    assert_eq!(status(&server.raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 421);
    let long = json!({ "kind": "check", "language": "c", "source": " ".repeat(300 << 10), "property": "unreach-call" });
    let response = server.post(&long.to_string());
    assert!(status(&response) == 400 && response.contains("at most 256 kB"), "{response}");
    // One at a time for each address; others are told to wait.
    let body = json!({ "kind": "solve", "script": FACTORS, "timeout_ms": 30_000 }).to_string();
    let mut stream = server.connect();
    stream.write_all(format!("{}\r\n{body}", server.head(&body)).as_bytes()).unwrap();
    let mut begin = [0; 16];
    stream.read_exact(&mut begin).unwrap();
    assert_eq!(status(&server.post(r#"{"kind":"registry"}"#)), 429);
    drop(stream);
    let began = Instant::now();
    while status(&server.post(r#"{"kind":"registry"}"#)) != 200 {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
}
