//! Reading sorts and terms of SMT-LIB 2.6.
//!
//! A [`Signature`] holds what is declared and defined, with scopes that `push`/`pop` open and
//! close. Terms are read by a small stack machine instead of recursion: a work list of steps and a
//! stack of finished arguments, so nesting depth is bounded by memory only. Definitions
//! (`define-fun`) are expanded on use, with fresh bound variables for the quantifiers in them.
//!
//! Departures from the standard, all towards leniency: an Int is accepted where a Real is expected
//! (`to_real` is inserted), `concat` and the associative bit-vector operators take two or more
//! arguments, and operators of all theories are known in every logic.

mod datatypes;
mod floats;

use super::sexpr::{Node, NodeId, ReadError, SExpr, SExprReader};
use crate::rational::{BigInt, Rational};
use crate::sort::{Sort, SortId};
use crate::term::{FunId, Op, TermId, TermPool};
use crate::{FastMap, FastSet, Substitution};
use datatypes::Template;
use std::sync::Arc;

/// Wider bit-vectors are refused, as their constants alone would fill the memory.
const MAX_WIDTH: u32 = 1 << 16;
/// Deeper or larger sorts are refused (abbreviations make them grow exponentially).
const MAX_SORT_SIZE: u64 = 1000;

/// Powers of more factors are refused.
const MAX_EXPONENT: u32 = 100;

type Result<T> = std::result::Result<T, ReadError>;

#[derive(Clone, Debug)]
enum SortSymbol {
    Declared {
        arity: usize,
    },
    /// The parameters stand in the body as uninterpreted sorts of reserved names.
    Defined {
        params: Vec<SortId>,
        body: SortId,
    },
    Datatype(Arc<Template>),
}

#[derive(Clone, Debug)]
enum FunSymbol {
    Declared(FunId),
    /// With parameters or a result of a sort that is encoded in words: the symbol takes and gives the words.
    Encoded(FunId),
    /// The parameters are words where their sorts are encoded.
    Defined {
        params: Vec<TermId>,
        sorts: Vec<SortId>,
        body: TermId,
        has_quantifier: bool,
    },
    Constructor(Arc<Template>),
    Selector,
}

/// The sorts of the arguments and of the result.
type Rank = (Vec<SortId>, SortId);

/// The declared and defined symbols that terms may use.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    sorts: FastMap<String, SortSymbol>,
    funs: FastMap<String, FunSymbol>,
    /// Names in the order of their declaration, for `pop`; `true` marks a sort.
    trail: Vec<(bool, String)>,
    scopes: Vec<usize>,
    /// Names given by `(! t :named n)` since the last [`Signature::take_named`].
    named: Vec<(String, TermId)>,
    /// The ranks of encoded symbols as they were declared.
    ranks: FastMap<FunId, Rank>,
    /// Names from before [`Signature::make_replaceable`] that may be declared again.
    replaceable: FastSet<String>,
    /// Reads of arrays are not simplified: terms of proofs.
    keeps_reads: bool,
}

impl Signature {
    pub fn new() -> Signature {
        Signature::default()
    }
    /// Knows every symbol and sort of a pool by its name (the first if several share one).
    pub fn of_pool(pool: &TermPool) -> Signature {
        let mut signature = Signature::new();
        for (f, decl) in pool.funs() {
            if decl.bound {
                continue;
            }
            signature.funs.entry(decl.name.clone()).or_insert(FunSymbol::Declared(f));
            for &sort in decl.args.iter().chain([&decl.result]) {
                let mut stack = vec![sort];
                while let Some(sort) = stack.pop() {
                    match pool.sort_data(sort) {
                        Sort::Uninterpreted(name) => {
                            signature.sorts.insert(name.clone(), SortSymbol::Declared { arity: 0 });
                        }
                        Sort::Array(index, element) => stack.extend([*index, *element]),
                        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => {}
                    }
                }
            }
        }
        signature
    }

    pub fn push(&mut self) {
        self.scopes.push(self.trail.len());
    }
    /// Forgets what was declared since the matching `push`; `false` if there is none.
    pub fn pop(&mut self) -> bool {
        let Some(start) = self.scopes.pop() else { return false };
        for (is_sort, name) in self.trail.drain(start..) {
            if is_sort {
                self.sorts.remove(&name);
            } else {
                self.funs.remove(&name);
            }
        }
        true
    }
    /// Ends the innermost scope but keeps what it declared.
    pub fn keep(&mut self) {
        self.scopes.pop();
    }
    /// The `:named` terms read since the last call.
    pub fn take_named(&mut self) -> Vec<(String, TermId)> {
        std::mem::take(&mut self.named)
    }
    /// Does the name stand for the symbol itself, not for one whose arguments or result are encoded?
    pub fn declares(&self, name: &str, f: FunId) -> bool {
        matches!(self.funs.get(name), Some(FunSymbol::Declared(g)) if *g == f)
    }
    /// For reading terms as the solver sees them: the sorts, and the symbols that stand for themselves.
    pub fn for_proofs(&self) -> Signature {
        let plain = self.funs.iter().filter(|(_, symbol)| matches!(symbol, FunSymbol::Declared(_)));
        Signature {
            sorts: self.sorts.clone(),
            funs: plain.map(|(name, symbol)| (name.clone(), symbol.clone())).collect(),
            keeps_reads: true,
            ..Signature::default()
        }
    }
    /// Declares a symbol over sorts as the solver sees them.
    pub fn declare_plain(
        &mut self,
        pool: &mut TermPool,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> std::result::Result<(), String> {
        let f = pool.declare_fun(name, args, result);
        self.add_fun(name, FunSymbol::Declared(f))
    }
    /// The sorts that a symbol was declared with.
    pub fn rank(&self, pool: &TermPool, f: FunId) -> (Vec<SortId>, SortId) {
        match self.ranks.get(&f) {
            Some(rank) => rank.clone(),
            None => (pool.fun(f).args.clone(), pool.fun(f).result),
        }
    }
    pub fn is_known(&self, name: &str) -> bool {
        self.funs.contains_key(name)
    }

    /// What is known now stays known, but may be declared anew. (The standard has `reset-assertions` forget
    /// declarations, and many programs that talk to solvers rely on their staying.)
    pub fn make_replaceable(&mut self) {
        self.trail.clear();
        self.scopes.clear();
        self.replaceable = self.sorts.keys().chain(self.funs.keys()).cloned().collect();
    }
    fn add_sort(&mut self, name: &str, symbol: SortSymbol) -> std::result::Result<(), String> {
        let is_taken = self.sorts.contains_key(name) && !self.replaceable.remove(name);
        let is_reserved = ["Bool", "Int", "Real", "Array", "BitVec", "FloatingPoint"].contains(&name);
        if is_taken || is_reserved {
            return Err(format!("the sort {name} is already declared"));
        }
        self.sorts.insert(name.to_string(), symbol);
        self.trail.push((true, name.to_string()));
        Ok(())
    }
    fn add_fun(&mut self, name: &str, symbol: FunSymbol) -> std::result::Result<(), String> {
        if self.funs.contains_key(name) && !self.replaceable.remove(name) {
            return Err(format!("{name} is already declared"));
        }
        if is_theory_symbol(name) {
            return Err(format!("{name} is a symbol of the logic and cannot be declared"));
        }
        self.funs.insert(name.to_string(), symbol);
        self.trail.push((false, name.to_string()));
        Ok(())
    }
    pub fn declare_sort(&mut self, name: &str, arity: usize) -> std::result::Result<(), String> {
        self.add_sort(name, SortSymbol::Declared { arity })
    }
    pub fn declare_fun(
        &mut self,
        pool: &mut TermPool,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> std::result::Result<FunId, String> {
        let is_encoded = args.iter().chain([&result]).any(|&s| pool.meaning(s).is_some());
        if !is_encoded {
            let f = pool.declare_fun(name, args, result);
            self.add_fun(name, FunSymbol::Declared(f))?;
            self.ranks.remove(&f);
            return Ok(f);
        }
        let words: Vec<SortId> = args.iter().map(|&s| pool.bits_sort(s)).collect();
        let word = pool.bits_sort(result);
        let f = pool.declare_fun(name, &words, word);
        self.add_fun(name, FunSymbol::Encoded(f))?;
        self.ranks.insert(f, (args.to_vec(), result));
        Ok(f)
    }
    /// Gives a name to a term.
    pub fn define_constant(&mut self, pool: &TermPool, name: &str, term: TermId) -> std::result::Result<(), String> {
        self.define_fun(pool, name, Vec::new(), Vec::new(), term)
    }
    /// `params` must be variables made for this definition, `sorts` theirs as declared.
    fn define_fun(
        &mut self,
        pool: &TermPool,
        name: &str,
        params: Vec<TermId>,
        sorts: Vec<SortId>,
        body: TermId,
    ) -> std::result::Result<(), String> {
        let has_quantifier = pool.has_quantifier(body);
        self.add_fun(name, FunSymbol::Defined { params, sorts, body, has_quantifier })
    }

    /// `(define-sort name (params) body)`, without its first word.
    pub fn read_define_sort(
        &mut self,
        pool: &mut TermPool,
        e: &SExpr,
        name: NodeId,
        params: NodeId,
        body: NodeId,
    ) -> Result<()> {
        let sort_name = symbol(e, name)?.to_string();
        let mut placeholders = Vec::new();
        let mut bound = FastMap::default();
        for (i, &param) in list(e, params)?.iter().enumerate() {
            let placeholder = pool.uninterpreted_sort(&format!(".{sort_name}.{i}"));
            bound.insert(symbol(e, param)?.to_string(), placeholder);
            placeholders.push(placeholder);
        }
        let body = self.sort_in(pool, e, body, &bound)?;
        self.add_sort(&sort_name, SortSymbol::Defined { params: placeholders, body })
            .map_err(|m| ReadError::new(e.pos(name), m))
    }
    /// `(define-fun name (params) sort body)`, without its first word.
    pub fn read_define_fun(
        &mut self,
        pool: &mut TermPool,
        e: &SExpr,
        name: NodeId,
        params: NodeId,
        sort: NodeId,
        body: NodeId,
    ) -> Result<()> {
        let fun_name = symbol(e, name)?;
        let vars = self.read_sorted_vars(pool, e, params)?;
        let sort = self.read_sort(pool, e, sort)?;
        let mut reader = TermReader::new(self, pool, e);
        for var in &vars {
            reader.bind_parameter(var);
        }
        let term = reader.read(body)?;
        let term = coerce(pool, term, sort).ok_or_else(|| {
            let message =
                format!("the body has sort {}, not {}", pool.show_sort(pool.sort(term)), pool.show_sort(sort));
            ReadError::new(e.pos(body), message)
        })?;
        let (params, sorts) = vars.into_iter().map(|v| (v.term, v.sort)).unzip();
        self.define_fun(pool, fun_name, params, sorts, term).map_err(|m| ReadError::new(e.pos(name), m))
    }
    /// `(define-fun-rec name (params) sort body)`, without its first word, and several of them at once: the functions
    /// are declared, and the answer is the formulas that define them, `∀params. name(params) = body`.
    pub fn read_define_funs_rec(
        &mut self,
        pool: &mut TermPool,
        e: &SExpr,
        definitions: &[[NodeId; 4]],
    ) -> Result<(Vec<FunId>, Vec<TermId>)> {
        let mut heads = Vec::new();
        for &[name, params, sort, _] in definitions {
            let vars = self.read_sorted_vars(pool, e, params)?;
            let sort = self.read_sort(pool, e, sort)?;
            let sorts: Vec<SortId> = vars.iter().map(|v| v.sort).collect();
            let text = symbol(e, name)?;
            let f = self.declare_fun(pool, text, &sorts, sort).map_err(|m| ReadError::new(e.pos(name), m))?;
            heads.push((f, vars, sort));
        }
        let mut formulas = Vec::new();
        for (&[_, _, _, body], (f, vars, sort)) in definitions.iter().zip(&heads) {
            let mut reader = TermReader::new(self, pool, e);
            for var in vars {
                reader.bind_variable(var);
            }
            let term = reader.read(body)?;
            let term = coerce(pool, term, *sort).ok_or_else(|| {
                let message =
                    format!("the body has sort {}, not {}", pool.show_sort(pool.sort(term)), pool.show_sort(*sort));
                ReadError::new(e.pos(body), message)
            })?;
            let params: Vec<TermId> = vars.iter().map(|v| v.term).collect();
            // Only canonical words are arguments, so on others the function may be anything.
            let words: Vec<TermId> = vars
                .iter()
                .map(|v| match pool.meaning(v.sort) {
                    Some(meaning) => pool.canonical(meaning, v.term),
                    None => v.term,
                })
                .collect();
            let call = pool.app(*f, &words);
            let equation = match pool.meaning(*sort) {
                Some(meaning) => {
                    let (call, word) = (pool.canonical(meaning, call), pool.to_bits(term));
                    pool.eq(call, word)
                }
                None => pool.eq(call, term),
            };
            formulas.push(if params.is_empty() { equation } else { pool.forall(&params, vec![vec![call]], equation) });
        }
        Ok((heads.into_iter().map(|(f, _, _)| f).collect(), formulas))
    }
    /// `(define-const name sort body)`, without its first word.
    pub fn read_define_const(
        &mut self,
        pool: &mut TermPool,
        e: &SExpr,
        name: NodeId,
        sort: NodeId,
        body: NodeId,
    ) -> Result<()> {
        let sort = self.read_sort(pool, e, sort)?;
        let term = TermReader::new(self, pool, e).read(body)?;
        let Some(term) = coerce(pool, term, sort) else {
            return Err(ReadError::new(e.pos(body), "the body does not have the sort stated"));
        };
        self.define_constant(pool, symbol(e, name)?, term).map_err(|m| ReadError::new(e.pos(name), m))
    }
    /// `((x Sort) …)` as fresh variables; the names must differ.
    fn read_sorted_vars(&self, pool: &mut TermPool, e: &SExpr, node: NodeId) -> Result<Vec<Variable>> {
        let mut vars: Vec<Variable> = Vec::new();
        for &pair in list(e, node)? {
            let [name, sort] = *list(e, pair)? else {
                return Err(ReadError::new(e.pos(pair), "expected (name sort)"));
            };
            let text = symbol(e, name)?;
            if vars.iter().any(|other| other.name == text) {
                return Err(ReadError::new(e.pos(name), format!("{text} occurs twice")));
            }
            let sort = self.read_sort(pool, e, sort)?;
            let word = pool.bits_sort(sort);
            let term = pool.fresh_bound(text, word);
            vars.push(Variable { name: text.to_string(), term, sort });
        }
        Ok(vars)
    }

    pub fn read_sort(&self, pool: &mut TermPool, e: &SExpr, node: NodeId) -> Result<SortId> {
        self.sort_in(pool, e, node, &FastMap::default())
    }

    fn sort_in(&self, pool: &mut TermPool, e: &SExpr, node: NodeId, bound: &FastMap<String, SortId>) -> Result<SortId> {
        // Steps: a sort to read, or (with its number of arguments) one whose arguments are done.
        let mut work = vec![(node, None)];
        let mut done: Vec<SortId> = Vec::new();
        while let Some((node, arity)) = work.pop() {
            let fail = |message: String| Err(ReadError::new(e.pos(node), message));
            if let (None, Some(items)) = (arity, e.list(node))
                && let Some((&head, args)) = items.split_first()
                && !e.is_word(head, "_")
            {
                work.push((node, Some(args.len())));
                work.extend(args.iter().rev().map(|&a| (a, None)));
                continue;
            }
            let args = done.split_off(done.len() - arity.unwrap_or(0));
            let head = match e.node(node) {
                Node::List(items) if arity.is_some() => items[0],
                _ => node,
            };
            let sort = match e.node(head) {
                Node::Symbol(name) | Node::Quoted(name) => {
                    if let Some(&sort) = bound.get(name)
                        && args.is_empty()
                    {
                        sort
                    } else {
                        match self.apply_sort(pool, name, &args) {
                            Ok(sort) => sort,
                            Err(message) => return fail(message),
                        }
                    }
                }
                Node::List(items) => match items.as_slice() {
                    [_, kind, width] if e.is_word(*kind, "BitVec") => {
                        let width = index(e, *width)?;
                        if width == 0 || width > MAX_WIDTH {
                            return fail(format!("bit-vectors have a width from 1 to {MAX_WIDTH}"));
                        }
                        pool.bitvec_sort(width)
                    }
                    [_, kind, exponent, significand] if e.is_word(*kind, "FloatingPoint") => {
                        match floats::format(index(e, *exponent)?, index(e, *significand)?) {
                            Ok(format) => pool.float_sort(format),
                            Err(message) => return fail(message),
                        }
                    }
                    [_, name, ..] if e.symbol(*name).is_some_and(|n| foreign_theory(n).is_some()) => {
                        let name = e.symbol(*name).unwrap_or_default();
                        return fail(format!("{name}: {} not supported", foreign_theory(name).unwrap_or_default()));
                    }
                    _ => return fail(format!("unknown sort {}", e.show(head))),
                },
                _ => return fail(format!("expected a sort, found {}", e.show(head))),
            };
            if sort_size(pool, sort) > MAX_SORT_SIZE {
                return fail("this sort is too large".to_string());
            }
            done.push(sort);
        }
        done.pop().ok_or_else(|| ReadError::new(e.pos(node), "expected a sort"))
    }

    fn apply_sort(&self, pool: &mut TermPool, name: &str, args: &[SortId]) -> std::result::Result<SortId, String> {
        let wrong = |want: usize| Err(format!("the sort {name} takes {want} arguments, not {}", args.len()));
        match (name, args) {
            ("Bool", []) => return Ok(SortId::BOOL),
            ("Int", []) => return Ok(SortId::INT),
            ("Real", []) => return Ok(SortId::REAL),
            ("Array", &[index, element]) => return Ok(pool.array_sort(index, element)),
            ("Bool" | "Int" | "Real", _) => return wrong(0),
            ("Array", _) => return wrong(2),
            _ => {}
        }
        match self.sorts.get(name) {
            None => match (foreign_theory(name), args) {
                (Some(theory), _) => Err(format!("{name}: {theory} not supported")),
                (None, []) => floats::named_sort(pool, name).ok_or_else(|| format!("unknown sort {name}")),
                (None, _) => Err(format!("unknown sort {name}")),
            },
            Some(SortSymbol::Declared { arity }) if *arity != args.len() => wrong(*arity),
            Some(SortSymbol::Declared { arity: 0 }) => Ok(pool.uninterpreted_sort(name)),
            Some(SortSymbol::Declared { .. }) => {
                let shown: Vec<String> = args.iter().map(|&s| pool.show_sort(s)).collect();
                let name = format!("({} {})", super::quote_symbol(name), shown.join(" "));
                Ok(pool.uninterpreted_sort(&name))
            }
            Some(SortSymbol::Datatype(template)) => {
                if template.arity() != args.len() {
                    return wrong(template.arity());
                }
                self.instance(pool, template, args)
            }
            Some(SortSymbol::Defined { params, body }) => {
                if params.len() != args.len() {
                    return wrong(params.len());
                }
                let pairs: FastMap<SortId, SortId> = params.iter().copied().zip(args.iter().copied()).collect();
                Ok(substitute_sort(pool, *body, &pairs))
            }
        }
    }

    /// Reads a term; an Int stays an Int.
    pub fn read_term(&mut self, pool: &mut TermPool, e: &SExpr, node: NodeId) -> Result<TermId> {
        TermReader::new(self, pool, e).read(node)
    }
    /// Reads two terms and makes them equal.
    pub fn read_equality(&mut self, pool: &mut TermPool, e: &SExpr, left: NodeId, right: NodeId) -> Result<TermId> {
        let (a, b) = (self.read_term(pool, e, left)?, self.read_term(pool, e, right)?);
        let sort = if pool.sort(b) == SortId::REAL { SortId::REAL } else { pool.sort(a) };
        match (coerce(pool, a, sort), coerce(pool, b, sort)) {
            (Some(a), Some(b)) => Ok(pool.encoded_eq(a, b)),
            _ => {
                let (have, want) = (pool.show_sort(pool.sort(b)), pool.show_sort(pool.sort(a)));
                Err(ReadError::new(e.pos(right), format!("a value of sort {want} is expected, not of sort {have}")))
            }
        }
    }
    /// Reads a term that must be a formula.
    pub fn read_formula(&mut self, pool: &mut TermPool, e: &SExpr, node: NodeId) -> Result<TermId> {
        let t = self.read_term(pool, e, node)?;
        if pool.is_bool(t) {
            Ok(t)
        } else {
            let message = format!("expected a formula, found a term of sort {}", pool.show_sort(pool.sort(t)));
            Err(ReadError::new(e.pos(node), message))
        }
    }
}

/// Reads one term from text over the symbols of the pool.
pub fn parse_term(pool: &mut TermPool, text: &str) -> Result<TermId> {
    let mut reader = SExprReader::new(text.as_bytes());
    match reader.next_expr()? {
        Some(e) => Signature::of_pool(pool).read_term(pool, &e, e.root()),
        None => Err(ReadError::new(reader.pos(), "expected a term")),
    }
}

fn symbol(e: &SExpr, node: NodeId) -> Result<&str> {
    e.symbol(node).ok_or_else(|| ReadError::new(e.pos(node), format!("expected a symbol, found {}", e.show(node))))
}
fn list(e: &SExpr, node: NodeId) -> Result<&[NodeId]> {
    e.list(node).ok_or_else(|| ReadError::new(e.pos(node), format!("expected a list, found {}", e.show(node))))
}
fn index(e: &SExpr, node: NodeId) -> Result<u32> {
    match e.node(node) {
        Node::Numeral(digits) => digits.parse().ok(),
        _ => None,
    }
    .ok_or_else(|| ReadError::new(e.pos(node), format!("expected a small numeral, found {}", e.show(node))))
}

/// The constructor of a tester: a symbol, or one with its sort.
fn constructor_name(e: &SExpr, node: NodeId) -> Result<&str> {
    match e.list(node) {
        Some([word, name, _]) if e.is_word(*word, "as") => symbol(e, *name),
        Some([name, ..]) => symbol(e, *name),
        _ => symbol(e, node),
    }
}

fn sort_size(pool: &TermPool, sort: SortId) -> u64 {
    let mut size = 0;
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        size += 1;
        if size > MAX_SORT_SIZE {
            break;
        }
        if let Sort::Array(i, v) = pool.sort_data(sort) {
            stack.extend([*i, *v]);
        }
    }
    size
}

fn substitute_sort(pool: &mut TermPool, sort: SortId, pairs: &FastMap<SortId, SortId>) -> SortId {
    if let Some(&replaced) = pairs.get(&sort) {
        return replaced;
    }
    match *pool.sort_data(sort) {
        Sort::Array(i, v) => {
            let (i, v) = (substitute_sort(pool, i, pairs), substitute_sort(pool, v, pairs));
            pool.array_sort(i, v)
        }
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Uninterpreted(_) => sort,
    }
}

/// The term as one of the given sort, if it is one or can be lifted from Int to Real.
fn coerce(pool: &mut TermPool, t: TermId, sort: SortId) -> Option<TermId> {
    if pool.sort(t) == sort {
        Some(t)
    } else if pool.sort(t) == SortId::INT && sort == SortId::REAL {
        Some(pool.to_real(t))
    } else {
        None
    }
}

fn is_theory_symbol(name: &str) -> bool {
    const OTHERS: [&str; 24] = [
        "true", "false", "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "+", "-", "*", "/", "<", "<=", ">",
        ">=", "div", "mod", "abs", "select", "store", "concat",
    ];
    // Names that SMT-LIB 2.7 added may be defined by older scripts.
    let is_old = |operator| !matches!(operator, BvOperator::Reduced { .. } | BvOperator::Overflow(_));
    OTHERS.contains(&name) || ["to_real", "to_int", "is_int"].contains(&name) || bv_operator(name).is_some_and(is_old)
}

/// How an operator on bit-vectors of one width is made.
enum BvOperator {
    Plain(Op),
    /// The operator with its arguments exchanged.
    Swapped(Op),
    /// The complement of the operator's result.
    Complement(Op),
    /// One bit: are the arguments equal?
    Comp,
    /// One bit: the disjunction, or the conjunction, of all bits.
    Reduced {
        is_or: bool,
    },
    /// Does the exact result not fit? (SMT-LIB 2.7)
    Overflow(Overflow),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overflow {
    Neg,
    Div,
    UnsignedAdd,
    SignedAdd,
    UnsignedSub,
    SignedSub,
    UnsignedMul,
    SignedMul,
}

fn bv_operator(name: &str) -> Option<BvOperator> {
    use BvOperator::{Comp, Complement, Plain, Swapped};
    Some(match name {
        "bvnot" => Plain(Op::BvNot),
        "bvneg" => Plain(Op::BvNeg),
        "bvand" => Plain(Op::BvAnd),
        "bvor" => Plain(Op::BvOr),
        "bvxor" => Plain(Op::BvXor),
        "bvadd" => Plain(Op::BvAdd),
        "bvsub" => Plain(Op::BvSub),
        "bvmul" => Plain(Op::BvMul),
        "bvudiv" => Plain(Op::BvUdiv),
        "bvurem" => Plain(Op::BvUrem),
        "bvsdiv" => Plain(Op::BvSdiv),
        "bvsrem" => Plain(Op::BvSrem),
        "bvsmod" => Plain(Op::BvSmod),
        "bvshl" => Plain(Op::BvShl),
        "bvlshr" => Plain(Op::BvLshr),
        "bvashr" => Plain(Op::BvAshr),
        "bvult" => Plain(Op::BvUlt),
        "bvule" => Plain(Op::BvUle),
        "bvslt" => Plain(Op::BvSlt),
        "bvsle" => Plain(Op::BvSle),
        "bvugt" => Swapped(Op::BvUlt),
        "bvuge" => Swapped(Op::BvUle),
        "bvsgt" => Swapped(Op::BvSlt),
        "bvsge" => Swapped(Op::BvSle),
        "bvnand" => Complement(Op::BvAnd),
        "bvnor" => Complement(Op::BvOr),
        "bvxnor" => Complement(Op::BvXor),
        "bvcomp" => Comp,
        "bvredor" => BvOperator::Reduced { is_or: true },
        "bvredand" => BvOperator::Reduced { is_or: false },
        "bvnego" => BvOperator::Overflow(Overflow::Neg),
        "bvsdivo" => BvOperator::Overflow(Overflow::Div),
        "bvuaddo" => BvOperator::Overflow(Overflow::UnsignedAdd),
        "bvsaddo" => BvOperator::Overflow(Overflow::SignedAdd),
        "bvusubo" => BvOperator::Overflow(Overflow::UnsignedSub),
        "bvssubo" => BvOperator::Overflow(Overflow::SignedSub),
        "bvumulo" => BvOperator::Overflow(Overflow::UnsignedMul),
        "bvsmulo" => BvOperator::Overflow(Overflow::SignedMul),
        _ => return None,
    })
}

/// A variable of a quantifier or a definition; a word if its sort is encoded.
struct Variable {
    name: String,
    term: TermId,
    sort: SortId,
}

enum Step {
    /// Read this term; its value is pushed.
    Term(NodeId),
    /// Apply the head of this list to the last arguments.
    Apply {
        node: NodeId,
        n_args: usize,
    },
    /// The bindings of this `let` are on the stack: bind them, read the body.
    LetBody(NodeId),
    Unbind(Vec<String>),
    /// The body and then all pattern terms are on the stack.
    Quantifier {
        universal: bool,
        vars: Vec<TermId>,
        patterns: Vec<usize>,
    },
    /// Give the name to the term on top of the stack.
    Name(NodeId),
    /// The term of a `match` is on the stack.
    MatchCases(NodeId),
    Bind(Vec<(String, TermId)>),
    /// The results of all cases are on the stack.
    Match {
        node: NodeId,
        tests: Vec<TermId>,
    },
}

struct TermReader<'a> {
    signature: &'a mut Signature,
    pool: &'a mut TermPool,
    e: &'a SExpr,
    locals: FastMap<String, Vec<TermId>>,
    work: Vec<Step>,
    values: Vec<TermId>,
}

impl<'a> TermReader<'a> {
    fn new(signature: &'a mut Signature, pool: &'a mut TermPool, e: &'a SExpr) -> TermReader<'a> {
        TermReader { signature, pool, e, locals: FastMap::default(), work: Vec::new(), values: Vec::new() }
    }
    /// A variable that may be any word, canonical or not.
    fn bind_variable(&mut self, v: &Variable) {
        let t = match self.pool.meaning(v.sort) {
            Some(meaning) => {
                let bits = self.pool.canonical(meaning, v.term);
                self.pool.of_bits(v.sort, bits)
            }
            None => v.term,
        };
        self.bind(&v.name, t);
    }
    /// A parameter of a definition that is expanded: only canonical words take its place.
    fn bind_parameter(&mut self, v: &Variable) {
        let t = if self.pool.meaning(v.sort).is_some() { self.pool.of_bits(v.sort, v.term) } else { v.term };
        self.bind(&v.name, t);
    }
    fn bind(&mut self, name: &str, t: TermId) {
        self.locals.entry(name.to_string()).or_default().push(t);
    }
    fn fail<T>(&self, node: NodeId, message: impl Into<String>) -> Result<T> {
        Err(ReadError::new(self.e.pos(node), message))
    }

    fn read(mut self, node: NodeId) -> Result<TermId> {
        self.work.push(Step::Term(node));
        while let Some(step) = self.work.pop() {
            match step {
                Step::Term(node) => self.term(node)?,
                Step::Apply { node, n_args } => {
                    let args = self.values.split_off(self.values.len() - n_args);
                    let t = self.apply(node, &args)?;
                    self.values.push(t);
                }
                Step::LetBody(node) => self.let_body(node)?,
                Step::Unbind(names) => {
                    for name in names {
                        if let Some(stack) = self.locals.get_mut(&name) {
                            stack.pop();
                        }
                    }
                }
                Step::Quantifier { universal, vars, patterns } => {
                    let n_terms: usize = patterns.iter().sum();
                    let terms = self.values.split_off(self.values.len() - n_terms);
                    let mut terms = terms.into_iter();
                    let mut patterns: Vec<Vec<TermId>> =
                        patterns.iter().map(|&n| terms.by_ref().take(n).collect()).collect();
                    patterns.retain(|p| p.iter().all(|&t| self.pool.meaning(self.pool.sort(t)).is_none()));
                    let body = self.values.pop().unwrap_or(TermId::FALSE);
                    if !self.pool.is_bool(body) {
                        return self.fail(node, "the body of a quantifier must be a formula");
                    }
                    let t =
                        if universal { self.pool.forall(&vars, patterns, body) } else { self.pool.exists(&vars, body) };
                    self.values.push(t);
                }
                Step::Name(node) => self.name(node)?,
                Step::MatchCases(node) => self.match_cases(node)?,
                Step::Bind(pairs) => {
                    for (name, t) in pairs {
                        self.bind(&name, t);
                    }
                }
                Step::Match { node, tests } => self.match_end(node, &tests)?,
            }
        }
        match self.values.pop() {
            Some(t) => Ok(t),
            None => self.fail(node, "expected a term"),
        }
    }

    fn name(&mut self, node: NodeId) -> Result<()> {
        let name = symbol(self.e, node)?;
        let Some(&t) = self.values.last() else { return self.fail(node, "nothing to name") };
        if self.locals.values().flatten().any(|&v| self.pool.as_symbol(v).is_some_and(|f| self.pool.fun(f).bound)) {
            return self.fail(node, "a named term must not stand under a quantifier");
        }
        match self.signature.define_constant(self.pool, name, t) {
            Ok(()) => {
                self.signature.named.push((name.to_string(), t));
                Ok(())
            }
            Err(message) => self.fail(node, message),
        }
    }

    fn term(&mut self, node: NodeId) -> Result<()> {
        let e = self.e;
        let t = match e.node(node) {
            Node::Numeral(digits) | Node::Decimal(digits) => {
                let Ok(value) = digits.parse::<Rational>() else { return self.fail(node, "bad number") };
                let sort = if matches!(e.node(node), Node::Numeral(_)) { SortId::INT } else { SortId::REAL };
                self.pool.num(value, sort)
            }
            Node::Hex(digits) => self.bits(node, digits, 16, 4)?,
            Node::Binary(digits) => self.bits(node, digits, 2, 1)?,
            Node::Symbol(name) | Node::Quoted(name) => {
                if let Some(&t) = self.locals.get(name).and_then(|stack| stack.last()) {
                    t
                } else {
                    self.apply_symbol(node, name, &[])?
                }
            }
            Node::Str(_) => return self.fail(node, "strings are not supported"),
            Node::Keyword(name) => return self.fail(node, format!("unexpected keyword :{name}")),
            Node::List(items) => return self.list_term(node, items),
        };
        self.values.push(t);
        Ok(())
    }

    fn bits(&mut self, node: NodeId, digits: &str, radix: u32, bits_per_digit: u32) -> Result<TermId> {
        let width = u32::try_from(digits.len()).ok().and_then(|n| n.checked_mul(bits_per_digit));
        match (width, BigInt::from_str_radix(digits, radix)) {
            (Some(width), Ok(value)) if width <= MAX_WIDTH => Ok(self.pool.bv_num(value, width)),
            _ => self.fail(node, format!("bit-vectors have a width from 1 to {MAX_WIDTH}")),
        }
    }

    fn list_term(&mut self, node: NodeId, items: &'a [NodeId]) -> Result<()> {
        let e = self.e;
        let Some((&head, rest)) = items.split_first() else { return self.fail(node, "expected a term, found ()") };
        let Node::Symbol(word) = e.node(head) else {
            return self.plan_application(node, rest);
        };
        match (word.as_str(), rest) {
            ("let", &[bindings, _]) => {
                let bindings = list(e, bindings)?;
                self.work.push(Step::LetBody(node));
                for &pair in bindings.iter().rev() {
                    let [name, value] = *list(e, pair)? else { return self.fail(pair, "expected (name term)") };
                    symbol(e, name)?;
                    self.work.push(Step::Term(value));
                }
                Ok(())
            }
            ("forall" | "exists", &[vars, body]) => self.quantifier(word == "forall", vars, body),
            ("!", [inner, attributes @ ..]) => {
                for pair in attributes.chunks(2).rev() {
                    match (e.keyword(pair[0]), pair.get(1)) {
                        (Some("named"), Some(&name)) => self.work.push(Step::Name(name)),
                        (Some("named"), None) => return self.fail(pair[0], "expected a name after :named"),
                        (Some(_), _) => {}
                        (None, _) => return self.fail(pair[0], "expected an attribute such as :named"),
                    }
                }
                self.work.push(Step::Term(*inner));
                Ok(())
            }
            ("_" | "as", _) => {
                let t = self.apply(node, &[])?;
                self.values.push(t);
                Ok(())
            }
            ("let" | "forall" | "exists" | "!", _) => self.fail(node, format!("ill-formed {word}")),
            ("match", &[scrutinee, _]) => {
                self.work.push(Step::MatchCases(node));
                self.work.push(Step::Term(scrutinee));
                Ok(())
            }
            ("match", _) => self.fail(node, "ill-formed match"),
            _ => self.plan_application(node, rest),
        }
    }

    fn plan_application(&mut self, node: NodeId, args: &[NodeId]) -> Result<()> {
        if args.is_empty() {
            return self.fail(node, "an application needs arguments; write constants without parentheses");
        }
        self.work.push(Step::Apply { node, n_args: args.len() });
        self.work.extend(args.iter().rev().map(|&a| Step::Term(a)));
        Ok(())
    }

    fn let_body(&mut self, node: NodeId) -> Result<()> {
        let e = self.e;
        let Some(&[_, bindings, body]) = e.list(node).and_then(|l| <&[NodeId; 3]>::try_from(l).ok()) else {
            return self.fail(node, "ill-formed let");
        };
        let mut names: Vec<String> = Vec::new();
        let mut seen = FastSet::default();
        for &pair in list(e, bindings)? {
            let name = symbol(e, list(e, pair)?[0])?;
            if !seen.insert(name) {
                return self.fail(pair, format!("{name} is bound twice"));
            }
            names.push(name.to_string());
        }
        let values = self.values.split_off(self.values.len() - names.len());
        for (name, t) in names.iter().zip(values) {
            self.bind(name, t);
        }
        self.work.push(Step::Unbind(names));
        self.work.push(Step::Term(body));
        Ok(())
    }

    fn quantifier(&mut self, universal: bool, vars: NodeId, body: NodeId) -> Result<()> {
        let e = self.e;
        let vars = self.signature.read_sorted_vars(self.pool, e, vars)?;
        let names: Vec<String> = vars.iter().map(|v| v.name.clone()).collect();
        for v in &vars {
            self.bind_variable(v);
        }
        let vars = vars.into_iter().map(|v| v.term).collect();
        // The patterns are attributes of the body.
        let mut inner = body;
        let mut pattern_terms: Vec<NodeId> = Vec::new();
        let mut patterns = Vec::new();
        if let Some(items) = e.list(body)
            && let [bang, annotated, attributes @ ..] = items
            && e.is_word(*bang, "!")
            && !attributes.chunks(2).any(|a| e.keyword(a[0]) == Some("named"))
        {
            inner = *annotated;
            for pair in attributes.chunks(2) {
                if let (Some("pattern"), Some(&terms)) = (e.keyword(pair[0]), pair.get(1)) {
                    let terms = list(e, terms)?;
                    patterns.push(terms.len());
                    pattern_terms.extend_from_slice(terms);
                }
            }
        }
        self.work.push(Step::Unbind(names));
        self.work.push(Step::Quantifier { universal, vars, patterns });
        self.work.extend(pattern_terms.into_iter().rev().map(Step::Term));
        self.work.push(Step::Term(inner));
        Ok(())
    }

    /// Applies the head of a list (or an indexed or qualified identifier by itself).
    fn apply(&mut self, node: NodeId, args: &[TermId]) -> Result<TermId> {
        let e = self.e;
        let items = list(e, node)?;
        let head = if e.is_word(items[0], "_") || e.is_word(items[0], "as") { node } else { items[0] };
        match e.node(head) {
            Node::Symbol(name) | Node::Quoted(name) => {
                if self.locals.get(name).is_some_and(|stack| !stack.is_empty()) {
                    return self.fail(head, format!("{name} is a variable, not a function"));
                }
                self.apply_symbol(node, name, args)
            }
            Node::List(parts) if !parts.is_empty() && e.is_word(parts[0], "_") => self.apply_indexed(head, parts, args),
            Node::List(parts) if !parts.is_empty() && e.is_word(parts[0], "as") => {
                let [_, name, sort] = parts[..] else { return self.fail(head, "expected (as symbol sort)") };
                let sort = self.signature.read_sort(self.pool, e, sort)?;
                if e.symbol(name) == Some("const")
                    && let Some((_, element)) = self.pool.array_parts(sort)
                {
                    let &[value] = args else { return self.fail(node, "a constant array takes one value") };
                    let Some(value) = coerce(self.pool, value, element) else {
                        return self.fail(node, "the value does not have the element sort of the array");
                    };
                    return Ok(self.pool.const_array(sort, value));
                }
                let name_text = symbol(e, name)?;
                if let Some(FunSymbol::Constructor(template)) = self.signature.funs.get(name_text).cloned() {
                    return self.construct(node, name_text, &template, args, Some(sort));
                }
                let t = match self.locals.get(name_text).and_then(|s| s.last()) {
                    Some(&t) if args.is_empty() => t,
                    _ => self.apply_symbol(name, name_text, args)?,
                };
                match coerce(self.pool, t, sort) {
                    Some(t) => Ok(t),
                    None => self.fail(head, "this term does not have the sort stated"),
                }
            }
            _ => self.fail(head, format!("{} is not a function", e.show(head))),
        }
    }

    fn apply_indexed(&mut self, head: NodeId, parts: &[NodeId], args: &[TermId]) -> Result<TermId> {
        let e = self.e;
        let [_, name, indices @ ..] = parts else { return self.fail(head, "expected (_ symbol index …)") };
        let name = symbol(e, *name)?;
        if let (Some(digits), [width], []) = (name.strip_prefix("bv"), indices, args)
            && let Ok(value) = digits.parse::<Rational>()
            && let Some(value) = value.to_bigint()
        {
            let width = index(e, *width)?;
            if width == 0 || width > MAX_WIDTH {
                return self.fail(head, format!("bit-vectors have a width from 1 to {MAX_WIDTH}"));
            }
            return Ok(self.pool.bv_num(value, width));
        }
        if let ("divisible", [n], &[t]) = (name, indices, args) {
            let divisor = match e.node(*n) {
                Node::Numeral(digits) => digits.parse::<Rational>().ok().filter(Rational::is_positive),
                _ => None,
            };
            let Some(divisor) = divisor else { return self.fail(*n, "expected a positive numeral") };
            if self.pool.sort(t) != SortId::INT {
                return self.fail(head, "divisible takes an Int");
            }
            let divisor = self.pool.int_num(divisor);
            let zero = self.pool.int(0);
            let rest = self.pool.modulo(t, divisor);
            return Ok(self.pool.eq(rest, zero));
        }
        if let ("is", [constructor], &[t]) = (name, indices, args) {
            return self.test(head, constructor_name(e, *constructor)?, t);
        }
        if let ("update" | "update-field", [selector]) = (name, indices) {
            return self.update_field(head, symbol(e, *selector)?, args);
        }
        let indices: Vec<u32> = indices.iter().map(|&i| index(e, i)).collect::<Result<_>>()?;
        if let ("int2bv" | "nat2bv" | "int_to_bv", &[width], &[t]) = (name, &indices[..], args) {
            if width == 0 || width > MAX_WIDTH || self.pool.sort(t) != SortId::INT {
                return self.fail(head, "expected an Int and a width");
            }
            return Ok(self.pool.bv(Op::IntToBv(width), &[t]));
        }
        if let Some(t) = self.float_indexed(head, name, &indices, args)? {
            return Ok(t);
        }
        let &[t] = args else { return self.fail(head, format!("unknown function {}", e.show(head))) };
        let Some(width) = self.pool.bitvec_width(self.pool.sort(t)) else {
            return self.fail(head, format!("unknown function {} of a {}", e.show(head), self.sort_text(t)));
        };
        let fits = |extra: u64| u64::from(width) + extra <= u64::from(MAX_WIDTH);
        match (name, &indices[..]) {
            ("extract", &[hi, lo]) if lo <= hi && hi < width => Ok(self.pool.bv(Op::BvExtract(hi, lo), &[t])),
            ("extract", _) => self.fail(head, format!("these bits do not exist in {width} bits")),
            ("zero_extend", &[n]) if fits(u64::from(n)) => Ok(self.pool.bv(Op::BvZeroExt(n), &[t])),
            ("sign_extend", &[n]) if fits(u64::from(n)) => Ok(self.pool.bv(Op::BvSignExt(n), &[t])),
            ("repeat", &[n]) if n >= 1 && fits(u64::from(width) * u64::from(n - 1)) => {
                let mut result = t;
                for _ in 1..n {
                    result = self.pool.bv(Op::BvConcat, &[result, t]);
                }
                Ok(result)
            }
            ("rotate_left", &[n]) => Ok(self.rotate_left(t, n % width, width)),
            ("rotate_right", &[n]) => Ok(self.rotate_left(t, (width - n % width) % width, width)),
            ("zero_extend" | "sign_extend" | "repeat", _) => self.fail(head, "the result is too wide"),
            _ => self.fail(head, format!("unknown function {}", e.show(head))),
        }
    }

    fn rotate_left(&mut self, t: TermId, n: u32, width: u32) -> TermId {
        if n == 0 {
            return t;
        }
        let low = self.pool.bv(Op::BvExtract(width - n - 1, 0), &[t]);
        let high = self.pool.bv(Op::BvExtract(width - 1, width - n), &[t]);
        self.pool.bv(Op::BvConcat, &[low, high])
    }

    fn sort_text(&self, t: TermId) -> String {
        self.pool.show_sort(self.pool.sort(t))
    }

    fn apply_symbol(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        match self.signature.funs.get(name).cloned() {
            Some(FunSymbol::Declared(f)) => {
                let sorts = self.pool.fun(f).args.clone();
                let args = self.arguments(node, name, &sorts, args)?;
                Ok(self.pool.app(f, &args))
            }
            Some(FunSymbol::Encoded(f)) => {
                let (sorts, result) = self.signature.rank(self.pool, f);
                let args = self.arguments(node, name, &sorts, args)?;
                let words: Vec<TermId> = args.iter().map(|&t| self.pool.to_bits(t)).collect();
                let t = self.pool.app(f, &words);
                Ok(match self.pool.meaning(result) {
                    Some(meaning) => {
                        let bits = self.pool.canonical(meaning, t);
                        self.pool.of_bits(result, bits)
                    }
                    None => t,
                })
            }
            Some(FunSymbol::Defined { params, sorts, body, has_quantifier }) => {
                let args = self.arguments(node, name, &sorts, args)?;
                let args: Vec<TermId> = args.iter().map(|&t| self.pool.to_bits(t)).collect();
                if params.is_empty() {
                    return Ok(body);
                }
                let body = if has_quantifier { self.pool.freshen_binders(body) } else { body };
                let mut substitution = Substitution::from_pairs(params.into_iter().zip(args));
                Ok(substitution.apply(self.pool, body))
            }
            Some(FunSymbol::Constructor(template)) => self.construct(node, name, &template, args, None),
            Some(FunSymbol::Selector) => self.select_field(node, name, args),
            None => match (name.strip_prefix("is-"), args) {
                (Some(constructor), &[t]) if self.pool.datatype(self.pool.sort(t)).is_some() => {
                    self.test(node, constructor, t)
                }
                _ => self.builtin(node, name, args),
            },
        }
    }

    fn arguments(&mut self, node: NodeId, name: &str, sorts: &[SortId], args: &[TermId]) -> Result<Vec<TermId>> {
        if sorts.len() != args.len() {
            return self.fail(node, format!("{name} takes {} arguments, not {}", sorts.len(), args.len()));
        }
        let mut coerced = Vec::with_capacity(args.len());
        for (i, (&sort, &arg)) in sorts.iter().zip(args).enumerate() {
            match coerce(self.pool, arg, sort) {
                Some(t) => coerced.push(t),
                None => {
                    let (want, have) = (self.pool.show_sort(sort), self.sort_text(arg));
                    return self.fail(node, format!("argument {} of {name} must have sort {want}, not {have}", i + 1));
                }
            }
        }
        Ok(coerced)
    }

    /// Arguments of one arithmetic sort: all Int, or all Real after coercion.
    fn numbers(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<Vec<TermId>> {
        if args.iter().any(|&t| !self.pool.sort(t).is_arith()) {
            return self.fail(node, format!("{name} takes numbers"));
        }
        Ok(self.unified(args).unwrap_or_else(|| args.to_vec()))
    }
    /// Arguments of one sort, Ints lifted to Real where they meet one.
    fn unified(&mut self, args: &[TermId]) -> Option<Vec<TermId>> {
        let first = self.pool.sort(*args.first()?);
        let sort = if args.iter().any(|&t| self.pool.sort(t) == SortId::REAL) { SortId::REAL } else { first };
        args.iter().map(|&t| coerce(self.pool, t, sort)).collect()
    }
    fn formulas(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<()> {
        match args.iter().find(|&&t| !self.pool.is_bool(t)) {
            None => Ok(()),
            Some(&t) => self.fail(node, format!("{name} takes formulas, not a {}", self.sort_text(t))),
        }
    }
    fn ints(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<()> {
        match args.iter().find(|&&t| self.pool.sort(t) != SortId::INT) {
            None => Ok(()),
            Some(&t) => self.fail(node, format!("{name} takes an Int, not a {}", self.sort_text(t))),
        }
    }

    fn builtin(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        let wrong_number = |reader: &Self| reader.fail(node, format!("wrong number of arguments of {name}"));
        match name {
            "true" | "false" => {
                if !args.is_empty() {
                    return wrong_number(self);
                }
                Ok(self.pool.bool(name == "true"))
            }
            "not" => {
                self.formulas(node, name, args)?;
                match *args {
                    [t] => Ok(self.pool.not(t)),
                    _ => wrong_number(self),
                }
            }
            "and" | "or" | "xor" | "=>" => {
                self.formulas(node, name, args)?;
                let Some((&last, init)) = args.split_last() else { return wrong_number(self) };
                match name {
                    "and" => Ok(self.pool.and(args)),
                    "or" => Ok(self.pool.or(args)),
                    "xor" => {
                        let mut result = args[0];
                        for &t in &args[1..] {
                            result = self.pool.xor(result, t);
                        }
                        Ok(result)
                    }
                    _ => {
                        let mut clause: Vec<TermId> = init.iter().map(|&t| self.pool.not(t)).collect();
                        clause.push(last);
                        Ok(self.pool.or(&clause))
                    }
                }
            }
            "=" | "distinct" => {
                if args.len() < 2 {
                    return wrong_number(self);
                }
                let Some(args) = self.unified(args) else {
                    let other = args.iter().find(|&&t| self.pool.sort(t) != self.pool.sort(args[0])).copied();
                    let (a, b) = (self.sort_text(args[0]), self.sort_text(other.unwrap_or(args[0])));
                    return self.fail(node, format!("{name} of different sorts, {a} and {b}"));
                };
                let args: Vec<TermId> = args.iter().map(|&t| self.pool.to_bits(t)).collect();
                if name == "distinct" {
                    return Ok(self.pool.distinct(&args));
                }
                let links: Vec<TermId> = args.windows(2).map(|w| self.pool.eq(w[0], w[1])).collect();
                Ok(self.pool.and(&links))
            }
            "ite" => {
                let &[c, a, b] = args else { return wrong_number(self) };
                self.formulas(node, "the condition of ite", &[c])?;
                match self.unified(&[a, b]).as_deref() {
                    Some(&[a, b]) => Ok(self.conditional(c, a, b)),
                    _ => self.fail(
                        node,
                        format!("the branches of ite have sorts {} and {}", self.sort_text(a), self.sort_text(b)),
                    ),
                }
            }
            "+" | "-" | "*" | "/" | "<" | "<=" | ">" | ">=" | "div" | "mod" | "abs" | "to_real" | "to_int"
            | "is_int" | "^" | "pow" => self.arithmetic(node, name, args),
            "select" | "store" | "@diff" => self.array(node, name, args),
            _ if floats::is_symbol(name) => self.float_builtin(node, name, args),
            _ => self.bit_vector(node, name, args),
        }
    }

    /// One of two terms of one sort.
    fn conditional(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let sort = self.pool.sort(a);
        let (a, b) = (self.pool.to_bits(a), self.pool.to_bits(b));
        let t = self.pool.ite(c, a, b);
        if self.pool.meaning(sort).is_some() { self.pool.of_bits(sort, t) } else { t }
    }

    fn arithmetic(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        let args = self.numbers(node, name, args)?;
        let wrong_number = |reader: &Self| reader.fail(node, format!("wrong number of arguments of {name}"));
        match (name, args.as_slice()) {
            (_, []) => wrong_number(self),
            ("+", args) => Ok(self.pool.add(args)),
            ("*", args) => Ok(self.pool.mul(args)),
            ("-", &[t]) => Ok(self.pool.neg(t)),
            ("-", &[first, ref rest @ ..]) => {
                let sum = self.pool.add(rest);
                Ok(self.pool.sub(first, sum))
            }
            ("/", args) if args.len() >= 2 => {
                let mut result = self.pool.to_real(args[0]);
                for &t in &args[1..] {
                    let t = self.pool.to_real(t);
                    result = self.pool.real_div(result, t);
                }
                Ok(result)
            }
            ("div" | "mod", args) if args.len() == 2 || (name == "div" && args.len() > 2) => {
                self.ints(node, name, args)?;
                let mut result = args[0];
                for &t in &args[1..] {
                    result = if name == "div" { self.pool.int_div(result, t) } else { self.pool.modulo(result, t) };
                }
                Ok(result)
            }
            ("<" | "<=" | ">" | ">=", args) if args.len() >= 2 => {
                let mut links = Vec::with_capacity(args.len() - 1);
                for w in args.windows(2) {
                    links.push(match name {
                        "<" => self.pool.lt(w[0], w[1]),
                        "<=" => self.pool.le(w[0], w[1]),
                        ">" => self.pool.gt(w[0], w[1]),
                        _ => self.pool.ge(w[0], w[1]),
                    });
                }
                Ok(self.pool.and(&links))
            }
            ("^" | "pow", &[base, exponent]) => self.power(node, base, exponent),
            ("abs", &[t]) => Ok(self.pool.abs(t)),
            ("to_real", &[t]) => Ok(self.pool.to_real(t)),
            ("to_int" | "is_int", &[t]) => {
                let t = self.pool.to_real(t);
                Ok(if name == "to_int" { self.pool.to_int(t) } else { self.pool.is_int(t) })
            }
            _ => wrong_number(self),
        }
    }

    /// A power with a constant exponent, as z3 (`^`) and pySMT (`pow`) write it.
    fn power(&mut self, node: NodeId, base: TermId, exponent: TermId) -> Result<TermId> {
        let exponent = self.pool.number(exponent).and_then(Rational::to_bigint).and_then(|n| u32::try_from(n).ok());
        match exponent {
            Some(0) => {
                let sort = self.pool.sort(base);
                Ok(self.pool.num(Rational::ONE, sort))
            }
            Some(n) if n <= MAX_EXPONENT => Ok(self.pool.mul(&vec![base; n as usize])),
            _ => self.fail(node, format!("exponents are numerals from 0 to {MAX_EXPONENT}")),
        }
    }

    fn array(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        let Some(&array) = args.first() else { return self.fail(node, format!("{name} takes an array")) };
        let Some((index, element)) = self.pool.array_parts(self.pool.sort(array)) else {
            return self.fail(node, format!("{name} takes an array, not a {}", self.sort_text(array)));
        };
        let sort = self.pool.sort(array);
        let sorts: &[SortId] = match name {
            "select" => &[sort, index],
            "store" => &[sort, index, element],
            _ => &[sort, sort],
        };
        let args = self.arguments(node, name, sorts, args)?;
        Ok(match name {
            "select" if self.signature.keeps_reads => self.pool.select_plain(args[0], args[1]),
            "select" => self.pool.select(args[0], args[1]),
            "store" => self.pool.store(args[0], args[1], args[2]),
            _ => self.pool.array_diff(args[0], args[1]),
        })
    }

    fn bit_vector(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        let operator = bv_operator(name);
        if operator.is_none() && !["concat", "bv2nat", "ubv_to_int", "sbv_to_int"].contains(&name) {
            if let Some(theory) = foreign_theory(name) {
                return self.fail(node, format!("{name}: {theory} not supported"));
            }
            let what = if args.is_empty() { "symbol" } else { "function" };
            return self.fail(node, format!("unknown {what} {name}"));
        }
        let mut widths = Vec::with_capacity(args.len());
        for &t in args {
            match self.pool.bitvec_width(self.pool.sort(t)) {
                Some(width) => widths.push(width),
                None => return self.fail(node, format!("{name} takes bit-vectors, not a {}", self.sort_text(t))),
            }
        }
        let Some(operator) = operator else {
            return match (name, args) {
                ("bv2nat" | "ubv_to_int", &[t]) => Ok(self.pool.bv(Op::BvToNat, &[t])),
                ("sbv_to_int", &[t]) => {
                    let unsigned = self.pool.bv(Op::BvToNat, &[t]);
                    let zero = self.pool.bv_num(BigInt::ZERO, widths[0]);
                    let negative = self.pool.bv(Op::BvSlt, &[t, zero]);
                    let modulus = self.pool.int_num(Rational::pow2(widths[0]));
                    let wrapped = self.pool.sub(unsigned, modulus);
                    Ok(self.pool.ite(negative, wrapped, unsigned))
                }
                ("concat", [first, rest @ ..]) if !rest.is_empty() => {
                    if widths.iter().map(|&w| u64::from(w)).sum::<u64>() > u64::from(MAX_WIDTH) {
                        return self.fail(node, "the result is too wide");
                    }
                    let mut result = *first;
                    for &t in rest {
                        result = self.pool.bv(Op::BvConcat, &[result, t]);
                    }
                    Ok(result)
                }
                _ => self.fail(node, format!("wrong number of arguments of {name}")),
            };
        };
        if widths.windows(2).any(|w| w[0] != w[1]) {
            return self.fail(node, format!("{name} of bit-vectors of different widths"));
        }
        match (operator, args) {
            (BvOperator::Plain(op @ (Op::BvNot | Op::BvNeg)), &[t]) => Ok(self.pool.bv(op, &[t])),
            (BvOperator::Plain(Op::BvNot | Op::BvNeg), _) => self.fail(node, format!("{name} takes one argument")),
            (BvOperator::Plain(op), &[a, b]) => Ok(self.pool.bv(op, &[a, b])),
            (
                BvOperator::Plain(op @ (Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul)),
                [first, rest @ ..],
            ) if !rest.is_empty() => {
                let mut result = *first;
                for &t in rest {
                    result = self.pool.bv(op, &[result, t]);
                }
                Ok(result)
            }
            (BvOperator::Swapped(op), &[a, b]) => Ok(self.pool.bv(op, &[b, a])),
            (BvOperator::Complement(op), &[a, b]) => {
                let t = self.pool.bv(op, &[a, b]);
                Ok(self.pool.bv(Op::BvNot, &[t]))
            }
            (BvOperator::Comp, &[a, b]) => {
                let same = self.pool.eq(a, b);
                let one = self.pool.bv_num(BigInt::ONE, 1);
                let zero = self.pool.bv_num(BigInt::ZERO, 1);
                Ok(self.pool.ite(same, one, zero))
            }
            (BvOperator::Reduced { is_or }, &[t]) => {
                let extreme = self.extreme(widths[0], !is_or);
                let same = self.pool.eq(t, extreme);
                let one = self.pool.bv_num(BigInt::ONE, 1);
                let zero = self.pool.bv_num(BigInt::ZERO, 1);
                Ok(if is_or { self.pool.ite(same, zero, one) } else { self.pool.ite(same, one, zero) })
            }
            (BvOperator::Overflow(Overflow::Neg), &[t]) => {
                let least = self.least(widths[0]);
                Ok(self.pool.eq(t, least))
            }
            (BvOperator::Overflow(kind), &[a, b]) if kind != Overflow::Neg => Ok(self.overflow(kind, a, b, widths[0])),
            _ => self.fail(node, format!("wrong number of arguments of {name}")),
        }
    }

    /// The word of ones, or of zeros.
    fn extreme(&mut self, width: u32, ones: bool) -> TermId {
        let zero = self.pool.bv_num(BigInt::ZERO, width);
        if ones { self.pool.bv(Op::BvNot, &[zero]) } else { zero }
    }
    /// The least signed word.
    fn least(&mut self, width: u32) -> TermId {
        self.pool.bv_num(BigInt::ONE << (width as usize - 1), width)
    }
    /// Is the exact result of an operation outside of the words of this width?
    fn overflow(&mut self, kind: Overflow, a: TermId, b: TermId, width: u32) -> TermId {
        // Computed with enough bits, the result differs from its own lower half, extended again.
        let (op, extra, signed) = match kind {
            Overflow::Neg | Overflow::Div => {
                let (least, minus_one) = (self.least(width), self.extreme(width, true));
                let (x, y) = (self.pool.eq(a, least), self.pool.eq(b, minus_one));
                return self.pool.and2(x, y);
            }
            Overflow::UnsignedSub => return self.pool.bv(Op::BvUlt, &[a, b]),
            Overflow::UnsignedAdd => (Op::BvAdd, 1, false),
            Overflow::SignedAdd => (Op::BvAdd, 1, true),
            Overflow::SignedSub => (Op::BvSub, 1, true),
            Overflow::UnsignedMul => (Op::BvMul, width, false),
            Overflow::SignedMul => (Op::BvMul, width, true),
        };
        let extend = if signed { Op::BvSignExt(extra) } else { Op::BvZeroExt(extra) };
        let (a, b) = (self.pool.bv(extend, &[a]), self.pool.bv(extend, &[b]));
        let exact = self.pool.bv(op, &[a, b]);
        let kept = self.pool.bv(Op::BvExtract(width - 1, 0), &[exact]);
        let kept = self.pool.bv(extend, &[kept]);
        let fits = self.pool.eq(exact, kept);
        self.pool.not(fits)
    }
}

/// The theory of a symbol that is not supported, for messages.
fn foreign_theory(name: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    (["String", "RegLan"].contains(&name) || starts(&["str.", "re.", "seq."])).then_some("strings are")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> TermPool {
        let mut pool = TermPool::new();
        for name in ["x", "y", "a b"] {
            pool.constant(name, SortId::INT);
        }
        pool.constant("r", SortId::REAL);
        pool.constant("p", SortId::BOOL);
        let bv = pool.bitvec_sort(8);
        pool.constant("v", bv);
        let array = pool.array_sort(SortId::INT, SortId::REAL);
        pool.constant("m", array);
        pool.declare_fun("f", &[SortId::INT], SortId::INT);
        pool
    }

    #[test]
    fn different_texts_of_one_term() {
        let mut pool = pool();
        for (a, b) in [
            ("(<= x y 5)", "(and (<= x y) (<= y 5))"),
            ("(let ((x y) (y x)) (< x y))", "(< y x)"),
            ("(=> p p false)", "(not p)"),
            ("(- x y 1)", "(+ x (* (- 1) y) (- 1))"),
            ("(= r x)", "(= r (to_real x))"),
            ("(/ 1 4)", "0.25"),
            ("((_ divisible 3) x)", "(= (mod x 3) 0)"),
            ("(bvugt v #x0f)", "(bvult (_ bv15 8) v)"),
            ("((_ rotate_left 3) v)", "(concat ((_ extract 4 0) v) ((_ extract 7 5) v))"),
            ("((_ rotate_right 11) v)", "((_ rotate_left 5) v)"),
            ("((_ repeat 2) #b10)", "#xa"),
            ("(select (store m 1 2) 1)", "2.0"),
            ("(select ((as const (Array Int Real)) 7) x)", "7.0"),
            ("(! (f x) :foo (bar) :named n)", "(f x)"),
            ("(distinct x |a b|)", "(not (= |a b| x))"),
            ("(sbv_to_int #xff)", "(- 1)"),
            ("(bvcomp v v)", "#b1"),
            ("(^ r 3)", "(* r r r)"),
            ("(+ 1 (pow x 2) (pow x 0))", "(+ (* x x) 2)"),
            ("|true|", "true"),
        ] {
            let (left, right) = (parse_term(&mut pool, a), parse_term(&mut pool, b));
            assert!(left.is_ok(), "{a}: {left:?}");
            assert_eq!(left, right, "{a}");
        }
    }

    #[test]
    fn errors_say_where() {
        let mut pool = pool();
        for (text, message) in [
            ("(+ x\n  p)", "1:1: + takes numbers"),
            ("(and p\n (f z))", "2:5: unknown symbol z"),
            ("(f x y)", "1:1: f takes 1 arguments, not 2"),
            ("(f p)", "1:1: argument 1 of f must have sort Int, not Bool"),
            ("((_ extract 8 0) v)", "1:2: these bits do not exist in 8 bits"),
            ("(let ((x 1) (x 2)) x)", "1:13: x is bound twice"),
            ("(exists ((z Foo)) true)", "1:13: unknown sort Foo"),
            ("(concat v)", "1:1: wrong number of arguments of concat"),
            ("()", "1:1: expected a term, found ()"),
            ("(x 1)", "1:1: x takes 0 arguments, not 1"),
            ("(_ bv1 0)", "1:1: bit-vectors have a width from 1 to 65536"),
            ("(^ x y)", "1:1: exponents are numerals from 0 to 100"),
            ("(ite p x m)", "1:1: the branches of ite have sorts Int and (Array Int Real)"),
        ] {
            assert_eq!(parse_term(&mut pool, text).unwrap_err().to_string(), message, "{text}");
        }
    }

    fn read(signature: &mut Signature, pool: &mut TermPool, text: &str) -> Result<TermId> {
        let e = SExprReader::new(text.as_bytes()).next_expr()?.unwrap();
        signature.read_term(pool, &e, e.root())
    }

    fn define(signature: &mut Signature, pool: &mut TermPool, text: &str) -> Result<()> {
        let e = SExprReader::new(text.as_bytes()).next_expr()?.unwrap();
        match *e.list(e.root()).unwrap() {
            [name, params, sort, body] => signature.read_define_fun(pool, &e, name, params, sort, body),
            [name, params, body] => signature.read_define_sort(pool, &e, name, params, body),
            _ => unreachable!(),
        }
    }

    #[test]
    fn definitions_expand_and_scopes_forget() {
        let mut pool = pool();
        let mut signature = Signature::of_pool(&pool);
        signature.push();
        define(&mut signature, &mut pool, "(Map (T) (Array Int T))").unwrap();
        define(&mut signature, &mut pool, "(get ((a (Map Real)) (i Int)) Real (select a i))").unwrap();
        let t = read(&mut signature, &mut pool, "(get m (+ x 1))").unwrap();
        assert_eq!(pool.smtlib(t), "(select m (+ x 1))");
        define(&mut signature, &mut pool, "(all ((b Int)) Bool (forall ((z Int)) (< (f z) b)))").unwrap();
        let t = read(&mut signature, &mut pool, "(all (ite (all x) 1 2))").unwrap();
        assert_eq!(pool.smtlib(t), "(forall ((z Int)) (> (ite (forall ((z!1 Int)) (> x (f z!1))) 1 2) (f z)))");
        assert!(signature.pop());
        assert!(read(&mut signature, &mut pool, "(get m x)").is_err());
        assert!(!signature.pop());
    }

    #[test]
    fn names_are_recorded() {
        let mut pool = pool();
        let mut signature = Signature::of_pool(&pool);
        let t = read(&mut signature, &mut pool, "(and (! p :named N) (< x y))").unwrap();
        let named = signature.take_named();
        assert_eq!(named.len(), 1);
        assert_eq!(read(&mut signature, &mut pool, "(and N (< x y))").unwrap(), t);
        assert!(read(&mut signature, &mut pool, "(exists ((q Bool)) (! q :named M))").is_err());
    }

    #[test]
    fn depth_and_growth_are_no_problem() {
        let mut pool = pool();
        let n = 100_000;
        let deep = format!("{}x{}", "(f ".repeat(n), ")".repeat(n));
        let t = parse_term(&mut pool, &deep).unwrap();
        assert_eq!(pool.smtlib(t), deep);
        let mut signature = Signature::of_pool(&pool);
        define(&mut signature, &mut pool, "(S0 () Int)").unwrap();
        let grown = (1..50).map(|i| format!("(S{i} () (Array S{0} S{0}))", i - 1));
        let results: Vec<_> = grown.map(|text| define(&mut signature, &mut pool, &text)).collect();
        assert!(results.iter().any(|r| r.is_err()));
    }
}
