//! What every other crate stands on: source positions and diagnostics, typed ids and arenas, maps
//! that share, and the [`Budget`] that bounds time and memory. This crate does no I/O and knows no logic.

pub mod budget;
pub mod graph;
pub mod ids;
mod names;
mod random;
pub mod shared_map;
pub mod source;
pub mod stack;

pub use budget::{Budget, Stop};
pub use ids::{Id, IdVec};
pub use names::nearest;
pub use random::Random;
pub use shared_map::SharedMap;
pub use source::{Diagnostic, DiagnosticKind, Excerpt, FileId, Severity, SourceFile, SourceMap, Span};
pub use stack::with_deep_stack;
