//! Syntax trees of either language as indented text or as a graph.
//!
//! The front ends have tree types of their own with the `Debug` form that Rust derives. That form is regular, so one
//! reader serves all of them: it is read back as a tree of named nodes, without source positions, absent parts and
//! wrappers that say nothing.

use std::fmt::Write;

/// A node with its parts; a part may have the name of its field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    label: String,
    parts: Vec<(String, Tree)>,
}

/// Fields and types that say where something stands, not what it is.
const POSITIONS: &[&str] = &["span", "field_span", "Span", "Loc"];

/// Reads the `Debug` form of a value. `resolve` may put a text in the place of a leaf such as `Sym(7)`.
pub(crate) fn of_debug(text: &str, resolve: &dyn Fn(&str, &str) -> Option<String>) -> Option<Tree> {
    let mut reader = Reader { rest: text, resolve };
    let tree = reader.value()?;
    Some(tree.unwrap_or(Tree { label: "nothing".to_string(), parts: Vec::new() }))
}

struct Reader<'a> {
    rest: &'a str,
    resolve: &'a dyn Fn(&str, &str) -> Option<String>,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A value: `None` if the text is malformed, `Some(None)` if it is not worth showing.
    fn value(&mut self) -> Option<Option<Tree>> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            quote @ ('"' | '\'') => {
                let text = self.quoted(quote)?;
                Some(Some(Tree { label: text, parts: Vec::new() }))
            }
            '[' => {
                self.eat("[");
                let parts = self.values("]")?;
                Some((!parts.is_empty()).then_some(Tree { label: String::new(), parts }))
            }
            '(' => {
                self.eat("(");
                let parts = self.values(")")?;
                Some((!parts.is_empty()).then_some(Tree { label: String::new(), parts }))
            }
            '{' => {
                self.eat("{");
                let parts = self.fields()?;
                Some((!parts.is_empty()).then_some(Tree { label: String::new(), parts }))
            }
            _ => self.named(),
        }
    }

    fn named(&mut self) -> Option<Option<Tree>> {
        let end = self.rest.find([',', ')', ']', '}', '(', '{', ' ', '[']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return None;
        }
        self.rest = rest;
        let name = name.to_string();
        if self.rest.starts_with('(') {
            self.eat("(");
            let parts = self.values(")")?;
            if POSITIONS.contains(&name.as_str()) {
                return Some(None);
            }
            if let [(_, only)] = &parts[..]
                && only.parts.is_empty()
                && let Some(text) = (self.resolve)(&name, &only.label)
            {
                return Some(Some(Tree { label: text, parts: Vec::new() }));
            }
            return Some(node(name, parts));
        }
        if self.rest.starts_with(" {") {
            self.eat("{");
            let parts = self.fields()?;
            return Some(if POSITIONS.contains(&name.as_str()) { None } else { node(name, parts) });
        }
        let says_nothing = matches!(name.as_str(), "None" | "false");
        Some((!says_nothing).then_some(Tree { label: name, parts: Vec::new() }))
    }

    fn values(&mut self, close: &str) -> Option<Vec<(String, Tree)>> {
        let mut parts = Vec::new();
        while !self.eat(close) {
            parts.extend(self.value()?.map(|tree| (String::new(), tree)));
            self.eat(",");
        }
        Some(parts)
    }

    fn fields(&mut self) -> Option<Vec<(String, Tree)>> {
        let mut parts = Vec::new();
        while !self.eat("}") {
            if self.eat("..") {
                continue;
            }
            let colon = self.rest.find(':')?;
            let field = self.rest[..colon].trim().to_string();
            self.rest = &self.rest[colon + 1..];
            let value = self.value()?;
            self.eat(",");
            if !POSITIONS.contains(&field.as_str()) {
                parts.extend(value.map(|tree| (field, tree)));
            }
        }
        Some(parts)
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut escaped = false;
        for (i, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    let text = self.rest[1..i].to_string();
                    self.rest = &self.rest[i + 1..];
                    return Some(text);
                }
                _ => {}
            }
        }
        None
    }
}

/// A node, unless it only wraps another.
fn node(label: String, mut parts: Vec<(String, Tree)>) -> Option<Tree> {
    let wraps = label == "Some" || matches!(&parts[..], [(field, _)] if field == "kind" || field == "name");
    if wraps && parts.len() == 1 {
        return parts.pop().map(|(_, tree)| tree);
    }
    if label == "Quals" || label == "Attrs" {
        return (!parts.is_empty()).then_some(Tree { label, parts });
    }
    Some(Tree { label, parts })
}

impl Tree {
    /// What a line says: the field, and the label unless it is a list.
    fn line(field: &str, tree: &Tree) -> String {
        match (field.is_empty(), tree.label.is_empty()) {
            (true, _) => tree.label.clone(),
            (false, true) => format!("{field}:"),
            (false, false) if tree.label == "true" => field.to_string(),
            (false, false) => format!("{field}: {}", tree.label),
        }
    }

    /// Every node in pre-order with its depth, its line and the position of its parent.
    fn lines(&self) -> Vec<(usize, String, Option<usize>)> {
        let mut lines = Vec::new();
        let mut stack: Vec<(usize, &str, &Tree, Option<usize>)> = vec![(0, "", self, None)];
        while let Some((depth, field, tree, parent)) = stack.pop() {
            let line = Tree::line(field, tree);
            // A list without a name is shown as its elements.
            let (depth, parent) = if line.is_empty() {
                (depth, parent)
            } else {
                lines.push((depth, line, parent));
                (depth + 1, Some(lines.len() - 1))
            };
            stack.extend(tree.parts.iter().rev().map(|(field, part)| (depth, field.as_str(), part, parent)));
        }
        lines
    }

    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for (depth, line, _) in self.lines() {
            let _ = writeln!(out, "{:indent$}{line}", "", indent = 2 * depth);
        }
        out
    }

    pub(crate) fn dot(&self) -> String {
        let mut out = "digraph ast {\n  node [shape=box, fontname=monospace];\n".to_string();
        for (i, (_, line, parent)) in self.lines().iter().enumerate() {
            let _ = writeln!(out, "  n{i} [label=\"{}\"];", line.replace('\\', "\\\\").replace('"', "\\\""));
            if let Some(parent) = parent {
                let _ = writeln!(out, "  n{parent} -> n{i};");
            }
        }
        out.push_str("}\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    #[allow(dead_code)]
    struct Sym(u32);
    #[derive(Debug)]
    #[allow(dead_code)]
    enum Expr {
        Name(Sym),
        Add { left: Box<Expr>, right: Box<Expr>, span: (u32, u32) },
        Call(String, Vec<Expr>, Option<u32>, bool),
    }

    #[test]
    fn a_derived_form_is_read_back() {
        let call = Expr::Call("f \"g\"".to_string(), vec![Expr::Name(Sym(1)), Expr::Name(Sym(0))], None, true);
        let value = Expr::Add { left: Box::new(Expr::Name(Sym(0))), right: Box::new(call), span: (1, 2) };
        let names = |kind: &str, n: &str| (kind == "Sym").then(|| ["x", "y"][n.parse::<usize>().unwrap()].to_string());
        let tree = of_debug(&format!("{value:?}"), &names).expect("it is regular");
        let wanted = "Add\n  left: Name\n    x\n  right: Call\n    f \\\"g\\\"\n    Name\n      y\n    Name\n      x\n    true\n";
        assert_eq!(tree.text(), wanted);
        assert!(tree.dot().contains("n0 -> n1;"));
        assert!(of_debug("Add { left: ", &names).is_none());
    }
}
