//! `craig lsp`: a language server over standard input and output (Language Server Protocol 3.17).
//!
//! A document is checked when it is opened, when it is saved, and when it has not been changed for a moment, by a
//! process of its own ([`crate::worker`]): cancelling is then killing. The process is given the texts that the editor
//! has, saved or not. A new check of a document cancels the one that runs. What was found becomes diagnostics, with the
//! execution as related information, and inlay hints and hovers with invariants, contracts and ranking functions. What
//! is likely to give an answer where there is none is offered as a change of the text.
//!
//! A C file without `main` has a lens above each function that checks it by itself. The functions are found by the
//! front end, in this process.
//!
//! One thread reads messages, one per check waits for its process, and the main thread owns all state: the others only
//! send it events. Positions on the wire count UTF-16 units, ours count characters; the text of the line converts.
//!
//! Settings (`initializationOptions`, or the `craig` section of the configuration): `timeout`, `memory`, `property`,
//! `engine`, `dataModel`, `entry`, `jobs`, `checkOnOpen`, `checkOnChange`.

use crate::args::{CheckArgs, DataModel};
use crate::worker::{self, Job};
use crate::{exit, property};
use report::escape::{path_of_uri, uri};
use report::{FactKind, FileResult, Kind, Range};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

/// Error codes of JSON-RPC and of the protocol.
mod code {
    pub(super) const PARSE_ERROR: i64 = -32700;
    pub(super) const INVALID_REQUEST: i64 = -32600;
    pub(super) const METHOD_NOT_FOUND: i64 = -32601;
    pub(super) const INVALID_PARAMS: i64 = -32602;
    pub(super) const NOT_INITIALIZED: i64 = -32002;
    pub(super) const REQUEST_CANCELLED: i64 = -32800;
}

/// The most steps of an execution that are sent along with a diagnostic: the last ones.
const MAX_RELATED: usize = 100;
/// Longer hints are cut; the whole stands in the tooltip.
const MAX_HINT: usize = 80;
/// Longer messages are skipped.
const MAX_MESSAGE: u64 = 64 << 20;
const PROGRESS_EVERY: Duration = Duration::from_millis(500);
/// A document is checked when it has not changed for this long.
const IDLE: Duration = Duration::from_millis(600);
/// Functions of longer texts are not listed.
const MAX_TEXT: usize = 1 << 18;

enum Event {
    Message(Value),
    /// The input is not a message.
    Garbage,
    Closed,
    Tick {
        check: u64,
    },
    /// Some time has passed since this version of a document came.
    Idle {
        uri: String,
        version: u64,
    },
    Finished {
        check: u64,
        found: Box<FileResult>,
    },
}

pub(crate) fn run() -> u8 {
    let (events, inbox) = mpsc::channel();
    let reader = events.clone();
    std::thread::spawn(move || read_messages(&mut std::io::stdin().lock(), &reader));
    let mut server = Server::new(events, Box::new(std::io::stdout()));
    server.serve(&inbox)
}

/// Reads messages with their headers until the input ends.
fn read_messages(input: &mut dyn BufRead, events: &Sender<Event>) {
    loop {
        match read_message(input) {
            Ok(Some(body)) => {
                let message = body.and_then(|bytes| serde_json::from_slice(&bytes).ok());
                let event = message.map_or(Event::Garbage, Event::Message);
                if events.send(event).is_err() {
                    return;
                }
            }
            Ok(None) | Err(_) => {
                let _ = events.send(Event::Closed);
                return;
            }
        }
    }
}

/// The body of the next message. `None`: the input has ended; `Some(None)`: the message was too long and is skipped.
fn read_message(input: &mut dyn BufRead) -> std::io::Result<Option<Option<Vec<u8>>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            match length {
                Some(_) => break,
                // Blank lines between messages.
                None => continue,
            }
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let unreadable = |_| std::io::Error::other("Content-Length is not a number");
            length = Some(value.trim().parse().map_err(unreadable)?);
        }
    }
    let length = length.unwrap_or(0);
    let mut body = input.take(length);
    if length > MAX_MESSAGE {
        std::io::copy(&mut body, &mut std::io::sink())?;
        return Ok(Some(None));
    }
    let mut bytes = vec![0; length as usize];
    body.read_exact(&mut bytes)?;
    Ok(Some(Some(bytes)))
}

/// A check that runs.
struct Running {
    uri: String,
    cancel: Arc<AtomicBool>,
    began: Instant,
    token: Option<String>,
    /// Requests that wait for its result.
    waiting: Vec<Value>,
}

#[derive(Clone)]
struct Settings {
    timeout: String,
    memory: String,
    property: String,
    engine: String,
    data_model: String,
    /// The functions that executions start in; none: `main`, or every function that others can call.
    entry: Vec<String>,
    jobs: usize,
    check_on_open: bool,
    check_on_change: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            timeout: "10s".to_string(),
            memory: "2GB".to_string(),
            property: "unreach-call".to_string(),
            engine: "auto".to_string(),
            data_model: "LP64".to_string(),
            entry: Vec::new(),
            jobs: 1,
            check_on_open: true,
            check_on_change: true,
        }
    }
}

impl Settings {
    /// Takes over what is there and makes sense; the rest is returned as complaints.
    fn update(&mut self, given: &Value) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut take = |name: &str, target: &mut String, valid: &dyn Fn(&str) -> Result<(), String>| {
            if let Some(text) = given[name].as_str() {
                match valid(text) {
                    Ok(()) => *target = text.to_string(),
                    Err(why) => complaints.push(format!("setting craig.{name}: {why}")),
                }
            }
        };
        take("timeout", &mut self.timeout, &|t| crate::units::parse_duration(t).map(drop));
        take("memory", &mut self.memory, &|t| crate::units::parse_size(t).map(drop));
        take("property", &mut self.property, &|t| property::parse(t).map(drop));
        take("engine", &mut self.engine, &|t| match t == "auto" || engine::engine_by_name(t).is_some() {
            true => Ok(()),
            false => Err(format!("unknown engine '{t}'")),
        });
        take("dataModel", &mut self.data_model, &|t| match t {
            "ILP32" | "LP64" => Ok(()),
            _ => Err("use ILP32 or LP64".to_string()),
        });
        if let Some(n) = given["jobs"].as_u64() {
            self.jobs = n.clamp(1, 64) as usize;
        }
        if let Some(on) = given["checkOnOpen"].as_bool() {
            self.check_on_open = on;
        }
        if let Some(on) = given["checkOnChange"].as_bool() {
            self.check_on_change = on;
        }
        match &given["entry"] {
            Value::String(names) => {
                self.entry = names.split([',', ' ']).filter(|n| !n.is_empty()).map(str::to_string).collect();
            }
            Value::Array(names) => self.entry = names.iter().filter_map(|n| n.as_str()).map(str::to_string).collect(),
            _ => {}
        }
        complaints
    }

    fn data_model(&self) -> DataModel {
        if self.data_model == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 }
    }

    /// The check of a file with some texts that are not on the disk; `entry`: where executions start, if that is not a
    /// setting's concern.
    fn job(&self, file: &Path, entry: Option<&str>, buffer: Vec<String>) -> Option<Job> {
        let mut args = CheckArgs {
            timeout: crate::units::parse_duration(&self.timeout).ok()?,
            memory: crate::units::parse_size(&self.memory).ok()?,
            engine: self.engine.clone(),
            data_model: Some(self.data_model()),
            buffer,
            ..CheckArgs::of(file)
        };
        args.c.entry = entry.map_or_else(|| self.entry.clone(), |e| vec![e.to_string()]);
        Some(Job::new(file, &property::parse(&self.property).ok()?, &args, self.jobs))
    }
}

/// What is known about an open document.
#[derive(Default)]
struct Document {
    text: String,
    found: Option<FileResult>,
    /// Other files that carry diagnostics because of this one.
    published: BTreeSet<String>,
    /// The text has changed since the last result: its lines may have moved.
    changed: bool,
    /// Counts the texts.
    version: u64,
    /// The version that was checked last, or is being checked.
    asked: Option<u64>,
    /// The functions of the text, computed on the first request.
    functions: Option<Vec<Function>>,
}

/// A function of a document.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    /// From 0.
    line: u32,
    /// The parameters that are pointers.
    pointers: Vec<String>,
}

impl Function {
    /// A contract to be filled in, in the syntax of ACSL.
    fn contract(&self) -> String {
        let listed = |f: &dyn Fn(&String) -> String| self.pointers.iter().map(f).collect::<Vec<_>>().join(", ");
        let (requires, assigns) = match self.pointers.is_empty() {
            true => ("\\true".to_string(), "\\nothing".to_string()),
            false => {
                let valid: Vec<String> = self.pointers.iter().map(|p| format!("\\valid({p})")).collect();
                (valid.join(" && "), listed(&|p| format!("*{p}")))
            }
        };
        format!("/*@ requires {requires};\n    assigns {assigns};\n    ensures \\true;\n*/\n")
    }
}

impl Document {
    fn set_text(&mut self, text: &str) {
        if self.text != text {
            self.text = text.to_string();
            (self.functions, self.version) = (None, self.version + 1);
        }
    }
}

struct Server {
    events: Sender<Event>,
    output: Box<dyn Write>,
    initialized: bool,
    shut_down: bool,
    settings: Settings,
    documents: BTreeMap<String, Document>,
    checks: BTreeMap<u64, Running>,
    next_id: u64,
    client_shows_progress: bool,
    client_refreshes_hints: bool,
}

impl Server {
    fn new(events: Sender<Event>, output: Box<dyn Write>) -> Server {
        Server {
            events,
            output,
            initialized: false,
            shut_down: false,
            settings: Settings::default(),
            documents: BTreeMap::new(),
            checks: BTreeMap::new(),
            next_id: 1,
            client_shows_progress: false,
            client_refreshes_hints: false,
        }
    }

    fn serve(&mut self, inbox: &Receiver<Event>) -> u8 {
        for event in inbox {
            match event {
                Event::Message(message) => {
                    if let Some(status) = self.message(&message) {
                        return self.end(status);
                    }
                }
                Event::Garbage => self.error(&Value::Null, code::PARSE_ERROR, "the message is not JSON, or too long"),
                Event::Closed => return self.end(if self.shut_down { exit::HOLDS } else { exit::VIOLATED }),
                Event::Tick { check } => self.report_progress(check),
                Event::Idle { uri, version } => {
                    let is_new = |d: &Document| d.version == version && d.asked != Some(version);
                    if self.documents.get(&uri).is_some_and(is_new) {
                        self.start(&uri, None);
                    }
                }
                Event::Finished { check, found } => self.finished(check, *found),
            }
        }
        self.end(exit::VIOLATED)
    }

    /// No check outlives the server.
    fn end(&mut self, status: u8) -> u8 {
        for running in self.checks.values() {
            running.cancel.store(true, Ordering::Relaxed);
        }
        let patience = Instant::now();
        while !self.checks.is_empty() && patience.elapsed() < Duration::from_millis(200) {
            self.checks.retain(|_, r| Arc::strong_count(&r.cancel) > 1);
            std::thread::sleep(Duration::from_millis(2));
        }
        status
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        // A client that is gone will close our input, too.
        let _ = write!(self.output, "Content-Length: {}\r\n\r\n{body}", body.len());
        let _ = self.output.flush();
    }
    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
    fn request(&mut self, method: &str, params: Value) {
        let id = format!("craig-{}", self.fresh());
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }
    fn answer(&mut self, id: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }
    fn error(&mut self, id: &Value, code: i64, message: &str) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }));
    }
    fn fresh(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Handles a message; an exit status if it is the last.
    fn message(&mut self, message: &Value) -> Option<u8> {
        let params = &message["params"];
        let Some(method) = message["method"].as_str() else {
            // An answer to one of our requests needs nothing further.
            if message.get("result").is_none() && message.get("error").is_none() {
                self.error(&message["id"], code::INVALID_REQUEST, "neither a request nor an answer");
            }
            return None;
        };
        match message.get("id") {
            Some(id) => self.handle_request(id, method, params),
            None if method == "exit" => return Some(if self.shut_down { exit::HOLDS } else { exit::VIOLATED }),
            None => self.handle_notification(method, params),
        }
        None
    }

    fn handle_request(&mut self, id: &Value, method: &str, params: &Value) {
        if !self.initialized && method != "initialize" {
            return self.error(id, code::NOT_INITIALIZED, "the first request must be initialize");
        }
        if self.shut_down {
            return self.error(id, code::INVALID_REQUEST, "the server is shut down");
        }
        match method {
            "initialize" => self.initialize(id, params),
            "shutdown" => {
                self.shut_down = true;
                self.cancel_where(|_| true);
                self.answer(id, Value::Null);
            }
            "textDocument/inlayHint" => {
                let hints = self.inlay_hints(params);
                self.answer(id, hints);
            }
            "textDocument/hover" => {
                let hover = self.hover(params);
                self.answer(id, hover);
            }
            "textDocument/codeLens" => {
                let lenses = self.lenses(params);
                self.answer(id, lenses);
            }
            "textDocument/codeAction" => {
                let actions = self.actions(params);
                self.answer(id, actions);
            }
            "workspace/executeCommand" => {
                let (uri, function) = (params["arguments"][0].as_str(), params["arguments"][1].as_str());
                let started = match (params["command"].as_str(), uri, function) {
                    (Some("craig.check"), Some(uri), None) => self.start(uri, None),
                    (Some("craig.checkFunction"), Some(uri), Some(function)) => self.start(uri, Some(function)),
                    _ => {
                        let message = "the commands are craig.check with the URI of a document, and craig.checkFunction \
                                       with that and the name of a function";
                        return self.error(id, code::INVALID_PARAMS, message);
                    }
                };
                match started {
                    Some(check) => {
                        if let Some(running) = self.checks.get_mut(&check) {
                            running.waiting.push(id.clone());
                        }
                    }
                    None => self.error(id, code::INVALID_PARAMS, "not the name of a program"),
                }
            }
            _ => self.error(id, code::METHOD_NOT_FOUND, &format!("{method} is not supported")),
        }
    }

    fn initialize(&mut self, id: &Value, params: &Value) {
        self.initialized = true;
        let capabilities = &params["capabilities"];
        self.client_shows_progress = capabilities["window"]["workDoneProgress"].as_bool().unwrap_or(false);
        self.client_refreshes_hints =
            capabilities["workspace"]["inlayHint"]["refreshSupport"].as_bool().unwrap_or(false);
        let complaints = self.settings.update(&params["initializationOptions"]);
        let result = json!({
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": true } },
                "inlayHintProvider": true,
                "hoverProvider": true,
                "codeLensProvider": {},
                "codeActionProvider": { "codeActionKinds": ["quickfix", "source"] },
                "executeCommandProvider": { "commands": ["craig.check", "craig.checkFunction"] },
            },
            "serverInfo": { "name": "craig", "version": env!("CARGO_PKG_VERSION") },
        });
        self.answer(id, result);
        self.complain(complaints);
    }

    fn complain(&mut self, complaints: Vec<String>) {
        for message in complaints {
            self.notify("window/showMessage", json!({ "type": 2, "message": message }));
        }
    }

    fn handle_notification(&mut self, method: &str, params: &Value) {
        if !self.initialized {
            return;
        }
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_string();
        match method {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default().to_string();
                self.documents.insert(uri.clone(), Document { text, ..Document::default() });
                if self.settings.check_on_open {
                    self.start(&uri, None);
                }
            }
            "textDocument/didChange" => {
                if let Some(document) = self.documents.get_mut(&uri) {
                    let last = params["contentChanges"].as_array().and_then(|c| c.last());
                    if let Some(text) = last.and_then(|c| c["text"].as_str()) {
                        document.set_text(text);
                    }
                    document.changed = true;
                    let version = document.version;
                    if self.settings.check_on_change {
                        let events = self.events.clone();
                        std::thread::spawn(move || {
                            std::thread::sleep(IDLE);
                            let _ = events.send(Event::Idle { uri, version });
                        });
                    }
                }
            }
            "textDocument/didSave" => {
                if let (Some(document), Some(text)) = (self.documents.get_mut(&uri), params["text"].as_str()) {
                    document.set_text(text);
                }
                self.start(&uri, None);
            }
            "textDocument/didClose" => {
                self.cancel_where(|r| r.uri == uri);
                if let Some(document) = self.documents.remove(&uri) {
                    for other in document.published {
                        self.notify("textDocument/publishDiagnostics", json!({ "uri": other, "diagnostics": [] }));
                    }
                }
            }
            "workspace/didChangeConfiguration" => {
                let given = params["settings"].get("craig").unwrap_or(&params["settings"]);
                let complaints = self.settings.update(given);
                self.complain(complaints);
            }
            "$/cancelRequest" => {
                let id = &params["id"];
                self.cancel_where(|r| r.waiting.contains(id));
            }
            "window/workDoneProgress/cancel" => {
                let token = params["token"].as_str().map(str::to_string);
                self.cancel_where(|r| r.token.is_some() && r.token == token);
            }
            // Everything else is for servers that do more.
            _ => {}
        }
    }

    fn cancel_where(&mut self, chosen: impl Fn(&Running) -> bool) {
        let ids: Vec<u64> = self.checks.iter().filter(|(_, r)| chosen(r)).map(|(id, _)| *id).collect();
        for id in ids {
            let Some(running) = self.checks.remove(&id) else { continue };
            running.cancel.store(true, Ordering::Relaxed);
            self.end_progress(&running, "cancelled");
            for request in &running.waiting {
                self.error(request, code::REQUEST_CANCELLED, "cancelled");
            }
        }
    }

    /// Starts the check of a document, or of one function of it, ending one that runs already.
    fn start(&mut self, uri: &str, function: Option<&str>) -> Option<u64> {
        let path = PathBuf::from(path_of_uri(uri)?);
        if !driver::Language::is_program(&path) || self.shut_down {
            return None;
        }
        let check = self.fresh();
        let texts = Texts::write(self.unsaved(), check);
        let job = self.settings.job(&path, function, texts.arguments())?;
        self.cancel_where(|r| r.uri == uri);
        if let Some(document) = self.documents.get_mut(uri) {
            document.asked = Some(document.version);
        }
        let cancel = Arc::new(AtomicBool::new(false));
        let token = self.client_shows_progress.then(|| format!("craig-check-{check}"));
        if let Some(token) = &token {
            self.request("window/workDoneProgress/create", json!({ "token": token }));
            let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let value =
                json!({ "kind": "begin", "title": "craig", "message": name, "cancellable": true, "percentage": 0 });
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
        let (events, flag) = (self.events.clone(), cancel.clone());
        std::thread::spawn(move || {
            let last = std::cell::Cell::new(Instant::now());
            let found = worker::run(&job, &|| {
                if last.get().elapsed() >= PROGRESS_EVERY {
                    last.set(Instant::now());
                    let _ = events.send(Event::Tick { check });
                }
                flag.load(Ordering::Relaxed)
            });
            drop(texts);
            let _ = events.send(Event::Finished { check, found: Box::new(found) });
        });
        let running = Running { uri: uri.to_string(), cancel, began: Instant::now(), token, waiting: Vec::new() };
        self.checks.insert(check, running);
        Some(check)
    }

    fn report_progress(&mut self, check: u64) {
        let Some(running) = self.checks.get(&check) else { return };
        let Some(token) = running.token.clone() else { return };
        let all = crate::units::parse_duration(&self.settings.timeout).unwrap_or(Duration::from_secs(10));
        let spent = running.began.elapsed();
        let percentage = (100.0 * spent.as_secs_f64() / all.as_secs_f64().max(1e-3)).min(99.0) as u32;
        let message = format!("{:.0} s of {:.0} s", spent.as_secs_f64(), all.as_secs_f64());
        let value = json!({ "kind": "report", "message": message, "percentage": percentage });
        self.notify("$/progress", json!({ "token": token, "value": value }));
    }

    fn end_progress(&mut self, running: &Running, message: &str) {
        if let Some(token) = &running.token {
            let value = json!({ "kind": "end", "message": message });
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }

    fn finished(&mut self, check: u64, found: FileResult) {
        // A check that was cancelled is no longer listed.
        let Some(running) = self.checks.remove(&check) else { return };
        self.end_progress(&running, &found.message());
        let lines = Lines::new(self.documents.get(&running.uri).map(|d| (running.uri.as_str(), d.text.as_str())));
        let by_file = diagnostics(&found, &running.uri, &lines);
        let mut to_send: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        if let Some(document) = self.documents.get_mut(&running.uri) {
            to_send.extend(std::mem::take(&mut document.published).into_iter().map(|uri| (uri, Vec::new())));
            document.published = by_file.keys().cloned().collect();
            document.changed = false;
            document.found = Some(found.clone());
        }
        to_send.entry(running.uri.clone()).or_default();
        to_send.extend(by_file);
        for (uri, diagnostics) in to_send {
            self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "diagnostics": diagnostics }));
        }
        if self.client_refreshes_hints {
            self.request("workspace/inlayHint/refresh", Value::Null);
        }
        for id in &running.waiting {
            let result =
                json!({ "result": found.result, "message": found.message(), "wallSeconds": found.wall_seconds });
            self.answer(id, result);
        }
    }

    /// The texts of open documents that are not on the disk like that.
    fn unsaved(&self) -> Vec<(PathBuf, &str)> {
        let named =
            self.documents.iter().filter_map(|(uri, d)| Some((PathBuf::from(path_of_uri(uri)?), d.text.as_str())));
        named.filter(|(path, text)| std::fs::read_to_string(path).ok().as_deref() != Some(*text)).collect()
    }

    /// The functions of a document, as the front end sees them.
    fn functions(&mut self, uri: &str) -> Vec<Function> {
        let Some(document) = self.documents.get(uri) else { return Vec::new() };
        if let Some(known) = &document.functions {
            return known.clone();
        }
        let found = match path_of_uri(uri) {
            Some(path) if document.text.len() <= MAX_TEXT => {
                let texts = self.documents.iter();
                let texts =
                    texts.filter_map(|(u, d)| Some((PathBuf::from(path_of_uri(u)?), d.text.clone().into_bytes())));
                let host = crate::host::Buffers::of(texts);
                let args =
                    CheckArgs { data_model: Some(self.settings.data_model()), ..CheckArgs::of(Path::new(&path)) };
                functions_of(Path::new(&path), &args, host)
            }
            _ => Vec::new(),
        };
        if let Some(document) = self.documents.get_mut(uri) {
            document.functions = Some(found.clone());
        }
        found
    }

    /// Above each function of a file without `main`: check it by itself.
    fn lenses(&mut self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_string();
        let functions = self.functions(&uri);
        if functions.iter().any(|f| f.name == "main") {
            return json!([]);
        }
        let lens = |f: &Function| json!({ "range": line_range(f.line), "command": check_command(&uri, &f.name) });
        Value::from(functions.iter().map(lens).collect::<Vec<_>>())
    }

    /// What can be done at a place: check its function, give that a contract, follow the advice of the last answer.
    fn actions(&mut self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_string();
        let line = params["range"]["start"]["line"].as_u64().unwrap_or(0) as u32;
        let insert = |line: u32, text: &str| {
            let at = json!({ "line": line, "character": 0 });
            json!({ "changes": { uri.as_str(): [{ "range": { "start": at, "end": at }, "newText": text }] } })
        };
        let mut actions = Vec::new();
        let own = path_of_uri(&uri).unwrap_or_default();
        let known = self.documents.get(&uri).filter(|d| !d.changed).and_then(|d| d.found.as_ref());
        for advice in known.iter().flat_map(|f| &f.advice) {
            if let Some(edit) = advice.edit.as_ref().filter(|e| e.file == own) {
                let (title, edit) = (advice.to_string(), insert(edit.after_line, &edit.text));
                actions.push(json!({ "title": title, "kind": "quickfix", "edit": edit }));
            }
        }
        let functions = self.functions(&uri);
        if let Some(f) = functions.iter().filter(|f| f.line <= line).max_by_key(|f| f.line) {
            let (check, name) = (check_command(&uri, &f.name), &f.name);
            actions.push(json!({ "title": format!("check {name}"), "kind": "source", "command": check }));
            let title = format!("insert a contract for {name}");
            actions.push(json!({ "title": title, "kind": "quickfix", "edit": insert(f.line, &f.contract()) }));
        }
        Value::from(actions)
    }

    /// What a proof says at a line.
    fn hover(&self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let line = params["position"]["line"].as_u64().unwrap_or(0);
        let Some(document) = self.documents.get(uri).filter(|d| !d.changed) else { return Value::Null };
        let own = path_of_uri(uri).unwrap_or_default();
        let is_here = |f: &&report::Fact| {
            f.range.as_ref().is_some_and(|r| r.file == own && u64::from(r.line.saturating_sub(1)) == line)
        };
        let facts = document.found.iter().flat_map(|f| f.invariants.iter().flatten()).filter(is_here);
        let facts: Vec<String> = facts.map(|f| format!("{}:\n```c\n{}\n```", f.place, f.formula)).collect();
        match facts.is_empty() {
            true => Value::Null,
            false => json!({ "contents": { "kind": "markdown", "value": facts.join("\n\n") } }),
        }
    }

    fn inlay_hints(&self, params: &Value) -> Value {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let Some(document) = self.documents.get(uri).filter(|d| !d.changed) else { return json!([]) };
        let line = |which: &str, default: u64| params["range"][which]["line"].as_u64().unwrap_or(default);
        let (first, last) = (line("start", 0), line("end", u64::MAX));
        let own = path_of_uri(uri).unwrap_or_default();
        let mut hints = Vec::new();
        for fact in document.found.iter().flat_map(|f| f.invariants.iter().flatten()) {
            let Some(range) = fact.range.as_ref().filter(|r| r.file == own) else { continue };
            let at = u64::from(range.line.saturating_sub(1));
            if at < first || at > last {
                continue;
            }
            let word = match fact.kind {
                FactKind::Invariant => "invariant",
                FactKind::Contract => "contract",
                FactKind::Ranking => "ranking",
                FactKind::Bound => "bound",
            };
            let whole = format!("{word}: {}", fact.formula);
            let label: String = match whole.chars().count() {
                n if n > MAX_HINT => whole.chars().take(MAX_HINT - 1).chain(['…']).collect(),
                _ => whole.clone(),
            };
            let end = document.text.lines().nth(at as usize).map_or(0, |l| l.trim_end().encode_utf16().count());
            hints.push(json!({
                "position": { "line": at, "character": end },
                "label": label,
                "tooltip": whole,
                "paddingLeft": true,
            }));
        }
        Value::from(hints)
    }
}

fn line_range(line: u32) -> Value {
    let at = json!({ "line": line, "character": 0 });
    json!({ "start": at, "end": at })
}

fn check_command(uri: &str, function: &str) -> Value {
    json!({ "title": format!("check {function}"), "command": "craig.checkFunction", "arguments": [uri, function] })
}

/// The functions that a C file defines.
fn functions_of(path: &Path, args: &CheckArgs, host: Arc<dyn driver::Host>) -> Vec<Function> {
    if driver::Language::of(path) != Some(driver::Language::C) {
        return Vec::new();
    }
    let work = std::panic::AssertUnwindSafe(|| {
        let source = driver::Source::read(path, &args.read_options(), host).ok()?;
        let (property, settings) = (ir::Property::UnreachCall, driver::Settings::default());
        let loaded = driver::Question::new(&source, &property, &settings).load();
        let own = path.display().to_string();
        let here = |f: &ir::source::SourceFunction| {
            let range = Range::of(&loaded.sources, f.span).filter(|r| r.file == own)?;
            let pointers = f.params.iter().filter(|p| matches!(p.1, Some(ir::source::SourceType::Pointer)));
            let pointers = pointers.map(|p| p.0.clone()).collect();
            Some(Function { name: f.name.clone(), line: range.line.saturating_sub(1), pointers })
        };
        let mut found: Vec<Function> = loaded.program.source.functions.values().filter_map(here).collect();
        found.sort_by_key(|f| f.line);
        Some(found)
    });
    std::panic::catch_unwind(work).ok().flatten().unwrap_or_default()
}

/// Texts that are not on the disk, in files that are removed when they are no longer needed.
struct Texts {
    files: Vec<(PathBuf, PathBuf)>,
}

impl Texts {
    fn write(texts: Vec<(PathBuf, &str)>, check: u64) -> Texts {
        let mut files = Vec::new();
        for (i, (path, text)) in texts.into_iter().enumerate() {
            let file = std::env::temp_dir().join(format!("craig-lsp-{}-{check}-{i}", std::process::id()));
            if std::fs::write(&file, text).is_ok() {
                files.push((path, file));
            }
        }
        Texts { files }
    }
    fn arguments(&self) -> Vec<String> {
        self.files.iter().map(|(path, file)| format!("{}={}", path.display(), file.display())).collect()
    }
}

impl Drop for Texts {
    fn drop(&mut self) {
        for (_, file) in &self.files {
            let _ = std::fs::remove_file(file);
        }
    }
}

/// The lines of files, to convert columns; the open document's text is what the client has.
struct Lines {
    known: BTreeMap<String, Vec<String>>,
}

impl Lines {
    fn new(open: Option<(&str, &str)>) -> Lines {
        let open = open.and_then(|(uri, text)| Some((path_of_uri(uri)?, text.lines().map(str::to_string).collect())));
        Lines { known: open.into_iter().collect() }
    }
    /// A position of ours (from 1, in characters) as one of the protocol (from 0, in UTF-16 units).
    fn position(&self, file: &str, line: u32, column: u32) -> Value {
        let read;
        let lines = match self.known.get(file) {
            Some(lines) => lines,
            None => {
                let text = std::fs::read_to_string(file).unwrap_or_default();
                read = text.lines().map(str::to_string).collect::<Vec<_>>();
                &read
            }
        };
        let n_before = column.saturating_sub(1) as usize;
        let text = lines.get(line.saturating_sub(1) as usize).map_or("", String::as_str);
        let units: usize = text.chars().take(n_before).map(char::len_utf16).sum();
        json!({ "line": line.saturating_sub(1), "character": units })
    }
    fn range(&self, range: &Range) -> Value {
        json!({
            "start": self.position(&range.file, range.line, range.column),
            "end": self.position(&range.file, range.end_line, range.end_column),
        })
    }
}

/// The diagnostics of a result by the URI they belong to.
fn diagnostics(found: &FileResult, own_uri: &str, lines: &Lines) -> BTreeMap<String, Vec<Value>> {
    let own_path = path_of_uri(own_uri).unwrap_or_default();
    // The client's own spelling of its URI, or it will not recognise it.
    let uri_of = |file: &str| if file == own_path { own_uri.to_string() } else { uri(file) };
    let start_of_file = || json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let make = |range: Option<&Range>, severity: u32, code: &str, message: &str, related: Vec<Value>| {
        let place = range.map_or_else(|| own_uri.to_string(), |r| uri_of(&r.file));
        let mut object = json!({
            "range": range.map_or_else(start_of_file, |r| lines.range(r)),
            "severity": severity,
            "source": "craig",
            "code": code,
            "message": message,
        });
        if !related.is_empty() {
            object["relatedInformation"] = Value::from(related);
        }
        (place, object)
    };
    let mut list = Vec::new();
    match found.kind() {
        Kind::Holds => {}
        Kind::Violated => {
            let steps: Vec<_> =
                found.steps().filter_map(|(s, repeats)| Some((s, repeats, s.range.as_ref()?))).collect();
            let related = steps.iter().skip(steps.len().saturating_sub(MAX_RELATED)).map(|(step, repeats, range)| {
                let values = report::text::values(step);
                let mut message = if *repeats { format!("forever: {}", step.source) } else { step.source.clone() };
                if !values.is_empty() {
                    message = format!("{message}  [{values}]");
                }
                json!({ "location": { "uri": uri_of(&range.file), "range": lines.range(range) }, "message": message })
            });
            list.push(make(found.main_range(), 1, found.violated_property(), &found.message(), related.collect()));
        }
        Kind::Unknown => {
            let advice: String = found.advice.iter().map(|a| format!("\ntry {a}")).collect();
            let blocked = found.obstacles.iter().filter_map(|o| Some((o, o.range.as_ref()?))).map(|(o, range)| {
                let location = json!({ "uri": uri_of(&range.file), "range": lines.range(range) });
                json!({ "location": location, "message": format!("blocked by {}", o.message) })
            });
            let message = format!("{}{advice}", found.message());
            list.push(make(found.main_range(), 3, "unknown", &message, blocked.collect()));
            for remark in &found.not_modelled {
                list.push(make(remark.range.as_ref(), 3, "not-modelled", &remark.message, Vec::new()));
            }
            for check in found.checks.iter().filter(|c| c.status == report::CheckStatus::Open) {
                let message = format!("not decided: {}", check.message.trim_end());
                list.push(make(check.range.as_ref(), 4, &check.property, &message, Vec::new()));
            }
        }
        Kind::BadInput => {
            for problem in &found.problems {
                list.push(make(problem.range.as_ref(), 1, "input", &problem.message, Vec::new()));
            }
        }
    }
    let mut by_file: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (uri, diagnostic) in list {
        by_file.entry(uri).or_default().push(diagnostic);
    }
    by_file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_framed_by_their_length() {
        let text = "Content-Length: 2\r\nContent-Type: x\r\n\r\n{}content-length: 4\r\n\r\n[1] ";
        let mut input = std::io::Cursor::new(text);
        assert_eq!(read_message(&mut input).ok(), Some(Some(Some(b"{}".to_vec()))));
        assert_eq!(read_message(&mut input).ok(), Some(Some(Some(b"[1] ".to_vec()))));
        assert!(matches!(read_message(&mut input), Ok(None)));
        assert!(read_message(&mut std::io::Cursor::new("Content-Length: 9\r\n\r\n{}")).is_err());
        assert!(read_message(&mut std::io::Cursor::new("Content-Length: x\r\n\r\n{}")).is_err());
    }

    /// The message after one that is too long is read as usual.
    #[test]
    fn messages_that_are_too_long_are_skipped() {
        let length = MAX_MESSAGE + 1;
        let long = format!("Content-Length: {length}\r\n\r\n");
        let next = b"Content-Length: 2\r\n\r\n{}";
        let body = std::io::repeat(b' ').take(length);
        let mut input = std::io::BufReader::new(long.as_bytes().chain(body).chain(&next[..]));
        assert_eq!(read_message(&mut input).ok(), Some(Some(None)));
        assert_eq!(read_message(&mut input).ok(), Some(Some(Some(b"{}".to_vec()))));
    }

    #[test]
    fn columns_become_utf_16() {
        let lines = Lines::new(Some(("file:///x.c", "a\n𝛼ä = 1;")));
        assert_eq!(lines.position("/x.c", 2, 3), json!({ "line": 1, "character": 3 }));
        assert_eq!(lines.position("/x.c", 9, 3), json!({ "line": 8, "character": 0 }));
    }

    #[test]
    fn wrong_settings_are_refused() {
        let mut settings = Settings::default();
        let complaints =
            settings.update(&json!({ "timeout": "5s", "engine": "steam", "property": "beauty", "jobs": 0 }));
        assert_eq!((settings.timeout.as_str(), settings.engine.as_str(), settings.jobs), ("5s", "auto", 1));
        assert_eq!(complaints.len(), 2);
    }
}
