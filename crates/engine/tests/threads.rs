//! Proofs about threads: those of the engines are accepted, and every change that breaks a rule is rejected. Which
//! actions commute is compared with all values of a small range, and every rule of it is needed.

mod common;

use base::Budget;
use check::{Options, Rejection};
use common::{Program, program};
use engine::{Ctx, Silent, Task, engine_by_name};
use ir::interleave::concurrent::{Action, ActionId, Concurrent};
use ir::{Certificate, Interleavings, OwickiGries, Property, Verdict};
use logic::{Model, SatResult, Solver, TermId, TermPool, Value};
use smt::SmtSolver;

fn run(p: &mut Program, engine: &str) -> (Verdict, Option<Concurrent>) {
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let task = Task::new(&p.icfg, &Property::UnreachCall);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    let verdict = engine_by_name(engine).expect("it exists").run(&mut ctx, &task);
    (verdict, ctx.concurrent)
}

const SAFE: &str = "var x, y, m: int;
    procedure one() modifies x, m;
    {
      atomic { assume m == 0; m := 1; }
      x := x + 1;
      atomic { assume m == 1; m := 0; }
    }
    procedure two() modifies y; { y := y + 1; }
    procedure ULTIMATE.start() modifies x, y, m;
    {
      x := 0; y := 0; m := 0;
      fork 1 one(); fork 2 one(); fork 3 two();
      join 1; join 2; join 3;
      assert x == 2 && y == 1;
    }";

fn proved(engine: &str) -> (Program, Concurrent, Interleavings) {
    let mut p = program(SAFE);
    let (verdict, concurrent) = run(&mut p, engine);
    match (verdict, concurrent) {
        (Verdict::Holds(Certificate::Interleavings(proof)), Some(concurrent)) => (p, concurrent, *proof),
        (verdict, _) => panic!("{engine}: {verdict:?}"),
    }
}

fn check(p: &mut Program, concurrent: &Concurrent, proof: &Interleavings) -> Result<(), Rejection> {
    let options = Options { paranoid: true };
    check::check_interleavings(&mut p.pool, concurrent, proof, options, &Budget::unlimited())
}

fn rejects(p: &mut Program, concurrent: &Concurrent, proof: &Interleavings, complaint: &str) {
    match check(p, concurrent, proof) {
        Err(Rejection::Wrong(why)) => assert!(why.contains(complaint), "the complaint is: {why}"),
        other => panic!("expected a complaint about “{complaint}”, but {other:?}"),
    }
}

#[test]
fn proofs_are_accepted_and_every_broken_rule_is_rejected() {
    for engine in ["reduced-interleavings", "petri"] {
        let (mut p, concurrent, proof) = proved(engine);
        assert_eq!(check(&mut p, &concurrent, &proof), Ok(()));
        let threads: Vec<usize> = proof.reductions.keys().copied().collect();
        let first = threads[0];
        // Nothing is said about some errors.
        let mut changed = proof.clone();
        changed.reductions.remove(&first);
        rejects(&mut p, &concurrent, &changed, "nothing is said");
        // A stronger start.
        let mut changed = proof.clone();
        changed.reductions.get_mut(&first).expect("it is there")[0].formula = TermId::FALSE;
        rejects(&mut p, &concurrent, &changed, "does not begin");
        let nodes = proof.reductions[&first].len();
        let mut n_left_out = 0;
        for n in 0..nodes {
            let node = &proof.reductions[&first][n];
            for i in 0..node.next.len() {
                // An action that can be taken is left out.
                let mut changed = proof.clone();
                changed.reductions.get_mut(&first).expect("it is there")[n].next.remove(i);
                rejects(&mut p, &concurrent, &changed, "");
                n_left_out += 1;
                if node.next[i].1.is_some() {
                    // It is said to be impossible.
                    let mut changed = proof.clone();
                    changed.reductions.get_mut(&first).expect("it is there")[n].next[i].1 = None;
                    rejects(&mut p, &concurrent, &changed, "impossible");
                }
            }
            // An action of the node sleeps instead. (One that cannot be taken may do so.)
            if let Some(&(a, Some(_))) = node.next.first() {
                let mut changed = proof.clone();
                let nodes = changed.reductions.get_mut(&first).expect("it is there");
                nodes[n].next.remove(0);
                nodes[n].sleep.push(a);
                nodes[n].sleep.sort_unstable();
                rejects(&mut p, &concurrent, &changed, "");
            }
            // A formula that no state satisfies.
            if n > 0 && node.formula != TermId::FALSE {
                let mut changed = proof.clone();
                changed.reductions.get_mut(&first).expect("it is there")[n].formula = TermId::FALSE;
                rejects(&mut p, &concurrent, &changed, "does not hold");
            }
            // Nobody is followed.
            if !node.threads.is_empty() && !node.next.is_empty() {
                let mut changed = proof.clone();
                let node = &mut changed.reductions.get_mut(&first).expect("it is there")[n];
                node.threads.clear();
                node.next.clear();
                rejects(&mut p, &concurrent, &changed, "reach an error");
            }
        }
        assert!(n_left_out > 5);
    }
}

#[test]
fn a_proof_for_any_number_of_threads_is_accepted_and_changes_are_rejected() {
    let text = "var x, m: int;
        procedure worker() modifies x, m;
        {
          atomic { assume m == 0; m := 1; }
          x := 0;
          x := 1;
          assert x >= 1;
          atomic { assume m == 1; m := 0; }
        }
        procedure ULTIMATE.start() modifies x, m;
        { x := 1; m := 0; while (*) { fork 0 worker(); } }";
    let mut p = program(text);
    let (verdict, concurrent) = run(&mut p, "thread-modular");
    let (Verdict::Holds(Certificate::OwickiGries(proof)), Some(concurrent)) = (verdict, concurrent) else {
        panic!("there is a proof")
    };
    let mut examine = |proof: &OwickiGries| {
        let options = Options { paranoid: true };
        check::check_owicki_gries(&mut p.pool, &concurrent, proof, options, &Budget::unlimited())
    };
    assert_eq!(examine(&proof), Ok(()));
    let is_wrong = |result: Result<(), Rejection>| matches!(result, Err(Rejection::Wrong(_)));
    // Without formulas the assertion may fail.
    assert!(is_wrong(examine(&OwickiGries { formulas: Default::default(), ..(*proof).clone() })));
    for &place in proof.formulas.keys() {
        let mut changed = (*proof).clone();
        changed.formulas.insert(place, TermId::FALSE);
        assert!(is_wrong(examine(&changed)), "{place}");
    }
    // A ghost must not be a variable of the program, nor a thread's number be another's.
    let mut changed = (*proof).clone();
    changed.selves[1] = changed.selves[2];
    assert!(is_wrong(examine(&changed)));
}

/// Actions of all kinds, for which both answers occur.
const KINDS: &str = "var x, y, z: int;
    procedure a() modifies x, y, z; { x := 1; y := y + 1; z := x; assume y == 1; x := x + 2; }
    procedure b() modifies x, y, z; { x := 2; y := y + 2; x := z; assume x == 1; x := x + 1; z := 1; }
    procedure ULTIMATE.start() modifies x, y, z; { fork 1 a(); fork 2 b(); fork 2 b(); join 1; join 2; assert x == y; }";

/// Does one order do what the other does, for all values from 0 to 2? The effects on variables only.
fn same_effect(p: &TermPool, concurrent: &Concurrent, a: &Action, b: &Action) -> bool {
    let vars: Vec<_> = a.reads.iter().chain(&a.writes).chain(&b.reads).chain(&b.writes).copied().collect();
    let mut vars: Vec<_> = vars.into_iter().collect();
    vars.sort_unstable();
    vars.dedup();
    let apply = |state: &[i64], action: &Action| -> Option<Vec<i64>> {
        let mut model = Model::new();
        for (&v, &n) in vars.iter().zip(state) {
            let symbol = p.as_symbol(concurrent.graph.term(v)).expect("a variable");
            model.set(symbol, Value::Num(n.into()));
        }
        if model.eval(p, action.guard) != Ok(Value::Bool(true)) {
            return None;
        }
        let mut next = state.to_vec();
        for &(v, term) in &action.updates {
            let position = vars.iter().position(|w| *w == v).expect("it is written");
            let Ok(Value::Num(n)) = model.eval(p, term) else { panic!("a number") };
            next[position] = n.to_string().parse().expect("a small integer");
        }
        Some(next)
    };
    let n_states = 3usize.pow(vars.len() as u32);
    (0..n_states).all(|mut n| {
        let state: Vec<i64> = vars
            .iter()
            .map(|_| {
                let digit = n % 3;
                n /= 3;
                digit as i64
            })
            .collect();
        let one = apply(&state, a).and_then(|s| apply(&s, b));
        let other = apply(&state, b).and_then(|s| apply(&s, a));
        one == other
    })
}

#[test]
fn actions_commute_if_and_only_if_both_orders_do_the_same() {
    let mut p = program(KINDS);
    let concurrent = Concurrent::new(&p.icfg, &mut p.pool, 2).expect("it is small");
    let mut solver = SmtSolver::without_proofs();
    let ids: Vec<ActionId> = concurrent.actions.ids().collect();
    let (mut n_yes, mut n_no) = (0, 0);
    // Rules, each left out once: would that be noticed?
    let mut noticed = [false; 5];
    for &a in &ids {
        for &b in ids.iter().filter(|b| **b > a) {
            let (first, second) = (&concurrent.actions[a], &concurrent.actions[b]);
            let is_one_thread = first.thread == second.thread;
            let shares = first.shares_place(second);
            let effect = same_effect(&p.pool, &concurrent, first, second);
            let truth = !is_one_thread && !shares && effect;
            let answer = match concurrent.commutation(&mut p.pool, a, b) {
                None => false,
                Some(condition) => {
                    let fails = p.pool.not(condition);
                    solver.check_assuming(&mut p.pool, &[fails], &Budget::unlimited()) == SatResult::Unsat
                }
            };
            assert_eq!(answer, truth, "{:?} and {:?}", first.updates, second.updates);
            n_yes += u32::from(answer);
            n_no += u32::from(!answer);
            let meet = |a: &[ir::VarId], b: &[ir::VarId]| a.iter().any(|v| b.contains(v));
            let writes = meet(&first.writes, &second.writes);
            let reads = meet(&first.writes, &second.reads) || meet(&first.reads, &second.writes);
            noticed[0] |= is_one_thread && !shares && effect;
            noticed[1] |= !is_one_thread && shares && effect;
            noticed[2] |= !is_one_thread && !shares && !effect && writes && !reads;
            noticed[3] |= !is_one_thread && !shares && !effect && reads && !writes;
            let guarded = first.guard != TermId::TRUE || second.guard != TermId::TRUE;
            noticed[4] |= !is_one_thread && !shares && !effect && guarded;
        }
    }
    assert!(n_yes > 10 && n_no > 10, "{n_yes} pairs commute, {n_no} do not");
    assert_eq!(noticed, [true; 5], "a rule that no pair needs");
}
