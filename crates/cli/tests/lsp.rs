//! A scripted client of the language server: what an editor does, message by message.

mod common;

use common::{craig, file};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const SAFE: &str = "procedure main() {
  var x, y, z: int;
  assume y >= z;
  x := 0;
  while (x < y) {
    x := x + 1;
  }
  assert y >= z;
}
";

const UNSAFE: &str = "procedure main() {
  var x: int;
  havoc x;
  assume x > 3;
  assert x != 7;
}
";

/// Nobody knows whether the loop always ends.
const ENDLESS: &str = "procedure main() {
  var n, steps: int;
  assume n > 0;
  steps := 0;
  while (n != 1) {
    if (n mod 2 == 0) { n := n div 2; } else { n := 3 * n + 1; }
    steps := steps + 1;
  }
  assert steps != 100000000;
}
";

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Client {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: u64,
    /// Messages that came while another was waited for.
    kept: Vec<Value>,
}

impl Client {
    fn start() -> Client {
        let mut command = craig();
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the server starts");
        let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    match line.trim_end().split_once(": ") {
                        Some(("Content-Length", n)) => length = n.parse().expect("a number"),
                        Some(_) => {}
                        None => break,
                    }
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).expect("a whole message");
                if sender.send(serde_json::from_slice(&body).expect("JSON")).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take();
        Client { server, input, messages, next_id: 0, kept: Vec::new() }
    }
    fn send_text(&mut self, body: &str) {
        let input = self.input.as_mut().expect("an open pipe");
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server listens");
        input.flush().expect("the server listens");
    }
    fn notify(&mut self, method: &str, params: Value) {
        self.send_text(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }
    fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send_text(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }
    /// The next message that is wanted; others are kept.
    fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(i) = self.kept.iter().position(&wanted) {
            return self.kept.remove(i);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|e| panic!("no {what}: {e}; came: {:#?}", self.kept));
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }
    fn response(&mut self, id: u64) -> Value {
        self.wait("response", |m| m["id"] == id && m.get("method").is_none())
    }
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let message =
            self.wait("diagnostics", |m| m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri);
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }
    fn initialize(&mut self, options: Value) {
        let capabilities =
            json!({ "window": { "workDoneProgress": true }, "workspace": { "inlayHint": { "refreshSupport": true } } });
        let id = self.request("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
        let answer = self.response(id);
        assert_eq!(answer["result"]["serverInfo"]["name"], "craig");
        assert_eq!(answer["result"]["capabilities"]["inlayHintProvider"], true);
        self.notify("initialized", json!({}));
    }
    fn open(&mut self, path: &Path, text: &str) -> String {
        let uri = format!("file://{}", path.display());
        let document = json!({ "uri": uri, "languageId": "boogie", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }
    fn save(&mut self, uri: &str, path: &Path, text: &str) {
        std::fs::write(path, text).expect("written");
        let change = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", change);
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri }, "text": text }));
    }
    fn hints(&mut self, uri: &str) -> Vec<Value> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 100, "character": 0 } });
        let id = self.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
        self.response(id)["result"].as_array().expect("a list").clone()
    }
    fn hover(&mut self, uri: &str, line: u32) -> Value {
        let position = json!({ "line": line, "character": 3 });
        let id = self.request("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": position }));
        self.response(id)["result"].clone()
    }
    fn actions(&mut self, uri: &str, line: u32) -> Vec<Value> {
        let at = json!({ "line": line, "character": 0 });
        let range = json!({ "start": at, "end": at });
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
        let id = self.request("textDocument/codeAction", params);
        self.response(id)["result"].as_array().expect("a list").clone()
    }
    fn execute(&mut self, command: &Value) -> Value {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        let id = self.request("workspace/executeCommand", params);
        self.response(id)["result"].clone()
    }
    /// The polite end; the exit status.
    fn end(mut self) -> Option<i32> {
        let id = self.request("shutdown", Value::Null);
        assert_eq!(self.response(id)["result"], Value::Null);
        self.notify("exit", Value::Null);
        self.server.wait().expect("it ends").code()
    }
}

#[test]
fn a_session() {
    let path = file("lsp_session.bpl", UNSAFE);
    let mut client = Client::start();
    // Before it is initialized nothing is answered.
    let id = client.request("textDocument/inlayHint", json!({}));
    assert_eq!(client.response(id)["error"]["code"], -32002);
    client.initialize(json!({ "timeout": "30s", "checkOnChange": false }));

    // A violation: the diagnostic stands at the assertion and the execution comes along.
    let uri = client.open(&path, UNSAFE);
    let list = client.diagnostics(&uri);
    assert_eq!(list.len(), 1, "{list:#?}");
    let found = &list[0];
    assert_eq!(found["range"]["start"], json!({ "line": 4, "character": 2 }));
    assert_eq!((found["severity"].as_u64(), found["source"].as_str()), (Some(1), Some("craig")));
    assert_eq!(found["code"], "unreach-call");
    let related = found["relatedInformation"].as_array().expect("the execution");
    assert!(related.iter().any(|r| r["message"].as_str().is_some_and(|m| m.contains("x = 7"))), "{related:#?}");
    assert!(related.iter().all(|r| r["location"]["uri"] == uri));
    // Progress began and ended.
    client.wait("begin", |m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "begin");
    client.wait("end", |m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");

    // Saved without the bug: no diagnostic is left, and the invariant is a hint.
    client.save(&uri, &path, SAFE);
    assert!(client.diagnostics(&uri).is_empty());
    let hints = client.hints(&uri);
    assert_eq!(hints.len(), 1, "{hints:#?}");
    assert_eq!(hints[0]["position"], json!({ "line": 4, "character": 17 }));
    assert!(hints[0]["label"].as_str().is_some_and(|l| l.starts_with("invariant: ")), "{hints:#?}");

    // So does a hover over the loop; over other lines there is nothing to say.
    let hover = client.hover(&uri, 4);
    assert!(hover["contents"]["value"].as_str().is_some_and(|t| t.contains("loop at line 5:")), "{hover:#?}");
    assert_eq!(client.hover(&uri, 3), Value::Null);

    // While the text is being changed there are no hints that would stand at the wrong lines.
    let change = json!({ "textDocument": { "uri": uri, "version": 3 }, "contentChanges": [{ "text": "" }] });
    client.notify("textDocument/didChange", change);
    assert!(client.hints(&uri).is_empty());

    // Syntax errors are diagnostics, too.
    client.save(&uri, &path, "procedure main() {\n  x := ;\n}\n");
    let list = client.diagnostics(&uri);
    assert!(!list.is_empty() && list[0]["range"]["start"]["line"] == 1, "{list:#?}");

    // Closing takes them away.
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert!(client.diagnostics(&uri).is_empty());
    assert_eq!(client.end(), Some(0));
}

#[test]
fn checks_are_cancelled() {
    let path = file("lsp_cancel.bpl", ENDLESS);
    let mut client = Client::start();
    client.initialize(json!({ "timeout": "300s", "checkOnOpen": false }));
    let uri = client.open(&path, ENDLESS);
    // By the request's own id.
    let check = client.request("workspace/executeCommand", json!({ "command": "craig.check", "arguments": [uri] }));
    client.wait("begin", |m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "begin");
    client.notify("$/cancelRequest", json!({ "id": check }));
    assert_eq!(client.response(check)["error"]["code"], -32800);
    // By the progress token.
    let check = client.request("workspace/executeCommand", json!({ "command": "craig.check", "arguments": [uri] }));
    let begin = client.wait("begin", |m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "begin");
    client.notify("window/workDoneProgress/cancel", json!({ "token": begin["params"]["token"] }));
    assert_eq!(client.response(check)["error"]["code"], -32800);
    // By a new save: the second text is the one that is answered about.
    client.save(&uri, &path, ENDLESS);
    client.save(&uri, &path, UNSAFE);
    assert_eq!(client.diagnostics(&uri).len(), 1);
    // A budget that is used up gives an answer, too.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "craig": { "timeout": "300ms" } } }));
    client.save(&uri, &path, ENDLESS);
    let list = client.diagnostics(&uri);
    // The answer, and the one check that stays open.
    assert_eq!(list.len(), 2, "{list:#?}");
    assert!(list[1]["message"].as_str().is_some_and(|m| m.starts_with("not decided: assertion")), "{list:#?}");
    assert_eq!((list[0]["severity"].as_u64(), list[0]["code"].as_str()), (Some(3), Some("unknown")), "{list:#?}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn the_text_in_the_editor_is_checked_not_the_one_on_the_disk() {
    let path = file("lsp_buffer.bpl", SAFE);
    let mut client = Client::start();
    client.initialize(json!({ "timeout": "30s" }));
    // The editor has a text that nobody has saved.
    let uri = client.open(&path, UNSAFE);
    assert_eq!(client.diagnostics(&uri).len(), 1);
    // A moment after the last change it is checked again.
    let change = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": SAFE }] });
    client.notify("textDocument/didChange", change);
    assert!(client.diagnostics(&uri).is_empty());
    // A program that is on no disk at all.
    let uri = client.open(&path.with_file_name("lsp_nowhere.bpl"), UNSAFE);
    assert_eq!(client.diagnostics(&uri).len(), 1);
    assert_eq!(client.end(), Some(0));
}

/// No `main`: each function can be checked by itself.
const FUNCTIONS: &str = "int half(int x) {
    return x / 2;
}

int twice(int x, int *result) {
    *result = x + x;
    return *result;
}
";

#[test]
fn functions_are_checked_by_themselves() {
    let path = file("lsp_functions.c", FUNCTIONS);
    let mut client = Client::start();
    let settings = json!({ "timeout": "30s", "property": "no-overflow", "checkOnOpen": false, "dataModel": "ILP32" });
    client.initialize(settings);
    let uri = client.open(&path, FUNCTIONS);
    let id = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let lenses = client.response(id)["result"].as_array().expect("a list").clone();
    let shown: Vec<(u64, &str)> = lenses
        .iter()
        .map(|l| (l["range"]["start"]["line"].as_u64().unwrap_or(99), l["command"]["title"].as_str().unwrap_or("")))
        .collect();
    assert_eq!(shown, [(0, "check half"), (4, "check twice")]);
    assert_eq!(client.execute(&lenses[0]["command"])["result"], "true");
    assert_eq!(client.execute(&lenses[1]["command"])["result"], "false(no-overflow)");

    // The same as an action anywhere in the function, and a contract to be filled in.
    let actions = client.actions(&uri, 5);
    let action = |title: &str| actions.iter().find(|a| a["title"] == title).unwrap_or(&Value::Null);
    assert_eq!(client.execute(&action("check twice")["command"])["result"], "false(no-overflow)");
    let edit = &action("insert a contract for twice")["edit"]["changes"][&uri][0];
    assert_eq!(edit["range"]["start"], json!({ "line": 4, "character": 0 }));
    let contract = "/*@ requires \\valid(result);\n    assigns *result;\n    ensures \\true;\n*/\n";
    assert_eq!(edit["newText"], contract);

    // The setting says where executions start when the whole file is checked.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "craig": { "entry": "half" } } }));
    let whole = json!({ "command": "craig.check", "arguments": [uri] });
    assert_eq!(client.execute(&whole)["result"], "true");

    // With a main there are no lenses.
    let with_main = format!("{FUNCTIONS}int main(void) {{ return half(2); }}\n");
    let change = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": with_main }] });
    client.notify("textDocument/didChange", change);
    let id = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.response(id)["result"], json!([]));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn advice_is_offered_as_a_change_of_the_text() {
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned s = 0, t = 1;
    for (int i = 0; i < n; i++) { s += t * t; t = t * s + 3; }
    if (s == 77777) reach_error();
    return 0;
}
";
    let path = file("lsp_advice.c", text);
    let mut client = Client::start();
    client.initialize(json!({ "timeout": "1s" }));
    let uri = client.open(&path, text);
    let list = client.diagnostics(&uri);
    let found = list[0]["message"].as_str().unwrap_or_default();
    assert!(list[0]["code"] == "unknown" && found.contains("try inserting `__VERIFIER_assume("), "{list:#?}");
    let actions = client.actions(&uri, 5);
    let fix = actions.iter().find(|a| a["kind"] == "quickfix").unwrap_or(&Value::Null);
    let edit = &fix["edit"]["changes"][&uri][0];
    assert_eq!(edit["range"]["start"], json!({ "line": 4, "character": 0 }));
    assert_eq!(edit["newText"], "__VERIFIER_assume(-3 <= n && n <= 3);\n");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn nonsense_is_answered_politely() {
    let mut client = Client::start();
    client.send_text("{ this is no JSON");
    assert_eq!(client.wait("error", |m| m["error"]["code"] == -32700)["id"], Value::Null);
    client.initialize(json!({ "engine": "steam" }));
    client.wait("complaint", |m| m["method"] == "window/showMessage");
    let id = client.request("textDocument/rename", json!({}));
    assert_eq!(client.response(id)["error"]["code"], -32601);
    let id =
        client.request("workspace/executeCommand", json!({ "command": "craig.check", "arguments": ["http://x/y"] }));
    assert_eq!(client.response(id)["error"]["code"], -32602);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": "untitled:1" } }));
    client.notify("$/unheardOf", json!([1, 2]));
    // The input ends without a shutdown: the server ends, and says that this was no polite end.
    client.input = None;
    assert_eq!(client.server.wait().expect("it ends").code(), Some(1));
}

/// The same server, driven by pytest-lsp where it is installed: `lsp_client.py` says how.
#[test]
fn a_client_library_drives_the_server() {
    let python = std::env::var("PYTHON").unwrap_or("python3".to_string());
    let has_library = std::process::Command::new(&python).args(["-c", "import pytest_lsp"]).output();
    if !has_library.is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: pytest-lsp is not installed");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lsp_client.py");
    let output = std::process::Command::new(&python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(script)
        .env("CRAIG", env!("CARGO_BIN_EXE_craig"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
