//! Witnesses in GraphML, the format 1.0 of SV-COMP: an automaton whose edges match steps of the program.
//!
//! Only what has a counterpart in the newer format is read. Of a *violation witness* with a single way from its entry
//! to its violation: the values that inputs returned, the conditions that branches took, other equations as hints, and
//! the line of the last edge as target. Of a *correctness witness*: the invariants of nodes, at the loop or statement
//! of the line where the program leaves the node. An edge names a line at most, so whoever judges such a witness must
//! not reject it for what does not fit ([`super::Entry::is_old_format`]).

use super::{Action, Content, Entry, Format, InvariantKind, Item, Location, Task, Waypoint, WaypointKind};
use std::collections::{BTreeMap, BTreeSet};

type Outcome<T> = Result<T, String>;

/// An element with its attributes, its own text and the elements in it.
#[derive(Debug, Default)]
struct Element {
    tag: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
    fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.tag == name)
    }
    /// The text of `<data key="…">`.
    fn data(&self, key: &str) -> Option<&str> {
        self.named("data").find(|d| d.attribute("key") == Some(key)).map(|d| d.text.trim())
    }
    fn is_set(&self, key: &str) -> bool {
        self.data(key) == Some("true")
    }
    fn line(&self, key: &str) -> Option<u32> {
        self.data(key).and_then(|n| n.parse().ok()).filter(|&n| n > 0)
    }
}

/// The most elements inside each other.
const MAX_DEPTH: usize = 64;

/// The tree of an XML text. Declarations, comments and instructions are passed over.
fn parse(text: &str) -> Outcome<Element> {
    let mut open = vec![Element::default()];
    let mut rest = text;
    let line_of = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
    while let Some(start) = rest.find('<') {
        if let Some(element) = open.last_mut() {
            element.text.push_str(&unescaped(&rest[..start]));
        }
        rest = &rest[start..];
        let broken = |what: &str| format!("line {}: {what}", line_of(rest));
        if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").ok_or_else(|| broken("CDATA without an end"))?;
            if let Some(element) = open.last_mut() {
                element.text.push_str(&data[..end]);
            }
            rest = &data[end + 3..];
            continue;
        }
        let skipped = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")].iter().find(|(start, _)| rest.starts_with(start));
        if let Some((_, end)) = skipped {
            let at = rest.find(end).ok_or_else(|| broken("a comment or declaration without an end"))?;
            rest = &rest[at + end.len()..];
            continue;
        }
        let end = end_of_tag(rest).ok_or_else(|| broken("a tag without an end"))?;
        let tag = &rest[1..end];
        if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().filter(|_| !open.is_empty()).ok_or_else(|| broken("nothing is open here"))?;
            if closed.tag != name.trim() {
                return Err(broken(&format!("</{}> closes <{}>", name.trim(), closed.tag)));
            }
            if let Some(parent) = open.last_mut() {
                parent.children.push(closed);
            }
        } else {
            let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let element = opened(tag).ok_or_else(|| broken("a tag that cannot be read"))?;
            if !is_empty && open.len() >= MAX_DEPTH {
                return Err(broken("too many elements inside each other"));
            }
            match open.last_mut() {
                Some(parent) if is_empty => parent.children.push(element),
                _ => open.push(element),
            }
        }
        rest = &rest[end + 1..];
    }
    match (open.pop(), open.is_empty()) {
        (Some(root), true) => Ok(root),
        (Some(element), false) => Err(format!("<{}> is never closed", element.tag)),
        (None, _) => Err("there is nothing in it".to_string()),
    }
}

/// The `>` of the tag that starts here; one in a quoted value is none.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(i, c)| {
        match (quote, c) {
            (None, '>') => return Some(i),
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            _ => {}
        }
        None
    })
}

fn opened(tag: &str) -> Option<Element> {
    let tag = tag.trim();
    let name_end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let mut element = Element { tag: tag[..name_end].to_string(), ..Element::default() };
    let mut rest = tag[name_end..].trim_start();
    while !rest.is_empty() {
        let (name, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|q| matches!(q, '"' | '\''))?;
        let (value, behind) = value[1..].split_once(quote)?;
        element.attributes.push((name.trim().to_string(), unescaped(value)));
        rest = behind.trim_start();
    }
    (!element.tag.is_empty()).then_some(element)
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let known = rest.find(';').and_then(|end| {
            let c = match &rest[1..end] {
                "lt" => '<',
                "gt" => '>',
                "amp" => '&',
                "quot" => '"',
                "apos" => '\'',
                number => {
                    let number = number.strip_prefix('#')?;
                    let code = match number.strip_prefix('x') {
                        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                        None => number.parse().ok()?,
                    };
                    char::from_u32(code)?
                }
            };
            Some((c, end))
        });
        let (c, end) = known.unwrap_or(('&', 0));
        out.push(c);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

/// The entry that a witness in GraphML amounts to.
pub(super) fn entry(text: &str) -> Outcome<Entry> {
    let document = parse(text).map_err(|why| format!("this is not XML: {why}"))?;
    let graphml = document.named("graphml").next().ok_or("there is no element 'graphml'")?;
    let graph = graphml.named("graph").next().ok_or("there is no element 'graph'")?;
    let kind = graph.data("witness-type").ok_or("the key 'witness-type' is missing")?;
    let automaton = Automaton::new(graph);
    let content = match kind {
        "correctness_witness" => Content::Invariants(automaton.invariants()),
        "violation_witness" => Content::Violation(automaton.violation()?),
        other => return Err(format!("unknown kind of witness '{other}'")),
    };
    Ok(Entry { format_version: "1.0".to_string(), task: task(graph), content })
}

fn task(graph: &Element) -> Task {
    let text = |key: &str| graph.data(key).unwrap_or_default().to_string();
    let (file, hash) = (text("programfile"), text("programhash"));
    Task {
        input_files: vec![file.clone()],
        // Older tools wrote other hashes than SHA-256, which has 64 digits.
        input_file_hashes: if hash.len() == 64 { vec![(file, hash)] } else { Vec::new() },
        specification: text("specification"),
        data_model: match text("architecture").as_str() {
            "32bit" => "ILP32".to_string(),
            "64bit" => "LP64".to_string(),
            other => other.to_string(),
        },
        language: text("sourcecodelang"),
    }
}

struct Automaton<'a> {
    nodes: BTreeMap<&'a str, &'a Element>,
    edges: Vec<&'a Element>,
}

impl<'a> Automaton<'a> {
    fn new(graph: &'a Element) -> Automaton<'a> {
        let nodes: BTreeMap<&str, &Element> =
            graph.named("node").filter_map(|n| Some((n.attribute("id")?, n))).collect();
        Automaton { nodes, edges: graph.named("edge").collect() }
    }

    fn is(&self, node: &str, key: &str) -> bool {
        self.nodes.get(node).is_some_and(|n| n.is_set(key))
    }

    /// The edges that leave a node for another one that is no sink.
    fn leaving<'b>(&'b self, node: &'b str) -> impl Iterator<Item = &'a Element> {
        let goes_on = move |e: &&&Element| {
            let to = e.attribute("target").unwrap_or_default();
            e.attribute("source") == Some(node) && to != node && !self.is(to, "sink")
        };
        self.edges.iter().filter(goes_on).copied()
    }

    fn violation(&self) -> Outcome<Vec<Vec<Waypoint>>> {
        let entries: Vec<&str> = self.nodes.keys().copied().filter(|n| self.is(n, "entry")).collect();
        let [mut at] = entries[..] else { return Err("exactly one node must be the entry".to_string()) };
        let mut waypoints = Vec::new();
        let mut line = None;
        let mut seen = BTreeSet::new();
        while !self.is(at, "violation") {
            if !seen.insert(at) {
                return Err("its way to the violation has a cycle; craig reads only single ways".to_string());
            }
            let edges: Vec<&Element> = self.leaving(at).collect();
            let [edge] = edges[..] else {
                let what = if edges.is_empty() { "ends before the violation" } else { "branches" };
                return Err(format!("its way {what} at node {at}; craig reads only single ways"));
            };
            if edge.data("threadId").is_some_and(|t| t != "0") || edge.data("createThread").is_some_and(|t| t != "0") {
                return Err("executions of several threads are not supported in GraphML".to_string());
            }
            line = edge.line("startline").or(edge.line("endline")).or(line);
            waypoints.extend(line.and_then(|line| waypoint(edge, line)));
            at = edge.attribute("target").unwrap_or_default();
        }
        let line = line.ok_or("no edge on the way to the violation has a line")?;
        waypoints.push(Waypoint {
            kind: WaypointKind::Target,
            action: Action::Follow,
            location: place(line),
            constraint: None,
            thread: None,
        });
        Ok(waypoints.into_iter().map(|w| vec![w]).collect())
    }

    fn invariants(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (&id, node) in &self.nodes {
            let Some(value) = node.data("invariant").filter(|v| !v.is_empty()) else { continue };
            let enters = |e: &&&Element| e.attribute("target") == Some(id);
            let head = self.edges.iter().filter(enters).find(|e| e.is_set("enterLoopHead"));
            let line = |e: &Element| e.line("startline").or(e.line("endline"));
            let head = head.and_then(|e| line(e));
            let left = self.edges.iter().filter(|e| e.attribute("source") == Some(id)).find_map(|e| line(e));
            let (kind, line) = match (head, left) {
                (Some(_), Some(line)) | (Some(line), None) => (InvariantKind::Loop, line),
                (None, Some(line)) => (InvariantKind::Location, line),
                // Where it is to hold is not said.
                (None, None) => (InvariantKind::Everywhere, 1),
            };
            items.push(Item::Invariant { kind, location: place(line), value: value.to_string(), format: Format::C });
        }
        items
    }
}

fn place(line: u32) -> Location {
    Location { file_name: String::new(), line, column: None, function: None }
}

/// What an edge says about the execution.
fn waypoint(edge: &Element, line: u32) -> Option<Waypoint> {
    let of = |kind, value: String, format| {
        let constraint = Some((value, format));
        Some(Waypoint { kind, action: Action::Follow, location: place(line), constraint, thread: None })
    };
    if let Some(assumption) = edge.data("assumption") {
        // Several are separated by semicolons, each of which ends one.
        let parts: Vec<&str> = assumption.split(';').map(str::trim).filter(|p| !p.is_empty()).collect();
        let text = parts.join(" && ");
        return match edge.data("assumption.resultfunction") {
            Some(_) if text.contains("\\result") => of(WaypointKind::FunctionReturn, text, Format::Extended),
            _ => of(WaypointKind::Assumption, text, Format::C),
        };
    }
    match edge.data("control")? {
        "condition-true" => of(WaypointKind::Branching, "true".to_string(), Format::C),
        "condition-false" => of(WaypointKind::Branching, "false".to_string(), Format::C),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_becomes_a_tree() {
        let text =
            "<?xml version='1.0'?><!DOCTYPE x><!-- <no> --><a b=\"1 &lt; &#50;\" c='>'><d/>t&amp;u<![CDATA[<v>]]></a>";
        let root = parse(text).expect("it is XML");
        let a = &root.children[0];
        assert_eq!((a.attribute("b"), a.attribute("c"), a.text.as_str()), (Some("1 < 2"), Some(">"), "t&u<v>"));
        assert_eq!(a.children[0].tag, "d");
        for (broken, why) in
            [("<a>", "never closed"), ("<a></b>", "closes"), ("</a>", "nothing is open"), ("<a b=1/>", "read")]
        {
            let message = parse(broken).expect_err("an error");
            assert!(message.contains(why), "{broken}: {message}");
        }
    }

    #[test]
    fn a_single_way_becomes_waypoints() {
        let edge = |from: &str, to: &str, data: &str| format!("<edge source='{from}' target='{to}'>{data}</edge>");
        let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
        let graph = |edges: &[String]| {
            let node = |id: &str, key: &str| format!("<node id='{id}'><data key='{key}'>true</data></node>");
            let nodes = [node("n0", "entry"), "<node id='n1'/>".to_string(), node("e", "violation"), node("s", "sink")];
            let kind = data("witness-type", "violation_witness");
            format!("<graphml><graph>{kind}{}{}</graph></graphml>", nodes.concat(), edges.concat())
        };
        let input =
            [data("startline", "4"), data("assumption", "\\result == 42;"), data("assumption.resultfunction", "f")];
        let branch = [data("startline", "6"), data("control", "condition-true")];
        let way = [
            edge("n0", "n1", &input.concat()),
            edge("n1", "e", &branch.concat()),
            edge("n1", "s", &data("control", "condition-false")),
        ];
        let read = entry(&graph(&way)).expect("it can be read");
        assert!(read.is_old_format());
        let Content::Violation(segments) = read.content else { panic!("a violation") };
        let told: Vec<(WaypointKind, u32, String)> = segments
            .iter()
            .flatten()
            .map(|w| (w.kind, w.location.line, w.constraint.as_ref().map_or(String::new(), |c| c.0.clone())))
            .collect();
        let expected = [
            (WaypointKind::FunctionReturn, 4, "\\result == 42".to_string()),
            (WaypointKind::Branching, 6, "true".to_string()),
            (WaypointKind::Target, 6, String::new()),
        ];
        assert_eq!(told, expected);
        let message = entry(&graph(&[&way[..], &[edge("n1", "n0", "")]].concat())).expect_err("two ways");
        assert!(message.contains("branches at node n1"), "{message}");
    }
}
