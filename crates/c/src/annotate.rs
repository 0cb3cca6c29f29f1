//! Annotations of someone else put into a program: expressions at places, as witnesses have them.
//!
//! An annotation names a place by line and column and holds an expression as text. The annotations of one place become
//! a call of a function that only the lowering knows, [`NOTE`] with the numbers of the annotations, woven into the
//! tokens between preprocessing and parsing. So their expressions are parsed, resolved and typed exactly where they
//! stand, by the same code as the program's own. One call is one visit of the place: a guided execution passes at most
//! one waypoint in it.
//!
//! | place | what is woven in |
//! |---|---|
//! | before a statement `s` | `note(e); s`, in braces where the grammar wants one statement |
//! | a loop, before its condition `c` | `c` becomes `note(e), c` |
//! | the outcome of a branch on `c` | `({ int v = !!(c); note(e over v); v; })` |
//! | a call `f(…)` after its return | `({ __auto_type v = f(…); note(e over v); v; })` |
//! | a call before it starts | `(note(e), f(…))` |
//! | pairs of visits of a loop | a choice to remember the present values, which `\at(x, AnyPrev)` then means |
//! | the entry of a function | `note(e);` in front of its body |
//! | the exit of a function | `return x;` becomes `{ v = x; note(e over v); return v; }` |
//!
//! A place that does not exist is an error that names it. Only tokens of the program's own file count: what a
//! macro expands to has no place of its own.
//!
//! Ghost variables ([`Ghosts`]) become global variables, and each update of one is executed atomically with the call of
//! a library function that stands there.

use base::{Diagnostic, Excerpt, FileId, SourceMap, Span};

use crate::lex::{Interner, Punct, Token, TokenKind, lex};

/// The function that woven annotations call; their numbers follow, with `_` between them.
pub const NOTE: &str = "__craig_note_";
/// As the expression of a [`Place::Branch`]: none of the cases of the `switch` is taken.
pub const DEFAULT: &str = "default";

/// The function that stands for a proposition of a temporal formula; its number follows.
pub const PROPOSITION: &str = "__craig_proposition_";

/// What an annotation means to the execution that passes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Must hold whenever control passes: a check of the property [`ir::Subproperty::WitnessInvariant`].
    Invariant,
    /// In this segment of a guided execution: must hold when first passed, then the next segment begins.
    Follow(u32),
    /// In this segment: must not hold whenever passed.
    Avoid(u32),
    /// As `Follow`, but the segment given second begins.
    Cycle(u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Before the statement or declaration that starts there.
    Statement,
    /// Before each evaluation of the condition of the loop whose keyword stands there.
    LoopHead,
    /// After each evaluation of the condition of the branching statement whose keyword stands there;
    /// `\result` in the expression is its value (1 or 0; of a `switch`, the value).
    Branch,
    /// Before the call whose closing parenthesis stands there.
    Call,
    /// After that call; `\result` is what it returned.
    Return,
    /// As `LoopHead`, for every earlier evaluation and the present one: `\at(x, AnyPrev)` is what `x` was.
    LoopTransition,
    /// At the entry of the function that is defined there.
    Requires,
    /// Where that function returns: `\result` is what it returns, `\at(x, Old)` what `x` was at the entry.
    Ensures,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// One-based, as in an editor.
    pub line: u32,
    /// One-based; `None`: the first place of the line that fits.
    pub column: Option<u32>,
    pub place: Place,
    pub role: Role,
    pub expression: String,
}

/// Where a guided execution has to go wrong, and how many segments lead there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guide {
    /// The segment in which the violation must happen.
    pub final_segment: u32,
    /// Line and column of the statement in which it must happen; `None`: anywhere.
    pub target: Option<(u32, Option<u32>)>,
}

/// Variables that only a witness knows, and where they change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ghosts {
    pub variables: Vec<GhostVariable>,
    pub updates: Vec<GhostUpdate>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GhostVariable {
    pub name: String,
    /// A type as C writes it, in words.
    pub ty: String,
    pub initial: String,
}

/// An assignment that is executed atomically with the statement that stands there, before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GhostUpdate {
    pub line: u32,
    pub column: Option<u32>,
    pub variable: String,
    pub value: String,
}

/// Tokens with annotations woven in.
pub fn weave(
    sources: &mut SourceMap,
    interner: &mut Interner,
    file: FileId,
    tokens: Vec<Token>,
    annotations: &[Annotation],
    ghosts: &Ghosts,
) -> Result<Vec<Token>, Vec<Diagnostic>> {
    if annotations.is_empty() && ghosts.variables.is_empty() {
        return Ok(tokens);
    }
    let mut weaver = Weaver { sources, interner, file, tokens, insertions: Vec::new(), wraps: Vec::new() };
    let mut errors = Vec::new();
    // Places with their annotations, in the order in which they are first named.
    let mut visits: Vec<Visit> = Vec::new();
    for (number, annotation) in annotations.iter().enumerate() {
        let at = match weaver.find(annotation) {
            Ok(at) => at,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let annotation = match weaver.resolved(at, annotation) {
            Ok(annotation) => annotation,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let place = annotation.place;
        let shares = !matches!(place, Place::LoopTransition | Place::Requires | Place::Ensures);
        match visits.iter_mut().find(|v| shares && v.place == place && v.at == at) {
            Some(visit) => visit.here.push((number, annotation)),
            None => visits.push(Visit { place, at, here: vec![(number, annotation)] }),
        }
    }
    for Visit { place, at, mut here } in visits {
        // What is to be avoided in a segment counts in the visit that ends it, too.
        here.sort_by_key(|(_, a)| !matches!(a.role, Role::Avoid(_)));
        if let Err(error) = weaver.add(place, at, &here) {
            errors.push(error);
        }
    }
    // Behind the annotations, which speak about what was before the updates.
    if let Err(error) = weaver.add_ghosts(ghosts) {
        errors.push(error);
    }
    if errors.is_empty() { Ok(weaver.finish()) } else { Err(errors) }
}

/// Tokens with the propositions of a temporal formula at the end of the entry function, where its variables and the
/// globals are in scope. Nothing is evaluated there: the lowering takes the terms.
pub fn observe(
    sources: &mut SourceMap,
    interner: &mut Interner,
    file: FileId,
    tokens: Vec<Token>,
    entry: &str,
    propositions: &[Excerpt],
) -> Result<Vec<Token>, Vec<Diagnostic>> {
    if propositions.is_empty() {
        return Ok(tokens);
    }
    let mut weaver = Weaver { sources, interner, file, tokens, insertions: Vec::new(), wraps: Vec::new() };
    // A missing entry function is told elsewhere.
    let Some(end) = weaver.end_of_function(entry) else { return Ok(weaver.tokens) };
    for (number, proposition) in propositions.iter().enumerate() {
        let expression = proposition.text();
        let formula = weaver.sources.add(&proposition.name, &proposition.whole);
        let span = Span::new(formula, proposition.start, proposition.end);
        let wrong = |why: &str| Diagnostic::error(span, format!("the proposition '{expression}' {why}"));
        weaver.check_expression(expression).map_err(|why| vec![wrong(why)])?;
        let text = format!("{PROPOSITION}{number}(({expression}));");
        weaver.insert(end, true, &text).map_err(|d| vec![d])?;
        // What is wrong with it is wrong in the formula.
        let mut diagnostics = Vec::new();
        let own = lex(&proposition.blanked(), formula, weaver.interner, &mut diagnostics);
        if let Some(Insertion { tokens, .. }) = weaver.insertions.last_mut() {
            // Behind the name and two parentheses.
            for token in tokens.iter_mut() {
                token.span = Span { start: span.end, ..span };
            }
            for (token, own) in tokens.iter_mut().skip(3).zip(own.iter().filter(|t| t.kind != TokenKind::Eof)) {
                token.span = own.span;
            }
        }
    }
    Ok(weaver.finish())
}

/// The annotations of one place, with their numbers.
struct Visit {
    place: Place,
    /// Its token.
    at: usize,
    here: Vec<(usize, Annotation)>,
}

struct Weaver<'a> {
    sources: &'a mut SourceMap,
    interner: &'a mut Interner,
    file: FileId,
    tokens: Vec<Token>,
    /// Tokens to put before the token at an index.
    insertions: Vec<Insertion>,
    /// Statements that already stand in braces of ours.
    wraps: Vec<(usize, usize)>,
}

struct Insertion {
    before: usize,
    /// What closes something comes before what opens something at the same place.
    opens: bool,
    tokens: Vec<Token>,
}

type W<T> = Result<T, Diagnostic>;

fn is_assignment(p: Punct) -> bool {
    p.text().ends_with('=') && !matches!(p.text(), "==" | "!=" | "<=" | ">=")
}

/// The text in which a violation counts: from the place to the end of the statement that starts there, or
/// of the line.
pub fn target_span(
    sources: &mut SourceMap,
    interner: &mut Interner,
    file: FileId,
    tokens: &[Token],
    (line, column): (u32, Option<u32>),
) -> Result<Span, Diagnostic> {
    let weaver = Weaver { sources, interner, file, tokens: tokens.to_vec(), insertions: Vec::new(), wraps: Vec::new() };
    let main = weaver.sources.file(file).name.as_str();
    let mut span: Option<Span> = None;
    for (i, token) in weaver.tokens.iter().enumerate() {
        if token.span.file != file || token.kind == TokenKind::Eof {
            continue;
        }
        let Some((name, at_line, at_column)) = weaver.sources.given_position(token.span) else { continue };
        let on_line = name == main && at_line == line;
        if !on_line || column.is_some_and(|c| at_column < c) {
            continue;
        }
        let is_first = span.is_none();
        let starts_here = is_first && weaver.starts_statement(i);
        if is_first && !starts_here && column.is_some() {
            // Inside a statement or a declaration: to its end.
            let last = weaver.rest_of_statement(i);
            return Ok(token.span.to(weaver.tokens[last].span));
        }
        let mut whole = span.unwrap_or(token.span).to(token.span);
        if starts_here && let Some(last) = weaver.end_of_statement(i).and_then(|end| weaver.tokens.get(end - 1)) {
            whole = whole.to(last.span);
            if column.is_some() {
                return Ok(whole);
            }
        }
        span = Some(whole);
    }
    span.ok_or_else(|| Diagnostic::error(Span::NONE, format!("line {line}: there is nothing here")))
}

impl Weaver<'_> {
    /// Weaves in the annotations of one place.
    fn add(&mut self, place: Place, at: usize, here: &[(usize, Annotation)]) -> W<()> {
        let Some((number, annotation)) = here.first() else { return Ok(()) };
        match place {
            Place::LoopTransition => self.transition(at, *number, annotation),
            Place::Requires => {
                let note = self.note(here)?;
                let open = self.body_of(at).ok_or_else(|| self.error(annotation, "there is no function here"))?;
                self.insert(open + 1, true, &format!("{note};"))
            }
            Place::Ensures => self.ensures(at, *number, annotation),
            Place::Statement => self.before_statement(at, here),
            Place::LoopHead => {
                let (open, close) = self.loop_condition(at, annotation)?;
                let note = self.note(here)?;
                if open + 1 == close && self.tokens[close].is(Punct::Semi) {
                    // `for (;;)` has no condition: it holds.
                    let text = format!("{note}, 1");
                    self.insert(close, true, &text)
                } else {
                    let text = format!("{note}, (");
                    self.insert(open + 1, true, &text)?;
                    self.insert(close, false, ")")
                }
            }
            Place::Branch => {
                let (open, close) = self.branch_condition(at, annotation)?;
                let is_switch = self.text(at) == "switch";
                let (start, end) = if is_switch {
                    ("({ __auto_type __craig_value = (", ")")
                } else {
                    ("({ int __craig_value = !!(", ")")
                };
                if open + 1 == close {
                    return Err(self.error(annotation, "this loop has no condition to branch on"));
                }
                let note = self.note(here)?;
                self.insert(open + 1, true, start)?;
                self.insert(close, false, &format!("{end}; {note}; __craig_value; }})"))
            }
            Place::Call | Place::Return => {
                let start = self.start_of_call(at, annotation)?;
                let note = self.note(here)?;
                if place == Place::Return && here.iter().any(|(_, a)| a.expression.contains("\\result")) {
                    self.insert(start, true, "({ __auto_type __craig_value = ")?;
                    self.insert(at + 1, false, &format!("; {note}; __craig_value; }})"))
                } else {
                    self.insert(start, true, &format!("({note}, "))?;
                    self.insert(at + 1, false, ")")
                }
            }
        }
    }

    /// An annotation with the expression that is woven in: the default of a `switch` is that no case is taken.
    fn resolved(&self, at: usize, annotation: &Annotation) -> W<Annotation> {
        if annotation.place != Place::Branch || annotation.expression != DEFAULT {
            return Ok(annotation.clone());
        }
        let broken = || self.error(annotation, "this switch is broken");
        if self.text(at) != "switch" {
            return Err(self.error(annotation, "only a switch has a default, and there is none here"));
        }
        let end = self.end_of_statement(at).ok_or_else(broken)?;
        let mut cases = vec!["1".to_string()];
        let mut i = self.matching(at + 1).ok_or_else(broken)? + 1;
        while i < end {
            if self.is_word(i) && self.text(i) == "switch" {
                // The cases of another one.
                i = self.end_of_statement(i).ok_or_else(broken)?;
                continue;
            }
            if !self.is_word(i) || self.text(i) != "case" {
                i += 1;
                continue;
            }
            i += 1;
            let mut bounds = vec![String::new()];
            let mut n_conditionals = 0usize;
            while i < end {
                let token = &self.tokens[i];
                match token.kind {
                    TokenKind::Punct(Punct::Colon) if n_conditionals == 0 => break,
                    TokenKind::Punct(Punct::Colon) => n_conditionals -= 1,
                    TokenKind::Punct(Punct::Question) => n_conditionals += 1,
                    _ => {}
                }
                match (token.kind, bounds.last_mut()) {
                    (TokenKind::Punct(Punct::Ellipsis), _) => bounds.push(String::new()),
                    (_, Some(text)) => {
                        text.push(' ');
                        text.push_str(self.text(i));
                    }
                    (_, None) => {}
                }
                i += 1;
            }
            cases.push(match &bounds[..] {
                [value] => format!("\\result != ({value})"),
                [low, high] => format!("(\\result < ({low}) || \\result > ({high}))"),
                _ => return Err(broken()),
            });
        }
        Ok(Annotation { expression: cases.join(" && "), ..annotation.clone() })
    }

    /// Declares ghost variables and puts their updates at their places.
    fn add_ghosts(&mut self, ghosts: &Ghosts) -> W<()> {
        let wrong = |why: String| Diagnostic::error(Span::NONE, why);
        for GhostVariable { name, ty, initial } in &ghosts.variables {
            let is_word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_word(name) || !ty.split_whitespace().all(is_word) || ty.trim().is_empty() {
                return Err(wrong(format!("'{ty} {name}' is not a declaration of a ghost variable")));
            }
            if (0..self.tokens.len()).any(|i| self.is_word(i) && self.text(i) == name) {
                return Err(wrong(format!("the ghost variable {name} has the name of something in the program")));
            }
            if let Err(why) = self.check_expression(initial) {
                return Err(wrong(format!("the expression '{initial}' of the ghost variable {name} {why}")));
            }
            self.insert(0, true, &format!("static {ty} {name} = ({initial});"))?;
        }
        // Updates of one place happen at once, in their order.
        let mut places: Vec<(usize, String)> = Vec::new();
        for GhostUpdate { line, column, variable, value } in &ghosts.updates {
            let place = Place::Statement;
            let (line, column) = (*line, *column);
            let annotation = Annotation { line, column, place, role: Role::Invariant, expression: value.clone() };
            if !ghosts.variables.iter().any(|v| v.name == *variable) {
                return Err(self.error(&annotation, &format!("there is no ghost variable {variable}")));
            }
            if let Err(why) = self.check_expression(value) {
                return Err(self.error(&annotation, &format!("the expression '{value}' {why}")));
            }
            let at = self.find(&annotation)?;
            if !self.is_library_call(at) {
                let what = "updates of ghost variables are supported only at calls of library functions";
                let Diagnostic { message, .. } = self.error(&annotation, what);
                return Err(Diagnostic::unsupported(Span::NONE, message));
            }
            let update = format!("{variable} = ({value});");
            match places.iter_mut().find(|(a, _)| *a == at) {
                Some((_, updates)) => updates.push_str(&update),
                None => places.push((at, update)),
            }
        }
        for (at, updates) in places {
            let end = self.end_of_statement(at).unwrap_or(at);
            self.insert(at, true, &format!("{{ __VERIFIER_atomic_begin(); {updates}"))?;
            self.insert(end, false, "__VERIFIER_atomic_end(); }")?;
        }
        Ok(())
    }

    /// Is the statement a call `f(…);` of a function that the program does not define, with plain arguments?
    fn is_library_call(&self, at: usize) -> bool {
        let Some(close) = self.tokens.get(at + 1).filter(|t| t.is(Punct::LParen)).and_then(|_| self.matching(at + 1))
        else {
            return false;
        };
        let calls_nothing = (at + 2..close).all(|i| !(self.is_word(i) && self.tokens[i + 1].is(Punct::LParen)));
        let ends = self.tokens.get(close + 1).is_some_and(|t| t.is(Punct::Semi));
        self.is_word(at) && calls_nothing && ends && self.end_of_function(self.text(at)).is_none()
    }

    /// The last token of the statement that a token stands in, as far as it stands in one file.
    fn rest_of_statement(&self, from: usize) -> usize {
        let mut depth = 0usize;
        let mut last = from;
        for (i, token) in self.tokens.iter().enumerate().skip(from) {
            match token.kind {
                TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => depth += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) if depth == 0 => return last,
                TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => depth -= 1,
                TokenKind::Punct(Punct::Semi) if depth == 0 => return last,
                TokenKind::Eof => return last,
                _ => {}
            }
            if token.span.file == self.file {
                last = i;
            }
        }
        last
    }

    /// Replaces `\at(x, label)` by variables of ours; the texts of those variables' expressions.
    fn replace_at(&self, number: usize, annotation: &Annotation, labels: &[&str]) -> W<(String, Vec<String>)> {
        let mut out = String::new();
        let mut remembered: Vec<String> = Vec::new();
        let mut rest = annotation.expression.as_str();
        while let Some(start) = rest.find("\\at(") {
            out.push_str(&rest[..start]);
            let inner = &rest[start + 4..];
            let mut depth = 1usize;
            let end = inner.char_indices().find_map(|(i, c)| {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                (depth == 0).then_some(i)
            });
            let broken = || self.error(annotation, &format!("cannot read '{}'", annotation.expression));
            let end = end.ok_or_else(broken)?;
            let (what, label) = inner[..end].rsplit_once(',').ok_or_else(broken)?;
            if !labels.contains(&label.trim()) {
                return Err(self.error(annotation, &format!("\\at(…, {}) is not understood here", label.trim())));
            }
            let what = what.trim().to_string();
            let index = remembered.iter().position(|r| *r == what).unwrap_or_else(|| {
                remembered.push(what.clone());
                remembered.len() - 1
            });
            out.push_str(&format!("__craig_before_{number}_{index}"));
            rest = &inner[end + 1..];
        }
        out.push_str(rest);
        Ok((out, remembered))
    }

    /// Checks a relation between any earlier visit of a loop and the present one: at each visit the execution may
    /// choose to remember its values, once in each execution of the loop.
    fn transition(&mut self, at: usize, number: usize, annotation: &Annotation) -> W<()> {
        let (expression, remembered) = self.replace_at(number, annotation, &["AnyPrev"])?;
        for text in &remembered {
            if let Err(why) = self.check_expression(text) {
                return Err(self.error(annotation, &format!("the expression '{text}' {why}")));
            }
        }
        let related = Annotation { expression, ..annotation.clone() };
        if let Err(why) = self.check_expression(&related.expression) {
            return Err(self.error(annotation, &format!("the expression '{}' {why}", annotation.expression)));
        }
        let (open, close) = self.loop_condition(at, annotation)?;
        let end = self.end_of_statement(at).ok_or_else(|| self.error(annotation, "this loop is broken"))?;
        let seen = format!("__craig_seen_{number}");
        let mut declarations = format!("{{ int {seen} = 0;");
        let mut copies = format!("{seen} = 1");
        for (i, text) in remembered.iter().enumerate() {
            declarations.push_str(&format!(" long long __craig_before_{number}_{i} = 0;"));
            copies.push_str(&format!(", __craig_before_{number}_{i} = ({text})"));
        }
        let note = format!("{NOTE}{number}((!{seen} || ({})))", related.expression);
        let choice = format!("(!{seen} && __VERIFIER_nondet_bool()) ? ({copies}, 0) : 0");
        self.insert(at, true, &declarations)?;
        if open + 1 == close && self.tokens[close].is(Punct::Semi) {
            self.insert(close, true, &format!("{note}, {choice}, 1"))?;
        } else {
            self.insert(open + 1, true, &format!("{note}, ({choice}), ("))?;
            self.insert(close, false, ")")?;
        }
        self.insert(end, false, "}")
    }

    /// The opening brace of the function whose name stands at or behind a token.
    fn body_of(&self, at: usize) -> Option<usize> {
        let name = (at..self.tokens.len().min(at + 64))
            .find(|&i| self.is_word(i) && self.tokens.get(i + 1).is_some_and(|t| t.is(Punct::LParen)))?;
        let close = self.matching(name + 1)?;
        (close + 1..self.tokens.len().min(close + 64)).find(|&i| self.tokens[i].is(Punct::LBrace))
    }

    /// The closing brace of the function with this name.
    fn end_of_function(&self, name: &str) -> Option<usize> {
        let mut i = 0;
        while i < self.tokens.len() {
            match self.tokens[i].kind {
                TokenKind::Punct(Punct::LBrace) => i = self.matching(i)? + 1,
                TokenKind::Ident
                    if self.text(i) == name && self.tokens.get(i + 1).is_some_and(|t| t.is(Punct::LParen)) =>
                {
                    let close = self.matching(i + 1)?;
                    // Old-style parameters may stand before the body; a declaration ends without one.
                    let mut at = close + 1;
                    while at < self.tokens.len() && !self.tokens[at].is(Punct::LBrace) {
                        let is_parameter = at + 1 < self.tokens.len() && self.tokens[at].is(Punct::Semi);
                        if is_parameter && !self.is_word(at + 1) && !self.tokens[at + 1].is(Punct::LBrace)
                            || at == close + 1 && self.tokens[at].is(Punct::Semi)
                        {
                            break;
                        }
                        at += 1;
                    }
                    if self.tokens.get(at).is_some_and(|t| t.is(Punct::LBrace)) {
                        return self.matching(at);
                    }
                    i = close + 1;
                }
                _ => i += 1,
            }
        }
        None
    }

    fn ensures(&mut self, at: usize, number: usize, annotation: &Annotation) -> W<()> {
        let broken = "there is no function here";
        let open = self.body_of(at).ok_or_else(|| self.error(annotation, broken))?;
        let close = self.matching(open).ok_or_else(|| self.error(annotation, broken))?;
        let (expression, remembered) = self.replace_at(number, annotation, &["Old", "Pre"])?;
        let mut declarations = String::new();
        for (i, text) in remembered.iter().enumerate() {
            if let Err(why) = self.check_expression(text) {
                return Err(self.error(annotation, &format!("the expression '{text}' {why}")));
            }
            declarations.push_str(&format!("long long __craig_before_{number}_{i} = ({text});"));
        }
        let uses_result = expression.contains("\\result");
        let note = self.note(&[(number, Annotation { expression, ..annotation.clone() })])?;
        self.insert(open + 1, true, &declarations)?;
        for i in open + 1..close {
            if !self.is_word(i) || self.text(i) != "return" {
                continue;
            }
            let end = self.end_of_statement(i).ok_or_else(|| self.error(annotation, broken))?;
            if self.tokens[i + 1].is(Punct::Semi) {
                self.insert(i, true, &format!("{{ {note};"))?;
                self.insert(end, false, "}")?;
            } else {
                // `return e;` stays the one statement that leaves.
                self.insert(i + 1, true, "({ __auto_type __craig_value = (")?;
                self.insert(end - 1, false, &format!("); {note}; __craig_value; }})"))?;
            }
        }
        if !uses_result {
            self.insert(close, false, &format!("{note};"))?;
        }
        Ok(())
    }

    /// `note(e, …)` as text, with `\result` replaced.
    fn note(&mut self, here: &[(usize, Annotation)]) -> W<String> {
        let mut arguments = Vec::with_capacity(here.len());
        for (_, annotation) in here {
            let expression = annotation.expression.replace("\\result", "__craig_value");
            if let Err(why) = self.check_expression(&expression) {
                return Err(self.error(annotation, &format!("the expression '{}' {why}", annotation.expression)));
            }
            arguments.push(format!("({expression})"));
        }
        let numbers: Vec<String> = here.iter().map(|(number, _)| number.to_string()).collect();
        Ok(format!("{NOTE}{}({})", numbers.join("_"), arguments.join(", ")))
    }

    /// An expression must not reach beyond itself, and must not do anything.
    fn check_expression(&mut self, expression: &str) -> Result<(), &'static str> {
        let id = self.sources.add("<annotation>", expression);
        let mut diagnostics = Vec::new();
        let tokens = lex(expression, id, self.interner, &mut diagnostics);
        if !diagnostics.is_empty() || tokens.len() < 2 {
            return Err("cannot be read");
        }
        let mut open = Vec::new();
        let mut previous = None;
        for token in &tokens {
            match token.kind {
                TokenKind::Punct(p @ (Punct::LParen | Punct::LBracket)) => {
                    let is_name = |t: &Token| {
                        t.kind == TokenKind::Ident && !matches!(self.interner.text(t.text), "sizeof" | "_Alignof")
                    };
                    if p == Punct::LParen && previous.as_ref().is_some_and(is_name) {
                        return Err("calls a function");
                    }
                    open.push(p);
                }
                TokenKind::Punct(Punct::RParen) if open.pop() != Some(Punct::LParen) => return Err("is not balanced"),
                TokenKind::Punct(Punct::RBracket) if open.pop() != Some(Punct::LBracket) => {
                    return Err("is not balanced");
                }
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) => return Err("is not an expression"),
                TokenKind::Punct(p) if p == Punct::Inc || p == Punct::Dec || is_assignment(p) => {
                    return Err("has a side effect");
                }
                TokenKind::Other => return Err("cannot be read"),
                _ => {}
            }
            previous = Some(*token);
        }
        if open.is_empty() { Ok(()) } else { Err("is not balanced") }
    }

    fn text(&self, at: usize) -> &str {
        self.interner.text(self.tokens[at].text)
    }

    fn error(&self, annotation: &Annotation, message: &str) -> Diagnostic {
        let column = annotation.column.map_or(String::new(), |c| format!(", column {c}"));
        Diagnostic::error(Span::NONE, format!("line {}{column}: {message}", annotation.line))
    }

    /// The token an annotation points at.
    fn find(&self, annotation: &Annotation) -> W<usize> {
        let main = self.sources.file(self.file).name.as_str();
        let mut candidates = self.tokens.iter().enumerate().filter(|(_, t)| {
            let is_own = t.span.file == self.file && t.kind != TokenKind::Eof;
            is_own
                && self.sources.given_position(t.span).is_some_and(|(name, line, column)| {
                    name == main && line == annotation.line && annotation.column.is_none_or(|c| c == column)
                })
        });
        let fits = |i: usize| match annotation.place {
            Place::Statement => self.starts_statement(i),
            Place::LoopHead => matches!(self.text(i), "while" | "for" | "do") && !self.ends_do(i),
            Place::Branch => matches!(self.text(i), "if" | "while" | "for" | "do" | "switch") && !self.ends_do(i),
            Place::Call | Place::Return => self.tokens[i].is(Punct::RParen) && self.closes_call(i),
            Place::LoopTransition => matches!(self.text(i), "while" | "for" | "do") && !self.ends_do(i),
            Place::Requires | Place::Ensures => self.is_word(i),
        };
        match candidates.find(|(i, _)| fits(*i)) {
            Some((i, _)) => Ok(i),
            None => Err(self.error(
                annotation,
                match annotation.place {
                    Place::Statement => "there is no statement here",
                    Place::LoopHead | Place::LoopTransition => "there is no loop here",
                    Place::Requires | Place::Ensures => "there is no function here",
                    Place::Branch => "there is no branching statement here",
                    Place::Call | Place::Return => "there is no closing parenthesis of a call here",
                },
            )),
        }
    }

    // ----- structure -----

    /// The token that closes the bracket at `open`.
    fn matching(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => depth += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn matching_back(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for i in (0..=close).rev() {
            match self.tokens[i].kind {
                TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => depth += 1,
                TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Is this `while` the end of a `do`?
    fn ends_do(&self, at: usize) -> bool {
        if self.text(at) != "while" {
            return false;
        }
        // It is if some `do` before it has its body end right here.
        (0..at).rev().filter(|&i| self.text(i) == "do").any(|i| self.end_of_statement(i + 1) == Some(at))
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens[at].kind == TokenKind::Ident
    }

    fn is_label(&self, at: usize) -> bool {
        self.is_word(at)
            && !matches!(self.text(at), "default" | "case")
            && self.tokens.get(at + 1).is_some_and(|t| t.is(Punct::Colon))
            && (at == 0
                || matches!(
                    self.tokens[at - 1].kind,
                    TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Colon | Punct::RParen)
                )
                || matches!(self.text(at - 1), "else" | "do"))
    }

    /// Where the statement that starts here ends: the index behind its last token.
    fn end_of_statement(&self, at: usize) -> Option<usize> {
        let mut at = at;
        loop {
            let token = self.tokens.get(at)?;
            if token.kind == TokenKind::Eof {
                return None;
            }
            if token.is(Punct::LBrace) {
                return Some(self.matching(at)? + 1);
            }
            if self.is_label(at) {
                at += 2;
                continue;
            }
            match self.text(at) {
                "case" | "default" => {
                    while !self.tokens.get(at)?.is(Punct::Colon) {
                        at += 1;
                    }
                    at += 1;
                }
                "if" => {
                    let end = self.end_of_statement(self.matching(at + 1)? + 1)?;
                    if self.tokens.get(end).is_some_and(|t| t.kind == TokenKind::Ident) && self.text(end) == "else" {
                        at = end + 1;
                    } else {
                        return Some(end);
                    }
                }
                "while" | "for" | "switch" => at = self.matching(at + 1)? + 1,
                "do" => {
                    let end = self.end_of_statement(at + 1)?;
                    let close = self.matching(end + 1)?;
                    return Some(close + 2);
                }
                _ => {
                    // An expression, a declaration or a jump: to its semicolon.
                    let mut i = at;
                    loop {
                        match self.tokens.get(i)?.kind {
                            TokenKind::Eof => return None,
                            TokenKind::Punct(Punct::Semi) => return Some(i + 1),
                            TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => {
                                i = self.matching(i)? + 1;
                            }
                            TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => return None,
                            _ => i += 1,
                        }
                    }
                }
            }
        }
    }

    /// May a statement start at this token?
    fn starts_statement(&self, at: usize) -> bool {
        if at == 0 || self.tokens[at].is(Punct::RBrace) || self.text(at) == "else" || self.ends_do(at) {
            return false;
        }
        let before = at - 1;
        match self.tokens[before].kind {
            TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace) => !self.in_for_header(at),
            TokenKind::Punct(Punct::Colon) => !self.in_conditional(before),
            TokenKind::Punct(Punct::RParen) => self
                .matching_back(before)
                .is_some_and(|open| open > 0 && matches!(self.text(open - 1), "if" | "while" | "for" | "switch")),
            _ => matches!(self.text(before), "else" | "do"),
        }
    }

    /// Does the colon belong to `a ? b : c`?
    fn in_conditional(&self, colon: usize) -> bool {
        let mut i = colon;
        while i > 0 {
            i -= 1;
            match self.tokens[i].kind {
                TokenKind::Punct(Punct::Question) => return true,
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Colon) => return false,
                _ if matches!(self.text(i), "case" | "default") => return false,
                _ => {}
            }
        }
        false
    }

    fn in_for_header(&self, at: usize) -> bool {
        let mut depth = 0usize;
        for i in (0..at).rev() {
            match self.tokens[i].kind {
                TokenKind::Punct(Punct::RParen) => depth += 1,
                TokenKind::Punct(Punct::LParen) if depth == 0 => return i > 0 && self.text(i - 1) == "for",
                TokenKind::Punct(Punct::LParen) => depth -= 1,
                TokenKind::Punct(Punct::LBrace | Punct::RBrace) => return false,
                _ => {}
            }
        }
        false
    }

    /// The brackets (or semicolons) around the condition of a loop or branch.
    fn branch_condition(&self, at: usize, annotation: &Annotation) -> W<(usize, usize)> {
        match self.text(at) {
            "if" | "switch" => self
                .matching(at + 1)
                .map(|close| (at + 1, close))
                .ok_or_else(|| self.error(annotation, "this statement is broken")),
            _ => self.loop_condition(at, annotation),
        }
    }

    fn loop_condition(&self, at: usize, annotation: &Annotation) -> W<(usize, usize)> {
        let broken = || self.error(annotation, "this loop is broken");
        match self.text(at) {
            "while" => Ok((at + 1, self.matching(at + 1).ok_or_else(broken)?)),
            "do" => {
                let end = self.end_of_statement(at + 1).ok_or_else(broken)?;
                Ok((end + 1, self.matching(end + 1).ok_or_else(broken)?))
            }
            _ => {
                let close = self.matching(at + 1).ok_or_else(broken)?;
                let mut semicolons = Vec::new();
                let mut i = at + 2;
                while i < close {
                    match self.tokens[i].kind {
                        TokenKind::Punct(Punct::Semi) => semicolons.push(i),
                        TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => {
                            i = self.matching(i).ok_or_else(broken)?;
                        }
                        _ => {}
                    }
                    i += 1;
                }
                match semicolons[..] {
                    [first, second] => Ok((first, second)),
                    _ => Err(broken()),
                }
            }
        }
    }

    fn closes_call(&self, close: usize) -> bool {
        self.matching_back(close).is_some_and(|open| {
            open > 0
                && self.is_word(open - 1)
                && !matches!(
                    self.text(open - 1),
                    "if" | "while" | "for" | "switch" | "sizeof" | "return" | "typeof" | "__typeof__" | "__attribute__"
                )
                || open > 0 && matches!(self.tokens[open - 1].kind, TokenKind::Punct(Punct::RParen | Punct::RBracket))
        })
    }

    /// The first token of the call that ends here.
    fn start_of_call(&self, close: usize, annotation: &Annotation) -> W<usize> {
        let broken = || self.error(annotation, "there is no closing parenthesis of a call here");
        let mut at = self.matching_back(close).ok_or_else(broken)?;
        loop {
            let before = at.checked_sub(1).ok_or_else(broken)?;
            match self.tokens[before].kind {
                TokenKind::Punct(Punct::RParen | Punct::RBracket) => {
                    at = self.matching_back(before).ok_or_else(broken)?
                }
                TokenKind::Ident if !matches!(self.text(before), "return" | "else" | "do" | "case") => {
                    at = before;
                    let linked = at
                        .checked_sub(1)
                        .is_some_and(|i| matches!(self.tokens[i].kind, TokenKind::Punct(Punct::Dot | Punct::Arrow)));
                    if !linked {
                        return Ok(at);
                    }
                    at -= 1;
                }
                _ => return Ok(at),
            }
        }
    }

    // ----- insertions -----

    fn insert(&mut self, before: usize, opens: bool, text: &str) -> W<()> {
        let place = self.tokens[before].span;
        let id = self.sources.add("<annotation>", text);
        let mut diagnostics = Vec::new();
        let tokens = lex(text, id, self.interner, &mut diagnostics);
        if let Some(problem) = diagnostics.pop() {
            return Err(problem);
        }
        let mut tokens: Vec<Token> = tokens.into_iter().filter(|t| t.kind != TokenKind::Eof).collect();
        for token in &mut tokens {
            token.span = Span { end: place.start, ..place };
            token.at_line_start = false;
        }
        self.insertions.push(Insertion { before, opens, tokens });
        Ok(())
    }

    fn before_statement(&mut self, at: usize, here: &[(usize, Annotation)]) -> W<()> {
        let note = self.note(here)?;
        // Every way to a labelled statement passes behind its labels.
        let mut start = at;
        loop {
            if self.is_label(start) {
                start += 2;
            } else if matches!(self.text(start), "case" | "default") {
                while start < self.tokens.len() && !self.tokens[start].is(Punct::Colon) {
                    start += 1;
                }
                start += 1;
            } else {
                break;
            }
        }
        let alone = start > 0
            && !matches!(
                self.tokens[start - 1].kind,
                TokenKind::Punct(Punct::Semi | Punct::LBrace | Punct::RBrace | Punct::Colon)
            );
        if !alone {
            return self.insert(start, true, &format!("{note};"));
        }
        let Some(end) = self.end_of_statement(start) else {
            let what = "the statement here does not end";
            return Err(here.first().map_or_else(|| Diagnostic::error(Span::NONE, what), |(_, a)| self.error(a, what)));
        };
        if self.wraps.contains(&(start, end)) {
            return self.insert(start, true, &format!("{note};"));
        }
        self.wraps.push((start, end));
        self.insert(start, true, &format!("{{ {note};"))?;
        self.insert(end, false, "}")
    }

    fn finish(self) -> Vec<Token> {
        let Weaver { tokens, mut insertions, .. } = self;
        // Stable: annotations of one place stay in order. Closings are nested the other way round.
        let mut closings: Vec<Insertion> = Vec::new();
        let mut openings: Vec<Insertion> = Vec::new();
        for insertion in insertions.drain(..) {
            if insertion.opens { openings.push(insertion) } else { closings.push(insertion) }
        }
        closings.reverse();
        let mut out = Vec::with_capacity(tokens.len() + 16 * openings.len());
        for (i, token) in tokens.into_iter().enumerate() {
            for insertion in closings.iter().chain(&openings).filter(|n| n.before == i) {
                out.extend(insertion.tokens.iter().copied());
            }
            out.push(token);
        }
        out
    }
}
