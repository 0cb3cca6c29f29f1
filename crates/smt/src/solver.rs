//! The solver as clients see it: assertions in scopes, checks, models, cores.
//!
//! A check searches for a model; what it finds is completed to a [`Model`] and **evaluated against every assertion**
//! before the answer is *sat*. A model that does not evaluate to true makes the answer *unknown*, never wrong.
//! An *unsat* answer has a refutation when proofs are on.
//!
//! Asserting costs nothing: formulas and scopes are *loaded* (clausified, registered with the theories) by the next
//! check, within its budget. Invariant: what is loaded is a prefix of the assertions and of the scopes around them.
//!
//! Assumptions of a check are assertions of a scope of their own, which is popped by the next change, so that cores
//! and interpolants can still be asked for.

use crate::atoms::AtomTable;
use crate::bounded_integers::{BoundedIntegers, Decision};
use crate::combination::{Sides, Theories, View};
use crate::implied_equalities::implied_equalities;
use crate::implied_linear::implied_linear;
use crate::interpolate;
use crate::irrational::IrrationalPoint;
use crate::model::build_model;
use crate::proof::{ClauseId, Proof};
use crate::proof_check;
use crate::residues;
use crate::sat::core::{Host, Outcome, Sat, Stats};
use crate::sat::types::LBool;
use base::{Budget, Stop};
use logic::{
    AssertionId, FastMap, FastSet, FunId, ItpError, ItpOptions, ItpTree, Model, Op, SatResult, Solver, SortId, TermId,
    TermPool, UnknownReason, Value, qe,
};
use std::time::Duration;

/// What a solver is made to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmtOptions {
    /// Keep refutations: needed for cores, proofs and interpolants.
    pub proofs: bool,
    /// Verify interpolants before they are returned. Off by default: clients that check what they build from them
    /// need not pay twice.
    pub verify_interpolants: bool,
}

impl Default for SmtOptions {
    fn default() -> Self {
        SmtOptions { proofs: true, verify_interpolants: false }
    }
}

/// Products of integers are put to bits if the search has no answer by then, and for so long.
const TIME_BEFORE_BITS: Duration = Duration::from_millis(200);
const TIME_FOR_BITS: Duration = Duration::from_secs(10);

/// The end of the last check.
enum Answer {
    None,
    Sat(Model),
    Unsat,
}

pub struct SmtSolver {
    options: SmtOptions,
    sat: Sat,
    atoms: AtomTable,
    theories: Theories,
    /// The live assertions in order, with their formulas.
    assertions: Vec<(AssertionId, TermId)>,
    next_id: u32,
    scope_starts: Vec<usize>,
    n_loaded: usize,
    n_scopes_loaded: usize,
    /// Does the last scope hold only the assumptions of the last check?
    assumption_scope: bool,
    assumptions: Vec<AssertionId>,
    answer: Answer,
    /// Keep a model that need not satisfy all assertions when a check ends without an answer.
    keeps_candidates: bool,
    candidate: Option<Model>,
    /// Beside the model of the last check.
    irrational: Option<IrrationalPoint>,
    /// Where instances do not decide, eliminate quantifiers.
    eliminates_quantifiers: bool,
    /// Put products of integers to bits as well.
    blasts_integers: bool,
    itp_stats: interpolate::ItpStats,
}

impl SmtSolver {
    pub fn new(options: SmtOptions) -> SmtSolver {
        SmtSolver {
            options,
            sat: Sat::new(options.proofs),
            atoms: AtomTable::default(),
            theories: Theories::default(),
            assertions: Vec::new(),
            next_id: 0,
            scope_starts: Vec::new(),
            n_loaded: 0,
            n_scopes_loaded: 0,
            assumption_scope: false,
            assumptions: Vec::new(),
            answer: Answer::None,
            keeps_candidates: false,
            candidate: None,
            irrational: None,
            eliminates_quantifiers: false,
            blasts_integers: false,
            itp_stats: interpolate::ItpStats::default(),
        }
    }
    pub fn with_proofs() -> SmtSolver {
        SmtSolver::new(SmtOptions::default())
    }
    pub fn without_proofs() -> SmtSolver {
        SmtSolver::new(SmtOptions { proofs: false, ..SmtOptions::default() })
    }
    /// For the solver that checks a quantified formula in a model: it is inside so many of these checks.
    pub(crate) fn check_models_from(&mut self, depth: u32) {
        self.theories.quantifiers.depth = depth;
    }
    /// For a refutation whose clauses belong to one of two sides each: operations on arrays are functions without
    /// axioms (*unsat* stays right, *sat* becomes *unknown*), and equalities between theories do not mix symbols if
    /// that can be avoided.
    pub(crate) fn refute_purely(&mut self, vocabularies: [FastSet<FunId>; 2]) {
        self.theories.arrays.is_uninterpreted = true;
        self.theories.sides = Some(Sides { vocabularies, n_splits: 0 });
    }
    /// From now on, keep the model that the search had at last when a check cannot tell
    /// ([`SmtSolver::candidate_model`]).
    pub fn keep_candidate_models(&mut self) {
        self.keeps_candidates = true;
    }
    /// After *unknown* without a limit being hit: what the search would have taken for a model. It need not satisfy all
    /// assertions.
    pub fn candidate_model(&self) -> Option<&Model> {
        self.candidate.as_ref()
    }
    /// From now on, *sat* is also answered where real constants need irrational values. The model then has rational
    /// numbers nearby in their place, and [`SmtSolver::irrational_point`] has the values.
    pub fn accept_irrational_models(&mut self) {
        self.theories.arith.accepts_irrational = true;
    }
    /// After *sat*: the irrational values of constants, if there are any.
    pub fn irrational_point(&self) -> Option<&IrrationalPoint> {
        self.irrational.as_ref()
    }
    /// From now on, eliminate quantifiers where instances do not decide, which decides linear arithmetic. Such an
    /// *unsat* has no refutation, so this has no effect on solvers that keep proofs.
    pub fn eliminate_quantifiers(&mut self) {
        self.eliminates_quantifiers = !self.options.proofs;
    }
    /// From now on, products of integers are also computed with bits ([`crate::bounded_integers`]). Such an *unsat* has
    /// no refutation, so this has no effect on solvers that keep proofs.
    pub fn blast_integers(&mut self) {
        self.blasts_integers = !self.options.proofs;
    }
    /// The answer for products of integers: from the search, if it has one soon; from residues or bits; from the
    /// search.
    fn decide_products(&mut self, pool: &mut TermPool, budget: &Budget) -> Option<SatResult> {
        if !self.blasts_integers {
            return None;
        }
        self.load(pool, budget).ok()?;
        if self.theories.arith.products.is_empty() {
            return None;
        }
        let formulas: Vec<TermId> = self.assertions.iter().map(|(_, t)| *t).collect();
        let problem = BoundedIntegers::new(pool, &formulas)?;
        match self.run(pool, &budget.child(TIME_BEFORE_BITS)) {
            SatResult::Unknown(_) => {}
            result => return Some(result),
        }
        let limited = budget.child(TIME_FOR_BITS);
        let decision = match problem.is_bounded() {
            _ if residues::refute(pool, &formulas, &limited) => Some(Decision::Unsat),
            true => problem.decide(pool, &limited),
            false => problem.guess(pool, &limited).map(Decision::Sat),
        };
        self.forget_answer();
        match decision? {
            Decision::Sat(model) => {
                self.answer = Answer::Sat(model);
                Some(SatResult::Sat)
            }
            Decision::Unsat => {
                self.answer = Answer::Unsat;
                Some(SatResult::Unsat)
            }
        }
    }
    /// The answer for the assertions without their quantifiers, if all of them can be eliminated.
    fn decide_by_elimination(&mut self, pool: &mut TermPool, budget: &Budget) -> Option<SatResult> {
        if !self.eliminates_quantifiers || !self.assertions.iter().any(|(_, t)| pool.has_quantifier(*t)) {
            return None;
        }
        let mut solver = SmtSolver::without_proofs();
        let mut memo = FastMap::default();
        for &(_, t) in &self.assertions {
            let t = without_quantifiers(pool, t, &mut memo, budget)?;
            solver.assert(pool, t);
        }
        let result = solver.check(pool, budget);
        self.answer = match &result {
            SatResult::Sat => Answer::Sat(solver.model()?.clone()),
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown(_) => return None,
        };
        Some(result)
    }
    /// From now on, verify interpolants before they are returned, or not.
    pub fn verify_interpolants(&mut self, verify: bool) {
        self.options.verify_interpolants = verify;
    }
    pub fn options(&self) -> SmtOptions {
        self.options
    }
    pub fn stats(&self) -> Stats {
        self.sat.stats
    }
    pub fn interpolation_stats(&self) -> interpolate::ItpStats {
        self.itp_stats
    }
    /// The formula of a live assertion.
    pub fn formula(&self, id: AssertionId) -> Option<TermId> {
        self.assertions.iter().find(|(a, _)| *a == id).map(|(_, t)| *t)
    }
    /// All live assertions, assumptions of the last check included.
    pub fn assertions(&self) -> &[(AssertionId, TermId)] {
        &self.assertions
    }
    /// The ids given to the assumptions of the last check.
    pub fn assumption_ids(&self) -> &[AssertionId] {
        &self.assumptions
    }
    /// After `Unsat` with proofs on: the proof, its empty clause and what its variables stand for.
    pub fn refutation(&self) -> Option<(&Proof, ClauseId, &AtomTable)> {
        match self.answer {
            Answer::Unsat if self.options.proofs => {
                self.sat.refutation().map(|root| (&self.sat.proof, root, &self.atoms))
            }
            Answer::Unsat | Answer::Sat(_) | Answer::None => None,
        }
    }

    /// After `Unsat` with proofs on: checks the refutation step by step, without searching.
    pub fn check_refutation(
        &self,
        pool: &mut TermPool,
    ) -> Option<Result<proof_check::Report, proof_check::ProofError>> {
        let (proof, root, atoms) = self.refutation()?;
        Some(proof_check::check_refutation(pool, proof, root, atoms, &|id| self.formula(id)))
    }

    /// After `Unsat` with proofs on: interpolants under a partial assignment, given as atoms or negated
    /// atoms. The refutation is kept, so any number of assignments, trees and labellings can be asked for.
    pub fn interpolate_focused(
        &mut self,
        pool: &mut TermPool,
        tree: &ItpTree,
        assigned: &[TermId],
        options: ItpOptions,
        budget: &Budget,
    ) -> Result<Vec<TermId>, ItpError> {
        let Some((proof, root, atoms)) = self.refutation() else { return Err(ItpError::NoRefutation) };
        let partitions = interpolate::partitions(tree, &self.assertions)?;
        let refutation = interpolate::Refutation { proof, root, atoms };
        let verify = self.options.verify_interpolants;
        let query = interpolate::ItpQuery { partitions: &partitions, assigned, options, verify };
        let mut stats = self.itp_stats;
        let result = interpolate::tree_interpolants(pool, refutation, query, &mut stats, budget);
        self.itp_stats = stats;
        result
    }

    fn forget_answer(&mut self) {
        self.answer = Answer::None;
        self.candidate = None;
        self.irrational = None;
    }
    /// Ends the life of the last answer.
    fn touch(&mut self) {
        self.forget_answer();
        if std::mem::take(&mut self.assumption_scope) {
            self.assumptions.clear();
            self.pop_one();
        }
    }
    fn push_one(&mut self) {
        self.scope_starts.push(self.assertions.len());
    }
    fn pop_one(&mut self) {
        let Some(start) = self.scope_starts.pop() else { return };
        self.assertions.truncate(start);
        if self.n_scopes_loaded <= self.scope_starts.len() {
            return;
        }
        self.n_scopes_loaded -= 1;
        self.n_loaded = start;
        let mut host = Quiet { theories: &mut self.theories, budget: Budget::unlimited() };
        self.sat.pop_scope(&mut host);
        self.theories.pop_scope();
        self.atoms.pop_scope();
    }
    fn add(&mut self, pool: &TermPool, t: TermId) -> AssertionId {
        debug_assert_eq!(pool.sort(t), SortId::BOOL);
        let id = AssertionId(self.next_id);
        self.next_id += 1;
        self.assertions.push((id, t));
        id
    }
    /// Brings everything that was asserted to the search. What the budget leaves undone is done by the next call.
    fn load(&mut self, pool: &mut TermPool, budget: &Budget) -> Result<(), Stop> {
        loop {
            let mut view = View { pool, atoms: &mut self.atoms, theories: &mut self.theories, budget };
            if !view.theories.clausifier.theory_atoms.is_empty() {
                // An earlier call left them.
                self.sat.cancel_until(0, &mut view);
                let (registered, result) = view.register_within_budget(self.sat.values());
                self.sat.add_registered(&mut view, registered);
                result?;
            }
            if self.scope_starts.get(self.n_scopes_loaded) == Some(&self.n_loaded) {
                let mut host = Quiet { theories: &mut self.theories, budget: Budget::unlimited() };
                self.sat.push_scope(&mut host);
                self.theories.push_scope();
                self.atoms.push_scope();
                self.n_scopes_loaded += 1;
                continue;
            }
            let Some(&(id, t)) = self.assertions.get(self.n_loaded) else { return Ok(()) };
            budget.check()?;
            self.n_loaded += 1;
            self.sat.cancel_until(0, &mut view);
            view.theories.clausifier.assert(view.pool, view.atoms, t, id);
            let (registered, result) = view.register_within_budget(self.sat.values());
            self.sat.add_registered(&mut view, registered);
            result?;
            let facts = implied_linear(view.pool, t);
            view.theories.late_facts.extend(facts);
            let implied = implied_equalities(view.pool, t);
            if !implied.is_empty() {
                let vars: Vec<_> = implied.into_iter().map(|eq| view.atoms.intern(eq)).collect();
                self.sat.register_new_atoms(&mut view);
                for var in vars {
                    self.sat.prefer(var);
                }
            }
        }
    }
    fn run(&mut self, pool: &mut TermPool, budget: &Budget) -> SatResult {
        if let Err(stop) = self.load(pool, budget) {
            return SatResult::Unknown(UnknownReason::Stopped(stop));
        }
        let mut view = View { pool, atoms: &mut self.atoms, theories: &mut self.theories, budget };
        view.theories.quantifiers.start_check();
        view.theories.arith.start_check();
        match self.sat.search(&mut view) {
            Outcome::Unsat => {
                self.answer = Answer::Unsat;
                SatResult::Unsat
            }
            Outcome::Stopped(stop) => SatResult::Unknown(UnknownReason::Stopped(stop)),
            Outcome::GaveUp(why) => {
                if self.keeps_candidates {
                    self.candidate = Some(build_model(&view, self.sat.values()));
                }
                SatResult::Unknown(UnknownReason::Incomplete(why))
            }
            Outcome::Sat => {
                let model = build_model(&view, self.sat.values());
                let mut memo = FastMap::default();
                if !assume_quantifiers(&mut view, self.sat.values(), &model, &mut memo) {
                    self.candidate = self.keeps_candidates.then_some(model);
                    return SatResult::Unknown(UnknownReason::Incomplete("quantifiers".to_string()));
                }
                let irrational = IrrationalPoint::new(view.pool, &view.theories.arith.irrational);
                if let Some(point) = &irrational {
                    let formulas: Vec<TermId> = self.assertions.iter().map(|(_, t)| *t).collect();
                    if !memo.is_empty() || !point.judge(view.pool, &model, &formulas, &mut memo, budget) {
                        self.candidate = self.keeps_candidates.then_some(model);
                        let why = "irrational values of terms that are no polynomials";
                        return SatResult::Unknown(UnknownReason::Incomplete(why.to_string()));
                    }
                }
                for &(_, t) in &self.assertions {
                    match model.eval_memo(view.pool, t, &mut memo) {
                        Ok(Value::Bool(true)) => {}
                        Ok(_) | Err(_) => {
                            self.candidate = self.keeps_candidates.then_some(model);
                            return SatResult::Unknown(UnknownReason::Incomplete(
                                "the model found does not satisfy an assertion".to_string(),
                            ));
                        }
                    }
                }
                self.irrational = irrational;
                self.answer = Answer::Sat(model);
                SatResult::Sat
            }
        }
    }
}

/// An equivalent formula without quantifiers; `None` if one of them cannot be eliminated.
fn without_quantifiers(
    pool: &mut TermPool,
    root: TermId,
    memo: &mut FastMap<TermId, TermId>,
    budget: &Budget,
) -> Option<TermId> {
    let mut order = Vec::new();
    pool.visit_postorder(&[root], |t| order.push(t));
    for t in order {
        if memo.contains_key(&t) {
            continue;
        }
        let args: Vec<TermId> = pool.args(t).iter().map(|a| memo.get(a).copied().unwrap_or(*a)).collect();
        let result = match pool.op(t) {
            op @ (Op::Forall(q) | Op::Exists(q)) => {
                let vars = pool.quantifier(q).vars.clone();
                let constants: Vec<TermId> = vars.iter().map(|&x| pool.fresh_constant("q", pool.sort(x))).collect();
                let pairs: Vec<(TermId, TermId)> = vars.iter().copied().zip(constants.iter().copied()).collect();
                let body = pool.substitute(args[0], &pairs);
                let options = qe::Options::default();
                let eliminated = match op {
                    Op::Forall(_) => qe::eliminate_forall(pool, &constants, body, &options, budget),
                    _ => qe::eliminate_exists(pool, &constants, body, &options, budget),
                };
                if !eliminated.is_complete() || pool.has_quantifier(eliminated.formula) {
                    return None;
                }
                eliminated.formula
            }
            _ if args == pool.args(t) => t,
            _ => pool.rebuild(t, &args),
        };
        memo.insert(t, result);
    }
    memo.get(&root).copied()
}

/// Puts the truth values of the quantified formulas into the memo of an evaluation, as far as they are justified.
///
/// Universal formulas that matter were proved in the model by the final check; existential ones are justified by
/// their Skolem constants, which is evaluated here. A formula that matters only in the other polarity may take the
/// value of the assignment: the assertions are monotone in it, so the true value makes them true as well.
fn assume_quantifiers(view: &mut View<'_>, values: &[LBool], model: &Model, memo: &mut FastMap<TermId, Value>) -> bool {
    let mut witnessed = Vec::new();
    for var in view.theories.quantifiers.active().to_vec() {
        let formula = view.atoms.term(var);
        let holds = values.get(var.index()) == Some(&LBool::True);
        memo.insert(formula, Value::Bool(holds));
        if let Some(instance) = view.skolem_instance(var, holds) {
            witnessed.push((instance, holds));
        }
    }
    witnessed.into_iter().all(|(t, holds)| model.eval_memo(view.pool, t, memo) == Ok(Value::Bool(holds)))
}

/// A host for changes of scope, which touch no terms.
struct Quiet<'a> {
    theories: &'a mut Theories,
    budget: Budget,
}

impl Host for Quiet<'_> {
    fn push_level(&mut self) {
        self.theories.push_level();
    }
    fn backtrack(&mut self, n_levels: usize) {
        self.theories.backtrack(n_levels);
    }
    fn assert_lit(&mut self, _: &[LBool], _: crate::sat::Lit) -> Result<(), crate::theory::TheoryLemma> {
        Ok(())
    }
    fn propagate(&mut self, _: &[LBool], _: &mut Vec<crate::theory::Propagation>) -> crate::theory::Checked {
        crate::theory::Checked::Ok
    }
    fn explain(&mut self, _: &[LBool], _: crate::theory::Propagation) -> crate::theory::TheoryLemma {
        unreachable!("a change of scope resolves no conflict")
    }
    fn final_check(&mut self, _: &[LBool]) -> crate::theory::FinalCheck {
        crate::theory::FinalCheck::Ok
    }
    fn new_atoms(&self) -> Option<bool> {
        None
    }
    fn register(&mut self, _: &[LBool]) -> crate::sat::Registered {
        crate::sat::Registered::default()
    }
    fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Solver for SmtSolver {
    fn push(&mut self) {
        self.touch();
        self.push_one();
    }
    fn pop(&mut self, n: usize) {
        self.touch();
        for _ in 0..n {
            self.pop_one();
        }
    }
    fn assert(&mut self, pool: &mut TermPool, t: TermId) -> AssertionId {
        self.touch();
        self.add(pool, t)
    }
    fn check_assuming(&mut self, pool: &mut TermPool, assumptions: &[TermId], budget: &Budget) -> SatResult {
        self.touch();
        if !assumptions.is_empty() {
            self.push_one();
            self.assumption_scope = true;
            self.assumptions = assumptions.iter().map(|&t| self.add(pool, t)).collect();
        }
        if let Some(result) = self.decide_products(pool, budget) {
            return result;
        }
        match self.run(pool, budget) {
            SatResult::Unknown(UnknownReason::Incomplete(why)) => {
                self.decide_by_elimination(pool, budget).unwrap_or(SatResult::Unknown(UnknownReason::Incomplete(why)))
            }
            result => result,
        }
    }
    fn model(&self) -> Option<&Model> {
        match &self.answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::None => None,
        }
    }
    fn unsat_core(&self) -> Vec<AssertionId> {
        match self.answer {
            Answer::Unsat => {
                let all = match self.refutation() {
                    Some((proof, root, _)) => proof.assertions_below(root),
                    None => self.assertions.iter().map(|(id, _)| *id).collect(),
                };
                all.into_iter().filter(|id| !self.assumptions.contains(id)).collect()
            }
            Answer::Sat(_) | Answer::None => Vec::new(),
        }
    }
    fn failed_assumptions(&self) -> Vec<usize> {
        match self.answer {
            Answer::Unsat => match self.refutation() {
                Some((proof, root, _)) => {
                    let used = proof.assertions_below(root);
                    (0..self.assumptions.len()).filter(|&k| used.binary_search(&self.assumptions[k]).is_ok()).collect()
                }
                None => (0..self.assumptions.len()).collect(),
            },
            Answer::Sat(_) | Answer::None => Vec::new(),
        }
    }
    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        tree: &ItpTree,
        options: ItpOptions,
        budget: &Budget,
    ) -> Result<Vec<TermId>, ItpError> {
        self.interpolate_focused(pool, tree, &[], options, budget)
    }
}
