//! The general simplex of SMT solvers: a system of linear equations, bounds on its variables that come and go.
//!
//! After Dutertre and de Moura (CAV 2006). The tableau holds one equation per *basic* variable over the *nonbasic*
//! ones; bounds on nonbasic variables are always respected by the assignment, and [`Simplex::check`] pivots until the
//! basic ones respect theirs too, or until a row shows that they cannot. It knows nothing of terms or literals: a
//! bound carries an opaque [`Reason`], and a conflict is a list of bounds with Farkas multipliers.
//!
//! Departures from the paper:
//! - a row is a vector of *integers* `Σ cᵢ·xᵢ = 0`, divided by their greatest common divisor: pivoting then needs one
//!   gcd per row in place of one per number, and conflicts have small integer multipliers for free;
//! - bounds live on one stack, so backtracking is popping, and the index of a bound ([`BoundId`]) is also its age:
//!   explanations can be restricted to what was known at an earlier moment;
//! - before pivoting, a violated row is repaired by changing the value of a single nonbasic variable, where that puts
//!   no other variable out of bounds (or one, if that variable was not used so before in this check). Unrolled loops
//!   are chains of equations `x' = x + 1`; this way their rows stay as short as they were written, while pivoting makes
//!   them quadratic;
//! - the assignment is *not* restored on backtracking. It satisfied tighter bounds before, or some basic variable was
//!   left out of bounds by a conflict; such variables stay in the queue of suspects.
//!
//! Invariants:
//! 1. each row has exactly one basic variable, which occurs in no other row;
//! 2. the assignment satisfies all rows, and the bounds of all nonbasic variables;
//! 3. a basic variable out of bounds is in the queue of suspects;
//! 4. coefficients in a row are non-zero coprime integers.
//!
//! Termination: but for one trade per variable a repair makes fewer variables violate their bounds. After a number of
//! pivots proportional to the tableau nothing is repaired and leaving and entering variables are chosen by least index
//! (Bland): no cycles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::{Budget, Id, IdVec, Stop, define_id};
use logic::Rational;

use super::delta::Delta;

define_id!(
    /// A variable of the tableau: a column or the name of a linear form.
    LinVar, "x";
    /// A bound on the stack; smaller is older.
    BoundId, "b";
    RowId, "r"
);

/// What a bound came from; the simplex only hands it back.
pub type Reason = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Side {
    Lower,
    Upper,
}

impl Side {
    pub fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

/// A bound as it stands on the stack.
#[derive(Clone, Debug)]
pub struct Bound {
    pub var: LinVar,
    pub side: Side,
    pub value: Delta,
    pub reason: Reason,
    previous: Option<BoundId>,
}

/// Bounds that cannot hold together: the sum of `multiplier · (var ≤ upper)` and `multiplier · (lower ≤ var)` has no
/// variables left and says that a positive number is at most zero. All multipliers are positive integers.
pub type Farkas = Vec<(BoundId, Rational)>;

/// A bound that follows from a row and the present bounds of its other variables; ask
/// [`Simplex::premises`] which ones, before the next change.
#[derive(Clone, Debug)]
pub struct ImpliedBound {
    pub var: LinVar,
    pub side: Side,
    pub value: Delta,
    row: RowId,
    index: usize,
    extreme: Side,
}

#[derive(Clone, Debug)]
struct RowEntry {
    var: LinVar,
    coeff: Rational,
    /// Where the column of `var` points back to this entry.
    column_index: u32,
}

#[derive(Clone, Copy, Debug)]
struct ColumnEntry {
    row: RowId,
    row_index: u32,
}

#[derive(Clone, Debug, Default)]
struct Row {
    entries: Vec<RowEntry>,
    basic: Option<LinVar>,
}

#[derive(Clone, Debug)]
struct Variable {
    is_int: bool,
    value: Delta,
    lower: Option<BoundId>,
    upper: Option<BoundId>,
    /// The row in which the variable is basic.
    row: Option<RowId>,
    column: Vec<ColumnEntry>,
    suspected: bool,
    /// The check in which a change of this variable's value last put another one out of bounds.
    last_trade: u64,
    /// Somebody wants to hear of implied bounds of this variable.
    watched: bool,
}

/// Counters for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimplexStats {
    pub pivots: u64,
    /// Violations repaired by a change of value alone.
    pub moves: u64,
    pub checks: u64,
    pub conflicts: u64,
    pub rows: u64,
}

/// See the module text.
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    vars: IdVec<LinVar, Variable>,
    rows: IdVec<RowId, Row>,
    free_rows: Vec<RowId>,
    free_vars: Vec<LinVar>,
    bounds: IdVec<BoundId, Bound>,
    suspects: BinaryHeap<Reverse<LinVar>>,
    /// Rows in which a bound changed since implied bounds were last asked for.
    touched_rows: Vec<RowId>,
    row_touched: IdVec<RowId, bool>,
    /// Scratch for row operations: position of a variable in the target row, plus one.
    position: IdVec<LinVar, u32>,
    stats: SimplexStats,
}

/// How [`Simplex::check`] ended.
#[derive(Clone, Debug)]
pub enum Feasibility {
    Feasible,
    Infeasible(Farkas),
    Stopped(Stop),
}

/// Repairs by changing a value are tried in rows up to this length.
const LONGEST_REPAIRED_ROW: usize = 16;
/// Repairs lead to numbers of at most so many bits: unlike those of a vertex, the values of variables that were moved
/// off their bounds have denominators that grow with every move.
const LONGEST_REPAIRED_NUMBER: usize = 24;
/// Rows longer than this do not take part in bound propagation.
const LONGEST_PROPAGATED_ROW: usize = 32;

impl Simplex {
    pub fn new() -> Simplex {
        Simplex::default()
    }

    pub fn stats(&self) -> SimplexStats {
        self.stats
    }

    pub fn n_vars(&self) -> usize {
        self.vars.len()
    }

    pub fn n_rows(&self) -> usize {
        self.rows.len() - self.free_rows.len()
    }

    /// A new unbounded nonbasic variable with value 0.
    pub fn new_var(&mut self, is_int: bool) -> LinVar {
        let fresh = Variable {
            is_int,
            value: Delta::ZERO,
            lower: None,
            upper: None,
            row: None,
            column: Vec::new(),
            suspected: false,
            last_trade: 0,
            watched: false,
        };
        if let Some(var) = self.free_vars.pop() {
            // A freed variable may still sit in the heap of suspects; it is found innocent there.
            let suspected = self.vars[var].suspected;
            self.vars[var] = Variable { suspected, ..fresh };
            return var;
        }
        self.position.push(0);
        self.vars.push(fresh)
    }

    /// A new basic variable that equals the linear form; the form must not be empty and have no variable twice.
    pub fn new_form(&mut self, form: &[(LinVar, Rational)], is_int: bool) -> LinVar {
        let name = self.new_var(is_int);
        let row = match self.free_rows.pop() {
            Some(row) => row,
            None => {
                self.row_touched.push(false);
                self.rows.push(Row::default())
            }
        };
        self.stats.rows += 1;
        self.rows[row].basic = Some(name);
        self.vars[name].row = Some(row);
        let denominator = form.iter().fold(Rational::ONE, |lcm, (_, coeff)| lcm.lcm(&coeff.denom_rational()));
        self.append_entry(row, name, -&denominator);
        for (var, coeff) in form {
            self.append_entry(row, *var, coeff * &denominator);
        }
        // Replace variables of the form that are basic elsewhere.
        loop {
            let basic_inside = self.rows[row].entries.iter().find_map(|entry| match self.vars[entry.var].row {
                Some(other) if other != row => Some((other, entry.var)),
                Some(_) | None => None,
            });
            match basic_inside {
                Some((other, var)) => self.eliminate(row, other, var),
                None => break,
            }
        }
        self.divide_by_gcd(row);
        self.vars[name].value = self.row_value(row, name);
        self.touch_row(row);
        name
    }

    /// Removes a variable that was made by [`Simplex::new_form`] and has no bounds.
    pub fn remove_form(&mut self, var: LinVar) {
        debug_assert!(self.vars[var].lower.is_none() && self.vars[var].upper.is_none());
        if self.vars[var].row.is_none() {
            // Any row of the column will do: the variable is unbounded, so no value has to change. The old basic
            // variable of that row becomes nonbasic and must respect its bounds, so it needs to be inside them.
            let candidate = self.vars[var].column.iter().map(|entry| entry.row).min_by_key(|&row| {
                let inside = self.basic_of(row).is_none_or(|basic| self.violation(basic).is_none());
                (!inside, self.rows[row].entries.len(), row)
            });
            if let Some(row) = candidate {
                let basic = self.basic_of(row);
                self.pivot(row, var);
                if let Some(basic) = basic
                    && let Some((_, bound)) = self.violation(basic)
                {
                    let target = self.bounds[bound].value.clone();
                    self.move_nonbasic(basic, target);
                }
            }
        }
        if let Some(row) = self.vars[var].row {
            while !self.rows[row].entries.is_empty() {
                self.remove_entry(row, self.rows[row].entries.len() - 1);
            }
            self.rows[row].basic = None;
            self.free_rows.push(row);
            self.vars[var].row = None;
        }
        debug_assert!(self.vars[var].column.is_empty());
        self.vars[var].watched = false;
        self.free_vars.push(var);
    }

    /// Removes a variable made by [`Simplex::new_var`] that has no bounds and occurs in no form any more.
    pub fn remove_var(&mut self, var: LinVar) {
        self.remove_form(var);
    }

    pub fn is_int(&self, var: LinVar) -> bool {
        self.vars[var].is_int
    }

    pub fn value(&self, var: LinVar) -> &Delta {
        &self.vars[var].value
    }

    pub fn is_basic(&self, var: LinVar) -> bool {
        self.vars[var].row.is_some()
    }

    /// In how many rows a nonbasic variable occurs.
    pub fn column_len(&self, var: LinVar) -> usize {
        self.vars[var].column.len()
    }

    pub fn lower(&self, var: LinVar) -> Option<&Bound> {
        self.vars[var].lower.map(|id| &self.bounds[id])
    }

    pub fn upper(&self, var: LinVar) -> Option<&Bound> {
        self.vars[var].upper.map(|id| &self.bounds[id])
    }

    pub fn bound_id(&self, var: LinVar, side: Side) -> Option<BoundId> {
        match side {
            Side::Lower => self.vars[var].lower,
            Side::Upper => self.vars[var].upper,
        }
    }

    pub fn bound(&self, id: BoundId) -> &Bound {
        &self.bounds[id]
    }

    /// Whether lower and upper bound agree.
    pub fn is_fixed(&self, var: LinVar) -> bool {
        match (self.lower(var), self.upper(var)) {
            (Some(lower), Some(upper)) => lower.value == upper.value,
            (Some(_), None) | (None, _) => false,
        }
    }

    /// Asks for implied bounds of a variable, or no longer.
    pub fn set_watched(&mut self, var: LinVar, watched: bool) {
        self.vars[var].watched = watched;
    }

    /// The equation of a basic variable, as coefficients of `Σ cᵢ·xᵢ = 0`.
    pub fn row_of(&self, basic: LinVar) -> Option<impl Iterator<Item = (LinVar, &Rational)>> {
        let row = self.vars[basic].row?;
        Some(self.rows[row].entries.iter().map(|entry| (entry.var, &entry.coeff)))
    }

    /// The basic variables whose rows contain a nonbasic variable, with its coefficient and theirs.
    pub fn column_of(&self, var: LinVar) -> impl Iterator<Item = (LinVar, &Rational, &Rational)> {
        self.vars[var].column.iter().filter_map(move |entry| {
            let basic = self.basic_of(entry.row)?;
            let coeff = &self.rows[entry.row].entries[entry.row_index as usize].coeff;
            Some((basic, coeff, self.basic_coeff(entry.row, basic)))
        })
    }

    /// The height of the stack of bounds, to be given to [`Simplex::backtrack`].
    pub fn mark(&self) -> usize {
        self.bounds.len()
    }

    /// Forgets all bounds that were asserted since the mark.
    pub fn backtrack(&mut self, mark: usize) {
        while self.bounds.len() > mark {
            let id = BoundId::from_index(self.bounds.len() - 1);
            let Bound { var, side, previous, .. } = self.bounds[id];
            match side {
                Side::Lower => self.vars[var].lower = previous,
                Side::Upper => self.vars[var].upper = previous,
            }
            self.bounds.truncate(id.index());
        }
        for row in self.touched_rows.drain(..) {
            self.row_touched[row] = false;
        }
    }

    /// Adds a bound. A bound that is no news is not stored. `Err` when it crosses the opposite bound.
    pub fn assert_bound(&mut self, var: LinVar, side: Side, value: Delta, reason: Reason) -> Result<(), Farkas> {
        let (same, opposite) = match side {
            Side::Lower => (self.vars[var].lower, self.vars[var].upper),
            Side::Upper => (self.vars[var].upper, self.vars[var].lower),
        };
        if let Some(same) = same {
            let old = &self.bounds[same].value;
            let is_news = match side {
                Side::Lower => value > *old,
                Side::Upper => value < *old,
            };
            if !is_news {
                return Ok(());
            }
        }
        let crosses = opposite.is_some_and(|opposite| match side {
            Side::Lower => value > self.bounds[opposite].value,
            Side::Upper => value < self.bounds[opposite].value,
        });
        let out_of_bounds = match side {
            Side::Lower => self.vars[var].value < value,
            Side::Upper => self.vars[var].value > value,
        };
        let id = self.bounds.push(Bound { var, side, value, reason, previous: same });
        match side {
            Side::Lower => self.vars[var].lower = Some(id),
            Side::Upper => self.vars[var].upper = Some(id),
        }
        if crosses && let Some(opposite) = opposite {
            // The value of a nonbasic variable may stay outside until the caller takes the bound back; should he
            // forget, the suspicion makes `check` report the conflict again.
            self.suspect(var);
            self.stats.conflicts += 1;
            return Err(vec![(id, Rational::ONE), (opposite, Rational::ONE)]);
        }
        if self.vars[var].row.is_none() {
            if out_of_bounds {
                let target = self.bounds[id].value.clone();
                self.move_nonbasic(var, target);
            }
        } else if out_of_bounds {
            self.suspect(var);
        }
        for index in 0..self.vars[var].column.len() {
            let row = self.vars[var].column[index].row;
            self.touch_row(row);
        }
        Ok(())
    }

    /// Pivots until all bounds hold, or explains why they cannot.
    pub fn check(&mut self, budget: &Budget) -> Feasibility {
        self.stats.checks += 1;
        let mut n_pivots: usize = 0;
        let patience = 100 + 2 * self.n_rows();
        while let Some(&Reverse(basic)) = self.suspects.peek() {
            let Some((side, bound)) = self.violation(basic) else {
                self.suspects.pop();
                self.vars[basic].suspected = false;
                continue;
            };
            if let (Some(lower), Some(upper)) = (self.vars[basic].lower, self.vars[basic].upper)
                && self.bounds[lower].value > self.bounds[upper].value
            {
                return Feasibility::Infeasible(vec![(lower, Rational::ONE), (upper, Rational::ONE)]);
            }
            let Some(row) = self.vars[basic].row else {
                let target = self.bounds[bound].value.clone();
                self.move_nonbasic(basic, target);
                continue;
            };
            if let Err(stop) = budget.check() {
                return Feasibility::Stopped(stop);
            }
            if n_pivots <= patience
                && let Some((moved, target)) = self.repairing_move(row, basic, bound)
            {
                self.stats.moves += 1;
                self.move_nonbasic(moved, target);
                continue;
            }
            let Some(entering) = self.entering(row, basic, side, n_pivots > patience) else {
                self.stats.conflicts += 1;
                return Feasibility::Infeasible(self.explain_row(row, basic, side));
            };
            n_pivots += 1;
            self.suspects.pop();
            self.vars[basic].suspected = false;
            let target = self.bounds[bound].value.clone();
            self.pivot_and_update(row, basic, entering, target);
        }
        Feasibility::Feasible
    }

    /// Changes the value of a nonbasic variable; the basic ones follow and may leave their bounds.
    pub fn move_nonbasic(&mut self, var: LinVar, target: Delta) {
        let change = target.minus(&self.vars[var].value);
        self.vars[var].value = target;
        self.shift_column(var, &change, None);
    }

    /// Makes `entering` basic in the row of `leaving`, without changing any value.
    pub fn swap_basis(&mut self, leaving: LinVar, entering: LinVar) {
        if let Some(row) = self.vars[leaving].row {
            self.pivot(row, entering);
        }
    }

    /// Which bound a variable violates.
    pub fn violation(&self, var: LinVar) -> Option<(Side, BoundId)> {
        let variable = &self.vars[var];
        if let Some(lower) = variable.lower
            && variable.value < self.bounds[lower].value
        {
            return Some((Side::Lower, lower));
        }
        if let Some(upper) = variable.upper
            && variable.value > self.bounds[upper].value
        {
            return Some((Side::Upper, upper));
        }
        None
    }

    /// Visits the bounds of watched variables implied by rows in which a bound changed since the last call.
    pub fn implied_bounds(&mut self, mut visit: impl FnMut(&Simplex, ImpliedBound)) {
        let touched = std::mem::take(&mut self.touched_rows);
        for &row in &touched {
            self.row_touched[row] = false;
        }
        for &row in &touched {
            if self.rows[row].entries.len() <= LONGEST_PROPAGATED_ROW {
                self.implied_by_row(row, &mut visit);
            }
        }
        let mut touched = touched;
        touched.clear();
        if self.touched_rows.is_empty() {
            self.touched_rows = touched;
        }
    }

    /// A row bounds a variable from one side if all others are bounded from the right sides.
    fn implied_by_row(&self, row: RowId, visit: &mut impl FnMut(&Simplex, ImpliedBound)) {
        let entries = &self.rows[row].entries;
        if !entries.iter().any(|entry| self.vars[entry.var].watched) {
            return;
        }
        // Side::Upper here means: the largest value of Σ cᵢ·xᵢ; its summands are bounded from above.
        for extreme in [Side::Upper, Side::Lower] {
            let mut missing = None;
            let mut n_missing = 0;
            for (index, entry) in entries.iter().enumerate() {
                if self.bound_id(entry.var, Self::summand_side(extreme, &entry.coeff)).is_none() {
                    n_missing += 1;
                    missing = Some(index);
                    if n_missing > 1 {
                        break;
                    }
                }
            }
            match (n_missing, missing) {
                (0, _) => {
                    let mut total = Delta::ZERO;
                    for entry in entries {
                        if let Some(id) = self.bound_id(entry.var, Self::summand_side(extreme, &entry.coeff)) {
                            total.add_mul(&entry.coeff, &self.bounds[id].value);
                        }
                    }
                    for (index, entry) in entries.iter().enumerate() {
                        if self.vars[entry.var].watched {
                            let mut rest = total.clone();
                            if let Some(id) = self.bound_id(entry.var, Self::summand_side(extreme, &entry.coeff)) {
                                rest.add_mul(&-&entry.coeff, &self.bounds[id].value);
                            }
                            self.visit_implied(row, index, extreme, &rest, visit);
                        }
                    }
                }
                (1, Some(index)) if self.vars[entries[index].var].watched => {
                    let mut rest = Delta::ZERO;
                    for (other, entry) in entries.iter().enumerate() {
                        if other != index
                            && let Some(id) = self.bound_id(entry.var, Self::summand_side(extreme, &entry.coeff))
                        {
                            rest.add_mul(&entry.coeff, &self.bounds[id].value);
                        }
                    }
                    self.visit_implied(row, index, extreme, &rest, visit);
                }
                (_, _) => {}
            }
        }
    }

    /// The bound of `x` that makes the summand `coeff · x` extreme.
    fn summand_side(extreme: Side, coeff: &Rational) -> Side {
        if coeff.is_positive() { extreme } else { extreme.opposite() }
    }

    /// From `c·x + rest = 0` with `rest` extreme (say at most R) follows a bound of x (here `c·x ≥ −R`).
    fn visit_implied(
        &self,
        row: RowId,
        index: usize,
        extreme: Side,
        rest: &Delta,
        visit: &mut impl FnMut(&Simplex, ImpliedBound),
    ) {
        let entries = &self.rows[row].entries;
        let entry = &entries[index];
        let value = rest.times(&-entry.coeff.recip());
        let side = Self::summand_side(extreme.opposite(), &entry.coeff);
        let improves = match (side, self.bound_id(entry.var, side)) {
            (Side::Lower, Some(old)) => value > self.bounds[old].value,
            (Side::Upper, Some(old)) => value < self.bounds[old].value,
            (Side::Lower | Side::Upper, None) => true,
        };
        if !improves {
            return;
        }
        visit(self, ImpliedBound { var: entry.var, side, value, row, index, extreme });
    }

    /// The bounds that imply a bound, and its own multiplier: with the negation of the implied bound they form a
    /// Farkas conflict.
    pub fn premises(&self, implied: &ImpliedBound) -> (Rational, Farkas) {
        let entries = &self.rows[implied.row].entries;
        let premises = entries
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != implied.index)
            .filter_map(|(_, other)| {
                let id = self.bound_id(other.var, Self::summand_side(implied.extreme, &other.coeff))?;
                Some((id, other.coeff.abs()))
            })
            .collect();
        (entries[implied.index].coeff.abs(), premises)
    }

    /// The rational that δ may be without breaking a bound, and at most 1.
    pub fn largest_delta(&self) -> Rational {
        let mut delta = Rational::ONE;
        for variable in self.vars.values() {
            if let Some(lower) = variable.lower {
                Self::limit_delta(&mut delta, &self.bounds[lower].value, &variable.value);
            }
            if let Some(upper) = variable.upper {
                Self::limit_delta(&mut delta, &variable.value, &self.bounds[upper].value);
            }
        }
        delta
    }

    /// Makes `delta` small enough that `small ≤ large` holds for it.
    fn limit_delta(delta: &mut Rational, small: &Delta, large: &Delta) {
        if small.real < large.real && small.infinitesimal > large.infinitesimal {
            let limit = (&large.real - &small.real) / (&small.infinitesimal - &large.infinitesimal);
            if limit < *delta {
                *delta = limit;
            }
        }
    }

    /// How far a nonbasic variable may move down and up while everything that is in bounds stays there;
    /// `None` is infinity.
    pub fn freedom(&self, var: LinVar) -> (Option<Delta>, Option<Delta>) {
        let variable = &self.vars[var];
        let mut down = variable.lower.map(|id| variable.value.minus(&self.bounds[id].value));
        let mut up = variable.upper.map(|id| self.bounds[id].value.minus(&variable.value));
        for entry in &variable.column {
            let Some(basic) = self.basic_of(entry.row) else { continue };
            let other = &self.vars[basic];
            // The basic variable changes by `slope` for each unit.
            let coeff = &self.rows[entry.row].entries[entry.row_index as usize].coeff;
            let slope = slope(coeff, self.basic_coeff(entry.row, basic));
            let magnitude = slope.abs().recip();
            let room_up = other.upper.map(|id| self.bounds[id].value.minus(&other.value).times(&magnitude));
            let room_down = other.lower.map(|id| other.value.minus(&self.bounds[id].value).times(&magnitude));
            let (limits_up, limits_down) =
                if slope.is_positive() { (room_up, room_down) } else { (room_down, room_up) };
            Self::tighten(&mut up, limits_up);
            Self::tighten(&mut down, limits_down);
        }
        (down, up)
    }

    fn tighten(room: &mut Option<Delta>, limit: Option<Delta>) {
        if let Some(limit) = limit
            && room.as_ref().is_none_or(|room| limit < *room)
        {
            *room = Some(limit);
        }
    }

    fn basic_of(&self, row: RowId) -> Option<LinVar> {
        self.rows[row].basic
    }

    /// The coefficient of the basic variable; its column has just this one entry.
    fn basic_coeff(&self, row: RowId, basic: LinVar) -> &Rational {
        let index = self.vars[basic].column[0].row_index as usize;
        &self.rows[row].entries[index].coeff
    }

    fn suspect(&mut self, var: LinVar) {
        if !self.vars[var].suspected {
            self.vars[var].suspected = true;
            self.suspects.push(Reverse(var));
        }
    }

    fn touch_row(&mut self, row: RowId) {
        if !self.row_touched[row] {
            self.row_touched[row] = true;
            self.touched_rows.push(row);
        }
    }

    /// The value of `var` that the row and the other values demand.
    fn row_value(&self, row: RowId, var: LinVar) -> Delta {
        let mut sum = Delta::ZERO;
        let mut own = Rational::ONE;
        for entry in &self.rows[row].entries {
            if entry.var == var {
                own = entry.coeff.clone();
            } else {
                sum.add_mul(&entry.coeff, &self.vars[entry.var].value);
            }
        }
        sum.times(&-own.recip())
    }

    /// All basic variables follow a change of a nonbasic one.
    fn shift_column(&mut self, var: LinVar, change: &Delta, except: Option<RowId>) {
        for index in 0..self.vars[var].column.len() {
            let entry = self.vars[var].column[index];
            if Some(entry.row) == except {
                continue;
            }
            let Some(basic) = self.basic_of(entry.row) else { continue };
            let coeff = &self.rows[entry.row].entries[entry.row_index as usize].coeff;
            let own = self.basic_coeff(entry.row, basic);
            let slope = slope(coeff, own);
            self.vars[basic].value.add_mul(&slope, change);
            if self.violation(basic).is_some() {
                self.suspect(basic);
            }
        }
    }

    /// A new value of a nonbasic variable that brings the basic one to its bound and takes no other variable out of
    /// bounds; or one other, once per check and variable. Integers stay integers.
    fn repairing_move(&mut self, row: RowId, basic: LinVar, bound: BoundId) -> Option<(LinVar, Delta)> {
        if self.rows[row].entries.len() > LONGEST_REPAIRED_ROW {
            return None;
        }
        let change = self.bounds[bound].value.minus(&self.vars[basic].value);
        if change.real.bit_size() > LONGEST_REPAIRED_NUMBER {
            return None;
        }
        let basic_coeff = self.basic_coeff(row, basic);
        let mut trade = None;
        for entry in &self.rows[row].entries {
            let variable = &self.vars[entry.var];
            if entry.var == basic || trade.is_some() && variable.column.len() > LONGEST_REPAIRED_ROW {
                continue;
            }
            let step = change.times(&-(basic_coeff / &entry.coeff));
            let target = variable.value.plus(&step);
            if variable.is_int && !target.is_integer()
                || target.real.bit_size() > LONGEST_REPAIRED_NUMBER
                || !self.is_within(entry.var, &target)
            {
                continue;
            }
            let mut n_broken = 0;
            for other in &variable.column {
                n_broken += usize::from(!self.tolerates(*other, &step, row));
                if n_broken > 1 {
                    break;
                }
            }
            if n_broken == 0 {
                return Some((entry.var, target));
            }
            if n_broken == 1 && trade.is_none() && variable.last_trade != self.stats.checks {
                trade = Some((entry.var, target));
            }
        }
        if let Some((var, _)) = &trade {
            self.vars[*var].last_trade = self.stats.checks;
        }
        trade
    }

    fn is_within(&self, var: LinVar, value: &Delta) -> bool {
        self.vars[var].lower.is_none_or(|id| self.bounds[id].value <= *value)
            && self.vars[var].upper.is_none_or(|id| self.bounds[id].value >= *value)
    }

    /// Whether the basic variable of a row stays in bounds (or is out of them already) when a variable makes a step.
    fn tolerates(&self, entry: ColumnEntry, step: &Delta, repaired: RowId) -> bool {
        let Some(basic) = self.basic_of(entry.row) else { return true };
        let variable = &self.vars[basic];
        if entry.row == repaired || variable.lower.is_none() && variable.upper.is_none() {
            return true;
        }
        let coeff = &self.rows[entry.row].entries[entry.row_index as usize].coeff;
        let own = self.basic_coeff(entry.row, basic);
        let rises = (coeff.is_positive() != own.is_positive()) == (*step > Delta::ZERO);
        if (if rises { variable.upper } else { variable.lower }).is_none() || self.violation(basic).is_some() {
            return true;
        }
        let mut value = variable.value.clone();
        value.add_mul(&slope(coeff, own), step);
        self.is_within(basic, &value)
    }

    /// A nonbasic variable of the row that can move so that the basic one gets nearer to its violated bound.
    fn entering(&self, row: RowId, basic: LinVar, side: Side, least_index: bool) -> Option<LinVar> {
        let basic_positive = self.basic_coeff(row, basic).is_positive();
        let mut best: Option<(usize, LinVar)> = None;
        for entry in &self.rows[row].entries {
            if entry.var == basic {
                continue;
            }
            let variable = &self.vars[entry.var];
            // x_basic = Σ −(c/c_basic)·x: equal signs mean a falling slope.
            let rising = entry.coeff.is_positive() != basic_positive;
            let must_increase = rising == (side == Side::Lower);
            let free = if must_increase {
                variable.upper.is_none_or(|id| variable.value < self.bounds[id].value)
            } else {
                variable.lower.is_none_or(|id| variable.value > self.bounds[id].value)
            };
            if free {
                let cost = if least_index { 0 } else { variable.column.len() };
                if best.is_none_or(|best| (cost, entry.var) < best) {
                    best = Some((cost, entry.var));
                }
            }
        }
        best.map(|(_, var)| var)
    }

    /// The violated bound of the basic variable and the bounds that hold all others back.
    fn explain_row(&self, row: RowId, basic: LinVar, side: Side) -> Farkas {
        let basic_positive = self.basic_coeff(row, basic).is_positive();
        self.rows[row]
            .entries
            .iter()
            .filter_map(|entry| {
                let blocking = if entry.var == basic {
                    side
                } else {
                    let rising = entry.coeff.is_positive() != basic_positive;
                    if rising { side.opposite() } else { side }
                };
                Some((self.bound_id(entry.var, blocking)?, entry.coeff.abs()))
            })
            .collect()
    }

    fn pivot_and_update(&mut self, row: RowId, basic: LinVar, entering: LinVar, target: Delta) {
        let change = target.minus(&self.vars[basic].value);
        let entering_coeff = self.coeff_in(row, entering);
        let ratio = -(self.basic_coeff(row, basic) / entering_coeff);
        let step = change.times(&ratio);
        self.vars[basic].value = target;
        self.vars[entering].value = self.vars[entering].value.plus(&step);
        self.shift_column(entering, &step, Some(row));
        self.pivot(row, entering);
        if self.violation(entering).is_some() {
            self.suspect(entering);
        }
    }

    fn coeff_in(&self, row: RowId, var: LinVar) -> Rational {
        self.vars[var]
            .column
            .iter()
            .find(|entry| entry.row == row)
            .map_or(Rational::ZERO, |entry| self.rows[row].entries[entry.row_index as usize].coeff.clone())
    }

    /// Exchanges the basic variable of the row for `entering`, which must occur in it.
    fn pivot(&mut self, row: RowId, entering: LinVar) {
        self.stats.pivots += 1;
        if let Some(leaving) = self.rows[row].basic {
            self.vars[leaving].row = None;
        }
        self.rows[row].basic = Some(entering);
        self.vars[entering].row = Some(row);
        let mut index = 0;
        while self.vars[entering].column.len() > 1 {
            let other = self.vars[entering].column[index].row;
            if other == row {
                index += 1;
            } else {
                self.eliminate(other, row, entering);
            }
        }
    }

    /// Adds a multiple of `source` to a multiple of `target` so that `var` vanishes from `target`.
    fn eliminate(&mut self, target: RowId, source: RowId, var: LinVar) {
        let source_coeff = self.coeff_in(source, var);
        let target_coeff = self.coeff_in(target, var);
        let gcd = source_coeff.gcd(&target_coeff);
        let (mut target_factor, mut source_factor) =
            if gcd.is_one() { (source_coeff, -target_coeff) } else { (source_coeff / &gcd, -(target_coeff / &gcd)) };
        if target_factor.is_negative() {
            target_factor = -target_factor;
            source_factor = -source_factor;
        }
        let scaled = !target_factor.is_one();
        if scaled {
            for entry in &mut self.rows[target].entries {
                entry.coeff *= &target_factor;
            }
        }
        for (index, entry) in self.rows[target].entries.iter().enumerate() {
            self.position[entry.var] = index as u32 + 1;
        }
        let source_entries = std::mem::take(&mut self.rows[source].entries);
        for entry in &source_entries {
            match self.position[entry.var] {
                0 => self.append_entry(target, entry.var, &entry.coeff * &source_factor),
                position => {
                    self.rows[target].entries[position as usize - 1].coeff.add_mul(&source_factor, &entry.coeff);
                }
            }
        }
        self.rows[source].entries = source_entries;
        let mut index = 0;
        while index < self.rows[target].entries.len() {
            self.position[self.rows[target].entries[index].var] = 0;
            if self.rows[target].entries[index].coeff.is_zero() {
                self.remove_entry(target, index);
            } else {
                index += 1;
            }
        }
        self.divide_by_gcd(target);
    }

    fn divide_by_gcd(&mut self, row: RowId) {
        let mut gcd = Rational::ZERO;
        for entry in &self.rows[row].entries {
            gcd = gcd.gcd(&entry.coeff);
            if gcd.is_one() {
                return;
            }
        }
        if !gcd.is_zero() {
            for entry in &mut self.rows[row].entries {
                entry.coeff.divide_exactly(&gcd);
            }
        }
    }

    fn append_entry(&mut self, row: RowId, var: LinVar, coeff: Rational) {
        let row_index = self.rows[row].entries.len() as u32;
        let column_index = self.vars[var].column.len() as u32;
        self.vars[var].column.push(ColumnEntry { row, row_index });
        self.rows[row].entries.push(RowEntry { var, coeff, column_index });
    }

    fn remove_entry(&mut self, row: RowId, index: usize) {
        let RowEntry { var, column_index, .. } = self.rows[row].entries.swap_remove(index);
        let column = &mut self.vars[var].column;
        column.swap_remove(column_index as usize);
        if let Some(moved) = column.get(column_index as usize).copied() {
            // A variable occurs at most once in a row, so this is an entry of another row.
            self.rows[moved.row].entries[moved.row_index as usize].column_index = column_index;
        }
        if let Some(moved) = self.rows[row].entries.get(index) {
            let (var, column_index) = (moved.var, moved.column_index as usize);
            self.vars[var].column[column_index].row_index = index as u32;
        }
    }

    /// Checks the invariants of the module text.
    #[cfg(test)]
    pub fn assert_consistent(&self) {
        for (row_id, row) in self.rows.iter() {
            let Some(basic) = row.basic else {
                assert!(row.entries.is_empty());
                continue;
            };
            assert_eq!(self.vars[basic].row, Some(row_id));
            assert_eq!(self.vars[basic].column.len(), 1);
            let mut sum = Delta::ZERO;
            let mut gcd = Rational::ZERO;
            for (index, entry) in row.entries.iter().enumerate() {
                assert!(entry.coeff.is_integer() && !entry.coeff.is_zero());
                gcd = gcd.gcd(&entry.coeff);
                sum.add_mul(&entry.coeff, &self.vars[entry.var].value);
                let back = self.vars[entry.var].column[entry.column_index as usize];
                assert_eq!((back.row, back.row_index as usize), (row_id, index));
            }
            assert_eq!(sum, Delta::ZERO);
            assert!(gcd.is_one());
        }
        for (var, variable) in self.vars.iter() {
            if self.violation(var).is_some() {
                assert!(variable.suspected && variable.row.is_some());
            }
            assert_eq!(self.position[var], 0);
        }
    }
}

/// How much the basic variable with coefficient `own` rises per unit of a variable with `coeff`.
fn slope(coeff: &Rational, own: &Rational) -> Rational {
    if own.is_minus_one() {
        coeff.clone()
    } else if own.is_one() {
        -coeff
    } else {
        -(coeff / own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bounds with their multipliers add up to an absurdity over the forms' definitions.
    fn refutes(simplex: &Simplex, definitions: &IdVec<LinVar, Vec<(LinVar, Rational)>>, farkas: &Farkas) -> bool {
        let mut sum = vec![Rational::ZERO; definitions.len()];
        let mut slack = Delta::ZERO;
        for (id, multiplier) in farkas {
            let bound = simplex.bound(*id);
            let factor = match bound.side {
                Side::Upper => multiplier.clone(),
                Side::Lower => -multiplier,
            };
            for (var, coeff) in &definitions[bound.var] {
                sum[var.index()].add_mul(&factor, coeff);
            }
            slack.add_mul(&factor, &bound.value);
        }
        farkas.iter().all(|(_, multiplier)| multiplier.is_positive())
            && sum.iter().all(Rational::is_zero)
            && slack < Delta::ZERO
    }

    #[derive(Clone, Debug)]
    enum Action {
        Bound(usize, bool, i64, bool),
        Check,
        Push,
        Pop,
        Form([i64; 4]),
        RemoveForm,
    }

    fn actions() -> impl Strategy<Value = Vec<Action>> {
        let action = prop_oneof![
            10 => (0usize..12, any::<bool>(), -8i64..=8, any::<bool>()).prop_map(|(v, u, c, s)| Action::Bound(v, u, c, s)),
            4 => Just(Action::Check),
            2 => Just(Action::Push),
            2 => Just(Action::Pop),
            2 => proptest::array::uniform4(-3i64..=3).prop_map(Action::Form),
            1 => Just(Action::RemoveForm),
        ];
        proptest::collection::vec(action, 1..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn incremental_use(actions in actions()) {
            let mut simplex = Simplex::new();
            let mut definitions: IdVec<LinVar, Vec<(LinVar, Rational)>> = IdVec::new();
            for _ in 0..4 {
                let var = simplex.new_var(false);
                simplex.set_watched(var, true);
                definitions.push(vec![(var, Rational::ONE)]);
            }
            let mut live: Vec<LinVar> = definitions.ids().collect();
            let mut marks: Vec<usize> = Vec::new();
            for action in actions {
                match action {
                    Action::Bound(index, upper, constant, strict) => {
                        let var = live[index % live.len()];
                        let constant = Rational::from(constant);
                        let (side, value) = match (upper, strict) {
                            (true, false) => (Side::Upper, Delta::from(constant)),
                            (true, true) => (Side::Upper, Delta::below(constant)),
                            (false, false) => (Side::Lower, Delta::from(constant)),
                            (false, true) => (Side::Lower, Delta::above(constant)),
                        };
                        let mark = simplex.mark();
                        if let Err(farkas) = simplex.assert_bound(var, side, value, 0) {
                            prop_assert!(refutes(&simplex, &definitions, &farkas));
                            simplex.backtrack(mark);
                        }
                    }
                    Action::Check => {
                        match simplex.check(&Budget::unlimited()) {
                            Feasibility::Feasible => {
                                let delta = simplex.largest_delta();
                                for var in simplex.vars.ids() {
                                    prop_assert!(simplex.violation(var).is_none());
                                    let value = simplex.value(var).at(&delta);
                                    if let Some(lower) = simplex.lower(var) {
                                        prop_assert!(value >= lower.value.at(&delta));
                                    }
                                    if let Some(upper) = simplex.upper(var) {
                                        prop_assert!(value <= upper.value.at(&delta));
                                    }
                                }
                                let mut implied = Vec::new();
                                simplex.implied_bounds(|simplex, bound| {
                                    let premises = simplex.premises(&bound);
                                    implied.push((bound, premises));
                                });
                                for (bound, (own_multiplier, premises)) in implied {
                                    // Together with the opposite of the implied bound the premises are absurd.
                                    let value = match bound.side {
                                        Side::Upper => bound.value.plus(&Delta::new(Rational::ZERO, Rational::ONE)),
                                        Side::Lower => bound.value.minus(&Delta::new(Rational::ZERO, Rational::ONE)),
                                    };
                                    let id = simplex.bounds.push(Bound {
                                        var: bound.var, side: bound.side.opposite(), value, reason: 0, previous: None,
                                    });
                                    let mut farkas = premises;
                                    farkas.push((id, own_multiplier));
                                    prop_assert!(refutes(&simplex, &definitions, &farkas));
                                    simplex.bounds.truncate(id.index());
                                }
                            }
                            Feasibility::Infeasible(farkas) => {
                                prop_assert!(refutes(&simplex, &definitions, &farkas));
                                simplex.backtrack(marks.pop().unwrap_or(0));
                            }
                            Feasibility::Stopped(_) => prop_assert!(false),
                        }
                    }
                    Action::Push => marks.push(simplex.mark()),
                    Action::Pop => {
                        if let Some(mark) = marks.pop() {
                            simplex.backtrack(mark);
                        }
                    }
                    Action::Form(coeffs) => {
                        let form: Vec<_> = coeffs.iter().enumerate().filter(|(_, c)| **c != 0)
                            .map(|(x, c)| (LinVar(x as u32), Rational::from(*c))).collect();
                        if !form.is_empty() {
                            let name = simplex.new_form(&form, false);
                            if name.index() == definitions.len() {
                                definitions.push(form);
                            } else {
                                definitions[name] = form;
                            }
                            live.push(name);
                        }
                    }
                    Action::RemoveForm => {
                        let unbounded = live.iter().skip(4)
                            .position(|&v| simplex.lower(v).is_none() && simplex.upper(v).is_none());
                        if let Some(index) = unbounded {
                            simplex.remove_form(live.remove(index + 4));
                        }
                    }
                }
                simplex.assert_consistent();
            }
        }
    }
}
