#pragma once
#include <sys/stat.h>
struct FTW { int base; int level; };
typedef int (*ftw_func_t)(const char *, const struct stat *, int);
typedef int (*nftw_func_t)(const char *, const struct stat *, int, struct FTW *);
#define FTW_F 0
#define FTW_D 1
#define FTW_DNR 2
#define FTW_NS 3
#define FTW_SL 4
int ftw(const char *, ftw_func_t, int);
