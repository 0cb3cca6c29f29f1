//! Ultimately periodic words and the truth of a formula on them, straight from the definition.

use super::{Formula, Proposition};

/// What is known at a position of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Letter {
    /// The propositions that are true.
    pub positive: u64,
    /// Those of which that is not known.
    pub unknown: u64,
}

/// The word `stem · cycle^ω`; a letter is the set of the propositions that are true at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LassoWord {
    stem: Vec<Letter>,
    cycle: Vec<Letter>,
}

impl LassoWord {
    /// `None` if the cycle is empty.
    pub fn new(stem: Vec<u64>, cycle: Vec<u64>) -> Option<LassoWord> {
        let known = |all: Vec<u64>| all.into_iter().map(|positive| Letter { positive, unknown: 0 }).collect();
        LassoWord::partial(known(stem), known(cycle))
    }
    /// A word of which not everything is known.
    pub fn partial(stem: Vec<Letter>, cycle: Vec<Letter>) -> Option<LassoWord> {
        (!cycle.is_empty()).then_some(LassoWord { stem, cycle })
    }
    /// How many positions are told apart: those of the stem and of one round of the cycle.
    pub(super) fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
    fn at(&self, position: usize) -> Letter {
        match position.checked_sub(self.stem.len()) {
            None => self.stem[position],
            Some(i) => self.cycle[i],
        }
    }
    pub(super) fn letter(&self, position: usize) -> u64 {
        self.at(position).positive
    }
    pub(super) fn next(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.stem.len() } else { position + 1 }
    }
}

/// Does the formula hold at the beginning of the word?
pub fn holds_on(formula: &Formula, word: &LassoWord) -> bool {
    truth(formula, word).surely[0]
}

/// The same for a word of which not everything is known; `None` if it may depend on that.
pub fn decided_on(formula: &Formula, word: &LassoWord) -> Option<bool> {
    let truth = truth(formula, word);
    (truth.surely[0] == truth.maybe[0]).then_some(truth.surely[0])
}

/// From the truth of two operands at each position to that of the whole.
type Operation<'a> = dyn Fn(&[bool], &[bool]) -> Vec<bool> + 'a;

/// The truth of a formula at each position: whether it surely holds, and whether it may hold.
struct Truth {
    surely: Vec<bool>,
    maybe: Vec<bool>,
}

impl Truth {
    fn not(self) -> Truth {
        let negated = |all: Vec<bool>| all.into_iter().map(|v| !v).collect();
        Truth { surely: negated(self.maybe), maybe: negated(self.surely) }
    }
    fn constant(value: bool, n: usize) -> Truth {
        Truth { surely: vec![value; n], maybe: vec![value; n] }
    }
    /// By an operation that does not make a truth smaller when an operand grows.
    fn monotone(self, other: Truth, op: &Operation<'_>) -> Truth {
        Truth { surely: op(&self.surely, &other.surely), maybe: op(&self.maybe, &other.maybe) }
    }
}

fn truth(formula: &Formula, word: &LassoWord) -> Truth {
    let n = word.len();
    // Least or greatest solution of now(i) = step(i, now(next(i))); n rounds suffice, backwards two do.
    let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| -> Vec<bool> {
        let mut now = vec![start; n];
        for _ in 0..=n {
            for i in (0..n).rev() {
                now[i] = step(i, now[word.next(i)]);
            }
        }
        now
    };
    let until = |a: &[bool], b: &[bool]| fixpoint(false, &|i, later| b[i] || a[i] && later);
    let release = |a: &[bool], b: &[bool]| fixpoint(true, &|i, later| b[i] && (a[i] || later));
    let and = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
    let or = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a || *b).collect();
    let of = |a: &Formula| truth(a, word);
    match formula {
        Formula::Constant(value) => Truth::constant(*value, n),
        Formula::Proposition(p) => {
            let is_in = |set: u64| set >> p & 1 == 1;
            let surely = |i: usize| is_in(word.at(i).positive) && !is_in(word.at(i).unknown);
            let maybe = |i: usize| is_in(word.at(i).positive | word.at(i).unknown);
            Truth { surely: (0..n).map(surely).collect(), maybe: (0..n).map(maybe).collect() }
        }
        Formula::Not(a) => of(a).not(),
        Formula::And(a, b) => of(a).monotone(of(b), &and),
        Formula::Or(a, b) => of(a).monotone(of(b), &or),
        Formula::Implies(a, b) => of(a).not().monotone(of(b), &or),
        Formula::Iff(a, b) => {
            let both = of(a).monotone(of(b), &and);
            both.monotone(of(a).not().monotone(of(b).not(), &and), &or)
        }
        Formula::Next(a) => {
            let a = of(a);
            let shifted = |all: Vec<bool>| (0..n).map(|i| all[word.next(i)]).collect();
            Truth { surely: shifted(a.surely), maybe: shifted(a.maybe) }
        }
        Formula::Finally(a) => Truth::constant(true, n).monotone(of(a), &until),
        Formula::Globally(a) => Truth::constant(false, n).monotone(of(a), &release),
        Formula::Until(a, b) => of(a).monotone(of(b), &until),
        Formula::Release(a, b) => of(a).monotone(of(b), &release),
        Formula::WeakUntil(a, b) => of(a).monotone(of(b), &|a, b| fixpoint(true, &|i, later| b[i] || a[i] && later)),
        Formula::StrongRelease(a, b) => {
            of(a).monotone(of(b), &|a, b| fixpoint(false, &|i, later| b[i] && (a[i] || later)))
        }
    }
}

/// Reads `letter; …; cycle{letter; …}`. A letter lists the propositions that are true there, separated by commas, each
/// as in the formula, in quotes unless it is a name; an empty letter has none.
pub fn parse_word(text: &str, propositions: &[Proposition]) -> Result<LassoWord, String> {
    let shape = "a word is written letter; …; cycle{letter; …}, a letter p, \"x > 0\", …";
    let Some(start) = text.find("cycle{") else { return Err(format!("there is no cycle{{…}}: {shape}")) };
    let (stem, cycle) = (text[..start].trim(), text[start + "cycle{".len()..].trim());
    let Some(cycle) = cycle.strip_suffix('}') else { return Err(format!("cycle{{ is not closed at the end: {shape}")) };
    let stem = match stem {
        "" => Vec::new(),
        _ => letters(stem.strip_suffix(';').unwrap_or(stem), propositions)?,
    };
    LassoWord::new(stem, letters(cycle, propositions)?).ok_or_else(|| format!("the cycle is empty: {shape}"))
}

fn letters(text: &str, propositions: &[Proposition]) -> Result<Vec<u64>, String> {
    split_outside_quotes(text, ';')
        .into_iter()
        .map(|letter| {
            let mut set = 0;
            for name in split_outside_quotes(letter, ',') {
                let name = name.trim();
                let plain = name.strip_prefix('"').and_then(|n| n.strip_suffix('"')).unwrap_or(name).trim();
                if plain.is_empty() {
                    continue;
                }
                match propositions.iter().position(|p| p.to_string() == plain) {
                    Some(i) => set |= 1 << i,
                    None => {
                        let known: Vec<String> = propositions.iter().map(|p| format!("\"{p}\"")).collect();
                        return Err(format!(
                            "\"{plain}\" is no proposition of the formula, which has {}",
                            known.join(", ")
                        ));
                    }
                }
            }
            Ok(set)
        })
        .collect()
}

fn split_outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    text.split(|c| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::parse;

    #[test]
    fn words_are_read_with_the_names_of_the_formula() {
        let parsed = parse("G (\"x > 0, y\" ==> F q)").expect("a formula");
        let word = parse_word("\"x > 0, y\"; ; cycle{q; }", &parsed.propositions).expect("a word");
        assert_eq!(Some(word.clone()), LassoWord::new(vec![1, 0], vec![2, 0]));
        assert!(holds_on(&parsed.formula, &word));
        let word = parse_word("cycle{\"x > 0, y\"}", &parsed.propositions).expect("a word");
        assert!(!holds_on(&parsed.formula, &word));
        for wrong in ["q", "cycle{q", "cycle{r}"] {
            assert!(parse_word(wrong, &parsed.propositions).is_err(), "{wrong}");
        }
    }

    /// What is decided on a word with gaps is so on every word that fills them.
    #[test]
    fn what_is_not_known_does_not_decide() {
        let letter = |positive, unknown| Letter { positive, unknown };
        let word = LassoWord::partial(vec![letter(1, 2)], vec![letter(0, 1), letter(0, 0)]).expect("a cycle");
        let decided = |text: &str| decided_on(&parse(text).expect(text).formula, &word);
        assert_eq!(decided("p && (q || true)"), Some(true));
        assert_eq!(decided("p && q"), None);
        assert_eq!(decided("(p || !p) && X X F (!p && !q)"), Some(true));
        assert_eq!(decided("G (p || F q)"), Some(false));
        assert_eq!(decided("p && X F p"), None);
    }
}
