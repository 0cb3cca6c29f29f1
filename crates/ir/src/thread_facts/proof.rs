//! The certificate: abstract states of all abstract threads that are inductive, stable under interference, and
//! exclude every error.

use super::{AbstractThread, Facts, ThreadId};
use crate::icfg::{EdgeId, LocId};
use crate::program::VarId;
use logic::{TermId, TermPool};
use std::collections::BTreeMap;

/// How the values of an entry symbol differ in threads of the same kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Distinct {
    /// They are different numbers.
    Numbers,
    /// They are addresses of different objects of this size.
    Objects(u32),
}

impl Distinct {
    /// That the values of such a symbol in two threads are different.
    pub fn apart(self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        match self {
            Distinct::Numbers => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            Distinct::Objects(size) => {
                let size = pool.int(size.into());
                let (end_a, end_b) = (pool.add(&[a, size]), pool.add(&[b, size]));
                let (first, second) = (pool.le(end_a, b), pool.le(end_b, a));
                pool.or2(first, second)
            }
        }
    }
}

/// A proof that no error is reached: facts that hold whenever a thread is at a location, whatever the others do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadProof {
    /// The proof is about the graph in which loops that create or join threads are written out so often
    /// ([`crate::thread_loops`]).
    pub written_out: usize,
    /// The first is the root.
    pub threads: Vec<AbstractThread>,
    /// Absent: no such thread comes there.
    pub facts: BTreeMap<(ThreadId, LocId), Facts>,
    /// The variables that are locks, with the one that counts readers.
    pub locks: BTreeMap<VarId, Option<VarId>>,
    pub distinct: BTreeMap<ThreadId, BTreeMap<TermId, Distinct>>,
    /// The symbols that stand for the values that a step finds, in order.
    pub found: BTreeMap<(ThreadId, EdgeId), Vec<TermId>>,
    /// What the symbols at the entry of a thread are to its creator.
    pub passed: BTreeMap<(ThreadId, EdgeId), Vec<(TermId, TermId)>>,
}
