//! Symbolic evaluation: values of terms and conditions in an abstract state, with a fresh symbol for each value
//! that is read and not known.

use super::facts::{are_distinct, decide_choices, escape, replace};
use super::{Facts, Threads};
use logic::{FastMap, Op, Rational, SortId, TermId, TermPool};

/// Terms with more distinct subterms than this are replaced by symbols.
const MAX_TERM: usize = 80;

/// The most conditions that are kept.
const MAX_CONDITIONS: usize = 48;

/// A source of symbols.
pub type NewSymbol<'a> = dyn FnMut(&mut TermPool, SortId) -> TermId + 'a;

impl Threads<'_> {
    /// Adds a condition that was tested; `false` if it cannot hold.
    pub fn assume(&self, pool: &mut TermPool, facts: &mut Facts, condition: TermId) -> bool {
        let condition = decide_choices(pool, condition);
        if condition == TermId::FALSE {
            return false;
        }
        for part in pool.conjuncts(condition) {
            if part == TermId::TRUE {
                continue;
            }
            if let Some((symbol, value)) = self.definition(pool, facts, part) {
                if !replace(pool, facts, symbol, value) {
                    return false;
                }
                continue;
            }
            if facts.conditions.contains(&pool.not(part)) {
                return false;
            }
            if pool.dag_size(part) <= MAX_TERM && facts.conditions.len() < MAX_CONDITIONS {
                facts.conditions.insert(part);
            }
            // A lock that is held under this condition is held.
            let not = pool.not(part);
            facts.owned.retain(|_, c| *c != not);
            for condition in facts.owned.values_mut().filter(|c| **c == part) {
                *condition = TermId::TRUE;
            }
        }
        true
    }

    /// An equation that says what a symbol is.
    fn definition(&self, pool: &mut TermPool, facts: &Facts, part: TermId) -> Option<(TermId, TermId)> {
        let may = |pool: &TermPool, t: TermId| {
            pool.as_symbol(t).is_some()
                && pool.args(t).is_empty()
                && !self.pinned.contains(&t)
                && !facts.private.contains(&t)
        };
        match pool.op(part) {
            Op::Eq => {
                let (a, b) = (pool.arg(part, 0), pool.arg(part, 1));
                for (symbol, value) in [(a, b), (b, a)] {
                    if may(pool, symbol) && !pool.free_constants(value).contains(&symbol) {
                        return Some((symbol, value));
                    }
                }
                // k * s = t, s + t = u: whatever symbol stands alone.
                if pool.sort(a) != SortId::INT {
                    return None;
                }
                let mut linear = pool.linear(a);
                linear.add_scaled(&pool.linear(b), &Rational::from(-1));
                let units = [Rational::from(1), Rational::from(-1)];
                let (symbol, factor) =
                    linear.terms.iter().find(|(t, c)| may(pool, *t) && units.contains(c)).cloned()?;
                let mut rest = linear.clone();
                rest.terms.retain(|(t, _)| *t != symbol);
                if rest.terms.iter().any(|(t, _)| pool.free_constants(*t).contains(&symbol)) {
                    return None;
                }
                rest.scale(&-&factor);
                Some((symbol, pool.linear_term(&rest, SortId::INT)))
            }
            Op::App(_) if may(pool, part) => Some((part, TermId::TRUE)),
            Op::Not if may(pool, pool.arg(part, 0)) => Some((pool.arg(part, 0), TermId::FALSE)),
            _ => None,
        }
    }

    /// The value of a term; it may be a symbol that nothing else is known about.
    pub fn value(
        &self,
        pool: &mut TermPool,
        facts: &mut Facts,
        term: TermId,
        new_symbol: &mut NewSymbol<'_>,
    ) -> TermId {
        let value = self.evaluate(pool, facts, term, new_symbol);
        self.closed(pool, facts, value, new_symbol)
    }

    /// A value without shared arrays, and not too large.
    pub(super) fn closed(
        &self,
        pool: &mut TermPool,
        facts: &mut Facts,
        value: TermId,
        new_symbol: &mut NewSymbol<'_>,
    ) -> TermId {
        let mut has_variable = false;
        let mut size = 0;
        pool.visit_postorder(&[value], |t| {
            size += 1;
            has_variable |= self.index.var(t).is_some();
        });
        if !has_variable && size <= MAX_TERM {
            return value;
        }
        // The symbol may be an address in disguise.
        escape(pool, facts, value);
        new_symbol(pool, pool.sort(value))
    }

    /// A term in which only shared arrays are left of the program's variables.
    pub(super) fn evaluate(
        &self,
        pool: &mut TermPool,
        facts: &mut Facts,
        term: TermId,
        new_symbol: &mut NewSymbol<'_>,
    ) -> TermId {
        if pool.has_quantifier(term) {
            facts.private.clear();
            return new_symbol(pool, pool.sort(term));
        }
        let mut order = Vec::new();
        pool.visit_postorder(&[term], |t| order.push(t));
        let mut done: FastMap<TermId, TermId> = FastMap::default();
        for t in order {
            let value = if let Some(v) = self.index.var(t) {
                let sort = pool.sort(t);
                match (self.is_global(v), pool.array_parts(sort).is_some()) {
                    (true, true) => t,
                    (true, false) => *facts.cells.entry((v, None)).or_insert_with(|| new_symbol(pool, sort)),
                    (false, _) => *facts.locals.entry(v).or_insert_with(|| new_symbol(pool, sort)),
                }
            } else if pool.op(t) == Op::Select {
                let (array, index) = (done[&pool.arg(t, 0)], done[&pool.arg(t, 1)]);
                self.read(pool, facts, array, index, new_symbol)
            } else {
                let args: Vec<TermId> = pool.args(t).iter().map(|a| done[a]).collect();
                pool.rebuild(t, &args)
            };
            done.insert(t, value);
        }
        done[&term]
    }

    fn read(
        &self,
        pool: &mut TermPool,
        facts: &mut Facts,
        array: TermId,
        index: TermId,
        new_symbol: &mut NewSymbol<'_>,
    ) -> TermId {
        let mut array = array;
        let element = pool.element_sort(array);
        while pool.op(array) == Op::Store {
            let (inner, i, value) = (pool.arg(array, 0), pool.arg(array, 1), pool.arg(array, 2));
            if i == index {
                return value;
            }
            if !are_distinct(pool, facts, Some(i), Some(index)) {
                break;
            }
            array = inner;
        }
        match self.index.var(array) {
            Some(v) if self.is_global(v) => {
                let index = self.closed(pool, facts, index, new_symbol);
                let sort = element.unwrap_or(SortId::INT);
                *facts.cells.entry((v, Some(index))).or_insert_with(|| new_symbol(pool, sort))
            }
            _ => pool.select(array, index),
        }
    }
}
