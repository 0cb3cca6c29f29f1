//! The program without arrays: each step as a formula over numbers and the values of the watched cells.

use super::cells::{Watched, is_simple};
use ir::{EdgeId, Icfg, Label, Parts, Transition, VarId, VarKind, VarRole, Variable, primed};
use logic::{FastMap, FastSet, Op, SortId, TermId, TermPool};
use std::collections::BTreeMap;

/// The graph with every step translated; its locations and edges are the same. `None` if a step has quantifiers.
pub(super) fn morph(
    pool: &mut TermPool,
    icfg: &Icfg,
    steps: &BTreeMap<EdgeId, Transition>,
    watched: &Watched,
    preferred: usize,
) -> Option<Icfg> {
    let mut morphed = icfg.clone();
    let mut add = |name: String, sort: SortId, term: TermId| {
        let kind = VarKind::Global;
        let var = morphed.vars.push(Variable { name, sort, term, kind, role: VarRole::Plain, span: base::Span::NONE });
        morphed.globals.push(var);
        var
    };
    add("k".to_string(), SortId::INT, watched.k);
    let mut values = Vec::new();
    for cell in &watched.cells {
        let name = format!("cell of {}", icfg.vars[cell.array].name);
        values.push(add(name, pool.sort(cell.value), cell.value));
    }
    for (&edge, step) in steps {
        let hit = watched.hits(pool, edge, preferred);
        let translated = Step::new(pool, icfg, watched, &values, step).translate(pool, step, edge, hit)?;
        morphed.edges[edge].label = Label::Block(Box::new(translated));
    }
    Some(morphed)
}

/// The translation of one step.
struct Step<'a> {
    watched: &'a Watched,
    /// Variables that change, those of cells included.
    assigned: Vec<VarId>,
    /// For each watched cell its place after the step, and its value in the array before and after the step.
    places: Vec<TermId>,
    before: Vec<TermId>,
    after: Vec<TermId>,
    /// The variable that an array constant of the step is a version of.
    owners: FastMap<TermId, TermId>,
    /// The value of a watched cell in an array constant of the step.
    values: FastMap<(usize, TermId), TermId>,
    /// What is read from an array constant at a place that is none of a watched cell.
    elsewhere: FastMap<(TermId, TermId), TermId>,
    /// Constants of the translated step only.
    fresh: Vec<TermId>,
    /// The translation of each term that is not an array.
    translated: FastMap<TermId, TermId>,
}

impl<'a> Step<'a> {
    fn new(pool: &mut TermPool, icfg: &Icfg, watched: &'a Watched, values: &[VarId], step: &Transition) -> Step<'a> {
        let after_step: Vec<(TermId, TermId)> =
            step.assigned.iter().map(|&v| (icfg.vars[v].term, primed(pool, icfg.vars[v].term))).collect();
        let arrays: FastSet<TermId> = watched.cells.iter().map(|c| c.array_term).collect();
        let mut assigned: Vec<VarId> =
            step.assigned.iter().copied().filter(|&v| !arrays.contains(&icfg.vars[v].term)).collect();
        let (mut places, mut before, mut after, mut fresh) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (cell, &value) in watched.cells.iter().zip(values) {
            let place = pool.substitute(cell.place, &after_step);
            let moves = place != cell.place;
            if moves {
                let unknown = pool.fresh_constant("cell", pool.sort(cell.value));
                fresh.push(unknown);
                before.push(unknown);
            } else {
                before.push(cell.value);
            }
            if moves || step.assigned.contains(&cell.array) {
                assigned.push(value);
                after.push(primed(pool, cell.value));
            } else {
                after.push(cell.value);
            }
            places.push(place);
        }
        assigned.sort_unstable();
        let mut owners = FastMap::default();
        for cell in &watched.cells {
            owners.insert(cell.array_term, cell.array_term);
            owners.insert(primed(pool, cell.array_term), cell.array_term);
        }
        let mut this = Step {
            watched,
            assigned,
            places,
            before,
            after,
            owners,
            values: FastMap::default(),
            elsewhere: FastMap::default(),
            fresh,
            translated: FastMap::default(),
        };
        this.find_owners(pool, step);
        this
    }

    /// Array constants in the middle of a step are versions of what they are equated with.
    fn find_owners(&mut self, pool: &TermPool, step: &Transition) {
        let mut equations = Vec::new();
        pool.visit_postorder(&[step.formula, step.plain], |t| {
            if pool.op(t) == Op::Eq && is_simple(pool, pool.sort(pool.arg(t, 0))) {
                equations.push((pool.arg(t, 0), pool.arg(t, 1)));
            }
        });
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in &equations {
                let roots: Vec<TermId> = [a, b].into_iter().flat_map(|t| roots(pool, t)).collect();
                let Some(owner) = roots.iter().find_map(|r| self.owners.get(r).copied()) else { continue };
                for root in roots {
                    if !self.owners.contains_key(&root) {
                        self.owners.insert(root, owner);
                        changed = true;
                    }
                }
            }
        }
    }

    fn translate(
        mut self,
        pool: &mut TermPool,
        step: &Transition,
        edge: EdgeId,
        assumed: TermId,
    ) -> Option<Transition> {
        if pool.has_quantifier(step.formula) || pool.has_quantifier(step.plain) {
            return None;
        }
        let weak = self.not_only_asserted(pool, step);
        let mut order = Vec::new();
        pool.visit_postorder(&[step.formula, step.plain], |t| order.push(t));
        for t in order {
            if self.is_watched(pool, t) {
                continue;
            }
            let translated = match pool.op(t) {
                Op::Select if self.is_watched(pool, pool.arg(t, 0)) => {
                    let index = self.translated[&pool.arg(t, 1)];
                    self.read(pool, pool.arg(t, 0), index)
                }
                Op::Eq if self.is_watched(pool, pool.arg(t, 0)) || self.is_watched(pool, pool.arg(t, 1)) => {
                    if weak.contains(&t) {
                        self.unknown(pool, "equal", SortId::BOOL)
                    } else {
                        self.equation(pool, pool.arg(t, 0), pool.arg(t, 1))
                    }
                }
                _ => {
                    let arguments = pool.args(t).to_vec();
                    if arguments.iter().any(|&a| self.is_watched(pool, a)) {
                        self.unknown(pool, "array", pool.sort(t))
                    } else {
                        let arguments: Vec<TermId> = arguments.iter().map(|a| self.translated[a]).collect();
                        pool.rebuild(t, &arguments)
                    }
                }
            };
            self.translated.insert(t, translated);
        }
        let formula = pool.and2(self.translated[&step.formula], assumed);
        let plain = pool.and2(self.translated[&step.plain], assumed);
        let mut aux = step.aux.clone();
        aux.append(&mut self.fresh);
        let occurring: FastSet<TermId> =
            pool.free_constants(formula).into_iter().chain(pool.free_constants(plain)).collect();
        aux.retain(|a| occurring.contains(a));
        aux.sort_unstable();
        let parts = Parts::Edge { edge, chosen: Vec::new() };
        Some(Transition { formula, plain, assigned: self.assigned, aux, parts })
    }

    /// A version of an array of which cells are watched?
    fn is_watched(&self, pool: &TermPool, t: TermId) -> bool {
        is_simple(pool, pool.sort(t)) && roots(pool, t).iter().any(|r| self.owners.contains_key(r))
    }

    fn unknown(&mut self, pool: &mut TermPool, hint: &str, sort: SortId) -> TermId {
        let constant = pool.fresh_constant(hint, sort);
        self.fresh.push(constant);
        constant
    }

    /// Equal arrays have equal watched cells.
    fn equation(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        let owner = [a, b].into_iter().flat_map(|t| roots(pool, t)).find_map(|r| self.owners.get(&r).copied());
        let mut equal = Vec::new();
        for cell in 0..self.watched.cells.len() {
            if Some(self.watched.cells[cell].array_term) == owner {
                let place = self.places[cell];
                let (left, right) = (self.read(pool, a, place), self.read(pool, b, place));
                equal.push(pool.eq(left, right));
            }
        }
        pool.and(&equal)
    }

    /// What an array has at an index (which is translated already).
    fn read(&mut self, pool: &mut TermPool, array: TermId, index: TermId) -> TermId {
        match pool.op(array) {
            Op::Store => {
                let place = self.translated[&pool.arg(array, 1)];
                let value = self.translated[&pool.arg(array, 2)];
                let is_here = pool.eq(index, place);
                if is_here == TermId::TRUE {
                    return value;
                }
                let before = self.read(pool, pool.arg(array, 0), index);
                pool.ite(is_here, value, before)
            }
            Op::Ite => {
                let condition = self.translated[&pool.arg(array, 0)];
                let then = self.read(pool, pool.arg(array, 1), index);
                let otherwise = self.read(pool, pool.arg(array, 2), index);
                pool.ite(condition, then, otherwise)
            }
            Op::ConstArray => self.translated[&pool.arg(array, 0)],
            _ => self.read_version(pool, array, index),
        }
    }

    /// What an array constant of the step has at an index.
    fn read_version(&mut self, pool: &mut TermPool, array: TermId, index: TermId) -> TermId {
        let owner = self.owners.get(&array).copied();
        let mut value = match self.elsewhere.get(&(array, index)) {
            Some(&value) => value,
            None => {
                let element = pool.element_sort(array).unwrap_or(SortId::INT);
                let value = self.unknown(pool, "elsewhere", element);
                self.elsewhere.insert((array, index), value);
                value
            }
        };
        for cell in (0..self.watched.cells.len()).rev() {
            let array_term = self.watched.cells[cell].array_term;
            if Some(array_term) != owner {
                continue;
            }
            let is_it = pool.eq(index, self.places[cell]);
            let of_cell = if array == array_term {
                self.before[cell]
            } else if array == primed(pool, array_term) {
                self.after[cell]
            } else if let Some(&known) = self.values.get(&(cell, array)) {
                known
            } else {
                let unknown = self.unknown(pool, "cell", pool.sort(self.before[cell]));
                self.values.insert((cell, array), unknown);
                unknown
            };
            value = pool.ite(is_it, of_cell, value);
        }
        value
    }

    /// Equations of arrays that are not merely asserted: "equal watched cells" is weaker than "equal arrays".
    fn not_only_asserted(&self, pool: &TermPool, step: &Transition) -> FastSet<TermId> {
        let mut weak = FastSet::default();
        let mut seen = FastSet::default();
        let mut stack = vec![(step.formula, true), (step.plain, true)];
        while let Some((t, positive)) = stack.pop() {
            if !seen.insert((t, positive)) {
                continue;
            }
            match pool.op(t) {
                Op::And | Op::Or => stack.extend(pool.args(t).iter().map(|&a| (a, positive))),
                Op::Not => stack.push((pool.arg(t, 0), !positive)),
                Op::Eq if is_simple(pool, pool.sort(pool.arg(t, 0))) => {
                    if !positive {
                        weak.insert(t);
                    }
                }
                // Anything else may ask whether an equation holds.
                _ => stack.extend(pool.args(t).iter().flat_map(|&a| [(a, true), (a, false)])),
            }
        }
        weak
    }
}

/// The array constants that a term of stores and choices is made of.
fn roots(pool: &TermPool, array: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![array];
    while let Some(t) = stack.pop() {
        match pool.op(t) {
            Op::Store => stack.push(pool.arg(t, 0)),
            Op::Ite => stack.extend([pool.arg(t, 1), pool.arg(t, 2)]),
            Op::ConstArray => {}
            _ => found.push(t),
        }
    }
    found
}
