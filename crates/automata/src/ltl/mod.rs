//! Linear temporal logic: formulas, their meaning on ultimately periodic words, and Büchi automata.
//!
//! | what | where |
//! |---|---|
//! | text to formula, with columns in every error | [`parse`] |
//! | negation normal form and rewriting | [`Nnf`], [`negation_normal_form`] |
//! | truth on a lasso word, by fixpoints | [`holds_on`] |
//! | very weak alternating automaton | `alternating` |
//! | generalised Büchi automaton, acceptance on transitions | `generalised` |
//! | Büchi automaton, after degeneralisation and simplification | [`translate`], [`LtlAutomaton`] |
//! | Hanoi Omega-Automata format (HOA v1), Graphviz | [`LtlAutomaton::to_hoa`], [`LtlAutomaton::to_dot`] |
//!
//! The road is that of Gastin and Oddoux, "Fast LTL to Büchi Automata Translation" (CAV 2001), with the rewriting of
//! Somenzi and Bloem, "Efficient Büchi Automata from LTL Formulae" (CAV 2000).
//!
//! Departures: guards are single cubes, so a disjunction of literals gives several edges; the level counter of the
//! degeneralisation starts anew in every strongly connected component, at the level that gives the fewest states; the
//! result is reduced by direct simulation.
//!
//! Propositions are numbers here, at most [`MAX_PROPOSITIONS`] of them; what they say about a program is a text that
//! the front ends read.

mod alternating;
mod degeneralise;
mod formula;
mod generalised;
mod hoa;
mod parse;
mod reduce;
mod rewrite;
mod word;

pub use formula::{Formula, Nnf, negation_normal_form};
pub use parse::{MAX_PROPOSITIONS, Parsed, Proposition, PropositionKind, SyntaxError, parse};
pub use word::{LassoWord, Letter, decided_on, holds_on, parse_word};

use base::{Budget, Stop, graph};

/// A conjunction of literals: two sets of propositions, those that must be true and those that must be false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    pub positive: u64,
    pub negative: u64,
}

impl Cube {
    /// The empty conjunction.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    pub fn literal(proposition: u32, positive: bool) -> Cube {
        let bit = 1 << proposition;
        if positive { Cube { positive: bit, negative: 0 } } else { Cube { positive: 0, negative: bit } }
    }
    /// The conjunction, unless it is contradictory.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }
    pub fn implies(self, other: Cube) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }
    /// Is the cube true where exactly the propositions in `letter` are?
    pub fn holds_in(self, letter: u64) -> bool {
        self.positive & !letter == 0 && self.negative & letter == 0
    }
    /// The literals, by number of the proposition.
    pub fn literals(self) -> impl Iterator<Item = (u32, bool)> {
        (0..u64::BITS).filter_map(move |i| {
            let bit = 1u64 << i;
            (self.positive & bit != 0).then_some((i, true)).or((self.negative & bit != 0).then_some((i, false)))
        })
    }
}

/// An edge of an [`LtlAutomaton`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LtlEdge {
    pub guard: Cube,
    pub target: usize,
}

/// A nondeterministic Büchi automaton with acceptance on states. Each position of a word is read by one edge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LtlAutomaton {
    pub initial: Vec<usize>,
    pub accepting: Vec<bool>,
    /// The edges of each state, sorted.
    pub edges: Vec<Vec<LtlEdge>>,
}

impl LtlAutomaton {
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// Does some run over the word pass accepting states infinitely often?
    pub fn accepts(&self, word: &LassoWord) -> bool {
        // The product of states and positions is finite: look for a reachable accepting cycle.
        let n = word.len();
        let successors = |node: usize| -> Vec<usize> {
            let (q, i) = (node / n, node % n);
            let letter = word.letter(i);
            let next = word.next(i);
            let taken = self.edges[q].iter().filter(|e| e.guard.holds_in(letter));
            taken.map(|e| e.target * n + next).collect()
        };
        let roots: Vec<usize> = self.initial.iter().map(|q| q * n).collect();
        let components = graph::components(self.n_states() * n, &roots, successors);
        components.iter().any(|c| c.has_cycle && c.members.iter().any(|node| self.accepting[node / n]))
    }

    /// Is every infinite word rejected?
    pub fn is_empty(&self) -> bool {
        let successors = |q: usize| self.edges[q].iter().map(|e| e.target).collect();
        let components = graph::components(self.n_states(), &self.initial, successors);
        !components.iter().any(|c| c.has_cycle && c.members.iter().any(|&q| self.accepting[q]))
    }
}

/// Does the automaton accept exactly those of some sample words on which the formula does not hold? The same words
/// every time; letters are sets of the first `n_propositions` propositions.
pub fn agrees_on_samples(formula: &Formula, of_negation: &LtlAutomaton, n_propositions: usize, n_words: u64) -> bool {
    let mut random = base::Random::new(1);
    let all = if n_propositions >= MAX_PROPOSITIONS { u64::MAX } else { (1 << n_propositions) - 1 };
    (0..n_words).all(|_| {
        let lengths = random.bits();
        let mut letters = |n: u64| -> Vec<u64> { (0..n).map(|_| random.bits() & all).collect() };
        let (stem, cycle) = (letters(lengths % 4), letters(1 + lengths / 4 % 3));
        LassoWord::new(stem, cycle).is_none_or(|word| of_negation.accepts(&word) != holds_on(formula, &word))
    })
}

/// How many variants of the degeneralisation are tried.
const MAX_ENTRY_LEVELS: usize = 4;

/// The automaton of the words on which the formula holds.
pub fn translate(formula: &Nnf, budget: &Budget) -> Result<LtlAutomaton, Stop> {
    let formula = rewrite::rewrite(formula);
    let alternating = alternating::Alternating::of(&formula);
    let generalised = generalised::Generalised::of(&alternating, budget)?;
    let mut best: Option<LtlAutomaton> = None;
    for entry_level in (0..=generalised.n_sets).rev().take(MAX_ENTRY_LEVELS) {
        let automaton = reduce::reduce(degeneralise::degeneralise(&generalised, entry_level, budget)?, budget)?;
        if best.as_ref().is_none_or(|known| automaton.n_states() < known.n_states()) {
            best = Some(automaton);
        }
    }
    Ok(best.unwrap_or_default())
}
