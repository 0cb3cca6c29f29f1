#pragma once
#include <craig/types.h>
#include <craig/locale.h>
int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t); void bzero(void *, size_t); void bcopy(const void *, void *, size_t); int ffs(int);
int bcmp(const void *, const void *, size_t); char *index(const char *, int); char *rindex(const char *, int); int ffsl(long int);
int ffsll(long long int); int strcasecmp_l(const char *, const char *, locale_t); int strncasecmp_l(const char *, const char *, size_t, locale_t);
