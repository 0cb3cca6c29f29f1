//! Terms for people: `x + 1 <= y && a[i] == 0`, in the manner of Boogie.
//!
//! Operators bind as in Boogie, from weak to strong: `<==>`, `&&` and `||`, comparisons, `++`,
//! `+ -`, `* / div mod`, `! -`, then `a[i]` and calls. Names can be replaced by a hook, which is
//! how a formula is carried back to the words of the source language.
//!
//! A tree has no sharing; text longer than a limit of nodes helps nobody, so beyond it
//! [`TermPool::infix_with`] returns `None` and [`TermPool::infix`] falls back to SMT-LIB with `let`.

use crate::FastMap;
use crate::comparison::comparison;
use crate::rational::Rational;
use crate::sort::{Sort, SortId};
use crate::term::{Op, TermId, TermPool};

/// Replaces the text of a term (usually a variable); `None` means: print as usual.
pub type Rename<'a> = dyn Fn(&TermPool, TermId) -> Option<String> + 'a;

/// The largest tree that [`TermPool::infix`] prints without sharing.
const MAX_NODES: u64 = 20_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Prec {
    Iff,
    /// `&&` and `||`, which Boogie does not let mix without parentheses.
    Junction,
    Compare,
    Concat,
    Sum,
    Product,
    Unary,
    Atom,
}

#[derive(Clone)]
struct Text {
    text: String,
    prec: Prec,
}

impl Text {
    fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), prec: Prec::Atom }
    }
    /// In parentheses unless it binds at least as strongly as asked.
    fn at(&self, prec: Prec) -> String {
        if self.prec >= prec { self.text.clone() } else { format!("({})", self.text) }
    }
    /// In parentheses unless it binds more strongly.
    fn above(&self, prec: Prec) -> String {
        if self.prec > prec { self.text.clone() } else { format!("({})", self.text) }
    }
}

impl TermPool {
    /// Infix text of a term.
    pub fn infix(&self, t: TermId) -> String {
        self.infix_with(t, MAX_NODES, &|_, _| None).unwrap_or_else(|| self.smtlib(t))
    }

    /// Infix text with names replaced; `None` if the tree has more than `max_nodes` nodes.
    pub fn infix_with(&self, t: TermId, max_nodes: u64, rename: &Rename) -> Option<String> {
        let mut sizes: FastMap<TermId, u64> = FastMap::default();
        self.visit_postorder(&[t], |t| {
            let size = self.args(t).iter().fold(1u64, |acc, a| acc.saturating_add(sizes[a]));
            sizes.insert(t, size);
        });
        if sizes[&t] > max_nodes {
            return None;
        }
        let mut texts: FastMap<TermId, Text> = FastMap::default();
        let mut order = Vec::new();
        self.visit_postorder(&[t], |t| order.push(t));
        for &u in &order {
            let text = match rename(self, u) {
                Some(text) => Text::atom(text),
                None => self.infix_one(u, &texts, rename),
            };
            texts.insert(u, text);
        }
        texts.remove(&t).map(|t| t.text)
    }

    /// The text of a sort in Boogie's words.
    pub fn infix_sort(&self, sort: SortId) -> String {
        match self.sort_data(sort) {
            Sort::Bool => "bool".to_string(),
            Sort::Int => "int".to_string(),
            Sort::Real => "real".to_string(),
            Sort::BitVec(w) => format!("bv{w}"),
            Sort::Array(i, e) => format!("[{}]{}", self.infix_sort(*i), self.infix_sort(*e)),
            Sort::Uninterpreted(name) => name.clone(),
        }
    }

    fn infix_one(&self, t: TermId, texts: &FastMap<TermId, Text>, rename: &Rename) -> Text {
        let args: Vec<&Text> = self.args(t).iter().map(|a| &texts[a]).collect();
        let joined = |separator: &str, prec: Prec| {
            let parts: Vec<String> = args.iter().map(|a| a.above(prec)).collect();
            Text { text: parts.join(separator), prec }
        };
        let call = |name: &str| {
            let parts: Vec<&str> = args.iter().map(|a| a.text.as_str()).collect();
            Text::atom(format!("{name}({})", parts.join(", ")))
        };
        match self.op(t) {
            Op::True => Text::atom("true"),
            Op::False => Text::atom("false"),
            Op::Num(_) => {
                let value = self.number(t).cloned().unwrap_or_default();
                infix_number(&value, self.sort(t))
            }
            Op::BvNum(_) => match self.bv_number(t) {
                Some((value, width)) => Text::atom(format!("{value}bv{width}")),
                None => Text::atom("?"),
            },
            Op::App(f) if args.is_empty() => Text::atom(self.name(f)),
            Op::App(f) => call(self.name(f)),
            Op::Not => self.infix_not(self.arg(t, 0), texts),
            Op::And => joined(" && ", Prec::Junction),
            Op::Or => joined(" || ", Prec::Junction),
            Op::Eq if self.sort(self.arg(t, 0)) == SortId::BOOL => joined(" <==> ", Prec::Iff),
            Op::Eq => joined(" == ", Prec::Compare),
            Op::Distinct => call("distinct"),
            Op::Ite => Text::atom(format!("(if {} then {} else {})", args[0].text, args[1].text, args[2].text)),
            Op::Add => {
                let linear = self.linear(t);
                self.infix_sum(&linear.terms, &linear.constant, self.sort(t), texts)
            }
            Op::Mul => match self.linear(t).terms.as_slice() {
                [(base, factor)] if *base != t => {
                    self.infix_sum(&[(*base, factor.clone())], &Rational::zero(), self.sort(t), texts)
                }
                _ => {
                    let parts: Vec<String> = args.iter().map(|a| a.above(Prec::Product)).collect();
                    Text { text: parts.join(" * "), prec: Prec::Product }
                }
            },
            Op::Le | Op::Lt => self.infix_comparison(t, false, texts),
            Op::RealDiv => joined(" / ", Prec::Product),
            Op::IntDiv => joined(" div ", Prec::Product),
            Op::Mod => joined(" mod ", Prec::Product),
            Op::Abs => call("abs"),
            Op::ToReal => call("real"),
            Op::ToInt => call("int"),
            Op::IsInt => call("is_int"),
            Op::Select => Text::atom(format!("{}[{}]", args[0].at(Prec::Atom), args[1].text)),
            Op::Store => Text::atom(format!("{}[{} := {}]", args[0].at(Prec::Atom), args[1].text, args[2].text)),
            Op::ConstArray => call("const"),
            Op::ArrayDiff => call("diff"),
            Op::BvConcat => joined(" ++ ", Prec::Concat),
            // Boogie's upper bound is exclusive.
            Op::BvExtract(hi, lo) => Text::atom(format!("{}[{}:{lo}]", args[0].at(Prec::Atom), hi + 1)),
            Op::BvNot => call("bvnot"),
            Op::BvNeg => call("bvneg"),
            Op::BvAnd => call("bvand"),
            Op::BvOr => call("bvor"),
            Op::BvXor => call("bvxor"),
            Op::BvAdd => call("bvadd"),
            Op::BvSub => call("bvsub"),
            Op::BvMul => call("bvmul"),
            Op::BvUdiv => call("bvudiv"),
            Op::BvUrem => call("bvurem"),
            Op::BvSdiv => call("bvsdiv"),
            Op::BvSrem => call("bvsrem"),
            Op::BvSmod => call("bvsmod"),
            Op::BvShl => call("bvshl"),
            Op::BvLshr => call("bvlshr"),
            Op::BvAshr => call("bvashr"),
            Op::BvUlt => call("bvult"),
            Op::BvUle => call("bvule"),
            Op::BvSlt => call("bvslt"),
            Op::BvSle => call("bvsle"),
            Op::BvZeroExt(n) => call(&format!("zero_extend{n}")),
            Op::BvSignExt(n) => call(&format!("sign_extend{n}")),
            Op::BvToNat => call("bv2nat"),
            Op::IntToBv(w) => call(&format!("int2bv{w}")),
            Op::Forall(q) | Op::Exists(q) => {
                let word = if matches!(self.op(t), Op::Forall(_)) { "forall" } else { "exists" };
                let vars: Vec<String> = self
                    .quantifier(q)
                    .vars
                    .iter()
                    .map(|&v| {
                        let name = rename(self, v)
                            .or_else(|| self.as_symbol(v).map(|f| self.name(f).to_string()))
                            .unwrap_or_default();
                        format!("{name}: {}", self.infix_sort(self.sort(v)))
                    })
                    .collect();
                Text::atom(format!("({word} {} :: {})", vars.join(", "), args[0].text))
            }
        }
    }

    fn infix_not(&self, inner: TermId, texts: &FastMap<TermId, Text>) -> Text {
        match self.op(inner) {
            Op::Le | Op::Lt => self.infix_comparison(inner, true, texts),
            Op::Eq if self.sort(self.arg(inner, 0)) != SortId::BOOL => {
                let parts: Vec<String> = self.args(inner).iter().map(|a| texts[a].above(Prec::Compare)).collect();
                Text { text: parts.join(" != "), prec: Prec::Compare }
            }
            _ => Text { text: format!("!{}", texts[&inner].at(Prec::Unary)), prec: Prec::Unary },
        }
    }

    fn infix_comparison(&self, atom: TermId, negated: bool, texts: &FastMap<TermId, Text>) -> Text {
        let Some(c) = comparison(self, atom, negated) else { return Text::atom("?") };
        let left = self.infix_sum(&c.left, &Rational::zero(), c.sort, texts);
        let right = self.infix_sum(&c.right, &c.constant, c.sort, texts);
        let text = format!("{} {} {}", left.above(Prec::Compare), c.relation.symbol(), right.above(Prec::Compare));
        Text { text, prec: Prec::Compare }
    }

    fn infix_sum(
        &self,
        terms: &[(TermId, Rational)],
        constant: &Rational,
        sort: SortId,
        texts: &FastMap<TermId, Text>,
    ) -> Text {
        let mut parts: Vec<(bool, Text)> = Vec::with_capacity(terms.len() + 1);
        // A positive summand first reads better than a leading minus.
        let first = terms.iter().position(|(_, c)| c.is_positive()).unwrap_or(0);
        let rotated =
            terms.iter().skip(first).take(1).chain(terms.iter().take(first)).chain(terms.iter().skip(first + 1));
        for (t, c) in rotated {
            let factor = c.abs();
            let text = if factor.is_one() {
                texts[t].clone()
            } else {
                let number = infix_number(&factor, sort).at(Prec::Unary);
                Text { text: format!("{number} * {}", texts[t].at(Prec::Product)), prec: Prec::Product }
            };
            parts.push((c.is_negative(), text));
        }
        if parts.is_empty() || !constant.is_zero() {
            if parts.is_empty() {
                return infix_number(constant, sort);
            }
            parts.push((constant.is_negative(), infix_number(&constant.abs(), sort)));
        }
        if let [(false, only)] = parts.as_slice() {
            return only.clone();
        }
        let mut text = String::new();
        let n_parts = parts.len();
        for (i, (negative, part)) in parts.iter().enumerate() {
            match (i, negative) {
                (0, false) => {}
                (0, true) => text.push('-'),
                (_, false) => text.push_str(" + "),
                (_, true) => text.push_str(" - "),
            }
            text.push_str(&if *negative { part.above(Prec::Sum) } else { part.at(Prec::Sum) });
        }
        let prec = if n_parts == 1 { Prec::Unary } else { Prec::Sum };
        // A lone `-2 * x` binds as a product.
        let prec = if n_parts == 1 && parts[0].1.prec == Prec::Product { Prec::Product } else { prec };
        Text { text, prec }
    }
}

fn infix_number(value: &Rational, sort: SortId) -> Text {
    let prec = match (value.is_negative(), value.is_integer()) {
        (_, false) => Prec::Product,
        (true, true) => Prec::Unary,
        (false, true) => Prec::Atom,
    };
    let text = match (sort == SortId::REAL, value.is_integer()) {
        (true, true) => format!("{value}.0"),
        (true, false) => format!("{}.0 / {}.0", value.numer(), value.denom()),
        (false, _) => value.to_string(),
    };
    Text { text, prec }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_like_boogie() {
        let mut p = TermPool::new();
        let x = p.constant("x", SortId::INT);
        let y = p.constant("y", SortId::INT);
        let arrays = p.array_sort(SortId::INT, SortId::INT);
        let a = p.constant("a", arrays);
        let five = p.int(5);
        let one = p.int(1);
        let zero = p.int(0);
        let le = p.le(x, five);
        let gt = p.not(le);
        assert_eq!(p.infix(gt), "x > 5");
        let x1 = p.add(&[x, one]);
        let first = p.le(x1, y);
        assert_eq!(p.infix(first), "x < y");
        let ax = p.select(a, x1);
        let second = p.eq(ax, zero);
        assert_eq!(p.infix(second), "a[x + 1] == 0");
        let both = p.and(&[second, gt]);
        let diff = p.eq(x, y);
        let diff = p.not(diff);
        let or = p.or(&[both, diff]);
        let negated = p.not(or);
        assert_eq!(p.infix(diff), "x != y");
        let text = p.infix(negated);
        assert!(text.starts_with("!(") && text.contains("(x > 5 && a[x + 1] == 0)"), "{text}");
        let two_x = p.scale(x, &Rational::from(-2));
        let three = p.int(3);
        let s = p.sub(two_x, three);
        assert_eq!(p.infix(s), "-2 * x - 3");
        let s = p.add(&[two_x, y]);
        assert_eq!(p.infix(s), "y - 2 * x");
        let m = p.modulo(s, three);
        assert_eq!(p.infix(m), "(x + y) mod 3");
        let renamed = p.infix_with(gt, 100, &|_, t| (t == x).then(|| "c_x".to_string()));
        assert_eq!(renamed.as_deref(), Some("c_x > 5"));
    }

    #[test]
    fn shared_terms_do_not_explode() {
        let mut p = TermPool::new();
        let f = p.declare_fun("f", &[SortId::INT, SortId::INT], SortId::INT);
        let mut t = p.constant("x", SortId::INT);
        for _ in 0..200 {
            t = p.app(f, &[t, t]);
        }
        assert!(p.infix(t).starts_with("(let"));
    }
}
