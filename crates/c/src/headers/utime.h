#pragma once
#include <craig/posix.h>
struct utimbuf { time_t actime; time_t modtime; };
int utime(const char *, const struct utimbuf *);
