#pragma once
#include <craig/posix.h>
#include <sys/types.h>
#ifdef __LP64__
struct statfs { long f_type; long f_bsize; fsblkcnt_t f_blocks; fsblkcnt_t f_bfree; fsblkcnt_t f_bavail; fsfilcnt_t f_files; fsfilcnt_t f_ffree; struct { int __val[2]; } f_fsid; long f_namelen; long f_frsize; long f_flags; long f_spare[4]; };
#else
struct statfs { int f_type; int f_bsize; fsblkcnt_t f_blocks; fsblkcnt_t f_bfree; fsblkcnt_t f_bavail; fsfilcnt_t f_files; fsfilcnt_t f_ffree; struct { int __val[2]; } f_fsid; int f_namelen; int f_frsize; int f_flags; int f_spare[4]; };
#endif
int statfs(const char *, struct statfs *); int fstatfs(int, struct statfs *);
