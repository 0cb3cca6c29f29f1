//! Variables that are changed and used in one expression without an order between the two (C11 6.5p2), as in `i = i++`
//! or `a[i] = i++`.
//!
//! That is undefined; where functions that are called do one or the other, as in `f() + g()`, the order is unspecified.
//! Lowering evaluates from left to right, compilers do as they like, so nothing is said about executions that come
//! there. At least one of the two must name the variable; the other may also change or use it by a pointer that may
//! point to it, here or in a function that is called. Members, elements and what pointers point to are compared place
//! by place where the expression itself uses them (`a[i] + (a[j] = 1)`, `*p + (*q = 1)`). Where functions that are
//! called do that, classes of objects are compared.

use base::IdVec;
use rustc_hash::FxHashSet;

use super::alias::{Alias, NodeId};
use crate::hir::*;
use crate::types::{Type, TypeId, Types};
use crate::visit::{Node, root, walk_stmt};

/// What each function reads and writes, itself or by what it calls.
pub(super) struct Effects {
    read: IdVec<FuncId, Touched>,
    written: IdVec<FuncId, Touched>,
    /// What an indirect call may call.
    address_taken: Vec<FuncId>,
}

/// What a function reads, or what it writes.
#[derive(Clone, Default)]
struct Touched {
    /// Variables with static storage, by their names.
    named: FxHashSet<VarId>,
    /// Classes of objects, by pointers.
    pointed: FxHashSet<NodeId>,
    /// The numbers of the parameters that are never changed and point to what it accesses itself.
    params: FxHashSet<usize>,
    /// Classes of objects by other pointers than these.
    others: FxHashSet<NodeId>,
    /// Pointers with static storage to what it accesses.
    through: FxHashSet<VarId>,
}

impl Touched {
    fn add(&mut self, named: Option<VarId>, class: Option<NodeId>, given: Given) {
        self.named.extend(named);
        self.pointed.extend(class);
        match given {
            Given::Param(i) => _ = self.params.insert(i),
            Given::Pointer(var) => {
                self.through.insert(var);
                self.others.extend(class);
            }
            Given::Address(_) | Given::Other => self.others.extend(class),
        }
    }
}

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// A parameter that is never changed, by its number.
    Param(usize),
    /// The value of a variable with static storage.
    Pointer(VarId),
    /// The address of a variable with static storage.
    Address(VarId),
    Other,
}

/// A call, and what the arguments are.
struct CallSite {
    caller: FuncId,
    callee: FuncId,
    given: Vec<Given>,
}

/// The parameters of a function that keep the values which they are given.
fn kept_params(unit: &Unit, func: FuncId) -> Vec<VarId> {
    let mut changed = FxHashSet::default();
    for stmt in unit.funcs[func].body.iter().flatten() {
        walk_stmt(stmt, &mut |node| {
            if let Node::Written(place) | Node::Addressed(place) = node {
                changed.extend(root(place));
            }
            true
        });
    }
    unit.funcs[func].params.iter().copied().filter(|p| !changed.contains(p)).collect()
}

/// The variable whose value points to the object that a place is in.
fn pointer_variable(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Deref(e) => variable_of_pointer(e),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => pointer_variable(base),
        PlaceKind::Var(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => None,
    }
}

/// The variable whose value a pointer is, moved or converted.
fn variable_of_pointer(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Load(place) => variable(place),
        ExprKind::PtrAdd { ptr, .. } => variable_of_pointer(ptr),
        ExprKind::Convert(inner) => variable_of_pointer(inner),
        ExprKind::AddrOf(place) => pointer_variable(place),
        _ => None,
    }
}

/// Does a function without body read or write what this argument points to? The library's own objects do not count.
fn accesses_of_outside(function: &Function, i: usize) -> (bool, bool) {
    use crate::library::{Argument, Extent, find};
    match find(&function.name).and_then(|row| row.argument(i)) {
        Some(Argument::Pointer { extent: Extent::Stream | Extent::Shared, .. }) => (false, false),
        Some(Argument::Pointer { reads, writes, .. }) => (reads, writes),
        Some(Argument::Value | Argument::Kept | Argument::Function) => (false, false),
        // Further arguments, operations of the compiler, and functions that nothing is known of.
        None if function.is_pure => (true, false),
        None => (true, !function.name.contains("printf") && !function.name.starts_with("__atomic_load")),
    }
}

impl Effects {
    pub(super) fn of(unit: &Unit, alias: &mut Alias<'_>, reachable: &[FuncId], address_taken: &[FuncId]) -> Effects {
        let nothing = || -> IdVec<FuncId, Touched> { unit.funcs.ids().map(|_| Touched::default()).collect() };
        let is_static = |var: &VarId| matches!(unit.vars[*var].storage, Storage::Static { .. });
        let (mut read, mut written) = (nothing(), nothing());
        let mut calls: Vec<CallSite> = Vec::new();
        for &func in reachable {
            let kept = kept_params(unit, func);
            let number = |var: VarId| {
                let is_kept = kept.contains(&var);
                unit.funcs[func].params.iter().position(|&p| is_kept && p == var)
            };
            let origin = |var: Option<VarId>| match var {
                Some(var) if is_static(&var) => Given::Pointer(var),
                Some(var) => number(var).map_or(Given::Other, Given::Param),
                None => Given::Other,
            };
            let given = |arg: &Expr| match addressed(arg).filter(is_static) {
                Some(var) => Given::Address(var),
                None => origin(variable_of_pointer(arg)),
            };
            for stmt in unit.funcs[func].body.iter().flatten() {
                walk_stmt(stmt, &mut |node| {
                    match node {
                        Node::Written(place) => {
                            let class = pointed(alias, place);
                            written[func].add(root(place).filter(is_static), class, origin(pointer_variable(place)));
                        }
                        Node::Expr(e) => match &e.kind {
                            ExprKind::Load(place) => {
                                let class = pointed(alias, place);
                                read[func].add(root(place).filter(is_static), class, origin(pointer_variable(place)));
                            }
                            ExprKind::Call { callee: Callee::Direct(callee), args }
                                if unit.funcs[*callee].body.is_none() =>
                            {
                                for (i, arg) in args.iter().enumerate() {
                                    let (reads, writes) = accesses_of_outside(&unit.funcs[*callee], i);
                                    let named = addressed(arg);
                                    // Whoever calls this function does not know its own variables.
                                    if named.is_some_and(|var| !is_static(&var)) {
                                        continue;
                                    }
                                    let Some(node) = alias.value(arg) else { continue };
                                    let class = alias.find(node);
                                    let origin = origin(variable_of_pointer(arg));
                                    if reads {
                                        read[func].add(named, Some(class), origin);
                                    }
                                    if writes {
                                        written[func].add(named, Some(class), origin);
                                    }
                                }
                            }
                            ExprKind::Call { callee, args } => {
                                let callees = match callee {
                                    Callee::Direct(callee) => std::slice::from_ref(callee),
                                    Callee::Indirect(_) => address_taken,
                                };
                                for &callee in callees {
                                    let given = args.iter().map(given).collect();
                                    calls.push(CallSite { caller: func, callee, given });
                                }
                            }
                            _ => {}
                        },
                        Node::Declared(..) | Node::Addressed(_) => {}
                    }
                    true
                });
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for call in &calls {
                changed |= include(&mut read, call) | include(&mut written, call);
            }
        }
        for &CallSite { caller, callee, .. } in &calls {
            for side in [&mut read, &mut written] {
                let of_callee = side[callee].pointed.clone();
                side[caller].others.extend(of_callee);
            }
        }
        Effects { read, written, address_taken: address_taken.to_vec() }
    }

    /// What a call of a known function does to what its arguments point to: variables that are named there, and else
    /// classes.
    fn by_arguments(&self, func: FuncId, args: &[Expr], alias: &mut Alias<'_>, call: &mut Accesses<'_>) {
        for (side, to) in [(&self.read, &mut call.read), (&self.written, &mut call.written)] {
            let Touched { params, others, .. } = &side[func];
            let mut params: Vec<usize> = params.iter().copied().collect();
            params.sort_unstable();
            to.called_pointed = others.iter().copied().collect();
            for arg in params.into_iter().filter_map(|i| args.get(i)) {
                to.through.extend(variable_of_pointer(arg));
                match (addressed(arg), alias.value(arg)) {
                    (Some(var), _) => to.called.push(var),
                    (None, Some(node)) => to.called_pointed.push(alias.find(node)),
                    _ => {}
                }
            }
            to.called_pointed.sort();
        }
    }

    fn call<'e>(&self, callee: &Callee) -> Accesses<'e> {
        let targets = match callee {
            Callee::Direct(func) => std::slice::from_ref(func),
            Callee::Indirect(_) => &self.address_taken,
        };
        fn all<T: Copy + Ord>(targets: &[FuncId], set: impl Fn(FuncId) -> FxHashSet<T>) -> Vec<T> {
            let mut found: Vec<T> = targets.iter().flat_map(|&f| set(f)).collect();
            found.sort();
            found
        }
        let accessed = |side: &IdVec<FuncId, Touched>| Accessed {
            called: all(targets, |f| side[f].named.clone()),
            called_pointed: all(targets, |f| side[f].pointed.clone()),
            through: all(targets, |f| side[f].through.clone()),
            ..Accessed::default()
        };
        Accesses { read: accessed(&self.read), written: accessed(&self.written), ..Accesses::default() }
    }
}

/// Adds what a callee does to what its caller does. Is something new?
fn include(side: &mut IdVec<FuncId, Touched>, call: &CallSite) -> bool {
    let &CallSite { caller, callee, ref given } = call;
    let mut more = Touched { params: FxHashSet::default(), others: FxHashSet::default(), ..side[callee].clone() };
    for (_, given) in given.iter().enumerate().filter(|(i, _)| side[callee].params.contains(i)) {
        match *given {
            Given::Param(i) => _ = more.params.insert(i),
            Given::Pointer(var) => _ = more.through.insert(var),
            Given::Address(var) => _ = more.named.insert(var),
            Given::Other => {}
        }
    }
    let own = &mut side[caller];
    let n_before = own.named.len() + own.pointed.len() + own.params.len() + own.through.len();
    own.named.extend(more.named);
    own.pointed.extend(more.pointed);
    own.params.extend(more.params);
    own.through.extend(more.through);
    own.named.len() + own.pointed.len() + own.params.len() + own.through.len() > n_before
}

/// The class of objects that a place is in, if that is found by a pointer.
fn pointed(alias: &mut Alias<'_>, place: &Place) -> Option<NodeId> {
    match &place.kind {
        PlaceKind::Deref(_) => {
            let node = alias.place(place);
            Some(alias.find(node))
        }
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => pointed(alias, base),
        PlaceKind::Var(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => None,
    }
}

/// What is changed and used without an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    Variable(VarId),
    /// A member, an element, or what pointers point to that may be equal.
    Place,
}

/// What an expression reads, or what it writes.
#[derive(Default)]
struct Accessed<'e> {
    whole: Vec<VarId>,
    /// Variables of which parts are accessed.
    parts: Vec<VarId>,
    /// Variables, or parts of them, that functions name which are called.
    called: Vec<VarId>,
    /// Classes of objects, by pointers.
    pointed: Vec<NodeId>,
    /// The same by functions that are called.
    called_pointed: Vec<NodeId>,
    /// Pointers by whose values functions that are called do that.
    through: Vec<VarId>,
    /// Places other than whole variables, and their alias classes if pointers lead there.
    places: Vec<(&'e Place, Option<NodeId>)>,
}

impl<'e> Accessed<'e> {
    fn extend(&mut self, other: Accessed<'e>) {
        self.whole.extend(other.whole);
        self.parts.extend(other.parts);
        self.called.extend(other.called);
        self.pointed.extend(other.pointed);
        self.called_pointed.extend(other.called_pointed);
        self.through.extend(other.through);
        self.places.extend(other.places);
    }

    /// The pointers by which places are reached that the expression itself uses.
    fn pointers(&self) -> impl Iterator<Item = VarId> {
        self.places.iter().filter_map(|(place, _)| pointer_variable(place))
    }

    fn add(&mut self, place: &'e Place, class: Option<NodeId>) {
        match variable(place) {
            Some(var) => self.whole.push(var),
            None => {
                self.parts.extend(root(place));
                self.places.push((place, class));
            }
        }
        self.pointed.extend(class);
    }
}

/// What an expression reads and writes.
#[derive(Default)]
struct Accesses<'e> {
    read: Accessed<'e>,
    written: Accessed<'e>,
    /// Those that are changed by `++`, `--` or an operator, and not before the value is there.
    pending: Vec<VarId>,
    pending_places: Vec<(&'e Place, Option<NodeId>)>,
    conflict: Option<Conflict>,
}

impl<'e> Accesses<'e> {
    /// Both happen, in no order.
    fn beside(mut self, other: Accesses<'e>, alias: &Alias<'_>) -> Accesses<'e> {
        let clash = self.spoils(&other, alias).or_else(|| other.spoils(&self, alias));
        self.conflict = self.conflict.or(other.conflict).or(clash);
        if self.may_meet_by_calls(&other, alias) || other.may_meet_by_calls(&self, alias) {
            self.conflict = self.conflict.or(Some(Conflict::Place));
        }
        self.add(other)
    }

    /// What this one writes and the other one reads or writes. Different parts of a variable are different objects:
    /// where a function that is called uses the variable, all parts count, otherwise those that may be the same.
    fn spoils(&self, other: &Accesses<'_>, alias: &Alias<'_>) -> Option<Conflict> {
        let (r, w) = (&other.read, &other.written);
        let called = || r.called.iter().chain(&w.called);
        let whole = || r.whole.iter().chain(&w.whole).chain(called());
        let parts = || r.parts.iter().chain(&w.parts);
        // Literals never change.
        let is_in = |classes: &[NodeId], v: &VarId| {
            !alias.unit.vars[*v].is_string
                && alias.known_node(*v).is_some_and(|class| classes.iter().any(|p| alias.find(*p) == class))
        };
        let is_pointed =
            |v: &VarId| [r, w].iter().any(|side| is_in(&side.pointed, v) || is_in(&side.called_pointed, v));
        let own = &self.written;
        let written = own.whole.iter().find(|&v| whole().any(|u| u == v) || is_pointed(v));
        let by_call = own.called.iter().find(|&v| whole().chain(parts()).any(|u| u == v) || is_pointed(v));
        let part = own.parts.iter().find(|&v| called().any(|u| u == v) || is_pointed(v));
        let by_pointer = whole().chain(parts()).find(|&v| is_in(&own.pointed, v) || is_in(&own.called_pointed, v));
        // What functions that are called do by the same pointer, or to the same object.
        let by_same = own
            .through
            .iter()
            .any(|v| [r, w].iter().any(|side| side.through.contains(v) || side.pointers().any(|p| p == *v)))
            || own.pointers().any(|p| [r, w].iter().any(|side| side.through.contains(&p)));
        let is_same = |x: &NodeId, y: &NodeId| alias.find(*x) == alias.find(*y) && alias.is_one_object(*x);
        let to_same = own
            .called_pointed
            .iter()
            .any(|x| [r, w].iter().any(|side| side.pointed.iter().chain(&side.called_pointed).any(|y| is_same(x, y))))
            || own.pointed.iter().any(|x| [r, w].iter().any(|side| side.called_pointed.iter().any(|y| is_same(x, y))));
        let mut places = own
            .places
            .iter()
            .flat_map(|place| r.places.iter().chain(&w.places).map(move |other| may_overlap(*place, *other, alias)));
        let named = written.or(by_call).or(part).or(by_pointer).copied().map(Conflict::Variable);
        named.or_else(|| (by_same || to_same || places.any(|overlap| overlap)).then_some(Conflict::Place))
    }

    /// May functions that are called here write what those of the other one access, or it does by pointers?
    fn may_meet_by_calls(&self, other: &Accesses<'_>, alias: &Alias<'_>) -> bool {
        let others = || {
            let (r, w) = (&other.read, &other.written);
            r.pointed.iter().chain(&r.called_pointed).chain(&w.pointed).chain(&w.called_pointed)
        };
        self.written.called_pointed.iter().any(|x| others().any(|y| alias.find(*x) == alias.find(*y)))
    }

    /// Both happen, this one first.
    fn then(mut self, other: Accesses<'e>) -> Accesses<'e> {
        self.conflict = self.conflict.or(other.conflict);
        self.done().add(other)
    }

    fn add(mut self, other: Accesses<'e>) -> Accesses<'e> {
        self.read.extend(other.read);
        self.written.extend(other.written);
        self.pending.extend(other.pending);
        self.pending_places.extend(other.pending_places);
        self
    }

    /// A function is called after all of this.
    fn done(mut self) -> Accesses<'e> {
        self.pending.clear();
        self.pending_places.clear();
        self
    }
}

/// What expressions change and use without an order. Several ones are the items of an initialiser, which have none
/// either (C11 6.7.9p23).
pub(super) fn conflict(effects: &Effects, alias: &mut Alias<'_>, all: &[&Expr]) -> Option<Conflict> {
    let mut order = Order { effects, alias };
    let first = Accesses::default();
    let all = all.iter().fold(first, |before, e| before.beside(order.accesses(e), order.alias));
    all.conflict
}

struct Order<'a, 'u> {
    effects: &'a Effects,
    alias: &'a mut Alias<'u>,
}

/// Are both the same call, so that it does not matter which comes first if their results are treated alike?
fn are_alike(a: &Expr, b: &Expr) -> bool {
    let call = |e: &Expr| match &e.kind {
        ExprKind::Call { callee: Callee::Direct(func), args } => {
            let fixed = args.iter().map(|arg| match &arg.kind {
                ExprKind::Int(n) => Some((*n, None)),
                ExprKind::AddrOf(place) => Some((0, Some(variable(place)?))),
                _ => None,
            });
            Some((*func, fixed.collect::<Option<Vec<(i128, Option<VarId>)>>>()?))
        }
        _ => None,
    };
    call(a).is_some_and(|a| Some(a) == call(b))
}

impl Order<'_, '_> {
    /// Both happen, in no order.
    fn both<'e>(&mut self, a: &'e Expr, b: &'e Expr) -> Accesses<'e> {
        let a = self.accesses(a);
        a.beside(self.accesses(b), self.alias)
    }

    /// The first happens before the second.
    fn first<'e>(&mut self, a: &'e Expr, b: &'e Expr) -> Accesses<'e> {
        let a = self.accesses(a);
        a.then(self.accesses(b))
    }

    fn reads<'e>(&mut self, place: &'e Place, to: &mut Accesses<'e>) {
        to.read.add(place, pointed(self.alias, place));
    }

    fn writes<'e>(&mut self, place: &'e Place, to: &mut Accesses<'e>) {
        to.written.add(place, pointed(self.alias, place));
    }

    /// A place whose change is not over when the value of the expression is there.
    fn remains<'e>(&mut self, place: &'e Place, to: &mut Accesses<'e>) {
        match variable(place) {
            Some(var) => to.pending.push(var),
            None => to.pending_places.push((place, pointed(self.alias, place))),
        }
    }

    /// What a function without body does to what it is given.
    fn of_outside(&mut self, func: FuncId, args: &[Expr], call: &mut Accesses<'_>) {
        let function = &self.alias.unit.funcs[func];
        if function.body.is_some() {
            return;
        }
        for (i, arg) in args.iter().enumerate() {
            let (reads, writes) = accesses_of_outside(function, i);
            match (addressed(arg), self.alias.value(arg)) {
                (Some(var), _) if writes => call.written.called.push(var),
                (Some(var), _) if reads => call.read.called.push(var),
                (None, Some(node)) if writes => call.written.called_pointed.push(self.alias.find(node)),
                (None, Some(node)) if reads => call.read.called_pointed.push(self.alias.find(node)),
                _ => {}
            }
        }
    }

    fn accesses<'e>(&mut self, e: &'e Expr) -> Accesses<'e> {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Func(_) | ExprKind::LabelAddr(_) => Accesses::default(),
            ExprKind::Load(place) => {
                let mut inside = self.inside(place);
                self.reads(place, &mut inside);
                inside
            }
            ExprKind::AddrOf(place) => self.inside(place),
            ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Convert(a) => self.accesses(a),
            ExprKind::Binary(BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor, a, b)
                if are_alike(a, b) =>
            {
                self.first(a, b)
            }
            ExprKind::Compare(CmpOp::Eq | CmpOp::Ne, a, b) if are_alike(a, b) => self.first(a, b),
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => self.both(a, b),
            ExprKind::PtrAdd { ptr: a, index: b, .. } | ExprKind::PtrDiff { left: a, right: b, .. } => self.both(a, b),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) | ExprKind::Comma(a, b) => self.first(a, b),
            ExprKind::Cond(c, a, b) => {
                let (a, b) = (self.accesses(a), self.accesses(b));
                let conflict = a.conflict.or(b.conflict);
                let mut either = a.add(b);
                either.conflict = conflict;
                self.accesses(c).then(either)
            }
            ExprKind::Elvis { value, otherwise, .. } => self.first(value, otherwise),
            ExprKind::Assign(place, value) => {
                let value = self.accesses(value);
                // The new value is stored when both sides are known, but not after what they change.
                let clash = match variable(place) {
                    Some(var) => value.pending.contains(&var).then_some(Conflict::Variable(var)),
                    None => {
                        let target = (&**place, pointed(self.alias, place));
                        let is_pending = value.pending_places.iter().any(|p| may_overlap(target, *p, self.alias));
                        is_pending.then_some(Conflict::Place)
                    }
                };
                let mut both = self.inside(place).beside(value, self.alias);
                both.conflict = both.conflict.or(clash);
                self.writes(place, &mut both);
                both
            }
            ExprKind::CompoundAssign { place, rhs: value, .. } | ExprKind::PtrAssign { place, index: value, .. } => {
                let value = self.accesses(value);
                // What the place holds is read before or after the other side changes it.
                let mut old = Accesses::default();
                self.reads(place, &mut old);
                let clash = value.spoils(&old, self.alias);
                let mut both = self.inside(place).beside(value, self.alias);
                both.conflict = both.conflict.or(clash);
                self.reads(place, &mut both);
                self.writes(place, &mut both);
                self.remains(place, &mut both);
                both
            }
            ExprKind::IncDec { place, .. } => {
                let mut all = self.inside(place);
                self.reads(place, &mut all);
                self.writes(place, &mut all);
                self.remains(place, &mut all);
                all
            }
            ExprKind::Call { callee, args } => {
                let first = match callee {
                    Callee::Direct(_) => Accesses::default(),
                    Callee::Indirect(pointer) => self.accesses(pointer),
                };
                let mut args_in_no_order = first;
                let mut named = Vec::new();
                for arg in args {
                    args_in_no_order = args_in_no_order.beside(self.accesses(arg), self.alias);
                    named.extend(addressed(arg));
                }
                let mut call = self.effects.call(callee);
                match callee {
                    Callee::Direct(func) => {
                        self.effects.by_arguments(*func, args, self.alias, &mut call);
                        self.of_outside(*func, args, &mut call);
                    }
                    Callee::Indirect(_) => {
                        for &func in &self.effects.address_taken {
                            let mut one = Accesses::default();
                            self.effects.by_arguments(func, args, self.alias, &mut one);
                            call.read.through.extend(one.read.through);
                            call.written.through.extend(one.written.through);
                        }
                    }
                }
                // What is changed or used by a pointer to a variable that is named here.
                for var in named {
                    let class = self.alias.known_node(var);
                    let is_in = |classes: &[NodeId]| classes.iter().any(|c| Some(self.alias.find(*c)) == class);
                    if is_in(&call.written.called_pointed) {
                        call.written.called.push(var);
                    } else if is_in(&call.read.called_pointed) {
                        call.read.called.push(var);
                    }
                }
                args_in_no_order.done().then(call)
            }
            // Statements have their own order, and an argument list is not a variable.
            ExprKind::StmtExpr(..)
            | ExprKind::VaArg(_)
            | ExprKind::VaStart(_)
            | ExprKind::VaEnd(_)
            | ExprKind::VaCopy(..) => Accesses::default(),
        }
    }

    /// What finding the place needs.
    fn inside<'e>(&mut self, place: &'e Place) -> Accesses<'e> {
        match &place.kind {
            PlaceKind::Var(_) | PlaceKind::Compound(..) => Accesses::default(),
            PlaceKind::Deref(e) | PlaceKind::Temp(e) => self.accesses(e),
            PlaceKind::Field(base, _) => self.inside(base),
            PlaceKind::Index(base, index) => {
                let base = self.inside(base);
                base.beside(self.accesses(index), self.alias)
            }
        }
    }
}

/// The variable whose address an argument is.
fn addressed(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::AddrOf(place) => root(place),
        ExprKind::Convert(inner) => addressed(inner),
        _ => None,
    }
}

/// The variable that a place is, as a whole.
fn variable(place: &Place) -> Option<VarId> {
    match place.kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}

/// Where the way to a place starts.
enum Start<'e> {
    Variable(VarId),
    Pointer(&'e Expr),
    /// An object of this expression alone.
    Own,
}

/// A step on the way to a place.
enum Step<'e> {
    Field(TypeId, u32),
    Index(&'e Expr),
}

fn way(place: &Place) -> (Start<'_>, Vec<Step<'_>>) {
    match &place.kind {
        PlaceKind::Var(var) => (Start::Variable(*var), Vec::new()),
        PlaceKind::Deref(pointer) => (Start::Pointer(pointer), Vec::new()),
        PlaceKind::Temp(_) | PlaceKind::Compound(..) => (Start::Own, Vec::new()),
        PlaceKind::Field(base, field) => {
            let (start, mut steps) = way(base);
            steps.push(Step::Field(base.ty.id, *field));
            (start, steps)
        }
        PlaceKind::Index(base, index) => {
            let (start, mut steps) = way(base);
            steps.push(Step::Index(index));
            (start, steps)
        }
    }
}

/// May both places, with their classes, be the same object? A variable's place and one that a pointer leads to are
/// compared by classes, not here.
fn may_overlap(a: (&Place, Option<NodeId>), b: (&Place, Option<NodeId>), alias: &Alias<'_>) -> bool {
    let ((a, class_a), (b, class_b)) = (a, b);
    let ((start_a, steps_a), (start_b, steps_b)) = (way(a), way(b));
    let types = &alias.unit.types;
    let is_same_start = match (start_a, start_b) {
        (Start::Variable(x), Start::Variable(y)) if x == y => true,
        (Start::Pointer(p), Start::Pointer(q)) if class_a.map(|c| alias.find(c)) == class_b.map(|c| alias.find(c)) => {
            let ((p, i), (q, j)) = (and_number(p, types), and_number(q, types));
            let is_same = is_same_value(p, q, types);
            if is_same && i != j {
                return false;
            }
            is_same
        }
        _ => return false,
    };
    let differ = |pair: (&Step<'_>, &Step<'_>)| match pair {
        (Step::Field(record, f), Step::Field(other, g)) => {
            let is_union = |ty: &TypeId| matches!(types.get(*ty), Type::Record(id) if types.records[*id].is_union);
            record == other && f != g && !is_union(record)
        }
        (Step::Index(i), Step::Index(j)) => {
            let ((x, i), (y, j)) = (and_number(i, types), and_number(j, types));
            is_same_value(x, y, types) && i != j
        }
        _ => false,
    };
    if is_same_start {
        return !steps_a.iter().zip(&steps_b).any(differ);
    }
    // Two pointers: objects of different types are different, but for bytes.
    let is_byte = |place: &Place| types.size_of(place.ty.id) == Some(1);
    let are_members_apart = steps_a.last().zip(steps_b.last()).is_some_and(differ);
    (a.ty.id == b.ty.id || is_byte(a) || is_byte(b)) && !are_members_apart
}

/// An index or pointer as something and a number of elements beside it; a number alone is beside nothing (which is
/// itself).
fn and_number<'e>(e: &'e Expr, types: &Types) -> (Option<&'e Expr>, i128) {
    let e = without_widening(e, types);
    match &e.kind {
        ExprKind::Int(n) => (None, *n),
        ExprKind::Binary(BinOp::Add, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Int(n)) => (Some(a), *n),
            (ExprKind::Int(n), _) => (Some(b), *n),
            _ => (Some(e), 0),
        },
        ExprKind::Binary(BinOp::Sub, a, b) => match b.kind {
            ExprKind::Int(n) => (Some(a), -n),
            _ => (Some(e), 0),
        },
        ExprKind::PtrAdd { ptr, index, negative, .. } => match index.kind {
            ExprKind::Int(n) => (Some(ptr), if *negative { -n } else { n }),
            _ => (Some(e), 0),
        },
        _ => (Some(e), 0),
    }
}

/// Conversions to types that are not smaller keep what matters: equal values stay equal, different ones different.
fn without_widening<'e>(mut e: &'e Expr, types: &Types) -> &'e Expr {
    while let ExprKind::Convert(inner) = &e.kind
        && types.size_of(inner.ty) <= types.size_of(e.ty)
    {
        e = inner;
    }
    e
}

/// Are both the same expression of variables that nothing here changes?
fn is_same_value(a: Option<&Expr>, b: Option<&Expr>, types: &Types) -> bool {
    fn same_place(a: &Place, b: &Place, types: &Types) -> bool {
        match (&a.kind, &b.kind) {
            (PlaceKind::Var(x), PlaceKind::Var(y)) => x == y,
            (PlaceKind::Deref(p), PlaceKind::Deref(q)) => same(p, q, types),
            (PlaceKind::Field(x, f), PlaceKind::Field(y, g)) => f == g && same_place(x, y, types),
            (PlaceKind::Index(x, i), PlaceKind::Index(y, j)) => same_place(x, y, types) && same(i, j, types),
            _ => false,
        }
    }
    fn same(a: &Expr, b: &Expr, types: &Types) -> bool {
        match (&without_widening(a, types).kind, &without_widening(b, types).kind) {
            (ExprKind::Int(m), ExprKind::Int(n)) => m == n,
            (ExprKind::Load(x), ExprKind::Load(y)) | (ExprKind::AddrOf(x), ExprKind::AddrOf(y)) => {
                same_place(x, y, types)
            }
            (ExprKind::Binary(f, x, y), ExprKind::Binary(g, u, v)) => f == g && same(x, u, types) && same(y, v, types),
            (
                ExprKind::PtrAdd { ptr: x, index: y, negative: f, .. },
                ExprKind::PtrAdd { ptr: u, index: v, negative: g, .. },
            ) => f == g && same(x, u, types) && same(y, v, types),
            _ => false,
        }
    }
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same(a, b, types),
        _ => false,
    }
}
