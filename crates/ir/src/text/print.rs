//! Printing; see the parent module for the format.

use crate::icfg::{Icfg, Label};
use crate::program::{
    Check, InstrKind, LabelId, Nondet, Note, Procedure, Program, Remark, RemarkKind, Stmt, VarId, VarKind, VarRole,
    Variable,
};
use crate::transition::{Parts, primed};
use base::{IdVec, Span};
use logic::smtlib::quote_symbol;
use logic::{FastMap, FastSet, FunId, Sort, SortId, Substitution, TermId, TermPool};
use std::fmt::Write;

/// The text of a program. (The pool changes by constants that carry the names of the text.)
pub fn print_program(program: &Program, pool: &mut TermPool) -> String {
    let mut terms = program.axioms.clone();
    terms.extend(&program.initially);
    for p in program.procs.values() {
        terms.extend(p.requires.iter().chain(&p.ensures).map(|s| s.formula));
        for instr in p.body.iter().flat_map(|b| &b.instrs) {
            match &instr.kind {
                InstrKind::Stmt(stmt) => stmt_terms(stmt, &mut terms),
                InstrKind::Assert(c, _) => terms.push(*c),
                InstrKind::Call { args, .. } => terms.extend(args),
                InstrKind::Fork { id, args, .. } => terms.extend(id.iter().chain(args)),
                InstrKind::Join { id, .. } => terms.extend(id),
                InstrKind::Label(_)
                | InstrKind::Goto(_)
                | InstrKind::Return
                | InstrKind::AtomicBegin
                | InstrKind::AtomicEnd => {}
            }
        }
    }
    let mut printer = Printer::new(pool, &program.vars, &[]);
    printer.line("(program)".to_string());
    printer.signature(&program.vars, &terms);
    for &t in &program.axioms {
        let t = printer.term(t);
        printer.line(format!("(axiom {t})"));
    }
    for &t in &program.initially {
        let t = printer.term(t);
        printer.line(format!("(initially {t})"));
    }
    for p in program.procs.values() {
        printer.procedure(p);
    }
    for entry in &program.entries {
        printer.line(format!("(entry {})", entry.0));
    }
    if !program.entry_note.is_empty() {
        printer.line(format!("(entry-note {})", string(&program.entry_note)));
    }
    for (word, remarks) in [
        ("unsound", &program.fidelity.unsound),
        ("imprecise", &program.fidelity.imprecise),
        ("assumption", &program.assumptions),
    ] {
        for Remark { kind, span, message } in remarks {
            let kind = match kind {
                RemarkKind::Other => "",
                RemarkKind::Threads => " :kind threads",
                RemarkKind::AddressNumber => " :kind address-number",
                RemarkKind::Internal => " :kind internal",
            };
            printer.line(format!("({word} {}{kind}{})", string(message), at(*span)));
        }
    }
    printer.out
}

/// The text of a graph. (The pool changes by constants that carry the names of the text.)
pub fn print_icfg(icfg: &Icfg, pool: &mut TermPool) -> String {
    let mut terms = icfg.axioms.clone();
    let mut aux = Vec::new();
    let of_vars: FastSet<FunId> = icfg.vars.values().filter_map(|v| pool.as_symbol(v.term)).collect();
    let mut seen: FastSet<TermId> = FastSet::default();
    for edge in icfg.edges.values() {
        terms.extend(icfg.read_terms(&edge.label));
        if let Label::Block(block) = &edge.label {
            let mut constants = block.aux.clone();
            constants.extend(parts_constants(pool, &of_vars, &block.parts));
            aux.extend(constants.into_iter().filter(|&c| seen.insert(c)));
        }
    }
    let mut printer = Printer::new(pool, &icfg.vars, &aux);
    printer.line("(graph)".to_string());
    printer.signature(&icfg.vars, &terms);
    for (i, &a) in aux.iter().enumerate() {
        let sort = printer.pool.show_sort(printer.pool.sort(a));
        printer.line(format!("(aux %a{i} {sort})"));
    }
    for &t in &icfg.axioms {
        let t = printer.term(t);
        printer.line(format!("(axiom {t})"));
    }
    for p in icfg.procs.values() {
        let lists: Vec<String> =
            [&p.params, &p.results, &p.locals, &p.modifies].into_iter().map(|l| printer.vars(l)).collect();
        let (name, lists) = (quote_symbol(&p.name), lists.join(" "));
        printer.line(format!("(procedure {name} {} {} {lists}{})", p.entry.0, p.exit.0, at(p.span)));
    }
    for (id, l) in icfg.locs.iter() {
        let head = if l.is_loop_head { " :loop" } else { "" };
        let error = l.error.as_ref().map_or(String::new(), |c| format!(" :error {}", check(c)));
        printer.line(format!("(location {} {}{head}{error}{})", id.0, l.proc.0, at(l.span)));
    }
    for (id, e) in icfg.edges.iter() {
        let label = printer.label(&e.label);
        printer.line(format!("(edge {} {} {} {label}{}{})", id.0, e.src.0, e.dst.0, note(e.note), at(e.span)));
    }
    for (id, s) in icfg.call_sites.iter() {
        let (args, results) = (printer.terms(&s.args), printer.vars(&s.results));
        let (caller, callee, call, back) = (s.caller.0, s.callee.0, s.call_edge.0, s.return_edge.0);
        printer.line(format!("(site {} {caller} {callee} {args} {results} {call} {back})", id.0));
    }
    if let Some(root) = icfg.root {
        printer.line(format!("(root {})", root.0));
    }
    printer.out
}

fn stmt_terms(stmt: &Stmt, terms: &mut Vec<TermId>) {
    match stmt {
        Stmt::Assign(pairs) => terms.extend(pairs.iter().map(|p| p.1)),
        Stmt::Assume(c) => terms.push(*c),
        Stmt::Havoc(..) => {}
    }
}

/// Constants in the terms of parts that are not variables and not primed.
fn parts_constants(pool: &TermPool, of_vars: &FastSet<FunId>, parts: &Parts) -> Vec<TermId> {
    let mut terms = Vec::new();
    let mut stack = vec![parts];
    while let Some(parts) = stack.pop() {
        match parts {
            Parts::Edge { chosen, .. } => terms.extend(chosen.iter().map(|c| c.1)),
            Parts::Seq(list) => stack.extend(list),
            Parts::Graph { edges, .. } => {
                for e in edges {
                    terms.push(e.taken);
                    stack.push(&e.parts);
                }
            }
        }
    }
    let mut constants = Vec::new();
    for t in terms {
        constants.extend(pool.free_constants(t));
    }
    constants.retain(|&c| {
        pool.as_symbol(c).is_some_and(|f| {
            let base = pool.fun(f).instance_of.map_or(f, |(base, _)| base);
            !of_vars.contains(&base)
        })
    });
    constants
}

pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn at(span: Span) -> String {
    if span.is_none() { String::new() } else { format!(" :at |{}.{}.{}|", span.file.0, span.start, span.end) }
}

fn note(note: Note) -> String {
    match note {
        Note::None => String::new(),
        Note::Branch(outcome) => format!(" :branch {outcome}"),
        Note::Hidden => " :hidden".to_string(),
        Note::Fact => " :fact".to_string(),
        Note::Step => " :step".to_string(),
        Note::Layout => " :layout".to_string(),
        Note::Mark(event) => format!(" :event {event}"),
    }
}

fn check(c: &Check) -> String {
    format!("({} {}{})", string(c.property.name()), string(&c.message), at(c.span))
}

pub(super) fn var_name(id: VarId, name: &str) -> String {
    format!("{name}%{}", id.0)
}

struct Printer<'a> {
    pool: &'a mut TermPool,
    /// The names of variables, as written.
    names: IdVec<VarId, String>,
    /// From the program's constants to constants with the names of the text.
    renaming: Substitution,
    renamed: FastSet<TermId>,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a mut TermPool, vars: &IdVec<VarId, Variable>, aux: &[TermId]) -> Printer<'a> {
        let mut renaming = Substitution::new();
        let mut renamed = FastSet::default();
        let mut names = IdVec::new();
        let mut rename = |pool: &mut TermPool, from: TermId, name: &str| {
            let sort = pool.sort(from);
            renaming.insert(from, pool.constant(name, sort));
            renamed.insert(from);
        };
        for (id, v) in vars.iter() {
            let name = var_name(id, &v.name);
            rename(pool, v.term, &name);
            let after = primed(pool, v.term);
            rename(pool, after, &format!("{name}+"));
            names.push(quote_symbol(&name).into_owned());
        }
        for (i, &a) in aux.iter().enumerate() {
            rename(pool, a, &format!("%a{i}"));
        }
        Printer { pool, names, renaming, renamed, out: String::new() }
    }

    fn line(&mut self, text: String) {
        self.out.push_str(&text);
        self.out.push('\n');
    }
    fn term(&mut self, t: TermId) -> String {
        let t = self.renaming.apply(self.pool, t);
        self.pool.smtlib(t)
    }
    fn terms(&mut self, list: &[TermId]) -> String {
        let texts: Vec<String> = list.iter().map(|&t| self.term(t)).collect();
        format!("({})", texts.join(" "))
    }
    fn vars(&self, list: &[VarId]) -> String {
        let names: Vec<&str> = list.iter().map(|&v| self.names[v].as_str()).collect();
        format!("({})", names.join(" "))
    }

    /// Sorts, functions and variables.
    fn signature(&mut self, vars: &IdVec<VarId, Variable>, terms: &[TermId]) {
        let mut symbols = self.pool.free_symbols_of(terms);
        let renamed: FastMap<FunId, ()> =
            self.renamed.iter().filter_map(|&t| self.pool.as_symbol(t)).map(|f| (f, ())).collect();
        symbols.retain(|f| !renamed.contains_key(f));
        let mut sorts: Vec<SortId> = vars.values().map(|v| v.sort).collect();
        for &f in &symbols {
            let decl = self.pool.fun(f);
            sorts.extend(decl.args.iter().copied().chain([decl.result]));
        }
        // Bound variables and array constants may have sorts that nothing else has.
        self.pool.visit_postorder(terms, |t| sorts.push(self.pool.sort(t)));
        let mut seen: FastSet<SortId> = FastSet::default();
        while let Some(sort) = sorts.pop() {
            if !seen.insert(sort) {
                continue;
            }
            match self.pool.sort_data(sort) {
                Sort::Uninterpreted(name) => {
                    self.out.push_str(&format!("(sort {})\n", quote_symbol(name)));
                }
                Sort::Array(index, element) => sorts.extend([*element, *index]),
                Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => {}
            }
        }
        for f in symbols {
            let decl = self.pool.fun(f);
            let args: Vec<String> = decl.args.iter().map(|&s| self.pool.show_sort(s)).collect();
            let (name, result) = (quote_symbol(&decl.name), self.pool.show_sort(decl.result));
            self.out.push_str(&format!("(fun {name} ({}) {result})\n", args.join(" ")));
        }
        for (id, v) in vars.iter() {
            let kind = match v.kind {
                VarKind::Global => "global".to_string(),
                VarKind::Old(g) => format!("(old {})", self.names[g]),
                VarKind::Param(p) => format!("(param {})", p.0),
                VarKind::Result(p) => format!("(result {})", p.0),
                VarKind::Local(p) => format!("(local {})", p.0),
            };
            let sort = self.pool.show_sort(v.sort);
            let role = match v.role {
                VarRole::Plain => String::new(),
                VarRole::BaseOf(of) => format!(" :base-of {}", of.0),
                VarRole::Temporary => " :role temporary".to_string(),
                VarRole::AddressCounter => " :role address-counter".to_string(),
                VarRole::BlockStates => " :role block-states".to_string(),
                VarRole::BlockSizes => " :role block-sizes".to_string(),
                VarRole::AddressOfLocal => " :role address-of-local".to_string(),
                VarRole::WitnessSegment => " :role witness-segment".to_string(),
                VarRole::ReturnAddress => " :role return-address".to_string(),
                VarRole::Lock => " :role lock".to_string(),
                VarRole::AccessMark => " :role access-mark".to_string(),
                VarRole::WaitsFor => " :role waits-for".to_string(),
            };
            self.line(format!("(var {} {sort} {kind}{role}{})", self.names[id], at(v.span)));
        }
    }

    fn procedure(&mut self, p: &Procedure) {
        let lists: Vec<String> =
            [&p.params, &p.results, &p.locals, &p.modifies].into_iter().map(|l| self.vars(l)).collect();
        self.line(format!("(procedure {} {}{})", quote_symbol(&p.name), lists.join(" "), at(p.span)));
        for (word, specs) in [("requires", &p.requires), ("ensures", &p.ensures)] {
            for spec in specs {
                let formula = self.term(spec.formula);
                let free = if spec.free { " :free" } else { "" };
                self.line(format!("({word} {formula}{free}{})", at(spec.span)));
            }
        }
        let Some(body) = &p.body else { return };
        self.line(format!("(body {})", body.n_labels));
        for instr in &body.instrs {
            let text = match &instr.kind {
                InstrKind::Label(LabelId(l)) => format!("label {l}"),
                InstrKind::Goto(labels) => {
                    let labels: String = labels.iter().map(|l| format!(" {}", l.0)).collect();
                    format!("goto{labels}")
                }
                InstrKind::Stmt(stmt) => self.stmt(stmt),
                InstrKind::Assert(c, chk) => format!("assert {} {}", self.term(*c), check(chk)),
                InstrKind::Call { callee, args, results } => {
                    format!("call {} {} {}", callee.0, self.terms(args), self.vars(results))
                }
                InstrKind::Return => "return".to_string(),
                InstrKind::Fork { id, callee, args } => {
                    format!("fork {} {} {}", self.terms(id), callee.0, self.terms(args))
                }
                InstrKind::Join { id, results } => format!("join {} {}", self.terms(id), self.vars(results)),
                InstrKind::AtomicBegin => "atomic-begin".to_string(),
                InstrKind::AtomicEnd => "atomic-end".to_string(),
            };
            self.line(format!("  ({text}{}{})", note(instr.note), at(instr.span)));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Assign(pairs) => format!("assign {}", self.pairs(pairs)),
            Stmt::Assume(c) => format!("assume {}", self.term(*c)),
            Stmt::Havoc(vars, why) => {
                let why = match why {
                    Nondet::Choice => "choice".to_string(),
                    Nondet::Read(conversion) => format!("(read {})", string(conversion)),
                    Nondet::Input(name) => format!("(input {})", string(name)),
                    Nondet::Inexact(what) => format!("(inexact {})", string(what)),
                    Nondet::Overapproximation(what) => format!("(overapproximation {})", string(what)),
                };
                format!("havoc {} {why}", self.vars(vars))
            }
        }
    }
    fn pairs(&mut self, pairs: &[(VarId, TermId)]) -> String {
        let mut out = String::from("(");
        for (i, &(v, t)) in pairs.iter().enumerate() {
            let (space, t) = (if i == 0 { "" } else { " " }, self.term(t));
            let _ = write!(out, "{space}({} {t})", self.names[v]);
        }
        out + ")"
    }

    fn label(&mut self, label: &Label) -> String {
        match label {
            Label::Stmt(stmt) => format!("({})", self.stmt(stmt)),
            Label::Block(block) => {
                let (formula, plain) = (self.term(block.formula), self.term(block.plain));
                let (assigned, aux) = (self.vars(&block.assigned), self.terms(&block.aux));
                let parts = self.parts(&block.parts);
                format!("(block {formula} {plain} {assigned} {aux} {parts})")
            }
            Label::Call(site) => format!("(call {})", site.0),
            Label::Return(site) => format!("(return {})", site.0),
            Label::Fork { id, callee, args } => {
                format!("(fork {} {} {})", self.terms(id), callee.0, self.terms(args))
            }
            Label::Join { id, results } => format!("(join {} {})", self.terms(id), self.vars(results)),
            Label::AtomicBegin => "(atomic-begin)".to_string(),
            Label::AtomicEnd => "(atomic-end)".to_string(),
        }
    }

    /// Composition nests only as deep as blocks were composed of blocks.
    fn parts(&mut self, parts: &Parts) -> String {
        match parts {
            Parts::Edge { edge, chosen } => format!("(edge {} {})", edge.0, self.pairs(chosen)),
            Parts::Seq(list) => {
                let list: Vec<String> = list.iter().map(|p| self.parts(p)).collect();
                format!("(seq {})", list.join(" "))
            }
            Parts::Graph { n_nodes, edges } => {
                let mut list = Vec::with_capacity(edges.len());
                for e in edges {
                    let (taken, parts) = (self.term(e.taken), self.parts(&e.parts));
                    list.push(format!("({} {} {taken} {parts})", e.from, e.to));
                }
                format!("(paths {n_nodes} {})", list.join(" "))
            }
        }
    }
}
