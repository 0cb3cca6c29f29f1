//! The code of the register machine: how terms become instructions, and how these are executed.

use super::{Cell, Table};
use ir::{Icfg, VarId};
use logic::{FastMap, Op, Rational, Sort, SortId, TermId, TermPool, apply};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

pub(super) type Register = u32;

/// Code that computes a value.
#[derive(Clone)]
pub(super) struct Body {
    pub code: Range<usize>,
    pub result: Register,
}

/// A range of `Code::args`.
#[derive(Clone, Copy)]
struct Args {
    start: u32,
    len: u32,
}

/// Targets of jumps are positions in the code.
#[derive(Clone, Copy)]
enum Instr {
    Copy {
        to: Register,
        from: Register,
    },
    Add {
        to: Register,
        a: Register,
        b: Register,
    },
    AddNumber {
        to: Register,
        a: Register,
        number: i64,
    },
    Mul {
        to: Register,
        a: Register,
        b: Register,
    },
    /// `a ≤ number`.
    AtMost {
        to: Register,
        a: Register,
        number: i64,
    },
    Le {
        to: Register,
        a: Register,
        b: Register,
    },
    Lt {
        to: Register,
        a: Register,
        b: Register,
    },
    Eq {
        to: Register,
        a: Register,
        b: Register,
        sort: SortId,
    },
    Not {
        to: Register,
        a: Register,
    },
    And {
        to: Register,
        args: Args,
    },
    Or {
        to: Register,
        args: Args,
    },
    IntDiv {
        to: Register,
        a: Register,
        b: Register,
    },
    Mod {
        to: Register,
        a: Register,
        b: Register,
    },
    Choose {
        to: Register,
        condition: Register,
        a: Register,
        b: Register,
    },
    Select {
        to: Register,
        array: Register,
        index: Register,
    },
    Store {
        to: Register,
        array: Register,
        index: Register,
        value: Register,
    },
    /// Changes the array itself.
    StoreInto {
        array: Register,
        index: Register,
        value: Register,
    },
    ConstArray {
        to: Register,
        value: Register,
    },
    /// Continues if the condition holds.
    Branch {
        condition: Register,
        otherwise: u32,
        open: u32,
    },
    Jump {
        to: u32,
    },
    /// An operation on bit-vectors of the term's arguments; a single argument is both.
    Word {
        to: Register,
        term: TermId,
        a: Register,
        b: Register,
    },
    /// Any other operation.
    Apply {
        to: Register,
        term: TermId,
        args: Args,
    },
}

pub(super) struct Code {
    instrs: Vec<Instr>,
    args: Vec<Register>,
    /// Variables, constants, intermediate values.
    initial: Vec<Cell>,
}

/// How many conditionals inside each other evaluate only one branch, and up to which length of code.
const MAX_NESTED: usize = 64;
const MAX_LAZY: usize = 2_000;

pub(super) struct Builder<'a> {
    pool: &'a TermPool,
    instrs: Vec<Instr>,
    args: Vec<Register>,
    /// The registers of variables and constants.
    fixed: FastMap<TermId, Register>,
    initial: Vec<Cell>,
    gap: Register,
    yes: Register,
    no: Register,
    /// What was computed already, in the statement at hand and on all ways to here; and in which order.
    known: FastMap<TermId, Register>,
    order: Vec<TermId>,
    n_temporary: u32,
    most_temporary: u32,
    nested: usize,
    /// Where the code of the statement begins.
    begin: usize,
    has_gaps: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(icfg: &Icfg, pool: &'a TermPool) -> Builder<'a> {
        let mut fixed = FastMap::default();
        for (id, var) in icfg.vars.iter() {
            fixed.insert(var.term, id.0);
        }
        let mut initial = vec![Cell::Gap; icfg.vars.len()];
        let gap = icfg.vars.len() as u32;
        let (yes, no) = (gap + 1, gap + 2);
        initial.extend([Cell::Gap, Cell::Bool(true), Cell::Bool(false)]);
        let terms: Vec<TermId> = icfg.edges.values().flat_map(|edge| icfg.read_terms(&edge.label)).collect();
        pool.visit_postorder(&terms, |t| {
            if let Some(value) = pool.value(t) {
                fixed.insert(t, initial.len() as u32);
                initial.push(Cell::of(&value));
            }
        });
        Builder {
            pool,
            instrs: Vec::new(),
            args: Vec::new(),
            fixed,
            initial,
            gap,
            yes,
            no,
            known: FastMap::default(),
            order: Vec::new(),
            n_temporary: 0,
            most_temporary: 0,
            nested: 0,
            begin: 0,
            has_gaps: false,
        }
    }

    /// The code, and whether some part of it is always a gap.
    pub(super) fn finish(mut self) -> (Code, bool) {
        self.initial.extend((0..self.most_temporary).map(|_| Cell::Gap));
        (Code { instrs: self.instrs, args: self.args, initial: self.initial }, self.has_gaps)
    }

    fn begin(&mut self) {
        self.known.clear();
        self.order.clear();
        self.n_temporary = 0;
        self.nested = 0;
        self.begin = self.instrs.len();
    }

    fn here(&self) -> u32 {
        self.instrs.len() as u32
    }

    fn temporary(&mut self) -> Register {
        let register = self.initial.len() as u32 + self.n_temporary;
        self.n_temporary += 1;
        self.most_temporary = self.most_temporary.max(self.n_temporary);
        register
    }

    pub(super) fn expression(&mut self, t: TermId) -> Body {
        self.begin();
        let result = self.value(t);
        Body { code: self.begin..self.instrs.len(), result }
    }

    /// The variables that equal another variable or a constant where a condition holds.
    pub(super) fn equations(&mut self, condition: TermId) -> Vec<(Register, Register)> {
        let pool = self.pool;
        let parts = if pool.op(condition) == Op::And { pool.args(condition) } else { &[condition] };
        let fixed = |t: TermId| self.fixed.get(&t).copied();
        let equation = |&part: &TermId| match (pool.op(part), pool.args(part)) {
            (Op::Eq, &[a, b]) => Some((fixed(a)?, fixed(b)?)),
            (Op::Not, &[p]) => Some((fixed(p)?, self.no)),
            _ => Some((fixed(part)?, self.yes)),
        };
        parts.iter().filter_map(equation).collect()
    }

    pub(super) fn expressions(&mut self, terms: &[TermId]) -> (Range<usize>, Vec<Register>) {
        self.begin();
        let results = terms.iter().map(|&t| self.value(t)).collect();
        (self.begin..self.instrs.len(), results)
    }

    /// All at once.
    pub(super) fn assignment(&mut self, pairs: &[(VarId, TermId)]) -> Range<usize> {
        self.begin();
        if let &[(v, e)] = pairs {
            self.update(v.0, e);
            return self.begin..self.instrs.len();
        }
        let changed: Vec<(Register, TermId)> = pairs.iter().map(|&(v, e)| (v.0, e)).collect();
        // An array that no other assignment reads is changed in place.
        let updated = changed.iter().filter(|&&(v, e)| self.fixed.get(&self.stored_into(e)) == Some(&v));
        let mut in_place: BTreeSet<Register> = updated.map(|(v, _)| *v).collect();
        for &(w, e) in &changed {
            if in_place.is_empty() {
                break;
            }
            let mut read = Vec::new();
            self.pool.visit_postorder(&[e], |t| read.extend(self.fixed.get(&t).copied().filter(|v| *v != w)));
            for v in read {
                in_place.remove(&v);
            }
        }
        let (mut stores, mut copies) = (Vec::new(), Vec::new());
        for &(v, e) in &changed {
            if in_place.contains(&v)
                && let Some(chain) = self.stores(v, e)
            {
                stores.extend(chain.into_iter().map(|(index, value)| (v, index, value)));
                continue;
            }
            let mut from = self.value(e);
            if from != v && changed.iter().any(|&(w, _)| w == from) {
                let own = self.temporary();
                self.instrs.push(Instr::Copy { to: own, from });
                from = own;
            }
            copies.push((v, from));
        }
        // What stores read may be changed by the same statement.
        self.instrs.extend(stores.iter().map(|&(array, index, value)| Instr::StoreInto { array, index, value }));
        self.instrs.extend(copies.iter().filter(|(to, from)| to != from).map(|&(to, from)| Instr::Copy { to, from }));
        self.begin..self.instrs.len()
    }

    /// The array that a chain of stores starts with.
    fn stored_into(&self, mut e: TermId) -> TermId {
        while self.pool.op(e) == Op::Store {
            e = self.pool.arg(e, 0);
        }
        e
    }

    /// The stores by which an array becomes this term, the first one first; `None` if it is another array. Their
    /// indices and values are computed before any of them is made.
    fn stores(&mut self, array: Register, mut e: TermId) -> Option<Vec<(Register, Register)>> {
        let mut terms = Vec::new();
        while self.pool.op(e) == Op::Store {
            terms.push((self.pool.arg(e, 1), self.pool.arg(e, 2)));
            e = self.pool.arg(e, 0);
        }
        if self.fixed.get(&e) != Some(&array) {
            return None;
        }
        Some(terms.into_iter().rev().map(|(index, value)| (self.value(index), self.value(value))).collect())
    }

    /// The only assignment of a statement.
    fn update(&mut self, to: Register, e: TermId) {
        if let Some(stores) = self.stores(to, e) {
            let into = |(index, value)| Instr::StoreInto { array: to, index, value };
            self.instrs.extend(stores.into_iter().map(into));
        } else if self.is_lazy(e) {
            self.conditional(e, to, Builder::update);
        } else {
            self.value_into(to, e);
        }
    }

    fn is_lazy(&self, e: TermId) -> bool {
        self.pool.op(e) == Op::Ite && self.nested < MAX_NESTED && self.instrs.len() - self.begin < MAX_LAZY
    }

    /// Code that evaluates one of two branches by `branch`.
    fn conditional(&mut self, e: TermId, to: Register, branch: fn(&mut Self, Register, TermId)) {
        let condition = self.value(self.pool.arg(e, 0));
        let begin = self.instrs.len();
        self.instrs.push(Instr::Jump { to: 0 });
        self.nested += 1;
        let n_known = self.order.len();
        branch(self, to, self.pool.arg(e, 1));
        self.forget(n_known);
        let after_first = self.instrs.len();
        self.instrs.push(Instr::Jump { to: 0 });
        let otherwise = self.here();
        branch(self, to, self.pool.arg(e, 2));
        self.forget(n_known);
        self.nested -= 1;
        let after_second = self.instrs.len();
        self.instrs.push(Instr::Jump { to: 0 });
        let open = self.here();
        self.instrs.push(Instr::Copy { to, from: self.gap });
        let end = self.here();
        self.instrs[begin] = Instr::Branch { condition, otherwise, open };
        self.instrs[after_first] = Instr::Jump { to: end };
        self.instrs[after_second] = Instr::Jump { to: end };
    }

    fn forget(&mut self, n_known: usize) {
        for t in self.order.drain(n_known..) {
            self.known.remove(&t);
        }
    }

    fn register(&self, t: TermId) -> Option<Register> {
        self.fixed.get(&t).or_else(|| self.known.get(&t)).copied()
    }

    fn remember(&mut self, t: TermId, register: Register) {
        self.known.insert(t, register);
        self.order.push(t);
    }

    fn value_into(&mut self, to: Register, e: TermId) {
        if self.register(e).is_none() && self.is_lazy(e) {
            self.conditional(e, to, Builder::value_into);
            return;
        }
        if self.register(e).is_none() && !self.is_always_gap(e) {
            for i in 0..self.pool.args(e).len() {
                self.value(self.pool.arg(e, i));
            }
            self.operation(e, to);
            return;
        }
        let from = self.value(e);
        self.instrs.push(Instr::Copy { to, from });
    }

    /// What the machine has no value for.
    fn is_always_gap(&self, t: TermId) -> bool {
        matches!(self.pool.op(t), Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::ArrayDiff)
    }

    /// Code that computes a term, and where its value is then. Recursion is as deep as lazy conditionals are nested.
    fn value(&mut self, root: TermId) -> Register {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.register(t).is_some() {
                stack.pop();
                continue;
            }
            if self.is_always_gap(t) {
                self.has_gaps = true;
                self.remember(t, self.gap);
                continue;
            }
            if self.is_lazy(t) {
                let to = self.temporary();
                self.conditional(t, to, Builder::value_into);
                self.remember(t, to);
                continue;
            }
            let before = stack.len();
            stack.extend(self.pool.args(t).iter().copied().filter(|&a| self.register(a).is_none()));
            if stack.len() > before {
                continue;
            }
            let to = self.temporary();
            self.operation(t, to);
            self.remember(t, to);
        }
        self.register(root).unwrap_or(self.gap)
    }

    /// The instructions for a term whose arguments have been computed.
    fn operation(&mut self, t: TermId, to: Register) {
        let pool = self.pool;
        let terms = pool.args(t);
        let args: Vec<Register> = terms.iter().map(|&a| self.register(a).unwrap_or(self.gap)).collect();
        let small = |t: TermId| pool.number(t).and_then(Rational::to_i64);
        let instr = match (pool.op(t), &args[..]) {
            (Op::Add, _) => return self.sum(terms, &args, to),
            (Op::Mul, &[a, b]) => Instr::Mul { to, a, b },
            (Op::Le, &[a, b]) => match small(terms[1]) {
                Some(number) => Instr::AtMost { to, a, number },
                None => Instr::Le { to, a, b },
            },
            (Op::Lt, &[a, b]) => Instr::Lt { to, a, b },
            (Op::Eq, &[a, b]) => Instr::Eq { to, a, b, sort: pool.sort(terms[0]) },
            (Op::Not, &[a]) => Instr::Not { to, a },
            (Op::And, _) => Instr::And { to, args: self.add_args(&args) },
            (Op::Or, _) => Instr::Or { to, args: self.add_args(&args) },
            (Op::IntDiv, &[a, b]) => Instr::IntDiv { to, a, b },
            (Op::Mod, &[a, b]) => Instr::Mod { to, a, b },
            (Op::Ite, &[condition, a, b]) => Instr::Choose { to, condition, a, b },
            (Op::Select, &[array, index]) => Instr::Select { to, array, index },
            (Op::Store, &[array, index, value]) => Instr::Store { to, array, index, value },
            (Op::ConstArray, &[value]) => Instr::ConstArray { to, value },
            (op, &[a]) if is_word_op(op) => Instr::Word { to, term: t, a, b: a },
            (op, &[a, b]) if is_word_op(op) => Instr::Word { to, term: t, a, b },
            _ => Instr::Apply { to, term: t, args: self.add_args(&args) },
        };
        self.instrs.push(instr);
    }

    fn add_args(&mut self, args: &[Register]) -> Args {
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        Args { start, len: args.len() as u32 }
    }

    fn sum(&mut self, terms: &[TermId], args: &[Register], to: Register) {
        let mut sum = args[0];
        for (i, (&term, &arg)) in terms.iter().zip(args).enumerate().skip(1) {
            let into = if i + 1 == args.len() { to } else { self.temporary() };
            self.instrs.push(match self.pool.number(term).and_then(Rational::to_i64) {
                Some(number) => Instr::AddNumber { to: into, a: sum, number },
                None => Instr::Add { to: into, a: sum, b: arg },
            });
            sum = into;
        }
    }
}

/// Is there code for it on machine words?
fn is_word_op(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        BvNot
            | BvNeg
            | BvExtract(..)
            | BvZeroExt(_)
            | BvSignExt(_)
            | BvConcat
            | BvAnd
            | BvOr
            | BvXor
            | BvAdd
            | BvSub
            | BvMul
            | BvShl
            | BvLshr
            | BvAshr
            | BvUlt
            | BvUle
            | BvSlt
            | BvSle
    )
}

impl Code {
    pub(super) fn registers(&self) -> Vec<Cell> {
        self.initial.clone()
    }

    pub(super) fn run(&self, pool: &TermPool, code: &Range<usize>, registers: &mut [Cell]) {
        let mut at = code.start;
        while at < code.end {
            let instr = self.instrs[at];
            at += 1;
            let get = |r: Register| &registers[r as usize];
            let (to, value) = match instr {
                Instr::Copy { to, from } => (to, get(from).clone()),
                Instr::Add { to, a, b } => (to, add(get(a), get(b))),
                Instr::AddNumber { to, a, number } => (to, add(get(a), &Cell::Int(number))),
                Instr::Mul { to, a, b } => (to, mul(get(a), get(b))),
                Instr::AtMost { to, a, number } => (to, at_most(get(a), &Cell::Int(number))),
                Instr::Le { to, a, b } => (to, at_most(get(a), get(b))),
                Instr::Lt { to, a, b } => (to, not(&at_most(get(b), get(a)))),
                Instr::Eq { to, a, b, sort } => (to, equal(pool, sort, get(a), get(b))),
                Instr::Not { to, a } => (to, not(get(a))),
                Instr::And { to, args } => (to, self.junction(args, registers, true)),
                Instr::Or { to, args } => (to, self.junction(args, registers, false)),
                Instr::IntDiv { to, a, b } => {
                    (to, divide(get(a), get(b), i64::checked_div_euclid, Rational::div_euclid))
                }
                Instr::Mod { to, a, b } => (to, divide(get(a), get(b), i64::checked_rem_euclid, Rational::rem_euclid)),
                Instr::Choose { to, condition, a, b } => match get(condition) {
                    Cell::Bool(true) => (to, get(a).clone()),
                    Cell::Bool(false) => (to, get(b).clone()),
                    _ => (to, Cell::Gap),
                },
                Instr::Select { to, array, index } => match get(array) {
                    Cell::Array(table) => (to, table.get(get(index))),
                    _ => (to, Cell::Gap),
                },
                Instr::Store { to, array, index, value } => {
                    (to, stored(get(array).clone(), get(index), get(value).clone()))
                }
                Instr::StoreInto { array, index, value } => {
                    let value = get(value).clone();
                    let whole = std::mem::replace(&mut registers[array as usize], Cell::Gap);
                    (array, stored(whole, &registers[index as usize], value))
                }
                Instr::ConstArray { to, value } => (to, Cell::Array(Rc::new(Table::constant(get(value).clone())))),
                Instr::Branch { condition, otherwise, open } => {
                    match get(condition) {
                        Cell::Bool(true) => {}
                        Cell::Bool(false) => at = otherwise as usize,
                        _ => at = open as usize,
                    }
                    continue;
                }
                Instr::Jump { to } => {
                    at = to as usize;
                    continue;
                }
                Instr::Word { to, term, a, b } => (to, word(pool, term, get(a), get(b))),
                Instr::Apply { to, term, args } => (to, self.apply(pool, term, args, registers)),
            };
            registers[to as usize] = value;
        }
    }

    fn args(&self, args: Args) -> &[Register] {
        &self.args[args.start as usize..(args.start + args.len) as usize]
    }

    /// A conjunction, or a disjunction: `neutral` decides nothing.
    fn junction(&self, args: Args, registers: &[Cell], neutral: bool) -> Cell {
        let mut result = Cell::Bool(neutral);
        for &arg in self.args(args) {
            match registers[arg as usize] {
                Cell::Bool(b) if b == neutral => {}
                Cell::Bool(b) => return Cell::Bool(b),
                _ => result = Cell::Gap,
            }
        }
        result
    }

    fn apply(&self, pool: &TermPool, term: TermId, args: Args, registers: &[Cell]) -> Cell {
        let cells: Vec<&Cell> = self.args(args).iter().map(|&r| &registers[r as usize]).collect();
        applied(pool, term, &cells)
    }
}

/// An operation by the book.
fn applied(pool: &TermPool, term: TermId, args: &[&Cell]) -> Cell {
    let mut values = Vec::with_capacity(args.len());
    for (arg, &t) in args.iter().zip(pool.args(term)) {
        match arg.to_value(pool, pool.sort(t)) {
            Some(value) => values.push(value),
            None => return Cell::Gap,
        }
    }
    apply(pool, pool.op(term), pool.sort(term), &values).map_or(Cell::Gap, |value| Cell::of(&value))
}

#[inline]
fn add(a: &Cell, b: &Cell) -> Cell {
    if let (Cell::Int(a), Cell::Int(b)) = (a, b)
        && let Some(sum) = a.checked_add(*b)
    {
        return Cell::Int(sum);
    }
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => Cell::number(&(&a + &b)),
        _ => Cell::Gap,
    }
}

#[inline]
fn mul(a: &Cell, b: &Cell) -> Cell {
    if let (Cell::Int(a), Cell::Int(b)) = (a, b)
        && let Some(product) = a.checked_mul(*b)
    {
        return Cell::Int(product);
    }
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => Cell::number(&(&a * &b)),
        _ => Cell::Gap,
    }
}

#[inline]
fn at_most(a: &Cell, b: &Cell) -> Cell {
    if let (Cell::Int(a), Cell::Int(b)) = (a, b) {
        return Cell::Bool(a <= b);
    }
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => Cell::Bool(a <= b),
        _ => Cell::Gap,
    }
}

#[inline]
fn not(a: &Cell) -> Cell {
    match a {
        Cell::Bool(b) => Cell::Bool(!b),
        _ => Cell::Gap,
    }
}

#[inline]
fn divide(a: &Cell, b: &Cell, small: fn(i64, i64) -> Option<i64>, large: fn(&Rational, &Rational) -> Rational) -> Cell {
    if let (Cell::Int(a), Cell::Int(b)) = (a, b)
        && let Some(result) = small(*a, *b)
    {
        return Cell::Int(result);
    }
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) if !b.is_zero() => Cell::number(&large(&a, &b)),
        _ => Cell::Gap,
    }
}

#[inline]
fn equal(pool: &TermPool, sort: SortId, a: &Cell, b: &Cell) -> Cell {
    match (a, b) {
        (Cell::Int(a), Cell::Int(b)) => Cell::Bool(a == b),
        (Cell::Bool(a), Cell::Bool(b)) => Cell::Bool(a == b),
        (Cell::Word(a), Cell::Word(b)) => Cell::Bool(a == b),
        _ => match (a.to_value(pool, sort), b.to_value(pool, sort)) {
            (Some(a), Some(b)) => Cell::Bool(a == b),
            _ => Cell::Gap,
        },
    }
}

/// The array after a store; in place if it is unshared.
fn stored(array: Cell, index: &Cell, value: Cell) -> Cell {
    let mut table = match array {
        Cell::Array(table) => table,
        _ => Rc::new(Table::constant(Cell::Gap)),
    };
    match Rc::make_mut(&mut table).store(index, value) {
        true => Cell::Array(table),
        false => Cell::Gap,
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The number that a word stands for in two's complement.
fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((bits << unused) as i64) >> unused
}

fn word(pool: &TermPool, term: TermId, a: &Cell, b: &Cell) -> Cell {
    let terms = pool.args(term);
    let width = |t: TermId| match pool.sort_data(pool.sort(t)) {
        Sort::BitVec(width) => *width,
        _ => u32::MAX,
    };
    let (w, result) = (width(terms[0]), pool.sort(term));
    let result = if result == SortId::BOOL { 1 } else { width(term) };
    let (&Cell::Word(x), &Cell::Word(y)) = (a, b) else { return applied(pool, term, &[a, b][..terms.len()]) };
    if result > 64 {
        return applied(pool, term, &[a, b][..terms.len()]);
    }
    let bits = match pool.op(term) {
        Op::BvNot => !x,
        Op::BvNeg => x.wrapping_neg(),
        Op::BvExtract(_, lo) => x >> lo,
        Op::BvZeroExt(_) => x,
        Op::BvSignExt(_) => signed(x, w) as u64,
        Op::BvConcat => x.checked_shl(width(terms[1])).unwrap_or(0) | y,
        Op::BvAnd => x & y,
        Op::BvOr => x | y,
        Op::BvXor => x ^ y,
        Op::BvAdd => x.wrapping_add(y),
        Op::BvSub => x.wrapping_sub(y),
        Op::BvMul => x.wrapping_mul(y),
        Op::BvShl if y >= u64::from(w) => 0,
        Op::BvShl => x << y,
        Op::BvLshr if y >= u64::from(w) => 0,
        Op::BvLshr => x >> y,
        Op::BvAshr => (signed(x, w) >> y.min(63)) as u64,
        Op::BvUlt => return Cell::Bool(x < y),
        Op::BvUle => return Cell::Bool(x <= y),
        Op::BvSlt => return Cell::Bool(signed(x, w) < signed(y, w)),
        Op::BvSle => return Cell::Bool(signed(x, w) <= signed(y, w)),
        _ => return applied(pool, term, &[a, b][..terms.len()]),
    };
    Cell::Word(bits & mask(result))
}
