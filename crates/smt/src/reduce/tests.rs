//! Reduced refutations still check, and are no larger.

use super::*;
use crate::test_support::{naive_refutation, random_cnf};
use base::Budget;
use base::Random;

fn random_refutations(n: usize, mut test: impl FnMut(&ResolutionDag)) {
    let mut rng = Random::new(7);
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
            if !matches!(pass, Pass::Regularise | Pass::LowerUnitPivots | Pass::Trim) {
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

fn lits(clause: &[i32]) -> Box<[crate::sat::types::Lit]> {
    clause.iter().map(|&n| crate::sat::types::Var(n.unsigned_abs()).lit(n > 0)).collect()
}

fn leaf(tag: u32, clause: &[i32]) -> Node {
    Node::Leaf { tag, clause: lits(clause) }
}

fn resolve(pivot: i32, positive: NodeIndex, negative: NodeIndex) -> Node {
    Node::Resolve { pivot: lits(&[pivot])[0], positive, negative }
}

/// `1 2` from `1 2 3` and `1 2 -3`, when `1` is a leaf that the proof has anyway.
#[test]
fn subsumed_clauses_are_not_derived() {
    let nodes = vec![
        leaf(0, &[1, 4]),
        leaf(1, &[-4]),
        resolve(4, 0, 1), // 1
        leaf(2, &[1, 2, 3]),
        leaf(3, &[1, 2, -3]),
        resolve(3, 3, 4), // 1 2
        leaf(4, &[-2, -1]),
        resolve(2, 5, 6), // 1 -1, a tautology
        leaf(5, &[-1]),
        resolve(1, 2, 8),
    ];
    let root = nodes.len() as NodeIndex - 1;
    let plain = ResolutionDag { nodes: nodes.clone(), root };
    assert_eq!(Pass::Subsumption.apply(&plain).expect("a refutation").len(), 5);
    // Only what the root needs counts; a derived clause that a leaf subsumes is the leaf.
    let nodes = vec![
        leaf(0, &[1]),
        leaf(1, &[1, 2, 3]),
        leaf(2, &[1, 2, -3]),
        resolve(3, 1, 2),
        leaf(3, &[-1, 2]),
        leaf(4, &[-2]),
        resolve(1, 3, 4), // 2
        resolve(2, 6, 5),
    ];
    let dag = ResolutionDag { nodes, root: 7 };
    let reduced = Pass::Subsumption.apply(&dag).expect("a refutation");
    // Leaf 0 is garbage for the root, so nothing is merged: subsumption looks at what is needed only.
    assert_eq!(reduced.len(), 7);
    assert_eq!(reduced.check(), Ok(()));
}

/// A lemma derived by three resolutions follows by propagation from two clauses that are needed anyway.
#[test]
fn lemmas_are_derived_anew_where_that_is_cheaper() {
    let nodes = vec![
        leaf(0, &[1, 2]),
        leaf(1, &[-2, 3]),
        leaf(2, &[-3, 1]),
        resolve(2, 0, 1), // 1 3
        resolve(3, 3, 2), // 1
        leaf(3, &[-2, 1]),
        leaf(4, &[-1, 4]),
        leaf(5, &[-1, -4]),
        resolve(1, 4, 6), // 4
        resolve(1, 4, 7), // -4
        resolve(4, 8, 9),
    ];
    let dag = ResolutionDag { nodes, root: 10 };
    assert_eq!(dag.check(), Ok(()));
    let trimmed = Pass::Trim.apply(&dag).expect("a refutation");
    assert_eq!(trimmed.check(), Ok(()));
    assert!(trimmed.len() <= dag.without_garbage().len());
}

#[test]
fn trimming_and_subsumption_shrink_solver_proofs() {
    for n in [4, 5] {
        let cnf = crate::focused::families::pigeonhole(n);
        let refuted = crate::focused::Refuted::prove(cnf, &Budget::unlimited()).expect("unsatisfiable");
        for pass in [Pass::Subsumption, Pass::Trim] {
            let reduced = pass.apply(&refuted.dag).expect("a refutation");
            assert_eq!(reduced.check(), Ok(()));
            assert!(reduced.len() < refuted.dag.len(), "{pass:?}");
        }
    }
}
