//! Types.

use super::{MAX_BV_WIDTH, Parse, Parser, bit_vector_width, float_format, is_type_word};
use crate::ast::*;
use crate::lexer::Tok;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parse<Type> {
        self.nested(|p| {
            let start = p.span();
            if p.tok() == Tok::Ident && !is_type_word(p.text_of(start)) {
                let name = p.ident("a type")?;
                let mut args = Vec::new();
                while p.at_type_atom() {
                    args.push(p.type_atom()?);
                }
                return Ok(Type { kind: TypeKind::Named { name, args }, span: p.since(start) });
            }
            p.type_atom()
        })
    }

    pub(super) fn at_type_atom(&self) -> bool {
        match self.tok() {
            Tok::Keyword("int" | "real" | "bool") | Tok::Symbol("(" | "[" | "<") => true,
            // `complete` and `using` end the type of a constant.
            Tok::Ident => !self.at_word("complete") && !self.at_word("using"),
            _ => false,
        }
    }

    /// A type that needs no parentheses as an argument.
    pub(super) fn type_atom(&mut self) -> Parse<Type> {
        self.nested(Self::type_atom_inner)
    }

    pub(super) fn type_atom_inner(&mut self) -> Parse<Type> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Keyword("int") => {
                self.bump();
                TypeKind::Int
            }
            Tok::Keyword("real") => {
                self.bump();
                TypeKind::Real
            }
            Tok::Keyword("bool") => {
                self.bump();
                TypeKind::Bool
            }
            Tok::Ident if float_format(self.text_of(start)).is_some() => {
                let (significand, exponent) = float_format(self.text_of(start)).unwrap_or_default();
                self.bump();
                TypeKind::Float { significand, exponent }
            }
            Tok::Ident => match bit_vector_width(self.text_of(start)) {
                Some(width) => {
                    self.bump();
                    if width > MAX_BV_WIDTH {
                        return Err(
                            self.error(start, format!("bit vectors wider than {MAX_BV_WIDTH} are not supported"))
                        );
                    }
                    TypeKind::BitVec(width)
                }
                None => TypeKind::Named { name: self.ident("a type")?, args: Vec::new() },
            },
            Tok::Symbol("(") => {
                self.bump();
                let inner = self.ty()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Tok::Symbol("{") => {
                self.bump();
                let mut fields = Vec::new();
                while !self.at("}") {
                    let names = self.idents("the name of a field")?;
                    self.expect(":")?;
                    let ty = self.ty()?;
                    fields.extend(names.into_iter().map(|name| (name, ty.clone())));
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}")?;
                TypeKind::Struct(fields)
            }
            Tok::Symbol("[" | "<") => {
                let type_params = self.type_params()?;
                self.expect("[")?;
                let mut domain = Vec::new();
                if !self.at("]") {
                    domain.push(self.ty()?);
                    while self.eat(",") {
                        domain.push(self.ty()?);
                    }
                }
                self.expect("]")?;
                let range = Box::new(self.ty()?);
                TypeKind::Map { type_params, domain, range }
            }
            _ => return self.expected("a type"),
        };
        Ok(Type { kind, span: self.since(start) })
    }
}
