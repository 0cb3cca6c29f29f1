//! The pieces of C that programs are put together from: patterns, which [`super::patterns`] fills in at random.
//!
//! `⟨a¦b⟩` is a choice; `$k` the number of the piece, which keeps names apart; `$v` an integer, `$s` a small one that
//! is not negative, `$c` a small constant, `$t` an integer type, `$T` one integer type for the whole piece, `$i4` an
//! index of four elements, which is wrong now and then. All pieces add to `acc`. `«code»` is for the reference only: it
//! notes what the sanitizers do not see (`DEREF`, `FREE`, `OVERFLOW`, `OTHER`: the run is undefined from here on).
//! None depends on uninitialised memory, on addresses or on the order of evaluation.

mod arithmetic;
mod entries;
mod functions;
mod intrinsics;
mod layout;
mod library;
mod lifetimes;
mod memory;
mod threads;

/// What the runs of a piece show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// All that can happen.
    All,
    /// All kinds of events, but not all values of `acc`.
    SomeValues,
    /// Some of what can happen: a run that violates a property settles it, nothing else does.
    Some,
}

#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub declarations: &'static str,
    pub body: &'static str,
    /// Static objects that may hold the only pointer to a block.
    pub roots: &'static str,
    /// Bodies of functions that the checked program only declares. They act by `CHOICE`, which is 0 to 3.
    pub hidden: &'static str,
    /// Parameters of the function that executions start in, and their definitions in the reference, by `CHOICE`.
    pub parameters: &'static str,
    pub arguments: &'static str,
    pub runs: Runs,
    /// Uses nothing of the library but `memcpy`, `memset`, `memcmp` and `strlen`.
    pub is_freestanding: bool,
}

const fn with(declarations: &'static str, body: &'static str) -> Piece {
    Piece {
        declarations,
        body,
        roots: "",
        hidden: "",
        parameters: "",
        arguments: "",
        runs: Runs::All,
        is_freestanding: false,
    }
}

const fn local(body: &'static str) -> Piece {
    with("", body)
}

const fn rooted(declarations: &'static str, body: &'static str, roots: &'static str) -> Piece {
    Piece { roots, ..with(declarations, body) }
}

/// The body of a function with parameters; what arguments it gets is more than the runs show.
const fn entry(
    declarations: &'static str,
    parameters: &'static str,
    arguments: &'static str,
    body: &'static str,
) -> Piece {
    Piece { parameters, arguments, runs: Runs::Some, ..with(declarations, body) }
}

impl Piece {
    const fn hiding(self, hidden: &'static str) -> Piece {
        Piece { hidden, ..self }
    }
    const fn some_values(self) -> Piece {
        Piece { runs: Runs::SomeValues, ..self }
    }
    const fn open(self) -> Piece {
        Piece { runs: Runs::Some, ..self }
    }
    const fn freestanding(self) -> Piece {
        Piece { is_freestanding: true, ..self }
    }
}

/// The sequential pieces of `--shape memory`.
pub(super) const MEMORY: &[Piece] = memory::PIECES;

/// The sequential pieces of `--shape exact`.
pub(super) const EXACT: [&[Piece]; 6] =
    [library::PIECES, functions::PIECES, lifetimes::PIECES, layout::PIECES, arithmetic::PIECES, intrinsics::PIECES];

/// Each the function with parameters that a program starts in.
pub(super) const ENTRIES: &[Piece] = entries::PIECES;

/// Each a program with threads of its own.
pub(super) const THREADS: &[Piece] = threads::PIECES;
