//! Which graphs a report shows: the control flow of each procedure as written, and the abstraction that a proof
//! consists of.
//!
//! Straight-line code is one edge with the statements as its label, so a picture has one node for each branch, join,
//! loop head and end. Edges carry the numbers of the edges they stand for; the page marks them while it steps through
//! an execution.

use crate::svg::{Edge, Graph, Node};
use base::SourceMap;
use ir::dot::Shower;
use ir::{Certificate, EdgeId, Icfg, Label, LocId, ModuleMode, Note, ProcId, TerminationProof};
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Longer labels are cut.
const MAX_LINE: usize = 44;
const MAX_LABEL_LINES: usize = 5;
const MAX_FORMULA_LINES: usize = 8;

/// A step from a location within its procedure: a call and its return count as one.
fn steps_from(icfg: &Icfg, loc: LocId) -> Vec<(Vec<EdgeId>, LocId)> {
    let mut steps = Vec::new();
    for &edge in icfg.out_edges(loc) {
        match &icfg.edges[edge].label {
            Label::Return(_) => {}
            Label::Call(site) => {
                let back = icfg.call_sites[*site].return_edge;
                steps.push((vec![edge, back], icfg.edges[back].dst));
            }
            Label::Stmt(_)
            | Label::Block(_)
            | Label::Fork { .. }
            | Label::Join { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd => steps.push((vec![edge], icfg.edges[edge].dst)),
        }
    }
    steps
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= MAX_LINE {
        return text;
    }
    text.chars().take(MAX_LINE - 1).chain(['…']).collect()
}

/// What an edge says in the words of the source.
fn edge_text(icfg: &Icfg, sources: &SourceMap, edge: EdgeId) -> Option<String> {
    let e = &icfg.edges[edge];
    let text = sources.text(e.span);
    if text.is_empty() {
        return None;
    }
    match e.note {
        Note::Hidden | Note::Fact | Note::Step | Note::Layout | Note::Mark(_) => None,
        Note::None => Some(cut(text)),
        Note::Branch(true) => Some(cut(text)),
        Note::Branch(false) => Some(format!("not: {}", cut(text))),
    }
}

/// Lines of a label; repeated ones are shown once, many are cut.
fn label(icfg: &Icfg, sources: &SourceMap, edges: &[EdgeId]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in edges.iter().filter_map(|&e| edge_text(icfg, sources, e)) {
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MAX_LABEL_LINES {
        lines.truncate(MAX_LABEL_LINES - 1);
        lines.push("…".to_string());
    }
    lines
}

/// The graph of one procedure with straight-line code contracted; `node` makes the box of a location.
fn contracted(
    icfg: &Icfg,
    sources: &SourceMap,
    proc: ProcId,
    hidden: &dyn Fn(LocId) -> bool,
    node: &dyn Fn(LocId) -> Node,
) -> Graph {
    let entry = icfg.procs[proc].entry;
    let mut seen = BTreeSet::from([entry]);
    let mut queue = vec![entry];
    let mut n_into: BTreeMap<LocId, usize> = BTreeMap::new();
    while let Some(loc) = queue.pop() {
        for (_, to) in steps_from(icfg, loc) {
            if hidden(to) {
                continue;
            }
            *n_into.entry(to).or_default() += 1;
            if seen.insert(to) {
                queue.push(to);
            }
        }
    }
    let n_out = |loc: LocId| steps_from(icfg, loc).iter().filter(|(_, to)| !hidden(*to)).count();
    let is_node = |loc: LocId| {
        let l = &icfg.locs[loc];
        loc == entry || l.is_loop_head || l.error.is_some() || n_out(loc) != 1 || n_into.get(&loc) != Some(&1)
    };
    let kept: Vec<LocId> = seen.iter().copied().filter(|&l| is_node(l)).collect();
    let index: BTreeMap<LocId, usize> = kept.iter().enumerate().map(|(i, &l)| (l, i)).collect();
    // The entry comes first: the layout starts there.
    let mut graph = Graph { nodes: kept.iter().map(|&l| node(l)).collect(), edges: Vec::new() };
    for &loc in &kept {
        for (mut edges, mut to) in steps_from(icfg, loc) {
            if hidden(to) {
                continue;
            }
            // Ends: a cycle without a node would have no branch, join or loop head, and so no way in.
            while !index.contains_key(&to) {
                let Some((more, next)) = steps_from(icfg, to).into_iter().find(|(_, next)| !hidden(*next)) else {
                    break;
                };
                edges.extend(more);
                to = next;
            }
            let Some(&target) = index.get(&to) else { continue };
            let class = if icfg.locs[to].error.is_some() { "to-error" } else { "" };
            let ids = edges.iter().map(|e| e.0).collect();
            graph.edges.push(Edge { from: index[&loc], to: target, lines: label(icfg, sources, &edges), class, ids });
        }
    }
    graph
}

fn plain_node(icfg: &Icfg, sources: &SourceMap, proc: ProcId, loc: LocId) -> Node {
    let l = &icfg.locs[loc];
    let p = &icfg.procs[proc];
    let line = sources.line_of(l.span);
    let at = line.map_or(String::new(), |n| format!("line {n}"));
    let (text, class, title) = match &l.error {
        Some(check) => (format!("✗ {at}"), "error", check.message.clone()),
        None if loc == p.entry && Some(proc) == icfg.root => ("start".to_string(), "entry", "start".to_string()),
        None if loc == p.entry => (p.name.clone(), "entry", format!("entry of {}", p.name)),
        None if loc == p.exit => ("end".to_string(), "exit", format!("end of {}", p.name)),
        None if l.is_loop_head => (format!("loop {at}"), "loop", format!("loop head, {at}")),
        None => (at.clone(), "", at.clone()),
    };
    Node { lines: vec![text.trim().to_string()], class, title, source_line: line }
}

/// The control flow of the procedures that the program itself has, by name.
pub fn control_flow(icfg: &Icfg, sources: &SourceMap) -> Vec<(String, Graph)> {
    icfg.procs
        .iter()
        .filter(|(id, p)| Some(*id) != icfg.root && !p.span.is_none())
        .map(|(id, p)| {
            (p.name.clone(), contracted(icfg, sources, id, &|_| false, &|loc| plain_node(icfg, sources, id, loc)))
        })
        .collect()
}

/// A formula in lines, broken at conjunctions.
fn formula_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split(" && ") {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() + 4 <= MAX_LINE => {
                line.push_str(" && ");
                line.push_str(part);
            }
            _ => lines.push(part.to_string()),
        }
    }
    let mut lines: Vec<String> = lines.iter().map(|l| cut(l)).collect();
    if lines.len() > MAX_FORMULA_LINES {
        lines.truncate(MAX_FORMULA_LINES - 1);
        lines.push("…".to_string());
    }
    lines
}

/// What a proof consists of: the graph with its annotation, or the automata of a termination argument.
pub fn abstraction(
    icfg: &Icfg,
    pool: &TermPool,
    sources: &SourceMap,
    certificate: &Certificate,
) -> Vec<(String, Graph)> {
    let shower = Shower::new(icfg, pool);
    match certificate {
        Certificate::Annotation(annotation) => {
            let dead =
                |loc: LocId| icfg.locs[loc].error.is_some() || annotation.invariants.get(&loc) == Some(&TermId::FALSE);
            icfg.procs
                .iter()
                .filter(|(id, p)| !p.span.is_none() || Some(*id) == icfg.root)
                .map(|(id, p)| {
                    let node = |loc: LocId| {
                        let mut node = plain_node(icfg, sources, id, loc);
                        if let Some(&formula) = annotation.invariants.get(&loc) {
                            let text = shower.term(formula);
                            node.lines.extend(formula_lines(&text));
                            node.title = text;
                            if node.class.is_empty() {
                                node.class = "annotated";
                            }
                        }
                        let side = annotation.contracts.get(&id).and_then(|contract| match loc {
                            _ if loc == p.entry => Some(("requires", contract.requires)),
                            _ if loc == p.exit => Some(("ensures", contract.ensures)),
                            _ => None,
                        });
                        if let Some((word, formula)) = side {
                            node.lines.extend(formula_lines(&format!("{word} {}", shower.term(formula))));
                        }
                        node
                    };
                    let is_root = Some(id) == icfg.root;
                    let name = if is_root { "the program, calls inlined".to_string() } else { p.name.clone() };
                    (name, contracted(icfg, sources, id, &dead, &node))
                })
                .collect()
        }
        Certificate::Termination(proof) if icfg.has_calls() => {
            // The modules speak about the graph that the checker makes.
            let mut own = pool.clone();
            let (expanded, _) = ir::pending_calls::without_returns(icfg, &proof.summaries.contracts, &mut own);
            termination_modules(&expanded, sources, &Shower::new(&expanded, &own), proof)
        }
        Certificate::Termination(proof) => termination_modules(icfg, sources, &shower, proof),
        Certificate::Execution(_)
        | Certificate::FiniteExecution(_)
        | Certificate::States(_)
        | Certificate::StatesOfBranches(_)
        | Certificate::Threads(_)
        | Certificate::FairStates { .. }
        | Certificate::Holders(..)
        | Certificate::Interleavings(_)
        | Certificate::OwickiGries(_) => Vec::new(),
        Certificate::Unwinding(rounds) | Certificate::FiniteUnwinding(rounds) => unwound(icfg, sources, *rounds),
        Certificate::TailRecursive(annotation) => {
            // The contracts speak about the graph that the checker makes.
            let mut own = pool.clone();
            let (mut recursive, map) = ir::tail_recursion::loops_to_recursion(icfg, &mut own);
            recursive.ensure_old_vars(&mut own);
            contracts_of_loops(&recursive, sources, &Shower::new(&recursive, &own), annotation, &map)
        }
    }
}

/// The graph unwound: each box is a place together with how many times the loop head has been passed before. Where one
/// more pass would be too many there is no execution. With several loops, whose passes are counted from each entry, the
/// graph stays as it is; with calls there is no picture.
fn unwound(icfg: &Icfg, sources: &SourceMap, rounds: u32) -> Vec<(String, Graph)> {
    let Some(root) = icfg.root.filter(|_| !icfg.has_calls()) else { return Vec::new() };
    let heads: BTreeSet<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
    let is_error = |loc: LocId| icfg.locs[loc].error.is_some();
    let once = contracted(icfg, sources, root, &is_error, &|loc| {
        let mut node = plain_node(icfg, sources, root, loc);
        node.class = if heads.contains(&loc) { "loop" } else { node.class };
        node
    });
    let mut number: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut graph = Graph::default();
    let mut queue = std::collections::VecDeque::new();
    let start = once.nodes.iter().position(|n| n.class == "entry").unwrap_or(0);
    let mut too_many: Option<usize> = None;
    if once.nodes.is_empty() {
        return Vec::new();
    }
    let bound = format!("no execution passes the head of a loop more than {rounds} times before it leaves the loop");
    if heads.len() > 1 {
        return vec![(format!("the program; {bound}"), once)];
    }
    number.insert((start, 0), 0);
    graph.nodes.push(once.nodes[start].clone());
    queue.push_back((start, 0u32));
    while let Some((at, passed)) = queue.pop_front() {
        let from = number[&(at, passed)];
        for edge in once.edges.iter().filter(|e| e.from == at) {
            let passed = passed + u32::from(once.nodes[edge.to].class == "loop");
            let to = if passed > rounds {
                *too_many.get_or_insert_with(|| {
                    let (lines, title) = (vec!["no execution".to_string()], format!("after {rounds} iterations"));
                    graph.nodes.push(Node { lines, class: "exit", title, source_line: None });
                    graph.nodes.len() - 1
                })
            } else if let Some(&known) = number.get(&(edge.to, passed)) {
                known
            } else {
                let mut node = once.nodes[edge.to].clone();
                if node.class == "loop" {
                    node.lines.push(format!("pass {passed}"));
                }
                graph.nodes.push(node);
                number.insert((edge.to, passed), graph.nodes.len() - 1);
                queue.push_back((edge.to, passed));
                graph.nodes.len() - 1
            };
            graph.edges.push(Edge { from, to, ..edge.clone() });
        }
        if graph.nodes.len() > crate::svg::MAX_NODES {
            return vec![(format!("the program; {bound}"), once)];
        }
    }
    vec![(format!("the program unwound; {bound}"), graph)]
}

/// Which procedures and loops call which, each with its contract: a loop is a procedure that does the rest of its
/// procedure's work.
fn contracts_of_loops(
    icfg: &Icfg,
    sources: &SourceMap,
    shower: &Shower<'_>,
    annotation: &ir::Annotation,
    map: &ir::tail_recursion::TailMap,
) -> Vec<(String, Graph)> {
    let called: BTreeSet<ProcId> = icfg.call_sites.values().map(|s| s.callee).chain(icfg.root).collect();
    let shown: Vec<ProcId> = called
        .into_iter()
        .filter(|id| annotation.contracts.get(id).is_none_or(|c| c.requires != TermId::FALSE))
        .collect();
    let index: BTreeMap<ProcId, usize> = shown.iter().enumerate().map(|(i, &id)| (id, i)).collect();
    let mut graph = Graph::default();
    for &id in &shown {
        let proc = &icfg.procs[id];
        let is_root = Some(id) == icfg.root;
        let (name, class, span) = match map.loops.get(&id) {
            Some(_) => ("loop".to_string(), "loop", icfg.locs[proc.entry].span),
            None if is_root => ("start".to_string(), "entry", proc.span),
            None => (proc.name.clone(), "entry", proc.span),
        };
        let line = sources.line_of(span);
        let at = line.map_or(String::new(), |n| format!(" line {n}"));
        let mut node = Node { lines: vec![format!("{name}{at}")], class, title: proc.name.clone(), source_line: line };
        if let Some(contract) = annotation.contracts.get(&id) {
            for (word, formula) in [("requires", contract.requires), ("ensures", contract.ensures)] {
                if formula != TermId::TRUE {
                    node.lines.extend(formula_lines(&format!("{word} {}", shower.term(formula))));
                }
            }
        }
        graph.nodes.push(node);
    }
    let mut calls: BTreeSet<(usize, usize)> = BTreeSet::new();
    for site in icfg.call_sites.values() {
        if let (Some(&from), Some(&to)) = (index.get(&site.caller), index.get(&site.callee))
            && calls.insert((from, to))
        {
            graph.edges.push(Edge { from, to, ..Edge::default() });
        }
    }
    vec![("contracts of procedures and loops, and who calls whom".to_string(), graph)]
}

fn termination_modules(
    icfg: &Icfg,
    sources: &SourceMap,
    shower: &Shower<'_>,
    proof: &TerminationProof,
) -> Vec<(String, Graph)> {
    let mut graphs = Vec::new();
    for module in proof.modules.iter().filter(|m| !m.rank.is_empty()) {
        let rank: Vec<String> = module.rank.iter().map(|&t| shower.term(t)).collect();
        let nodes = module.states.iter().map(|state| {
            let (name, class) = match state.mode {
                ModuleMode::Waiting => ("waiting", ""),
                ModuleMode::Seed => ("seed", "entry"),
                ModuleMode::Tracking => ("tracking", "annotated"),
                ModuleMode::Decrease => ("decrease", "loop"),
            };
            let text = shower.term(state.formula);
            let mut lines = vec![name.to_string()];
            lines.extend(formula_lines(&text));
            Node { lines, class, title: text, source_line: None }
        });
        let mut graph = Graph { nodes: nodes.collect(), edges: Vec::new() };
        for ((from, path), &to) in &module.edges {
            graph.edges.push(Edge { from: *from, to, lines: label(icfg, sources, path), ..Edge::default() });
        }
        graphs.push((format!("ranking by {}", rank.join(", ")), graph));
    }
    graphs
}
