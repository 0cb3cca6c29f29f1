//! The command language of SMT-LIB 2.6, with `get-interpolants` in SMTInterpol's syntax.
//!
//! [`run_script`] reads commands from any reader, one at a time, and answers each on the
//! writer before it looks at the next, so a person or another program can talk to it. Every error
//! is an `(error "line:col: message")`; the command that caused it has no effect, and the next is
//! read (*continued-execution* in the words of the standard).
//!
//! Departures from the standard: `:print-success` is off unless asked for, and
//! `check-sat-assuming` takes any formulas.
//!
//! `(get-interpolants A B C)` asks for a sequence, `(get-interpolants A (B) C)` for a tree in which
//! `A` and the subtree `(B)` are the children of `C`, and `(and A B)` is a group. The answer lists the
//! interpolants of all groups but the last, in the order of the groups. `:assign (p (not q))` at the
//! end asks for interpolants that need be right only where these literals are true.

pub mod proof_file;
mod proof_text;
mod values;

use crate::irrational::Exact;
use crate::solver::{SmtOptions, SmtSolver};
use base::{Budget, Stop};
use logic::smtlib::{Node, NodeId, Pos, ReadError, SExpr, SExprReader, Signature, quote_symbol};
use logic::{
    AssertionId, Farkas, FunId, ItpError, ItpOptions, ItpTree, Labelling, Meaning, SatResult, Solver, SortId, TermId,
    TermPool, UnknownReason,
};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How a script is run.
#[derive(Clone, Debug, Default)]
pub struct ScriptOptions {
    /// The time for one check or interpolation, unless the script sets `:timeout` (milliseconds).
    pub check_timeout: Option<Duration>,
    pub progress: Arc<Progress>,
}

/// What happens, for whoever watches over the limits from outside.
#[derive(Debug, Default)]
pub struct Progress {
    /// The milliseconds that a command may take at present, 0 if there is no limit.
    limit: AtomicU64,
    is_checking: AtomicBool,
}

impl Progress {
    pub fn limit(&self) -> Option<Duration> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|&ms| ms > 0).map(Duration::from_millis)
    }
    pub fn set_limit(&self, limit: Option<Duration>) {
        let milliseconds = limit.map_or(0, |l| u64::try_from(l.as_millis()).unwrap_or(u64::MAX).max(1));
        self.limit.store(milliseconds, Ordering::Relaxed);
    }
    /// Is `sat`, `unsat` or `unknown` the next answer?
    pub fn is_checking(&self) -> bool {
        self.is_checking.load(Ordering::Relaxed)
    }
}

/// After so many errors in a row nobody is talking SMT-LIB, and the rest of the input is not read.
const MAX_ERRORS_IN_A_ROW: u32 = 1_000;

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct ScriptSummary {
    pub n_commands: u64,
    pub n_checks: u64,
    pub n_errors: u64,
    /// Names and values, in a fixed order.
    pub statistics: Vec<(&'static str, u64)>,
}

/// Runs commands until `(exit)` or the end of input. Errors of the script are part of the output;
/// only a failing writer is an error here.
pub fn run_script(
    input: impl BufRead,
    output: &mut dyn Write,
    options: &ScriptOptions,
    budget: &Budget,
) -> std::io::Result<ScriptSummary> {
    let mut reader = SExprReader::new(input);
    let mut script = Script::new(options.clone(), budget.clone());
    script.publish_limit();
    let mut n_in_a_row = 0;
    loop {
        let answer = match reader.next_expr() {
            Ok(None) => break,
            Ok(Some(e)) => script.command(&e),
            Err(error) => Err(Failure::from(error)),
        };
        script.summary.n_commands += 1;
        n_in_a_row = if matches!(answer, Err(Failure::Error(_))) { n_in_a_row + 1 } else { 0 };
        match answer {
            Ok(Answer::Exit) => {
                if script.print_success {
                    writeln!(output, "success")?;
                }
                break;
            }
            Ok(Answer::Success) => {
                if script.print_success {
                    writeln!(output, "success")?;
                }
            }
            Ok(Answer::Text(text)) => writeln!(output, "{text}")?,
            Err(Failure::Unsupported) => writeln!(output, "unsupported")?,
            Err(Failure::Error(error)) => {
                script.summary.n_errors += 1;
                writeln!(output, "(error \"{}\")", error.to_string().replace('"', "\"\""))?;
                if error.is_final {
                    break; // the input is broken: nothing would ever come
                }
                if n_in_a_row == MAX_ERRORS_IN_A_ROW {
                    let message = "too many errors; is this SMT-LIB? The rest is not read";
                    writeln!(output, "(error \"{}: {message}\")", reader.pos())?;
                    break;
                }
            }
        }
        output.flush()?;
    }
    output.flush()?;
    script.add_statistics();
    Ok(script.summary)
}

enum Answer {
    Success,
    Text(String),
    Exit,
}

enum Failure {
    Unsupported,
    Error(ReadError),
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::Error(error)
    }
}

type Answered = Result<Answer, Failure>;

/// The last check, for commands that depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Mode {
    /// Nothing was checked since the last change.
    Assert,
    Sat,
    Unsat,
    Unknown(UnknownReason),
}

struct Named {
    name: String,
    term: TermId,
    /// Set if the name stands for a whole assertion.
    assertion: Option<AssertionId>,
}

/// What `pop` has to bring back.
#[derive(Clone, Copy, Default)]
struct Level {
    n_declared: usize,
    n_named: usize,
    n_assertions: usize,
}

struct Script {
    options: ScriptOptions,
    budget: Budget,
    pool: TermPool,
    signature: Signature,
    /// Made with the first assertion or check, when the options are known.
    solver: Option<SmtSolver>,
    logic: Option<String>,
    mode: Mode,
    /// The assumptions of the last check, as written.
    assumptions: Vec<String>,
    levels: Vec<Level>,
    declared: Vec<FunId>,
    named: Vec<Named>,
    assertions: Vec<TermId>,
    info: BTreeMap<String, String>,
    settings: BTreeMap<String, String>,
    print_success: bool,
    /// Commands that would have changed what is checked, but were not understood: answers say so.
    n_rejected: u64,
    summary: ScriptSummary,
    totals: [u64; 13],
}

const KNOWN_OPTIONS: [(&str, &str); 20] = [
    ("diagnostic-output-channel", "\"stderr\""),
    ("farkas", "strong"),
    ("global-declarations", "false"),
    ("interactive-mode", "false"),
    ("interpolant-check-mode", "true"),
    ("labelling", "mcmillan"),
    ("minimize-unsat-cores", "false"),
    ("print-success", "false"),
    ("produce-assertions", "false"),
    ("produce-assignments", "false"),
    ("produce-interpolants", "false"),
    ("produce-models", "true"),
    ("produce-proofs", "false"),
    ("produce-unsat-assumptions", "false"),
    ("produce-unsat-cores", "false"),
    ("random-seed", "0"),
    ("regular-output-channel", "\"stdout\""),
    ("reproducible-resource-limit", "0"),
    ("timeout", "0"),
    ("verbosity", "0"),
];

impl Script {
    fn new(options: ScriptOptions, budget: Budget) -> Script {
        Script {
            options,
            budget,
            pool: TermPool::new(),
            signature: Signature::new(),
            solver: None,
            logic: None,
            mode: Mode::Assert,
            assumptions: Vec::new(),
            levels: Vec::new(),
            declared: Vec::new(),
            named: Vec::new(),
            assertions: Vec::new(),
            info: BTreeMap::new(),
            settings: KNOWN_OPTIONS.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            print_success: false,
            n_rejected: 0,
            summary: ScriptSummary::default(),
            totals: [0; 13],
        }
    }

    fn is_on(&self, option: &str) -> bool {
        self.settings.get(option).is_some_and(|v| v == "true")
    }

    fn solver(&mut self) -> &mut SmtSolver {
        let proofs = ["proofs", "interpolants", "unsat-cores", "unsat-assumptions"]
            .iter()
            .any(|what| self.is_on(&format!("produce-{what}")));
        let n_levels = self.levels.len();
        self.solver.get_or_insert_with(|| {
            let mut solver = SmtSolver::new(SmtOptions { proofs, ..SmtOptions::default() });
            solver.keep_candidate_models();
            solver.eliminate_quantifiers();
            solver.blast_integers();
            solver.accept_irrational_models();
            for _ in 0..n_levels {
                solver.push();
            }
            solver
        })
    }

    /// Forgets the solver, keeping its counts.
    fn drop_solver(&mut self) {
        if let Some(solver) = self.solver.take() {
            let (s, i) = (solver.stats(), solver.interpolation_stats());
            let counts = [
                s.conflicts,
                s.decisions,
                s.propagations,
                s.restarts,
                s.theory_conflicts,
                s.theory_propagations,
                s.theory_lemmas,
                s.final_checks,
                i.queries,
                i.by_mixed_rules,
                i.by_pure_refutation,
                i.by_projection,
                i.rejected,
            ];
            for (total, count) in self.totals.iter_mut().zip(counts) {
                *total += count;
            }
        }
    }

    fn add_statistics(&mut self) {
        self.drop_solver();
        let names = [
            "conflicts",
            "decisions",
            "propagations",
            "restarts",
            "theory-conflicts",
            "theory-propagations",
            "theory-lemmas",
            "final-checks",
            "interpolations",
            "interpolations-by-mixed-rules",
            "interpolations-by-pure-refutation",
            "interpolations-by-projection",
            "interpolants-rejected",
        ];
        self.summary.statistics = names.into_iter().zip(self.totals).collect();
        self.summary.statistics.push(("commands", self.summary.n_commands));
        self.summary.statistics.push(("checks", self.summary.n_checks));
        self.summary.statistics.push(("terms", self.pool.n_terms() as u64));
    }

    fn command(&mut self, e: &SExpr) -> Answered {
        let answer = self.dispatch(e);
        let name = e.list(e.root()).and_then(|l| e.symbol(*l.first()?)).unwrap_or_default();
        let changes = ["assert", "declare-", "define-", "push", "pop"].iter().any(|prefix| name.starts_with(prefix))
            || !KNOWN_COMMANDS.contains(&name);
        if matches!(answer, Err(Failure::Error(_))) && changes {
            self.n_rejected += 1;
        }
        answer
    }

    fn dispatch(&mut self, e: &SExpr) -> Answered {
        let root = e.root();
        let Some((&head, args)) = e.list(root).and_then(|l| l.split_first()) else {
            return fail(e.pos(root), "expected a command in parentheses");
        };
        let Node::Symbol(name) = e.node(head) else {
            return fail(e.pos(head), "expected the name of a command");
        };
        let wrong = || fail(e.pos(root), format!("wrong arguments of {name}"));
        match (name.as_str(), args) {
            ("set-option", &[keyword, value]) => self.set_option(e, keyword, value),
            ("set-info", &[keyword, ref value @ ..]) if value.len() <= 1 => {
                let Some(key) = e.keyword(keyword) else { return fail(e.pos(keyword), "expected a keyword") };
                let text = value.first().map_or(String::new(), |&v| e.show(v));
                self.info.insert(key.to_string(), text);
                Ok(Answer::Success)
            }
            ("set-logic", &[logic]) => self.set_logic(e, logic),
            ("declare-sort", &[name, ref arity @ ..]) if arity.len() <= 1 => {
                let arity = match arity.first().map(|&a| e.node(a)) {
                    None => Some(0),
                    Some(Node::Numeral(digits)) => digits.parse::<usize>().ok().filter(|&n| n < 100),
                    Some(_) => None,
                };
                let Some(arity) = arity else { return wrong() };
                let text = symbol(e, name)?;
                self.signature.declare_sort(text, arity).or_else(|m| fail(e.pos(name), m))?;
                Ok(Answer::Success)
            }
            ("define-sort", &[name, params, body]) => {
                self.signature.read_define_sort(&mut self.pool, e, name, params, body)?;
                Ok(Answer::Success)
            }
            ("declare-fun", &[name, sorts, result]) => self.declare(e, name, Some(sorts), result),
            ("declare-const", &[name, result]) => self.declare(e, name, None, result),
            ("define-fun", &[name, params, sort, body]) => {
                self.signature.read_define_fun(&mut self.pool, e, name, params, sort, body)?;
                self.note_named(None);
                Ok(Answer::Success)
            }
            ("define-const", &[name, sort, body]) => {
                self.signature.read_define_const(&mut self.pool, e, name, sort, body)?;
                self.note_named(None);
                Ok(Answer::Success)
            }
            ("define-fun-rec", &[name, params, sort, body]) => self.define_recursive(e, &[[name, params, sort, body]]),
            ("define-funs-rec", &[heads, bodies]) => {
                let (Some(heads), Some(bodies)) = (e.list(heads), e.list(bodies)) else { return wrong() };
                let mut definitions = Vec::new();
                for (&head, &body) in heads.iter().zip(bodies) {
                    let Some(&[name, params, sort]) = e.list(head) else { return wrong() };
                    definitions.push([name, params, sort, body]);
                }
                if heads.len() != bodies.len() {
                    return wrong();
                }
                self.define_recursive(e, &definitions)
            }
            ("declare-datatype", &[name, body]) => {
                self.reading(|signature, pool| signature.read_datatype(pool, e, name, body))?;
                Ok(Answer::Success)
            }
            ("declare-datatypes", &[names, bodies]) => {
                self.reading(|signature, pool| signature.read_datatypes(pool, e, names, bodies))?;
                Ok(Answer::Success)
            }
            ("declare-codatatype" | "declare-codatatypes", _) => {
                fail(e.pos(root), format!("{name}: codatatypes are not supported"))
            }
            ("assert", &[formula]) => self.assert(e, formula),
            ("push", args) if args.len() <= 1 => {
                for _ in 0..count(e, args)? {
                    self.push();
                }
                Ok(Answer::Success)
            }
            ("pop", args) if args.len() <= 1 => {
                let n = count(e, args)?;
                if n > self.levels.len() {
                    return fail(e.pos(root), format!("cannot pop {n} levels, there are {}", self.levels.len()));
                }
                self.pop(n);
                Ok(Answer::Success)
            }
            ("reset", []) => {
                let (summary, totals) = (std::mem::take(&mut self.summary), self.totals);
                self.drop_solver();
                let totals = if self.totals == totals { totals } else { self.totals };
                *self = Script::new(self.options.clone(), self.budget.clone());
                (self.summary, self.totals) = (summary, totals);
                self.publish_limit();
                Ok(Answer::Success)
            }
            ("reset-assertions", []) => {
                self.reset_assertions();
                Ok(Answer::Success)
            }
            ("check-sat", []) => self.check(e, root, &[]),
            ("check-sat-assuming", &[list]) => {
                let Some(items) = e.list(list) else { return wrong() };
                self.check(e, root, items)
            }
            ("check-sat-assuming-model", &[terms, values]) => {
                let (Some(terms), Some(values)) = (e.list(terms), e.list(values)) else { return wrong() };
                if terms.len() != values.len() {
                    return wrong();
                }
                self.check_assuming_model(e, terms, values)
            }
            ("get-model", []) => self.get_model(e.pos(root)),
            ("get-value", &[terms]) => self.get_value(e, terms),
            ("get-assignment", []) => self.get_assignment(e.pos(root)),
            ("get-assertions", []) => {
                let all: Vec<String> = self.assertions.iter().map(|&t| self.pool.smtlib(t)).collect();
                Ok(Answer::Text(format!("({})", all.join("\n "))))
            }
            ("get-unsat-core", []) => self.get_unsat_core(e.pos(root)),
            ("get-unsat-assumptions", []) => self.get_unsat_assumptions(e.pos(root)),
            ("get-proof", []) => self.get_proof(e.pos(root)),
            ("get-interpolants", groups) => self.get_interpolants(e, groups),
            ("get-interpolant", &[first, second]) => self.get_interpolant(e, first, second),
            ("get-info", &[keyword]) => self.get_info(e, keyword),
            ("get-option", &[keyword]) => match e.keyword(keyword).and_then(|k| self.settings.get(k)) {
                Some(value) => Ok(Answer::Text(value.clone())),
                None => Err(Failure::Unsupported),
            },
            ("echo", &[text]) => match e.node(text) {
                Node::Str(_) => Ok(Answer::Text(e.show(text))),
                _ => fail(e.pos(text), "echo takes a string"),
            },
            ("exit", []) => Ok(Answer::Exit),
            _ if KNOWN_COMMANDS.contains(&name.as_str()) => wrong(),
            _ => fail(e.pos(head), format!("unknown command {name}")),
        }
    }

    // ---- options and information ----

    fn set_option(&mut self, e: &SExpr, keyword: NodeId, value: NodeId) -> Answered {
        let Some(key) = e.keyword(keyword) else { return fail(e.pos(keyword), "expected a keyword") };
        let Some(&(_, default)) = KNOWN_OPTIONS.iter().find(|(k, _)| *k == key) else {
            return Err(Failure::Unsupported);
        };
        let is_switch = default == "true" || default == "false";
        let text = match e.show(value) {
            one if is_switch && one == "1" => "true".to_string(),
            zero if is_switch && zero == "0" => "false".to_string(),
            text => text,
        };
        let truth = text == "true" || text == "false";
        let numeral = matches!(e.node(value), Node::Numeral(_));
        let bad = |what: &str| fail(e.pos(value), format!(":{key} takes {what}"));
        if is_switch && !truth {
            return bad("true or false");
        }
        if default == "0" && !numeral {
            return bad("a numeral");
        }
        if key == "labelling" && labelling(&text).is_none() {
            return bad("mcmillan, pudlak or mcmillan-prime");
        }
        if key == "farkas" && farkas(&text).is_none() {
            return bad("strong, weak or decomposed");
        }
        if key.starts_with("produce-") && key != "produce-models" && self.solver.is_some() {
            return fail(e.pos(keyword), format!(":{key} must be set before the first assertion"));
        }
        // Diagnostics are errors and go with the answers; what else there is to say goes to standard error.
        let is_standard = key == "diagnostic-output-channel" && text == "\"stdout\"";
        if key.ends_with("-output-channel") && text != default && !is_standard {
            return Err(Failure::Unsupported);
        }
        if key == "print-success" {
            self.print_success = text == "true";
        }
        self.settings.insert(key.to_string(), text);
        self.publish_limit();
        Ok(Answer::Success)
    }

    fn set_logic(&mut self, e: &SExpr, logic: NodeId) -> Answered {
        let name = symbol(e, logic)?;
        if self.logic.is_some() || self.solver.is_some() {
            return fail(e.pos(logic), "the logic is already set");
        }
        if let Some(theory) = foreign_logic(name) {
            return fail(e.pos(logic), format!("{name}: {theory} not supported"));
        }
        if !is_known_logic(name) {
            return fail(e.pos(logic), format!("unknown logic {name}"));
        }
        self.logic = Some(name.to_string());
        Ok(Answer::Success)
    }

    fn get_info(&mut self, e: &SExpr, keyword: NodeId) -> Answered {
        let Some(key) = e.keyword(keyword) else { return fail(e.pos(keyword), "expected a keyword") };
        let value = match key {
            "name" => "\"Craig\"".to_string(),
            "version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            "authors" => "\"the Craig authors\"".to_string(),
            "error-behavior" => "continued-execution".to_string(),
            "assertion-stack-levels" => self.levels.len().to_string(),
            "reason-unknown" => match &self.mode {
                Mode::Unknown(UnknownReason::Stopped(Stop::Timeout)) => "timeout".to_string(),
                Mode::Unknown(UnknownReason::Stopped(Stop::OutOfMemory)) => "memout".to_string(),
                Mode::Unknown(UnknownReason::Stopped(Stop::Cancelled)) => "cancelled".to_string(),
                Mode::Unknown(UnknownReason::Incomplete(why)) => {
                    format!("(incomplete \"{}\")", why.replace('"', "\"\""))
                }
                Mode::Assert | Mode::Sat | Mode::Unsat => {
                    return fail(e.pos(keyword), "the last check did not say unknown");
                }
            },
            "all-statistics" => {
                let (stats, n_terms) =
                    (self.solver.as_ref().map(|s| s.stats()).unwrap_or_default(), self.pool.n_terms());
                return Ok(Answer::Text(format!(
                    "(:conflicts {}\n :decisions {}\n :propagations {}\n :restarts {}\n :theory-conflicts {}\n :terms {n_terms})",
                    stats.conflicts, stats.decisions, stats.propagations, stats.restarts, stats.theory_conflicts
                )));
            }
            other => match self.info.get(other) {
                Some(text) => text.clone(),
                None => return Err(Failure::Unsupported),
            },
        };
        Ok(Answer::Text(format!("(:{key} {value})")))
    }

    // ---- declarations and assertions ----

    fn declare(&mut self, e: &SExpr, name: NodeId, sorts: Option<NodeId>, result: NodeId) -> Answered {
        let text = symbol(e, name)?;
        let mut args = Vec::new();
        if let Some(sorts) = sorts {
            let Some(items) = e.list(sorts) else { return fail(e.pos(sorts), "expected a list of sorts") };
            for &sort in items {
                args.push(self.signature.read_sort(&mut self.pool, e, sort)?);
            }
        }
        let result = self.signature.read_sort(&mut self.pool, e, result)?;
        let f = self.signature.declare_fun(&mut self.pool, text, &args, result).or_else(|m| fail(e.pos(name), m))?;
        let Script { declared, pool, .. } = self;
        declared.retain(|&other| pool.name(other) != text);
        declared.push(f);
        Ok(Answer::Success)
    }

    /// Reads something that may define names; on an error the names are taken back.
    fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut Signature, &mut TermPool) -> Result<T, ReadError>,
    ) -> Result<T, Failure> {
        self.signature.push();
        match read(&mut self.signature, &mut self.pool) {
            Ok(value) => {
                self.signature.keep();
                Ok(value)
            }
            Err(error) => {
                self.signature.pop();
                self.signature.take_named();
                Err(Failure::Error(error))
            }
        }
    }

    /// Records the names defined by what was just read.
    fn note_named(&mut self, assertion: Option<(AssertionId, Option<&str>)>) {
        for (name, term) in self.signature.take_named() {
            let assertion = assertion.and_then(|(id, outer)| (outer == Some(name.as_str())).then_some(id));
            self.named.push(Named { name, term, assertion });
        }
    }

    fn assert(&mut self, e: &SExpr, formula: NodeId) -> Answered {
        let term = self.reading(|signature, pool| signature.read_formula(pool, e, formula))?;
        let Some(term) = with_axioms(&mut self.pool, term) else { return fail(e.pos(formula), TOO_LARGE) };
        let outer = outer_name(e, formula);
        self.solver();
        let Script { solver, pool, .. } = self;
        let Some(solver) = solver else { return fail(e.pos(formula), "no solver") };
        let id = solver.assert(pool, term);
        self.note_named(Some((id, outer)));
        self.assertions.push(term);
        self.mode = Mode::Assert;
        Ok(Answer::Success)
    }

    /// Functions that are defined by what they equal.
    fn define_recursive(&mut self, e: &SExpr, definitions: &[[NodeId; 4]]) -> Answered {
        let (functions, formulas) =
            self.reading(|signature, pool| signature.read_define_funs_rec(pool, e, definitions))?;
        self.note_named(None);
        self.declared.extend(functions);
        self.solver();
        let Script { solver, pool, .. } = self;
        let Some(solver) = solver else { return fail(e.pos(e.root()), "no solver") };
        for &formula in &formulas {
            let Some(formula) = with_axioms(pool, formula) else { return fail(e.pos(e.root()), TOO_LARGE) };
            solver.assert(pool, formula);
        }
        self.mode = Mode::Assert;
        Ok(Answer::Success)
    }

    fn push(&mut self) {
        self.signature.push();
        if let Some(solver) = &mut self.solver {
            solver.push();
        }
        self.levels.push(Level {
            n_declared: self.declared.len(),
            n_named: self.named.len(),
            n_assertions: self.assertions.len(),
        });
        self.mode = Mode::Assert;
    }

    fn pop(&mut self, n: usize) {
        if n == 0 {
            return;
        }
        let global = self.is_on("global-declarations");
        for _ in 0..n {
            let Some(level) = self.levels.pop() else { return };
            self.assertions.truncate(level.n_assertions);
            if global {
                self.signature.keep();
                for named in self.named.iter_mut().skip(level.n_named) {
                    named.assertion = None;
                }
            } else {
                self.signature.pop();
                self.declared.truncate(level.n_declared);
                self.named.truncate(level.n_named);
            }
        }
        if let Some(solver) = &mut self.solver {
            solver.pop(n);
        }
        self.mode = Mode::Assert;
    }

    fn reset_assertions(&mut self) {
        self.pop(self.levels.len());
        self.drop_solver();
        self.assertions.clear();
        self.n_rejected = 0;
        if self.is_on("global-declarations") {
            for named in &mut self.named {
                named.assertion = None;
            }
        } else {
            self.signature.make_replaceable();
            self.named.clear();
        }
        self.mode = Mode::Assert;
    }

    // ---- checks and what follows them ----

    fn check(&mut self, e: &SExpr, root: NodeId, assumptions: &[NodeId]) -> Answered {
        let mut terms = Vec::with_capacity(assumptions.len());
        let mut texts = Vec::with_capacity(assumptions.len());
        for &node in assumptions {
            terms.push(self.reading(|signature, pool| signature.read_formula(pool, e, node))?);
            texts.push(e.show(node));
        }
        self.note_named(None);
        self.check_terms(e.pos(root), &terms, texts)
    }

    /// Yices' command: a check under the assumption that the terms have these values.
    fn check_assuming_model(&mut self, e: &SExpr, terms: &[NodeId], values: &[NodeId]) -> Answered {
        let mut equalities = Vec::with_capacity(terms.len());
        let mut texts = Vec::with_capacity(terms.len());
        for (&term, &value) in terms.iter().zip(values) {
            equalities.push(self.reading(|signature, pool| signature.read_equality(pool, e, term, value))?);
            texts.push(format!("(= {} {})", e.show(term), e.show(value)));
        }
        self.note_named(None);
        self.check_terms(e.pos(e.root()), &equalities, texts)
    }

    fn check_terms(&mut self, pos: Pos, terms: &[TermId], texts: Vec<String>) -> Answered {
        let budget = self.command_budget();
        self.solver();
        let Script { solver, pool, .. } = self;
        let Some(solver) = solver else { return fail(pos, "no solver") };
        let terms: Option<Vec<TermId>> = terms.iter().map(|&t| with_axioms(pool, t)).collect();
        let Some(terms) = terms else { return fail(pos, TOO_LARGE) };
        self.options.progress.is_checking.store(true, Ordering::Relaxed);
        let result = solver.check_assuming(pool, &terms, &budget);
        self.options.progress.is_checking.store(false, Ordering::Relaxed);
        self.summary.n_checks += 1;
        self.assumptions = texts;
        let is_compared_unseen = |t: &TermId| self.pool.compares_arrays_unseen(*t);
        let (mode, text) = match result {
            SatResult::Sat if self.assertions.iter().chain(&terms).any(is_compared_unseen) => {
                let why = "arrays of datatypes or floating-point numbers inside other terms".to_string();
                (Mode::Unknown(UnknownReason::Incomplete(why)), "unknown")
            }
            SatResult::Sat => (Mode::Sat, "sat"),
            SatResult::Unsat => (Mode::Unsat, "unsat"),
            SatResult::Unknown(reason) => (Mode::Unknown(reason), "unknown"),
        };
        self.mode = mode;
        Ok(Answer::Text(match self.n_rejected {
            0 => text.to_string(),
            1 => format!("{text} ; a command before this was rejected"),
            n => format!("{text} ; {n} commands before this were rejected"),
        }))
    }

    /// The time for one command.
    fn limit(&self) -> Option<Duration> {
        let milliseconds = self.settings.get("timeout").and_then(|t| t.parse::<u64>().ok()).filter(|&t| t > 0);
        milliseconds.map(Duration::from_millis).or(self.options.check_timeout)
    }

    fn publish_limit(&self) {
        self.options.progress.set_limit(self.limit());
    }

    /// What one command may spend.
    fn command_budget(&self) -> Budget {
        match self.limit() {
            Some(limit) => self.budget.child(limit),
            None => self.budget.clone(),
        }
    }

    fn model(&self, pos: Pos, option: &str) -> Result<&logic::Model, Failure> {
        if !self.is_on(option) {
            return fail(pos, format!("set :{option} to true first"));
        }
        let solver = self.solver.as_ref();
        let found = match self.mode {
            Mode::Sat => solver.and_then(|s| s.model()),
            // What the search had at last; it need not satisfy all assertions.
            Mode::Unknown(_) => solver.and_then(|s| s.candidate_model()),
            Mode::Assert | Mode::Unsat => None,
        };
        found.map_or_else(|| fail(pos, "there is no model: the last check did not say sat"), Ok)
    }

    fn get_model(&mut self, pos: Pos) -> Answered {
        self.model(pos, "produce-models")?;
        let mut text = String::from("(\n");
        for f in self.declared.clone() {
            let constant = self.pool.fun(f).args.is_empty().then(|| self.pool.symbol_term(f));
            let model = self.model(pos, "produce-models")?;
            let irrational = constant.and_then(|t| self.irrational_value(model, t));
            let definition = match irrational {
                Some(Exact::Irrational(value)) => {
                    format!("(define-fun {} () Real {})", quote_symbol(self.pool.name(f)), values::root_text(&value))
                }
                Some(Exact::Plain(_)) | None => {
                    let (args, result) = self.signature.rank(&self.pool, f);
                    values::definition_text(&self.pool, model, f, &args, result)
                }
            };
            text.push_str(&format!("  {definition}\n"));
        }
        text.push(')');
        Ok(Answer::Text(text))
    }

    fn get_value(&mut self, e: &SExpr, terms: NodeId) -> Answered {
        let pos = e.pos(terms);
        self.model(pos, "produce-models")?;
        let Some(items) = e.list(terms).filter(|l| !l.is_empty()) else {
            return fail(pos, "expected a list of terms");
        };
        let mut pairs = Vec::with_capacity(items.len());
        for &node in items {
            let term = self.reading(|signature, pool| signature.read_term(pool, e, node))?;
            let sort = self.pool.sort(term);
            let term = self.pool.to_bits(term);
            let model = self.model(pos, "produce-models")?;
            let has_irrational = self.solver.as_ref().is_some_and(|s| s.irrational_point().is_some());
            let value = match self.irrational_value(model, term) {
                Some(Exact::Irrational(value)) => values::root_text(&value),
                Some(Exact::Plain(value)) => values::value_text(&self.pool, model, &value, sort),
                None if has_irrational => {
                    return fail(e.pos(node), "this term depends on irrational values and cannot be evaluated");
                }
                None => {
                    let Ok(value) = model.eval(&self.pool, term) else {
                        return fail(e.pos(node), "quantified terms have no value here");
                    };
                    values::value_text(&self.pool, model, &value, sort)
                }
            };
            pairs.push(format!("({} {value})", e.show(node)));
        }
        self.note_named(None);
        Ok(Answer::Text(format!("({})", pairs.join("\n "))))
    }

    /// The value of a term in a model with irrational values; `None` if the model has none, or if they cannot be used.
    fn irrational_value(&self, model: &logic::Model, term: TermId) -> Option<Exact> {
        let point = self.solver.as_ref()?.irrational_point()?;
        point.value(&self.pool, model, term, &self.command_budget())
    }

    fn get_assignment(&mut self, pos: Pos) -> Answered {
        let model = self.model(pos, "produce-assignments")?;
        let mut pairs = Vec::new();
        for named in &self.named {
            if self.pool.sort(named.term) == SortId::BOOL
                && let Some(value) = match self.irrational_value(model, named.term) {
                    Some(Exact::Plain(value)) => value.as_bool(),
                    Some(Exact::Irrational(_)) => None,
                    None => model.holds(&self.pool, named.term).ok(),
                }
            {
                pairs.push(format!("({} {value})", quote_symbol(&named.name)));
            }
        }
        Ok(Answer::Text(format!("({})", pairs.join(" "))))
    }

    fn refuted(&mut self, pos: Pos, option: &str) -> Result<&mut SmtSolver, Failure> {
        let is_on = self.is_on(option) || (option == "produce-interpolants" && self.is_on("produce-proofs"));
        if !is_on {
            return fail(pos, format!("set :{option} to true first"));
        }
        match &mut self.solver {
            Some(solver) if self.mode == Mode::Unsat => Ok(solver),
            _ => fail(pos, "the last check did not say unsat"),
        }
    }

    fn get_unsat_core(&mut self, pos: Pos) -> Answered {
        let core = self.refuted(pos, "produce-unsat-cores")?.unsat_core();
        let mut names: Vec<(String, TermId)> = self
            .named
            .iter()
            .filter(|n| n.assertion.is_some_and(|id| core.contains(&id)))
            .map(|n| (n.name.clone(), n.term))
            .collect();
        if self.is_on("minimize-unsat-cores") {
            self.minimize(&mut names);
        }
        let shown: Vec<String> = names.iter().map(|(n, _)| quote_symbol(n).into_owned()).collect();
        Ok(Answer::Text(format!("({})", shown.join(" "))))
    }

    /// Drops members one by one while the rest (with all unnamed assertions) stays unsatisfiable.
    fn minimize(&mut self, core: &mut Vec<(String, TermId)>) {
        let named: Vec<TermId> = self.named.iter().filter(|n| n.assertion.is_some()).map(|n| n.term).collect();
        let mut always: Vec<TermId> = self.assertions.iter().copied().filter(|t| !named.contains(t)).collect();
        let assumed: Vec<TermId> = match &self.solver {
            Some(solver) => {
                let ids = solver.assumption_ids();
                solver.assertions().iter().filter(|(id, _)| ids.contains(id)).map(|(_, t)| *t).collect()
            }
            None => Vec::new(),
        };
        always.extend(assumed);
        let mut i = 0;
        while i < core.len() {
            let mut solver = SmtSolver::without_proofs();
            for &t in &always {
                solver.assert(&mut self.pool, t);
            }
            for (j, (_, t)) in core.iter().enumerate() {
                if i != j {
                    solver.assert(&mut self.pool, *t);
                }
            }
            if solver.check(&mut self.pool, &self.budget) == SatResult::Unsat {
                core.remove(i);
            } else {
                i += 1;
            }
        }
    }

    fn get_unsat_assumptions(&mut self, pos: Pos) -> Answered {
        let failed = self.refuted(pos, "produce-unsat-assumptions")?.failed_assumptions();
        let shown: Vec<&str> = failed.iter().filter_map(|&i| self.assumptions.get(i)).map(String::as_str).collect();
        Ok(Answer::Text(format!("({})", shown.join(" "))))
    }

    fn get_proof(&mut self, pos: Pos) -> Answered {
        self.refuted(pos, "produce-proofs")?;
        let Some((proof, root, atoms)) = self.solver.as_ref().and_then(|s| s.refutation()) else {
            return fail(pos, "there is no refutation");
        };
        let name_of = |id: AssertionId| {
            let named = self.named.iter().find(|n| n.assertion == Some(id));
            named.map_or_else(|| format!("@{id}"), |n| quote_symbol(&n.name).into_owned())
        };
        let is_declared = |f: FunId| self.signature.declares(self.pool.name(f), f);
        Ok(Answer::Text(proof_text::proof_text(&self.pool, (proof, root, atoms), &name_of, &is_declared)))
    }

    fn get_interpolants(&mut self, e: &SExpr, groups: &[NodeId]) -> Answered {
        let pos = e.pos(e.root());
        self.refuted(pos, "produce-interpolants")?;
        let (groups, assigned) = match groups {
            [groups @ .., keyword, literals] if e.keyword(*keyword) == Some("assign") => (groups, Some(*literals)),
            _ => (groups, None),
        };
        let mut tree = ItpTree { groups: Vec::new(), parent: Vec::new() };
        let roots = self.read_tree(e, groups, &mut tree, 0)?;
        if roots.len() != 1 || tree.len() < 2 {
            return fail(pos, "expected at least two groups, the last of them the root of the tree");
        }
        let options = ItpOptions {
            labelling: self.settings.get("labelling").and_then(|t| labelling(t)).unwrap_or_default(),
            farkas: self.settings.get("farkas").and_then(|t| farkas(t)).unwrap_or_default(),
        };
        let mut literals = Vec::new();
        if let Some(list) = assigned {
            let Some(items) = e.list(list) else { return fail(e.pos(list), "expected a list of literals") };
            for &item in items {
                literals.push(self.reading(|signature, pool| signature.read_formula(pool, e, item))?);
            }
        }
        let (budget, verify) = (self.command_budget(), self.is_on("interpolant-check-mode"));
        let Script { solver, pool, .. } = self;
        let Some(solver) = solver else { return fail(pos, "no solver") };
        solver.verify_interpolants(verify);
        let answer = solver.interpolate_focused(pool, &tree, &literals, options, &budget);
        match answer {
            Ok(interpolants) => {
                let mut shown = Vec::with_capacity(interpolants.len());
                for t in interpolants {
                    shown.push(self.interpolant_text(pos, t)?);
                }
                Ok(Answer::Text(format!("({})", shown.join("\n "))))
            }
            // Also an assignment may be at fault, so the tree is not blamed.
            Err(ItpError::BadTree(why)) => fail(pos, why),
            Err(error) => fail(pos, error.to_string()),
        }
    }

    /// An interpolant in the words of the script: what is said about the word of a floating-point constant x is said
    /// about `(fp.to_ieee_bv x)`. Other symbols of the reductions cannot be written.
    fn interpolant_text(&mut self, pos: Pos, interpolant: TermId) -> Result<String, Failure> {
        let mut pairs = Vec::new();
        for f in self.pool.free_symbols_of(&[interpolant]) {
            let (args, result) = self.signature.rank(&self.pool, f);
            let name = self.pool.name(f).to_string();
            let is_encoded = args.iter().chain([&result]).any(|&s| self.pool.meaning(s).is_some());
            if args.is_empty() && matches!(self.pool.meaning(result), Some(Meaning::Float(_))) {
                let word = self.pool.symbol_term(f);
                let number = self.pool.constant(&name, result);
                let to_word = self.pool.declare_fun("fp.to_ieee_bv", &[result], self.pool.sort(word));
                pairs.push((word, self.pool.app(to_word, &[number])));
            } else if is_encoded || name.starts_with('.') {
                let what = if name == ".rank" { "the sizes of values of datatypes" } else { "the bits of values" };
                return fail(pos, format!("the interpolant found is about {what}, which SMT-LIB cannot say"));
            }
        }
        let shown = if pairs.is_empty() { interpolant } else { self.pool.substitute(interpolant, &pairs) };
        Ok(self.pool.smtlib(shown))
    }

    /// An interpolant of two formulas. In the manner of cvc5, `(get-interpolant NAME CONCLUSION)` defines NAME between
    /// the assertions and the conclusion they imply; in the manner of z3, `(get-interpolant A B)` separates two
    /// formulas that contradict each other.
    fn get_interpolant(&mut self, e: &SExpr, first: NodeId, second: NodeId) -> Answered {
        let pos = e.pos(e.root());
        if !self.is_on("produce-interpolants") && !self.is_on("produce-proofs") {
            return fail(pos, "set :produce-interpolants to true first");
        }
        let name = e.symbol(first).filter(|name| !self.signature.is_known(name)).map(str::to_string);
        let second = self.reading(|signature, pool| signature.read_formula(pool, e, second))?;
        let (a, b) = match &name {
            Some(_) => (self.assertions.clone(), self.pool.not(second)),
            None => (vec![self.reading(|signature, pool| signature.read_formula(pool, e, first))?], second),
        };
        let a: Option<Vec<TermId>> = a.iter().map(|&t| with_axioms(&mut self.pool, t)).collect();
        let (Some(a), Some(b)) = (a, with_axioms(&mut self.pool, b)) else { return fail(pos, TOO_LARGE) };
        self.note_named(None);
        let (budget, verify) = (self.command_budget(), self.is_on("interpolant-check-mode"));
        let mut solver = SmtSolver::new(SmtOptions { proofs: true, verify_interpolants: verify });
        let ids: Vec<AssertionId> = a.iter().map(|&t| solver.assert(&mut self.pool, t)).collect();
        let groups = vec![ids, vec![solver.assert(&mut self.pool, b)]];
        match solver.check(&mut self.pool, &budget) {
            SatResult::Unsat => {}
            SatResult::Sat => return Ok(Answer::Text("fail".to_string())),
            SatResult::Unknown(reason) => return fail(pos, format!("no interpolant found: {reason}")),
        }
        let tree = ItpTree { groups, parent: vec![Some(1), None] };
        match solver.interpolate(&mut self.pool, &tree, ItpOptions::default(), &budget) {
            Ok(found) => {
                let Some(&found) = found.first() else { return fail(pos, "there is no interpolant") };
                let shown = self.interpolant_text(pos, found)?;
                Ok(Answer::Text(match name {
                    Some(name) => format!("(define-fun {} () Bool {shown})", quote_symbol(&name)),
                    None => shown,
                }))
            }
            Err(error) => fail(pos, error.to_string()),
        }
    }

    /// Adds the nodes of one level; returns those that still want a parent.
    fn read_tree(&self, e: &SExpr, items: &[NodeId], tree: &mut ItpTree, depth: usize) -> Result<Vec<usize>, Failure> {
        if depth > 1000 {
            return fail(e.pos(e.root()), "the tree is too deep");
        }
        let mut open: Vec<usize> = Vec::new();
        for &item in items {
            let group = match e.list(item) {
                None => Some(vec![self.assertion_named(e, item)?]),
                Some([head, names @ ..]) if e.is_word(*head, "and") => {
                    Some(names.iter().map(|&n| self.assertion_named(e, n)).collect::<Result<_, _>>()?)
                }
                Some(_) => None,
            };
            if let Some(group) = &group {
                let earlier = tree.groups.iter().flatten();
                let twice = group
                    .iter()
                    .enumerate()
                    .find(|(k, id)| group[..*k].contains(id) || earlier.clone().any(|o| o == *id));
                if let Some((_, id)) = twice {
                    let name = self
                        .named
                        .iter()
                        .find(|n| n.assertion == Some(*id))
                        .map_or("an assertion", |n| n.name.as_str());
                    return fail(e.pos(item), format!("{} is in two groups", quote_symbol(name)));
                }
            }
            match (group, e.list(item)) {
                (Some(group), _) => {
                    let node = tree.groups.len();
                    tree.groups.push(group);
                    tree.parent.push(None);
                    for child in open.drain(..) {
                        tree.parent[child] = Some(node);
                    }
                    open.push(node);
                }
                (None, Some(subtree)) => {
                    let roots = self.read_tree(e, subtree, tree, depth + 1)?;
                    if roots.len() != 1 {
                        return fail(e.pos(item), "a subtree must end with its root");
                    }
                    open.extend(roots);
                }
                (None, None) => {}
            }
        }
        Ok(open)
    }

    fn assertion_named(&self, e: &SExpr, node: NodeId) -> Result<AssertionId, Failure> {
        let name = symbol(e, node)?;
        match self.named.iter().find(|n| n.name == name) {
            Some(Named { assertion: Some(id), .. }) => Ok(*id),
            Some(_) => fail(e.pos(node), format!("{name} does not name an assertion")),
            None => fail(e.pos(node), format!("there is no assertion {name}")),
        }
    }
}

const KNOWN_COMMANDS: [&str; 34] = [
    "assert",
    "check-sat",
    "check-sat-assuming",
    "check-sat-assuming-model",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-interpolant",
    "get-interpolants",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

fn fail<T>(pos: Pos, message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Error(ReadError::new(pos, message)))
}

fn symbol(e: &SExpr, node: NodeId) -> Result<&str, Failure> {
    match e.symbol(node) {
        Some(name) => Ok(name),
        None => fail(e.pos(node), format!("expected a symbol, found {}", e.show(node))),
    }
}

/// The numeral of `push` and `pop`, one if there is none.
fn count(e: &SExpr, args: &[NodeId]) -> Result<usize, Failure> {
    let Some(&arg) = args.first() else { return Ok(1) };
    match e.node(arg) {
        Node::Numeral(digits) => match digits.parse::<usize>() {
            Ok(n) if n <= 100_000 => Ok(n),
            _ => fail(e.pos(arg), "too many levels"),
        },
        _ => fail(e.pos(arg), "expected a numeral"),
    }
}

/// The name of `(! … :named n)`.
fn outer_name(e: &SExpr, node: NodeId) -> Option<&str> {
    let [bang, _, attributes @ ..] = e.list(node)? else { return None };
    if !e.is_word(*bang, "!") {
        return None;
    }
    attributes.chunks(2).find(|pair| e.keyword(pair[0]) == Some("named")).and_then(|pair| e.symbol(*pair.get(1)?))
}

fn labelling(text: &str) -> Option<Labelling> {
    match text {
        "mcmillan" => Some(Labelling::McMillan),
        "pudlak" => Some(Labelling::Pudlak),
        "mcmillan-prime" => Some(Labelling::McMillanPrime),
        _ => None,
    }
}

fn farkas(text: &str) -> Option<Farkas> {
    match text {
        "strong" => Some(Farkas::Strong),
        "weak" => Some(Farkas::Weak),
        "decomposed" => Some(Farkas::Decomposed),
        _ => None,
    }
}

/// A formula with the axioms for its terms of datatypes, and of sorts that are encoded in words; `None` if they are too
/// many.
fn with_axioms(pool: &mut TermPool, formula: TermId) -> Option<TermId> {
    let mut result = pool.split_data_quantifiers(formula);
    let datatypes = pool.datatype_axioms(result)?;
    if !datatypes.is_empty() {
        let axioms = pool.and(&datatypes);
        result = pool.and2(result, axioms);
    }
    let encodings = pool.encoding_axioms(result);
    if !encodings.is_empty() {
        let axioms = pool.and(&encodings);
        result = pool.and2(result, axioms);
    }
    Some(result)
}

/// The error for [`with_axioms`].
const TOO_LARGE: &str = "the datatypes of this formula have too many values";

/// What a logic has that is not supported.
fn foreign_logic(name: &str) -> Option<&'static str> {
    let letters = name.strip_prefix("QF_").unwrap_or(name);
    if letters.starts_with('S') { Some("strings are") } else { None }
}

/// `ALL`, or the letters of theories that are understood, in any order.
fn is_known_logic(name: &str) -> bool {
    // pySMT marks constant arrays by a star, and sorts of its user by a `t`.
    let name = name.strip_suffix('*').or_else(|| name.strip_suffix('t')).unwrap_or(name);
    if ["ALL", "QF_ALL", "ALL_SUPPORTED", "BOOL", "QF_BOOL", "CORE", "HORN"].contains(&name) {
        return true;
    }
    const PARTS: [&str; 17] = [
        "AX", "UF", "DT", "BV", "FP", "IDL", "RDL", "LIRA", "LRIA", "LIA", "LRA", "NIRA", "NRIA", "NIA", "NRA", "IA",
        "A",
    ];
    let mut rest = name.strip_prefix("QF_").unwrap_or(name);
    let has_letters = !rest.is_empty();
    while let Some(shorter) = PARTS.iter().find_map(|part| rest.strip_prefix(part)) {
        rest = shorter;
    }
    has_letters && rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str) -> String {
        let mut out = Vec::new();
        run_script(script.as_bytes(), &mut out, &ScriptOptions::default(), &Budget::unlimited()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn answers_and_models() {
        let out = run("(set-option :produce-models true)(set-logic QF_LIA)
            (declare-fun x () Int)(declare-const y Int)(declare-fun f (Int) Int)
            (assert (and (= x 3) (= y (- 2))))
            (check-sat)(get-model)(get-value (x (+ x y)))(push)(assert (< x y))(check-sat)(pop 1)(check-sat)");
        assert_eq!(
            out,
            "sat\n(\n  (define-fun x () Int 3)\n  (define-fun y () Int (- 2))\n  (define-fun f ((x!0 Int)) Int 0)\n)\n\
             ((x 3)\n ((+ x y) 1))\nunsat\nsat\n"
        );
    }

    #[test]
    fn cores_and_assumptions() {
        let out = run("(set-option :produce-unsat-cores true)(set-option :produce-unsat-assumptions true)
            (set-option :minimize-unsat-cores true)
            (declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
            (assert (! (=> p q) :named A))(assert (! (=> q r) :named B))(assert (! (or p q r) :named C))
            (check-sat-assuming (p (not r)))(get-unsat-core)(get-unsat-assumptions)
            (check-sat)(get-unsat-core)");
        assert_eq!(out, "unsat\n(A B)\n(p (not r))\nsat\n(error \"6:24: the last check did not say unsat\")\n");
    }

    #[test]
    fn interpolants_under_an_assignment() {
        let out = run("(set-option :produce-interpolants true)(set-logic QF_LIA)
            (declare-fun p () Bool)(declare-fun x () Int)(declare-fun y () Int)
            (assert (! (and (=> p (<= x 0)) (=> (not p) (<= x 1)) (<= y x)) :named A))
            (assert (! (>= y 2) :named B))
            (check-sat)(get-interpolants A B :assign (p))(get-interpolants A B :assign ((not p)))
            (get-interpolants A B)(get-interpolants A B :assign (p (not p)))(get-interpolants A B :assign)");
        assert!(out.contains("unsat"), "{out}");
        assert_eq!(out.matches("(<= y ").count(), 3, "{out}");
        assert!(out.contains("assigned both ways"), "{out}");
    }

    #[test]
    fn interpolants_of_a_sequence_and_a_tree() {
        let out = run("(set-option :produce-interpolants true)(set-logic QF_LIA)
            (declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)
            (assert (! (= x 0) :named A))(assert (! (= y (+ x 1)) :named B))(assert (! (< y 0) :named C))
            (check-sat)(get-interpolants A B C)(get-interpolants (and B A) C)(get-interpolants A (B) C)
            (get-interpolants A)(get-interpolants A D)");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "unsat");
        assert!(out.contains("(error \"5:13: expected at least two groups"), "{out}");
        assert!(out.contains("there is no assertion D"), "{out}");
        assert_eq!(out.matches("(error").count(), 2, "{out}");
    }

    #[test]
    fn errors_have_no_effect_and_execution_goes_on() {
        let out = run("(declare-const x Int)
            (assert (! (and (! (> x 0) :named N) (> y 0)) :named M))
            (assert (! (> x 0) :named N))
            (check-sat)
            (foo)
            (pop 2)
            (declare-const x Real)
            (echo \"say \"\"hi\"\"\")
            (define-fun-rec f ((n Int)) Int (g n))
            (set-option :bar 1)
            (assert x)
            (set-option :produce-models false)(get-model)
            (assert
            (exit)");
        let expected = "(error \"2:53: unknown symbol y\")\nsat ; a command before this was rejected\n(error \"5:14: unknown command foo\")\n\
            (error \"6:13: cannot pop 2 levels, there are 0\")\n(error \"7:28: x is already declared\")\n\
            \"say \"\"hi\"\"\"\n(error \"9:45: unknown function g\")\nunsupported\n\
            (error \"11:21: expected a formula, found a term of sort Int\")\n\
            (error \"12:47: set :produce-models to true first\")\n\
            (error \"13:13: this parenthesis is never closed\")\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn scopes_hold_declarations_and_names() {
        let out =
            run("(set-option :produce-assignments true)(push 1)(declare-const x Int)(assert (! (> x 5) :named big))
            (check-sat)(get-assignment)(pop 1)(assert (> x 5))
            (set-option :global-declarations true)(push 1)(declare-const y Int)(pop 1)(assert (= y 1))(check-sat)
            (reset-assertions)(check-sat)(reset)(get-option :global-declarations)(get-info :error-behavior)");
        let expected = "sat\n((big true))\n(error \"2:58: unknown symbol x\")\nsat ; a command before this was rejected\nsat\nfalse\n\
            (:error-behavior continued-execution)\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn proofs_are_printed() {
        let out = run("(set-option :produce-proofs true)(declare-const x Int)
            (assert (! (> x 5) :named A))(assert (< x 3))(check-sat)(get-proof)");
        assert!(out.starts_with("unsat\n(proof\n") && out.contains(":assertion A") && out.contains("farkas"), "{out}");
    }

    #[test]
    fn habits_of_other_solvers() {
        // What the wrapper of pySMT sends; declarations outlive reset-assertions, and may be made again.
        let out = run("(set-option :print-success true)(set-option :diagnostic-output-channel \"stdout\")
            (set-option :produce-models true)(set-logic QF_BOOL)(declare-fun p () Bool)(assert p)(check-sat)
            (get-value (p))(reset-assertions)(assert (not p))(check-sat)(get-value (p))(reset-assertions)
            (declare-fun p () Int)(assert (= p 1))(check-sat)(get-model)");
        let answers: Vec<&str> = out.lines().filter(|line| *line != "success").collect();
        assert_eq!(answers, ["sat", "((p true))", "sat", "((p false))", "sat", "(", "  (define-fun p () Int 1)", ")"]);
        // Names that only pySMT and z3 would write, and powers.
        let out = run("(set-option :produce-models true)(set-logic QF_BOOLt)(declare-fun |a\\|b\\\\| () Bool)
            (declare-fun x () Int)(assert |a\\|b\\\\|)(assert (= (pow x 2) 9))(check-sat-assuming-model (x) (3))
            (get-value (|a\\|b\\\\|))(check-sat-assuming-model (x) (4))(check-sat-assuming-model (x) (true))");
        assert!(out.starts_with("sat\n((|a\\|b\\\\| true))\nunsat\n(error"), "{out}");
        // Interpolants as cvc5 and z3 ask for them, with proofs on or the option as a number.
        let out = run("(set-option :produce-interpolants 1)(declare-fun x () Int)(declare-fun y () Int)
            (assert (> x 3))(assert (> y x))(get-interpolant I (> y 2))(get-interpolant J (> y 7))
            (get-interpolant (= x 1) (= x 2))");
        assert!(out.starts_with("(define-fun I () Bool ") && out.contains("\nfail\n"), "{out}");
        assert!(!out.contains("error"), "{out}");
        let out = run("(set-option :produce-proofs true)(declare-fun x () Int)
            (assert (! (> x 3) :named A))(assert (! (< x 3) :named B))(check-sat)(get-interpolants A B)");
        assert!(out.starts_with("unsat\n(") && !out.contains("error"), "{out}");
    }

    #[test]
    fn theories_that_are_refused_by_name() {
        let out = run("(set-logic QF_SLIA)(declare-fun s () String)
            (assert (= (str.len \"a\") 1))(check-sat)");
        assert_eq!(out.matches("strings are not supported").count(), 3, "{out}");
        assert!(out.ends_with("sat ; 2 commands before this were rejected\n"), "{out}");
    }

    #[test]
    fn recursive_definitions() {
        let out = run("(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
            (define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
                ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
            (push 1)(assert (not (= (sum 3) 6)))(check-sat)(pop 1)(assert (even 3))(check-sat)");
        assert_eq!(out, "unsat\nunsat\n");
    }

    /// The predicates of overflow against exact arithmetic, for all words of three bits.
    #[test]
    fn overflow_predicates() {
        let mut script = String::new();
        let mut expected = Vec::new();
        for a in 0..8i64 {
            for b in 0..8i64 {
                let signed = |n: i64| if n >= 4 { n - 8 } else { n };
                let (x, y) = (signed(a), signed(b));
                let fits = |n: i64| (-4..4).contains(&n);
                let fits_unsigned = |n: i64| (0..8).contains(&n);
                let facts = [
                    ("bvnego", !fits(-x)),
                    ("bvuaddo", !fits_unsigned(a + b)),
                    ("bvsaddo", !fits(x + y)),
                    ("bvusubo", !fits_unsigned(a - b)),
                    ("bvssubo", !fits(x - y)),
                    ("bvumulo", !fits_unsigned(a * b)),
                    ("bvsmulo", !fits(x * y)),
                    ("bvsdivo", x == -4 && y == -1),
                ];
                for (name, holds) in facts {
                    let args =
                        if name == "bvnego" { format!("(_ bv{a} 3)") } else { format!("(_ bv{a} 3) (_ bv{b} 3)") };
                    script.push_str(&format!("(check-sat-assuming (({name} {args})))\n"));
                    expected.push(if holds { "sat" } else { "unsat" });
                }
            }
            let bit = |b: bool| if b { "#b1" } else { "#b0" };
            script.push_str(&format!(
                "(check-sat-assuming ((= (bvredor (_ bv{a} 3)) {}) (= (bvredand (_ bv{a} 3)) {})))\n",
                bit(a != 0),
                bit(a == 7)
            ));
            expected.push("sat");
        }
        assert_eq!(run(&script).lines().collect::<Vec<_>>(), expected);
    }

    /// Values of the theory of floating point in models, also in arrays and functions.
    #[test]
    fn floating_point() {
        let out = run("(set-option :produce-models true)(set-logic QF_ABVFP)
            (declare-fun x () Float16)(declare-fun r () RoundingMode)(declare-fun f (Float16) (_ FloatingPoint 3 5))
            (declare-fun a () (Array Float16 Float16))
            (define-fun twice ((y Float16)) Float16 (fp.add RNE y y))
            (assert (= (twice x) ((_ to_fp 5 11) RNE 3.0)))(assert (fp.isNaN (f x)))
            (assert (not (= r RNE)))(assert (= (fp.roundToIntegral r x) ((_ to_fp 5 11) RNE 2.0)))(assert (distinct r RNA))
            (assert (= (select a x) (fp.neg x)))(assert (= (select a (fp.neg x)) (_ -oo 5 11)))
            (check-sat)(get-value (x r (f x) (select a x) (fp.to_ieee_bv x)))(get-model)
            (push)(assert (not (= (select (store a x (_ NaN 5 11)) (fp.div RTZ x x)) (select a (fp.mul r x (twice x))))))
            (check-sat)(pop)
            (assert (not (= (select a (fp.sub RNE (twice x) x)) (select a x))))(check-sat)");
        let start = "sat\n((x (fp #b0 #b01111 #b1000000000))\n (r roundTowardPositive)\n ((f x) (_ NaN 3 5))\n \
            ((select a x) (fp #b1 #b01111 #b1000000000))\n ((fp.to_ieee_bv x) #x3e00))\n(\n  \
            (define-fun x () (_ FloatingPoint 5 11) (fp #b0 #b01111 #b1000000000))\n  \
            (define-fun r () RoundingMode roundTowardPositive)\n  (define-fun f ((x!0 (_ FloatingPoint 5 11))) (_ FloatingPoint 3 5) ";
        assert!(out.starts_with(start), "{out}");
        assert!(out.contains("(_ -oo 5 11)") && out.ends_with("sat\nunsat\n"), "{out}");
        let out = run("(set-option :produce-interpolants true)(declare-fun x () Float16)(declare-fun y () Float16)
            (assert (! (fp.lt x y) :named A))(assert (! (fp.lt y x) :named B))(check-sat)(get-interpolants A B)");
        assert!(out.starts_with("unsat\n(") && out.contains("(fp.to_ieee_bv x)") && !out.contains("error"), "{out}");
        // There are five rounding modes, and one NaN.
        let out = run("(declare-fun a () (Array RoundingMode Int))(declare-fun b () (Array RoundingMode Int))
            (define-fun same ((r RoundingMode)) Bool (= (select a r) (select b r)))
            (assert (not (= a b)))(assert (and (same RNE) (same RNA) (same RTP) (same RTN)))(check-sat)
            (assert (same RTZ))(check-sat)
            (reset)(declare-fun c () (Array Bool Float16))(declare-fun d () (Array Bool Float16))
            (define-fun nans ((x (Array Bool Float16))) Bool
                (and (fp.isNaN (select x true)) (fp.isNaN (select x false))))
            (assert (nans c))(assert (nans d))(check-sat)(assert (distinct c d))(check-sat)
            (reset)(assert (forall ((x Float16)) (=> (fp.isNaN x) (= x (_ NaN 5 11)))))(check-sat)
            (assert (exists ((r RoundingMode)) (distinct r RNE RNA RTP RTN RTZ)))(check-sat)");
        assert_eq!(out, "sat\nunsat\nsat\nunsat\nsat\nunsat\n");
    }

    /// Datatypes: the examples of the standard, and what follows from values being finite trees.
    #[test]
    fn algebraic_datatypes() {
        let lists = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
            (declare-datatype Color ((red) (green) (blue)))(declare-datatype Unit ((unit)))
            (declare-datatypes ((Tree 0) (Forest 0)) (((node (value Int) (children Forest))) ((none) (more (first Tree) (rest Forest)))))
            (declare-datatypes () ((Pair (pair (left Bool) (right Color)))))
            (declare-fun x () (List Int))(declare-fun y () (List Int))(declare-fun c () Color)(declare-fun d () Color)
            (declare-fun e () Color)(declare-fun g () Color)(declare-fun t () Tree)(declare-fun f () Forest)
            (declare-fun a () (Array Int Unit))(declare-fun b () (Array Int Unit))(declare-fun i () Int)
            (declare-fun p () Pair)(declare-fun q () Pair)";
        for (formula, answer) in [
            ("(= x (cons 1 x))", "unsat"),
            ("(and (= x (cons 1 y)) (= (tail y) x) ((_ is cons) y))", "unsat"),
            ("(and (= x (cons 1 y)) (= (tail y) x))", "sat"),
            ("(and (= (cons 1 x) (cons i y)) (not (= x y)))", "unsat"),
            ("(and (= (cons 1 x) (cons i y)) (not (= i 1)))", "unsat"),
            ("(= (as nil (List Int)) (cons 1 x))", "unsat"),
            ("(and (not ((_ is nil) x)) (not (is-cons x)))", "unsat"),
            (
                "(and ((_ is cons) x) ((_ is cons) y) (= (head x) (head y)) (= (tail x) (tail y)) (distinct x y))",
                "unsat",
            ),
            ("(and (= (head x) (head y)) (= (tail x) (tail y)) (distinct x y))", "sat"),
            ("(and ((_ is nil) x) ((_ is nil) y) (distinct (head x) (head y)))", "unsat"),
            ("(and ((_ is nil) x) (= (head x) 5))", "sat"),
            ("(distinct c d e g)", "unsat"),
            ("(distinct c d e)", "sat"),
            ("(distinct a b)", "unsat"),
            ("(and (= t (node 1 f)) (= f (more t none)))", "unsat"),
            ("(and (= (children t) f) (= f (more t none)))", "unsat"),
            ("(and (= t (node 1 f)) (= (rest f) (more t none)))", "sat"),
            ("(and (distinct (left p) (left q)) (= p q))", "unsat"),
            ("(and (= (left p) (left q)) (= (right p) (right q)) (distinct p q))", "unsat"),
            ("(= 3 (match x ((nil 1) ((cons h rest) (ite (= h 7) 3 2)))))", "sat"),
            ("(not (= (match x (((cons h rest) h) (other 0))) (ite (is-nil x) 0 (head x))))", "unsat"),
            ("(not (= ((_ update head) x 3) (ite (is-nil x) x (cons 3 (tail x)))))", "unsat"),
            ("(forall ((l (List Int))) (not (= l (cons 2 (tail l)))))", "unsat"),
            ("(exists ((l (List Int))) (and ((_ is cons) l) (= (tail l) l)))", "unsat"),
        ] {
            let out = run(&format!("{lists}(assert {formula})(check-sat)"));
            assert_eq!(out, format!("{answer}\n"), "{formula}");
        }
        let out = run(&format!(
            "(set-option :produce-models true){lists}(assert (= x (cons 1 (cons 2 (as nil (List Int))))))(assert (= (right p) blue))
            (assert (not (left p)))(check-sat)(get-value (x p (tail x) (is-nil x)))"
        ));
        assert_eq!(
            out,
            "sat\n((x (cons 1 (cons 2 (as nil (List Int)))))\n (p (pair false blue))\n \
             ((tail x) (cons 2 (as nil (List Int))))\n ((is-nil x) false))\n"
        );
        let out = run("(declare-datatype D ((c (x D))))(declare-datatype E ((e (y (Array Int E))) (f)))
            (declare-codatatype S ((s (z S))))(declare-datatype A ((a (w B))))(declare-datatype C ((p) (q)))
            (declare-fun v () C)(assert (match v ((p true))))(assert (w v))(assert ((_ is r) v))");
        for message in
            ["has no values", "arrays of themselves", "codatatypes are", "unknown sort B", "every constructor"]
        {
            assert!(out.contains(message), "{message}: {out}");
        }
        assert_eq!(out.matches("(error").count(), 7, "{out}");
    }

    /// Linear arithmetic with quantifiers has quantifier elimination.
    #[test]
    fn quantified_linear_arithmetic() {
        for (formula, answer) in [
            ("(exists ((r Real)) (forall ((s Real)) (< r (- r s))))", "unsat"),
            ("(forall ((r Real)) (exists ((s Real)) (< r (- r s))))", "sat"),
            ("(forall ((i Int)) (exists ((j Int)) (or (= i (* 2 j)) (= i (+ 1 (* 2 j))))))", "sat"),
            ("(forall ((i Int)) (exists ((j Int)) (= i (* 2 j))))", "unsat"),
            ("(exists ((i Int)) (forall ((j Int)) (=> (and (< 0 j) (< j 10)) (< (+ i j) k))))", "sat"),
            ("(and (> k 3) (forall ((i Int)) (=> (> i 5) (> i (+ k k)))))", "unsat"),
        ] {
            let out = run(&format!("(declare-fun k () Int)(assert {formula})(check-sat)"));
            assert_eq!(out, format!("{answer}\n"), "{formula}");
        }
    }

    /// Products of reals, against what is known from school.
    #[test]
    fn polynomial_constraints() {
        for (formula, answer) in [
            ("(= (* x x) 2.0)", "sat"),
            ("(and (= (* x x) 2.0) (> x 1.5))", "unsat"),
            ("(= (* x x x) 25.0)", "sat"),
            ("(and (= (+ (* x x) (* y y)) 1.0) (= (* x y) 0.25))", "sat"),
            ("(and (= (+ (* x x) (* y y)) 1.0) (> (* x y) 0.6))", "unsat"),
            ("(< (+ (* x x) (* y y)) (* 2.0 x y))", "unsat"),
            ("(and (= (* x y) 1.0) (= (+ x y) 3.0) (= z (ite (> x y) x y)) (> z 2.6))", "sat"),
            ("(and (= (* x y) 1.0) (= (+ x y) 3.0) (= z (ite (> x y) x y)) (> z 2.7))", "unsat"),
            ("(= (* i i i) 12345678)", "unsat"),
            ("(= (* i i i) 12326391)", "sat"),
            ("(and (= (* x x) 2.0) (= (to_int (* 100.0 x)) i) (> x 0.0) (not (= i 141)))", "unsat"),
        ] {
            let out = run(&format!(
                "(declare-fun x () Real)(declare-fun y () Real)(declare-fun z () Real)(declare-fun i () Int)
                (assert {formula})(check-sat)"
            ));
            assert_eq!(out, format!("{answer}\n"), "{formula}");
        }
        let out = run("(set-option :produce-models true)(declare-fun x () Real)(declare-fun y () Real)
            (assert (and (= (* x x) 2.0) (> x 0.0) (= y (+ x 1.0))))(check-sat)(get-model)(get-value ((* x x) (< x 1.5) y (/ 1.0 x)))");
        assert_eq!(
            out,
            "sat\n(\n  (define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2))\n  \
             (define-fun y () Real (root-obj (+ (^ x 2) (* (- 2) x) (- 1)) 2))\n)\n\
             (((* x x) 2.0)\n ((< x 1.5) true)\n (y (root-obj (+ (^ x 2) (* (- 2) x) (- 1)) 2))\n ((/ 1.0 x) (root-obj (+ (* 2 (^ x 2)) (- 1)) 2)))\n"
        );
    }

    #[test]
    fn a_candidate_after_unknown() {
        let out = run("(set-option :produce-models true)(declare-fun x () Int)(declare-fun y () Int)
            (assert (= (* x x x) (+ (* 2 y y y) 4 x)))(assert (> x 100))(check-sat)(get-value (x))");
        assert!(!out.contains("error"), "{out}");
    }

    #[test]
    fn logics() {
        for name in ["QF_UF", "QF_AUFLIA", "QF_ABV", "ALL", "QF_AX", "QF_UFLRA", "AUFLIRA", "LIA", "QF_IDL"] {
            assert!(is_known_logic(name), "{name}");
        }
        for name in [
            "BOOL",
            "QF_BOOL",
            "ALL_SUPPORTED",
            "HORN",
            "QF_ALIA*",
            "QF_AUFBVLIRA*",
            "QF_BOOLt",
            "QF_ABVFPLRA",
            "QF_FPBV",
            "QF_UFDTLIA",
        ] {
            assert!(is_known_logic(name), "{name}");
        }
        for name in ["QF_", "QF_S", "QF_D", "FOO", ""] {
            assert!(!is_known_logic(name), "{name}");
        }
    }
}
