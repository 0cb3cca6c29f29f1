//! What engines declare about themselves, and what programs offer them.
//!
//! A strategy chooses engines by these declarations, never by their names: an engine that needs loops is not run on a
//! program without any, and quick engines come first when engines take turns.

use ir::{Icfg, Label, Stmt};
use logic::{Op, TermId, TermPool};
use std::collections::BTreeSet;

/// A property of a program that an engine may need.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feature {
    Loops,
    /// Variables that are arrays.
    Arrays,
    /// Memory that is allocated while the program runs.
    Heap,
    /// Products of variables.
    Products,
    Threads,
    Recursion,
}

impl Feature {
    pub const ALL: [Feature; 6] =
        [Feature::Loops, Feature::Arrays, Feature::Heap, Feature::Products, Feature::Threads, Feature::Recursion];
    pub fn name(self) -> &'static str {
        match self {
            Feature::Loops => "loops",
            Feature::Arrays => "arrays",
            Feature::Heap => "heap",
            Feature::Products => "products",
            Feature::Threads => "threads",
            Feature::Recursion => "recursion",
        }
    }
}

/// How much time an engine takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cost {
    /// It gives up early where it does not help.
    Quick,
    /// It searches until it has an answer or runs out of time.
    Search,
}

/// What an engine can find.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gives {
    Proofs,
    /// Violations, for termination infinite executions.
    Violations,
    /// Formulas for other engines.
    Predicates,
}

impl Gives {
    pub fn name(self) -> &'static str {
        match self {
            Gives::Proofs => "proofs",
            Gives::Violations => "violations",
            Gives::Predicates => "predicates",
        }
    }
}

/// Which graph of a program an engine works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wants {
    /// One without calls: everything is inlined. Recursive programs are not for this engine.
    NoCalls,
    /// Calls inlined, but for those of recursive procedures, which the engine follows itself.
    RecursiveCalls,
    /// Every procedure as it stands in the program, nothing inlined.
    AllCalls,
    /// The threads of the program as they are, with calls inlined. The engine makes a sequential graph of them itself,
    /// and its verdict is about that ([`crate::Ctx::product`]). Others are given the product of the threads.
    Threads,
}

/// What an engine declares about itself.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    pub cost: Cost,
    pub wants: Wants,
    /// The engine is of no use for programs without these.
    pub needs: &'static [Feature],
    pub gives: &'static [Gives],
}

impl Profile {
    /// An engine that works on the threads of a program themselves.
    pub(crate) const fn for_threads(cost: Cost, gives: &'static [Gives]) -> Profile {
        Profile { cost, wants: Wants::Threads, needs: &[Feature::Threads], gives }
    }

    /// An engine that refines an abstraction until it proves the program or has a violation.
    pub(crate) const fn refining(wants: Wants) -> Profile {
        let gives = &[Gives::Proofs, Gives::Violations, Gives::Predicates];
        Profile { cost: Cost::Search, wants, needs: &[], gives }
    }

    /// A feature that the engine needs and the program does not have.
    pub fn missing(&self, features: &BTreeSet<Feature>) -> Option<Feature> {
        self.needs.iter().copied().find(|need| !features.contains(need))
    }
}

/// The features of a graph.
pub fn features(icfg: &Icfg, pool: &TermPool) -> BTreeSet<Feature> {
    Feature::ALL.into_iter().filter(|&feature| has(icfg, pool, feature)).collect()
}

/// Does a graph have a feature?
pub fn has(icfg: &Icfg, pool: &TermPool, feature: Feature) -> bool {
    match feature {
        Feature::Loops => icfg.locs.values().any(|l| l.is_loop_head),
        Feature::Arrays => icfg.vars.values().any(|v| pool.array_parts(v.sort).is_some()),
        Feature::Heap => icfg.vars.values().any(|v| v.role == ir::VarRole::AddressCounter),
        Feature::Products => has_products(icfg, pool),
        Feature::Threads => icfg.has_threads(),
        Feature::Recursion => icfg.has_calls(),
    }
}

fn has_products(icfg: &Icfg, pool: &TermPool) -> bool {
    let mut roots: Vec<TermId> = Vec::new();
    for edge in icfg.edges.values() {
        match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => roots.extend(pairs.iter().map(|(_, t)| *t)),
            Label::Stmt(Stmt::Assume(condition)) => roots.push(*condition),
            Label::Stmt(Stmt::Havoc(..))
            | Label::Block(_)
            | Label::Call(_)
            | Label::Return(_)
            | Label::Fork { .. }
            | Label::Join { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd => {}
        }
    }
    let mut found = false;
    pool.visit_postorder(&roots, |t| {
        let is_constant = |t: TermId| matches!(pool.op(t), Op::Num(_) | Op::BvNum(_));
        if matches!(pool.op(t), Op::Mul | Op::BvMul) {
            found |= pool.args(t).iter().filter(|&&a| !is_constant(a)).count() > 1;
        }
    });
    found
}
