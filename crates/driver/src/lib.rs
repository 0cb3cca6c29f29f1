//! From a question about a program to a certified answer.
//!
//! ```text
//! Source::read ─► Question ─► check ─► Answered ─► present ─► report::FileResult
//! ```
//!
//! A [`Source`] is a file that was read once. A [`Question`] is a source, a property and the [`Settings`] of the
//! search. [`check()`] executes a [`plan`]: translations of the program ([`strategy`]) and engines ([`portfolio`]). It
//! has every piece of evidence checked ([`certify`]), withdraws violations that depend on undefined behaviour
//! ([`undefined`]), and returns an [`Outcome`] that carries its evidence. [`present`] renders it in terms of the
//! source program, [`artifacts`] writes witnesses and test harnesses, [`validate`] checks the witnesses of other tools.
//!
//! The modules depend on each other in this order, without a cycle: `formula`, `property`, `settings`, `host`, `load`,
//! `checks`, `landmarks`, `observer`, `known`, `shape`, `transfer`, `outcome`, `numbers`, `shorten`, `facts`, `graphs`,
//! `certify`, `reuse`, `stated`, `templates`, `session`, `plan`, `portfolio`, `product`, `termination`, `observed`,
//! `temporal`, `undefined`, `threads`, `verify`, `shrink`, `strategy`, `question`, `learn`, `upgrade`, `followed`,
//! `asserted`, `validate`, `advice`, `cause`, `present`, `artifacts`.
//!
//! This crate starts no threads or processes and reads no files and no clock of its own: all that goes through a
//! [`Host`].

pub mod advice;
pub mod artifacts;
mod asserted;
mod calls;
mod cause;
mod certify;
mod checks;
mod facts;
mod followed;
pub mod formula;
mod graphs;
mod host;
pub mod known;
mod landmarks;
mod learn;
mod load;
mod modular;
mod numbers;
mod observed;
mod observer;
mod outcome;
pub mod plan;
mod portfolio;
pub mod present;
mod product;
pub mod property;
mod question;
mod reuse;
mod session;
mod settings;
mod shape;
mod shorten;
mod shrink;
mod stated;
mod strategy;
mod templates;
mod temporal;
mod termination;
mod threads;
mod transfer;
mod undefined;
pub mod upgrade;
pub mod validate;
mod verify;

pub use checks::{CheckAnswer, Status};
pub use host::Host;
pub use known::{Facts, Mode, Outline};
pub use learn::{Purpose, facts as learn, mode, mode_of, outline};
pub use load::{BadInput, Language, Loaded, Settled, Source};
pub use observer::{EngineRun, Observer, Silent, Situation};
pub use outcome::{Finding, InfiniteExecution, Observation, ObservedWord, Outcome, Proof, Violation};
pub use question::{Answered, Question, check, explain};
pub use reuse::Tally;
pub use settings::{Engines, Integers, OtherFile, ReadOptions, Settings};
pub use strategy::Explained;
