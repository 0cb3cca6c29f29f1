//! Large-block encoding (see [`BlockMode`]).

/// How far statements are merged into blocks before an engine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockMode {
    /// One edge a statement.
    Off,
    /// Straight-line code becomes one edge.
    Sequence,
    /// All paths of a loop-free region become one edge.
    #[default]
    Large,
}
