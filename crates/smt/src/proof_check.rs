//! Checking refutations without searching.
//!
//! Every step is checked on its own, by rules as simple as they can be: there is no propagation, no
//! simplex, no congruence closure here, and nothing of the search is used. What a step claims must
//! be visible in its evidence.
//!
//! | step | what is done |
//! |---|---|
//! | input clause | the assertion is split again by the fixed rules of clausification, and the clause must be among the results |
//! | definition | the Tseitin clauses of the term are made again, and the clause must be one of them |
//! | chain | folded: each pivot occurs in the running clause and its complement in the antecedent; the result is the recorded clause |
//! | Farkas | multiplied and added up: terms cancel, the constant contradicts |
//! | integer equations | the same: integer coefficients over integer terms, a constant that is no integer |
//! | trichotomy, split, bridge | the linear forms are multiples of each other |
//! | congruence | the paths are walked |
//! | array, ite, arithmetic axioms | the instance is made again and compared |
//! | `distinct` | pairs are made again and compared |
//! | bit-blasting | the circuit is built again and compared; that circuits compute what they should is not a matter of proofs, but tested on all inputs of small widths |
//! | nonlinear facts | recomputed from the factors |
//! | coverings | the polynomial constraints are decided again: the one check that searches, counted apart in the [`Report`] |
//! | quantifiers | the instance is made again and compared; Skolem constants must be fresh, one formula each |

use crate::arith::{algebraic, axioms, nonlinear};
use crate::atoms::AtomTable;
use crate::bitblast::BitBlaster;
use crate::linear_literal::{LinearLiteral, Relation, is_integral, linear_literal};
use crate::proof::{ArrayAxiom, ClauseId, EqStep, EufEvidence, Evidence, Proof, Step};
use crate::sat::types::Lit;
use logic::{AssertionId, FastMap, FastSet, FunId, Linear, Op, Rational, TermId, TermPool};

/// What is wrong with a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofError {
    /// The root is not the empty clause.
    NotEmpty,
    /// A clause is used before it is derived, or does not exist.
    OutOfOrder(ClauseId),
    Bad {
        clause: ClauseId,
        reason: &'static str,
    },
}

impl std::fmt::Display for ProofError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProofError::NotEmpty => f.write_str("the refutation does not end in the empty clause"),
            ProofError::OutOfOrder(c) => write!(f, "clause {c} uses a clause that comes later"),
            ProofError::Bad { clause, reason } => write!(f, "clause {clause}: {reason}"),
        }
    }
}

/// What was checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    pub n_inputs: usize,
    pub n_definitions: usize,
    pub n_lemmas: usize,
    pub n_resolutions: usize,
    /// Lemmas that were decided anew because there is no certificate for them.
    pub n_coverings: usize,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Report { n_inputs, n_definitions, n_lemmas, n_resolutions, n_coverings } = self;
        write!(
            f,
            "{n_inputs} input clauses, {n_definitions} definitions, {n_lemmas} lemmas, {n_resolutions} resolutions"
        )?;
        if *n_coverings > 0 {
            write!(f, "; {n_coverings} coverings were decided again")?;
        }
        Ok(())
    }
}

/// Checks the derivation of `root`, which must be empty. `formula` gives the term of an assertion.
pub fn check_refutation(
    pool: &mut TermPool,
    proof: &Proof,
    root: ClauseId,
    atoms: &AtomTable,
    formula: &dyn Fn(AssertionId) -> Option<TermId>,
) -> Result<Report, ProofError> {
    if root == ClauseId::NONE || root.0 as usize >= proof.n_clauses() {
        return Err(ProofError::OutOfOrder(root));
    }
    if !proof.clause(root).is_empty() {
        return Err(ProofError::NotEmpty);
    }
    let mut checker = Checker {
        pool,
        proof,
        atoms,
        formula,
        inputs: FastMap::default(),
        blaster: BitBlaster::default(),
        witnesses: FastMap::default(),
        report: Report::default(),
    };
    for id in proof.cone(root) {
        checker.check(id)?;
    }
    checker.witnesses_are_fresh(root)?;
    Ok(checker.report)
}

/// A literal as a term and a sign.
type Signed = (TermId, bool);

struct Checker<'a> {
    pool: &'a mut TermPool,
    proof: &'a Proof,
    atoms: &'a AtomTable,
    formula: &'a dyn Fn(AssertionId) -> Option<TermId>,
    /// The clauses of an assertion, each sorted.
    inputs: FastMap<AssertionId, FastSet<Vec<Signed>>>,
    blaster: BitBlaster,
    /// The formula and the position of each Skolem constant.
    witnesses: FastMap<FunId, (TermId, usize)>,
    report: Report,
}

impl Checker<'_> {
    fn check(&mut self, id: ClauseId) -> Result<(), ProofError> {
        let clause = self.proof.clause(id);
        let bad = |reason: &'static str| Err(ProofError::Bad { clause: id, reason });
        if clause.iter().any(|l| l.var().index() >= self.atoms.n_vars()) {
            return bad("a variable that stands for nothing");
        }
        let verdict = match self.proof.step(id) {
            Step::Chain { first, links } => {
                if first >= id || links.iter().any(|l| l.antecedent >= id) {
                    return Err(ProofError::OutOfOrder(id));
                }
                self.report.n_resolutions += links.len();
                self.chain(id)
            }
            Step::Input(assertion) => {
                self.report.n_inputs += 1;
                self.input(clause, assertion)
            }
            Step::Definition(term) => {
                self.report.n_definitions += 1;
                self.definition(clause, term)
            }
            Step::Lemma(evidence) => {
                self.report.n_lemmas += 1;
                self.lemma(clause, evidence)
            }
        };
        verdict.map_err(|reason| ProofError::Bad { clause: id, reason })
    }

    fn chain(&self, id: ClauseId) -> Result<(), &'static str> {
        let Step::Chain { first, links } = self.proof.step(id) else { return Err("no chain") };
        let mut running: FastSet<Lit> = self.proof.clause(first).iter().copied().collect();
        for link in links {
            if !running.remove(&link.pivot) {
                return Err("a pivot that is not in the running clause");
            }
            let antecedent = self.proof.clause(link.antecedent);
            if !antecedent.contains(&!link.pivot) {
                return Err("a pivot whose complement is not in the antecedent");
            }
            running.extend(antecedent.iter().copied().filter(|&l| l != !link.pivot));
        }
        let recorded: FastSet<Lit> = self.proof.clause(id).iter().copied().collect();
        if running == recorded { Ok(()) } else { Err("the chain derives another clause") }
    }

    // ---- clausification ----

    fn signed(&self, lit: Lit) -> Signed {
        self.normal(self.atoms.term(lit.var()), lit.is_positive())
    }
    fn normal(&self, term: TermId, sign: bool) -> Signed {
        let (mut term, mut sign) = (term, sign);
        while self.pool.op(term) == Op::Not {
            term = self.pool.arg(term, 0);
            sign = !sign;
        }
        (term, sign)
    }
    fn clause_key(&self, clause: &[Lit]) -> Vec<Signed> {
        let mut key: Vec<Signed> = clause.iter().map(|&l| self.signed(l)).collect();
        key.sort_unstable();
        key.dedup();
        key
    }
    /// A clause of terms as the solver would make it: constants folded. `None` if trivially true.
    fn made(&self, parts: impl IntoIterator<Item = Signed>) -> Option<Vec<Signed>> {
        let mut key = Vec::new();
        for (term, sign) in parts {
            match self.normal(term, sign) {
                (TermId::TRUE, true) | (TermId::FALSE, false) => return None,
                (TermId::TRUE, false) | (TermId::FALSE, true) => {}
                other => key.push(other),
            }
        }
        key.sort_unstable();
        key.dedup();
        Some(key)
    }
    fn input(&mut self, clause: &[Lit], assertion: AssertionId) -> Result<(), &'static str> {
        if !self.inputs.contains_key(&assertion) {
            let formula = (self.formula)(assertion).ok_or("an assertion that does not exist")?;
            let clauses = self.split(formula);
            self.inputs.insert(assertion, clauses);
        }
        let key = self.clause_key(clause);
        if self.inputs[&assertion].contains(&key) { Ok(()) } else { Err("not a clause of its assertion") }
    }
    /// Conjunctions are split, disjunctions flattened; everything else is an atom.
    fn split(&self, formula: TermId) -> FastSet<Vec<Signed>> {
        let mut clauses = FastSet::default();
        let mut stack = vec![(formula, true)];
        while let Some((t, sign)) = stack.pop() {
            match (self.pool.op(t), sign) {
                (Op::Not, _) => stack.push((self.pool.arg(t, 0), !sign)),
                (Op::And, true) | (Op::Or, false) => stack.extend(self.pool.args(t).iter().map(|&a| (a, sign))),
                _ => {
                    let mut literals = Vec::new();
                    let mut disjuncts = vec![(t, sign)];
                    while let Some((d, sign)) = disjuncts.pop() {
                        match (self.pool.op(d), sign) {
                            (Op::Not, _) => disjuncts.push((self.pool.arg(d, 0), !sign)),
                            (Op::Or, true) | (Op::And, false) => {
                                disjuncts.extend(self.pool.args(d).iter().map(|&a| (a, sign)));
                            }
                            _ => literals.push((d, sign)),
                        }
                    }
                    clauses.extend(self.made(literals));
                }
            }
        }
        clauses
    }
    fn definition(&mut self, clause: &[Lit], t: TermId) -> Result<(), &'static str> {
        let args = self.pool.args(t).to_vec();
        let mut expected: Vec<Vec<Signed>> = Vec::new();
        match self.pool.op(t) {
            op @ (Op::And | Op::Or) => {
                let sign = op == Op::And;
                expected.extend(args.iter().map(|&a| vec![(t, !sign), (a, sign)]));
                let mut all = vec![(t, sign)];
                all.extend(args.iter().map(|&a| (a, !sign)));
                expected.push(all);
            }
            Op::Eq if self.pool.is_bool(args[0]) => {
                let (x, y) = (args[0], args[1]);
                for (s, p, q) in [(false, false, true), (false, true, false), (true, true, true), (true, false, false)]
                {
                    expected.push(vec![(t, s), (x, p), (y, q)]);
                }
            }
            Op::Ite if self.pool.is_bool(t) => {
                let (c, x, y) = (args[0], args[1], args[2]);
                for s in [false, true] {
                    expected.push(vec![(t, s), (c, false), (x, !s)]);
                    expected.push(vec![(t, s), (c, true), (y, !s)]);
                }
            }
            Op::Distinct => {
                let mut some = vec![(t, true)];
                for (k, &x) in args.iter().enumerate() {
                    for &y in &args[k + 1..] {
                        let eq = self.pool.eq(x, y);
                        expected.push(vec![(t, false), (eq, false)]);
                        some.push((eq, true));
                    }
                }
                expected.push(some);
            }
            _ => return Err("a definition of something that has none"),
        }
        self.one_of(clause, expected, "not a definition of its term")
    }
    fn one_of(&self, clause: &[Lit], expected: Vec<Vec<Signed>>, reason: &'static str) -> Result<(), &'static str> {
        let key = self.clause_key(clause);
        if expected.into_iter().filter_map(|e| self.made(e)).any(|e| e == key) { Ok(()) } else { Err(reason) }
    }

    // ---- lemmas ----

    fn lemma(&mut self, clause: &[Lit], evidence: &Evidence) -> Result<(), &'static str> {
        match evidence {
            Evidence::Farkas(coefficients) => self.farkas(clause, coefficients),
            Evidence::IntegerEqualities(coefficients) => self.integer_equalities(clause, coefficients),
            Evidence::Trichotomy => self.trichotomy(clause),
            Evidence::Split => self.split_lemma(clause),
            Evidence::Euf(paths) => self.congruence(clause, paths),
            Evidence::Array(axiom) => self.array(clause, axiom),
            Evidence::Ite(t) => {
                let [c, a, b] = self.pool.args(*t)[..] else { return Err("not an ite") };
                if self.pool.op(*t) != Op::Ite {
                    return Err("not an ite");
                }
                let (is_a, is_b) = (self.pool.eq(*t, a), self.pool.eq(*t, b));
                self.one_of(
                    clause,
                    vec![vec![(c, false), (is_a, true)], vec![(c, true), (is_b, true)]],
                    "not an axiom of ite",
                )
            }
            Evidence::ArithAxiom(t) => {
                let expected: Vec<Vec<Signed>> = axioms::axioms(self.pool, *t)
                    .into_iter()
                    .map(|c| c.into_iter().map(|l| (l, true)).collect())
                    .collect();
                self.one_of(clause, expected, "not an axiom of its term")
            }
            Evidence::Distinct(t) => self.definition(clause, *t),
            Evidence::Bridge => self.bridge(clause),
            Evidence::Instance { quantified, terms } => self.instance(clause, *quantified, terms),
            Evidence::Nonlinear(product) => {
                let lits: Vec<TermId> = clause
                    .iter()
                    .map(|lit| {
                        let atom = self.atoms.term(lit.var());
                        if lit.is_positive() { atom } else { self.pool.not(atom) }
                    })
                    .collect();
                if nonlinear::is_fact(self.pool, *product, &lits) {
                    Ok(())
                } else {
                    Err("not a fact about its product")
                }
            }
            Evidence::Covering => {
                self.report.n_coverings += 1;
                let lits: Vec<(TermId, bool)> =
                    clause.iter().map(|lit| (self.atoms.term(lit.var()), lit.is_positive())).collect();
                if algebraic::is_valid_clause(self.pool, &lits, &base::Budget::unlimited()) {
                    Ok(())
                } else {
                    Err("polynomial constraints that were not refuted again")
                }
            }
            Evidence::Multiplied { equality, factor } => match nonlinear::multiplied(self.pool, *equality, *factor) {
                Some(product) => {
                    let expected = vec![vec![(*equality, false), (product, true)]];
                    self.one_of(clause, expected, "not an equation times a term")
                }
                None => Err("no equation to multiply"),
            },
            Evidence::BitBlast(t) => {
                let expected: Vec<Vec<Signed>> = self
                    .blaster
                    .axioms(self.pool, *t)
                    .into_iter()
                    .map(|c| c.into_iter().map(|l| (l, true)).collect())
                    .collect();
                self.one_of(clause, expected, "not an axiom of its circuit")
            }
        }
    }

    /// The constraint that the conflict has in place of a literal of the clause.
    fn constraint(&self, lit: Lit) -> Option<LinearLiteral> {
        linear_literal(self.pool, self.atoms.term(lit.var()), !lit.is_positive())
    }
    fn farkas(&self, clause: &[Lit], coefficients: &[Rational]) -> Result<(), &'static str> {
        if clause.len() != coefficients.len() {
            return Err("not one coefficient per literal");
        }
        let mut sum = Linear::default();
        let mut strict = false;
        for (&lit, factor) in clause.iter().zip(coefficients) {
            if factor.is_zero() {
                continue;
            }
            let constraint = self.constraint(lit).ok_or("a literal that is no linear constraint")?;
            if factor.is_negative() && constraint.relation != Relation::Equal {
                return Err("an inequality with a negative coefficient");
            }
            strict |= constraint.relation == Relation::Below;
            sum.add_scaled(&constraint.linear, factor);
        }
        if !sum.terms.is_empty() {
            return Err("the terms do not cancel");
        }
        if sum.constant.is_positive() || (strict && sum.constant.is_zero()) {
            Ok(())
        } else {
            Err("the sum is no contradiction")
        }
    }
    fn integer_equalities(&self, clause: &[Lit], coefficients: &[Rational]) -> Result<(), &'static str> {
        if clause.len() != coefficients.len() {
            return Err("not one coefficient per literal");
        }
        let mut sum = Linear::default();
        for (&lit, factor) in clause.iter().zip(coefficients) {
            if factor.is_zero() {
                continue;
            }
            let constraint = self.constraint(lit).ok_or("a literal that is no linear constraint")?;
            if constraint.relation != Relation::Equal {
                return Err("not an equation");
            }
            sum.add_scaled(&constraint.linear, factor);
        }
        if !sum.terms.iter().all(|(t, c)| c.is_integer() && is_integral(self.pool, *t)) {
            return Err("a coefficient that is no integer");
        }
        if sum.constant.is_integer() { Err("the constant is an integer") } else { Ok(()) }
    }
    /// `a` is `factor` times `b`, if there is such a factor.
    fn ratio(a: &Linear, b: &Linear) -> Option<Rational> {
        let ((t, c), (u, d)) = (a.terms.first()?, b.terms.first()?);
        if t != u {
            return None;
        }
        let factor = c / d;
        let mut difference = a.clone();
        difference.add_scaled(b, &-&factor);
        (difference.terms.is_empty() && difference.constant.is_zero()).then_some(factor)
    }
    fn equation(&self, lit: Lit) -> Option<Linear> {
        let atom = self.atoms.term(lit.var());
        Some(linear_literal(self.pool, atom, true).filter(|l| l.relation == Relation::Equal)?.linear)
    }
    fn trichotomy(&self, clause: &[Lit]) -> Result<(), &'static str> {
        let mut equation = None;
        let mut bounds = Vec::new();
        for &lit in clause {
            match (lit.is_positive(), self.equation(lit)) {
                (true, Some(linear)) if equation.is_none() => equation = Some(linear),
                _ => bounds.push(self.constraint(lit).ok_or("a literal that is no bound")?),
            }
        }
        let equation = equation.ok_or("no equation")?;
        let [low, high] = &bounds[..] else { return Err("not two bounds") };
        if low.relation != Relation::AtMost || high.relation != Relation::AtMost {
            return Err("a strict bound in the conflict");
        }
        // Both bounds hold with weak inequality, in opposite directions: the form is zero.
        let (a, b) = (Self::ratio(&low.linear, &equation), Self::ratio(&high.linear, &equation));
        match (a, b) {
            (Some(a), Some(b)) if a.signum() * b.signum() < 0 => Ok(()),
            _ => Err("the bounds are not the two sides of the equation"),
        }
    }
    fn split_lemma(&self, clause: &[Lit]) -> Result<(), &'static str> {
        let [x, y] = clause else { return Err("not two bounds") };
        let (a, b) = (self.constraint(*x).ok_or("no bound")?, self.constraint(*y).ok_or("no bound")?);
        let ((t, c), (u, d)) = (a.linear.terms.first().ok_or("no bound")?, b.linear.terms.first().ok_or("no bound")?);
        if t != u || c.signum() * d.signum() >= 0 {
            return Err("the bounds do not oppose each other");
        }
        self.farkas(clause, &[d.abs(), c.abs()])
    }
    fn bridge(&mut self, clause: &[Lit]) -> Result<(), &'static str> {
        match clause {
            [x, y] if x.is_positive() != y.is_positive() => {
                let (a, b) = (self.equation(*x).ok_or("no equation")?, self.equation(*y).ok_or("no equation")?);
                if Self::ratio(&a, &b).is_some() { Ok(()) } else { Err("two different equations") }
            }
            [x] => {
                let mut linear = self.equation(*x).ok_or("no equation")?;
                linear.make_primitive();
                let all_integers = linear.terms.iter().all(|(t, _)| is_integral(self.pool, *t));
                let impossible = (linear.is_constant() && !linear.constant.is_zero())
                    || (all_integers && !linear.constant.is_integer());
                let trivial = linear.is_constant() && linear.constant.is_zero();
                if (impossible && !x.is_positive()) || (trivial && x.is_positive()) {
                    Ok(())
                } else {
                    Err("an equation that is not decided")
                }
            }
            _ => Err("not two shapes of one equation"),
        }
    }

    // ---- congruence ----

    fn congruence(&mut self, clause: &[Lit], evidence: &EufEvidence) -> Result<(), &'static str> {
        let in_conflict: FastSet<Lit> = clause.iter().map(|&l| !l).collect();
        for (k, path) in evidence.paths.iter().enumerate() {
            if path.terms.len() != path.steps.len() + 1 {
                return Err("a path whose steps do not fit its terms");
            }
            for (i, step) in path.steps.iter().enumerate() {
                let (from, to) = (path.terms[i], path.terms[i + 1]);
                match step {
                    EqStep::Literal(lit) => {
                        if !in_conflict.contains(lit) {
                            return Err("a step by a literal that is not in the conflict");
                        }
                        if !self.says_equal(*lit, from, to) {
                            return Err("a step by a literal that says something else");
                        }
                    }
                    EqStep::Congruence(arguments) => {
                        self.same_application(evidence, k, from, to, arguments)?;
                    }
                }
            }
        }
        let main = evidence.paths.last().ok_or("no path")?;
        let (Some(&first), Some(&last)) = (main.terms.first(), main.terms.last()) else {
            return Err("an empty path");
        };
        let concluded = clause.iter().any(|&lit| self.says_equal(lit, first, last));
        if concluded || self.pool.known_distinct(first, last) { Ok(()) } else { Err("the main path proves nothing") }
    }
    /// Does this literal say that the two terms are equal?
    fn says_equal(&mut self, lit: Lit, a: TermId, b: TermId) -> bool {
        let atom = self.atoms.term(lit.var());
        let truth = if lit.is_positive() { TermId::TRUE } else { TermId::FALSE };
        if (a, b) == (atom, truth) || (b, a) == (atom, truth) {
            return true;
        }
        if self.pool.sort(a) != self.pool.sort(b) {
            return false;
        }
        // Equalities of Boolean terms may come out as the term or its negation.
        let eq = self.pool.eq(a, b);
        self.normal(eq, true) == self.signed(lit)
    }
    fn same_application(
        &mut self,
        evidence: &EufEvidence,
        user: usize,
        from: TermId,
        to: TermId,
        arguments: &[Option<u32>],
    ) -> Result<(), &'static str> {
        let (f, g) = (self.pool.op(from), self.pool.op(to));
        let (xs, ys) = (self.pool.args(from).to_vec(), self.pool.args(to).to_vec());
        if f != g || self.pool.sort(from) != self.pool.sort(to) || xs.len() != ys.len() || xs.len() != arguments.len() {
            return Err("a congruence between different functions");
        }
        for ((x, y), path) in xs.into_iter().zip(ys).zip(arguments) {
            match path {
                None if x == y => {}
                None => return Err("a congruence without a path for an argument"),
                Some(p) => {
                    if *p as usize >= user {
                        return Err("a congruence that rests on a later path");
                    }
                    let terms = &evidence.paths[*p as usize].terms;
                    let ends = (terms.first().copied(), terms.last().copied());
                    if ends != (Some(x), Some(y)) && ends != (Some(y), Some(x)) {
                        return Err("a congruence whose argument path has other ends");
                    }
                }
            }
        }
        Ok(())
    }

    // ---- axioms ----

    fn array(&mut self, clause: &[Lit], axiom: &ArrayAxiom) -> Result<(), &'static str> {
        let is = |pool: &TermPool, t: TermId, op: Op| pool.op(t) == op;
        let expected: Vec<Vec<Signed>> = match *axiom {
            ArrayAxiom::ReadOverWriteSame { store } => {
                if !is(self.pool, store, Op::Store) {
                    return Err("not a store");
                }
                let (i, v) = (self.pool.arg(store, 1), self.pool.arg(store, 2));
                let read = self.pool.select_plain(store, i);
                vec![vec![(self.pool.eq(read, v), true)]]
            }
            ArrayAxiom::ReadOverWriteOther { store, index } => {
                if !is(self.pool, store, Op::Store) {
                    return Err("not a store");
                }
                let (a, i) = (self.pool.arg(store, 0), self.pool.arg(store, 1));
                let same = self.pool.eq(i, index);
                let (left, right) = (self.pool.select_plain(store, index), self.pool.select_plain(a, index));
                vec![vec![(same, true), (self.pool.eq(left, right), true)]]
            }
            ArrayAxiom::ReadConst { array, index } => {
                if !is(self.pool, array, Op::ConstArray) {
                    return Err("not a constant array");
                }
                let read = self.pool.select_plain(array, index);
                let v = self.pool.arg(array, 0);
                vec![vec![(self.pool.eq(read, v), true)]]
            }
            ArrayAxiom::Extensionality { left, right, index } => {
                if !is(self.pool, index, Op::ArrayDiff) || self.pool.args(index) != [left, right] {
                    return Err("not the difference of the two arrays");
                }
                let same = self.pool.eq(left, right);
                let (x, y) = (self.pool.select_plain(left, index), self.pool.select_plain(right, index));
                vec![vec![(same, true), (self.pool.eq(x, y), false)]]
            }
            ArrayAxiom::ReadOverIte { array, index } => {
                let [c, a, b] = self.pool.args(array)[..] else { return Err("not an ite") };
                if !is(self.pool, array, Op::Ite) {
                    return Err("not an ite");
                }
                let read = self.pool.select_plain(array, index);
                let (x, y) = (self.pool.select_plain(a, index), self.pool.select_plain(b, index));
                let (is_x, is_y) = (self.pool.eq(read, x), self.pool.eq(read, y));
                vec![vec![(c, false), (is_x, true)], vec![(c, true), (is_y, true)]]
            }
        };
        self.one_of(clause, expected, "not the instance it claims to be")
    }
    fn instance(&mut self, clause: &[Lit], quantified: TermId, terms: &[TermId]) -> Result<(), &'static str> {
        let (Op::Forall(q) | Op::Exists(q)) = self.pool.op(quantified) else { return Err("not a quantifier") };
        let universal = matches!(self.pool.op(quantified), Op::Forall(_));
        let vars = self.pool.quantifier(q).vars.clone();
        if vars.len() != terms.len() || vars.iter().zip(terms).any(|(v, t)| self.pool.sort(*v) != self.pool.sort(*t)) {
            return Err("an instance with the wrong terms");
        }
        let pairs: Vec<(TermId, TermId)> = vars.into_iter().zip(terms.iter().copied()).collect();
        let body = self.pool.arg(quantified, 0);
        let instance = self.pool.substitute(body, &pairs);
        // ¬∀x.φ ∨ φ[t], or for an existential ∃x.φ ∨ ¬φ[t].
        // Proofs that were read have normal forms; where a quantifier has vanished the instance is none yet.
        let normal = self.pool.alpha_normal(instance);
        let both = |positive: bool| [instance, normal].map(|i| vec![(quantified, !positive), (i, positive)]).to_vec();
        if self.one_of(clause, both(universal), "").is_ok() {
            return Ok(());
        }
        self.one_of(clause, both(!universal), "not an instance")?;
        self.skolem_constants(quantified, terms)
    }
    /// Skolem constants stand for witnesses of one formula each.
    fn skolem_constants(&mut self, quantified: TermId, terms: &[TermId]) -> Result<(), &'static str> {
        let mut own: FastSet<FunId> = FastSet::default();
        for (position, &term) in terms.iter().enumerate() {
            let symbol = self.pool.as_symbol(term).ok_or("a witness that is not a constant")?;
            if !own.insert(symbol) {
                return Err("a witness that is not fresh");
            }
            if *self.witnesses.entry(symbol).or_insert((quantified, position)) != (quantified, position) {
                return Err("one witness for two formulas");
            }
        }
        Ok(())
    }
    /// The assertions must not know the Skolem constants, and there must be an order in which each formula has only
    /// constants that come before its own.
    fn witnesses_are_fresh(&mut self, root: ClauseId) -> Result<(), ProofError> {
        if self.witnesses.is_empty() {
            return Ok(());
        }
        let assertions = self.proof.assertions_below(root);
        let formulas: Vec<TermId> = assertions.into_iter().filter_map(|id| (self.formula)(id)).collect();
        if self.pool.free_symbols_of(&formulas).iter().any(|f| self.witnesses.contains_key(f)) {
            return Err(ProofError::Bad { clause: root, reason: "a witness that occurs in an assertion" });
        }
        let mut waiting: Vec<(FunId, Vec<FunId>)> = Vec::new();
        for (&witness, &(quantified, _)) in &self.witnesses {
            let mut before = self.pool.free_symbols(quantified);
            before.retain(|f| self.witnesses.contains_key(f));
            waiting.push((witness, before));
        }
        let mut ordered: FastSet<FunId> = FastSet::default();
        while !waiting.is_empty() {
            let n = waiting.len();
            waiting.retain(|(witness, before)| {
                let is_next = before.iter().all(|f| ordered.contains(f));
                if is_next {
                    ordered.insert(*witness);
                }
                !is_next
            });
            if waiting.len() == n {
                return Err(ProofError::Bad { clause: root, reason: "witnesses that depend on each other" });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Link;
    use crate::solver::SmtSolver;
    use base::Budget;
    use logic::smtlib::parse_term;
    use logic::{SatResult, Solver, SortId};

    /// What to do to one clause of a copied proof.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Mutation {
        None,
        FlipLiteral,
        ChangeCoefficient,
        FlipPivot,
        DropLink,
        DropStep,
        OtherAssertion,
    }

    /// A copy of the proof with one clause changed; `None` if the mutation does not apply to it.
    fn copy(proof: &Proof, root: ClauseId, victim: usize, mutation: Mutation) -> Option<(Proof, ClauseId)> {
        let mut fresh = Proof::new(true);
        let mut renamed: FastMap<ClauseId, ClauseId> = FastMap::default();
        let mut applied = mutation == Mutation::None;
        for (k, id) in proof.cone(root).into_iter().enumerate() {
            let mut lits = proof.clause(id).to_vec();
            let here = if k == victim { mutation } else { Mutation::None };
            let is_chain = matches!(proof.step(id), Step::Chain { .. });
            if here == Mutation::FlipLiteral && !is_chain && !lits.is_empty() {
                lits[0] = !lits[0];
                applied = true;
            }
            let new = match proof.step(id) {
                Step::Input(assertion) => {
                    let other = AssertionId(assertion.0 + 1000);
                    let assertion = if here == Mutation::OtherAssertion { other } else { assertion };
                    applied |= here == Mutation::OtherAssertion;
                    fresh.input(&lits, assertion)
                }
                Step::Definition(t) => fresh.definition(&lits, t),
                Step::Lemma(evidence) => {
                    let mut evidence = evidence.clone();
                    match (&mut evidence, here) {
                        (Evidence::Farkas(c) | Evidence::IntegerEqualities(c), Mutation::ChangeCoefficient)
                            if c.len() > 1 =>
                        {
                            // A whole number would keep a certificate over the integers valid.
                            c[0] = &c[0] + &Rational::ratio(1, 7);
                            applied = true;
                        }
                        (Evidence::Euf(paths), Mutation::DropStep) => {
                            if let Some(path) = paths.paths.iter_mut().find(|p| p.steps.len() > 1) {
                                path.steps.remove(0);
                                path.terms.remove(1);
                                applied = true;
                            }
                        }
                        _ => {}
                    }
                    fresh.lemma(&lits, evidence)
                }
                Step::Chain { first, links } => {
                    let mut links: Vec<Link> =
                        links.iter().map(|l| Link { pivot: l.pivot, antecedent: renamed[&l.antecedent] }).collect();
                    if here == Mutation::FlipPivot && !links.is_empty() {
                        links[0].pivot = !links[0].pivot;
                        applied = true;
                    }
                    if here == Mutation::DropLink && !links.is_empty() {
                        links.pop();
                        applied = true;
                    }
                    fresh.chain(&lits, renamed[&first], &links)
                }
            };
            renamed.insert(id, new);
        }
        applied.then(|| (fresh, renamed[&root]))
    }

    #[test]
    fn refutations_check_and_mutants_do_not() {
        let problems: [&[&str]; 5] = [
            &["(or p (<= x 0))", "(or (not p) (<= x 1))", "(<= (+ y 1) x)", "(>= y 2)"],
            &["(= x (* 2 y))", "(= x (+ 1 (* 2 z)))"],
            &["(= x y)", "(or p (= y z))", "(not (= (f x) (f z)))", "(not p)"],
            &["(<= x y)", "(<= y x)", "(distinct (f x) (f y))"],
            &["(= a (store b x y))", "(not (= (select a x) y))"],
        ];
        let mut n_mutants = 0;
        for formulas in problems {
            let mut pool = TermPool::new();
            for name in ["x", "y", "z"] {
                pool.constant(name, SortId::INT);
            }
            pool.constant("p", SortId::BOOL);
            pool.declare_fun("f", &[SortId::INT], SortId::INT);
            let array = pool.array_sort(SortId::INT, SortId::INT);
            pool.constant("a", array);
            pool.constant("b", array);
            let mut solver = SmtSolver::with_proofs();
            for text in formulas {
                let t = parse_term(&mut pool, text).expect("a formula");
                solver.assert(&mut pool, t);
            }
            assert_eq!(solver.check(&mut pool, &Budget::unlimited()), SatResult::Unsat);
            let assertions = solver.assertions().to_vec();
            let formula = |id: AssertionId| assertions.iter().find(|(a, _)| *a == id).map(|(_, t)| *t);
            let Some((proof, root, atoms)) = solver.refutation() else { panic!("a refutation is kept") };
            let n = proof.cone(root).len();
            let mut check = |proof: &Proof, root: ClauseId| check_refutation(&mut pool, proof, root, atoms, &formula);
            let (same, same_root) = copy(proof, root, 0, Mutation::None).expect("a copy");
            assert!(check(&same, same_root).is_ok(), "{formulas:?}");
            for victim in 0..n {
                for mutation in [
                    Mutation::FlipLiteral,
                    Mutation::ChangeCoefficient,
                    Mutation::FlipPivot,
                    Mutation::DropLink,
                    Mutation::DropStep,
                    Mutation::OtherAssertion,
                ] {
                    if let Some((mutant, mutant_root)) = copy(proof, root, victim, mutation) {
                        n_mutants += 1;
                        assert!(check(&mutant, mutant_root).is_err(), "{formulas:?} {victim} {mutation:?}");
                    }
                }
            }
        }
        assert!(n_mutants > 40, "{n_mutants}");
    }
}
