#pragma once
#include <craig/types.h>
typedef void *nullptr_t;
#define offsetof(t, m) __builtin_offsetof(t, m)
typedef struct { long long __a __attribute__((__aligned__(__alignof__(long long)))); long double __b __attribute__((__aligned__(__alignof__(long double)))); } max_align_t;
