#pragma once
#include <craig/posix.h>
#include <craig/sigset.h>
#include <sys/select.h>
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef __INT64_TYPE__ int64_t;
typedef unsigned char u_int8_t; typedef unsigned short u_int16_t; typedef unsigned int u_int32_t; typedef __UINT64_TYPE__ u_int64_t;
typedef unsigned long ulong; typedef unsigned short ushort; typedef unsigned int uint;
#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define PDP_ENDIAN 3412
#define BYTE_ORDER LITTLE_ENDIAN
