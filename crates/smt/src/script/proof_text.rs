//! A refutation as text: one `(step name clause :rule …)` per clause that the empty clause needs,
//! in an order in which each step uses only earlier ones.

use crate::atoms::AtomTable;
use crate::proof::{ArrayAxiom, ClauseId, EqStep, Evidence, Proof, Step};
use crate::sat::Lit;
use logic::{AssertionId, TermId, TermPool};

pub(super) fn proof_text(
    pool: &TermPool,
    proof: &Proof,
    root: ClauseId,
    atoms: &AtomTable,
    name_of: &dyn Fn(AssertionId) -> String,
) -> String {
    let literal = |l: Lit| {
        let atom = pool.smtlib(atoms.term(l.var()));
        if l.is_positive() { atom } else { format!("(not {atom})") }
    };
    let mut out = String::from("(proof\n");
    for id in proof.cone(root) {
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

fn evidence_text(pool: &TermPool, evidence: &Evidence, literal: &dyn Fn(Lit) -> String) -> String {
    let show = |t: &TermId| pool.smtlib(*t);
    let numbers = |name: &str, coefficients: &[logic::Rational]| {
        let list: Vec<String> = coefficients.iter().map(|c| c.to_string()).collect();
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
