#pragma once
#include <math.h>
#include <complex.h>
#define __TG1(name, x) _Generic((x), float: name##f, long double: name##l, default: name)(x)
#define __TG2(name, x, y) _Generic((x) + (y), float: name##f, long double: name##l, default: name)(x, y)
#undef sin
#define sin(x) __TG1(sin, x)
#undef cos
#define cos(x) __TG1(cos, x)
#undef tan
#define tan(x) __TG1(tan, x)
#undef asin
#define asin(x) __TG1(asin, x)
#undef acos
#define acos(x) __TG1(acos, x)
#undef atan
#define atan(x) __TG1(atan, x)
#undef sinh
#define sinh(x) __TG1(sinh, x)
#undef cosh
#define cosh(x) __TG1(cosh, x)
#undef tanh
#define tanh(x) __TG1(tanh, x)
#undef asinh
#define asinh(x) __TG1(asinh, x)
#undef acosh
#define acosh(x) __TG1(acosh, x)
#undef atanh
#define atanh(x) __TG1(atanh, x)
#undef exp
#define exp(x) __TG1(exp, x)
#undef exp2
#define exp2(x) __TG1(exp2, x)
#undef expm1
#define expm1(x) __TG1(expm1, x)
#undef log
#define log(x) __TG1(log, x)
#undef log2
#define log2(x) __TG1(log2, x)
#undef log10
#define log10(x) __TG1(log10, x)
#undef log1p
#define log1p(x) __TG1(log1p, x)
#undef sqrt
#define sqrt(x) __TG1(sqrt, x)
#undef cbrt
#define cbrt(x) __TG1(cbrt, x)
#undef fabs
#define fabs(x) __TG1(fabs, x)
#undef floor
#define floor(x) __TG1(floor, x)
#undef ceil
#define ceil(x) __TG1(ceil, x)
#undef trunc
#define trunc(x) __TG1(trunc, x)
#undef round
#define round(x) __TG1(round, x)
#undef rint
#define rint(x) __TG1(rint, x)
#undef nearbyint
#define nearbyint(x) __TG1(nearbyint, x)
#undef erf
#define erf(x) __TG1(erf, x)
#undef erfc
#define erfc(x) __TG1(erfc, x)
#undef tgamma
#define tgamma(x) __TG1(tgamma, x)
#undef lgamma
#define lgamma(x) __TG1(lgamma, x)
#undef logb
#define logb(x) __TG1(logb, x)
#undef pow
#define pow(x, y) __TG2(pow, x, y)
#undef atan2
#define atan2(x, y) __TG2(atan2, x, y)
#undef hypot
#define hypot(x, y) __TG2(hypot, x, y)
#undef fmod
#define fmod(x, y) __TG2(fmod, x, y)
#undef remainder
#define remainder(x, y) __TG2(remainder, x, y)
#undef fmin
#define fmin(x, y) __TG2(fmin, x, y)
#undef fmax
#define fmax(x, y) __TG2(fmax, x, y)
#undef fdim
#define fdim(x, y) __TG2(fdim, x, y)
#undef copysign
#define copysign(x, y) __TG2(copysign, x, y)
#undef nextafter
#define nextafter(x, y) __TG2(nextafter, x, y)
