//! Which actions can be taken in either order.
//!
//! Cheapest first: actions of one thread, or with a place in common, never; actions of which none writes what the other
//! touches, always; others if a solver says that both orders are possible under the same conditions and lead to the
//! same values, in all states, or in those of a formula. The checker asks the same questions again
//! ([`ir::interleave::concurrent::Concurrent::commutation`]).

use crate::framework::Ctx;
use crate::hoare::{HoareChecker, Validity};
use ir::interleave::concurrent::{ActionId, Concurrent, PlaceId, PlaceKind};
use logic::{FastMap, TermId};
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// The time for one question.
const QUERY_LIMIT: Duration = Duration::from_millis(100);
/// The largest number of queries.
const MAX_QUESTIONS: usize = 4000;

/// What a thread may do from a place on, with the threads that it starts; actions that lead to an error are not in it.
pub(crate) struct Future {
    pub(crate) actions: Vec<ActionId>,
    /// The threads that get to an error.
    pub(crate) errors: BTreeSet<usize>,
}

/// See the [module](self).
pub(crate) struct Commutation<'a> {
    program: &'a Concurrent,
    solver: HoareChecker<'a>,
    conditions: FastMap<(ActionId, ActionId), Option<TermId>>,
    answers: FastMap<(TermId, TermId), bool>,
    futures: FastMap<PlaceId, std::rc::Rc<Future>>,
    conflicts: FastMap<(ActionId, PlaceId), bool>,
    n_questions: usize,
    /// Only what needs no solver.
    pub(crate) syntactic: bool,
}

impl<'a> Commutation<'a> {
    pub(crate) fn new(ctx: &mut Ctx<'_>, program: &'a Concurrent) -> Commutation<'a> {
        Commutation {
            program,
            solver: HoareChecker::new(ctx.pool, &program.graph).with_query_limit(QUERY_LIMIT),
            conditions: FastMap::default(),
            answers: FastMap::default(),
            futures: FastMap::default(),
            conflicts: FastMap::default(),
            n_questions: 0,
            syntactic: false,
        }
    }

    /// Do two actions commute in the states of a formula?
    pub(crate) fn commute(&mut self, ctx: &mut Ctx<'_>, a: ActionId, b: ActionId, formula: TermId) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        let program = self.program;
        if self.syntactic {
            let (first, second) = (&program.actions[a], &program.actions[b]);
            return first.thread != second.thread && !first.shares_place(second) && !first.conflicts(second);
        }
        let condition = *self.conditions.entry((a, b)).or_insert_with(|| program.commutation(ctx.pool, a, b));
        match condition {
            None | Some(TermId::FALSE) => false,
            Some(TermId::TRUE) => true,
            Some(condition) => self.holds(ctx, TermId::TRUE, condition) || self.holds(ctx, formula, condition),
        }
    }

    fn holds(&mut self, ctx: &mut Ctx<'_>, formula: TermId, condition: TermId) -> bool {
        if let Some(&known) = self.answers.get(&(formula, condition)) {
            return known;
        }
        if self.n_questions > MAX_QUESTIONS {
            return false;
        }
        self.n_questions += 1;
        ctx.stats.add("questions about order", 1);
        let answer = self.solver.implies(ctx, formula, condition) == Validity::Valid;
        self.answers.insert((formula, condition), answer);
        answer
    }

    pub(crate) fn future(&mut self, place: PlaceId) -> std::rc::Rc<Future> {
        let program = self.program;
        self.futures
            .entry(place)
            .or_insert_with(|| {
                let mut seen = BTreeSet::from([place]);
                let mut work = VecDeque::from([place]);
                let (mut actions, mut errors) = (BTreeSet::new(), BTreeSet::new());
                while let Some(p) = work.pop_front() {
                    if !matches!(program.places[p].kind, PlaceKind::At(_)) {
                        continue;
                    }
                    for &a in program.actions_from(p) {
                        let post = &program.actions[a].post;
                        let error = post.iter().find(|p| program.is_error(**p));
                        match error {
                            Some(error) => errors.extend(program.places[*error].thread),
                            None => {
                                actions.insert(a);
                                work.extend(post.iter().copied().filter(|q| seen.insert(*q)));
                            }
                        }
                    }
                }
                std::rc::Rc::new(Future { actions: actions.into_iter().collect(), errors })
            })
            .clone()
    }

    /// Does an action depend on what a thread may do from a place on?
    pub(crate) fn conflicts(&mut self, ctx: &mut Ctx<'_>, action: ActionId, place: PlaceId) -> bool {
        if let Some(&known) = self.conflicts.get(&(action, place)) {
            return known;
        }
        let future = self.future(place);
        let answer = future.actions.iter().any(|&b| !self.commute(ctx, action, b, TermId::TRUE));
        self.conflicts.insert((action, place), answer);
        answer
    }
}
