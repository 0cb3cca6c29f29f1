//! Printing terms as SMT-LIB text whose length is linear in the number of distinct subterms.
//!
//! A term is first turned into a *print DAG*: hash-consed nodes that look exactly like the text
//! (so `not (x <= 5)` has become `(> x 5)`). Then every compound node that is used twice is bound
//! by a `let`, in the outermost scope in which all its quantified variables are known; nodes of
//! the same height share one parallel `let`. Nothing recurses, so depth is no problem.
//!
//! Reading the text back gives the same term. Bound variables get names that differ from each other
//! and from all free symbols of the term. Names starting with a dot are reserved by the standard
//! for solvers: that is what the `let`s use.

use crate::comparison::comparison;
use crate::rational::Rational;
use crate::sort::{Sort, SortId};
use crate::term::{FunId, Op, TermId, TermPool};
use crate::{FastMap, FastSet};
use std::borrow::Cow;
use std::fmt;

/// A term shown as SMT-LIB text.
pub struct SmtLib<'a> {
    pool: &'a TermPool,
    term: TermId,
}

impl fmt::Display for SmtLib<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pool.smtlib(self.term))
    }
}

impl TermPool {
    /// SMT-LIB text of a term, with `let` for shared subterms.
    pub fn smtlib(&self, t: TermId) -> String {
        let mut dag = PrintDag::new(self, t);
        let root = dag.build(t);
        dag.emit(root)
    }
    /// For `format!`: `{}` prints what [`TermPool::smtlib`] returns.
    pub fn display(&self, t: TermId) -> SmtLib<'_> {
        SmtLib { pool: self, term: t }
    }
    /// The `declare-sort`, `declare-fun` commands that the given terms need, one a line.
    pub fn smtlib_declarations(&self, terms: &[TermId]) -> String {
        let mut out = String::new();
        let mut seen = FastSet::default();
        let symbols = self.free_symbols_of(terms);
        let mut declare_sorts = |sort: SortId, out: &mut String| {
            let mut stack = vec![sort];
            while let Some(s) = stack.pop() {
                if !seen.insert(s) {
                    continue;
                }
                match self.sort_data(s) {
                    Sort::Uninterpreted(name) => {
                        out.push_str(&format!("(declare-sort {} 0)\n", quote_symbol(name)));
                    }
                    Sort::Array(index, element) => stack.extend([*element, *index]),
                    Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => {}
                }
            }
        };
        for &f in &symbols {
            let decl = self.fun(f);
            for &s in decl.args.iter().chain([&decl.result]) {
                declare_sorts(s, &mut out);
            }
        }
        for &f in &symbols {
            let decl = self.fun(f);
            let args: Vec<String> = decl.args.iter().map(|&s| self.show_sort(s)).collect();
            let result = self.show_sort(decl.result);
            out.push_str(&format!("(declare-fun {} ({}) {result})\n", quote_symbol(&decl.name), args.join(" ")));
        }
        out
    }
}

/// Words of the language that are not symbols unless quoted.
const RESERVED: [&str; 14] = [
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "HEXADECIMAL",
    "forall",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
    "",
];

/// A symbol as it must be written: in bars unless it is a simple symbol. Bars and backslashes
/// inside a name, which no SMT-LIB symbol can hold, are written as `%7C` and `%5C`.
pub fn quote_symbol(name: &str) -> Cow<'_, str> {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    if name.chars().all(simple) && !starts_with_digit && !RESERVED.contains(&name) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("|{}|", name.replace('|', "%7C").replace('\\', "%5C")))
}

/// A node of the print DAG.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// Text without parts worth sharing.
    Leaf(String),
    /// `(head arg …)`.
    App(Cow<'static, str>, Vec<u32>),
    /// `(head (vars) body)`; the text holds `head (vars)`. `binder` indexes the variables.
    Quantifier { text: String, binder: u32, body: u32, patterns: Vec<Vec<u32>> },
}

struct PrintDag<'a> {
    pool: &'a TermPool,
    nodes: Vec<Node>,
    ids: FastMap<Node, u32>,
    of_term: FastMap<(TermId, bool), u32>,
    /// The names chosen for bound variables.
    bound_names: FastMap<FunId, String>,
    used_names: FastSet<String>,
    /// The variable leaves of each binder.
    binders: Vec<Vec<u32>>,
}

impl<'a> PrintDag<'a> {
    fn new(pool: &'a TermPool, root: TermId) -> PrintDag<'a> {
        let used_names = pool.free_symbols(root).iter().map(|&f| pool.name(f).to_string()).collect();
        PrintDag {
            pool,
            nodes: Vec::new(),
            ids: FastMap::default(),
            of_term: FastMap::default(),
            bound_names: FastMap::default(),
            used_names,
            binders: Vec::new(),
        }
    }

    fn node(&mut self, node: Node) -> u32 {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }
    fn leaf(&mut self, text: impl Into<String>) -> u32 {
        self.node(Node::Leaf(text.into()))
    }
    fn app(&mut self, head: impl Into<Cow<'static, str>>, args: Vec<u32>) -> u32 {
        self.node(Node::App(head.into(), args))
    }

    fn symbol(&mut self, f: FunId) -> String {
        let decl = self.pool.fun(f);
        if !decl.bound {
            return quote_symbol(&decl.name).into_owned();
        }
        if let Some(name) = self.bound_names.get(&f) {
            return quote_symbol(name).into_owned();
        }
        // The pool's name is the hint, a bang, and a number.
        let hint = decl.name.rsplit_once('!').map_or(decl.name.as_str(), |(hint, _)| hint);
        let mut name = hint.to_string();
        let mut n = 0;
        while !self.used_names.insert(name.clone()) {
            n += 1;
            name = format!("{hint}!{n}");
        }
        let text = quote_symbol(&name).into_owned();
        self.bound_names.insert(f, name);
        text
    }

    fn numeral(&mut self, value: &Rational, sort: SortId) -> u32 {
        if value.is_negative() {
            let positive = self.numeral(&-value, sort);
            return self.app("-", vec![positive]);
        }
        if sort == SortId::INT {
            return self.leaf(value.to_string());
        }
        if value.is_integer() {
            return self.leaf(format!("{value}.0"));
        }
        if let Some(text) = short_decimal(value) {
            return self.leaf(text);
        }
        let num = self.leaf(format!("{}.0", value.numer()));
        let den = self.leaf(format!("{}.0", value.denom()));
        self.app("/", vec![num, den])
    }

    fn monomial(&mut self, t: TermId, c: &Rational, sort: SortId) -> u32 {
        let base = self.of_term[&(t, false)];
        if c.is_one() {
            return base;
        }
        if c.is_minus_one() {
            return self.app("-", vec![base]);
        }
        let n = self.numeral(c, sort);
        self.app("*", vec![n, base])
    }

    fn sum(&mut self, terms: &[(TermId, Rational)], constant: &Rational, sort: SortId) -> u32 {
        let mut args: Vec<u32> = terms.iter().map(|(t, c)| self.monomial(*t, c, sort)).collect();
        if args.is_empty() || !constant.is_zero() {
            args.push(self.numeral(constant, sort));
        }
        if args.len() == 1 { args[0] } else { self.app("+", args) }
    }

    /// The print DAG of a term. `(t, true)` stands for the negation of `t`.
    fn build(&mut self, root: TermId) -> u32 {
        let mut stack = vec![(root, false)];
        let mut needed = Vec::new();
        while let Some(&(t, negated)) = stack.last() {
            if self.of_term.contains_key(&(t, negated)) {
                stack.pop();
                continue;
            }
            needed.clear();
            self.parts(t, negated, &mut needed);
            needed.retain(|part| !self.of_term.contains_key(part));
            if !needed.is_empty() {
                stack.append(&mut needed);
                continue;
            }
            let node = self.build_one(t, negated);
            self.of_term.insert((t, negated), node);
            stack.pop();
        }
        self.of_term[&(root, false)]
    }

    /// The terms whose nodes the node of a term is made of.
    fn parts(&self, t: TermId, negated: bool, out: &mut Vec<(TermId, bool)>) {
        let pool = self.pool;
        match pool.op(t) {
            Op::Not => out.push((pool.arg(t, 0), !negated)),
            Op::Le | Op::Lt => out.extend(pool.linear(pool.arg(t, 0)).terms.iter().map(|(t, _)| (*t, false))),
            _ if negated => out.push((t, false)),
            Op::Add => out.extend(pool.linear(t).terms.iter().map(|(t, _)| (*t, false))),
            Op::Mul => match pool.linear(t).terms.as_slice() {
                [(base, _)] if *base != t => out.push((*base, false)),
                _ => out.extend(pool.args(t).iter().map(|&a| (a, false))),
            },
            Op::Eq if pool.sort(pool.arg(t, 0)).is_arith() => {
                for &side in pool.args(t) {
                    out.extend(pool.linear(side).terms.iter().map(|(t, _)| (*t, false)));
                }
            }
            Op::Forall(q) | Op::Exists(q) => {
                out.extend(pool.args(t).iter().map(|&a| (a, false)));
                let quantifier = pool.quantifier(q);
                out.extend(quantifier.vars.iter().map(|&v| (v, false)));
                out.extend(quantifier.patterns.iter().flatten().map(|&p| (p, false)));
            }
            _ => out.extend(pool.args(t).iter().map(|&a| (a, false))),
        }
    }

    fn build_one(&mut self, t: TermId, negated: bool) -> u32 {
        let pool = self.pool;
        let op = pool.op(t);
        if op == Op::Not {
            return self.of_term[&(pool.arg(t, 0), !negated)];
        }
        if let Some(c) = comparison(pool, t, negated) {
            return self.comparison(c);
        }
        if negated {
            let inner = self.of_term[&(t, false)];
            return self.app("not", vec![inner]);
        }
        let args: Vec<u32> = pool.args(t).iter().filter_map(|&a| self.of_term.get(&(a, false)).copied()).collect();
        let sort = pool.sort(t);
        let head: Cow<'static, str> = match op {
            Op::True => return self.leaf("true"),
            Op::False => return self.leaf("false"),
            Op::Num(_) => {
                let value = pool.number(t).cloned().unwrap_or_default();
                return self.numeral(&value, sort);
            }
            Op::BvNum(_) => return self.leaf(bv_literal(pool, t)),
            Op::App(f) => {
                let symbol = self.symbol(f);
                if args.is_empty() {
                    return self.leaf(symbol);
                }
                symbol.into()
            }
            Op::Add => {
                let linear = pool.linear(t);
                return self.sum(&linear.terms, &linear.constant, sort);
            }
            Op::Mul => match pool.linear(t).terms.as_slice() {
                [(base, factor)] if *base != t => return self.monomial(*base, factor, sort),
                _ => "*".into(),
            },
            Op::Eq if pool.sort(pool.arg(t, 0)).is_arith() => {
                let sort = pool.sort(pool.arg(t, 0));
                let (mut left, mut right) = (pool.linear(pool.arg(t, 0)), pool.linear(pool.arg(t, 1)));
                if right.constant.is_negative() && !right.terms.is_empty() {
                    left.constant = &left.constant - &right.constant;
                    right.constant = Rational::zero();
                }
                let left = self.sum(&left.terms, &left.constant, sort);
                let right = self.sum(&right.terms, &right.constant, sort);
                return self.app("=", vec![left, right]);
            }
            Op::Forall(q) | Op::Exists(q) => {
                let quantifier = pool.quantifier(q);
                let vars: Vec<u32> = quantifier.vars.iter().map(|v| self.of_term[&(*v, false)]).collect();
                let patterns: Vec<Vec<u32>> = quantifier
                    .patterns
                    .iter()
                    .map(|pattern| pattern.iter().map(|p| self.of_term[&(*p, false)]).collect())
                    .collect();
                let mut text =
                    if matches!(op, Op::Forall(_)) { "forall (".to_string() } else { "exists (".to_string() };
                for (i, (&node, &var)) in vars.iter().zip(&quantifier.vars).enumerate() {
                    let Node::Leaf(name) = &self.nodes[node as usize] else { continue };
                    let space = if i == 0 { "" } else { " " };
                    text.push_str(&format!("{space}({name} {})", pool.show_sort(pool.sort(var))));
                }
                text.push(')');
                let binder = self.binders.len() as u32;
                self.binders.push(vars);
                return self.node(Node::Quantifier { text, binder, body: args[0], patterns });
            }
            Op::ConstArray => format!("(as const {})", pool.show_sort(sort)).into(),
            Op::BvExtract(hi, lo) => format!("(_ extract {hi} {lo})").into(),
            Op::BvZeroExt(n) => format!("(_ zero_extend {n})").into(),
            Op::BvSignExt(n) => format!("(_ sign_extend {n})").into(),
            Op::IntToBv(w) => format!("(_ int2bv {w})").into(),
            Op::Not | Op::Le | Op::Lt => "".into(), // handled above
            Op::And => "and".into(),
            Op::Or => "or".into(),
            Op::Eq => "=".into(),
            Op::Distinct => "distinct".into(),
            Op::Ite => "ite".into(),
            Op::RealDiv => "/".into(),
            Op::IntDiv => "div".into(),
            Op::Mod => "mod".into(),
            Op::Abs => "abs".into(),
            Op::ToReal => "to_real".into(),
            Op::ToInt => "to_int".into(),
            Op::IsInt => "is_int".into(),
            Op::Select => "select".into(),
            Op::Store => "store".into(),
            Op::ArrayDiff => "@diff".into(),
            Op::BvConcat => "concat".into(),
            Op::BvNot => "bvnot".into(),
            Op::BvNeg => "bvneg".into(),
            Op::BvAnd => "bvand".into(),
            Op::BvOr => "bvor".into(),
            Op::BvXor => "bvxor".into(),
            Op::BvAdd => "bvadd".into(),
            Op::BvSub => "bvsub".into(),
            Op::BvMul => "bvmul".into(),
            Op::BvUdiv => "bvudiv".into(),
            Op::BvUrem => "bvurem".into(),
            Op::BvSdiv => "bvsdiv".into(),
            Op::BvSrem => "bvsrem".into(),
            Op::BvSmod => "bvsmod".into(),
            Op::BvShl => "bvshl".into(),
            Op::BvLshr => "bvlshr".into(),
            Op::BvAshr => "bvashr".into(),
            Op::BvUlt => "bvult".into(),
            Op::BvUle => "bvule".into(),
            Op::BvSlt => "bvslt".into(),
            Op::BvSle => "bvsle".into(),
            Op::BvToNat => "bv2nat".into(),
        };
        self.app(head, args)
    }

    fn comparison(&mut self, c: crate::comparison::Comparison) -> u32 {
        let zero = Rational::zero();
        let to_the_left = c.constant.is_negative() && !c.right.is_empty();
        let (left_constant, right_constant) = if to_the_left { (-&c.constant, zero) } else { (zero, c.constant) };
        let left = self.sum(&c.left, &left_constant, c.sort);
        let right = self.sum(&c.right, &right_constant, c.sort);
        self.app(c.relation.symbol(), vec![left, right])
    }

    // ---- text ----

    fn children(&self, node: u32) -> Vec<u32> {
        match &self.nodes[node as usize] {
            Node::Leaf(_) => Vec::new(),
            Node::App(_, args) => args.clone(),
            Node::Quantifier { body, patterns, .. } => {
                let mut all = vec![*body];
                all.extend(patterns.iter().flatten());
                all
            }
        }
    }

    fn emit(&self, root: u32) -> String {
        let free = self.free_variables();
        let mut out = String::new();
        let mut names: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut n_names = 0;
        let mut in_scope: FastSet<u32> = FastSet::default();
        let mut stack = vec![Step::Scope(root)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Text(text) => out.push_str(&text),
                Step::Node(node) => {
                    if let Some(n) = names[node as usize] {
                        out.push_str(&format!(".s{n}"));
                    } else {
                        self.open(node, &mut out, &mut stack);
                    }
                }
                Step::Define(node) => {
                    n_names += 1;
                    // The name counts from here on; inside the definition itself the node is not used.
                    names[node as usize] = Some(n_names - 1);
                    out.push_str(&format!("(.s{} ", n_names - 1));
                    stack.push(Step::Text(")".into()));
                    self.open(node, &mut out, &mut stack);
                }
                Step::Enter(binder) => in_scope.extend(&self.binders[binder as usize]),
                Step::Leave(binder) => {
                    for var in &self.binders[binder as usize] {
                        in_scope.remove(var);
                    }
                }
                Step::Forget(nodes) => {
                    for node in nodes {
                        names[node as usize] = None;
                    }
                }
                Step::Scope(body) => {
                    let levels = self.shared(body, &names, &free, &in_scope);
                    let mut steps = Vec::new();
                    let n_levels = levels.len();
                    let all: Vec<u32> = levels.iter().flatten().copied().collect();
                    for level in levels {
                        steps.push(Step::Text("(let (".into()));
                        for (i, node) in level.into_iter().enumerate() {
                            if i > 0 {
                                steps.push(Step::Text(" ".into()));
                            }
                            steps.push(Step::Define(node));
                        }
                        steps.push(Step::Text(") ".into()));
                    }
                    steps.push(Step::Node(body));
                    steps.push(Step::Text(")".repeat(n_levels).into()));
                    steps.push(Step::Forget(all));
                    stack.extend(steps.into_iter().rev());
                }
            }
        }
        out
    }

    /// Writes the beginning of a node and leaves the rest on the stack.
    fn open(&self, node: u32, out: &mut String, stack: &mut Vec<Step>) {
        match &self.nodes[node as usize] {
            Node::Leaf(text) => out.push_str(text),
            Node::App(head, args) => {
                out.push('(');
                out.push_str(head);
                stack.push(Step::Text(")".into()));
                for &arg in args.iter().rev() {
                    stack.push(Step::Node(arg));
                    stack.push(Step::Text(" ".into()));
                }
            }
            Node::Quantifier { text, binder, body, patterns } => {
                out.push_str(&format!("({text} "));
                stack.push(Step::Leave(*binder));
                stack.push(Step::Text(")".into()));
                if !patterns.is_empty() {
                    out.push_str("(! ");
                    stack.push(Step::Text(")".into()));
                    for pattern in patterns.iter().rev() {
                        stack.push(Step::Text(")".into()));
                        for (i, &p) in pattern.iter().enumerate().rev() {
                            stack.push(Step::Node(p));
                            if i > 0 {
                                stack.push(Step::Text(" ".into()));
                            }
                        }
                        stack.push(Step::Text(" :pattern (".into()));
                    }
                }
                stack.push(Step::Scope(*body));
                stack.push(Step::Enter(*binder));
            }
        }
    }

    /// For each node the bound variables free in it, sorted (empty without quantifiers).
    fn free_variables(&self) -> Vec<Vec<u32>> {
        let mut free: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        if self.binders.is_empty() {
            return free;
        }
        let variables: FastSet<u32> = self.binders.iter().flatten().copied().collect();
        // Nodes are made after their parts.
        for node in 0..self.nodes.len() as u32 {
            let mut set: Vec<u32> = Vec::new();
            if variables.contains(&node) {
                set.push(node);
            }
            for child in self.children(node) {
                set.extend_from_slice(&free[child as usize]);
            }
            set.sort_unstable();
            set.dedup();
            if let Node::Quantifier { binder, .. } = &self.nodes[node as usize] {
                set.retain(|v| !self.binders[*binder as usize].contains(v));
            }
            free[node as usize] = set;
        }
        free
    }

    /// The nodes to bind on entering a scope: compound, used more than once below `body`, not yet
    /// named, and with all their variables in scope; grouped so that each group needs only the
    /// groups before it.
    fn shared(&self, body: u32, names: &[Option<u32>], free: &[Vec<u32>], in_scope: &FastSet<u32>) -> Vec<Vec<u32>> {
        let mut uses: FastMap<u32, u32> = FastMap::default();
        let mut order = Vec::new();
        let mut stack = vec![body];
        uses.insert(body, 1);
        while let Some(node) = stack.pop() {
            order.push(node);
            for child in self.children(node) {
                if names[child as usize].is_some() {
                    continue;
                }
                let count = uses.entry(child).or_insert(0);
                *count += 1;
                if *count == 1 {
                    stack.push(child);
                }
            }
        }
        order.sort_unstable(); // parts before wholes
        let is_bound = |node: u32| {
            uses[&node] > 1
                && !matches!(self.nodes[node as usize], Node::Leaf(_))
                && free[node as usize].iter().all(|v| in_scope.contains(v))
        };
        let mut height: FastMap<u32, usize> = FastMap::default();
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for node in order {
            let below = self.children(node).iter().filter_map(|c| height.get(c).copied()).max().unwrap_or(0);
            if is_bound(node) {
                if levels.len() <= below {
                    levels.push(Vec::new());
                }
                levels[below].push(node);
                height.insert(node, below + 1);
            } else {
                height.insert(node, below);
            }
        }
        levels
    }
}

enum Step {
    Text(Cow<'static, str>),
    Node(u32),
    Define(u32),
    Scope(u32),
    Enter(u32),
    Leave(u32),
    Forget(Vec<u32>),
}

/// A positive fraction as an exact decimal, if it has one of at most six digits.
fn short_decimal(value: &Rational) -> Option<String> {
    let mut scale = Rational::one();
    for digits in 1..=6 {
        scale = &scale * &Rational::from(10);
        let scaled = value * &scale;
        if scaled.is_integer() {
            let text = format!("{:0>width$}", scaled.to_string(), width = digits + 1);
            let (whole, fraction) = text.split_at(text.len() - digits);
            return Some(format!("{whole}.{fraction}"));
        }
    }
    None
}

fn bv_literal(pool: &TermPool, t: TermId) -> String {
    let Some((value, width)) = pool.bv_number(t) else { return String::new() };
    let value = value.numer();
    let width = width as usize;
    if width.is_multiple_of(4) {
        format!("#x{:0>pad$}", value.in_radix(16).to_string(), pad = width / 4)
    } else {
        format!("#b{:0>width$}", value.in_radix(2).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_short() {
        let mut p = TermPool::new();
        let x = p.constant("x", SortId::INT);
        let y = p.constant("y", SortId::INT);
        let five = p.int(5);
        let lt = p.lt(x, y);
        assert_eq!(p.smtlib(lt), "(< x y)");
        let gt = p.gt(x, five);
        assert_eq!(p.smtlib(gt), "(> x 5)");
        let minus_five = p.int(-5);
        let sum = p.add(&[y, minus_five]);
        let le = p.le(x, sum);
        assert_eq!(p.smtlib(le), "(<= (+ x 5) y)");
        let e = p.eq(x, minus_five);
        assert_eq!(p.smtlib(e), "(= x (- 5))");
    }

    #[test]
    fn numbers() {
        let mut p = TermPool::new();
        for (num, den, text) in [
            (1, 2, "0.5"),
            (-1, 3, "(- (/ 1.0 3.0))"),
            (4, 1, "4.0"),
            (-4, 1, "(- 4.0)"),
            (5, 100, "0.05"),
            (25, 2, "12.5"),
        ] {
            let t = p.real_num(Rational::ratio(num, den));
            assert_eq!(p.smtlib(t), text);
        }
        let b = p.bv_num(10.into(), 8);
        assert_eq!(p.smtlib(b), "#x0a");
        let b = p.bv_num(5.into(), 5);
        assert_eq!(p.smtlib(b), "#b00101");
    }

    #[test]
    fn sharing_is_linear() {
        let mut p = TermPool::new();
        let f = p.declare_fun("f", &[SortId::INT, SortId::INT], SortId::INT);
        let mut t = p.constant("|", SortId::INT);
        for _ in 0..1000 {
            t = p.app(f, &[t, t]);
        }
        let text = p.smtlib(t);
        assert!(text.len() < 50_000);
        assert!(text.contains("(f .s0 .s0)"));
    }

    #[test]
    fn bindings_respect_scopes() {
        let mut p = TermPool::new();
        let f = p.declare_fun("f", &[SortId::INT], SortId::INT);
        let x = p.fresh_bound("x", SortId::INT);
        let free_x = p.constant("x", SortId::INT);
        let (fx, ffree) = (p.app(f, &[x]), p.app(f, &[free_x]));
        let ffx = p.app(f, &[fx]);
        let ff_free = p.app(f, &[ffree]);
        let a = p.eq(fx, ffree);
        let b = p.le(ffx, ff_free);
        let body = p.or2(a, b);
        let all = p.forall(&[x], vec![vec![fx]], body);
        assert_eq!(
            p.smtlib(all),
            "(let ((.s0 (f x))) (forall ((x!1 Int)) (! (let ((.s1 (f x!1))) (or (= .s1 .s0) (<= (f .s1) (f .s0)))) \
             :pattern ((f x!1)))))"
        );
    }
}
