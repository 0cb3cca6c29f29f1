#pragma once
#include <features.h>
#define __P(a) a
#define __CONCAT(a, b) a ## b
#define __STRING(a) #a
