//! The modules of a termination proof as semi-deterministic Büchi automata.
//!
//! That is the form they have in the literature (Heizmann, Hoenicke and Podelski 2014): first follow the word and do
//! nothing, then guess a seed and from there on track the rank without ever losing it; passing a decrease is accepting.
//! A word with infinitely many decreases and finitely many losses has such a run: the guess is the last seed.
//! Infeasible words end in an accepting trap.
//!
//! The engine does not need this form (its product with deterministic one-pair Rabin automata needs no complement, see
//! [`super::module`]). It serves to compare: subtracting these automata from the program by any of the complements must
//! leave nothing either, which the tests check and `cargo bench -p engine --bench termination` measures.

use automata::{Nwa, StateId};
use ir::{EdgeId, Icfg, LocId, ModuleMode, RankingModule, TerminationProof};
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The infinite paths of the program that a proof speaks about, and its modules, over numbered paths. The graph is the
/// one that the proof is about (without calls).
pub fn buchi_automata(icfg: &Icfg, proof: &TerminationProof) -> (Nwa<u32>, Vec<Nwa<u32>>) {
    let paths: BTreeSet<&Vec<EdgeId>> =
        proof.modules.iter().flat_map(|m| m.edges.keys().map(|(_, path)| path)).collect();
    let numbers: BTreeMap<&Vec<EdgeId>, u32> = paths.into_iter().zip(0..).collect();
    let mut program: Nwa<u32> = Nwa::new();
    let mut states: BTreeMap<LocId, StateId> = BTreeMap::new();
    let mut state_of =
        |loc: LocId, program: &mut Nwa<u32>| *states.entry(loc).or_insert_with(|| program.add_state(true));
    let start = state_of(icfg.entry(), &mut program);
    program.add_initial(start);
    for (path, &number) in &numbers {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { continue };
        let from = state_of(icfg.edges[first].src, &mut program);
        let to = state_of(icfg.edges[last].dst, &mut program);
        program.add_internal(from, number, to);
    }
    let modules = proof.modules.iter().map(|m| semi_deterministic(m, &numbers)).collect();
    (program, modules)
}

fn semi_deterministic(module: &RankingModule, numbers: &BTreeMap<&Vec<EdgeId>, u32>) -> Nwa<u32> {
    let mut automaton: Nwa<u32> = Nwa::new();
    let n = module.states.len();
    // The first copy follows, the second tracks.
    let following: Vec<StateId> = (0..n).map(|_| automaton.add_state(false)).collect();
    let tracking: Vec<StateId> =
        module.states.iter().map(|s| automaton.add_state(s.mode == ModuleMode::Decrease)).collect();
    let trap = automaton.add_state(true);
    numbers.values().for_each(|letter| {
        automaton.add_internal(trap, *letter, trap);
    });
    if let Some(&first) = following.first() {
        automaton.add_initial(first);
    }
    for ((from, path), &to) in &module.edges {
        let letter = numbers[path];
        let (from, arrival) = (*from, module.states[to]);
        if arrival.formula == TermId::FALSE {
            automaton.add_internal(following[from], letter, trap);
            automaton.add_internal(tracking[from], letter, trap);
            continue;
        }
        automaton.add_internal(following[from], letter, following[to]);
        match arrival.mode {
            ModuleMode::Waiting => {}
            ModuleMode::Seed => {
                automaton.add_internal(following[from], letter, tracking[to]);
            }
            ModuleMode::Tracking | ModuleMode::Decrease => {
                automaton.add_internal(tracking[from], letter, tracking[to]);
            }
        }
    }
    automaton
}
