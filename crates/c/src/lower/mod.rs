//! The typed C program to the intermediate representation.
//!
//! * Scalars whose address is not taken become variables of the program; so does each leaf of a struct, and an array of
//!   scalars becomes an array variable. Everything else lives in memory ([`memory`]).
//! * Expressions become pure terms; what has an effect or a check becomes instructions before them
//!   ([`expr`]). Evaluation is left to right; an operand is copied where a later sibling may change it.
//! * The properties become assertions that know their name and their source line.
//! * A construct that is not understood ends the execution there, with an *unsound* remark: violations found
//!   elsewhere stand, but nothing is proved.
//!
//! The program starts in a procedure `_start`, which initialises the objects with static storage, calls
//! `main` with arbitrary arguments, and checks what must hold at the end.

mod addresses;
pub mod alias;
mod contracts;
mod deadlocks;
mod early;
pub mod entry;
mod expr;
mod float;
mod fresh;
mod initialised;
mod int;
mod intrinsics;
mod joins;
mod library;
mod lifetimes;
mod lock_lifetimes;
mod memory;
mod neighbours;
mod notes;
mod origins;
mod pointer_facts;
mod races;
mod ranges;
mod reachability;
mod sequence;
mod spin_locks;
mod stdio;
mod stmt;
mod tags;
pub(crate) mod thread_locals;
mod thread_numbers;
mod threads;
mod varargs;
mod word;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use base::{IdVec, Span};
use ir::{
    Body, Check, InstrKind, Nondet, Note, ProcId, Procedure, Program, Remark, RemarkKind, Subject, Subproperty,
    VarKind, VarRole,
};
use logic::{SortId, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::*;
use crate::types::{Type, TypeId};
use alias::{Alias, Kind, NodeId};
pub use entry::Environment;
pub use int::IntVal;
use lifetimes::{Lifetimes, ScopeFrame};
use memory::{Ghost, Leaf, PtrVal};
pub use notes::Notes;
use reachability::{Reachability, destructors, exit_handlers};
pub use threads::Threads;
pub use word::Integers;
use word::{WIDTHS, Word};

/// Something that is not understood, and where.
#[derive(Clone, Debug)]
pub struct Unsupported {
    pub kind: RemarkKind,
    pub span: Span,
    pub what: String,
}

type R<T> = Result<T, Unsupported>;

fn unsupported<T>(span: Span, what: impl Into<String>) -> R<T> {
    Err(Unsupported { kind: RemarkKind::Other, span, what: what.into() })
}

/// Something that the phases before should have made impossible.
fn internal<T>(span: Span, what: &str) -> R<T> {
    Err(Unsupported { kind: RemarkKind::Internal, span, what: format!("internal error: {what}") })
}

/// What is checked.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mode {
    /// Objects lie at other addresses than usual.
    pub is_elsewhere: bool,
    pub check_unreach: bool,
    pub errors: Errors,
    pub check_overflow: bool,
    /// Ranges of signed values are checks too, like everything that follows from the absence of overflow: whoever takes
    /// the checks out gets a program in which signed numbers are unbounded. For termination.
    pub check_signed_ranges: bool,
    pub check_memsafety: bool,
    /// Pointers and objects are followed as for memory safety, but nothing is checked: the program asks about them.
    pub follows_objects: bool,
    /// With memory safety: moving a pointer out of its object is a violation, whether it is read or not.
    pub check_pointers: bool,
    /// With memory safety: memory that nothing leads to any more is a violation.
    pub check_lost_memory: bool,
    pub check_memcleanup: bool,
    pub check_division: bool,
    pub check_shift: bool,
    pub check_uninitialised: bool,
    /// Arrays: indices inside larger objects, and lengths of variable-length arrays.
    pub check_arrays: bool,
    pub check_null: bool,
    /// Everything undefined is checked but data races.
    pub assumes_no_races: bool,
    pub check_races: bool,
    pub check_deadlock: bool,
    /// Executions are observed by a temporal formula: one that blocks forever repeats its last state.
    pub observes: bool,
    pub environment: Environment,
    pub threads: Threads,
    pub integers: Integers,
    /// Arithmetic that wraps around is a violation of its own.
    pub no_wrap: bool,
}

/// Which errors unreach-call is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Errors {
    /// Calls of error functions, and assertions that fail.
    #[default]
    All,
    /// Calls of the functions of this one's name, if the program has it.
    CallsOf(Option<FuncId>),
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Val {
    Int(IntVal),
    /// The int 1 or 0 of a comparison.
    Bool(TermId),
    Ptr(PtrVal),
    /// An opaque number that stands for a float; equal numbers are the same bits.
    Float(TermId),
    /// The scalars of a record in order of [`Lowerer::scalars`].
    Record(Rc<Vec<Val>>),
    Void,
}

/// Where jumps leave to, with the number of scopes that stay open there.
#[derive(Clone, Copy)]
struct JumpTarget {
    label: ir::LabelId,
    depth: usize,
}

struct FunctionState {
    proc: ProcId,
    body: Body,
    locals: Vec<ir::VarId>,
    labels: FxHashMap<LabelId, ir::LabelId>,
    /// The scopes around each label: computed when the label is met or jumped to.
    breaks: Vec<JumpTarget>,
    continues: Vec<JumpTarget>,
    scopes: Vec<ScopeFrame>,
    results: Vec<ir::VarId>,
    exit: ir::LabelId,
    /// Counts instructions that may not be executed speculatively.
    n_effects: usize,
    /// The function has labels, so objects in memory are allocated at the entries of blocks.
    has_labels: bool,
    lifetimes: Lifetimes,
    n_temps: u32,
    /// Where the variable arguments of this call begin.
    arguments: Option<ir::VarId>,
    /// Trying whether an operand can be evaluated without effects.
    trial: bool,
    depth: usize,
    /// Ghosts of local variables that say what is set.
    inits: Vec<ir::VarId>,
    /// The function moves bytes of any objects without looking at them.
    moves_bytes: bool,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum RegionKey {
    /// A leaf of the record of a `Fields` class, by number.
    Field(u32),
    Kind(Kind),
    BitField(crate::types::RecordId, u32),
    Bytes,
}

/// Where objects are, and the variables of the program that hold their contents.
#[derive(Default)]
struct MemoryState {
    plain: FxHashMap<(VarId, Vec<u32>), Leaf>,
    regions: FxHashMap<(NodeId, RegionKey), Leaf>,
    /// What functions without body may write: a variable of the statement that stands for it, and the class. The
    /// statement gets the regions of the class when all are known.
    outside_writes: Vec<(ir::VarId, Option<NodeId>)>,
    region_list: Vec<(NodeId, RegionKey, Leaf)>,
    field_paths: FxHashMap<(TypeId, Vec<u32>), u32>,
    var_addresses: FxHashMap<VarId, i128>,
    /// Locals in memory with an address of their own for each activation.
    dynamic_addresses: FxHashMap<VarId, ir::VarId>,
    func_addresses: FxHashMap<FuncId, i128>,
    next_address: i128,
    ghosts: FxHashMap<Ghost, ir::VarId>,
    /// The arguments of calls of variadic functions.
    cells: Option<Leaf>,
    /// By the address of a cell: the kind of what it holds, or 0 behind the last argument.
    cell_kinds: Option<ir::VarId>,
    /// What the addresses in those variables point into.
    held_bases: FxHashMap<VarId, ir::VarId>,
    /// Objects that functions of the library return pointers to: their addresses.
    own_objects: FxHashMap<(&'static str, Span), i128>,
    /// Variables of the library that the program reads and library functions modify; computed on first use.
    library_variables: Option<Vec<VarId>>,
    /// Whether the program uses only the tag bits of numeric addresses; computed on first use.
    only_tags: Option<bool>,
    /// Objects of the outside, by class and type: where they start and their size.
    outside_objects: BTreeMap<(NodeId, TypeId), (i128, i128)>,
}

/// What the program does with threads, and the variables that this takes.
#[derive(Default)]
struct ThreadState {
    /// Threads are created, and interleave.
    creates_threads: bool,
    concurrent: bool,
    lock_variables: FxHashMap<(TermId, threads::LockPart), ir::VarId>,
    thread_counter: Option<ir::VarId>,
    /// Some function asks which thread runs it: each gets its number as a parameter.
    needs_self: bool,
    /// Mutexes may be of another kind than the normal one.
    has_mutex_kinds: bool,
    self_params: FxHashMap<ProcId, ir::VarId>,
    /// The procedures that threads run, by what the program text says they run, where the end of a thread matters.
    thread_procs: FxHashMap<FuncId, ProcId>,
    /// Threads may wait for something that no particular thread holds: see [`deadlocks`].
    has_unowned_waits: bool,
    /// Between the marks of an atomic section, in the order of the text.
    in_atomic_section: bool,
    /// No thread was created yet.
    before_threads: bool,
    /// Something in the program is atomic: sections, functions or operations.
    has_atomic_sections: bool,
    /// Variables that may be locks, and may be declared again.
    declared_again: FxHashSet<VarId>,
    /// Calls before the first thread is created.
    early: early::Early,
    /// Names of threads that are used as numbers.
    numbers: thread_numbers::Numbers,
    /// The start functions of threads that are not called otherwise.
    only_started: FxHashSet<FuncId>,
    /// A thread may be joined twice.
    may_join_twice: bool,
    /// A static mutex is initialised to be of another kind than the normal one.
    has_other_mutexes: bool,
    race_ghosts: FxHashMap<(races::RaceKey, races::Event), ir::VarId>,
}

/// How the expression that is being lowered is meant.
#[derive(Default)]
struct Context {
    /// Accesses that are inside their object by construction are not checked.
    unchecked_access: bool,
    /// Values are only copied or thrown away: they need not be set.
    reads_anything: bool,
    /// The pointer that is being computed is about to be accessed.
    is_accessed: bool,
    /// Only the address of the place is asked for, which may be the end of an array.
    is_address: bool,
    /// The number of an address is only compared with what no object has.
    bare_addresses: bool,
    /// What is converted to a number is the address of an object that the program names.
    names_object: bool,
    /// Pointers are only copied: a base that was lost stays lost.
    raw_bases: bool,
    /// Only the sign of the current value will be used.
    only_sign: bool,
    /// The base of the pointer that the byte read last is a byte of.
    byte_origin: Option<TermId>,
    /// The same of the byte that is about to be stored.
    copied_origin: Option<TermId>,
    /// The expression of an annotation is being evaluated.
    in_note: bool,
    /// Inside an expression of a contract.
    in_contract: bool,
    /// Inside a proposition of a temporal formula: signed arithmetic is that of the integers.
    in_proposition: bool,
}

/// From functions of C to procedures.
pub struct Lowerer<'a> {
    unit: &'a Unit,
    pool: &'a mut TermPool,
    program: Program,
    mode: Mode,
    word: Word,
    alias: Alias<'a>,
    reach: Reachability,
    memory: MemoryState,
    threads: ThreadState,
    context: Context,
    procs: FxHashMap<FuncId, ProcId>,
    pending_funcs: Vec<FuncId>,
    /// The functions that executions start in, one in each execution.
    entries: Vec<FuncId>,
    /// Objects that these were given pointers to.
    given: Vec<entry::Given>,
    /// Names of the functions that can be reached, with or without a body.
    /// Records or bytes are copied that may not be set.
    copies_memory: bool,
    mentioned: FxHashSet<Arc<str>>,
    holders: addresses::Holders<'a>,
    effects: sequence::Effects,
    f: FunctionState,
    seen_remarks: FxHashSet<(Span, String)>,
    ranges: ranges::TypeRanges,
    notes: Notes,
    /// The propositions of a temporal formula that were met, by number.
    propositions: BTreeMap<usize, TermId>,
    /// The segment of a witness that a guided execution is in.
    segment: Option<ir::VarId>,
    /// What contracts that are checked let their functions change.
    frames: Vec<contracts::Frame>,
    /// The current statement is this expression: its value is discarded.
    discarded: *const Expr,
}

/// What is not modelled: which number an address is.
pub(crate) const ADDRESS_NUMBER: &str = "the numerical value of an address";

/// Another place for objects to begin.
const ELSEWHERE: i128 = 0x5000_1230;

/// Lowers a unit; an execution starts in one of the `entries`.
pub fn lower(unit: &Unit, entries: &[FuncId], mode: Mode, notes: Notes, pool: &mut TermPool) -> Program {
    let program = lower_here(unit, entries, mode, notes.clone(), pool);
    // An execution that was found is repeated in the program that also checks for undefined behaviour. There everything
    // lies elsewhere, if numbers of addresses are used: an execution that depends on them does not repeat.
    let repeats = mode.check_unreach && (mode.check_overflow || mode.check_memsafety);
    if repeats && program.fidelity.unsound.iter().any(|remark| remark.kind == RemarkKind::AddressNumber) {
        return lower_here(unit, entries, Mode { is_elsewhere: true, ..mode }, notes, pool);
    }
    program
}

fn lower_here(unit: &Unit, entries: &[FuncId], mode: Mode, notes: Notes, pool: &mut TermPool) -> Program {
    let is_narrow = unit.types.pointer_size() == 4;
    match mode.integers {
        Integers::Unbounded => lower_with(unit, entries, mode, notes, None, pool).0,
        Integers::Words => {
            let [narrow, wide, widest] = WIDTHS;
            if is_narrow && let (program, false) = lower_with(unit, entries, mode, notes.clone(), Some(narrow), pool) {
                return program;
            }
            if let (program, false) = lower_with(unit, entries, mode, notes.clone(), Some(wide), pool) {
                return program;
            }
            lower_with(unit, entries, mode, notes, Some(widest), pool).0
        }
    }
}

/// Lowers with bit-vectors of a width, or mathematical integers; returns whether a number did not fit.
fn lower_with(
    unit: &Unit,
    entries: &[FuncId],
    mode: Mode,
    notes: Notes,
    width: Option<u32>,
    pool: &mut TermPool,
) -> (Program, bool) {
    let reach = Reachability::new(unit, entries);
    let is_question = |f: &FuncId| {
        let row = crate::library::find(&unit.funcs[*f].name);
        row.is_some_and(|row| matches!(row.model, crate::library::Model::Pointer(_)))
    };
    let mode = match !mode.check_memsafety && reach.mentioned.iter().any(is_question) {
        true => Mode { check_memsafety: true, follows_objects: true, ..mode },
        false => mode,
    };
    let mut alias = Alias::new(unit, entries, &reach.functions, reach.address_taken.clone());
    let word = Word::new(pool, width);
    let mut program = Program::new();
    let start = program.procs.push(empty_procedure("_start"));
    let creates_threads =
        reach.mentioned.iter().any(|&f| matches!(&*unit.funcs[f].name, "pthread_create" | "thrd_create"));
    let mentions = |names: &[&str]| reach.mentioned.iter().any(|&f| names.contains(&&*unit.funcs[f].name));
    let has_mutex_kinds = mentions(&["pthread_mutexattr_settype"]);
    let joins_elsewhere = threads::joins_elsewhere(unit, &reach, entries);
    let needs_self = has_mutex_kinds
        || creates_threads && (mode.check_deadlock || joins_elsewhere)
        || mentions(&["pthread_self", "thrd_current", threads::OWN_NUMBER]);
    let has_unowned_waits = mentions(&deadlocks::UNOWNED_WAITS);
    let is_atomic = |name: &str| {
        ["__VERIFIER_atomic", "__atomic_", "__sync_"].iter().any(|p| name.starts_with(p))
            || intrinsics::is_atomic_mark(name)
    };
    let has_atomic_sections = reach.mentioned.iter().chain(&reach.functions).any(|&f| is_atomic(&unit.funcs[f].name));
    let effects = sequence::Effects::of(unit, &mut alias, &reach.functions, &reach.address_taken);
    let next_address = if mode.is_elsewhere { ELSEWHERE } else { 0x1_0000 };
    let threads = ThreadState {
        creates_threads,
        concurrent: creates_threads && mode.threads == Threads::Interleaved,
        needs_self,
        has_mutex_kinds,
        has_unowned_waits,
        has_atomic_sections,
        declared_again: lock_lifetimes::variables(unit, &reach, entries),
        numbers: thread_numbers::uses(unit, &reach),
        only_started: thread_locals::only_started(unit),
        may_join_twice: creates_threads && joins::may_be_twice(unit, &reach, entries),
        early: match creates_threads {
            true => early::calls(unit, &reach, entries),
            false => early::Early::default(),
        },
        has_other_mutexes: lock_lifetimes::initialises_other_mutexes(unit),
        ..ThreadState::default()
    };
    let mentioned = reach.mentioned.iter().map(|&f| unit.funcs[f].name.clone()).collect();
    let copies_memory = mode.check_uninitialised && initialised::copies_memory(unit, &alias, &reach.functions);
    let mut lowerer = Lowerer {
        copies_memory,
        unit,
        pool,
        program,
        mode,
        word,
        alias,
        reach,
        memory: MemoryState { next_address, ..MemoryState::default() },
        threads,
        context: Context::default(),
        procs: FxHashMap::default(),
        pending_funcs: Vec::new(),
        entries: entries.to_vec(),
        given: Vec::new(),
        holders: addresses::Holders::of(unit),
        effects,
        f: FunctionState::new(start, Span::NONE),
        seen_remarks: FxHashSet::default(),
        ranges: ranges::TypeRanges::default(),
        notes,
        propositions: BTreeMap::new(),
        segment: None,
        frames: Vec::new(),
        discarded: std::ptr::null(),
        mentioned,
    };
    lowerer.run(start);
    let source = lowerer.source_table();
    let Lowerer { mut program, pool, ranges, word, .. } = lowerer;
    program.source = source;
    if width.is_none() {
        ranges::simplify(&mut program, pool, &ranges);
    }
    (program, word.overflowed)
}

fn empty_procedure(name: &str) -> Procedure {
    Procedure {
        name: name.to_string(),
        span: Span::NONE,
        params: Vec::new(),
        results: Vec::new(),
        locals: Vec::new(),
        modifies: Vec::new(),
        requires: Vec::new(),
        ensures: Vec::new(),
        body: None,
    }
}

impl FunctionState {
    fn new(proc: ProcId, span: Span) -> FunctionState {
        let mut body = Body::default();
        let exit = body.new_label();
        FunctionState {
            proc,
            body,
            locals: Vec::new(),
            labels: FxHashMap::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            scopes: vec![ScopeFrame::default()],
            results: Vec::new(),
            exit,
            n_effects: 0,
            has_labels: false,
            lifetimes: Lifetimes::default(),
            n_temps: 0,
            arguments: None,
            trial: false,
            depth: 0,
            inits: Vec::new(),
            moves_bytes: false,
            span,
        }
    }
}

impl Lowerer<'_> {
    // ----- instructions -----

    fn emit(&mut self, kind: InstrKind, span: Span) {
        self.f.n_effects += 1;
        self.f.body.push(kind, span);
    }
    fn emit_hidden(&mut self, kind: InstrKind, span: Span) {
        self.f.n_effects += 1;
        self.f.body.push_noted(kind, span, Note::Hidden);
    }
    /// An assumption that holds in every execution of the C program: harmless if executed early.
    fn assume_fact(&mut self, fact: TermId, span: Span) {
        if fact != TermId::TRUE {
            self.f.body.push_noted(InstrKind::Stmt(ir::Stmt::Assume(fact)), span, Note::Fact);
        }
    }
    /// Executions where this does not hold have no meaning in C and are not followed.
    fn assume_undefined(&mut self, condition: TermId, span: Span) {
        if condition != TermId::TRUE && self.context.in_note {
            // Not following an execution because of an annotation would hide what the program does.
            let check = Check::new(Subproperty::WitnessDefined, "undefined behaviour", span);
            self.emit_check(condition, check, span);
        } else if condition != TermId::TRUE {
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(condition)), span);
        }
    }
    fn assume(&mut self, condition: TermId, span: Span) {
        if condition != TermId::TRUE {
            self.emit(InstrKind::Stmt(ir::Stmt::Assume(condition)), span);
        }
    }
    fn assume_branch(&mut self, condition: TermId, outcome: bool, span: Span) {
        self.f.n_effects += 1;
        self.f.body.push_noted(InstrKind::Stmt(ir::Stmt::Assume(condition)), span, Note::Branch(outcome));
    }
    fn assign(&mut self, var: ir::VarId, term: TermId, span: Span) {
        self.emit(InstrKind::Stmt(ir::Stmt::Assign(vec![(var, term)])), span);
    }
    /// Sets a temporary that nothing else has read: harmless if executed early.
    fn assign_temp(&mut self, var: ir::VarId, term: TermId, span: Span) {
        self.f.body.push_noted(InstrKind::Stmt(ir::Stmt::Assign(vec![(var, term)])), span, Note::Hidden);
    }
    fn havoc(&mut self, vars: Vec<ir::VarId>, why: Nondet, span: Span) {
        self.emit(InstrKind::Stmt(ir::Stmt::Havoc(vars, why)), span);
    }
    fn check(&mut self, condition: TermId, property: Subproperty, message: String, span: Span) {
        if condition != TermId::TRUE {
            self.emit_check(condition, Check::new(property, message, span), span);
        }
    }
    /// A check whose failure is explained by values.
    fn check_about(&mut self, condition: TermId, property: Subproperty, message: String, subject: Subject, span: Span) {
        if condition != TermId::TRUE {
            self.emit_check(condition, Check::new(property, message, span).about(subject), span);
        }
    }
    fn new_label(&mut self) -> ir::LabelId {
        self.f.body.new_label()
    }
    fn place_label(&mut self, label: ir::LabelId, span: Span) {
        self.f.n_effects += 1;
        self.f.body.label(label, span);
    }
    fn jump(&mut self, targets: Vec<ir::LabelId>, span: Span) {
        self.f.n_effects += 1;
        self.f.body.goto(targets, span);
    }
    /// A branch on a condition: returns the label of the else part, after the assumption of the then part.
    fn branch(&mut self, condition: TermId, span: Span) -> ir::LabelId {
        let (yes, no) = (self.new_label(), self.new_label());
        self.jump(vec![yes, no], span);
        self.place_label(yes, span);
        self.assume_branch(condition, true, span);
        no
    }
    fn otherwise(&mut self, no: ir::LabelId, condition: TermId, span: Span) {
        self.place_label(no, span);
        let negated = self.pool.not(condition);
        self.assume_branch(negated, false, span);
    }

    fn temp(&mut self, sort: SortId) -> ir::VarId {
        self.f.n_temps += 1;
        let name = format!("#t{}", self.f.n_temps);
        let var = self.local_var(&name, sort, Span::NONE);
        self.program.vars[var].role = VarRole::Temporary;
        var
    }
    fn local_var(&mut self, name: &str, sort: SortId, span: Span) -> ir::VarId {
        let proc = self.f.proc;
        let var = self.program.add_var(self.pool, name, sort, VarKind::Local(proc), span);
        self.f.locals.push(var);
        var
    }
    fn global_var(&mut self, name: &str, sort: SortId, span: Span) -> ir::VarId {
        self.program.add_var(self.pool, name, sort, VarKind::Global, span)
    }

    /// The variable with the start of the object that a pointer points into, with the sort and scope of the pointer.
    fn add_base(&mut self, of: ir::VarId) -> ir::VarId {
        let pointer = &self.program.vars[of];
        let (name, sort, kind) = (format!("base({})", pointer.name), pointer.sort, pointer.kind);
        let base = self.program.add_var(self.pool, &name, sort, kind, Span::NONE);
        self.program.vars[base].role = VarRole::BaseOf(of);
        if let VarKind::Local(_) = kind {
            self.f.locals.push(base);
        }
        base
    }

    fn note_unsound(&mut self, what: &str, span: Span) {
        self.note_unsound_kind(RemarkKind::Other, what, span);
    }
    fn note_unsound_kind(&mut self, kind: RemarkKind, what: &str, span: Span) {
        if self.seen_remarks.insert((span, what.to_string())) {
            self.program.fidelity.unsound.push(Remark { kind, span, message: what.to_string() });
        }
    }
    fn note_imprecise(&mut self, what: &str, span: Span) {
        if self.seen_remarks.insert((span, format!("imprecise {what}"))) {
            self.program.fidelity.imprecise.push(Remark { kind: RemarkKind::Other, span, message: what.to_string() });
        }
    }
    fn note_assumption(&mut self, what: String, span: Span) {
        if self.seen_remarks.insert((span, format!("assumption {what}"))) {
            self.program.assumptions.push(Remark { kind: RemarkKind::Other, span, message: what });
        }
    }

    /// An assumption about the whole program, reported at the first place that needs it.
    fn note_assumption_once(&mut self, what: &str, span: Span) {
        if self.seen_remarks.insert((Span::NONE, format!("assumption {what}"))) {
            self.note_assumption(what.to_string(), span);
        }
    }

    /// Ends the execution at something that is not understood.
    fn give_up(&mut self, what: &Unsupported) {
        self.note_unsound_kind(what.kind, &what.what, what.span);
        self.jump(Vec::new(), what.span);
    }

    // ----- the whole program -----

    fn run(&mut self, start: ProcId) {
        // Functions first: they decide which objects and regions exist.
        for entry in self.entries.clone() {
            self.proc_of(entry);
        }
        while let Some(func) = self.pending_funcs.pop() {
            self.lower_function(func);
        }
        loop {
            self.f = FunctionState::new(start, Span::NONE);
            let before = self.f.body.instrs.len();
            if let Err(what) = self.lower_start() {
                self.f.body.instrs.truncate(before.max(1));
                self.give_up(&what);
            }
            if self.pending_funcs.is_empty() {
                break;
            }
            // The start reached more functions (by addresses in initialisers, or as exit handlers), and they may use
            // more objects that need their first values.
            while let Some(func) = self.pending_funcs.pop() {
                self.lower_function(func);
            }
        }
        self.finish_start();
        let procedure = &mut self.program.procs[start];
        procedure.body = Some(std::mem::take(&mut self.f.body));
        procedure.locals = std::mem::take(&mut self.f.locals);
        self.program.entries = vec![start];
        self.program.entry_note = self.entry_note();
        self.program.observations = Some(ir::Observations {
            propositions: self.propositions.values().map(|t| ir::Observed::State(*t)).collect(),
            entry: self.proc_of(self.entries[0]),
            has_marked_steps: false,
        });
        self.complete_outside_writes();
        self.complete_frames();
        self.compute_modifies();
    }

    fn complete_outside_writes(&mut self) {
        let mut regions: FxHashMap<ir::VarId, Vec<ir::VarId>> = FxHashMap::default();
        for &(mark, node) in &self.memory.outside_writes {
            let class = node.map(|node| self.alias.find(node));
            let of_class = self
                .memory
                .regions
                .iter()
                .filter(|((node, _), _)| class.is_none_or(|class| self.alias.find(*node) == class));
            let mut vars: Vec<ir::VarId> = of_class.flat_map(|(_, leaf)| leaf.variables()).collect();
            if class.is_none() {
                vars.extend(self.plain_globals());
            }
            vars.sort();
            regions.insert(mark, vars);
        }
        if regions.is_empty() {
            return;
        }
        for (_, procedure) in self.program.procs.iter_mut() {
            for instr in procedure.body.iter_mut().flat_map(|b| &mut b.instrs) {
                if let InstrKind::Stmt(ir::Stmt::Havoc(vars, _)) = &mut instr.kind
                    && let Some(more) = vars.first().and_then(|mark| regions.get(mark))
                {
                    vars.extend(more);
                }
            }
        }
    }

    /// Variables of the program that live outside functions and memory.
    fn plain_globals(&self) -> Vec<ir::VarId> {
        let is_global = |var: VarId| matches!(self.unit.vars[var].storage, Storage::Static { .. });
        let leaves = self.memory.plain.iter().filter(|((var, _), _)| is_global(*var)).map(|(_, leaf)| leaf);
        leaves.flat_map(|leaf| [Some(leaf.value), leaf.base]).flatten().collect()
    }

    /// Does a lowered function ignore some of its parameters? It may copy them to variables that it never reads.
    fn is_ignored(&mut self, func: FuncId, params: std::ops::Range<usize>) -> bool {
        let proc = self.proc_of(func);
        let procedure = &self.program.procs[proc];
        let (Some(body), Some(params)) = (&procedure.body, procedure.params.get(params)) else { return false };
        let mut watched: FxHashSet<TermId> = params.iter().map(|&p| self.program.term(p)).collect();
        let is_copy = |watched: &FxHashSet<TermId>, v: ir::VarId, t: TermId| {
            watched.contains(&t) && self.program.vars[v].kind != VarKind::Global
        };
        for instr in &body.instrs {
            if let InstrKind::Stmt(ir::Stmt::Assign(pairs)) = &instr.kind {
                for &(v, t) in pairs {
                    if is_copy(&watched, v, t) {
                        watched.insert(self.program.term(v));
                    }
                }
            }
        }
        let results: FxHashSet<TermId> = procedure.results.iter().map(|&r| self.program.term(r)).collect();
        if watched.iter().any(|t| results.contains(t)) {
            return false;
        }
        body.instrs.iter().filter(|i| i.note != ir::Note::Fact).all(|instr| {
            let read: Vec<TermId> = match &instr.kind {
                InstrKind::Stmt(ir::Stmt::Assign(pairs)) => {
                    pairs.iter().filter(|(v, t)| !is_copy(&watched, *v, *t)).map(|p| p.1).collect()
                }
                InstrKind::Stmt(ir::Stmt::Assume(t)) | InstrKind::Assert(t, _) => vec![*t],
                InstrKind::Call { args, .. } => args.clone(),
                InstrKind::Fork { id, args, .. } => id.iter().chain(args).copied().collect(),
                InstrKind::Join { id, .. } => id.clone(),
                InstrKind::Stmt(ir::Stmt::Havoc(..))
                | InstrKind::Label(_)
                | InstrKind::Goto(_)
                | InstrKind::Return
                | InstrKind::AtomicBegin
                | InstrKind::AtomicEnd => Vec::new(),
            };
            read.iter().all(|&t| !self.pool.free_constants(t).iter().any(|c| watched.contains(c)))
        })
    }

    /// Does anything run after the first function has returned?
    fn has_exit_handlers(&self) -> bool {
        self.mentioned.contains("atexit") || !destructors(self.unit).is_empty()
    }

    /// What happens before the program ends in order.
    fn run_exit_handlers(&mut self, span: Span) {
        if self.mentioned.contains("atexit")
            && let Some(handlers) = exit_handlers(self.unit)
        {
            let callee = self.proc_of(handlers);
            let args = self.self_argument().into_iter().collect();
            self.emit(InstrKind::Call { callee, args, results: Vec::new() }, span);
        }
        for func in destructors(self.unit) {
            if let Err(what) = self.call_hook(func) {
                self.give_up(&what);
            }
        }
    }

    /// Calls a constructor or a destructor.
    fn call_hook(&mut self, func: FuncId) -> R<()> {
        let span = self.unit.funcs[func].span;
        if !self.unit.funcs[func].params.is_empty() {
            return unsupported(span, "a constructor or destructor with parameters");
        }
        let callee = self.proc_of(func);
        let results = (0..self.program.procs[callee].results.len()).map(|_| self.number_temp()).collect();
        let args = self.self_argument().into_iter().collect();
        self.emit(InstrKind::Call { callee, args, results }, span);
        Ok(())
    }

    /// Is there memory from the heap?
    fn allocates(&self) -> bool {
        use crate::library::Model;
        let is_allocation = |model: Model| matches!(model, Model::Allocate | Model::AllocateZeroed | Model::Reallocate);
        self.mentioned.iter().any(|f| crate::library::find(f).is_some_and(|row| is_allocation(row.model)))
    }

    /// What must hold when the program ends; `returned` if `main` returned.
    fn program_end(&mut self, returned: bool, span: Span) -> R<()> {
        let tracked = self.mode.check_memcleanup || self.mode.check_lost_memory;
        if !tracked || !self.allocates() {
            self.jump(Vec::new(), span);
            return Ok(());
        }
        // No thread takes a step any more.
        self.begin_atomic(span);
        let n_live = self.ghost(Ghost::Live);
        let zero = self.num(0);
        let live = self.program.term(n_live);
        let none = self.pool.eq(live, zero);
        if self.mode.check_memcleanup {
            let message = "memory may not be freed at the end";
            let left = self.pool.not(none);
            match self.others_keep() {
                true => self.check_inexactly(none, Subproperty::ValidMemcleanup, message, span),
                false => self.report_block_left(left, Subproperty::ValidMemcleanup, message, span),
            }
        }
        if self.mode.check_lost_memory {
            self.check_lost_memory(returned, none, span)?;
        }
        self.jump(Vec::new(), span);
        Ok(())
    }

    /// Is live memory lost? When `main` has returned only objects with static storage can still lead to it.
    /// If none of their pointers points into the heap, everything alive is lost; if they point
    /// to as many blocks as are alive, nothing is. In between we do not know, nor while other threads run, whose
    /// variables lead to blocks.
    fn check_lost_memory(&mut self, returned: bool, none: TermId, span: Span) -> R<()> {
        let message = "memory may be lost at the end";
        let roots = if returned && !self.others_keep() { self.static_pointers(span)? } else { None };
        let is_alone = self.is_alone();
        let is_lost = match &roots {
            Some(roots) if roots.is_empty() => {
                let left = self.pool.not(none);
                let certainly_lost = self.pool.and2(left, is_alone);
                self.report_block_left(certainly_lost, Subproperty::ValidMemtrack, message, span);
                if is_alone == TermId::TRUE {
                    return Ok(());
                }
                left
            }
            Some(roots) => {
                let (alloc, live) = (self.alloc(), self.ghost(Ghost::Live));
                let (states, live) = (self.program.term(alloc), self.program.term(live));
                let (zero, one, two) = (self.num(0), self.num(1), self.num(2));
                let mut counted = Vec::new();
                let mut dead = Vec::new();
                for (i, &base) in roots.iter().enumerate() {
                    let state = self.pool.select(states, base);
                    let alive = self.pool.eq(state, two);
                    let mut is_new = vec![alive];
                    for &earlier in &roots[..i] {
                        let same = self.pool.eq(base, earlier);
                        is_new.push(self.pool.not(same));
                    }
                    let is_new = self.pool.and(&is_new);
                    counted.push(self.pool.ite(is_new, one, zero));
                    dead.push(self.pool.not(alive));
                }
                let count = self.sum(&counted);
                let all_kept = self.pool.eq(count, live);
                let no_root = self.pool.and(&dead);
                let lost = self.pool.not(none);
                let certainly_lost = self.pool.and(&[no_root, lost, is_alone]);
                self.report_block_left(certainly_lost, Subproperty::ValidMemtrack, message, span);
                let not_kept = self.pool.not(all_kept);
                self.pool.and2(lost, not_kept)
            }
            None => self.pool.not(none),
        };
        let end = self.branch_hidden(is_lost, span);
        let known = if returned { Vec::new() } else { self.visible_pointers(span)? };
        self.choose_block_left(&known, span);
        let what = "whether live memory is still reachable";
        let flag = self.number_temp();
        self.havoc(vec![flag], Nondet::Overapproximation(what.into()), span);
        self.note_imprecise(what, span);
        self.check_blocks(Subproperty::ValidMemtrack, message, span);
        self.jump(Vec::new(), span);
        self.otherwise_hidden(end, is_lost, span);
        Ok(())
    }

    /// A violation where the condition, which says that blocks are alive, is true.
    fn report_block_left(&mut self, condition: TermId, property: Subproperty, message: &str, span: Span) {
        let end = self.branch_hidden(condition, span);
        self.choose_block_left(&[], span);
        self.check_blocks(property, message, span);
        self.jump(Vec::new(), span);
        self.otherwise_hidden(end, condition, span);
    }

    /// A violation by the blocks that are alive.
    fn check_blocks(&mut self, property: Subproperty, message: &str, span: Span) {
        let live = self.ghost(Ghost::Live);
        let subject = Subject::Blocks { live: self.program.term(live) };
        self.check_about(TermId::FALSE, property, message.into(), subject, span);
    }

    /// If the number of blocks that are alive is not 0, there is one. Naming it adds nothing to that, but lets a proof
    /// say that there is none instead of counting. It is none of those that are `known` not to be lost. Schedules of
    /// threads are searched state by state, with few values for each choice.
    fn choose_block_left(&mut self, known: &[TermId], span: Span) {
        if !self.mode.check_memsafety || self.threads.concurrent {
            return;
        }
        let alloc = self.alloc();
        let states = self.program.term(alloc);
        let block = self.number_temp();
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Havoc(vec![block], Nondet::Choice)), span);
        let block = self.program.term(block);
        let (state, two) = (self.pool.select(states, block), self.num(2));
        let mut conjuncts = vec![self.pool.eq(state, two)];
        for &base in known {
            let same = self.pool.eq(block, base);
            conjuncts.push(self.pool.not(same));
        }
        let is_left = self.pool.and(&conjuncts);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(is_left)), span);
    }

    /// The bases of pointers in objects that are alive where the program ends before `main` returns: some of those with
    /// static storage, and of those in scope.
    fn visible_pointers(&mut self, span: Span) -> R<Vec<TermId>> {
        const MAX_POINTERS: usize = 8;
        if !self.mode.check_memsafety || self.threads.concurrent {
            return Ok(Vec::new());
        }
        let mut bases = self.static_pointers(span)?.unwrap_or_default();
        let parameters = self.unit.funcs[self.alias.current].params.iter().copied();
        let declared = self.f.scopes.iter().flat_map(|scope| scope.declared.iter().copied());
        let variables: Vec<VarId> = parameters.chain(declared).collect();
        for var in variables {
            let ty = self.unit.vars[var].ty;
            if bases.len() >= MAX_POINTERS || !self.holds_pointer(ty.id) || self.holders.pointer_in(var).is_some() {
                continue;
            }
            let Ok(scalars) = self.scalars(ty.id) else { continue };
            for (path, scalar, _) in scalars.into_iter().filter(|(path, ..)| path.len() <= 1) {
                if self.unit.types.is_pointer(scalar.id) {
                    let loc = self.var_loc(var, span)?;
                    let (loc, scalar) = self.walk_path(loc, ty, &path, span)?;
                    let checked = std::mem::replace(&mut self.context.unchecked_access, true);
                    let value = self.load(&loc, scalar, span);
                    self.context.unchecked_access = checked;
                    if let Val::Ptr(PtrVal { base: Some(base), .. }) = value? {
                        bases.push(base);
                    }
                }
            }
        }
        bases.truncate(MAX_POINTERS);
        Ok(bases)
    }

    /// The bases of all pointers in objects with static storage; `None` if they cannot be listed.
    fn static_pointers(&mut self, span: Span) -> R<Option<Vec<TermId>>> {
        const MAX_ROOTS: usize = 6;
        let mut roots = Vec::new();
        for &var in &self.unit.statics {
            let data = &self.unit.vars[var];
            let in_memory = self.in_memory(var);
            let is_used = if in_memory {
                self.memory.var_addresses.contains_key(&var)
            } else {
                self.memory.plain.keys().any(|(v, _)| *v == var)
            };
            if data.is_string || !is_used || !self.holds_pointer(data.ty.id) {
                continue;
            }
            let Ok(scalars) = self.scalars(data.ty.id) else { return Ok(None) };
            for (path, ty, _) in scalars {
                if self.unit.types.is_pointer(ty.id) {
                    if roots.len() >= MAX_ROOTS {
                        return Ok(None);
                    }
                    let loc = self.var_loc(var, span)?;
                    let (loc, ty) = self.walk_path(loc, data.ty, &path, span)?;
                    let checked = std::mem::replace(&mut self.context.unchecked_access, true);
                    let value = self.load(&loc, ty, span);
                    self.context.unchecked_access = checked;
                    match value? {
                        Val::Ptr(PtrVal { base: Some(base), .. }) => roots.push(base),
                        _ => return Ok(None),
                    }
                } else if self.holds_pointer(ty.id) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(roots))
    }

    fn holds_pointer(&self, ty: TypeId) -> bool {
        match self.unit.types.get(ty) {
            Type::Pointer(p) => !self.unit.types.is_function(p.id),
            Type::Array(elem, _) => self.holds_pointer(elem.id),
            Type::Record(_) => {
                self.unit.types.fields(ty).is_some_and(|f| f.iter().any(|f| self.holds_pointer(f.ty.id)))
            }
            // Where `int` is as wide as a pointer it is the type of most other numbers as well.
            Type::Int(kind) => {
                self.unit.types.int_size(*kind) >= self.unit.types.pointer_size()
                    && (kind.rank() >= 4 || self.holders.makes_numbers)
            }
            Type::Void | Type::Float(_) | Type::Function(_) | Type::VaList => false,
        }
    }

    /// What depends on all addresses being known: the start of the heap, the first values of memory.
    fn finish_start(&mut self) {
        let mut first = Vec::new();
        if let Some(&heap_top) = self.memory.ghosts.get(&Ghost::HeapTop) {
            let address = (self.memory.next_address / 0x10000 + 1) * 0x10000;
            let term = self.num(address);
            first.push((heap_top, term));
            first.extend(self.memory.ghosts.get(&Ghost::HeapStart).map(|&start| (start, term)));
        } else if let Some(&start) = self.memory.ghosts.get(&Ghost::HeapStart) {
            let end = self.num(self.memory.next_address);
            first.push((start, end));
        }
        let ghosts = [Ghost::Live, Ghost::Rounding].into_iter().chain(deadlocks::NUMBERS);
        let ghosts: Vec<_> = ghosts.map(|ghost| self.memory.ghosts.get(&ghost).copied()).collect();
        for counter in ghosts.into_iter().chain([self.segment]).flatten() {
            let zero = self.num(0);
            first.push((counter, zero));
        }
        let mut scalars: Vec<ir::VarId> =
            self.threads.lock_variables.values().copied().chain(self.threads.thread_counter).collect();
        scalars.sort_unstable();
        for var in scalars {
            let zero = self.num(0);
            first.push((var, zero));
        }
        let outside: Vec<(i128, i128)> = self.memory.outside_objects.values().copied().collect();
        use threads::LockPart;
        let locks = LockPart::ALL.map(Ghost::Locks);
        let zeroed = [&[Ghost::Alive, Ghost::Ended, Ghost::Joined][..], &locks].concat();
        for alloc in zeroed.iter().filter_map(|g| self.memory.ghosts.get(g).copied()).collect::<Vec<_>>() {
            let sort = self.program.vars[alloc].sort;
            let zero = self.num(0);
            let mut none = self.pool.const_array(sort, zero);
            if self.memory.ghosts.get(&Ghost::Alive) == Some(&alloc) {
                for start in outside.iter().map(|o| o.0) {
                    let (start, state) = (self.num(start), self.num(memory::OUTSIDE_OBJECT));
                    none = self.pool.store(none, start, state);
                }
            }
            first.push((alloc, none));
        }
        if let (Some(&sizes), false) = (self.memory.ghosts.get(&Ghost::Size), outside.is_empty()) {
            let mut term = self.program.term(sizes);
            for (start, size) in outside {
                let (start, size) = (self.num(start), self.num(size));
                term = self.pool.store(term, start, size);
            }
            first.push((sizes, term));
        }
        for (node, _, leaf) in self.memory.region_list.clone() {
            if let Some(init) = leaf.init {
                let unset = self.init_term(init, initialised::UNSET);
                first.push((init, unset));
            }
            if !self.alias.is_dynamic(node) {
                for var in [Some(leaf.value), leaf.base].into_iter().flatten() {
                    let sort = self.program.vars[var].sort;
                    let zero = self.num(0);
                    let zeros = self.pool.const_array(sort, zero);
                    first.push((var, zeros));
                }
            }
        }
        if !first.is_empty() {
            let instr =
                ir::Instr { kind: InstrKind::Stmt(ir::Stmt::Assign(first)), span: Span::NONE, note: Note::Hidden };
            self.f.body.instrs.insert(0, instr);
        }
    }

    /// The procedure of a function with a body; lowered later if it is new.
    fn proc_of(&mut self, func: FuncId) -> ProcId {
        if let Some(&proc) = self.procs.get(&func) {
            return proc;
        }
        let function = &self.unit.funcs[func];
        let mut procedure = empty_procedure(&function.name);
        procedure.span = function.span;
        let proc = self.program.procs.push(procedure);
        self.procs.insert(func, proc);
        let mut params = Vec::new();
        for &param in &function.params {
            let var = &self.unit.vars[param];
            let scalars = self.scalars(var.ty.id).unwrap_or_default();
            for (path, ty, _) in scalars {
                let mut name = var.name.to_string();
                if !path.is_empty() {
                    name.push_str(&self.path_text(var.ty.id, &path));
                }
                let id = self.program.add_var(self.pool, &name, self.word.sort, VarKind::Param(proc), var.span);
                params.push(id);
                if let Some(kind) = self.unit.types.int_kind(ty.id).filter(|&k| !self.unit.types.is_wide(k)) {
                    self.ranges.values.insert(id, self.unit.types.int_range(kind));
                }
                if self.needs_base(ty.id) {
                    params.push(self.add_base(id));
                }
            }
        }
        let ret = self.unit.types.function(function.ty).map(|f| f.ret.id).unwrap_or(TypeId::VOID);
        let mut results = Vec::new();
        if ret != TypeId::VOID {
            for (_, ty, _) in self.scalars(ret).unwrap_or_default() {
                let kind = VarKind::Result(proc);
                let id = self.program.add_var(self.pool, "\\result", self.word.sort, kind, Span::NONE);
                results.push(id);
                if self.needs_base(ty.id) {
                    results.push(self.add_base(id));
                }
            }
        }
        if self.threads.needs_self {
            let id = self.program.add_var(self.pool, "#self", self.word.sort, VarKind::Param(proc), Span::NONE);
            self.threads.self_params.insert(proc, id);
            params.push(id);
        }
        if self.is_variadic(function.ty) {
            let kind = VarKind::Param(proc);
            params.push(self.program.add_var(self.pool, "#arguments", self.word.sort, kind, Span::NONE));
        }
        self.program.procs[proc].params = params;
        self.program.procs[proc].results = results;
        self.pending_funcs.push(func);
        proc
    }

    fn lower_function(&mut self, func: FuncId) {
        let unit = self.unit;
        let function = &unit.funcs[func];
        let proc = self.proc_of(func);
        self.f = FunctionState::new(proc, function.span);
        self.f.results = self.program.procs[proc].results.clone();
        self.f.moves_bytes = function.is_library && &*function.name == "qsort";
        if self.is_variadic(function.ty) {
            self.f.arguments = self.program.procs[proc].params.last().copied();
        }
        self.alias.current = func;
        let span = function.span;
        let Some(body) = &function.body else {
            let what = match &function.broken {
                Some((span, message)) => Unsupported { kind: RemarkKind::Other, span: *span, what: message.clone() },
                None => Unsupported { kind: RemarkKind::Other, span, what: format!("{} has no body", function.name) },
            };
            self.give_up(&what);
            self.finish_function(proc);
            return;
        };
        self.f.has_labels = self.reach.label_owners.values().any(|&owner| owner == func);
        if let Err(what) = self.bind_params(func) {
            self.give_up(&what);
        }
        // A scope above that of the parameters: a return ends what was declared before it, and no more.
        self.open_scope();
        if let Err(what) = self.begin_objects(body, span) {
            self.give_up(&what);
        }
        self.stmts(body);
        self.close_scope(function.end);
        // Falling off the end: `main` returns 0, others an arbitrary value.
        let results = self.f.results.clone();
        if &*function.name == "main" {
            if let Some(&result) = results.first() {
                let zero = self.num(0);
                self.assign(result, zero, function.end);
            }
        } else if !results.is_empty() {
            self.havoc(results, Nondet::Choice, function.end);
        }
        self.end_function(func, function.end);
        self.finish_function(proc);
    }

    /// A statement that was given up half-way leaves jumps to labels which it did not come to place: such paths end.
    fn end_abandoned_paths(body: &mut Body) {
        let mut open: BTreeSet<ir::LabelId> = BTreeSet::new();
        for instr in &body.instrs {
            if let InstrKind::Goto(targets) = &instr.kind {
                open.extend(targets);
            }
        }
        for instr in &body.instrs {
            if let InstrKind::Label(label) = &instr.kind {
                open.remove(label);
            }
        }
        if open.is_empty() {
            return;
        }
        let falls_off = body.new_label();
        body.goto(vec![falls_off], Span::NONE);
        for label in open {
            body.label(label, Span::NONE);
            body.goto(Vec::new(), Span::NONE);
        }
        body.label(falls_off, Span::NONE);
    }

    fn finish_function(&mut self, proc: ProcId) {
        self.begin_uninitialised();
        let mut body = std::mem::take(&mut self.f.body);
        Self::end_abandoned_paths(&mut body);
        let locals = std::mem::take(&mut self.f.locals);
        let procedure = &mut self.program.procs[proc];
        procedure.body = Some(body);
        procedure.locals = locals;
    }

    /// Moves the arguments into the parameters' own places.
    fn bind_params(&mut self, func: FuncId) -> R<()> {
        let unit = self.unit;
        let span = unit.funcs[func].span;
        let ir_params = self.program.procs[self.f.proc].params.clone();
        let mut next = 0;
        for &param in &unit.funcs[func].params {
            let ty = unit.vars[param].ty;
            let scalars = self.scalars(ty.id)?;
            let in_memory = self.in_memory(param);
            if in_memory {
                self.allocate_local(param, span)?;
            }
            let is_plain_scalar = !in_memory && scalars.len() == 1 && scalars[0].0.is_empty();
            if is_plain_scalar && !self.reach.assigned.contains(&param) {
                let value = ir_params[next];
                let base = self.needs_base(ty.id).then(|| ir_params[next + 1]);
                next += 1 + base.is_some() as usize;
                self.memory.plain.insert((param, Vec::new()), Leaf { value, base, init: None });
                self.state_leaf_range(value, ty.id, span);
                continue;
            }
            for (path, leaf_ty, _) in scalars {
                let term = self.program.term(ir_params[next]);
                next += 1;
                let base = self.needs_base(leaf_ty.id).then(|| {
                    next += 1;
                    self.program.term(ir_params[next - 1])
                });
                let value = self.value_from_terms(leaf_ty.id, term, base);
                self.state_leaf_range(ir_params[next - 1 - base.is_some() as usize], leaf_ty.id, span);
                let loc = self.var_loc(param, span)?;
                let loc = self.walk_path(loc, ty, &path, span)?;
                self.store(&loc.0, loc.1, &value, span)?;
            }
        }
        Ok(())
    }

    /// Arguments and results always lie in their types' ranges; saying so lets a procedure be proved on its own.
    fn state_leaf_range(&mut self, var: ir::VarId, ty: TypeId, span: Span) {
        if let Some(kind) = self.unit.types.int_kind(ty) {
            let fact = self.leaf_range(var, kind);
            self.state_range(fact, kind, span);
        }
    }

    /// Any value that a variable may be given lies in the range of its type.
    fn assume_leaf_range(&mut self, var: ir::VarId, ty: TypeId, span: Span) {
        if let Some(kind) = self.unit.types.int_kind(ty) {
            let fact = self.leaf_range(var, kind);
            self.assume_fact(fact, span);
        }
    }

    fn leaf_range(&mut self, var: ir::VarId, kind: crate::types::IntKind) -> TermId {
        let term = self.program.term(var);
        self.in_type_range(term, kind)
    }

    /// A value of a type lies in the range of the type.
    fn state_range(&mut self, fact: TermId, kind: crate::types::IntKind, span: Span) {
        let can_overflow = kind.is_signed() && self.unit.types.int_bits(kind) >= 32;
        if self.mode.check_signed_ranges && can_overflow {
            self.check(fact, Subproperty::NoOverflow, format!("a value of type {} is out of range", kind.name()), span);
        } else {
            self.assume_fact(fact, span);
        }
    }

    /// Which globals a call of each procedure may change.
    fn compute_modifies(&mut self) {
        let n = self.program.procs.len();
        let mut direct: Vec<std::collections::BTreeSet<ir::VarId>> = vec![Default::default(); n];
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); n];
        let is_global = |vars: &IdVec<ir::VarId, ir::Variable>, v: ir::VarId| vars[v].kind == VarKind::Global;
        for (id, procedure) in self.program.procs.iter() {
            let p = base::Id::index(id);
            let Some(body) = &procedure.body else { continue };
            for instr in &body.instrs {
                let written: Vec<ir::VarId> = match &instr.kind {
                    InstrKind::Stmt(ir::Stmt::Assign(list)) => list.iter().map(|&(v, _)| v).collect(),
                    InstrKind::Stmt(ir::Stmt::Havoc(list, _)) => list.clone(),
                    InstrKind::Call { callee, results, .. } => {
                        callees[p].push(base::Id::index(*callee));
                        results.clone()
                    }
                    InstrKind::Fork { callee, .. } => {
                        callees[p].push(base::Id::index(*callee));
                        Vec::new()
                    }
                    InstrKind::Join { results, .. } => results.clone(),
                    InstrKind::Stmt(ir::Stmt::Assume(_))
                    | InstrKind::Label(_)
                    | InstrKind::Goto(_)
                    | InstrKind::Assert(..)
                    | InstrKind::Return
                    | InstrKind::AtomicBegin
                    | InstrKind::AtomicEnd => Vec::new(),
                };
                direct[p].extend(written.into_iter().filter(|&v| is_global(&self.program.vars, v)));
            }
        }
        loop {
            let mut changed = false;
            for p in 0..n {
                for &callee in &callees[p].clone() {
                    if callee == p {
                        continue;
                    }
                    let more: Vec<ir::VarId> = direct[callee].difference(&direct[p]).copied().collect();
                    changed |= !more.is_empty();
                    direct[p].extend(more);
                }
            }
            if !changed {
                break;
            }
        }
        for (p, set) in direct.into_iter().enumerate() {
            self.program.procs[base::Id::from_index(p)].modifies = set.into_iter().collect();
        }
    }
}
