//! Compiled graphs: executions of millions of steps.
//!
//! The statements of a graph become code for a machine with one register for each variable, each constant and each
//! intermediate value. Numbers that fit into 64 bits are computed as such; whatever does not fit, and every operation
//! without code of its own, goes through [`logic::apply`], so the meaning is that of the interpreter
//! ([`crate::interp`]). Arrays that a statement changes (`a := store(a, i, v)`) are changed in place. Conditionals
//! evaluate only the branch that is taken.
//!
//! A register may hold a *gap*: an unknown value, which stands for all values. What is computed from gaps is a gap,
//! unless the rest fixes it (`false && ?` is false, storing into a gap gives an array that is known in one place); a
//! variable that is a gap is known again after an assumption that it equals something known. Symbols that the program
//! never assigns are gaps, and so are quantified formulas, uninterpreted functions, and divisions by zero.

mod cell;
mod code;
mod visited;

use cell::{Cell, Table};
pub(crate) use visited::Visited;

use code::{Body, Builder, Code, Register};
use ir::{CallSiteId, EdgeId, Icfg, Label, LocId, Stmt, VarId, VarKind};
use logic::{SortId, TermPool, Value};
use std::ops::Range;

/// How a location is left.
enum Exits {
    /// By a single edge without condition, or by none.
    Step(Option<EdgeId>),
    /// By one edge if a condition holds, by the other if not.
    Branch {
        condition: Body,
        yes: EdgeId,
        no: EdgeId,
    },
    Several(Vec<EdgeId>),
}

/// What an edge does.
enum Action {
    Nothing,
    /// May be taken if the condition holds; then these pairs are equal.
    Assume(Body, Vec<(Register, Register)>),
    Assign(Range<usize>),
    Havoc(Vec<VarId>),
    /// Evaluates the arguments.
    Call(CallSiteId, Range<usize>, Vec<Register>),
    Return(CallSiteId),
    /// Nothing that is executed here.
    Foreign,
}

/// A graph that can be executed.
pub(crate) struct Compiled<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    code: Code,
    exits: Vec<Exits>,
    actions: Vec<Action>,
    /// Each old variable with its global.
    olds: Vec<(VarId, VarId)>,
    /// Does some statement have a part that is always a gap?
    pub has_gaps: bool,
}

#[derive(Clone)]
struct Activation {
    site: CallSiteId,
    saved: Vec<(VarId, Cell)>,
}

#[derive(Clone)]
pub(crate) struct State {
    pub loc: LocId,
    registers: Vec<Cell>,
    stack: Vec<Activation>,
    /// How many values the calls have saved.
    n_saved: usize,
}

impl State {
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }
    /// The number of values in it.
    pub(crate) fn size(&self) -> usize {
        self.registers.len() + self.n_saved
    }
}

/// Which edges can be taken.
pub(crate) enum Open {
    None,
    One(EdgeId),
    Several(Vec<EdgeId>),
}

impl<'a> Compiled<'a> {
    pub(crate) fn new(icfg: &'a Icfg, pool: &'a TermPool) -> Compiled<'a> {
        let mut builder = Builder::new(icfg, pool);
        let actions: Vec<Action> = icfg.edges.values().map(|edge| action(icfg, &mut builder, &edge.label)).collect();
        let exits = icfg.locs.ids().map(|loc| exits(icfg, pool, &actions, loc)).collect();
        let olds = icfg.vars.iter().filter_map(|(id, v)| match v.kind {
            VarKind::Old(global) => Some((id, global)),
            VarKind::Global | VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => None,
        });
        let olds = olds.collect();
        let (code, has_gaps) = builder.finish();
        Compiled { icfg, pool, code, exits, actions, olds, has_gaps }
    }

    /// The initial state: all variables are gaps.
    pub(crate) fn start(&self) -> State {
        State { loc: self.icfg.entry(), registers: self.code.registers(), stack: Vec::new(), n_saved: 0 }
    }

    pub(crate) fn set(&self, state: &mut State, v: VarId, value: &Value) {
        state.registers[v.0 as usize] = Cell::of(value);
    }

    /// The state with a variable as a gap, as far as the next return.
    pub(crate) fn ahead_with_gap(&self, state: &State, v: VarId) -> State {
        let mut registers = state.registers.clone();
        registers[v.0 as usize] = Cell::Gap;
        State { loc: state.loc, registers, stack: Vec::new(), n_saved: 0 }
    }

    /// The value that fills a gap where an edge is taken.
    pub(crate) fn filling(&self, state: &State, edge: EdgeId, sort: SortId) -> Option<Value> {
        let Action::Assume(_, equal) = &self.actions[edge.0 as usize] else { return None };
        equal.iter().find_map(|&(a, b)| match (&state.registers[a as usize], &state.registers[b as usize]) {
            (Cell::Gap, known) | (known, Cell::Gap) => {
                known.to_value(self.pool, sort).filter(|value| crate::interp::has_sort(self.pool, value, sort))
            }
            _ => None,
        })
    }

    /// The value of a variable; `None` if some part of it is a gap.
    pub(crate) fn value(&self, state: &State, v: VarId) -> Option<Value> {
        state.registers[v.0 as usize].to_value(self.pool, self.icfg.vars[v].sort)
    }

    /// The calls that have not returned, the first one first, with what they will set variables back to (`None`: gaps).
    pub(crate) fn activations(&self, state: &State) -> impl Iterator<Item = (CallSiteId, Vec<(VarId, Option<Value>)>)> {
        let value = |(v, cell): &(VarId, Cell)| (*v, cell.to_value(self.pool, self.icfg.vars[*v].sort));
        state.stack.iter().map(move |a| (a.site, a.saved.iter().map(value).collect()))
    }

    /// `None`: a gap.
    fn holds(&self, state: &mut State, condition: &Body) -> Option<bool> {
        self.code.run(self.pool, &condition.code, &mut state.registers);
        match state.registers[condition.result as usize] {
            Cell::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Whether an edge can be taken; `None` if that depends on gaps.
    pub(crate) fn is_open(&self, state: &mut State, edge: EdgeId) -> Option<bool> {
        match &self.actions[edge.0 as usize] {
            Action::Assume(condition, _) => self.holds(state, condition),
            Action::Return(site) => Some(state.stack.last().is_some_and(|a| a.site == *site)),
            Action::Nothing | Action::Assign(_) | Action::Havoc(_) | Action::Call(..) | Action::Foreign => Some(true),
        }
    }

    /// The edges that can be taken where the state is; also those about which gaps decide, if these `may` be open.
    pub(crate) fn open(&self, state: &mut State, may: bool) -> Open {
        match &self.exits[state.loc.0 as usize] {
            Exits::Step(None) => Open::None,
            Exits::Step(Some(edge)) => Open::One(*edge),
            Exits::Branch { condition, yes, no } => match self.holds(state, condition) {
                Some(true) => Open::One(*yes),
                Some(false) => Open::One(*no),
                None if may => Open::Several(vec![*yes, *no]),
                None => Open::None,
            },
            Exits::Several(edges) => {
                let open: Vec<EdgeId> =
                    edges.iter().copied().filter(|&e| self.is_open(state, e).unwrap_or(may)).collect();
                match open[..] {
                    [] => Open::None,
                    [edge] => Open::One(edge),
                    _ => Open::Several(open),
                }
            }
        }
    }

    /// Takes an edge that is open; what it chooses become gaps. False if that is not done here.
    #[must_use]
    pub(crate) fn take(&self, state: &mut State, edge: EdgeId) -> bool {
        let at = |v: VarId| v.0 as usize;
        match &self.actions[edge.0 as usize] {
            Action::Nothing => {}
            Action::Assume(_, equal) => {
                for &(a, b) in equal {
                    let (a, b) = (a as usize, b as usize);
                    match (&state.registers[a], &state.registers[b]) {
                        (Cell::Gap, Cell::Gap) => {}
                        (Cell::Gap, known) => state.registers[a] = known.clone(),
                        (known, Cell::Gap) => state.registers[b] = known.clone(),
                        _ => {}
                    }
                }
            }
            Action::Assign(code) => self.code.run(self.pool, code, &mut state.registers),
            Action::Havoc(vars) => {
                for &v in vars {
                    state.registers[at(v)] = Cell::Gap;
                }
            }
            Action::Call(site, code, args) => {
                self.code.run(self.pool, code, &mut state.registers);
                let callee = &self.icfg.procs[self.icfg.call_sites[*site].callee];
                let registers = &mut state.registers;
                let args = callee.params.iter().zip(args).map(|(&p, &a)| (p, registers[a as usize].clone()));
                let unset = callee.results.iter().chain(&callee.locals).map(|&v| (v, Cell::Gap));
                let olds = self.olds.iter().map(|&(old, global)| (old, registers[at(global)].clone()));
                let mut saved: Vec<(VarId, Cell)> = args.chain(unset).chain(olds).collect();
                for (v, value) in &mut saved {
                    std::mem::swap(&mut registers[at(*v)], value);
                }
                state.n_saved += saved.len();
                state.stack.push(Activation { site: *site, saved });
            }
            Action::Return(site) => {
                let Some(activation) = state.stack.pop() else { return false };
                state.n_saved -= activation.saved.len();
                let call = &self.icfg.call_sites[*site];
                let callee = &self.icfg.procs[call.callee];
                let from = callee.results.iter().map(|&v| state.registers[at(v)].clone());
                let results: Vec<(VarId, Cell)> = call.results.iter().copied().zip(from).collect();
                for (v, value) in activation.saved.into_iter().chain(results) {
                    state.registers[at(v)] = value;
                }
            }
            Action::Foreign => return false,
        }
        state.loc = self.icfg.edges[edge].dst;
        true
    }
}

fn action(icfg: &Icfg, builder: &mut Builder<'_>, label: &Label) -> Action {
    match label {
        Label::Stmt(Stmt::Assume(condition)) => {
            Action::Assume(builder.expression(*condition), builder.equations(*condition))
        }
        Label::Stmt(Stmt::Assign(pairs)) => Action::Assign(builder.assignment(pairs)),
        Label::Stmt(Stmt::Havoc(vars, _)) => Action::Havoc(vars.clone()),
        Label::Call(site) => {
            let (code, args) = builder.expressions(&icfg.call_sites[*site].args);
            Action::Call(*site, code, args)
        }
        Label::Return(site) => Action::Return(*site),
        Label::AtomicBegin | Label::AtomicEnd => Action::Nothing,
        Label::Block(_) | Label::Fork { .. } | Label::Join { .. } => Action::Foreign,
    }
}

fn exits(icfg: &Icfg, pool: &TermPool, actions: &[Action], loc: LocId) -> Exits {
    let edges = icfg.out_edges(loc);
    let condition = |edge: EdgeId| match icfg.edges[edge].label {
        Label::Stmt(Stmt::Assume(condition)) => Some(condition),
        _ => None,
    };
    match *edges {
        [] => Exits::Step(None),
        [edge] if !matches!(actions[edge.0 as usize], Action::Assume(..) | Action::Return(_)) => {
            Exits::Step(Some(edge))
        }
        [a, b] => {
            let negates = |a: EdgeId, b: EdgeId| match (condition(a), condition(b)) {
                (Some(a), Some(b)) => pool.op(b) == logic::Op::Not && pool.arg(b, 0) == a,
                _ => false,
            };
            let branch = |yes: EdgeId, no: EdgeId| match &actions[yes.0 as usize] {
                Action::Assume(condition, _) if negates(yes, no) => {
                    Some(Exits::Branch { condition: condition.clone(), yes, no })
                }
                _ => None,
            };
            branch(a, b).or_else(|| branch(b, a)).unwrap_or_else(|| Exits::Several(edges.to_vec()))
        }
        _ => Exits::Several(edges.to_vec()),
    }
}
