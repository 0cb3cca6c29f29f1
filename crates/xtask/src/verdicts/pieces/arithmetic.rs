//! Corners of arithmetic: conversions, remainders, shifts, floating numbers, control.

use super::{Piece, local, with};

pub(super) const PIECES: &[Piece] = &[
    // Division and remainder.
    local("int x = ⟨-2147483647 - 1¦-2147483647¦-7¦$v⟩, y = ⟨-1¦-1¦2¦-3¦$v - 1⟩; ⟨acc += x % y == 0;¦acc += (x / y) > 0;¦x %= y; acc += x != 0;¦x /= y; acc += x > 0;¦acc += y != -1 ? x % y : 0;¦acc += y > 0 ? x / y % 7 : 3;⟩").freestanding(),
    local("⟨long¦long long⟩ x = ⟨-9223372036854775807LL - 1¦-2147483647 - 1¦-5⟩, y = ⟨-1¦3¦$v - 1⟩; ⟨x %= y;¦x = x / y;¦x = -x;¦if (x < -5) x -= 1;¦x = x % y + y;⟩ acc += (int)(x % 10);"),
    local("short a = ⟨-32768¦5¦$v⟩; signed char b = ⟨-128¦-1¦3⟩; acc += a / ⟨b¦-1⟩ + a % ⟨b¦7⟩; a ⟨%= b¦/= b¦*= b¦-= b¦= -a⟩; b ⟨/= -1¦= -b¦--¦*= b⟩; acc += a + b;").freestanding(),
    local("unsigned x = ⟨7¦0u¦$v⟩, y = ⟨3¦4294967295u¦$s⟩; if (y) acc += (int)(x / y) + (int)(x % y) + (int)(x - y > 5) + (-x > 3); acc += (int)(x * y % 100u);").freestanding(),
    local("int z = ⟨$s¦2¦0⟩; ⟨if (z)¦if (z != 0)¦⟩ acc += 10 ⟨/¦%⟩ z; acc += 1;").freestanding(),
    // Shifts.
    local("int n = ⟨$s¦31¦30¦8⟩; unsigned u = 1u << n; acc += (int)(u >> ⟨n¦3¦1⟩) + (int)((0x80000000u >> n) & 7) + ((-16 >> ⟨2¦$s⟩) & 255);").freestanding(),
    local("int x = ⟨1¦3¦-1¦$v⟩, n = ⟨$s¦30¦31¦32¦4¦-1⟩; ⟨if (x >= 0 && n < 16 && n >= 0)¦if (n >= 0 && n < 31)¦⟩ x = x ⟨<<¦>>⟩ n; acc += x % 1000;").freestanding(),
    local("unsigned char c = ⟨200¦255¦$v⟩; acc += (c << ⟨1¦4¦24⟩) % 1000 + (c >> 1) + (unsigned char)(c << 1) + (~c & 15) + (c << 8 >> 8); c <<= ⟨1¦3⟩; c += 100; acc += c;").freestanding(),
    local("long long x = ⟨1LL¦-1LL⟩; int n = ⟨40¦62¦63¦$s⟩; ⟨if (x > 0)¦⟩ x = x ⟨<<¦>>⟩ n; acc += (int)(x >> 32 & 1023); unsigned long long u = ~0ull >> n; acc += (int)(u & 255u);"),
    // Conversions.
    local("$T x = ($T)⟨-1¦300¦70000¦$v⟩; $t y = ($t)x; acc += (int)(y % 1000) + (x < y) * 3 + (x == y) * 5 + (int)sizeof(x + y) + (x < -1) + (int)((x + 1) > y);").freestanding(),
    local("$t x = ($t)⟨127¦128¦-1¦32767¦2147483647¦$v⟩; x⟨++¦--¦ += 1¦ -= 200¦ = -x¦ *= 2¦ = ~x⟩; acc += (int)(x % 997) + (x > 0);").freestanding(),
    local("acc += (-1 < 1u) + ((short)-1 < (unsigned short)1) * 2 + (-1L < 1u) * 4 + ((char)255 < 0) * 8 + (sizeof(int) > -1) * 16 + ('\\xff' == 255) * 32 + (2147483648 > 0) * 64 + (0x80000000 > 0) * 128 + (-2147483648 < 0) * 256;").freestanding(),
    local("unsigned short a = ⟨65535¦40000¦3⟩, b = ⟨65535¦50000¦$v⟩; ⟨acc += a * b ⟨> 0¦% 10⟩;¦acc += (unsigned)a * b % 1000u;¦acc += a + b > 65535;¦a += b; acc += a;⟩").freestanding(),
    local("int i = ⟨2147483647¦2147483640¦-2147483647¦$v⟩; ⟨i++;¦++i;¦i--;¦i += ⟨5¦-5¦8⟩;¦i -= 2;¦i = i * 2;¦i = -i;¦i = (short)i;¦i = i + 1u;¦i = (int)(i + 1LL);¦if (i < 2147483647) i = i + 1;⟩ acc += i % 1000;").freestanding(),
    local("long l = ⟨2147483647L¦-2147483647L¦$v⟩; ⟨l++;¦l *= 2;¦l -= 2;¦l = l << 1;¦l = (int)(l + 1);⟩ acc += (int)(l % 1000) + (l > 2147483647) + (int)sizeof l;").freestanding(),
    local("__int128 w = ⟨1¦-1¦$v⟩; w ⟨<<= ⟨70¦3⟩¦*= 1000000007¦-= 5¦= -w⟩; w *= ⟨3¦-3¦1⟩; acc += (int)(w >> ⟨64¦2¦0⟩) % 1000 + (w > 0) + (int)sizeof w;"),
    local("_Bool b = ⟨2¦0.5¦0¦$v⟩; b ⟨++¦--¦^= 1¦= b + b¦&= 2⟩; acc += b * 3 + (b == 1) + !b + ~b + (int)sizeof(b + b);").freestanding(),
    // Built-in functions.
    local("unsigned x = ⟨1¦0x80000000u¦12345u¦$v | 1⟩; acc += __builtin_⟨popcount¦clz¦ctz¦parity¦ffs¦bswap32⟩(x) % 1000 + __builtin_popcountll(⟨0xffffffffffLL¦3⟩) + __builtin_clzll(⟨1ull¦1ull << 40⟩) + __builtin_ctzl(⟨8ul¦1ul⟩) + __builtin_bswap16(⟨0x1234¦1⟩) % 100;"),
    local("⟨int¦unsigned¦signed char¦long long⟩ r; _Bool o = __builtin_⟨add¦sub¦mul⟩_overflow(⟨2147483647¦100¦$v⟩, ⟨1¦100¦-1⟩, &r); acc += o * 1000 + (int)(r % 100);").freestanding(),
    local("acc += __builtin_expect($v, 1) + __builtin_choose_expr(⟨1¦0⟩, 3, 4.0f) + __builtin_types_compatible_p(int, ⟨int¦long¦const int⟩) + _Generic(⟨1¦1L¦1.0f¦(char)1¦\"a\"¦1u⟩, int: 10, long: 20, float: 30, char: 40, char *: 50, default: 60);").freestanding(),
    // Floating numbers.
    local("float f = ⟨16777216.0f¦0.1f¦1e-40f¦3.5f¦$v⟩; double d = ⟨0.1¦1e300¦0.5¦$v⟩; acc += (f + 1.0f == f) + (f == (double)f) * 2 + ((float)d == d) * 4 + (d * 10 == 1.0) * 8 + (d + 1e-17 == d) * 16 + (f < d) * 32;").freestanding(),
    local("double d = ⟨$v¦2.75¦-2.75¦1e9⟩ / ⟨2¦3.0¦4⟩; int i = (int)d; unsigned char c = (unsigned char)⟨3.99¦200.5⟩; float f = d; acc += i % 1000 + c + (f == d) + (int)(f * 2) % 1000 + (d > i) + ((long)d == i);").freestanding(),
    local("double z = ⟨0.0¦-0.0⟩, i = 1.0 / z, n = i - i; acc += (i > 0) + (n == n) * 2 + (n != n) * 4 + (z == -z) * 8 + (1 / -z > 0) * 16 + (n < 1) * 32 + !(n >= 1) * 64 + (i == i + 1) * 128;").freestanding(),
    local("float s = 0; for (int i = 0; i < ⟨10¦3⟩; i++) s += 0.1f; double t = 0; for (int i = 0; i < 10; i++) t += 0.1; acc += (s == 1.0f) + (t == 1.0) * 2 + (s > t) * 4 + (int)(s * 100);").freestanding(),
    local("long double l = ⟨1.5L¦0.1L¦$v⟩; double d = l; acc += (int)(l * 4) + (d == l) + (int)sizeof l;").freestanding(),
    local("unsigned long long u = ⟨0xffffffffffffffffull¦9007199254740993ull¦5⟩; double d = u; float f = u; acc += (d == 9007199254740992.0) + (f > d) * 2 + (d > 1e19) * 4; long long s = -⟨9007199254740993ll¦3⟩; acc += ((double)s == s) * 8;"),
    local("acc += (0.1f + 0.2f == 0.3f) + (0.1 + 0.2 == 0.3) * 2 + (1.0f / 3 * 3 == 1.0f) * 4 + (5 / 2 * 2.0 == 5) * 8 + (5 / 2.0 * 2 == 5) * 16 + (1e16 + 1 == 1e16) * 32 + (0x1p-3 == 0.125) * 64 + ((float)0.1 == 0.1) * 128 + (.5f == 1. / 2) * 256;").freestanding(),
    // Control.
    local("int n = $s, r = 0; switch (n ⟨¦* 2¦- 1¦% 3⟩) { ⟨default: r += 50;¦⟩ case 0: r += 1; ⟨break;¦⟩ case 1: case 2: r += 10; ⟨break;¦more$k: r += 2;¦⟩ case ⟨5 ... 7¦7¦-1⟩: r += 100; } acc += r;").freestanding(),
    local("int n = ⟨5¦$s⟩, r = 0; switch (n & 3) { case 0: do { r++; case 3: r += 10; case 2: r += 100; case 1: r += 1000; } while ((n -= 4) > 0); } acc += r;").freestanding(),
    local("int i = 0, r = 0; for (;;) { if (i == ⟨2¦$s⟩) { i++; ⟨continue;¦break;¦goto out$k;⟩ } if (i > 4) break; r += i++; } out$k: acc += r * 10 + i;").freestanding(),
    local("void *t[] = { &&a$k, &&b$k, &&c$k }; int i = 0, r = 0; goto *t[⟨0¦1¦$i3⟩]; a$k: r += 1; b$k: r += 10; if (i++ < 2) goto *t[i]; c$k: r += 100; acc += r;").freestanding(),
    local("int x = $v, y = 0; acc += x && ++y; acc += (x || y++) * 2; acc += (x ?: 7) + (y, x) + (x ? y : -y); if (!(x = y)) acc += 3; acc += x;").freestanding(),
    local("int x = $v; { int y = x, x = y + 1; acc += x; for (int x = 0; x < 2; x++) acc += x; } acc += x;").freestanding(),
    local("switch (⟨0x100000001LL¦1LL¦-1LL¦4294967295LL⟩) { case 1: acc += 1; break; case 0x100000001LL: acc += 2; break; case -1: acc += 3; break; default: acc += 4; }").freestanding(),
    local("unsigned n = $s; int c = 0; while (n⟨--¦-- > 0⟩) { c += 2; if (c > 100) break; } acc += c + (n == ⟨4294967295u¦0⟩); do c--; while (c > 0); acc += c;").freestanding(),
    local("const int k = 3; volatile int v = $v; enum { R = 4, Q = R * 2 + 1 }; v += k; acc += k + v + Q;").freestanding(),
    with("static const int lim$k = ⟨3¦4⟩; enum { N$k = 2 + 1, M$k = N$k << 2 }; static int tab$k[N$k + (sizeof(int) == 4)] = { M$k, -N$k, 'a' };", "acc += tab$k[$i4] + lim$k + (int)(sizeof tab$k / sizeof *tab$k) + M$k % 5;").freestanding(),
    with("static int calls$k; static int f$k(int n) { calls$k++; return n; }", "int a[4] = { 0 }; a[f$k(1)] += f$k(2); a[f$k(⟨1¦2¦$i4⟩)]++; acc += f$k(0) && f$k(1); acc += f$k(1) || f$k(5); acc += sizeof(f$k(1)) ? calls$k : -1; acc += a[1] + a[2];").freestanding(),
    with("int g$k; extern int g$k; static int s$k; static int s$k = ⟨3¦-3⟩; int t$k[]; int t$k[2] = { 1 };", "acc += g$k + s$k + t$k[0] + t$k[$i2] + (int)sizeof t$k; { extern int g$k; g$k = 4; } acc += g$k;").freestanding(),
    local("int a[5] = { 5, 4, $v, 2, 1 }; for (int i = 0; i < ⟨5¦4⟩; i++) for (int j = 0; j + 1 < 5 - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } acc += a[0] * 3 + a[4];").freestanding(),
    local("unsigned a = ⟨48¦17¦$s + 1⟩, b = ⟨18¦5¦0⟩; while (b) { unsigned t = a % b; a = b; b = t; } acc += (int)a; unsigned long long p = 1; for (int i = 0; i < ⟨5¦20⟩; i++) p *= ⟨3¦7⟩; acc += (int)(p % 1000);").freestanding(),
    with("#define MAX$k(a, b) ((a) > (b) ? (a) : (b))\n#define CAT$k(a, b) a##b\n#define STR$k(x) #x\n#define VA$k(f, ...) f(__VA_ARGS__)\nstatic int id$k(int a, int b) { return a - b; }", "int CAT$k(x, y) = $v; acc += MAX$k(xy, ⟨3¦-3⟩) + (int)sizeof STR$k(a + b) + VA$k(id$k, 5, 2) + __LINE__ * 0;").freestanding(),
    local("int m = ⟨-2147483647 - 1¦2147483647¦$v⟩; long long w = m; w ⟨-= 1¦+= 1¦*= 3⟩; acc += (w < m) + (int)(w % 7) + ((int)w == m); unsigned u = m; acc += (u == m) + (u > 5) + (int)(u % 10);").freestanding(),
    local("signed char a = ⟨100¦-100¦$v⟩, b = ⟨100¦27¦-1⟩; signed char c = a + b; a += b; acc += c + (a == c) + (a + b > 127); a = -128; a = -a; acc += a; a--; acc += a; b = a * b; acc += b;").freestanding(),
    local("int x = $v; acc += x > 0 && 10 / x > 2; acc += x == 0 || 10 % x < 5; acc += (x & (x - 1)) == 0; acc += x < 0 ? -(x + 1) : x; acc += !!x + -!x;").freestanding(),
    local("int a = ⟨5¦-5¦$v⟩, b = ⟨3¦-3¦-1⟩; acc += a / b * b + a % b == a; acc += (a % b) * 10 + a / b; acc += (a ^ b) < 0; acc += (a >> 1) - a / 2; acc += ~a & 7; acc += a & -a;").freestanding(),
    local("unsigned long n = ⟨0UL - 1¦1UL << 31¦$s⟩; acc += (int)(n >> (sizeof n * 8 - 1)) + (n == (unsigned)n) * 2 + (int)(n % 9) + (int)sizeof(n * 1u); long s = (long)n; acc += (s < 0) + (int)(s % 5);").freestanding(),
    local("float f = ⟨0.5f¦-3.25f¦1e10f¦$v⟩; acc += (f < 0) + (f == (int)(f > 1e9f ? 0 : f)) * 2 + (f * f >= 0) * 4 + (f + 0.1f > f) * 8 + (f / 3.0f * 3.0f == f) * 16; f += 1; f *= 2; acc += f > 3 ? 32 : 64; f++; acc += f == 2.0f;").freestanding(),
    local("double d = ⟨1.0¦-0.5¦$v⟩; int n = 0; while (d < 10 && n < ⟨5¦3⟩) { d = d * 2 + 0.5; n++; } acc += n + (int)d; acc += d > 4 ? (d < 8) : 3; float g = d; acc += g == d; acc += (int)(unsigned char)(n + 250);").freestanding(),
    with("typedef enum { LOW$k = -2, MID$k, HIGH$k = 100 } level$k; static level$k up$k(level$k l) { return l == LOW$k ? MID$k : l == MID$k ? HIGH$k : l; }", "level$k l = ⟨LOW$k¦MID$k¦HIGH$k⟩; l = up$k(l); acc += l; l = (level$k)(l + ⟨1¦0⟩); switch (l) { case MID$k: acc += 1; break; case HIGH$k: acc += 2; break; default: acc += 4; } acc += l < 0;").freestanding(),
    local("int i = 0, a[4] = { 3, 2, 1, 0 }; i = a[a[i]]; acc += i; int j = i++; a[j] = ⟨5¦i⟩; acc += a[0] * 2 + a[j] * 3;").freestanding(),
];
