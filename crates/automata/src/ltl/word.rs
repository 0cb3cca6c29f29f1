//! Ultimately periodic words and the truth of a formula on them, straight from the definition.

use super::{Formula, Proposition};

/// The word `stem · cycle^ω`; a letter is the set of the propositions that are true at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LassoWord {
    stem: Vec<u64>,
    cycle: Vec<u64>,
}

impl LassoWord {
    /// `None` if the cycle is empty.
    pub fn new(stem: Vec<u64>, cycle: Vec<u64>) -> Option<LassoWord> {
        (!cycle.is_empty()).then_some(LassoWord { stem, cycle })
    }
    /// How many positions are told apart: those of the stem and of one round of the cycle.
    pub(super) fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
    pub(super) fn letter(&self, position: usize) -> u64 {
        match position.checked_sub(self.stem.len()) {
            None => self.stem[position],
            Some(i) => self.cycle[i],
        }
    }
    pub(super) fn next(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.stem.len() } else { position + 1 }
    }
}

/// Does the formula hold at the beginning of the word?
pub fn holds_on(formula: &Formula, word: &LassoWord) -> bool {
    truth(formula, word)[0]
}

/// The truth of the formula at each position.
fn truth(formula: &Formula, word: &LassoWord) -> Vec<bool> {
    let n = word.len();
    let zip = |a: &Formula, b: &Formula, op: fn(bool, bool) -> bool| -> Vec<bool> {
        truth(a, word).into_iter().zip(truth(b, word)).map(|(a, b)| op(a, b)).collect()
    };
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
    let until = |a: Vec<bool>, b: Vec<bool>| fixpoint(false, &|i, later| b[i] || a[i] && later);
    let release = |a: Vec<bool>, b: Vec<bool>| fixpoint(true, &|i, later| b[i] && (a[i] || later));
    match formula {
        Formula::Constant(value) => vec![*value; n],
        Formula::Proposition(p) => (0..n).map(|i| word.letter(i) >> p & 1 == 1).collect(),
        Formula::Not(a) => truth(a, word).into_iter().map(|v| !v).collect(),
        Formula::And(a, b) => zip(a, b, |a, b| a && b),
        Formula::Or(a, b) => zip(a, b, |a, b| a || b),
        Formula::Implies(a, b) => zip(a, b, |a, b| !a || b),
        Formula::Iff(a, b) => zip(a, b, |a, b| a == b),
        Formula::Next(a) => {
            let a = truth(a, word);
            (0..n).map(|i| a[word.next(i)]).collect()
        }
        Formula::Finally(a) => until(vec![true; n], truth(a, word)),
        Formula::Globally(a) => release(vec![false; n], truth(a, word)),
        Formula::Until(a, b) => until(truth(a, word), truth(b, word)),
        Formula::Release(a, b) => release(truth(a, word), truth(b, word)),
        Formula::WeakUntil(a, b) => {
            let (a, b) = (truth(a, word), truth(b, word));
            fixpoint(true, &|i, later| b[i] || a[i] && later)
        }
        Formula::StrongRelease(a, b) => {
            let (a, b) = (truth(a, word), truth(b, word));
            fixpoint(false, &|i, later| b[i] && (a[i] || later))
        }
    }
}

/// Reads `letter; …; cycle{letter; …}`. A letter lists the propositions that are true there, separated by commas, each as
/// in the formula, in quotes unless it is a name; an empty letter has none.
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
        assert_eq!(word, LassoWord { stem: vec![1, 0], cycle: vec![2, 0] });
        assert!(holds_on(&parsed.formula, &word));
        let word = parse_word("cycle{\"x > 0, y\"}", &parsed.propositions).expect("a word");
        assert!(!holds_on(&parsed.formula, &word));
        for wrong in ["q", "cycle{q", "cycle{r}"] {
            assert!(parse_word(wrong, &parsed.propositions).is_err(), "{wrong}");
        }
    }
}
