#pragma once
#include <craig/types.h>
typedef unsigned int wint_t; typedef unsigned long wctype_t; typedef struct { int __count; union { unsigned int __wch; char __wchb[4]; } __value; } mbstate_t;
#define WEOF 0xffffffffu
