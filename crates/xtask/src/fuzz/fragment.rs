//! The fragments of the language that are fuzzed, by the names of their logics.

/// Which kinds of terms occur.
#[derive(Clone, Copy, Default)]
pub(super) struct Fragment {
    pub ints: bool,
    pub reals: bool,
    pub functions: bool,
    pub arrays: bool,
    /// An uninterpreted sort.
    pub sorts: bool,
    /// `div`, `mod`, `abs` by constants.
    pub division: bool,
    pub bitvectors: bool,
    pub nonlinear: bool,
}

impl Fragment {
    /// Nonlinear formulas have no interpolation.
    pub(super) fn can_interpolate(self) -> bool {
        !self.nonlinear
    }
}

const NONE: Fragment = Fragment {
    ints: false,
    reals: false,
    functions: false,
    arrays: false,
    sorts: false,
    division: false,
    bitvectors: false,
    nonlinear: false,
};

pub(super) const LOGICS: [(&str, Fragment); 21] = [
    ("bool", NONE),
    ("uf", Fragment { functions: true, sorts: true, ..NONE }),
    ("lra", Fragment { reals: true, ..NONE }),
    ("lia", Fragment { ints: true, ..NONE }),
    ("lia-div", Fragment { ints: true, division: true, ..NONE }),
    ("lira", Fragment { ints: true, reals: true, division: true, ..NONE }),
    ("uflia", Fragment { ints: true, functions: true, division: true, ..NONE }),
    ("uflra", Fragment { reals: true, functions: true, sorts: true, ..NONE }),
    ("uflira", Fragment { ints: true, reals: true, functions: true, ..NONE }),
    ("ax", Fragment { arrays: true, sorts: true, ..NONE }),
    ("alia", Fragment { ints: true, arrays: true, ..NONE }),
    ("alra", Fragment { reals: true, arrays: true, ..NONE }),
    ("auflra", Fragment { reals: true, functions: true, arrays: true, ..NONE }),
    ("auflia", Fragment { ints: true, functions: true, arrays: true, sorts: true, ..NONE }),
    ("auflira", Fragment { ints: true, reals: true, functions: true, arrays: true, ..NONE }),
    ("bv", Fragment { bitvectors: true, ..NONE }),
    ("ufbv", Fragment { bitvectors: true, functions: true, ..NONE }),
    ("abv", Fragment { bitvectors: true, arrays: true, ..NONE }),
    ("aufbv", Fragment { bitvectors: true, arrays: true, functions: true, sorts: true, ..NONE }),
    ("nia", Fragment { ints: true, nonlinear: true, division: true, ..NONE }),
    ("all", Fragment { ints: true, reals: true, functions: true, arrays: true, sorts: true, division: true, ..NONE }),
];
