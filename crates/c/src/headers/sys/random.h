#pragma once
#include <craig/types.h>
#include <craig/posix.h>
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4
ssize_t getrandom(void *, size_t, unsigned int); int getentropy(void *, size_t);
