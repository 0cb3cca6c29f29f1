//! One question on its way to an answer: what all parts of the driver pass around.

use crate::load::{Loaded, Settled, Source, Translation};
use crate::observer::Watch;
use crate::settings::{Engines, Settings};
use c::lower::{Integers, Threads};
use ir::Property;

/// A question and who watches.
pub(crate) struct Session<'a> {
    pub(crate) source: &'a Source,
    pub(crate) property: &'a Property,
    pub(crate) settings: &'a Settings,
    /// Checks that are settled: executions that fail them end.
    pub(crate) settled: &'a [Settled],
    pub(crate) watch: Watch<'a>,
}

/// One way to look for an answer.
#[derive(Clone, Copy)]
pub(crate) struct Attempt {
    pub(crate) integers: Integers,
    pub(crate) threads: Threads,
    /// That arithmetic wraps around counts as a violation.
    pub(crate) no_wrap: bool,
    pub(crate) engines: Engines,
    /// How many engines may run at once.
    pub(crate) n_jobs: usize,
}

impl Session<'_> {
    /// Mathematical integers unless bit-vectors were asked for, all schedules of threads, the engines that were asked for.
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
            threads: attempt.threads,
        };
        Translation { mode, settled: self.settled.to_vec() }
    }
}
