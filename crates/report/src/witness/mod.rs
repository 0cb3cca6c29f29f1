//! Witnesses in the YAML formats 2.0 to 2.2 of SV-COMP.
//!
//! A *correctness witness* is a set of invariants (and, in 2.1, contracts and relations between iterations of a loop)
//! at places of the program, as C expressions. A *violation witness* is a sequence of segments; each ends with a
//! waypoint that the execution follows, and lists others that it avoids; the last one is the target, or, for
//! executions that never end, the segments at the end repeat.
//!
//! [`mod@write`] makes the text of a verdict, [`read`] understands a text by anyone; of the old format in XML
//! (`graphml`) as much as has a counterpart here. Version 2.0 is written wherever it is enough. What the formats mean
//! is described in `docs/witnesses.md`.

mod graphml;
pub mod read;
mod unspecified;
pub mod write;

/// A place in a program. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub file_name: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    C,
    /// With `\result` and `\at`.
    Extended,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    Loop,
    Location,
    /// Between any earlier visit of the loop's head and the present one.
    LoopTransition,
    LocationTransition,
    /// At every place, whichever thread is where.
    Everywhere,
}

impl InvariantKind {
    pub fn name(self) -> &'static str {
        match self {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
            InvariantKind::LoopTransition => "loop_transition_invariant",
            InvariantKind::LocationTransition => "location_transition_invariant",
            InvariantKind::Everywhere => "flow_insensitive_invariant",
        }
    }
    fn is_transition(self) -> bool {
        matches!(self, InvariantKind::LoopTransition | InvariantKind::LocationTransition)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Invariant { kind: InvariantKind, location: Location, value: String, format: Format },
    Contract { location: Location, requires: String, ensures: String, format: Format },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

impl WaypointKind {
    pub fn name(self) -> &'static str {
        match self {
            WaypointKind::Assumption => "assumption",
            WaypointKind::Branching => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Follow,
    Avoid,
    Cycle,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Action::Follow => "follow",
            Action::Avoid => "avoid",
            Action::Cycle => "cycle",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub action: Action,
    pub location: Location,
    pub constraint: Option<(String, Format)>,
    /// The number of the thread that passes it.
    pub thread: Option<u64>,
}

/// Variables that only a witness knows, and where they change, each update atomically with the statement there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ghosts {
    pub variables: Vec<GhostVariable>,
    pub updates: Vec<GhostUpdate>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GhostVariable {
    pub name: String,
    pub ty: String,
    pub initial: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GhostUpdate {
    pub location: Location,
    pub variable: String,
    pub value: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Invariants(Vec<Item>),
    /// Segments of waypoints.
    Violation(Vec<Vec<Waypoint>>),
    Ghosts(Ghosts),
}

/// What a witness says about its task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    pub input_files: Vec<String>,
    /// File name and SHA-256.
    pub input_file_hashes: Vec<(String, String)>,
    pub specification: String,
    pub data_model: String,
    pub language: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub format_version: String,
    pub task: Task,
    pub content: Content,
}

impl Entry {
    /// Is it in GraphML, whose places are only lines?
    pub fn is_old_format(&self) -> bool {
        self.format_version.starts_with('1')
    }
    /// The version that what it contains asks for.
    fn needed_version(content: &Content) -> &'static str {
        let is_new = match content {
            Content::Invariants(items) => items.iter().any(|item| match item {
                Item::Contract { .. } => true,
                Item::Invariant { kind, .. } => kind.is_transition(),
            }),
            Content::Violation(segments) => {
                segments.iter().flatten().any(|w| w.action == Action::Cycle || w.thread.is_some())
            }
            Content::Ghosts(_) => true,
        };
        if is_new { "2.1" } else { "2.0" }
    }
}
