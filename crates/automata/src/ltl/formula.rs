//! Formulas as written, and in negation normal form.

/// A formula as it was written; propositions are numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    Constant(bool),
    Proposition(u32),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Finally(Box<Formula>),
    Globally(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
    /// Until without the promise that the right side ever holds.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// Release with the promise that the left side holds some time.
    StrongRelease(Box<Formula>, Box<Formula>),
}

impl Formula {
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }
    /// Does the truth of the formula depend on how often a letter is repeated? Only `X` can see that.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::Constant(_) | Formula::Proposition(_) => false,
            Formula::Next(_) => true,
            Formula::Not(a) | Formula::Finally(a) | Formula::Globally(a) => a.has_next(),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Iff(a, b)
            | Formula::Until(a, b)
            | Formula::Release(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::StrongRelease(a, b) => a.has_next() || b.has_next(),
        }
    }
}

/// A formula in negation normal form. The operands of `And` and `Or` are sorted, without duplicates, at least two, and
/// none is of the same kind: [`Nnf::and`] and [`Nnf::or`] keep that.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Nnf {
    True,
    False,
    Literal(u32, bool),
    And(Vec<Nnf>),
    Or(Vec<Nnf>),
    Next(Box<Nnf>),
    Until(Box<Nnf>, Box<Nnf>),
    Release(Box<Nnf>, Box<Nnf>),
}

impl Nnf {
    pub fn and(operands: impl IntoIterator<Item = Nnf>) -> Nnf {
        let mut all = Vec::new();
        for operand in operands {
            match operand {
                Nnf::True => {}
                Nnf::False => return Nnf::False,
                Nnf::And(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        all.sort();
        all.dedup();
        if has_complementary_literals(&all) {
            return Nnf::False;
        }
        match all.len() {
            0 => Nnf::True,
            1 => all.remove(0),
            _ => Nnf::And(all),
        }
    }
    pub fn or(operands: impl IntoIterator<Item = Nnf>) -> Nnf {
        let mut all = Vec::new();
        for operand in operands {
            match operand {
                Nnf::False => {}
                Nnf::True => return Nnf::True,
                Nnf::Or(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        all.sort();
        all.dedup();
        if has_complementary_literals(&all) {
            return Nnf::True;
        }
        match all.len() {
            0 => Nnf::False,
            1 => all.remove(0),
            _ => Nnf::Or(all),
        }
    }
    pub fn next(a: Nnf) -> Nnf {
        match a {
            Nnf::True | Nnf::False => a,
            _ => Nnf::Next(Box::new(a)),
        }
    }
    pub fn until(a: Nnf, b: Nnf) -> Nnf {
        Nnf::Until(Box::new(a), Box::new(b))
    }
    pub fn release(a: Nnf, b: Nnf) -> Nnf {
        Nnf::Release(Box::new(a), Box::new(b))
    }
    pub fn finally(a: Nnf) -> Nnf {
        Nnf::until(Nnf::True, a)
    }
    pub fn globally(a: Nnf) -> Nnf {
        Nnf::release(Nnf::False, a)
    }
    /// The dual formula: true exactly where this one is false.
    pub fn negated(&self) -> Nnf {
        match self {
            Nnf::True => Nnf::False,
            Nnf::False => Nnf::True,
            Nnf::Literal(p, positive) => Nnf::Literal(*p, !positive),
            Nnf::And(all) => Nnf::or(all.iter().map(Nnf::negated)),
            Nnf::Or(all) => Nnf::and(all.iter().map(Nnf::negated)),
            Nnf::Next(a) => Nnf::next(a.negated()),
            Nnf::Until(a, b) => Nnf::release(a.negated(), b.negated()),
            Nnf::Release(a, b) => Nnf::until(a.negated(), b.negated()),
        }
    }
    /// Is this a formula without temporal operators?
    pub fn is_propositional(&self) -> bool {
        match self {
            Nnf::True | Nnf::False | Nnf::Literal(..) => true,
            Nnf::And(all) | Nnf::Or(all) => all.iter().all(Nnf::is_propositional),
            Nnf::Next(_) | Nnf::Until(..) | Nnf::Release(..) => false,
        }
    }
    /// Does the formula hold of an execution in which nothing is ever observed? What it promises for some time does not
    /// happen then (`F`, `U`, `M`); nothing else is broken.
    pub fn holds_unobserved(&self) -> bool {
        match self {
            Nnf::True | Nnf::Literal(..) | Nnf::Next(_) | Nnf::Release(..) => true,
            Nnf::False | Nnf::Until(..) => false,
            Nnf::And(all) => all.iter().all(Nnf::holds_unobserved),
            Nnf::Or(all) => all.iter().any(Nnf::holds_unobserved),
        }
    }
    /// A formula without `U` has no word that violates it only in the limit: it is a safety property.
    pub fn is_syntactic_safety(&self) -> bool {
        match self {
            Nnf::True | Nnf::False | Nnf::Literal(..) => true,
            Nnf::And(all) | Nnf::Or(all) => all.iter().all(Nnf::is_syntactic_safety),
            Nnf::Next(a) => a.is_syntactic_safety(),
            Nnf::Until(..) => false,
            Nnf::Release(a, b) => a.is_syntactic_safety() && b.is_syntactic_safety(),
        }
    }
}

fn has_complementary_literals(sorted: &[Nnf]) -> bool {
    sorted.windows(2).any(|w| matches!(w, [Nnf::Literal(p, false), Nnf::Literal(q, true)] if p == q))
}

/// The formula with negations at propositions only; its negation if `positive` is false.
pub fn negation_normal_form(formula: &Formula, positive: bool) -> Nnf {
    let same = |a: &Formula| negation_normal_form(a, positive);
    match formula {
        Formula::Constant(value) if *value == positive => Nnf::True,
        Formula::Constant(_) => Nnf::False,
        Formula::Proposition(p) => Nnf::Literal(*p, positive),
        Formula::Not(a) => negation_normal_form(a, !positive),
        Formula::And(a, b) | Formula::Or(a, b) => {
            let operands = [same(a), same(b)];
            if matches!(formula, Formula::And(..)) == positive { Nnf::and(operands) } else { Nnf::or(operands) }
        }
        Formula::Implies(a, b) => {
            let operands = [negation_normal_form(a, !positive), same(b)];
            if positive { Nnf::or(operands) } else { Nnf::and(operands) }
        }
        Formula::Iff(a, b) => {
            let ([a, not_a], [b, not_b]) =
                ([true, false].map(|s| negation_normal_form(a, s)), [true, false].map(|s| negation_normal_form(b, s)));
            if positive {
                Nnf::or([Nnf::and([a, b]), Nnf::and([not_a, not_b])])
            } else {
                Nnf::or([Nnf::and([a, not_b]), Nnf::and([not_a, b])])
            }
        }
        Formula::Next(a) => Nnf::next(same(a)),
        Formula::Finally(a) if positive => Nnf::finally(same(a)),
        Formula::Finally(a) => Nnf::globally(same(a)),
        Formula::Globally(a) if positive => Nnf::globally(same(a)),
        Formula::Globally(a) => Nnf::finally(same(a)),
        Formula::Until(a, b) if positive => Nnf::until(same(a), same(b)),
        Formula::Until(a, b) => Nnf::release(same(a), same(b)),
        Formula::Release(a, b) if positive => Nnf::release(same(a), same(b)),
        Formula::Release(a, b) => Nnf::until(same(a), same(b)),
        // a W b is b R (a ∨ b), a M b is b U (a ∧ b).
        Formula::WeakUntil(a, b) if positive => Nnf::release(same(b), Nnf::or([same(a), same(b)])),
        Formula::WeakUntil(a, b) => Nnf::until(same(b), Nnf::and([same(a), same(b)])),
        Formula::StrongRelease(a, b) if positive => Nnf::until(same(b), Nnf::and([same(a), same(b)])),
        Formula::StrongRelease(a, b) => Nnf::release(same(b), Nnf::or([same(a), same(b)])),
    }
}
