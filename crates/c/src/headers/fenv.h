#pragma once
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
typedef struct { unsigned short __words[14]; unsigned int __mxcsr; } fenv_t; typedef unsigned short fexcept_t;
#define FE_DFL_ENV ((const fenv_t *)-1)
#define FE_NOMASK_ENV ((const fenv_t *)-2)
int fegetround(void); int fesetround(int); int feclearexcept(int); int fetestexcept(int); int feraiseexcept(int);
int fegetexceptflag(fexcept_t *, int); int fesetexceptflag(const fexcept_t *, int); int fegetenv(fenv_t *); int feholdexcept(fenv_t *);
int fesetenv(const fenv_t *); int feupdateenv(const fenv_t *);
