#pragma once
#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MININT INT_MIN
#define MAXLONG LONG_MAX
#define MAXSHORT SHRT_MAX
#define BITSPERBYTE 8
#define CHARBITS 8
#define INTBITS 32
