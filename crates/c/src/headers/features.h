#pragma once
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GLIBC_PREREQ(a, b) ((2 << 16) + 36 >= ((a) << 16) + (b))
#define __THROW
#define __BEGIN_DECLS
#define __END_DECLS
#define __glibc_likely(e) __builtin_expect((e), 1)
#define __glibc_unlikely(e) __builtin_expect((e), 0)
