//! Random programs over finite domains: the passes preserve which checks can be violated, found
//! executions replay, and SSA formulas are satisfiable exactly for executable traces.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{State, explore, lower, models, program, solve, step};
use exec::execution::{Limits, Outcome, execute};
use exec::interp::replay;
use exec::random::{RandomLimits, random_run};
use ir::blocks::{BlockLimits, BlockMode, encode};
use ir::inline::{InlineLimits, inline_calls};
use ir::ssa::Ssa;
use ir::text::{print_icfg, print_program, read_icfg, read_icfg_with, read_program, read_program_with};
use ir::verify::{verify_icfg, verify_program};
use ir::{Counterexample, EdgeId, Icfg, Label, TraceStep, Transition, VarId, primed};
use logic::{Model, TermId, TermPool, Value};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

const MAX_STATES: usize = 800;
const MAX_DEPTH: usize = 5;

/// Few by default, to be fast; more with `PROPTEST_CASES`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

fn violated(icfg: &Icfg, pool: &mut TermPool) -> Option<BTreeSet<String>> {
    let explored = explore(icfg, pool, MAX_STATES, MAX_DEPTH);
    explored.complete.then(|| explored.errors.into_keys().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn passes_preserve_violations(p in program()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let icfg = Icfg::build(&program, &mut pool);
        prop_assert_eq!(verify_program(&program, &pool), Vec::<String>::new());
        prop_assert_eq!(verify_icfg(&icfg, &pool), Vec::<String>::new());
        let expected = violated(&icfg, &mut pool);
        let (inlined, _) = inline_calls(&icfg, &mut pool, &InlineLimits::default()).unwrap();
        prop_assert_eq!(verify_icfg(&inlined, &pool), Vec::<String>::new());
        let found = violated(&inlined, &mut pool);
        if let (Some(expected), Some(found)) = (&expected, &found) {
            prop_assert_eq!(expected, found, "inlining");
        }
        let Some(found) = found else { return Ok(()) };
        for mode in [BlockMode::Off, BlockMode::Sequence, BlockMode::Large] {
            for limits in [BlockLimits::default(), BlockLimits { max_edges: 3, max_regions: 1, ..BlockLimits::default() }] {
                let (blocks, _) = encode(&inlined, &mut pool, mode, &limits);
                prop_assert_eq!(verify_icfg(&blocks, &pool), Vec::<String>::new());
                if let Some(there) = violated(&blocks, &mut pool) {
                    prop_assert_eq!(&found, &there, "blocks {:?} {:?}", mode, limits);
                }
            }
        }
    }

    /// If the execution of the whole program ends, enumeration finds no error either.
    #[test]
    fn execution_covers_every_execution(p in program()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let icfg = Icfg::build(&program, &mut pool);
        let (inlined, _) = inline_calls(&icfg, &mut pool, &InlineLimits::default()).unwrap();
        let limits = Limits { max_steps: 100_000, max_branches: 5_000, max_depth: 100, errors_end: false };
        for graph in [&icfg, &inlined] {
            if let Outcome::Ends(n) = execute(graph, &pool, &limits, &mut || false) {
                let explored = explore(graph, &mut pool, MAX_STATES, MAX_DEPTH);
                prop_assert_eq!(explored.errors.into_keys().collect::<Vec<_>>(), Vec::<String>::new());
                // As many steps as that are needed, and fewer are not enough.
                let same = Limits { max_steps: n, ..limits };
                prop_assert_eq!(execute(graph, &pool, &same, &mut || false), Outcome::Ends(n));
                if n > 0 {
                    let fewer = Limits { max_steps: n - 1, ..limits };
                    prop_assert_eq!(execute(graph, &pool, &fewer, &mut || false), Outcome::TooLong);
                }
            }
        }
    }

    #[test]
    fn executions_replay_and_carry_back(p in program()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let icfg = Icfg::build(&program, &mut pool);
        let (inlined, inline_map) = inline_calls(&icfg, &mut pool, &InlineLimits::default()).unwrap();
        let explored = explore(&inlined, &mut pool, MAX_STATES, MAX_DEPTH);
        for (message, (initial, steps)) in explored.errors {
            let trace = Counterexample { initial, steps, symbols: Model::new() };
            let run = replay(&inlined, &pool, &trace);
            prop_assert_eq!(&run.unwrap().check.message, &message);
            let original = inline_map.original_counterexample(&trace);
            let run = replay(&icfg, &pool, &original);
            prop_assert_eq!(&run.unwrap().check.message, &message, "in the original");
        }
        for mode in [BlockMode::Sequence, BlockMode::Large] {
            let (blocks, map) = encode(&inlined, &mut pool, mode, &BlockLimits::default());
            let explored = explore(&blocks, &mut pool, MAX_STATES, MAX_DEPTH);
            for (message, (_, steps)) in explored.errors {
                let edges: Vec<EdgeId> = steps.iter().map(|s| s.edge).collect();
                let ssa = Ssa::of_trace(&mut pool, &blocks, &edges).unwrap();
                let formulas: Vec<_> = ssa.steps.iter().flat_map(|s| s.formulas.iter().copied()).collect();
                let model = solve(&mut pool, &formulas);
                if common::exhausted() {
                    return Ok(());
                }
                prop_assert!(model.is_some(), "an executable trace has a model");
                let trace = execution(&pool, &edges, &ssa, &model.unwrap());
                let leaves = map.original_counterexample(&blocks, &mut pool, &trace).expect("a path");
                let run = replay(&inlined, &pool, &leaves);
                prop_assert_eq!(&run.unwrap().check.message, &message, "expanded");
                let original = inline_map.original_counterexample(&leaves);
                let run = replay(&icfg, &pool, &original);
                prop_assert_eq!(&run.unwrap().check.message, &message, "expanded, in the original");
            }
        }
    }

    #[test]
    fn ssa_is_satisfiable_iff_the_trace_is_executable(p in program(), seed in any::<u64>(), inline in any::<bool>()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let mut icfg = Icfg::build(&program, &mut pool);
        if inline {
            icfg = inline_calls(&icfg, &mut pool, &InlineLimits::default()).unwrap().0;
        }
        let trace = random_path(&icfg, seed, 14);
        let mut states: BTreeSet<_> = common::initial_states(&icfg, &pool).into_iter().map(|s| s.0).collect();
        for &edge in &trace {
            states = states.iter().flat_map(|s| step(&icfg, &mut pool, s, edge)).map(|s| s.0).collect();
            if states.len() > 2_000 {
                return Ok(());
            }
        }
        let ssa = Ssa::of_trace(&mut pool, &icfg, &trace).unwrap();
        let formulas: Vec<_> = ssa.steps.iter().flat_map(|s| s.formulas.iter().copied()).collect();
        let is_satisfiable = solve(&mut pool, &formulas).is_some();
        prop_assert!(common::exhausted() || is_satisfiable != states.is_empty());
    }

    #[test]
    fn text_round_trips(p in program()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let text = print_program(&program, &mut pool);
        let terms: Vec<TermId> = program.vars.values().map(|v| v.term).collect();
        let again = read_program_with(&mut pool, &text, &mut |_, name, _| terms[number(name)]);
        prop_assert_eq!(again.expect("it can be read"), program.clone());

        let mut icfg = Icfg::build(&program, &mut pool);
        // Subjects of checks are not written.
        let without_subjects = |graph: &mut Icfg| {
            for loc in graph.locs.ids().collect::<Vec<_>>() {
                if let Some(error) = &mut graph.locs[loc].error {
                    error.subject = None;
                }
            }
        };
        without_subjects(&mut icfg);
        let (inlined, _) = inline_calls(&icfg, &mut pool, &InlineLimits::default()).unwrap();
        for graph in [&icfg, &inlined] {
            let text = print_icfg(graph, &mut pool);
            let terms: Vec<TermId> = graph.vars.values().map(|v| v.term).collect();
            let again = read_icfg_with(&mut pool, &text, &mut |_, name, _| terms[number(name)]);
            prop_assert_eq!(&again.expect("it can be read"), graph);
        }
        // Auxiliary constants are numbered by their ids, so the first copy is the one to compare with.
        let (blocks, _) = encode(&inlined, &mut pool, BlockMode::Large, &BlockLimits::default());
        let text = print_icfg(&blocks, &mut pool);
        let mut constants: HashMap<String, TermId> = HashMap::new();
        let first = read_icfg_with(&mut pool, &text, &mut |pool, name, sort| {
            let constant = pool.fresh_constant("c", sort);
            constants.insert(name.to_string(), constant);
            constant
        });
        let first = first.expect("it can be read");
        prop_assert_eq!(verify_icfg(&first, &pool), Vec::<String>::new());
        let text = print_icfg(&first, &mut pool);
        let again = read_icfg_with(&mut pool, &text, &mut |_, name, _| constants[name]);
        prop_assert_eq!(again.expect("it can be read"), first);
    }

    #[test]
    fn composition_post_and_weakest_pre_agree_with_execution(p in program(), seed in any::<u64>()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let icfg = Icfg::build(&program, &mut pool);
        let (icfg, _) = inline_calls(&icfg, &mut pool, &InlineLimits::default()).unwrap();
        // Two paths from the start, as one transition.
        let mut paths = Vec::new();
        for s in [seed, seed.rotate_left(17)] {
            let mut path = random_path(&icfg, s, 5);
            path.truncate(path.iter().position(|&e| icfg.call_site(e).is_some()).unwrap_or(path.len()));
            paths.push(path);
        }
        let sequences: Vec<Transition> = paths
            .iter()
            .map(|path| {
                let steps: Vec<Transition> =
                    path.iter().map(|&e| Transition::of_edge(&mut pool, &icfg, e).unwrap()).collect();
                Transition::seq(&mut pool, &icfg.vars, &steps)
            })
            .collect();
        let both = Transition::choice(&mut pool, &icfg.vars, sequences);
        let states: Vec<State> = common::initial_states(&icfg, &pool).into_iter().map(|s| s.0).take(4).collect();
        for state in states {
            // By execution, as values of the assigned variables.
            let mut expected = BTreeSet::new();
            for path in &paths {
                let mut now = BTreeSet::from([state.clone()]);
                for &e in path {
                    now = now.iter().flat_map(|s| step(&icfg, &mut pool, s, e)).map(|s| s.0).collect();
                }
                expected.extend(now.iter().map(|s| values(s, &both.assigned)));
            }
            let here = state_formula(&icfg, &mut pool, &state);
            // By the formulas.
            let mut primes = Vec::new();
            for &v in &both.assigned {
                primes.push(primed(&mut pool, icfg.term(v)));
            }
            for formula in [both.formula, both.plain] {
                let found = solutions(&mut pool, &[here, formula], &primes);
                prop_assert!(common::exhausted() || found == expected);
            }
            let post = both.post(&mut pool, &icfg.vars, here);
            let terms: Vec<TermId> = both.assigned.iter().map(|&v| icfg.term(v)).collect();
            let found = solutions(&mut pool, &[post.body], &terms);
            prop_assert!(common::exhausted() || found == expected, "post");
            // Only the first successor is allowed: the weakest precondition says whether it is the only one.
            if let Some(first) = expected.iter().next() {
                let mut target = Vec::new();
                for (&t, value) in terms.iter().zip(first) {
                    let sort = pool.sort(t);
                    let value = pool.value_term(value, sort).unwrap();
                    target.push(pool.eq(t, value));
                }
                let target = pool.and(&target);
                let before = both.weakest_pre(&mut pool, &icfg.vars, target);
                let violated = pool.not(before.body);
                let is_only = solve(&mut pool, &[here, violated]).is_none();
                prop_assert!(common::exhausted() || is_only == (expected.len() == 1), "weakest precondition");
            }
        }
    }

    #[test]
    fn damaged_text_is_refused_without_panic(p in program(), at in any::<prop::sample::Index>(), by in "[ ()%:a-z0-9|\"]{0,3}") {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let icfg = Icfg::build(&program, &mut pool);
        for text in [print_program(&program, &mut pool), print_icfg(&icfg, &mut pool)] {
            let place = at.index(text.len());
            if !text.is_char_boundary(place) || !text.is_char_boundary(place + 1) {
                continue;
            }
            let damaged = format!("{}{by}{}", &text[..place], &text[place + 1..]);
            if let Ok(program) = read_program(&mut pool, &damaged) {
                verify_program(&program, &pool);
            }
            if let Ok(icfg) = read_icfg(&mut pool, &damaged) {
                verify_icfg(&icfg, &pool);
            }
        }
    }

    #[test]
    fn random_runs_find_only_reachable_errors(p in program(), seed in any::<u64>()) {
        common::refuel();
        let mut pool = TermPool::new();
        let program = lower(&mut pool, &p);
        let icfg = Icfg::build(&program, &mut pool);
        if let Some(found) = random_run(&icfg, &pool, seed, &RandomLimits::default())
            && let Some(expected) = violated(&icfg, &mut pool)
        {
            let last = found.steps.last().unwrap().edge;
            let message = &icfg.locs[icfg.edges[last].dst].error.as_ref().unwrap().message;
            prop_assert!(expected.contains(message));
        }
    }
}

/// The values of some variables in a state.
fn values(state: &State, vars: &[VarId]) -> Vec<Value> {
    let own = &state.frames.last().unwrap().1;
    vars.iter().map(|v| state.globals.get(v).or_else(|| own.get(v)).unwrap().clone()).collect()
}

/// The formula of the values that a state gives to variables.
fn state_formula(icfg: &Icfg, pool: &mut TermPool, state: &State) -> TermId {
    let mut equations = Vec::new();
    for (&v, value) in state.globals.iter().chain(&state.frames.last().unwrap().1) {
        let value = pool.value_term(value, icfg.vars[v].sort).unwrap();
        equations.push(pool.eq(icfg.vars[v].term, value));
    }
    pool.and(&equations)
}

/// The values of some constants in all models.
fn solutions(pool: &mut TermPool, formulas: &[TermId], constants: &[TermId]) -> BTreeSet<Vec<Value>> {
    let mut found = BTreeSet::new();
    models(pool, formulas.to_vec(), constants, &mut |pool, m| {
        found.insert(constants.iter().map(|&c| m.get(pool.as_symbol(c).unwrap()).unwrap().clone()).collect());
        false
    });
    found
}

/// The number in the name of a variable.
fn number(name: &str) -> usize {
    name.rsplit_once('%').unwrap().1.parse().unwrap()
}

fn execution(pool: &TermPool, edges: &[EdgeId], ssa: &Ssa, model: &Model) -> Counterexample {
    let steps = edges
        .iter()
        .zip(&ssa.steps)
        .map(|(&edge, step)| {
            let chosen = step.chosen.iter().map(|&(v, c)| (v, model.eval(pool, c).unwrap())).collect();
            TraceStep { edge, chosen }
        })
        .collect();
    Counterexample { initial: ssa.initial_values(pool, model), steps, symbols: model.clone() }
}

/// A path of the graph from its start with properly nested returns.
fn random_path(icfg: &Icfg, seed: u64, n: usize) -> Vec<EdgeId> {
    let mut random = base::Random::new(seed);
    let mut path = Vec::new();
    let mut at = icfg.entry();
    let mut open = Vec::new();
    while path.len() < n {
        let choices: Vec<EdgeId> = icfg
            .out_edges(at)
            .iter()
            .copied()
            .filter(|&e| match icfg.edges[e].label {
                Label::Return(site) => open.last() == Some(&site),
                _ => true,
            })
            .collect();
        let Some(&edge) = random.pick(&choices) else { break };
        match icfg.edges[edge].label {
            Label::Call(site) => open.push(site),
            Label::Return(_) => {
                open.pop();
            }
            _ => {}
        }
        path.push(edge);
        at = icfg.edges[edge].dst;
    }
    path
}
