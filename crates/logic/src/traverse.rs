//! Walking over terms as DAGs: substitution, free symbols, size. All iterative and memoised, so
//! shared subterms cost once and deep terms do not overflow the stack.

use crate::term::{FunId, Op, TermId, TermPool};
use crate::{FastMap, FastSet};

/// A substitution of terms for terms (usually for constants), with its memo: apply one
/// `Substitution` to many terms and shared parts are rewritten once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    memo: FastMap<TermId, TermId>,
}

impl Substitution {
    pub fn new() -> Substitution {
        Substitution::default()
    }
    pub fn from_pairs(pairs: impl IntoIterator<Item = (TermId, TermId)>) -> Substitution {
        Substitution { memo: pairs.into_iter().collect() }
    }
    /// Adds a pair. Only before the first use: later pairs would miss what the memo holds.
    pub fn insert(&mut self, from: TermId, to: TermId) {
        self.memo.insert(from, to);
    }
    pub fn apply(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        let mut stack = vec![root];
        let mut args = Vec::new();
        while let Some(&t) = stack.last() {
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(t).iter().filter(|a| !self.memo.contains_key(*a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            args.clear();
            args.extend(pool.args(t).iter().map(|a| self.memo[a]));
            let result = match pool.op(t) {
                // Patterns mention the same symbols as the body.
                Op::Forall(q) if !pool.quantifier(q).patterns.is_empty() => {
                    let quantifier = pool.quantifier(q).clone();
                    let mut patterns = Vec::with_capacity(quantifier.patterns.len());
                    for pattern in &quantifier.patterns {
                        let mut rewritten = Vec::with_capacity(pattern.len());
                        for &p in pattern {
                            rewritten.push(self.apply(pool, p));
                        }
                        patterns.push(rewritten);
                    }
                    pool.forall(&quantifier.vars, patterns, args[0])
                }
                _ => pool.rebuild(t, &args),
            };
            self.memo.insert(t, result);
        }
        self.memo[&root]
    }
}

impl TermPool {
    /// Replaces each left term by its right one, everywhere at once.
    pub fn substitute(&mut self, t: TermId, pairs: &[(TermId, TermId)]) -> TermId {
        if pairs.is_empty() {
            return t;
        }
        Substitution::from_pairs(pairs.iter().copied()).apply(self, t)
    }

    /// Visits every subterm of the roots once, arguments before the terms that hold them.
    pub fn visit_postorder(&self, roots: &[TermId], mut visit: impl FnMut(TermId)) {
        let mut seen: FastSet<TermId> = FastSet::default();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&t| (t, false)).collect();
        while let Some((t, expanded)) = stack.pop() {
            if expanded {
                visit(t);
            } else if seen.insert(t) {
                stack.push((t, true));
                stack.extend(self.args(t).iter().rev().filter(|a| !seen.contains(*a)).map(|&a| (a, false)));
            }
        }
    }

    /// The declared symbols in a term that no quantifier binds, sorted.
    pub fn free_symbols(&self, t: TermId) -> Vec<FunId> {
        self.free_symbols_of(&[t])
    }
    pub fn free_symbols_of(&self, roots: &[TermId]) -> Vec<FunId> {
        let mut symbols = Vec::new();
        self.visit_postorder(roots, |t| {
            if let Op::App(f) = self.op(t)
                && !self.fun(f).bound
            {
                symbols.push(f);
            }
        });
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }
    /// The free constants (0-ary symbols) of a term, as terms, sorted.
    pub fn free_constants(&self, t: TermId) -> Vec<TermId> {
        let mut constants = Vec::new();
        self.visit_postorder(&[t], |t| {
            if self.as_symbol(t).is_some_and(|f| !self.fun(f).bound) {
                constants.push(t);
            }
        });
        constants.sort_unstable();
        constants
    }
    /// The number of distinct subterms.
    pub fn dag_size(&self, t: TermId) -> usize {
        let mut n = 0;
        self.visit_postorder(&[t], |_| n += 1);
        n
    }
    pub fn has_quantifier(&self, t: TermId) -> bool {
        let mut found = false;
        self.visit_postorder(&[t], |t| found |= matches!(self.op(t), Op::Forall(_) | Op::Exists(_)));
        found
    }
    /// The top-level conjuncts of a formula.
    pub fn conjuncts(&self, t: TermId) -> Vec<TermId> {
        match self.op(t) {
            Op::And => self.args(t).to_vec(),
            Op::True => Vec::new(),
            _ => vec![t],
        }
    }
    pub fn disjuncts(&self, t: TermId) -> Vec<TermId> {
        match self.op(t) {
            Op::Or => self.args(t).to_vec(),
            Op::False => Vec::new(),
            _ => vec![t],
        }
    }
}
