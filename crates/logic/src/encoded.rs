//! Sorts whose elements are written as bits: floating-point numbers and rounding modes.
//!
//! The theory of floating point is reduced to bit-vectors while terms are read. A number is a word, and the NaN of the
//! theory is one word of the many that IEEE 754 has for it ([`crate::ieee::Format::nan`]). Words that stand for
//! elements are called *canonical*; [`TermPool::canonical`] maps the others to canonical ones, so that a variable or a
//! function may have any word as its value and no assertion about it is needed.
//!
//! For type checking the reader needs terms that have the sort: `of_bits(w)` and its inverse, which cancel each other.
//! What remains of them in formulas is about arrays, whose elements and indices the solver must see as one thing. There
//! the sort is uninterpreted and the two are functions, with axioms for the terms that occur
//! ([`TermPool::encoding_axioms`]): every element is `of_bits` of its bits, and the bits of `of_bits(w)` are w.

use crate::ieee::{Format, Ieee, Rounding};
use crate::rational::BigInt;
use crate::sort::{Sort, SortId};
use crate::term::{FunId, Op, TermId, TermPool};
use crate::{FastMap, FastSet};

/// What the elements of a sort stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    Float(Format),
    RoundingMode,
}

impl Meaning {
    /// The name of the function from elements to words in models of arrays.
    pub const BITS: &str = ".bits";
    /// The width of the words that stand for elements.
    pub fn width(self) -> u32 {
        match self {
            Meaning::Float(format) => format.width(),
            Meaning::RoundingMode => Rounding::WIDTH,
        }
    }
    /// The word that stands for the same element as this one.
    pub fn canonical(self, bits: &BigInt) -> BigInt {
        match self {
            Meaning::Float(format) => {
                let magnitude = bits & ((BigInt::ONE << (format.width() as usize - 1)) - BigInt::ONE);
                if magnitude > format.infinity() { format.nan() } else { bits.clone() }
            }
            Meaning::RoundingMode if *bits < BigInt::from(Rounding::ALL.len()) => bits.clone(),
            Meaning::RoundingMode => BigInt::ZERO,
        }
    }
}

/// Functions of these names and signatures belong to the encoding; no script can declare one, because functions on
/// encoded sorts are declared on words.
const OF_BITS: &str = ".of_bits";

impl TermPool {
    pub fn float_sort(&mut self, format: Format) -> SortId {
        let name = format!("(_ FloatingPoint {} {})", format.exponent, format.fraction + 1);
        self.encoded_sort(&name, Meaning::Float(format))
    }
    pub fn rounding_mode_sort(&mut self) -> SortId {
        self.encoded_sort("RoundingMode", Meaning::RoundingMode)
    }
    fn encoded_sort(&mut self, name: &str, meaning: Meaning) -> SortId {
        let sort = self.uninterpreted_sort(name);
        self.meanings.insert(sort, meaning);
        sort
    }
    pub fn meaning(&self, sort: SortId) -> Option<Meaning> {
        self.meanings.get(&sort).copied()
    }
    /// The sort of the words for an encoded sort; any other sort is its own.
    pub fn bits_sort(&mut self, sort: SortId) -> SortId {
        match self.meaning(sort) {
            Some(meaning) => self.bitvec_sort(meaning.width()),
            None => sort,
        }
    }
    fn of_bits_fun(&mut self, sort: SortId) -> FunId {
        let word = self.bits_sort(sort);
        self.declare_fun(OF_BITS, &[word], sort)
    }
    /// The function from an encoded sort to words.
    pub fn bits_fun(&mut self, sort: SortId) -> FunId {
        let word = self.bits_sort(sort);
        self.declare_fun(Meaning::BITS, &[sort], word)
    }
    /// The element that a canonical word stands for.
    pub fn of_bits(&mut self, sort: SortId, bits: TermId) -> TermId {
        let f = self.of_bits_fun(sort);
        self.app(f, &[bits])
    }
    fn as_of_bits(&self, t: TermId) -> Option<TermId> {
        match (self.op(t), self.args(t)) {
            (Op::App(f), &[bits]) if self.name(f) == OF_BITS && self.meaning(self.sort(t)).is_some() => Some(bits),
            _ => None,
        }
    }
    /// The canonical word of an element. A term of another sort is its own.
    pub fn to_bits(&mut self, t: TermId) -> TermId {
        let sort = self.sort(t);
        let Some(meaning) = self.meaning(sort) else { return t };
        if let Some(bits) = self.as_of_bits(t) {
            return bits;
        }
        let f = self.bits_fun(sort);
        let bits = self.app(f, &[t]);
        self.canonical(meaning, bits)
    }
    /// The canonical word for what a word stands for.
    pub fn canonical(&mut self, meaning: Meaning, bits: TermId) -> TermId {
        match meaning {
            Meaning::Float(format) => {
                let is_nan = Ieee::new(self).is_nan(bits, format);
                let nan = self.bv_num(format.nan(), format.width());
                self.ite(is_nan, nan, bits)
            }
            Meaning::RoundingMode => {
                let last = self.bv_num((Rounding::ALL.len() - 1).into(), Rounding::WIDTH);
                let is_mode = self.bv(Op::BvUle, &[bits, last]);
                let other = self.bv_num(BigInt::ZERO, Rounding::WIDTH);
                self.ite(is_mode, bits, other)
            }
        }
    }
    /// An equality in which encoded sorts have become words.
    pub fn encoded_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.to_bits(a), self.to_bits(b));
        self.eq(a, b)
    }

    /// The terms of a formula, and those by which arrays that it compares may differ: an index, with two elements, that
    /// it does not mention.
    pub(crate) fn terms_and_differences(&mut self, formula: TermId) -> Vec<TermId> {
        let mut order = Vec::new();
        self.visit_postorder(&[formula], |t| order.push(t));
        let mut extra = Vec::new();
        for &t in &order {
            if !matches!(self.op(t), Op::Eq | Op::Distinct) {
                continue;
            }
            let args = self.args(t).to_vec();
            if args.first().is_none_or(|&a| self.array_parts(self.sort(a)).is_none()) {
                continue;
            }
            for (k, &a) in args.iter().enumerate() {
                for &b in &args[k + 1..] {
                    let index = self.array_diff(a, b);
                    extra.extend([index, self.select(a, index), self.select(b, index)]);
                }
            }
        }
        self.visit_postorder(&extra, |t| order.push(t));
        order
    }

    /// May the theory of arrays compare arrays of datatypes or encoded sorts that the formula itself does not compare?
    /// They are arguments of functions, indices or elements of other arrays, or parts of datatypes. The terms by which
    /// such arrays differ have no axioms.
    pub fn compares_arrays_unseen(&self, formula: TermId) -> bool {
        if self.meanings.is_empty() && !self.datatypes.is_used() {
            return false;
        }
        let is_interpreted = |s: SortId| self.meaning(s).is_some() || self.datatype(s).is_some();
        let is_array_of_them =
            |s: SortId| self.array_parts(s).is_some() && self.data_parts(s).into_iter().any(is_interpreted);
        let mut memo: FastMap<SortId, (bool, bool)> = FastMap::default();
        let mut found = false;
        self.visit_postorder(&[formula], |t| {
            // Is it such an array, and has the sort such parts?
            let mut of_sort = |s: SortId| {
                *memo
                    .entry(s)
                    .or_insert_with(|| (is_array_of_them(s), self.data_parts(s).into_iter().any(is_array_of_them)))
            };
            found |= of_sort(self.sort(t)).1;
            let is_exposed = |i: usize| match self.op(t) {
                Op::App(_) | Op::ConstArray => true,
                Op::Select | Op::Store => i > 0,
                _ => false,
            };
            for (i, &arg) in self.args(t).iter().enumerate() {
                found |= is_exposed(i) && of_sort(self.sort(arg)).0;
            }
        });
        found
    }

    /// What the functions between encoded sorts and words have to satisfy for the terms of a formula. Nothing unless
    /// there are arrays with such elements or indices, or datatypes.
    pub fn encoding_axioms(&mut self, formula: TermId) -> Vec<TermId> {
        if self.meanings.is_empty() || !(self.datatypes.is_used() || self.has_encoded_arrays()) {
            return Vec::new();
        }
        let order = self.terms_and_differences(formula);
        let mut bound: FastSet<TermId> = FastSet::default();
        let mut seen: FastSet<TermId> = FastSet::default();
        let mut quantified: Vec<SortId> = Vec::new();
        let mut axioms = Vec::new();
        for t in order {
            if !seen.insert(t) {
                continue;
            }
            let is_variable = self.as_symbol(t).is_some_and(|f| self.fun(f).bound);
            if is_variable || self.args(t).iter().any(|a| bound.contains(a)) {
                bound.insert(t);
            }
            let sort = self.sort(t);
            if self.meaning(sort).is_none() {
                continue;
            }
            if bound.contains(&t) {
                if !quantified.contains(&sort) {
                    quantified.push(sort);
                }
                continue;
            }
            axioms.extend(self.axioms_of(t));
        }
        for sort in quantified {
            let x = self.fresh_bound("x", sort);
            let f = self.bits_fun(sort);
            let pattern = self.app(f, &[x]);
            let parts = self.axioms_of(x);
            let body = self.and(&parts);
            axioms.push(self.forall(&[x], vec![vec![pattern]], body));
        }
        axioms
    }
    /// The axioms of one term of an encoded sort.
    fn axioms_of(&mut self, t: TermId) -> Vec<TermId> {
        let sort = self.sort(t);
        let f = self.bits_fun(sort);
        if let Some(bits) = self.as_of_bits(t) {
            let again = self.app(f, &[t]);
            return vec![self.eq(again, bits)];
        }
        let bits = self.to_bits(t);
        let again = self.of_bits(sort, bits);
        let same = self.eq(t, again);
        let inverse = self.app(f, &[again]);
        vec![same, self.eq(inverse, bits)]
    }
    fn has_encoded_arrays(&self) -> bool {
        let mut memo: FastMap<SortId, bool> = FastMap::default();
        // Parts are interned before the sorts that have them.
        let mut found = false;
        for (id, sort) in self.sorts.iter() {
            let is_encoded = match sort {
                Sort::Array(index, element) => {
                    let inner = [index, element].iter().any(|s| memo.get(*s).copied().unwrap_or(false));
                    found |= inner;
                    inner
                }
                _ => self.meaning(id).is_some(),
            };
            memo.insert(id, is_encoded);
        }
        found
    }
}
