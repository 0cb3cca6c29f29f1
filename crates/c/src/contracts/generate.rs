//! The functions that a contract stands for.

use base::Span;

use super::{Assigned, BODY, CALL, CHECK, Contract, Header, Kind, Part, Stated, W, Weaver, Written, error, matching};
use crate::lex::Token;

impl Weaver<'_> {
    pub(super) fn function(
        &mut self,
        header: Header,
        written: Vec<Written>,
        body: Option<&[Token]>,
        span: Span,
    ) -> W<()> {
        let name = self.interner.text(header.tokens[header.name].text).to_string();
        let number = self.table.contracts.len();
        let span = if body.is_some() { header.tokens[header.name].span } else { span };
        self.table.contracts.push(Contract {
            function: name.clone(),
            span,
            has_body: body.is_some(),
            provided: Vec::new(),
            body: None,
            check: None,
        });
        // For CBMC a contract without the clause assigns nothing.
        if written.iter().any(|w| w.is_acsl) && !written.iter().any(|w| w.kind == Kind::Assigns) {
            let advice = "say what it may assign: assigns \\nothing; or a list of places";
            return error(span, format!("the contract of {name} has no assigns clause; {advice}"));
        }
        let mut olds = Vec::new();
        let (mut requires, mut ensures, mut assigns) = (Vec::new(), Vec::new(), Vec::new());
        for clause in &written {
            match clause.kind {
                Kind::Requires => self.parts(clause, &mut requires, None)?,
                Kind::Ensures => self.parts(clause, &mut ensures, Some(&mut olds))?,
                Kind::Assigns => self.assigned(clause, &mut assigns)?,
            }
        }
        for stated in &requires {
            if let Part::Valid { pointer, .. } = &stated.part
                && let [only] = &pointer[..]
            {
                let name = self.interner.text(only.text).to_string();
                self.table.contracts[number].provided.push(name);
            }
        }
        let prototype = self.renamed(&header, &name);
        self.out.extend(&prototype);
        self.add(";", span);
        if let Some(body) = body {
            let own = self.renamed(&header, &format!("{BODY}{name}"));
            self.out.extend(own);
            self.out.extend(body);
        }
        // What calls use. A body in another file comes before a contract without one.
        if body.is_none() {
            self.add("__attribute__((weak))", span);
        }
        self.out.extend(&prototype);
        self.add("{", span);
        self.add(&format!("{CALL}used_{number}();"), span);
        for stated in &requires {
            self.check(stated);
        }
        if body.is_some() {
            self.unless_separate(&requires, &header, &name, span);
        }
        self.remember(&olds);
        self.any_values(&assigns, number, span);
        if !header.is_void {
            self.result_type(&header, body.is_some(), &name, span);
            self.add(
                &format!("{CALL}value_{number}(void); __auto_type __craig_result = {CALL}value_{number}();"),
                span,
            );
        }
        for stated in &ensures {
            self.assume(stated);
        }
        self.add(if header.is_void { "}" } else { "return __craig_result; }" }, span);
        let Some(_) = body else { return Ok(()) };
        // The check of the body.
        let close = matching(&header.tokens, header.name + 1).unwrap_or(header.name + 1);
        self.add(&format!("static void {CHECK}{name}"), span);
        self.out.extend(&header.tokens[header.name + 1..=close]);
        self.add(&format!("{{ {CALL}enter_{number}();"), span);
        for stated in &requires {
            self.provide(stated);
        }
        self.remember(&olds);
        for place in &assigns {
            match place {
                Assigned::Place(place) => {
                    self.add(&format!("{CALL}assigns_{number}(("), span);
                    self.out.extend(place);
                    self.add("));", span);
                }
                Assigned::Range(array, from, to) => {
                    self.add(&format!("{CALL}assigns_{number}(("), span);
                    self.out.extend(array);
                    self.add(")[", span);
                    self.out.extend(from);
                    self.add("], (", span);
                    self.out.extend(array);
                    self.add(")[", span);
                    self.out.extend(to);
                    self.add("]);", span);
                }
            }
        }
        self.add(&format!("{CALL}begin_{number}();"), span);
        if !header.is_void {
            self.add("__auto_type __craig_result =", span);
        }
        self.call_body(&header, &name, span);
        self.add(&format!("; {CALL}end_{number}();"), span);
        for stated in &ensures {
            self.check(stated);
        }
        self.add("}", span);
        Ok(())
    }

    fn renamed(&mut self, header: &Header, name: &str) -> Vec<Token> {
        let mut tokens = header.tokens.clone();
        tokens[header.name].text = self.interner.intern(name);
        tokens
    }

    /// The type of the result, in front of a declarator.
    fn result_type(&mut self, header: &Header, has_body: bool, name: &str, span: Span) {
        self.add("__typeof__(", span);
        match has_body {
            true => self.call_body(header, name, span),
            false => {
                self.add(&format!("{name}("), span);
                self.arguments(header, span);
                self.add(")", span);
            }
        }
        self.add(")", span);
    }

    fn call_body(&mut self, header: &Header, name: &str, span: Span) {
        self.add(&format!("{BODY}{name}("), span);
        self.arguments(header, span);
        self.add(")", span);
    }

    fn arguments(&mut self, header: &Header, span: Span) {
        for (i, param) in header.params.iter().enumerate() {
            if i > 0 {
                self.add(",", span);
            }
            self.out.push(*param);
        }
    }

    fn remember(&mut self, olds: &[Vec<Token>]) {
        for (i, old) in olds.iter().enumerate() {
            let span = old.first().map_or(Span::NONE, |t| t.span);
            self.add(&format!("__auto_type __craig_old_{i} = ("), span);
            self.out.extend(old);
            self.add(");", span);
        }
    }

    /// A call that the contract does not cover, as pointers lead to one object: the body is run.
    fn unless_separate(&mut self, requires: &[Stated], header: &Header, name: &str, span: Span) {
        let mut objects: Vec<(&[Token], &[Token])> = Vec::new();
        for stated in requires {
            if let Part::Valid { pointer, count } = &stated.part {
                objects.push((pointer, count));
            }
        }
        if objects.is_empty() {
            return;
        }
        self.add("if (!(1", span);
        for (i, (p, n)) in objects.iter().enumerate() {
            self.add(&format!(" && {CALL}apart_{}(", self.table.contracts.len() - 1), span);
            self.sized(p, n, span);
            self.add(")", span);
            for (q, m) in &objects[..i] {
                self.add(" && __craig_separate(", span);
                self.sized(p, n, span);
                self.add(", ", span);
                self.sized(q, m, span);
                self.add(")", span);
            }
        }
        self.add(")) {", span);
        if !header.is_void {
            self.add("return ", span);
        }
        self.call_body(header, name, span);
        self.add(if header.is_void { "; return; }" } else { "; }" }, span);
    }

    /// A pointer and the size of what lies there.
    fn sized(&mut self, pointer: &[Token], count: &[Token], span: Span) {
        self.add("(", span);
        self.out.extend(pointer);
        self.add("), (", span);
        self.out.extend(count);
        self.add(") * (long long)sizeof(*(", span);
        self.out.extend(pointer);
        self.add("))", span);
    }

    /// Gives everything that may be assigned any values. Which places those are is settled before the first one
    /// changes.
    fn any_values(&mut self, assigns: &[Assigned], number: usize, span: Span) {
        for (i, place) in assigns.iter().enumerate() {
            match place {
                Assigned::Place(place) if place.len() == 1 => {}
                Assigned::Place(place) => {
                    self.add(&format!("__auto_type __craig_p{i} = &("), span);
                    self.out.extend(place);
                    self.add(");", span);
                }
                Assigned::Range(array, from, to) => {
                    self.add(&format!("__auto_type __craig_p{i} = ("), span);
                    self.out.extend(array);
                    self.add(&format!(") + 0; long long __craig_from{i} = ("), span);
                    self.out.extend(from);
                    self.add(&format!("), __craig_to{i} = ("), span);
                    self.out.extend(to);
                    self.add(");", span);
                }
            }
        }
        for (i, place) in assigns.iter().enumerate() {
            let value = format!("{CALL}value_{number}_{i}");
            let (head, place) = match place {
                Assigned::Place(place) if place.len() == 1 => (String::new(), place.clone()),
                Assigned::Place(_) => (String::new(), self.text(&format!("*__craig_p{i}"), span)),
                Assigned::Range(..) => (
                    format!("for (long long __craig_i = __craig_from{i}; __craig_i <= __craig_to{i}; __craig_i++)"),
                    self.text(&format!("__craig_p{i}[__craig_i]"), span),
                ),
            };
            self.add("{ __typeof__(", span);
            match &assigns[i] {
                Assigned::Range(..) => self.add(&format!("*__craig_p{i}"), span),
                Assigned::Place(_) => self.out.extend(&place),
            }
            self.add(&format!(") {value}(void); {head}"), span);
            self.out.extend(&place);
            self.add(&format!(" = {value}(); }}"), span);
        }
    }

    // ----- clauses -----

    fn check(&mut self, stated: &Stated) {
        let (span, number) = (stated.span, stated.number);
        self.add(&format!("{{ {CALL}check_{number}("), span);
        self.truth(&stated.part, span);
        self.add("); }", span);
    }

    /// The truth of a part; of a claim about all, that of one of anybody's choice.
    fn truth(&mut self, part: &Part, span: Span) {
        match part {
            Part::Plain(tokens) => {
                self.add("(", span);
                self.out.extend(tokens);
                self.add(")", span);
            }
            Part::Valid { pointer, count } => {
                self.add("__craig_valid(", span);
                self.sized(pointer, count, span);
                self.add(")", span);
            }
            Part::ForAll { variable, from, to, claim } => {
                self.add("({ long long ", span);
                self.out.push(*variable);
                self.add(" = __craig_any_index(); int __craig_holds = 1; if ((", span);
                self.out.extend(from);
                self.add(") <= ", span);
                self.out.push(*variable);
                self.add(" && ", span);
                self.out.push(*variable);
                self.add(" < (", span);
                self.out.extend(to);
                self.add(")) __craig_holds = !!(", span);
                self.out.extend(claim);
                self.add("); __craig_holds; })", span);
            }
        }
    }

    fn assume(&mut self, stated: &Stated) {
        let (span, number) = (stated.span, stated.number);
        match &stated.part {
            Part::ForAll { variable, from, to, claim } => {
                self.add("for (long long ", span);
                self.out.push(*variable);
                self.add(" = (", span);
                self.out.extend(from);
                self.add("); ", span);
                self.out.push(*variable);
                self.add(" < (", span);
                self.out.extend(to);
                self.add("); ", span);
                self.out.push(*variable);
                self.add(&format!("++) {CALL}assume_{number}("), span);
                self.out.extend(claim);
                self.add(");", span);
            }
            part => {
                self.add(&format!("{CALL}assume_{number}("), span);
                self.truth(part, span);
                self.add(");", span);
            }
        }
    }

    /// Makes what is required: objects behind pointers; the rest is assumed.
    fn provide(&mut self, stated: &Stated) {
        let Part::Valid { pointer, count } = &stated.part else { return self.assume(stated) };
        let span = stated.span;
        // Of nothing the pointer may be null. No object is larger than half of memory.
        self.add("{ long long __craig_n = (", span);
        self.out.extend(count);
        self.add(
            &format!("); {CALL}assume_{}(__craig_n <= (long long)(~(sizeof(char) - 1) >> 1) / ", stated.number),
            span,
        );
        self.add("(long long)sizeof(*(", span);
        self.out.extend(pointer);
        self.add("))); ", span);
        self.out.extend(pointer);
        self.add(
            " = __craig_n > 0 || __craig_any_index() ? __craig_object((__craig_n > 0 ? __craig_n : 0) * sizeof(*(",
            span,
        );
        self.out.extend(pointer);
        self.add("))) : (void *)0; }", span);
    }
}
