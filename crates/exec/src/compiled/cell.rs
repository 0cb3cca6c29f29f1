//! The values of compiled executions: machine numbers where they fit, everything else behind a pointer.

use logic::{ArrayValue, BigInt, FastMap, Rational, Sort, SortId, TermPool, Value};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A value. Each has one form only: a number that fits is an `Int`, a bit-vector that fits is a `Word`.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// Unknown: it stands for all values of its sort.
    Gap,
    Bool(bool),
    Int(i64),
    /// A bit-vector of at most 64 bits.
    Word(u64),
    Array(Rc<Table>),
    /// No array.
    Other(Rc<Value>),
}

impl Cell {
    pub(super) fn of(value: &Value) -> Cell {
        match value {
            Value::Bool(b) => Cell::Bool(*b),
            Value::Num(n) => Cell::number(n),
            Value::Bv(bits, width) if *width <= 64 => Cell::Word(u64::try_from(bits).unwrap_or_default()),
            Value::Bv(..) | Value::Element(..) => Cell::Other(Rc::new(value.clone())),
            Value::Array(array) => {
                let mut table = Table::constant(Cell::of(&array.default));
                let is_known = array.entries.iter().all(|(i, element)| table.store(&Cell::of(i), Cell::of(element)));
                if is_known { Cell::Array(Rc::new(table)) } else { Cell::Gap }
            }
        }
    }

    pub(super) fn number(n: &Rational) -> Cell {
        match n.to_i64() {
            Some(small) => Cell::Int(small),
            None => Cell::Other(Rc::new(Value::Num(n.clone()))),
        }
    }

    pub(super) fn as_number(&self) -> Option<Rational> {
        match self {
            Cell::Int(n) => Some(Rational::from(*n)),
            Cell::Other(value) => value.as_num().cloned(),
            Cell::Gap | Cell::Bool(_) | Cell::Word(_) | Cell::Array(_) => None,
        }
    }

    /// As a value of this sort; `None` if any part of it is a gap.
    pub(super) fn to_value(&self, pool: &TermPool, sort: SortId) -> Option<Value> {
        match (self, pool.sort_data(sort)) {
            (Cell::Gap, _) => None,
            (Cell::Bool(b), _) => Some(Value::Bool(*b)),
            (Cell::Int(n), _) => Some(Value::Num(Rational::from(*n))),
            (Cell::Word(bits), Sort::BitVec(width)) => Some(Value::Bv(BigInt::from(*bits), *width)),
            (Cell::Other(value), _) => Some((**value).clone()),
            (Cell::Array(table), Sort::Array(index, element)) => table.to_value(pool, *index, *element),
            (Cell::Word(_) | Cell::Array(_), _) => None,
        }
    }
}

const PAGE: usize = 32;
pub(crate) type Page = [Cell; PAGE];

/// An array: cells with small numbers as indices stand on pages. An unshared table is changed in place.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub default: Cell,
    pages: FastMap<i64, Rc<Page>>,
    pub others: BTreeMap<Value, Cell>,
}

impl Table {
    pub(super) fn constant(default: Cell) -> Table {
        Table { default, pages: FastMap::default(), others: BTreeMap::new() }
    }

    /// The number that stands for an index: bit-vectors and integers are distinguished by the sort of the array.
    fn place(index: &Cell) -> Option<(i64, usize)> {
        let n = match index {
            Cell::Int(n) => *n,
            Cell::Word(bits) => *bits as i64,
            Cell::Gap | Cell::Bool(_) | Cell::Array(_) | Cell::Other(_) => return None,
        };
        Some((n.div_euclid(PAGE as i64), n.rem_euclid(PAGE as i64) as usize))
    }

    /// The index as a key of `others`; arrays as indices and gaps have none.
    fn key(index: &Cell) -> Option<Value> {
        match index {
            Cell::Bool(b) => Some(Value::Bool(*b)),
            Cell::Other(value) => Some((**value).clone()),
            Cell::Gap | Cell::Int(_) | Cell::Word(_) | Cell::Array(_) => None,
        }
    }

    pub(super) fn get(&self, index: &Cell) -> Cell {
        if let Some((page, at)) = Table::place(index) {
            return self.pages.get(&page).map_or(&self.default, |cells| &cells[at]).clone();
        }
        match Table::key(index) {
            Some(key) => self.others.get(&key).unwrap_or(&self.default).clone(),
            None => Cell::Gap,
        }
    }

    /// Returns `false` if the index is unknown; the caller must then treat the whole array as unknown.
    #[must_use]
    pub(super) fn store(&mut self, index: &Cell, value: Cell) -> bool {
        if let Some((page, at)) = Table::place(index) {
            let default = &self.default;
            let cells = self.pages.entry(page).or_insert_with(|| Rc::new(std::array::from_fn(|_| default.clone())));
            Rc::make_mut(cells)[at] = value;
            return true;
        }
        let key = Table::key(index);
        let is_known = key.is_some();
        self.others.extend(key.map(|key| (key, value)));
        is_known
    }

    /// The pages in order, with their numbers.
    pub(super) fn pages(&self) -> Vec<(i64, &Rc<Page>)> {
        let mut pages: Vec<_> = self.pages.iter().map(|(&at, page)| (at, page)).collect();
        pages.sort_by_key(|(at, _)| *at);
        pages
    }

    fn to_value(&self, pool: &TermPool, index: SortId, element: SortId) -> Option<Value> {
        let cardinality = pool.cardinality(index);
        let default = self.default.to_value(pool, element)?;
        let mut array = ArrayValue::constant(default.clone());
        for (page, cells) in self.pages() {
            for (at, cell) in cells.iter().enumerate() {
                let n = page.wrapping_mul(PAGE as i64).wrapping_add(at as i64);
                let key = match pool.sort_data(index) {
                    // A page may have more places than there are bit-vectors.
                    Sort::BitVec(width) if *width < 64 && n >> *width != 0 => continue,
                    Sort::BitVec(width) => Value::Bv(BigInt::from(n as u64), *width),
                    _ => Value::Num(Rational::from(n)),
                };
                let value = cell.to_value(pool, element)?;
                if value != default {
                    array.set(key, value, cardinality);
                }
            }
        }
        for (key, cell) in &self.others {
            array.set(key.clone(), cell.to_value(pool, element)?, cardinality);
        }
        Some(Value::Array(Arc::new(array)))
    }
}
