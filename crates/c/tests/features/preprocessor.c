// words only
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define STR(x) #x
#define XSTR(x) STR(x)
#define VA(...) sum(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), __VA_ARGS__)
#define LOG(fmt, ...) len(fmt, ##__VA_ARGS__)
#define EMPTY
#define F(x) ((x) * 2)
#define G F
#define SELF SELF + 1
#define MIN(a,b) ((a) < (b) ? (a) : (b))
#if defined(EMPTY) && !defined NOPE && (1 << 3 | 2) == 10 && -1 < 0 && (2 ? 3 : 4) == 3 && 'a' == 97 && 0x10u > 15
#define OK 1
#elif 1
#define OK 2
#else
#error no
#endif
#if 0
this is "not' C
#elif UNDEFINED_THING
#else
enum { ELSE = 7 };
#endif
#undef EMPTY
#ifdef EMPTY
#error still
#endif
#line 100 "other.c"
static int line = __LINE__;
static int sum(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); int s = 0; while (n--) s += __builtin_va_arg(a, int); __builtin_va_end(a); return s; }
static int len(const char *f, ...) { int n = 0; while (f[n]) n++; return n; }
int SELF_ = 1; static const char *file = __FILE__; int \
  spliced = 3; /* a comment
 over lines */ // and \
 another one
_Pragma("once") static int va0(void) { return LOG("abc"); }
#include <limits.h>
#include <stdint.h>
#define X(n) int CAT(var, n) = n;
#define LIST X(1) X(2) X(3)
LIST
#undef X
#define X(n) + n
int main(void) {
  CHK(XCAT(1, XCAT(2, 3))); CHK(sizeof(STR(a "b" + '\n'))); CHK(XSTR(OK)[0]); CHK(VA(1, 2, 3)); CHK(LOG("hi %d", 3)); CHK(va0()); CHK(G(3)); CHK(F (4)); CHK(OK); CHK(ELSE); CHK(line); CHK(file[0]); CHK(spliced); CHK(var1 + var2 * var3); CHK(0 LIST); CHK(MIN(3, 2) + MIN(MIN(5, 4), 6)); CHK(INT_MAX); CHK(CHAR_MIN); CHK(LONG_MAX); CHK(UINT_MAX); CHK(SHRT_MIN); CHK(LLONG_MIN); CHK(INT32_MAX); CHK(UINT64_MAX); CHK(SIZE_MAX); CHK(INTPTR_MIN); CHK(UINT8_MAX); CHK(INT64_C(5)); CHK(__CHAR_BIT__); CHK(__INT_MAX__); CHK(__SIZEOF_POINTER__); CHK(__STDC__); CHK(sizeof(uintptr_t)); CHK(sizeof(int_fast16_t)); CHK(sizeof(intmax_t)); CHK(sizeof(__WCHAR_TYPE__));
  CHK(__STDC_VERSION__ >= 199901); CHK("a" "b" "c"[2] == 'c'); CHK(sizeof(L"ab") / sizeof(L' ')); CHK(u8"x"[0]); CHK('\101' + '\x41' + '\0'); CHK(0x1p4 == 16); CHK(1e2 == 100); CHK(010 + 0x10 + 0b10);
  return 0;
}
