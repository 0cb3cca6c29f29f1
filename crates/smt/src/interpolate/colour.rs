//! Which side of each cut a term belongs to.
//!
//! Symbols are coloured by the partitions they occur in; a term is inside (outside) a subtree if
//! all its symbols are. Interpreted symbols, numerals and the like are everywhere. Assertions that
//! are in no partition count as being in all of them, so their symbols are shared everywhere.

use super::tree::{Runs, Sides, TreeNode, TreeShape};
use logic::{FastMap, FunId, Op, TermId, TermPool};
use std::rc::Rc;

/// The symbols of the partitions and, on demand, the sides of terms.
pub struct SymbolColours {
    occurrences: FastMap<FunId, Vec<TreeNode>>,
    /// Symbols of assertions outside the tree.
    everywhere: FastMap<FunId, ()>,
    n_nodes: TreeNode,
    symbol_sides: FastMap<FunId, Rc<Runs<Sides>>>,
    term_sides: FastMap<TermId, Rc<Runs<Sides>>>,
    shared_everywhere: Rc<Runs<Sides>>,
}

impl SymbolColours {
    /// `formulas[v]` are the formulas of tree node `v`; `background` those in no partition.
    pub fn new(pool: &TermPool, tree: &TreeShape, formulas: &[Vec<TermId>], background: &[TermId]) -> SymbolColours {
        let mut occurrences: FastMap<FunId, Vec<TreeNode>> = FastMap::default();
        for (v, group) in formulas.iter().enumerate() {
            for symbol in pool.free_symbols_of(group) {
                occurrences.entry(symbol).or_default().push(v as TreeNode);
            }
        }
        let mut everywhere = FastMap::default();
        for symbol in pool.free_symbols_of(background) {
            everywhere.insert(symbol, ());
        }
        let n_nodes = tree.n_nodes() as TreeNode;
        SymbolColours {
            occurrences,
            everywhere,
            n_nodes,
            symbol_sides: FastMap::default(),
            term_sides: FastMap::default(),
            shared_everywhere: Rc::new(Runs::constant(n_nodes, Sides { inside: true, outside: true })),
        }
    }
    /// From now on the (new) symbol counts as shared everywhere.
    pub fn share(&mut self, symbol: FunId) {
        self.everywhere.insert(symbol, ());
    }
    /// Per tree node whether the symbol occurs inside, and outside.
    pub fn symbol(&mut self, tree: &TreeShape, symbol: FunId) -> Rc<Runs<Sides>> {
        if self.everywhere.contains_key(&symbol) {
            return self.shared_everywhere.clone();
        }
        if let Some(known) = self.symbol_sides.get(&symbol) {
            return known.clone();
        }
        let sides = match self.occurrences.get(&symbol) {
            Some(partitions) => tree.sides(partitions),
            None => Runs::constant(self.n_nodes, Sides { inside: false, outside: false }),
        };
        let sides = Rc::new(sides);
        self.symbol_sides.insert(symbol, sides.clone());
        sides
    }
    /// Per tree node whether all symbols of the term occur inside, and all outside.
    pub fn sides(&mut self, pool: &TermPool, tree: &TreeShape, term: TermId) -> Rc<Runs<Sides>> {
        if let Some(known) = self.term_sides.get(&term) {
            return known.clone();
        }
        let mut stack = vec![(term, false)];
        while let Some((t, expanded)) = stack.pop() {
            if self.term_sides.contains_key(&t) {
                continue;
            }
            if !expanded {
                stack.push((t, true));
                stack.extend(pool.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            let mut result = match pool.op(t) {
                Op::App(f) if !pool.fun(f).bound => self.symbol(tree, f),
                _ => self.shared_everywhere.clone(),
            };
            for a in pool.args(t) {
                let argument = &self.term_sides[a];
                if !Rc::ptr_eq(argument, &self.shared_everywhere) && !Rc::ptr_eq(argument, &result) {
                    let both = result
                        .zip(argument, |x, y| Sides { inside: x.inside && y.inside, outside: x.outside && y.outside });
                    result = Rc::new(both);
                }
            }
            self.term_sides.insert(t, result);
        }
        self.term_sides[&term].clone()
    }
    /// The partitions all of whose symbols include those of the terms, sorted; `None` if every
    /// partition will do.
    pub fn homes(&self, pool: &TermPool, terms: &[TermId]) -> Option<Vec<TreeNode>> {
        let mut homes: Option<Vec<TreeNode>> = None;
        for symbol in pool.free_symbols_of(terms) {
            if self.everywhere.contains_key(&symbol) {
                continue;
            }
            let here: &[TreeNode] = self.occurrences.get(&symbol).map_or(&[], Vec::as_slice);
            homes = Some(match homes {
                None => here.to_vec(),
                Some(old) => old.into_iter().filter(|p| here.binary_search(p).is_ok()).collect(),
            });
        }
        homes
    }
}
