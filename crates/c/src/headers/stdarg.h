#pragma once
typedef __builtin_va_list va_list;
#define va_start(l, ...) __builtin_c23_va_start(l __VA_OPT__(,) __VA_ARGS__)
#define va_end(l) __builtin_va_end(l)
#define va_arg(l, t) __builtin_va_arg(l, t)
#define va_copy(d, s) __builtin_va_copy(d, s)
