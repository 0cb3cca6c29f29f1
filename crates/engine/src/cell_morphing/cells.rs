//! Which cells are watched, and what their values say about all cells.

use ir::{EdgeId, Icfg, Transition, VarId};
use logic::{FastMap, FastSet, Linear, Op, Rational, Sort, SortId, TermId, TermPool};
use std::collections::BTreeMap;

use super::candidates::reads;

/// The most cells of one array, and of all.
const MAX_OF_ONE: usize = 4;
const MAX_CELLS: usize = 12;

/// A cell of an array, at the place `rest + step·k`.
pub(super) struct Cell {
    pub array: VarId,
    /// The variable of the program that holds the array.
    pub array_term: TermId,
    rest: Linear,
    /// At least 0; 0 for a place that does not depend on `k`.
    step: Rational,
    /// The place as a term.
    pub place: TermId,
    /// Stands for the cell's value, before it is given to a variable.
    pub value: TermId,
}

/// The watched cells of a program.
pub(super) struct Watched {
    /// The unknown index.
    pub k: TermId,
    /// Stands for a place in formulas about all cells.
    bound: TermId,
    pub cells: Vec<Cell>,
    /// For each edge into an error: what `k` may be, so that reads on it are of watched cells.
    hits: BTreeMap<EdgeId, Vec<TermId>>,
    /// The variables of the program, and those that change after the first step.
    variables: FastSet<TermId>,
    running: FastSet<TermId>,
    /// The constants that stand for arrays before and after steps.
    versions: FastMap<TermId, VarId>,
}

/// An index split into what runs and what stays: `rest + step·unit`.
struct Index {
    rest: Linear,
    step: Rational,
    unit: Linear,
}

impl Watched {
    pub(super) fn choose(pool: &mut TermPool, icfg: &Icfg, steps: &BTreeMap<EdgeId, Transition>) -> Watched {
        let k = pool.fresh_constant("k", SortId::INT);
        let bound = pool.fresh_bound("p", SortId::INT);
        let mut versions = FastMap::default();
        for (id, var) in icfg.vars.iter().filter(|(_, v)| is_simple(pool, v.sort)).collect::<Vec<_>>() {
            versions.insert(var.term, id);
            versions.insert(ir::primed(pool, var.term), id);
        }
        let variables = icfg.vars.values().map(|v| v.term).collect();
        let (cells, hits, running) = (Vec::new(), BTreeMap::new(), FastSet::default());
        let mut watched = Watched { k, bound, cells, hits, variables, running, versions };
        // What a step from the initial location assigns stays from then on.
        for (_, step) in steps.iter().filter(|(edge, _)| icfg.edges[**edge].src != icfg.entry()) {
            watched.running.extend(step.assigned.iter().map(|&v| icfg.vars[v].term));
        }
        let is_error = |edge: EdgeId| icfg.locs[icfg.edges[edge].dst].error.is_some();
        let (last, others): (Vec<_>, Vec<_>) = steps.iter().partition(|(edge, _)| is_error(**edge));
        for (&edge, step) in last {
            let mut units = Vec::new();
            for (array, index) in watched.accesses(pool, step) {
                let Some(index) = watched.split(pool, index) else { continue };
                watched.add(pool, icfg, array, &index);
                if !index.step.is_zero() {
                    let unit = pool.linear_term(&index.unit, SortId::INT);
                    if !units.contains(&unit) {
                        units.push(unit);
                    }
                }
            }
            watched.hits.insert(edge, units);
        }
        for (_, step) in others {
            for (array, index) in watched.accesses(pool, step) {
                if let Some(index) = watched.split(pool, index) {
                    watched.add(pool, icfg, array, &index);
                }
            }
        }
        watched
    }

    fn add(&mut self, pool: &mut TermPool, icfg: &Icfg, array: VarId, index: &Index) {
        let of_this = self.cells.iter().filter(|c| c.array == array).count();
        if of_this >= MAX_OF_ONE || self.cells.len() >= MAX_CELLS {
            return;
        }
        let place = self.place(pool, index);
        if self.cells.iter().any(|c| c.array == array && c.place == place) {
            return;
        }
        let array_term = icfg.vars[array].term;
        let Some(sort) = pool.element_sort(array_term) else { return };
        let value = pool.fresh_constant("cell", sort);
        let (rest, step) = (index.rest.clone(), index.step.clone());
        self.cells.push(Cell { array, array_term, rest, step, place, value });
    }

    /// How many ways there are to choose `k` at steps into errors.
    pub(super) fn n_choices(&self) -> usize {
        self.hits.values().map(Vec::len).max().unwrap_or(0).max(1)
    }

    /// What is assumed of `k` where the edge leads into an error.
    pub(super) fn hits(&self, pool: &mut TermPool, edge: EdgeId, preferred: usize) -> TermId {
        let units = self.hits.get(&edge).map_or(&[][..], Vec::as_slice);
        match units.get(preferred).or(units.first()) {
            Some(&unit) => pool.eq(self.k, unit),
            None => TermId::TRUE,
        }
    }

    /// What of an index runs, divided by its step.
    pub(super) fn unit(&self, pool: &TermPool, index: TermId) -> Option<Linear> {
        self.split(pool, index).map(|index| index.unit)
    }

    /// The formula where `k` is the unit, with the values of watched cells instead of reads; `None` if it reads other
    /// cells.
    pub(super) fn in_terms_of_k(&self, pool: &mut TermPool, formula: TermId, unit: &Linear) -> Option<TermId> {
        let mut values = Vec::new();
        for (array, index) in reads(pool, formula) {
            let split = self.split(pool, index)?;
            if !split.step.is_zero() && split.unit != *unit {
                return None;
            }
            let place = self.place(pool, &split);
            let cell = self.cells.iter().find(|c| c.array_term == array && c.place == place)?;
            values.push((pool.select(array, index), cell.value));
        }
        let mut result = pool.substitute(formula, &values);
        if let [(variable, factor)] = &unit.terms[..]
            && factor.is_one()
        {
            result = pool.substitute(result, &[(*variable, self.k)]);
        }
        reads(pool, result).is_empty().then_some(result)
    }

    /// `rest + step·unit`; `None` if the index is not a sum of variables of the program.
    fn split(&self, pool: &TermPool, index: TermId) -> Option<Index> {
        let linear = pool.linear(index);
        let (mut rest, mut unit) = (Linear::constant(linear.constant.clone()), Linear::default());
        let mut step = Rational::from(0i64);
        for (t, factor) in &linear.terms {
            if !factor.is_integer() || !self.variables.contains(t) {
                return None;
            }
            if self.running.contains(t) {
                step = step.gcd(factor);
                unit.add_term(*t, factor);
            } else {
                rest.add_term(*t, factor);
            }
        }
        if !step.is_zero() {
            unit.scale(&step.recip());
        }
        Some(Index { rest, step, unit })
    }

    /// The arrays of numbers or other simple things that a step stores to or reads from, each with the index.
    pub(super) fn accesses(&self, pool: &TermPool, step: &Transition) -> Vec<(VarId, TermId)> {
        let mut found = Vec::new();
        pool.visit_postorder(&[step.plain], |t| {
            if matches!(pool.op(t), Op::Select | Op::Store)
                && let Some(array) = root(pool, pool.arg(t, 0)).and_then(|r| self.versions.get(&r))
            {
                found.push((*array, pool.arg(t, 1)));
            }
        });
        found
    }

    fn place(&self, pool: &mut TermPool, index: &Index) -> TermId {
        let mut place = index.rest.clone();
        place.add_term(self.k, &index.step);
        pool.linear_term(&place, SortId::INT)
    }

    /// The formulas with every number for `k`, in terms of the program's arrays. Those that say nothing about cells but
    /// speak of `k` are left out.
    pub(super) fn for_all_cells(&self, pool: &mut TermPool, formulas: &[TermId]) -> Vec<TermId> {
        let mut quantified = Vec::new();
        for &formula in formulas {
            let constants = pool.free_constants(formula);
            let used: Vec<&Cell> = self.cells.iter().filter(|c| constants.contains(&c.value)).collect();
            if !constants.contains(&self.k) && used.iter().all(|c| c.step.is_zero()) {
                let reads = self.reads(pool, &used, None);
                quantified.push(pool.substitute(formula, &reads));
                continue;
            }
            // One quantifier for the cells whose places go together.
            let mut main: Vec<&Cell> = Vec::new();
            for &cell in used.iter().filter(|c| !c.step.is_zero()) {
                if !main.iter().any(|c| c.rest == cell.rest && c.step == cell.step) {
                    main.push(cell);
                }
            }
            quantified.extend(main.into_iter().map(|cell| self.for_all_places(pool, formula, &used, cell)));
        }
        quantified
    }

    /// `∀p. k = (p - rest) / step is whole ⇒ formula`, with the cells at `p` as the patterns.
    fn for_all_places(&self, pool: &mut TermPool, formula: TermId, used: &[&Cell], cell: &Cell) -> TermId {
        let mut distance = pool.linear(self.bound);
        distance.add_scaled(&cell.rest, &Rational::from(-1i64));
        let distance = pool.linear_term(&distance, SortId::INT);
        let is_dense = cell.step.is_one();
        let step = pool.int_num(cell.step.clone());
        let k = if is_dense { distance } else { pool.int_div(distance, step) };
        let mut replaced = self.reads(pool, used, Some((cell, distance, k)));
        replaced.push((self.k, k));
        let body = pool.substitute(formula, &replaced);
        let guard = if is_dense {
            TermId::TRUE
        } else {
            let (remainder, zero) = (pool.modulo(distance, step), pool.int(0));
            pool.eq(remainder, zero)
        };
        let body = pool.implies(guard, body);
        let here = used.iter().filter(|c| c.rest == cell.rest && c.step == cell.step);
        let patterns = here.map(|c| vec![pool.select(c.array_term, self.bound)]).collect();
        pool.forall(&[self.bound], patterns, body)
    }

    /// What the values of cells are in the program, where `k` is the number that makes a cell the one at
    /// `rest + distance`.
    fn reads(
        &self,
        pool: &mut TermPool,
        cells: &[&Cell],
        at: Option<(&Cell, TermId, TermId)>,
    ) -> Vec<(TermId, TermId)> {
        let mut reads = Vec::new();
        for cell in cells {
            let mut place = cell.rest.clone();
            if let Some((main, distance, k)) = at {
                let factor = &cell.step / &main.step;
                if factor.is_integer() {
                    place.add_scaled(&pool.linear(distance), &factor);
                } else {
                    place.add_scaled(&pool.linear(k), &cell.step);
                }
            }
            let place = pool.linear_term(&place, SortId::INT);
            reads.push((cell.value, pool.select(cell.array_term, place)));
        }
        reads
    }
}

/// An array over integers whose elements are not arrays.
pub(super) fn is_simple(pool: &TermPool, sort: SortId) -> bool {
    match *pool.sort_data(sort) {
        Sort::Array(index, element) => index == SortId::INT && !matches!(pool.sort_data(element), Sort::Array(..)),
        _ => false,
    }
}

/// The variable of an array that stores were made to.
pub(super) fn root(pool: &TermPool, mut array: TermId) -> Option<TermId> {
    while pool.op(array) == Op::Store {
        array = pool.arg(array, 0);
    }
    (is_simple(pool, pool.sort(array)) && pool.as_symbol(array).is_some()).then_some(array)
}
