//! Sets of predicates as a deterministic automaton over actions: after an action those hold that must hold after it.

use crate::framework::Ctx;
use crate::hoare::{HoareChecker, Validity};
use ir::VarId;
use ir::VarIndex;
use ir::interleave::concurrent::{ActionId, Concurrent};
use logic::{FastMap, TermId};

/// A set of predicates, by its number.
pub(crate) type SetId = u32;

/// A number of predicates, and those of them that hold after an action; nothing if it is impossible.
type After = (usize, Option<Vec<u32>>);

/// See the [module](self).
pub(crate) struct Predicates {
    all: Vec<(TermId, Vec<VarId>)>,
    index: VarIndex,
    numbers: FastMap<Vec<u32>, SetId>,
    sets: Vec<Vec<u32>>,
    formulas: Vec<TermId>,
    /// The set after an action, with the number of predicates that were there when it was computed.
    steps: FastMap<(SetId, TermId, ActionId), After>,
}

impl Predicates {
    pub(crate) fn new(program: &Concurrent) -> Predicates {
        let mut this = Predicates {
            all: Vec::new(),
            index: VarIndex::new(&program.graph),
            numbers: FastMap::default(),
            sets: Vec::new(),
            formulas: Vec::new(),
            steps: FastMap::default(),
        };
        this.number(Vec::new(), TermId::TRUE);
        this
    }

    /// The empty set: nothing is known.
    pub(crate) const NOTHING: SetId = 0;

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds predicates; was there a new one?
    pub(crate) fn add(&mut self, ctx: &Ctx<'_>, predicates: &[TermId]) -> bool {
        let before = self.all.len();
        for &p in predicates {
            if self.all.iter().all(|(q, _)| *q != p) {
                let mut vars = self.index.vars_of(ctx.pool, &[p]);
                vars.dedup();
                self.all.push((p, vars));
            }
        }
        self.all.len() > before
    }

    fn number(&mut self, set: Vec<u32>, formula: TermId) -> SetId {
        if let Some(&id) = self.numbers.get(&set) {
            return id;
        }
        let id = self.sets.len() as SetId;
        self.numbers.insert(set.clone(), id);
        self.sets.push(set);
        self.formulas.push(formula);
        id
    }

    pub(crate) fn formula(&self, set: SetId) -> TermId {
        self.formulas[set as usize]
    }

    /// What holds after an action, if also a formula holds before it; `None` if it cannot be taken.
    pub(crate) fn step(
        &mut self,
        ctx: &mut Ctx<'_>,
        hoare: &mut HoareChecker<'_>,
        program: &Concurrent,
        (set, context): (SetId, TermId),
        action: ActionId,
    ) -> Option<SetId> {
        let (done, known) = self.steps.get(&(set, context, action)).cloned().unwrap_or((usize::MAX, None));
        let mut after = match (done, known) {
            (usize::MAX, _) => Vec::new(),
            (_, None) => return None,
            (_, Some(after)) => after,
        };
        let first = if done == usize::MAX { 0 } else { done };
        if done == usize::MAX || first < self.all.len() {
            let data = &program.actions[action];
            let pre = ctx.pool.and(&[self.formulas[set as usize], context, data.guard]);
            if done == usize::MAX
                && data.guard != TermId::TRUE
                && hoare.implies(ctx, pre, TermId::FALSE) == Validity::Valid
            {
                self.steps.insert((set, context, action), (self.all.len(), None));
                return None;
            }
            for i in first..self.all.len() {
                let (predicate, vars) = &self.all[i];
                let predicate = *predicate;
                let changes = vars.iter().any(|v| data.writes.binary_search(v).is_ok());
                let holds = if changes {
                    let right = program.before(ctx.pool, action, predicate);
                    hoare.implies(ctx, pre, right) == Validity::Valid
                } else if self.sets[set as usize].binary_search(&(i as u32)).is_ok() {
                    true
                } else {
                    // It may follow from what is known and the guard, if they speak of the same things.
                    let is_guarded =
                        data.guard != TermId::TRUE && vars.iter().any(|v| data.reads.binary_search(v).is_ok());
                    let is_known = |v: &VarId| {
                        let known = self.sets[set as usize].iter();
                        known.flat_map(|i| &self.all[*i as usize].1).any(|w| w == v)
                    };
                    (is_guarded || vars.iter().any(is_known)) && hoare.implies(ctx, pre, predicate) == Validity::Valid
                };
                if holds {
                    after.push(i as u32);
                }
            }
            self.steps.insert((set, context, action), (self.all.len(), Some(after.clone())));
        }
        let terms: Vec<TermId> = after.iter().map(|i| self.all[*i as usize].0).collect();
        let formula = ctx.pool.and(&terms);
        Some(self.number(after, formula))
    }
}
