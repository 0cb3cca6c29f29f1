//! Scripts with tokens deleted, repeated, exchanged: the interpreter must answer or complain, never
//! panic, and its answers must stay well-formed s-expressions.

use base::Budget;
use logic::smtlib::SExprReader;
use proptest::prelude::*;
use smt::{ScriptOptions, run_script};
use std::time::Duration;

const SCRIPTS: [&str; 4] = [
    "( set-option :produce-interpolants true ) ( set-logic QF_UFLIA ) ( declare-fun x ( ) Int ) \
     ( declare-fun f ( Int ) Int ) ( assert ( ! ( and ( <= x 3 ) ( = ( f x ) ( + x 1 ) ) ) :named A ) ) \
     ( assert ( ! ( or ( > x 5 ) ( < ( f x ) ( f 7 ) ( - 2 ) ) ) :named B ) ) ( check-sat ) \
     ( get-interpolants A B ) ( get-interpolants ( and A B ) )",
    "( set-option :produce-models true ) ( declare-sort S 0 ) ( declare-const s S ) ( declare-fun g ( S ) Bool ) \
     ( declare-const m ( Array Int Int ) ) ( define-fun two ( ) Int 2 ) ( push 1 ) \
     ( assert ( let ( ( k ( select ( store m 1 two ) 1 ) ) ) ( and ( g s ) ( = k 2 ) ) ) ) ( check-sat ) \
     ( get-model ) ( get-value ( ( g s ) ( select m 3 ) ) ) ( pop 1 ) ( check-sat )",
    "( set-option :produce-unsat-cores true ) ( set-option :produce-proofs true ) ( declare-const b ( _ BitVec 4 ) ) \
     ( assert ( ! ( bvult b #b0011 ) :named P ) ) ( assert ( ! ( = ( ( _ extract 1 0 ) b ) #b11 ) :named Q ) ) \
     ( check-sat ) ( get-unsat-core ) ( get-proof ) ( reset-assertions ) ( get-info :name ) ( echo \"x\" )",
    "( declare-const p Bool ) ( declare-const r Real ) ( assert ( forall ( ( z Int ) ) ( ! ( => p ( < z 3 ) ) \
     :pattern ( ( < z 3 ) ) ) ) ) ( check-sat-assuming ( p ( < r 0.5 ) ) ) ( get-unsat-assumptions ) \
     ( assert ( exists ( ( q Real ) ) ( = ( / q 2 ) r ) ) ) ( check-sat ) ( get-assignment ) ( exit )",
];

fn mutated(script: &str, edits: &[(u8, u16, u16)]) -> String {
    let mut tokens: Vec<&str> = script.split_whitespace().collect();
    for &(kind, a, b) in edits {
        if tokens.is_empty() {
            break;
        }
        let (i, j) = (a as usize % tokens.len(), b as usize % tokens.len());
        match kind % 4 {
            0 => drop(tokens.remove(i)),
            1 => tokens[i] = tokens[j],
            2 => tokens.insert(i, tokens[j]),
            _ => tokens.swap(i, j),
        }
    }
    tokens.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutations_are_answered(
        which in 0usize..SCRIPTS.len(),
        edits in prop::collection::vec((any::<u8>(), any::<u16>(), any::<u16>()), 0..6),
    ) {
        let text = mutated(SCRIPTS[which], &edits);
        let options = ScriptOptions { check_timeout: Some(Duration::from_millis(100)) };
        let mut answers = Vec::new();
        run_script(text.as_bytes(), &mut answers, &options, &Budget::unlimited()).unwrap();
        let mut reader = SExprReader::new(answers.as_slice());
        loop {
            match reader.next_expr() {
                Ok(None) => break,
                Ok(Some(_)) => {}
                Err(error) => prop_assert!(false, "{text}\nanswered\n{}\n{error}", String::from_utf8_lossy(&answers)),
            }
        }
    }
}
