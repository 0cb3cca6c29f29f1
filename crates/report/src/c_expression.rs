//! Formulas over lowered variables as C expressions.
//!
//! Formulas speak about mathematical integers, C about machine integers. The text must mean the same
//! when a C compiler reads it, so every comparison is printed at the narrowest type in which none
//! of its intermediate values can leave the range, judged by the ranges of the variables' types: `int`,
//! `long long`, or `__int128` where the machine has it. Terms with negative coefficients move to the other
//! side, so there is never a subtraction below zero in an unsigned type. Division and remainder of the logic
//! are Euclidean; where the dividend may be negative C's truncation is corrected.
//!
//! What C cannot say at a place (bookkeeping of the front end, variables out of scope or shadowed, memory
//! arrays, quantifiers) is replaced by *true* where it stands positively. So the text is implied by the formula, never
//! stronger; [`CExpression::n_dropped`] says how much is missing. Elements of arrays are printed
//! under the condition that the index lies inside, for an evaluation outside would be undefined.
//!
//! Recursion is bounded: beyond [`MAX_NODES`] nodes or [`MAX_DEPTH`] levels a part counts as one that cannot be said.
//! So is the text: the correction of a division mentions the dividend twice, so the text of `n` divisions inside each
//! other has 2^n copies of the innermost one.

use base::Span;
use ir::source::{SourcePlace, SourceTable, SourceType};
use logic::{FastMap, Linear, Op, Rational, Sort, SortId, TermId, TermPool, Value};

/// The most nodes of an expression, counted as a tree.
const MAX_NODES: usize = 3_000;
const MAX_DEPTH: usize = 120;
/// The most bytes of the text of an integer expression, and of a whole formula.
const MAX_INTEGER_TEXT: usize = 4_000;
const MAX_TEXT: usize = 40_000;

/// An expression that a formula implies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CExpression {
    /// `1` if nothing is left.
    pub text: String,
    /// How many parts of the formula cannot be said here.
    pub n_dropped: usize,
}

impl CExpression {
    pub fn is_trivial(&self) -> bool {
        self.text == "1"
    }
}

/// What a constant of the formula is called.
#[derive(Clone, Debug)]
pub enum Named<'a> {
    Scalar { text: String, ty: &'a SourceType },
    Array(&'a SourcePlace),
}

/// Writes formulas at one place of the program.
pub struct Writer<'a> {
    pool: &'a TermPool,
    names: FastMap<TermId, Named<'a>>,
    has_int128: bool,
    n_nodes: usize,
    n_bytes: usize,
    n_dropped: usize,
}

/// How tightly a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Prec {
    Conditional,
    Or,
    And,
    Equality,
    Relation,
    Sum,
    Product,
    Unary,
    Atom,
}

#[derive(Clone, Debug)]
struct Text {
    text: String,
    prec: Prec,
}

impl Text {
    fn new(text: impl Into<String>, prec: Prec) -> Text {
        Text { text: text.into(), prec }
    }
    fn at(&self, prec: Prec) -> String {
        if self.prec >= prec { self.text.clone() } else { format!("({})", self.text) }
    }
    fn above(&self, prec: Prec) -> String {
        if self.prec > prec { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The type that a comparison is computed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Int,
    LongLong,
    Int128,
    /// Mathematical integers: for people, not for compilers.
    Unbounded,
}

impl Level {
    fn contains(self, lo: i128, hi: i128) -> bool {
        let bits = match self {
            Level::Int => 31,
            Level::LongLong => 63,
            // One bit less, so that sums of two can be formed here.
            Level::Int128 | Level::Unbounded => 125,
        };
        -(1i128 << bits) <= lo && hi < (1i128 << bits)
    }
    fn name(self) -> &'static str {
        match self {
            Level::Int => "int",
            Level::LongLong => "long long",
            Level::Int128 => "__int128",
            Level::Unbounded => "int",
        }
    }
    fn number(self, n: i128) -> Option<Text> {
        let suffix = match self {
            Level::Int | Level::Unbounded => "",
            Level::LongLong | Level::Int128 => "LL",
        };
        let limit = match self {
            Level::Int => i128::from(i32::MAX),
            Level::LongLong | Level::Int128 => i128::from(i64::MAX),
            Level::Unbounded => i128::MAX,
        };
        if n == -limit - 1 {
            return Some(Text::new(format!("(-{limit}{suffix} - 1)"), Prec::Atom));
        }
        if n < -limit || n > limit {
            return None;
        }
        Some(if n < 0 {
            Text::new(format!("-{}{suffix}", -n), Prec::Unary)
        } else {
            Text::new(format!("{n}{suffix}"), Prec::Atom)
        })
    }
}

/// An integer expression with the range of its values.
struct Int {
    text: Text,
    /// Is it already computed in the level's type, so that what it is combined with is, too?
    is_wide: bool,
    lo: i128,
    hi: i128,
}

impl Int {
    fn is_too_long(&self) -> bool {
        self.text.text.len() > MAX_INTEGER_TEXT
    }
}

/// A relation between a sum and another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Le,
    Lt,
    Ge,
    Gt,
    Eq,
    Ne,
}

impl Relation {
    fn symbol(self) -> &'static str {
        match self {
            Relation::Le => "<=",
            Relation::Lt => "<",
            Relation::Ge => ">=",
            Relation::Gt => ">",
            Relation::Eq => "==",
            Relation::Ne => "!=",
        }
    }
    fn negated(self) -> Relation {
        match self {
            Relation::Le => Relation::Gt,
            Relation::Lt => Relation::Ge,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
        }
    }
    fn mirrored(self) -> Relation {
        match self {
            Relation::Le => Relation::Ge,
            Relation::Lt => Relation::Gt,
            Relation::Ge => Relation::Le,
            Relation::Gt => Relation::Lt,
            Relation::Eq => Relation::Eq,
            Relation::Ne => Relation::Ne,
        }
    }
    fn prec(self) -> Prec {
        match self {
            Relation::Eq | Relation::Ne => Prec::Equality,
            Relation::Le | Relation::Lt | Relation::Ge | Relation::Gt => Prec::Relation,
        }
    }
}

pub(crate) fn to_i128(n: &Rational) -> Option<i128> {
    if let Some(small) = n.to_i64() {
        return Some(i128::from(small));
    }
    i128::try_from(n.to_bigint()?).ok()
}

impl<'a> Writer<'a> {
    /// A writer for the places that are visible at `at`; `term_of` gives the constant that stands for each.
    pub fn at(
        pool: &'a TermPool,
        table: &'a SourceTable,
        at: Span,
        term_of: impl Fn(ir::VarId) -> Option<TermId>,
    ) -> Writer<'a> {
        let mut names = FastMap::default();
        for (&var, place) in &table.places {
            if table.is_visible(place, at)
                && let Some(term) = term_of(var)
            {
                let named = if place.is_scalar() {
                    Named::Scalar { text: place.text_at(&[]), ty: &place.ty }
                } else {
                    Named::Array(place)
                };
                names.insert(term, named);
            }
        }
        Writer::with_names(pool, table, names)
    }

    pub fn with_names(pool: &'a TermPool, table: &'a SourceTable, names: FastMap<TermId, Named<'a>>) -> Writer<'a> {
        Writer { pool, names, has_int128: table.has_int128, n_nodes: 0, n_bytes: 0, n_dropped: 0 }
    }

    pub fn name(&mut self, term: TermId, named: Named<'a>) {
        self.names.insert(term, named);
    }

    pub fn is_named(&self, term: TermId) -> bool {
        self.names.contains_key(&term)
    }

    /// The same places under other names.
    pub fn renamed(&self, rename: impl Fn(&str) -> String) -> Writer<'a> {
        let scalars = self.names.iter().filter_map(|(t, named)| match named {
            Named::Scalar { text, ty } => Some((*t, Named::Scalar { text: rename(text), ty })),
            Named::Array(_) => None,
        });
        Writer {
            pool: self.pool,
            names: scalars.collect(),
            has_int128: self.has_int128,
            n_nodes: 0,
            n_bytes: 0,
            n_dropped: 0,
        }
    }

    /// An expression that the formula implies.
    pub fn formula(&mut self, formula: TermId) -> CExpression {
        (self.n_nodes, self.n_bytes, self.n_dropped) = (0, 0, 0);
        let text = self.weaken(formula, true, 0);
        let text = text.map_or("1".to_string(), |t| t.text);
        CExpression { text, n_dropped: self.n_dropped }
    }

    /// Does a bound of one variable say no more than its type does?
    pub fn follows_from_type(&self, t: TermId) -> bool {
        let pool = self.pool;
        let (atom, positive) = if pool.op(t) == Op::Not { (pool.arg(t, 0), false) } else { (t, true) };
        if !matches!(pool.op(atom), Op::Le | Op::Lt) || pool.sort(pool.arg(atom, 0)) != SortId::INT {
            return false;
        }
        let mut difference = pool.linear(pool.arg(atom, 0));
        difference.add_scaled(&pool.linear(pool.arg(atom, 1)), &Rational::from(-1));
        let [(variable, factor)] = &difference.terms[..] else { return false };
        let Some(Named::Scalar { ty, .. }) = self.names.get(variable) else { return false };
        let (Some((min, max)), Some(factor), Some(constant)) =
            (ty.int_range(), to_i128(factor), to_i128(&difference.constant))
        else {
            return false;
        };
        // The least and the greatest value of the difference.
        let ends = [min, max].map(|x| x.checked_mul(factor).and_then(|x| x.checked_add(constant)));
        let [Some(a), Some(b)] = ends else { return false };
        let (least, greatest) = (a.min(b), a.max(b));
        match (pool.op(atom), positive) {
            (Op::Le, true) => greatest <= 0,
            (Op::Le, false) => least > 0,
            (_, true) => greatest < 0,
            (_, false) => least >= 0,
        }
    }

    /// The text of an integer term, computed in `long long` or wider; `None` if it cannot be said.
    pub fn integer(&mut self, term: TermId) -> Option<String> {
        self.n_nodes = 0;
        for level in [Level::LongLong, Level::Int128] {
            let mut guards = Vec::new();
            if self.is_usable(level)
                && let Some(value) = self.sum_of(term, level, &mut guards)
                && guards.is_empty()
            {
                return Some(widened(&value, level));
            }
        }
        None
    }

    /// The text of an integer term in mathematical integers, addresses included; `None` if it cannot be said.
    pub fn mathematical(&mut self, term: TermId) -> Option<String> {
        self.n_nodes = 0;
        let mut guards = Vec::new();
        let value = self.sum_of(term, Level::Unbounded, &mut guards)?;
        Some(value.text.text)
    }

    fn is_usable(&self, level: Level) -> bool {
        level != Level::Int128 || self.has_int128
    }

    fn drop_part(&mut self) -> Option<Text> {
        self.n_dropped += 1;
        None
    }

    // ----- truth -----

    /// A text that the formula (or its negation, if not `positive`) implies; `None` is *true*.
    fn weaken(&mut self, t: TermId, positive: bool, depth: usize) -> Option<Text> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES || depth > MAX_DEPTH {
            return self.drop_part();
        }
        let pool = self.pool;
        match pool.op(t) {
            Op::True | Op::False => {
                let holds = (pool.op(t) == Op::True) == positive;
                if holds { None } else { Some(Text::new("0", Prec::Atom)) }
            }
            Op::Not => self.weaken(pool.arg(t, 0), !positive, depth + 1),
            Op::And | Op::Or => {
                let is_and = (pool.op(t) == Op::And) == positive;
                let parts: Vec<Option<Text>> =
                    pool.args(t).iter().map(|&a| self.weaken(a, positive, depth + 1)).collect();
                if is_and {
                    join(parts.into_iter().flatten().collect(), "&&")
                } else {
                    join(parts.into_iter().collect::<Option<Vec<Text>>>()?, "||")
                }
            }
            Op::Ite if pool.is_bool(t) => {
                let Some(condition) = self.exact(pool.arg(t, 0), depth + 1) else { return self.drop_part() };
                let then = self.weaken(pool.arg(t, 1), positive, depth + 1);
                let otherwise = self.weaken(pool.arg(t, 2), positive, depth + 1);
                match (then, otherwise) {
                    (None, None) => None,
                    (then, otherwise) => {
                        let text = |t: Option<Text>| t.map_or("1".to_string(), |t| t.above(Prec::Conditional));
                        let text = format!("{} ? {} : {}", condition.above(Prec::Or), text(then), text(otherwise));
                        Some(Text::new(text, Prec::Conditional))
                    }
                }
            }
            _ => match self.literal(t, positive, depth) {
                Some((text, guards)) => {
                    self.n_bytes += text.text.len() + guards.iter().map(String::len).sum::<usize>();
                    if self.n_bytes > MAX_TEXT {
                        return self.drop_part();
                    }
                    if guards.is_empty() {
                        return Some(text);
                    }
                    let inside = guards.join(" && ");
                    Some(Text::new(format!("!({inside}) || {}", text.above(Prec::Or)), Prec::Or))
                }
                None => self.drop_part(),
            },
        }
    }

    /// A text that means exactly the formula.
    fn exact(&mut self, t: TermId, depth: usize) -> Option<Text> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES || depth > MAX_DEPTH {
            return None;
        }
        let pool = self.pool;
        match pool.op(t) {
            Op::True => Some(Text::new("1", Prec::Atom)),
            Op::False => Some(Text::new("0", Prec::Atom)),
            Op::Not => {
                let inner = pool.arg(t, 0);
                if let Some((text, guards)) = self.literal(inner, false, depth) {
                    return guards.is_empty().then_some(text);
                }
                let inner = self.exact(inner, depth + 1)?;
                Some(Text::new(format!("!{}", inner.at(Prec::Unary)), Prec::Unary))
            }
            Op::And | Op::Or => {
                let symbol = if pool.op(t) == Op::And { "&&" } else { "||" };
                let parts: Option<Vec<Text>> = pool.args(t).iter().map(|&a| self.exact(a, depth + 1)).collect();
                join(parts?, symbol)
            }
            Op::Ite if pool.is_bool(t) => {
                let parts: Option<Vec<Text>> = pool.args(t).iter().map(|&a| self.exact(a, depth + 1)).collect();
                let parts = parts?;
                let text = format!(
                    "{} ? {} : {}",
                    parts[0].above(Prec::Or),
                    parts[1].above(Prec::Conditional),
                    parts[2].above(Prec::Conditional)
                );
                Some(Text::new(text, Prec::Conditional))
            }
            _ => {
                let (text, guards) = self.literal(t, true, depth)?;
                guards.is_empty().then_some(text)
            }
        }
    }

    /// An atom or its negation, with conditions under which it can be evaluated.
    fn literal(&mut self, t: TermId, positive: bool, depth: usize) -> Option<(Text, Vec<String>)> {
        let pool = self.pool;
        match pool.op(t) {
            Op::Le | Op::Lt | Op::Eq if pool.sort(pool.arg(t, 0)) == SortId::INT => {
                let relation = match pool.op(t) {
                    Op::Le => Relation::Le,
                    Op::Lt => Relation::Lt,
                    _ => Relation::Eq,
                };
                let relation = if positive { relation } else { relation.negated() };
                let mut linear = pool.linear(pool.arg(t, 0));
                linear.add_scaled(&pool.linear(pool.arg(t, 1)), &Rational::from(-1));
                self.comparison(&linear, relation)
            }
            Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt | Op::Eq if is_word(pool, pool.arg(t, 0)) => {
                let relation = match pool.op(t) {
                    Op::BvSle | Op::BvUle => Relation::Le,
                    Op::BvSlt | Op::BvUlt => Relation::Lt,
                    _ => Relation::Eq,
                };
                let relation = if positive { relation } else { relation.negated() };
                let is_unsigned = matches!(pool.op(t), Op::BvUle | Op::BvUlt);
                self.word_comparison(pool.arg(t, 0), pool.arg(t, 1), relation, is_unsigned)
            }
            Op::Eq if pool.is_bool(pool.arg(t, 0)) => {
                let parts: Option<Vec<Text>> = pool.args(t).iter().map(|&a| self.exact(a, depth + 1)).collect();
                let parts = parts?;
                let [a, b] = &parts[..] else { return None };
                let symbol = if positive { "==" } else { "!=" };
                let text = format!("!{} {symbol} !{}", a.at(Prec::Unary), b.at(Prec::Unary));
                Some((Text::new(text, Prec::Equality), Vec::new()))
            }
            _ => None,
        }
    }

    /// A comparison of words, which hold the numbers themselves with room to spare.
    fn word_comparison(
        &mut self,
        a: TermId,
        b: TermId,
        relation: Relation,
        is_unsigned: bool,
    ) -> Option<(Text, Vec<String>)> {
        for level in [Level::Int, Level::LongLong, Level::Int128] {
            if !self.is_usable(level) {
                continue;
            }
            let Some(x) = self.word(a, level, 0) else { continue };
            let Some(y) = self.word(b, level, 0) else { continue };
            if is_unsigned && (x.lo < 0 || y.lo < 0) {
                return None;
            }
            let needs_cast = level != Level::Int && !x.is_wide && !y.is_wide;
            let x = if needs_cast { widened(&x, level) } else { x.text.above(relation.prec()) };
            let text = format!("{x} {} {}", relation.symbol(), y.text.above(relation.prec()));
            return Some((Text::new(text, relation.prec()), Vec::new()));
        }
        None
    }

    /// A word as the number it holds, if no operation on the way to it wraps around.
    fn word(&mut self, t: TermId, level: Level, depth: usize) -> Option<Int> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES || depth > MAX_DEPTH {
            return None;
        }
        let pool = self.pool;
        let Sort::BitVec(width) = *pool.sort_data(pool.sort(t)) else { return None };
        if width > 120 {
            return None;
        }
        if let Some((n, _)) = pool.bv_number(t) {
            let n = to_i128(n)?;
            let n = if n >> (width - 1) == 1 { n - (1i128 << width) } else { n };
            return Some(Int { text: level.number(n)?, is_wide: true, lo: n, hi: n });
        }
        if let Some(Named::Scalar { text, ty }) = self.names.get(&t) {
            return leaf(text.clone(), ty, level);
        }
        let result = match pool.op(t) {
            Op::BvAdd | Op::BvSub => {
                let mut sum: Option<Int> = None;
                for &part in pool.args(t) {
                    let part = self.word(part, level, depth + 1)?;
                    sum = Some(match sum {
                        None => part,
                        Some(before) => self.add(before, part, pool.op(t) == Op::BvSub, level)?,
                    });
                }
                sum?
            }
            _ => return None,
        };
        let fits = -(1i128 << (width - 1)) <= result.lo && result.hi < 1i128 << (width - 1);
        (fits && level.contains(result.lo, result.hi) && !result.is_too_long()).then_some(result)
    }

    /// `linear relation 0`.
    fn comparison(&mut self, linear: &Linear, relation: Relation) -> Option<(Text, Vec<String>)> {
        let mut scale = linear.constant.denom_rational();
        for (_, c) in &linear.terms {
            scale = scale.lcm(&c.denom_rational());
        }
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (t, c) in &linear.terms {
            let c = to_i128(&(c * &scale))?;
            if c > 0 { left.push((*t, c)) } else { right.push((*t, -c)) }
        }
        let mut constant = -to_i128(&(&linear.constant * &scale))?;
        let mut relation = relation;
        if left.is_empty() {
            std::mem::swap(&mut left, &mut right);
            constant = -constant;
            relation = relation.mirrored();
        }
        if left.is_empty() {
            return None;
        }
        // Over the integers the relation can take up a constant of one.
        match (relation, constant) {
            (Relation::Le, -1) => (relation, constant) = (Relation::Lt, 0),
            (Relation::Gt, -1) => (relation, constant) = (Relation::Ge, 0),
            (Relation::Lt, 1) => (relation, constant) = (Relation::Le, 0),
            (Relation::Ge, 1) => (relation, constant) = (Relation::Gt, 0),
            _ => {}
        }
        if let Some(text) = self.pointers(&left, &right, constant, relation) {
            return Some((text, Vec::new()));
        }
        if let Some(text) = self.same_type(&left, &right, constant, relation) {
            return Some((text, Vec::new()));
        }
        // A constant that is negative on the right is positive on the left, unless nothing else is right.
        let (left_constant, right_constant) =
            if right.is_empty() || constant >= 0 { (0, constant) } else { (-constant, 0) };
        for level in [Level::Int, Level::LongLong, Level::Int128] {
            if !self.is_usable(level) {
                continue;
            }
            let mut guards = Vec::new();
            let Some(a) = self.sum(&left, left_constant, level, &mut guards) else { continue };
            let Some(b) = self.sum(&right, right_constant, level, &mut guards) else { continue };
            let needs_cast = level != Level::Int && !a.is_wide && !b.is_wide;
            let a = if needs_cast { widened(&a, level) } else { a.text.above(relation.prec()) };
            let text = format!("{a} {} {}", relation.symbol(), b.text.above(relation.prec()));
            guards.dedup();
            return Some((Text::new(text, relation.prec()), guards));
        }
        None
    }

    /// Pointers can be compared with null and with each other.
    fn pointers(
        &self,
        left: &[(TermId, i128)],
        right: &[(TermId, i128)],
        constant: i128,
        relation: Relation,
    ) -> Option<Text> {
        let pointer = |terms: &[(TermId, i128)]| match terms {
            [(t, 1)] => match self.names.get(t) {
                Some(Named::Scalar { text, ty: SourceType::Pointer }) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        let p = pointer(left)?;
        let (symbol, other) = if right.is_empty() {
            // Addresses are not negative.
            match (relation, constant) {
                (Relation::Eq | Relation::Le, 0) | (Relation::Lt, 1) => ("==", "0".to_string()),
                (Relation::Ne | Relation::Gt, 0) | (Relation::Ge, 1) => ("!=", "0".to_string()),
                _ => return None,
            }
        } else {
            let q = pointer(right)?;
            match (relation, constant) {
                (Relation::Eq, 0) => ("==", q),
                (Relation::Ne, 0) => ("!=", q),
                _ => return None,
            }
        };
        Some(Text::new(format!("{p} {symbol} {other}"), Prec::Equality))
    }

    /// Two variables of one type, or one and a constant of its type, need no conversion.
    fn same_type(
        &self,
        left: &[(TermId, i128)],
        right: &[(TermId, i128)],
        constant: i128,
        relation: Relation,
    ) -> Option<Text> {
        let scalar = |terms: &[(TermId, i128)]| match terms {
            [(t, 1)] => match self.names.get(t) {
                Some(Named::Scalar { text, ty: ty @ SourceType::Int { .. } }) => Some((text.clone(), *ty)),
                _ => None,
            },
            _ => None,
        };
        let (a, ty) = scalar(left)?;
        let b = match right {
            [] => {
                let (min, max) = ty.int_range()?;
                let SourceType::Int { bits, signed, .. } = ty else { return None };
                if constant < min || constant > max {
                    return None;
                }
                match (*signed, *bits) {
                    (true, ..=32) => Level::Int.number(constant)?.text,
                    (true, _) => Level::LongLong.number(constant)?.text,
                    (false, ..=16) => constant.to_string(),
                    (false, 17..=32) => format!("{constant}U"),
                    (false, _) => format!("{constant}ULL"),
                }
            }
            _ if constant == 0 => {
                let (b, other) = scalar(right)?;
                if other != ty {
                    return None;
                }
                b
            }
            _ => return None,
        };
        Some(Text::new(format!("{a} {} {b}", relation.symbol()), relation.prec()))
    }

    // ----- integers -----

    fn sum_of(&mut self, t: TermId, level: Level, guards: &mut Vec<String>) -> Option<Int> {
        let linear = self.pool.linear(t);
        let mut terms = Vec::new();
        for (t, c) in &linear.terms {
            if !c.is_integer() {
                return None;
            }
            terms.push((*t, to_i128(c)?));
        }
        if !linear.constant.is_integer() {
            return None;
        }
        let constant = to_i128(&linear.constant)?;
        self.sum(&terms, constant, level, guards)
    }

    fn sum(&mut self, terms: &[(TermId, i128)], constant: i128, level: Level, guards: &mut Vec<String>) -> Option<Int> {
        // Positive terms first, so that the text does not start with a sign.
        let mut ordered: Vec<(TermId, i128)> = terms.iter().copied().filter(|t| t.1 > 0).collect();
        ordered.extend(terms.iter().filter(|t| t.1 <= 0));
        let number = |n: i128| -> Option<Int> { Some(Int { text: level.number(n)?, is_wide: true, lo: n, hi: n }) };
        // `18 - i`, not `-i + 18`.
        let first = constant > 0 && !ordered.is_empty() && ordered.iter().all(|t| t.1 < 0);
        let (mut sum, constant) = if first { (Some(number(constant)?), 0) } else { (None, constant) };
        for (t, c) in ordered {
            let negative = c < 0;
            let factor = c.checked_abs()?;
            let mut part = self.monomial(t, level, guards)?;
            if factor != 1 {
                let number = level.number(factor)?;
                let (lo, hi) = (part.lo.checked_mul(factor)?, part.hi.checked_mul(factor)?);
                let text = format!("{} * {}", number.at(Prec::Product), part.text.above(Prec::Product));
                part = Int { text: Text::new(text, Prec::Product), is_wide: true, lo, hi };
                if !level.contains(lo, hi) {
                    return None;
                }
            }
            sum = Some(match sum {
                None if !negative => part,
                None => {
                    let (lo, hi) = (part.hi.checked_neg()?, part.lo.checked_neg()?);
                    let text = format!("-{}", operand(&part, level, Prec::Atom));
                    Int { text: Text::new(text, Prec::Unary), is_wide: true, lo, hi }
                }
                Some(before) => self.add(before, part, negative, level)?,
            });
            let done = sum.as_ref()?;
            if !level.contains(done.lo, done.hi) {
                return None;
            }
        }
        let result = match sum {
            None => number(constant)?,
            Some(sum) if constant == 0 => sum,
            Some(sum) => {
                let part = number(constant.checked_abs()?)?;
                self.add(sum, part, constant < 0, level)?
            }
        };
        (level.contains(result.lo, result.hi) && !result.is_too_long()).then_some(result)
    }

    fn add(&self, a: Int, b: Int, subtract: bool, level: Level) -> Option<Int> {
        let (lo, hi) = if subtract {
            (a.lo.checked_sub(b.hi)?, a.hi.checked_sub(b.lo)?)
        } else {
            (a.lo.checked_add(b.lo)?, a.hi.checked_add(b.hi)?)
        };
        let left = if a.is_wide || b.is_wide { a.text.at(Prec::Sum) } else { operand(&a, level, Prec::Sum) };
        let symbol = if subtract { "-" } else { "+" };
        let text = format!("{left} {symbol} {}", b.text.above(Prec::Sum));
        Some(Int { text: Text::new(text, Prec::Sum), is_wide: true, lo, hi })
    }

    fn monomial(&mut self, t: TermId, level: Level, guards: &mut Vec<String>) -> Option<Int> {
        self.any_monomial(t, level, guards).filter(|m| !m.is_too_long())
    }

    /// A monomial whose text may be too long, by a constant factor at most.
    fn any_monomial(&mut self, t: TermId, level: Level, guards: &mut Vec<String>) -> Option<Int> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            return None;
        }
        let pool = self.pool;
        if let Some(named) = self.names.get(&t) {
            let Named::Scalar { text, ty } = named else { return None };
            return leaf(text.clone(), ty, level);
        }
        match pool.op(t) {
            Op::Mul => {
                let mut product: Option<Int> = None;
                for &factor in pool.args(t) {
                    let part = self.sum_of(factor, level, guards)?;
                    product = Some(match product {
                        None => part,
                        Some(a) => {
                            let corners = [
                                a.lo.checked_mul(part.lo)?,
                                a.lo.checked_mul(part.hi)?,
                                a.hi.checked_mul(part.lo)?,
                                a.hi.checked_mul(part.hi)?,
                            ];
                            let (lo, hi) = (*corners.iter().min()?, *corners.iter().max()?);
                            if !level.contains(lo, hi) {
                                return None;
                            }
                            let left = if a.is_wide || part.is_wide {
                                a.text.at(Prec::Product)
                            } else {
                                operand(&a, level, Prec::Product)
                            };
                            let text = format!("{left} * {}", part.text.above(Prec::Product));
                            Int { text: Text::new(text, Prec::Product), is_wide: true, lo, hi }
                        }
                    });
                }
                product
            }
            Op::Mod | Op::IntDiv => {
                let divisor = to_i128(pool.number(pool.arg(t, 1))?)?;
                if divisor <= 0 {
                    return None;
                }
                let a = self.sum_of(pool.arg(t, 0), level, guards)?;
                self.divide(pool.op(t) == Op::Mod, &a, divisor, level)
            }
            Op::Ite => {
                let condition = self.exact(pool.arg(t, 0), 0)?;
                let a = self.sum_of(pool.arg(t, 1), level, guards)?;
                let b = self.sum_of(pool.arg(t, 2), level, guards)?;
                let (lo, hi) = (a.lo.min(b.lo), a.hi.max(b.hi));
                let text = format!(
                    "{} ? {} : {}",
                    condition.above(Prec::Or),
                    widened(&a, level),
                    b.text.above(Prec::Conditional)
                );
                Some(Int { text: Text::new(text, Prec::Conditional), is_wide: true, lo, hi })
            }
            Op::Abs => {
                let a = self.sum_of(pool.arg(t, 0), level, guards)?;
                let hi = a.hi.max(a.lo.checked_neg()?);
                let text = operand(&a, level, Prec::Unary);
                let text = format!("{text} < 0 ? -({text}) : {text}");
                level.contains(0, hi).then(|| Int {
                    text: Text::new(text, Prec::Conditional),
                    is_wide: true,
                    lo: 0,
                    hi,
                })
            }
            Op::Select => {
                let Some(Named::Array(place)) = self.names.get(&pool.arg(t, 0)).cloned() else { return None };
                let index = pool.arg(t, 1);
                let indices = match pool.number(index) {
                    Some(n) => {
                        let position = u64::try_from(to_i128(n)?).ok()?;
                        place.indices_of(position)?.iter().map(u64::to_string).collect()
                    }
                    None => {
                        let [Some(length)] = place.lengths[..] else { return None };
                        let index = self.sum_of(index, level, guards)?;
                        let text = operand(&index, level, Prec::Atom);
                        guards.push(format!("0 <= {text} && {text} < {length}"));
                        vec![text]
                    }
                };
                leaf(place.text_at(&indices), &place.ty, level)
            }
            _ => None,
        }
    }

    /// The Euclidean quotient or remainder by a positive constant.
    fn divide(&self, remainder: bool, a: &Int, divisor: i128, level: Level) -> Option<Int> {
        let m = level.number(divisor)?.text;
        let text = operand(a, level, Prec::Product);
        let rest = if a.lo >= 0 {
            Text::new(format!("{text} % {m}"), Prec::Product)
        } else {
            let twice = divisor.checked_mul(2)?;
            if !level.contains(-divisor, twice) {
                return None;
            }
            Text::new(format!("({text} % {m} + {m}) % {m}"), Prec::Product)
        };
        if remainder {
            return Some(Int { text: rest, is_wide: true, lo: 0, hi: divisor - 1 });
        }
        let (lo, hi) = (a.lo.div_euclid(divisor), a.hi.div_euclid(divisor));
        let quotient = if a.lo >= 0 {
            format!("{text} / {m}")
        } else {
            if !level.contains(a.lo.checked_sub(divisor)?, a.hi) {
                return None;
            }
            format!("({} - {}) / {m}", operand(a, level, Prec::Sum), rest.above(Prec::Sum))
        };
        Some(Int { text: Text::new(quotient, Prec::Product), is_wide: true, lo, hi })
    }
}

fn is_word(pool: &TermPool, t: TermId) -> bool {
    matches!(pool.sort_data(pool.sort(t)), Sort::BitVec(_))
}

fn join(parts: Vec<Text>, symbol: &str) -> Option<Text> {
    let prec = if symbol == "&&" { Prec::And } else { Prec::Or };
    // A conjunction of nothing is true and is left out; a disjunction of nothing is false.
    match &parts[..] {
        [] if symbol == "&&" => None,
        [] => Some(Text::new("0", Prec::Atom)),
        [single] => Some(single.clone()),
        _ => {
            // Mixed junctions get parentheses, though C does not ask for them.
            let texts: Vec<String> = parts.iter().map(|p| p.above(Prec::And)).collect();
            Some(Text::new(texts.join(&format!(" {symbol} ")), prec))
        }
    }
}

/// A variable at a level, if its values and those of its promoted type agree there.
fn leaf(text: String, ty: &SourceType, level: Level) -> Option<Int> {
    let (lo, hi) = match (level, ty) {
        (Level::Unbounded, SourceType::Pointer) => (0, i128::from(u64::MAX)),
        _ => ty.int_range()?,
    };
    if !level.contains(lo, hi) {
        return None;
    }
    let is_wide = match (level, ty) {
        (Level::Int | Level::Unbounded, _) => true,
        (Level::LongLong, SourceType::Int { name, .. }) => name == "long long",
        (Level::LongLong | Level::Int128, _) => false,
    };
    Some(Int { text: Text::new(text, Prec::Atom), is_wide, lo, hi })
}

/// The text in the type of the level.
fn widened(value: &Int, level: Level) -> String {
    if value.is_wide {
        return value.text.above(Prec::Conditional);
    }
    format!("({}){}", level.name(), value.text.at(Prec::Unary))
}

fn operand(value: &Int, level: Level, prec: Prec) -> String {
    if value.is_wide {
        return value.text.at(prec);
    }
    let text = format!("({}){}", level.name(), value.text.at(Prec::Unary));
    if prec > Prec::Unary { format!("({text})") } else { text }
}

/// A value of a type as C writes it.
pub fn value_text(ty: &SourceType, value: &Value) -> String {
    let number = match value {
        Value::Num(n) => to_i128(n),
        Value::Bv(n, width) => i128::try_from(n.clone()).ok().map(|n| {
            let is_negative =
                matches!(ty, SourceType::Int { signed: true, .. }) && *width <= 126 && n >> (width - 1) == 1;
            if is_negative { n - (1i128 << width) } else { n }
        }),
        Value::Bool(b) => Some(i128::from(*b)),
        Value::Array(_) | Value::Element(..) => None,
    };
    let Some(n) = number else { return value.show() };
    match ty {
        SourceType::Bool => n.to_string(),
        SourceType::Int { .. } => match character(n) {
            Some(c) if ty.is_char() => format!("{c} ({n})"),
            _ => n.to_string(),
        },
        SourceType::Pointer if n == 0 => "NULL".to_string(),
        // What is no number of an address was never set.
        SourceType::Pointer => u64::try_from(n).map_or("(no address)".to_string(), |n| format!("{n:#x}")),
        SourceType::Float(bits) => match (value, bits) {
            (_, 80) => crate::trace::extended_number(n).to_string(),
            (Value::Bv(_, 32), _) => u32::try_from(n).map_or(n.to_string(), |b| f32::from_bits(b).to_string()),
            _ => u64::try_from(n).map_or(n.to_string(), |b| f64::from_bits(b).to_string()),
        },
    }
}

/// A character constant for a code, if there is a plain one.
fn character(code: i128) -> Option<String> {
    match u8::try_from(code).ok()? {
        b'\n' => Some("'\\n'".to_string()),
        b'\t' => Some("'\\t'".to_string()),
        0 => Some("'\\0'".to_string()),
        b'\'' => Some("'\\''".to_string()),
        b'\\' => Some("'\\\\'".to_string()),
        c @ 32..=126 => Some(format!("'{}'", char::from(c))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bits: u32, signed: bool, name: &str) -> SourceType {
        SourceType::Int { bits, signed, name: name.to_string() }
    }

    struct Fixture {
        pool: TermPool,
        table: SourceTable,
        types: Vec<(&'static str, SourceType)>,
    }

    fn fixture() -> Fixture {
        Fixture {
            pool: TermPool::new(),
            table: SourceTable { has_int128: false, ..SourceTable::default() },
            types: vec![
                ("x", int(32, true, "int")),
                ("y", int(32, true, "int")),
                ("c", int(8, true, "char")),
                ("s", int(16, true, "short")),
                ("u", int(32, false, "unsigned int")),
                ("v", int(64, false, "unsigned long long")),
                ("p", SourceType::Pointer),
            ],
        }
    }

    impl Fixture {
        fn var(&mut self, name: &str) -> TermId {
            self.pool.constant(name, SortId::INT)
        }
        fn n(&mut self, n: i64) -> TermId {
            self.pool.int(n)
        }
        fn write(&mut self, formula: TermId) -> CExpression {
            let terms: Vec<TermId> = self
                .types
                .iter()
                .map(|t| t.0)
                .collect::<Vec<_>>()
                .into_iter()
                .map(|n| self.pool.constant(n, SortId::INT))
                .collect();
            let names =
                terms.iter().zip(&self.types).map(|(t, (name, ty))| (*t, Named::Scalar { text: name.to_string(), ty }));
            Writer::with_names(&self.pool, &self.table, names.collect()).formula(formula)
        }
        fn text(&mut self, formula: TermId) -> String {
            self.write(formula).text
        }
    }

    #[test]
    fn widths_are_as_wide_as_needed() {
        let mut f = fixture();
        let (x, y, c, s, u, v) = (f.var("x"), f.var("y"), f.var("c"), f.var("s"), f.var("u"), f.var("v"));
        let sum = f.pool.add(&[x, y]);
        let ten = f.n(10);
        let t = f.pool.le(sum, ten);
        assert_eq!(f.text(t), "(long long)x + y <= 10LL");
        let sum = f.pool.add(&[c, s]);
        let t = f.pool.le(sum, ten);
        assert_eq!(f.text(t), "c + s <= 10");
        let t = f.pool.le(x, y);
        assert_eq!(f.text(t), "x <= y");
        let t = f.pool.lt(x, u);
        assert_eq!(f.text(t), "(long long)x < u");
        let t = f.pool.le(v, ten);
        assert_eq!(f.text(t), "v <= 10ULL");
        let t = f.pool.le(x, v);
        assert_eq!(f.write(t), CExpression { text: "1".into(), n_dropped: 1 });
        f.table.has_int128 = true;
        assert_eq!(f.text(t), "(__int128)x <= v");
    }

    #[test]
    fn parts_that_cannot_be_said_are_left_out_where_that_weakens() {
        let mut f = fixture();
        let (x, z) = (f.var("x"), f.var("z"));
        let (zero, five) = (f.n(0), f.n(5));
        let (a, b) = (f.pool.le(zero, x), f.pool.le(z, five));
        let both = f.pool.and2(a, b);
        assert_eq!(f.write(both), CExpression { text: "x >= 0".into(), n_dropped: 1 });
        let either = f.pool.or(&[a, b]);
        assert_eq!(f.write(either), CExpression { text: "1".into(), n_dropped: 1 });
        let neither = f.pool.not(either);
        assert_eq!(f.write(neither), CExpression { text: "x < 0".into(), n_dropped: 1 });
    }

    #[test]
    fn euclidean_division_is_corrected() {
        let mut f = fixture();
        let (x, u) = (f.var("x"), f.var("u"));
        let (two, one) = (f.n(2), f.n(1));
        let t = f.pool.modulo(x, two);
        let t = f.pool.eq(t, one);
        assert_eq!(f.text(t), "(x % 2 + 2) % 2 == 1");
        let t = f.pool.modulo(u, two);
        let t = f.pool.eq(t, one);
        assert_eq!(f.text(t), "(long long)u % 2LL == 1LL");
    }

    #[test]
    fn the_text_of_nested_divisions_is_bounded() {
        let mut f = fixture();
        let (x, two, zero) = (f.var("x"), f.n(2), f.n(0));
        let mut t = x;
        for _ in 0..200 {
            // As C divides: rounded towards zero.
            let (negative, minus) = (f.pool.lt(t, zero), f.pool.neg(t));
            let (up, down) = (f.pool.int_div(minus, two), f.pool.int_div(t, two));
            let up = f.pool.neg(up);
            t = f.pool.ite(negative, up, down);
        }
        let formula = f.pool.le(t, x);
        assert_eq!(f.write(formula), CExpression { text: "1".into(), n_dropped: 1 });
        let (mut deep, mut all) = (x, Vec::new());
        for _ in 0..40 {
            deep = f.pool.int_div(deep, two);
            all.push(f.pool.le(zero, deep));
        }
        let formula = f.pool.and(&all);
        let said = f.write(formula);
        assert!(said.text.len() < 2 * MAX_TEXT && said.n_dropped > 0, "{} bytes", said.text.len());
    }

    #[test]
    fn pointers_and_values() {
        let mut f = fixture();
        let p = f.var("p");
        let zero = f.n(0);
        let t = f.pool.eq(p, zero);
        assert_eq!(f.text(t), "p == 0");
        let t = f.pool.not(t);
        assert_eq!(f.text(t), "p != 0");
        let five = f.n(5);
        let t = f.pool.eq(p, five);
        assert_eq!(f.write(t).n_dropped, 1);
        assert_eq!(value_text(&SourceType::Pointer, &Value::int(65536)), "0x10000");
        assert_eq!(value_text(&int(8, true, "char"), &Value::int(97)), "'a' (97)");
        assert_eq!(value_text(&int(32, true, "int"), &Value::int(97)), "97");
        assert_eq!(value_text(&SourceType::Float(64), &Value::int(0.5f64.to_bits() as i64)), "0.5");
    }
}
