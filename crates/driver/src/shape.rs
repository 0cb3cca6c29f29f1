//! The shape of procedures: what two versions of a program have in common.
//!
//! A [`Shape`] says what each location of a procedure does, as text without the names of its own variables. Two shapes
//! are aligned location by location (Needleman and Wunsch, A general method applicable to the search for similarities,
//! 1970, between anchors that occur once in both), so that moved lines and renamed variables cost nothing. From aligned
//! locations the variables that play the same role follow, and the constants that took the place of others.
//!
//! The shape is that of the control-flow graph, so it is the same for every language, sees macros and types resolved,
//! and knows no comments. A wrong match costs time only: what is carried over is a candidate.

use crate::known::{Function, OwnVariable};
use ir::{EdgeId, Icfg, Label, LocId, Nondet, ProcId, Stmt, VarId, VarKind};
use logic::smtlib::quote_symbol;
use logic::{FastMap, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The variables of a graph by the names of their symbols.
pub(crate) struct Symbols {
    by_name: FastMap<String, VarId>,
}

impl Symbols {
    pub(crate) fn new(pool: &TermPool, icfg: &Icfg) -> Symbols {
        let name = |v: &ir::Variable| pool.as_symbol(v.term).map(|f| quote_symbol(pool.name(f)).into_owned());
        Symbols { by_name: icfg.vars.iter().filter_map(|(id, v)| Some((name(v)?, id))).collect() }
    }

    /// The variable with a symbol of this name, as SMT-LIB writes it.
    pub(crate) fn variable(&self, token: &str) -> Option<VarId> {
        self.by_name.get(token).copied()
    }
}

/// A term as SMT-LIB text, with some of its symbols written otherwise.
pub(crate) fn term_text(pool: &TermPool, term: TermId, write: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let text = pool.smtlib(term);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let n = match first {
            '(' | ')' | ' ' => 1,
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find(['(', ')', ' ']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(n);
        match write(token) {
            Some(written) => out.push_str(&written),
            None => out.push_str(token),
        }
        rest = after;
    }
    out
}

/// What each location of a procedure does.
pub(crate) struct Shape {
    pub(crate) name: String,
    /// In the order of [`Icfg::local_order`].
    pub(crate) locs: Vec<LocId>,
    /// For each location the steps that leave it. Own variables are `%` and their number in `variables`, others `@` and
    /// their name.
    pub(crate) lines: Vec<String>,
    /// The procedure's own variables in the order of their first occurrence.
    pub(crate) variables: Vec<VarId>,
    /// Where the steps of each location lead to, for the fingerprint.
    targets: Vec<Vec<u32>>,
}

impl Shape {
    pub(crate) fn new(pool: &TermPool, icfg: &Icfg, symbols: &Symbols, proc: ProcId) -> Shape {
        let procedure = &icfg.procs[proc];
        let order = icfg.local_order(procedure.entry);
        let mut locs: Vec<LocId> = icfg.locs.ids().filter(|l| order.rank[*l] != u32::MAX).collect();
        locs.sort_by_key(|l| order.rank[*l]);
        let mut numbers: BTreeMap<VarId, usize> = BTreeMap::new();
        let mut writer = Writer { pool, icfg, symbols, numbers: &mut numbers };
        let lines = locs.iter().map(|&loc| writer.line(loc, procedure.exit)).collect();
        for &v in procedure.params.iter().chain(&procedure.results).chain(&procedure.locals) {
            let n = numbers.len();
            numbers.entry(v).or_insert(n);
        }
        let mut variables: Vec<(usize, VarId)> = numbers.into_iter().map(|(v, n)| (n, v)).collect();
        variables.sort();
        let targets = locs.iter().map(|&l| icfg.local_successors(l).map(|(_, to)| order.rank[to]).collect()).collect();
        Shape {
            name: procedure.name.clone(),
            locs,
            lines,
            variables: variables.into_iter().map(|p| p.1).collect(),
            targets,
        }
    }

    /// The same for procedures with the same steps, whatever their variables are called and however the front end
    /// numbers its own.
    pub(crate) fn fingerprint(&self) -> String {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut text = String::new();
        for (line, targets) in self.lines.iter().zip(&self.targets) {
            for word in words(line) {
                if word.starts_with("@#") {
                    let n = numbers.len();
                    text.push_str(&format!("@#{} ", numbers.entry(word).or_insert(n)));
                } else {
                    text.push_str(word);
                    text.push(' ');
                }
            }
            text.push_str(&format!("-> {targets:?}\n"));
        }
        report::sha256::hex(text.as_bytes())
    }

    /// What is stored of it.
    pub(crate) fn stored(&self, pool: &TermPool, icfg: &Icfg) -> Function {
        let variable = |&v: &VarId| OwnVariable {
            name: icfg.vars[v].name.clone(),
            sort: pool.show_sort(icfg.vars[v].sort),
            kind: kind_name(icfg.vars[v].kind).to_string(),
        };
        Function {
            name: self.name.clone(),
            body: self.fingerprint(),
            lines: self.lines.clone(),
            variables: self.variables.iter().map(variable).collect(),
        }
    }
}

pub(crate) fn kind_name(kind: VarKind) -> &'static str {
    match kind {
        VarKind::Global => "global",
        VarKind::Old(_) => "old",
        VarKind::Param(_) => "parameter",
        VarKind::Result(_) => "result",
        VarKind::Local(_) => "local",
    }
}

struct Writer<'a> {
    pool: &'a TermPool,
    icfg: &'a Icfg,
    symbols: &'a Symbols,
    numbers: &'a mut BTreeMap<VarId, usize>,
}

impl Writer<'_> {
    fn line(&mut self, loc: LocId, exit: LocId) -> String {
        if self.icfg.locs[loc].error.is_some() {
            return "error".to_string();
        }
        let steps: Vec<String> = self.icfg.local_successors(loc).map(|(edge, _)| self.step(edge)).collect();
        if steps.is_empty() && loc == exit { "exit".to_string() } else { steps.join(" ; ") }
    }

    fn variable(&mut self, v: VarId) -> String {
        match self.icfg.vars[v].kind {
            VarKind::Global | VarKind::Old(_) => format!("@{}", token(&self.icfg.vars[v].name)),
            VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => {
                let n = self.numbers.len();
                format!("%{}", self.numbers.entry(v).or_insert(n))
            }
        }
    }

    fn variables(&mut self, list: &[VarId]) -> String {
        list.iter().map(|&v| self.variable(v)).collect::<Vec<_>>().join(" ")
    }

    fn term(&mut self, term: TermId) -> String {
        let (pool, symbols) = (self.pool, self.symbols);
        term_text(pool, term, &mut |token| symbols.variable(token).map(|v| self.variable(v)))
    }

    fn step(&mut self, edge: EdgeId) -> String {
        let icfg = self.icfg;
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                let texts: Vec<String> =
                    pairs.iter().map(|(v, t)| format!("{} := {}", self.variable(*v), self.term(*t))).collect();
                texts.join(" , ")
            }
            Label::Stmt(Stmt::Assume(t)) => format!("assume {}", self.term(*t)),
            Label::Stmt(Stmt::Havoc(vars, source)) => format!("havoc {} {}", self.variables(vars), nondet(source)),
            Label::Block(_) => "block".to_string(),
            Label::Call(site) => {
                let site = &icfg.call_sites[*site];
                let args: Vec<String> = site.args.iter().map(|&a| self.term(a)).collect();
                let results = self.variables(&site.results);
                format!("call @{} {} => {results}", token(&icfg.procs[site.callee].name), args.join(" "))
            }
            Label::Fork { callee, args, .. } => {
                let args: Vec<String> = args.iter().map(|&a| self.term(a)).collect();
                format!("fork @{} {}", token(&icfg.procs[*callee].name), args.join(" "))
            }
            Label::Join { results, .. } => format!("join {}", self.variables(results)),
            Label::Return(_) => "return".to_string(),
            Label::AtomicBegin => "atomic".to_string(),
            Label::AtomicEnd => "end".to_string(),
        }
    }
}

/// A name without blanks and brackets.
fn token(name: &str) -> String {
    name.replace([' ', '(', ')'], "_")
}

fn nondet(source: &Nondet) -> String {
    match source {
        Nondet::Choice => "choice".to_string(),
        Nondet::Input(name) => format!("input {}", token(name)),
        Nondet::Read(conversion) => format!("read {}", token(conversion)),
        Nondet::Inexact(_) => "inexact".to_string(),
        Nondet::Overapproximation(_) => "approximation".to_string(),
    }
}

/// The words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '(', ')']).filter(|w| !w.is_empty())
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || word.starts_with("#x") || word.starts_with("#b")
}

/// The line without the names of own variables.
fn nameless(line: &str) -> String {
    words(line).map(|w| if w.starts_with('%') { "%" } else { w }).collect::<Vec<_>>().join(" ")
}

/// The line without names and numbers.
fn skeleton(line: &str) -> String {
    let blank = |w| if str::starts_with(w, ['%', '@']) || is_number(w) { "_" } else { w };
    words(line).map(blank).collect::<Vec<_>>().join(" ")
}

/// The position in `new` of every position of `old`.
pub(crate) fn align(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut ids: FastMap<String, u32> = FastMap::default();
    let mut number = |text: String| {
        let n = ids.len() as u32;
        *ids.entry(text).or_insert(n)
    };
    let mut keys = |lines: &[String]| -> Vec<(u32, u32)> {
        lines.iter().map(|l| (number(nameless(l)), number(skeleton(l)))).collect()
    };
    let (old, new) = (keys(old), keys(new));
    let mut found = vec![None; old.len()];
    align_part(&old, &new, 0, 0, &mut found, 0);
    found
}

/// Larger parts are split at anchors.
const MAX_CELLS: usize = 400_000;
const MAX_SPLITS: usize = 40;

fn align_part(
    mut old: &[(u32, u32)],
    mut new: &[(u32, u32)],
    mut from_old: usize,
    mut from_new: usize,
    found: &mut [Option<usize>],
    depth: usize,
) {
    while let (Some(a), Some(b)) = (old.first(), new.first())
        && a.0 == b.0
    {
        found[from_old] = Some(from_new);
        (old, new, from_old, from_new) = (&old[1..], &new[1..], from_old + 1, from_new + 1);
    }
    while let (Some(a), Some(b)) = (old.last(), new.last())
        && a.0 == b.0
    {
        found[from_old + old.len() - 1] = Some(from_new + new.len() - 1);
        (old, new) = (&old[..old.len() - 1], &new[..new.len() - 1]);
    }
    if old.is_empty() || new.is_empty() {
        return;
    }
    if old.len() * new.len() <= MAX_CELLS {
        for (i, j) in best_alignment(old, new) {
            found[from_old + i] = Some(from_new + j);
        }
        return;
    }
    let anchors = anchors(old, new);
    if anchors.is_empty() || depth >= MAX_SPLITS {
        return;
    }
    let (mut i, mut j) = (0, 0);
    for (a, b) in anchors.into_iter().chain([(old.len(), new.len())]) {
        align_part(&old[i..a], &new[j..b], from_old + i, from_new + j, found, depth + 1);
        if a < old.len() {
            found[from_old + a] = Some(from_new + b);
        }
        (i, j) = (a + 1, b + 1);
    }
}

/// Lines that occur once in both, in the same order.
fn anchors(old: &[(u32, u32)], new: &[(u32, u32)]) -> Vec<(usize, usize)> {
    let once = |lines: &[(u32, u32)]| -> BTreeMap<u32, usize> {
        let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (i, line) in lines.iter().enumerate() {
            places.entry(line.0).or_default().push(i);
        }
        places.into_iter().filter(|(_, p)| p.len() == 1).map(|(k, p)| (k, p[0])).collect()
    };
    let there = once(new);
    let mut pairs: Vec<(usize, usize)> =
        once(old).into_iter().filter_map(|(k, i)| Some((i, *there.get(&k)?))).collect();
    pairs.sort_unstable();
    increasing(&pairs.iter().map(|p| p.1).collect::<Vec<_>>()).into_iter().map(|i| pairs[i]).collect()
}

/// The indices of a longest increasing subsequence.
pub(crate) fn increasing(values: &[usize]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(values.len());
    for (i, &value) in values.iter().enumerate() {
        let n = ends.partition_point(|&e| values[e] < value);
        before.push(n.checked_sub(1).map(|k| ends[k]));
        if n == ends.len() {
            ends.push(i);
        } else {
            ends[n] = i;
        }
    }
    let mut chain = Vec::new();
    let mut at = ends.last().copied();
    while let Some(i) = at {
        chain.push(i);
        at = before[i];
    }
    chain.reverse();
    chain
}

/// The pairs of an alignment with the greatest sum of likenesses.
fn best_alignment(old: &[(u32, u32)], new: &[(u32, u32)]) -> Vec<(usize, usize)> {
    let likeness = |a: (u32, u32), b: (u32, u32)| match (a.0 == b.0, a.1 == b.1) {
        (true, _) => 5,
        (false, true) => 3,
        (false, false) => 0,
    };
    let width = new.len() + 1;
    let mut best = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let skip = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            let like = likeness(old[i], new[j]);
            let both = if like > 0 { like + best[(i + 1) * width + j + 1] } else { 0 };
            best[i * width + j] = skip.max(both);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        let like = likeness(old[i], new[j]);
        if like > 0 && best[i * width + j] == like + best[(i + 1) * width + j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i * width + j] == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Replacements of one word by another, with their counts.
#[derive(Default)]
pub(crate) struct Votes {
    counts: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Votes {
    /// Counts what stands at the same place of two lines that differ in names and numbers only.
    pub(crate) fn count(&mut self, old: &str, new: &str) {
        let (a, b): (Vec<&str>, Vec<&str>) = (words(old).collect(), words(new).collect());
        if a.len() != b.len() {
            return;
        }
        let is_hole = |w: &str| w.starts_with(['%', '@']) || is_number(w);
        if a.iter().zip(&b).any(|(x, y)| x != y && !(is_hole(x) && is_hole(y))) {
            return;
        }
        for (x, y) in a.into_iter().zip(b).filter(|(x, _)| is_hole(x)) {
            *self.counts.entry(x.to_string()).or_default().entry(y.to_string()).or_default() += 1;
        }
    }

    /// What most often stands where a word stood.
    pub(crate) fn winner(&self, word: &str) -> Option<&str> {
        let (best, _) = self.counts.get(word)?.iter().max_by_key(|(other, n)| (**n, other.as_str() == word))?;
        Some(best)
    }

    /// Constants that were replaced by others.
    pub(crate) fn changed_numbers(&self) -> BTreeMap<String, String> {
        let numbers = self.counts.keys().filter(|w| is_number(w));
        let changed = numbers.filter_map(|w| Some((w.clone(), self.winner(w)?.to_string())));
        changed.filter(|(w, other)| w != other && is_number(other)).collect()
    }
}

/// How much of the lines of two procedures is alike, from 0 to 1.
pub(crate) fn likeness(old: &[String], new: &[String]) -> f64 {
    let set = |lines: &[String]| -> BTreeSet<String> { lines.iter().map(|l| nameless(l)).collect() };
    let (a, b) = (set(old), set(new));
    let common = a.intersection(&b).count() as f64;
    common / (a.len().max(b.len()).max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|t| t.to_string()).collect()
    }

    #[test]
    fn alignment_survives_insertions_renamings_and_changed_numbers() {
        let old = lines(&["%0 := 0", "assume (<= %0 9)", "%0 := (+ %0 1)", "exit"]);
        let new = lines(&["%1 := 7", "%0 := 0", "assume (<= %0 10)", "%0 := (+ %0 1)", "exit"]);
        let found = align(&old, &new);
        assert_eq!(found[1..], [Some(2), Some(3), Some(4)]);
        let mut votes = Votes::default();
        for (i, j) in found.iter().enumerate().filter_map(|(i, j)| Some((i, (*j)?))) {
            votes.count(&old[i], &new[j]);
        }
        assert_eq!(votes.changed_numbers(), BTreeMap::from([("9".to_string(), "10".to_string())]));
        assert_eq!(votes.winner("%0"), Some("%0"));
    }

    #[test]
    fn long_procedures_are_split_at_lines_that_occur_once() {
        let old: Vec<String> = (0..2000).map(|i| format!("%0 := {i}")).collect();
        let mut new = old.clone();
        new.insert(700, "havoc %3 choice".to_string());
        new.remove(1500);
        let found = align(&old, &new);
        assert_eq!(found[10], Some(10));
        assert_eq!(found[900], Some(901));
        assert_eq!(found[1900], Some(1900));
    }

    #[test]
    fn longest_increasing_subsequence() {
        assert_eq!(increasing(&[3, 0, 1, 2]), [1, 2, 3]);
        assert_eq!(increasing(&[]), [] as [usize; 0]);
    }
}
