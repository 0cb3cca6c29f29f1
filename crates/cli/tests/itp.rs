//! `craig itp` and the focused part of `craig smt` from the outside: options, formats, messages, exit status.

use std::io::Write;
use std::process::{Command, Stdio};

/// Example 1 of the PVAIR paper: A is the first three clauses.
const EXAMPLE: &str = "c example\np cnf 6 8\n1 2 0\n-3 6 0\n-1 5 0\n1 3 0\n-2 -6 0\n-4 -5 0\n-2 4 0\n-1 2 0\n";

struct Run {
    status: i32,
    out: String,
    err: String,
}

fn craig(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("craig runs");
    // Closed early by a run that rejects its arguments.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("craig ends");
    Run {
        status: output.status.code().expect("an exit status"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

fn itp(args: &[&str]) -> Run {
    let mut all = vec!["itp", "-"];
    all.extend(args);
    craig(&all, EXAMPLE)
}

fn answer(args: &[&str]) -> String {
    let run = itp(args);
    assert_eq!(run.status, 0, "{args:?}: {}", run.err);
    run.out
}

/// Does the formula in SMT-LIB syntax over `x1` to `x6` hold for every assignment? Decided by `craig smt`.
fn valid(formula: &str) -> bool {
    let mut script = String::from("(set-logic QF_UF)\n");
    for v in 1..=6 {
        script.push_str(&format!("(declare-fun x{v} () Bool)\n"));
    }
    script.push_str(&format!("(assert (not {formula}))\n(check-sat)\n"));
    let run = craig(&["smt"], &script);
    assert_eq!(run.status, 0, "{formula}: {}", run.out);
    run.out.trim() == "unsat"
}

/// The formulas of an answer: between the parentheses, each on one line or, with `let`, on several.
fn formulas(answer: &str) -> Vec<String> {
    let mut formulas = Vec::new();
    let mut open = String::new();
    for line in answer.lines().filter(|l| !l.starts_with(';') && (*l != "(" && *l != ")")) {
        open.push_str(line);
        open.push(' ');
        if open.matches('(').count() == open.matches(')').count() {
            formulas.push(std::mem::take(&mut open).trim().to_string());
        }
    }
    assert!(open.is_empty(), "{answer}");
    formulas
}

#[test]
fn the_example_of_the_paper() {
    assert_eq!(answer(&["--split", "3", "--assign", "-2", "--verify"]), "; assigned -2\n(\nx1\n)\n");
    let plain = answer(&["--split", "3", "--verify"]);
    let [interpolant] = &formulas(&plain)[..] else { panic!("{plain}") };
    // McMillan's interpolant of this proof or another one: by its definition.
    let a = "(and (or x1 x2) (or (not x3) x6) (or (not x1) x5))";
    let b = "(and (or x1 x3) (or (not x2) (not x6)) (or (not x4) (not x5)) (or (not x2) x4) (or (not x1) x2))";
    assert!(valid(&format!("(=> {a} {interpolant})")));
    assert!(valid(&format!("(not (and {interpolant} {b}))")));
    assert!(!interpolant.contains("x4"), "{interpolant} has a variable of B only");
}

#[test]
fn a_literal_may_be_assigned_twice() {
    let once = answer(&["--split", "3", "--assign", "-2"]);
    assert_eq!(formulas(&answer(&["--split", "3", "--assign", "-2,-2"])), formulas(&once));
}

/// One refutation of tens of thousands of steps, three cuts, two assignments, both implications and the path property
/// verified.
#[test]
fn large_proofs_are_interpolated_and_verified_along_their_derivations() {
    // Eight pigeons in seven holes, in the order in which the pigeons come.
    let place = |pigeon: usize, hole: usize| pigeon * 7 + hole + 1;
    let mut text = String::new();
    for pigeon in 0..8 {
        let clause: Vec<String> = (0..7).map(|hole| place(pigeon, hole).to_string()).collect();
        text.push_str(&format!("{} 0\n", clause.join(" ")));
        for earlier in 0..pigeon {
            for hole in 0..7 {
                text.push_str(&format!("-{} -{} 0\n", place(earlier, hole), place(pigeon, hole)));
            }
        }
    }
    let splits = ["--split", "30", "--split", "90", "--split", "150"];
    let assigned = ["--assign", "1,-9", "--assign", "20"];
    let run = craig(&[&["itp", "-", "--verify", "--stats"], &splits[..], &assigned[..]].concat(), &text);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.err.matches("verified along the derivation").count(), 2, "{}", run.err);
}

#[test]
fn labellings_order_the_interpolants_by_strength() {
    let with = |labelling: &str| {
        let text = answer(&["--split", "3", "--labelling", labelling, "--verify"]);
        formulas(&text).swap_remove(0)
    };
    let (strong, middle, weak) = (with("mcmillan"), with("pudlak"), with("mcmillan-prime"));
    assert!(valid(&format!("(=> {strong} {middle})")));
    assert!(valid(&format!("(=> {middle} {weak})")));
    let own = answer(&["--split", "3", "--labelling", "pudlak", "--label", "1:a,-1:b,3:ab", "--verify"]);
    assert_eq!(formulas(&own).len(), 1);
}

#[test]
fn several_splits_and_assignments_from_one_proof() {
    let text =
        answer(&["--split", "2", "--split", "3", "--split", "5", "--assign", "-2", "--assign", "4,6", "--verify"]);
    assert_eq!(text.matches("; assigned").count(), 2);
    assert_eq!(formulas(&text).len(), 6, "{text}");
    // The path property under one assignment: I₂ and the third clause give I₃.
    let plain = answer(&["--split", "2", "--split", "3"]);
    let [first, second] = &formulas(&plain)[..] else { panic!("{plain}") };
    assert!(valid(&format!("(=> (and {first} (or (not x1) x5)) {second})")));
}

#[test]
fn focus_reduction_and_sweeping_keep_the_definition() {
    for focus in ["lpais", "restricted", "propagated", "smallest"] {
        for reduce in ["hash", "rp", "rpi", "lu", "lup", "regularise", "subsume", "trim", "default", "hash,rpi,lu"] {
            let run = itp(&[
                "--split",
                "3",
                "--assign",
                "-2",
                "--focus",
                focus,
                "--reduce",
                reduce,
                "--reduce-rounds",
                "2",
                "--reduce-time",
                "1s",
                "--sweep",
                "--verify",
                "--stats",
            ]);
            assert_eq!(run.status, 0, "{focus} {reduce}: {}", run.err);
            assert!(run.err.contains("proof nodes") && run.err.contains("verified"), "{}", run.err);
        }
    }
}

#[test]
fn output_formats() {
    let aiger = answer(&["--split", "3", "--output", "aiger"]);
    let header: Vec<&str> = aiger.lines().next().unwrap_or("").split(' ').collect();
    assert_eq!((header[0], header[3], header[4]), ("aag", "0", "1"), "{aiger}");
    let dimacs = answer(&["--split", "3", "--assign", "-2", "--output", "dimacs"]);
    assert!(dimacs.starts_with("c assigned -2\nc interpolant 1\np cnf "), "{dimacs}");
    // The DIMACS text of an interpolant with its B-part is contradictory, so `itp` takes it as input.
    let body: Vec<&str> = dimacs.lines().filter(|l| !l.starts_with(['c', 'p'])).collect();
    let text = format!("{}\n-2 0\n1 3 0\n-2 -6 0\n-4 -5 0\n-2 4 0\n-1 2 0\n", body.join("\n"));
    assert_eq!(craig(&["itp", "-", "--split", "1"], &text).status, 0);
}

/// The value of every output of an ASCII AIGER circuit, by its definition; inputs by the names of the symbol table.
fn evaluate_aiger(text: &str, input: &dyn Fn(&str) -> bool) -> Vec<bool> {
    let mut lines = text.lines();
    let numbers = |line: &str| -> Vec<usize> { line.split(' ').map(|w| w.parse().expect("a number")).collect() };
    let header = lines.next().and_then(|l| l.strip_prefix("aag ")).map(numbers).expect("a header");
    let [max, n_inputs, 0, n_outputs, n_ands] = header[..] else { panic!("{text}") };
    let body: Vec<Vec<usize>> = lines.by_ref().take(n_inputs + n_outputs + n_ands).map(numbers).collect();
    let symbols: Vec<&str> = lines.take_while(|l| *l != "c").collect();
    let mut values: Vec<Option<bool>> = vec![None; max + 1];
    values[0] = Some(false);
    for (k, line) in body[..n_inputs].iter().enumerate() {
        let name = symbols.iter().find_map(|s| s.strip_prefix(&format!("i{k} "))).expect("a name for each input");
        values[line[0] / 2] = Some(input(name));
    }
    let value =
        |values: &[Option<bool>], code: usize| values[code / 2].expect("defined before it is used") ^ (code % 2 == 1);
    for and in &body[n_inputs + n_outputs..] {
        assert!(and[0] % 2 == 0 && and[0] > and[1] && and[1] >= and[2], "{and:?} is not in order");
        assert_eq!(values[and[0] / 2], None);
        values[and[0] / 2] = Some(value(&values, and[1]) && value(&values, and[2]));
    }
    body[n_inputs..n_inputs + n_outputs].iter().map(|line| value(&values, line[0])).collect()
}

/// All three formats say the same, in every world.
#[test]
fn output_formats_agree() {
    for assign in ["", "-2", "1,4"] {
        let ask = |output: &str| {
            let mut args = vec!["--split", "3", "--split", "5", "--labelling", "pudlak", "--output", output];
            if !assign.is_empty() {
                args.extend(["--assign", assign]);
            }
            answer(&args)
        };
        let (aiger, dimacs) = (ask("aiger"), ask("dimacs"));
        let terms = formulas(&ask("smtlib"));
        let cnfs: Vec<&str> = dimacs.split("c interpolant").skip(1).collect();
        assert_eq!((terms.len(), cnfs.len()), (2, 2));
        for world in (0u32..64).step_by(5) {
            let holds = |v: u32| world >> (v - 1) & 1 == 1;
            let circuit = evaluate_aiger(&aiger, &|name| holds(name[1..].parse().expect("x and a number")));
            for k in 0..2 {
                // The literals of the world, asked of the term and of the clauses by the solver.
                let literal = |v: u32| if holds(v) { format!("x{v}") } else { format!("(not x{v})") };
                let here: Vec<String> = (1..=6).map(literal).collect();
                assert_eq!(valid(&format!("(=> (and {}) {})", here.join(" "), terms[k])), circuit[k], "{aiger}");
                let clauses: Vec<&str> = cnfs[k].lines().skip(2).collect();
                let units: Vec<String> =
                    (1..=6i64).map(|v| format!("{} 0", if holds(v as u32) { v } else { -v })).collect();
                let run =
                    craig(&["itp", "-", "--split", "1"], &format!("{}\n{}\n", clauses.join("\n"), units.join("\n")));
                assert_eq!(run.err.contains("satisfiable"), circuit[k], "{dimacs}");
            }
        }
    }
}

#[test]
fn bad_input_gets_a_message_and_status_two() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["--split", "9"], EXAMPLE, "cannot split after clause 9: the formula has 8 clauses"),
        (&["--split", "0"], EXAMPLE, "cannot split after clause 0"),
        (&["--split", "3", "--split", "3"], EXAMPLE, "the splits must increase"),
        (&["--split", "3", "--assign", "-1,-2"], EXAMPLE, "the assignment falsifies clause 1"),
        (&["--split", "3", "--assign", "1,-1"], EXAMPLE, "the variable 1 is assigned both ways"),
        (&["--split", "3", "--assign", "77"], EXAMPLE, "the assigned variable 77 does not occur"),
        (&["--split", "3", "--assign", "x"], EXAMPLE, "'x' is not a literal"),
        (&["--split", "3", "--assign", "0"], EXAMPLE, "'0' is not a literal"),
        (&["--split", "3", "--label", "1"], EXAMPLE, "'1' is not a label"),
        (&["--split", "3", "--label", "1:c"], EXAMPLE, "unknown label 'c'"),
        (&["--split", "3", "--reduce", "magic"], EXAMPLE, "unknown reduction 'magic'"),
        (&["--split", "3", "--labelling", "huang"], EXAMPLE, "invalid value 'huang'"),
        (&[], EXAMPLE, "--split"),
        (&["--split", "1"], "1 2 0\n-1 2 0\n", "satisfiable"),
        (&["--split", "1"], "1 2 0\n-1 x 0\n", "-:2:4: `x` is not a literal"),
        (&["--split", "1"], "1 2 0\n-1 2\n", "not closed by 0"),
        (&["--split", "1"], "p cnf 1 1\n1 2 0\n", "promises 1 variables, but 2 are used"),
        (&["--split", "1"], "p dnf 1 1\n1 0\n", "the header must read"),
    ];
    for (args, input, message) in cases {
        let mut all = vec!["itp", "-"];
        all.extend(*args);
        let run = craig(&all, input);
        assert_eq!(run.status, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(message), "{args:?} says {}", run.err);
        assert!(run.out.is_empty(), "{args:?} prints {}", run.out);
    }
    let missing = craig(&["itp", "/nowhere/at-all.cnf", "--split", "1"], "");
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("at-all.cnf"));
}

/// Boolean assignments focus refutations of arithmetic and functions as well.
#[test]
fn smt_refutations_are_focused() {
    let script = |assign: &str| {
        format!(
            "(set-option :produce-interpolants true)
             (declare-fun p () Bool) (declare-fun q () Bool)
             (declare-fun x () Int) (declare-fun y () Int) (declare-fun f (Int) Int)
             (assert (! (and (=> p (>= x 5)) (=> (not p) (= x (f y)))) :named A))
             (assert (! (and (=> p (<= x 3)) (=> (not p) (distinct (f y) x)) (or p q)) :named B))
             (check-sat)
             (get-interpolants A B {assign})"
        )
    };
    let ask = |assign: &str| {
        let run = craig(&["smt"], &script(assign));
        assert_eq!(run.status, 0, "{}", run.out);
        run.out.lines().nth(1).unwrap_or("").to_string()
    };
    assert_eq!(ask(":assign (p)"), "((> x 4))");
    assert_eq!(ask(":assign ((not p))"), "((= x (f y)))");
    assert!(ask("").len() > ask(":assign (p)").len());
    let wrong = craig(&["smt"], &script(":assign (p (not p))"));
    assert!(wrong.out.contains("assigned both ways"), "{}", wrong.out);
    let clause = "(set-option :produce-interpolants true)
        (declare-fun p () Bool) (declare-fun x () Int)
        (assert (! (or p (< x 0)) :named A)) (assert (! (and (not p) (> x 0)) :named B))
        (check-sat)(get-interpolants A B :assign (p))";
    let falsified = craig(&["smt"], clause);
    assert!(falsified.out.contains(": the assignment falsifies a clause\")"), "{}", falsified.out);
}

#[test]
fn interpolants_of_scripts_are_verified_unless_told_otherwise() {
    let script = |check: &str| {
        format!(
            "(set-option :produce-interpolants true){check}
             (declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
             (assert (! (= x (* 2 y)) :named A))
             (assert (! (= x (+ 1 (* 2 z))) :named B))
             (check-sat)
             (get-interpolants A B)"
        )
    };
    for check in ["", "(set-option :interpolant-check-mode false)"] {
        let run = craig(&["smt", "--stats"], &script(check));
        assert_eq!(run.out, "unsat\n((= (mod x 2) 0))\n");
        let rejected = run.err.lines().find(|l| l.starts_with("interpolants-rejected")).unwrap_or("");
        assert!(rejected.ends_with(" 0"), "{}", run.err);
    }
}
