#pragma once
#include <craig/types.h>
void *alloca(size_t);
