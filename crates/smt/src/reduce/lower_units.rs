//! LowerUnits: resolving against unit clauses once, at the end.
//!
//! A unit clause used by many resolutions is taken out of all of them; the literals it removed
//! survive to the root, where one resolution per unit removes them (Fontaine, Merz, Woltzenlogel
//! Paleo, CADE 2011). [`Which::Shared`] lowers the units used at least twice, where something is
//! certain to be saved; [`Which::All`] lowers every unit, which also moves unit pivots towards the
//! root, where other passes find more to do.
//!
//! Units are put back in the reverse of the order they were met in, since a later unit may have
//! been derived with the help of an earlier one and so contain its complement after the rebuild.

use super::dag::{DagError, Node, NodeIndex, Rebuilder, ResolutionDag};
use crate::sat::types::Lit;

/// Which unit clauses are lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Shared,
    All,
}

pub(super) fn lower_units(dag: &ResolutionDag, which: Which) -> Result<ResolutionDag, DagError> {
    let clauses = dag.clauses()?;
    let uses = dag.uses();
    let enough = match which {
        Which::Shared => 2,
        Which::All => 1,
    };
    let is_unit: Vec<bool> = (0..dag.nodes.len()).map(|i| uses[i] >= enough && clauses[i].len() == 1).collect();
    let mut out = Rebuilder::default();
    let mut renamed: Vec<NodeIndex> = Vec::with_capacity(dag.nodes.len());
    let mut units: Vec<(Lit, NodeIndex)> = Vec::new();
    for (index, node) in dag.nodes.iter().enumerate() {
        let new = match node {
            Node::Leaf { .. } => out.leaf(node),
            Node::Resolve { pivot, positive, negative } => {
                let (left, right) = (renamed[*positive as usize], renamed[*negative as usize]);
                match (is_unit[*positive as usize], is_unit[*negative as usize]) {
                    (true, false) => right,
                    (false, true) => left,
                    // Two complementary units: this node is the empty clause, resolve here.
                    (true, true) | (false, false) => out.resolve(*pivot, left, right),
                }
            }
        };
        renamed.push(new);
        if is_unit[index] {
            units.push((clauses[index][0], new));
        }
    }
    let mut root = renamed[dag.root as usize];
    for (lit, unit) in units.into_iter().rev() {
        if out.contains(root, !lit) {
            root = out.resolve(lit, unit, root);
        }
    }
    Ok(out.finish(root))
}
