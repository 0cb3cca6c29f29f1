//! Statements, with recovery at their ends.

use super::{MAX_ERRORS, Parse, Parser, Reported};
use crate::ast::*;
use crate::lexer::Tok;

impl Parser<'_> {
    pub(super) fn body(&mut self) -> Parse<Body> {
        self.expect("{")?;
        let mut locals = Vec::new();
        while self.at_keyword("var") {
            let before = self.pos;
            match self.var_decl() {
                Ok(d) => locals.push(d),
                Err(Reported) => self.skip_to_stmt(before),
            }
        }
        let block = self.stmts();
        let end = self.span();
        self.expect("}")?;
        Ok(Body { locals, block, end: Loc(end) })
    }

    pub(super) fn block(&mut self) -> Parse<Block> {
        self.expect("{")?;
        let block = self.nested(|p| Ok(p.stmts()))?;
        self.expect("}")?;
        Ok(block)
    }

    /// Statements up to the closing brace, the end, or something that can only be a declaration.
    pub(super) fn stmts(&mut self) -> Block {
        let mut stmts = Vec::new();
        while !self.at("}") && self.tok() != Tok::Eof && !self.at_decl() && self.errors.len() < MAX_ERRORS {
            let before = self.pos;
            match self.stmt() {
                Ok(stmt) => stmts.push(stmt),
                Err(Reported) => self.skip_to_stmt(before),
            }
        }
        Block { stmts }
    }

    pub(super) fn skip_to_stmt(&mut self, before: usize) {
        if self.pos == before {
            self.bump();
        }
        let mut depth = 0usize;
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Symbol("}") if depth == 0 => return,
                Tok::Symbol("{") => depth += 1,
                Tok::Symbol("}") => depth -= 1,
                Tok::Symbol(";") if depth == 0 => {
                    self.bump();
                    return;
                }
                Tok::Keyword(
                    "assert" | "assume" | "havoc" | "call" | "while" | "goto" | "return" | "break" | "var",
                ) if depth == 0 => return,
                _ if self.at_decl() => return,
                _ => {}
            }
            self.bump();
        }
    }

    pub(super) fn stmt(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let kind = self.nested(Self::stmt_kind)?;
        Ok(Stmt { kind, span: self.since(start) })
    }

    pub(super) fn stmt_kind(&mut self) -> Parse<StmtKind> {
        match self.tok() {
            Tok::Keyword("assert") => {
                self.bump();
                let attrs = self.attributes()?;
                let expr = self.expr()?;
                self.expect(";")?;
                Ok(StmtKind::Assert { attrs, expr })
            }
            Tok::Keyword("assume") => {
                self.bump();
                let attrs = self.attributes()?;
                let expr = self.expr()?;
                self.expect(";")?;
                Ok(StmtKind::Assume { attrs, expr })
            }
            Tok::Keyword("havoc") => {
                self.bump();
                self.attributes()?;
                let names = self.idents("a variable")?;
                self.expect(";")?;
                Ok(StmtKind::Havoc(names))
            }
            Tok::Keyword("call" | "free") => self.call(),
            Tok::Keyword("if") => self.if_statement(),
            Tok::Keyword("while") => self.while_statement(),
            Tok::Keyword("goto") => {
                self.bump();
                self.attributes()?;
                let labels = self.idents("a label")?;
                self.expect(";")?;
                Ok(StmtKind::Goto(labels))
            }
            Tok::Keyword("break") => {
                self.bump();
                self.attributes()?;
                let label = if self.at(";") { None } else { Some(self.ident("a label or `;`")?) };
                self.expect(";")?;
                Ok(StmtKind::Break(label))
            }
            Tok::Keyword("return") => {
                self.bump();
                self.attributes()?;
                self.expect(";")?;
                Ok(StmtKind::Return)
            }
            Tok::Ident => self.ident_statement(),
            _ => self.expected("a statement"),
        }
    }

    pub(super) fn ident_statement(&mut self) -> Parse<StmtKind> {
        let next = self.peek(1).tok;
        if next == Tok::Symbol(":") {
            let label = self.ident("a label")?;
            self.bump();
            return Ok(StmtKind::Label(label));
        }
        let is_target = matches!(next, Tok::Symbol(":=" | "[" | "," | "!" | "->"));
        if !is_target {
            match self.text_of(self.span()) {
                word @ ("hide" | "reveal" | "push" | "pop") if next != Tok::Symbol("(") => {
                    let mut advice = word.to_string();
                    self.bump();
                    if !self.at(";") {
                        let what = self.span();
                        if !self.eat("*") {
                            self.ident("the name of a function or `*`")?;
                        }
                        advice = format!("{advice} {}", self.text_of(what));
                    }
                    self.expect(";")?;
                    return Ok(StmtKind::Advice(advice));
                }
                word @ ("yield" | "par" | "async") if next != Tok::Symbol("(") => return Err(self.civl(word)),
                _ if next == Tok::Symbol("(") && !matches!(self.text_of(self.span()), "fork" | "join") => {
                    let constructor = self.ident("the name of a constructor")?;
                    self.bump();
                    let vars = if self.at(")") { Vec::new() } else { self.idents("a variable")? };
                    self.expect(")")?;
                    self.expect(":=")?;
                    self.attributes()?;
                    let value = self.expr()?;
                    self.expect(";")?;
                    return Ok(StmtKind::Unpack { constructor, vars, value });
                }
                "atomic" => {
                    self.bump();
                    return Ok(StmtKind::Atomic(self.block()?));
                }
                "fork" => return self.fork(),
                "join" => return self.join(),
                _ => {}
            }
        }
        let mut lhs = vec![self.lhs()?];
        while self.eat(",") {
            lhs.push(self.lhs()?);
        }
        self.expect(":=")?;
        self.attributes()?;
        let rhs = self.exprs()?;
        self.expect(";")?;
        Ok(StmtKind::Assign { lhs, rhs })
    }

    pub(super) fn lhs(&mut self) -> Parse<Lhs> {
        let start = self.span();
        let base = self.ident("a variable")?;
        let mut path = Vec::new();
        loop {
            if self.eat("[") {
                let index = if self.at("]") { Vec::new() } else { self.exprs()? };
                self.expect("]")?;
                path.push(Access::Index(index));
            } else if self.eat("!") {
                path.push(Access::Field(self.ident("the name of a field")?));
            } else if self.eat("->") {
                path.push(Access::Member(self.ident("the name of a field")?));
            } else {
                return Ok(Lhs { base, path, span: self.since(start) });
            }
        }
    }

    pub(super) fn fork(&mut self) -> Parse<StmtKind> {
        self.bump();
        let id = self.exprs()?;
        let callee = self.ident("the name of a procedure")?;
        let args = self.args()?;
        self.expect(";")?;
        Ok(StmtKind::Fork { id, callee, args })
    }

    pub(super) fn join(&mut self) -> Parse<StmtKind> {
        self.bump();
        let id = self.exprs()?;
        let lhs = if self.eat_word("assign") { self.idents("a variable")? } else { Vec::new() };
        self.expect(";")?;
        Ok(StmtKind::Join { id, lhs })
    }

    pub(super) fn args(&mut self) -> Parse<Vec<Expr>> {
        self.expect("(")?;
        let args = if self.at(")") { Vec::new() } else { self.exprs()? };
        self.expect(")")?;
        Ok(args)
    }

    pub(super) fn call(&mut self) -> Parse<StmtKind> {
        let free = self.eat_keyword("free");
        if !self.eat_keyword("call") {
            return self.expected("`call`");
        }
        let attrs = self.attributes()?;
        if self.eat_keyword("forall") {
            let callee = self.ident("the name of a procedure")?;
            self.expect("(")?;
            let mut args = Vec::new();
            while !self.at(")") {
                args.push(if self.eat("*") { None } else { Some(self.expr()?) });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
            self.expect(";")?;
            return Ok(StmtKind::CallForall { attrs, callee, args });
        }
        let mut names = self.idents("a variable or the name of a procedure")?;
        let (lhs, callee) = if self.eat(":=") {
            (names, self.ident("the name of a procedure")?)
        } else if names.len() == 1 {
            let callee = names.remove(0);
            (Vec::new(), callee)
        } else {
            return self.expected("`:=`");
        };
        let args = self.args()?;
        if self.at("|") {
            return Err(self.civl("|"));
        }
        self.expect(";")?;
        Ok(StmtKind::Call { attrs, free, lhs, callee, args })
    }

    pub(super) fn guard(&mut self) -> Parse<Guard> {
        self.expect("(")?;
        let guard = if self.at("*") && self.peek(1).tok == Tok::Symbol(")") {
            self.bump();
            Guard::Any
        } else {
            Guard::Expr(self.expr()?)
        };
        self.expect(")")?;
        Ok(guard)
    }

    pub(super) fn if_statement(&mut self) -> Parse<StmtKind> {
        let mut branches = Vec::new();
        loop {
            self.bump();
            self.attributes()?;
            let guard = self.guard()?;
            branches.push((guard, self.block()?));
            if !self.eat_keyword("else") {
                return Ok(StmtKind::If { branches, otherwise: None });
            }
            if !self.at_keyword("if") {
                let otherwise = Some(self.block()?);
                return Ok(StmtKind::If { branches, otherwise });
            }
        }
    }

    pub(super) fn while_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.attributes()?;
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        while self.at_keyword("invariant") || self.at_keyword("free") || self.at_measure() {
            if self.at_measure() {
                self.measure()?;
                continue;
            }
            let start = self.span();
            let free = self.eat_keyword("free");
            if !self.eat_keyword("invariant") {
                return self.expected("`invariant`");
            }
            invariants.push(self.condition(free, start)?);
            self.expect(";")?;
        }
        let body = self.block()?;
        Ok(StmtKind::While { guard, invariants, body })
    }
}
