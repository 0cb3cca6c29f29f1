//! `craig ltl`: the Büchi automaton of a temporal formula, as HOA or as a picture, and its truth on a lasso word.

use crate::exit::{self, usage_error};
use automata::ltl::{holds_on, negation_normal_form, parse, parse_word, translate};
use base::Budget;
use clap::Args;
use std::io::Write;

#[derive(Args, Clone, Debug)]
pub(crate) struct LtlArgs {
    /// The formula, e.g. 'G (p ==> F "x == 0")'
    pub formula: String,
    /// Print a picture for Graphviz instead of the Hanoi format
    #[arg(long)]
    dot: bool,
    /// Say whether the formula holds on this word, e.g. 'p; cycle{"x == 0"; p}'
    #[arg(long, value_name = "WORD", conflicts_with = "dot")]
    word: Option<String>,
}

pub(crate) fn run(args: &LtlArgs) -> u8 {
    let parsed = match parse(&args.formula) {
        Ok(parsed) => parsed,
        Err(error) => {
            let column = args.formula[..error.offset.min(args.formula.len())].chars().count();
            let caret = " ".repeat(column);
            return usage_error(&format!("column {}: {}\n  {}\n  {caret}^", column + 1, error.message, args.formula));
        }
    };
    if let Some(word) = &args.word {
        return match parse_word(word, &parsed.propositions) {
            Ok(word) => {
                let holds = holds_on(&parsed.formula, &word);
                write(if holds { "holds\n" } else { "does not hold\n" });
                if holds { exit::HOLDS } else { exit::VIOLATED }
            }
            Err(message) => usage_error(&message),
        };
    }
    let Ok(automaton) = translate(&negation_normal_form(&parsed.formula, true), &Budget::unlimited()) else {
        return exit::UNKNOWN;
    };
    let names: Vec<String> = parsed.propositions.iter().map(|p| p.to_string()).collect();
    let text = match args.dot {
        true => automaton.to_dot(&args.formula, &names),
        false => automaton.to_hoa(&args.formula, &names),
    };
    write(&text);
    exit::HOLDS
}

fn write(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
