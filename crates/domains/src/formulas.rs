//! What a state says, as formulas without quantifiers.

use crate::number::Number;
use crate::octagon::Form;
use crate::state::State;
use crate::value::Value;
use crate::word::Word;
use logic::{BigInt, Op, TermId, TermPool};

/// Formulas that hold in all states of a state that has one.
pub(crate) fn formulas(state: &State, pool: &mut TermPool) -> Vec<TermId> {
    if state.is_bottom {
        return vec![TermId::FALSE];
    }
    let mut found = Vec::new();
    for (&term, value) in state.values.iter() {
        match value {
            Value::Truth(t) if t.is_true() => found.push(term),
            Value::Truth(t) if t.is_false() => found.push(pool.not(term)),
            Value::Number(n) => number(pool, term, n, &mut found),
            Value::Word(w) => word(pool, term, w, &mut found),
            Value::Truth(_) | Value::Map(_) | Value::Unknown => {}
        }
    }
    for (&term, (of, offset)) in state.copies.iter() {
        let sort = pool.sort(term);
        let offset = pool.num(offset.clone(), sort);
        let sum = pool.add(&[*of, offset]);
        found.push(pool.eq(term, sum));
    }
    for (&cell, &term) in state.definitions.iter() {
        found.push(pool.eq(cell, term));
    }
    for (&pack, octagon) in state.packs.iter() {
        let Some(octagon) = octagon.closed() else { return vec![TermId::FALSE] };
        let vars = state.vocabulary.pack(pack).to_vec();
        for i in 0..vars.len() {
            for k in 0..i {
                for (a, b) in [
                    (Form::plus(i), Form::plus(k)),
                    (Form::minus(i), Form::minus(k)),
                    (Form::plus(i), Form::minus(k)),
                    (Form::minus(i), Form::plus(k)),
                ] {
                    let Some(bound) = octagon.difference(a, b) else { continue };
                    // What follows from the bounds of the two variables is not repeated.
                    let minus_b = Form { negative: !b.negative, ..b };
                    let implied = match (octagon.upper(a), octagon.upper(minus_b)) {
                        (Some(x), Some(y)) => &x + &y <= bound,
                        _ => false,
                    };
                    if implied {
                        continue;
                    }
                    let mut form = |f: Form| if f.negative { pool.neg(vars[f.variable]) } else { vars[f.variable] };
                    let (a, b) = (form(a), form(b));
                    let (difference, limit) = (pool.sub(a, b), pool.int_num(bound));
                    found.push(pool.le(difference, limit));
                }
            }
        }
    }
    found.retain(|&t| t != TermId::TRUE);
    found.sort_unstable();
    found.dedup();
    found
}

fn number(pool: &mut TermPool, term: TermId, n: &Number, found: &mut Vec<TermId>) {
    let sort = pool.sort(term);
    if let Some(value) = n.single() {
        let value = pool.num(value.clone(), sort);
        found.push(pool.eq(term, value));
        return;
    }
    if let Some(lo) = &n.interval.lo {
        let lo = pool.num(lo.clone(), sort);
        found.push(pool.ge(term, lo));
    }
    if let Some(hi) = &n.interval.hi {
        let hi = pool.num(hi.clone(), sort);
        found.push(pool.le(term, hi));
    }
    if n.is_integer && !n.congruence.is_all() && !n.congruence.modulus.is_zero() {
        let modulus = pool.int_num(n.congruence.modulus.clone());
        let residue = pool.int_num(n.congruence.residue.clone());
        let rest = pool.modulo(term, modulus);
        found.push(pool.eq(rest, residue));
    }
}

fn word(pool: &mut TermPool, term: TermId, w: &Word, found: &mut Vec<TermId>) {
    let all = Word::all(w.width);
    let constant = |pool: &mut TermPool, value: &BigInt| pool.bv_num(crate::word::modulo(value, w.width), w.width);
    if let Some(value) = w.single() {
        let value = constant(pool, value);
        found.push(pool.eq(term, value));
        return;
    }
    if w.lo != all.lo {
        let bound = constant(pool, &w.lo);
        found.push(pool.bv(Op::BvUle, &[bound, term]));
    }
    if w.hi != all.hi {
        let bound = constant(pool, &w.hi);
        found.push(pool.bv(Op::BvUle, &[term, bound]));
    }
    if w.signed_lo != all.signed_lo {
        let bound = constant(pool, &w.signed_lo);
        found.push(pool.bv(Op::BvSle, &[bound, term]));
    }
    if w.signed_hi != all.signed_hi {
        let bound = constant(pool, &w.signed_hi);
        found.push(pool.bv(Op::BvSle, &[term, bound]));
    }
    // Bits that the bounds do not tell.
    let told = Word::unsigned(w.width, w.lo.clone(), w.hi.clone());
    if w.zeros != told.zeros || w.ones != told.ones {
        let mask = constant(pool, &(&w.zeros | &w.ones));
        let ones = constant(pool, &w.ones);
        let bits = pool.bv(Op::BvAnd, &[term, mask]);
        found.push(pool.eq(bits, ones));
    }
}
