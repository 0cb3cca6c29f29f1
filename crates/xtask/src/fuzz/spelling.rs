//! Constant arrays over few indices, spelt out for other solvers: a store at every index, to an array that does not
//! matter.
//!
//! z3 answers *sat* to some contradictory formulas with such constant arrays (its own validation of models then fails,
//! when it is asked for). With the stores in their place it agrees.

use logic::{FastMap, Op, Sort, SortId, TermId, TermPool};

/// Index sorts with more values are left alone.
const MAX_INDICES: u32 = 16;

/// The formulas without constant arrays over few indices. They mean the same.
pub(super) fn spelt_out(pool: &mut TermPool, formulas: &[TermId]) -> Vec<TermId> {
    let mut order = Vec::new();
    pool.visit_postorder(formulas, |t| order.push(t));
    let mut spelt: FastMap<TermId, TermId> = FastMap::default();
    for t in order {
        let args: Vec<TermId> = pool.args(t).to_vec();
        let new_args: Vec<TermId> = args.iter().map(|a| spelt[a]).collect();
        let indices = if pool.op(t) == Op::ConstArray { indices(pool, pool.sort(t)) } else { None };
        let new = match indices {
            Some(indices) => {
                let sort = pool.sort(t);
                let base = format!("any_{}", pool.show_sort(sort).replace(['(', ')', ' '], "_"));
                let base = pool.constant(&base, sort);
                indices.into_iter().fold(base, |array, index| pool.store(array, index, new_args[0]))
            }
            None if new_args == args => t,
            None => pool.rebuild(t, &new_args),
        };
        spelt.insert(t, new);
    }
    formulas.iter().map(|t| spelt[t]).collect()
}

fn indices(pool: &mut TermPool, sort: SortId) -> Option<Vec<TermId>> {
    let (index, _) = pool.array_parts(sort)?;
    match *pool.sort_data(index) {
        Sort::Bool => Some(vec![TermId::FALSE, TermId::TRUE]),
        Sort::BitVec(width) if width < 32 && 1 << width <= MAX_INDICES => {
            Some((0..1i64 << width).map(|n| pool.bv_num(n.into(), width)).collect())
        }
        Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(..) | Sort::Uninterpreted(_) => None,
    }
}
