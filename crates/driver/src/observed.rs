//! What an execution shows to a temporal formula, and whether the formula really fails on it.
//!
//! An infinite execution of the product is a stem and a cycle. At each place where the automaton reads, the
//! propositions are evaluated: along the stem in the states of the execution, along the cycle in all states that it may
//! pass there in any iteration. The formula is then evaluated on that word from its definition
//! ([`automata::ltl::decided_on`]); the automaton has no part in that. So a wrong automaton cannot make a wrong
//! violation.

use crate::formula::Formula;
use crate::outcome::{InfiniteExecution, Observation, ObservedWord, Outcome};
use automata::ltl::{self, LassoWord, Letter};
use base::{Budget, Id};
use ir::interleave::Lanes;
use ir::temporal::{Observing, Product, Reading, Watch};
use ir::{EdgeId, Observed, Reason, VarId};
use logic::{TermId, TermPool};

/// A product, what is observed in it, and the variables that its own are copies of.
pub(crate) struct Made {
    pub(crate) product: Product,
    pub(crate) observing: Observing,
    pub(crate) observations: ir::Observations,
    pub(crate) copies: Vec<(VarId, VarId)>,
    /// There may be more threads than the product has room for.
    pub(crate) more_threads: bool,
    /// Whose steps the edges before the product are, if there are threads.
    pub(crate) lanes: Option<Lanes>,
}

impl Made {
    /// Whose steps the edges of the graph of an infinite execution are.
    pub(crate) fn lanes_of(&self, infinite: &InfiniteExecution) -> Option<Lanes> {
        let lanes = self.lanes.as_ref()?;
        let thread = |edge: EdgeId| {
            let edge = infinite.map.as_ref().map_or(edge, |map| map.edges[edge].edge);
            let step = self.product.edges.get(edge).copied().flatten();
            step.and_then(|e| lanes.of_edge.get(e.index()).copied()).unwrap_or(u32::MAX)
        };
        Some(Lanes { of_edge: infinite.graph.edges.ids().map(thread).collect(), ..lanes.clone() })
    }
}

/// The violation with what it shows, if the formula fails on it.
pub(crate) fn confirmed(
    mut infinite: InfiniteExecution,
    made: &Made,
    formula: &Formula,
    pool: &mut TermPool,
    options: check::Options,
    budget: &Budget,
) -> Outcome {
    let word = match word_of(&infinite, made, formula, pool, options, budget) {
        Ok(word) => word,
        Err(reason) => return Outcome::Unknown(reason),
    };
    let letters = |all: &[(usize, Observation)]| -> Vec<Letter> { all.iter().map(|(_, o)| o.letter).collect() };
    let (stem, mut cycle) = (letters(&word.stem), letters(&word.cycle));
    if cycle.is_empty() {
        // Nothing is observed any more: the last state is repeated, without what happened in the step to it.
        let is_state = |i: &usize| matches!(made.observations.propositions[*i], Observed::State(_));
        let states = (0..made.observations.propositions.len()).filter(is_state).fold(0, |all, i| all | 1 << i);
        cycle.extend(stem.last().map(|l| Letter { positive: l.positive & states, ..*l }));
    }
    let fails = match LassoWord::partial(stem, cycle) {
        Some(word) => ltl::decided_on(&formula.parsed.formula, &word).map(|holds| !holds),
        None => Some(!ltl::negation_normal_form(&formula.parsed.formula, true).holds_unobserved()),
    };
    match fails {
        Some(true) => {
            infinite.observed = Some(word);
            Outcome::NonTerminating(Box::new(infinite))
        }
        Some(false) => {
            Outcome::Unknown(Reason::Rejected("the formula holds on the execution that was found".to_string()))
        }
        None => {
            let why = "an execution was found on which the formula may fail, which depends on states that the abstraction merges";
            Outcome::Unknown(Reason::Incomplete(why.to_string()))
        }
    }
}

/// What is observed along an execution.
fn word_of(
    infinite: &InfiniteExecution,
    made: &Made,
    formula: &Formula,
    pool: &mut TermPool,
    options: check::Options,
    budget: &Budget,
) -> Result<ObservedWord, Reason> {
    let (lasso, graph) = (&infinite.lasso, &infinite.graph);
    let in_product = |edge: EdgeId| match &infinite.map {
        Some(map) => map.edges[edge].edge,
        None => edge,
    };
    // The state of the automaton after an edge with which it reads, and the events of the step that it reads about.
    let read = |edge: EdgeId| -> Option<(Watch, u64)> {
        let edge = in_product(edge);
        let product = &made.product;
        if product.edges[edge].is_some() {
            return None;
        }
        let data = &product.icfg.edges[edge];
        let events = match product.locs[data.src].reading {
            Reading::Step(step) => made.observing.events[step],
            Reading::Repetition => 0,
            Reading::Nothing | Reading::Accepting | Reading::Skip(..) | Reading::Waiting | Reading::Deeper => {
                return None;
            }
        };
        Some((product.locs[data.dst].watch, events))
    };
    let propositions = &made.observations.propositions;
    // Where the automaton reads, and what is asked there: number of the observation, proposition, step, formula.
    let reads = |edges: &mut dyn Iterator<Item = EdgeId>| {
        let (mut word, mut asked) = (Vec::new(), Vec::new());
        for (n, edge) in edges.enumerate() {
            let Some((watch, events)) = read(edge) else { continue };
            for (i, proposition) in propositions.iter().enumerate() {
                if let Observed::State(t) = proposition {
                    asked.push((word.len(), i, (n, *t)));
                }
            }
            word.push((n, Observation { letter: Letter { positive: events, unknown: 0 }, watch }));
        }
        (word, asked)
    };
    let (mut stem, asked) = reads(&mut lasso.stem.steps.iter().map(|s| s.edge));
    let questions: Vec<(usize, TermId)> = asked.iter().map(|a| a.2).collect();
    let truths = exec::interp::truths_along(graph, pool, &lasso.stem, &questions)
        .map_err(|e| Reason::Rejected(format!("the stem cannot be replayed: {e}")))?;
    fill(&mut stem, &asked, &truths);
    let (mut cycle, asked) = reads(&mut lasso.cycle.iter().map(|s| s.edge));
    let questions: Vec<(usize, TermId)> = asked.iter().map(|a| a.2).collect();
    let truths = check::truths_in_cycle(pool, graph, lasso, &questions, options, budget)
        .map_err(|_| Reason::Incomplete("what the execution shows could not be found out".to_string()))?;
    fill(&mut cycle, &asked, &truths);
    let names = formula.parsed.propositions.iter().map(|p| p.to_string()).collect();
    Ok(ObservedWord { formula: formula.text.clone(), propositions: names, stem, cycle })
}

/// Puts truths to the propositions that were asked for.
fn fill(word: &mut [(usize, Observation)], asked: &[(usize, usize, (usize, TermId))], truths: &[Option<bool>]) {
    for ((at, proposition, _), truth) in asked.iter().zip(truths) {
        let letter = &mut word[*at].1.letter;
        match truth {
            Some(true) => letter.positive |= 1 << proposition,
            Some(false) => {}
            None => letter.unknown |= 1 << proposition,
        }
    }
}
