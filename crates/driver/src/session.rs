//! One question on its way to an answer: what all parts of the driver pass around.

use crate::known::Facts;
use crate::load::{Loaded, Settled, Source, Translation};
use crate::observer::Watch;
use crate::reuse::Tally;
use crate::settings::{Engines, Settings};
use c::lower::{Integers, Threads};
use ir::Property;
use std::sync::Arc;
use std::time::Duration;

/// A question and who watches.
pub(crate) struct Session<'a> {
    pub(crate) source: &'a Source,
    pub(crate) property: &'a Property,
    pub(crate) settings: &'a Settings,
    /// Checks that are decided already: executions that fail them end.
    pub(crate) settled: &'a [Settled],
    /// What is known of other versions of the program.
    pub(crate) reuse: &'a [Arc<Facts>],
    /// How it was used.
    pub(crate) tally: Option<Tally>,
    pub(crate) watch: Watch<'a>,
}

/// What an attempt does with what is known of other versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reuse {
    Nothing,
    /// Tries it, and offers the rest to the engines, which run for this time; `None`: no engine runs.
    Facts(Option<Duration>),
    /// Offers it to the engines.
    Offers,
}

/// One configuration of the search.
#[derive(Clone, Copy)]
pub(crate) struct Attempt {
    pub(crate) integers: Integers,
    pub(crate) threads: Threads,
    /// That arithmetic wraps around counts as a violation.
    pub(crate) no_wrap: bool,
    pub(crate) engines: Engines,
    /// How many engines may run at once.
    pub(crate) n_jobs: usize,
    pub(crate) reuse: Reuse,
    /// Only a proof is wanted.
    pub(crate) proofs_only: bool,
}

impl Session<'_> {
    /// Mathematical integers unless bit-vectors were asked for, all schedules of threads, the engines that were asked
    /// for.
    pub(crate) fn usual(&self) -> Attempt {
        Attempt {
            integers: match self.settings.integers {
                crate::settings::Integers::Int | crate::settings::Integers::Auto => Integers::Unbounded,
                crate::settings::Integers::Bitvec => Integers::Words,
            },
            threads: Threads::Interleaved,
            no_wrap: false,
            engines: self.settings.engines,
            n_jobs: self.settings.n_jobs,
            reuse: Reuse::Nothing,
            proofs_only: false,
        }
    }

    /// The program with the checks of some properties, as an attempt wants it.
    pub(crate) fn load(&self, properties: &[Property], attempt: &Attempt) -> Loaded {
        self.source.translate(&self.translation(properties, attempt))
    }

    pub(crate) fn translation(&self, properties: &[Property], attempt: &Attempt) -> Translation {
        let mode = c::Mode {
            properties: properties.to_vec(),
            integers: attempt.integers,
            no_wrap: attempt.no_wrap,
            check_pointers: false,
            check_arrays: false,
            threads: attempt.threads,
        };
        Translation { mode, settled: self.settled.to_vec() }
    }
}
