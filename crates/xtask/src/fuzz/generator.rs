//! Random terms of a fragment over a vocabulary of constants.
//!
//! Which constants may occur can be changed between terms ([`Generator::speak`]): interpolation problems have groups of
//! formulas with different vocabularies. Functions are common to all.

use super::fragment::Fragment;
use base::Random;
use logic::{FunId, Rational, SortId, TermId, TermPool};

pub(super) struct Generator {
    random: Random,
    fragment: Fragment,
    pub pool: TermPool,
    /// The constants that may occur now.
    vocabulary: Vec<TermId>,
    pub functions: Vec<FunId>,
    bv: SortId,
}

impl Generator {
    pub(super) fn new(seed: u64, fragment: Fragment) -> Generator {
        let mut pool = TermPool::new();
        let u = pool.uninterpreted_sort("U");
        let bv = pool.bitvec_sort(1 + (seed % 4) as u32);
        let (int, real, bool_) = (SortId::INT, SortId::REAL, SortId::BOOL);
        let mut functions = Vec::new();
        if fragment.functions {
            functions.push(pool.declare_fun("g", &[bool_], bool_));
            if fragment.ints {
                functions.push(pool.declare_fun("f", &[int], int));
                functions.push(pool.declare_fun("f2", &[int, bool_], int));
            }
            if fragment.reals {
                functions.push(pool.declare_fun("h", &[real], real));
            }
            if fragment.sorts {
                functions.push(pool.declare_fun("e", &[u], u));
                functions.push(pool.declare_fun("e2", &[u, u], u));
                functions.push(pool.declare_fun("ep", &[u], bool_));
            }
            if fragment.bitvectors {
                functions.push(pool.declare_fun("fb", &[bv], bv));
            }
        }
        Generator { random: Random::new(seed), fragment, pool, vocabulary: Vec::new(), functions, bv }
    }
    /// Constants of every sort of the fragment, `n` of each (one of each array sort and of bit-vectors for two).
    pub(super) fn constants(&mut self, suffix: &str, n: usize) -> Vec<TermId> {
        let (int, real, bool_, bv) = (SortId::INT, SortId::REAL, SortId::BOOL, self.bv);
        let f = self.fragment;
        let pool = &mut self.pool;
        let u = pool.uninterpreted_sort("U");
        let few = n.div_ceil(2);
        let mut wanted = vec![("p", bool_, n)];
        wanted.extend(f.ints.then_some(("x", int, n)));
        wanted.extend(f.reals.then_some(("s", real, few + n / 3)));
        wanted.extend(f.sorts.then_some(("u", u, n)));
        wanted.extend(f.bitvectors.then_some(("m", bv, few)));
        if f.arrays {
            if f.ints {
                wanted.push(("a", pool.array_sort(int, int), few));
                wanted.push(("c", pool.array_sort(int, bool_), n / 3));
            }
            if f.reals && !f.sorts {
                wanted.push(("b", pool.array_sort(real, real), few));
            }
            if f.sorts {
                wanted.push(("d", pool.array_sort(u, u), few));
            }
            if f.bitvectors {
                wanted.push(("ab", pool.array_sort(bv, bv), few));
            }
            wanted.push(("k", pool.array_sort(bool_, bool_), n / 3));
        }
        let mut constants = Vec::new();
        for (name, sort, n) in wanted {
            constants.extend((0..n).map(|i| self.pool.constant(&format!("{name}{i}{suffix}"), sort)));
        }
        constants
    }
    /// From now on terms are over these constants. There must be one of every sort that is used.
    pub(super) fn speak(&mut self, vocabulary: Vec<TermId>) {
        self.vocabulary = vocabulary;
    }
    pub(super) fn vocabulary(&self) -> &[TermId] {
        &self.vocabulary
    }
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub(super) fn sorts(&self) -> Vec<SortId> {
        self.sorts_of(&self.vocabulary)
    }
    pub(super) fn sorts_of(&self, terms: &[TermId]) -> Vec<SortId> {
        let mut sorts: Vec<SortId> = terms.iter().map(|&c| self.pool.sort(c)).collect();
        sorts.sort_unstable();
        sorts.dedup();
        sorts
    }
    fn leaf(&mut self, sort: SortId) -> TermId {
        let candidates: Vec<TermId> = self.vocabulary.iter().copied().filter(|&c| self.pool.sort(c) == sort).collect();
        if sort == SortId::INT && (candidates.is_empty() || self.chance(35)) {
            let n = self.below(7) as i64 - 3;
            return self.pool.int(n);
        }
        if sort == SortId::REAL && (candidates.is_empty() || self.chance(35)) {
            let n = self.below(9) as i64 - 4;
            return self.pool.real_num(Rational::ratio(n, 2));
        }
        if let Some(w) = self.pool.bitvec_width(sort)
            && (candidates.is_empty() || self.chance(35))
        {
            let n = self.below(1 << w) as i64;
            return self.pool.bv_num(n.into(), w);
        }
        if sort == SortId::BOOL && self.chance(3) {
            let b = self.chance(50);
            return self.pool.bool(b);
        }
        candidates[self.below(candidates.len())]
    }
    pub(super) fn term(&mut self, sort: SortId, depth: usize) -> TermId {
        if sort == SortId::BOOL {
            return self.formula(depth);
        }
        if depth == 0 || self.chance(25) {
            return self.leaf(sort);
        }
        let d = depth - 1;
        if self.chance(12) {
            let c = self.formula(d);
            let (a, b) = (self.term(sort, d), self.term(sort, d));
            return self.pool.ite(c, a, b);
        }
        let functions: Vec<FunId> =
            self.functions.iter().copied().filter(|&f| self.pool.fun(f).result == sort).collect();
        if !functions.is_empty() && self.chance(35) {
            let f = functions[self.below(functions.len())];
            return self.apply(f, d);
        }
        if let Some((index, element)) = self.pool.array_parts(sort) {
            if self.chance(12) {
                let v = self.term(element, d);
                return self.pool.const_array(sort, v);
            }
            let (a, i, v) = (self.term(sort, d), self.term(index, d), self.term(element, d));
            return self.pool.store(a, i, v);
        }
        if let Some(t) = self.read(sort, d) {
            return t;
        }
        if sort == SortId::INT {
            return self.int_term(d);
        }
        if sort == SortId::REAL {
            return self.real_term(d);
        }
        if sort == self.bv && self.fragment.bitvectors {
            return self.bv_term(d);
        }
        self.leaf(sort)
    }
    /// Sometimes a read of an array with this element sort.
    fn read(&mut self, element: SortId, depth: usize) -> Option<TermId> {
        if !self.fragment.arrays || !self.chance(40) {
            return None;
        }
        let arrays: Vec<SortId> =
            self.sorts().into_iter().filter(|&s| self.pool.array_parts(s).is_some_and(|(_, e)| e == element)).collect();
        if arrays.is_empty() {
            return None;
        }
        let sort = arrays[self.below(arrays.len())];
        let (index, _) = self.pool.array_parts(sort)?;
        let (a, i) = (self.term(sort, depth), self.term(index, depth));
        Some(self.pool.select(a, i))
    }
    fn apply(&mut self, f: FunId, depth: usize) -> TermId {
        let sorts = self.pool.fun(f).args.clone();
        let args: Vec<TermId> = sorts.into_iter().map(|s| self.term(s, depth)).collect();
        self.pool.app(f, &args)
    }
    /// A constant, rarely zero.
    fn divisor(&mut self) -> TermId {
        let k = self.below(7) as i64 - 3;
        let k = if k == 0 && self.chance(80) { 4 } else { k };
        self.pool.int(k)
    }
    fn int_term(&mut self, d: usize) -> TermId {
        let a = self.term(SortId::INT, d);
        match self.below(10) {
            0..=2 => {
                let b = self.term(SortId::INT, d);
                self.pool.add(&[a, b])
            }
            3 | 4 => {
                let b = self.term(SortId::INT, d);
                self.pool.sub(a, b)
            }
            5 => {
                let k = self.below(9) as i64 - 4;
                self.pool.scale(a, &Rational::from(k))
            }
            6 if self.fragment.division => {
                let k = self.divisor();
                self.pool.int_div(a, k)
            }
            7 if self.fragment.division => {
                let k = self.divisor();
                self.pool.modulo(a, k)
            }
            8 if self.fragment.division => self.pool.abs(a),
            9 if self.fragment.reals => {
                let r = self.term(SortId::REAL, d);
                self.pool.to_int(r)
            }
            _ if self.fragment.nonlinear => {
                let b = self.term(SortId::INT, d);
                self.pool.mul(&[a, b])
            }
            _ => a,
        }
    }
    fn real_term(&mut self, d: usize) -> TermId {
        let a = self.term(SortId::REAL, d);
        match self.below(6) {
            0 | 1 => {
                let b = self.term(SortId::REAL, d);
                self.pool.add(&[a, b])
            }
            2 => {
                let b = self.term(SortId::REAL, d);
                self.pool.sub(a, b)
            }
            3 => {
                let k = self.below(9) as i64 - 4;
                self.pool.scale(a, &Rational::ratio(k, 3))
            }
            4 if self.fragment.ints => {
                let i = self.term(SortId::INT, d);
                self.pool.to_real(i)
            }
            _ => a,
        }
    }
    fn bv_term(&mut self, d: usize) -> TermId {
        use logic::Op::*;
        let w = self.pool.bitvec_width(self.bv).unwrap_or(1);
        let a = self.term(self.bv, d);
        let binary =
            [BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr];
        match self.below(binary.len() + 4) {
            k if k < binary.len() => {
                let b = self.term(self.bv, d);
                self.pool.bv(binary[k], &[a, b])
            }
            k if k == binary.len() => self.pool.bv(BvNot, &[a]),
            k if k == binary.len() + 1 => self.pool.bv(BvNeg, &[a]),
            k if k == binary.len() + 2 => {
                let lo = self.below(w as usize) as u32;
                let hi = lo + self.below((w - lo) as usize) as u32;
                let e = self.pool.bv(BvExtract(hi, lo), &[a]);
                let missing = w - (hi - lo + 1);
                let op = if self.chance(50) { BvZeroExt(missing) } else { BvSignExt(missing) };
                self.pool.bv(op, &[e])
            }
            _ => {
                let b = self.term(self.bv, d);
                let c = self.pool.bv(BvConcat, &[a, b]);
                let lo = self.below(w as usize + 1) as u32;
                self.pool.bv(BvExtract(lo + w - 1, lo), &[c])
            }
        }
    }
    pub(super) fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.leaf(SortId::BOOL);
        }
        let d = depth - 1;
        match self.below(20) {
            0 | 1 => {
                let a = self.formula(d);
                self.pool.not(a)
            }
            2..=4 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.pool.and2(a, b)
            }
            5..=7 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.pool.or2(a, b)
            }
            8 => {
                let (a, b) = (self.formula(d), self.formula(d));
                self.pool.eq(a, b)
            }
            9 => {
                let (c, a, b) = (self.formula(d), self.formula(d), self.formula(d));
                self.pool.ite(c, a, b)
            }
            _ => self.atom(d),
        }
    }
    pub(super) fn atom(&mut self, d: usize) -> TermId {
        let predicates: Vec<FunId> =
            self.functions.iter().copied().filter(|&f| self.pool.fun(f).result == SortId::BOOL).collect();
        if !predicates.is_empty() && self.chance(15) {
            let f = predicates[self.below(predicates.len())];
            return self.apply(f, d);
        }
        if let Some(t) = (self.chance(20)).then(|| self.read(SortId::BOOL, d)).flatten() {
            return t;
        }
        let sorts = self.sorts();
        let sort = sorts[self.below(sorts.len())];
        let (a, b) = (self.term(sort, d), self.term(sort, d));
        if sort.is_arith() && self.chance(60) {
            return match self.below(5) {
                0 | 1 => self.pool.le(a, b),
                2 => self.pool.lt(a, b),
                3 => self.pool.ge(a, b),
                _ if sort == SortId::REAL && self.fragment.ints => self.pool.is_int(a),
                _ => self.pool.gt(a, b),
            };
        }
        if sort == self.bv && self.fragment.bitvectors && self.chance(60) {
            use logic::Op::*;
            let op = [BvUlt, BvUle, BvSlt, BvSle][self.below(4)];
            return self.pool.bv(op, &[a, b]);
        }
        if self.chance(12) {
            let c = self.term(sort, d);
            return self.pool.distinct(&[a, b, c]);
        }
        self.pool.eq(a, b)
    }
}
