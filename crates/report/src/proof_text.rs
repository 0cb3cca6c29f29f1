//! What a proof says about memory, in a small extension of C for people (`docs/proofs.md`).
//!
//! [`crate::c_expression`] says what a compiler can read. Facts about memory are beyond that: which blocks are alive,
//! how large they are, what all elements of an array have in common. They are said with `heap(p)`, `alive(p)`,
//! `freed(p)`, `size(p)`, `base(p)`, ranges `a[0..i - 1] == 0` and `\forall`. Numbers are mathematical integers here.
//! Nothing of this goes into witnesses.
//!
//! A formula is said wholly or not at all: what speaks of a value that has no name in the program (a temporary of the
//! front end) has no text.

use crate::c_expression::to_i128;
use ir::source::{SourcePlace, SourceTable, SourceType, TargetScalar};
use ir::{Icfg, VarId, VarKind, VarRole};
use logic::{FastMap, Op, Rational, SortId, TermId, TermPool};

/// Larger formulas have no text.
const MAX_NODES: u64 = 2_000;

/// Terms with their factors, and a number.
type Sum = (Vec<(TermId, i128)>, i128);

/// What a constant of a formula stands for.
#[derive(Clone, Debug)]
pub(crate) enum Word<'a> {
    Value(String),
    /// An address.
    Pointer(String),
    /// A variable of another activation or block.
    Outside(String),
    /// An array of the program, which is no part of memory.
    Array(&'a SourcePlace),
    /// A part of memory, by address: the scalars that stand in it, each with the size of the objects that it is a
    /// member of.
    Memory(Vec<(&'a TargetScalar, i128)>),
    /// The states of objects, by their start.
    States,
    /// Their sizes.
    Sizes,
    /// Where the object starts that this value points into.
    BaseOf(TermId),
}

/// How often an identifier stands in a text.
fn n_words(text: &str, word: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| *w == word).count()
}

/// `valid(p)` for what it stands for: the object of `p` is alive, and `p` points into it.
pub(crate) fn with_validity(parts: &mut Vec<String>) {
    let inside = |p: &str| format!("{p} < base({p}) + size({p})");
    let pointers: Vec<String> = parts
        .iter()
        .filter_map(|part| part.split_once(" < ").filter(|(p, _)| inside(p) == *part).map(|(p, _)| p.to_string()))
        .collect();
    for p in pointers {
        let has = |text: String| parts.contains(&text);
        let is_alive = has(format!("alive({p})")) || has(format!("heap({p})"));
        let is_above = has(format!("{p} >= base({p})")) || has(format!("{p} == base({p})"));
        if is_alive && is_above {
            let said = [inside(&p), format!("{p} >= base({p})"), format!("alive({p})")];
            parts.retain(|part| !said.contains(part));
            parts.push(format!("valid({p})"));
        }
    }
}

/// Words for the constants of a formula.
pub(crate) struct Vocabulary<'a> {
    pool: &'a TermPool,
    words: FastMap<TermId, Word<'a>>,
}

/// The words for memory and its bookkeeping. `original`: the variable of the program that a variable of the graph
/// stands for.
pub(crate) fn words_of_memory<'a>(
    pool: &TermPool,
    icfg: &Icfg,
    table: &'a SourceTable,
    original: impl Fn(VarId) -> VarId,
) -> FastMap<TermId, Word<'a>> {
    let mut words = FastMap::default();
    let is_bookkeeping = |id: VarId| {
        let variable = &icfg.vars[id];
        variable.kind == VarKind::Global && variable.span.is_none() && !table.places.contains_key(&original(id))
    };
    for (id, variable) in icfg.vars.iter() {
        let scalars = || {
            let own = |s: &&TargetScalar| s.array == original(id);
            let of_target = |t: &'a ir::source::SourceTarget| t.scalars.iter().filter(own).map(|s| (s, t.size));
            table.targets.iter().flat_map(of_target).collect::<Vec<_>>()
        };
        let word = match variable.role {
            VarRole::BlockStates => Word::States,
            VarRole::BlockSizes => Word::Sizes,
            VarRole::AddressCounter => Word::Value("fresh".to_string()),
            VarRole::BaseOf(of) => Word::BaseOf(icfg.term(of)),
            // Bookkeeping of the front end: parts of memory, and numbers.
            VarRole::Plain if is_bookkeeping(id) && pool.array_parts(variable.sort).is_some() => {
                Word::Memory(scalars())
            }
            VarRole::Plain if is_bookkeeping(id) => Word::Value(variable.name.trim_start_matches('#').to_string()),
            _ => continue,
        };
        words.insert(variable.term, word);
    }
    // The address of an object with an own one each time its block is entered.
    for (id, variable) in icfg.vars.iter().filter(|(_, v)| v.role == VarRole::AddressOfLocal) {
        let cell = table.cells.iter().find(|c| c.base == Some(original(id)) && c.offset == 0);
        if let Some(name) = cell.and_then(|c| table.names.get(c.place.name)) {
            words.insert(variable.term, Word::Pointer(format!("&{}", name.name)));
        }
    }
    words
}

impl<'a> Vocabulary<'a> {
    pub(crate) fn new(pool: &'a TermPool, words: FastMap<TermId, Word<'a>>) -> Vocabulary<'a> {
        Vocabulary { pool, words }
    }

    /// Does a constant have a word?
    fn has(&self, constant: TermId) -> bool {
        self.words.contains_key(&constant)
    }

    /// Does a constant have a word, and belong to the place?
    pub(crate) fn is_here(&self, constant: TermId) -> bool {
        self.words.get(&constant).is_some_and(|w| !matches!(w, Word::Outside(_)))
    }

    /// The text of a formula, if every constant in it has a word.
    pub(crate) fn formula(&self, formula: TermId) -> Option<String> {
        let known = |t: &TermId| self.has(*t);
        self.pool.free_constants(formula).iter().all(known).then(|| self.text(formula))?
    }

    fn text(&self, t: TermId) -> Option<String> {
        self.pool.infix_with(t, MAX_NODES, &|_, t| self.word(t))
    }

    /// What is not said as everywhere.
    fn word(&self, t: TermId) -> Option<String> {
        let pool = self.pool;
        match pool.op(t) {
            Op::App(f) if pool.args(t).is_empty() => match self.words.get(&t) {
                Some(Word::Value(text)) => Some(text.clone()),
                Some(Word::Array(place)) => Some(place.text_at(&[])),
                Some(Word::BaseOf(of)) => Some(format!("base({})", self.text(*of)?)),
                Some(Word::Memory(_)) => Some("memory".to_string()),
                Some(Word::States) => Some("state".to_string()),
                Some(Word::Sizes) => Some("size".to_string()),
                Some(Word::Pointer(text) | Word::Outside(text)) => Some(text.clone()),
                None => Some(self.bound_name(pool.name(f))),
            },
            Op::Select => self.element(pool.arg(t, 0), pool.arg(t, 1)),
            Op::Eq => self.equation(pool.arg(t, 0), pool.arg(t, 1), true),
            Op::Not if pool.op(pool.arg(t, 0)) == Op::Eq => {
                let inner = pool.arg(t, 0);
                self.equation(pool.arg(inner, 0), pool.arg(inner, 1), false)
            }
            Op::Le | Op::Lt => self.state_bound(t, true),
            Op::Not => self.state_bound(pool.arg(t, 0), false),
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.text(pool.arg(t, i)));
                Some(format!("({} ? {} : {})", c?, a?, b?))
            }
            Op::Forall(q) | Op::Exists(q) => {
                let body = pool.arg(t, 0);
                let vars = &pool.quantifier(q).vars;
                if let (Op::Forall(_), [var]) = (pool.op(t), &vars[..]) {
                    return self.for_all(*var, body);
                }
                let word = if matches!(pool.op(t), Op::Forall(_)) { "forall" } else { "exists" };
                let vars: Option<Vec<String>> = vars.iter().map(|&v| self.word(v)).collect();
                Some(format!("(\\{word} int {}; {})", vars?.join(", "), self.text(body)?))
            }
            _ => None,
        }
    }

    /// An equation that says something in other words: a state of an object, or the truth of a condition.
    fn equation(&self, a: TermId, b: TermId, positive: bool) -> Option<String> {
        let pool = self.pool;
        let number = |t: TermId| pool.number(t).and_then(to_i128);
        for (condition, value) in [(a, b), (b, a)] {
            if pool.op(condition) == Op::Ite
                && number(value) == Some(0)
                && [1, 2].map(|i| number(pool.arg(condition, i))) == [Some(1), Some(0)]
            {
                let condition = self.text(pool.arg(condition, 0))?;
                return Some(if positive { format!("!({condition})") } else { format!("({condition})") });
            }
        }
        self.state(a, b, positive)
    }

    /// The state of an object, bounded by a number: there are three of them.
    fn state_bound(&self, atom: TermId, positive: bool) -> Option<String> {
        let (terms, constant) = self.at_most_zero(atom, positive)?;
        let [(state, factor)] = terms[..] else { return None };
        let object = self.object(self.state_of(state)?)?;
        match (factor, constant) {
            (1, 0) => Some(format!("freed({object})")),
            (-1, 1) => Some(format!("alive({object})")),
            (-1, 2) => Some(format!("heap({object})")),
            _ => None,
        }
    }

    /// The state of an object, compared with a number.
    fn state(&self, a: TermId, b: TermId, positive: bool) -> Option<String> {
        let pool = self.pool;
        let (object, number) = match (self.state_of(a), self.state_of(b)) {
            (Some(object), _) => (object, b),
            (_, Some(object)) => (object, a),
            _ => return None,
        };
        let object = self.object(object)?;
        Some(match (to_i128(pool.number(number)?)?, positive) {
            (0, true) => format!("freed({object})"),
            (0, false) => format!("alive({object})"),
            (1, _) => format!("{}variable({object})", if positive { "" } else { "!" }),
            (2, _) => format!("{}heap({object})", if positive { "" } else { "!" }),
            _ => return None,
        })
    }

    fn state_of(&self, t: TermId) -> Option<TermId> {
        let is_state =
            self.pool.op(t) == Op::Select && matches!(self.words.get(&self.pool.arg(t, 0)), Some(Word::States));
        is_state.then(|| self.pool.arg(t, 1))
    }

    /// An object, by a pointer into it or by its address.
    fn object(&self, address: TermId) -> Option<String> {
        if let Some(Word::BaseOf(of)) = self.words.get(&address) {
            return self.text(*of);
        }
        if self.pool.op(address) == Op::Select
            && let Some(Word::BaseOf(of)) = self.words.get(&self.pool.arg(address, 0))
        {
            return self.element(*of, self.pool.arg(address, 1));
        }
        self.text(address)
    }

    fn element(&self, array: TermId, index: TermId) -> Option<String> {
        match self.words.get(&array)? {
            Word::Value(name) | Word::Pointer(name) | Word::Outside(name) => {
                Some(format!("{name}[{}]", self.text(index)?))
            }
            Word::Array(place) => self.of_array(place, index),
            Word::Memory(scalars) => self.of_memory(scalars, index),
            Word::States => Some(format!("state({})", self.object(index)?)),
            Word::Sizes => Some(format!("size({})", self.object(index)?)),
            Word::BaseOf(of) => Some(format!("base({})", self.element(*of, index)?)),
        }
    }

    /// An element of an array of the program, whose dimensions stand one after the other in it.
    fn of_array(&self, place: &SourcePlace, index: TermId) -> Option<String> {
        let linear = self.pool.linear(index);
        let mut terms: Vec<(TermId, i128)> =
            linear.terms.iter().map(|(t, c)| Some((*t, to_i128(c)?))).collect::<Option<_>>()?;
        let mut constant = to_i128(&linear.constant)?;
        let mut indices = Vec::new();
        for i in 0..place.lengths.len() {
            // How many elements one step of this index skips.
            let behind: Option<i128> = place.lengths[i + 1..].iter().map(|l| l.map(i128::from)).product();
            let behind = behind.filter(|b| *b > 0)?;
            let (own, rest): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, c)| c % behind == 0);
            terms = rest;
            let own: Vec<(TermId, i128)> = own.into_iter().map(|(t, c)| (t, c / behind)).collect();
            indices.push(self.sum(&own, constant.div_euclid(behind))?);
            constant = constant.rem_euclid(behind);
        }
        Some(place.text_at(&indices))
    }

    /// Is a value an address, as far as its word says?
    fn is_pointer(&self, t: TermId) -> bool {
        match self.words.get(&t) {
            Some(Word::Pointer(_) | Word::BaseOf(_)) => true,
            Some(_) => false,
            None if self.pool.op(t) == Op::Select => match self.words.get(&self.pool.arg(t, 0)) {
                Some(Word::Memory(scalars)) => scalars.iter().any(|(s, _)| s.ty == SourceType::Pointer),
                Some(Word::BaseOf(_)) => true,
                _ => false,
            },
            // A bound variable that memory is read at.
            None => self.pool.args(t).is_empty() && self.pool.number(t).is_none(),
        }
    }

    /// The name of a bound variable: its own, unless something of the program is called so.
    fn bound_name(&self, name: &str) -> String {
        let own = name.split('!').next().unwrap_or(name);
        let is_taken = |name: &str| {
            self.words.values().any(|w| match w {
                Word::Value(text) | Word::Pointer(text) | Word::Outside(text) => text == name,
                Word::Array(place) => place.text_at(&[]) == name,
                Word::Memory(_) | Word::States | Word::Sizes | Word::BaseOf(_) => false,
            })
        };
        let others = ["q", "k", "r"].into_iter().map(str::to_string);
        let numbered = (1..).map(|n| format!("{own}{n}"));
        let mut names = std::iter::once(own.to_string()).chain(others).chain(numbered);
        names.find(|n| !is_taken(n)).unwrap_or_default()
    }

    /// What stands at an address.
    fn of_memory(&self, scalars: &[(&TargetScalar, i128)], address: TermId) -> Option<String> {
        let pool = self.pool;
        let linear = pool.linear(address);
        let terms: Vec<(TermId, i128)> =
            linear.terms.iter().map(|(t, c)| Some((*t, to_i128(c)?))).collect::<Option<_>>()?;
        let constant = to_i128(&linear.constant)?;
        let one = |terms: &[(TermId, i128)]| terms.iter().position(|(t, c)| *c == 1 && self.is_pointer(*t));
        for &(scalar, size) in scalars {
            let Some(at) = one(&terms).filter(|_| size > 0) else { continue };
            let pointer = self.text(terms[at].0)?;
            let others: Vec<(TermId, i128)> =
                terms.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, t)| *t).collect();
            let distance = constant - scalar.offset;
            if distance % size != 0 || others.iter().any(|(_, c)| c % size != 0) {
                continue;
            }
            let others: Vec<(TermId, i128)> = others.into_iter().map(|(t, c)| (t, c / size)).collect();
            if others.is_empty() {
                return Some(scalar.text_behind(&pointer, distance / size));
            }
            let index = self.sum(&others, distance / size)?;
            return Some(format!("{pointer}[{index}]{}", scalar.path));
        }
        let address = self.text(address)?;
        match scalars.first() {
            Some((scalar, _)) if scalar.offset == 0 => Some(scalar.text_behind(&format!("({address})"), 0)),
            _ => Some(format!("*({address})")),
        }
    }

    fn sum(&self, terms: &[(TermId, i128)], constant: i128) -> Option<String> {
        let mut text = String::new();
        let positive_first = terms.iter().filter(|t| t.1 > 0).chain(terms.iter().filter(|t| t.1 <= 0));
        for &(t, c) in positive_first {
            let part = self.text(t)?;
            let part = if c.abs() == 1 { part } else { format!("{} * {part}", c.abs()) };
            match (text.is_empty(), c < 0) {
                (true, false) => {}
                (true, true) => text.push('-'),
                (false, false) => text.push_str(" + "),
                (false, true) => text.push_str(" - "),
            }
            text.push_str(&part);
        }
        match constant {
            0 if !text.is_empty() => {}
            _ if text.is_empty() => text = constant.to_string(),
            c if c < 0 => text.push_str(&format!(" - {}", -c)),
            c => text.push_str(&format!(" + {c}")),
        }
        Some(text)
    }

    /// A fact about all values of a variable: between bounds as `a[lo..hi] == x` where the variable is an index of
    /// elements and nothing else, otherwise with the condition first.
    fn for_all(&self, var: TermId, body: TermId) -> Option<String> {
        let mut parts = Vec::new();
        self.disjuncts(body, true, &mut parts);
        let (mut lower, mut upper, mut rest, mut conditions) = (None, None, Vec::new(), Vec::new());
        for &(part, positive) in &parts {
            match self.bound(var, part, positive) {
                // What holds outside the range: `k < lo` or `k > hi`.
                Some((true, (terms, constant))) if lower.is_none() => lower = Some(self.sum(&terms, constant)?),
                Some((false, (terms, constant))) if upper.is_none() => upper = Some(self.sum(&terms, constant)?),
                _ if positive => rest.push(part),
                _ => conditions.push(part),
            }
        }
        // What must not be is what must be otherwise.
        let facts: Vec<(TermId, bool)> = match (rest.is_empty(), conditions.pop()) {
            (true, Some(condition)) => vec![(condition, false)],
            (_, last) => {
                conditions.extend(last);
                rest.into_iter().map(|t| (t, true)).collect()
            }
        };
        let facts: Option<Vec<String>> = facts.into_iter().map(|(t, positive)| self.literal(t, positive)).collect();
        let facts = facts?;
        let name = self.word(var)?;
        if let (Some(lower), Some(upper), [text], []) = (&lower, &upper, &facts[..], &conditions[..]) {
            let index = format!("[{name}]");
            let n_elements = text.matches(index.as_str()).count();
            if n_elements > 0 && n_elements == n_words(text, &name) && !text.contains("||") {
                let range = if lower == upper { format!("[{lower}]") } else { format!("[{lower}..{upper}]") };
                return Some(text.replace(&index, &range));
            }
        }
        let mut said: Vec<String> = Vec::new();
        said.extend(lower.map(|lower| format!("{name} >= {lower}")));
        said.extend(upper.map(|upper| format!("{name} <= {upper}")));
        for &condition in &conditions {
            let text = self.text(condition)?;
            said.push(if text.contains("||") { format!("({text})") } else { text });
        }
        let fact = match &facts[..] {
            [] => "0".to_string(),
            [single] => single.clone(),
            several => several.iter().map(|f| format!("({f})")).collect::<Vec<_>>().join(" || "),
        };
        match said.is_empty() {
            true => Some(format!("(\\forall int {name}; {fact})")),
            false => Some(format!("(\\forall int {name}; {} ==> {fact})", said.join(" && "))),
        }
    }

    /// A formula or its negation.
    fn literal(&self, t: TermId, positive: bool) -> Option<String> {
        let pool = self.pool;
        if positive {
            return self.text(t);
        }
        match pool.op(t) {
            Op::Eq if !pool.is_bool(pool.arg(t, 0)) => {
                let [a, b] = [0, 1].map(|i| pool.arg(t, i));
                match self.equation(a, b, false) {
                    Some(text) => Some(text),
                    None => Some(format!("{} != {}", self.text(a)?, self.text(b)?)),
                }
            }
            Op::Le | Op::Lt if pool.sort(pool.arg(t, 0)) == SortId::INT => {
                if let Some(text) = self.state_bound(t, false) {
                    return Some(text);
                }
                let (terms, constant) = self.at_most_zero(t, false)?;
                let (left, right): (Vec<_>, Vec<_>) = terms.into_iter().partition(|t| t.1 > 0);
                let right: Vec<(TermId, i128)> = right.into_iter().map(|(t, c)| (t, -c)).collect();
                // The constant goes where it is positive.
                let (on_left, on_right) = if constant > 0 && !left.is_empty() { (constant, 0) } else { (0, -constant) };
                Some(format!("{} <= {}", self.sum(&left, on_left)?, self.sum(&right, on_right)?))
            }
            _ => Some(format!("!({})", self.text(t)?)),
        }
    }

    /// The parts of a disjunction, each with whether it stands there or its negation does.
    fn disjuncts(&self, t: TermId, positive: bool, found: &mut Vec<(TermId, bool)>) {
        let pool = self.pool;
        match (pool.op(t), positive) {
            (Op::Or, true) | (Op::And, false) => {
                pool.args(t).iter().for_each(|&a| self.disjuncts(a, positive, found));
            }
            (Op::Not, _) => self.disjuncts(pool.arg(t, 0), !positive, found),
            _ => found.push((t, positive)),
        }
    }

    /// A comparison or its negation as a sum that is at most zero.
    fn at_most_zero(&self, atom: TermId, positive: bool) -> Option<Sum> {
        let pool = self.pool;
        let is_strict = match pool.op(atom) {
            Op::Le => false,
            Op::Lt => true,
            _ => return None,
        };
        if pool.sort(pool.arg(atom, 0)) != SortId::INT {
            return None;
        }
        let mut difference = pool.linear(pool.arg(atom, 0));
        difference.add_scaled(&pool.linear(pool.arg(atom, 1)), &Rational::from(-1));
        let mut terms: Vec<(TermId, i128)> =
            difference.terms.iter().map(|(t, c)| Some((*t, to_i128(c)?))).collect::<Option<_>>()?;
        let mut constant = to_i128(&difference.constant)?;
        // Over the integers a strict bound is one less, and a negated one turns around.
        if is_strict {
            constant += 1;
        }
        if !positive {
            terms.iter_mut().for_each(|t| t.1 = -t.1);
            constant = 1 - constant;
        }
        Some((terms, constant))
    }

    /// A literal that bounds a variable from outside: whether it says that the variable is less (`var < bound`), and
    /// the bound: the first value that is not excluded, or the last one.
    fn bound(&self, var: TermId, atom: TermId, positive: bool) -> Option<(bool, Sum)> {
        let pool = self.pool;
        let (mut terms, constant) = self.at_most_zero(atom, positive)?;
        let at = terms.iter().position(|t| t.0 == var)?;
        let (_, own) = terms.remove(at);
        if terms.iter().any(|t| pool.free_constants(t.0).contains(&var)) {
            return None;
        }
        match own {
            // var <= -rest: outside below, so the range begins one above.
            1 => {
                terms.iter_mut().for_each(|t| t.1 = -t.1);
                Some((true, (terms, 1 - constant)))
            }
            // var >= rest: outside above, so the range ends one below.
            -1 => Some((false, (terms, constant - 1))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str, lengths: &[Option<u64>]) -> SourcePlace {
        let mut pieces = vec![name.to_string()];
        pieces.extend(lengths.iter().map(|_| String::new()));
        SourcePlace { name: 0, pieces, lengths: lengths.to_vec(), ty: SourceType::Bool }
    }

    #[test]
    fn facts_about_elements_and_objects() {
        let mut pool = TermPool::new();
        let arrays = pool.array_sort(SortId::INT, SortId::INT);
        let [a, t, alive, size] = ["a", "t", "alive", "size"].map(|n| pool.constant(n, arrays));
        let [i, j, p, base] = ["i", "j", "p", "p_base"].map(|n| pool.constant(n, SortId::INT));
        let (row, table) = (place("a", &[None]), place("t", &[Some(3), Some(400)]));
        let value = |n: &str| Word::Value(n.to_string());
        let words = [
            (a, Word::Array(&row)),
            (t, Word::Array(&table)),
            (alive, Word::States),
            (size, Word::Sizes),
            (i, value("i")),
            (j, value("j")),
            (p, Word::Pointer("p".to_string())),
            (base, Word::BaseOf(p)),
        ];
        let (zero, two, seven, four_hundred) = (pool.int(0), pool.int(2), pool.int(7), pool.int(400));
        let (ai, state, length) = (pool.select(a, i), pool.select(alive, base), pool.select(size, base));
        let line = pool.mul(&[i, four_hundred]);
        let at = pool.add(&[line, j, two]);
        let cell = pool.select(t, at);
        let k = pool.fresh_bound("k", SortId::INT);
        let ak = pool.select(a, k);
        let below = pool.lt(k, zero);
        let above = pool.ge(k, i);
        let is_seven = pool.eq(ak, seven);
        let body = pool.or(&[below, above, is_seven]);
        let all = pool.forall(&[k], vec![], body);
        let freed = pool.eq(state, zero);
        let formulas = [
            (pool.eq(ai, seven), "a[i] == 7"),
            (pool.eq(state, two), "heap(p)"),
            (pool.not(freed), "alive(p)"),
            (freed, "freed(p)"),
            (pool.le(i, length), "i <= size(p)"),
            (pool.eq(base, p), "base(p) == p"),
            (pool.eq(cell, seven), "t[i][j + 2] == 7"),
            (all, "a[0..i - 1] == 7"),
        ];
        let words = Vocabulary::new(&pool, words.into_iter().collect());
        for (formula, text) in formulas {
            assert_eq!(words.formula(formula).as_deref().map(mirrored), Some(mirrored(text)));
        }
    }

    /// The sides of an equation stand in the order of the pool.
    fn mirrored(text: &str) -> String {
        match text.split_once(" == ") {
            Some((a, b)) if a > b => format!("{b} == {a}"),
            _ => text.to_string(),
        }
    }

    #[test]
    fn a_pointer_into_a_live_object_is_valid() {
        let mut parts: Vec<String> =
            ["heap(p)", "p >= base(p)", "p < base(p) + size(p)", "q < base(q) + size(q)"].map(String::from).to_vec();
        with_validity(&mut parts);
        assert_eq!(parts, ["heap(p)", "q < base(q) + size(q)", "valid(p)"]);
    }

    #[test]
    fn conditions_come_first_and_names_do_not_clash() {
        let mut pool = TermPool::new();
        let arrays = pool.array_sort(SortId::INT, SortId::INT);
        let (alive, size) = (pool.constant("alive", arrays), pool.constant("size", arrays));
        let p = pool.constant("p", SortId::INT);
        let bound = pool.fresh_bound("p", SortId::INT);
        let (two, eight) = (pool.int(2), pool.int(8));
        let (state, length) = (pool.select(alive, bound), pool.select(size, bound));
        let (is_heap, is_eight) = (pool.eq(state, two), pool.eq(length, eight));
        let not_heap = pool.not(is_heap);
        let body = pool.or(&[not_heap, is_eight]);
        let all = pool.forall(&[bound], vec![], body);
        let words = [(alive, Word::States), (size, Word::Sizes), (p, Word::Pointer("p".to_string()))];
        let words = Vocabulary::new(&pool, words.into_iter().collect());
        let text = words.formula(all).map(|t| t.replace("8 == size(q)", "size(q) == 8"));
        assert_eq!(text.as_deref(), Some("(\\forall int q; heap(q) ==> size(q) == 8)"));
    }

    #[test]
    fn what_has_no_name_is_not_said() {
        let mut pool = TermPool::new();
        let x = pool.constant("#t", SortId::INT);
        let zero = pool.int(0);
        let formula = pool.eq(x, zero);
        assert_eq!(Vocabulary::new(&pool, FastMap::default()).formula(formula), None);
    }
}
