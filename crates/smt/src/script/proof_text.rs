//! A refutation as text: one `(step name clause :rule …)` per clause that the empty clause needs,
//! in an order in which each step uses only earlier ones. Before them stand `(declare-fun …)` for symbols that are not
//! the script's, and `(define @pN formula)` for long literals. [`super::proof_file`] reads it again.

use crate::atoms::AtomTable;
use crate::proof::{ArrayAxiom, ClauseId, EqStep, Evidence, Proof, Step};
use crate::sat::types::{Lit, Var};
use logic::smtlib::quote_symbol;
use logic::{AssertionId, FastMap, FunId, Rational, TermId, TermPool};

/// Literals of at least so many characters that occur several times are given a name.
const LONG: usize = 24;

/// `is_declared`: is a symbol one of the script? The others are declared in the text.
pub(super) fn proof_text(
    pool: &TermPool,
    (proof, root, atoms): (&Proof, ClauseId, &AtomTable),
    name_of: &dyn Fn(AssertionId) -> String,
    is_declared: &dyn Fn(FunId) -> bool,
) -> String {
    let cone = proof.cone(root);
    let mut out = String::from("(proof\n");
    declare_own(pool, proof, &cone, atoms, is_declared, &mut out);
    let mut n_uses = vec![0u32; atoms.n_vars()];
    for &id in &cone {
        proof.clause(id).iter().for_each(|l| n_uses[l.var().index()] += 1);
        if let Step::Chain { links, .. } = proof.step(id) {
            links.iter().for_each(|link| n_uses[link.pivot.var().index()] += 1);
        }
    }
    let mut shown: FastMap<Var, String> = FastMap::default();
    for (i, &n) in n_uses.iter().enumerate().filter(|(_, n)| **n > 0) {
        let var = Var(i as u32);
        let text = pool.smtlib(atoms.term(var));
        if n > 1 && text.len() >= LONG {
            out.push_str(&format!(" (define @p{i} {text})\n"));
            shown.insert(var, format!("@p{i}"));
        } else {
            shown.insert(var, text);
        }
    }
    let literal = |l: Lit| {
        let atom = shown.get(&l.var()).cloned().unwrap_or_else(|| pool.smtlib(atoms.term(l.var())));
        if l.is_positive() { atom } else { format!("(not {atom})") }
    };
    for id in cone {
        let lits: Vec<String> = proof.clause(id).iter().map(|&l| literal(l)).collect();
        let clause = if lits.is_empty() { "(cl)".to_string() } else { format!("(cl {})", lits.join(" ")) };
        let rule = match proof.step(id) {
            Step::Input(a) => format!(":rule input :assertion {}", name_of(a)),
            Step::Definition(t) => format!(":rule definition :term {}", pool.smtlib(t)),
            Step::Lemma(evidence) => format!(":rule {}", evidence_text(pool, evidence, &literal)),
            Step::Chain { first, links } => {
                let mut text = format!(":rule resolution :premises ({first}");
                for link in links {
                    text.push_str(&format!(" {}", link.antecedent));
                }
                let pivots: Vec<String> = links.iter().map(|l| literal(l.pivot)).collect();
                text.push_str(&format!(") :pivots ({})", pivots.join(" ")));
                text
            }
        };
        out.push_str(&format!(" (step {id} {clause} {rule})\n"));
    }
    out.push(')');
    out
}

/// Declares the symbols that the solver has made, such as Skolem constants.
fn declare_own(
    pool: &TermPool,
    proof: &Proof,
    cone: &[ClauseId],
    atoms: &AtomTable,
    is_declared: &dyn Fn(FunId) -> bool,
    out: &mut String,
) {
    let mut terms: Vec<TermId> = Vec::new();
    for &id in cone {
        terms.extend(proof.clause(id).iter().map(|l| atoms.term(l.var())));
        match proof.step(id) {
            Step::Lemma(Evidence::Euf(euf)) => {
                terms.extend(euf.paths.iter().flat_map(|path| path.terms.iter().copied()));
            }
            Step::Lemma(Evidence::Instance { terms: own, .. }) => terms.extend(own.iter().copied()),
            _ => {}
        }
    }
    terms.sort_unstable();
    terms.dedup();
    for f in pool.free_symbols_of(&terms).into_iter().filter(|&f| !is_declared(f)) {
        let decl = pool.fun(f);
        let args: Vec<String> = decl.args.iter().map(|&s| pool.show_sort(s)).collect();
        let (name, result) = (quote_symbol(&decl.name), pool.show_sort(decl.result));
        out.push_str(&format!(" (declare-fun {name} ({}) {result})\n", args.join(" ")));
    }
}

fn evidence_text(pool: &TermPool, evidence: &Evidence, literal: &dyn Fn(Lit) -> String) -> String {
    let show = |t: &TermId| pool.smtlib(*t);
    let numbers = |name: &str, coefficients: &[Rational]| {
        let list: Vec<String> = coefficients.iter().map(coefficient).collect();
        format!("{name} :coefficients ({})", list.join(" "))
    };
    match evidence {
        Evidence::Farkas(c) => numbers("farkas", c),
        Evidence::IntegerEqualities(c) => numbers("integer-equalities", c),
        Evidence::Trichotomy => "trichotomy".to_string(),
        Evidence::Split => "split".to_string(),
        Evidence::Euf(euf) => {
            let paths: Vec<String> = euf
                .paths
                .iter()
                .map(|path| {
                    let terms: Vec<String> = path.terms.iter().map(show).collect();
                    let steps: Vec<String> = path
                        .steps
                        .iter()
                        .map(|step| match step {
                            EqStep::Literal(l) => literal(*l),
                            EqStep::Congruence(args) => {
                                let args: Vec<String> =
                                    args.iter().map(|a| a.map_or("refl".to_string(), |n| n.to_string())).collect();
                                format!("(:congruence {})", args.join(" "))
                            }
                        })
                        .collect();
                    format!("(:terms ({}) :steps ({}))", terms.join(" "), steps.join(" "))
                })
                .collect();
            format!("euf :paths ({})", paths.join(" "))
        }
        Evidence::Array(axiom) => {
            let (name, terms): (&str, Vec<&TermId>) = match axiom {
                ArrayAxiom::ReadOverWriteSame { store } => ("read-over-write-same", vec![store]),
                ArrayAxiom::ReadOverWriteOther { store, index } => ("read-over-write-other", vec![store, index]),
                ArrayAxiom::ReadConst { array, index } => ("read-const", vec![array, index]),
                ArrayAxiom::Extensionality { left, right, index } => ("extensionality", vec![left, right, index]),
                ArrayAxiom::ReadOverIte { array, index } => ("read-over-ite", vec![array, index]),
            };
            let terms: Vec<String> = terms.into_iter().map(show).collect();
            format!("{name} :args ({})", terms.join(" "))
        }
        Evidence::Ite(t) => format!("ite :term {}", show(t)),
        Evidence::ArithAxiom(t) => format!("arithmetic-axiom :term {}", show(t)),
        Evidence::Distinct(t) => format!("distinct :term {}", show(t)),
        Evidence::Bridge => "same-equality".to_string(),
        Evidence::BitBlast(t) => format!("bit-blast :term {}", show(t)),
        Evidence::Instance { quantified, terms } => {
            let terms: Vec<String> = terms.iter().map(show).collect();
            format!("instance :term {} :args ({})", show(quantified), terms.join(" "))
        }
        Evidence::Nonlinear(t) => format!("nonlinear :term {}", show(t)),
        Evidence::Covering => "covering".to_string(),
        Evidence::Multiplied { equality, factor } => {
            format!("multiplied :equality {} :factor {}", show(equality), show(factor))
        }
    }
}

/// A number as SMT-LIB writes it.
fn coefficient(c: &Rational) -> String {
    let size = c.abs().to_string();
    let size = match size.split_once('/') {
        Some((numerator, denominator)) => format!("(/ {numerator} {denominator})"),
        None => size,
    };
    if c.is_negative() { format!("(- {size})") } else { size }
}
