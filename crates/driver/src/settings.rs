//! What a question means: how the program is to be read, and how the answer is to be found.
//!
//! These types know nothing of how a question was typed. The command line, the language server and tests fill them in.

use engine::Engine;
use ir::blocks::BlockMode;
use std::path::PathBuf;
use std::time::Duration;

/// How a program is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    pub data_model: c::DataModel,
    pub include_dirs: Vec<PathBuf>,
    /// Only craig's own headers can be included; the file system is not searched.
    pub builtin_headers_only: bool,
    /// `NAME` or `NAME=VALUE`
    pub defines: Vec<String>,
    /// Calls use the contracts of functions, and bodies are checked against them.
    pub modular: bool,
    /// The other translation units of the program.
    pub linked: Vec<OtherFile>,
    /// Preprocess with this command.
    pub cpp: Option<String>,
    /// The functions executions start in, one in each; none: `main`, or every function that others can call.
    pub entries: Vec<String>,
    /// Assumptions about the environment of the program.
    pub environment: c::lower::Environment,
    /// The dialect of Boogie; `None`: chosen by the types.
    pub dialect: Option<boogie::Dialect>,
}

/// A further file of a program, with what its own compile command says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFile {
    pub path: PathBuf,
    pub include_dirs: Vec<PathBuf>,
    pub defines: Vec<String>,
}

/// How C integers are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    /// Mathematical integers; what they cannot express exactly is over-approximated.
    Int,
    /// Bit-vectors: exact, floating-point arithmetic included, but slower.
    Bitvec,
    /// Mathematical integers first, bit-vectors where those were not exact.
    #[default]
    Auto,
}

/// Which engines may answer.
#[derive(Clone, Copy, Default)]
pub enum Engines {
    /// Those that the strategy chooses.
    #[default]
    Auto,
    Only(&'static dyn Engine),
}

impl Engines {
    pub fn is_auto(self) -> bool {
        matches!(self, Engines::Auto)
    }
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engines::Auto => "auto",
            Engines::Only(engine) => engine.name(),
        }
    }
    /// `auto`, or an engine's name.
    pub fn by_name(name: &str) -> Option<Engines> {
        match name {
            "auto" => Some(Engines::Auto),
            _ => engine::engine_by_name(name).map(Engines::Only),
        }
    }
}

/// How an answer is to be found.
#[derive(Clone)]
pub struct Settings {
    pub engines: Engines,
    pub integers: Integers,
    /// Merge statements before an engine runs; `None`: as it suits the engine.
    pub blocks: Option<BlockMode>,
    pub complement: engine::buchi::Complement,
    /// How many engines may run at once.
    pub n_jobs: usize,
    /// Only fair schedules of threads count, for temporal properties.
    pub is_fair: bool,
    /// Re-check every step of every refutation while checking a certificate.
    pub paranoid: bool,
    /// The limits that the user set, for advice on others; whoever asks keeps them.
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engines: Engines::Auto,
            integers: Integers::Auto,
            blocks: None,
            complement: Default::default(),
            n_jobs: 1,
            is_fair: false,
            paranoid: false,
            timeout: None,
            memory: None,
        }
    }
}
