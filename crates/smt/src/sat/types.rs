//! Variables, literals and three-valued truth of the SAT core.
//!
//! A literal is a `u32`: the variable shifted left by one, the lowest bit set when negated. Both
//! phases of a variable are thus neighbours in tables indexed by literal (watch lists).

use std::fmt;
use std::ops::Not;

base::define_id!(
    /// A Boolean variable of the SAT core. [`AtomTable`](crate::atoms::AtomTable) says which term it stands for.
    Var, "v"
);

impl Var {
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }
    #[inline]
    pub fn lit(self, positive: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!positive))
    }
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
    /// Dense index, for tables with an entry per literal.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
    /// This literal, or its negation when `flip`.
    #[inline]
    pub fn flipped_if(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", if self.is_positive() { "" } else { "-" }, self.0 >> 1)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// True, false or not assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum LBool {
    False = 0,
    True = 1,
    #[default]
    Undef = 2,
}

impl From<bool> for LBool {
    #[inline]
    fn from(value: bool) -> LBool {
        if value { LBool::True } else { LBool::False }
    }
}
