//! Printing a syntax tree and parsing it back gives an equal tree. The trees are arbitrary: they need
//! not type-check.

use base::{SourceMap, Span};
use boogie::ast::*;
use proptest::prelude::*;

const NOWHERE: Loc = Loc(Span::NONE);

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z_.$#'~^?][a-zA-Z0-9_.$#'~^?]{0,5}".prop_filter("not a type", |s| {
            boogie::parser::bit_vector_width(s).is_none() && !boogie::lexer::is_keyword(s) && s != "complete"
        }),
        // Words that are keywords in some places, and keywords that need an escape.
        prop::sample::select(vec!["fork", "join", "atomic", "assign", "var", "old", "finite"]).prop_map(str::to_string),
    ]
}

fn ident() -> impl Strategy<Value = Ident> {
    name().prop_map(|name| Ident { name, span: NOWHERE })
}

fn idents(min: usize) -> impl Strategy<Value = Vec<Ident>> {
    prop::collection::vec(ident(), min..4)
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(TypeKind::Bool),
        Just(TypeKind::Int),
        Just(TypeKind::Real),
        (0u32..200).prop_map(TypeKind::BitVec),
        ident().prop_map(|name| TypeKind::Named { name, args: Vec::new() }),
    ]
    .prop_map(|kind| Type { kind, span: NOWHERE });
    leaf.prop_recursive(3, 16, 3, |inner| {
        let types = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            (idents(0), types.clone(), inner.clone()).prop_map(|(type_params, domain, range)| TypeKind::Map {
                type_params,
                domain,
                range: Box::new(range)
            }),
            (ident(), types).prop_map(|(name, args)| TypeKind::Named { name, args }),
            prop::collection::vec((ident(), inner), 0..3).prop_map(TypeKind::Struct),
        ]
        .prop_map(|kind| Type { kind, span: NOWHERE })
    })
}

fn typed_names(condition: BoxedStrategy<Option<Expr>>) -> impl Strategy<Value = TypedNames> {
    (idents(1), ty(), condition).prop_map(|(names, ty, condition)| TypedNames {
        attrs: Vec::new(),
        names,
        ty,
        condition,
    })
}

fn no_condition() -> BoxedStrategy<Option<Expr>> {
    Just(None).boxed()
}

fn expr() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(ExprKind::Bool),
        (0u64..1_000_000).prop_map(|n| ExprKind::Int(n.to_string())),
        (0u32..1000, 0u32..1000).prop_map(|(a, b)| ExprKind::Real(format!("{a}.{b}"))),
        (0u32..100, -5i32..5).prop_map(|(a, e)| ExprKind::Real(format!("{a}e{e}"))),
        (0u32..256, 8u32..64).prop_map(|(n, width)| ExprKind::BitVec { value: n.to_string(), width }),
        name().prop_map(ExprKind::Var),
    ]
    .prop_map(|kind| Expr { kind, span: NOWHERE });
    leaf.prop_recursive(5, 48, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let some = prop::collection::vec(inner.clone(), 0..4);
        let binary = (prop::sample::select(BinaryOp::ALL.to_vec()), prop::collection::vec(inner.clone(), 2..4))
            .prop_filter_map("chains are flat", |(op, mut operands)| {
                if !op.chains() {
                    operands.truncate(2);
                }
                // `(a && b) && c` would be one node, so the parser never makes two of it; the
                // printer's parentheses keep them apart, which is what is tested with other operators.
                Some(ExprKind::Binary(op, operands))
            });
        let quantifier = (
            prop::sample::select(vec![Binder::Forall, Binder::Exists, Binder::Lambda]),
            idents(0),
            prop::collection::vec(typed_names(no_condition()), 1..3),
            prop::collection::vec(prop::collection::vec(inner.clone(), 1..3), 0..2),
            inner.clone(),
        )
            .prop_map(|(kind, type_params, vars, triggers, body)| {
                ExprKind::Quantifier(Box::new(Quantifier {
                    kind,
                    type_params,
                    vars,
                    attrs: Vec::new(),
                    triggers,
                    body,
                }))
            });
        prop_oneof![
            (ident(), some.clone()).prop_map(|(callee, args)| ExprKind::Apply { callee, args }),
            boxed.clone().prop_map(ExprKind::Old),
            boxed.clone().prop_map(|e| ExprKind::Unary(UnaryOp::Not, e)),
            boxed.clone().prop_map(|e| ExprKind::Unary(UnaryOp::Neg, e)),
            binary,
            prop::collection::vec(inner.clone(), 3).prop_map(|v| {
                let [a, b, c]: [Expr; 3] = v.try_into().expect("three");
                ExprKind::IfThenElse(Box::new([a, b, c]))
            }),
            (boxed.clone(), some.clone()).prop_map(|(map, index)| ExprKind::Select { map, index }),
            (boxed.clone(), some, boxed.clone()).prop_map(|(map, index, value)| ExprKind::Store { map, index, value }),
            (boxed.clone(), 0u32..64, 0u32..64).prop_map(|(operand, high, low)| ExprKind::Extract {
                operand,
                high,
                low
            }),
            quantifier,
            boxed.clone().prop_map(ExprKind::ToInt),
            boxed.clone().prop_map(ExprKind::ToReal),
            (boxed.clone(), ty()).prop_map(|(e, ty)| ExprKind::Ascribe(e, ty)),
            prop::collection::vec((ident(), inner), 1..3).prop_map(ExprKind::Struct),
            (boxed, ident()).prop_map(|(e, field)| ExprKind::Field(e, field)),
        ]
        .prop_map(|kind| Expr { kind, span: NOWHERE })
    })
    .boxed()
}

fn attrs() -> impl Strategy<Value = Vec<Attribute>> {
    let arg = prop_oneof!["[a-z ]{0,6}".prop_map(AttributeArg::Str), expr().prop_map(AttributeArg::Expr)];
    let attr = ("[a-z]{1,6}", prop::collection::vec(arg, 0..3)).prop_map(|(name, args)| Attribute {
        name,
        args,
        span: NOWHERE,
    });
    prop::collection::vec(attr, 0..2)
}

fn condition() -> impl Strategy<Value = Condition> {
    (any::<bool>(), attrs(), expr()).prop_map(|(free, attrs, expr)| Condition { free, attrs, expr, span: NOWHERE })
}

fn guard() -> impl Strategy<Value = Guard> {
    prop_oneof![Just(Guard::Any), expr().prop_map(Guard::Expr)]
}

fn block(inner: BoxedStrategy<Stmt>) -> impl Strategy<Value = Block> {
    prop::collection::vec(inner, 0..4).prop_map(|stmts| Block { stmts })
}

fn stmt() -> BoxedStrategy<Stmt> {
    let exprs = || prop::collection::vec(expr(), 1..3);
    let args = || prop::collection::vec(expr(), 0..3);
    let access =
        prop_oneof![prop::collection::vec(expr(), 0..3).prop_map(Access::Index), ident().prop_map(Access::Field)];
    let lhs = (ident(), prop::collection::vec(access, 0..3)).prop_map(|(base, path)| Lhs { base, path, span: NOWHERE });
    let leaf = prop_oneof![
        ident().prop_map(StmtKind::Label),
        (attrs(), expr()).prop_map(|(attrs, expr)| StmtKind::Assert { attrs, expr }),
        (attrs(), expr()).prop_map(|(attrs, expr)| StmtKind::Assume { attrs, expr }),
        idents(1).prop_map(StmtKind::Havoc),
        (prop::collection::vec(lhs, 1..3), exprs()).prop_map(|(lhs, rhs)| StmtKind::Assign { lhs, rhs }),
        (attrs(), any::<bool>(), idents(0), ident(), args())
            .prop_map(|(attrs, free, lhs, callee, args)| StmtKind::Call { attrs, free, lhs, callee, args }),
        (attrs(), ident(), prop::collection::vec(prop::option::of(expr()), 0..3))
            .prop_map(|(attrs, callee, args)| StmtKind::CallForall { attrs, callee, args }),
        ((1u32..9), ident(), args()).prop_map(|(n, callee, args)| StmtKind::Fork {
            id: vec![Expr { kind: ExprKind::Int(n.to_string()), span: NOWHERE }],
            callee,
            args
        }),
        ((1u32..9), idents(0)).prop_map(|(n, lhs)| StmtKind::Join {
            id: vec![Expr { kind: ExprKind::Int(n.to_string()), span: NOWHERE }],
            lhs
        }),
        idents(1).prop_map(StmtKind::Goto),
        prop::option::of(ident()).prop_map(StmtKind::Break),
        Just(StmtKind::Return),
    ]
    .prop_map(|kind| Stmt { kind, span: NOWHERE });
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            block(inner.clone()).prop_map(StmtKind::Atomic),
            (prop::collection::vec((guard(), block(inner.clone())), 1..3), prop::option::of(block(inner.clone())))
                .prop_map(|(branches, otherwise)| StmtKind::If { branches, otherwise }),
            (guard(), prop::collection::vec(condition(), 0..2), block(inner))
                .prop_map(|(guard, invariants, body)| StmtKind::While { guard, invariants, body }),
        ]
        .prop_map(|kind| Stmt { kind, span: NOWHERE })
    })
    .boxed()
}

fn var_decl() -> impl Strategy<Value = VarDecl> {
    let with_condition = prop::option::of(expr()).boxed();
    (attrs(), prop::collection::vec(typed_names(with_condition), 1..3))
        .prop_map(|(attrs, vars)| VarDecl { attrs, vars })
}

fn body() -> impl Strategy<Value = Body> {
    (prop::collection::vec(var_decl(), 0..2), block(stmt())).prop_map(|(locals, block)| Body {
        locals,
        block,
        end: NOWHERE,
    })
}

fn signature() -> impl Strategy<Value = Signature> {
    let names = || prop::collection::vec(typed_names(no_condition()), 0..3);
    (attrs(), ident(), idents(0), names(), names()).prop_map(|(attrs, name, type_params, params, returns)| Signature {
        attrs,
        name,
        type_params,
        params,
        returns,
    })
}

fn spec() -> impl Strategy<Value = Spec> {
    prop_oneof![
        condition().prop_map(Spec::Requires),
        condition().prop_map(Spec::Ensures),
        idents(0).prop_map(Spec::Modifies),
    ]
}

fn decl() -> impl Strategy<Value = Decl> {
    let param = || (prop::option::of(ident()), ty()).prop_map(|(name, ty)| FunctionParam { name, ty });
    let type_decl = (attrs(), ident(), idents(0), prop::option::of(ty()))
        .prop_filter("a type called finite", |(_, name, _, _)| name.name != "finite")
        .prop_map(|(attrs, name, params, synonym)| Decl::Type(TypeDecl { attrs, name, params, synonym }));
    let order = (prop::collection::vec((any::<bool>(), ident()), 0..2), any::<bool>())
        .prop_map(|(parents, complete)| OrderSpec { parents, complete });
    prop_oneof![
        type_decl,
        (attrs(), any::<bool>(), idents(1), ty(), prop::option::of(order))
            .prop_map(|(attrs, unique, names, ty, order)| Decl::Const(ConstDecl { attrs, unique, names, ty, order })),
        var_decl().prop_map(Decl::Var),
        (attrs(), ident(), idents(0), prop::collection::vec(param(), 0..3), param(), prop::option::of(expr()))
            .prop_map(|(attrs, name, type_params, params, result, body)| {
                Decl::Function(FunctionDecl { attrs, name, type_params, params, result, body })
            }),
        (attrs(), expr()).prop_map(|(attrs, formula)| Decl::Axiom(AxiomDecl { attrs, formula })),
        (signature(), prop::collection::vec(spec(), 0..3), prop::option::of(body()))
            .prop_map(|(sig, specs, body)| Decl::Procedure(ProcedureDecl { sig, specs, body })),
        (signature(), body()).prop_map(|(sig, body)| Decl::Implementation(ImplementationDecl { sig, body })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn printed_trees_parse_back(decls in prop::collection::vec(decl(), 1..3)) {
        let file = File { decls, directives: Vec::new() };
        let text = boogie::print(&file);
        let mut sources = SourceMap::new();
        let id = sources.add("printed.bpl", text.clone());
        match boogie::parse(&sources, id) {
            Ok(again) => prop_assert!(again == file, "printed:\n{}\nread back:\n{}", text, boogie::print(&again)),
            Err(errors) => {
                let messages: String = errors.iter().map(|e| e.render(&sources)).collect();
                prop_assert!(false, "{}\n{}", messages, text);
            }
        }
    }

    /// Parsing is a function of the text's meaning only: printing what was printed changes nothing.
    #[test]
    fn printing_is_idempotent(e in expr()) {
        let text = boogie::printer::print_expr(&e);
        let mut sources = SourceMap::new();
        let id = sources.add("printed.bpl", text.clone());
        let again = boogie::parser::parse_expr(id, &text).map_err(|_| TestCaseError::fail(text.clone()))?;
        prop_assert_eq!(boogie::printer::print_expr(&again), text);
    }
}
