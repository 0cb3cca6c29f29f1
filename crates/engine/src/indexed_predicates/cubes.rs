//! Sets of combinations of truth values, and the formulas that they are.

use logic::{FastMap, TermId, TermPool};
use std::collections::BTreeSet;

/// The most predicates.
pub(super) const MAX_PREDICATES: usize = 60;

/// A set of combinations of the truth values of predicates, one bit each.
#[derive(Clone, Default)]
pub(super) struct Cubes {
    /// The predicates that matter.
    mask: u64,
    set: BTreeSet<u64>,
}

impl Cubes {
    /// `matters`: for each predicate, whether combinations speak of it.
    pub(super) fn new(matters: impl Iterator<Item = bool>) -> Cubes {
        let mask = matters.take(MAX_PREDICATES).enumerate().fold(0, |mask, (i, yes)| mask | u64::from(yes) << i);
        Cubes { mask, set: BTreeSet::new() }
    }
    pub(super) fn len(&self) -> usize {
        self.set.len()
    }
    /// Adds a combination; was it new?
    pub(super) fn add(&mut self, values: impl Iterator<Item = bool>) -> bool {
        let bits = values.enumerate().fold(0u64, |bits, (i, value)| bits | u64::from(value) << i);
        self.set.insert(bits & self.mask)
    }

    /// One of the combinations, as a decision diagram: what does not matter is not asked, what all have in common
    /// stands alone.
    pub(super) fn formula(&self, pool: &mut TermPool, predicates: &[TermId]) -> TermId {
        let all: Vec<u64> = self.set.iter().copied().collect();
        let mut common = Vec::new();
        let mut open = Vec::new();
        for (i, &predicate) in predicates.iter().enumerate().filter(|(i, _)| self.mask >> i & 1 == 1) {
            match all.iter().filter(|&&cube| cube >> i & 1 == 1).count() {
                _ if all.is_empty() => {}
                0 => common.push(pool.not(predicate)),
                n if n == all.len() => common.push(predicate),
                _ => open.push(i),
            }
        }
        let mut memo = FastMap::default();
        common.push(diagram(pool, predicates, &open, all, &mut memo));
        pool.and(&common)
    }
}

fn diagram(
    pool: &mut TermPool,
    predicates: &[TermId],
    open: &[usize],
    cubes: Vec<u64>,
    memo: &mut FastMap<(usize, Vec<u64>), TermId>,
) -> TermId {
    if cubes.is_empty() {
        return TermId::FALSE;
    }
    let Some((&i, rest)) = open.split_first() else { return TermId::TRUE };
    let key = (open.len(), cubes);
    if let Some(&known) = memo.get(&key) {
        return known;
    }
    let part = |value: u64| -> Vec<u64> {
        let chosen = key.1.iter().filter(|&&c| c >> i & 1 == value).map(|c| c & !(1 << i));
        let mut chosen: Vec<u64> = chosen.collect();
        chosen.sort_unstable();
        chosen
    };
    let (then, otherwise) = (part(1), part(0));
    let result = if then == otherwise {
        diagram(pool, predicates, rest, then, memo)
    } else {
        let (is_true, is_false) = (predicates[i], pool.not(predicates[i]));
        let then = diagram(pool, predicates, rest, then, memo);
        let otherwise = diagram(pool, predicates, rest, otherwise, memo);
        if otherwise == TermId::FALSE {
            pool.and2(is_true, then)
        } else if then == TermId::FALSE {
            pool.and2(is_false, otherwise)
        } else {
            let then = pool.or2(is_false, then);
            let otherwise = pool.or2(is_true, otherwise);
            pool.and2(then, otherwise)
        }
    };
    memo.insert(key, result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Model, SortId, Value};

    /// The formula is true for exactly the combinations of the set.
    #[test]
    fn formula_is_the_set() {
        const N: usize = 4;
        let mut pool = TermPool::new();
        let predicates: Vec<TermId> = (0..N).map(|_| pool.fresh_constant("p", SortId::BOOL)).collect();
        let mut random = base::Random::new(7);
        for _ in 0..200 {
            let members = random.bits() as u32 & ((1 << (1 << N)) - 1) as u32;
            let mut cubes = Cubes::new([true; N].into_iter());
            for cube in (0..1u64 << N).filter(|c| members >> c & 1 == 1) {
                assert!(cubes.add((0..N).map(|i| cube >> i & 1 == 1)));
                assert!(!cubes.add((0..N).map(|i| cube >> i & 1 == 1)));
            }
            let formula = cubes.formula(&mut pool, &predicates);
            for cube in 0..1u64 << N {
                let mut model = Model::new();
                for (i, &p) in predicates.iter().enumerate() {
                    if let Some(symbol) = pool.as_symbol(p) {
                        model.set(symbol, Value::Bool(cube >> i & 1 == 1));
                    }
                }
                assert_eq!(model.holds(&pool, formula), Ok(members >> cube & 1 == 1));
            }
        }
    }

    /// What does not matter is not asked.
    #[test]
    fn formula_without_some() {
        let mut pool = TermPool::new();
        let predicates: Vec<TermId> = (0..3).map(|_| pool.fresh_constant("p", SortId::BOOL)).collect();
        let mut cubes = Cubes::new([true, false, true].into_iter());
        assert!(cubes.add([true, true, false].into_iter()));
        assert!(!cubes.add([true, false, false].into_iter()));
        let wanted = pool.not(predicates[2]);
        let wanted = pool.and2(predicates[0], wanted);
        assert_eq!(cubes.formula(&mut pool, &predicates), wanted);
    }
}
