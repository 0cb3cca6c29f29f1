//! What other tools and compilers call assumptions and assertions, and ends of programs.

use super::{Piece, local, with};

pub(super) const PIECES: &[Piece] = &[
    local("__CPROVER_assume($s ⟨<¦>¦!=⟩ $c); acc += 1; ⟨__CPROVER_assert($v < ⟨200¦300⟩, \"bound\");¦⟩"),
    local("int x = $v; ⟨__ESBMC_assume(x > ⟨-9¦0⟩);¦⟩ __ESBMC_assert(x ⟨!=¦<⟩ ⟨7¦200¦300⟩, \"text\"); acc += x;"),
    local("int x = $v; ⟨__VERIFIER_assume(x < 100);¦if (x >= 100) x = 0;⟩ assert(x ⟨< 100¦!= 2¦!= 99⟩); acc += x;"),
    with(
        "extern void abort(void); static void must$k(int c) { if (!c) { ⟨reach_error();¦assert(0);¦reach_error(); abort();⟩ } } static void may$k(int c) { if (!c) abort(); }",
        "int x = $v; may$k(x ⟨> -10¦< 128¦!= 7⟩); must$k(x ⟨!= 7¦< 256¦> -100⟩); acc += x;",
    ),
    local(
        "int x = $s; if (x > ⟨2¦9⟩) ⟨abort();¦exit(1);¦_Exit(0);¦__builtin_trap();¦exit(0);⟩ acc += x; ⟨assert(x <= ⟨2¦3¦9⟩);¦⟩",
    ),
    local("int x = $s; if (x > 9) __builtin_unreachable(); acc += x;"),
    local("__CPROVER_bool b = $v; __CPROVER_assert(b == 0 || b == 1, \"bool\"); acc += b;"),
];
