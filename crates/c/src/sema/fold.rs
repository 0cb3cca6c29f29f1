//! Builtins whose arguments are constants: as gcc does, their calls are constants as well.

use super::expr::int;
use super::*;

impl Sema<'_> {
    /// The value of a call of `__builtin_NAME`, if the arguments settle it.
    pub(super) fn fold_builtin(&mut self, name: &str, values: &[Expr], ret: TypeId, span: Span) -> Option<Expr> {
        let float = |value: f64| Some(Expr { kind: ExprKind::Float(value), ty: ret, span });
        match (name, values) {
            ("inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall", []) => return float(f64::INFINITY),
            ("nan" | "nanf" | "nanl", [text]) if self.constant_text(text)?.is_empty() => return float(f64::NAN),
            ("strlen", [text]) => {
                let length = self.constant_text(text)?.len();
                return Some(int(length as i128, ret, span));
            }
            ("strcmp", [a, b]) => {
                let order = self.constant_text(a)?.cmp(&self.constant_text(b)?);
                return Some(int(order as i128, ret, span));
            }
            ("memcmp" | "strncmp", [a, b, n]) => {
                let ExprKind::Int(n) = n.kind else { return None };
                let (a, b) = (self.constant_text(a)?, self.constant_text(b)?);
                let n = usize::try_from(n).ok()?;
                // Behind the end of a text memcmp reads the zero, and then what is not known.
                if name == "memcmp" && n > a.len().min(b.len()) + 1 {
                    return None;
                }
                let cut = |text: Vec<u8>| text.into_iter().chain([0]).take(n).collect::<Vec<u8>>();
                return Some(int(cut(a).cmp(&cut(b)) as i128, ret, span));
            }
            _ => {}
        }
        if let [Expr { kind: ExprKind::Float(x), ty, .. }] = values {
            return self.fold_float_builtin(name, *x, *ty, ret, span);
        }
        let [Expr { kind: ExprKind::Int(value), ty, .. }] = values else { return None };
        let kind = self.types.int_kind(*ty)?;
        let bits = self.types.int_bits(kind);
        let word = *value as u128 & (u128::MAX >> (128 - bits));
        let leading = |word: u128| i128::from(word.leading_zeros()) - i128::from(128 - bits);
        let stem = name.strip_suffix("ll").or_else(|| name.strip_suffix('l')).unwrap_or(name);
        let result = match stem {
            "clz" if word != 0 => leading(word),
            "ctz" if word != 0 => i128::from(word.trailing_zeros()),
            "popcount" => i128::from(word.count_ones()),
            "parity" => i128::from(word.count_ones() % 2),
            "ffs" if word == 0 => 0,
            "ffs" => i128::from(word.trailing_zeros()) + 1,
            "abs" | "labs" | "llabs" if self.types.wrap(value.checked_neg()?, kind) == -value => value.abs(),
            "bswap16" => i128::from((word as u16).swap_bytes()),
            "bswap32" => i128::from((word as u32).swap_bytes()),
            "bswap64" => i128::from((word as u64).swap_bytes()),
            _ => return None,
        };
        Some(int(result, ret, span))
    }

    fn fold_float_builtin(&mut self, name: &str, x: f64, ty: TypeId, ret: TypeId, span: Span) -> Option<Expr> {
        // A long double may be another number than the double that stands for it.
        if ty != TypeId::FLOAT && ty != TypeId::DOUBLE {
            return None;
        }
        let truth = match name {
            "isnan" => Some(x.is_nan() as i128),
            "isinf" => Some(x.is_infinite() as i128),
            "isinf_sign" => Some(if x.is_infinite() { x.signum() as i128 } else { 0 }),
            "isfinite" | "finite" => Some(x.is_finite() as i128),
            "isnormal" if ty == TypeId::DOUBLE => Some(x.is_normal() as i128),
            "isnormal" => Some((x as f32).is_normal() as i128),
            _ => None,
        };
        if let Some(truth) = truth {
            return Some(int(truth, ret, span));
        }
        let value = match name.strip_suffix('f').filter(|_| ty == TypeId::FLOAT).unwrap_or(name) {
            "fabs" => x.abs(),
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "trunc" => x.trunc(),
            "sqrt" if ty == TypeId::DOUBLE && x >= 0.0 => x.sqrt(),
            _ => return None,
        };
        Some(Expr { kind: ExprKind::Float(value), ty: ret, span })
    }

    /// The bytes of a string literal up to its first zero.
    fn constant_text(&self, e: &Expr) -> Option<Vec<u8>> {
        match &e.kind {
            ExprKind::Convert(inner) => self.constant_text(inner),
            ExprKind::AddrOf(Place { kind: PlaceKind::Var(var), .. }) if self.vars[*var].is_string => {
                let init = self.vars[*var].init.as_ref()?;
                let units = init.items.iter().map(|item| match item.value.kind {
                    ExprKind::Int(unit) => unit as u8,
                    _ => 0,
                });
                Some(units.take_while(|&unit| unit != 0).collect())
            }
            _ => None,
        }
    }
}
