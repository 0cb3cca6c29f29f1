//! Typed programs: procedures, variables, contracts, and bodies of instructions.
//!
//! Meaning of a body: control starts at the first instruction and falls through; `Goto` picks one
//! of its labels nondeterministically, an `Assume` that is false ends the execution without a
//! verdict, falling off the end is `Return`. All expressions are total terms (division by zero is
//! an unknown function of the dividend: front ends that want otherwise assert or assume it away).

use base::{IdVec, Span};
use logic::{SortId, TermId, TermPool};
use std::sync::Arc;

base::define_id!(
    /// A variable of a [`Program`] (or of an [`Icfg`](crate::Icfg) made from it).
    VarId, "v";
    ProcId, "p";
    /// A jump target, local to one body.
    LabelId, "L"
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    Global,
    /// The value a global had when the present activation of a procedure began.
    Old(VarId),
    Param(ProcId),
    Result(ProcId),
    Local(ProcId),
}

/// What a variable means to the front end or the pass that made it. Decisions are made by this, never by names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum VarRole {
    /// A variable of the program, or one without a special meaning.
    #[default]
    Plain,
    /// Holds a value within one expression.
    Temporary,
    /// Counts the addresses given out: fresh memory is what it skips.
    AddressCounter,
    /// The array with the state of every object by its start address ([`crate::source::HEAP_BLOCK`]).
    BlockStates,
    /// The array with the size of every object by its start address.
    BlockSizes,
    /// Where the object starts that the pointer in this variable points into; of an array, the same for its elements.
    BaseOf(VarId),
    /// The address of a local object that is allocated whenever its block is entered.
    AddressOfLocal,
    /// The segment of a violation witness that an execution is in.
    WitnessSegment,
    /// Where a linked procedure returns to ([`crate::linking`]).
    ReturnAddress,
    /// The state of a lock, or of all locks by their addresses: not zero while a thread has it.
    Lock,
    /// Changes whenever a shared location is accessed: a check that it did not finds data races.
    AccessMark,
    /// Whom the last of the threads that wait for each other waits for, as its number plus one. Threads that stay where
    /// they wait write it.
    WaitsFor,
}

impl VarRole {
    /// The role of a copy of the variable, where `copy` says what the copy of another variable is.
    pub fn copied(self, copy: impl Fn(VarId) -> Option<VarId>) -> VarRole {
        match self {
            VarRole::BaseOf(of) => copy(of).map_or(VarRole::Temporary, VarRole::BaseOf),
            VarRole::Plain
            | VarRole::Temporary
            | VarRole::AddressCounter
            | VarRole::BlockStates
            | VarRole::BlockSizes
            | VarRole::AddressOfLocal
            | VarRole::WitnessSegment
            | VarRole::ReturnAddress
            | VarRole::Lock
            | VarRole::AccessMark
            | VarRole::WaitsFor => self,
        }
    }
}

/// A variable. Its `term` is a 0-ary symbol that belongs to this variable alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub sort: SortId,
    pub term: TermId,
    pub kind: VarKind,
    pub role: VarRole,
    /// Where the user declared it; [`Span::NONE`] for temporaries, which are not shown to users.
    pub span: Span,
}

/// The name of the input whose values are the bytes that functions of the library read; -1 is the end.
pub const STANDARD_INPUT: &str = "standard input";

/// Where the value of a havoc comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Nondet {
    /// A choice the program text makes: `havoc`, an uninitialised variable.
    Choice,
    /// The result of an input function of the user's program, e.g. `__VERIFIER_nondet_int`.
    Input(String),
    /// What `scanf` read from outside into an object, with the conversion: `d`, `lu`, `c`.
    Read(String),
    /// The front end could not model these values exactly and allows more than can occur. An execution shows nothing if
    /// what it does depends on them (`exec::fidelity`). The text says what was not modelled.
    Inexact(String),
    /// The front end could not model what happens here. An execution that comes here shows nothing. The text says what
    /// was not modelled.
    Overapproximation(String),
}

impl Nondet {
    /// What was not modelled exactly.
    pub fn not_modelled(&self) -> Option<&str> {
        match self {
            Nondet::Inexact(what) | Nondet::Overapproximation(what) => Some(what),
            Nondet::Choice | Nondet::Input(_) | Nondet::Read(_) => None,
        }
    }
}

/// Statements without control flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// All right sides are evaluated before any left side changes; left sides are distinct.
    Assign(Vec<(VarId, TermId)>),
    Assume(TermId),
    /// The variables get any values of their sorts.
    Havoc(Vec<VarId>, Nondet),
}

/// A property of a program's single steps, or a part of such a property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subproperty {
    UnreachCall,
    NoOverflow,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    ValidMemcleanup,
    NoDataRace,
    NoDeadlock,
    NoDivisionByZero,
    NoInvalidShift,
    NoUninitialisedRead,
    NoNullDereference,
    /// A function is called as its contract requires, and does what it promises.
    Contract,
    /// Not of the program: arithmetic does not wrap around, so that it is plain arithmetic.
    NoWrap,
    /// Not of the program: an invariant of a witness holds.
    WitnessInvariant,
    /// Not of the program: an expression of a witness has a meaning.
    WitnessDefined,
    /// Not of the program: there are no more threads than a product has room for.
    ThreadCount,
    /// Not of the program: threads are only at places that were expected.
    ThreadPlaces,
}

impl Subproperty {
    pub const ALL: [Subproperty; 18] = [
        Subproperty::UnreachCall,
        Subproperty::NoOverflow,
        Subproperty::ValidDeref,
        Subproperty::ValidFree,
        Subproperty::ValidMemtrack,
        Subproperty::ValidMemcleanup,
        Subproperty::NoDataRace,
        Subproperty::NoDeadlock,
        Subproperty::NoDivisionByZero,
        Subproperty::NoInvalidShift,
        Subproperty::NoUninitialisedRead,
        Subproperty::NoNullDereference,
        Subproperty::Contract,
        Subproperty::NoWrap,
        Subproperty::WitnessInvariant,
        Subproperty::WitnessDefined,
        Subproperty::ThreadCount,
        Subproperty::ThreadPlaces,
    ];
    /// As SV-COMP names it, if it does; in results.
    pub fn name(self) -> &'static str {
        match self {
            Subproperty::UnreachCall => "unreach-call",
            Subproperty::NoOverflow => "no-overflow",
            Subproperty::ValidDeref => "valid-deref",
            Subproperty::ValidFree => "valid-free",
            Subproperty::ValidMemtrack => "valid-memtrack",
            Subproperty::ValidMemcleanup => "valid-memcleanup",
            Subproperty::NoDataRace => "no-data-race",
            Subproperty::NoDeadlock => "no-deadlock",
            Subproperty::NoDivisionByZero => "no-division-by-zero",
            Subproperty::NoInvalidShift => "no-invalid-shift",
            Subproperty::NoUninitialisedRead => "no-uninitialised-read",
            Subproperty::NoNullDereference => "no-null-dereference",
            Subproperty::Contract => "contract",
            Subproperty::NoWrap => "no-wrap",
            Subproperty::WitnessInvariant => "witness-invariant",
            Subproperty::WitnessDefined => "witness-defined",
            Subproperty::ThreadCount => "number of threads",
            Subproperty::ThreadPlaces => "reached places of threads",
        }
    }
    pub fn by_name(name: &str) -> Option<Subproperty> {
        Subproperty::ALL.into_iter().find(|s| s.name() == name)
    }
}

impl std::fmt::Display for Subproperty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A thing to verify: reaching the error location of a failed check is a violation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Check {
    /// The property or the part of one that it belongs to.
    pub property: Subproperty,
    /// For people: `assertion x > 0 may fail`, `postcondition of foo may not hold`.
    pub message: String,
    pub span: Span,
    /// What it is about, if a failure can be explained by the values that caused it.
    pub subject: Option<Arc<Subject>>,
}

impl Check {
    pub fn new(property: Subproperty, message: impl Into<String>, span: Span) -> Check {
        Check { property, message: message.into(), span, subject: None }
    }
    pub fn about(self, subject: Subject) -> Check {
        Check { subject: Some(Arc::new(subject)), ..self }
    }
    /// A precondition of a procedure, where it is called or forked.
    pub fn precondition(procedure: &str, what: &str, span: Span) -> Check {
        Check::claim(Subproperty::UnreachCall, &format!("at this {what} a precondition of {procedure}"), span)
    }
    /// A formula that the program claims: `assertion x > 0`.
    pub fn claim(property: Subproperty, what: &str, span: Span) -> Check {
        let failed = format!("{what} does not hold");
        Check::new(property, format!("{what} may not hold"), span).about(Subject::Claim { failed })
    }
}

/// What a check is about. The terms are over the variables in scope where the check stands in the program; passes that
/// copy variables leave them as they are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A formula that the program claims; a failure is reported with this text.
    Claim { failed: String },
    /// An assertion whose condition is the first argument of the call.
    Assertion,
    /// An error function, which must not be called.
    ErrorFunction(String),
    /// An operation whose exact result has to be a value of a type.
    Arithmetic { operation: Operation, operands: Vec<TermId>, type_name: String, range: (i128, i128) },
    /// A shift whose amount has to be less than the width.
    ShiftAmount { amount: TermId, width: u32 },
    /// An access of this size in bytes, through a pointer to the object that starts at `base`.
    Access { address: TermId, base: TermId, size: TermId },
    /// Writing to the object that starts at `base`.
    Constant { address: TermId, base: TermId },
    /// An index of an array with this number of elements.
    Index { index: TermId, length: TermId },
    /// `free` of a pointer to the object that starts at `base`.
    Free { address: TermId, base: TermId },
    /// Blocks of the heap at the end; the term counts those that are alive.
    Blocks { live: TermId },
    /// Copying between objects that must not overlap.
    Copy { to: TermId, from: TermId, size: TermId },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    Negation,
    Addition,
    Subtraction,
    Multiplication,
    Division,
    Remainder,
    LeftShift,
}

impl Operation {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Negation => "negation",
            Operation::Addition => "addition",
            Operation::Subtraction => "subtraction",
            Operation::Multiplication => "multiplication",
            Operation::Division => "division",
            Operation::Remainder => "the quotient of a remainder",
            Operation::LeftShift => "left shift",
        }
    }
    /// Its operator in C.
    pub fn symbol(self) -> &'static str {
        match self {
            Operation::Negation | Operation::Subtraction => "-",
            Operation::Addition => "+",
            Operation::Multiplication => "*",
            Operation::Division => "/",
            Operation::Remainder => "%",
            Operation::LeftShift => "<<",
        }
    }
}

/// What a step means in the source, for traces and witnesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Note {
    #[default]
    None,
    /// The condition at this span was taken with this outcome (if, while, for, switch, `?:`, `&&`).
    Branch(bool),
    /// Bookkeeping of the front end; not shown.
    Hidden,
    /// An assumption that holds in every execution, once what was chosen just before is a legal choice; not shown.
    Fact,
    /// The state after this step is observed by temporal properties: a step that the program marks itself, or the
    /// repetition of the last state of an execution that has ended.
    Step,
    /// The value that is assigned is the number of an address, which depends on where objects lie; not shown.
    Layout,
    /// Something happens that a temporal property speaks about: the event of this number in [`Program::events`].
    Mark(u32),
}

/// Something that happens in a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventKind {
    /// A function without a body is called.
    Call,
    /// It returns.
    Return,
    /// Control arrives at a label.
    At,
}

/// Something that happens in a step, by the name of the function or label.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub name: String,
}

impl Note {
    pub fn is_hidden(self) -> bool {
        matches!(self, Note::Hidden | Note::Fact | Note::Layout | Note::Mark(_))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InstrKind {
    Label(LabelId),
    /// Jump to any of these labels (none: the execution ends here, e.g. after `abort`).
    Goto(Vec<LabelId>),
    Stmt(Stmt),
    /// Continues if the condition holds, violates the check if not.
    Assert(TermId, Check),
    /// The result variables are distinct. The callee's `requires` are asserted before (with a check
    /// at this span), its `ensures` hold after.
    Call {
        callee: ProcId,
        args: Vec<TermId>,
        results: Vec<VarId>,
    },
    Return,
    /// Starts a thread that runs a procedure; the id terms name it for `Join`.
    Fork {
        id: Vec<TermId>,
        callee: ProcId,
        args: Vec<TermId>,
    },
    Join {
        id: Vec<TermId>,
        results: Vec<VarId>,
    },
    AtomicBegin,
    AtomicEnd,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instr {
    pub kind: InstrKind,
    pub span: Span,
    pub note: Note,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    pub instrs: Vec<Instr>,
    pub n_labels: u32,
}

impl Body {
    pub fn new_label(&mut self) -> LabelId {
        self.n_labels += 1;
        LabelId(self.n_labels - 1)
    }
    pub fn push(&mut self, kind: InstrKind, span: Span) {
        self.push_noted(kind, span, Note::None);
    }
    pub fn push_noted(&mut self, kind: InstrKind, span: Span, note: Note) {
        self.instrs.push(Instr { kind, span, note });
    }
    pub fn stmt(&mut self, stmt: Stmt, span: Span) {
        self.push(InstrKind::Stmt(stmt), span);
    }
    pub fn label(&mut self, label: LabelId, span: Span) {
        self.push_noted(InstrKind::Label(label), span, Note::Hidden);
    }
    pub fn goto(&mut self, targets: Vec<LabelId>, span: Span) {
        self.push_noted(InstrKind::Goto(targets), span, Note::Hidden);
    }
}

/// A clause of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    pub formula: TermId,
    /// Assumed where it may be used, but never a proof obligation.
    pub free: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    pub name: String,
    pub span: Span,
    pub params: Vec<VarId>,
    pub results: Vec<VarId>,
    pub locals: Vec<VarId>,
    /// Globals that a call may change, callees included.
    pub modifies: Vec<VarId>,
    /// Over globals and parameters.
    pub requires: Vec<Spec>,
    /// Over globals, their `Old` variables, parameters (never assigned) and results.
    pub ensures: Vec<Spec>,
    /// Without a body a call havocs `modifies` and the results and assumes `ensures`.
    pub body: Option<Body>,
}

/// The kind of a remark, where a decision depends on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RemarkKind {
    /// What the message says.
    #[default]
    Other,
    /// Threads are not modelled in this translation.
    Threads,
    /// The numerical value of an address matters.
    AddressNumber,
    /// The front end contradicts itself here: a bug in Craig.
    Internal,
}

/// A remark of the front end about the faithfulness of its translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    pub kind: RemarkKind,
    pub span: Span,
    pub message: String,
}

/// What could not be modelled exactly. With `unsound` remarks *holds* becomes *unknown*. `imprecise`
/// remarks are for the report only: the statements concerned are [`Nondet::Inexact`] or [`Nondet::Overapproximation`],
/// and a counterexample that depends on one becomes *unknown*.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fidelity {
    pub unsound: Vec<Remark>,
    pub imprecise: Vec<Remark>,
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    pub vars: IdVec<VarId, Variable>,
    pub globals: Vec<VarId>,
    pub procs: IdVec<ProcId, Procedure>,
    /// Facts about uninterpreted symbols and constants, true in every state.
    pub axioms: Vec<TermId>,
    /// What holds of the globals when an entry procedure starts (where-clauses, C initialisers are
    /// statements instead). Over globals.
    pub initially: Vec<TermId>,
    /// Where executions start: at any of these, with any parameters that satisfy its `requires`.
    pub entries: Vec<ProcId>,
    /// How the entry points were chosen, for the output: "entry point: main".
    pub entry_note: String,
    pub fidelity: Fidelity,
    /// Assumptions about the outside that the report lists ("extern function foo: any result").
    pub assumptions: Vec<Remark>,
    /// What its parts are in the source language.
    pub source: crate::source::SourceTable,
    /// What a temporal property observes.
    pub observations: Option<Observations>,
    /// What steps with [`Note::Mark`] stand for.
    pub events: Vec<Event>,
    /// The labels of the source, if the front end provides them.
    pub label_names: Vec<String>,
}

/// What a temporal property observes of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observations {
    /// The truth of each proposition, over globals and the variables of `entry`.
    pub propositions: Vec<Observed>,
    /// Executions are observed from the start of this procedure on.
    pub entry: ProcId,
    /// The program marks its steps itself ([`Note::Step`]).
    pub has_marked_steps: bool,
}

/// A proposition about the present state or the last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    State(TermId),
    /// The step enters the procedure.
    Call(ProcId),
    /// The step leaves it.
    Return(ProcId),
    /// The step is the event of this number ([`Note::Mark`]).
    Mark(u32),
}

impl Program {
    pub fn new() -> Program {
        Program::default()
    }
    /// Adds a variable with a symbol of its own. The symbol carries the variable's name where that
    /// is still free, else a numbered one.
    pub fn add_var(&mut self, pool: &mut TermPool, name: &str, sort: SortId, kind: VarKind, span: Span) -> VarId {
        let term = pool.fresh_constant(name, sort);
        let id = self.vars.push(Variable { name: name.to_string(), sort, term, kind, role: VarRole::Plain, span });
        if kind == VarKind::Global {
            self.globals.push(id);
        }
        id
    }
    /// The `old(g)` variable of a global, made on first use.
    pub fn old_var(&mut self, pool: &mut TermPool, global: VarId) -> VarId {
        if let Some((id, _)) = self.vars.iter().find(|(_, v)| v.kind == VarKind::Old(global)) {
            return id;
        }
        let (name, sort, span) = {
            let g = &self.vars[global];
            (format!("old({})", g.name), g.sort, g.span)
        };
        self.add_var(pool, &name, sort, VarKind::Old(global), span)
    }
    pub fn term(&self, var: VarId) -> TermId {
        self.vars[var].term
    }
    pub fn has_threads(&self) -> bool {
        let forks = |body: &Body| body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Fork { .. }));
        self.procs.values().filter_map(|p| p.body.as_ref()).any(forks)
    }
}
