//! Products of an explicit automaton with a lazy one.
//!
//! One construction serves intersection and difference, over finite and over infinite words: what
//! differs is the second operand (an automaton or a complement) and the acceptance.
//!
//! Over finite words a pair accepts if both components do. Over infinite words both must accept
//! infinitely often, though not at the same time: the classical two-track product waits on track 0
//! for the first component and on track 1 for the second. If every state of the first automaton accepts
//! (a program whose infinite runs all count) there is nothing to wait for and one track is enough.

use crate::explore::{Successors, explore};
use crate::lazy::{Complement, DeterministicNwa, LazyNwa};
use crate::nwa::{Letter, Nwa, StateId};
use base::{Budget, IdVec};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A product automaton; `pairs` says for each state which states of the operands it stands for.
#[derive(Clone, Debug)]
pub struct Product<L> {
    pub automaton: Nwa<L>,
    pub pairs: IdVec<StateId, (StateId, StateId)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Acceptance {
    /// Both components accept now.
    Both,
    /// The second component accepts now (the first always does).
    Second,
    /// Both accept infinitely often.
    TwoTracks,
}

type Node = (StateId, StateId, bool);

struct Pairs<'a, L, B> {
    a: &'a Nwa<L>,
    b: &'a mut B,
    acceptance: Acceptance,
    nodes: IdVec<StateId, Node>,
    ids: HashMap<Node, StateId, FxBuildHasher>,
    answers: Vec<StateId>,
}

impl<L: Letter, B: LazyNwa<L>> Pairs<'_, L, B> {
    fn id(&mut self, node: Node) -> StateId {
        *self.ids.entry(node).or_insert_with(|| self.nodes.push(node))
    }
    /// The track after leaving `node`: waiting for the second component or not.
    fn next_track(&self, (qa, qb, second): Node) -> bool {
        match self.acceptance {
            Acceptance::Both | Acceptance::Second => false,
            Acceptance::TwoTracks if second => !self.b.is_accepting(qb),
            Acceptance::TwoTracks => self.a.is_accepting(qa),
        }
    }
    fn pair_up(&mut self, letter: L, target: StateId, track: bool, answers: &[StateId], out: &mut Vec<(L, StateId)>) {
        for &answer in answers {
            if !self.b.is_dead(answer) {
                let id = self.id((target, answer, track));
                out.push((letter, id));
            }
        }
    }
}

impl<L: Letter, B: LazyNwa<L>> Successors<L> for Pairs<'_, L, B> {
    type Error = B::Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), B::Error> {
        let mut firsts = Vec::new();
        self.b.initial(&mut firsts)?;
        let a = self.a;
        for &qa in a.initial() {
            for &qb in &firsts {
                if !self.b.is_dead(qb) {
                    out.push(self.id((qa, qb, false)));
                }
            }
        }
        Ok(())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        let (qa, qb, second) = self.nodes[state];
        match self.acceptance {
            Acceptance::Both => self.a.is_accepting(qa) && self.b.is_accepting(qb),
            Acceptance::Second => self.b.is_accepting(qb),
            Acceptance::TwoTracks => !second && self.a.is_accepting(qa),
        }
    }
    fn internal(&mut self, state: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), B::Error> {
        let node = self.nodes[state];
        let track = self.next_track(node);
        let a = self.a;
        let mut answers = std::mem::take(&mut self.answers);
        let mut asked = None;
        for &(letter, target) in a.internal(node.0) {
            // Several edges with the same letter ask the same question once.
            if asked != Some(letter) {
                answers.clear();
                self.b.internal(node.1, letter, &mut answers)?;
                asked = Some(letter);
            }
            self.pair_up(letter, target, track, &answers, out);
        }
        self.answers = answers;
        Ok(())
    }
    fn calls(&mut self, state: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), B::Error> {
        let node = self.nodes[state];
        let track = self.next_track(node);
        let a = self.a;
        let mut answers = std::mem::take(&mut self.answers);
        for &(letter, target) in a.calls(node.0) {
            answers.clear();
            self.b.call(node.1, letter, &mut answers)?;
            self.pair_up(letter, target, track, &answers, out);
        }
        self.answers = answers;
        Ok(())
    }
    fn returns(&mut self, state: StateId, hier: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), B::Error> {
        let (node, hier) = (self.nodes[state], self.nodes[hier]);
        let track = self.next_track(node);
        let a = self.a;
        let mut answers = std::mem::take(&mut self.answers);
        for &(_, letter, target) in a.returns_with(node.0, hier.0) {
            answers.clear();
            self.b.ret(node.1, hier.1, letter, &mut answers)?;
            self.pair_up(letter, target, track, &answers, out);
        }
        self.answers = answers;
        Ok(())
    }
}

fn product<L: Letter, B: LazyNwa<L>>(
    a: &Nwa<L>,
    b: &mut B,
    acceptance: Acceptance,
    budget: &Budget,
) -> Result<Product<L>, B::Error> {
    let mut pairs = Pairs { a, b, acceptance, nodes: IdVec::new(), ids: HashMap::default(), answers: Vec::new() };
    let explored = explore(&mut pairs, budget)?;
    let pairs = explored.origin.values().map(|q| (pairs.nodes[*q].0, pairs.nodes[*q].1)).collect();
    Ok(Product { automaton: explored.automaton, pairs })
}

/// L(a) ∩ L(b) over finite nested words.
pub fn intersection<L: Letter, B: LazyNwa<L>>(a: &Nwa<L>, b: &mut B, budget: &Budget) -> Result<Product<L>, B::Error> {
    product(a, b, Acceptance::Both, budget)
}

/// L(a) ∖ L(b) over finite nested words, for a deterministic total `b`. Pairs in which `b` is in
/// an accepting trap are left out. For a nondeterministic `b` wrap it in
/// [`Determinised`](crate::Determinised).
pub fn difference<L: Letter, D: DeterministicNwa<L>>(
    a: &Nwa<L>,
    b: &mut D,
    budget: &Budget,
) -> Result<Product<L>, D::Error> {
    intersection(a, &mut Complement(b), budget)
}

/// The intersection over infinite words: Büchi acceptance in both operands and in the result. With
/// a complement as second operand it is the difference.
pub fn buchi_intersection<L: Letter, B: LazyNwa<L>>(
    a: &Nwa<L>,
    b: &mut B,
    budget: &Budget,
) -> Result<Product<L>, B::Error> {
    let acceptance = if a.all_accepting() { Acceptance::Second } else { Acceptance::TwoTracks };
    product(a, b, acceptance, budget)
}
