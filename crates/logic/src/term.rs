//! The pool of hash-consed terms.
//!
//! A term is an [`Op`] with arguments and a sort; equal terms have equal ids. Terms are built only
//! through the constructors of `construct.rs`, which normalise:
//!
//! * `and`/`or` are flattened, sorted by id, free of duplicates and complementary pairs; `=>` and
//!   `xor` are rewritten away.
//! * Arithmetic is kept as polynomials: sums of `coefficient * monomial` sorted by id, the constant
//!   last. There is no subtraction or unary minus.
//! * `Le(s, c)` and `Lt(s, c)` have all variables left and a numeral right; the coefficients of `s`
//!   are coprime integers and the leading one is positive. Over the integers only `Le` occurs (with
//!   its constant rounded), and `x >= 6` is `not (x <= 5)`: a bound and its negation are one atom.
//! * Arithmetic `Eq(a, b)` has the monomials with the sign of the leading one left, the others and
//!   the constant right; so `x = y` and `x = 5` look like that, fit for congruence closure.
//! * Other equalities are oriented by id; constants are folded by [`crate::apply`].
//!
//! Bound variables of quantifiers are 0-ary symbols made by [`TermPool::fresh_bound`]: every
//! quantifier has its own, so substitution cannot capture.

use crate::rational::Rational;
use crate::sort::{Sort, SortId};
use crate::{FastMap, value::Value};
use base::IdVec;
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

base::define_id!(
    /// A term of a [`TermPool`].
    TermId, "t";
    /// A declared function symbol (a constant or variable if it takes no arguments).
    FunId, "f";
    /// An interned number.
    NumId, "n";
    /// The variables and patterns of a quantifier.
    QuantId, "q"
);

impl TermId {
    pub const TRUE: TermId = TermId(0);
    pub const FALSE: TermId = TermId(1);
}

/// The head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    True,
    False,
    /// A numeral; the term's sort says whether it is an Int or a Real.
    Num(NumId),
    /// A bit-vector constant; its width is in the term's sort.
    BvNum(NumId),
    /// A declared symbol applied to its arguments (none: a constant, a program variable).
    App(FunId),
    Not,
    And,
    Or,
    Eq,
    /// Pairwise different, three or more arguments.
    Distinct,
    Ite,
    Add,
    /// A numeral times a term, or a product of several non-constant terms (never both at once:
    /// `3*x*y` is `Mul(3, Mul(x, y))`).
    Mul,
    Le,
    Lt,
    /// Division of reals. Division by zero is an unknown function of the dividend.
    RealDiv,
    /// Euclidean division of integers (the remainder is never negative); by zero as above.
    IntDiv,
    Mod,
    Abs,
    ToReal,
    /// The largest integer not above.
    ToInt,
    IsInt,
    Select,
    Store,
    /// The array with the same value everywhere; the term's sort is the array sort.
    ConstArray,
    /// An index where two arrays differ if they differ at all (`@diff`; array interpolants).
    ArrayDiff,
    BvConcat,
    /// Bits `hi` down to `lo`.
    BvExtract(u32, u32),
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// By how many bits.
    BvZeroExt(u32),
    BvSignExt(u32),
    /// The unsigned value as an Int.
    BvToNat,
    /// An Int modulo two to the width (of the term's sort).
    IntToBv(u32),
    Forall(QuantId),
    Exists(QuantId),
}

/// A declared symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunDecl {
    pub name: String,
    pub args: Vec<SortId>,
    pub result: SortId,
    /// Set for symbols that are an indexed instance of another (SSA): see [`TermPool::indexed`].
    pub instance_of: Option<(FunId, u32)>,
    /// A variable of a quantifier.
    pub bound: bool,
}

/// The binding part of a quantifier; the body is the term's only argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Quantifier {
    /// The bound variables, as 0-ary terms.
    pub vars: Vec<TermId>,
    /// Multi-patterns for instantiation, possibly none.
    pub patterns: Vec<Vec<TermId>>,
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: SortId,
    args_start: u32,
    n_args: u32,
}

/// The arena of all terms.
#[derive(Clone)]
pub struct TermPool {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    table: HashTable<TermId>,
    pub(crate) sorts: IdVec<crate::SortId, Sort>,
    pub(crate) sort_ids: FastMap<Sort, SortId>,
    /// What elements of an uninterpreted sort stand for, where that is known.
    pub(crate) meanings: FastMap<SortId, crate::Meaning>,
    pub(crate) datatypes: crate::datatypes::Datatypes,
    funs: IdVec<FunId, FunDecl>,
    fun_ids: FastMap<(String, Vec<SortId>, SortId), FunId>,
    instances: FastMap<(FunId, u32), FunId>,
    numbers: IdVec<NumId, Rational>,
    number_ids: FastMap<Rational, NumId>,
    quantifiers: IdVec<QuantId, Quantifier>,
    quantifier_ids: FastMap<Quantifier, QuantId>,
    n_fresh: u64,
    /// The variables of quantifiers in alpha-normal form: by height, place and sort.
    normal_variables: FastMap<(usize, usize, SortId), TermId>,
}

impl Default for TermPool {
    fn default() -> Self {
        TermPool::new()
    }
}

fn hash_key(op: Op, sort: SortId, args: &[TermId]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

impl TermPool {
    pub fn new() -> TermPool {
        let mut pool = TermPool {
            nodes: Vec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            sorts: IdVec::new(),
            sort_ids: FastMap::default(),
            meanings: FastMap::default(),
            datatypes: crate::datatypes::Datatypes::default(),
            funs: IdVec::new(),
            fun_ids: FastMap::default(),
            instances: FastMap::default(),
            numbers: IdVec::new(),
            number_ids: FastMap::default(),
            quantifiers: IdVec::new(),
            quantifier_ids: FastMap::default(),
            n_fresh: 0,
            normal_variables: FastMap::default(),
        };
        assert_eq!(pool.intern_sort(Sort::Bool), SortId::BOOL);
        assert_eq!(pool.intern_sort(Sort::Int), SortId::INT);
        assert_eq!(pool.intern_sort(Sort::Real), SortId::REAL);
        assert_eq!(pool.intern(Op::True, SortId::BOOL, &[]), TermId::TRUE);
        assert_eq!(pool.intern(Op::False, SortId::BOOL, &[]), TermId::FALSE);
        pool
    }

    // ---- looking at terms ----

    #[inline]
    pub fn op(&self, t: TermId) -> Op {
        self.nodes[t.0 as usize].op
    }
    #[inline]
    pub fn args(&self, t: TermId) -> &[TermId] {
        let node = &self.nodes[t.0 as usize];
        &self.args[node.args_start as usize..(node.args_start + node.n_args) as usize]
    }
    #[inline]
    pub fn arg(&self, t: TermId, i: usize) -> TermId {
        self.args(t)[i]
    }
    #[inline]
    pub fn sort(&self, t: TermId) -> SortId {
        self.nodes[t.0 as usize].sort
    }
    pub fn is_bool(&self, t: TermId) -> bool {
        self.sort(t) == SortId::BOOL
    }
    /// The number of terms ever made; ids are below it.
    pub fn n_terms(&self) -> usize {
        self.nodes.len()
    }
    /// The value of a numeral (Int or Real).
    pub fn number(&self, t: TermId) -> Option<&Rational> {
        match self.op(t) {
            Op::Num(n) => Some(&self.numbers[n]),
            _ => None,
        }
    }
    /// The unsigned value and width of a bit-vector constant.
    pub fn bv_number(&self, t: TermId) -> Option<(&Rational, u32)> {
        match self.op(t) {
            Op::BvNum(n) => Some((&self.numbers[n], self.bitvec_width(self.sort(t))?)),
            _ => None,
        }
    }
    /// Is this a value: a truth constant, a numeral, or a bit-vector constant?
    pub fn is_value(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::True | Op::False | Op::Num(_) | Op::BvNum(_))
    }
    /// A constant term as a value.
    pub fn value(&self, t: TermId) -> Option<Value> {
        match self.op(t) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::Num(n) => Some(Value::Num(self.numbers[n].clone())),
            Op::BvNum(n) => Some(Value::Bv(self.numbers[n].to_bigint()?, self.bitvec_width(self.sort(t))?)),
            _ => None,
        }
    }
    /// The symbol of a 0-ary application: a constant or variable.
    pub fn as_symbol(&self, t: TermId) -> Option<FunId> {
        match self.op(t) {
            Op::App(f) if self.nodes[t.0 as usize].n_args == 0 => Some(f),
            _ => None,
        }
    }
    pub fn quantifier(&self, id: QuantId) -> &Quantifier {
        &self.quantifiers[id]
    }
    pub fn fun(&self, f: FunId) -> &FunDecl {
        &self.funs[f]
    }
    pub fn funs(&self) -> impl Iterator<Item = (FunId, &FunDecl)> {
        self.funs.iter()
    }
    /// Do the two pools mean the same by this id?
    pub(crate) fn shares_fun(&self, other: &TermPool, f: FunId) -> bool {
        self.funs.get(f).is_some_and(|decl| other.funs.get(f) == Some(decl))
    }
    pub(crate) fn shares_sort(&self, other: &TermPool, sort: SortId) -> bool {
        self.sorts.get(sort).is_some_and(|s| other.sorts.get(sort) == Some(s))
    }
    pub fn name(&self, f: FunId) -> &str {
        &self.funs[f].name
    }

    // ---- symbols ----

    /// The symbol of this name and signature (declared on first use).
    pub fn declare_fun(&mut self, name: &str, args: &[SortId], result: SortId) -> FunId {
        let key = (name.to_string(), args.to_vec(), result);
        if let Some(&f) = self.fun_ids.get(&key) {
            return f;
        }
        let f = self.new_fun(FunDecl {
            name: name.to_string(),
            args: args.to_vec(),
            result,
            instance_of: None,
            bound: false,
        });
        self.fun_ids.insert(key, f);
        f
    }
    fn new_fun(&mut self, decl: FunDecl) -> FunId {
        self.funs.push(decl)
    }
    /// A constant (variable) of this name and sort.
    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        let f = self.declare_fun(name, &[], sort);
        self.intern(Op::App(f), sort, &[])
    }
    /// A constant whose symbol differs from all others, whatever their names.
    pub fn fresh_constant(&mut self, hint: &str, sort: SortId) -> TermId {
        self.n_fresh += 1;
        let name = format!("{hint}!{}", self.n_fresh);
        let f = self.new_fun(FunDecl { name, args: vec![], result: sort, instance_of: None, bound: false });
        self.intern(Op::App(f), sort, &[])
    }
    /// A fresh function symbol.
    pub fn fresh_fun(&mut self, hint: &str, args: &[SortId], result: SortId) -> FunId {
        self.n_fresh += 1;
        let name = format!("{hint}!{}", self.n_fresh);
        self.new_fun(FunDecl { name, args: args.to_vec(), result, instance_of: None, bound: false })
    }
    /// A fresh variable for a quantifier.
    pub fn fresh_bound(&mut self, hint: &str, sort: SortId) -> TermId {
        self.n_fresh += 1;
        let name = format!("{hint}!{}", self.n_fresh);
        let f = self.new_fun(FunDecl { name, args: vec![], result: sort, instance_of: None, bound: true });
        self.intern(Op::App(f), sort, &[])
    }
    /// The variable of alpha-normal forms that stands at this place of a quantifier of this height.
    pub(crate) fn normal_variable(&mut self, height: usize, place: usize, sort: SortId) -> TermId {
        if let Some(&v) = self.normal_variables.get(&(height, place, sort)) {
            return v;
        }
        let v = self.fresh_bound("x", sort);
        self.normal_variables.insert((height, place, sort), v);
        v
    }
    /// The `index`-th copy of a constant, as SSA needs it: the same id each time.
    pub fn indexed(&mut self, constant: TermId, index: u32) -> TermId {
        let f = self.as_symbol(constant).expect("only constants have indexed copies");
        let sort = self.sort(constant);
        let instance = match self.instances.get(&(f, index)) {
            Some(&g) => g,
            None => {
                let name = format!("{}@{index}", self.funs[f].name);
                let decl = FunDecl { name, args: vec![], result: sort, instance_of: Some((f, index)), bound: false };
                let g = self.new_fun(decl);
                self.instances.insert((f, index), g);
                g
            }
        };
        self.intern(Op::App(instance), sort, &[])
    }
    /// The constant of a 0-ary symbol.
    pub fn symbol_term(&mut self, f: FunId) -> TermId {
        assert!(self.funs[f].args.is_empty());
        let sort = self.funs[f].result;
        self.intern(Op::App(f), sort, &[])
    }

    // ---- interning ----

    pub(crate) fn intern_number(&mut self, value: Rational) -> NumId {
        if let Some(&id) = self.number_ids.get(&value) {
            return id;
        }
        let id = self.numbers.push(value.clone());
        self.number_ids.insert(value, id);
        id
    }
    pub(crate) fn intern_quantifier(&mut self, quantifier: Quantifier) -> QuantId {
        if let Some(&id) = self.quantifier_ids.get(&quantifier) {
            return id;
        }
        let id = self.quantifiers.push(quantifier.clone());
        self.quantifier_ids.insert(quantifier, id);
        id
    }
    /// The term with exactly this head and arguments, not normalised.
    pub(crate) fn intern(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let hash = hash_key(op, sort, args);
        let (nodes, all_args) = (&self.nodes, &self.args);
        let same = |&t: &TermId| {
            let n = &nodes[t.0 as usize];
            n.op == op && n.sort == sort && &all_args[n.args_start as usize..(n.args_start + n.n_args) as usize] == args
        };
        if let Some(&t) = self.table.find(hash, same) {
            return t;
        }
        let t = TermId(u32::try_from(self.nodes.len()).expect("more than 2^32 terms"));
        let args_start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, args_start, n_args: args.len() as u32 });
        let (nodes, all_args) = (&self.nodes, &self.args);
        self.table.insert_unique(hash, t, |&t| {
            let n = &nodes[t.0 as usize];
            hash_key(n.op, n.sort, &all_args[n.args_start as usize..(n.args_start + n.n_args) as usize])
        });
        t
    }
}

impl std::fmt::Debug for TermPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TermPool({} terms)", self.nodes.len())
    }
}
