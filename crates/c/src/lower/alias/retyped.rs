//! Pointers whose type changes in memory, without a conversion of their value.
//!
//! A union has `int *` and `unsigned char *` in one place, a copy of bytes takes a `void *` to where a `char *` lies, a
//! function stores through `(void **)&p`. What such a pointer points to is seen as both types, just as if its value had
//! been converted. So where two views of a class have pointers to different types in one place, the class that they
//! point to gets both views.

use rustc_hash::FxHashMap;

use super::{Alias, FEW, Kind, NodeId, collect_kinds, has_overlay, holds_pointer_type, kind_of, push_new, strip};
use crate::types::{ArrayLen, Type, TypeId, Types};

/// The pointers of a type: their offsets, and what they point to.
type Pointers = Vec<(u64, TypeId)>;

/// The pointers of types that were asked for.
#[derive(Default)]
struct Known(FxHashMap<TypeId, Pointers>);

impl Known {
    fn of(&mut self, types: &Types, ty: TypeId) -> &Pointers {
        self.0.entry(ty).or_insert_with(|| {
            let mut found = Vec::new();
            collect(types, ty, 0, &mut found);
            found
        })
    }

    /// What pointers of both types point to, where they lie in one place and differ; one type starts where the other
    /// does, unless it is a pointer, which may be moved.
    fn clash(&mut self, types: &Types, a: TypeId, b: TypeId, found: &mut Vec<TypeId>) {
        if starts_with(types, a, b) || starts_with(types, b, a) {
            return;
        }
        let is_moved = [a, b].iter().any(|&ty| types.is_pointer(ty));
        let left = self.of(types, a).clone();
        for (offset, one) in left {
            for &(at, other) in self.of(types, b) {
                if one != other && (is_moved || offset == at) {
                    push_new(found, one);
                    push_new(found, other);
                }
            }
        }
    }
}

/// Is the second type that of the first one's beginning?
fn starts_with(types: &Types, whole: TypeId, part: TypeId) -> bool {
    let first_member =
        || types.fields(whole).and_then(|fields| fields.iter().find(|f| f.offset() == 0).map(|f| f.ty.id));
    whole == part
        || types.element(whole).map(|elem| elem.id).or_else(first_member).is_some_and(|ty| starts_with(types, ty, part))
}

fn collect(types: &Types, ty: TypeId, offset: u64, found: &mut Pointers) {
    match types.get(ty) {
        Type::Pointer(pointee) => push_new(found, (offset, pointee.id)),
        Type::Array(elem, len) => {
            let n = if let ArrayLen::Known(n) = len { *n } else { 1 };
            let size = types.size_of(elem.id).unwrap_or(0);
            for i in 0..n.min(FEW) {
                collect(types, elem.id, offset + i * size, found);
            }
        }
        Type::Record(_) => {
            for field in types.fields(ty).iter().flat_map(|fields| fields.iter()) {
                collect(types, field.ty.id, offset + field.offset(), found);
            }
        }
        _ => {}
    }
}

/// Is `part` exactly the type itself, or that of a member or element, at any depth?
fn is_part(types: &Types, whole: TypeId, part: TypeId) -> bool {
    whole == part
        || types.element(whole).is_some_and(|elem| is_part(types, elem.id, part))
        || types.fields(whole).is_some_and(|fields| fields.iter().any(|f| is_part(types, f.ty.id, part)))
}

impl Alias<'_> {
    /// Gives classes the views that pointers to them have without conversions.
    pub(super) fn note_retyped_pointers(&mut self) {
        let mut known = Known::default();
        let mut work: Vec<NodeId> =
            self.nodes.iter().filter(|(_, n)| n.parent.is_none() && n.points_to.is_some()).map(|(id, _)| id).collect();
        while let Some(node) = work.pop() {
            let Some(target) = self.pointed_to(node) else { continue };
            let mut is_new = false;
            for ty in self.retyped(node, &mut known) {
                let is_object = ty != TypeId::VOID && !self.unit.types.is_function(ty);
                if is_object && !self.nodes[target].restored.contains(&ty) {
                    self.nodes[target].restored.push(ty);
                    is_new = true;
                }
            }
            if is_new {
                work.push(target);
            }
        }
    }

    /// What the pointers in a class point to that are seen as pointers of several types.
    fn retyped(&self, node: NodeId, known: &mut Known) -> Vec<TypeId> {
        let (types, data) = (&self.unit.types, &self.nodes[node]);
        let mut found = Vec::new();
        // Members of unions.
        for ty in self.types_of(data) {
            let pointers = known.of(types, strip(types, ty)).clone();
            for (i, &(offset, one)) in pointers.iter().enumerate() {
                for &(_, other) in pointers[i + 1..].iter().filter(|p| p.0 == offset) {
                    push_new(&mut found, one);
                    push_new(&mut found, other);
                }
            }
        }
        let created = &data.created;
        let mut pairs = data.reinterpreted.clone();
        pairs.extend(data.bulk.iter().filter_map(|bulk| bulk.view.zip(bulk.source)));
        // What a pointer without a type leads to is what was made, or a part of it.
        let is_known = |view: TypeId, whole: TypeId| is_part(types, strip(types, whole), strip(types, view));
        let restored = data.restored.iter().flat_map(|&view| created.iter().map(move |&whole| (view, whole)));
        pairs.extend(restored.filter(|&(view, whole)| !is_known(view, whole)));
        if created.is_empty() {
            let views: Vec<TypeId> = data.restored.iter().chain(&data.records).copied().collect();
            pairs.extend(views.iter().enumerate().flat_map(|(i, &a)| views[i + 1..].iter().map(move |&b| (a, b))));
        }
        if self.moves_without_type(node) {
            let views: Vec<TypeId> = self.types_of(data).collect();
            let mut pointees = Vec::new();
            for &ty in &views {
                known.of(types, strip(types, ty)).iter().for_each(|&(_, pointee)| push_new(&mut pointees, pointee));
            }
            // Integers may hold addresses of anything, or parts of them.
            let least = if self.parts_carry { 1 } else { types.pointer_size() };
            let is_wide = |kind: &Kind| matches!(kind, Kind::Int(size) if *size >= least);
            let mut kinds = data.scalar_accesses.clone();
            views.iter().for_each(|&ty| collect_kinds(types, ty, &mut kinds));
            let has_integers = kinds.iter().any(is_wide);
            if pointees.len() > 1 || has_integers {
                pointees.into_iter().for_each(|pointee| push_new(&mut found, pointee));
            }
        }
        for (a, b) in pairs {
            let (a, b) = (strip(types, a), strip(types, b));
            if a != b {
                known.clash(types, a, b, &mut found);
            }
        }
        found
    }

    /// May pointers in the class be copied as something else, or written by parts? Then each may come to lie where any
    /// other does.
    fn moves_without_type(&self, node: NodeId) -> bool {
        let (types, data) = (&self.unit.types, &self.nodes[node]);
        let holds = |ty: TypeId| holds_pointer_type(types, ty);
        let is_mixed = |(a, b): (TypeId, TypeId)| {
            let (a, b) = (strip(types, a), strip(types, b));
            holds(a) != holds(b)
        };
        let created = &data.created;
        let mut restored = data.restored.iter().flat_map(|&view| created.iter().map(move |&whole| (view, whole)));
        data.reinterpreted.iter().any(|&pair| is_mixed(pair))
            || data.bulk.iter().any(|b| b.multiple != 0 && !b.is_fill && b.view.zip(b.source).is_none_or(is_mixed))
            || restored.any(|(view, whole)| kind_of(types, strip(types, view)).is_some() && is_mixed((view, whole)))
            || self.types_of(data).any(|ty| has_overlay(types, ty) && holds(ty))
    }
}
