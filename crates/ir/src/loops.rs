//! Loop heads.
//!
//! A location is a loop head if a depth-first search from its procedure's entry finds an edge back to
//! it from below. Every cycle has such an edge, whatever its shape, so every cycle passes
//! through a head; in reducible graphs the heads are those of the natural loops. A call counts as a step
//! to the location after it.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use base::IdVec;

impl Icfg {
    /// The edges that leave a location within its procedure, where a call leads to the location after
    /// it: pairs of the edge (the call edge for a call) and where control goes on.
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

    /// A position for every location of a procedure that can be reached from `from`, such that edges go
    /// forward if the procedure is acyclic.
    pub fn local_rank(&self, from: LocId) -> IdVec<LocId, u32> {
        let mut rank = IdVec::from_elem(u32::MAX, self.locs.len());
        let mut seen = IdVec::from_elem(false, self.locs.len());
        let mut postorder = Vec::new();
        let mut stack: Vec<(LocId, Vec<LocId>)> = vec![(from, self.local_successors(from).map(|(_, to)| to).collect())];
        seen[from] = true;
        while let Some((loc, rest)) = stack.last_mut() {
            let Some(next) = rest.pop() else {
                postorder.push(*loc);
                stack.pop();
                continue;
            };
            if !std::mem::replace(&mut seen[next], true) {
                stack.push((next, self.local_successors(next).map(|(_, to)| to).collect()));
            }
        }
        for (i, &loc) in postorder.iter().rev().enumerate() {
            rank[loc] = i as u32;
        }
        rank
    }

    /// Marks the loop heads of all procedures anew.
    pub fn mark_loop_heads(&mut self) {
        for (_, loc) in self.locs.iter_mut() {
            loc.is_loop_head = false;
        }
        #[derive(Clone, Copy, PartialEq)]
        enum Color {
            New,
            Open,
            Done,
        }
        let mut color = IdVec::from_elem(Color::New, self.locs.len());
        let mut heads = Vec::new();
        let entries: Vec<LocId> = self.procs.values().map(|p| p.entry).collect();
        for entry in entries {
            let mut stack: Vec<(LocId, Vec<LocId>)> = Vec::new();
            let open = |icfg: &Icfg, loc: LocId| {
                let mut next: Vec<LocId> = icfg.local_successors(loc).map(|(_, to)| to).collect();
                next.reverse();
                (loc, next)
            };
            if color[entry] == Color::New {
                color[entry] = Color::Open;
                stack.push(open(self, entry));
            }
            while let Some((loc, rest)) = stack.last_mut() {
                let Some(next) = rest.pop() else {
                    color[*loc] = Color::Done;
                    stack.pop();
                    continue;
                };
                match color[next] {
                    Color::New => {
                        color[next] = Color::Open;
                        let frame = open(self, next);
                        stack.push(frame);
                    }
                    Color::Open => heads.push(next),
                    Color::Done => {}
                }
            }
        }
        for head in heads {
            self.locs[head].is_loop_head = true;
        }
    }
}
