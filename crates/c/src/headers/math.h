#pragma once
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define MAXFLOAT 3.40282347e+38F
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)
#define M_PIl 3.141592653589793238462643383279502884L
#define M_El 2.718281828459045235360287471352662498L
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#define __F1(n) double n(double); float n##f(float); long double n##l(long double);
#define __F2(n) double n(double, double); float n##f(float, float); long double n##l(long double, long double);
__F1(sin) __F1(cos) __F1(tan) __F1(asin) __F1(acos) __F1(atan) __F1(sinh) __F1(cosh) __F1(tanh) __F1(exp) __F1(exp2)
__F1(expm1) __F1(log) __F1(log2) __F1(log10) __F1(log1p) __F1(sqrt) __F1(cbrt) __F1(fabs) __F1(floor) __F1(ceil)
__F1(trunc) __F1(round) __F1(rint) __F1(nearbyint) __F1(erf) __F1(tgamma) __F1(lgamma) __F1(logb)
__F2(pow) __F2(atan2) __F2(hypot) __F2(fmod) __F2(remainder) __F2(fmin) __F2(fmax) __F2(fdim) __F2(copysign) __F2(nextafter)
#undef __F1
#undef __F2
double modf(double, double *); float modff(float, float *); double frexp(double, int *); double ldexp(double, int);
long lround(double); long long llround(double); long lrint(double); int ilogb(double); double nan(const char *);
double fma(double, double, double); int abs(int);
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
int finite(double); double drem(double, double); double significand(double); double j0(double); double j1(double); double jn(int, double);
double y0(double); double y1(double); double yn(int, double); double gamma(double); double lgamma_r(double, int *);
double nexttoward(double, long double); double scalbn(double, int); double scalbln(double, long int); double remquo(double, double, int *);
long long int llrint(double); double scalb(double, double); float acoshf(float); float asinhf(float); float atanhf(float); float frexpf(float, int *);
float ldexpf(float, int); int isinff(float); int finitef(float); float dremf(float, float); float significandf(float); float nanf(const char *);
int isnanf(float); float j0f(float); float j1f(float); float jnf(int, float); float y0f(float); float y1f(float); float ynf(int, float);
float erfcf(float); float gammaf(float); float lgammaf_r(float, int *); float nexttowardf(float, long double); float scalbnf(float, int);
int ilogbf(float); float scalblnf(float, long int); float remquof(float, float, int *); long int lrintf(float); long long int llrintf(float);
long int lroundf(float); long long int llroundf(float); float fmaf(float, float, float); float scalbf(float, float); long double acoshl(long double);
long double asinhl(long double); long double atanhl(long double); long double frexpl(long double, int *); long double ldexpl(long double, int);
long double modfl(long double, long double *); int isinfl(long double); int finitel(long double); long double dreml(long double, long double);
long double significandl(long double); long double nanl(const char *); int isnanl(long double); long double j0l(long double);
long double j1l(long double); long double jnl(int, long double); long double y0l(long double); long double y1l(long double);
long double ynl(int, long double); long double erfcl(long double); long double gammal(long double); long double lgammal_r(long double, int *);
long double nexttowardl(long double, long double); long double scalbnl(long double, int); int ilogbl(long double);
long double scalblnl(long double, long int); long double remquol(long double, long double, int *); long int lrintl(long double);
long long int llrintl(long double); long int lroundl(long double); long long int llroundl(long double);
long double fmal(long double, long double, long double); long double scalbl(long double, long double);
