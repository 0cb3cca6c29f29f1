//! Threads that may be joined more often than once.
//!
//! Joining a thread that was joined before is undefined (POSIX `pthread_join`), so it has to be found out. A ghost that
//! says which threads were joined costs steps that others see; the text mostly shows that none is needed: each join
//! names another variable, another constant index, or the counter of a loop as the index, or the thread was created
//! anew.

use rustc_hash::FxHashSet;

use super::reachability::Reachability;
use crate::hir::*;
use crate::types::TypeId;
use crate::visit::{Visit, parts_of_expr, parts_of_stmt, root};

/// May some thread be joined twice, syntactically?
pub(super) fn may_be_twice(unit: &Unit, reach: &Reachability, entries: &[FuncId]) -> bool {
    let mut all: Vec<Site> = Vec::new();
    let (mut created, mut copied) = (FxHashSet::default(), FxHashSet::default());
    for &func in &reach.functions {
        let runs_once =
            entries.contains(&func) && !reach.called.contains(&func) && !reach.address_taken.contains(&func);
        let mut scan = Scan { unit, loops: Vec::new(), n_loops: 0, sites: Vec::new(), copied: FxHashSet::default() };
        unit.funcs[func].body.iter().for_each(|body| scan.stmts(body));
        copied.extend(scan.copied.iter().copied());
        created.extend(scan.sites.iter().filter(|s| !s.is_join).filter_map(|s| s.thread.as_ref()).map(|t| t.key()));
        if scan.sites.iter().any(|site| site.is_join && !site.is_once(unit, runs_once, &scan.sites)) {
            return true;
        }
        let is_own = |site: &Site| site.thread.as_ref().is_some_and(|t| is_own(unit, t.variable));
        let joins = scan.sites.iter().filter(|s| s.is_join);
        for (i, one) in joins.clone().enumerate() {
            if joins.clone().skip(i + 1).any(|other| one.may_meet(other) && !created_between(&scan.sites, one, other)) {
                return true;
            }
        }
        // Variables of one activation are not shared.
        all.extend(
            scan.sites.into_iter().filter(|s| s.is_join && !is_own(s)).map(|s| Site { function: Some(func), ..s }),
        );
    }
    // A number that is copied has two names.
    if created.iter().any(|thread| copied.contains(thread)) {
        return true;
    }
    let mut pairs = all.iter().enumerate().flat_map(|(i, one)| all[i + 1..].iter().map(move |other| (one, other)));
    pairs.any(|(one, other)| one.function != other.function && one.may_meet(other))
}

/// Is it a new variable in each call of its function?
fn is_own(unit: &Unit, var: VarId) -> bool {
    matches!(unit.vars[var].storage, Storage::Local)
}

/// A variable with the number of a thread, or a part of one: members, and indices as far as they are constant.
#[derive(Clone, PartialEq, Eq)]
struct Thread {
    variable: VarId,
    parts: Vec<Option<i128>>,
    /// The variable that is the only index that is not constant.
    counter: Option<VarId>,
    /// The type of the number.
    ty: TypeId,
}

impl Thread {
    fn key(&self) -> (VarId, TypeId) {
        (self.variable, self.ty)
    }
}

/// A call that creates or joins a thread.
struct Site {
    is_join: bool,
    thread: Option<Thread>,
    /// The loops that it is in, each with the variable that it counts.
    loops: Vec<(usize, Option<VarId>)>,
    function: Option<FuncId>,
}

impl Site {
    /// Does the site join each thread once, however often it is reached?
    fn is_once(&self, unit: &Unit, runs_once: bool, sites: &[Site]) -> bool {
        let Some(thread) = &self.thread else { return false };
        if !runs_once && !is_own(unit, thread.variable) {
            return false;
        }
        match &self.loops[..] {
            [] => true,
            [(_, counter)] if counter.is_some() && *counter == thread.counter => true,
            _ => sites.iter().take_while(|s| !std::ptr::eq(*s, self)).any(|s| s.creates(self)),
        }
    }

    /// May both be about one thread?
    fn may_meet(&self, other: &Site) -> bool {
        let (Some(a), Some(b)) = (&self.thread, &other.thread) else { return true };
        let differ = |(x, y): (&Option<i128>, &Option<i128>)| x.is_some() && y.is_some() && x != y;
        a.variable == b.variable && !a.parts.iter().zip(&b.parts).any(differ)
    }

    /// Is the thread that `join` joins created here, each time?
    fn creates(&self, join: &Site) -> bool {
        !self.is_join && self.thread.is_some() && self.thread == join.thread && self.loops == join.loops
    }
}

fn created_between(sites: &[Site], one: &Site, other: &Site) -> bool {
    let after = sites.iter().skip_while(|s| !std::ptr::eq(*s, one));
    one.loops == other.loops && after.take_while(|s| !std::ptr::eq(*s, other)).any(|s| s.creates(other))
}

struct Scan<'a> {
    unit: &'a Unit,
    loops: Vec<(usize, Option<VarId>)>,
    n_loops: usize,
    sites: Vec<Site>,
    /// What is read other than to join or detach a thread: variables, with the types of what is read of them.
    copied: FxHashSet<(VarId, TypeId)>,
}

impl Scan<'_> {
    fn thread(&self, e: &Expr) -> Option<Thread> {
        match &e.without_conversions().kind {
            ExprKind::Load(place) | ExprKind::AddrOf(place) => {
                let mut thread = Thread { variable: root(place)?, parts: Vec::new(), counter: None, ty: place.ty.id };
                let mut place: &Place = place;
                loop {
                    match &place.kind {
                        PlaceKind::Var(_) => break,
                        PlaceKind::Field(base, field) => {
                            thread.parts.push(Some(i128::from(*field)));
                            place = base;
                        }
                        PlaceKind::Index(base, index) => {
                            let part = match index.kind {
                                ExprKind::Int(n) => Some(n),
                                _ => None,
                            };
                            if part.is_none() {
                                thread.counter = variable(index);
                            }
                            thread.parts.push(part);
                            place = base;
                        }
                        _ => return None,
                    }
                }
                let n_open = thread.parts.iter().filter(|p| p.is_none()).count();
                thread.counter = thread.counter.filter(|_| n_open == 1);
                thread.parts.reverse();
                Some(thread)
            }
            _ => None,
        }
    }
}

/// The variable that is the value of an expression.
fn variable(e: &Expr) -> Option<VarId> {
    match &e.without_conversions().kind {
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

/// Is a variable written in a statement, or may it be by its address?
struct Writes {
    variable: VarId,
    found: bool,
}

impl<'n> Visit<'n> for Writes {
    fn written(&mut self, place: &'n Place) {
        self.found |= root(place) == Some(self.variable);
    }
    fn addressed(&mut self, place: &'n Place) {
        self.found |= root(place) == Some(self.variable);
    }
}

/// What a loop counts: it changes in every step by one, and nowhere else in the loop.
fn counter(stmt: &Stmt) -> Option<VarId> {
    let StmtKind::For { step: Some(step), body, .. } = &stmt.kind else { return None };
    let ExprKind::IncDec { place, .. } = &step.kind else { return None };
    let PlaceKind::Var(variable) = place.kind else { return None };
    let mut writes = Writes { variable, found: false };
    writes.stmt(body);
    (!writes.found).then_some(variable)
}

impl<'n> Visit<'n> for Scan<'_> {
    fn stmt(&mut self, stmt: &'n Stmt) {
        // A label may be jumped back to.
        let is_loop = matches!(
            stmt.kind,
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } | StmtKind::Label(..)
        );
        if is_loop {
            self.n_loops += 1;
            self.loops.push((self.n_loops, counter(stmt)));
        }
        parts_of_stmt(self, stmt);
        if is_loop {
            self.loops.pop();
        }
    }
    fn expr(&mut self, e: &'n Expr) {
        if let ExprKind::Load(place) = &e.kind {
            self.copied.extend(root(place).map(|var| (var, place.ty.id)));
        }
        if let ExprKind::Call { callee: Callee::Direct(func), args } = &e.kind {
            let name = &*self.unit.funcs[*func].name;
            let is_join = match name {
                "pthread_join" | "thrd_join" => Some(true),
                "pthread_create" | "thrd_create" => Some(false),
                _ => None,
            };
            if let (Some(is_join), Some(id)) = (is_join, args.first()) {
                let site = Site { is_join, thread: self.thread(id), loops: self.loops.clone(), function: None };
                self.sites.push(site);
            }
            if is_join == Some(true)
                || matches!(name, "pthread_detach" | "thrd_detach" | "pthread_equal" | "thrd_equal")
            {
                // The number itself is not a copy; a pointer to it may be.
                for arg in args {
                    match &arg.without_conversions().kind {
                        ExprKind::Load(place) => self.place(place),
                        _ => self.expr(arg),
                    }
                }
                return;
            }
        }
        parts_of_expr(self, e);
    }
}
