//! Sorts, hash-consed in the pool like terms.

use crate::term::TermPool;

base::define_id!(
    /// A sort of a [`TermPool`].
    SortId, "s"
);

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Bool,
    Int,
    Real,
    /// Bit-vectors of a width of at least one.
    BitVec(u32),
    /// Total maps from an index sort to an element sort.
    Array(SortId, SortId),
    /// A non-empty set nothing else is known about.
    Uninterpreted(String),
}

impl SortId {
    pub const BOOL: SortId = SortId(0);
    pub const INT: SortId = SortId(1);
    pub const REAL: SortId = SortId(2);

    pub fn is_arith(self) -> bool {
        self == SortId::INT || self == SortId::REAL
    }
}

impl TermPool {
    pub fn sort_data(&self, sort: SortId) -> &Sort {
        &self.sorts[sort]
    }
    pub fn intern_sort(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(&sort) {
            return id;
        }
        let id = self.sorts.push(sort.clone());
        self.sort_ids.insert(sort, id);
        id
    }
    pub fn bitvec_sort(&mut self, width: u32) -> SortId {
        assert!(width > 0, "bit-vectors have a positive width");
        self.intern_sort(Sort::BitVec(width))
    }
    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.intern_sort(Sort::Array(index, element))
    }
    pub fn uninterpreted_sort(&mut self, name: &str) -> SortId {
        self.intern_sort(Sort::Uninterpreted(name.to_string()))
    }
    /// Index and element sort of an array sort.
    pub fn array_parts(&self, sort: SortId) -> Option<(SortId, SortId)> {
        match self.sorts[sort] {
            Sort::Array(index, element) => Some((index, element)),
            _ => None,
        }
    }
    pub fn bitvec_width(&self, sort: SortId) -> Option<u32> {
        match self.sorts[sort] {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
    /// The number of values of a sort when it is finite and fits; `None` for infinite,
    /// uninterpreted or huge sorts.
    pub fn cardinality(&self, sort: SortId) -> Option<u64> {
        match &self.sorts[sort] {
            Sort::Bool => Some(2),
            Sort::Int | Sort::Real | Sort::Uninterpreted(_) => None,
            Sort::BitVec(width) => 1u64.checked_shl(*width).filter(|_| *width < 64),
            Sort::Array(index, element) => {
                let (index, element) = (self.cardinality(*index)?, self.cardinality(*element)?);
                element.checked_pow(u32::try_from(index).ok()?)
            }
        }
    }
    /// SMT-LIB text of a sort.
    pub fn show_sort(&self, sort: SortId) -> String {
        match &self.sorts[sort] {
            Sort::Bool => "Bool".to_string(),
            Sort::Int => "Int".to_string(),
            Sort::Real => "Real".to_string(),
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Array(index, element) => {
                format!("(Array {} {})", self.show_sort(*index), self.show_sort(*element))
            }
            Sort::Uninterpreted(name) if self.meanings.contains_key(&sort) => name.clone(),
            Sort::Uninterpreted(name) if self.datatype(sort).is_some() && name.starts_with('(') => name.clone(),
            Sort::Uninterpreted(name) => crate::smtlib::quote_symbol(name).into_owned(),
        }
    }
}
