//! An abstract interpretation of each thread by itself: what a thread knows at a location, whatever the other
//! threads do.
//!
//! Thread-modular analysis of lock sets, in the spirit of Goblint (Vojdani, Apinis, Rõtov, Seidl, Vene and Vogler:
//! Static race detection for device drivers: the Goblint approach, ASE 2016): an abstract state ([`Facts`]) has the
//! values of locals, the values of shared cells that no other thread writes meanwhile, the path condition, the
//! locks that are held (a must-lockset), and the threads that may be running. Departures: values are symbolic,
//! locks are ordinary shared cells that obey a discipline, and the result is a certificate ([`ThreadProof`]) that
//! `check` proves inductive and free of interference, as Owicki and Gries do.
//!
//! **Symbols** are constants that stand for one value each and are existentially quantified over a whole abstract
//! state. The symbols of the state at a thread's entry keep their values as long as the thread lives.
//!
//! **Abstract threads** are named by where they are created: a fork edge, and the abstract thread that takes it.
//! One is unique if that happens at most once.
//!
//! **Locks** are shared cells that obey a discipline: the thread that changes one from zero to something else owns
//! it, and no other thread sets it to zero. Then at most one thread owns a lock. A lock may have a second cell that
//! counts readers, which own it together. The discipline is checked at every step ([`Step::broken`]).
//!
//! **Objects.** An address that was taken from a counter that only grows is private until it escapes: is stored in
//! a shared cell or passed to a thread. That assumes that no access leaves the object that its address was derived
//! from; in C such an access is undefined behaviour.
//!
//! `abstract_threads` finds the threads, `counters` the fresh addresses and thread numbers, `locks` the locks and
//! their discipline. `facts` are the abstract states, `symbolic` evaluates terms in them, `transfer` makes steps.
//! `conflicts` says which accesses of two threads may conflict, `proof` is the certificate.

mod abstract_threads;
mod conflicts;
mod counters;
mod facts;
mod locks;
mod proof;
mod symbolic;
mod transfer;

pub use abstract_threads::{AbstractThread, ThreadId, Threads, components};
pub use conflicts::{Side, Written, conflict};
pub use facts::{Cell, Facts, are_distinct, forget, is_private, replace, symbols};
pub use proof::{Distinct, ThreadProof};
pub use symbolic::NewSymbol;
pub use transfer::{Place, Step};
