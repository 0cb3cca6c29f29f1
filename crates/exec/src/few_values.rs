//! Choices of which the assumptions that follow leave only a few numbers: a search goes through these one by one.

use crate::states::Steps;
use ir::{EdgeId, Label, Stmt};
use logic::{Op, SortId, TermId, TermPool};

/// How far is looked, and what for.
pub(crate) struct Horizon {
    /// The most numbers.
    pub max_values: i64,
    /// The most steps after the choice.
    pub max_ahead: usize,
    /// Do negated comparisons count?
    pub with_negations: bool,
}

/// If an edge chooses a number, and the steps after it allow few: the least and the largest.
pub(crate) fn few_values<S: Steps>(
    steps: &mut S,
    edge: EdgeId,
    pool: &mut TermPool,
    horizon: &Horizon,
) -> Result<Option<(i64, i64)>, S::Error> {
    let graph = steps.graph();
    let Label::Stmt(Stmt::Havoc(vars, _)) = &graph.edges[edge].label else { return Ok(None) };
    let &[v] = &vars[..] else { return Ok(None) };
    if graph.vars[v].sort != SortId::INT {
        return Ok(None);
    }
    let (x, mut at) = (graph.term(v), graph.edges[edge].dst);
    // What the variables that were assigned since are, over the chosen number.
    let mut values: Vec<(TermId, TermId)> = Vec::new();
    let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
    for _ in 0..horizon.max_ahead {
        steps.expand(at, pool)?;
        let graph = steps.graph();
        let &[next] = graph.out_edges(at) else { break };
        match &graph.edges[next].label {
            Label::Stmt(Stmt::Assume(condition)) => {
                let condition = if values.is_empty() { *condition } else { pool.substitute(*condition, &values) };
                let parts = if pool.op(condition) == Op::And { pool.args(condition).to_vec() } else { vec![condition] };
                for part in parts {
                    let (op, is_negated, part) = match pool.op(part) {
                        Op::Not => (pool.op(pool.arg(part, 0)), true, pool.arg(part, 0)),
                        op => (op, false, part),
                    };
                    let &[a, b] = pool.args(part) else { continue };
                    let number = |t: TermId| pool.number(t).and_then(|n| n.to_i64());
                    // a ≤ b, or its negation b < a.
                    let (low_now, high_now) = match (op, is_negated) {
                        (Op::Le, false) if b == x => (number(a), None),
                        (Op::Le, false) if a == x => (None, number(b)),
                        (Op::Le, true) if !horizon.with_negations => (None, None),
                        (Op::Le, true) if b == x => (None, number(a).and_then(|n| n.checked_sub(1))),
                        (Op::Le, true) if a == x => (number(b).and_then(|n| n.checked_add(1)), None),
                        _ => (None, None),
                    };
                    low = low.max(low_now);
                    high = match (high, high_now) {
                        (Some(h), Some(n)) => Some(h.min(n)),
                        (known, None) | (None, known) => known,
                    };
                }
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let new: Vec<(TermId, TermId)> =
                    pairs.iter().map(|&(w, t)| (graph.term(w), pool.substitute(t, &values))).collect();
                values.retain(|(known, _)| new.iter().all(|(w, _)| w != known));
                values.extend(new);
                if values.iter().any(|(w, _)| *w == x) {
                    break;
                }
            }
            _ => break,
        }
        at = graph.edges[next].dst;
    }
    let is_small = |(low, high): &(i64, i64)| low <= high && high.saturating_sub(*low) < horizon.max_values;
    Ok(low.zip(high).filter(is_small))
}
