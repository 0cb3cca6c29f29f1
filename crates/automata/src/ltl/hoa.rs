//! Automata as text: the Hanoi Omega-Automata format, version 1 (Babiak and others, CAV 2015), and Graphviz.

use super::{Cube, LtlAutomaton};
use std::fmt::Write;

impl LtlAutomaton {
    /// The automaton in HOA v1; `names` are the propositions by number.
    pub fn to_hoa(&self, title: &str, names: &[String]) -> String {
        let mut out = String::from("HOA: v1\n");
        let _ = writeln!(out, "name: {}", quoted(title));
        let _ = writeln!(out, "States: {}", self.n_states());
        for q in &self.initial {
            let _ = writeln!(out, "Start: {q}");
        }
        let _ = write!(out, "AP: {}", names.len());
        for name in names {
            let _ = write!(out, " {}", quoted(name));
        }
        out.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n");
        out.push_str("tool: \"craig\"\n--BODY--\n");
        for (q, row) in self.edges.iter().enumerate() {
            let _ = writeln!(out, "State: {q}{}", if self.accepting[q] { " {0}" } else { "" });
            for edge in row {
                let _ = writeln!(out, "[{}] {}", label(edge.guard, &|p| p.to_string(), "t", "&"), edge.target);
            }
        }
        out.push_str("--END--\n");
        out
    }

    /// The automaton as a Graphviz picture.
    pub fn to_dot(&self, title: &str, names: &[String]) -> String {
        let name = |p: u32| names.get(p as usize).cloned().unwrap_or_else(|| format!("p{p}"));
        let mut out = String::from("digraph ltl {\n  rankdir=LR;\n");
        let _ = writeln!(out, "  label={};", quoted(title));
        for (q, is_accepting) in self.accepting.iter().enumerate() {
            let shape = if *is_accepting { "doublecircle" } else { "circle" };
            let _ = writeln!(out, "  {q} [shape={shape}];");
        }
        for q in &self.initial {
            let _ = writeln!(out, "  start{q} [shape=point];\n  start{q} -> {q};");
        }
        for (q, row) in self.edges.iter().enumerate() {
            for edge in row {
                let text = label(edge.guard, &name, "true", " && ");
                let _ = writeln!(out, "  {q} -> {} [label={}];", edge.target, quoted(&text));
            }
        }
        out.push_str("}\n");
        out
    }
}

fn label(guard: Cube, name: &dyn Fn(u32) -> String, empty: &str, and: &str) -> String {
    let literals: Vec<String> =
        guard.literals().map(|(p, positive)| format!("{}{}", if positive { "" } else { "!" }, name(p))).collect();
    if literals.is_empty() { empty.to_string() } else { literals.join(and) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
