//! Reading; see the parent module for the format.

use crate::icfg::{CallSite, CallSiteId, EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{
    Body, Check, Instr, InstrKind, LabelId, Nondet, Note, ProcId, Procedure, Program, Remark, RemarkKind, Spec, Stmt,
    Subproperty, VarId, VarKind, VarRole, Variable,
};
use crate::transition::{PartEdge, Parts, Transition, primed};
use base::{FileId, IdVec, Span};
use logic::smtlib::{Node, NodeId, ReadError, SExpr, SExprReader, Signature};
use logic::{FastMap, SortId, TermId, TermPool};

type Result<T> = std::result::Result<T, ReadError>;

/// Makes the constant of a variable or an auxiliary constant of the text, given its name there.
pub type MakeConstant<'a> = &'a mut dyn FnMut(&mut TermPool, &str, SortId) -> TermId;

/// The program that a text describes, over fresh constants.
pub fn read_program(pool: &mut TermPool, text: &str) -> Result<Program> {
    read_program_with(pool, text, &mut |pool, name, sort| pool.fresh_constant(base_name(name), sort))
}

/// The graph that a text describes, over fresh constants.
pub fn read_icfg(pool: &mut TermPool, text: &str) -> Result<Icfg> {
    read_icfg_with(pool, text, &mut |pool, name, sort| pool.fresh_constant(base_name(name), sort))
}

/// The name of a variable without its number.
fn base_name(name: &str) -> &str {
    name.rsplit_once('%').map_or(name, |(base, _)| base)
}

/// The program that a text describes, over constants that the caller chooses.
pub fn read_program_with(pool: &mut TermPool, text: &str, make: MakeConstant) -> Result<Program> {
    let mut reader = Reader::new(pool, make);
    let mut program = Program::new();
    let mut forms = SExprReader::new(text.as_bytes());
    while let Some(e) = forms.next_expr()? {
        reader.form(&e, |r, f| r.program_form(f, &mut program))?;
    }
    program.vars = reader.vars;
    program.globals = reader.globals;
    program.axioms = reader.axioms;
    Ok(program)
}

/// The graph that a text describes, over constants that the caller chooses.
pub fn read_icfg_with(pool: &mut TermPool, text: &str, make: MakeConstant) -> Result<Icfg> {
    let mut reader = Reader::new(pool, make);
    let mut icfg = Icfg::new();
    let mut forms = SExprReader::new(text.as_bytes());
    while let Some(e) = forms.next_expr()? {
        reader.form(&e, |r, f| r.graph_form(f, &mut icfg))?;
    }
    let n_locs = icfg.locs.len();
    let end = forms.pos();
    for p in icfg.procs.values() {
        if p.entry.0 as usize >= n_locs || p.exit.0 as usize >= n_locs {
            return Err(ReadError::new(end, format!("an entry or exit of {} is not a location", p.name)));
        }
    }
    if icfg.locs.values().any(|l| icfg.procs.get(l.proc).is_none()) {
        return Err(ReadError::new(end, "a location belongs to no procedure"));
    }
    icfg.vars = reader.vars;
    icfg.globals = reader.globals;
    icfg.axioms = reader.axioms;
    Ok(icfg)
}

/// A form with its attributes (`:word` with or without a value) taken out.
struct Form<'a> {
    e: &'a SExpr,
    node: NodeId,
    word: &'a str,
    items: Vec<NodeId>,
    attributes: FastMap<&'a str, Option<NodeId>>,
}

impl<'a> Form<'a> {
    fn new(e: &'a SExpr, node: NodeId) -> Result<Form<'a>> {
        let list = e.list(node).ok_or_else(|| ReadError::new(e.pos(node), "expected a list"))?;
        let (&head, rest) = list.split_first().ok_or_else(|| ReadError::new(e.pos(node), "an empty list"))?;
        let word = e.symbol(head).ok_or_else(|| ReadError::new(e.pos(head), "expected a word"))?;
        let mut items = Vec::new();
        let mut attributes: FastMap<&str, Option<NodeId>> = FastMap::default();
        let mut rest = rest.iter().copied().peekable();
        while let Some(n) = rest.next() {
            match e.keyword(n) {
                Some(key @ ("at" | "branch" | "error")) => {
                    attributes.insert(key, rest.next());
                }
                Some(key) => {
                    attributes.insert(key, None);
                }
                None => items.push(n),
            }
        }
        Ok(Form { e, node, word, items, attributes })
    }
    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ReadError::new(self.e.pos(self.node), message))
    }
    fn item(&self, i: usize) -> Result<NodeId> {
        match self.items.get(i) {
            Some(&n) => Ok(n),
            None => self.error(format!("({} …) lacks its item {}", self.word, i + 1)),
        }
    }
    fn number(&self, i: usize) -> Result<u32> {
        number(self.e, self.item(i)?)
    }
    fn symbol(&self, i: usize) -> Result<&'a str> {
        let n = self.item(i)?;
        self.e.symbol(n).ok_or_else(|| ReadError::new(self.e.pos(n), "expected a symbol"))
    }
    fn string(&self, i: usize) -> Result<String> {
        let n = self.item(i)?;
        match self.e.node(n) {
            Node::Str(text) => Ok(text.clone()),
            _ => Err(ReadError::new(self.e.pos(n), "expected a string")),
        }
    }
    fn list(&self, i: usize) -> Result<&'a [NodeId]> {
        let n = self.item(i)?;
        self.e.list(n).ok_or_else(|| ReadError::new(self.e.pos(n), "expected a list"))
    }
    fn span(&self) -> Result<Span> {
        let Some(value) = self.attributes.get("at") else { return Ok(Span::NONE) };
        let numbers = value.and_then(|n| self.e.symbol(n)).map(|s| s.split('.').map(str::parse::<u32>).collect());
        match numbers {
            Some(Ok::<Vec<u32>, _>(numbers)) if numbers.len() == 3 => {
                Ok(Span { file: FileId(numbers[0]), start: numbers[1], end: numbers[2] })
            }
            _ => self.error("a span has the form |file.start.end|"),
        }
    }
    fn note(&self) -> Result<Note> {
        if self.attributes.contains_key("hidden") {
            return Ok(Note::Hidden);
        }
        if self.attributes.contains_key("fact") {
            return Ok(Note::Fact);
        }
        if self.attributes.contains_key("step") {
            return Ok(Note::Step);
        }
        if self.attributes.contains_key("layout") {
            return Ok(Note::Layout);
        }
        if let Some(event) = self.attributes.get("event") {
            return match event.map(|n| number(self.e, n)) {
                Some(event) => Ok(Note::Mark(event?)),
                None => self.error("an event has a number"),
            };
        }
        match self.attributes.get("branch") {
            None => Ok(Note::None),
            Some(value) => match value.and_then(|n| self.e.symbol(n)) {
                Some("true") => Ok(Note::Branch(true)),
                Some("false") => Ok(Note::Branch(false)),
                _ => self.error("a branch is true or false"),
            },
        }
    }
}

fn number(e: &SExpr, n: NodeId) -> Result<u32> {
    match e.node(n) {
        Node::Numeral(digits) => digits.parse().ok(),
        _ => None,
    }
    .ok_or_else(|| ReadError::new(e.pos(n), "expected a small number"))
}

struct Reader<'p, 'm> {
    pool: &'p mut TermPool,
    make: MakeConstant<'m>,
    signature: Signature,
    var_ids: FastMap<String, VarId>,
    vars: IdVec<VarId, Variable>,
    globals: Vec<VarId>,
    axioms: Vec<TermId>,
}

/// Composition of blocks nests at most this deep in a text.
const MAX_PARTS_DEPTH: usize = 64;

impl<'p, 'm> Reader<'p, 'm> {
    fn new(pool: &'p mut TermPool, make: MakeConstant<'m>) -> Reader<'p, 'm> {
        Reader {
            pool,
            make,
            signature: Signature::new(),
            var_ids: FastMap::default(),
            vars: IdVec::new(),
            globals: Vec::new(),
            axioms: Vec::new(),
        }
    }

    /// Reads what programs and graphs have in common, and leaves the rest to `other`.
    fn form(&mut self, e: &SExpr, other: impl FnOnce(&mut Self, &Form) -> Result<()>) -> Result<()> {
        let f = Form::new(e, e.root())?;
        let fail = |message| Err(ReadError::new(e.pos(e.root()), message));
        match f.word {
            "program" | "graph" => Ok(()),
            "sort" => self.signature.declare_sort(f.symbol(0)?, 0).or_else(fail),
            "fun" => {
                let mut args = Vec::new();
                for &n in f.list(1)? {
                    args.push(self.signature.read_sort(self.pool, e, n)?);
                }
                let result = self.signature.read_sort(self.pool, e, f.item(2)?)?;
                self.signature.declare_fun(self.pool, f.symbol(0)?, &args, result).map(|_| ()).or_else(fail)
            }
            "aux" => {
                let sort = self.signature.read_sort(self.pool, e, f.item(1)?)?;
                let term = (self.make)(self.pool, f.symbol(0)?, sort);
                self.signature.define_constant(self.pool, f.symbol(0)?, term).or_else(fail)
            }
            "var" => self.variable(&f),
            "axiom" => {
                let t = self.signature.read_formula(self.pool, e, f.item(0)?)?;
                self.axioms.push(t);
                Ok(())
            }
            _ => other(self, &f),
        }
    }

    fn variable(&mut self, f: &Form) -> Result<()> {
        let id = self.vars.next_id();
        let written = f.symbol(0)?;
        let name = match written.rsplit_once('%') {
            Some((name, number)) if number == id.0.to_string() => name,
            _ => return f.error(format!("variable {} must be named …%{}", id.0, id.0)),
        };
        let sort = self.signature.read_sort(self.pool, f.e, f.item(1)?)?;
        let kind = match f.e.symbol(f.item(2)?) {
            Some("global") => VarKind::Global,
            Some(_) => return f.error("a variable is global, old, param, result or local"),
            None => {
                let kind = Form::new(f.e, f.item(2)?)?;
                match kind.word {
                    "old" => VarKind::Old(self.var(f.e, kind.item(0)?)?),
                    "param" => VarKind::Param(ProcId(kind.number(0)?)),
                    "result" => VarKind::Result(ProcId(kind.number(0)?)),
                    "local" => VarKind::Local(ProcId(kind.number(0)?)),
                    _ => return kind.error("a variable is global, old, param, result or local"),
                }
            }
        };
        let term = (self.make)(self.pool, written, sort);
        let after = primed(self.pool, term);
        for (name, t) in [(written.to_string(), term), (format!("{written}+"), after)] {
            if let Err(message) = self.signature.define_constant(self.pool, &name, t) {
                return f.error(message);
            }
        }
        let role = match (f.attributes.get("base-of"), f.attributes.get("role")) {
            (Some(Some(of)), None) => VarRole::BaseOf(VarId(number(f.e, *of)?)),
            (None, Some(word)) => match word.and_then(|n| f.e.symbol(n)) {
                Some("temporary") => VarRole::Temporary,
                Some("address-counter") => VarRole::AddressCounter,
                Some("block-states") => VarRole::BlockStates,
                Some("block-sizes") => VarRole::BlockSizes,
                Some("address-of-local") => VarRole::AddressOfLocal,
                Some("witness-segment") => VarRole::WitnessSegment,
                Some("return-address") => VarRole::ReturnAddress,
                Some("lock") => VarRole::Lock,
                Some("access-mark") => VarRole::AccessMark,
                Some("waits-for") => VarRole::WaitsFor,
                _ => return f.error("there is no such role of a variable"),
            },
            (None, None) => VarRole::Plain,
            (Some(_), _) => return f.error("a variable has one role"),
        };
        self.vars.push(Variable { name: name.to_string(), sort, term, kind, role, span: f.span()? });
        if kind == VarKind::Global {
            self.globals.push(id);
        }
        self.var_ids.insert(written.to_string(), id);
        Ok(())
    }

    fn var(&self, e: &SExpr, n: NodeId) -> Result<VarId> {
        let id = e.symbol(n).and_then(|name| self.var_ids.get(name).copied());
        id.ok_or_else(|| ReadError::new(e.pos(n), "expected a variable"))
    }
    fn vars(&self, f: &Form, i: usize) -> Result<Vec<VarId>> {
        f.list(i)?.iter().map(|&n| self.var(f.e, n)).collect()
    }
    fn formula(&mut self, f: &Form, i: usize) -> Result<TermId> {
        self.signature.read_formula(self.pool, f.e, f.item(i)?)
    }
    fn terms(&mut self, f: &Form, i: usize) -> Result<Vec<TermId>> {
        f.list(i)?.iter().map(|&n| self.signature.read_term(self.pool, f.e, n)).collect()
    }
    fn pairs(&mut self, f: &Form, i: usize) -> Result<Vec<(VarId, TermId)>> {
        let mut pairs = Vec::new();
        for &n in f.list(i)? {
            match f.e.list(n) {
                Some(&[v, t]) => pairs.push((self.var(f.e, v)?, self.signature.read_term(self.pool, f.e, t)?)),
                _ => return Err(ReadError::new(f.e.pos(n), "expected a variable and a term")),
            }
        }
        Ok(pairs)
    }

    fn check(&self, e: &SExpr, n: NodeId) -> Result<Check> {
        let list = e.list(n).unwrap_or_default();
        match (list.first().map(|&n| e.node(n)), list.get(1).map(|&n| e.node(n))) {
            (Some(Node::Str(property)), Some(Node::Str(message))) => {
                let known = Subproperty::by_name(property);
                let property = known.ok_or_else(|| ReadError::new(e.pos(n), "unknown property of a check"))?;
                let message = message.clone();
                let value = list.get(3).copied();
                let mut attributes: FastMap<&str, Option<NodeId>> = FastMap::default();
                if list.get(2).is_some_and(|&k| e.keyword(k) == Some("at")) {
                    attributes.insert("at", value);
                }
                let form = Form { e, node: n, word: "check", items: Vec::new(), attributes };
                Ok(Check::new(property, message, form.span()?))
            }
            _ => Err(ReadError::new(e.pos(n), "expected a check: (\"property\" \"message\")")),
        }
    }

    fn stmt(&mut self, f: &Form) -> Result<Option<Stmt>> {
        Ok(Some(match f.word {
            "assign" => Stmt::Assign(self.pairs(f, 0)?),
            "assume" => Stmt::Assume(self.formula(f, 0)?),
            "havoc" => {
                let vars = self.vars(f, 0)?;
                let why = match f.e.symbol(f.item(1)?) {
                    Some("choice") => Nondet::Choice,
                    Some(_) => return f.error("a havoc is a choice, an input, inexact or an overapproximation"),
                    None => {
                        let why = Form::new(f.e, f.item(1)?)?;
                        match why.word {
                            "input" => Nondet::Input(why.string(0)?),
                            "read" => Nondet::Read(why.string(0)?),
                            "inexact" => Nondet::Inexact(why.string(0)?),
                            "overapproximation" => Nondet::Overapproximation(why.string(0)?),
                            _ => return f.error("a havoc is a choice, an input, inexact or an overapproximation"),
                        }
                    }
                };
                Stmt::Havoc(vars, why)
            }
            _ => return Ok(None),
        }))
    }

    fn program_form(&mut self, f: &Form, program: &mut Program) -> Result<()> {
        let remark = |f: &Form| {
            let kind = match f.attributes.get("kind").copied().flatten().and_then(|n| f.e.symbol(n)) {
                None => RemarkKind::Other,
                Some("threads") => RemarkKind::Threads,
                Some("address-number") => RemarkKind::AddressNumber,
                Some("internal") => RemarkKind::Internal,
                Some(_) => return f.error("there is no such kind of remark"),
            };
            Ok::<Remark, ReadError>(Remark { kind, span: f.span()?, message: f.string(0)? })
        };
        match f.word {
            "initially" => {
                let t = self.formula(f, 0)?;
                program.initially.push(t);
            }
            "procedure" => {
                let procedure = Procedure {
                    name: f.symbol(0)?.to_string(),
                    span: f.span()?,
                    params: self.vars(f, 1)?,
                    results: self.vars(f, 2)?,
                    locals: self.vars(f, 3)?,
                    modifies: self.vars(f, 4)?,
                    requires: Vec::new(),
                    ensures: Vec::new(),
                    body: None,
                };
                program.procs.push(procedure);
            }
            "entry" => program.entries.push(ProcId(f.number(0)?)),
            "entry-note" => program.entry_note = f.string(0)?,
            "unsound" => program.fidelity.unsound.push(remark(f)?),
            "imprecise" => program.fidelity.imprecise.push(remark(f)?),
            "assumption" => program.assumptions.push(remark(f)?),
            _ => {
                let Some(last) = program.procs.ids().next_back() else {
                    return f.error("this must stand in a procedure");
                };
                return self.procedure_form(f, &mut program.procs[last]);
            }
        }
        Ok(())
    }

    fn procedure_form(&mut self, f: &Form, procedure: &mut Procedure) -> Result<()> {
        match f.word {
            "requires" | "ensures" => {
                let free = f.attributes.contains_key("free");
                let spec = Spec { formula: self.formula(f, 0)?, free, span: f.span()? };
                if f.word == "requires" { &mut procedure.requires } else { &mut procedure.ensures }.push(spec);
                return Ok(());
            }
            "body" => {
                procedure.body = Some(Body { instrs: Vec::new(), n_labels: f.number(0)? });
                return Ok(());
            }
            _ => {}
        }
        let Some(body) = &mut procedure.body else { return f.error("this must stand in a body") };
        let label = |i: usize| {
            let l = f.number(i)?;
            if l < body.n_labels { Ok(LabelId(l)) } else { f.error("no such label") }
        };
        let kind = match f.word {
            "label" => InstrKind::Label(label(0)?),
            "goto" => InstrKind::Goto((0..f.items.len()).map(label).collect::<Result<_>>()?),
            "assert" => InstrKind::Assert(self.formula(f, 0)?, self.check(f.e, f.item(1)?)?),
            "call" => {
                InstrKind::Call { callee: ProcId(f.number(0)?), args: self.terms(f, 1)?, results: self.vars(f, 2)? }
            }
            "return" => InstrKind::Return,
            "fork" => InstrKind::Fork { id: self.terms(f, 0)?, callee: ProcId(f.number(1)?), args: self.terms(f, 2)? },
            "join" => InstrKind::Join { id: self.terms(f, 0)?, results: self.vars(f, 1)? },
            "atomic-begin" => InstrKind::AtomicBegin,
            "atomic-end" => InstrKind::AtomicEnd,
            word => match self.stmt(f)? {
                Some(stmt) => InstrKind::Stmt(stmt),
                None => return f.error(format!("unknown word {word}")),
            },
        };
        body.instrs.push(Instr { kind, span: f.span()?, note: f.note()? });
        Ok(())
    }

    fn graph_form(&mut self, f: &Form, icfg: &mut Icfg) -> Result<()> {
        match f.word {
            "procedure" => {
                let procedure = IcfgProc {
                    name: f.symbol(0)?.to_string(),
                    entry: LocId(f.number(1)?),
                    exit: LocId(f.number(2)?),
                    params: self.vars(f, 3)?,
                    results: self.vars(f, 4)?,
                    locals: self.vars(f, 5)?,
                    modifies: self.vars(f, 6)?,
                    span: f.span()?,
                };
                icfg.procs.push(procedure);
            }
            "location" => {
                let proc = ProcId(f.number(1)?);
                let loc = icfg.add_loc(proc, f.span()?);
                if loc.0 != f.number(0)? {
                    return f.error(format!("this must be location {}", loc.0));
                }
                icfg.locs[loc].is_loop_head = f.attributes.contains_key("loop");
                if let Some(Some(n)) = f.attributes.get("error") {
                    icfg.locs[loc].error = Some(self.check(f.e, *n)?);
                }
            }
            "edge" => {
                let (src, dst) = (LocId(f.number(1)?), LocId(f.number(2)?));
                if icfg.locs.get(src).is_none() || icfg.locs.get(dst).is_none() {
                    return f.error("an end of the edge is not a location");
                }
                let label = self.label(&Form::new(f.e, f.item(3)?)?)?;
                let edge = icfg.add_edge(src, dst, label, f.span()?, f.note()?);
                if edge.0 != f.number(0)? {
                    return f.error(format!("this must be edge {}", edge.0));
                }
            }
            "site" => {
                let site = CallSite {
                    caller: ProcId(f.number(1)?),
                    callee: ProcId(f.number(2)?),
                    args: self.terms(f, 3)?,
                    results: self.vars(f, 4)?,
                    call_edge: EdgeId(f.number(5)?),
                    return_edge: EdgeId(f.number(6)?),
                };
                let id = icfg.call_sites.push(site);
                if id.0 != f.number(0)? {
                    return f.error(format!("this must be call site {}", id.0));
                }
            }
            "root" => icfg.root = Some(ProcId(f.number(0)?)),
            word => return f.error(format!("unknown word {word}")),
        }
        Ok(())
    }

    fn label(&mut self, f: &Form) -> Result<Label> {
        Ok(match f.word {
            "block" => Label::Block(Box::new(Transition {
                formula: self.formula(f, 0)?,
                plain: self.formula(f, 1)?,
                assigned: self.vars(f, 2)?,
                aux: {
                    let mut aux = self.terms(f, 3)?;
                    aux.sort_unstable();
                    aux
                },
                parts: self.parts(&Form::new(f.e, f.item(4)?)?, MAX_PARTS_DEPTH)?,
            })),
            "call" => Label::Call(CallSiteId(f.number(0)?)),
            "return" => Label::Return(CallSiteId(f.number(0)?)),
            "fork" => Label::Fork { id: self.terms(f, 0)?, callee: ProcId(f.number(1)?), args: self.terms(f, 2)? },
            "join" => Label::Join { id: self.terms(f, 0)?, results: self.vars(f, 1)? },
            "atomic-begin" => Label::AtomicBegin,
            "atomic-end" => Label::AtomicEnd,
            word => match self.stmt(f)? {
                Some(stmt) => Label::Stmt(stmt),
                None => return f.error(format!("unknown word {word}")),
            },
        })
    }

    fn parts(&mut self, f: &Form, depth: usize) -> Result<Parts> {
        if depth == 0 {
            return f.error("blocks are nested too deeply");
        }
        match f.word {
            "edge" => Ok(Parts::Edge { edge: EdgeId(f.number(0)?), chosen: self.pairs(f, 1)? }),
            "seq" => {
                let mut list = Vec::with_capacity(f.items.len());
                for &n in &f.items {
                    list.push(self.parts(&Form::new(f.e, n)?, depth - 1)?);
                }
                Ok(Parts::Seq(list))
            }
            "paths" => {
                let n_nodes = f.number(0)?;
                if n_nodes == 0 {
                    return f.error("paths have a start and an end");
                }
                let mut edges = Vec::new();
                for &n in &f.items[1..] {
                    let Some(&[from, to, taken, parts]) = f.e.list(n) else {
                        return Err(ReadError::new(f.e.pos(n), "expected from, to, condition and parts"));
                    };
                    let (from, to) = (number(f.e, from)?, number(f.e, to)?);
                    if from >= to || to >= n_nodes {
                        return Err(ReadError::new(f.e.pos(n), "paths go upwards"));
                    }
                    let taken = self.signature.read_formula(self.pool, f.e, taken)?;
                    let parts = self.parts(&Form::new(f.e, parts)?, depth - 1)?;
                    edges.push(PartEdge { from, to, taken, parts });
                }
                Ok(Parts::Graph { n_nodes, edges })
            }
            word => f.error(format!("unknown word {word}")),
        }
    }
}
