//! Compiler builtins and functions used without a declaration.
//!
//! A builtin call stays a call of a function of that name without a body; only its types
//! are settled here. Those that mean a constant are folded, and `__builtin_memcpy` and its like
//! become the library function.

use super::expr::int;
use super::*;

/// Functions with a variant that is told the size of the object they write to.
const CHECKED: &[&str] = &["memcpy", "memmove", "memset", "strcpy", "strcat", "strncpy", "strncat"];

impl Sema<'_> {
    /// A signature in letters: result, then parameters, `.` for variadic.
    fn signature(&mut self, letters: &str) -> TypeId {
        let mut types: Vec<Ty> = Vec::new();
        let mut variadic = false;
        for letter in letters.chars() {
            let ty = match letter {
                'v' => TypeId::VOID,
                'b' => TypeId::BOOL,
                'i' => TypeId::INT,
                'u' => TypeId::UINT,
                'h' => TypeId::USHORT,
                'l' => TypeId::LONG,
                'L' => TypeId::LLONG,
                'm' => TypeId::ULONG,
                'M' => TypeId::ULLONG,
                'q' if self.types.size_of(TypeId::ULONG) == Some(8) => TypeId::ULONG,
                'q' => TypeId::ULLONG,
                'z' => self.types.size_t(),
                'f' => TypeId::FLOAT,
                'd' => TypeId::DOUBLE,
                'D' => TypeId::LDOUBLE,
                'p' => self.types.pointer_to(Ty::plain(TypeId::VOID)),
                'C' | 'F' | 'E' => {
                    let part = match letter {
                        'C' => TypeId::DOUBLE,
                        'F' => TypeId::FLOAT,
                        _ => TypeId::LDOUBLE,
                    };
                    self.types.shaped(Shape::Complex(part)).unwrap_or(part)
                }
                'c' => self.types.pointer_to(Ty::plain(TypeId::CHAR)),
                _ => {
                    variadic = true;
                    continue;
                }
            };
            types.push(Ty::plain(ty));
        }
        let ret = if types.is_empty() { Ty::plain(TypeId::INT) } else { types.remove(0) };
        self.types.intern(Type::Function(Arc::new(FnType { ret, params: types, variadic, prototyped: true })))
    }

    /// The type of a function that is used without a declaration: gcc knows the library's, and functions of verifiers
    /// that give any value have its type in their names.
    pub(super) fn implicit_type(&mut self, name: &str) -> TypeId {
        if let Some(letters) = library_signature(name) {
            return self.signature(letters);
        }
        let any = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"));
        let ret = Ty::plain(any.and_then(|rest| self.type_called(rest)).unwrap_or(TypeId::INT));
        let ty = FnType { ret, params: Vec::new(), variadic: false, prototyped: false };
        self.types.intern(Type::Function(Arc::new(ty)))
    }

    /// The type that a word stands for in the names of such functions.
    fn type_called(&mut self, word: &str) -> Option<TypeId> {
        let is_wide = self.types.pointer_size() == 8;
        let sized = |signed: bool, bits: u32| match (bits, signed) {
            (8, true) => Some(TypeId::SCHAR),
            (8, false) => Some(TypeId::UCHAR),
            (16, true) => Some(TypeId::SHORT),
            (16, false) => Some(TypeId::USHORT),
            (32, true) => Some(TypeId::INT),
            (32, false) => Some(TypeId::UINT),
            (64, true) => Some(if is_wide { TypeId::LONG } else { TypeId::LLONG }),
            (64, false) => Some(if is_wide { TypeId::ULONG } else { TypeId::ULLONG }),
            _ => None,
        };
        Some(match word {
            "int" | "signed" | "signed_int" => TypeId::INT,
            "uint" | "unsigned" | "unsigned_int" => TypeId::UINT,
            "bool" | "_Bool" => TypeId::BOOL,
            "char" => TypeId::CHAR,
            "schar" | "signed_char" => TypeId::SCHAR,
            "uchar" | "unsigned_char" => TypeId::UCHAR,
            "short" | "signed_short" => TypeId::SHORT,
            "ushort" | "unsigned_short" => TypeId::USHORT,
            "long" | "signed_long" => TypeId::LONG,
            "ulong" | "unsigned_long" => TypeId::ULONG,
            "longlong" | "long_long" | "loff_t" => TypeId::LLONG,
            "ulonglong" | "unsigned_long_long" => TypeId::ULLONG,
            "float" => TypeId::FLOAT,
            "double" => TypeId::DOUBLE,
            "long_double" | "longdouble" => TypeId::LDOUBLE,
            "size_t" | "uintptr_t" => self.types.size_t(),
            "sector_t" => TypeId::ULONG,
            "ssize_t" | "ptrdiff_t" | "intptr_t" if is_wide => TypeId::LONG,
            "ssize_t" | "ptrdiff_t" | "intptr_t" => TypeId::INT,
            "pointer" | "voidp" => self.types.pointer_to(Ty::plain(TypeId::VOID)),
            "charp" => self.types.pointer_to(Ty::plain(TypeId::CHAR)),
            _ => {
                let bits = |prefix: &str| word.strip_prefix(prefix)?.trim_end_matches("_t").parse().ok();
                let unsigned = ["uint", "u", "U"].into_iter().find_map(bits).and_then(|n| sized(false, n));
                let signed = || ["int", "s", "S"].into_iter().find_map(bits).and_then(|n| sized(true, n));
                return unsigned.or_else(signed);
            }
        })
    }

    pub(super) fn builtin_function(&mut self, name: &str, letters: &str, span: Span) -> FuncId {
        let sym = self.interner.intern(name);
        match self.linkage.get(&sym) {
            Some(Entity::Func(func)) => *func,
            _ => {
                let ty = self.signature(letters);
                let func = self.new_function(sym, ty, span);
                self.assumed.insert(func);
                self.scopes[0].names.entry(sym).or_insert(Entity::Func(func));
                func
            }
        }
    }

    fn call_builtin(&mut self, name: &str, letters: &str, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let func = self.builtin_function(name, letters, span);
        let Some(function) = self.types.function(self.funcs[func].ty) else {
            return err(span, "only functions can be called");
        };
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let value = match function.params.get(i) {
                Some(param) => self.assign_convert(value, param.id)?,
                None => self.default_promotion(value),
            };
            values.push(value);
        }
        if values.len() < function.params.len() {
            return err(span, format!("too few arguments of {name}"));
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(constant) = self.fold_builtin(plain, &values, function.ret.id, span) {
            return Ok(constant);
        }
        Ok(Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args: values }, ty: function.ret.id, span })
    }

    /// Does the program define the function, so far? What the compiler has under that name may be another one.
    fn is_own_function(&self, name: &str) -> bool {
        let is_current = self.function.as_ref().is_some_and(|f| &*self.funcs[f.func].name == name);
        is_current || self.funcs.values().any(|f| &*f.name == name && f.body.is_some() && !f.is_library)
    }

    /// Handles a call by name if it is a builtin.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        declared: bool,
        span: Span,
    ) -> Option<SResult<Expr>> {
        if name.starts_with("__atomic_") || name.starts_with("__sync_") {
            if declared {
                return None;
            }
            return Some(self.atomic_call(name, args, span));
        }
        let is_defined = |f: &FuncId| self.funcs[*f].body.is_some();
        let own = self.interner.find(name).and_then(|sym| self.linkage.get(&sym));
        if !matches!(own, Some(Entity::Func(f)) if is_defined(f)) {
            let by_pieces = self.formatted(name, args, span).transpose();
            if let Some(call) = by_pieces.or_else(|| self.scanned(name, args, span).transpose()) {
                return Some(call);
            }
        }
        let rest = name.strip_prefix("__builtin_")?;
        let n = args.len();
        Some(match rest {
            "va_start" | "c23_va_start" | "stdarg_start" => {
                self.va_operation(args, span, |list| ExprKind::VaStart(Box::new(list)))
            }
            "va_end" => self.va_operation(args, span, |list| ExprKind::VaEnd(Box::new(list))),
            "va_copy" => (|| {
                if n != 2 {
                    return err(span, "va_copy takes two arguments");
                }
                let to = self.list_place(&args[0])?;
                let from = self.list_place(&args[1])?;
                Ok(Expr { kind: ExprKind::VaCopy(Box::new(to), Box::new(from)), ty: TypeId::VOID, span })
            })(),
            "constant_p" => (|| {
                let Some(arg) = args.first() else { return err(span, "__builtin_constant_p takes an argument") };
                let value = self.rvalue(arg);
                self.pending.clear();
                let is_text = matches!(arg.kind, ast::ExprKind::Str(_));
                let is_constant = is_text || matches!(value?.kind, ExprKind::Int(_) | ExprKind::Float(_));
                Ok(int(is_constant as i128, TypeId::INT, span))
            })(),
            "expect" | "expect_with_probability" | "assume_aligned" => match args.first() {
                Some(arg) if args.len() > 1 => self.rvalue(arg).map(|value| match rest {
                    "assume_aligned" => value,
                    _ => self.convert(value, TypeId::LONG),
                }),
                _ => err(span, format!("too few arguments of __builtin_{rest}")),
            },
            "clrsb" | "clrsbl" | "clrsbll" => self.clrsb(rest, args, span),
            "speculation_safe_value" | "assoc_barrier" => match args.first() {
                Some(arg) => self.rvalue(arg),
                None => err(span, "too few arguments"),
            },
            "classify_type" => match args.first() {
                Some(arg) => self.rvalue_type(arg).map(|ty| int(self.type_class(ty), TypeId::INT, span)),
                None => err(span, "too few arguments"),
            },
            "shuffle" => self.shuffle(args, span),
            "shufflevector" => self.shuffle_vector(args, span),
            "complex" => self.builtin_complex(args, span),
            "object_size" | "dynamic_object_size" => self.object_size(args, span),
            "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "signbitf" | "signbitl"
            | "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered"
            | "fpclassify" => self.generic_builtin(name, args, TypeId::INT, span),
            _ if rest.ends_with("_overflow") || rest.ends_with("_overflow_p") => {
                self.overflow_builtin(rest, args, span)
            }
            _ => {
                let letters = builtin_signature(rest);
                match letters {
                    Some(letters) => self.call_builtin(name, letters, args, span),
                    None => {
                        // The library function under its compiler name.
                        let plain = rest.strip_suffix("_chk").map(|r| r.trim_start_matches('_')).unwrap_or(rest);
                        if self.is_own_function(plain) {
                            return Some(unsupported(span, format!("{name} beside a function {plain} of the program")));
                        }
                        match library_signature(plain) {
                            Some(letters) if plain == rest => self.call_builtin(plain, letters, args, span),
                            // The last argument is the size of the object, for a check at run time.
                            Some(letters) if CHECKED.contains(&plain) && !args.is_empty() => {
                                self.call_builtin(plain, letters, &args[..args.len() - 1], span)
                            }
                            _ => {
                                if declared {
                                    return None;
                                }
                                unsupported(span, format!("{name} is not supported"))
                            }
                        }
                    }
                }
            }
        })
    }

    fn va_operation(&mut self, args: &[ast::Expr], span: Span, make: impl FnOnce(Place) -> ExprKind) -> SResult<Expr> {
        let Some(arg) = args.first() else { return err(span, "a va_list is missing") };
        let list = self.list_place(arg)?;
        Ok(Expr { kind: make(list), ty: TypeId::VOID, span })
    }

    /// The object of a `va_list`, which tools also write as its address: `(__va_list_tag *)&list`.
    pub(super) fn list_place(&mut self, e: &ast::Expr) -> SResult<Place> {
        let typed = self.expr(e)?;
        if let super::expr::Typed::Place(place) = typed {
            return Ok(place);
        }
        let mut value = self.value_of(typed)?;
        while let ExprKind::Convert(inner) = value.kind {
            value = *inner;
        }
        match value.kind {
            ExprKind::AddrOf(place) if place.ty.id == TypeId::VA_LIST => Ok(place),
            _ => unsupported(e.span, "this form of a va_list is not supported"),
        }
    }

    /// A builtin whose arguments keep their types.
    fn generic_builtin(&mut self, name: &str, args: &[ast::Expr], ret: TypeId, span: Span) -> SResult<Expr> {
        let func = self.builtin_function(name, "i.", span);
        let mut values = Vec::new();
        for arg in args {
            let value = self.rvalue(arg)?;
            values.push(value);
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(constant) = self.fold_builtin(plain, &values, ret, span) {
            return Ok(constant);
        }
        Ok(Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args: values }, ty: ret, span })
    }

    /// What `__builtin_classify_type` says of a type.
    fn type_class(&self, ty: TypeId) -> i128 {
        match self.types.get(ty) {
            Type::Void => 0,
            Type::Int(_) => 1,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => 5,
            Type::Float(_) => 8,
            Type::Record(_) if self.types.complex(ty).is_some() => 9,
            Type::Record(r) if self.types.records[*r].is_union => 13,
            Type::Record(_) | Type::VaList => 12,
        }
    }

    /// `__builtin_object_size`: what is left of a named object behind a constant place in it. What else the compiler
    /// finds out depends on its optimisation.
    fn object_size(&mut self, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let [object, wanted] = args else { return err(span, "__builtin_object_size takes two arguments") };
        let size_t = self.types.size_t();
        let wanted = self.constant(wanted)?;
        let pointer = self.rvalue(object);
        self.pending.clear();
        let room = self.room_behind(&pointer?);
        // The surrounding member is asked for, or the whole object.
        let left = room.map(|room| if wanted & 1 == 1 { room.in_member } else { Some(room.in_object) });
        match left.flatten() {
            Some(size) => Ok(int(i128::from(size), size_t, span)),
            None => {
                let func = self.builtin_function("__craig_unknown_size", "z", span);
                let kind = ExprKind::Call { callee: Callee::Direct(func), args: Vec::new() };
                Ok(Expr { kind, ty: size_t, span })
            }
        }
    }

    /// How many bytes are left where a pointer leads to, if that is plain from the text.
    fn room_behind(&self, pointer: &Expr) -> Option<Room> {
        match &pointer.kind {
            ExprKind::AddrOf(place) => self.room_at(place),
            ExprKind::Convert(inner) if self.types.is_pointer(inner.ty) => self.room_behind(inner),
            ExprKind::PtrAdd { ptr, index, size, negative: false } => match (&index.kind, &size.kind) {
                (ExprKind::Int(index), ExprKind::Int(size)) => {
                    let room = self.room_behind(ptr)?.behind(index.checked_mul(*size)?)?;
                    // The member behind a sum is found by optimisation only.
                    Some(Room { in_member: None, ..room })
                }
                _ => None,
            },
            _ => None,
        }
    }
    fn room_at(&self, place: &Place) -> Option<Room> {
        match &place.kind {
            PlaceKind::Var(var) => {
                let size = self.types.size_of(self.vars[*var].ty.id)?;
                Some(Room { in_object: size, in_member: Some(size) })
            }
            PlaceKind::Field(base, field) => {
                let field = self.types.fields(base.ty.id)?.get(*field as usize)?.clone();
                let room = self.room_at(base)?.behind(field.offset().into())?;
                Some(Room { in_member: self.types.size_of(field.ty.id), ..room })
            }
            PlaceKind::Index(base, index) => {
                let ExprKind::Int(index) = index.kind else { return None };
                let size = self.types.size_of(place.ty.id)?;
                let room = self.room_at(base)?.behind(index.checked_mul(size.into())?)?;
                // Of an array of arrays, compilers take the one or the other.
                let in_member = room.in_member.filter(|_| !self.types.is_array(place.ty.id));
                Some(Room { in_member, ..room })
            }
            PlaceKind::Deref(pointer) => self.room_behind(pointer),
            PlaceKind::Temp(_) | PlaceKind::Compound(..) => None,
        }
    }

    /// `__builtin_clrsb`: how many bits below the sign equal it.
    fn clrsb(&mut self, name: &str, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let [arg] = args else { return err(span, format!("__builtin_{name} takes one argument")) };
        let (ty, unsigned, clz) = match name {
            "clrsb" => (TypeId::INT, TypeId::UINT, "clz"),
            "clrsbl" => (TypeId::LONG, TypeId::ULONG, "clzl"),
            _ => (TypeId::LLONG, TypeId::ULLONG, "clzll"),
        };
        let bits = self.types.size_of(ty).map_or(32, |n| 8 * n as i128);
        let value = self.rvalue(arg)?;
        let value = self.assign_convert(value, ty)?;
        if let ExprKind::Int(v) = value.kind {
            let magnitude = if v < 0 { !v } else { v };
            return Ok(int(bits - 1 - i128::from(128 - magnitude.leading_zeros()), TypeId::INT, span));
        }
        let mut setup = Vec::new();
        let value = self.held(value, &mut setup);
        let zero = self.zero(ty, span);
        let is_negative = self.compare(CmpOp::Lt, value.clone(), zero, span)?;
        let flipped = self.unary_value(ast::UnaryOp::BitNot, value.clone(), span)?;
        let cond = |c: Expr, yes: Expr, no: Expr| {
            let ty = yes.ty;
            Expr { kind: ExprKind::Cond(Box::new(c), Box::new(yes), Box::new(no)), ty, span }
        };
        let magnitude = self.convert(cond(is_negative, flipped, value), unsigned);
        let magnitude = self.held(magnitude, &mut setup);
        let zero = self.zero(unsigned, span);
        let is_zero = self.compare(CmpOp::Eq, magnitude.clone(), zero, span)?;
        let letters = builtin_signature(clz).unwrap_or("iu");
        let func = self.builtin_function(&format!("__builtin_{clz}"), letters, span);
        let kind = ExprKind::Call { callee: Callee::Direct(func), args: vec![magnitude] };
        let zeros = Expr { kind, ty: TypeId::INT, span };
        let zeros = cond(is_zero, int(bits, TypeId::INT, span), zeros);
        let one = int(1, TypeId::INT, span);
        let result = self.arithmetic(BinOp::Sub, zeros, one, span)?;
        Ok(super::parts::after(setup, result))
    }

    /// `__builtin_add_overflow` and its like: the exact result, stored modulo the type of the target; does it differ
    /// from that? `*_overflow_p` only asks.
    fn overflow_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let (stem, only_asks) = match name.strip_suffix("_overflow_p") {
            Some(stem) => (stem, true),
            None => (name.strip_suffix("_overflow").unwrap_or(name), false),
        };
        let typed = |kind: char, longs: &str| match (kind, longs) {
            ('s', "") => Some(TypeId::INT),
            ('s', "l") => Some(TypeId::LONG),
            ('s', "ll") => Some(TypeId::LLONG),
            ('u', "") => Some(TypeId::UINT),
            ('u', "l") => Some(TypeId::ULONG),
            ('u', "ll") => Some(TypeId::ULLONG),
            _ => None,
        };
        // `add`, or `saddll`: a letter for the sign and as many l as the type has.
        let (stem, operand_type) = match stem {
            "add" | "sub" | "mul" => (stem, None),
            _ if stem.len() >= 4 && stem.is_char_boundary(1) && stem.is_char_boundary(4) => {
                let kind = stem.chars().next().unwrap_or(' ');
                match typed(kind, &stem[4..]) {
                    Some(ty) => (&stem[1..4], Some(ty)),
                    None => return unsupported(span, format!("__builtin_{name} is not supported")),
                }
            }
            _ => return unsupported(span, format!("__builtin_{name} is not supported")),
        };
        let op = match stem {
            "add" => BinOp::Add,
            "sub" => BinOp::Sub,
            "mul" => BinOp::Mul,
            _ => return unsupported(span, format!("__builtin_{name} is not supported")),
        };
        let [left, right, target] = args else { return err(span, format!("__builtin_{name} takes three arguments")) };
        let (mut left, mut right, target) = (self.rvalue(left)?, self.rvalue(right)?, self.rvalue(target)?);
        if let Some(ty) = operand_type {
            (left, right) = (self.assign_convert(left, ty)?, self.assign_convert(right, ty)?);
        }
        for (i, operand) in [&left, &right].into_iter().enumerate() {
            if !self.types.is_integer(operand.ty) {
                return err(span, format!("argument {} of __builtin_{name} does not have integral type", i + 1));
            }
        }
        if !only_asks {
            let pointee = self.types.pointee(target.ty);
            let wrong = match pointee {
                Some(ty) if !self.types.is_integer(ty.id) => Some("does not point to an integer"),
                None => Some("does not point to an integer"),
                Some(ty) if ty.id == TypeId::BOOL => Some("points to a boolean"),
                Some(ty) if ty.quals.is_const => Some("points to a constant"),
                Some(_) => None,
            };
            if let Some(wrong) = wrong {
                return err(span, format!("argument 3 of __builtin_{name} {wrong}"));
            }
        }
        let result = if only_asks { Some(target.ty) } else { self.types.pointee(target.ty).map(|t| t.id) };
        let kind_of = |types: &Types, ty: TypeId| types.int_kind(ty).filter(|k| !types.is_wide(*k));
        let kinds = (
            kind_of(&self.types, left.ty),
            kind_of(&self.types, right.ty),
            result.and_then(|ty| kind_of(&self.types, ty)),
        );
        let (Some(a), Some(b), Some(r), Some(result)) = (kinds.0, kinds.1, kinds.2, result) else {
            return unsupported(span, format!("__builtin_{name} is not supported for these types"));
        };
        if only_asks && let (ExprKind::Int(x), ExprKind::Int(y)) = (&left.kind, &right.kind) {
            let exact = match op {
                BinOp::Add => x.checked_add(*y),
                BinOp::Sub => x.checked_sub(*y),
                _ => x.checked_mul(*y),
            };
            let fits = exact.is_some_and(|v| self.types.wrap(v, r) == v);
            return Ok(int(!fits as i128, TypeId::BOOL, span));
        }
        // A type that holds every result.
        let bits = [a, b, r].into_iter().map(|k| self.types.int_bits(k)).max().unwrap_or(64);
        let wide = match (bits, op) {
            (..=31, _) => TypeId::LLONG,
            (32, BinOp::Add | BinOp::Sub) => TypeId::LLONG,
            (32, _) if a.is_signed() || b.is_signed() => TypeId::LLONG,
            (_, BinOp::Mul) if !a.is_signed() && !b.is_signed() => self.types.int(IntKind::UInt128),
            _ => self.types.int(IntKind::Int128),
        };
        let (left, right) = (self.convert(left, wide), self.convert(right, wide));
        let exact = self.arithmetic(op, left, right, span)?;
        let var = self.new_var("exact result", Ty::plain(wide), span, Storage::Local, true);
        let place = Place { kind: PlaceKind::Var(var), ty: Ty::plain(wide), span };
        let compute = Expr { kind: ExprKind::Assign(Box::new(place.clone()), Box::new(exact)), ty: wide, span };
        let exact = self.load(place)?;
        let wrapped = self.convert(exact.clone(), result);
        let again = self.convert(wrapped.clone(), wide);
        let differs = self.compare(CmpOp::Ne, again, exact, span)?;
        let differs = self.convert(differs, TypeId::BOOL);
        let comma = |first: Expr, second: Expr| {
            let ty = second.ty;
            Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
        };
        if only_asks {
            return Ok(comma(compute, differs));
        }
        let target = Place { kind: PlaceKind::Deref(Box::new(target)), ty: Ty::plain(result), span };
        let store = Expr { kind: ExprKind::Assign(Box::new(target), Box::new(wrapped)), ty: result, span };
        Ok(comma(compute, comma(store, differs)))
    }

    /// `__atomic_*` and `__sync_*`: typed by what their first argument points to.
    fn atomic_call(&mut self, name: &str, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let void = TypeId::VOID;
        if name.ends_with("fence") || name == "__sync_synchronize" {
            return self.generic_builtin(name, args, void, span);
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(self.rvalue(arg)?);
        }
        let Some(pointee) = values.first().and_then(|p| self.types.pointee(p.ty)) else {
            return err(span, format!("{name} needs a pointer"));
        };
        if let "__atomic_load" | "__atomic_store" | "__atomic_exchange" | "__atomic_compare_exchange" = name {
            return self.atomic_by_address(name, values, pointee, span);
        }
        let is_number = self.types.is_integer(pointee.id) || self.types.is_pointer(pointee.id);
        let is_fetch = name.contains("fetch");
        if !is_number && (is_fetch || name.starts_with("__sync_")) || is_fetch && pointee.id == TypeId::BOOL {
            return err(span, format!("operand type is incompatible with argument 1 of {name}"));
        }
        let value_args: &[usize] = match name {
            "__atomic_load_n" | "__atomic_test_and_set" | "__atomic_clear" | "__sync_lock_release" => &[],
            "__atomic_compare_exchange_n" => &[2],
            "__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap" => &[1, 2],
            _ => &[1],
        };
        for &i in value_args {
            if i >= values.len() {
                return err(span, format!("too few arguments of {name}"));
            }
            let value = values[i].clone();
            values[i] = self.assign_convert(value, pointee.id)?;
        }
        let ret = match name {
            "__atomic_store_n" | "__atomic_clear" | "__sync_lock_release" => void,
            "__atomic_compare_exchange_n" | "__sync_bool_compare_and_swap" | "__atomic_test_and_set" => TypeId::BOOL,
            _ => pointee.id,
        };
        let func = self.builtin_function(name, "i.", span);
        Ok(Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args: values }, ty: ret, span })
    }
}

impl Sema<'_> {
    /// `__atomic_load(p, to, order)` and its like, which take values by their addresses: as those that take and return
    /// values.
    fn atomic_by_address(&mut self, name: &str, mut values: Vec<Expr>, pointee: Ty, span: Span) -> SResult<Expr> {
        if !self.types.is_scalar(pointee.id) {
            return unsupported(span, format!("{name} of other than numbers and pointers is not supported"));
        }
        let n_arguments = match name {
            "__atomic_compare_exchange" => 6,
            "__atomic_exchange" => 4,
            _ => 3,
        };
        if values.len() != n_arguments {
            return err(span, format!("{name} takes {n_arguments} arguments"));
        }
        let ty = Ty::plain(pointee.id);
        for value in values.iter().skip(1).take(n_arguments.min(4) - 2) {
            let is_same =
                self.types.pointee(value.ty).is_some_and(|t| self.types.size_of(t.id) == self.types.size_of(ty.id));
            if !is_same {
                return err(span, format!("{name} needs pointers to one type"));
            }
        }
        let behind = |pointer: Expr| Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, span };
        let value_at = |e: Expr| Expr { kind: ExprKind::Load(behind(e)), ty: ty.id, span };
        let (target, ret) = match name {
            "__atomic_load" => (Some(values.remove(1)), ty.id),
            "__atomic_store" => {
                values[1] = value_at(values[1].clone());
                (None, TypeId::VOID)
            }
            "__atomic_exchange" => {
                values[1] = value_at(values[1].clone());
                (Some(values.remove(2)), ty.id)
            }
            _ => {
                values[2] = value_at(values[2].clone());
                (None, TypeId::BOOL)
            }
        };
        let func = self.builtin_function(&format!("{name}_n"), "i.", span);
        let call = Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args: values }, ty: ret, span };
        Ok(match target {
            Some(to) => {
                let assign = ExprKind::Assign(Box::new(behind(to)), Box::new(call));
                self.convert(Expr { kind: assign, ty: ty.id, span }, TypeId::VOID)
            }
            None => call,
        })
    }
}

/// Is this the name of a builtin that the type checker knows?
pub fn is_builtin(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "assoc_barrier",
        "assume_aligned",
        "c23_va_start",
        "choose_expr",
        "classify_type",
        "clrsb",
        "clrsbl",
        "clrsbll",
        "complex",
        "constant_p",
        "convertvector",
        "dynamic_object_size",
        "expect",
        "expect_with_probability",
        "fpclassify",
        "isfinite",
        "isgreater",
        "isgreaterequal",
        "isinf",
        "isinf_sign",
        "isless",
        "islessequal",
        "islessgreater",
        "isnan",
        "isnormal",
        "isunordered",
        "object_size",
        "offsetof",
        "shuffle",
        "shufflevector",
        "signbit",
        "signbitf",
        "signbitl",
        "speculation_safe_value",
        "types_compatible_p",
        "va_arg",
        "va_copy",
        "va_end",
        "va_start",
    ];
    const OVERFLOWS: &[&str] = &["add", "sub", "mul", "sadd", "ssub", "smul", "uadd", "usub", "umul"];
    if let Some(rest) = name.strip_prefix("__builtin_") {
        let stem = rest.strip_suffix("_overflow_p").or_else(|| rest.strip_suffix("_overflow"));
        let is_overflow = stem.is_some_and(|s| OVERFLOWS.contains(&s.trim_end_matches('l')));
        return OTHERS.contains(&rest)
            || is_overflow
            || builtin_signature(rest).is_some()
            || library_signature(rest).is_some();
    }
    const ATOMICS: &[&str] = &[
        "load_n",
        "store_n",
        "exchange_n",
        "compare_exchange_n",
        "fetch_add",
        "fetch_sub",
        "fetch_and",
        "fetch_or",
        "fetch_xor",
        "fetch_nand",
        "add_fetch",
        "sub_fetch",
        "and_fetch",
        "or_fetch",
        "xor_fetch",
        "nand_fetch",
        "test_and_set",
        "clear",
        "thread_fence",
        "signal_fence",
    ];
    name.strip_prefix("__atomic_").is_some_and(|rest| ATOMICS.contains(&rest)) || name.starts_with("__sync_")
}

fn builtin_signature(name: &str) -> Option<&'static str> {
    Some(match name {
        "bswap16" => "hh",
        "bswap32" => "uu",
        // uint64_t
        "bswap64" => "qq",
        "clz" | "ctz" | "popcount" | "parity" => "iu",
        "clzl" | "ctzl" | "popcountl" | "parityl" => "im",
        "clzll" | "ctzll" | "popcountll" | "parityll" => "iM",
        "ffs" => "ii",
        "ffsl" => "il",
        "ffsll" => "iL",
        "unreachable" | "trap" => "v",
        "prefetch" => "vp.",
        "alloca" | "alloca_with_align" => "pz.",
        "return_address" | "frame_address" => "pu",
        "nan" => "dc",
        "nanf" => "fc",
        "nanl" => "Dc",
        "inf" | "huge_val" => "d",
        "inff" | "huge_valf" => "f",
        "infl" | "huge_vall" => "D",
        "infq" | "huge_valf128" => "D",
        _ => return None,
    })
}

/// Functions of one or two floating numbers, for each of the three types.
fn math_signature(name: &str) -> Option<&'static str> {
    const ONE: &[&str] = &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cbrt",
        "ceil",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp10",
        "exp2",
        "expm1",
        "fabs",
        "floor",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "nearbyint",
        "rint",
        "round",
        "roundeven",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
    ];
    const TWO: &[&str] =
        &["atan2", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow", "remainder", "drem"];
    let letters = |stem: &str, one: &'static str, two: &'static str| match stem {
        _ if ONE.contains(&stem) => Some(one),
        _ if TWO.contains(&stem) => Some(two),
        _ => None,
    };
    letters(name, "dd", "ddd")
        .or_else(|| letters(name.strip_suffix('f')?, "ff", "fff"))
        .or_else(|| letters(name.strip_suffix('l')?, "DD", "DDD"))
}

fn library_signature(name: &str) -> Option<&'static str> {
    if let Some(letters) = math_signature(name) {
        return Some(letters);
    }
    if let Some(rest) = name.strip_prefix("__ESBMC_") {
        return Some(match rest {
            "r_ok" => "bp.",
            "same_object" => "bpp",
            "is_dynamic" => "bp",
            "get_object_size" | "POINTER_OBJECT" => "zp",
            "POINTER_OFFSET" => "lp",
            _ => return None,
        });
    }
    if let Some(rest) = name.strip_prefix("__CPROVER_") {
        return Some(match rest {
            "isnanf" | "isinff" | "isfinitef" | "isnormalf" | "signf" => "if",
            "isnand" | "isinfd" | "isfinited" | "isnormald" | "signd" => "id",
            "isnanld" | "isinfld" | "isfiniteld" | "isnormalld" | "signld" => "iD",
            "fabs" => "dd",
            "fabsf" => "ff",
            "fabsl" => "DD",
            "r_ok" | "w_ok" | "rw_ok" => "bp.",
            "same_object" => "bpp",
            "DYNAMIC_OBJECT" => "bp",
            "OBJECT_SIZE" | "POINTER_OBJECT" => "zp",
            "POINTER_OFFSET" => "lp",
            _ => return None,
        });
    }
    Some(match name {
        "malloc" | "alloca" => "pz",
        "calloc" => "pzz",
        "realloc" => "ppz",
        "free" => "vp",
        "abort" => "v",
        "exit" | "_exit" | "_Exit" => "vi",
        "abs" => "ii",
        "labs" => "ll",
        "llabs" => "LL",
        "memcpy" | "memmove" => "pppz",
        "memset" => "ppiz",
        "memcmp" => "ippz",
        "memchr" => "ppiz",
        "strlen" => "zc",
        "strcpy" | "strcat" => "ccc",
        "strncpy" | "strncat" => "cccz",
        "strcmp" => "icc",
        "strncmp" => "iccz",
        "strchr" | "strrchr" => "cci",
        "strstr" => "ccc",
        "strdup" => "cc",
        "printf" | "scanf" => "ic.",
        "fprintf" | "fscanf" => "ipc.",
        "sprintf" | "sscanf" => "icc.",
        "snprintf" => "iczc.",
        "puts" => "ic",
        "putchar" => "ii",
        "creal" | "cimag" | "cabs" | "carg" => "dC",
        "crealf" | "cimagf" | "cabsf" | "cargf" => "fF",
        "creall" | "cimagl" | "cabsl" | "cargl" => "DE",
        "conj" | "cproj" | "csqrt" | "cexp" | "clog" => "CC",
        "conjf" | "cprojf" | "csqrtf" | "cexpf" | "clogf" => "FF",
        "conjl" | "cprojl" | "csqrtl" | "cexpl" | "clogl" => "EE",
        "cpow" => "CCC",
        "bcmp" => "ippz",
        "bzero" => "vpz",
        "mempcpy" => "pppz",
        "stpcpy" => "ccc",
        "stpncpy" => "cccz",
        "strcasecmp" => "icc",
        "strncasecmp" => "iccz",
        "strspn" | "strcspn" => "zcc",
        "strpbrk" => "ccc",
        "strndup" => "ccz",
        "index" | "rindex" => "cci",
        "fputs" => "icp",
        "fputc" => "iip",
        "fwrite" => "zpzzp",
        "isblank" | "iscntrl" | "isgraph" | "isprint" | "ispunct" | "isxdigit" | "isascii" | "toascii" => "ii",
        "imaxabs" => "LL",
        "ldexp" => "ddi",
        "ldexpf" => "ffi",
        "frexp" => "ddp",
        "modf" => "ddp",
        "fma" => "dddd",
        "fmaf" => "ffff",
        "lround" | "lrint" => "ld",
        "llround" | "llrint" => "Ld",
        "ilogb" => "id",
        "powi" => "ddi",
        "sincos" => "vdpp",
        "isdigit" | "isalpha" | "isalnum" | "isspace" | "isupper" | "islower" | "toupper" | "tolower" => "ii",
        _ => return None,
    })
}

/// The bytes behind a place: to the end of the object, and of the member or array that surrounds it most closely.
#[derive(Clone, Copy)]
struct Room {
    in_object: u64,
    in_member: Option<u64>,
}

impl Room {
    /// What is left so many bytes further, if that is still in the object.
    fn behind(self, bytes: i128) -> Option<Room> {
        let bytes = u64::try_from(bytes).ok()?;
        let in_object = self.in_object.checked_sub(bytes)?;
        Some(Room { in_object, in_member: self.in_member.and_then(|n| n.checked_sub(bytes)) })
    }
}
