//! Proofs that were printed: read again and checked against the script that they are about.
//!
//! The commands of the script are carried out but for the checks, so that its assertions have the numbers and names
//! that the proofs use; where it says `get-proof`, the next proof is read and goes to [`crate::proof_check`]. Nothing
//! of the search is used. What is trusted: the reader of terms and what it simplifies, and the rules of the checker.
//! Terms are read as the solver saw them: floating-point numbers are words, and constructors are functions with axioms,
//! which the assertions have got when the script was read. Quantified formulas are compared in alpha-normal form.

use super::{Failure, Script, ScriptOptions};
use crate::atoms::AtomTable;
use crate::proof::{ArrayAxiom, ClauseId, EqPath, EqStep, EufEvidence, Evidence, Link, Proof};
use crate::proof_check::{Report, check_refutation};
use crate::sat::types::Lit;
use base::Budget;
use logic::smtlib::{Node, NodeId, ReadError, SExpr, SExprReader};
use logic::{AssertionId, FastMap, Rational, SortId, TermId};

/// Why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofFileError {
    /// The script or the proof cannot be read.
    Unreadable(String),
    /// A step does not follow.
    Rejected(String),
}

/// Checks the proofs in the output of a script, one for each `get-proof`.
pub fn check_proofs(script: &str, output: &str) -> Result<Vec<Report>, ProofFileError> {
    let of_script = |error: ReadError| ProofFileError::Unreadable(format!("script: {error}"));
    let mut commands = SExprReader::new(script.as_bytes());
    let mut answers = SExprReader::new(output.as_bytes());
    // No time is left for checks: they only note their assumptions.
    let budget = Budget::unlimited();
    budget.cancel();
    let mut replayed = Script::new(ScriptOptions::default(), budget);
    let mut reports = Vec::new();
    while let Some(command) = commands.next_expr().map_err(of_script)? {
        let name = command.list(command.root()).and_then(|items| command.symbol(*items.first()?)).unwrap_or_default();
        match name {
            "exit" => break,
            "get-proof" => {
                let proof = next_proof(&mut answers)?;
                reports.push(check(&mut replayed, &proof)?);
            }
            "echo" => {}
            _ if name.starts_with("get-") => {}
            _ => match replayed.command(&command) {
                Ok(_) | Err(Failure::Unsupported) => {}
                Err(Failure::Error(error)) => return Err(of_script(error)),
            },
        }
    }
    Ok(reports)
}

/// The next answer that is a proof.
fn next_proof(answers: &mut SExprReader<&[u8]>) -> Result<SExpr, ProofFileError> {
    let unreadable = |why: String| Err(ProofFileError::Unreadable(why));
    loop {
        let answer = match answers.next_expr() {
            Ok(Some(answer)) => answer,
            Ok(None) => return unreadable("there are fewer proofs than get-proof commands".to_string()),
            Err(error) => return unreadable(format!("output: {error}")),
        };
        let is_proof =
            answer.list(answer.root()).is_some_and(|l| l.first().is_some_and(|&n| answer.is_word(n, "proof")));
        if is_proof {
            return Ok(answer);
        }
    }
}

fn check(script: &mut Script, text: &SExpr) -> Result<Report, ProofFileError> {
    let signature = script.signature.for_proofs();
    let of_script = std::mem::replace(&mut script.signature, signature);
    let read = Reader::read(script, text);
    script.signature = of_script;
    let (proof, root, atoms) = read.map_err(|error| ProofFileError::Unreadable(format!("output: {error}")))?;
    let Script { pool, solver, .. } = script;
    let mut formulas: FastMap<AssertionId, TermId> = FastMap::default();
    if root != ClauseId::NONE {
        for id in proof.assertions_below(root) {
            if let Some(formula) = solver.as_ref().and_then(|solver| solver.formula(id)) {
                formulas.insert(id, pool.alpha_normal(formula));
            }
        }
    }
    let formula = |id| formulas.get(&id).copied();
    check_refutation(pool, &proof, root, &atoms, &formula).map_err(|error| ProofFileError::Rejected(error.to_string()))
}

type Read<T> = Result<T, ReadError>;

/// A proof that is being read.
struct Reader<'s> {
    script: &'s mut Script,
    text: &'s SExpr,
    proof: Proof,
    atoms: AtomTable,
    /// Formulas with names.
    defined: FastMap<String, TermId>,
    clauses: FastMap<String, ClauseId>,
}

impl<'s> Reader<'s> {
    fn read(script: &'s mut Script, text: &'s SExpr) -> Read<(Proof, ClauseId, AtomTable)> {
        let mut this = Reader {
            script,
            text,
            proof: Proof::new(true),
            atoms: AtomTable::default(),
            defined: FastMap::default(),
            clauses: FastMap::default(),
        };
        let mut last = ClauseId::NONE;
        for &item in this.items(text.root())?.iter().skip(1) {
            match *this.items(item)? {
                [head, name, args, result] if text.is_word(head, "declare-fun") => this.declare(name, args, result)?,
                [head, name, formula] if text.is_word(head, "define") => {
                    let formula = this.formula(formula)?;
                    let name = this.name(name)?;
                    this.defined.insert(name, formula);
                }
                [head, name, clause, rule, ref rest @ ..] if text.is_word(head, "step") => {
                    if text.keyword(rule) != Some("rule") || rest.is_empty() {
                        return this.fail(rule, "expected :rule and its name");
                    }
                    last = this.step(clause, rest)?;
                    let name = this.name(name)?;
                    this.clauses.insert(name, last);
                }
                _ => return this.fail(item, "expected a declaration, a definition or a step"),
            }
        }
        Ok((this.proof, last, this.atoms))
    }

    fn fail<T>(&self, node: NodeId, message: &str) -> Read<T> {
        Err(ReadError::new(self.text.pos(node), message))
    }

    fn items(&self, node: NodeId) -> Read<&'s [NodeId]> {
        match self.text.list(node) {
            Some(items) => Ok(items),
            None => self.fail(node, "expected a list"),
        }
    }

    fn name(&self, node: NodeId) -> Read<String> {
        match self.text.symbol(node) {
            Some(name) => Ok(name.to_string()),
            None => self.fail(node, "expected a name"),
        }
    }

    /// The values behind a keyword.
    fn argument(&self, rest: &[NodeId], keyword: &str) -> Read<NodeId> {
        let at = rest.iter().position(|&n| self.text.keyword(n) == Some(keyword));
        match at.and_then(|i| rest.get(i + 1)) {
            Some(&value) => Ok(value),
            None => self.fail(rest[0], &format!("expected :{keyword}")),
        }
    }

    fn declare(&mut self, name: NodeId, args: NodeId, result: NodeId) -> Read<()> {
        let shown = self.name(name)?;
        let sort = |this: &mut Self, node| this.script.signature.read_sort(&mut this.script.pool, this.text, node);
        let args = self.items(args)?.iter().map(|&node| sort(self, node)).collect::<Read<Vec<SortId>>>()?;
        let result = sort(self, result)?;
        match self.script.signature.declare_plain(&mut self.script.pool, &shown, &args, result) {
            Ok(()) => Ok(()),
            Err(why) => self.fail(name, &why),
        }
    }

    fn term(&mut self, node: NodeId) -> Read<TermId> {
        let term = self.script.signature.read_term(&mut self.script.pool, self.text, node)?;
        Ok(self.normal(term))
    }

    fn normal(&mut self, term: TermId) -> TermId {
        let pool = &mut self.script.pool;
        if pool.has_quantifier(term) { pool.alpha_normal(term) } else { term }
    }

    fn terms(&mut self, node: NodeId) -> Read<Vec<TermId>> {
        self.items(node)?.iter().map(|&n| self.term(n)).collect()
    }

    fn formula(&mut self, node: NodeId) -> Read<TermId> {
        if let Some(&formula) = self.text.symbol(node).and_then(|name| self.defined.get(name)) {
            return Ok(formula);
        }
        let formula = self.script.signature.read_formula(&mut self.script.pool, self.text, node)?;
        Ok(self.normal(formula))
    }

    fn literal(&mut self, node: NodeId) -> Read<Lit> {
        let (atom, is_positive) = match self.text.list(node) {
            Some(&[head, inner]) if self.text.is_word(head, "not") => (inner, false),
            _ => (node, true),
        };
        let literal = self.formula(atom)?;
        let literal = self.atoms.intern_quietly(literal).positive();
        Ok(if is_positive { literal } else { !literal })
    }

    fn literals(&mut self, nodes: &[NodeId]) -> Read<Vec<Lit>> {
        nodes.iter().map(|&n| self.literal(n)).collect()
    }

    fn clause_id(&self, node: NodeId) -> Read<ClauseId> {
        match self.text.symbol(node).and_then(|name| self.clauses.get(name)) {
            Some(&id) => Ok(id),
            None => self.fail(node, "a step that was not read before"),
        }
    }

    fn step(&mut self, clause: NodeId, rest: &[NodeId]) -> Read<ClauseId> {
        let literals = match self.items(clause)? {
            [head, literals @ ..] if self.text.is_word(*head, "cl") => self.literals(literals)?,
            _ => return self.fail(clause, "expected (cl …)"),
        };
        let rule = self.name(rest[0])?;
        match &*rule {
            "input" => {
                let assertion = self.assertion(self.argument(rest, "assertion")?)?;
                Ok(self.proof.input(&literals, assertion))
            }
            "definition" => {
                let term = self.term(self.argument(rest, "term")?)?;
                Ok(self.proof.definition(&literals, term))
            }
            "resolution" => {
                let premises = self.items(self.argument(rest, "premises")?)?;
                let pivots = self.items(self.argument(rest, "pivots")?)?;
                let Some((&first, others)) = premises.split_first().filter(|(_, o)| o.len() == pivots.len()) else {
                    return self.fail(rest[0], "there must be one pivot for each premise but the first");
                };
                let first = self.clause_id(first)?;
                let mut links = Vec::new();
                for (&premise, &pivot) in others.iter().zip(pivots) {
                    links.push(Link { antecedent: self.clause_id(premise)?, pivot: self.literal(pivot)? });
                }
                Ok(self.proof.chain(&literals, first, &links))
            }
            _ => {
                let evidence = self.evidence(&rule, rest)?;
                Ok(self.proof.lemma(&literals, evidence))
            }
        }
    }

    /// By its name in the script, or by its number.
    fn assertion(&self, node: NodeId) -> Read<AssertionId> {
        let name = self.name(node)?;
        let named = self.script.named.iter().find(|n| n.name == name).and_then(|n| n.assertion);
        let numbered = || name.strip_prefix("@a").and_then(|n| n.parse().ok()).map(AssertionId);
        match named.or_else(numbered) {
            Some(id) => Ok(id),
            None => self.fail(node, "there is no such assertion"),
        }
    }

    fn evidence(&mut self, rule: &str, rest: &[NodeId]) -> Read<Evidence> {
        let one = |this: &mut Self, keyword: &str| -> Read<TermId> {
            let node = this.argument(rest, keyword)?;
            this.term(node)
        };
        let args = |this: &mut Self| -> Read<Vec<TermId>> {
            let node = this.argument(rest, "args")?;
            this.terms(node)
        };
        Ok(match rule {
            "farkas" => Evidence::Farkas(self.coefficients(rest)?),
            "integer-equalities" => Evidence::IntegerEqualities(self.coefficients(rest)?),
            "trichotomy" => Evidence::Trichotomy,
            "split" => Evidence::Split,
            "same-equality" => Evidence::Bridge,
            "covering" => Evidence::Covering,
            "ite" => Evidence::Ite(one(self, "term")?),
            "arithmetic-axiom" => Evidence::ArithAxiom(one(self, "term")?),
            "distinct" => Evidence::Distinct(one(self, "term")?),
            "bit-blast" => Evidence::BitBlast(one(self, "term")?),
            "nonlinear" => Evidence::Nonlinear(one(self, "term")?),
            "multiplied" => Evidence::Multiplied { equality: one(self, "equality")?, factor: one(self, "factor")? },
            "instance" => Evidence::Instance { quantified: one(self, "term")?, terms: args(self)? },
            "euf" => {
                let mut paths = Vec::new();
                for &path in self.items(self.argument(rest, "paths")?)? {
                    paths.push(self.path(path)?);
                }
                Evidence::Euf(Box::new(EufEvidence { paths }))
            }
            _ => Evidence::Array(match (rule, &args(self)?[..]) {
                ("read-over-write-same", &[store]) => ArrayAxiom::ReadOverWriteSame { store },
                ("read-over-write-other", &[store, index]) => ArrayAxiom::ReadOverWriteOther { store, index },
                ("read-const", &[array, index]) => ArrayAxiom::ReadConst { array, index },
                ("extensionality", &[left, right, index]) => ArrayAxiom::Extensionality { left, right, index },
                ("read-over-ite", &[array, index]) => ArrayAxiom::ReadOverIte { array, index },
                _ => return self.fail(rest[0], "an unknown rule, or other arguments than it takes"),
            }),
        })
    }

    fn coefficients(&self, rest: &[NodeId]) -> Read<Vec<Rational>> {
        let numbers = self.items(self.argument(rest, "coefficients")?)?;
        let number = |&node: &NodeId| match self.rational(node) {
            Some(number) => Ok(number),
            None => self.fail(node, "expected a number"),
        };
        numbers.iter().map(number).collect()
    }

    /// A number, `(- number)` or `(/ numerator denominator)`.
    fn rational(&self, node: NodeId) -> Option<Rational> {
        match self.text.list(node) {
            Some(&[minus, size]) if self.text.is_word(minus, "-") => Some(-self.rational(size)?),
            Some(&[over, numerator, denominator]) if self.text.is_word(over, "/") => {
                let [numerator, denominator] = [numerator, denominator].map(|n| self.text.show(n));
                format!("{numerator}/{denominator}").parse().ok()
            }
            Some(_) => None,
            None => self.text.show(node).parse().ok(),
        }
    }

    fn path(&mut self, node: NodeId) -> Read<EqPath> {
        let parts = self.items(node)?;
        let terms = self.terms(self.argument(parts, "terms")?)?;
        let mut steps = Vec::new();
        for &step in self.items(self.argument(parts, "steps")?)? {
            steps.push(match self.text.list(step) {
                Some(&[head, ref paths @ ..]) if self.text.keyword(head) == Some("congruence") => {
                    let joined = paths.iter().map(|&path| match self.text.node(path) {
                        Node::Numeral(n) => n.parse().map(Some).or_else(|_| self.fail(path, "no path")),
                        _ => Ok(None),
                    });
                    EqStep::Congruence(joined.collect::<Read<_>>()?)
                }
                _ => EqStep::Literal(self.literal(step)?),
            });
        }
        Ok(EqPath { terms, steps })
    }
}
