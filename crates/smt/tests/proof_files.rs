//! Proofs that are printed, read again and checked; and proofs that are spoilt.

use base::Budget;
use smt::script::proof_file::{ProofFileError, check_proofs};
use smt::{ScriptOptions, run_script};

/// Unsatisfiable, one for each kind of lemma.
const SCRIPTS: [&str; 13] = [
    "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)
     (assert (or p q))(assert (or (not p) q))(assert (or p (not q)))(assert (! (or (not p) (not q)) :named last))",
    "(set-logic QF_LRA)(declare-const x Real)(declare-const y Real)
     (assert (< (+ x y) 1.0))(assert (> (* 3.0 x) 2.0))(assert (> (* 2.0 y) 1.0))",
    "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (= (+ (* 2 x) (* 4 y)) 7))",
    "(set-logic QF_UFLIA)(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)
     (assert (= (* 2 x) y))(assert (= (f x) 1))(assert (= (f (div y 2)) 2))",
    "(set-logic QF_AX)(declare-sort I 0)(declare-sort E 0)(declare-const a (Array I E))(declare-const b (Array I E))
     (declare-const i I)(declare-const j I)(declare-const e E)
     (assert (= b (store a i e)))(assert (not (= (select b j) (select a j))))(assert (not (= i j)))",
    "(set-logic QF_BV)(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))
     (assert (= (bvadd x y) #x1))(assert (= (bvand x y) #x1))(assert (bvult x #x2))(assert (bvult y #x2))",
    "(set-logic QF_NRA)(declare-const x Real)(declare-const y Real)(assert (< (* x y) 0.0))(assert (> x 1.0))(assert (> y 1.0))",
    "(set-logic QF_UFLRA)(declare-fun g (Real) Real)(declare-const x Real)(declare-const c Bool)
     (assert (= (g (ite c x 2.0)) 1.0))(assert c)(assert (= (g x) 3.0))",
    "(set-logic UFLIA)(declare-fun f (Int) Int)(declare-const a Int)
     (assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))(assert (< (f a) a))",
    "(set-logic UF)(declare-sort S 0)(declare-fun d (S) Bool)(declare-fun r (S S) Bool)
     (assert (forall ((x S)) (exists ((y S)) (and (r x y) (forall ((z S)) (=> (r y z) (d z)))))))
     (assert (forall ((x S)) (not (d x))))",
    "(set-logic UF)(declare-sort S 0)(declare-fun s (S S) Bool)
     (assert (exists ((b S)) (forall ((x S)) (= (s b x) (not (s x x))))))",
    "(set-logic QF_FP)(declare-const x (_ FloatingPoint 3 4))(declare-const y (_ FloatingPoint 3 4))
     (assert (fp.lt x y))(assert (fp.lt y x))",
    "(set-logic QF_DT)(declare-datatypes ((L 0)) (((nil) (cons (head L) (tail L)))))(declare-const x L)(declare-const y L)
     (assert (= x (cons nil y)))(assert (= y (cons x nil)))",
];

/// Each existential has a witness of its own.
#[test]
fn witnesses_must_not_be_shared() {
    let (script, output) = solved(
        "(set-logic UF)(declare-sort S 0)(declare-fun p (S) Bool)(declare-const c S)
         (assert (exists ((x S)) (and (p x) (not (p c)))))(assert (forall ((x S)) (=> (p x) (p c))))",
    );
    assert!(check_proofs(&script, &output).is_ok());
    let witness = output.split("(declare-fun ").nth(1).and_then(|t| t.split(' ').next()).expect("a witness");
    // The constant of the script instead of the witness.
    let spoilt: Vec<String> =
        output.lines().filter(|l| !l.starts_with(" (declare-fun ")).map(|l| l.replace(witness, "c")).collect();
    assert!(matches!(check_proofs(&script, &spoilt.join("\n")), Err(ProofFileError::Rejected(_))));
}

fn solved(script: &str) -> (String, String) {
    let script = format!("(set-option :produce-proofs true)\n{script}\n(check-sat)\n(get-proof)\n");
    let mut output = Vec::new();
    run_script(script.as_bytes(), &mut output, &ScriptOptions::default(), &Budget::unlimited())
        .expect("a vector takes all");
    let output = String::from_utf8(output).expect("text");
    assert!(output.starts_with("unsat\n(proof"), "{script}\n{output}");
    (script, output)
}

#[test]
fn printed_proofs_are_accepted() {
    for script in SCRIPTS {
        let (script, output) = solved(script);
        let reports = check_proofs(&script, &output).unwrap_or_else(|e| panic!("{e:?}\n{script}\n{output}"));
        assert_eq!(reports.len(), 1);
    }
}

#[test]
fn proofs_of_several_checks_with_assumptions_and_scopes() {
    let script = "(set-option :produce-proofs true)(set-logic QF_LIA)(declare-const x Int)
        (push)(assert (> x 3))(assert (< x 2))(check-sat)(get-proof)(pop)
        (assert (> x 0))(check-sat)(check-sat-assuming ((< x 0)))(get-proof)(assert (! (= x 0) :named zero))(check-sat)(get-proof)";
    let mut output = Vec::new();
    run_script(script.as_bytes(), &mut output, &ScriptOptions::default(), &Budget::unlimited())
        .expect("a vector takes all");
    let output = String::from_utf8(output).expect("text");
    assert_eq!(check_proofs(script, &output).map(|reports| reports.len()), Ok(3), "{output}");
}

/// Whatever is taken out of a proof or of its script, what is left proves nothing.
#[test]
fn spoilt_proofs_are_not_accepted() {
    let is_accepted = |script: &str, output: &str| check_proofs(script, output).is_ok();
    let mut n_spoilt = 0;
    for script in SCRIPTS {
        let (script, output) = solved(script);
        let lines: Vec<&str> = output.lines().collect();
        // A step is left out.
        for i in (0..lines.len()).filter(|&i| lines[i].starts_with(" (step")) {
            let mut left: Vec<&str> = lines.clone();
            left.remove(i);
            assert!(!is_accepted(&script, &left.join("\n")), "without {}", lines[i]);
            n_spoilt += 1;
        }
        // A literal is dropped, a coefficient changed, a premise or a pivot left out.
        for (i, line) in lines.iter().enumerate() {
            for (part, spoilt) in [
                ("(cl (not ", "(cl ("),
                (":coefficients (1 ", ":coefficients (5 "),
                (" c0 ", " "),
                ("(cl p q)", "(cl p)"),
            ] {
                let Some(at) = line.find(part) else { continue };
                let mut left: Vec<String> = lines.iter().map(ToString::to_string).collect();
                left[i] = format!("{}{spoilt}{}", &line[..at], &line[at + part.len()..]);
                assert!(!is_accepted(&script, &left.join("\n")), "{} instead of {line}", left[i]);
                n_spoilt += 1;
            }
        }
    }
    // An assertion is missing in the script, though each is needed.
    let (script, output) = solved(SCRIPTS[1]);
    for assertion in ["(assert (< (+ x y) 1.0))", "(assert (> (* 3.0 x) 2.0))", "(assert (> (* 2.0 y) 1.0))"] {
        assert!(!is_accepted(&script.replace(assertion, "(assert true)"), &output), "{assertion}");
        n_spoilt += 1;
    }
    assert!(n_spoilt > 60, "{n_spoilt}");
}

#[test]
fn what_cannot_be_read_is_not_rejected() {
    let unreadable =
        |script: &str, output: &str| matches!(check_proofs(script, output), Err(ProofFileError::Unreadable(_)));
    assert!(unreadable("(get-proof)", "(proof (step"));
    assert!(unreadable("(get-proof)", "unsat"));
    assert!(unreadable("(declare-const", ""));
    assert!(unreadable("(get-proof)", "(proof (step c0 (cl) :rule nonsense))"));
    assert!(unreadable("(get-proof)", "(proof (step c0 (cl) :rule resolution :premises (c9) :pivots ()))"));
    assert_eq!(check_proofs("(assert true)", ""), Ok(Vec::new()));
}
