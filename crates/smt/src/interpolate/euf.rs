//! Interpolants of equality lemmas, for one cut into A and B at a time.
//!
//! A conflict is a path of equal terms whose ends differ. Steps are equality literals or
//! congruences, which have paths for their arguments. Following Fuchs, Goel, Grundy, Krstić and
//! Tinelli ("Ground interpolation for the theory of equality", LMCS 2012): steps get a side,
//! maximal stretches of one side are *factors*, and the ends of a factor are shared. A summarises
//! each of its factors as "if the B-factors my congruences rest on have equal ends, so have I".
//!
//! With `P(σ)` the B-factors below an A-factor σ from u to v:
//! I(σ) = (⋀ ends(ρ) equal ⇒ u = v) ∧ ⋀ I(ρ); I(B-factor) = ⋀ I(its argument paths);
//! I(path) = ⋀ I(factor). If the disequality is B's, the interpolant is I(path); if it is A's,
//! it is ¬(⋀ ends of the B-factors the path rests on equal) ∧ ⋀ I(ρ).
//!
//! *Congruence between an A-local and a B-local term* is split at `f(c…)`, where each `c` is the
//! end of the first factor of the argument's path seen from the A end. Shared literals and congruences
//! between shared terms belong to B.
//!
//! *Trees.* What is A at a node is A at its parent, so every A-factor of a child lies within an A-factor of the parent,
//! which follows from the child's factors and the parent's own literals. The split of a congruence must respect that:
//! at the end of a factor, no factor of a child is cut in two. (The first shared term on the path will not do: it may
//! lie inside a factor of a child, about which the child says nothing but that its ends are equal.)

use super::labelled::{Label, LabelOrMixed};
use super::tree::Sides;
use crate::proof::{EqStep, EufEvidence};
use crate::sat::types::Lit;
use logic::{TermId, TermPool};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    A,
    B,
}

#[derive(Clone, Debug)]
struct Step {
    side: Side,
    /// The argument paths of a congruence, as indices of sided paths.
    below: Vec<usize>,
}

/// A path all of whose steps have a side.
#[derive(Clone, Debug, Default)]
struct SidedPath {
    terms: Vec<TermId>,
    steps: Vec<Step>,
}

/// A B-factor: its ends and the interpolants of what is below it.
struct Factor {
    ends: TermId,
    interpolant: TermId,
}

/// What a path contributes.
#[derive(Clone, Default)]
struct Summary {
    interpolants: Vec<TermId>,
    /// The B-factors it rests on, as sorted indices.
    rests_on: Vec<usize>,
}

/// What the walk must know about the cut.
pub trait Cut {
    /// On which sides all symbols of a term occur.
    fn sides(&mut self, pool: &TermPool, t: TermId) -> Sides;
    /// The label of a literal of the conflict.
    fn label(&self, lit: Lit) -> LabelOrMixed;
    /// The conclusion: the label of the disequality; `None` when the ends are different constants.
    fn conclusion(&self) -> Option<LabelOrMixed>;
    /// For a mixed equality of the conflict, between these two terms: a term over its auxiliary variable that stands
    /// between them (see [`super::mixed`]).
    fn middle(&mut self, _: &mut TermPool, _: Lit, _from: TermId, _to: TermId) -> Option<TermId> {
        None
    }
    /// For a mixed conclusion, the disequality of a term of A and one of B: the relation EQ between its auxiliary
    /// variable and a term that equals the one of A.
    fn relation(&mut self, _: &mut TermPool, _of_a: TermId, _equal: TermId, _of_b: TermId) -> Option<TermId> {
        None
    }
}

/// The interpolant of the lemma at this cut, or why there is none by these rules.
pub fn interpolate(pool: &mut TermPool, evidence: &EufEvidence, cut: &mut dyn Cut) -> Result<TermId, &'static str> {
    let mut paths: Vec<SidedPath> = Vec::new();
    let mut path_of: Vec<usize> = Vec::with_capacity(evidence.paths.len());
    for path in &evidence.paths {
        let mut sided = SidedPath { terms: vec![*path.terms.first().ok_or("an empty path")?], steps: Vec::new() };
        for (k, step) in path.steps.iter().enumerate() {
            let (from, to) = (path.terms[k], path.terms[k + 1]);
            match step {
                EqStep::Literal(lit) => {
                    let side = match cut.label(*lit) {
                        LabelOrMixed::Label(Label::A) => Side::A,
                        LabelOrMixed::Label(Label::B | Label::Both) => Side::B,
                        LabelOrMixed::Mixed => {
                            let (here, there) = (cut.sides(pool, from), cut.sides(pool, to));
                            let sides = match (here.inside && there.outside, here.outside && there.inside) {
                                (true, _) => [Side::A, Side::B],
                                (_, true) => [Side::B, Side::A],
                                _ => return Err("a mixed equality between terms of neither side"),
                            };
                            let middle =
                                cut.middle(pool, *lit, from, to).ok_or("a mixed equality that cannot be cut in two")?;
                            for (side, term) in sides.into_iter().zip([middle, to]) {
                                sided.steps.push(Step { side, below: Vec::new() });
                                sided.terms.push(term);
                            }
                            continue;
                        }
                    };
                    // The atom may be normalised arithmetic that lost a symbol of its sides.
                    for t in [from, to] {
                        let sides = cut.sides(pool, t);
                        let fits = if side == Side::A { sides.inside } else { sides.outside };
                        if !fits {
                            return Err("an equality between terms that are not on its side");
                        }
                    }
                    sided.steps.push(Step { side, below: Vec::new() });
                    sided.terms.push(to);
                }
                EqStep::Congruence(arguments) => {
                    congruence(pool, cut, &mut paths, &path_of, &mut sided, from, to, arguments)?;
                }
            }
        }
        path_of.push(paths.len());
        paths.push(sided);
    }
    let mut factors: Vec<Factor> = Vec::new();
    let mut summaries: Vec<Summary> = Vec::with_capacity(paths.len());
    for path in &paths {
        let summary = summarise(pool, path, &summaries, &mut factors);
        summaries.push(summary);
    }
    let main = *path_of.last().ok_or("no path")?;
    if cut.conclusion() == Some(LabelOrMixed::Mixed) {
        return mixed_conclusion(pool, cut, &paths[main], &summaries, &mut factors);
    }
    // The ends of the path end its first and last factors, whichever side these are of.
    for end in [paths[main].terms.first(), paths[main].terms.last()].into_iter().flatten() {
        let sides = cut.sides(pool, *end);
        let fits = match cut.conclusion() {
            Some(LabelOrMixed::Mixed) => false,
            Some(LabelOrMixed::Label(Label::A)) => sides.inside,
            Some(LabelOrMixed::Label(Label::B | Label::Both)) => sides.outside,
            None => sides.inside && sides.outside,
        };
        if !fits {
            return Err("a disequality between terms that are not on its side");
        }
    }
    let main = &summaries[main];
    match cut.conclusion() {
        Some(LabelOrMixed::Mixed) => unreachable!("dealt with above"),
        None | Some(LabelOrMixed::Label(Label::B | Label::Both)) => Ok(pool.and(&main.interpolants)),
        Some(LabelOrMixed::Label(Label::A)) => {
            let ends: Vec<TermId> = main.rests_on.iter().map(|&f| factors[f].ends).collect();
            let all_equal = pool.and(&ends);
            let mut conjuncts = vec![pool.not(all_equal)];
            conjuncts.extend(main.rests_on.iter().map(|&f| factors[f].interpolant));
            Ok(pool.and(&conjuncts))
        }
    }
}

/// The interpolant where the ends of the main path are of different sides, so that their disequality is mixed: A says
/// what its end equals at the end of its first factor, and the rest is as if the disequality were B's.
fn mixed_conclusion(
    pool: &mut TermPool,
    cut: &mut dyn Cut,
    main: &SidedPath,
    summaries: &[Summary],
    factors: &mut Vec<Factor>,
) -> Result<TermId, &'static str> {
    let mut main = main.clone();
    let (Some(&first), Some(&last)) = (main.terms.first(), main.terms.last()) else { return Err("an empty path") };
    let (here, there) = (cut.sides(pool, first), cut.sides(pool, last));
    let (a_end, b_end) = if here.inside && there.outside { (first, last) } else { (last, first) };
    if a_end == last {
        if !here.outside || !there.inside {
            return Err("a mixed disequality between terms of neither side");
        }
        main.terms.reverse();
        main.steps.reverse();
    }
    let place = main.steps.iter().take_while(|step| step.side == Side::A).count();
    let shared = main.terms[place];
    let relation = cut.relation(pool, a_end, shared, b_end).ok_or("a mixed disequality that cannot be cut in two")?;
    let mut premises: Vec<usize> = main.steps[..place]
        .iter()
        .flat_map(|step| step.below.iter().flat_map(|&p| summaries[p].rests_on.iter().copied()))
        .collect();
    premises.sort_unstable();
    premises.dedup();
    let equalities: Vec<TermId> = premises.iter().map(|&f| factors[f].ends).collect();
    let all_equal = pool.and(&equalities);
    let mut conjuncts = vec![pool.implies(all_equal, relation)];
    conjuncts.extend(premises.iter().map(|&f| factors[f].interpolant));
    let rest = SidedPath { terms: main.terms[place..].to_vec(), steps: main.steps[place..].to_vec() };
    conjuncts.extend(summarise(pool, &rest, summaries, factors).interpolants);
    Ok(pool.and(&conjuncts))
}

/// Appends the congruence step `from = to`, in two pieces if it crosses the cut.
#[allow(clippy::too_many_arguments)]
fn congruence(
    pool: &mut TermPool,
    cut: &mut dyn Cut,
    paths: &mut Vec<SidedPath>,
    path_of: &[usize],
    sided: &mut SidedPath,
    from: TermId,
    to: TermId,
    arguments: &[Option<u32>],
) -> Result<(), &'static str> {
    let below: Vec<Option<usize>> = arguments.iter().map(|a| a.map(|i| path_of[i as usize])).collect();
    let (here, there) = (cut.sides(pool, from), cut.sides(pool, to));
    let whole = if here.outside && there.outside {
        Some(Side::B)
    } else if here.inside && there.inside {
        Some(Side::A)
    } else {
        None
    };
    if let Some(side) = whole {
        sided.steps.push(Step { side, below: below.into_iter().flatten().collect() });
        sided.terms.push(to);
        return Ok(());
    }
    let from_is_a = here.inside && there.outside;
    let to_is_a = here.outside && there.inside;
    if !from_is_a && !to_is_a {
        return Err("a term with symbols of both sides in a congruence lemma");
    }
    let a_end = if from_is_a { from } else { to };
    let mut middle_args = Vec::with_capacity(arguments.len());
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for (k, path) in below.iter().enumerate() {
        let argument = pool.arg(a_end, k);
        let Some(path) = *path else {
            middle_args.push(argument);
            continue;
        };
        let mut oriented = paths[path].clone();
        if oriented.terms.first() != Some(&argument) {
            oriented.terms.reverse();
            oriented.steps.reverse();
        }
        let place = oriented.steps.iter().take_while(|step| step.side == Side::A).count();
        let sides = cut.sides(pool, oriented.terms[place]);
        if !sides.inside || !sides.outside {
            return Err("no shared term on the path of an argument");
        }
        middle_args.push(oriented.terms[place]);
        near.push(paths.len());
        paths.push(SidedPath { terms: oriented.terms[..=place].to_vec(), steps: oriented.steps[..place].to_vec() });
        far.push(paths.len());
        paths.push(SidedPath { terms: oriented.terms[place..].to_vec(), steps: oriented.steps[place..].to_vec() });
    }
    let middle = pool.rebuild(a_end, &middle_args);
    let a_step = Step { side: Side::A, below: near };
    let b_step = Step { side: Side::B, below: far };
    let (first, second) = if from_is_a { (a_step, b_step) } else { (b_step, a_step) };
    sided.steps.push(first);
    sided.terms.push(middle);
    sided.steps.push(second);
    sided.terms.push(to);
    Ok(())
}

fn summarise(pool: &mut TermPool, path: &SidedPath, summaries: &[Summary], factors: &mut Vec<Factor>) -> Summary {
    let mut summary = Summary::default();
    let mut start = 0;
    while start < path.steps.len() {
        let side = path.steps[start].side;
        let mut end = start + 1;
        while end < path.steps.len() && path.steps[end].side == side {
            end += 1;
        }
        let ends = pool.eq(path.terms[start], path.terms[end]);
        let below: Vec<usize> = path.steps[start..end].iter().flat_map(|s| s.below.iter().copied()).collect();
        match side {
            Side::B => {
                let parts: Vec<TermId> =
                    below.iter().flat_map(|&p| summaries[p].interpolants.iter().copied()).collect();
                let interpolant = pool.and(&parts);
                summary.interpolants.push(interpolant);
                summary.rests_on.push(factors.len());
                factors.push(Factor { ends, interpolant });
            }
            Side::A => {
                let mut premises: Vec<usize> =
                    below.iter().flat_map(|&p| summaries[p].rests_on.iter().copied()).collect();
                premises.sort_unstable();
                premises.dedup();
                let equalities: Vec<TermId> = premises.iter().map(|&f| factors[f].ends).collect();
                let all_equal = pool.and(&equalities);
                summary.interpolants.push(pool.implies(all_equal, ends));
                summary.interpolants.extend(premises.iter().map(|&f| factors[f].interpolant));
                summary.rests_on.extend(premises);
            }
        }
        start = end;
    }
    summary.interpolants.retain(|&t| t != TermId::TRUE);
    summary.interpolants.sort_unstable();
    summary.interpolants.dedup();
    summary.rests_on.sort_unstable();
    summary.rests_on.dedup();
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::EqPath;
    use crate::sat::types::Var;
    use logic::SortId;

    struct Example {
        local: logic::FunId,
    }

    impl Cut for Example {
        fn sides(&mut self, pool: &TermPool, t: TermId) -> Sides {
            Sides { inside: true, outside: !pool.free_symbols(t).contains(&self.local) }
        }
        fn label(&self, lit: Lit) -> LabelOrMixed {
            LabelOrMixed::Label(if lit.var() == Var(1) { Label::B } else { Label::A })
        }
        fn conclusion(&self) -> Option<LabelOrMixed> {
            Some(LabelOrMixed::Label(Label::B))
        }
    }

    /// `x + y = w` and `v = z + y` of A, `w = v` and `x ≠ z` of B: the atom of the conclusion is normalised and has
    /// lost `y`, which B does not know, but the ends of the path have it. Summing up A's factors would tell B about
    /// `y`.
    #[test]
    fn ends_with_symbols_that_the_conclusion_lost_are_refused() {
        let mut pool = TermPool::new();
        let [x, y, z, w, v] = ["x", "y", "z", "w", "v"].map(|name| pool.constant(name, SortId::INT));
        let (first, last) = (pool.add(&[x, y]), pool.add(&[z, y]));
        assert_eq!(pool.eq(first, last), pool.eq(x, z));
        let local = pool.as_symbol(y).expect("a symbol");
        let lits = [0, 1, 2].map(|k| Var(k).positive());
        let path = EqPath { terms: vec![first, w, v, last], steps: lits.map(EqStep::Literal).to_vec() };
        let evidence = EufEvidence { paths: vec![path] };
        let mut cut = Example { local };
        assert!(interpolate(&mut pool, &evidence, &mut cut).is_err());
    }
}
