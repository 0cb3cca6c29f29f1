//! Automata over nested words, finite and infinite: generic in the letter, lazy, no solver in sight.
//!
//! | what | where |
//! |---|---|
//! | explicit automata, nested words, runs | [`Nwa`], [`Symbol`], [`NestedRun`], [`matching`] |
//! | automata computed on demand | [`LazyNwa`] (nondeterministic), [`DeterministicNwa`] (deterministic and total) |
//! | adaptors | `&Nwa` is a `LazyNwa`; [`Totalised`], [`Determinised`], [`Complement`], [`AsLazy`] |
//! | L(A) ∩ L(B), L(A) ∖ L(B) | [`intersection`], [`difference`]: A explicit, B lazy; B is asked only what A needs |
//! | emptiness, shortest witness | [`shortest_accepted`] |
//! | smaller automata | [`remove_dead_ends`], [`remove_non_live`] (infinite words), [`minimise`] |
//! | make a lazy automaton explicit | [`materialise`], [`explore`] |
//! | infinite words | [`buchi`]: lassos, complements; [`buchi_intersection`] is also the difference |
//!
//! A finite automaton is an [`Nwa`] with internal edges only; nothing is paid for the calls it does
//! not have. Everything is deterministic: state numbers, witnesses and edge orders depend only on the
//! input. Long operations poll a [`base::Budget`].
//!
//! A typical round of trace abstraction:
//!
//! ```
//! use automata::*;
//! let budget = base::Budget::unlimited();
//! // The program: q0 -a-> q0, q0 -b-> q1 (accepting: an error location).
//! let mut program: Nwa<char> = Nwa::new();
//! let (q0, q1) = (program.add_state(false), program.add_state(true));
//! program.add_initial(q0);
//! program.add_internal(q0, 'a', q0);
//! program.add_internal(q0, 'b', q1);
//! let trace = shortest_accepted(&program, &budget).unwrap().unwrap();
//! assert_eq!(trace.letters(), ['b']);
//!
//! // An interpolant automaton with every trace that starts with b.
//! struct StartsWithB;
//! const FIRST: StateId = StateId(0);
//! const INFEASIBLE: StateId = StateId(1);
//! const OTHER: StateId = StateId(2);
//! impl DeterministicNwa<char> for StartsWithB {
//!     type Error = base::Stop;
//!     fn initial(&mut self) -> Result<StateId, base::Stop> { Ok(FIRST) }
//!     fn is_accepting(&self, q: StateId) -> bool { q == INFEASIBLE }
//!     fn is_accepting_trap(&self, q: StateId) -> bool { q == INFEASIBLE }
//!     fn internal(&mut self, q: StateId, letter: char) -> Result<StateId, base::Stop> {
//!         Ok(match (q, letter) { (FIRST, 'b') => INFEASIBLE, (FIRST, _) => OTHER, _ => q })
//!     }
//!     fn call(&mut self, q: StateId, _: char) -> Result<StateId, base::Stop> { Ok(q) }
//!     fn ret(&mut self, q: StateId, _: StateId, _: char) -> Result<StateId, base::Stop> { Ok(q) }
//! }
//! let rest = difference(&program, &mut StartsWithB, &budget).unwrap();
//! let rest = remove_dead_ends(&rest.automaton, &budget).unwrap();
//! let rest = minimise(&rest.automaton, |_| 0, &budget).unwrap();
//! let trace = shortest_accepted(&rest.automaton, &budget).unwrap().unwrap();
//! assert_eq!(trace.letters(), ['a', 'b']);
//! ```

pub mod buchi;
mod determinise;
mod emptiness;
mod explore;
mod lazy;
pub mod ltl;
mod minimise;
mod nwa;
mod product;
mod summary;
mod trim;

pub use determinise::Determinised;
pub use emptiness::shortest_accepted;
pub use explore::{BOTTOM, DoubleDeckers, Explored, Successors, explore, materialise};
pub use lazy::{AsLazy, Complement, DeterministicNwa, LazyNwa, Totalised};
pub use minimise::{Minimised, minimise};
pub use nwa::{Alphabet, Letter, NestedRun, Nwa, StateId, Symbol, matching};
pub use product::{Product, buchi_intersection, difference, intersection};
pub use summary::LONGEST_RUN;
pub use trim::{Trimmed, remove_dead_ends, remove_non_live};
