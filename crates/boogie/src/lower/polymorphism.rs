//! Polymorphic maps and quantifiers over types.
//!
//! **Maps.** A map of type `<a>[Field a]a` is one map for each type `a`, and they have nothing to do with each other. A
//! value is the row of those for the types at which the program looks into such maps, and of one more term for all the
//! others, which only equality sees. Which types these are is known when the program has been lowered; if some turned
//! up too late it is lowered again ([`Lowerer::learn_types`]).
//!
//! **Quantifiers.** `forall<a>` is the conjunction for the types that occur and for one type about which nothing is
//! known, and which therefore stands for the rest. It is remembered as an approximation: a proof is a proof, an
//! execution that depends on it is not reported. Axioms are instantiated for the types that occur.
//!
//! **Entries.** The type parameter of an entry procedure may be any of the types that occur, or another one; where one
//! of the above could tell the difference, the procedure is an entry for each.

use super::{Lower, Lowerer, MAX_AXIOM_INSTANCES};
use crate::ast::Binder;
use crate::typed::{self, Expr};
use crate::types::{ParamId, Ty, TyId};
use base::Span;
use ir::Remark;
use logic::{SortId, TermId};

/// What earlier rounds found out.
#[derive(Default)]
pub(super) struct Known {
    /// For each polymorphic map type, the type arguments it is used with, in the order of their discovery.
    maps: Vec<(TyId, Vec<Vec<TyId>>)>,
    /// Types at which polymorphic things are used.
    types: Vec<TyId>,
    /// Found in this round.
    new_maps: Vec<(TyId, Vec<TyId>)>,
    new_types: Vec<TyId>,
    /// There are polymorphic maps, or something else that tells types apart, in this round and the one before.
    has_maps: bool,
    had_maps: bool,
    /// There are quantifiers over types.
    has_quantifiers: bool,
}

impl Known {
    pub(super) fn note(&mut self, types: &[TyId]) {
        for &ty in types {
            if !self.types.contains(&ty) && !self.new_types.contains(&ty) {
                self.new_types.push(ty);
            }
        }
    }

    fn instances(&self, map: TyId) -> &[Vec<TyId>] {
        self.maps.iter().find(|(t, _)| *t == map).map_or(&[], |(_, instances)| instances)
    }
}

impl Lowerer<'_> {
    /// Takes over what this round found out; whether that makes another round necessary.
    pub(super) fn learn_types(&mut self) -> bool {
        let known = &mut self.symbols.polymorphism;
        let mut more = known.has_maps && !known.had_maps;
        known.had_maps = known.has_maps;
        for (map, args) in std::mem::take(&mut known.new_maps) {
            match known.maps.iter_mut().find(|(t, _)| *t == map) {
                Some((_, instances)) if instances.contains(&args) => {}
                Some((_, instances)) => {
                    instances.push(args);
                    more = true;
                }
                None => {
                    known.maps.push((map, vec![args]));
                    more = true;
                }
            }
        }
        let types = &self.symbols.typed.types;
        for ty in std::mem::take(&mut known.new_types) {
            // Parameters of quantifiers and procedures stand for themselves.
            if !types.has_params(ty) && !known.types.contains(&ty) && types.depth(ty) <= self.max_depth {
                known.types.push(ty);
                more |= known.has_maps || known.has_quantifiers;
            }
        }
        more
    }

    pub(super) fn polymorphic_map_row(&mut self, ty: TyId, span: Span) -> Lower<Vec<SortId>> {
        self.symbols.polymorphism.has_maps = true;
        let mut row = Vec::new();
        for args in self.symbols.polymorphism.instances(ty).to_vec() {
            let instance = self.map_instance(ty, &args);
            row.extend(self.row(instance, span)?);
            if row.len() > super::MAX_ROW {
                return Err(self.unsupported(span, "polymorphic maps at this many types"));
            }
        }
        let name = crate::check::show_type(&self.symbols.typed, ty);
        row.push(self.pool.uninterpreted_sort(&format!("{name} at other types")));
        Ok(row)
    }

    /// The maps that a polymorphic one consists of.
    pub(super) fn known_instances(&mut self, ty: TyId) -> Vec<TyId> {
        let instances = self.symbols.polymorphism.instances(ty).to_vec();
        instances.iter().map(|args| self.map_instance(ty, args)).collect()
    }

    /// Whether two types that may agree for other type arguments are different. Then types can be told apart, and those
    /// that could make the difference have to be known.
    pub(super) fn compares_types(&mut self, a: TyId, b: TyId) -> bool {
        if a == b {
            return false;
        }
        self.symbols.polymorphism.has_maps = true;
        // Only the parts in which they differ count: their type arguments may be chosen like that.
        let mut stack = vec![(a, b)];
        while let Some((x, y)) = stack.pop() {
            match (self.symbols.typed.types.view(x), self.symbols.typed.types.view(y)) {
                _ if x == y => {}
                (Ty::Ctor(c, xs), Ty::Ctor(d, ys)) if c == d => {
                    stack.extend(xs.iter().copied().zip(ys.iter().copied()))
                }
                (Ty::Map { domain: d, range: r, .. }, Ty::Map { domain: d2, range: r2, .. }) if d.len() == d2.len() => {
                    stack.extend(d.iter().copied().zip(d2.iter().copied()).chain([(*r, *r2)]));
                }
                _ => self.symbols.polymorphism.note(&[x, y]),
            }
        }
        true
    }

    /// The map for some type arguments.
    fn map_instance(&mut self, ty: TyId, args: &[TyId]) -> TyId {
        let types = &mut self.symbols.typed.types;
        let Ty::Map { domain, range, .. } = types.view(ty).clone() else { return ty };
        let domain = domain.into_iter().map(|t| types.open(t, args)).collect();
        let range = types.open(range, args);
        types.mk(Ty::Map { n_params: 0, domain, range })
    }

    /// Where the map for some type arguments lies in the row of a map, and that row's terms. A map that turned up just
    /// now gets terms of no account: the program will be lowered again.
    pub(super) fn map_part(&mut self, map: &Expr, row: &[TermId], type_args: &[TyId]) -> Lower<(usize, Vec<TermId>)> {
        if type_args.is_empty() {
            return Ok((0, row.to_vec()));
        }
        let ty = self.ty(map.ty);
        let args: Vec<TyId> = type_args.iter().map(|&t| self.ty(t)).collect();
        self.symbols.polymorphism.note(&args);
        let mut start = 0;
        for known in self.symbols.polymorphism.instances(ty).to_vec() {
            let instance = self.map_instance(ty, &known);
            let length = self.row(instance, map.span)?.len();
            if known == args {
                return Ok((start, row[start..start + length].to_vec()));
            }
            start += length;
        }
        let instance = self.map_instance(ty, &args);
        let sorts = self.row(instance, map.span)?;
        self.symbols.polymorphism.new_maps.push((ty, args));
        Ok((row.len(), sorts.into_iter().map(|sort| self.pool.fresh_constant("map", sort)).collect()))
    }

    /// All ways to choose that many of some types.
    fn combinations(&mut self, types: &[TyId], n: usize, span: Span) -> Lower<Vec<Vec<TyId>>> {
        let mut out: Vec<Vec<TyId>> = vec![Vec::new()];
        for _ in 0..n {
            out = out.iter().flat_map(|c| types.iter().map(move |&t| c.iter().copied().chain([t]).collect())).collect();
            if out.len() > MAX_AXIOM_INSTANCES {
                return Err(self.unsupported(span, "polymorphism over this many types"));
            }
        }
        Ok(out)
    }

    /// The type arguments for which a procedure is an entry.
    pub(super) fn entry_types(&mut self, params: &[ParamId], span: Span) -> Lower<Vec<Vec<TyId>>> {
        let own: Vec<TyId> = params.iter().map(|&p| self.symbols.typed.types.mk(Ty::Param(p))).collect();
        if !self.symbols.polymorphism.has_maps || params.is_empty() {
            return Ok(vec![own]);
        }
        let types: Vec<TyId> = own.iter().copied().chain(self.symbols.polymorphism.types.clone()).collect();
        self.combinations(&types, params.len(), span)
    }

    /// The types at which polymorphic things are used here and elsewhere, without repetition.
    fn occurring_types(&self) -> Vec<TyId> {
        let known = &self.symbols.polymorphism;
        let maps = known.maps.iter().flat_map(|(_, instances)| instances.iter().flatten());
        let here = self.type_args.iter().map(|(_, ty)| ty);
        let mut out: Vec<TyId> = Vec::new();
        for &ty in known.types.iter().chain(maps).chain(here) {
            if !out.contains(&ty) {
                out.push(ty);
            }
        }
        out
    }

    /// `forall<a>` and `exists<a>`: for the types that occur and one more.
    pub(super) fn type_quantifier(&mut self, e: &Expr, binder: Binder, open: &[ParamId]) -> Lower<Vec<TermId>> {
        if binder == Binder::Lambda {
            return Err(self.unsupported(e.span, "`lambda` over types"));
        }
        self.symbols.polymorphism.has_quantifiers = true;
        self.approximation.get_or_insert("a quantifier over types".to_string());
        let mut types: Vec<TyId> = open.iter().map(|&p| self.symbols.typed.types.mk(Ty::Param(p))).collect();
        types.extend(self.occurring_types());
        let combinations = self.combinations(&types, open.len(), e.span)?;
        let depth = self.type_args.len();
        let mut parts = Vec::new();
        for args in combinations {
            self.type_args.extend(open.iter().copied().zip(args));
            let part = self.expr(e);
            self.type_args.truncate(depth);
            parts.extend(part?);
        }
        Ok(vec![if binder == Binder::Forall { self.pool.and(&parts) } else { self.pool.or(&parts) }])
    }

    /// Instantiates `forall<T> …` for the types that occur. What is left out can only make more
    /// models, so proofs stay proofs.
    pub(super) fn polymorphic_axiom(&mut self, axiom: &typed::Expr) {
        let typed::ExprKind::Quantifier { type_params, .. } = &axiom.kind else { return };
        let mut types = self.occurring_types();
        types.extend(self.instance_types.iter().filter(|t| !types.contains(t)).copied().collect::<Vec<_>>());
        let mut combinations: Vec<Vec<TyId>> = vec![Vec::new()];
        for _ in type_params {
            combinations = combinations
                .iter()
                .flat_map(|c| types.iter().map(move |&t| c.iter().copied().chain([t]).collect()))
                .take(MAX_AXIOM_INSTANCES)
                .collect();
        }
        for args in combinations {
            self.type_args = type_params.iter().copied().zip(args).collect();
            let term = self.formula(axiom);
            self.out.axioms.extend(term.ok());
        }
        self.type_args.clear();
        let message = "a type-quantified axiom was instantiated for the types that occur only".to_string();
        self.out.fidelity.imprecise.push(Remark {
            kind: ir::RemarkKind::Other,
            span: axiom.span,
            message: message.clone(),
        });
        self.axiom_approximation.get_or_insert(message);
    }
}
