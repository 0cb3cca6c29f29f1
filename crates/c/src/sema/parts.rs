//! Values of several parts: vectors and complex numbers.
//!
//! Both are records ([`Shape`]), so that copies, parameters, results and members need nothing of their own. An
//! operation takes its operands apart, computes part by part, and puts the results together in a compound literal; one
//! that is taken apart again at once leaves no trace, so `a + b * c` on vectors is one expression for each element.

use super::expr::int;
use super::*;

/// A value taken apart: what is evaluated before, in this order, and the parts, each to be used once.
pub(super) struct Parts {
    pub setup: Vec<Expr>,
    pub parts: Vec<Expr>,
}

impl Sema<'_> {
    pub(super) fn has_parts(&self, ty: TypeId) -> bool {
        self.types.vector(ty).is_some() || self.types.complex(ty).is_some()
    }

    pub(super) fn parts(&mut self, e: Expr) -> Parts {
        let (ty, span) = (e.ty, e.span);
        let fields = self.types.fields(ty).unwrap_or_else(|| Arc::new([]));
        match e.kind {
            ExprKind::Comma(first, second) if second.ty == ty => {
                let mut parts = self.parts(*second);
                parts.setup.insert(0, *first);
                parts
            }
            ExprKind::Load(Place { kind: PlaceKind::Compound(_, init), .. }) if is_by_parts(&init) => {
                let mut parts: Vec<Expr> = fields.iter().map(|f| self.zero(f.ty.id, span)).collect();
                for item in init.items {
                    if let [Step::Field(i)] = item.path[..] {
                        parts[i as usize] = item.value;
                    }
                }
                Parts { setup: Vec::new(), parts }
            }
            ExprKind::Load(place) if is_stable(&place) => {
                Parts { setup: Vec::new(), parts: self.loads_of_parts(&place, &fields) }
            }
            kind => {
                let mut setup = Vec::new();
                let place = self.held_in_variable(Expr { kind, ty, span }, &mut setup);
                Parts { setup, parts: self.loads_of_parts(&place, &fields) }
            }
        }
    }

    fn loads_of_parts(&mut self, place: &Place, fields: &[Field]) -> Vec<Expr> {
        let load = |(i, field): (usize, &Field)| {
            let kind = PlaceKind::Field(Box::new(place.clone()), i as u32);
            let part = Place { kind, ty: field.ty.with(place.ty.quals), span: place.span };
            Expr { kind: ExprKind::Load(part), ty: field.ty.id, span: place.span }
        };
        fields.iter().enumerate().map(load).collect()
    }

    /// The value of a type with parts that is made of these.
    pub(super) fn assemble(&mut self, ty: TypeId, parts: Parts, span: Span) -> Expr {
        let part_ty = |s: &Self, i: usize| s.types.fields(ty).map_or(Ty::plain(ty), |f| f[i].ty);
        let item =
            |(i, value): (usize, Expr)| InitItem { path: vec![Step::Field(i as u32)], ty: part_ty(self, i), value };
        let items = parts.parts.into_iter().enumerate().map(item).collect();
        let var = self.new_var("value of parts", Ty::plain(ty), span, Storage::Local, true);
        let init = Box::new(Init { items, zero_rest: true });
        let place = Place { kind: PlaceKind::Compound(var, init), ty: Ty::plain(ty), span };
        let value = Expr { kind: ExprKind::Load(place), ty, span };
        after(parts.setup, value)
    }

    /// A hidden variable that the setup gives the value to.
    pub(super) fn held_in_variable(&mut self, e: Expr, setup: &mut Vec<Expr>) -> Place {
        let (ty, span) = (e.ty, e.span);
        let var = self.new_var("operand", Ty::plain(ty), span, Storage::Local, true);
        let place = Place { kind: PlaceKind::Var(var), ty: Ty::plain(ty), span };
        setup.push(Expr { kind: ExprKind::Assign(Box::new(place.clone()), Box::new(e)), ty, span });
        place
    }

    /// A value that may be used several times.
    pub(super) fn held(&mut self, e: Expr, setup: &mut Vec<Expr>) -> Expr {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => e,
            ExprKind::Load(place) if is_stable(place) => e,
            _ => {
                let (ty, span) = (e.ty, e.span);
                let place = self.held_in_variable(e, setup);
                Expr { kind: ExprKind::Load(place), ty, span }
            }
        }
    }

    /// A place that may be used several times.
    fn held_place(&mut self, place: Place, setup: &mut Vec<Expr>) -> Place {
        if is_stable(&place) {
            return place;
        }
        let (ty, span) = (place.ty, place.span);
        let pointer = self.types.pointer_to(ty);
        let address = match place.kind {
            PlaceKind::Deref(address) => *address,
            kind => Expr { kind: ExprKind::AddrOf(Place { kind, ty, span }), ty: pointer, span },
        };
        let address = self.held(address, setup);
        Place { kind: PlaceKind::Deref(Box::new(address)), ty, span }
    }

    /// `place op= rhs` where one of them has parts.
    pub(super) fn assign_by_parts(&mut self, op: ast::BinaryOp, place: Place, rhs: Expr, span: Span) -> SResult<Expr> {
        let ty = place.ty.id;
        let mut setup = Vec::new();
        let place = self.held_place(place, &mut setup);
        let old = self.load(place.clone())?;
        let new = self.binary(op, old, rhs, span)?;
        let new = self.assign_convert(new, ty)?;
        Ok(after(setup, Expr { kind: ExprKind::Assign(Box::new(place), Box::new(new)), ty, span }))
    }

    /// `++` and `--`; of a complex number they change the real part.
    pub(super) fn step_by_parts(&mut self, place: Place, increment: bool, prefix: bool, span: Span) -> SResult<Expr> {
        let op = if increment { ast::BinaryOp::Add } else { ast::BinaryOp::Sub };
        let one = int(1, TypeId::INT, span);
        if prefix {
            return self.assign_by_parts(op, place, one, span);
        }
        let ty = place.ty.id;
        let mut setup = Vec::new();
        let place = self.held_place(place, &mut setup);
        let old = self.load(place.clone())?;
        let kept = self.held_in_variable(old, &mut setup);
        let old = self.load(kept)?;
        let new = self.binary(op, old.clone(), one, span)?;
        let new = self.assign_convert(new, ty)?;
        setup.push(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(new)), ty, span });
        Ok(after(setup, old))
    }

    /// The bytes of a value read as another type of the same size: by way of a union.
    pub(super) fn reinterpret(&mut self, value: Expr, to: TypeId) -> SResult<Expr> {
        let (from, span) = (value.ty, value.span);
        let field = |ty: TypeId| Field {
            name: None,
            ty: Ty::plain(ty),
            width: None,
            bit_offset: 0,
            align: None,
            packed: false,
            placed: 1,
        };
        self.n_anonymous += 1;
        let name = format!("union <anonymous {}>", self.n_anonymous);
        let shape = Shape::Members;
        let record = self.types.records.push(Record { name, shape, is_union: true, fields: None, size: 0, align: 1 });
        if self.types.complete_record(record, vec![field(from), field(to)], LayoutRules::default()).is_none() {
            return err(span, "a value of unknown size");
        }
        let ty = Ty::plain(self.types.intern(Type::Record(record)));
        let var = self.new_var("bytes of a value", ty, span, Storage::Local, true);
        let item = InitItem { path: vec![Step::Field(0)], ty: Ty::plain(from), value };
        let init = Box::new(Init { items: vec![item], zero_rest: true });
        let whole = Place { kind: PlaceKind::Compound(var, init), ty, span };
        self.load(Place { kind: PlaceKind::Field(Box::new(whole), 1), ty: Ty::plain(to), span })
    }
}

/// A value that is evaluated after the setup.
pub(super) fn after(setup: Vec<Expr>, value: Expr) -> Expr {
    setup.into_iter().rev().fold(value, |value, first| {
        let (ty, span) = (value.ty, value.span);
        Expr { kind: ExprKind::Comma(Box::new(first), Box::new(value)), ty, span }
    })
}

fn is_by_parts(init: &Init) -> bool {
    init.items.iter().all(|item| matches!(item.path[..], [Step::Field(_)]))
}

/// A place that is the same whenever it is evaluated, and that only the program's own assignments change.
fn is_stable(place: &Place) -> bool {
    let is_plain = !place.ty.quals.is_volatile && !place.ty.quals.is_atomic;
    is_plain
        && match &place.kind {
            PlaceKind::Var(_) => true,
            PlaceKind::Field(base, _) => is_stable(base),
            PlaceKind::Deref(pointer) => {
                matches!(&pointer.kind, ExprKind::Load(p) if matches!(p.kind, PlaceKind::Var(_)) && is_stable(p))
            }
            PlaceKind::Index(..) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => false,
        }
}
