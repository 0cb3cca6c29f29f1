//! Calls: predicates of nested traces by their definition, linking against inlining.

use base::{Budget, SourceMap};
use engine::hoare::{HoareChecker, Validity};
use engine::trace_check::{Source, Strength, TraceProof, TraceResult, check_trace};
use engine::{Ctx, Silent, Task, engine_by_name};
use ir::{EdgeId, Icfg, Label, LocId, Property, Verdict};
use logic::{TermId, TermPool};
use proptest::prelude::*;

fn graph(text: &str) -> (TermPool, Icfg) {
    let mut sources = SourceMap::new();
    let file = sources.add("procedures.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let graph = Icfg::build(&program, &mut pool);
    (pool, graph)
}

/// All error traces with at most so many steps, as nested words.
fn error_traces(icfg: &Icfg, max_steps: usize) -> Vec<Vec<EdgeId>> {
    let mut found = Vec::new();
    let mut stack: Vec<(LocId, Vec<EdgeId>, Vec<EdgeId>)> = vec![(icfg.entry(), Vec::new(), Vec::new())];
    while let Some((loc, trace, open)) = stack.pop() {
        if icfg.locs[loc].error.is_some() {
            found.push(trace);
            continue;
        }
        if trace.len() == max_steps {
            continue;
        }
        for &edge in icfg.out_edges(loc) {
            let mut open = open.clone();
            match icfg.edges[edge].label {
                Label::Call(_) => open.push(edge),
                Label::Return(site) if open.pop() != Some(icfg.call_sites[site].call_edge) => continue,
                _ => {}
            }
            let mut longer = trace.clone();
            longer.push(edge);
            stack.push((icfg.edges[edge].dst, longer, open));
        }
    }
    found
}

/// Every step of the sequence is a valid triple, from true to false.
fn is_inductive(ctx: &mut Ctx<'_>, icfg: &Icfg, trace: &[EdgeId], sequence: &[TermId]) {
    let mut hoare = HoareChecker::new(ctx.pool, icfg);
    assert_eq!(sequence.len(), trace.len() + 1);
    assert_eq!((sequence[0], sequence[trace.len()]), (TermId::TRUE, TermId::FALSE));
    let mut open = Vec::new();
    for (i, &edge) in trace.iter().enumerate() {
        let (pre, post) = (sequence[i], sequence[i + 1]);
        let valid = match icfg.edges[edge].label {
            Label::Call(_) => {
                open.push(i);
                hoare.call(ctx, pre, edge, post)
            }
            Label::Return(_) => {
                let call = open.pop().expect("a nested word");
                hoare.ret(ctx, pre, sequence[call], edge, post)
            }
            _ => hoare.internal(ctx, pre, edge, post),
        };
        assert_eq!(valid, Validity::Valid, "step {i}: {} … {}", ctx.pool.infix(pre), ctx.pool.infix(post));
    }
}

#[test]
fn predicates_of_nested_traces_are_inductive() {
    let programs = [
        "procedure mc91(n: int) returns (r: int) {
           if (n > 100) { r := n - 10; } else { call r := mc91(n + 11); call r := mc91(r); }
         }
         procedure main() { var a, b: int; call b := mc91(a); assert b >= 91; }",
        "var g: int;
         procedure down(n: int) modifies g; { if (n > 0) { g := g + 1; call down(n - 1); g := g - 1; } }
         procedure main() modifies g; { var h, n: int; h := g; call down(n); assert g == h; }",
        "var g: int;
         procedure rise(n: int) modifies g; { g := g + 1; if (n > 0) { call rise(n - 1); } assert g > n - n; }
         procedure main() modifies g; { var n: int; g := 0; call rise(n); }",
    ];
    let budget = Budget::unlimited();
    let mut n_sequences = 0;
    for text in programs {
        let (mut pool, mut icfg) = graph(text);
        icfg.ensure_old_vars(&mut pool);
        let mut observer = Silent;
        let mut ctx = Ctx::new(&mut pool, &budget, &mut observer);
        for trace in error_traces(&icfg, 26).into_iter().take(12) {
            let TraceResult::Infeasible(mut proof) = check_trace(&mut ctx, &icfg, &trace) else {
                panic!("all traces are infeasible");
            };
            let sources = [Source::Craig(Strength::Strong), Source::Forward, Source::Backward];
            for source in sources {
                let proof: &mut TraceProof = &mut proof;
                let sequence = proof.predicates(&mut ctx, &icfg, source).expect("linear arithmetic is enough");
                is_inductive(&mut ctx, &icfg, &trace, &sequence);
                n_sequences += 1;
            }
        }
    }
    assert!(n_sequences > 30, "{n_sequences} sequences are too few to mean anything");
}

/// The verdict of an engine, if there is one in a second.
fn holds(
    engine: &str,
    pool: &mut TermPool,
    icfg: &Icfg,
    replay: &dyn Fn(&TermPool, ir::Counterexample),
) -> Option<bool> {
    let budget = Budget::with_timeout(std::time::Duration::from_secs(1));
    let mut observer = Silent;
    let task = Task::new(icfg, &Property::UnreachCall);
    let mut ctx = Ctx::new(pool, &budget, &mut observer);
    match engine_by_name(engine).expect("it exists").run(&mut ctx, &task) {
        Verdict::Holds(certificate) => {
            let unlimited = Budget::unlimited();
            check::check_certificate(pool, icfg, &certificate, check::Options::default(), &unlimited).expect("a proof");
            Some(true)
        }
        Verdict::Violated(found) => {
            replay(pool, found);
            Some(false)
        }
        Verdict::NonTerminating(_) | Verdict::ViolatedFar(_) => panic!("an answer to another question"),
        Verdict::Unknown(ir::Reason::Stopped(_)) => None,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// A statement of procedure `level`, which may call the next ones.
fn statement(level: usize) -> BoxedStrategy<String> {
    let simple = prop_oneof![
        (-2i32..3).prop_map(|c| format!("g := g + {c};")),
        Just("x := x + p;".to_string()),
        Just("r := g - x;".to_string()),
        Just("g := old(g) + p;".to_string()),
        Just("havoc x; assume 0 <= x && x <= 1;".to_string()),
        (-1i32..3).prop_map(|c| format!("if (g > {c}) {{ g := g - 1; }} else {{ r := x; }}")),
    ];
    if level == 2 {
        return simple.boxed();
    }
    let next = level + 1;
    let call = prop_oneof![
        Just(format!("call x := p{next}(g);")),
        Just(format!("call r := p{next}(p + 1);")),
        Just(format!("if (x > 0) {{ call x := p{next}(x - 1); }}")),
    ];
    prop_oneof![2 => simple, 3 => call].boxed()
}

/// Three procedures, the first called by `main`.
fn programs(call: &'static str) -> impl Strategy<Value = String> {
    let body = |level| proptest::collection::vec(statement(level), 1..4);
    (body(0), body(1), body(2), -3i32..6).prop_map(move |(first, middle, last, bad)| {
        let mut text = "var g: int;\n".to_string();
        for (level, body) in [first, middle, last].into_iter().enumerate() {
            let body = body.join("\n  ");
            text += &format!(
                "procedure p{level}(p: int) returns (r: int) modifies g;\n{{\n  var x: int;\n  x := 0;\n  r := 0;\n  {body}\n}}\n"
            );
        }
        text + &format!(
            "procedure main() modifies g; {{ var r, n: int; g := 0; r := 0; {call} assert g + r != {bad}; }}\n"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    /// One copy of each procedure with return addresses gives the verdict that copies give; violations replay.
    #[test]
    fn linking_agrees_with_inlining(text in programs("call r := p0(1);")) {
        let (mut pool, original) = graph(&text);
        let (inlined, map) = ir::inline::inline_calls(&original, &mut pool, &Default::default()).expect("it is small");
        let replay = |pool: &TermPool, found: ir::Counterexample| {
            let found = map.original_counterexample(&found);
            check::check_counterexample(pool, &original, &found).expect("an execution");
        };
        let by_inlining = holds("trace-abstraction", &mut pool, &inlined, &replay);
        let (linked, link_map) = ir::linking::link_calls(&original, &mut pool).expect("there is no recursion");
        prop_assert_eq!(ir::verify::verify_icfg(&linked, &pool), Vec::<String>::new());
        prop_assert!(!linked.has_calls());
        let replay = |pool: &TermPool, found: ir::Counterexample| {
            let found = link_map.original_counterexample(&found);
            check::check_counterexample(pool, &original, &found).expect("an execution");
        };
        let by_linking = holds("trace-abstraction", &mut pool, &linked, &replay);
        if let (Some(by_inlining), Some(by_linking)) = (by_inlining, by_linking) {
            prop_assert_eq!(by_inlining, by_linking, "{}", text);
        }
    }

    /// Contracts of loops and procedures prove what copies of their bodies prove; violations replay.
    #[test]
    fn whale_agrees_with_inlining(
        text in programs("havoc n; assume n <= 2; while (n > 0) { call r := p0(n); n := n - 1; }"),
    ) {
        let (mut pool, original) = graph(&text);
        let (inlined, map) = ir::inline::inline_calls(&original, &mut pool, &Default::default()).expect("it is small");
        let replay = |pool: &TermPool, found: ir::Counterexample| {
            let found = map.original_counterexample(&found);
            check::check_counterexample(pool, &original, &found).expect("an execution");
        };
        let by_inlining = holds("trace-abstraction", &mut pool, &inlined, &replay);
        let replay = |pool: &TermPool, found: ir::Counterexample| {
            check::check_counterexample(pool, &original, &found).expect("an execution");
        };
        let by_whale = holds("whale", &mut pool, &original, &replay);
        if let (Some(by_inlining), Some(by_whale)) = (by_inlining, by_whale) {
            prop_assert_eq!(by_inlining, by_whale, "{}", text);
        }
    }
}

fn variable(icfg: &Icfg, name: &str) -> TermId {
    let found = icfg.vars.values().find(|v| v.name == name).map(|v| v.term);
    found.unwrap_or_else(|| panic!("no variable {name}"))
}

/// Contracts by tree interpolation, for a graph with the values before calls.
fn contracts(pool: &mut TermPool, icfg: &Icfg, invariants: &[(LocId, TermId)]) -> Option<ir::Annotation> {
    let invariants = invariants.iter().copied().collect();
    engine::summaries::contracts(pool, icfg, &invariants, &Budget::unlimited())
}

fn is_proof(pool: &mut TermPool, icfg: &Icfg, annotation: ir::Annotation) {
    let certificate = ir::Certificate::Annotation(annotation);
    let checked = check::check_certificate(pool, icfg, &certificate, check::Options::default(), &Budget::unlimited());
    assert_eq!(checked, Ok(()));
}

#[test]
fn contracts_by_tree_interpolation_are_proofs() {
    let programs = [
        // Two calls need different things of one callee, and one that fails inside it.
        "procedure clamp(x: int) returns (r: int) { r := x; if (x < 0) { r := 0; } if (x > 9) { r := 9; } }
         procedure user(x: int) returns (r: int) { assert x >= 0; call r := clamp(x); }
         procedure main() { var a, b: int; call a := clamp(b); assert a <= 9; call b := user(a); assert b >= 0;
           call b := user(3); assert b >= 0; }",
        // Globals that change, and one that does not.
        "var g, h: int;
         procedure add(x: int) modifies g; { if (x > 0) { g := g + x; } }
         procedure twice(x: int) modifies g; { call add(x); call add(x + h); }
         procedure main() modifies g, h; { var x, was: int; assume h >= 0; was := g; call twice(x); assert g >= was; }",
        // No call returns, and one is never made.
        "procedure stop() { assume false; }
         procedure bad() { assert false; }
         procedure main() { var x: int; assume x > 0; if (x < 0) { call bad(); } call stop(); assert x > 7; }",
    ];
    for text in programs {
        let (mut pool, mut icfg) = graph(text);
        icfg.ensure_old_vars(&mut pool);
        let found = contracts(&mut pool, &icfg, &[]).expect("contracts");
        is_proof(&mut pool, &icfg, found);
    }
}

#[test]
fn contracts_are_cut_at_loop_invariants() {
    let text = "procedure sum(n: int) returns (s: int) {
           var i: int; i := 0; s := 0; while (i < n) { i := i + 1; s := s + 2; } }
         procedure main() { var n, t: int; assume n >= 0; call t := sum(n); assert t == 2 * n; }";
    let (mut pool, mut icfg) = graph(text);
    icfg.ensure_old_vars(&mut pool);
    let head = icfg.locs.iter().find(|(_, l)| l.is_loop_head).map(|p| p.0).expect("a loop");
    let (i, s, two) = (variable(&icfg, "i"), variable(&icfg, "s"), pool.int(2));
    let sum = icfg.locs[head].proc;
    let n = icfg.vars[icfg.procs[sum].params[0]].term;
    let twice = pool.mul(&[two, i]);
    let (counted, below) = (pool.eq(s, twice), pool.le(i, n));
    assert!(contracts(&mut pool, &icfg, &[(head, counted)]).is_none(), "the loop may go too far");
    let invariant = pool.and(&[counted, below]);
    let found = contracts(&mut pool, &icfg, &[(head, invariant)]).expect("contracts");
    // That `i <= n` holds at first is up to the caller.
    assert!(found.contracts[&sum].requires != TermId::TRUE);
    is_proof(&mut pool, &icfg, found);
}

#[test]
fn no_contracts_without_a_proof() {
    let programs = [
        "procedure inc(x: int) returns (r: int) { r := x + 1; }
         procedure main() { var a: int; call a := inc(0); assert a == 2; }",
        "procedure f(x: int) { if (x > 0) { call f(x - 1); } }
         procedure main() { call f(3); }",
    ];
    for text in programs {
        let (mut pool, mut icfg) = graph(text);
        icfg.ensure_old_vars(&mut pool);
        assert_eq!(contracts(&mut pool, &icfg, &[]), None);
    }
}
