//! Temporal formulas as text, in the spellings of SV-COMP property files, of ACSL-like comments in C and of Boogie
//! comments, in one tokeniser.
//!
//! ```text
//! formula    =  equivalence
//! ==> -> => : right-associative, below || ; <==> <-> <=> : lowest
//! || | \/ , then && & /\ , then U R W WU M (right-associative), then ! X F G [] <> (prefix)
//! atom       =  ( formula ) | true | false | 1 | 0 | proposition
//! proposition = "expression" | AP(expression) | call(f) | return(f) | at(label) | identifier
//! ```
//!
//! A word of the letters X, F and G alone is a chain of operators, so `GF"p"` is `G F "p"`. The text of a proposition
//! is kept as it is: letters inside it are never operators.

use super::Formula;
use std::fmt;

/// Sets of propositions are machine words.
pub const MAX_PROPOSITIONS: usize = 64;
/// Deeper nesting is refused, so that no formula exhausts the stack.
const MAX_DEPTH: usize = 200;
/// So are longer formulas: a long chain of conjunctions is as deep as it is long.
const MAX_TOKENS: usize = 4_000;

/// What a proposition says about a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PropositionKind {
    /// A Boolean expression of the programming language.
    Expression,
    /// The step enters the function.
    Call,
    /// The step leaves the function.
    Return,
    /// The step arrives at the label.
    At,
}

/// A proposition; two occurrences with the same kind and text (but for spaces around it) are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposition {
    pub kind: PropositionKind,
    pub text: String,
    /// Where `text` begins, as a byte offset into the formula.
    pub offset: usize,
}

impl fmt::Display for Proposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match self.kind {
            PropositionKind::Expression => write!(f, "{text}"),
            PropositionKind::Call => write!(f, "call({text})"),
            PropositionKind::Return => write!(f, "return({text})"),
            PropositionKind::At => write!(f, "at({text})"),
        }
    }
}

/// A formula with its propositions, which it refers to by position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    pub formula: Formula,
    pub propositions: Vec<Proposition>,
}

/// Why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// A byte offset into the formula.
    pub offset: usize,
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.offset + 1, self.message)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unary {
    Not,
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Binary {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Binary {
    /// Higher binds tighter.
    fn precedence(self) -> u8 {
        match self {
            Binary::Iff => 0,
            Binary::Implies => 1,
            Binary::Or => 2,
            Binary::And => 3,
            Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => 4,
        }
    }
    fn build(self, a: Formula, b: Formula) -> Formula {
        let (a, b) = (Box::new(a), Box::new(b));
        match self {
            Binary::Iff => Formula::Iff(a, b),
            Binary::Implies => Formula::Implies(a, b),
            Binary::Or => Formula::Or(a, b),
            Binary::And => Formula::And(a, b),
            Binary::Until => Formula::Until(a, b),
            Binary::Release => Formula::Release(a, b),
            Binary::WeakUntil => Formula::WeakUntil(a, b),
            Binary::StrongRelease => Formula::StrongRelease(a, b),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Unary(Unary),
    Binary(Binary),
    Open,
    Close,
    Constant(bool),
    Proposition(PropositionKind, String),
}

struct Spanned {
    token: Token,
    offset: usize,
}

fn error<T>(offset: usize, message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError { offset, message: message.into() })
}

/// Longer spellings first where one is the beginning of another.
const SYMBOLS: [(&str, Token); 20] = [
    ("<==>", Token::Binary(Binary::Iff)),
    ("<=>", Token::Binary(Binary::Iff)),
    ("<->", Token::Binary(Binary::Iff)),
    ("==>", Token::Binary(Binary::Implies)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("<>", Token::Unary(Unary::Finally)),
    ("[]", Token::Unary(Unary::Globally)),
    ("&&", Token::Binary(Binary::And)),
    ("&", Token::Binary(Binary::And)),
    ("/\\", Token::Binary(Binary::And)),
    ("||", Token::Binary(Binary::Or)),
    ("|", Token::Binary(Binary::Or)),
    ("\\/", Token::Binary(Binary::Or)),
    ("!", Token::Unary(Unary::Not)),
    ("~", Token::Unary(Unary::Not)),
    ("(", Token::Open),
    (")", Token::Close),
    ("1", Token::Constant(true)),
    ("0", Token::Constant(false)),
];

fn tokens(text: &str) -> Result<Vec<Spanned>, SyntaxError> {
    let mut result = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if result.len() > MAX_TOKENS {
            return error(at, format!("the formula has more than {MAX_TOKENS} operators and propositions"));
        }
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '"' {
            let Some(length) = rest[1..].find('"') else {
                return error(at, "this quoted proposition has no closing quote");
            };
            let token = expression(&rest[1..1 + length], at)?;
            result.push(Spanned { token, offset: at });
            at += length + 2;
        } else if c.is_ascii_alphabetic() || c == '_' {
            at += word(text, at, &mut result)?;
        } else if let Some((spelling, token)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s)) {
            result.push(Spanned { token: token.clone(), offset: at });
            at += spelling.len();
        } else {
            return error(
                at,
                format!("'{c}' is no operator of a temporal formula; a proposition is written \"x > 0\" or AP(x > 0)"),
            );
        }
    }
    Ok(result)
}

fn expression(text: &str, offset: usize) -> Result<Token, SyntaxError> {
    if text.trim().is_empty() {
        return error(offset, "this proposition is empty");
    }
    Ok(Token::Proposition(PropositionKind::Expression, text.trim().to_string()))
}

/// Reads an identifier at `at`, and its argument if it is a kind of proposition; returns how many bytes it took.
fn word(text: &str, at: usize, result: &mut Vec<Spanned>) -> Result<usize, SyntaxError> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = &rest[..length];
    let kind = match name {
        "AP" => Some(PropositionKind::Expression),
        "call" => Some(PropositionKind::Call),
        "return" => Some(PropositionKind::Return),
        "at" => Some(PropositionKind::At),
        _ => None,
    };
    let spaces = rest[length..].len() - rest[length..].trim_start().len();
    if let Some(kind) = kind
        && rest[length + spaces..].starts_with('(')
    {
        let open = length + spaces;
        let Some(inside) = parenthesised(&rest[open..]) else {
            return error(at + open, format!("the parenthesis of {name}(…) is not closed"));
        };
        let argument = inside.trim();
        let token = match kind {
            PropositionKind::Expression => expression(argument, at)?,
            // SV-COMP writes call(f()).
            _ => {
                let argument = argument.strip_suffix("()").unwrap_or(argument).trim();
                let is_name = !argument.is_empty()
                    && argument.chars().all(|c| c.is_ascii_alphanumeric() || "_.$#~'`^\\?".contains(c));
                if !is_name {
                    return error(at + open + 1, format!("{name}(…) takes one name, such as {name}(f)"));
                }
                Token::Proposition(kind, argument.to_string())
            }
        };
        result.push(Spanned { token, offset: at });
        return Ok(open + inside.len() + 2);
    }
    if name.chars().all(|c| "XFG".contains(c)) {
        for (i, c) in name.chars().enumerate() {
            let operator = match c {
                'X' => Unary::Next,
                'F' => Unary::Finally,
                _ => Unary::Globally,
            };
            result.push(Spanned { token: Token::Unary(operator), offset: at + i });
        }
        return Ok(length);
    }
    let token = match name {
        "U" => Token::Binary(Binary::Until),
        "R" | "V" => Token::Binary(Binary::Release),
        "W" | "WU" => Token::Binary(Binary::WeakUntil),
        "M" => Token::Binary(Binary::StrongRelease),
        "true" => Token::Constant(true),
        "false" => Token::Constant(false),
        _ => Token::Proposition(PropositionKind::Expression, name.to_string()),
    };
    result.push(Spanned { token, offset: at });
    Ok(length)
}

/// What stands between the parenthesis at the beginning of `text` and its partner.
fn parenthesised(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[1..i]);
        }
    }
    None
}

struct Parser {
    tokens: Vec<Spanned>,
    next: usize,
    end: usize,
    propositions: Vec<Proposition>,
}

/// Reads a formula. One final semicolon is accepted.
pub fn parse(text: &str) -> Result<Parsed, SyntaxError> {
    let text = text.trim_end();
    let text = text.strip_suffix(';').unwrap_or(text);
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end: text.len(), propositions: Vec::new() };
    let formula = parser.binary(0, 0)?;
    match parser.tokens.get(parser.next) {
        None => Ok(Parsed { formula, propositions: parser.propositions }),
        Some(Spanned { token: Token::Close, offset }) => error(*offset, "this ')' closes nothing"),
        Some(Spanned { token, offset }) => {
            let hint = match token {
                Token::Proposition(PropositionKind::Expression, _) => {
                    "; a proposition that is more than a name is written \"x > 0\" or AP(x > 0)"
                }
                _ => "",
            };
            error(*offset, format!("expected an operator (&& || ==> <==> U R W M) or the end of the formula{hint}"))
        }
    }
}

impl Parser {
    /// A formula whose operators bind at least as tightly as `minimum`.
    fn binary(&mut self, minimum: u8, depth: usize) -> Result<Formula, SyntaxError> {
        let mut left = self.unary(depth)?;
        while let Some(Spanned { token: Token::Binary(operator), .. }) = self.tokens.get(self.next) {
            let operator = *operator;
            let precedence = operator.precedence();
            if precedence < minimum {
                break;
            }
            self.next += 1;
            // Conjunction and disjunction are left-associative, so that long chains stay shallow on the right.
            let right_minimum = match operator {
                Binary::And | Binary::Or => precedence + 1,
                _ => precedence,
            };
            let right = self.binary(right_minimum, depth + 1)?;
            left = operator.build(left, right);
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Formula, SyntaxError> {
        let Some(Spanned { token, offset }) = self.tokens.get(self.next) else {
            return error(self.end, "expected a formula, found the end");
        };
        let offset = *offset;
        if depth > MAX_DEPTH {
            return error(offset, format!("the formula is nested more than {MAX_DEPTH} levels deep"));
        }
        let token = token.clone();
        self.next += 1;
        match token {
            Token::Constant(value) => Ok(Formula::Constant(value)),
            Token::Proposition(kind, text) => Ok(Formula::Proposition(self.proposition(kind, text, offset)?)),
            Token::Open => {
                let inner = self.binary(0, depth + 1)?;
                match self.tokens.get(self.next) {
                    Some(Spanned { token: Token::Close, .. }) => {
                        self.next += 1;
                        Ok(inner)
                    }
                    Some(Spanned { offset, .. }) => error(*offset, "expected an operator or ')'"),
                    None => error(offset, "this '(' is not closed"),
                }
            }
            Token::Unary(operator) => {
                let inner = Box::new(self.unary(depth + 1)?);
                Ok(match operator {
                    Unary::Not => Formula::Not(inner),
                    Unary::Next => Formula::Next(inner),
                    Unary::Finally => Formula::Finally(inner),
                    Unary::Globally => Formula::Globally(inner),
                })
            }
            Token::Binary(_) => error(offset, "expected a formula before this operator"),
            Token::Close => error(offset, "expected a formula before this ')'"),
        }
    }

    fn proposition(&mut self, kind: PropositionKind, text: String, offset: usize) -> Result<u32, SyntaxError> {
        let known = self.propositions.iter().position(|p| p.kind == kind && p.text == text);
        let number = match known {
            Some(number) => number,
            None if self.propositions.len() == MAX_PROPOSITIONS => {
                return error(offset, format!("more than {MAX_PROPOSITIONS} different propositions"));
            }
            None => {
                self.propositions.push(Proposition { kind, text, offset });
                self.propositions.len() - 1
            }
        };
        Ok(number as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        show(&parsed.formula, &parsed.propositions)
    }

    fn show(f: &Formula, names: &[Proposition]) -> String {
        let two = |op: &str, a, b| format!("({} {op} {})", show(a, names), show(b, names));
        match f {
            Formula::Constant(value) => value.to_string(),
            Formula::Proposition(p) => names[*p as usize].to_string(),
            Formula::Not(a) => format!("!{}", show(a, names)),
            Formula::Next(a) => format!("X {}", show(a, names)),
            Formula::Finally(a) => format!("F {}", show(a, names)),
            Formula::Globally(a) => format!("G {}", show(a, names)),
            Formula::And(a, b) => two("&", a, b),
            Formula::Or(a, b) => two("|", a, b),
            Formula::Implies(a, b) => two("->", a, b),
            Formula::Iff(a, b) => two("<->", a, b),
            Formula::Until(a, b) => two("U", a, b),
            Formula::Release(a, b) => two("R", a, b),
            Formula::WeakUntil(a, b) => two("W", a, b),
            Formula::StrongRelease(a, b) => two("M", a, b),
        }
    }

    #[test]
    fn spellings_mix_and_letters_inside_propositions_are_text() {
        assert_eq!(shown(r#"G ("FLAG == 1" ==> F "x U y")"#), "G (FLAG == 1 -> F x U y)");
        assert_eq!(shown("[](AP(x > f(0)) ==> <>AP(y == 0));"), "G (x > f(0) -> F y == 0)");
        assert_eq!(shown("FG\"polling == 1\""), "F G polling == 1");
        assert_eq!(shown("G ! call(reach_error())"), "G !call(reach_error)");
        assert_eq!(shown("! AP(a) WU AP(b)"), "(!a W b)");
        assert_eq!(shown("at(done) R return(f)"), "(at(done) R return(f))");
    }

    #[test]
    fn precedence_is_the_usual_one() {
        assert_eq!(shown("a || b && c U d ==> e <==> f"), "(((a | (b & (c U d))) -> e) <-> f)");
        assert_eq!(shown("a U b U c"), "(a U (b U c))");
        assert_eq!(shown("a ==> b ==> c"), "(a -> (b -> c))");
        assert_eq!(shown("!X a U F b"), "(!X a U F b)");
    }

    #[test]
    fn equal_propositions_are_one() {
        let parsed = parse("AP( x==1 ) U \"x==1\"").expect("a formula");
        assert_eq!(parsed.propositions.len(), 1);
    }

    #[test]
    fn errors_point_at_a_column() {
        let column = |text: &str| parse(text).expect_err(text).offset + 1;
        assert_eq!(column("G (p ==> "), 9); // the end, without the blank
        assert_eq!(column("G (p"), 3);
        assert_eq!(column("p q"), 3);
        assert_eq!(column("p > 0"), 3);
        assert_eq!(column("G \"p"), 3);
        assert_eq!(column("U p"), 1);
        assert_eq!(column("p)"), 2);
        assert_eq!(column("G call(a b)"), 8);
        assert_eq!(column(""), 1);
        assert!(parse(&"!".repeat(100_000)).is_err());
        let many: Vec<String> = (0..65).map(|i| format!("p{i}")).collect();
        assert!(parse(&many.join(" && ")).is_err());
        assert!(parse(&many[..64].join(" && ")).is_ok());
    }
}
