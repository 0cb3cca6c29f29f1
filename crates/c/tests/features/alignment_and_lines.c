#if 0
don't "care
#elifdef NOPE
#error it's bad
#elifndef NOPE
#define GOOD 4
#endif
#include <stddef.h>
typedef struct { char c; } __attribute__((aligned(8))) A8; typedef int u1 __attribute__((aligned(1))); typedef unsigned long long u64 __attribute__((aligned(8))); struct T { char a; u1 b; char c; u64 d; u64 *e; A8 f; }; struct Q { char c; u64 x[2]; char y; };
int main(void) { CHK(GOOD); CHK(sizeof(struct T)); CHK(offsetof(struct T, b)); CHK(offsetof(struct T, d)); CHK(offsetof(struct T, e)); CHK(offsetof(struct T, f)); CHK(sizeof(struct Q)); CHK(_Alignof(u64)); CHK(_Alignof(struct T)); 
#line 77
 CHK(__LINE__);
# 12 "zzz.c" 3
 CHK(__FILE__[0]); CHK(__LINE__); return 0; }
