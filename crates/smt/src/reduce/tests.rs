//! Reduced refutations still check, and are no larger.

use super::*;
use crate::test_support::{Rng, naive_refutation, random_cnf};
use base::Budget;

fn random_refutations(n: usize, mut test: impl FnMut(&ResolutionDag)) {
    let mut rng = Rng::new(7);
    let mut found = 0;
    while found < n {
        let n_vars = 3 + rng.below(4);
        let n_clauses = 4 + rng.below(6 * n_vars);
        let clauses = random_cnf(&mut rng, n_vars, n_clauses);
        if let Some(dag) = naive_refutation(&mut rng, &clauses, n_vars) {
            assert_eq!(dag.check(), Ok(()));
            test(&dag);
            found += 1;
        }
    }
}

#[test]
fn every_pass_keeps_a_refutation_and_only_drops_leaves() {
    random_refutations(400, |dag| {
        for pass in Pass::ALL {
            let reduced = pass.apply(dag).expect("a checked refutation");
            assert_eq!(reduced.check(), Ok(()), "{pass:?}");
            let (old, new) = (dag.leaf_tags(), reduced.leaf_tags());
            assert!(new.iter().all(|t| old.binary_search(t).is_ok()), "{pass:?} invented a leaf");
            if pass != Pass::Regularise && pass != Pass::LowerUnitPivots {
                assert!(reduced.len() <= dag.without_garbage().len(), "{pass:?} grew the proof");
            }
        }
    });
}

#[test]
fn regularised_proofs_are_regular_when_small() {
    fn irregular(dag: &ResolutionDag, node: NodeIndex, seen: &mut Vec<crate::sat::types::Var>) -> bool {
        match &dag.nodes[node as usize] {
            Node::Leaf { .. } => false,
            Node::Resolve { pivot, positive, negative } => {
                if seen.contains(&pivot.var()) {
                    return true;
                }
                seen.push(pivot.var());
                let bad = irregular(dag, *positive, seen) || irregular(dag, *negative, seen);
                seen.pop();
                bad
            }
        }
    }
    let mut n_irregular = 0;
    random_refutations(300, |dag| {
        let dag = dag.without_garbage();
        n_irregular += usize::from(irregular(&dag, dag.root, &mut Vec::new()));
        let regular = Pass::Regularise.apply(&dag).expect("a checked refutation");
        // The cap on copies may leave an irregular path in larger proofs.
        if dag.len() < 12 {
            assert!(!irregular(&regular, regular.root, &mut Vec::new()));
        }
    });
    assert!(n_irregular > 0, "the generator makes irregular proofs");
}

#[test]
fn the_loop_shrinks_and_stops() {
    let (mut before, mut after) = (0, 0);
    random_refutations(300, |dag| {
        let (reduced, stats) = reduce(dag, &Pass::RECOMMENDED, 5, &Budget::unlimited()).expect("a refutation");
        assert_eq!(reduced.check(), Ok(()));
        assert_eq!(stats.nodes_after, reduced.len());
        before += stats.nodes_before;
        after += stats.nodes_after;
    });
    assert!(after < before);
}

#[test]
fn mutated_graphs_are_rejected() {
    let mut n_tried = 0;
    random_refutations(200, |dag| {
        let dag = dag.without_garbage();
        for index in 0..dag.len() {
            let mut broken = dag.clone();
            match &mut broken.nodes[index] {
                Node::Resolve { pivot, .. } => *pivot = !*pivot,
                Node::Leaf { clause, .. } => *clause = clause.iter().map(|&l| !l).collect(),
            }
            n_tried += 1;
            assert!(broken.check().is_err());
        }
    });
    assert!(n_tried > 400);
}

#[test]
fn names_of_passes_round_trip() {
    for pass in Pass::ALL {
        assert_eq!(Pass::from_name(pass.name()), Some(pass));
    }
    assert_eq!(Pass::from_name("none"), None);
}
