//! Propositional formulas in DIMACS format.

use crate::sat::types::{Lit, Var};
use std::fmt;

/// A set of clauses; variable `n` of the file is `Var(n - 1)`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    pub n_vars: usize,
    pub clauses: Vec<Vec<Lit>>,
}

/// What is wrong with a DIMACS text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CnfError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl fmt::Display for CnfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// The largest variable we accept: more would be a typing error or an attack.
const MAX_VARIABLE: i64 = 1 << 26;

/// A literal of a DIMACS number, which must not be zero.
pub fn literal(number: i64) -> Option<Lit> {
    if number == 0 || number.abs() > MAX_VARIABLE {
        return None;
    }
    Some(Var((number.unsigned_abs() - 1) as u32).lit(number > 0))
}

/// The DIMACS number of a literal.
pub fn number(lit: Lit) -> i64 {
    let n = i64::from(lit.var().0) + 1;
    if lit.is_positive() { n } else { -n }
}

impl Cnf {
    /// Reads a DIMACS text. The header is optional; if present, its counts must fit.
    pub fn parse(text: &str) -> Result<Cnf, CnfError> {
        let mut cnf = Cnf::default();
        let mut header: Option<(usize, usize)> = None;
        let mut clause: Vec<Lit> = Vec::new();
        let mut clause_open = false;
        let mut last_line = 1;
        'lines: for (k, line) in text.lines().enumerate() {
            let line_number = k + 1;
            last_line = line_number;
            let fail = |column: usize, message: String| CnfError { line: line_number, column: column + 1, message };
            let trimmed = line.trim_start();
            if trimmed.starts_with('c') {
                continue;
            }
            if trimmed.starts_with('p') {
                let words: Vec<&str> = trimmed.split_whitespace().collect();
                let counts = match words[..] {
                    ["p", "cnf", vars, clauses] => vars.parse().ok().zip(clauses.parse().ok()),
                    _ => None,
                };
                let Some(counts) = counts else {
                    return Err(fail(0, "the header must read `p cnf VARIABLES CLAUSES`".to_string()));
                };
                if header.replace(counts).is_some() || clause_open || !cnf.clauses.is_empty() {
                    return Err(fail(0, "the header must come once, before the clauses".to_string()));
                }
                continue;
            }
            let mut at = 0;
            for word in line.split_whitespace() {
                let column = at + line[at..].find(word).unwrap_or(0);
                at = column + word.len();
                if word == "%" {
                    // The SATLIB files end like this.
                    break 'lines;
                }
                let Ok(value) = word.parse::<i64>() else {
                    return Err(fail(column, format!("`{word}` is not a literal")));
                };
                if value == 0 {
                    cnf.clauses.push(std::mem::take(&mut clause));
                    clause_open = false;
                    continue;
                }
                let Some(lit) = literal(value) else {
                    return Err(fail(column, format!("the variable {} is too large", value.unsigned_abs())));
                };
                cnf.n_vars = cnf.n_vars.max(lit.var().index() + 1);
                clause.push(lit);
                clause_open = true;
            }
        }
        let fail = |message: String| CnfError { line: last_line, column: 1, message };
        if clause_open {
            return Err(fail("the last clause is not closed by 0".to_string()));
        }
        if let Some((vars, clauses)) = header {
            if cnf.n_vars > vars {
                return Err(fail(format!("the header promises {vars} variables, but {} are used", cnf.n_vars)));
            }
            if cnf.clauses.len() != clauses {
                return Err(fail(format!(
                    "the header promises {clauses} clauses, but there are {}",
                    cnf.clauses.len()
                )));
            }
            if vars as i64 > MAX_VARIABLE {
                return Err(fail("too many variables".to_string()));
            }
            cnf.n_vars = vars;
        }
        Ok(cnf)
    }
    /// The DIMACS text.
    pub fn print(&self) -> String {
        let mut out = format!("p cnf {} {}\n", self.n_vars, self.clauses.len());
        for clause in &self.clauses {
            for &lit in clause {
                out.push_str(&format!("{} ", number(lit)));
            }
            out.push_str("0\n");
        }
        out
    }
    /// The clauses under an assignment: satisfied ones go, false literals go. With the number of
    /// each clause kept.
    pub fn under(&self, assignment: &crate::interpolate::labelled::Assignment) -> Vec<(usize, Vec<Lit>)> {
        self.clauses
            .iter()
            .enumerate()
            .filter(|(_, c)| !assignment.satisfies(c))
            .map(|(k, c)| (k, c.iter().copied().filter(|&l| assignment.value(l).is_none()).collect()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        let text = "p cnf 3 2\n1 -2 0\n3 0\n";
        let cnf = Cnf::parse(text).expect("well-formed");
        assert_eq!(cnf.print(), text);
        assert_eq!(Cnf::parse("c hi\n1 2\n-3 0").expect("no header needed").clauses.len(), 1);
    }

    #[test]
    fn errors_have_a_place() {
        let place = |text: &str| Cnf::parse(text).map_err(|e| (e.line, e.column)).err();
        assert_eq!(place("p cnf 1 1\n1 x 0\n"), Some((2, 3)));
        assert_eq!(place("p dnf 1 1\n"), Some((1, 1)));
        assert_eq!(place("p cnf 1 1\n1\n"), Some((2, 1)));
        assert_eq!(place("p cnf 1 1\n2 0\n"), Some((2, 1)));
        assert_eq!(place("p cnf 1 2\n1 0\n"), Some((2, 1)));
        assert_eq!(place("99999999999 0\n"), Some((1, 1)));
    }
}
