//! Expressions to terms. Every expression becomes a row of terms (see the parent module).

use super::floats::rounding_number;
use super::{Definition, FunctionMeaning, Lower, Lowerer, MAX_INSTANCES, Reported};
use crate::ast::{BinaryOp, Binder, UnaryOp};
use crate::typed::{Expr, ExprKind, FuncId, Function, Member, VarId, VarKind};
use crate::types::{Ty, TyId};
use logic::ieee::Format;
use logic::{BigInt, Op, Rational, SortId, TermId};

/// Variables and what they meant before.
type Saved = Vec<(VarId, Option<Vec<TermId>>)>;

impl Lowerer<'_> {
    /// A Boolean expression.
    pub(super) fn formula(&mut self, e: &Expr) -> Lower<TermId> {
        self.single(e)
    }

    /// An expression whose type is no struct.
    fn single(&mut self, e: &Expr) -> Lower<TermId> {
        match self.expr(e)?.as_slice() {
            [term] => Ok(*term),
            _ => Err(self.unsupported(e.span, "a struct here")),
        }
    }

    pub(super) fn row_eq(&mut self, a: &[TermId], b: &[TermId]) -> TermId {
        let parts: Vec<TermId> = a.iter().zip(b).map(|(&x, &y)| self.pool.eq(x, y)).collect();
        self.pool.and(&parts)
    }

    /// The rows of several expressions, joined.
    pub(super) fn exprs(&mut self, exprs: &[Expr]) -> Lower<Vec<TermId>> {
        let mut out = Vec::new();
        for e in exprs {
            out.extend(self.expr(e)?);
        }
        Ok(out)
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Lower<Vec<TermId>> {
        Ok(match &e.kind {
            ExprKind::Bool(b) => vec![self.pool.bool(*b)],
            ExprKind::Int(digits) => {
                let n = digits.parse::<Rational>().unwrap_or_else(|_| Rational::from(0i64));
                vec![self.pool.int_num(n)]
            }
            ExprKind::Real(text) => {
                let n = real_literal(text);
                vec![self.pool.real_num(n)]
            }
            ExprKind::Float(text) => match self.float_format(e.ty) {
                Some(format) => vec![self.float_literal(text, format)],
                None => return Err(self.unsupported(e.span, "this floating-point number")),
            },
            ExprKind::Rounding(mode) => vec![self.pool.int(rounding_number(*mode))],
            ExprKind::BitVec(_) if matches!(self.symbols.typed.types.view(e.ty), Ty::BitVec(0)) => Vec::new(),
            ExprKind::BitVec(digits) => {
                let width = self.bv_width(e);
                let n = digits.parse::<Rational>().unwrap_or_else(|_| Rational::from(0i64));
                let n = n.rem_euclid(&Rational::pow2(width)).to_bigint().unwrap_or(BigInt::ZERO);
                vec![self.pool.bv_num(n, width)]
            }
            ExprKind::Var(var) => self.var(*var, e)?,
            ExprKind::Apply { callee, type_args, args } => self.apply(*callee, type_args, args, e)?,
            ExprKind::Old(inner) => {
                let before = std::mem::replace(&mut self.in_old, true);
                let out = self.expr(inner);
                self.in_old = before;
                out?
            }
            ExprKind::Unary(op, operand) => {
                let t = self.single(operand)?;
                vec![match (op, self.float_format(operand.ty)) {
                    (UnaryOp::Not, _) => self.pool.not(t),
                    (UnaryOp::Neg, None) => self.pool.neg(t),
                    (UnaryOp::Neg, Some(format)) => self.float_negation(t, format),
                }]
            }
            ExprKind::Binary(BinaryOp::Concat, operands) => {
                let terms = self.exprs(operands)?;
                terms.into_iter().reduce(|a, b| self.pool.bv(Op::BvConcat, &[a, b])).into_iter().collect()
            }
            ExprKind::Binary(op, operands) => vec![self.binary(*op, operands, e)?],
            ExprKind::IfThenElse(parts) => {
                let [condition, yes, no] = &**parts;
                let c = self.single(condition)?;
                let (yes, no) = (self.expr(yes)?, self.expr(no)?);
                yes.into_iter().zip(no).map(|(a, b)| self.pool.ite(c, a, b)).collect()
            }
            ExprKind::Select { map, type_args, index } => {
                let row = self.expr(map)?;
                let (_, maps) = self.map_part(map, &row, type_args)?;
                let index = self.exprs(index)?;
                let elements = maps.into_iter().map(|m| index.iter().fold(m, |m, &i| self.pool.select(m, i))).collect();
                self.normalise(e.ty, elements)
            }
            ExprKind::Store { map, type_args, index, value } => {
                let mut row = self.expr(map)?;
                let (start, maps) = self.map_part(map, &row, type_args)?;
                let index = self.exprs(index)?;
                let value = self.expr(value)?;
                let stored: Vec<TermId> =
                    maps.into_iter().zip(value).map(|(m, v)| self.nested_store(m, &index, v)).collect();
                if let Some(part) = row.get_mut(start..start + stored.len()) {
                    part.copy_from_slice(&stored);
                }
                row
            }
            ExprKind::Member { base, places } => {
                let row = self.expr(base)?;
                let layout = self.layout(base.ty, base.span)?;
                let mut result: Option<Vec<TermId>> = None;
                for &place in places.iter().rev() {
                    let part = self.field_of(&layout, place, &row);
                    result = Some(match result {
                        None => part,
                        Some(others) => {
                            let here = self.is_made_by(&layout, place.0, &row);
                            part.into_iter().zip(others).map(|(a, b)| self.pool.ite(here, a, b)).collect()
                        }
                    });
                }
                result.ok_or_else(|| self.unsupported(e.span, "this field"))?
            }
            ExprKind::WithMember { base, places, value } => {
                let row = self.expr(base)?;
                let value = self.expr(value)?;
                let layout = self.layout(base.ty, base.span)?;
                self.with_field(&layout, places, &row, &value)
            }
            ExprKind::Is(base, constructor) => {
                let row = self.expr(base)?;
                let layout = self.layout(base.ty, base.span)?;
                vec![self.is_made_by(&layout, *constructor, &row)]
            }
            ExprKind::Let { vars, values, body } => {
                let mut saved = Vec::new();
                let mut rows = Vec::new();
                for value in values {
                    rows.push(self.expr(value)?);
                }
                for (&var, row) in vars.iter().zip(rows) {
                    saved.push((var, self.symbols.env.insert(var, row)));
                }
                let out = self.expr(body);
                self.unbind(saved);
                out?
            }
            ExprKind::Extract { high, low, .. } if high == low => Vec::new(),
            ExprKind::Extract { operand, high, low } => {
                let t = self.single(operand)?;
                vec![self.pool.bv(Op::BvExtract(high - 1, *low), &[t])]
            }
            ExprKind::Quantifier { .. } => self.quantifier(e)?,
            ExprKind::ToInt(inner) => {
                let t = self.single(inner)?;
                vec![self.pool.to_int(t)]
            }
            ExprKind::ToReal(inner) => {
                let t = self.single(inner)?;
                vec![self.pool.to_real(t)]
            }
            ExprKind::Struct(values) => self.exprs(values)?,
            ExprKind::Field(inner, field) => {
                let (start, end) = self.field_range(inner, *field)?;
                self.expr(inner)?[start..end].to_vec()
            }
            ExprKind::WithField { base, field, value } => {
                let (start, end) = self.field_range(base, *field)?;
                let mut row = self.expr(base)?;
                let value = self.expr(value)?;
                row[start..end].copy_from_slice(&value);
                row
            }
            ExprKind::Error => return Err(self.unsupported(e.span, "this expression")),
        })
    }

    fn bv_width(&mut self, e: &Expr) -> u32 {
        match self.symbols.typed.types.view(e.ty) {
            Ty::BitVec(width) => (*width).max(1),
            _ => 1,
        }
    }

    /// Where a field lies in the row of its struct.
    fn field_range(&mut self, base: &Expr, field: usize) -> Lower<(usize, usize)> {
        let ty = self.ty(base.ty);
        let Ty::Struct(fields) = self.symbols.typed.types.view(ty).clone() else {
            return Err(self.unsupported(base.span, "a field of something that is not a struct"));
        };
        let mut start = 0;
        for (_, ty) in fields.iter().take(field) {
            start += self.row(*ty, base.span)?.len();
        }
        let end = start + self.row(fields[field].1, base.span)?.len();
        Ok((start, end))
    }

    fn nested_store(&mut self, map: TermId, index: &[TermId], value: TermId) -> TermId {
        // Down to the innermost array, then up again.
        let mut arrays = vec![map];
        for &i in index {
            let inner = self.pool.select(arrays[arrays.len() - 1], i);
            arrays.push(inner);
        }
        index.iter().enumerate().rev().fold(value, |v, (depth, &i)| self.pool.store(arrays[depth], i, v))
    }

    fn var(&mut self, var: VarId, e: &Expr) -> Lower<Vec<TermId>> {
        // Where nothing else runs, what a procedure cannot change is what it was.
        let stable = !self.has_threads && self.changing.binary_search(&var).is_err();
        if self.in_old && self.symbols.typed.vars[var].kind == VarKind::Global && !stable {
            let globals = self.symbols.ir_vars[&var].clone();
            return Ok(globals
                .into_iter()
                .map(|g| {
                    let old = self.out.old_var(self.pool, g);
                    self.out.term(old)
                })
                .collect());
        }
        match self.symbols.env.get(&var) {
            Some(terms) => Ok(terms.clone()),
            // Its declaration was refused.
            None if !self.errors.is_empty() => Err(Reported),
            None => Err(self.unsupported(e.span, "a variable that is not in scope here")),
        }
    }

    fn binary(&mut self, op: BinaryOp, operands: &[Expr], e: &Expr) -> Lower<TermId> {
        if let (BinaryOp::Eq | BinaryOp::Ne, [a, b]) = (op, operands) {
            let (x, y) = (self.ty(a.ty), self.ty(b.ty));
            if self.compares_types(x, y) {
                return Ok(self.pool.bool(op == BinaryOp::Ne));
            }
        }
        let float = operands.first().and_then(|o| self.float_format(o.ty));
        if let Some(format) = float {
            return self.float_binary(op, operands, format, e);
        }
        if let (BinaryOp::Below, [a, b]) = (op, operands) {
            let order = self.order(a.ty, e.span)?;
            let args = [self.expr(a)?, self.expr(b)?].concat();
            return Ok(self.pool.app(order, &args));
        }
        if let (BinaryOp::Pow, [bases @ .., last]) = (op, operands) {
            // From the right.
            let mut exponent = self.single(last)?;
            for base in bases.iter().rev() {
                let base = self.single(base)?;
                exponent = self.power(base, exponent);
            }
            return Ok(exponent);
        }
        if let (BinaryOp::Eq | BinaryOp::Ne, [a, b]) = (op, operands) {
            if self.has_ambiguous_maps(a.ty) {
                let what = "equality of maps of datatypes or floating-point numbers";
                self.approximation.get_or_insert(what.to_string());
            }
            let (a, b) = (self.expr(a)?, self.expr(b)?);
            let equal = self.row_eq(&a, &b);
            return Ok(if op == BinaryOp::Eq { equal } else { self.pool.not(equal) });
        }
        let is_int = operands.first().is_some_and(|o| matches!(self.symbols.typed.types.view(o.ty), Ty::Int));
        let terms: Vec<TermId> = operands.iter().map(|o| self.single(o)).collect::<Lower<_>>()?;
        let pool = &mut *self.pool;
        let left = |terms: &[TermId], f: &mut dyn FnMut(TermId, TermId) -> TermId| {
            terms.iter().copied().reduce(f).unwrap_or(TermId::TRUE)
        };
        Ok(match op {
            BinaryOp::And => pool.and(&terms),
            BinaryOp::Or => pool.or(&terms),
            BinaryOp::Iff => left(&terms, &mut |a, b| pool.eq(a, b)),
            BinaryOp::Explies => left(&terms, &mut |a, b| pool.implies(b, a)),
            BinaryOp::Implies => {
                terms.iter().copied().rev().reduce(|acc, t| pool.implies(t, acc)).unwrap_or(TermId::TRUE)
            }
            BinaryOp::Lt => left(&terms, &mut |a, b| pool.lt(a, b)),
            BinaryOp::Le => left(&terms, &mut |a, b| pool.le(a, b)),
            BinaryOp::Gt => left(&terms, &mut |a, b| pool.gt(a, b)),
            BinaryOp::Ge => left(&terms, &mut |a, b| pool.ge(a, b)),
            BinaryOp::Add => pool.add(&terms),
            BinaryOp::Mul => pool.mul(&terms),
            BinaryOp::Sub => left(&terms, &mut |a, b| pool.sub(a, b)),
            BinaryOp::Divide if is_int => left(&terms, &mut |a, b| pool.int_div(a, b)),
            BinaryOp::Divide => left(&terms, &mut |a, b| pool.real_div(a, b)),
            BinaryOp::Div => left(&terms, &mut |a, b| pool.int_div(a, b)),
            BinaryOp::Mod => left(&terms, &mut |a, b| pool.modulo(a, b)),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Below | BinaryOp::Pow | BinaryOp::Concat => {
                return Err(self.unsupported(e.span, &format!("the operator `{}`", op.spelling())));
            }
        })
    }

    /// An operator on floating-point numbers, from the left.
    fn float_binary(&mut self, op: BinaryOp, operands: &[Expr], format: Format, e: &Expr) -> Lower<TermId> {
        let terms: Vec<TermId> = operands.iter().map(|o| self.single(o)).collect::<Lower<_>>()?;
        let mut terms = terms.into_iter();
        let mut result = terms.next().ok_or(Reported)?;
        for right in terms {
            result = match self.float_operator(op, result, right, format) {
                Some(term) => term,
                None => {
                    let what = format!("`{}` on {}", op.spelling(), crate::check::show_type(&self.symbols.typed, e.ty));
                    self.approximation.get_or_insert(what);
                    let (from, to) = (self.pool.sort(result), self.row(e.ty, e.span)?[0]);
                    let pair = self.pool.bv(Op::BvConcat, &[result, right]);
                    let wide = self.pool.sort(pair);
                    debug_assert_ne!(from, wide);
                    let symbol = self.unspecified(op.spelling(), wide, to);
                    let applied = self.pool.app(symbol, &[pair]);
                    self.normalise(e.ty, vec![applied])[0]
                }
            };
        }
        Ok(result)
    }

    /// The format of a floating-point type.
    pub(super) fn float_format(&mut self, ty: TyId) -> Option<Format> {
        let ty = self.ty(ty);
        match self.symbols.typed.types.view(ty) {
            Ty::Float(significand, exponent) => Some(Format { exponent: *exponent, fraction: significand - 1 }),
            _ => None,
        }
    }

    /// A real to the power of a real: a product if the exponent is a small number, else an unknown function.
    fn power(&mut self, base: TermId, exponent: TermId) -> TermId {
        const MOST: i64 = 16;
        let number = self.pool.number(exponent).and_then(Rational::to_i64);
        match number.filter(|n| (1..=MOST).contains(n)) {
            Some(n) => self.pool.mul(&vec![base; n as usize]),
            None => {
                self.approximation.get_or_insert("the operator `**`".to_string());
                let key = ("**", SortId::REAL, SortId::REAL);
                let symbol = match self.symbols.unspecified.get(&key) {
                    Some(&symbol) => symbol,
                    None => {
                        let symbol = self.pool.fresh_fun("**", &[SortId::REAL, SortId::REAL], SortId::REAL);
                        self.symbols.unspecified.insert(key, symbol);
                        symbol
                    }
                };
                self.pool.app(symbol, &[base, exponent])
            }
        }
    }

    fn quantifier(&mut self, e: &Expr) -> Lower<Vec<TermId>> {
        let ExprKind::Quantifier { binder, type_params, vars, triggers, body } = &e.kind else {
            return Err(self.unsupported(e.span, "this quantifier"));
        };
        let open: Vec<_> =
            type_params.iter().copied().filter(|p| !self.type_args.iter().any(|(q, _)| q == p)).collect();
        if !open.is_empty() {
            return self.type_quantifier(e, *binder, &open);
        }
        let (bound, saved) = self.bind(vars)?;
        let bodies = self.expr(body);
        let mut typings = Vec::new();
        for &var in vars {
            typings.extend(self.typing(var));
        }
        let mut patterns = Vec::new();
        for trigger in triggers {
            let terms = self.exprs(trigger);
            patterns.extend(terms.ok().filter(|terms| self.is_pattern(terms, &bound)));
        }
        self.unbind(saved);
        let bodies = bodies?;
        let typing = self.pool.and(&typings);
        if bound.is_empty() && *binder != Binder::Lambda {
            return Ok(bodies);
        }
        Ok(match binder {
            Binder::Forall => bodies
                .into_iter()
                .map(|body| {
                    let body = self.pool.implies(typing, body);
                    self.pool.forall(&bound, patterns.clone(), body)
                })
                .collect(),
            Binder::Exists => bodies
                .into_iter()
                .map(|body| {
                    let body = self.pool.and2(typing, body);
                    self.pool.exists(&bound, body)
                })
                .collect(),
            Binder::Lambda => {
                let row = self.row(e.ty, e.span)?;
                bodies.into_iter().zip(row).map(|(body, sort)| self.lambda(&bound, body, sort)).collect()
            }
        })
    }

    /// The constants in a term, and the variables of quantifiers and functions around it.
    fn open_constants(&self, t: TermId) -> Vec<TermId> {
        let mut constants = Vec::new();
        let mut bound_inside = Vec::new();
        self.pool.visit_postorder(&[t], |t| match self.pool.op(t) {
            Op::App(_) if self.pool.args(t).is_empty() => constants.push(t),
            Op::Forall(q) | Op::Exists(q) => bound_inside.extend_from_slice(&self.pool.quantifier(q).vars),
            _ => {}
        });
        constants.retain(|t| !bound_inside.contains(t));
        constants.sort_unstable();
        constants
    }

    /// Whether terms can guide instantiation: applications that together mention every bound variable. (The
    /// user's trigger may have been expanded to something else.)
    fn is_pattern(&self, terms: &[TermId], bound: &[TermId]) -> bool {
        let is_application =
            |&t: &TermId| !self.pool.args(t).is_empty() && matches!(self.pool.op(t), Op::App(_) | Op::Select);
        let mentioned: Vec<TermId> = terms.iter().flat_map(|&t| self.open_constants(t)).collect();
        terms.iter().all(is_application) && bound.iter().all(|v| mentioned.contains(v))
    }

    /// `(lambda bound :: body)`: a function of what else occurs in the body, with an axiom that says
    /// what its elements are.
    pub(super) fn lambda(&mut self, bound: &[TermId], body: TermId, sort: SortId) -> TermId {
        if bound.is_empty() {
            return body;
        }
        let free: Vec<TermId> = self.open_constants(body).into_iter().filter(|t| !bound.contains(t)).collect();
        let sorts: Vec<SortId> = free.iter().map(|&t| self.pool.sort(t)).collect();
        let symbol = self.pool.fresh_fun("lambda", &sorts, sort);
        let copies: Vec<TermId> = sorts.iter().map(|&s| self.pool.fresh_bound("x", s)).collect();
        let pairs: Vec<(TermId, TermId)> = free.iter().copied().zip(copies.iter().copied()).collect();
        let general = self.pool.substitute(body, &pairs);
        let map = self.pool.app(symbol, &copies);
        let element = bound.iter().fold(map, |m, &i| self.pool.select(m, i));
        let equation = self.pool.eq(element, general);
        let vars: Vec<TermId> = copies.iter().chain(bound).copied().collect();
        let axiom = self.pool.forall(&vars, vec![vec![element]], equation);
        self.out.axioms.push(axiom);
        self.pool.app(symbol, &free)
    }

    // ---- functions ----------------------------------------------------------------------------

    /// A function that comes with a datatype; `arg_ty` is the type of its argument, if there is one.
    fn apply_member(&mut self, member: Member, args: &[TermId], arg_ty: Option<TyId>, e: &Expr) -> Lower<Vec<TermId>> {
        if let Member::Constructor(index) = member {
            let layout = self.layout(e.ty, e.span)?;
            return Ok(self.construct(&layout, index, args));
        }
        let Some(ty) = arg_ty else { return Err(self.unsupported(e.span, "this function")) };
        let layout = self.layout(ty, e.span)?;
        Ok(match member {
            Member::Selector(index, field) => self.field_of(&layout, (index, field), args),
            Member::Tester(index) | Member::Constructor(index) => vec![self.is_made_by(&layout, index, args)],
        })
    }

    fn apply(&mut self, callee: FuncId, type_args: &[TyId], args: &[Expr], e: &Expr) -> Lower<Vec<TermId>> {
        let formats: Vec<Option<Format>> = args.iter().map(|a| self.float_format(a.ty)).collect();
        let arg_ty = args.first().map(|a| a.ty);
        let args = self.exprs(args)?;
        let type_args: Vec<TyId> = type_args.iter().map(|&t| self.ty(t)).collect();
        let function = &self.symbols.typed.functions[callee];
        if let Some(member) = function.member {
            return self.apply_member(member, &args, arg_ty, e);
        }
        if let Some(builtin) = function.builtin.clone() {
            let sorts = self.row(e.ty, e.span)?;
            let to = self.float_format(e.ty);
            let of_floats = if sorts.len() == 1 && formats.len() == args.len() {
                self.float_builtin(&builtin, &args, &formats, to, sorts[0])
            } else {
                None
            };
            let of_floats = of_floats.filter(|&t| self.pool.sort(t) == sorts[0]);
            match of_floats.or_else(|| self.builtin(&builtin, &args, &sorts)) {
                Some(term) => return Ok(vec![term]),
                None => {
                    let what = format!("the builtin `{}`", builtin.name);
                    self.approximation.get_or_insert(what);
                    if builtin.name.starts_with("mix-Array-")
                        && let Some(mix) = self.mix(callee, &args, &sorts)
                    {
                        return Ok(vec![mix]);
                    }
                }
            }
        } else if let Some(tag) = function.overapproximation.clone() {
            self.approximation.get_or_insert(tag);
        }
        let definition = self.definition(callee, type_args, e)?;
        if let Some(what) = definition.approximation {
            self.approximation.get_or_insert(what);
        }
        Ok(match definition.meaning {
            FunctionMeaning::Symbols(symbols) => {
                let results = symbols.iter().map(|&f| self.pool.app(f, &args)).collect();
                self.normalise(e.ty, results)
            }
            FunctionMeaning::Body { params, body } => {
                let pairs: Vec<(TermId, TermId)> = params.into_iter().zip(args).collect();
                body.into_iter()
                    .map(|t| {
                        // Arguments may hold a copy of the same quantifier.
                        let t = if self.pool.has_quantifier(t) { self.pool.freshen_binders(t) } else { t };
                        self.pool.substitute(t, &pairs)
                    })
                    .collect()
            }
        })
    }

    /// Ultimate's mix of two arrays: each element is that of one or of the other. Which one is not
    /// modelled, so that a counterexample proves nothing, but proofs can use it.
    fn mix(&mut self, id: FuncId, args: &[TermId], results: &[SortId]) -> Option<TermId> {
        let (&[a, b, choice], &[sort]) = (args, results) else { return None };
        let (index, _) = self.pool.array_parts(sort)?;
        if self.pool.sort(a) != sort || self.pool.sort(b) != sort {
            return None;
        }
        let key = (id, Vec::new());
        let symbol = match self.symbols.functions.get(&key).map(|d| &d.meaning) {
            Some(FunctionMeaning::Symbols(symbols)) => *symbols.first()?,
            Some(FunctionMeaning::Body { .. }) => return None,
            None => {
                let choice_sort = self.pool.sort(choice);
                let symbol = self.pool.fresh_fun("mix", &[sort, sort, choice_sort], sort);
                let meaning = FunctionMeaning::Symbols(vec![symbol]);
                self.symbols.functions.insert(key, Definition { meaning, approximation: None });
                let (x, y) = (self.pool.fresh_bound("a", sort), self.pool.fresh_bound("b", sort));
                let (c, i) = (self.pool.fresh_bound("choice", choice_sort), self.pool.fresh_bound("i", index));
                let mixed = self.pool.app(symbol, &[x, y, c]);
                let [mixed_i, x_i, y_i] = [mixed, x, y].map(|m| self.pool.select(m, i));
                let (first, second) = (self.pool.eq(mixed_i, x_i), self.pool.eq(mixed_i, y_i));
                let either = self.pool.or2(first, second);
                let axiom = self.pool.forall(&[x, y, c, i], vec![vec![mixed_i]], either);
                self.out.axioms.push(axiom);
                symbol
            }
        };
        Some(self.pool.app(symbol, args))
    }

    fn definition(&mut self, id: FuncId, type_args: Vec<TyId>, e: &Expr) -> Lower<Definition> {
        if let Some(definition) = self.symbols.functions.get(&(id, type_args.clone())) {
            return Ok(definition.clone());
        }
        let too_deep = type_args.iter().any(|&t| self.symbols.typed.types.depth(t) > self.max_depth);
        if too_deep || self.symbols.functions.len() > MAX_INSTANCES + self.symbols.typed.functions.len() {
            return Err(self.unsupported(e.span, "polymorphic recursion (functions at ever larger types)"));
        }
        for &ty in &type_args {
            if !self.instance_types.contains(&ty) {
                self.instance_types.push(ty);
            }
        }
        let function = self.symbols.typed.functions[id].clone();
        let instance = function.type_params.iter().copied().zip(type_args.iter().copied()).collect();
        let saved_args = std::mem::replace(&mut self.type_args, instance);
        let saved_old = std::mem::replace(&mut self.in_old, false);
        let saved_approximation = self.approximation.take();
        let meaning = self.meaning(id, &type_args, &function);
        self.type_args = saved_args;
        self.in_old = saved_old;
        let approximation = std::mem::replace(&mut self.approximation, saved_approximation);
        let definition = Definition { meaning: meaning?, approximation };
        self.symbols.functions.insert((id, type_args), definition.clone());
        Ok(definition)
    }

    fn meaning(&mut self, id: FuncId, type_args: &[TyId], function: &Function) -> Lower<FunctionMeaning> {
        let (params, saved) = self.bind(&function.params)?;
        if let Some(body) = &function.body
            && !self.symbols.recursive[id.0 as usize]
        {
            let body = self.expr(body);
            self.unbind(saved);
            return Ok(FunctionMeaning::Body { params, body: body? });
        }
        let results = self.row(function.result, function.span)?;
        if let Some(text) = &function.smt_definition {
            match self.smt_definition(text, function, &params, &results) {
                Some(body) => {
                    self.unbind(saved);
                    return Ok(FunctionMeaning::Body { params, body: vec![body] });
                }
                None => {
                    self.approximation.get_or_insert(format!("the SMT-LIB definition of `{}`", function.name));
                }
            }
        }
        let sorts: Vec<SortId> = params.iter().map(|&t| self.pool.sort(t)).collect();
        let symbols: Vec<_> =
            results.into_iter().map(|sort| self.pool.fresh_fun(&function.name, &sorts, sort)).collect();
        let meaning = FunctionMeaning::Symbols(symbols.clone());
        // Known before the body is looked at, which may apply the function itself.
        let definition = Definition { meaning: meaning.clone(), approximation: None };
        self.symbols.functions.insert((id, type_args.to_vec()), definition);
        if let Some(body) = &function.body {
            let values = self.expr(body);
            let mut typings = Vec::new();
            for &param in &function.params {
                typings.extend(self.typing(param));
            }
            let typing = self.pool.and(&typings);
            for (symbol, value) in symbols.into_iter().zip(values?) {
                let applied = self.pool.app(symbol, &params);
                let equation = self.pool.eq(applied, value);
                let equation = self.pool.implies(typing, equation);
                let axiom =
                    if params.is_empty() { equation } else { self.pool.forall(&params, vec![vec![applied]], equation) };
                self.out.axioms.push(axiom);
            }
        }
        self.unbind(saved);
        Ok(meaning)
    }

    /// The term that `{:smtdefined "…"}` states, if it can be read and has the right sort.
    fn smt_definition(
        &mut self,
        text: &str,
        function: &Function,
        params: &[TermId],
        results: &[SortId],
    ) -> Option<TermId> {
        // Structs have no name in SMT-LIB.
        let (&[result], true) = (results, params.len() == function.params.len()) else { return None };
        let mut signature = logic::smtlib::Signature::new();
        for (&var, &term) in function.params.iter().zip(params) {
            signature.define_constant(self.pool, &self.symbols.typed.vars[var].name, term).ok()?;
        }
        let expr = logic::smtlib::SExprReader::new(text.as_bytes()).next_expr().ok()??;
        let term = signature.read_term(self.pool, &expr, expr.root()).ok()?;
        (self.pool.sort(term) == result).then_some(term)
    }

    /// Gives variables fresh terms, and returns what they meant before: the same declaration can be
    /// open twice, at different types.
    fn bind(&mut self, vars: &[VarId]) -> Lower<(Vec<TermId>, Saved)> {
        let mut bound = Vec::new();
        let mut saved = Vec::new();
        for &var in vars {
            let (name, ty, span) = self.var_parts(var);
            let names = self.part_names(&name, ty);
            let row = self.row(ty, span)?;
            let terms: Vec<TermId> = names.iter().zip(row).map(|(n, s)| self.pool.fresh_bound(n, s)).collect();
            bound.extend_from_slice(&terms);
            saved.push((var, self.symbols.env.insert(var, terms)));
        }
        Ok((bound, saved))
    }

    pub(super) fn unbind(&mut self, saved: Saved) {
        for (var, terms) in saved {
            match terms {
                Some(terms) => self.symbols.env.insert(var, terms),
                None => self.symbols.env.remove(&var),
            };
        }
    }
}

/// `12.5`, `1e-3`, `2.5e4`; the exponent was checked to be small.
fn real_literal(text: &str) -> Rational {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mantissa = mantissa.parse::<Rational>().unwrap_or_else(|_| Rational::from(0i64));
    let exponent = exponent.parse::<i32>().unwrap_or(0);
    let scale = Rational::from(10i64).pow(exponent.unsigned_abs());
    if exponent < 0 { mantissa * scale.recip() } else { mantissa * scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_literals() {
        assert_eq!(real_literal("12.5"), Rational::ratio(25, 2));
        assert_eq!(real_literal("1e-3"), Rational::ratio(1, 1000));
        assert_eq!(real_literal("2.5e4"), Rational::from(25_000i64));
    }
}
