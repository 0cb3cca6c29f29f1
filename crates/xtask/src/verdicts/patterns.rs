//! Fills in the patterns of [`super::pieces`].

use base::Random;

const TYPES: [&str; 11] = [
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
];

pub(super) struct Filler {
    pub random: Random,
    /// `$k`.
    pub number: usize,
    pub has_inputs: bool,
    /// Indices are wrong now and then.
    pub may_err: bool,
    /// `$T`.
    one_type: &'static str,
}

impl Filler {
    pub(super) fn new(random: Random, has_inputs: bool) -> Filler {
        Filler { random, number: 0, has_inputs, may_err: true, one_type: "int" }
    }

    pub(super) fn start_piece(&mut self, number: usize) {
        self.number = number;
        self.one_type = TYPES[self.random.below(TYPES.len())];
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }

    fn value(&mut self) -> String {
        let inputs = ["IN0", "IN1", "(IN0 - IN1)", "(IN0 * 3 + 1)", "(IN1 ? 5 : -5)", "-IN1"];
        if self.has_inputs && self.random.below(2) == 0 {
            return self.pick(&inputs).to_string();
        }
        self.pick(&["0", "1", "-1", "2", "7", "-8", "100", "127", "128", "200", "255", "-129"]).to_string()
    }

    fn small(&mut self) -> String {
        if self.has_inputs && self.random.below(3) > 0 {
            return self.pick(&["IN0", "IN1", "(IN0 & 1)", "(IN0 + 1)", "(IN0 > IN1)", "(3 - IN1)"]).to_string();
        }
        self.random.below(5).to_string()
    }

    fn index(&mut self, n: usize) -> String {
        let small = self.small();
        match self.random.below(24) {
            0 if self.may_err => small,
            1 if self.may_err => n.to_string(),
            2..9 => format!("({small} % {n})"),
            _ => self.random.below(n).to_string(),
        }
    }

    /// Fills in a pattern.
    pub(super) fn fill(&mut self, pattern: &str) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some(at) = rest.find(['⟨', '$']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with('⟨') {
                let (choices, after) = choices_of(rest);
                let chosen = self.pick(&choices);
                out.push_str(&self.fill(chosen));
                rest = after;
                continue;
            }
            let code = rest[1..].chars().next().unwrap_or(' ');
            rest = rest.get(2..).unwrap_or("");
            match code {
                'k' => out.push_str(&self.number.to_string()),
                'v' => out.push_str(&self.value()),
                's' => out.push_str(&self.small()),
                'c' => out.push_str(&self.random.below(5).to_string()),
                't' => out.push_str(self.pick(&TYPES)),
                'T' => out.push_str(self.one_type),
                'i' => {
                    let n = rest[..1].parse().unwrap_or(1);
                    rest = &rest[1..];
                    out.push_str(&self.index(n));
                }
                other => {
                    out.push('$');
                    out.push(other);
                }
            }
        }
        out + rest
    }
}

/// The choices of a pattern that starts with one, and what follows it.
fn choices_of(pattern: &str) -> (Vec<&str>, &str) {
    let (mut choices, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in pattern.char_indices() {
        match c {
            '⟨' => {
                depth += 1;
                if depth == 1 {
                    from = at + c.len_utf8();
                }
            }
            '¦' if depth == 1 => {
                choices.push(&pattern[from..at]);
                from = at + c.len_utf8();
            }
            '⟩' => {
                depth -= 1;
                if depth == 0 {
                    choices.push(&pattern[from..at]);
                    return (choices, &pattern[at + c.len_utf8()..]);
                }
            }
            _ => {}
        }
    }
    (vec![""], "")
}

/// The text without (`keep`: with) its `«code for the reference»`.
pub(super) fn reference_code(text: &str, keep: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('«') {
        let (code, tail) = after.split_once('»').unwrap_or((after, ""));
        out.push_str(before);
        if keep {
            out.push_str(code);
        }
        rest = tail;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_nest() {
        assert_eq!(choices_of("⟨a¦b⟨c¦d⟩¦⟩e"), (vec!["a", "b⟨c¦d⟩", ""], "e"));
    }

    #[test]
    fn code_for_the_reference_is_told_apart() {
        assert_eq!(reference_code("a «b» c«d»", false), "a  c");
        assert_eq!(reference_code("a «b» c«d»", true), "a b cd");
    }
}
