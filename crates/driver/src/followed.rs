//! The execution that a violation witness describes, replayed with the constants that it names.
//!
//! Most witnesses fix every input: `\result == 5` where a call returned, or `x == 5` behind a declaration. Then no
//! search is needed: the guided program is executed, and each nondeterministic choice takes the constant of the next
//! waypoint about it, by the place of the call or by the name of the variable that takes the value. Choices without a
//! waypoint are 0 first, then other small numbers. The waypoints are part of the program, so a constant at the wrong
//! choice ends the execution; then the engines search.

use crate::numbers::value_like;
use crate::shrink::input_of;
use base::{Budget, SourceMap, Span};
use exec::guided::{Chooser, Tester};
use ir::{EdgeId, Guide, Icfg, Label, Program, Stmt, VarId};
use logic::{BigInt, TermPool, Value};
use report::witness::{Action, Waypoint, WaypointKind};
use std::collections::BTreeSet;

/// The values of choices without a waypoint, one execution for each.
const OTHERS: [i64; 4] = [0, 1, -1, 2];
/// The longest execution that is tried.
const MAX_STEPS: u64 = 20_000_000;
/// The number of steps behind a choice in which its variable is searched for.
const MAX_AHEAD: usize = 16;

/// The constants of a waypoint.
pub(crate) struct Constants {
    line: u32,
    column: Option<u32>,
    /// What is equal to what; without a name, what the call returned.
    equal: Vec<(Option<String>, BigInt)>,
}

/// The constants of the waypoints that an execution follows, in their order.
pub(crate) fn constants(segments: &[Vec<Waypoint>]) -> Vec<Constants> {
    let followed = segments.iter().flatten().filter(|w| w.action == Action::Follow);
    let told = followed.filter(|w| matches!(w.kind, WaypointKind::Assumption | WaypointKind::FunctionReturn));
    let of = |w: &Waypoint| Constants {
        line: w.location.line,
        column: w.location.column,
        equal: w.constraint.as_ref().map_or_else(Vec::new, |(text, _)| equations(text)),
    };
    told.map(of).filter(|c| !c.equal.is_empty()).collect()
}

/// The equations `name == number` of a conjunction. What has another form is left out: it only costs the execution.
fn equations(text: &str) -> Vec<(Option<String>, BigInt)> {
    let text = without_parentheses(text);
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    let split = (0..bytes.len()).find(|&i| {
        depth += match bytes[i] {
            b'(' | b'[' => 1,
            b')' | b']' => -1,
            _ => 0,
        };
        depth == 0 && (text[i..].starts_with("&&") || bytes[i] == b';')
    });
    if let Some(at) = split {
        let behind = at + if bytes[at] == b';' { 1 } else { 2 };
        return [equations(&text[..at]), equations(&text[behind..])].concat();
    }
    let Some((left, right)) = text.split_once("==") else { return Vec::new() };
    let (left, right) = (without_parentheses(left), without_parentheses(right));
    let (name, value) = match (number(left), number(right)) {
        (None, Some(value)) => (left, value),
        (Some(value), None) => (right, value),
        _ => return Vec::new(),
    };
    vec![((name != "\\result").then(|| name.split_whitespace().collect()), value)]
}

/// The text inside parentheses that enclose all of it.
fn without_parentheses(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    let closes_early = inner.chars().any(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    if closes_early { text } else { without_parentheses(inner) }
}

/// An integer as C writes it, with a sign and a cast at most.
fn number(text: &str) -> Option<BigInt> {
    let text = without_parentheses(text);
    if let Some(rest) = text.strip_prefix('-') {
        return number(rest).map(|n| -n);
    }
    if let Some((cast, rest)) = text.strip_prefix('(').and_then(|t| t.split_once(')')) {
        let is_type = cast.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ' ');
        return if is_type { number(rest) } else { None };
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    match lower.strip_prefix("0x") {
        Some(hexadecimal) => u128::from_str_radix(hexadecimal, 16).ok().map(BigInt::from),
        None if digits.len() > 1 && digits.starts_with('0') => u128::from_str_radix(digits, 8).ok().map(BigInt::from),
        None if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) => digits.parse().ok(),
        None => None,
    }
}

/// The program that is executed.
pub(crate) struct Followed<'a> {
    pub(crate) icfg: &'a Icfg,
    pub(crate) pool: &'a TermPool,
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a SourceMap,
}

/// An execution to an error with the constants of a witness.
pub(crate) fn execution(followed: &Followed<'_>, constants: &[Constants], budget: &Budget) -> Option<Guide> {
    let tester = Tester::new(followed.icfg, followed.pool)?;
    for (i, other) in OTHERS.iter().enumerate() {
        let mut chooser =
            Follower { followed, constants, next: 0, taken: BTreeSet::new(), other: BigInt::from(*other), way: i };
        let mut stop = || budget.check_now().is_err();
        if let Some(guide) = tester.run_by(&mut chooser, MAX_STEPS, &mut stop) {
            return Some(guide);
        }
        budget.check_now().ok()?;
    }
    None
}

struct Follower<'a> {
    followed: &'a Followed<'a>,
    constants: &'a [Constants],
    /// The first of the constants that count.
    next: usize,
    /// Which equations of these were used.
    taken: BTreeSet<(usize, usize)>,
    other: BigInt,
    /// Which of several open steps is taken.
    way: usize,
}

impl Follower<'_> {
    fn default_value(&self, v: VarId) -> Value {
        logic::default_value(self.followed.pool, self.followed.icfg.vars[v].sort)
    }

    fn as_value(&self, v: VarId, n: &BigInt) -> Value {
        let default = self.default_value(v);
        value_like(&default, n).unwrap_or(default)
    }

    /// The names of the objects that a choice goes to: of its variable, and of those that are assigned from it right
    /// behind.
    fn names(&self, edge: EdgeId, v: VarId) -> Vec<String> {
        let Followed { icfg, pool, program, .. } = *self.followed;
        let mut terms = BTreeSet::from([icfg.vars[v].term]);
        let name = |v: VarId| program.source.places.get(&v).filter(|p| p.is_scalar()).map(|p| p.text_at(&[]));
        let mut names: Vec<String> = name(v).into_iter().collect();
        let mut at = icfg.edges[edge].dst;
        for _ in 0..MAX_AHEAD {
            let &[edge] = icfg.out_edges(at) else { break };
            if let Label::Stmt(Stmt::Assign(pairs)) = &icfg.edges[edge].label {
                for &(to, term) in pairs {
                    let mut mentions = false;
                    pool.visit_postorder(&[term], |t| mentions |= terms.contains(&t));
                    if mentions {
                        names.extend(name(to));
                        terms.insert(icfg.vars[to].term);
                    }
                }
            }
            at = icfg.edges[edge].dst;
        }
        names
    }

    /// The next constant for a choice.
    fn constant(&mut self, edge: EdgeId, v: VarId) -> Option<BigInt> {
        let Followed { icfg, sources, .. } = *self.followed;
        let span = icfg.edges[edge].span;
        let last = Span { start: span.end.saturating_sub(1).max(span.start), ..span };
        let (first, last) = (sources.given_position(span), sources.given_position(last));
        let is_input = input_of(icfg, edge).is_some();
        let names = self.names(edge, v);
        for (i, constants) in self.constants.iter().enumerate().skip(self.next) {
            let is_here = match constants.column {
                Some(column) => last.is_some_and(|(_, l, c)| (l, c) == (constants.line, column)),
                None => [first, last].iter().flatten().any(|(_, line, _)| *line == constants.line),
            };
            for (k, (name, value)) in constants.equal.iter().enumerate() {
                let fits = match name {
                    None => is_input && is_here,
                    Some(name) => names.contains(name),
                };
                if fits && self.taken.insert((i, k)) {
                    // An assumption may speak about choices that come later.
                    self.next = if name.is_none() { i + 1 } else { i };
                    return Some(value.clone());
                }
            }
        }
        None
    }
}

impl Chooser for Follower<'_> {
    fn initial(&mut self, v: VarId) -> Value {
        self.default_value(v)
    }
    fn step(&mut self, open: &[EdgeId]) -> usize {
        self.way % open.len().max(1)
    }
    fn values(&mut self, edge: EdgeId, vars: &[VarId]) -> Vec<Value> {
        let icfg = self.followed.icfg;
        let is_havoc = matches!(icfg.edges[edge].label, Label::Stmt(Stmt::Havoc(..)));
        match *vars {
            [v] if is_havoc => {
                let n = self.constant(edge, v).unwrap_or_else(|| self.other.clone());
                vec![self.as_value(v, &n)]
            }
            _ => vars.iter().map(|&v| self.default_value(v)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_of_constraints() {
        let read = |text: &str| -> Vec<(String, i64)> {
            let shown = |(name, n): (Option<String>, BigInt)| (name.unwrap_or_default(), n.to_string().parse());
            equations(text).into_iter().map(shown).map(|(name, n)| (name, n.expect("a small number"))).collect()
        };
        let one = |name: &str, n: i64| vec![(name.to_string(), n)];
        assert_eq!(read("\\result == 5"), one("", 5));
        assert_eq!(read("(\\result == (-5))"), one("", -5));
        assert_eq!(read("0x1FUL == x"), one("x", 31));
        assert_eq!(read("x == (unsigned char)010"), one("x", 8));
        assert_eq!(read("(x == 1) && s . f == 2;"), [("x".to_string(), 1), ("s.f".to_string(), 2)]);
        assert_eq!(read("x > 5"), []);
        assert_eq!(read("x == y && z == -7LL"), one("z", -7));
        assert_eq!(read("(x == 1) || (y == 2)"), []);
    }
}
