//! Labelled interpolation against its definition, by truth tables over random refutations.

use super::circuit::{Circuit, Gate};
use super::labelled::*;
use super::tree::{Runs, TreeNode, TreeShape};
use crate::reduce::{Node, Pass, ResolutionDag};
use crate::sat::types::{Lit, Var};
use crate::test_support::{holds, naive_refutation, random_cnf, satisfied};
use base::Budget;
use base::Random;

const LABELS: [Label; 3] = [Label::B, Label::Both, Label::A];

struct Problem {
    n_vars: usize,
    clauses: Vec<Vec<Lit>>,
    partition: Vec<TreeNode>,
    dag: ResolutionDag,
}

fn random_problem(rng: &mut Random, n_partitions: usize) -> Problem {
    loop {
        let n_vars = 3 + rng.below(4);
        let n_clauses = 4 + rng.below(6 * n_vars);
        let clauses = random_cnf(rng, n_vars, n_clauses);
        if let Some(dag) = naive_refutation(rng, &clauses, n_vars) {
            let partition = clauses.iter().map(|_| rng.below(n_partitions) as TreeNode).collect();
            return Problem { n_vars, clauses, partition, dag };
        }
    }
}

fn random_assignment(rng: &mut Random, n_vars: usize) -> Assignment {
    let mut lits = Vec::new();
    for v in 0..n_vars as u32 {
        if rng.below(3) == 0 {
            lits.push(Var(v).lit(rng.flip()));
        }
    }
    Assignment::new(&lits).expect("one literal per variable")
}

impl Problem {
    fn run(&self, tree: &TreeShape, label: &dyn Fn(Lit) -> Label, assignment: &Assignment) -> (Circuit, Runs<Gate>) {
        let mut circuit = Circuit::new();
        let origin = |tag: u32| LeafOrigin::Partition(self.partition[tag as usize]);
        let colours = colours_by_occurrence(&self.dag, tree, &origin, assignment, self.n_vars);
        let system = LabelledSystem {
            dag: &self.dag,
            tree,
            origin: &origin,
            colours: &colours,
            shared_label: label,
            assignment,
        };
        let result = system.interpolate(&mut circuit, &mut NoTheory, &Budget::unlimited()).expect("propositional");
        (circuit, result)
    }
    /// Assignments of all variables that agree with the partial one.
    fn worlds<'a>(&self, assignment: &'a Assignment) -> impl Iterator<Item = u32> + use<'a> {
        (0u32..1 << self.n_vars).filter(|&world| assignment.lits().iter().all(|&l| holds(l, world)))
    }
    fn satisfied_where(&self, world: u32, keep: impl Fn(TreeNode) -> bool) -> bool {
        self.clauses.iter().zip(&self.partition).all(|(c, &p)| !keep(p) || satisfied(c, world))
    }
    /// The variables that clauses not satisfied by the assignment share across the cut at `v`.
    fn shared(&self, tree: &TreeShape, v: TreeNode, assignment: &Assignment) -> Vec<Var> {
        let occurs = |inside: bool, var: Var| {
            self.clauses.iter().zip(&self.partition).any(|(c, &p)| {
                tree.in_subtree(v, p) == inside && !assignment.satisfies(c) && c.iter().any(|l| l.var() == var)
            })
        };
        (0..self.n_vars as u32)
            .map(Var)
            .filter(|&x| assignment.value(x.positive()).is_none() && occurs(true, x) && occurs(false, x))
            .collect()
    }
    fn check_definition(&self, tree: &TreeShape, assignment: &Assignment, circuit: &Circuit, result: &Runs<Gate>) {
        for v in 0..tree.n_interpolants() as TreeNode {
            let gate = result.at(v);
            let shared = self.shared(tree, v, assignment);
            assert!(circuit.literals(&[gate]).iter().all(|l| shared.contains(&l.var())), "vocabulary");
            for world in self.worlds(assignment) {
                let i = circuit.eval(gate, |l| holds(l, world));
                assert!(i || !self.satisfied_where(world, |p| tree.in_subtree(v, p)), "A implies I");
                assert!(!i || !self.satisfied_where(world, |p| !tree.in_subtree(v, p)), "I contradicts B");
            }
        }
    }
    fn is_tree_interpolant(
        &self,
        tree: &TreeShape,
        assignment: &Assignment,
        circuit: &Circuit,
        result: &Runs<Gate>,
    ) -> bool {
        (0..tree.n_nodes() as TreeNode).all(|v| {
            self.worlds(assignment).all(|world| {
                let value = |u: TreeNode| circuit.eval(result.at(u), |l| holds(l, world));
                let premises = tree.children(v).into_iter().all(value) && self.satisfied_where(world, |p| p == v);
                !premises || (v != tree.root() && value(v))
            })
        })
    }
}

fn random_tree(rng: &mut Random, n: usize) -> TreeShape {
    loop {
        let parents: Vec<TreeNode> = (0..n).map(|v| (v + 1 + rng.below(n - v)) as TreeNode).collect();
        if let Some(tree) = TreeShape::new(&parents) {
            return tree;
        }
    }
}

#[test]
fn interpolants_by_truth_table_also_under_assignments() {
    let mut rng = Random::new(1);
    for round in 0..250 {
        let problem = random_problem(&mut rng, 2);
        let tree = TreeShape::sequence(2);
        let assignment =
            if round % 2 == 0 { Assignment::default() } else { random_assignment(&mut rng, problem.n_vars) };
        let mut gates = Vec::new();
        for label in LABELS {
            let (circuit, result) = problem.run(&tree, &|_| label, &assignment);
            problem.check_definition(&tree, &assignment, &circuit, &result);
            gates.push((circuit, result.at(0)));
        }
        // McMillan implies Pudlák implies the inverse.
        for world in problem.worlds(&assignment) {
            let values: Vec<bool> = gates.iter().map(|(c, g)| c.eval(*g, |l| holds(l, world))).collect();
            assert!(values.windows(2).all(|w| !w[0] || w[1]));
        }
        let seed = rng.bits();
        let per_literal = |l: Lit| LABELS[(seed >> (l.0 % 32)) as usize % 3];
        let (circuit, result) = problem.run(&tree, &per_literal, &assignment);
        problem.check_definition(&tree, &assignment, &circuit, &result);
    }
}

#[test]
fn sequences_have_the_path_property_under_one_assignment() {
    let mut rng = Random::new(2);
    for round in 0..200 {
        let n = 2 + rng.below(5);
        let problem = random_problem(&mut rng, n);
        let tree = TreeShape::sequence(n);
        let assignment =
            if round % 2 == 0 { Assignment::default() } else { random_assignment(&mut rng, problem.n_vars) };
        for label in LABELS {
            let (circuit, result) = problem.run(&tree, &|_| label, &assignment);
            problem.check_definition(&tree, &assignment, &circuit, &result);
            assert!(problem.is_tree_interpolant(&tree, &assignment, &circuit, &result));
        }
    }
}

#[test]
fn mcmillan_and_pudlak_give_tree_interpolants() {
    let mut rng = Random::new(3);
    let mut inverse_failed = 0;
    for _ in 0..300 {
        let n = 3 + rng.below(4);
        let problem = random_problem(&mut rng, n);
        let tree = random_tree(&mut rng, n);
        for label in [Label::B, Label::Both] {
            let (circuit, result) = problem.run(&tree, &|_| label, &Assignment::default());
            problem.check_definition(&tree, &Assignment::default(), &circuit, &result);
            assert!(problem.is_tree_interpolant(&tree, &Assignment::default(), &circuit, &result));
        }
        let (circuit, result) = problem.run(&tree, &|_| Label::A, &Assignment::default());
        let good = problem.is_tree_interpolant(&tree, &Assignment::default(), &circuit, &result);
        inverse_failed += usize::from(!good);
    }
    assert!(inverse_failed > 0, "the restriction of the inverse system to sequences is needed");
}

/// McMillan's system under two assignments: the step from π to π' holds under both together when
/// variables assigned only in π are labelled *a* afterwards, and those only in π' labelled *b* before.
#[test]
fn mcmillan_path_property_under_two_assignments() {
    let mut rng = Random::new(4);
    let mut n_tested = 0;
    for _ in 0..1500 {
        let problem = random_problem(&mut rng, 3);
        let tree = TreeShape::sequence(3);
        let (first, second) =
            (random_assignment(&mut rng, problem.n_vars), random_assignment(&mut rng, problem.n_vars));
        let both: Vec<Lit> = first.lits().iter().chain(second.lits()).copied().collect();
        let Some(both) = Assignment::new(&both) else { continue };
        let origin = |tag: u32| LeafOrigin::Partition(problem.partition[tag as usize]);
        let before = colours_by_occurrence(&problem.dag, &tree, &origin, &first, problem.n_vars);
        let after = colours_by_occurrence(&problem.dag, &tree, &origin, &second, problem.n_vars);
        let is_a = |colours: &[Runs<Colour>], x: usize, v: TreeNode| colours[x].at(v) == Colour::A;
        let condition = (0..problem.n_vars).all(|x| {
            let lit = Var(x as u32).positive();
            match (first.value(lit), second.value(lit)) {
                (Some(_), Some(_)) => true,
                (Some(_), None) => is_a(&after, x, 1),
                (None, Some(_)) => !is_a(&before, x, 0),
                (None, None) => !is_a(&before, x, 0) || is_a(&after, x, 1),
            }
        });
        if !condition {
            continue;
        }
        n_tested += 1;
        let (c1, r1) = problem.run(&tree, &|_| Label::B, &first);
        let (c2, r2) = problem.run(&tree, &|_| Label::B, &second);
        for world in problem.worlds(&both) {
            let i = c1.eval(r1.at(0), |l| holds(l, world)) && problem.satisfied_where(world, |p| p == 1);
            assert!(!i || c2.eval(r2.at(1), |l| holds(l, world)));
        }
    }
    assert!(n_tested > 30, "{n_tested}");
}

/// The invariant at every proof node, not only at the root.
#[test]
fn partial_interpolants_keep_the_invariant() {
    let mut rng = Random::new(5);
    for _ in 0..60 {
        let mut problem = random_problem(&mut rng, 2);
        let tree = TreeShape::sequence(2);
        let assignment = random_assignment(&mut rng, problem.n_vars);
        let origin_parts = problem.partition.clone();
        let origin = |tag: u32| LeafOrigin::Partition(origin_parts[tag as usize]);
        let colours = colours_by_occurrence(&problem.dag, &tree, &origin, &assignment, problem.n_vars);
        let clauses = problem.dag.clauses().expect("a refutation");
        assert_eq!(clauses.len(), problem.dag.nodes.len());
        for (node, clause) in clauses.iter().enumerate() {
            for label in LABELS {
                problem.dag.root = node as u32;
                let mut circuit = Circuit::new();
                let shared_label = |_| label;
                let system = LabelledSystem {
                    dag: &problem.dag,
                    tree: &tree,
                    origin: &origin,
                    colours: &colours,
                    shared_label: &shared_label,
                    assignment: &assignment,
                };
                let gate =
                    system.interpolate(&mut circuit, &mut NoTheory, &Budget::unlimited()).expect("propositional").at(0);
                let side = |lit: Lit, without: Label| {
                    let own = match colours[lit.var().0 as usize].at(0) {
                        Colour::A => Label::A,
                        Colour::B => Label::B,
                        Colour::Shared => label,
                        Colour::Mixed => unreachable!("propositional variables are not mixed"),
                    };
                    assignment.value(lit) == Some(true) || (assignment.value(lit).is_none() && own != without)
                };
                for world in problem.worlds(&assignment) {
                    let i = circuit.eval(gate, |l| holds(l, world));
                    let part = |without: Label| clause.iter().any(|&l| side(l, without) && holds(l, world));
                    assert!(i || part(Label::B) || !problem.satisfied_where(world, |p| p == 0));
                    assert!(!i || part(Label::A) || !problem.satisfied_where(world, |p| p == 1));
                }
            }
        }
    }
}

#[test]
fn reduced_proofs_give_interpolants_too() {
    let mut rng = Random::new(6);
    for _ in 0..100 {
        let mut problem = random_problem(&mut rng, 3);
        let tree = TreeShape::sequence(3);
        let original = problem.dag.clone();
        for pass in Pass::ALL {
            problem.dag = pass.apply(&original).expect("a refutation");
            let (circuit, result) = problem.run(&tree, &|_| Label::B, &Assignment::default());
            problem.check_definition(&tree, &Assignment::default(), &circuit, &result);
            assert!(problem.is_tree_interpolant(&tree, &Assignment::default(), &circuit, &result));
        }
    }
}

/// Example 1 of "PVAIR: Partial Variable Assignment InterpolatoR" (FASE 2016), step by step.
#[test]
fn example_one_of_the_pvair_paper() {
    let l = |n: i32| Var(n.unsigned_abs()).lit(n > 0);
    let clauses: Vec<Vec<Lit>> = [[1, 2], [-3, 6], [-1, 5], [1, 3], [-2, -6], [-4, -5], [-2, 4], [-1, 2]]
        .iter()
        .map(|c| c.iter().map(|&n| l(n)).collect())
        .collect();
    let mut nodes: Vec<Node> =
        clauses.iter().enumerate().map(|(tag, c)| Node::Leaf { tag: tag as u32, clause: c.clone().into() }).collect();
    let mut resolve = |pivot: i32, positive: u32, negative: u32| {
        nodes.push(Node::Resolve { pivot: l(pivot), positive, negative });
        nodes.len() as u32 - 1
    };
    let n1 = resolve(3, 3, 1); // l1 l6
    let n2 = resolve(6, n1, 4); // l1 ¬l2
    let n3 = resolve(2, 0, n2); // l1
    let n4 = resolve(5, 2, 5); // ¬l1 ¬l4
    let n5 = resolve(4, 6, n4); // ¬l1 ¬l2
    let n6 = resolve(2, 7, n5); // ¬l1
    let root = resolve(1, n3, n6);
    let dag = ResolutionDag { nodes, root };
    assert_eq!(dag.check(), Ok(()));
    let mut problem = Problem { n_vars: 7, clauses, partition: vec![0, 0, 0, 1, 1, 1, 1, 1], dag };
    let tree = TreeShape::sequence(2);

    // Without an assignment, McMillan: (¬l3 ∨ l6) ∧ (l1 ∨ l2) ∧ (¬l1 ∨ l5).
    let (circuit, result) = problem.run(&tree, &|_| Label::B, &Assignment::default());
    problem.check_definition(&tree, &Assignment::default(), &circuit, &result);
    for world in 0u32..1 << 7 {
        let holds = |n: i32| holds(l(n), world);
        let expected = (holds(-3) || holds(6)) && (holds(1) || holds(2)) && (holds(-1) || holds(5));
        assert_eq!(circuit.eval(result.at(0), |lit| crate::test_support::holds(lit, world)), expected);
    }

    // Under ¬l2 the clauses c5 and c7 are satisfied, so l6 is local to A; shared are l1, l3, l5.
    let assignment = Assignment::new(&[l(-2)]).expect("consistent");
    assert_eq!(problem.shared(&tree, 0, &assignment), vec![Var(1), Var(3), Var(5)]);
    let mut show = |node: u32| {
        let keep = problem.dag.root;
        problem.dag.root = node;
        // Colours are those of the whole refutation, whichever node is asked for.
        let (circuit, result) = problem.run(&tree, &|_| Label::B, &assignment);
        problem.dag.root = keep;
        let mut lits: Vec<String> = circuit
            .literals(&[result.at(0)])
            .iter()
            .map(|lit| format!("{}{}", if lit.is_positive() { "" } else { "-" }, lit.var().0))
            .collect();
        lits.sort();
        (circuit.kind(result.at(0)), lits.join(" "))
    };
    use super::circuit::GateKind;
    assert_eq!(show(0).1, "1"); // c1: l1 (l2 is assigned)
    assert_eq!(show(1).1, "-3"); // c2: ¬l3 (l6 is labelled a)
    assert_eq!(show(2).1, "-1 5"); // c3: ¬l1 ∨ l5
    for b_leaf in 3..8 {
        assert_eq!(show(b_leaf).0, GateKind::True);
    }
    assert_eq!(show(n1).1, "-3"); // on l3, b: ⊤ ∧ ¬l3
    assert_eq!(show(n2).0, GateKind::True); // on l6, a: ¬l3 ∨ ⊤
    assert_eq!(show(n3).1, "1"); // on l2, d⁺ at the clause with ¬l2: c1's
    assert_eq!(show(n4).1, "-1 5");
    assert_eq!(show(n6).0, GateKind::True); // on l2, d⁺: c8's
    let (circuit, result) = problem.run(&tree, &|_| Label::B, &assignment);
    assert_eq!(circuit.kind(result.at(0)), GateKind::Literal(l(1)));
    problem.check_definition(&tree, &assignment, &circuit, &result);
}
