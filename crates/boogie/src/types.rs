//! The types of the checker: interned, with synonyms expanded, so that equal types have equal ids.
//!
//! Inference works with *holes*: types that are not known yet and are filled by unification. A hole
//! is never part of a finished program; [`TypePool::resolve`] replaces the filled ones.
//!
//! The parameters that a polymorphic map type binds are de Bruijn indices ([`Ty::Bound`]), which
//! makes `<a>[F a]a` and `<b>[F b]b` the same type.

use base::define_id;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id!(
    /// A type in a [`TypePool`].
    TyId, "ty";
    /// A declared type constructor.
    CtorId, "ctor";
    /// A type parameter of one declaration.
    ParamId, "param";
    HoleId, "hole"
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ty {
    Bool,
    Int,
    Real,
    BitVec(u32),
    /// The widths of significand (with its hidden bit) and exponent.
    Float(u32, u32),
    /// `rmode`: how floating-point results are rounded.
    Rounding,
    /// Binds `n_params` type parameters in its domain and range.
    Map {
        n_params: u32,
        domain: Vec<TyId>,
        range: TyId,
    },
    Ctor(CtorId, Vec<TyId>),
    Struct(Vec<(String, TyId)>),
    Param(ParamId),
    /// The `index`-th parameter of the map type `depth` binders out.
    Bound {
        depth: u32,
        index: u32,
    },
    Hole(HoleId),
    /// The type of what was already reported; fits everything.
    Error,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct TypePool {
    types: Vec<Ty>,
    /// For each type, whether parameters or holes occur in it, and whether polymorphic maps do. Closed
    /// types, however large, are never walked.
    is_open: Vec<bool>,
    ids: HashMap<Ty, TyId, FxBuildHasher>,
    holes: Vec<Option<TyId>>,
}

impl TypePool {
    pub(crate) fn mk(&mut self, ty: Ty) -> TyId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TyId(self.types.len() as u32);
        let any = |mut ids: &mut dyn Iterator<Item = TyId>| (&mut ids).any(|t| self.is_open[t.0 as usize]);
        let is_open = match &ty {
            Ty::Bool | Ty::Int | Ty::Real | Ty::BitVec(_) | Ty::Float(..) | Ty::Rounding | Ty::Error => false,
            Ty::Param(_) | Ty::Bound { .. } | Ty::Hole(_) => true,
            Ty::Map { domain, range, .. } => any(&mut domain.iter().copied().chain([*range])),
            Ty::Ctor(_, args) => any(&mut args.iter().copied()),
            Ty::Struct(fields) => any(&mut fields.iter().map(|(_, t)| *t)),
        };
        self.is_open.push(is_open);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub(crate) fn get(&self, id: TyId) -> &Ty {
        &self.types[id.0 as usize]
    }

    pub(crate) fn new_hole(&mut self) -> TyId {
        let hole = HoleId(self.holes.len() as u32);
        self.holes.push(None);
        self.mk(Ty::Hole(hole))
    }

    /// Follows filled holes at the top only.
    pub(crate) fn shallow(&self, mut ty: TyId) -> TyId {
        while let Ty::Hole(hole) = self.get(ty) {
            match self.holes[hole.0 as usize] {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty
    }

    pub(crate) fn view(&self, ty: TyId) -> &Ty {
        self.get(self.shallow(ty))
    }

    /// Rebuilds a type bottom-up; `leaf` replaces parameters, bound parameters and open holes. It is
    /// told how many map binders lie above.
    fn rebuild(&mut self, ty: TyId, depth: u32, leaf: &dyn Fn(&mut Self, &Ty, u32) -> Option<TyId>) -> TyId {
        let ty = self.shallow(ty);
        if !self.is_open[ty.0 as usize] {
            return ty;
        }
        let view = self.get(ty).clone();
        let new = match view {
            Ty::Bool | Ty::Int | Ty::Real | Ty::BitVec(_) | Ty::Float(..) | Ty::Rounding | Ty::Error => return ty,
            Ty::Param(_) | Ty::Bound { .. } | Ty::Hole(_) => return leaf(self, &view, depth).unwrap_or(ty),
            Ty::Map { n_params, domain, range } => {
                let inner = if n_params > 0 { depth + 1 } else { depth };
                let domain = domain.into_iter().map(|t| self.rebuild(t, inner, leaf)).collect();
                Ty::Map { n_params, domain, range: self.rebuild(range, inner, leaf) }
            }
            Ty::Ctor(ctor, args) => Ty::Ctor(ctor, args.into_iter().map(|t| self.rebuild(t, depth, leaf)).collect()),
            Ty::Struct(fields) => {
                Ty::Struct(fields.into_iter().map(|(n, t)| (n, self.rebuild(t, depth, leaf))).collect())
            }
        };
        self.mk(new)
    }

    /// The type with every filled hole replaced.
    pub(crate) fn resolve(&mut self, ty: TyId) -> TyId {
        self.rebuild(ty, 0, &|_, _, _| None)
    }

    /// Replaces type parameters.
    pub(crate) fn subst(&mut self, ty: TyId, params: &[ParamId], args: &[TyId]) -> TyId {
        if params.is_empty() {
            return ty;
        }
        self.rebuild(ty, 0, &|_, leaf, _| match leaf {
            Ty::Param(p) => params.iter().position(|q| q == p).map(|i| args[i]),
            _ => None,
        })
    }

    /// Turns parameters into the bound parameters of a map type that is being built.
    pub(crate) fn bind(&mut self, ty: TyId, params: &[ParamId]) -> TyId {
        if params.is_empty() {
            return ty;
        }
        self.rebuild(ty, 0, &|pool, leaf, depth| match leaf {
            Ty::Param(p) => params.iter().position(|q| q == p).map(|i| pool.mk(Ty::Bound { depth, index: i as u32 })),
            _ => None,
        })
    }

    /// Replaces the parameters bound by the map type whose domain or range this is.
    pub(crate) fn open(&mut self, ty: TyId, args: &[TyId]) -> TyId {
        if args.is_empty() {
            return ty;
        }
        self.rebuild(ty, 0, &|_, leaf, above| match leaf {
            Ty::Bound { depth, index } if *depth == above => args.get(*index as usize).copied(),
            _ => None,
        })
    }

    /// Whether a parameter or hole of some kind occurs.
    fn mentions(&self, ty: TyId, hit: &dyn Fn(&Ty) -> bool) -> bool {
        if !self.is_open[ty.0 as usize] {
            return false;
        }
        let view = self.view(ty);
        hit(view)
            || match view {
                Ty::Map { domain, range, .. } => {
                    domain.iter().any(|&t| self.mentions(t, hit)) || self.mentions(*range, hit)
                }
                Ty::Ctor(_, args) => args.iter().any(|&t| self.mentions(t, hit)),
                Ty::Struct(fields) => fields.iter().any(|(_, t)| self.mentions(*t, hit)),
                Ty::Bool
                | Ty::Int
                | Ty::Real
                | Ty::BitVec(_)
                | Ty::Float(..)
                | Ty::Rounding
                | Ty::Param(_)
                | Ty::Bound { .. }
                | Ty::Hole(_)
                | Ty::Error => false,
            }
    }

    /// How deep the constructors, maps and structs of a resolved type are nested.
    pub(crate) fn depth(&self, ty: TyId) -> u32 {
        let deepest = |parts: &[TyId]| parts.iter().map(|&t| self.depth(t)).max().unwrap_or(0);
        match self.view(ty) {
            Ty::Map { domain, range, .. } => 1 + deepest(domain).max(self.depth(*range)),
            Ty::Ctor(_, args) => 1 + deepest(args),
            Ty::Struct(fields) => 1 + fields.iter().map(|(_, t)| self.depth(*t)).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The depth of the deepest type there is so far.
    pub(crate) fn max_depth(&self) -> u32 {
        // A part has a smaller id than what it is part of, so one pass suffices; holes only delay.
        let mut depths: Vec<u32> = Vec::with_capacity(self.types.len());
        for ty in &self.types {
            let of = |t: &TyId| depths.get(t.0 as usize).copied().unwrap_or(0);
            let depth = match ty {
                Ty::Map { domain, range, .. } => 1 + domain.iter().chain([range]).map(of).max().unwrap_or(0),
                Ty::Ctor(_, args) => 1 + args.iter().map(of).max().unwrap_or(0),
                Ty::Struct(fields) => 1 + fields.iter().map(|(_, t)| of(t)).max().unwrap_or(0),
                _ => 0,
            };
            depths.push(depth);
        }
        depths.into_iter().max().unwrap_or(0)
    }

    pub(crate) fn is_ground(&self, ty: TyId) -> bool {
        !self.mentions(ty, &|t| matches!(t, Ty::Hole(_)))
    }

    pub(crate) fn has_params(&self, ty: TyId) -> bool {
        self.mentions(ty, &|t| matches!(t, Ty::Param(_)))
    }

    /// Makes two types equal by filling holes, or says that it cannot.
    pub(crate) fn unify(&mut self, a: TyId, b: TyId) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return true;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (Ty::Hole(h), _) => self.fill(h, b),
            (_, Ty::Hole(h)) => self.fill(h, a),
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Map { n_params: n, domain: d, range: r }, Ty::Map { n_params: n2, domain: d2, range: r2 }) => {
                n == n2
                    && d.len() == d2.len()
                    && d.into_iter().zip(d2).all(|(x, y)| self.unify(x, y))
                    && self.unify(r, r2)
            }
            (Ty::Ctor(c, xs), Ty::Ctor(d, ys)) => {
                c == d && xs.len() == ys.len() && xs.into_iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            (Ty::Struct(xs), Ty::Struct(ys)) => {
                xs.len() == ys.len() && xs.into_iter().zip(ys).all(|((n, x), (m, y))| n == m && self.unify(x, y))
            }
            _ => false,
        }
    }

    /// Whether two types may be the same for some choice of type parameters.
    pub(crate) fn may_agree(&self, a: TyId, b: TyId) -> bool {
        let all =
            |xs: &[TyId], ys: &[TyId]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| self.may_agree(x, y));
        match (self.view(a), self.view(b)) {
            (Ty::Param(_) | Ty::Error, _) | (_, Ty::Param(_) | Ty::Error) => true,
            (Ty::Map { n_params: n, domain: d, range: r }, Ty::Map { n_params: n2, domain: d2, range: r2 }) => {
                n == n2 && all(d, d2) && self.may_agree(*r, *r2)
            }
            (Ty::Ctor(c, xs), Ty::Ctor(d, ys)) => c == d && all(xs, ys),
            (x, y) => x == y,
        }
    }

    fn fill(&mut self, hole: HoleId, ty: TyId) -> bool {
        // A bound parameter means nothing outside its map type.
        let bad = |t: &Ty| matches!(t, Ty::Bound { .. }) || *t == Ty::Hole(hole);
        if self.mentions(ty, &bad) {
            return false;
        }
        self.holes[hole.0 as usize] = Some(ty);
        true
    }
}
