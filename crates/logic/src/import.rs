//! Terms of one pool in another.
//!
//! Two pools that were cloned from one agree on the symbols and sorts that it had. A term over those can be
//! carried over: it is built again from its leaves, so it is normalised for the pool it comes to.

use crate::FastMap;
use crate::term::{Op, TermId, TermPool};

impl TermPool {
    /// The same term in this pool; `None` if it contains a symbol or a sort that the two pools do not share, or a
    /// quantifier.
    pub fn import(&mut self, from: &TermPool, root: TermId) -> Option<TermId> {
        let mut done: FastMap<TermId, TermId> = FastMap::default();
        let mut order = Vec::new();
        from.visit_postorder(&[root], |t| order.push(t));
        for t in order {
            let args: Vec<TermId> = from.args(t).iter().map(|a| done.get(a).copied()).collect::<Option<_>>()?;
            let sort = from.sort(t);
            if !self.shares_sort(from, sort) {
                return None;
            }
            let here = match from.op(t) {
                Op::Num(_) => self.num(from.number(t)?.clone(), sort),
                Op::BvNum(_) => {
                    let (value, width) = from.bv_number(t)?;
                    self.bv_num(value.to_bigint()?, width)
                }
                Op::App(f) if !self.shares_fun(from, f) => return None,
                Op::Forall(_) | Op::Exists(_) => return None,
                op => self.apply_head(op, sort, &args),
            };
            done.insert(t, here);
        }
        done.get(&root).copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::{SortId, TermPool};

    #[test]
    fn a_term_survives_the_way_to_another_pool_and_back() {
        let mut common = TermPool::new();
        let (x, y) = (common.constant("x", SortId::INT), common.constant("y", SortId::INT));
        let (mut here, mut there) = (common.clone(), common.clone());
        // The pools go different ways first, so that ids differ.
        let noise = there.int(99);
        there.add(&[x, noise]);
        let five = here.int(5);
        let sum = here.add(&[x, y, five]);
        let (bound, equal) = (here.le(sum, y), here.eq(x, y));
        let formula = here.or(&[bound, equal]);
        let carried = there.import(&here, formula).expect("it has shared symbols only");
        assert_eq!(there.infix(carried), here.infix(formula));
        assert_eq!(here.import(&there, carried), Some(formula));
        let private = here.fresh_constant("z", SortId::INT);
        assert_eq!(there.import(&here, private), None);
    }
}
