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
#ifdef _GNU_SOURCE
#define FTW_DP 5
#define FTW_SLN 6
#define FTW_PHYS 1
#define FTW_MOUNT 2
#define FTW_CHDIR 4
#define FTW_DEPTH 8
#define FTW_ACTIONRETVAL 16
#define FTW_CONTINUE 0
#define FTW_STOP 1
#define FTW_SKIP_SUBTREE 2
#define FTW_SKIP_SIBLINGS 3
#endif
