//! Equivalences that make a formula smaller before it becomes an automaton (Somenzi, Bloem, "Efficient Büchi Automata
//! from LTL Formulae", CAV 2000): absorption by syntactic implication, `X` moved outwards, `F` and `G` merged.

use super::Nnf;

/// An equivalent formula, rewritten bottom-up until nothing changes.
pub(super) fn rewrite(formula: &Nnf) -> Nnf {
    let mut formula = formula.clone();
    // Every round that changes something makes the formula smaller or moves an X outwards; the bound is for safety.
    for _ in 0..20 {
        let next = pass(&formula);
        if next == formula {
            break;
        }
        formula = next;
    }
    formula
}

fn pass(formula: &Nnf) -> Nnf {
    match formula {
        Nnf::True | Nnf::False | Nnf::Literal(..) => formula.clone(),
        Nnf::And(all) => conjunction(all.iter().map(pass).collect()),
        // By duality.
        Nnf::Or(all) => conjunction(all.iter().map(|a| pass(a).negated()).collect()).negated(),
        Nnf::Next(a) => next(pass(a)),
        Nnf::Until(a, b) => until(pass(a), pass(b)),
        Nnf::Release(a, b) => until(pass(a).negated(), pass(b).negated()).negated(),
    }
}

fn next(a: Nnf) -> Nnf {
    match &a {
        // X GF b is GF b, X FG b is FG b.
        _ if is_suffix_closed(&a) => a,
        _ => Nnf::next(a),
    }
}

/// Is the truth of the formula the same at all positions of every word? So are GF a and FG a.
fn is_suffix_closed(formula: &Nnf) -> bool {
    match formula {
        Nnf::True | Nnf::False => true,
        Nnf::Literal(..) | Nnf::Next(_) => false,
        Nnf::And(all) | Nnf::Or(all) => all.iter().all(is_suffix_closed),
        Nnf::Until(a, b) => **a == Nnf::True && matches!(&**b, Nnf::Release(c, _) if **c == Nnf::False),
        Nnf::Release(a, b) => **a == Nnf::False && matches!(&**b, Nnf::Until(c, _) if **c == Nnf::True),
    }
}

fn conjunction(all: Vec<Nnf>) -> Nnf {
    let flat = match Nnf::and(all) {
        Nnf::And(flat) => flat,
        other => return other,
    };
    if flat.iter().any(|a| flat.iter().any(|b| implies(a, &b.negated()))) {
        return Nnf::False;
    }
    // Drop what others imply; of two equivalent ones keep the first.
    let mut kept: Vec<Nnf> = Vec::new();
    for (i, a) in flat.iter().enumerate() {
        let redundant = flat.iter().enumerate().any(|(j, b)| i != j && implies(b, a) && !(implies(a, b) && i < j));
        if !redundant {
            kept.push(a.clone());
        }
    }
    // X a ∧ X b is X (a ∧ b); G a ∧ G b is G (a ∧ b); a R b ∧ a R c is a R (b ∧ c); a U c ∧ b U c is (a ∧ b) U c.
    let mut nexts = Vec::new();
    let mut releases: Vec<(Nnf, Vec<Nnf>)> = Vec::new();
    let mut untils: Vec<(Nnf, Vec<Nnf>)> = Vec::new();
    let mut rest = Vec::new();
    for a in kept {
        match a {
            Nnf::Next(a) => nexts.push(*a),
            Nnf::Release(a, b) => match releases.iter_mut().find(|(left, _)| *left == *a) {
                Some((_, right)) => right.push(*b),
                None => releases.push((*a, vec![*b])),
            },
            Nnf::Until(a, b) => match untils.iter_mut().find(|(right, _)| *right == *b) {
                Some((_, left)) => left.push(*a),
                None => untils.push((*b, vec![*a])),
            },
            other => rest.push(other),
        }
    }
    rest.extend(releases.into_iter().map(|(left, right)| Nnf::release(left, Nnf::and(right))));
    rest.extend(untils.into_iter().map(|(right, left)| Nnf::until(Nnf::and(left), right)));
    if !nexts.is_empty() {
        rest.push(next(Nnf::and(nexts)));
    }
    Nnf::and(rest)
}

fn until(a: Nnf, b: Nnf) -> Nnf {
    // a U b where a ⇒ b, or where b is the same at all positions.
    if implies(&a, &b) || is_suffix_closed(&b) {
        return b;
    }
    // ¬b ⇒ a: only F b is said.
    if a != Nnf::True && implies(&b.negated(), &a) {
        return until(Nnf::True, b);
    }
    match (&a, &b) {
        // a U (c U b) is c U b if a ⇒ c; F (c U b) is F b.
        (Nnf::True, Nnf::Until(_, inner)) => until(Nnf::True, (**inner).clone()),
        (_, Nnf::Until(left, _)) if implies(&a, left) => b,
        // X a U X b is X (a U b).
        (Nnf::Next(a), Nnf::Next(b)) => next(until((**a).clone(), (**b).clone())),
        // F X b is X F b.
        (Nnf::True, Nnf::Next(b)) => next(until(Nnf::True, (**b).clone())),
        // F (b ∧ c) is F b ∧ c where c is the same at all positions.
        (Nnf::True, Nnf::And(all)) if all.iter().any(is_suffix_closed) => {
            let (closed, open): (Vec<Nnf>, Vec<Nnf>) = all.iter().cloned().partition(is_suffix_closed);
            Nnf::and(closed.into_iter().chain([until(Nnf::True, Nnf::and(open))]))
        }
        _ => Nnf::until(a, b),
    }
}

/// A sufficient condition for `a ⇒ b`, by the shapes of the formulas.
fn implies(a: &Nnf, b: &Nnf) -> bool {
    fn deep(a: &Nnf, b: &Nnf, fuel: u32) -> bool {
        if a == b {
            return true;
        }
        if fuel == 0 {
            return false;
        }
        let deep = |a: &Nnf, b: &Nnf| deep(a, b, fuel - 1);
        if *a == Nnf::False || *b == Nnf::True {
            return true;
        }
        let from_left = match a {
            Nnf::Or(all) => all.iter().all(|a| deep(a, b)),
            Nnf::And(all) => all.iter().any(|a| deep(a, b)),
            // a U c is at most a ∨ c; a R c is at most c.
            Nnf::Until(l, r) => deep(l, b) && deep(r, b),
            Nnf::Release(_, r) => deep(r, b),
            _ => false,
        };
        from_left
            || match (a, b) {
                (_, Nnf::And(all)) => all.iter().all(|b| deep(a, b)),
                (_, Nnf::Or(all)) if all.iter().any(|b| deep(a, b)) => true,
                (Nnf::Next(a), Nnf::Next(b)) => deep(a, b),
                (Nnf::Until(l, r), Nnf::Until(l2, r2)) if deep(l, l2) && deep(r, r2) => true,
                (Nnf::Release(l, r), Nnf::Release(l2, r2)) if deep(l, l2) && deep(r, r2) => true,
                // What implies c implies a U c; what implies both implies a R c.
                (_, Nnf::Until(_, r)) => deep(a, r),
                (_, Nnf::Release(l, r)) => deep(a, l) && deep(a, r),
                _ => false,
            }
    }
    deep(a, b, 8)
}
