//! Walking over terms as DAGs: substitution, free symbols, size. All iterative and memoised, so
//! shared subterms cost once and deep terms do not overflow the stack.

use crate::term::{FunId, Op, QuantId, Quantifier, TermId, TermPool};
use crate::{FastMap, FastSet};

/// A substitution of terms for terms (usually for constants), with its memo: apply one
/// `Substitution` to many terms and shared parts are rewritten once.
///
/// Below a quantifier that binds a replaced variable again, that variable stays. The other danger,
/// a replacement that mentions a variable which a quantifier of the target binds, cannot arise as
/// long as bound variables never leave their quantifier without being replaced by fresh symbols.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    pairs: Vec<(TermId, TermId)>,
    memo: FastMap<TermId, TermId>,
}

impl Substitution {
    pub fn new() -> Substitution {
        Substitution::default()
    }
    pub fn from_pairs(pairs: impl IntoIterator<Item = (TermId, TermId)>) -> Substitution {
        let pairs: Vec<(TermId, TermId)> = pairs.into_iter().collect();
        let memo = pairs.iter().copied().collect();
        Substitution { pairs, memo }
    }
    /// Adds a pair. Only before the first use: later pairs would miss what the memo holds.
    pub fn insert(&mut self, from: TermId, to: TermId) {
        self.pairs.push((from, to));
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
            if let Op::Forall(q) | Op::Exists(q) = pool.op(t) {
                let result = self.apply_to_quantifier(pool, t, q);
                self.memo.insert(t, result);
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
            let result = pool.rebuild(t, &args);
            self.memo.insert(t, result);
        }
        self.memo[&root]
    }

    /// Recursion here is as deep as quantifiers are nested.
    fn apply_to_quantifier(&mut self, pool: &mut TermPool, t: TermId, q: QuantId) -> TermId {
        let Quantifier { vars, patterns } = pool.quantifier(q).clone();
        let body = pool.arg(t, 0);
        let shadowing = self.pairs.iter().any(|(from, _)| vars.contains(from));
        let mut inner = shadowing
            .then(|| Substitution::from_pairs(self.pairs.iter().copied().filter(|(from, _)| !vars.contains(from))));
        let inner = inner.as_mut().unwrap_or(self);
        let body = inner.apply(pool, body);
        // Patterns mention the same symbols as the body.
        let mut rewritten = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            rewritten.push(pattern.into_iter().map(|p| inner.apply(pool, p)).collect());
        }
        match pool.op(t) {
            Op::Forall(_) => pool.forall(&vars, rewritten, body),
            _ => pool.exists(&vars, body),
        }
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

    /// The same formula with new variables in all its quantifiers. Whoever copies a quantified
    /// formula into another one uses this, so that no variable is bound twice on a path.
    pub fn freshen_binders(&mut self, root: TermId) -> TermId {
        let mut order = Vec::new();
        self.visit_postorder(&[root], |t| order.push(t));
        let mut fresh: FastMap<TermId, TermId> = FastMap::default();
        for t in order {
            let args: Vec<TermId> = self.args(t).iter().map(|a| fresh[a]).collect();
            let result = match self.op(t) {
                Op::Forall(q) | Op::Exists(q) => {
                    let Quantifier { vars, patterns } = self.quantifier(q).clone();
                    let mut renaming = Substitution::new();
                    let mut new_vars = Vec::with_capacity(vars.len());
                    for v in vars {
                        let name = self.as_symbol(v).map_or("x", |f| self.name(f));
                        let hint = name.rsplit_once('!').map_or(name, |(hint, _)| hint).to_string();
                        let new = self.fresh_bound(&hint, self.sort(v));
                        renaming.insert(v, new);
                        new_vars.push(new);
                    }
                    let body = renaming.apply(self, args[0]);
                    let patterns = patterns
                        .into_iter()
                        .map(|pattern| pattern.into_iter().map(|p| renaming.apply(self, p)).collect())
                        .collect();
                    match self.op(t) {
                        Op::Forall(_) => self.forall(&new_vars, patterns, body),
                        _ => self.exists(&new_vars, body),
                    }
                }
                _ => self.rebuild(t, &args),
            };
            fresh.insert(t, result);
        }
        fresh[&root]
    }

    /// The same formula for all formulas that differ only in the names of bound variables and in patterns. The
    /// variables of a quantifier are chosen by its height (how deep quantifiers are nested below it), so those inside
    /// never capture them, and an instance of a normal form is one, too, unless a quantifier inside vanishes.
    pub fn alpha_normal(&mut self, root: TermId) -> TermId {
        let mut order = Vec::new();
        self.visit_postorder(&[root], |t| order.push(t));
        let mut normal: FastMap<TermId, TermId> = FastMap::default();
        for t in order {
            let args: Vec<TermId> = self.args(t).iter().map(|a| normal[a]).collect();
            let result = match self.op(t) {
                op @ (Op::Forall(q) | Op::Exists(q)) => {
                    let height = self.quantifier_height(args[0]);
                    let vars = self.quantifier(q).vars.clone();
                    let renamed: Vec<TermId> =
                        vars.iter().enumerate().map(|(k, &v)| self.normal_variable(height, k, self.sort(v))).collect();
                    let pairs: Vec<(TermId, TermId)> = vars.into_iter().zip(renamed.iter().copied()).collect();
                    let body = self.substitute(args[0], &pairs);
                    match op {
                        Op::Forall(_) => self.forall(&renamed, Vec::new(), body),
                        _ => self.exists(&renamed, body),
                    }
                }
                _ => self.rebuild(t, &args),
            };
            normal.insert(t, result);
        }
        normal[&root]
    }
    /// How deep quantifiers are nested in a formula.
    fn quantifier_height(&self, root: TermId) -> usize {
        let mut heights: FastMap<TermId, usize> = FastMap::default();
        self.visit_postorder(&[root], |t| {
            let below = self.args(t).iter().map(|a| heights[a]).max().unwrap_or(0);
            let own = usize::from(matches!(self.op(t), Op::Forall(_) | Op::Exists(_)));
            heights.insert(t, below + own);
        });
        heights[&root]
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
    /// Is this a variable of a quantifier?
    pub fn is_bound_variable(&self, t: TermId) -> bool {
        self.as_symbol(t).is_some_and(|f| self.fun(f).bound)
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
