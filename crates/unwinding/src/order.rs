//! A weak topological order (Bourdoncle: Efficient Chaotic Iteration Strategies with Widenings, 1993): locations in an
//! order in which every cycle is a component with a head, components inside each other.
//!
//! Strongly connected components are found without recursion; inside a component its head is taken out and the rest is
//! ordered again, so the depth is that of the loops.

use base::IdVec;
use ir::LocId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    Location(LocId),
    /// The head, and the rest of the component.
    Component(LocId, Vec<Element>),
}

/// The order of the locations that can be reached from `entry`.
pub fn weak_topological_order(n_locs: usize, entry: LocId, successors: &dyn Fn(LocId) -> Vec<LocId>) -> Vec<Element> {
    let mut search = Search {
        successors,
        inside: IdVec::from_elem(0, n_locs),
        index: IdVec::from_elem(0, n_locs),
        low: IdVec::from_elem(0, n_locs),
        is_open: IdVec::from_elem(false, n_locs),
        n: 0,
    };
    search.order(&[entry], 0)
}

struct Search<'a> {
    successors: &'a dyn Fn(LocId) -> Vec<LocId>,
    /// How deep in components a location is; only locations of the present depth are followed.
    inside: IdVec<LocId, u32>,
    index: IdVec<LocId, u32>,
    low: IdVec<LocId, u32>,
    is_open: IdVec<LocId, bool>,
    n: u32,
}

impl Search<'_> {
    fn order(&mut self, starts: &[LocId], depth: u32) -> Vec<Element> {
        let mut found: Vec<Element> = Vec::new();
        let first = self.n;
        for &start in starts {
            if self.inside[start] == depth && self.index[start] <= first {
                self.search(start, depth, first, &mut found);
            }
        }
        found.reverse();
        found
    }

    /// Tarjan's algorithm from one location: components in the reverse of a topological order.
    fn search(&mut self, start: LocId, depth: u32, first: u32, found: &mut Vec<Element>) {
        let mut open: Vec<LocId> = Vec::new();
        let mut stack: Vec<(LocId, Vec<LocId>)> = Vec::new();
        self.enter(start, &mut open, &mut stack);
        while let Some((loc, rest)) = stack.last_mut() {
            let loc = *loc;
            if let Some(next) = rest.pop() {
                if self.inside[next] != depth {
                    continue;
                }
                if self.index[next] <= first {
                    self.enter(next, &mut open, &mut stack);
                } else if self.is_open[next] {
                    self.low[loc] = self.low[loc].min(self.index[next]);
                }
                continue;
            }
            stack.pop();
            if let Some((parent, _)) = stack.last() {
                self.low[*parent] = self.low[*parent].min(self.low[loc]);
            }
            if self.low[loc] != self.index[loc] {
                continue;
            }
            let at = open.iter().rposition(|&l| l == loc).unwrap_or(0);
            let component = open.split_off(at);
            for &l in &component {
                self.is_open[l] = false;
            }
            let is_cycle = component.len() > 1 || (self.successors)(loc).contains(&loc);
            if !is_cycle {
                found.push(Element::Location(loc));
                continue;
            }
            for &l in &component {
                self.inside[l] = if l == loc { u32::MAX } else { depth + 1 };
            }
            let starts: Vec<LocId> = (self.successors)(loc);
            let body = self.order(&starts, depth + 1);
            // What is left of the component is never looked at again.
            for &l in &component {
                self.inside[l] = u32::MAX;
            }
            found.push(Element::Component(loc, body));
        }
    }

    fn enter(&mut self, loc: LocId, open: &mut Vec<LocId>, stack: &mut Vec<(LocId, Vec<LocId>)>) {
        self.n += 1;
        self.index[loc] = self.n;
        self.low[loc] = self.n;
        self.is_open[loc] = true;
        open.push(loc);
        let mut next = (self.successors)(loc);
        next.reverse();
        stack.push((loc, next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(n: usize, edges: &[(u32, u32)]) -> Vec<Element> {
        let successors = |l: LocId| edges.iter().filter(|e| e.0 == l.0).map(|e| LocId(e.1)).collect::<Vec<LocId>>();
        weak_topological_order(n, LocId(0), &successors)
    }

    /// The example of the paper: 1 2 (3 4 (5 6) 7) 8.
    #[test]
    fn the_order_of_the_paper() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 4), (4, 6), (5, 6), (6, 2), (2, 7), (1, 7)];
        let at = |l: u32| Element::Location(LocId(l));
        let inner = Element::Component(LocId(4), vec![at(5)]);
        let outer = Element::Component(LocId(2), vec![at(3), inner, at(6)]);
        assert_eq!(order(8, &edges), vec![at(0), at(1), outer, at(7)]);
    }

    /// On random graphs: every location that can be reached is in the order once, and an edge against the order enters
    /// the head of a component around its source.
    #[test]
    fn edges_against_the_order_enter_heads() {
        let mut random = base::Random::new(7);
        let mut random = |n: usize| random.below(n);
        for _ in 0..300 {
            let n = 2 + random(9);
            let edges: Vec<(u32, u32)> = (0..random(3 * n) + 1).map(|_| (random(n) as u32, random(n) as u32)).collect();
            let found = order(n, &edges);
            let mut place: Vec<(u32, Vec<u32>)> = Vec::new();
            fn list(elements: &[Element], around: &[u32], place: &mut Vec<(u32, Vec<u32>)>) {
                for e in elements {
                    match e {
                        Element::Location(l) => place.push((l.0, around.to_vec())),
                        Element::Component(head, body) => {
                            let inside: Vec<u32> = around.iter().copied().chain([head.0]).collect();
                            place.push((head.0, inside.clone()));
                            list(body, &inside, place);
                        }
                    }
                }
            }
            list(&found, &[], &mut place);
            let mut reached = vec![0u32];
            let mut i = 0;
            while i < reached.len() {
                let more: Vec<u32> = edges.iter().filter(|e| e.0 == reached[i]).map(|e| e.1).collect();
                for m in more {
                    if !reached.contains(&m) {
                        reached.push(m);
                    }
                }
                i += 1;
            }
            let mut listed: Vec<u32> = place.iter().map(|p| p.0).collect();
            listed.sort_unstable();
            reached.sort_unstable();
            assert_eq!(listed, reached);
            for (a, b) in edges.iter().filter(|e| reached.contains(&e.0)) {
                let position = |l: &u32| place.iter().position(|p| p.0 == *l).unwrap_or_default();
                let (from, to) = (position(a), position(b));
                assert!(from < to || place[from].1.contains(b), "{edges:?} {found:?}");
            }
        }
    }
}
