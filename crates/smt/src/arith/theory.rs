//! Arithmetic as a theory of the solver: from atoms to bounds and back to clauses.
//!
//! The term pool has already normalised the atoms (see `logic::term`): `s ≤ c`, `s < c` and `a = b` over a linear form
//! whose coefficients are coprime integers. A form with one variable and coefficient 1 is that variable, every other
//! form gets a row of the simplex, once; an atom then *is* a bound, its negation the opposite one. Anything that is
//! not linear (`f(x)`, `a[i]`, `x mod 3`, `x·y`) is a column of its own under its own [`TermId`]: no fresh names, so
//! nothing can leak into interpolants. `to_real(x)` is the same column as `x`.
//!
//! Certificates. A conflict is a list of bounds with Farkas multipliers; each bound carries its literal. The evidence
//! counts the literals of the conflict like this: `s ≤ c` as `s − c ≤ 0`, `s < c` as `s − c < 0`, a negation as
//! `−s + c < 0` or `≤ 0` (integers: `−s + c + 1 ≤ 0`), and `a = b` as `a − b = 0`, with any sign of its multiplier.
//! Fixed variables and disequalities meet in trichotomy clauses.
//!
//! Order of the final check: rational feasibility, integers (`integers.rs`), disequalities, non-linear terms
//! (`nonlinear.rs`), then separating the values of shared terms as far as that is free, so that the combination with
//! other theories has fewer equalities to try.
//!
//! Scopes: what was announced in a scope is removed with it, rows included, so a solver that lives through thousands
//! of small queries does not slow down.

use base::{Id, IdVec};
use logic::{Linear, Op, Rational, SortId, TermId, TermPool, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::delta::Delta;
use super::simplex::{BoundId, Farkas, Feasibility, LinVar, Side, Simplex};
use super::weakening::WantedBound;
use crate::proof::Evidence;
use crate::real_algebra::Real;
use crate::sat::types::{LBool, Lit, Var};
use crate::theory::{Checked, Context, FinalCheck, Propagation, Theory, TheoryLemma};

/// How many moves may fail to give arguments different values.
const MAX_FAILED_SEPARATIONS: u32 = 64;

/// Longer rows keep their fixed variable: a chain `x₁ = x₀ + 1, x₂ = x₁ + 1, …` would give a tableau without zeros.
const LONGEST_FREED_ROW: usize = 8;

/// What an atom says about its form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `s ≤ c`.
    AtMost,
    /// `s < c`, over reals only.
    Below,
    /// `s = c`.
    Equal,
}

#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub form: LinVar,
    pub constant: Rational,
    pub shape: Shape,
    /// The atom's own sort is Int: its negation is a weak bound again.
    pub is_int: bool,
}

impl Atom {
    /// The bound that a truth value of an inequality stands for; equalities have two or none.
    pub(super) fn bound(&self, positive: bool) -> Option<(Side, Delta)> {
        let constant = self.constant.clone();
        match (self.shape, positive) {
            (Shape::AtMost, true) => Some((Side::Upper, Delta::from(constant))),
            (Shape::Below, true) => Some((Side::Upper, Delta::below(constant))),
            (Shape::AtMost, false) if self.is_int => Some((Side::Lower, Delta::from(constant + Rational::ONE))),
            (Shape::AtMost, false) => Some((Side::Lower, Delta::above(constant))),
            (Shape::Below, false) => Some((Side::Lower, Delta::from(constant))),
            (Shape::Equal, true | false) => None,
        }
    }
}

/// What a variable of the simplex stands for.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    Column(TermId),
    /// A form over columns; sorted as in the pool's normal form.
    Form(Vec<(LinVar, Rational)>),
    /// A removed variable, to be used again.
    Free,
}

#[derive(Clone, Debug)]
pub(super) struct Disequality {
    pub form: LinVar,
    pub constant: Rational,
    /// The (negative) literal.
    pub lit: Lit,
}

/// Why a literal was propagated; its index is the token.
#[derive(Clone, Debug)]
enum Explanation {
    /// The bound alone decides the literal.
    Bound(BoundId),
    /// Lower and upper bound meet at the constant of an equality.
    Fixed(BoundId, BoundId),
    /// A row implies a bound on this side: multiplier of the negated literal, true literals with theirs.
    Row(Side, Rational, Vec<(Lit, Rational)>),
}

/// An arithmetic term whose value other theories look at.
#[derive(Clone, Debug)]
pub(super) struct SharedTerm {
    form: Vec<(LinVar, Rational)>,
    constant: Rational,
}

impl SharedTerm {
    fn value(&self, simplex: &Simplex) -> Delta {
        let mut value = Delta::from(self.constant.clone());
        for (column, coeff) in &self.form {
            value.add_mul(coeff, simplex.value(*column));
        }
        value
    }
}

/// The values of the shared terms, and how many terms have each. Kept up to date while variables are moved.
struct Spread {
    values: Vec<Delta>,
    n_terms: FxHashMap<Delta, usize>,
    /// The terms over each column.
    terms_of: FxHashMap<LinVar, Vec<usize>>,
}

impl Spread {
    fn new(shared: &[SharedTerm], simplex: &Simplex) -> Spread {
        let mut spread = Spread { values: Vec::new(), n_terms: FxHashMap::default(), terms_of: FxHashMap::default() };
        for (k, term) in shared.iter().enumerate() {
            let value = term.value(simplex);
            *spread.n_terms.entry(value.clone()).or_default() += 1;
            spread.values.push(value);
            for (column, _) in &term.form {
                spread.terms_of.entry(*column).or_default().push(k);
            }
        }
        spread
    }
    fn n_collisions(&self) -> usize {
        self.values.len() - self.n_terms.len()
    }
    fn collides(&self, term: usize) -> bool {
        self.n_terms.get(&self.values[term]).is_some_and(|&n| n > 1)
    }
    /// The terms whose value changes with that of a nonbasic variable, in order.
    fn moving_with(&self, var: LinVar, simplex: &Simplex) -> Vec<usize> {
        let basics = simplex.column_of(var).map(|(basic, _, _)| basic);
        let mut terms: Vec<usize> =
            basics.chain([var]).filter_map(|v| self.terms_of.get(&v)).flatten().copied().collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
    fn update(&mut self, terms: &[usize], shared: &[SharedTerm], simplex: &Simplex) {
        for &k in terms {
            let value = shared[k].value(simplex);
            let old = std::mem::replace(&mut self.values[k], value.clone());
            if let Some(n) = self.n_terms.get_mut(&old) {
                *n -= 1;
                if *n == 0 {
                    self.n_terms.remove(&old);
                }
            }
            *self.n_terms.entry(value).or_default() += 1;
        }
    }
}

/// How high the undo stacks were at some moment.
#[derive(Clone, Copy, Debug)]
struct Mark {
    bounds: usize,
    disequalities: usize,
    explanations: usize,
}

/// What existed when a scope began.
#[derive(Clone, Copy, Debug)]
struct ScopeMark {
    mark: Mark,
    announced: usize,
    created: usize,
    shared: usize,
    arguments: usize,
    multiplied: usize,
}

/// Counters for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArithStats {
    pub propagations: u64,
    pub conflicts: u64,
    pub final_checks: u64,
    pub branches: u64,
    pub cuts: u64,
    pub divisibility_conflicts: u64,
    pub trichotomies: u64,
    pub nonlinear_lemmas: u64,
}

/// The theory of linear (and a little non-linear) arithmetic over integers and reals.
#[derive(Clone, Debug, Default)]
pub struct Arith {
    pub(super) simplex: Simplex,
    /// The column of each base term.
    columns: FxHashMap<TermId, LinVar>,
    /// The row variable of each form with more than one summand.
    forms: FxHashMap<Vec<(LinVar, Rational)>, LinVar>,
    pub(super) origins: IdVec<LinVar, Origin>,
    /// Columns and forms in the order of their creation.
    pub(super) created: Vec<LinVar>,
    /// The atoms by their SAT variables.
    atoms: Vec<Option<Atom>>,
    pub(super) announced: Vec<Var>,
    pub(super) atoms_of: IdVec<LinVar, Vec<Var>>,
    equality_atoms: FxHashMap<(LinVar, Rational), Var>,
    pub(super) disequalities: Vec<Disequality>,
    explanations: Vec<Explanation>,
    levels: Vec<Mark>,
    scopes: Vec<ScopeMark>,
    pub(super) shared: Vec<SharedTerm>,
    /// Shared terms that had better have different values: arguments of functions, but not their results.
    arguments: Vec<SharedTerm>,
    is_argument: FxHashSet<TermId>,
    arguments_log: Vec<TermId>,
    /// Forms whose bounds changed since the last propagation.
    changed: Vec<LinVar>,
    /// Values of columns after a successful final check.
    pub(super) values: FxHashMap<LinVar, Rational>,
    /// Conflicts and explanations in this scope, the bounds they asked for, and how many those were.
    pub(super) occasions: u32,
    pub(super) wanted: Vec<WantedBound>,
    pub(super) n_wanted: usize,
    /// Columns that are products of variables, and the rounds spent on them.
    pub(crate) products: Vec<TermId>,
    pub(super) product_rounds: u32,
    /// Equations and the terms they were multiplied by.
    pub(super) multiplied: Vec<(TermId, TermId)>,
    /// Atoms that only clauses about products of the present check have, and values tried: they need not be so.
    pub(crate) auxiliary: FxHashSet<Var>,
    /// Failures of coverings in a row.
    pub(super) covering_failures: u32,
    /// Did the last covering lead to a conflict or a branch?
    pub(super) covering_helped: bool,
    /// Are points with irrational coordinates of use, and the one that the last final check found.
    pub(crate) accepts_irrational: bool,
    pub(crate) irrational: Vec<(TermId, Real)>,
    /// Successive final checks that had to branch; reset when one succeeds.
    pub(super) branches_in_a_row: u32,
    pub(super) stats: ArithStats,
}

impl Arith {
    pub fn new() -> Arith {
        Arith::default()
    }

    pub fn stats(&self) -> ArithStats {
        self.stats
    }

    /// The value of an arithmetic term in the model that the last final check found. Terms that were never announced
    /// have no value.
    pub fn rational_value(&self, pool: &TermPool, term: TermId) -> Option<Rational> {
        let linear = pool.linear(term);
        let mut value = linear.constant;
        for (base, coeff) in &linear.terms {
            let column = self.columns.get(&base_of(pool, *base))?;
            value.add_mul(coeff, self.values.get(column)?);
        }
        Some(value)
    }

    /// A check begins.
    pub(crate) fn start_check(&mut self) {
        // By now they may be part of an assertion.
        self.auxiliary.clear();
    }

    /// The literal of a term for a clause that is only to guide the search.
    pub(super) fn own_literal(&mut self, cx: &mut Context<'_>, term: TermId) -> Lit {
        let atom = if cx.pool.op(term) == Op::Not { cx.pool.arg(term, 0) } else { term };
        let is_new = cx.atoms.var(atom).is_none_or(|var| !cx.atoms.is_active(var));
        let lit = literal(cx, term);
        if is_new {
            self.auxiliary.insert(lit.var());
        }
        lit
    }

    /// The base terms that have a value, with it, in the order they were met.
    pub fn model(&self) -> impl Iterator<Item = (TermId, &Rational)> {
        self.created.iter().filter_map(|var| match &self.origins[*var] {
            Origin::Column(term) => Some((*term, self.values.get(var)?)),
            Origin::Form(_) | Origin::Free => None,
        })
    }

    pub(super) fn atom(&self, var: Var) -> Option<&Atom> {
        self.atoms.get(var.index())?.as_ref()
    }

    // ---- terms to columns and forms ----

    fn adopt(&mut self, var: LinVar, origin: Origin) {
        if var.index() == self.origins.len() {
            self.origins.push(origin);
            self.atoms_of.push(Vec::new());
        } else {
            self.origins[var] = origin;
        }
        self.created.push(var);
    }

    pub(super) fn column(&mut self, pool: &mut TermPool, term: TermId) -> LinVar {
        let term = base_of(pool, term);
        if let Some(&column) = self.columns.get(&term) {
            return column;
        }
        let column = self.simplex.new_var(pool.sort(term) == SortId::INT);
        self.columns.insert(term, column);
        self.adopt(column, Origin::Column(term));
        if super::nonlinear::is_product(pool, term) {
            self.note_product(pool, column);
        }
        column
    }

    /// The variable of a term that is a known column, perhaps with `to_real` around it.
    pub(super) fn known_column(&self, pool: &TermPool, term: TermId) -> Option<LinVar> {
        self.columns.get(&base_of(pool, term)).copied()
    }

    /// The simplex variable of a primitive linear form (its constant is not looked at). Not empty.
    pub(super) fn form(&mut self, pool: &mut TermPool, linear: &Linear) -> LinVar {
        let form: Vec<(LinVar, Rational)> =
            linear.terms.iter().map(|(base, coeff)| (self.column(pool, *base), coeff.clone())).collect();
        if let [(column, coeff)] = &form[..]
            && coeff.is_one()
        {
            return *column;
        }
        if let Some(&name) = self.forms.get(&form) {
            return name;
        }
        let is_int = form.iter().all(|(column, coeff)| self.simplex.is_int(*column) && coeff.is_integer());
        let name = self.simplex.new_form(&form, is_int);
        self.forms.insert(form.clone(), name);
        self.adopt(name, Origin::Form(form));
        name
    }

    fn shared_term(&mut self, pool: &mut TermPool, term: TermId) -> SharedTerm {
        let linear = pool.linear(term);
        let form = linear.terms.iter().map(|(base, coeff)| (self.column(pool, *base), coeff.clone())).collect();
        SharedTerm { form, constant: linear.constant }
    }

    /// From now on, try to give a shared term another value than other such terms have: an equality of arguments has
    /// consequences, while one of results has none.
    pub(crate) fn new_argument(&mut self, pool: &mut TermPool, term: TermId) {
        if pool.sort(term).is_arith() && self.is_argument.insert(term) {
            let argument = self.shared_term(pool, term);
            self.arguments.push(argument);
            self.arguments_log.push(term);
        }
    }

    /// Is an inequality true at the present point? A decision that follows it costs no pivot.
    pub(crate) fn present_truth(&self, var: Var) -> Option<bool> {
        let atom = self.atom(var)?;
        let (side, bound) = atom.bound(true)?;
        let value = self.simplex.value(atom.form);
        Some(match side {
            Side::Upper => *value <= bound,
            Side::Lower => *value >= bound,
        })
    }

    /// The form of a variable over columns.
    pub(super) fn definition(&self, var: LinVar) -> Vec<(LinVar, Rational)> {
        match &self.origins[var] {
            Origin::Column(_) | Origin::Free => vec![(var, Rational::ONE)],
            Origin::Form(form) => form.clone(),
        }
    }

    /// The linear combination of terms that a variable stands for, and its sort. A mix of Int and Real columns is
    /// a Real combination.
    pub(super) fn linear_of(&self, pool: &mut TermPool, form: &[(LinVar, Rational)]) -> (Linear, SortId) {
        let is_int = form.iter().all(|(column, coeff)| self.simplex.is_int(*column) && coeff.is_integer());
        let mut linear = Linear::default();
        for (column, coeff) in form {
            if let Origin::Column(term) = self.origins[*column] {
                let term = if is_int { term } else { pool.to_real(term) };
                linear.add_term(term, coeff);
            }
        }
        (linear, if is_int { SortId::INT } else { SortId::REAL })
    }

    /// The atom's normal form; `None` if it is no arithmetic atom.
    fn read_atom(&mut self, pool: &mut TermPool, term: TermId) -> Option<Atom> {
        let &[left, right] = pool.args(term) else { return None };
        let is_int = pool.sort(left) == SortId::INT;
        let shape = match pool.op(term) {
            Op::Le => Shape::AtMost,
            Op::Lt => Shape::Below,
            Op::Eq if pool.sort(left).is_arith() => Shape::Equal,
            _ => return None,
        };
        let mut linear = pool.linear(left);
        linear.add_scaled(&pool.linear(right), &Rational::MINUS_ONE);
        if linear.terms.is_empty() {
            return None;
        }
        let constant = -&linear.constant;
        Some(Atom { form: self.form(pool, &linear), constant, shape, is_int })
    }

    // ---- clauses ----

    pub(super) fn reason_lit(&self, id: BoundId) -> Lit {
        Lit(self.simplex.bound(id).reason)
    }

    /// The clause of a conflict between true literals, with `head` (a literal of the clause and its multiplier) first
    /// if there is one.
    pub(super) fn farkas_lemma(&self, head: Option<(Lit, Rational)>, conflict: Vec<(Lit, Rational)>) -> TheoryLemma {
        let n_kept = usize::from(head.is_some());
        let mut parts: Vec<(Lit, Rational)> = Vec::with_capacity(conflict.len() + 1);
        parts.extend(head);
        for (reason, signed) in conflict {
            match parts.iter_mut().find(|(lit, _)| *lit == !reason) {
                Some((_, sum)) => *sum += signed,
                None => parts.push((!reason, signed)),
            }
        }
        // An equality used from both sides may have cancelled itself.
        let mut index = 0;
        parts.retain(|(_, multiplier)| {
            index += 1;
            index <= n_kept || !multiplier.is_zero()
        });
        let (lits, coefficients) = parts.into_iter().unzip();
        TheoryLemma { lits, evidence: Evidence::Farkas(coefficients) }
    }

    pub(super) fn conflict(&mut self, cx: &Context<'_>, farkas: &[(BoundId, Rational)]) -> TheoryLemma {
        self.stats.conflicts += 1;
        self.occasions = self.occasions.saturating_add(1);
        let total = self.total(farkas);
        let parts = self.weakened(cx, farkas, total);
        self.farkas_lemma(None, parts)
    }

    /// The clause that says: the form is fixed, so the equality holds. If one of the two bounds comes from an
    /// equality, it is the same equality written with other sorts.
    fn fixed_lemma(&self, equality: Lit, lower: BoundId, upper: BoundId) -> TheoryLemma {
        let reasons = [self.reason_lit(lower), self.reason_lit(upper)];
        let twin = reasons.into_iter().find(|lit| self.atom(lit.var()).is_some_and(|atom| atom.shape == Shape::Equal));
        match twin {
            Some(twin) => TheoryLemma { lits: vec![equality, !twin], evidence: Evidence::Bridge },
            None => {
                let lits = vec![equality, !reasons[0], !reasons[1]];
                TheoryLemma { lits, evidence: Evidence::Trichotomy }
            }
        }
    }

    /// The clause `s < c ∨ s = c ∨ s > c` as literals, from which the equality's literal can be told by its place
    /// (the second).
    pub(super) fn trichotomy(
        &mut self,
        cx: &mut Context<'_>,
        form: LinVar,
        constant: &Rational,
        equality: Lit,
    ) -> TheoryLemma {
        self.stats.trichotomies += 1;
        let definition = self.definition(form);
        let equality_is_int = self.atom(equality.var()).is_none_or(|atom| atom.is_int);
        let (mut linear, mut sort) = self.linear_of(cx.pool, &definition);
        if sort == SortId::INT && !equality_is_int {
            // The equality is one of reals over integer columns: so are the bounds.
            let mut real = Linear::default();
            for (term, coeff) in &linear.terms {
                let term = cx.pool.to_real(*term);
                real.add_term(term, coeff);
            }
            (linear, sort) = (real, SortId::REAL);
        }
        let left = cx.pool.linear_term(&linear, sort);
        let right = cx.pool.num(constant.clone(), sort);
        let below = cx.pool.lt(left, right);
        let above = cx.pool.lt(right, left);
        let lits = vec![literal(cx, below), equality, literal(cx, above)];
        TheoryLemma { lits, evidence: Evidence::Trichotomy }
    }

    /// The true literal `s = c` if there is one.
    pub(super) fn holding_equality(&self, cx: &Context<'_>, form: LinVar, constant: &Rational) -> Option<Lit> {
        for side in [Side::Lower, Side::Upper] {
            let reason = self.simplex.bound_id(form, side).map(|id| self.reason_lit(id));
            if let Some(reason) = reason
                && self.atom(reason.var()).is_some_and(|atom| atom.shape == Shape::Equal)
            {
                return Some(reason);
            }
        }
        let var = *self.equality_atoms.get(&(form, constant.clone()))?;
        (cx.value(var.positive()) == LBool::True).then(|| var.positive())
    }

    /// The literal `s = c`, made if need be.
    pub(super) fn equality_literal(&self, cx: &mut Context<'_>, form: LinVar, constant: &Rational) -> Lit {
        if let Some(var) = self.equality_atoms.get(&(form, constant.clone())) {
            return var.positive();
        }
        let definition = self.definition(form);
        let (linear, sort) = self.linear_of(cx.pool, &definition);
        let left = cx.pool.linear_term(&linear, sort);
        let right = cx.pool.num(constant.clone(), sort);
        let term = cx.pool.eq(left, right);
        literal(cx, term)
    }

    // ---- marks ----

    fn mark(&self) -> Mark {
        Mark {
            bounds: self.simplex.mark(),
            disequalities: self.disequalities.len(),
            explanations: self.explanations.len(),
        }
    }

    fn restore(&mut self, mark: Mark) {
        self.simplex.backtrack(mark.bounds);
        self.disequalities.truncate(mark.disequalities);
        self.explanations.truncate(mark.explanations);
        self.changed.clear();
    }

    // ---- propagation ----

    /// Appends the open atoms of a form that its bounds decide. A false equality whose form is fixed at its constant
    /// is a conflict.
    fn propagate_bounds(&mut self, cx: &Context<'_>, form: LinVar, out: &mut Vec<Propagation>) -> Option<TheoryLemma> {
        let lower = self.simplex.bound_id(form, Side::Lower);
        let upper = self.simplex.bound_id(form, Side::Upper);
        for index in 0..self.atoms_of[form].len() {
            let var = self.atoms_of[form][index];
            let truth = cx.value(var.positive());
            let Some(atom) = self.atom(var) else { continue };
            if truth != LBool::Undef {
                if truth == LBool::False
                    && atom.shape == Shape::Equal
                    && let (Some(lower), Some(upper)) = (lower, upper)
                    && self.simplex.bound(lower).value == self.simplex.bound(upper).value
                    && self.simplex.bound(lower).value == Delta::from(atom.constant.clone())
                {
                    return Some(self.fixed_lemma(var.positive(), lower, upper));
                }
                continue;
            }
            let below = lower.filter(|&id| self.rules_out_below(atom, &self.simplex.bound(id).value));
            let above = upper.filter(|&id| self.rules_out_above(atom, &self.simplex.bound(id).value));
            let verdict = match atom.shape {
                Shape::AtMost | Shape::Below => match (below, above) {
                    (Some(id), _) => Some((false, Explanation::Bound(id))),
                    (None, Some(id)) => Some((true, Explanation::Bound(id))),
                    (None, None) => None,
                },
                Shape::Equal => match (below, above, lower, upper) {
                    (Some(id), ..) | (None, Some(id), ..) => Some((false, Explanation::Bound(id))),
                    (None, None, Some(lower), Some(upper))
                        if self.simplex.bound(lower).value == self.simplex.bound(upper).value =>
                    {
                        Some((true, Explanation::Fixed(lower, upper)))
                    }
                    (None, None, ..) => None,
                },
            };
            if let Some((positive, explanation)) = verdict {
                self.push_propagation(var.lit(positive), explanation, out);
            }
        }
        None
    }

    /// Does a lower bound make the atom false?
    fn rules_out_below(&self, atom: &Atom, lower: &Delta) -> bool {
        match atom.shape {
            Shape::AtMost | Shape::Equal => *lower > Delta::from(atom.constant.clone()),
            Shape::Below => *lower > Delta::below(atom.constant.clone()),
        }
    }

    /// Does an upper bound make the inequality true, or the equality false?
    fn rules_out_above(&self, atom: &Atom, upper: &Delta) -> bool {
        match atom.shape {
            // The negation is `s ≥ c + 1`; an upper bound below that suffices.
            Shape::AtMost if atom.is_int => *upper < Delta::from(&atom.constant + Rational::ONE),
            Shape::AtMost => *upper < Delta::above(atom.constant.clone()),
            Shape::Below | Shape::Equal => *upper < Delta::from(atom.constant.clone()),
        }
    }

    fn push_propagation(&mut self, lit: Lit, explanation: Explanation, out: &mut Vec<Propagation>) {
        self.stats.propagations += 1;
        let token = self.explanations.len() as u32;
        self.explanations.push(explanation);
        out.push(Propagation { lit, token });
    }

    /// Appends open atoms that a row decides together with the bounds of its other variables.
    fn propagate_rows(&mut self, cx: &Context<'_>, out: &mut Vec<Propagation>) {
        let mut found: Vec<(Lit, Side, Rational, Farkas)> = Vec::new();
        let mut simplex = std::mem::take(&mut self.simplex);
        simplex.implied_bounds(|simplex, implied| {
            for &var in &self.atoms_of[implied.var] {
                if cx.value(var.positive()) != LBool::Undef {
                    continue;
                }
                let Some(atom) = self.atom(var) else { continue };
                let decided = match implied.side {
                    Side::Lower => self.rules_out_below(atom, &implied.value).then_some(false),
                    Side::Upper => {
                        let positive = atom.shape != Shape::Equal;
                        self.rules_out_above(atom, &implied.value).then_some(positive)
                    }
                };
                if let Some(positive) = decided {
                    let lit = var.lit(positive);
                    if out.iter().all(|p| p.lit != lit) && found.iter().all(|(other, ..)| *other != lit) {
                        let (own, premises) = simplex.premises(&implied);
                        found.push((lit, implied.side, own, premises));
                    }
                }
            }
        });
        self.simplex = simplex;
        for (lit, side, own, premises) in found {
            // The negation of the literal is the last bound of the conflict.
            let mut total = self.total(&premises);
            let negated = self.atom(lit.var()).map(|atom| match atom.bound(!lit.is_positive()) {
                Some((_, value)) => value,
                None => Delta::from(atom.constant.clone()),
            });
            let Some(negated) = negated else { continue };
            match side {
                Side::Upper => total.add_mul(&-&own, &negated),
                Side::Lower => total.add_mul(&own, &negated),
            }
            debug_assert!(total < Delta::ZERO);
            let parts = self.weakened(cx, &premises, total);
            self.push_propagation(lit, Explanation::Row(side, own, parts), out);
        }
    }

    /// The sign with which the negation of a propagated literal takes part in a sum: a false equality is used from
    /// the side opposite to the bound that refutes it.
    fn head(&self, lit: Lit, multiplier: Rational, refuted_by: Side) -> (Lit, Rational) {
        let is_equality = self.atom(lit.var()).is_some_and(|atom| atom.shape == Shape::Equal);
        match refuted_by {
            // The equality serves as a lower bound.
            Side::Upper if is_equality => (lit, -multiplier),
            Side::Upper | Side::Lower => (lit, multiplier),
        }
    }

    // ---- final check ----

    fn check_disequalities(&mut self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        for index in 0..self.disequalities.len() {
            if self.is_violated(&self.disequalities[index]) {
                let form = self.disequalities[index].form;
                self.dodge(form);
            }
        }
        let stubborn: Vec<Disequality> =
            self.disequalities.iter().filter(|disequality| self.is_violated(disequality)).cloned().collect();
        if stubborn.is_empty() {
            return None;
        }
        let lemmas = stubborn.iter().map(|d| self.trichotomy(cx, d.form, &d.constant, !d.lit)).collect();
        Some(FinalCheck::Lemmas(lemmas))
    }

    /// Tries to give the form another value by moving one nonbasic variable, without leaving any bound and without
    /// making an integer fractional or running into a disequality.
    fn dodge(&mut self, form: LinVar) -> bool {
        let candidates: Vec<LinVar> = match self.simplex.row_of(form) {
            None => vec![form],
            Some(row) => row.map(|(var, _)| var).filter(|var| *var != form).collect(),
        };
        // Where many values must differ, those nearby are taken.
        let far = 5 + self.disequalities.len() as i64;
        for var in candidates {
            let grid = self.integer_step(var);
            let (down, up) = self.simplex.freedom(var);
            for (room, direction) in [(up, Rational::ONE), (down, Rational::MINUS_ONE)] {
                for n_steps in [1, 2, 3, far] {
                    let size = match (&grid, &room) {
                        (Some(step), _) => step * Rational::from(n_steps),
                        (None, None) => Rational::from(n_steps),
                        // Into the open interval, so that strict bounds stay strict.
                        (None, Some(room)) => &room.real * Rational::ratio(n_steps, 2 + far),
                    };
                    let fits =
                        size.is_positive() && room.as_ref().is_none_or(|room| Delta::from(size.clone()) <= *room);
                    if !fits {
                        continue;
                    }
                    let n_before = self.n_violated_disequalities();
                    let old = self.simplex.value(var).clone();
                    let mut target = old.clone();
                    target.add_mul(&direction, &Delta::from(size));
                    self.simplex.move_nonbasic(var, target);
                    if self.n_violated_disequalities() < n_before {
                        return true;
                    }
                    self.simplex.move_nonbasic(var, old);
                }
            }
        }
        false
    }

    fn is_violated(&self, disequality: &Disequality) -> bool {
        let value = self.simplex.value(disequality.form);
        value.is_rational() && value.real == disequality.constant
    }

    fn n_violated_disequalities(&self) -> usize {
        self.disequalities.iter().filter(|disequality| self.is_violated(disequality)).count()
    }

    /// The least step of a nonbasic variable that keeps all integers integral; `None` if none is concerned.
    fn integer_step(&self, var: LinVar) -> Option<Rational> {
        let mut step = self.simplex.is_int(var).then_some(Rational::ONE);
        for (basic, coeff, own) in self.simplex.column_of(var) {
            if self.simplex.is_int(basic) && basic != var {
                // The basic variable moves by coeff/own per unit, which must come out as an integer.
                let needed = match self.simplex.is_int(var) {
                    true => own.abs() / own.gcd(coeff),
                    false => (own / coeff).abs(),
                };
                step = Some(match step {
                    Some(step) => step.lcm(&needed),
                    None => needed,
                });
            }
        }
        step
    }

    /// Takes fixed variables out of the basis. As long as they are in it, they hold back the columns of their rows;
    /// outside, they show which of the other variables are free, and which have a fixed difference.
    fn free_columns(&mut self) {
        for index in 0..self.created.len() {
            let var = self.created[index];
            if !self.simplex.is_fixed(var) {
                continue;
            }
            let Some(row) = self.simplex.row_of(var) else { continue };
            let row: Vec<LinVar> = row.map(|(other, _)| other).collect();
            if row.len() > LONGEST_FREED_ROW {
                continue;
            }
            let others = row.into_iter().filter(|&other| other != var && !self.simplex.is_fixed(other));
            if let Some(entering) = others.min_by_key(|&other| self.simplex.column_len(other)) {
                self.simplex.swap_basis(var, entering);
            }
        }
    }

    /// Moves free variables so that fewer arguments of functions have the same value by accident. Terms that must be
    /// equal keep equal values, since the equality is a bound.
    fn separate_arguments(&mut self) {
        let mut spread = Spread::new(&self.arguments, &self.simplex);
        if spread.n_collisions() > 0 {
            self.free_columns();
        }
        let (mut n_tries, mut n_failed) = (0, 0);
        for index in 0..self.created.len() {
            if spread.n_collisions() == 0 || n_failed >= MAX_FAILED_SEPARATIONS {
                return;
            }
            let var = self.created[index];
            if self.simplex.is_basic(var) || self.simplex.is_fixed(var) {
                continue;
            }
            let moving = spread.moving_with(var, &self.simplex);
            if !moving.iter().any(|&k| spread.collides(k)) {
                continue;
            }
            let grid = self.integer_step(var);
            let (down, up) = self.simplex.freedom(var);
            // A different step for each variable keeps them apart from each other, too.
            let n_steps = Rational::from(1 + i64::from(n_tries));
            for (room, direction) in [(up, Rational::ONE), (down, Rational::MINUS_ONE)] {
                let size = match (&grid, &room) {
                    (Some(step), _) => step * &n_steps,
                    (None, None) => n_steps.clone(),
                    (None, Some(room)) => &room.real * Rational::ratio(1, 2 + i64::from(n_tries)),
                };
                n_tries += 1;
                n_failed += 1;
                if !size.is_positive() || room.is_some_and(|room| Delta::from(size.clone()) > room) {
                    continue;
                }
                let (n_violated, n_collisions) = (self.n_violated_disequalities(), spread.n_collisions());
                let old = self.simplex.value(var).clone();
                let mut target = old.clone();
                target.add_mul(&direction, &Delta::from(size));
                self.simplex.move_nonbasic(var, target);
                spread.update(&moving, &self.arguments, &self.simplex);
                if spread.n_collisions() < n_collisions && self.n_violated_disequalities() <= n_violated {
                    n_failed -= 1;
                    break;
                }
                self.simplex.move_nonbasic(var, old);
                spread.update(&moving, &self.arguments, &self.simplex);
            }
        }
    }

    /// Concrete rationals for all columns: δ small enough for all bounds, and such that no disequality and no two
    /// different values of shared terms coincide by it.
    fn fix_values(&mut self) {
        let mut delta = self.simplex.largest_delta();
        let mut distinct: Vec<Delta> = self.shared.iter().map(|term| term.value(&self.simplex)).collect();
        distinct.sort();
        distinct.dedup();
        // Each pair coincides for one δ only, so halving ends.
        loop {
            let hits = self.disequalities.iter().any(|disequality| {
                let value = self.simplex.value(disequality.form);
                !value.is_rational() && value.at(&delta) == disequality.constant
            });
            let mut concrete: Vec<Rational> = distinct.iter().map(|value| value.at(&delta)).collect();
            concrete.sort();
            if !hits && concrete.windows(2).all(|pair| pair[0] != pair[1]) {
                break;
            }
            delta /= Rational::from(2);
        }
        self.values.clear();
        for var in &self.created {
            if let Origin::Column(_) = self.origins[*var] {
                self.values.insert(*var, self.simplex.value(*var).at(&delta));
            }
        }
    }
}

/// The column of `to_real(x)` is that of `x`.
fn base_of(pool: &TermPool, term: TermId) -> TermId {
    if pool.op(term) == Op::ToReal { pool.arg(term, 0) } else { term }
}

/// The literal of a Boolean term that is an atom or a negated atom.
pub(super) fn literal(cx: &mut Context<'_>, term: TermId) -> Lit {
    if cx.pool.op(term) == Op::Not {
        let atom = cx.pool.arg(term, 0);
        !cx.atoms.lit(atom)
    } else {
        cx.atoms.lit(term)
    }
}

impl Theory for Arith {
    fn new_atom(&mut self, cx: &mut Context<'_>, var: Var, term: TermId) {
        if self.atom(var).is_some() {
            return;
        }
        let Some(atom) = self.read_atom(cx.pool, term) else { return };
        self.atoms_of[atom.form].push(var);
        self.simplex.set_watched(atom.form, true);
        if atom.shape == Shape::Equal {
            self.equality_atoms.insert((atom.form, atom.constant.clone()), var);
        }
        // A new atom of a form that is already bounded may be decided.
        self.changed.push(atom.form);
        if self.atoms.len() <= var.index() {
            self.atoms.resize(var.index() + 1, None);
        }
        self.atoms[var.index()] = Some(atom);
        self.announced.push(var);
    }

    fn new_shared_term(&mut self, cx: &mut Context<'_>, term: TermId) {
        if !cx.pool.sort(term).is_arith() {
            return;
        }
        let shared = self.shared_term(cx.pool, term);
        self.shared.push(shared);
    }

    fn push_level(&mut self) {
        let mark = self.mark();
        self.levels.push(mark);
    }

    fn backtrack(&mut self, n_levels: usize) {
        let keep = self.levels.len().saturating_sub(n_levels);
        if let Some(&mark) = self.levels.get(keep) {
            self.levels.truncate(keep);
            self.restore(mark);
        }
    }

    fn push_scope(&mut self) {
        let mark = self.mark();
        self.scopes.push(ScopeMark {
            mark,
            announced: self.announced.len(),
            created: self.created.len(),
            shared: self.shared.len(),
            arguments: self.arguments.len(),
            multiplied: self.multiplied.len(),
        });
    }

    fn pop_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        self.levels.clear();
        self.restore(scope.mark);
        for var in self.announced.drain(scope.announced..) {
            if let Some(atom) = self.atoms[var.index()].take() {
                self.atoms_of[atom.form].retain(|other| *other != var);
                if self.atoms_of[atom.form].is_empty() {
                    self.simplex.set_watched(atom.form, false);
                }
                if atom.shape == Shape::Equal
                    && self.equality_atoms.get(&(atom.form, atom.constant.clone())) == Some(&var)
                {
                    self.equality_atoms.remove(&(atom.form, atom.constant));
                }
            }
        }
        self.shared.truncate(scope.shared);
        self.arguments.truncate(scope.arguments);
        for term in self.arguments_log.drain(scope.arguments..) {
            self.is_argument.remove(&term);
        }
        self.multiplied.truncate(scope.multiplied);
        self.values.clear();
        self.product_rounds = 0;
        self.covering_failures = 0;
        self.covering_helped = false;
        self.irrational.clear();
        self.branches_in_a_row = 0;
        self.occasions = 0;
        self.wanted.clear();
        self.n_wanted = 0;
        while self.created.len() > scope.created {
            let Some(var) = self.created.pop() else { break };
            match std::mem::replace(&mut self.origins[var], Origin::Free) {
                Origin::Column(term) => {
                    self.columns.remove(&term);
                    self.products.retain(|product| *product != term);
                    self.simplex.remove_var(var);
                }
                Origin::Form(form) => {
                    self.forms.remove(&form);
                    self.simplex.remove_form(var);
                }
                Origin::Free => {}
            }
        }
    }

    fn assert_lit(&mut self, cx: &mut Context<'_>, lit: Lit) -> Result<(), TheoryLemma> {
        let Some(atom) = self.atom(lit.var()) else { return Ok(()) };
        let form = atom.form;
        let result = match (atom.shape, atom.bound(lit.is_positive())) {
            (_, Some((side, value))) => self.simplex.assert_bound(form, side, value, lit.0),
            (Shape::Equal, None) if lit.is_positive() => {
                let value = Delta::from(atom.constant.clone());
                self.simplex
                    .assert_bound(form, Side::Upper, value.clone(), lit.0)
                    .and_then(|()| self.simplex.assert_bound(form, Side::Lower, value, lit.0))
            }
            (_, None) => {
                let constant = atom.constant.clone();
                self.disequalities.push(Disequality { form, constant, lit });
                Ok(())
            }
        };
        self.changed.push(form);
        result.map_err(|farkas| self.conflict(cx, &farkas))
    }

    fn propagate(&mut self, cx: &mut Context<'_>, out: &mut Vec<Propagation>) -> Checked {
        match self.simplex.check(cx.budget) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(farkas) => return Checked::Conflict(self.conflict(cx, &farkas)),
            Feasibility::Stopped(stop) => return Checked::Stopped(stop),
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        let conflict = changed.iter().find_map(|&form| self.propagate_bounds(cx, form, out));
        changed.clear();
        self.changed = changed;
        if let Some(conflict) = conflict {
            self.stats.conflicts += 1;
            return Checked::Conflict(conflict);
        }
        self.propagate_rows(cx, out);
        if !self.wanted.is_empty() {
            self.make_wanted_atoms(cx);
        }
        Checked::Ok
    }

    fn explain(&mut self, _cx: &mut Context<'_>, propagation: Propagation) -> TheoryLemma {
        let Propagation { lit, token } = propagation;
        self.occasions = self.occasions.saturating_add(1);
        match &self.explanations[token as usize] {
            Explanation::Bound(id) => {
                let side = self.simplex.bound(*id).side;
                let head = self.head(lit, Rational::ONE, side);
                let reason = self.reason_lit(*id);
                let is_equality = self.atom(reason.var()).is_some_and(|atom| atom.shape == Shape::Equal);
                let signed = if is_equality && side == Side::Lower { Rational::MINUS_ONE } else { Rational::ONE };
                self.farkas_lemma(Some(head), vec![(reason, signed)])
            }
            Explanation::Fixed(lower, upper) => self.fixed_lemma(lit, *lower, *upper),
            Explanation::Row(side, multiplier, premises) => {
                let head = self.head(lit, multiplier.clone(), *side);
                self.farkas_lemma(Some(head), premises.clone())
            }
        }
    }

    fn final_check(&mut self, cx: &mut Context<'_>) -> FinalCheck {
        self.stats.final_checks += 1;
        self.irrational.clear();
        match self.simplex.check(cx.budget) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(farkas) => return FinalCheck::Conflict(self.conflict(cx, &farkas)),
            Feasibility::Stopped(stop) => return FinalCheck::Stopped(stop),
        }
        if let Some(answer) = self.check_integers(cx) {
            return answer;
        }
        if let Some(answer) = self.check_disequalities(cx) {
            return answer;
        }
        self.branches_in_a_row = 0;
        self.separate_arguments();
        self.fix_values();
        self.check_products(cx).unwrap_or(FinalCheck::Ok)
    }

    fn value(&self, pool: &TermPool, term: TermId) -> Option<Value> {
        if !pool.sort(term).is_arith() {
            return None;
        }
        self.rational_value(pool, term).map(Value::Num)
    }
}
