//! Evidence for people and for other programs.
//!
//! [`result`] is the one model of an answer; every format is a function of it: [`text`], [`json`], [`sarif`],
//! [`junit`], [`github`], and, with the source and the graphs beside it, [`html`]. [`svg`] lays out graphs and draws
//! charts. [`witness`], [`harness`], [`scheduled`] and [`facts`] say in C what a verdict rests on. Everything here is a
//! function from a verdict and the program to text: nothing reads files or the clock, and no engine is in sight; the
//! command line fills the model in.

mod answer;
pub mod c_expression;
pub mod cause;
pub mod chart;
pub mod escape;
pub mod facts;
pub mod github;
pub mod harness;
pub mod html;
pub mod json;
pub mod junit;
pub mod no_answer;
pub mod pictures;
mod pointed_to;
mod proof_text;
mod result;
pub mod sarif;
pub mod scheduled;
pub mod sha256;
pub mod standard_input;
pub mod svg;
pub mod text;
pub mod trace;
pub mod upgrade;
pub mod witness;

pub use answer::{Answer, ReasonKind};
pub use no_answer::{Advice, AdviceKind, Insertion, Obstacle, ObstacleKind};
pub use result::{
    CheckResult, CheckStatus, EngineRun, Fact, FactKind, FileResult, Input, InputValue, Kind, Observed, Problem, Range,
    Remark, Step, Violation, totals,
};
