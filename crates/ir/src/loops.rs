//! Loop heads.
//!
//! A location is a loop head if a depth-first search from its procedure's entry finds an edge back to
//! it from below. Every cycle has such an edge, whatever its shape, so every cycle passes
//! through a head; in reducible graphs the heads are those of the natural loops. A call counts as a step
//! to the location after it.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use base::IdVec;
use std::collections::{BTreeMap, BTreeSet};

/// What a depth-first search of a procedure finds.
pub struct LocalOrder {
    /// `u32::MAX`: not reached.
    pub rank: IdVec<LocId, u32>,
    /// Every cycle passes through one of these.
    pub heads: BTreeSet<LocId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Color {
    New,
    Open,
    Done,
}

impl Icfg {
    /// The edges that leave a location within its procedure, where a call leads to the location after it: pairs of the
    /// edge (the call edge for a call) and its target.
    pub fn local_successors(&self, loc: LocId) -> impl Iterator<Item = (EdgeId, LocId)> + '_ {
        self.out_edges(loc).iter().filter_map(|&e| match self.edges[e].label {
            Label::Call(site) => Some((e, self.edges[self.call_sites[site].return_edge].dst)),
            Label::Return(_) => None,
            Label::Stmt(_)
            | Label::Block(_)
            | Label::Fork { .. }
            | Label::Join { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd => Some((e, self.edges[e].dst)),
        })
    }

    /// A position for every location of a procedure that can be reached from `from`, and the loop heads among
    /// them: an edge that does not enter one of these heads goes forward.
    pub fn local_order(&self, from: LocId) -> LocalOrder {
        let mut color = IdVec::from_elem(Color::New, self.locs.len());
        let mut rank = IdVec::from_elem(u32::MAX, self.locs.len());
        let (mut postorder, mut heads) = (Vec::new(), BTreeSet::new());
        self.search(from, &mut color, &mut postorder, &mut heads);
        for (i, &loc) in postorder.iter().rev().enumerate() {
            rank[loc] = i as u32;
        }
        LocalOrder { rank, heads }
    }

    /// A depth-first search: the locations in the order in which they are left for good, and those to which an edge
    /// goes back.
    fn search(
        &self,
        from: LocId,
        color: &mut IdVec<LocId, Color>,
        postorder: &mut Vec<LocId>,
        heads: &mut BTreeSet<LocId>,
    ) {
        if color[from] != Color::New {
            return;
        }
        let open = |loc: LocId| {
            let mut next: Vec<LocId> = self.local_successors(loc).map(|(_, to)| to).collect();
            next.reverse();
            (loc, next)
        };
        color[from] = Color::Open;
        let mut stack: Vec<(LocId, Vec<LocId>)> = vec![open(from)];
        while let Some((loc, rest)) = stack.last_mut() {
            let Some(next) = rest.pop() else {
                color[*loc] = Color::Done;
                postorder.push(*loc);
                stack.pop();
                continue;
            };
            match color[next] {
                Color::New => {
                    color[next] = Color::Open;
                    stack.push(open(next));
                }
                Color::Open => {
                    heads.insert(next);
                }
                Color::Done => {}
            }
        }
    }

    /// The loops of the procedure that starts at `from`: the locations from which a step back to the head can be
    /// reached without passing it.
    pub fn loop_bodies(&self, from: LocId) -> BTreeMap<LocId, BTreeSet<LocId>> {
        let order = self.local_order(from);
        let mut bodies = BTreeMap::new();
        for &head in &order.heads {
            let mut body = BTreeSet::from([head]);
            let goes_back = |e: &&EdgeId| {
                let src = self.edges[**e].src;
                order.rank[src] != u32::MAX && order.rank[src] >= order.rank[head]
            };
            let mut open: Vec<LocId> =
                self.in_edges(head).iter().filter(goes_back).map(|e| self.edges[*e].src).collect();
            while let Some(loc) = open.pop() {
                if order.rank[loc] != u32::MAX && body.insert(loc) {
                    open.extend(self.in_edges(loc).iter().map(|e| self.edges[*e].src));
                }
            }
            bodies.insert(head, body);
        }
        bodies
    }

    /// Marks the loop heads of all procedures anew.
    pub fn mark_loop_heads(&mut self) {
        let mut color = IdVec::from_elem(Color::New, self.locs.len());
        let mut heads = BTreeSet::new();
        for proc in self.procs.values() {
            self.search(proc.entry, &mut color, &mut Vec::new(), &mut heads);
        }
        for (id, loc) in self.locs.iter_mut() {
            loc.is_loop_head = heads.contains(&id);
        }
    }
}
