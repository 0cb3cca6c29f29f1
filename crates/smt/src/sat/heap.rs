//! A binary heap of variables ordered by activity (VSIDS), with positions for increase-key.

use super::types::Var;

#[derive(Default)]
pub(super) struct VarHeap {
    heap: Vec<Var>,
    /// Position in the heap per variable, `u32::MAX` if absent.
    position: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

const ABSENT: u32 = u32::MAX;
const RESCALE_ABOVE: f64 = 1e100;
const DECAY: f64 = 0.95;

impl VarHeap {
    pub(super) fn new() -> VarHeap {
        VarHeap { increment: 1.0, ..VarHeap::default() }
    }
    pub(super) fn grow(&mut self, n_vars: usize) {
        if self.position.len() < n_vars {
            self.position.resize(n_vars, ABSENT);
            self.activity.resize(n_vars, 0.0);
        }
    }
    pub(super) fn insert(&mut self, var: Var) {
        if self.position[var.index()] == ABSENT {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.sift_up(self.heap.len() - 1);
        }
    }
    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.position[top.index()] = ABSENT;
        if top != last {
            self.heap[0] = last;
            self.position[last.index()] = 0;
            self.sift_down(0);
        }
        Some(top)
    }
    pub(super) fn bump(&mut self, var: Var) {
        let a = &mut self.activity[var.index()];
        *a += self.increment;
        if *a > RESCALE_ABOVE {
            for a in &mut self.activity {
                *a /= RESCALE_ABOVE;
            }
            self.increment /= RESCALE_ABOVE;
        }
        let p = self.position[var.index()];
        if p != ABSENT {
            self.sift_up(p as usize);
        }
    }
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }
    /// Higher activity first; ties by variable number, so that runs are repeatable.
    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a.index()], self.activity[b.index()]);
        x > y || (x == y && a < b)
    }
    fn sift_up(&mut self, mut i: usize) {
        let var = self.heap[i];
        while i > 0 {
            let up = (i - 1) / 2;
            if !self.before(var, self.heap[up]) {
                break;
            }
            self.heap[i] = self.heap[up];
            self.position[self.heap[i].index()] = i as u32;
            i = up;
        }
        self.heap[i] = var;
        self.position[var.index()] = i as u32;
    }
    fn sift_down(&mut self, mut i: usize) {
        let var = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.heap[i] = self.heap[child];
            self.position[self.heap[i].index()] = i as u32;
            i = child;
        }
        self.heap[i] = var;
        self.position[var.index()] = i as u32;
    }
}
