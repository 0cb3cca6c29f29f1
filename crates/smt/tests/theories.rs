//! The theories that are reduced to others, against brute force: floating point, datatypes, quantifiers over
//! uninterpreted sorts.

use base::{Budget, Random};
use smt::script::{ScriptOptions, run_script};

fn answers(script: &str) -> Vec<String> {
    let mut out = Vec::new();
    run_script(script.as_bytes(), &mut out, &ScriptOptions::default(), &Budget::unlimited())
        .expect("writing to memory");
    String::from_utf8(out).expect("text").lines().map(str::to_string).collect()
}

struct Choice(Random);

impl Choice {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }
    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }

    // ----- floating point: two numbers of four bits -----

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            return self.of(&["x", "y", "(fp #b0 #b01 #b1)", "(_ -zero 2 2)", "(_ +oo 2 2)"]).to_string();
        }
        let mode = self.of(&["RNE", "RNA", "RTP", "RTN", "RTZ"]);
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.below(9) {
            0 => format!("(fp.add {mode} {a} {b})"),
            1 => format!("(fp.sub {mode} {a} {b})"),
            2 => format!("(fp.mul {mode} {a} {b})"),
            3 => format!("(fp.div {mode} {a} {b})"),
            4 => format!("(fp.sqrt {mode} {a})"),
            5 => format!("(fp.rem {a} {b})"),
            6 => format!("(fp.roundToIntegral {mode} {a})"),
            7 => format!("(fp.neg {a})"),
            _ => format!("((_ to_fp 2 2) {mode} ((_ to_fp 3 4) {mode} {a}))"),
        }
    }
    fn float_formula(&mut self, depth: u32) -> String {
        let (a, b) = (self.float(depth), self.float(depth));
        match self.below(7) {
            0 => format!("(= {a} {b})"),
            1 => format!("(fp.eq {a} {b})"),
            2 => format!("(fp.lt {a} {b})"),
            3 => format!("(fp.leq {a} {b})"),
            4 => format!("(not {})", self.float_formula(depth)),
            5 => format!("(and {} {})", self.float_formula(depth), self.float_formula(depth)),
            _ => format!("(fp.{} {a})", self.of(&["isNaN", "isZero", "isSubnormal", "isNegative", "isInfinite"])),
        }
    }
}

/// A formula has a model if and only if some of the 15 × 15 pairs of numbers satisfies it. Formulas about constants are
/// folded by the circuits, which have tests of their own.
#[test]
fn floats_of_four_bits() {
    let mut choice = Choice(Random::new(3));
    let mut values = vec!["(_ NaN 2 2)".to_string()];
    for bits in 0..16 {
        if bits & 7 < 7 {
            values.push(format!("(fp #b{} #b{:02b} #b{})", bits >> 3, (bits >> 1) & 3, bits & 1));
        }
    }
    assert_eq!(values.len(), 15);
    for _ in 0..25 {
        let formula = choice.float_formula(2);
        let second = choice.float_formula(1);
        let mut script = format!(
            "(declare-fun u () (_ FloatingPoint 2 2))(declare-fun v () (_ FloatingPoint 2 2))
            (define-fun f ((x (_ FloatingPoint 2 2)) (y (_ FloatingPoint 2 2))) Bool (and {formula} {second}))
            (check-sat-assuming ((f u v)))"
        );
        for x in &values {
            for y in &values {
                script.push_str(&format!("(check-sat-assuming ((f {x} {y})))\n"));
            }
        }
        let all = answers(&script);
        assert_eq!(all.len(), 1 + values.len() * values.len(), "{all:?}");
        let has_model = all[1..].iter().any(|a| a == "sat");
        assert_eq!(all[0], if has_model { "sat" } else { "unsat" }, "(and {formula} {second})");
    }
}

// ----- datatypes: lists of truth values -----

type List = Vec<bool>;

#[derive(Debug)]
enum Term {
    Variable(usize),
    Nil,
    Cons(bool, Box<Term>),
    Tail(Box<Term>),
}

#[derive(Debug)]
enum Formula {
    Equal(Term, Term),
    IsNil(Term),
    Head(Term),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
}

impl Term {
    fn random(c: &mut Choice, depth: u32) -> Term {
        match c.below(if depth == 0 { 4 } else { 7 }) {
            0..=2 => Term::Variable(c.below(2) as usize),
            3 => Term::Nil,
            4 | 5 => Term::Cons(c.below(2) == 0, Box::new(Term::random(c, depth - 1))),
            _ => Term::Tail(Box::new(Term::random(c, depth - 1))),
        }
    }
    fn text(&self) -> String {
        match self {
            Term::Variable(k) => ["x", "y"][*k].to_string(),
            Term::Nil => "nil".to_string(),
            Term::Cons(b, t) => format!("(cons {b} {})", t.text()),
            Term::Tail(t) => format!("(tail {})", t.text()),
        }
    }
    /// Nothing where a selector is applied to the other constructor.
    fn value(&self, values: &[&List; 2]) -> Option<List> {
        match self {
            Term::Variable(k) => Some(values[*k].clone()),
            Term::Nil => Some(Vec::new()),
            Term::Cons(b, t) => {
                let mut list = vec![*b];
                list.extend(t.value(values)?);
                Some(list)
            }
            Term::Tail(t) => t.value(values)?.split_first().map(|(_, tail)| tail.to_vec()),
        }
    }
}

impl Formula {
    fn random(c: &mut Choice, depth: u32) -> Formula {
        match c.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => Formula::Equal(Term::random(c, 2), Term::random(c, 2)),
            2 => Formula::IsNil(Term::random(c, 2)),
            3 => Formula::Head(Term::random(c, 2)),
            4 => Formula::Not(Box::new(Formula::random(c, depth - 1))),
            _ => Formula::And(Box::new(Formula::random(c, depth - 1)), Box::new(Formula::random(c, depth - 1))),
        }
    }
    fn text(&self) -> String {
        match self {
            Formula::Equal(a, b) => format!("(= {} {})", a.text(), b.text()),
            Formula::IsNil(t) => format!("((_ is nil) {})", t.text()),
            Formula::Head(t) => format!("(head {})", t.text()),
            Formula::Not(f) => format!("(not {})", f.text()),
            Formula::And(f, g) => format!("(and {} {})", f.text(), g.text()),
        }
    }
    fn value(&self, values: &[&List; 2]) -> Option<bool> {
        match self {
            Formula::Equal(a, b) => Some(a.value(values)? == b.value(values)?),
            Formula::IsNil(t) => Some(t.value(values)?.is_empty()),
            Formula::Head(t) => t.value(values)?.first().copied(),
            Formula::Not(f) => f.value(values).map(|b| !b),
            Formula::And(f, g) => match (f.value(values), g.value(values)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        }
    }
}

/// Lists of up to four elements: *unsat* if one of the pairs satisfies the formula, or *sat* if all pairs falsify it,
/// would be wrong. (Formulas with two variables and terms of this depth have small models if they have any.)
#[test]
fn lists_of_truth_values() {
    let mut lists: Vec<List> = Vec::new();
    for n in 0..5 {
        for bits in 0..1u32 << n {
            lists.push((0..n).map(|k| (bits >> k) & 1 == 1).collect());
        }
    }
    let mut choice = Choice(Random::new(11));
    let mut script =
        "(declare-datatype L ((nil) (cons (head Bool) (tail L))))(declare-fun x () L)(declare-fun y () L)".to_string();
    let mut formulas = Vec::new();
    for _ in 0..400 {
        let parts: Vec<Formula> = (0..1 + choice.below(4)).map(|_| Formula::random(&mut choice, 2)).collect();
        let texts: Vec<String> = parts.iter().map(Formula::text).collect();
        script.push_str(&format!("(check-sat-assuming ({}))\n", texts.join(" ")));
        formulas.push((parts, texts));
    }
    let all = answers(&script);
    assert_eq!(all.len(), formulas.len());
    let mut n_unsat = 0;
    for (answer, (parts, texts)) in all.iter().zip(&formulas) {
        let mut is_possible = false;
        let mut is_certain = false;
        for x in &lists {
            for y in &lists {
                let values: Vec<Option<bool>> = parts.iter().map(|f| f.value(&[x, y])).collect();
                is_certain |= values.iter().all(|v| *v == Some(true));
                is_possible |= values.iter().all(|v| *v != Some(false));
            }
        }
        match answer.as_str() {
            "sat" => assert!(is_possible, "{texts:?}"),
            "unsat" => {
                n_unsat += 1;
                assert!(!is_certain, "{texts:?}");
            }
            other => panic!("{other}: {texts:?}"),
        }
    }
    assert!(n_unsat > 50 && n_unsat < 350, "{n_unsat}");
}

// ----- quantifiers over uninterpreted sorts -----

#[test]
fn uninterpreted_sorts() {
    let start =
        "(declare-sort U 0)(declare-fun a () U)(declare-fun b () U)(declare-fun f (U) U)(declare-fun P (U) Bool)
        (declare-fun R (U U) Bool)(declare-fun n (U) Int)";
    for (formulas, answer) in [
        ("(forall ((x U)) (P x)) (not (P (f a)))", "unsat"),
        ("(forall ((x U)) (or (P x) (= x a))) (not (P a))", "sat"),
        ("(forall ((x U) (y U)) (= x y)) (distinct a b)", "unsat"),
        ("(forall ((x U) (y U)) (= x y)) (P a)", "sat"),
        ("(forall ((x U)) (exists ((y U)) (R x y))) (forall ((x U) (y U)) (not (R x y)))", "unsat"),
        ("(forall ((x U)) (R x (f x))) (forall ((x U) (y U)) (=> (R x y) (R y x))) (not (R (f a) a))", "unsat"),
        ("(forall ((x U)) (= (f (f x)) x)) (distinct (f a) a)", "sat"),
        ("(forall ((x U)) (> (n x) 3)) (= (n a) 4)", "sat"),
        ("(forall ((x U)) (> (n x) 3)) (= (n (f b)) 2)", "unsat"),
        ("(exists ((x U)) (forall ((y U)) (R x y))) (forall ((x U)) (not (R x a)))", "unsat"),
    ] {
        assert_eq!(answers(&format!("{start}(assert (and {formulas}))(check-sat)")), [answer], "{formulas}");
    }
    // Its instances bring new elements without end; that two of them may be equal is not tried.
    let chain = "(forall ((x U)) (exists ((y U)) (R x y))) (forall ((x U)) (not (R x x)))";
    assert_ne!(answers(&format!("(set-option :timeout 300){start}(assert (and {chain}))(check-sat)")), ["unsat"]);
    // Only infinite domains have an injective function that misses an element: no model is found, and none is refuted.
    let infinite = "(forall ((x U) (y U)) (=> (= (f x) (f y)) (= x y))) (forall ((x U)) (distinct (f x) a))";
    assert_ne!(answers(&format!("(set-option :timeout 300){start}(assert (and {infinite}))(check-sat)")), ["unsat"]);
    // Arrays over such a sort may be equal in small domains.
    let arrays = "(declare-fun c () (Array U Int))(declare-fun d () (Array U Int))(assert (forall ((x U)) (= (select c x) (select d x))))";
    assert_ne!(
        answers(&format!("(set-option :timeout 300){start}{arrays}(assert (distinct c d))(check-sat)")),
        ["sat"]
    );
}

/// Arrays of datatypes that only congruence compares: each script has no model, by extensionality and the few values of
/// E.
#[test]
fn arrays_of_datatypes_inside_other_terms() {
    let enumeration = "(set-logic ALL)(declare-datatypes ((E 0)) (((e1) (e2))))";
    let unit = "(set-logic ALL)(declare-datatypes ((E 0)) (((e1))))";
    for (head, text) in [
        (
            enumeration,
            "(declare-fun x () (Array Int E))(declare-fun g ((Array Int E)) Bool)
             (assert (g x))(assert (not (g (store x 3 e1))))(assert (not (g (store x 3 e2))))",
        ),
        (
            unit,
            "(declare-fun x () (Array Int (Array Int E)))(declare-fun y () (Array Int (Array Int E)))
             (assert (not (= x y)))",
        ),
        (
            enumeration,
            "(declare-fun x () (Array E Int))(declare-fun y () (Array E Int))(declare-fun g ((Array E Int)) Bool)
             (assert (and (g x) (not (g y)) (= (select x e1) (select y e1)) (= (select x e2) (select y e2))))",
        ),
    ] {
        let answers = answers(&format!("{head}{text}(check-sat)"));
        assert!(answers == ["unsat"] || answers == ["unknown"], "{text}: {answers:?}");
    }
}

// ----- quantifiers over a datatype of four values: a, b, (w true), (w false) -----

const VALUES: [&str; 4] = ["a", "b", "(w true)", "(w false)"];

/// A term: one of the values, or a variable by its number.
#[derive(Clone, Copy)]
enum Data {
    Value(usize),
    Variable(usize),
}

enum Closed {
    Equal(Data, Data),
    IsW(Data),
    Not(Box<Closed>),
    Or(Box<Closed>, Box<Closed>),
    Quantified(bool, usize, Box<Closed>),
}

impl Closed {
    fn random(choice: &mut Choice, depth: u32, n_vars: usize) -> Closed {
        let data = |choice: &mut Choice| {
            if n_vars > 0 && choice.below(3) > 0 {
                Data::Variable(choice.below(n_vars as u64) as usize)
            } else {
                Data::Value(choice.below(4) as usize)
            }
        };
        if depth == 0 {
            let t = data(choice);
            return if choice.below(4) == 0 { Closed::IsW(t) } else { Closed::Equal(t, data(choice)) };
        }
        match choice.below(5) {
            0 => Closed::Not(Box::new(Closed::random(choice, depth - 1, n_vars))),
            1 | 2 => {
                let left = Closed::random(choice, depth - 1, n_vars);
                Closed::Or(Box::new(left), Box::new(Closed::random(choice, depth - 1, n_vars)))
            }
            k => Closed::Quantified(k == 3, n_vars, Box::new(Closed::random(choice, depth - 1, n_vars + 1))),
        }
    }
    fn text(&self) -> String {
        let data = |t: &Data| match t {
            Data::Value(k) => VALUES[*k].to_string(),
            Data::Variable(n) => format!("x{n}"),
        };
        match self {
            Closed::Equal(t, u) => format!("(= {} {})", data(t), data(u)),
            Closed::IsW(t) => format!("((_ is w) {})", data(t)),
            Closed::Not(f) => format!("(not {})", f.text()),
            Closed::Or(f, g) => format!("(or {} {})", f.text(), g.text()),
            Closed::Quantified(all, n, f) => {
                format!("({} ((x{n} D)) {})", if *all { "forall" } else { "exists" }, f.text())
            }
        }
    }
    fn holds(&self, values: &mut Vec<usize>) -> bool {
        let data = |t: &Data, values: &[usize]| match t {
            Data::Value(k) => *k,
            Data::Variable(n) => values[*n],
        };
        match self {
            Closed::Equal(t, u) => data(t, values) == data(u, values),
            Closed::IsW(t) => data(t, values) >= 2,
            Closed::Not(f) => !f.holds(values),
            Closed::Or(f, g) => f.holds(values) || g.holds(values),
            Closed::Quantified(all, _, f) => {
                let mut n_true = 0;
                for value in 0..VALUES.len() {
                    values.push(value);
                    n_true += usize::from(f.holds(values));
                    values.pop();
                }
                if *all { n_true == VALUES.len() } else { n_true > 0 }
            }
        }
    }
}

#[test]
fn quantifiers_over_datatypes_are_decided() {
    let mut choice = Choice(Random::new(20_261_118));
    for _ in 0..300 {
        let formula = Closed::random(&mut choice, 5, 0);
        let text = formula.text();
        let script = format!("(declare-datatypes ((D 0)) (((a) (b) (w (v Bool)))))(assert {text})(check-sat)");
        let expected = if formula.holds(&mut Vec::new()) { "sat" } else { "unsat" };
        assert_eq!(answers(&script), [expected], "{script}");
    }
    // Fields without end, functions on datatypes.
    let records = "(declare-datatypes ((P 0)) (((mk (x Int) (y Int)))))(declare-fun f (P) Int)";
    for (assertion, expected) in [
        ("(not (exists ((p P)) (and (= (x p) 3) (> (y p) 5))))", "unsat"),
        ("(forall ((p P)) (= (x p) (y p)))", "unsat"),
        ("(exists ((p P)) (= (x p) (+ 1 (y p))))", "sat"),
        ("(and (forall ((p P)) (= (f p) (+ (x p) (y p)))) (distinct (f (mk 2 3)) 5))", "unsat"),
    ] {
        assert_eq!(answers(&format!("{records}(assert {assertion})(check-sat)")), [expected], "{assertion}");
    }
}

/// Every element of an array is bounded: a model whose other elements are like those that are known.
#[test]
fn models_of_arrays_hold_at_all_indices() {
    let text = "(declare-const a (Array Int Int))(assert (forall ((i Int)) (>= (select a i) 5)))
        (assert (= (select a 3) 6))(check-sat)(assert (= (select a 4) 4))(check-sat)";
    assert_eq!(answers(text), ["sat", "unsat"]);
}

#[test]
fn words_as_integers_and_back() {
    let text =
        "(declare-const x (_ BitVec 8))(push)(assert (distinct ((_ int_to_bv 8) (ubv_to_int x)) x))(check-sat)(pop)
        (push)(assert (distinct ((_ int2bv 3) (bv2nat x)) ((_ extract 2 0) x)))(check-sat)(pop)
        (assert (distinct ((_ int2bv 12) (bv2nat x)) (concat #x0 x)))(check-sat)";
    assert_eq!(answers(text), ["unsat"; 3]);
}
