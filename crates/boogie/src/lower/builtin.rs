//! `{:builtin "name"}` functions: the SMT-LIB operators that the name stands for.
//!
//! A name that is not known, or that does not fit the declared signature, gives `None`: the function is
//! then uninterpreted, which allows more than the operator does.

use super::Lowerer;
use crate::typed::Builtin;
use logic::{Op, SortId, TermId};

impl Lowerer<'_> {
    /// The operator applied to its arguments; `results` is the declared result.
    pub(super) fn builtin(&mut self, builtin: &Builtin, args: &[TermId], results: &[SortId]) -> Option<TermId> {
        let &[result] = results else { return None };
        let term =
            self.bit_vector_builtin(builtin, args, result).or_else(|| self.other_builtin(builtin, args, result))?;
        (self.pool.sort(term) == result).then_some(term)
    }

    fn width(&self, t: TermId) -> Option<u32> {
        self.pool.bitvec_width(self.pool.sort(t))
    }

    fn bit_vector_builtin(&mut self, builtin: &Builtin, args: &[TermId], result: SortId) -> Option<TermId> {
        let name = builtin.name.as_str();
        match *args {
            [a] => {
                if let "int2bv" | "nat2bv" | "int_to_bv" = name {
                    let width = self.pool.bitvec_width(result)?;
                    return (self.pool.sort(a) == SortId::INT).then(|| self.pool.bv(Op::IntToBv(width), &[a]));
                }
                let width = self.width(a)?;
                let op = match (name, builtin.indices.as_slice()) {
                    ("bvnot", []) => Op::BvNot,
                    ("bvneg", []) => Op::BvNeg,
                    ("bv2nat" | "bv2int" | "ubv_to_int", _) => Op::BvToNat,
                    ("zero_extend" | "sign_extend", &[n]) if self.pool.bitvec_width(result) != width.checked_add(n) => {
                        return None;
                    }
                    ("zero_extend", &[n]) => Op::BvZeroExt(n),
                    ("sign_extend", &[n]) => Op::BvSignExt(n),
                    ("extract", &[high, low]) if low <= high && high < width => Op::BvExtract(high, low),
                    ("rotate_left", &[n]) => return Some(self.rotate_left(a, n % width, width)),
                    ("rotate_right", &[n]) => return Some(self.rotate_left(a, (width - n % width) % width, width)),
                    ("repeat", &[n]) if n >= 1 && self.pool.bitvec_width(result) == width.checked_mul(n) => {
                        return Some((1..n).fold(a, |acc, _| self.pool.bv(Op::BvConcat, &[acc, a])));
                    }
                    _ => return None,
                };
                Some(self.pool.bv(op, &[a]))
            }
            [a, b] => {
                let (wa, wb) = (self.width(a)?, self.width(b)?);
                if name == "concat" {
                    return Some(self.pool.bv(Op::BvConcat, &[a, b]));
                }
                if wa != wb {
                    return None;
                }
                let op = match name {
                    "bvand" => Op::BvAnd,
                    "bvor" => Op::BvOr,
                    "bvxor" => Op::BvXor,
                    "bvadd" => Op::BvAdd,
                    "bvsub" => Op::BvSub,
                    "bvmul" => Op::BvMul,
                    "bvudiv" => Op::BvUdiv,
                    "bvurem" => Op::BvUrem,
                    "bvsdiv" => Op::BvSdiv,
                    "bvsrem" => Op::BvSrem,
                    "bvsmod" => Op::BvSmod,
                    "bvshl" => Op::BvShl,
                    "bvlshr" => Op::BvLshr,
                    "bvashr" => Op::BvAshr,
                    "bvult" => Op::BvUlt,
                    "bvule" => Op::BvUle,
                    "bvslt" => Op::BvSlt,
                    "bvsle" => Op::BvSle,
                    "bvugt" => return Some(self.pool.bv(Op::BvUlt, &[b, a])),
                    "bvuge" => return Some(self.pool.bv(Op::BvUle, &[b, a])),
                    "bvsgt" => return Some(self.pool.bv(Op::BvSlt, &[b, a])),
                    "bvsge" => return Some(self.pool.bv(Op::BvSle, &[b, a])),
                    "bvnand" | "bvnor" | "bvxnor" => {
                        let positive = match name {
                            "bvnand" => Op::BvAnd,
                            "bvnor" => Op::BvOr,
                            _ => Op::BvXor,
                        };
                        let inner = self.pool.bv(positive, &[a, b]);
                        return Some(self.pool.bv(Op::BvNot, &[inner]));
                    }
                    "bvcomp" => {
                        let equal = self.pool.eq(a, b);
                        let (one, zero) = (self.pool.bv_num(1.into(), 1), self.pool.bv_num(0.into(), 1));
                        return Some(self.pool.ite(equal, one, zero));
                    }
                    _ => return None,
                };
                Some(self.pool.bv(op, &[a, b]))
            }
            _ => None,
        }
    }

    fn rotate_left(&mut self, a: TermId, n: u32, width: u32) -> TermId {
        if n == 0 {
            return a;
        }
        let low = self.pool.bv(Op::BvExtract(width - n - 1, 0), &[a]);
        let high = self.pool.bv(Op::BvExtract(width - 1, width - n), &[a]);
        self.pool.bv(Op::BvConcat, &[low, high])
    }

    fn other_builtin(&mut self, builtin: &Builtin, args: &[TermId], result: SortId) -> Option<TermId> {
        let sorts: Vec<SortId> = args.iter().map(|&t| self.pool.sort(t)).collect();
        let all = |sort: SortId| sorts.iter().all(|&s| s == sort);
        let numeric = sorts.first().is_some_and(|s| s.is_arith()) && all(sorts[0]);
        let ints = all(SortId::INT);
        let bools = all(SortId::BOOL);
        let pool = &mut *self.pool;
        Some(match (builtin.name.as_str(), args) {
            ("and", _) if bools => pool.and(args),
            ("or", _) if bools => pool.or(args),
            ("not", &[a]) if bools => pool.not(a),
            ("=>", &[a, b]) if bools => pool.implies(a, b),
            ("xor", &[a, b]) if bools => pool.xor(a, b),
            ("=", &[a, b]) if sorts[0] == sorts[1] => pool.eq(a, b),
            ("distinct", &[a, b]) if sorts[0] == sorts[1] => {
                let equal = pool.eq(a, b);
                pool.not(equal)
            }
            ("ite", &[c, a, b]) if sorts[0] == SortId::BOOL && sorts[1] == sorts[2] => pool.ite(c, a, b),
            ("+", _) if numeric => pool.add(args),
            ("*", _) if numeric => pool.mul(args),
            ("-", &[a]) if numeric => pool.neg(a),
            ("-", &[a, b]) if numeric => pool.sub(a, b),
            ("<", &[a, b]) if numeric => pool.lt(a, b),
            ("<=", &[a, b]) if numeric => pool.le(a, b),
            (">", &[a, b]) if numeric => pool.gt(a, b),
            (">=", &[a, b]) if numeric => pool.ge(a, b),
            ("/", &[a, b]) if all(SortId::REAL) => pool.real_div(a, b),
            ("div", &[a, b]) if ints => pool.int_div(a, b),
            ("mod", &[a, b]) if ints => pool.modulo(a, b),
            ("abs", &[a]) if ints => pool.abs(a),
            ("to_real", &[a]) if ints => pool.to_real(a),
            ("to_int", &[a]) if all(SortId::REAL) => pool.to_int(a),
            ("is_int", &[a]) if all(SortId::REAL) => pool.is_int(a),
            ("select", &[a, i]) if pool.array_parts(sorts[0]).is_some_and(|(index, _)| index == sorts[1]) => {
                pool.select(a, i)
            }
            ("store", &[a, i, v]) if pool.array_parts(sorts[0]) == Some((sorts[1], sorts[2])) => pool.store(a, i, v),
            ("MapConst", &[v]) => return self.map_of(v, result),
            (name, _) if name.starts_with("Map") => return self.pointwise(name, args, result),
            ("const", &[v]) if pool.array_parts(result).is_some_and(|(_, element)| element == sorts[0]) => {
                pool.const_array(result, v)
            }
            _ => return None,
        })
    }

    /// The map of a sort all of whose elements are the same. (A map of several arguments is one of maps.)
    fn map_of(&mut self, element: TermId, sort: SortId) -> Option<TermId> {
        if self.pool.sort(element) == sort {
            return Some(element);
        }
        let (_, range) = self.pool.array_parts(sort)?;
        let inner = self.map_of(element, range)?;
        Some(self.pool.const_array(sort, inner))
    }

    /// Boogie's theory of arrays: `MapAnd` and its like, operators on elements.
    fn pointwise(&mut self, name: &str, maps: &[TermId], result: SortId) -> Option<TermId> {
        let mut bound = Vec::new();
        let mut sort = result;
        while let Some((index, range)) = self.pool.array_parts(sort) {
            bound.push(self.pool.fresh_bound("i", index));
            sort = range;
        }
        let mut elements = Vec::new();
        for &map in maps {
            let mut element = map;
            for &i in &bound {
                let (index, _) = self.pool.array_parts(self.pool.sort(element))?;
                if index != self.pool.sort(i) {
                    return None;
                }
                element = self.pool.select(element, i);
            }
            elements.push(element);
        }
        let operator = match name {
            "MapAnd" => "and",
            "MapOr" => "or",
            "MapNot" => "not",
            "MapImp" => "=>",
            "MapIff" | "MapEq" => "=",
            "MapAdd" => "+",
            "MapSub" => "-",
            "MapMul" => "*",
            "MapDiv" => "div",
            "MapMod" => "mod",
            "MapGt" => ">",
            "MapGe" => ">=",
            "MapLt" => "<",
            "MapLe" => "<=",
            "MapIte" => "ite",
            _ => return None,
        };
        let operator = Builtin { name: operator.to_string(), indices: Vec::new(), rounding: None };
        let body = self.other_builtin(&operator, &elements, sort).filter(|&t| self.pool.sort(t) == sort)?;
        (!bound.is_empty()).then(|| self.lambda(&bound, body, result))
    }
}
