//! The facts that an answer provides about a program, stored as candidates for the next version.
//!
//! Facts are data only. They name functions, positions in functions ([`crate::shape`]), chains of calls and variables,
//! never ids of a graph, and hold formulas as SMT-LIB text in which `$vk` is the k-th of [`Facts::variables`] and `$gk`
//! the k-th ghost of a ranking module. Nothing that is read from such a document is trusted: a wrong fact only costs
//! time.
//!
//! The document is versioned JSON with sorted keys and without dates ([`Facts::to_json`]), so that it can be committed.

use ir::ModuleMode;
use report::Answer;
use serde::{Deserialize, Serialize};

/// The format's name and version; documents of another one are not used.
pub const FORMAT: &str = "craig-facts";
pub const VERSION: u32 = 1;

/// What was asked, as far as facts depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Mode {
    pub property: String,
    pub data_model: String,
    pub integers: String,
    pub entry: String,
}

/// The facts of one program and one question.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    pub format: String,
    pub version: u32,
    pub program: String,
    pub mode: Mode,
    pub result: Answer,
    pub engine: String,
    /// About how long the answer took: a power of two, so that the document does not change from run to run.
    pub milliseconds: u64,
    /// The translation that the evidence is about, by its name.
    pub translation: String,
    /// The functions as they are written, in the order of the program: what versions are compared by.
    pub outline: Vec<Outline>,
    /// The functions of the graph that the evidence is about.
    pub functions: Vec<Function>,
    /// Chains of inlined calls that facts speak of.
    pub contexts: Vec<Context>,
    /// What formulas speak of.
    pub variables: Vec<Variable>,
    /// All checks of the program.
    pub checks: Vec<CheckName>,
    /// The one that is violated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violated: Option<CheckName>,
    pub evidence: Evidence,
    /// The proof with contracts, if the evidence has none: loop invariants and contracts of the functions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modular: Option<Modular>,
}

/// Formulas about functions, whoever calls them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Modular {
    pub invariants: Vec<Invariant>,
    pub contracts: Vec<Contract>,
}

/// A check by what identifies it in every version: not its line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct CheckName {
    pub property: String,
    pub function: String,
    pub text: String,
    /// The condition under which it is made, as it is written.
    pub condition: String,
    /// Of several that are alike.
    pub ordinal: usize,
}

/// A function and a hash of its steps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Outline {
    pub name: String,
    pub body: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    /// A hash of its steps.
    pub body: String,
    /// Its steps and variables, where facts need them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<OwnVariable>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OwnVariable {
    pub name: String,
    pub sort: String,
    pub kind: String,
}

/// A copy of a function, by the call that it was inlined for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Context {
    pub function: usize,
    /// The context of the call, and the position of the call in its function. `None`: it was not inlined.
    pub call: Option<(usize, usize)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variable {
    Global {
        name: String,
    },
    /// The value of a global when an activation began.
    Old {
        name: String,
        context: Option<usize>,
    },
    /// A variable of a function, by its number there.
    Own {
        function: usize,
        index: usize,
        context: Option<usize>,
    },
}

/// A position in a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Position {
    pub function: usize,
    pub line: usize,
    pub context: Option<usize>,
    /// The how many-th loop of the function it is the head of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<usize>,
}

/// A step: its position, which of the steps that leave it, and what it does for an inlined call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Edge {
    pub at: Position,
    pub ordinal: usize,
    pub role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Same,
    Enter,
    Arbitrary,
    Leave,
}

/// Which graph an annotation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphKind {
    /// Calls inlined or linked.
    #[default]
    Flat,
    /// As built.
    Original,
    /// Loops as recursive procedures.
    TailRecursive,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    #[default]
    Nothing,
    Annotation {
        graph: GraphKind,
        invariants: Vec<Invariant>,
        contracts: Vec<Contract>,
    },
    /// The kind of certificate that carries only a bound, and the bound.
    Bound {
        kind: BoundKind,
        bound: u64,
    },
    Termination(Termination),
    Violation(Execution),
    /// An execution that never ends: values at the start, the steps before the loop, those of the loop, and what holds
    /// in it.
    Infinite {
        initial: Vec<(usize, String)>,
        stem: Vec<LassoStep>,
        cycle: Vec<LassoStep>,
        recurrence: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundKind {
    Unwinding,
    FiniteUnwinding,
    Execution,
    FiniteExecution,
    States,
    StatesOfBranches,
    FairStates,
}

/// Conjuncts that hold at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Invariant {
    pub at: Position,
    pub conjuncts: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contract {
    pub function: usize,
    pub requires: Vec<String>,
    pub ensures: Vec<String>,
    /// The guards that had to be fixed for it, if it was focused on a version with less behaviour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub under: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Termination {
    pub contracts: Vec<Contract>,
    pub invariants: Vec<Invariant>,
    pub cut_points: Vec<Position>,
    pub modules: Vec<Module>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Module {
    pub rank: Vec<String>,
    /// Mode and formula of each state; ghosts are `$g0`, `$g1`, ….
    pub states: Vec<(String, String)>,
    pub edges: Vec<(usize, Vec<Edge>, usize)>,
}

/// The choices of an execution in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Execution {
    /// Values of variables at the start.
    pub initial: Vec<(usize, String)>,
    pub choices: Vec<Choice>,
    pub n_steps: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    pub at: Position,
    pub ordinal: usize,
    /// Where the values come from: the input's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub input: String,
    pub values: Vec<String>,
}

/// A step of an execution that never ends, with what it chooses: variables and terms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LassoStep {
    pub edge: Edge,
    pub chosen: Vec<(usize, String)>,
}

/// Why a document is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// It is no JSON, or not of this shape.
    Unreadable(String),
    /// It is of another format or version.
    OtherVersion(String),
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unusable::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Unusable::OtherVersion(which) => write!(f, "is of another format or version: {which}"),
        }
    }
}

impl Facts {
    /// The document, the same for the same facts.
    pub fn to_json(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        format!("{value:#}\n")
    }

    pub fn from_json(text: &str) -> Result<Facts, Unusable> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|e| Unusable::Unreadable(e.to_string()))?;
        let (format, version) = (value["format"].as_str(), value["version"].as_u64());
        if format != Some(FORMAT) || version != Some(u64::from(VERSION)) {
            let shown = |v: &serde_json::Value| if v.is_null() { "nothing".to_string() } else { v.to_string() };
            let which = format!("{} {}", shown(&value["format"]), shown(&value["version"]));
            return Err(Unusable::OtherVersion(which));
        }
        serde_json::from_value(value).map_err(|e| Unusable::Unreadable(e.to_string()))
    }

    /// Are there formulas at places of the graph that most engines see?
    pub fn has_predicates(&self) -> bool {
        matches!(&self.evidence, Evidence::Annotation { graph: GraphKind::Flat, invariants, .. } if !invariants.is_empty())
    }

    /// How many facts there are: conjuncts, ranks and choices.
    pub fn n_facts(&self) -> usize {
        match &self.evidence {
            Evidence::Nothing => 0,
            Evidence::Annotation { invariants, contracts, .. } => n_conjuncts(invariants, contracts),
            Evidence::Bound { .. } | Evidence::Violation(_) | Evidence::Infinite { .. } => 1,
            Evidence::Termination(t) => n_conjuncts(&t.invariants, &t.contracts) + t.modules.len(),
        }
    }
}

/// How many conjuncts formulas have.
pub(crate) fn n_conjuncts(invariants: &[Invariant], contracts: &[Contract]) -> usize {
    let of_invariants = invariants.iter().map(|i| i.conjuncts.len()).sum::<usize>();
    of_invariants + contracts.iter().map(|c| c.requires.len() + c.ensures.len()).sum::<usize>()
}

/// How a mode of a ranking module is written.
pub(crate) fn mode_name(mode: ModuleMode) -> &'static str {
    match mode {
        ModuleMode::Waiting => "waiting",
        ModuleMode::Seed => "seed",
        ModuleMode::Tracking => "tracking",
        ModuleMode::Decrease => "decrease",
    }
}
